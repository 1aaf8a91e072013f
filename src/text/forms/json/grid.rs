//! Grids in JSON: a string, or an array of rows or cells.

use std::borrow::Cow;

use serde_json::value::RawValue;
use serde_json::{Number, Value as Json};

use super::f_puzzles::is_board;
use super::write_string;
use crate::text::f_puzzles_link;
use crate::text::notation::{is_self_describing, symbol_of_sum};
use crate::text::one_line::{blanks_as_cells, read_cells};
use crate::text::record::Field;
use crate::text::size::pencilmark_side;
use crate::text::symbols::{Alphabet, Case};
use engine::error::InvalidInput;
use engine::rules::{MAX_SIDE, pluralize};

/// The form of a grid. A grid of the output has the form of the grid that it replaces, or of the
/// puzzle in the same object.
///
/// The side follows from the array that is read: 16 strings of four symbols are the pencilmarks of a
/// 4x4, eight strings of eight symbols an 8x8.
#[derive(Debug, Default)]
pub(crate) struct GridForm {
    layout: Layout,
    /// `None` if the grid is a string, or no grid.
    side: Option<usize>,
    /// The number of items in each array of the grid, and of symbols in each item, if the grid has
    /// pencilmarks.
    marks: Option<[usize; 2]>,
    /// True if the digits of an array are numbers.
    has_numbers: bool,
    /// The first blank cell of an array. `None` if it has none.
    blank: Option<Json>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Layout {
    #[default]
    Text,
    RowTexts,
    Cells,
    Rows,
}

impl GridForm {
    pub fn of(grid: &RawValue, alphabet: &Alphabet) -> GridForm {
        if !grid.get().starts_with('[') {
            return GridForm::default();
        }
        if is_board(grid) {
            let side = serde_json::from_str(grid.get()).ok().map(|rows: Vec<&RawValue>| rows.len());
            let blank = Some(Json::from(0));
            return GridForm { layout: Layout::Rows, side, marks: None, has_numbers: true, blank };
        }
        let Ok(value @ Json::Array(_)) = serde_json::from_str(grid.get()) else {
            return GridForm::default();
        };
        let symbols = symbols_of(&value, Field::Puzzle, alphabet).unwrap_or_default();
        let side = side_of_array(&value, symbols.len());
        let Json::Array(items) = value else { unreachable!("the value is an array") };
        let has_marks = side.is_some_and(|side| side.pow(3) == symbols.len());
        let is_row_text = |item: &Json| item.as_str().is_some_and(|text| text.len() > 1);
        let (layout, columns, cells) = if let Some(first) = items.iter().find_map(Json::as_array) {
            let rows = items.iter().filter_map(Json::as_array);
            (Layout::Rows, first.len(), rows.flatten().cloned().collect())
        } else if items.iter().all(is_row_text) {
            (Layout::RowTexts, items.len(), Vec::new())
        } else {
            (Layout::Cells, items.len(), items)
        };
        let items = if layout == Layout::Rows { cells.len() } else { columns };
        let is_blank = |cell: &&Json| match cell {
            Json::Null => true,
            Json::Number(number) => matches!(number.as_i64(), Some(0 | -1)),
            Json::String(text) => matches!(text.trim(), "" | "." | "0"),
            _ => false,
        };
        GridForm {
            layout,
            side,
            marks: has_marks.then(|| [columns, symbols.len() / items.max(1)]),
            has_numbers: cells.iter().any(Json::is_number),
            blank: cells.iter().find(is_blank).cloned(),
        }
    }

    /// True if the grid is a string.
    pub(super) fn is_text(&self) -> bool {
        self.side.is_none() || self.layout == Layout::Text
    }

    /// Symbols whose number is neither that of the cells of the grid nor that of their pencilmarks
    /// become a string.
    pub(super) fn write(&self, symbols: &[u8], alphabet: &Alphabet, output: &mut Vec<u8>) {
        let Some(side) = self.side.filter(|_| !self.is_text()) else {
            return write_string(symbols, output);
        };
        let texts = |width: usize| {
            let parts = symbols.chunks(width.max(1)).map(String::from_utf8_lossy);
            parts.map(Json::from).collect::<Vec<Json>>()
        };
        let cells = || symbols.iter().map(|&symbol| self.cell(symbol, alphabet)).collect();
        let (items, columns) = if symbols.len() == side * side {
            match self.layout {
                Layout::RowTexts => (texts(side), side),
                _ => (cells(), side),
            }
        } else if symbols.len() == side.pow(3) {
            match (self.marks, self.layout) {
                (Some([columns, 1]), _) => (cells(), columns),
                (Some([columns, width]), _) => (texts(width), columns),
                (None, Layout::RowTexts) => (texts(side * side), side),
                (None, _) => (texts(side), side),
            }
        } else {
            return write_string(symbols, output);
        };
        let json = match self.layout {
            Layout::Rows => items.chunks(columns).map(Json::from).collect(),
            _ => items,
        };
        output.extend_from_slice(Json::Array(json).to_string().as_bytes());
    }

