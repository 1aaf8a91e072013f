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
    sources: Vec<Source>,
    answer: Arc<A>,
    pace: Arc<Pace>,
    meter: Arc<Meter>,
    /// Which regular file is written to, if one is.
    output: Option<(u64, u64)>,
    /// The line that is to be read next.
    at: Place,
    /// Its source, once it is open.
    stream: Option<Chunks<Box<dyn Stream + Send>>>,
    /// What of a chunk is not yet cut into tasks.
    rest: Option<Rest>,
}

struct Rest {
    chunk: Arc<Chunk>,
    begin: usize,
    /// The least and the most bytes of a task.
    share: Range<usize>,
}

/// What the walk comes upon, in the order of the input.
pub enum Step {
    Work(Work),
    Fault { source: usize, fault: Fault },
}

impl<A: Answer> Walk<A> {
    pub fn new(
        sources: &[Source],
        answer: &Arc<A>,
        pace: &Arc<Pace>,
        meter: &Arc<Meter>,
        output: Option<(u64, u64)>,
    ) -> Walk<A> {
        Walk {
            sources: sources.to_vec(),
            answer: Arc::clone(answer),
            pace: Arc::clone(pace),
            meter: Arc::clone(meter),
            output,
            at: Place {
                source: 0,
                first_line: 1,
                first_line_overall: 1,
            },
            stream: None,
            rest: None,
        }
    }

    /// The next step; waits for input where there is none yet.
    pub fn next(&mut self) -> Option<Step> {
        loop {
            if let Some(work) = self.cut() {
                return Some(Step::Work(work));
            }
            let source = self.at.source;
            if source == self.sources.len() {
                return None;
            }
            let more = self.read_on();
            if matches!(more, Ok(true)) {
                continue;
            }
            self.stream = None;
            self.at.source += 1;
            self.at.first_line = 1;
            if let Err(fault) = more {
                return Some(Step::Fault { source, fault });
            }
        }
    }

    /// Reads the next chunk of the source; false at its end.
    fn read_on(&mut self) -> Result<bool, Fault> {
        if self.stream.is_none() {
            self.stream = Some(Chunks::new(self.open()?));
        }
        let stream = self.stream.as_mut().expect("it was opened");
        let Some(chunk) = stream.next()? else {
            return Ok(false);
        };
        let bytes = chunk.bytes();
        if self.at.first_line == 1 {
            let first_line = &bytes[..memchr(b'\n', bytes).unwrap_or(bytes.len())];
            let opened = self.answer.open(self.at.source, first_line);
            opened.map_err(Fault::Refused)?;
        }
        let share = self.pace.share(bytes);
        self.rest = Some(Rest {
            chunk: Arc::new(chunk),
            begin: 0,
            share,
        });
        Ok(true)
    }

    fn open(&self) -> Result<Box<dyn Stream + Send>, Fault> {
        let file = self.sources[self.at.source].open().map_err(Fault::Io)?;
        // As grep does: what it writes it would read again, for ever.
        if self.output.is_some() && self.output == regular_file(&file) {
            return Err(Fault::Refused("input file is also the output".into()));
        }
        let metered = Metered {
            file,
            meter: Arc::clone(&self.meter),
        };
        Ok(match self.answer.drawn_entries() {
            Some(form) => Box::new(Drawn::new(metered, form)),
            None => Box::new(metered),
        })
    }

    /// Cuts a task off the chunk.
    fn cut(&mut self) -> Option<Work> {
        let Rest {
            chunk,
            begin,
            share,
        } = self.rest.as_mut()?;
        let chunk = Arc::clone(chunk);
        let bytes = chunk.bytes();
        let size = self.pace.size().clamp(share.start, share.end);
        let range = *begin..end_of_line(bytes, *begin + size);
        *begin = range.end;
        if range.end == bytes.len() {
            self.rest = None;
        }
        let at = self.at;
        self.at.skip(&bytes[range.clone()]);
        Some(Work { chunk, range, at })
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
