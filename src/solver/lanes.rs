//! Puzzles side by side: puts grids into lanes, sweeps, branches, backtracks, and retires what is answered. What a lane does
//! depends on its puzzle alone, so that answers are the same on every machine, whatever stands beside it.

use super::random::Random;
use super::search::Search;
use super::shared::{MOST_SOLUTIONS, Sharing};
use super::simd::{Job, Simd};
use super::{Givens, Limits, Progress, Puzzles};
use crate::rules::Rules;

/// As many grids as a vector has lanes, and the deductions for their rules.
///
/// What a sweep or a branch does to a lane depends on what stands in that lane alone.
pub(crate) trait Board {
    /// What a branch is about: where it failed last, it is tried first.
    type Choice: Copy;
    /// What is kept of a lane to go another way later.
    type Kept: Default;

    /// The rules of the puzzle in a lane.
    fn rules(&self, lane: usize) -> &Rules;
    /// Makes lanes blank. A blank lane never ends.
    fn clear(&mut self, lanes: u32);
    /// Tells which puzzle a lane is to hold, before it is loaded.
    fn expect(&mut self, _lane: usize, _index: usize) {}
    /// Puts a puzzle into each of these blank lanes. Other lanes have some puzzle too, which is not to be looked at.
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>);
    /// One round of deductions.
    fn sweep(&mut self) -> Swept;
    /// Weighs what there is to branch on, for all lanes at once; called before lanes branch.
    fn weigh(&mut self);
    /// Goes one of the ways in which a settled lane can go on, and keeps the others. Which way comes first is fixed, or
    /// drawn.
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Self::Choice>,
        random: Option<&mut Random>,
        kept: &mut Self::Kept,
    ) -> Self::Choice;
    /// Goes the ways that were kept, in that lane or in another that expects the same puzzle.
    fn take_up(&mut self, lane: usize, kept: &Self::Kept);
    /// Reads the digits of these solved lanes, and tells in which of them they keep all rules.
    fn read_solutions(&mut self, lanes: u32) -> u32;
    /// Copies the digits that were read last of a lane, and tells whether they keep the givens of its puzzle.
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool;
}

/// What a sweep found, a bit for each lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept {
    /// Some cell lost a candidate.
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

