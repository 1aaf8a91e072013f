//! Puzzles side by side: puts grids into lanes, sweeps, branches, backtracks, and retires what is answered; hands over
//! what is stubborn. What a lane does depends on its puzzle alone, so that answers are the same on every machine, whatever
//! stands beside it.

use super::random::Random;
use super::shared::{MOST_SOLUTIONS, Outcome, Sharing};
use super::simd::{Job, Simd};
use super::stubborn::Stubborn;
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
/// As many solutions are looked for where a puzzle is handed over. If it has more, and more are asked for, the lanes go on.
const FEW: u64 = 16;

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
        let mut puzzles: Vec<Puzzle<'_, B>> = (0..S::LANES)
            .map(|_| Puzzle::new(given.givens.of(0, cells), cells))
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
                    puzzles[lane].begin(index, given.givens.of(index, cells), seed, pause);
                    fresh |= 1 << lane;
                }
                board.load(fresh, |lane| puzzles[lane].givens);
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
                    let helpers = share(&mut board, &mut puzzles, idle, &mut branched, sharing);
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
                if free >> lane & 1 == 0 && !puzzles[lane].branch(&mut board, lane, limits, report)
                {
                    // At once: those beside it may be stubborn too, and take their time.
                    free |= retire(&board, &mut puzzles, lane, &mut sharing, limits, report);
                }
            }
            let keep_rules = match solved & to_show {
                0 => 0,
                read => board.read_solutions(read),
            };
            for lane in bits(solved) {
                let keeps_rules = keep_rules >> lane & 1 == 1;
                let puzzle = &mut puzzles[lane];
                puzzle.note_solution(&board, lane, keeps_rules, limits, report);
                to_show &= !(u32::from(puzzle.solutions >= limits.shown) << lane);
            }
            let retired = free;
            for lane in bits(solved | contradiction) {
                let puzzle = &mut puzzles[lane];
                let goes_on = puzzle.backtrack(&mut board, lane, limits);
                free |= u32::from(!goes_on) << lane;
                branched &= !(u32::from(puzzle.open_branches() == 0) << lane);
            }
            let mut ended = free & !retired;
            while ended != 0 {
                let lane = ended.trailing_zeros() as usize;
                let freed = retire(&board, &mut puzzles, lane, &mut sharing, limits, report);
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
    puzzles: &mut [Puzzle<'_, B>],
    idle: u32,
    branched: &mut u32,
    sharing: &mut Sharing,
) -> u32 {
    let mut helpers = 0;
    for lane in bits(idle) {
        let Some(giver) = bits(*branched).max_by_key(|&lane| puzzles[lane].open_branches()) else {
            break;
        };
        let Ok([helper, puzzle]) = puzzles.get_disjoint_mut([lane, giver]) else {
            unreachable!("idle lanes have no branches");
        };
        sharing.hand_on(puzzle.index, giver, lane);
        board.expect(lane, puzzle.index);
        helper.take_over(puzzle, board, lane);
        helpers |= 1 << lane;
        *branched &= !(u32::from(puzzle.open_branches() == 0) << giver);
    }
    helpers
}

/// Ends the search in a lane, and tells of its puzzle unless others are still at it. Returns the lanes that are free.
#[inline(always)]
fn retire<B: Board>(
    board: &B,
    puzzles: &mut [Puzzle<'_, B>],
    lane: usize,
    sharing: &mut Option<Sharing>,
    limits: Limits,
    report: &mut dyn FnMut(Progress<'_>),
) -> u32 {
    let puzzle = &mut puzzles[lane];
    let mut freed = 1 << lane;
    if puzzle.shared {
        let sharing = sharing.as_mut().expect("puzzles that lanes share");
        let Some((outcome, others)) = sharing.end(puzzle.index, lane, puzzle.outcome()) else {
            return freed;
        };
        freed |= others;
        puzzle.conclude(outcome, board.rules(lane), limits, report);
    }
    puzzle.tell(limits, report);
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

/// The search of the puzzle in one lane.
struct Puzzle<'a, B: Board> {
    index: usize,
    givens: Givens<'a>,
    /// What the order of branches is drawn from, if it is.
    random: Option<Random>,
    /// How many branches the search is in, and how many of them, the first, other lanes have taken over.
    depth: usize,
    handed_on: usize,
    /// Whether other lanes search for this puzzle too; and whether this one needs more branches than a lane takes.
    shared: bool,
    stubborn: bool,
    /// The branches; behind them room for more, written in place. As what a branch keeps came out of `branch` and was
    /// copied here, wide loads waited for narrow stores: 5 % of the time on hard input.
    branches: Vec<Branch<B>>,
    /// What failed last; the next branch tries it first ("last conflict").
    conflict: Option<B::Choice>,
    guesses: u64,
    /// At how many branches the puzzle is handed over, or the limit is reached.
    pause: u64,
    /// Nothing is left to search.
    exhausted: bool,
    solutions: u64,
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
    kept: B::Kept,
}

impl<'a, B: Board> Puzzle<'a, B> {
    fn new(givens: Givens<'a>, cells: usize) -> Puzzle<'a, B> {
        Puzzle {
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
            exhausted: false,
            solutions: 0,
            guesses_before: [0; MOST_SOLUTIONS],
            first: vec![0; cells],
            next: Vec::new(),
            solution: vec![0; cells],
        }
    }

    #[inline(always)]
    fn begin(&mut self, index: usize, givens: Givens<'a>, seed: Option<u64>, pause: u64) {
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
    fn open_branches(&self) -> usize {
        self.depth - self.handed_on
    }

    /// Takes over the branch of another lane to which that would have come last, where there is one.
    fn take_over(&mut self, giver: &mut Puzzle<'a, B>, board: &mut B, lane: usize) {
        self.begin(giver.index, giver.givens, None, giver.pause);
        let Branch { choice, kept } = &giver.branches[giver.handed_on];
        self.conflict = *choice;
        board.take_up(lane, kept);
        giver.handed_on += 1;
        giver.shared = true;
        self.shared = true;
    }

    /// What came of the search in this lane.
    fn outcome(&self) -> Outcome {
        Outcome {
            guesses: self.guesses,
            solutions: self.solutions,
            guesses_before: self.guesses_before,
            first: self.first.clone(),
            stubborn: self.stubborn,
        }
    }

    /// Ends a search that was shared.
    fn conclude(
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
    fn branch(
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
                kept: B::Kept::default(),
            });
        }
        let Branch { choice, kept } = &mut self.branches[self.depth];
        *choice = Some(board.branch(lane, self.conflict, self.random.as_mut(), kept));
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
        let findings = stubborn.solve((wanted - known) as usize, self.guesses, limits, &mut || {
            report(Progress::AtWork);
        });
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
    fn note_solution(
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
    fn backtrack(&mut self, board: &mut B, lane: usize, limits: Limits) -> bool {
        if self.solutions >= limits.solutions {
            return false;
        }
        if self.open_branches() == 0 {
            self.exhausted = true;
            return false;
        }
        self.depth -= 1;
        let Branch { choice, kept } = &self.branches[self.depth];
        self.conflict = *choice;
        board.take_up(lane, kept);
        true
    }

    /// Tells what was found out.
    #[inline(always)]
    fn tell(&self, limits: Limits, report: &mut dyn FnMut(Progress<'_>)) {
        let shown = self.solutions.min(limits.shown) > 0;
        let solution = shown.then_some(&self.first[..]);
        let found = limits.found(solution, self.guesses, self.solutions, self.exhausted);
        report(Progress::Found(self.index, found));
    }
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
