//! The rows of the entry that is being read, and the blocks into which blank lines divide them.

use crate::rules::MAX_SIDE;

/// A row of symbols.
pub struct Row {
    /// The number of its line in the source.
    pub line: u64,
    pub symbols: Vec<u8>,
}

/// The entry that is being read.
///
/// ```text
///     1...      blocks     [2]   heights of the blocks that have ended
///     ..3.
///
///     .3..      in_block    1    rows since the last blank line
/// ```
#[derive(Default)]
pub struct DrawnEntry {
    pub rows: Vec<Row>,
    /// True if the rows differ in width, or one of them is a title. Then they cannot be a puzzle.
    pub is_ragged: bool,
    /// Heights of the blocks that have ended.
    pub blocks: Vec<usize>,
    /// Number of rows in the block that is being read.
    pub in_block: usize,
}

impl DrawnEntry {
    /// Adds a row to the current block.
    pub fn push(&mut self, row: Row, is_title: bool) {
        let width = row.symbols.len();
        if self
            .rows
            .first()
            .is_some_and(|first| first.symbols.len() != width)
            || is_title
        {
            self.is_ragged = true;
        }
        self.rows.push(row);
        self.in_block += 1;
    }

    /// Returns the width of most rows. If two widths are equally frequent, `preferred` wins, and next the larger one.
    pub fn side(&self, preferred: usize) -> usize {
        match self.rows.first() {
            Some(first) if !self.is_ragged => first.symbols.len(),
            _ => most_common_width(self.rows.iter().map(|row| row.symbols.len()), preferred),
        }
    }

    /// Returns true if each of the last `count` rows has this width.
    fn last_rows_have(&self, count: usize, width: usize) -> bool {
        let first = self.rows.len() - count;
        self.rows[first..]
            .iter()
            .all(|row| row.symbols.len() == width)
    }

    /// Returns true if none of the last `count` rows has this width.
    pub fn last_rows_lack(&self, count: usize, width: usize) -> bool {
        let first = self.rows.len() - count;
        self.rows[first..]
            .iter()
            .all(|row| row.symbols.len() != width)
    }

    /// Returns the number of first rows that do not belong to the entry of the last row. Returns `None` if the last row gives no
    /// reason to think so. `side` is the side of all rows together.
    pub fn rows_of_earlier_entry(&self, side: usize, grids: usize) -> Option<usize> {
        let width = self.rows.last()?.symbols.len();
        let (count, in_block) = (self.rows.len(), self.in_block);
        // The current block is a whole entry. The rows before the blank line are an entry that lacks rows.
        let is_whole =
            count > in_block && in_block == width * grids && self.last_rows_have(in_block, width);
        // The first two rows after a blank line differ in width from the rows before it. One row alone could have a fault.
        let is_other_side =
            count > 2 && in_block == 2 && width != side && self.last_rows_have(2, width);
        if is_whole || is_other_side {
            return Some(count - in_block);
        }
        // The first row is much shorter or longer than the two below it: a line before the puzzle, such as its number.
        let first = self.rows[0].symbols.len();
        let is_number = count == 3
            && in_block == 3
            && first.abs_diff(width) > 1
            && self.last_rows_have(2, width);
        is_number.then_some(1)
    }

    /// Removes the first rows and appends them to `output` as one line: the number of the first row's line, then the rows.
    pub fn write_first(&mut self, count: usize, output: &mut Vec<u8>) {
        let line = self.rows[0].line;
        output.extend_from_slice(line.to_string().as_bytes());
        for row in self.rows.drain(..count) {
            output.push(b' ');
            output.extend_from_slice(&row.symbols);
        }
        output.push(b'\n');
    }

    /// Makes an entry of the rows that are left after the first ones have been written. They are in one block.
    pub fn restart(&mut self) {
        self.blocks.clear();
        let width = |row: &Row| row.symbols.len();
        self.is_ragged = self
            .rows
            .iter()
            .any(|row| width(row) != width(&self.rows[0]));
    }
}

/// Returns the most common width. If two widths are equally frequent, `preferred` wins, and next the larger one. Widths
/// above `MAX_SIDE` count only if all are; then the result is the largest.
pub(crate) fn most_common_width(widths: impl Iterator<Item = usize>, preferred: usize) -> usize {
    let mut counts = [0; MAX_SIDE + 1];
    let mut widest = 0;
    for width in widths {
        widest = widest.max(width);
        if let Some(count) = counts.get_mut(width) {
            *count += 1;
        }
    }
    let common = (1..=MAX_SIDE).max_by_key(|&width| (counts[width], width == preferred, width));
    common.filter(|&width| counts[width] > 0).unwrap_or(widest)
}
