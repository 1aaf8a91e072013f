//! The main loop of the vector solver: fills lanes with puzzles, sweeps, branches, backtracks, and
//! reports results.
//!
//! A sweep or a branch in a lane depends only on the state of that lane, and lanes that share a
//! puzzle find what one lane would find. So, unless time is limited, the results do not depend on
//! the number of lanes, which differs between machines, or on the other puzzles.

pub(super) mod board;
pub(super) mod counting;
mod roles;
mod search;
mod tree;

use crate::bits::bits;
use std::ops::{ControlFlow, Range};
use std::time::Duration;

use super::deadline::{Deadline, thread_time};
use super::learning::{PausedSearch, SearchTask};
use super::limits::{GuessLimit, Limits, Progress, Report, Searched};
use super::simd::Simd;
use crate::puzzle::Puzzles;
use board::Board;
use counting::{Counts, PuzzleCount, SOLUTIONS_IN_ORDER};
use roles::{Role, Roles};
use search::LaneSearch;
use tree::{MAX_SHARED_SOLUTIONS, SearchResult, SearchTree, Settled};

pub(crate) struct Work<'a, N> {
    pub puzzles: Puzzles<'a>,
    /// The rules of the puzzles, with their tables. `solve` makes the board from them.
    pub boards: N,
    pub limits: Limits,
    pub report: Report<'a>,
}

/// Sweeps between two reports of progress: a few hundred microseconds for 9x9, a few milliseconds
/// for 25x25. A power of two, because this number minus 1 serves as a mask.
const SWEEPS_PER_REPORT: u32 = 256;
/// If time is limited: each report then also compares the clock with the deadlines.
const SWEEPS_PER_CLOCK_READ: u32 = 16;

