//! Converts between symbols and digits: reads a field of symbols into a grid, and writes a grid in
//! symbols. `size.rs` finds the side of a grid from the length of its field.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::record::ends_field;
use super::size::wrong_length;
use engine::error::{InvalidInput, escaped};
use engine::puzzle::{BLOCKS, block_at};
use engine::rules::{Place, a_puzzle};

/// The symbols of digits and blank cells.
///
/// A grid is a slice with one digit per cell, row by row: 1 to N in an NxN puzzle, 0 for a blank
/// cell.
///
/// ```
/// use sudoku_filter::Alphabet;
///
/// let mut grid = Vec::new();
/// Alphabet::default().read(b"1.3.3.1.........", 4, &mut grid)?;
/// assert_eq!(grid[..4], [1, 0, 3, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Alphabet {
    /// The digit of each byte, 0 for a blank cell. `None` if the byte is neither.
    digits: [Option<u8>; 256],
    /// The symbols of the digits from 1: the user's, or the default ones with capital letters.
    symbols: Vec<u8>,
    /// The default symbols with small letters. Equal to `symbols` if the user chose the symbols.
    small: Vec<u8>,
    is_custom: bool,
}

/// The case of the first letter that is a digit in a puzzle. The solution is written in the same
/// case.
///
/// ```
/// use sudoku_filter::{Alphabet, Case};
///
/// let alphabet = Alphabet::default();
/// assert_eq!(alphabet.symbol(10, Case::Capital), 'A');
/// assert_eq!(alphabet.symbol(10, Case::Small), 'a');
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// `A` for 10. Also the case of a puzzle without letters for digits, or with symbols that the
    /// user chose.
    #[default]
    Capital,
    /// `a` for 10.
    Small,
    /// `0` for the first digit, `A` for the eleventh: the puzzle counts its digits from 0.
    FromZero,
}

/// The first digit of a puzzle, in its own numbers. The grids that the program stores count from 1
/// in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Numbering {
    #[default]
    FromOne,
    FromZero,
}

/// The symbols of a blank cell, except the user's digits. `.` cannot be a digit.
const BLANKS: &[u8] = b".0_*-?x";
const CAPITALS: &str = "123456789ABCDEFGHIJKLMNOP";
const FROM_ZERO: &str = "0123456789ABCDEFGHIJKLMNO";

impl Default for Alphabet {
    /// Returns the alphabet of `1` to `9`, then the letters `A` to `P` in either case.
    fn default() -> Alphabet {
        let mut alphabet = Alphabet::of_symbols(CAPITALS).expect("each symbol occurs once");
        alphabet.is_custom = false;
        alphabet.small.make_ascii_lowercase();
        for (digit, &symbol) in (1..).zip(&alphabet.small) {
            alphabet.digits[usize::from(symbol)] = Some(digit);
        }
        alphabet
    }
}

/// The symbols in which a grid is written: an alphabet has letters of two cases, and several symbols
/// for blank cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SymbolChoice {
    pub case: Case,
    pub blank: u8,
}

impl Default for SymbolChoice {
    fn default() -> SymbolChoice {
        SymbolChoice { case: Case::default(), blank: b'.' }
    }
}

impl SymbolChoice {
    /// `None` for what a field does not have.
    fn new(case: Option<Case>, blank: Option<u8>) -> SymbolChoice {
        SymbolChoice { case: case.unwrap_or_default(), blank: blank.unwrap_or(b'.') }
    }

    /// Returns the symbols of the digits in solutions and answers.
    pub fn of_solution(self, alphabet: &Alphabet) -> Symbols<'_> {
        let SymbolChoice { case, blank } = self;
        Symbols { alphabet, case, blank }
    }

    /// Returns the symbols of the digits in the puzzle itself.
    pub fn of_puzzle(self, alphabet: &Alphabet) -> Symbols<'_> {
        Symbols { case: self.case.kept(), ..self.of_solution(alphabet) }
    }
}

/// The symbols with which digits are written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Symbols<'s> {
    pub alphabet: &'s Alphabet,
    pub case: Case,
    /// The symbol of a blank cell, or of a digit that is no candidate.
    pub blank: u8,
}

