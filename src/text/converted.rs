//! A stream whose records can have several lines, converted to one line for each record.
//! `forms/csv_records.rs` and `grid_input/` convert the text.

use std::io::{self, Read};
use std::time::Duration;

use memchr::memchr;

use crate::stream::source::{ByteStream, MAX_SIGNATURE, Stream, refuse_unreadable};

/// Converts text to lines.
pub(crate) trait Converter {
    /// Removes whole records from the beginning of `input`, and appends a line for each of them to
    /// `output`. If `has_ended` is true, no input follows. The lines must not depend on how the
    /// input is divided between calls.
    fn convert(&mut self, input: &mut Vec<u8>, has_ended: bool, output: &mut Vec<u8>);
}

/// The lines that a converter makes of a stream.
pub(crate) struct ConvertedStream<'a, C> {
    stream: ByteStream<'a>,
    converter: C,
    /// The bytes that are read but not yet converted.
    input: Vec<u8>,
    output: Vec<u8>,
    /// The number of bytes of `output` that have been returned.
    returned: usize,
    /// True once the beginning of the stream is known to be neither compressed nor UTF-16.
    is_text: bool,
    has_ended: bool,
}

impl<'a, C: Converter> ConvertedStream<'a, C> {
    pub fn new(stream: ByteStream<'a>, converter: C) -> ConvertedStream<'a, C> {
        ConvertedStream {
            stream,
            converter,
            input: Vec::new(),
            output: Vec::new(),
            returned: 0,
            is_text: false,
            has_ended: false,
        }
    }

    /// Moves the whole records of `input` to `output`, as lines.
    fn convert(&mut self) {
        if !self.is_text {
            // `refuse_unreadable` needs the first line or `MAX_SIGNATURE` bytes.
            let has_line = memchr(b'\n', &self.input).is_some();
            if !self.has_ended && !has_line && self.input.len() < MAX_SIGNATURE {
                return;
            }
            if refuse_unreadable(&self.input).is_err() {
                // These bytes are returned unchanged, so that `stream/tasks.rs` refuses them with
                // an error.
                self.has_ended = true;
                return self.output.append(&mut self.input);
            }
            self.is_text = true;
        }
        let (input, output) = (&mut self.input, &mut self.output);
        self.converter.convert(input, self.has_ended, output);
    }
}

impl<C: Converter> Read for ConvertedStream<'_, C> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.returned == self.output.len() {
            self.output.clear();
            self.returned = 0;
            if self.has_ended {
                return Ok(0);
            }
            // `buffer` gets the output below. Until then, it serves for the bytes of the stream.
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

impl<C: Converter> Stream for ConvertedStream<'_, C> {
    /// Returns true immediately if output is available. Otherwise, without a limit, waits for the
    /// stream and returns the result of this wait. With a limit, returns false immediately:
    /// readable bytes need not complete a record, so a read could wait beyond the limit.
    fn wait(&self, limit: Option<Duration>) -> bool {
        self.returned < self.output.len() || (limit.is_none() && self.stream.wait(None))
    }
}
