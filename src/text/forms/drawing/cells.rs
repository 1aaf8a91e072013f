//! The ways to read the cells of rows, in the order in which they are tried. Each returns `None` if
//! the rows cannot be read in this way; `run.rs` checks that they are grids.

use std::collections::BTreeSet;
use std::mem::take;
use std::ops::Range;

use super::line::{
    DrawingAlphabet, MAX_ROW_SYMBOLS, MIN_GRID, RowKind, RowLine, blanked, box_rows,
};
use crate::text::one_line;
use engine::rules::MAX_SIDE;

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
    let (mut rows, common, [all_begin, all_end]) =
        fields_of(lines).filter(|_| !have_empty_sides(lines))?;
    // Rows of 9 cells beside an empty column of a sheet.
    let are_indented = all_begin && common == 10 && !lines.len().is_multiple_of(10);
    let width = common - usize::from((all_end && common != 9) || are_indented);
    // A row of 25 cells with a comma at its end is wider than any usual one.
    let longer = rows.iter().filter(|row| row.width() == width + 1).count();
    let have_commas_at_end = width < common || 2 * longer > rows.len();
    for row in &mut rows {
        if are_indented && row.width() == common {
            row.cells.remove(0);
        }
        if row.width() == width + 1 && have_commas_at_end {
            row.cells.pop_if(|cell| cell.is_empty());
        }
    }
    Some(without_separators(&rows, width).unwrap_or(rows))
}

/// Returns true if the first and the last field of all rows are empty, and the rows are not 9
/// cells wide, so that one of these fields is no cell.
pub fn have_empty_sides(lines: &[RowLine]) -> bool {
    fields_of(lines).is_some_and(|(_, width, sides)| width > 4 && width != 9 && sides == [true; 2])
}

/// Returns the fields of lines with commas, the usual number of them, and if the first and the last
/// field of all lines with that number are empty.
fn fields_of(lines: &[RowLine]) -> Option<(Vec<Row>, usize, [bool; 2])> {
    let row = |line: &RowLine| {
        // Bars are between the rows of an array of MiniZinc.
        let cells = line.text.split([',', ';']).take(MAX_CELLS);
        Row::new(line, cells.map(|cell| cell.trim_matches([' ', '|'])))
    };
    let rows: Vec<Row> = has_commas(lines).then(|| lines.iter().map(row).collect())?;
    let width = most_common_width(&rows);
    let usual = || rows.iter().filter(|row| row.width() == width);
    let are_empty = |index: usize| usual().all(|row| row.cells[index].is_empty());
    let sides = [0, width - 1].map(are_empty);
    Some((rows, width, sides))
}

/// Returns the rows without those that separate grids or bands: one or two rows of blank cells
/// between them, which can also be above and below all others. Returns `None` if there are none,
/// or if several rows can be the separators.
fn without_separators(rows: &[Row], side: usize) -> Option<Vec<Row>> {
    let is_blank = |at: &usize| rows[*at].cells.iter().all(String::is_empty);
    let boxes = box_rows(side);
    let all = [(side, 1), (side, 2), (boxes, 1), (boxes, 2)];
    // Of whole grids, blank rows between bands are more likely rows of the grids.
    let likely = if rows.len().is_multiple_of(side) { &all[..1] } else { &all };
    let mut found = BTreeSet::new();
    for &(height, count) in likely {
        for above in 0..=count {
            let (period, first) = (height + count, height + count - above);
            let (cells, separators): (Vec<usize>, Vec<usize>) =
                (0..rows.len()).partition(|at| (at + first) % period < height);
            let are_grids = !cells.is_empty() && cells.len().is_multiple_of(side);
            if are_grids && separators.iter().all(is_blank) {
                found.insert(cells);
            }
        }
    }
    let cells = found.pop_first().filter(|it| found.is_empty() && it.len() < rows.len())?;
    Some(cells.into_iter().map(|at| rows[at].clone()).collect())
}

/// N lines of N characters, in which a comma is a blank cell.
fn by_characters(_: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let is_square = |line: &RowLine| line.text.trim_end().len() == lines.len();
    let cell = |it: char| if it == ',' { String::new() } else { it.to_string() };
    let row = |line: &RowLine| Row::new(line, line.text.trim_end().chars().map(cell));
    (has_commas(lines) && lines.iter().all(is_square)).then(|| lines.iter().map(row).collect())
}

/// N² lines of one symbol.
fn one_cell_a_line(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let side = alphabet.side_of_cells(lines.len())?;
    let cells = by_symbols(alphabet, lines)?;
    let row = |cells: &[Row]| {
        let (number, cells) = (cells[0].number, cells.iter().flat_map(|it| it.cells.clone()));
        Row { number, cells: cells.collect() }
    };
    let are_cells = cells.len() == lines.len() && cells.iter().all(|it| it.width() == 1);
    are_cells.then(|| cells.chunks(side).map(row).collect())
}

