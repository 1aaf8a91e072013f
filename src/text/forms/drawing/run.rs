//! Reads a run of rows as whole grids, as a band of a puzzle, or as rows with a fault; and a
//! section of runs as bands of puzzles, or as runs that are each on their own.

use std::mem::take;

use super::cells::{self, Row, WAYS, Way, most_common, most_common_width};
use super::faults::{self, Fault};
use super::line::{
    DrawingAlphabet, MIN_CELLS, MIN_GRID, RowKind, RowLine, box_rows, fields, is_usual_side,
};
use engine::rules::MAX_SIDE;

/// The maximum number of rows of a run, and of the runs of a section, that are stored. A run with
/// this many rows or more is invalid.
pub const MAX_RUN: usize = 1 << 14;

/// A puzzle in bands has at least so many. Two blocks could be the ends of two puzzles that both
/// have a fault.
const MIN_BLOCKS: usize = 3;

/// At most this many lines that are read as rows can be text.
const MAX_TEXT: usize = 3;
/// At most this many lines of one symbol are no puzzle with a cell a line, not even a damaged one.
const MAX_SYMBOLS: usize = 8;

/// Below grids of a smaller side, a line of another width is more likely a damaged row.
const MIN_SIDE_ABOVE_TEXT: usize = 4;

/// The number of cells of a 4x4 puzzle, which can be a row of a 16x16.
const SMALL_GRID: usize = 16;

struct ReadRun {
    lines: Vec<RowLine>,
    /// If the rows are faulty, the symbols of the lines.
    rows: Vec<Row>,
    kind: RowsKind,
    side: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RowsKind {
    Grids,
    /// One row, or as many rows as a box has.
    Band,
    Faulty,
}

pub struct Part {
    /// The number of lines before its first line.
    pub number: i64,
    pub rows: Vec<Row>,
    pub side: usize,
    pub fault: Option<Fault>,
}

impl ReadRun {
    /// Reads the lines in the first way in which they are grids or a band.
    fn read(alphabet: &DrawingAlphabet, lines: Vec<RowLine>) -> ReadRun {
        let is_whole = lines.len() < MAX_RUN && faults::refused(&lines).is_none();
        let found = is_whole.then(|| read_grids(alphabet, &lines)).flatten();
        let kind = found.as_deref().map_or(RowsKind::Faulty, kind_of);
        let rows = found.or_else(|| cells::by_symbols(alphabet, &lines)).unwrap_or_default();
        ReadRun { side: most_common_width(&rows), lines, rows, kind }
    }

    /// Returns true for a few lines that are no rows of a damaged grid, each for itself.
    fn is_text(&self, alphabet: &DrawingAlphabet) -> bool {
        // Among layouts and answers, a title is a fault of its record.
        let is_alone = alphabet.fields.number_of_grids() == 1;
        let is_few = self.lines.len() <= MAX_TEXT;
        let are_in_text = || self.side < MIN_CELLS && self.lines.iter().all(|line| line.is_in_text);
        let is_no_grid = || self.kind != RowsKind::Grids || are_in_text();
        let are_short = || {
            self.lines.len() <= MAX_SYMBOLS
                && self.lines.iter().all(|line| line.is_short_in_text(alphabet))
        };
        let are_no_rows =
            || is_few && self.lines.iter().all(|line| is_no_row_of_any(alphabet, line));
        is_alone && is_no_grid() && (are_no_rows() || are_short())
    }

    fn is_band(&self, side: usize, height: usize) -> bool {
        self.kind != RowsKind::Faulty && self.side == side && self.rows.len() == height
    }

