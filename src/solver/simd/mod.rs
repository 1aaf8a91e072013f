//! Vectors of candidate sets: what every level of the machine can do with them, said once.
//!
//! A vector has a lane for each puzzle. A lane holds a set of digits, bit d-1 for digit d.

pub(crate) mod portable;

/// The operations of one level. A value of such a type is the proof that this machine has the level: only detection
/// builds one.
pub(crate) trait Simd: Copy {
    /// Puzzles side by side; 32 at most.
    const LANES: usize;
    /// A set of digits in each lane.
    type V: Copy;

    /// The same set in each lane.
    fn splat(self, digits: u32) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// What is in `a` and not in `b`.
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    /// `set` where it has one digit or none, else nothing.
    fn single_or_zero(self, set: Self::V) -> Self::V;
    /// What is in `a`, and in `b` or `c`.
    fn and_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `first` where it has a digit, else `second`.
    fn first_nonzero(self, first: Self::V, second: Self::V) -> Self::V;
    /// `sum` and the digits that `a` and `b` do not share.
    fn or_difference(self, sum: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// The lesser set of each lane, taken as a number: zero if either is.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;
    /// Bit l is set where lane l has a digit.
    fn nonzero_lanes(self, a: Self::V) -> u32;
    fn lane(self, vector: &Self::V, lane: usize) -> u32;
    fn set_lane(self, vector: &mut Self::V, lane: usize, digits: u32);
}
