//! Turns the lines of a task into output lines. The filter reads the input and writes the output.
//!
//! A line passes through these functions, in this order:
//!
//! 1. `Pipeline::process` receives a task of whole lines, and `isolate::process` guards it against panics.
//! 2. `ParsedTask::read` reads each line into an [`Entry`](read::Entry): copied, header, invalid, decided, or a puzzle.
//! 3. `ParsedTask` groups puzzles that share their rules into a [`Batch`](batch::Batch).
//! 4. `TaskRun::solve` solves each batch and records what it finds in [`BatchFindings`](batch::BatchFindings).
//! 5. `TaskRun::minimize` removes givens, and `TaskRun::enumerate_rest` lists many solutions, where the mode asks for it.
//! 6. `EmitState::emit` writes the output lines of entries, in order, as soon as all before them are known.

mod batch;
mod columns;
mod enumerate;
mod isolate;
mod minimize;
mod read;
mod solve;
mod write;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::columns::Column;
use crate::csv::Header;
use crate::filter::{LineProcessor, OutputLines, Task};
use crate::grid_input::{self, EntryForm, EntryGrids};
use crate::record::{FieldLayout, FieldNames, ends_field};
use crate::rules::{MAX_SIDE, Place, Rules, Shape, Variant, Variants, a_puzzle};
use crate::size::Sizes;
use crate::solver::{Level, Limits, Method};
use crate::symbols::{Alphabet, Case};
use crate::verdict::Status;
use batch::Ruleset;
use read::ParsedTask;
use solve::{EmitState, TaskRun};

/// What to do with each line: how to read its puzzle, how to solve it, and what to write.
#[derive(Clone, Debug)]
pub struct Options {
    /// The variants that all puzzles obey.
    pub variants: Variants,
    /// One layout for all puzzles, a label for each cell. Without it each line of a jigsaw has its own layout.
    pub regions: Option<Vec<u8>>,
    /// True if regions need not be connected.
    pub disconnected: bool,
    /// The size of boxes in rows and columns, for puzzles whose side is the product. Other sides keep their usual boxes.
    pub boxes: Option<(usize, usize)>,
    /// The user's own groups: a symbol for each cell, `.` for no group.
    pub extras: Vec<Vec<u8>>,
    /// The symbols of digits and blanks.
    pub alphabet: Alphabet,
    /// The format of the input.
    pub input: Input,
    /// The question about each line.
    pub mode: Mode,
    /// The columns of an output line. If empty, those of [`Mode::columns`].
    pub columns: Vec<Column>,
    /// The most solutions that are counted.
    pub count: u64,
    /// How to draw grids over several lines, instead of writing columns.
    pub drawing: Option<Drawing>,
    /// The statuses of the lines that are written; all if `None`.
    pub shown: Option<Vec<Status>>,
    /// The seed of the order of branches and of the order in which givens are removed.
    pub seed: Option<u64>,
    /// The search method.
    pub method: Method,
    /// The vector instructions to use.
    pub level: Level,
    /// The most branches that a puzzle may take. 0: no limit.
    pub max_guesses: u64,
    /// The most CPU time that a puzzle may take; see [`Limits::max_time`].
    pub max_time: Option<Duration>,
}

/// The format of the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// One puzzle a line; the order of the fields is fixed.
    #[default]
    Lines,
    /// One puzzle a line; the user names the fields.
    Named(FieldNames),
    /// CSV with a header.
    Csv,
    /// Puzzles drawn over several lines.
    Drawn,
}

/// How grids are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// True to show found digits in another colour than givens.
    pub color: bool,
}

/// The question about each line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// `PUZZLE`: a solution and the status.
    #[default]
    Solve,
    /// `PUZZLE ANSWER`: is the answer correct?
    Verify {
        /// True if no other answer may be correct.
        unique: bool,
    },
    /// `PUZZLE`: the puzzle with one more cell filled in.
    Reveal(Place),
    /// `PUZZLE`: the puzzle with only the givens that keep it unique.
    Minimize,
    /// `PUZZLE`: all solutions, up to this number.
    All(u64),
}

impl Mode {
    /// The columns of an output line, unless the user names others.
    #[must_use]
    pub fn columns(self) -> Vec<Column> {
        match self {
            Mode::Solve | Mode::All(_) => vec![Column::Solution, Column::Status],
            Mode::Verify { .. } => vec![Column::Answer, Column::Status, Column::Reason],
            Mode::Reveal(_) | Mode::Minimize => vec![Column::Puzzle, Column::Status],
        }
    }

    /// Returns why this mode cannot be applied to puzzles of a side and a notation.
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

/// How the cells of a puzzle are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Notation {
    /// One symbol a cell.
    Digits,
    /// As many symbols a cell as there are digits.
    Pencilmarks,
}

