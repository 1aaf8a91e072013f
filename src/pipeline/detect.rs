//! Recognises the form of a source by its first lines (`--input auto`): a line that is a puzzle
//! decides for lines, a whole record with a puzzle for CSV or JSON, a whole drawn puzzle for
//! drawings. Without any of these within `MAX_BYTES`, the source is read as lines.

use memchr::memchr_iter;

use super::decode::{self, PuzzleField};
use super::fields::{self, Split};
use super::input_form::cutter;
use super::options::{CellNotation, Input};
use super::settings::Settings;
use super::source_settings::SourceSettings;
use crate::stream::chunks::MAX_LINE;
use crate::stream::records::{Cutter, Places};
use crate::text::foreign::is_link;
use crate::text::forms::csv::CsvHeader;
use crate::text::forms::drawing::rows_of_record;
use crate::text::forms::json::JsonObject;
use crate::text::record::{FieldSet, Line, RecordFields, without_end, without_mark};

const MAX_LINES: usize = 120;
const MAX_BYTES: usize = MAX_LINE;

/// Returns `None` if more must be read.
pub(super) fn detect(sources: &SourceSettings, bytes: &[u8], ends: bool) -> Option<Input> {
    let is_whole = ends || bytes.len() > MAX_BYTES || memchr_iter(b'\n', bytes).count() > MAX_LINES;
    let ends = ends && bytes.len() <= MAX_BYTES;
    let beginning = &bytes[..bytes.len().min(MAX_BYTES)];
    let bytes = first_lines(beginning, ends);
    let lines = sources.settings(Input::Lines)?;
    let text = without_mark(beginning).trim_ascii_start();
    if text.starts_with(b"{") || text.starts_with(b"[") {
        // An array can have no line end.
        let json = sources.settings(Input::Json);
        if json.is_some_and(|json| begins_with_object(json, beginning, ends)) {
            return Some(Input::Json);
        }
        // The rows of an array could be a drawn puzzle, but so could those of its solution.
        if json.is_some() && can_be_json(text) {
            return is_whole.then_some(Input::Lines);
        }
    } else if sources.settings(Input::Csv).is_some_and(|csv| begins_with_header(csv, bytes, ends)) {
        return Some(Input::Csv);
    }
    let puzzle = first_puzzle(bytes, lines);
    let before = &bytes[..puzzle.unwrap_or(bytes.len())];
    let is_whole = is_whole || puzzle.is_some();
    let drawn = sources.settings(Input::Drawn);
    if drawn.is_some_and(|drawn| begins_with_drawing(drawn, before, is_whole)) {
        return Some(Input::Drawn);
    }
    is_whole.then_some(Input::Lines)
}

fn first_lines(bytes: &[u8], ends: bool) -> &[u8] {
    let mut newlines = memchr_iter(b'\n', bytes);
    match newlines.nth(MAX_LINES - 1) {
        Some(end) => &bytes[..=end],
        None if ends => bytes,
        None => &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)],
    }
}

/// Returns the index at which the first line begins that is a puzzle, or has two words that can be
/// grids. The second kind is probably a record whose fields are in another order.
fn first_puzzle(bytes: &[u8], lines: &Settings) -> Option<usize> {
    let mut begin = 0;
    bytes.split_inclusive(|&byte| byte == b'\n').find_map(|line| {
        let at = begin;
        begin += line.len();
        let is_found = match Line::of(line) {
            Line::Record(record) => is_puzzle(record, lines) || has_two_grids(record),
            Line::Copied(_) => false,
        };
        is_found.then_some(at)
    })
}

/// Returns true if two words of a line have as many symbols as a puzzle of side 6 or more has cells.
fn has_two_grids(line: &[u8]) -> bool {
    let is_symbol = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'*');
    let is_grid =
        |word: &&[u8]| word.len() >= MIN_ROWS * MIN_ROWS && word.len().isqrt().pow(2) == word.len();
    line.split(|byte| !is_symbol(byte)).filter(is_grid).nth(1).is_some()
}

fn is_puzzle(record: &[u8], settings: &Settings) -> bool {
    let split = fields::split(record, settings);
    let fields = split.ok().and_then(|Split { fields, .. }| fields.ok());
    fields.is_some_and(|fields| can_be_read(fields, settings)) || is_link(record)
}

