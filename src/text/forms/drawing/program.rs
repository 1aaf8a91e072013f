//! Takes the rows out of the text of a program: what is in quotes or in brackets, or what follows
//! a name. Leaders and comments are dropped.

use super::line::{
    DrawingAlphabet, DrawnLine, ListPlace, MIN_CELLS, MIN_GRID, RowKind, RowLine, blanked,
};
use super::words;
use engine::rules::MAX_SIDE;

/// A line without letters and without any of these is only its row.
const MARKS: &str = "\\\"'`=([{)]}#/";

/// Tags that can be around a row, or before it.
const TAGS_OF_ROWS: [&str; 7] = ["", "b", "br", "row", "span", "td", "tr"];

/// Parses a line without a leader that is no frame.
pub fn parse(alphabet: &DrawingAlphabet, line: &str) -> DrawnLine {
    // Most rows of a drawing have none of these.
    if !line.contains(|it: char| it.is_alphabetic() || MARKS.contains(it)) {
        return row_or_text(alphabet, line);
    }
    let line = &line.replace("\\r\\n", "\\n");
    if let Some((end, rest)) = end_of_text(line) {
        let mut parts = vec![words::parse(alphabet, end, false), DrawnLine::Text];
        add_parts(&mut parts, parse(alphabet, rest));
        return DrawnLine::Parts(parts);
    }
    let mut text = beside_only_quote(alphabet, line).unwrap_or_else(|| line.to_string());
    // The line end of a text that began on another line.
    let before = text.split_once("\\n").filter(|(_, after)| cells_of(after) == 0);
    let is_outside =
        |before: &str| !line.contains('"') && before.matches('\'').count().is_multiple_of(2);
    if let Some((before, _)) = before.filter(|(it, _)| is_outside(it) || text != *line) {
        text = before.into();
    }
    if let Some(lists) = text.contains("[[").then(|| lists_of_rows(alphabet, &text)).flatten() {
        return lists;
    }
    let quoted = quoted_texts(&text);
    if quoted.iter().any(|it| is_record(it)) {
        return parse_quoted(alphabet, &quoted, &beside(&text, &quoted));
    }
    if quoted.iter().any(|it| is_name(it)) {
        return DrawnLine::Text;
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
    let text = without_marks_of_candidates(&text);
    let has_several = text.len() > 2 * MAX_SIDE
        && text.contains(['[', '(', '{'])
        && words::grids_in(alphabet, &text).len() > 1;
    let text = if has_several { text } else { in_brackets(&text) };
    let text = text.replace(['[', ']', '(', ')', '{', '}', '\\'], " ");
    let words = || text.split([' ', ',', ';']).filter(|word| !word.is_empty());
    let is_list = line.contains(char::is_alphabetic) && words().next().is_some();
    if is_list && (words().all(is_range) || *line != text && words().all(is_variable)) {
        return DrawnLine::Text;
    }
    in_list(line, row_or_text(alphabet, &text))
}

/// A text without symbols is a row only between commas or bars.
fn row_or_text(alphabet: &DrawingAlphabet, text: &str) -> DrawnLine {
    let is_empty_row = || text.contains(',') && text.trim() != ",";
    let has_bars = || text.matches('|').nth(1).is_some();
    match alphabet.width(text) == 0 && !has_bars() && !is_empty_row() {
        true => DrawnLine::Text,
        false => words::parse(alphabet, text, false),
    }
}

/// Notes if a row is a part of a text, and if it is the first or the last one of a list of lists.
fn in_list(line: &str, parsed: DrawnLine) -> DrawnLine {
    let DrawnLine::Row(row) = parsed else { return parsed };
    let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).count();
    let is_in_text = letters(line) > letters(&row.text) || line.contains(['=', '(', '{']);
    let brackets = line.replace([' ', '\t'], "");
    let has_pair = |pairs: [&str; 3]| pairs.iter().any(|pair| brackets.contains(pair));
    let place = match (has_pair(["[[", "{{", "(("]), has_pair(["]]", "}}", "))"])) {
        (true, false) => ListPlace::First,
        (false, true) => ListPlace::Last,
        _ => ListPlace::Within,
    };
    DrawnLine::Row(RowLine { place, is_in_text, ..row })
}

