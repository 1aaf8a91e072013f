//! The form of the input: how a source is cut into records, and what is particular to the records
//! of each form. `text/forms/` reads the forms, `fields.rs` splits records into fields.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::options::Input;
use super::settings::Settings;
use crate::stream::FirstRecord;
use crate::stream::records::{BoxCutter, Record};
use crate::text::columns::Column;
use crate::text::foreign::refuse_save_file;
use crate::text::forms::csv::CsvHeader;
use crate::text::forms::csv::cutter::CsvCutter;
use crate::text::forms::drawing::{DrawingAlphabet, DrawingCutter};
use crate::text::forms::json::JsonObject;
use crate::text::forms::json::cutter::JsonCutter;
use crate::text::notation::is_constraint_string;
use crate::text::record::{Field, has_inner_cr, reason_for_inner_cr};
use crate::text::value::Value;
use engine::error::{BoxError, escaped};

/// The first header of CSV, and the index of its source.
#[derive(Debug, Default)]
pub(super) struct FirstHeader(OnceLock<(usize, CsvHeader)>);

/// The fields of a record by their names, for columns that copy them.
#[derive(Clone, Default)]
pub(super) enum NamedFields<'a> {
    /// The record has no names, or could not be split.
    #[default]
    None,
    /// The fields that `--fields` or the header of CSV names, in this order. A line can have fewer.
    InOrder(Vec<Cow<'a, [u8]>>),
    Object(Box<JsonObject<'a>>),
}

pub(super) struct NamedField<'v> {
    pub read_as: Option<Field>,
    /// `None` if the record ends before the field.
    pub value: Option<Value<'v>>,
}

/// The maximum number of bytes of a header that a message shows.
const MAX_SHOWN_HEADER: usize = 200;

impl Input {
    /// The input names its fields, a record can have several lines, and there are no comments.
    pub(super) fn is_csv_or_json(self) -> bool {
        matches!(self, Input::Csv | Input::Json)
    }

    pub(super) fn is_header(self, record: &Record<'_>) -> bool {
        self == Input::Csv && record.line == 1
    }

    pub(super) fn reason_for_overlong(self, beginning: &[u8]) -> &'static str {
        match self {
            _ if has_inner_cr(beginning) => reason_for_inner_cr(beginning),
            Input::Csv => "the record is longer than 1 MiB",
            Input::Json => {
                "the record is longer than 1 MiB; if it is an array of puzzles within an object, \
                    --header puzzle=KEY names the key of their grids"
            }
            Input::Lines | Input::Drawn => "the line is longer than 64 KiB",
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Input::Lines => "lines",
            Input::Csv => "CSV",
            Input::Json => "JSON",
            Input::Drawn => "drawings",
        }
    }

    pub(super) fn option(self) -> &'static str {
        match self {
            Input::Lines => "--input lines",
            Input::Csv => "--csv",
            Input::Json => "--json",
            Input::Drawn => "--input grid",
        }
    }
}

/// Returns `None` if each line is a record.
pub(super) fn cutter(settings: &Settings) -> Option<BoxCutter> {
    let options = &settings.options;
    match settings.input {
        Input::Lines => None,
        Input::Csv => Some(Box::new(CsvCutter::new(options.header.clone(), options.lenient))),
        Input::Json => {
            let (names, alphabet) = (options.header.clone(), options.alphabet.clone());
            Some(Box::new(JsonCutter::new(names, alphabet).with_prompts(options.lenient)))
        }
        Input::Drawn => {
            let (fields, sizes) = (settings.expected, settings.rulesets.sizes);
            let alphabet = DrawingAlphabet::new(options.alphabet.clone(), fields, sizes);
            Some(Box::new(DrawingCutter::new(alphabet)))
        }
    }
}

/// Returns an error for a save file of another program, or a CSV header that does not fit.
pub(super) fn open_source(
    settings: &Settings,
    source: usize,
    first: FirstRecord<'_>,
) -> Result<(), BoxError> {
    match settings.input {
        Input::Drawn => Ok(()),
        Input::Lines | Input::Json => refuse_save_file(first.text),
        Input::Csv => {
            refuse_save_file(first.text)?;
            settings.csv_header.add(source, first, settings)
        }
    }
}