// Not done: two groups of lanes swept in turn, so that the stores of one settle while the other sweeps. One group is 2 %
// faster on easy input, 20 % on short slices: stores settle anyway while branches are chosen.
impl<S: Simd, B: Board, N: FnOnce(S) -> B> Job<S> for Work<'_, N> {
    type Answer = ();

    #[inline(always)]
    fn run(self, s: S) {
        let Work {
            puzzles: given,
            cells,
            limits,
            new_board,
            report,
        } = self;
        let mut waiting = 0..given.number(cells);
        if waiting.is_empty() {
            return;
        }
        let stubborn = STUBBORN / cells as u64;
        let pause = match limits.max_guesses {
            0 => stubborn,
            limit => limit.min(stubborn),
        };
        // What else ends a search, or draws, or tells before the end, needs one lane from start to end.
        let may_share = limits.solutions <= MOST_SOLUTIONS as u64
            && !limits.tell_solutions()
            && given.seeds.is_empty()
            && !limits.are_reached_by(stubborn);
        let mut sharing = may_share.then(|| Sharing::new(limits.solutions, pause));
        let mut board = new_board(s);
        let mut searches: Vec<Search<'_, B>> = (0..S::LANES)
            .map(|_| Search::new(given.givens.of(0, cells), cells))
            .collect();
        // Bit l: lane l holds a puzzle; one in the midst of branches; one with fewer solutions than are to be shown.
        let mut busy = 0;
        let mut branched = 0;
        let mut to_show = 0;
        let mut sweeps = 0u32;
        let every_lane = u32::MAX >> (32 - S::LANES);
        let mut free = every_lane;
        // Whether solved lanes have waited for others.
        let mut waited = false;
        loop {
            if free != 0 {
                board.clear(free);
                busy &= !free;
                branched &= !free;
                let mut fresh = 0;
                for lane in bits(free) {
                    let Some(index) = waiting.next() else {
                        break;
                    };
                    board.expect(lane, index);
                    let seed = given.seeds.get(index).copied();
                    searches[lane].begin(index, given.givens.of(index, cells), seed, pause);
                    fresh |= 1 << lane;
                }
                board.load(fresh, |lane| searches[lane].givens);
                busy |= fresh;
                if limits.shown > 0 {
                    to_show |= fresh;
                }
                free = 0;
            }
            if busy != every_lane {
                if busy == 0 {
                    return;
                }
                if let Some(sharing) = &mut sharing {
                    let idle = every_lane & !busy;
                    let helpers = share(&mut board, &mut searches, idle, &mut branched, sharing);
                    busy |= helpers;
                    if limits.shown > 0 {
                        to_show |= helpers;
                    }
                }
            }
            let swept = board.sweep();
            sweeps = sweeps.wrapping_add(1);
            if sweeps.is_multiple_of(SWEEPS_A_REPORT) {
                report(Progress::AtWork);
            }
            let mut solved = busy & swept.solved;
            let contradiction = busy & swept.contradiction;
            let settled = busy & !(swept.changed | solved | contradiction);
            // Solved lanes stay so. Those that have nothing to go back to wait a sweep for others: it takes little longer to
            // read and to load many together. Not done: two sweeps, or one only where several are solved; within 3 %.
            let ended = solved & (to_show | !branched);
            let few = ended.count_ones() < S::LANES as u32 / 2;
            waited = few && !waited && ended != 0 && ended != busy;
            if waited {
                solved &= !ended;
            }
            // Not done: a few settled lanes wait as well. 1 to 2 % faster, but another sweep may change them after all: what is
            // found would depend on who stands beside.
            if settled != 0 {
                board.weigh();
            }
            branched |= settled;
            for lane in bits(settled) {
                if free >> lane & 1 == 0 && !searches[lane].branch(&mut board, lane, limits, report)
                {
                    // At once: those beside it may be stubborn too, and take their time.
                    free |= retire(&board, &mut searches, lane, &mut sharing, limits, report);
                }
            }
            let keep_rules = match solved & to_show {
                0 => 0,
                read => board.read_solutions(read),
            };
            for lane in bits(solved) {
                let keeps_rules = keep_rules >> lane & 1 == 1;
                let search = &mut searches[lane];
                search.note_solution(&board, lane, keeps_rules, limits, report);
                to_show &= !(u32::from(search.solutions >= limits.shown) << lane);
            }
            let retired = free;
            for lane in bits(solved | contradiction) {
                let search = &mut searches[lane];
                let goes_on = search.backtrack(&mut board, lane, limits);
                free |= u32::from(!goes_on) << lane;
                branched &= !(u32::from(search.open_branches() == 0) << lane);
            }
            let mut ended = free & !retired;
            while ended != 0 {
                let lane = ended.trailing_zeros() as usize;
                let freed = retire(&board, &mut searches, lane, &mut sharing, limits, report);
                free |= freed;
                ended &= !freed;
            }
        }
    }
}

/// Lets idle lanes take over branches, those first in which most is likely to be left. Returns the lanes that did.
#[inline(always)]
fn share<B: Board>(
    board: &mut B,
    searches: &mut [Search<'_, B>],
    idle: u32,
    branched: &mut u32,
    sharing: &mut Sharing,
) -> u32 {
    let mut helpers = 0;
    for lane in bits(idle) {
        let Some(giver) = bits(*branched).max_by_key(|&lane| searches[lane].open_branches()) else {
            break;
        };
        let Ok([helper, search]) = searches.get_disjoint_mut([lane, giver]) else {
            unreachable!("idle lanes have no branches");
        };
        sharing.hand_on(search.index, giver, lane);
        board.expect(lane, search.index);
        helper.take_over(search, board, lane);
        helpers |= 1 << lane;
        *branched &= !(u32::from(search.open_branches() == 0) << giver);
    }
    helpers
}

/// Ends the search in a lane, and tells of its puzzle unless others are still at it. Returns the lanes that are free.
#[inline(always)]
fn retire<B: Board>(
    board: &B,
    searches: &mut [Search<'_, B>],
    lane: usize,
    sharing: &mut Option<Sharing>,
    limits: Limits,
    report: &mut dyn FnMut(Progress<'_>),
) -> u32 {
    let search = &mut searches[lane];
    let mut freed = 1 << lane;
    if search.shared {
        let sharing = sharing.as_mut().expect("puzzles that lanes share");
        let Some((outcome, others)) = sharing.end(search.index, lane, search.outcome()) else {
            return freed;
        };
        freed |= others;
        search.conclude(outcome, board.rules(lane), limits, report);
    }
    search.tell(limits, report);
    freed
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
