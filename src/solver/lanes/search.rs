//! The search of one puzzle in its lane: branches and backtracks, records solutions, and returns
//! the result. `mod.rs` decides when each step happens.

use std::ops::ControlFlow;
use std::time::Duration;

use super::board::Board;
use super::counting::{Counts, DigitNames, KnownStates, OpenState, StateKey};
use super::tree::{Branch, FIRST_NODE, MAX_SHARED_SOLUTIONS, NodeId, SearchResult, SearchTree};
use crate::puzzle::Givens;
use crate::random::Random;
use crate::rules::Rules;
use crate::solver::deadline::thread_time;
use crate::solver::learning::{Learnt, PausedSearch, SearchTask};
use crate::solver::limits::{Found, Limits, Progress, Report, Searched};

/// The search of the puzzle in one lane.
pub(super) struct LaneSearch<'a, B: Board> {
    /// The puzzle and the limits of its search. In a dive, the limits in the task of the tree hold
    /// instead.
    pub task: SearchTask<'a>,
    /// Chooses the order of the branches below the current state, if it is random.
    random: Option<Random>,
    /// The number of branches in use: this lane has not restored their other alternatives. Each is
    /// open or was given away. 0 in a dive, whose branches are nodes of the tree.
    depth: usize,
    /// In a count: how many of the branches in use were given away to other lanes. These are the
    /// earliest ones.
    given_away: usize,
    /// The branches in use, `depth` of them, and then unused entries. `Board::branch` writes its
    /// saved state in place.
    // Tried: returning the saved state and copying it here. 5 % slower on hard input, because wide
    // loads waited for narrow stores.
    branches: Vec<Branch<B>>,
    /// The choice of the branch whose other alternatives this lane restored last. On a band board,
    /// the next branch makes the same choice if it still has several alternatives ("last
    /// conflict" heuristic).
    conflict: Option<B::Choice>,
    /// The number of guesses of this lane in its search, its current dive, or its part of a count.
    guesses: u64,
    /// The number of guesses after which the search pauses, to try clause learning, or is at its
    /// limit.
    stop: u64,
    /// If time is limited: the time that clause learning has just taken while other lanes waited.
    /// The main loop resets it to 0.
    pub learning_time: Duration,
    searched: Searched,
    pub solutions: u64,
    /// The number of guesses before each of the first solutions. Entries from `solutions` on have
    /// no meaning.
    guesses_before: [u64; MAX_SHARED_SOLUTIONS],
    /// The first solution. Has no meaning if there is none, if `Limits::shown` is 0, or after
    /// `take_branch_from`.
    first: Vec<u8>,
    /// Scratch: a solution after the first, while it is reported.
    solution: Vec<u8>,
    /// In a shared search: the node from which this lane dives.
    pub node: NodeId,
    /// In a count: whether states that differ only by the names of digits are treated as the same.
    digit_names: DigitNames,
    /// In a count: the states whose solutions this lane is counting, the innermost last.
    counted_states: Vec<CountedState>,
}

/// A state whose solutions are being counted.
struct CountedState {
    key: StateKey,
    /// `LaneSearch::depth` when the lane reached the state.
    depth: usize,
    /// `LaneSearch::solutions` when the lane reached the state.
    solutions_before: u64,
}

