//! Writes output lines in the order in which it gets them, reports faults, and counts statuses.
//! `output_queue.rs` puts the lines in the order of the input.

use std::io;
use std::io::{ErrorKind, Write};
use std::os::fd::AsFd;

use super::repeated::WrittenKeys;
use super::repetition::ResultCounter;
use super::report::Reporter;
use super::source::Source;
use super::source::SourceFault;
use super::{Flow, MessageKind, Meter, Outcome, OutputEnd, OutputLines, sys};
use engine::error::Error;
use engine::verdict::Tally;

/// An item of the queue: a task, a source that could not be read to its end, or an error that ends
/// the run. Also a part of an item, taken from it to be written.
pub struct QueueItem {
    /// The index of the source. 0 for an error that belongs to no task.
    pub source: usize,
    /// The number of the record of a task, from 0, if records are processed repeatedly.
    pub record: u64,
    pub output: OutputLines,
    /// The end of the item, after its output lines. `None` for a task that has not ended.
    pub end: Option<ItemEnd>,
}

pub enum ItemEnd {
    /// All lines of the task are processed. Or an error of another item has ended the run, and the
    /// remaining lines are dropped.
    Done,
    Fault(SourceFault),
    /// The source is open. The message about it is printed, and the run does not fail.
    Note(String),
    Failed(Error),
}

/// A file, pipe or socket that can be passed from thread to thread.
pub trait Output: Write + AsFd + Send {}
impl<O: Write + AsFd + Send> Output for O {}

pub struct Writer<'a> {
    sources: &'a [Source],
    output: &'a mut dyn Output,
    reporter: Reporter<'a>,
    outcome: Outcome,
    /// `None` once the header is in `ready` or written.
    beginning: Option<&'a Beginning<'a>>,
    written_keys: WrittenKeys,
    /// `None` unless records are processed repeatedly.
    results: Option<ResultCounter<'a>>,
    output_end: Option<Box<dyn OutputEnd>>,
    /// Output lines that are not yet written. Their messages are already reported.
    ready: OutputLines,
    written: Tally,
    meter: &'a Meter,
}

/// Returns the header, and what writes the end of the output.
pub type Beginning<'a> = dyn Fn() -> (Vec<u8>, Option<Box<dyn OutputEnd>>) + Sync + 'a;

/// Output lines are collected until they have this many bytes, and then written. They are written
/// earlier if no more output is ready, before a message about a source, and before the run ends
/// with an error.
const WRITE_SIZE: usize = 64 << 10;

impl<'a> Writer<'a> {
    /// `beginning` is called when the first lines are ready or the input has ended.
    pub fn new(
        beginning: &'a Beginning<'a>,
        sources: &'a [Source],
        output: &'a mut dyn Output,
        messages: &'a mut (dyn Write + Send),
        flow: &'a Flow,
    ) -> Self {
        let mut ready = OutputLines::default();
        ready.bytes.reserve(2 * WRITE_SIZE);
        Writer {
            sources,
            output,
            reporter: Reporter::new(messages, flow.errors, flow.quiet),
            outcome: Outcome::default(),
            beginning: Some(beginning),
            written_keys: WrittenKeys::default(),
            results: None,
            output_end: None,
            ready,
            written: Tally::default(),
            meter: &flow.meter,
        }
    }

    pub fn with_results(self, results: Option<ResultCounter<'a>>) -> Self {
        Writer { results, ..self }
    }

    /// Returns how many results of the record are written, unless it needs no more attempts.
    pub fn found_so_far(&mut self, record: u64) -> Option<u64> {
        self.results.as_mut()?.found_so_far(record)
    }

    /// An error that ended the item is returned after all output before it is written.
    pub fn write(&mut self, item: &mut QueueItem) -> Result<(), Error> {
        if !item.output.is_empty() {
            self.write_lines(item.source, item.record, std::mem::take(&mut item.output))?;
        }
        match item.end.take() {
            Some(ItemEnd::Fault(fault)) => self.report_fault(item.source, &fault),
            Some(ItemEnd::Note(note)) => {
                self.flush()?;
                self.reporter.note(self.sources[item.source].name(), &note);
                Ok(())
            }
            Some(ItemEnd::Failed(error)) => {
                self.flush()?;
                Err(error)
            }
            Some(ItemEnd::Done) | None => Ok(()),
        }
    }

