//! The question of a record: a puzzle to solve, or an answer to check.

use std::borrow::Cow;
use std::sync::Arc;

use super::answer::CheckedAnswer;
use super::batch::{Batch, BoardIndex};
use super::decode::Statement;
use super::rulesets::Ruleset;
use crate::text::record_rules::RuleItem;
use crate::text::symbols::{Case, SymbolChoice};
use engine::puzzle::Givens;

/// A puzzle with its rules, and with `--verify` its answer.
#[derive(Clone)]
pub(super) struct Question<'a> {
    /// The layout beside the puzzle, even if the rules do not use it.
    pub regions: Option<Cow<'a, [u8]>>,
    pub answer: Option<Cow<'a, [u8]>>,
    /// As [`RecordFields::rest`](crate::text::record::RecordFields::rest).
    pub rest: &'a [u8],
    pub statement: Statement,
    /// The rules that a drawing shows; empty for other forms of output.
    pub items: Vec<RuleItem>,
    pub symbols: SymbolChoice,
    /// The case of the answer, with `--verify` and `--shuffle`.
    pub answer_case: Case,
    pub place: PuzzlePlace,
    /// Set with `--verify`.
    pub checked: Option<CheckedAnswer>,
}

#[derive(Clone, Copy)]
pub(super) struct PuzzlePlace {
    pub batch: u32,
    pub board: BoardIndex,
}

impl Question<'_> {
    pub fn givens<'b>(&self, batches: &'b [Batch]) -> Givens<'b> {
        batches[self.place.batch as usize].board(self.place.board)
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

    pub fn ruleset<'b>(&self, batches: &'b [Batch]) -> &'b Arc<Ruleset> {
        batches[self.place.batch as usize].ruleset(self.place.board)
    }
}
