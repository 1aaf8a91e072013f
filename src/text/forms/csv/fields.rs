//! Splits a line of CSV into fields, and removes their quotes. Blanks at both ends of a field are
//! ignored, except in quotes.

use std::borrow::Cow;

use memchr::memchr;

use crate::text::record::{trim, without_end};
use engine::error::BoxError;

/// Returns the unquoted fields.
pub(super) fn split_record(record: &[u8], separator: u8) -> Result<Vec<Cow<'_, [u8]>>, BoxError> {
    if memchr(b'"', record).is_none() {
        let fields = record.split(|&byte| byte == separator);
        return Ok(fields.map(|field| trim(field).into()).collect());
    }
    raw_fields(record, separator).map(unquoted).collect()
}

/// Returns the fields with the quotes and blanks around them.
pub(super) fn raw_fields(record: &[u8], separator: u8) -> impl Iterator<Item = &[u8]> {
    let mut is_quoted = false;
    record.split(move |&byte| {
        // A doubled quote changes `is_quoted` twice and so leaves it as it is.
        is_quoted ^= byte == b'"';
        byte == separator && !is_quoted
    })
}

/// Removes the quotes around a field, and replaces each doubled quote inside by one. Removes blanks
/// at both ends of a field without quotes. Returns an error if there is anything, even a blank,
/// before the first quote or after the closing one.
fn unquoted(field: &[u8]) -> Result<Cow<'_, [u8]>, BoxError> {
    let Some(mut unread) = field.strip_prefix(b"\"") else {
        if memchr(b'"', field).is_some() {
            return Err("invalid CSV: a quote inside a field that does not begin with one".into());
        }
        return Ok(trim(field).into());
    };
    let mut contents = Vec::new();
    while let Some(end) = memchr(b'"', unread) {
        contents.extend_from_slice(&unread[..end]);
        match &unread[end + 1..] {
            [] => return Ok(contents.into()),
            [b'"', rest @ ..] => {
                contents.push(b'"');
                unread = rest;
            }
            _ => return Err("invalid CSV: text after a closing quote".into()),
        }
    }
    Err("invalid CSV: a quoted field has no closing quote".into())
}

/// Removes blanks at both ends, and then a quote at each end, if any. Leaves doubled quotes.
pub(super) fn without_quotes(field: &[u8]) -> &[u8] {
    let field = trim(without_end(field));
    let field = field.strip_prefix(b"\"").unwrap_or(field);
    field.strip_suffix(b"\"").unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(record: &str) -> Result<Vec<String>, BoxError> {
        let fields = split_record(record.as_bytes(), b',')?;
        let text = |field: Cow<'_, [u8]>| String::from_utf8(field.into_owned()).unwrap();
        Ok(fields.into_iter().map(text).collect())
    }

    #[test]
    fn a_carriage_return_and_a_byte_order_mark_are_part_of_a_field() {
        for (record, expected) in [
            ("\"a\",b\rc", ["a", "b\rc"]),
            ("\r,\"\"", ["\r", ""]),
            ("\ra,\"b\"", ["\ra", "b"]),
            ("\u{feff}a,\"b\"", ["\u{feff}a", "b"]),
        ] {
            assert_eq!(fields(record).unwrap(), expected, "{record:?}");
        }
    }

    #[test]
    fn raw_fields_are_those_of_split_with_their_quotes() {
        for record in ["a,b", ",", "", "\"a,\"\"b\",c", "\"\",\"\"\"\"", "\",\",\",\"", "a;b,\tc"] {
            for separator in [b',', b';', b'\t'] {
                let raw = raw_fields(record.as_bytes(), separator);
                let raw: Vec<Vec<u8>> = raw.map(<[u8]>::to_vec).collect();
                assert_eq!(raw.join(&separator), record.as_bytes(), "{record}");
                let Ok(fields) = split_record(record.as_bytes(), separator) else {
                    continue;
                };
                let unquoted =
                    raw.iter().map(|field| split_record(field, separator).unwrap().concat());
                assert_eq!(fields, unquoted.collect::<Vec<_>>(), "{record}");
            }
        }
    }

    #[test]
    fn wrong_quotes_are_errors() {
        for (record, fault) in [
            ("a,\"b", "a quoted field has no closing quote"),
            ("a,\"b\"\"", "a quoted field has no closing quote"),
            ("a\"b", "a quote inside a field that does not begin with one"),
            ("\"a\"b,c", "text after a closing quote"),
        ] {
            let error = fields(record).unwrap_err().to_string();
            assert_eq!(error, format!("invalid CSV: {fault}"), "{record}");
        }
    }
}
