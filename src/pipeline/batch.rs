//! Groups the puzzles of a task into batches that are solved together. The puzzles of a batch have
//! one side, one notation of cells and the same rules, except that each can have the layout, the
//! cages and the stated rules of its own line.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::answer::PuzzlesToSolve;
use super::boards::Boards;
use super::decode::LineRules;
use super::rulesets::{RulesKey, Ruleset, RulesetResult, Rulesets};
use crate::text::size::CellNotation;
use engine::error::{BoxError, InvalidInput};
use engine::puzzle::{Givens, Puzzles};
use engine::random::Random;
use engine::rules::{MAX_SIDE, Rules};

pub(super) struct Batches<'a> {
    pub all: Vec<Batch>,
    /// For each side, the index in `all` of the batch of the usual puzzles: with one symbol per
    /// cell, and with rules that follow from the side and the options alone.
    of_side: [Option<usize>; MAX_SIDE + 1],
    /// The index in `all` of each other batch, by the key of its rules, its notation, true if its
    /// puzzles need the layouts of their lines or state rules, and true if they have cages or state
    /// rules. So the puzzles of a batch have the same symmetries ([`Rulesets::symmetries`]).
    others: HashMap<(RulesKey, CellNotation, bool, bool), usize>,
    /// The results of `Batches::ruleset`, for layouts with one label per cell.
    known_rules: HashMap<LayoutKey<'a>, RulesetResult>,
    /// How many cells of puzzles the task has at most.
    expected_cells: usize,
    /// Those of puzzles of which only the answer is checked.
    expected_checked: usize,
}

type LayoutKey<'a> = (RulesKey, Option<Cow<'a, [u8]>>);

pub(super) struct BatchChoice {
    pub batch: usize,
    /// Set if the rules include the layout, the cages or stated rules of the line. Otherwise the
    /// batch has them.
    pub own_rules: Option<Arc<Ruleset>>,
}

impl<'a> Batches<'a> {
    pub fn new(expected_cells: usize, to_solve: PuzzlesToSolve) -> Batches<'a> {
        Batches {
            all: Vec::new(),
            of_side: [None; MAX_SIDE + 1],
            others: HashMap::new(),
            known_rules: HashMap::new(),
            expected_cells,
            expected_checked: if to_solve == PuzzlesToSolve::All { 0 } else { expected_cells },
        }
    }

    /// Adds the batch of the usual puzzles if there is none yet. Returns its index.
    pub fn of_side(&mut self, side: usize, rulesets: &Rulesets) -> Result<usize, InvalidInput> {
        match self.of_side[side] {
            Some(batch) => Ok(batch),
            None => {
                let rules = BatchRules::Shared(rulesets.of_key(&RulesKey::of_side(side))?);
                let batch = self.add(side, rules, CellNotation::Digits);
                self.of_side[side] = Some(batch);
                Ok(batch)
            }
        }
    }

    /// On error, adds no batch.
    pub fn choose(
        &mut self,
        line: LineRules<'a>,
        notation: CellNotation,
        rulesets: &Rulesets,
    ) -> Result<BatchChoice, BoxError> {
        let LineRules { rules_key, layout, cages, stated } = line;
        let has_cages = !cages.is_empty() || stated.is_some();
        let has_layout = layout.is_some();
        let has_own_rules = has_layout || has_cages;
        let is_usual =
            rules_key == RulesKey::of_side(rules_key.side) && notation == CellNotation::Digits;
        if is_usual && !has_own_rules {
            // The most common case. Once its batch exists, it needs no map and no lock.
            let batch = self.of_side(rules_key.side, rulesets)?;
            return Ok(BatchChoice { batch, own_rules: None });
        }
        let mut ruleset = self.ruleset(&rules_key, layout, rulesets)?;
        if has_cages {
            ruleset = rulesets.with_cages(&ruleset, cages, stated)?;
        }
        let side = rules_key.side;
        // Batches of lines that state rules have no others (`Rules::differs_in_layout_and_cages_only`).
        let is_stated = ruleset.rules.stated().is_some();
        let key = (rules_key, notation, has_layout || is_stated, has_cages);
        let batch = match self.others.get(&key) {
            Some(&batch) => batch,
            None => {
                let rules = if has_own_rules {
                    BatchRules::Each(Vec::new())
                } else {
                    BatchRules::Shared(Arc::clone(&ruleset))
                };
                let batch = self.add(side, rules, notation);
                self.others.insert(key, batch);
                batch
            }
        };
        let own_rules = has_own_rules.then_some(ruleset);
        Ok(BatchChoice { batch, own_rules })
    }

    /// Returns the rules of a puzzle for which this batch is chosen.
    pub fn rules_of<'r>(&'r self, choice: &'r BatchChoice) -> &'r Rules {
        // Without rules of its own, a puzzle has the `Shared` ones: the same for every index.
        let shared = || self.all[choice.batch].rules.ruleset(0);
        &choice.own_rules.as_ref().unwrap_or_else(shared).rules
    }

    /// Stores the result for the next puzzle: puzzles of a task often share a layout, and
    /// [`Rulesets::of_key`] takes a lock that all workers share.
    fn ruleset(
        &mut self,
        rules_key: &RulesKey,
        layout: Option<Cow<'a, [u8]>>,
        rulesets: &Rulesets,
    ) -> Result<Arc<Ruleset>, BoxError> {
        // A field of another length is probably not a layout but, for example, a note. Notes differ
        // from line to line, so storing the error would help no other line.
        if let Some(labels) = &layout
            && labels.len() != rules_key.side * rules_key.side
        {
            return Ok(rulesets.of_layout(rules_key, labels)?);
        }
        let known = self.known_rules.entry((rules_key.clone(), layout));
        let new = |(rules_key, layout): &LayoutKey<'a>| match layout {
            Some(labels) => rulesets.of_layout(rules_key, labels),
            None => rulesets.of_key(rules_key),
        };
        Ok(known.or_insert_with_key(new).clone()?)
    }

    fn add(&mut self, side: usize, rules: BatchRules, notation: CellNotation) -> usize {
        let index = self.all.len();
        let mut batch = Batch::new(rules, side, notation);
        if self.all.is_empty() {
            // Usually all puzzles of a task are in the first batch.
            batch.boards.digits.reserve(self.expected_cells);
            batch.checked.digits.reserve(self.expected_checked);
        }
        self.all.push(batch);
        index
    }
}

