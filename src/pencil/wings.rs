//! Finds XY-wings, XYZ-wings and W-wings: two cells of which at least one holds a digit z, because of a third cell or of a
//! house that has two cells for another digit.

use super::links::Node;
use super::paper::{Paper, digits_of, has_at_most};
use super::step::Pattern;
use super::tables::Tables;
use super::technique::Technique;
use super::technique::Technique::{WWing, XyWing, XyzWing};

/// Finds the first XY-wing that eliminates a candidate. The pivot has candidates x and y, and two of its peers, the wings,
/// have x, z and y, z. If the pivot holds x, the first wing holds z; if y, the second one.
pub(super) fn find_xy_wing(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let can_be_wing = |xy: u32, wing: u32| wing != xy && wing & xy != 0;
    // The wings share exactly one candidate z if and only if they differ in x and y.
    let are_wings = |xy: u32, xz: u32, yz: u32| xz ^ yz == xy;
    find(tables, paper, XyWing, can_be_wing, are_wings)
}

/// Finds the first XYZ-wing that eliminates a candidate. The pivot has candidates x, y and z, the wings x, z and y, z.
pub(super) fn find_xyz_wing(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let can_be_wing = |xyz: u32, wing: u32| wing & !xyz == 0;
    let are_wings = |xyz: u32, xz: u32, yz: u32| xz != yz && xz | yz == xyz;
    find(tables, paper, XyzWing, can_be_wing, are_wings)
}

/// Finds the first pivot with two wings that eliminates a candidate. The conditions get the candidates of the pivot first.
fn find(
    tables: &Tables,
    paper: &mut Paper,
    technique: Technique,
    can_be_wing: impl Fn(u32, u32) -> bool,
    are_wings: impl Fn(u32, u32, u32) -> bool,
) -> Option<Pattern> {
    let size = if technique == XyWing { 2 } else { 3 };
    for pivot in 0..tables.cells() as u16 {
        let of_pivot = paper.candidates[pivot];
        if !has_exactly(size, of_pivot) {
            continue;
        }
        let mut wings = std::mem::take(&mut paper.wings);
        let peers = tables.peers.of(pivot.into()).iter();
        let peers = peers.map(|&cell| (cell, paper.candidates[cell]));
        wings.clear();
        wings.extend(peers.filter(|&(_, set)| has_exactly(2, set) && can_be_wing(of_pivot, set)));
        let mut pairs = pairs_of(&wings);
        let found = pairs.find(|&[(first, xz), (second, yz)]| {
            are_wings(of_pivot, xz, yz) && {
                let peers = tables.common_peers(first, second);
                let sees_pivot = |&cell: &u16| technique == XyWing || tables.are_peers(cell, pivot);
                paper.eliminate(xz & yz, peers.filter(sees_pivot))
            }
        });
        drop(pairs);
        paper.wings = wings;
        if let Some([(first, _), (second, _)]) = found {
            let cells = [pivot, first, second];
            return Some(Pattern::Wing { technique, cells });
        }
    }
    None
}

/// Finds the first W-wing that eliminates a candidate: two cells with the same candidates x and z, and a house with two
/// cells for x, one of which sees the first cell and the other the second. One of the first two cells holds z.
pub(super) fn find_w_wing(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    paper.update_all_positions(tables);
    let mut ends = std::mem::take(&mut paper.wings);
    let sets = (0..).zip(paper.sets().iter().copied());
    ends.clear();
    ends.extend(sets.filter(|&(_, set)| has_exactly(2, set)));
    let mut pairs = pairs_of(&ends).filter(|[first, second]| first.1 == second.1);
    let found =
        pairs.find_map(|[(first, xz), (second, _)]| w_wing(tables, paper, [first, second], xz));
    drop(pairs);
    paper.wings = ends;
    found
}

/// Returns the W-wing of two cells with the same two candidates if it eliminates a candidate.
fn w_wing(tables: &Tables, paper: &mut Paper, ends: [u16; 2], xz: u32) -> Option<Pattern> {
    let [first, second] = ends;
    digits_of(xz).find_map(|x| {
        let z = (xz & !(1 << x)).trailing_zeros() as u8;
        let [a, b] = find_bridge(tables, paper, ends, x)?;
        let has_any = paper.eliminate(1 << z, tables.common_peers(first, second));
        let x = x as u8;
        let nodes = [
            (first, z),
            (first, x),
            (a, x),
            (b, x),
            (second, x),
            (second, z),
        ];
        has_any.then(|| Pattern::Chain {
            technique: WWing,
            nodes: nodes.map(|(cell, digit)| Node::of(cell, digit)).to_vec(),
        })
    })
}

/// Returns every two of these cells.
fn pairs_of(cells: &[(u16, u32)]) -> impl Iterator<Item = [(u16, u32); 2]> {
    cells.iter().enumerate().flat_map(|(index, &first)| {
        let later = cells[index + 1..].iter();
        later.map(move |&second| [first, second])
    })
}

/// Returns the two cells for a digit of the first house in which one sees `ends[0]` and the other `ends[1]`, in this order.
fn find_bridge(tables: &Tables, paper: &Paper, ends: [u16; 2], digit: usize) -> Option<[u16; 2]> {
    let [first, second] = ends;
    (0..tables.house_count).find_map(|house| {
        let [a, b] = paper.only_two_cells(tables, house, digit)?;
        let joins = |&[a, b]: &[u16; 2]| {
            a != second && b != first && tables.are_peers(a, first) && tables.are_peers(b, second)
        };
        [[a, b], [b, a]].into_iter().find(joins)
    })
}

fn has_exactly(size: usize, set: u32) -> bool {
    has_at_most(size, set) && !has_at_most(size - 1, set)
}