    fn write_lines(
        &mut self,
        source: usize,
        record: u64,
        mut output: OutputLines,
    ) -> Result<(), Error> {
        if self.results.as_mut().is_some_and(|results| !results.begin(record)) {
            return Ok(());
        }
        self.begin();
        for message in std::mem::take(&mut output.messages) {
            self.outcome.failed |= message.kind == MessageKind::InternalError;
            self.reporter.line(self.sources[source].name(), &message);
        }
        let remarks = std::mem::take(&mut output.omitted_remarks);
        self.reporter.add_omitted(std::mem::take(&mut output.omitted_messages), remarks);
        self.drop_lines(&mut output);
        self.outcome.tally += output.tally;
        if let Some(end) = &mut self.output_end {
            end.take_from(&mut output);
        }
        if self.is_flushed() && output.bytes.len() >= WRITE_SIZE {
            return self.write_out(&output);
        }
        self.ready.append(output);
        // With --select, some lines are counted but have no output line. If `ready` has no bytes,
        // these lines count as written: `flush` then only updates the count of written lines.
        match self.ready.bytes.len() {
            0 | WRITE_SIZE.. => self.flush(),
            _ => Ok(()),
        }
    }

    /// Drops lines that are repeated, and results that are not wanted. Counts the results that are
    /// left, and ends their record if no more are wanted.
    fn drop_lines(&mut self, output: &mut OutputLines) {
        let Some(results) = &mut self.results else {
            return self.written_keys.drop_repeated(output, None);
        };
        let before = results.found();
        self.written_keys.drop_repeated(output, Some(results));
        output.count_results(results.found() - before, results.repetition.status);
        if results.is_complete() || output.ends_record {
            results.end_record();
        }
    }

    pub fn is_flushed(&self) -> bool {
        self.ready.bytes.is_empty()
    }

    pub fn flush(&mut self) -> Result<(), Error> {
        let mut ready = std::mem::take(&mut self.ready);
        let result = self.write_out(&ready);
        ready.clear();
        self.ready = ready;
        result
    }

    /// Between two slices, the process can be about to end: see `Meter::stop_writes`.
    fn write_out(&mut self, output: &OutputLines) -> Result<(), Error> {
        for (slice, tally) in output.slices() {
            self.meter.begin_write();
            let result = self.write_slice(slice);
            let written = tally.map(|mut tally| {
                tally += self.written;
                tally
            });
            self.meter.end_write(written.filter(|_| result.is_ok()));
            result?;
        }
        self.written += output.tally;
        self.output.flush().map_err(io::Error::into)
    }

    fn write_slice(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while !bytes.is_empty() {
            match self.output.write(bytes) {
                Ok(0) => return Err(Error::Write(ErrorKind::WriteZero.into())),
                Ok(count) => bytes = &bytes[count..],
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) if error.kind() == ErrorKind::WouldBlock => {
                    sys::wait_writable(self.output.as_fd())
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    fn report_fault(&mut self, source: usize, fault: &SourceFault) -> Result<(), Error> {
        self.flush()?;
        self.outcome.failed = true;
        self.reporter.fault(self.sources[source].name(), fault);
        Ok(())
    }

    fn begin(&mut self) {
        if let Some(beginning) = self.beginning.take() {
            let (header, output_end) = beginning();
            self.ready.bytes.extend_from_slice(&header);
            self.output_end = output_end;
        }
    }

    /// Writes the header if no line followed it, and the end of the output.
    pub fn finish(mut self) -> Result<Outcome, Error> {
        self.begin();
        if let Some(mut end) = self.output_end.take() {
            end.write(&mut |part| {
                self.ready.bytes.extend_from_slice(part);
                if self.ready.bytes.len() < WRITE_SIZE { Ok(()) } else { self.flush() }
            })?;
        }
        self.flush()?;
        self.reporter.finish();
        Ok(self.outcome)
    }
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::os::fd::BorrowedFd;

    use super::*;
    use engine::verdict::Status;

    /// Records how many lines count as written when each write begins.
    struct Recorder<'f> {
        flow: &'f Flow,
        file: File,
        counts: Vec<u64>,
    }

    impl Write for Recorder<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.counts.push(self.flow.meter.written().total());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl AsFd for Recorder<'_> {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.file.as_fd()
        }
    }

    #[test]
    fn a_line_is_counted_when_all_of_its_output_is_written() {
        const OUTPUT_LINE: &[u8] = b"1342243142133124\tmultiple\n";
        let mut output = OutputLines::default();
        for solutions in [1, 5 * WRITE_SIZE / OUTPUT_LINE.len() / 2, 1] {
            output.bytes.extend(OUTPUT_LINE.repeat(solutions));
            output.count(Status::Multiple);
        }
        let flow = Flow::new(1);
        let file = File::open("/dev/null").unwrap();
        let mut recorder = Recorder { flow: &flow, file, counts: Vec::new() };
        let mut messages = Vec::new();
        let sources = [Source::Stdin];
        let mut writer =
            Writer::new(&Default::default, &sources, &mut recorder, &mut messages, &flow);
        let end = Some(ItemEnd::Done);
        assert!(writer.write(&mut QueueItem { source: 0, record: 0, output, end }).is_ok());
        assert_eq!(writer.finish().unwrap().tally.total(), 3);
        // The second line is written in three parts.
        assert_eq!(recorder.counts, [0, 1, 1, 1, 2]);
        assert_eq!(flow.meter.written().total(), 3);
    }
}
