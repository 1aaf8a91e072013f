//! Lines to answers and back into order: one thread reads ahead, rayon's threads answer tasks of whole lines, and the
//! calling thread writes. What an answer is, it leaves to `Answer`.

use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::fs::MetadataExt;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use memchr::{memchr, memchr_iter};
use rayon::{ThreadPool, ThreadPoolBuilder};

pub use crate::error::Message;
use crate::error::{Error, Fault, Reporter, guarded};
use crate::handover::{Giver, Taken, Taker, handover};
use crate::input::{Chunk, Chunks, Source};
use crate::sys;
pub use crate::verdict::Tally;

/// What is done with lines.
pub trait Answer: Send + Sync + 'static {
    /// Answers every line of the task, in order. Calls `emit` with finished rows at the end and, if it takes long,
    /// whenever a prefix is ready. When nobody wants more rows, `emit` does not return: it unwinds.
    ///
    /// It must not use rayon itself: a worker that waits may begin another task, and that one may wait for this.
    fn answer(&self, task: &Task<'_>, emit: &mut dyn FnMut(Rows));

    /// Called with the first line of each source, in order, before any task of that source begins: what the rest is read
    /// by (a CSV header) may stand there. An error refuses the source, and is what is said of it.
    fn open(&self, source: usize, first_line: &[u8]) -> Result<(), String> {
        let _ = (source, first_line);
        Ok(())
    }
}

/// Whole lines to answer.
pub struct Task<'a> {
    /// Each ends in a newline, except perhaps the last of its source.
    pub lines: &'a [u8],
    /// `lines` is the beginning of one line that is too long to be read.
    pub overlong: bool,
    /// Index of the source.
    pub source: usize,
    /// The number of the first line in its source, from 1.
    pub first_line: u64,
    /// The number of the first line in the whole input, from 1.
    pub first_line_overall: u64,
}

/// Answers to some lines: whole rows, and what else is to be said.
#[derive(Debug, Default)]
pub struct Rows {
    pub bytes: Vec<u8>,
    pub messages: Vec<Message>,
    pub tally: Tally,
}

impl Rows {
    pub fn append(&mut self, next: Rows) {
        self.bytes.extend_from_slice(&next.bytes);
        self.messages.extend(next.messages);
        self.tally += next.tally;
    }
}

/// How the run goes.
#[derive(Clone, Debug)]
pub struct Flow {
    /// Workers; fewer if so many cannot be started.
    pub threads: usize,
    /// Messages about lines, at most.
    pub errors: usize,
    /// No messages about lines.
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    pub tally: Tally,
    /// Some source could not be read, or not to its end.
    pub failed: bool,
}

/// Answers the lines of `sources`, one after the other, on `output`, and tells on `messages` what is wrong.
///
/// After an error it returns at once, while a worker may still be at a hard task and the reader in a read: both end with
/// the process, or when they next hand something on.
pub fn filter(
    sources: &[Source],
    answer: &Arc<impl Answer>,
    output: &mut (impl Write + AsFd),
    messages: &mut impl Write,
    flow: &Flow,
) -> Result<Outcome, Error> {
    let walk = Walk {
        sources: sources.to_vec(),
        answer: Arc::clone(answer),
        pace: Arc::new(Pace::new(flow.threads)),
        output: regular_file(output),
    };
    let writer = Writer::new(sources, output, messages, flow);
    match start(walk.clone(), flow.threads) {
        Some(queue) => writer.write_in_order(&queue),
        None => writer.answer_and_write(&walk),
    }
}

/// Device and inode of what `output` is, if it is a regular file.
fn regular_file(output: &impl AsFd) -> Option<(u64, u64)> {
    let file = File::from(output.as_fd().try_clone_to_owned().ok()?);
    file.metadata()
        .ok()
        .filter(|it| it.is_file())
        .map(|it| (it.dev(), it.ino()))
}

// ---- Reading ahead ----

