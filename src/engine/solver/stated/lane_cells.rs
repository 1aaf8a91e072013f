//! The candidates of cells in lanes, as sets of digits, and the lowest and highest digits of such
//! sets. Digits count from 0: bit d for digit d.

use super::plan::MAX_CELLS;
use crate::solver::simd::Counting;

pub(super) type LaneCells<V> = [V; MAX_CELLS];

/// All digits for a number above 15.
#[inline(always)]
pub(super) fn up_to<S: Counting>(s: S, digit: S::V) -> S::V {
    // 2^(d+1) - 1: all bits up to bit d.
    let power = s.power_of_two(s.min(digit, s.splat(15)));
    s.subtract(s.add(power, power), s.splat(1))
}

/// The digit must be 15 or less.
#[inline(always)]
pub(super) fn from<S: Counting>(s: S, digit: S::V) -> S::V {
    // -2^d: bit d and all bits above it.
    s.subtract(s.splat(0), s.power_of_two(digit))
}

/// The set must not be empty.
#[inline(always)]
pub(super) fn lowest_digit<S: Counting>(s: S, set: S::V) -> S::V {
    s.logarithm(s.and_not(set, s.without_least(set)))
}

/// The set must not be empty.
#[inline(always)]
pub(super) fn highest_digit<S: Counting>(s: S, set: S::V) -> S::V {
    let mut filled = set;
    for by in [1, 2, 4, 8] {
        filled = s.or(filled, s.shift_right(filled, by));
    }
    s.logarithm(s.and_not(filled, s.shift_right(filled, 1)))
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::solver::simd::CountingJob;
    use crate::solver::simd::level::Level;

    /// Finds the lowest and the highest digit of every set.
    #[derive(Clone, Copy)]
    struct FindsDigits;

    impl CountingJob for FindsDigits {
        type Answer = ControlFlow<()>;

        fn run<S: Counting>(self, s: S) -> ControlFlow<()> {
            for set in 1..=u16::MAX {
                let v = s.splat(set);
                let digits = [lowest_digit(s, v), highest_digit(s, v)].map(|v| s.lanes(&v)[0]);
                assert_eq!(digits.map(u32::from), [set.trailing_zeros(), set.ilog2()]);
            }
            for digit in 0..16 {
                let v = s.splat(digit);
                let sets = [up_to(s, v), from(s, v)].map(|v| s.lanes(&v)[0]);
                assert_eq!(sets, [u16::MAX >> (15 - digit), u16::MAX << digit]);
            }
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn digits_are_found_in_every_set() {
        for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
            let _ = level.run_counting(FindsDigits);
        }
    }
}
