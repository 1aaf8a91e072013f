//! Emits output lines in input order, as far as the results of their entries are known.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::batch::{Batch, Batches};
use super::entry::{Entry, EntryState, TaskEntries};
use super::findings::BatchFindings;
use super::options::Mode;
use super::settings::Settings;
use super::write::{EntryLine, EntryWriter};
use crate::stream::{Message, MessageKind, OutputLines};
use crate::verdict::Status;

/// Writes and emits the entries of a task. An entry is *written* when its output lines are formatted, and *emitted* when they
/// are passed to the `emit` callback.
pub(super) struct Emitter<'p, 'a> {
    pub settings: &'p Settings,
    pub entries: &'p TaskEntries<'a>,
    pub batches: &'p [Batch],
    writer: EntryWriter<'p, 'a>,
    progress: &'p mut EmitProgress,
    /// The output lines that are written but not emitted.
    output: OutputLines,
    /// The index of the first entry with an unused field, and the hint about it. `None` if there is no such entry, and once the
    /// hint is added to the output.
    field_hint: Option<(usize, &'static str)>,
    emit: &'p mut dyn FnMut(OutputLines) -> ControlFlow<()>,
}

/// The progress of the output of a task.
pub(super) struct EmitProgress {
    pub written: OutputPosition,
    pub emitted: OutputPosition,
    /// The time of the last call of the `emit` callback, or of the beginning of the task.
    last_emit: Instant,
}

/// A position in the output of a task.
#[derive(Clone, Copy, Default)]
pub(super) struct OutputPosition {
    /// The number of entries before the position. All their output lines are before it.
    pub entry: usize,
    /// With `--all` and `--shuffle`, the number of solutions or equivalents of the next entry that are before the position.
    pub lines: u64,
}

/// The time after the last call of the `emit` callback from which `emit_if_due` calls it again.
const FLUSH_INTERVAL: Duration = Duration::from_millis(10);

/// The number of bytes above which `write_line` emits what is written.
const EMIT_SIZE: usize = 64 << 10;

impl Default for EmitProgress {
    fn default() -> EmitProgress {
        EmitProgress {
            written: OutputPosition::default(),
            emitted: OutputPosition::default(),
            last_emit: Instant::now(),
        }
    }
}

impl<'p, 'a> Emitter<'p, 'a> {
    pub fn new(
        settings: &'p Settings,
        entries: &'p TaskEntries<'a>,
        batches: &'p Batches<'a>,
        progress: &'p mut EmitProgress,
        emit: &'p mut dyn FnMut(OutputLines) -> ControlFlow<()>,
    ) -> Emitter<'p, 'a> {
        Emitter {
            settings,
            entries,
            batches: &batches.all,
            writer: EntryWriter::new(settings, entries, &batches.all),
            progress,
            output: OutputLines::default(),
            field_hint: entries.field_hint,
            emit,
        }
    }

    /// Returns the first entry that is not written, or `None` if all are written.
    pub fn next_entry(&self) -> Option<&'p Entry<'a>> {
        self.entries.entries.get(self.progress.written.entry)
    }

    /// Returns the number of solutions of the next entry that are written.
    pub fn solutions_written(&self) -> u64 {
        self.progress.written.lines
    }

    /// Calls [`emit`](Emitter::emit) if the last output was emitted more than `FLUSH_INTERVAL` ago.
    pub fn emit_if_due(&mut self, findings: &[BatchFindings]) -> ControlFlow<()> {
        if self.progress.last_emit.elapsed() > FLUSH_INTERVAL {
            self.emit(findings)?;
        }
        ControlFlow::Continue(())
    }

    /// Writes the next entries like [`write_known`](Emitter::write_known), and emits what is written.
    pub fn emit(&mut self, findings: &[BatchFindings]) -> ControlFlow<()> {
        let left = self.entries.entries.len() - self.progress.written.entry;
        // The output line of a 9x9 puzzle has about 90 bytes.
        self.output.bytes.reserve(left * 96);
        self.write_known(findings)?;
        self.flush()
    }

    /// Writes the next entries, up to the first one that is not completely known. With `--all`, also writes the known solutions
    /// of that one.
    pub fn write_known(&mut self, findings: &[BatchFindings]) -> ControlFlow<()> {
        // Compiled once per CPU level, so that writing grids uses its vectors.
        let level = self.settings.options.level;
        level.dispatch(
            #[inline(always)]
            || match self.settings.options.mode {
                Mode::All(max) => self.write_known_solutions(max, findings),
                _ => {
                    while self.write_next(findings) {}
                    ControlFlow::Continue(())
                }
            },
        )
    }