/// Goes through the sources and cuts them into tasks.
struct Walk<A> {
    sources: Vec<Source>,
    answer: Arc<A>,
    pace: Arc<Pace>,
    output: Option<(u64, u64)>,
}

/// What the walk comes upon, in the order of the input.
enum Step {
    Work(Work),
    Fault { source: usize, fault: Fault },
}

impl<A: Answer> Walk<A> {
    /// Calls `take` with every step, until it returns an error.
    fn each<E>(&self, take: &mut impl FnMut(Step) -> Result<(), E>) -> Result<(), E> {
        let mut lines_before = 0;
        for source in 0..self.sources.len() {
            let mut at = Place {
                source,
                first_line: 1,
                first_line_overall: lines_before + 1,
            };
            self.each_of_source(&mut at, take)?;
            lines_before = at.first_line_overall - 1;
        }
        Ok(())
    }

    fn each_of_source<E>(
        &self,
        at: &mut Place,
        take: &mut impl FnMut(Step) -> Result<(), E>,
    ) -> Result<(), E> {
        let source = at.source;
        let mut chunks = match self.open(source) {
            Ok(file) => Chunks::new(file),
            Err(fault) => return take(Step::Fault { source, fault }),
        };
        loop {
            match self.next_chunk(&mut chunks, at) {
                Ok(Some(chunk)) => self.each_of_chunk(chunk, at, take)?,
                Ok(None) => return Ok(()),
                Err(fault) => return take(Step::Fault { source, fault }),
            }
        }
    }

    fn open(&self, source: usize) -> Result<File, Fault> {
        let file = self.sources[source].open().map_err(Fault::Io)?;
        // As grep does: what it writes it would read again, for ever.
        if self.output.is_some() && self.output == regular_file(&file) {
            return Err(Fault::Refused("input file is also the output".into()));
        }
        Ok(file)
    }

    fn next_chunk(&self, chunks: &mut Chunks<File>, at: &Place) -> Result<Option<Chunk>, Fault> {
        let chunk = chunks.next()?;
        if let Some(Chunk { bytes, .. }) = &chunk
            && at.first_line == 1
        {
            let first_line = &bytes[..memchr(b'\n', bytes).unwrap_or(bytes.len())];
            self.answer
                .open(at.source, first_line)
                .map_err(Fault::Refused)?;
        }
        Ok(chunk)
    }

    fn each_of_chunk<E>(
        &self,
        chunk: Chunk,
        at: &mut Place,
        take: &mut impl FnMut(Step) -> Result<(), E>,
    ) -> Result<(), E> {
        let chunk = Arc::new(chunk);
        let share = self.pace.share(&chunk.bytes);
        let mut begin = 0;
        while begin < chunk.bytes.len() {
            let size = self.pace.size().clamp(share.start, share.end);
            let end = end_of_line(&chunk.bytes, begin + size);
            let work = Work {
                chunk: Arc::clone(&chunk),
                range: begin..end,
                at: *at,
            };
            at.skip(&chunk.bytes[begin..end]);
            take(Step::Work(work))?;
            begin = end;
        }
        Ok(())
    }
}

impl<A> Clone for Walk<A> {
    fn clone(&self) -> Self {
        let Walk {
            sources,
            answer,
            pace,
            output,
        } = self;
        Walk {
            sources: sources.clone(),
            answer: Arc::clone(answer),
            pace: Arc::clone(pace),
            output: *output,
        }
    }
}

/// The end of the line that holds the byte before `at`.
fn end_of_line(bytes: &[u8], at: usize) -> usize {
    let from = at.clamp(1, bytes.len()) - 1;
    memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |newline| from + newline + 1)
}

/// Where in the input a line is.
#[derive(Clone, Copy)]
struct Place {
    source: usize,
    first_line: u64,
    first_line_overall: u64,
}

