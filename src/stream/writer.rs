//! Writes output lines in the order of the input, on the calling thread, and reports faults.

use std::io;
use std::io::{ErrorKind, Write};
use std::ops::ControlFlow;
use std::os::fd::AsFd;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::output_queue::{EntryEnd, OutputQueue, OutputReceiver, QueueEntry};
use super::source::Source;
use super::tasks::OwnedTask;
use super::{Flow, LineProcessor, MessageKind, Meter, Outcome, OutputLines, Workers, sys};
use crate::error::{Error, Reporter, SourceFault, guarded};

/// Writes output lines in the order of the input.
pub struct Writer<'a, O, M> {
    queue: OutputReceiver,
    sources: &'a [Source],
    output: &'a mut O,
    reporter: Reporter<'a, M>,
    outcome: Outcome,
    /// Whole output lines that are not yet written.
    ready: Vec<u8>,
    to_regular_file: bool,
    last_reader_check: Instant,
    meter: &'a Meter,
}

/// Output lines are collected until they have this many bytes. Fewer are written before the writer waits, when its own task emits
/// or ends, before a message about a source, and at the end of the run, also if it ends because a worker failed.
const WRITE_SIZE: usize = 64 << 10;
/// The time between two checks whether the output still has a reader.
const READER_CHECK_INTERVAL: Duration = Duration::from_millis(100);

impl<'a, O: Write + AsFd, M: Write> Writer<'a, O, M> {
    pub fn new(
        sources: &'a [Source],
        output: &'a mut O,
        messages: &'a mut M,
        flow: &'a Flow,
        queue: OutputReceiver,
    ) -> Self {
        Writer {
            queue,
            sources,
            reporter: Reporter::new(messages, flow.errors, flow.quiet),
            outcome: Outcome::default(),
            ready: Vec::with_capacity(2 * WRITE_SIZE),
            to_regular_file: sys::regular_file(output).is_some(),
            output,
            last_reader_check: Instant::now(),
            meter: &flow.meter,
        }
    }

    /// Writes everything that the workers send, until the queue ends. Then reports how many messages about invalid lines were
    /// left out, if any were and `Flow::quiet` is not set.
    pub fn write_all(mut self) -> Result<Outcome, Error> {
        while let Some(received) = self.receive()? {
            self.write_received(received)?;
        }
        self.flush()?;
        self.reporter.finish();
        Ok(self.outcome)
    }

    /// Processes tasks on this thread too. Writes the output that is ready when its own task emits or ends. Also writes output
    /// while the queue is full, and after the last task all that is left.
    pub fn answer_and_write<P: LineProcessor>(
        mut self,
        workers: &Workers<P>,
    ) -> Result<Outcome, Error> {
        while let Some(task) = self.next_task(workers)? {
            let mut written = Ok(());
            let result = workers.answer(&task, &mut |output| {
                written = self.send_and_write(output, task.number, &workers.queue);
                match written {
                    Ok(()) => ControlFlow::Continue(()),
                    Err(_) => ControlFlow::Break(()),
                }
            });
            // An error of `send_and_write` stops the task, and is returned before the task counts as finished.
            written?;
            workers.queue.finish(task.number, result);
            self.write_ready()?;
        }
        self.write_all()
    }

    /// Returns the next task once the queue has room for it; writes output while the queue is full. Returns `None` if no task
    /// is left, or after another thread panicked while it read a task. If this thread panics while it reads the task, adds an
    /// error at the back of the queue and returns `None`.
    fn next_task<P: LineProcessor>(
        &mut self,
        workers: &Workers<P>,
    ) -> Result<Option<OwnedTask>, Error> {
        // Receiving output makes room.
        while workers.queue.is_full() {
            match self.receive()? {
                Some(received) => self.write_received(received)?,
                None => return Ok(None),
            }
        }
        Ok(guarded(|| workers.next()).unwrap_or_else(|error| {
            workers.queue.add(0, Some(EntryEnd::Failed(error)));
            None
        }))
    }

    /// Sends output lines of the task that this thread processes, writes all output that is ready, and checks the reader. If the
    /// entry of the task is full, writes output first, because no other thread can make room.
    fn send_and_write(
        &mut self,
        output: OutputLines,
        number: u64,
        queue: &OutputQueue,
    ) -> Result<(), Error> {
        while !queue.has_room_for(number) {
            if let Some(received) = self.receive()? {
                self.write_received(received)?;
            }
        }
        // This thread is the writer, so the writer has not gone.
        let _ = queue.send(number, output);
        self.write_ready()?;
        self.check_reader()
    }

