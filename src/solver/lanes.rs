//! Puzzles side by side: puts grids into lanes, sweeps, branches, backtracks, and retires what is answered. What a lane does
//! depends on its puzzle alone, so that answers are the same on every machine, whatever stands beside it.

use std::ops::Range;

use super::deadline::Deadline;
use super::random::Random;
use super::search::Search;
use super::shared::{MOST_SOLUTIONS, Sharing};
use super::simd::{Job, Simd};
use super::{Givens, Limits, Progress, Puzzles};
use crate::rules::Rules;
use crate::sys::thread_time;

/// As many grids as a vector has lanes, and the deductions for their rules.
///
/// What a sweep or a branch does to a lane depends on what stands in that lane alone.
pub(crate) trait Board {
    /// What a branch is about: where it failed last, it is tried first.
    type Choice: Copy;
    /// What is kept of a lane to go another way later.
    type Saved: Default;

    /// The rules of the puzzle in a lane.
    fn rules(&self, lane: usize) -> &Rules;
    /// Makes lanes blank. A blank lane never ends.
    fn clear(&mut self, lanes: u32);
    /// Tells which puzzle a lane is to hold, before it is loaded.
    fn expect(&mut self, _lane: usize, _index: usize) {}
    /// Puts a puzzle into each of these blank lanes. Other lanes have some puzzle too, which is not to be looked at.
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>);
    /// One round of deductions.
    fn sweep(&mut self) -> SweepResult;
    /// Weighs what there is to branch on, for all lanes at once; called before lanes branch.
    fn prepare_branches(&mut self);
    /// Goes one of the ways in which a settled lane can go on, and keeps the others. Which way comes first is fixed, or
    /// drawn.
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Self::Choice>,
        random: Option<&mut Random>,
        saved: &mut Self::Saved,
    ) -> Self::Choice;
    /// Goes the ways that were kept, in that lane or in another that expects the same puzzle.
    fn restore(&mut self, lane: usize, saved: &Self::Saved);
    /// Reads the digits of these solved lanes, and tells in which of them they keep all rules.
    fn read_solutions(&mut self, lanes: u32) -> u32;
    /// Copies the digits that were read last of a lane, and tells whether they keep the givens of its puzzle.
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool;
}

/// What a sweep found, a bit for each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepResult {
    /// Something was deduced that another sweep is to take up.
    pub changed: u32,
    /// There is no solution here.
    pub contradiction: u32,
    /// Every cell holds one digit. Not where there is a contradiction.
    pub solved: u32,
}

/// Puzzles to answer.
pub(crate) struct Work<'a, N> {
    pub puzzles: Puzzles<'a>,
    pub cells: usize,
    pub limits: Limits,
    /// Makes a board of blank lanes.
    pub new_board: N,
    pub report: &'a mut dyn FnMut(Progress<'_>),
}

/// How many branches times cells a puzzle takes in its lane before it is handed over: 512 branches of a 9x9, more than any
/// of some fifty thousand puzzles of public lists takes; few enough that a puzzle alone is answered within milliseconds.
/// The tests beside the code hand over whatever needs a few branches.
const STUBBORN: u64 = if cfg!(test) { 2 * 81 } else { 512 * 81 };

/// Some hundred microseconds of a 9x9, some milliseconds of a 25x25.
const SWEEPS_A_REPORT: u32 = 256;
/// The same where time is limited.
const SWEEPS_A_LOOK: u32 = 16;

// Not done: two groups of lanes swept in turn, so that the stores of one settle while the other sweeps. One group is 2 %
// faster on easy input, 20 % on short slices: stores settle anyway while branches are chosen.
impl<'a, S: Simd, B: Board, N: FnOnce(S) -> B> Job<S> for Work<'a, N> {
    type Answer = ();

    #[inline(always)]
    fn run(self, s: S) {
        if self.puzzles.number(self.cells) == 0 {
            return;
        }
        let mut lanes = Lanes::new(s, self);
        let mut sweeps = 0u32;
        let rounds = match lanes.limits.max_time {
            None => SWEEPS_A_REPORT,
            Some(_) => SWEEPS_A_LOOK,
        };
        while lanes.fill() {
            lanes.share();
            let swept = lanes.board.sweep();
            sweeps = sweeps.wrapping_add(1);
            let is_due = sweeps & (rounds - 1) == 0;
            let solved = lanes.busy & swept.solved;
            let contradiction = lanes.busy & swept.contradiction;
            let settled = lanes.busy & !(swept.changed | solved | contradiction);
            let solved = solved & !lanes.waiting_for_others(solved);
            lanes.branch(settled);
            lanes.note_solutions(solved);
            lanes.go_back(solved | contradiction);
            if is_due {
                lanes.report_at_work();
            }
        }
    }
}

