//! Recognises the form of a source by its first lines (`--input auto`).
//!
//! Whatever a source holds that looks like a puzzle, an answer or a rule is either read, or named in
//! a message with its place, and the exit status is 1 (unless `--require` allows it). A guess about
//! a form never turns a damaged record into another puzzle.
//!
//! So the form follows from what a source begins with, and not from whether its first record is
//! whole: that record can be the damaged one. In this order:
//!
//! * An object decides for JSON, also one within an array (`can_be_json`), and so do several grids in
//!   an array on one line.
//! * A header with a known name of the puzzle decides for CSV, unless the rows of a drawing follow
//!   (`begins_with_header`).
//! * A puzzle drawn over several lines or within other text decides for drawings.
//! * A line that begins with a puzzle, or has a puzzle and an answer, each of them possibly damaged,
//!   decides for lines (`is_line`). Drawings are looked for before the first such line only.
//!
//! Without any of these within `MAX_BYTES`, the source is read as lines.

use std::collections::HashSet;

use engine::rules::MAX_SIDE;

use super::decode::{self, PuzzleField};
use super::fields::{self, Split};
use super::input_form::cutter;
use super::options::Input;
use super::settings::Settings;
use super::source_settings::SourceSettings;
use crate::stream::records::{MAX_LINE, Places};
use crate::text::f_puzzles_link;
use crate::text::foreign::is_link;
use crate::text::forms::csv::CsvHeader;
use crate::text::forms::drawing::{are_side_by_side, rows_of_record};
use crate::text::forms::json::begins_with_grids;
use crate::text::forms::lines::Fields;
use crate::text::notation::is_self_describing;
use crate::text::record::{Field, Line, RecordFields, is_blank, trim, without_end, without_mark};
use crate::text::symbols::{Alphabet, CellNotation};

/// A program can have pages of text before its puzzles.
const MAX_BYTES: usize = MAX_LINE;

/// Returns `None` if more must be read.
pub(super) fn detect(sources: &SourceSettings, bytes: &[u8], ends: bool) -> Option<Input> {
    let is_whole = ends || bytes.len() > MAX_BYTES;
    let ends = ends && bytes.len() <= MAX_BYTES;
    let beginning = &bytes[..bytes.len().min(MAX_BYTES)];
    let bytes = if ends { beginning } else { whole_lines(beginning) };
    let lines = sources.settings(Input::Lines)?;
    let text = without_mark(beginning).trim_ascii_start();
    if text.starts_with(b"{") || text.starts_with(b"[") {
        if sources.settings(Input::Json).is_some() {
            match can_be_json(text) {
                Some(true) => return Some(Input::Json),
                None if !is_whole => return None,
                // A bracket alone is no object.
                None if text.len() > 1 => return Some(Input::Json),
                _ => {}
            }
            // A list of grids with a grid on each line can be a drawing.
            let end = memchr::memchr(b'\n', text);
            if text.starts_with(b"[") && end.is_none() && !is_whole {
                return None;
            }
            let line = text[..end.unwrap_or(text.len())].trim_ascii_end();
            if begins_with_grids(line, &lines.options.header, &lines.options.alphabet) {
                return Some(Input::Json);
            }
        }
    } else if sources.settings(Input::Csv).is_some_and(|csv| begins_with_header(csv, bytes, ends)) {
        return Some(Input::Csv);
    }
    let line = first_line(bytes, lines);
    let before = &bytes[..line.unwrap_or(bytes.len())];
    // Where no line decides, a small puzzle is more likely than lines that are all invalid.
    let min_rows = if line.is_none() && is_whole { MIN_SMALL_ROWS } else { MIN_ROWS };
    let is_whole = is_whole || line.is_some();
    let drawn = sources.settings(Input::Drawn);
    if drawn.is_some_and(|drawn| begins_with_drawing(drawn, before, is_whole, min_rows)) {
        return Some(Input::Drawn);
    }
    is_whole.then_some(Input::Lines)
}

fn whole_lines(bytes: &[u8]) -> &[u8] {
    &bytes[..memchr::memrchr(b'\n', bytes).map_or(0, |end| end + 1)]
}

/// Returns the index at which the first line begins that decides for lines.
fn first_line(bytes: &[u8], lines: &Settings) -> Option<usize> {
    let mut begin = 0;
    bytes.split_inclusive(|&byte| byte == b'\n').find_map(|line| {
        let at = begin;
        begin += line.len();
        let is_found = match Line::of(line) {
            Line::Record(record) => is_line(record, lines),
            Line::Copied(_) => false,
        };
        is_found.then_some(at)
    })
}

