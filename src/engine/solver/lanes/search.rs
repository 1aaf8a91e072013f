//! The search of one puzzle in its lane: branches and backtracks, records solutions, and returns
//! the result. `mod.rs` decides when each step happens.

use std::ops::ControlFlow;

use super::board::Board;
use super::counting::{Counts, DigitNames, KnownStates, OpenState, StateKey};
use super::roles::Role;
use super::tree::{Branch, FIRST_NODE, MAX_SHARED_SOLUTIONS, NodeId, SearchResult, SearchTree};
use crate::puzzle::Givens;
use crate::random::Random;
use crate::rules::Rules;
use crate::solver::learning::{Learnt, PausedSearch, SearchTask};
use crate::solver::limits::{Found, Limits, Progress, Report, Searched};

pub(super) struct LaneSearch<'a, B: Board> {
    /// The puzzle and the limits of its search. In a dive, the limits in the task of the tree hold
    /// instead. A count has no limit of guesses.
    pub task: SearchTask<'a>,
    kind: SearchKind,
    /// Chooses the order of the branches below the current state, if it is random.
    random: Option<Random>,
    /// The number of branches in use: this lane has not restored their other alternatives. Each is
    /// open or was given away. 0 in a dive, whose branches are nodes of the tree.
    depth: usize,
    /// The branches in use, `depth` of them, and then unused entries. `Board::branch` writes its
    /// saved state in place.
    // Tried: returning the saved state and copying it here. 5 % slower on hard input, because wide
    // loads waited for narrow stores.
    branches: Vec<Branch<B>>,
    /// The choice whose other alternatives this lane restored last: `conflict` of `Board::branch`.
    conflict: Option<B::Choice>,
    /// The number of guesses of this lane in its search, its current dive, or its part of a count.
    guesses: u64,
    pub solutions: u64,
    /// The first solution, if it was found by this lane and is shown.
    first: Vec<u8>,
    /// Scratch: a solution after the first, while it is reported.
    solution: Vec<u8>,
}

enum SearchKind {
    Alone {
        /// As `SearchResult::guesses_before`.
        guesses_before: [u64; MAX_SHARED_SOLUTIONS],
    },
    /// A dive from this node of a tree (see `tree.rs`).
    Dive { node: NodeId },
    Count {
        digit_names: DigitNames,
        /// The states whose solutions this lane is counting, the innermost last.
        states: Vec<CountedState>,
        /// How many of the branches in use were given away to other lanes: the earliest ones.
        given_away: usize,
    },
}

impl SearchKind {
    const NEW_ALONE: SearchKind = SearchKind::Alone { guesses_before: [0; MAX_SHARED_SOLUTIONS] };

    fn new_count(digit_names: DigitNames) -> SearchKind {
        SearchKind::Count { digit_names, states: Vec::new(), given_away: 0 }
    }
}

struct CountedState {
    key: StateKey,
    depth: usize,
    solutions_before: u64,
}

impl<'a, B: Board> LaneSearch<'a, B> {
    /// `task` is a placeholder, which `begin`, `dive_from` or `take_branch_from` replaces.
    pub fn new(task: SearchTask<'a>) -> LaneSearch<'a, B> {
        LaneSearch {
            task,
            kind: SearchKind::NEW_ALONE,
            random: None,
            depth: 0,
            branches: Vec::new(),
            conflict: None,
            guesses: 0,
            solutions: 0,
            first: Vec::new(),
            solution: Vec::new(),
        }
    }

    #[inline(always)]
    pub fn begin(&mut self, task: SearchTask<'a>) {
        self.start(SearchKind::NEW_ALONE, task, task.seed.map(Random::new), None);
    }

    #[inline(always)]
    fn start(
        &mut self,
        kind: SearchKind,
        task: SearchTask<'a>,
        random: Option<Random>,
        conflict: Option<B::Choice>,
    ) {
        // Allocates on the first call, not in `new`, so a lane that gets no puzzle costs little.
        self.first.resize(task.givens.cells(), 0);
        self.task = task;
        self.kind = kind;
        self.random = random;
        self.conflict = conflict;
        self.depth = 0;
        self.guesses = 0;
        self.solutions = 0;
    }

    pub fn role(&self) -> Role {
        match self.kind {
            SearchKind::Alone { .. } => Role::Alone,
            SearchKind::Dive { .. } => Role::Diving,
            SearchKind::Count { .. } => Role::Counting,
        }
    }

    #[inline(always)]
    pub fn node(&self) -> NodeId {
        let SearchKind::Dive { node } = self.kind else { unreachable!("the search is a dive") };
        node
    }

    #[inline(always)]
    pub fn open_branches(&self) -> usize {
        debug_assert!(self.depth <= self.branches.len());
        let SearchKind::Count { given_away, .. } = self.kind else { return self.depth };
        self.depth - given_away
    }

    /// The open branches become open nodes. The lane goes on with the first dive.
    pub fn become_tree(&mut self, lane: usize, limits: Limits) -> SearchTree<'a, B> {
        let mut tree = SearchTree::new(self.task, lane, self.result(limits));
        // From the earliest branch to the last. Each is added right after the first node, so the
        // last branch is taken first, as in one lane.
        for branch in &mut self.branches[..self.depth] {
            tree.add_open(FIRST_NODE, |of_node| std::mem::swap(of_node, branch));
        }
        self.depth = 0;
        self.kind = SearchKind::Dive { node: FIRST_NODE };
        // The tree has the findings so far, so the dive counts from 0.
        self.guesses = 0;
        self.solutions = 0;
        tree
    }

