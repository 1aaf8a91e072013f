//! Fields to puzzles: the symbols people write for digits and blanks, and what a field is worth as a grid.
//! Which cells must differ is for the rules; what a field is, for the record.

use crate::record::ends_field;
use crate::rules::{MAX_SIDE, Place, Shape, a_puzzle};

/// How digits and blanks are written: for each byte the digit it stands for, or which blank it is.
///
/// A grid is a slice of digits, one a cell along the rows: 0 is blank, 1 to N the digits of an NxN puzzle.
///
/// ```
/// use sudoku_filter::Alphabet;
///
/// let mut grid = Vec::new();
/// let writing = Alphabet::default().read(b"1.3.|3.1.|....|....".split(|&b| b == b'|').collect::<Vec<_>>().concat().as_slice(), 4, &mut grid);
/// assert!(writing.is_ok());
/// assert_eq!(grid[..4], [1, 0, 3, 0]);
/// ```
#[derive(Clone, Debug)]
pub struct Alphabet {
    meanings: [Meaning; 256],
    symbols: Vec<u8>,
    /// The symbols with their letters small, for puzzles written so; as `symbols` where the user chose them.
    small: Vec<u8>,
    custom: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Digit(u8),
    Blank,
    Nothing,
}

/// In which case the letters of a puzzle are written; its solution follows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Case {
    /// `A` for 10, also where a puzzle has no letter.
    #[default]
    Capital,
    /// `a` for 10.
    Small,
}

const BLANKS: &[u8] = b".0_*-?x";
const CAPITALS: &[u8; MAX_SIDE] = b"123456789ABCDEFGHIJKLMNOP";

impl Default for Alphabet {
    /// `1-9`, then letters from `A` in either case.
    fn default() -> Alphabet {
        let mut alphabet = Alphabet {
            meanings: [Meaning::Nothing; 256],
            symbols: CAPITALS.to_vec(),
            small: CAPITALS.to_ascii_lowercase(),
            custom: false,
        };
        for (digit, &symbol) in (1..).zip(CAPITALS) {
            alphabet.meanings[usize::from(symbol)] = Meaning::Digit(digit);
            alphabet.meanings[usize::from(symbol.to_ascii_lowercase())] = Meaning::Digit(digit);
        }
        alphabet.add_blanks();
        alphabet
    }
}

impl Alphabet {
    /// The alphabet in which the first symbol is the digit 1, and so on; taken exactly as written.
    ///
    /// # Errors
    /// A sentence for the user if a symbol repeats, or cannot be one.
    pub fn of_symbols(symbols: &str) -> Result<Alphabet, String> {
        let mut alphabet = Alphabet {
            meanings: [Meaning::Nothing; 256],
            symbols: symbols.as_bytes().to_vec(),
            small: symbols.as_bytes().to_vec(),
            custom: true,
        };
        if symbols.len() < 2 {
            return Err("at least two symbols are needed".to_string());
        }
        for (digit, &symbol) in (1u8..=255).zip(symbols.as_bytes()) {
            if !symbol.is_ascii_graphic() || ends_field(symbol) || symbol == b'#' {
                return Err(format!("'{}' cannot be a symbol", symbol.escape_ascii()));
            }
            let meaning = &mut alphabet.meanings[usize::from(symbol)];
            if *meaning != Meaning::Nothing {
                return Err(format!("'{}' appears twice", symbol.escape_ascii()));
            }
            *meaning = Meaning::Digit(digit);
        }
        alphabet.add_blanks();
        Ok(alphabet)
    }

    /// How many digits it has symbols for.
    pub(crate) fn digits(&self) -> usize {
        self.symbols.len()
    }

    /// Returns the digit that a symbol stands for, 0 for a blank.
    pub(crate) fn digit_of(&self, symbol: u8) -> Option<usize> {
        match self.meanings[usize::from(symbol)] {
            Meaning::Digit(digit) => Some(usize::from(digit)),
            Meaning::Blank => Some(0),
            Meaning::Nothing => None,
        }
    }

    /// Why a puzzle of this side cannot be written.
    pub(crate) fn too_few(&self, side: usize) -> String {
        let number = self.digits();
        let puzzle = a_puzzle(side);
        format!("{puzzle} needs {side} symbols; --symbols names {number}")
    }

    fn add_blanks(&mut self) {
        for &blank in BLANKS {
            let meaning = &mut self.meanings[usize::from(blank)];
            if *meaning == Meaning::Nothing {
                *meaning = Meaning::Blank;
            }
        }
    }

