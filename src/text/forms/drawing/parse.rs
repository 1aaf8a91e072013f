//! Recognises what a line of a drawing is: a row, a whole grid, or something between rows.
//! `program.rs` takes rows out of program text, `words.rs` tells rows from text.

use std::iter;

use memchr::memchr;

use super::line::{
    DrawingAlphabet, DrawnLine, Heading, MAX_ROW_SYMBOLS, MIN_GRID, RowKind, RowLine,
};
use super::{program, words};
use crate::text::record::has_inner_cr;

/// A longer line is not stored as it is.
const MAX_STORED: usize = 8 << 10;

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
        _ if alphabet.reads_programs && program::is_comment(line) => return DrawnLine::Comment,
        _ if alphabet.reads_programs && program::is_command(line) => return DrawnLine::Text,
        [b'[', name @ ..] if is_heading(name) || !alphabet.reads_programs => {
            return DrawnLine::Heading(heading(name));
        }
        _ => {}
    }
    let mut text = with_ascii_borders(&String::from_utf8_lossy(line));
    if memchr(b'&', line).is_some() {
        text = text.replace("&nbsp;", " ");
    }
    let mut text = with_commas(alphabet, &text).unwrap_or_else(|| with_spaces(&text));
    if text.trim().is_empty() {
        return DrawnLine::Blank;
    }
    // Tabs only, which were blanks before.
    if line.iter().all(u8::is_ascii_whitespace) {
        return DrawnLine::Row(RowLine::new(text, RowKind::Empty));
    }
    if alphabet.reads_programs {
        match program::without_tags(&text) {
            // The cells of a row can be on a line each.
            Some(contents) if contents.is_empty() && program::is_tag_of_row(&text) => {
                return DrawnLine::Comment;
            }
            Some(contents) if contents.is_empty() => return DrawnLine::Text,
            // The content of an only element can also be a date.
            Some(contents) if !contents.contains(',') => {
                return match words::parse_content(alphabet, &contents) {
                    DrawnLine::Row(row) if !row.is_damaged_grid => {
                        DrawnLine::Row(RowLine { kind: RowKind::Word, ..row })
                    }
                    other => other,
                };
            }
            Some(contents) => text = contents,
            None if memchr(b'<', line).is_some() && memchr(b'>', line).is_some() => {
                if let Some(parsed) = program::part_of_content(alphabet, &text) {
                    return parsed;
                }
            }
            None => text = program::without_leader(text),
        }
        // An empty comment.
        if text.trim().is_empty() {
            return DrawnLine::Blank;
        }
    }
    if let Some(cells) = with_dots(alphabet, &text) {
        text = cells;
    }
    let is_blank_grid = || {
        let quoted = text.trim().trim_end_matches(',');
        let inner = quoted.strip_prefix('\'').and_then(|it| it.strip_suffix('\''));
        inner.is_some_and(|it| words::is_blank_grid(alphabet, it))
    };
    if alphabet.is_frame(&text) && !is_blank_grid() {
        return DrawnLine::Frame;
    }
    if let Some(grid) = DrawnLine::read_grid(alphabet, &text) {
        return grid;
    }
    // Lists of program text can be long, rows cannot. What is stored is bounded.
    if text.len() > MAX_STORED {
        text = alphabet.symbols(&text).take(MAX_ROW_SYMBOLS).collect();
    }
    let text = without_sides(alphabet, &text);
    match alphabet.reads_programs {
        true => program::parse(alphabet, text),
        false => words::parse(alphabet, text, false),
    }
}

/// A list can also begin with `[`.
fn is_heading(name: &[u8]) -> bool {
    name.first().is_some_and(u8::is_ascii_alphabetic) && memchr(b'"', name).is_none()
}

/// A heading other than those of states and notes is taken for that of a puzzle.
fn heading(name: &[u8]) -> Heading {
    let name = name.to_ascii_lowercase();
    let notes: [&[u8]; 3] = [b"pencil", b"cell", b"color"];
    match () {
        _ if name.starts_with(b"state]") => Heading::State,
        _ if notes.iter().any(|note| name.starts_with(note)) => Heading::Notes,
        _ => Heading::Puzzle,
    }
}

/// Returns the line with its box-drawing characters and long dashes as `|`, `-` or `+`.
fn with_ascii_borders(line: &str) -> String {
    let border = |symbol: char| match symbol {
        '\u{a0}' => ' ',
        '│' | '┃' | '┆' | '┇' | '┊' | '┋' | '╎' | '╏' | '║' | '¦' => '|',
        '─' | '━' | '═' | '┄' | '┅' | '┈' | '┉' | '╌' | '╍' | '–' | '—' | '−' => {
            '-'
        }
        '\u{2500}'..='\u{257f}' => '+',
        other => other,
    };
    line.chars().map(border).collect()
}

/// Returns a line whose cells are between tabs or semicolons with commas in their place. The cells
/// of fewer than 6 fields have at most two symbols, because longer ones are boxes of a row. A text
/// after tabs only is indented.
fn with_commas(alphabet: &DrawingAlphabet, line: &str) -> Option<String> {
    let separator = *['\t', ';'].iter().find(|&&it| line.contains(it))?;
    let fields: Vec<&str> = line.split(separator).map(str::trim).collect();
    let are_short = fields.iter().all(|it| it.chars().count() <= 2);
    let filled = fields.iter().filter(|it| !it.is_empty()).count();
    let are_cells = fields.len() >= 4
        && (are_short || (fields.len() >= MIN_GRID && filled > 1))
        && fields.iter().all(|it| !it.contains([' ', '\t', '|', '+', ',', ';']))
        && [',', separator].iter().all(|&it| alphabet.is_separator(it));
    are_cells.then(|| fields.join(","))
}

/// Returns the line with tabs as spaces up to the next column that is a multiple of 8.
fn with_spaces(line: &str) -> String {
    let mut column = 0;
    let spaced = |symbol| {
        let (shown, width) = if symbol == '\t' { (' ', 8 - column % 8) } else { (symbol, 1) };
        column += width;
        iter::repeat_n(shown, width)
    };
    line.chars().flat_map(spaced).collect()
}

/// Returns a row whose blank cells are `+` with dots in their place: symbols with blanks between them,
/// two `+` or more, and digits or as many `+` as no border has corners.
fn with_dots(alphabet: &DrawingAlphabet, line: &str) -> Option<String> {
    // Borders have dashes, and rows beside them bars.
    if !line.contains('+') || line.contains('-') || line.contains('|') {
        return None;
    }
    let is_cell = |word: &str| word == "+" || word.parse().is_ok_and(|digit: usize| digit > 0);
    let blanks = line.matches('+').count();
    if blanks < 2 || !alphabet.is_separator('+') || !line.split_whitespace().all(is_cell) {
        return None;
    }
    (blanks >= MIN_GRID || line.contains(|it: char| it.is_ascii_digit()))
        .then(|| line.replace('+', "."))
}

/// Returns a line without the `:` at both of its ends, unless it is the symbol of a digit.
fn without_sides<'l>(alphabet: &DrawingAlphabet, line: &'l str) -> &'l str {
    let inner = line.trim().strip_prefix(':').and_then(|it| it.strip_suffix(':'));
    inner.filter(|_| alphabet.digits.digit_of(b':').is_none()).unwrap_or(line)
}
