//! What stands in each column of a row, from what is known of its line.

use std::borrow::Cow;

use super::batch::{Findings, Kit, Minimal};
use super::page::State;
use super::rows::View;
use super::{Input, Mode};
use crate::columns::Column;
use crate::grid_input;
use crate::pencil::Paper;
use crate::record::RecordFields;
use crate::render::write_line;
use crate::solver::Givens;
use crate::symbols::Case;
use crate::verdict::Status;

/// What a person makes of puzzles: the paper they are worked on, and what came of the last.
#[derive(Default)]
pub(super) struct ByHand {
    paper: Paper,
    /// The index of its row, its grade, and the steps taken.
    last: Option<(usize, &'static str, u32)>,
}

impl<'p, 'a> View<'p, 'a> {
    pub fn write_column(&self, index: usize, column: &Column, bytes: &mut Vec<u8>) {
        let options = &self.page.answerer.options;
        let case = self.row().case;
        let text = |bytes: &mut Vec<u8>, text: &str| bytes.extend_from_slice(text.as_bytes());
        match column {
            Column::Input => bytes.extend_from_slice(self.line()),
            Column::Line => text(bytes, &self.page.number(self.index).to_string()),
            Column::Status => text(bytes, self.status.name()),
            Column::Reason => text(bytes, self.page.reason_of(self.row())),
            _ if self.is_unread() => self.write_unread(index, bytes),
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

    /// Writes the line as it came into the first column that shows a grid. The other columns of an unread line are empty.
    fn write_unread(&self, index: usize, bytes: &mut Vec<u8>) {
        if self.columns().iter().position(Column::shows_grid) == Some(index) {
            write_line(self.line(), bytes);
        }
    }

    /// The line as it came; of a drawing its rows.
    pub fn line(&self) -> &'p [u8] {
        let line = self.row().line;
        match self.page.answerer.options.input {
            Input::Drawn => grid_input::split_number(line).1,
            _ => line,
        }
    }

    pub fn parts(&self) -> RecordFields<'a> {
        self.page.parts(self.row().line).unwrap_or_default()
    }

    pub fn field(&self, column: &Column) -> Cow<'p, [u8]>
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
    pub fn shown(&self) -> Cow<'p, [u8]> {
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

    pub fn solved(&self) -> Option<&'p [u8]> {
        if matches!(self.page.answerer.options.mode, Mode::All(_)) {
            return self.solution;
        }
        let (found, index) = self.found()?;
        match found.statuses[index] {
            Some(Status::Unique | Status::Multiple) => Some(found.solution(index)),
            _ => None,
        }
    }

    pub fn second(&self) -> Option<&'p [u8]> {
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
            _ => Some((kit, batch.givens(index))),
        }
    }

    /// The digits of a field that was read before.
    pub fn digits(&self, field: &[u8]) -> Vec<u8> {
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
        let ByHand { paper, last } = &mut *self.page.by_hand.borrow_mut();
        if *column == Column::Hint {
            let alphabet = &self.page.answerer.options.alphabet;
            let symbol = |digit| alphabet.symbol(digit, self.row().case);
            let hint = kit.pencil().hint(givens, paper);
            return hint.map(|step| step.text(symbol)).unwrap_or_default();
        }
        let (_, grade, steps) = match *last {
            Some(known) if known.0 == self.index => known,
            _ => {
                let grading = kit.pencil().work(givens, paper);
                *last.insert((self.index, grading.grade(), grading.steps))
            }
        };
        match column {
            Column::Steps => steps.to_string(),
            _ => grade.to_string(),
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
}
