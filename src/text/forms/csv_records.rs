//! CSV records over several lines: turns a stream of records into a stream with one line for each.
//!
//! ```text
//!     7,"first line            7,"first line\0nsecond line",5      \0n: a line end, \0z: a NUL
//!     second line",5     ->    \0c                                 \0c: skipped, but counted
//!     8,x,6                    8,x,6
//! ```
//!
//! So messages name the first line of a record, and all lines after it keep their numbers. A quote
//! opens a field only at its beginning. In a quoted field, the first quote that is not doubled must
//! be at the end of the field, and within `MAX_LINE` bytes of the beginning of the record.
//! Otherwise the first line is a record by itself, and the next line begins another one.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use crate::stream::chunks::MAX_LINE;
use crate::text::converted::Converter;
use crate::text::record::without_mark;

/// The line that follows a record for each line end within the record.
pub(crate) const CONTINUATION: &[u8] = b"\0c";

/// Converts CSV to one line for each record.
#[derive(Default)]
pub(crate) struct CsvConverter {
    /// True if the input begins within an overlong line, which is passed on as it is.
    within_overlong: bool,
}

impl Converter for CsvConverter {
    /// Moves the whole records of `input` to `output`, as lines. Also moves the beginning of an
    /// overlong line, unchanged.
    fn convert(&mut self, input: &mut Vec<u8>, has_ended: bool, output: &mut Vec<u8>) {
        let mut done = 0;
        if self.within_overlong {
            done = memchr(b'\n', input).map_or(input.len(), |end| end + 1);
            self.within_overlong = !input[..done].ends_with(b"\n");
            output.extend_from_slice(&input[..done]);
        }
        // Without quotes, each line is a record, and without NULs, it needs no escapes.
        if memchr2(b'"', 0, &input[done..]).is_none() {
            let length = memrchr(b'\n', &input[done..]).map_or(0, |end| end + 1);
            output.extend_from_slice(&input[done..done + length]);
            done += length;
        }
        while let Some(length) = record_length(&input[done..], has_ended) {
            let record = &input[done..done + length];
            done += length;
            let inner = record.strip_suffix(b"\n").unwrap_or(record);
            push_escaped(inner, output);
            for _ in memchr_iter(b'\n', inner) {
                output.push(b'\n');
                output.extend_from_slice(CONTINUATION);
            }
            output.extend_from_slice(&record[inner.len()..]);
        }
        input.drain(..done);
        // The rest is an incomplete record. If it is longer than a line of `MAX_LINE` bytes with
        // its line end, it is the beginning of an overlong line.
        if input.len() > MAX_LINE + 2 {
            self.within_overlong = true;
            output.append(input);
        }
    }
}

/// Returns the length of the record with which the input begins, with its line end. Returns `None`
/// if the end of the record has not been read yet, or if no record is left.
fn record_length(bytes: &[u8], has_ended: bool) -> Option<usize> {
    // The last record of the input can lack its newline.
    let all = (has_ended && !bytes.is_empty()).then_some(bytes.len());
    // The result for faulty quotes: the first line is a record by itself.
    let first_line = || memchr(b'\n', bytes).map(|end| end + 1).or(all);
    // A quoted field must end within these bytes, whatever the sizes of the reads are.
    let longest = &bytes[..bytes.len().min(MAX_LINE)];
    let longest_is_read = has_ended || bytes.len() > MAX_LINE;
    // Searches the first newline outside of quoted fields, which ends the record.
    let mut at = 0;
    while let Some(distance) = memchr2(b'"', b'\n', &bytes[at..]) {
        let found = at + distance;
        at = found + 1;
        if bytes[found] == b'\n' {
            return Some(at);
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
    all
}

/// Returns the index after the quote that closes a field, in the text after its opening quote.
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

/// Appends a record without its line end, and with escapes for line ends and NULs.
fn push_escaped(record: &[u8], output: &mut Vec<u8>) {
    let mut unread = record;
    while let Some(at) = memchr2(b'\n', 0, unread) {
        output.extend_from_slice(&unread[..at]);
        output.extend_from_slice(if unread[at] == b'\n' { b"\0n" } else { b"\0z" });
        unread = &unread[at + 1..];
    }
    output.extend_from_slice(unread);
}

/// Returns a part of a record with its line ends and NULs.
pub(crate) fn unescaped(part: &[u8]) -> Cow<'_, [u8]> {
    if memchr(0, part).is_none() {
        return Cow::Borrowed(part);
    }
    let mut text = Vec::with_capacity(part.len());
    let mut bytes = part.iter();
    while let Some(&byte) = bytes.next() {
        // A NUL and the letter after it stand for a line end (`\0n`) or a NUL (`\0z`).
        let is_line_end = byte == 0 && bytes.next() == Some(&b'n');
        text.push(if is_line_end { b'\n' } else { byte });
    }
    Cow::Owned(text)
}
