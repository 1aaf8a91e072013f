//! The form of the input: how a source is cut into records, and what is particular to the records
//! of each form. `text/forms/` reads the forms, `fields.rs` splits records into fields.

use std::borrow::Cow;
use std::sync::OnceLock;

use super::options::{Input, Options};
use crate::error::{BoxError, escaped};
use crate::stream::FirstRecord;
use crate::stream::records::{BoxCutter, Record};
use crate::text::columns::Column;
use crate::text::foreign::refuse_save_file;
use crate::text::forms::csv::CsvHeader;
use crate::text::forms::csv::cutter::CsvCutter;
use crate::text::forms::drawing::{DrawingAlphabet, DrawingCutter};
use crate::text::forms::json::JsonObject;
use crate::text::forms::json::cutter::JsonCutter;
use crate::text::forms::lines::FieldNames;
use crate::text::header_names::HeaderNames;
use crate::text::record::{Field, OTHER_LINE_ENDS, has_inner_cr};
use crate::text::value::Value;

#[derive(Debug)]
pub(super) enum InputForm {
    /// The fields of a line have a fixed order.
    Lines,
    /// The user names the fields of a line.
    Named(FieldNames),
    Csv(CsvInput),
    Json,
    Drawn,
}

#[derive(Debug, Default)]
pub(super) struct CsvInput {
    /// The first header, and the index of its source.
    first: OnceLock<(usize, CsvHeader)>,
}

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

impl InputForm {
    pub fn of(options: &Options) -> InputForm {
        match &options.input {
            Input::Lines | Input::Auto => InputForm::Lines,
            Input::Named(names) => InputForm::Named(names.clone()),
            Input::Csv => InputForm::Csv(CsvInput::default()),
            Input::Json => InputForm::Json,
            Input::Drawn => InputForm::Drawn,
        }
    }

    /// Returns `None` if each line is a record.
    pub fn cutter(&self, options: &Options) -> Option<BoxCutter> {
        match self {
            InputForm::Lines | InputForm::Named(_) => None,
            InputForm::Csv(_) => Some(Box::new(CsvCutter)),
            InputForm::Json => Some(Box::new(JsonCutter::new(options.header.clone()))),
            InputForm::Drawn => {
                let alphabet =
                    DrawingAlphabet::new(options.alphabet.clone(), options.expected_fields());
                Some(Box::new(DrawingCutter::new(alphabet)))
            }
        }
    }

    /// Examines the first record of a source. Returns an error for a save file of another program,
    /// and for a CSV header that does not fit.
    pub fn open_source(
        &self,
        source: usize,
        first: FirstRecord<'_>,
        options: &Options,
    ) -> Result<(), BoxError> {
        match self {
            InputForm::Drawn => Ok(()),
            InputForm::Csv(csv) => {
                refuse_save_file(first.text)?;
                csv.add_header(source, first, options)
            }
            _ => refuse_save_file(first.text),
        }
    }

    /// Returns true for CSV and JSON: the input itself names its fields, a record can have several
    /// lines, and there are no comments.
    pub fn is_csv_or_json(&self) -> bool {
        matches!(self, InputForm::Csv(_) | InputForm::Json)
    }

    pub fn is_header(&self, record: &Record<'_>) -> bool {
        matches!(self, InputForm::Csv(_)) && record.line == 1
    }

    pub fn reason_for_overlong(&self, beginning: &[u8]) -> &'static str {
        if has_inner_cr(beginning) {
            OTHER_LINE_ENDS
        } else if self.is_csv_or_json() {
            "the record is longer than 1 MiB"
        } else {
            "the line is longer than 64 KiB"
        }
    }

    /// Returns `None` if no header is stored yet or the input is not CSV.
    pub fn header(&self) -> Option<&CsvHeader> {
        match self {
            InputForm::Csv(csv) => csv.first.get().map(|(_, header)| header),
            _ => None,
        }
    }

    /// The CSV header is written once, for the source that it is from.
    pub fn header_to_write(&self, source: usize) -> Option<&CsvHeader> {
        let InputForm::Csv(csv) = self else { return None };
        let (source_of_header, header) = csv.first.get()?;
        (*source_of_header == source).then_some(header)
    }

    /// `chosen` are the names that the user chooses.
    pub fn named_field<'v>(
        &self,
        name: &str,
        fields: &'v NamedFields<'_>,
        chosen: &HeaderNames,
    ) -> Option<NamedField<'v>> {
        let in_order = |index: usize| match fields {
            NamedFields::InOrder(fields) => fields.get(index).map(|it| Value::of_field(&**it)),
            _ => None,
        };
        Some(match (self, fields) {
            (InputForm::Named(names), _) => {
                let value = in_order(names.index_of(name)?);
                NamedField { read_as: Field::named(name), value }
            }
            (InputForm::Csv(_), _) => {
                let header = self.header()?;
                let index = header.index_of(name)?;
                NamedField { read_as: header.field_of(index), value: in_order(index) }
            }
            (_, NamedFields::Object(object)) if object.has_key(name) => {
                let value = Some(object.value(name));
                NamedField { read_as: object.field_of(name, chosen), value }
            }
            _ => return None,
        })
    }
}

impl CsvInput {
    /// Checks the header of a source, and stores it if it is the first one. All headers must be
    /// equal.
    fn add_header(
        &self,
        source: usize,
        line: FirstRecord<'_>,
        options: &Options,
    ) -> Result<(), BoxError> {
        // If a file has CR as its only line end, all of it is one line. `parse` reports this
        // better.
        if line.overlong && !has_inner_cr(line.text) {
            return Err("the header is longer than 1 MiB".into());
        }
        let header = CsvHeader::parse(line.text, &options.header)?;
        if options.verifies() {
            header.check_answers()?;
        }
        if options.shuffles() {
            header.check_only_answer(&options.header)?;
        }
        for shown in &options.columns {
            if let Column::Carried(name) = &shown.column
                && header.index_of(name).is_none()
            {
                let names = escaped(&header.line, MAX_SHOWN_HEADER);
                return Err(format!(
                    "neither the header nor the program has a column '{name}'; the header is {names}"
                )
                .into());
            }
        }
        let (_, first) = self.first.get_or_init(|| (source, header.clone()));
        if first.line != header.line {
            return Err(
                "its header differs from that of the file before it, so it is not read".into()
            );
        }
        Ok(())
    }
}
