//! A bounded queue of output lines, in the order of the input. It also decides which thread reads
//! and which one writes.
//!
//! Each task has an item in the queue. The thread that cuts the task off the input adds the item,
//! so items have the order of the input. Output lines are appended to the items of all tasks at any
//! time, and leave from the front item only. There is no thread for writing: the writer lies in the
//! queue. A thread that makes something ready at the front takes the writer out, writes until
//! nothing is ready, and puts it back. Meanwhile the other threads go on.

use std::collections::VecDeque;
use std::mem;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard};

use super::writer::{ItemEnd, QueueItem, Writer};
use super::{Outcome, OutputLines};
use engine::error::Error;
use engine::panics::guarded;

/// If at least this many bytes of one task's output lines wait to be written, `send` waits, unless
/// the run has ended. A task has at most half as many bytes of input (one chunk), so `send` never
/// waits if the output of the task is less than twice as long as its input.
const MAX_WAITING_BYTES: usize = 512 << 10;

/// The queue: an item for each task, fault and error that is not completely written.
pub struct OutputQueue<'a> {
    state: Mutex<QueueState<'a>>,
    /// The queue is full if it has at least this many items. This bounds memory, and how far
    /// workers can get ahead of a slow task. Faults and errors do not wait for room.
    capacity: usize,
    /// Threads wait here for their turn to read.
    readers: Condvar,
    /// Threads wait here until their item has room.
    senders: Condvar,
}

struct QueueState<'a> {
    /// Only the output of the front item is written.
    items: VecDeque<QueueItem>,
    /// The number of items removed so far. The item with number n is at index n - `removed`.
    removed: u64,
    /// `None` while a thread writes, and after the run has ended with an error.
    writer: Option<Box<Writer<'a>>>,
    input: InputState,
    error: Option<Error>,
    /// True if a thread waits in `found_so_far`.
    awaits_writer: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum InputState {
    Reading,
    /// No thread reads, and more input is probably there, so a waiting thread is woken to read.
    Ready,
    /// No thread reads, and more input is probably not there yet. No waiting thread is woken: the
    /// thread that has just read will read on after its task. So a line that comes alone costs one
    /// context switch instead of three.
    Awaited,
    Ended,
}

