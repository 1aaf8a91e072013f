//! The ways to read the cells of rows, in the order in which they are tried. Each returns `None` if
//! the rows cannot be read in this way; `run.rs` checks that they are grids.

use std::collections::BTreeSet;

use super::line::{DrawingAlphabet, MAX_ROW_SYMBOLS, RowKind, RowLine, blanked, side_of_cells};
use super::run::box_rows;
use crate::rules::MAX_SIDE;
use crate::text::one_line;

/// A row of cells, each as it is written: a symbol, a number, candidates, or nothing.
#[derive(Clone, Debug)]
pub struct Row {
    /// The number of lines before it in the source.
    pub number: i64,
    pub cells: Vec<String>,
}

impl Row {
    fn new(line: &RowLine, cells: impl Iterator<Item = impl Into<String>>) -> Row {
        Row { number: line.number, cells: cells.map(Into::into).collect() }
    }

    pub fn width(&self) -> usize {
        self.cells.len()
    }
}

const MAX_CELLS: usize = 64;
/// Fewer bars than this are not the sides of cells.
const MIN_BARS: usize = 4;

pub type Way = fn(&DrawingAlphabet, &[RowLine]) -> Option<Vec<Row>>;

pub const WAYS: [Way; 9] = [
    by_fields,
    by_characters,
    one_cell_a_line,
    by_symbols,
    without_borders,
    without_border_columns,
    by_bars,
    by_words,
    by_columns,
];

/// Fields between commas. An empty field is a blank cell. A comma at the end of every row makes no
/// cell, unless most rows have exactly 8 commas. An empty field at both ends of every row can be
/// one or the other, so such rows are not read.
fn by_fields(_: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    (has_commas(lines) && !have_empty_sides(lines)).then_some(())?;
    let mut rows = rows_of_fields(lines);
    let common = most_common_width(&rows);
    let ends_in_comma = |row: &Row| row.cells.last().is_some_and(String::is_empty);
    let begins_with_comma = |row: &Row| row.cells[0].is_empty();
    let all =
        |is_kind: fn(&Row) -> bool| rows.iter().filter(|row| row.width() == common).all(is_kind);
    let all_end = all(ends_in_comma);
    // Rows of 9 cells beside an empty column of a sheet.
    let all_begin = common == 10 && !lines.len().is_multiple_of(10) && all(begins_with_comma);
    let width = common - usize::from((all_end && common != 9) || all_begin);
    for row in rows.iter_mut().filter(|row| all_begin && row.width() == common) {
        row.cells.remove(0);
    }
    for row in rows.iter_mut().filter(|row| row.width() == width + 1 && ends_in_comma(row)) {
        row.cells.pop();
    }
    Some(without_separators(&rows, width).unwrap_or(rows))
}

fn rows_of_fields(lines: &[RowLine]) -> Vec<Row> {
    let cells =
        |line: &RowLine| Row::new(line, line.text.split([',', ';']).take(MAX_CELLS).map(str::trim));
    lines.iter().map(cells).collect()
}

/// Returns true if the first and the last field of all rows are empty, and the rows are not 9
/// cells wide, so that one of these fields is no cell.
pub fn have_empty_sides(lines: &[RowLine]) -> bool {
    let rows = rows_of_fields(lines);
    let common = most_common_width(&rows);
    let are_empty = |row: &Row| row.cells[0].is_empty() && row.cells[common - 1].is_empty();
    let mut usual = rows.iter().filter(|row| row.width() == common);
    common > 4 && common != 9 && usual.all(are_empty)
}

/// Returns the rows without those that separate grids or bands: one or two rows of blank cells
/// between them, which can also be above and below all others. Returns `None` if there are none,
/// or if several rows can be the separators.
fn without_separators(rows: &[Row], side: usize) -> Option<Vec<Row>> {
    let is_blank = |at: &usize| rows[*at].cells.iter().all(String::is_empty);
    let mut found = BTreeSet::new();
    let boxes = box_rows(side);
    let all = [(side, 1), (side, 2), (boxes, 1), (boxes, 2)];
    // Of whole grids, blank rows between bands are more likely rows of the grids.
    let likely = if rows.len().is_multiple_of(side) { &all[..1] } else { &all };
    for &(height, count) in likely {
        for above in 0..=count {
            let (period, first) = (height + count, height + count - above);
            let separators: Vec<usize> =
                (0..rows.len()).filter(|at| (at + first) % period >= height).collect();
            let cells = rows.len() - separators.len();
            if cells > 0 && cells.is_multiple_of(side) && separators.iter().all(is_blank) {
                found.insert(separators);
            }
        }
    }
    let separators = found.pop_first().filter(|it| found.is_empty() && !it.is_empty())?;
    let kept = (0..rows.len()).filter(|at| !separators.contains(at));
    Some(kept.map(|at| rows[at].clone()).collect())
}

