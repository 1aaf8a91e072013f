//! Classifies a line of a drawing: a row, a grid, or something between rows. The [`LineContext`] holds all that the
//! classification uses of earlier lines.

use std::borrow::Cow;

use memchr::memchr;

use super::EntryForm;
use crate::rules::MAX_SIDE;
use crate::text::one_line;
use crate::text::record::has_inner_cr;
use crate::text::symbols::Alphabet;
use crate::verdict::Status;

/// A line of a drawing.
pub enum DrawnLine {
    /// A comment (`# ...`), borders without a symbol between them (`|   |   |`), or the status that `--draw` writes below a grid.
    Ignored,
    /// A line that begins with `[`, as the headings of an .sdk file do: `[Puzzle]`.
    Heading(Heading),
    /// An empty line, or one of blanks.
    Blank,
    /// A horizontal border, such as `+---+---+`, `------` or, as Simple Sudoku draws it, `*-----------*`.
    Frame,
    /// A title of a puzzle, such as `Grid 01`, without its spaces, tabs, `|` and `+`.
    Title(Vec<u8>),
    /// The symbols of a row, without borders and blanks.
    Row(Vec<u8>),
    /// The rows of a grid that is on one line.
    Rows(Vec<Vec<u8>>),
}

/// A heading of an .sdk file by what follows it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Heading {
    /// Another puzzle.
    Puzzle,
    /// The puzzle with the digits that have been found.
    State,
    /// Notes of a program, such as pencil marks or colours.
    Notes,
}

/// The state of the reader on which the meaning of a line depends.
pub struct LineContext<'a> {
    pub form: &'a EntryForm,
    /// True if the line before is a frame.
    pub below_frame: bool,
    /// True if the current entry has rows.
    pub in_entry: bool,
    /// The side of the current entry. Before its first row, the side of the previous entry, or 0 if there is none.
    pub side: usize,
}

/// At most this many symbols of a row are stored. That is more than a whole 25x25 grid has.
pub const MAX_ROW_SYMBOLS: usize = 1 << 10;

impl DrawnLine {
    /// Parses a line without its line end and byte order mark.
    pub fn parse(line: &[u8], context: &LineContext<'_>) -> DrawnLine {
        match line {
            // A line with text after a CR is probably several lines. Read as a row, it makes an invalid entry.
            _ if has_inner_cr(line) => return DrawnLine::Row(symbols(line)),
            [b'#', ..] => return DrawnLine::Ignored,
            [b'[', name @ ..] => return DrawnLine::Heading(Heading::parse(name)),
            _ => {}
        }
        let line = &*with_ascii_borders(line);
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
            return DrawnLine::Blank;
        }
        if is_frame(line) {
            return DrawnLine::Frame;
        }
        let alphabet = &context.form.alphabet;
        if let Some(grid) = one_line::read_grid(line, alphabet) {
            let rows = grid.chunks(grid.len().isqrt()).map(<[u8]>::to_vec);
            return DrawnLine::Rows(rows.collect());
        }
        let row = read_numbers(line, alphabet).unwrap_or_else(|| symbols(line));
        // A row of a layout can be the name of a status, such as `none`.
        let has_layout = context.in_entry && context.form.fields.regions;
        let can_be_layout_row = has_layout && context.side == row.len();
        let mut names = Status::NAMES.iter();
        let is_status = context.below_frame
            && !can_be_layout_row
            && names.any(|(name, _)| name.as_bytes() == line);
        if row.is_empty() || is_status {
            DrawnLine::Ignored
        } else if is_title(line, &row, context) {
            DrawnLine::Title(row)
        } else {
            DrawnLine::Row(row)
        }
    }
}

/// Returns the symbols of a row of cells with blanks or borders between them, if at least one cell is a number of two digits. If
/// all cells have two symbols, they could also be parts of a row, as in `12 34 56`. They are numbers only if such a row would be
/// wider than that of any puzzle. Returns `None` for all other lines, also for fewer than 10 cells, which need no such numbers.
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

/// Returns the first `MAX_ROW_SYMBOLS` symbols of a row: all bytes but borders and blanks. A `-` is a blank cell here.
fn symbols(line: &[u8]) -> Vec<u8> {
    let symbols = line.iter().copied();
    symbols
        .filter(|&byte| byte == b'-' || !is_border(byte))
        .take(MAX_ROW_SYMBOLS)
        .collect()
}