/// Searches side by side.
struct Lanes<'a, B: Board> {
    board: B,
    searches: Vec<Search<'a, B>>,
    every_lane: u32,
    /// Bit l: lane l holds a puzzle; one in the midst of branches; one with fewer solutions than are to be shown.
    busy: u32,
    branched: u32,
    to_show: u32,
    /// Lanes whose search has ended.
    free: u32,
    /// Whether solved lanes have waited for others.
    waited: bool,
    /// What comes of searches that lanes share, where they may.
    sharing: Option<Sharing>,
    puzzles: Puzzles<'a>,
    cells: usize,
    /// Those that are in no lane yet.
    waiting: Range<usize>,
    limits: Limits,
    /// At how many branches a puzzle is handed over, or the limit is reached.
    pause: u64,
    report: &'a mut dyn FnMut(Progress<'_>),
}

impl<'a, B: Board> Lanes<'a, B> {
    #[inline(always)]
    fn new<S: Simd, N: FnOnce(S) -> B>(s: S, work: Work<'a, N>) -> Lanes<'a, B> {
        let Work {
            puzzles,
            cells,
            limits,
            new_board,
            report,
        } = work;
        let stubborn = STUBBORN / cells as u64;
        let pause = match limits.max_guesses {
            0 => stubborn,
            limit => limit.min(stubborn),
        };
        // What else ends a search, or draws, or tells before the end, needs one lane from start to end.
        let may_share = limits.solutions <= MOST_SOLUTIONS as u64
            && !limits.tell_solutions()
            && puzzles.seeds.is_empty()
            // Parts of a search cannot be put together where one was given up.
            && limits.max_time.is_none()
            && !limits.are_reached_by(stubborn);
        let every_lane = u32::MAX >> (32 - S::LANES);
        Lanes {
            board: new_board(s),
            searches: (0..S::LANES)
                .map(|_| Search::new(puzzles.givens.of(0, cells), cells))
                .collect(),
            every_lane,
            busy: 0,
            branched: 0,
            to_show: 0,
            free: every_lane,
            waited: false,
            sharing: may_share.then(|| Sharing::new(limits.solutions, pause)),
            puzzles,
            cells,
            waiting: 0..puzzles.number(cells),
            limits,
            pause,
            report,
        }
    }

    /// Puts puzzles that wait into free lanes. Whether any lane is busy.
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
                self.board.expect(lane, index);
                let givens = self.puzzles.givens.of(index, self.cells);
                let seed = self.puzzles.seeds.get(index).copied();
                self.searches[lane].begin(index, givens, seed, self.pause);
                self.searches[lane].deadline = deadline;
                fresh |= 1 << lane;
            }
            let searches = &self.searches;
            self.board.load(fresh, |lane| searches[lane].givens);
            self.take_in(fresh);
            self.free = 0;
        }
        self.busy != 0
    }

    /// These lanes have a search again.
    #[inline(always)]
    fn take_in(&mut self, lanes: u32) {
        self.busy |= lanes;
        if self.limits.shown > 0 {
            self.to_show |= lanes;
        }
    }

    /// Lets idle lanes take over branches, those first in which most is likely to be left.
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
            let Some(giver) = branched.max_by_key(|&lane| self.searches[lane].open_branches())
            else {
                break;
            };
            let Ok([helper, search]) = self.searches.get_disjoint_mut([lane, giver]) else {
                unreachable!("idle lanes have no branches");
            };
            sharing.hand_on(search.index, giver, lane);
            self.board.expect(lane, search.index);
            helper.take_over(search, &mut self.board, lane);
            helpers |= 1 << lane;
            self.branched &= !(u32::from(search.open_branches() == 0) << giver);
        }
        self.take_in(helpers);
    }

    /// Of solved lanes, which stay so, those that wait a sweep for others: it takes little longer to read and to load many
    /// together. They have nothing to go back to.
    // Not done: two sweeps, or one only where several are solved, or until the waiting costs as much as reading and loading;
    // within 3 %.
    #[inline(always)]
    fn waiting_for_others(&mut self, solved: u32) -> u32 {
        let ended = solved & (self.to_show | !self.branched);
        let few = ended.count_ones() < self.every_lane.count_ones() / 2;
        self.waited = few && !self.waited && ended != 0 && ended != self.busy;
        if self.waited { ended } else { 0 }
    }

    /// Takes a branch in each of these lanes, if it may take one more.
    // Not done: a few settled lanes wait as well. 1 to 2 % faster, but another sweep may change them after all: what is
    // found would depend on who stands beside.
    #[inline(always)]
    fn branch(&mut self, settled: u32) {
        if settled != 0 {
            self.board.prepare_branches();
        }
        self.branched |= settled;
        for lane in bits(settled) {
            let is_free = self.free >> lane & 1 == 1;
            let search = &mut self.searches[lane];
            if !is_free && !search.branch(&mut self.board, lane, self.limits, self.report) {
                // At once: those beside it may be stubborn too, and take their time.
                self.free |= self.retire(lane);
            }
            if self.limits.max_time.is_some() {
                self.excuse_others(lane);
            }
        }
    }

    /// Does not charge other lanes for time that a lane alone spent on clause learning.
    #[cold]
    #[inline(never)]
    fn excuse_others(&mut self, lane: usize) {
        let alone = std::mem::take(&mut self.searches[lane].alone);
        if alone.is_zero() {
            return;
        }
        let others = bits(self.every_lane & !(1 << lane));
        for other in others {
            if let Some(deadline) = &mut self.searches[other].deadline {
                deadline.postpone(alone);
            }
        }
    }

    /// Reports that the work goes on, and gives up the puzzles whose time is up.
    #[cold]
    #[inline(never)]
    fn report_at_work(&mut self) {
        let begin = self.limits.max_time.map(|_| thread_time());
        (self.report)(Progress::AtWork);
        let Some(begin) = begin else { return };
        let now = thread_time();
        for lane in bits(self.busy & !self.free) {
            let search = &mut self.searches[lane];
            let deadline = search.deadline.as_mut().expect("time is limited");
            deadline.postpone(now - begin);
            if deadline.is_past_at(now) {
                self.free |= self.retire(lane);
            }
        }
    }

    #[inline(always)]
    fn note_solutions(&mut self, solved: u32) {
        let keep_rules = match solved & self.to_show {
            0 => 0,
            read => self.board.read_solutions(read),
        };
        for lane in bits(solved) {
            let keeps_rules = keep_rules >> lane & 1 == 1;
            let search = &mut self.searches[lane];
            search.note_solution(&self.board, lane, keeps_rules, self.limits, self.report);
            self.to_show &= !(u32::from(search.solutions >= self.limits.shown) << lane);
        }
    }

    /// Goes back to the last branch in each of these lanes, or ends its search.
    #[inline(always)]
    fn go_back(&mut self, lanes: u32) {
        let retired = self.free;
        for lane in bits(lanes) {
            let search = &mut self.searches[lane];
            let goes_on = search.backtrack(&mut self.board, lane, self.limits);
            self.free |= u32::from(!goes_on) << lane;
            self.branched &= !(u32::from(search.open_branches() == 0) << lane);
        }
        let mut ended = self.free & !retired;
        while ended != 0 {
            let lane = ended.trailing_zeros() as usize;
            let freed = self.retire(lane);
            self.free |= freed;
            ended &= !freed;
        }
    }

    /// Ends the search in a lane, and tells of its puzzle unless others are still at it. Returns the lanes that are free.
    #[inline(always)]
    fn retire(&mut self, lane: usize) -> u32 {
        let search = &mut self.searches[lane];
        let mut freed = 1 << lane;
        if search.shared {
            let sharing = self.sharing.as_mut().expect("puzzles that lanes share");
            let Some((outcome, others)) = sharing.end(search.index, lane, search.outcome()) else {
                return freed;
            };
            freed |= others;
            search.conclude(outcome, self.board.rules(lane), self.limits, self.report);
        }
        search.tell(self.limits, self.report);
        freed
    }
}

