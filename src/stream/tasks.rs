//! Reads the sources one after the other, numbers their lines and cuts them into tasks. Workers run
//! the tasks.

use std::fs::File;
use std::io;
use std::io::Read;
use std::ops::{Range, RangeInclusive};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use memchr::{memchr, memchr_iter};

use super::chunks::{Chunk, Chunks, FAST_READ};
use super::output_queue::OutputQueue;
use super::records::{Record, Records, Span, Spans};
use super::repetition::Attempts;
use super::source::{ByteStream, Opened, Source, SourceFault, Stream};
use super::writer::ItemEnd;
use super::{FirstRecord, LineProcessor, Meter, Task, Workers, sys};

/// `F` is [`LineProcessor::Form`].
pub struct TaskReader<'a, F> {
    /// The position of the first line that is not yet in a task, or of its chunk if this has spans.
    at: LinePosition,
    /// `None` until the source `at.source` is open.
    open: Option<OpenSource<'a, F>>,
    rest: Option<ChunkRest<F>>,
    /// The last task, if records are processed repeatedly and there can be more attempts at its
    /// record.
    repeated: Option<OwnedTask<F>>,
    /// The number of records of earlier tasks, if records are processed repeatedly.
    records: u64,
    /// True if the last chunk was so large that more input can probably be read at once.
    is_fast: bool,
}

struct OpenSource<'a, F> {
    chunks: Chunks<'a>,
    form: F,
    /// True if the first record has been examined.
    is_examined: bool,
}

struct ChunkRest<F> {
    chunk: Arc<Chunk>,
    form: F,
    begin: usize,
    /// The number of records of the chunk before `begin`, unless each line is one.
    before: usize,
    /// The least and the greatest size of a task in bytes, from `TaskSizer::limits`.
    limits: RangeInclusive<usize>,
}

impl<'a, F: Copy> TaskReader<'a, F> {
    pub fn new() -> Self {
        TaskReader {
            at: LinePosition { source: 0, first_line: 1, first_number: 1 },
            open: None,
            rest: None,
            repeated: None,
            records: 0,
            is_fast: false,
        }
    }

    pub fn has_more(&self) -> bool {
        self.rest.is_some() || self.repeated.is_some() || self.is_fast
    }

    /// Adds the task to the queue, and before it the fault of each source that ends with a fault
    /// before this task begins. Returns `None` after the last source, and if the run has ended.
    pub fn next(
        &mut self,
        workers: &Workers<'a, '_, impl LineProcessor<Form = F>>,
    ) -> Option<OwnedTask<F>> {
        loop {
            if let Some(task) = self.repeat(workers) {
                return Some(task);
            }
            if let Some(mut task) = self.cut(workers) {
                if workers.repetition.is_some() {
                    task.record = self.records;
                    self.records += 1;
                    self.repeated = Some(task);
                    continue;
                }
                task.number = workers.queue.add(task.at.source, None);
                return Some(task);
            }
            if self.at.source == workers.sources.len() || workers.queue.check_run().is_break() {
                return None;
            }
            match self.read_on(workers) {
                Ok(true) => continue,
                Ok(false) => {}
                Err(fault) => {
                    let end = Some(ItemEnd::Fault(fault));
                    workers.queue.add(self.at.source, end);
                }
            }
            self.open = None;
            self.at.source += 1;
            self.at.first_line = 1;
        }
    }

    /// Returns a task of the next attempts at the record of the last task, unless it needs no more.
    fn repeat(
        &mut self,
        workers: &Workers<'a, '_, impl LineProcessor<Form = F>>,
    ) -> Option<OwnedTask<F>> {
        let (repetition, task) = (workers.repetition?, self.repeated.as_mut()?);
        let is_last = task.attempts.end == repetition.attempts;
        if is_last || workers.answered.contain(task.record) {
            self.repeated = None;
            return None;
        }
        task.attempts = task.attempts.next(repetition);
        task.number = workers.queue.add_for_record(task.at.source, task.record, None);
        Some(task.clone())
    }

    /// Returns false at the end of the source.
    fn read_on(
        &mut self,
        workers: &Workers<'a, '_, impl LineProcessor<Form = F>>,
    ) -> Result<bool, SourceFault> {
        if self.open.is_none() {
            self.open = Some(self.open(workers)?);
        }
        let open = self.open.as_mut().expect("the source is open");
        let Some(chunk) = open.chunks.next().map_err(SourceFault::Io)? else {
            return Ok(false);
        };
        if !open.is_examined {
            let text = chunk.first_record().unwrap_or_default();
            let first = FirstRecord { text, overlong: chunk.overlong };
            let note = workers.processor.open_source(open.form, self.at.source, first);
            if let Some(note) = note.map_err(SourceFault::Refused)? {
                workers.queue.add(self.at.source, Some(ItemEnd::Note(note)));
            }
            open.is_examined = true;
        }
        self.is_fast = chunk.bytes().len() >= FAST_READ;
        let limits = workers.sizer.limits(chunk.bytes().len(), || chunk.number_of_records());
        let (chunk, form) = (Arc::new(chunk), open.form);
        self.rest = Some(ChunkRest { chunk, form, begin: 0, before: 0, limits });
        Ok(true)
    }

