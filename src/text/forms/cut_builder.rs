//! Builds a cut from records that follow each other, with text between them that belongs to none.

use memchr::memchr_iter;

use crate::stream::records::{Cut, Numbering, Places, Span, Spans};

#[derive(Default)]
pub(super) struct CutBuilder {
    spans: Vec<Span>,
    /// The length of the text up to the end of the last record, and its number of line ends.
    pub length: usize,
    lines: u64,
}

impl CutBuilder {
    /// `bytes` is the whole text, here and in `add`.
    pub fn skip(&mut self, bytes: &[u8], end: usize) {
        self.lines += memchr_iter(b'\n', &bytes[self.length..end]).count() as u64;
        self.length = end;
    }

    /// Adds the record of this length that follows what was skipped or added last.
    pub fn add(&mut self, bytes: &[u8], length: usize) {
        self.add_with(bytes, length, None);
    }

    pub fn add_faulty(&mut self, bytes: &[u8], length: usize, fault: &str) {
        self.add_with(bytes, length, Some(fault.into()));
    }

    fn add_with(&mut self, bytes: &[u8], length: usize, fault: Option<Box<str>>) {
        let end = self.length + length;
        let begin = self.length as u32;
        let line = self.lines as i64;
        self.spans.push(Span { begin, end: end as u32, line, fault });
        self.skip(bytes, end);
    }

    pub fn finish(self, numbering: Numbering) -> Cut {
        let CutBuilder { spans, length, lines } = self;
        Cut { length, text: None, places: Places::Spans(Spans { spans, lines, numbering }) }
    }
}
