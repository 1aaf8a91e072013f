//! Divides the rows of an answer into blocks of successive rows.

use std::collections::HashSet;

use super::rows::{Row, RowReader, is_border, is_column_or_box, named_house, words};

/// Successive rows of the text.
struct Block {
    symbols: Vec<u8>,
    /// True if a line such as `Columns:` precedes it.
    is_after_heading: bool,
}

impl Block {
    fn from_rows<'r>(rows: impl Iterator<Item = &'r Row>) -> Block {
        let mut block = Block { symbols: Vec::new(), is_after_heading: false };
        for row in rows {
            block.symbols.extend(&row.symbols);
            block.is_after_heading |= row.is_after_heading;
        }
        block
    }
}

/// Returns the symbols of the block that rule 5 of [`find_grid`](super::find_grid) chooses, at most
/// N rows.
pub fn longest_block(reader: &RowReader<'_>, text: &str) -> Option<Vec<u8>> {
    let cells = reader.side * reader.side;
    let is_full = |symbols: &[u8]| {
        let mut digits = symbols.iter().map(|&symbol| reader.digit_of(symbol.into()));
        symbols.len() == cells && digits.all(|digit| digit > Some(0))
    };
    let mut blocks = blocks(reader, text);
    for Block { symbols, .. } in &mut blocks {
        symbols.drain(..symbols.len().saturating_sub(cells));
    }
    remove_checks(&mut blocks, reader.side);
    let order =
        |block: &Block| (block.symbols.len(), is_full(&block.symbols), !block.is_after_heading);
    let longest = blocks.into_iter().max_by_key(order)?.symbols;
    (!longest.is_empty()).then_some(longest)
}

/// Removes the blocks of N rows that only check the rows, columns or boxes of a grid above them.
fn remove_checks(blocks: &mut Vec<Block>, side: usize) {
    let mut checks = HashSet::new();
    blocks.retain(|Block { symbols, is_after_heading }| {
        if symbols.len() < side * side {
            return true;
        }
        let has_equal_rows = symbols.chunks(side).all(|row| *row == symbols[..side]);
        let is_check = has_equal_rows || checks.contains(symbols);
        if !is_check && !is_after_heading {
            checks.extend([columns_of(symbols, side), boxes_of(symbols, side)]);
        }
        !is_check
    });
}

fn columns_of(grid: &[u8], side: usize) -> Vec<u8> {
    (0..side * side).map(|cell| grid[cell % side * side + cell / side]).collect()
}

/// Returns the symbols box by box if the boxes are squares, else the grid.
fn boxes_of(grid: &[u8], side: usize) -> Vec<u8> {
    let rows = side.isqrt();
    if rows * rows != side {
        return grid.to_vec();
    }
    let place = |index: usize| {
        let (number, cell) = (index / side, index % side);
        let (row, column) =
            (number / rows * rows + cell / rows, number % rows * rows + cell % rows);
        row * side + column
    };
    (0..side * side).map(|index| grid[place(index)]).collect()
}

/// Returns true for a line such as `Columns:`, `### Boxes` or `Check of the 3x3 boxes`.
fn is_heading_of_checks(line: &str) -> bool {
    let words = words(line);
    let is_name = |word: &String| is_column_or_box(word) && word != "block";
    let is_heading = words.len() <= 5 && words.iter().any(is_name);
    named_house(line).is_some()
        || is_heading && !words.iter().any(|word| word == "row" || word == "rows")
}