impl Numbering {
    pub fn first(self) -> i32 {
        match self {
            Numbering::FromOne => 1,
            Numbering::FromZero => 0,
        }
    }

    /// Returns the case of a puzzle whose symbols from 1 have `case`.
    pub fn case(self, case: Case) -> Case {
        match self {
            Numbering::FromOne => case,
            Numbering::FromZero => Case::FromZero,
        }
    }
}

impl Case {
    /// Returns the case of the text in which the program keeps the puzzle: its digits are from 1.
    pub(crate) fn kept(self) -> Case {
        match self {
            Case::FromZero => Case::Capital,
            case => case,
        }
    }
}

impl Alphabet {
    /// Returns the alphabet in which the first symbol is the digit 1, the second 2, and so on.
    /// Capital and small letters are different symbols.
    ///
    /// # Errors
    /// Returns an error if there are fewer than two symbols, or one of them is repeated, `,`, `;`,
    /// `:`, `#`, `.` or not visible ASCII.
    pub fn of_symbols(symbols: &str) -> Result<Alphabet, InvalidInput> {
        let mut alphabet = Alphabet {
            digits: [None; 256],
            symbols: symbols.as_bytes().to_vec(),
            small: symbols.as_bytes().to_vec(),
            is_custom: true,
        };
        if symbols.len() < 2 {
            return Err("at least two symbols are needed".into());
        }
        for (digit, &symbol) in (1u8..=255).zip(symbols.as_bytes()) {
            // `#` begins a comment, and `write` writes `.` for a blank cell.
            let has_other_use = ends_field(symbol) || matches!(symbol, b'#' | b'.');
            if !symbol.is_ascii_graphic() || has_other_use {
                return Err(format!("'{}' cannot be a symbol", symbol.escape_ascii()).into());
            }
            let known = alphabet.digits[usize::from(symbol)].replace(digit);
            if known.is_some() {
                return Err(format!("'{}' appears twice", symbol.escape_ascii()).into());
            }
        }
        for &blank in BLANKS {
            alphabet.digits[usize::from(blank)].get_or_insert(0);
        }
        Ok(alphabet)
    }

    /// Returns whether the user chose the symbols.
    pub(crate) fn is_custom(&self) -> bool {
        self.is_custom
    }

    /// Returns the alphabet that reads the answers of a puzzle of this case.
    pub(crate) fn of_case(&self, case: Case) -> &Alphabet {
        static ALPHABET: LazyLock<Alphabet> =
            LazyLock::new(|| Alphabet::of_symbols(FROM_ZERO).expect("each symbol occurs once"));
        match case {
            Case::FromZero if !self.is_custom => &ALPHABET,
            _ => self,
        }
    }

    pub(crate) fn number_of_digits(&self) -> usize {
        self.symbols.len()
    }

    /// Returns 0 for a blank, `None` if the byte is neither.
    pub(crate) fn digit_of(&self, symbol: u8) -> Option<usize> {
        self.digits[usize::from(symbol)].map(usize::from)
    }

    pub(crate) fn check_side(&self, side: usize) -> Result<(), InvalidInput> {
        let symbols = self.number_of_digits();
        if side <= symbols {
            return Ok(());
        }
        let puzzle = a_puzzle(side);
        Err(format!("{puzzle} needs {side} symbols; --symbols names {symbols}").into())
    }

