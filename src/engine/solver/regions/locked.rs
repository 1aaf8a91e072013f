//! Locked candidates between regions and lines, by segments. A line is a row or a column; a segment
//! is the cells that a region and a line share. `segments.rs` (a layout that all lanes share) and
//! `per_lane.rs` (a layout in each lane) keep the digits of all segments.
//!
//! ```text
//!     a region          its row segments    its column segments
//!       . A A A .           1 1 1               1 2 3
//!       . . A A A             2 2 2               2 3 4
//!       . . A . .             3                   2
//! ```
//!
//! If a region can hold a digit in only one of its segments, the other segments of that segment's
//! line lose the digit (the region *points* at the line). If a line can hold a digit in only one of
//! its segments, the other segments of that segment's region lose the digit (the line *claims* it).
//! A sweep computes:
//!
//! ```text
//!     each region    repeated    digits in two or more of its segments; any other digit is in one segment, and the region
//!                                points with it at the line of this segment
//!     each line      repeated    digits in two or more of its segments; it claims all others
//!                    pointed     digits with which some region points at the line
//!     each segment   left        its digits without those with which another region points at its line, and without those
//!                                that another line claims from its region
//! ```

use crate::solver::constraints::houses::SweepFlags;
use crate::solver::constraints::singles::{DigitTally, is_subset};
use crate::solver::simd::Simd;

#[derive(Clone, Copy)]
pub(crate) struct LineSummary<V> {
    pub pointed: V,
    pub repeated: V,
}

/// Returns the digits that a region holds in two or more of its segments. `held` has the digits of
/// its segments in rows, or of those in columns. The region's cells no longer hold its naked
/// singles (`placed`) elsewhere, so a repeated one is placed twice: a contradiction. Two cells
/// never share both a row and a column, so one of the two calls finds it.
#[inline(always)]
pub(crate) fn repeated_in_region<S: Simd>(
    held: &[S::V],
    placed: S::V,
    flags: &mut SweepFlags<S>,
) -> S::V {
    let s = flags.s;
    let digits = DigitTally::of_all(s, held);
    debug_assert!(is_subset(s, placed, digits.once));
    let repeated = digits.twice;
    flags.contradiction = s.or_and(flags.contradiction, placed, repeated);
    repeated
}

/// There are `number` segments, at most ROOM. `segment` returns the digits of a segment and the
/// repeated digits of its region. A digit that no segment holds, or with which two or more regions
/// point at the line, is a contradiction.
#[inline(always)]
pub(crate) fn summarize_line<S: Simd, const ROOM: usize>(
    number: usize,
    segment: impl Fn(usize) -> [S::V; 2],
    flags: &mut SweepFlags<S>,
) -> LineSummary<S::V> {
    let (s, every_digit) = (flags.s, flags.every_digit);
    debug_assert!(number <= ROOM);
    let [mut held, mut points] = [[every_digit; ROOM]; 2];
    for i in 0..number {
        let [set, repeated] = segment(i);
        held[i] = set;
        points[i] = s.and_not(set, repeated);
    }
    let digits = DigitTally::of_all(s, &held[..number]);
    let pointed = DigitTally::of_all(s, &points[..number]);
    flags.contradiction = s.or_and_not(flags.contradiction, every_digit, digits.once);
    flags.contradiction = s.or(flags.contradiction, pointed.twice);
    LineSummary { pointed: pointed.once, repeated: digits.twice }
}

/// Returns the digits left in each of `number` segments, at most ROOM. `segment` returns the digits
/// of a segment and the summary of its line. `repeated` are the repeated digits of the region. A
/// digit that two or more lines claim is a contradiction.
#[inline(always)]
pub(crate) fn narrow_region<S: Simd, const ROOM: usize>(
    number: usize,
    segment: impl Fn(usize) -> (S::V, LineSummary<S::V>),
    repeated: S::V,
    flags: &mut SweepFlags<S>,
) -> [S::V; ROOM] {
    let s = flags.s;
    debug_assert!(number <= ROOM);
    let [mut left, mut claims] = [[repeated; ROOM]; 2];
    for i in 0..number {
        let (held, summary) = segment(i);
        // If a pointed digit of this segment is not repeated in this region, the pointing region is
        // this one, so the segment keeps the digit. If it is repeated, another region points, so
        // the segment loses it.
        left[i] = s.and_not(held, s.and(summary.pointed, repeated));
        claims[i] = s.and_not(left[i], summary.repeated);
    }
    let claimed = DigitTally::of_all(s, &claims[..number]);
    flags.contradiction = s.or(flags.contradiction, claimed.twice);
    for i in 0..number {
        left[i] = s.remove_except(left[i], claimed.once, claims[i]);
    }
    left
}
