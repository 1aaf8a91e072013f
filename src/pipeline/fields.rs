//! The fields of a record that every form has: cells and numbers become symbols, prose and links
//! the puzzle that they hold. `forms/` splits records, `decode.rs` decodes the fields.

use std::borrow::Cow;

use super::decode::PuzzleField;
use super::settings::Settings;
use crate::text::forms::json::JsonObject;
use crate::text::header_names::HeaderNames;
use crate::text::notation::is_self_describing;
use crate::text::one_line;
use crate::text::prose::find_puzzle;
use crate::text::record::{FieldSet, RecordFields};
use crate::text::symbols::Alphabet;
use engine::error::{BoxError, InvalidInput};

pub(super) fn with_puzzle_joined<'a>(
    mut fields: RecordFields<'a>,
    settings: &Settings,
) -> (PuzzleField<'a>, RecordFields<'a>) {
    let puzzle = joined(std::mem::take(&mut fields.puzzle), &settings.options.alphabet);
    (PuzzleField::classify(puzzle, settings), fields)
}

/// Returns the puzzle of the first text that has one.
pub(super) fn puzzle_in_prose(texts: &[String], settings: &Settings) -> Result<Vec<u8>, BoxError> {
    let (sizes, alphabet) = (&settings.rulesets.sizes, &settings.options.alphabet);
    let mut found = texts.iter().filter_map(|text| find_puzzle(text, sizes, alphabet).transpose());
    Ok(found.next().unwrap_or_else(|| Err("no puzzle in the text".into()))?)
}

/// Returns the fields of the object that a link in place of the puzzle carries. An answer of the
/// record replaces that of the object.
pub(super) fn fields_of_link<'a>(
    object: Result<String, InvalidInput>,
    record: RecordFields<'a>,
    settings: &Settings,
) -> Result<(PuzzleField<'a>, RecordFields<'a>), BoxError> {
    let (object, alphabet) = (object?, &settings.options.alphabet);
    let object = JsonObject::parse(object.as_bytes())?;
    let fields = object.fields(&HeaderNames::default(), alphabet, FieldSet::default())?;
    let mut fields: RecordFields<'a> = fields.into_owned();
    // A link without them has none.
    let missing = |is_expected: bool| is_expected.then(|| b"-"[..].into());
    fields.regions = fields.regions.or_else(|| missing(settings.expected.regions));
    fields.cages = fields.cages.or_else(|| missing(settings.expected.cages));
    fields.answer = record.answer.or(fields.answer);
    fields.constraints = record.constraints.or(fields.constraints);
    fields.rest = record.rest;
    if let Some(rules) = &mut fields.rules {
        rules.is_linked = true;
    }
    let puzzle = PuzzleField::classify(std::mem::take(&mut fields.puzzle), settings);
    Ok((puzzle, fields))
}

pub(super) fn grid_of_cells(text: &[u8], alphabet: &Alphabet) -> Option<Vec<u8>> {
    one_line::read_grid(text, alphabet).or_else(|| one_line::read_candidates(text, alphabet))
}

/// Cells that are numbers of two digits become symbols, and groups of candidates pencilmarks.
pub(super) fn joined<'a>(mut field: Cow<'a, [u8]>, alphabet: &Alphabet) -> Cow<'a, [u8]> {
    join_lines(&mut field);
    // Most fields have neither, and need no other test.
    match memchr::memchr2(b' ', b',', &field) {
        Some(_) => grid_of_cells(&field, alphabet).map_or(field, Cow::Owned),
        None => field,
    }
}

/// The marks are those of HoDoKu.
pub(super) fn unmarked<'a>(answer: Cow<'a, [u8]>, alphabet: &Alphabet) -> Cow<'a, [u8]> {
    match alphabet.without_marks(&answer) {
        Cow::Owned(unmarked) if !is_self_describing(&answer) => unmarked.into(),
        _ => answer,
    }
}

/// Line ends become spaces if the cells are separated by spaces or commas, and are removed if not.
fn join_lines(field: &mut Cow<'_, [u8]>) {
    // Only a quoted field, which is owned, can have line ends.
    let Cow::Owned(field) = field else { return };
    let is_end = |byte: &u8| matches!(byte, b'\r' | b'\n');
    if memchr::memchr2(b'\r', b'\n', field).is_none() {
        return;
    }
    if field.iter().any(|byte| matches!(byte, b' ' | b',')) {
        field.iter_mut().filter(|byte| is_end(byte)).for_each(|byte| *byte = b' ');
    } else {
        field.retain(|byte| !is_end(byte));
    }
}
