//! Settings that are decided once for all lines, from the options: how lines are read, which
//! puzzles are solved, and in which form output lines are written.

use std::collections::HashSet;
use std::sync::{Arc, OnceLock};

use super::answer::PuzzlesToSolve;
use super::batch::RunSeed;
use super::first_header::FirstHeader;
use super::mode::AnswerUse;
use super::options::{Input, Options};
use super::output_form::{OutputForm, RulesPlace};
use super::plain::PlainLines;
use super::rulesets::Rulesets;
use super::used_columns::UsedColumns;
use crate::text::columns::{Column, Need, OutputColumn};
use crate::text::forms::drawing;
use crate::text::kept_fields::KeptFields;
use crate::text::record::{Field, FieldSet};
use crate::text::symbols::Case;
use engine::error::{BoxError, InvalidInput};
use engine::solver::{Limits, Method};

#[derive(Debug)]
pub(super) struct Settings {
    /// As the user has given them.
    pub options: Arc<Options>,
    pub input: Input,
    /// The columns that the user names, or the default ones.
    pub columns: UsedColumns,
    /// The fields of a record besides its puzzle: a layout or `-`, cages or `-`, and an answer.
    /// They follow the puzzle in this order if the input does not name its fields.
    pub expected: FieldSet,
    /// True for lines without `--fields`.
    pub has_unnamed_fields: bool,
    pub seed: RunSeed,
    /// Empty unless the input is CSV.
    pub csv_header: FirstHeader,
    pub rulesets: Rulesets,
    pub plain_lines: Option<PlainLines>,
    pub puzzles_to_solve: PuzzlesToSolve,
    /// The limits of the first search for each puzzle.
    pub limits: Limits,
    pub output: OutputForm,
    pub rules_place: RulesPlace,
    /// The hint about a column of the program that hides a field of the same name. Found once for
    /// CSV and `--fields`. `None` if there cannot be one.
    pub hidden_field: Option<OnceLock<Option<String>>>,
}

/// The maximum number of solutions that the first search stores with `--all`; see `enumerate.rs`.
pub(super) const MAX_STORED: u64 = 16;

impl Settings {
    pub fn new(options: &Arc<Options>, input: Input) -> Result<Settings, InvalidInput> {
        let output = OutputForm::new(options, input);
        let columns = match options.columns.is_empty() {
            true => output.default_columns(options),
            false => options.columns.clone(),
        };
        let rules_place = RulesPlace::new(options, output, &columns);
        check_names(&columns, output)?;
        check_tallied_names(options)?;
        check_symbols(options, input)?;
        let columns = UsedColumns::new(columns, options);
        let expected = expected_fields(options, &columns);
        let seed = seed(options);
        let puzzles_to_solve = PuzzlesToSolve::new(options.mode, &columns);
        let has_unnamed_fields = input == Input::Lines && options.field_names.is_none();
        let plain_lines = || PlainLines::new(options, expected, seed, puzzles_to_solve);
        Ok(Settings {
            rulesets: Rulesets::new(options)?,
            plain_lines: has_unnamed_fields.then(plain_lines).flatten(),
            puzzles_to_solve,
            limits: limits(options, &columns),
            output,
            rules_place,
            hidden_field: can_hide_fields(options, output).then(OnceLock::new),
            input,
            columns,
            expected,
            has_unnamed_fields,
            seed,
            csv_header: FirstHeader::default(),
            options: Arc::clone(options),
        })
    }

    /// Returns an error if the run asks for something that does not know the constraints that a
    /// puzzle states: techniques of a person and symmetries.
    pub fn check_stated(&self) -> Result<(), BoxError> {
        let of_symmetry = [Column::Canonical, Column::Image, Column::Automorphisms];
        // What techniques find without these rules holds with them, as a reason.
        let is_of_techniques = |column: &Column| {
            column.needs().contains(&Need::Techniques) && *column != Column::Reason
        };
        let needs_techniques =
            self.columns.iter().any(is_of_techniques) || self.options.method == Method::Pencil;
        if needs_techniques {
            return Err("the techniques of a person do not know its rules".into());
        }
        match self.columns.have_any_of(&of_symmetry) {
            true => Err("the symmetries of its rules are not known".into()),
            false => Ok(()),
        }
    }

    /// True if the output has every field of the input.
    pub fn copies_all_fields(&self) -> bool {
        self.output.copies_all_fields(&self.options)
    }

    /// True if an object of the output can have keys of that of the input.
    pub fn copies_keys(&self) -> bool {
        let is_carried = |shown: &OutputColumn| matches!(shown.column, Column::Carried(_));
        let keeps_some = self.output.copies_records()
            && (self.options.kept == KeptFields::All || !self.options.kept.names().is_empty());
        self.output.has_objects() && (keeps_some || self.columns.shown.iter().any(is_carried))
    }

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
        self.copies_all_fields()
            || self.columns.shown.iter().any(is_shown)
            || (self.output.copies_records()
                && options.kept.names().iter().any(|name| is_of_constraints(name)))
    }
}

fn can_hide_fields(options: &Options, output: OutputForm) -> bool {
    let shows_columns = !options.columns.is_empty() && !output.copies_all_fields(options);
    shows_columns || options.deciding_columns().next().is_some()
}

fn expected_fields(options: &Options, columns: &UsedColumns) -> FieldSet {
    FieldSet {
        answer: match options.mode.row().answer {
            AnswerUse::Checked => true,
            AnswerUse::Transformed => columns.have(&Column::Answer),
            AnswerUse::Copied => false,
        },
        are_prose: options.lenient,
        ..options.fields_of_rules()
    }
}

fn seed(options: &Options) -> RunSeed {
    // Symmetries and candidates are drawn from the seed of their line.
    RunSeed(options.seed.or(options.mode.needs_seed().then_some(0)))
}

fn limits(options: &Options, columns: &UsedColumns) -> Limits {
    // At least 2: with a limit of 1, the solver cannot decide `unique`, and does not report
    // solutions one by one.
    let solutions = match options.mode.max_solutions() {
        Some(max) => max.clamp(2, MAX_STORED),
        // One solution more than can be counted, to show that there are more.
        _ if columns.need(Need::Count) => options.max_count().saturating_add(1).max(2),
        _ => 2,
    };
    let shown = match options.mode.max_solutions() {
        Some(_) => solutions,
        _ if columns.need(Need::SecondSolution) => 2,
        _ => 1,
    };
    let mut limits = Limits::default().with_max_time(options.max_time);
    limits.max_guesses = options.max_guesses;
    (limits.solutions, limits.shown) = (solutions, shown);
    limits
}

fn check_names(columns: &[OutputColumn], output: OutputForm) -> Result<(), InvalidInput> {
    match repeated_name(columns) {
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

fn check_symbols(options: &Options, input: Input) -> Result<(), InvalidInput> {
    let mut symbols = options.alphabet.symbols(Case::default()).iter();
    match symbols.find(|&&symbol| drawing::is_reserved(symbol)) {
        Some(&symbol) if input == Input::Drawn => {
            let symbol = symbol.escape_ascii();
            Err(format!(
                "--symbols with '{symbol}' cannot be used with --input grid, where '{symbol}' is part of the drawing"
            )
            .into())
        }
        _ => Ok(()),
    }
}
