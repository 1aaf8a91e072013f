//! The value of each column: one table. It asks the entry, its fields as the line shows them
//! (`shown.rs`), and what was found about its puzzle (`puzzle_findings.rs`). `output_line.rs`
//! writes these values in the form of the output.

use std::borrow::Cow;

use super::puzzle_findings::PuzzleFindings;
use super::shown::ShownFields;
use crate::pipeline::entry::{Entry, TaskEntries};
use crate::pipeline::forms::named::{NamedField, NamedFields};
use crate::pipeline::mode::AnswerUse;
use crate::pipeline::output_form::RulesPlace;
use crate::pipeline::settings::Settings;
use crate::text::columns::{Column, OutputColumn};
use crate::text::forms::json::JsonObject;
use crate::text::record::Field;
use crate::text::value::Value;
use engine::error::escaped;
use engine::verdict::Status;

/// An entry, and what one of its output lines shows of it.
pub(in crate::pipeline) struct EntryView<'p, 'a> {
    pub settings: &'p Settings,
    pub entries: &'p TaskEntries<'a>,
    pub entry: &'p Entry<'a>,
    pub status: Status,
    /// `None` if the record is rejected.
    pub found: Option<PuzzleFindings<'p, 'a>>,
    pub named: &'p NamedFields<'a>,
}

