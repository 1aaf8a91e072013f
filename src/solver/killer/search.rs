//! The search of one puzzle: deduces, branches on a cell, and backtracks.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::board::{Board, Deduced};
use super::branching::Weights;
use super::plan::Plan;
use super::problem::Problem;
use super::rule_of_45::RuleOf45;
use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::solver::deadline::Deadline;
use crate::solver::learning::{LearningSchedule, PausedSearch};
use crate::solver::limits::{Limits, Progress, Searched};
use crate::solver::random::Random;

/// Branches between two reports of progress: well below a millisecond in a 9x9.
const BRANCHES_PER_REPORT: u64 = 64;
/// Branches between two checks of the deadline, if time is limited.
const BRANCHES_PER_CLOCK_READ: u64 = 16;

/// Clause learning is tried only if at most this many solutions are wanted.
const MAX_SOLUTIONS_OF_LEARNING: u64 = 2;

/// One puzzle.
pub(super) struct Killer<'a> {
    pub rules: &'a Rules,
    pub plan: &'a Arc<Plan>,
    pub givens: Givens<'a>,
    pub index: usize,
    pub seed: Option<u64>,
}

/// The memory of a search, which one puzzle after the other uses.
#[derive(Debug)]
pub(super) struct Search<const W: usize> {
    problem: Problem<W>,
    board: Board<W>,
    weights: Weights,
    rule_of_45: RuleOf45,
    /// For each branch, the candidates of all cells without the digit that was tried.
    saved: Vec<u16>,
    /// For each branch, its cell.
    branches: Vec<u8>,
    random: Option<Random>,
    guesses: u64,
    solutions: u64,
    /// The first solution, if there is one.
    first: Vec<u8>,
    deadline: Option<Deadline>,
    schedule: LearningSchedule,
    max_guesses: u64,
    /// The number of guesses after which the search pauses or is at its limit.
    stop: u64,
}

/// The outcome of the deductions.
enum State {
    Contradiction,
    Solved,
    /// Nothing is left to deduce. This cell has several candidates.
    Stuck(u8),
}

impl<const W: usize> Search<W> {
    pub fn new(plan: &Arc<Plan>, rules: &Rules) -> Search<W> {
        Search {
            problem: Problem::new(Arc::clone(plan)),
            board: Board::new(),
            weights: Weights::new(),
            rule_of_45: RuleOf45::new(),
            saved: Vec::new(),
            branches: Vec::new(),
            random: None,
            guesses: 0,
            solutions: 0,
            first: Vec::new(),
            deadline: None,
            schedule: LearningSchedule::new(rules),
            max_guesses: 0,
            stop: 0,
        }
    }

    /// Solves a puzzle and reports its result.
    #[inline(always)]
    pub fn solve(
        &mut self,
        killer: &Killer<'_>,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.begin(killer, limits);
        let searched = match self.load(killer) {
            Ok(()) => self.search(killer, limits, report)?,
            Err(_) => Searched::Everything,
        };
        let shown = self.solutions > 0 && limits.shown > 0;
        let first = shown.then_some(&self.first[..]);
        let found = limits.found(first, self.guesses, self.solutions, searched);
        report(Progress::Found(killer.index, found))
    }

    fn begin(&mut self, killer: &Killer<'_>, limits: Limits) {
        self.problem.restart(killer.plan);
        self.board.restart(&self.problem);
        self.weights.restart();
        self.rule_of_45.restart();
        self.saved.clear();
        self.branches.clear();
        self.random = killer.seed.map(Random::new);
        self.guesses = 0;
        self.solutions = 0;
        self.first.clear();
        self.deadline = Deadline::from_now(limits);
        self.schedule = LearningSchedule::new(killer.rules);
        self.max_guesses = limits.max_guesses.of(killer.rules);
        self.stop = self.schedule.next_stop(self.max_guesses);
    }

    /// Adds the cages and the givens of the puzzle.
    fn load(&mut self, killer: &Killer<'_>) -> Deduced {
        let plan = killer.plan;
        for cage in killer.rules.cages() {
            match (cage.cells(), cage.sum) {
                (&[cell], Some(sum)) => {
                    self.board
                        .restrict(&self.problem, cell as u8, 1 << (sum - 1))?;
                }
                ([_], None) => {}
                _ if self.problem.has_room_for(1) => self.problem.add_cage(cage),
                _ => unreachable!("cages of two or more cells have room"),
            }
        }
        self.board
            .note_new_constraints(&self.problem, plan.houses.len());
        for cell in 0..plan.cells {
            let candidates = killer.givens.candidates(cell, plan.every_digit().into());
            self.board
                .restrict(&self.problem, cell as u8, candidates as u16)?;
        }
        Ok(())
    }

    /// Searches until a limit is reached or nothing is left.
    // Tried: restarts after 30 to 1000 branches that keep the weights, until there is a solution. 10 to 60 % more branches.
    #[inline(always)]
    fn search(
        &mut self,
        killer: &Killer<'_>,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), Searched> {
        loop {
            let state = self.deduce();
            match state {
                State::Stuck(_) if self.rule_of_45.has_rounds_left() => {
                    if !self.add_derived_sums(killer.rules) {
                        return ControlFlow::Continue(Searched::Everything);
                    }
                    continue;
                }
                State::Stuck(cell) => {
                    if self.guesses >= self.stop
                        && let Some(searched) = self.pause(killer, limits, report)?
                    {
                        return ControlFlow::Continue(searched);
                    }
                    if !self.may_branch(report)? {
                        return ControlFlow::Continue(Searched::Part);
                    }
                    self.branch(cell);
                    continue;
                }
                State::Solved => {
                    self.record_solution(killer, &self.digits(), limits, report)?;
                    if self.solutions == limits.solutions {
                        return ControlFlow::Continue(Searched::Part);
                    }
                }
                State::Contradiction => {}
            }
            if !self.backtrack() {
                return ControlFlow::Continue(Searched::Everything);
            }
        }
    }

