//! Finds Nishio forcing chains, level 7.5 and above, and dynamic forcing chains, level 8.5 and
//! above.
//!
//! These chains remember: a candidate that is false on the way is removed, so that another can be
//! the last of its cell or house. Such a conclusion follows from several statements. The length of
//! a chain is the number of statements that its last one follows from, directly or not, plus one.
//!
//! The length depends on the order in which statements are found, which is that of Sudoku
//! Explainer: first in, first out, but true candidates before false ones, until the first
//! contradiction.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::grid::{CELL_MASKS, CellMask, PLACES_OF};
use super::links::{
    CandidateMask, FALSE, LeastLevel, Links, Statement, TRUE, intersection, length_level,
};
use crate::pencil::links::{contains, insert, members};
use crate::pencil::marks::elements_of;

/// Finds the statements that lead to a contradiction by links of their own digit. Their opposites
/// hold.
pub(super) fn find_nishio(links: &Links<'_>) -> LeastLevel {
    const BASE: u32 = 75;
    let mut least = LeastLevel::none();
    let mut conclusions = Conclusions::default();
    for start in statements(links) {
        conclusions.draw(links, LinksUsed::OfDigit, start);
        conclusions.add_contradiction(BASE, links, start, &mut least);
    }
    least
}

/// Finds the statements that lead to a contradiction; their opposites hold. Also finds the
/// statements that follow from each statement of a list in `cases`: they hold, because one of the
/// list does.
pub(super) fn find_dynamic(links: &Links<'_>) -> LeastLevel {
    const BASE: u32 = 85;
    let mut least = LeastLevel::none();
    let conclusions_of = |start| {
        let mut conclusions = Conclusions::default();
        conclusions.draw(links, LinksUsed::All, start);
        conclusions.add_contradiction(BASE, links, start, &mut least);
        conclusions
    };
    let mut all: Vec<Conclusions> = statements(links).map(conclusions_of).collect();
    for starts in cases(links) {
        for truth in [TRUE, FALSE] {
            let known = starts.iter().map(|&start| all[number(start)].known[truth]);
            for candidate in members(known.reduce(intersection).unwrap_or_default()) {
                let common = (candidate, truth);
                let lengths = starts.iter().map(|&start| all[number(start)].length_of(common));
                least.add(BASE + length_level(lengths.sum()), links, common);
            }
        }
    }
    least
}

/// Returns lists of statements. At least one statement of each list holds. There is a list for the
/// candidates of each cell, for the places of each digit in each house, and for the two states of
/// each candidate. Candidates of cells with two candidates have no list of their two states,
/// because the list of the cell covers the same cases.
fn cases(links: &Links<'_>) -> Vec<Vec<Statement>> {
    let all_true = |starts: Vec<usize>| starts.into_iter().map(|it| (it, TRUE)).collect();
    let alternatives = links.alternatives(2).map(all_true);
    let is_large = |&it: &usize| {
        let (cell, _) = links.candidates[it];
        links.grid.candidates[cell].count_ones() > 2
    };
    let states = (0..links.candidates.len()).filter(is_large);
    let states = states.map(|it| vec![(it, TRUE), (it, FALSE)]);
    alternatives.chain(states).collect()
}

/// The links that a chain with memory uses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LinksUsed {
    OfDigit,
    All,
}

/// Returns all statements, by their numbers.
fn statements(links: &Links<'_>) -> impl Iterator<Item = Statement> {
    (0..links.candidates.len()).flat_map(|it| [(it, TRUE), (it, FALSE)])
}

/// Returns the index of a statement in lists of all statements.
fn number((candidate, truth): Statement) -> usize {
    2 * candidate + truth
}

/// The statements that follow from one statement.
#[derive(Default)]
struct Conclusions {
    /// The candidates that are true, and those that are false.
    known: [CandidateMask; 2],
    /// For each known statement, by its number, the range of `reasons` with the statements that it
    /// follows from. Entries of other statements are meaningless.
    reasons_of: Vec<(u16, u16)>,
    reasons: Vec<Statement>,
    /// The lengths of the chains to known statements, by their numbers. 0 if not computed yet.
    lengths: Vec<u32>,
    /// The total length of the two chains that lead to a contradiction. `None` if there is none.
    contradiction: Option<u32>,
}

impl Conclusions {
    /// Draws the conclusions from a statement, until the first contradiction. Replaces the
    /// contents.
    fn draw(&mut self, links: &Links<'_>, used: LinksUsed, start: Statement) {
        self.known = Default::default();
        self.reasons_of.resize(2 * links.candidates.len(), (0, 0));
        self.reasons.clear();
        self.lengths.clear();
        let mut search = ConclusionSearch {
            links,
            used,
            candidates: links.grid.candidates,
            cells_for: links.grid.cells_for,
            waiting: Default::default(),
            conclusions: self,
        };
        let contradiction = search.run(start).break_value();
        self.contradiction = contradiction;
    }

    /// Adds the opposite of the start if a contradiction was found.
    fn add_contradiction(
        &self,
        base: u32,
        links: &Links<'_>,
        (candidate, truth): Statement,
        least: &mut LeastLevel,
    ) {
        if let Some(length) = self.contradiction {
            least.add(base + length_level(length), links, (candidate, 1 - truth));
        }
    }

