//! Recognises another puzzle in the fields of a record that is one puzzle.

use super::columns::Column;
use super::header_names::FOUND;
use super::symbols::Alphabet;

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

/// True for the name of a field that a run of the program can have written.
pub(crate) fn is_column(name: &str) -> bool {
    let name = name.strip_suffix(FOUND).unwrap_or(name);
    Column::ALL.iter().any(|(known, _)| *known == name)
}
