//! Gathers rows into grids and grids into entries. The text of an entry is its rows, with a space
//! between two of them.

use super::EntryForm;
use super::line::{DrawnLine, Heading};
use crate::rules::MAX_SIDE;
use crate::stream::chunks::MAX_LINE;
use crate::stream::records::{Cut, Cutter, Marks, Span};
use crate::text::record::{without_end, without_mark};

/// A row of symbols.
#[derive(Clone)]
struct Row {
    /// The number of lines before it in the source.
    line: i64,
    symbols: Vec<u8>,
}

/// Gathers rows into entries. At a separator (a blank line, a title and others: see `mod.rs`), the
/// run before it ends, and its rows move to the entry.
///
/// ```text
///     1...      entry   4 rows: the puzzle, of the run that has ended
///     ..3.
///     .3..
///     ...4
///
///     AABB      run     1 row since the separator, of the layout
/// ```
#[derive(Default)]
pub struct EntryAssembler {
    form: EntryForm,
    /// The number of lines that have been read, and of those that are cut off.
    lines: i64,
    cut_lines: i64,
    /// True if the last line that is read is longer than `MAX_LINE`, and its end is missing.
    within_overlong: bool,
    /// The rows since the last separator.
    run: Vec<Row>,
    /// The rows of the entry that has not ended. An empty row marks a separator within a grid.
    entry: Vec<Row>,
    /// True if the last line read is a frame.
    below_frame: bool,
    /// The side of the last entry that has been written. 0 if none has since the last heading of a
    /// puzzle.
    last_side: usize,
    /// Number of the next rows that are skipped, because they follow a heading such as
    /// `[PencilMarks]` or `[State]`.
    rows_to_skip: usize,
    /// The number of the first line that is a heading, a title or a frame.
    first_text: Option<i64>,
    /// True if an entry has been written.
    has_entries: bool,
    /// The text and the places of the entries that have ended since the last cut.
    text: Vec<u8>,
    spans: Vec<Span>,
}

/// The maximum number of rows of a run that are stored. A run with this many rows or more is
/// invalid.
pub const MAX_RUN: usize = 1 << 14;

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
            text: Some(std::mem::take(&mut self.text)),
            records: Marks::Spans {
                spans: std::mem::take(&mut self.spans),
                lines,
                are_counted: true,
            },
        }
    }
}

impl EntryAssembler {
    pub fn new(form: EntryForm) -> EntryAssembler {
        EntryAssembler { form, ..EntryAssembler::default() }
    }

    /// Reads the next line, given with or without its line end.
    fn read_line(&mut self, line: &[u8]) {
        let below_frame = std::mem::take(&mut self.below_frame);
        let line = without_mark(without_end(line));
        let line = DrawnLine::parse(line, &self.form.alphabet, self.form.fields);
        if let DrawnLine::Heading(_) | DrawnLine::Title | DrawnLine::Frame = line {
            self.first_text.get_or_insert(self.lines);
        }
        match line {
            DrawnLine::Ignored => {}
            DrawnLine::Heading(heading) => self.read_heading(heading),
            DrawnLine::Blank => self.read_blank_line(),
            // A frame below a frame is a separator.
            DrawnLine::Frame => {
                self.below_frame = true;
                if below_frame {
                    self.end_run();
                }
            }
            DrawnLine::Title => {
                self.rows_to_skip = 0;
                self.end_run();
                // Within a grid, a title is a fault of the entry, and more of its rows can follow.
                if self.has_whole_grids() {
                    self.write_entry();
                }
            }
            DrawnLine::Row(symbols) => self.read_row(symbols),
            DrawnLine::Rows(rows) => {
                self.end_run();
                rows.into_iter().for_each(|row| self.read_row(row));
                self.end_run();
            }
        }
    }

