//! Tells rows from text: whole grids within text, labels, titles, rows with words beside them.

use std::ops::Range;

use super::line::{
    DrawingAlphabet, DrawnLine, LineGrid, RowKind, RowLine, blanked, fields, nearest_side,
};
use engine::rules::MAX_SIDE;

/// Text with fewer symbols than this beside its words is no row.
const MIN_ROW: usize = 4;
/// So many cells in a line with words are a part of a grid.
pub const MIN_PART: usize = 16;
/// A row of a 25x25 has so many boxes.
const MAX_BOXES: usize = 5;
/// Rows with this many bars are rows although they have few symbols.
const MIN_BARS: usize = 5;

/// The side of a grid of dashes. A rule of dashes in quotes rarely has the length of its cells.
const BLANK_SIDE: usize = 9;

pub fn parse(alphabet: &DrawingAlphabet, text: &str, is_quoted: bool) -> DrawnLine {
    if is_quoted && is_blank_grid(alphabet, text) {
        return DrawnLine::grid(BLANK_SIDE, text);
    }
    if alphabet.is_frame(text) {
        return DrawnLine::Frame;
    }
    let mut grids = grids_in(alphabet, text);
    match grids.len() {
        0 => {}
        1 => return grids.remove(0),
        _ => return DrawnLine::Parts(grids),
    }
    if let Some(grid) = grid_of_parts(alphabet, text, is_quoted) {
        return grid;
    }
    match row(alphabet, text) {
        Some((text, kind)) => DrawnLine::Row(RowLine { is_quoted, ..RowLine::new(text, kind) }),
        None => DrawnLine::Text,
    }
}

/// Parses the content of an element of XML or HTML: in a whole grid, spaces can be cells, or be between
/// the rows.
pub fn parse_content(alphabet: &DrawingAlphabet, content: &str) -> DrawnLine {
    DrawnLine::read_grid(alphabet, content)
        .or_else(|| grid_of_parts(alphabet, content, true))
        .unwrap_or_else(|| parse(alphabet, content.trim(), false))
}

/// Returns a row without its label and its words, and what must be beside it; `None` for text.
fn row(alphabet: &DrawingAlphabet, text: &str) -> Option<(String, RowKind)> {
    let (word, width) = (text.trim(), alphabet.width(text));
    let is_one_word = !word.contains([' ', ',']);
    let is_long = is_one_word && width > MAX_SIDE && word.contains(char::is_alphabetic);
    // As in `SE 7.2/1.2/1.2`.
    let is_ratio = |it: &[u8]| it[0].is_ascii_digit() && it[1] == b'/' && it[2].is_ascii_digit();
    let is_rating = alphabet.is_separator('/')
        && text.as_bytes().windows(3).any(is_ratio)
        && beside_words(alphabet, text).len() > 1;
    if is_long || is_rating || alphabet.is_status(word) {
        return None;
    }
    let mut text = text.to_string();
    if let Some(end) = end_of_label(&text) {
        text = blanked(&text, 0, end);
        (alphabet.width(&text) >= MIN_ROW).then_some(())?;
    }
    // As in `time = 0.1536`. No row has two symbols for blank cells.
    let is_digit = |it: char| it.is_ascii_digit();
    let is_fraction = text.trim().strip_prefix("0.").is_some_and(|it| it.chars().all(is_digit));
    if is_fraction && alphabet.value('0') == Some(0) && text.trim().len() > MIN_ROW {
        return None;
    }
    if text.contains('.') && are_fractions(&text) {
        return None;
    }
    let parts = beside_words(alphabet, &text);
    if parts.len() == 1 {
        return Some((text, RowKind::Row));
    }
    if is_one_word && width == alphabet.width(&text) {
        return Some((text, kind_of_word(alphabet, word)?));
    }
    let width = |part: &Range<usize>| alphabet.width(&text[part.clone()]);
    // The first one of equally wide parts.
    let widest = parts.into_iter().rev().max_by_key(width)?;
    let is_between_bars =
        text.matches('|').count() >= MIN_BARS && text[widest.clone()].contains('|');
    match width(&widest) >= MIN_ROW {
        true => text.truncate(widest.end),
        false if is_between_bars => {}
        false => return None,
    }
    Some((blanked(&text, 0, widest.start), RowKind::Worded))
}

/// Returns true for numbers between commas, more than a row has boxes, most of which are
/// fractions, as `0.25`.
fn are_fractions(text: &str) -> bool {
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let (mut numbers, mut fractions) = (0, 0);
    for field in text.trim().trim_end_matches(',').split(',').map(str::trim) {
        numbers += 1;
        match field.split_once('.') {
            Some((one, two)) if is_digits(one) && is_digits(two) => fractions += 1,
            None if is_digits(field) => {}
            _ => return false,
        }
    }
    numbers > MAX_BOXES && 2 * fractions > numbers
}

