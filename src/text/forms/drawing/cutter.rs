//! Gathers the rows of a source into runs, and runs into sections, whose grids go to the records.

use std::iter;
use std::mem::take;

use memchr::{memchr_iter, memrchr};

use super::cells::Row;
use super::decode;
use super::faults::{self, Fault};
use super::line::{DrawingAlphabet, DrawnLine, Heading, LineGrid, ListPlace, RowKind, RowLine};
use super::parse::parse;
use super::records::DrawnRecords;
use super::run::{MAX_RUN, Part, Section};
use super::{program, words};
use crate::stream::records::{Cut, Cutter, MAX_LINE, Numbering, Places, Spans};
use crate::text::record::{without_end, without_mark};
use crate::text::rule_names::rule_in_text;
use engine::rules::MAX_SIDE;

/// At most this many lines wait for a row that shows what they are.
const MAX_WAITING: usize = 4 * MAX_SIDE;
/// A longer line of words is no title.
const MAX_WORDS_OF_TITLE: usize = 4;

/// Cuts drawings into records. A run ends at a separator (see `mod.rs`). When it is known that the
/// run is no band of a puzzle, its grids move to the record.
///
/// ```text
///     1...      record   4 rows: the puzzle, of the run that has ended
///     ..3.
///     .3..
///     ...4
///
///     AABB      run      1 row since the separator, of the layout
/// ```
#[derive(Default)]
pub struct DrawingCutter {
    alphabet: DrawingAlphabet,
    lines: i64,
    cut_lines: i64,
    /// True if the last line that is read is longer than `MAX_LINE`, and its end is missing.
    within_overlong: bool,
    /// Lines with words, and frames and comments between them, that are rows only if the next line
    /// is a row of the same width. Each with the number of lines before it.
    waiting: Vec<(i64, DrawnLine)>,
    /// The rules that these lines name.
    waiting_rules: Vec<WaitingRule>,
    /// The rows since the last separator, and the runs before that can be bands.
    run: Vec<RowLine>,
    section: Section,
    /// The number of blank lines since the last other line.
    blank_lines: usize,
    is_below_frame: bool,
    records: DrawnRecords,
    /// The number of rows to skip, because they follow a heading such as `[State]`.
    rows_to_skip: usize,
    /// The number of the first line that is neither blank nor a comment, and of the first comment.
    first_text: Option<i64>,
    first_comment: Option<i64>,
    /// The last line that is not blank, and the number of lines before it.
    last_text: (i64, Vec<u8>),
}

/// A rule that a line with words names.
struct WaitingRule {
    /// The number of lines before it.
    number: i64,
    name: &'static str,
    /// True if it is beside a row, false if it is the row, unless that is text.
    is_beside: bool,
}

impl Cutter for DrawingCutter {
    /// Of an overlong line, reads the first `MAX_LINE + 1` bytes and drops the rest.
    fn cut(&mut self, bytes: &[u8], ends: bool) -> Cut {
        let mut length = 0;
        for line in bytes.split_inclusive(|&byte| byte == b'\n') {
            let is_whole = line.ends_with(b"\n");
            if !is_whole && !ends && line.len() <= MAX_LINE {
                break;
            }
            if !self.within_overlong {
                self.read_line(&line[..line.len().min(MAX_LINE + 1)]);
                self.lines += 1;
            }
            self.within_overlong = !is_whole;
            length += line.len();
        }
        self.keep_last_text(&bytes[..length]);
        if ends {
            self.end_source();
        }
        let lines = (self.lines - self.cut_lines) as u64;
        let (text, mut spans) = self.records.cut();
        spans.iter_mut().for_each(|span| span.line -= self.cut_lines);
        self.cut_lines = self.lines;
        let places = Places::Spans(Spans { spans, lines, numbering: Numbering::Records });
        Cut { length, text: Some(text), places }
    }
}

