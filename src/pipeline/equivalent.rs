//! The equivalent of a puzzle under a symmetry and a relabelling of the digits (`--shuffle`). The
//! puzzle and its cages are moved as values. The layout and the answer of a line are changed as text:
//! symbols move from cell to cell, and in the answer those of digits are renamed. The rules of a
//! constraint string are moved as text.

use std::sync::Arc;

use crate::pipeline::batch::Batch;
use crate::pipeline::boards::Boards;
use crate::pipeline::question::Question;
use crate::pipeline::rulesets::Ruleset;
use crate::pipeline::settings::Settings;
use crate::text::columns::Column;
use crate::text::notation::{DescribedPuzzle, MovableRules, with_givens};
use crate::text::record::is_missing;
use crate::text::record_rules::RuleItem;
use crate::text::symbols::{Alphabet, Case};
use engine::canonical::{RandomSymmetries, RandomSymmetry};
use engine::error::InvalidInput;
use engine::puzzle::Givens;
use engine::rules::{Cage, Rules};

/// A field that the line does not have is empty.
#[derive(Default)]
pub(super) struct Equivalent {
    pub puzzle: Boards,
    /// Empty unless the rules of the puzzle use the layout of the line.
    pub regions: Vec<u8>,
    pub answer: Vec<u8>,
    /// The rules that the output shows, with the moved cages and, if grids are drawn, the moved
    /// layout. `None` if there is neither.
    pub ruleset: Option<Arc<Ruleset>>,
    /// The items of a constraint string, without its givens.
    pub rules: Option<Vec<u8>>,
    /// The rules that a drawing shows.
    pub items: Vec<RuleItem>,
}

/// The fields of a line as they were read.
pub(super) struct Original<'e> {
    puzzle: Givens<'e>,
    regions: &'e [u8],
    ruleset: &'e Ruleset,
    answer: &'e [u8],
    answer_case: Case,
    /// Set for a constraint string.
    stated: Option<MovableRules<'e>>,
}

impl<'e> Original<'e> {
    pub fn new(
        settings: &Settings,
        question: &'e Question<'_>,
        batch: &'e Batch,
        index: usize,
    ) -> Original<'e> {
        let ruleset = batch.rules.ruleset(index);
        let regions = question.regions.as_deref();
        let has_layout =
            !ruleset.rules.jigsaw_regions().is_empty() && settings.options.regions.is_none();
        let answer = question.answer.as_deref();
        let answer = answer.filter(|answer| !is_missing(answer));
        Original {
            puzzle: batch.givens(index),
            regions: regions.filter(|_| has_layout).unwrap_or_default(),
            ruleset,
            answer: answer.unwrap_or_default(),
            answer_case: question.answer_case,
            stated: question.constraints().map(|(items, _)| MovableRules::new(items)),
        }
    }

    /// Returns the symmetries of a constraint string. `None` for other puzzles.
    pub fn turns(&self, settings: &Settings) -> Option<RandomSymmetries> {
        let relabelling = self.stated.as_ref()?.relabelling();
        let turns = settings.rulesets.turns(self.ruleset, self.regions, relabelling);
        Some(turns.expect("the puzzle has these rules"))
    }

    /// Returns the items of a constraint string, if it is one. `None` if they cannot be stated.
    pub fn moved_rules(&self, symmetry: &RandomSymmetry) -> Option<Option<Vec<u8>>> {
        match &self.stated {
            Some(rules) => Some(Some(rules.image(symmetry)?)),
            None => Some(None),
        }
    }
}

impl Equivalent {
    pub fn set(&mut self, original: &Original<'_>, symmetry: &RandomSymmetry, settings: &Settings) {
        let alphabet = &settings.options.alphabet;
        self.puzzle.set_image(original.puzzle, symmetry);
        self.regions.clear();
        if !original.regions.is_empty() {
            symmetry.move_cells(original.regions, &mut self.regions, |label| label);
        }
        self.answer.clear();
        if !original.answer.is_empty() {
            let symbols = renamed_symbols(alphabet, original.answer_case, symmetry);
            let rename = |symbol: u8| symbols[usize::from(symbol)];
            symmetry.move_cells(original.answer, &mut self.answer, rename);
        }
        self.ruleset = match original.stated {
            Some(_) => None,
            None => self.moved_ruleset(original.ruleset, symmetry, settings),
        };
    }

