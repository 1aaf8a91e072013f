//! Splits a record into fields: a text for each field, and the class of the field of the puzzle.
//! `decode.rs` decodes them.

use std::borrow::Cow;

use super::decode::PuzzleField;
use super::input_form::NamedFields;
use super::options::Input;
use super::settings::Settings;
use crate::text::f_puzzles_link::{self, object_of};
use crate::text::foreign::puzzle_of_link;
use crate::text::forms::csv::CsvHeader;
use crate::text::forms::drawing;
use crate::text::forms::json::JsonObject;
use crate::text::forms::lines::{self, Separators};
use crate::text::header_names::HeaderNames;
use crate::text::notation::is_self_describing;
use crate::text::one_line;
use crate::text::prose::{find_puzzle, is_prose};
use crate::text::record::{Field, FieldSet, RecordFields, has_inner_cr, reason_for_inner_cr, trim};
use crate::text::symbols::Alphabet;
use engine::error::{BoxError, InvalidInput};
use engine::rules::MAX_SIDE;

pub(super) struct Split<'a> {
    pub named: NamedFields<'a>,
    /// An error if an object has no key for the puzzle, or has a value that cannot be such a field.
    pub fields: Result<(PuzzleField<'a>, RecordFields<'a>), BoxError>,
}

/// Except in CSV and JSON, a record is also invalid if a byte other than CR follows a CR.
pub(super) fn split<'a>(record: &'a [u8], settings: &Settings) -> Result<Split<'a>, BoxError> {
    let options = &settings.options;
    if !settings.input.is_csv_or_json() && has_inner_cr(record) {
        return Err(reason_for_inner_cr(record).into());
    }
    let (named, fields) = match (settings.input, &options.field_names) {
        (Input::Csv, _) => {
            let header = settings.csv_header.get().expect("the header of CSV is read first");
            let named = header.split(record)?;
            let fields = fields_of_csv(header, &named, settings);
            (NamedFields::InOrder(named), fields)
        }
        (Input::Json, _) => {
            let object = JsonObject::parse(record)?;
            let fields = fields_of_object(&object, settings.expected, settings);
            (NamedFields::Object(Box::new(object)), fields)
        }
        (Input::Drawn, _) => {
            let fields = drawing::fields_of_record(record, settings.expected)?;
            (NamedFields::None, Ok(with_puzzle_joined(fields, settings)))
        }
        (Input::Lines, Some(names)) => {
            let (named, rest) = names.split(record, separators(settings));
            let fields = RecordFields { rest, ..names.fields(&named) };
            let fields = match object_of(&fields.puzzle) {
                Some(object) => fields_of_link(object, fields, settings),
                None => Ok(with_puzzle_joined(fields, settings)),
            };
            (NamedFields::InOrder(named), fields)
        }
        (Input::Lines, None) => (NamedFields::None, fields_of_line(record, settings)),
    };
    let fields = fields.map(|(puzzle, mut fields)| {
        // Prose is searched for a grid instead.
        if !options.lenient {
            let cleaned = |answer| unmarked(joined(answer, &options.alphabet), &options.alphabet);
            fields.answer = fields.answer.map(cleaned);
        }
        (puzzle, fields)
    });
    let fields = match named.unread_constraints(settings) {
        Some(reason) if fields.is_ok() => Err(reason.into()),
        _ => fields,
    };
    Ok(Split { named, fields })
}

fn separators(settings: &Settings) -> Separators {
    let names = settings.options.field_names.as_ref();
    let names_cages = names.is_some_and(|names| names.index_of(Field::Cages.name()).is_some());
    match settings.expected.cages || names_cages {
        true => Separators::Blanks,
        false => Separators::Usual,
    }
}

fn with_puzzle_joined<'a>(
    mut fields: RecordFields<'a>,
    settings: &Settings,
) -> (PuzzleField<'a>, RecordFields<'a>) {
    let puzzle = joined(std::mem::take(&mut fields.puzzle), &settings.options.alphabet);
    (PuzzleField::classify(puzzle, settings), fields)
}

pub(super) fn fields_of_csv<'a>(
    header: &CsvHeader,
    named: &[Cow<'a, [u8]>],
    settings: &Settings,
) -> Result<(PuzzleField<'a>, RecordFields<'a>), BoxError> {
    let options = &settings.options;
    let mut fields = header.fields(named);
    if options.lenient && is_prose(&fields.puzzle) {
        let text = String::from_utf8_lossy(&fields.puzzle).into_owned();
        return Ok((PuzzleField::Symbols(puzzle_in_prose(&[text], settings)?.into()), fields));
    }
    if let Some(object) = object_of(&fields.puzzle) {
        return fields_of_link(object, fields, settings);
    }
    let puzzle = joined(std::mem::take(&mut fields.puzzle), &options.alphabet);
    let puzzle = take_parts_at_blanks(puzzle, &mut fields, settings.expected);
    Ok((PuzzleField::classify(puzzle, settings), fields))
}