impl Place {
    fn skip(&mut self, lines: &[u8]) {
        let newlines = memchr_iter(b'\n', lines).count();
        // The last line of a source and an overlong one may come without.
        let count = (newlines + usize::from(!lines.ends_with(b"\n"))) as u64;
        self.first_line += count;
        self.first_line_overall += count;
    }
}

/// How large tasks should be: as many lines as take some milliseconds, after what the last ones took.
struct Pace {
    threads: usize,
    /// Picoseconds a byte.
    cost: AtomicU64,
}

/// What a task should take. Long enough that handing it over costs nothing, short enough to keep all workers busy.
const TASK: Duration = Duration::from_millis(6);
/// Work that is not worth being shared among the workers.
const MOMENT: Duration = Duration::from_millis(1);
/// Lines a worker likes to have at once, however slow: one in each of its lanes.
const COMPANY: usize = 32;
/// Before anything is known, `COMPANY` lines of 81 cells make a task.
const FIRST_COST: u64 = picoseconds(TASK) / (COMPANY as u64 * 82);

const fn picoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64 * 1000
}

impl Pace {
    fn new(threads: usize) -> Self {
        Pace {
            threads: threads.max(1),
            cost: AtomicU64::new(FIRST_COST),
        }
    }

    fn note(&self, bytes: usize, time: Duration) {
        let cost = picoseconds(time) / bytes.max(1) as u64;
        // Slow lines make the next task small at once; after quick ones it grows fourfold at most.
        self.cost
            .store(cost.max(self.cost.load(Relaxed) / 4).max(1), Relaxed);
    }

    /// Bytes in a task that takes `TASK`.
    fn size(&self) -> usize {
        (picoseconds(TASK) / self.cost.load(Relaxed)) as usize
    }

    /// The least and the most bytes of a task of these lines: `COMPANY` lines, but never more than each worker's share.
    fn share(&self, lines: &[u8]) -> Range<usize> {
        let takes = (lines.len() as u64).saturating_mul(self.cost.load(Relaxed));
        let workers = if takes > picoseconds(MOMENT) {
            self.threads
        } else {
            1
        };
        let most = lines.len().div_ceil(workers);
        let count = memchr_iter(b'\n', lines).count().max(1);
        (lines.len() * COMPANY / count).min(most)..most
    }
}

// ---- Answering ----

/// A task that owns its lines.
struct Work {
    chunk: Arc<Chunk>,
    range: Range<usize>,
    at: Place,
}

impl Work {
    /// Answers the lines; `emit` returns false when nobody wants more rows.
    fn run(
        &self,
        answer: &impl Answer,
        pace: &Pace,
        emit: &mut dyn FnMut(Rows) -> bool,
    ) -> Result<(), Error> {
        let lines = &self.chunk.bytes[self.range.clone()];
        let Place {
            source,
            first_line,
            first_line_overall,
        } = self.at;
        let task = Task {
            lines,
            overlong: self.chunk.overlong,
            source,
            first_line,
            first_line_overall,
        };
        let begin = Instant::now();
        guarded(|| answer.answer(&task, &mut |rows| emit_or_unwind(rows, emit)))?;
        pace.note(lines.len(), begin.elapsed());
        Ok(())
    }
}

/// A task may go on for ever, and knows no way to stop but this. No panic hook sees it.
fn emit_or_unwind(rows: Rows, emit: &mut dyn FnMut(Rows) -> bool) {
    if !emit(rows) {
        panic::resume_unwind(Box::new("nobody wants more rows"));
    }
}

/// What the writer finds in its queue, in the order of the input.
enum Next {
    Rows { source: usize, rows: Taker },
    Fault { source: usize, fault: Fault },
    Broken(Error),
}

/// Tasks between reader and writer: with the size of chunks this bounds memory, and how far others may get past a task
/// that takes long.
const QUEUE: usize = 64;

