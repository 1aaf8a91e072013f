//! What is said of a line, and how many lines it was said of: from the tally comes the exit status.

use std::fmt;
use std::ops::AddAssign;

/// What is said of one line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The puzzle has one solution.
    Unique,
    /// It has more than one.
    Multiple,
    /// It has none.
    None,
    /// The guess limit was reached before the verdict was certain.
    Unknown,
    /// The line is no puzzle.
    Invalid,
    /// The answer keeps the rules and the givens.
    Correct,
    /// It does not.
    Incorrect,
    /// The answer is right, but the puzzle has another.
    Ambiguous,
    /// The cell to be revealed is given.
    Given,
}

impl Status {
    /// All of them, in the order of a tally.
    pub const ALL: [Status; 9] = [
        Status::Unique,
        Status::Multiple,
        Status::None,
        Status::Unknown,
        Status::Invalid,
        Status::Correct,
        Status::Incorrect,
        Status::Ambiguous,
        Status::Given,
    ];

    /// The word for it in the status column.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Status::Unique => "unique",
            Status::Multiple => "multiple",
            Status::None => "none",
            Status::Unknown => "unknown",
            Status::Invalid => "invalid",
            Status::Correct => "correct",
            Status::Incorrect => "incorrect",
            Status::Ambiguous => "ambiguous",
            Status::Given => "given",
        }
    }

    /// Whether a line with this status was answered and found in order.
    #[must_use]
    pub fn is_good(self) -> bool {
        matches!(
            self,
            Status::Unique | Status::Multiple | Status::None | Status::Correct | Status::Given
        )
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// How many lines have each status; comments and blank lines have none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; Status::ALL.len()]);

impl Tally {
    /// Counts one line.
    pub fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    /// How many lines have this status.
    #[must_use]
    pub fn of(&self, status: Status) -> u64 {
        self.0[status as usize]
    }

    /// How many lines there are with a status.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Whether all of them have one of these statuses.
    #[must_use]
    pub fn are_all(&self, statuses: &[Status]) -> bool {
        Status::ALL
            .iter()
            .all(|status| statuses.contains(status) || self.of(*status) == 0)
    }

    /// Whether every line was answered and found in order.
    #[must_use]
    pub fn is_good(&self) -> bool {
        Status::ALL
            .iter()
            .all(|&status| status.is_good() || self.of(status) == 0)
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        for (mine, others) in self.0.iter_mut().zip(other.0) {
            *mine += others;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_each_status_apart() {
        let mut tally = Tally::default();
        for (index, &status) in Status::ALL.iter().enumerate() {
            for _ in 0..=index {
                tally.add(status);
            }
        }
        tally += tally;
        for (index, &status) in Status::ALL.iter().enumerate() {
            assert_eq!(tally.of(status), 2 * (index as u64 + 1), "{status}");
        }
    }

    #[test]
    fn multiple_and_none_are_answers_unknown_and_invalid_are_trouble() {
        for (status, good) in [
            (Status::Unique, true),
            (Status::Multiple, true),
            (Status::None, true),
            (Status::Correct, true),
            (Status::Unknown, false),
            (Status::Invalid, false),
            (Status::Incorrect, false),
            (Status::Ambiguous, false),
            (Status::Given, true),
        ] {
            let mut tally = Tally::default();
            tally.add(status);
            assert_eq!(tally.is_good(), good, "{status}");
        }
    }
}
