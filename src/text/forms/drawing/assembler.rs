//! Gathers rows into runs, runs into sections, and grids into entries. The text of an entry is its
//! rows, with a space between two of them.

use std::mem::take;

use super::EntryForm;
use super::cells::{Line, Row};
use super::decode::{write_as_read, write_grid};
use super::faults;
use super::line::{DrawnLine, Heading, LineParser, RowKind, RowLine};
use super::run::{Part, ReadRun, Run, Section};
use crate::rules::MAX_SIDE;
use crate::stream::chunks::MAX_LINE;
use crate::stream::records::{Cut, Cutter, Marks, Span};
use crate::text::record::{without_end, without_mark};

/// At most this many lines wait for a row that shows what they are.
const MAX_WAITING: usize = 4 * MAX_SIDE;

/// Gathers rows into entries. At a separator (a blank line, a title and others: see `mod.rs`), the
/// run before it ends. When it is known that the run is no band of a puzzle, its grids move to the
/// entry.
///
/// ```text
///     1...      entry    4 rows: the puzzle, of the run that has ended
///     ..3.
///     .3..
///     ...4
///
///     AABB      run      1 row since the separator, of the layout
/// ```
pub struct EntryAssembler {
    form: EntryForm,
    parser: LineParser,
    /// The number of lines that have been read, and of those that are cut off.
    lines: i64,
    cut_lines: i64,
    /// True if the last line that is read is longer than `MAX_LINE`, and its end is missing.
    within_overlong: bool,
    /// Lines with words, and frames and comments between them, that are rows only if the next line
    /// is a row of the same width. Each with the number of lines before it.
    waiting: Vec<(i64, DrawnLine)>,
    /// The rows since the last separator, and the runs before that can be bands.
    run: Run,
    section: Section,
    /// The number of blank lines since the last other line.
    blank_lines: usize,
    /// The borders since the last row.
    frames: Frames,
    entry: Entry,
    /// The side of the last entry that has been written. 0 if none has since the last heading of a
    /// puzzle.
    last_side: usize,
    /// Number of the next rows that are skipped, because they follow a heading such as
    /// `[PencilMarks]` or `[State]`.
    rows_to_skip: usize,
    /// The number of the first line that is a heading, a title or a frame, or else a comment.
    first_text: Option<i64>,
    first_comment: Option<i64>,
    /// True if an entry has been written.
    has_entries: bool,
    /// The symbols of a plain row. A buffer that is used again.
    plain: Vec<u8>,
    /// The text and the places of the entries that have ended since the last cut.
    text: Vec<u8>,
    spans: Vec<Span>,
}

/// The borders since the last row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Frames {
    None,
    One,
    /// A border, and a blank line below it.
    ThenBlank,
}

/// The grids of an entry, or the rows with a fault.
#[derive(Default)]
struct Entry {
    text: Vec<u8>,
    /// The number of lines before the first row.
    number: i64,
    rows: usize,
    /// The side of the first grid.
    side: usize,
    fault: Option<Fault>,
}

enum Fault {
    Reason(String),
    WrongNumberOfRows,
}

impl Cutter for EntryAssembler {
    /// Reads the whole lines. Of an overlong line, reads the first `MAX_LINE + 1` bytes and drops
    /// the rest. The text of the cut is that of the entries that end in it.
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
        if ends {
            self.end_source();
        }
        let lines = self.lines - self.cut_lines;
        self.cut_lines = self.lines;
        Cut {
            length,
            text: Some(take(&mut self.text)),
            records: Marks::Spans { spans: take(&mut self.spans), lines, are_counted: true },
        }
    }
}