    /// Reads a heading of an .sdk file. It ends the entry. The rows of a state or of notes are
    /// skipped if they follow a puzzle. But if the entry lacks only its answer, a state is this
    /// answer.
    fn read_heading(&mut self, heading: Heading) {
        self.end_run();
        let grids_before_answer = self.form.fields.number_of_grids() - 1;
        let lacks_answer = self.form.fields.answer
            && !self.entry.is_empty()
            && self.entry.len() == grids_before_answer * side_of(&self.entry);
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

    /// Reads a blank line. It ends a run. After the first skipped row, it also ends the rows to
    /// skip.
    fn read_blank_line(&mut self) {
        let has_skipped_row = self.rows_to_skip < self.last_side;
        if has_skipped_row {
            self.rows_to_skip = 0;
        }
        self.end_run();
    }

    /// Adds a row to the run, or skips it.
    fn read_row(&mut self, symbols: Vec<u8>) {
        if self.rows_to_skip > 0 {
            self.rows_to_skip -= 1;
        } else if self.run.len() < MAX_RUN {
            let line = self.lines;
            self.run.push(Row { line, symbols });
        }
    }

    /// Ends a run at a separator. If it consists of whole grids, adds each of them to an entry.
    /// Otherwise it has a fault, and all of its rows are added to one entry.
    fn end_run(&mut self) {
        let mut run = std::mem::take(&mut self.run);
        let side = side_of(&run);
        if run.is_empty() {
            return;
        }
        if !are_whole_grids(&run, side) {
            return self.add_rows(&run);
        }
        // Removes the lines of another width above the grids.
        run.retain(|row| row.symbols.len() == side);
        // If grids of another side follow, the entry ends, although it lacks a grid.
        if side != side_of(&self.entry) {
            self.write_entry();
        }
        run.chunks(side).for_each(|grid| self.add_rows(grid));
    }

    /// Adds a grid or the rows of a faulty run to the entry. Then ends the entry if it needs no
    /// grid after the puzzle, has all its grids, or has less than half of one.
    fn add_rows(&mut self, rows: &[Row]) {
        // If the separator before these rows is within a grid, an empty row marks it.
        if !self.has_whole_grids() {
            let (line, symbols) = (self.lines, Vec::new());
            self.entry.push(Row { line, symbols });
        }
        self.entry.extend_from_slice(rows);
        let (side, expected) = (side_of(&self.entry), self.form.fields.number_of_grids());
        let count = self.entry.iter().filter(|row| !row.symbols.is_empty()).count();
        // The rows of a faulty run count as the nearest number of grids: `count / side`, rounded;
        // half a grid is rounded down.
        let grids = (count + (side - 1) / 2) / side;
        if expected == 1 || grids >= expected || 2 * count < side {
            self.write_entry();
        }
    }

    /// Returns true if the entry is empty, or if its last row is the last row of a grid.
    fn has_whole_grids(&self) -> bool {
        self.entry.is_empty() || self.entry.len().is_multiple_of(side_of(&self.entry))
    }

    /// Ends the last entry at the end of the source. If a source has headings, titles or frames,
    /// but no rows, writes an entry without rows, which is invalid.
    fn end_source(&mut self) {
        self.end_run();
        self.write_entry();
        if !self.has_entries
            && let Some(line) = self.first_text
        {
            self.has_entries = true;
            self.add_span(self.text.len(), line);
        }
    }

    /// Ends the entry, if it has rows.
    fn write_entry(&mut self) {
        let Some(first) = self.entry.first() else {
            return;
        };
        let (begin, line) = (self.text.len(), first.line);
        self.last_side = side_of(&self.entry);
        self.has_entries = true;
        for (index, row) in self.entry.drain(..).enumerate() {
            self.text.extend_from_slice(if index > 0 { b" " } else { b"" });
            self.text.extend_from_slice(&row.symbols);
        }
        self.add_span(begin, line);
    }

    /// Adds the place of an entry whose first row is below this number of lines.
    fn add_span(&mut self, begin: usize, line: i64) {
        let (begin, end) = (begin as u32, self.text.len() as u32);
        self.spans.push(Span { begin, end, line: line - self.cut_lines });
    }
}

/// Returns true if a run of rows is one or more whole grids of N rows of N symbols. One line of
/// another width, such as the number of a puzzle, can be above each of them.
fn are_whole_grids(run: &[Row], side: usize) -> bool {
    // The parts between the lines of another width. The first part can be empty. Another empty part
    // means that no grid is below such a line.
    let grids = run.split(|row| row.symbols.len() != side);
    run.len() < MAX_RUN
        && grids.enumerate().all(|(number, rows)| {
            rows.len().is_multiple_of(side) && (number == 0 || !rows.is_empty())
        })
}

/// Returns the [`most_common_width`] of rows.
fn side_of(rows: &[Row]) -> usize {
    most_common_width(rows.iter().map(|row| row.symbols.len()))
}

/// Returns the most common width from 1 to `MAX_SIDE`, and the largest of equally common ones. If
/// no width is from 1 to `MAX_SIDE`, returns the largest width, or 0 if there are none.
pub(crate) fn most_common_width(widths: impl Iterator<Item = usize>) -> usize {
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
