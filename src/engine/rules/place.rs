//! Cells and sizes as messages print them: `r4c5`, `a 9x9 puzzle`, `2 cells`.

use std::fmt;

/// The side of the largest puzzles.
pub const MAX_SIDE: usize = 25;

/// A cell as shown to people, `r4c5`.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::Place;
///
/// assert_eq!(Place::of(12, 9), Place { row: 2, column: 4 });
/// assert_eq!(Place::of(12, 9).to_string(), "r2c4");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The row, from 1.
    pub row: usize,
    /// The column, from 1.
    pub column: usize,
}

impl Place {
    /// Returns the row and column of `cell` in a grid with `side` columns.
    #[must_use]
    pub fn of(cell: usize, side: usize) -> Place {
        debug_assert!(cell < side * side);
        Place { row: cell / side + 1, column: cell % side + 1 }
    }

    /// Returns the number of the cell in a grid with `side` columns.
    #[doc(hidden)]
    pub fn cell(self, side: usize) -> usize {
        (self.row - 1) * side + self.column - 1
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "r{}c{}", self.row, self.column)
    }
}

/// `a 9x9 puzzle`, `an 8x8 puzzle`.
pub fn a_puzzle(side: usize) -> String {
    let article = if matches!(side, 8 | 11 | 18) { "an" } else { "a" };
    format!("{article} {side}x{side} puzzle")
}

/// `1 cell`, `2 cells`.
pub fn pluralize(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