fn can_be_read(
    (puzzle, mut fields): (PuzzleField<'_>, RecordFields<'_>),
    settings: &Settings,
) -> bool {
    let Ok(rules) = decode::decode(puzzle, &mut fields, settings) else {
        return false;
    };
    let (side, alphabet) = (rules.rules_key.side, &settings.options.alphabet);
    let has_cells = match rules.notation {
        CellNotation::Digits => alphabet.read(&fields.puzzle, side, &mut Vec::new()).is_ok(),
        CellNotation::Pencilmarks => {
            alphabet.read_pencilmarks(&fields.puzzle, side, &mut Vec::new()).is_ok()
        }
    };
    // A line of dashes or underscores is a border.
    let is_border = |symbols: &[u8]| symbols.iter().all(|symbol| matches!(symbol, b'-' | b'_'));
    has_cells && (rules.are_described || !is_border(&fields.puzzle))
}

/// Returns whether a text can begin with an object, or with an array of objects.
fn can_be_json(text: &[u8]) -> bool {
    let [first, rest @ ..] = text else { return false };
    match (first, rest.trim_ascii_start()) {
        (_, []) => true,
        (b'[', [second, ..]) => *second == b'{',
        (_, [b'"', key @ ..]) => {
            // A list of texts has no colon after the first one.
            let end = memchr::memchr(b'"', key);
            end.is_none_or(|end| matches!(key[end + 1..].trim_ascii_start(), [] | [b':', ..]))
        }
        (_, [second, ..]) => *second == b'}',
    }
}

/// The puzzle can also have another name: then a message names its key.
fn begins_with_object(settings: &Settings, bytes: &[u8], ends: bool) -> bool {
    let record = cutter(settings).and_then(|mut it| first_record(&mut *it, bytes, ends));
    let Some(object) = record.and_then(|record| JsonObject::parse(record).ok()) else {
        return false;
    };
    let expected = FieldSet { answer: false, ..settings.expected };
    let fields = fields::fields_of_object(&object, expected, settings);
    fields.is_ok_and(|fields| can_be_read(fields, settings))
        || object.path_of_puzzle(&settings.options.header, &settings.options.alphabet).is_some()
}

fn begins_with_header(settings: &Settings, bytes: &[u8], ends: bool) -> bool {
    let Some(end) = memchr::memchr(b'\n', bytes) else {
        return false;
    };
    let Ok(header) = CsvHeader::parse(&bytes[..end], &settings.options.header) else {
        return false;
    };
    let records = &bytes[end + 1..];
    let record = cutter(settings).and_then(|mut it| first_record(&mut *it, records, ends));
    let record = record.map(without_end);
    let named = record.and_then(|record| header.split(record).ok());
    named.is_some_and(|named| {
        let (puzzle, mut fields) = fields::fields_of_csv(&header, &named, settings);
        decode::decode(puzzle, &mut fields, settings).is_ok()
    })
}

/// `is_whole` is true if no line of a drawing follows.
fn begins_with_drawing(settings: &Settings, bytes: &[u8], is_whole: bool) -> bool {
    let Some(mut cutter) = cutter(settings) else {
        return false;
    };
    // An entry can end with the next line only.
    let cut = cutter.cut(bytes, is_whole);
    let (Some(text), Places::Spans(places)) = (&cut.text, &cut.places) else {
        return false;
    };
    places.spans.iter().any(|span| {
        let record = &text[span.begin as usize..span.end as usize];
        let rows = rows_of_record(record).count();
        span.fault.is_none() && rows >= MIN_ROWS && is_puzzle(record, settings)
    })
}

/// Puzzles of fewer rows are not looked for: a few short words could be one.
const MIN_ROWS: usize = 6;

fn first_record<'b>(cutter: &mut dyn Cutter, mut bytes: &'b [u8], ends: bool) -> Option<&'b [u8]> {
    // The first cut can be text between records.
    for _ in 0..2 {
        let cut = cutter.cut(bytes, ends);
        if cut.length == 0 && ends && matches!(cut.places, Places::Lines) {
            // The last line has no line end.
            return Some(bytes);
        }
        match cut.places {
            Places::Lines => return bytes[..cut.length].split(|&byte| byte == b'\n').next(),
            Places::Spans(places) => {
                if let Some(span) = places.spans.first() {
                    return Some(&bytes[span.begin as usize..span.end as usize]);
                }
            }
        }
        bytes = &bytes[cut.length..];
    }
    None
}