impl DrawingCutter {
    pub fn new(alphabet: DrawingAlphabet) -> DrawingCutter {
        DrawingCutter {
            records: DrawnRecords::new(alphabet.fields, alphabet.digits.clone()),
            alphabet,
            ..DrawingCutter::default()
        }
    }

    fn keep_last_text(&mut self, bytes: &[u8]) {
        let text = bytes.trim_ascii_end();
        let line = &text[memrchr(b'\n', text).map_or(0, |end| end + 1)..];
        if line.is_empty() || !self.alphabet.reads_programs {
            return;
        }
        let ends = memchr_iter(b'\n', &bytes[text.len()..]).count().max(1);
        let (number, last) = &mut self.last_text;
        *number = self.lines - ends as i64;
        last.clear();
        last.extend_from_slice(&line[..line.len().min(MAX_LINE)]);
    }

    fn read_line(&mut self, line: &[u8]) {
        let mut line = without_end(line);
        if self.lines == 0 {
            line = without_mark(line);
        }
        let part = parse(&self.alphabet, line);
        let rule_of_title = self.read_rule(line, &part);
        match part {
            DrawnLine::Parts(parts) => parts.into_iter().for_each(|part| self.read_part(part)),
            part => self.read_part(part),
        }
        // A title ends the grid above it.
        if let Some(name) = rule_of_title {
            self.records.read_rule(name);
        }
    }