impl<'a> OutputQueue<'a> {
    pub fn new(capacity: usize, writer: Writer<'a>) -> OutputQueue<'a> {
        OutputQueue {
            state: Mutex::new(QueueState {
                items: VecDeque::new(),
                removed: 0,
                writer: Some(Box::new(writer)),
                input: InputState::Ready,
                error: None,
                awaits_writer: false,
            }),
            capacity,
            readers: Condvar::new(),
            senders: Condvar::new(),
        }
    }

    /// Waits until no other thread reads and the queue has room. Then this thread has the turn to
    /// read, until it calls `end_read`. Returns `Break` if the input or the run has ended.
    pub fn begin_read(&self) -> ControlFlow<()> {
        let must_wait = |state: &mut QueueState| {
            let has_ended = state.input == InputState::Ended || state.check_run().is_break();
            let is_full = state.items.len() >= self.capacity;
            !has_ended && (state.input == InputState::Reading || is_full)
        };
        let mut state = self.readers.wait_while(self.lock(), must_wait).unwrap();
        state.check_run()?;
        if state.input == InputState::Ended {
            return ControlFlow::Break(());
        }
        state.input = InputState::Reading;
        ControlFlow::Continue(())
    }

    pub fn end_read(&self, input: InputState) {
        self.lock().input = input;
        match input {
            InputState::Ready => self.readers.notify_one(),
            InputState::Ended => self.readers.notify_all(),
            InputState::Awaited | InputState::Reading => {}
        }
    }

    pub fn wake_reader(&self) {
        if self.lock().input != InputState::Reading {
            self.readers.notify_one();
        }
    }

    pub fn check_run(&self) -> ControlFlow<()> {
        self.lock().check_run()
    }

    pub fn is_empty(&self) -> bool {
        self.lock().items.is_empty()
    }

    /// Returns the number of the item. `end` is `None` for a task: `finish` ends it later. `source`
    /// is not used if `end` is `Failed`.
    pub fn add(&self, source: usize, end: Option<ItemEnd>) -> u64 {
        self.add_for_record(source, 0, end)
    }

    pub fn add_for_record(&self, source: usize, record: u64, end: Option<ItemEnd>) -> u64 {
        let mut state = self.lock();
        state.items.push_back(QueueItem { source, record, output: OutputLines::default(), end });
        let number = state.removed + state.items.len() as u64 - 1;
        let _ = self.write_ready(state);
        number
    }

    /// Waits until the item has room. Returns `Break` if the run has ended.
    ///
    /// Waiting cannot cause a deadlock. The output of the front item is always written, so the
    /// worker of that item never waits for long. Once it ends the item, the next item becomes the
    /// front.
    pub fn send(&self, number: u64, output: OutputLines) -> ControlFlow<()> {
        let must_wait = |state: &mut QueueState| {
            state.check_run().is_continue() && state.item(number).is_full()
        };
        let mut state = self.senders.wait_while(self.lock(), must_wait).unwrap();
        state.check_run()?;
        state.item(number).output.append(output);
        self.write_ready(state)
    }

    /// Waits until all output before the end of the item is written. Returns how many results of
    /// its record are written then, or `None` if the record needs no more attempts or the run has
    /// ended.
    ///
    /// Waiting cannot cause a deadlock: each item before this one has a worker of its own, which
    /// waits for no later item.
    pub fn found_so_far(&self, number: u64) -> Option<u64> {
        let must_wait = |state: &mut QueueState| {
            let is_written = state.removed == number && state.writer.is_some();
            state.awaits_writer = true;
            state.check_run().is_continue() && !is_written
        };
        let mut state = self.senders.wait_while(self.lock(), must_wait).unwrap();
        let record = state.items.front()?.record;
        state.writer.as_mut()?.found_so_far(record)
    }

    /// Does nothing if the run has ended with an error.
    pub fn finish(&self, number: u64, result: Result<(), Error>) {
        let mut state = self.lock();
        if state.check_run().is_continue() {
            let end = result.map_or_else(ItemEnd::Failed, |()| ItemEnd::Done);
            state.item(number).end = Some(end);
            let _ = self.write_ready(state);
        }
    }

    /// Writes until no item is ready and the writer is flushed, unless another thread writes. The
    /// lock is free during each write. Returns `Break` if the run has ended with an error.
    fn write_ready<'q>(&'q self, mut state: MutexGuard<'q, QueueState<'a>>) -> ControlFlow<()> {
        let Some(mut writer) = state.writer.take() else {
            return state.check_run();
        };
        loop {
            let mut part = self.take_ready(&mut state);
            if part.is_none() && writer.is_flushed() {
                state.writer = Some(writer);
                if mem::take(&mut state.awaits_writer) {
                    self.senders.notify_all();
                }
                return ControlFlow::Continue(());
            }
            drop(state);
            let written = guarded(|| match &mut part {
                Some(part) => writer.write(part),
                None => writer.flush(),
            });
            state = self.lock();
            if let Err(error) = written.flatten() {
                self.end_run(&mut state, error);
                return ControlFlow::Break(());
            }
        }
    }

    /// Wakes threads that can be waiting for the room that becomes free.
    fn take_ready(&self, state: &mut QueueState<'a>) -> Option<QueueItem> {
        let was_queue_full = state.items.len() >= self.capacity;
        let was_item_full = state.items.front().is_some_and(QueueItem::is_full);
        let part = state.take_front();
        if was_queue_full && state.items.len() < self.capacity {
            self.readers.notify_one();
        }
        if was_item_full {
            self.senders.notify_all();
        }
        part
    }

    /// The output in the queue is not written.
    fn end_run(&self, state: &mut QueueState<'a>, error: Error) {
        state.error = Some(error);
        state.writer = None;
        self.readers.notify_all();
        self.senders.notify_all();
    }

