//! What is handed to a solver: puzzles one behind the other, as digits or as candidates, each with a seed or none.

/// Puzzles to answer that share their rules, one behind the other.
#[derive(Clone, Copy, Debug)]
pub struct Puzzles<'a> {
    /// What is given of each.
    pub givens: Givens<'a>,
    /// Empty: branches are tried in a fixed order. Else one a puzzle, from which their order is drawn.
    pub seeds: &'a [u64],
}

/// What is given of puzzles, cell by cell along the rows.
#[derive(Clone, Copy, Debug)]
pub enum Givens<'a> {
    /// A digit, or 0 for a blank cell.
    Digits(&'a [u8]),
    /// What each cell may hold, bit d-1 for digit d: pencilmark puzzles.
    Candidates(&'a [u32]),
}

impl<'a> Puzzles<'a> {
    /// Puzzles of digits whose branches are tried in a fixed order.
    #[must_use]
    pub fn of_digits(grids: &'a [u8]) -> Puzzles<'a> {
        Puzzles {
            givens: Givens::Digits(grids),
            seeds: &[],
        }
    }

    /// How many there are.
    pub(crate) fn number(&self, cells: usize) -> usize {
        let number = self.givens.cells() / cells;
        debug_assert_eq!(self.givens.cells(), number * cells);
        debug_assert!(self.seeds.is_empty() || self.seeds.len() == number);
        number
    }
}

impl<'a> Givens<'a> {
    /// The cells of all puzzles together.
    pub(crate) fn cells(self) -> usize {
        match self {
            Givens::Digits(digits) => digits.len(),
            Givens::Candidates(sets) => sets.len(),
        }
    }

    /// Those of one puzzle.
    #[inline(always)]
    pub(crate) fn of(self, puzzle: usize, cells: usize) -> Givens<'a> {
        match self {
            Givens::Digits(digits) => Givens::Digits(&digits[puzzle * cells..][..cells]),
            Givens::Candidates(sets) => Givens::Candidates(&sets[puzzle * cells..][..cells]),
        }
    }

    /// Whether a cell may hold one digit and no other.
    pub(crate) fn fill(self, cell: usize) -> bool {
        match self {
            Givens::Digits(digits) => digits[cell] != 0,
            Givens::Candidates(sets) => sets[cell].is_power_of_two(),
        }
    }

    /// What a cell may hold.
    #[inline(always)]
    pub(crate) fn candidates(self, cell: usize, every_digit: u32) -> u32 {
        match self {
            Givens::Digits(digits) if digits[cell] == 0 => every_digit,
            Givens::Digits(digits) => 1 << (digits[cell] - 1),
            Givens::Candidates(sets) => sets[cell] & every_digit,
        }
    }

    /// Whether a full grid holds nothing else.
    #[inline(always)]
    pub(crate) fn are_kept_by(self, solution: &[u8]) -> bool {
        match self {
            Givens::Digits(digits) => {
                let pairs = digits.iter().zip(solution);
                // All of them, so that many are compared at once.
                pairs.fold(true, |kept, (&given, &digit)| {
                    kept & ((given == 0) | (given == digit))
                })
            }
            Givens::Candidates(sets) => {
                let mut pairs = sets.iter().zip(solution);
                pairs.all(|(set, digit)| set >> (digit - 1) & 1 == 1)
            }
        }
    }
}
