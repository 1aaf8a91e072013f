//! Recognises headers and records of CSV within a source: the header of another file that was joined
//! to the first one, and lines with a puzzle.

use super::fields::without_quotes;
use super::header::{CsvHeader, SEPARATORS};
use crate::text::header_names::{HeaderNames, PUZZLE};
use crate::text::record::{Field, without_end, without_mark};

/// A header after the first one, from another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HeaderWithin {
    /// The same columns in the same order.
    Again,
    /// Other columns, among them puzzles and answers.
    Other,
}

/// The length of the longest line that can be a header within a file.
const MAX_HEADER_WITHIN: usize = 1000;

/// Returns `None` for records. A record can have a name of puzzles too, such as `sudoku`, so
/// one name alone makes no header.
pub(crate) fn header_within(
    first: &CsvHeader,
    line: &[u8],
    chosen: &HeaderNames,
) -> Option<HeaderWithin> {
    let line = without_mark(without_end(line));
    // Nearly all records begin with a number or a cell.
    let name = line.strip_prefix(b"\"").unwrap_or(line);
    if !name.first()?.is_ascii_alphabetic() || line.len() > MAX_HEADER_WITHIN {
        return None;
    }
    if line == first.line {
        return Some(HeaderWithin::Again);
    }
    let other = CsvHeader::parse(line, chosen).ok()?;
    let names_are_equal = |index| other.name(index).eq_ignore_ascii_case(first.name(index));
    let are_equal = other.separator == first.separator
        && other.width() == first.width()
        && (0..first.width()).all(names_are_equal);
    match are_equal {
        true => Some(HeaderWithin::Again),
        false => other.has_column(Field::Answer).then_some(HeaderWithin::Other),
    }
}

/// True if a record ends with the first header: the next file begins without a line end.
pub(crate) fn ends_with_header(record: &[u8], first: &CsvHeader) -> bool {
    record.len() > first.line.len() && record.ends_with(&first.line)
}

/// True if a line, unquoted, has a field for each of several columns, and symbols of a puzzle
/// in its column.
pub(crate) fn has_puzzle(header: &CsvHeader, line: &[u8]) -> bool {
    let mut fields = line.split(|&byte| byte == header.separator).map(without_quotes);
    let column = header.column(Field::Puzzle).unwrap_or_default();
    let has_width =
        || line.iter().filter(|&&it| it == header.separator).count() + 1 == header.width();
    header.width() > 1 && has_width() && fields.nth(column).is_some_and(is_likely_puzzle)
}

/// True if a field has at least the symbols of a 4x4 puzzle, and half of them are digits or dots.
fn is_likely_puzzle(field: &[u8]) -> bool {
    let are_symbols =
        || field.iter().all(|byte| byte.is_ascii_alphanumeric() || b".*_-".contains(byte));
    let cells = field.iter().filter(|byte| byte.is_ascii_digit() || **byte == b'.').count();
    field.len() >= 16 && are_symbols() && 2 * cells >= field.len()
}

/// True if a part of the line, unquoted, is one of the names in [`PUZZLE`], ignoring case.
pub(crate) fn is_likely_header(line: &[u8]) -> bool {
    let mut names = line.split(|byte| SEPARATORS.contains(byte));
    names.any(|name| {
        let name = without_quotes(name);
        let is_name = |known: &&str| name.eq_ignore_ascii_case(known.as_bytes());
        PUZZLE.iter().any(is_name)
    })
}
