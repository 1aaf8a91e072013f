//! Takes the rows out of the text of a program: what is in quotes or in brackets, or what follows
//! a name. Leaders and comments are dropped.

use std::borrow::Cow;

use super::line::{DrawingAlphabet, DrawnLine, blanked};
use super::words;
use crate::rules::MAX_SIDE;

/// Parses a line without a leader that is no frame.
pub fn parse(alphabet: &DrawingAlphabet, line: &str) -> DrawnLine {
    let mut text = line.to_string();
    let quoted = quoted_texts(line);
    if quoted.iter().any(|it| it.len() > 2) {
        return parse_quoted(alphabet, &quoted);
    }
    if !quoted.is_empty() {
        text = text.replace(['"', '\'', '`'], " ");
        if text.trim().is_empty() {
            return DrawnLine::Comment;
        }
    }
    remove_comment(&mut text);
    if is_note(&text) {
        return DrawnLine::Text;
    }
    remove_names(&mut text);
    let text = in_brackets(&text).replace(['[', ']', '(', ')', '{', '}', '\\'], " ");
    let has_symbols = alphabet.symbols(&text).next().is_some();
    let is_empty_row = text.contains(',') && text.trim() != ",";
    if !has_symbols && !text.contains('|') && !is_empty_row {
        return DrawnLine::Text;
    }
    words::parse(alphabet, &text, false)
}

/// Returns the line without the leader of a comment in a program: `//`, or `*` before a drawing.
pub fn without_leader(line: Cow<'_, str>) -> Cow<'_, str> {
    let start = line.len() - line.trim_start().len();
    let rest = &line[start..];
    let is_starred = rest.strip_prefix('*').is_some_and(|after| {
        let after = after.trim_start();
        after.starts_with(['|', '+', '[']) || after.starts_with("--")
    });
    let is_table = rest.starts_with("*-") && rest.ends_with('*');
    match rest {
        _ if rest.starts_with("//") => blanked(&line, start, start + 2).into(),
        _ if is_starred && !is_table => blanked(&line, start, start + 1).into(),
        _ => line,
    }
}

fn quoted_texts(text: &str) -> Vec<&str> {
    let (mut all, mut from) = (Vec::new(), 0);
    while let Some(offset) = text[from..].find(['"', '\'', '`']) {
        let begin = from + offset + 1;
        let quote = &text[begin - 1..begin];
        match text[begin..].find(quote) {
            Some(length) => {
                all.push(&text[begin..begin + length]);
                from = begin + length + 1;
            }
            None => from = begin,
        }
    }
    all
}

/// Parses each quoted text of four characters or more as a line.
fn parse_quoted(alphabet: &DrawingAlphabet, quoted: &[&str]) -> DrawnLine {
    let mut parts = Vec::new();
    for text in quoted.iter().filter(|it| it.len() > 3) {
        let lines: Vec<&str> = text.strip_suffix("\\n").unwrap_or(text).split("\\n").collect();
        let is_block = lines.len() > 1;
        // Text separates such a block from the rows around it.
        let separator = || is_block.then_some(DrawnLine::Text);
        parts.extend(separator());
        parts.extend(lines.iter().map(|line| match line.trim().is_empty() && is_block {
            true => DrawnLine::Blank,
            false => words::parse(alphabet, line, true),
        }));
        parts.extend(separator());
    }
    match parts.len() {
        1 => parts.remove(0),
        _ => DrawnLine::Parts(parts),
    }
}

/// Removes a comment after a row: ` # ...`, ` #a...`, ` //...`.
fn remove_comment(text: &mut String) {
    let starts = |(at, _): &(usize, char)| {
        let rest = &text[*at..];
        let begins = rest.starts_with("//")
            || rest.strip_prefix('#').is_some_and(|rest| {
                rest.starts_with(|it: char| it == ' ' || it.is_ascii_alphabetic())
            });
        begins && text[..*at].ends_with(' ') && !text[..*at].trim().is_empty()
    };
    if let Some((at, _)) = text.char_indices().find(starts) {
        text.truncate(at);
    }
}

/// Returns true for a name and a number, or several, as in `ED=7.2/1.2/1.2` and `t = 12.5s`. A name
/// with a digit can be that of a row, as in `r1=530070000`.
fn is_note(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else { return false };
    let has = |text: &str, is_kind: fn(&u8) -> bool| text.bytes().any(|it| is_kind(&it));
    let is_name = has(name, u8::is_ascii_alphabetic) && !has(name, u8::is_ascii_digit);
    let (value, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    let number = value.trim_end_matches(|it: char| it.is_alphabetic() || it == '%' || it == ';');
    let is_number = |it: &str| {
        it.split('.')
            .all(|digits| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()))
            && it.matches('.').count() <= 1
    };
    is_name
        && number.len() <= MAX_SIDE
        && number.split('/').all(is_number)
        && (rest.trim().is_empty() || rest.contains('='))
}

/// Names before `=` are, for example, `int board[9][9]`.
fn remove_names(text: &mut String) {
    while let Some(end) = text.find('=') {
        let name = &text[..end];
        let is_name = name.contains(|it: char| it.is_ascii_alphabetic());
        let cells = name.chars().filter(|it| it.is_ascii_digit() || *it == '.').count();
        if !is_name || cells >= 4 || text.contains("://") {
            return;
        }
        *text = blanked(text, 0, end + 1);
    }
}

/// Returns what is in brackets, or what is outside of them if that has more cells.
fn in_brackets(text: &str) -> String {
    let (first, last) = (text.find(['[', '(', '{']), text.rfind([']', ')', '}']));
    if first.is_none() && last.is_none() {
        return text.to_string();
    }
    let begin = first.unwrap_or(0);
    let end = last.filter(|&last| first.is_none_or(|first| last > first)).unwrap_or(text.len());
    let inner = blanked(&blanked(text, end, text.len()), 0, begin);
    let outer = blanked(text, begin, end);
    let weight =
        |text: &str| text.chars().filter(|it| it.is_ascii_digit() || "._*?,".contains(*it)).count();
    if weight(&inner) >= weight(&outer) { inner } else { outer }
}
