//! Naked and hidden singles. A `DigitTally` records whether no cell, one cell or several cells of a
//! house can hold each digit; `keep_singles` applies the singles to a cell.

use crate::solver::simd::{Lane, Simd};

/// Counts the sets that contain each digit, up to two.
#[derive(Clone, Copy)]
pub(crate) struct DigitTally<S: Simd> {
    s: S,
    pub once: S::V,
    /// A subset of `once`.
    pub twice: S::V,
}

impl<S: Simd> DigitTally<S> {
    #[inline(always)]
    pub fn new(s: S) -> DigitTally<S> {
        let none = s.splat(S::Lane::from_digits(0));
        DigitTally { s, once: none, twice: none }
    }

    #[inline(always)]
    pub fn of_all(s: S, sets: &[S::V]) -> DigitTally<S> {
        let mut tally = DigitTally::new(s);
        tally.add_all(sets);
        tally
    }

    #[inline(always)]
    pub fn add(&mut self, set: S::V) {
        self.twice = self.s.or_and(self.twice, self.once, set);
        self.once = self.s.or(self.once, set);
    }

    /// Three at a time take fewer instructions than one by one.
    #[inline(always)]
    pub fn add_all(&mut self, sets: &[S::V]) {
        let s = self.s;
        let (threes, others) = sets.as_chunks();
        for &[a, b, c] in threes {
            let (any, two) = (s.or3(a, b, c), s.majority(a, b, c));
            self.twice = s.or(s.or_and(self.twice, self.once, any), two);
            self.once = s.or(self.once, any);
        }
        for &set in others {
            self.add(set);
        }
    }

    #[inline(always)]
    pub fn hidden(&self, except: S::V) -> S::V {
        self.s.and_nor(self.once, self.twice, except)
    }
}

/// A cell keeps its `single` if it has one, else those in `hidden` if it has any, else those in
/// `unplaced`. `single` is its only candidate, or empty. `hidden` and `unplaced` are the hidden
/// singles and the unplaced digits of the house.
#[inline(always)]
pub(crate) fn keep_singles<S: Simd>(
    s: S,
    set: S::V,
    single: S::V,
    hidden: S::V,
    unplaced: S::V,
) -> S::V {
    debug_assert!(is_subset(s, single, set));
    debug_assert!(is_subset(s, hidden, unplaced));
    let allowed = s.choose_if_overlapping(set, hidden, unplaced);
    s.or_and(single, set, allowed)
}

/// Compares unions. For assertions.
#[inline(always)]
pub(crate) fn hold_the_same<S: Simd>(s: S, a: &[S::V], b: &[S::V]) -> bool {
    let [a, b] = [a, b].map(|sets| DigitTally::of_all(s, sets).once);
    is_subset(s, a, b) && is_subset(s, b, a)
}

#[inline(always)]
pub(crate) fn is_subset<S: Simd>(s: S, part: S::V, whole: S::V) -> bool {
    s.nonzero_lanes(s.and_not(part, whole)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solver::simd::portable::Portable;

    type Set = <Portable as Simd>::V;

    fn first_lane(set: Set) -> u32 {
        Portable.lanes(&set)[0].into()
    }

    #[test]
    fn a_tally_counts_like_a_count_of_each_digit() {
        let s = Portable;
        let mut random = Random::new(7);
        for number in (0..26).cycle().take(500) {
            let sets: Vec<u32> = (0..number)
                .map(|_| random.below(1 << 16) & random.below(1 << 16) & random.below(1 << 16))
                .collect();
            let except = random.below(1 << 16);
            let vectors: Vec<Set> = sets.iter().map(|&set| s.splat(set as u16)).collect();
            let tally = DigitTally::of_all(s, &vectors);
            let mut one_by_one = DigitTally::new(s);
            for &set in &sets {
                one_by_one.add(s.splat(set as u16));
            }
            let with = |is_wanted: fn(usize) -> bool| {
                let count = |digit: &u32| sets.iter().filter(|&set| set & digit != 0).count();
                let digits = (0..16).map(|bit| 1 << bit);
                let wanted = digits.filter(|digit| is_wanted(count(digit)));
                wanted.fold(0, |set, digit| set | digit)
            };
            let hidden = with(|count| count == 1) & !except;
            for tally in [tally, one_by_one] {
                assert_eq!(first_lane(tally.once), with(|count| count > 0));
                assert_eq!(first_lane(tally.twice), with(|count| count > 1));
                assert_eq!(first_lane(tally.hidden(s.splat(except as u16))), hidden);
            }
        }
    }

    #[test]
    fn a_cell_keeps_its_naked_single_or_its_hidden_singles_or_what_is_not_placed() {
        let s = Portable;
        for (set, hidden, unplaced, expected) in [
            (0b0001, 0b0010, 0b1110, 0b0001),
            (0b0111, 0b0010, 0b1110, 0b0010),
            (0b0111, 0b0110, 0b1110, 0b0110),
            (0b0111, 0b1000, 0b1110, 0b0110),
            (0b0011, 0b0000, 0b1100, 0b0000),
        ] {
            let [set, hidden, unplaced] = [set, hidden, unplaced].map(|set| s.splat(set));
            let left = keep_singles(s, set, s.single_or_none(set), hidden, unplaced);
            assert_eq!(first_lane(left), expected);
        }
    }
}
