//! Puzzles as digits or as candidates. Also `BLOCKS`, the parts of a 9x9 grid for fast loops.

use crate::error::InvalidInput;
use crate::rules::{a_puzzle, pluralize};

/// Puzzles with the same side, one after the other.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use sudoku_filter::{Limits, Method, Progress, Puzzles, Rules, Solver};
///
/// // Two random grids: the first solutions of a blank puzzle with two seeds.
/// let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
/// let puzzles = Puzzles { seeds: &[1, 2], ..Puzzles::of_digits(&[0; 162]) };
/// let mut grids = Vec::new();
/// let _ = solver.solve(puzzles, Limits::default(), &mut |progress| {
///     if let Progress::Found(_, found) = progress {
///         grids.push(found.solution.unwrap().to_vec());
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_ne!(grids[0], grids[1]);
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Puzzles<'a> {
    /// The givens of all puzzles.
    pub givens: Givens<'a>,
    /// For each puzzle, the seed of the random order of its branches. Empty for the fixed order.
    pub seeds: &'a [u64],
}

/// The givens of puzzles, cell by cell along the rows.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{End, Givens, Paper, Pencil, Rules};
///
/// // Every cell can hold every digit, but r1c1 only 1 and 2.
/// let mut candidates = [0b1_1111_1111; 81];
/// candidates[0] = 0b11;
/// let mut paper = Paper::default();
/// let grading = Pencil::new(&Rules::classic()).solve(Givens::Candidates(&candidates), &mut paper)?;
/// assert_eq!(grading.end, End::Stuck(&candidates));
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub enum Givens<'a> {
    /// A digit, or 0 for a blank cell.
    Digits(&'a [u8]),
    /// The candidates of each cell, bit d-1 for digit d (pencilmark puzzles).
    Candidates(&'a [u32]),
}

impl<'a> Puzzles<'a> {
    /// Returns puzzles of digits with the fixed order of branches.
    #[must_use]
    pub fn of_digits(grids: &'a [u8]) -> Puzzles<'a> {
        Puzzles { givens: Givens::Digits(grids), seeds: &[] }
    }

    /// Also checks that there is one seed per puzzle or no seed.
    pub(crate) fn check(&self, side: usize) -> Result<(), InvalidInput> {
        self.givens.check(side)?;
        let (seeds, number) = (self.seeds.len(), self.givens.cells() / (side * side));
        if ![0, number].contains(&seeds) {
            let (seeds, puzzles) = (pluralize(seeds, "seed"), pluralize(number, "puzzle"));
            return Err(format!("{seeds} for {puzzles}").into());
        }
        Ok(())
    }

    /// `cells` is the number of cells of a puzzle.
    #[doc(hidden)]
    pub fn one(&self, index: usize, cells: usize) -> Puzzles<'a> {
        Puzzles {
            givens: self.givens.puzzle(index, cells),
            seeds: self.seeds.get(index..=index).unwrap_or_default(),
        }
    }

    pub(crate) fn number(&self, cells: usize) -> usize {
        let number = self.givens.cells() / cells;
        debug_assert_eq!(self.givens.cells(), number * cells);
        debug_assert!(self.seeds.is_empty() || self.seeds.len() == number);
        number
    }
}

impl<'a> Givens<'a> {
    /// Counts the cells of all puzzles together.
    pub(crate) fn cells(self) -> usize {
        match self {
            Givens::Digits(digits) => digits.len(),
            Givens::Candidates(sets) => sets.len(),
        }
    }

    /// Returns an error unless these are whole puzzles of this side without a digit above the side.
    pub(crate) fn check(self, side: usize) -> Result<(), InvalidInput> {
        if !self.cells().is_multiple_of(side * side) {
            return Err(self.wrong_length(side));
        }
        let is_within_side = match self {
            Givens::Digits(digits) => usize::from(digits.iter().fold(0, |a, &b| a.max(b))) <= side,
            Givens::Candidates(sets) => sets.iter().fold(0, |all, set| all | set) >> side == 0,
        };
        if !is_within_side {
            return Err(format!("a digit is greater than {side}").into());
        }
        Ok(())
    }

    /// Returns an error unless this is exactly one puzzle, and valid as in [`Givens::check`].
    pub(crate) fn check_one(self, side: usize) -> Result<(), InvalidInput> {
        if self.cells() != side * side {
            return Err(self.wrong_length(side));
        }
        self.check(side)
    }

    fn wrong_length(self, side: usize) -> InvalidInput {
        let cells = pluralize(self.cells(), "cell");
        format!("{cells}; {} has {}", a_puzzle(side), side * side).into()
    }

    /// Counts, in all puzzles, the cells that are given or have a single candidate.
    #[doc(hidden)]
    pub fn count(self) -> usize {
        match self {
            Givens::Digits(digits) => digits.iter().filter(|&&digit| digit != 0).count(),
            Givens::Candidates(sets) => sets.iter().filter(|set| set.is_power_of_two()).count(),
        }
    }

    /// Returns one of several puzzles that have this number of cells.
    #[inline(always)]
    #[doc(hidden)]
    pub fn puzzle(self, puzzle: usize, cells: usize) -> Givens<'a> {
        match self {
            Givens::Digits(digits) => Givens::Digits(&digits[puzzle * cells..][..cells]),
            Givens::Candidates(sets) => Givens::Candidates(&sets[puzzle * cells..][..cells]),
        }
    }

    /// A cell with only one candidate counts as given.
    #[doc(hidden)]
    pub fn is_given(self, cell: usize) -> bool {
        match self {
            Givens::Digits(digits) => digits[cell] != 0,
            Givens::Candidates(sets) => sets[cell].is_power_of_two(),
        }
    }

    /// As a mask. `every_digit` is the mask of all digits.
    #[inline(always)]
    #[doc(hidden)]
    pub fn candidates(self, cell: usize, every_digit: u32) -> u32 {
        match self {
            Givens::Digits(digits) if digits[cell] == 0 => every_digit,
            Givens::Digits(digits) => 1 << (digits[cell] - 1),
            Givens::Candidates(sets) => sets[cell] & every_digit,
        }
    }

    /// A blank cell agrees only with a blank one. With `Candidates`, the grid must be full.
    #[inline(always)]
    pub(crate) fn are_kept_by(self, grid: &[u8]) -> bool {
        match self {
            Givens::Digits(digits) => {
                let pairs = digits.iter().zip(grid);
                // Compares all cells: a loop without early exit is faster.
                pairs.fold(
                    true,
                    #[inline(always)]
                    |kept, (&given, &digit)| kept & ((given == 0) | (given == digit)),
                )
            }
            Givens::Candidates(sets) => {
                let mut pairs = sets.iter().zip(grid);
                pairs.all(|(set, digit)| set >> (digit - 1) & 1 == 1)
            }
        }
    }
}

/// The first cells of three blocks of 32 cells that cover a 9x9 grid:
///
/// ```text
///     cells    0 .......... 31 32 .......... 63
///                                   49 .......... 80
/// ```
///
/// The last two overlap: a loop over 32 cells compiles to fewer instructions than one over 17.
pub const BLOCKS: [usize; 3] = [0, 32, 49];

/// Returns the block of 32 cells at one of the [`BLOCKS`].
#[inline(always)]
pub fn block_at(cells: &[u8; 81], first: usize) -> &[u8; 32] {
    cells[first..].first_chunk().expect("81 cells")
}
