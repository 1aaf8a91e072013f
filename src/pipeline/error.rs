//! The reasons why options cannot be used, or a puzzle has no rules.

use std::error::Error;
use std::fmt;

use crate::rules::{RulesError, a_puzzle};
use crate::text::size::LengthError;

/// The reason why [`Options`](super::Options) cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PipelineError {
    /// The alphabet has a symbol that is part of drawn grids, and the input is drawn.
    ReservedSymbol(u8),
    /// The layout that all puzzles share is invalid.
    Regions(RulesetError),
    /// A string of extra groups is invalid.
    Extra(RulesetError),
}

/// The reason why a puzzle has no rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesetError {
    /// A byte cannot be the label of a region.
    NotALabel(u8),
    /// A layout, or a string of extra groups, does not have the length of a puzzle.
    Length(LengthError),
    /// The side of the puzzle differs from that of the layout that all puzzles share.
    OtherSide {
        /// The side of the puzzle.
        puzzle: usize,
        /// The side of the layout.
        layout: usize,
    },
    /// Grids of this side have no boxes.
    NoBoxes(usize),
    /// Rules cannot be built from the layout or the variants.
    Rules(RulesError),
}

impl From<LengthError> for RulesetError {
    fn from(error: LengthError) -> RulesetError {
        RulesetError::Length(error)
    }
}

impl From<RulesError> for RulesetError {
    fn from(error: RulesError) -> RulesetError {
        RulesetError::Rules(error)
    }
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineError::ReservedSymbol(symbol) => {
                let symbol = symbol.escape_ascii();
                write!(
                    f,
                    "--symbols with '{symbol}' cannot be used with --input grid, where '{symbol}' is part of the drawing"
                )
            }
            PipelineError::Regions(error) => write!(f, "--regions: {error}"),
            PipelineError::Extra(error) => write!(f, "--extra: {error}"),
        }
    }
}

impl fmt::Display for RulesetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesetError::NotALabel(label) => {
                write!(f, "'{}' cannot be a region label", label.escape_ascii())
            }
            RulesetError::Length(error) => error.fmt(f),
            RulesetError::OtherSide { puzzle, layout } => {
                let puzzle = a_puzzle(*puzzle);
                write!(
                    f,
                    "{puzzle}, but the layout of --regions is {layout}x{layout}"
                )
            }
            RulesetError::NoBoxes(side) => write!(f, "{} has no boxes", a_puzzle(*side)),
            RulesetError::Rules(error) => error.fmt(f),
        }
    }
}

impl Error for PipelineError {}

impl Error for RulesetError {}
