//! Writes an entry and its findings as an output line: in columns, as a CSV record, or as a drawing. `columns.rs` writes the
//! values of the columns.

use super::batch::BatchFindings;
use super::read::{Entry, EntryState, ParsedTask};
use super::{Input, Mode};
use crate::rules::Place;
use crate::stream::{Message, MessageKind, OutputLines};
use crate::text::columns::Column;
use crate::text::csv::Header;
use crate::text::grid_output::GridWriter;
use crate::text::output_line::{Shown, write_output_line};
use crate::text::record::without_mark;
use crate::text::{csv, grid_input, hints};
use crate::verdict::Status;

/// An entry and the results that its output line shows.
#[derive(Clone, Copy)]
pub(super) struct EntryWriter<'p, 'a> {
    pub parsed: &'p ParsedTask<'a>,
    pub findings: &'p [BatchFindings],
    /// The index of the entry.
    pub index: usize,
    pub status: Status,
    /// With `--all`, the solution to write.
    pub solution: Option<&'p [u8]>,
}

impl<'a> ParsedTask<'a> {
    /// Returns the status of an entry, or `None` if it is not known yet. Comments, blank lines and headers have none.
    pub fn status(&self, findings: &[BatchFindings], entry: &Entry<'a>) -> Option<Status> {
        match entry.state {
            EntryState::Copied | EntryState::Header => None,
            EntryState::Decided { status, .. } => Some(status),
            EntryState::Failed { .. } => Some(Status::Unknown),
            EntryState::Open { batch, index } => {
                let found = &findings[batch as usize];
                let status = found.statuses[index as usize]?;
                if status == Status::Unique && found.awaits_minimization(index as usize) {
                    return None;
                }
                Some(match self.pipeline.options.mode {
                    Mode::Verify { .. } => status_of_answer(status),
                    Mode::Reveal(place) if self.is_given(batch, index, place) => Status::Given,
                    _ => status,
                })
            }
        }
    }

    fn is_given(&self, batch: u32, index: u32, place: Place) -> bool {
        let batch = &self.batches[batch as usize];
        let cell = place.cell(batch.cells.isqrt());
        batch.givens(index as usize).fill(cell)
    }

    /// Writes and counts an entry. Returns false, and writes nothing, if its results are not complete yet.
    #[inline(always)]
    pub fn write(
        &self,
        findings: &[BatchFindings],
        index: usize,
        output: &mut OutputLines,
    ) -> bool {
        let entry = &self.entries[index];
        (self.pipeline.writes_plain && self.write_plain(findings, entry, output))
            || self.write_any(findings, index, output)
    }

    fn write_any(
        &self,
        findings: &[BatchFindings],
        index: usize,
        output: &mut OutputLines,
    ) -> bool {
        let entry = &self.entries[index];
        if matches!(entry.state, EntryState::Copied | EntryState::Header) {
            self.copy_through(entry, output);
            return true;
        }
        let Some(status) = self.status(findings, entry) else {
            return false;
        };
        self.count(index, status, output);
        if self.is_shown(status) {
            let writer = EntryWriter {
                parsed: self,
                findings,
                index,
                status,
                solution: None,
            };
            writer.write(&mut output.bytes);
        }
        true
    }

    /// Writes an entry whose output line is a solution and its status, or a correct answer. Nearly all entries are of this
    /// kind. Returns false for other entries.
    #[inline(always)]
    fn write_plain(
        &self,
        findings: &[BatchFindings],
        entry: &Entry<'a>,
        output: &mut OutputLines,
    ) -> bool {
        let (shown, status, reason) = match entry.state {
            EntryState::Open { batch, index } => {
                let (found, index) = (&findings[batch as usize], index as usize);
                let Some(status @ (Status::Unique | Status::Multiple)) = found.statuses[index]
                else {
                    return false;
                };
                (Shown::Grid(found.solution(index), entry.case), status, None)
            }
            EntryState::Decided {
                status: status @ Status::Correct,
                reason: None,
            } => (Shown::Field(&entry.shown), status, Some("-")),
            _ => return false,
        };
        let alphabet = &self.pipeline.options.alphabet;
        write_output_line(shown, status, reason, alphabet, &mut output.bytes);
        output.tally.add(status);
        true
    }