    /// The last thread must have left the queue.
    pub fn into_result(self) -> Result<Outcome, Error> {
        let state = self.state.into_inner().unwrap();
        match (state.error, state.writer) {
            (Some(error), _) => Err(error),
            (None, writer) => writer.expect("no thread writes").finish(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState<'a>> {
        self.state.lock().unwrap()
    }
}

impl QueueItem {
    fn is_full(&self) -> bool {
        self.output.bytes.len() >= MAX_WAITING_BYTES
    }

    fn is_ready(&self) -> bool {
        self.end.is_some() || !self.output.is_empty()
    }
}

impl QueueState<'_> {
    fn check_run(&self) -> ControlFlow<()> {
        match self.error {
            None => ControlFlow::Continue(()),
            Some(_) => ControlFlow::Break(()),
        }
    }

    fn item(&mut self, number: u64) -> &mut QueueItem {
        &mut self.items[(number - self.removed) as usize]
    }

    /// Removes the front item if it has ended, otherwise only takes its output so far.
    fn take_front(&mut self) -> Option<QueueItem> {
        let front = self.items.front_mut().filter(|front| front.is_ready())?;
        if front.end.is_some() {
            self.removed += 1;
            return self.items.pop_front();
        }
        let (source, record) = (front.source, front.record);
        Some(QueueItem { source, record, output: mem::take(&mut front.output), end: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{Flow, Source};
    use std::fs::File;
    use std::io;
    use std::os::fd::{AsFd, BorrowedFd};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::thread;
    use std::time::Duration;

    const A_MOMENT: Duration = Duration::from_millis(20);
    const LONG: Duration = Duration::from_secs(9);

    /// Passes on what is written. Before each write, waits until the test opens the gate, if there
    /// is one.
    struct Recorder {
        to: Sender<String>,
        gate: Option<Receiver<()>>,
        file: File,
    }

    impl io::Write for Recorder {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if let Some(gate) = &self.gate {
                gate.recv().unwrap();
            }
            let text = String::from_utf8_lossy(bytes).into_owned();
            assert_ne!(text, "panic", "on purpose");
            let _ = self.to.send(text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl AsFd for Recorder {
        fn as_fd(&self) -> BorrowedFd<'_> {
            self.file.as_fd()
        }
    }

    /// Calls `test` with a queue, and with the other end of its output.
    fn with_queue(
        capacity: usize,
        gate: Option<Receiver<()>>,
        test: impl FnOnce(&OutputQueue, Receiver<String>),
    ) -> Result<Outcome, Error> {
        let (to, written) = channel();
        let file = File::open("/dev/null").unwrap();
        let mut output = Recorder { to, gate, file };
        let (mut messages, flow) = (io::sink(), Flow::new(1));
        let sources = [Source::Stdin];
        let writer = Writer::new(&Default::default, &sources, &mut output, &mut messages, &flow);
        let queue = OutputQueue::new(capacity, writer);
        test(&queue, written);
        queue.into_result()
    }

    /// Returns all that is written so far.
    fn all(written: &Receiver<String>) -> String {
        written.try_iter().collect()
    }

    fn output(bytes: &[u8]) -> OutputLines {
        OutputLines { bytes: bytes.to_vec(), ..OutputLines::default() }
    }

    #[test]
    fn output_is_written_in_the_order_of_the_tasks() {
        let result = with_queue(9, None, |queue, written| {
            let [first, second, third, fourth] = [0; 4].map(|source| queue.add(source, None));
            assert!(queue.send(second, output(b"b")).is_continue());
            assert_eq!(all(&written), "");
            assert!(queue.send(first, output(b"a")).is_continue());
            assert!(queue.send(first, output(b"a")).is_continue());
            assert_eq!(all(&written), "aa");
            queue.finish(third, Ok(()));
            queue.finish(first, Ok(()));
            assert_eq!(all(&written), "b");
            assert!(queue.send(second, output(b"c")).is_continue());
            assert!(queue.send(fourth, output(b"d")).is_continue());
            queue.finish(fourth, Ok(()));
            assert_eq!(all(&written), "c");
            queue.finish(second, Ok(()));
            assert_eq!(all(&written), "d");
        });
        assert!(result.is_ok());
    }

    #[test]
    fn nothing_is_written_after_the_error_of_a_task() {
        let result = with_queue(9, None, |queue, written| {
            let [failing, next] = [0, 0].map(|source| queue.add(source, None));
            assert!(queue.send(next, output(b"b")).is_continue());
            assert!(queue.send(failing, output(b"a")).is_continue());
            queue.finish(failing, Err(Error::ReaderGone));
            assert!(queue.send(next, output(b"b")).is_break());
            queue.finish(next, Ok(()));
            assert!(queue.begin_read().is_break());
            assert_eq!(all(&written), "a");
        });
        assert!(matches!(result, Err(Error::ReaderGone)));
    }

    #[test]
    fn a_panic_during_a_write_ends_the_run() {
        engine::panics::install_hook();
        let result = with_queue(9, None, |queue, _written| {
            let number = queue.add(0, None);
            assert!(queue.send(number, output(b"panic")).is_break());
            assert!(queue.begin_read().is_break());
        });
        assert!(matches!(result, Err(Error::Internal { .. })));
    }

    #[test]
    fn a_blocked_write_lets_the_others_work_until_the_queue_is_full() {
        let (open, gate) = channel();
        let result = with_queue(3, Some(gate), |queue, written| {
            thread::scope(|scope| {
                let [first, second, third] = [0; 3].map(|source| queue.add(source, None));
                scope.spawn(move || queue.send(first, output(b"a")));
                thread::sleep(A_MOMENT);
                // The other thread is in the middle of a write. These return at once, and leave
                // their output to it.
                assert!(queue.send(second, output(b"b")).is_continue());
                queue.finish(first, Ok(()));
                queue.finish(second, Ok(()));
                let (entered, room) = channel();
                scope.spawn(move || entered.send(queue.begin_read()));
                assert!(room.recv_timeout(A_MOMENT).is_err());
                (0..3).for_each(|_| open.send(()).unwrap());
                assert!(room.recv_timeout(LONG).unwrap().is_continue());
                assert!(queue.send(third, output(b"c")).is_continue());
            });
            assert_eq!(all(&written), "abc");
        });
        assert!(result.is_ok());
    }

    #[test]
    fn a_sender_waits_for_room_and_notices_the_end_of_the_run() {
        let _ = with_queue(9, None, |queue, written| {
            let [first, second] = [0, 0].map(|source| queue.add(source, None));
            let (sent, count) = channel();
            let much = || output(&[b'x'; MAX_WAITING_BYTES]);
            thread::scope(|scope| {
                scope.spawn(move || {
                    (0..3).for_each(|_| sent.send(queue.send(second, much())).unwrap())
                });
                assert!(count.recv_timeout(LONG).unwrap().is_continue());
                assert!(count.recv_timeout(A_MOMENT).is_err());
                queue.finish(first, Ok(()));
                assert!(count.recv_timeout(LONG).unwrap().is_continue());
                assert!(count.recv_timeout(LONG).unwrap().is_continue());
                assert_eq!(all(&written).len(), 3 * MAX_WAITING_BYTES);
                let third = queue.add(0, None);
                let (sent, count) = channel();
                scope.spawn(move || {
                    (0..2).for_each(|_| sent.send(queue.send(third, much())).unwrap())
                });
                assert!(count.recv_timeout(LONG).unwrap().is_continue());
                assert!(count.recv_timeout(A_MOMENT).is_err());
                queue.finish(second, Err(Error::ReaderGone));
                assert!(count.recv_timeout(LONG).unwrap().is_break());
            });
        });
    }

    #[test]
    fn a_thread_is_woken_to_read_if_more_input_is_there_or_a_task_lasts() {
        let _ = with_queue(9, None, |queue, _written| {
            thread::scope(|scope| {
                let (begun, turns) = channel();
                assert!(queue.begin_read().is_continue());
                scope.spawn(move || (0..3).for_each(|_| begun.send(queue.begin_read()).unwrap()));
                assert!(turns.recv_timeout(A_MOMENT).is_err());
                queue.end_read(InputState::Ready);
                assert!(turns.recv_timeout(LONG).unwrap().is_continue());
                // By then the other thread waits for its second turn.
                thread::sleep(A_MOMENT);
                queue.wake_reader();
                queue.end_read(InputState::Awaited);
                assert!(turns.recv_timeout(A_MOMENT).is_err());
                queue.wake_reader();
                assert!(turns.recv_timeout(LONG).unwrap().is_continue());
                thread::sleep(A_MOMENT);
                queue.end_read(InputState::Ended);
                assert!(turns.recv_timeout(LONG).unwrap().is_break());
            });
        });
    }

    #[test]
    fn nothing_ready_is_left_behind() {
        for round in 0..200 {
            let result = with_queue(4, None, |queue, written| {
                let next = &Mutex::new(0);
                thread::scope(|scope| {
                    for _ in 0..4 {
                        scope.spawn(move || {
                            while queue.begin_read().is_continue() {
                                let mut next = next.lock().unwrap();
                                if *next == 100 {
                                    return queue.end_read(InputState::Ended);
                                }
                                *next += 1;
                                let (text, number) = (format!("{next} "), queue.add(0, None));
                                let inputs = [InputState::Awaited, InputState::Ready];
                                queue.end_read(inputs[*next % 3 % 2]);
                                drop(next);
                                assert!(queue.send(number, output(text.as_bytes())).is_continue());
                                queue.finish(number, Ok(()));
                            }
                        });
                    }
                });
                let expected: String = (1..=100).map(|number| format!("{number} ")).collect();
                assert_eq!(all(&written), expected, "{round}");
            });
            assert!(result.is_ok());
        }
    }
}