    fn cell(&self, symbol: u8, alphabet: &Alphabet) -> Json {
        match (alphabet.digit_of(symbol), &self.blank) {
            (Some(0), Some(blank)) => blank.clone(),
            (Some(digit), _) if self.has_numbers => Json::from(digit),
            _ => Json::from(char::from(symbol).to_string()),
        }
    }
}

/// Returns the value of a field, or `None` for null and for an empty array of cages.
///
/// These values are unchanged: an empty string, cages in a string, cages as objects
/// (`cage_list.rs` reads them), and a string that describes a puzzle with its rules.
///
/// Any other value is a grid. Its symbols are returned one after the other, without the whitespace,
/// commas, brackets and quotes between them. Only strings in an array of cages keep these
/// characters, because arrows use some of them. If the grid has one part for each cell, numbers of
/// two digits become symbols (see [`read_cells`]).
pub(super) fn decode<'a>(
    value: &'a RawValue,
    field: Field,
    alphabet: &Alphabet,
) -> Result<Option<Cow<'a, [u8]>>, InvalidInput> {
    Ok(decode_with_side(value, field, alphabet)?.map(|(symbols, _)| symbols))
}

type SymbolsWithSide<'a> = (Cow<'a, [u8]>, Option<usize>);

/// As [`decode`], with the side of the grid if the value is an array that states it.
pub(super) fn decode_with_side<'a>(
    value: &'a RawValue,
    field: Field,
    alphabet: &Alphabet,
) -> Result<Option<SymbolsWithSide<'a>>, InvalidInput> {
    if let Some(symbols) = plain_string(value.get()) {
        return Ok(Some((symbols.into(), None)));
    }
    // Fails, for example, if the value is nested deeply or has a number that is too large.
    let value: Json = serde_json::from_str(value.get()).map_err(|error| error.to_string())?;
    let symbols = decode_general(&value, field, alphabet)?;
    Ok(symbols.map(|symbols| {
        let side = side_of_array(&value, symbols.len());
        (symbols.into(), side)
    }))
}

/// Returns the side of a grid of N or N² items that has as many symbols as a puzzle of side N has
/// cells or pencilmarks. Pencilmarks can also be divided in other ways.
fn side_of_array(grid: &Json, symbols: usize) -> Option<usize> {
    let items = grid.as_array()?.len();
    let fits = |side: &usize| {
        [*side, side * side].contains(&items) && [side.pow(2), side.pow(3)].contains(&symbols)
    };
    (2..=MAX_SIDE).find(fits).or_else(|| pencilmark_side(symbols))
}

/// Returns the contents of a string that has no escapes, and nothing between its symbols.
fn plain_string(json: &str) -> Option<&[u8]> {
    let symbols = json.strip_prefix('"')?.strip_suffix('"')?.as_bytes();
    let is_plain = |byte: u8| byte.is_ascii_graphic() & !is_separator(byte) & (byte != b'\\');
    let are_plain = symbols.iter().fold(true, |all, &byte| all & is_plain(byte));
    (are_plain && !symbols.is_empty()).then_some(symbols)
}

/// Whitespace can separate cells too.
fn is_separator(byte: u8) -> bool {
    (byte == b',')
        | (byte == b';')
        | (byte == b'|')
        | (byte == b'[')
        | (byte == b']')
        | (byte == b'"')
        | (byte == b'\'')
}

fn decode_general(
    value: &Json,
    field: Field,
    alphabet: &Alphabet,
) -> Result<Option<Vec<u8>>, InvalidInput> {
    match value {
        Json::Null => return Ok(None),
        Json::Array(cages) if field == Field::Cages && cages.is_empty() => return Ok(None),
        // Alone, an empty string is an empty field. In an array, it is a blank cell (not in cages).
        Json::String(text) if text.is_empty() => return Ok(Some(Vec::new())),
        Json::String(text)
            if field == Field::Cages
                || is_self_describing(text.as_bytes())
                || f_puzzles_link::is_one(text.as_bytes()) =>
        {
            return Ok(Some(text.clone().into_bytes()));
        }
        Json::Array(cages) if field == Field::Cages && cages.iter().any(Json::is_object) => {
            return Ok(Some(value.to_string().into_bytes()));
        }
        _ => {}
    }
    check_rows(value)?;
    let symbols = symbols_of(value, field, alphabet)?;
    if field != Field::Cages {
        check_is_one_grid(value, &symbols, alphabet)?;
    }
    Ok(Some(symbols))
}

