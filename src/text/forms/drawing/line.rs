//! What a line of a drawing can be, and the characters of which it consists: symbols of cells,
//! separators of cells, and borders. `parse.rs` recognises lines.

use crate::text::one_line;
use crate::text::record::FieldSet;
use crate::text::size::Sizes;
use crate::text::symbols::Alphabet;
use engine::rules::{MAX_SIDE, Shape, Variants};
use engine::verdict::Status;

/// A line of a drawing, or a part of a line with several texts in quotes.
#[derive(Debug)]
pub enum DrawnLine {
    /// A comment (`# ...`).
    Comment,
    /// A line that begins with `[` and a letter, as the headings of an .sdk file do: `[Puzzle]`.
    Heading(Heading),
    Blank,
    /// A horizontal border, such as `+---+---+`, `------`, `*-----------*` (Simple Sudoku) or
    /// `:-----+-----:` (HoDoKu).
    Frame,
    /// Text between puzzles: a title, the status that `--draw` writes below a grid, a bracket.
    Text,
    Row(RowLine),
    /// A grid that is on one line.
    Grid(LineGrid),
    /// The parts of a line with several texts in quotes, none of which is `Parts`.
    Parts(Vec<DrawnLine>),
}

impl DrawnLine {
    /// Returns a grid on one line, whose cells are a symbol each.
    pub fn grid(side: usize, symbols: &str) -> DrawnLine {
        DrawnLine::Grid(LineGrid { side, cells: symbols.chars().map(String::from).collect() })
    }

    /// Returns the grid on one line that [`one_line::read_grid`] accepts.
    pub fn read_grid(alphabet: &DrawingAlphabet, text: &str) -> Option<DrawnLine> {
        let (side, cells) = one_line::read_grid(text.as_bytes(), &alphabet.digits)?;
        let cells = cells.into_iter().map(|cell| char::from(cell).into()).collect();
        Some(DrawnLine::Grid(LineGrid { side, cells }))
    }

    /// Counts the rows that need no other beside them, and the grids.
    pub fn number_of_rows(&self) -> usize {
        match self {
            DrawnLine::Row(row) => usize::from(row.kind == RowKind::Row),
            DrawnLine::Grid(_) => 1,
            DrawnLine::Parts(parts) => parts.iter().map(DrawnLine::number_of_rows).sum(),
            _ => 0,
        }
    }
}

#[derive(Debug)]
pub struct LineGrid {
    pub side: usize,
    /// The cells row by row, each as it is written.
    pub cells: Vec<String>,
}

#[derive(Clone, Debug, Default)]
pub struct RowLine {
    /// The number of lines before it in the source. The cutter sets this and `is_below_frame`.
    pub number: i64,
    pub is_below_frame: bool,
    /// The text, in its columns. Borders are `|`, `-` and `+`; what is no part of the row is blank.
    pub text: String,
    /// The symbols if the text has only digits, usual blanks, spaces and `|`, else none.
    pub plain: PlainRow,
    pub kind: RowKind,
    pub is_quoted: bool,
    /// True if the line has other text than the row, as a statement of a program has.
    pub is_in_text: bool,
    pub place: ListPlace,
    /// True for a word of about as many cells as a grid has.
    pub is_damaged_grid: bool,
}

/// The symbols of a row, at most as many as the widest grid has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlainRow {
    /// The first `width` bytes; zeros follow.
    symbols: [u8; MAX_SIDE],
    width: u8,
}

/// The place of a row among those of a list of lists, as `[[1, 2], [3, 4]]` over several lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ListPlace {
    First,
    /// Also outside of such a list.
    #[default]
    Within,
    Last,
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
    /// A line of tabs: a row only next to a row with commas of its width, else a blank line.
    Empty,
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

pub const MIN_GRID: usize = 6;
/// In the text of a program, a row of fewer cells is not looked for.
pub const MIN_CELLS: usize = 4;
/// At most this many symbols of a row are stored. That is more than a whole 25x25 grid has.
pub const MAX_ROW_SYMBOLS: usize = 1 << 10;

/// The symbols of a drawing, and the fields that its records have.
#[derive(Clone, Debug)]
pub struct DrawingAlphabet {
    pub digits: Alphabet,
    pub fields: FieldSet,
    /// For each byte, true if it is the symbol of a cell in a plain row: a digit, or a usual blank.
    is_plain: [bool; 256],
    /// True if quotes, brackets and other marks of programs are no symbols of digits.
    pub reads_programs: bool,
    sizes: Sizes,
    /// The variants of the run, if other rules that text names are looked for.
    pub variants: Option<Variants>,
}

impl Default for DrawingAlphabet {
    fn default() -> DrawingAlphabet {
        DrawingAlphabet::new(Alphabet::default(), FieldSet::default(), Sizes::default())
    }
}

impl DrawingAlphabet {
    pub fn new(alphabet: Alphabet, fields: FieldSet, sizes: Sizes) -> DrawingAlphabet {
        let mut is_plain = [false; 256];
        for symbol in *b"0123456789._" {
            is_plain[usize::from(symbol)] = alphabet.digit_of(symbol).is_some();
        }
        is_plain[usize::from(b'-')] = true;
        let marks = b"\"'`()[]{}<>=/\\*,;:";
        let reads_programs = marks.iter().all(|&mark| alphabet.digit_of(mark).unwrap_or(0) == 0);
        let variants = None;
        DrawingAlphabet { digits: alphabet, fields, is_plain, reads_programs, sizes, variants }
    }

