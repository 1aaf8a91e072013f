//! The reasons why rows are no drawing of a puzzle, and remarks about whole grids.

use super::cells::{Row, by_bars, has_commas, have_empty_sides, most_common, numbers};
use super::line::{DrawingAlphabet, MIN_GRID, RowKind, RowLine, fields, nearest_side};
use crate::text::record::{FieldSet, OTHER_LINE_ENDS};
use engine::rules::{MAX_SIDE, a_puzzle, pluralize};

pub const NO_ROWS: &str = "no rows of a puzzle";
pub const NO_END: &str = "the text in quotes has no end: the file is cut short";
pub const ONLY_COMMENTS: &str = "all lines are comments";
const SIDE_BY_SIDE: &str = ": two grids side by side?";

pub enum Fault {
    Reason(String),
    /// The reason depends on the number of rows of the whole record.
    WrongNumberOfRows,
}

/// A remark about a whole grid.
pub enum Remark {
    Unusual(Box<str>),
    /// It has a rule that is not read, so it is invalid once its answer is found.
    Unread(Box<str>),
}

/// Returns true for the reason why two grids on the same lines are none.
pub(crate) fn are_side_by_side(reason: &str) -> bool {
    reason.ends_with(SIDE_BY_SIDE)
}

/// Returns the reason why lines are no grids; `None` if their number is wrong.
pub fn reason(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<String> {
    if have_empty_sides(lines) {
        return Some("the first and the last field of all rows are empty; one is no cell".into());
    }
    if let Some(reason) = refused(lines) {
        return Some(reason.into());
    }
    let is_inequality = |it: &char| matches!(it, '<' | '>') && alphabet.value(*it).is_none();
    if let Some(symbol) = lines.iter().flat_map(|line| line.text.chars()).find(is_inequality) {
        return Some(format!("'{symbol}' is no cell"));
    }
    let with_commas = has_commas(lines);
    let reason =
        if with_commas { reason_of_commas(lines) } else { reason_of_bars(alphabet, lines) };
    if reason.is_some() {
        return reason;
    }
    let width = |RowLine { text, .. }: &RowLine| match with_commas {
        true => fields(text).len(),
        false => numbers(alphabet, text).map_or_else(|| alphabet.width(text), |it| it.len()),
    };
    let widths: Vec<usize> = lines.iter().map(width).filter(|&width| width > 0).collect();
    let side = most_common(widths.iter().copied());
    match widths.iter().position(|&width| width != side) {
        None => reason_of_even_rows(widths.len(), side, with_commas),
        Some(_) if are_ragged_numbers(lines) => Some("rows of different width; write zeros".into()),
        Some(odd) if with_commas => Some(odd_row(&widths, odd, side, "field")),
        Some(odd) => Some(odd_row(&widths, odd, side, "cell")),
    }
}

/// Returns the reason for N rows with empty fields between commas, of which one has another number.
fn reason_of_commas(lines: &[RowLine]) -> Option<String> {
    let widths: Vec<usize> = lines.iter().map(|line| line.text.split([',', ';']).count()).collect();
    let side = most_common(widths.iter().copied());
    let odd = widths.iter().position(|&width| width != side)?;
    let has_empty = lines.iter().any(|line| line.text.contains(",,"));
    (has_empty && widths.len() == side).then(|| odd_row(&widths, odd, side, "field"))
}

/// Returns the reason for rows of N cells between bars, of which there are not N.
fn reason_of_bars(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<String> {
    let rows = by_bars(alphabet, lines)?;
    let side = most_common(rows.iter().map(Row::width));
    let is_even = rows.iter().all(|row| row.width() == side);
    (is_even && side >= MIN_GRID && rows.len() != side)
        .then(|| wrong_number_of_rows(rows.len(), side, alphabet.fields))
}

fn reason_of_even_rows(rows: usize, width: usize, with_commas: bool) -> Option<String> {
    let half = width / 2;
    let are_two_grids = width.is_multiple_of(2)
        && (4..=MAX_SIDE).contains(&half)
        && (rows == half || width > MAX_SIDE && rows.is_multiple_of(half));
    Some(match width {
        _ if width > 2 * MAX_SIDE || (width > MAX_SIDE && rows == 1) => {
            let near = nearest_side(width);
            let noun = if with_commas { "field" } else { "cell" };
            let (cells, puzzle) = (pluralize(width, noun), a_puzzle(near));
            match near * near {
                count if count == width => format!("{cells} with digits that {puzzle} lacks"),
                count => format!("{cells}; {puzzle} has {count}"),
            }
        }
        _ if are_two_grids => {
            format!("{} of {width} cells{SIDE_BY_SIDE}", pluralize(rows, "row"))
        }
        _ if width > MAX_SIDE => format!("a row of {width} cells; the widest puzzle is 25x25"),
        1 if rows > 3 => "rows of one cell (JSON: jq -c . makes one line of an array)".into(),
        _ => return None,
    })
}

/// Returns the reason why a grid lacks a row if a frame can be this row.
pub fn reason_of_dashes(lines: &[RowLine], rows: usize, side: usize) -> Option<String> {
    let frames = lines.iter().skip(1).filter(|line| line.is_below_frame).count();
    let have_dashes = lines.iter().any(|line| line.text.contains('-'));
    (rows + 1 == side && frames == 1 && have_dashes).then(|| {
        let rows = pluralize(rows, "row");
        format!(
            "{rows} of {side} cells and a line of dashes, which is read as a border; \
             write blank cells as . or 0"
        )
    })
}

/// Returns the reason for the only row of a puzzle that repeats the row above it: it is drawn twice.
pub fn repeated_row<R>(rows: &[R], repeats: impl Fn(&R, &R) -> bool) -> Option<String> {
    let mut repeated = (1..rows.len()).filter(|&at| repeats(&rows[at - 1], &rows[at]));
    let (first, second) = (repeated.next()?, repeated.next());
    second.is_none().then(|| format!("row {} repeats row {first}", first + 1))
}

fn odd_row(widths: &[usize], odd: usize, side: usize, noun: &str) -> String {
    let usual = widths.iter().position(|&width| width == side).unwrap_or_default();
    let cells = pluralize(widths[odd], noun);
    format!("row {} has {cells}, row {} has {side}", odd + 1, usual + 1)
}

pub fn refused(lines: &[RowLine]) -> Option<&'static str> {
    let is_triple = |line: &RowLine| {
        let numbers = || line.text.split([' ', ',']).filter(|it| !it.is_empty());
        numbers().count() == 3 && numbers().all(|it| it.parse::<i32>().is_ok())
    };
    match () {
        _ if lines.iter().any(|line| line.kind == RowKind::InnerCr) => Some(OTHER_LINE_ENDS),
        // Such as coordinates.
        _ if lines.len() != 3 && lines.iter().all(is_triple) => {
            Some("rows of 3 numbers; draw the grid")
        }
        _ => None,
    }
}

/// Returns true for rows that are numbers of different length, whose zeros at the left are missing.
fn are_ragged_numbers(lines: &[RowLine]) -> bool {
    let is_number = |line: &RowLine| {
        let text = line.text.trim().trim_end_matches(';');
        !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit())
    };
    let are_numbers = lines.len() > 3 && lines.iter().all(is_number);
    are_numbers && lines.iter().any(|line| line.text.starts_with(' '))
}

