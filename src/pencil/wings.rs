//! XY-wing: a cell with two candidates and two of its peers, of which one holds the third digit whatever the cell holds.

use super::paper::{Paper, has_at_most};
use super::step::Pattern;
use super::tables::Tables;

/// The first xy-wing that removes something.
pub(super) fn find(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    let has_two = |set: u32| has_at_most(2, set) && !has_at_most(1, set);
    let candidates = &paper.candidates;
    for pivot in 0..tables.cells() as u16 {
        let xy = candidates[pivot];
        if !has_two(xy) {
            continue;
        }
        let peers = tables.peers.of(pivot.into()).iter();
        let peers = peers.map(|&cell| (cell, candidates[cell]));
        paper.wings.clear();
        paper
            .wings
            .extend(peers.filter(|&(_, set)| has_two(set) && set != xy && set & xy != 0));
        for (index, &(first, xz)) in paper.wings.iter().enumerate() {
            for &(second, yz) in &paper.wings[index + 1..] {
                // Two sets of two that differ in x and y have z in common.
                if xz ^ yz != xy {
                    continue;
                }
                let z = xz & yz;
                let seen = tables.seen_from_both(first, second);
                let losers = seen.filter(|&cell| candidates[cell] & z != 0);
                paper.losses.clear();
                paper.losses.extend(losers.map(|cell| (cell, z)));
                if !paper.losses.is_empty() {
                    let cells = [pivot, first, second];
                    return Some(Pattern::XyWing { cells });
                }
            }
        }
    }
    None
}
