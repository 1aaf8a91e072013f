//! Finds Nishio forcing chains, level 7.5 and above, and dynamic forcing chains: level 8.5 and
//! above, or 9.0 to 10.5 and above if they use patterns (nested.rs) and other chains. The function
//! that finds these is passed in: it is in inner_chains.rs, which uses this file.
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
use std::rc::Rc;

use super::grid::{CELL_MASKS, Grid, PLACES_OF};
use super::implications::{
    CELL, CandidateMask, FALSE, LeastLevel, Links, Statement, TRUE, intersection, length_level,
    max_length,
};
use super::nested::{Deduction, InnerChain, Nesting, Removed};
use crate::pencil::links::{contains, insert, members};

use crate::bits::bits;
use crate::pencil::pattern::{Claim, Inner, Pattern, Word};
use crate::pencil::technique::Technique::NishioForcingChains;

pub(super) fn find_nishio<const WORDS: usize>(links: &Links<'_, WORDS>) -> LeastLevel {
    const BASE: u32 = 75;
    let mut least = LeastLevel::none(links.purpose);
    let mut conclusions = Conclusions::default();
    let mut drawing = Drawing::without_nesting(links);
    for start in statements(links) {
        drawing.draw(LinksUsed::OfDigit, start, &mut conclusions);
        if let Some(candidate) = conclusions.contradiction {
            let both = [TRUE, FALSE].map(|truth| conclusions.length_of((candidate, truth)));
            let length: u32 = both.iter().sum();
            let level = (BASE + length_level(length), NishioForcingChains);
            least.add(level, links, (start.0, 1 - start.1), || {
                vec![conclusions.chain(links, &[TRUE, FALSE].map(|truth| (candidate, truth)))]
            });
        }
    }
    least
}

pub(super) fn find<const WORDS: usize>(
    links: &Links<'_, WORDS>,
    base: u32,
    nesting: Nesting,
    find_inner: FindInnerChains<WORDS>,
) -> LeastLevel {
    let mut least = LeastLevel::none(links.purpose);
    let find_inner = (nesting > Nesting::Patterns).then_some(find_inner);
    let (max_inner, spare) = (u32::MAX, Vec::new());
    let mut drawing = Drawing { links, nesting, find_inner, max_inner, spare };
    let mut all = Vec::new();
    drawing.each_case(&mut all, |case| {
        let level = (base + length_level(case.length()), nesting.technique());
        least.add(level, links, case.result, || case.pattern(links));
        max_length(least.level - base)
    });
    least
}

/// A result that must hold, with the chains that prove it: two from one statement to a
/// contradiction, or one from each statement of a list, at least one of which holds.
pub(super) struct Case<'c, const WORDS: usize> {
    pub chains: Vec<(&'c Conclusions<WORDS>, Statement)>,
    pub result: Statement,
    /// Where the list comes from: [`CELL`] or a house.
    pub house: Option<u8>,
    pub kind: CaseKind,
}

/// Of two cases of the same length, the one of the lesser kind is used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum CaseKind {
    States,
    Cell,
    House,
    Contradiction,
}

impl<const WORDS: usize> Case<'_, WORDS> {
    /// The chains from each statement of the list, or the one chain to both statements of the
    /// contradiction.
    pub fn pattern(&self, links: &Links<'_, WORDS>) -> Pattern {
        let (from, _) = self.chains[0];
        if self.kind == CaseKind::Contradiction {
            let lasts: Vec<Statement> = self.chains.iter().map(|&(_, last)| last).collect();
            return vec![from.chain(links, &lasts)];
        }
        let mut words = match self.house {
            Some(house) => links.source(house, from.start.0),
            None => Vec::new(),
        };
        for &(from, last) in &self.chains {
            words.extend([Word::Text("|"), from.chain(links, &[last])]);
        }
        words
    }

    /// The chains inside count once each.
    pub fn length(&self) -> u32 {
        let own: u32 = self.chains.iter().map(|(from, last)| from.length_of(*last)).sum();
        if self.chains.iter().all(|(from, _)| from.inner.is_empty()) {
            return own;
        }
        let mut inner: Vec<&InnerChain> = Vec::new();
        for &(from, last) in &self.chains {
            from.each_reason(last, |statement| {
                if statement.1 == FALSE
                    && let Some(chain) = from.inner_of(statement)
                    && inner.iter().all(|it| it.statements != chain.statements)
                {
                    inner.push(chain);
                }
            });
        }
        own + inner.iter().map(|chain| chain.length).sum::<u32>()
    }
}