    fn into_part(self, alphabet: &DrawingAlphabet) -> Part {
        let reason = || {
            let dashes = || faults::reason_of_dashes(&self.lines, self.rows.len(), self.side);
            faults::reason(alphabet, &self.lines).or_else(dashes)
        };
        let fault = (self.kind != RowsKind::Grids)
            .then(|| reason().map_or(Fault::WrongNumberOfRows, Fault::Reason));
        Part { number: self.lines[0].number, rows: self.rows, side: self.side, fault }
    }
}

/// Returns true for a line with symbols or numbers that are no cells of a grid of its width, and
/// for all symbols of such a grid in their order, as in the head of a table. A line of a text can
/// also be short, such as `if x == 9 {`, one number, such as a time in milliseconds, or lack
/// digits.
fn is_no_row_of_any(alphabet: &DrawingAlphabet, line: &RowLine) -> bool {
    let width = alphabet.width(&line.text);
    // Spaces can be cells too.
    let is_cell = |it| alphabet.value(it).is_some_and(|value| value <= width.max(9));
    let are_cells = alphabet.symbols(&line.text).all(|it| is_cell(it) || !it.is_ascii());
    let fields = fields(&line.text);
    let is_number = |it: &&str| it.parse().is_ok_and(|it: usize| it > fields.len().max(9));
    let are_numbers = fields.len() >= MIN_CELLS && fields.iter().any(is_number);
    let values = || alphabet.symbols(&line.text).map(|symbol| alphabet.value(symbol));
    let is_count = (line.is_in_text || width >= MIN_GRID) && values().eq((1..=width).map(Some));
    let word = line.text.trim();
    let is_number = word.bytes().all(|it| it.is_ascii_digit()) && !word.starts_with('0');
    let is_long_number = is_number && (10..SMALL_GRID).contains(&width);
    let is_part = || {
        let is_short_number = is_number && width < MIN_GRID;
        line.is_short_in_text(alphabet) || is_short_number || values().all(|it| it == Some(0))
    };
    let is_in_text = line.is_in_text && is_part();
    line.kind != RowKind::InnerCr
        && (are_numbers
            || (line.is_in_text || line.is_quoted) && is_long_number
            || width <= MAX_SIDE && (!are_cells || is_count || is_in_text))
}

fn read_grids(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let (first, below) = lines.split_first()?;
    let (last, above) = lines.split_last()?;
    let mut labelled: Vec<Vec<RowLine>> =
        [below, lines].into_iter().filter_map(cells::without_labels).collect();
    labelled.retain(|lines| lines.len() > 3);
    // Labels would be columns.
    let ways = if labelled.is_empty() { &WAYS[..] } else { &WAYS[..WAYS.len() - 1] };
    // One line of another width can be above the rows, or below them.
    let without_line = |line, others: &[RowLine], min_side| {
        let rows = (lines.len() > 4).then(|| read_lines(alphabet, others, ways))??;
        let (side, kind) = (rows[0].width(), kind_of(&rows));
        let are_grids = kind == RowsKind::Grids && side >= min_side;
        (are_grids && is_no_row(alphabet, line, others, side)).then_some(rows)
    };
    read_lines(alphabet, lines, ways)
        .or_else(|| labelled.iter().find_map(|lines| read_lines(alphabet, lines, &WAYS)))
        .or_else(|| without_line(first, below, 2))
        .or_else(|| {
            let is_cut = is_beginning(alphabet, last, first);
            (!is_cut).then(|| without_line(last, above, MIN_SIDE_ABOVE_TEXT))?
        })
        .or_else(|| without_titles(alphabet, lines))
        .or_else(|| with_row_of_dashes(alphabet, lines))
}

fn read_lines(alphabet: &DrawingAlphabet, lines: &[RowLine], ways: &[Way]) -> Option<Vec<Row>> {
    // Small grids are of symbols only.
    let has_symbols = |row: &Row| row.cells.iter().all(|cell| cell.len() == 1);
    let is_plausible = |rows: &Vec<Row>| {
        kind_of(rows) != RowsKind::Faulty && (rows[0].width() > 3 || rows.iter().all(has_symbols))
    };
    let rows = |way: &Way| {
        let rows = way(alphabet, lines)?;
        small_grids(&rows).or(Some(rows))
    };
    let mut found = ways.iter().filter_map(|way| rows(way).filter(is_plausible));
    let first = found.next()?;
    // A usual side in any way is more likely than 11 or 13.
    let is_usual = |rows: &Vec<Row>| is_usual_side(rows[0].width());
    if is_usual(&first) { Some(first) } else { found.find(is_usual).or(Some(first)) }
}

fn kind_of(rows: &[Row]) -> RowsKind {
    let side = rows.first().map_or(0, Row::width);
    let is_even = rows.iter().all(|row| row.width() == side);
    match rows.len() {
        _ if !is_even || !(2..=MAX_SIDE).contains(&side) => RowsKind::Faulty,
        count if count.is_multiple_of(side) => RowsKind::Grids,
        count if heights(side).any(|height| height == count) => RowsKind::Band,
        _ => RowsKind::Faulty,
    }
}

/// The bands of a puzzle have as many rows as a box, or one.
fn heights(side: usize) -> impl Iterator<Item = usize> {
    let box_rows = box_rows(side);
    let heights = [box_rows, side / box_rows, 1];
    heights.into_iter().filter(move |&height| height < side)
}

/// Returns true if a line beside rows of `side` cells is no damaged row: its width is another one,
/// and it is one word, only the rows have bars, or the rows have blank symbols.
fn is_no_row(alphabet: &DrawingAlphabet, line: &RowLine, rows: &[RowLine], side: usize) -> bool {
    if line.bars() > 0 && line.bars() == rows[0].bars() {
        return false;
    }
    if line.is_quoted && line.quoted_width() == rows[0].quoted_width() {
        return false;
    }
    if rows[0].text.contains(',') {
        let fields = fields(&line.text);
        let are_cells = fields.iter().all(|field| field.len() < 3);
        return fields.len() == 1 || (2 * fields.len() <= side && !are_cells);
    }
    let is_blank = |it: char| alphabet.value(it) == Some(0);
    let is_one_word = cells::words(&line.text).nth(1).is_none();
    let lacks_bars = line.bars() == 0 && rows[0].bars() > 0;
    let have_blanks = || rows.iter().any(|row| alphabet.symbols(&row.text).any(is_blank));
    let width = cells::numbers(alphabet, &line.text)
        .map_or_else(|| alphabet.width(&line.text), |numbers| numbers.len());
    width != side && (is_one_word || lacks_bars || have_blanks())
}

/// Returns true for a line that is a row cut short: cells between the same separators, with a
/// digit, that are no number.
fn is_beginning(alphabet: &DrawingAlphabet, line: &RowLine, row: &RowLine) -> bool {
    let cell = |it: char| if alphabet.value(it).is_some() { '0' } else { it };
    let skeleton = |line: &RowLine| -> String {
        let words = line.text.split_whitespace().map(|word| word.chars().map(cell).collect());
        words.collect::<Vec<String>>().join(" ")
    };
    let is_number = line.text.trim().bytes().all(|it| it.is_ascii_digit());
    let has_digit = line.text.chars().any(|it| alphabet.value(it) > Some(0));
    // As the dashes of a date.
    let is_other = |it: char| !it.is_ascii_digit() && !row.text.contains(it);
    !is_number
        && has_digit
        && !line.text.trim().contains(is_other)
        && alphabet.width(&line.text) >= MIN_CELLS
        && skeleton(row).starts_with(&skeleton(line))
}

/// Returns the rows without the lines of another width, if there is at most one above each of some
/// whole grids, and one below the last if its side is [`MIN_SIDE_ABOVE_TEXT`] or more.
fn without_titles(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let mut rows = cells::by_symbols(alphabet, lines)?;
    let side = most_common_width(&rows);
    // The parts between the lines of another width. An empty part means that no grid is below such
    // a line.
    let mut parts: Vec<_> = rows.split(|row| row.width() != side).collect();
    let first = parts.remove(0);
    if side >= MIN_SIDE_ABOVE_TEXT {
        parts.pop_if(|last| last.is_empty());
    }
    // A cut row is no title, but what is above all rows can have the look of one.
    let whole = rows.iter().find(|row| row.width() == side)?.number;
    let whole = lines.iter().find(|line| line.number == whole)?;
    let is_cut = |row: &Row| {
        let line = lines.iter().skip(1).find(|line| line.number == row.number);
        row.width() != side && line.is_some_and(|line| is_beginning(alphabet, line, whole))
    };
    let are_grids = (2..=MAX_SIDE).contains(&side)
        && !rows.iter().any(is_cut)
        && first.len().is_multiple_of(side)
        && parts.iter().all(|part| part.len().is_multiple_of(side) && !part.is_empty());
    rows.retain(|row| row.width() == side);
    are_grids.then_some(rows)
}

/// Returns the rows of a grid whose blank symbol is `-`, with the only line of dashes among them as
/// a row of blank cells: no border is there, because it is not between bands.
fn with_row_of_dashes(alphabet: &DrawingAlphabet, lines: &[RowLine]) -> Option<Vec<Row>> {
    let mut rows = cells::by_symbols(alphabet, lines)?;
    let side = most_common_width(&rows);
    let is_even = rows.iter().all(|row| row.width() == side) && rows.len() + 1 == side;
    let have_dashes = lines.iter().any(|line| line.text.contains('-') && line.bars() == 0);
    let mut frames = (0..lines.len()).filter(|&at| lines[at].is_below_frame);
    let at = frames.next().filter(|_| frames.next().is_none())?;
    if !is_even || !have_dashes || at == 0 || heights(side).take(2).any(|it| at.is_multiple_of(it))
    {
        return None;
    }
    let cells = vec!["-".to_string(); side];
    rows.insert(at, Row { number: rows[at].number - 1, cells });
    Some(rows)
}

/// Returns the rows of 4x4 puzzles that are on a line each, as 16 cells.
fn small_grids(rows: &[Row]) -> Option<Vec<Row>> {
    let is_cell =
        |cell: &String| matches!(cell.as_str(), "0" | "." | "_" | "-" | "1" | "2" | "3" | "4");
    let is_grid = |row: &Row| {
        row.width() == SMALL_GRID
            && row.cells.iter().all(is_cell)
            && row.cells.iter().any(|it| it.as_bytes()[0] > b'0')
    };
    let parts = |row: &Row| -> Vec<Row> {
        row.cells.chunks(4).map(|cells| Row { number: row.number, cells: cells.to_vec() }).collect()
    };
    (rows.len() > 1 && rows.iter().all(is_grid)).then(|| rows.iter().flat_map(parts).collect())
}

/// The runs since the last separator that is stronger than one blank line.
#[derive(Default)]
pub struct Section {
    /// The runs that can be the bands of a puzzle.
    held: Vec<ReadRun>,
    lines: usize,
    /// True if each run of the section is on its own: whole grids, or faulty.
    is_loose: bool,
}

impl Section {
    pub fn is_empty(&self) -> bool {
        self.held.is_empty() && !self.is_loose
    }

