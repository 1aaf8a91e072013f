//! Reads and writes JSON lines. Each line is an object. Some of its values are the fields of a
//! puzzle.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::header_names::{CHOOSE_ANSWER, HeaderNames, unused_name};
use super::notation::{is_self_describing, looks_like_cages, symbol_of_sum};
use super::one_line::read_cells;
use super::record::{Field, FieldSet, RecordFields, is_missing, trim};
use super::symbols::{Alphabet, Case};
use crate::error::InvalidInput;
use crate::rules::pluralize;

/// A JSON object. Its values are parts of its text, not yet decoded. Of several equal keys, the
/// last counts.
pub(crate) struct JsonObject<'a> {
    text: &'a [u8],
    values: BTreeMap<String, &'a RawValue>,
}

impl<'a> JsonObject<'a> {
    /// Parses a line.
    ///
    /// # Errors
    /// Returns an error if the line is not an object.
    pub fn parse(line: &'a [u8]) -> Result<JsonObject<'a>, InvalidInput> {
        let text = trim(line);
        if text.starts_with(b"[") {
            return Err("a JSON array instead of an object (jq -c '.[]' makes lines of an array of objects)".into());
        }
        let values = serde_json::from_slice(text).map_err(|error| {
            let remedy = if error.is_eof() {
                " (jq -c . makes one line of an object over several lines)"
            } else {
                ""
            };
            let error = error
                .to_string()
                .replace(" at line 1 column ", " at column ");
            format!("not a JSON object: {error}{remedy}")
        })?;
        // `trim` keeps a CR, which JSON allows around values.
        let text = text.trim_ascii();
        Ok(JsonObject { text, values })
    }

    /// Decodes the fields of the puzzle. If cages are expected and the object has none, the puzzle
    /// can be the cages.
    ///
    /// # Errors
    /// Returns an error if the object has no key for the puzzle, or if a value is not one that
    /// [`decode`] accepts.
    pub fn fields(
        &self,
        names: &HeaderNames,
        alphabet: &Alphabet,
        expected: FieldSet,
    ) -> Result<RecordFields<'a>, InvalidInput> {
        let mut fields = RecordFields::default();
        let mut are_cages_alone = false;
        let is_given = |key: &str| !matches!(self.values[key].get(), "null" | r#""""#);
        let has_cages = self.keys(Field::Cages, names).next().is_some_and(is_given);
        for (field, _) in Field::ALL {
            match self.keys(field, names).next() {
                Some(key) => {
                    let value = self.values[key];
                    let can_be_cages = field == Field::Puzzle && expected.cages && !has_cages;
                    let cages = can_be_cages.then(|| cages_alone(value, alphabet)).flatten();
                    are_cages_alone |= cages.is_some();
                    let value =
                        cages.map_or_else(|| decode(value, field, alphabet), |it| Ok(Some(it)));
                    let value = value.map_err(|reason| format!("{reason} in '{key}'"))?;
                    match value {
                        Some(value) => fields.set(field, value.into()),
                        // A puzzle without regions or without cages. See `write_unclosed`.
                        None if field == Field::Regions => fields.set(field, b"-".into()),
                        None if field == Field::Cages && !are_cages_alone => {
                            fields.set(field, b"-".into())
                        }
                        None => {}
                    }
                }
                None if field == Field::Puzzle => return Err(missing_puzzle(names)),
                None => {}
            }
        }
        Ok(fields)
    }

    /// Checks that at most one key can hold the answer, or that one has exactly the name that the
    /// user chose. With `--shuffle`, the value of this key changes with the puzzle.
    ///
    /// # Errors
    /// Returns an error that names the first two keys that can hold the answer.
    pub fn check_only_answer(&self, names: &HeaderNames) -> Result<(), InvalidInput> {
        let is_key = |name| self.values.contains_key(name);
        let is_chosen = names.of(Field::Answer).is_some_and(is_key);
        let mut keys = self.keys(Field::Answer, names);
        match (keys.next(), keys.next()) {
            (Some(first), Some(second)) if !is_chosen => Err(format!(
                "the object has two answers: {first} and {second}; {CHOOSE_ANSWER}"
            )
            .into()),
            _ => Ok(()),
        }
    }

    /// Returns the keys of the object that can hold a field, the preferred one first. They have one
    /// of the names that [`HeaderNames::names_of`] returns, ignoring case.
    fn keys<'n>(&'n self, field: Field, names: &'n HeaderNames) -> impl Iterator<Item = &'n str> {
        let wanted = names.names_of(field).into_iter();
        wanted.flat_map(|name| self.keys_named(name))
    }

    /// Returns the key with this name, then the keys that differ from it only in case.
    fn keys_named<'n>(&'n self, name: &'n str) -> impl Iterator<Item = &'n str> {
        let exact = self.values.get_key_value(name).map(|(key, _)| key);
        let is_other = move |key: &&String| key.as_str() != name && key.eq_ignore_ascii_case(name);
        let keys = exact.into_iter().chain(self.values.keys().filter(is_other));
        keys.map(String::as_str)
    }

    /// Appends the object without its closing `}`. The fields that `changed` has replace those of
    /// the object, or are added if the object lacks them. `-` is written as null.
    pub fn write_unclosed(
        &self,
        changed: Option<&RecordFields<'_>>,
        names: &HeaderNames,
        output: &mut Vec<u8>,
    ) {
        let mut replaced = Vec::new();
        let mut added = Vec::new();
        for (field, name) in Field::ALL {
            let Some(contents) = changed.and_then(|changed| changed.get(field)) else {
                continue;
            };
            match self.keys(field, names).next() {
                Some(key) => replaced.push((self.values[key].get(), contents)),
                None => added.push((name, contents)),
            }
        }
        // Each value and `unread` are parts of `text`, so the distance of their addresses is the
        // index of the value in `unread`.
        replaced.sort_by_key(|(value, _)| value.as_ptr());
        debug_assert!(replaced.is_sorted_by(|(a, _), (b, _)| a.as_ptr() < b.as_ptr()));
        let mut unread = self.text.strip_suffix(b"}").expect("the text is an object");
        for (value, contents) in replaced {
            let start = value.as_ptr().addr() - unread.as_ptr().addr();
            output.extend_from_slice(&unread[..start]);
            write_value(contents, output);
            unread = &unread[start + value.len()..];
        }
        output.extend_from_slice(unread.trim_ascii_end());
        for (name, contents) in added {
            write_member(&self.unused_key(name), contents, false, output);
        }
    }

    /// Returns a key for a column that differs from all keys of the object: `name` or, if the
    /// object has that, `name` with `_found` appended, if necessary several times.
    pub fn unused_key(&self, name: &str) -> String {
        unused_name(name, |name| self.values.contains_key(name))
    }
}

fn missing_puzzle(names: &HeaderNames) -> InvalidInput {
    match names.of(Field::Puzzle) {
        Some(name) => format!("the object has no key '{name}'").into(),
        None => {
            let usual = names.names_of(Field::Puzzle).join(", ");
            format!(
                "the object has none of the keys {usual}; name its key with --header puzzle=KEY"
            )
            .into()
        }
    }
}

/// Returns the value of a puzzle as cages, if it looks like cages and has nothing but symbols: no
/// whitespace, brackets and double quotes.
fn cages_alone(value: &RawValue, alphabet: &Alphabet) -> Option<Vec<u8>> {
    let cages = decode(value, Field::Cages, alphabet).ok().flatten()?;
    let is_symbol = |byte: &u8| byte.is_ascii_graphic() && !matches!(byte, b'[' | b']' | b'"');
    (looks_like_cages(&cages) && cages.iter().all(is_symbol)).then_some(cages)
}

/// Returns the value of a field, `None` for null. A string is returned unchanged if it is empty, if
/// it is the cages, or if it describes a puzzle with its rules. Any other value is a grid: a
/// string, a number, or nested arrays of strings, numbers and nulls. Returns the symbols of the
/// grid one after the other, without the whitespace, commas, brackets and quotes between them.
/// In cages, strings in an array keep these characters. If the grid has one part for each cell,
/// numbers of two digits become symbols (see [`read_cells`]).
///
/// # Errors
/// Returns an error if the value cannot be decoded, if the rows are arrays of different lengths, or
/// if the value holds `true`, `false`, an object, or a number that is not a digit (in regions, a
/// label; in cages, a sum).
fn decode(
    value: &RawValue,
    field: Field,
    alphabet: &Alphabet,
) -> Result<Option<Vec<u8>>, InvalidInput> {
    // `JsonObject::parse` has not decoded the value. Decoding fails, for example, if the value is
    // nested deeply or has a number that is too large.
    let value = serde_json::from_str(value.get()).map_err(|error| error.to_string())?;
    match &value {
        Value::Null => return Ok(None),
        // An empty string alone is an empty field. In an array, it is a blank cell, except in
        // cages.
        Value::String(text) if text.is_empty() => return Ok(Some(Vec::new())),
        Value::String(text) if field == Field::Cages || is_self_describing(text.as_bytes()) => {
            return Ok(Some(text.clone().into_bytes()));
        }
        _ => {}
    }
    check_rows(&value)?;
    let mut parts = Vec::new();
    push_parts(&value, field, alphabet, &mut parts)?;
    // A square number of parts can be cells, some of them numbers of two digits. All other parts
    // are joined unchanged.
    let side = parts.len().isqrt();
    let fields: Vec<&[u8]> = parts.iter().map(|part| &**part).collect();
    let cells = (side * side == parts.len()).then(|| read_cells(&fields, side, alphabet));
    Ok(Some(cells.flatten().unwrap_or_else(|| parts.concat())))
}

/// Checks that those rows of a grid that are arrays all have the same number of cells.
fn check_rows(board: &Value) -> Result<(), InvalidInput> {
    let rows = (1..).zip(board.as_array().into_iter().flatten());
    let mut widths = rows.filter_map(|(row, cells)| Some((row, cells.as_array()?.len())));
    let Some((first, width)) = widths.next() else {
        return Ok(());
    };
    match widths.find(|(_, other)| *other != width) {
        Some((row, other)) => {
            let other = pluralize(other, "cell");
            Err(format!("row {row} has {other}, and row {first} has {width}").into())
        }
        None => Ok(()),
    }
}

/// Appends the parts of a grid: rows or cells. A number becomes the symbol of this digit, `.` for
/// 0; in regions it becomes a label, `a` for 10, and in cages the symbol of a sum, `A` for 10. Null
/// and, except in cages, an empty string become `.`.
fn push_parts<'v>(
    value: &'v Value,
    field: Field,
    alphabet: &Alphabet,
    parts: &mut Vec<Cow<'v, [u8]>>,
) -> Result<(), InvalidInput> {
    match value {
        Value::Array(values) => {
            for value in values {
                push_parts(value, field, alphabet, parts)?;
            }
        }
        // The arrows of cages include `,` and `'`.
        Value::String(text) if field == Field::Cages => parts.push(text.as_bytes().into()),
        Value::String(text) if text.is_empty() => parts.push(b"."[..].into()),
        Value::String(text) => {
            let is_separator = |byte: &u8| matches!(byte, b',' | b'[' | b']' | b'"' | b'\'');
            let separates = |byte: &u8| byte.is_ascii_whitespace() || is_separator(byte);
            let found = text.as_bytes().split(separates);
            parts.extend(found.filter(|part| !part.is_empty()).map(Cow::Borrowed));
        }
        Value::Null => parts.push(b"."[..].into()),
        Value::Number(number) => {
            let digit = number.as_u64().and_then(|number| u8::try_from(number).ok());
            let symbol = digit.and_then(|digit| match field {
                Field::Regions => char::from_digit(digit.into(), 36).map(|label| label as u8),
                Field::Cages => symbol_of_sum(digit),
                _ if usize::from(digit) > alphabet.number_of_digits() => None,
                _ => Some(alphabet.symbol(digit, Case::Capital) as u8),
            });
            let what = if field == Field::Cages {
                "sum"
            } else {
                "digit"
            };
            let symbol = symbol.ok_or_else(|| format!("{number} is not a {what}"))?;
            parts.push(vec![symbol].into());
        }
        _ => return Err("expected a string or an array of symbols and numbers".into()),
    }
    Ok(())
}

