//! The lines of a task to rows of output: what is asked of each line, and what the puzzles of each size obey. Where lines
//! come from and where rows go is the filter's concern.

mod all;
mod batch;
mod fields;
mod isolate;
mod page;
mod reduce;
mod rows;
mod sheet;

use std::sync::{Arc, OnceLock};

use crate::columns::Column;
use crate::csv::Header;
use crate::filter::{Answer, Rows, Task};
use crate::grid_input::{self, EntryForm, EntryGrids};
use crate::record::{FieldLayout, FieldNames, ends_field};
use crate::rules::{MAX_SIDE, Place, Rules, Shape, Variant, Variants, a_puzzle};
use crate::size::Sizes;
use crate::solver::{Level, Limits, Method};
use crate::symbols::{Alphabet, Case};
use crate::verdict::Status;
use batch::Kit;
use page::Page;
use sheet::{Emitted, Sheet};

/// What to do with each line, how its puzzle is to be read, and what is to be told of it.
#[derive(Clone, Debug)]
pub struct Options {
    /// What the puzzles must obey.
    pub variants: Variants,
    /// One layout for all puzzles; without it each line of a jigsaw brings its own.
    pub regions: Option<Vec<u8>>,
    /// Whether a region may lie in pieces.
    pub disconnected: bool,
    /// Boxes, rows high by columns wide, for puzzles of that side.
    pub boxes: Option<(usize, usize)>,
    /// Groups of the user's own: a symbol a cell, `.` for none.
    pub extras: Vec<Vec<u8>>,
    /// The symbols of digits and blanks.
    pub alphabet: Alphabet,
    /// How puzzles stand in the input.
    pub input: Input,
    /// What is asked of each.
    pub mode: Mode,
    /// What is told of it; those of the mode where it is empty.
    pub columns: Vec<Column>,
    /// Up to how many solutions are counted.
    pub count: u64,
    /// Whether grids are drawn, rather than written as columns.
    pub drawing: Option<Drawing>,
    /// Only lines with these statuses are written.
    pub shown: Option<Vec<Status>>,
    /// What the order of branches, or of what is taken away, is drawn from.
    pub seed: Option<u64>,
    /// How to search.
    pub method: Method,
    /// What of the machine to use.
    pub level: Level,
    /// Branches a puzzle may take. 0: no limit.
    pub max_guesses: u64,
}

/// How puzzles stand in the input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Input {
    /// One a line, its fields by their place.
    #[default]
    Lines,
    /// One a line, its fields by name.
    Named(FieldNames),
    /// Records of CSV under a header.
    Csv,
    /// Drawn over several lines.
    Drawn,
}

/// How grids are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// Whether colour tells found digits from givens.
    pub color: bool,
}

/// What a line asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// `PUZZLE`: its solution and status.
    #[default]
    Solve,
    /// `PUZZLE ANSWER`: whether the answer is right.
    Verify {
        /// Whether it must be the only right one.
        unique: bool,
    },
    /// `PUZZLE`: with one more cell filled in.
    Reveal(Place),
    /// `PUZZLE`: with as few givens as keep it unique.
    Minimize,
    /// `PUZZLE`: all its solutions, up to so many.
    All(u64),
}

impl Mode {
    /// The columns of a row, unless others are asked for.
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
        }
    }
}

impl Options {
    /// Whether each line brings a layout of its own.
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

/// Answers lines.
#[derive(Debug)]
pub struct Answerer {
    options: Options,
    sizes: Sizes,
    /// What the fields of a line are; of CSV the header says it.
    layout: FieldLayout,
    /// The first header that was met, and the source it headed.
    header: OnceLock<(usize, Header)>,
    /// The lines that the fast path may read.
    plain_lines: PlainLines,
    /// Whether rows are a grid and what is said of it, as they are by default.
    brief: bool,
    /// Whether they are also solutions or answers that were checked, and of all lines.
    usual: bool,
    /// For each side what its puzzles obey, or why there is none; where each line brings a layout, none of them is used.
    kits: [OnceLock<Result<Arc<Kit>, String>>; MAX_SIDE + 1],
}

impl Answerer {
    /// An answerer for lines that are to be read by `options`.
    ///
    /// # Errors
    /// A sentence for the user: what the options say of layouts and groups has a fault.
    pub fn new(mut options: Options) -> Result<Answerer, String> {
        let usual = options.mode.columns();
        let brief = options.drawing.is_none()
            && options.input != Input::Csv
            && !matches!(options.mode, Mode::All(_))
            && (options.columns.is_empty() || options.columns == usual);
        if options.columns.is_empty() {
            options.columns = usual;
        }
        let is_usual = matches!(options.mode, Mode::Solve | Mode::Verify { unique: false });
        let layout = match &options.input {
            Input::Named(names) => FieldLayout::Named(names.clone()),
            _ => FieldLayout::Usual {
                regions: options.lines_bring_layouts(),
                answer: options.verifies(),
            },
        };
        let answerer = Answerer {
            sizes: Sizes {
                boxes: options.boxes,
                any_side: options.variants.contains(Variant::Jigsaw),
            },
            layout,
            header: OnceLock::new(),
            plain_lines: PlainLines::of(&options),
            brief,
            usual: brief && is_usual && options.shown.is_none(),
            kits: [const { OnceLock::new() }; MAX_SIDE + 1],
            options,
        };
        answerer.check_symbols()?;
        answerer.check_layout()?;
        answerer.check_extras()?;
        Ok(answerer)
    }

