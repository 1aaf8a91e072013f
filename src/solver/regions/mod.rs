//! The board for all rules that the band board does not cover: rows, columns, and boxes or jigsaw regions, for sides up to 25.
//! Lanes share one layout; `per_lane.rs` gives each lane a layout of its own. Extra constraints are in `constraints/houses.rs`.
//!
//! The sweep looks for singles in regions only. Segments (`segments.rs`) exchange the rest between regions and lines (rows and
//! columns). The row and the column of a cell lose the digit placed there. The only cell for a digit in a line becomes the only
//! one in its region.
//!
//! ```text
//!     cells[position]         candidates of a cell; positions count region by region, along the rows within each
//!     segments[0], [1]        digits of the segments of rows, of columns
//!
//!     A A B B                 positions     0  1  4  5
//!     A A B B                               2  3  6  7
//! ```

pub(super) mod branching;
pub(super) mod per_lane;
pub(super) mod segments;

use std::sync::Arc;

use super::constraints::houses::{
    ConsecutiveBits, ListedConstraints, SweepFlags, once_and_twice, sweep_listed,
};
use super::lanes::board::{Board, SweepResult, bits};
use super::random::Random;
use super::simd::{Lane, Simd};
use crate::puzzle::Givens;
use crate::rules::{MAX_SIDE, Rules};
use branching::Candidate;
use segments::Segments;

/// A layout prepared for sweeping.
#[derive(Debug)]
pub(crate) struct Plan {
    side: usize,
    /// The cell at each position.
    cell_at: Vec<u16>,
    /// The position of each cell.
    position_of: Vec<u16>,
    listed: ListedConstraints,
}

impl Plan {
    pub fn new(rules: &Rules) -> Plan {
        let side = rules.side();
        let regions = rules.jigsaw_regions_or_boxes();
        let cell_at: Vec<u16> = regions
            .iter()
            .flat_map(|region| region.cells.iter().copied())
            .collect();
        let mut position_of: Vec<u16> = vec![0; rules.cells()];
        for (position, &cell) in (0..).zip(&cell_at) {
            position_of[usize::from(cell)] = position;
        }
        Plan {
            side,
            listed: ListedConstraints::for_region_boards(rules, |cell| {
                position_of[usize::from(cell)]
            }),
            cell_at,
            position_of,
        }
    }
}

/// The state of all lanes. Digit d is bit d-1.
pub(crate) struct RegionBoard<S: Simd> {
    s: S,
    plan: Arc<Plan>,
    rules: Arc<Rules>,
    /// Candidates by position. `MAX_SIDE` elements more, so that an array of this length starts at each region.
    cells: Vec<S::V>,
    /// The segments of the rows, then the segments of the columns.
    segments: [Segments<S::V>; 2],
    /// Scratch: the digits that each cell forbids to the cells it forms pairs with.
    forbidden: Vec<S::V>,
    /// The solution read most recently from each lane, along the rows.
    solutions: Vec<u8>,
    every_digit: u32,
    /// Mask of lanes whose segments are not valid. They settle one full sweep later at the earliest.
    stale: u32,
}

impl<S: Simd> RegionBoard<S> {
    pub fn new(s: S, plan: Arc<Plan>, rules: Arc<Rules>) -> RegionBoard<S> {
        let every_digit = (1 << rules.side()) - 1;
        let all = s.splat(S::Lane::of(every_digit));
        let side = rules.side();
        let cells = || plan.cell_at.iter().map(|&cell| usize::from(cell));
        RegionBoard {
            s,
            cells: vec![all; rules.cells() + MAX_SIDE],
            segments: [
                Segments::new(s, side, cells().map(|cell| cell / side)),
                Segments::new(s, side, cells().map(|cell| cell % side)),
            ],
            forbidden: vec![all; rules.cells()],
            solutions: vec![0; S::LANES * rules.cells()],
            plan,
            rules,
            every_digit,
            stale: 0,
        }
    }

    #[inline(always)]
    fn set_lane(&mut self, position: usize, lane: usize, set: u32) {
        self.s.lanes_mut(&mut self.cells[position])[lane] = S::Lane::of(set);
    }

    /// Copies the candidates of a lane, by position.
    #[inline(always)]
    fn save(&self, lane: usize, saved: &mut Vec<S::Lane>) {
        let lane = lane & (S::LANES - 1);
        saved.clear();
        saved.extend(self.cells[..self.rules.cells()].iter().map(
            #[inline(always)]
            |sets| self.s.lanes(sets)[lane],
        ));
    }

    // Tried: locked candidates of earlier regions in the same sweep. 6 % fewer instructions on 16x16, none on jigsaws. On
    // puzzles without solution its branches would differ from those of `per_lane.rs`.
    #[inline(always)]
    fn sweep_of(&mut self, side: usize) -> SweepResult {
        let s = self.s;
        let every_digit = s.splat(S::Lane::of(self.every_digit));
        let mut flags = SweepFlags::new(s, every_digit);
        let stale = std::mem::take(&mut self.stale);
        let stale_lanes = s.from_lanes(stale);
        for region in 0..side {
            let [rows, columns] = &self.segments;
            let cells = self.cells[region * side..].first_chunk_mut();
            let cells: &mut [S::V; MAX_SIDE] = cells.expect("room behind the last cell");
            let placed = sweep_region(
                s,
                &mut cells[..side],
                #[inline(always)]
                |i| s.and(rows.allowed(region, i), columns.allowed(region, i)),
                every_digit,
                stale_lanes,
                &mut flags,
            );
            for segments in &mut self.segments {
                let contradiction = &mut flags.contradiction;
                segments.gather(s, side, region, cells, placed, contradiction);
            }
        }
        for segments in &mut self.segments {
            segments.narrow_all(s, side, every_digit, &mut flags.contradiction);
        }
        sweep_listed(
            s,
            ConsecutiveBits,
            &self.plan.listed,
            every_digit,
            &mut self.cells,
            &mut self.forbidden,
            &mut flags,
        );
        flags.result(s, stale)
    }
}

