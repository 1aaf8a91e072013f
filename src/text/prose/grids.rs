//! Chooses the grid of an answer among the rows that `rows.rs` reads in it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::ops::RangeInclusive;

use super::rows::{Reading, Row, rows, words};
use crate::text::one_line::read_cells;
use crate::text::symbols::Alphabet;

/// The cells that the grid of an answer can have.
pub struct Cells<'s> {
    pub side: usize,
    pub alphabet: &'s Alphabet,
    /// The symbol of blank cells in the puzzle.
    pub blank: u8,
    /// The cells of the givens, and their digits.
    pub givens: Vec<(usize, u8)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    Digit {
        digit: u8,
        symbol: u8,
    },
    Blank {
        symbol: u8,
    },
    /// A digit above N, another letter, or any cell of a row that has not N cells.
    Wrong,
}

impl Cell {
    pub fn digit(self) -> Option<u8> {
        if let Cell::Digit { digit, .. } = self { Some(digit) } else { None }
    }
}

impl<'s> Cells<'s> {
    pub fn new(puzzle: &[u8], side: usize, alphabet: &'s Alphabet) -> Cells<'s> {
        let digit = |symbol: &u8| alphabet.digit_of(*symbol).filter(|&digit| digit > 0);
        let is_grid = puzzle.len() == side * side;
        let cells = puzzle.iter().enumerate().filter(|_| is_grid);
        let givens = cells.filter_map(|(cell, symbol)| Some((cell, digit(symbol)? as u8)));
        Cells { side, alphabet, blank: alphabet.blank_of(puzzle), givens: givens.collect() }
    }

    pub fn read(&self, text: &str) -> Cell {
        if text.is_empty() || text == "X" && self.alphabet.digit_of(b'X').is_none() {
            return Cell::Blank { symbol: b'.' };
        }
        let symbol = read_cells(&[text.as_bytes()], self.side, self.alphabet).map(|it| it[0]);
        match symbol.map(|symbol| (symbol, self.alphabet.digit_of(symbol))) {
            Some((symbol, Some(0))) => Cell::Blank { symbol },
            Some((symbol, Some(digit))) if digit <= self.side => {
                Cell::Digit { digit: digit as u8, symbol }
            }
            _ => Cell::Wrong,
        }
    }

    /// Returns whether the symbol can be a cell if no separator is beside it. ASCII digits above N
    /// can: they are wrong cells. Letters above N, hyphens and asterisks are parts of other text.
    fn is_symbol(&self, symbol: char) -> bool {
        let Ok(byte) = u8::try_from(symbol) else { return false };
        match self.alphabet.digit_of(byte) {
            _ if byte.is_ascii_digit() || byte == self.blank => true,
            Some(0) => b"._?x".contains(&byte),
            Some(digit) => digit <= self.side,
            None => byte == b'X',
        }
    }

    fn is_row(&self, row: &Row<'_>) -> bool {
        let (count, grid) = (row.cells.len(), self.side * self.side);
        let has_size =
            count.is_multiple_of(self.side) && (count <= grid || count.is_multiple_of(grid));
        has_size && row.cells.iter().any(|cell| *cell != "-" && self.read(cell) != Cell::Wrong)
    }
}

/// The grid of a text, or the rows that it has of one.
pub struct Found {
    pub cells: Vec<Cell>,
    /// True for N rows without a blank cell.
    pub is_full: bool,
    /// True if it has more than half of the givens.
    pub has_givens: bool,
}

/// A row of the grid.
struct GridRow {
    cells: Vec<Cell>,
    line: usize,
    /// Counts the segments of the text.
    segment: usize,
    /// True if other words precede it than the row above.
    is_apart: bool,
    /// True if other text is between it and the row above.
    is_after_text: bool,
    /// True if a word for a column or a box is before it or above it.
    is_of_other_house: bool,
    /// True if it stands for a row that has not N cells.
    is_malformed: bool,
    ends_sentence: bool,
}

/// N successive rows.
struct Window<'r> {
    rows: &'r [GridRow],
    is_full: bool,
    strength: Strength,
}

impl Window<'_> {
    fn cells(&self) -> Vec<Cell> {
        self.rows.iter().flat_map(|row| &row.cells).copied().collect()
    }
}

