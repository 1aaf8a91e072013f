//! A bounded queue of output lines between the workers and the writer, in the order of the input.
//!
//! In this file, an entry is an entry of the queue. Each task has one, added in input order by the worker that cuts the task off
//! the input. Workers append output lines to their entries at any time; the writer receives output lines from the front entry
//! only.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::OutputLines;
use crate::error::{Error, SourceFault};

/// If this many bytes of one task's output lines wait for the writer, `send` blocks. The input of a task is at most a chunk of
/// half as many bytes, so only a task with much more output than input ever blocks.
const MAX_WAITING_BYTES: usize = 512 << 10;

/// The queue: an entry for each task, fault and error that the writer has not completely received.
pub struct OutputQueue {
    state: Mutex<QueueState>,
    /// The queue is full if it has this many entries and reserved slots in total. This bounds memory, and how far workers can get
    /// ahead of a slow task.
    capacity: usize,
    /// Signalled when the writer can receive something.
    ready: Condvar,
    /// Signalled when workers have more room.
    room: Condvar,
}

struct QueueState {
    /// The entry at the front is the one that the writer receives from.
    entries: VecDeque<QueueEntry>,
    /// The number of entries removed so far. Entry number n is at index n - removed.
    removed: u64,
    /// The number of slots reserved for tasks that are not yet added.
    reserved: usize,
    /// True when no entry will be added any more.
    closed: bool,
    /// True when the [`OutputReceiver`] is dropped: the writer has gone.
    disconnected: bool,
}

/// An entry of the queue: a task, a source that could not be read to its end, or an error that ends the run.
struct QueueEntry {
    /// The index of the source. Has no meaning for an error.
    source: usize,
    /// Output lines that the writer has not yet received.
    output: Option<OutputLines>,
    /// `None` while a worker processes the task.
    end: Option<EntryEnd>,
}

/// The end of an entry. The writer receives it after the output lines of the entry.
enum EntryEnd {
    /// All lines of the task are processed.
    Done,
    /// The source could not be read to its end.
    Fault(SourceFault),
    /// An error ends the run.
    Failed(Error),
}

/// An item that the writer receives.
pub enum Received {
    Output { source: usize, output: OutputLines },
    Fault { source: usize, fault: SourceFault },
    Failed(Error),
}

/// Room in the queue, reserved for a task that is not yet read.
pub struct Slot(Arc<OutputQueue>);

/// A worker's handle to the entry of its task.
pub struct OutputSender {
    queue: Arc<OutputQueue>,
    number: u64,
}

/// The writer's handle to the queue. After it is dropped, workers reserve no slots, and `send` returns `Break`.
pub struct OutputReceiver(Arc<OutputQueue>);

impl OutputQueue {
    /// Returns a queue for `capacity` tasks, and the writer's handle to it.
    pub fn new(capacity: usize) -> (Arc<OutputQueue>, OutputReceiver) {
        let queue = Arc::new(OutputQueue {
            state: Mutex::new(QueueState {
                entries: VecDeque::new(),
                removed: 0,
                reserved: 0,
                closed: false,
                disconnected: false,
            }),
            capacity,
            ready: Condvar::new(),
            room: Condvar::new(),
        });
        (Arc::clone(&queue), OutputReceiver(queue))
    }

    /// Reserves a slot, waiting for one if the queue is full. Returns `None` if the writer has gone.
    pub fn reserve(self: &Arc<Self>) -> Option<Slot> {
        let full = |state: &mut QueueState| !state.disconnected && self.is_full(state);
        let state = self.room.wait_while(self.lock(), full).unwrap();
        (!state.disconnected).then(|| self.reserve_in(state))
    }

    /// Reserves a slot without waiting. Returns `None` if the queue is full. The writer uses this: it must not wait for room that
    /// only it can make.
    pub fn try_reserve(self: &Arc<Self>) -> Option<Slot> {
        let state = self.lock();
        (!self.is_full(&state)).then(|| self.reserve_in(state))
    }

    /// Counts a reserved slot. The queue must not be full. The caller holds its lock.
    fn reserve_in(self: &Arc<Self>, mut state: MutexGuard<'_, QueueState>) -> Slot {
        state.reserved += 1;
        Slot(Arc::clone(self))
    }

    fn is_full(&self, state: &QueueState) -> bool {
        state.entries.len() + state.reserved >= self.capacity
    }

    /// Adds an entry for a source that could not be read to its end.
    pub fn add_fault(&self, source: usize, fault: SourceFault) {
        self.lock().add(source, Some(EntryEnd::Fault(fault)));
        self.ready.notify_one();
    }