    fn open(
        &self,
        workers: &Workers<'a, '_, impl LineProcessor<Form = F>>,
    ) -> Result<OpenSource<'a, F>, SourceFault> {
        let source = &workers.sources[self.at.source];
        let processor = workers.processor;
        let recognize = |beginning: &[u8], ends| processor.recognize(beginning, ends);
        let cutter = |form| processor.cutter(form);
        let stream: ByteStream<'a> = match source.open().map_err(SourceFault::Io)? {
            Opened::Text(text) => Box::new(text),
            Opened::File(file) => {
                let regular_file_id = sys::regular_file_id(&file);
                // The program could read its own output without end. grep refuses such a file too.
                if regular_file_id.is_some() && regular_file_id == workers.output_id {
                    return Err(SourceFault::Refused("input file is also the output".into()));
                }
                Box::new(SourceFile {
                    file,
                    source,
                    is_regular: regular_file_id.is_some(),
                    meter: &workers.flow.meter,
                    queue: workers.queue,
                })
            }
        };
        let (chunks, form) = Chunks::open(stream, recognize, cutter)?;
        Ok(OpenSource { chunks, form, is_examined: false })
    }

    /// Cuts off one record if records are processed repeatedly. Returns `None` if `rest` is `None`,
    /// or has only text that belongs to no record.
    fn cut(
        &mut self,
        workers: &Workers<'a, '_, impl LineProcessor<Form = F>>,
    ) -> Option<OwnedTask<F>> {
        let rest = self.rest.as_mut()?;
        let chunk = Arc::clone(&rest.chunk);
        let bytes = chunk.bytes();
        let (at, form, before) = (self.at, rest.form, rest.before);
        let is_empty = chunk.spans().is_some_and(|it| it.spans.is_empty());
        let size = match workers.repetition {
            None => workers.sizer.size().clamp(*rest.limits.start(), *rest.limits.end()),
            Some(_) => 1,
        };
        let (range, count) = match chunk.spans() {
            None => {
                let end = end_of_line(bytes, rest.begin + size);
                first_lines(bytes, rest.begin..end)
            }
            Some(Spans { spans, .. }) if workers.repetition.is_some() => {
                let next = spans.get(before);
                let is_last = before + 1 >= spans.len();
                let end = next.filter(|_| !is_last).map_or(bytes.len(), |span| span.end as usize);
                (rest.begin..end, usize::from(next.is_some()))
            }
            Some(Spans { spans, .. }) => {
                let (end, count) = end_of_record(&spans[before..], rest.begin + size, bytes.len());
                (rest.begin..end, count)
            }
        };
        rest.begin = range.end;
        rest.before += count;
        let has_more = chunk.spans().is_some_and(|it| rest.before < it.spans.len());
        if range.end == bytes.len() && !has_more {
            self.rest = None;
        }
        match chunk.spans() {
            None => self.at.advance(count as u64, count as u64),
            // The lines and the numbers of these records are relative to the chunk.
            Some(spans) if self.rest.is_none() => self.at.advance(spans.lines, spans.numbers()),
            Some(_) => {}
        }
        if is_empty {
            return None;
        }
        let records = before..before + count;
        let attempts = Attempts::NONE;
        Some(OwnedTask { chunk, form, range, records, at, attempts, record: 0, number: 0 })
    }
}

impl LinePosition {
    fn advance(&mut self, lines: u64, numbers: u64) {
        self.first_line += lines;
        self.first_number += numbers;
    }
}

/// Returns the end of the first record that ends at byte `at` or later, and the number of records
/// up to it, but at most that of `MAX_LINES` records.
fn end_of_record(spans: &[Span], at: usize, chunk_end: usize) -> (usize, usize) {
    let wanted = spans.iter().take_while(|span| (span.end as usize) < at).count() + 1;
    let mut count = wanted.min(MAX_LINES);
    // A record without text goes with the one before it.
    while count < spans.len() && spans[count].end == spans[count - 1].end {
        count += 1;
    }
    if count < spans.len() {
        (spans[count - 1].end as usize, count)
    } else {
        (chunk_end, spans.len())
    }
}

/// The maximum number of lines in a task. Besides its text, a line needs up to several hundred
/// bytes of memory until its task ends, so a chunk of very short lines is cut into several tasks. A
/// full chunk of 9x9 puzzles has fewer lines than `MAX_LINES`.
const MAX_LINES: usize = 4096;

/// Returns the range of the first `MAX_LINES` lines in `range`, and their number.
fn first_lines(bytes: &[u8], range: Range<usize>) -> (Range<usize>, usize) {
    let lines = &bytes[range.clone()];
    let newlines = memchr_iter(b'\n', lines).count();
    if newlines < MAX_LINES {
        // The last line of a source and an overlong one can lack a newline.
        return (range, newlines + usize::from(!lines.ends_with(b"\n")));
    }
    let last = memchr_iter(b'\n', lines).nth(MAX_LINES - 1);
    let length = last.expect("there are as many newlines") + 1;
    (range.start..range.start + length, MAX_LINES)
}