fn blocks(reader: &RowReader<'_>, text: &str) -> Vec<Block> {
    // Rows without other text between them. The next row continues the last group.
    let mut groups = vec![Vec::new()];
    let mut is_after_blank = false;
    let mut is_after_heading = false;
    // The number of rows since the last fence. Each row can have a fence of its own.
    let mut rows_in_fence = 0;
    for line in text.lines() {
        if line.trim().is_empty() {
            is_after_blank = true;
            continue;
        }
        let has_fence = line.matches("```").count() == 1;
        let rows = reader.rows(line);
        // Other text ends the block, but the row of `Row 2:` can be on the next line.
        let is_label = named_house(line).as_deref() == Some("row");
        let is_between_rows = line.chars().all(is_border) || is_label;
        let begins_with_fence = has_fence && line.trim_start().starts_with("```");
        if rows.is_empty() && !is_between_rows {
            is_after_heading = is_heading_of_checks(line);
            groups.push(Vec::new());
        } else if begins_with_fence && rows_in_fence > 1 {
            groups.push(Vec::new());
        }
        if begins_with_fence {
            rows_in_fence = 0;
        }
        rows_in_fence += rows.len();
        for row in rows {
            let row = Row { is_after_blank, is_after_heading, ..row };
            is_after_blank = false;
            match groups.last_mut() {
                Some(group) if row.symbols.len() == reader.side => group.push(row),
                // A whole grid on one line is a block by itself.
                _ => groups.extend([vec![row], Vec::new()]),
            }
        }
        let ends_with_fence = has_fence && line.trim_end().ends_with("```");
        if ends_with_fence && rows_in_fence > 1 {
            rows_in_fence = 0;
            groups.push(Vec::new());
        }
    }
    groups.iter().flat_map(|rows| split(reader, rows)).collect()
}

/// Splits successive rows into grids that are side by side. Otherwise, splits them before other
/// words and before a list of all digits if N rows or more are then together.
fn split(reader: &RowReader<'_>, rows: &[Row]) -> Vec<Block> {
    let rows_of_lines: Vec<_> = rows.chunk_by(|_, row| row.is_beside_row).collect();
    if let [first @ [_, _, ..], ..] = rows_of_lines[..]
        && rows_of_lines.len() == reader.side
        && rows_of_lines.iter().all(|line| line.len() == first.len())
    {
        let column = |column| Block::from_rows(rows_of_lines.iter().map(|line| &line[column]));
        return (0..first.len()).map(column).collect();
    }
    let continues =
        |above: &Row, row: &Row| !row.has_other_words(above) && !is_list_of_digits(reader, row);
    let parts: Vec<&[Row]> = rows.chunk_by(continues).collect();
    let is_split = parts.iter().any(|part| part.len() >= reader.side);
    let parts = if is_split { parts } else { vec![rows] };
    parts.into_iter().flat_map(|part| split_at_blank_lines(reader, part)).collect()
}

/// Returns whether a row is as in `123456789 appears in each row`.
fn is_list_of_digits(reader: &RowReader<'_>, row: &Row) -> bool {
    row.precedes_words && has_digits_in_order(reader, row)
}

fn has_digits_in_order(reader: &RowReader<'_>, row: &Row) -> bool {
    let digits = row.symbols.iter().map(|&symbol| reader.digit_of(symbol.into()));
    digits.eq((1..=reader.side).map(Some))
}

fn split_at_blank_lines(reader: &RowReader<'_>, mut rows: &[Row]) -> Vec<Block> {
    let mut blocks = Vec::new();
    while let [first, others @ ..] = rows {
        // If empty lines lie between N rows, a heading before them does not count as a row.
        let can_be_heading = !first.words.is_empty() || has_digits_in_order(reader, first);
        let follows_blank = |row: &Row| row.is_after_blank && row.words.is_empty();
        let is_rest_of_grid = |rows: &[Row]| rows.iter().all(follows_blank);
        if can_be_heading && others.get(1..reader.side).is_some_and(is_rest_of_grid) {
            rows = others;
            continue;
        }
        let end = (reader.side..rows.len()).find(|&row| rows[row].is_after_blank);
        let (block, after) = rows.split_at(end.unwrap_or(rows.len()));
        blocks.push(Block::from_rows(block.iter()));
        rows = after;
    }
    blocks
}