/// N lines of N characters, in which a comma is a blank cell.
fn by_characters(_: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let is_square = |line: &RowLine| line.text.trim_end().len() == lines.len();
    if !has_commas(lines) || !lines.iter().all(is_square) {
        return None;
    }
    let cell = |it: char| if it == ',' { String::new() } else { it.to_string() };
    let row = |line: &RowLine| Row::new(line, line.text.trim_end().chars().map(cell));
    Some(lines.iter().map(row).collect())
}

/// N² lines of one symbol.
fn one_cell_a_line(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let side = side_of_cells(lines.len())?;
    let cell = |line: &RowLine| {
        let mut symbols = alphabet.symbols(&line.text);
        symbols.next().filter(|_| symbols.next().is_none()).map(String::from)
    };
    let cells: Vec<String> = lines.iter().map(cell).collect::<Option<_>>()?;
    let rows = lines.iter().step_by(side).zip(cells.chunks(side));
    Some(rows.map(|(line, cells)| Row::new(line, cells.iter().cloned())).collect())
}

/// Every symbol is a cell. Lines without symbols are dropped.
pub fn by_symbols(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    Some(lines.iter().filter_map(|line| row_of_symbols(alphabet, line)).collect())
}

pub fn row_of_symbols(alphabet: &DrawingAlphabet, line: &RowLine) -> Option<Row> {
    let cells = match line.kind {
        RowKind::InnerCr => vec![line.text.replace([' ', '\t', '|', '+'], "")],
        _ => symbols_or_numbers(alphabet, &line.text),
    };
    (!cells.is_empty()).then_some(Row { number: line.number, cells })
}

/// Returns the symbols of a row, or its numbers if one of them has two digits. If all cells have
/// two symbols, they could also be parts of a row, as in `12 34 56`: they are numbers only if such
/// a row would be wider than that of any puzzle.
fn symbols_or_numbers(alphabet: &DrawingAlphabet, text: &str) -> Vec<String> {
    let words: Vec<&str> = words(text).take(MAX_CELLS).collect();
    let pairs = words.iter().filter(|word| word.len() == 2).count();
    let side = words.len();
    let are_numbers =
        (10..=MAX_SIDE).contains(&side) && pairs > 0 && (pairs < side || 2 * side > MAX_SIDE) && {
            let cells: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
            one_line::read_cells(&cells, side, &alphabet.digits).is_some()
        };
    match are_numbers {
        true => words.into_iter().map(String::from).collect(),
        false => {
            let mut symbols = alphabet.symbols(text);
            let mut cells: Vec<_> = symbols.by_ref().take(MAX_CELLS).map(String::from).collect();
            // The symbols beyond those of the longest row are shown together.
            if let Some(last) = cells.last_mut() {
                last.extend(symbols.take(MAX_ROW_SYMBOLS - MAX_CELLS));
            }
            cells
        }
    }
}

/// As `by_symbols`, but lines of one repeated symbol, such as `- - - -` and `*****`, are borders.
fn without_borders(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let mut rows = by_symbols(alphabet, lines)?;
    let before = rows.len();
    let is_border = |cells: &[String]| {
        let mut symbols = cells.iter().flat_map(|cell| cell.chars());
        let first = symbols.next().filter(|it| "-=_*#~".contains(*it));
        first.is_some_and(|first| symbols.all(|it| it == first))
    };
    rows.retain(|row| !is_border(&row.cells));
    let is_even = rows.iter().all(|row| row.width() == rows[0].width());
    (rows.len() < before && is_even && !rows.is_empty()).then_some(rows)
}

