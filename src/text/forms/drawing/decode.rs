//! Turns the cells of a grid into symbols: numbers, candidates, and a symbol of its own for blank
//! cells.

use super::cells::Row;
use super::line::LineParser;
use crate::rules::{MAX_SIDE, Place};
use crate::text::one_line;

/// Appends the rows of a grid to `text`, with a space between two rows. A row of candidates has as
/// many symbols for each cell as the grid has rows.
///
/// # Errors
/// Returns the reason if a cell is neither a symbol nor a number nor candidates.
pub fn write_grid(
    parser: &LineParser,
    rows: &[Row],
    is_puzzle: bool,
    text: &mut Vec<u8>,
) -> Result<(), String> {
    let side = rows.len();
    let all = || rows.iter().flat_map(|row| &row.cells);
    if is_puzzle && side < 10 && all().any(|cell| is_group(cell)) {
        // Sums are numbers greater than a digit. One such number is a mistake.
        let is_sum = |cell: &&String| cell.parse().is_ok_and(|it: usize| it > side);
        let sums = || all().filter(is_sum).filter(|cell| number_has_no_candidates(cell, side));
        return match sums().next().filter(|_| sums().count() > 2) {
            Some(sum) => Err(format!("'{sum}': cages with sums are not read from drawings")),
            None => write_candidates(rows, text),
        };
    }
    // An empty field becomes `.`, so other dots would not be noticed.
    let empty = all().find(|cell| cell.is_empty() || *cell == "-1");
    if let Some(empty) = empty.filter(|_| all().any(|cell| cell == ".")) {
        let empty = if empty.is_empty() { "empty cells" } else { "-1" };
        return Err(format!("two symbols for blank cells, '.' and {empty}; use one"));
    }
    let foreign = is_puzzle.then(|| foreign_blank(parser, rows)).flatten();
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            text.push(b' ');
        }
        for (column, cell) in row.cells.iter().enumerate() {
            match symbol(parser, cell, side) {
                _ if foreign.as_ref() == Some(cell) => text.push(b'.'),
                Some(symbol) => text.extend(symbol.as_bytes()),
                None => return Err(no_cell(cell, index * side + column, side)),
            }
        }
    }
    Ok(())
}

/// Returns the symbol of a cell.
fn symbol(parser: &LineParser, cell: &str, side: usize) -> Option<String> {
    if cell.is_empty() || cell == "-1" {
        return Some(".".into());
    }
    if cell.chars().count() == 1 {
        return Some(cell.into());
    }
    let bytes = cell.as_bytes();
    if side < 10 && !(bytes.len() == 2 && bytes[0] == b'0') {
        return None;
    }
    let read = one_line::read_cells(&[bytes], side, &parser.alphabet)?;
    Some(char::from(read[0]).into())
}

/// Returns true for a group of several symbols, which can be candidates.
fn is_group(cell: &str) -> bool {
    cell.len() > 1 && cell.is_ascii() && cell != "-1" && cell.parse::<u64>() != Ok(0)
}

/// Appends rows of candidates: groups of digits, of which at least two have several digits. Marks
/// such as `*` or `#` at a group are dropped.
fn write_candidates(rows: &[Row], text: &mut Vec<u8>) -> Result<(), String> {
    let side = rows.len();
    let mut groups = 0;
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            text.push(b' ');
        }
        for (column, cell) in row.cells.iter().enumerate() {
            let digits = cell.trim_matches(['*', '#', '@']).as_bytes();
            let is_digit = |it: &u8| (1..=side).contains(&usize::from(it.wrapping_sub(b'0')));
            let are_different = (1..digits.len()).all(|at| !digits[..at].contains(&digits[at]));
            if digits.is_empty() || !digits.iter().all(is_digit) || !are_different {
                let shown = first_group(rows).filter(|_| digits.len() < 2);
                let (cell, place) = shown.unwrap_or((cell, index * side + column));
                return Err(no_cell(cell, place, side));
            }
            groups += usize::from(digits.len() > 1);
            let all = b"123456789".iter().take(side);
            text.extend(all.map(|digit| if digits.contains(digit) { *digit } else { b'.' }));
        }
    }
    match first_group(rows) {
        Some((cell, place)) if groups < 2 => Err(no_cell(cell, place, side)),
        // Their 64 symbols would be an 8x8 puzzle.
        _ if side == 4 => Err("candidates of a 4x4 puzzle; use --input pencilmarks".into()),
        _ => Ok(()),
    }
}

/// Returns true for a number that is no group of different digits from 1 to N, such as 20 or 33.
fn number_has_no_candidates(number: &str, side: usize) -> bool {
    let digits = number.as_bytes();
    let is_candidate = |(at, it): (usize, &u8)| {
        (1..=side).contains(&usize::from(it.wrapping_sub(b'0'))) && !digits[..at].contains(it)
    };
    !digits.iter().enumerate().all(is_candidate)
}

/// Returns the first group of several symbols and the number of its cell.
fn first_group(rows: &[Row]) -> Option<(&String, usize)> {
    let mut cells = rows.iter().flat_map(|row| &row.cells).zip(0..);
    cells.find(|(cell, _)| is_group(cell))
}

fn no_cell(cell: &str, number: usize, side: usize) -> String {
    let cell: String = cell.chars().take(MAX_SIDE).collect();
    format!("'{}' at {} is no cell", cell.escape_default(), Place::of(number, side))
}

/// Returns the symbol of blank cells that the alphabet lacks: one that is no digit, is in more than
/// N cells, and is the only symbol of the puzzle that is not one of its digits.
fn foreign_blank(parser: &LineParser, rows: &[Row]) -> Option<String> {
    let side = rows.len();
    let value = |cell: &str| {
        let mut symbols = cell.chars();
        let first = symbols.next().filter(|_| symbols.next().is_none());
        first.and_then(|symbol| parser.value(symbol))
    };
    let mut found: Option<&String> = None;
    let mut count = 0;
    for cell in rows.iter().flat_map(|row| &row.cells) {
        let digit = match cell.chars().count() {
            1 => value(cell),
            // A number from 10, or a blank cell.
            _ => match cell.as_str() {
                "" | "-1" => Some(0),
                _ => Some(1),
            },
        };
        match digit {
            Some(0) => return None,
            Some(digit) if digit <= side => {}
            _ if found.is_some_and(|other| other != cell) => return None,
            _ => {
                found = Some(cell);
                count += 1;
            }
        }
    }
    let is_digit = |cell: &&String| cell.bytes().all(|it| it.is_ascii_digit());
    found.filter(|cell| count > side && !is_digit(cell)).cloned()
}

/// Appends the symbols of a row as they are read, for a faulty entry.
pub fn write_as_read(parser: &LineParser, row: &Row, text: &mut Vec<u8>) {
    for cell in &row.cells {
        match symbol(parser, cell, row.cells.len().max(10)) {
            Some(symbol) => text.extend(symbol.as_bytes()),
            None => text.extend(cell.as_bytes()),
        }
    }
}