    pub fn is_shown(&self, status: Status) -> bool {
        let shown = self.pipeline.options.shown.as_ref();
        shown.is_none_or(|shown| shown.contains(&status))
    }

    /// Counts an entry by its status. Adds a message if the line is invalid or caused an internal error.
    pub fn count(&self, index: usize, status: Status, output: &mut OutputLines) {
        output.tally.add(status);
        let entry = &self.entries[index];
        let kind = match entry.state {
            EntryState::Failed { .. } => MessageKind::InternalError,
            _ if status == Status::Invalid => MessageKind::InvalidLine,
            _ => return,
        };
        output.messages.push(Message {
            line: self.number(index),
            reason: self.reason_of(entry).to_string(),
            kind,
        });
    }

    /// Adds the hint about a line of the task, if its entry is among the first `written`.
    pub fn add_hint(&self, written: usize, messages: &mut Vec<Message>) {
        let Some(index) = self.hint.get().filter(|&index| index < written) else {
            return;
        };
        self.hint.set(None);
        let line = self.number(index);
        let at = messages.partition_point(|message| message.line < line);
        let hint = Message {
            line,
            kind: MessageKind::Hint,
            reason: hints::LAYOUT_HINT.to_string(),
        };
        messages.insert(at, hint);
    }

    pub fn reason_of(&self, entry: &Entry<'a>) -> &str {
        match entry.state {
            EntryState::Decided {
                reason: Some(reason),
                ..
            }
            | EntryState::Failed { reason } => self.reason(reason),
            _ => "-",
        }
    }

    /// Returns the number of an entry's line in its file.
    pub fn number(&self, index: usize) -> u64 {
        match self.pipeline.options.input {
            Input::Drawn => grid_input::split_number(self.entries[index].line).0,
            _ => self.task.first_line + index as u64,
        }
    }

    /// Writes a comment or a blank line, unless only lines of some statuses are written. Writes the first CSV header only.
    fn copy_through(&self, entry: &Entry<'a>, output: &mut OutputLines) {
        if matches!(entry.state, EntryState::Header) {
            return self.write_header(&mut output.bytes);
        }
        if self.pipeline.options.shown.is_none() {
            output.bytes.extend_from_slice(&entry.shown);
            output.bytes.push(b'\n');
        }
    }

    fn write_header(&self, bytes: &mut Vec<u8>) {
        let Some((source, header)) = self.pipeline.header() else {
            return;
        };
        if self.task.source != *source {
            return;
        }
        bytes.extend_from_slice(&header.line);
        for column in &self.pipeline.options.columns {
            bytes.push(header.separator);
            let name = header.unused_name(&column.to_string());
            csv::write_field(name.as_bytes(), header.separator, bytes);
        }
        bytes.push(b'\n');
    }
}

/// Returns the status of a correct answer to a puzzle of this status.
fn status_of_answer(status: Status) -> Status {
    match status {
        Status::Unique => Status::Correct,
        Status::Multiple => Status::Ambiguous,
        Status::None => unreachable!("the answer is a solution"),
        other => other,
    }
}

