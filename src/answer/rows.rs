//! What is known of a line to the bytes of its row: as columns, as CSV behind the columns that came, or drawn. What stands
//! in each column is for the fields.

use super::batch::Findings;
use super::page::{Page, Row, State};
use super::{Input, Mode};
use crate::columns::Column;
use crate::csv::{self, Header};
use crate::filter::{Message, MessageKind, Rows};
use crate::grid_input;
use crate::grid_output::GridWriter;
use crate::hints;
use crate::record::without_mark;
use crate::render::{Shown, write_row};
use crate::rules::Place;
use crate::verdict::Status;

/// What a row is written from.
#[derive(Clone, Copy)]
pub(super) struct View<'p, 'a> {
    pub page: &'p Page<'a>,
    pub findings: &'p [Findings],
    /// The index of the row.
    pub index: usize,
    pub status: Status,
    /// Another solution than the first, where all are asked for.
    pub solution: Option<&'p [u8]>,
}

impl<'a> Page<'a> {
    /// What is said of a row, once it is known; comments have no status.
    pub fn status(&self, findings: &[Findings], row: &Row<'a>) -> Option<Status> {
        match row.state {
            State::Copied | State::Header => None,
            State::Decided { status, .. } => Some(status),
            State::Failed { .. } => Some(Status::Unknown),
            State::Open { batch, index } => {
                let found = &findings[batch as usize];
                let status = found.statuses[index as usize]?;
                if status == Status::Unique && found.is_to_be_reduced(index as usize) {
                    return None;
                }
                Some(match self.answerer.options.mode {
                    Mode::Verify { .. } => of_answer(status),
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

    /// Writes a row of which everything is known, and counts it; false if something is not known yet.
    #[inline(always)]
    pub fn write(&self, findings: &[Findings], index: usize, done: &mut Rows) -> bool {
        let row = &self.rows[index];
        (self.answerer.usual && self.write_usual(findings, row, done))
            || self.write_any(findings, index, done)
    }

    fn write_any(&self, findings: &[Findings], index: usize, done: &mut Rows) -> bool {
        let row = &self.rows[index];
        if matches!(row.state, State::Copied | State::Header) {
            self.copy_through(row, done);
            return true;
        }
        let Some(status) = self.status(findings, row) else {
            return false;
        };
        self.count(index, status, done);
        if self.is_shown(status) {
            let view = View {
                page: self,
                findings,
                index,
                status,
                solution: None,
            };
            view.write(&mut done.bytes);
        }
        true
    }

    /// Writes a row if it is a solution and its status, or a right answer, as nearly all are.
    #[inline(always)]
    fn write_usual(&self, findings: &[Findings], row: &Row<'a>, done: &mut Rows) -> bool {
        let (shown, status, reason) = match row.state {
            State::Open { batch, index } => {
                let (found, index) = (&findings[batch as usize], index as usize);
                let Some(status @ (Status::Unique | Status::Multiple)) = found.statuses[index]
                else {
                    return false;
                };
                (Shown::Grid(found.solution(index), row.case), status, None)
            }
            State::Decided {
                status: status @ Status::Correct,
                reason: None,
            } => (Shown::Field(&row.shown), status, Some("-")),
            _ => return false,
        };
        let alphabet = &self.answerer.options.alphabet;
        write_row(shown, status, reason, alphabet, &mut done.bytes);
        done.tally.add(status);
        true
    }

    pub fn is_shown(&self, status: Status) -> bool {
        let shown = self.answerer.options.shown.as_ref();
        shown.is_none_or(|shown| shown.contains(&status))
    }

    /// Counts a line, and tells what is wrong with it.
    pub fn count(&self, index: usize, status: Status, done: &mut Rows) {
        done.tally.add(status);
        let row = &self.rows[index];
        let kind = match row.state {
            State::Failed { .. } => MessageKind::InternalError,
            _ if status == Status::Invalid => MessageKind::InvalidLine,
            _ => return,
        };
        done.messages.push(Message {
            line: self.number(index),
            reason: self.reason_of(row).to_string(),
            kind,
        });
    }

    /// Adds the hint about a line of the task, once its row is among the first `written`.
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
            reason: hints::JIGSAW.to_string(),
        };
        messages.insert(at, hint);
    }

    pub fn reason_of(&self, row: &Row<'a>) -> &str {
        match row.state {
            State::Decided {
                reason: Some(reason),
                ..
            }
            | State::Failed { reason } => self.reason(reason),
            _ => "-",
        }
    }

    /// The number of a row's line in its file.
    pub fn number(&self, index: usize) -> u64 {
        match self.answerer.options.input {
            Input::Drawn => grid_input::split_number(self.rows[index].line).0,
            _ => self.task.first_line + index as u64,
        }
    }

    /// Comments and blank lines, which are left out where lines are picked; and the header of CSV, once.
    fn copy_through(&self, row: &Row<'a>, done: &mut Rows) {
        if matches!(row.state, State::Header) {
            return self.write_header(&mut done.bytes);
        }
        if self.answerer.options.shown.is_none() {
            done.bytes.extend_from_slice(&row.shown);
            done.bytes.push(b'\n');
        }
    }

    fn write_header(&self, bytes: &mut Vec<u8>) {
        let Some((source, header)) = self.answerer.header() else {
            return;
        };
        if self.task.source != *source {
            return;
        }
        bytes.extend_from_slice(&header.line);
        for column in &self.answerer.options.columns {
            bytes.push(header.separator);
            let name = header.unused_name(&column.to_string());
            csv::write_field(name.as_bytes(), header.separator, bytes);
        }
        bytes.push(b'\n');
    }
}

/// What the number of solutions says of an answer that keeps the rules.
fn of_answer(status: Status) -> Status {
    match status {
        Status::Unique => Status::Correct,
        Status::Multiple => Status::Ambiguous,
        Status::None => unreachable!("the answer is a solution"),
        other => other,
    }
}

impl<'p, 'a> View<'p, 'a> {
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let answerer = self.page.answerer;
        if answerer.options.drawing.is_some() {
            self.draw(bytes);
        } else if answerer.options.input == Input::Csv {
            self.write_record(bytes);
        } else if answerer.brief {
            self.write_brief(bytes);
        } else {
            self.write_columns(bytes);
        }
    }

    pub fn row(&self) -> &'p Row<'a> {
        &self.page.rows[self.index]
    }

    /// True if the row shows its line as it came: no puzzle was read, or what was read caused an internal error.
    pub fn is_unread(&self) -> bool {
        self.status == Status::Invalid || matches!(self.row().state, State::Failed { .. })
    }

    pub fn columns(&self) -> &'p [Column] {
        &self.page.answerer.options.columns
    }

    /// The columns that are usual: nearly all rows are written so.
    fn write_brief(&self, bytes: &mut Vec<u8>) {
        let row = self.row();
        let mode = self.page.answerer.options.mode;
        let puzzle = self.shown();
        let shown = match (mode, self.solved()) {
            _ if self.is_unread() => Shown::Line(self.line()),
            (Mode::Solve, Some(solution)) => Shown::Grid(solution, row.case),
            _ => Shown::Field(&puzzle),
        };
        let reason = match mode {
            Mode::Verify { .. } => Some(self.page.reason_of(row)),
            _ => None,
        };
        let alphabet = &self.page.answerer.options.alphabet;
        write_row(shown, self.status, reason, alphabet, bytes);
    }

    fn write_columns(&self, bytes: &mut Vec<u8>) {
        for (index, column) in self.columns().iter().enumerate() {
            bytes.extend_from_slice(if index > 0 { b"\t" } else { b"" });
            self.write_field(index, column, bytes);
        }
        bytes.push(b'\n');
    }

    /// No field is ever empty.
    fn write_field(&self, index: usize, column: &Column, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        self.write_column(index, column, bytes);
        if bytes.len() == start {
            bytes.push(b'-');
        }
    }

    /// The columns that came, and behind them those of ours. A line that has no columns stands in the first.
    fn write_record(&self, bytes: &mut Vec<u8>) {
        let line = self.row().line;
        // The row of an unread line holds all of it.
        let record = match self.is_unread() {
            true => without_mark(line),
            false => line,
        };
        let header = self.page.answerer.header().map(|(_, header)| header);
        let separator = header.map_or(b',', |header| header.separator);
        // A record that was read, or one with a fault elsewhere.
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

    /// Each column that shows a grid as a drawing, the others on a line below it.
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

    /// The grid a column shows.
    fn grid_of(&self, column: &Column) -> Option<Vec<u8>> {
        let field = match column {
            Column::Solution if self.solved().is_some() => {
                return self.solved().map(<[u8]>::to_vec);
            }
            Column::Second => return self.second().map(<[u8]>::to_vec),
            Column::Solution => self.row().shown.clone(),
            Column::Puzzle | Column::Answer => self.field(column),
            _ => return None,
        };
        let digits = self.digits(&field);
        (!digits.is_empty()).then_some(digits)
    }

    fn draw_grid(&self, grid: &[u8], bytes: &mut Vec<u8>) {
        let options = &self.page.answerer.options;
        let Some(drawing) = options.drawing else {
            return;
        };
        let Some(kit) = self.page.kit_of(self.row()) else {
            return;
        };
        let givens = self.digits(&self.parts().puzzle);
        let drawing = GridWriter {
            rules: &kit.rules,
            givens: if givens.len() == grid.len() {
                &givens
            } else {
                grid
            },
            alphabet: &options.alphabet,
            case: self.row().case,
            color: drawing.color,
        };
        drawing.draw(grid, bytes);
    }
}
