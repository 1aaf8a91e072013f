//! The modes, and a table with a row for each: what is particular to it. All other files ask for the
//! properties of a mode; only `mod.rs`, which runs it, asks which mode it is.

use crate::text::columns::Column;
use crate::text::size::CellNotation;
use engine::error::BoxError;
use engine::puzzle::Givens;
use engine::rules::{Place, a_puzzle, pluralize};
use engine::verdict::Status;

/// The operation on each line.
///
/// ```
/// use sudoku_filter::{Column, Mode};
///
/// assert_eq!(Mode::default(), Mode::Solve);
/// assert_eq!(Mode::All(100).columns(), [Column::Solution, Column::Status]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mode {
    /// Solves the puzzle. Writes a solution, or the puzzle if the status is `none` or `unknown`,
    /// and the status.
    #[default]
    Solve,
    /// Checks the answer to the puzzle.
    Verify {
        /// True if the answer must be the only solution.
        unique: bool,
    },
    /// Writes the puzzle. If it has exactly one solution, this cell is filled in.
    Reveal(Place),
    /// Removes givens while the solution stays unique, and writes the puzzle that is left. A puzzle
    /// that does not have exactly one solution keeps its givens.
    Minimize,
    /// Writes all solutions, up to this number. Writes the puzzle itself if it has none, and after
    /// the solutions if a limit of guesses or time ended the search.
    All(u64),
    /// Writes this number of random equivalents of the puzzle, and of its layout, cages and answer.
    /// Solves nothing.
    Shuffle(u64),
    /// Writes every puzzle with one solution that has this number of givens more. Writes the puzzle
    /// itself if it has not several solutions, or if there is no such puzzle.
    Add(usize),
    /// Writes every puzzle with this number of givens fewer.
    Remove(usize),
    /// Writes this number of new puzzles that have the givens of the line: what minimization in a
    /// random order leaves of random solutions.
    Make(u64),
}

/// A row of the table of modes.
#[derive(Debug)]
pub struct ModeRow {
    /// The option that selects the mode; empty for the default.
    pub option: &'static str,
    /// The default columns of an output line.
    pub columns: &'static [Column],
    /// The default columns of [`Output::Page`](super::Output::Page).
    pub page_columns: &'static [Column],
    /// The statuses that an output line can have, in the order of `--summary`. `ambiguous` also
    /// needs `--unique`.
    pub statuses: &'static [Status],
    /// The output lines of a record.
    pub lines: RecordLines,
    /// The change of the givens of a puzzle.
    pub givens: GivensChange,
    /// The use of the answer of a record.
    pub answer: AnswerUse,
    /// The options that need this mode, or another one that lists them.
    pub options: &'static [&'static str],
    /// The options that cannot be used with this mode, each with the message that says so.
    pub conflicts: &'static [(&'static str, &'static str)],
}

/// The output lines of a record with a valid puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordLines {
    /// One line.
    One,
    /// A line for each solution.
    Solutions,
    /// A line for each random equivalent. No puzzle is solved.
    Equivalents,
    /// A line for each new puzzle with a certain number of givens more or fewer.
    Vicinity,
    /// A line for each new puzzle of a certain number. They are chosen from random candidates.
    Candidates,
}

/// The way in which the puzzle of an output line differs from that of its record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GivensChange {
    /// It has the same givens.
    None,
    /// The cell of [`Mode::Reveal`] is filled in.
    Filled,
    /// It has more givens.
    Added,
    /// It has fewer givens.
    Removed,
}

/// The use of the answer of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerUse {
    /// None: it is a field as any other.
    Copied,
    /// It is checked, so every record needs one.
    Checked,
    /// It changes as its puzzle does. A record can have none.
    Transformed,
}

/// The statuses of a search.
const SEARCHED: &[Status] =
    &[Status::Unique, Status::Multiple, Status::None, Status::Unknown, Status::Invalid];
const FOUND: &[Column] = &[Column::Solution, Column::Status];
const WRITTEN: &[Column] = &[Column::Puzzle, Column::Status];
const WITH_SOLUTION: &[Column] = &[Column::Puzzle, Column::Solution, Column::Status];

const SOLVE: ModeRow = ModeRow {
    option: "",
    columns: FOUND,
    page_columns: WITH_SOLUTION,
    statuses: SEARCHED,
    lines: RecordLines::One,
    givens: GivensChange::None,
    answer: AnswerUse::Copied,
    options: &[],
    conflicts: &[],
};

const VERIFY: ModeRow = ModeRow {
    option: "--verify",
    columns: &[Column::Answer, Column::Status, Column::Reason],
    page_columns: &[Column::Answer, Column::Status, Column::Reason],
    statuses: &[
        Status::Correct,
        Status::Incorrect,
        Status::Ambiguous,
        Status::Unknown,
        Status::Invalid,
    ],
    answer: AnswerUse::Checked,
    options: &["--unique"],
    conflicts: &[("--random", "--random and --verify cannot be used together")],
    ..SOLVE
};

