//! Deductions for one house or one crossing at a time, whatever its cells: for the houses that variants add to rows,
//! columns and boxes or regions.

use super::simd::{Lane, Simd};

/// What a sweep has met so far, a set of digits a lane.
pub(crate) struct Notes<V> {
    /// Candidates that were taken away.
    pub changed: V,
    /// Digits without a place, or in two.
    pub contradiction: V,
    /// The least set of all cells, as a number: zero where a cell is empty.
    pub least: V,
}

/// Naked and hidden singles of one house: a cell of one candidate takes it from all others, and a digit with one
/// place left takes that place.
#[inline(always)]
pub(crate) fn place_singles<S: Simd>(
    s: S,
    house: &[u16],
    every_digit: S::V,
    cells: &mut [S::V],
    notes: &mut Notes<S::V>,
) {
    let none = s.splat(S::Lane::of(0));
    let (mut once, mut twice) = (none, none);
    let mut placed = none;
    for &cell in house {
        let set = cells[usize::from(cell)];
        twice = s.note_common(twice, once, set);
        once = s.or(once, set);
        let single = s.single_or_none(set);
        notes.contradiction = s.note_common(notes.contradiction, placed, single);
        placed = s.or(placed, single);
    }
    notes.contradiction = s.note_missing(notes.contradiction, every_digit, once);
    let hidden = s.and_not(once, twice);
    for &cell in house {
        let set = cells[usize::from(cell)];
        let kept = s.drop_unless(set, placed, s.single_or_none(set));
        let kept = s.narrow_if_met(kept, hidden);
        notes.changed = s.note_difference(notes.changed, set, kept);
        notes.least = s.min(notes.least, kept);
        cells[usize::from(cell)] = kept;
    }
}

/// A digit that one house of a crossing can hold only in the common cells has no place in the rest of the other.
#[inline(always)]
pub(crate) fn lock_candidates<S: Simd>(
    s: S,
    common: &[u16],
    rest_a: &[u16],
    rest_b: &[u16],
    cells: &mut [S::V],
    notes: &mut Notes<S::V>,
) {
    let none = s.splat(S::Lane::of(0));
    let union = |house: &[u16], cells: &[S::V]| {
        house
            .iter()
            .fold(none, |union, &cell| s.or(union, cells[usize::from(cell)]))
    };
    let common = union(common, cells);
    let (in_a, in_b) = (union(rest_a, cells), union(rest_b, cells));
    for (locked, rest) in [
        (s.and(s.and_not(common, in_a), in_b), rest_b),
        (s.and(s.and_not(common, in_b), in_a), rest_a),
    ] {
        // Mostly there is nothing to take away, in any lane.
        if s.nonzero_lanes(locked) != 0 {
            notes.changed = s.or(notes.changed, locked);
            for &cell in rest {
                let kept = s.and_not(cells[usize::from(cell)], locked);
                notes.least = s.min(notes.least, kept);
                cells[usize::from(cell)] = kept;
            }
        }
    }
}
