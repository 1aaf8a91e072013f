//! Settings that are decided once for all lines, from the options: how lines are read, which
//! puzzles are solved, and in which form output lines are written.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::answer::PuzzlesToSolve;
use super::input_form::FirstHeader;
use super::options::{Input, Options};
use super::output_form::{OutputForm, StatedRules};
use super::plain::PlainLines;
use super::rulesets::Rulesets;
use crate::text::columns::{Column, Need, OutputColumn};
use crate::text::forms::drawing;
use crate::text::record::{Field, FieldSet};
use crate::text::symbols::Case;
use engine::error::InvalidInput;
use engine::solver::Limits;

#[derive(Debug)]
pub(super) struct Settings {
    /// The columns are those of all output lines but the ones of [`StatedRules::InColumns`].
    pub options: Arc<Options>,
    pub input: Input,
    /// The fields of a record besides its puzzle.
    pub expected: FieldSet,
    /// Empty unless the input is CSV.
    pub csv_header: FirstHeader,
    pub rulesets: Rulesets,
    pub plain_lines: Option<PlainLines>,
    pub puzzles_to_solve: PuzzlesToSolve,
    /// The limits of the first search for each puzzle.
    pub limits: Limits,
    pub output: OutputForm,
    pub stated_rules: StatedRules,
    /// The hint about a column of the program that hides a field of the same name. Found once for
    /// CSV and `--fields`. `None` if there cannot be one.
    pub hidden_field: Option<OnceLock<Option<String>>>,
}

/// The maximum number of solutions that the first search stores with `--all`; see `enumerate.rs`.
pub(super) const MAX_STORED: u64 = 16;

impl Settings {
    pub fn new(mut options: Options, input: Input) -> Result<Settings, InvalidInput> {
        options.input = Some(input);
        let output = OutputForm::new(&options);
        let shows_columns = !options.columns.is_empty() && !output.copies_all_fields(&options);
        let can_hide_fields = shows_columns || options.deciding_columns().next().is_some();
        let columns = if options.columns.is_empty() {
            output.default_columns(&options)
        } else {
            options.columns.clone()
        };
        let stated_rules = StatedRules::new(&options, output, &columns);
        options.columns = columns;
        check_names(&options, output)?;
        check_tallied_names(&options)?;
        check_symbols(&options)?;
        if options.mode.needs_seed() {
            // Symmetries and candidates are drawn from the seed of their line.
            options.seed.get_or_insert(0);
        }
        let options = Arc::new(options);
        let puzzles_to_solve = PuzzlesToSolve::new(&options);
        Ok(Settings {
            rulesets: Rulesets::new(&options)?,
            plain_lines: PlainLines::new(&options, puzzles_to_solve),
            puzzles_to_solve,
            limits: limits(&options),
            output,
            stated_rules,
            hidden_field: can_hide_fields.then(OnceLock::new),
            input,
            expected: options.expected_fields(),
            csv_header: FirstHeader::default(),
            options,
        })
    }
}

impl Settings {
    /// True if the output shows the field of the constraints of a record.
    pub fn shows_constraints(&self) -> bool {
        let options = &self.options;
        let is_of_constraints = |name: &str| match (self.csv_header.get(), &options.field_names) {
            (Some(header), _) => {
                let index = header.index_of(name);
                index.and_then(|it| header.field_of(it)) == Some(Field::Constraints)
            }
            (None, Some(_)) => Field::named(name) == Some(Field::Constraints),
            (None, None) => options.header.are_of(Field::Constraints, name.as_bytes()),
        };
        let is_shown = |shown: &OutputColumn| match &shown.column {
            Column::Carried(name) => is_of_constraints(name),
            _ => false,
        };
        self.output.copies_all_fields(options)
            || options.columns.iter().any(is_shown)
            || (self.output.copies_records()
                && options.kept.names().iter().any(|name| is_of_constraints(name)))
    }
}

fn limits(options: &Options) -> Limits {
    // At least 2: with a limit of 1, the solver cannot decide `unique`, and does not report
    // solutions one by one.
    let solutions = match options.mode.max_solutions() {
        Some(max) => max.clamp(2, MAX_STORED),
        // One solution more than can be counted, to show that there are more.
        _ if options.needs(Need::Count) => options.max_count().saturating_add(1).max(2),
        _ => 2,
    };
    let shown = match options.mode.max_solutions() {
        Some(_) => solutions,
        _ if options.needs(Need::SecondSolution) => 2,
        _ => 1,
    };
    let mut limits = Limits::default().with_max_time(options.max_time);
    limits.max_guesses = options.max_guesses;
    (limits.solutions, limits.shown) = (solutions, shown);
    limits
}

fn check_names(options: &Options, output: OutputForm) -> Result<(), InvalidInput> {
    match repeated_name(&options.columns) {
        Some(name) if output.names_columns() => {
            Err(format!("-o has two columns named '{name}'; NAME=COLUMN renames one").into())
        }
        _ => Ok(()),
    }
}

/// Two columns with one name would make two tables with one name.
fn check_tallied_names(options: &Options) -> Result<(), InvalidInput> {
    match repeated_name(&options.tally) {
        Some(name) => {
            Err(format!("--tally has two columns named '{name}'; NAME=COLUMN renames one").into())
        }
        None => Ok(()),
    }
}

fn repeated_name(columns: &[OutputColumn]) -> Option<&str> {
    let mut seen = HashSet::new();
    columns.iter().map(|column| &*column.name).find(|name| !seen.insert(*name))
}

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