/// Returns true for the comments of logic programs and TeX (`% ...`) and of SQL (`-- Name ...`),
/// and for the ends of one over several lines.
pub fn is_comment(line: &[u8]) -> bool {
    match line.trim_ascii() {
        [b'%', ..] | b"/*" | b"/**" | b"*/" => true,
        [b'-', b'-', b' ', next, ..] => next.is_ascii_alphabetic(),
        _ => false,
    }
}

/// Returns true for a command of TeX, such as `\begin{tabular}`.
pub fn is_command(line: &[u8]) -> bool {
    matches!(line.trim_ascii_start(), [b'\\', next, ..] if next.is_ascii_alphabetic())
}

/// Returns the contents of the innermost elements on a line of XML or HTML, separated by commas, as
/// `5,,3` of `<td>5</td><td/><td>3</td>`. The content of an only element is the row, and a blank
/// cell if it is empty. Returns an empty text if the line has only other tags, and `None` if it
/// does not consist of tags and their contents.
pub fn without_tags(line: &str) -> Option<String> {
    let inner = line.trim().strip_prefix('<')?.strip_suffix('>')?;
    if inner.starts_with('?') {
        return Some(String::new());
    }
    let is_name = |it: char| it.is_ascii_alphabetic() || matches!(it, '/' | '?' | '!');
    let mut contents = Vec::new();
    // The text after an opening tag, until a closing one follows.
    let mut open: Option<&str> = None;
    for part in inner.split('<') {
        let (tag, text) = part.split_once('>').unwrap_or((part, ""));
        tag.starts_with(is_name).then_some(())?;
        match tag.starts_with('/') {
            true => contents.extend(open.take()),
            false if tag.ends_with('/') => contents.push(""),
            false => {
                contents.extend(open.take().filter(|it| can_be_unclosed(it)));
                // Spaces can be cells of a grid.
                open = Some(if text.len() >= MIN_GRID * MIN_GRID { text } else { text.trim() });
            }
        }
    }
    contents.extend(open.filter(|it| can_be_unclosed(it)));
    // The cells can be in attributes.
    if line.contains(['"', '\'']) && contents.iter().all(|it| it.is_empty()) {
        return None;
    }
    match contents[..] {
        [] => Some(String::new()),
        [""] => Some(".".into()),
        _ => Some(contents.join(",")),
    }
}

/// Returns true for the content of an element without an end that can be a puzzle: one long word.
fn can_be_unclosed(content: &str) -> bool {
    content.len() >= words::MIN_PART && !content.contains(char::is_whitespace)
}

/// Parses a line on which the content of an element begins or ends: `<puzzle>53..7....`, and
/// `....8..79</puzzle>` on another line. `<br>` can be at the end. Returns `None` for other lines.
pub fn part_of_content(alphabet: &DrawingAlphabet, line: &str) -> Option<DrawnLine> {
    let text = line.trim();
    let row = ["<br>", "<br/>", "<br />"].iter().find_map(|it| text.strip_suffix(it));
    let (before, content) = after_tags(row.unwrap_or(text))?;
    let (content, after) = content.split_at(content.find("</").unwrap_or(content.len()));
    let is_end = after.is_empty() || after_tags(after)?.1.is_empty();
    let is_content = !content.trim().is_empty() && !content.contains(['<', '>']);
    let is_whole = before.is_empty() == after.is_empty();
    if !is_content || !is_end || (is_whole && row.is_none()) {
        return None;
    }
    // The elements can be rows.
    let name = [before, after].concat();
    let name = name.trim_start_matches(['<', '/']).split([' ', '>', '/']).next()?;
    let row = words::parse(alphabet, content, false);
    Some(match () {
        _ if TAGS_OF_ROWS.contains(&name) => row,
        _ if after.is_empty() => DrawnLine::Parts(vec![DrawnLine::Text, row]),
        _ => DrawnLine::Parts(vec![row, DrawnLine::Text]),
    })
}

