//! Plain lines: a 9x9 puzzle of the usual symbols, or with `--verify` such a puzzle, a separator
//! and a correct answer. Most lines are plain, so they are read by the places of their symbols, and
//! an entry holds no more than the index of the puzzle. `read.rs` reads all other lines.

use std::borrow::Cow;

use super::answer::{CheckedAnswer, PuzzlesToSolve};
use super::batch::{Batch, Batches, BoardIndex, RunSeed};
use super::decode::Statement;
use super::options::Options;
use super::question::{PuzzlePlace, Question};
use super::rulesets::Rulesets;
use crate::stream::records::Records;
use crate::text::record::{FieldSet, ends_field};
use crate::text::size::CellNotation;
use crate::text::symbols::{Alphabet, Case, SymbolChoice};
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
                let Batch { rules, checked, .. } = &mut batches.all[batch];
                let board = BoardIndex::Checked((checked.digits.len() / CELLS) as u32);
                check(line, &rules.ruleset(0).rules, alphabet, &mut checked.digits)?;
                let record = records.take_line(ANSWER_LINE)?;
                let place = PuzzlePlace { batch: batch as u32, board };
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
                let board = BoardIndex::Puzzle(index as u32);
                let place = PuzzlePlace { batch: batch as u32, board };
                Some((puzzle, record.line, place))
            }
        }
    }
}

/// The line must be a puzzle, a separator, a correct answer and a newline. If it is, appends the
/// puzzle.
#[inline(always)]
fn check(
    line: &[u8; ANSWER_LINE],
    rules: &Rules,
    alphabet: &Alphabet,
    puzzles: &mut Vec<u8>,
) -> Option<()> {
    let (puzzle, after) = line.split_first_chunk::<CELLS>()?;
    let [separator, answer @ .., b'\n'] = after else { return None };
    let answer = alphabet.plain_digits(answer.try_into().ok()?)?;
    let start = puzzles.len();
    if !(ends_field(*separator) && alphabet.read_plain(puzzle, puzzles)) {
        return None;
    }
    // The constant length makes `is_right` faster.
    let givens: &[u8; CELLS] = puzzles[start..].first_chunk()?;
    let is_right = is_right(rules, givens, &answer);
    if !is_right {
        puzzles.truncate(start);
    }
    is_right.then_some(())
}

#[inline(always)]
pub(super) fn answer(line: &[u8]) -> &[u8] {
    &line[CELLS + 1..]
}

/// Returns the question as `read.rs` would make it.
pub(super) fn question(line: &[u8], place: PuzzlePlace) -> Question<'_> {
    let (puzzle, answer) = line.split_at(CELLS);
    let blank = puzzle.iter().copied().find(|symbol| matches!(symbol, b'.' | b'0'));
    let is_checked = matches!(place.board, BoardIndex::Checked(_));
    Question {
        regions: None,
        answer: answer.get(1..).map(Cow::Borrowed),
        rest: b"",
        statement: Statement::Beside,
        items: Vec::new(),
        symbols: SymbolChoice { case: Case::default(), blank: blank.unwrap_or(b'.') },
        answer_case: Case::default(),
        place,
        checked: is_checked.then(CheckedAnswer::default),
    }
}