impl<'a, B: Board> LaneSearch<'a, B> {
    /// Returns a search that has not begun. `task` is a placeholder, which `begin`, `dive_from` or
    /// `take_branch_from` replaces.
    pub fn new(task: SearchTask<'a>) -> LaneSearch<'a, B> {
        LaneSearch {
            task,
            random: None,
            depth: 0,
            given_away: 0,
            branches: Vec::new(),
            conflict: None,
            guesses: 0,
            stop: 0,
            learning_time: Duration::ZERO,
            searched: Searched::Part,
            solutions: 0,
            guesses_before: [0; MAX_SHARED_SOLUTIONS],
            first: Vec::new(),
            solution: Vec::new(),
            node: 0,
            digit_names: DigitNames::Fixed,
            counted_states: Vec::new(),
        }
    }

    /// Begins the search of a puzzle.
    #[inline(always)]
    pub fn begin(&mut self, task: SearchTask<'a>) {
        self.start(task, task.seed.map(Random::new), None);
    }

    /// Begins a search, a dive, or a part of a count.
    #[inline(always)]
    fn start(&mut self, task: SearchTask<'a>, random: Option<Random>, conflict: Option<B::Choice>) {
        // Allocates on the first call, not in `new`, so a lane that gets no puzzle costs little.
        self.first.resize(task.givens.cells(), 0);
        self.task = task;
        self.random = random;
        self.conflict = conflict;
        self.depth = 0;
        self.given_away = 0;
        self.guesses = 0;
        self.stop = task.schedule.next_stop(task.max_guesses);
        self.searched = Searched::Part;
        self.solutions = 0;
        self.counted_states.clear();
    }

    /// Returns the number of branches that this lane can backtrack to.
    #[inline(always)]
    pub fn open_branches(&self) -> usize {
        debug_assert!(self.given_away <= self.depth && self.depth <= self.branches.len());
        self.depth - self.given_away
    }

    /// Turns this search into a tree, and returns the tree. The open branches become open nodes.
    /// The lane goes on with the first dive.
    pub fn become_tree(&mut self, lane: usize, limits: Limits) -> SearchTree<'a, B> {
        debug_assert!(self.given_away == 0);
        let mut tree = SearchTree::new(self.task, lane, self.result(limits));
        // From the earliest branch to the last. Each is added right after the first node, so the
        // last branch is taken first, as in one lane.
        for branch in &mut self.branches[..self.depth] {
            tree.add_open(FIRST_NODE, |of_node| std::mem::swap(of_node, branch));
        }
        self.depth = 0;
        self.node = FIRST_NODE;
        // The tree has the findings so far, so the dive counts from 0.
        self.guesses = 0;
        self.solutions = 0;
        tree
    }

    /// Begins a dive (see `tree.rs`) from a node that was taken from a tree. In a dive, each branch
    /// adds an open node to the tree for the alternatives not taken. The caller restores the
    /// state of the node on the board.
    #[inline(always)]
    pub fn dive_from(&mut self, task: SearchTask<'a>, node: NodeId, branch: &Branch<B>) {
        self.start(task, branch.random.clone(), branch.choice);
        self.node = node;
    }

    /// Takes a branch in a dive. The other alternatives become an open node of the tree.
    #[inline(always)]
    pub fn branch_in(&mut self, tree: &mut SearchTree<'a, B>, board: &mut B, lane: usize) {
        self.guesses += 1;
        let (conflict, random) = (self.conflict, self.random.as_mut());
        tree.add_open(self.node, |branch| branch.take(board, lane, conflict, random));
    }

    /// In a count: takes the earliest open branch of another lane, and restores its other
    /// alternatives in this lane.
    pub fn take_branch_from(&mut self, donor: &mut LaneSearch<'a, B>, board: &mut B, lane: usize) {
        debug_assert!(donor.open_branches() > 0 && donor.random.is_none());
        let branch = &donor.branches[donor.given_away];
        self.start(donor.task, None, branch.choice);
        board.restore(lane, &branch.saved);
        donor.given_away += 1;
        self.digit_names = donor.digit_names;
        self.stop = u64::MAX;
    }

    /// Makes this search a count, which has no limit of guesses. Other lanes can take its branches.
    pub fn begin_count(&mut self, rules: &Rules, counts: &mut Counts, lane: usize) {
        debug_assert!(self.random.is_none());
        self.digit_names = DigitNames::for_puzzle(rules, self.task.givens);
        counts.begin(self.task.index, lane, &self.first, self.guesses, self.solutions);
        self.stop = u64::MAX;
    }

    /// Returns the number of solutions below the state of this stuck lane, if it is known.
    /// Otherwise begins to count them, unless the state has no key.
    #[inline(always)]
    pub fn solutions_below(
        &mut self,
        board: &B,
        lane: usize,
        known: &mut KnownStates,
    ) -> Option<u64> {
        let describe = |open: &mut OpenState| board.describe_open(lane, open);
        let key = known.key(self.task.index, self.digit_names, describe)?;
        let solutions = known.get(key);
        if solutions.is_none() {
            self.counted_states.push(CountedState {
                key,
                depth: self.depth,
                solutions_before: self.solutions,
            });
        }
        solutions
    }