    /// Returns the side of plain rows that are whole grids, unless runs that can be bands are
    /// before them. Such rows are never read in another way, and need not be added.
    pub fn begin_grids(&mut self, lines: &[RowLine]) -> Option<usize> {
        let side = lines[0].plain.width();
        let are_grids = side > 1
            && side != SMALL_GRID
            && lines.len().is_multiple_of(side)
            && lines.len() < MAX_RUN
            && lines.iter().all(|line| line.plain.width() == side);
        self.is_loose |= are_grids && self.held.is_empty();
        (are_grids && self.is_loose).then_some(side)
    }

    /// Adds a run. Returns the parts that are known not to be bands.
    pub fn add(&mut self, alphabet: &DrawingAlphabet, mut lines: Vec<RowLine>) -> Vec<Part> {
        // As `Full house: r7c1 = 5` directly above a drawing.
        let texts = lines.iter().take_while(|line| line.is_short_in_text(alphabet)).count();
        if texts < lines.len() {
            lines.drain(..texts);
        }
        let run = ReadRun::read(alphabet, lines);
        // Borders without a symbol between them are no run, and neither are a few symbols, such as
        // the number of a page.
        let is_symbol = |line: &RowLine| alphabet.width(&line.text) == 1;
        let can_be_symbols = run.lines.len() == 1
            || run.lines.len() <= MAX_SYMBOLS && !run.lines.iter().any(RowLine::can_have_spaces);
        let are_symbols = || can_be_symbols && run.lines.iter().all(is_symbol);
        let is_text = || (self.held.is_empty() || self.is_loose) && run.is_text(alphabet);
        if run.rows.is_empty() || are_symbols() || is_text() {
            return Vec::new();
        }
        self.lines += run.lines.len();
        let is_grid = run.kind == RowsKind::Grids;
        self.held.push(run);
        let bands = self.held.iter().filter(|run| run.kind == RowsKind::Band).count();
        self.is_loose |= is_grid && 2 * bands <= self.held.len();
        let is_full = self.lines >= MAX_RUN;
        if self.is_loose || is_full { self.parts(alphabet) } else { Vec::new() }
    }

