//! The board for jigsaws with a layout in each lane. It makes exactly the deductions of `mod.rs`, so both take the
//! same branches. A sweep is slower, because region membership is a mask of lanes.
//!
//! ```text
//!     region of each cell:                      members (all ones, or 0, in each lane):
//!               lane 0   lane 1   lane 2                            lane 0   lane 1   lane 2
//!     cell 0    0        0        0             cell 1, region 0    ffff     0        ffff
//!     cell 1    0        1        0             cell 1, region 1    0        ffff     0
//!     cell 2    1        1        0
//! ```
//!
//! A region gets the number of the box at about the same position. Three neighbouring cells therefore belong to few regions:
//! about four in 32 lanes. The sweep visits only these regions.

use std::sync::Arc;

use super::branching::Candidate;
use super::segments::{LineSummary, narrow_region, repeated_in_region, summarize_line};
use super::{branching, clear_cells, copy_solution, hidden_singles};
use crate::puzzle::Givens;
use crate::rules::{MAX_SIDE, Rules};
use crate::solver::constraints::houses::{
    ConsecutiveBits, ListedConstraints, SweepFlags, once_and_twice, sweep_listed,
};
use crate::solver::lanes::board::{Board, SweepResult, bits};
use crate::solver::random::Random;
use crate::solver::simd::{Lane, Simd};

/// The state of all lanes. Digit d is bit d-1.
///
/// Cells are swept in groups of `width` neighbours in a row.
pub(crate) struct PerLaneBoard<'a, S: Simd> {
    s: S,
    /// The rules of each puzzle.
    rules: &'a [Arc<Rules>],
    listed: ListedConstraints,
    side: usize,
    /// The puzzle in each lane.
    puzzles: Vec<usize>,
    /// The region of each cell, for each lane; empty for a lane that had no puzzle yet.
    regions_of: Vec<Vec<u8>>,
    /// The masks of lanes in which a cell belongs to a region, at `member_index`. `members`, `rows` and `columns` have room for
    /// `REGIONS` regions after any start, so a region number from a mask needs no bounds check.
    members: Vec<S::V>,
    /// For each group, the regions that contain one of its cells in some lane: bit r for region r. May have bits of earlier
    /// puzzles.
    regions_in: Vec<u32>,
    /// Candidates, along the rows.
    cells: Vec<S::V>,
    /// Digits of the segments: `rows[N*row + region]`, `columns[N*column + region]`.
    rows: Vec<S::V>,
    columns: Vec<S::V>,
    /// Scratch: the findings of the current sweep about each region.
    regions: Box<[Region<S::V>; REGIONS]>,
    /// Scratch: the digits that each cell forbids to the cells it forms pairs with.
    forbidden: Vec<S::V>,
    /// The solution read most recently from each lane.
    solutions: Vec<u8>,
    every_digit: u32,
    stale: u32,
    /// Number of puzzles loaded so far.
    loads: usize,
}

/// The number of bits in a mask of regions.
const REGIONS: usize = 32;

/// The findings of a sweep about one region, in all lanes.
#[derive(Clone, Copy)]
struct Region<V> {
    /// Naked singles.
    placed: V,
    /// Digits in at least one cell, and in at least two.
    once: V,
    twice: V,
    /// Hidden singles that are not placed yet.
    hidden: V,
    /// Digits in two or more segments of the current direction.
    repeated: V,
}

impl<V: Copy> Region<V> {
    fn of(set: V) -> Region<V> {
        Region {
            placed: set,
            once: set,
            twice: set,
            hidden: set,
            repeated: set,
        }
    }
}

/// Returns the number of cells in a group.
// Tried: groups of two and three for every side that they divide. Compiling takes 50 % longer.
fn width(side: usize) -> usize {
    if side == 9 { 3 } else { 1 }
}

