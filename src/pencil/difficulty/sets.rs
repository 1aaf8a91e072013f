//! Finds candidates to remove by locked candidates, naked and hidden sets, and fish, levels 2.6 to 4.0, 5.0, 5.2 and 5.4.

use super::grid::{
    ALL_DIGITS, BOXES, CELL_MASKS, CELLS_OF, COLUMNS, Deductions, Grid, HOUSES, LINES, ROWS,
};
use crate::pencil::marks::elements_of;
use crate::pencil::subsets::first_subset;

pub(super) fn pointing(grid: &Grid, found: &mut Deductions) {
    for (from, to) in BOXES.flat_map(|from| LINES.map(move |to| (from, to))) {
        locked(grid, found, from, to);
    }
}

pub(super) fn claiming(grid: &Grid, found: &mut Deductions) {
    for (from, to) in LINES.flat_map(|from| BOXES.map(move |to| (from, to))) {
        locked(grid, found, from, to);
    }
}

/// If `from` can hold a digit only in cells of `to`, the rest of `to` loses the digit.
fn locked(grid: &Grid, found: &mut Deductions, from: usize, to: usize) {
    let (confining, other) = (CELL_MASKS[from], CELL_MASKS[to]);
    if confining & other == 0 {
        return;
    }
    for (digit, cells) in grid.cells_for.into_iter().enumerate() {
        if cells & confining != 0 && cells & confining & !other == 0 {
            found.remove(grid, other & !confining, digit);
        }
    }
}

/// K cells of a house have K candidates together. The other cells of the house lose them.
pub(super) fn naked<const K: usize>(grid: &Grid, found: &mut Deductions) {
    for cells in CELLS_OF {
        each_subset::<K>(cells.map(|cell| grid.candidates[cell]), |chosen, digits| {
            for position in elements_of(ALL_DIGITS & !chosen) {
                found.remove_digits(grid, cells[position], digits);
            }
        });
    }
}

/// K digits have K places in a house together. These cells lose all other digits.
pub(super) fn hidden<const K: usize>(grid: &Grid, found: &mut Deductions) {
    for house in 0..HOUSES {
        each_subset::<K>(grid.positions[house], |digits, positions| {
            for position in elements_of(positions) {
                found.remove_digits(grid, CELLS_OF[house][position], !digits);
            }
        });
    }
}

/// K rows have K columns together for a digit, or K columns K rows. The rest of these columns or rows loses the digit.
pub(super) fn fish<const K: usize>(grid: &Grid, found: &mut Deductions) {
    for digit in 0..9 {
        for (lines, crossing) in [(ROWS, COLUMNS), (COLUMNS, ROWS)] {
            let positions = std::array::from_fn(|line| grid.positions[lines.start + line][digit]);
            each_subset::<K>(positions, |base, cover| {
                let union = |start: usize, lines: u32| {
                    elements_of(lines).fold(0, |cells, line| cells | CELL_MASKS[start + line])
                };
                let cells = union(crossing.start, cover) & !union(lines.start, base);
                found.remove(grid, cells, digit);
            });
        }
    }
}

/// Calls `on_subset` with each K of nine sets that have K elements together: the indices of the sets, and the elements. Skips sets
/// with fewer than two elements.
pub(super) fn each_subset<const K: usize>(sets: [u32; 9], mut on_subset: impl FnMut(u32, u32)) {
    _ = first_subset::<K, K, ()>(sets.into_iter(), |subset| {
        on_subset(subset.members, subset.union);
        None
    });
}
