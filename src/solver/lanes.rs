//! Puzzles side by side: loads grids into lanes, sweeps, branches, backtracks, and retires what is answered.

use super::simd::Simd;
use super::sweep::{Branch, Next, Sweep};
use super::{Found, Limits};
use crate::rules::Rules;
use crate::verdict::Status;

/// Groups of lanes swept in turn: the narrow stores of one group settle while another is swept.
const GROUPS: usize = 2;

/// Solutions after which a puzzle needs no further search.
const ENOUGH: usize = 2;

/// Answers each grid of `grids`, one behind the other, with its index.
#[inline(always)]
pub(crate) fn solve<S: Simd, W: Sweep<S>>(
    s: S,
    rules: &Rules,
    sweep: &mut W,
    limits: Limits,
    grids: &[u8],
    found: &mut dyn FnMut(usize, Found<'_>),
) {
    let mut waiting = grids.chunks_exact(rules.cells()).enumerate();
    let every_digit = (1 << rules.side()) - 1;
    let mut groups: [Group<S>; GROUPS] =
        std::array::from_fn(|_| Group::new(s, rules.cells(), every_digit));
    for group in &mut groups {
        for lane in 0..S::LANES {
            if let Some((index, grid)) = waiting.next() {
                group.load(s, lane, index, grid);
            }
        }
    }
    while groups.iter().any(|group| group.busy != 0) {
        for group in groups.iter_mut().filter(|group| group.busy != 0) {
            let swept = sweep.sweep(s, &mut group.cells, group.busy);
            let mut ended = group.busy & (swept.contradiction | !swept.changed);
            while ended != 0 {
                let lane = ended.trailing_zeros() as usize;
                ended &= ended - 1;
                let answered = if swept.contradiction >> lane & 1 == 1 {
                    group.backtrack(s, lane)
                } else {
                    group.go_on(s, lane, rules, sweep, limits)
                };
                if let Some(status) = answered {
                    group.retire(s, lane, status, found);
                    if let Some((index, grid)) = waiting.next() {
                        group.load(s, lane, index, grid);
                    }
                }
            }
        }
    }
}

/// As many puzzles as a vector has lanes.
///
/// ```text
///              lane 0   lane 1   lane 2   …
///   cells[0]   1......  .2.4...  1234567  …    a candidate set a lane
///   cells[1]   .23....  ......7  ...4...  …
///      ⋮
/// ```
struct Group<S: Simd> {
    cells: Vec<S::V>,
    /// Bit l: lane l holds a puzzle. A lane without one holds full sets, which never change and never end.
    busy: u32,
    puzzles: Vec<Puzzle>,
    every_digit: u32,
}

/// The puzzle of one lane.
#[derive(Default)]
struct Puzzle {
    index: usize,
    givens: Vec<u8>,
    /// The other way of each branch that is still open.
    branches: Vec<Box<[u32]>>,
    guesses: u64,
    solutions: usize,
    solution: Vec<u8>,
}

impl<S: Simd> Group<S> {
    fn new(s: S, cells: usize, every_digit: u32) -> Group<S> {
        Group {
            cells: vec![s.splat(every_digit); cells],
            busy: 0,
            puzzles: (0..S::LANES).map(|_| Puzzle::default()).collect(),
            every_digit,
        }
    }

    fn load(&mut self, s: S, lane: usize, index: usize, grid: &[u8]) {
        for (cell, &digit) in self.cells.iter_mut().zip(grid) {
            let set = if digit == 0 {
                self.every_digit
            } else {
                1 << (digit - 1)
            };
            s.set_lane(cell, lane, set);
        }
        self.busy |= 1 << lane;
        let puzzle = &mut self.puzzles[lane];
        puzzle.index = index;
        puzzle.givens.clear();
        puzzle.givens.extend_from_slice(grid);
        puzzle.guesses = 0;
        puzzle.solutions = 0;
    }

    /// A lane without deductions left: notes its solution, or takes a branch. A status if the puzzle is answered.
    #[inline(always)]
    fn go_on<W: Sweep<S>>(
        &mut self,
        s: S,
        lane: usize,
        rules: &Rules,
        sweep: &W,
        limits: Limits,
    ) -> Option<Status> {
        let state: Box<[u32]> = self.cells.iter().map(|cell| s.lane(cell, lane)).collect();
        match sweep.next(s, &state) {
            Next::Solved => {
                let puzzle = &mut self.puzzles[lane];
                puzzle.solutions += 1;
                if puzzle.solutions == 1 {
                    puzzle.solution = state
                        .iter()
                        .map(|set| set.trailing_zeros() as u8 + 1)
                        .collect();
                    check(rules, puzzle);
                }
                if puzzle.solutions == ENOUGH {
                    return Some(Status::Multiple);
                }
                self.backtrack(s, lane)
            }
            Next::Branch(branch) => {
                let puzzle = &mut self.puzzles[lane];
                puzzle.guesses += 1;
                if limits.are_passed_by(puzzle.guesses) {
                    return Some(Status::Unknown);
                }
                self.branch(s, lane, branch, state);
                None
            }
        }
    }

    /// Goes one way and keeps the other.
    fn branch(&mut self, s: S, lane: usize, branch: Branch, mut other: Box<[u32]>) {
        for (cell, digits) in branch.later {
            other[usize::from(cell)] &= !digits;
        }
        self.puzzles[lane].branches.push(other);
        for (cell, digits) in branch.now {
            let cell = &mut self.cells[usize::from(cell)];
            let set = s.lane(cell, lane);
            s.set_lane(cell, lane, set & !digits);
        }
    }

    /// Takes up the last way kept; with none left the puzzle is answered.
    fn backtrack(&mut self, s: S, lane: usize) -> Option<Status> {
        let puzzle = &mut self.puzzles[lane];
        match puzzle.branches.pop() {
            Some(state) => {
                for (cell, set) in self.cells.iter_mut().zip(state) {
                    s.set_lane(cell, lane, set);
                }
                None
            }
            None if puzzle.solutions == 0 => Some(Status::None),
            None => Some(Status::Unique),
        }
    }

    fn retire(
        &mut self,
        s: S,
        lane: usize,
        status: Status,
        found: &mut dyn FnMut(usize, Found<'_>),
    ) {
        let puzzle = &mut self.puzzles[lane];
        puzzle.branches.clear();
        let solved = matches!(status, Status::Unique | Status::Multiple);
        let answer = Found {
            status,
            solution: solved.then_some(&puzzle.solution),
            guesses: puzzle.guesses,
        };
        found(puzzle.index, answer);
        self.busy &= !(1 << lane);
        for cell in &mut self.cells {
            s.set_lane(cell, lane, self.every_digit);
        }
    }
}

/// The safety net: no grid is told that breaks the rules or its givens, whatever the deductions did.
fn check(rules: &Rules, puzzle: &Puzzle) {
    let keeps_givens = puzzle
        .givens
        .iter()
        .zip(&puzzle.solution)
        .all(|(&given, &digit)| given == 0 || given == digit);
    let every_digit = (1u32 << rules.side()) - 1;
    let houses_are_full = rules.houses().iter().all(|house| {
        let digits = house
            .cells
            .iter()
            .map(|&cell| 1u32 << (puzzle.solution[usize::from(cell)] - 1));
        digits.fold(0, |all, digit| all | digit) == every_digit
    });
    assert!(
        keeps_givens && houses_are_full,
        "the solution {:?} breaks the rules of the puzzle {:?}",
        puzzle.solution,
        puzzle.givens
    );
}
