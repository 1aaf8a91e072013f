//! Finds digits to place, levels 1.0 to 2.5. At these levels, a pattern that excludes places of a
//! digit counts only if it leaves the digit one place in a house. No candidates are removed.

use std::ops::Range;

use super::grid::{
    ALL_DIGITS, BOXES, CELL_MASKS, CELLS_OF, Deductions, Grid, HOUSES, LINES, cells_of,
};
use super::sets::{each_locked, each_subset};

use crate::bits::bits;
use crate::pencil::technique::Technique::{self, *};

pub(super) fn last_blank(grid: &Grid, found: &mut Deductions) {
    for house in (0..HOUSES).filter(|&house| grid.blanks_of(house) == 1) {
        hidden_singles_of(grid, found, FullHouse, house);
    }
}

pub(super) fn hidden_single_of_box(grid: &Grid, found: &mut Deductions) {
    BOXES.for_each(|house| hidden_singles_of(grid, found, HiddenSingle, house));
}

pub(super) fn hidden_single_of_line(grid: &Grid, found: &mut Deductions) {
    LINES.for_each(|house| hidden_singles_of(grid, found, HiddenSingle, house));
}

fn hidden_singles_of(grid: &Grid, found: &mut Deductions, technique: Technique, house: usize) {
    for (digit, positions) in grid.positions[house].into_iter().enumerate() {
        if positions.is_power_of_two() {
            found.place(CELLS_OF[house][positions.trailing_zeros() as usize], digit);
            found.end_of_person(technique);
        }
    }
}

pub(super) fn naked_single(grid: &Grid, found: &mut Deductions) {
    for cell in cells_of(grid.cells_with(1)) {
        found.place(cell, grid.candidates[cell].trailing_zeros() as usize);
        found.end_of_person(NakedSingle);
    }
}

pub(super) fn pointing(grid: &Grid, found: &mut Deductions) {
    place_locked(grid, found, DirectPointing, BOXES, LINES);
}

pub(super) fn claiming(grid: &Grid, found: &mut Deductions) {
    place_locked(grid, found, DirectClaiming, LINES, BOXES);
}

/// If a house of `from` can hold a digit only in cells of a house of `to`, the rest of the house of
/// `to` cannot hold it. Places the digit if that leaves one place for it in a third house, of the
/// same kind (box, row, column) as the house of `from`.
fn place_locked(
    grid: &Grid,
    found: &mut Deductions,
    technique: Technique,
    from: Range<usize>,
    to: Range<usize>,
) {
    each_locked(grid, from, to, |digit, confining, target| {
        let first_of_kind = confining / 9 * 9;
        for third in first_of_kind..first_of_kind + 9 {
            let places = grid.cells_for[digit] & CELL_MASKS[third];
            let left = places & !CELL_MASKS[target];
            if left != places && left.is_power_of_two() {
                found.place(left.trailing_zeros() as usize, digit);
                found.end_of_person(technique);
            }
        }
    });
}

/// K digits have K places in a house together, which all other digits lose. Places a digit that
/// loses some of its places by this and has one left.
pub(super) fn hidden_set<const K: usize>(grid: &Grid, found: &mut Deductions) {
    let technique = [DirectHiddenPair, DirectHiddenTriple][K - 2];
    for house in 0..HOUSES {
        let positions = &grid.positions[house];
        each_subset::<K>(*positions, |digits, taken| {
            for digit in bits(ALL_DIGITS & !digits) {
                let left = positions[digit] & !taken;
                if left != positions[digit] && left.is_power_of_two() {
                    found.place(CELLS_OF[house][left.trailing_zeros() as usize], digit);
                    found.end_of_person(technique);
                }
            }
        });
    }
}
