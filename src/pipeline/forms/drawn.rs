//! Drawings: a puzzle is drawn over several lines, or stands within other text.

use std::collections::HashSet;

use super::kind::{KnownFields, PuzzleKind};
use super::likeness::MIN_ROWS;
use super::lines::is_puzzle;
use super::named::NamedFields;
use super::{Beginning, Form, Recognition, RecordKind, Split};
use crate::pipeline::options::{Input, Options};
use crate::pipeline::settings::Settings;
use crate::pipeline::source_settings::SourceSettings;
use crate::stream::FirstRecord;
use crate::stream::chunks::OVERLONG_PREFIX;
use crate::stream::records::{BoxCutter, Cutter, MAX_LINE, Places, Record, Records};
use crate::text::forms::drawing::{
    DrawingAlphabet, DrawingCutter, are_side_by_side, fields_of_record, rows_of_record,
};
use crate::text::hints::{self, Explanation};
use engine::error::BoxError;
use engine::rules::{Variant, Variants};

pub(super) struct Drawn;

const TOO_MANY_ROWS: &str =
    "more than 64 KiB of rows without a blank line; one of them is missing or extra";

/// The least number of rows if no line of the source is a puzzle: then a small puzzle is more
/// likely than lines that are all invalid.
const MIN_SMALL_ROWS: usize = 4;

impl Form for Drawn {
    fn name(&self) -> &'static str {
        "drawings"
    }

    fn option(&self) -> &'static str {
        "--input grid"
    }

    fn is_allowed(&self, options: &Options) -> bool {
        // Cages are not read from drawings.
        !options.variants.contains(Variant::Killer)
    }

    fn cutter(&self, settings: &Settings) -> Option<BoxCutter> {
        let variants = &settings.options.variants;
        // Who names the classic rules does not mean others.
        let of_run = (!variants.contains(Variant::Classic)).then(|| variants.clone());
        Some(Box::new(new_cutter(settings, of_run)))
    }

    fn open(&self, _: &Settings, _: usize, _: FirstRecord<'_>) -> Result<(), BoxError> {
        Ok(())
    }

    fn kind_of<'a>(&self, record: &Record<'a>, _: &Settings) -> RecordKind<'a> {
        let rows = record.bytes;
        match record.fault {
            _ if rows.len() > MAX_LINE => {
                RecordKind::Invalid(&rows[..OVERLONG_PREFIX], TOO_MANY_ROWS)
            }
            Some(fault) => RecordKind::Invalid(rows, fault),
            None => RecordKind::Fields(rows),
        }
    }

    fn split<'a>(
        &self,
        record: &Record<'a>,
        settings: &'a Settings,
    ) -> Result<Split<'a>, BoxError> {
        let fields = fields_of_record(record.bytes, record.rows_per_field, settings.expected)?;
        let known = KnownFields { kind: PuzzleKind::Symbols, fields };
        Ok(Split { named: NamedFields::None, fields: Ok(known) })
    }

    fn explain(&self, reason: BoxError, rows: &[u8], settings: &Settings) -> Explanation {
        let (alphabet, sizes) = (&settings.options.alphabet, &settings.rulesets.sizes);
        let hint = hints::symbols_hint(rows, alphabet, sizes);
        Explanation { reason: reason.to_string(), hint }
    }

    /// Looks for drawings before the first line that decides for lines only.
    fn recognizes(&self, sources: &SourceSettings, beginning: &Beginning<'_>) -> Recognition {
        let line = beginning.first_line(sources);
        let before = &beginning.bytes[..line.unwrap_or(beginning.bytes.len())];
        let min_rows = if line.is_none() && beginning.is_whole { MIN_SMALL_ROWS } else { MIN_ROWS };
        let is_whole = beginning.is_whole || line.is_some();
        let drawn = sources.settings(Input::Drawn);
        let is_drawing = |bytes: &[u8]| {
            drawn.is_some_and(|drawn| begins_with_drawing(drawn, bytes, is_whole, min_rows))
        };
        let is_commented = || {
            let text = text_of_comments(before).filter(|_| line.is_none());
            text.is_some_and(|text| is_drawing(&text))
        };
        match is_drawing(before) || is_commented() {
            true => Recognition::Yes,
            false => Recognition::No,
        }
    }
}

/// Returns the text of comments, unless there are other lines.
fn text_of_comments(bytes: &[u8]) -> Option<Vec<u8>> {
    let lines = bytes.split_inclusive(|&byte| byte == b'\n');
    let text = |line: &'_ [u8]| match line.trim_ascii_start() {
        [] => Some(line.to_vec()),
        [b'#', text @ ..] => Some(text.to_vec()),
        _ => None,
    };
    lines.map(text).collect::<Option<Vec<_>>>().map(|it| it.concat())
}

/// If `variants` are given, a rule that text names and that is none of them makes a puzzle invalid.
fn new_cutter(settings: &Settings, variants: Option<Variants>) -> DrawingCutter {
    let (fields, sizes) = (settings.expected, settings.rulesets.sizes);
    let mut alphabet = DrawingAlphabet::new(settings.options.alphabet.clone(), fields, sizes);
    alphabet.variants = variants;
    DrawingCutter::new(alphabet)
}

/// `is_whole` is true if no line of a drawing follows.
fn begins_with_drawing(settings: &Settings, bytes: &[u8], is_whole: bool, min_rows: usize) -> bool {
    // An entry can end with the next line only.
    let cut = new_cutter(settings, None).cut(bytes, is_whole);
    let (Some(text), Places::Spans(spans)) = (&cut.text, &cut.places) else {
        return false;
    };
    let left = 0..spans.spans.len();
    let mut records = Records::Spans { spans, left, text, line: 1, number: 1 };
    records.any(|record| {
        let rows = rows_of_record(record.bytes).count();
        rows >= min_rows
            && (rows >= MIN_ROWS || has_different_digits(record.bytes))
            && match record.fault {
                None => is_puzzle(&record, settings),
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
