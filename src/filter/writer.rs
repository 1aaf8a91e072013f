//! Writes rows in the order of the input, from the calling thread, and tells what is wrong.

use std::io::{self, ErrorKind, Write};
use std::os::fd::AsFd;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use super::order::{Giver, Taken, Taker};
use super::walk::Work;
use super::{Answer, Crew, Flow, Meter, Outcome, Rows, regular_file};
use crate::error::{Error, Fault, Reporter, guarded};
use crate::input::Source;
use crate::sys;

/// Writes rows in the order of the input, from the calling thread.
pub struct Writer<'a, O, M> {
    sources: &'a [Source],
    output: &'a mut O,
    reporter: Reporter<'a, M>,
    outcome: Outcome,
    /// Whole rows, not yet written.
    ready: Vec<u8>,
    to_regular_file: bool,
    looked: Instant,
    meter: Arc<Meter>,
}

/// So many bytes are worth a write.
const WORTH_A_WRITE: usize = 64 << 10;
/// How long a reader that has gone may stay unnoticed.
const LOOK_EVERY: Duration = Duration::from_millis(100);

impl<'a, O: Write + AsFd, M: Write> Writer<'a, O, M> {
    pub fn new(sources: &'a [Source], output: &'a mut O, messages: &'a mut M, flow: &Flow) -> Self {
        Writer {
            sources,
            reporter: Reporter::new(messages, flow.errors, flow.quiet),
            outcome: Outcome::default(),
            ready: Vec::with_capacity(2 * WORTH_A_WRITE),
            to_regular_file: regular_file(output).is_some(),
            output,
            looked: Instant::now(),
            meter: Arc::clone(&flow.meter),
        }
    }

    pub fn write_in_order(mut self, order: &Taker) -> Result<Outcome, Error> {
        while let Some(taken) = self.patiently(|limit| order.take(limit))? {
            self.write_taken(taken)?;
        }
        self.finish()
    }

    /// Answers too, and writes in between. A reader that goes is noticed when rows are handed on.
    pub fn answer_and_write<A: Answer>(
        mut self,
        crew: &Crew<A>,
        order: &Taker,
    ) -> Result<Outcome, Error> {
        while let Some((work, giver)) = self.next(crew, order)? {
            let mut written = Ok(());
            let result = crew.answer(&work, &mut |rows| {
                written = self.give_and_write(rows, &giver, order);
                written.is_ok()
            });
            written?;
            giver.end(result);
            self.write_ready(order)?;
        }
        self.write_in_order(order)
    }

    /// The next task, once there is room for one. What breaks the run is found in its turn.
    fn next<A: Answer>(
        &mut self,
        crew: &Crew<A>,
        order: &Taker,
    ) -> Result<Option<(Work, Giver)>, Error> {
        loop {
            if let Some(place) = crew.order.keep_place_at_once() {
                return Ok(guarded(|| crew.next(place)).unwrap_or_else(|error| {
                    crew.order.break_off(error);
                    None
                }));
            }
            // Others are at work on what comes first.
            match self.patiently(|limit| order.take(limit))? {
                Some(taken) => self.write_taken(taken)?,
                None => return Ok(None),
            }
        }
    }

    fn give_and_write(&mut self, rows: Rows, giver: &Giver, order: &Taker) -> Result<(), Error> {
        while !giver.has_room() {
            if let Some(taken) = self.patiently(|limit| order.take(limit))? {
                self.write_taken(taken)?;
            }
        }
        giver.give(rows);
        self.write_ready(order)?;
        self.look_for_reader()
    }

    /// Writes what is ready.
    fn write_ready(&mut self, order: &Taker) -> Result<(), Error> {
        while let Some(Some(taken)) = order.take(Duration::ZERO) {
            self.write_taken(taken)?;
        }
        self.flush()
    }

    fn write_taken(&mut self, taken: Taken) -> Result<(), Error> {
        match taken {
            Taken::Rows { source, rows } => self.write(source, rows),
            Taken::Fault { source, fault } => self.tell_fault(source, &fault),
            Taken::Broken(error) => self.break_off(error),
        }
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
        let answered = self.outcome.tally.total();
        self.meter.lines_answered.store(answered, Relaxed);
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
        let _whole = sys::WholeWrite::begin();
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