impl<'p, 'a> EntryView<'p, 'a> {
    pub fn columns(&self) -> &'p [OutputColumn] {
        match &self.settings.rules_place {
            RulesPlace::InColumns(columns) if self.is_described() => columns,
            _ => &self.settings.columns.shown,
        }
    }

    /// Returns the value of each column, with a rejected line in place of the first grid. Except in
    /// CSV and JSON, spaces take the place of line ends.
    pub fn values(&self) -> impl Iterator<Item = Value<'_>> {
        let columns = self.columns();
        let first_grid = if self.found.is_none() {
            columns.iter().position(|shown| shown.column.shows_grid())
        } else {
            None
        };
        let indexed = columns.iter().enumerate();
        indexed.map(move |(index, shown)| {
            if Some(index) == first_grid {
                return self.rejected_line();
            }
            self.written_value(&shown.column)
        })
    }

    /// Returns the value as an output line shows it: except in CSV and JSON, spaces take the place
    /// of line ends. Does not show a rejected line in place of a grid.
    pub fn written_value(&self, column: &Column) -> Value<'_> {
        let value = self.value(column);
        // Only these columns can have line ends. `Input`, the whole line, keeps its tabs.
        let replaced: &[u8] = match column {
            Column::Input if self.settings.input.names_fields() => b"\n\r",
            Column::Input => b"\n",
            Column::Carried(_) | Column::Regions => b"\t\n\r",
            _ => return value,
        };
        let quotes_line_ends = self.settings.output.names_columns();
        match value {
            Value::Text(text) | Value::Json { text, .. } if !quotes_line_ends => {
                Value::of_field(with_spaces(text, replaced))
            }
            value => value,
        }
    }

    /// True if all conditions hold (`--where`).
    pub fn is_chosen(&self) -> bool {
        let mut conditions = self.settings.options.conditions.iter();
        conditions.all(|condition| condition.holds(&self.written_value(&condition.column)))
    }

    /// Does not show a rejected line in place of a grid.
    pub fn value(&self, column: &Column) -> Value<'_> {
        self.known_value(column).unwrap_or_default()
    }

    /// The table of all columns. `None` for a value that is missing.
    fn known_value(&self, column: &Column) -> Option<Value<'_>> {
        let found = || self.found.as_ref();
        Some(match column {
            // The record.
            Column::Input => Value::Text(self.line()),
            Column::File => Value::text(escaped(self.entries.task.source_name, usize::MAX)),
            Column::Line => Value::Integer(self.entry.line_number),
            Column::Carried(name) => self.carried(name)?,
            Column::Rest => Value::of_field(found()?.question.rest),
            // The puzzle, as the line shows it.
            Column::Puzzle => found()?.fields.puzzle_column(self.named.header(), self.settings),
            Column::Answer => Value::grid(found()?.fields.answer),
            Column::Regions => Value::of_field(self.regions_column(found()?)),
            // The puzzle has them, and a reader expects no field for them after it.
            Column::Cages if self.puzzle_states_cages() => return None,
            Column::Cages => found()?.fields.cages_column(self.has_objects()),
            Column::Givens => Value::number(found()?.number_of_givens()),
            Column::Blanks => Value::number(found()?.number_of_blanks()),
            // What the solvers found.
            Column::Status => Value::Text(self.status.name().as_bytes().into()),
            Column::Reason => match self.entries.rejected(self.entry) {
                Some(rejected) => Value::Text(rejected.reason.as_bytes().into()),
                None => found()?.reason()?,
            },
            Column::Solution => {
                let found = found()?;
                found.solution().unwrap_or_else(|| found.fields.grid())
            }
            Column::Second => found()?.second()?,
            Column::Differ => found()?.puzzle?.differing_cells()?,
            Column::Solutions => found()?.number_of_solutions()?,
            Column::Guesses => Value::Integer(found()?.puzzle?.details().guesses),
            Column::Candidates => found()?.candidates()?,
            Column::Minimal => Value::text(found()?.puzzle?.is_minimal()?),
            Column::Redundant => found()?.puzzle?.redundant_clues()?,
            // The answer.
            Column::Matching => Value::number(found()?.matching()?),
            Column::Score => Value::Decimal(found()?.score()?),
            Column::Conflicts => Value::number(found()?.conflicting()?.len()),
            Column::Conflicting => found()?.places(found()?.conflicting()?.iter().copied())?,
            Column::Wrong => found()?.wrong_cells()?,
            // The solution of a person.
            Column::Grade => Value::text(found()?.person_solution()?.grade),
            Column::Level => Value::number(found()?.person_solution()?.level?),
            Column::Steps => Value::Integer(found()?.person_solution()?.number_of_steps.into()),
            Column::Hint => found()?.next_step()?,
            Column::Path => found()?.path()?,
            Column::Techniques | Column::Boards => found()?.steps(column)?,
            Column::Reached | Column::ReachedCandidates => found()?.reached(column)?,
            Column::Pencilmarks => found()?.pencilmarks()?,
            // The rating.
            Column::Difficulty => Value::Decimal(found()?.known_rating()?.difficulty.to_string()),
            Column::Pearl => Value::Decimal(found()?.known_rating()?.pearl.to_string()),
            Column::Diamond => Value::Decimal(found()?.known_rating()?.diamond.to_string()),
            Column::Hardest => Value::text(found()?.known_rating()?.hardest?.name()),
            Column::Class => Value::text(found()?.class()?),
            // Symmetries.
            Column::Canonical => found()?.canonical()?,
            Column::Image => found()?.image()?,
            Column::Automorphisms => Value::Integer(found()?.canonical_image()?.automorphisms),
        })
    }

    fn line(&self) -> Cow<'p, [u8]> {
        self.entry.line.into()
    }

    /// Spaces take the place of tabs and line ends, except in JSON, which escapes them. A line with
    /// a CR within is shown as it is: no field of it was read.
    fn rejected_line(&self) -> Value<'p> {
        match self.line() {
            line if line.is_empty() => Value::Missing,
            line if self.has_objects() => Value::Text(line),
            line if self.settings.input.names_fields() => Value::Text(with_spaces(line, b"\t\n\r")),
            line => Value::Text(with_spaces(line, b"\t\n")),
        }
    }

    pub fn states_rules(&self) -> bool {
        self.fields().is_some_and(|it| it.is_described || !it.ruleset.added_variants().is_empty())
    }

    /// `None` if the record is rejected.
    pub fn fields(&self) -> Option<&'p ShownFields<'p>> {
        self.found.as_ref().map(|found| found.fields)
    }

    fn is_described(&self) -> bool {
        self.fields().is_some_and(|fields| fields.is_described)
    }

    fn rules_in_puzzle(&self) -> Option<&'p [u8]> {
        self.fields()?.rules_in_puzzle()
    }

    /// True if the puzzle field states the rules, and the output line has fields for them.
    pub fn writes_rules_as_fields(&self) -> bool {
        self.is_described() && !matches!(self.settings.rules_place, RulesPlace::Hidden)
    }

    /// True if the output line has the puzzle, and its variants are in other fields of the record.
    pub fn hides_variants(&self) -> bool {
        let settings = self.settings;
        settings.columns.have(&Column::Puzzle)
            && !settings.copies_all_fields()
            && !settings.output.draws()
            && self.rules_in_puzzle().is_none()
    }

    /// True for a constraint string in the usual columns of new puzzles.
    fn puzzle_states_cages(&self) -> bool {
        self.rules_in_puzzle().is_some() && !matches!(self.settings.rules_place, RulesPlace::Hidden)
    }

    pub fn shows_equivalent(&self) -> bool {
        self.settings.options.mode.writes_equivalents() && self.found.is_some()
    }

    fn has_objects(&self) -> bool {
        self.settings.output.has_objects()
    }

    /// Returns the digits of an answer that is shown as it was read. `None` if it is no grid of the
    /// side of the puzzle.
    pub fn digits_of_answer(&self, answer: &[u8]) -> Option<Vec<u8>> {
        let found = self.found.as_ref()?;
        let alphabet = self.settings.options.alphabet.of_case(found.question.symbols.case);
        let (side, mut digits) = (found.fields.ruleset.rules.side(), Vec::new());
        alphabet.read(answer, side, &mut digits).is_ok().then_some(digits)
    }

    /// The layout of `--regions` comes before that of the equivalent or the line.
    fn regions_column(&self, found: &PuzzleFindings<'p, 'a>) -> &'p [u8] {
        let options = &self.settings.options;
        match &options.regions {
            Some(regions) if options.variants.have_regions() => regions,
            _ => found.fields.regions,
        }
    }

    /// With `--shuffle`, the puzzle, its layout, cages or answer are those of the equivalent.
    fn carried(&self, name: &str) -> Option<Value<'_>> {
        let NamedField { read_as, value } = self.named.field(name, self.settings)?;
        let Some(fields) = self.fields().filter(|_| self.shows_equivalent()) else {
            return value;
        };
        match read_as {
            None | Some(Field::Variant) => value,
            Some(Field::Constraints) => fields.constraints_field().or(value),
            Some(Field::Puzzle) => Some(fields.grid()),
            Some(Field::Answer) => Some(Value::grid(fields.answer)),
            Some(Field::Regions) => Some(Value::of_field(fields.regions)),
            Some(Field::Cages) => self.known_value(&Column::Cages),
        }
    }

    /// `is_written` is false for a line that is left out: a column that decided on it can have no
    /// value.
    pub fn hint(&self, is_written: bool) -> Option<String> {
        if let Some(message) = self.found.as_ref().and_then(PuzzleFindings::lacks_by_time) {
            return Some(message.into());
        }
        match self.named {
            NamedFields::None => None,
            // All records have the same names.
            NamedFields::InOrder { .. } => {
                let hidden = self.settings.hidden_field.as_ref()?;
                hidden.get_or_init(|| self.hidden_field()).clone()
            }
            NamedFields::Object(object) => {
                let lacking = |column: &'p Column| match column {
                    Column::Carried(key) if !object.has_key(key) => Some(key),
                    _ => None,
                };
                let mut shown = if is_written { self.columns() } else { &[] }.iter();
                let null = shown.find_map(|shown| lacking(&shown.column));
                let options = &self.settings.options;
                let kept = || options.kept.names().iter().find(|key| !object.has_member(key));
                let missing = || options.deciding_columns().find_map(lacking).or_else(kept);
                null.map(|key| format!("the object has no key '{key}', so this column is null"))
                    .or_else(|| {
                        Some(format!("the object has no key '{}', so it has no value", missing()?))
                    })
                    .or_else(|| {
                        self.settings.hidden_field.as_ref()?;
                        self.hidden_field()
                    })
            }
        }
    }

    fn hidden_field(&self) -> Option<String> {
        let hidden_by = |column: &Column| match column {
            // These show fields of the input.
            Column::Puzzle | Column::Regions | Column::Cages | Column::Answer => None,
            Column::Carried(_) | Column::Input | Column::Rest => None,
            column => {
                let name = column.to_string();
                let is_used = self.settings.columns.have(&Column::Carried(name.clone()));
                (!is_used && self.has_unread_field(&name)).then_some(name)
            }
        };
        let message = |name, option| {
            format!(
                "the column {name} is that of the program; {option}input.{name} is that of the input"
            )
        };
        // A copied field is not hidden.
        let copies = self.settings.output.copies_records();
        let is_copied = |name: &String| copies && self.settings.options.kept.has(name.as_bytes());
        let hidden = |shown: &OutputColumn| hidden_by(&shown.column).filter(|it| !is_copied(it));
        let of_shown = self.columns().iter().find_map(hidden);
        of_shown.map(|name| message(name, "-o ")).or_else(|| {
            let name = self.settings.options.deciding_columns().find_map(hidden_by)?;
            Some(message(name, ""))
        })
    }

    /// True for a field that is not read as a puzzle, its rules or its answer.
    fn has_unread_field(&self, name: &str) -> bool {
        let options = &self.settings.options;
        let reads_answers = options.mode.row().answer != AnswerUse::Copied;
        let field = self.named.field(name, self.settings);
        field.is_some_and(|field| match field.read_as {
            None => true,
            Some(Field::Answer) => !reads_answers,
            Some(_) => false,
        })
    }

    pub fn object(&self) -> Option<&'p JsonObject<'a>> {
        match self.named {
            NamedFields::Object(object) => Some(object),
            _ => None,
        }
    }
}

fn with_spaces<'t>(mut text: Cow<'t, [u8]>, replaced: &[u8]) -> Cow<'t, [u8]> {
    let is_replaced = |byte: &u8| replaced.contains(byte);
    if text.iter().any(is_replaced) {
        let replaced = text.to_mut().iter_mut().filter(|byte| is_replaced(byte));
        replaced.for_each(|byte| *byte = b' ');
    }
    text
}
