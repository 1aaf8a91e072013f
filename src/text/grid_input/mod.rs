//! Reads puzzles that are drawn over several lines, and turns each into one line for the rest of
//! the program.
//!
//! ```text
//!     +---+---+
//!     |1 .|. .|
//!     |. .|3 .|         2 1... ..3. .3.. ...4
//!     +---+---+    ->   |  |
//!     |. 3|. .|         |  its rows, without borders and blanks
//!     |. .|. 4|         number of the line with its first row
//!     +---+---+
//! ```
//!
//! An *entry* is a puzzle, followed by its layout and its answer if the options say so. Each of
//! these grids is N rows of N symbols. Grids that follow each other are separated by a blank line,
//! a frame below a frame, or nothing. These rules hold:
//!
//! 1. Each line of the source is a row, a grid on one line, or of another kind in `line.rs`:
//!    comment, heading, blank line, frame (horizontal border), line without symbols, title. Lines
//!    of these other kinds are not part of an entry.
//! 2. A *run* is the rows between two separators: blank lines, headings, titles, frames below
//!    frames. A run is whole grids, with at most one line of another width above each; otherwise it
//!    has a fault, and all of its rows are in one entry. So no grid has rows from both sides of a
//!    separator, and a lost row makes only the puzzles of its run invalid.
//! 3. A heading ends the entry, except `[State]` above the only grid that is missing, the answer. A
//!    title after a whole grid ends it too. Otherwise, an entry ends when it has all its grids.
//! 4. An entry with a fault is written as one line too, and the pipeline reports the fault. Other
//!    entries are not affected, as far as possible.
//! 5. The output does not depend on the sizes of the reads.
//!
//! `line.rs` recognises what a line is, and `assembler.rs` gathers rows into entries. This file
//! splits an entry into its fields. `forms/drawing.rs` writes drawings.

mod assembler;
mod line;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use super::record::{FieldSet, RecordFields};
use super::symbols::Alphabet;
use crate::error::InvalidInput;
use crate::rules::{MAX_SIDE, a_puzzle, pluralize};
pub(crate) use assembler::EntryAssembler;
use assembler::most_common_width;
pub(crate) use line::{DrawnLine, is_reserved};

/// The form of the entries of a source.
#[derive(Clone, Debug, Default)]
pub struct EntryForm {
    /// The fields that follow the puzzle in an entry. Cages have no grid, so they are not in the
    /// entry.
    pub fields: FieldSet,
    /// The symbols of the puzzles, which distinguish a row from a title.
    pub alphabet: Alphabet,
}

/// Returns the fields of an entry, given as its rows with one space between two rows. A grid has N rows of N symbols. `expected` are the fields whose grids can follow the
/// puzzle, apart from cages. A field whose grid is not there is `None`.
///
/// # Errors
/// Returns an error if a row is missing, extra, too short or too long, if the rows are too long for
/// any puzzle, if there are none, or if one is empty, which marks a separator within a grid.
pub(crate) fn fields_of_entry(
    rows: &[u8],
    expected: FieldSet,
) -> Result<RecordFields<'static>, InvalidInput> {
    let rows: Vec<&[u8]> = rows.split(|&byte| byte == b' ').collect();
    if rows == [b""] {
        return Err("no rows of a puzzle".into());
    }
    let side = most_common_width(rows.iter().map(|row| row.len()));
    if side > MAX_SIDE {
        return Err(format!("a row of {side} symbols; the widest puzzle is 25x25").into());
    }
    if let Some(odd) = rows.iter().position(|row| row.len() != side) {
        return Err(odd_row(&rows, odd, side));
    }
    if !rows.len().is_multiple_of(side) || rows.len() > side * expected.number_of_grids() {
        return Err(wrong_number_of_rows(rows.len(), side, expected));
    }
    let mut grids = rows.chunks(side).map(|rows| Cow::Owned(rows.concat()));
    Ok(RecordFields {
        puzzle: grids.next().unwrap_or_default(),
        regions: expected.regions.then(|| grids.next()).flatten(),
        answer: grids.next(),
        ..RecordFields::default()
    })
}

/// Returns the reason why an entry is invalid if its row with index `odd` does not have `side`
/// symbols. An empty row marks a separator, such as a blank line.
fn odd_row(rows: &[&[u8]], odd: usize, side: usize) -> InvalidInput {
    if rows[odd].is_empty() {
        return format!("a blank line after row {odd}, within a grid").into();
    }
    let usual = rows.iter().position(|row| row.len() == side);
    let [number, usual] = [odd, usual.unwrap_or_default()].map(|row| row + 1);
    let symbols = pluralize(rows[odd].len(), "symbol");
    format!("row {number} has {symbols}; row {usual} has {side}").into()
}

/// Returns the reason why an entry with this number of rows is invalid.
fn wrong_number_of_rows(rows: usize, side: usize, expected: FieldSet) -> InvalidInput {
    let (rows, symbols) = (pluralize(rows, "row"), pluralize(side, "symbol"));
    let (puzzle, most) = (a_puzzle(side), side * expected.number_of_grids());
    let followers = match (expected.regions, expected.answer) {
        (false, false) => " has",
        (true, false) => " and its layout have",
        (false, true) => " and its answer have",
        (true, true) => ", its layout and its answer have",
    };
    format!("{rows} of {symbols}; {puzzle}{followers} {most}").into()
}
