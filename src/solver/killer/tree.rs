//! The search tree of one puzzle: its open branches, the weights of cells, the first solution and
//! the number of solutions. The tree also applies the limits, and pauses the search for clause
//! learning. The loops of `search.rs` (one node at a time) and of `lanes.rs` (many nodes) both use
//! it.

use std::ops::ControlFlow;

use super::branching::Weights;
use crate::rules::Rules;
use crate::solver::learning::{PausedSearch, SearchTask};
use crate::solver::limits::{Limits, Progress, Report, Searched, check_solution};
use crate::solver::random::{Random, first_bit};

/// The number of guesses between two reports of progress. These guesses take well below a
/// millisecond in a 9x9.
const BRANCHES_PER_REPORT: u64 = 64;
/// The number of guesses between two checks of the deadline, if time is limited.
const BRANCHES_PER_CLOCK_READ: u64 = 16;

/// A puzzle, and the open branches and the findings of its search.
pub(super) struct KillerTree<'a> {
    pub rules: &'a Rules,
    /// The puzzle and the limits of its search. With the default limit, `record_solution` raises
    /// `max_guesses` after each solution if more than two are wanted.
    pub task: SearchTask<'a>,
    limits: Limits,
    cells: usize,
    /// For each open branch, the candidates of all cells.
    saved: Vec<u16>,
    /// For each open branch, the cell that was last restricted in its candidates.
    /// `KillerSearch::backtrack` notes the change of this cell.
    branches: Vec<u8>,
    pub weights: Weights,
    random: Option<Random>,
    pub guesses: u64,
    pub solutions: u64,
    /// The first solution. `None` if none is found yet, or if `Limits::shown` is 0.
    first: Option<Vec<u8>>,
    /// The number of guesses at which `guess` calls `pause`.
    stop: u64,
}