    /// The caller restores the state of the node on the board.
    #[inline(always)]
    pub fn dive_from(&mut self, task: SearchTask<'a>, node: NodeId, branch: &Branch<B>) {
        self.start(SearchKind::Dive { node }, task, branch.random.clone(), branch.choice);
    }

    #[inline(always)]
    pub fn branch_in(&mut self, tree: &mut SearchTree<'a, B>, board: &mut B, lane: usize) {
        self.guesses += 1;
        let node = self.node();
        let (conflict, random) = (self.conflict, self.random.as_mut());
        tree.add_open(node, |branch| branch.take(board, lane, conflict, random));
    }

    /// In a count: restores the other alternatives of the earliest open branch of another lane.
    pub fn take_branch_from(&mut self, donor: &mut LaneSearch<'a, B>, board: &mut B, lane: usize) {
        debug_assert!(donor.open_branches() > 0 && donor.random.is_none());
        let SearchKind::Count { digit_names, given_away, .. } = &mut donor.kind else {
            unreachable!("the donor counts");
        };
        let branch = &donor.branches[*given_away];
        self.start(SearchKind::new_count(*digit_names), donor.task, None, branch.choice);
        board.restore(lane, &branch.saved);
        *given_away += 1;
    }

    pub fn begin_count(&mut self, rules: &Rules, counts: &mut Counts, lane: usize) {
        debug_assert!(self.random.is_none());
        self.kind = SearchKind::new_count(DigitNames::for_puzzle(rules, self.task.givens));
        counts.begin(self.task.index, lane, &self.first, self.guesses, self.solutions);
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
        let SearchKind::Count { digit_names, states, .. } = &mut self.kind else {
            unreachable!("the search is a count");
        };
        let describe = |open: &mut OpenState| board.describe_open(lane, open);
        let key = known.key(self.task.index, *digit_names, describe)?;
        let solutions = known.get(key);
        if solutions.is_none() {
            states.push(CountedState { key, depth: self.depth, solutions_before: self.solutions });
        }
        solutions
    }

    /// Called before the lane backtracks: remembers the number of solutions of each state whose
    /// search is complete. These are the states below which no branch is in use, so that their
    /// depth is at least `self.depth`. If a branch below a state was given away, it stays in use,
    /// and the state is never remembered: another lane counts the solutions of the branch.
    #[inline(always)]
    pub fn remember_states(&mut self, known: &mut KnownStates) {
        let SearchKind::Count { states, given_away, .. } = &mut self.kind else {
            unreachable!("the search is a count");
        };
        while let Some(state) = states.pop_if(|state| state.depth >= self.depth) {
            debug_assert!(state.depth >= *given_away, "no branch below was given away");
            known.insert(state.key, self.solutions - state.solutions_before);
        }
    }

    #[inline(always)]
    pub fn result(&self, limits: Limits) -> SearchResult {
        SearchResult {
            guesses: self.guesses,
            solutions: self.solutions,
            guesses_before: match self.kind {
                SearchKind::Alone { guesses_before } => guesses_before,
                // A dive ends at its first solution.
                SearchKind::Dive { .. } => [self.guesses; MAX_SHARED_SOLUTIONS],
                SearchKind::Count { .. } => unreachable!("`PuzzleCount` has the result of a count"),
            },
            grids: [self.shown(limits).unwrap_or_default().to_vec(), Vec::new()],
        }
    }

    #[inline(always)]
    pub fn is_at_stop(&self) -> bool {
        self.guesses >= self.task.schedule.next_stop(self.task.max_guesses)
            && !matches!(self.kind, SearchKind::Count { .. })
    }