impl<'a, N> Work<'a, N> {
    // Tried: sweeping two groups of lanes alternately to hide store latency. 2 % slower on easy
    // input, 20 % if there are few puzzles.
    #[inline(always)]
    pub fn solve<S: Simd, B: Board>(
        self,
        s: S,
        new_board: impl FnOnce(S, N) -> B,
    ) -> ControlFlow<()> {
        if self.puzzles.givens.cells() == 0 {
            return ControlFlow::Continue(());
        }
        // The lanes borrow the board, because moving it costs as much as solving an easy puzzle.
        let mut board = new_board(s, self.boards);
        let mut lanes = Lanes::new(S::LANES, &mut board, self.puzzles, self.limits, self.report);
        let mut sweeps = 0u32;
        let sweeps_per_report = match lanes.limits.max_time {
            None => SWEEPS_PER_REPORT,
            Some(_) => SWEEPS_PER_CLOCK_READ,
        };
        while lanes.fill() {
            lanes.share();
            if cfg!(debug_assertions) {
                lanes.check_roles();
            }
            let result = lanes.board.sweep();
            sweeps = sweeps.wrapping_add(1);
            let is_due = sweeps & (sweeps_per_report - 1) == 0;
            let busy = lanes.roles.busy();
            let solved = busy & result.solved;
            let contradiction = busy & result.contradiction;
            let stuck = busy & !(result.changed | solved | contradiction);
            debug_assert_eq!(solved & contradiction, 0);
            let shown = lanes.with_shown_solutions(solved);
            let solved = solved & !lanes.waiting_for_others(solved, shown);
            let known = lanes.count_known(stuck)?;
            lanes.branch(stuck & !known)?;
            lanes.record_solutions(solved, shown & solved)?;
            lanes.backtrack(solved | contradiction | known)?;
            if is_due {
                lanes.report_at_work()?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The searches of all lanes. After each `fill`, lanes are idle only if no puzzle waits for a lane.
struct Lanes<'a, 'b, B: Board> {
    board: &'b mut B,
    searches: Vec<LaneSearch<'a, B>>,
    roles: Roles,
    waited: bool,
    trees: Vec<SearchTree<'a, B>>,
    counts: Counts,
    /// The number of solutions after which a search becomes a count, which finds further solutions
    /// in any order. `u64::MAX` if no search becomes a count.
    solutions_in_order: u64,
    puzzles: Puzzles<'a>,
    cells: usize,
    /// Indices of the puzzles that are in no lane yet.
    waiting: Range<usize>,
    limits: Limits,
    /// The task of each search, apart from the puzzle, the seed and the deadline (see `fill`).
    task: SearchTask<'a>,
    report: Report<'a>,
}

impl<'a, 'b, B: Board> Lanes<'a, 'b, B> {
    #[inline(always)]
    fn new(
        lane_count: usize,
        board: &'b mut B,
        puzzles: Puzzles<'a>,
        limits: Limits,
        report: Report<'a>,
    ) -> Lanes<'a, 'b, B> {
        // A count (`counting.rs`) takes branches in another order, and fewer of them. So no search
        // becomes one if the user has limited the guesses, or if the order of branches is random.
        let may_count =
            !matches!(limits.max_guesses, GuessLimit::Guesses(_)) && puzzles.seeds.is_empty();
        let solutions_in_order =
            if may_count { limits.shown.max(SOLUTIONS_IN_ORDER) } else { u64::MAX };
        let cells = board.rules(0).cells();
        let task = SearchTask::new(board.rules(0), puzzles, 0, limits);
        Lanes {
            searches: (0..lane_count).map(|_| LaneSearch::new(task)).collect(),
            board,
            roles: Roles::all_idle(lane_count),
            waited: false,
            trees: Vec::new(),
            counts: Counts::default(),
            solutions_in_order,
            puzzles,
            cells,
            waiting: 0..puzzles.number(cells),
            limits,
            task,
            report,
        }
    }

    /// Returns false if the result of every puzzle is reported.
    #[inline(always)]
    fn fill(&mut self) -> bool {
        let idle = self.roles.lanes(Role::Idle);
        if idle != 0 && !self.waiting.is_empty() {
            let mut fresh = 0;
            self.task.deadline = Deadline::from_now(self.limits.max_time);
            for (lane, index) in bits(idle).zip(&mut self.waiting) {
                let givens = self.puzzles.givens.puzzle(index, self.cells);
                self.board.assign(lane, index, givens);
                self.searches[lane].begin(SearchTask {
                    index,
                    givens,
                    seed: self.puzzles.seeds.get(index).copied(),
                    ..self.task
                });
                fresh |= 1 << lane;
            }
            let searches = &self.searches;
            self.board.load(fresh, |lane| searches[lane].task.givens);
            self.roles.set(fresh, Role::Alone);
        }
        self.roles.busy() != 0 || !self.trees.is_empty()
    }

    fn check_roles(&self) {
        debug_assert!(self.roles.lanes(Role::Idle) == 0 || self.waiting.is_empty());
        for lane in bits(self.roles.busy()) {
            let search = &self.searches[lane];
            debug_assert!(self.roles.has(lane, search.role()), "lane {lane}");
            debug_assert!(search.task.index < self.waiting.start, "its puzzle is not waiting");
            debug_assert!(search.solutions < self.limits.solutions);
            let mut trees = self.trees.iter().filter(|tree| tree.lanes >> lane & 1 == 1);
            if self.roles.has(lane, Role::Diving) {
                let tree = trees.next().expect("a diving lane belongs to a tree");
                debug_assert_eq!(tree.task.index, search.task.index);
            } else {
                debug_assert_eq!(search.task.deadline.is_some(), self.limits.max_time.is_some());
            }
            debug_assert!(trees.next().is_none(), "a lane belongs to one tree at most");
        }
        for lane in bits(self.roles.lanes(Role::Alone)) {
            let index = self.searches[lane].task.index;
            let others = bits(self.roles.busy() & !(1 << lane));
            let mut others = others.map(|other| self.searches[other].task.index);
            debug_assert!(others.all(|other| other != index), "lane {lane} is not alone");
        }
    }

    #[inline(always)]
    fn share(&mut self) {
        if self.roles.lanes(Role::Idle) == 0 {
            return;
        }
        // If more solutions are wanted, a search stays in one lane until it becomes a count.
        if self.limits.solutions <= MAX_SHARED_SOLUTIONS as u64 {
            self.share_trees();
        } else if self.roles.lanes(Role::Counting) != 0 {
            self.share_counts();
        }
    }

    /// Gives open nodes to idle lanes: those of each tree first to the lanes that dived in it
    /// before, because its puzzle is already assigned to them. While lanes are still idle, turns
    /// the search with the most open branches into a tree, and gives its nodes too.
    // Tried: one puzzle alone dives on a board of one grid, in plain integers, and the lanes go on
    // from its branches at the first contradiction. Puzzles with several solutions took 0.45 of the
    // time, hard ones 1.22. Only if a band is decided after four guesses and no dive has failed:
    // 0.75 and 1.02, the hardest 1.04.
    #[inline(always)]
    fn share_trees(&mut self) {
        for tree in 0..self.trees.len() {
            self.take_nodes(tree, self.trees[tree].lanes & self.roles.lanes(Role::Idle));
        }
        let mut tree = 0;
        while self.roles.lanes(Role::Idle) != 0 {
            if tree == self.trees.len() && !self.begin_tree() {
                break;
            }
            self.take_nodes(tree, self.roles.lanes(Role::Idle));
            tree += 1;
        }
    }

    #[inline(always)]
    fn begin_tree(&mut self) -> bool {
        let Some(lane) = self.with_most_branches(Role::Alone) else {
            return false;
        };
        let tree = self.searches[lane].become_tree(lane, self.limits);
        self.trees.push(tree);
        self.roles.set(1 << lane, Role::Diving);
        true
    }

    #[inline(always)]
    fn with_most_branches(&self, role: Role) -> Option<usize> {
        let open_branches = |&lane: &usize| self.searches[lane].open_branches();
        let most = bits(self.roles.lanes(role)).max_by_key(open_branches);
        most.filter(|lane| open_branches(lane) > 0)
    }

    /// The lanes that get a node then belong to this tree and to no other.
    #[inline(always)]
    fn take_nodes(&mut self, tree_index: usize, lanes: u32) {
        let (searches, board) = (&mut self.searches, &mut *self.board);
        let tree = &mut self.trees[tree_index];
        let task = tree.task;
        let assigned = tree.lanes;
        let taken = tree.take_open(
            lanes,
            #[inline(always)]
            |lane, node, branch| {
                if assigned >> lane & 1 == 0 {
                    board.assign(lane, task.index, task.givens);
                }
                board.restore(lane, &branch.saved);
                searches[lane].dive_from(task, node, branch);
            },
        );
        if taken == 0 {
            return;
        }
        tree.lanes |= taken;
        for (index, other) in self.trees.iter_mut().enumerate() {
            if index != tree_index {
                other.lanes &= !taken;
            }
        }
        self.roles.set(taken, Role::Diving);
    }

    #[inline(always)]
    fn share_counts(&mut self) {
        for lane in bits(self.roles.lanes(Role::Idle)) {
            let Some(donor) = self.with_most_branches(Role::Counting) else {
                break;
            };
            let Ok([search, from]) = self.searches.get_disjoint_mut([lane, donor]) else {
                unreachable!("an idle lane has no branches");
            };
            let SearchTask { index, givens, .. } = from.task;
            self.counts.join(index, lane);
            self.board.assign(lane, index, givens);
            search.take_branch_from(from, self.board, lane);
            self.roles.set(1 << lane, Role::Counting);
        }
    }

    /// A shown solution must be read. A count shows none. A tree keeps the solution of each dive.
    #[inline(always)]
    fn with_shown_solutions(&self, solved: u32) -> u32 {
        let shown = self.limits.shown;
        let alone = bits(solved & self.roles.lanes(Role::Alone));
        let alone = alone.filter(|&lane| self.searches[lane].solutions < shown);
        let dives = if shown > 0 { solved & self.roles.lanes(Role::Diving) } else { 0 };
        mask(alone) | dives
    }

    /// Returns the solved lanes that wait one sweep, so that more lanes can be read and loaded
    /// together: many lanes take little longer than one. A lane gains by waiting only if its
    /// solution must be read (`shown`), or if it has no open branches, so that it can take another
    /// puzzle or node next. No lane waits if at least half of all lanes would gain by waiting.
    /// Waiting changes no result: a sweep changes nothing in a solved lane.
    #[inline(always)]
    fn waiting_for_others(&mut self, solved: u32, shown: u32) -> u32 {
        let at_end = bits(solved & !shown).filter(|&lane| self.searches[lane].open_branches() == 0);
        let gaining = shown | mask(at_end);
        let are_few = (gaining.count_ones() as usize) < self.searches.len() / 2;
        // Never two sweeps in a row. If every busy lane would wait, there is nothing to wait for.
        self.waited = are_few && !self.waited && gaining != 0 && gaining != self.roles.busy();
        if self.waited { gaining } else { 0 }
    }

    /// Adds the solutions below the state of each counting lane where their number is known, and
    /// returns these lanes, which can backtrack. The others begin to count below their states.
    #[inline(always)]
    fn count_known(&mut self, stuck: u32) -> ControlFlow<(), u32> {
        let mut counted = 0;
        let counting = stuck & self.roles.lanes(Role::Counting);
        if counting != 0 {
            self.board.prepare_open_states();
        }
        for lane in bits(counting) {
            let search = &mut self.searches[lane];
            if let Some(solutions) = search.solutions_below(self.board, lane, self.counts.known()) {
                counted |= 1 << lane;
                self.count(lane, solutions)?;
            }
        }
        ControlFlow::Continue(counted)
    }

    /// Reports the puzzle if no more solutions are wanted; its lanes are then idle.
    #[inline(always)]
    fn count(&mut self, lane: usize, solutions: u64) -> ControlFlow<()> {
        // The lane is idle if another lane has just ended the count.
        if !self.roles.has(lane, Role::Counting) {
            return ControlFlow::Continue(());
        }
        let search = &mut self.searches[lane];
        search.solutions = search.solutions.saturating_add(solutions);
        if let Some(count) = self.counts.add(search.task.index, solutions, self.limits.solutions) {
            self.report_count(&count, Searched::Part)?;
        }
        ControlFlow::Continue(())
    }

    #[cold]
    fn report_count(&mut self, count: &PuzzleCount, searched: Searched) -> ControlFlow<()> {
        self.roles.set(count.lanes, Role::Idle);
        let found = count.found(self.limits, searched);
        (self.report)(Progress::Found(count.index, found))
    }

    /// Dives always take a branch: `settle` checks the limits of their puzzle.
    // Tried: letting a few stuck lanes wait too. 1 to 2 % faster, but another sweep can still
    // change them, so the result would depend on the other lanes.
    #[inline(always)]
    fn branch(&mut self, stuck: u32) -> ControlFlow<()> {
        if stuck != 0 {
            self.board.prepare_branches();
        }
        let dives = stuck & self.roles.lanes(Role::Diving);
        for lane in bits(dives) {
            let tree = tree_of(&mut self.trees, lane);
            self.searches[lane].branch_in(tree, self.board, lane);
        }
        // Lanes in `stuck` are idle if `count_known` has just ended their count.
        for lane in bits(stuck & self.roles.busy() & !dives) {
            if !self.searches[lane].is_at_stop() || self.resume(lane)? {
                self.searches[lane].branch(self.board, lane, self.limits);
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns false if the search has ended: at its limit, or by clause learning.
    #[cold]
    #[inline(never)]
    fn resume(&mut self, lane: usize) -> ControlFlow<(), bool> {
        let begin = self.limits.max_time.map(|_| thread_time());
        let search = &mut self.searches[lane];
        let ended = search.resume(self.board.rules(lane), self.limits, self.report)?;
        // While the other lanes waited, the time counted for the puzzle of this lane only.
        if let Some(begin) = begin {
            self.postpone_others(Some(self.searches[lane].task.index), thread_time() - begin);
        }
        if let Some(searched) = ended {
            // Not later, because clause learning for the next lane may take long.
            self.retire(lane, searched)?;
        }
        ControlFlow::Continue(ended.is_none())
    }

    /// If there is an `index`, leaves out the puzzle with this index.
    #[cold]
    #[inline(never)]
    fn postpone_others(&mut self, index: Option<usize>, waited: Duration) {
        let of_lanes = self.searches.iter_mut().map(|search| &mut search.task);
        let of_trees = self.trees.iter_mut().map(|tree| &mut tree.task);
        for task in of_lanes.chain(of_trees) {
            if Some(task.index) != index
                && let Some(deadline) = &mut task.deadline
            {
                deadline.postpone(waited);
            }
        }
    }

    /// Also ends the searches whose time is up. The time of the report does not count.
    #[cold]
    #[inline(never)]
    fn report_at_work(&mut self) -> ControlFlow<()> {
        let begin = self.limits.max_time.map(|_| thread_time());
        (self.report)(Progress::AtWork)?;
        let Some(begin) = begin else {
            return ControlFlow::Continue(());
        };
        let now = thread_time();
        self.postpone_others(None, now - begin);
        self.end_late_searches(now)
    }

    /// `now` is a CPU time of the thread.
    fn end_late_searches(&mut self, now: Duration) -> ControlFlow<()> {
        let is_late = |task: &SearchTask<'_>| {
            let deadline = task.deadline.expect("time is limited");
            deadline.is_past_at(now)
        };
        for lane in bits(self.roles.busy() & !self.roles.lanes(Role::Diving)) {
            // A lane is idle if the count that it shared has just ended.
            if self.roles.has(lane, Role::Idle) || !is_late(&self.searches[lane].task) {
                continue;
            }
            if self.roles.has(lane, Role::Counting) {
                let count = self.counts.end(self.searches[lane].task.index);
                self.report_count(&count, Searched::Part)?;
            } else {
                self.retire(lane, Searched::Part)?;
            }
        }
        // From last to first: `end_tree` moves the last tree to the index of the removed one.
        for tree in (0..self.trees.len()).rev() {
            if is_late(&self.trees[tree].task) {
                let result = std::mem::take(&mut self.trees[tree].settled);
                self.end_tree(tree, &result, Searched::Part)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Does not report the solutions of dives: `end_tree` does. A search becomes a count at
    /// `solutions_in_order` solutions, if more are wanted.
    #[inline(always)]
    fn record_solutions(&mut self, solved: u32, shown: u32) -> ControlFlow<()> {
        for lane in bits(solved & self.roles.lanes(Role::Counting)) {
            self.count(lane, 1)?;
        }
        let obeying = if shown == 0 { 0 } else { self.board.read_solutions(shown) };
        for lane in bits(solved & self.roles.lanes(Role::Diving)) {
            self.searches[lane].record_end_of_dive(self.board, lane, obeying, self.limits);
        }
        for lane in bits(solved & self.roles.lanes(Role::Alone)) {
            let search = &mut self.searches[lane];
            search.record_solution(self.board, lane, obeying, self.limits, self.report)?;
            if search.solutions == self.solutions_in_order
                && search.solutions < self.limits.solutions
            {
                search.begin_count(self.board.rules(lane), &mut self.counts, lane);
                self.roles.set(1 << lane, Role::Counting);
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn backtrack(&mut self, lanes: u32) -> ControlFlow<()> {
        let dives = lanes & self.roles.lanes(Role::Diving);
        if dives != 0 {
            self.end_dives(dives)?;
        }
        for lane in bits(lanes & self.roles.lanes(Role::Counting)) {
            self.searches[lane].remember_states(self.counts.known());
        }
        // The lanes of `dives` are idle now, and so are those of a count that has just ended.
        for lane in bits(lanes & self.roles.busy()) {
            if let Some(searched) = self.searches[lane].backtrack(self.board, lane, self.limits) {
                self.retire(lane, searched)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Ends the search in a lane that does not dive. Reports its puzzle, unless other lanes still
    /// count the solutions of this puzzle.
    #[inline(always)]
    fn retire(&mut self, lane: usize, searched: Searched) -> ControlFlow<()> {
        let search = &self.searches[lane];
        let was_counting = self.roles.has(lane, Role::Counting);
        self.roles.set(1 << lane, Role::Idle);
        if was_counting {
            return match self.counts.leave(search.task.index, lane) {
                Some(count) => self.report_count(&count, searched),
                None => ControlFlow::Continue(()),
            };
        }
        let found = search.found(self.limits, searched);
        (self.report)(Progress::Found(search.task.index, found))
    }

    #[inline(always)]
    fn end_dives(&mut self, lanes: u32) -> ControlFlow<()> {
        for lane in bits(lanes) {
            let search = &self.searches[lane];
            tree_of(&mut self.trees, lane).end_dive(search.node(), search.result(self.limits));
        }
        self.roles.set(lanes, Role::Idle);
        // From last to first: `settle` can end a tree, and the last tree then takes its index.
        for tree in (0..self.trees.len()).rev() {
            self.settle(tree)?;
        }
        ControlFlow::Continue(())
    }

    /// Settles the ended dives at the front of a tree. Tries clause learning where a single lane
    /// would. Ends the tree and reports the puzzle if its search has ended.
    fn settle(&mut self, tree_index: usize) -> ControlFlow<()> {
        loop {
            let tree = &mut self.trees[tree_index];
            let limit = tree.task.max_guesses;
            let stop = tree.task.schedule.next_stop(limit);
            match tree.settle(stop, self.limits.solutions) {
                Settled::Pending => return ControlFlow::Continue(()),
                Settled::Ended(result, searched) => {
                    return self.end_tree(tree_index, &result, searched);
                }
                Settled::Stopped(result) if stop == limit => {
                    return self.end_tree(tree_index, &result, Searched::Part);
                }
                // If clause learning finds nothing, the loop settles the dives up to the next stop.
                Settled::Stopped(result) => {
                    if self.try_learning(tree_index, result)? {
                        return ControlFlow::Continue(());
                    }
                }
            }
        }
    }

    /// `paused` holds the findings up to the pause. If clause learning finds the result of the
    /// puzzle, ends the tree, reports the puzzle and returns true.
    #[cold]
    #[inline(never)]
    fn try_learning(
        &mut self,
        tree_index: usize,
        mut paused: SearchResult,
    ) -> ControlFlow<(), bool> {
        let begin = self.limits.max_time.map(|_| thread_time());
        let tree = &mut self.trees[tree_index];
        let lane = tree.lanes.trailing_zeros() as usize;
        let known = Some(&paused.grids[0][..]).filter(|first| !first.is_empty());
        let mut search = PausedSearch {
            rules: self.board.rules(lane),
            task: tree.task,
            guesses: paused.guesses,
            solutions: paused.solutions,
            known,
            limits: self.limits,
        };
        let answer = tree.task.schedule.try_learning(&mut search, self.report)?;
        let guesses = search.guesses;
        // Adds only the guesses that count for the conflicts of clause learning. The branches up to
        // the pause are added when their dives are settled.
        tree.settled.guesses += guesses - paused.guesses;
        if let Some(begin) = begin {
            let index = tree.task.index;
            self.postpone_others(Some(index), thread_time() - begin);
        }
        let Some(answer) = answer else {
            return ControlFlow::Continue(false);
        };
        let known = usize::from(known.is_some());
        paused.guesses = guesses;
        // Not the sum: clause learning excludes only the known solution, so its solutions can
        // include others that are already counted.
        let found = (known + answer.solutions.len()) as u64;
        paused.solutions = paused.solutions.max(found);
        for (grid, solution) in paused.grids[known..].iter_mut().zip(answer.solutions) {
            *grid = solution;
        }
        self.end_tree(tree_index, &paused, answer.searched)?;
        ControlFlow::Continue(true)
    }

    /// Reports the result of the puzzle. If solutions are reported one by one, first reports the
    /// shown ones that were not reported yet. The lanes of the tree become idle.
    #[cold]
    #[inline(never)]
    fn end_tree(
        &mut self,
        tree_index: usize,
        result: &SearchResult,
        searched: Searched,
    ) -> ControlFlow<()> {
        let ended = self.trees.swap_remove(tree_index);
        self.roles.set(ended.lanes & self.roles.lanes(Role::Diving), Role::Idle);
        let limits = self.limits;
        let shown = &result.grids[..result.solutions.min(limits.shown) as usize];
        if limits.reports_solutions() {
            for solution in shown.iter().skip(ended.found_before) {
                (self.report)(Progress::Solution(ended.task.index, solution))?;
            }
        }
        let first = shown.first().map(Vec::as_slice);
        let found = limits.found(first, result.guesses, result.solutions, searched);
        (self.report)(Progress::Found(ended.task.index, found))
    }
}

#[inline(always)]
fn tree_of<'t, 'a, B: Board>(
    trees: &'t mut [SearchTree<'a, B>],
    lane: usize,
) -> &'t mut SearchTree<'a, B> {
    let tree = trees.iter_mut().find(|tree| tree.lanes >> lane & 1 == 1);
    tree.expect("a diving lane belongs to a tree")
}

#[inline(always)]
fn mask(lanes: impl Iterator<Item = usize>) -> u32 {
    lanes.fold(0, |mask, lane| mask | 1 << lane)
}
