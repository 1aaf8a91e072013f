//! How large tasks should be.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use memchr::memchr_iter;

/// Makes tasks of as many lines as take some milliseconds, after what the last ones took.
pub struct Pace {
    threads: usize,
    /// Picoseconds a byte.
    cost: AtomicU64,
}

/// What a task should take, and at most what is not worth being shared among the workers. Long enough that handing over
/// costs little (1 ms: 17 givens and hard puzzles 3 to 5 % slower with two threads), short enough to keep all workers busy
/// (20 ms: eight thousand of the hardest 5 % slower).
// Not done: less and less of it for the last lines of a source. Two threads were no sooner ready.
const TASK: Duration = Duration::from_millis(5);
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
        }
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
        let workers = if takes > picoseconds(TASK) {
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
        assert_eq!(pace.size(), 5_000_000);
        assert_eq!(
            pace.share(&lines),
            8000..8000,
            "quick lines are not worth sharing"
        );
        pace.note(1000, Duration::from_millis(5));
        assert_eq!(pace.size(), 1000);
        pace.note(1000, Duration::from_micros(1));
        assert_eq!(pace.size(), 4000);
    }
}
