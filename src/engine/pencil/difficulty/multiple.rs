//! Finds multiple forcing chains, level 8.0 and above: all candidates of a cell, or all places of a
//! digit in a house, lead to the same statement.

use super::implications::{ChainKind, LeastLevel, Links, Statement, TRUE, length_level};
use crate::pencil::links::{contains, members};
use crate::pencil::pattern::{Pattern, Word};
use crate::pencil::technique::Technique::MultipleForcingChains;

const NO_CHAIN: u16 = u16::MAX;

pub(super) fn find<const WORDS: usize>(links: &Links<'_, WORDS>) -> LeastLevel {
    let lengths = chain_lengths(links);
    let mut least = LeastLevel::none(links.purpose);
    // Sums of lengths over all candidates of a list; `NO_CHAIN` if a chain does not exist.
    let mut sums = vec![0; 2 * links.candidates.len()];
    for (house, starts) in links.alternatives(3) {
        sums.fill(0);
        for &start in &starts {
            for (sum, &length) in sums.iter_mut().zip(&lengths[start]) {
                *sum = length.saturating_add(*sum);
            }
        }
        for (statement, &sum) in sums.iter().enumerate() {
            if sum != NO_CHAIN {
                let result = (statement / 2, statement % 2);
                let level = (80 + length_level(sum.into()), MultipleForcingChains);
                least.add(level, links, result, || pattern(links, house, &starts, result));
            }
        }
    }
    least
}

/// The chains from all candidates of a cell or a house to the result.
fn pattern<const WORDS: usize>(
    links: &Links<'_, WORDS>,
    house: u8,
    starts: &[usize],
    result: Statement,
) -> Pattern {
    let graph = links.graph(ChainKind::Xy);
    let mut words = links.source(house, starts[0]);
    let mut layers = Vec::new();
    let (candidate, truth) = result;
    for &start in starts {
        graph.find_layers((start, TRUE), usize::MAX, &mut layers);
        let mut distances = (truth..layers.len()).step_by(2);
        let distance = distances.find(|&it| contains(&layers[it], candidate));
        let distance = distance.expect("each candidate leads to the result");
        words.push(Word::Text("|"));
        words.push(links.chain(graph.chain_to(&layers, TRUE, distance, candidate)));
    }
    words
}

/// Returns, for each candidate that is true, the number of statements of the shortest chain to each
/// statement, by `2 * candidate + truth`.
fn chain_lengths<const WORDS: usize>(links: &Links<'_, WORDS>) -> Vec<Vec<u16>> {
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
