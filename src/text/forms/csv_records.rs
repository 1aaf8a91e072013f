//! CSV records over several lines: turns a stream of records into a stream with one line for each.
//!
//! ```text
//!     7,"first line            7,"first line\0nsecond line",5      \0n: a line end, \0z: a NUL
//!     second line",5     ->    \0c                                 \0c: no line, but counted as one
//!     8,x,6                    8,x,6
//! ```
//!
//! So messages name the first line of a record, and all lines after it keep their numbers. A quote
//! opens a field only at its beginning, and closes it only at its end. If no quote does that within
//! `MAX_LINE` bytes, the first line is a record by itself, and the next line begins another one.

use std::borrow::Cow;
use std::io::{self, Read};
use std::time::Duration;

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use crate::stream::chunks::MAX_LINE;
use crate::stream::source::{ByteStream, MAX_SIGNATURE, Stream, refuse_unreadable};
use crate::text::record::without_mark;

/// The line that follows a record for each line end within the record.
pub(crate) const CONTINUATION: &[u8] = b"\0c";

/// A stream of CSV with one line for each record.
pub(crate) struct RecordReader<'a> {
    stream: ByteStream<'a>,
    /// The bytes that are read but not yet converted. They begin with a record.
    input: Vec<u8>,
    output: Vec<u8>,
    /// The number of bytes of `output` that have been returned.
    returned: usize,
    /// True once the beginning of the stream is known to be neither compressed nor UTF-16.
    is_text: bool,
    /// True if `input` begins within an overlong line, which is passed on as it is.
    within_overlong: bool,
    has_ended: bool,
}

impl<'a> RecordReader<'a> {
    pub fn new(stream: ByteStream<'a>) -> RecordReader<'a> {
        RecordReader {
            stream,
            input: Vec::new(),
            output: Vec::new(),
            returned: 0,
            is_text: false,
            within_overlong: false,
            has_ended: false,
        }
    }

    /// Moves the whole records of `input` to `output`, and the beginning of an overlong line.
    fn convert(&mut self) {
        let has_line = memchr(b'\n', &self.input).is_some();
        if !self.is_text && (self.has_ended || has_line || self.input.len() >= MAX_SIGNATURE) {
            if refuse_unreadable(&self.input).is_err() {
                // These bytes are returned unchanged, so that `stream/tasks.rs` refuses them with
                // an error.
                self.has_ended = true;
                return self.output.append(&mut self.input);
            }
            self.is_text = true;
        }
        let mut done = 0;
        if self.within_overlong {
            done = memchr(b'\n', &self.input).map_or(self.input.len(), |end| end + 1);
            self.within_overlong = !self.input[..done].ends_with(b"\n");
            self.output.extend_from_slice(&self.input[..done]);
        }
        if memchr2(b'"', 0, &self.input[done..]).is_none() {
            let end = memrchr(b'\n', &self.input)
                .map_or(done, |end| end + 1)
                .max(done);
            self.output.extend_from_slice(&self.input[done..end]);
            done = end;
        }
        while let Some(length) = self.record_length(done) {
            let record = &self.input[done..done + length];
            done += length;
            let inner = record.strip_suffix(b"\n").unwrap_or(record);
            push_escaped(inner, &mut self.output);
            for _ in memchr_iter(b'\n', inner) {
                self.output.push(b'\n');
                self.output.extend_from_slice(CONTINUATION);
            }
            self.output.extend_from_slice(&record[inner.len()..]);
        }
        self.input.drain(..done);
        // More than a line of `MAX_LINE` bytes with its end is the beginning of an overlong line.
        if self.input.len() > MAX_LINE + 2 {
            self.within_overlong = true;
            self.output.append(&mut self.input);
        }
    }

    /// Returns the length of the record that begins at `start`, with its line end. `None` if its
    /// end has not been read yet, or if no record is left.
    fn record_length(&self, start: usize) -> Option<usize> {
        let bytes = &self.input[start..];
        let last = (self.has_ended && !bytes.is_empty()).then_some(bytes.len());
        // Whatever the sizes of the reads are, a quoted field ends within the longest line.
        let longest = &bytes[..bytes.len().min(MAX_LINE)];
        let is_complete = self.has_ended || bytes.len() > MAX_LINE;
        let mut at = 0;
        while let Some(found) = memchr2(b'"', b'\n', &bytes[at..]) {
            at += found + 1;
            if bytes[at - 1] == b'\n' {
                return Some(at);
            }
            let before = without_mark(&bytes[..at - 1]);
            if matches!(before.last(), None | Some(b',' | b';' | b'\t')) {
                let first_line = || memchr(b'\n', bytes).map(|end| end + 1).or(last);
                match longest.get(at..).and_then(end_of_quoted) {
                    Some(length) => at += length,
                    None if is_complete => return first_line(),
                    None => return None,
                }
                if !matches!(
                    bytes.get(at),
                    None | Some(b',' | b';' | b'\t' | b'\r' | b'\n')
                ) {
                    return first_line();
                }
            }
        }
        last
    }
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
        match byte {
            0 => text.push(if bytes.next() == Some(&b'n') {
                b'\n'
            } else {
                0
            }),
            byte => text.push(byte),
        }
    }
    Cow::Owned(text)
}

impl Read for RecordReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.returned == self.output.len() {
            self.output.clear();
            self.returned = 0;
            if self.has_ended {
                return Ok(0);
            }
            let count = self.stream.read(buffer)?;
            self.has_ended = count == 0;
            self.input.extend_from_slice(&buffer[..count]);
            self.convert();
        }
        let count = (&self.output[self.returned..]).read(buffer)?;
        self.returned += count;
        Ok(count)
    }
}

impl Stream for RecordReader<'_> {
    /// Returns true immediately if output is available. Otherwise, without a limit, waits for the
    /// stream and returns its answer. With a limit, returns false immediately: readable bytes need
    /// not complete a record, so a read could wait beyond the limit.
    fn wait(&self, limit: Option<Duration>) -> bool {
        self.returned < self.output.len() || (limit.is_none() && self.stream.wait(None))
    }
}
