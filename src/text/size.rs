//! Finds the side of a puzzle from the length of its field, and the boxes of puzzles of a side.

use engine::error::InvalidInput;
use engine::rules::{MAX_SIDE, Shape, a_puzzle, pluralize};

pub(crate) const JIGSAW_HINT: &str = "(--variant jigsaw)";
/// The least side for which the message about a length proposes a jigsaw. A field of 9 cells, which
/// would be a 3x3 jigsaw, is more likely a row of a larger puzzle.
const MIN_JIGSAW: usize = 5;

/// The notation of the cells of a puzzle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum CellNotation {
    /// One symbol per cell.
    #[default]
    Digits,
    /// One symbol per digit in each cell: N³ symbols.
    Pencilmarks,
}

/// The side of a grid, and the notation of its cells.
pub(crate) type Size = (usize, CellNotation);

/// Returns the size of a grid of this side. `None` if no grid of the side has so many symbols.
pub(crate) fn size_of_grid(side: usize, symbols: usize) -> Option<Size> {
    match symbols {
        _ if symbols == side.pow(2) => Some((side, CellNotation::Digits)),
        _ if symbols == side.pow(3) => Some((side, CellNotation::Pencilmarks)),
        _ => None,
    }
}

/// The sizes of the puzzles that are read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// The rows and columns of a box in puzzles of side rows * columns. Puzzles of other sides,
    /// and all puzzles if this is `None`, have the boxes of [`Shape::boxes_of`], if any.
    pub boxes: Option<(usize, usize)>,
    /// True if a side without boxes, such as 7, is allowed: each puzzle can have a jigsaw layout.
    pub any_side: bool,
}

impl Sizes {
    /// Returns the side of a puzzle with this number of cells.
    ///
    /// # Errors
    /// Returns an error if no puzzle of these sizes has this number of cells.
    pub fn side(&self, cells: usize) -> Result<usize, InvalidInput> {
        self.side_of(cells, "cell")
    }

    /// As [`side`](Sizes::side), without a reason.
    pub(crate) fn find(&self, cells: usize) -> Option<usize> {
        let side = cells.isqrt();
        (side * side == cells && self.allows(side)).then_some(side)
    }

    /// The error calls a symbol `noun`.
    pub(crate) fn side_of(&self, number: usize, noun: &str) -> Result<usize, InvalidInput> {
        if let Some(side) = self.find(number) {
            return Ok(side);
        }
        let side = number.isqrt();
        if side * side == number && (MIN_JIGSAW..=MAX_SIDE).contains(&side) {
            let (number, puzzle) = (pluralize(number, noun), a_puzzle(side));
            return Err(format!("{number}; {puzzle} has no boxes {JIGSAW_HINT}").into());
        }
        let allowed = (2..=MAX_SIDE).filter(|&side| self.allows(side));
        let nearest = allowed.min_by_key(|side| (side * side).abs_diff(number));
        let nearest = nearest.expect("a 4x4 puzzle has boxes");
        Err(wrong_length(number, noun, nearest))
    }

    /// Returns how many puzzles with boxes (`two` or `three`), and of which side, have this number
    /// of cells together. Returns `None` for any other number. Two or three times a square number
    /// is never a square number, and never both, so there is only one answer.
    pub(super) fn several_puzzles(&self, cells: usize) -> Option<(&'static str, usize)> {
        [("two", 2), ("three", 3)].into_iter().find_map(|(word, number)| {
            let side = (cells / number).isqrt();
            let fits = number * side * side == cells && self.shape(side).is_some();
            (fits && (2..=MAX_SIDE).contains(&side)).then_some((word, side))
        })
    }

    /// Returns the side of a pencilmark puzzle with this number of symbols.
    pub(crate) fn side_of_pencilmarks(&self, symbols: usize) -> Option<usize> {
        pencilmark_side(symbols).filter(|&side| self.allows(side))
    }

    pub(crate) fn allows(&self, side: usize) -> bool {
        (2..=MAX_SIDE).contains(&side) && (self.any_side || self.shape(side).is_some())
    }

    pub(crate) fn allow(&self, (side, notation): Size) -> bool {
        let is_large = side >= MIN_PENCILMARKS || notation == CellNotation::Digits;
        is_large && self.allows(side)
    }

    /// Returns the boxes of a puzzle of this side, or `None` if it has none.
    #[must_use]
    pub fn shape(&self, side: usize) -> Option<Shape<'static>> {
        match self.boxes {
            Some((rows, columns)) if rows * columns == side => Some(Shape::boxes(rows, columns)),
            _ => Shape::boxes_of(side),
        }
    }
}

const MIN_PENCILMARKS: usize = 4;

/// Returns the side N of a pencilmark puzzle, which has N symbols for each of its N² cells.
pub(crate) fn pencilmark_side(symbols: usize) -> Option<usize> {
    (MIN_PENCILMARKS..=MAX_SIDE).find(|side| side * side * side == symbols)
}

/// Returns the reason why a field that should have one `noun` per cell is invalid. If the side is
/// unknown, `side` is the one whose number of cells is nearest to `number`.
pub(crate) fn wrong_length(number: usize, noun: &str, side: usize) -> InvalidInput {
    let (number, puzzle) = (pluralize(number, noun), a_puzzle(side));
    format!("{number}; {puzzle} has {}", side * side).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_number_of_cells_and_the_nearest_size() {
        let usual = Sizes::default();
        assert_eq!(usual.side(81), Ok(9));
        assert_eq!(usual.side(80).unwrap_err().to_string(), "80 cells; a 9x9 puzzle has 81");
        assert_eq!(usual.side(1).unwrap_err().to_string(), "1 cell; a 4x4 puzzle has 16");
        assert_eq!(
            usual.side(49).unwrap_err().to_string(),
            "49 cells; a 7x7 puzzle has no boxes (--variant jigsaw)"
        );
        for (cells, expected) in [
            (32, Some(("two", 4))),
            (72, Some(("two", 6))),
            (162, Some(("two", 9))),
            (512, Some(("two", 16))),
            (48, Some(("three", 4))),
            (243, Some(("three", 9))),
            (81, None),
            (161, None),
            (98, None),
        ] {
            assert_eq!(usual.several_puzzles(cells), expected, "{cells} cells");
        }
        let any = Sizes { any_side: true, ..usual };
        assert_eq!(any.side(49), Ok(7));
        let seven = Sizes { boxes: Some((1, 7)), ..usual };
        assert_eq!(seven.side(49), Ok(7));
    }
}
