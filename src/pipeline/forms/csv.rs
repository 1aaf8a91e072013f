//! CSV: a header names the fields of the records after it.

use std::borrow::Cow;

use super::fields::{fields_of_link, join, puzzle_in_prose};
use super::kind::KnownFields;
use super::likeness::is_nearly_grid;
use super::named::{NamedFields, Names};
use super::unread::finish_split;
use super::{Beginning, Form, Recognition, RecordKind, Split, kind_of_lines};
use crate::pipeline::boards::Boards;
use crate::pipeline::decode;
use crate::pipeline::options::{Input, Output};
use crate::pipeline::settings::Settings;
use crate::pipeline::source_settings::SourceSettings;
use crate::stream::FirstRecord;
use crate::stream::records::{BoxCutter, Cutter, Places, Record};
use crate::text::f_puzzles_link::object_of;
use crate::text::foreign::refuse_save_file;
use crate::text::forms::csv::cutter::{CsvCutter, REPEATED_HEADER};
use crate::text::forms::csv::{CsvHeader, ends_with_header, has_puzzle};
use crate::text::forms::lines::{self, Separators};
use crate::text::hints::Explanation;
use crate::text::notation::is_self_describing;
use crate::text::prose::is_prose;
use crate::text::record::{Field, FieldSet, RecordFields, without_end};
use engine::error::BoxError;
use engine::rules::MAX_SIDE;

pub(super) struct Csv;

const HEADER_AFTER_RECORD: &str =
    "the header follows the record: files were joined without a line end between them";

impl Form for Csv {
    fn name(&self) -> &'static str {
        "CSV"
    }

    fn option(&self) -> &'static str {
        "--csv"
    }

    fn output(&self) -> Output {
        Output::Csv
    }

    fn names_fields(&self) -> bool {
        true
    }

    fn reason_for_overlong(&self) -> &'static str {
        "the record is longer than 1 MiB"
    }

    fn cutter(&self, settings: &Settings) -> Option<BoxCutter> {
        Some(Box::new(new_cutter(settings)))
    }

    fn open(
        &self,
        settings: &Settings,
        source: usize,
        first: FirstRecord<'_>,
    ) -> Result<(), BoxError> {
        refuse_save_file(first.text)?;
        settings.csv_header.add(source, first, &settings.options, &settings.columns)
    }

    fn kind_of<'a>(&self, record: &Record<'a>, _: &Settings) -> RecordKind<'a> {
        match record.fault {
            _ if record.line == 1 => RecordKind::Header,
            Some(REPEATED_HEADER) => RecordKind::RepeatedHeader,
            _ => kind_of_lines(record, false),
        }
    }

    fn split<'a>(
        &self,
        record: &Record<'a>,
        settings: &'a Settings,
    ) -> Result<Split<'a>, BoxError> {
        let header = settings.csv_header.get().expect("the header of CSV is read first");
        let values = header.split(record.bytes)?;
        let fields = fields_of_record(header, &values, settings);
        let named = NamedFields::InOrder { names: Names::Header(header), fields: values };
        Ok(finish_split(named, fields, settings))
    }

    fn explain(&self, reason: BoxError, record: &[u8], settings: &Settings) -> Explanation {
        let first = settings.csv_header.get();
        let is_joined = first.is_some_and(|first| ends_with_header(record, first));
        Explanation::of_reason(match is_joined {
            true => HEADER_AFTER_RECORD.to_string(),
            false => reason.to_string(),
        })
    }

    fn recognizes(&self, sources: &SourceSettings, beginning: &Beginning<'_>) -> Recognition {
        let settings = sources.settings(Input::Csv).filter(|_| !beginning.has_bracket());
        let is_csv =
            settings.is_some_and(|csv| begins_with_header(csv, beginning.bytes, beginning.ends));
        if is_csv { Recognition::Yes } else { Recognition::No }
    }
}

fn new_cutter(settings: &Settings) -> CsvCutter {
    CsvCutter::new(settings.options.header.clone(), settings.options.lenient)
}