/// Of windows that share a segment, the strongest counts: the one with most givens, then with most
/// digits, then with the least rows that are apart.
type Strength = (usize, usize, usize);

/// Rows are alike if they have the same reading and the same number of cells.
type Key = (Reading, bool, usize);

/// A line, as it is read.
struct Line<'t> {
    rows: Vec<Row<'t>>,
    /// The number of its first segment.
    first_segment: usize,
    /// True for borders, blank lines and labels (`Row 3:`), which can lie between rows.
    is_between_rows: bool,
    /// True if the line above, without regard to blank ones, has a word for a column or a box.
    is_below_other_house: bool,
}

/// Returns the window that counts, or else the longest run of rows:
///
/// 1. Successive rows that are read alike are a run. Borders, blank lines and labels can lie between
///    them, and any text if their labels count up (`Row 3`, `Row 4`). A row with another number of
///    cells is a row of wrong cells.
/// 2. Every N successive rows of a run are a window. Of windows that share a row, the one with most
///    givens counts.
/// 3. A window does not count if it only checks one above that has as many givens or more: it is the
///    columns or boxes of the other, but for a few cells, or is named so. Nor does one with equal
///    rows.
/// 4. A window without blank cells and with more than half of the givens is preferred, then one
///    without blank cells, then one with the givens. Of several, the last counts.
/// 5. Without a window, the longest run counts, the last of several.
pub fn find(cells: &Cells<'_>, text: &str) -> Option<Found> {
    let runs = runs(cells, &read_lines(cells, text));
    best_window(cells, &runs).or_else(|| longest_run(cells, &runs))
}

/// A whole grid of rows that follow each other.
pub struct Grid {
    pub cells: Vec<Cell>,
    pub lines: RangeInclusive<usize>,
}

impl Grid {
    pub fn has_blank(&self) -> bool {
        self.cells.iter().any(|cell| matches!(cell, Cell::Blank { .. }))
    }

    /// Returns whether this grid is full and has all digits of another one.
    pub fn solves(&self, other: &Grid) -> bool {
        let agree =
            |(own, other): (&Cell, &Cell)| other.digit().is_none() || own.digit() == other.digit();
        !self.has_blank() && other.has_blank() && self.cells.iter().zip(&other.cells).all(agree)
    }
}

/// Returns the grids of all runs that are whole grids without a wrong cell, in the order of their
/// lines.
pub fn grids(cells: &Cells<'_>, text: &str) -> Vec<Grid> {
    let mut grids: Vec<Grid> = Vec::new();
    for run in runs(cells, &read_lines(cells, text)) {
        let parts = run.chunk_by(|_, row| !row.is_after_text);
        for part in parts.map(|part| without_header(cells, part)) {
            let is_whole = part.len().is_multiple_of(cells.side);
            let rows = part.chunks(if is_whole { cells.side } else { part.len() + 1 });
            grids.extend(rows.filter_map(|rows| grid(cells, rows)));
        }
    }
    grids.sort_by_key(|grid| *grid.lines.start());
    grids
}

/// Returns the rows without one of 1 to N above them, the numbers of the columns.
fn without_header<'r>(cells: &Cells<'_>, rows: &'r [GridRow]) -> &'r [GridRow] {
    let is_number = |(number, cell): (u8, &Cell)| cell.digit() == Some(number);
    match rows {
        [first, rest @ ..] if !rest.is_empty() && rest.len().is_multiple_of(cells.side) => {
            if (1..).zip(&first.cells).all(is_number) { rest } else { rows }
        }
        _ => rows,
    }
}

fn grid(cells: &Cells<'_>, rows: &[GridRow]) -> Option<Grid> {
    let all: Vec<Cell> = rows.iter().flat_map(|row| &row.cells).copied().collect();
    let is_whole = rows.len() == cells.side && !all.contains(&Cell::Wrong);
    let has_digit = all.iter().any(|cell| cell.digit().is_some());
    let lines = rows.first()?.line..=rows.last()?.line;
    // A `.` behind only one row, above others, is a cell too many.
    let ends_sentence = |row: &GridRow| row.ends_sentence;
    let is_last = |row: &GridRow| row.line == *lines.end();
    let has_cell_too_many = !rows.iter().all(ends_sentence)
        && rows.iter().any(|row| ends_sentence(row) && !is_last(row));
    (is_whole && has_digit && !has_cell_too_many).then_some(Grid { cells: all, lines })
}

