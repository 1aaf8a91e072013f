//! Boards: their side, and their cells as digits or as candidates.

use std::borrow::Cow;

use crate::text::record_rules::digits_of;
use crate::text::size::{CellNotation, Size};
use crate::text::symbols::{Alphabet, SymbolChoice};
use engine::canonical::RandomSymmetry;
use engine::error::InvalidInput;
use engine::puzzle::Givens;

/// The boards of puzzles with one side and one notation of cells, one board after the other.
#[derive(Debug, Default)]
pub(super) struct Boards {
    pub side: usize,
    pub notation: CellNotation,
    /// 0 for a blank cell. Unused with `Pencilmarks`.
    pub digits: Vec<u8>,
    /// Bit d-1 for digit d. Unused with `Digits`.
    sets: Vec<u32>,
}

/// The cells of one board.
pub(super) enum Cells<'c> {
    Digits(Cow<'c, [u8]>),
    Candidates(Cow<'c, [u32]>),
}

impl<'c> Cells<'c> {
    pub fn new(givens: Givens<'c>) -> Cells<'c> {
        match givens {
            Givens::Digits(digits) => Cells::Digits(digits.into()),
            Givens::Candidates(sets) => Cells::Candidates(sets.into()),
        }
    }

    pub fn givens(&self) -> Givens<'_> {
        match self {
            Cells::Digits(digits) => Givens::Digits(digits),
            Cells::Candidates(sets) => Givens::Candidates(sets),
        }
    }

    /// Sets a cell to this digit.
    pub fn set(&mut self, cell: usize, digit: u8) {
        match self {
            Cells::Digits(digits) => digits.to_mut()[cell] = digit,
            Cells::Candidates(sets) => sets.to_mut()[cell] = 1 << (digit - 1),
        }
    }
}

impl Boards {
    pub fn new(side: usize, notation: CellNotation) -> Boards {
        Boards { side, notation, digits: Vec::new(), sets: Vec::new() }
    }

    /// Removes all boards. Those that follow have this side and notation.
    fn restart(&mut self, side: usize, notation: CellNotation) {
        (self.side, self.notation) = (side, notation);
        self.digits.clear();
        self.sets.clear();
    }

    /// Replaces all boards by that of a field. Returns the symbols of its cells.
    pub fn read(
        &mut self,
        symbols: &[u8],
        (side, notation): Size,
        alphabet: &Alphabet,
    ) -> Result<SymbolChoice, InvalidInput> {
        self.restart(side, notation);
        match notation {
            CellNotation::Digits => alphabet.read_grid(symbols, side, &mut self.digits),
            CellNotation::Pencilmarks => alphabet.read_marks(symbols, side, &mut self.sets),
        }
    }

    /// Replaces all boards by this one.
    pub fn set(&mut self, side: usize, givens: Givens<'_>) {
        let notation = match givens {
            Givens::Digits(_) => CellNotation::Digits,
            Givens::Candidates(_) => CellNotation::Pencilmarks,
        };
        self.restart(side, notation);
        self.append(givens);
    }

    /// Replaces all boards by the image of one with as many cells.
    pub fn set_image(&mut self, original: Givens<'_>, symmetry: &RandomSymmetry) {
        match original {
            Givens::Digits(digits) => {
                self.restart(symmetry.side(), CellNotation::Digits);
                symmetry.move_cells(digits, &mut self.digits, |digit| symmetry.new_digit(digit));
            }
            Givens::Candidates(sets) => {
                self.restart(symmetry.side(), CellNotation::Pencilmarks);
                symmetry.move_cells(sets, &mut self.sets, |set| {
                    digits_of(set).map(|digit| 1 << (symmetry.new_digit(digit as u8) - 1)).sum()
                });
            }
        }
    }

    /// Adds boards.
    pub fn append(&mut self, givens: Givens<'_>) {
        match (givens, self.notation) {
            (Givens::Digits(digits), CellNotation::Digits) => self.digits.extend_from_slice(digits),
            (Givens::Candidates(sets), CellNotation::Pencilmarks) => {
                self.sets.extend_from_slice(sets);
            }
            _ => unreachable!("the puzzles of a batch have one notation"),
        }
    }

    /// Counts the boards.
    pub fn number(&self) -> usize {
        self.digits.len().max(self.sets.len()) / self.cells()
    }

    /// Counts the cells of one board.
    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    pub fn givens(&self) -> Givens<'_> {
        match self.notation {
            CellNotation::Digits => Givens::Digits(&self.digits),
            CellNotation::Pencilmarks => Givens::Candidates(&self.sets),
        }
    }

    #[inline]
    pub fn board(&self, index: usize) -> Givens<'_> {
        self.givens().puzzle(index, self.cells())
    }

    /// Returns the digits that each cell can hold, bit d-1 for digit d.
    pub fn candidates(&self) -> impl Iterator<Item = u32> {
        let (givens, every_digit) = (self.givens(), (1 << self.side) - 1);
        (0..self.cells()).map(move |cell| givens.candidates(cell, every_digit))
    }

    /// Returns true if each cell has its digit. Candidates are no digits.
    pub fn is_full(&self) -> bool {
        self.notation == CellNotation::Digits && !self.digits.contains(&0)
    }
}
