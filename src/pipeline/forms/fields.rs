//! Converts the text of a field: cells and numbers to symbols, prose and links to the puzzle that
//! they hold.

use std::borrow::Cow;

use super::kind::KnownFields;
use crate::pipeline::settings::Settings;
use crate::text::forms::json::JsonObject;
use crate::text::header_names::HeaderNames;
use crate::text::notation::is_self_describing;
use crate::text::one_line;
use crate::text::prose::find_puzzle;
use crate::text::record::{FieldSet, RecordFields};
use crate::text::record_rules::RulesSource;
use crate::text::symbols::Alphabet;
use engine::error::{BoxError, InvalidInput};

pub(super) fn with_puzzle_joined<'a>(
    mut fields: RecordFields<'a>,
    settings: &Settings,
) -> KnownFields<'a> {
    join(&mut fields.puzzle, &settings.options.alphabet);
    KnownFields::new(fields, settings)
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
) -> Result<KnownFields<'a>, BoxError> {
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
        rules.source = RulesSource::Link;
    }
    Ok(KnownFields::new(fields, settings))
}

pub(super) fn grid_of_cells(text: &[u8], alphabet: &Alphabet) -> Option<Vec<u8>> {
    let grid = one_line::read_grid(text, alphabet).map(|(_, cells)| cells);
    grid.or_else(|| one_line::read_candidates(text, alphabet))
}

/// Cells that are numbers of two digits become symbols, and groups of candidates pencilmarks.
pub(super) fn join(field: &mut Cow<'_, [u8]>, alphabet: &Alphabet) {
    join_lines(field);
    // Most fields have neither, and need no other test.
    if memchr::memchr2(b' ', b',', field).is_some()
        && let Some(grid) = grid_of_cells(field, alphabet)
    {
        *field = grid.into();
    }
}

/// Removes the marks of HoDoKu from a field that describes no rules.
pub(super) fn unmark(field: &mut Cow<'_, [u8]>, alphabet: &Alphabet) {
    if let Cow::Owned(unmarked) = alphabet.without_marks(field)
        && !is_self_describing(field)
    {
        *field = unmarked.into();
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