fn runs(cells: &Cells<'_>, lines: &[Line<'_>]) -> Vec<Vec<GridRow>> {
    let mut runs: Vec<Vec<GridRow>> = Vec::new();
    for (key, places) in alike(cells, lines) {
        let lines_with_several = places.windows(2).any(|pair| pair[0].0 == pair[1].0);
        runs.push(run(cells, lines, key, &places));
        // Grids side by side: the first row of each line, the second, and so on.
        for place in (0..MAX_GRIDS_BESIDE).filter(|_| lines_with_several) {
            let of_line = places.chunk_by(|a, b| a.0 == b.0);
            let column: Vec<_> =
                of_line.filter_map(|of_line| of_line.get(place)).copied().collect();
            runs.push(run(cells, lines, key, &column));
        }
    }
    runs
}

const MAX_GRIDS_BESIDE: usize = 8;

fn read_lines<'t>(cells: &Cells<'_>, text: &'t str) -> Vec<Line<'t>> {
    let mut first_segment = 0;
    let mut number_of_label = None;
    let mut is_below_other_house = false;
    let read = |line: &'t str| {
        let mut rows = rows(line, &|symbol| cells.is_symbol(symbol));
        for row in &mut rows {
            row.number = row.number.or(number_of_label);
        }
        let label = label(line);
        let is_between_rows =
            label.is_some() || line.starts_with("```") || !line.contains(char::is_alphanumeric);
        if label.is_some() || !is_between_rows {
            number_of_label = label;
        }
        let segments = rows.iter().map(|row| row.segment + 1).max().unwrap_or_default();
        first_segment += segments;
        let line_above = is_below_other_house;
        if !line.is_empty() {
            is_below_other_house = words(line).take(MAX_HEADING).any(is_other_house);
        }
        Line {
            rows,
            first_segment: first_segment - segments,
            is_between_rows,
            is_below_other_house: line_above,
        }
    };
    text.lines().map(str::trim).map(read).collect()
}

/// The maximum number of words of a heading such as `Check of the 3x3 boxes:`.
const MAX_HEADING: usize = 6;

/// Returns whether a word is one for a column or a box. For other languages, the givens decide.
fn is_other_house(word: &str) -> bool {
    let word = word.to_ascii_lowercase();
    ["col", "box", "block", "subgrid"].iter().any(|beginning| word.starts_with(beginning))
}

/// Returns the number of a line that has one word and a number, such as `**Row 3:**`.
fn label(line: &str) -> Option<usize> {
    let mut parts = line.split(|it: char| !it.is_alphanumeric()).filter(|part| !part.is_empty());
    let (_, number, None) = (parts.next()?, parts.next()?, parts.next()) else { return None };
    let has_word = words(line).count() == 1;
    number.parse().ok().filter(|_| has_word)
}

/// Returns the lines and places of rows that are read alike.
fn alike(cells: &Cells<'_>, lines: &[Line<'_>]) -> BTreeMap<Key, Vec<(usize, usize)>> {
    let mut alike: BTreeMap<Key, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        for (place, row) in line.rows.iter().enumerate().filter(|(_, row)| cells.is_row(row)) {
            let key = (row.reading, row.is_after_label, row.cells.len());
            let places = alike.entry(key).or_default();
            if row.is_after_arrow && places.last().is_some_and(|last| last.0 == number) {
                places.pop();
            }
            places.push((number, place));
        }
    }
    alike
}

