//! Writes all solutions of each puzzle (`--all`), one output line per solution.
//!
//! Most puzzles have few solutions. The first search solves all puzzles of a task together and stores up to `MOST_STORED`
//! solutions of each. A puzzle with more is searched again, alone, and its solutions are written as they are found.

use std::ops::ControlFlow;
use std::time::Instant;

use super::Mode;
use super::batch::{BatchFindings, MOST_STORED, limits};
use super::read::{EntryState, ParsedTask};
use super::solve::{EmitState, FLUSH_INTERVAL, TaskRun, run_search};
use super::write::EntryWriter;
use crate::solver::{Limits, Progress};
use crate::stream::OutputLines;
use crate::verdict::Status;

/// The number of bytes of output lines after which they are emitted.
const EMIT_SIZE: usize = 64 << 10;

impl EmitState {
    /// Writes the known solutions of the next entry. Returns false if there may be details.
    pub fn write_solutions(
        &mut self,
        parsed: &ParsedTask<'_>,
        findings: &[BatchFindings],
        output: &mut OutputLines,
    ) -> bool {
        let EntryState::Open { batch, index } = parsed.entries[self.written].state else {
            return parsed.write(findings, self.written, output);
        };
        let (found, index) = (&findings[batch as usize], index as usize);
        let (known, details) = (found.statuses[index], &found.details[index]);
        let cells = parsed.batches[batch as usize].cells;
        let stored = (details.shown.len() / cells).min(most_solutions(parsed));
        let status = match known {
            Some(status) => status,
            // The status of a single solution is not known: it can be the only one.
            None if details.shown.len() > cells => Status::Multiple,
            None => return false,
        };
        let stored_solutions = details.shown.chunks_exact(cells).take(stored);
        for solution in stored_solutions.skip(self.solutions as usize) {
            self.write_solution(parsed, findings, status, solution, output);
        }
        self.solutions = stored as u64;
        let limits = limits(&parsed.pipeline.options);
        if known.is_none()
            || (!details.complete
                && details.solutions == limits.solutions
                && most_solutions(parsed) > MOST_STORED as usize)
        {
            return false;
        }
        let given_up = !details.complete && details.solutions < limits.solutions;
        self.end_entry(parsed, findings, status, given_up, output);
        true
    }

    fn write_solution(
        &self,
        parsed: &ParsedTask<'_>,
        findings: &[BatchFindings],
        status: Status,
        solution: &[u8],
        output: &mut OutputLines,
    ) {
        let writer = EntryWriter {
            parsed,
            findings,
            index: self.written,
            status,
            solution: Some(solution),
        };
        if parsed.is_shown(status) {
            writer.write(&mut output.bytes);
        }
    }

    /// Ends the next entry: counts it, and writes the puzzle itself if it has no solution or if a limit ended the search.
    fn end_entry(
        &mut self,
        parsed: &ParsedTask<'_>,
        findings: &[BatchFindings],
        status: Status,
        given_up: bool,
        output: &mut OutputLines,
    ) {
        let status = if given_up { Status::Unknown } else { status };
        if matches!(status, Status::None | Status::Unknown) && parsed.is_shown(status) {
            let writer = EntryWriter {
                parsed,
                findings,
                index: self.written,
                status,
                solution: None,
            };
            writer.write(&mut output.bytes);
        }
        parsed.count(self.written, status, output);
        self.solutions = 0;
    }
}

/// Returns the most solutions to write.
fn most_solutions(parsed: &ParsedTask<'_>) -> usize {
    match parsed.pipeline.options.mode {
        Mode::All(most) => usize::try_from(most).unwrap_or(usize::MAX),
        _ => unreachable!("only `--all` enumerates solutions"),
    }
}

impl TaskRun<'_> {
    /// Writes the remaining entries. The first of them is a puzzle with more solutions than are stored.
    pub fn enumerate_rest(
        &mut self,
        most: u64,
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        while self.emit_state.written < self.parsed.entries.len() {
            self.write_alone(most, emit)?;
            self.emit_state.written += 1;
            self.emit_state.emit(&self.parsed, &self.findings, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// Searches the puzzle of the next entry alone, and writes the solutions that are not written yet.
    fn write_alone(
        &mut self,
        most: u64,
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let TaskRun {
            parsed,
            findings,
            emit_state,
        } = self;
        let EntryState::Open { batch, index } = parsed.entries[emit_state.written].state else {
            unreachable!("all other entries are written")
        };
        let (batch, index) = (&parsed.batches[batch as usize], index as usize);
        let limits = Limits {
            max_guesses: parsed.pipeline.options.max_guesses,
            max_time: parsed.pipeline.options.max_time,
            solutions: most.max(2),
            shown: most,
        };
        let mut output = OutputLines::default();
        let mut seen = 0;
        let report = |progress: Progress<'_>| match progress {
            Progress::Solution(_, solution) => {
                seen += 1;
                if seen > emit_state.solutions {
                    // A puzzle that is searched alone has more than `MOST_STORED` solutions.
                    emit_state.write_solution(
                        parsed,
                        findings,
                        Status::Multiple,
                        solution,
                        &mut output,
                    );
                }
                if output.bytes.len() > EMIT_SIZE {
                    emit(std::mem::take(&mut output))?;
                    emit_state.within_entry = true;
                }
                ControlFlow::Continue(())
            }
            Progress::AtWork if emit_state.last.elapsed() > FLUSH_INTERVAL => {
                emit_state.last = Instant::now();
                emit_state.within_entry |= !output.bytes.is_empty();
                emit(std::mem::take(&mut output))
            }
            Progress::AtWork => ControlFlow::Continue(()),
            Progress::Found(_, found) => {
                let given_up = !found.complete && found.solutions < limits.solutions;
                emit_state.end_entry(parsed, findings, Status::Multiple, given_up, &mut output);
                ControlFlow::Continue(())
            }
        };
        let solver = batch.rules.ruleset(index).solver.limited(limits);
        let search = |report: &mut dyn FnMut(Progress<'_>)| {
            solver.solve_reporting(batch.puzzle(index), report);
        };
        run_search(search, report)?;
        emit(output)
    }
}
