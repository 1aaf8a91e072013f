//! Classifies a line of a drawing: a row, a grid, or something between rows. Earlier lines have no
//! influence.

use std::borrow::Cow;

use memchr::memchr;

use crate::rules::MAX_SIDE;
use crate::text::one_line;
use crate::text::record::{FieldSet, has_inner_cr};
use crate::text::symbols::Alphabet;
use crate::verdict::Status;

/// A line of a drawing.
pub enum DrawnLine {
    /// A comment (`# ...`), or borders without a symbol between them (`| | |`).
    Ignored,
    /// A line that begins with `[`, as the headings of an .sdk file do: `[Puzzle]`.
    Heading(Heading),
    /// An empty line, or one of blanks.
    Blank,
    /// A horizontal border, such as `+---+---+`, `------`, `*-----------*` (Simple Sudoku) or
    /// `:-----+-----:` (HoDoKu).
    Frame,
    /// A title of a puzzle, such as `Grid 01`, or the status that `--draw` writes below a grid.
    Title,
    /// The symbols of a row, without borders and blanks.
    Row(Vec<u8>),
    /// The rows of a grid that is on one line.
    Rows(Vec<Vec<u8>>),
}

/// The kinds of headings of an .sdk file, by what follows them.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// Another puzzle.
    Puzzle,
    /// The puzzle with the digits that have been found.
    State,
    /// Notes of a program, such as pencil marks or colours.
    Notes,
}

/// At most this many symbols of a row are stored. That is more than a whole 25x25 grid has.
pub const MAX_ROW_SYMBOLS: usize = 1 << 10;

impl DrawnLine {
    /// Parses a line without its line end and byte order mark. `fields` are those that follow the
    /// puzzle in an entry.
    pub fn parse(line: &[u8], alphabet: &Alphabet, fields: FieldSet) -> DrawnLine {
        match line {
            // A line with text after a CR is probably several lines. Read as a row, it makes an
            // invalid entry.
            _ if has_inner_cr(line) => return DrawnLine::Row(symbols(line)),
            [b'#', ..] => return DrawnLine::Ignored,
            [b'[', name @ ..] => return DrawnLine::Heading(Heading::parse(name)),
            _ => {}
        }
        let line = &*with_ascii_borders(line);
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
            return DrawnLine::Blank;
        }
        if is_frame(line, alphabet) {
            return DrawnLine::Frame;
        }
        if let Some(grid) = one_line::read_grid(line, alphabet) {
            let rows = grid.chunks(grid.len().isqrt()).map(<[u8]>::to_vec);
            return DrawnLine::Rows(rows.collect());
        }
        let line = without_sides(line, alphabet);
        let row = read_numbers(line, alphabet).unwrap_or_else(|| symbols(line));
        if row.is_empty() {
            DrawnLine::Ignored
        } else if is_status(line, fields) || is_title(line, &row, alphabet, fields) {
            DrawnLine::Title
        } else {
            DrawnLine::Row(row)
        }
    }
}

/// Returns the symbols of a row of cells with blanks or borders between them, if at least one cell
/// is a number of two digits. If all cells have two symbols, they could also be parts of a row, as
/// in `12 34 56`. They are numbers only if such a row would be wider than that of any puzzle.
/// Returns `None` for all other lines, also for fewer than 10 cells, which need no such numbers.
fn read_numbers(line: &[u8], alphabet: &Alphabet) -> Option<Vec<u8>> {
    let parts = line.split(|&byte| byte != b'-' && is_border(byte));
    let cells: Vec<&[u8]> = parts.filter(|part| !part.is_empty()).collect();
    let side = cells.len();
    let pairs = cells.iter().filter(|cell| cell.len() == 2).count();
    let are_numbers = pairs > 0 && (pairs < side || 2 * side > MAX_SIDE);
    if !(10..=MAX_SIDE).contains(&side) || !are_numbers {
        return None;
    }
    one_line::read_cells(&cells, side, alphabet)
}

/// Returns the first `MAX_ROW_SYMBOLS` symbols of a row: all bytes but borders and blanks. A `-` is
/// a blank cell here.
fn symbols(line: &[u8]) -> Vec<u8> {
    let symbols = line.iter().copied();
    symbols.filter(|&byte| byte == b'-' || !is_border(byte)).take(MAX_ROW_SYMBOLS).collect()
}

impl Heading {
    /// Parses the text after `[`. A heading other than those of states and notes is taken for that
    /// of a puzzle.
    fn parse(name: &[u8]) -> Heading {
        let name = name.to_ascii_lowercase();
        let notes: [&[u8]; 3] = [b"pencil", b"cell", b"color"];
        if name.starts_with(b"state]") {
            Heading::State
        } else if notes.iter().any(|note| name.starts_with(note)) {
            Heading::Notes
        } else {
            Heading::Puzzle
        }
    }
}

