//! The ways to read the cells of rows, in the order in which they are tried. Each returns `None` if
//! the rows cannot be read in this way; `run.rs` checks that they are grids.

use super::line::{LineParser, MAX_ROW_SYMBOLS, RowKind, RowLine};
use super::program::{blanked, side_of_cells};
use crate::rules::MAX_SIDE;
use crate::text::one_line;

/// A line of a run.
#[derive(Clone, Debug)]
pub struct Line {
    /// The number of lines before it in the source.
    pub number: i64,
    pub row: RowLine,
    /// True if a border is above it.
    pub is_below_frame: bool,
}

/// A row of cells, each as it is written: a symbol, a number, candidates, or nothing.
#[derive(Clone, Debug)]
pub struct Row {
    pub number: i64,
    pub cells: Vec<String>,
}

/// At most this many cells of a row are told apart. More are in no puzzle.
const MAX_CELLS: usize = 64;
/// Fewer bars than this are not the sides of cells.
const MIN_BARS: usize = 4;

type Way = fn(&LineParser, &[&Line]) -> Option<Vec<Row>>;

/// All ways but the last.
pub const WAYS: [Way; 8] = [
    by_fields,
    by_characters,
    one_cell_a_line,
    by_symbols,
    without_borders,
    without_border_columns,
    by_bars,
    by_words,
];

/// Fields between commas. An empty field is a blank cell. A comma at the end of every row makes no
/// cell, unless the rows have exactly 8 commas each.
fn by_fields(_: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    has_commas(lines).then_some(())?;
    let split = |line: &&Line| -> Vec<String> {
        let cells = line.row.text.split([',', ';']).take(MAX_CELLS);
        cells.map(|it| it.trim().to_string()).collect()
    };
    let rows: Vec<Vec<String>> = lines.iter().map(split).collect();
    let common = super::run::most_common_width(rows.iter().map(Vec::len));
    let mut usual = rows.iter().filter(|row| row.len() == common);
    let all_end = usual.all(|row| row.last().is_some_and(String::is_empty));
    let has_extra = all_end && !(common == 9 && lines.len().is_multiple_of(9));
    let width = common - usize::from(has_extra);
    let rows = rows.into_iter().map(|mut row| {
        if row.len() == width + 1 && row.last().is_some_and(String::is_empty) {
            row.pop();
        }
        row
    });
    Some(numbered(lines, rows))
}

/// N lines of N characters, in which a comma is a blank cell.
fn by_characters(_: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let is_square = |line: &&Line| line.row.text.trim_end().len() == lines.len();
    if !has_commas(lines) || !lines.iter().all(is_square) {
        return None;
    }
    let cell = |it: char| if it == ',' { String::new() } else { it.to_string() };
    let rows = lines.iter().map(|line| line.row.text.trim_end().chars().map(cell).collect());
    Some(numbered(lines, rows))
}

/// N² lines of one symbol.
fn one_cell_a_line(parser: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let side = side_of_cells(lines.len())?;
    let cell = |line: &&Line| {
        let mut symbols = parser.symbols(&line.row.text);
        symbols.next().filter(|_| symbols.next().is_none()).map(String::from)
    };
    let cells: Vec<String> = lines.iter().map(cell).collect::<Option<_>>()?;
    let row = |(index, cells): (usize, &[String])| Row {
        number: lines[index * side].number,
        cells: cells.to_vec(),
    };
    Some(cells.chunks(side).enumerate().map(row).collect())
}

/// Every symbol is a cell. Lines without symbols are dropped.
pub fn by_symbols(parser: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let cells = |line: &Line| match line.row.kind {
        RowKind::InnerCr => vec![line.row.text.replace([' ', '\t', '|', '+'], "")],
        _ => symbols_or_numbers(parser, &line.row.text),
    };
    let rows = lines.iter().map(|line| Row { number: line.number, cells: cells(line) });
    Some(rows.filter(|row| !row.cells.is_empty()).collect())
}