    // Tried: a guess in each of two bands (or two stacks) at once, as these share no cell. 7 %
    // fewer sweeps for puzzles with many solutions, 6 to 8 % more for hard ones.
    #[inline(always)]
    pub fn branch(&mut self, board: &mut B, lane: usize, limits: Limits) {
        debug_assert!(self.solutions < limits.solutions && !self.is_at_stop());
        self.guesses += 1;
        if self.depth == self.branches.len() {
            self.branches.push(Branch::default());
        }
        let branch = &mut self.branches[self.depth];
        branch.take(board, lane, self.conflict, self.random.as_mut());
        self.depth += 1;
    }

    /// At a pause, clause learning gets a try. Returns how much was searched if the search ends.
    pub fn resume(
        &mut self,
        rules: &Rules,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<(), Option<Searched>> {
        if self.guesses < self.task.max_guesses {
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
            self.guesses = search.guesses;
            if let Some(answer) = &answer {
                self.take_answer(answer, known.is_some(), limits, report)?;
                return ControlFlow::Continue(Some(answer.searched));
            }
        }
        let is_at_limit = self.guesses >= self.task.max_guesses;
        ControlFlow::Continue(is_at_limit.then_some(Searched::Part))
    }

    #[inline(always)]
    fn shown(&self, limits: Limits) -> Option<&[u8]> {
        (self.solutions.min(limits.shown) > 0).then_some(&self.first)
    }

    /// `has_first` is true if the first solution was known, so that clause learning excluded it.
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
        // Not the sum, as in `Lanes::try_learning`.
        self.solutions = self.solutions.max(found);
        ControlFlow::Continue(())
    }

    /// Also sets the limit of guesses that holds after the solution. `obeying` is the mask that
    /// `Board::read_solutions` returned for the lanes with shown solutions, or 0 without any.
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
        if let SearchKind::Alone { guesses_before } = &mut self.kind
            && let Some(guesses) = guesses_before.get_mut(self.solutions as usize)
        {
            *guesses = self.guesses;
        }
        self.solutions += 1;
        // If at most two are wanted, the limit does not change.
        if limits.solutions > 2 {
            let rules = board.rules(lane);
            let limit = &mut self.task.max_guesses;
            *limit = limits.max_guesses_after_solution(rules, self.guesses, *limit);
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

    /// The solution is not reported before the tree ends. `obeying` is as for `record_solution`.
    #[inline(always)]
    pub fn record_end_of_dive(&mut self, board: &B, lane: usize, obeying: u32, limits: Limits) {
        debug_assert_eq!(self.solutions, 0, "a dive ends at its first solution");
        self.solutions = 1;
        if limits.shown > 0 {
            read_solution(board, lane, obeying, self.task.givens, &mut self.first);
        }
    }

    /// Returns how much was searched if the search has ended.
    #[inline(always)]
    pub fn backtrack(&mut self, board: &mut B, lane: usize, limits: Limits) -> Option<Searched> {
        if self.solutions >= limits.solutions {
            return Some(Searched::Part);
        }
        if self.open_branches() == 0 {
            return Some(Searched::Everything);
        }
        self.depth -= 1;
        let branch = &self.branches[self.depth];
        self.conflict = branch.choice;
        self.random.clone_from(&branch.random);
        board.restore(lane, &branch.saved);
        None
    }

    #[inline(always)]
    pub fn found(&self, limits: Limits, searched: Searched) -> Found<'_> {
        limits.found(self.shown(limits), self.guesses, self.solutions, searched)
    }
}

/// `obeying` is the result of `Board::read_solutions` for lanes that include this one.
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

        /// Takes a branch or visits a leaf. Returns how much was searched if the lane's search
        /// ends.
        fn step(&mut self) -> Option<Searched> {
            let (search, board, limits) = (&mut self.searches[0], &mut self.board, self.limits);
            let report = &mut |_: Progress<'_>| ControlFlow::Continue(());
            let (from, to) = board.ranges[0];
            if to - from > 1 {
                if search.is_at_stop()
                    && let ControlFlow::Continue(Some(searched)) =
                        search.resume(&board.rules, limits, report)
                {
                    return Some(searched);
                }
                search.branch(board, 0, limits);
                return None;
            }
            self.visit(0, false);
            self.searches[0].backtrack(&mut self.board, 0, limits)
        }

        /// Searches in the first lane only. Returns how much was searched.
        fn search_alone(&mut self) -> Searched {
            std::iter::repeat_with(|| self.step()).find_map(|ended| ended).expect("an end")
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
                if let Some(searched) = self.step() {
                    return (self.found_alone(), searched == Searched::Part);
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
                tree.end_dive(search.node(), search.result(self.limits));
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
            assert_eq!(puzzle.search_alone(), Searched::Everything);
            assert_eq!(puzzle.visited, (0..leaves).collect::<Vec<u8>>());
            let search = &puzzle.searches[0];
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
            let searched = alone.search_alone();
            let expected = alone.found_alone();
            let is_at_limit = searched == Searched::Part && expected.1 < limits.solutions;
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
