//! Second grids in a grid: where nine houses are three triples of rows by three of columns, the rows and columns in the
//! order of the triples are a grid of bands again, with these houses for its boxes. What its bands tell the cells.
//!
//! ```text
//!     windows, and the five houses they imply     rows 2 3 4, 6 7 8, 1 5 9; columns alike
//!     disjoint groups                             rows 1 4 7, 2 5 8, 3 6 9; columns alike
//! ```

use super::configurations::{
    configurations_by_minirows, minirow_by_configurations, with_a_configuration,
};
use super::houses::SweepFlags;
use super::simd::Simd;

/// A second grid.
pub(crate) struct Overlay {
    /// The cells of each of its boxes, along the boxes and along the rows within one.
    pub boxes: [[usize; 9]; 9],
}

pub(crate) const WINDOWS: Overlay = Overlay::of([1, 2, 3, 5, 6, 7, 0, 4, 8]);
pub(crate) const DISJOINT_GROUPS: Overlay = Overlay::of([0, 3, 6, 1, 4, 7, 2, 5, 8]);

impl Overlay {
    /// With rows and columns of the first grid in this order.
    const fn of(order: [usize; 9]) -> Overlay {
        let mut boxes = [[0; 9]; 9];
        let mut n = 0;
        while n < 81 {
            let (k, i) = (n / 9, n % 9);
            boxes[k][i] = 9 * order[k / 3 * 3 + i / 3] + order[k % 3 * 3 + i % 3];
            n += 1;
        }
        Overlay { boxes }
    }
}

/// Leaves each digit, in every band of a second grid, the minirows of the configurations in which it can stand there.
///
/// With the rows and columns of the first grid this comes to the singles of its boxes too, a sweep later.
// Not done: its boxes swept like those of the first grid. 5 % fewer branches, but each sweep takes 1.35 to 1.6 times as long, and
// all 8 to 17 % more. Nor hidden singles, nor minirows of which three digits are certain: 5 and 7 % fewer sweeps, no less time; nor
// columns after what rows tell cells: 2 % fewer sweeps, 1 to 4 % slower.
#[inline(always)]
pub(crate) fn sweep_overlay<S: Simd>(
    s: S,
    overlay: &Overlay,
    every_digit: S::V,
    cells: &mut [S::V; 81],
    flags: &mut SweepFlags<S::V>,
) {
    // Band by band without a loop, so that all places are known when compiling: with places looked up, windows and disjoint
    // groups took 3 to 9 % more time a sweep.
    let mut rows = [[every_digit; 9]; 3];
    row_minirows(s, overlay, 0, every_digit, cells, &mut rows[0], flags);
    row_minirows(s, overlay, 1, every_digit, cells, &mut rows[1], flags);
    row_minirows(s, overlay, 2, every_digit, cells, &mut rows[2], flags);
    narrow_stack(s, overlay, 0, every_digit, cells, &rows, flags);
    narrow_stack(s, overlay, 1, every_digit, cells, &rows, flags);
    narrow_stack(s, overlay, 2, every_digit, cells, &rows, flags);
}

/// What the rows of a band may hold by its configurations.
#[inline(always)]
fn row_minirows<S: Simd>(
    s: S,
    overlay: &Overlay,
    band: usize,
    every_digit: S::V,
    cells: &[S::V; 81],
    rows: &mut [S::V; 9],
    flags: &mut SweepFlags<S::V>,
) {
    for k in 0..3 {
        for r in 0..3 {
            let places = &overlay.boxes[3 * band + k];
            let [a, b, c] = [places[3 * r], places[3 * r + 1], places[3 * r + 2]];
            rows[3 * k + r] = s.or3(cells[a], cells[b], cells[c]);
        }
    }
    narrow_band(s, every_digit, rows, flags);
}

/// The same for the columns of a stack; and leaves its cells what their rows and columns may hold.
#[inline(always)]
fn narrow_stack<S: Simd>(
    s: S,
    overlay: &Overlay,
    stack: usize,
    every_digit: S::V,
    cells: &mut [S::V; 81],
    rows: &[[S::V; 9]; 3],
    flags: &mut SweepFlags<S::V>,
) {
    let mut columns = [every_digit; 9];
    for k in 0..3 {
        for c in 0..3 {
            let places = &overlay.boxes[3 * k + stack];
            let [x, y, z] = [places[c], places[3 + c], places[6 + c]];
            columns[3 * k + c] = s.or3(cells[x], cells[y], cells[z]);
        }
    }
    narrow_band(s, every_digit, &mut columns, flags);
    for k in 0..3 {
        for i in 0..9 {
            let cell = &mut cells[overlay.boxes[3 * k + stack][i]];
            let row = rows[k][3 * stack + i / 3];
            *cell = s.and3(*cell, row, columns[3 * k + i % 3]);
        }
    }
}

/// Narrows the minirows of one band.
// Not done: noted as a change. A sweep more before some branches, and as many branches within 0.4 %; 1 to 5 % slower.
#[inline(always)]
fn narrow_band<S: Simd>(
    s: S,
    every_digit: S::V,
    minirows: &mut [S::V; 9],
    flags: &mut SweepFlags<S::V>,
) {
    let configurations = configurations_by_minirows(s, minirows);
    let any = with_a_configuration(s, &configurations);
    flags.contradiction = s.note_missing(flags.contradiction, every_digit, any);
    for k in 0..3 {
        for r in 0..3 {
            minirows[3 * k + r] = minirow_by_configurations(s, &configurations, k, r);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::super::simd::Lane;
    use super::super::simd::portable::Portable;
    use super::*;

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

    /// Whether some order in which three minirows take the three boxes of a band has a digit in box `k` on minirow `r`.
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
    fn a_digit_stays_where_its_rows_and_its_columns_have_a_way_through_three_boxes() {
        let s = Portable;
        let mut random = Random::new(5);
        let (mut lost, mut contradictions) = (0, 0);
        for _ in 0..300 {
            let before: [u32; 81] =
                std::array::from_fn(|_| random.below(512) | random.below(512) & random.below(512));
            let mut cells = before.map(|cell| s.splat(u16::of(cell)));
            let mut flags = SweepFlags::new(s, s.splat(511));
            sweep_overlay(s, &WINDOWS, s.splat(511), &mut cells, &mut flags);

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
        assert!(
            lost > 200 && (1..300).contains(&contradictions),
            "{lost} {contradictions}"
        );
    }
}
