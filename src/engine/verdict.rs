//! The status of a line, and the number of lines with each status.

use std::fmt;
use std::ops::AddAssign;

/// The status of one line.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::Status;
///
/// assert_eq!(Status::Unique.to_string(), "unique");
/// assert!(Status::None.is_good() && !Status::Invalid.is_good());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Status {
    /// The puzzle has one solution.
    Unique,
    /// The puzzle has more than one solution.
    Multiple,
    /// The puzzle has no solution.
    None,
    /// A limit ended the search before it could decide between the other statuses (with
    /// `--all`, before it had found all solutions that are wanted). Or `--exact` did not reach its number of givens. Or the program panicked.
    Unknown,
    /// The line cannot be processed. For example, its puzzle or another field is missing or
    /// invalid.
    Invalid,
    /// The answer satisfies the rules and agrees with the givens or pencilmarks. With `--unique`,
    /// it is also the only solution.
    Correct,
    /// The answer violates a rule, contradicts a given or the pencilmarks of a cell, or has a blank
    /// cell.
    Incorrect,
    /// With `--unique`: the answer is a solution, but the puzzle has other solutions too.
    Ambiguous,
    /// The cell to reveal is already given.
    Given,
    /// Equivalents of the puzzle were made, and the puzzle was not solved.
    Shuffled,
}

impl Status {
    /// Every status with its word for the status column, in the order of declaration.
    pub const NAMES: [(&'static str, Status); 10] = [
        ("unique", Status::Unique),
        ("multiple", Status::Multiple),
        ("none", Status::None),
        ("unknown", Status::Unknown),
        ("invalid", Status::Invalid),
        ("correct", Status::Correct),
        ("incorrect", Status::Incorrect),
        ("ambiguous", Status::Ambiguous),
        ("given", Status::Given),
        ("shuffled", Status::Shuffled),
    ];

    /// Returns the word for the status column.
    #[must_use]
    pub fn name(self) -> &'static str {
        Status::NAMES[self as usize].0
    }

    /// Returns true if a line with this status counts as a success.
    #[must_use]
    pub fn is_good(self) -> bool {
        !matches!(self, Status::Unknown | Status::Invalid | Status::Incorrect | Status::Ambiguous)
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The number of lines with each status. Comments, blank lines and CSV headers are not counted. A
/// grid of several lines counts as one line.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Status, Tally};
///
/// let tally = Tally::default();
/// assert_eq!((tally.count(Status::Unique), tally.total()), (0, 0));
/// ```
// Indexed by `status as usize`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally([u64; Status::NAMES.len()]);

impl Tally {
    /// Counts one line with this status.
    #[doc(hidden)]
    pub fn add(&mut self, status: Status) {
        self.0[status as usize] += 1;
    }

    /// Returns the number of lines with this status.
    #[must_use]
    pub fn count(&self, status: Status) -> u64 {
        self.0[status as usize]
    }

    /// Returns the number of lines counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Tally) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tally_counts_each_status_separately() {
        let mut tally = Tally::default();
        for (index, (_, status)) in Status::NAMES.into_iter().enumerate() {
            for _ in 0..=index {
                tally.add(status);
            }
        }
        tally += tally;
        for (index, (_, status)) in Status::NAMES.into_iter().enumerate() {
            assert_eq!(tally.count(status), 2 * (index as u64 + 1), "{status}");
        }
    }

    #[test]
    fn multiple_and_none_are_successes_unknown_and_invalid_are_not() {
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
            (Status::Shuffled, true),
        ] {
            assert_eq!(status.is_good(), good, "{status}");
        }
    }
}
