//! Finds what patterns inside a dynamic forcing chain deduce: levels 9.0 and above. Where they
//! deduce nothing, inner_chains.rs finds the chains inside.
//!
//! The grid lacks what the chain has removed so far. A deduction follows from those removed
//! candidates without which its pattern, or a "last of its cell or house" of its chain, would not
//! exist. Those are the candidates that the round has and the grid lacks.

use std::rc::Rc;

use super::grid::{
    ALL_DIGITS, BOXES, CELL_MASKS, CELLS_OF, COLUMNS, CellMask, Grid, HOUSES, Purpose, ROWS,
    cell_list, cells_at, cells_of, name_of,
};
use super::implications::{CELL, CandidateMask, Links, Statement, is_empty};
use super::sets::{each_locked, each_subset};
use crate::pencil::links::insert;

use crate::bits::bits;
use crate::pencil::pattern::{Inner, Pattern, Word};
use crate::pencil::technique::Technique::{self, *};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Nesting {
    None,
    /// Locked candidates, hidden pairs, naked pairs and X-wings.
    Patterns,
    /// Patterns, forcing chains and cycles.
    Chains,
    /// Also multiple forcing chains.
    Multiple,
    /// Patterns and dynamic forcing chains.
    Dynamic,
}

impl Nesting {
    pub fn technique(self) -> Technique {
        match self {
            Nesting::None => DynamicForcingChains,
            Nesting::Patterns => DynamicChainsWithPatterns,
            Nesting::Chains => DynamicChainsWithChains,
            Nesting::Multiple => DynamicChainsWithMultiple,
            Nesting::Dynamic => DynamicChainsWithDynamic,
        }
    }
}

pub(super) struct Deduction<const WORDS: usize> {
    pub candidate: usize,
    pub reasons: CandidateMask<WORDS>,
    pub chain: Option<Rc<InnerChain>>,
    /// The description of the pattern or chain, if it is for a step.
    pub inner: Option<Rc<Inner>>,
}

pub(super) struct InnerChain {
    /// One chain after the other. Equal chains have equal lists.
    pub statements: Vec<Statement>,
    pub length: u32,
}

/// `grid` lacks candidates of the grid of the round, which has the links.
pub(super) struct Removed<'s, const WORDS: usize> {
    pub links: &'s Links<'s, WORDS>,
    pub grid: &'s Grid,
}