impl<'a> KillerTree<'a> {
    /// Returns the tree of a search that has not begun yet.
    pub fn new(rules: &'a Rules, task: SearchTask<'a>, limits: Limits) -> KillerTree<'a> {
        KillerTree {
            rules,
            task,
            limits,
            cells: rules.cells(),
            saved: Vec::new(),
            branches: Vec::new(),
            weights: Weights::new(),
            random: task.seed.map(Random::new),
            guesses: 0,
            solutions: 0,
            first: None,
            stop: task.schedule.next_stop(task.max_guesses),
        }
    }

    /// Adds an open branch: candidates of all cells, and the cell that was last restricted in them.
    #[inline(always)]
    pub fn push(&mut self, cell: u8, candidates: &[u16]) {
        debug_assert_eq!(candidates.len(), self.cells);
        self.saved.extend_from_slice(candidates);
        self.branches.push(cell);
    }

    /// Removes the last open branch and copies its candidates into `candidates`. Returns its cell;
    /// `None` if no branch is open.
    #[inline(always)]
    pub fn pop(&mut self, candidates: &mut [u16]) -> Option<u8> {
        debug_assert_eq!(candidates.len(), self.cells);
        let cell = self.branches.pop()?;
        let first = self.saved.len() - self.cells;
        candidates.copy_from_slice(&self.saved[first..]);
        self.saved.truncate(first);
        Some(cell)
    }

    /// Returns the cell of the last open branch; `None` if no branch is open. After a backtrack,
    /// this is the cell of an earlier branch, not the cell whose digit was just excluded.
    #[inline(always)]
    pub fn last_cell(&self) -> Option<u8> {
        self.branches.last().copied()
    }

    /// Fixes a cell to one of its digits: the lowest, or a random one if the puzzle has a seed.
    /// Adds an open branch in which the cell does not hold this digit.
    #[inline(always)]
    pub fn branch(&mut self, cell: u8, candidates: &mut [u16]) {
        let set = candidates[usize::from(cell)];
        debug_assert!(set.count_ones() > 1);
        let digit = first_bit(self.random.as_mut(), set.into()) as u16;
        candidates[usize::from(cell)] = set & !digit;
        self.push(cell, candidates);
        candidates[usize::from(cell)] = digit;
    }

    /// Calls `pause` if `stop` is reached. Unless that ends the search, counts a guess; at some
    /// guesses, also reports progress and checks the time. Returns `Some` if the search must
    /// end: at a limit, or because clause learning found the answer.
    #[inline(always)]
    pub fn guess(&mut self, report: Report<'_>) -> ControlFlow<(), Option<Searched>> {
        if self.guesses >= self.stop
            && let Some(searched) = self.pause(report)?
        {
            return ControlFlow::Continue(Some(searched));
        }
        self.guesses += 1;
        if self.guesses.is_multiple_of(BRANCHES_PER_REPORT) {
            report(Progress::AtWork)?;
        }
        let is_out_of_time = self.task.deadline.is_some_and(|deadline| {
            self.guesses.is_multiple_of(BRANCHES_PER_CLOCK_READ) && deadline.is_past()
        });
        ControlFlow::Continue(is_out_of_time.then_some(Searched::Part))
    }

    /// Calls `LearningSchedule::try_learning`, unless the search is at its limit of guesses or has
    /// found a solution that is not kept. Returns `Some` if the search must end: clause
    /// learning found the answer, or the search is at its limit of guesses. Otherwise sets the
    /// next stop.
    #[cold]
    #[inline(never)]
    fn pause(&mut self, report: Report<'_>) -> ControlFlow<(), Option<Searched>> {
        debug_assert!(self.solutions < self.limits.solutions);
        // Clause learning must exclude a solution that has been found, so that solution must be
        // kept (see `first`).
        let first_is_kept = self.solutions == 0 || self.first.is_some();
        if first_is_kept && self.guesses < self.task.max_guesses {
            let search = PausedSearch {
                rules: self.rules,
                task: self.task,
                guesses: self.guesses,
                solutions: self.solutions,
                known: self.first.as_deref(),
                limits: self.limits,
            };
            let result = self.task.schedule.try_learning(&search, report)?;
            self.guesses = result.guesses;
            if let Some(answer) = result.answer {
                for solution in &answer.solutions {
                    self.record_solution(solution, report)?;
                }
                return ControlFlow::Continue(Some(answer.searched));
            }
            self.stop = self.task.schedule.next_stop(self.task.max_guesses);
        } else {
            self.stop = self.task.max_guesses;
        }
        let is_at_limit = self.guesses >= self.task.max_guesses;
        ControlFlow::Continue(is_at_limit.then_some(Searched::Part))
    }

    /// Records the solution in which each cell has its only candidate. Returns true if no more
    /// solutions are wanted.
    #[inline(always)]
    pub fn record_grid(&mut self, candidates: &[u16], report: Report<'_>) -> ControlFlow<(), bool> {
        debug_assert!(candidates.iter().all(|set| set.is_power_of_two()));
        let digits = candidates.iter().map(|set| set.trailing_zeros() as u8 + 1);
        self.record_solution(&digits.collect::<Vec<u8>>(), report)?;
        ControlFlow::Continue(self.solutions == self.limits.solutions)
    }

    /// Counts a solution, and sets the limit of guesses and the next stop that hold after it. If it
    /// is one of the first `limits.shown` solutions, checks it, keeps it if it is the first,
    /// and reports it if the caller wants solutions one by one.
    fn record_solution(&mut self, digits: &[u8], report: Report<'_>) -> ControlFlow<()> {
        let limits = self.limits;
        debug_assert!(self.solutions < limits.solutions);
        self.solutions += 1;
        let limit = &mut self.task.max_guesses;
        *limit = limits.max_guesses_after_solution(self.rules, self.guesses, *limit);
        self.stop = self.task.schedule.next_stop(self.task.max_guesses);
        if self.solutions > limits.shown {
            return ControlFlow::Continue(());
        }
        check_solution(self.rules, self.task.givens, digits);
        if self.solutions == 1 {
            self.first = Some(digits.to_vec());
        }
        if limits.reports_solutions() {
            report(Progress::Solution(self.task.index, digits))?;
        }
        ControlFlow::Continue(())
    }

    /// Reports the result of the search.
    #[inline(always)]
    pub fn report_result(&self, searched: Searched, report: Report<'_>) -> ControlFlow<()> {
        let first = self.first.as_deref();
        let found = self
            .limits
            .found(first, self.guesses, self.solutions, searched);
        report(Progress::Found(self.task.index, found))
    }
}
