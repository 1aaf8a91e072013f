//! Runs the workers: threads that read, process and write lines. A [`LineProcessor`] turns lines
//! into output lines; the code here counts statuses, but otherwise knows nothing of sudoku.
//!
//! The calling thread and the threads of a rayon pool are the workers. Again and again, each of
//! them cuts a task off the input, processes it, and writes the output lines that are next in the
//! order of the input:
//!
//! ```text
//!     sources -> TaskReader -> tasks -> LineProcessor -> OutputQueue -> Writer -> output
//!                `- one thread at a time    `- all threads              `- one thread at a time
//! ```

pub(crate) mod chunks;
mod output_queue;
pub(crate) mod records;
pub(crate) mod repeated;
pub(crate) mod repetition;
mod report;
pub(crate) mod source;
pub(crate) mod sys;
mod task_size;
mod tasks;
mod writer;

use std::io::Write;
use std::ops::{ControlFlow, Range};
use std::os::fd::AsFd;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuilder};

use engine::error::{BoxError, Error};
use engine::panics::guarded;
use engine::verdict::{Status, Tally};
use output_queue::{InputState, OutputQueue};
use records::{BoxCutter, Record, Records};
use repeated::KeyedLine;
use repetition::{AnsweredRecords, Attempts, Repetition, ResultCounter};
pub use report::{Message, MessageKind};
use source::Source;
use sys::FileId;
use task_size::TaskSizer;
use tasks::{OwnedTask, TaskReader};
use writer::{ItemEnd, Writer};

/// Returns `Break` if the run has ended with an error.
pub type Emit<'e> = &'e mut dyn FnMut(OutputLines) -> ControlFlow<()>;

pub trait LineProcessor: Sync {
    /// The form of a source, which says what its records are.
    type Form: Copy + Send;

    /// Recognises the form of a source by its beginning. If `ends` is true, no bytes follow.
    /// Returns `None` if more must be read.
    fn recognize(&self, beginning: &[u8], ends: bool) -> Option<Self::Form>;

    /// Returns `None` if each line is a record.
    fn cutter(&self, form: Self::Form) -> Option<BoxCutter>;

    /// Examines the first record of each source, in the order of the sources, before any task of
    /// the source begins. The record is empty if text that belongs to no record precedes it.
    /// Returns a message about the source, if there is one to print, or an error to refuse the
    /// source.
    fn open_source(
        &self,
        form: Self::Form,
        source: usize,
        first: FirstRecord<'_>,
    ) -> Result<Option<String>, BoxError>;

    /// Returns what is written before all other output, even if there are no lines. Called after
    /// the first source is open, if one can be opened.
    fn header(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Returns what writes the end of the output, if it has one. Called together with `header`.
    fn output_end(&self) -> Option<Box<dyn OutputEnd>> {
        None
    }

    /// Returns how often each record is processed. `None` for once.
    fn repetition(&self) -> Option<Repetition> {
        None
    }

    /// Returns the output for the record of the task, if only `found` results are found in all
    /// attempts.
    fn give_up(&self, form: Self::Form, task: &Task<'_>, found: u64) -> OutputLines {
        _ = (form, task, found);
        OutputLines::default()
    }

    /// Processes every line of the task. Calls `emit` with finished output lines, in the order of
    /// the lines: at the end and, in a long task, every few milliseconds, even if no line is
    /// finished.
    ///
    /// Once `emit` returns `Break`, the implementation must return `Break` as soon as it can, and
    /// must not call `emit` again.
    ///
    /// The implementation must not use rayon: all threads of the pool are busy with tasks until the
    /// input ends.
    fn process(&self, form: Self::Form, task: &Task<'_>, emit: Emit<'_>) -> ControlFlow<()>;
}

/// Writes what depends on all output lines, once the input has ended: for example, their number.
pub trait OutputEnd: Send {
    /// Takes from output lines what is not written among them. Called in the order of the input,
    /// with whole lines as the [`LineProcessor`] has emitted them, which need not end in a newline.
    fn take_from(&mut self, output: &mut OutputLines);

    /// Calls `write` with one part of the end of the output after the other. Parts end in a newline.
    fn write(&mut self, write: WritePart<'_>) -> Result<(), Error>;
}

pub type WritePart<'w> = &'w mut dyn FnMut(&[u8]) -> Result<(), Error>;

pub struct FirstRecord<'a> {
    /// The record without its newline; a CR before the newline is kept. Of an overlong line, only
    /// the beginning.
    pub text: &'a [u8],
    pub overlong: bool,
}

/// Whole records of one source, or the beginning of an overlong line.
pub struct Task<'a> {
    /// The records and what is between them: a part of the source, or text that its cutter made.
    pub bytes: &'a [u8],
    /// True if `bytes` is the beginning of one line that is too long to be read.
    pub overlong: bool,
    pub source: usize,
    pub source_name: &'a [u8],
    /// The maximum number of messages about its invalid lines that are printed.
    pub max_messages: usize,
    /// The attempts at the only record of the task, if records are processed repeatedly.
    pub attempts: Attempts,
    records: Records<'a>,
}

impl<'a> Task<'a> {
    /// Returns a task of lines from standard input. `number` is that of its first line.
    #[cfg(test)]
    pub fn of_lines(lines: &'a [u8], number: u64) -> Task<'a> {
        let records = Records::Lines { left: lines, line: number, number };
        Task {
            bytes: lines,
            overlong: false,
            source: 0,
            source_name: b"-",
            max_messages: 10,
            attempts: Attempts::NONE,
            records,
        }
    }

    pub fn records(&self) -> Records<'a> {
        self.records.clone()
    }