fn run(cells: &Cells<'_>, lines: &[Line<'_>], key: Key, places: &[(usize, usize)]) -> Vec<GridRow> {
    let mut run = Vec::new();
    let row_at = |(line, place): (usize, usize)| &lines[line].rows[place];
    let Some(&first) = places.first() else { return run };
    let before = between(lines, key, row_at(first).word, (0..first.0).rev());
    run.extend(before.rows.into_iter().rev().map(|it| malformed(cells, lines, it)));
    let mut above = None;
    for &at in places {
        let row = row_at(at);
        let mut is_after_text = false;
        let mut is_apart = false;
        if let Some((line, previous)) = above {
            let previous: &Row = previous;
            let between = between(lines, key, row.word, line + 1..at.0);
            let counts_up = previous.number.is_some_and(|number| row.number == Some(number + 1));
            is_after_text = between.has_text && !counts_up;
            is_apart = !row.word.is_empty() && row.word != previous.word;
            if !between.has_text {
                run.extend(between.rows.into_iter().map(|it| malformed(cells, lines, it)));
            }
        }
        above = Some((at.0, row));
        for (index, part) in row.cells.chunks(cells.side).enumerate() {
            run.push(GridRow {
                cells: part.iter().map(|cell| cells.read(cell)).collect(),
                line: at.0,
                segment: lines[at.0].first_segment + row.segment,
                is_apart: is_apart && index == 0,
                is_after_text: is_after_text && index == 0,
                is_of_other_house: is_other_house(row.word) || lines[at.0].is_below_other_house,
                is_malformed: false,
                ends_sentence: row.ends_sentence,
            });
        }
    }
    if let Some((line, last)) = above {
        let after = between(lines, key, last.word, line + 1..lines.len());
        run.extend(after.rows.into_iter().map(|it| malformed(cells, lines, it)));
    }
    run
}

struct Between {
    /// The lines of rows that are read alike but have another number of cells.
    rows: Vec<usize>,
    has_text: bool,
}

/// Looks at lines up to the first with other text.
fn between(
    lines: &[Line<'_>],
    (reading, is_after_label, count): Key,
    word: &str,
    range: impl Iterator<Item = usize>,
) -> Between {
    let mut between = Between { rows: Vec::new(), has_text: false };
    let is_malformed = |row: &Row<'_>| {
        (row.reading, row.is_after_label) == (reading, is_after_label)
            && (count / 2 + 1..2 * count).contains(&row.cells.len())
            && (row.word.is_empty() || row.word == word)
            && 2 * row.cells.iter().filter(|cell| cell.contains(char::is_alphanumeric)).count()
                > count
    };
    for line in range {
        if lines[line].is_between_rows {
            continue;
        }
        if !lines[line].rows.iter().any(is_malformed) {
            between.has_text = true;
            break;
        }
        between.rows.push(line);
    }
    between
}

fn malformed(cells: &Cells<'_>, lines: &[Line<'_>], line: usize) -> GridRow {
    GridRow {
        cells: vec![Cell::Wrong; cells.side],
        line,
        segment: lines[line].first_segment,
        is_apart: false,
        is_after_text: false,
        is_of_other_house: false,
        is_malformed: true,
        ends_sentence: false,
    }
}

fn best_window(cells: &Cells<'_>, runs: &[Vec<GridRow>]) -> Option<Found> {
    let mut windows: Vec<Window> = Vec::new();
    for run in runs {
        windows.extend(run.windows(cells.side).filter_map(|rows| window(cells, rows)));
    }
    let mut strongest: HashMap<usize, Strength> = HashMap::new();
    for window in &windows {
        for row in window.rows {
            let strength = strongest.entry(row.segment).or_default();
            *strength = window.strength.max(*strength);
        }
    }
    windows
        .retain(|window| window.rows.iter().all(|row| strongest[&row.segment] == window.strength));
    windows.sort_by_key(|window| window.rows.last().map(|row| row.segment));
    remove_checks(cells.side, &mut windows);
    let has_givens =
        |window: &Window| 2 * window.strength.0 > cells.givens.len() || cells.givens.is_empty();
    let order = |window: &Window| {
        (window.is_full && has_givens(window), window.is_full, has_givens(window))
    };
    let best = windows.into_iter().max_by_key(order)?;
    Some(Found { is_full: best.is_full, has_givens: has_givens(&best), cells: best.cells() })
}

