//! The options of a pipeline, which are the same for all lines.

use std::time::Duration;

use super::make::symmetric_groups::PatternSymmetry;
use super::mode::Mode;
use crate::stream::repetition::Repetition;
use crate::text::classes::Classes;
use crate::text::columns::{Column, OutputColumn};
use crate::text::condition::Condition;
use crate::text::forms::lines::FieldNames;
use crate::text::forms::page::PageOptions;
use crate::text::header_names::HeaderNames;
use crate::text::kept_fields::KeptFields;
use crate::text::record::FieldSet;
use crate::text::symbols::Alphabet;
use engine::error::BoxError;
use engine::pencil::TechniqueSet;
use engine::puzzle::Givens;
use engine::rules::{Place, Variant, Variants};
use engine::solver::{GuessLimit, Level, Method};
use engine::verdict::Status;

/// The options for reading, solving and writing the puzzle of each line.
///
/// ```
/// use sudoku_filter::{Column, Mode, PipelineOptions};
///
/// let mut options = PipelineOptions::default();
/// options.variants = "diagonal".parse()?;
/// options.mode = Mode::Verify { unique: true };
/// options.columns = Column::list("line,status,reason", |_| false)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The variants that all puzzles obey.
    pub variants: Variants,
    /// One jigsaw layout for all puzzles, with a label for each cell. If `None`, layouts are read
    /// from the lines: from a field of their own if the variants need layouts, and from puzzle
    /// fields that state a layout.
    pub regions: Option<Vec<u8>>,
    /// True if regions need not be connected.
    pub disconnected: bool,
    /// Rows and columns of a box, for puzzles of side rows * columns. Puzzles of other sides have
    /// the boxes of [`Shape::boxes_of`](crate::Shape::boxes_of). Boxes that a line states take the
    /// place of both, and regions can replace all boxes.
    pub boxes: Option<(usize, usize)>,
    /// The user's own groups. Each element has a symbol for each cell of the grid, `.` for no
    /// group. Cells with equal symbols form a group, or a house if they are N cells: their digits
    /// all differ.
    pub extras: Vec<Vec<u8>>,
    /// The symbols of digits and blanks.
    pub alphabet: Alphabet,
    /// The format of the input. If `None`, the first lines of each source decide.
    pub input: Option<Input>,
    /// The names of the fields of lines, in their order. If `None`, the order is fixed.
    #[doc(hidden)]
    pub field_names: Option<FieldNames>,
    /// True to read a field as pencilmarks even if its length fits something else too: 64 symbols
    /// are then a 4x4, not an 8x8. With layouts or cages on each line, 512 symbols are then an 8x8,
    /// not a 16x16 that is directly followed by its layout or cages.
    pub pencilmarks: bool,
    /// The names of CSV columns or JSON keys that the user chooses. A field without such a name
    /// can have any of its usual names.
    #[doc(hidden)]
    pub header: HeaderNames,
    /// The operation on each line.
    pub mode: Mode,
    /// With [`Mode::Verify`]: true if an answer can be prose with a grid in it. In lines, the
    /// answer is then the rest of the line.
    pub lenient: bool,
    /// The columns of an output line. If empty, those of [`Mode::columns`], with these changes:
    ///
    /// * [`Mode::Reveal`], [`Mode::Minimize`], [`Mode::Add`] and [`Mode::Remove`] add the layout
    ///   and the cages that lines have, unless grids are drawn or the output copies CSV records.
    ///   A constraint string has them in [`Column::Puzzle`].
    /// * [`Mode::Shuffle`] adds the layout and the cages even if grids are drawn. For lines whose
    ///   fields are named, the columns are these fields, then the layout and the cages if they are
    ///   not among them. If the output copies records, there are no columns, because the
    ///   equivalents replace fields of the record.
    pub columns: Vec<OutputColumn>,
    /// The maximum number of solutions that are counted; 2 if `None`.
    pub count: Option<u64>,
    /// The form of the output. If `None`, that of the input for CSV and JSON, otherwise
    /// [`Output::Lines`]. If CSV or JSON is also the form of the input, each record is copied, and
    /// the columns follow its fields.
    #[doc(hidden)]
    pub output: Option<Output>,
    /// The fields of copied records that the output has.
    #[doc(hidden)]
    pub kept: KeptFields,
    /// With [`Output::Page`]: the layout of the document.
    #[doc(hidden)]
    pub page: PageOptions,
    /// The statuses of the output lines that are written; comments and blank lines are then left
    /// out, but not the CSV header. If `None`, all lines are written.
    pub shown: Option<Vec<Status>>,
    /// Conditions on columns, shown or not. Only output lines for which all hold are written;
    /// otherwise as with `shown`.
    #[doc(hidden)]
    pub conditions: Vec<Condition>,
    /// Of the output lines whose column has the same value, only the first is written, or counted.
    /// Those without a value are all written.
    #[doc(hidden)]
    pub distinct: Option<Column>,
    /// The columns whose values are counted; their counts are then written in place of the output
    /// lines, in the form of `output`. Without any, output lines are written.
    #[doc(hidden)]
    pub tally: Vec<OutputColumn>,
    /// With [`Mode::Minimize`] and [`Mode::Make`]: the minimum number of givens to leave.
    pub givens: usize,
    /// With [`Mode::Minimize`] and [`Mode::Make`]: true if exactly `givens` must be left. A puzzle
    /// with one solution for which this fails keeps its givens, and has status `unknown`; a
    /// candidate is dropped.
    pub exact: bool,
    /// With [`Mode::Minimize`] and [`Mode::Make`]: the symmetry of the cells that lose their givens together.
    #[doc(hidden)]
    pub symmetry: Option<PatternSymmetry>,
    /// With [`Mode::Add`] and [`Mode::Remove`]: the maximum number of new puzzles per line.
    pub max_lines: Option<u64>,
    /// With [`Mode::Make`]: the maximum number of candidates per line; 100,000 if `None`.
    pub tries: Option<u64>,
    /// With [`Mode::Make`]: true for each cell that has a given, false for the others. If `None`,
    /// candidates are minimized.
    pub pattern: Option<Vec<bool>>,
    /// The seed for the order of branches, the order in which givens are removed, and the
    /// equivalents. If `None`, the orders are fixed, and the seed of the equivalents is 0. With
    /// `exact`, the orders of removal after the first are random even without a seed.
    pub seed: Option<u64>,
    /// The classes of the column [`Column::Class`].
    #[doc(hidden)]
    pub classes: Classes,
    /// The techniques for the columns about the solution of a person; all if `None`.
    #[doc(hidden)]
    pub techniques: Option<TechniqueSet>,
    /// The search method.
    pub method: Method,
    /// The vector instructions to use.
    #[doc(hidden)]
    pub level: Level,
    /// The limit of guesses at a puzzle.
    pub max_guesses: GuessLimit,
    /// The maximum CPU time per puzzle; see [`Limits::max_time`](engine::solver::Limits::max_time).
    pub max_time: Option<Duration>,
}