    pub fn of_record(&self, record: &Record<'a>) -> Task<'a> {
        Task { bytes: record.bytes, records: Records::One(Some(*record)), ..*self }
    }
}

#[derive(Debug, Default)]
pub struct OutputLines {
    /// The output lines. Each ends in a newline.
    pub bytes: Vec<u8>,
    /// Messages about some of the lines, by ascending line number.
    pub messages: Vec<Message>,
    /// The number of messages about invalid lines that `limit_messages` dropped.
    pub omitted_messages: u64,
    /// The number of remarks that it dropped.
    pub omitted_remarks: u64,
    pub tally: Tally,
    /// Divides `bytes` into slices, in ascending order. The end of `bytes` has no mark.
    pub marks: Vec<Mark>,
    /// The end of the output of the last counted line, as an index of `bytes`.
    pub last_counted: usize,
    /// The output lines that can be dropped, in their order.
    pub keyed: Vec<KeyedLine>,
    /// True if the record needs no more attempts.
    pub ends_record: bool,
}

/// The end of a slice of output lines. A slice is written and counted by itself.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    /// The number of bytes before the mark. The last one of them is a newline.
    pub end: usize,
    /// The number of lines, with each status, whose output is before the mark.
    pub tally: Tally,
}

/// The maximum size of a slice in bytes. Only the output of one line can be longer. A pipe holds as
/// much by default on Linux.
const SLICE_SIZE: usize = 64 << 10;

impl OutputLines {
    /// Counts a line after its output (if any) is appended to `bytes`. Sets a mark before this
    /// output if the slice would become too long with it.
    #[inline(always)]
    pub fn count(&mut self, status: Status) {
        if self.bytes.len() - self.last_mark() > SLICE_SIZE {
            self.mark(self.last_counted);
        }
        self.tally.add(status);
        self.last_counted = self.bytes.len();
    }

    /// Counts this number of results. The last output line of `bytes` is that of the last result.
    fn count_results(&mut self, number: u64, status: Status) {
        if number > 0 {
            (0..number).for_each(|_| self.tally.add(status));
            self.last_counted = self.bytes.len();
        }
    }

    #[inline(always)]
    fn last_mark(&self) -> usize {
        self.marks.last().map_or(0, |mark| mark.end)
    }

    /// Ends the slice, unless it is empty. `tally` must have all lines before `end` and no other.
    fn mark(&mut self, end: usize) {
        if end > self.last_mark() {
            self.marks.push(Mark { end, tally: self.tally });
        }
    }

    pub fn append(&mut self, next: OutputLines) {
        let begin = self.bytes.len();
        let first_end = next.marks.first().map_or(next.bytes.len(), |mark| mark.end);
        if begin + first_end - self.last_mark() > SLICE_SIZE {
            self.mark(self.last_counted);
            self.mark(begin);
        }
        let counts_lines = next.tally != Tally::default();
        for mut mark in next.marks {
            mark.end += begin;
            mark.tally += self.tally;
            self.marks.push(mark);
        }
        if counts_lines {
            self.last_counted = begin + next.last_counted;
        }
        if self.bytes.is_empty() {
            self.bytes = next.bytes;
        } else {
            self.bytes.extend_from_slice(&next.bytes);
        }
        self.keyed.extend(next.keyed.into_iter().map(|line| line.moved_by(begin)));
        self.ends_record |= next.ends_record;
        self.messages.extend(next.messages);
        self.omitted_messages += next.omitted_messages;
        self.omitted_remarks += next.omitted_remarks;
        self.tally += next.tally;
    }

    /// Returns the slices, each with the number of lines, with each status, whose output is written
    /// once the slice is. `None` if the slice ends within the output of a line of the input, which
    /// then is longer than `SLICE_SIZE`. The last slice is empty if there are no bytes.
    fn slices(&self) -> impl Iterator<Item = (&[u8], Option<Tally>)> {
        let end = self.bytes.len();
        // The output of a line that is not complete does not delay the count of those before it.
        let is_long = end - self.last_mark() > SLICE_SIZE;
        let is_incomplete = (self.last_mark() + 1..end).contains(&self.last_counted);
        let ends = (is_long && is_incomplete).then_some(self.last_counted).into_iter().chain([end]);
        let last = ends.map(|end| Mark { end, tally: self.tally });
        let mut marks = self.marks.iter().copied().chain(last).peekable();
        let mut begin = 0;
        std::iter::from_fn(move || {
            let &Mark { end: mark, tally } = marks.peek()?;
            let end = end_of_slice(&self.bytes[begin..mark]) + begin;
            let slice = &self.bytes[begin..end];
            begin = end;
            let is_counted = end == mark;
            if is_counted {
                marks.next();
            }
            Some((slice, is_counted.then_some(tally)))
        })
    }

    /// Removes these parts of `bytes`, in ascending order: whole output lines. The lines of the
    /// input still count.
    pub fn remove(&mut self, removed: &[Range<usize>]) {
        let before = |end: usize| {
            let parts = removed.iter().take_while(|part| part.start < end);
            parts.map(|part| part.end.min(end) - part.start).sum::<usize>()
        };
        self.last_counted -= before(self.last_counted);
        for mark in &mut self.marks {
            mark.end -= before(mark.end);
        }
        let Some(first) = removed.first() else {
            return;
        };
        let mut kept = first.start;
        for (index, part) in removed.iter().enumerate() {
            let next = removed.get(index + 1).map_or(self.bytes.len(), |next| next.start);
            self.bytes.copy_within(part.end..next, kept);
            kept += next - part.end;
        }
        self.bytes.truncate(kept);
    }

