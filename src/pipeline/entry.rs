//! The entries of a task: what its records are.

use std::borrow::Cow;

use super::input_form::NamedFields;
use super::plain::PlainLine;
use super::question::Question;
use crate::stream::Task;
use crate::verdict::Status;

/// The entries are in input order, one per record.
pub(super) struct TaskEntries<'a> {
    pub task: &'a Task<'a>,
    pub entries: Vec<Entry<'a>>,
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
    pub kind: EntryKind<'a>,
}

// A task can have thousands of entries, and millions of lines a second are read, so an entry must
// be small.
const _: () = assert!(size_of::<Entry<'_>>() <= 40);

pub(super) enum EntryKind<'a> {
    /// A comment or a blank line. Copied to the output, except with `--select` and `--reject`.
    Copied,
    Header,
    Rejected(Box<Rejected<'a>>),
    Plain(PlainLine),
    Question(Box<Question<'a>>),
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
        TaskEntries { task, entries, field_hint: None }
    }

    pub fn number_to_solve(&self) -> usize {
        self.entries.iter().filter_map(Entry::place).count()
    }
}

impl<'a> Entry<'a> {
    /// The question of a plain line is made here.
    pub fn question(&self) -> Option<Cow<'_, Question<'a>>> {
        match &self.kind {
            EntryKind::Question(question) => Some(Cow::Borrowed(question)),
            EntryKind::Plain(plain) => Some(Cow::Owned(plain.question(self.line))),
            _ => None,
        }
    }

    /// Returns the index of its batch, and its index there, for a puzzle to solve or to shuffle.
    pub fn place(&self) -> Option<(usize, usize)> {
        let (batch, index) = match &self.kind {
            EntryKind::Question(question) => (question.batch, question.index?),
            EntryKind::Plain(plain) => (plain.batch, plain.index?),
            _ => return None,
        };
        Some((batch as usize, index as usize))
    }

    pub fn rejected(&self) -> Option<&Rejected<'a>> {
        match &self.kind {
            EntryKind::Rejected(rejected) => Some(rejected),
            _ => None,
        }
    }

    pub fn is_incorrect(&self) -> bool {
        let EntryKind::Question(question) = &self.kind else {
            return false;
        };
        question.checked.as_ref().is_some_and(|checked| checked.fault.is_some())
    }
}
