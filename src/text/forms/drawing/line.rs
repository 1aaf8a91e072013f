//! Classifies a line of a drawing: a row, a whole grid, or something between rows. `program.rs`
//! takes rows out of the text of a program, `words.rs` tells rows with words from text.

use std::borrow::Cow;

use memchr::memchr;

use super::{program, words};
use crate::rules::MAX_SIDE;
use crate::stream::chunks::OVERLONG_PREFIX;
use crate::text::one_line;
use crate::text::record::{FieldSet, has_inner_cr};
use crate::text::symbols::Alphabet;
use crate::verdict::Status;

/// A line of a drawing, or a part of a line with several texts in quotes.
#[derive(Debug)]
pub enum DrawnLine {
    /// A comment (`# ...`).
    Comment,
    /// A line that begins with `[` and a letter, as the headings of an .sdk file do: `[Puzzle]`.
    Heading(Heading),
    /// An empty line, or one of blanks.
    Blank,
    /// A horizontal border, such as `+---+---+`, `------`, `*-----------*` (Simple Sudoku) or
    /// `:-----+-----:` (HoDoKu).
    Frame,
    /// Text between puzzles: a title, the status that `--draw` writes below a grid, a bracket.
    Text,
    Row(RowLine),
    /// The cells of a grid that is on one line, row by row.
    Grid(Vec<String>),
    /// The parts of a line with several texts in quotes, none of which is `Parts`. There can be none.
    Parts(Vec<DrawnLine>),
}

/// A line that can be a row.
#[derive(Clone, Debug, Default)]
pub struct RowLine {
    /// The number of lines before it in the source. The assembler sets this and `is_below_frame`.
    pub number: i64,
    /// True if a border is above it.
    pub is_below_frame: bool,
    /// The text, in its columns. Borders are `|`, `-` and `+`; what is no part of the row is blank.
    pub text: String,
    /// The number of symbols if the text has only digits, usual blanks, spaces and `|`, else 0.
    pub plain_width: usize,
    pub kind: RowKind,
    /// True if the text was in quotes.
    pub is_quoted: bool,
}

/// What a row must have beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowKind {
    #[default]
    Row,
    /// A line with words: a row only next to a row of the same width, else text.
    Worded,
    /// A word of letters in one case: a row only next to such a row or another such word.
    Word,
    /// A line with a CR in it, which is a fault.
    InnerCr,
}

/// The kinds of headings of an .sdk file, by what follows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

/// Flags of a byte: it can be in a plain row; it can be in a frame; it has to be looked at.
const PLAIN: u8 = 1;
const SYMBOL: u8 = 2;
const DASH: u8 = 4;

/// Recognises lines.
#[derive(Clone, Debug)]
pub struct LineParser {
    pub alphabet: Alphabet,
    pub fields: FieldSet,
    /// Flags of each byte.
    flags: [u8; 256],
    /// True if quotes, brackets and other marks of programs are no symbols of digits.
    reads_programs: bool,
}

impl LineParser {
    pub fn new(alphabet: Alphabet, fields: FieldSet) -> LineParser {
        let mut flags = [0; 256];
        for (flags, byte) in flags.iter_mut().zip(0..=255u8) {
            let is_usual = byte.is_ascii_digit() || b"._".contains(&byte);
            *flags = match byte {
                b' ' | b'|' => PLAIN,
                _ if is_usual && alphabet.digit_of(byte).is_some() => PLAIN | SYMBOL,
                b'-' => PLAIN | SYMBOL | DASH,
                _ => 0,
            };
        }
        let marks = b"\"'`()[]{}<>=/\\*,;:";
        let reads_programs = marks.iter().all(|&mark| alphabet.digit_of(mark).unwrap_or(0) == 0);
        LineParser { alphabet, fields, flags, reads_programs }
    }

    /// Parses a line without its line end and byte order mark.
    pub fn parse(&self, line: &[u8]) -> DrawnLine {
        if let Some(row) = self.read_plain(line) {
            return DrawnLine::Row(row);
        }
        match line {
            _ if has_inner_cr(line) => {
                let text = String::from_utf8_lossy(&line[..line.len().min(MAX_ROW_SYMBOLS)]);
                return DrawnLine::Row(RowLine::new(text, RowKind::InnerCr));
            }
            [b'#', ..] => return DrawnLine::Comment,
            [b'[', name @ ..] if is_heading(name) || !self.reads_programs => {
                return DrawnLine::Heading(Heading::parse(name));
            }
            _ => {}
        }
        let text = String::from_utf8_lossy(line);
        let mut text = with_ascii_borders(&text);
        if self.reads_programs {
            text = program::without_leader(text);
        }
        if text.trim().is_empty() {
            return DrawnLine::Blank;
        }
        if self.is_frame(&text) {
            return DrawnLine::Frame;
        }
        if let Some(cells) = one_line::read_grid(text.as_bytes(), &self.alphabet) {
            return DrawnLine::Grid(cells.iter().map(|&it| char::from(it).into()).collect());
        }
        let text = self.without_excess(self.without_sides(&text));
        match self.reads_programs {
            true => program::parse(self, &text),
            false => words::parse(self, &text, false),
        }
    }

    /// Returns a row that has only digits, usual blank symbols, spaces and `|`.
    fn read_plain(&self, line: &[u8]) -> Option<RowLine> {
        if line.len() > 4 * MAX_SIDE {
            return None;
        }
        let (mut all, mut any) = (PLAIN, 0);
        for &byte in line {
            let flags = self.flags[usize::from(byte)];
            all &= flags;
            any |= flags;
        }
        let text = std::str::from_utf8(line).ok()?;
        if all & PLAIN == 0 || any & SYMBOL == 0 || (any & DASH != 0 && self.is_frame(text)) {
            return None;
        }
        let width = self.plain_symbols(text).count();
        // A longer line can be a whole grid, and one with at least as many blanks as symbols can
        // have numbers of two digits.
        if width > MAX_SIDE || (width >= 10 && line.contains(&b' ')) {
            return None;
        }
        Some(RowLine { plain_width: width, ..RowLine::new(text, RowKind::Row) })
    }