    /// Removes the output lines, but still counts the lines of the input.
    pub fn clear_lines(&mut self) {
        self.bytes.clear();
        self.marks.clear();
        self.last_counted = 0;
    }

    /// Keeps the memory of `bytes`.
    fn clear(&mut self) {
        let mut bytes = std::mem::take(&mut self.bytes);
        bytes.clear();
        *self = OutputLines { bytes, ..OutputLines::default() };
    }

    fn is_empty(&self) -> bool {
        self.bytes.is_empty()
            && self.messages.is_empty()
            && self.tally == Tally::default()
            && !self.ends_record
    }

    /// A run prints only the first `most` messages about invalid lines, one about missing keys, and
    /// one remark.
    fn limit_messages(&mut self, most: usize) {
        if self.messages.len() <= most {
            return;
        }
        let [mut invalid, mut missing, mut remarks] = [0; 3];
        self.messages.retain(|message| match message.kind {
            MessageKind::InvalidLine => {
                invalid += 1;
                invalid <= most
            }
            MessageKind::MissingKey => {
                missing += 1;
                missing == 1
            }
            MessageKind::Remark => {
                remarks += 1;
                remarks == 1
            }
            _ => true,
        });
        let omitted = invalid.saturating_sub(most) + missing.saturating_sub(1);
        self.omitted_messages += omitted as u64;
        self.omitted_remarks += remarks.saturating_sub(1) as u64;
        self.messages.shrink_to_fit();
    }
}

/// Returns the length of the first slice of `bytes`: all of them, or as many whole output lines as
/// have at most `SLICE_SIZE` bytes, or one line that is longer.
fn end_of_slice(bytes: &[u8]) -> usize {
    if bytes.len() <= SLICE_SIZE {
        return bytes.len();
    }
    let (short, rest) = bytes.split_at(SLICE_SIZE);
    match memchr::memrchr(b'\n', short) {
        Some(newline) => newline + 1,
        None => memchr::memchr(b'\n', rest).map_or(bytes.len(), |at| SLICE_SIZE + at + 1),
    }
}

/// Settings of a run that do not change its output lines.
///
/// ```
/// use sudoku_filter::Flow;
///
/// let mut flow = Flow::new(4);
/// flow.quiet = true;
/// assert_eq!((flow.threads, flow.errors), (4, 10));
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Flow {
    /// The number of threads that process lines, the calling thread included; 0 counts as 1. Fewer
    /// are used if the system refuses to start so many, and never more than 256.
    pub threads: usize,
    /// The maximum number of messages about invalid lines that are printed.
    pub errors: usize,
    /// True to print only messages about sources and internal errors.
    pub quiet: bool,
    /// Counts the progress of the run.
    #[doc(hidden)]
    pub meter: Arc<Meter>,
}

impl Flow {
    /// Returns the settings for this many threads, with at most ten messages about invalid lines.
    #[must_use]
    pub fn new(threads: usize) -> Flow {
        Flow { threads, errors: 10, quiet: false, meter: Arc::default() }
    }
}

/// The progress of a run, which other threads can read.
///
/// ```
/// use sudoku_filter::Tally;
/// use sudoku_filter::program::Meter;
///
/// let meter = Meter::default();
/// assert_eq!((meter.bytes_read(), meter.written()), (0, Tally::default()));
/// ```
#[derive(Debug, Default)]
pub struct Meter {
    bytes_read: AtomicU64,
    attempts: AtomicU64,
    output: Mutex<OutputState>,
    write_ended: Condvar,
}

#[derive(Debug, Default)]
struct OutputState {
    /// The number of lines, with each status, whose output lines (if any) are written.
    written: Tally,
    is_writing: bool,
    /// True once no other write may begin.
    is_stopped: bool,
}

impl Meter {
    /// Returns the number of bytes read from all sources.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Relaxed)
    }

    /// Returns the number of attempts at records that have ended, if records are processed
    /// repeatedly.
    pub fn attempts(&self) -> u64 {
        self.attempts.load(Relaxed)
    }

    /// Returns, for each status, the number of lines whose output lines (if any) are written.
    pub fn written(&self) -> Tally {
        lock(&self.output).written
    }

    /// Lets no other write to the output begin, and waits until none is under way. A write has at
    /// most 64 KiB, or one output line if that is longer, and ends in a newline. Returns false if a
    /// write is still under way after `limit`: for example, because the reader of a pipe has
    /// stopped reading.
    ///
    /// Nothing undoes this, so the run does not end any more. It is for a process that is about to
    /// end.
    pub fn stop_writes(&self, limit: Duration) -> bool {
        let mut state = lock(&self.output);
        state.is_stopped = true;
        let waited = self.write_ended.wait_timeout_while(state, limit, |state| state.is_writing);
        !waited.unwrap_or_else(PoisonError::into_inner).0.is_writing
    }

    /// Does not return after `stop_writes` was called.
    fn begin_write(&self) {
        let mut state = lock(&self.output);
        while state.is_stopped {
            state = self.write_ended.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.is_writing = true;
    }

    /// `written` is the number of lines that are now written, if the slice ends where a line of the
    /// input does.
    fn end_write(&self, written: Option<Tally>) {
        let mut state = lock(&self.output);
        state.is_writing = false;
        if let Some(written) = written {
            state.written = written;
        }
        self.write_ended.notify_all();
    }
}

