//! The six configurations of a digit in a band: their relation to the minirows, and the choice of a
//! branch.
//!
//! A digit is in three cells of a band: one in each box, each in another row. A configuration is
//! therefore a permutation, which maps each row to a box:
//!
//! ```text
//!     configuration 0    1        2        3        4        5
//!     row 0         X..  .X.  ..X          X..  .X.  ..X
//!     row 1         .X.  ..X  X..          ..X  X..  .X.
//!     row 2         ..X  X..  .X.          .X.  ..X  X..
//! ```
//!
//! In each picture, the columns are the three boxes. Bit i of a mask of configurations means
//! configuration i. A band's configurations are six sets of digits: digit d is in set i if
//! configuration i is still possible (*open*) for d. For a stack, read column for row, and
//! minicolumn for minirow.

use crate::solver::simd::{ALL_DIGITS, Counting, Simd};

/// The box of each row, for each configuration: three even permutations, then three odd ones. Two
/// even ones never share a minirow, and neither do two odd ones: each triple covers all nine
/// minirows.
const CONFIGURATIONS: [[usize; 3]; 6] =
    [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [1, 0, 2], [2, 1, 0]];

/// All three minirows of a configuration must allow a digit. Row r of box k is `minirows[3 * k +
/// r]`.
#[inline(always)]
pub(crate) fn configurations_by_minirows<S: Simd>(s: S, minirows: &[S::V; 9]) -> [S::V; 6] {
    // A loop, because `map` is not always inlined; AVX2 then takes twice the time.
    let mut configurations = [minirows[0]; 6];
    for i in 0..6 {
        let [a, b, c] = CONFIGURATIONS[i];
        configurations[i] = s.and3(minirows[3 * a], minirows[3 * b + 1], minirows[3 * c + 2]);
    }
    configurations
}

#[inline(always)]
pub(crate) fn minirow_by_configurations<S: Simd>(
    s: S,
    configurations: &[S::V; 6],
    k: usize,
    r: usize,
) -> S::V {
    let [even, odd] = configurations_through(k, r);
    s.or(configurations[even], configurations[odd])
}

/// Returns the two configurations that contain row `r` of box `k`. In `CONFIGURATIONS`, the box of
/// row r is (i + r) modulo 3 for configuration i = 0, 1 or 2, and (i - r) modulo 3 for
/// configuration 3 + i.
#[inline(always)]
pub(super) const fn configurations_through(k: usize, r: usize) -> [usize; 2] {
    [(k + 3 - r) % 3, 3 + (k + r) % 3]
}

#[inline(always)]
pub(crate) fn with_a_configuration<S: Simd>(s: S, configurations: &[S::V; 6]) -> S::V {
    s.or(
        s.or3(configurations[0], configurations[1], configurations[2]),
        s.or3(configurations[3], configurations[4], configurations[5]),
    )
}

/// One open configuration for each of eight digits, and two for the ninth. A decided band has nine.
pub(super) const MIN_UNDECIDED: u16 = 10;

/// Undefined in lanes that are not stuck.
pub(super) struct BestBranches<V> {
    /// The least key of all bands. The key of a band is its index plus `8 * (number of open
    /// configurations of its nine digits - MIN_UNDECIDED)`. For a decided band, this difference is
    /// -1, so the key wraps to a large unsigned number.
    pub key: V,
    /// Of the digits in that band with two open configurations or more, those with the fewest. Four
    /// and more count alike.
    pub digits: V,
}

/// Computing these for all lanes together takes 70 instructions fewer per branch than for one lane.
#[inline(always)]
pub(super) fn best_branches<S: Counting>(
    s: S,
    configurations: &[[S::V; 6]; 6],
) -> BestBranches<S::V> {
    let key = best_bands(s, configurations);
    let digits = best_digits(s, &of_best_bands(s, configurations, key));
    BestBranches { key, digits }
}

