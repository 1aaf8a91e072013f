//! Turns the lines of a task into output lines. `stream/` reads the input and writes the output.
//!
//! A line passes through these functions, in this order:
//!
//! 1. `Pipeline::process` receives a task of whole lines. `isolate::process` catches panics.
//! 2. `ParsedTask::read` reads each line into an [`Entry`](read::Entry). The entry is a copy (comment, blank line, header),
//!    decided (invalid, or with a checked answer), or open (a puzzle to solve).
//! 3. `ParsedTask::open` adds the puzzle of an open entry to the [`Batch`](batch::Batch) for its rules.
//! 4. `TaskRun::solve` solves each batch and records the results in [`BatchFindings`](batch::BatchFindings).
//! 5. `TaskRun::minimize` tests and removes givens, for `--minimize` and the column `minimal`.
//! 6. `EmitState::emit` writes entries in input order, as far as their results are known: while other puzzles are being
//!    solved, and at the end. `EntryWriter::write` writes one output line, `EntryWriter::write_column` one column.
//! 7. With `--all`, `TaskRun::enumerate_rest` searches puzzles with many solutions again and writes the remaining entries.

mod batch;
mod columns;
mod enumerate;
mod isolate;
mod minimize;
mod read;
mod solve;
mod write;

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::rules::{MAX_SIDE, Place, Rules, Shape, Variant, Variants, a_puzzle};
use crate::solver::{Level, Limits, Method};
use crate::stream::source::ByteStream;
use crate::stream::{LineProcessor, OutputLines, Task};
use crate::text::columns::Column;
use crate::text::csv::Header;
use crate::text::grid_input;
use crate::text::grid_input::{EntryForm, EntryGrids, GridReader};
use crate::text::record::{FieldLayout, FieldNames, ends_field};
use crate::text::size::Sizes;
use crate::text::symbols::{Alphabet, Case};
use crate::verdict::Status;
use batch::Ruleset;
use read::ParsedTask;
use solve::{EmitState, TaskRun};

/// The options for reading, solving and writing the puzzle of each line.
#[derive(Clone, Debug)]
pub struct Options {
    /// The variants that all puzzles obey.
    pub variants: Variants,
    /// One jigsaw layout for all puzzles, with a label for each cell. If `None`, each line of a jigsaw has its own layout.
    pub regions: Option<Vec<u8>>,
    /// True if regions need not be connected.
    pub disconnected: bool,
    /// Rows and columns of a box, for puzzles of side rows * columns. Puzzles of other sides have their usual boxes.
    pub boxes: Option<(usize, usize)>,
    /// The user's own groups: a symbol for each cell, `.` for no group.
    pub extras: Vec<Vec<u8>>,
    /// The symbols of digits and blanks.
    pub alphabet: Alphabet,
    /// The format of the input.
    pub input: Input,
    /// The operation on each line.
    pub mode: Mode,
    /// The columns of an output line. If empty, those of [`Mode::columns`].
    pub columns: Vec<Column>,
    /// The most solutions that are counted.
    pub count: u64,
    /// The style of drawn grids. If `None`, grids are written as columns.
    pub drawing: Option<Drawing>,
    /// The statuses of the lines that are written. If `None`, all lines are written.
    pub shown: Option<Vec<Status>>,
    /// The seed for the order of branches and the order in which givens are removed. If `None`, the orders are fixed.
    pub seed: Option<u64>,
    /// The search method.
    pub method: Method,
    /// The vector instructions to use.
    pub level: Level,
    /// The most branches per puzzle, 0 for no limit.
    pub max_guesses: u64,
    /// The most CPU time per puzzle; see [`Limits::max_time`].
    pub max_time: Option<Duration>,
}

/// The format of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// One puzzle per line. The order of the fields is fixed.
    #[default]
    Lines,
    /// One puzzle per line. The user names the fields.
    Named(FieldNames),
    /// CSV with a header.
    Csv,
    /// Puzzles drawn over several lines.
    Drawn,
}

/// The style of drawn grids.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// True to colour the digits that are not givens.
    pub color: bool,
}

