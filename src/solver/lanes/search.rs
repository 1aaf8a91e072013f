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
        debug_assert_eq!(givens.cells(), self.first.len());
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
        debug_assert!(self.given_away <= self.depth && self.depth <= self.branches.len());
        self.depth - self.given_away
    }

    /// Takes the earliest open branch of another lane, which that lane would have reached last.
    pub fn take_branch_from(&mut self, donor: &mut LaneSearch<'a, B>, board: &mut B, lane: usize) {
        debug_assert!(donor.open_branches() > 0 && donor.random.is_none());
        debug_assert!(
            donor.next.is_empty(),
            "its solutions are not reported one by one"
        );
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
        debug_assert!(self.shared && outcome.guesses <= self.branch_budget);
        debug_assert!(outcome.solutions <= limits.solutions);
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
        debug_assert!(self.solutions < limits.solutions);
        debug_assert!(self.guesses < self.branch_budget);
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
        debug_assert_eq!(
            self.next.len(),
            known.saturating_sub(1) as usize * rules.cells()
        );
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
        debug_assert!(limits.max_guesses == 0 || self.guesses <= limits.max_guesses);
        debug_assert!(findings.solutions.len() <= wanted);
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
        debug_assert!(self.solutions < limits.solutions, "the search goes on");
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
        debug_assert!(self.depth > self.given_away);
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
        debug_assert!(limits.max_guesses == 0 || self.guesses <= limits.max_guesses);
        let shown = self.solutions.min(limits.shown) > 0;
        let solution = shown.then_some(&self.first[..]);
        let found = limits.found(solution, self.guesses, self.solutions, self.searched);
        report(Progress::Found(self.index, found))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};
    use crate::solver::lanes::board::SweepResult;
    use crate::solver::lanes::sharing::Sharing;

    const LANES: usize = 3;

    const LIMITS: Limits = Limits {
        max_guesses: 1000,
        max_time: None,
        solutions: 2,
        shown: 1,
    };

    /// A board whose puzzle is a range of leaves. A branch halves it: the lower half is searched first.
    struct Leaves {
        rules: Rules,
        /// The leaves that are left in each lane, from the first up to but not including the second.
        ranges: [(u8, u8); LANES],
    }

    impl Board for Leaves {
        type Choice = u8;
        type Saved = (u8, u8);

        fn rules(&self, _lane: usize) -> &Rules {
            &self.rules
        }
        fn clear(&mut self, _lanes: u32) {}
        fn load<'a>(&mut self, _lanes: u32, _givens: impl Fn(usize) -> Givens<'a>) {}
        fn sweep(&mut self) -> SweepResult {
            unreachable!("tests decide what a sweep finds")
        }
        fn prepare_branches(&mut self) {}
        fn branch(
            &mut self,
            lane: usize,
            _conflict: Option<u8>,
            _random: Option<&mut Random>,
            saved: &mut (u8, u8),
        ) -> u8 {
            let (from, to) = self.ranges[lane];
            let middle = from.midpoint(to);
            *saved = (middle, to);
            self.ranges[lane] = (from, middle);
            middle
        }
        fn restore(&mut self, lane: usize, saved: &(u8, u8)) {
            self.ranges[lane] = *saved;
        }
        fn read_solutions(&mut self, lanes: u32) -> u32 {
            lanes
        }
        fn copy_solution(&self, lane: usize, _givens: Givens<'_>, digits: &mut [u8]) -> bool {
            digits.fill(self.ranges[lane].0);
            true
        }
    }

    /// A search tree with the given leaves, some of which are solutions. One lane or several search it.
    struct Tree<'a> {
        board: Leaves,
        searches: [LaneSearch<'a, Leaves>; LANES],
        solutions: Vec<u8>,
        visited: Vec<u8>,
    }

    impl Tree<'_> {
        fn new(leaves: u8, solutions: &[u8]) -> Tree<'static> {
            let boxes = Shape::boxes_of(4).unwrap();
            let givens = Givens::Digits(&[0; 16]);
            let mut searches = std::array::from_fn(|_| LaneSearch::new(givens, 16));
            searches[0].begin(7, givens, None, LIMITS.max_guesses);
            Tree {
                board: Leaves {
                    rules: Rules::new(4, boxes, &Variants::default()).unwrap(),
                    ranges: [(0, leaves); LANES],
                },
                searches,
                solutions: solutions.to_vec(),
                visited: Vec::new(),
            }
        }

        /// Takes a branch or visits a leaf. Returns whether the lane's search goes on.
        fn step(&mut self, lane: usize) -> bool {
            let (search, board) = (&mut self.searches[lane], &mut self.board);
            let report = &mut |_: Progress<'_>| ControlFlow::Continue(());
            let (from, to) = board.ranges[lane];
            if to - from > 1 {
                return search.branch(board, lane, LIMITS, report) == ControlFlow::Continue(true);
            }
            self.visited.push(from);
            if self.solutions.contains(&from) {
                let flow = search.record_solution(board, lane, u32::MAX, LIMITS, report);
                assert!(flow.is_continue());
            }
            search.backtrack(board, lane, LIMITS)
        }

        /// Searches in several lanes, which take branches of each other at random.
        fn search_shared(&mut self, random: &mut Random) -> PartResult {
            let mut sharing = Sharing::new(LIMITS.solutions, LIMITS.max_guesses);
            let mut busy = [true, false, false];
            loop {
                let lane = random.below(LANES as u32) as usize;
                if !busy[lane] {
                    let donor = (0..LANES)
                        .find(|&donor| busy[donor] && self.searches[donor].open_branches() > 0);
                    let Some(donor) = donor else { continue };
                    let [helper, search] =
                        self.searches.get_disjoint_mut([lane, donor]).ok().unwrap();
                    sharing.share_branch(7, donor, lane);
                    helper.take_branch_from(search, &mut self.board, lane);
                    busy[lane] = true;
                } else if !self.step(lane) {
                    let search = &self.searches[lane];
                    if !search.shared {
                        return search.outcome();
                    }
                    if let Some((outcome, _)) = sharing.end(7, lane, search.outcome()) {
                        return outcome;
                    }
                    busy[lane] = false;
                }
            }
        }
    }

    fn found(outcome: &PartResult) -> (u64, u64, Option<u8>) {
        let first = (outcome.solutions > 0).then(|| outcome.first[0]);
        (outcome.guesses, outcome.solutions, first)
    }

    #[test]
    fn a_search_visits_each_leaf_once_and_in_order() {
        for leaves in 1..40 {
            let mut tree = Tree::new(leaves, &[]);
            while tree.step(0) {}
            assert_eq!(tree.visited, (0..leaves).collect::<Vec<u8>>());
            let search = &tree.searches[0];
            assert_eq!(search.searched, Searched::Everything);
            assert_eq!(found(&search.outcome()), (u64::from(leaves) - 1, 0, None));
        }
    }

    #[test]
    fn lanes_that_share_a_search_find_what_one_lane_finds() {
        let random = &mut Random::new(6);
        let mut numbers = [0; 3];
        for n in 0..3000 {
            let leaves = 1 + random.below(30) as u8;
            let solutions: Vec<u8> = (0..n % 4)
                .map(|_| random.below(leaves.into()) as u8)
                .collect();
            let mut alone = Tree::new(leaves, &solutions);
            while alone.step(0) {}
            let expected = alone.searches[0].outcome();
            let outcome = Tree::new(leaves, &solutions).search_shared(random);
            assert_eq!(
                found(&outcome),
                found(&expected),
                "{leaves} leaves, {solutions:?}"
            );
            numbers[outcome.solutions as usize] += 1;
        }
        assert!(numbers.iter().all(|&number| number > 300), "{numbers:?}");
    }
}