impl<const WORDS: usize> Removed<'_, WORDS> {
    /// Returns the deductions of the first kind of pattern that has any.
    pub fn patterns(&self) -> Vec<Deduction<WORDS>> {
        let mut found = Vec::new();
        for find in [Removed::locked, Removed::hidden_pairs, Removed::naked_pairs, Removed::x_wings]
        {
            find(self, &mut found);
            if !found.is_empty() {
                break;
            }
        }
        found
    }

    fn in_cells(&self, cells: CellMask, digit: usize, reasons: &mut CandidateMask<WORDS>) {
        let before = self.links.grid.cells_for[digit] & cells;
        let removed = before & !self.grid.cells_for[digit];
        self.links.in_cells(removed, digit).for_each(|it| insert(reasons, it));
    }

    pub fn of_house(&self, house: u8, candidate: usize, reasons: &mut CandidateMask<WORDS>) {
        let (cell, digit) = self.links.candidates[candidate];
        if house == CELL {
            let removed = self.links.grid.candidates[cell] & !self.grid.candidates[cell];
            bits(removed).for_each(|it| insert(reasons, self.links.at(cell, it)));
        } else {
            self.in_cells(CELL_MASKS[usize::from(house)], digit, reasons);
        }
    }

    /// Returns the description of a pattern or chain inside a chain, if it is for a step.
    pub fn inner(
        &self,
        technique: Technique,
        pattern: impl FnOnce() -> Pattern,
    ) -> Option<Rc<Inner>> {
        let is_for_step = self.links.purpose != Purpose::Rating;
        is_for_step.then(|| Rc::new(Inner { technique, pattern: pattern() }))
    }

    /// Does nothing if no removed candidate is a reason: then rows of lower levels find it.
    fn push(
        &self,
        found: &mut Vec<Deduction<WORDS>>,
        (lost, digit): (CellMask, usize),
        reasons: CandidateMask<WORDS>,
        inner: impl FnOnce() -> Option<Rc<Inner>>,
    ) {
        let lost = lost & self.grid.cells_for[digit];
        if lost != 0 && !is_empty(&reasons) {
            let inner = inner();
            for candidate in self.links.in_cells(lost, digit) {
                found.push(Deduction { candidate, reasons, chain: None, inner: inner.clone() });
            }
        }
    }

    fn locked(&self, found: &mut Vec<Deduction<WORDS>>) {
        for (from, to) in [(BOXES, COLUMNS), (BOXES, ROWS), (COLUMNS, BOXES), (ROWS, BOXES)] {
            each_locked(self.grid, from, to, |digit, a, b| {
                let (confining, target) = (CELL_MASKS[a], CELL_MASKS[b]);
                if (self.grid.cells_for[digit] & confining).count_ones() > 1 {
                    let mut reasons = [0; WORDS];
                    self.in_cells(confining & !target, digit, &mut reasons);
                    self.push(found, (target & !confining, digit), reasons, || {
                        self.inner(LockedCandidates, || {
                            [a, b].map(|house| Word::House(name_of(house))).into()
                        })
                    });
                }
            });
        }
    }

    fn hidden_pairs(&self, found: &mut Vec<Deduction<WORDS>>) {
        for house in (0..HOUSES).filter(|&house| self.grid.blanks_of(house) > 4) {
            each_subset::<2>(self.grid.positions[house], |digits, positions| {
                let pair = cells_at(house, positions);
                let mut reasons = [0; WORDS];
                for digit in bits(digits) {
                    self.in_cells(CELL_MASKS[house] & !pair, digit, &mut reasons);
                }
                for digit in bits(ALL_DIGITS & !digits) {
                    self.push(found, (pair, digit), reasons, || {
                        self.inner(HiddenPair, || set_pattern(house, pair, digits))
                    });
                }
            });
        }
    }

    fn naked_pairs(&self, found: &mut Vec<Deduction<WORDS>>) {
        for house in (0..HOUSES).filter(|&house| self.grid.blanks_of(house) >= 4) {
            let sets = CELLS_OF[house].map(|cell| self.grid.candidates[cell]);
            each_subset::<2>(sets, |positions, digits| {
                let pair = cells_at(house, positions);
                let mut reasons = [0; WORDS];
                for cell in cells_of(pair) {
                    let others = self.links.grid.candidates[cell] & !digits;
                    bits(others).for_each(|it| insert(&mut reasons, self.links.at(cell, it)));
                }
                for digit in bits(digits) {
                    self.push(found, (CELL_MASKS[house] & !pair, digit), reasons, || {
                        self.inner(NakedPair, || set_pattern(house, pair, digits))
                    });
                }
            });
        }
    }

    fn x_wings(&self, found: &mut Vec<Deduction<WORDS>>) {
        for digit in 0..9 {
            for (lines, crossing) in [(ROWS, COLUMNS), (COLUMNS, ROWS)] {
                let sets = std::array::from_fn(|it| self.grid.positions[lines.start + it][digit]);
                let is_of_rows = lines == ROWS;
                each_subset::<2>(sets, |base, cover| {
                    let pattern = || fish_pattern(digit, is_of_rows, base, cover);
                    let union = |start: usize, lines: u32| {
                        bits(lines).fold(0, |cells, line| cells | CELL_MASKS[start + line])
                    };
                    let (base, cover) = (union(lines.start, base), union(crossing.start, cover));
                    let mut reasons = [0; WORDS];
                    self.in_cells(base & !cover, digit, &mut reasons);
                    self.push(found, (cover & !base, digit), reasons, || {
                        self.inner(XWing, pattern)
                    });
                });
            }
        }
    }
}

fn set_pattern(house: usize, cells: CellMask, digits: u32) -> Pattern {
    vec![Word::House(name_of(house)), Word::Cells(cell_list(cells)), Word::Digits(digits)]
}

/// `base` and `cover` are sets of rows and columns, or of columns and rows.
fn fish_pattern(digit: usize, is_of_rows: bool, base: u32, cover: u32) -> Pattern {
    let mut names = [Word::Text("rows"), Word::Text("columns")];
    if !is_of_rows {
        names.reverse();
    }
    let [of_base, of_cover] = names;
    vec![Word::Digits(1 << digit), of_base, Word::Numbers(base), of_cover, Word::Numbers(cover)]
}
