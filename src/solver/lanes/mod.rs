//! The main loop of the vector solver: fills lanes with puzzles, sweeps, branches, backtracks, and retires answered puzzles.
//!
//! The work of a lane depends only on its puzzle. The results therefore do not depend on the machine or on the other puzzles.

pub(super) mod board;
mod search;
mod sharing;

use std::ops::{ControlFlow, Range};

use super::deadline::{Deadline, thread_time};
use super::limits::branches_in_lanes;
use super::limits::{Limits, Progress};
use super::simd::{Job, Simd};
use crate::puzzle::Puzzles;
use board::{Board, NewBoard, bits};
use search::LaneSearch;
use sharing::{MOST_SOLUTIONS, Sharing};

/// The puzzles of one call of the solver.
pub(crate) struct Work<'a, N> {
    puzzles: Puzzles<'a>,
    boards: N,
    limits: Limits,
    report: &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
}

impl<'a, N> Work<'a, N> {
    pub fn new(
        puzzles: Puzzles<'a>,
        boards: N,
        limits: Limits,
        report: &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> Work<'a, N> {
        Work {
            puzzles,
            boards,
            limits,
            report,
        }
    }
}

/// Sweeps between two reports of progress: a few hundred microseconds for 9x9, a few milliseconds for 25x25. A power of two,
/// because it serves as a mask.
const SWEEPS_PER_REPORT: u32 = 256;
/// The same if time is limited.
const SWEEPS_PER_CLOCK_READ: u32 = 16;

// Tried: sweeping two groups of lanes alternately to hide store latency. 2 % slower on easy input, 20 % on short slices.
impl<S: Simd, N: NewBoard<S>> Job<S> for Work<'_, N> {
    type Answer = ControlFlow<()>;

    #[inline(always)]
    fn run(self, s: S) -> ControlFlow<()> {
        if self.puzzles.number(self.boards.cells()) == 0 {
            return ControlFlow::Continue(());
        }
        let mut lanes = Lanes::new(s, self);
        let mut sweeps = 0u32;
        let sweeps_per_report = match lanes.limits.max_time {
            None => SWEEPS_PER_REPORT,
            Some(_) => SWEEPS_PER_CLOCK_READ,
        };
        while lanes.fill() {
            lanes.share();
            if cfg!(debug_assertions) {
                lanes.check_masks();
            }
            let result = lanes.board.sweep();
            sweeps = sweeps.wrapping_add(1);
            let is_due = sweeps & (sweeps_per_report - 1) == 0;
            let solved = lanes.busy & result.solved;
            let contradiction = lanes.busy & result.contradiction;
            let stuck = lanes.busy & !(result.changed | solved | contradiction);
            debug_assert_eq!(solved & contradiction, 0);
            let solved = solved & !lanes.waiting_for_others(solved);
            lanes.branch(stuck)?;
            lanes.record_solutions(solved)?;
            lanes.backtrack(solved | contradiction)?;
            if is_due {
                lanes.report_at_work()?;
            }
        }
        ControlFlow::Continue(())
    }
}

/// The searches of all lanes.
struct Lanes<'a, B: Board> {
    board: B,
    searches: Vec<LaneSearch<'a, B>>,
    every_lane: u32,
    /// Mask of lanes that hold a puzzle.
    busy: u32,
    /// Mask of lanes with open branches.
    branched: u32,
    /// Mask of lanes whose next solution must be read.
    wants_solution: u32,
    /// Mask of lanes whose search has ended.
    free: u32,
    /// True if solved lanes waited for others in the last sweep.
    waited: bool,
    /// Combines the results of shared searches, if lanes may share.
    sharing: Option<Sharing>,
    puzzles: Puzzles<'a>,
    cells: usize,
    /// Indices of the puzzles that are in no lane yet.
    waiting: Range<usize>,
    limits: Limits,
    /// The number of branches after which the fallback runs or the search is at its limit.
    branch_budget: u64,
    report: &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
}

