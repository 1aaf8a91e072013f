//! Grids drawn over several lines, with the borders of their boxes or regions.

use crate::puzzle::{Alphabet, Case};
use crate::rules::Rules;

/// How a grid is drawn.
pub(crate) struct Drawing<'a> {
    pub rules: &'a Rules,
    /// The digits that were given; others are found.
    pub givens: &'a [u8],
    pub alphabet: &'a Alphabet,
    pub case: Case,
    /// Whether colour tells found digits from givens.
    pub color: bool,
}

const FOUND: &[u8] = b"\x1b[32m";
const PLAIN: &[u8] = b"\x1b[0m";

impl Drawing<'_> {
    /// Appends the drawing of `grid`, 0 for a blank cell, to `text`.
    ///
    /// ```text
    ///     +-----+-----+        +-----+---+
    ///     | 1 2 | 3 4 |        | 1 2 | 3 |     a line between rows, and a place between columns,
    ///     | 3 4 | 1 2 |        |   +-+   |     only where some border runs
    ///     +-----+-----+        | 3 | 1 2 |
    /// ```
    pub fn draw(&self, grid: &[u8], text: &mut Vec<u8>) {
        let borders = Borders::of(self.rules);
        let side = self.rules.side();
        for row in 0..side {
            borders.draw_above(row, text);
            for column in 0..side {
                if borders.places[column] {
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

    fn draw_digit(&self, grid: &[u8], cell: usize, text: &mut Vec<u8>) {
        let symbol = self.alphabet.symbol(grid[cell], self.case) as u8;
        if self.color && grid[cell] != 0 && self.givens[cell] == 0 {
            text.extend_from_slice(FOUND);
            text.push(symbol);
            text.extend_from_slice(PLAIN);
        } else {
            text.push(symbol);
        }
    }
}

/// Where boxes or regions touch.
struct Borders {
    side: usize,
    /// The box or region of each cell.
    division_of: Vec<usize>,
    /// For each column, whether a border runs left of it in some row.
    places: Vec<bool>,
}

impl Borders {
    fn of(rules: &Rules) -> Borders {
        let side = rules.side();
        let mut division_of = vec![0; rules.cells()];
        for (index, house) in rules.houses()[2 * side..3 * side].iter().enumerate() {
            for &cell in &house.cells {
                division_of[usize::from(cell)] = index;
            }
        }
        let mut borders = Borders {
            side,
            division_of,
            places: Vec::new(),
        };
        let somewhere = |column| (0..side).any(|row| borders.left_of(row, column));
        borders.places = (0..side).map(somewhere).collect();
        borders
    }

    /// Whether a border runs left of a cell; the grid has one all round.
    fn left_of(&self, row: usize, column: usize) -> bool {
        let at = row * self.side + column;
        column == 0 || column == self.side || self.division_of[at] != self.division_of[at - 1]
    }

    fn above(&self, row: usize, column: usize) -> bool {
        let at = row * self.side + column;
        row == 0 || row == self.side || self.division_of[at] != self.division_of[at - self.side]
    }

    fn draw_above(&self, row: usize, text: &mut Vec<u8>) {
        if !(0..self.side).any(|column| self.above(row, column)) {
            return;
        }
        for column in 0..self.side {
            if self.places[column] {
                if column > 0 {
                    text.push(if self.above(row, column - 1) {
                        b'-'
                    } else {
                        b' '
                    });
                }
                text.push(self.joint(row, column));
            }
            let line = if self.above(row, column) {
                b"--"
            } else {
                b"  "
            };
            text.extend_from_slice(line);
        }
        text.push(if self.above(row, self.side - 1) {
            b'-'
        } else {
            b' '
        });
        text.push(self.joint(row, self.side));
        text.push(b'\n');
    }

    /// What stands where lines may meet.
    fn joint(&self, row: usize, column: usize) -> u8 {
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

    fn drawn(side: usize, shape: Shape<'_>, grid: &[u8], color: bool) -> String {
        let rules = Rules::new(side, shape, &Variants::default()).unwrap();
        let mut givens = grid.to_vec();
        givens[0] = 0;
        let drawing = Drawing {
            rules: &rules,
            givens: &givens,
            alphabet: &Alphabet::default(),
            case: Case::Capital,
            color,
        };
        let mut text = Vec::new();
        drawing.draw(grid, &mut text);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn boxes_have_borders_and_found_digits_a_colour() {
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
        assert_eq!(drawn(4, boxes, &grid, false), expected);
        let coloured = expected.replacen('1', "\x1b[32m1\x1b[0m", 1);
        assert_eq!(drawn(4, boxes, &grid, true), coloured);
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
        let drawn = drawn(3, shape, &[1, 2, 3, 2, 3, 1, 3, 1, 2], false);
        assert_eq!(drawn, expected);
    }
}