    #[inline(always)]
    fn deduce(&mut self) -> State {
        match self.board.propagate(&self.problem) {
            Err(contradiction) => {
                self.weights.count(&self.problem, contradiction);
                if let Some(&cell) = self.branches.last() {
                    self.weights.count_branch(cell);
                }
                State::Contradiction
            }
            Ok(()) => match self.weights.choose(&self.board, self.problem.plan.cells) {
                Some(cell) => State::Stuck(cell),
                None => State::Solved,
            },
        }
    }

    /// Adds the sums that follow from the cages. Returns false if one of them is impossible.
    #[inline(always)]
    fn add_derived_sums(&mut self, rules: &Rules) -> bool {
        let first = self.problem.constraints();
        let is_possible = self.rule_of_45.add_sums(&mut self.problem, rules.cages());
        self.board.note_new_constraints(&self.problem, first);
        is_possible
    }

    /// Counts a branch, and returns whether the time allows it. Reports progress from time to time.
    #[inline(always)]
    fn may_branch(
        &mut self,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        self.guesses += 1;
        if self.guesses.is_multiple_of(BRANCHES_PER_REPORT) {
            report(Progress::AtWork)?;
        }
        let is_out_of_time = self.deadline.is_some_and(|deadline| {
            self.guesses.is_multiple_of(BRANCHES_PER_CLOCK_READ) && deadline.is_past()
        });
        ControlFlow::Continue(!is_out_of_time)
    }

    /// Tries a digit of a cell: the lowest, or a random one if there is a seed.
    #[inline(always)]
    fn branch(&mut self, cell: u8) {
        let candidates = self.board.candidates[usize::from(cell)];
        debug_assert!(candidates.count_ones() > 1);
        let digit = match &mut self.random {
            None => candidates & candidates.wrapping_neg(),
            Some(random) => random.bit_of(candidates.into()) as u16,
        };
        let cells = self.problem.plan.cells;
        self.board.candidates[usize::from(cell)] = candidates & !digit;
        self.saved
            .extend_from_slice(&self.board.candidates[..cells]);
        self.branches.push(cell);
        self.board.candidates[usize::from(cell)] = digit;
        self.board.note_change(&self.problem, cell);
    }

    /// Excludes the digit of the last branch. Returns false if there is none.
    #[inline(always)]
    fn backtrack(&mut self) -> bool {
        let Some(cell) = self.branches.pop() else {
            return false;
        };
        let cells = self.problem.plan.cells;
        let first = self.saved.len() - cells;
        self.board.candidates[..cells].copy_from_slice(&self.saved[first..]);
        self.saved.truncate(first);
        self.board.forget_changes();
        self.board.note_change(&self.problem, cell);
        true
    }

    /// Tries clause learning. Returns the part that is searched if that decides the puzzle, or if the search is at its limit.
    #[cold]
    #[inline(never)]
    fn pause(
        &mut self,
        killer: &Killer<'_>,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), Option<Searched>> {
        debug_assert!(self.solutions < limits.solutions);
        let is_known = self.solutions == 0 || !self.first.is_empty();
        let may_learn = limits.solutions <= MAX_SOLUTIONS_OF_LEARNING && is_known;
        if may_learn && self.guesses < self.max_guesses {
            let search = PausedSearch {
                rules: killer.rules,
                givens: killer.givens,
                guesses: self.guesses,
                max_guesses: self.max_guesses,
                solutions: self.solutions,
                known: &self.first,
                limits,
                deadline: self.deadline,
            };
            let random = self.random.as_mut();
            let result = self.schedule.try_learning(&search, random, report)?;
            self.guesses = result.guesses;
            if let Some(answer) = result.answer {
                for solution in &answer.solutions {
                    self.record_solution(killer, solution, limits, report)?;
                }
                let searched = Searched::everything_if(answer.is_complete);
                return ControlFlow::Continue(Some(searched));
            }
            self.stop = self.schedule.next_stop(self.max_guesses);
        } else {
            self.stop = self.max_guesses;
        }
        let is_at_limit = self.guesses >= self.max_guesses;
        ControlFlow::Continue(is_at_limit.then_some(Searched::Part))
    }

    /// Returns the digits of a solved grid.
    fn digits(&self) -> Vec<u8> {
        let cells = self.board.candidates[..self.problem.plan.cells].iter();
        debug_assert!(cells.clone().all(|candidates| candidates.is_power_of_two()));
        cells
            .map(|candidates| candidates.trailing_zeros() as u8 + 1)
            .collect()
    }

    /// Counts a solution, checks it, and reports it if the caller wants to see it.
    fn record_solution(
        &mut self,
        killer: &Killer<'_>,
        digits: &[u8],
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        debug_assert!(self.solutions < limits.solutions);
        self.solutions += 1;
        self.max_guesses =
            limits.max_guesses_after_solution(killer.rules, self.guesses, self.max_guesses);
        self.stop = self.schedule.next_stop(self.max_guesses);
        if self.solutions > limits.shown {
            return ControlFlow::Continue(());
        }
        assert!(
            killer.rules.hold_for(digits) && killer.givens.are_kept_by(digits),
            "{digits:?} is no solution of {:?}",
            killer.givens
        );
        if self.solutions == 1 {
            self.first.extend_from_slice(digits);
        }
        match limits.reports_solutions() {
            true => report(Progress::Solution(killer.index, digits)),
            false => ControlFlow::Continue(()),
        }
    }
}
