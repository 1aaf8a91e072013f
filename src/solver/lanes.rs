//! Puzzles side by side: puts grids into lanes, sweeps, branches, backtracks, and retires what is answered; hands over
//! what is stubborn. What a lane does depends on its puzzle alone, so that answers are the same on every machine, whatever
//! stands beside it.

use super::random::Random;
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
    /// Goes the ways that were kept.
    fn take_up(&mut self, lane: usize, kept: &Self::Kept);
    /// Reads the digits of these solved lanes, and tells in which of them they keep all rules.
    fn read_solutions(&mut self, lanes: u32) -> u32;
    /// Whether a solution keeps the givens of its puzzle.
    fn keeps(&self, givens: Givens<'_>, solution: &[u8]) -> bool {
        givens.are_kept_by(solution)
    }
    /// The digits that were read last of a lane.
    fn solution(&self, lane: usize, digits: &mut [u8]);
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
        let mut board = new_board(s);
        let mut puzzles: Vec<Puzzle<'_, B>> = (0..S::LANES)
            .map(|_| Puzzle::new(given.givens.of(0, cells), cells))
            .collect();
        // Bit l: lane l holds a puzzle; one in the midst of branches; one with fewer solutions than are to be shown.
        let mut busy = 0;
        let mut branched = 0;
        let mut to_show = 0;
        let mut sweeps = 0u32;
        let mut free = u32::MAX >> (32 - S::LANES);
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
            if busy == 0 {
                return;
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
            if settled != 0 {
                board.weigh();
            }
            branched |= settled;
            for lane in bits(settled) {
                if !puzzles[lane].branch(&mut board, lane, limits, report) {
                    // At once: those beside it may be stubborn too, and take their time.
                    puzzles[lane].retire(limits, report);
                    free |= 1 << lane;
                }
            }
            let retired = free;
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
            for lane in bits(solved | contradiction) {
                let puzzle = &mut puzzles[lane];
                let goes_on = puzzle.backtrack(&mut board, lane, limits);
                free |= u32::from(!goes_on) << lane;
                branched &= !(u32::from(puzzle.depth == 0) << lane);
            }
            for lane in bits(free & !retired) {
                puzzles[lane].retire(limits, report);
            }
        }
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

/// The search of the puzzle in one lane.
struct Puzzle<'a, B: Board> {
    index: usize,
    givens: Givens<'a>,
    /// What the order of branches is drawn from, if it is.
    random: Option<Random>,
    /// How many branches the search is in.
    depth: usize,
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
            branches: Vec::new(),
            conflict: None,
            guesses: 0,
            pause: 0,
            exhausted: false,
            solutions: 0,
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
        self.conflict = None;
        self.guesses = 0;
        self.pause = pause;
        self.exhausted = false;
        self.solutions = 0;
        self.next.clear();
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
        self.solutions += 1;
        if self.solutions <= limits.shown {
            let solution = match self.solutions {
                1 => &mut self.first,
                _ => &mut self.solution,
            };
            board.solution(lane, solution);
            // The safety net: no grid is told that breaks the rules or its givens, whatever the deductions did.
            assert!(
                keeps_rules && board.keeps(self.givens, solution),
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
        if self.depth == 0 {
            self.exhausted = true;
            return false;
        }
        self.depth -= 1;
        let Branch { choice, kept } = &self.branches[self.depth];
        self.conflict = *choice;
        board.take_up(lane, kept);
        true
    }

    #[inline(always)]
    fn retire(&self, limits: Limits, report: &mut dyn FnMut(Progress<'_>)) {
        let shown = self.solutions.min(limits.shown) > 0;
        let solution = shown.then_some(&self.first[..]);
        let found = limits.found(solution, self.guesses, self.solutions, self.exhausted);
        report(Progress::Found(self.index, found));
    }
}
