//! The membership of cells in regions, where each lane has a layout of its own: a mask of lanes for
//! each cell and region.
//!
//! ```text
//!     region of each cell:                      masks (all ones, or 0, in each lane):
//!               lane 0   lane 1   lane 2                            lane 0   lane 1   lane 2
//!     cell 0    0        0        0             cell 1, region 0    ffff     0        ffff
//!     cell 1    0        1        0             cell 1, region 1    0        ffff     0
//!     cell 2    1        1        0
//! ```
//!
//! Regions are numbered by position, from top to bottom and from left to right, so regions at about
//! the same position in two layouts mostly have the same number. So the cells of a *strip*, three
//! neighbours in a row of a 9x9, belong to few regions in all lanes together: about four in 32
//! lanes. A sweep visits only these regions for the strip. (In other sizes, a strip is one cell.)

use crate::rules::Rules;
use crate::solver::simd::{Lane, Simd};

/// Cells are counted along the rows. A strip is `width` neighbouring cells of a row.
pub(crate) struct Membership<S: Simd> {
    s: S,
    side: usize,
    /// The region of each cell in each lane; empty for a lane without a layout yet.
    regions_of: Vec<Vec<u8>>,
    /// Masks of lanes at `mask_index`: strip by strip; in a strip, region by region; for a region,
    /// one mask for each cell of the strip. Unused masks at the end make sure that `REGIONS`
    /// regions can be read from the start of any strip.
    masks: Vec<S::V>,
    /// The regions with a cell of each strip in some lane: bit r for region r.
    regions_in: Vec<u32>,
}

/// The bits in a mask of regions, and the length of arrays by region: saves bounds checks.
pub(crate) const REGIONS: usize = 32;

#[derive(Clone, Copy)]
pub(crate) struct Strip<'a, V, const W: usize> {
    pub regions: u32,
    /// The lanes in which cell i belongs to region r: `members[r][i]`, for r < N.
    pub members: &'a [[V; W]; REGIONS],
    /// Index in `PerLaneRegions::rows` of the row and region 0: N times the row.
    pub first_in_rows: usize,
    /// Index in `PerLaneRegions::columns` of the first column and region 0: N times the column.
    pub first_in_columns: usize,
}

fn width(side: usize) -> usize {
    if side == 9 { 3 } else { 1 }
}

/// Returns the number of each cell's region. Sorts the regions from top to bottom by the sum of the
/// rows of their cells. Divides them into runs of `across` regions (three in a 9x9), and sorts each
/// run from left to right by the sum of the columns.
fn number_regions(rules: &Rules) -> Vec<u8> {
    let side = rules.side();
    // The regions in a run: the greatest divisor of the side that is not above its square root.
    let divisors = (1..).take_while(|n| n * n <= side);
    let divisors = divisors.filter(|&n| side.is_multiple_of(n));
    let across = divisors.last().expect("1 divides every side");
    // The sums of rows and of columns order regions like their centers, because all have N cells.
    let regions = rules.jigsaw_regions_or_boxes().iter().map(|region| {
        let cells = region.cells.iter().map(|&cell| usize::from(cell));
        let [row, column] =
            cells.fold([0, 0], |[row, column], cell| [row + cell / side, column + cell % side]);
        (row, column, &region.cells)
    });
    let mut regions: Vec<_> = regions.collect();
    regions.sort_by_key(|&(row, ..)| row);
    for run in regions.chunks_mut(across) {
        run.sort_by_key(|&(_, column, _)| column);
    }
    debug_assert_eq!(regions.len(), side);
    let mut numbers = vec![0; side * side];
    for (number, (.., cells)) in (0..).zip(regions) {
        for &cell in cells {
            numbers[usize::from(cell)] = number;
        }
    }
    debug_assert!(numbers.iter().all(|&number| usize::from(number) < side));
    numbers
}

impl<S: Simd> Membership<S> {
    pub fn new(s: S, side: usize) -> Membership<S> {
        let none = s.splat(S::Lane::from_digits(0));
        let cells = side * side;
        Membership {
            s,
            side,
            regions_of: vec![Vec::new(); S::LANES],
            masks: vec![none; cells * side + width(side) * REGIONS],
            regions_in: vec![0; cells / width(side)],
        }
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, rules: &Rules) {
        debug_assert!(lane < S::LANES && rules.side() == self.side);
        let width = width(self.side);
        let regions = number_regions(rules);
        let old_regions = std::mem::replace(&mut self.regions_of[lane], regions);
        for (cell, region) in old_regions.into_iter().enumerate() {
            let member = self.mask_index(cell, region.into());
            self.s.lanes_mut(&mut self.masks[member])[lane] = S::Lane::from_digits(0);
            let of_strip = &self.masks[member - cell % width..][..width];
            if of_strip.iter().all(|&mask| self.s.nonzero_lanes(mask) == 0) {
                self.regions_in[cell / width] &= !(1 << region);
            }
        }
        for cell in 0..self.side * self.side {
            let region = usize::from(self.regions_of[lane][cell]);
            let member = self.mask_index(cell, region);
            self.s.lanes_mut(&mut self.masks[member])[lane] = S::Lane::from_digits(u32::MAX);
            self.regions_in[cell / width] |= 1 << region;
        }
        debug_assert!(self.has_one_region_per_cell(lane));
    }

    /// `strip` is an index in the row. `side` must be the side of the grid, and W `width(side)`.
    /// Callers pass them as constants where possible, for speed.
    #[inline(always)]
    pub fn strip<const W: usize>(
        &self,
        side: usize,
        row: usize,
        index_in_row: usize,
    ) -> Strip<'_, S::V, W> {
        debug_assert!(side == self.side && W == width(side));
        debug_assert!(row < side && index_in_row * W < side);
        let index = row * (side / W) + index_in_row;
        Strip {
            regions: self.regions_in[index],
            members: by_region(self.masks.as_chunks().0, index * side),
            first_in_rows: row * side,
            first_in_columns: index_in_row * W * side,
        }
    }

    #[inline(always)]
    fn mask_index(&self, cell: usize, region: usize) -> usize {
        let width = width(self.side);
        (cell / width * self.side + region) * width + cell % width
    }

    fn has_one_region_per_cell(&self, lane: usize) -> bool {
        let mut regions = self.regions_of[lane].iter().enumerate();
        regions.all(|(cell, &own)| {
            let members = (0..self.side).fold(0, |members, region| {
                let mask = self.masks[self.mask_index(cell, region)];
                members | (self.s.nonzero_lanes(mask) >> lane & 1) << region
            });
            members == 1 << own && self.regions_in[cell / width(self.side)] & members != 0
        })
    }
}

/// Returns the elements from `first` (region 0) on. Those from N on belong to something else.
#[inline(always)]
pub(crate) fn by_region<T>(all: &[T], first: usize) -> &[T; REGIONS] {
    all[first..].first_chunk().expect("room for REGIONS elements")
}

#[inline(always)]
pub(crate) fn by_region_mut<T>(all: &mut [T], first: usize) -> &mut [T; REGIONS] {
    all[first..].first_chunk_mut().expect("room for REGIONS elements")
}