    /// Appends the grid that `field` writes, `side` times `side` symbols, to `grid`; nothing if it fails.
    ///
    /// # Errors
    /// A sentence for the user that names the count, or the symbol and its cell.
    pub fn read(&self, field: &[u8], side: usize, grid: &mut Vec<u8>) -> Result<Case, String> {
        let start = grid.len();
        if let Ok(symbols) = field.try_into()
            && self.read_plain(symbols, grid)
        {
            return Ok(Case::Capital);
        }
        let case = self.read_any(field, side, grid);
        if case.is_err() {
            grid.truncate(start);
        }
        case
    }

    /// Reads 81 symbols where they are nothing but digits and one kind of blank; false, and nothing appended, where there
    /// is anything else, or the user chose the symbols.
    #[inline(always)]
    pub fn read_plain(&self, symbols: &[u8; 81], grid: &mut Vec<u8>) -> bool {
        if self.custom {
            return false;
        }
        let plain = read_digits(symbols, append(symbols, grid));
        if !plain {
            grid.truncate(grid.len() - 81);
        }
        plain
    }

    /// The digits of 81 symbols that are nothing but digits and one kind of blank.
    #[inline(always)]
    pub(crate) fn plain(&self, symbols: &[u8; 81]) -> Option<[u8; 81]> {
        let mut digits = [0; 81];
        (!self.custom && read_digits(symbols, &mut digits)).then_some(digits)
    }

    /// Appends the candidates of each cell of a 9x9 pencilmark puzzle: nine symbols a cell, of which each is its digit or
    /// blank. The candidate d is bit d-1.
    ///
    /// # Errors
    /// A sentence for the user that names the symbol and its cell.
    pub fn read_pencilmarks(&self, field: &[u8], candidates: &mut Vec<u32>) -> Result<(), String> {
        if self.digits() < 9 {
            return Err(self.too_few(9));
        }
        let mut blank = None;
        let mut sets = [0u32; 81];
        for (cell, marks) in field.chunks_exact(9).enumerate() {
            for (digit, &symbol) in (1u8..).zip(marks) {
                match self.meanings[usize::from(symbol)] {
                    Meaning::Digit(found) if found == digit => sets[cell] |= 1 << (digit - 1),
                    Meaning::Blank if *blank.get_or_insert(symbol) == symbol => {}
                    Meaning::Blank => {
                        return Err(two_blanks(
                            blank.unwrap_or_default(),
                            symbol,
                            Place::of(cell, 9),
                        ));
                    }
                    _ => {
                        let wanted = self.symbol(digit, Case::default());
                        let (symbol, place) = (symbol.escape_ascii(), Place::of(cell, 9));
                        return Err(format!(
                            "'{symbol}' in the pencilmarks of {place}; expected '{wanted}' or a blank"
                        ));
                    }
                }
            }
        }
        candidates.extend_from_slice(&sets);
        Ok(())
    }

    /// Returns whether each symbol is a blank, or a digit of a puzzle whose rows are as long as this.
    pub(crate) fn reads_row(&self, row: &[u8]) -> bool {
        row.iter()
            .all(|&symbol| match self.meanings[usize::from(symbol)] {
                Meaning::Digit(digit) => usize::from(digit) <= row.len(),
                Meaning::Blank => true,
                Meaning::Nothing => false,
            })
    }

    /// The symbol that `field` has for a blank cell, or one it might have.
    pub(crate) fn blank_of(&self, field: &[u8]) -> u8 {
        let is_blank = |symbol: &&u8| self.meanings[usize::from(**symbol)] == Meaning::Blank;
        let blank = field.iter().find(is_blank);
        blank
            .or(BLANKS.iter().find(is_blank))
            .copied()
            .unwrap_or(b'.')
    }

    fn read_any(&self, field: &[u8], side: usize, grid: &mut Vec<u8>) -> Result<Case, String> {
        if side > self.digits() {
            return Err(self.too_few(side));
        }
        let mut blank = None;
        let mut case = None;
        for (cell, &symbol) in field.iter().enumerate() {
            let place = Place::of(cell, side);
            match self.meanings[usize::from(symbol)] {
                Meaning::Digit(digit) if usize::from(digit) <= side => {
                    if !self.custom && symbol.is_ascii_alphabetic() {
                        case = case.or(Some(if symbol.is_ascii_lowercase() {
                            Case::Small
                        } else {
                            Case::Capital
                        }));
                    }
                    grid.push(digit);
                }
                Meaning::Blank if *blank.get_or_insert(symbol) == symbol => grid.push(0),
                Meaning::Blank => return Err(two_blanks(blank.unwrap_or_default(), symbol, place)),
                Meaning::Digit(_) | Meaning::Nothing => {
                    return Err(format!(
                        "'{}' at {place} is neither a digit of {} nor a blank",
                        symbol.escape_ascii(),
                        a_puzzle(side)
                    ));
                }
            }
        }
        Ok(case.unwrap_or_default())
    }