/// Returns the puzzle of the first text that has one.
fn puzzle_in_prose(texts: &[String], settings: &Settings) -> Result<Vec<u8>, BoxError> {
    let (sizes, alphabet) = (&settings.rulesets.sizes, &settings.options.alphabet);
    let mut found = texts.iter().filter_map(|text| find_puzzle(text, sizes, alphabet).transpose());
    Ok(found.next().unwrap_or_else(|| Err("no puzzle in the text".into()))?)
}

pub(super) fn fields_of_object<'a>(
    object: &JsonObject<'a>,
    mut expected: FieldSet,
    settings: &Settings,
) -> Result<(PuzzleField<'a>, RecordFields<'a>), BoxError> {
    let options = &settings.options;
    if options.mode.writes_equivalents() {
        object.check_only_answer(&options.header)?;
        // The answer changes with the puzzle.
        expected.answer = true;
    }
    let mut fields = object.fields(&options.header, &options.alphabet, expected)?;
    if let Some(object) = object_of(&fields.puzzle) {
        return fields_of_link(object, fields, settings);
    }
    let puzzle = match fields.prose.take() {
        Some(texts) => PuzzleField::Symbols(puzzle_in_prose(&texts, settings)?.into()),
        None => PuzzleField::classify(std::mem::take(&mut fields.puzzle), settings),
    };
    Ok((puzzle, fields))
}

/// Returns the fields of the object that a link in place of the puzzle carries. An answer of the
/// record replaces that of the object.
fn fields_of_link<'a>(
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

/// A layout or cages that the field of the puzzle includes are not expected after it.
fn fields_of_line<'a>(
    line: &'a [u8],
    settings: &Settings,
) -> Result<(PuzzleField<'a>, RecordFields<'a>), BoxError> {
    let options = &settings.options;
    if let Some(puzzle) = puzzle_of_link(line, &options.alphabet) {
        return Ok((PuzzleField::Symbols(puzzle.into()), RecordFields::default()));
    }
    if f_puzzles_link::is_one(trim(line)) {
        let expected = FieldSet { regions: false, cages: false, ..settings.expected };
        let fields = lines::split(expected, line, separators(settings), |_| FieldSet::default());
        let object = object_of(&fields.puzzle).expect("the first field is the link");
        return fields_of_link(object, fields, settings);
    }
    let mut puzzle = PuzzleField::Missing;
    let fields = lines::split(settings.expected, line, separators(settings), |field| {
        puzzle = PuzzleField::classify(field.into(), settings);
        puzzle.includes(settings)
    });
    if let Some(grid) = grid_on_line(line, &puzzle, settings) {
        return Ok((PuzzleField::Symbols(grid.into()), RecordFields::default()));
    }
    Ok((puzzle, fields))
}

fn grid_on_line(line: &[u8], first: &PuzzleField<'_>, settings: &Settings) -> Option<Vec<u8>> {
    let PuzzleField::Symbols(symbols) = first else {
        return None;
    };
    let can_be_row =
        symbols.len() <= MAX_SIDE && settings.rulesets.sizes.side(symbols.len()).is_err();
    can_be_row.then(|| grid_of_cells(line, &settings.options.alphabet))?
}

fn grid_of_cells(text: &[u8], alphabet: &Alphabet) -> Option<Vec<u8>> {
    one_line::read_grid(text, alphabet).or_else(|| one_line::read_candidates(text, alphabet))
}

/// Cells that are numbers of two digits become symbols, and groups of candidates pencilmarks.
fn joined<'a>(mut field: Cow<'a, [u8]>, alphabet: &Alphabet) -> Cow<'a, [u8]> {
    join_lines(&mut field);
    // Most fields have neither, and need no other test.
    match memchr::memchr2(b' ', b',', &field) {
        Some(_) => grid_of_cells(&field, alphabet).map_or(field, Cow::Owned),
        None => field,
    }
}

/// The marks are those of HoDoKu.
fn unmarked<'a>(answer: Cow<'a, [u8]>, alphabet: &Alphabet) -> Cow<'a, [u8]> {
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

/// Splits the field of a puzzle in CSV at its blanks into `PUZZLE [REGIONS] [CAGES]`, with the
/// parts that the options expect. The parts that are found replace the fields of the columns
/// `regions` and `cages`. Any text after them is dropped. Returns the puzzle.
fn take_parts_at_blanks<'a>(
    field: Cow<'a, [u8]>,
    fields: &mut RecordFields<'a>,
    expected: FieldSet,
) -> Cow<'a, [u8]> {
    let expected = FieldSet::of_rules(expected.regions, expected.cages);
    let text = field.trim_ascii();
    let can_have_parts =
        expected != FieldSet::default() && text.contains(&b' ') && !is_self_describing(text);
    if !can_have_parts {
        return field;
    }
    let parts = lines::split(expected, text, Separators::Blanks, |_| FieldSet::default());
    let owned = |part: Cow<'_, [u8]>| Cow::Owned(part.into_owned());
    fields.regions = parts.regions.map(owned).or(fields.regions.take());
    fields.cages = parts.cages.map(owned).or(fields.cages.take());
    owned(parts.puzzle)
}
