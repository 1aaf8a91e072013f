//! The result of solving a puzzle with human techniques.

use super::technique::Technique;
use crate::rules::{HouseName, Place};

/// The state in which solving with techniques ended.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{End, Givens, Paper, Pencil, Rules};
///
/// let pencil = Pencil::new(&Rules::classic());
/// let mut paper = Paper::default();
/// let mut puzzle = [0u8; 81];
/// puzzle[..2].fill(5);
/// let grading = pencil.solve(Givens::Digits(&puzzle), &mut paper).unwrap();
/// assert_eq!(grading.end, End::Contradiction);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End<'a> {
    /// Solved: one digit from 1 to N per cell.
    Solved(&'a [u8]),
    /// Stuck: no technique changes anything. Holds the candidates of each cell, bit d-1 for digit
    /// d.
    Stuck(&'a [u32]),
    /// The puzzle has no solution: a cell has no candidate, a digit has no cell in a house, or the
    /// cells of a cage have one candidate each and these do not add up to its sum.
    Contradiction,
}

/// The reason why the candidates of a puzzle have no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Contradiction {
    /// A cell has no candidate.
    Cell(Place),
    /// A digit, counted from 1, has no cell in a house.
    House(HouseName, u8),
    /// A cage and its sum. Its cells have one candidate each, and these do not add up to the sum.
    Cage(HouseName, u16),
}

impl Contradiction {
    /// Formats the reason. `symbol` converts a digit, counted from 1, to its character.
    pub fn text(self, symbol: impl Fn(u8) -> char) -> String {
        match self {
            Contradiction::Cell(place) => format!("{place} has no candidate"),
            Contradiction::House(house, digit) => {
                format!("no place for {} in {house}", symbol(digit))
            }
            Contradiction::Cage(cage, sum) => {
                format!("the digits of the {cage} do not add up to {sum}")
            }
        }
    }
}

/// The result of solving a puzzle with human techniques.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Givens, Paper, Pencil, Rules, Technique};
///
/// let pencil = Pencil::new(&Rules::classic());
/// let mut paper = Paper::default();
/// let mut puzzle = [0u8; 81];
/// puzzle[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
/// let grading = pencil.solve(Givens::Digits(&puzzle), &mut paper).unwrap();
/// assert_eq!((grading.hardest, grading.steps), (Some(Technique::NakedSingle), 1));
/// assert_eq!((grading.grade(), grading.level()), ("search", Some(Technique::NAMES.len() + 1)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grading<'a> {
    /// The final state of the puzzle.
    pub end: End<'a>,
    /// The hardest technique used. `None` if no step was taken, or after a contradiction.
    pub hardest: Option<Technique>,
    /// Number of steps taken. 0 after a contradiction.
    pub steps: u32,
}

impl Grading<'_> {
    /// Returns the number of the [grade](Grading::grade) in the order of [`Technique::NAMES`],
    /// counted from 1. The grade `search` has the next number after those of the techniques.
    ///
    /// Returns `None` if every cell was given as a digit, or after a contradiction.
    #[must_use]
    pub fn level(&self) -> Option<usize> {
        match self.end {
            End::Solved(_) => self.hardest.map(|hardest| hardest as usize + 1),
            End::Stuck(_) => Some(Technique::NAMES.len() + 1),
            End::Contradiction => None,
        }
    }

    /// Returns the name of the hardest technique if the puzzle is solved, or `search` if the
    /// techniques are stuck ([`End::Stuck`]).
    ///
    /// Returns `-` if every cell was given as a digit, or after a contradiction.
    #[must_use]
    pub fn grade(&self) -> &'static str {
        match self.end {
            End::Solved(_) => self.hardest.map_or("-", Technique::name),
            End::Stuck(_) => "search",
            End::Contradiction => "-",
        }
    }
}
