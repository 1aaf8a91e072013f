//! Groups the puzzles of a task into batches: puzzles of one side that share their rules, or the rules except the layout, and
//! are solved together.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::error::RulesetError;
use super::options::{Notation, Options};
use super::rulesets::{Ruleset, Rulesets};
use crate::error::BoxError;
use crate::puzzle::{Givens, Puzzles};
use crate::rules::{MAX_SIDE, Rules};
use crate::solver::jigsaws::Jigsaws;
use crate::solver::{Limits, Progress};
use crate::text::symbols::{Alphabet, Case, SymbolError};

/// The batches of a task.
pub(super) struct Batches<'a> {
    pub all: Vec<Batch>,
    /// The index of the batch for puzzles of each side. If each line has a layout, the puzzles of a batch differ in their rules.
    of_side: [Option<usize>; MAX_SIDE + 1],
    /// The index of the batch for pencilmark puzzles.
    of_pencilmarks: Option<usize>,
    /// The rules of each layout in the task, or the reason why there are none.
    layouts: HashMap<Cow<'a, [u8]>, Result<Arc<Ruleset>, RulesetError>>,
    /// The number of cells for which the first batch gets memory.
    expected_cells: usize,
}

/// The batch of a puzzle.
pub(super) struct BatchChoice {
    /// The index of the batch.
    pub batch: usize,
    /// The rules of the puzzle, if each line has a layout.
    own: Option<Arc<Ruleset>>,
}

/// The number of symbols of a pencilmark puzzle: nine for each of 81 cells.
const PENCILMARKS: usize = 729;

impl<'a> Batches<'a> {
    /// Returns no batches. The first one gets memory for puzzles of this many cells together.
    pub fn new(expected_cells: usize) -> Batches<'a> {
        Batches {
            all: Vec::new(),
            of_side: [None; MAX_SIDE + 1],
            of_pencilmarks: None,
            layouts: HashMap::new(),
            expected_cells,
        }
    }

    /// Returns the index of the batch for puzzles of this side with one symbol per cell. Not for lines with a layout of
    /// their own.
    #[inline(always)]
    pub fn of_side(&mut self, side: usize, rulesets: &Rulesets) -> Result<usize, RulesetError> {
        match self.of_side[side] {
            Some(batch) => Ok(batch),
            None => {
                let rules = BatchRules::Shared(rulesets.of_side(side)?);
                Ok(self.add(side, rules, Notation::Digits))
            }
        }
    }

    /// Returns the batch for a puzzle. `layout` is the layout of its line, or `None` if lines have no layouts.
    pub fn choose(
        &mut self,
        puzzle: &[u8],
        layout: Option<Cow<'a, [u8]>>,
        rulesets: &Rulesets,
    ) -> Result<BatchChoice, BoxError> {
        let (side, notation) = match puzzle.len() {
            PENCILMARKS => (9, Notation::Pencilmarks),
            cells => (rulesets.sizes.side(cells)?, Notation::Digits),
        };
        let own = match layout {
            Some(labels) => Some(self.of_layout(side, labels, rulesets)?),
            None => None,
        };
        let known = match notation {
            Notation::Digits => self.of_side[side],
            Notation::Pencilmarks => self.of_pencilmarks,
        };
        let batch = match (known, &own) {
            (Some(batch), _) => batch,
            (None, Some(_)) => self.add(side, BatchRules::PerPuzzle(Vec::new()), notation),
            (None, None) => self.add(side, BatchRules::Shared(rulesets.of_side(side)?), notation),
        };
        Ok(BatchChoice { batch, own })
    }

    fn of_layout(
        &mut self,
        side: usize,
        labels: Cow<'a, [u8]>,
        rulesets: &Rulesets,
    ) -> Result<Arc<Ruleset>, BoxError> {
        if labels.is_empty() {
            return Err("the regions are missing; expected PUZZLE REGIONS".into());
        }
        // A layout that does not fit this puzzle can fit another one, so this error is not stored.
        if labels.len() != side * side {
            return Ok(rulesets.of_layout(side, &labels)?);
        }
        if let Some(ruleset) = self.layouts.get(&labels) {
            return Ok(ruleset.clone()?);
        }
        let ruleset = rulesets.of_layout(side, &labels);
        self.layouts.insert(labels, ruleset.clone());
        Ok(ruleset?)
    }

    fn add(&mut self, side: usize, rules: BatchRules, notation: Notation) -> usize {
        let index = self.all.len();
        let mut batch = Batch::new(rules, side * side, notation);
        if self.all.is_empty() {
            // Usually all lines are puzzles of one side, with one symbol per cell.
            batch.grids.reserve(self.expected_cells);
        }
        self.all.push(batch);
        match notation {
            Notation::Digits => self.of_side[side] = Some(index),
            Notation::Pencilmarks => self.of_pencilmarks = Some(index),
        }
        index
    }
}

impl BatchChoice {
    /// Returns the choice of a batch for a puzzle without a layout of its own.
    #[inline(always)]
    pub fn of(batch: usize) -> BatchChoice {
        BatchChoice { batch, own: None }
    }

    /// Returns the rules of the puzzle.
    pub fn ruleset<'b>(&'b self, batches: &'b Batches<'_>) -> &'b Arc<Ruleset> {
        match &self.own {
            Some(own) => own,
            None => batches.all[self.batch].rules.ruleset(0),
        }
    }
}

