//! Regions with a layout of its own in each lane. The deductions are exactly those of `shared.rs`,
//! so a puzzle takes the same branches with both. A sweep is slower here, because the lanes in
//! which a cell belongs to a region are a mask. It visits the grid by *strips* (`membership.rs`).

use std::sync::Arc;

use super::locked::{LineSummary, narrow_region, repeated_in_region, summarize_line};
use super::membership::{Membership, REGIONS, Strip, by_region, by_region_mut};
use crate::bits::bits;
use crate::rules::{MAX_SIDE, Rules};
use crate::solver::constraints::houses::SweepFlags;
use crate::solver::constraints::singles::{DigitTally, hold_the_same, keep_singles};
use crate::solver::simd::{Lane, Simd};

/// Cells are counted along the rows.
pub(crate) struct PerLaneRegions<'a, S: Simd> {
    rules: &'a [Arc<Rules>],
    side: usize,
    /// Index in `rules` for each lane.
    puzzles: Vec<usize>,
    membership: Membership<S>,
    /// The digits of the segments of rows: `rows[N*row + region]`, empty if the region has no cell
    /// in the row. Unused sets at the end make sure that `REGIONS` sets can be read from the start
    /// of any row.
    rows: Vec<S::V>,
    /// `columns[N*column + region]`, otherwise like `rows`.
    columns: Vec<S::V>,
    /// Scratch: the first N are used.
    regions: Box<[Region<S>; REGIONS]>,
}

#[derive(Clone, Copy)]
struct Region<S: Simd> {
    /// Includes those of earlier sweeps.
    placed: S::V,
    digits: DigitTally<S>,
    hidden: S::V,
    /// Digits in two or more segments of rows, while these are narrowed; then the same for columns.
    repeated: S::V,
}

impl<S: Simd> Region<S> {
    fn unvisited(s: S) -> Region<S> {
        let none = s.splat(S::Lane::from_digits(0));
        Region { placed: none, digits: DigitTally::new(s), hidden: none, repeated: none }
    }
}