/// Returns true for a puzzle, for a damaged grid or notation at the beginning of the line, and for a
/// line with two grids, which is probably a record whose fields are in another order.
fn is_line(record: &[u8], settings: &Settings) -> bool {
    let alphabet = &settings.options.alphabet;
    let begins_with_grid =
        || Fields::of(record).next().is_some_and(|field| is_nearly_grid(field, alphabet));
    is_puzzle(record, settings)
        || begins_with_grid()
        || begins_with_notation(record)
        || has_two_grids(record, alphabet)
}

/// A title such as `9x9: easy` is no notation.
fn begins_with_notation(record: &[u8]) -> bool {
    let word = trim(record).split(|&byte| is_blank(byte)).next().unwrap_or_default();
    word.len() >= MIN_DAMAGED && is_self_describing(word)
}

/// Returns true if two words of a line have as many symbols as a puzzle of side 6 or more has cells,
/// or if one of them nearly has and the other is a part of a grid.
fn has_two_grids(line: &[u8], alphabet: &Alphabet) -> bool {
    let is_grid =
        |word: &&[u8]| word.len() >= MIN_ROWS * MIN_ROWS && word.len().isqrt().pow(2) == word.len();
    let is_part = |word: &&[u8]| word.len() >= MIN_PART && has_most_cells(word, alphabet);
    let words = || line.split(|&byte| !can_be_symbol(byte, alphabet));
    line.split(|&byte| !is_symbol(byte)).filter(is_grid).nth(1).is_some()
        || (words().filter(is_part).nth(1).is_some()
            && words().any(|word| is_grid(&word) || is_nearly_grid(word, alphabet)))
}

/// Quotes and brackets belong to the text of a program.
fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'*')
}

fn can_be_symbol(byte: u8, alphabet: &Alphabet) -> bool {
    is_symbol(byte) || alphabet.digit_of(byte).is_some()
}

/// Returns true if a word is longer than any row and consists of cells, except for a few symbols: a
/// grid that lacks a symbol or has one too many, with a wrong symbol, or joined with another.
fn is_nearly_grid(word: &[u8], alphabet: &Alphabet) -> bool {
    word.len() >= MIN_DAMAGED
        && word.iter().all(|&byte| can_be_symbol(byte, alphabet))
        && has_most_cells(word, alphabet)
}

/// Returns true if most symbols of a word are those of a grid of about its length. A line without a
/// digit, such as one of dashes or dots, is a border.
fn has_most_cells(word: &[u8], alphabet: &Alphabet) -> bool {
    let side = word.len().isqrt() + 1;
    let digits = || word.iter().filter_map(|&symbol| alphabet.digit_of(symbol));
    let cells = digits().filter(|&digit| digit <= side).count();
    digits().any(|digit| digit > 0) && 4 * cells >= 3 * word.len()
}

fn is_border(symbols: &[u8]) -> bool {
    symbols.iter().all(|symbol| matches!(symbol, b'-' | b'_'))
}

fn is_puzzle(record: &[u8], settings: &Settings) -> bool {
    let has_cells = |word: &[u8]| is_nearly_grid(word, &settings.options.alphabet);
    let split = fields::split(record, settings);
    let fields = split.ok().and_then(|Split { fields, .. }| fields.ok());
    fields.is_some_and(|fields| can_be_read(fields, settings))
        || (is_link(record) && record.split(|&byte| !is_symbol(byte)).any(has_cells))
        || f_puzzles_link::is_one(trim(record))
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
    has_cells && (rules.are_described || !is_border(&fields.puzzle))
}

/// Returns whether a text begins with an object, or with an array of objects, which can be damaged.
/// Other lists in braces or brackets can be the rows of a drawing. Returns `None` if more must be
/// read.
fn can_be_json(text: &[u8]) -> Option<bool> {
    let [first, rest @ ..] = text else { return None };
    let rest = rest.trim_ascii_start();
    let second = rest.first()?;
    if *first == b'[' {
        return Some(*second == b'{');
    }
    if *second == b'}' {
        return Some(true);
    }
    if let Some(key) = rest.strip_prefix(b"\"") {
        // A list of texts has no colon after the first one.
        let end = memchr::memchr(b'"', key)?;
        if *key[end + 1..].trim_ascii_start().first()? == b':' {
            return Some(true);
        }
    }
    // The first key can be damaged.
    let end = memchr::memchr(b'\n', rest);
    let line = &rest[..end.unwrap_or(rest.len())];
    match memchr::memmem::find(line, b"\":") {
        Some(_) => Some(true),
        None => end.map(|_| false),
    }
}

