//! The time limit of a puzzle (`Limits::max_time`). A puzzle without a limit has no `Deadline`.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// CPU time of the thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Deadline(Duration);

impl Deadline {
    /// Returns `None` without a limit.
    pub fn from_now(max_time: Option<Duration>) -> Option<Deadline> {
        max_time.map(|time| Deadline(thread_time().saturating_add(time)))
    }

    /// Returns true if the thread has used the time.
    pub fn is_past(self) -> bool {
        self.is_past_at(thread_time())
    }

    /// `now` is a result of `thread_time`.
    pub fn is_past_at(self, now: Duration) -> bool {
        now >= self.0
    }

    /// Moves the deadline by a time that the puzzle has waited.
    pub fn postpone(&mut self, waited: Duration) {
        self.0 = self.0.saturating_add(waited);
    }
}

/// Returns the CPU time that the calling thread has used.
pub fn thread_time() -> Duration {
    let time = clock_gettime(ClockId::CLOCK_THREAD_CPUTIME_ID);
    time.expect("the system has a clock for each thread").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_passes_when_the_thread_has_used_its_time_and_no_sooner() {
        assert_eq!(Deadline::from_now(None), None);
        assert!(!Deadline::from_now(Some(Duration::MAX)).unwrap().is_past());
        let mut deadline = Deadline::from_now(Some(Duration::from_millis(20))).unwrap();
        std::thread::sleep(Duration::from_millis(40));
        assert!(!deadline.is_past(), "a thread that sleeps uses no time");
        let begin = thread_time();
        while !deadline.is_past() {
            assert!(thread_time() < begin + Duration::from_secs(1));
        }
        deadline.postpone(Duration::from_secs(1000));
        assert!(!deadline.is_past() && !deadline.is_past_at(thread_time()));
    }
}
