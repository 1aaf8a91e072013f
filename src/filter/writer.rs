//! Writes output lines in the order of the input, on the calling thread, and reports faults.

use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::row_queue::{Received, RowReceiver, RowSender};
use super::tasks::OwnedTask;
use super::{Answer, Flow, MessageKind, Meter, Outcome, Rows, Workers, regular_file};
use crate::error::{Error, Fault, Reporter, guarded};
use crate::source::Source;
use crate::sys;

/// Writes output lines in the order of the input.
pub struct Writer<'a, O, M> {
    sources: &'a [Source],
    output: &'a mut O,
    reporter: Reporter<'a, M>,
    outcome: Outcome,
    /// Whole output lines that are not yet written.
    ready: Vec<u8>,
    to_regular_file: bool,
    last_reader_check: Instant,
    meter: Arc<Meter>,
}

/// The least number of bytes in a write, unless the writer would otherwise wait.
const WRITE_SIZE: usize = 64 << 10;
/// The longest time before the writer notices that its reader has gone.
const READER_CHECK_INTERVAL: Duration = Duration::from_millis(100);

impl<'a, O: Write + AsFd, M: Write> Writer<'a, O, M> {
    pub fn new(sources: &'a [Source], output: &'a mut O, messages: &'a mut M, flow: &Flow) -> Self {
        Writer {
            sources,
            reporter: Reporter::new(messages, flow.errors, flow.quiet),
            outcome: Outcome::default(),
            ready: Vec::with_capacity(2 * WRITE_SIZE),
            to_regular_file: regular_file(output).is_some(),
            output,
            last_reader_check: Instant::now(),
            meter: Arc::clone(&flow.meter),
        }
    }

    /// Writes everything that the workers send.
    pub fn write_all(mut self, queue: &RowReceiver) -> Result<Outcome, Error> {
        while let Some(received) = self.receive(queue)? {
            self.write_received(received)?;
        }
        self.finish()
    }

    /// Answers tasks on this thread too, and writes what is ready after each.
    pub fn answer_and_write<A: Answer>(
        mut self,
        workers: &Workers<A>,
        queue: &RowReceiver,
    ) -> Result<Outcome, Error> {
        while let Some((task, sender)) = self.next_task(workers, queue)? {
            let mut written = Ok(());
            let result = workers.answer(&task, &mut |rows| {
                written = self.send_and_write(rows, &sender, queue);
                written.is_ok()
            });
            written?;
            sender.finish(result);
            self.write_ready(queue)?;
        }
        self.write_all(queue)
    }

    /// Returns the next task once the queue has room for it. An error goes into the queue, behind the rows before it.
    fn next_task<A: Answer>(
        &mut self,
        workers: &Workers<A>,
        queue: &RowReceiver,
    ) -> Result<Option<(OwnedTask, RowSender)>, Error> {
        loop {
            if let Some(slot) = workers.queue.try_reserve() {
                return Ok(guarded(|| workers.next(slot)).unwrap_or_else(|error| {
                    workers.queue.fail(error);
                    None
                }));
            }
            // The queue is full of tasks that other workers answer.
            match self.receive(queue)? {
                Some(received) => self.write_received(received)?,
                None => return Ok(None),
            }
        }
    }

    fn send_and_write(
        &mut self,
        rows: Rows,
        sender: &RowSender,
        queue: &RowReceiver,
    ) -> Result<(), Error> {
        while !sender.has_room() {
            if let Some(received) = self.receive(queue)? {
                self.write_received(received)?;
            }
        }
        sender.send(rows);
        self.write_ready(queue)?;
        self.check_reader()
    }

    /// Writes what can be received without waiting.
    fn write_ready(&mut self, queue: &RowReceiver) -> Result<(), Error> {
        while let Some(Some(received)) = queue.receive(Duration::ZERO) {
            self.write_received(received)?;
        }
        self.flush()
    }

    fn write_received(&mut self, received: Received) -> Result<(), Error> {
        match received {
            Received::Rows { source, rows } => self.write(source, rows),
            Received::Fault { source, fault } => self.report_fault(source, &fault),
            Received::Failed(error) => {
                self.flush()?;
                Err(error)
            }
        }
    }

    /// Receives from the queue. Everything ready is written before this waits. Returns `None` at the end.
    fn receive(&mut self, queue: &RowReceiver) -> Result<Option<Received>, Error> {
        if let Some(received) = queue.receive(Duration::ZERO) {
            return Ok(received);
        }
        self.flush()?;
        loop {
            self.check_reader()?;
            if let Some(received) = queue.receive(READER_CHECK_INTERVAL) {
                return Ok(received);
            }
        }
    }

    /// Returns an error if the reader of the output has gone. Looks at most once in `READER_CHECK_INTERVAL`.
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

    fn write(&mut self, source: usize, rows: Rows) -> Result<(), Error> {
        for message in &rows.messages {
            self.outcome.failed |= message.kind == MessageKind::InternalError;
            self.reporter.line(self.sources[source].name(), message);
        }
        self.outcome.tally += rows.tally;
        let answered = self.outcome.tally.total();
        self.meter.lines_answered.store(answered, Relaxed);
        if self.ready.is_empty() && rows.bytes.len() >= WRITE_SIZE {
            return self.write_out(&rows.bytes);
        }
        self.ready.extend_from_slice(&rows.bytes);
        if self.ready.len() >= WRITE_SIZE {
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

    /// Writes whole output lines. To a regular file they are written completely before a signal can end the process.
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

    fn report_fault(&mut self, source: usize, fault: &Fault) -> Result<(), Error> {
        self.flush()?;
        self.outcome.failed = true;
        self.reporter.fault(self.sources[source].name(), fault);
        Ok(())
    }

    fn finish(mut self) -> Result<Outcome, Error> {
        self.flush()?;
        self.reporter.finish();
        Ok(self.outcome)
    }
}
