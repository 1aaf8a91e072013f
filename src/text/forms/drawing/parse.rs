//! Recognises what a line of a drawing is: a row, a whole grid, or something between rows.
//! `program.rs` takes rows out of the text of a program, `words.rs` tells rows with words from
//! text.

use std::borrow::Cow;

use memchr::memchr;

use super::line::{
    DrawingAlphabet, DrawnLine, Heading, MAX_ROW_SYMBOLS, MIN_GRID, RowKind, RowLine,
};
use super::{program, words};
use crate::stream::chunks::OVERLONG_PREFIX;
use crate::text::one_line;
use crate::text::record::has_inner_cr;

pub fn parse(alphabet: &DrawingAlphabet, line: &[u8]) -> DrawnLine {
    if let Some(row) = alphabet.read_plain(line) {
        return DrawnLine::Row(row);
    }
    match line {
        _ if has_inner_cr(line) => {
            let text = String::from_utf8_lossy(&line[..line.len().min(MAX_ROW_SYMBOLS)]);
            return DrawnLine::Row(RowLine::new(text, RowKind::InnerCr));
        }
        [b'#', ..] => return DrawnLine::Comment,
        [b'[', name @ ..] if is_heading(name) || !alphabet.reads_programs => {
            return DrawnLine::Heading(heading(name));
        }
        _ => {}
    }
    let text = String::from_utf8_lossy(line);
    let text = with_ascii_borders(&text);
    let mut text = with_commas(alphabet, &text).unwrap_or_else(|| with_spaces(text));
    if text.trim().is_empty() {
        return DrawnLine::Blank;
    }
    // Tabs only, which were blanks before.
    if line.iter().all(u8::is_ascii_whitespace) {
        return DrawnLine::Row(RowLine::new(text, RowKind::Empty));
    }
    if alphabet.reads_programs {
        text = program::without_leader(text);
    }
    if alphabet.is_frame(&text) {
        return DrawnLine::Frame;
    }
    if let Some(cells) = one_line::read_grid(text.as_bytes(), &alphabet.digits) {
        return DrawnLine::Grid(cells.iter().map(|&it| char::from(it).into()).collect());
    }
    let text = without_excess(alphabet, without_sides(alphabet, &text));
    match alphabet.reads_programs {
        true => program::parse(alphabet, &text),
        false => words::parse(alphabet, &text, false),
    }
}

/// A list can also begin with `[`.
fn is_heading(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic) && memchr(b'"', name).is_none()
}

/// Parses the text after `[`. A heading other than those of states and notes is taken for that
/// of a puzzle.
fn heading(name: &[u8]) -> Heading {
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

/// Returns the line with its box-drawing characters and long dashes as `|`, `-` or `+`.
fn with_ascii_borders(line: &str) -> Cow<'_, str> {
    if line.is_ascii() {
        return Cow::Borrowed(line);
    }
    let border = |symbol: char| match symbol {
        '\u{a0}' => ' ',
        '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' | '¦' => '|',
        '─' | '━' | '═' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '–' | '—' | '−' => {
            '-'
        }
        '\u{2500}'..='\u{257f}' => '+',
        other => other,
    };
    Cow::Owned(line.chars().map(border).collect())
}

/// Returns a line whose cells are between tabs or semicolons with commas in their place. The cells
/// of fewer than 6 fields have at most two symbols, because longer ones are boxes of a row. A text
/// after tabs only is indented.
fn with_commas(alphabet: &DrawingAlphabet, line: &str) -> Option<Cow<'static, str>> {
    let separator = *['\t', ';'].iter().find(|&&it| line.contains(it))?;
    let fields: Vec<&str> = line.split(separator).map(str::trim).collect();
    let longest = fields.iter().map(|it| it.chars().count()).max()?;
    let filled = fields.iter().filter(|it| !it.is_empty()).count();
    let is_cell = |it: &&str| !it.contains([' ', '\t', '|', '+', ',', ';']);
    let are_cells = fields.len() >= 4
        && (longest <= 2 || (fields.len() >= MIN_GRID && filled > 1))
        && fields.iter().all(is_cell)
        && [',', separator].iter().all(|&it| alphabet.is_separator(it));
    are_cells.then(|| fields.join(",").into())
}

/// Returns the line with tabs as spaces up to the next column that is a multiple of 8.
fn with_spaces(line: Cow<'_, str>) -> Cow<'_, str> {
    if memchr(b'\t', line.as_bytes()).is_none() {
        return line;
    }
    let (mut spaced, mut column) = (String::with_capacity(2 * line.len()), 0);
    for symbol in line.chars() {
        let width = if symbol == '\t' { 8 - column % 8 } else { 1 };
        match symbol {
            '\t' => spaced.extend(std::iter::repeat_n(' ', width)),
            _ => spaced.push(symbol),
        }
        column += width;
    }
    Cow::Owned(spaced)
}

/// Returns a line without the `:` or `'` at both of its ends, unless they are symbols of cells.
fn without_sides<'l>(alphabet: &DrawingAlphabet, line: &'l str) -> &'l str {
    let inner = |side: char| line.trim().strip_prefix(side)?.strip_suffix(side);
    let is_free = |side: u8| alphabet.digits.digit_of(side).is_none();
    let colons = inner(':').filter(|_| is_free(b':'));
    let quotes = inner('\'').filter(|row| is_free(b'\'') && row.len() < 4);
    colons.or(quotes).unwrap_or(line)
}

/// Shortens a very long line to its first symbols, so that what is stored is bounded.
fn without_excess<'l>(alphabet: &DrawingAlphabet, line: &'l str) -> Cow<'l, str> {
    if line.len() <= OVERLONG_PREFIX {
        return line.into();
    }
    // Texts in quotes and lists of program text can be long, rows cannot.
    if line.contains(['"', '\'', '[', '(', '{', ',']) && line.len() <= 8 * OVERLONG_PREFIX {
        return line.into();
    }
    alphabet.symbols(line).take(MAX_ROW_SYMBOLS).collect::<String>().into()
}