const DEFAULT_TRIES: u64 = 100_000;

impl Options {
    /// Returns the fields that state rules of a puzzle: a layout or `-`, and cages or `-`.
    pub(super) fn fields_of_rules(&self) -> FieldSet {
        let regions = self.variants.have_regions() && self.regions.is_none();
        FieldSet::of_rules(regions, self.variants.contains(Variant::Killer))
    }

    /// Returns the columns whose values decide on what is written, shown or not.
    pub(super) fn deciding_columns(&self) -> impl Iterator<Item = &Column> {
        let conditions = self.conditions.iter().map(|condition| &condition.column);
        let tallied = self.tally.iter().map(|tallied| &tallied.column);
        conditions.chain(tallied).chain(&self.distinct)
    }

    /// Returns the columns that the user names: those that are shown and those that decide.
    #[doc(hidden)]
    pub fn named_columns(&self) -> impl Iterator<Item = &Column> {
        self.columns.iter().map(|shown| &shown.column).chain(self.deciding_columns())
    }

    /// True if output lines can be left out. Comments and blank lines are then left out too.
    pub(super) fn leaves_out_lines(&self) -> bool {
        self.shown.is_some() || self.deciding_columns().next().is_some()
    }

    /// Returns an error if the pattern does not fit a puzzle with these givens.
    pub(super) fn check_pattern(&self, givens: Givens<'_>, cells: usize) -> Result<(), BoxError> {
        let Some(pattern) = &self.pattern else {
            return Ok(());
        };
        if pattern.len() != cells {
            let pattern = pattern.len();
            return Err(format!("{cells} cells, and those of --pattern are {pattern}").into());
        }
        let is_outside = |&cell: &usize| givens.is_given(cell) && !pattern[cell];
        match (0..pattern.len()).find(is_outside) {
            None => Ok(()),
            Some(cell) => {
                let place = Place::of(cell, pattern.len().isqrt());
                Err(format!("the given at {place} is not in --pattern").into())
            }
        }
    }

    pub(super) fn repetition(&self) -> Option<Repetition> {
        let wanted = self.mode.wanted_puzzles()?;
        let attempts = self.tries.unwrap_or(DEFAULT_TRIES);
        Some(Repetition { wanted, attempts, status: Status::Unique })
    }

    pub(super) fn max_count(&self) -> u64 {
        self.count.unwrap_or(2)
    }

    /// Returns `None` if both guesses and time are limited.
    pub(super) fn only_limit(&self) -> Option<&'static str> {
        match (self.max_time, self.max_guesses) {
            (None, _) => Some("guesses"),
            (_, GuessLimit::None) => Some("time"),
            _ => None,
        }
    }
}

/// The format of the input.
///
/// ```
/// use sudoku_filter::{Input, PipelineOptions};
///
/// let mut options = PipelineOptions::default();
/// options.input = Some(Input::Lines);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Input {
    /// One puzzle per line.
    #[default]
    Lines,
    /// CSV with a header. By default, the output copies each record, and the columns follow its
    /// fields.
    Csv,
    /// JSON: objects, or an array of objects. By default, the output copies each object, and the
    /// columns follow its keys.
    Json,
    /// Puzzles drawn over several lines.
    Drawn,
}

/// The form of the output.
///
/// ```
/// use sudoku_filter::PipelineOptions;
/// use sudoku_filter::program::Output;
///
/// let mut options = PipelineOptions::default();
/// options.output = Some(Output::Drawing { color: false });
/// assert!(Output::NAMES.contains(&("drawing", options.output.unwrap())));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Output {
    /// The columns of an output line, separated by tabs.
    Lines,
    /// CSV with a header.
    Csv,
    /// JSON lines: an object per line.
    Json,
    /// Drawn grids. The columns that are not drawn are below them.
    Drawing {
        /// True to colour the digits that are not givens.
        color: bool,
    },
    /// SVG images, all images of an output line on one line. The columns that are not drawn are in
    /// their titles.
    Svg,
    /// One HTML document for print, with a figure for each output line. Solutions are after all
    /// other figures, and the columns that are not drawn are in their captions.
    Page,
}

impl Output {
    /// The names for `--output`.
    pub const NAMES: [(&str, Output); 6] = [
        ("lines", Output::Lines),
        ("csv", Output::Csv),
        ("json", Output::Json),
        ("drawing", Output::Drawing { color: false }),
        ("svg", Output::Svg),
        ("page", Output::Page),
    ];
}
