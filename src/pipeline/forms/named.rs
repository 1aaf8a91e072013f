//! The fields of a record by their names, in the forms that have names: for columns that copy them,
//! and for what is found in those that are not read.

use std::borrow::Cow;

use crate::pipeline::settings::Settings;
use crate::text::forms::csv::CsvHeader;
use crate::text::forms::json::JsonObject;
use crate::text::forms::lines::FieldNames;
use crate::text::record::Field;
use crate::text::value::Value;

#[derive(Clone, Default)]
pub(in crate::pipeline) enum NamedFields<'a> {
    /// The record has no names, or could not be split.
    #[default]
    None,
    /// The fields in the order of their names. A line can have fewer.
    InOrder {
        names: Names<'a>,
        fields: Vec<Cow<'a, [u8]>>,
    },
    Object(Box<JsonObject<'a>>),
}

pub(in crate::pipeline) struct NamedField<'v> {
    pub read_as: Option<Field>,
    /// `None` if the record ends before the field.
    pub value: Option<Value<'v>>,
}

impl<'a> NamedFields<'a> {
    /// Returns the header that names the fields.
    pub fn header(&self) -> Option<&'a CsvHeader> {
        match *self {
            NamedFields::InOrder { names: Names::Header(header), .. } => Some(header),
            _ => None,
        }
    }

    pub fn field(&self, name: &str, settings: &Settings) -> Option<NamedField<'_>> {
        match self {
            NamedFields::None => None,
            NamedFields::InOrder { names, fields } => {
                let index = names.index_of(name)?;
                let value = fields.get(index).map(|it| Value::of_field(&**it));
                Some(NamedField { read_as: names.field_of(index), value })
            }
            NamedFields::Object(object) if object.has_key(name) => Some(NamedField {
                read_as: object.field_of(name, &settings.options.header),
                value: Some(object.value(name)),
            }),
            NamedFields::Object(_) => None,
        }
    }
}

/// The names of fields that have an order.
#[derive(Clone, Copy)]
pub(in crate::pipeline) enum Names<'s> {
    /// The header of CSV.
    Header(&'s CsvHeader),
    /// `--fields`.
    Option(&'s FieldNames),
}

impl Names<'_> {
    pub fn index_of(self, name: &str) -> Option<usize> {
        match self {
            Names::Header(header) => header.index_of(name),
            Names::Option(names) => names.index_of(name),
        }
    }

    pub fn name(self, index: usize) -> String {
        match self {
            Names::Header(header) => header.name(index).escape_ascii().to_string(),
            Names::Option(names) => names.name(index).to_string(),
        }
    }

    /// Returns what the field at this index is read as, if it is read.
    pub fn field_of(self, index: usize) -> Option<Field> {
        match self {
            Names::Header(header) => header.field_of(index),
            Names::Option(names) => Field::named(names.name(index)),
        }
    }

    /// Returns the name of the first column of CSV that neither is read nor has values of the
    /// program, and that has such a field. The fields of `--fields` are what the user says.
    pub fn find_unread(
        self,
        fields: &[Cow<'_, [u8]>],
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Option<String> {
        let Names::Header(header) = self else { return None };
        let index = header.unread().find(|&index| is_wanted(&fields[index]))?;
        Some(self.name(index))
    }
}
