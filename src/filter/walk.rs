//! Goes through the sources, numbers their lines and cuts them into tasks. Who runs those, and where, it leaves to others.

use std::fs::File;
use std::io::{self, Read};
use std::ops::Range;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use memchr::{memchr, memchr_iter};

use super::pace::Pace;
use super::{Answer, Meter, Rows, Task, regular_file};
use crate::drawn::Drawn;
use crate::error::{Error, Fault, guarded};
use crate::input::{Chunk, Chunks, Source, Stream};

/// Goes through the sources and cuts them into tasks.
pub struct Walk<A> {
    pub sources: Vec<Source>,
    pub answer: Arc<A>,
    pub pace: Arc<Pace>,
    pub meter: Arc<Meter>,
    /// Which regular file is written to, if one is.
    pub output: Option<(u64, u64)>,
}

/// What the walk comes upon, in the order of the input.
pub enum Step {
    Work(Work),
    Fault { source: usize, fault: Fault },
}

impl<A: Answer> Walk<A> {
    /// Calls `take` with every step, until it returns an error.
    pub fn each<E>(&self, take: &mut impl FnMut(Step) -> Result<(), E>) -> Result<(), E> {
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
            Ok(stream) => Chunks::new(stream),
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

    fn open(&self, source: usize) -> Result<Box<dyn Stream>, Fault> {
        let file = self.sources[source].open().map_err(Fault::Io)?;
        // As grep does: what it writes it would read again, for ever.
        if self.output.is_some() && self.output == regular_file(&file) {
            return Err(Fault::Refused("input file is also the output".into()));
        }
        let metered = Metered {
            file,
            meter: Arc::clone(&self.meter),
        };
        Ok(match self.answer.grids_a_line() {
            Some(grids) => Box::new(Drawn::new(metered, grids)),
            None => Box::new(metered),
        })
    }

    fn next_chunk(
        &self,
        chunks: &mut Chunks<Box<dyn Stream>>,
        at: &Place,
    ) -> Result<Option<Chunk>, Fault> {
        let chunk = chunks.next()?;
        if let Some(bytes) = chunk.as_ref().map(Chunk::bytes)
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
        let bytes = chunk.bytes();
        let share = self.pace.share(bytes);
        let mut begin = 0;
        while begin < bytes.len() {
            let size = self.pace.size().clamp(share.start, share.end);
            let end = end_of_line(bytes, begin + size);
            let work = Work {
                chunk: Arc::clone(&chunk),
                range: begin..end,
                at: *at,
            };
            at.skip(&bytes[begin..end]);
            take(Step::Work(work))?;
            begin = end;
        }
        Ok(())
    }
}

/// A file whose bytes are counted as they are read.
struct Metered {
    file: File,
    meter: Arc<Meter>,
}

impl Read for Metered {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.meter.bytes_read.fetch_add(count as u64, Relaxed);
        Ok(count)
    }
}

impl Stream for Metered {
    fn wait(&self, limit: Option<Duration>) -> bool {
        self.file.wait(limit)
    }
}

impl<A> Clone for Walk<A> {
    fn clone(&self) -> Self {
        let Walk {
            sources,
            answer,
            pace,
            meter,
            output,
        } = self;
        Walk {
            sources: sources.clone(),
            answer: Arc::clone(answer),
            pace: Arc::clone(pace),
            meter: Arc::clone(meter),
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
pub struct Place {
    pub source: usize,
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

/// A task that owns its lines.
pub struct Work {
    chunk: Arc<Chunk>,
    range: Range<usize>,
    pub at: Place,
}

impl Work {
    /// Answers the lines; `emit` returns false when nobody wants more rows.
    pub fn run(
        &self,
        answer: &impl Answer,
        pace: &Pace,
        emit: &mut dyn FnMut(Rows) -> bool,
    ) -> Result<(), Error> {
        let lines = &self.chunk.bytes()[self.range.clone()];
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_ends_where_a_line_ends() {
        let table = [(0, 3), (1, 3), (3, 3), (4, 4), (5, 6), (6, 6), (7, 6)];
        for (at, end) in table {
            assert_eq!(end_of_line(b"ab\n\nc\n", at), end, "{at}");
        }
        assert_eq!(end_of_line(b"ab\ncd", 4), 5);
    }
}
