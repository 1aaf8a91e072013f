//! Regions of one layout that all lanes share. The sweep visits region by region, and applies the
//! naked and hidden singles of each. The segments (`segments.rs`) make the deductions between
//! regions and lines. These include the singles of lines. A region points with a placed digit at
//! the row and the column of its cell, so both lose it elsewhere. A line with only one cell for a
//! digit claims it, so the cell becomes a hidden single of its region.
//!
//! ```text
//!     cells[position]         candidates of a cell; positions count region by region, along the rows within each
//!     segments[0]             digits of the segments of rows
//!     segments[1]             digits of the segments of columns
//!
//!     A A B B                 positions     0  1  4  5
//!     A A B B                               2  3  6  7
//! ```

use std::sync::Arc;

use super::plan::RegionPlan;
use super::segments::Segments;
use crate::rules::{MAX_SIDE, Rules};
use crate::solver::constraints::houses::SweepFlags;
use crate::solver::constraints::singles::{DigitTally, keep_singles};
use crate::solver::simd::{Lane, Simd};

pub(crate) struct SharedRegions<S: Simd> {
    pub rules: Arc<Rules>,
    /// Rows, then columns.
    segments: [Segments<S>; 2],
}

impl<S: Simd> SharedRegions<S> {
    /// `plan` must be `RegionPlan::by_regions` of the same rules.
    pub fn new(s: S, plan: &RegionPlan, rules: Arc<Rules>) -> SharedRegions<S> {
        let side = rules.side();
        debug_assert_eq!(plan.cell_at.len(), rules.cells());
        let cells = || plan.cell_at.iter().map(|&cell| usize::from(cell));
        SharedRegions {
            segments: [
                Segments::new(s, side, cells().map(|cell| cell / side).collect()),
                Segments::new(s, side, cells().map(|cell| cell % side).collect()),
            ],
            rules,
        }
    }

    /// `cells` is `RegionBoard::cells`. `stale` is all ones in the lanes in which the results of
    /// earlier sweeps must be ignored.
    #[inline(always)]
    pub fn sweep(&mut self, cells: &mut [S::V], stale: S::V, flags: &mut SweepFlags<S>) {
        match self.rules.side() {
            // Calls the same function with a constant side, so that loops are unrolled. These sides
            // always have narrow lanes; the guards save compiling the unrolled code for wide lanes.
            9 if S::IS_NARROW => self.sweep_of::<true>(9, cells, stale, flags),
            16 if S::IS_NARROW => self.sweep_of::<true>(16, cells, stale, flags),
            side => self.sweep_of::<false>(side, cells, stale, flags),
        }
    }

    /// If `UNROLLED`, `side` is a constant, and loops are unrolled (`unrolled!` in `segments.rs`).
    // Tried: using the locked candidates of earlier regions in the same sweep. 6 % fewer
    // instructions on 16x16, no fewer on jigsaws. On puzzles without solution the branches would
    // differ from those of `per_lane.rs`.
    #[inline(always)]
    fn sweep_of<const UNROLLED: bool>(
        &mut self,
        side: usize,
        cells: &mut [S::V],
        stale: S::V,
        flags: &mut SweepFlags<S>,
    ) {
        debug_assert_eq!(side, self.rules.side());
        for region in 0..side {
            let cells = cells[region * side..].first_chunk_mut();
            let cells: &mut [S::V; MAX_SIDE] = cells.expect("room after the last cell");
            let placed = self.sweep_region(region, &mut cells[..side], stale, flags);
            for segments in &mut self.segments {
                segments.gather::<UNROLLED>(side, region, cells, placed, flags);
            }
        }
        for segments in &mut self.segments {
            segments.narrow_all::<UNROLLED>(side, flags);
        }
    }

    /// Narrows the cells by their segments (not in stale lanes), then by naked and hidden singles.
    /// Returns the naked singles. If two cells have the same one, `gather` finds the contradiction.
    #[inline(always)]
    fn sweep_region(
        &self,
        region: usize,
        cells: &mut [S::V],
        stale: S::V,
        flags: &mut SweepFlags<S>,
    ) -> S::V {
        let (s, [rows, columns]) = (flags.s, &self.segments);
        let none = s.splat(S::Lane::from_digits(0));
        let side = cells.len();
        let [mut set, mut single] = [[none; MAX_SIDE]; 2];
        let (set, single) = (&mut set[..side], &mut single[..side]);
        let mut placed = none;
        for i in 0..side {
            let allowed = s.and(rows.allowed(region, i), columns.allowed(region, i));
            set[i] = s.and_or(cells[i], allowed, stale);
            single[i] = s.single_or_none(set[i]);
            placed = s.or(placed, single[i]);
        }
        let digits = DigitTally::of_all(s, set);
        let hidden = flags.record_region(&digits, placed);
        let unplaced = s.and_not(flags.every_digit, placed);
        for i in 0..side {
            let left = keep_singles(s, set[i], single[i], hidden, unplaced);
            flags.narrow(&mut cells[i], left);
        }
        placed
    }
}