/// The operation on each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Solves the puzzle: writes a solution and the status.
    #[default]
    Solve,
    /// Checks the answer to the puzzle.
    Verify {
        /// True if the answer must be the only solution.
        unique: bool,
    },
    /// Writes the puzzle with one more cell filled in.
    Reveal(Place),
    /// Removes givens while the solution stays unique, and writes the puzzle that is left.
    Minimize,
    /// Writes all solutions, up to this number.
    All(u64),
}

impl Mode {
    /// Returns the columns of an output line, unless the user names others.
    #[must_use]
    pub fn columns(self) -> Vec<Column> {
        match self {
            Mode::Solve | Mode::All(_) => vec![Column::Solution, Column::Status],
            Mode::Verify { .. } => vec![Column::Answer, Column::Status, Column::Reason],
            Mode::Reveal(_) | Mode::Minimize => vec![Column::Puzzle, Column::Status],
        }
    }

    /// Returns an error if this mode cannot be applied to puzzles of a side and a notation.
    fn check(self, side: usize, notation: Notation) -> Result<(), String> {
        match self {
            Mode::Reveal(place) if place.row > side || place.column > side => {
                Err(format!("{} has no {place}", a_puzzle(side)))
            }
            Mode::Minimize if notation == Notation::Pencilmarks => {
                Err("a pencilmark puzzle has no givens to take away".to_string())
            }
            _ => Ok(()),
        }
    }
}

/// The notation of the cells of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    /// One symbol per cell.
    Digits,
    /// One symbol per digit in each cell: nine symbols per cell.
    Pencilmarks,
}

/// The lines that the fast path reads. Their fields have fixed lengths, so it does not search for separators or line ends.
///
/// The fast path does not check the options; [`PlainLines::of`] checks them once for all lines. If an option changes the
/// meaning of these lines or makes one of them invalid, it must return `No`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlainLines {
    /// None: every line is read in full.
    No,
    /// 81 symbols and a newline.
    Puzzles,
    /// 81 symbols, a separator, 81 symbols and a newline, if the answer is correct.
    PuzzlesAndAnswers,
}

impl PlainLines {
    fn of(options: &Options) -> PlainLines {
        let reads_fields_by_place = options.input == Input::Lines && !options.lines_have_layouts();
        if !reads_fields_by_place || options.mode.check(9, Notation::Digits).is_err() {
            return PlainLines::No;
        }
        match options.mode {
            Mode::Verify { unique: false } => PlainLines::PuzzlesAndAnswers,
            Mode::Verify { unique: true } => PlainLines::No,
            Mode::Solve | Mode::Reveal(_) | Mode::Minimize | Mode::All(_) => PlainLines::Puzzles,
        }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            variants: Variants::default(),
            regions: None,
            disconnected: false,
            boxes: None,
            extras: Vec::new(),
            alphabet: Alphabet::default(),
            input: Input::default(),
            mode: Mode::default(),
            columns: Vec::new(),
            count: 2,
            drawing: None,
            shown: None,
            seed: None,
            method: Method::default(),
            level: Level::default(),
            max_guesses: Limits::default().max_guesses,
            max_time: None,
        }
    }
}

impl Options {
    /// Returns whether each line has a layout of its own.
    fn lines_have_layouts(&self) -> bool {
        self.variants.have_regions() && self.regions.is_none()
    }

    fn verifies(&self) -> bool {
        matches!(self.mode, Mode::Verify { .. })
    }

    fn has_any_column(&self, columns: &[Column]) -> bool {
        self.columns.iter().any(|column| columns.contains(column))
    }
}

/// Turns lines into output lines, with the same options for all lines.
#[derive(Debug)]
pub struct Pipeline {
    options: Options,
    sizes: Sizes,
    /// The order of the fields in a line. Unused for CSV, which has a header.
    layout: FieldLayout,
    /// The first CSV header, and the index of its source.
    header: OnceLock<(usize, Header)>,
    /// The lines that the fast path may read.
    plain_lines: PlainLines,
    /// True if output lines have the default columns of the mode.
    has_default_columns: bool,
    /// True if `write_plain` can write output lines. They have the default columns, no line is left out by its status, and
    /// the mode does not change puzzles.
    writes_plain: bool,
    /// The rules of puzzles of each side, or an error message if there are none. Unused if each line has a layout.
    rulesets: [OnceLock<Result<Arc<Ruleset>, String>>; MAX_SIDE + 1],
}