    /// Adds an entry for an error that ends the run.
    pub fn fail(&self, error: Error) {
        // The error belongs to no source. The writer does not use the index 0.
        self.lock().add(0, Some(EntryEnd::Failed(error)));
        self.ready.notify_one();
    }

    /// Records that no more entries will be added.
    pub fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap()
    }
}

impl QueueState {
    /// Adds an entry at the back, and returns its number.
    fn add(&mut self, source: usize, end: Option<EntryEnd>) -> u64 {
        let output = None;
        self.entries.push_back(QueueEntry {
            source,
            output,
            end,
        });
        self.removed + self.entries.len() as u64 - 1
    }

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

    /// Removes entries that are done and have no more output from the front. Returns true if the entry that is then at the
    /// front has something for the writer, or if no entry is left and the queue is closed.
    fn remove_finished(&mut self) -> bool {
        while let Some(entry) = self.entries.front() {
            match entry.end {
                Some(EntryEnd::Done) if entry.output.is_none() => {
                    self.entries.pop_front();
                    self.removed += 1;
                }
                _ => return entry.output.is_some() || entry.end.is_some(),
            }
        }
        self.closed
    }

    /// Removes and returns the next item for the writer. Returns `None` if there is none yet, and `Some(None)` at the end.
    fn receive(&mut self) -> Option<Option<Received>> {
        if !self.remove_finished() {
            return None;
        }
        let Some(entry) = self.entries.front_mut() else {
            return Some(None);
        };
        let source = entry.source;
        if let Some(output) = entry.output.take() {
            return Some(Some(Received::Output { source, output }));
        }
        self.removed += 1;
        Some(match self.entries.pop_front()?.end? {
            EntryEnd::Done => {
                unreachable!("`remove_finished` removes entries that are done and empty")
            }
            EntryEnd::Fault(fault) => Some(Received::Fault { source, fault }),
            EntryEnd::Failed(error) => Some(Received::Failed(error)),
        })
    }
}

impl Slot {
    /// Adds an entry for a task at the back. The entry replaces the reserved slot, which is released when `self` is dropped.
    pub fn add(self, source: usize) -> OutputSender {
        let queue = Arc::clone(&self.0);
        let number = queue.lock().add(source, None);
        OutputSender { queue, number }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.lock().reserved -= 1;
        // Senders wait for room in their entries on this condition too, so waking one thread could wake the wrong one.
        self.0.room.notify_all();
    }
}

impl OutputSender {
    /// Returns true if `send` would not wait.
    pub fn has_room(&self) -> bool {
        !self.queue.lock().is_entry_full(self.number)
    }