    /// Writes the next entry. Returns false if there is none, or if it is not completely known.
    #[inline(always)]
    fn write_next(&mut self, findings: &[BatchFindings]) -> bool {
        let index = self.progress.written.entry;
        let is_written = index < self.entries.entries.len()
            && self.writer.write(findings, index, &mut self.output);
        self.progress.written.entry += usize::from(is_written);
        is_written
    }

    /// Implements [`write_known`](Emitter::write_known) for `--all`: writes up to `max_solutions` of each puzzle.
    fn write_known_solutions(
        &mut self,
        max_solutions: u64,
        findings: &[BatchFindings],
    ) -> ControlFlow<()> {
        while let Some(entry) = self.next_entry() {
            let is_written = match entry.state {
                EntryState::ToSolve { batch, index } => {
                    self.write_solutions(batch as usize, index as usize, max_solutions, findings)?
                }
                _ => self.write_next(findings),
            };
            if !is_written {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes the stored solutions of the next entry, up to `max_solutions`, and ends the entry. Returns false, and does not end
    /// it, if its first search has not ended, or if that stopped at its limit of stored solutions and more are wanted. In the
    /// last case, `enumerate.rs` writes the others.
    fn write_solutions(
        &mut self,
        batch: usize,
        index: usize,
        max_solutions: u64,
        findings: &[BatchFindings],
    ) -> ControlFlow<(), bool> {
        if findings[batch].awaits_later_search(index) {
            return ControlFlow::Continue(false);
        }
        let final_status = findings[batch].statuses[index];
        let details = &findings[batch].details[index];
        let cells = self.batches[batch].cells;
        let max_shown = usize::try_from(max_solutions).unwrap_or(usize::MAX);
        let status = match final_status {
            Some(status) => status,
            // Two stored solutions prove `multiple`, even while the search goes on. One proves nothing yet.
            None if details.shown.len() > cells => Status::Multiple,
            None => return ControlFlow::Continue(false),
        };
        let wanted = details.shown.chunks_exact(cells).take(max_shown);
        for solution in wanted.skip(self.solutions_written() as usize) {
            self.write_line(findings, status, EntryLine::Solution(solution))?;
        }
        let max_stored = self.settings.options.limits().solutions;
        // The search stopped at its limit of stored solutions, and more are wanted: `enumerate` continues.
        let has_more_to_find =
            !details.complete && details.solutions == max_stored && max_stored < max_solutions;
        if final_status.is_none() || has_more_to_find {
            return ControlFlow::Continue(false);
        }
        // A limit of guesses or time ended the search. A last line with the puzzle and the status `unknown` shows that there can
        // be more solutions.
        let hit_limit = !details.complete && details.solutions < max_stored;
        let status = if hit_limit { Status::Unknown } else { status };
        self.end_entry(findings, status);
        ControlFlow::Continue(true)
    }

    /// Writes the output line for a solution or an equivalent of the next entry. Emits what is written if it exceeds `EMIT_SIZE`.
    pub fn write_line(
        &mut self,
        findings: &[BatchFindings],
        status: Status,
        line: EntryLine<'_>,
    ) -> ControlFlow<()> {
        let (index, output) = (self.progress.written.entry, &mut self.output);
        self.writer
            .write_line(findings, index, status, line, output);
        self.progress.written.lines += 1;
        if self.output.bytes.len() > EMIT_SIZE {
            self.flush()?;
        }
        ControlFlow::Continue(())
    }

    /// Ends the next entry: counts it, and writes the puzzle itself if it has no solution or if a limit ended the search.
    pub fn end_entry(&mut self, findings: &[BatchFindings], status: Status) {
        let (index, output) = (self.progress.written.entry, &mut self.output);
        if matches!(status, Status::None | Status::Unknown) {
            self.writer
                .write_line(findings, index, status, EntryLine::Only, output);
        }
        self.writer.count(index, status, output);
        self.progress.written = OutputPosition {
            entry: index + 1,
            lines: 0,
        };
    }

    /// Emits what is written, with the hint of the task if it is due.
    fn flush(&mut self) -> ControlFlow<()> {
        self.add_hint();
        self.progress.last_emit = Instant::now();
        (self.emit)(std::mem::take(&mut self.output))?;
        self.progress.emitted = self.progress.written;
        ControlFlow::Continue(())
    }

    /// Adds the hint of the task to the messages, once the entry that it is about is written.
    fn add_hint(&mut self) {
        let is_written = |(index, _): &mut (usize, _)| *index < self.progress.written.entry;
        let Some((index, hint)) = self.field_hint.take_if(is_written) else {
            return;
        };
        let line = self.entries.number(index);
        let messages = &mut self.output.messages;
        let at = messages.partition_point(|message| message.line < line);
        let hint = Message {
            line,
            kind: MessageKind::Hint,
            reason: hint.to_string(),
        };
        messages.insert(at, hint);
    }
}