/// The rules of the puzzles of a batch.
pub(super) enum BatchRules {
    /// All puzzles have the same rules.
    Shared(Arc<Ruleset>),
    /// Each puzzle has its own rules, because each line has a layout.
    PerPuzzle(Vec<Arc<Ruleset>>),
}

impl BatchRules {
    pub fn ruleset(&self, index: usize) -> &Arc<Ruleset> {
        match self {
            BatchRules::Shared(ruleset) => ruleset,
            BatchRules::PerPuzzle(rulesets) => &rulesets[index],
        }
    }

    /// Returns the rules of the puzzles with these indices, in this order.
    pub fn of(&self, indices: impl Iterator<Item = usize>) -> BatchRules {
        match self {
            BatchRules::Shared(ruleset) => BatchRules::Shared(ruleset.clone()),
            BatchRules::PerPuzzle(rulesets) => {
                BatchRules::PerPuzzle(indices.map(|index| rulesets[index].clone()).collect())
            }
        }
    }

    /// Solves puzzles. The rules of a puzzle are those of its index.
    pub fn solve(
        &self,
        options: &Options,
        limits: Limits,
        puzzles: Puzzles<'_>,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            BatchRules::Shared(ruleset) => ruleset.solver.solve(puzzles, limits, report),
            BatchRules::PerPuzzle(rulesets) => {
                let rules: Vec<Arc<Rules>> = rulesets
                    .iter()
                    .map(|ruleset| ruleset.rules.clone())
                    .collect();
                let jigsaws = Jigsaws::new(options.method, options.level);
                jigsaws.solve(&rules, puzzles, limits, report)
            }
        }
    }
}

/// Puzzles of one side that are solved together.
pub(super) struct Batch {
    pub rules: BatchRules,
    /// The number of cells of a grid.
    pub cells: usize,
    /// The digits of each puzzle, one puzzle after the other; all blank for pencilmark puzzles.
    pub grids: Vec<u8>,
    /// The candidates of each cell, if these are pencilmark puzzles.
    pub candidates: Option<Vec<u32>>,
    /// The seed of each puzzle's branching order; empty for the fixed order.
    pub seeds: Vec<u64>,
    /// The number of complete puzzles.
    pub number: usize,
}

impl Batch {
    fn new(rules: BatchRules, cells: usize, notation: Notation) -> Batch {
        Batch {
            rules,
            cells,
            grids: Vec::new(),
            candidates: match notation {
                Notation::Digits => None,
                Notation::Pencilmarks => Some(Vec::new()),
            },
            seeds: Vec::new(),
            number: 0,
        }
    }

    /// Appends the cells of a puzzle. [`complete`](Batch::complete) or [`remove`](Batch::remove) must follow. Appends nothing
    /// if the puzzle is invalid.
    ///
    /// # Errors
    /// Returns an error if a symbol is neither a digit nor a blank.
    pub fn append(&mut self, puzzle: &[u8], alphabet: &Alphabet) -> Result<Case, SymbolError> {
        debug_assert_eq!(self.grids.len(), self.number * self.cells);
        match &mut self.candidates {
            None => alphabet.read(puzzle, self.cells.isqrt(), &mut self.grids),
            Some(candidates) => {
                alphabet.read_pencilmarks(puzzle, candidates)?;
                self.grids.resize(self.grids.len() + self.cells, 0);
                Ok(Case::default())
            }
        }
    }

    /// Returns the givens of the puzzle that is appended but not complete.
    pub fn appended(&self) -> Givens<'_> {
        self.givens(self.number)
    }

    /// Removes the puzzle that is appended but not complete.
    pub fn remove(&mut self) {
        let kept = self.number * self.cells;
        self.grids.truncate(kept);
        if let Some(candidates) = &mut self.candidates {
            candidates.truncate(kept);
        }
    }

    /// Completes the puzzle that was appended, and returns its index.
    #[inline(always)]
    pub fn complete(&mut self, choice: BatchChoice, seed: Option<u64>) -> usize {
        self.number += 1;
        if let BatchRules::PerPuzzle(rulesets) = &mut self.rules {
            rulesets.extend(choice.own);
            debug_assert_eq!(rulesets.len(), self.number);
        }
        self.seeds.extend(seed);
        debug_assert!(self.seeds.is_empty() || self.seeds.len() == self.number);
        debug_assert_eq!(self.grids.len(), self.number * self.cells);
        self.number - 1
    }

    pub fn notation(&self) -> Notation {
        match self.candidates {
            Some(_) => Notation::Pencilmarks,
            None => Notation::Digits,
        }
    }

    pub fn puzzles(&self) -> Puzzles<'_> {
        Puzzles {
            givens: match &self.candidates {
                Some(candidates) => Givens::Candidates(candidates),
                None => Givens::Digits(&self.grids),
            },
            seeds: &self.seeds,
        }
    }

    /// Returns one puzzle alone.
    pub fn puzzle(&self, index: usize) -> Puzzles<'_> {
        Puzzles {
            givens: self.givens(index),
            seeds: self.seeds.get(index..=index).unwrap_or_default(),
        }
    }

    pub fn givens(&self, index: usize) -> Givens<'_> {
        self.puzzles().givens.of(index, self.cells)
    }
}