/// As `without_borders`, also without symbols that are in the same columns of all rows and nowhere
/// else.
fn without_border_columns(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let mut rows = without_borders(alphabet, lines).or_else(|| by_symbols(alphabet, lines))?;
    let width = rows.first()?.width();
    if rows.iter().any(|row| row.width() != width) {
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
fn by_bars(_: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let split = |line: &RowLine| -> Option<Row> {
        let parts: Vec<&str> = line.text.split('|').take(MAX_CELLS).map(str::trim).collect();
        let cells = parts.get(1..parts.len() - 1).filter(|_| parts.len() > MIN_BARS)?;
        let are_cells = cells.iter().all(|cell| !cell.contains(char::is_whitespace));
        are_cells.then(|| Row::new(line, cells.iter().copied()))
    };
    lines.iter().map(split).collect()
}

/// Words, which are numbers or candidates.
fn by_words(_: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let row = |line: &RowLine| Row::new(line, words(&line.text).take(MAX_CELLS));
    Some(lines.iter().map(row).collect())
}

/// A space is a blank cell. The cells are the N columns in which some row has a symbol, or the N
/// characters of a row that is in quotes or exactly as wide. Bars must be in line in all rows.
fn by_columns(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let side = lines.len();
    if side > MAX_SIDE || has_commas(lines) {
        return None;
    }
    let texts: Vec<Vec<char>> = lines
        .iter()
        .map(|line| line.text.trim_end().chars().take(8 * MAX_CELLS).collect())
        .collect();
    let bars = |text: &[char]| -> Vec<usize> {
        (0..text.len()).filter(|&column| text[column] == '|').collect()
    };
    let has_bars = texts[0].contains(&'|');
    let are_in_line = texts.iter().all(|text| bars(text) == bars(&texts[0]));
    let is_cell = |&it: &char| it != ' ' && it != '|';
    let cells = || texts.iter().flatten().copied().filter(is_cell);
    // With another blank symbol, spaces are only between cells.
    let has_blanks = cells().any(|it| alphabet.value(it) == Some(0) || it == '-');
    let spaced = lines.iter().filter(|line| line.text.trim_matches('|').trim_end().contains(' '));
    if has_blanks || !are_in_line || 2 * spaced.count() < side {
        return None;
    }
    let width = texts.iter().map(Vec::len).max()?;
    let is_used = |&column: &usize| texts.iter().any(|text| text.get(column).is_some_and(is_cell));
    let mut columns: Vec<usize> = (0..width).filter(is_used).collect();
    if columns.len() != side {
        let all_quoted = lines.iter().all(|line| line.is_quoted);
        if !all_quoted && (width != side || has_bars) {
            return None;
        }
        columns = (0..side).collect();
    }
    let cell = |text: &Vec<char>, column: usize| {
        text.get(column).filter(|it| is_cell(it)).map_or(String::new(), char::to_string)
    };
    let row = |(line, text)| Row::new(line, columns.iter().map(|&it| cell(text, it)));
    Some(lines.iter().zip(&texts).map(row).collect())
}

/// Returns the lines without the labels 1, 2, 3 or A, B, C before them.
pub fn without_labels(lines: &[RowLine]) -> Option<Vec<RowLine>> {
    let first = *lines.first()?.text.trim_start().as_bytes().first()?;
    let label = |index: usize| match first {
        b'A' | b'a' => char::from(first + (index % 26) as u8).to_string(),
        _ => (index + 1).to_string(),
    };
    let unlabelled = |(index, line): (usize, &RowLine)| {
        let text = &line.text;
        let start = text.len() - text.trim_start().len();
        let end = start + text[start..].find([' ', '|', '*', ','])?;
        let is_label = text[start..end] == label(index);
        let comma = usize::from(text[end..].starts_with(','));
        is_label.then(|| RowLine { text: blanked(text, start, end + comma), ..line.clone() })
    };
    lines.iter().enumerate().map(unlabelled).collect()
}

pub fn has_commas(lines: &[RowLine]) -> bool {
    lines.iter().any(|line| line.text.contains([',', ';']))
}

/// Returns the words of a row: texts without blanks and borders between them.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split(|it: char| it.is_whitespace() || it == '|' || it == '+');
    parts.filter(|part| !part.is_empty())
}

pub fn most_common_width(rows: &[Row]) -> usize {
    most_common(rows.iter().map(Row::width))
}

/// Returns the most common number from 1 to `MAX_SIDE`, and the largest of equally common ones. If
/// none is from 1 to `MAX_SIDE`, returns the largest number, or 0 if there are none.
pub fn most_common(numbers: impl Iterator<Item = usize>) -> usize {
    let mut counts = [0; MAX_SIDE + 1];
    let mut largest = 0;
    for number in numbers {
        largest = largest.max(number);
        if let Some(count) = counts.get_mut(number) {
            *count += 1;
        }
    }
    let common = (1..=MAX_SIDE).max_by_key(|&number| (counts[number], number));
    common.filter(|&number| counts[number] > 0).unwrap_or(largest)
}