    /// Reads the name of a rule on a line with a grid, and keeps that on a line with words until
    /// it is known to be a row or text. Returns that in a title.
    fn read_rule(&mut self, line: &[u8], part: &DrawnLine) -> Option<&'static str> {
        let max_words = match part {
            DrawnLine::Parts(_) | DrawnLine::Grid(_) => usize::MAX,
            DrawnLine::Text | DrawnLine::Heading(_) | DrawnLine::Comment => MAX_WORDS_OF_TITLE,
            DrawnLine::Row(RowLine { kind: RowKind::Word | RowKind::Worded, .. }) => {
                MAX_WORDS_OF_TITLE
            }
            DrawnLine::Row(_) | DrawnLine::Blank | DrawnLine::Frame => return None,
        };
        let of_run = self.alphabet.variants.as_ref()?;
        let name = rule_in_text(&String::from_utf8_lossy(line), max_words, of_run)?;
        match part {
            DrawnLine::Parts(_) | DrawnLine::Grid(_) => self.records.read_rule(name),
            DrawnLine::Row(RowLine { kind, .. }) => {
                let (number, is_beside) = (self.lines, *kind == RowKind::Worded);
                self.waiting_rules.push(WaitingRule { number, name, is_beside });
            }
            _ => return Some(name),
        }
        None
    }

    fn read_part(&mut self, part: DrawnLine) {
        let number = self.lines;
        if self.must_wait(&part) {
            self.waiting.push((number, part));
            if self.waiting.len() >= MAX_WAITING {
                self.end_waiting(None);
            }
            return;
        }
        let below = if let DrawnLine::Row(row) = &part { Some(row) } else { None };
        self.end_waiting(below);
        self.take_part(number, part);
    }

    fn must_wait(&self, part: &DrawnLine) -> bool {
        match part {
            DrawnLine::Row(row) if !matches!(row.kind, RowKind::Row | RowKind::InnerCr) => {
                let above = self.run.last().filter(|_| self.waiting.is_empty());
                !above.is_some_and(|above| words::are_alike(&self.alphabet, above, row))
            }
            DrawnLine::Frame | DrawnLine::Comment => !self.waiting.is_empty(),
            _ => false,
        }
    }

    fn end_waiting(&mut self, below: Option<&RowLine>) {
        let mut waiting = take(&mut self.waiting);
        words::decide(&self.alphabet, &mut waiting, below);
        waiting.into_iter().for_each(|(number, part)| self.take_part(number, part));
    }

    fn take_part(&mut self, number: i64, part: DrawnLine) {
        let is_text = matches!(part, DrawnLine::Text);
        self.decide_part(number, part);
        if self.waiting_rules.first().is_some_and(|rule| rule.number == number) {
            let WaitingRule { name, is_beside, .. } = self.waiting_rules.remove(0);
            if is_text || is_beside {
                self.records.read_rule(name);
            }
        }
    }

    fn decide_part(&mut self, number: i64, part: DrawnLine) {
        match part {
            DrawnLine::Comment => {
                self.first_comment.get_or_insert(number);
                return;
            }
            DrawnLine::Blank | DrawnLine::Parts(_) => {}
            // Rows can turn out to be text.
            _ => {
                self.first_text.get_or_insert(number);
            }
        }
        let blank_lines = take(&mut self.blank_lines);
        let is_below_frame = take(&mut self.is_below_frame);
        match part {
            DrawnLine::Blank => {
                self.blank_lines = blank_lines + 1;
                self.is_below_frame = is_below_frame;
                self.read_blank_line();
            }
            // A frame below a frame is a separator.
            DrawnLine::Frame => {
                self.is_below_frame = true;
                if is_below_frame || (blank_lines > 0 && !self.section.is_empty()) {
                    self.end_section();
                }
            }
            DrawnLine::Heading(heading) => self.read_heading(heading),
            DrawnLine::Text => self.read_title(),
            DrawnLine::Grid(grid) => self.read_grid(number, grid),
            DrawnLine::Row(row) => {
                let begins_list = row.place == ListPlace::First;
                let is_apart = self.run.last().is_some_and(|above| above.is_apart_from(&row));
                if (is_below_frame && blank_lines > 0) || begins_list || is_apart {
                    self.end_section();
                }
                let ends_list = row.place == ListPlace::Last;
                if self.rows_to_skip > 0 {
                    self.rows_to_skip -= 1;
                } else if self.run.len() < MAX_RUN {
                    self.run.push(RowLine { number, is_below_frame, ..row });
                }
                if ends_list {
                    self.end_section();
                }
            }
            DrawnLine::Comment | DrawnLine::Parts(_) => unreachable!("they were taken before"),
        }
    }

    fn read_title(&mut self) {
        self.rows_to_skip = 0;
        self.end_section();
        self.records.end_at_title();
    }

    /// A heading of an .sdk file ends the record. The rows of a state or of notes after a puzzle
    /// are skipped. But if the record lacks only its answer, a state is this answer.
    fn read_heading(&mut self, heading: Heading) {
        self.end_section();
        if heading == Heading::State && self.records.lacks_answer() {
            return;
        }
        self.records.end();
        if heading == Heading::Puzzle {
            self.records.forget_last();
        }
        // After a state or notes, as many rows as the puzzle above them has. Otherwise none.
        self.rows_to_skip = self.records.last_side;
    }

    /// It ends a run, a second one a section, and after the first skipped row the rows to skip.
    fn read_blank_line(&mut self) {
        let has_skipped_row = self.rows_to_skip < self.records.last_side;
        if has_skipped_row {
            self.rows_to_skip = 0;
        }
        match self.blank_lines {
            2 => {
                self.end_section();
                self.records.read_blank_lines();
            }
            _ => self.end_run(),
        }
    }

    /// Reads a grid on one line, which counts as its rows.
    fn read_grid(&mut self, number: i64, LineGrid { side, cells }: LineGrid) {
        self.end_section();
        if self.rows_to_skip > 0 {
            self.rows_to_skip = self.rows_to_skip.saturating_sub(side);
            return;
        }
        self.records.read_line_of(side);
        let mut cells = cells.into_iter();
        let row = |_| Row { number, cells: cells.by_ref().take(side).collect() };
        let rows = (0..side).map(row).collect();
        self.add_part(Part { number, rows, side, fault: None });
    }

    /// If the run is whole grids, and not between bands, adds each of them to a record.
    fn end_run(&mut self) {
        if self.run.is_empty() {
            return;
        }
        let mut lines = take(&mut self.run);
        // Most runs are plain. This way of reading them takes a tenth of the time of the other.
        if let Some(side) = self.section.begin_grids(&lines) {
            self.records.end_before_side(side);
            for grid in lines.chunks(side) {
                let is_puzzle = self.records.is_at_puzzle();
                let repeated = is_puzzle.then(|| repeated_row(&self.alphabet, grid)).flatten();
                let fault = repeated.map(Fault::Reason);
                let rows = grid.iter().map(|line| line.plain.symbols().iter().copied());
                self.records.add(grid[0].number, side, fault, rows);
            }
            // The memory is used again.
            lines.clear();
            self.run = lines;
            return;
        }
        let parts = self.section.add(&self.alphabet, lines);
        parts.into_iter().for_each(|part| self.add_part(part));
    }

    fn end_section(&mut self) {
        self.end_run();
        let parts = take(&mut self.section).end(&self.alphabet);
        parts.into_iter().for_each(|part| self.add_part(part));
    }

    fn add_part(&mut self, Part { number, rows, side, fault }: Part) {
        if fault.is_some() {
            let texts = decode::as_read(&self.alphabet, &rows);
            return self.records.add(number, side, fault, texts.iter().map(|row| row.bytes()));
        }
        self.records.end_before_side(side);
        for grid in rows.chunks(side) {
            let is_puzzle = self.records.is_at_puzzle();
            let (texts, fault) = match decode::decode(&self.alphabet, grid, is_puzzle) {
                Ok(texts) => (texts, None),
                Err(reason) => (decode::as_read(&self.alphabet, grid), Some(Fault::Reason(reason))),
            };
            self.records.add(grid[0].number, side, fault, texts.iter().map(|row| row.bytes()));
        }
    }

    /// Ends the last record at the end of the source. If a source has headings, titles, frames or
    /// comments, but no rows, adds a record without rows, which is invalid.
    fn end_source(&mut self) {
        self.end_waiting(None);
        self.end_section();
        self.records.end_source();
        self.read_cut_end();
        let text = self.first_text.map(|number| (number, faults::NO_ROWS));
        let comment = self.first_comment.map(|number| (number, faults::ONLY_COMMENTS));
        if let Some((number, reason)) = text.or(comment).filter(|_| !self.records.has_any) {
            let no_rows = iter::empty::<iter::Empty<u8>>();
            self.records.add(number, 0, Some(Fault::Reason(reason.into())), no_rows);
        }
    }
}

