//! Writes the value of each column of an output line. `write.rs` arranges the columns.

use std::borrow::Cow;

use super::batch::{BatchFindings, Minimality, Ruleset};
use super::read::EntryState;
use super::write::EntryWriter;
use super::{Input, Mode};
use crate::pencil::Paper;
use crate::puzzle::Givens;
use crate::text::columns::Column;
use crate::text::grid_input;
use crate::text::output_line::write_input_line;
use crate::text::record::RecordFields;
use crate::text::symbols::Case;
use crate::verdict::Status;

/// Grades puzzles by human techniques. Keeps its working memory, and the last result for the next column of the same entry.
#[derive(Default)]
pub(super) struct Grader {
    paper: Paper,
    /// The index of the entry, its grade, and the number of steps.
    last: Option<(usize, &'static str, u32)>,
}

impl<'p, 'a> EntryWriter<'p, 'a> {
    pub fn write_column(&self, index: usize, column: &Column, bytes: &mut Vec<u8>) {
        let options = &self.parsed.pipeline.options;
        let case = self.entry().case;
        let text = |bytes: &mut Vec<u8>, text: &str| bytes.extend_from_slice(text.as_bytes());
        match column {
            Column::Input => bytes.extend_from_slice(self.line()),
            Column::Line => text(bytes, &self.parsed.number(self.index).to_string()),
            Column::Status => text(bytes, self.status.name()),
            Column::Reason => text(bytes, self.parsed.reason_of(self.entry())),
            _ if self.is_unread() => self.write_unread(index, bytes),
            Column::Puzzle | Column::Answer | Column::Regions => {
                bytes.extend_from_slice(&self.field(column));
            }
            Column::Rest => bytes.extend_from_slice(self.fields().rest),
            Column::Carried(name) => bytes.extend_from_slice(self.carried(name)),
            Column::Solution => match self.solved() {
                Some(solution) => options.alphabet.write(solution, case, bytes),
                None => bytes.extend_from_slice(&self.entry().shown),
            },
            Column::Second => {
                if let Some(second) = self.second() {
                    options.alphabet.write(second, case, bytes);
                }
            }
            Column::Solutions => text(bytes, &self.number_of_solutions()),
            Column::Guesses => {
                if let Some((found, index)) = self.found() {
                    text(bytes, &found.details[index].guesses.to_string());
                }
            }
            Column::Givens => text(bytes, &self.number_of_givens().to_string()),
            Column::Grade | Column::Steps | Column::Hint => text(bytes, &self.grading(column)),
            Column::Minimal => text(bytes, self.minimal()),
            Column::Canonical => self.write_canonical(bytes),
        }
    }

    /// Writes the input line into the first column that shows a grid. The other columns of an unread line are empty.
    fn write_unread(&self, index: usize, bytes: &mut Vec<u8>) {
        if self.columns().iter().position(Column::shows_grid) == Some(index) {
            write_input_line(self.line(), bytes);
        }
    }

    /// Returns the input line. For a drawn puzzle, returns its rows, separated by spaces.
    pub fn line(&self) -> &'p [u8] {
        let line = self.entry().line;
        match self.parsed.pipeline.options.input {
            Input::Drawn => grid_input::split_number(line).1,
            _ => line,
        }
    }