    /// Returns a field without the `+` that HoDoKu writes before each digit that is not a given.
    /// Returns the field unchanged if it has none, or if `+` is a symbol of this alphabet.
    pub(crate) fn without_marks<'f>(&self, field: &'f [u8]) -> Cow<'f, [u8]> {
        let is_mark = |index: usize| {
            let next = field.get(index + 1);
            field[index] == b'+' && next.and_then(|&symbol| self.digit_of(symbol)) > Some(0)
        };
        let marks = || memchr::memchr_iter(b'+', field).filter(|&index| is_mark(index));
        if self.digit_of(b'+').is_some() || marks().next().is_none() {
            return field.into();
        }
        let kept = (0..field.len()).filter(|&index| !is_mark(index));
        kept.map(|index| field[index]).collect()
    }

    /// Appends the digits of `field` to `grid`, and returns the case of the first letter that is a
    /// digit: `Capital` if there is none, or if the user chose the symbols. Nothing is appended
    /// on error.
    ///
    /// # Errors
    /// Returns an error if the field has not `side * side` symbols, if a symbol is neither a digit
    /// of the puzzle nor a blank, if two different symbols mark blank cells, or if the alphabet
    /// has too few symbols for the side.
    pub fn read(
        &self,
        field: &[u8],
        side: usize,
        grid: &mut Vec<u8>,
    ) -> Result<Case, InvalidInput> {
        Ok(self.read_grid(field, side, grid)?.case)
    }

    /// As [`read`](Alphabet::read). Returns the symbols in which the field is written.
    pub(crate) fn read_grid(
        &self,
        field: &[u8],
        side: usize,
        grid: &mut Vec<u8>,
    ) -> Result<SymbolChoice, InvalidInput> {
        if field.len() != side * side {
            return Err(wrong_length(field.len(), "cell", side));
        }
        if let Ok(symbols) = field.try_into()
            && !self.is_custom
            && let Some((digits, blank)) = read_digits(symbols)
        {
            grid.extend_from_slice(&digits);
            return Ok(SymbolChoice { case: Case::Capital, blank });
        }
        let start = grid.len();
        let read = self.read_general(field, side, grid);
        if read.is_err() {
            grid.truncate(start);
        }
        read
    }

    /// Appends the digits of 81 symbols and returns true, if the symbols are only `1` to `9` and at
    /// most one of `.` and `0` for blanks. Returns false and appends nothing for other symbols,
    /// or if the user chose the symbols.
    #[inline(always)]
    pub(crate) fn read_plain(&self, symbols: &[u8; 81], grid: &mut Vec<u8>) -> bool {
        let digits = self.plain_digits(symbols);
        if let Some(digits) = &digits {
            grid.extend_from_slice(digits);
        }
        digits.is_some()
    }

    /// Returns `None` for symbols that [`read_plain`](Alphabet::read_plain) does not read.
    #[inline(always)]
    pub(crate) fn plain_digits(&self, symbols: &[u8; 81]) -> Option<[u8; 81]> {
        if self.is_custom { None } else { Some(read_digits(symbols)?.0) }
    }

    /// Appends the candidates of each cell of a pencilmark puzzle. The field must have `side`
    /// symbols per cell: symbol d, counted from 1, is the digit d or a blank. Bit d - 1 of the
    /// number that is appended for a cell is set if d is a candidate. Nothing is appended on
    /// error.
    ///
    /// # Errors
    /// Returns an error if symbol d of a cell is neither the digit d nor a blank, if two different
    /// symbols mark blanks, or if the alphabet has too few symbols.
    pub fn read_pencilmarks(
        &self,
        field: &[u8],
        side: usize,
        candidates: &mut Vec<u32>,
    ) -> Result<(), InvalidInput> {
        self.read_marks(field, side, candidates).map(|_| ())
    }

    /// As [`read_pencilmarks`](Alphabet::read_pencilmarks). Returns the symbols of the field.
    pub(crate) fn read_marks(
        &self,
        field: &[u8],
        side: usize,
        candidates: &mut Vec<u32>,
    ) -> Result<SymbolChoice, InvalidInput> {
        self.check_side(side)?;
        let (mut blank, mut case) = (None, None);
        let mut sets = vec![0u32; side * side];
        for (cell, marks) in field.chunks_exact(side).enumerate() {
            let place = Place::of(cell, side);
            for (digit, &symbol) in (1u8..).zip(marks) {
                match self.digits[usize::from(symbol)] {
                    Some(found) if found == digit => {
                        sets[cell] |= 1 << (digit - 1);
                        case = case.or_else(|| self.case_of(symbol));
                    }
                    Some(0) => check_blank(&mut blank, symbol, place)?,
                    _ => {
                        let symbol = symbol.escape_ascii();
                        let expected = self.symbol(digit, Case::default());
                        return Err(format!(
                            "'{symbol}' in the pencilmarks of {place}; expected '{expected}' or a blank"
                        )
                        .into());
                    }
                }
            }
        }
        candidates.extend_from_slice(&sets);
        Ok(SymbolChoice::new(case, blank))
    }

    /// True if all symbols are cells of a puzzle of this side: digits up to `side`, or blanks.
    pub(crate) fn has_cells(&self, symbols: &[u8], side: usize) -> bool {
        let mut digits = symbols.iter().map(|&symbol| self.digit_of(symbol));
        digits.all(|digit| digit.is_some_and(|digit| digit <= side))
    }

    /// Returns the case of the symbol of a digit. `None` unless it is a letter that has two.
    fn case_of(&self, symbol: u8) -> Option<Case> {
        let has_case = !self.is_custom && symbol.is_ascii_alphabetic();
        has_case.then(|| if symbol.is_ascii_lowercase() { Case::Small } else { Case::Capital })
    }

    /// Returns `.` if the field has no blank.
    pub(crate) fn blank_of(&self, field: &[u8]) -> u8 {
        let is_blank = |symbol: &u8| self.digits[usize::from(*symbol)] == Some(0);
        field.iter().copied().find(is_blank).unwrap_or(b'.')
    }

    /// On error, the digits before the faulty symbol stay in `grid`.
    fn read_general(
        &self,
        field: &[u8],
        side: usize,
        grid: &mut Vec<u8>,
    ) -> Result<SymbolChoice, InvalidInput> {
        self.check_side(side)?;
        let (mut blank, mut case) = (None, None);
        for (cell, &symbol) in field.iter().enumerate() {
            let place = Place::of(cell, side);
            match self.digits[usize::from(symbol)] {
                Some(0) => {
                    check_blank(&mut blank, symbol, place)?;
                    grid.push(0);
                }
                Some(digit) if usize::from(digit) <= side => {
                    case = case.or_else(|| self.case_of(symbol));
                    grid.push(digit);
                }
                _ => {
                    let (symbol, puzzle) = (symbol.escape_ascii(), a_puzzle(side));
                    return Err(format!(
                        "'{symbol}' at {place} is neither a digit of {puzzle} nor a blank"
                    )
                    .into());
                }
            }
        }
        Ok(SymbolChoice::new(case, blank))
    }

    /// Appends the symbols of a grid to `text`, `.` for a blank cell.
    ///
    /// # Panics
    /// Panics if a digit has no symbol.
    #[inline(always)]
    pub fn write(&self, grid: &[u8], case: Case, text: &mut Vec<u8>) {
        if !self.is_custom
            && case != Case::FromZero
            && let Ok(grid) = <&[u8; 81]>::try_from(grid)
            && grid.iter().fold(0, |most, &digit| most.max(digit)) <= 9
        {
            return text.extend_from_slice(&plain_symbols(grid));
        }
        let symbols = self.symbols(case);
        text.extend(grid.iter().map(|&digit| match digit {
            0 => b'.',
            digit => symbols[usize::from(digit) - 1],
        }));
    }

    /// Returns the symbol of a digit, `.` for 0.
    ///
    /// # Panics
    /// Panics if the digit has no symbol.
    #[must_use]
    pub fn symbol(&self, digit: u8, case: Case) -> char {
        match digit {
            0 => '.',
            digit => char::from(self.symbols(case)[usize::from(digit) - 1]),
        }
    }

    pub(crate) fn symbols(&self, case: Case) -> &[u8] {
        match case {
            Case::Capital => &self.symbols,
            Case::Small => &self.small,
            Case::FromZero if self.is_custom => &self.symbols,
            Case::FromZero => FROM_ZERO.as_bytes(),
        }
    }
}

