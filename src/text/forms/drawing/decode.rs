//! Turns the cells of a grid into symbols: numbers, candidates, and a symbol of its own for blank
//! cells.

use super::cells::Row;
use super::line::DrawingAlphabet;
use crate::rules::{MAX_SIDE, Place};
use crate::text::one_line;

/// The rows of a puzzle can be candidates: N symbols for each cell. Returns the reason if a cell is
/// neither a symbol nor a number nor candidates.
pub fn decode(
    alphabet: &DrawingAlphabet,
    rows: &[Row],
    is_puzzle: bool,
) -> Result<Vec<String>, String> {
    let side = rows.len();
    let all = || rows.iter().flat_map(|row| &row.cells);
    if is_puzzle && side < 10 && all().any(|cell| is_group(cell)) {
        // Sums are numbers greater than a digit. One such number is a mistake.
        let is_sum = |cell: &&String| {
            cell.parse().is_ok_and(|it: usize| it > side) && !are_candidates(cell, side)
        };
        let sums = || all().filter(is_sum);
        return match sums().next().filter(|_| sums().count() > 2) {
            Some(sum) => Err(format!("'{sum}': cages with sums are not read from drawings")),
            None => candidates(rows),
        };
    }
    // An empty field becomes `.`, so other dots would not be noticed.
    let empty = all().find(|cell| cell.is_empty() || *cell == "-1");
    if let Some(empty) = empty.filter(|_| all().any(|cell| cell == ".")) {
        let empty = if empty.is_empty() { "empty cells" } else { "-1" };
        return Err(format!("two symbols for blank cells, '.' and {empty}; use one"));
    }
    let foreign = is_puzzle.then(|| foreign_blank(alphabet, rows)).flatten();
    let mut decoded = Vec::new();
    for (index, row) in rows.iter().enumerate() {
        let mut text = String::new();
        for (column, cell) in row.cells.iter().enumerate() {
            match symbol(alphabet, cell, side) {
                _ if foreign == Some(cell) => text.push('.'),
                Some(symbol) => text.push_str(&symbol),
                None => return Err(no_cell(cell, index * side + column, side)),
            }
        }
        decoded.push(text);
    }
    Ok(decoded)
}

fn symbol(alphabet: &DrawingAlphabet, cell: &str, side: usize) -> Option<String> {
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
    let read = one_line::read_cells(&[bytes], side, &alphabet.digits)?;
    Some(char::from(read[0]).into())
}

/// Returns true for a group of several symbols, which can be candidates.
fn is_group(cell: &str) -> bool {
    cell.len() > 1 && cell.is_ascii() && cell != "-1" && cell.parse::<u64>() != Ok(0)
}

/// Returns the rows of a puzzle of candidates: groups of digits, of which at least two have several
/// digits. Marks such as `*` or `#` at a group are dropped.
fn candidates(rows: &[Row]) -> Result<Vec<String>, String> {
    let side = rows.len();
    let cells = || rows.iter().flat_map(|row| &row.cells).zip(0..);
    let groups = cells().filter(|(cell, _)| without_marks(cell).len() > 1).count();
    let wrong = cells().find(|(cell, _)| !are_candidates(without_marks(cell), side));
    let shown = match wrong {
        Some((cell, _)) if without_marks(cell).len() > 1 => wrong,
        None if groups > 1 => None,
        _ => cells().find(|(cell, _)| is_group(cell)),
    };
    if let Some((cell, number)) = shown {
        return Err(no_cell(cell, number, side));
    }
    // Their 64 symbols would be an 8x8 puzzle.
    if side == 4 {
        return Err("candidates of a 4x4 puzzle; use --input pencilmarks".into());
    }
    let all = &"123456789"[..side];
    let symbols = |cell: &String| -> String {
        all.chars().map(|digit| if cell.contains(digit) { digit } else { '.' }).collect()
    };
    Ok(rows.iter().map(|row| row.cells.iter().map(symbols).collect()).collect())
}

fn without_marks(cell: &str) -> &str {
    cell.trim_matches(['*', '#', '@'])
}

/// Returns true for different digits from 1 to N, at least one.
fn are_candidates(text: &str, side: usize) -> bool {
    let digits = text.as_bytes();
    let is_candidate = |(at, it): (usize, &u8)| {
        (1..=side).contains(&usize::from(it.wrapping_sub(b'0'))) && !digits[..at].contains(it)
    };
    !digits.is_empty() && digits.iter().enumerate().all(is_candidate)
}

fn no_cell(cell: &str, number: usize, side: usize) -> String {
    let cell: String = cell.chars().take(MAX_SIDE).collect();
    format!("'{}' at {} is no cell", cell.escape_default(), Place::of(number, side))
}

/// Returns the symbol of blank cells that the alphabet lacks: one that is no digit, is in more than
/// N cells, and is the only symbol of the puzzle that is not one of its digits.
fn foreign_blank<'r>(alphabet: &DrawingAlphabet, rows: &'r [Row]) -> Option<&'r String> {
    let side = rows.len();
    let value = |cell: &str| {
        let mut symbols = cell.chars();
        match (symbols.next(), symbols.next()) {
            (Some(symbol), None) => alphabet.value(symbol),
            _ if matches!(cell, "" | "-1") => Some(0),
            // A number from 10.
            _ => Some(1),
        }
    };
    let cells = || rows.iter().flat_map(|row| &row.cells);
    let is_digit = |cell: &String| value(cell).is_some_and(|it| (1..=side).contains(&it));
    let foreign = cells().find(|cell| !is_digit(cell))?;
    let is_only = cells().all(|cell| cell == foreign || is_digit(cell));
    let count = cells().filter(|cell| *cell == foreign).count();
    let is_known = value(foreign) == Some(0) || foreign.bytes().all(|it| it.is_ascii_digit());
    (is_only && count > side && !is_known).then_some(foreign)
}

/// Returns the symbols of a faulty record.
pub fn as_read(alphabet: &DrawingAlphabet, rows: &[Row]) -> Vec<String> {
    let read = |row: &Row| {
        let shown = |cell: &String| {
            symbol(alphabet, cell, row.width().max(10)).unwrap_or_else(|| cell.clone())
        };
        row.cells.iter().map(shown).collect()
    };
    rows.iter().map(read).collect()
}
