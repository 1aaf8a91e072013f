//! A bounded queue of output lines between the workers and the writer, in the order of the input.
//!
//! In this file, an entry is an entry of the queue. Each task has one, added in input order by the thread that cuts the task off
//! the input. Output lines are appended to the entries of all tasks at any time; the writer receives output lines from the front
//! entry only.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::OutputLines;
use crate::error::{Error, SourceFault};

/// If at least this many bytes of one task's output lines wait for the writer, `send` waits, unless the writer has gone. The
/// input of a task is at most a chunk of half as many bytes, so `send` never waits for a task whose output is less than twice as
/// long as its input.
const MAX_WAITING_BYTES: usize = 512 << 10;

/// The queue: an entry for each task, fault and error that the writer has not completely received.
pub struct OutputQueue {
    state: Mutex<QueueState>,
    /// The queue is full if it has at least this many entries. This bounds memory, and how far workers can get ahead of a slow
    /// task. Workers wait for room before they read a task, but do not reserve it, so several can add a task at the same time and
    /// exceed the capacity. Faults and errors do not wait for room.
    capacity: usize,
    /// Signalled when the writer can perhaps receive something, and when the queue is closed.
    ready: Condvar,
    /// Signalled when workers can have more room, and when the writer has gone.
    room: Condvar,
}

#[derive(Default)]
struct QueueState {
    /// The entry at the front is the one that the writer receives from.
    entries: VecDeque<QueueEntry>,
    /// The number of entries removed so far. Entry number n is at index n - removed.
    removed: u64,
    /// True when no entry will be added any more.
    closed: bool,
    /// True when the [`OutputReceiver`] is dropped: the writer has gone.
    disconnected: bool,
}

/// An entry of the queue: a task, a source that could not be read to its end, or an error that ends the run. `receive` also
/// returns this type, for the part of the front entry that the writer has not yet received.
pub struct QueueEntry {
    /// The index of the source. 0 for an error that belongs to no task.
    pub source: usize,
    /// Output lines that the writer has not yet received.
    pub output: Option<OutputLines>,
    /// The end of the entry, after its output lines. `None` for a task that has not ended.
    pub end: Option<EntryEnd>,
}

/// The end of an entry.
pub enum EntryEnd {
    /// All lines of the task are processed, or the writer has gone.
    Done,
    /// The source could not be read to its end.
    Fault(SourceFault),
    /// An error ends the run.
    Failed(Error),
}

/// The writer's handle to the queue. After it is dropped, `wait_for_room` returns false, and `send` returns `Break`.
pub struct OutputReceiver(Arc<OutputQueue>);

impl OutputQueue {
    /// Returns a queue for `capacity` entries, and the writer's handle to it. `capacity` must be more than 1.
    pub fn new(capacity: usize) -> (Arc<OutputQueue>, OutputReceiver) {
        // The writer can leave one finished task in the queue (see `is_ready`). It would keep a queue of one entry full forever.
        debug_assert!(capacity > 1);
        let queue = Arc::new(OutputQueue {
            state: Mutex::default(),
            capacity,
            ready: Condvar::new(),
            room: Condvar::new(),
        });
        (Arc::clone(&queue), OutputReceiver(queue))
    }

    /// Waits while the queue is full, but not after the writer has gone. Returns false if the writer has gone.
    pub fn wait_for_room(&self) -> bool {
        let full =
            |state: &mut QueueState| state.entries.len() >= self.capacity && !state.disconnected;
        let state = self.room.wait_while(self.lock(), full).unwrap();
        !state.disconnected
    }

    /// Returns true if the queue is full. The writer uses this: it must not wait for room that only it can make.
    pub fn is_full(&self) -> bool {
        self.lock().entries.len() >= self.capacity
    }

    /// Adds an entry at the back, and returns its number. `end` is `None` for a task, which `finish` ends later. `source` is not
    /// used if `end` is `Failed`.
    pub fn add(&self, source: usize, end: Option<EntryEnd>) -> u64 {
        let mut state = self.lock();
        // A new task has nothing for the writer yet. It can make a finished task before it ready (see `is_ready`), but that one
        // can wait until the new task has output or ends.
        if end.is_some() {
            self.ready.notify_one();
        }
        state.entries.push_back(QueueEntry {
            source,
            output: None,
            end,
        });
        state.removed + state.entries.len() as u64 - 1
    }

