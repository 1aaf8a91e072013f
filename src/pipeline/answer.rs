//! The answers of a source: which of their puzzles are solved, and what is wrong with an answer.

use super::mode::Mode;
use super::options::Options;
use super::used_columns::UsedColumns;
use crate::text::columns::Need;
use crate::text::symbols::{Alphabet, Case, outside_ascii};
use engine::error::BoxError;
use engine::puzzle::Givens;
use engine::rules::{Place, Rules, pluralize};
use engine::verify::{conflicting_cells, verify};

/// The puzzles of a source that are solved or shuffled. Of the others, only the answer is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PuzzlesToSolve {
    /// Without `--verify`, or if a column shows a result of the search or compares the answer with
    /// the solution.
    All,
    /// The answer must be the only solution.
    WithCorrectAnswer,
    None,
}

#[derive(Clone, Default)]
pub(super) struct CheckedAnswer {
    /// The digits, 0 for a blank cell. Empty for a plain line.
    pub digits: Vec<u8>,
    pub fault: Option<String>,
    /// The result of `conflicting_cells` for an incorrect answer, if a column shows it; otherwise
    /// empty.
    pub conflicting: Vec<usize>,
}

impl CheckedAnswer {
    /// Call if a column shows the conflicts.
    pub fn find_conflicts(&mut self, rules: &Rules, givens: Givens<'_>) {
        if self.fault.is_some() {
            self.conflicting = conflicting_cells(rules, givens, &self.digits);
        }
    }
}

impl PuzzlesToSolve {
    pub fn new(mode: Mode, columns: &UsedColumns) -> PuzzlesToSolve {
        let all = !mode.checks_answers()
            || columns.need(Need::Solving)
            || columns.need(Need::SolvedAnswer);
        match mode.checks_uniqueness() {
            _ if all => PuzzlesToSolve::All,
            true => PuzzlesToSolve::WithCorrectAnswer,
            false => PuzzlesToSolve::None,
        }
    }

    pub fn contain(self, answer: Option<&CheckedAnswer>) -> bool {
        match self {
            PuzzlesToSolve::All => true,
            PuzzlesToSolve::WithCorrectAnswer => answer.is_some_and(|it| it.fault.is_none()),
            PuzzlesToSolve::None => false,
        }
    }
}

/// Returns the digits of the answer and its case. `case` is that of the puzzle.
pub(super) fn read_answer(
    answer: &[u8],
    rules: &Rules,
    alphabet: &Alphabet,
    case: Case,
) -> Result<(Vec<u8>, Case), BoxError> {
    if answer.is_empty() {
        return Err("the answer is missing".into());
    }
    if answer.len() != rules.cells() {
        if let Some(reason) = outside_ascii(answer) {
            return Err(format!("answer: {reason}").into());
        }
        let cells = pluralize(answer.len(), "cell");
        let wanted = rules.cells();
        return Err(format!("{cells} in the answer, {wanted} in the puzzle").into());
    }
    let mut digits = Vec::with_capacity(rules.cells());
    let of_answer = alphabet
        .of_case(case)
        .read(answer, rules.side(), &mut digits)
        .map_err(|reason| format!("answer: {reason}"))?;
    Ok((digits, if case == Case::FromZero { case } else { of_answer }))
}

/// With `--lenient`, a missing answer is incorrect, not an error. `case` is that of the puzzle, for
/// the digits in a reason. Also returns the case of the answer.
pub(super) fn check(
    options: &Options,
    rules: &Rules,
    givens: Givens<'_>,
    case: Case,
    answer: &[u8],
) -> Result<(CheckedAnswer, Case), BoxError> {
    let alphabet = &options.alphabet;
    if options.lenient && answer.is_empty() {
        let fault = Some("no grid in the answer".to_string());
        let digits = vec![0; rules.cells()];
        return Ok((CheckedAnswer { digits, fault, ..CheckedAnswer::default() }, Case::default()));
    }
    let (digits, answer_case) = read_answer(answer, rules, alphabet, case)?;
    let excluded = match givens {
        Givens::Candidates(candidates) => excluded_cell(candidates, &digits).map(|cell| {
            let digit = alphabet.symbol(digits[cell], case);
            let place = Place::of(cell, rules.side());
            format!("{place} is {digit}, which is not among its pencilmarks")
        }),
        Givens::Digits(_) => None,
    };
    let fault = excluded.or_else(|| {
        // The grid of a pencilmark puzzle is blank, so `verify` finds no fault with its givens.
        let blank;
        let puzzle = match givens {
            Givens::Digits(digits) => digits,
            Givens::Candidates(_) => {
                blank = vec![0; rules.cells()];
                &blank
            }
        };
        let fault = verify(rules, puzzle, &digits).err()?;
        Some(fault.reason(|digit| alphabet.symbol(digit, case)))
    });
    Ok((CheckedAnswer { digits, fault, ..CheckedAnswer::default() }, answer_case))
}

/// Returns the first cell whose digit is not a candidate. Blank cells are left to [`verify`].
fn excluded_cell(candidates: &[u32], answer: &[u8]) -> Option<usize> {
    let mut pairs = candidates.iter().zip(answer);
    pairs.position(|(set, &digit)| digit != 0 && set >> (digit - 1) & 1 == 0)
}
