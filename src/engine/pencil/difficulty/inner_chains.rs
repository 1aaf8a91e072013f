//! Finds the chains inside a dynamic forcing chain, levels 9.5 and above. Unlike the rows of the
//! table for these chains, it finds the best chain for each candidate, with the removed candidates
//! that it follows from.

use std::rc::Rc;

use super::cycles::{Base, KINDS, cells_lost};
use super::dynamic::{Case, CaseKind, Conclusions, Drawing};
use super::grid::{CELL_MASKS, PLACES_OF};
use super::implications::{
    CELL, CandidateMask, ChainGraph, ChainKind, FALSE, Links, Statement, TRUE, intersection,
    is_empty, length_level,
};
use super::nested::{Deduction, InnerChain, Nesting, Removed};
use crate::pencil::links::{contains, insert, members, unite};
use crate::pencil::pattern::{Inner, Word};
use crate::pencil::technique::Technique::{self, DynamicForcingChains, MultipleForcingChains};

/// In the order of their ranks.
pub(super) fn deductions<const WORDS: usize>(
    removed: &Removed<'_, WORDS>,
    drawing: &mut Drawing<'_, WORDS>,
) -> Vec<Deduction<WORDS>> {
    let links = removed.links.within(removed.grid);
    let mut best = Best { max: drawing.max_inner, by_candidate: Vec::new() };
    best.by_candidate.resize_with(links.candidates.len(), || None);
    let mut search = InnerSearch { removed, links: &links, best };
    if drawing.nesting == Nesting::Dynamic {
        search.find_dynamic(&mut drawing.spare);
    } else {
        search.find_simple();
        if drawing.nesting == Nesting::Multiple && search.best.is_empty() {
            search.find_multiple();
        }
    }
    search.best.into_deductions()
}

/// The level, the length and the kind. The least is the best. Where the kinds of chains are on one
/// level, the level is 0.
type Rank = (u32, u32, InnerKind);

/// In the order in which Sudoku Explainer sorts chains of the same length.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum InnerKind {
    Simple(ChainKind),
    Case(CaseKind),
}

struct Best<const WORDS: usize> {
    max: u32,
    by_candidate: Vec<Option<(Rank, Found<WORDS>)>>,
}

#[derive(Clone)]
struct Found<const WORDS: usize> {
    reasons: CandidateMask<WORDS>,
    chain: Rc<InnerChain>,
    inner: Option<Rc<Inner>>,
}

/// The reasons and statements of a chain, and its description if it is for a step.
type Proof<const WORDS: usize> = (CandidateMask<WORDS>, Vec<Statement>, Option<Rc<Inner>>);

impl<const WORDS: usize> Best<WORDS> {
    fn is_empty(&self) -> bool {
        self.by_candidate.iter().all(Option::is_none)
    }

    /// Adds a chain that makes these candidates false, where it is the best. `proof_of` returns its
    /// proof.
    fn offer(
        &mut self,
        rank: Rank,
        candidates: impl Iterator<Item = usize> + Clone,
        proof_of: impl FnOnce() -> Proof<WORDS>,
    ) {
        let is_better =
            |it: &Option<(Rank, Found<WORDS>)>| it.as_ref().is_none_or(|(old, _)| rank < *old);
        let mut better = candidates.filter(|&it| is_better(&self.by_candidate[it])).peekable();
        if rank.1 > self.max || better.peek().is_none() {
            return;
        }
        let (reasons, statements, inner) = proof_of();
        if is_empty(&reasons) {
            return;
        }
        let chain = Rc::new(InnerChain { statements, length: rank.1 });
        let found = Found { reasons, chain, inner };
        let better: Vec<usize> = better.collect();
        for candidate in better {
            self.by_candidate[candidate] = Some((rank, found.clone()));
        }
    }

    fn into_deductions(self) -> Vec<Deduction<WORDS>> {
        let all = self.by_candidate.into_iter().enumerate();
        let mut all: Vec<(Rank, Deduction<WORDS>)> = all
            .filter_map(|(candidate, best)| {
                let (rank, Found { reasons, chain, inner }) = best?;
                Some((rank, Deduction { candidate, reasons, chain: Some(chain), inner }))
            })
            .collect();
        all.sort_by_key(|(rank, _)| *rank);
        all.into_iter().map(|(_, deduction)| deduction).collect()
    }
}

struct InnerSearch<'s, const WORDS: usize> {
    removed: &'s Removed<'s, WORDS>,
    links: &'s Links<'s, WORDS>,
    best: Best<WORDS>,
}