/// The time between two checks whether the run has ended, while input is awaited.
const END_CHECK_INTERVAL: Duration = Duration::from_millis(100);

/// Counts the bytes read.
struct SourceFile<'a, 'w> {
    file: File,
    source: &'a Source,
    /// True for a regular file. A read of it never waits for another process.
    is_regular: bool,
    meter: &'a Meter,
    queue: &'a OutputQueue<'w>,
}

impl Read for SourceFile<'_, '_> {
    /// Reads from the file. Returns 0 if the run ends with an error while the read waits for input.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.must_poll() && !self.wait(Some(END_CHECK_INTERVAL)) {
            if self.queue.check_run().is_break() {
                return Ok(0);
            }
        }
        let count = self.file.read(buffer)?;
        self.meter.bytes_read.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

impl SourceFile<'_, '_> {
    /// Returns true if a read must not begin before input is there. The reasons:
    ///
    /// * A read from a named pipe returns 0, as at the end of a file, as long as no process has
    ///   opened the pipe for writing.
    /// * While a read from standard input waits, it does not notice that another thread ends the
    ///   run with an error. If the queue is empty, no other thread can end the run, and a poll
    ///   would only delay a line that comes alone.
    fn must_poll(&self) -> bool {
        !self.is_regular && (*self.source != Source::Stdin || !self.queue.is_empty())
    }
}

impl Stream for SourceFile<'_, '_> {
    fn wait(&self, limit: Option<Duration>) -> bool {
        sys::wait_readable(self.file.as_fd(), limit)
    }
}

/// Returns the end of the line that contains byte `at - 1`, which can be beyond the end of `bytes`.
fn end_of_line(bytes: &[u8], at: usize) -> usize {
    debug_assert!(at > 0);
    let from = at.min(bytes.len()) - 1;
    memchr(b'\n', &bytes[from..]).map_or(bytes.len(), |newline| from + newline + 1)
}

/// The position of the first line of a task, or of its chunk if this has [`Spans`].
#[derive(Clone, Copy)]
struct LinePosition {
    source: usize,
    first_line: u64,
    /// The number of the first record in the whole input, from 1.
    first_number: u64,
}

/// A task that shares ownership of its records, in the bytes `range` of `chunk`.
#[derive(Clone)]
pub struct OwnedTask<F> {
    chunk: Arc<Chunk>,
    pub form: F,
    range: Range<usize>,
    /// The indices of its records among those of the chunk, unless each line is one.
    records: Range<usize>,
    at: LinePosition,
    pub attempts: Attempts,
    /// The number of its record, from 0, if records are processed repeatedly.
    pub record: u64,
    /// Its number in the queue.
    pub number: u64,
}

impl<F> OwnedTask<F> {
    pub fn borrowed<'t>(&'t self, sources: &'t [Source], max_messages: usize) -> Task<'t> {
        let bytes = &self.chunk.bytes()[self.range.clone()];
        let LinePosition { source, first_line: line, first_number: number } = self.at;
        let records = match self.chunk.spans() {
            _ if self.chunk.overlong => Records::One(Some(Record::new(bytes, line, number))),
            None => Records::Lines { left: bytes, line, number },
            Some(spans) => Records::Spans {
                spans,
                left: self.records.clone(),
                text: self.chunk.bytes(),
                line,
                number,
            },
        };
        Task {
            bytes,
            overlong: self.chunk.overlong,
            source,
            source_name: sources[source].name(),
            max_messages,
            attempts: self.attempts,
            records,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_ends_where_a_line_ends() {
        let table = [(1, 3), (2, 3), (3, 3), (4, 4), (5, 6), (6, 6), (7, 6)];
        for (at, end) in table {
            assert_eq!(end_of_line(b"ab\n\nc\n", at), end, "{at}");
        }
        assert_eq!(end_of_line(b"ab\ncd", 4), 5);
    }

    #[test]
    fn a_task_has_a_bounded_number_of_lines() {
        for (lines, last, length, count) in [
            (0, "a", 1, 1),
            (3, "", 6, 3),
            (MAX_LINES - 1, "a", 2 * MAX_LINES - 1, MAX_LINES),
            (MAX_LINES, "", 2 * MAX_LINES, MAX_LINES),
            (MAX_LINES, "a", 2 * MAX_LINES, MAX_LINES),
            (MAX_LINES + 9, "", 2 * MAX_LINES, MAX_LINES),
        ] {
            let text = ["before\n", &"1\n".repeat(lines), last].concat();
            let (range, number) = first_lines(text.as_bytes(), 7..text.len());
            assert_eq!((range, number), (7..7 + length, count), "{lines}{last}");
        }
    }
}
