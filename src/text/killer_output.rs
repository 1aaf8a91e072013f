//! Draws the grid of a killer, with the borders of regions and cages, and with the sums of cages.

use super::grid_output::GridWriter;
use crate::rules::Rules;

/// The borders of a killer. Every row has a line of text above it, and every cell a border to its left.
struct KillerBorders<'a> {
    rules: &'a Rules,
    /// The index of the box or region of each cell.
    region_of: Vec<usize>,
    /// The index of the cage of each cell, or `None` outside of all cages.
    cage_of: Vec<Option<usize>>,
}

/// The border between two cells.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Border {
    None,
    Cage,
    /// The border of a region, or the edge of the grid.
    Region,
}

impl GridWriter<'_> {
    /// Appends the drawing of a killer. The sum of a cage stands above its first cell.
    ///
    /// ```text
    ///     +3......+9..----+      | - +   the borders of boxes or regions
    ///     | 1   2 : 3   4 |      : .     the borders of cages
    ///     |...+...:.......|
    ///     | 3 : 4 | 1   2 |
    ///     +---+---+-------+
    /// ```
    pub(super) fn draw_killer(&self, grid: &[u8], text: &mut Vec<u8>) {
        let borders = KillerBorders::of(self.rules);
        let side = self.rules.side();
        for row in 0..=side {
            borders.draw_above(row, text);
            if row == side {
                return;
            }
            for column in 0..side {
                text.push(match borders.left_of(row, column) {
                    Border::None => b' ',
                    Border::Cage => b':',
                    Border::Region => b'|',
                });
                text.push(b' ');
                self.draw_digit(grid, row * side + column, text);
                text.push(b' ');
            }
            text.extend_from_slice(b"|\n");
        }
    }
}

impl KillerBorders<'_> {
    fn of(rules: &Rules) -> KillerBorders<'_> {
        let mut borders = KillerBorders {
            rules,
            region_of: vec![0; rules.cells()],
            cage_of: rules.cage_of_cells(),
        };
        for (index, house) in rules.boxes_or_jigsaw_regions().iter().enumerate() {
            for &cell in &house.cells {
                borders.region_of[usize::from(cell)] = index;
            }
        }
        borders
    }

    /// Returns the border between two cells of the grid.
    fn between(&self, a: usize, b: usize) -> Border {
        if self.region_of[a] != self.region_of[b] {
            Border::Region
        } else if self.cage_of[a] != self.cage_of[b] {
            Border::Cage
        } else {
            Border::None
        }
    }

    /// Returns the border left of a cell. Column N is the right edge of the grid.
    fn left_of(&self, row: usize, column: usize) -> Border {
        let side = self.rules.side();
        let cell = row * side + column;
        match column == 0 || column == side {
            true => Border::Region,
            false => self.between(cell - 1, cell),
        }
    }

    /// Returns the border above a cell. Row N is the bottom edge of the grid.
    fn above(&self, row: usize, column: usize) -> Border {
        let side = self.rules.side();
        let cell = row * side + column;
        match row == 0 || row == side {
            true => Border::Region,
            false => self.between(cell - side, cell),
        }
    }

    /// Appends the line of text above a row.
    fn draw_above(&self, row: usize, text: &mut Vec<u8>) {
        for column in 0..self.rules.side() {
            text.push(self.corner(row, column));
            let border = match self.above(row, column) {
                Border::None => b"   ",
                Border::Cage => b"...",
                Border::Region => b"---",
            };
            let sum = self.sum_at(row, column).unwrap_or_default();
            text.extend_from_slice(sum.as_bytes());
            text.extend_from_slice(&border[sum.len()..]);
        }
        text.push(self.corner(row, self.rules.side()));
        text.push(b'\n');
    }

    /// Returns the sum of the cage whose first cell this is. It has at most three digits.
    fn sum_at(&self, row: usize, column: usize) -> Option<String> {
        let side = self.rules.side();
        let cell = row * side + column;
        let cage = &self.rules.cages()[(*self.cage_of.get(cell)?)?];
        let is_first = usize::from(cage.cells()[0]) == cell;
        cage.sum.filter(|_| is_first).map(|sum| sum.to_string())
    }

    /// Returns the character at the top left corner of a cell, where up to four borders meet.
    fn corner(&self, row: usize, column: usize) -> u8 {
        let side = self.rules.side();
        let vertical = [
            (row > 0).then(|| self.left_of(row - 1, column)),
            (row < side).then(|| self.left_of(row, column)),
        ];
        let horizontal = [
            (column > 0).then(|| self.above(row, column - 1)),
            (column < side).then(|| self.above(row, column)),
        ];
        let has = |borders: &[Option<Border>; 2], border| borders.contains(&Some(border));
        let regions = [&vertical, &horizontal].map(|borders| has(borders, Border::Region));
        let cages = [&vertical, &horizontal].map(|borders| has(borders, Border::Cage));
        match (regions, cages) {
            ([true, true], _) => b'+',
            ([true, false], _) => b'|',
            ([false, true], _) => b'-',
            (_, [true, false]) => b':',
            (_, [_, true]) => b'.',
            _ => b' ',
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{Cage, Rules, Shape, Variants};
    use crate::text::grid_output::GridWriter;
    use crate::text::symbols::{Alphabet, Case};

    #[test]
    fn cages_have_dotted_borders_and_their_sums() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        let cage = |cells: &[u16], sum| Cage::new(4, cells.to_vec(), sum).unwrap();
        let cages = vec![
            cage(&[0, 1, 4], Some(6)),
            cage(&[6, 7], None),
            cage(&[8, 9, 13, 14], Some(10)),
        ];
        let rules = rules.with_cages(cages).unwrap();
        let grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        let writer = GridWriter {
            rules: &rules,
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
