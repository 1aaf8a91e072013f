//! Tells rows from text: whole grids within text, labels, titles, rows with words beside them.

use std::cmp::Reverse;
use std::ops::Range;

use super::line::{DrawingAlphabet, DrawnLine, RowKind, RowLine, blanked, fields, side_of_cells};
use crate::rules::MAX_SIDE;

/// Text with fewer symbols than this beside its words is no row.
const MIN_ROW: usize = 4;
/// Rows with this many bars are rows although they have few symbols.
const MIN_BARS: usize = 5;

pub fn parse(alphabet: &DrawingAlphabet, text: &str, is_quoted: bool) -> DrawnLine {
    if alphabet.is_frame(text) {
        return DrawnLine::Frame;
    }
    if let Some(cells) = whole_grid(alphabet, text, is_quoted) {
        return DrawnLine::Grid(cells);
    }
    let row =
        |text: String, kind| DrawnLine::Row(RowLine { is_quoted, ..RowLine::new(text, kind) });
    let word = text.trim();
    if alphabet.is_status(word) {
        return DrawnLine::Text;
    }
    if is_rating(alphabet, text) {
        return DrawnLine::Text;
    }
    let width = alphabet.width(text);
    let is_one_word = !word.contains([' ', ',']);
    let has_letters = word.contains(char::is_alphabetic);
    if is_one_word && has_letters && width > MAX_SIDE {
        return DrawnLine::Text;
    }
    let mut text = text.to_string();
    if let Some(end) = end_of_label(&text) {
        text = blanked(&text, 0, end);
        if alphabet.width(&text) < MIN_ROW {
            return DrawnLine::Text;
        }
    }
    let words = words_of(alphabet, &text);
    if words.is_empty() {
        return row(text, RowKind::Row);
    }
    if is_one_word && width == alphabet.width(&text) {
        match kind_of_word(alphabet, word) {
            Some(kind) => return row(text, kind),
            None => return DrawnLine::Text,
        }
    }
    beside_words(alphabet, &text, &words, is_quoted)
}

/// Returns true for words with a `/` between two digits, as in `SE 7.2/1.2/1.2`.
fn is_rating(alphabet: &DrawingAlphabet, text: &str) -> bool {
    let is_ratio = |it: &[u8]| it[0].is_ascii_digit() && it[1] == b'/' && it[2].is_ascii_digit();
    alphabet.is_separator('/')
        && text.as_bytes().windows(3).any(is_ratio)
        && !words_of(alphabet, text).is_empty()
}

/// Returns the part of a line beside its words, as a row that needs a row of its width beside it.
fn beside_words(
    alphabet: &DrawingAlphabet,
    text: &str,
    words: &[Range<usize>],
    is_quoted: bool,
) -> DrawnLine {
    let begins = std::iter::once(0).chain(words.iter().map(|word| word.end));
    let ends = words.iter().map(|word| word.start).chain([text.len()]);
    // The first one of equally wide parts.
    let width = |begin: usize, end: usize| alphabet.width(&text[begin..end]);
    let widest = begins.zip(ends).max_by_key(|&(begin, end)| (width(begin, end), Reverse(begin)));
    let (begin, end) = widest.expect("there is a part before the first word");
    let text = match width(begin, end) {
        MIN_ROW.. => blanked(&text[..end], 0, begin),
        _ if text.matches('|').count() >= MIN_BARS && text[begin..end].contains('|') => {
            blanked(text, 0, begin)
        }
        _ => return DrawnLine::Text,
    };
    DrawnLine::Row(RowLine { is_quoted, ..RowLine::new(text, RowKind::Worded) })
}

