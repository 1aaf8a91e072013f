//! Counts the values of columns (`--tally`). In place of an output line, a worker writes the values
//! of the tallied columns, and the writer counts them once they are in the order of the input:
//! only there is it known which lines of equal value are written.
//!
//! Each value is preceded by its length, a number of four bytes, the least significant first:
//!
//! ```text
//!     length kind text | length kind text | ...      one value for each column, line after line
//! ```

use std::cmp::Ordering;
use std::collections::HashMap;
use std::sync::Arc;

use super::columns::EntryView;
use crate::pipeline::options::Options;
use crate::pipeline::output_form::TallyForm;
use crate::stream::{OutputEnd, OutputLines, WritePart};
use crate::text::columns::OutputColumn;
use crate::text::condition::Number;
use crate::text::domain::Domain;
use crate::text::forms::json::ValueWriter;
use crate::text::forms::{csv, lines};
use crate::text::value::Value;
use engine::error::Error;

/// The first byte of a counted value.
mod kind {
    pub const MISSING: u8 = b'-';
    pub const TEXT: u8 = b't';
    /// A JSON number, array or object, which JSON writes as it is.
    pub const JSON: u8 = b'j';
}

const LENGTH: usize = size_of::<u32>();

/// The names of the values of a line.
const NAMES: [&str; 3] = ["column", "value", "count"];

pub(super) fn write_values(view: &EntryView<'_, '_>, form: TallyForm, bytes: &mut Vec<u8>) {
    for tallied in &view.settings.options.tally {
        let begin = bytes.len();
        bytes.extend_from_slice(&[0; LENGTH]);
        write_value(&view.written_value(&tallied.column), form, bytes);
        let length = (bytes.len() - begin - LENGTH) as u32;
        bytes[begin..][..LENGTH].copy_from_slice(&length.to_le_bytes());
    }
}

fn write_value(value: &Value<'_>, form: TallyForm, bytes: &mut Vec<u8>) {
    let json = match value {
        _ if form != TallyForm::Json => None,
        Value::Json { json, .. } if !json.starts_with('"') => Some(json.as_bytes().into()),
        Value::Integer(_) | Value::Decimal(_) => value.to_text(),
        _ => None,
    };
    let (kind, text) = match (value.to_text(), json) {
        (None, _) => (kind::MISSING, None),
        (_, Some(json)) => (kind::JSON, Some(json)),
        (text, None) => (kind::TEXT, text),
    };
    bytes.push(kind);
    bytes.extend_from_slice(text.as_deref().unwrap_or_default());
}

pub(super) fn header(form: TallyForm) -> Vec<u8> {
    let mut header = Vec::new();
    if form == TallyForm::Csv {
        csv::write(NAMES.into_iter().map(Value::text), &mut header);
    }
    header
}

/// The counts of a run. Their memory is bounded by the number of different values.
pub(in crate::pipeline) struct ValueCounter {
    options: Arc<Options>,
    form: TallyForm,
    /// For each tallied column, the count of each value, with its kind.
    tables: Vec<HashMap<Box<[u8]>, u64>>,
}

impl ValueCounter {
    pub fn new(options: Arc<Options>, form: TallyForm) -> ValueCounter {
        let tables = vec![HashMap::new(); options.tally.len()];
        ValueCounter { options, form, tables }
    }

    fn write_table(
        &self,
        tallied: &OutputColumn,
        counts: HashMap<Box<[u8]>, u64>,
        output: &mut Vec<u8>,
    ) {
        let domain = Domain::of(&tallied.column, &self.options.classes);
        let mut counts: Vec<(Rank<'_>, u64)> =
            counts.iter().map(|(value, count)| (Rank::of(value, &domain), *count)).collect();
        counts.sort_unstable_by(|(one, _), (two, _)| one.order(two));
        for (rank, count) in counts {
            let values = [Value::text(&*tallied.name), rank.value(), Value::Integer(count)];
            self.write_line(values, output);
        }
    }

    fn write_line(&self, values: [Value<'_>; 3], output: &mut Vec<u8>) {
        match self.form {
            TallyForm::Lines => lines::write(values.into_iter(), output),
            TallyForm::Csv => csv::write(values.into_iter(), output),
            TallyForm::Json => {
                let form = Default::default();
                let writer = ValueWriter { form: &form, alphabet: &self.options.alphabet };
                output.push(b'{');
                for (name, value) in NAMES.into_iter().zip(values) {
                    writer.write_member(name, &value, output);
                }
                output.extend_from_slice(b"}\n");
            }
        }
    }
}

impl OutputEnd for ValueCounter {
    fn take_from(&mut self, output: &mut OutputLines) {
        let mut lines = &output.bytes[..];
        while !lines.is_empty() {
            for counts in &mut self.tables {
                let (length, rest) = lines.split_first_chunk::<LENGTH>().expect("a length");
                let (value, rest) = rest.split_at(u32::from_le_bytes(*length) as usize);
                lines = rest;
                match counts.get_mut(value) {
                    Some(count) => *count += 1,
                    None => _ = counts.insert(value.into(), 1),
                }
            }
        }
        output.clear_lines();
    }

    fn write(&mut self, write: WritePart<'_>) -> Result<(), Error> {
        let tables = std::mem::take(&mut self.tables);
        let mut output = Vec::new();
        for (tallied, counts) in self.options.tally.iter().zip(tables) {
            self.write_table(tallied, counts, &mut output);
        }
        write(&output)
    }
}

/// The place of a value in its table: names in their own order, then numbers, ascending, then
/// texts, then the missing value.
struct Rank<'v> {
    group: Group,
    text: &'v [u8],
    kind: u8,
}

#[derive(PartialEq, PartialOrd)]
enum Group {
    Name(usize),
    /// The number, and true if the value can be more.
    Number(f64, bool),
    Text,
    Missing,
}

impl<'v> Rank<'v> {
    fn of(value: &'v [u8], domain: &Domain<'_>) -> Rank<'v> {
        let (&kind, text) = value.split_first().expect("a value has a kind");
        let index = domain.names().iter().position(|name| name.as_bytes() == text);
        let number = match domain {
            Domain::Numbers | Domain::Fields => Number::parse(text),
            Domain::Names(_) | Domain::Texts => None,
        };
        let group = match (kind, index, number) {
            (kind::MISSING, ..) => Group::Missing,
            (_, Some(index), _) => Group::Name(index),
            (_, _, Some(Number { least, most })) => Group::Number(least, most > least),
            _ => Group::Text,
        };
        Rank { group, text, kind }
    }

    fn order(&self, other: &Rank<'_>) -> Ordering {
        let by_group = self.group.partial_cmp(&other.group).expect("no number is NaN");
        by_group.then_with(|| (self.text, self.kind).cmp(&(other.text, other.kind)))
    }

    fn value(&self) -> Value<'v> {
        match (self.kind, str::from_utf8(self.text)) {
            (kind::MISSING, _) => Value::Missing,
            (kind::JSON, Ok(json)) => Value::Json { text: self.text.into(), json },
            _ => Value::Text(self.text.into()),
        }
    }
}