impl EntryAssembler {
    pub fn new(form: EntryForm) -> EntryAssembler {
        EntryAssembler {
            parser: LineParser::new(form.alphabet.clone(), form.fields),
            form,
            lines: 0,
            cut_lines: 0,
            within_overlong: false,
            waiting: Vec::new(),
            run: Run::default(),
            section: Section::default(),
            blank_lines: 0,
            frames: Frames::None,
            entry: Entry::default(),
            last_side: 0,
            rows_to_skip: 0,
            first_text: None,
            first_comment: None,
            has_entries: false,
            plain: Vec::new(),
            text: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// Reads the next line, given with or without its line end.
    fn read_line(&mut self, line: &[u8]) {
        let mut line = without_end(line);
        if self.lines == 0 {
            line = without_mark(line);
        }
        let mut plain = take(&mut self.plain);
        plain.clear();
        let mut parts = Vec::new();
        // A plain row is most lines, and is one part.
        let mut first = None;
        self.parser.parse(line, &mut plain, |part| match first {
            None => first = Some(part),
            Some(_) => parts.push(part),
        });
        for part in first.into_iter().chain(parts) {
            self.read_part(part, &plain);
        }
        self.plain = plain;
    }

    /// Reads a line, or a part of one. Lines with words wait for the next row.
    fn read_part(&mut self, part: DrawnLine, plain: &[u8]) {
        let number = self.lines;
        if let DrawnLine::Row(row) = &part
            && matches!(row.kind, RowKind::Worded | RowKind::Word)
        {
            let above = self.run.lines.last().filter(|_| self.waiting.is_empty());
            let is_row = above.is_some_and(|above| self.are_alike(&above.row, row));
            if !is_row {
                self.waiting.push((number, part));
                if self.waiting.len() >= MAX_WAITING {
                    self.end_waiting(None);
                }
                return;
            }
        } else if !self.waiting.is_empty() {
            match &part {
                DrawnLine::Frame | DrawnLine::Ignored if self.waiting.len() < MAX_WAITING => {
                    return self.waiting.push((number, part));
                }
                DrawnLine::Row(row) => self.end_waiting(Some(row)),
                _ => self.end_waiting(None),
            }
        }
        self.take_part(number, part, plain);
    }

    /// Returns true if two lines have the same width, or the same number of bars.
    fn are_alike(&self, one: &RowLine, other: &RowLine) -> bool {
        let width = |row: &RowLine| match row.text.contains(',') {
            true => super::program::fields(&row.text).len(),
            false => self.parser.width(&row.text),
        };
        let bars = |row: &RowLine| row.text.matches('|').count();
        width(one) == width(other) || (bars(one) > 4 && bars(one) == bars(other))
    }

    /// Decides what the lines that wait are: rows, if each has the width of the next one and the
    /// last that of `below`; also words of letters, if there are two of one width. Others are text.
    fn end_waiting(&mut self, below: Option<&RowLine>) {
        let mut waiting = take(&mut self.waiting);
        let mut below = below.cloned();
        for (_, line) in waiting.iter_mut().rev() {
            if let DrawnLine::Row(row) = line {
                let is_like = |below: &RowLine| self.are_alike(row, below);
                let is_row = below.as_ref().is_some_and(is_like);
                let kind = row.kind;
                below = Some(row.clone()).filter(|_| is_row);
                if is_row {
                    row.kind = RowKind::Row;
                } else if kind == RowKind::Worded {
                    *line = DrawnLine::Text;
                }
            }
        }
        let mut lines = waiting.into_iter().peekable();
        let mut last_width = 0;
        while let Some((number, mut line)) = lines.next() {
            if let DrawnLine::Row(row) = &line {
                let width = self.parser.width(&row.text);
                let next = lines.peek().map_or(0, |(_, next)| match next {
                    DrawnLine::Row(next) => self.parser.width(&next.text),
                    _ => 0,
                });
                let is_alone = width != last_width && width != next;
                last_width = width;
                if row.kind == RowKind::Word && is_alone {
                    line = DrawnLine::Text;
                }
            }
            self.take_part(number, line, &[]);
        }
    }

    /// Takes the next line or part of one, whose kind is known.
    fn take_part(&mut self, number: i64, part: DrawnLine, plain: &[u8]) {
        match part {
            DrawnLine::Ignored => {
                self.first_comment.get_or_insert(number);
                return;
            }
            DrawnLine::Heading(_) | DrawnLine::Text | DrawnLine::Frame => {
                self.first_text.get_or_insert(number);
            }
            _ => {}
        }
        let blank_lines = take(&mut self.blank_lines);
        let frames = std::mem::replace(&mut self.frames, Frames::None);
        match part {
            DrawnLine::Ignored => {}
            DrawnLine::Blank => {
                self.blank_lines = blank_lines + 1;
                self.read_blank_line();
                if frames != Frames::None {
                    self.frames = Frames::ThenBlank;
                }
            }
            // A frame below a frame is a separator.
            DrawnLine::Frame => {
                self.frames = Frames::One;
                if frames != Frames::None || (blank_lines > 0 && !self.section.is_empty()) {
                    self.end_section();
                }
            }
            DrawnLine::Heading(heading) => self.read_heading(heading),
            DrawnLine::Text => self.read_title(),
            DrawnLine::Grid(cells) => {
                self.end_section();
                self.read_grid(number, cells);
            }
            DrawnLine::Row(row) => {
                if frames == Frames::ThenBlank {
                    self.end_section();
                }
                let is_below_frame = frames != Frames::None;
                self.read_row(Line { number, row, is_below_frame }, plain);
            }
        }
    }

    /// Reads text between puzzles, which ends a section.
    fn read_title(&mut self) {
        self.rows_to_skip = 0;
        self.end_section();
        // Within a grid, a title is a fault of the entry, and more of its rows can follow.
        if self.entry.has_whole_grids() {
            self.write_entry();
        }
    }

    /// Reads a heading of an .sdk file. It ends the entry. The rows of a state or of notes are
    /// skipped if they follow a puzzle. But if the entry lacks only its answer, a state is this
    /// answer.
    fn read_heading(&mut self, heading: Heading) {
        self.end_section();
        let grids_before_answer = self.form.fields.number_of_grids() - 1;
        let lacks_answer = self.form.fields.answer
            && self.entry.rows > 0
            && self.entry.rows == grids_before_answer * self.entry.side;
        if heading == Heading::State && lacks_answer {
            return;
        }
        self.write_entry();
        if heading == Heading::Puzzle {
            self.last_side = 0;
        }
        // After a state or notes, as many rows as the puzzle above them has. Otherwise none.
        self.rows_to_skip = self.last_side;
    }

    /// Reads a blank line. It ends a run, and a second one a section. After the first skipped row,
    /// it also ends the rows to skip.
    fn read_blank_line(&mut self) {
        let has_skipped_row = self.rows_to_skip < self.last_side;
        if has_skipped_row {
            self.rows_to_skip = 0;
        }
        match self.blank_lines {
            2 => self.end_section(),
            _ => self.end_run(),
        }
    }

    /// Adds a row to the run, or skips it.
    fn read_row(&mut self, line: Line, plain: &[u8]) {
        if self.rows_to_skip > 0 {
            self.rows_to_skip -= 1;
        } else {
            self.run.push(line, plain);
        }
    }

    /// Reads a grid on one line, which counts as its rows.
    fn read_grid(&mut self, number: i64, cells: Vec<String>) {
        let side = cells.len().isqrt();
        if self.rows_to_skip > 0 {
            self.rows_to_skip = self.rows_to_skip.saturating_sub(side);
            return;
        }
        let rows = cells.chunks(side).map(|cells| Row { number, cells: cells.to_vec() });
        self.add_part(Part::Grids(rows.collect(), side));
    }

    /// Ends a run at a separator. If it is whole grids, and not between the bands of a puzzle, adds
    /// each of them to an entry.
    fn end_run(&mut self) {
        if self.run.lines.is_empty() {
            return;
        }
        match self.run.plain_side() {
            Some(side) if self.section.is_loose() => {
                self.section.set_loose();
                self.begin_grids(side);
                let run = take(&mut self.run);
                let grids = run.plain.chunks(side * side).zip(run.lines.chunks(side));
                for (symbols, lines) in grids {
                    self.entry.begin_rows(lines[0].number, side);
                    for row in symbols.chunks(side) {
                        self.entry.add_row();
                        self.entry.text.extend_from_slice(row);
                    }
                    self.end_rows();
                }
                self.run.reuse(run);
            }
            _ => {
                let run = ReadRun::read(&self.parser, take(&mut self.run).lines);
                // Borders without a symbol between them.
                if run.rows.is_empty() {
                    return;
                }
                let parts = self.section.add(&self.parser, run);
                parts.into_iter().for_each(|part| self.add_part(part));
            }
        }
    }

    /// Ends a run and a section at a separator that is stronger than a blank line.
    fn end_section(&mut self) {
        self.end_run();
        let parts = self.section.end(&self.parser);
        parts.into_iter().for_each(|part| self.add_part(part));
    }

    /// If grids of another side follow, ends the entry, although it lacks a grid.
    fn begin_grids(&mut self, side: usize) {
        if side != self.entry.side {
            self.write_entry();
        }
    }

    /// Adds grids, or rows with a fault, to the entry.
    fn add_part(&mut self, part: Part) {
        match part {
            Part::Grids(rows, side) => {
                self.begin_grids(side);
                rows.chunks(side).for_each(|grid| self.add_grid(grid, side));
            }
            Part::Faulty { number, rows, side, reason } => {
                self.entry.begin_rows(number, side);
                for row in rows {
                    self.entry.add_row();
                    write_as_read(&self.parser, &row, &mut self.entry.text);
                }
                let fault = reason.map_or(Fault::WrongNumberOfRows, Fault::Reason);
                self.entry.fault.get_or_insert(fault);
                self.end_rows();
            }
        }
    }

    fn add_grid(&mut self, rows: &[Row], side: usize) {
        let is_puzzle = self.entry.rows == 0;
        self.entry.begin_rows(rows[0].number, side);
        let before = self.entry.text.len();
        if before > 0 {
            self.entry.text.push(b' ');
        }
        if let Err(reason) = write_grid(&self.parser, rows, is_puzzle, &mut self.entry.text) {
            self.entry.fault.get_or_insert(Fault::Reason(reason));
            self.entry.text.truncate(before);
            for row in rows {
                self.entry.add_row();
                write_as_read(&self.parser, row, &mut self.entry.text);
            }
        } else {
            self.entry.rows += side;
        }
        self.end_rows();
    }

    /// Ends the entry after more rows, if it needs no grid after the puzzle, has all its grids, or
    /// has less than half of one.
    fn end_rows(&mut self) {
        let (side, count) = (self.entry.side.max(1), self.entry.rows);
        let expected = self.form.fields.number_of_grids();
        // The rows of a faulty run count as the nearest number of grids: `count / side`, rounded;
        // half a grid is rounded down.
        let grids = (count + (side - 1) / 2) / side;
        if expected == 1 || grids >= expected || 2 * count < side {
            self.write_entry();
        }
    }

    /// Ends the last entry at the end of the source. If a source has headings, titles, frames or
    /// comments, but no rows, writes an entry without rows, which is invalid.
    fn end_source(&mut self) {
        self.end_waiting(None);
        self.end_section();
        self.write_entry();
        let first = self.first_text.or(self.first_comment);
        if let Some(line) = first.filter(|_| !self.has_entries) {
            let reason = match self.first_text {
                Some(_) => faults::NO_ROWS,
                None => faults::ONLY_COMMENTS,
            };
            self.has_entries = true;
            self.add_span(self.text.len(), line, Some(reason.into()));
        }
    }

    /// Ends the entry, if it has rows.
    fn write_entry(&mut self) {
        if self.entry.rows == 0 && self.entry.fault.is_none() {
            return;
        }
        let (side, rows) = (self.entry.side, self.entry.rows);
        let fault = self.entry.fault.take().map(|fault| match fault {
            Fault::Reason(reason) => reason,
            Fault::WrongNumberOfRows => faults::wrong_number_of_rows(rows, side, &self.form),
        });
        let begin = self.text.len();
        self.text.extend_from_slice(&self.entry.text);
        self.entry.text.clear();
        self.entry.rows = 0;
        self.entry.side = 0;
        self.last_side = side;
        self.has_entries = true;
        self.add_span(begin, self.entry.number, fault);
    }

    /// Adds the place of an entry whose first row is below this number of lines.
    fn add_span(&mut self, begin: usize, line: i64, fault: Option<String>) {
        let (begin, end) = (begin as u32, self.text.len() as u32);
        let fault = fault.map(String::into_boxed_str);
        self.spans.push(Span { begin, end, line: line - self.cut_lines, fault });
    }
}

impl Entry {
    /// Returns true if the entry is empty, or if its last row is the last row of a grid.
    fn has_whole_grids(&self) -> bool {
        self.rows == 0 || self.rows.is_multiple_of(self.side.max(1))
    }

    /// Prepares for the rows of a grid. If the rows before are not whole grids, that is a fault.
    fn begin_rows(&mut self, number: i64, side: usize) {
        if self.rows == 0 {
            self.number = number;
            self.side = side;
        } else if !self.has_whole_grids() {
            let reason = format!("a blank line after row {}, within a grid", self.rows);
            if !matches!(self.fault, Some(Fault::Reason(_))) {
                self.fault = Some(Fault::Reason(reason));
            }
        }
    }

    /// Counts a row, and separates it from the row before.
    fn add_row(&mut self) {
        if self.rows > 0 {
            self.text.push(b' ');
        }
        self.rows += 1;
    }
}
