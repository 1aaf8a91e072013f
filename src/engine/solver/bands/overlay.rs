//! Overlays: nine extra or implied houses that are the boxes of a second grid, which has the same
//! rows and columns in another order. The windows with the houses that they imply form an overlay,
//! and so do the disjoint groups.
//!
//! An overlay permutes the rows and the columns of the grid. In the permuted grid, the nine houses
//! are the boxes:
//!
//! ```text
//!     windows and the five houses they imply      disjoint groups            order of the rows, and of the columns
//!       a b b b a c c c a                           a b c a b c a b c        windows: 2 3 4, 6 7 8, 1 5 9
//!       d W W W d X X X d                           d e f d e f d e f        disjoint groups: 1 4 7, 2 5 8, 3 6 9
//!       d W W W d X X X d                           g h i g h i g h i
//!       d W W W d X X X d                           a b c a b c a b c
//!       a b b b a c c c a                           ...
//!       ...
//! ```

use super::configurations::{
    configurations_by_minirows, minirow_by_configurations, with_a_configuration,
};
use crate::solver::constraints::houses::SweepFlags;
use crate::solver::simd::Simd;

pub(crate) struct Overlay {
    /// `boxes[3 * band + stack][3 * row + column]`, with row and column within the box.
    pub boxes: [[usize; 9]; 9],
}

pub(crate) const WINDOWS: Overlay = Overlay::from_order([1, 2, 3, 5, 6, 7, 0, 4, 8]);
pub(crate) const DISJOINT_GROUPS: Overlay = Overlay::from_order([0, 3, 6, 1, 4, 7, 2, 5, 8]);

impl Overlay {
    const fn from_order(order: [usize; 9]) -> Overlay {
        let mut boxes = [[0; 9]; 9];
        let mut n = 0;
        while n < 81 {
            // Box k holds three rows from row `k / 3 * 3` of the permuted grid, and three columns
            // from column `k % 3 * 3`.
            let (k, i) = (n / 9, n % 9);
            let (row, column) = (k / 3 * 3 + i / 3, k % 3 * 3 + i % 3);
            boxes[k][i] = 9 * order[row] + order[column];
            n += 1;
        }
        Overlay { boxes }
    }
}

/// Removes a digit from a cell unless it has a configuration through the minirow of the cell in its
/// overlay band, and one through the minicolumn of the cell in its overlay stack. A digit without a
/// configuration is a contradiction.
///
/// This also finds the singles of the overlay's boxes, one sweep later. If only one cell of such a
/// box can hold a digit, all configurations go through the minirow of that cell. The other cells of
/// its row lose the digit, so the next sweep of the rows finds a hidden single.
///
/// The removals do not count as changes: a lane in which nothing else changes branches at once, and
/// the next sweep uses the removals.
// Tried: a sweep of the overlay's boxes like that of the main grid's boxes. 5 % fewer branches,
// 8-17 % more time in all.
#[inline(always)]
pub(crate) fn sweep_overlay<S: Simd>(
    overlay: &Overlay,
    cells: &mut [S::V; 81],
    flags: &mut SweepFlags<S>,
) {
    let mut sweep = OverlaySweep { overlay, cells, flags };
    // No loop, so that all indices are constants: with tables, a sweep takes 3-9 % more time.
    let minirows =
        [sweep.minirows_of_band(0), sweep.minirows_of_band(1), sweep.minirows_of_band(2)];
    sweep.narrow_stack(0, &minirows);
    sweep.narrow_stack(1, &minirows);
    sweep.narrow_stack(2, &minirows);
}

struct OverlaySweep<'a, S: Simd> {
    overlay: &'a Overlay,
    cells: &'a mut [S::V; 81],
    flags: &'a mut SweepFlags<S>,
}