impl Symbols<'_> {
    pub fn of_digit(self, digit: u8) -> char {
        self.alphabet.symbol(digit, self.case)
    }

    pub fn write(self, digits: &[u8], output: &mut Vec<u8>) {
        let begin = output.len();
        self.alphabet.write(digits, self.case, output);
        if self.blank != b'.' && digits.contains(&0) {
            let symbols = output[begin..].iter_mut().zip(digits);
            symbols.filter(|(_, digit)| **digit == 0).for_each(|(symbol, _)| *symbol = self.blank);
        }
    }

    pub fn write_candidates(self, sets: &[u32], output: &mut Vec<u8>) {
        let side = sets.len().isqrt();
        output.extend(sets.iter().flat_map(|set| {
            (1..=side as u8).map(move |digit| match set >> (digit - 1) & 1 {
                0 => self.blank,
                _ => self.of_digit(digit) as u8,
            })
        }));
    }
}

/// Returns the reason why a field with a character outside ASCII is invalid: no such character is a
/// symbol. Returns `None` for other fields, and for invalid UTF-8.
pub(crate) fn outside_ascii(field: &[u8]) -> Option<InvalidInput> {
    let text = std::str::from_utf8(field).ok()?;
    let symbol = text.chars().find(|symbol| !symbol.is_ascii())?;
    let shown = escaped(symbol.to_string().as_bytes(), usize::MAX);
    // The number identifies a symbol that cannot be seen, such as a no-break space.
    let number = u32::from(symbol);
    Some(format!("'{shown}' (U+{number:04X}) is neither a digit nor a blank").into())
}