/// Candidates of cells with two candidates have no list of their two states, because the list of
/// the cell covers the same cases.
fn cases<const WORDS: usize>(links: &Links<'_, WORDS>) -> Vec<StatementList> {
    let all_true = |(house, starts): (u8, Vec<usize>)| StatementList {
        starts: starts.into_iter().map(|it| (it, TRUE)).collect(),
        house: Some(house),
        kind: if house == CELL { CaseKind::Cell } else { CaseKind::House },
    };
    let states = |it| StatementList {
        starts: vec![(it, TRUE), (it, FALSE)],
        house: None,
        kind: CaseKind::States,
    };
    let large = links.present().filter(|&it| links.cell_size(it) > 2);
    links.alternatives(2).map(all_true).chain(large.map(states)).collect()
}

struct StatementList {
    starts: Vec<Statement>,
    house: Option<u8>,
    kind: CaseKind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum LinksUsed {
    OfDigit,
    All,
}

fn statements<const WORDS: usize>(links: &Links<'_, WORDS>) -> impl Iterator<Item = Statement> {
    let open = links.present().filter(|&it| links.cell_size(it) > 1);
    open.flat_map(|it| [(it, TRUE), (it, FALSE)])
}

fn number((candidate, truth): Statement) -> usize {
    2 * candidate + truth
}

pub(super) struct Conclusions<const WORDS: usize> {
    /// True candidates, then false ones.
    known: [CandidateMask<WORDS>; 2],
    /// For each known statement, the range of `reasons` with the statements that it follows from.
    /// Entries of other statements are meaningless.
    reasons_of: Vec<(u32, u32)>,
    reasons: Vec<Statement>,
    /// For each candidate known to be true, where it is the last: its cell ([`CELL`]) or a house.
    last_of: Vec<Option<u8>>,
    /// The chains inside that make candidates false. Empty if there are none.
    inner: Vec<Option<Rc<InnerChain>>>,
    contradiction: Option<usize>,
    start: Statement,
    /// For each false candidate, the pattern or chain inside that it follows from, if it is for a
    /// step. Empty if there are none.
    inner_patterns: Vec<Option<Rc<Inner>>>,
}

/// Finds the chains inside a chain that has removed candidates.
pub(super) type FindInnerChains<const WORDS: usize> =
    fn(&Removed<'_, WORDS>, &mut Drawing<'_, WORDS>) -> Vec<Deduction<WORDS>>;

pub(super) struct Drawing<'d, const WORDS: usize> {
    pub links: &'d Links<'d, WORDS>,
    pub nesting: Nesting,
    /// `None` if the chains can have no chains inside.
    find_inner: Option<FindInnerChains<WORDS>>,
    /// Longer chains inside a chain cannot be part of a chain of the least level.
    pub max_inner: u32,
    pub spare: Vec<Conclusions<WORDS>>,
}

impl<'d, const WORDS: usize> Drawing<'d, WORDS> {
    pub fn without_nesting(links: &'d Links<'d, WORDS>) -> Drawing<'d, WORDS> {
        let (nesting, find_inner) = (Nesting::None, None);
        Drawing { links, nesting, find_inner, max_inner: 0, spare: Vec::new() }
    }

    /// Returns what patterns inside a chain deduce, or else the chains inside it. The grid has the
    /// candidates that the chain has left.
    fn deductions(&mut self, grid: &Grid) -> Vec<Deduction<WORDS>> {
        let removed = Removed { links: self.links, grid };
        let found = removed.patterns();
        match self.find_inner {
            Some(find) if found.is_empty() => find(&removed, self),
            _ => found,
        }
    }

    /// Calls `on_case` for each contradiction, and for each statement that follows from each
    /// statement of a list. It returns the new value of `max_inner`. `all` is scratch.
    pub fn each_case(
        &mut self,
        all: &mut Vec<Conclusions<WORDS>>,
        mut on_case: impl FnMut(&Case<'_, WORDS>) -> u32,
    ) {
        let links = self.links;
        if all.len() < 2 * links.candidates.len() {
            all.resize_with(2 * links.candidates.len(), Conclusions::default);
        }
        for start in statements(links) {
            let conclusions = &mut all[number(start)];
            self.draw(LinksUsed::All, start, conclusions);
            if self.nesting != Nesting::None && links.is_time_up() {
                return;
            }
            if let Some(candidate) = conclusions.contradiction {
                let chains = [TRUE, FALSE].map(|truth| (&*conclusions, (candidate, truth)));
                let (chains, result) = (chains.into(), (start.0, 1 - start.1));
                let kind = CaseKind::Contradiction;
                self.max_inner = on_case(&Case { chains, result, house: None, kind });
            }
        }
        for StatementList { starts, house, kind } in cases(links) {
            for truth in [TRUE, FALSE] {
                let known = starts.iter().map(|&start| all[number(start)].known[truth]);
                for candidate in members(known.reduce(intersection).unwrap_or([0; WORDS])) {
                    let result = (candidate, truth);
                    let chains = starts.iter().map(|&it| (&all[number(it)], result)).collect();
                    on_case(&Case { chains, result, house, kind });
                }
            }
        }
    }

    /// Ends at the first contradiction. Replaces the contents of `conclusions`.
    fn draw(&mut self, used: LinksUsed, start: Statement, conclusions: &mut Conclusions<WORDS>) {
        conclusions.clear(self.links.candidates.len());
        conclusions.start = start;
        let mut search = ConclusionSearch {
            links: self.links,
            used,
            grid: self.links.grid.clone(),
            waiting: Default::default(),
            drawing: self,
            conclusions,
        };
        let contradiction = search.run(start).break_value();
        conclusions.contradiction = contradiction;
    }
}

