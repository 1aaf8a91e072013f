//! The value of an output column. Each form of the output prints it in its own way.

use std::borrow::Cow;
use std::io::Write;

use super::record::is_missing;
use super::symbols::Symbols;

#[derive(Clone, Debug, Default)]
pub(crate) enum Value<'v> {
    #[default]
    Missing,
    Integer(u64),
    /// A number with decimals, such as `0.9074`.
    Decimal(String),
    Text(Cow<'v, [u8]>),
    /// The symbols of a grid of the input, one for each cell.
    Grid(Cow<'v, [u8]>),
    /// A grid; 0 is a blank cell.
    Digits(Cow<'v, [u8]>, Symbols<'v>),
    /// The candidates of each cell, a bit for each digit: N symbols for each cell of a grid of side
    /// N.
    Candidates(Cow<'v, [u32]>, Symbols<'v>),
    /// Several values. `text` replaces them in forms without lists; it is empty if the list is only
    /// a part of an object.
    List {
        text: Cow<'v, [u8]>,
        items: Vec<Value<'v>>,
    },
    /// Values with names. `text` replaces them in forms without objects; it is empty if the object
    /// is only a part of a list.
    Object {
        text: Cow<'v, [u8]>,
        members: Vec<(&'static str, Value<'v>)>,
    },
    /// A JSON value of the input, as it is written there. `text` replaces it in other forms.
    Json {
        text: Cow<'v, [u8]>,
        json: &'v str,
    },
}

impl<'v> Value<'v> {
    pub fn of_field(field: impl Into<Cow<'v, [u8]>>) -> Value<'v> {
        let field = field.into();
        if is_missing(&field) { Value::Missing } else { Value::Text(field) }
    }

    pub fn grid(symbols: impl Into<Cow<'v, [u8]>>) -> Value<'v> {
        let symbols = symbols.into();
        if is_missing(&symbols) { Value::Missing } else { Value::Grid(symbols) }
    }

    pub fn text(text: impl Into<String>) -> Value<'v> {
        Value::Text(text.into().into_bytes().into())
    }

    pub fn number(number: usize) -> Value<'v> {
        Value::Integer(number as u64)
    }

    /// The text of the list is the texts of its items. A list without items is missing.
    pub fn list(items: Vec<Value<'v>>, separator: &str) -> Value<'v> {
        if items.is_empty() {
            return Value::Missing;
        }
        let mut text = Vec::new();
        for (index, item) in items.iter().enumerate() {
            text.extend_from_slice(if index > 0 { separator.as_bytes() } else { b"" });
            item.write_text(&mut text);
        }
        let text = text.into();
        Value::List { text, items }
    }

    /// Returns the text as lines have it, or `None` if the value is missing.
    pub fn to_text(&self) -> Option<Cow<'_, [u8]>> {
        let text = match self {
            Value::Missing => return None,
            Value::Text(text)
            | Value::Grid(text)
            | Value::List { text, .. }
            | Value::Object { text, .. }
            | Value::Json { text, .. } => Cow::Borrowed(&**text),
            Value::Integer(_) | Value::Decimal(_) | Value::Digits(..) | Value::Candidates(..) => {
                let mut text = Vec::new();
                self.write_text(&mut text);
                Cow::Owned(text)
            }
        };
        Some(text).filter(|text| !is_missing(text))
    }

    /// True for digits that no form of the output escapes or puts in quotes.
    pub fn has_usual_symbols(&self) -> bool {
        matches!(self, Value::Digits(_, symbols) if !symbols.alphabet.is_custom())
    }

    pub fn into_text(self) -> Option<Vec<u8>> {
        let mut text = Vec::new();
        self.write_text(&mut text);
        Some(text).filter(|text| !is_missing(text))
    }

    pub fn write_text(&self, output: &mut Vec<u8>) {
        match self {
            Value::Missing => output.push(b'-'),
            // Writing to memory cannot fail.
            Value::Integer(number) => _ = write!(output, "{number}"),
            Value::Decimal(number) => output.extend_from_slice(number.as_bytes()),
            Value::Digits(digits, symbols) => symbols.write(digits, output),
            Value::Candidates(sets, symbols) => symbols.write_candidates(sets, output),
            Value::Text(text)
            | Value::Grid(text)
            | Value::List { text, .. }
            | Value::Object { text, .. }
            | Value::Json { text, .. } => output.extend_from_slice(text),
        }
    }
}
