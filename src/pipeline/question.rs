//! The question of a record: a puzzle to solve, or an answer to check.

use std::sync::Arc;

use super::answer::CheckedAnswer;
use super::batch::Batch;
use super::decode::Statement;
use super::rulesets::Ruleset;
use crate::text::record::RecordFields;
use crate::text::record_rules::RuleItem;
use crate::text::symbols::{Alphabet, Case};

/// A puzzle with its rules, and with `--verify` its answer.
#[derive(Clone)]
pub(super) struct Question<'a> {
    /// These have lost the notations that `decode::decode` decodes.
    pub fields: RecordFields<'a>,
    pub statement: Statement,
    /// The rules that a drawing shows; empty for other forms of output.
    pub items: Vec<RuleItem>,
    pub case: Case,
    /// The case of the answer, with `--verify` and `--shuffle`.
    pub answer_case: Case,
    pub place: PuzzlePlace,
    /// As in `BatchChoice`.
    pub own_rules: Option<Arc<Ruleset>>,
    /// Set with `--verify`.
    pub checked: Option<CheckedAnswer>,
}

#[derive(Clone, Copy)]
pub(super) struct PuzzlePlace {
    pub batch: u32,
    /// `None` if only the answer had to be checked.
    pub index: Option<u32>,
}

impl<'a> Question<'a> {
    /// The digits of the puzzle change from `old` to `new`.
    pub fn with_digits(&self, old: &[u8], new: &[u8], alphabet: &Alphabet) -> Question<'a> {
        let mut question = self.clone();
        let blank = alphabet.blank_of(&self.fields.puzzle);
        let text = question.fields.puzzle.to_mut();
        for (cell, (&old, &new)) in old.iter().zip(new).enumerate() {
            match new {
                _ if new == old => {}
                0 => text[cell] = blank,
                digit => text[cell] = alphabet.symbol(digit, self.case.kept()) as u8,
            }
        }
        question
    }

    /// Returns the items of a constraint string for the rules of the puzzle, and true if another
    /// field of the output has them. `None` if the puzzle is of another notation.
    pub fn constraints(&self) -> Option<(&[u8], bool)> {
        match &self.statement {
            Statement::Constraints { items, are_beside } => Some((items, *are_beside)),
            Statement::Beside | Statement::Fields => None,
        }
    }

    pub fn is_incorrect(&self) -> bool {
        self.checked.as_ref().is_some_and(|checked| checked.fault.is_some())
    }

    pub fn ruleset<'r>(&'r self, batches: &'r [Batch]) -> &'r Arc<Ruleset> {
        batches[self.place.batch as usize].ruleset_of(self.own_rules.as_ref())
    }
}