/// Every symbol is a cell. Lines without symbols are dropped.
pub fn by_symbols(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let numbers: Vec<_> = lines.iter().map(|line| numbers(alphabet, &line.text)).collect();
    let are_numbers = numbers.iter().any(Option::is_some);
    let cells = |(line, numbers): (&RowLine, Option<Vec<String>>)| {
        let cells = match line.kind {
            RowKind::InnerCr => vec![line.text.replace([' ', '\t', '|', '+'], "")],
            _ => numbers
                .or_else(|| short_numbers(&line.text).filter(|_| are_numbers))
                .unwrap_or_else(|| symbols(alphabet, &line.text)),
        };
        Row { number: line.number, cells }
    };
    Some(lines.iter().zip(numbers).map(cells).filter(|row| row.width() > 0).collect())
}

/// Returns the numbers of a row, of which at least one has two digits. If all cells have two
/// symbols, they could also be parts of a row, as in `12 34 56`: they are numbers only if such a
/// row would be wider than that of any puzzle.
pub fn numbers(alphabet: &DrawingAlphabet, text: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = words(text).take(MAX_CELLS).collect();
    let side = words.len();
    let pairs = words.iter().filter(|word| word.len() == 2).count();
    let have_pairs = pairs > 0 && (pairs < side || 2 * side > MAX_SIDE);
    (have_pairs && (10..=MAX_SIDE).contains(&side)).then_some(())?;
    let cells: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
    one_line::read_cells(&cells, side, &alphabet.digits)?;
    Some(words.into_iter().map(String::from).collect())
}

/// Returns the numbers of a row that is cut, or in which a separator is lost: beside rows of
/// numbers, their symbols are no cells.
fn short_numbers(text: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = words(text).take(MAX_CELLS).collect();
    let are_numbers = words.iter().all(|word| word.len() <= 2 && word.parse::<u8>().is_ok());
    (words.len() > 1 && are_numbers).then(|| words.into_iter().map(String::from).collect())
}

/// Returns the symbols of a row. Those beyond the longest row are one cell, to be shown.
fn symbols(alphabet: &DrawingAlphabet, text: &str) -> Vec<String> {
    let mut symbols = alphabet.symbols(text).take(MAX_ROW_SYMBOLS);
    let mut cells: Vec<_> = symbols.by_ref().take(MAX_CELLS).map(String::from).collect();
    if let Some(last) = cells.last_mut() {
        last.extend(symbols);
    }
    cells
}

/// As `by_symbols`, but lines of one repeated symbol, such as `- - - -` and `*****`, are borders.
fn without_borders(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let mut rows = by_symbols(alphabet, lines)?;
    let before = rows.len();
    let has_only = |row: &Row, border| row.cells.iter().all(|it| it.chars().all(|it| it == border));
    rows.retain(|row| !"-=_*#~".chars().any(|border| has_only(row, border)));
    (1..before).contains(&rows.len()).then_some(rows)
}

/// As `without_borders`, also without symbols that are only in the same columns of all rows.
fn without_border_columns(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let mut rows = without_borders(alphabet, lines).or_else(|| by_symbols(alphabet, lines))?;
    let width = rows.first()?.width();
    rows.iter().all(|row| row.width() == width).then_some(())?;
    let is_border = |cell: &String| {
        let is_in = |row: &Row, column: usize| row.cells[column] == *cell;
        let stays = |column| rows.iter().all(|row| is_in(row, column) == is_in(&rows[0], column));
        !cell.contains(char::is_alphanumeric) && (0..width).all(stays)
    };
    let borders: Vec<bool> = rows[0].cells.iter().map(is_border).collect();
    for row in &mut rows {
        let mut borders = borders.iter();
        row.cells.retain(|_| borders.next() == Some(&false));
    }
    borders.contains(&true).then_some(rows)
}

/// Fields between bars. A field of spaces is a blank cell. Text outside the outer bars is dropped.
pub fn by_bars(_: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let row = |line: &RowLine| {
        let parts: Vec<&str> = line.text.split('|').take(MAX_CELLS).map(str::trim).collect();
        let cells = parts.get(1..parts.len() - 1).filter(|_| parts.len() > MIN_BARS)?;
        let are_cells = cells.iter().all(|cell| !cell.contains(char::is_whitespace));
        are_cells.then(|| Row::new(line, cells.iter().copied()))
    };
    lines.iter().map(row).collect()
}

/// Words, which are numbers or candidates.
fn by_words(_: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let row = |line: &RowLine| Row::new(line, words(&line.text).take(MAX_CELLS));
    Some(lines.iter().map(row).collect())
}

