//! Runs of rows, and sections of runs that can be the bands of a puzzle.

use super::cells::{self, Line, Row, WAYS};
use super::faults;
use super::line::{LineParser, RowKind};
use super::program::{fields, is_usual_side};
use crate::rules::MAX_SIDE;

/// The maximum number of rows of a run, and of the runs of a section, that are stored. A run with
/// this many rows or more is invalid.
pub const MAX_RUN: usize = 1 << 14;

/// A puzzle in bands has at least so many. Two blocks could be the ends of two puzzles that both have a
/// fault.
const MIN_BLOCKS: usize = 3;

/// The rows between two separators.
#[derive(Default)]
pub struct Run {
    pub lines: Vec<Line>,
    /// The symbols of the rows, while all rows are plain and of one width.
    pub plain: Vec<u8>,
    /// The width of the rows, 0 if not all rows are plain and of one width.
    width: usize,
}

impl Run {
    /// Adds a row. `plain` are its symbols if it is plain.
    pub fn push(&mut self, line: Line, plain: &[u8]) {
        if self.lines.len() >= MAX_RUN {
            return;
        }
        let width = line.row.plain_width;
        if self.lines.is_empty() {
            self.plain.clear();
            self.width = width;
        } else if self.width != width {
            self.width = 0;
        }
        if self.width > 0 {
            self.plain.extend_from_slice(plain);
        }
        self.lines.push(line);
    }

    /// Takes the memory of a run that has ended.
    pub fn reuse(&mut self, run: Run) {
        *self = run;
        self.lines.clear();
    }

    /// Returns the side of the grids if the run consists of plain rows that are whole grids.
    pub fn plain_side(&self) -> Option<usize> {
        let count = self.lines.len();
        let is_whole = self.width > 1 && count.is_multiple_of(self.width) && count < MAX_RUN;
        is_whole.then_some(self.width)
    }
}

/// A run that has been read.
pub struct ReadRun {
    lines: Vec<Line>,
    /// The rows. If `is_faulty`, they are the symbols of the lines.
    pub rows: Vec<Row>,
    pub side: usize,
    pub kind: ReadKind,
    /// The reason of a fault other than the number of rows.
    pub reason: Option<String>,
}

/// What the rows of a run are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReadKind {
    /// One or more grids.
    Grids,
    /// One row, or as many rows as a box has.
    Band,
    Faulty,
}

impl ReadRun {
    /// Reads the lines in the first way in which they are grids or a band.
    pub fn read(parser: &LineParser, lines: Vec<Line>) -> ReadRun {
        let is_whole = lines.len() < MAX_RUN
            && lines.iter().all(|line| line.row.kind != RowKind::InnerCr)
            && !faults::are_triples(&lines);
        let found = is_whole.then(|| find_way(parser, &lines)).flatten();
        let (rows, side, kind) = match found {
            Some(found) => found,
            None => {
                let all: Vec<&Line> = lines.iter().collect();
                let rows = cells::by_symbols(parser, &all).unwrap_or_default();
                let side = most_common_width(rows.iter().map(|row| row.cells.len()));
                (rows, side, ReadKind::Faulty)
            }
        };
        let reason = match kind {
            ReadKind::Faulty | ReadKind::Band => faults::reason(parser, &lines),
            ReadKind::Grids => None,
        };
        ReadRun { lines, rows, side, kind, reason }
    }

    /// Returns the number of the first line.
    pub fn number(&self) -> i64 {
        self.lines.first().map_or(0, |line| line.number)
    }

    /// Splits the run at the borders within it.
    fn split(&self, parser: &LineParser) -> Vec<ReadRun> {
        let parts = self.lines.chunk_by(|_, line| !line.is_below_frame);
        parts.map(|part| ReadRun::read(parser, part.to_vec())).collect()
    }
}

/// Returns the rows in the first way in which they are grids or a band, their side and what they are.
fn find_way(parser: &LineParser, lines: &[Line]) -> Option<(Vec<Row>, usize, ReadKind)> {
    let (first, below) = lines.split_first()?;
    let labelled: Vec<Vec<Line>> = [below, lines]
        .into_iter()
        .filter_map(cells::without_labels)
        .filter(|lines| lines.len() > 3)
        .collect();
    let columns = labelled.is_empty();
    let all: Vec<&Line> = lines.iter().collect();
    if let Some(found) = read_lines(parser, &all, columns) {
        return Some(found);
    }
    for lines in &labelled {
        let lines: Vec<&Line> = lines.iter().collect();
        if let Some(found) = read_lines(parser, &lines, true) {
            return Some(found);
        }
    }
    // One line of another width can be above the rows.
    if lines.len() > 4
        && let Some(found) = read_lines(parser, &all[1..], columns)
        && found.2 == ReadKind::Grids
        && is_head(parser, first, &all[1..], found.1)
    {
        return Some(found);
    }
    without_heads(parser, &all)
}