impl<'a, S: Simd> PerLaneRegions<'a, S> {
    /// All puzzles have one side and the same variants.
    pub fn new(s: S, rules: &'a [Arc<Rules>]) -> PerLaneRegions<'a, S> {
        let side = rules[0].side();
        debug_assert!(rules.iter().all(|rules| rules.side() == side));
        let every_digit = s.splat(S::Lane::from_digits((1 << side) - 1));
        PerLaneRegions {
            rules,
            side,
            puzzles: vec![0; S::LANES],
            membership: Membership::new(s, side),
            rows: vec![every_digit; side * side + REGIONS],
            columns: vec![every_digit; side * side + REGIONS],
            regions: Box::new([Region::unvisited(s); REGIONS]),
        }
    }

    pub fn rules(&self, lane: usize) -> &Rules {
        &self.rules[self.puzzles[lane]]
    }

    #[inline(always)]
    pub fn assign(&mut self, lane: usize, index: usize) {
        self.puzzles[lane] = index;
        self.membership.set(lane, &self.rules[index]);
    }

    #[inline(always)]
    pub fn sweep(&mut self, cells: &mut [S::V], stale: S::V, flags: &mut SweepFlags<S>) {
        debug_assert!(cells.len() >= self.side * self.side);
        match self.side {
            // A constant side, so that multiplications by the side are cheap. Side 9 always has
            // narrow lanes; with the guard, this code is not compiled for wide lanes.
            9 if S::IS_NARROW => self.sweep_of::<3>(9, cells, stale, flags),
            side => self.sweep_of::<1>(side, cells, stale, flags),
        }
    }

    #[inline(always)]
    fn sweep_of<const W: usize>(
        &mut self,
        side: usize,
        cells: &mut [S::V],
        stale: S::V,
        flags: &mut SweepFlags<S>,
    ) {
        let cells = &mut cells.as_chunks_mut::<W>().0[..side * side / W];
        self.find_singles(side, cells, stale, flags);
        self.apply_singles(side, cells, flags);
        for held in [&mut self.rows, &mut self.columns] {
            narrow_segments(side, &mut self.regions, &mut held[..side * side], flags);
        }
    }

    /// Also narrows all cells by their segments, but not in stale lanes (all ones in `stale`),
    /// because their `rows` and `columns` are not up to date.
    #[inline(always)]
    fn find_singles<const W: usize>(
        &mut self,
        side: usize,
        cells: &mut [[S::V; W]],
        stale: S::V,
        flags: &mut SweepFlags<S>,
    ) {
        let (s, regions) = (flags.s, &mut *self.regions);
        regions[..side].fill(Region::unvisited(s));
        for row in 0..side {
            for index in 0..side / W {
                let cells = &mut cells[row * (side / W) + index];
                let strip = self.membership.strip::<W>(side, row, index);
                let allowed = allowed_in(s, side, strip, &self.rows, &self.columns);
                // Not `flags.narrow`: `place_singles_of_regions` looks for empty cells later.
                for i in 0..W {
                    let left = s.and_or(cells[i], allowed[i], stale);
                    flags.changed = s.or_and_not(flags.changed, cells[i], left);
                    cells[i] = left;
                }
                add_to_regions(s, strip, cells, regions);
            }
        }
        for region in &mut regions[..side] {
            let placed = region.placed;
            region.hidden = flags.record_region(&region.digits, placed);
        }
    }

    /// Also sets the segments to the digits that their cells then hold.
    #[inline(always)]
    fn apply_singles<const W: usize>(
        &mut self,
        side: usize,
        cells: &mut [[S::V; W]],
        flags: &mut SweepFlags<S>,
    ) {
        let s = flags.s;
        let none = s.splat(S::Lane::from_digits(0));
        let [rows, columns] = [&mut self.rows, &mut self.columns].map(|held| &mut held[..]);
        rows[..side * side].fill(none);
        columns[..side * side].fill(none);
        for row in 0..side {
            for index in 0..side / W {
                let cells = &mut cells[row * (side / W) + index];
                let strip = self.membership.strip::<W>(side, row, index);
                place_singles_of_regions(strip, &self.regions, cells, flags);
                gather(s, side, strip, cells, [rows, columns]);
            }
        }
        let [in_rows, in_columns] = [&*rows, &*columns].map(|held| &held[..side * side]);
        debug_assert!(hold_the_same(s, in_rows, in_columns));
    }
}

/// Returns the digits in both segments of each cell, in its row and in its column.
#[inline(always)]
fn allowed_in<S: Simd, const W: usize>(
    s: S,
    side: usize,
    strip: Strip<'_, S::V, W>,
    rows: &[S::V],
    columns: &[S::V],
) -> [S::V; W] {
    let in_rows = by_region(rows, strip.first_in_rows);
    let in_columns = &columns[strip.first_in_columns..];
    let mut allowed = [s.splat(S::Lane::from_digits(0)); W];
    for region in bits(strip.regions) {
        for i in 0..W {
            // `columns` has `side` segments for each column; cell i is i columns after the first.
            let in_column = by_region(in_columns, i * side)[region];
            let in_both = s.and(in_rows[region], in_column);
            allowed[i] = s.or_and(allowed[i], in_both, strip.members[region][i]);
        }
    }
    allowed
}

#[inline(always)]
fn add_to_regions<S: Simd, const W: usize>(
    s: S,
    strip: Strip<'_, S::V, W>,
    cells: &[S::V; W],
    regions: &mut [Region<S>; REGIONS],
) {
    let mut single = *cells;
    for i in 0..W {
        single[i] = s.single_or_none(cells[i]);
    }
    for region in bits(strip.regions) {
        let (members, region) = (&strip.members[region], &mut regions[region]);
        let mut mine = *cells;
        for i in 0..W {
            region.placed = s.or_and(region.placed, single[i], members[i]);
            mine[i] = s.and(cells[i], members[i]);
        }
        region.digits.add_all(&mine);
    }
}

#[inline(always)]
fn place_singles_of_regions<S: Simd, const W: usize>(
    strip: Strip<'_, S::V, W>,
    regions: &[Region<S>; REGIONS],
    cells: &mut [S::V; W],
    flags: &mut SweepFlags<S>,
) {
    let s = flags.s;
    let none = s.splat(S::Lane::from_digits(0));
    let [mut hidden, mut placed] = [[none; W]; 2];
    for region in bits(strip.regions) {
        let (members, region) = (&strip.members[region], &regions[region]);
        for i in 0..W {
            hidden[i] = s.or_and(hidden[i], region.hidden, members[i]);
            placed[i] = s.or_and(placed[i], region.placed, members[i]);
        }
    }
    for i in 0..W {
        let unplaced = s.and_not(flags.every_digit, placed[i]);
        let single = s.single_or_none(cells[i]);
        let left = keep_singles(s, cells[i], single, hidden[i], unplaced);
        flags.narrow(&mut cells[i], left);
    }
}

#[inline(always)]
fn gather<S: Simd, const W: usize>(
    s: S,
    side: usize,
    strip: Strip<'_, S::V, W>,
    cells: &[S::V; W],
    [rows, columns]: [&mut [S::V]; 2],
) {
    let in_rows = by_region_mut(rows, strip.first_in_rows);
    let in_columns = &mut columns[strip.first_in_columns..];
    for region in bits(strip.regions) {
        let mut in_row = in_rows[region];
        for i in 0..W {
            let member = strip.members[region][i];
            in_row = s.or_and(in_row, cells[i], member);
            let in_column = &mut by_region_mut(in_columns, i * side)[region];
            *in_column = s.or_and(*in_column, cells[i], member);
        }
        in_rows[region] = in_row;
    }
}

/// Applies locked candidates (the table in `locked.rs`) to the segments of all rows, or of all
/// columns. `held[l*N + r]` are the digits of the segment of line l and region r, empty if they
/// share no cell. An empty set adds nothing to any deduction.
#[inline(always)]
fn narrow_segments<S: Simd>(
    side: usize,
    regions: &mut [Region<S>; REGIONS],
    held: &mut [S::V],
    flags: &mut SweepFlags<S>,
) {
    debug_assert_eq!(held.len(), side * side);
    let mut of_region = [flags.every_digit; MAX_SIDE];
    for region in 0..side {
        for line in 0..side {
            of_region[line] = held[line * side + region];
        }
        let placed = regions[region].placed;
        regions[region].repeated = repeated_in_region(&of_region[..side], placed, flags);
    }
    let summaries = summarize_lines(side, regions, held, flags);
    for region in 0..side {
        let left = narrow_region::<S, MAX_SIDE>(
            side,
            #[inline(always)]
            |line| (held[line * side + region], summaries[line]),
            regions[region].repeated,
            flags,
        );
        for line in 0..side {
            held[line * side + region] = left[line];
        }
    }
}

#[inline(always)]
fn summarize_lines<S: Simd>(
    side: usize,
    regions: &[Region<S>; REGIONS],
    held: &[S::V],
    flags: &mut SweepFlags<S>,
) -> [LineSummary<S::V>; MAX_SIDE] {
    // Fills the array; never read.
    let unused = LineSummary { pointed: flags.every_digit, repeated: flags.every_digit };
    let mut summaries = [unused; MAX_SIDE];
    for (line, summary) in summaries[..side].iter_mut().enumerate() {
        *summary = summarize_line::<S, MAX_SIDE>(
            side,
            #[inline(always)]
            |region| [held[line * side + region], regions[region].repeated],
            flags,
        );
    }
    summaries
}