impl<const WORDS: usize> InnerSearch<'_, WORDS> {
    fn find_simple(&mut self) {
        for (kind, forcing, cycle) in KINDS {
            let graph = self.links.graph(kind);
            let is_linked = |&it: &usize| !is_empty(&graph.weak[it]);
            for start in self.links.present().filter(is_linked) {
                let if_true = Reach::from_statement(&graph, (start, TRUE), self.best.max);
                self.find_cycles(&if_true, kind, cycle);
                if let Some(base) = forcing {
                    self.find_forcing_chain(&if_true, kind, base);
                    let if_false = Reach::from_statement(&graph, (start, FALSE), self.best.max);
                    self.find_forcing_chain(&if_false, kind, base);
                }
            }
        }
    }

    fn find_forcing_chain(
        &mut self,
        reach: &Reach<'_, WORDS>,
        kind: ChainKind,
        (base, technique): Base,
    ) {
        let (start, truth) = reach.start;
        let result = (start, 1 - truth);
        let Some(distance) = reach.distance_to(result) else {
            return;
        };
        let length = distance as u32 + 1;
        let rank = (base + length_level(length), length, InnerKind::Simple(kind));
        self.best.offer(rank, falsified(self.links, result), || {
            let chain = reach.chain_to(distance, start);
            let mut reasons = [0; WORDS];
            self.removed.of_chain(&chain, Direction::Forward, &mut reasons);
            let inner = self.removed.inner(technique, || vec![self.links.chain(chain.clone())]);
            (reasons, chain, inner)
        });
    }

    /// Finds each cycle by one shortest way: see `cycles::find`.
    fn find_cycles(&mut self, reach: &Reach<'_, WORDS>, kind: ChainKind, (base, technique): Base) {
        let (start, _) = reach.start;
        for closing in members(reach.graph.strong[start]) {
            for distance in (2..reach.layers.len()).step_by(2) {
                let lasts = intersection(reach.layers[distance], reach.graph.weak[closing]);
                for last in members(lasts) {
                    let mut cycle = reach.chain_to(distance, last);
                    if cycle.contains(&(closing, FALSE)) {
                        continue;
                    }
                    cycle.extend([(closing, FALSE), (start, TRUE)]);
                    let length = distance as u32 + 2;
                    let rank = (base + length_level(length), length, InnerKind::Simple(kind));
                    self.offer_cycle(rank, technique, cycle);
                }
            }
        }
    }

    fn offer_cycle(&mut self, rank: Rank, technique: Technique, cycle: Vec<Statement>) {
        let lost = cells_lost(self.links, cycle.iter().copied());
        let lost = lost.into_iter().enumerate();
        let lost: Vec<usize> =
            lost.flat_map(|(digit, cells)| self.links.in_cells(cells, digit)).collect();
        self.best.offer(rank, lost.iter().copied(), || {
            let mut reasons = [0; WORDS];
            self.removed.of_chain(&cycle, Direction::Both, &mut reasons);
            let inner = self.removed.inner(technique, || vec![self.links.chain(cycle.clone())]);
            (reasons, cycle, inner)
        });
    }

    fn find_multiple(&mut self) {
        let graph = self.links.graph(ChainKind::Xy);
        let count = self.links.candidates.len();
        let max = self.best.max;
        let from = |start| Reach::from_statement(&graph, (start, TRUE), max);
        let all: Vec<Reach<'_, WORDS>> = (0..count).map(from).collect();
        let known: Vec<[CandidateMask<WORDS>; 2]> = all.iter().map(Reach::known).collect();
        for (house, starts) in self.links.alternatives(3) {
            for truth in [TRUE, FALSE] {
                let common = starts.iter().map(|&it| known[it][truth]).reduce(intersection);
                for candidate in members(common.unwrap_or([0; WORDS])) {
                    let reached = starts.iter().map(|&it| &all[it]).collect();
                    self.offer_multiple(house, reached, (candidate, truth));
                }
            }
        }
    }

    /// The chains are from all candidates of a cell or a house.
    fn offer_multiple(&mut self, house: u8, from: Vec<&Reach<'_, WORDS>>, result: Statement) {
        let distances: Vec<usize> = from.iter().filter_map(|it| it.distance_to(result)).collect();
        debug_assert_eq!(distances.len(), from.len(), "each candidate leads to the result");
        let length = distances.iter().map(|&distance| distance as u32 + 1).sum();
        let kind = if house == CELL { CaseKind::Cell } else { CaseKind::House };
        self.best.offer((0, length, InnerKind::Case(kind)), falsified(self.links, result), || {
            let mut reasons = [0; WORDS];
            let chains = from.iter().zip(distances);
            let chains: Vec<Vec<Statement>> =
                chains.map(|(reach, distance)| reach.chain_to(distance, result.0)).collect();
            for chain in &chains {
                self.removed.of_house(house, chain[0].0, &mut reasons);
                self.removed.of_chain(chain, Direction::Forward, &mut reasons);
            }
            let inner = self.removed.inner(MultipleForcingChains, || {
                let mut words = self.links.source(house, chains[0][0].0);
                for chain in &chains {
                    words.extend([Word::Text("|"), self.links.chain(chain.iter().copied())]);
                }
                words
            });
            (reasons, chains.concat(), inner)
        });
    }

    /// `all` is scratch.
    fn find_dynamic(&mut self, all: &mut Vec<Conclusions<WORDS>>) {
        let links = self.links;
        Drawing::without_nesting(links).each_case(all, |case| {
            let rank = (0, case.length(), InnerKind::Case(case.kind));
            let proof = || proof_of(self.removed, links, case);
            self.best.offer(rank, falsified(links, case.result), proof);
            0
        });
    }
}

