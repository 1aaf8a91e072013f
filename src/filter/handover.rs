//! One task's rows on their way from its worker to the writer.

use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use super::Rows;
use crate::error::Error;

/// Bytes of rows that may wait for the writer before `give` waits for it: enough for every row of a full task, so that
/// only a task that makes very much of its lines ever waits.
const ROOM: usize = 1 << 20;

pub fn handover() -> (Giver, Taker) {
    let shared = Arc::new(Shared::default());
    (Giver(Arc::clone(&shared)), Taker(shared))
}

/// The worker's end.
pub struct Giver(Arc<Shared>);

/// The writer's end. Once it is dropped nobody wants the rows.
pub struct Taker(Arc<Shared>);

/// What a taker may find.
pub enum Taken {
    Rows(Rows),
    End(Result<(), Error>),
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Signalled at every change. The worker waits only for fewer rows and the writer only for any, so never both.
    changed: Condvar,
}

#[derive(Default)]
struct State {
    rows: Option<Rows>,
    end: Option<Result<(), Error>>,
    unwanted: bool,
}

impl Giver {
    /// Waits while too much is there already. False if nobody wants more.
    ///
    /// This wait cannot become a deadlock: the writer empties the handover of the first task in order, and the pool begins
    /// tasks in order, so the first one that has not ended is always at work.
    pub fn give(&self, rows: Rows) -> bool {
        let full = |state: &mut State| {
            !state.unwanted
                && state
                    .rows
                    .as_ref()
                    .is_some_and(|rows| rows.bytes.len() >= ROOM)
        };
        let mut state = self.0.changed.wait_while(self.0.lock(), full).unwrap();
        match &mut state.rows {
            Some(before) => before.append(rows),
            none => *none = Some(rows),
        }
        self.0.changed.notify_one();
        !state.unwanted
    }

    pub fn end(self, result: Result<(), Error>) {
        self.0.lock().end = Some(result);
        self.0.changed.notify_one();
    }
}

impl Taker {
    /// What is ready, or comes within `limit`.
    pub fn take(&self, limit: Duration) -> Option<Taken> {
        let nothing = |state: &mut State| state.rows.is_none() && state.end.is_none();
        let mut state = self.0.lock();
        if nothing(&mut state) && !limit.is_zero() {
            (state, _) = self
                .0
                .changed
                .wait_timeout_while(state, limit, nothing)
                .unwrap();
        }
        let Some(rows) = state.rows.take() else {
            return state.end.take().map(Taken::End);
        };
        self.0.changed.notify_one();
        Some(Taken::Rows(rows))
    }
}

impl Drop for Taker {
    fn drop(&mut self) {
        self.0.lock().unwanted = true;
        self.0.changed.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    fn rows(bytes: &[u8]) -> Rows {
        Rows {
            bytes: bytes.to_vec(),
            ..Rows::default()
        }
    }

    fn bytes(taken: Option<Taken>) -> Vec<u8> {
        match taken {
            Some(Taken::Rows(rows)) => rows.bytes,
            _ => panic!("no rows"),
        }
    }

    #[test]
    fn rows_come_in_order_and_then_the_end() {
        let (giver, taker) = handover();
        assert!(taker.take(Duration::ZERO).is_none());
        assert!(giver.give(rows(b"a\n")));
        assert!(giver.give(rows(b"b\n")));
        assert_eq!(bytes(taker.take(Duration::ZERO)), b"a\nb\n");
        assert!(taker.take(Duration::from_millis(1)).is_none());
        assert!(giver.give(rows(b"c\n")));
        giver.end(Ok(()));
        assert_eq!(bytes(taker.take(Duration::ZERO)), b"c\n");
        assert!(matches!(
            taker.take(Duration::ZERO),
            Some(Taken::End(Ok(())))
        ));
    }

    #[test]
    fn a_giver_waits_for_room_and_is_told_when_nobody_wants_more() {
        let (giver, taker) = handover();
        let worker = thread::spawn(move || {
            let mut given = 0;
            while giver.give(rows(&[b'x'; ROOM])) {
                given += 1;
            }
            given
        });
        thread::sleep(Duration::from_millis(20));
        assert_eq!(bytes(taker.take(Duration::ZERO)).len(), ROOM);
        assert_eq!(bytes(taker.take(Duration::from_secs(9))).len(), ROOM);
        drop(taker);
        let given = worker.join().unwrap();
        assert!((2..=3).contains(&given), "{given}");
    }
}