impl<S: Simd> Board for RegionBoard<S> {
    type Choice = Candidate;
    type Saved = Vec<S::Lane>;

    fn rules(&self, _lane: usize) -> &Rules {
        &self.rules
    }

    #[inline(always)]
    fn clear(&mut self, lanes: u32) {
        let cells = &mut self.cells[..self.rules.cells()];
        clear_cells(self.s, cells, self.every_digit, lanes);
        self.stale |= lanes;
    }

    #[inline(always)]
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>) {
        let plan = Arc::clone(&self.plan);
        for lane in bits(lanes) {
            let givens = givens(lane);
            for (position, &cell) in plan.cell_at.iter().enumerate() {
                let set = givens.candidates(usize::from(cell), self.every_digit);
                self.set_lane(position, lane, set);
            }
        }
    }

    #[inline(always)]
    fn sweep(&mut self) -> SweepResult {
        match self.plan.side {
            // Calls the same function with a constant side, so that loops are unrolled.
            9 if S::IS_NARROW => self.sweep_of(9),
            16 if S::IS_NARROW => self.sweep_of(16),
            side => self.sweep_of(side),
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
        let position_of = |cell: usize| usize::from(self.plan.position_of[cell]);
        let candidate = branching::branch(&self.rules, saved, position_of, conflict, random);
        let position = position_of(candidate.cell);
        self.set_lane(position, lane, candidate.digit);
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
        let solutions = self.solutions.chunks_exact_mut(self.rules.cells());
        let read = solutions
            .enumerate()
            .filter(|(lane, _)| lanes >> lane & 1 == 1);
        read.fold(0, |hold, (lane, digits)| {
            for (&cell, sets) in self.plan.cell_at.iter().zip(&self.cells) {
                let set: u32 = self.s.lanes(sets)[lane].into();
                digits[usize::from(cell)] = set.trailing_zeros() as u8 + 1;
            }
            hold | u32::from(self.rules.hold_for(digits)) << lane
        })
    }

    #[inline(always)]
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool {
        copy_solution(&self.solutions, lane, givens, digits)
    }
}

/// Copies the digits of a lane. Returns whether they agree with the givens.
pub(crate) fn copy_solution(
    solutions: &[u8],
    lane: usize,
    givens: Givens<'_>,
    digits: &mut [u8],
) -> bool {
    let solution = &solutions[lane * digits.len()..][..digits.len()];
    digits.copy_from_slice(solution);
    givens.are_kept_by(solution)
}

/// Adds every digit to all cells of these lanes.
#[inline(always)]
pub(crate) fn clear_cells<S: Simd>(s: S, cells: &mut [S::V], every_digit: u32, lanes: u32) {
    let blank = s.and(s.from_lanes(lanes), s.splat(S::Lane::of(every_digit)));
    for cell in cells {
        *cell = s.or(*cell, blank);
    }
}

/// Narrows the cells of a region by their segments, then by the naked and hidden singles of the region. Returns the placed
/// digits; each may be in two cells.
#[inline(always)]
fn sweep_region<S: Simd>(
    s: S,
    cells: &mut [S::V],
    open: impl Fn(usize) -> S::V,
    every_digit: S::V,
    stale: S::V,
    flags: &mut SweepFlags<S::V>,
) -> S::V {
    let none = s.splat(S::Lane::of(0));
    let side = cells.len();
    let [mut set, mut single] = [[none; MAX_SIDE]; 2];
    let (set, single) = (&mut set[..side], &mut single[..side]);
    let mut placed = none;
    for i in 0..side {
        set[i] = s.and_or(cells[i], open(i), stale);
        single[i] = s.single_or_none(set[i]);
        placed = s.or(placed, single[i]);
    }
    let [once, twice] = once_and_twice(
        s,
        side,
        #[inline(always)]
        |i| set[i],
    );
    let hidden = hidden_singles(s, every_digit, [once, twice], placed, flags);
    let others = s.and_not(every_digit, placed);
    for i in 0..side {
        let left = s.choose_if_overlapping(set[i], hidden, others);
        let left = s.or_and(single[i], set[i], left);
        flags.least = s.min(flags.least, left);
        flags.changed = s.or_xor(flags.changed, cells[i], left);
        cells[i] = left;
    }
    placed
}

/// Returns the hidden singles of a region that are not placed yet. `once` are the digits that at least one of its cells holds,
/// `twice` those that at least two hold.
#[inline(always)]
pub(crate) fn hidden_singles<S: Simd>(
    s: S,
    every_digit: S::V,
    [once, twice]: [S::V; 2],
    placed: S::V,
    flags: &mut SweepFlags<S::V>,
) -> S::V {
    let hidden = s.and_nor(once, twice, placed);
    let others = s.and_not(every_digit, placed);
    flags.contradiction = s.or_and_not(flags.contradiction, every_digit, once);
    flags.unplaced = s.or(flags.unplaced, hidden);
    flags.unsolved = s.or_and_not(flags.unsolved, others, hidden);
    hidden
}