/// Decides what lines with words are, and changes those that are text: a line is a row if it has
/// the width of the next one, and the last one that of the row `below`. Words of letters are also
/// rows if there are two of one width.
pub fn decide(alphabet: &DrawingAlphabet, lines: &mut [(i64, DrawnLine)], below: Option<&RowLine>) {
    let mut below = below;
    for (_, line) in lines.iter_mut().rev() {
        let DrawnLine::Row(row) = line else { continue };
        let kind = row.kind;
        if below.is_some_and(|below| are_alike(alphabet, row, below)) {
            row.kind = RowKind::Row;
            below = Some(row);
        } else {
            below = None;
            match kind {
                RowKind::Worded => *line = DrawnLine::Text,
                RowKind::Empty => *line = DrawnLine::Blank,
                _ => {}
            }
        }
    }
    let mut last_width = 0;
    for index in 0..lines.len() {
        let DrawnLine::Row(row) = &lines[index].1 else { continue };
        let width = alphabet.width(&row.text);
        let is_next_alike = matches!(lines.get(index + 1), Some((_, DrawnLine::Row(next)))
            if alphabet.width(&next.text) == width);
        if row.kind == RowKind::Word && width != last_width && !is_next_alike {
            lines[index].1 = DrawnLine::Text;
        }
        last_width = width;
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

/// Returns the cells of a whole grid of 36 cells or more: a word, N² fields, N words of N symbols,
/// or a quoted text of digits and spaces.
fn whole_grid(alphabet: &DrawingAlphabet, text: &str, is_quoted: bool) -> Option<Vec<String>> {
    let is_end = |it: char| it.is_whitespace() || "\"'/=&?#,;:|[](){}<>".contains(it);
    let is_grid = |word: &&str| {
        side_of_cells(word.len()).is_some_and(|side| {
            let mut values = word.chars().map(|it| alphabet.value(it));
            values.all(|value| value.is_some_and(|it| it <= side))
                && word.chars().any(|it| alphabet.value(it) > Some(0))
        })
    };
    let cells = |text: &str| Some(text.chars().map(String::from).collect());
    if let Some(word) = text.split(is_end).find(is_grid) {
        return cells(word);
    }
    let is_blank_or_digit = |it: char| it == ' ' || ('1'..='9').contains(&it);
    if is_quoted && side_of_cells(text.len()).is_some() && text.chars().all(is_blank_or_digit) {
        return cells(text);
    }
    let fields: Vec<&str> = match text.contains(',') {
        true => fields(text),
        false => text.split_whitespace().collect(),
    };
    let are_cells = side_of_cells(fields.len()).is_some() && fields.iter().all(|it| it.len() <= 2);
    are_cells.then(|| fields.iter().map(|&it| it.into()).collect())
}

/// Returns the end of a label such as `Row 1:`, unless the line ends with its colon.
fn end_of_label(text: &str) -> Option<usize> {
    let colon = text.rfind(':').filter(|_| !text.trim_end().ends_with(':'))?;
    text[..colon].contains(|it: char| it.is_ascii_alphabetic()).then_some(colon + 1)
}

/// Returns the words of a line: letters that are not all equal, of which at least two are no
/// symbols of a row of this width. `123456789` and `1zz4` have none.
fn words_of(alphabet: &DrawingAlphabet, text: &str) -> Vec<Range<usize>> {
    let width = alphabet.width(text).min(MAX_SIDE);
    let is_symbol = |it: char| alphabet.value(it).is_some_and(|digit| digit <= width);
    let is_word = |letters: &str| {
        letters.chars().any(|it| !letters.starts_with(it))
            && letters.chars().filter(|&it| !is_symbol(it)).count() >= 2
    };
    let mut words = Vec::new();
    let mut begin = 0;
    for part in text.split(|it: char| !it.is_alphabetic()) {
        if is_word(part) {
            words.push(begin..begin + part.len());
        }
        let end = begin + part.len();
        begin = end + text[end..].chars().next().map_or(0, char::len_utf8);
    }
    words
}

/// Returns how a line of one word is read; `None` for text. It is a row if it has blank cells, as
/// in `QR..`, and text if it has letters in both cases, a digit, or a character outside ASCII. If
/// records include a layout, it is text only with both cases and a digit, because `Keep` can be a
/// row of labels.
fn kind_of_word(alphabet: &DrawingAlphabet, word: &str) -> Option<RowKind> {
    let blanks = word.matches(['.', '_', '*']).count();
    let has = |is_kind: fn(&u8) -> bool| word.as_bytes().iter().any(is_kind);
    let in_both_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
    let has_digit = has(u8::is_ascii_digit);
    let is_text = in_both_cases || has_digit || !word.is_ascii();
    match (blanks, is_text) {
        (2.., _) => Some(RowKind::Row),
        _ if alphabet.fields.regions => (!in_both_cases || !has_digit).then_some(RowKind::Row),
        (_, true) => None,
        (_, false) => Some(RowKind::Word),
    }
}