    /// Returns the symbols of a plain row.
    pub fn plain_symbols<'t>(&'t self, text: &'t str) -> impl Iterator<Item = u8> + 't {
        text.bytes().filter(|&byte| self.flags[usize::from(byte)] & SYMBOL != 0)
    }

    /// Returns the digit of a symbol, 0 for a blank symbol.
    pub fn value(&self, symbol: char) -> Option<usize> {
        u8::try_from(symbol).ok().filter(u8::is_ascii).and_then(|it| self.alphabet.digit_of(it))
    }

    /// Returns true for what separates cells: blanks, borders, and the marks of programs.
    pub fn is_separator(&self, symbol: char) -> bool {
        matches!(symbol, ' ' | '\t' | '\u{a0}' | '|' | '+')
            || (",;[](){}<>\"'`\\/".contains(symbol)
                && self.value(symbol).is_none_or(|digit| digit == 0))
    }

    /// Returns the symbols of a text: all characters but separators.
    pub fn symbols<'t>(&'t self, text: &'t str) -> impl Iterator<Item = char> + 't {
        text.chars().filter(|&symbol| !self.is_separator(symbol))
    }

    /// Returns the number of symbols.
    pub fn width(&self, text: &str) -> usize {
        self.symbols(text).count()
    }

    /// Returns true if a line is the name of a status. Returns false for every line if entries
    /// include layouts, because a row of a layout can be such a name.
    pub fn is_status(&self, line: &str) -> bool {
        !self.fields.regions && Status::NAMES.iter().any(|(name, _)| *name == line)
    }

    /// Returns true for a horizontal border. It has nothing but characters of borders, and one of
    /// these:
    ///
    /// * Two adjacent `-` or `=`: `+---+---+`, `------`, `*-----*`, `'====='`. `=` can be a digit.
    /// * A `+`, and no character but those of [`is_border`]: `+ - + - +`.
    /// * A single `-`, and no character but those of `is_border`: `| - |`. It is not a row of one
    ///   blank cell, because no puzzle has one column. Several are a row of blank cells: `- - | -`.
    pub fn is_frame(&self, text: &str) -> bool {
        let text = text.as_bytes();
        if !text.iter().all(|byte| is_border(*byte) || b".:'*=_#~".contains(byte)) {
            return false;
        }
        let has_pair = |byte: u8| text.windows(2).any(|pair| pair == [byte, byte]);
        if has_pair(b'-') || (has_pair(b'=') && self.alphabet.digit_of(b'=').is_none()) {
            return true;
        }
        let dashes = text.iter().filter(|&&byte| byte == b'-').count();
        text.iter().copied().all(is_border) && (dashes == 1 || text.contains(&b'+'))
    }

    /// Returns a line without the `:` or `'` at both of its ends, unless they are symbols of cells.
    fn without_sides<'l>(&self, line: &'l str) -> &'l str {
        let inner = |side: char| line.trim().strip_prefix(side)?.strip_suffix(side);
        let is_free = |side: u8| self.alphabet.digit_of(side).is_none();
        let colons = inner(':').filter(|_| is_free(b':'));
        let quotes = inner('\'').filter(|row| is_free(b'\'') && row.len() < 4);
        colons.or(quotes).unwrap_or(line)
    }

    /// Shortens a very long line to its first symbols, so that what is stored is bounded.
    fn without_excess<'l>(&self, line: &'l str) -> Cow<'l, str> {
        if line.len() <= OVERLONG_PREFIX {
            return line.into();
        }
        // Texts in quotes and lists of program text can be long, rows cannot.
        if line.contains(['"', '\'', '[', '(', '{', ',']) && line.len() <= 8 * OVERLONG_PREFIX {
            return line.into();
        }
        self.symbols(line).take(MAX_ROW_SYMBOLS).collect::<String>().into()
    }
}

impl RowLine {
    pub fn new(text: impl Into<String>, kind: RowKind) -> RowLine {
        RowLine { text: text.into(), kind, ..RowLine::default() }
    }

    /// Returns the number of bars.
    pub fn bars(&self) -> usize {
        self.text.matches('|').count()
    }
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

/// Returns true if the text after `[` is that of a heading, not of a list.
fn is_heading(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic) && memchr(b'"', name).is_none()
}

/// Returns the line with its box-drawing characters and long dashes as `|`, `-` or `+`, and with
/// tabs as spaces up to the next column that is a multiple of 8.
fn with_ascii_borders(line: &str) -> Cow<'_, str> {
    if line.is_ascii() && memchr(b'\t', line.as_bytes()).is_none() {
        return Cow::Borrowed(line);
    }
    let (mut replaced, mut column) = (String::with_capacity(line.len()), 0);
    for symbol in line.chars() {
        let border = match symbol {
            '\t' => {
                let width = 8 - column % 8;
                replaced.extend(std::iter::repeat_n(' ', width));
                column += width;
                continue;
            }
            '\u{a0}' => ' ',
            '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' | '¦' => '|',
            '─' | '━' | '═' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '–' | '—' | '−' => {
                '-'
            }
            '\u{2500}'..='\u{257f}' => '+',
            other => other,
        };
        replaced.push(border);
        column += 1;
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
