//! Turns the cells of a grid into symbols: numbers, candidates, and a symbol for blank cells.

use super::cells::Row;
use super::faults;
use super::line::DrawingAlphabet;
use crate::text::one_line;
use engine::rules::{MAX_SIDE, Place};

/// The rows of a puzzle can be candidates: N symbols for each cell. Returns the reason if a cell is
/// neither a symbol nor a number nor candidates.
pub fn decode(
    alphabet: &DrawingAlphabet,
    rows: &[Row],
    is_puzzle: bool,
) -> Result<Vec<String>, String> {
    let side = rows.len();
    if let Some(reason) = repeated_row(alphabet, rows).filter(|_| is_puzzle) {
        return Err(reason);
    }
    let mut cells: Vec<&str> = rows.iter().flat_map(|row| &row.cells).map(String::as_str).collect();
    // Most grids are of symbols only.
    if cells.iter().any(|cell| cell.len() != 1) {
        if let Some(open) = only_open_cell(&cells, side).filter(|_| is_puzzle) {
            cells[open] = ".";
        }
        if is_puzzle && side < 10 && cells.iter().any(|cell| is_group(cell)) {
            return candidates(&cells, side);
        }
        if let Some(reason) = lost_symbol(alphabet, &cells, side) {
            return Err(reason);
        }
    }
    // An empty field becomes `.`, so other dots would not be noticed.
    let empty = cells.iter().find(|cell| is_empty(cell));
    if let Some(empty) = empty.filter(|_| cells.contains(&".")) {
        let empty = if empty.is_empty() { "empty cells" } else { "-1" };
        return Err(format!("two symbols for blank cells, '.' and {empty}; use one"));
    }
    let foreign = foreign_blank(alphabet, &cells, side).filter(|_| is_puzzle);
    let decoded = |(index, &cell): (usize, &&str)| match symbol(alphabet, cell, side) {
        _ if foreign == Some(cell) => Ok(".".into()),
        symbol => symbol.ok_or_else(|| no_cell(cell, index, side)),
    };
    let symbols: Vec<String> = cells.iter().enumerate().map(decoded).collect::<Result<_, _>>()?;
    Ok(symbols.chunks(side).map(<[String]>::concat).collect())
}

fn symbol(alphabet: &DrawingAlphabet, cell: &str, side: usize) -> Option<String> {
    if is_empty(cell) {
        return Some(".".into());
    }
    if cell.chars().count() == 1 {
        return Some(cell.into());
    }
    if side < 10 && !(cell.len() == 2 && cell.starts_with('0')) {
        return None;
    }
    // As wide as a number of two digits.
    if let [first, second] = *cell.as_bytes()
        && first == second
        && alphabet.value(first.into()) == Some(0)
        && first != b'0'
    {
        return Some(char::from(first).into());
    }
    let read = one_line::read_cells(&[cell.as_bytes()], side, &alphabet.digits)?;
    Some(char::from(read[0]).into())
}

fn is_empty(cell: &str) -> bool {
    matches!(cell, "" | "-1")
}

fn is_group(cell: &str) -> bool {
    cell.len() > 1 && cell.is_ascii() && cell != "-1" && cell.parse::<u64>() != Ok(0)
}

/// Returns the reason for the only row of a puzzle that repeats the row above it, with a digit.
fn repeated_row(alphabet: &DrawingAlphabet, rows: &[Row]) -> Option<String> {
    let side = rows.len();
    let is_digit = |cell: &String| match cell.len() {
        1 => alphabet.value(cell.as_bytes()[0].into()) > Some(0),
        2 => side >= 10 && cell.parse().is_ok_and(|it: usize| it > 0),
        _ => false,
    };
    faults::repeated_row(rows, |above, row| {
        // The rows of a grid on one line are not written one by one.
        above.number != row.number && above.cells == row.cells && row.cells.iter().any(is_digit)
    })
}

/// Returns the reason for a cell that has the look of a part of one, or of two.
fn lost_symbol(alphabet: &DrawingAlphabet, cells: &[&str], side: usize) -> Option<String> {
    mixed_zeros(cells, side).or_else(|| only_empty_cell(alphabet, cells, side))
}

/// Returns the reason for digits with a zero before them among others without one, as `07` in
/// `0 07 12 6`, which is perhaps two cells, and `1` in `09,1,12`, which is perhaps cut. So is the
/// only `0` in `09,0,12`.
fn mixed_zeros(cells: &[&str], side: usize) -> Option<String> {
    let places = |is_kind: fn(&[u8]) -> bool| -> Vec<usize> {
        (0..cells.len()).filter(|&at| is_kind(cells[at].as_bytes())).collect()
    };
    let padded = places(|cell| matches!(cell, [b'0', b'1'..=b'9']));
    let bare = places(|cell| matches!(cell, [b'1'..=b'9']));
    let zeros = places(|cell| cell == b"0");
    let (odd, usual) = match (&padded[..], &bare[..], &zeros[..]) {
        (&[first, ..], &[digit, ..], _) if bare.len() > padded.len() => (first, digit),
        (&[first, ..], &[digit, ..], _) => (digit, first),
        (&[first, ..], [], &[zero]) => (zero, first),
        _ => return None,
    };
    let place = Place::of(odd, side);
    Some(format!("'{}' at {place}, but '{}' in another cell", cells[odd], cells[usual]))
}

