//! How large tasks should be, and how long before their turn they are cut.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use memchr::memchr_iter;

/// Makes tasks of as many lines as take some milliseconds, after what the last ones took.
pub struct Pace {
    threads: usize,
    /// Picoseconds a byte.
    cost: AtomicU64,
    /// Tasks that were cut and that no worker has begun.
    ahead: Mutex<usize>,
    /// Signalled when one begins.
    begun: Condvar,
}

/// What a task should take. Long enough that lanes without a puzzle at its end cost little (6 ms: 4 % more time on the
/// hardest puzzles), short enough to keep all workers busy.
// Not done: less and less of it for the last lines of a source. Two threads were no sooner ready.
const TASK: Duration = Duration::from_millis(20);
/// Work that is not worth being shared among the workers.
const MOMENT: Duration = Duration::from_millis(1);
/// Lines a worker likes to have at once, however slow: one in each of its lanes.
const COMPANY: usize = 32;
/// Before anything is known, lines count as slow: a millisecond a byte.
const FIRST_COST: u64 = picoseconds(Duration::from_millis(1));

const fn picoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64 * 1000
}

impl Pace {
    pub fn new(threads: usize) -> Self {
        Pace {
            threads: threads.max(1),
            cost: AtomicU64::new(FIRST_COST),
            ahead: Mutex::new(0),
            begun: Condvar::new(),
        }
    }

    /// Counts a task that is cut for the workers.
    pub fn cut_one(&self) {
        *self.ahead() += 1;
    }

    /// Waits until there is no more than one task for each worker to begin: by then more is known of what lines take.
    /// Without this the first dozens of tasks are all small, and two thousand of the hardest puzzles take twice as long.
    pub fn wait_for_workers(&self) {
        let too_many = |ahead: &mut usize| *ahead > self.threads;
        drop(self.begun.wait_while(self.ahead(), too_many).unwrap());
    }

    /// Counts a task that a worker begins.
    pub fn begin_one(&self) {
        *self.ahead() -= 1;
        self.begun.notify_one();
    }

    fn ahead(&self) -> MutexGuard<'_, usize> {
        self.ahead.lock().unwrap()
    }

    pub fn note(&self, bytes: usize, time: Duration) {
        let cost = picoseconds(time) / bytes.max(1) as u64;
        // Slow lines make the next task small at once; after quick ones it grows fourfold at most.
        self.cost
            .store(cost.max(self.cost.load(Relaxed) / 4).max(1), Relaxed);
    }

    /// Bytes in a task that takes `TASK`.
    pub fn size(&self) -> usize {
        (picoseconds(TASK) / self.cost.load(Relaxed)) as usize
    }

    /// The least and the most bytes of a task of these lines: `COMPANY` lines, but never more than each worker's share.
    pub fn share(&self, lines: &[u8]) -> Range<usize> {
        let takes = (lines.len() as u64).saturating_mul(self.cost.load(Relaxed));
        let workers = if takes > picoseconds(MOMENT) {
            self.threads
        } else {
            1
        };
        let most = lines.len().div_ceil(workers);
        if self.size() >= most {
            return most..most;
        }
        let count = memchr_iter(b'\n', lines).count().max(1);
        (lines.len() * COMPANY / count).min(most)..most
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::thread;

    #[test]
    fn no_more_than_a_task_for_each_worker_waits_to_begin() {
        let pace = Pace::new(2);
        pace.cut_one();
        pace.cut_one();
        pace.wait_for_workers();
        pace.cut_one();
        let (passed, is_passed) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                pace.wait_for_workers();
                passed.send(()).unwrap();
            });
            assert!(is_passed.recv_timeout(Duration::from_millis(20)).is_err());
            pace.begin_one();
            is_passed.recv().unwrap();
        });
    }

    #[test]
    fn tasks_are_small_at_first_then_grow_and_shrink_with_the_time_they_take() {
        let pace = Pace::new(2);
        let lines = b"0123456\n".repeat(1000);
        assert_eq!(pace.share(&lines), 8 * COMPANY..4000);
        assert_eq!(
            pace.share(&lines[..80]),
            40..40,
            "ten lines that may be slow are shared evenly"
        );
        assert!(pace.size() < 8 * COMPANY);
        for _ in 0..20 {
            pace.note(1000, Duration::from_micros(1));
        }
        assert_eq!(pace.size(), 20_000_000);
        assert_eq!(
            pace.share(&lines),
            8000..8000,
            "quick lines are not worth sharing"
        );
        pace.note(1000, Duration::from_millis(20));
        assert_eq!(pace.size(), 1000);
        pace.note(1000, Duration::from_micros(1));
        assert_eq!(pace.size(), 4000);
    }
}
