//! Draws a grid over several lines, with borders around its boxes or regions. `killer_output.rs` draws cages,
//! `grid_input/` reads drawings.

use super::symbols::{Alphabet, Case};
use crate::rules::Rules;

/// Draws grids that share their rules, givens and symbols.
pub(crate) struct GridWriter<'a> {
    pub rules: &'a Rules,
    /// One digit per cell, 0 for a cell without a given.
    pub givens: &'a [u8],
    pub alphabet: &'a Alphabet,
    pub case: Case,
    /// True to colour the digits that are not givens.
    pub color: bool,
}

/// Terminal escape sequence for green text.
const GREEN: &[u8] = b"\x1b[32m";
/// Terminal escape sequence for default text.
const RESET: &[u8] = b"\x1b[0m";

impl GridWriter<'_> {
    /// Appends the drawing of `grid` to `text`. `grid` is one digit per cell, 0 for a blank cell.
    ///
    /// A line of text between two rows, or a text column between two columns, appears only if a border runs there.
    ///
    /// ```text
    ///     +-----+-----+        +-----+---+
    ///     | 1 2 | 3 4 |        | 1 2 | 3 |
    ///     | 3 4 | 1 2 |        |   +-+   |
    ///     +-----+-----+        | 3 | 1 2 |
    /// ```
    pub fn draw(&self, grid: &[u8], text: &mut Vec<u8>) {
        if !self.rules.cages().is_empty() {
            return self.draw_killer(grid, text);
        }
        let borders = Borders::of(self.rules);
        let side = self.rules.side();
        for row in 0..side {
            borders.draw_above(row, text);
            for column in 0..side {
                if borders.columns[column] {
                    text.extend_from_slice(if column > 0 { b" " } else { b"" });
                    text.push(if borders.left_of(row, column) {
                        b'|'
                    } else {
                        b' '
                    });
                }
                text.push(b' ');
                self.draw_digit(grid, row * side + column, text);
            }
            text.extend_from_slice(b" |\n");
        }
        borders.draw_above(side, text);
    }

    /// Appends the symbol of a cell, coloured if it is not a given.
    pub(super) fn draw_digit(&self, grid: &[u8], cell: usize, text: &mut Vec<u8>) {
        let symbol = self.alphabet.symbol(grid[cell], self.case) as u8;
        if self.color && grid[cell] != 0 && self.givens[cell] == 0 {
            text.extend_from_slice(GREEN);
            text.push(symbol);
            text.extend_from_slice(RESET);
        } else {
            text.push(symbol);
        }
    }
}

/// The borders between boxes or regions, and around the grid.
struct Borders {
    side: usize,
    /// The index of the box or region of each cell.
    region_of: Vec<usize>,
    /// For each column, true if a border runs left of it in any row.
    columns: Vec<bool>,
}

impl Borders {
    /// Returns the borders of the boxes or regions of these rules.
    fn of(rules: &Rules) -> Borders {
        let side = rules.side();
        let mut region_of = vec![0; rules.cells()];
        for (index, house) in rules.boxes_or_jigsaw_regions().iter().enumerate() {
            for &cell in &house.cells {
                region_of[usize::from(cell)] = index;
            }
        }
        let mut borders = Borders {
            side,
            region_of,
            columns: Vec::new(),
        };
        let has_border = |column| (0..side).any(|row| borders.left_of(row, column));
        borders.columns = (0..side).map(has_border).collect();
        borders
    }

    /// Returns true if a border runs left of a cell. Column N is the right edge of the grid.
    fn left_of(&self, row: usize, column: usize) -> bool {
        let cell = row * self.side + column;
        column == 0 || column == self.side || self.region_of[cell] != self.region_of[cell - 1]
    }

    /// Returns true if a border runs above a cell. Row N is the bottom edge of the grid.
    fn above(&self, row: usize, column: usize) -> bool {
        let cell = row * self.side + column;
        row == 0 || row == self.side || self.region_of[cell] != self.region_of[cell - self.side]
    }

    /// Appends the line of text above a row, if a border runs there.
    fn draw_above(&self, row: usize, text: &mut Vec<u8>) {
        if !(0..self.side).any(|column| self.above(row, column)) {
            return;
        }
        for column in 0..self.side {
            if self.columns[column] {
                if column > 0 {
                    text.push(if self.above(row, column - 1) {
                        b'-'
                    } else {
                        b' '
                    });
                }
                text.push(self.corner(row, column));
            }
            let border = if self.above(row, column) {
                b"--"
            } else {
                b"  "
            };
            text.extend_from_slice(border);
        }
        text.push(if self.above(row, self.side - 1) {
            b'-'
        } else {
            b' '
        });
        text.push(self.corner(row, self.side));
        text.push(b'\n');
    }

    /// Returns the character at the top left corner of a cell, where up to four borders meet.
    fn corner(&self, row: usize, column: usize) -> u8 {
        let up = row > 0 && self.left_of(row - 1, column);
        let down = row < self.side && self.left_of(row, column);
        let left = column > 0 && self.above(row, column - 1);
        let right = column < self.side && self.above(row, column);
        match (up || down, left || right) {
            (true, true) => b'+',
            (true, false) => b'|',
            (false, true) => b'-',
            (false, false) => b' ',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    fn drawing(side: usize, shape: Shape<'_>, grid: &[u8], color: bool) -> String {
        let rules = Rules::new(side, shape, &Variants::default()).unwrap();
        let mut givens = grid.to_vec();
        givens[0] = 0;
        let writer = GridWriter {
            rules: &rules,
            givens: &givens,
            alphabet: &Alphabet::default(),
            case: Case::Capital,
            color,
        };
        let mut text = Vec::new();
        writer.draw(grid, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn boxes_have_borders_and_found_digits_are_coloured() {
        let grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0];
        let boxes = Shape::boxes_of(4).unwrap();
        let expected = "\
+-----+-----+
| 1 2 | 3 4 |
| 3 4 | 1 2 |
+-----+-----+
| 2 1 | 4 3 |
| 4 3 | 2 . |
+-----+-----+
";
        assert_eq!(drawing(4, boxes, &grid, false), expected);
        let coloured = expected.replacen('1', "\x1b[32m1\x1b[0m", 1);
        assert_eq!(drawing(4, boxes, &grid, true), coloured);
    }

    #[test]
    fn regions_have_borders_where_they_touch() {
        let shape = Shape::Regions {
            labels: b"AABACBCCB",
            disconnected: true,
        };
        let expected = "\
+-------+---+
| 1   2 | 3 |
|   +---+   |
| 2 | 3 | 1 |
+---+   |   |
| 3   1 | 2 |
+-------+---+
";
        let drawing = drawing(3, shape, &[1, 2, 3, 2, 3, 1, 3, 1, 2], false);
        assert_eq!(drawing, expected);
    }
}