/// All blank cells must have the symbol of the first one, which is stored in `first`.
fn check_blank(first: &mut Option<u8>, symbol: u8, place: Place) -> Result<(), InvalidInput> {
    let first = *first.get_or_insert(symbol);
    if first == symbol {
        return Ok(());
    }
    let (first, second) = (char::from(first), char::from(symbol));
    Err(format!("two symbols for blank cells, '{first}' and '{second}' (at {place}); use one")
        .into())
}

#[inline(always)]
fn block_at_mut(cells: &mut [u8; 81], first: usize) -> &mut [u8; 32] {
    cells[first..].first_chunk_mut().expect("81 cells")
}

/// Returns the digits of 81 symbols if these are only `1` to `9` and at most one of `.` and `0` for
/// blanks. The loop has no branches, because nearly all puzzles use these symbols.
///
/// The symbols and the digits are two arrays, not one that is changed in place: the last two blocks
/// overlap, so the symbols of their common cells are read twice.
#[inline(always)]
fn read_digits(symbols: &[u8; 81]) -> Option<([u8; 81], u8)> {
    // Bits for the kinds of symbols that the field has, other than `1` to `9`.
    const DOT: u8 = 1;
    const ZERO: u8 = 2;
    const OTHER: u8 = 4;
    let mut digits = [0; 81];
    let mut found = 0;
    for first in BLOCKS {
        let mut found_in_block = 0;
        let block = block_at_mut(&mut digits, first);
        for (digit, &symbol) in block.iter_mut().zip(block_at(symbols, first)) {
            // For a dot, `number` is 254. The mask `dot` removes this number and its bit OTHER.
            let dot = if symbol == b'.' { u8::MAX } else { 0 };
            let number = symbol.wrapping_sub(b'0');
            let other = if number > 9 { OTHER } else { 0 };
            let zero = if number == 0 { ZERO } else { 0 };
            found_in_block |= (other & !dot) | (dot & DOT) | zero;
            *digit = number & !dot;
        }
        found |= found_in_block;
    }
    // The valid sets are {}, {DOT} and {ZERO}: the numbers 0, 1 and 2.
    let blank = if found == ZERO { b'0' } else { b'.' };
    (found < (DOT | ZERO)).then_some((digits, blank))
}

