//! What is known of a line to the bytes of its row: as columns, as CSV behind the columns that came, or drawn.

use std::borrow::Cow;

use super::batch::{Findings, Kit, Minimal};
use super::page::{Page, Row, State};
use super::{Input, Mode};
use crate::columns::Column;
use crate::csv::{self, Header};
use crate::draw;
use crate::drawn::rows_of;
use crate::filter::{Message, Rows};
use crate::pencil::Paper;
use crate::puzzle::Case;
use crate::render::{Shown, write_row};
use crate::rules::Place;
use crate::solver::Givens;
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
    pub fn write(&self, findings: &[Findings], index: usize, done: &mut Rows) -> bool {
        let row = &self.rows[index];
        if self.answerer.solves_only && self.write_solved(findings, row, done) {
            return true;
        }
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

    /// Writes a row if it is a solution and its status, as nearly all are.
    #[inline]
    fn write_solved(&self, findings: &[Findings], row: &Row<'a>, done: &mut Rows) -> bool {
        let State::Open { batch, index } = row.state else {
            return false;
        };
        let (found, index) = (&findings[batch as usize], index as usize);
        let Some(status @ (Status::Unique | Status::Multiple)) = found.statuses[index] else {
            return false;
        };
        let solution = Shown::Grid(found.solution(index), row.case);
        let alphabet = &self.answerer.options.alphabet;
        write_row(solution, status, None, alphabet, &mut done.bytes);
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
        if status == Status::Invalid {
            done.messages.push(Message {
                line: self.number(index),
                reason: self.reason_of(&self.rows[index]).to_string(),
            });
        }
    }

    fn reason_of(&self, row: &Row<'a>) -> &str {
        match row.state {
            State::Decided {
                reason: Some(reason),
                ..
            } => self.reason(reason),
            _ => "-",
        }
    }

    /// The number of a row's line in its file.
    fn number(&self, index: usize) -> u64 {
        match self.answerer.options.input {
            Input::Drawn => rows_of(self.rows[index].line).0,
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
            bytes.push(b',');
            csv::write_field(header.name_beside(&column.to_string()).as_bytes(), bytes);
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

    fn row(&self) -> &'p Row<'a> {
        &self.page.rows[self.index]
    }

    fn columns(&self) -> &'p [Column] {
        &self.page.answerer.options.columns
    }

    /// The columns that are usual: nearly all rows are written so.
    fn write_brief(&self, bytes: &mut Vec<u8>) {
        let row = self.row();
        let mode = self.page.answerer.options.mode;
        let puzzle = self.shown();
        let shown = match (mode, self.solved()) {
            _ if self.status == Status::Invalid => Shown::Line(self.line()),
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
            let start = bytes.len();
            self.write_column(index, column, bytes);
            if bytes.len() == start {
                bytes.push(b'-');
            }
        }
        bytes.push(b'\n');
    }

    /// The columns that came, and behind them those of ours. A line that has no columns stands in the first.
    fn write_record(&self, bytes: &mut Vec<u8>) {
        let line = self.row().line;
        let header = self.page.answerer.header().map(|(_, header)| header);
        let is_record = header.is_some_and(|header| header.parts(line).is_ok());
        if is_record {
            bytes.extend_from_slice(line);
        } else {
            csv::write_field(line, bytes);
            for _ in 1..header.map_or(1, Header::width) {
                bytes.extend_from_slice(b",-");
            }
        }
        let mut field = Vec::new();
        for (index, column) in self.columns().iter().enumerate() {
            field.clear();
            if is_record || !column.shows_grid() {
                self.write_column(index, column, &mut field);
            }
            bytes.push(b',');
            csv::write_field(if field.is_empty() { b"-" } else { &field }, bytes);
        }
        bytes.push(b'\n');
    }

    fn write_column(&self, index: usize, column: &Column, bytes: &mut Vec<u8>) {
        if self.status == Status::Invalid {
            return self.write_invalid(index, column, bytes);
        }
        let options = &self.page.answerer.options;
        let case = self.row().case;
        let text = |bytes: &mut Vec<u8>, text: &str| bytes.extend_from_slice(text.as_bytes());
        match column {
            Column::Input => bytes.extend_from_slice(self.line()),
            Column::Line => text(bytes, &self.page.number(self.index).to_string()),
            Column::Status => text(bytes, self.status.name()),
            Column::Reason => text(bytes, self.page.reason_of(self.row())),
            Column::Puzzle | Column::Answer | Column::Regions => {
                bytes.extend_from_slice(&self.field(column));
            }
            Column::Rest => bytes.extend_from_slice(self.parts().rest),
            Column::Carried(name) => bytes.extend_from_slice(self.carried(name)),
            Column::Solution => match self.solved() {
                Some(solution) => options.alphabet.write(solution, case, bytes),
                None => bytes.extend_from_slice(&self.row().shown),
            },
            Column::Second => {
                if let Some(second) = self.second() {
                    options.alphabet.write(second, case, bytes);
                }
            }
            Column::Solutions => text(bytes, &self.number_of_solutions()),
            Column::Guesses => {
                if let Some((found, index)) = self.found() {
                    text(bytes, &found.more[index].guesses.to_string());
                }
            }
            Column::Givens => text(bytes, &self.givens().to_string()),
            Column::Grade | Column::Steps | Column::Hint => text(bytes, &self.by_hand(column)),
            Column::Minimal => text(bytes, self.minimal()),
            Column::Canonical => self.write_canonical(bytes),
        }
    }

    /// The line as it came stands in the first column that shows a grid; there is nothing else to be told of it but where
    /// it was and what is wrong with it.
    fn write_invalid(&self, index: usize, column: &Column, bytes: &mut Vec<u8>) {
        let columns = self.columns();
        match column {
            Column::Status => bytes.extend_from_slice(self.status.name().as_bytes()),
            Column::Reason => bytes.extend_from_slice(self.page.reason_of(self.row()).as_bytes()),
            Column::Line => {
                bytes.extend_from_slice(self.page.number(self.index).to_string().as_bytes());
            }
            Column::Input => bytes.extend_from_slice(self.line()),
            _ if columns.iter().position(Column::shows_grid) == Some(index) => {
                let line = self.line().iter();
                bytes.extend(line.map(|&byte| if byte == b'\t' { b' ' } else { byte }));
            }
            _ => {}
        }
    }

    /// The line as it came; of a drawing its rows.
    fn line(&self) -> &'p [u8] {
        let line = self.row().line;
        match self.page.answerer.options.input {
            Input::Drawn => {
                let behind = memchr::memchr(b' ', line).map_or(line.len(), |end| end + 1);
                &line[behind..]
            }
            _ => line,
        }
    }

    fn parts(&self) -> crate::record::Parts<'a> {
        self.page.parts(self.row().line).unwrap_or_default()
    }

    fn field(&self, column: &Column) -> Cow<'p, [u8]>
    where
        'a: 'p,
    {
        let options = &self.page.answerer.options;
        let field = match column {
            Column::Puzzle if !options.verifies() => return self.shown(),
            Column::Answer if options.verifies() => return Cow::Borrowed(&self.row().shown),
            Column::Puzzle => Some(self.parts().puzzle),
            Column::Answer => self.parts().answer,
            _ => match &options.regions {
                Some(regions) if options.variants.have_regions() => Some(Cow::Borrowed(&**regions)),
                _ => self.parts().regions,
            },
        };
        field.unwrap_or_default()
    }

    /// The puzzle as it came, or what a mode makes of it; the answer where answers are checked.
    fn shown(&self) -> Cow<'p, [u8]> {
        let row = self.row();
        let text = &*row.shown;
        let options = &self.page.answerer.options;
        let (Some((found, index)), Status::Unique) = (self.found(), self.status) else {
            return Cow::Borrowed(text);
        };
        match options.mode {
            Mode::Reveal(place) => {
                let solution = found.solution(index);
                let cell = place.cell(solution.len().isqrt());
                let symbol = options.alphabet.symbol(solution[cell], row.case) as u8;
                Cow::Owned(self.with_cell(text, cell, solution, symbol))
            }
            Mode::Minimize => {
                let left = found.reduced[index].as_deref().unwrap_or_default();
                let blank = options.alphabet.blank_of(text);
                let cells = text.iter().zip(left);
                let kept = cells.map(|(&symbol, &digit)| if digit == 0 { blank } else { symbol });
                Cow::Owned(kept.collect())
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// A puzzle with one more cell filled in.
    fn with_cell(&self, text: &[u8], cell: usize, solution: &[u8], symbol: u8) -> Vec<u8> {
        let mut text = text.to_vec();
        if text.len() == solution.len() {
            text[cell] = symbol;
        } else {
            // Pencilmarks: nine for a cell, of which one is left.
            let side = solution.len().isqrt();
            let blank = self.page.answerer.options.alphabet.blank_of(&text);
            let marks = &mut text[cell * side..][..side];
            marks.fill(blank);
            marks[usize::from(solution[cell]) - 1] = symbol;
        }
        text
    }

    fn carried(&self, name: &str) -> &'p [u8] {
        let Input::Named(names) = &self.page.answerer.options.input else {
            return &[];
        };
        let line = self.row().line;
        let field = names
            .index_of(name)
            .and_then(|index| names.field(line, index));
        field.unwrap_or_default()
    }

    /// Where the row's grid was solved, if it was.
    fn found(&self) -> Option<(&'p Findings, usize)> {
        match self.row().state {
            State::Open { batch, index } => Some((&self.findings[batch as usize], index as usize)),
            _ => None,
        }
    }

    fn solved(&self) -> Option<&'p [u8]> {
        if matches!(self.page.answerer.options.mode, Mode::All(_)) {
            return self.solution;
        }
        let (found, index) = self.found()?;
        match found.statuses[index] {
            Some(Status::Unique | Status::Multiple) => Some(found.solution(index)),
            _ => None,
        }
    }

    fn second(&self) -> Option<&'p [u8]> {
        let (found, index) = self.found()?;
        let cells = self.solved()?.len();
        found.more[index].shown.get(cells..2 * cells)
    }

    /// `2`; `2+` where there are more, or may be.
    fn number_of_solutions(&self) -> String {
        let Some((found, index)) = self.found() else {
            return String::new();
        };
        let more = &found.more[index];
        let most = self.page.answerer.options.count;
        match self.status {
            Status::Unknown => String::new(),
            _ if more.solutions > most || !more.complete => {
                format!("{}+", more.solutions.min(most))
            }
            _ => more.solutions.to_string(),
        }
    }

    fn givens(&self) -> usize {
        let digits = self.digits(&self.field(&Column::Puzzle));
        let givens = match self.givens_left() {
            // Of pencilmarks those that came; no mode takes any away.
            Some((_, givens @ Givens::Candidates(_))) => givens,
            _ => Givens::Digits(&digits),
        };
        (0..givens.cells())
            .filter(|&cell| givens.fill(cell))
            .count()
    }

    /// The puzzle whose solution is known to be the only one, as the `puzzle` column shows it.
    fn givens_left(&self) -> Option<(&'p Kit, Givens<'p>)> {
        let State::Open { batch, index } = self.row().state else {
            return None;
        };
        let found = &self.findings[batch as usize];
        let (batch, index) = (&self.page.batches[batch as usize], index as usize);
        let kit = batch.by.kit(index);
        match found.reduced.get(index) {
            Some(Some(left)) => Some((kit, Givens::Digits(left))),
            _ => Some((kit, batch.puzzle(index).givens)),
        }
    }

    /// The digits of a field that was read before.
    fn digits(&self, field: &[u8]) -> Vec<u8> {
        let mut digits = Vec::with_capacity(field.len());
        let alphabet = &self.page.answerer.options.alphabet;
        let _ = alphabet.read(field, field.len().isqrt(), &mut digits);
        digits
    }

    /// What a person makes of a puzzle with one solution.
    fn by_hand(&self, column: &Column) -> String {
        let puzzle = self.givens_left();
        let (Some((kit, givens)), Some(Status::Unique)) = (puzzle, self.findings_status()) else {
            return String::new();
        };
        let pencil = kit.pencil();
        let mut paper = Paper::default();
        let alphabet = &self.page.answerer.options.alphabet;
        let symbol = |digit| alphabet.symbol(digit, self.row().case);
        match column {
            Column::Hint => {
                let hint = pencil.hint(givens, &mut paper);
                hint.map(|step| step.text(symbol)).unwrap_or_default()
            }
            Column::Steps => pencil.work(givens, &mut paper).steps.to_string(),
            _ => pencil.work(givens, &mut paper).grade().to_string(),
        }
    }

    fn findings_status(&self) -> Option<Status> {
        self.found()
            .and_then(|(found, index)| found.statuses[index])
    }

    fn minimal(&self) -> &'static str {
        let known = self.found().and_then(|(found, index)| found.minimal[index]);
        match known {
            Some(Minimal::Yes) => "yes",
            Some(Minimal::No) => "no",
            Some(Minimal::Unknown) | None => "",
        }
    }

    fn write_canonical(&self, bytes: &mut Vec<u8>) {
        let Some((kit, Givens::Digits(grid))) = self.givens_left() else {
            return;
        };
        let Some(canonical) = kit.canonical() else {
            return;
        };
        let mut form = Vec::new();
        canonical.form(grid, &mut form);
        let (grid, regions) = form.split_at(grid.len());
        let alphabet = &self.page.answerer.options.alphabet;
        alphabet.write(grid, Case::default(), bytes);
        bytes.extend(regions.iter().map(|region| b'A' + region));
    }

    /// Each column that shows a grid as a drawing, the others on a line below it.
    fn draw(&self, bytes: &mut Vec<u8>) {
        let mut others = Vec::new();
        for (index, column) in self.columns().iter().enumerate() {
            let grid = match self.status {
                Status::Invalid => None,
                _ => self.grid_of(column),
            };
            if let Some(grid) = grid {
                self.draw_grid(&grid, bytes);
                continue;
            }
            others.extend_from_slice(if others.is_empty() { b"" } else { b"\t" });
            let start = others.len();
            self.write_column(index, column, &mut others);
            if others.len() == start {
                others.push(b'-');
            }
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
        let drawing = draw::Drawing {
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
