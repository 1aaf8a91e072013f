//! The search of one puzzle in its lane: takes branches and goes back, counts solutions and tells what was found. Hands
//! over what is stubborn. When that happens is for `lanes.rs` to say.

use std::time::Duration;

use super::deadline::Deadline;
use super::lanes::Board;
use super::random::Random;
use super::shared::{MOST_SOLUTIONS, Outcome};
use super::stubborn::Stubborn;
use super::{Givens, Limits, Progress};
use crate::rules::Rules;
use crate::sys::thread_time;

/// As many solutions are looked for where a puzzle is handed over. If it has more, and more are asked for, the lanes go on.
const FEW: u64 = 16;

/// The search of the puzzle in one lane.
pub(super) struct Search<'a, B: Board> {
    pub index: usize,
    pub givens: Givens<'a>,
    /// What the order of branches is drawn from, if it is.
    random: Option<Random>,
    /// How many branches the search is in, and how many of them, the first, other lanes have taken over.
    depth: usize,
    handed_on: usize,
    /// Whether other lanes search for this puzzle too; and whether this one needs more branches than a lane takes.
    pub shared: bool,
    stubborn: bool,
    /// The branches; behind them room for more, written in place. As what a branch keeps came out of `branch` and was
    /// copied here, wide loads waited for narrow stores: 5 % of the time on hard input.
    branches: Vec<Branch<B>>,
    /// What failed last; the next branch tries it first ("last conflict").
    conflict: Option<B::Choice>,
    guesses: u64,
    /// At how many branches the puzzle is handed over, or the limit is reached.
    pause: u64,
    /// When the puzzle is given up, where time is limited; and time of clause learning, for which other lanes waited.
    pub deadline: Option<Deadline>,
    pub alone: Duration,
    /// Nothing is left to search.
    exhausted: bool,
    pub solutions: u64,
    /// Branches taken before each of the first few.
    guesses_before: [u64; MOST_SOLUTIONS],
    /// The first that was found, if it is to be shown; the next few one behind the other; the last that was read.
    first: Vec<u8>,
    next: Vec<u8>,
    solution: Vec<u8>,
}

/// A choice, and the ways that are left.
struct Branch<B: Board> {
    choice: Option<B::Choice>,
    saved: B::Saved,
}