fn window<'r>(cells: &Cells<'_>, rows: &'r [GridRow]) -> Option<Window<'r>> {
    if rows[1..].iter().any(|row| row.is_after_text) {
        return None;
    }
    let all = || rows.iter().flat_map(|row| &row.cells);
    let digits = all().filter(|cell| cell.digit().is_some()).count();
    let has_wrong = all().any(|cell| *cell == Cell::Wrong);
    if digits == 0 || has_wrong && 2 * digits < all().count() {
        return None;
    }
    let digit_of = |cell: usize| rows[cell / cells.side].cells[cell % cells.side].digit();
    let kept = cells.givens.iter().filter(|&&(cell, digit)| digit_of(cell) == Some(digit));
    let together = rows[1..].iter().filter(|row| !row.is_apart);
    Some(Window {
        rows,
        is_full: !all().any(|cell| matches!(cell, Cell::Blank { .. })),
        strength: (kept.count(), digits, together.count()),
    })
}

/// The number of grids above whose columns and boxes are compared.
const MAX_CHECKED: usize = 8;

fn remove_checks(side: usize, windows: &mut Vec<Window<'_>>) {
    // The number of givens that a grid has, the grid, its columns and its boxes.
    let mut above: VecDeque<(usize, [Vec<Cell>; 3])> = VecDeque::new();
    windows.retain(|window| {
        if !window.is_full {
            return true;
        }
        let (found, kept) = (window.cells(), window.strength.0);
        let alike = |grid: &[Cell]| grid.iter().zip(&found).filter(|(a, b)| a == b).count();
        let checks = |(of_grid, [grid, columns, boxes]): &(usize, [Vec<Cell>; 3])| {
            let of_houses = alike(columns).max(alike(boxes));
            let is_alike = 4 * of_houses >= 3 * grid.len() && of_houses > alike(grid);
            kept <= *of_grid && (is_alike || window.rows[0].is_of_other_house)
        };
        let has_equal_rows = found.chunks(side).all(|row| *row == found[..side]);
        let is_check = has_equal_rows || above.iter().any(checks);
        if !is_check {
            above.truncate(MAX_CHECKED - 1);
            let (columns, boxes) = (columns(&found, side), boxes(&found, side));
            above.push_front((kept, [found, columns, boxes]));
        }
        !is_check
    });
}

fn columns(grid: &[Cell], side: usize) -> Vec<Cell> {
    (0..side * side).map(|cell| grid[cell % side * side + cell / side]).collect()
}

/// Returns the cells box by box, for the usual boxes of this side.
fn boxes(grid: &[Cell], side: usize) -> Vec<Cell> {
    let height = (1..=side.isqrt()).rev().find(|&height| side.is_multiple_of(height)).unwrap_or(1);
    let width = side / height;
    let place = |index: usize| {
        let (number, cell) = (index / side, index % side);
        let row = number / height * height + cell / width;
        row * side + number % height * width + cell % width
    };
    (0..side * side).map(|index| grid[place(index)]).collect()
}

fn longest_run(cells: &Cells<'_>, runs: &[Vec<GridRow>]) -> Option<Found> {
    let mut longest: &[GridRow] = &[];
    let continues = |above: &GridRow, row: &GridRow| {
        !row.is_after_text && (!row.is_apart || row.line == above.line)
    };
    for part in runs.iter().flat_map(|run| run.chunk_by(continues)) {
        let is_row = |row: &GridRow| !row.is_malformed;
        let Some(first) = part.iter().position(is_row) else { continue };
        let last = part.iter().rposition(is_row).unwrap_or(first);
        let part = &part[first..=last];
        let part = &part[part.len().saturating_sub(cells.side)..];
        let has_digit = part.iter().flat_map(|row| &row.cells).any(|cell| cell.digit().is_some());
        let order = |part: &[GridRow]| (part.len(), part.last().map(|row| (row.line, row.segment)));
        if has_digit && order(part) > order(longest) {
            longest = part;
        }
    }
    let mut grid: Vec<Cell> = longest.iter().flat_map(|row| &row.cells).copied().collect();
    if grid.is_empty() {
        return None;
    }
    let missing = cells.side * cells.side - grid.len();
    grid.extend(std::iter::repeat_n(Cell::Wrong, missing));
    Some(Found { cells: grid, is_full: false, has_givens: false })
}