#[inline(always)]
fn best_bands<S: Counting>(s: S, configurations: &[[S::V; 6]; 6]) -> S::V {
    let mut best = s.splat(u16::MAX);
    for (band, of_band) in (0..).zip(configurations) {
        let number = of_band
            .iter()
            .fold(s.splat(0), |sum, &configuration| s.add(sum, s.count(configuration)));
        let offset = s.splat(u16::wrapping_sub(band, 8 * MIN_UNDECIDED));
        best = s.min(best, s.add(s.shift_left(number, 3), offset));
    }
    best
}

#[inline(always)]
fn of_best_bands<S: Counting>(s: S, configurations: &[[S::V; 6]; 6], key: S::V) -> [S::V; 6] {
    let best_band = s.and(key, s.splat(7));
    let mut of_best = [s.splat(0); 6];
    for (band, of_band) in (0..).zip(configurations) {
        let here = s.ones_where_zero(s.subtract(best_band, s.splat(band)));
        for i in 0..6 {
            of_best[i] = s.or_and(of_best[i], of_band[i], here);
        }
    }
    of_best
}

#[inline(always)]
fn best_digits<S: Counting>(s: S, configurations: &[S::V; 6]) -> S::V {
    let all = s.splat(ALL_DIGITS);
    let none = s.splat(0);
    // Element n has the digits with n configurations or more, of those visited so far.
    let mut at_least = [all, none, none, none, none];
    for &configuration in configurations {
        // From the highest n, so that a configuration adds its digits to one more element only.
        for n in (0..4).rev() {
            at_least[n + 1] = s.or_and(at_least[n + 1], at_least[n], configuration);
        }
    }
    // Keeps the digits with fewer than four configurations, if any. Of these, keeps those with
    // fewer than three, if any.
    let [_, _, two, three, four] = at_least;
    let best = s.intersect_if_overlapping(two, s.and_not(all, four));
    s.intersect_if_overlapping(best, s.and_not(all, three))
}

/// As a mask, in one lane.
#[inline(always)]
pub(crate) fn open_configurations(configurations: &[u16; 6], digit: u16) -> u32 {
    debug_assert!(digit.is_power_of_two(), "{digit:b}");
    (0..6).fold(0, |open, i| open | u32::from(configurations[i] & digit != 0) << i)
}

/// Returns the mask of the open configurations through one minirow of the lowest open
/// configuration: of its three minirows, the one with the fewest. They are never all open
/// configurations, because two configurations share one minirow at most. `open` must have two or
/// more.
#[inline(always)]
pub(crate) fn configurations_to_try_first(open: u32) -> u32 {
    debug_assert!(open.count_ones() >= 2 && open < 64, "{open:b}");
    TRIED_FIRST[open as usize % 64].into()
}