/// Starts the reader and as many workers as can be had; `None` if that is too few to be worth it.
fn start(walk: Walk<impl Answer>, threads: usize) -> Option<Receiver<Next>> {
    let _held = sys::hold_signals();
    let (send_pool, pool) = mpsc::channel();
    let (queue, next) = mpsc::sync_channel(QUEUE.max(2 * threads));
    let reader = move || {
        if let Ok(pool) = pool.recv()
            && let Err(error) = guarded(|| read_ahead(&walk, &pool, &queue))
        {
            let _ = queue.send(Next::Broken(error));
        }
    };
    thread::Builder::new()
        .name("reader".into())
        .spawn(reader)
        .ok()?;
    send_pool.send(start_pool(threads)?).ok()?;
    Some(next)
}

/// A pool of `threads` workers, or of as many as can be started.
fn start_pool(mut threads: usize) -> Option<ThreadPool> {
    while threads > 0 {
        let mut started = Vec::new();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|worker| {
                let name = format!("worker {}", worker.index());
                started.push(thread::Builder::new().name(name).spawn(|| worker.run())?);
                Ok(())
            });
        if let Ok(pool) = pool.build() {
            return Some(pool);
        }
        threads = started.len();
        // Only when these have ended is there room for as many again.
        started.into_iter().for_each(|worker| _ = worker.join());
    }
    None
}

/// The reader: puts every step into the queue, and the work on the pool. Stops when the writer has gone.
fn read_ahead(walk: &Walk<impl Answer>, pool: &ThreadPool, queue: &SyncSender<Next>) {
    let _ = walk.each(&mut |step| match step {
        Step::Fault { source, fault } => queue.send(Next::Fault { source, fault }),
        Step::Work(work) => {
            let (giver, rows) = handover();
            // First the queue, which may have to wait: what the pool has is never more than the queue holds.
            queue.send(Next::Rows {
                source: work.at.source,
                rows,
            })?;
            let (answer, pace) = (Arc::clone(&walk.answer), Arc::clone(&walk.pace));
            pool.spawn(move || run_on_pool(&work, &*answer, &pace, giver));
            Ok(())
        }
    });
}

/// A panic would abort the process here, so none gets out of `run`.
fn run_on_pool(work: &Work, answer: &impl Answer, pace: &Pace, giver: Giver) {
    let result = work.run(answer, pace, &mut |rows| giver.give(rows));
    giver.end(result);
}

// ---- Writing ----

/// Writes rows in the order of the input, from the calling thread.
struct Writer<'a, O, M> {
    sources: &'a [Source],
    output: &'a mut O,
    reporter: Reporter<'a, M>,
    outcome: Outcome,
    /// Whole rows, not yet written.
    ready: Vec<u8>,
    to_regular_file: bool,
    looked: Instant,
}

