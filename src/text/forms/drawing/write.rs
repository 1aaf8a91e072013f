//! Draws a grid over several lines, with borders around its boxes, or the jigsaw regions that
//! replace them, and around its cages. `svg.rs` draws images.

use crate::text::record_rules::RuleItem;
use crate::text::symbols::{Alphabet, Case};
use engine::rules::Rules;

pub(crate) struct GridWriter<'a> {
    pub rules: &'a Rules,
    /// The rules that the puzzle states.
    pub items: &'a [RuleItem],
    /// One digit per cell, 0 for a cell without a given.
    pub givens: &'a [u8],
    pub alphabet: &'a Alphabet,
    pub case: Case,
    /// True if the digits that are not givens are green, except in images.
    pub color: bool,
}

const GREEN: &[u8] = b"\x1b[32m";
const RESET: &[u8] = b"\x1b[0m";

impl GridWriter<'_> {
    /// Appends the drawing of `grid` to `text`. `grid` is one digit per cell, 0 for a blank cell.
    ///
    /// In a grid without cages, a line of text between two rows, or a text column between two
    /// columns, appears only if a border runs somewhere along it. A grid with cages has all of
    /// these lines and columns. The sum of a cage, if it has one, is above its first cell.
    ///
    /// ```text
    ///     +-----+-----+        +-------+---+        +6------+-------+   | - + boxes or regions
    ///     | 1 2 | 3 4 |        | 1   2 | 3 |        | 1   2 | 3   4 |   : .   cages
    ///     | 3 4 | 1 2 |        |   +---+   |        |   ....|.......|
    ///     +-----+-----+        | 2 | 3 | 1 |        | 3 : 4 | 1   2 |
    /// ```
    pub fn draw(&self, grid: &[u8], text: &mut Vec<u8>) {
        let borders = Borders::of(self.rules);
        let side = self.rules.side();
        for row in 0..side {
            borders.draw_above(row, text);
            for column in 0..side {
                if borders.has_text_left[column] {
                    text.push(b" :|"[borders.left_of(row, column) as usize]);
                }
                text.push(b' ');
                self.draw_digit(grid, row * side + column, text);
                if borders.has_text_left[column + 1] {
                    text.push(b' ');
                }
            }
            text.extend_from_slice(b"|\n");
        }
        borders.draw_above(side, text);
    }

    /// Appends a line for each rule that the puzzle states: a drawing has no lines and dots.
    pub fn name_rules(&self, text: &mut Vec<u8>) {
        for item in self.items {
            text.extend_from_slice(item.in_words(self.rules.side()).as_bytes());
            text.push(b'\n');
        }
    }

    fn draw_digit(&self, grid: &[u8], cell: usize, text: &mut Vec<u8>) {
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

/// The border between two cells. Where a cage and a region have a border at the same place, that of
/// the region is drawn. The characters in `GridWriter::draw` and `Borders::draw_above` are in the
/// order of these variants.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Border {
    None,
    Cage,
    /// The border of a region, or the edge of the grid.
    Region,
}

pub(crate) struct Borders<'a> {
    pub rules: &'a Rules,
    pub side: usize,
    /// For each cell, the index of its box, or of the jigsaw region that replaces the boxes.
    region_of: Vec<usize>,
    /// The index of the cage of each cell, or `None` outside of all cages.
    pub cage_of: Vec<Option<usize>>,
    /// For each column and the right edge, true if it has a text column to its left.
    has_text_left: Vec<bool>,
}

