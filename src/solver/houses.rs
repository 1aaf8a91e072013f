//! The board for any rules: singles of every house, then locked candidates of every crossing.

use std::sync::Arc;

use super::lanes::{Board, Swept};
use super::simd::{Lane, Simd};
use crate::rules::Rules;

/// Candidates cell by cell along the rows, bit d-1 for digit d:
///
/// ```text
///              lane 0   lane 1   lane 2   …
///   cells[0]   1......  .2.4...  1234567  …    a set of candidates a lane
///   cells[1]   .23....  ......7  ...4...  …
///      ⋮
/// ```
pub(crate) struct HouseBoard<S: Simd> {
    s: S,
    rules: Arc<Rules>,
    cells: Vec<S::V>,
    /// Lanes in which nothing was to be done for the houses at the last sweep.
    every_digit: u32,
}

/// What a sweep has met so far, a set of digits a lane.
pub(crate) struct Notes<V> {
    /// Candidates that were taken away.
    pub changed: V,
    /// Digits without a place, or in two.
    pub contradiction: V,
    /// The least set of all cells, as a number: zero where a cell is empty.
    pub least: V,
}

impl<S: Simd> HouseBoard<S> {
    pub fn new(s: S, rules: Arc<Rules>) -> HouseBoard<S> {
        let every_digit = (1 << rules.side()) - 1;
        let cells = vec![s.splat(S::Lane::of(every_digit)); rules.cells()];
        HouseBoard {
            s,
            rules,
            cells,
            every_digit,
        }
    }

    #[inline(always)]
    fn set(&self, cell: usize, lane: usize) -> u32 {
        self.s.lanes(&self.cells[cell])[lane].into()
    }

    #[inline(always)]
    fn set_lane(&mut self, cell: usize, lane: usize, set: u32) {
        self.s.lanes_mut(&mut self.cells[cell])[lane] = S::Lane::of(set);
    }

    /// What failed last, if it is still open; else what has fewest ways: a cell with two candidates, a digit with two
    /// places in a house, the cell with fewest candidates.
    fn choose(&self, lane: usize, conflict: Option<Spot>) -> Spot {
        if let Some(spot) = conflict {
            let set = self.set(spot.cell.into(), lane);
            if set & spot.digit != 0 && set != spot.digit {
                return spot;
            }
        }
        let sets: Vec<u32> = (0..self.cells.len())
            .map(|cell| self.set(cell, lane))
            .collect();
        let open = sets
            .iter()
            .enumerate()
            .filter(|(_, set)| set.count_ones() > 1);
        let Some((cell, set)) = open.min_by_key(|(_, set)| set.count_ones()) else {
            unreachable!("a settled lane that is not solved has an open cell");
        };
        if set.count_ones() > 2
            && let Some(spot) = self.digit_with_two_places(&sets)
        {
            return spot;
        }
        Spot {
            cell: cell as u16,
            digit: set & set.wrapping_neg(),
        }
    }

    fn digit_with_two_places(&self, sets: &[u32]) -> Option<Spot> {
        self.rules.houses().iter().find_map(|house| {
            let (mut once, mut twice, mut thrice) = (0, 0, 0);
            for &cell in &house.cells {
                let set = sets[usize::from(cell)];
                thrice |= twice & set;
                twice |= once & set;
                once |= set;
            }
            let two = twice & !thrice;
            let digit = two & two.wrapping_neg();
            let cell = house
                .cells
                .iter()
                .find(|&&cell| sets[usize::from(cell)] & digit != 0)?;
            Some(Spot { cell: *cell, digit })
        })
    }
}

/// A digit in a cell: it stands there, or it does not.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    cell: u16,
    /// Its bit.
    digit: u32,
}

impl<S: Simd> Board for HouseBoard<S> {
    type Choice = Spot;
    type Kept = Box<[S::Lane]>;

    #[inline(always)]
    fn clear(&mut self, lanes: u32) {
        let s = self.s;
        let blank = s.and(s.from_lanes(lanes), s.splat(S::Lane::of(self.every_digit)));
        for cell in &mut self.cells {
            *cell = s.or(*cell, blank);
        }
    }

    #[inline(always)]
    fn load(&mut self, lane: usize, grid: &[u8]) {
        for (cell, &digit) in grid.iter().enumerate() {
            if digit != 0 {
                self.set_lane(cell, lane, 1 << (digit - 1));
            }
        }
    }

    #[inline(always)]
    fn sweep(&mut self) -> Swept {
        let s = self.s;
        let none = s.splat(S::Lane::of(0));
        let every_digit = s.splat(S::Lane::of(self.every_digit));
        let mut notes = Notes {
            changed: none,
            contradiction: none,
            least: every_digit,
        };
        for house in self.rules.houses() {
            place_singles(s, &house.cells, every_digit, &mut self.cells, &mut notes);
        }
        for crossing in self.rules.crossings() {
            let [a, b] = &crossing.rests;
            lock_candidates(s, &crossing.common, a, b, &mut self.cells, &mut notes);
        }
        let mut open = none;
        for &cell in &self.cells {
            open = s.note_missing(open, cell, s.single_or_none(cell));
        }
        let contradiction = s.nonzero_lanes(notes.contradiction) | !s.nonzero_lanes(notes.least);
        let changed = s.nonzero_lanes(notes.changed);
        let solved = !(s.nonzero_lanes(open) | changed | contradiction);
        Swept {
            changed,
            contradiction,
            solved,
        }
    }

    #[inline(always)]
    fn weigh(&mut self) {}

    #[inline(always)]
    fn branch(&mut self, lane: usize, conflict: Option<Spot>) -> (Spot, Box<[S::Lane]>) {
        let spot = self.choose(lane, conflict);
        let cell = usize::from(spot.cell);
        let mut kept: Box<[S::Lane]> = self
            .cells
            .iter()
            .map(|cell| self.s.lanes(cell)[lane])
            .collect();
        kept[cell] = S::Lane::of(kept[cell].into() & !spot.digit);
        self.set_lane(cell, lane, spot.digit);
        (spot, kept)
    }

    #[inline(always)]
    fn take_up(&mut self, lane: usize, kept: &Box<[S::Lane]>) {
        for (cell, &set) in self.cells.iter_mut().zip(kept) {
            self.s.lanes_mut(cell)[lane] = set;
        }
    }

    #[inline(always)]
    fn solution(&self, lane: usize, digits: &mut [u8]) -> bool {
        for (cell, digit) in digits.iter_mut().enumerate() {
            *digit = self.set(cell, lane).trailing_zeros() as u8 + 1;
        }
        self.rules.houses().iter().all(|house| {
            let sets = house.cells.iter().map(|&cell| self.set(cell.into(), lane));
            sets.fold(0, |all, set| all | set) == self.every_digit
        })
    }
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