/// Divides a line behind the tags at its beginning. Returns `None` if it has another `<` there.
fn after_tags(line: &str) -> Option<(&str, &str)> {
    let mut rest = line;
    while let Some((tag, after)) = rest.strip_prefix('<').and_then(|it| it.split_once('>')) {
        tag.starts_with(|it: char| it.is_ascii_alphabetic() || it == '/').then_some(())?;
        rest = after;
    }
    Some(line.split_at(line.len() - rest.len()))
}

/// Counts the symbols of cells, except those within names.
fn cells_of(text: &str) -> usize {
    let text = text.replace("\\n", " ");
    let words = text.split_whitespace().filter(|word| !word.contains(char::is_alphabetic));
    let is_cell = |it: &char| it.is_ascii_digit() || "._*?".contains(*it);
    words.map(|word| word.chars().filter(is_cell).count()).sum()
}

/// Returns true for the tag that begins or ends a row of a table.
pub fn is_tag_of_row(line: &str) -> bool {
    let tag = line.trim().trim_matches(['<', '/', '>']);
    matches!(tag.split_whitespace().next(), Some("tr" | "row"))
}

/// Divides a line at the quote that ends a text of other lines, if other texts in quotes follow.
fn end_of_text(line: &str) -> Option<(&str, &str)> {
    let (end, rest) = line.split_once('"')?;
    let others = rest.matches('"').count();
    (others > 0 && others % 2 == 0 && cells_of(end) >= MIN_CELLS).then_some((end, rest))
}

/// Returns a line that begins or ends a text in quotes over several lines, as in `board = r#"53..7`
/// and `...79"#;`, without the quote and what is outside of the text. The columns stay.
fn beside_only_quote(alphabet: &DrawingAlphabet, line: &str) -> Option<String> {
    let (before, after) = line.split_once('"').filter(|(_, after)| !after.contains('"'))?;
    match (cells_of(before), cells_of(after)) {
        // A grid before its end without a beginning, as in `P1=53..7....`.
        (0, _) if !words::grids_in(alphabet, before).is_empty() => None,
        (0, _) => Some(blanked(line, 0, before.len() + 1)),
        (_, 0) => Some(before.into()),
        _ => None,
    }
}

/// Returns the line without the leader of a comment in a program: `//`, or `*` before a drawing.
pub fn without_leader(line: String) -> String {
    let rest = line.trim_start();
    let start = line.len() - rest.len();
    let is_starred = rest
        .strip_prefix('*')
        .map(str::trim_start)
        .is_some_and(|after| after.starts_with(['|', '+', '[']) || after.starts_with("--"));
    let is_table = rest.starts_with("*-") && rest.ends_with('*');
    match rest {
        _ if rest.starts_with("//") => {
            let mark = rest.len() - rest.trim_start_matches(['/', '!']).len();
            blanked(&line, start, start + mark)
        }
        _ if is_starred && !is_table => blanked(&line, start, start + 1),
        _ => line,
    }
}

fn quoted_texts(mut text: &str) -> Vec<&str> {
    let mut all = Vec::new();
    while let Some(begin) = text.find(['"', '\'', '`']) {
        let (quote, rest) = text[begin..].split_at(1);
        let quoted = rest.split_once(quote);
        all.extend(quoted.map(|(quoted, _)| quoted));
        text = quoted.map_or(rest, |(_, rest)| rest);
    }
    all
}

/// Returns what is outside of the quoted texts of a line.
fn beside(line: &str, quoted: &[&str]) -> String {
    let mut rest = line;
    let mut outside = String::new();
    for text in quoted {
        let begin = text.as_ptr().addr() - rest.as_ptr().addr();
        outside.extend([&rest[..begin - 1], " "]);
        rest = &rest[begin + text.len() + 1..];
    }
    outside + rest
}

/// Returns true for a text in quotes that can be a row or a grid. Shorter ones are cells or names.
fn is_record(quoted: &str) -> bool {
    quoted.len() >= MIN_CELLS
}

fn is_name(quoted: &str) -> bool {
    quoted.len() >= MIN_CELLS - 1 && quoted.chars().all(char::is_alphabetic)
}

