//! Records: the parts of a source that are read one by one. Usually each line is one. The form of
//! the input can say otherwise: a CSV record or a drawn puzzle has several lines.

use std::ops::Range;

/// Bytes of the longest line that is read whole, without its end (LF or CRLF). A longer line is
/// overlong: its beginning is a chunk of its own. Cutters can set another limit.
pub const MAX_LINE: usize = 64 << 10;

/// Finds the records of one source. It is given the bytes of the source in order.
pub trait Cutter {
    /// Finds the whole records at the beginning of `bytes`, which continue the source where the
    /// last cut ended. If `ends` is true, no bytes follow. What is found must not depend on how the
    /// source is divided between calls.
    fn cut(&mut self, bytes: &[u8], ends: bool) -> Cut;

    fn max_record(&self) -> usize {
        MAX_LINE
    }
}

/// A cutter that another thread can go on with.
pub type BoxCutter = Box<dyn Cutter + Send>;

/// The beginning of a text, up to the end of a record, or up to text that belongs to none.
#[derive(Debug)]
pub struct Cut {
    /// The number of bytes that are cut off; 0 if more must be read.
    pub length: usize,
    /// The text of the records, if it is not that of the source.
    pub text: Option<Vec<u8>>,
    pub places: Places,
}

#[derive(Debug)]
pub enum Places {
    /// Each line is a record.
    Lines,
    Spans(Spans),
}

#[derive(Debug)]
pub struct Spans {
    pub spans: Vec<Span>,
    /// The number of lines of the source.
    pub lines: u64,
    pub numbering: Numbering,
}

/// Where the numbers of records come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Numbering {
    Records,
    /// The number of a record is that of its first line.
    Lines,
}

/// The place of a record in a text: the bytes `begin..end`, with the line end, if any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub begin: u32,
    pub end: u32,
    /// The number of lines from the beginning of the text to the record. Negative for a record that
    /// begins before the text that completes it.
    pub line: i64,
    /// The number of rows of each field, if the form divides fields into rows; otherwise 0.
    pub rows_per_field: u32,
    /// The reason why the record is invalid or is skipped, if its cutter has found one.
    pub fault: Option<Box<str>>,
    /// A remark about a record that its cutter has found to be unusual.
    pub remark: Option<Box<str>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The text of the record, with its line end, if any. Cutters can have changed it.
    pub bytes: &'a [u8],
    /// The number of the first line in the source, from 1.
    pub line: u64,
    /// Its number in the whole input, from 1, from which its seed follows.
    pub number: u64,
    /// The number of rows of each field, if the form divides fields into rows; otherwise 0.
    pub rows_per_field: usize,
    pub fault: Option<&'a str>,
    pub remark: Option<&'a str>,
}

#[derive(Clone, Debug)]
pub enum Records<'a> {
    /// Each line is a record.
    Lines {
        left: &'a [u8],
        line: u64,
        number: u64,
    },
    One(Option<Record<'a>>),
    Spans {
        spans: &'a Spans,
        /// The records that are left.
        left: Range<usize>,
        /// The text of the spans, and the numbers of its first line and of its first record.
        text: &'a [u8],
        line: u64,
        number: u64,
    },
}

impl<'a> Record<'a> {
    /// Returns a record about which its cutter says nothing.
    #[inline(always)]
    pub fn new(bytes: &'a [u8], line: u64, number: u64) -> Record<'a> {
        Record { bytes, line, number, rows_per_field: 0, fault: None, remark: None }
    }
}

impl Cut {
    /// Each line of the first `length` bytes is a record.
    pub fn lines(length: usize) -> Cut {
        Cut { length, text: None, places: Places::Lines }
    }

    pub fn nothing_yet() -> Cut {
        Cut::lines(0)
    }
}

impl Spans {
    /// Returns how many numbers the records use up.
    pub fn numbers(&self) -> u64 {
        match self.numbering {
            Numbering::Records => self.spans.len() as u64,
            Numbering::Lines => self.lines,
        }
    }
}

impl<'a> Records<'a> {
    /// Returns the next `LENGTH` bytes, if each line is a record and so many are left.
    #[inline(always)]
    pub fn peek<const LENGTH: usize>(&self) -> Option<&'a [u8; LENGTH]> {
        match self {
            Records::Lines { left, .. } => left.first_chunk(),
            _ => None,
        }
    }

    /// Takes the next line, whose length is given, or no record if they are not lines.
    #[inline(always)]
    pub fn take_line(&mut self, length: usize) -> Option<Record<'a>> {
        let Records::Lines { left, line, number } = self else { return None };
        let (bytes, after) = left.split_at(length);
        let record = Record::new(bytes, *line, *number);
        *left = after;
        *line += 1;
        *number += 1;
        Some(record)
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        match self {
            Records::Lines { left: [], .. } => None,
            Records::Lines { left, .. } => {
                let end = memchr::memchr(b'\n', left).map_or(left.len(), |end| end + 1);
                self.take_line(end)
            }
            Records::One(record) => record.take(),
            Records::Spans { spans, left, text, line, number } => {
                let index = left.next()?;
                let span = &spans.spans[index];
                let before = match spans.numbering {
                    Numbering::Records => index as i64,
                    Numbering::Lines => span.line,
                };
                Some(Record {
                    bytes: &text[span.begin as usize..span.end as usize],
                    line: line.wrapping_add_signed(span.line),
                    number: number.wrapping_add_signed(before),
                    rows_per_field: span.rows_per_field as usize,
                    fault: span.fault.as_deref(),
                    remark: span.remark.as_deref(),
                })
            }
        }
    }
}