fn read_lines(
    parser: &LineParser,
    lines: &[&Line],
    columns: bool,
) -> Option<(Vec<Row>, usize, ReadKind)> {
    let last = columns.then_some(cells::by_columns as fn(&LineParser, &[&Line]) -> _);
    let ways = || WAYS.iter().copied().chain(last);
    // Small grids are of symbols only.
    let has_symbols = |row: &Row| row.cells.iter().all(|cell| cell.len() == 1);
    let read = |way: fn(&LineParser, &[&Line]) -> Option<Vec<Row>>| {
        let rows = way(parser, lines)?;
        let (side, kind) = kind_of(&rows)?;
        let is_plausible = side > 3 || rows.iter().all(has_symbols);
        is_plausible.then_some((rows, side, kind))
    };
    // A usual side in any way is more likely than 11 or 13.
    let is_usual = |found: &(_, usize, _)| is_usual_side(found.1);
    ways().find_map(|way| read(way).filter(is_usual)).or_else(|| ways().find_map(read))
}

/// Returns the side of the grids of which these rows are whole ones or a band.
fn kind_of(rows: &[Row]) -> Option<(usize, ReadKind)> {
    let side = rows.first()?.cells.len();
    let is_even = rows.iter().all(|row| row.cells.len() == side);
    if !(2..=MAX_SIDE).contains(&side) || !is_even {
        return None;
    }
    match rows.len() {
        count if count.is_multiple_of(side) => Some((side, ReadKind::Grids)),
        count if heights(side).any(|height| height == count) => Some((side, ReadKind::Band)),
        _ => None,
    }
}

/// Returns the numbers of rows that a block of a puzzle can have: those of a box, or one.
fn heights(side: usize) -> impl Iterator<Item = usize> {
    let box_rows = (1..=side.isqrt()).rev().find(|rows| side.is_multiple_of(*rows)).unwrap_or(1);
    let heights = [box_rows, side / box_rows, 1];
    heights.into_iter().filter(move |&height| height < side)
}

/// Returns true if a line above rows of `side` cells is no damaged row: its width is another one, and
/// it is one word, or the rows have blank symbols.
fn is_head(parser: &LineParser, line: &Line, rows: &[&Line], side: usize) -> bool {
    let text = &line.row.text;
    let bars = |text: &str| text.matches('|').count();
    if bars(text) > 0 && bars(text) == bars(&rows[0].row.text) {
        return false;
    }
    if rows[0].row.text.contains(',') {
        return fields(text).len() == 1;
    }
    let is_blank = |it: char| parser.value(it) == Some(0);
    parser.width(text) != side
        && (cells::words(text).nth(1).is_none()
            || rows.iter().any(|row| parser.symbols(&row.row.text).any(is_blank)))
}

/// Returns the rows without the lines of another width, if there is at most one above each of some
/// whole grids.
fn without_heads(parser: &LineParser, lines: &[&Line]) -> Option<(Vec<Row>, usize, ReadKind)> {
    let rows = cells::by_symbols(parser, lines)?;
    let side = most_common_width(rows.iter().map(|row| row.cells.len()));
    if !(2..=MAX_SIDE).contains(&side) {
        return None;
    }
    // The parts between the lines of another width. The first part can be empty. Another empty part
    // means that no grid is below such a line.
    let mut parts = rows.split(|row| row.cells.len() != side).enumerate();
    let are_grids = parts
        .all(|(number, part)| part.len().is_multiple_of(side) && (number == 0 || !part.is_empty()));
    let grids: Vec<Row> = rows.iter().filter(|row| row.cells.len() == side).cloned().collect();
    (are_grids && !grids.is_empty()).then_some((grids, side, ReadKind::Grids))
}

/// The runs since the last separator that is stronger than one blank line.
#[derive(Default)]
pub struct Section {
    /// The runs that can be the bands of a puzzle.
    held: Vec<ReadRun>,
    /// The number of rows in them.
    rows: usize,
    /// True if each run of the section is on its own: whole grids, or faulty.
    is_loose: bool,
}

/// A part of a section: grids, or rows with a fault.
pub enum Part {
    Grids(Vec<Row>, usize),
    Faulty {
        number: i64,
        rows: Vec<Row>,
        side: usize,
        /// `None` if the number of rows is wrong.
        reason: Option<String>,
    },
}

impl Section {
    pub fn is_empty(&self) -> bool {
        self.held.is_empty() && !self.is_loose
    }

    /// Returns true if a run of whole grids is not part of a puzzle in bands.
    pub fn is_loose(&self) -> bool {
        self.held.is_empty()
    }