/// Appends the key and the value of a column: `null` if the value is empty or `-`, a number if
/// `is_number` is true and no `+` follows the number, or else a string.
pub(crate) fn write_member(key: &str, value: &[u8], is_number: bool, output: &mut Vec<u8>) {
    write_key(key, output);
    // A count that ended early, such as `12345+`, becomes a string.
    if is_number && !value.contains(&b'+') && !is_missing(value) {
        output.extend_from_slice(value);
    } else {
        write_value(value, output);
    }
}

/// Appends a value as a string, or null if it is empty or `-`.
fn write_value(value: &[u8], output: &mut Vec<u8>) {
    if is_missing(value) {
        output.extend_from_slice(b"null");
    } else {
        write_string(value, output);
    }
}

/// Appends a key and its value as a string.
pub(crate) fn write_text(key: &str, value: &[u8], output: &mut Vec<u8>) {
    write_key(key, output);
    write_string(value, output);
}

/// Appends a key and `:`, after a comma unless the key is the first of its object. Only before a
/// first key does the output end with `{`.
fn write_key(key: &str, output: &mut Vec<u8>) {
    if output.last() != Some(&b'{') {
        output.push(b',');
    }
    write_string(key.as_bytes(), output);
    output.push(b':');
}

fn write_string(text: &[u8], output: &mut Vec<u8>) {
    let text = String::from_utf8_lossy(text);
    serde_json::to_writer(output, &text).expect("a string is written to memory");
}