    /// Returns the length of the chain to a known statement. Computes it only once.
    fn length_of(&mut self, statement: Statement) -> u32 {
        self.lengths.resize(self.reasons_of.len(), 0);
        if self.lengths[number(statement)] == 0 {
            self.lengths[number(statement)] = self.count_reasons(statement);
        }
        self.lengths[number(statement)]
    }

    /// Counts a statement and those that it follows from.
    fn count_reasons(&self, statement: Statement) -> u32 {
        let mut counted = [CandidateMask::default(); 2];
        let mut open = vec![statement];
        let mut count = 0;
        while let Some((candidate, truth)) = open.pop() {
            if !contains(&counted[truth], candidate) {
                insert(&mut counted[truth], candidate);
                count += 1;
                let (start, end) = self.reasons_of[number((candidate, truth))];
                open.extend_from_slice(&self.reasons[start.into()..end.into()]);
            }
        }
        count
    }
}

/// Breaks at a contradiction, with the total length of the chains to two opposite statements.
type SearchFlow = ControlFlow<u32>;

/// The search for conclusions. A candidate is removed when it is followed as false, not as soon as
/// it is known to be false.
struct ConclusionSearch<'s> {
    links: &'s Links<'s>,
    used: LinksUsed,
    /// The candidates of each cell that are not removed.
    candidates: [u32; 81],
    /// The cells of each digit that are not removed.
    cells_for: [CellMask; 9],
    /// Candidates that are known to be true, or false, and not followed yet.
    waiting: [VecDeque<usize>; 2],
    conclusions: &'s mut Conclusions,
}

impl ConclusionSearch<'_> {
    fn run(&mut self, start: Statement) -> SearchFlow {
        self.conclude(start, [])?;
        loop {
            if let Some(candidate) = self.waiting[TRUE].pop_front() {
                self.follow_true(candidate)?;
            } else if let Some(candidate) = self.waiting[FALSE].pop_front() {
                self.follow_false(candidate)?;
            } else {
                return SearchFlow::Continue(());
            }
        }
    }

    /// The other candidates of the cell, and the other places of the digit, are false.
    fn follow_true(&mut self, candidate: usize) -> SearchFlow {
        let (cell, digit) = self.links.candidates[candidate];
        let reason = [(candidate, TRUE)];
        if self.used == LinksUsed::All {
            for other in elements_of(self.candidates[cell] & !(1 << digit)) {
                self.conclude((self.links.at(cell, other), FALSE), reason)?;
            }
        }
        let mut visited = 1 << cell;
        for (house, _) in PLACES_OF[cell] {
            let peers = self.cells_for[digit] & CELL_MASKS[house] & !visited;
            visited |= peers;
            for other in self.links.in_cells(peers, digit) {
                self.conclude((other, FALSE), reason)?;
            }
        }
        SearchFlow::Continue(())
    }

    /// Removes the candidate. The last candidate of the cell, and the last place of the digit in a
    /// house, are true.
    fn follow_false(&mut self, candidate: usize) -> SearchFlow {
        let (links, (cell, digit)) = (self.links, self.links.candidates[candidate]);
        self.candidates[cell] &= !(1 << digit);
        self.cells_for[digit] &= !(1 << cell);
        let left = self.candidates[cell];
        if self.used == LinksUsed::All && left.is_power_of_two() {
            let last = links.at(cell, left.trailing_zeros() as usize);
            let removed = elements_of(links.grid.candidates[cell] & !left);
            self.conclude((last, TRUE), removed.map(|it| (links.at(cell, it), FALSE)))?;
        }
        for (house, _) in PLACES_OF[cell] {
            let left = self.cells_for[digit] & CELL_MASKS[house];
            if left.is_power_of_two() {
                let last = links.at(left.trailing_zeros() as usize, digit);
                let removed = links.grid.cells_for[digit] & CELL_MASKS[house] & !left;
                let removed = links.in_cells(removed, digit);
                self.conclude((last, TRUE), removed.map(|it| (it, FALSE)))?;
            }
        }
        SearchFlow::Continue(())
    }

    /// Records a statement with its reasons, unless it is known. A contradiction ends the search.
    fn conclude(
        &mut self,
        statement: Statement,
        reasons: impl IntoIterator<Item = Statement>,
    ) -> SearchFlow {
        let (candidate, truth) = statement;
        let known = &mut self.conclusions.known;
        if contains(&known[truth], candidate) {
            return SearchFlow::Continue(());
        }
        insert(&mut known[truth], candidate);
        let is_contradiction = contains(&known[1 - truth], candidate);
        let all = &mut self.conclusions.reasons;
        let start = all.len() as u16;
        all.extend(reasons);
        self.conclusions.reasons_of[number(statement)] = (start, all.len() as u16);
        if is_contradiction {
            let both = [statement, (candidate, 1 - truth)];
            let lengths = both.map(|it| self.conclusions.count_reasons(it));
            return SearchFlow::Break(lengths.iter().sum());
        }
        self.waiting[truth].push_back(candidate);
        SearchFlow::Continue(())
    }
}
