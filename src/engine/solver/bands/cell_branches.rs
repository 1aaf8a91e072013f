//! The choice of a cell to branch on. If the rules have pairs of cells, a band board branches on a
//! cell with two or three candidates, if there is one. Pairs exclude few candidates until cells are
//! solved, so a search that only took the best band would find contradictions late. Two kinds of
//! branches come before a branch on a cell:
//!
//! * on the digit and band of the last branch that failed, if several configurations are still open
//! * in the best band, if it has fewer than `MIN_OPEN_CONFIGURATIONS` open configurations
//!
//! Like every branch of a band board, a branch on a cell splits the configurations of a digit in a
//! band: it first tries those through the minirow of the cell. If no others are open, it instead
//! splits those in the stack, and first tries those through the minicolumn of the cell.

pub(super) const MIN_OPEN_CONFIGURATIONS: u16 = 26;

/// Cells at the border usually form pairs with fewer cells.
pub(super) fn cells_from_centre() -> Vec<usize> {
    let squared_distance = |&cell: &usize| {
        let (row, column) = (cell / 9, cell % 9);
        row.abs_diff(4).pow(2) + column.abs_diff(4).pow(2)
    };
    let mut cells: Vec<usize> = (0..81).collect();
    cells.sort_by_key(squared_distance);
    cells
}

/// Returns the first of `cells` with two candidates, or else the first one with three.
// Tried: cells with two candidates only. A blank `diagonal,antiking,nonconsecutive` takes 15 times
// as long. Tried: cells with any number of candidates. A blank `window,nonconsecutive` takes 8
// times as long.
#[inline(always)]
pub(super) fn best_cell(cells: &[usize], candidates_of: impl Fn(usize) -> u16) -> Option<usize> {
    let mut with_three = None;
    for &cell in cells {
        let candidates = candidates_of(cell);
        let without_lowest = candidates & candidates.wrapping_sub(1);
        let without_lowest_two = without_lowest & without_lowest.wrapping_sub(1);
        if without_lowest.is_power_of_two() {
            return Some(cell);
        }
        if without_lowest_two.is_power_of_two() && with_three.is_none() {
            with_three = Some(cell);
        }
    }
    with_three
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solver::simd::DIGIT_BITS;

    #[test]
    fn the_best_cell_has_two_or_three_candidates_and_is_the_nearest_to_the_centre() {
        let cells = cells_from_centre();
        let mut random = Random::new(3);
        let mut found = [0; 5];
        for n in 0..300 {
            let sets: [u16; 81] = std::array::from_fn(|_| {
                let digits = DIGIT_BITS.iter().filter(|_| random.below(6) < n % 6 + 1);
                digits.fold(DIGIT_BITS[0], |set, digit| set | digit)
            });
            let distance = |cell: usize| {
                let (row, column) = (cell / 9, cell % 9);
                row.abs_diff(4).pow(2) + column.abs_diff(4).pow(2)
            };
            let few = (0..81).filter(|&cell| (2..=3).contains(&sets[cell].count_ones()));
            let expected = few.min_by_key(|&cell| (sets[cell].count_ones(), distance(cell)));
            assert_eq!(best_cell(&cells, |cell| sets[cell]), expected, "{sets:?}");
            found[expected.map_or(0, |cell| sets[cell].count_ones() as usize)] += 1;
        }
        assert!(found[0] > 20 && found[2] > 20 && found[3] > 20, "{found:?}");
    }
}