    pub fn end(mut self, alphabet: &DrawingAlphabet) -> Vec<Part> {
        self.parts(alphabet)
    }

    fn parts(&mut self, alphabet: &DrawingAlphabet) -> Vec<Part> {
        self.lines = 0;
        let runs = take(&mut self.held);
        match height_of_bands(&runs).filter(|_| !self.is_loose) {
            Some((side, height)) => puzzles_of_bands(alphabet, &runs, side, height),
            None => runs.into_iter().map(|run| run.into_part(alphabet)).collect(),
        }
    }
}

/// Returns the side and the number of rows of the bands of a puzzle, if most runs have as many
/// rows.
fn height_of_bands(runs: &[ReadRun]) -> Option<(usize, usize)> {
    let side = most_common(runs.iter().map(|run| run.side));
    let number = |height| runs.iter().filter(|run| run.is_band(side, height)).count();
    let height = heights(side).find(|&height| 2 * number(height) > runs.len())?;
    (side >= 4 && runs.len() >= 2).then_some((side, height))
}

/// Returns the puzzles of a section of bands, divided at borders between two bands. Each must have
/// exactly as many bands as a puzzle has.
fn puzzles_of_bands(
    alphabet: &DrawingAlphabet,
    runs: &[ReadRun],
    side: usize,
    height: usize,
) -> Vec<Part> {
    let mut groups: Vec<Vec<ReadRun>> = Vec::new();
    for run in runs {
        // A border within a run ends a puzzle.
        for (index, lines) in run.lines.chunk_by(|_, line| !line.is_below_frame).enumerate() {
            let block = ReadRun::read(alphabet, lines.to_vec());
            match groups.last_mut() {
                Some(group) if index == 0 => group.push(block),
                _ => groups.push(vec![block]),
            }
        }
    }
    let blocks = side / height;
    let part = |group: Vec<ReadRun>| {
        let number = group[0].lines[0].number;
        let count = group.len();
        let is_band = |run: &ReadRun| run.is_band(side, height);
        // Several puzzles whose bands follow each other could lack some bands.
        let is_puzzle = blocks >= MIN_BLOCKS && count == blocks && group.iter().all(is_band);
        let rows: Vec<Row> = group.into_iter().flat_map(|run| run.rows).collect();
        let reason = || faults::reason_of_blocks(&rows, count, side, height);
        let fault = (!is_puzzle).then(|| Fault::Reason(reason()));
        Part { number, rows, side, fault }
    };
    groups.into_iter().map(part).collect()
}
