//! The entries of a task: what its records are.

use std::borrow::Cow;

use super::batch::BoardIndex;
use super::forms::named::NamedFields;
use super::plain;
use super::question::{PuzzlePlace, Question};
use crate::stream::Task;
use crate::text::symbols::Case;
use engine::verdict::Status;

/// The entries are in input order, one per record.
pub(super) struct TaskEntries<'a> {
    pub task: &'a Task<'a>,
    pub entries: Vec<Entry<'a>>,
    records: Vec<ReadRecord<'a>>,
    /// The index of the first entry with an unused field that an option would read, and the hint.
    pub field_hint: Option<(usize, &'static str)>,
    /// Remarks about entries, which the run counts, by the indices of the entries.
    pub remarks: Vec<(usize, Cow<'a, str>)>,
}

pub(super) struct Entry<'a> {
    /// The record, without its line end and byte order mark. A rejected record keeps its byte order
    /// mark. A CSV header keeps both its line end and its byte order mark. Of an overlong line,
    /// only the beginning. For a drawn puzzle, the rows, separated by spaces.
    pub line: &'a [u8],
    /// The number of its first line in the source, from 1.
    pub line_number: u64,
    pub kind: EntryKind,
}

// Millions of lines a second are read, so an entry is small and owns nothing that must be dropped.
const _: () = assert!(size_of::<Entry<'_>>() <= 40 && !std::mem::needs_drop::<Entry<'_>>());

#[derive(Clone, Copy)]
pub(super) enum EntryKind {
    /// A comment or a blank line. Copied to the output, except with `--select` and `--reject`.
    Copied,
    Header,
    /// The header again, from another file that was joined with the first. It is not written.
    RepeatedHeader,
    Plain(PuzzlePlace),
    /// The index of the record, and the place of its puzzle unless it is rejected.
    Record(u32, Option<PuzzlePlace>),
}

/// A record, except a plain line.
pub(super) struct ReadRecord<'a> {
    named: NamedFields<'a>,
    pub question: Result<Question<'a>, Rejected>,
}

/// A record that is invalid, or whose processing an internal error ended.
pub(super) struct Rejected {
    /// `Invalid`, or `Unknown` after an internal error.
    pub status: Status,
    pub reason: String,
    /// Follows the reason in the message, but not in the column `reason`.
    pub hint: Option<String>,
    /// True if the record is an object without a key for the puzzle.
    pub lacks_key: bool,
}

impl Rejected {
    pub fn message(&self) -> String {
        match &self.hint {
            Some(hint) => format!("{} {hint}", self.reason),
            None => self.reason.clone(),
        }
    }
}

impl<'a> TaskEntries<'a> {
    pub fn new(task: &'a Task<'a>) -> TaskEntries<'a> {
        // The line of a 9x9 puzzle has 82 bytes.
        let entries = Vec::with_capacity(task.bytes.len() / 82 + 1);
        TaskEntries { task, entries, records: Vec::new(), field_hint: None, remarks: Vec::new() }
    }

    #[inline(always)]
    pub fn push(&mut self, line: &'a [u8], line_number: u64, kind: EntryKind) {
        self.entries.push(Entry { line, line_number, kind });
    }

    pub fn push_record(
        &mut self,
        line: &'a [u8],
        line_number: u64,
        named: NamedFields<'a>,
        question: Result<Question<'a>, Rejected>,
    ) {
        let place = question.as_ref().ok().map(|question| question.place);
        self.push(line, line_number, EntryKind::Record(self.records.len() as u32, place));
        self.records.push(ReadRecord { named, question });
    }

    pub fn number_to_solve(&self) -> usize {
        self.entries.iter().filter_map(Entry::place).count()
    }

    #[inline(always)]
    pub fn record(&self, entry: &Entry<'a>) -> Option<&ReadRecord<'a>> {
        match entry.kind {
            EntryKind::Record(index, _) => Some(&self.records[index as usize]),
            _ => None,
        }
    }

    pub fn named(&self, entry: &Entry<'a>) -> &NamedFields<'a> {
        self.record(entry).map_or(&NamedFields::None, |record| &record.named)
    }

    pub fn question(&self, entry: &Entry<'a>) -> Option<Cow<'_, Question<'a>>> {
        match entry.kind {
            EntryKind::Plain(place) => Some(Cow::Owned(plain::question(entry.line, place))),
            _ => self.record(entry)?.question.as_ref().ok().map(Cow::Borrowed),
        }
    }

    pub fn rejected(&self, entry: &Entry<'a>) -> Option<&Rejected> {
        self.record(entry)?.question.as_ref().err()
    }

    #[inline(always)]
    pub fn case(&self, entry: &Entry<'a>) -> Case {
        match self.record(entry) {
            Some(ReadRecord { question: Ok(question), .. }) => question.symbols.case,
            _ => Case::default(),
        }
    }
}

impl Entry<'_> {
    /// Returns the index of its batch, and its index there, for a puzzle to solve or to shuffle.
    #[inline(always)]
    pub fn place(&self) -> Option<(usize, usize)> {
        let (EntryKind::Plain(place) | EntryKind::Record(_, Some(place))) = self.kind else {
            return None;
        };
        match place.board {
            BoardIndex::Puzzle(index) => Some((place.batch as usize, index as usize)),
            BoardIndex::Checked(_) => None,
        }
    }
}
