//! Finds XY-wings, XYZ-wings and W-wings: at least one of two or three cells holds a digit z.

use super::marks::{Marks, has_at_most, has_exactly, pairs_of};
use super::pattern::{ChainNode, Pattern, Word, chain};
use super::tables::Tables;
use crate::bits::bits;

/// `pivot_size` is 2 for an XY-wing, 3 for an XYZ-wing. The pivot has candidates x and y, or x, y
/// and z; the wings have x, z and y, z. Whatever the pivot holds, one of the wings holds z, or the
/// pivot of an XYZ-wing does.
pub(super) fn find(tables: &Tables, marks: &mut Marks, pivot_size: usize) -> Option<Pattern> {
    let mut wings: Vec<(u16, u32)> = Vec::new();
    let found = (0..tables.cells() as u16).find_map(|pivot| {
        let xy = marks.candidates[pivot];
        if !has_exactly(pivot_size, xy) {
            return None;
        }
        let is_wing = |set: u32| has_exactly(2, set) && set != xy && has_at_most(3, xy | set);
        let peers = tables.peers.of(pivot.into()).iter();
        let peers = peers.map(|&cell| (cell, marks.candidates[cell]));
        wings.clear();
        wings.extend(peers.filter(|&(_, set)| is_wing(set)));
        let mut pairs = pairs_of(&wings);
        let pair = pairs.find(|&[(first, xz), (second, yz)]| {
            let z = xz & yz;
            // The pivot of an XYZ-wing can hold z too, so the cells that lose z must see the pivot.
            let sees_pivot = |cell: &u16| xy & z == 0 || tables.are_peers(*cell, pivot);
            let peers = tables.common_peers(first, second).filter(sees_pivot);
            let is_pattern = xz != yz && has_at_most(3, xy | xz | yz);
            is_pattern && marks.eliminate(z, peers)
        });
        pair.map(|pair| vec![pivot, pair[0].0, pair[1].0])
    });
    found.map(|cells| vec![Word::Cells(cells)])
}

/// The ends are cells with the same two candidates x and z. The house holds x in one of its two
/// cells, so the end that this cell sees holds z.
pub(super) fn find_w_wing(tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
    let sets = (0..).zip(marks.sets().iter().copied());
    let ends: Vec<(u16, u32)> = sets.filter(|&(_, set)| has_exactly(2, set)).collect();
    let mut pairs = pairs_of(&ends).filter(|[first, second]| first.1 == second.1);
    pairs.find_map(|[(first, xz), (second, _)]| find_w_wing_of(tables, marks, [first, second], xz))
}

fn find_w_wing_of(tables: &Tables, marks: &mut Marks, ends: [u16; 2], xz: u32) -> Option<Pattern> {
    let [first, second] = ends;
    bits(xz).find_map(|x| {
        let z = (xz & !(1 << x)).trailing_zeros() as u8;
        // Looks for eliminations first, because that is cheaper. If there is no such house, no
        // caller uses these: the next pattern that is found replaces them.
        if !marks.eliminate(1 << z, tables.common_peers(first, second)) {
            return None;
        }
        let [a, b] = find_link(tables, marks, ends, x)?;
        let x = x as u8;
        let digits = [z, x, x, x, x, z];
        let cells = [first, first, a, b, second, second];
        let nodes = cells.into_iter().zip(digits);
        Some(chain(nodes.map(|(cell, digit)| ChainNode::at(cell, digit))))
    })
}

/// Returns the only two cells for the digit in a house, if they see `ends[0]` and `ends[1]`.
fn find_link(tables: &Tables, marks: &Marks, ends: [u16; 2], digit: usize) -> Option<[u16; 2]> {
    let [first, second] = ends;
    marks.links(tables, digit).find_map(|[a, b]| {
        // A cell does not see itself, so `a` is not `first` and `b` is not `second`.
        let joins = |&[a, b]: &[u16; 2]| {
            a != second && b != first && tables.are_peers(a, first) && tables.are_peers(b, second)
        };
        [[a, b], [b, a]].into_iter().find(joins)
    })
}