impl Pipeline {
    /// Returns a pipeline with these options.
    ///
    /// # Errors
    /// Returns a message for the user if the symbols, the layout or the groups are invalid.
    pub fn new(mut options: Options) -> Result<Pipeline, String> {
        let default_columns = options.mode.columns();
        let has_default_columns = options.drawing.is_none()
            && options.input != Input::Csv
            && !matches!(options.mode, Mode::All(_))
            && (options.columns.is_empty() || options.columns == default_columns);
        if options.columns.is_empty() {
            options.columns = default_columns;
        }
        let shows_grid_as_read =
            matches!(options.mode, Mode::Solve | Mode::Verify { unique: false });
        let layout = match &options.input {
            Input::Named(names) => FieldLayout::Named(names.clone()),
            _ => FieldLayout::Usual {
                regions: options.lines_have_layouts(),
                answer: options.verifies(),
            },
        };
        let pipeline = Pipeline {
            sizes: Sizes {
                boxes: options.boxes,
                any_side: options.variants.contains(Variant::Jigsaw),
            },
            layout,
            header: OnceLock::new(),
            plain_lines: PlainLines::of(&options),
            has_default_columns,
            writes_plain: has_default_columns && shows_grid_as_read && options.shown.is_none(),
            rulesets: [const { OnceLock::new() }; MAX_SIDE + 1],
            options,
        };
        pipeline.check_symbols()?;
        pipeline.check_layout()?;
        pipeline.check_extras()?;
        Ok(pipeline)
    }

    fn check_symbols(&self) -> Result<(), String> {
        let mut symbols = self.options.alphabet.symbols(Case::default()).iter();
        match symbols.find(|&&symbol| grid_input::is_reserved(symbol)) {
            Some(symbol) if self.options.input == Input::Drawn => {
                let symbol = symbol.escape_ascii();
                Err(format!(
                    "--symbols with '{symbol}' cannot be used with --input grid, where '{symbol}' is part of the drawing"
                ))
            }
            _ => Ok(()),
        }
    }

    fn check_layout(&self) -> Result<(), String> {
        let Some(labels) = &self.options.regions else {
            return Ok(());
        };
        let check = || {
            if let Some(label) = labels.iter().find(|&&label| ends_field(label)) {
                let label = label.escape_ascii();
                return Err(format!("'{label}' cannot be a region label"));
            }
            let side = self.sizes.side_of(labels.len(), "region label")?;
            Rules::new(side, self.shape(side)?, &Variants::default()).map(|_| ())
        };
        check().map_err(|reason| format!("--regions: {reason}"))
    }

    fn check_extras(&self) -> Result<(), String> {
        for symbols in &self.options.extras {
            let check = || {
                let side = self.sizes.side_of(symbols.len(), "symbol")?;
                let boxes = Shape::Boxes {
                    rows: 1,
                    columns: side,
                };
                let rules = Rules::new(side, boxes, &Variants::default())?;
                rules.with_extra(symbols).map(|_| ())
            };
            check().map_err(|reason| format!("--extra: {reason}"))?;
        }
        Ok(())
    }

    /// Returns the rules of puzzles of this side. Not for lines with a layout of their own.
    fn ruleset(&self, side: usize) -> Result<Arc<Ruleset>, String> {
        let ruleset = self.rulesets[side].get_or_init(|| self.new_ruleset(side, self.shape(side)?));
        ruleset.clone()
    }