/// The index is the mask of the open configurations.
const TRIED_FIRST: [u8; 64] = {
    let mut tried_first = [0; 64];
    let mut open: u8 = 1;
    while open < 64 {
        let lowest = CONFIGURATIONS[open.trailing_zeros() as usize];
        tried_first[open as usize] = open;
        let mut row = 0;
        while row < 3 {
            let [even, odd] = configurations_through(lowest[row], row);
            let through = open & (1 << even | 1 << odd);
            if through.count_ones() < tried_first[open as usize].count_ones() {
                tried_first[open as usize] = through;
            }
            row += 1;
        }
        open += 1;
    }
    tried_first
};

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::random::Random;
    use crate::solver::simd::level::Level;
    use crate::solver::simd::{CountingJob, DIGIT_BITS};

    /// Returns all ways to give each row another box. Element r of each is the box of row r.
    fn permutations() -> Vec<[usize; 3]> {
        let all = (0..27).map(|n| [n / 9, n / 3 % 3, n % 3]);
        all.filter(|[a, b, c]| a != b && b != c && a != c).collect()
    }

    /// Returns a random set of digits, with about a third of them for `share` 0, two thirds for 1,
    /// and all for more.
    fn random_digits(random: &mut Random, share: u32) -> u16 {
        let digits = DIGIT_BITS.into_iter();
        let kept = digits.filter(|_| random.below(3) <= share);
        kept.fold(0, |set, digit| set | digit)
    }

    /// Computes the configurations of random minirows in each lane, and the minirows that these
    /// configurations allow.
    struct Configurations<'a> {
        minirows: &'a [[u16; 9]],
        results: &'a mut Vec<([u16; 6], [u16; 9])>,
    }

    impl CountingJob for Configurations<'_> {
        type Answer = ControlFlow<()>;

        #[inline(always)]
        fn run<S: Counting>(self, s: S) -> ControlFlow<()> {
            for lanes in self.minirows.chunks(S::LANES) {
                let mut minirows = [s.splat(0); 9];
                for (lane, of_lane) in lanes.iter().enumerate() {
                    for (minirow, &set) in minirows.iter_mut().zip(of_lane) {
                        s.lanes_mut(minirow)[lane] = set;
                    }
                }
                let configurations = configurations_by_minirows(s, &minirows);
                let any = with_a_configuration(s, &configurations);
                for k in 0..3 {
                    for r in 0..3 {
                        minirows[3 * k + r] = minirow_by_configurations(s, &configurations, k, r);
                    }
                }
                for lane in 0..lanes.len() {
                    let configurations = configurations.map(|set| s.lanes(&set)[lane]);
                    let expected = configurations.iter().fold(0, |any, set| any | set);
                    assert_eq!(s.lanes(&any)[lane], expected);
                    let minirows = minirows.map(|set| s.lanes(&set)[lane]);
                    self.results.push((configurations, minirows));
                }
            }
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn a_configuration_puts_a_digit_into_one_minirow_of_each_box_and_row() {
        let mut sorted = CONFIGURATIONS;
        sorted.sort_unstable();
        assert_eq!(sorted.to_vec(), permutations());
        let random = &mut Random::new(3);
        let minirows: Vec<[u16; 9]> =
            (0..200).map(|n| std::array::from_fn(|_| random_digits(random, n % 3))).collect();
        for level in Level::NAMES.into_iter().filter_map(Level::named) {
            let mut results = Vec::new();
            let job = Configurations { minirows: &minirows, results: &mut results };
            assert!(level.run_counting(job).is_continue());
            assert_eq!(results.len(), minirows.len());
            for (minirows, (configurations, allowed)) in minirows.iter().zip(results) {
                let is_open = |boxes: &[usize; 3], digit: u16| {
                    (0..3).all(|row| minirows[3 * boxes[row] + row] & digit != 0)
                };
                for digit in DIGIT_BITS {
                    for (i, boxes) in CONFIGURATIONS.iter().enumerate() {
                        let is_in = configurations[i] & digit != 0;
                        assert_eq!(is_in, is_open(boxes, digit), "{level:?} {i} {minirows:?}");
                    }
                    for (k, r) in (0..9).map(|n| (n / 3, n % 3)) {
                        let expected = permutations()
                            .iter()
                            .any(|boxes| boxes[r] == k && is_open(boxes, digit));
                        let is_in = allowed[3 * k + r] & digit != 0;
                        assert_eq!(is_in, expected, "{level:?} {k} {r} {minirows:?}");
                    }
                }
            }
        }
    }

    /// Finds the best band of each lane, and its best digits.
    struct Branches<'a> {
        bands: &'a [[[u16; 6]; 6]],
        best: &'a mut Vec<(usize, u16)>,
    }

    impl CountingJob for Branches<'_> {
        type Answer = ControlFlow<()>;

        #[inline(always)]
        fn run<S: Counting>(self, s: S) -> ControlFlow<()> {
            for lanes in self.bands.chunks(S::LANES) {
                let mut bands = [[s.splat(ALL_DIGITS); 6]; 6];
                for (lane, of_lane) in lanes.iter().enumerate() {
                    let sets = of_lane.as_flattened().iter();
                    for (configuration, &set) in bands.as_flattened_mut().iter_mut().zip(sets) {
                        s.lanes_mut(configuration)[lane] = set;
                    }
                }
                let best = best_branches(s, &bands);
                self.best.extend((0..lanes.len()).map(|lane| {
                    let of_lane = |v| s.lanes(v)[lane];
                    let band = usize::from(of_lane(&best.key) % 8);
                    (band, of_lane(&best.digits))
                }));
            }
            ControlFlow::Continue(())
        }
    }

    /// Returns the best band and its best digits. Takes the first band with the fewest open
    /// configurations, but more than nine, and in it the digits with the fewest, but at least two.
    /// Four and more count alike.
    fn best_branch(bands: &[[u16; 6]; 6]) -> (usize, u16) {
        let number_of =
            |band: &[u16; 6], digit: u16| band.iter().filter(|&&set| set & digit != 0).count();
        let total = |band: &[u16; 6]| -> usize {
            let digits = DIGIT_BITS.iter();
            digits.map(|&digit| number_of(band, digit)).sum()
        };
        let undecided = (0..6).filter(|&band| total(&bands[band]) > 9);
        let best = undecided.min_by_key(|&band| total(&bands[band])).unwrap();
        let number = |digit: u16| number_of(&bands[best], digit).min(4);
        let fewest = DIGIT_BITS.into_iter().map(number).filter(|&n| n >= 2).min();
        let digits = DIGIT_BITS.into_iter();
        let digits = digits.filter(|&digit| Some(number(digit)) == fewest);
        (best, digits.sum())
    }

    #[test]
    fn the_best_branch_is_that_of_a_plain_search_for_the_fewest_open_configurations() {
        let random = &mut Random::new(4);
        let mut lanes = Vec::new();
        for n in 0..300 {
            let mut bands = [[0; 6]; 6];
            for band in &mut bands {
                // Some bands are decided: each digit has one configuration.
                let more = random.below(3) as usize * (n % 4);
                for digit in DIGIT_BITS {
                    band[random.below(6) as usize] |= digit;
                }
                for _ in 0..more {
                    band[random.below(6) as usize] |= random_digits(random, 0);
                }
            }
            bands[n % 6][n % 5] |= DIGIT_BITS[n % 9];
            bands[n % 6][n % 5 + 1] |= DIGIT_BITS[n % 9];
            lanes.push(bands);
        }
        for level in Level::NAMES.into_iter().filter_map(Level::named) {
            let mut best = Vec::new();
            let job = Branches { bands: &lanes, best: &mut best };
            assert!(level.run_counting(job).is_continue());
            let expected: Vec<_> = lanes.iter().map(best_branch).collect();
            assert_eq!(best, expected, "{level:?}");
        }
    }

    #[test]
    fn a_branch_tries_the_minirow_of_the_first_configuration_that_the_fewest_contain() {
        for open in (1..64_u32).filter(|open| open.count_ones() >= 2) {
            let first = CONFIGURATIONS[open.trailing_zeros() as usize];
            let through = |row: usize| {
                let all = (0..6).filter(|i| open >> i & 1 == 1);
                let some = all.filter(|&i| CONFIGURATIONS[i][row] == first[row]);
                some.fold(0_u32, |through, i| through | 1 << i)
            };
            let by_row = [0, 1, 2].map(through);
            let fewest = by_row.iter().map(|it| it.count_ones()).min().unwrap();
            let found = configurations_to_try_first(open);
            assert!(by_row.contains(&found), "{open:b}");
            assert_eq!(found.count_ones(), fewest, "{open:b}");
            assert_ne!(found, open, "the other side of the branch has some too");
        }
    }
}