const REVEAL: ModeRow = ModeRow {
    option: "--reveal",
    columns: WRITTEN,
    page_columns: WRITTEN,
    statuses: &[
        Status::Unique,
        Status::Given,
        Status::Multiple,
        Status::None,
        Status::Unknown,
        Status::Invalid,
    ],
    givens: GivensChange::Filled,
    conflicts: &[("--lenient", "--lenient and --reveal cannot be used together")],
    ..SOLVE
};

const MINIMIZE: ModeRow = ModeRow {
    option: "--minimize",
    columns: WRITTEN,
    page_columns: WRITTEN,
    givens: GivensChange::Removed,
    options: &["--givens", "--exact", "--symmetry"],
    conflicts: &[("--lenient", "--lenient and --minimize cannot be used together")],
    ..SOLVE
};

const ALL: ModeRow = ModeRow {
    option: "--all",
    page_columns: FOUND,
    lines: RecordLines::Solutions,
    conflicts: &[
        ("--lenient", "--lenient and --all cannot be used together"),
        ("--count", "--all and --count cannot be used together; --all=N writes up to N solutions"),
    ],
    ..SOLVE
};

const SHUFFLE: ModeRow = ModeRow {
    option: "--shuffle",
    // Without the status, so that output lines have the fields of input lines.
    columns: &[Column::Puzzle],
    page_columns: &[Column::Puzzle],
    statuses: &[Status::Shuffled, Status::Unknown, Status::Invalid],
    lines: RecordLines::Equivalents,
    answer: AnswerUse::Transformed,
    conflicts: &[
        ("--lenient", "--lenient and --shuffle cannot be used together"),
        ("--count", "--count cannot be used with --shuffle, which does not solve puzzles"),
    ],
    ..SOLVE
};

const ADD: ModeRow = ModeRow {
    option: "--add",
    columns: WRITTEN,
    page_columns: WRITTEN,
    lines: RecordLines::Vicinity,
    givens: GivensChange::Added,
    options: &["--max"],
    conflicts: &[("--lenient", "--lenient and --add cannot be used together")],
    ..SOLVE
};

const REMOVE: ModeRow = ModeRow {
    option: "--remove",
    givens: GivensChange::Removed,
    conflicts: &[("--lenient", "--lenient and --remove cannot be used together")],
    ..ADD
};

const MAKE: ModeRow = ModeRow {
    option: "--make",
    columns: WRITTEN,
    statuses: &[Status::Unique, Status::None, Status::Unknown, Status::Invalid],
    lines: RecordLines::Candidates,
    givens: GivensChange::Added,
    options: &["--givens", "--exact", "--symmetry", "--tries", "--pattern", "--size"],
    conflicts: &[("--lenient", "--lenient and --make cannot be used together")],
    ..SOLVE
};

impl ModeRow {
    /// All rows, in the order of `--help`.
    pub const ALL: [&'static ModeRow; 9] =
        [&SOLVE, &VERIFY, &REVEAL, &MINIMIZE, &ALL, &ADD, &REMOVE, &MAKE, &SHUFFLE];

    /// Returns the message that this option cannot be used with the mode.
    #[must_use]
    pub fn conflict(&self, option: &str) -> Option<&'static str> {
        let mut conflicts = self.conflicts.iter();
        conflicts.find(|(other, _)| *other == option).map(|&(_, message)| message)
    }
}