impl<'a, B: Board> Lanes<'a, B> {
    #[inline(always)]
    fn new<S: Simd, N: NewBoard<S, Board = B>>(s: S, work: Work<'a, N>) -> Lanes<'a, B> {
        let Work {
            puzzles,
            boards,
            limits,
            report,
        } = work;
        let cells = boards.cells();
        let lane_budget = branches_in_lanes(cells);
        let branch_budget = match limits.max_guesses {
            0 => lane_budget,
            limit => limit.min(lane_budget),
        };
        // A search stays in one lane if it ends at another limit, has a random order, or reports solutions as they are found.
        let may_share = limits.solutions <= MOST_SOLUTIONS as u64
            && !limits.reports_solutions()
            && puzzles.seeds.is_empty()
            // Parts cannot be combined if the time limit ended one of them.
            && limits.max_time.is_none()
            && !limits.are_reached_by(lane_budget);
        let every_lane = u32::MAX >> (32 - S::LANES);
        Lanes {
            board: boards.new_board(s),
            searches: (0..S::LANES)
                .map(|_| LaneSearch::new(puzzles.givens.of(0, cells), cells))
                .collect(),
            every_lane,
            busy: 0,
            branched: 0,
            wants_solution: 0,
            free: every_lane,
            waited: false,
            sharing: may_share.then(|| Sharing::new(limits.solutions, branch_budget)),
            puzzles,
            cells,
            waiting: 0..puzzles.number(cells),
            limits,
            branch_budget,
            report,
        }
    }

    /// Loads waiting puzzles into free lanes. Returns whether any lane is busy.
    #[inline(always)]
    fn fill(&mut self) -> bool {
        if self.free != 0 {
            self.board.clear(self.free);
            self.busy &= !self.free;
            self.branched &= !self.free;
            let mut fresh = 0;
            let deadline = Deadline::from_now(self.limits);
            for lane in bits(self.free) {
                let Some(index) = self.waiting.next() else {
                    break;
                };
                self.board.assign(lane, index);
                let givens = self.puzzles.givens.of(index, self.cells);
                let seed = self.puzzles.seeds.get(index).copied();
                self.searches[lane].begin(index, givens, seed, self.branch_budget);
                self.searches[lane].deadline = deadline;
                fresh |= 1 << lane;
            }
            let searches = &self.searches;
            self.board.load(fresh, |lane| searches[lane].givens);
            self.mark_busy(fresh);
            self.free = 0;
        }
        self.busy != 0
    }

    /// Asserts what holds before each sweep.
    fn check_masks(&self) {
        debug_assert_eq!(self.free, 0, "free lanes are filled or idle");
        debug_assert_eq!(self.busy & !self.every_lane, 0);
        debug_assert_eq!(self.branched & !self.busy, 0);
        debug_assert!(self.wants_solution == 0 || self.limits.shown > 0);
        for lane in bits(self.busy) {
            let search = &self.searches[lane];
            let has_branches = search.open_branches() > 0;
            debug_assert_eq!(self.branched >> lane & 1 == 1, has_branches, "lane {lane}");
            debug_assert!(
                search.index < self.waiting.start,
                "its puzzle is no longer waiting"
            );
            debug_assert!(search.solutions < self.limits.solutions);
            debug_assert_eq!(search.deadline.is_some(), self.limits.max_time.is_some());
            debug_assert!(!search.shared || self.sharing.is_some());
        }
    }

    /// Returns whether no busy lane has the same puzzle, unless both share it.
    fn is_alone_or_shared(&self, lane: usize) -> bool {
        let search = &self.searches[lane];
        bits(self.busy)
            .map(|other| &self.searches[other])
            .all(|other| search.index != other.index || (search.shared && other.shared))
    }

    /// Marks these lanes as busy.
    #[inline(always)]
    fn mark_busy(&mut self, lanes: u32) {
        debug_assert_eq!(lanes & self.busy, 0);
        debug_assert!(
            bits(lanes).all(|lane| self.is_alone_or_shared(lane)),
            "a lane has the puzzle of another"
        );
        self.busy |= lanes;
        if self.limits.shown > 0 {
            self.wants_solution |= lanes;
        }
    }

    /// Gives idle lanes open branches of busy ones, starting with the search that has the most open branches.
    #[inline(always)]
    fn share(&mut self) {
        if self.busy == self.every_lane {
            return;
        }
        let Some(sharing) = &mut self.sharing else {
            return;
        };
        let mut helpers = 0;
        for lane in bits(self.every_lane & !self.busy) {
            let branched = bits(self.branched);
            let Some(donor) = branched.max_by_key(|&lane| self.searches[lane].open_branches())
            else {
                break;
            };
            let Ok([helper, search]) = self.searches.get_disjoint_mut([lane, donor]) else {
                unreachable!("an idle lane has no branches");
            };
            sharing.share_branch(search.index, donor, lane);
            self.board.assign(lane, search.index);
            helper.take_branch_from(search, &mut self.board, lane);
            helpers |= 1 << lane;
            self.branched &= !(u32::from(search.open_branches() == 0) << donor);
        }
        self.mark_busy(helpers);
    }

    /// Returns the solved lanes that wait one sweep for others. Waiting saves time, because reading and loading many lanes
    /// takes little longer than reading and loading one. Only lanes without open branches wait.
    // Tried: waiting two sweeps, or only if several are solved, or until the waiting costs as much as reading and loading.
    // All within 3 %.
    #[inline(always)]
    fn waiting_for_others(&mut self, solved: u32) -> u32 {
        debug_assert_eq!(solved & !self.busy, 0);
        let ended = solved & (self.wants_solution | !self.branched);
        let few = ended.count_ones() < self.every_lane.count_ones() / 2;
        self.waited = few && !self.waited && ended != 0 && ended != self.busy;
        if self.waited { ended } else { 0 }
    }

    /// Takes a branch in each of these lanes, or ends its search.
    // Tried: letting a few stuck lanes wait too. 1 to 2 % faster, but another sweep can still change them, so the result would
    // depend on the other lanes.
    #[inline(always)]
    fn branch(&mut self, stuck: u32) -> ControlFlow<()> {
        debug_assert_eq!(stuck & !self.busy, 0);
        if stuck != 0 {
            self.board.prepare_branches();
        }
        self.branched |= stuck;
        for lane in bits(stuck) {
            let is_free = self.free >> lane & 1 == 1;
            let search = &mut self.searches[lane];
            if !is_free && !search.branch(&mut self.board, lane, self.limits, self.report)? {
                // Retires the lane before the next one branches, because the fallback of the next lane may take long.
                self.free |= self.retire(lane)?;
            }
            if self.limits.max_time.is_some() {
                self.postpone_others(lane);
            }
        }
        ControlFlow::Continue(())
    }

    /// Moves the deadlines of other lanes by the time that the fallback of one lane took.
    #[cold]
    #[inline(never)]
    fn postpone_others(&mut self, lane: usize) {
        let fallback_time = std::mem::take(&mut self.searches[lane].fallback_time);
        if fallback_time.is_zero() {
            return;
        }
        let others = bits(self.every_lane & !(1 << lane));
        for other in others {
            if let Some(deadline) = &mut self.searches[other].deadline {
                deadline.postpone(fallback_time);
            }
        }
    }

    /// Reports that the solver is still at work, and ends the searches whose time is up.
    #[cold]
    #[inline(never)]
    fn report_at_work(&mut self) -> ControlFlow<()> {
        let begin = self.limits.max_time.map(|_| thread_time());
        (self.report)(Progress::AtWork)?;
        let Some(begin) = begin else {
            return ControlFlow::Continue(());
        };
        let now = thread_time();
        for lane in bits(self.busy & !self.free) {
            let search = &mut self.searches[lane];
            let deadline = search.deadline.as_mut().expect("time is limited");
            deadline.postpone(now - begin);
            if deadline.is_past_at(now) {
                self.free |= self.retire(lane)?;
            }
        }
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn record_solutions(&mut self, solved: u32) -> ControlFlow<()> {
        let keep_rules = match solved & self.wants_solution {
            0 => 0,
            read => self.board.read_solutions(read),
        };
        for lane in bits(solved) {
            let search = &mut self.searches[lane];
            search.record_solution(&self.board, lane, keep_rules, self.limits, self.report)?;
            self.wants_solution &= !(u32::from(search.solutions >= self.limits.shown) << lane);
        }
        ControlFlow::Continue(())
    }

    /// Backtracks in each of these lanes, or ends its search.
    #[inline(always)]
    fn backtrack(&mut self, lanes: u32) -> ControlFlow<()> {
        let retired = self.free;
        debug_assert_eq!(lanes & !self.busy, 0);
        for lane in bits(lanes) {
            let search = &mut self.searches[lane];
            let goes_on = search.backtrack(&mut self.board, lane, self.limits);
            self.free |= u32::from(!goes_on) << lane;
            self.branched &= !(u32::from(search.open_branches() == 0) << lane);
        }
        let mut ended = self.free & !retired;
        while ended != 0 {
            let lane = ended.trailing_zeros() as usize;
            let freed = self.retire(lane)?;
            self.free |= freed;
            ended &= !freed;
        }
        ControlFlow::Continue(())
    }

    /// Ends the search in a lane, and reports its puzzle unless other lanes still search it. Returns the lanes that are free.
    #[inline(always)]
    fn retire(&mut self, lane: usize) -> ControlFlow<(), u32> {
        let search = &mut self.searches[lane];
        let mut freed = 1 << lane;
        if search.shared {
            let sharing = self.sharing.as_mut().expect("puzzles that lanes share");
            let Some((outcome, others)) = sharing.end(search.index, lane, search.outcome()) else {
                return ControlFlow::Continue(freed);
            };
            debug_assert_eq!(others & !self.busy, 0);
            freed |= others;
            search.finish_shared(outcome, self.board.rules(lane), self.limits, self.report)?;
        }
        search.report(self.limits, self.report)?;
        ControlFlow::Continue(freed)
    }
}