/// Decides what lines with words are, and changes those that are text: a line is a row if it has
/// the width of the next one, and the last one that of the row `below`. Words of letters are also
/// rows if there are two of one width.
pub fn decide(alphabet: &DrawingAlphabet, lines: &mut [(i64, DrawnLine)], below: Option<&RowLine>) {
    let mut below = below;
    let mut lines = lines.iter_mut().rev().peekable();
    while let Some((_, line)) = lines.next() {
        let DrawnLine::Row(row) = line else { continue };
        let is_above_alike = matches!(lines.peek(), Some((_, DrawnLine::Row(above)))
            if above.kind == RowKind::Word && are_alike(alphabet, row, above));
        if below.is_some_and(|below| are_alike(alphabet, row, below))
            || (row.kind == RowKind::Word && is_above_alike)
        {
            row.kind = RowKind::Row;
            below = Some(row);
        } else {
            *line = if row.kind == RowKind::Empty { DrawnLine::Blank } else { DrawnLine::Text };
            below = None;
        }
    }
}

/// Returns true if two lines have the same number of cells, or of bars.
pub fn are_alike(alphabet: &DrawingAlphabet, one: &RowLine, other: &RowLine) -> bool {
    let are_empty = [one, other].map(|row| row.kind == RowKind::Empty);
    if are_empty.contains(&true) {
        let commas = |row: &RowLine| row.text.matches(',').count();
        return commas(other) > 0 && commas(one).abs_diff(commas(other)) <= 1;
    }
    let cells = |row: &RowLine| match row.text.contains(',') {
        true => fields(&row.text).len(),
        false => alphabet.width(&row.text),
    };
    cells(one) == cells(other) || (one.bars() >= MIN_BARS && one.bars() == other.bars())
}

/// Returns true for a 9x9 of dashes.
pub fn is_blank_grid(alphabet: &DrawingAlphabet, text: &str) -> bool {
    text.len() == BLANK_SIDE * BLANK_SIDE
        && text.bytes().all(|it| it == b'-')
        && alphabet.value('-') == Some(0)
}

/// Returns a whole grid of 36 cells or more: N² fields, or a quoted text of digits and spaces.
fn grid_of_parts(alphabet: &DrawingAlphabet, text: &str, is_quoted: bool) -> Option<DrawnLine> {
    let is_blank_or_digit = |it: char| it == ' ' || ('1'..='9').contains(&it);
    if is_quoted
        && let Some(side) = alphabet.side_of_cells(text.len())
        && text.chars().all(is_blank_or_digit)
    {
        return Some(DrawnLine::grid(side, text));
    }
    let fields: Vec<&str> = match text.contains(',') {
        true => fields(text),
        false => text.split_whitespace().collect(),
    };
    let side = alphabet.side_of_cells(fields.len())?;
    let are_cells = fields.iter().all(|it| it.len() <= 2);
    let cells = || fields.into_iter().map(String::from).collect();
    are_cells.then(|| DrawnLine::Grid(LineGrid { side, cells: cells() }))
}

/// Returns the whole grids of a line, which are a word each, and the damaged ones as rows with a
/// fault. A full grid after a damaged one is probably its solution.
pub fn grids_in(alphabet: &DrawingAlphabet, text: &str) -> Vec<DrawnLine> {
    let mut grids = Vec::new();
    if text.len() <= MAX_SIDE {
        return grids;
    }
    for word in text.split(is_end_of_word).filter(|word| word.len() > MAX_SIDE) {
        let is_full = || word.chars().all(|it| alphabet.value(it) > Some(0));
        match (side_of_grid(alphabet, word), grids.last()) {
            (None, _) => {
                let is_damaged = is_nearly_a_grid(alphabet, word);
                let row = RowLine::new(word, RowKind::Row);
                let row = DrawnLine::Row(RowLine { is_damaged_grid: true, ..row });
                grids.extend(is_damaged.then_some(row));
            }
            (_, Some(DrawnLine::Row(_))) if is_full() => {}
            (Some(side), _) => grids.push(DrawnLine::grid(side, word)),
        }
    }
    grids
}

/// Returns the side for a word of the cells of a grid.
fn side_of_grid(alphabet: &DrawingAlphabet, word: &str) -> Option<usize> {
    alphabet.side_of_cells(word.len()).filter(|&side| are_cells(alphabet, word, side))
}

fn is_end_of_word(symbol: char) -> bool {
    symbol.is_whitespace() || "\"'/=&?#,;:|[](){}<>".contains(symbol)
}

/// Returns true for blank cells and digits of a puzzle of `side`, with one digit or more.
fn are_cells(alphabet: &DrawingAlphabet, word: &str, side: usize) -> bool {
    let values = || word.chars().map(|it| alphabet.value(it));
    values().all(|value| value.is_some_and(|it| it <= side)) && values().any(|it| it > Some(0))
}

