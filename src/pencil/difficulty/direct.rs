//! Finds digits to place, levels 1.0 to 2.5. The patterns of these levels place the digit that gets its last place in a house, and
//! remove no candidates.

use super::grid::{
    ALL_DIGITS, BOXES, CELL_MASKS, CELLS_OF, Deductions, Grid, HOUSES, LINES, cells_of,
};
use super::sets::each_subset;
use crate::pencil::marks::elements_of;

pub(super) fn last_blank(grid: &Grid, found: &mut Deductions) {
    for house in (0..HOUSES).filter(|&house| grid.blanks_of(house) == 1) {
        hidden_singles_of(grid, found, house);
    }
}

pub(super) fn hidden_single_of_box(grid: &Grid, found: &mut Deductions) {
    BOXES.for_each(|house| hidden_singles_of(grid, found, house));
}

pub(super) fn hidden_single_of_line(grid: &Grid, found: &mut Deductions) {
    LINES.for_each(|house| hidden_singles_of(grid, found, house));
}

fn hidden_singles_of(grid: &Grid, found: &mut Deductions, house: usize) {
    for (digit, positions) in grid.positions[house].into_iter().enumerate() {
        if positions.is_power_of_two() {
            found.place(CELLS_OF[house][positions.trailing_zeros() as usize], digit);
        }
    }
}

pub(super) fn naked_single(grid: &Grid, found: &mut Deductions) {
    for cell in cells_of(grid.cells_with(1)) {
        found.place(cell, grid.candidates[cell].trailing_zeros() as usize);
    }
}

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

/// If `from` can hold a digit only in cells of `to`, the rest of `to` cannot hold it. Places the digit if another house of the
/// kind of `from` then has one place left for it.
fn locked(grid: &Grid, found: &mut Deductions, from: usize, to: usize) {
    let (confining, other) = (CELL_MASKS[from], CELL_MASKS[to]);
    if confining & other == 0 {
        return;
    }
    let kind = from / 9 * 9;
    for (digit, cells) in grid.cells_for.into_iter().enumerate() {
        let inside = cells & confining;
        if inside & !other != 0 || inside.count_ones() < 2 {
            continue;
        }
        for third in (kind..kind + 9).filter(|&house| house != from) {
            let places = cells & CELL_MASKS[third];
            let left = places & !other;
            if left != places && left.is_power_of_two() {
                found.place(left.trailing_zeros() as usize, digit);
            }
        }
    }
}

/// K digits have the same K places in a house. Places a digit that has one place left besides them.
pub(super) fn hidden_set<const K: usize>(grid: &Grid, found: &mut Deductions) {
    for house in 0..HOUSES {
        let positions = &grid.positions[house];
        each_subset::<K>(*positions, |digits, taken| {
            for digit in elements_of(ALL_DIGITS & !digits) {
                let left = positions[digit] & !taken;
                if left != positions[digit] && left.is_power_of_two() {
                    found.place(CELLS_OF[house][left.trailing_zeros() as usize], digit);
                }
            }
        });
    }
}
