//! The sweep for any rules: singles of every house, then locked candidates of every crossing.

use super::{Branch, Next, Sweep, Swept};
use crate::rules::Rules;
use crate::solver::simd::Simd;

/// Sweeps house by house, as the rules list them.
#[derive(Debug)]
pub(crate) struct HouseSweep<'a> {
    rules: &'a Rules,
}

impl<'a> HouseSweep<'a> {
    pub fn new(rules: &'a Rules) -> HouseSweep<'a> {
        HouseSweep { rules }
    }
}

/// What a sweep has met so far.
struct Marks<V> {
    changed: V,
    /// A digit where there is a contradiction.
    bad: V,
    /// The least set of all cells: zero where a cell is empty.
    least: V,
}

impl<S: Simd> Sweep<S> for HouseSweep<'_> {
    #[inline(always)]
    fn sweep(&mut self, s: S, cells: &mut [S::V], busy: u32) -> Swept {
        let none = s.splat(0);
        let mut marks = Marks {
            changed: none,
            bad: none,
            least: s.splat(u32::MAX),
        };
        let every_digit = s.splat((1 << self.rules.side()) - 1);
        for house in self.rules.houses() {
            place_singles(s, &house.cells, every_digit, cells, &mut marks);
        }
        // Crossings only where a lane has nothing else left: they cost as much as the houses and say less.
        if busy & !s.nonzero_lanes(marks.changed) != 0 {
            for crossing in self.rules.crossings() {
                let [a, b] = &crossing.rests;
                lock_candidates(s, &crossing.common, a, b, cells, &mut marks);
            }
        }
        Swept {
            changed: s.nonzero_lanes(marks.changed),
            contradiction: s.nonzero_lanes(marks.bad) | !s.nonzero_lanes(marks.least),
        }
    }

    /// Fewest ways: a cell with two candidates, else a digit with two places in a house, else the cell with fewest.
    fn next(&self, _s: S, state: &[u32]) -> Next {
        let fewest = state
            .iter()
            .enumerate()
            .filter(|(_, set)| set.count_ones() > 1)
            .min_by_key(|(_, set)| set.count_ones());
        let Some((cell, &set)) = fewest else {
            return Next::Solved;
        };
        if set.count_ones() > 2
            && let Some(branch) = self.digit_with_two_places(state)
        {
            return Next::Branch(branch);
        }
        let digit = set & set.wrapping_neg();
        Next::Branch(Branch {
            now: vec![(cell as u16, set & !digit)],
            later: vec![(cell as u16, digit)],
        })
    }
}

impl HouseSweep<'_> {
    fn digit_with_two_places(&self, state: &[u32]) -> Option<Branch> {
        self.rules.houses().iter().find_map(|house| {
            let (mut once, mut twice, mut thrice) = (0, 0, 0);
            for &cell in &house.cells {
                let set = state[usize::from(cell)];
                thrice |= twice & set;
                twice |= once & set;
                once |= set;
            }
            let two = twice & !thrice;
            let digit = two & two.wrapping_neg();
            let mut places = house
                .cells
                .iter()
                .copied()
                .filter(|&cell| state[usize::from(cell)] & digit != 0);
            let (first, second) = (places.next()?, places.next()?);
            Some(Branch {
                now: vec![(second, digit)],
                later: vec![(first, digit)],
            })
        })
    }
}

/// Naked and hidden singles of one house: a cell of one candidate takes it from all others, and a digit with one
/// place left takes that place.
#[inline(always)]
fn place_singles<S: Simd>(
    s: S,
    house: &[u16],
    every_digit: S::V,
    cells: &mut [S::V],
    marks: &mut Marks<S::V>,
) {
    let none = s.splat(0);
    let (mut once, mut twice) = (none, none);
    let (mut single, mut single_twice) = (none, none);
    for &cell in house {
        let set = cells[usize::from(cell)];
        twice = s.or(twice, s.and(once, set));
        once = s.or(once, set);
        let alone = s.single_or_zero(set);
        single_twice = s.or(single_twice, s.and(single, alone));
        single = s.or(single, alone);
    }
    marks.bad = s.or(marks.bad, s.or(single_twice, s.and_not(every_digit, once)));
    let hidden = s.and_not(once, twice);
    let open = s.and_not(every_digit, single);
    for &cell in house {
        let set = cells[usize::from(cell)];
        let kept = s.and_or(set, open, s.single_or_zero(set));
        let kept = s.first_nonzero(s.and(kept, hidden), kept);
        marks.changed = s.or_difference(marks.changed, set, kept);
        marks.least = s.min(marks.least, kept);
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
    marks: &mut Marks<S::V>,
) {
    let union = |house: &[u16], cells: &[S::V]| {
        house.iter().fold(s.splat(0), |union, &cell| {
            s.or(union, cells[usize::from(cell)])
        })
    };
    let common = union(common, cells);
    let (in_a, in_b) = (union(rest_a, cells), union(rest_b, cells));
    for (locked, rest) in [
        (s.and(s.and_not(common, in_a), in_b), rest_b),
        (s.and(s.and_not(common, in_b), in_a), rest_a),
    ] {
        // Mostly there is nothing to take away, in any lane.
        if s.nonzero_lanes(locked) != 0 {
            marks.changed = s.or(marks.changed, locked);
            for &cell in rest {
                let kept = s.and_not(cells[usize::from(cell)], locked);
                marks.least = s.min(marks.least, kept);
                cells[usize::from(cell)] = kept;
            }
        }
    }
}
