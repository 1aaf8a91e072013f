//! Finds candidates to remove by XY-wings and XYZ-wings, levels 4.2 and 4.4.

use super::grid::{Deductions, Grid, PEERS, cells_of, common_peers, mask_of};
use crate::pencil::marks::pairs_of;
use crate::pencil::technique::Technique::{XyWing, XyzWing};

/// Two peers of a pivot, the wings, have the candidates x, z and y, z. The pivot has `PIVOT`
/// candidates: x and y, or x, y and z. The common peers of all cells that have z lose it.
pub(super) fn find<const PIVOT: u32>(grid: &Grid, found: &mut Deductions) {
    let pairs = grid.cells_with(2);
    for pivot in cells_of(grid.cells_with(PIVOT)) {
        let xy = grid.candidates[pivot];
        let wings: Vec<usize> = cells_of(pairs & PEERS[pivot]).collect();
        for [first, second] in pairs_of(&wings) {
            let (xz, yz) = (grid.candidates[first], grid.candidates[second]);
            let z = xz & yz;
            if xy & !z == xz ^ yz {
                let has_z = |&cell: &usize| grid.candidates[cell] & z != 0;
                let with_z = [pivot, first, second].into_iter().filter(has_z);
                let seen = common_peers(mask_of(with_z));
                found.remove(grid, seen, z.trailing_zeros() as usize);
                found.end_of_person([XyWing, XyzWing][PIVOT as usize - 2]);
            }
        }
    }
}