fn symbols_of(value: &Json, field: Field, alphabet: &Alphabet) -> Result<Vec<u8>, InvalidInput> {
    // The length of the whole string decides first.
    let text = value.as_str().filter(|_| field != Field::Cages);
    if let Some(cells) = text.and_then(|text| blanks_as_cells(text.as_bytes())) {
        return Ok(cells);
    }
    let mut parts = Vec::new();
    push_parts(value, field, alphabet, &mut parts)?;
    // A square number of parts can be cells, some of them numbers of two digits. All other parts
    // are joined unchanged.
    let side = parts.len().isqrt();
    let fields: Vec<&[u8]> = parts.iter().map(|part| &**part).collect();
    let cells = (side * side == parts.len()).then(|| read_cells(&fields, side, alphabet));
    Ok(cells.flatten().unwrap_or_else(|| parts.concat()))
}

fn check_rows(grid: &Json) -> Result<(), InvalidInput> {
    let rows = (1..).zip(grid.as_array().into_iter().flatten());
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

/// Four puzzles of 81 cells have as many cells as one of side 18. Strings of M² symbols are parts of
/// one grid if there are M² of them (rows), or M or M⁴ of them that hold pencilmarks.
fn check_is_one_grid(grid: &Json, symbols: &[u8], alphabet: &Alphabet) -> Result<(), InvalidInput> {
    let Some(items) = grid.as_array().filter(|items| items.len() > 1) else {
        return Ok(());
    };
    let is_symbol = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'*' | b'_');
    let number = items.len();
    let is_grid = |item: &Json| match item {
        Json::String(text) => {
            let (length, side) = (text.len(), text.len().isqrt());
            let are_rows = number == length && number <= MAX_SIDE;
            side >= 4 && side * side == length && !are_rows && text.bytes().all(is_symbol)
        }
        Json::Array(rows) => rows.iter().any(Json::is_array),
        _ => false,
    };
    let has_marks = || {
        let side = pencilmark_side(symbols.len()).filter(|_| items.iter().all(Json::is_string));
        side.is_some_and(|side| alphabet.read_pencilmarks(symbols, side, &mut Vec::new()).is_ok())
    };
    if !items.iter().all(is_grid) || has_marks() {
        return Ok(());
    }
    Err(format!(
        "an array of {number} puzzles (jq -c '.KEY[] | {{puzzle: .}}' makes an object of each)"
    )
    .into())
}

/// Appends the parts of a grid: rows or cells. A number becomes a symbol. Null becomes `.`, and so
/// does an empty or blank string, except in cages.
fn push_parts<'v>(
    value: &'v Json,
    field: Field,
    alphabet: &Alphabet,
    parts: &mut Vec<Cow<'v, [u8]>>,
) -> Result<(), InvalidInput> {
    match value {
        Json::Array(values) => {
            for value in values {
                push_parts(value, field, alphabet, parts)?;
            }
        }
        // The arrows of cages include `,` and `'`.
        Json::String(text) if field == Field::Cages => parts.push(text.as_bytes().into()),
        Json::String(text) if text.trim().is_empty() => parts.push(b"."[..].into()),
        Json::String(text) => {
            let separates = |byte: &u8| byte.is_ascii_whitespace() || is_separator(*byte);
            let found = text.as_bytes().split(separates);
            parts.extend(found.filter(|part| !part.is_empty()).map(Cow::Borrowed));
        }
        Json::Null => parts.push(b"."[..].into()),
        Json::Number(number) => {
            let symbol = symbol_of_number(number, field, alphabet)?;
            parts.push(vec![symbol].into());
        }
        _ => return Err("expected a string or an array of symbols and numbers".into()),
    }
    Ok(())
}

/// Returns the symbol of a number: in regions a label (`a` for 10), in cages the symbol of a sum
/// (`A` for 10), otherwise the symbol of a digit, `.` for 0. -1 always has the symbol `.`.
fn symbol_of_number(
    number: &Number,
    field: Field,
    alphabet: &Alphabet,
) -> Result<u8, InvalidInput> {
    if number.as_i64() == Some(-1) {
        return Ok(b'.');
    }
    let value = number.as_u64().and_then(|number| u8::try_from(number).ok());
    let symbol = value.and_then(|value| match field {
        Field::Regions => char::from_digit(value.into(), 36).map(|label| label as u8),
        Field::Cages => symbol_of_sum(value),
        _ if usize::from(value) > alphabet.number_of_digits() => None,
        _ => Some(alphabet.symbol(value, Case::Capital) as u8),
    });
    symbol.ok_or_else(|| match field {
        Field::Cages => format!("{number} is not a sum").into(),
        _ => format!("{number} is not a digit").into(),
    })
}