/// Returns the symbols of a row, or its numbers if one of them has two digits. If all cells have two
/// symbols, they could also be parts of a row, as in `12 34 56`: they are numbers only if such a
/// row would be wider than that of any puzzle. Fewer than 10 cells need no such numbers.
fn symbols_or_numbers(parser: &LineParser, text: &str) -> Vec<String> {
    let words: Vec<&str> = words(text).take(MAX_CELLS).collect();
    let pairs = words.iter().filter(|word| word.len() == 2).count();
    let side = words.len();
    let are_numbers =
        (10..=MAX_SIDE).contains(&side) && pairs > 0 && (pairs < side || 2 * side > MAX_SIDE) && {
            let cells: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
            one_line::read_cells(&cells, side, &parser.alphabet).is_some()
        };
    match are_numbers {
        true => words.into_iter().map(String::from).collect(),
        false => {
            let mut symbols = parser.symbols(text);
            let mut cells: Vec<_> = symbols.by_ref().take(MAX_CELLS).map(String::from).collect();
            // What is more than a row can have is shown, but is not told apart.
            if let Some(last) = cells.last_mut() {
                last.extend(symbols.take(MAX_ROW_SYMBOLS - MAX_CELLS));
            }
            cells
        }
    }
}

/// As `by_symbols`, but lines of one repeated symbol, such as `- - - -` and `*****`, are borders.
fn without_borders(parser: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let mut rows = by_symbols(parser, lines)?;
    let before = rows.len();
    let is_border = |cells: &[String]| {
        let mut symbols = cells.iter().flat_map(|cell| cell.chars());
        let first = symbols.next().filter(|it| "-=_*#~".contains(*it));
        first.is_some_and(|first| symbols.all(|it| it == first))
    };
    rows.retain(|row| !is_border(&row.cells));
    let is_even = rows.iter().all(|row| row.cells.len() == rows[0].cells.len());
    (rows.len() < before && is_even && !rows.is_empty()).then_some(rows)
}

/// As `without_borders`, also without symbols that are in the same columns of all rows and nowhere
/// else.
fn without_border_columns(parser: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let mut rows = without_borders(parser, lines).or_else(|| by_symbols(parser, lines))?;
    let width = rows.first()?.cells.len();
    if rows.iter().any(|row| row.cells.len() != width) {
        return None;
    }
    let is_border = |cell: &String| {
        let is_in = |row: &Row, column: usize| row.cells[column] == *cell;
        let stays = |column| rows.iter().all(|row| is_in(row, column) == is_in(&rows[0], column));
        !cell.contains(char::is_alphanumeric) && (0..width).all(stays)
    };
    let borders: Vec<bool> = rows[0].cells.iter().map(is_border).collect();
    if !borders.contains(&true) {
        return None;
    }
    for row in &mut rows {
        let mut is_kept = borders.iter().map(|is_border| !is_border);
        row.cells.retain(|_| is_kept.next() == Some(true));
    }
    Some(rows)
}

/// Fields between bars. A field of spaces is a blank cell. Text outside the outer bars is dropped.
fn by_bars(_: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let split = |line: &&Line| -> Option<Vec<String>> {
        let parts: Vec<&str> = line.row.text.split('|').take(MAX_CELLS).collect();
        let cells = parts.get(1..parts.len() - 1).filter(|_| parts.len() > MIN_BARS)?;
        let are_cells = cells.iter().all(|cell| cell.split_whitespace().nth(1).is_none());
        are_cells.then(|| cells.iter().map(|cell| cell.trim().to_string()).collect())
    };
    let rows: Vec<Vec<String>> = lines.iter().map(split).collect::<Option<_>>()?;
    Some(numbered(lines, rows.into_iter()))
}

