//! Settings that are decided once for all lines, from the options: how lines are read, and in which
//! form output lines are written.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::input_form::FirstHeader;
use super::options::{Input, Mode, Options, Output};
use super::plain;
use super::rulesets::Rulesets;
use crate::error::InvalidInput;
use crate::random::Random;
use crate::text::columns::{Column, OutputColumn};
use crate::text::forms::drawing;
use crate::text::symbols::Case;

#[derive(Debug)]
pub(super) struct Settings {
    pub options: Arc<Options>,
    pub input: Input,
    /// Empty unless the input is CSV.
    pub csv_header: FirstHeader,
    pub rulesets: Rulesets,
    pub reads_plain_lines: bool,
    /// True if an output line is a solution (with `--verify`, an answer) and its status.
    pub has_default_columns: bool,
    pub solves_checked: bool,
    /// True if a column that the user names can have the name of a field that the output lacks.
    pub hides_fields: bool,
    /// The hint about such a column, found once for all records of CSV or `--fields`.
    pub hidden_field: OnceLock<Option<String>>,
    /// True if a column shows the difficulty.
    pub rates: bool,
    /// True if a column shows the number of givens.
    pub counts_givens: bool,
    pub output: Output,
    pub copies_records: bool,
    /// True if a page has the solutions after all puzzles: if the user names no columns.
    pub moves_solutions: bool,
    /// True if the output shows the rules that a puzzle field states or includes: in the modes that
    /// write puzzles, if the user names no columns and grids are not drawn.
    pub puzzle_has_rules: bool,
    /// The columns for a puzzle whose field states its rules: those of the options, with the layout
    /// and the cages after the puzzle.
    pub columns_with_rules: Vec<OutputColumn>,
}

impl Settings {
    /// `input` is the form of a source, which can have been recognised.
    pub fn new(mut options: Options, input: Input) -> Result<Settings, InvalidInput> {
        options.input = Some(input);
        let writes_puzzles =
            !matches!(options.mode, Mode::Solve | Mode::Verify { .. } | Mode::All(_));
        // Decided before the columns get their defaults, because an empty list means that the user
        // named no columns.
        let hides_fields = !options.columns.is_empty() && !options.copies_records();
        let puzzle_has_rules = writes_puzzles && options.columns.is_empty() && !options.draws();
        let moves_solutions = options.form() == Output::Page
            && options.mode == Mode::Solve
            && options.columns.is_empty();
        if options.columns.is_empty() {
            let columns = options.default_columns().into_iter();
            options.columns = columns.map(OutputColumn::from).collect();
        }
        check_names(&options)?;
        if options.shuffles() {
            // The symmetries of a puzzle are drawn from its seed, so every puzzle must have one.
            options.seed.get_or_insert(0);
        }
        check_symbols(&options)?;
        let options = Arc::new(options);
        Ok(Settings {
            rulesets: Rulesets::new(&options)?,
            reads_plain_lines: plain::are_read(&options),
            has_default_columns: has_default_columns(&options),
            hides_fields,
            hidden_field: OnceLock::new(),
            solves_checked: options.solves_checked(),
            rates: [Column::Difficulty, Column::Class].iter().any(|column| options.shows(column)),
            counts_givens: [Column::Givens, Column::Blanks]
                .iter()
                .any(|column| options.shows(column)),
            output: options.form(),
            copies_records: options.copies_records(),
            moves_solutions,
            puzzle_has_rules,
            columns_with_rules: columns_with_rules(&options.columns),
            input,
            csv_header: FirstHeader::default(),
            options,
        })
    }

    pub fn has_unnamed_fields(&self) -> bool {
        self.input == Input::Lines && self.options.field_names.is_none()
    }

    /// Returns the seed of a record. It depends on the number of the record in the whole input, so
    /// the output does not depend on how the input is cut into tasks.
    pub fn seed_of(&self, number: u64) -> Option<u64> {
        self.options.seed.map(|seed| Random::seed_of_line(seed, number))
    }
}

fn has_default_columns(options: &Options) -> bool {
    let columns = options.columns.iter().map(|shown| &shown.column);
    options.form() == Output::Lines
        && matches!(options.mode, Mode::Solve | Mode::Verify { unique: false })
        && columns.eq(&options.mode.columns())
        && options.shown.is_none()
}

/// The layout and the cages follow the puzzle, unless they are columns already.
fn columns_with_rules(columns: &[OutputColumn]) -> Vec<OutputColumn> {
    let mut with_rules = columns.to_vec();
    for (before, added) in [(Column::Puzzle, Column::Regions), (Column::Regions, Column::Cages)] {
        let index_of = |column| with_rules.iter().position(|shown| shown.column == column);
        if let (Some(index), None) = (index_of(before), index_of(added.clone())) {
            with_rules.insert(index + 1, added.into());
        }
    }
    with_rules
}

fn check_names(options: &Options) -> Result<(), InvalidInput> {
    if !matches!(options.form(), Output::Csv | Output::Json) {
        return Ok(());
    }
    let mut seen = HashSet::new();
    let mut names = options.columns.iter().map(|shown| &shown.name);
    match names.find(|name| !seen.insert(*name)) {
        Some(name) => {
            Err(format!("-o has two columns named '{name}'; NAME=COLUMN renames one").into())
        }
        None => Ok(()),
    }
}

/// The symbol of a digit must not be a border or heading character of drawings.
fn check_symbols(options: &Options) -> Result<(), InvalidInput> {
    let mut symbols = options.alphabet.symbols(Case::default()).iter();
    match symbols.find(|&&symbol| drawing::is_reserved(symbol)) {
        Some(&symbol) if options.input == Some(Input::Drawn) => {
            let symbol = symbol.escape_ascii();
            Err(format!(
                "--symbols with '{symbol}' cannot be used with --input grid, where '{symbol}' is part of the drawing"
            )
            .into())
        }
        _ => Ok(()),
    }
}