    /// Returns the fields of the input line.
    pub fn fields(&self) -> RecordFields<'a> {
        self.parsed.fields(self.entry().line).unwrap_or_default()
    }

    /// Returns the text of the puzzle, answer or regions column.
    pub fn field(&self, column: &Column) -> Cow<'p, [u8]>
    where
        'a: 'p,
    {
        let options = &self.parsed.pipeline.options;
        let field = match column {
            Column::Puzzle if !options.verifies() => return self.shown(),
            Column::Answer if options.verifies() => return Cow::Borrowed(&self.entry().shown),
            Column::Puzzle => Some(self.fields().puzzle),
            Column::Answer => self.fields().answer,
            _ => match &options.regions {
                Some(regions) if options.variants.have_regions() => Some(Cow::Borrowed(&**regions)),
                _ => self.fields().regions,
            },
        };
        field.unwrap_or_default()
    }

    /// Returns the puzzle. `--reveal` and `--minimize` change it if it has one solution. With `--verify`, returns the answer.
    pub fn shown(&self) -> Cow<'p, [u8]> {
        let entry = self.entry();
        let text = &*entry.shown;
        let options = &self.parsed.pipeline.options;
        let (Some((found, index)), Status::Unique) = (self.found(), self.status) else {
            return Cow::Borrowed(text);
        };
        match options.mode {
            Mode::Reveal(place) => {
                let solution = found.solution(index);
                let cell = place.cell(solution.len().isqrt());
                let symbol = options.alphabet.symbol(solution[cell], entry.case) as u8;
                Cow::Owned(self.with_cell(text, cell, solution, symbol))
            }
            Mode::Minimize => {
                let left = found.minimized[index].as_deref().unwrap_or_default();
                let blank = options.alphabet.blank_of(text);
                let cells = text.iter().zip(left);
                let kept = cells.map(|(&symbol, &digit)| if digit == 0 { blank } else { symbol });
                Cow::Owned(kept.collect())
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// Returns a puzzle with one more cell filled in.
    fn with_cell(&self, text: &[u8], cell: usize, solution: &[u8], symbol: u8) -> Vec<u8> {
        let mut text = text.to_vec();
        if text.len() == solution.len() {
            text[cell] = symbol;
        } else {
            // A pencilmark puzzle has nine symbols per cell. Only the symbol of the digit stays.
            let side = solution.len().isqrt();
            let blank = self.parsed.pipeline.options.alphabet.blank_of(&text);
            let marks = &mut text[cell * side..][..side];
            marks.fill(blank);
            marks[usize::from(solution[cell]) - 1] = symbol;
        }
        text
    }

    fn carried(&self, name: &str) -> &'p [u8] {
        let Input::Named(names) = &self.parsed.pipeline.options.input else {
            return &[];
        };
        let line = self.entry().line;
        let field = names
            .index_of(name)
            .and_then(|index| names.field(line, index));
        field.unwrap_or_default()
    }

    /// Returns the findings of the entry's batch and the index of its puzzle, if it has one.
    fn found(&self) -> Option<(&'p BatchFindings, usize)> {
        match self.entry().state {
            EntryState::Open { batch, index } => {
                Some((&self.findings[batch as usize], index as usize))
            }
            _ => None,
        }
    }

    pub fn solved(&self) -> Option<&'p [u8]> {
        if matches!(self.parsed.pipeline.options.mode, Mode::All(_)) {
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
        found.details[index].shown.get(cells..2 * cells)
    }

    /// Returns the number of solutions, such as `2`, or `2+` if there are more or the search did not find out.
    fn number_of_solutions(&self) -> String {
        let Some((found, index)) = self.found() else {
            return String::new();
        };
        let details = &found.details[index];
        let most = self.parsed.pipeline.options.count;
        match self.status {
            Status::Unknown => String::new(),
            _ if details.solutions > most || !details.complete => {
                format!("{}+", details.solutions.min(most))
            }
            _ => details.solutions.to_string(),
        }
    }

    fn number_of_givens(&self) -> usize {
        let digits = self.digits(&self.field(&Column::Puzzle));
        let givens = match self.givens_left() {
            // No mode removes givens from a pencilmark puzzle.
            Some((_, givens @ Givens::Candidates(_))) => givens,
            _ => Givens::Digits(&digits),
        };
        (0..givens.cells())
            .filter(|&cell| givens.fill(cell))
            .count()
    }

    /// Returns the rules and the givens of the puzzle, without those that `--minimize` removed.
    fn givens_left(&self) -> Option<(&'p Ruleset, Givens<'p>)> {
        let EntryState::Open { batch, index } = self.entry().state else {
            return None;
        };
        let found = &self.findings[batch as usize];
        let (batch, index) = (&self.parsed.batches[batch as usize], index as usize);
        let ruleset = batch.rules.ruleset(index);
        match found.minimized.get(index) {
            Some(Some(left)) => Some((ruleset, Givens::Digits(left))),
            _ => Some((ruleset, batch.givens(index))),
        }
    }

    /// Returns the digits of a field that is known to be valid.
    pub fn digits(&self, field: &[u8]) -> Vec<u8> {
        let mut digits = Vec::with_capacity(field.len());
        let alphabet = &self.parsed.pipeline.options.alphabet;
        let _ = alphabet.read(field, field.len().isqrt(), &mut digits);
        digits
    }

    /// Returns the value of the column `grade`, `steps` or `hint`. It is empty unless the puzzle has one solution.
    fn grading(&self, column: &Column) -> String {
        let puzzle = self.givens_left();
        let (Some((ruleset, givens)), Some(Status::Unique)) = (puzzle, self.findings_status())
        else {
            return String::new();
        };
        let Grader { paper, last } = &mut *self.parsed.grader.borrow_mut();
        if *column == Column::Hint {
            let alphabet = &self.parsed.pipeline.options.alphabet;
            let symbol = |digit| alphabet.symbol(digit, self.entry().case);
            let hint = ruleset.pencil().hint(givens, paper);
            return hint.map(|step| step.text(symbol)).unwrap_or_default();
        }
        let (_, grade, steps) = match *last {
            Some(known) if known.0 == self.index => known,
            _ => {
                let grading = ruleset.pencil().solve(givens, paper);
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
            Some(Minimality::Yes) => "yes",
            Some(Minimality::No) => "no",
            Some(Minimality::Unknown) | None => "",
        }
    }

    fn write_canonical(&self, bytes: &mut Vec<u8>) {
        let Some((ruleset, Givens::Digits(grid))) = self.givens_left() else {
            return;
        };
        let Some(canonical) = ruleset.canonical() else {
            return;
        };
        let mut form = Vec::new();
        canonical.form(grid, &mut form);
        let (grid, regions) = form.split_at(grid.len());
        let alphabet = &self.parsed.pipeline.options.alphabet;
        alphabet.write(grid, Case::default(), bytes);
        bytes.extend(regions.iter().map(|region| b'A' + region));
    }
}