impl DrawingCutter {
    /// If the last line ends within a text in quotes, and its cells are neither a row nor a grid,
    /// adds a record of them, which is invalid.
    fn read_cut_end(&mut self) {
        let (number, line) = take(&mut self.last_text);
        let text = String::from_utf8_lossy(&line);
        let Some((before, cells)) = program::unclosed_cells(&text) else { return };
        let rows = |line: &str| parse(&self.alphabet, line.as_bytes()).number_of_rows();
        if rows(&text) == rows(before) && !self.records.have_fault_at(number) {
            let symbols = self.alphabet.symbols(cells).filter(char::is_ascii);
            let symbols: Vec<u8> = symbols.map(|it| it as u8).collect();
            let fault = Some(Fault::Reason(faults::NO_END.into()));
            self.records.add(number, symbols.len(), fault, iter::once(symbols.into_iter()));
            self.records.end_source();
        }
    }
}

/// Returns the reason for the only plain row that repeats the one above it, with a digit.
fn repeated_row(alphabet: &DrawingAlphabet, rows: &[RowLine]) -> Option<String> {
    let is_digit = |symbol: &u8| alphabet.digits.digit_of(*symbol) > Some(0);
    faults::repeated_row(rows, |above, row| {
        above.plain == row.plain && row.plain.symbols().iter().any(is_digit)
    })
}
