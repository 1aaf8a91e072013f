//! All solutions of each puzzle, a row each. Most puzzles have few: those of a task are searched for together and kept
//! until their turn comes. A puzzle with many is searched through once more, alone, its solutions written as they come.

use std::time::Instant;

use super::Mode;
use super::batch::{FEW, Findings, limits};
use super::page::{Page, State};
use super::rows::View;
use super::sheet::{Emitted, PATIENCE, Sheet};
use crate::filter::Rows;
use crate::solver::{Limits, Progress};
use crate::verdict::Status;

/// Bytes of rows that are handed on at once.
const WORTH_EMITTING: usize = 64 << 10;

impl Emitted {
    /// Writes what is known of the next row's solutions; false if there is, or may be, more to come.
    pub fn write_solutions(
        &mut self,
        page: &Page<'_>,
        findings: &[Findings],
        done: &mut Rows,
    ) -> bool {
        let State::Open { batch, index } = page.rows[self.rows].state else {
            return page.write(findings, self.rows, done);
        };
        let (found, index) = (&findings[batch as usize], index as usize);
        let (known, more) = (found.statuses[index], &found.more[index]);
        let cells = page.batches[batch as usize].cells;
        let stored = (more.shown.len() / cells).min(most(page));
        let status = match known {
            Some(status) => status,
            // Whether one solution is the only one is not known before the end.
            None if more.shown.len() > cells => Status::Multiple,
            None => return false,
        };
        let stored_ones = more.shown.chunks_exact(cells).take(stored);
        for solution in stored_ones.skip(self.solutions as usize) {
            self.write_solution(page, findings, status, solution, done);
        }
        self.solutions = stored as u64;
        let limits = limits(&page.answerer.options);
        if known.is_none()
            || (!more.complete && more.solutions == limits.solutions && most(page) > FEW as usize)
        {
            return false;
        }
        let given_up = !more.complete && more.solutions < limits.solutions;
        self.end_row(page, findings, status, given_up, done);
        true
    }

    fn write_solution(
        &self,
        page: &Page<'_>,
        findings: &[Findings],
        status: Status,
        solution: &[u8],
        done: &mut Rows,
    ) {
        let view = View {
            page,
            findings,
            index: self.rows,
            status,
            solution: Some(solution),
        };
        if page.is_shown(status) {
            view.write(&mut done.bytes);
        }
    }

    /// Counts the row; of one without solutions, or that was given up, the puzzle itself is written.
    fn end_row(
        &mut self,
        page: &Page<'_>,
        findings: &[Findings],
        status: Status,
        given_up: bool,
        done: &mut Rows,
    ) {
        let status = if given_up { Status::Unknown } else { status };
        if matches!(status, Status::None | Status::Unknown) && page.is_shown(status) {
            let view = View {
                page,
                findings,
                index: self.rows,
                status,
                solution: None,
            };
            view.write(&mut done.bytes);
        }
        page.count(self.rows, status, done);
        self.solutions = 0;
    }
}

/// How many solutions are asked for.
fn most(page: &Page<'_>) -> usize {
    match page.answerer.options.mode {
        Mode::All(most) => usize::try_from(most).unwrap_or(usize::MAX),
        _ => unreachable!("only `--all` writes solutions so"),
    }
}

impl Sheet<'_> {
    /// Writes the rows from the first puzzle on that has more than a few solutions.
    pub fn finish_all(&mut self, most: u64, emit: &mut dyn FnMut(Rows)) {
        while self.emitted.rows < self.page.rows.len() {
            self.write_alone(most, emit);
            self.emitted.rows += 1;
            self.emitted.emit(&self.page, &self.findings, emit);
        }
    }

    /// Goes through the solutions of the next row's puzzle, and writes those that were not written before.
    fn write_alone(&mut self, most: u64, emit: &mut dyn FnMut(Rows)) {
        let Sheet {
            page,
            findings,
            emitted,
        } = self;
        let State::Open { batch, index } = page.rows[emitted.rows].state else {
            unreachable!("all other rows were written")
        };
        let (batch, index) = (&page.batches[batch as usize], index as usize);
        let limits = Limits {
            max_guesses: page.answerer.options.max_guesses,
            max_time: page.answerer.options.max_time,
            solutions: most.max(2),
            shown: most,
        };
        let mut done = Rows::default();
        let mut seen = 0;
        let mut report = |progress: Progress<'_>| match progress {
            Progress::Solution(_, solution) => {
                seen += 1;
                if seen > emitted.solutions {
                    // More than a few are many.
                    emitted.write_solution(page, findings, Status::Multiple, solution, &mut done);
                }
                if done.bytes.len() > WORTH_EMITTING {
                    emit(std::mem::take(&mut done));
                }
            }
            Progress::AtWork if emitted.last.elapsed() > PATIENCE => {
                emitted.last = Instant::now();
                emit(std::mem::take(&mut done));
            }
            Progress::AtWork => {}
            Progress::Found(_, found) => {
                let given_up = !found.complete && found.solutions < limits.solutions;
                emitted.end_row(page, findings, Status::Multiple, given_up, &mut done);
            }
        };
        let solver = batch.by.kit(index).solver.limited(limits);
        solver.solve_reporting(batch.puzzle(index), &mut report);
        emit(done);
    }
}