impl<'a, B: Board> Search<'a, B> {
    pub fn new(givens: Givens<'a>, cells: usize) -> Search<'a, B> {
        Search {
            index: 0,
            givens,
            random: None,
            depth: 0,
            handed_on: 0,
            shared: false,
            stubborn: false,
            branches: Vec::new(),
            conflict: None,
            guesses: 0,
            pause: 0,
            deadline: None,
            alone: Duration::ZERO,
            exhausted: false,
            solutions: 0,
            guesses_before: [0; MOST_SOLUTIONS],
            first: vec![0; cells],
            next: Vec::new(),
            solution: vec![0; cells],
        }
    }

    #[inline(always)]
    pub fn begin(&mut self, index: usize, givens: Givens<'a>, seed: Option<u64>, pause: u64) {
        self.index = index;
        self.givens = givens;
        self.random = seed.map(Random::new);
        self.depth = 0;
        self.handed_on = 0;
        self.shared = false;
        self.stubborn = false;
        self.conflict = None;
        self.guesses = 0;
        self.pause = pause;
        self.exhausted = false;
        self.solutions = 0;
        self.next.clear();
    }

    /// How many branches there are to go back to.
    #[inline(always)]
    pub fn open_branches(&self) -> usize {
        self.depth - self.handed_on
    }

    /// Takes over the branch of another lane to which that would have come last, where there is one.
    pub fn take_over(&mut self, giver: &mut Search<'a, B>, board: &mut B, lane: usize) {
        self.begin(giver.index, giver.givens, None, giver.pause);
        let Branch { choice, saved } = &giver.branches[giver.handed_on];
        self.conflict = *choice;
        board.restore(lane, saved);
        giver.handed_on += 1;
        giver.shared = true;
        self.shared = true;
    }

    /// What came of the search in this lane.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            guesses: self.guesses,
            solutions: self.solutions,
            guesses_before: self.guesses_before,
            first: self.first.clone(),
            stubborn: self.stubborn,
        }
    }

    /// Ends a search that was shared.
    pub fn conclude(
        &mut self,
        outcome: Outcome,
        rules: &Rules,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>),
    ) {
        self.guesses = outcome.guesses;
        self.solutions = outcome.solutions;
        if outcome.solutions > 0 {
            self.first.copy_from_slice(&outcome.first);
        }
        self.exhausted = !outcome.stubborn && outcome.solutions < limits.solutions;
        if outcome.stubborn {
            let is_answered = self.is_answered_otherwise(rules, limits, report);
            assert!(is_answered, "so few solutions are found at once");
        }
    }

    /// Takes a branch; false if the puzzle may take no more, or needs none.
    // Not done: two at once, in bands that share no cell. With many solutions 7 % fewer sweeps, on hard input 6 to 8 % more.
    #[inline(always)]
    pub fn branch(
        &mut self,
        board: &mut B,
        lane: usize,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> bool {
        if self.guesses >= self.pause && !self.goes_on(board.rules(lane), limits, report) {
            return false;
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
        true
    }

    /// Whether there is to be a branch more: not if the limit is reached, nor if another search answers the puzzle.
    #[cold]
    #[inline(never)]
    fn goes_on(
        &mut self,
        rules: &Rules,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> bool {
        if self.shared {
            // Whether the puzzle does is seen when all is put together.
            self.stubborn = true;
            return false;
        }
        if limits.are_reached_by(self.guesses) || self.is_answered_otherwise(rules, limits, report)
        {
            return false;
        }
        self.pause = match limits.max_guesses {
            0 => u64::MAX,
            limit => limit,
        };
        !limits.are_reached_by(self.guesses)
    }

    /// Hands the puzzle over.
    fn is_answered_otherwise(
        &mut self,
        rules: &Rules,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>),
    ) -> bool {
        let wanted = limits.solutions.min(FEW);
        if self.solutions >= wanted {
            return false;
        }
        let begin = self.deadline.map(|_| thread_time());
        let mut stubborn = Stubborn::new(rules, self.givens, self.random.as_mut());
        let known = self.solutions.min(limits.shown);
        if known > 0 {
            stubborn.leave_out(&self.first);
            for solution in self.next.chunks_exact(rules.cells()) {
                stubborn.leave_out(solution);
            }
        } else if self.random.is_none() {
            stubborn.order_digits(wanted as usize);
        }
        let wanted = (wanted - known) as usize;
        let at_work = &mut || report(Progress::AtWork);
        let findings = stubborn.solve(wanted, self.guesses, limits, self.deadline, at_work);
        if let Some(begin) = begin {
            self.alone = thread_time() - begin;
        }
        self.guesses += findings.guesses;
        let found = known + findings.solutions.len() as u64;
        if !findings.complete && !findings.limit_reached && found < limits.solutions {
            return false;
        }
        assert!(!findings.complete || found >= self.solutions);
        for (number, solution) in (known + 1..).zip(&findings.solutions) {
            if limits.tell_solutions() && number <= limits.shown {
                report(Progress::Solution(self.index, solution));
            }
            if number == 1 {
                self.first.copy_from_slice(solution);
            }
        }
        self.solutions = self.solutions.max(found);
        self.exhausted = findings.complete;
        true
    }

    /// Counts a solution, and tells it if it is one of those to be shown.
    #[inline(always)]
    pub fn note_solution(
        &mut self,
        board: &B,
        lane: usize,
        keeps_rules: bool,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>),
    ) {
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
            // The safety net: no grid is told that breaks the rules or its givens, whatever the deductions did.
            assert!(
                keeps_rules && keeps_givens,
                "{solution:?} is no solution of {:?}",
                self.givens
            );
            if limits.tell_solutions() {
                report(Progress::Solution(self.index, solution));
                if (2..=FEW).contains(&self.solutions) {
                    self.next.extend(&self.solution);
                }
            }
        }
    }

    /// Takes up what was kept last; false if the puzzle is answered.
    #[inline(always)]
    pub fn backtrack(&mut self, board: &mut B, lane: usize, limits: Limits) -> bool {
        if self.solutions >= limits.solutions {
            return false;
        }
        if self.open_branches() == 0 {
            self.exhausted = true;
            return false;
        }
        self.depth -= 1;
        let Branch { choice, saved } = &self.branches[self.depth];
        self.conflict = *choice;
        board.restore(lane, saved);
        true
    }

    /// Tells what was found out.
    #[inline(always)]
    pub fn tell(&self, limits: Limits, report: &mut dyn FnMut(Progress<'_>)) {
        let shown = self.solutions.min(limits.shown) > 0;
        let solution = shown.then_some(&self.first[..]);
        let found = limits.found(solution, self.guesses, self.solutions, self.exhausted);
        report(Progress::Found(self.index, found));
    }
}