/// Words, which are numbers or candidates.
fn by_words(_: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let split = |line: &&Line| line.row.text.replace('|', " ");
    let texts: Vec<String> = lines.iter().map(split).collect();
    let rows = texts
        .iter()
        .map(|text| text.split_whitespace().take(MAX_CELLS).map(String::from).collect());
    Some(numbered(lines, rows))
}

/// A space is a blank cell. The cells are the N columns in which some row has a symbol, or the N
/// characters of a row that is in quotes or exactly as wide. Bars must be in line in all rows.
pub fn by_columns(parser: &LineParser, lines: &[&Line]) -> Option<Vec<Row>> {
    let side = lines.len();
    if side > MAX_SIDE || has_commas(lines) {
        return None;
    }
    let texts: Vec<Vec<char>> = lines
        .iter()
        .map(|line| line.row.text.trim_end().chars().take(8 * MAX_CELLS).collect())
        .collect();
    let bars = |text: &[char]| -> Vec<usize> {
        (0..text.len()).filter(|&column| text[column] == '|').collect()
    };
    let has_bars = texts[0].contains(&'|');
    let are_in_line = texts.iter().all(|text| bars(text) == bars(&texts[0]));
    let is_cell = |&it: &char| it != ' ' && it != '|';
    let cells = || texts.iter().flatten().copied().filter(is_cell);
    // With another blank symbol, spaces are only between cells.
    let has_blanks = cells().any(|it| parser.value(it) == Some(0) || it == '-');
    let spaced =
        lines.iter().filter(|line| line.row.text.trim_matches('|').trim_end().contains(' '));
    if has_blanks || !are_in_line || 2 * spaced.count() < side {
        return None;
    }
    let width = texts.iter().map(Vec::len).max()?;
    let is_used = |&column: &usize| texts.iter().any(|text| text.get(column).is_some_and(is_cell));
    let mut columns: Vec<usize> = (0..width).filter(is_used).collect();
    if columns.len() != side {
        let all_quoted = lines.iter().all(|line| line.row.is_quoted);
        if !all_quoted && (width != side || has_bars) {
            return None;
        }
        columns = (0..side).collect();
    }
    let cell = |text: &Vec<char>, column: usize| {
        text.get(column).filter(|it| is_cell(it)).map_or(String::new(), char::to_string)
    };
    let rows = texts.iter().map(|text| columns.iter().map(|&it| cell(text, it)).collect());
    Some(numbered(lines, rows))
}

/// Returns the lines without the labels 1, 2, 3 or A, B, C before them.
pub fn without_labels(lines: &[Line]) -> Option<Vec<Line>> {
    let mut unlabelled = Vec::new();
    for (index, line) in lines.iter().enumerate() {
        let text = &line.row.text;
        let start = text.len() - text.trim_start().len();
        let end = start + text[start..].find([' ', '|', '*'])?;
        let label = &text[start..end];
        let letter = |first: u8| char::from(first + (index % 26) as u8).to_string();
        let names = [(index + 1).to_string(), letter(b'A'), letter(b'a')];
        // All labels are of the kind of the first one.
        let kind = match lines[0].row.text.trim_start().chars().next()? {
            '1' => 0,
            'A' => 1,
            _ => 2,
        };
        if label != names[kind] {
            return None;
        }
        let row = RowLine { text: blanked(text, start, end), ..line.row.clone() };
        unlabelled.push(Line { row, ..line.clone() });
    }
    Some(unlabelled)
}

/// Returns true if a comma or semicolon is in one of the lines.
pub fn has_commas(lines: &[&Line]) -> bool {
    lines.iter().any(|line| line.row.text.contains([',', ';']))
}

/// Returns the words of a row: texts without blanks and borders between them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|it: char| it.is_whitespace() || it == '|' || it == '+');
    parts.filter(|part| !part.is_empty())
}

fn numbered(lines: &[&Line], rows: impl Iterator<Item = Vec<String>>) -> Vec<Row> {
    let rows = lines.iter().zip(rows);
    rows.map(|(line, cells)| Row { number: line.number, cells }).collect()
}
