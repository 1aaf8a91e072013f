//! Recognises the form of a source by its first lines (`--input auto`).
//!
//! Whatever a source holds that looks like a puzzle, an answer or a rule is either read, or named in
//! a message with its place, and the exit status is 1 (unless `--require` allows it). A guess about
//! a form never turns a damaged record into another puzzle.
//!
//! So the form follows from what a source begins with, and not from whether its first record is
//! whole: that record can be the damaged one. In this order:
//!
//! * An object decides for JSON, also one within an array (`forms/json.rs`), and so do several grids in
//!   an array on one line.
//! * A header with a known name of the puzzle decides for CSV, unless the rows of a drawing follow
//!   (`forms/csv.rs`).
//! * A puzzle drawn over several lines or within other text decides for drawings.
//! * A line that begins with a puzzle, or has a puzzle and an answer, each of them possibly damaged,
//!   decides for lines (`forms/lines.rs`). Drawings are looked for before the first such line only.
//!
//! Without any of these within `MAX_BYTES`, the source is read as lines.

use super::forms::{Beginning, Recognition};
use super::options::Input;
use super::source_settings::SourceSettings;
use crate::stream::records::MAX_LINE;
use crate::text::record::without_mark;

/// A program can have pages of text before its puzzles.
const MAX_BYTES: usize = MAX_LINE;

/// Returns `None` if more must be read.
pub(super) fn detect(sources: &SourceSettings, bytes: &[u8], ends: bool) -> Option<Input> {
    let is_whole = ends || bytes.len() > MAX_BYTES;
    let ends = ends && bytes.len() <= MAX_BYTES;
    let read = &bytes[..bytes.len().min(MAX_BYTES)];
    let bytes = if ends { read } else { whole_lines(read) };
    let text = without_mark(read).trim_ascii_start();
    let beginning = Beginning::new(bytes, text, ends, is_whole);
    // The first that recognises the source is its form.
    for input in Input::ORDER {
        match input.form().recognizes(sources, &beginning) {
            Recognition::Yes => return Some(input),
            Recognition::ReadMore => return None,
            Recognition::No => {}
        }
    }
    None
}

fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)]
}
