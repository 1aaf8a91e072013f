//! Where CSV records end: at the first line end outside of quotes. So messages name the first line
//! of a record, and all lines after it keep their numbers.
//!
//! A quote opens a field only at its beginning. In a quoted field, the first quote that is not
//! doubled must be at the end of the field. A record of several lines must end within `MAX_RECORD`
//! bytes of its beginning. Otherwise the first line is a record by itself, and the next line begins
//! another one.

use memchr::{memchr, memchr2};

use crate::stream::chunks::length_of_whole_lines;
use crate::stream::records::{Cut, Cutter, Numbering};
use crate::text::forms::cut_builder::CutBuilder;
use crate::text::record::{MAX_RECORD, without_end, without_mark};

pub(crate) struct CsvCutter;

impl Cutter for CsvCutter {
    /// Stops before a line that is too long.
    fn cut(&mut self, bytes: &[u8], ends: bool) -> Cut {
        // Without quotes, each line is a record.
        if memchr(b'"', bytes).is_none() {
            return Cut::lines(length_of_whole_lines(bytes, MAX_RECORD));
        }
        let mut cut = CutBuilder::default();
        while let Some(length) = record_length(&bytes[cut.length..], ends) {
            let record = &bytes[cut.length..cut.length + length];
            if without_end(record).len() > MAX_RECORD {
                break;
            }
            cut.add(bytes, length);
        }
        cut.finish(Numbering::Lines)
    }

    fn max_record(&self) -> usize {
        MAX_RECORD
    }
}

/// With its line end. Returns `None` if its end has not been read yet, or if no record is left.
fn record_length(bytes: &[u8], ends: bool) -> Option<usize> {
    // The last record of the input can lack its newline.
    let all = (ends && !bytes.is_empty()).then_some(bytes.len());
    // The result for faulty quotes: the first line is a record by itself.
    let first_line = || memchr(b'\n', bytes).map(|end| end + 1).or(all);
    // A record of several lines must end within these bytes, whatever the sizes of the reads are.
    let longest = &bytes[..bytes.len().min(MAX_RECORD)];
    let longest_is_read = ends || bytes.len() > MAX_RECORD;
    let mut at = 0;
    while let Some(distance) = memchr2(b'"', b'\n', &bytes[at..]) {
        let found = at + distance;
        at = found + 1;
        if bytes[found] == b'\n' {
            return if at > MAX_RECORD { first_line() } else { Some(at) };
        }
        let before = without_mark(&bytes[..found]);
        let opens_field = matches!(before.last(), None | Some(b',' | b';' | b'\t'));
        if !opens_field {
            continue;
        }
        match longest.get(at..).and_then(end_of_quoted) {
            Some(length) => at += length,
            None if longest_is_read => return first_line(),
            None => return None,
        }
        // Without a next byte, the loop ends: the record ends with the input or is incomplete.
        let after = bytes.get(at);
        let closes_field = matches!(after, None | Some(b',' | b';' | b'\t' | b'\r' | b'\n'));
        if !closes_field {
            return first_line();
        }
    }
    if bytes.len() > MAX_RECORD + 2 { memchr(b'\n', bytes).map(|end| end + 1) } else { all }
}

/// Returns the index after the closing quote, in the text after the opening one.
fn end_of_quoted(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr(b'"', &text[at..])? + 1;
        match text.get(at) {
            Some(b'"') => at += 1,
            _ => return Some(at),
        }
    }
}
