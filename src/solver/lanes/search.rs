//! The search of one puzzle in its lane: branches and backtracks, counts solutions, reports the result. After many branches
//! it runs the clause-learning fallback. `mod.rs` decides when each step happens.

use std::ops::ControlFlow;
use std::time::Duration;

use super::board::Board;
use super::sharing::{MOST_SOLUTIONS, PartResult};
use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::solver::cdcl::Fallback;
use crate::solver::deadline::{Deadline, thread_time};
use crate::solver::limits::{Limits, Progress, Searched};
use crate::solver::random::Random;

/// The maximum number of solutions that the fallback looks for. If a puzzle has more, and more are wanted, its lane continues.
const MOST_FALLBACK_SOLUTIONS: u64 = 16;

/// The search of the puzzle in one lane.
pub(super) struct LaneSearch<'a, B: Board> {
    pub index: usize,
    pub givens: Givens<'a>,
    /// Chooses the order of branches, if the order is random.
    random: Option<Random>,
    /// Number of open decisions.
    depth: usize,
    /// Number of the earliest open decisions that were given away to other lanes.
    given_away: usize,
    /// True if other lanes search this puzzle too.
    pub shared: bool,
    /// True if this search reached its branch budget.
    over_budget: bool,
    /// The open decisions, `depth` of them, and then unused entries. `Board::branch` writes its saved state in place.
    // Tried: returning the saved state and copying it here. Wide loads waited for narrow stores: 5 % slower on hard input.
    branches: Vec<Branch<B>>,
    /// The last choice that failed; the next branch tries it first ("last conflict" heuristic).
    conflict: Option<B::Choice>,
    guesses: u64,
    /// The number of branches after which the fallback runs or the search is at its limit.
    branch_budget: u64,
    /// The end of the puzzle's time, if time is limited.
    pub deadline: Option<Deadline>,
    /// The time that the fallback took while other lanes waited.
    pub fallback_time: Duration,
    searched: Searched,
    pub solutions: u64,
    /// Branches taken before each of the first solutions.
    guesses_before: [u64; MOST_SOLUTIONS],
    /// The first solution, if it is wanted.
    first: Vec<u8>,
    /// The next few solutions, one after the other.
    next: Vec<u8>,
    /// The solution that was read last.
    solution: Vec<u8>,
}

/// A decision and the saved state of its alternatives.
struct Branch<B: Board> {
    choice: Option<B::Choice>,
    saved: B::Saved,
}

