//! The entries of a task: what its records are.

use std::borrow::Cow;
use std::sync::Arc;

use super::batch::Batches;
use super::input_form::NamedFields;
use super::plain::PlainLine;
use super::rulesets::Ruleset;
use crate::stream::Task;
use crate::text::record::RecordFields;
use crate::text::symbols::{Alphabet, Case};
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

/// What a record asks: a puzzle with its rules, and with `--verify` an answer.
#[derive(Clone)]
pub(super) struct Question<'a> {
    /// The puzzle, the layout, the cages and the answer have lost the notations that
    /// `decode::decode` decodes.
    pub fields: RecordFields<'a>,
    pub named: NamedFields<'a>,
    pub is_described: bool,
    pub case: Case,
    /// The case of the answer, with `--verify` and `--shuffle`.
    pub answer_case: Case,
    pub batch: u32,
    /// Set if the rules include the layout or the cages of the record. Otherwise the batch has
    /// them.
    pub own_rules: Option<Arc<Ruleset>>,
    /// The index in the batch of a puzzle to solve or to shuffle. `None` if only the answer had to
    /// be checked.
    pub index: Option<u32>,
    /// The number of givens of a puzzle without index, if a column shows it; otherwise 0.
    pub number_of_givens: u32,
    /// Set with `--verify`.
    pub checked: Option<CheckedAnswer>,
}

#[derive(Clone, Default)]
pub(super) struct CheckedAnswer {
    /// The digits, 0 for a blank cell. Empty for a plain line.
    pub digits: Vec<u8>,
    pub fault: Option<String>,
    /// The result of `count_conflicts` for an incorrect answer, if a column shows it; otherwise 0.
    pub conflicts: usize,
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

impl<'a> Question<'a> {
    /// The digits of the puzzle change from `old` to `new`.
    pub fn with_digits(&self, old: &[u8], new: &[u8], alphabet: &Alphabet) -> Question<'a> {
        let mut question = self.clone();
        let blank = alphabet.blank_of(&self.fields.puzzle);
        let text = question.fields.puzzle.to_mut();
        for (cell, (&old, &new)) in old.iter().zip(new).enumerate() {
            match new {
                _ if new == old => {}
                0 => text[cell] = blank,
                digit => text[cell] = alphabet.symbol(digit, self.case) as u8,
            }
        }
        question
    }

    pub fn ruleset<'r>(&'r self, batches: &'r Batches<'_>) -> &'r Arc<Ruleset> {
        batches.ruleset_of(self.batch as usize, self.own_rules.as_ref())
    }
}