/// Lines that the fast path may read: fixed columns of symbols, with no search for separators or for the line end.
///
/// The fast path makes no check that depends on the options. This type is where those checks are made once for all lines:
/// an option that gives any of these lines another meaning, or makes it invalid, must turn the fast path off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PlainLines {
    /// None: every line is read in full.
    No,
    /// 81 symbols and a newline.
    Puzzles,
    /// 81 symbols, a separator, 81 symbols and a newline; only where the answer is correct.
    PuzzlesAndAnswers,
}

impl PlainLines {
    fn of(options: &Options) -> PlainLines {
        let reads_fields_by_place = options.input == Input::Lines && !options.lines_bring_layouts();
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
    fn lines_bring_layouts(&self) -> bool {
        self.variants.have_regions() && self.regions.is_none()
    }

    fn verifies(&self) -> bool {
        matches!(self.mode, Mode::Verify { .. })
    }

    fn asks_for(&self, columns: &[Column]) -> bool {
        self.columns.iter().any(|column| columns.contains(column))
    }
}

/// Answers lines of puzzles by fixed options.
#[derive(Debug)]
pub struct Pipeline {
    options: Options,
    sizes: Sizes,
    /// The fields of a line. For CSV the header names them.
    layout: FieldLayout,
    /// The first CSV header, and the index of its source.
    header: OnceLock<(usize, Header)>,
    /// The lines that the fast path may read.
    plain_lines: PlainLines,
    /// True if output lines have the default columns of the mode.
    has_default_columns: bool,
    /// True if `write_plain` may write output lines: default columns, every line shown, and a mode without changed puzzles.
    writes_plain: bool,
    /// For each side the rules of its puzzles, or why it has none. Unused where each line has a layout.
    rulesets: [OnceLock<Result<Arc<Ruleset>, String>>; MAX_SIDE + 1],
}

impl Pipeline {
    /// Returns a pipeline with these options.
    ///
    /// # Errors
    /// A sentence for the user about a fault in the symbols, the layout or the groups.
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
                regions: options.lines_bring_layouts(),
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

    /// Returns the rules of puzzles of this side, where no line has a layout of its own.
    fn ruleset(&self, side: usize) -> Result<Arc<Ruleset>, String> {
        let ruleset = self.rulesets[side].get_or_init(|| self.new_ruleset(side, self.shape(side)?));
        ruleset.clone()
    }

    /// Returns the boxes or regions of grids of this side, where no line has a layout of its own.
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

    /// Returns the shape with this layout, in place of boxes or in addition to them.
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

    /// Returns a puzzle without the `+` before each digit that was not given, as HoDoKu writes it; nothing if it is not
    /// written so.
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

    /// Returns the grids of one entry where puzzles are drawn.
    fn entry_grids(&self) -> EntryGrids {
        EntryGrids {
            layout: self.options.lines_bring_layouts(),
            answer: self.options.verifies(),
        }
    }

    /// Returns whether a field is a puzzle and its layout without a separator. Its length is twice a square number, so it
    /// cannot be a puzzle alone.
    fn is_glued(&self, field: &[u8]) -> bool {
        let half = field.len() / 2;
        self.options.lines_bring_layouts()
            && field.len() == 2 * half
            && half.isqrt().pow(2) == half
            && self.sizes.side(half).is_ok()
    }

    /// Answers the lines of a task, side by side where they share their rules.
    fn process_together(
        &self,
        task: &Task<'_>,
        emitted: &mut EmitState,
        emit: &mut dyn FnMut(OutputLines),
    ) {
        let mut run = TaskRun::new(ParsedTask::read(self, task), emitted);
        run.solve(emit);
        run.minimize(emit);
        run.finish(emit);
    }

    /// Returns the output line for a line that caused an internal error.
    fn report_failure(&self, line: &Task<'_>, reason: String) -> OutputLines {
        let mut rows = OutputLines::default();
        let parsed = ParsedTask::of_failed_line(self, line, reason);
        parsed.write(&[], 0, &mut rows);
        rows
    }

    /// Returns the CSV header, once the first file is open.
    fn header(&self) -> Option<&(usize, Header)> {
        self.header.get()
    }
}

impl LineProcessor for Pipeline {
    fn process(&self, task: &Task<'_>, emit: &mut dyn FnMut(OutputLines)) {
        isolate::process(
            task,
            emit,
            |task, emitted, emit| self.process_together(task, emitted, emit),
            |line, reason| self.report_failure(line, reason),
        );
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

    fn drawn_entries(&self) -> Option<EntryForm> {
        (self.options.input == Input::Drawn).then(|| EntryForm {
            grids: self.entry_grids(),
            alphabet: self.options.alphabet.clone(),
        })
    }
}