/// So many bytes are worth a write.
const WORTH_A_WRITE: usize = 64 << 10;
/// How long a reader that has gone may stay unnoticed.
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl<'a, O: Write + AsFd, M: Write> Writer<'a, O, M> {
    fn new(sources: &'a [Source], output: &'a mut O, messages: &'a mut M, flow: &Flow) -> Self {
        Writer {
            sources,
            reporter: Reporter::new(messages, flow.errors, flow.quiet),
            outcome: Outcome::default(),
            ready: Vec::with_capacity(2 * WORTH_A_WRITE),
            to_regular_file: regular_file(output).is_some(),
            output,
            looked: Instant::now(),
        }
    }

    fn write_in_order(mut self, queue: &Receiver<Next>) -> Result<Outcome, Error> {
        loop {
            let next = self.patiently(|limit| match queue.recv_timeout(limit) {
                Ok(next) => Some(Some(next)),
                Err(RecvTimeoutError::Disconnected) => Some(None),
                Err(RecvTimeoutError::Timeout) => None,
            })?;
            match next {
                Some(Next::Rows { source, rows }) => self.write_rows_of_task(source, &rows)?,
                Some(Next::Fault { source, fault }) => self.tell_fault(source, &fault)?,
                Some(Next::Broken(error)) => return self.break_off(error),
                None => return self.finish(),
            }
        }
    }

    fn write_rows_of_task(&mut self, source: usize, task: &Taker) -> Result<(), Error> {
        loop {
            match self.patiently(|limit| task.take(limit))? {
                Taken::Rows(rows) => self.write(source, rows)?,
                Taken::End(Ok(())) => return Ok(()),
                Taken::End(Err(error)) => return self.break_off(error),
            }
        }
    }

    /// Without threads: answers in place. While a line is answered or waited for, a reader that goes is not noticed.
    fn answer_and_write(mut self, walk: &Walk<impl Answer>) -> Result<Outcome, Error> {
        walk.each(&mut |step| match step {
            Step::Fault { source, fault } => self.tell_fault(source, &fault),
            Step::Work(work) => self.answer_in_place(walk, &work),
        })?;
        self.finish()
    }

    fn answer_in_place(&mut self, walk: &Walk<impl Answer>, work: &Work) -> Result<(), Error> {
        let mut written = Ok(());
        let answered = work.run(&*walk.answer, &walk.pace, &mut |rows| {
            written = self.write(work.at.source, rows).and_then(|()| self.flush());
            written.is_ok()
        });
        written?;
        answered.or_else(|error| self.break_off(error))
    }

    /// What `next` gives, now or later; before it waits, everything ready is written. `next` gets the time it may take.
    fn patiently<T>(&mut self, mut next: impl FnMut(Duration) -> Option<T>) -> Result<T, Error> {
        if let Some(found) = next(Duration::ZERO) {
            return Ok(found);
        }
        self.flush()?;
        loop {
            self.look_for_reader()?;
            if let Some(found) = next(LOOK_EVERY) {
                return Ok(found);
            }
        }
    }

    fn look_for_reader(&mut self) -> Result<(), Error> {
        if self.looked.elapsed() < LOOK_EVERY {
            return Ok(());
        }
        self.looked = Instant::now();
        if sys::reader_gone(self.output.as_fd()) {
            Err(Error::ReaderGone)
        } else {
            Ok(())
        }
    }

    fn write(&mut self, source: usize, rows: Rows) -> Result<(), Error> {
        for message in &rows.messages {
            self.reporter.line(self.sources[source].name(), message);
        }
        self.outcome.tally += rows.tally;
        if self.ready.is_empty() && rows.bytes.len() >= WORTH_A_WRITE {
            return self.write_out(&rows.bytes);
        }
        self.ready.extend_from_slice(&rows.bytes);
        if self.ready.len() >= WORTH_A_WRITE {
            self.flush()
        } else {
            Ok(())
        }
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.ready.is_empty() {
            return Ok(());
        }
        let mut ready = std::mem::take(&mut self.ready);
        let result = self.write_out(&ready);
        ready.clear();
        self.ready = ready;
        result
    }

    /// Writes whole rows. A regular file gets all of them before a signal can end the process.
    fn write_out(&mut self, mut rows: &[u8]) -> Result<(), Error> {
        let _held = self.to_regular_file.then(sys::hold_signals);
        while !rows.is_empty() {
            match self.output.write(rows) {
                Ok(0) => return Err(Error::Write(ErrorKind::WriteZero.into())),
                Ok(count) => rows = &rows[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    sys::wait_writable(self.output.as_fd())
                }
                Err(error) => return Err(error.into()),
            }
        }
        self.output.flush().map_err(io::Error::into)
    }

    fn tell_fault(&mut self, source: usize, fault: &Fault) -> Result<(), Error> {
        self.flush()?;
        self.outcome.failed = true;
        self.reporter.fault(self.sources[source].name(), fault);
        Ok(())
    }

    /// Ends the run with `error`, the rows before it written.
    fn break_off<T>(&mut self, error: Error) -> Result<T, Error> {
        self.flush()?;
        Err(error)
    }

    fn finish(mut self) -> Result<Outcome, Error> {
        self.flush()?;
        self.reporter.finish();
        Ok(self.outcome)
    }
}
