//! Finds multiple forcing chains, level 8.0 and above: all candidates of a cell, or all places of a
//! digit in a house, lead to the same statement.

use super::implications::{ChainKind, LeastLevel, Links, TRUE, length_level};
use crate::pencil::links::members;
use crate::pencil::technique::Technique::MultipleForcingChains;

const NO_CHAIN: u16 = u16::MAX;

pub(super) fn find(links: &Links<'_>) -> LeastLevel {
    let lengths = chain_lengths(links);
    let mut least = LeastLevel::none();
    // Sums of lengths over all candidates of a list; `NO_CHAIN` if a chain does not exist.
    let mut sums = vec![0; 2 * links.candidates.len()];
    for (_, starts) in links.alternatives(3) {
        sums.fill(0);
        for start in starts {
            for (sum, &length) in sums.iter_mut().zip(&lengths[start]) {
                *sum = length.saturating_add(*sum);
            }
        }
        for (statement, &sum) in sums.iter().enumerate() {
            if sum != NO_CHAIN {
                let (candidate, truth) = (statement / 2, statement % 2);
                let level = (80 + length_level(sum.into()), MultipleForcingChains);
                least.add(level, links, (candidate, truth));
            }
        }
    }
    least
}

/// Returns, for each candidate that is true, the number of statements of the shortest chain to each
/// statement, by `2 * candidate + truth`.
fn chain_lengths(links: &Links<'_>) -> Vec<Vec<u16>> {
    let graph = links.graph(ChainKind::Xy);
    let mut layers = Vec::new();
    let count = links.candidates.len();
    let lengths_from = |start| {
        let mut lengths = vec![NO_CHAIN; 2 * count];
        graph.find_layers((start, TRUE), usize::MAX, &mut layers);
        for (distance, layer) in layers.iter().enumerate() {
            for candidate in members(*layer) {
                lengths[2 * candidate + distance % 2] = distance as u16 + 1;
            }
        }
        lengths
    };
    (0..count).map(lengths_from).collect()
}