/// Locks a mutex even if a thread panicked with it. The value must then still be valid.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result of a run.
///
/// ```
/// use sudoku_filter::{Outcome, Status};
///
/// let all_unique = |outcome: &Outcome| {
///     !outcome.failed && outcome.tally.count(Status::Unique) == outcome.tally.total()
/// };
/// assert!(all_unique(&Outcome::default()));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The number of lines with each status.
    pub tally: Tally,
    /// True if some source could not be read to its end, or some line caused an internal error.
    pub failed: bool,
}

/// Implements [`filter`](crate::filter) for any [`LineProcessor`].
pub fn process_lines(
    sources: &[Source],
    processor: &impl LineProcessor,
    output: &mut (impl Write + AsFd + Send),
    messages: &mut (impl Write + Send),
    flow: &Flow,
) -> Result<Outcome, Error> {
    let threads = flow.threads.clamp(1, MAX_THREADS);
    let output_id = sys::regular_file_id(output);
    let beginning = || (processor.header(), processor.output_end());
    let repetition = processor.repetition();
    let answered = AnsweredRecords::default();
    let results = repetition.map(|repetition| ResultCounter::new(repetition, &answered));
    let writer = Writer::new(&beginning, sources, output, messages, flow).with_results(results);
    let queue = OutputQueue::new(MIN_QUEUE.max(2 * threads), writer);
    let workers = Workers {
        sources,
        output_id,
        processor,
        flow,
        reader: Mutex::new(TaskReader::new()),
        sizer: TaskSizer::new(threads),
        queue: &queue,
        repetition,
        answered: &answered,
    };
    match start_pool(threads - 1) {
        None => workers.work(),
        Some(pool) => pool.in_place_scope(|scope| {
            scope.spawn_broadcast(|_, _| workers.work());
            workers.work();
        }),
    }
    drop(workers);
    queue.into_result()
}

/// The maximum number of threads. A hundred thousand would take minutes to start.
const MAX_THREADS: usize = 256;

/// Starts fewer threads if the system refuses more. `None` for none.
fn start_pool(mut count: usize) -> Option<ThreadPool> {
    while count > 0 {
        let builder = ThreadPoolBuilder::new().num_threads(count);
        let builder = builder.thread_name(|index| format!("worker {index}"));
        if let Ok(pool) = builder.build() {
            return Some(pool);
        }
        count -= count.div_ceil(4);
    }
    None
}

/// The minimum capacity of the queue, in tasks.
const MIN_QUEUE: usize = 32;

/// The time after which a task lets another thread read, even if no more input was there when the
/// task began (see [`InputState::Awaited`]).
const LONG_TASK: Duration = Duration::from_millis(5);

struct Workers<'a, 'w, P: LineProcessor> {
    sources: &'a [Source],
    output_id: Option<FileId>,
    processor: &'a P,
    flow: &'a Flow,
    /// Used by the thread whose turn it is to read.
    reader: Mutex<TaskReader<'a, P::Form>>,
    sizer: TaskSizer,
    queue: &'a OutputQueue<'w>,
    repetition: Option<Repetition>,
    answered: &'a AnsweredRecords,
}

impl<P: LineProcessor> Workers<'_, '_, P> {
    /// Adds a panic to the queue as an error, which ends the run. Otherwise, after a panic of the
    /// thread that has the turn to read, the others would wait for their turn for ever.
    fn work(&self) {
        let outcome = guarded(|| {
            while let Some(task) = self.next() {
                let result = self.process(&task);
                self.queue.finish(task.number, result);
            }
        });
        if let Err(error) = outcome {
            self.queue.add(0, Some(ItemEnd::Failed(error)));
        }
    }

    /// Waits for the turn to read. Returns `None` after the end of the input or of the run.
    ///
    /// The thread that gets the first task of a chunk has also read the chunk, so the lines of this
    /// task are in its caches.
    fn next(&self) -> Option<OwnedTask<P::Form>> {
        if self.queue.begin_read().is_break() {
            return None;
        }
        // The lock is free and not poisoned: only the thread whose turn it is locks the reader. If
        // that thread panics, no other gets a turn.
        let mut reader = self.reader.lock().unwrap();
        let task = reader.next(self);
        self.queue.end_read(match task {
            None => InputState::Ended,
            Some(_) if reader.has_more() => InputState::Ready,
            Some(_) => InputState::Awaited,
        });
        task
    }

