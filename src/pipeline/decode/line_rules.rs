//! A puzzle once it is decoded, without its board: its rules, how the output states them, and its
//! symbols.

use std::borrow::Cow;

use crate::pipeline::rulesets::RulesKey;
use crate::text::record_rules::RuleItem;
use crate::text::symbols::SymbolChoice;
use engine::rules::{Cage, StatedRules};

#[derive(Debug)]
pub(in crate::pipeline) struct DecodedPuzzle<'a> {
    pub rules: LineRules<'a>,
    /// The layout as its field has it, also if the options replace it.
    pub regions: Option<Cow<'a, [u8]>>,
    pub statement: Statement,
    /// The rules that a drawing shows; empty for other forms of output.
    pub items: Vec<RuleItem>,
    /// The symbols of solutions and answers. A puzzle with digits from 0 is written with digits from
    /// 1.
    pub symbols: SymbolChoice,
}

/// The rules that a record states for its puzzle.
#[derive(Debug)]
pub(in crate::pipeline) struct LineRules<'a> {
    pub rules_key: RulesKey,
    /// `None` if the puzzle needs no layout of its own.
    pub layout: Option<Cow<'a, [u8]>>,
    pub cages: Vec<Cage>,
    pub stated: Option<Box<StatedRules>>,
}

impl<'a> DecodedPuzzle<'a> {
    pub(super) fn new(
        rules: LineRules<'a>,
        regions: Option<Cow<'a, [u8]>>,
        symbols: SymbolChoice,
    ) -> DecodedPuzzle<'a> {
        let (statement, items) = (Statement::default(), Vec::new());
        DecodedPuzzle { rules, regions, statement, items, symbols }
    }
}

/// How the output states the rules of a puzzle.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::pipeline) enum Statement {
    /// As the input does: in other fields, or by the options.
    #[default]
    Beside,
    /// Its layout and its cages follow the puzzle, or have columns.
    Fields,
    /// As a constraint string, without the givens if the mode writes another puzzle.
    Constraints {
        items: Vec<u8>,
        /// True if another field of the output has them, so the column of the puzzle has not.
        are_beside: bool,
    },
}

impl Statement {
    pub(super) fn has_constraints(&self) -> bool {
        matches!(self, Statement::Constraints { .. })
    }

    /// Says if another field of the output has the constraints.
    pub(super) fn put_beside(&mut self, is_so: bool) {
        if let Statement::Constraints { are_beside, .. } = self {
            *are_beside = is_so;
        }
    }

    /// With `Beside`, becomes `Fields` if the output does not state the rules otherwise.
    pub(super) fn require_fields(&mut self, are_required: bool) {
        if are_required && *self == Statement::Beside {
            *self = Statement::Fields;
        }
    }
}