/// Parses each record in quotes as a line, and the grids on one line beside them.
fn parse_quoted(alphabet: &DrawingAlphabet, quoted: &[&str], beside: &str) -> DrawnLine {
    let mut parts = words::grids_in(alphabet, beside);
    for text in quoted.iter().filter(|it| is_record(it)) {
        if let Some(grid) = list_of_rows(alphabet, text) {
            parts.push(grid);
            continue;
        }
        let text = text.strip_suffix("\\n").unwrap_or(text);
        let is_block = text.contains("\\n");
        // Text separates such a block from the rows around it.
        parts.extend(is_block.then_some(DrawnLine::Text));
        for line in text.split("\\n") {
            match line.trim().is_empty() && is_block {
                true => parts.push(DrawnLine::Blank),
                false => add_parts(&mut parts, words::parse(alphabet, line, true)),
            }
        }
        parts.extend(is_block.then_some(DrawnLine::Text));
    }
    match parts.len() {
        1 => parts.remove(0),
        _ => DrawnLine::Parts(parts),
    }
}

/// Returns the cells after the last quote of a line that is not closed, at least as many as a part
/// of a grid has, with nothing but marks of lists beside them, and what is before the quote.
pub fn unclosed_cells(line: &str) -> Option<(&str, &str)> {
    let mut begin = 0;
    let unclosed = loop {
        let at = begin + line[begin..].find(['"', '\'', '`'])?;
        let rest = &line[at + 1..];
        match rest.find(line[at..].chars().next()?) {
            Some(end) => begin = at + end + 2,
            None => break at,
        }
    };
    let cells = line[unclosed + 1..].trim_end();
    let is_cell = |it: char| it.is_ascii_digit() || "._*?".contains(it);
    let count = cells.chars().filter(|it| is_cell(*it)).count();
    let are_cells = cells.chars().all(|it| is_cell(it) || "[], ".contains(it));
    (count >= words::MIN_PART && are_cells).then(|| (&line[..unclosed], cells))
}

/// Reads several lists of rows on one line; `None` for other lines. The last one can be cut.
fn lists_of_rows(alphabet: &DrawingAlphabet, line: &str) -> Option<DrawnLine> {
    let text = line.replace([' ', '\t'], "");
    let lists = text.split("[[").skip(1).map(|it| it.split("]]").next().unwrap_or_default());
    let lists: Vec<&str> = lists.collect();
    let [whole @ .., last] = &lists[..] else { return None };
    let are_lists = !whole.is_empty()
        && whole.iter().all(|it| cells_of(it) >= MIN_GRID * MIN_GRID)
        && cells_of(last) >= words::MIN_PART;
    let read = |list: &&str| {
        let cells = list.replace(['[', ']'], "");
        let cells = cells.trim_matches(',');
        let damaged = || RowLine { is_damaged_grid: true, ..RowLine::new(cells, RowKind::Row) };
        DrawnLine::read_grid(alphabet, cells).unwrap_or_else(|| DrawnLine::Row(damaged()))
    };
    are_lists.then(|| DrawnLine::Parts(lists.iter().map(read).collect()))
}

fn add_parts(parts: &mut Vec<DrawnLine>, line: DrawnLine) {
    match line {
        DrawnLine::Parts(others) => parts.extend(others),
        line => parts.push(line),
    }
}

/// Reads a list of lists of cells. Empty lists in it are no rows.
fn list_of_rows(alphabet: &DrawingAlphabet, text: &str) -> Option<DrawnLine> {
    let list = text.trim().strip_prefix("[[")?.replace(['[', ']', ' '], "");
    DrawnLine::read_grid(alphabet, list.trim_end_matches(','))
}

/// Removes a comment after a row: ` # ...`, ` #a...`, ` //...`.
fn remove_comment(text: &mut String) {
    let is_comment = |text: &str| {
        let is_first = |it: char| it == ' ' || it.is_ascii_alphabetic();
        text.starts_with("//") || text.strip_prefix('#').is_some_and(|it| it.starts_with(is_first))
    };
    let row = text.len() - text.trim_start().len();
    let mut blanks = text[row..].match_indices(' ').map(|(at, _)| row + at + 1);
    if let Some(at) = blanks.find(|&at| is_comment(&text[at..])) {
        text.truncate(at);
    }
}

