//! The levels of the scale of Sudoku Explainer, which `difficulty/` finds.

use std::fmt;

/// The difficulty of a step, or of a classic 9x9 puzzle, on the scale of Sudoku Explainer, but
/// independent of the order of the deductions.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::Difficulty;
///
/// let line = b"480600200000000500650810007098002050524970000300080000030240000006301090209000105";
/// let difficulty = Difficulty::of_puzzle(&line.map(|symbol| symbol - b'0')).unwrap();
/// assert_eq!(difficulty.to_string(), "1.2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difficulty {
    pub(super) tenths: u32,
}

impl Difficulty {
    /// Returns the level of the hardest technique used, in tenths: 45 for 4.5.
    #[must_use]
    pub fn tenths(self) -> u32 {
        self.tenths
    }
}

/// Formats the level with one decimal: `4.5`, `11.2`.
impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.tenths / 10, self.tenths % 10)
    }
}
