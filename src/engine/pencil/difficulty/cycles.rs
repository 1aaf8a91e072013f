//! Finds forcing chains and cycles, levels 6.5 and above. A forcing chain leads from a statement to
//! its opposite, which must hold.

use super::grid::{CellMask, PEERS};
use super::implications::{
    CandidateMask, ChainGraph, ChainKind, FALSE, LeastLevel, Links, Statement, TRUE, intersection,
    is_empty, length_level, max_length,
};
use crate::pencil::links::{contains, members};
use crate::pencil::pattern::Word;
use crate::pencil::technique::Technique::{self, *};

/// The least level of chains of a kind, in tenths, and the name of their technique.
pub(super) type Base = (u32, Technique);

/// The kinds of chains, each with the bases of its forcing chains, if they are looked for, and of
/// its cycles.
pub(super) const KINDS: [(ChainKind, Option<Base>, Base); 3] = [
    (ChainKind::X, Some((66, ForcingXChain)), (65, XCycle)),
    (ChainKind::Y, None, (65, YCycle)),
    (ChainKind::Xy, Some((70, ForcingChain)), (70, Cycle)),
];

pub(super) fn find<const WORDS: usize>(links: &Links<'_, WORDS>) -> LeastLevel {
    let mut least = LeastLevel::none(links.purpose);
    for (kind, forcing, cycle) in KINDS {
        if kind == ChainKind::Xy && least.level < 70 {
            break;
        }
        let graph = links.graph(kind);
        if let Some(base) = forcing {
            find_forcing_chains(links, &graph, base, &mut least);
        }
        find_cycles(links, &graph, cycle, &mut least);
    }
    least
}

/// The length is the least distance from a statement to its opposite, plus 1.
fn find_forcing_chains<const WORDS: usize>(
    links: &Links<'_, WORDS>,
    graph: &ChainGraph<WORDS>,
    (base, technique): Base,
    least: &mut LeastLevel,
) {
    let mut layers = Vec::new();
    for start in 0..links.candidates.len() {
        for truth in [TRUE, FALSE] {
            let max = max_length(least.level - base) as usize;
            graph.find_layers((start, truth), max, &mut layers);
            let mut odd = (1..layers.len()).step_by(2);
            if let Some(distance) = odd.find(|&distance| contains(&layers[distance], start)) {
                let level = base + length_level(distance as u32 + 1);
                least.add((level, technique), links, (start, 1 - truth), || {
                    vec![links.chain(graph.chain_to(&layers, truth, distance, start))]
                });
            }
        }
    }
}

/// In a cycle, `start` is true, so by a shortest way `last` is true, so `closing` is false, so
/// `start` is true. `closing` is not on the way as a false candidate. The length is the number of
/// statements: `distance + 1` of the way, and one of `closing`.
fn find_cycles<const WORDS: usize>(
    links: &Links<'_, WORDS>,
    graph: &ChainGraph<WORDS>,
    (base, technique): Base,
    least: &mut LeastLevel,
) {
    let mut layers = Vec::new();
    for start in 0..links.candidates.len() {
        if is_empty(&graph.strong[start]) {
            continue;
        }
        let max_distance = max_length(least.level - base).saturating_sub(2) as usize;
        graph.find_layers((start, TRUE), max_distance, &mut layers);
        for closing in members(graph.strong[start]) {
            for distance in (2..layers.len()).step_by(2) {
                let level = base + length_level(distance as u32 + 2);
                if level > least.level {
                    break;
                }
                let lasts = intersection(layers[distance], graph.weak[closing]);
                for last in members(lasts) {
                    let (layers, level, left) = (&layers, (level, technique), MAX_WAYS);
                    let mut ways = Ways { links, graph, layers, closing, level, left };
                    ways.extend(&mut vec![last], distance, least);
                }
            }
        }
    }
}

/// For each `start`, `last` and `closing`.
const MAX_WAYS: u32 = 200;

/// The search for the shortest ways from `start` to `last` (see [`find_cycles`]), backwards.
struct Ways<'s, const WORDS: usize> {
    links: &'s Links<'s, WORDS>,
    graph: &'s ChainGraph<WORDS>,
    layers: &'s [CandidateMask<WORDS>],
    closing: usize,
    level: Base,
    left: u32,
}

impl<const WORDS: usize> Ways<'_, WORDS> {
    /// Extends a way to the start in every possible way. `way` lists candidates from `last` on; its
    /// newest is at this distance from the start. Those at even distances are true.
    fn extend(&mut self, way: &mut Vec<usize>, distance: usize, least: &mut LeastLevel) {
        if distance == 0 {
            self.left -= 1;
            return self.deduce(way, least);
        }
        let newest = way[way.len() - 1];
        let is_true = distance.is_multiple_of(2);
        let links = if is_true { &self.graph.strong } else { &self.graph.weak };
        for previous in members(intersection(self.layers[distance - 1], links[newest])) {
            let is_closing = is_true && previous == self.closing;
            if self.left > 0 && !is_closing {
                way.push(previous);
                self.extend(way, distance - 1, least);
                way.pop();
            }
        }
    }

    /// Returns the cycle from `start` to `start`, by this way and `closing`.
    fn chain(&self, way: &[usize]) -> Word {
        let forward = way.iter().rev().copied().zip([TRUE, FALSE].into_iter().cycle());
        self.links.chain(forward.chain([(self.closing, FALSE), (way[way.len() - 1], TRUE)]))
    }

    fn deduce(&self, way: &[usize], least: &mut LeastLevel) {
        let statements = way.iter().copied().zip([TRUE, FALSE].into_iter().cycle());
        let lost = cells_lost(self.links, statements.chain([(self.closing, FALSE)]));
        if lost != [0; 9]
            && let Some(deductions) = least.at(self.level)
        {
            for (digit, cells) in lost.into_iter().enumerate() {
                deductions.remove(self.links.grid, cells, digit);
            }
            deductions.end(self.level.1, || vec![self.chain(way)]);
        }
    }
}

/// Returns, for each digit, the cells that see both a true and a false candidate of it in the
/// cycle. The links lead around the cycle in both directions, so its statements are all right or
/// all wrong: the true candidates hold, or the false ones do.
pub(super) fn cells_lost<const WORDS: usize>(
    links: &Links<'_, WORDS>,
    cycle: impl Iterator<Item = Statement>,
) -> [CellMask; 9] {
    let mut cells: CellMask = 0;
    let mut seen: [[CellMask; 2]; 9] = [[0; 2]; 9];
    for (candidate, truth) in cycle {
        let (cell, digit) = links.candidates[candidate];
        cells |= 1 << cell;
        seen[digit][truth] |= PEERS[cell];
    }
    std::array::from_fn(|digit| {
        let [by_true, by_false] = seen[digit];
        by_true & by_false & links.grid.cells_for[digit] & !cells
    })
}
