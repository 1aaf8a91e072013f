//! Chooses the size of tasks from the time that earlier tasks took.

use std::ops::RangeInclusive;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

pub struct TaskSizer {
    threads: usize,
    /// Picoseconds per byte, estimated from the tasks that have ended.
    cost: AtomicU64,
}

/// The time that a task should take. A chunk that should take no longer is one task, unless it has
/// too many records for a task.
const TASK_TIME: Duration = Duration::from_millis(5);
/// About the least number of records in a task: the lanes of the CPU level with the most. A task has
/// fewer if it ends a chunk, or if the chunk has too few records for all threads.
const MIN_RECORDS: usize = 32;
/// The cost of a byte before the first task ends. It is high, so that the first tasks are small.
const FIRST_COST: u64 = picoseconds(Duration::from_millis(1));

const fn picoseconds(time: Duration) -> u64 {
    time.as_nanos() as u64 * 1000
}

impl TaskSizer {
    pub fn new(threads: usize) -> Self {
        TaskSizer { threads: threads.max(1), cost: AtomicU64::new(FIRST_COST) }
    }

    pub fn record(&self, bytes: usize, time: Duration) {
        let cost = picoseconds(time) / bytes.max(1) as u64;
        // After a slow task, the cost rises at once, so that the next task is small. After a fast
        // task, it falls to no less than a quarter of the old cost, so that tasks grow slowly.
        self.cost.store(cost.max(self.cost.load(Relaxed) / 4).max(1), Relaxed);
    }

    pub fn size(&self) -> usize {
        (picoseconds(TASK_TIME) / self.cost.load(Relaxed)) as usize
    }

    /// Returns the least and the greatest size in bytes of the tasks into which a chunk of so many
    /// bytes is cut. Each task is then extended to the end of a record. `records` counts those of
    /// the chunk.
    ///
    /// The greatest size is an equal share of the chunk for each thread, or the whole chunk if it
    /// should take no longer than `TASK_TIME`. The least size is that of about `MIN_RECORDS`.
    pub fn limits(&self, bytes: usize, records: impl FnOnce() -> usize) -> RangeInclusive<usize> {
        let size = self.size();
        let shares = if size < bytes { self.threads } else { 1 };
        let greatest = bytes.div_ceil(shares);
        if greatest <= size {
            return greatest..=greatest;
        }
        // `MIN_RECORDS` times the average length of a record.
        let least = bytes * MIN_RECORDS / records().max(1);
        least.min(greatest)..=greatest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_are_small_at_first_then_grow_and_shrink_with_the_time_they_take() {
        let sizer = TaskSizer::new(2);
        let limits = |records: usize| sizer.limits(8 * records, || records);
        assert_eq!(limits(1000), 8 * MIN_RECORDS..=4000);
        assert_eq!(limits(10), 40..=40, "ten records that may be slow are split evenly");
        assert!(sizer.size() < 8 * MIN_RECORDS);
        for _ in 0..20 {
            sizer.record(1000, Duration::from_micros(1));
        }
        assert_eq!(sizer.size(), 5_000_000);
        assert_eq!(limits(1000), 8000..=8000, "quick records are not split");
        sizer.record(1000, Duration::from_millis(5));
        assert_eq!(sizer.size(), 1000);
        sizer.record(1000, Duration::from_micros(1));
        assert_eq!(sizer.size(), 4000);
    }
}