    /// Appends the symbols of a grid's digits to `text`, `.` for a blank cell.
    #[inline(always)]
    pub fn write(&self, grid: &[u8], case: Case, text: &mut Vec<u8>) {
        if !self.custom
            && let Ok(grid) = <&[u8; 81]>::try_from(grid)
        {
            write_digits(grid, append(grid, text));
            return;
        }
        let symbols = self.symbols(case);
        text.extend(grid.iter().map(|&digit| match digit {
            0 => b'.',
            digit => symbols[usize::from(digit) - 1],
        }));
    }

    /// The symbol of one digit, for messages; a blank is `.`.
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
        }
    }
}

fn two_blanks(first: u8, second: u8, place: Place) -> String {
    let (first, second) = (char::from(first), char::from(second));
    format!("two symbols for blank cells, '{first}' and '{second}' (at {place}); use one")
}

/// Where blocks of 32 begin in the 81 cells of a grid; the last overlaps the one before. Compilers make a few wide
/// operations of a loop over a block, and many narrow ones of what is left of 81 cells behind wide ones.
pub(crate) const BLOCKS: [usize; 3] = [0, 32, 49];

/// Appends cells, and says where they stand now.
#[inline(always)]
fn append<'a>(cells: &[u8; 81], to: &'a mut Vec<u8>) -> &'a mut [u8; 81] {
    to.extend_from_slice(cells);
    to.last_chunk_mut().expect("81 cells were appended")
}

/// Thirty-two cells of a grid.
#[inline(always)]
pub(crate) fn block_at(cells: &[u8; 81], first: usize) -> &[u8; 32] {
    cells[first..].first_chunk().expect("81 cells")
}

#[inline(always)]
fn block_at_mut(cells: &mut [u8; 81], first: usize) -> &mut [u8; 32] {
    cells[first..].first_chunk_mut().expect("81 cells")
}

/// Reads 81 symbols that are nothing but `1-9` and one kind of blank, `.` or `0`; false for any others. This is how nearly
/// all puzzles are written, so it has no branch a symbol.
///
/// Nothing of `digits` is read: a wide load of what narrow stores have just written waits for them.
#[inline(always)]
fn read_digits(symbols: &[u8; 81], digits: &mut [u8; 81]) -> bool {
    const DOT: u8 = 1;
    const ZERO: u8 = 2;
    const STRANGE: u8 = 4;
    let mut found = 0;
    for first in BLOCKS {
        let mut of_block = 0;
        let digits = block_at_mut(digits, first);
        for (digit, &symbol) in digits.iter_mut().zip(block_at(symbols, first)) {
            let dot = if symbol == b'.' { u8::MAX } else { 0 };
            let number = symbol.wrapping_sub(b'0');
            let strange = if number > 9 { STRANGE } else { 0 };
            let zero = if number == 0 { ZERO } else { 0 };
            of_block |= (strange & !dot) | (dot & DOT) | zero;
            *digit = number & !dot;
        }
        found |= of_block;
    }
    found < (DOT | ZERO)
}

/// Writes the symbols of a grid's digits, which follow one another in ASCII.
#[inline(always)]
fn write_digits(digits: &[u8; 81], symbols: &mut [u8; 81]) {
    for first in BLOCKS {
        // Not in place: a block of its own is known to lie elsewhere than the digits, and stays in a register.
        let mut block = *block_at(digits, first);
        for symbol in &mut block {
            *symbol = if *symbol == 0 { b'.' } else { b'0' + *symbol };
        }
        *block_at_mut(symbols, first) = block;
    }
}

/// The sizes of puzzles: which side a field's length means, and how its grid is divided.
#[derive(Clone, Copy, Debug, Default)]
pub struct Sizes {
    /// Boxes, rows high by columns wide, for puzzles of that side; other sides keep theirs.
    pub boxes: Option<(usize, usize)>,
    /// Whether every side has a shape, since each puzzle brings regions.
    pub any_side: bool,
}

impl Sizes {
    /// The side of a puzzle of `cells` cells.
    ///
    /// # Errors
    /// A sentence for the user that names the count and the nearest that would do.
    pub fn side(&self, cells: usize) -> Result<usize, String> {
        self.side_of(cells, "cell")
    }

    /// The same for other things of which each cell has one.
    pub(crate) fn side_of(&self, cells: usize, noun: &str) -> Result<usize, String> {
        let side = cells.isqrt();
        if side * side == cells && self.knows(side) {
            return Ok(side);
        }
        let known = (2..=MAX_SIDE).filter(|&side| self.knows(side));
        let nearest = known
            .min_by_key(|side| (side * side).abs_diff(cells))
            .unwrap_or(9);
        Err(format!(
            "{}; {} has {}",
            count(cells, noun),
            a_puzzle(nearest),
            nearest * nearest
        ))
    }