    /// Returns the boxes or regions of grids of this side. Not for lines with a layout of their own.
    fn shape(&self, side: usize) -> Result<Shape<'_>, String> {
        match &self.options.regions {
            Some(labels) if labels.len() != side * side => {
                let layout = labels.len().isqrt();
                let puzzle = a_puzzle(side);
                Err(format!(
                    "{puzzle}, but the layout of --regions is {layout}x{layout}"
                ))
            }
            Some(labels) => self.regions(side, labels),
            None => self.boxes(side),
        }
    }

    fn boxes(&self, side: usize) -> Result<Shape<'static>, String> {
        let boxes = self.sizes.shape(side);
        boxes.ok_or_else(|| format!("{} has no boxes", a_puzzle(side)))
    }

    /// Returns the shape with the regions of this layout, in place of boxes or in addition to them.
    fn regions<'a>(&self, side: usize, labels: &'a [u8]) -> Result<Shape<'a>, String> {
        let disconnected = self.options.disconnected;
        Ok(match self.options.variants.contains(Variant::Regions) {
            true => self.boxes(side)?.with_regions(labels, disconnected),
            false => Shape::Regions {
                labels,
                disconnected,
            },
        })
    }

    fn new_ruleset(&self, side: usize, shape: Shape<'_>) -> Result<Arc<Ruleset>, String> {
        let mut rules = Rules::new(side, shape, &self.options.variants)?;
        for symbols in &self.options.extras {
            rules = rules.with_extra(symbols)?;
        }
        Ok(Arc::new(Ruleset::new(rules, &self.options)))
    }

    /// Removes the `+` marks of HoDoKu, which writes `+` before each digit that is not a given. Returns `None` if the field is
    /// not in this notation.
    fn without_plus(&self, field: &[u8]) -> Option<Vec<u8>> {
        let alphabet = &self.options.alphabet;
        memchr::memchr(b'+', field)?;
        if self.sizes.side(field.len()).is_ok() || alphabet.digit_of(b'+').is_some() {
            return None;
        }
        let is_mark = |index: usize| {
            let next = field.get(index + 1);
            let digit = next.and_then(|&symbol| alphabet.digit_of(symbol));
            field[index] == b'+' && digit.is_some_and(|digit| digit > 0)
        };
        let kept = (0..field.len()).filter(|&index| !is_mark(index));
        let puzzle: Vec<u8> = kept.map(|index| field[index]).collect();
        self.sizes.side(puzzle.len()).is_ok().then_some(puzzle)
    }

    /// Returns the grids of an entry in drawn input.
    fn entry_grids(&self) -> EntryGrids {
        EntryGrids {
            layout: self.options.lines_have_layouts(),
            answer: self.options.verifies(),
        }
    }

    /// Returns whether a field is a puzzle directly followed by its layout. The length of such a field is twice a square
    /// number, so it cannot be a puzzle alone.
    fn includes_layout(&self, field: &[u8]) -> bool {
        let half = field.len() / 2;
        self.options.lines_have_layouts()
            && field.len() == 2 * half
            && half.isqrt().pow(2) == half
            && self.sizes.side(half).is_ok()
    }

    /// Processes the lines of a task. Puzzles that share their rules are solved together.
    fn process_together(
        &self,
        task: &Task<'_>,
        emit_state: &mut EmitState,
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut run = TaskRun::new(ParsedTask::read(self, task), emit_state);
        run.solve(emit)?;
        run.minimize(emit)?;
        run.finish(emit)
    }

    /// Returns the output line for a line that caused an internal error.
    fn report_failure(&self, line: &Task<'_>, reason: String) -> OutputLines {
        let mut output = OutputLines::default();
        let parsed = ParsedTask::of_failed_line(self, line, reason);
        parsed.write(&[], 0, &mut output);
        output
    }

    /// Returns the first CSV header and the index of its source, or `None` before the first source is open.
    fn header(&self) -> Option<&(usize, Header)> {
        self.header.get()
    }
}

impl LineProcessor for Pipeline {
    fn process(
        &self,
        task: &Task<'_>,
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        isolate::process(
            task,
            emit,
            |task, emit_state, emit| self.process_together(task, emit_state, emit),
            |line, reason| self.report_failure(line, reason),
        )
    }

    fn open_source(&self, source: usize, first_line: &[u8]) -> Result<(), String> {
        if self.options.input != Input::Csv {
            return Ok(());
        }
        let header = Header::parse(first_line)?;
        if self.options.verifies() {
            header.check_answers()?;
        }
        let (_, first) = self.header.get_or_init(|| (source, header.clone()));
        match first.line == header.line {
            true => Ok(()),
            false => Err("its header differs from that of the file before it".to_string()),
        }
    }

    fn lines_of(&self, source: ByteStream) -> ByteStream {
        if self.options.input != Input::Drawn {
            return source;
        }
        let form = EntryForm {
            grids: self.entry_grids(),
            alphabet: self.options.alphabet.clone(),
        };
        Box::new(GridReader::new(source, form))
    }
}
