//! The reasons why a field in a notation of its own, or a field of cages, cannot be read.

use std::error::Error;
use std::fmt;

use crate::rules::{MAX_SIDE, Place, RulesError, a_puzzle, pluralize};

/// The reason why a field cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotationError {
    /// No puzzle has this size.
    Size(String),
    /// The number of entries is not that of a puzzle's cells.
    Length {
        /// The number of entries.
        number: usize,
        /// The word for an entry.
        noun: &'static str,
        /// The side of the puzzle.
        side: usize,
    },
    /// The number of cells in a SumoCue field is not a square number, or too large.
    NotASquare(usize),
    /// The first cell of a SumoCue field does not begin with `=` or `+`.
    NoFirstCell,
    /// The text of a cell is not a digit of the puzzle.
    NotADigit {
        /// The text.
        text: String,
        /// The cell.
        place: Place,
        /// The side of the puzzle.
        side: usize,
    },
    /// The text of a cell does not name a region.
    NotARegion {
        /// The text.
        text: String,
        /// The cell.
        place: Place,
    },
    /// Some cells name regions, but not all.
    WithoutRegion {
        /// The number of cells that name no region.
        missing: usize,
        /// The number of all cells.
        cells: usize,
    },
    /// The text of a cell is not a sum.
    NotASum {
        /// The text.
        text: String,
        /// The cell.
        place: Place,
    },
    /// A cell of a SumoCue field joins a cell that opens no cage.
    JoinsNoCage {
        /// The text.
        text: String,
        /// The cell.
        place: Place,
    },
    /// The text of a cell is not a cage number.
    NotACageNumber {
        /// The text.
        text: String,
        /// The cell.
        place: Place,
    },
    /// The cells of a cage have different sums.
    TwoSums {
        /// The first cell of the cage.
        first: Place,
        /// Two of the sums.
        sums: [u16; 2],
    },
    /// A game ID of Solo has too few or too many lists.
    NumberOfLists {
        /// The number of lists.
        number: usize,
        /// The lists that it must have.
        expected: &'static [&'static str],
    },
    /// A list in a game ID of Solo has too few or too many entries.
    LengthOfList {
        /// The name of the list.
        list: &'static str,
        /// The number of its entries.
        number: usize,
        /// The word for an entry.
        noun: &'static str,
        /// The number that it must have.
        expected: usize,
    },
    /// A list in a game ID of Solo has a symbol that it cannot have.
    NotInList {
        /// The symbol.
        symbol: u8,
        /// The name of the list.
        list: &'static str,
    },
    /// A symbol is neither an arrow nor a sum.
    NotAnArrow {
        /// The symbol.
        symbol: u8,
        /// The cell.
        place: Place,
    },
    /// An arrow points to a cell outside the grid.
    PointsOutside {
        /// The symbol.
        symbol: u8,
        /// The cell.
        place: Place,
    },
    /// The arrows from this cell lead back to it.
    Loop(Place),
    /// Puzzles of this side cannot have cages as arrows.
    TooLargeForArrows(usize),
    /// The cages are those of a puzzle with another side.
    OtherSide {
        /// The side of the puzzle that has the cages.
        cages: usize,
        /// The side of the puzzle on the line.
        puzzle: usize,
    },
    /// A cage or the regions cannot be part of a puzzle's rules.
    Rules(RulesError),
}

impl From<RulesError> for NotationError {
    fn from(error: RulesError) -> NotationError {
        NotationError::Rules(error)
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Size(size) => write!(
                f,
                "'{size}' is not the size of a puzzle; sides are 2 to {MAX_SIDE}"
            ),
            NotationError::Length { number, noun, side } => {
                let number = pluralize(*number, noun);
                write!(f, "{number}; {} has {}", a_puzzle(*side), side * side)
            }
            NotationError::NotASquare(cells) => {
                let (cells, most) = (pluralize(*cells, "cell"), MAX_SIDE * MAX_SIDE);
                write!(f, "{cells}; expected a square number from 4 to {most}")
            }
            NotationError::NoFirstCell => f.write_str("expected '=' after SumoCueV1"),
            NotationError::NotADigit { text, place, side } => {
                let puzzle = a_puzzle(*side);
                write!(f, "'{text}' at {place} is not a digit of {puzzle}")
            }
            NotationError::NotARegion { text, place } => {
                write!(f, "'{text}' at {place} is not the number of a region")
            }
            NotationError::WithoutRegion { missing, cells } => {
                let missing = pluralize(*missing, "cell");
                write!(f, "{missing} of {cells} without a region")
            }
            NotationError::NotASum { text, place } => {
                write!(f, "'{text}' at {place} is not a sum")
            }
            NotationError::JoinsNoCage { text, place } => write!(
                f,
                "'+{text}' at {place} does not name a cell that opens a cage"
            ),
            NotationError::NotACageNumber { text, place } => {
                write!(f, "'{text}' at {place} is not a cage number")
            }
            NotationError::TwoSums { first, sums } => {
                let [one, other] = sums;
                write!(f, "cage at {first} has two sums, {one} and {other}")
            }
            NotationError::NumberOfLists { number, expected } => {
                let (number, names) = (pluralize(*number, "list"), expected.join(", "));
                write!(f, "{number} instead of {}: {names}", expected.len())
            }
            NotationError::LengthOfList {
                list,
                number,
                noun,
                expected,
            } => {
                let number = pluralize(*number, noun);
                write!(f, "the {list} have {number} instead of {expected}")
            }
            NotationError::NotInList { symbol, list } => {
                write!(f, "'{}' in the {list}", symbol.escape_ascii())
            }
            NotationError::NotAnArrow { symbol, place } => {
                let symbol = symbol.escape_ascii();
                write!(f, "'{symbol}' at {place} is neither an arrow nor a sum")
            }
            NotationError::PointsOutside { symbol, place } => {
                let symbol = char::from(*symbol);
                write!(f, "the arrow '{symbol}' at {place} points out of the grid")
            }
            NotationError::Loop(place) => {
                write!(f, "the arrows from {place} lead back to it, not to a sum")
            }
            NotationError::TooLargeForArrows(side) => {
                let puzzle = a_puzzle(*side);
                write!(
                    f,
                    "cages of {puzzle} cannot be arrows; write cage numbers (4x4::k:...)"
                )
            }
            NotationError::OtherSide { cages, puzzle } => {
                write!(f, "cages of {} in {}", a_puzzle(*cages), a_puzzle(*puzzle))
            }
            NotationError::Rules(error) => error.fmt(f),
        }
    }
}

impl Error for NotationError {}

/// Returns the beginning of a text for a message.
pub(super) fn excerpt(text: &[u8]) -> String {
    const LONGEST: usize = 20;
    match text.get(..LONGEST) {
        Some(beginning) if text.len() > LONGEST => format!("{}...", beginning.escape_ascii()),
        _ => text.escape_ascii().to_string(),
    }
}
