//! Writes and emits entries in input order, as far as their results are known. `output_line.rs`
//! writes a line in its form.

use std::cell::{LazyCell, RefCell};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::columns::EntryView;
use super::output_line::{self, copy_header, reason_for_rules};
use super::puzzle_findings::{Computed, PuzzleFindings};
use super::shown::ShownFields;
use crate::pipeline::batch::Batch;
use crate::pipeline::entry::{Entry, EntryKind, TaskEntries};
use crate::pipeline::equivalent::Equivalent;
use crate::pipeline::findings::BatchFindings;
use crate::pipeline::output_form::OutputForm;
use crate::pipeline::plain;
use crate::pipeline::puzzle_view::PuzzleView;
use crate::pipeline::settings::Settings;
use crate::stream::repeated::KeyedLine;
use crate::stream::{Emit, Message, MessageKind, OutputLines};
use crate::text::columns::Need;
use crate::text::record::is_missing;
use engine::pencil::Paper;
use engine::rules::Place;
use engine::verdict::Status;

/// Writes and emits the entries of a task. An entry is *written* when its output lines are
/// formatted, and *emitted* when they are passed to the `emit` callback.
pub(in crate::pipeline) struct Emitter<'p, 'a> {
    pub settings: &'p Settings,
    pub entries: &'p TaskEntries<'a>,
    pub batches: &'p [Batch],
    pub findings: Vec<BatchFindings>,
    pub written: OutputPosition,
    /// The end of the output that is emitted. `isolate.rs` reads it after a panic.
    emitted: &'p mut OutputPosition,
    /// The time of the last call of the `emit` callback.
    last_emit: Instant,
    /// The output lines, messages and counts that are written but not emitted.
    output: OutputLines,
    /// The memory that human techniques work in. Allocated when `add_line` first writes a line.
    paper: LazyCell<RefCell<Paper>>,
    /// True once `add_line` has added its message about a described puzzle written as fields.
    other_form_reported: bool,
    /// The value of [`TaskEntries::field_hint`], `None` once the hint is added to the output.
    field_hint: Option<(usize, &'static str)>,
    hint_added: bool,
    /// The number of [`TaskEntries::remarks`] about which a message is added.
    remarks: usize,
    /// True if the puzzles are new ones, which a mode has made from those of lines.
    pub has_new_puzzles: bool,
    emit: Emit<'p>,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::pipeline) struct OutputPosition {
    /// The number of entries before the position. All their output lines are before it.
    pub entry: usize,
    /// With `--all` and `--shuffle`, the number of lines of the next entry before the position.
    pub lines: u64,
}

/// `emit_if_due` does nothing until more than this time has passed since [`Emitter::last_emit`].
const FLUSH_INTERVAL: Duration = Duration::from_millis(10);

/// The number of bytes of written output lines above which `write_line` emits them.
const EMIT_SIZE: usize = 64 << 10;

pub(in crate::pipeline) enum EntryLine<'l> {
    /// The only line of an entry. With `--all`, also the last line of a puzzle that has no solution
    /// or whose search a limit of guesses or time ended: it shows the puzzle itself.
    Only,
    Solution(&'l [u8]),
    Equivalent(&'l Equivalent),
    /// The last line of a puzzle with `--add` or `--remove`, which shows the puzzle itself, and the
    /// reason why more lines can be missing.
    Unfinished(Option<&'l str>),
}

impl<'p, 'a> Emitter<'p, 'a> {
    pub fn new(
        settings: &'p Settings,
        entries: &'p TaskEntries<'a>,
        batches: &'p [Batch],
        emitted: &'p mut OutputPosition,
        emit: Emit<'p>,
    ) -> Emitter<'p, 'a> {
        let new_findings = |batch| BatchFindings::new(batch, &settings.options, &settings.columns);
        Emitter {
            settings,
            entries,
            batches,
            findings: batches.iter().map(new_findings).collect(),
            written: OutputPosition::default(),
            emitted,
            last_emit: Instant::now(),
            output: OutputLines::default(),
            paper: LazyCell::new(RefCell::default),
            other_form_reported: false,
            field_hint: entries.field_hint,
            hint_added: false,
            remarks: 0,
            has_new_puzzles: false,
            emit,
        }
    }

    /// Returns the first entry that is not completely written, or `None` if all are written.
    pub fn next_entry(&self) -> Option<&'p Entry<'a>> {
        self.entries.entries.get(self.written.entry)
    }

    pub fn emit_if_due(&mut self) -> ControlFlow<()> {
        if self.last_emit.elapsed() > FLUSH_INTERVAL {
            self.emit()?;
        }
        ControlFlow::Continue(())
    }

    pub fn emit(&mut self) -> ControlFlow<()> {
        let left = self.entries.entries.len() - self.written.entry;
        // In the default format, the output line of a 9x9 puzzle has about 90 bytes.
        self.output.bytes.reserve(left * 96);
        self.write_known()?;
        self.flush()
    }

    /// Writes the next entries, up to the first one that is not completely known.
    pub fn write_known(&mut self) -> ControlFlow<()> {
        match self.settings.options.mode.max_solutions() {
            Some(max) => self.write_known_solutions(max),
            None => {
                // Compiled once per CPU level, so that writing grids uses the vectors of the level.
                self.settings.options.level.dispatch(
                    #[inline(always)]
                    || while self.write_next() {},
                );
                ControlFlow::Continue(())
            }
        }
    }

    /// Returns false, and writes nothing, if there is no next entry or its results are incomplete.
    #[inline(always)]
    fn write_next(&mut self) -> bool {
        let Some(entry) = self.next_entry() else {
            return false;
        };
        let is_usual =
            matches!(self.settings.output, OutputForm::Lines { has_default_columns: true });
        let is_written = (is_usual && self.write_grid_and_status(entry)) || self.write_any(entry);
        self.written.entry += usize::from(is_written);
        is_written
    }

    /// Writes an entry whose output line is a solution and its status, or a correct answer: usually
    /// nearly all entries. Returns false, and writes nothing, for all others. No later search is
    /// ever needed for these columns.
    #[inline(always)]
    fn write_grid_and_status(&mut self, entry: &Entry<'a>) -> bool {
        let bytes = &mut self.output.bytes;
        let status = match (entry.place(), entry.kind) {
            (Some((batch, index)), _) => {
                let found = &self.findings[batch];
                let Some(status @ (Status::Unique | Status::Multiple)) = found.statuses[index]
                else {
                    return false;
                };
                let alphabet = &self.settings.options.alphabet;
                alphabet.write(found.solution(index), self.entries.case(entry), bytes);
                // Copying a constant length needs no call to memcpy.
                match status {
                    Status::Unique => bytes.extend_from_slice(b"\tunique\n"),
                    _ => bytes.extend_from_slice(b"\tmultiple\n"),
                }
                status
            }
            (None, EntryKind::Plain(_)) => {
                bytes.extend_from_slice(plain::answer(entry.line));
                bytes.extend_from_slice(b"\tcorrect\t-\n");
                Status::Correct
            }
            _ => return false,
        };
        self.output.count(status);
        true
    }

    /// Returns false, and writes nothing, if the results of the entry are not complete yet.
    fn write_any(&mut self, entry: &Entry<'a>) -> bool {
        match entry.kind {
            EntryKind::Copied => self.copy(entry),
            EntryKind::RepeatedHeader => {}
            EntryKind::Header => {
                let source = self.entries.task.source;
                copy_header(self.settings, source, &mut self.output.bytes);
            }
            EntryKind::Plain(_) | EntryKind::Record(..) => {
                let Some(status) = self.status(entry) else {
                    return false;
                };
                if self.is_candidate() {
                    // Where output is written, the candidates that are left are counted.
                    if status == Status::Unique {
                        self.add_line(status, EntryLine::Only);
                    }
                    return true;
                }
                self.report(status);
                self.add_line(status, EntryLine::Only);
                self.output.count(status);
            }
        }
        true
    }

    fn write_known_solutions(&mut self, max_solutions: u64) -> ControlFlow<()> {
        while let Some(entry) = self.next_entry() {
            let is_written = match entry.place() {
                Some((batch, index)) => self.write_solutions(batch, index, max_solutions)?,
                None => self.write_next(),
            };
            if !is_written {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// Writes the stored solutions of the next entry, up to `max_solutions`, and ends the entry.
    /// Returns false, and does not end the entry, in three cases:
    ///
    /// * The first search has not ended. If it has stored two solutions or more, these are written.
    /// * A column needs a later search, which has not ended. No solution is then written.
    /// * The first search stopped at its limit of stored solutions, and more are wanted.
    ///   `enumerate.rs` writes the others.
    fn write_solutions(
        &mut self,
        batch: usize,
        index: usize,
        max_solutions: u64,
    ) -> ControlFlow<(), bool> {
        if self.findings[batch].awaits_later_search(index) {
            return ControlFlow::Continue(false);
        }
        let final_status = self.findings[batch].statuses[index];
        let details = &self.findings[batch].details[index];
        let cells = self.batches[batch].boards.cells();
        // Two stored solutions prove `multiple`, even while the search goes on. But only its end
        // shows, for example, how many guesses it makes.
        let shows_end = self.settings.columns.need(Need::SearchDetails);
        let proven = (details.shown.len() > cells && !shows_end).then_some(Status::Multiple);
        let Some(status) = final_status.or(proven) else {
            return ControlFlow::Continue(false);
        };
        let max_stored = self.settings.limits.solutions;
        let has_max_stored = details.solutions == max_stored;
        let is_complete = details.complete;
        // A copy, because `write_line` borrows the whole emitter, with all findings.
        let shown = details.shown.clone();
        let max_shown = usize::try_from(max_solutions).unwrap_or(usize::MAX);
        let wanted = shown.chunks_exact(cells).take(max_shown);
        for solution in wanted.skip(self.written.lines as usize) {
            self.write_line(status, EntryLine::Solution(solution))?;
        }
        let has_more_to_find = !is_complete && has_max_stored && max_stored < max_solutions;
        if final_status.is_none() || has_more_to_find {
            return ControlFlow::Continue(false);
        }
        // If a limit of guesses or time ended the search, a last line with the puzzle and the
        // status `unknown` shows that there can be more solutions.
        let hit_limit = !is_complete && !has_max_stored;
        self.end_entry(if hit_limit { Status::Unknown } else { status });
        ControlFlow::Continue(true)
    }

    /// Writes a line of the next entry. Emits all written lines if they exceed `EMIT_SIZE` bytes.
    pub fn write_line(&mut self, status: Status, line: EntryLine<'_>) -> ControlFlow<()> {
        self.add_line(status, line);
        self.written.lines += 1;
        if self.output.bytes.len() > EMIT_SIZE {
            self.flush()?;
        }
        ControlFlow::Continue(())
    }

    /// Counts the entry. If `status` is `none` or `unknown`, also writes a line with the puzzle.
    pub fn end_entry(&mut self, status: Status) {
        if matches!(status, Status::None | Status::Unknown) {
            self.add_line(status, EntryLine::Only);
        }
        self.report(status);
        self.output.count(status);
        self.skip_entry();
    }

    pub fn end_with(&mut self, status: Status, line: EntryLine<'_>) {
        self.add_line(status, line);
        self.output.count(status);
        self.skip_entry();
    }

    /// True if the entries are puzzles of `--make`, which writes only as many as are wanted.
    fn is_candidate(&self) -> bool {
        self.has_new_puzzles && self.settings.options.mode.makes_candidates()
    }

    /// No more attempts at the record are needed: its last line is written.
    pub fn end_record(&mut self) {
        self.output.ends_record = true;
    }

    /// Ends the next entry, whose lines are appended and counted.
    pub fn skip_entry(&mut self) {
        self.written = OutputPosition { entry: self.written.entry + 1, lines: 0 };
    }

    pub fn append(&mut self, lines: OutputLines) -> ControlFlow<()> {
        self.output.append(lines);
        self.written.lines += 1;
        let is_due = self.last_emit.elapsed() > FLUSH_INTERVAL;
        if is_due || self.output.bytes.len() > EMIT_SIZE {
            self.flush()?;
        }
        ControlFlow::Continue(())
    }

    /// Writes an output line of the next entry, unless its status or the value of a column leaves
    /// it out.
    fn add_line(&mut self, status: Status, line: EntryLine<'_>) {
        let options = &self.settings.options;
        let shown = options.shown.as_ref();
        if shown.is_some_and(|shown| !shown.contains(&status)) {
            return;
        }
        let index = self.written.entry;
        let entry = &self.entries.entries[index];
        let puzzle = PuzzleView::of(entry, self.batches, &self.findings);
        let question = self.entries.question(entry);
        let of =
            |question| ShownFields::of_question(options, question, self.batches, puzzle, status);
        let mut fields = question.as_deref().map(of);
        if let (EntryLine::Equivalent(equivalent), Some(fields)) = (&line, &mut fields) {
            fields.replace(equivalent);
        }
        let solution = match line {
            EntryLine::Solution(solution) => Some(solution),
            // Only a line for a solution shows one.
            _ if options.mode.max_solutions().is_some() => None,
            _ => puzzle.and_then(PuzzleView::solution),
        };
        let found =
            question.as_deref().zip(fields.as_ref()).map(|(question, fields)| PuzzleFindings {
                settings: self.settings,
                question,
                fields,
                status,
                puzzle,
                solution,
                unfinished: match line {
                    EntryLine::Unfinished(reason) => reason,
                    _ => None,
                },
                paper: &self.paper,
                computed: Computed::default(),
            });
        let view = EntryView {
            settings: self.settings,
            entries: self.entries,
            entry,
            status,
            found,
            named: self.entries.named(entry),
        };
        let makes_puzzles = options.mode.makes_candidates();
        // Conditions choose among the candidates, not whether the last line says how many they are.
        let is_last = makes_puzzles && matches!(line, EntryLine::Unfinished(_));
        let is_chosen = is_last || view.is_chosen();
        if is_chosen {
            let bytes = &mut self.output.bytes;
            let begin = bytes.len();
            output_line::write_line(&view, bytes);
            let place = begin..bytes.len();
            // The value that must be new is written for a moment, without an allocation.
            if let Some(column) = &options.distinct {
                view.written_value(column).write_text(bytes);
            }
            let value = Some(&bytes[place.end..]).filter(|value| !is_missing(value));
            let can_be_dropped = match makes_puzzles {
                true => self.has_new_puzzles,
                false => value.is_some(),
            };
            if can_be_dropped {
                self.output.keyed.push(KeyedLine::new(place.clone(), value));
            }
            bytes.truncate(place.end);
        }
        // A run prints only the first message of each of these two kinds.
        let can_report = is_chosen && !self.other_form_reported && view.states_rules();
        let other_form = if can_report { reason_for_rules(&view) } else { None };
        let hint = if self.hint_added { None } else { view.hint(is_chosen) };
        if let Some(reason) = other_form {
            self.other_form_reported = true;
            self.add_message(MessageKind::OtherForm, reason);
        }
        if let Some(reason) = hint {
            self.hint_added = true;
            self.add_message(MessageKind::Hint, reason);
        }
    }

    pub fn add_message(&mut self, kind: MessageKind, reason: String) {
        let line = self.entries.entries[self.written.entry].line_number;
        let message = Message { line, kind, reason };
        self.output.messages.push(message);
    }

    /// Adds a message if the line is rejected, or a hint if its result is the first to need one.
    fn report(&mut self, status: Status) {
        let entry = &self.entries.entries[self.written.entry];
        if let Some(rejected) = self.entries.rejected(entry) {
            let kind = match status {
                Status::Invalid if rejected.lacks_key => MessageKind::MissingKey,
                Status::Invalid => MessageKind::InvalidLine,
                _ => MessageKind::InternalError,
            };
            self.add_message(kind, rejected.message());
        } else if !self.hint_added
            && let Some(hint) = self.hint_for_result(entry, status)
        {
            self.hint_added = true;
            self.add_message(MessageKind::Hint, hint.to_string());
        }
    }

    /// Returns the hint for an entry that the mode could not change, or one of whose columns has no
    /// value because of a limit.
    fn hint_for_result(&self, entry: &Entry<'a>, status: Status) -> Option<&'static str> {
        let puzzle = PuzzleView::of(entry, self.batches, &self.findings)?;
        let options = &self.settings.options;
        let minimizes = options.mode.minimizes();
        match status {
            Status::Multiple if minimizes => Some(
                "--minimize takes givens only from puzzles with one solution; this one has several",
            ),
            Status::Unknown if minimizes && options.exact && puzzle.details().complete => Some(
                "no order of removal leaves the number of givens of --exact, so the puzzle keeps all of them",
            ),
            _ if puzzle.reached_later_limit() => Some(
                "a limit ended the search for a column, which is - here: see --max-guesses and --max-time",
            ),
            _ => None,
        }
    }

    /// Returns `None` if the results are not complete yet.
    fn status(&self, entry: &Entry<'a>) -> Option<Status> {
        let is_incorrect = match self.entries.record(entry).map(|record| &record.question) {
            Some(Err(rejected)) => return Some(rejected.status),
            Some(Ok(question)) => question.is_incorrect(),
            None => false,
        };
        let Some(puzzle) = PuzzleView::of(entry, self.batches, &self.findings) else {
            return Some(if is_incorrect { Status::Incorrect } else { Status::Correct });
        };
        let status = puzzle.status()?;
        if puzzle.findings.awaits_later_search(puzzle.index) {
            return None;
        }
        let is_given = |place: Place| {
            let cell = place.cell(puzzle.batch.boards.side);
            puzzle.givens().is_given(cell)
        };
        let mode = self.settings.options.mode;
        if mode.replaces(status) && !self.has_new_puzzles {
            return None;
        }
        Some(match mode.revealed() {
            _ if is_incorrect => Status::Incorrect,
            Some(place) if is_given(place) => Status::Given,
            _ => mode.status_of(status),
        })
    }

    fn copy(&mut self, entry: &Entry<'a>) {
        let settings = self.settings;
        if settings.output.copies_comments() && !settings.options.leaves_out_lines() {
            self.output.bytes.extend_from_slice(entry.line);
            self.output.bytes.push(b'\n');
        }
    }

    /// Calls `emit` even if nothing is written, because it returns `Break` if the run has ended.
    fn flush(&mut self) -> ControlFlow<()> {
        self.add_hint();
        self.add_remarks();
        self.last_emit = Instant::now();
        (self.emit)(std::mem::take(&mut self.output))?;
        *self.emitted = self.written;
        ControlFlow::Continue(())
    }

    /// Messages are in the order of their lines, so the hint waits for its entry.
    fn add_hint(&mut self) {
        let is_written = |(index, _): &mut (usize, _)| *index < self.written.entry;
        let Some((index, hint)) = self.field_hint.take_if(is_written) else {
            return;
        };
        self.insert_message(index, MessageKind::Hint, hint);
    }

    fn add_remarks(&mut self) {
        while let Some((index, remark)) = self.entries.remarks.get(self.remarks)
            && *index < self.written.entry
        {
            self.insert_message(*index, MessageKind::Remark, remark);
            self.remarks += 1;
        }
    }

    fn insert_message(&mut self, index: usize, kind: MessageKind, reason: &str) {
        let line = self.entries.entries[index].line_number;
        let messages = &mut self.output.messages;
        let at = messages.partition_point(|message| message.line < line);
        messages.insert(at, Message { line, kind, reason: reason.to_string() });
    }
}