/// Numbers the regions of a layout and returns the number of each cell's region. Sorts the regions from top to bottom, groups
/// them into rows like those of boxes, and numbers each row from left to right.
fn number_regions(rules: &Rules) -> Vec<u8> {
    let side = rules.side();
    let across = (1..).take_while(|n| n * n <= side);
    let across = across.filter(|&n| side.is_multiple_of(n)).last();
    let regions = rules.jigsaw_regions_or_boxes().iter().map(|region| {
        let cells = region.cells.iter().map(|&cell| usize::from(cell));
        let [row, column] = cells.fold([0, 0], |[row, column], cell| {
            [row + cell / side, column + cell % side]
        });
        (row, column, &region.cells)
    });
    let mut regions: Vec<_> = regions.collect();
    regions.sort_by_key(|&(row, ..)| row);
    for beside in regions.chunks_mut(across.expect("one divides all")) {
        beside.sort_by_key(|&(_, column, _)| column);
    }
    let mut numbers = vec![0; side * side];
    for (number, (.., cells)) in (0..).zip(regions) {
        for &cell in cells {
            numbers[usize::from(cell)] = number;
        }
    }
    numbers
}

impl<'a, S: Simd> PerLaneBoard<'a, S> {
    /// Creates a board for puzzles of one side and one list of variants. `rules` holds the rules of each puzzle.
    pub fn new(s: S, rules: &'a [Arc<Rules>]) -> PerLaneBoard<'a, S> {
        let side = rules[0].side();
        let every_digit = (1 << side) - 1;
        let (none, all) = (s.splat(S::Lane::of(0)), s.splat(S::Lane::of(every_digit)));
        let cells = side * side;
        PerLaneBoard {
            s,
            rules,
            listed: ListedConstraints::for_region_boards(&rules[0], |cell| cell),
            side,
            puzzles: vec![0; S::LANES],
            regions_of: vec![Vec::new(); S::LANES],
            members: vec![none; cells * side + width(side) * REGIONS],
            regions_in: vec![0; cells / width(side)],
            cells: vec![all; cells],
            rows: vec![all; cells + REGIONS],
            columns: vec![all; cells + REGIONS],
            regions: Box::new([Region::of(none); REGIONS]),
            forbidden: vec![all; cells],
            solutions: vec![0; S::LANES * cells],
            every_digit,
            stale: 0,
            loads: 0,
        }
    }

    /// Copies the candidates of a lane.
    #[inline(always)]
    fn save(&self, lane: usize, saved: &mut Vec<S::Lane>) {
        let lane = lane & (S::LANES - 1);
        saved.clear();
        saved.extend(self.cells.iter().map(
            #[inline(always)]
            |sets| self.s.lanes(sets)[lane],
        ));
    }

    /// Returns the index in `members` of a cell and a region.
    #[inline(always)]
    fn member_index(&self, cell: usize, region: usize) -> usize {
        let width = width(self.side);
        (cell / width * self.side + region) * width + cell % width
    }

    /// Removes regions from `regions_in` if no lane has a cell of the group in them.
    #[inline(always)]
    fn rebuild_regions_in(&mut self) {
        self.regions_in.fill(0);
        for cell in 0..self.cells.len() {
            for region in 0..self.side {
                if self
                    .s
                    .nonzero_lanes(self.members[self.member_index(cell, region)])
                    != 0
                {
                    self.regions_in[cell / width(self.side)] |= 1 << region;
                }
            }
        }
    }

    /// Sweeps once with groups of W cells.
    #[inline(always)]
    fn sweep_of<const W: usize>(&mut self, side: usize) -> SweepResult {
        let s = self.s;
        let none = s.splat(S::Lane::of(0));
        let every_digit = s.splat(S::Lane::of(self.every_digit));
        let mut flags = SweepFlags::new(s, every_digit);
        let stale_lanes = std::mem::take(&mut self.stale);
        let stale = s.from_lanes(stale_lanes);
        let regions = &mut *self.regions;
        regions[..side].fill(Region::of(none));
        // Number of groups in a row.
        let across = side / W;
        let regions_in = &self.regions_in[..side * across];
        let cells = &mut self.cells.as_chunks_mut::<W>().0[..side * across];

        // Narrows cells by their segments, and finds the digits of each region.
        for row in 0..side {
            for stack in 0..across {
                let group = row * across + stack;
                let members = by_region(self.members.as_chunks::<W>().0, group * side);
                let in_rows = by_region(&self.rows, row * side);
                let in_columns = &self.columns[stack * W * side..];
                let mut allowed = [none; W];
                for region in bits(regions_in[group]) {
                    for i in 0..W {
                        let in_column = by_region(in_columns, i * side)[region];
                        let segment = s.and(in_rows[region], in_column);
                        allowed[i] = s.or_and(allowed[i], segment, members[region][i]);
                    }
                }
                let mut single = [none; W];
                for i in 0..W {
                    let set = s.and_or(cells[group][i], allowed[i], stale);
                    flags.changed = s.or_xor(flags.changed, cells[group][i], set);
                    cells[group][i] = set;
                    single[i] = s.single_or_none(set);
                }
                for region in bits(regions_in[group]) {
                    let members = &members[region];
                    let Region {
                        placed,
                        once,
                        twice,
                        ..
                    } = &mut regions[region];
                    let mut mine = [none; W];
                    for i in 0..W {
                        *placed = s.or_and(*placed, single[i], members[i]);
                        mine[i] = s.and(cells[group][i], members[i]);
                    }
                    let [any, two] = once_and_twice(
                        s,
                        W,
                        #[inline(always)]
                        |i| mine[i],
                    );
                    *twice = s.or(s.or_and(*twice, *once, any), two);
                    *once = s.or(*once, any);
                }
            }
        }
        for region in &mut regions[..side] {
            let held = [region.once, region.twice];
            region.hidden = hidden_singles(s, every_digit, held, region.placed, &mut flags);
        }
        // Applies naked and hidden singles, and gathers the segments.
        self.rows[..side * side].fill(none);
        self.columns[..side * side].fill(none);
        for row in 0..side {
            for stack in 0..across {
                let group = row * across + stack;
                let members = by_region(self.members.as_chunks::<W>().0, group * side);
                let in_rows = by_region_mut(&mut self.rows, row * side);
                let in_columns = &mut self.columns[stack * W * side..];
                let [mut hidden, mut placed] = [[none; W]; 2];
                for region in bits(regions_in[group]) {
                    let of = &regions[region];
                    for i in 0..W {
                        let member = members[region][i];
                        hidden[i] = s.or_and(hidden[i], of.hidden, member);
                        placed[i] = s.or_and(placed[i], of.placed, member);
                    }
                }
                let mut saved = [none; W];
                for i in 0..W {
                    let set = cells[group][i];
                    let others = s.and_not(every_digit, placed[i]);
                    let left = s.choose_if_overlapping(set, hidden[i], others);
                    saved[i] = s.or_and(s.single_or_none(set), set, left);
                    flags.least = s.min(flags.least, saved[i]);
                    flags.changed = s.or_xor(flags.changed, set, saved[i]);
                    cells[group][i] = saved[i];
                }
                for region in bits(regions_in[group]) {
                    let mut in_row = in_rows[region];
                    for i in 0..W {
                        let member = members[region][i];
                        in_row = s.or_and(in_row, saved[i], member);
                        let in_column = &mut by_region_mut(in_columns, i * side)[region];
                        *in_column = s.or_and(*in_column, saved[i], member);
                    }
                    in_rows[region] = in_row;
                }
            }
        }

        for held in [&mut self.rows, &mut self.columns] {
            let contradiction = &mut flags.contradiction;
            narrow_segments(s, side, regions, held, every_digit, contradiction);
        }
        sweep_listed(
            s,
            ConsecutiveBits,
            &self.listed,
            every_digit,
            &mut self.cells,
            &mut self.forbidden,
            &mut flags,
        );
        flags.result(s, stale_lanes)
    }
}

/// Returns the elements of all regions that begin at `first`.
#[inline(always)]
fn by_region<T>(all: &[T], first: usize) -> &[T; REGIONS] {
    all[first..].first_chunk().expect("room behind the last")
}

#[inline(always)]
fn by_region_mut<T>(all: &mut [T], first: usize) -> &mut [T; REGIONS] {
    all[first..]
        .first_chunk_mut()
        .expect("room behind the last")
}

/// Narrows all segments of one direction. Line l and region r have index `l*N + r` in `held`.
#[inline(always)]
fn narrow_segments<S: Simd>(
    s: S,
    side: usize,
    regions: &mut [Region<S::V>; REGIONS],
    held: &mut [S::V],
    every_digit: S::V,
    contradiction: &mut S::V,
) {
    let held = &mut held[..side * side];
    for region in 0..side {
        let of = &mut regions[region];
        of.repeated = repeated_in_region(
            s,
            side,
            #[inline(always)]
            |line| held[line * side + region],
            of.placed,
            contradiction,
        );
    }
    let nothing = LineSummary {
        pointed: every_digit,
        repeated: every_digit,
    };
    let mut summaries = [nothing; MAX_SIDE];
    for (line, summary) in summaries[..side].iter_mut().enumerate() {
        *summary = summarize_line::<S, MAX_SIDE>(
            s,
            side,
            #[inline(always)]
            |region| [held[line * side + region], regions[region].repeated],
            every_digit,
            contradiction,
        );
    }
    for region in 0..side {
        let mut left = [every_digit; MAX_SIDE];
        narrow_region::<S, MAX_SIDE>(
            s,
            side,
            #[inline(always)]
            |line| held[line * side + region],
            #[inline(always)]
            |line| summaries[line],
            regions[region].repeated,
            &mut left,
            contradiction,
        );
        for line in 0..side {
            held[line * side + region] = left[line];
        }
    }
}

impl<S: Simd> Board for PerLaneBoard<'_, S> {
    type Choice = Candidate;
    type Saved = Vec<S::Lane>;