impl<const WORDS: usize> Default for Conclusions<WORDS> {
    fn default() -> Conclusions<WORDS> {
        Conclusions {
            known: [[0; WORDS]; 2],
            reasons_of: Vec::new(),
            reasons: Vec::new(),
            last_of: Vec::new(),
            inner: Vec::new(),
            contradiction: None,
            start: (0, TRUE),
            inner_patterns: Vec::new(),
        }
    }
}

impl<const WORDS: usize> Conclusions<WORDS> {
    fn clear(&mut self, candidates: usize) {
        self.known = [[0; WORDS]; 2];
        self.reasons_of.resize(2 * candidates, (0, 0));
        self.last_of.resize(candidates, None);
        self.reasons.clear();
        self.inner.clear();
        self.inner_patterns.clear();
        self.contradiction = None;
    }

    fn set_reasons(&mut self, statement: Statement, reasons: impl IntoIterator<Item = Statement>) {
        let start = self.reasons.len() as u32;
        self.reasons.extend(reasons);
        self.reasons_of[number(statement)] = (start, self.reasons.len() as u32);
    }

    fn length_of(&self, statement: Statement) -> u32 {
        let mut count = 0;
        self.each_reason(statement, |_| count += 1);
        count
    }

    /// Includes the statement itself.
    pub fn each_reason(&self, statement: Statement, mut on_reason: impl FnMut(Statement)) {
        let mut seen = [[0; WORDS]; 2];
        insert(&mut seen[statement.1], statement.0);
        let mut open = vec![statement];
        while let Some(statement) = open.pop() {
            on_reason(statement);
            for &(candidate, truth) in self.reasons(statement) {
                if !contains(&seen[truth], candidate) {
                    insert(&mut seen[truth], candidate);
                    open.push((candidate, truth));
                }
            }
        }
    }

    fn reasons(&self, statement: Statement) -> &[Statement] {
        let (start, end) = self.reasons_of[number(statement)];
        &self.reasons[start as usize..end as usize]
    }

    /// Returns these statements and those that they follow from, each after its reasons.
    fn chain(&self, links: &Links<'_, WORDS>, lasts: &[Statement]) -> Word {
        let mut statements = Vec::new();
        lasts.iter().for_each(|&last| self.add_after_reasons(last, &mut statements));
        let claims = statements.iter().map(|&(candidate, truth)| {
            let reasons = self.reasons((candidate, truth)).iter();
            let position = |reason| statements.iter().position(|it| it == reason);
            let inner = self.inner_patterns.get(candidate).filter(|_| truth == FALSE);
            Claim {
                by: inner.and_then(|inner| inner.as_deref().cloned()),
                ..links.claim((candidate, truth), reasons.filter_map(position).collect())
            }
        });
        Word::Chain(claims.collect())
    }

    fn add_after_reasons(&self, statement: Statement, statements: &mut Vec<Statement>) {
        if !statements.contains(&statement) {
            for &reason in self.reasons(statement) {
                self.add_after_reasons(reason, statements);
            }
            statements.push(statement);
        }
    }

    /// Returns `None` for the start.
    pub fn last_of(&self, candidate: usize) -> Option<u8> {
        self.last_of[candidate]
    }

    pub fn is_start(&self, statement: Statement) -> bool {
        self.reasons(statement).is_empty()
    }

    fn inner_of(&self, (candidate, _): Statement) -> Option<&InnerChain> {
        self.inner.get(candidate)?.as_deref()
    }
}

/// Breaks at a contradiction, with the candidate that is both true and false.
type SearchFlow = ControlFlow<usize>;