/// Returns true if the first line is a header and the lines after it are records. It can also be the
/// title of a drawing, such as `Sudoku` or `Puzzle, easy`.
fn begins_with_header(settings: &Settings, bytes: &[u8], ends: bool) -> bool {
    let Some(end) = memchr::memchr(b'\n', bytes) else {
        return false;
    };
    let Ok(header) = CsvHeader::parse(&bytes[..end], &settings.options.header) else {
        return false;
    };
    // An export without a record.
    if ends && bytes[end + 1..].trim_ascii().is_empty() {
        return true;
    }
    let lines = bytes[end + 1..].split(|&byte| byte == b'\n').map(without_end);
    let first = lines.map(<[u8]>::trim_ascii).find(|line| !line.is_empty());
    if first.is_some_and(|line| has_columns(&header, line, settings)) {
        return true;
    }
    let records = records_of(settings, bytes, ends);
    records.skip(1).map(without_end).filter(|record| !record.is_empty()).enumerate().any(
        |(index, record)| {
            // A drawing can have its solution on a line of its own.
            (index == 0 || header.width() > 1) && is_csv_puzzle(&header, record, settings)
        },
    )
}

/// Returns true if a line is probably a record with these columns, possibly a damaged one: it has the
/// same number of fields and no row in place of the puzzle, or a field of rules or an answer beside
/// it, or it has a word that is nearly a grid.
fn has_columns(header: &CsvHeader, line: &[u8], settings: &Settings) -> bool {
    let alphabet = &settings.options.alphabet;
    let is_end = |byte: &u8| matches!(byte, b' ' | b'"') || *byte == header.separator;
    if line.split(is_end).any(|word| is_nearly_grid(word, alphabet)) {
        return true;
    }
    let has_other = Field::ALL[1..].iter().any(|&field| header.has_column(field));
    if has_other && header.has_puzzle(line) {
        return true;
    }
    let named = header.split(line).ok().filter(|_| header.width() > 1);
    named.is_some_and(|named| {
        let puzzle = header.fields(&named).puzzle;
        puzzle.is_empty() || (puzzle.len() > MAX_SIDE && !puzzle.contains(&b' '))
    })
}

fn is_csv_puzzle(header: &CsvHeader, record: &[u8], settings: &Settings) -> bool {
    header.split(record).is_ok_and(|named| {
        let fields = fields::fields_of_csv(header, &named, settings);
        fields
            .is_ok_and(|(puzzle, mut fields)| decode::decode(puzzle, &mut fields, settings).is_ok())
    })
}

/// Returns the whole records at the beginning of a source of CSV, with its header.
fn records_of<'b>(
    settings: &Settings,
    bytes: &'b [u8],
    ends: bool,
) -> impl Iterator<Item = &'b [u8]> {
    let cut = cutter(settings).expect("CSV has a cutter").cut(bytes, ends);
    let (lines, spans) = match cut.places {
        // The last line of a source can lack its line end.
        Places::Lines => (&bytes[..if ends { bytes.len() } else { cut.length }], Vec::new()),
        Places::Spans(places) => (&bytes[..0], places.spans),
    };
    let spans = spans.into_iter().map(|span| &bytes[span.begin as usize..span.end as usize]);
    lines.split_inclusive(|&byte| byte == b'\n').chain(spans)
}

/// `is_whole` is true if no line of a drawing follows.
fn begins_with_drawing(settings: &Settings, bytes: &[u8], is_whole: bool, min_rows: usize) -> bool {
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
        rows >= min_rows
            && (rows >= MIN_ROWS || has_different_digits(record))
            && match &span.fault {
                None => is_puzzle(record, settings),
                // Each line would be a puzzle with an answer.
                Some(fault) => are_side_by_side(fault),
            }
    })
}

/// Returns true if a record has two digits or more, and no digit twice in a row or a column. Small
/// matrices of other files rarely have both.
fn has_different_digits(record: &[u8]) -> bool {
    let rows: Vec<&[u8]> = rows_of_record(record).collect();
    let is_digit = |symbol: &u8| symbol.is_ascii_alphanumeric() && *symbol != b'0';
    let all_differ = |cells: &[u8]| {
        let digits: Vec<u8> = cells.iter().copied().filter(is_digit).collect();
        (1..digits.len()).all(|index| !digits[..index].contains(&digits[index]))
    };
    let column =
        |index: usize| rows.iter().filter_map(|row| row.get(index).copied()).collect::<Vec<u8>>();
    let digits: HashSet<u8> = rows.concat().into_iter().filter(is_digit).collect();
    digits.len() > 1
        && rows.iter().all(|row| all_differ(row))
        && (0..rows.len()).all(|index| all_differ(&column(index)))
}

/// Puzzles of fewer rows are not looked for: a few short words could be one.
const MIN_ROWS: usize = 6;
const MIN_SMALL_ROWS: usize = 4;
/// The length of the shortest word that counts as a damaged grid. A row of a drawing has at most 25
/// cells, or 27 if it shows candidates.
const MIN_DAMAGED: usize = 31;
/// The least number of cells of a grid that is cut short, beside another grid.
const MIN_PART: usize = 16;