    /// `rules` are those of a constraint string. Called after `set`.
    pub fn set_rules(&mut self, rules: Option<Vec<u8>>, settings: &Settings) {
        let shows_rules = settings.output.draws() || settings.columns.have(&Column::Cages);
        if let Some(rules) = rules.as_deref().filter(|_| shows_rules) {
            let read = self.read_rules(rules, settings);
            let (ruleset, items) = read.expect("moved rules are as valid as the original ones");
            self.ruleset = Some(ruleset);
            self.items = items;
        }
        self.rules = rules;
    }

    fn read_rules(
        &self,
        rules: &[u8],
        settings: &Settings,
    ) -> Result<(Arc<Ruleset>, Vec<RuleItem>), InvalidInput> {
        let mut described = DescribedPuzzle::decode_constraints(&with_givens(rules, &[]))?;
        described.rules.state_candidates(described.side)?;
        let rulesets = &settings.rulesets;
        let key = rulesets.key(described.side, described.boxes, described.diagonals);
        let key = rulesets.key_with(key, &described.rules)?;
        let ruleset = match &*self.regions {
            [] => rulesets.of_key(&key)?,
            labels => rulesets.of_layout(&key, labels)?,
        };
        let ruleset = rulesets.with_cages(&ruleset, described.cages().to_vec(), None)?;
        Ok((ruleset, described.rules.items))
    }

    /// `self.regions` is already the moved layout.
    fn moved_ruleset(
        &self,
        original: &Ruleset,
        symmetry: &RandomSymmetry,
        settings: &Settings,
    ) -> Option<Arc<Ruleset>> {
        let rulesets = &settings.rulesets;
        let draws_layout = settings.output.draws() && !self.regions.is_empty();
        let with_layout = draws_layout.then(|| {
            let moved = rulesets.of_layout(&original.rules_key, &self.regions);
            moved.expect("the symmetry preserves the rules")
        });
        if original.rules.cages().is_empty() {
            return with_layout;
        }
        let cages = moved_cages(&original.rules, symmetry);
        let moved = rulesets.with_cages(with_layout.as_deref().unwrap_or(original), cages, None);
        Some(moved.expect("a symmetry keeps cages apart"))
    }
}

/// Keeps cages in the order of their first cells.
fn moved_cages(rules: &Rules, symmetry: &RandomSymmetry) -> Vec<Cage> {
    // Element c is the new place of cell c.
    let mut places = vec![0; rules.cells()];
    for place in 0..rules.cells() {
        places[symmetry.source(place)] = place as u16;
    }
    let moved = |cage: &Cage| {
        let cells = cage.cells().iter().map(|&cell| places[usize::from(cell)]);
        Cage::new(rules.side(), cells.collect(), cage.sum).expect("a cage moves as a whole")
    };
    let mut cages: Vec<Cage> = rules.cages().iter().map(moved).collect();
    cages.sort_by_key(|cage| cage.cells()[0]);
    cages
}

/// The symbol of a digit (a letter in either case) becomes the symbol of its new digit in `case`.
fn renamed_symbols(alphabet: &Alphabet, case: Case, symmetry: &RandomSymmetry) -> [u8; 256] {
    let mut renamed: [u8; 256] = std::array::from_fn(|symbol| symbol as u8);
    let new = alphabet.symbols(case);
    let old = if case == Case::FromZero { [case; 2] } else { [Case::Capital, Case::Small] };
    for old in old {
        for (digit, &symbol) in (1..).zip(&alphabet.symbols(old)[..symmetry.side()]) {
            let digit = symmetry.new_digit(digit);
            renamed[usize::from(symbol)] = new[usize::from(digit) - 1];
        }
    }
    renamed
}