impl<'a> NamedFields<'a> {
    pub fn field(&self, name: &str, settings: &Settings) -> Option<NamedField<'_>> {
        match self {
            NamedFields::None => None,
            NamedFields::InOrder(fields) => {
                let (index, read_as) = match settings.csv_header.get() {
                    Some(header) => {
                        let index = header.index_of(name)?;
                        (index, header.field_of(index))
                    }
                    None => {
                        let names = settings.options.field_names.as_ref()?;
                        (names.index_of(name)?, Field::named(name))
                    }
                };
                let value = fields.get(index).map(|it| Value::of_field(&**it));
                Some(NamedField { read_as, value })
            }
            NamedFields::Object(object) if object.has_key(name) => Some(NamedField {
                read_as: object.field_of(name, &settings.options.header),
                value: Some(object.value(name)),
            }),
            NamedFields::Object(_) => None,
        }
    }
}

impl NamedFields<'_> {
    /// Returns the reason why a record is invalid that has a constraint string in a field which is
    /// not read. A copy of a field that is read needs no reading.
    pub fn unread_constraints(&self, settings: &Settings) -> Option<String> {
        let (name, has_constraints) = match self {
            NamedFields::None => return None,
            NamedFields::InOrder(fields) => unread_constraints_of(fields, settings)?,
            NamedFields::Object(object) => {
                let names = &settings.options.header;
                let key = object.unread_constraints(names)?;
                (key.to_string(), object.has_field(Field::Constraints, names))
            }
        };
        let remedy = match settings.options.field_names {
            _ if has_constraints => "only one field of constraints is read".to_string(),
            Some(_) => "the name 'constraints' in --fields reads them".to_string(),
            None => format!("--header constraints={name} reads them"),
        };
        Some(format!("'{name}' holds rules that are not read; {remedy}"))
    }
}

/// Returns the name of a field with an unread constraint string, and true if another field of
/// constraints is read.
fn unread_constraints_of(fields: &[Cow<'_, [u8]>], settings: &Settings) -> Option<(String, bool)> {
    let index = fields.iter().position(|field| is_constraint_string(field))?;
    let is_read = |index: usize| field_at(index, settings).is_some();
    let is_copy = |text: &[u8]| (0..fields.len()).any(|it| *fields[it] == *text && is_read(it));
    let is_unread =
        |&it: &usize| is_constraint_string(&fields[it]) && !is_read(it) && !is_copy(&fields[it]);
    let unread = (index..fields.len()).find(is_unread)?;
    let is_constraints = |it: usize| field_at(it, settings) == Some(Field::Constraints);
    Some((name_at(unread, settings)?, (0..fields.len()).any(is_constraints)))
}

fn field_at(index: usize, settings: &Settings) -> Option<Field> {
    match settings.csv_header.get() {
        Some(header) => header.field_of(index),
        None => Field::named(settings.options.field_names.as_ref()?.name(index)),
    }
}

fn name_at(index: usize, settings: &Settings) -> Option<String> {
    Some(match settings.csv_header.get() {
        Some(header) => header.name(index).escape_ascii().to_string(),
        None => settings.options.field_names.as_ref()?.name(index).to_string(),
    })
}

impl FirstHeader {
    /// Returns `None` if no header is read yet or the input is not CSV.
    pub fn get(&self) -> Option<&CsvHeader> {
        self.0.get().map(|(_, header)| header)
    }

    /// Returns `None` if the header is that of another source.
    pub fn of_source(&self, source: usize) -> Option<&CsvHeader> {
        let (first, header) = self.0.get()?;
        (*first == source).then_some(header)
    }

    /// All headers must be equal. Stores the first.
    fn add(
        &self,
        source: usize,
        line: FirstRecord<'_>,
        settings: &Settings,
    ) -> Result<(), BoxError> {
        let options = &settings.options;
        // A file with CR as its only line end is one line, which `parse` reports better.
        if line.overlong && !has_inner_cr(line.text) {
            return Err("the header is longer than 1 MiB".into());
        }
        let header = CsvHeader::parse(line.text, &options.header)?;
        if options.mode.checks_answers() {
            header.check_answers()?;
        }
        if options.mode.writes_equivalents() {
            header.check_only_answer(&options.header)?;
        }
        for column in settings.columns.iter() {
            if let Column::Carried(name) = column
                && header.index_of(name).is_none()
            {
                let names = escaped(&header.line, MAX_SHOWN_HEADER);
                return Err(format!(
                    "neither the header nor the program has a column '{name}'; the header is {names}"
                )
                .into());
            }
        }
        let is_missing = |name: &&String| header.index_of(name).is_none();
        if let Some(name) = options.kept.names().iter().find(is_missing) {
            let names = escaped(&header.line, MAX_SHOWN_HEADER);
            return Err(format!(
                "--keep: the header has no column '{name}'; the header is {names}"
            )
            .into());
        }
        let (_, first) = self.0.get_or_init(|| (source, header.clone()));
        if first.line != header.line {
            return Err(
                "its header differs from that of the file before it, so it is not read".into()
            );
        }
        Ok(())
    }
}
