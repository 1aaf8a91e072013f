//! Solves the batches of a task, and emits output lines in input order as soon as they are ready.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::Mode;
use super::batch::{BatchFindings, limits};
use super::read::ParsedTask;
use crate::error::{abandon, abandonable};
use crate::solver::Progress;
use crate::stream::OutputLines;

/// A parsed task, and the findings about its puzzles so far.
pub(super) struct TaskRun<'a> {
    pub parsed: ParsedTask<'a>,
    /// The findings about each batch.
    pub findings: Vec<BatchFindings>,
    pub emit_state: &'a mut EmitState,
}

/// The progress of output. An entry is *written* when its output lines are formatted, and *emitted* when they are passed to
/// the `emit` callback.
pub(super) struct EmitState {
    /// The number of entries that are written.
    pub written: usize,
    /// With `--all`, the number of solutions of the next entry that are written.
    pub solutions: u64,
    /// The number of entries that are emitted.
    pub emitted: usize,
    /// True if some solutions of the entry after those are emitted too.
    pub within_entry: bool,
    /// The time of the last call of `emit`.
    pub last: Instant,
}

impl Default for EmitState {
    fn default() -> EmitState {
        EmitState {
            written: 0,
            solutions: 0,
            emitted: 0,
            within_entry: false,
            last: Instant::now(),
        }
    }
}

/// The interval between calls of `emit` while puzzles are being solved.
pub(super) const FLUSH_INTERVAL: Duration = Duration::from_millis(10);

/// Runs a search until its end, or until `report` returns `Break`.
///
/// The solver's callback returns nothing, so this unwinds across the solver. A search can take hours, and on the thread that
/// also writes the output nothing else would end it.
pub(super) fn run_search(
    search: impl FnOnce(&mut dyn FnMut(Progress<'_>)),
    mut report: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    abandonable(|| {
        search(&mut |progress| {
            if report(progress).is_break() {
                abandon();
            }
        });
    })
}

impl<'a> TaskRun<'a> {
    pub fn new(parsed: ParsedTask<'a>, emit_state: &'a mut EmitState) -> TaskRun<'a> {
        let options = &parsed.pipeline.options;
        TaskRun {
            findings: parsed
                .batches
                .iter()
                .map(|batch| BatchFindings::of(batch, options))
                .collect(),
            emit_state,
            parsed,
        }
    }

    /// Solves every batch. Emits output that is ready while other puzzles are being solved.
    pub fn solve(
        &mut self,
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let TaskRun {
            parsed,
            findings,
            emit_state,
        } = self;
        let options = &parsed.pipeline.options;
        for (index, batch) in parsed.batches.iter().enumerate() {
            let report = |progress: Progress<'_>| {
                match &progress {
                    Progress::Solution(grid, digits) => {
                        findings[index].record_solution(*grid, digits);
                    }
                    // By reference: a copy would load what was just stored, and wait for it.
                    Progress::Found(grid, found) => findings[index].record(*grid, found),
                    Progress::AtWork => return emit_state.emit_if_due(parsed, findings, emit),
                }
                ControlFlow::Continue(())
            };
            let limits = limits(options);
            let search = |report: &mut dyn FnMut(Progress<'_>)| {
                batch.rules.solve(options, limits, batch.puzzles(), report);
            };
            run_search(search, report)?;
            emit_state.emit_if_due(parsed, findings, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// Emits everything that remains.
    pub fn finish(
        mut self,
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.emit_state.emit(&self.parsed, &self.findings, emit)?;
        if let Mode::All(most) = self.parsed.pipeline.options.mode {
            self.enumerate_rest(most, emit)?;
        }
        debug_assert_eq!(self.emit_state.written, self.parsed.entries.len());
        ControlFlow::Continue(())
    }
}

impl EmitState {
    pub fn emit_if_due(
        &mut self,
        parsed: &ParsedTask<'_>,
        findings: &[BatchFindings],
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if self.last.elapsed() > FLUSH_INTERVAL {
            self.emit(parsed, findings, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// Writes and emits the next entries, up to the first one that is not completely known.
    pub fn emit(
        &mut self,
        parsed: &ParsedTask<'_>,
        findings: &[BatchFindings],
        emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut output = OutputLines::default();
        output
            .bytes
            .reserve((parsed.entries.len() - self.written) * 96);
        let options = &parsed.pipeline.options;
        let all = matches!(options.mode, Mode::All(_));
        options.level.dispatch(
            #[inline(always)]
            || {
                while self.written < parsed.entries.len() {
                    let written = match all {
                        true => self.write_solutions(parsed, findings, &mut output),
                        false => parsed.write(findings, self.written, &mut output),
                    };
                    if !written {
                        break;
                    }
                    self.written += 1;
                }
            },
        );
        parsed.add_hint(self.written, &mut output.messages);
        self.last = Instant::now();
        emit(output)?;
        self.record_emitted();
        ControlFlow::Continue(())
    }

    /// Records that all written output is emitted.
    fn record_emitted(&mut self) {
        self.emitted = self.written;
        self.within_entry = self.solutions > 0;
    }
}
