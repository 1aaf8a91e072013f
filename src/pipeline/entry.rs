//! The entries of a task: the values that its lines are read into.

use std::borrow::Cow;
use std::sync::Arc;

use super::rulesets::Ruleset;
use crate::stream::Task;
use crate::text::record::RecordFields;
use crate::text::symbols::Case;
use crate::verdict::Status;

/// The entries of a task, one per line, in input order.
pub(super) struct TaskEntries<'a> {
    /// The lines and their source.
    pub task: &'a Task<'a>,
    pub entries: Vec<Entry<'a>>,
    /// The number of the line with the first row of each drawn puzzle. `None` for other input,
    /// whose lines are numbered consecutively.
    pub numbers: Option<Vec<u64>>,
    /// The fields that entries keep.
    pub kept: Vec<ExtraFields<'a>>,
    /// The reasons why entries are rejected or their answers incorrect.
    reasons: Vec<String>,
    /// The index of the first entry with an unused field that another option would read, and the
    /// hint about it.
    pub field_hint: Option<(usize, &'static str)>,
}

/// One line. Entries that the fast path reads own no memory: their grids are part of the line.
pub(super) struct Entry<'a> {
    /// The line, without its line end and byte order mark. A rejected line keeps its byte order
    /// mark. A CSV header keeps both its line end and its byte order mark. Of an overlong line,
    /// only the beginning. For a drawn puzzle, the rows, separated by spaces.
    pub line: &'a [u8],
    /// The symbols of the puzzle, or with `--verify` those of the answer. For a comment, a blank
    /// line, a header or a rejected line, the same as `line`.
    pub shown: Cow<'a, [u8]>,
    /// The case of the letters that are digits of the puzzle.
    pub case: Case,
    pub state: EntryState,
    /// The index in [`TaskEntries::kept`] of the fields other than `shown`. `None` if
    /// `Settings::keeps_fields` is false, for a comment, a blank line, a header or a rejected line,
    /// and for a puzzle that `read_fast_puzzle` reads.
    pub kept: Option<u32>,
}

// A task can have thousands of entries, and millions of lines a second are read, so an entry must
// be small.
const _: () = assert!(size_of::<Entry<'_>>() <= 64);

/// The state of an entry before any puzzle is solved.
#[derive(Clone, Copy)]
pub(super) enum EntryState {
    /// A comment or a blank line. Copied to the output, except with `--select` and `--reject`.
    Copied,
    /// The header of CSV.
    Header,
    /// A further line of the CSV record before it. Nothing is written for it.
    Continuation,
    /// The line is invalid, or an internal error ended its processing.
    Rejected {
        /// `Invalid`, or `Unknown` after an internal error.
        status: Status,
        /// An index into the reasons of the task.
        reason: u32,
    },
    /// The answer has been checked, and the puzzle is not solved.
    Checked {
        /// An index into the reasons of the task if the answer is incorrect, otherwise `None`.
        reason: Option<u32>,
    },
    /// A puzzle to solve or to shuffle: the index of its batch, and its index in the batch.
    ToSolve { batch: u32, index: u32 },
}

/// The fields of an entry that few columns show, and what is known about its answer. The field that
/// [`Entry::shown`] holds is moved there, so it is empty or `None` here.
#[derive(Default)]
pub(super) struct ExtraFields<'a> {
    pub fields: RecordFields<'a>,
    /// True if the puzzle field describes its rules.
    pub is_described: bool,
    /// With `--verify`, the digits of the answer, 0 for a blank cell. Empty in other modes and on
    /// the fast path.
    pub answer: Vec<u8>,
    pub answer_case: Case,
    /// The reason why the answer is incorrect, as an index into the reasons of the task; otherwise
    /// `None`. If the puzzle is not solved, [`EntryState::Checked`] holds the same value.
    pub fault: Option<u32>,
    /// The result of `count_conflicts` for an incorrect answer, if a column shows it; otherwise 0.
    pub conflicts: usize,
    /// The rules of the puzzle, if its answer has been checked and it is not solved. Otherwise its
    /// batch has them.
    pub ruleset: Option<Arc<Ruleset>>,
    /// The number of givens of the puzzle, if `ruleset` is set; otherwise 0.
    pub number_of_givens: usize,
}

impl<'a> TaskEntries<'a> {
    /// Returns an empty list of the entries of a task, which are drawn puzzles if `are_drawn`.
    pub fn new(task: &'a Task<'a>, are_drawn: bool) -> TaskEntries<'a> {
        TaskEntries {
            task,
            // The line of a 9x9 puzzle has 82 bytes.
            entries: Vec::with_capacity(task.lines.len() / 82 + 1),
            numbers: are_drawn.then(Vec::new),
            kept: Vec::new(),
            reasons: Vec::new(),
            field_hint: None,
        }
    }

    /// Adds an entry that shows the line itself.
    pub fn push_line(&mut self, line: &'a [u8], state: EntryState) {
        self.entries.push(Entry {
            line,
            shown: Cow::Borrowed(line),
            case: Case::default(),
            state,
            kept: None,
        });
    }

    /// Stores the fields that an entry keeps, and returns their index.
    pub fn keep(&mut self, kept: ExtraFields<'a>) -> u32 {
        self.kept.push(kept);
        self.kept.len() as u32 - 1
    }

    /// Stores a reason, and returns its index.
    pub fn add_reason(&mut self, reason: String) -> u32 {
        self.reasons.push(reason);
        self.reasons.len() as u32 - 1
    }

    /// Returns the reason why an entry is rejected or its answer incorrect; otherwise `None`.
    pub fn reason_of(&self, entry: &Entry<'a>) -> Option<&str> {
        let reason = match entry.state {
            EntryState::Rejected { reason, .. } => Some(reason),
            EntryState::Checked { reason } => reason,
            EntryState::ToSolve { .. } => self.kept_of(entry).and_then(|kept| kept.fault),
            EntryState::Copied | EntryState::Header | EntryState::Continuation => None,
        };
        reason.map(|reason| &*self.reasons[reason as usize])
    }

    /// Returns the fields that an entry keeps, or `None` if it keeps none.
    pub fn kept_of(&self, entry: &Entry<'a>) -> Option<&ExtraFields<'a>> {
        Some(&self.kept[entry.kept? as usize])
    }

    /// Returns the number of puzzles to solve or to shuffle.
    pub fn number_to_solve(&self) -> usize {
        let is_to_solve = |entry: &&Entry<'_>| matches!(entry.state, EntryState::ToSolve { .. });
        self.entries.iter().filter(is_to_solve).count()
    }

    /// Returns the number of an entry's line in its source, from 1. For a drawn puzzle, the line is
    /// that of its first row.
    pub fn number(&self, index: usize) -> u64 {
        match &self.numbers {
            None => self.task.first_line + index as u64,
            Some(numbers) => numbers[index],
        }
    }
}

impl Entry<'_> {
    /// Returns true if the line is invalid, or an internal error ended its processing.
    pub fn is_rejected(&self) -> bool {
        matches!(self.state, EntryState::Rejected { .. })
    }
}