    /// Appends output lines to the entry, after waiting for room. Returns `Break` if the writer has gone.
    ///
    /// This cannot deadlock: the writer always empties the front entry, so the worker of that entry goes on until it ends the
    /// entry, and the next entry becomes the front.
    pub fn send(&self, output: OutputLines) -> ControlFlow<()> {
        let full = |state: &mut QueueState| state.is_entry_full(self.number) && !state.disconnected;
        let queue = &self.queue;
        let mut state = queue.room.wait_while(queue.lock(), full).unwrap();
        let disconnected = state.disconnected;
        let is_front = state.removed == self.number;
        match &mut state.entry(self.number).output {
            Some(before) => before.append(output),
            none => *none = Some(output),
        }
        drop(state);
        // Tried: waking the writer less often than for each task. The waiting output lines fall out of the nearest caches: 4 %
        // slower on easy input.
        if is_front {
            queue.ready.notify_one();
        }
        if disconnected {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }

    /// Ends the entry with the result of its task.
    pub fn finish(self, result: Result<(), Error>) {
        let queue = &self.queue;
        let mut state = queue.lock();
        let is_front = state.removed == self.number;
        let end = result.map_or_else(EntryEnd::Failed, |()| EntryEnd::Done);
        state.entry(self.number).end = Some(end);
        // If the writer has received all output of the entry, `remove_finished` removes the entry. The writer is woken only if
        // the entry then at the front has something for it, or at the end.
        let before = state.removed;
        let is_ready = is_front && state.remove_finished();
        let has_room = state.removed > before;
        drop(state);
        if is_ready {
            queue.ready.notify_one();
        }
        if has_room {
            queue.room.notify_all();
        }
    }
}

impl OutputReceiver {
    /// Receives the next item, waiting for it at most for `limit`. Returns `None` at the time limit and `Some(None)` at the end.
    pub fn receive(&self, limit: Duration) -> Option<Option<Received>> {
        let queue = &self.0;
        let mut state = queue.lock();
        let before = state.removed;
        if !state.remove_finished() && !limit.is_zero() {
            let nothing = |state: &mut QueueState| !state.remove_finished();
            (state, _) = queue
                .ready
                .wait_timeout_while(state, limit, nothing)
                .unwrap();
        }
        let received = state.receive();
        let has_room =
            state.removed > before || matches!(received, Some(Some(Received::Output { .. })));
        drop(state);
        if has_room {
            queue.room.notify_all();
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

    /// Describes what the writer receives within `limit`.
    fn receive(receiver: &OutputReceiver, limit: Duration) -> String {
        match receiver.receive(limit) {
            None => "nothing".to_string(),
            Some(Some(Received::Output { source, output })) => {
                format!("{source} {}", String::from_utf8_lossy(&output.bytes))
            }
            Some(Some(Received::Fault { source, .. })) => format!("{source} fault"),
            Some(Some(Received::Failed(_))) => "failed".to_string(),
            Some(None) => "end".to_string(),
        }
    }

    #[test]
    fn output_arrives_in_the_order_of_the_tasks() {
        let (queue, receiver) = OutputQueue::new(9);
        let tasks = [0, 1, 1, 2].map(|source| queue.reserve().unwrap().add(source));
        queue.add_fault(2, SourceFault::Refused("".into()));
        queue.close();
        let [first, second, third, fourth] = tasks;
        let now = Duration::ZERO;
        assert!(second.send(output(b"b")).is_continue());
        assert_eq!(receive(&receiver, now), "nothing");
        assert!(first.send(output(b"a")).is_continue());
        assert!(first.send(output(b"a")).is_continue());
        assert_eq!(receive(&receiver, now), "0 aa");
        assert_eq!(receive(&receiver, Duration::from_millis(1)), "nothing");
        third.finish(Ok(()));
        first.finish(Ok(()));
        assert_eq!(receive(&receiver, now), "1 b");
        assert!(second.send(output(b"c")).is_continue());
        assert!(fourth.send(output(b"d")).is_continue());
        fourth.finish(Ok(()));
        second.finish(Ok(()));
        let left: Vec<String> = (0..4).map(|_| receive(&receiver, now)).collect();
        assert_eq!(left, ["1 c", "2 d", "2 fault", "end"]);
    }

    #[test]
    fn the_error_of_a_task_follows_its_output() {
        let (queue, receiver) = OutputQueue::new(9);
        let failing = queue.reserve().unwrap().add(0);
        let next = queue.reserve().unwrap().add(0);
        assert!(next.send(output(b"b")).is_continue());
        assert!(failing.send(output(b"a")).is_continue());
        failing.finish(Err(Error::ReaderGone));
        let now = Duration::ZERO;
        assert_eq!(receive(&receiver, now), "0 a");
        assert_eq!(receive(&receiver, now), "failed");
        queue.fail(Error::ReaderGone);
        next.finish(Ok(()));
        assert_eq!(receive(&receiver, now), "0 b");
        assert_eq!(receive(&receiver, now), "failed");
    }

    #[test]
    fn the_writer_wakes_for_the_front_entry() {
        let (queue, receiver) = OutputQueue::new(9);
        let [first, second] = [0, 1].map(|source| queue.reserve().unwrap().add(source));
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
        assert!(first.send(output(b"a")).is_continue());
        assert_eq!(next(), "0 a");
        assert!(second.send(output(b"b")).is_continue());
        asleep();
        first.finish(Ok(()));
        assert_eq!(next(), "1 b");
        asleep();
        second.finish(Ok(()));
        queue.add_fault(3, SourceFault::Refused("".into()));
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
        let sender = queue.reserve().unwrap().add(0);
        let worker = thread::spawn(move || {
            let mut sent = 0;
            while sender
                .send(output(&[b'x'; MAX_WAITING_BYTES]))
                .is_continue()
            {
                sent += 1;
            }
            sent
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
        assert!(queue.reserve().is_none());
    }

    #[test]
    fn no_more_slots_are_reserved_than_the_queue_has() {
        let (queue, receiver) = OutputQueue::new(2);
        let first = queue.reserve().unwrap().add(0);
        let slot = queue.reserve().unwrap();
        assert!(queue.try_reserve().is_none());
        let (send, reserved) = mpsc::channel();
        let worker = {
            let queue = Arc::clone(&queue);
            thread::spawn(move || {
                let mut slots = Vec::new();
                while let Some(slot) = queue.reserve() {
                    slots.push(slot);
                    send.send(()).unwrap();
                }
            })
        };
        let limit = Duration::from_millis(20);
        assert!(reserved.recv_timeout(limit).is_err());
        first.finish(Ok(()));
        reserved.recv_timeout(Duration::from_secs(9)).unwrap();
        assert!(reserved.recv_timeout(limit).is_err());
        drop(slot);
        reserved.recv_timeout(Duration::from_secs(9)).unwrap();
        drop(receiver);
        worker.join().unwrap();
    }
}
