//! Recognises puzzles and layouts in fields of a record that are not read.

use super::columns::Column;
use super::header_names::FOUND;
use super::symbols::Alphabet;
use engine::rules::{MAX_SIDE, Rules, Shape, Variants};

/// Returns true for a puzzle of the same size with other givens, and the same blank symbol. A board
/// that keeps all givens is a later state of the puzzle, and one without blanks a solution.
pub(crate) fn is_other_puzzle(puzzle: &[u8], text: &[u8], alphabet: &Alphabet) -> bool {
    if text.len() != puzzle.len() || text == puzzle {
        return false;
    }
    let digit = |symbol: &u8| alphabet.digit_of(*symbol);
    let Some(blank) = puzzle.iter().find(|symbol| digit(symbol) == Some(0)) else { return false };
    if memchr::memchr(*blank, text).is_none() {
        return false;
    }
    let (mut has_digit, mut differs) = (false, false);
    for (given, symbol) in puzzle.iter().zip(text) {
        let (Some(given), Some(digit)) = (digit(given), digit(symbol)) else { return false };
        has_digit |= digit > 0;
        differs |= given > 0 && given != digit;
    }
    has_digit && differs
}

/// Returns true for a text that is nearly such a puzzle, of side 6 or more: a symbol or two are
/// missing, extra or wrong.
pub(crate) fn is_damaged_puzzle(puzzle: &[u8], text: &[u8], alphabet: &Alphabet) -> bool {
    const MAX_FAULTS: usize = 2;
    let cells = puzzle.len();
    if cells < 36 || text.len().abs_diff(cells) > MAX_FAULTS {
        return false;
    }
    let digits = || text.iter().filter_map(|&symbol| alphabet.digit_of(symbol));
    let faults = text.len() - digits().count() + text.len().abs_diff(cells);
    let is_blank = |symbol: &u8| alphabet.digit_of(*symbol) == Some(0) && text.contains(symbol);
    (1..=MAX_FAULTS).contains(&faults)
        && digits().any(|digit| digit > 0)
        && puzzle.iter().any(is_blank)
}

/// Returns true for a full grid with these givens: 0 for a blank cell.
pub(crate) fn keeps_givens(givens: &[u8], text: &[u8], alphabet: &Alphabet) -> bool {
    let is_kept = |(&given, &symbol): (&u8, &u8)| {
        alphabet
            .digit_of(symbol)
            .is_some_and(|it| it > 0 && (given == 0 || usize::from(given) == it))
    };
    text.len() == givens.len() && givens.iter().zip(text).all(is_kept)
}

/// Returns true for a full grid of the same size as an answer that differs from it.
pub(crate) fn is_other_answer(answer: &[u8], text: &[u8], alphabet: &Alphabet) -> bool {
    let is_full =
        |text: &[u8]| text.iter().all(|&it| alphabet.digit_of(it).is_some_and(|it| it > 0));
    answer.len() >= 16 && text.len() == answer.len() && text != answer && is_full(text)
}

/// True for the name of a field that a run of the program can have written.
pub(crate) fn is_column(name: &str) -> bool {
    let name = name.strip_suffix(FOUND).unwrap_or(name);
    Column::ALL.iter().any(|(known, _)| *known == name)
}

/// Returns true if N² labels form N regions of N cells, each in one piece, unless the labels of
/// every row all differ: they are then more likely a solution.
pub(crate) fn is_layout(labels: &[u8]) -> bool {
    let side = labels.len().isqrt();
    if !(2..=MAX_SIDE).contains(&side) || side * side != labels.len() {
        return false;
    }
    // In one piece, each corner has the label of a neighbour. Most grids end here.
    let is_single = |corner: usize, beside: usize, below: usize| {
        labels[corner] != labels[beside] && labels[corner] != labels[below]
    };
    let last = labels.len() - 1;
    if is_single(0, 1, side)
        || is_single(side - 1, side - 2, 2 * side - 1)
        || is_single(last, last - 1, last - side)
        || is_single(last + 1 - side, last + 2 - side, last + 1 - 2 * side)
    {
        return false;
    }
    let number_of_labels = |labels: &[u8]| {
        let seen = labels.iter().fold(0, |seen: u128, label| seen | 1 << (label & 127));
        seen.count_ones() as usize
    };
    let all_differ = |row: &[u8]| number_of_labels(row) == side;
    if number_of_labels(labels) != side || labels.chunks(side).all(all_differ) {
        return false;
    }
    Rules::new(side, Shape::regions(labels, false), &Variants::default()).is_ok()
}
