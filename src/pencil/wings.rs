//! Finds XY-wings, XYZ-wings and W-wings. In each pattern, one of two or three cells must hold a digit z, so the cells that see
//! all of these lose z.

use super::links::ChainNode;
use super::marks::{Marks, elements_of, has_exactly, pairs_of};
use super::step::Pattern;
use super::tables::Tables;
use super::technique::Technique::XyWing;

/// Finds the first XY-wing that eliminates a candidate, and stores the eliminations. The pivot has candidates x and y. Two of
/// its peers, the wings, have x, z and y, z. If the pivot holds x, the first wing holds z; if the pivot holds y, the second
/// wing does.
pub(super) fn find_xy_wing(tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
    if !marks.history.links_of_cells_need_search(XyWing) {
        return None;
    }
    let found = find(tables, marks, WingKind::Xy);
    if found.is_none() {
        marks.history.record_failed_search(XyWing, 0);
    }
    found
}

/// Finds the first XYZ-wing that eliminates a candidate, and stores the eliminations. The pivot has candidates x, y and z, the
/// wings x, z and y, z. Whatever the pivot holds, at least one of the three cells holds z.
pub(super) fn find_xyz_wing(tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
    find(tables, marks, WingKind::Xyz)
}

/// The pivot of an XY-wing cannot hold z, that of an XYZ-wing can.
#[derive(Clone, Copy, PartialEq, Eq)]
enum WingKind {
    Xy,
    Xyz,
}

impl WingKind {
    fn is_pivot(self, set: u32) -> bool {
        match self {
            WingKind::Xy => has_exactly(2, set),
            WingKind::Xyz => has_exactly(3, set),
        }
    }

    /// Returns true if a peer of the pivot can be a wing. `pivot` and `set` are the candidates of the pivot and of the peer.
    fn is_wing(self, pivot: u32, set: u32) -> bool {
        let fits = match self {
            // One candidate in common with the pivot.
            WingKind::Xy => set != pivot && set & pivot != 0,
            // Both candidates are candidates of the pivot.
            WingKind::Xyz => set & !pivot == 0,
        };
        fits && has_exactly(2, set)
    }

    /// Returns true if two cells that can be wings form a pattern with the pivot. `pivot`, `first` and `second` are the
    /// candidates of the three cells.
    fn are_wings(self, pivot: u32, first: u32, second: u32) -> bool {
        match self {
            // xz ^ yz == xy, and only for a common z.
            WingKind::Xy => first ^ second == pivot,
            // Two different pairs out of x, y, z: their common digit is z.
            WingKind::Xyz => first != second,
        }
    }
}

/// Finds the first pivot with two wings that eliminate a candidate, and stores the eliminations.
fn find(tables: &Tables, marks: &mut Marks, kind: WingKind) -> Option<Pattern> {
    // Cells that can be wings of the pivot, each with its candidates.
    let mut wings: Vec<(u16, u32)> = Vec::new();
    let found = (0..tables.cells() as u16).find_map(|pivot| {
        let of_pivot = marks.candidates[pivot];
        if !kind.is_pivot(of_pivot) {
            return None;
        }
        let peers = tables.peers.of(pivot.into()).iter();
        let peers = peers.map(|&cell| (cell, marks.candidates[cell]));
        wings.clear();
        wings.extend(peers.filter(|&(_, set)| kind.is_wing(of_pivot, set)));
        let mut pairs = pairs_of(&wings);
        let pair = pairs.find(|&[(first, xz), (second, yz)]| {
            kind.are_wings(of_pivot, xz, yz)
                && eliminate(tables, marks, kind, [pivot, first, second], xz & yz)
        });
        pair.map(|pair| [pivot, pair[0].0, pair[1].0])
    });
    found.map(Pattern::Wing)
}

/// Stores the eliminations of z, a set of one digit, from all cells that see both wings and, in an XYZ-wing, the pivot. Returns
/// false if there are none.
fn eliminate(tables: &Tables, marks: &mut Marks, kind: WingKind, cells: [u16; 3], z: u32) -> bool {
    let [pivot, first, second] = cells;
    let peers = tables.common_peers(first, second);
    marks.eliminate(
        z,
        peers.filter(|&cell| kind == WingKind::Xy || tables.are_peers(cell, pivot)),
    )
}

/// Finds the first W-wing that eliminates a candidate, and stores the eliminations: two cells with the same two candidates x
/// and z, and a house with only two cells for x. One cell of the house sees the first cell, and the other sees the second. The
/// house holds x in one of its two cells, so at least one of the first two cells does not hold x, and holds z.
pub(super) fn find_w_wing(tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
    marks.update_all_positions(tables);
    let sets = (0..).zip(marks.sets().iter().copied());
    let ends: Vec<(u16, u32)> = sets.filter(|&(_, set)| has_exactly(2, set)).collect();
    let mut pairs = pairs_of(&ends).filter(|[first, second]| first.1 == second.1);
    pairs.find_map(|[(first, xz), (second, _)]| find_w_wing_of(tables, marks, [first, second], xz))
}

/// Finds the first W-wing of these two cells, whose only candidates are x and z, that eliminates a candidate.
fn find_w_wing_of(tables: &Tables, marks: &mut Marks, ends: [u16; 2], xz: u32) -> Option<Pattern> {
    let [first, second] = ends;
    elements_of(xz).find_map(|x| {
        let z = (xz & !(1 << x)).trailing_zeros() as u8;
        // Looks for eliminations first, because that is cheaper than to look for the house. If there is no such house, the next
        // search replaces these eliminations.
        if !marks.eliminate(1 << z, tables.common_peers(first, second)) {
            return None;
        }
        let [a, b] = find_link(tables, marks, ends, x)?;
        let x = x as u8;
        let nodes = [
            (first, z),
            (first, x),
            (a, x),
            (b, x),
            (second, x),
            (second, z),
        ];
        let nodes = nodes.map(|(cell, digit)| ChainNode::of(cell, digit));
        Some(Pattern::Chain(nodes.to_vec()))
    })
}

/// Returns the cells [a, b] of the first house that has only two cells for the digit, and where a sees `ends[0]` and b sees
/// `ends[1]`.
fn find_link(tables: &Tables, marks: &Marks, ends: [u16; 2], digit: usize) -> Option<[u16; 2]> {
    let [first, second] = ends;
    (0..tables.house_count).find_map(|house| {
        let [a, b] = marks.only_two_cells(tables, house, digit)?;
        // The four cells must be different. A cell does not see itself.
        let joins = |&[a, b]: &[u16; 2]| {
            a != second && b != first && tables.are_peers(a, first) && tables.are_peers(b, second)
        };
        [[a, b], [b, a]].into_iter().find(joins)
    })
}
