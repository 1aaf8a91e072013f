//! Finds candidates to remove by XY-wings and XYZ-wings, levels 4.2 and 4.4.

use super::grid::{Deductions, Grid, PEERS, cells_of};
use crate::pencil::marks::pairs_of;

pub(super) fn xy(grid: &Grid, found: &mut Deductions) {
    find(grid, found, 2);
}

pub(super) fn xyz(grid: &Grid, found: &mut Deductions) {
    find(grid, found, 3);
}

/// Two peers of a pivot, the wings, have the candidates x, z and y, z. The pivot has x and y, or x,
/// y and z. The common peers of all cells that have z lose it.
fn find(grid: &Grid, found: &mut Deductions, pivot_size: u32) {
    let pairs = grid.cells_with(2);
    for pivot in cells_of(grid.cells_with(pivot_size)) {
        let xy = grid.candidates[pivot];
        let is_wing = |&cell: &usize| (grid.candidates[cell] & !xy).count_ones() == 3 - pivot_size;
        let wings: Vec<usize> = cells_of(pairs & PEERS[pivot]).filter(is_wing).collect();
        for [first, second] in pairs_of(&wings) {
            let (xz, yz) = (grid.candidates[first], grid.candidates[second]);
            let z = xz & yz;
            let expected = if pivot_size == 2 { xz ^ yz } else { xz | yz };
            if z.is_power_of_two() && xy == expected {
                let seen = PEERS[first] & PEERS[second];
                let seen = if pivot_size == 2 {
                    seen
                } else {
                    seen & PEERS[pivot]
                };
                found.remove(grid, seen & !(1 << pivot), z.trailing_zeros() as usize);
            }
        }
    }
}
