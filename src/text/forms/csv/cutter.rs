//! Where CSV records end: at the first line end outside of quotes. So messages name the first line
//! of a record, and all lines after it keep their numbers.
//!
//! A quote opens a field only at its beginning. In a quoted field, the first quote that is not
//! doubled must be at the end of the field. A record of several lines must end within `MAX_RECORD`
//! bytes of its beginning, and none of its lines can be a record with a puzzle: a quote that is not
//! closed ends with the next quote, and would hide the puzzles between them. Otherwise the first
//! line is a record by itself, and the next line begins another one.
//!
//! `cat` joins files, so a source can have several headers. The first one again is no record.
//! The records after a header with other columns are invalid: with the first one, their solutions
//! could be read as puzzles.

use memchr::{memchr, memchr_iter, memchr2};

use super::header::CsvHeader;
use super::within::{HeaderWithin, has_puzzle, header_within};
use crate::stream::chunks::length_of_whole_lines;
use crate::stream::records::{Cut, Cutter, Numbering};
use crate::text::forms::cut_builder::CutBuilder;
use crate::text::header_names::HeaderNames;
use crate::text::record::{MAX_RECORD, trim, without_end, without_mark};

pub(crate) struct CsvCutter {
    names: HeaderNames,
    /// True if a field can hold any text, also lines that look like records.
    has_prose: bool,
    state: State,
}

enum State {
    /// Nothing has been cut.
    Beginning,
    /// `None` if the first line is no valid header: then no record is read.
    Records(Option<Box<CsvHeader>>),
    AfterOtherHeader,
}

/// The fault of a record that is the header again. Such records are skipped.
pub(crate) const REPEATED_HEADER: &str = "the header again";
const OTHER_HEADER: &str =
    "a header with other columns than the first; the records after it need a file of their own";
const AFTER_OTHER_HEADER: &str = "a record after a header with other columns than the first";

impl CsvCutter {
    pub fn new(names: HeaderNames, has_prose: bool) -> CsvCutter {
        CsvCutter { names, has_prose, state: State::Beginning }
    }
}

impl Cutter for CsvCutter {
    /// Stops before a line that is too long.
    fn cut(&mut self, bytes: &[u8], ends: bool) -> Cut {
        let whole_lines = &bytes[..length_of_whole_lines(bytes, MAX_RECORD)];
        // 0 unless these bytes begin with the header.
        let mut header_length = 0;
        if let State::Beginning = self.state {
            let Some(end) = memchr(b'\n', bytes) else {
                return Cut::lines(whole_lines.len());
            };
            self.state =
                State::Records(CsvHeader::parse(&bytes[..end], &self.names).ok().map(Box::new));
            header_length = end + 1;
        }
        // Without quotes, each line is a record. The last line of a source can lack its line end.
        let lines = if ends { bytes } else { whole_lines };
        let records = lines.get(header_length..).unwrap_or_default();
        if memchr(b'"', bytes).is_none() && !self.has_header(records) {
            return Cut::lines(whole_lines.len());
        }
        let mut cut = CutBuilder::default();
        while let Some(length) = record_length(&bytes[cut.length..], ends) {
            let record = &bytes[cut.length..cut.length + length];
            let length = self.length_without_records(record);
            let record = &record[..length];
            if without_end(record).len() > MAX_RECORD {
                break;
            }
            match self.fault(record) {
                Some(fault) if cut.length >= header_length => {
                    cut.add_faulty(bytes, length, fault);
                }
                _ => cut.add(bytes, length),
            }
        }
        cut.finish(Numbering::Lines)
    }

    fn max_record(&self) -> usize {
        MAX_RECORD
    }
}

impl CsvCutter {
    /// True if one of these lines is a header. True also if they follow one with other columns.
    fn has_header(&self, lines: &[u8]) -> bool {
        let mut begin = 0;
        match &self.state {
            State::Records(Some(header)) => {
                memchr_iter(b'\n', lines).chain([lines.len()]).any(|end| {
                    let line = &lines[begin..end];
                    begin = end + 1;
                    header_within(header, line, &self.names).is_some()
                })
            }
            State::AfterOtherHeader => true,
            _ => false,
        }
    }

    fn fault(&mut self, record: &[u8]) -> Option<&'static str> {
        match &self.state {
            State::Records(Some(header)) => match header_within(header, record, &self.names)? {
                HeaderWithin::Again => Some(REPEATED_HEADER),
                HeaderWithin::Other => {
                    self.state = State::AfterOtherHeader;
                    Some(OTHER_HEADER)
                }
            },
            State::AfterOtherHeader if !trim(without_end(record)).is_empty() => {
                Some(AFTER_OTHER_HEADER)
            }
            _ => None,
        }
    }

    /// Returns the length of the record, or that of its first line if another one is a record.
    fn length_without_records(&self, record: &[u8]) -> usize {
        let first = memchr(b'\n', record).map_or(record.len(), |end| end + 1);
        let mut others = record[first..].split(|&byte| byte == b'\n');
        match &self.state {
            State::Records(Some(header))
                if !self.has_prose && others.any(|line| has_puzzle(header, line)) =>
            {
                first
            }
            _ => record.len(),
        }
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