#[inline(always)]
fn plain_symbols(digits: &[u8; 81]) -> [u8; 81] {
    let mut symbols = [0; 81];
    for first in BLOCKS {
        // Changes a local copy of the block, which the compiler can keep in registers.
        let mut block = *block_at(digits, first);
        for symbol in &mut block {
            *symbol = if *symbol == 0 { b'.' } else { b'0' + *symbol };
        }
        *block_at_mut(&mut symbols, first) = block;
    }
    symbols
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(
        alphabet: &Alphabet,
        field: &str,
        side: usize,
    ) -> Result<(Vec<u8>, Case), InvalidInput> {
        let mut grid = Vec::new();
        let case = alphabet.read(field.as_bytes(), side, &mut grid)?;
        Ok((grid, case))
    }

    #[test]
    fn every_blank_symbol_is_read_but_only_one_kind_in_a_puzzle() {
        for blank in [".", "0", "_", "*", "-", "?", "x"] {
            let field = format!("1{}4", blank.repeat(14));
            let (grid, _) = read(&Alphabet::default(), &field, 4).unwrap();
            assert_eq!(grid, [[1].as_slice(), &[0; 14], &[4]].concat(), "{blank}");
        }
        let reason = read(&Alphabet::default(), "1...0...........", 4).unwrap_err().to_string();
        assert_eq!(reason, "two symbols for blank cells, '.' and '0' (at r2c1); use one");
    }

    #[test]
    fn errors_name_a_digit_too_large_for_the_puzzle_and_its_cell() {
        let reason = read(&Alphabet::default(), "1......5........", 4).unwrap_err().to_string();
        assert_eq!(reason, "'5' at r2c4 is neither a digit of a 4x4 puzzle nor a blank");
        let reason = read(&Alphabet::default(), &format!("{}\x1b", ".".repeat(80)), 9)
            .unwrap_err()
            .to_string();
        assert_eq!(reason, "'\\x1b' at r9c9 is neither a digit of a 9x9 puzzle nor a blank");
    }

    #[test]
    fn a_field_of_another_length_is_an_error() {
        for (length, side) in [(80, 9), (82, 9), (81, 4), (0, 4)] {
            let reason = read(&Alphabet::default(), &".".repeat(length), side);
            let reason = reason.unwrap_err().to_string();
            assert!(reason.starts_with(&format!("{length} cells; ")), "{reason}");
        }
    }

    #[test]
    fn letters_follow_the_digits_and_keep_their_case() {
        let alphabet = Alphabet::default();
        for (letters, case) in [("ag", Case::Small), ("AG", Case::Capital), ("aG", Case::Small)] {
            let (grid, found) =
                read(&alphabet, &(letters.to_string() + &".".repeat(254)), 16).unwrap();
            assert_eq!((grid[0], grid[1], found), (10, 16, case), "{letters}");
        }
        let mut text = Vec::new();
        alphabet.write(&[10; 256], Case::Small, &mut text);
        assert_eq!(text, [b'a'; 256]);
    }

    #[test]
    fn custom_symbols_are_case_sensitive() {
        let hex = Alphabet::of_symbols("0123456789ABCDEF").unwrap();
        let (grid, case) = read(&hex, &("0F".to_string() + &".".repeat(254)), 16).unwrap();
        assert_eq!((grid[0], grid[1], case), (1, 16, Case::Capital));
        assert!(read(&hex, &("f".to_string() + &".".repeat(255)), 16).is_err());
        let reason = read(&hex, &".".repeat(625), 25).unwrap_err().to_string();
        assert_eq!(reason, "a 25x25 puzzle needs 25 symbols; --symbols names 16");
    }

    #[test]
    fn errors_name_an_unusable_symbol() {
        for (symbols, reason) in [
            ("1231", "'1' appears twice"),
            ("12,4", "',' cannot be a symbol"),
            ("12 4", "' ' cannot be a symbol"),
            ("12#4", "'#' cannot be a symbol"),
            (".234", "'.' cannot be a symbol"),
            ("1", "at least two symbols are needed"),
        ] {
            assert_eq!(Alphabet::of_symbols(symbols).unwrap_err().to_string(), reason, "{symbols}");
        }
    }

    #[test]
    fn plain_puzzles_are_read_as_by_the_general_code() {
        let alphabet = Alphabet::default();
        let mut field: Vec<u8> =
            (0..81).map(|cell| b"123456789.............."[cell * 7 % 23]).collect();
        for cell in 0..81 {
            for symbol in 0..=255 {
                let before = std::mem::replace(&mut field[cell], symbol);
                let mut any = Vec::new();
                let general = alphabet.read_general(&field, 9, &mut any);
                if alphabet.plain_digits(field.as_slice().try_into().unwrap()).is_some() {
                    let mut plain = Vec::new();
                    let read = alphabet.read_grid(&field, 9, &mut plain);
                    assert_eq!((plain, read), (any, general), "{}", field.escape_ascii());
                }
                field[cell] = before;
            }
        }
    }
}
