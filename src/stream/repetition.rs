//! Processes each record again and again until there are as many results as are wanted. A task is
//! then a number of attempts at one record, and its results are output lines.
//!
//! The results of a record are counted where output is written, so which of them are written
//! depends neither on the number of threads nor on which task ends first. What was begun beyond
//! the last result is dropped.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use engine::verdict::Status;

#[derive(Clone, Copy, Debug)]
pub struct Repetition {
    /// The number of results for each record.
    pub wanted: u64,
    /// The maximum number of attempts at a record.
    pub attempts: u64,
    /// The status of a result.
    pub status: Status,
}

/// The numbers of the attempts of a task, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attempts {
    pub begin: u64,
    pub end: u64,
}

/// The maximum number of attempts in a task: a solver works on so many puzzles at a time.
const ATTEMPTS_PER_TASK: u64 = 64;

impl Attempts {
    pub const NONE: Attempts = Attempts { begin: 0, end: 0 };

    /// The first tasks are small, so that a few results are not waited for longer than necessary.
    pub fn next(self, repetition: Repetition) -> Attempts {
        let at_once = repetition.wanted.max(self.end).min(ATTEMPTS_PER_TASK);
        let end = repetition.attempts.min(self.end + at_once);
        Attempts { begin: self.end, end }
    }

    pub fn len(self) -> u64 {
        self.end - self.begin
    }
}

/// The number of records, from the first one on, that need no more attempts.
#[derive(Debug, Default)]
pub struct AnsweredRecords(AtomicU64);

impl AnsweredRecords {
    pub fn contain(&self, record: u64) -> bool {
        record < self.0.load(Relaxed)
    }
}

/// Counts the results of the record whose output is being written.
pub struct ResultCounter<'a> {
    pub repetition: Repetition,
    answered: &'a AnsweredRecords,
    record: u64,
    found: u64,
}

impl<'a> ResultCounter<'a> {
    pub fn new(repetition: Repetition, answered: &'a AnsweredRecords) -> ResultCounter<'a> {
        ResultCounter { repetition, answered, record: 0, found: 0 }
    }

    /// Returns true if the output of this record is still wanted.
    pub fn begin(&mut self, record: u64) -> bool {
        debug_assert!(record >= self.record, "records are written in their order");
        if record != self.record {
            (self.record, self.found) = (record, 0);
        }
        !self.answered.contain(record)
    }

    /// Returns the number of results of the present record.
    pub fn found(&self) -> u64 {
        self.found
    }

    /// Returns `None` if the record needs no more attempts.
    pub fn found_so_far(&mut self, record: u64) -> Option<u64> {
        self.begin(record).then_some(self.found)
    }

    pub fn is_complete(&self) -> bool {
        self.found == self.repetition.wanted
    }

    pub fn add(&mut self) {
        debug_assert!(!self.is_complete());
        self.found += 1;
    }

    /// No output of the record is wanted any more.
    pub fn end_record(&self) {
        self.answered.0.store(self.record + 1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_a_record_grow_up_to_the_number_of_attempts() {
        let tasks_of = |wanted, attempts| {
            let repetition = Repetition { wanted, attempts, status: Status::Unique };
            let mut tasks = vec![Attempts::NONE.next(repetition)];
            while tasks.last().unwrap().end < attempts {
                tasks.push(tasks.last().unwrap().next(repetition));
            }
            tasks.iter().map(|task| task.len()).collect::<Vec<_>>()
        };
        assert_eq!(tasks_of(1, 200), [1, 1, 2, 4, 8, 16, 32, 64, 64, 8]);
        assert_eq!(tasks_of(12, 100), [12, 12, 24, 48, 4]);
        assert_eq!(tasks_of(1000, 130), [64, 64, 2]);
        assert_eq!(tasks_of(9, 1), [1]);
    }
}
