//! Recognises words that look like a grid, also a damaged one: they decide on the form of a source.

use crate::text::symbols::Alphabet;

/// Puzzles of fewer rows are not looked for: a few short words could be one.
pub(super) const MIN_ROWS: usize = 6;
/// The length of the shortest word that counts as a damaged grid. A row of a drawing has at most 25
/// cells, or 27 if it shows candidates.
pub(super) const MIN_DAMAGED: usize = 31;

/// Quotes and brackets belong to the text of a program.
pub(super) fn is_symbol(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'*')
}

pub(super) fn can_be_symbol(byte: u8, alphabet: &Alphabet) -> bool {
    is_symbol(byte) || alphabet.digit_of(byte).is_some()
}

/// Returns true if a word is longer than any row and consists of cells, except for a few symbols: a
/// grid that lacks a symbol or has one too many, with a wrong symbol, or joined with another.
pub(super) fn is_nearly_grid(word: &[u8], alphabet: &Alphabet) -> bool {
    word.len() >= MIN_DAMAGED
        && word.iter().all(|&byte| can_be_symbol(byte, alphabet))
        && has_most_cells(word, alphabet)
}

/// Returns true if most symbols of a word are those of a grid of about its length. A line without a
/// digit, such as one of dashes or dots, is a border.
pub(super) fn has_most_cells(word: &[u8], alphabet: &Alphabet) -> bool {
    let side = word.len().isqrt() + 1;
    let digits = || word.iter().filter_map(|&symbol| alphabet.digit_of(symbol));
    let cells = digits().filter(|&digit| digit <= side).count();
    digits().any(|digit| digit > 0) && 4 * cells >= 3 * word.len()
}

pub(super) fn is_border(symbols: &[u8]) -> bool {
    symbols.iter().all(|symbol| matches!(symbol, b'-' | b'_'))
}