    /// Returns a row that has only digits, usual blank symbols, spaces and `|`.
    pub fn read_plain(&self, line: &[u8]) -> Option<RowLine> {
        if line.len() > 4 * MAX_SIDE {
            return None;
        }
        let mut symbols = [0; MAX_SIDE];
        let mut width = 0;
        for &byte in line {
            match self.is_plain[usize::from(byte)] {
                // A longer line can be a whole grid.
                true => {
                    *symbols.get_mut(width)? = byte;
                    width += 1;
                }
                false if matches!(byte, b' ' | b'|') => {}
                false => return None,
            }
        }
        let text = std::str::from_utf8(line).ok()?;
        if width == 0 || (line.contains(&b'-') && self.is_frame(text)) {
            return None;
        }
        // Words can be numbers of two digits.
        if width >= 10 && line.contains(&b' ') {
            return None;
        }
        let plain = PlainRow { symbols, width: width as u8 };
        Some(RowLine { plain, ..RowLine::new(text, RowKind::Row) })
    }

    /// Returns 0 for a blank symbol.
    pub fn value(&self, symbol: char) -> Option<usize> {
        u8::try_from(symbol).ok().filter(u8::is_ascii).and_then(|it| self.digits.digit_of(it))
    }

    pub fn is_separator(&self, symbol: char) -> bool {
        matches!(symbol, ' ' | '\t' | '\u{a0}' | '|' | '+')
            || (",;[](){}<>\"'`\\/".contains(symbol)
                && self.value(symbol).is_none_or(|digit| digit == 0))
    }

    /// Returns the side of a grid that can be on one line.
    pub fn side_of_cells(&self, cells: usize) -> Option<usize> {
        let side = cells.isqrt();
        (side * side == cells && side >= MIN_GRID && self.sizes.allows(side)).then_some(side)
    }

    pub fn symbols<'t>(&'t self, text: &'t str) -> impl Iterator<Item = char> + 't {
        text.chars().filter(|&symbol| !self.is_separator(symbol))
    }

    pub fn width(&self, text: &str) -> usize {
        self.symbols(text).count()
    }

    /// False if records include layouts, because a row of a layout can be such a name.
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
        if !text.bytes().all(|byte| is_border(byte) || b".:'*=_#~".contains(&byte)) {
            return false;
        }
        let is_free = |symbol| self.digits.digit_of(symbol).is_none();
        let dashes = text.matches('-').count();
        text.contains("--")
            || (text.contains("==") && is_free(b'='))
            || (text.bytes().all(is_border) && (dashes == 1 || text.contains('+')))
    }
}

impl PlainRow {
    pub fn symbols(&self) -> &[u8] {
        &self.symbols[..self.width()]
    }

    pub fn width(&self) -> usize {
        usize::from(self.width)
    }
}

impl RowLine {
    pub fn new(text: impl Into<String>, kind: RowKind) -> RowLine {
        RowLine { text: text.into(), kind, ..RowLine::default() }
    }

    /// Returns true if one of two lines is a damaged grid on a line, and the other no row like it.
    pub fn is_apart_from(&self, other: &RowLine) -> bool {
        (self.is_damaged_grid || other.is_damaged_grid) && self.text.len() != other.text.len()
    }

    /// Returns the number of characters between the quotes, `None` without quotes.
    pub fn quoted_width(&self) -> Option<usize> {
        self.is_quoted.then(|| self.text.chars().count())
    }

    /// Returns true for a part of a text with fewer cells than a row.
    pub fn is_short_in_text(&self, alphabet: &DrawingAlphabet) -> bool {
        self.is_in_text && !self.can_have_spaces() && alphabet.width(&self.text) < MIN_CELLS
    }

    /// Quotes and bars can be around spaces that are cells.
    pub fn can_have_spaces(&self) -> bool {
        self.is_quoted || self.bars() > 0
    }

    pub fn bars(&self) -> usize {
        self.text.matches('|').count()
    }
}

/// Returns the fields between commas or semicolons. A comma at the end makes no cell if the side
/// is that of a puzzle without it only.
pub fn fields(text: &str) -> Vec<&str> {
    let mut cells: Vec<&str> = text.split([',', ';']).map(str::trim).collect();
    let [all, fewer] = [cells.len(), cells.len().saturating_sub(1)].map(is_usual_side);
    if cells.last() == Some(&"") && fewer && !all {
        cells.pop();
    }
    cells
}

pub fn is_usual_side(side: usize) -> bool {
    Shape::boxes_of(side).is_some()
}

/// Returns the number of rows of a box, if it is wider than high.
pub fn box_rows(side: usize) -> usize {
    (1..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows)).unwrap_or(1)
}

/// Returns the side of the puzzle whose number of cells is nearest.
pub fn nearest_side(cells: usize) -> usize {
    (4..=MAX_SIDE).min_by_key(|side| (side * side).abs_diff(cells)).unwrap_or(MAX_SIDE)
}

pub fn blanked(text: &str, begin: usize, end: usize) -> String {
    let blanks = text[begin..end].chars().count();
    [&text[..begin], &" ".repeat(blanks), &text[end..]].concat()
}

/// Returns true for the characters of borders, and for the spaces and tabs between cells. In a row,
/// `-` is a blank cell: callers that read rows must except it.
fn is_border(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'|' | b'+' | b'-')
}

/// True for what cannot be the symbol of a digit in a drawing: borders, and the `[` of a heading.
pub(crate) fn is_reserved(symbol: u8) -> bool {
    is_border(symbol) || symbol == b'['
}
