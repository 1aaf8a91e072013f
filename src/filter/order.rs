//! Rows on their way from the workers to the writer, in the order of the input.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::Rows;
use crate::error::{Error, Fault};

/// Bytes of rows of one task that may wait for the writer before `give` waits for it: enough for every row of a full task,
/// so that only a task that makes very much of its lines ever waits.
const ROOM: usize = 1 << 20;

/// What the writer has not yet taken.
pub struct Order {
    state: Mutex<State>,
    /// How many tasks may be in it: with the size of chunks this bounds memory, and how far others may get past a task that
    /// takes long.
    most: usize,
    /// Signalled when there is something for the writer.
    ready: Condvar,
    /// Signalled when there is more room for workers.
    room: Condvar,
}

struct State {
    /// The first is the one the writer is at.
    steps: VecDeque<Step>,
    /// How many have left.
    gone: u64,
    /// How many places are kept for tasks that are yet to be added.
    kept: usize,
    /// Nothing is added any more.
    closed: bool,
    /// Nobody takes any more.
    unwanted: bool,
}

/// A task, or a source that could not be read, or not to its end.
struct Step {
    source: usize,
    rows: Option<Rows>,
    end: Option<End>,
}

enum End {
    Done,
    Fault(Fault),
    Broken(Error),
}

/// What the writer may find.
pub enum Taken {
    Rows { source: usize, rows: Rows },
    Fault { source: usize, fault: Fault },
    Broken(Error),
}

/// A place that is kept for a task.
pub struct Place(Arc<Order>);

/// A worker's hold on its task.
pub struct Giver {
    order: Arc<Order>,
    number: u64,
}

/// The writer's hold. Once it is dropped nobody wants the rows.
pub struct Taker(Arc<Order>);

impl Order {
    /// An order in which `most` tasks may wait at once, and the writer's hold on it.
    pub fn new(most: usize) -> (Arc<Order>, Taker) {
        let order = Arc::new(Order {
            state: Mutex::new(State {
                steps: VecDeque::new(),
                gone: 0,
                kept: 0,
                closed: false,
                unwanted: false,
            }),
            most,
            ready: Condvar::new(),
            room: Condvar::new(),
        });
        (Arc::clone(&order), Taker(order))
    }

    /// Keeps a place for a task, once there is one; `None` if nobody wants more.
    pub fn keep_place(self: &Arc<Self>) -> Option<Place> {
        let full = |state: &mut State| !state.unwanted && self.is_full(state);
        let state = self.room.wait_while(self.lock(), full).unwrap();
        (!state.unwanted).then(|| self.place(state))
    }

    /// The same at once, `None` if there is none: the writer must not wait for what it does itself.
    pub fn keep_place_at_once(self: &Arc<Self>) -> Option<Place> {
        let state = self.lock();
        (!self.is_full(&state)).then(|| self.place(state))
    }

    fn place(self: &Arc<Self>, mut state: MutexGuard<'_, State>) -> Place {
        state.kept += 1;
        Place(Arc::clone(self))
    }

    fn is_full(&self, state: &State) -> bool {
        state.steps.len() + state.kept >= self.most
    }

    /// Adds that a source could not be read, or not to its end.
    pub fn add_fault(&self, source: usize, fault: Fault) {
        self.lock().add(source, Some(End::Fault(fault)));
        self.ready.notify_one();
    }

    /// Adds that the run cannot go on.
    pub fn break_off(&self, error: Error) {
        self.lock().add(0, Some(End::Broken(error)));
        self.ready.notify_one();
    }