pub fn reason_of_blocks(rows: &[Row], blocks: usize, side: usize, height: usize) -> String {
    let widths: Vec<usize> = rows.iter().map(Row::width).collect();
    if let Some(odd) = widths.iter().position(|&width| width != side) {
        return odd_row(&widths, odd, side, "cell");
    }
    let count = side / height;
    let shown = format!("{} in {}", pluralize(rows.len(), "row"), pluralize(blocks, "block"));
    if count == 2 && blocks == 2 {
        return format!("a blank line after row {height}, within a grid");
    }
    if blocks > count && rows.len() > side {
        return format!("{shown}; put two blank lines between puzzles");
    }
    let of_rows = pluralize(height, "row");
    format!("{shown}; {} has {} of {of_rows}", a_puzzle(side), pluralize(count, "block"))
}

pub fn wrong_number_of_rows(rows: usize, side: usize, expected: FieldSet) -> String {
    let (shown, cells) = (pluralize(rows, "row"), pluralize(side, "cell"));
    let (puzzle, most) = (a_puzzle(side), side * expected.number_of_grids());
    let followers = match (expected.regions, expected.answer) {
        (false, false) => " has",
        (true, false) => " and its layout have",
        (false, true) => " and its answer have",
        (true, true) => ", its layout and its answer have",
    };
    format!("{shown} of {cells}; {puzzle}{followers} {most}")
}
