//! Finds grids whose rows follow their numbers, and grids that are stated cell by cell.

use super::rows::{RowReader, is_border, is_column_or_box, words};
use crate::text::one_line::read_cells;

/// Returns the last grid whose rows follow the numbers 1 to N (`| Row 3 | 4 | 2 | 1 | 3 |`).
/// Only borders and empty lines lie between them.
pub fn numbered_rows(reader: &RowReader<'_>, text: &str) -> Option<Vec<u8>> {
    let mut found = None;
    let mut grid = Vec::new();
    for line in text.lines().filter(|line| !line.chars().all(is_border)) {
        let (number, mut row) = numbered_row(reader, line).unwrap_or_default();
        if number * reader.side != grid.len() + reader.side {
            grid.clear();
        }
        if number * reader.side == grid.len() + reader.side {
            grid.append(&mut row);
        }
        if grid.len() == reader.side * reader.side {
            found = Some(std::mem::take(&mut grid));
        }
    }
    found
}

fn numbered_row(reader: &RowReader<'_>, line: &str) -> Option<(usize, Vec<u8>)> {
    let label = line.trim_start_matches(|it: char| !it.is_ascii_digit());
    let is_about_row = !words(&line[..line.len() - label.len()]).iter().any(is_column_or_box);
    let row = label.trim_start_matches(|it: char| it.is_ascii_digit());
    let number = label[..label.len() - row.len()].parse().ok()?;
    if number > reader.side {
        return None;
    }
    let row = reader.runs(row).into_iter().next()?.symbols;
    (is_about_row && row.len() == reader.side).then_some((number, row))
}

pub fn named_cells(reader: &RowReader<'_>, text: &str) -> Option<Vec<u8>> {
    let mut grid = vec![None; reader.side * reader.side];
    for (start, _) in text.match_indices(['r', 'R', '(']) {
        if let Some((cell, symbol)) = named_cell(reader, &text[start + 1..]) {
            grid[cell] = Some(symbol);
        }
    }
    grid.into_iter().collect()
}

/// Returns the cell and the symbol of a text such as `1c2 = 3`, which follows an `r`, or
/// `1,2) = 3`, which follows a parenthesis.
fn named_cell(reader: &RowReader<'_>, text: &str) -> Option<(usize, u8)> {
    let number = |text: &'_ str| -> Option<(usize, usize)> {
        let length = text.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let number: usize = text[..length].parse().ok()?;
        (1..=reader.side).contains(&number).then_some((number - 1, length))
    };
    let (row, length) = number(text)?;
    let text = text[length..].strip_prefix(['c', 'C', ','])?.trim_start_matches(' ');
    let (column, length) = number(text)?;
    let text = text[length..]
        .trim_start_matches(')')
        .trim_start_matches([' ', '*', '`'])
        .strip_prefix(['=', ':'])?;
    let text = text.trim_start_matches([' ', '*', '`']);
    let length = text.bytes().take(3).take_while(u8::is_ascii_alphanumeric).count();
    let symbol = read_cells(&[&text.as_bytes()[..length]], reader.side, reader.alphabet)?[0];
    let is_digit = reader.digit_of(symbol.into()) > Some(0);
    is_digit.then_some((row * reader.side + column, symbol))
}