    /// Writes all output that can be received without waiting.
    fn write_ready(&mut self) -> Result<(), Error> {
        while let Some(Some(received)) = self.queue.receive(Duration::ZERO) {
            self.write_received(received)?;
        }
        self.flush()
    }

    /// Handles what was received of an entry: writes its output lines or adds them to `ready`, then reports its fault. If an
    /// error ended the entry, returns this error after all output before it is written.
    fn write_received(&mut self, received: QueueEntry) -> Result<(), Error> {
        let source = received.source;
        if let Some(output) = received.output {
            self.write(source, output)?;
        }
        match received.end {
            Some(EntryEnd::Fault(fault)) => self.report_fault(source, &fault),
            Some(EntryEnd::Failed(error)) => {
                self.flush()?;
                Err(error)
            }
            Some(EntryEnd::Done) | None => Ok(()),
        }
    }

    /// Receives from the queue. Before this waits, it writes `ready`; while it waits, it checks the reader. Returns `None` at the
    /// end.
    fn receive(&mut self) -> Result<Option<QueueEntry>, Error> {
        if let Some(received) = self.queue.receive(Duration::ZERO) {
            return Ok(received);
        }
        self.flush()?;
        loop {
            self.check_reader()?;
            if let Some(received) = self.queue.receive(READER_CHECK_INTERVAL) {
                return Ok(received);
            }
        }
    }

    /// Returns an error if the reader of the output has gone. Checks at most once in `READER_CHECK_INTERVAL`.
    fn check_reader(&mut self) -> Result<(), Error> {
        if self.last_reader_check.elapsed() < READER_CHECK_INTERVAL {
            return Ok(());
        }
        self.last_reader_check = Instant::now();
        if sys::reader_gone(self.output.as_fd()) {
            Err(Error::ReaderGone)
        } else {
            Ok(())
        }
    }

    /// Reports the messages, counts the lines, and writes the output lines or adds them to `ready`.
    fn write(&mut self, source: usize, output: OutputLines) -> Result<(), Error> {
        for message in &output.messages {
            self.outcome.failed |= message.kind == MessageKind::InternalError;
            self.reporter.line(self.sources[source].name(), message);
        }
        self.reporter.omit(output.omitted_messages);
        self.outcome.tally += output.tally;
        let answered = self.outcome.tally.total();
        self.meter.lines_answered.store(answered, Relaxed);
        if self.ready.is_empty() && output.bytes.len() >= WRITE_SIZE {
            return self.write_out(&output.bytes);
        }
        self.ready.extend_from_slice(&output.bytes);
        if self.ready.len() >= WRITE_SIZE {
            self.flush()
        } else {
            Ok(())
        }
    }

    /// Writes and clears `ready`, and updates the count of written lines.
    fn flush(&mut self) -> Result<(), Error> {
        if self.ready.is_empty() {
            // With --select, some lines are counted but have no output line.
            *self.meter.written() = self.outcome.tally;
            return Ok(());
        }
        let mut ready = std::mem::take(&mut self.ready);
        let result = self.write_out(&ready);
        ready.clear();
        self.ready = ready;
        result
    }

    /// Writes whole output lines, and updates the count of written lines. If the output is a regular file, SIGINT, SIGTERM and
    /// SIGHUP are blocked in this thread until all lines are written.
    fn write_out(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        let _held = self.to_regular_file.then(sys::hold_signals);
        let meter = self.meter;
        // For a regular file, the count is locked before the write, so that --summary after an interrupt agrees with the file.
        // For other outputs, it is locked after the write, because a write to a pipe can block forever.
        let written = self.to_regular_file.then(|| meter.written());
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
        *written.unwrap_or_else(|| meter.written()) = self.outcome.tally;
        self.output.flush().map_err(io::Error::into)
    }

    /// Writes the output that is still buffered, then reports that the source could not be read to its end. The run counts as
    /// failed.
    fn report_fault(&mut self, source: usize, fault: &SourceFault) -> Result<(), Error> {
        self.flush()?;
        self.outcome.failed = true;
        self.reporter.fault(self.sources[source].name(), fault);
        Ok(())
    }
}