    pub fn set_loose(&mut self) {
        self.is_loose = true;
    }

    /// Adds a run. Returns the parts that are complete.
    pub fn add(&mut self, parser: &LineParser, run: ReadRun) -> Vec<Part> {
        self.rows += run.lines.len();
        let is_grid = run.kind == ReadKind::Grids;
        self.held.push(run);
        let bands = self.held.iter().filter(|run| run.kind == ReadKind::Band).count();
        if self.is_loose || is_grid && 2 * bands <= self.held.len() {
            self.is_loose = true;
            return self.take(parser);
        }
        match self.rows >= MAX_RUN {
            true => self.take(parser),
            false => Vec::new(),
        }
    }

    /// Ends the section. Returns its parts.
    pub fn end(&mut self, parser: &LineParser) -> Vec<Part> {
        let parts = self.take(parser);
        self.is_loose = false;
        parts
    }

    /// Returns the parts of the runs that are held.
    fn take(&mut self, parser: &LineParser) -> Vec<Part> {
        let is_full = self.rows >= MAX_RUN;
        let runs = std::mem::take(&mut self.held);
        self.rows = 0;
        let bands = height_of_bands(&runs).filter(|_| !self.is_loose);
        match bands {
            Some((side, _)) if is_full => vec![faulty(runs, side, None)],
            Some((side, height)) => puzzles_of_bands(parser, &runs, side, height),
            None => runs.into_iter().map(Part::from).collect(),
        }
    }
}

impl From<ReadRun> for Part {
    fn from(run: ReadRun) -> Part {
        match run.kind {
            ReadKind::Grids => Part::Grids(run.rows, run.side),
            _ => Part::Faulty {
                number: run.number(),
                side: run.side,
                reason: run.reason,
                rows: run.rows,
            },
        }
    }
}

/// Returns the side and the number of rows of the bands of a puzzle, if most runs have as many rows.
fn height_of_bands(runs: &[ReadRun]) -> Option<(usize, usize)> {
    let side = most_common_width(runs.iter().map(|run| run.side));
    if side < 4 || runs.len() < 2 {
        return None;
    }
    let is_common = |&height: &usize| {
        let is_band = |run: &&ReadRun| {
            run.kind == ReadKind::Band && run.side == side && run.rows.len() == height
        };
        2 * runs.iter().filter(is_band).count() > runs.len()
    };
    let height = heights(side).find(is_common)?;
    Some((side, height))
}

/// Returns the puzzles of a section of bands, divided at borders between two bands. Each must have
/// exactly as many bands as a puzzle has.
fn puzzles_of_bands(
    parser: &LineParser,
    runs: &[ReadRun],
    side: usize,
    height: usize,
) -> Vec<Part> {
    let mut groups: Vec<Vec<ReadRun>> = vec![Vec::new()];
    for run in runs {
        for (index, part) in run.split(parser).into_iter().enumerate() {
            if index > 0 {
                groups.push(Vec::new());
            }
            groups.last_mut().expect("there is a group").push(part);
        }
    }
    let blocks = side / height;
    let is_band = |run: &ReadRun| {
        run.kind != ReadKind::Faulty && run.side == side && run.rows.len() == height
    };
    let part = |group: Vec<ReadRun>| {
        if blocks >= MIN_BLOCKS && group.len() == blocks && group.iter().all(is_band) {
            let rows = group.into_iter().flat_map(|run| run.rows).collect();
            return Part::Grids(rows, side);
        }
        let rows: usize = group.iter().map(|run| run.rows.len()).sum();
        let reason = faults::reason_of_blocks(&group, rows, [side, height]);
        faulty(group, side, Some(reason))
    };
    groups.into_iter().filter(|group| !group.is_empty()).map(part).collect()
}

fn faulty(runs: Vec<ReadRun>, side: usize, reason: Option<String>) -> Part {
    let number = runs.first().map_or(0, ReadRun::number);
    let rows = runs.into_iter().flat_map(|run| run.rows).collect();
    Part::Faulty { number, rows, side, reason }
}

/// Returns the most common width from 1 to `MAX_SIDE`, and the largest of equally common ones. If
/// no width is from 1 to `MAX_SIDE`, returns the largest width, or 0 if there are none.
pub fn most_common_width(widths: impl Iterator<Item = usize>) -> usize {
    let mut counts = [0; MAX_SIDE + 1];
    let mut widest = 0;
    for width in widths {
        widest = widest.max(width);
        if let Some(count) = counts.get_mut(width) {
            *count += 1;
        }
    }
    let common = (1..=MAX_SIDE).max_by_key(|&width| (counts[width], width));
    common.filter(|&width| counts[width] > 0).unwrap_or(widest)
}
