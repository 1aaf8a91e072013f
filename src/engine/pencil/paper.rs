//! Working memory for one puzzle: its pencilmarks, and the combinations of a cage.

use super::cages::CageCombinations;
use super::marks::Marks;

/// Working memory for one puzzle at a time, of any size and rules.
///
/// Reuse one value for many puzzles to avoid allocations.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Givens, Paper, Pencil, Rules};
///
/// let pencil = Pencil::new(&Rules::classic());
/// let mut paper = Paper::default();
/// let mut puzzles = [0u8; 162];
/// puzzles[81..89].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
/// let steps: Vec<u32> = puzzles.chunks(81).map(|puzzle| pencil.solve(Givens::Digits(puzzle), &mut paper).unwrap().steps).collect();
/// assert_eq!(steps, [0, 1]);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Paper {
    pub(super) marks: Marks,
    pub(super) combinations: CageCombinations,
}

impl Paper {
    /// Returns the digits that are given or placed in the last puzzle, 0 for other cells.
    #[doc(hidden)]
    pub fn placed_digits(&self) -> Vec<u8> {
        self.marks.placed_digits()
    }

    /// Returns the candidates that the techniques left in each cell of the last puzzle.
    #[doc(hidden)]
    pub fn candidates(&self) -> &[u32] {
        self.marks.sets()
    }
}