    /// Called before the lane backtracks: remembers the number of solutions of each state whose
    /// search is complete. These are the states below which no branch is in use, so that their
    /// depth is at least `self.depth`. If a branch below a state was given away, it stays in use,
    /// and the state is never remembered: another lane counts the solutions of the branch.
    #[inline(always)]
    pub fn remember_states(&mut self, known: &mut KnownStates) {
        while let Some(state) = self.counted_states.pop_if(|state| state.depth >= self.depth) {
            debug_assert!(state.depth >= self.given_away, "no branch below was given away");
            known.insert(state.key, self.solutions - state.solutions_before);
        }
    }

    /// Returns the findings of this search or dive.
    #[inline(always)]
    pub fn result(&self, limits: Limits) -> SearchResult {
        SearchResult {
            guesses: self.guesses,
            solutions: self.solutions,
            guesses_before: self.guesses_before,
            grids: [self.shown(limits).unwrap_or_default().to_vec(), Vec::new()],
        }
    }

    /// Takes a branch. Returns false if the search has ended: at the limit of guesses, or because
    /// clause learning found the result.
    // Tried: a guess in each of two bands (or two stacks) at once, as these share no cell. 7 %
    // fewer sweeps for puzzles with many solutions, 6 to 8 % more for hard ones.
    #[inline(always)]
    pub fn branch(
        &mut self,
        board: &mut B,
        lane: usize,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<(), bool> {
        if self.guesses >= self.stop && !self.resume(board.rules(lane), limits, report)? {
            return ControlFlow::Continue(false);
        }
        debug_assert!(self.solutions < limits.solutions);
        debug_assert!(self.guesses < self.stop);
        self.guesses += 1;
        if self.depth == self.branches.len() {
            self.branches.push(Branch::default());
        }
        let branch = &mut self.branches[self.depth];
        branch.take(board, lane, self.conflict, self.random.as_mut());
        self.depth += 1;
        ControlFlow::Continue(true)
    }

    /// Called when the guesses reach `stop`: at a pause, where clause learning gets a try, or at
    /// the limit of guesses. Sets the next stop. Returns false if the search ends: at the limit, or
    /// because clause learning found the result.
    #[cold]
    #[inline(never)]
    fn resume(
        &mut self,
        rules: &Rules,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<(), bool> {
        if self.guesses < self.task.max_guesses {
            let begin = self.task.deadline.map(|_| thread_time());
            let known = self.shown(limits).map(<[u8]>::to_vec);
            let mut search = PausedSearch {
                rules,
                task: self.task,
                guesses: self.guesses,
                solutions: self.solutions,
                known: known.as_deref(),
                limits,
            };
            let answer = self.task.schedule.try_learning(&mut search, report)?;
            if let Some(begin) = begin {
                self.learning_time = thread_time() - begin;
            }
            self.guesses = search.guesses;
            if let Some(answer) = &answer {
                self.take_answer(answer, known.is_some(), limits, report)?;
                return ControlFlow::Continue(false);
            }
        }
        self.stop = self.task.schedule.next_stop(self.task.max_guesses);
        ControlFlow::Continue(self.guesses < self.task.max_guesses)
    }

    /// Returns the first solution, if there is one and solutions are shown.
    #[inline(always)]
    fn shown(&self, limits: Limits) -> Option<&[u8]> {
        (self.solutions.min(limits.shown) > 0).then_some(&self.first)
    }

    /// Takes over the result of clause learning (`answer`). If solutions are reported one by one,
    /// reports the shown ones among its solutions. `has_first` is true if the first solution
    /// was known, so that clause learning excluded it.
    fn take_answer(
        &mut self,
        answer: &Learnt,
        has_first: bool,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<()> {
        let known = u64::from(has_first);
        let found = known + answer.solutions.len() as u64;
        assert!(answer.searched == Searched::Part || found >= self.solutions);
        for (number, solution) in (known + 1..).zip(&answer.solutions) {
            if limits.reports_solutions() && number <= limits.shown {
                report(Progress::Solution(self.task.index, solution))?;
            }
            if number == 1 {
                self.first.copy_from_slice(solution);
            }
        }
        // Not the sum: clause learning excludes only the known solution, so its solutions can
        // include others that are already counted.
        self.solutions = self.solutions.max(found);
        self.searched = answer.searched;
        ControlFlow::Continue(())
    }

    /// Counts a solution, and sets the limit of guesses that holds after it. If it is one of the
    /// first `limits.shown` solutions, copies and checks it, and reports it if solutions are
    /// reported one by one. `obeying` is the mask that `Board::read_solutions` returned for the
    /// lanes whose solutions are shown, or 0 if there are none.
    #[inline(always)]
    pub fn record_solution(
        &mut self,
        board: &B,
        lane: usize,
        obeying: u32,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<()> {
        debug_assert!(self.solutions < limits.solutions, "the search goes on");
        if let Some(guesses) = self.guesses_before.get_mut(self.solutions as usize) {
            *guesses = self.guesses;
        }
        self.solutions += 1;
        // If at most two are wanted, the limit does not change.
        if limits.solutions > 2 {
            let rules = board.rules(lane);
            let limit = &mut self.task.max_guesses;
            *limit = limits.max_guesses_after_solution(rules, self.guesses, *limit);
            self.stop = self.task.schedule.next_stop(self.task.max_guesses);
        }
        if self.solutions <= limits.shown {
            let solution = match self.solutions {
                1 => &mut self.first,
                _ => {
                    self.solution.resize(self.first.len(), 0);
                    &mut self.solution
                }
            };
            read_solution(board, lane, obeying, self.task.givens, solution);
            if limits.reports_solutions() {
                report(Progress::Solution(self.task.index, solution))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Counts the solution that ends a dive. Copies and checks it if solutions are shown. It is not
    /// reported before the tree ends. `obeying` is as for `record_solution`.
    #[inline(always)]
    pub fn record_end_of_dive(&mut self, board: &B, lane: usize, obeying: u32, limits: Limits) {
        debug_assert_eq!(self.solutions, 0, "a dive ends at its first solution");
        self.guesses_before[0] = self.guesses;
        self.solutions = 1;
        if limits.shown > 0 {
            read_solution(board, lane, obeying, self.task.givens, &mut self.first);
        }
    }

    /// Restores the other alternatives of the last open branch. Returns false if the search has
    /// ended: all wanted solutions are found, or this lane has no open branch.
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
        let branch = &self.branches[self.depth];
        self.conflict = branch.choice;
        self.random.clone_from(&branch.random);
        board.restore(lane, &branch.saved);
        true
    }

    /// Returns the result for the report.
    #[inline(always)]
    pub fn found(&self, limits: Limits) -> Found<'_> {
        limits.found(self.shown(limits), self.guesses, self.solutions, self.searched)
    }
}

/// Copies the solution of a solved lane, and panics if it violates the rules or a given. `obeying`
/// is the result of `Board::read_solutions` for lanes that include this one.
#[inline(always)]
fn read_solution<B: Board>(
    board: &B,
    lane: usize,
    obeying: u32,
    givens: Givens<'_>,
    solution: &mut [u8],
) {
    let agrees = board.copy_solution(lane, givens, solution);
    // The safety net: a wrong deduction must never lead to a wrong solution.
    assert!(obeying >> lane & 1 == 1 && agrees, "{solution:?} is no solution of {givens:?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};
    use crate::solver::GuessLimit;
    use crate::solver::lanes::board::SweepResult;
    use crate::solver::lanes::tree::Settled;
    use crate::solver::learning::LearningSchedule;

    const LANES: usize = 3;

    const LIMITS: Limits =
        Limits { max_guesses: GuessLimit::Guesses(1000), max_time: None, solutions: 2, shown: 1 };

    /// A board whose puzzle is a range of leaves. A branch halves it: the lower half is searched
    /// first, or a random one.
    struct Leaves {
        rules: Rules,
        /// The leaves that are left in each lane, from the first up to but not including the
        /// second.
        ranges: [(u8, u8); LANES],
    }

    impl Board for Leaves {
        type Choice = u8;
        type Saved = (u8, u8);

        fn rules(&self, _lane: usize) -> &Rules {
            &self.rules
        }
        fn load<'a>(&mut self, _lanes: u32, _givens: impl Fn(usize) -> Givens<'a>) {}
        fn sweep(&mut self) -> SweepResult {
            unreachable!("tests decide what a sweep finds")
        }
        fn branch(
            &mut self,
            lane: usize,
            _conflict: Option<u8>,
            random: Option<&mut Random>,
            saved: &mut (u8, u8),
        ) -> u8 {
            let (from, to) = self.ranges[lane];
            let middle = from.midpoint(to);
            (self.ranges[lane], *saved) = match random.map(|random| random.below(2)) {
                Some(1) => ((middle, to), (from, middle)),
                _ => ((from, middle), (middle, to)),
            };
            middle
        }
        fn restore(&mut self, lane: usize, saved: &(u8, u8)) {
            self.ranges[lane] = *saved;
        }
        fn describe_open(&self, _lane: usize, _open: &mut OpenState) -> bool {
            false
        }
        fn read_solutions(&mut self, lanes: u32) -> u32 {
            lanes
        }
        fn copy_solution(&self, lane: usize, _givens: Givens<'_>, digits: &mut [u8]) -> bool {
            digits.fill(self.ranges[lane].0);
            true
        }
    }

    /// A puzzle with the given leaves, some of which are solutions. One lane or several search it.
    struct Puzzle<'a> {
        board: Leaves,
        searches: [LaneSearch<'a, Leaves>; LANES],
        solutions: Vec<u8>,
        limits: Limits,
        visited: Vec<u8>,
        /// The solutions that the first lane has reported one by one.
        reported: Vec<u8>,
    }

    impl Puzzle<'_> {
        fn new(leaves: u8, solutions: &[u8], seed: Option<u64>, limits: Limits) -> Puzzle<'static> {
            let boxes = Shape::boxes_of(4).unwrap();
            let rules = Rules::new(4, boxes, &Variants::default()).unwrap();
            let task = SearchTask {
                index: 7,
                givens: Givens::Digits(&[0; 16]),
                seed,
                max_guesses: limits.max_guesses.for_rules(&rules),
                schedule: LearningSchedule::NEVER,
                deadline: None,
            };
            let mut searches = std::array::from_fn(|_| LaneSearch::new(task));
            searches[0].begin(task);
            Puzzle {
                board: Leaves { rules, ranges: [(0, leaves); LANES] },
                searches,
                solutions: solutions.to_vec(),
                limits,
                visited: Vec::new(),
                reported: Vec::new(),
            }
        }

        /// Takes a branch or visits a leaf. Returns whether the lane's search goes on.
        fn step(&mut self) -> bool {
            let (search, board, limits) = (&mut self.searches[0], &mut self.board, self.limits);
            let report = &mut |_: Progress<'_>| ControlFlow::Continue(());
            let (from, to) = board.ranges[0];
            if to - from > 1 {
                return search.branch(board, 0, limits, report) == ControlFlow::Continue(true);
            }
            self.visit(0, false);
            self.searches[0].backtrack(&mut self.board, 0, limits)
        }

        /// Visits the leaf that is left in a lane.
        fn visit(&mut self, lane: usize, is_dive: bool) {
            let leaf = self.board.ranges[lane].0;
            self.visited.push(leaf);
            if self.solutions.contains(&leaf) {
                let reported = &mut self.reported;
                let report = &mut |progress: Progress<'_>| {
                    if let Progress::Solution(_, solution) = progress {
                        reported.push(solution[0]);
                    }
                    ControlFlow::Continue(())
                };
                let search = &mut self.searches[lane];
                if is_dive {
                    search.record_end_of_dive(&self.board, lane, u32::MAX, self.limits);
                    return;
                }
                let flow = search.record_solution(&self.board, lane, u32::MAX, self.limits, report);
                assert!(flow.is_continue());
            }
        }

        /// Returns what `found` returns, for the search of the first lane. It keeps the first
        /// solution only.
        fn found_alone(&self) -> (u64, u64, Vec<u8>) {
            let search = &self.searches[0];
            let first = search.shown(self.limits).map(|grid| grid[0]);
            let leaves = if self.limits.reports_solutions() {
                self.reported.clone()
            } else {
                Vec::from_iter(first)
            };
            (search.guesses, search.solutions, leaves)
        }

        /// Searches in several lanes, which take their steps at random. Returns what was found, and
        /// whether the limit was reached.
        fn search_shared(&mut self, random: &mut Random) -> ((u64, u64, Vec<u8>), bool) {
            // The first lane begins alone.
            for _ in 0..random.below(20) {
                if !self.step() {
                    let is_at_limit = self.searches[0].searched == Searched::Part;
                    return (self.found_alone(), is_at_limit);
                }
            }
            let mut tree = self.searches[0].become_tree(0, self.limits);
            let mut busy = 1;
            loop {
                let lane = random.below(LANES as u32) as usize;
                if busy >> lane & 1 == 0 {
                    let (searches, board) = (&mut self.searches, &mut self.board);
                    let task = tree.task;
                    busy |= tree.take_open(1 << lane, |lane, node, branch| {
                        board.restore(lane, &branch.saved);
                        searches[lane].dive_from(task, node, branch);
                    });
                    continue;
                }
                let (from, to) = self.board.ranges[lane];
                if to - from > 1 {
                    self.searches[lane].branch_in(&mut tree, &mut self.board, lane);
                    continue;
                }
                self.visit(lane, true);
                let search = &self.searches[lane];
                tree.end_dive(search.node, search.result(self.limits));
                busy &= !(1 << lane);
                match tree.settle(tree.task.max_guesses, self.limits.solutions) {
                    Settled::Pending => {}
                    Settled::Stopped(result) => return (found(&result, self.limits), true),
                    Settled::Ended(result, _) => return (found(&result, self.limits), false),
                }
            }
        }
    }

    /// Returns the number of branches and of solutions, and the leaves of the solutions that
    /// `limits` wants to see.
    fn found(outcome: &SearchResult, limits: Limits) -> (u64, u64, Vec<u8>) {
        let shown = &outcome.grids[..outcome.solutions.min(limits.shown) as usize];
        let leaves = shown.iter().map(|grid| grid[0]);
        (outcome.guesses, outcome.solutions, leaves.collect())
    }

    #[test]
    fn a_search_visits_each_leaf_once_and_in_order() {
        for leaves in 1..40 {
            let mut puzzle = Puzzle::new(leaves, &[], None, LIMITS);
            while puzzle.step() {}
            assert_eq!(puzzle.visited, (0..leaves).collect::<Vec<u8>>());
            let search = &puzzle.searches[0];
            assert_eq!(search.searched, Searched::Everything);
            let expected = (u64::from(leaves) - 1, 0, vec![]);
            assert_eq!(found(&search.result(LIMITS), LIMITS), expected);
        }
    }

    #[test]
    fn lanes_that_share_a_search_find_what_one_lane_finds() {
        let random = &mut Random::new(6);
        let mut numbers = [[0; 3]; 2];
        for n in 0..6000 {
            let leaves = 1 + random.below(60) as u8;
            let solutions: Vec<u8> =
                (0..n % 4).map(|_| random.below(leaves.into()) as u8).collect();
            let max_guesses = match n % 3 {
                0 => 1000,
                _ => 1 + u64::from(random.below(40)),
            };
            let limits = Limits { shown: n / 12 % 3, ..LIMITS.with_max_guesses(max_guesses) };
            let seed = (n % 2 == 1).then_some(n);
            let mut alone = Puzzle::new(leaves, &solutions, seed, limits);
            while alone.step() {}
            let expected = alone.found_alone();
            let is_at_limit =
                alone.searches[0].searched == Searched::Part && expected.1 < limits.solutions;
            let (result, is_stopped) =
                Puzzle::new(leaves, &solutions, seed, limits).search_shared(random);
            let what = format!("{leaves} leaves, {solutions:?}, {limits:?}");
            assert_eq!(result, expected, "{what}");
            if expected.1 < limits.solutions {
                assert_eq!(is_stopped, is_at_limit, "{what}");
            }
            numbers[usize::from(is_at_limit)][result.1 as usize] += 1;
        }
        assert!(numbers[0].iter().all(|&number| number > 300), "{numbers:?}");
        assert!(numbers[1][..2].iter().all(|&number| number > 300), "{numbers:?}");
    }
}