    /// Nothing is added any more.
    pub fn close(&self) {
        self.lock().closed = true;
        self.ready.notify_one();
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

impl State {
    fn add(&mut self, source: usize, end: Option<End>) -> u64 {
        let rows = None;
        self.steps.push_back(Step { source, rows, end });
        self.gone + self.steps.len() as u64 - 1
    }

    fn step(&mut self, number: u64) -> &mut Step {
        &mut self.steps[(number - self.gone) as usize]
    }

    /// Whether as many rows of a task wait as may.
    fn has_much_of(&mut self, number: u64) -> bool {
        let waiting = &self.step(number).rows;
        waiting
            .as_ref()
            .is_some_and(|rows| rows.bytes.len() >= ROOM)
    }

    /// Drops the tasks of which all was taken, and tells whether the writer finds something.
    fn advance(&mut self) -> bool {
        while let Some(step) = self.steps.front() {
            match step.end {
                Some(End::Done) if step.rows.is_none() => {
                    self.steps.pop_front();
                    self.gone += 1;
                }
                _ => return step.rows.is_some() || step.end.is_some(),
            }
        }
        self.closed
    }

    fn take(&mut self) -> Option<Option<Taken>> {
        if !self.advance() {
            return None;
        }
        let Some(step) = self.steps.front_mut() else {
            return Some(None);
        };
        let source = step.source;
        if let Some(rows) = step.rows.take() {
            return Some(Some(Taken::Rows { source, rows }));
        }
        self.gone += 1;
        Some(match self.steps.pop_front()?.end? {
            End::Done => unreachable!("what has nothing to give is dropped"),
            End::Fault(fault) => Some(Taken::Fault { source, fault }),
            End::Broken(error) => Some(Taken::Broken(error)),
        })
    }
}

impl Place {
    /// Adds a task behind all others.
    pub fn add(self, source: usize) -> Giver {
        let order = Arc::clone(&self.0);
        let number = order.lock().add(source, None);
        Giver { order, number }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.lock().kept -= 1;
        // Givers wait for room too: one of them alone might be woken.
        self.0.room.notify_all();
    }
}

impl Giver {
    /// Whether `give` would not wait.
    pub fn has_room(&self) -> bool {
        !self.order.lock().has_much_of(self.number)
    }

    /// Waits while too much is there already. False if nobody wants more.
    ///
    /// This wait cannot become a deadlock: the writer takes what the first task in order gives, and every task in order
    /// is some worker's.
    pub fn give(&self, rows: Rows) -> bool {
        let full = |state: &mut State| state.has_much_of(self.number) && !state.unwanted;
        let order = &self.order;
        let mut state = order.room.wait_while(order.lock(), full).unwrap();
        let wanted = !state.unwanted;
        let is_first = state.gone == self.number;
        match &mut state.step(self.number).rows {
            Some(before) => before.append(rows),
            none => *none = Some(rows),
        }
        drop(state);
        // Not done: not for each task, so that the writer sleeps longer. The rows that wait do not fit the nearest caches: 4 %
        // slower on easy input.
        if is_first {
            order.ready.notify_one();
        }
        wanted
    }

    pub fn end(self, result: Result<(), Error>) {
        let order = &self.order;
        let mut state = order.lock();
        let is_first = state.gone == self.number;
        state.step(self.number).end = Some(result.map_or_else(End::Broken, |()| End::Done));
        // The writer need not come for what has nothing more to give.
        let before = state.gone;
        let is_ready = is_first && state.advance();
        let has_room = state.gone > before;
        drop(state);
        if is_ready {
            order.ready.notify_one();
        }
        if has_room {
            order.room.notify_all();
        }
    }
}

impl Taker {
    /// What is ready, or comes within `limit`; within, `None` where nothing more comes.
    pub fn take(&self, limit: Duration) -> Option<Option<Taken>> {
        let order = &self.0;
        let mut state = order.lock();
        let before = state.gone;
        if !state.advance() && !limit.is_zero() {
            let nothing = |state: &mut State| !state.advance();
            (state, _) = order
                .ready
                .wait_timeout_while(state, limit, nothing)
                .unwrap();
        }
        let taken = state.take();
        let has_room = state.gone > before || matches!(taken, Some(Some(Taken::Rows { .. })));
        drop(state);
        if has_room {
            order.room.notify_all();
        }
        taken
    }
}

impl Drop for Taker {
    fn drop(&mut self) {
        self.0.lock().unwanted = true;
        self.0.room.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    fn rows(bytes: &[u8]) -> Rows {
        Rows {
            bytes: bytes.to_vec(),
            ..Rows::default()
        }
    }

    /// What the writer finds within `limit`, in a word.
    fn take(taker: &Taker, limit: Duration) -> String {
        match taker.take(limit) {
            None => "nothing".to_string(),
            Some(Some(Taken::Rows { source, rows })) => {
                format!("{source} {}", String::from_utf8_lossy(&rows.bytes))
            }
            Some(Some(Taken::Fault { source, .. })) => format!("{source} fault"),
            Some(Some(Taken::Broken(_))) => "broken".to_string(),
            Some(None) => "end".to_string(),
        }
    }

    #[test]
    fn rows_come_in_the_order_of_the_tasks_and_then_the_end() {
        let (order, taker) = Order::new(9);
        let tasks = [0, 1, 1, 2].map(|source| order.keep_place().unwrap().add(source));
        order.add_fault(2, Fault::Refused(String::new()));
        order.close();
        let [first, second, third, fourth] = tasks;
        let now = Duration::ZERO;
        assert!(second.give(rows(b"b")));
        assert_eq!(take(&taker, now), "nothing");
        assert!(first.give(rows(b"a")));
        assert!(first.give(rows(b"a")));
        assert_eq!(take(&taker, now), "0 aa");
        assert_eq!(take(&taker, Duration::from_millis(1)), "nothing");
        third.end(Ok(()));
        first.end(Ok(()));
        assert_eq!(take(&taker, now), "1 b");
        assert!(second.give(rows(b"c")));
        assert!(fourth.give(rows(b"d")));
        fourth.end(Ok(()));
        second.end(Ok(()));
        let left: Vec<String> = (0..4).map(|_| take(&taker, now)).collect();
        assert_eq!(left, ["1 c", "2 d", "2 fault", "end"]);
    }

    #[test]
    fn what_breaks_a_task_comes_behind_its_rows() {
        let (order, taker) = Order::new(9);
        let broken = order.keep_place().unwrap().add(0);
        let next = order.keep_place().unwrap().add(0);
        assert!(next.give(rows(b"b")));
        assert!(broken.give(rows(b"a")));
        broken.end(Err(Error::ReaderGone));
        let now = Duration::ZERO;
        assert_eq!(take(&taker, now), "0 a");
        assert_eq!(take(&taker, now), "broken");
        order.break_off(Error::ReaderGone);
        next.end(Ok(()));
        assert_eq!(take(&taker, now), "0 b");
        assert_eq!(take(&taker, now), "broken");
    }

    #[test]
    fn the_writer_is_woken_by_what_comes_next_in_order() {
        let (order, taker) = Order::new(9);
        let [first, second] = [0, 1].map(|source| order.keep_place().unwrap().add(source));
        let (send, taken) = mpsc::channel();
        let writer =
            thread::spawn(
                move || {
                    while send.send(take(&taker, Duration::from_secs(99))).is_ok() {}
                },
            );
        let asleep = || thread::sleep(Duration::from_millis(20));
        let next = || taken.recv_timeout(Duration::from_secs(9)).unwrap();
        asleep();
        assert!(first.give(rows(b"a")));
        assert_eq!(next(), "0 a");
        assert!(second.give(rows(b"b")));
        asleep();
        first.end(Ok(()));
        assert_eq!(next(), "1 b");
        asleep();
        second.end(Ok(()));
        order.add_fault(3, Fault::Refused(String::new()));
        assert_eq!(next(), "3 fault");
        asleep();
        order.close();
        assert_eq!(next(), "end");
        drop(taken);
        writer.join().unwrap();
    }

    #[test]
    fn a_giver_waits_for_room_and_is_told_when_nobody_wants_more() {
        let (order, taker) = Order::new(9);
        let giver = order.keep_place().unwrap().add(0);
        let worker = thread::spawn(move || {
            let mut given = 0;
            while giver.give(rows(&[b'x'; ROOM])) {
                given += 1;
            }
            given
        });
        for _ in 0..2 {
            assert_eq!(take(&taker, Duration::from_secs(9)).len(), 2 + ROOM);
        }
        drop(taker);
        let given = worker.join().unwrap();
        assert!((2..=3).contains(&given), "{given}");
        assert!(order.keep_place().is_none());
    }

    #[test]
    fn no_more_places_are_kept_than_tasks_may_wait() {
        let (order, taker) = Order::new(2);
        let first = order.keep_place().unwrap().add(0);
        let place = order.keep_place().unwrap();
        assert!(order.keep_place_at_once().is_none());
        let (send, kept) = mpsc::channel();
        let worker = {
            let order = Arc::clone(&order);
            thread::spawn(move || {
                let mut places = Vec::new();
                while let Some(place) = order.keep_place() {
                    places.push(place);
                    send.send(()).unwrap();
                }
            })
        };
        let limit = Duration::from_millis(20);
        assert!(kept.recv_timeout(limit).is_err());
        first.end(Ok(()));
        kept.recv_timeout(Duration::from_secs(9)).unwrap();
        assert!(kept.recv_timeout(limit).is_err());
        drop(place);
        kept.recv_timeout(Duration::from_secs(9)).unwrap();
        drop(taker);
        worker.join().unwrap();
    }
}
