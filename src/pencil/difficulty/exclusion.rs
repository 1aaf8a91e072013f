//! Finds candidates to remove by aligned exclusion: of pairs, level 6.2.

use super::grid::{CellMask, Deductions, Grid, PEERS, cells_of};
use crate::pencil::marks::{elements_of, pairs_of};

/// Two cells have at least two common peers with two candidates each. They cannot hold the two candidates of such a peer, or the
/// same digit if they are peers themselves. Removes the candidates for which no digit of the other cell is left.
pub(super) fn of_pairs(grid: &Grid, found: &mut Deductions) {
    let small = grid.cells_with(2);
    let has_small_peer = |&cell: &usize| PEERS[cell] & small != 0;
    let bases: Vec<usize> = cells_of(grid.blanks).filter(has_small_peer).collect();
    for [first, second] in pairs_of(&bases) {
        let excluding = small & PEERS[first] & PEERS[second];
        if excluding.count_ones() >= 2 {
            of_pair(grid, found, [first, second], excluding);
            of_pair(grid, found, [second, first], excluding);
        }
    }
}

/// Removes the candidates of the first cell for which no digit of the second is left.
fn of_pair(grid: &Grid, found: &mut Deductions, [first, second]: [usize; 2], excluding: CellMask) {
    let are_peers = PEERS[first] >> second & 1 != 0;
    let excluded: Vec<u32> = cells_of(excluding)
        .map(|cell| grid.candidates[cell])
        .collect();
    for digit in elements_of(grid.candidates[first]) {
        let is_allowed = |other: usize| {
            let is_excluded = excluded.contains(&(1 << digit | 1 << other));
            !is_excluded && (digit != other || !are_peers)
        };
        if !elements_of(grid.candidates[second]).any(is_allowed) {
            found.remove_digits(grid, first, 1 << digit);
        }
    }
}