/// The places of the bits that are set.
#[inline(always)]
pub(crate) fn bits(mut mask: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = mask.trailing_zeros() as usize;
        mask &= mask.wrapping_sub(1);
        (bit < 32).then_some(bit)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::{Found, Level, Method, Solver};
    use super::*;
    use crate::rules::{Shape, Variants};

    /// What is found of these lines' puzzles: status, solution, branches, number of solutions.
    fn found(solver: &Solver, lines: &[&str]) -> Vec<String> {
        let digits: Vec<u8> = lines
            .iter()
            .flat_map(|line| line.bytes())
            .map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' })
            .collect();
        let mut found = vec![String::new(); lines.len()];
        solver.solve(&digits, &mut |index, answer: Found<'_>| {
            found[index] = format!("{answer:?}");
        });
        found
    }

    #[test]
    fn a_puzzle_alone_is_answered_as_in_company_also_if_it_is_stubborn() {
        let boxes = Shape::boxes_of(9).unwrap();
        let rules = Arc::new(Rules::new(9, boxes, &Variants::default()).unwrap());
        let texts = ["hard", "many", "none"].map(|name| {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("data/bench");
            std::fs::read_to_string(folder.join(name).with_extension("txt")).unwrap()
        });
        let lines: Vec<&str> = texts
            .iter()
            .flat_map(|text| text.lines().take(40))
            .collect();
        for (solutions, shown) in [(2, 1), (2, 0), (1, 1)] {
            let limits = Limits {
                solutions,
                shown,
                ..Limits::default()
            };
            for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
                let solver = Solver::new(rules.clone(), Method::Lanes, limits).at(level);
                // No lane is idle before the last of these are answered.
                let crowd = found(&solver, &lines.repeat(2));
                for (line, of_crowd) in lines.iter().zip(&crowd) {
                    assert_eq!(&found(&solver, &[line])[0], of_crowd, "{line}");
                }
            }
        }
    }
}
