//! Boards: their side, and their cells as digits or as candidates.

use crate::text::symbols::{Alphabet, Case, CellNotation};
use engine::error::InvalidInput;
use engine::puzzle::Givens;

/// The boards of puzzles with one side and one notation of cells, one board after the other.
#[derive(Debug)]
pub(super) struct Boards {
    pub side: usize,
    pub notation: CellNotation,
    /// 0 for a blank cell. Unused with `Pencilmarks`.
    pub digits: Vec<u8>,
    /// Bit d-1 for digit d. Unused with `Digits`.
    candidates: Vec<u32>,
}

impl Boards {
    pub fn new(side: usize, notation: CellNotation) -> Boards {
        Boards { side, notation, digits: Vec::new(), candidates: Vec::new() }
    }

    /// Removes all boards. Those that follow have this side and notation.
    pub fn restart(&mut self, side: usize, notation: CellNotation) {
        (self.side, self.notation) = (side, notation);
        self.digits.clear();
        self.candidates.clear();
    }

    /// Adds the board of a field. Returns the case of its digits.
    pub fn read(&mut self, symbols: &[u8], alphabet: &Alphabet) -> Result<Case, InvalidInput> {
        match self.notation {
            CellNotation::Digits => alphabet.read(symbols, self.side, &mut self.digits),
            CellNotation::Pencilmarks => {
                alphabet.read_pencilmarks(symbols, self.side, &mut self.candidates)?;
                Ok(Case::default())
            }
        }
    }

    /// Adds boards.
    pub fn append(&mut self, givens: Givens<'_>) {
        match (givens, self.notation) {
            (Givens::Digits(digits), CellNotation::Digits) => self.digits.extend_from_slice(digits),
            (Givens::Candidates(sets), CellNotation::Pencilmarks) => {
                self.candidates.extend_from_slice(sets);
            }
            _ => unreachable!("the puzzles of a batch have one notation"),
        }
    }

    /// Counts the cells of one board.
    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    pub fn givens(&self) -> Givens<'_> {
        match self.notation {
            CellNotation::Digits => Givens::Digits(&self.digits),
            CellNotation::Pencilmarks => Givens::Candidates(&self.candidates),
        }
    }

    /// Returns true if each cell has its digit. Candidates are no digits.
    pub fn is_full(&self) -> bool {
        self.notation == CellNotation::Digits && !self.digits.contains(&0)
    }
}
