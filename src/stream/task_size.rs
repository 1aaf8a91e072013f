//! Chooses the size of tasks from the time that earlier tasks took.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use memchr::memchr_iter;

/// Sizes tasks so that each takes some milliseconds.
pub struct TaskSizer {
    threads: usize,
    /// Picoseconds per byte, estimated from the tasks that have ended.
    cost: AtomicU64,
}

/// The time that a task should take. Input that takes less is not split among the workers.
// Tried: 1 ms. Two threads are 3 to 5 % slower on puzzles with 17 givens and on hard puzzles.
// Tried: 20 ms. 5 % slower on eight thousand very hard puzzles, because workers run out of tasks.
// Tried: smaller tasks towards the end of a source. No gain.
const TASK_TIME: Duration = Duration::from_millis(5);
/// The least number of lines in a task, if the chunk has that many: as many as any level has lanes.
const MIN_LINES: usize = 32;
/// The cost of a byte before the first task ends. It is high, so that the first tasks are small.
const FIRST_COST: u64 = picoseconds(Duration::from_millis(1));

const fn picoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64 * 1000
}

impl TaskSizer {
    pub fn new(threads: usize) -> Self {
        TaskSizer {
            threads: threads.max(1),
            cost: AtomicU64::new(FIRST_COST),
        }
    }

    /// Records the time that a task took.
    pub fn record(&self, bytes: usize, time: Duration) {
        let cost = picoseconds(time) / bytes.max(1) as u64;
        // A rise of the cost counts in full, so that the next task is small. It falls to a quarter at most, so that tasks grow
        // slowly after fast lines.
        self.cost
            .store(cost.max(self.cost.load(Relaxed) / 4).max(1), Relaxed);
    }

    /// Returns the number of bytes that take `TASK_TIME`.
    pub fn size(&self) -> usize {
        (picoseconds(TASK_TIME) / self.cost.load(Relaxed)) as usize
    }

    /// Returns the least and the most bytes of a task that is cut off these lines. The task then extends to the end of a line.
    /// The least is about `MIN_LINES` lines. The most is an equal share for each worker, if all lines together take longer than
    /// `TASK_TIME`.
    pub fn limits(&self, lines: &[u8]) -> RangeInclusive<usize> {
        let size = self.size();
        let workers = if size < lines.len() { self.threads } else { 1 };
        let most = lines.len().div_ceil(workers);
        // The share of a worker takes no longer than `TASK_TIME`: it is one task.
        if size >= most {
            return most..=most;
        }
        let count = memchr_iter(b'\n', lines).count().max(1);
        // The average length of `MIN_LINES` lines.
        let least = lines.len() * MIN_LINES / count;
        least.min(most)..=most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_small_at_first_then_grow_and_shrink_with_the_time_they_take() {
        let sizer = TaskSizer::new(2);
        let lines = b"0123456\n".repeat(1000);
        assert_eq!(sizer.limits(&lines), 8 * MIN_LINES..=4000);
        assert_eq!(
            sizer.limits(&lines[..80]),
            40..=40,
            "ten lines that may be slow are split evenly"
        );
        assert!(sizer.size() < 8 * MIN_LINES);
        for _ in 0..20 {
            sizer.record(1000, Duration::from_micros(1));
        }
        assert_eq!(sizer.size(), 5_000_000);
        assert_eq!(
            sizer.limits(&lines),
            8000..=8000,
            "quick lines are not split"
        );
        sizer.record(1000, Duration::from_millis(5));
        assert_eq!(sizer.size(), 1000);
        sizer.record(1000, Duration::from_micros(1));
        assert_eq!(sizer.size(), 4000);
    }
}