/// A candidate is removed when it is followed as false, not as soon as it is known to be false.
struct ConclusionSearch<'s, 'd, const WORDS: usize> {
    links: &'d Links<'d, WORDS>,
    used: LinksUsed,
    grid: Grid,
    /// Candidates known to be true, or false, and not followed yet.
    waiting: [VecDeque<usize>; 2],
    drawing: &'s mut Drawing<'d, WORDS>,
    conclusions: &'s mut Conclusions<WORDS>,
}

impl<const WORDS: usize> ConclusionSearch<'_, '_, WORDS> {
    fn run(&mut self, start: Statement) -> SearchFlow {
        self.conclude(start, [])?;
        loop {
            if let Some(candidate) = self.waiting[TRUE].pop_front() {
                self.follow_true(candidate)?;
            } else if let Some(candidate) = self.waiting[FALSE].pop_front() {
                self.follow_false(candidate)?;
            } else if !self.conclude_by_nesting() {
                return SearchFlow::Continue(());
            }
        }
    }

    /// Returns false if there is nothing to conclude, or if the time is up.
    ///
    /// A chain inside can make a candidate false that is known to be true. As in Sudoku Explainer,
    /// that is no contradiction until the candidate is followed as false.
    fn conclude_by_nesting(&mut self) -> bool {
        if self.drawing.nesting == Nesting::None || self.links.is_time_up() {
            return false;
        }
        let mut is_any = false;
        for deduction in self.drawing.deductions(&self.grid) {
            let candidate = deduction.candidate;
            let conclusions = &mut *self.conclusions;
            if contains(&conclusions.known[FALSE], candidate) {
                continue;
            }
            is_any = true;
            insert(&mut conclusions.known[FALSE], candidate);
            let reasons = members(deduction.reasons).map(|it| (it, FALSE));
            conclusions.set_reasons((candidate, FALSE), reasons);
            if deduction.chain.is_some() {
                conclusions.inner.resize(self.links.candidates.len(), None);
                conclusions.inner[candidate] = deduction.chain;
            }
            if deduction.inner.is_some() {
                conclusions.inner_patterns.resize(self.links.candidates.len(), None);
                conclusions.inner_patterns[candidate] = deduction.inner;
            }
            self.waiting[FALSE].push_back(candidate);
        }
        is_any
    }

    fn follow_true(&mut self, candidate: usize) -> SearchFlow {
        let (cell, digit) = self.links.candidates[candidate];
        let reason = [(candidate, TRUE)];
        if self.used == LinksUsed::All {
            for other in bits(self.grid.candidates[cell] & !(1 << digit)) {
                self.conclude((self.links.at(cell, other), FALSE), reason)?;
            }
        }
        let mut visited = 1 << cell;
        for (house, _) in PLACES_OF[cell] {
            let peers = self.grid.cells_for[digit] & CELL_MASKS[house] & !visited;
            visited |= peers;
            for other in self.links.in_cells(peers, digit) {
                self.conclude((other, FALSE), reason)?;
            }
        }
        SearchFlow::Continue(())
    }

    /// The last candidate of the cell, and the last place of the digit in a house, are true.
    fn follow_false(&mut self, candidate: usize) -> SearchFlow {
        let (links, (cell, digit)) = (self.links, self.links.candidates[candidate]);
        self.grid.remove(cell, digit);
        let left = self.grid.candidates[cell];
        if self.used == LinksUsed::All && left.is_power_of_two() {
            let last = links.at(cell, left.trailing_zeros() as usize);
            let removed = bits(links.grid.candidates[cell] & !left);
            let removed = removed.map(|it| (links.at(cell, it), FALSE));
            self.conclude_last(last, CELL, removed)?;
        }
        for (house, _) in PLACES_OF[cell] {
            let left = self.grid.cells_for[digit] & CELL_MASKS[house];
            if left.is_power_of_two() {
                let last = links.at(left.trailing_zeros() as usize, digit);
                let removed = links.grid.cells_for[digit] & CELL_MASKS[house] & !left;
                let removed = links.in_cells(removed, digit);
                self.conclude_last(last, house as u8, removed.map(|it| (it, FALSE)))?;
            }
        }
        SearchFlow::Continue(())
    }

    fn conclude_last(
        &mut self,
        candidate: usize,
        house: u8,
        reasons: impl IntoIterator<Item = Statement>,
    ) -> SearchFlow {
        if contains(&self.conclusions.known[TRUE], candidate) {
            return SearchFlow::Continue(());
        }
        self.conclusions.last_of[candidate] = Some(house);
        self.conclude((candidate, TRUE), reasons)
    }

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
        self.conclusions.set_reasons(statement, reasons);
        if is_contradiction {
            return SearchFlow::Break(candidate);
        }
        self.waiting[truth].push_back(candidate);
        SearchFlow::Continue(())
    }
}
