//! Builds a cut from records that follow each other, with text between them that belongs to none.

use memchr::memchr_iter;

use crate::stream::records::{Cut, Numbering, Places, Span, Spans};

#[derive(Default)]
pub(super) struct CutBuilder {
    spans: Vec<Span>,
    /// The length of the text up to the end of the last record, and its number of line ends.
    pub length: usize,
    lines: u64,
    /// The text of the records, if it is not that of the source.
    text: Option<Vec<u8>>,
}

impl CutBuilder {
    /// The records have a text of their own.
    pub fn with_text() -> CutBuilder {
        CutBuilder { text: Some(Vec::new()), ..CutBuilder::default() }
    }

    /// `bytes` is the whole text, here and in `add`.
    pub fn skip(&mut self, bytes: &[u8], end: usize) {
        self.lines += memchr_iter(b'\n', &bytes[self.length..end]).count() as u64;
        self.length = end;
    }

    /// Adds the record of this length that follows what was skipped or added last.
    pub fn add(&mut self, bytes: &[u8], length: usize) {
        debug_assert!(length > 0, "the cutter would find this record again and again");
        self.add_with(bytes, length, None);
    }

    pub fn add_faulty(&mut self, bytes: &[u8], length: usize, fault: &str) {
        self.add_with(bytes, length, Some(fault.into()));
    }

    fn add_with(&mut self, bytes: &[u8], length: usize, fault: Option<Box<str>>) {
        let end = self.length + length;
        match self.text {
            Some(_) => self.add_text(&bytes[self.length..end], fault),
            None => self.add_span(self.length, end, fault),
        }
        self.skip(bytes, end);
    }

    /// Adds a record with this text, which takes no text of the source.
    pub fn add_text(&mut self, record: &[u8], fault: Option<Box<str>>) {
        let text = self.text.get_or_insert_default();
        let begin = text.len();
        text.extend_from_slice(record);
        let end = text.len();
        self.add_span(begin, end, fault);
    }

    fn add_span(&mut self, begin: usize, end: usize, fault: Option<Box<str>>) {
        let (begin, end, line) = (begin as u32, end as u32, self.lines as i64);
        self.spans.push(Span { begin, end, line, rows_per_field: 0, fault, remark: None });
    }

    pub fn finish(self, numbering: Numbering) -> Cut {
        let CutBuilder { spans, length, lines, text } = self;
        Cut { length, text, places: Places::Spans(Spans { spans, lines, numbering }) }
    }
}
