//! Emits output lines in input order, as far as the results of their entries are known.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::batch::{Batch, Batches};
use super::entry::{EntryState, TaskEntries};
use super::findings::BatchFindings;
use super::options::Mode;
use super::settings::Settings;
use super::shuffle::Equivalent;
use super::write::{EntryLine, EntryWriter};
use crate::stream::{Message, MessageKind, OutputLines};
use crate::verdict::Status;

/// Writes and emits the entries of a task. An entry is *written* when its output lines are formatted, and *emitted* when they
/// are passed to the `emit` callback.
pub(super) struct Emitter<'p, 'a> {
    settings: &'p Settings,
    entries: &'p TaskEntries<'a>,
    batches: &'p [Batch],
    writer: EntryWriter<'p, 'a>,
    progress: &'p mut EmitProgress,
    /// The index of the entry with the layout hint, until the hint is emitted.
    field_hint: Option<(usize, &'static str)>,
    emit: &'p mut dyn FnMut(OutputLines) -> ControlFlow<()>,
}

/// The progress of the output of a task.
pub(super) struct EmitProgress {
    /// The number of entries that are written.
    pub written: usize,
    /// With `--all` and `--shuffle`, the number of solutions or equivalents of the next entry that are written.
    pub solutions: u64,
    /// The number of entries that are emitted.
    pub emitted: usize,
    /// True if the next entry is emitted in part: some of its solutions or equivalents.
    pub within_entry: bool,
    /// The time of the last call of `emit`.
    last: Instant,
}

/// The interval between calls of `emit` while puzzles are being solved.
const FLUSH_INTERVAL: Duration = Duration::from_millis(10);

impl Default for EmitProgress {
    fn default() -> EmitProgress {
        EmitProgress {
            written: 0,
            solutions: 0,
            emitted: 0,
            within_entry: false,
            last: Instant::now(),
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
            field_hint: entries.field_hint,
            emit,
        }
    }

    /// Returns the index of the first entry that is not written, or `None` if all are written.
    pub fn next(&self) -> Option<usize> {
        let next = self.progress.written;
        (next < self.entries.entries.len()).then_some(next)
    }

    /// Returns the state of an entry.
    pub fn state_of(&self, index: usize) -> EntryState {
        self.entries.entries[index].state
    }

    /// Returns the number of solutions of the next entry that are written.
    pub fn solutions(&self) -> u64 {
        self.progress.solutions
    }

    /// Returns whether the next call of `emit` is due.
    pub fn is_due(&self) -> bool {
        self.progress.last.elapsed() > FLUSH_INTERVAL
    }

    /// Does the same as [`emit`](Emitter::emit), but only if it is due.
    pub fn emit_if_due(&mut self, findings: &[BatchFindings]) -> ControlFlow<()> {
        match self.is_due() {
            true => self.emit(findings),
            false => ControlFlow::Continue(()),
        }
    }

    /// Writes and emits the next entries, up to the first one that is not completely known.
    pub fn emit(&mut self, findings: &[BatchFindings]) -> ControlFlow<()> {
        debug_assert!(self.progress.emitted <= self.progress.written);
        let mut output = OutputLines::default();
        let left = self.entries.entries.len() - self.progress.written;
        output.bytes.reserve(left * 96);
        let level = self.settings.options.level;
        level.dispatch(
            #[inline(always)]
            || match self.settings.options.mode {
                Mode::All(most) => self.write_known_solutions(most, findings, &mut output),
                _ => self.write_known(findings, &mut output),
            },
        );
        self.emit_written(output)
    }

    /// Emits output lines of the entries that are written, and of the next entry if it is written in part.
    pub fn emit_written(&mut self, mut output: OutputLines) -> ControlFlow<()> {
        self.add_hint(&mut output.messages);
        self.progress.last = Instant::now();
        (self.emit)(output)?;
        self.progress.emitted = self.progress.written;
        self.progress.within_entry = self.progress.solutions > 0;
        ControlFlow::Continue(())
    }

    #[inline(always)]
    fn write_known(&mut self, findings: &[BatchFindings], output: &mut OutputLines) {
        while let Some(index) = self.next()
            && self.writer.write(findings, index, output)
        {
            self.progress.written += 1;
        }
    }

    fn write_known_solutions(
        &mut self,
        most: u64,
        findings: &[BatchFindings],
        output: &mut OutputLines,
    ) {
        while let Some(index) = self.next()
            && match self.state_of(index) {
                EntryState::Open { .. } => self.write_solutions(most, findings, output),
                _ => self.writer.write(findings, index, output),
            }
        {
            self.progress.written += 1;
        }
    }