    /// Records that no more entries will be added.
    pub fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
    }

    /// Returns true if `send` would not wait. `number` is the number of the entry.
    pub fn has_room_for(&self, number: u64) -> bool {
        !self.lock().is_entry_full(number)
    }

    /// Appends output lines to the entry of a task, after waiting until the entry has room or the writer has gone. Wakes the
    /// writer if it can receive something. Returns `Break` if the writer has gone.
    ///
    /// This cannot deadlock: the writer always empties the front entry, so the worker of that entry goes on until it ends the
    /// entry, and the next entry becomes the front.
    pub fn send(&self, number: u64, output: OutputLines) -> ControlFlow<()> {
        let full = |state: &mut QueueState| state.is_entry_full(number) && !state.disconnected;
        let mut state = self.room.wait_while(self.lock(), full).unwrap();
        let disconnected = state.disconnected;
        match &mut state.entry(number).output {
            Some(before) => before.append(output),
            none => *none = Some(output),
        }
        // Tried: waking the writer less often than once for each task. The waiting output lines fall out of the nearest caches:
        // 4 % slower on easy input.
        self.wake_writer(state);
        if disconnected {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Ends the entry of a task with its result, and wakes the writer if it can receive something.
    pub fn finish(&self, number: u64, result: Result<(), Error>) {
        let mut state = self.lock();
        let end = result.map_or_else(EntryEnd::Failed, |()| EntryEnd::Done);
        state.entry(number).end = Some(end);
        self.wake_writer(state);
    }

    /// Unlocks the queue, and wakes the writer if it can receive something.
    fn wake_writer(&self, state: MutexGuard<'_, QueueState>) {
        let is_ready = state.is_ready();
        drop(state);
        if is_ready {
            self.ready.notify_one();
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap()
    }
}

impl QueueState {
    fn entry(&mut self, number: u64) -> &mut QueueEntry {
        &mut self.entries[(number - self.removed) as usize]
    }

    /// Returns true if an entry holds so much output for the writer that its sender must wait.
    fn is_entry_full(&mut self, number: u64) -> bool {
        let output = &self.entry(number).output;
        output
            .as_ref()
            .is_some_and(|output| output.bytes.len() >= MAX_WAITING_BYTES)
    }

    /// Returns true if the front entry has something for the writer, or if no entry is left and the queue is closed. A task that
    /// is done and has no output left counts only if another entry follows it or the queue is closed.
    fn is_ready(&self) -> bool {
        let Some(front) = self.entries.front() else {
            return self.closed;
        };
        let has_end = match front.end {
            None => false,
            // Tried: true. 11 % slower with one thread if lines arrive one at a time, because the writer is woken twice for each.
            Some(EntryEnd::Done) => self.closed || self.entries.len() > 1,
            Some(EntryEnd::Fault(_) | EntryEnd::Failed(_)) => true,
        };
        has_end || front.output.is_some()
    }

    /// Takes the output and the end, if there is one, from the front entry. Removes the entry if it has ended. Returns `None` if
    /// no entry is left.
    fn receive(&mut self) -> Option<QueueEntry> {
        let front = self.entries.front_mut()?;
        let received = QueueEntry {
            source: front.source,
            output: front.output.take(),
            end: front.end.take(),
        };
        if received.end.is_some() {
            self.entries.pop_front();
            self.removed += 1;
        }
        Some(received)
    }
}

impl OutputReceiver {
    /// Receives what is new in the front entry, after waiting at most for `limit` until there is something. Returns `None` if
    /// there is nothing by then, and `Some(None)` at the end of the queue.
    pub fn receive(&self, limit: Duration) -> Option<Option<QueueEntry>> {
        let OutputQueue { ready, room, .. } = &*self.0;
        let nothing = |state: &mut QueueState| !state.is_ready();
        let waited = ready.wait_timeout_while(self.0.lock(), limit, nothing);
        let (mut state, _) = waited.unwrap();
        let received = state.is_ready().then(|| state.receive());
        drop(state);
        if matches!(received, Some(Some(_))) {
            // Workers wait on this condition for room in the queue and for room in their entries, so all are woken.
            room.notify_all();
        }
        received
    }
}

impl Drop for OutputReceiver {
    fn drop(&mut self) {
        self.0.lock().disconnected = true;
        self.0.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    fn output(bytes: &[u8]) -> OutputLines {
        OutputLines {
            bytes: bytes.to_vec(),
            ..OutputLines::default()
        }
    }

    fn fault() -> Option<EntryEnd> {
        Some(EntryEnd::Fault(SourceFault::Refused("".into())))
    }

    /// Describes what the writer receives within `limit`.
    fn receive(receiver: &OutputReceiver, limit: Duration) -> String {
        let Some(received) = receiver.receive(limit) else {
            return "nothing".to_string();
        };
        let Some(entry) = received else {
            return "end".to_string();
        };
        let output = entry.output.map(|output| output.bytes);
        let end = entry.end.map(|end| match end {
            EntryEnd::Done => "done",
            EntryEnd::Fault(_) => "fault",
            EntryEnd::Failed(_) => "failed",
        });
        let mut words = vec![entry.source.to_string()];
        words.extend(output.map(|bytes| String::from_utf8(bytes).unwrap()));
        words.extend(end.map(str::to_string));
        words.join(" ")
    }

    #[test]
    fn output_arrives_in_the_order_of_the_tasks() {
        let (queue, receiver) = OutputQueue::new(9);
        let [first, second, third, fourth] = [0, 1, 1, 2].map(|source| queue.add(source, None));
        queue.add(2, fault());
        queue.close();
        let now = Duration::ZERO;
        assert!(queue.send(second, output(b"b")).is_continue());
        assert_eq!(receive(&receiver, now), "nothing");
        assert!(queue.send(first, output(b"a")).is_continue());
        assert!(queue.send(first, output(b"a")).is_continue());
        assert_eq!(receive(&receiver, now), "0 aa");
        assert_eq!(receive(&receiver, Duration::from_millis(1)), "nothing");
        queue.finish(third, Ok(()));
        queue.finish(first, Ok(()));
        assert_eq!(receive(&receiver, now), "0 done");
        assert_eq!(receive(&receiver, now), "1 b");
        assert!(queue.send(second, output(b"c")).is_continue());
        assert!(queue.send(fourth, output(b"d")).is_continue());
        queue.finish(fourth, Ok(()));
        queue.finish(second, Ok(()));
        let left: Vec<String> = (0..5).map(|_| receive(&receiver, now)).collect();
        assert_eq!(left, ["1 c done", "1 done", "2 d done", "2 fault", "end"]);
    }

    #[test]
    fn the_error_of_a_task_follows_its_output() {
        let (queue, receiver) = OutputQueue::new(9);
        let [failing, next] = [0, 0].map(|source| queue.add(source, None));
        assert!(queue.send(next, output(b"b")).is_continue());
        assert!(queue.send(failing, output(b"a")).is_continue());
        queue.finish(failing, Err(Error::ReaderGone));
        let now = Duration::ZERO;
        assert_eq!(receive(&receiver, now), "0 a failed");
        queue.add(0, Some(EntryEnd::Failed(Error::ReaderGone)));
        queue.finish(next, Ok(()));
        assert_eq!(receive(&receiver, now), "0 b done");
        assert_eq!(receive(&receiver, now), "0 failed");
    }

    #[test]
    fn the_writer_wakes_for_the_front_entry() {
        let (queue, receiver) = OutputQueue::new(9);
        let [first, second] = [0, 1].map(|source| queue.add(source, None));
        let (send, received) = mpsc::channel();
        let writer = thread::spawn(move || {
            while send
                .send(receive(&receiver, Duration::from_secs(99)))
                .is_ok()
            {}
        });
        let asleep = || thread::sleep(Duration::from_millis(20));
        let next = || received.recv_timeout(Duration::from_secs(9)).unwrap();
        asleep();
        assert!(queue.send(first, output(b"a")).is_continue());
        assert_eq!(next(), "0 a");
        assert!(queue.send(second, output(b"b")).is_continue());
        asleep();
        queue.finish(first, Ok(()));
        assert_eq!(next(), "0 done");
        assert_eq!(next(), "1 b");
        asleep();
        queue.finish(second, Ok(()));
        assert!(received.recv_timeout(Duration::from_millis(20)).is_err());
        queue.add(3, fault());
        assert_eq!(next(), "1 done");
        assert_eq!(next(), "3 fault");
        asleep();
        queue.close();
        assert_eq!(next(), "end");
        drop(received);
        writer.join().unwrap();
    }

    #[test]
    fn a_sender_waits_for_room_and_notices_that_the_writer_has_gone() {
        let (queue, receiver) = OutputQueue::new(9);
        let number = queue.add(0, None);
        let sender = Arc::clone(&queue);
        let worker = thread::spawn(move || {
            let much = || output(&[b'x'; MAX_WAITING_BYTES]);
            (0..)
                .take_while(|_| sender.send(number, much()).is_continue())
                .count()
        });
        for _ in 0..2 {
            assert_eq!(
                receive(&receiver, Duration::from_secs(9)).len(),
                2 + MAX_WAITING_BYTES
            );
        }
        drop(receiver);
        let sent = worker.join().unwrap();
        assert!((2..=3).contains(&sent), "{sent}");
        assert!(!queue.wait_for_room());
    }

    #[test]
    fn a_full_queue_has_room_when_the_writer_has_received_an_entry() {
        let (queue, receiver) = OutputQueue::new(2);
        let [first, _] = [0, 0].map(|source| queue.add(source, None));
        assert!(queue.is_full());
        let (send, room) = mpsc::channel();
        let worker = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                while queue.wait_for_room() {
                    queue.add(0, None);
                    send.send(()).unwrap();
                }
            })
        };
        let limit = Duration::from_millis(20);
        assert!(room.recv_timeout(limit).is_err());
        queue.finish(first, Ok(()));
        assert!(room.recv_timeout(limit).is_err());
        assert_eq!(receive(&receiver, limit), "0 done");
        room.recv_timeout(Duration::from_secs(9)).unwrap();
        assert!(room.recv_timeout(limit).is_err());
        drop(receiver);
        worker.join().unwrap();
    }
}