/// Returns true for a word of about as many cells as a puzzle has, with a digit. One symbol in ten
/// can be a wrong one, such as a letter, or belong to a word that is joined with the cells. If one in
/// three is blank, any symbol can be a wrong one, and the digits can be those of any size.
fn is_nearly_a_grid(alphabet: &DrawingAlphabet, word: &str) -> bool {
    if word.len() <= MAX_SIDE {
        return false;
    }
    let is_blank = |it: &char| alphabet.value(*it) == Some(0);
    let blank = most_common(word.chars().filter(is_blank));
    let blanks = word.matches(blank).count();
    let has_gaps = 3 * blanks >= word.len();
    if has_gaps && !are_gaps_of_grid(word, blank) {
        return false;
    }
    let side = if has_gaps { MAX_SIDE } else { nearest_side(word.len()) };
    let is_cell = |it: char| alphabet.value(it).is_some_and(|it| it <= side);
    let can_be_wrong =
        |it: char| has_gaps || it.is_ascii_alphanumeric() || alphabet.value(it).is_some();
    let wrong = word.chars().filter(|&it| !is_cell(it)).count();
    10 * wrong <= word.len()
        && word.chars().all(|it| is_cell(it) || can_be_wrong(it))
        && word.chars().any(|it| alphabet.value(it) > Some(0))
}

/// Returns 0 as a character if there is none.
fn most_common(symbols: impl Iterator<Item = char>) -> char {
    let mut counts: Vec<(char, usize)> = Vec::new();
    for symbol in symbols {
        match counts.iter_mut().find(|(known, _)| *known == symbol) {
            Some((_, count)) => *count += 1,
            None => counts.push((symbol, 1)),
        }
    }
    counts.into_iter().max_by_key(|(_, count)| *count).unwrap_or_default().0
}

/// Returns true for a word with three runs of blank cells or more, one in 16 symbols, some of which
/// have two cells or more. The dots of a table of contents are one run, and those of an identifier
/// such as `1.3.6.1.4` are single.
fn are_gaps_of_grid(word: &str, blank: char) -> bool {
    let (mut runs, mut is_beside_blank, mut has_two) = (0, false, false);
    for symbol in word.chars() {
        let is_blank = symbol == blank;
        runs += usize::from(is_blank && !is_beside_blank);
        has_two |= is_blank && is_beside_blank;
        is_beside_blank = is_blank;
    }
    has_two && runs >= 3 && 16 * runs >= word.len()
}

/// Returns the end of a label such as `Row 1:`, unless the line ends with its colon.
fn end_of_label(text: &str) -> Option<usize> {
    let colon = text.rfind(':').filter(|_| !text.trim_end().ends_with(':'))?;
    text[..colon].contains(|it: char| it.is_ascii_alphabetic()).then_some(colon + 1)
}

/// Returns the parts of a line between its words: letters that are not all equal, of which at least
/// two are no symbols of a row of this width. `123456789` and `1zz4` are no words. No row has more
/// than 25 symbols, so the letters of a longer line are text, unless it has a part of a grid.
fn beside_words(alphabet: &DrawingAlphabet, text: &str) -> Vec<Range<usize>> {
    let is_cell = |it: char| alphabet.value(it).is_some_and(|digit| digit < 10);
    let is_part = |word: &str| word.len() >= MIN_PART && word.chars().all(is_cell);
    let width = match alphabet.width(text) {
        width if width <= MAX_SIDE => width,
        _ if text.split(is_end_of_word).any(is_part) => MAX_SIDE,
        _ => 9,
    };
    let is_symbol = |it: char| alphabet.value(it).is_some_and(|digit| digit <= width);
    let is_word = |letters: &str| {
        letters.chars().any(|it| !letters.starts_with(it))
            && letters.chars().filter(|&it| !is_symbol(it)).count() >= 2
    };
    let (mut parts, mut begin, mut word) = (Vec::new(), 0, 0);
    for letters in text.split_inclusive(|it: char| !it.is_alphabetic()) {
        let length = letters.trim_end_matches(|it: char| !it.is_alphabetic()).len();
        if is_word(&letters[..length]) {
            parts.push(begin..word);
            begin = word + length;
        }
        word += letters.len();
    }
    parts.push(begin..text.len());
    parts
}

/// Returns how a line of one word is read; `None` for text. It is a row if it has blank cells, as
/// in `QR..`, and text if it has letters in both cases, a digit, or a character outside ASCII. If
/// records include a layout, it is text only with both cases and a digit, because `Keep` can be a
/// row of labels.
fn kind_of_word(alphabet: &DrawingAlphabet, word: &str) -> Option<RowKind> {
    let has = |is_kind: fn(&char) -> bool| word.contains(|it| is_kind(&it));
    let in_both_cases = has(char::is_ascii_uppercase) && has(char::is_ascii_lowercase);
    let has_digit = has(char::is_ascii_digit);
    let (is_text, kind) = match word.matches(['.', '_', '*']).count() {
        2.. => (false, RowKind::Row),
        _ if alphabet.fields.regions => (in_both_cases && has_digit, RowKind::Row),
        _ => (in_both_cases || has_digit || !word.is_ascii(), RowKind::Word),
    };
    (!is_text).then_some(kind)
}
