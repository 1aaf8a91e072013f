//! Splits a record into fields, and decodes the notations that a puzzle field can have (SumoCue, a puzzle directly followed by
//! its layout, HoDoKu). The symbols of the fields are read elsewhere.

use std::borrow::Cow;

use super::options::Input;
use super::settings::Settings;
use crate::error::BoxError;
use crate::rules::{MAX_SIDE, a_puzzle, pluralize};
use crate::text::grid_input::EntryGrids;
use crate::text::record::RecordFields;
use crate::text::{grid_input, notation};

/// Splits a record into fields. Appends the fields that are only copied to the output to `others`.
///
/// # Errors
/// Returns an error if the line is not a CSV record, or not a drawn puzzle.
pub(super) fn split<'a>(
    record: &'a [u8],
    settings: &Settings,
    others: &mut Vec<&'a [u8]>,
) -> Result<RecordFields<'a>, BoxError> {
    match (&settings.options.input, settings.header()) {
        (Input::Csv, Some(header)) => header.split(record),
        (Input::Drawn, _) => fields_of_drawing(record, settings.entry_grids()),
        _ => {
            let has_regions =
                |field: &[u8]| includes_layout(field, settings) || field.starts_with(b"SumoCueV1");
            Ok(settings.layout.split(record, has_regions, others))
        }
    }
}

/// Decodes the puzzle field: afterwards it has one symbol per cell, or nine for pencilmarks, and includes no layout.
///
/// # Errors
/// Returns an error if the puzzle is missing or cannot be decoded.
pub(super) fn decode(fields: &mut RecordFields<'_>, settings: &Settings) -> Result<(), BoxError> {
    if fields.puzzle.is_empty() {
        return Err("the puzzle is missing".into());
    }
    if fields.puzzle.starts_with(b"SumoCueV1")
        && let Some(decoded) = notation::decode(&fields.puzzle)
    {
        let decoded = decoded?;
        if decoded.cages.is_some() || decoded.diagonals {
            return Err("killer sudoku is not supported".into());
        }
        let alphabet = &settings.options.alphabet;
        alphabet.check_side(decoded.side)?;
        if decoded.regions.is_some() && !settings.options.lines_have_layouts() {
            let reason = match settings.options.regions {
                None => {
                    "the line has regions; --variant jigsaw or --variant regions would read them"
                }
                Some(_) => {
                    "the line has its own regions, but --regions sets one layout for all lines"
                }
            };
            return Err(reason.into());
        }
        let mut puzzle = Vec::with_capacity(decoded.digits.len());
        alphabet.write(&decoded.digits, Default::default(), &mut puzzle);
        fields.puzzle = puzzle.into();
        if let Some(regions) = decoded.regions {
            fields.regions = Some(regions.into());
        }
    } else if includes_layout(&fields.puzzle, settings) {
        let (puzzle, labels) = split_layout(std::mem::take(&mut fields.puzzle));
        fields.puzzle = puzzle;
        fields.regions = Some(labels);
    } else if let Some(puzzle) = without_plus(&fields.puzzle, settings) {
        fields.puzzle = puzzle.into();
    }
    Ok(())
}

/// Returns whether a field is a puzzle directly followed by its layout. The length of such a field is twice a square
/// number, so it cannot be a puzzle alone.
fn includes_layout(field: &[u8], settings: &Settings) -> bool {
    let half = field.len() / 2;
    settings.options.lines_have_layouts()
        && field.len() == 2 * half
        && half.isqrt().pow(2) == half
        && settings.rulesets.sizes.side(half).is_ok()
}

/// Splits a field that includes a layout into the puzzle and the layout.
fn split_layout(field: Cow<'_, [u8]>) -> (Cow<'_, [u8]>, Cow<'_, [u8]>) {
    match field {
        Cow::Borrowed(field) => {
            let (puzzle, labels) = field.split_at(field.len() / 2);
            (puzzle.into(), labels.into())
        }
        Cow::Owned(field) => {
            let (puzzle, labels) = field.split_at(field.len() / 2);
            (puzzle.to_vec().into(), labels.to_vec().into())
        }
    }
}

/// Removes the `+` marks of HoDoKu, which writes `+` before each digit that is not a given. Returns `None` if the field is
/// not in this notation.
fn without_plus(field: &[u8], settings: &Settings) -> Option<Vec<u8>> {
    let alphabet = &settings.options.alphabet;
    let sizes = &settings.rulesets.sizes;
    memchr::memchr(b'+', field)?;
    if sizes.side(field.len()).is_ok() || alphabet.digit_of(b'+').is_some() {
        return None;
    }
    let is_mark = |index: usize| {
        let next = field.get(index + 1);
        let digit = next.and_then(|&symbol| alphabet.digit_of(symbol));
        field[index] == b'+' && digit.is_some_and(|digit| digit > 0)
    };
    let kept = (0..field.len()).filter(|&index| !is_mark(index));
    let puzzle: Vec<u8> = kept.map(|index| field[index]).collect();
    sizes.side(puzzle.len()).is_ok().then_some(puzzle)
}

/// Returns the fields of a drawn puzzle, given as rows with blanks between them. A grid has N rows of N symbols.
fn fields_of_drawing(rows: &[u8], expected: EntryGrids) -> Result<RecordFields<'_>, BoxError> {
    let rows: Vec<&[u8]> = grid_input::rows_of(rows).collect();
    let side = grid_input::most_common_width(rows.iter().map(|row| row.len()), 0);
    if side > MAX_SIDE {
        return Err(format!("a row of {side} symbols; the widest puzzle is 25x25").into());
    }
    if let Some(odd) = rows.iter().position(|row| row.len() != side) {
        let usual = rows.iter().position(|row| row.len() == side);
        return Err(format!(
            "row {} has {}; row {} has {side}",
            odd + 1,
            pluralize(rows[odd].len(), "symbol"),
            usual.unwrap_or_default() + 1,
        )
        .into());
    }
    if side == 0 || !rows.len().is_multiple_of(side) || rows.len() > side * expected.count() {
        let number = pluralize(rows.len(), "row");
        let followers = match (expected.layout, expected.answer) {
            (false, false) => "",
            (true, false) => " and its layout",
            (false, true) => " and its answer",
            (true, true) => ", its layout and its answer",
        };
        let has = if expected.count() == 1 { "has" } else { "have" };
        return Err(format!(
            "{number} of {}; {}{followers} {has} {}",
            pluralize(side, "symbol"),
            a_puzzle(side),
            side * expected.count(),
        )
        .into());
    }
    let mut grids = rows.chunks(side).map(|rows| rows.concat());
    Ok(RecordFields {
        puzzle: grids.next().unwrap_or_default().into(),
        regions: expected
            .layout
            .then(|| grids.next().map(Cow::from))
            .flatten(),
        answer: grids.next().map(Cow::from),
        ..RecordFields::default()
    })
}