fn fields_of_record<'a>(
    header: &CsvHeader,
    named: &[Cow<'a, [u8]>],
    settings: &Settings,
) -> Result<KnownFields<'a>, BoxError> {
    let options = &settings.options;
    let mut fields = header.fields(named)?;
    if options.lenient && is_prose(&fields.puzzle) {
        let text = String::from_utf8_lossy(&fields.puzzle).into_owned();
        return Ok(KnownFields::with_symbols(puzzle_in_prose(&[text], settings)?, fields));
    }
    if let Some(object) = object_of(&fields.puzzle) {
        return fields_of_link(object, fields, settings);
    }
    join(&mut fields.puzzle, &options.alphabet);
    split_at_blanks(&mut fields, settings.expected);
    Ok(KnownFields::new(fields, settings))
}

/// Splits the field of a puzzle in CSV at its blanks into `PUZZLE [REGIONS] [CAGES]`, with the
/// parts that the options expect. The parts that are found replace the fields of the columns
/// `regions` and `cages`. Any text after them is dropped.
fn split_at_blanks(fields: &mut RecordFields<'_>, expected: FieldSet) {
    let expected = FieldSet::of_rules(expected.regions, expected.cages);
    let text = fields.puzzle.trim_ascii();
    let can_have_parts =
        expected != FieldSet::default() && text.contains(&b' ') && !is_self_describing(text);
    if !can_have_parts {
        return;
    }
    let parts = lines::split(expected, text, Separators::Blanks, |_| FieldSet::default());
    let parts = RecordFields { rest: b"", ..parts }.into_owned();
    fields.puzzle = parts.puzzle;
    fields.regions = parts.regions.or(fields.regions.take());
    fields.cages = parts.cages.or(fields.cages.take());
}

/// Returns true if the first line is a header and the lines after it are records. It can also be
/// the title of a drawing, such as `Sudoku` or `Puzzle, easy`.
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

/// Returns true if a line is probably a record with these columns, possibly a damaged one: it has
/// the same number of fields and no row in place of the puzzle, or a field of rules or an answer
/// beside it, or it has a word that is nearly a grid.
fn has_columns(header: &CsvHeader, line: &[u8], settings: &Settings) -> bool {
    let alphabet = &settings.options.alphabet;
    let is_end = |byte: &u8| matches!(byte, b' ' | b'"') || *byte == header.separator;
    if line.split(is_end).any(|word| is_nearly_grid(word, alphabet)) {
        return true;
    }
    let has_other = Field::ALL[1..].iter().any(|&field| header.has_column(field));
    if has_other && has_puzzle(header, line) {
        return true;
    }
    let named = header.split(line).ok().filter(|_| header.width() > 1);
    named.is_some_and(|named| {
        let Ok(RecordFields { puzzle, .. }) = header.fields(&named) else { return true };
        puzzle.is_empty() || (puzzle.len() > MAX_SIDE && !puzzle.contains(&b' '))
    })
}

fn is_csv_puzzle(header: &CsvHeader, record: &[u8], settings: &Settings) -> bool {
    header.split(record).is_ok_and(|named| {
        let fields = fields_of_record(header, &named, settings);
        fields.is_ok_and(|KnownFields { kind, mut fields }| {
            decode::decode(kind, &mut fields, &mut Boards::default(), settings).is_ok()
        })
    })
}

/// Returns the whole records at the beginning of a source of CSV, with its header.
fn records_of<'b>(
    settings: &Settings,
    bytes: &'b [u8],
    ends: bool,
) -> impl Iterator<Item = &'b [u8]> {
    let cut = new_cutter(settings).cut(bytes, ends);
    let (lines, spans) = match cut.places {
        // The last line of a source can lack its line end.
        Places::Lines => (&bytes[..if ends { bytes.len() } else { cut.length }], Vec::new()),
        Places::Spans(places) => (&bytes[..0], places.spans),
    };
    let spans = spans.into_iter().map(|span| &bytes[span.begin as usize..span.end as usize]);
    lines.split_inclusive(|&byte| byte == b'\n').chain(spans)
}