impl<'p, 'a> EntryWriter<'p, 'a> {
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let pipeline = self.parsed.pipeline;
        if pipeline.options.drawing.is_some() {
            self.draw(bytes);
        } else if pipeline.options.input == Input::Csv {
            self.write_record(bytes);
        } else if pipeline.has_default_columns {
            self.write_default_columns(bytes);
        } else {
            self.write_columns(bytes);
        }
    }

    pub fn entry(&self) -> &'p Entry<'a> {
        &self.parsed.entries[self.index]
    }

    /// Returns true if the line is invalid or caused an internal error. Its output line then shows the input line.
    pub fn is_unread(&self) -> bool {
        self.status == Status::Invalid || matches!(self.entry().state, EntryState::Failed { .. })
    }

    pub fn columns(&self) -> &'p [Column] {
        &self.parsed.pipeline.options.columns
    }

    /// Writes the default columns of the mode.
    fn write_default_columns(&self, bytes: &mut Vec<u8>) {
        let entry = self.entry();
        let mode = self.parsed.pipeline.options.mode;
        let puzzle = self.shown();
        let shown = match (mode, self.solved()) {
            _ if self.is_unread() => Shown::Line(self.line()),
            (Mode::Solve, Some(solution)) => Shown::Grid(solution, entry.case),
            _ => Shown::Field(&puzzle),
        };
        let reason = match mode {
            Mode::Verify { .. } => Some(self.parsed.reason_of(entry)),
            _ => None,
        };
        let alphabet = &self.parsed.pipeline.options.alphabet;
        write_output_line(shown, self.status, reason, alphabet, bytes);
    }

    fn write_columns(&self, bytes: &mut Vec<u8>) {
        for (index, column) in self.columns().iter().enumerate() {
            bytes.extend_from_slice(if index > 0 { b"\t" } else { b"" });
            self.write_field(index, column, bytes);
        }
        bytes.push(b'\n');
    }

    /// Writes a column, or `-` if it has no value.
    fn write_field(&self, index: usize, column: &Column, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        self.write_column(index, column, bytes);
        if bytes.len() == start {
            bytes.push(b'-');
        }
    }

    /// Writes the columns of the input, then those of `-o`. A line that is not a record becomes the first column.
    fn write_record(&self, bytes: &mut Vec<u8>) {
        let line = self.entry().line;
        // The entry of an unread line holds the whole line.
        let record = match self.is_unread() {
            true => without_mark(line),
            false => line,
        };
        let header = self.parsed.pipeline.header().map(|(_, header)| header);
        let separator = header.map_or(b',', |header| header.separator);
        // An invalid line is a record if the fault is in one of its fields.
        let is_record =
            !self.is_unread() || header.is_some_and(|header| header.split(record).is_ok());
        if is_record {
            bytes.extend_from_slice(record);
        } else {
            csv::write_field(line, separator, bytes);
            for _ in 1..header.map_or(1, Header::width) {
                bytes.extend_from_slice(&[separator, b'-']);
            }
        }
        let mut field = Vec::new();
        for (index, column) in self.columns().iter().enumerate() {
            field.clear();
            match is_record || !column.shows_grid() {
                true => self.write_field(index, column, &mut field),
                false => field.push(b'-'),
            }
            bytes.push(separator);
            csv::write_field(&field, separator, bytes);
        }
        bytes.push(b'\n');
    }

    /// Draws each column that shows a grid, and writes the other columns on a line below.
    fn draw(&self, bytes: &mut Vec<u8>) {
        let mut others = Vec::new();
        for (index, column) in self.columns().iter().enumerate() {
            let grid = match self.is_unread() {
                true => None,
                false => self.grid_of(column),
            };
            if let Some(grid) = grid {
                self.draw_grid(&grid, bytes);
                continue;
            }
            others.extend_from_slice(if others.is_empty() { b"" } else { b"\t" });
            self.write_field(index, column, &mut others);
        }
        bytes.extend_from_slice(&others);
        bytes.extend_from_slice(if others.is_empty() { b"\n" } else { b"\n\n" });
    }

    /// Returns the digits of the grid that a column shows, or `None` if it shows none.
    fn grid_of(&self, column: &Column) -> Option<Vec<u8>> {
        let field = match column {
            Column::Solution if self.solved().is_some() => {
                return self.solved().map(<[u8]>::to_vec);
            }
            Column::Second => return self.second().map(<[u8]>::to_vec),
            Column::Solution => self.entry().shown.clone(),
            Column::Puzzle | Column::Answer => self.field(column),
            _ => return None,
        };
        let digits = self.digits(&field);
        (!digits.is_empty()).then_some(digits)
    }

    fn draw_grid(&self, grid: &[u8], bytes: &mut Vec<u8>) {
        let options = &self.parsed.pipeline.options;
        let Some(drawing) = options.drawing else {
            return;
        };
        let Some(ruleset) = self.parsed.ruleset_of(self.entry()) else {
            return;
        };
        let givens = self.digits(&self.fields().puzzle);
        let drawing = GridWriter {
            rules: &ruleset.rules,
            givens: if givens.len() == grid.len() {
                &givens
            } else {
                grid
            },
            alphabet: &options.alphabet,
            case: self.entry().case,
            color: drawing.color,
        };
        drawing.draw(grid, bytes);
    }
}