    fn rules(&self, lane: usize) -> &Rules {
        &self.rules[self.puzzles[lane]]
    }

    #[inline(always)]
    fn clear(&mut self, lanes: u32) {
        clear_cells(self.s, &mut self.cells, self.every_digit, lanes);
        self.stale |= lanes;
    }

    #[inline(always)]
    fn assign(&mut self, lane: usize, index: usize) {
        self.puzzles[lane] = index;
        let regions = number_regions(&self.rules[index]);
        let were = std::mem::replace(&mut self.regions_of[lane], regions);
        for (cell, region) in were.into_iter().enumerate() {
            let member = self.member_index(cell, region.into());
            self.s.lanes_mut(&mut self.members[member])[lane] = S::Lane::of(0);
        }
        for cell in 0..self.cells.len() {
            let region = usize::from(self.regions_of[lane][cell]);
            let member = self.member_index(cell, region);
            self.s.lanes_mut(&mut self.members[member])[lane] = S::Lane::of(u32::MAX);
            self.regions_in[cell / width(self.side)] |= 1 << region;
        }
        self.loads += 1;
        if self.loads.is_multiple_of(S::LANES) {
            self.rebuild_regions_in();
        }
    }

    #[inline(always)]
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>) {
        for lane in bits(lanes) {
            let givens = givens(lane);
            for (cell, sets) in self.cells.iter_mut().enumerate() {
                let set = givens.candidates(cell, self.every_digit);
                self.s.lanes_mut(sets)[lane] = S::Lane::of(set);
            }
        }
    }

    #[inline(always)]
    fn sweep(&mut self) -> SweepResult {
        match self.side {
            // Constants, so that multiplications by the side are cheap.
            9 if S::IS_NARROW => self.sweep_of::<3>(9),
            side => self.sweep_of::<1>(side),
        }
    }

    #[inline(always)]
    fn prepare_branches(&mut self) {}

    /// Places a digit in a cell, and saves the state in which the cell does not hold it.
    #[inline(always)]
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Candidate>,
        random: Option<&mut Random>,
        saved: &mut Vec<S::Lane>,
    ) -> Candidate {
        self.save(lane, saved);
        let rules = &self.rules[self.puzzles[lane]];
        let candidate = branching::branch(rules, saved, |cell| cell, conflict, random);
        self.s.lanes_mut(&mut self.cells[candidate.cell])[lane] = S::Lane::of(candidate.digit);
        self.stale |= 1 << lane;
        candidate
    }

    #[inline(always)]
    fn restore(&mut self, lane: usize, saved: &Vec<S::Lane>) {
        let lane = lane & (S::LANES - 1);
        for (cell, &set) in self.cells.iter_mut().zip(saved) {
            self.s.lanes_mut(cell)[lane] = set;
        }
        self.stale |= 1 << lane;
    }

    #[inline(always)]
    fn read_solutions(&mut self, lanes: u32) -> u32 {
        let solutions = self.solutions.chunks_exact_mut(self.cells.len());
        let read = solutions
            .enumerate()
            .filter(|(lane, _)| lanes >> lane & 1 == 1);
        read.fold(0, |hold, (lane, digits)| {
            for (digit, sets) in digits.iter_mut().zip(&self.cells) {
                let set: u32 = self.s.lanes(sets)[lane].into();
                *digit = set.trailing_zeros() as u8 + 1;
            }
            let rules = &self.rules[self.puzzles[lane]];
            hold | u32::from(rules.hold_for(digits)) << lane
        })
    }

    #[inline(always)]
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool {
        copy_solution(&self.solutions, lane, givens, digits)
    }
}
