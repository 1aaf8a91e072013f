//! Writes records of CSV: values as fields, with quotes where they need them, and copies of records
//! of the input.

use memchr::{memchr, memchr3};

use super::fields::raw_fields;
use super::header::CsvHeader;
use crate::text::kept_fields::KeptFields;
use crate::text::record::{Field, trim};
use crate::text::value::Value;

/// Appends the fields of `record`, which must be valid, that are kept, with the values of
/// `changed` in the columns of their fields. Leaves out values without a column. All other
/// columns stay as they are.
pub(crate) fn write_copy(
    header: &CsvHeader,
    record: &[u8],
    changed: &[(Field, Value<'_>)],
    kept: &KeptFields,
    output: &mut Vec<u8>,
) {
    if changed.is_empty() && *kept == KeptFields::All {
        return output.extend_from_slice(record);
    }
    let fields = raw_fields(record, header.separator).enumerate();
    let kept = fields.filter(|(index, _)| kept.has(header.name(*index)));
    for (number, (index, raw)) in kept.enumerate() {
        if number > 0 {
            output.push(header.separator);
        }
        let is_here = |(field, _): &&(Field, _)| header.column(*field) == Some(index);
        match changed.iter().find(is_here) {
            Some((_, value)) => write_value(value, header.separator, output),
            None => output.extend_from_slice(raw),
        }
    }
}

/// A value with blanks at its ends gets quotes: readers ignore blanks around a field.
pub(crate) fn write<'v>(values: impl Iterator<Item = Value<'v>>, output: &mut Vec<u8>) {
    for (index, value) in values.enumerate() {
        output.extend_from_slice(if index > 0 { b"," } else { b"" });
        let start = output.len();
        value.write_text(output);
        if value.has_usual_symbols() {
            continue;
        }
        let field = &output[start..];
        if trim(field).len() < field.len() || needs_quotes(field, b',') {
            quote(start, output);
        }
    }
    output.push(b'\n');
}

pub(crate) fn write_value(value: &Value<'_>, separator: u8, output: &mut Vec<u8>) {
    let start = output.len();
    value.write_text(output);
    if !value.has_usual_symbols() && needs_quotes(&output[start..], separator) {
        quote(start, output);
    }
}

pub(crate) fn write_field(field: &[u8], separator: u8, output: &mut Vec<u8>) {
    write_value(&Value::Text(field.into()), separator, output);
}

/// Puts quotes around the field from `start` on.
fn quote(start: usize, output: &mut Vec<u8>) {
    let field = output.split_off(start);
    output.push(b'"');
    for byte in field {
        if byte == b'"' {
            output.push(b'"');
        }
        output.push(byte);
    }
    output.push(b'"');
}

fn needs_quotes(field: &[u8], separator: u8) -> bool {
    memchr3(b'"', b'\r', b'\n', field).is_some() || memchr(separator, field).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::fields::split_record;
    use super::*;

    #[test]
    fn fields_round_trip() {
        for expected in [
            vec!["a", "b"],
            vec!["", ""],
            vec!["a,b", "c\"d", "\"\"", ","],
            vec!["\"", ""],
            vec!["", "\"", "x"],
            vec!["a\"\"b\"", "\",\""],
            vec!["a;b", "c\td", ";", "\"\t\""],
        ] {
            for separator in [b',', b';', b'\t'] {
                let mut record = Vec::new();
                for (index, field) in expected.iter().enumerate() {
                    if index > 0 {
                        record.push(separator);
                    }
                    write_field(field.as_bytes(), separator, &mut record);
                }
                let fields = split_record(&record, separator).unwrap();
                let expected: Vec<&[u8]> = expected.iter().map(|it| it.as_bytes()).collect();
                assert_eq!(fields, expected, "{}", record.escape_ascii());
            }
        }
    }
}
