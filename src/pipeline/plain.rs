//! Plain lines: a 9x9 puzzle of the usual symbols, or with `--verify` such a puzzle, a separator
//! and a correct answer. Most lines are plain, so they are read by the places of their symbols, and
//! an entry holds no more than the index of the puzzle. `read.rs` reads all other lines.

use std::borrow::Cow;

use super::batch::Batches;
use super::entry::{CheckedAnswer, Entry, EntryKind, Question};
use super::input_form::NamedFields;
use super::options::{CellNotation, Input, Mode, Options};
use super::settings::Settings;
use crate::rules::Rules;
use crate::stream::records::Records;
use crate::text::forms::lines::ends_field;
use crate::text::record::RecordFields;
use crate::text::symbols::{Alphabet, Case};
use crate::verify::is_right;

/// A line ends with its newline.
const CELLS: usize = 81;
const PUZZLE_LINE: usize = CELLS + 1;
const ANSWER_LINE: usize = 2 * CELLS + 2;

#[derive(Clone, Copy)]
pub(super) struct PlainLine {
    pub batch: u32,
    /// The index of its puzzle in the batch, `None` if it has a correct answer.
    pub index: Option<u32>,
}

/// Returns true if plain lines can be read. For each line, only its form and its answer are
/// checked. All other options are checked here, once for all lines: if an option changes the
/// meaning of plain lines or makes one of them invalid, this must return false.
pub(super) fn are_read(options: &Options) -> bool {
    let expected = options.expected_fields();
    let must_solve = match options.mode {
        Mode::Verify { unique } => unique || options.solves_checked(),
        _ => false,
    };
    options.input == Some(Input::Lines)
        && options.field_names.is_none()
        && !(expected.regions || expected.cages || options.shuffles() || must_solve)
        // The number of givens is checked.
        && !matches!(options.mode, Mode::Add(_) | Mode::Remove(_))
        // With `--reveal r10c1`, for example, every 9x9 puzzle is invalid.
        && options.mode.check(9, CellNotation::Digits).is_ok()
        && !options.lenient
}

/// Reads the next record if it is a plain line, and adds its puzzle to a batch. Otherwise takes and
/// adds nothing.
#[inline(always)]
pub(super) fn read<'a>(
    settings: &Settings,
    records: &mut Records<'a>,
    batches: &mut Batches<'_>,
) -> Option<Entry<'a>> {
    let options = &settings.options;
    let (record, batch, index) = if options.verifies() {
        let line = records.peek::<ANSWER_LINE>()?;
        let batch = batches.of_side(9, &settings.rulesets).ok()?;
        check(line, &batches.all[batch].rules.ruleset(0).rules, &options.alphabet)?;
        (records.take_line(ANSWER_LINE)?, batch, None)
    } else {
        let [puzzle @ .., b'\n'] = records.peek::<PUZZLE_LINE>()? else { return None };
        let batch = batches.of_side(9, &settings.rulesets).ok()?;
        let puzzles = &mut batches.all[batch];
        if !options.alphabet.read_plain(puzzle, &mut puzzles.grids) {
            return None;
        }
        let record = records.take_line(PUZZLE_LINE)?;
        let index = puzzles.complete(settings.seed_of(record.number));
        (record, batch, Some(index as u32))
    };
    let line = &record.bytes[..record.bytes.len() - 1];
    let kind = EntryKind::Plain(PlainLine { batch: batch as u32, index });
    Some(Entry { line, line_number: record.line, kind })
}

/// The line must be a puzzle, a separator, a correct answer and a newline.
#[inline(always)]
fn check(line: &[u8; ANSWER_LINE], rules: &Rules, alphabet: &Alphabet) -> Option<()> {
    let (puzzle, after) = line.split_first_chunk::<CELLS>()?;
    let [separator, answer @ .., b'\n'] = after else { return None };
    let givens = alphabet.plain_digits(puzzle)?;
    let answer = alphabet.plain_digits(answer.try_into().ok()?)?;
    (ends_field(*separator) && is_right(rules, &givens, &answer)).then_some(())
}

#[inline(always)]
pub(super) fn answer(line: &[u8]) -> &[u8] {
    &line[CELLS + 1..]
}

impl PlainLine {
    /// Returns the question as `read.rs` would make it.
    pub fn question<'a>(self, line: &'a [u8]) -> Question<'a> {
        let (puzzle, answer) = line.split_at(CELLS);
        let is_given = |symbol: &&u8| !matches!(symbol, b'.' | b'0');
        let is_checked = self.index.is_none();
        Question {
            fields: RecordFields {
                puzzle: Cow::Borrowed(puzzle),
                answer: answer.get(1..).map(Cow::Borrowed),
                ..RecordFields::default()
            },
            named: NamedFields::None,
            is_described: false,
            case: Case::default(),
            answer_case: Case::default(),
            batch: self.batch,
            own_rules: None,
            index: self.index,
            number_of_givens: if is_checked {
                puzzle.iter().filter(is_given).count() as u32
            } else {
                0
            },
            checked: is_checked.then(CheckedAnswer::default),
        }
    }
}