    fn knows(&self, side: usize) -> bool {
        (2..=MAX_SIDE).contains(&side) && (self.any_side || self.shape(side).is_some())
    }

    /// The boxes of a puzzle of this side.
    #[must_use]
    pub fn shape(&self, side: usize) -> Option<Shape<'static>> {
        match self.boxes {
            Some((rows, columns)) if rows * columns == side => Some(Shape::Boxes { rows, columns }),
            _ => Shape::boxes_of(side),
        }
    }
}

/// `1 cell`, `2 cells`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(alphabet: &Alphabet, field: &str, side: usize) -> Result<(Vec<u8>, Case), String> {
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
        let reason = read(&Alphabet::default(), "1...0...........", 4).unwrap_err();
        assert_eq!(
            reason,
            "two symbols for blank cells, '.' and '0' (at r2c1); use one"
        );
    }

    #[test]
    fn a_digit_too_large_for_the_puzzle_is_told_with_its_cell() {
        let reason = read(&Alphabet::default(), "1......5........", 4).unwrap_err();
        assert_eq!(
            reason,
            "'5' at r2c4 is neither a digit of a 4x4 puzzle nor a blank"
        );
        let reason = read(&Alphabet::default(), &format!("{}\x1b", ".".repeat(80)), 9).unwrap_err();
        assert_eq!(
            reason,
            "'\\x1b' at r9c9 is neither a digit of a 9x9 puzzle nor a blank"
        );
    }

    #[test]
    fn letters_follow_the_digits_and_a_solution_keeps_their_case() {
        let alphabet = Alphabet::default();
        for (letters, case) in [
            ("ag", Case::Small),
            ("AG", Case::Capital),
            ("aG", Case::Small),
        ] {
            let (grid, found) =
                read(&alphabet, &(letters.to_string() + &".".repeat(254)), 16).unwrap();
            assert_eq!((grid[0], grid[1], found), (10, 16, case), "{letters}");
        }
        let mut text = Vec::new();
        alphabet.write(&[10; 256], Case::Small, &mut text);
        assert_eq!(text, [b'a'; 256]);
    }

    #[test]
    fn symbols_of_the_users_own_are_taken_as_written() {
        let hex = Alphabet::of_symbols("0123456789ABCDEF").unwrap();
        let (grid, case) = read(&hex, &("0F".to_string() + &".".repeat(254)), 16).unwrap();
        assert_eq!((grid[0], grid[1], case), (1, 16, Case::Capital));
        assert!(read(&hex, &("f".to_string() + &".".repeat(255)), 16).is_err());
        let reason = read(&hex, &".".repeat(625), 25).unwrap_err();
        assert_eq!(
            reason,
            "a 25x25 puzzle needs 25 symbols; --symbols names 16"
        );
    }

    #[test]
    fn symbols_that_cannot_be_are_named() {
        for (symbols, reason) in [
            ("1231", "'1' appears twice"),
            ("12,4", "',' cannot be a symbol"),
            ("12 4", "' ' cannot be a symbol"),
            ("12#4", "'#' cannot be a symbol"),
            ("1", "at least two symbols are needed"),
        ] {
            assert_eq!(
                Alphabet::of_symbols(symbols).unwrap_err(),
                reason,
                "{symbols}"
            );
        }
    }

    #[test]
    fn the_plain_reading_agrees_with_the_general_one() {
        let alphabet = Alphabet::default();
        let mut field: Vec<u8> = (0..81)
            .map(|cell| b"123456789.............."[cell * 7 % 23])
            .collect();
        for cell in 0..81 {
            for symbol in 0..=255 {
                let before = std::mem::replace(&mut field[cell], symbol);
                let mut any = Vec::new();
                let general = alphabet.read_any(&field, 9, &mut any);
                if let Some(plain) = alphabet.plain(field.as_slice().try_into().unwrap()) {
                    assert_eq!(
                        (&plain[..], general),
                        (&any[..], Ok(Case::Capital)),
                        "{}",
                        field.escape_ascii()
                    );
                }
                field[cell] = before;
            }
        }
    }

    #[test]
    fn a_length_that_is_no_size_is_told_with_the_nearest() {
        let usual = Sizes::default();
        assert_eq!(usual.side(81), Ok(9));
        assert_eq!(usual.side(80).unwrap_err(), "80 cells; a 9x9 puzzle has 81");
        assert_eq!(usual.side(1).unwrap_err(), "1 cell; a 4x4 puzzle has 16");
        assert_eq!(usual.side(49).unwrap_err(), "49 cells; a 6x6 puzzle has 36");
        let any = Sizes {
            any_side: true,
            ..usual
        };
        assert_eq!(any.side(49), Ok(7));
        let seven = Sizes {
            boxes: Some((1, 7)),
            ..usual
        };
        assert_eq!(seven.side(49), Ok(7));
    }
}