impl<'a, B: Board> LaneSearch<'a, B> {
    pub fn new(givens: Givens<'a>, cells: usize) -> LaneSearch<'a, B> {
        LaneSearch {
            index: 0,
            givens,
            random: None,
            depth: 0,
            given_away: 0,
            shared: false,
            over_budget: false,
            branches: Vec::new(),
            conflict: None,
            guesses: 0,
            branch_budget: 0,
            deadline: None,
            fallback_time: Duration::ZERO,
            searched: Searched::Part,
            solutions: 0,
            guesses_before: [0; MOST_SOLUTIONS],
            first: vec![0; cells],
            next: Vec::new(),
            solution: vec![0; cells],
        }
    }

    #[inline(always)]
    pub fn begin(
        &mut self,
        index: usize,
        givens: Givens<'a>,
        seed: Option<u64>,
        branch_budget: u64,
    ) {
        self.index = index;
        self.givens = givens;
        self.random = seed.map(Random::new);
        self.depth = 0;
        self.given_away = 0;
        self.shared = false;
        self.over_budget = false;
        self.conflict = None;
        self.guesses = 0;
        self.branch_budget = branch_budget;
        self.searched = Searched::Part;
        self.solutions = 0;
        self.next.clear();
    }

    /// Returns the number of branches that this lane can backtrack to.
    #[inline(always)]
    pub fn open_branches(&self) -> usize {
        self.depth - self.given_away
    }

    /// Takes the earliest open branch of another lane, which that lane would have reached last.
    pub fn take_branch_from(&mut self, donor: &mut LaneSearch<'a, B>, board: &mut B, lane: usize) {
        self.begin(donor.index, donor.givens, None, donor.branch_budget);
        let Branch { choice, saved } = &donor.branches[donor.given_away];
        self.conflict = *choice;
        board.restore(lane, saved);
        donor.given_away += 1;
        donor.shared = true;
        self.shared = true;
    }

    /// Returns the result of the search in this lane.
    pub fn outcome(&self) -> PartResult {
        PartResult {
            guesses: self.guesses,
            solutions: self.solutions,
            guesses_before: self.guesses_before,
            first: self.first.clone(),
            over_budget: self.over_budget,
        }
    }

    /// Takes the combined result of a shared search. Runs the fallback if the lanes reached their branch budget.
    pub fn finish_shared(
        &mut self,
        outcome: PartResult,
        rules: &Rules,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.guesses = outcome.guesses;
        self.solutions = outcome.solutions;
        if outcome.solutions > 0 {
            self.first.copy_from_slice(&outcome.first);
        }
        self.searched =
            Searched::everything_if(!outcome.over_budget && outcome.solutions < limits.solutions);
        if outcome.over_budget {
            let is_answered = self.run_fallback(rules, limits, report)?;
            assert!(
                is_answered,
                "two solutions are within reach of the fallback"
            );
        }
        ControlFlow::Continue(())
    }

    /// Takes a branch. Returns false if the search has ended: at a limit, or because the fallback found the answer.
    // Tried: two branches at once, in bands that share no cell. 7 % fewer sweeps with many solutions, 6 to 8 % more on hard
    // input.
    #[inline(always)]
    pub fn branch(
        &mut self,
        board: &mut B,
        lane: usize,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        if self.guesses >= self.branch_budget
            && !self.may_branch(board.rules(lane), limits, report)?
        {
            return ControlFlow::Continue(false);
        }
        self.guesses += 1;
        if self.depth == self.branches.len() {
            self.branches.push(Branch {
                choice: None,
                saved: B::Saved::default(),
            });
        }
        let Branch { choice, saved } = &mut self.branches[self.depth];
        *choice = Some(board.branch(lane, self.conflict, self.random.as_mut(), saved));
        self.depth += 1;
        ControlFlow::Continue(true)
    }

    /// Returns whether the search continues after it has used its branch budget. It ends at a limit, or if the fallback found
    /// the answer.
    #[cold]
    #[inline(never)]
    fn may_branch(
        &mut self,
        rules: &Rules,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        if self.shared {
            // The combined result decides whether the puzzle as a whole is over its budget.
            self.over_budget = true;
            return ControlFlow::Continue(false);
        }
        if limits.are_reached_by(self.guesses) || self.run_fallback(rules, limits, report)? {
            return ControlFlow::Continue(false);
        }
        self.branch_budget = match limits.max_guesses {
            0 => u64::MAX,
            limit => limit,
        };
        ControlFlow::Continue(!limits.are_reached_by(self.guesses))
    }

    /// Runs the clause-learning fallback. Returns whether it found the answer.
    fn run_fallback(
        &mut self,
        rules: &Rules,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<(), bool> {
        let wanted = limits.solutions.min(MOST_FALLBACK_SOLUTIONS);
        if self.solutions >= wanted {
            return ControlFlow::Continue(false);
        }
        let begin = self.deadline.map(|_| thread_time());
        let mut fallback = Fallback::new(rules, self.givens, self.random.as_mut());
        let known = self.solutions.min(limits.shown);
        if known > 0 {
            fallback.exclude(&self.first);
            for solution in self.next.chunks_exact(rules.cells()) {
                fallback.exclude(solution);
            }
        } else if self.random.is_none() {
            fallback.order_digits(wanted as usize);
        }
        let wanted = (wanted - known) as usize;
        let mut flow = ControlFlow::Continue(());
        let at_work = &mut || {
            flow = report(Progress::AtWork);
            flow
        };
        let findings = fallback.solve(wanted, self.guesses, limits, self.deadline, at_work);
        flow?;
        if let Some(begin) = begin {
            self.fallback_time = thread_time() - begin;
        }
        self.guesses += findings.guesses;
        let found = known + findings.solutions.len() as u64;
        if !findings.complete && !findings.limit_reached && found < limits.solutions {
            return ControlFlow::Continue(false);
        }
        assert!(!findings.complete || found >= self.solutions);
        for (number, solution) in (known + 1..).zip(&findings.solutions) {
            if limits.reports_solutions() && number <= limits.shown {
                report(Progress::Solution(self.index, solution))?;
            }
            if number == 1 {
                self.first.copy_from_slice(solution);
            }
        }
        self.solutions = self.solutions.max(found);
        self.searched = Searched::everything_if(findings.complete);
        ControlFlow::Continue(true)
    }

    /// Counts a solution, and reports it if the caller wants to see it. `keep_rules` are the lanes whose digits obey all rules.
    #[inline(always)]
    pub fn record_solution(
        &mut self,
        board: &B,
        lane: usize,
        keep_rules: u32,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if let Some(guesses) = self.guesses_before.get_mut(self.solutions as usize) {
            *guesses = self.guesses;
        }
        self.solutions += 1;
        if self.solutions <= limits.shown {
            let solution = match self.solutions {
                1 => &mut self.first,
                _ => &mut self.solution,
            };
            let keeps_givens = board.copy_solution(lane, self.givens, solution);
            // The safety net: a wrong deduction must never lead to a wrong solution.
            assert!(
                keep_rules >> lane & 1 == 1 && keeps_givens,
                "{solution:?} is no solution of {:?}",
                self.givens
            );
            if limits.reports_solutions() {
                report(Progress::Solution(self.index, solution))?;
                if (2..=MOST_FALLBACK_SOLUTIONS).contains(&self.solutions) {
                    self.next.extend(&self.solution);
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// Restores the last open branch. Returns false if the search has ended.
    #[inline(always)]
    pub fn backtrack(&mut self, board: &mut B, lane: usize, limits: Limits) -> bool {
        if self.solutions >= limits.solutions {
            return false;
        }
        if self.open_branches() == 0 {
            self.searched = Searched::Everything;
            return false;
        }
        self.depth -= 1;
        let Branch { choice, saved } = &self.branches[self.depth];
        self.conflict = *choice;
        board.restore(lane, saved);
        true
    }

    /// Reports the result.
    #[inline(always)]
    pub fn report(
        &self,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let shown = self.solutions.min(limits.shown) > 0;
        let solution = shown.then_some(&self.first[..]);
        let found = limits.found(solution, self.guesses, self.solutions, self.searched);
        report(Progress::Found(self.index, found))
    }
}
