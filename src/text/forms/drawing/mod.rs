//! Drawn puzzles: reads what people draw over several lines, as a record for each puzzle.
//! `write.rs` draws grids.
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
//! A *record* is a puzzle, followed by its layout and its answer if the options say so. Each of
//! these grids is N rows of N cells. Grids that follow each other are separated by a blank line,
//! a frame below a frame, or nothing. These rules hold:
//!
//! 1. Each line of the source is a row, a grid on one line, or of another kind in `line.rs`:
//!    comment, heading, blank line, frame (horizontal border), text. `program.rs` takes rows out of
//!    the text of programs; `words.rs` tells rows with words from text.
//! 2. A *run* is the rows between two separators: blank lines, headings, text, frames below frames.
//!    All rows of a run are read in one way (`cells.rs`), the first by which they are whole grids.
//!    Such a run can have at most one line of another width above each grid and below the last, or,
//!    between commas, rows of blank cells between its grids.
//! 3. A *section* is the runs between two stronger separators: two blank lines, or a separator
//!    other than a blank line. If most of its runs have as many rows as a box, or one, they are
//!    bands, and the section is one puzzle. Otherwise each run is whole grids or has a fault.
//! 4. A heading ends the record, except `[State]` above the only grid that is missing, the answer.
//!    Text after a whole grid ends it too, unless the full grid below it is the missing answer.
//!    Otherwise, a record ends when it has all its grids.
//! 5. A fault makes only its run invalid, or its section if that is bands. So no grid has rows from
//!    both sides of a separator.
//! 6. A run of at most three lines is text if none of them can be a row: `if x == 9 {`, `x = (1, 2)`. So are
//!    lines of fewer than four cells that are parts of statements, directly above other rows.
//! 7. The output does not depend on the sizes of the reads.
//!
//! The way of the lines:
//!
//! ```text
//!     line     parse.rs, program.rs, words.rs   what it is, by itself: row, frame, text, ...
//!              words.rs `decide`                by the lines beside it, if it has words
//!     run      run.rs `ReadRun`                 how its rows are read: grids, a band, a fault, or text
//!     section  run.rs `Section`                 if its runs are bands
//!     part     decode.rs                        the symbols of its grids
//!     record   records.rs, waiting.rs           puzzle, layout, answer
//! ```
//!
//! `parse.rs`, `program.rs` and `words.rs` recognise what a line is; `cells.rs` has the ways to
//! read a row; `run.rs` has runs and sections; `cutter.rs` goes through the lines of a source;
//! `decode.rs` turns cells into symbols; `records.rs` gathers grids into records, and
//! `waiting.rs` puzzles whose answers follow later; `faults.rs` has the reasons why rows are no
//! grids. This file cuts a record into its grids.

mod cells;
mod cutter;
mod decode;
mod faults;
mod line;
mod parse;
mod program;
mod records;
mod run;
#[cfg(test)]
mod shapes;
#[cfg(test)]
mod tests;
mod waiting;
mod words;
pub(crate) mod write;

use std::borrow::Cow;
use std::iter;

use crate::text::record::{FieldSet, RecordFields};
use crate::text::size::CellNotation;
use crate::text::symbols::outside_ascii;
pub(crate) use cutter::DrawingCutter;
use engine::error::InvalidInput;
pub(crate) use faults::are_side_by_side;
pub(crate) use line::{DrawingAlphabet, DrawnLine, RowKind, is_reserved};
pub(crate) use parse::parse;

/// Returns the fields of a record without a fault, given as its rows with one space between two
/// rows. Each grid has `side` rows of as many symbols, or of `side`² if its cells are candidates.
/// `expected` are the fields whose grids can follow the puzzle, apart from cages. Returns an error
/// if a symbol is not ASCII.
pub(crate) fn fields_of_record(
    record: &[u8],
    side: usize,
    expected: FieldSet,
) -> Result<RecordFields<'static>, InvalidInput> {
    if let Some(reason) = outside_ascii(record) {
        return Err(reason);
    }
    let mut rest = record;
    let mut grids = iter::from_fn(|| {
        let (grid, notation, after) = split_grid(rest, side)?;
        rest = after;
        Some((Cow::Owned(grid), notation))
    });
    let (puzzle, notation) = grids.next().unwrap_or_default();
    let mut symbols = grids.map(|(symbols, _)| symbols);
    Ok(RecordFields {
        puzzle,
        size: Some((side, notation)),
        regions: expected.regions.then(|| symbols.next()).flatten(),
        answer: symbols.next(),
        ..RecordFields::default()
    })
}

/// Returns the symbols of the first grid, and the rows after it; `None` if there are no rows.
fn split_grid(rows: &[u8], side: usize) -> Option<(Vec<u8>, CellNotation, &[u8])> {
    (!rows.is_empty()).then_some(())?;
    // Only candidates continue after N symbols.
    let (width, notation) = match rows.get(side) {
        None | Some(b' ') => (side, CellNotation::Digits),
        Some(_) => (side * side, CellNotation::Pencilmarks),
    };
    let (grid, after) = rows.split_at_checked(side * (width + 1)).unwrap_or((rows, b""));
    let mut symbols = Vec::with_capacity(side * width);
    grid.chunks(width + 1).for_each(|row| symbols.extend(&row[..width]));
    Some((symbols, notation, after))
}

pub(crate) fn rows_of_record(record: &[u8]) -> impl Iterator<Item = &[u8]> {
    record.split(|&byte| byte == b' ')
}