struct Reach<'g, const WORDS: usize> {
    graph: &'g ChainGraph<WORDS>,
    start: Statement,
    layers: Vec<CandidateMask<WORDS>>,
}

impl<const WORDS: usize> Reach<'_, WORDS> {
    fn from_statement(graph: &ChainGraph<WORDS>, start: Statement, max: u32) -> Reach<'_, WORDS> {
        let mut layers = Vec::with_capacity(16);
        graph.find_layers(start, max.saturating_sub(1) as usize, &mut layers);
        Reach { graph, start, layers }
    }

    /// Returns the true candidates, then the false ones.
    fn known(&self) -> [CandidateMask<WORDS>; 2] {
        let mut known = [[0; WORDS]; 2];
        for (distance, layer) in self.layers.iter().enumerate() {
            unite(&mut known[(self.start.1 + distance) % 2], layer);
        }
        known
    }

    fn distance_to(&self, (candidate, truth): Statement) -> Option<usize> {
        let first = (self.start.1 + truth) % 2;
        let mut distances = (first..self.layers.len()).step_by(2);
        distances.find(|&it| contains(&self.layers[it], candidate))
    }

    /// The way is a shortest one, to a candidate of the layer at this distance.
    fn chain_to(&self, distance: usize, candidate: usize) -> Vec<Statement> {
        self.graph.chain_to(&self.layers, self.start.1, distance, candidate)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Forward,
    Both,
}

impl<const WORDS: usize> Removed<'_, WORDS> {
    /// Adds the reasons of strong links. In a cycle, which Sudoku Explainer follows in both
    /// directions, each link counts as a strong one.
    fn of_chain(
        &self,
        chain: &[Statement],
        direction: Direction,
        reasons: &mut CandidateMask<WORDS>,
    ) {
        for pair in chain.windows(2) {
            let [(from, _), (to, truth)] = [pair[0], pair[1]];
            if truth == FALSE && direction == Direction::Forward {
                continue;
            }
            let [(a, _), (b, digit)] = [from, to].map(|it| self.links.candidates[it]);
            let of_digit = self.grid.cells_for[digit];
            let joins = |&(house, _): &(usize, usize)| {
                let is_last = truth == FALSE || (of_digit & CELL_MASKS[house]).count_ones() == 2;
                CELL_MASKS[house] >> a & 1 != 0 && is_last
            };
            let house = if a == b {
                CELL
            } else {
                PLACES_OF[b].iter().find(|it| joins(it)).map_or(CELL, |it| it.0 as u8)
            };
            self.of_house(house, to, reasons);
        }
    }
}

fn proof_of<const WORDS: usize>(
    removed: &Removed<'_, WORDS>,
    links: &Links<'_, WORDS>,
    case: &Case<'_, WORDS>,
) -> Proof<WORDS> {
    let mut reasons = [0; WORDS];
    let mut statements = Vec::new();
    for &(from, last) in &case.chains {
        let mut all = [[0; WORDS]; 2];
        from.each_reason(last, |(candidate, truth)| {
            insert(&mut all[truth], candidate);
            let is_start = from.is_start((candidate, truth));
            let house = if is_start { case.house } else { from.last_of(candidate) };
            if truth == TRUE
                && let Some(house) = house
            {
                removed.of_house(house, candidate, &mut reasons);
            }
        });
        statements.push(last);
        for truth in [TRUE, FALSE] {
            statements.extend(members(all[truth]).map(|it| (it, truth)));
        }
    }
    let inner = removed.inner(DynamicForcingChains, || case.pattern(links));
    (reasons, statements, inner)
}

fn falsified<const WORDS: usize>(
    links: &Links<'_, WORDS>,
    (candidate, truth): Statement,
) -> impl Iterator<Item = usize> + Clone {
    let (cell, digit) = links.candidates[candidate];
    let left = links.grid.candidates[cell];
    let lost = if truth == TRUE { left & !(1 << digit) } else { left & 1 << digit };
    (0..9).filter(move |it| lost >> it & 1 != 0).map(move |it| links.at(cell, it))
}
