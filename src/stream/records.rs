//! Records: the parts of a source that are read one by one. Usually each line is one. The form of
//! the input can say otherwise: a CSV record or a drawn puzzle has several lines.

use super::chunks::MAX_LINE;
use super::{Places, Task};

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
#[derive(Debug, Default)]
pub struct Cut {
    /// The number of bytes that are cut off; 0 if more must be read.
    pub length: usize,
    /// The text of the records, if it is not that of the source.
    pub text: Option<Vec<u8>>,
    pub records: Marks,
}

#[derive(Debug, Default)]
pub enum Marks {
    /// Each line is a record.
    #[default]
    Lines,
    Spans {
        spans: Vec<Span>,
        /// The number of lines of the source.
        lines: i64,
        /// True if records are numbered by themselves, false if by their lines.
        are_counted: bool,
    },
}

impl Marks {
    /// Returns `None` if each line is a record.
    pub fn spans(&self) -> Option<&[Span]> {
        match self {
            Marks::Lines => None,
            Marks::Spans { spans, .. } => Some(spans),
        }
    }
}

/// The place of a record in a text: the bytes `begin..end`, with the line end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    pub begin: u32,
    pub end: u32,
    /// The number of lines from the beginning of the text to the record. Negative for a record that
    /// begins before the text that completes it.
    pub line: i64,
    /// The reason why the record is invalid, if its cutter has found one.
    pub fault: Option<Box<str>>,
}

#[derive(Clone, Copy, Debug)]
pub struct Record<'a> {
    /// The text of the record, as it is in the source, with its line end.
    pub bytes: &'a [u8],
    /// The number of the first line in the source, from 1.
    pub line: u64,
    /// Its number in the whole input, from 1, from which its seed follows.
    pub number: u64,
    /// The reason why it is invalid, if its cutter has found one.
    pub fault: Option<&'a str>,
}

pub struct Records<'a> {
    text: &'a [u8],
    /// The text from the next record on. Unused with `Places::Spans`.
    left: &'a [u8],
    /// The number of the next line and of the next record. With `Places::Spans`, those of the
    /// chunk.
    line: u64,
    number: u64,
    taken: usize,
    places: Places<'a>,
}

impl<'a> Records<'a> {
    pub(super) fn new(task: &Task<'a>) -> Records<'a> {
        Records {
            text: task.bytes,
            left: task.bytes,
            line: task.first_line,
            number: task.first_number,
            taken: 0,
            places: task.places,
        }
    }

    /// Returns the next `LENGTH` bytes, if each line is a record and so many are left.
    #[inline(always)]
    pub fn peek<const LENGTH: usize>(&self) -> Option<&'a [u8; LENGTH]> {
        let are_lines = matches!(self.places, Places::Lines);
        self.left.first_chunk().filter(|_| are_lines)
    }

    /// Takes the next line, whose length is given. Each line must be a record.
    #[inline(always)]
    pub fn take_line(&mut self, length: usize) -> Record<'a> {
        debug_assert!(matches!(self.places, Places::Lines));
        let (bytes, left) = self.left.split_at(length);
        let record = Record { bytes, line: self.line, number: self.number, fault: None };
        self.left = left;
        self.line += 1;
        self.number += 1;
        record
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Record<'a>;

    fn next(&mut self) -> Option<Record<'a>> {
        match self.places {
            Places::Spans { spans, before: (bytes, records), are_counted } => {
                let span = spans.get(self.taken)?;
                let after = if are_counted { (records + self.taken) as i64 } else { span.line };
                self.taken += 1;
                Some(Record {
                    bytes: &self.text[span.begin as usize - bytes..span.end as usize - bytes],
                    line: (self.line as i64 + span.line) as u64,
                    number: (self.number as i64 + after) as u64,
                    fault: span.fault.as_deref(),
                })
            }
            Places::One { fault } => {
                self.places = Places::Lines;
                Some(Record { fault, ..self.take_line(self.left.len()) })
            }
            Places::Lines if self.left.is_empty() => None,
            Places::Lines => {
                let end = memchr::memchr(b'\n', self.left).map_or(self.left.len(), |end| end + 1);
                Some(self.take_line(end))
            }
        }
    }
}