/// A space is a blank cell. The cells are the N columns in which some row has a symbol; the columns
/// of the same places in all boxes, if bars are between them; or the N characters of a row that is
/// exactly as wide. Bars must be in line in all rows. Quotes state the width of a row: it must be
/// that of all rows, and its N columns cannot be among others, unless separators fit between them.
fn by_columns(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let side = lines.len();
    if side > MAX_SIDE || has_commas(lines) {
        return None;
    }
    let bars = |line: &RowLine| line.text.trim_end().replace(|it| it != '|', " ");
    let quoted_width = lines[0].quoted_width();
    if let Some(width) = quoted_width {
        let is_full = width == side || width >= 2 * side - 1;
        let is_even = lines.iter().all(|line| line.quoted_width() == quoted_width);
        (is_full && is_even).then_some(())?;
    }
    // Cells between bars state their number too.
    let between_bars = by_bars(alphabet, lines).map_or(0, |rows| most_common_width(&rows));
    if between_bars >= MIN_GRID && between_bars != side {
        return None;
    }
    let are_in_line = lines.iter().all(|line| bars(line).trim_end() == bars(&lines[0]).trim_end());
    // With another blank symbol, spaces are only between cells.
    let is_blank = |it: char| it == '-' || (alphabet.value(it) == Some(0) && it != '|');
    let has_blanks = lines.iter().any(|line| line.text.contains(is_blank));
    let spaced = lines.iter().filter(|line| line.text.trim_matches('|').trim_end().contains(' '));
    if has_blanks || !are_in_line || 2 * spaced.count() < side {
        return None;
    }
    let cell = |it: char| if " |".contains(it) { String::new() } else { it.to_string() };
    let row =
        |line: &RowLine| Row::new(line, line.text.trim_end().chars().take(8 * MAX_CELLS).map(cell));
    let mut rows: Vec<Row> = lines.iter().map(row).collect();
    let width = rows.iter().map(Row::width).max()?;
    let is_used =
        |&at: &usize| rows.iter().any(|row| row.cells.get(at).is_some_and(|it| !it.is_empty()));
    let mut columns: Vec<usize> = (0..width).filter(is_used).collect();
    if let Some(found) = columns_of_boxes(&lines[0], &columns) {
        (found.len() == side).then_some(())?;
        columns = found;
    }
    if columns.len() != side {
        let is_exact = quoted_width.unwrap_or(width) == side && lines[0].bars() == 0;
        is_exact.then_some(())?;
        columns = (0..side).collect();
    }
    for row in &mut rows {
        row.cells.resize(columns[side - 1] + 1, String::new());
        row.cells = columns.iter().map(|&column| take(&mut row.cells[column])).collect();
    }
    Some(rows)
}

/// Returns the columns of the cells of a row with bars between its boxes, if all boxes are equally
/// wide. Each has its cells in the same places. A place counts if it has a symbol in any box, so an
/// empty column of cells is found too. `used` are the columns with symbols in some row.
fn columns_of_boxes(row: &RowLine, used: &[usize]) -> Option<Vec<usize>> {
    let (mut begin, mut boxes) = (0, Vec::new());
    for part in row.text.split('|') {
        let end = begin + part.chars().count();
        boxes.push(begin..end);
        begin = end + 1;
    }
    // Text before the first bar and after the last one can be outside of the grid.
    let is_used = |part: &Range<usize>| used.iter().any(|column| part.contains(column));
    let last = boxes.pop()?;
    if !boxes.first().is_some_and(is_used) {
        boxes.drain(..1.min(boxes.len()));
    }
    // A border can be several bars.
    boxes.retain(|part| !part.is_empty());
    // No bar ends the last part, and spaces at the end of a line can be missing.
    let width = boxes.first()?.len();
    if is_used(&(last.start..usize::MAX)) || !last.is_empty() && last.len() + 1 >= width {
        boxes.push(last.start..usize::MAX);
    }
    let has_width = |part: &Range<usize>| part.end == usize::MAX || part.len() == width;
    (boxes.len() > 1 && boxes.iter().all(has_width)).then_some(())?;
    let place = |column: &usize| Some(column - boxes.iter().find(|it| it.contains(column))?.start);
    let places: BTreeSet<usize> = used.iter().map(place).collect::<Option<_>>()?;
    let columns = boxes.iter().flat_map(|part| places.iter().map(|place| part.start + place));
    places.last().is_some_and(|last| *last < width).then(|| columns.collect())
}

/// Returns the lines without the labels 1, 2, 3 or A, B, C before them.
pub fn without_labels(lines: &[RowLine]) -> Option<Vec<RowLine>> {
    let first = lines.first()?.text.trim_start().bytes().next()?;
    let unlabelled = |(index, line): (usize, &RowLine)| {
        let label = match first {
            b'A' | b'a' => char::from(first + (index % 26) as u8).to_string(),
            _ => (index + 1).to_string(),
        };
        let rest = line.text.trim_start().strip_prefix(&label)?;
        let row = rest.strip_prefix(',').unwrap_or(rest);
        let text = || blanked(&line.text, 0, line.text.len() - row.len());
        rest.starts_with([' ', '|', '*', ',']).then(|| RowLine { text: text(), ..line.clone() })
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
    let numbers: Vec<usize> = numbers.collect();
    let count = |wanted: usize| numbers.iter().filter(|&&it| it == wanted).count();
    let common = (1..=MAX_SIDE).map(|number| (count(number), number)).max();
    let common = common.filter(|&(count, _)| count > 0).map(|(_, number)| number);
    common.or(numbers.iter().copied().max()).unwrap_or_default()
}