impl Heading {
    /// Parses the text after `[`. A heading other than those of states and notes is taken for that of a puzzle.
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

/// Returns true if a line with the symbols `row` is a title. A row that is taken for a title spoils its entry, so a title must
/// have all of these:
///
/// 1.  A symbol that no row of this width has. `123456789` is a row.
/// 2.  Letters in both cases, an ASCII digit, or a character that is not ASCII; and at most one `.`, `_` or `*` in total, which
///     rows use for blank cells. Other lines with letters are more likely rows in other symbols than `--symbols` names: `keeper`,
///     `QR..Qr...`.
/// 3.  A word: letters that are not all equal, as defined below. `1zz4` is a row with two wrong symbols.
/// 4.  After the first row of an entry that includes a layout, an ASCII digit and a capitalized word. `Keep` can be a row of the
///     layout, `Grid 01` cannot.
fn is_title(line: &[u8], row: &[u8], context: &LineContext<'_>) -> bool {
    let alphabet = &context.form.alphabet;
    let is_foreign =
        |symbol: u8| !matches!(alphabet.digit_of(symbol), Some(digit) if digit <= row.len());
    if !row.iter().copied().any(is_foreign) {
        return false;
    }
    let has = |is_kind: fn(&u8) -> bool| row.iter().any(is_kind);
    let in_both_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let blanks = row.iter().filter(|symbol| b"._*".contains(symbol)).count();
    if blanks > 1 || !(in_both_cases || has(u8::is_ascii_digit) || !row.is_ascii()) {
        return false;
    }
    // A word has two or more letters that are not all equal, and at least two of them are foreign. A line as wide as a row needs
    // a word of at least three letters, because it is more likely a row with wrong symbols.
    let least = if row.len() == context.side { 3 } else { 2 };
    let is_foreign_letter = |letter: &char| !letter.is_ascii() || is_foreign(*letter as u8);
    let is_word = |letters: &str| {
        letters.chars().count() >= least
            && letters.chars().any(|letter| !letters.starts_with(letter))
            && letters.chars().filter(is_foreign_letter).count() >= 2
    };
    // Symbols such as `·` and `□` are no letters: a row of them is invalid, not a title.
    let text = String::from_utf8_lossy(line);
    let mut words = text
        .split(|symbol: char| !symbol.is_alphabetic())
        .filter(|letters| is_word(letters));
    if !context.form.fields.regions || !context.in_entry {
        return words.next().is_some();
    }
    let is_capitalized = |word: &str| {
        let mut letters = word.bytes();
        letters
            .next()
            .is_some_and(|first| first.is_ascii_uppercase())
            && letters.all(|letter| letter.is_ascii_lowercase())
    };
    has(u8::is_ascii_digit) && words.any(is_capitalized)
}

/// Returns true for a horizontal border: `+---+---+`, `------`, `*-----*`, `+ - + - +`. A line of such characters with several
/// `-`, but without `+` and without two adjacent `-`, is a row of blank cells: `- - - -`, `- - | - -`. One with a single `-` is a
/// border, because no puzzle has one column.
fn is_frame(line: &[u8]) -> bool {
    let dashes = line.iter().filter(|&&byte| byte == b'-').count();
    let is_part = |byte: u8| is_border(byte) || (byte == b'*' && dashes > 0);
    line.iter().copied().all(is_part)
        && (dashes == 1 || line.contains(&b'+') || line.windows(2).any(|pair| pair == b"--"))
}

/// Returns the line with its box-drawing characters (U+2500 to U+257F) replaced: vertical lines of full height and one weight
/// by `|`, all others by `+`, because `-` can be a blank cell. In UTF-8 these characters begin with the byte E2.
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

/// Returns true for the characters of borders, and for the spaces and tabs between cells. In a row, `-` is a blank cell: callers
/// that read rows must except it.
fn is_border(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'|' | b'+' | b'-')
}

/// Returns true for the characters that cannot be symbols of digits in a drawing: borders, and `[`, which begins a heading.
pub(crate) fn is_reserved(symbol: u8) -> bool {
    is_border(symbol) || symbol == b'['
}
