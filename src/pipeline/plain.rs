//! Plain lines: a 9x9 puzzle of the usual symbols, or with `--verify` such a puzzle, a separator
//! and a correct answer. Most lines are plain, so they are read by the places of their symbols, and
//! an entry holds no more than the index of the puzzle. `read.rs` reads all other lines.

use std::borrow::Cow;

use super::answer::{CheckedAnswer, PuzzlesToSolve};
use super::batch::{Batches, RunSeed};
use super::decode::Statement;
use super::options::Options;
use super::question::{PuzzlePlace, Question};
use super::rulesets::Rulesets;
use crate::stream::records::Records;
use crate::text::record::{FieldSet, RecordFields, ends_field};
use crate::text::symbols::{Alphabet, Case, CellNotation};
use engine::rules::Rules;
use engine::verify::is_right;

/// A line ends with its newline.
const CELLS: usize = 81;
const PUZZLE_LINE: usize = CELLS + 1;
const ANSWER_LINE: usize = 2 * CELLS + 2;

#[derive(Clone, Copy, Debug)]
pub(super) enum PlainLines {
    /// Puzzles that are solved.
    Puzzles(RunSeed),
    /// Puzzles that are not solved, because their answers are correct.
    Answers,
}

impl PlainLines {
    /// Call for lines whose fields have no names.
    ///
    /// Of each line, only its form and its answer are checked later. So this must return `None` if
    /// an option changes the meaning of plain lines or makes one of them invalid.
    pub fn new(
        options: &Options,
        expected: FieldSet,
        seed: RunSeed,
        to_solve: PuzzlesToSolve,
    ) -> Option<PlainLines> {
        let plain = match to_solve {
            PuzzlesToSolve::None => PlainLines::Answers,
            _ if !options.mode.reads_plain_puzzles() => return None,
            _ => PlainLines::Puzzles(seed),
        };
        let are_plain = !(expected.regions || expected.cages || options.lenient)
            && options.pattern.is_none()
            // With `--reveal r10c1`, for example, every 9x9 puzzle is invalid.
            && options.mode.check(9, CellNotation::Digits).is_ok();
        are_plain.then_some(plain)
    }

    /// If the next record is not a plain line, takes nothing. Returns the line without its end.
    #[inline(always)]
    pub fn read<'a>(
        self,
        alphabet: &Alphabet,
        rulesets: &Rulesets,
        records: &mut Records<'a>,
        batches: &mut Batches<'_>,
    ) -> Option<(&'a [u8], u64, PuzzlePlace)> {
        match self {
            PlainLines::Answers => {
                let line = records.peek::<ANSWER_LINE>()?;
                let batch = batches.of_side(9, rulesets).ok()?;
                check(line, &batches.all[batch].rules.ruleset(0).rules, alphabet)?;
                let record = records.take_line(ANSWER_LINE)?;
                let place = PuzzlePlace { batch: batch as u32, index: None };
                Some((&line[..ANSWER_LINE - 1], record.line, place))
            }
            PlainLines::Puzzles(seed) => {
                let [puzzle @ .., b'\n'] = records.peek::<PUZZLE_LINE>()? else { return None };
                let batch = batches.of_side(9, rulesets).ok()?;
                let puzzles = &mut batches.all[batch];
                if !alphabet.read_plain(puzzle, &mut puzzles.boards.digits) {
                    return None;
                }
                let record = records.take_line(PUZZLE_LINE)?;
                let index = puzzles.complete(seed.of_line(record.number));
                let place = PuzzlePlace { batch: batch as u32, index: Some(index as u32) };
                Some((puzzle, record.line, place))
            }
        }
    }
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

/// Returns the question as `read.rs` would make it.
pub(super) fn question(line: &[u8], place: PuzzlePlace) -> Question<'_> {
    let (puzzle, answer) = line.split_at(CELLS);
    Question {
        fields: RecordFields {
            puzzle: Cow::Borrowed(puzzle),
            answer: answer.get(1..).map(Cow::Borrowed),
            ..RecordFields::default()
        },
        statement: Statement::Beside,
        items: Vec::new(),
        case: Case::default(),
        answer_case: Case::default(),
        place,
        own_rules: None,
        checked: place.index.is_none().then(CheckedAnswer::default),
    }
}
