//! Finds candidates to remove by aligned exclusion: of pairs (level 6.2), of triplets (level 7.5).

use super::grid::{CellMask, Deductions, Grid, PEERS, cell_list, cells_of, mask_of};
use crate::bits::bits;
use crate::pencil::marks::pairs_of;
use crate::pencil::pattern::{Pattern, Word};
use crate::pencil::technique::Technique::{AlignedPairExclusion, AlignedTripletExclusion};

/// Two cells have at least two common peers with two candidates each. The two cells cannot together
/// hold both candidates of such a peer, nor the same digit if they see each other. Removes each
/// candidate of one cell that leaves no digit for the other.
pub(super) fn of_pairs(grid: &Grid, found: &mut Deductions) {
    let small = grid.cells_with(2);
    for ([first, second], excluding) in bases(grid, small) {
        of_pair(grid, found, [first, second], excluding);
        of_pair(grid, found, [second, first], excluding);
        found.end(AlignedPairExclusion, || pattern(&[first, second], excluding));
    }
}

/// Like [`of_pairs`] with three cells: the third is a peer of one of the others, and has two or
/// three candidates, as the common peers can. The digits of the three cells must leave each of
/// these peers a candidate.
pub(super) fn of_triplets(grid: &Grid, found: &mut Deductions) {
    let small = grid.cells_with(2) | grid.cells_with(3);
    for ([first, second], seen_by_both) in bases(grid, small) {
        let seen_by_one = (PEERS[first] | PEERS[second]) & small;
        for third in cells_of(seen_by_one & !mask_of([first, second])) {
            let excluding = seen_by_both & PEERS[third];
            if excluding.count_ones() >= 2 {
                of_triplet(grid, found, [first, second, third], excluding);
            }
        }
    }
}

/// The cells, then their common peers that exclude combinations.
fn pattern(cells: &[usize], excluding: CellMask) -> Pattern {
    let cells = Word::Cells(cells.iter().map(|&cell| cell as u16).collect());
    vec![cells, Word::Text("/"), Word::Cells(cell_list(excluding))]
}

fn bases(grid: &Grid, small: CellMask) -> Vec<([usize; 2], CellMask)> {
    let blanks: Vec<usize> = cells_of(grid.blanks).collect();
    let peers = |[first, second]: [usize; 2]| PEERS[first] & PEERS[second] & small;
    let bases = pairs_of(&blanks).map(|pair| (pair, peers(pair)));
    bases.filter(|(_, peers)| peers.count_ones() >= 2).collect()
}

fn of_pair(grid: &Grid, found: &mut Deductions, [first, second]: [usize; 2], excluding: CellMask) {
    let are_peers = PEERS[first] >> second & 1 != 0;
    let excluded: Vec<u32> = cells_of(excluding).map(|cell| grid.candidates[cell]).collect();
    for digit in bits(grid.candidates[first]) {
        let is_allowed = |other: usize| {
            let is_excluded = excluded.contains(&(1 << digit | 1 << other));
            !is_excluded && (digit != other || !are_peers)
        };
        if !bits(grid.candidates[second]).any(is_allowed) {
            found.remove_digits(grid, first, 1 << digit);
        }
    }
}

/// A triplet of candidates is allowed if peers differ and each `excluding` cell keeps a candidate.
fn of_triplet(grid: &Grid, found: &mut Deductions, cells: [usize; 3], excluding: CellMask) {
    let excluded: Vec<u32> = cells_of(excluding).map(|cell| grid.candidates[cell]).collect();
    let [first, second, third] = cells;
    let are_peers = |[one, other]: [usize; 2]| PEERS[one] >> other & 1 != 0;
    let [x_sees_y, x_sees_z, y_sees_z] =
        [[first, second], [first, third], [second, third]].map(are_peers);
    let mut allowed = [0; 3];
    let [xs, ys, zs] = cells.map(|cell| grid.candidates[cell]);
    for x in bits(xs) {
        for y in bits(ys).filter(|&y| x != y || !x_sees_y) {
            for z in bits(zs).filter(|&z| !(x == z && x_sees_z || y == z && y_sees_z)) {
                let digits = 1 << x | 1 << y | 1 << z;
                if excluded.iter().all(|set| set & !digits != 0) {
                    for (allowed, digit) in allowed.iter_mut().zip([x, y, z]) {
                        *allowed |= 1 << digit;
                    }
                }
            }
        }
    }
    for (cell, allowed) in cells.into_iter().zip(allowed) {
        found.remove_digits(grid, cell, !allowed);
    }
    found.end(AlignedTripletExclusion, || pattern(&cells, excluding));
}
