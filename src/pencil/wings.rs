//! Finds XY-wings: a pivot cell with candidates x and y, and two of its peers with candidates x, z and y, z. If the
//! pivot holds x, the first peer holds z; if y, the second one.

use super::paper::{Paper, has_at_most};
use super::step::Pattern;
use super::tables::Tables;

/// Finds the first XY-wing that eliminates a candidate.
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
                // The wings share exactly one candidate z if and only if they differ in x and y.
                if xz ^ yz != xy {
                    continue;
                }
                let z = xz & yz;
                let peers = tables.common_peers(first, second);
                let targets = peers.filter(|&cell| candidates[cell] & z != 0);
                paper.eliminations.clear();
                paper.eliminations.extend(targets.map(|cell| (cell, z)));
                if !paper.eliminations.is_empty() {
                    let cells = [pivot, first, second];
                    return Some(Pattern::XyWing { cells });
                }
            }
        }
    }
    None
}
