//! Lines: each line is a record, whose fields follow the puzzle or are named by `--fields`.

use super::fields::{fields_of_link, grid_of_cells, with_puzzle_joined};
use super::kind::{KnownFields, PuzzleKind};
use super::likeness::{
    MIN_DAMAGED, MIN_ROWS, can_be_symbol, has_most_cells, is_border, is_nearly_grid, is_symbol,
};
use super::named::{NamedFields, Names};
use super::unread::finish_split;
use super::{Beginning, Form, Recognition, RecordKind, Split, kind_of_lines};
use crate::pipeline::boards::Boards;
use crate::pipeline::decode::{self, Statement};
use crate::pipeline::settings::Settings;
use crate::pipeline::source_settings::SourceSettings;
use crate::stream::records::Record;
use crate::text::f_puzzles_link::{self, object_of};
use crate::text::foreign::{is_link, puzzle_of_link};
use crate::text::forms::lines::{self, Fields, Separators};
use crate::text::hints::{self, Explanation, UnreadFields};
use crate::text::notation::{has_unread_constraints, is_self_describing};
use crate::text::record::{
    Field, FieldSet, Line, RecordFields, has_inner_cr, is_blank, reason_for_inner_cr, trim,
    without_end,
};
use crate::text::symbols::Alphabet;
use engine::error::BoxError;
use engine::rules::MAX_SIDE;

pub(super) struct Lines;

const UNREAD_CONSTRAINTS: &str = "a constraint string is one field with its givens; \
    --fields puzzle,constraints reads it beside a puzzle";

/// The least number of cells of a grid that is cut short, beside another grid.
const MIN_PART: usize = 16;

impl Form for Lines {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn option(&self) -> &'static str {
        "--input lines"
    }

    fn kind_of<'a>(&self, record: &Record<'a>, settings: &Settings) -> RecordKind<'a> {
        let checks_answers = settings.options.mode.checks_answers();
        match kind_of_lines(record, true) {
            RecordKind::Fields(text)
                if settings.has_unnamed_fields && has_unread_constraints(text, checks_answers) =>
            {
                RecordKind::Invalid(without_end(record.bytes), UNREAD_CONSTRAINTS)
            }
            kind => kind,
        }
    }

    fn split<'a>(
        &self,
        record: &Record<'a>,
        settings: &'a Settings,
    ) -> Result<Split<'a>, BoxError> {
        let line = record.bytes;
        if has_inner_cr(line) {
            return Err(reason_for_inner_cr(line).into());
        }
        let Some(names) = &settings.options.field_names else {
            let fields = fields_of_line(line, settings);
            return Ok(finish_split(NamedFields::None, fields, settings));
        };
        let (values, rest) = names.split(line, separators(settings));
        let fields = match names.fields(&values) {
            Ok(fields) => fields_of_named(RecordFields { rest, ..fields }, settings),
            Err(reason) => Err(reason.into()),
        };
        let named = NamedFields::InOrder { names: Names::Option(names), fields: values };
        Ok(finish_split(named, fields, settings))
    }

    fn explain(&self, reason: BoxError, line: &[u8], settings: &Settings) -> Explanation {
        let Settings { options, rulesets, .. } = settings;
        let is_explained = !settings.has_unnamed_fields || reason.is::<UnreadFields>();
        let reason = reason.to_string();
        match is_explained {
            true => Explanation::of_reason(reason),
            false => {
                hints::explain(reason, line, &options.alphabet, &rulesets.sizes, &options.variants)
            }
        }
    }

    /// The form of what is in no other form.
    fn recognizes(&self, sources: &SourceSettings, beginning: &Beginning<'_>) -> Recognition {
        match beginning.is_whole || beginning.first_line(sources).is_some() {
            true => Recognition::Yes,
            false => Recognition::ReadMore,
        }
    }
}

fn fields_of_named<'a>(
    fields: RecordFields<'a>,
    settings: &Settings,
) -> Result<KnownFields<'a>, BoxError> {
    match object_of(&fields.puzzle) {
        Some(object) => fields_of_link(object, fields, settings),
        None => Ok(with_puzzle_joined(fields, settings)),
    }
}

fn separators(settings: &Settings) -> Separators {
    let names = settings.options.field_names.as_ref();
    let names_cages = names.is_some_and(|names| names.index_of(Field::Cages.name()).is_some());
    match settings.expected.cages || names_cages {
        true => Separators::Blanks,
        false => Separators::Usual,
    }
}

/// A layout or cages that the field of the puzzle includes are not expected after it.
fn fields_of_line<'a>(line: &'a [u8], settings: &Settings) -> Result<KnownFields<'a>, BoxError> {
    let options = &settings.options;
    if let Some(puzzle) = puzzle_of_link(line, &options.alphabet) {
        return Ok(KnownFields::with_symbols(puzzle, RecordFields::default()));
    }
    if f_puzzles_link::is_one(trim(line)) {
        let expected = FieldSet { regions: false, cages: false, ..settings.expected };
        let fields = lines::split(expected, line, separators(settings), |_| FieldSet::default());
        let object = object_of(&fields.puzzle).expect("the first field is the link");
        return fields_of_link(object, fields, settings);
    }
    let mut kind = PuzzleKind::Missing;
    let fields = lines::split(settings.expected, line, separators(settings), |puzzle| {
        kind = PuzzleKind::of(puzzle, settings);
        kind.includes(settings)
    });
    let known = KnownFields { kind, fields };
    match grid_on_line(line, &known, settings) {
        Some(grid) => Ok(KnownFields::with_symbols(grid, RecordFields::default())),
        None => Ok(known),
    }
}

fn grid_on_line(line: &[u8], first: &KnownFields<'_>, settings: &Settings) -> Option<Vec<u8>> {
    let symbols = first.fields.puzzle.len();
    let can_be_row = matches!(first.kind, PuzzleKind::Symbols)
        && symbols <= MAX_SIDE
        && settings.rulesets.sizes.find(symbols).is_none();
    can_be_row.then(|| grid_of_cells(line, &settings.options.alphabet))?
}

/// Returns the index at which the first line begins that decides for lines.
pub(super) fn first_line(bytes: &[u8], lines: &Settings) -> Option<usize> {
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
    is_puzzle(&Record::new(record, 1, 1), settings)
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

pub(super) fn is_puzzle(record: &Record<'_>, settings: &Settings) -> bool {
    let has_cells = |word: &[u8]| is_nearly_grid(word, &settings.options.alphabet);
    let split = settings.input.form().split(record, settings);
    let fields = split.ok().and_then(|Split { fields, .. }| fields.ok());
    let text = record.bytes;
    fields.is_some_and(|fields| can_be_read(fields, settings))
        || (is_link(text) && text.split(|&byte| !is_symbol(byte)).any(has_cells))
        || f_puzzles_link::is_one(trim(text))
}

fn can_be_read(known: KnownFields<'_>, settings: &Settings) -> bool {
    let KnownFields { kind, mut fields } = known;
    let mut board = Boards::default();
    decode::decode(kind, &mut fields, &mut board, settings).is_ok_and(|(puzzle, _)| {
        puzzle.statement != Statement::Beside || !is_border(&fields.puzzle)
    })
}