impl Mode {
    #[doc(hidden)]
    #[must_use]
    pub fn row(self) -> &'static ModeRow {
        match self {
            Mode::Solve => &SOLVE,
            Mode::Verify { .. } => &VERIFY,
            Mode::Reveal(_) => &REVEAL,
            Mode::Minimize => &MINIMIZE,
            Mode::All(_) => &ALL,
            Mode::Shuffle(_) => &SHUFFLE,
            Mode::Add(_) => &ADD,
            Mode::Remove(_) => &REMOVE,
            Mode::Make(_) => &MAKE,
        }
    }

    /// Returns the default columns of an output line;
    /// [`PipelineOptions::columns`](super::Options::columns) lists the exceptions.
    #[must_use]
    pub fn columns(self) -> Vec<Column> {
        self.row().columns.to_vec()
    }

    /// Returns true if each output line has a new puzzle, with a status of its own.
    #[must_use]
    pub fn replaces_puzzles(self) -> bool {
        matches!(self.row().lines, RecordLines::Vicinity | RecordLines::Candidates)
    }

    #[doc(hidden)]
    #[must_use]
    pub fn checks_answers(self) -> bool {
        self.row().answer == AnswerUse::Checked
    }

    /// True if output lines have random equivalents of the puzzles, none of which is solved.
    #[doc(hidden)]
    #[must_use]
    pub fn writes_equivalents(self) -> bool {
        self.row().lines == RecordLines::Equivalents
    }

    /// True if puzzles are made from templates, by a search that can drop each of its candidates.
    #[doc(hidden)]
    #[must_use]
    pub fn makes_candidates(self) -> bool {
        self.row().lines == RecordLines::Candidates
    }

    /// Returns the maximum number of solutions, if each has an output line of its own.
    #[doc(hidden)]
    #[must_use]
    pub fn max_solutions(self) -> Option<u64> {
        match self {
            Mode::All(max) => Some(max),
            _ => None,
        }
    }

    /// Returns the number of new puzzles that each template must give.
    pub(super) fn wanted_puzzles(self) -> Option<u64> {
        match self {
            Mode::Make(wanted) => Some(wanted),
            _ => None,
        }
    }

    /// Returns the cell that is filled in.
    pub(super) fn revealed(self) -> Option<Place> {
        match self {
            Mode::Reveal(place) => Some(place),
            _ => None,
        }
    }

    /// True if the puzzle of the record itself loses givens, in place of new puzzles.
    pub(super) fn minimizes(self) -> bool {
        self.takes_givens_away() && !self.replaces_puzzles()
    }

    /// True if an answer that is correct must also be the only solution.
    pub(super) fn checks_uniqueness(self) -> bool {
        self == Mode::Verify { unique: true }
    }

    /// True if randomness has a fixed seed where the user names none.
    pub(super) fn needs_seed(self) -> bool {
        matches!(self.row().lines, RecordLines::Equivalents | RecordLines::Candidates)
    }

    /// True if an output line is for a puzzle, which a later run can read.
    pub(super) fn writes_puzzles(self) -> bool {
        self.row().columns.contains(&Column::Puzzle)
    }

    /// True if an output line has the puzzle with other givens.
    pub(super) fn changes_puzzles(self) -> bool {
        self.row().givens != GivensChange::None
    }

    /// True if an output line has another puzzle than its record.
    pub(super) fn writes_other_puzzles(self) -> bool {
        self.changes_puzzles() || self.writes_equivalents()
    }

    pub(super) fn takes_givens_away(self) -> bool {
        self.row().givens == GivensChange::Removed
    }

    /// True if an entry of a puzzle needs no more than what `plain.rs` reads of a line.
    pub(super) fn reads_plain_puzzles(self) -> bool {
        match self.row().lines {
            RecordLines::One | RecordLines::Solutions | RecordLines::Candidates => {
                !self.checks_answers()
            }
            // The number of givens is checked with `--add` and `--remove`.
            RecordLines::Vicinity | RecordLines::Equivalents => false,
        }
    }

    /// True if an output line of the default columns is a solution or an answer, and its status is
    /// that of the search or `correct`.
    pub(super) fn writes_grid_and_status(self) -> bool {
        self.row().lines == RecordLines::One && !self.writes_puzzles() && !self.checks_uniqueness()
    }

    /// True if new puzzles are written in place of a puzzle with this status.
    pub(super) fn replaces(self, status: Status) -> bool {
        self.row().lines == RecordLines::Vicinity && status == Status::Multiple
    }

    /// Returns the status of an output line for a puzzle with this status. Its answer, if it is
    /// checked, is a solution.
    pub(super) fn status_of(self, puzzle: Status) -> Status {
        match (self, puzzle) {
            (Mode::Verify { unique: false }, _) => Status::Correct,
            (Mode::Verify { .. }, Status::Unique) => Status::Correct,
            (Mode::Verify { .. }, Status::Multiple) => Status::Ambiguous,
            (Mode::Verify { .. }, Status::None) => unreachable!("the answer is a solution"),
            _ => puzzle,
        }
    }

    pub(super) fn check(self, side: usize, notation: CellNotation) -> Result<(), BoxError> {
        if let Some(place) = self.revealed()
            && !((1..=side).contains(&place.row) && (1..=side).contains(&place.column))
        {
            return Err(format!("{} has no {place}", a_puzzle(side)).into());
        }
        match (self.row().givens, notation) {
            (GivensChange::Removed, CellNotation::Pencilmarks) => {
                Err("a pencilmark puzzle has no givens to take away".into())
            }
            (GivensChange::Added, CellNotation::Pencilmarks) => {
                Err("givens cannot be added to a pencilmark puzzle".into())
            }
            _ => Ok(()),
        }
    }

    pub(super) fn check_givens(self, givens: Givens<'_>) -> Result<(), BoxError> {
        match self {
            Mode::Remove(number) if givens.count() < number => {
                let givens = pluralize(givens.count(), "given");
                Err(format!("{givens}, fewer than --remove {number}").into())
            }
            _ => Ok(()),
        }
    }
}
