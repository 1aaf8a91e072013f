//! The fields of a record by their names, in the forms that have names: for columns that copy them.

use std::borrow::Cow;

use crate::pipeline::options::Options;
use crate::pipeline::settings::Settings;
use crate::text::forms::json::JsonObject;
use crate::text::notation::is_constraint_string;
use crate::text::record::{Field, RecordFields};
use crate::text::unread::{is_layout, is_other_puzzle};
use crate::text::value::Value;

#[derive(Clone, Default)]
pub(in crate::pipeline) enum NamedFields<'a> {
    /// The record has no names, or could not be split.
    #[default]
    None,
    /// The fields that `--fields` or the header of CSV names, in this order. A line can have fewer.
    InOrder(Vec<Cow<'a, [u8]>>),
    Object(Box<JsonObject<'a>>),
}

pub(in crate::pipeline) struct NamedField<'v> {
    pub read_as: Option<Field>,
    /// `None` if the record ends before the field.
    pub value: Option<Value<'v>>,
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

impl NamedFields<'_> {
    /// Returns the reason why a record is invalid that has the layout of its puzzle in a field
    /// which is not read.
    pub fn unread_layout(&self, read: &RecordFields<'_>, settings: &Settings) -> Option<String> {
        if read.regions.is_some() {
            return None;
        }
        let (cells, names) = (read.puzzle.len(), &settings.options.header);
        let name = match (self, settings.csv_header.get()) {
            (NamedFields::InOrder(fields), Some(header)) => {
                let is_layout =
                    |&index: &usize| fields[index].len() == cells && is_layout(&fields[index]);
                name_at(header.unread().find(is_layout)?, settings)?
            }
            (NamedFields::Object(object), _) => object.unread_layout(cells, names)?.to_string(),
            _ => return None,
        };
        Some(format!("'{name}' holds a layout that is not read; --header regions={name} reads it"))
    }

    /// Returns a remark if a field that CSV or JSON names, and that is not read, has another puzzle.
    pub fn remark_on_other_puzzle(&self, puzzle: &[u8], settings: &Settings) -> Option<String> {
        let name = self.other_puzzle(puzzle, settings)?;
        Some(format!(
            "'{name}' has a puzzle, which is not read; \
             --header puzzle=NAME reads the puzzles of that field"
        ))
    }

    /// Returns the name of a field of CSV or JSON that is not read and has another puzzle.
    fn other_puzzle(&self, puzzle: &[u8], settings: &Settings) -> Option<String> {
        let Options { alphabet, header: names, .. } = &*settings.options;
        match (self, settings.csv_header.get()) {
            (NamedFields::InOrder(fields), Some(header)) => {
                let is_other = |&index: &usize| is_other_puzzle(puzzle, &fields[index], alphabet);
                name_at(header.unread().find(is_other)?, settings)
            }
            (NamedFields::Object(object), _) => {
                object.other_puzzle(puzzle, names, alphabet).map(str::to_string)
            }
            _ => None,
        }
    }
}

/// Returns the name of a field with an unread constraint string, and true if another field of
/// constraints is read.
fn unread_constraints_of(fields: &[Cow<'_, [u8]>], settings: &Settings) -> Option<(String, bool)> {
    let index = fields.iter().position(|field| is_constraint_string(field))?;
    // The field of variants has names.
    let is_read =
        |index: usize| field_at(index, settings).is_some_and(|field| field != Field::Variant);
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