/// Returns the reason for a cell with nothing in it if all others are digits: its digit is
/// probably lost.
fn only_empty_cell(alphabet: &DrawingAlphabet, cells: &[&str], side: usize) -> Option<String> {
    let is_blank =
        |cell: &&str| is_empty(cell) || cell.chars().all(|it| alphabet.value(it) == Some(0));
    let at = cells.iter().position(|cell| cell.is_empty())?;
    let is_only = cells.iter().filter(|cell| is_blank(cell)).count() == 1;
    is_only.then(|| format!("nothing at {}, and a digit in every other cell", Place::of(at, side)))
}

/// Returns the index of the cell that has all candidates if all others are digits.
fn only_open_cell(cells: &[&str], side: usize) -> Option<usize> {
    let all = "123456789".get(..side).filter(|_| side > 4)?;
    let others = cells.iter().filter(|it| it.len() != 1 || !all.contains(**it)).count();
    cells.iter().position(|cell| *cell == all).filter(|_| others == 1)
}

/// Returns the rows of a puzzle of candidates: groups of digits, of which at least two have several
/// digits. Marks such as `*` or `#` at a group are dropped.
fn candidates(cells: &[&str], side: usize) -> Result<Vec<String>, String> {
    // Sums are numbers greater than a digit. One such number is a mistake.
    let is_sum =
        |cell: &&&str| cell.parse().is_ok_and(|it: usize| it > side) && !are_candidates(cell, side);
    let mut sums = cells.iter().filter(is_sum);
    if let (Some(sum), Some(_)) = (sums.next(), sums.nth(1)) {
        return Err(format!("'{sum}': cages with sums are not read from drawings"));
    }
    let groups: Vec<&str> = cells.iter().map(|cell| cell.trim_matches(['*', '#', '@'])).collect();
    let wrong = groups.iter().position(|group| !are_candidates(group, side));
    if wrong.is_some() || groups.iter().filter(|group| group.len() > 1).count() < 2 {
        let first_group = || cells.iter().position(|cell| is_group(cell));
        let wrong = wrong.filter(|&at| groups[at].len() > 1).or_else(first_group);
        let wrong = wrong.expect("a cell is a group");
        return Err(no_cell(cells[wrong], wrong, side));
    }
    let is_unordered = |group: &&str| !group.bytes().is_sorted();
    let unordered: Vec<usize> = (0..groups.len()).filter(|&at| is_unordered(&groups[at])).collect();
    if let [at] = unordered[..] {
        let place = Place::of(at, side);
        return Err(format!("'{}' at {place}; all other candidates are in order", cells[at]));
    }
    // Their 64 symbols would be an 8x8 puzzle.
    if side == 4 {
        return Err("candidates of a 4x4 puzzle; use --input pencilmarks".into());
    }
    let shown = |group: &str| "123456789"[..side].replace(|digit| !group.contains(digit), ".");
    let symbols: Vec<String> = groups.into_iter().map(shown).collect();
    Ok(symbols.chunks(side).map(<[String]>::concat).collect())
}

/// Returns true for different digits from 1 to N, at least one.
fn are_candidates(text: &str, side: usize) -> bool {
    let is_candidate =
        |(at, it): (usize, char)| "123456789"[..side].contains(it) && !text[..at].contains(it);
    !text.is_empty() && text.char_indices().all(is_candidate)
}

fn no_cell(cell: &str, number: usize, side: usize) -> String {
    let cell: String = cell.chars().take(MAX_SIDE).collect();
    format!("'{}' at {} is no cell", cell.escape_default(), Place::of(number, side))
}

/// Returns the symbol of blank cells that the alphabet lacks: one that is no digit, is in more than
/// N cells, and is the only symbol of the puzzle that is not one of its digits.
fn foreign_blank<'r>(
    alphabet: &DrawingAlphabet,
    cells: &[&'r str],
    side: usize,
) -> Option<&'r str> {
    let is_digit = |cell: &str| {
        let mut symbols = cell.chars();
        match (symbols.next(), symbols.next()) {
            (Some(symbol), None) => alphabet.value(symbol).is_some_and(|it| 0 < it && it <= side),
            // A number from 10.
            _ => !is_empty(cell),
        }
    };
    let others: Vec<&str> = cells.iter().copied().filter(|cell| !is_digit(cell)).collect();
    let (&foreign, same) = others.split_first()?;
    let is_known = |it: char| it.is_ascii_digit() || alphabet.value(it) == Some(0);
    let is_only = same.len() >= side && same.iter().all(|cell| *cell == foreign);
    (is_only && !is_empty(foreign) && !foreign.contains(is_known)).then_some(foreign)
}

/// Returns the symbols of a faulty record.
pub fn as_read(alphabet: &DrawingAlphabet, rows: &[Row]) -> Vec<String> {
    let shown = |cell: &String, width: usize| {
        symbol(alphabet, cell, width.max(10)).unwrap_or_else(|| cell.clone())
    };
    let row = |row: &Row| row.cells.iter().map(|cell| shown(cell, row.width())).collect();
    rows.iter().map(row).collect()
}