    /// Writes the known solutions of the next entry, up to `most`. Returns false if there may be more.
    fn write_solutions(
        &mut self,
        most: u64,
        findings: &[BatchFindings],
        output: &mut OutputLines,
    ) -> bool {
        let EntryState::Open { batch, index } = self.state_of(self.progress.written) else {
            unreachable!("other entries have no solutions");
        };
        let (found, index) = (&findings[batch as usize], index as usize);
        let (known, details) = (found.statuses[index], &found.details[index]);
        let cells = self.batches[batch as usize].cells;
        let stored = (details.shown.len() / cells).min(usize::try_from(most).unwrap_or(usize::MAX));
        let status = match known {
            Some(status) => status,
            // A single stored solution does not decide the status: there may be no other.
            None if details.shown.len() > cells => Status::Multiple,
            None => return false,
        };
        let stored_solutions = details.shown.chunks_exact(cells).take(stored);
        for solution in stored_solutions.skip(self.progress.solutions as usize) {
            self.write_solution(findings, status, solution, output);
        }
        self.progress.solutions = stored as u64;
        let limit = self.settings.options.limits().solutions;
        // If the limit was `most`, all wanted solutions are known: searching again would find no other.
        let is_stopped = !details.complete && details.solutions == limit && limit < most;
        if known.is_none() || is_stopped {
            return false;
        }
        let is_given_up = !details.complete && details.solutions < limit;
        let status = if is_given_up { Status::Unknown } else { status };
        self.end_entry(findings, status, output);
        true
    }

    /// Writes one of several solutions of the next entry.
    pub fn write_solution(
        &mut self,
        findings: &[BatchFindings],
        status: Status,
        solution: &[u8],
        output: &mut OutputLines,
    ) {
        let index = self.progress.written;
        let line = EntryLine::Solution(solution);
        self.writer
            .write_line(findings, index, status, line, output);
    }

    /// Ends the next entry: counts it, and writes the puzzle itself if it has no solution or if a limit ended the search.
    pub fn end_entry(
        &mut self,
        findings: &[BatchFindings],
        status: Status,
        output: &mut OutputLines,
    ) {
        let index = self.progress.written;
        if matches!(status, Status::None | Status::Unknown) {
            self.writer
                .write_line(findings, index, status, EntryLine::Only, output);
        }
        self.writer.count(index, status, output);
        self.progress.solutions = 0;
    }

    /// Writes the next entry, which is not a puzzle.
    pub fn write_other(&mut self, findings: &[BatchFindings], output: &mut OutputLines) {
        let is_written = self.writer.write(findings, self.progress.written, output);
        debug_assert!(is_written, "it waits for no findings");
        self.progress.written += 1;
    }

    /// Writes one of the equivalents of the next entry.
    pub fn write_equivalent(
        &mut self,
        findings: &[BatchFindings],
        equivalent: &Equivalent,
        output: &mut OutputLines,
    ) {
        let (index, line) = (self.progress.written, EntryLine::Equivalent(equivalent));
        self.writer
            .write_line(findings, index, Status::Shuffled, line, output);
        self.progress.solutions += 1;
    }

    /// Ends the next entry, all of whose equivalents are written: counts it.
    pub fn end_equivalents(&mut self, output: &mut OutputLines) {
        self.writer
            .count(self.progress.written, Status::Shuffled, output);
        self.progress.solutions = 0;
        self.progress.written += 1;
    }

    /// Emits some solutions of the next entry.
    pub fn emit_part(&mut self, output: OutputLines) -> ControlFlow<()> {
        self.progress.last = Instant::now();
        let is_empty = output.bytes.is_empty();
        (self.emit)(output)?;
        self.progress.within_entry |= !is_empty;
        ControlFlow::Continue(())
    }

    /// Emits the rest of the next entry, which is complete.
    pub fn emit_end(&mut self, output: OutputLines) -> ControlFlow<()> {
        (self.emit)(output)?;
        self.progress.written += 1;
        self.progress.emitted = self.progress.written;
        self.progress.within_entry = false;
        ControlFlow::Continue(())
    }

    /// Adds the hint about a line of the task, once its entry is written.
    fn add_hint(&mut self, messages: &mut Vec<Message>) {
        let is_written = |(index, _): &mut (usize, _)| *index < self.progress.written;
        let Some((index, hint)) = self.field_hint.take_if(is_written) else {
            return;
        };
        let line = self.entries.number(index);
        let at = messages.partition_point(|message| message.line < line);
        let hint = Message {
            line,
            kind: MessageKind::Hint,
            reason: hint.to_string(),
        };
        messages.insert(at, hint);
    }
}