impl<S: Simd> OverlaySweep<'_, S> {
    /// Returns the digits that the configurations allow, with row r of box k at `3*k + r`.
    #[inline(always)]
    fn minirows_of_band(&mut self, band: usize) -> [S::V; 9] {
        let mut minirows = [self.flags.every_digit; 9];
        for k in 0..3 {
            for r in 0..3 {
                let places = &self.overlay.boxes[3 * band + k];
                minirows[3 * k + r] =
                    self.held_by([places[3 * r], places[3 * r + 1], places[3 * r + 2]]);
            }
        }
        self.apply_configurations(&mut minirows);
        minirows
    }

    /// `minirows[band]` is the result of `minirows_of_band`.
    #[inline(always)]
    fn narrow_stack(&mut self, stack: usize, minirows: &[[S::V; 9]; 3]) {
        let (s, boxes) = (self.flags.s, &self.overlay.boxes);
        let mut minicolumns = [self.flags.every_digit; 9];
        for band in 0..3 {
            for c in 0..3 {
                let places = &boxes[3 * band + stack];
                minicolumns[3 * band + c] = self.held_by([places[c], places[3 + c], places[6 + c]]);
            }
        }
        self.apply_configurations(&mut minicolumns);
        for band in 0..3 {
            for i in 0..9 {
                let cell = &mut self.cells[boxes[3 * band + stack][i]];
                let minirow = minirows[band][3 * stack + i / 3];
                let minicolumn = minicolumns[3 * band + i % 3];
                *cell = s.and3(*cell, minirow, minicolumn);
            }
        }
    }

    #[inline(always)]
    fn apply_configurations(&mut self, minirows: &mut [S::V; 9]) {
        let flags = &mut *self.flags;
        let s = flags.s;
        let configurations = configurations_by_minirows(s, minirows);
        let any = with_a_configuration(s, &configurations);
        flags.contradiction = s.or_and_not(flags.contradiction, flags.every_digit, any);
        for k in 0..3 {
            for r in 0..3 {
                minirows[3 * k + r] = minirow_by_configurations(s, &configurations, k, r);
            }
        }
    }

    #[inline(always)]
    fn held_by(&self, [a, b, c]: [usize; 3]) -> S::V {
        self.flags.s.or3(self.cells[a], self.cells[b], self.cells[c])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solver::simd::Lane;
    use crate::solver::simd::portable::Portable;

    #[test]
    fn an_overlay_has_every_cell_once_and_the_windows_for_boxes() {
        for overlay in [WINDOWS, DISJOINT_GROUPS] {
            let mut cells = overlay.boxes.concat();
            cells.sort_unstable();
            assert_eq!(cells, (0..81).collect::<Vec<usize>>());
        }
        let window = [10, 11, 12, 19, 20, 21, 28, 29, 30];
        assert_eq!(WINDOWS.boxes[0], window);
    }

    /// Returns whether `digit` has a configuration in a band that puts it in row `r` of box `k`.
    fn has_configuration(
        held: impl Fn(usize, usize) -> u32,
        k: usize,
        r: usize,
        digit: u32,
    ) -> bool {
        let three = (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]);
        let mut orders = three.filter(|[a, b, c]| a != b && b != c && a != c);
        orders.any(|boxes| boxes[r] == k && (0..3).all(|row| held(boxes[row], row) & digit != 0))
    }

    #[test]
    fn a_digit_stays_where_its_rows_and_its_columns_have_a_configuration() {
        let s = Portable;
        let mut random = Random::new(5);
        let (mut lost, mut contradictions) = (0, 0);
        for _ in 0..300 {
            let before: [u32; 81] =
                std::array::from_fn(|_| random.below(512) | random.below(512) & random.below(512));
            let mut cells = before.map(|cell| s.splat(u16::from_digits(cell)));
            let mut flags = SweepFlags::new(s, s.splat(511));
            sweep_overlay(&WINDOWS, &mut cells, &mut flags);

            let at = |k: usize, i: usize| before[WINDOWS.boxes[k][i]];
            let row = |k: usize, r: usize| (0..3).fold(0, |held, c| held | at(k, 3 * r + c));
            let column = |k: usize, c: usize| (0..3).fold(0, |held, r| held | at(k, 3 * r + c));
            let mut after = before;
            for (place, digit) in (0..81).flat_map(|place| (0..9).map(move |d| (place, 1 << d))) {
                let (k, i) = (place / 9, place % 9);
                let (band, stack) = (k / 3, k % 3);
                let by_rows = has_configuration(|k, r| row(3 * band + k, r), stack, i / 3, digit);
                let by_columns =
                    has_configuration(|k, c| column(3 * k + stack, c), band, i % 3, digit);
                if !(by_rows && by_columns) {
                    after[WINDOWS.boxes[k][i]] &= !digit;
                }
            }
            let found = cells.each_ref().map(|set| u32::from(s.lanes(set)[0]));
            assert_eq!(found, after);
            assert_eq!(s.nonzero_lanes(flags.changed), 0, "no sweep more by itself");
            lost += u32::from(after != before);
            contradictions += u32::from(s.nonzero_lanes(flags.contradiction) != 0);
        }
        assert!(lost > 200 && (1..300).contains(&contradictions), "{lost} {contradictions}");
    }
}