impl Borders<'_> {
    pub fn of(rules: &Rules) -> Borders<'_> {
        let side = rules.side();
        let mut borders = Borders {
            rules,
            side,
            region_of: rules.region_of_cells(),
            cage_of: rules.cage_of_cells(),
            has_text_left: Vec::new(),
        };
        let is_drawn = |column| {
            borders.are_all_drawn()
                || (0..side).any(|row| borders.left_of(row, column) > Border::None)
        };
        borders.has_text_left = (0..=side).map(is_drawn).collect();
        borders
    }

    /// With cages, there is text between all rows and between all columns.
    fn are_all_drawn(&self) -> bool {
        !self.rules.cages().is_empty()
    }

    /// Column N is the right edge of the grid.
    pub fn left_of(&self, row: usize, column: usize) -> Border {
        self.before(row * self.side + column, column, 1)
    }

    /// Row N is the bottom edge of the grid.
    pub fn above(&self, row: usize, column: usize) -> Border {
        self.before(row * self.side + column, row, self.side)
    }

    /// Returns the border between a cell and the one that is `step` cells before it. `index` counts
    /// the borders of the row or column: 0 and N are edges of the grid.
    fn before(&self, cell: usize, index: usize, step: usize) -> Border {
        if [0, self.side].contains(&index) || self.region_of[cell] != self.region_of[cell - step] {
            Border::Region
        } else if self.cage_of[cell] != self.cage_of[cell - step] {
            Border::Cage
        } else {
            Border::None
        }
    }

    /// Row N is the bottom edge of the grid.
    fn draw_above(&self, row: usize, text: &mut Vec<u8>) {
        let has_border = (0..self.side).any(|column| self.above(row, column) > Border::None);
        if !has_border && !self.are_all_drawn() {
            return;
        }
        for column in 0..self.side {
            if self.has_text_left[column] {
                text.push(self.corner(row, column));
            }
            // The width of a cell: a space, the symbol, and a space before a text column. A grid
            // with a sum has all text columns, so a sum of three digits fits.
            let width = 2 + usize::from(self.has_text_left[column + 1]);
            let sum = self.sum_at(row, column).unwrap_or_default();
            text.extend_from_slice(sum.as_bytes());
            let border = b" .-"[self.above(row, column) as usize];
            text.extend(std::iter::repeat_n(border, width - sum.len()));
        }
        text.push(self.corner(row, self.side));
        text.push(b'\n');
    }

    /// Returns the sum of the cage whose first cell this is, with at most three digits. Row N is
    /// below the grid.
    pub fn sum_at(&self, row: usize, column: usize) -> Option<String> {
        let cell = row * self.side + column;
        let cage = &self.rules.cages()[(*self.cage_of.get(cell)?)?];
        let is_first = usize::from(cage.cells()[0]) == cell;
        cage.sum.filter(|_| is_first).map(|sum| sum.to_string())
    }

    /// Returns the character at the top left corner of a cell. Two vertical borders meet there,
    /// left of the cell and of the one above it, and two horizontal ones, above the cell and
    /// the one to its left. At the edges of the grid some of them are missing.
    fn corner(&self, row: usize, column: usize) -> u8 {
        // The rows above and below a horizontal border, or the columns beside a vertical one.
        let beside = |border: usize| border.saturating_sub(1)..(border + 1).min(self.side);
        let vertical = beside(row).map(|row| self.left_of(row, column)).max();
        let horizontal = beside(column).map(|column| self.above(row, column)).max();
        let [vertical, horizontal] = [vertical, horizontal].map(|it| it.unwrap_or(Border::None));
        match (vertical, horizontal) {
            (Border::Region, Border::Region) => b'+',
            (Border::Region, _) => b'|',
            (_, Border::Region) => b'-',
            (Border::Cage, Border::None) => b':',
            (_, Border::Cage) => b'.',
            (Border::None, Border::None) => b' ',
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::rules::{Cage, Shape, Variants};

    fn drawing(side: usize, shape: Shape<'_>, grid: &[u8], color: bool) -> String {
        let rules = Rules::new(side, shape, &Variants::default()).unwrap();
        let mut givens = grid.to_vec();
        givens[0] = 0;
        let writer = GridWriter {
            rules: &rules,
            items: &[],
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
        let shape = Shape::regions(b"AABACBCCB", true);
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

    #[test]
    fn cages_have_dotted_borders_and_their_sums() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        let cage = |cells: &[u16], sum| Cage::new(4, cells.to_vec(), sum).unwrap();
        let cages =
            vec![cage(&[0, 1, 4], Some(6)), cage(&[6, 7], None), cage(&[8, 9, 13, 14], Some(10))];
        let rules = rules.with_cages(cages).unwrap();
        let grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let writer = GridWriter {
            rules: &rules,
            items: &[],
            givens: &grid,
            alphabet: &Alphabet::default(),
            case: Case::Capital,
            color: false,
        };
        let mut text = Vec::new();
        writer.draw(&grid, &mut text);
        let expected = "\
+6------+-------+
| 1   2 | 3   4 |
|   ....|.......|
| 3 : 4 | 1   2 |
+10-----+-------+
| 2   1 | 4   3 |
|....   |....   |
| 4 : 3 | 2 : 1 |
+-------+-------+
";
        assert_eq!(String::from_utf8(text).unwrap(), expected);
    }
}