/// Returns true if a line is the name of a status. Returns false for every line if entries include
/// layouts, because a row of a layout can be such a name.
fn is_status(line: &[u8], fields: FieldSet) -> bool {
    let mut names = Status::NAMES.iter();
    !fields.regions && names.any(|(name, _)| name.as_bytes() == line)
}

/// Returns true if a line with the symbols `row` is a title. A row that is taken for a title spoils
/// its entry, so a title must have all of these:
///
/// 1. Letters in both cases, an ASCII digit, or a character that is not ASCII. A line of letters in
///    one case, such as `keeper`, is more likely a row whose symbols `--symbols` lacks. If entries
///    include a layout, the line must have letters in both cases and a digit too, because `Keep`
///    can be a row of labels. Labels of all three kinds, as in `Grid 01`, are unlikely.
/// 2. At most one `.`, `_` or `*` in total, which rows use for blank cells: `QR..Qr...` is a row.
/// 3. A word: letters that are not all equal, of which at least two are no symbols of a row of this
///    width. `123456789` and `1zz4` are rows.
fn is_title(line: &[u8], row: &[u8], alphabet: &Alphabet, fields: FieldSet) -> bool {
    // Rule 1.
    let has = |is_kind: fn(&u8) -> bool| row.iter().any(is_kind);
    let in_both_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let has_digit = has(u8::is_ascii_digit);
    let looks_like_text = if fields.regions {
        in_both_cases && has_digit
    } else {
        in_both_cases || has_digit || !row.is_ascii()
    };
    // Rule 2.
    let blanks = row.iter().filter(|symbol| b"._*".contains(symbol)).count();
    // Rule 3. Symbols such as `·` and `□` are no letters: a row of them is invalid, not a title.
    let is_symbol = |letter: char| {
        let digit = u8::try_from(letter).ok().and_then(|it| alphabet.digit_of(it));
        digit.is_some_and(|digit| digit <= row.len())
    };
    let is_word = |letters: &str| {
        letters.chars().any(|letter| !letters.starts_with(letter))
            && letters.chars().filter(|&letter| !is_symbol(letter)).count() >= 2
    };
    let text = String::from_utf8_lossy(line);
    let mut words = text.split(|symbol: char| !symbol.is_alphabetic());
    looks_like_text && blanks <= 1 && words.any(is_word)
}

/// Returns true for a horizontal border. It has nothing but characters of borders, and one of
/// these:
///
/// * Two adjacent `-` or `=`: `+---+---+`, `------`, `*-----*`, `'====='`. `=` can be a digit.
/// * A `+`, and no character but those of [`is_border`]: `+ - + - +`.
/// * A single `-`, and no character but those of `is_border`: `| - |`. It is not a row of one blank
///   cell, because no puzzle has one column. Several are a row of blank cells: `- - | - -`.
fn is_frame(line: &[u8], alphabet: &Alphabet) -> bool {
    if !line.iter().all(|byte| is_border(*byte) || b".:'*=".contains(byte)) {
        return false;
    }
    let has_pair = |byte: u8| line.windows(2).any(|pair| pair == [byte, byte]);
    if has_pair(b'-') || (has_pair(b'=') && alphabet.digit_of(b'=').is_none()) {
        return true;
    }
    let dashes = line.iter().filter(|&&byte| byte == b'-').count();
    line.iter().copied().all(is_border) && (dashes == 1 || line.contains(&b'+'))
}

/// Returns a line without the `:` or `'` at both of its ends, unless they are symbols of cells.
fn without_sides<'l>(line: &'l [u8], alphabet: &Alphabet) -> &'l [u8] {
    match line.trim_ascii() {
        [first @ (b':' | b'\''), row @ .., last]
            if first == last && alphabet.digit_of(*first).is_none() =>
        {
            row
        }
        _ => line,
    }
}

/// Returns the line with its box-drawing characters (U+2500 to U+257F) replaced: vertical lines of
/// full height and one weight by `|`, all others by `+`, because `-` can be a blank cell. In UTF-8
/// these characters begin with the byte E2.
fn with_ascii_borders(line: &[u8]) -> Cow<'_, [u8]> {
    const LEAD: u8 = 0xe2;
    if memchr(LEAD, line).is_none() {
        return Cow::Borrowed(line);
    }
    let mut replaced = Vec::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        for symbol in chunk.valid().chars() {
            match symbol {
                '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' => {
                    replaced.push(b'|')
                }
                '\u{2500}'..='\u{257f}' => replaced.push(b'+'),
                _ => replaced.extend_from_slice(symbol.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        replaced.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(replaced)
}

/// Returns true for the characters of borders, and for the spaces and tabs between cells. In a row,
/// `-` is a blank cell: callers that read rows must except it.
fn is_border(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'|' | b'+' | b'-')
}

/// Returns true for the characters that cannot be symbols of digits in a drawing: borders, and `[`,
/// which begins a heading.
pub(crate) fn is_reserved(symbol: u8) -> bool {
    is_border(symbol) || symbol == b'['
}