    /// The time for `sizer` does not include the last call of `send`, which can wait for a slow
    /// reader of the output.
    fn process(&self, task: &OwnedTask<P::Form>) -> Result<(), Error> {
        let begin = Instant::now();
        let mut time = Duration::ZERO;
        let mut emit = |mut output: OutputLines| {
            time = begin.elapsed();
            if self.answered.contain(task.record) {
                return ControlFlow::Break(());
            }
            output.limit_messages(self.flow.errors);
            self.queue.send(task.number, output)?;
            if time >= LONG_TASK {
                self.queue.wake_reader();
            }
            ControlFlow::Continue(())
        };
        let form = task.form;
        let max_messages = if self.flow.quiet { 0 } else { self.flow.errors };
        let borrowed = task.borrowed(self.sources, max_messages);
        if guarded(|| self.processor.process(form, &borrowed, &mut emit))?.is_continue() {
            self.sizer.record(borrowed.bytes.len(), time);
        }
        self.flow.meter.attempts.fetch_add(task.attempts.len(), Relaxed);
        let is_last = self.repetition.is_some_and(|it| task.attempts.end == it.attempts);
        if is_last && let Some(found) = self.queue.found_so_far(task.number) {
            let output = guarded(|| self.processor.give_up(form, &borrowed, found))?;
            let _ = self.queue.send(task.number, output);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use engine::verdict::Status;
    use std::fs::File;
    use std::io::{ErrorKind, PipeReader, PipeWriter, Read, pipe};
    use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd};
    use std::path::PathBuf;
    use std::sync::mpsc;
    use std::sync::mpsc::Receiver;
    use std::thread;
    use std::time::Duration;
    use std::{fs, io};

    /// Writes output lines of the form `SOURCE:LINE:OVERALL LINE`. Lines that begin with `bad` have
    /// a message, and the line `gate` waits until the test opens the gate.
    #[derive(Default)]
    struct Echo {
        gate: Option<Mutex<Receiver<()>>>,
    }

    impl LineProcessor for Echo {
        type Form = ();

        fn recognize(&self, _: &[u8], _: bool) -> Option<()> {
            Some(())
        }

        fn process(
            &self,
            (): (),
            task: &Task<'_>,
            emit: &mut dyn FnMut(OutputLines) -> ControlFlow<()>,
        ) -> ControlFlow<()> {
            for Record { bytes: line, line: number, number: overall, .. } in task.records() {
                let text =
                    String::from_utf8_lossy(line.strip_suffix(b"\n").unwrap_or(line)).into_owned();
                let mut output = OutputLines {
                    bytes: format!("{}:{number}:{overall} {text}\n", task.source).into(),
                    ..OutputLines::default()
                };
                output.tally.add(Status::Unique);
                match &*text {
                    "gate" => self.gate.as_ref().unwrap().lock().unwrap().recv().unwrap(),
                    "panic" => panic!("on purpose"),
                    "huge" => (0..30).try_for_each(|_| {
                        emit(OutputLines { bytes: vec![b'\n'; 100_000], ..OutputLines::default() })
                    })?,
                    "busy" => thread::sleep(Duration::from_millis(number % 3)),
                    "slow" => thread::sleep(Duration::from_millis(20)),
                    "for ever" => loop {
                        emit(OutputLines {
                            bytes: vec![b'\n'; 100_000],
                            ..OutputLines::default()
                        })?;
                    },
                    _ if text.starts_with("bad") => output.messages.push(Message {
                        line: number,
                        kind: MessageKind::InvalidLine,
                        reason: "bad".into(),
                    }),
                    _ => {}
                }
                emit(output)?;
            }
            ControlFlow::Continue(())
        }

        fn open_source(
            &self,
            (): (),
            _: usize,
            first_line: FirstRecord<'_>,
        ) -> Result<Option<String>, BoxError> {
            if first_line.text == b"refuse" { Err("refused".into()) } else { Ok(None) }
        }

        fn cutter(&self, (): ()) -> Option<BoxCutter> {
            None
        }
    }

    /// Returns the length of each slice, and the number of lines that are counted with it.
    fn lengths_and_counts(output: &OutputLines) -> Vec<(usize, Option<u64>)> {
        let slices = output.slices();
        slices.map(|(slice, tally)| (slice.len(), tally.map(|tally| tally.total()))).collect()
    }

    /// Returns the output for lines with these lengths of output.
    fn output_of(lengths: &[usize]) -> OutputLines {
        let mut output = OutputLines::default();
        for &length in lengths {
            output.bytes.extend(std::iter::repeat_n(b'x', length.saturating_sub(1)));
            output.bytes.extend(&b"\n"[..length.min(1)]);
            output.count(Status::Unique);
        }
        output
    }

    #[test]
    fn a_slice_ends_where_a_line_ends_and_is_counted_by_itself() {
        const KIB: usize = 1024;
        for (lengths, slices) in [
            (&[][..], &[(0, Some(0))][..]),
            (&[0, 0], &[(0, Some(2))]),
            (&[10, 20], &[(30, Some(2))]),
            (&[30 * KIB, 34 * KIB], &[(64 * KIB, Some(2))]),
            (&[30 * KIB, 34 * KIB, 1], &[(64 * KIB, Some(2)), (1, Some(3))]),
            (&[30 * KIB, 0, 35 * KIB, 9], &[(30 * KIB, Some(2)), (35 * KIB + 9, Some(4))]),
            (&[9, 100 * KIB, 9], &[(9, Some(1)), (100 * KIB, Some(2)), (9, Some(3))]),
        ] {
            let output = output_of(lengths);
            assert_eq!(lengths_and_counts(&output), slices, "{lengths:?}");
            // The output of parts has the same bytes in slices as short, with the same counts.
            for cut in 0..=lengths.len() {
                let mut both = output_of(&lengths[..cut]);
                both.append(output_of(&lengths[cut..]));
                let mut written = 0;
                for (slice, tally) in both.slices() {
                    written += slice.len();
                    let whole = (0..=lengths.len()).find(|&it| {
                        tally.is_some_and(|tally| tally.total() == it as u64)
                            && lengths[..it].iter().sum::<usize>() == written
                    });
                    assert!(whole.is_some(), "{lengths:?} cut at {cut}: {written} {tally:?}");
                    assert!(slice.len() <= SLICE_SIZE || slice.len() == 100 * KIB, "{lengths:?}");
                }
                assert_eq!(written, both.bytes.len(), "{lengths:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn long_output_of_one_line_is_cut_after_an_output_line() {
        let mut output = OutputLines { bytes: b"1234567\n".repeat(20_000), ..Default::default() };
        output.count(Status::Multiple);
        let expected = [(65_536, None), (65_536, None), (28_928, Some(1))];
        assert_eq!(lengths_and_counts(&output), expected);
    }

    #[test]
    fn lines_before_incomplete_output_are_counted_without_it() {
        let complete = output_of(&[10, 20]);
        let incomplete = OutputLines { bytes: b"1234567\n".repeat(8190), ..Default::default() };
        let both = |first: &OutputLines, second: &OutputLines| {
            let mut both = OutputLines::default();
            for part in [first, second] {
                both.append(OutputLines {
                    bytes: part.bytes.clone(),
                    tally: part.tally,
                    last_counted: part.last_counted,
                    ..Default::default()
                });
            }
            both
        };
        let mut output = both(&complete, &incomplete);
        assert_eq!(lengths_and_counts(&output), [(30, Some(2)), (65_520, Some(2))]);
        // The line is complete with the next output.
        output.append(output_of(&[40, 50]));
        let expected = [(30, Some(2)), (65_520, Some(2)), (90, Some(4))];
        assert_eq!(lengths_and_counts(&output), expected);
        let two_parts = both(&both(&complete, &incomplete), &incomplete);
        let expected = [(30, Some(2)), (65_520, Some(2)), (65_520, Some(2))];
        assert_eq!(lengths_and_counts(&two_parts), expected);
    }

    #[test]
    fn no_write_begins_after_writes_are_stopped() {
        let meter = Meter::default();
        meter.begin_write();
        assert!(!meter.stop_writes(Duration::from_millis(1)), "a write is under way");
        let mut tally = Tally::default();
        tally.add(Status::Unique);
        thread::scope(|scope| {
            let stopped = scope.spawn(|| meter.stop_writes(Duration::from_secs(9)));
            meter.end_write(Some(tally));
            assert!(stopped.join().unwrap());
        });
        assert_eq!(meter.written().total(), 1);
        let meter = Arc::new(meter);
        let (begun, received) = mpsc::channel();
        let other = Arc::clone(&meter);
        thread::spawn(move || {
            other.begin_write();
            begun.send(()).unwrap();
        });
        assert!(received.recv_timeout(Duration::from_millis(20)).is_err());
    }

    /// A file that is removed when the test ends.
    struct Scratch(PathBuf);

    impl Scratch {
        fn new(name: &str, bytes: &[u8]) -> Self {
            let path =
                std::env::temp_dir().join(format!("sudoku-filter-{}-{name}", std::process::id()));
            fs::write(&path, bytes).unwrap();
            Scratch(path)
        }

        fn source(&self) -> Source {
            Source::File(self.0.clone())
        }
    }

    impl Drop for Scratch {
        fn drop(&mut self) {
            let _ = fs::remove_file(&self.0);
        }
    }

    fn source_of(fd: &impl AsRawFd) -> Source {
        Source::File(format!("/dev/fd/{}", fd.as_raw_fd()).into())
    }

    fn flow(threads: usize) -> Flow {
        Flow { threads, errors: 10, quiet: false, meter: Arc::default() }
    }

    /// The output lines, messages and outcome of a run.
    fn run(sources: &[Source], threads: usize) -> (String, String, Result<Outcome, Error>) {
        let (mut reader, mut writer) = pipe().unwrap();
        let output = thread::spawn(move || {
            let mut output = String::new();
            reader.read_to_string(&mut output).unwrap();
            output
        });
        let mut messages = Vec::new();
        let result =
            process_lines(sources, &Echo::default(), &mut writer, &mut messages, &flow(threads));
        drop(writer);
        (output.join().unwrap(), String::from_utf8(messages).unwrap(), result)
    }

    #[test]
    fn messages_that_a_run_does_not_print_are_counted() {
        let message = |line, kind| Message { line, kind, reason: String::new() };
        use MessageKind::{Hint, InternalError, InvalidLine};
        let kinds = [InvalidLine, Hint, InvalidLine, InternalError, InvalidLine];
        let all: Vec<Message> = (1..).zip(kinds).map(|(n, kind)| message(n, kind)).collect();
        for (most, kept, omitted) in [
            (0, &[2, 4][..], 3),
            (1, &[1, 2, 4], 2),
            (3, &[1, 2, 3, 4, 5], 0),
            (9, &[1, 2, 3, 4, 5], 0),
        ] {
            let mut output = OutputLines { messages: all.clone(), ..OutputLines::default() };
            output.limit_messages(most);
            let lines: Vec<u64> = output.messages.iter().map(|it| it.line).collect();
            assert_eq!((&lines[..], output.omitted_messages), (kept, omitted), "{most}");
        }
    }

    #[test]
    fn much_output_waits_for_a_slow_source_before_it() {
        let (slow, huge) = (Scratch::new("slow", b"slow"), Scratch::new("much", b"huge"));
        // The output of the huge file waits until the slow file before it is answered.
        let sources: Vec<_> = (0..10).flat_map(|_| [slow.source(), huge.source()]).collect();
        let (output, _, result) = run(&sources, 2);
        let output: Vec<&str> = output.lines().filter(|line| !line.is_empty()).collect();
        let expected: Vec<String> = (0..20)
            .map(|source| {
                let text = ["slow", "huge"][source % 2];
                format!("{source}:1:{} {text}", source + 1)
            })
            .collect();
        assert_eq!(output, expected);
        assert_eq!(result.unwrap().tally.total(), 20);
    }

    #[test]
    fn answers_keep_the_order_of_the_input_and_its_numbers() {
        let mut texts = [String::new(), String::new(), "last".into()];
        for number in 0..60_000 {
            let text = if number % 1000 == 0 { "busy\n" } else { "quick\n" };
            texts[number % 2] += text;
        }
        texts[0] += "without newline";
        let files: Vec<_> =
            (0..3).map(|i| Scratch::new(&format!("order-{i}"), texts[i].as_bytes())).collect();
        let sources: Vec<_> = files.iter().map(Scratch::source).collect();
        let mut expected = String::new();
        let mut overall = 0;
        for (source, text) in texts.iter().enumerate() {
            for (line, number) in text.lines().zip(1..) {
                overall += 1;
                expected += &format!("{source}:{number}:{overall} {line}\n");
            }
        }
        for threads in [0, 1, 2, 7] {
            let (output, messages, result) = run(&sources, threads);
            assert!(output == expected, "{threads} threads");
            assert_eq!(
                (messages, result.unwrap().tally.count(Status::Unique)),
                (String::new(), overall),
                "{threads} threads"
            );
        }
    }

    #[test]
    fn a_source_that_fails_leaves_the_others() {
        let file = Scratch::new("others", b"a\nbad");
        let packed = Scratch::new("packed", b"\x1f\x8b\x08\n\n");
        let refused = Scratch::new("refused", b"refuse\nb\n");
        let missing = Source::File("/nowhere/night.txt".into());
        let sources = [missing, file.source(), packed.source(), refused.source(), file.source()];
        for threads in [0, 2] {
            let (output, messages, result) = run(&sources, threads);
            assert_eq!(output, "1:1:1 a\n1:2:2 bad\n4:1:3 a\n4:2:4 bad\n");
            let expected = [
                "sudoku-filter: /nowhere/night.txt: No such file or directory".into(),
                format!("sudoku-filter: {}:2: bad", file.0.display()),
                format!(
                    "sudoku-filter: {0}: this is gzip data; unpack it first: gzip -dc {0} | sudoku-filter",
                    packed.0.display()
                ),
                format!("sudoku-filter: {}: refused", refused.0.display()),
                format!("sudoku-filter: {}:2: bad", file.0.display()),
            ];
            assert_eq!(messages.lines().collect::<Vec<_>>(), expected);
            assert!(result.unwrap().failed);
        }
    }

    #[test]
    fn output_before_a_panic_is_written() {
        engine::panics::install_hook();
        let file = Scratch::new("panic", b"a\nb\npanic\nc\n");
        for threads in [0, 1, 2] {
            let (output, _, result) = run(&[file.source(), file.source()], threads);
            assert!("0:1:1 a\n0:2:2 b\n" == output, "{threads} threads: {output}");
            match result {
                Err(Error::Internal { place }) => {
                    assert!(place.starts_with("src/stream/mod.rs:"), "{place}")
                }
                other => panic!("{other:?}"),
            }
        }
    }

    #[test]
    fn an_answer_is_written_before_the_next_one_is_ready() {
        let (open_gate, gate) = mpsc::channel();
        let echo = Arc::new(Echo { gate: Some(Mutex::new(gate)) });
        let file = Scratch::new("gate", b"first\ngate\n");
        let (mut reader, mut writer) = pipe().unwrap();
        let sources = [file.source()];
        let run = thread::spawn(move || {
            process_lines(&sources, &*echo, &mut writer, &mut io::sink(), &flow(2))
        });
        let mut row = [0; 12];
        reader.read_exact(&mut row).unwrap();
        assert_eq!(&row, b"0:1:1 first\n");
        open_gate.send(()).unwrap();
        run.join().unwrap().unwrap();
    }

    #[test]
    fn a_line_is_answered_when_it_arrives() {
        let (input, mut feed) = pipe().unwrap();
        let (mut reader, mut writer) = pipe().unwrap();
        let sources = [source_of(&input)];
        let run = thread::spawn(move || {
            process_lines(&sources, &Echo::default(), &mut writer, &mut io::sink(), &flow(2))
        });
        for number in 1..=3 {
            feed.write_all(b"x\n").unwrap();
            let mut row = [0; 8];
            reader.read_exact(&mut row).unwrap();
            assert_eq!(&row, format!("0:{number}:{number} x\n").as_bytes());
        }
        drop(feed);
        assert_eq!(run.join().unwrap().unwrap().tally.count(Status::Unique), 3);
    }

    /// Runs `filter` on `source`, and closes the other end of its output after a while. Returns the
    /// time that the run then took. Panics if it goes on for long.
    fn lose_reader(source: Source, echo: &Arc<Echo>, threads: usize) -> Duration {
        let (reader, mut writer): (PipeReader, PipeWriter) = pipe().unwrap();
        let echo = Arc::clone(echo);
        let (send, result) = mpsc::channel();
        thread::spawn(move || {
            let sources = [source];
            let run = process_lines(&sources, &*echo, &mut writer, &mut io::sink(), &flow(threads));
            let _ = send.send(run);
        });
        thread::sleep(Duration::from_millis(50));
        drop(reader);
        let begin = Instant::now();
        let result = result.recv_timeout(Duration::from_secs(20));
        assert!(matches!(result, Ok(Err(Error::ReaderGone))), "{result:?}");
        begin.elapsed()
    }

    #[test]
    fn an_error_ends_a_run_that_waits_for_input() {
        let echo = Arc::new(Echo::default());
        for threads in [1, 2] {
            let run = |_| {
                let (input, mut feed) = pipe().unwrap();
                feed.write_all(&b"slow\n".repeat(10)).unwrap();
                lose_reader(source_of(&input), &echo, threads)
            };
            // A thread that waits notices the error within 100 ms. One quick run of nine is enough,
            // because the machine can be busy.
            let soon = Duration::from_millis(200);
            let slow: Vec<_> = (0..9).map(run).take_while(|took| *took >= soon).collect();
            assert!(slow.len() < 9, "{slow:?}");
        }
    }

    #[test]
    fn an_endless_task_ends_when_the_reader_has_gone() {
        let file = Scratch::new("for-ever", b"for ever\n");
        lose_reader(file.source(), &Arc::new(Echo::default()), 2);
    }

    #[test]
    fn tasks_with_much_output_wait_for_room() {
        let file = Scratch::new("huge", &b"huge\n".repeat(40));
        let (output, _, result) = run(&[file.source()], 4);
        assert_eq!(output.bytes().filter(|&byte| byte == b'\n').count(), 40 * (30 * 100_000 + 1));
        assert_eq!(result.unwrap().tally.count(Status::Unique), 40);
    }

    #[test]
    fn an_output_that_cannot_be_written_to_is_an_error() {
        let file = Scratch::new("unwritable", b"a\n");
        let empty = Scratch::new("empty", b"");
        for threads in [0, 2] {
            let into_nothing = |source| {
                let mut output = File::open("/dev/null").unwrap();
                process_lines(
                    &[source],
                    &Echo::default(),
                    &mut output,
                    &mut io::sink(),
                    &flow(threads),
                )
            };
            assert_eq!(
                into_nothing(file.source()).unwrap_err().to_string(),
                "write error: Bad file descriptor"
            );
            assert_eq!(
                into_nothing(empty.source()).unwrap(),
                Outcome::default(),
                "nothing to write, nothing wrong"
            );
        }
    }

    #[test]
    fn the_output_is_not_read_again() {
        let file = Scratch::new("loop", b"a\n");
        let mut output = fs::OpenOptions::new().append(true).open(&file.0).unwrap();
        let outcome = process_lines(
            &[file.source()],
            &Echo::default(),
            &mut output,
            &mut io::sink(),
            &flow(2),
        )
        .unwrap();
        assert!(outcome.failed);
        assert_eq!(fs::read(&file.0).unwrap(), b"a\n");
    }

    #[test]
    fn a_run_ends_the_write_under_way_and_begins_no_other_once_they_are_stopped() {
        let (input, mut feed) = pipe().unwrap();
        let (mut reader, mut writer) = pipe().unwrap();
        let flow = flow(2);
        let meter = Arc::clone(&flow.meter);
        let sources = [source_of(&input)];
        let echo = Echo::default();
        let run = thread::spawn(move || {
            process_lines(&sources, &echo, &mut writer, &mut io::sink(), &flow)
        });
        let mut row = [0; 8];
        feed.write_all(b"a\n").unwrap();
        reader.read_exact(&mut row).unwrap();
        // The line is read before it is counted.
        while meter.written().total() == 0 {
            thread::yield_now();
        }
        // This output is more than a pipe holds. The write goes on until the test reads.
        feed.write_all(b"huge\n").unwrap();
        assert!(sys::wait_readable(reader.as_fd(), None));
        // The first slice can fit into the pipe. The next one cannot.
        thread::sleep(Duration::from_millis(50));
        assert!(!meter.stop_writes(Duration::from_millis(20)));
        assert_eq!(meter.written().total(), 1);
        // The write that is under way ends, and no other begins.
        let mut output = [0; 1 << 20];
        let mut length = 0;
        while sys::wait_readable(reader.as_fd(), Some(Duration::from_millis(200))) {
            length += reader.read(&mut output[length..]).unwrap();
        }
        assert!((1..=100_000).contains(&length), "{length}");
        assert!(meter.stop_writes(Duration::ZERO));
        assert_eq!(meter.written().total(), 1);
        // The thread of the run waits for ever.
        assert!(!run.is_finished());
    }

    #[test]
    fn a_non_blocking_output_is_waited_for() {
        /// Refuses every other write, and takes three bytes of the others.
        struct Grudging {
            fd: OwnedFd,
            refuses: bool,
            written: Vec<u8>,
        }
        impl Write for Grudging {
            fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
                self.refuses = !self.refuses;
                if self.refuses {
                    return Err(ErrorKind::WouldBlock.into());
                }
                let count = bytes.len().min(3);
                self.written.extend_from_slice(&bytes[..count]);
                Ok(count)
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        impl AsFd for Grudging {
            fn as_fd(&self) -> BorrowedFd<'_> {
                self.fd.as_fd()
            }
        }
        let file = Scratch::new("grudging", b"a\nb\n");
        let (_reader, writer) = pipe().unwrap();
        let mut output = Grudging { fd: writer.into(), refuses: false, written: Vec::new() };
        process_lines(&[file.source()], &Echo::default(), &mut output, &mut io::sink(), &flow(1))
            .unwrap();
        assert_eq!(output.written.escape_ascii().to_string(), r"0:1:1 a\n0:2:2 b\n");
    }
}
