//! Puzzles whose answers can follow later: solutions are often printed after all puzzles.

use std::collections::VecDeque;

use super::faults::Remark;
use crate::text::symbols::Alphabet;

/// The symbols of a puzzle, with a space between two rows.
pub struct WaitingPuzzle {
    /// The number of lines before its first row.
    pub number: i64,
    pub side: usize,
    pub text: Vec<u8>,
    /// Its answer, while a puzzle before it waits for its own.
    pub answer: Option<Vec<u8>>,
    pub remark: Option<Remark>,
}

#[derive(Default)]
pub struct WaitingPuzzles {
    digits: Alphabet,
    /// In the order of the source.
    puzzles: VecDeque<WaitingPuzzle>,
}

/// A book has fewer puzzles before its solutions.
const MAX_PUZZLES: usize = 1 << 10;

impl WaitingPuzzles {
    pub fn new(digits: Alphabet) -> WaitingPuzzles {
        WaitingPuzzles { digits, puzzles: VecDeque::new() }
    }

    /// Returns the first puzzle if there are too many.
    pub fn push(&mut self, puzzle: WaitingPuzzle) -> Option<WaitingPuzzle> {
        let is_full = self.puzzles.len() >= MAX_PUZZLES;
        let first = if is_full { self.puzzles.pop_front() } else { None };
        self.puzzles.push_back(puzzle);
        first
    }

    pub fn pop_first(&mut self) -> Option<WaitingPuzzle> {
        self.puzzles.pop_front()
    }

    pub fn is_empty(&self) -> bool {
        self.puzzles.is_empty()
    }

    pub fn clear(&mut self) {
        self.puzzles.clear();
    }

    /// Returns true if a full grid is the solution of a puzzle, which can have other grids after it.
    pub fn have_solution(&self, grid: &[u8]) -> bool {
        self.puzzles.iter().rev().any(|it| self.is_solution(&it.text, grid))
    }

    /// Stores a full grid as the answer of the puzzle that it solves. Returns false if there is none.
    pub fn answer(&mut self, grid: &[u8]) -> bool {
        let is_solved =
            |it: &WaitingPuzzle| it.answer.is_none() && self.is_solution(&it.text, grid);
        let found = self.puzzles.iter().position(is_solved);
        if let Some(index) = found {
            self.puzzles[index].answer = Some(grid.to_vec());
        }
        found.is_some()
    }

    /// Removes and returns the first puzzle if it has an answer.
    pub fn pop_answered(&mut self) -> Option<WaitingPuzzle> {
        let is_answered = self.puzzles.front()?.answer.is_some();
        is_answered.then(|| self.puzzles.pop_front())?
    }

    /// Returns true if a grid has no blank cell.
    pub fn is_full(&self, grid: &[u8]) -> bool {
        !grid.iter().any(|&symbol| self.is_blank(symbol))
    }

    /// Returns true if a grid has the givens of the puzzle.
    pub fn has_givens(&self, puzzle: &[u8], grid: &[u8]) -> bool {
        grid.len() == puzzle.len()
            && puzzle.iter().zip(grid).all(|(&given, &it)| given == it || self.is_blank(given))
    }

    /// Returns true if most digits of a grid in the cells of the givens are other ones: it is no
    /// answer of the puzzle, not even a wrong one.
    pub fn is_other(&self, puzzle: &[u8], grid: &[u8]) -> bool {
        let is_digit = |symbol: u8| symbol != b' ' && !self.is_blank(symbol);
        let both = puzzle.iter().zip(grid).filter(|(one, two)| is_digit(**one) && is_digit(**two));
        let (equal, other): (Vec<_>, Vec<_>) = both.partition(|(one, two)| one == two);
        other.len() > equal.len()
    }

    /// The full grid has the givens of the puzzle (at least one), and no symbol twice in a row.
    pub fn is_solution(&self, puzzle: &[u8], grid: &[u8]) -> bool {
        let is_repeated = |(at, symbol): (usize, &u8), row: &[u8]| row[..at].contains(symbol);
        let has_repeat = |row: &[u8]| row.iter().enumerate().any(|cell| is_repeated(cell, row));
        self.has_givens(puzzle, grid)
            && puzzle.iter().any(|&given| given != b' ' && !self.is_blank(given))
            && !grid.split(|&symbol| symbol == b' ').any(has_repeat)
    }

    fn is_blank(&self, symbol: u8) -> bool {
        self.digits.digit_of(symbol) == Some(0)
    }
}
