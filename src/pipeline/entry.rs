//! The entries of a task: what its records are.

use std::borrow::Cow;

use super::input_form::NamedFields;
use super::plain;
use super::question::{PuzzlePlace, Question};
use crate::stream::Task;
use crate::text::symbols::Case;
use crate::verdict::Status;

/// The entries are in input order, one per record.
pub(super) struct TaskEntries<'a> {
    pub task: &'a Task<'a>,
    pub entries: Vec<Entry<'a>>,
    rejected: Vec<Rejected<'a>>,
    questions: Vec<Question<'a>>,
    /// The index of the first entry with an unused field that another option would read, and the
    /// hint about it.
    pub field_hint: Option<(usize, &'static str)>,
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

// A task can have thousands of entries, and millions of lines a second are read, so an entry must
// be small. It owns nothing, so dropping the entries takes no time.
const _: () = assert!(size_of::<Entry<'_>>() <= 40 && !std::mem::needs_drop::<Entry<'_>>());

#[derive(Clone, Copy)]
pub(super) enum EntryKind {
    /// A comment or a blank line. Copied to the output, except with `--select` and `--reject`.
    Copied,
    Header,
    /// The index of its rejection.
    Rejected(u32),
    Plain(PuzzlePlace),
    /// The index of its question.
    Question(u32, PuzzlePlace),
}

/// A record that is invalid, or whose processing an internal error ended.
pub(super) struct Rejected<'a> {
    /// `Invalid`, or `Unknown` after an internal error.
    pub status: Status,
    pub reason: String,
    /// Follows the reason in the message, but not in the column `reason`.
    pub hint: Option<String>,
    /// True if the record is an object without a key for the puzzle.
    pub lacks_key: bool,
    pub named: NamedFields<'a>,
}

impl Rejected<'_> {
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
        let (rejected, questions) = (Vec::new(), Vec::new());
        TaskEntries { task, entries, rejected, questions, field_hint: None }
    }

    #[inline(always)]
    pub fn push(&mut self, line: &'a [u8], line_number: u64, kind: EntryKind) {
        self.entries.push(Entry { line, line_number, kind });
    }

    pub fn push_rejected(&mut self, line: &'a [u8], line_number: u64, rejected: Rejected<'a>) {
        self.push(line, line_number, EntryKind::Rejected(self.rejected.len() as u32));
        self.rejected.push(rejected);
    }

    pub fn push_question(&mut self, line: &'a [u8], line_number: u64, question: Question<'a>) {
        let kind = EntryKind::Question(self.questions.len() as u32, question.place);
        self.push(line, line_number, kind);
        self.questions.push(question);
    }

    pub fn number_to_solve(&self) -> usize {
        self.entries.iter().filter_map(Entry::place).count()
    }

    /// The question of a plain line is made here.
    pub fn question(&self, entry: &Entry<'a>) -> Option<Cow<'_, Question<'a>>> {
        match entry.kind {
            EntryKind::Question(index, _) => Some(Cow::Borrowed(&self.questions[index as usize])),
            EntryKind::Plain(place) => Some(Cow::Owned(plain::question(entry.line, place))),
            _ => None,
        }
    }

    pub fn rejected(&self, entry: &Entry<'a>) -> Option<&Rejected<'a>> {
        match entry.kind {
            EntryKind::Rejected(index) => Some(&self.rejected[index as usize]),
            _ => None,
        }
    }

    pub fn case(&self, entry: &Entry<'a>) -> Case {
        match entry.kind {
            EntryKind::Question(index, _) => self.questions[index as usize].case,
            _ => Case::default(),
        }
    }

    pub fn is_incorrect(&self, entry: &Entry<'a>) -> bool {
        let EntryKind::Question(index, _) = entry.kind else {
            return false;
        };
        let checked = &self.questions[index as usize].checked;
        checked.as_ref().is_some_and(|checked| checked.fault.is_some())
    }
}

impl Entry<'_> {
    /// Returns the index of its batch, and its index there, for a puzzle to solve or to shuffle.
    #[inline(always)]
    pub fn place(&self) -> Option<(usize, usize)> {
        let (EntryKind::Plain(place) | EntryKind::Question(_, place)) = self.kind else {
            return None;
        };
        Some((place.batch as usize, place.index? as usize))
    }
}