    fn check_symbols(&self) -> Result<(), String> {
        let mut symbols = self.options.alphabet.symbols(Case::default()).iter();
        match symbols.find(|&&symbol| grid_input::is_reserved(symbol)) {
            Some(symbol) if self.options.input == Input::Drawn => {
                let symbol = symbol.escape_ascii();
                Err(format!(
                    "--symbols with '{symbol}' does not go with --input grid, where it is part of the drawing"
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

    /// What puzzles of this side obey, where no line brings a layout of its own.
    fn kit(&self, side: usize) -> Result<Arc<Kit>, String> {
        let kit = self.kits[side].get_or_init(|| self.new_kit(side, self.shape(side)?));
        kit.clone()
    }

    /// How grids of this side are divided, where no line brings a layout of its own.
    fn shape(&self, side: usize) -> Result<Shape<'_>, String> {
        match &self.options.regions {
            Some(labels) if labels.len() != side * side => {
                let layout = labels.len().isqrt();
                let puzzle = a_puzzle(side);
                Err(format!(
                    "{puzzle}; the layout given is for {layout}x{layout}"
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

    /// The shape with this layout, in place of boxes or besides them.
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

    fn new_kit(&self, side: usize, shape: Shape<'_>) -> Result<Arc<Kit>, String> {
        let mut rules = Rules::new(side, shape, &self.options.variants)?;
        for symbols in &self.options.extras {
            rules = rules.with_extra(symbols)?;
        }
        Ok(Arc::new(Kit::new(rules, &self.options)))
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

    /// Whether a field is a puzzle with its layout glued behind it: a square number of symbols is a puzzle, so twice a
    /// square can be nothing else.
    fn is_glued(&self, field: &[u8]) -> bool {
        let half = field.len() / 2;
        self.options.lines_bring_layouts()
            && field.len() == 2 * half
            && half.isqrt().pow(2) == half
            && self.sizes.side(half).is_ok()
    }

    /// Answers the lines of a task, side by side where they share their rules.
    fn answer_together(&self, task: &Task<'_>, emitted: &mut Emitted, emit: &mut dyn FnMut(Rows)) {
        let mut sheet = Sheet::new(Page::read(self, task), emitted);
        sheet.solve(emit);
        sheet.reduce(emit);
        sheet.finish(emit);
    }

    /// Returns the row of a line whose answer failed for a reason that is not the user's.
    fn report_failure(&self, line: &Task<'_>, reason: String) -> Rows {
        let mut rows = Rows::default();
        let page = Page::of_failed_line(self, line, reason);
        page.write(&[], 0, &mut rows);
        rows
    }

    /// The header, once the first file was opened.
    fn header(&self) -> Option<&(usize, Header)> {
        self.header.get()
    }
}

impl Answer for Answerer {
    fn answer(&self, task: &Task<'_>, emit: &mut dyn FnMut(Rows)) {
        isolate::answer(
            task,
            emit,
            |task, emitted, emit| self.answer_together(task, emitted, emit),
            |line, reason| self.report_failure(line, reason),
        );
    }

    fn open(&self, source: usize, first_line: &[u8]) -> Result<(), String> {
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
            false => Err("its header is not that of the file before it".to_string()),
        }
    }

    fn drawn_entries(&self) -> Option<EntryForm> {
        (self.options.input == Input::Drawn).then(|| EntryForm {
            grids: self.entry_grids(),
            alphabet: self.options.alphabet.clone(),
        })
    }
}
