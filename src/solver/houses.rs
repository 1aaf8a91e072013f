//! Deductions for one house or one crossing at a time, whatever its cells: for the houses that variants add to rows,
//! columns and boxes or regions.

use super::lanes::Swept;
use super::simd::{Lane, Simd};
use crate::rules::Crossing;

/// What a sweep has met so far, a set of digits a lane.
pub(crate) struct Notes<V> {
    /// Candidates that were taken away.
    pub changed: V,
    /// Digits without a place, or in two.
    pub contradiction: V,
    /// The least set of all cells, as a number: zero where a cell is empty.
    pub least: V,
}

impl<V: Copy> Notes<V> {
    /// What the sweep comes to where cells tell whether a lane is solved. `stale` lanes are not settled yet.
    #[inline(always)]
    pub fn swept<S: Simd<V = V>>(&self, s: S, cells: &[V], stale: u32) -> Swept {
        let mut open = s.splat(S::Lane::of(0));
        for &cell in cells {
            open = s.note_missing(open, cell, s.single_or_none(cell));
        }
        let contradiction = s.nonzero_lanes(self.contradiction) | !s.nonzero_lanes(self.least);
        let changed = s.nonzero_lanes(self.changed) | stale;
        let solved = !(s.nonzero_lanes(open) | changed | contradiction);
        Swept {
            changed,
            contradiction,
            solved,
        }
    }
}

/// All that is deduced from the houses that variants add.
#[inline(always)]
pub(crate) fn take_further<S: Simd>(
    s: S,
    houses: &[Vec<u16>],
    crossings: &[Crossing],
    every_digit: S::V,
    cells: &mut [S::V],
    notes: &mut Notes<S::V>,
) {
    for house in houses {
        place_singles(s, house, every_digit, cells, notes);
    }
    for crossing in crossings {
        let [a, b] = &crossing.rests;
        lock_candidates(s, &crossing.common, a, b, cells, notes);
    }
}

/// What is left of a set where some of its digits have no other spot. Of two such digits nothing is left: they
/// contradict each other.
#[inline(always)]
pub(crate) fn narrow_to_hidden<S: Simd>(s: S, set: S::V, hidden: S::V) -> S::V {
    let met = s.and(set, hidden);
    s.and_not(
        s.narrow_if_met(set, hidden),
        s.and_not(met, s.single_or_none(met)),
    )
}

/// Naked and hidden singles of one house: a cell of one candidate takes it from all others, and a digit with one
/// place left takes that place.
#[inline(always)]
fn place_singles<S: Simd>(
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
fn lock_candidates<S: Simd>(
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