/// Returns true for a name and a number, or several, as in `ED=7.2/1.2/1.2` and `t = 12.5s`. A name
/// with a digit can be that of a row, as in `r1=530070000`.
fn is_note(text: &str) -> bool {
    let Some((name, value)) = text.split_once('=') else { return false };
    let is_name = name.contains(|it: char| it.is_ascii_alphabetic())
        && !name.contains(|it: char| it.is_ascii_digit());
    if is_name && is_range(value.trim().trim_end_matches(';')) {
        return true;
    }
    let (value, rest) = value.trim().split_once(' ').unwrap_or((value.trim(), ""));
    let number = value.trim_end_matches(|it: char| it.is_alphabetic() || it == '%' || it == ';');
    let is_digits = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_digit());
    let is_number = |it: &str| it.splitn(3, '.').all(is_digits) && it.matches('.').count() < 2;
    is_name
        && number.len() <= MAX_SIDE
        && number.split('/').all(is_number)
        && (rest.trim().is_empty() || rest.contains('='))
}

/// As `E11` and `X1_2`.
fn is_variable(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_alphabetic())
        && word.ends_with(|it: char| it.is_ascii_digit())
        && word.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_')
}

/// As in `1..9` and `1..n`.
fn is_range(text: &str) -> bool {
    let is_end = |it: &str| !it.is_empty() && it.bytes().all(|it| it.is_ascii_alphanumeric());
    text.split_once("..").is_some_and(|(first, last)| is_end(first) && is_end(last))
}

/// Names before `=` are, for example, `int board[9][9]`.
fn remove_names(text: &mut String) {
    while let Some((name, _)) = text.split_once('=') {
        let is_name = name.contains(|it: char| it.is_ascii_alphabetic());
        // As in `array[1..9, 1..9] of int: x`.
        let words = name.split([' ', ',', '[', ']', ':']).filter(|word| !is_range(word));
        let is_cell = |it: &char| it.is_ascii_digit() || *it == '.';
        let cells: usize = words.map(|word| word.chars().filter(is_cell).count()).sum();
        if !is_name || cells >= 4 || text.contains("://") {
            return;
        }
        *text = blanked(text, 0, name.len() + 1);
    }
}

/// Returns a text with `369` in place of `(3)69`: a candidate that a person has marked, among
/// others of its cell. The columns behind it stay.
fn without_marks_of_candidates(text: &str) -> String {
    let is_end = |it: char| matches!(it, ' ' | '|');
    let is_marked = |word: &str| {
        let (before, rest) = word.split_once('(').unwrap_or_default();
        let (inner, after) = rest.split_once(')').unwrap_or_default();
        let are_digits = |it: &str| it.bytes().all(|it| it.is_ascii_digit());
        !inner.is_empty()
            && before.len() + after.len() > 0
            && [before, inner, after].into_iter().all(are_digits)
    };
    let words = text.split_inclusive(is_end).map(|part| {
        let word = part.trim_end_matches(is_end);
        match is_marked(word) {
            true => word.replace(['(', ')'], "") + "  " + &part[word.len()..],
            false => part.to_string(),
        }
    });
    words.collect()
}

/// Returns what is in brackets, or what is outside of them if that has more cells.
fn in_brackets(text: &str) -> String {
    let first = text.find(['[', '(', '{']);
    let begin = first.unwrap_or(0);
    let last = text.rfind([']', ')', '}']);
    let end = last.filter(|&last| first.is_none() || last > begin).unwrap_or(text.len());
    let inner = blanked(&text[..end], 0, begin);
    let outer = blanked(text, begin, end);
    let is_cell = |it: &char| it.is_ascii_digit() || "._*?,".contains(*it);
    let weight = |text: &str| text.chars().filter(is_cell).count();
    if weight(&inner) >= weight(&outer) { inner } else { outer }
}