pub(super) enum BatchRules {
    Shared(Arc<Ruleset>),
    /// The rules of each puzzle, which include those that its line states.
    Each(Vec<Arc<Ruleset>>),
}

impl BatchRules {
    pub fn ruleset(&self, index: usize) -> &Arc<Ruleset> {
        match self {
            BatchRules::Shared(ruleset) => ruleset,
            BatchRules::Each(rulesets) => &rulesets[index],
        }
    }

    fn push(&mut self, own_rules: Option<Arc<Ruleset>>) {
        if let BatchRules::Each(rulesets) = self {
            rulesets.extend(own_rules);
        }
    }

    pub fn select(&self, indices: impl Iterator<Item = usize>) -> BatchRules {
        match self {
            BatchRules::Shared(ruleset) => BatchRules::Shared(ruleset.clone()),
            BatchRules::Each(rulesets) => {
                BatchRules::Each(indices.map(|index| rulesets[index].clone()).collect())
            }
        }
    }
}

/// The seed of a run, from which each line has a seed of its own. `None` if nothing is random.
#[derive(Clone, Copy, Debug)]
pub(super) struct RunSeed(pub Option<u64>);

impl RunSeed {
    /// `number` counts in the whole input, so the output does not depend on the cutting into tasks.
    #[inline(always)]
    pub fn of_line(self, number: u64) -> Option<u64> {
        self.0.map(|seed| Random::seed_of_line(seed, number))
    }
}

pub(super) struct Batch {
    pub rules: BatchRules,
    pub boards: Boards,
    /// Puzzles of the same kind that are not solved: only their answers are checked.
    pub checked: Boards,
    checked_rules: BatchRules,
    /// The seed of each puzzle; empty if [`RunSeed`] is `None`.
    pub seeds: Vec<u64>,
    /// The number of puzzles.
    pub number: usize,
}

/// The index of a board in its batch.
#[derive(Clone, Copy)]
pub(super) enum BoardIndex {
    /// Among the puzzles that are solved or shuffled.
    Puzzle(u32),
    /// Among the puzzles that are not solved.
    Checked(u32),
}

impl Batch {
    fn new(rules: BatchRules, side: usize, notation: CellNotation) -> Batch {
        let boards = || Boards::new(side, notation);
        Batch {
            checked_rules: rules.select([].into_iter()),
            rules,
            boards: boards(),
            checked: boards(),
            seeds: Vec::new(),
            number: 0,
        }
    }

    pub fn ruleset(&self, board: BoardIndex) -> &Arc<Ruleset> {
        match board {
            BoardIndex::Puzzle(index) => self.rules.ruleset(index as usize),
            BoardIndex::Checked(index) => self.checked_rules.ruleset(index as usize),
        }
    }

    pub fn board(&self, board: BoardIndex) -> Givens<'_> {
        match board {
            BoardIndex::Puzzle(index) => self.boards.board(index as usize),
            BoardIndex::Checked(index) => self.checked.board(index as usize),
        }
    }

    /// Adds a puzzle, with `Each` also its rules.
    pub fn add(
        &mut self,
        givens: Givens<'_>,
        own_rules: Option<Arc<Ruleset>>,
        seed: Option<u64>,
    ) -> BoardIndex {
        self.boards.append(givens);
        self.rules.push(own_rules);
        BoardIndex::Puzzle(self.complete(seed) as u32)
    }

    /// As [`add`](Batch::add), for a puzzle that is not solved.
    pub fn add_checked(
        &mut self,
        givens: Givens<'_>,
        own_rules: Option<Arc<Ruleset>>,
    ) -> BoardIndex {
        let index = self.checked.number();
        self.checked.append(givens);
        self.checked_rules.push(own_rules);
        BoardIndex::Checked(index as u32)
    }

    /// Completes a puzzle whose digits are appended to `boards`. Returns its index in the batch.
    pub fn complete(&mut self, seed: Option<u64>) -> usize {
        self.seeds.extend(seed);
        self.number += 1;
        self.number - 1
    }

    /// Returns an empty batch for puzzles with digits.
    pub fn with_rules_of(&self, indices: impl Iterator<Item = usize>) -> Batch {
        Batch::new(self.rules.select(indices), self.boards.side, CellNotation::Digits)
    }

    pub fn puzzles(&self) -> Puzzles<'_> {
        Puzzles { givens: self.boards.givens(), seeds: &self.seeds }
    }

    pub fn puzzle(&self, index: usize) -> Puzzles<'_> {
        self.puzzles().one(index, self.boards.cells())
    }

    pub fn givens(&self, index: usize) -> Givens<'_> {
        self.boards.board(index)
    }
}
