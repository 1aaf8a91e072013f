//! Vectors of digit sets, with one grid in each lane: the operations on them, and the levels that
//! implement these. All that this folder knows of Sudoku is the encoding of digits.
//!
//! ```text
//!                      lane 0    lane 1    ...   lane LANES - 1
//!     one vector V     {1,5,9}   {2}       ...   {}                a set of digits in each lane, for example of one cell
//!     a mask: u32      bit 0     bit 1     ...   bit LANES - 1     some of the lanes
//!
//!     level       lanes of 16 bits   lanes of 32 bits (more than 16 digits)
//!     portable    8                  4                  (SSE2 on x86-64, else arrays)
//!     NEON        8                  4
//!     AVX2        16                 8
//!     AVX-512     32                 16
//! ```

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod checked_index;
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
mod instructions;
pub(crate) mod level;
#[cfg(target_arch = "aarch64")]
mod neon;
#[cfg(any(test, not(target_arch = "x86_64")))]
pub(crate) mod portable;
#[cfg(target_arch = "x86_64")]
mod sse2;
mod transpose;
#[cfg(target_arch = "x86_64")]
mod x86;

pub(crate) use checked_index::CheckedIndex;
use transpose::transpose;

/// A token that proves that the machine has the instructions of a level. The tokens of
/// `portable.rs` need no proof.
///
/// All methods except `run` are `#[inline(always)]`. At a level with vector instructions, most
/// become one or a few instructions inside `run`.
pub(crate) trait Simd: Copy {
    /// A power of two, at most 32, because a mask of lanes is a `u32`.
    const LANES: usize;
    type V: Copy;
    /// `u32` for puzzles of more than 16 digits.
    type Lane: Lane;
    const IS_NARROW: bool = size_of::<Self::Lane>() == 2;

    /// Runs `job` with the instructions of this level, in a function that is never inlined into the
    /// caller. A function with vector operations that `job` calls must be inlined into `job`, so it
    /// cannot recurse, or must be passed to another `run`. Otherwise it is compiled without these
    /// instructions.
    fn run<T>(self, job: impl FnOnce(Self) -> T) -> T;

    fn splat(self, digits: Self::Lane) -> Self::V;
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    // Operations on three sets, from here to `or_and_not`: one instruction of AVX-512 each.
    #[inline(always)]
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and(self.and(a, b), c)
    }
    #[inline(always)]
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.or(a, b), c)
    }
    /// Digits in at least two of three sets.
    #[inline(always)]
    fn majority(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(self.and(a, b), self.and(c, self.or(a, b)))
    }
    #[inline(always)]
    fn and_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and(a, self.or(b, c))
    }
    #[inline(always)]
    fn and_nor(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and_not(a, self.or(b, c))
    }
    #[inline(always)]
    fn or_and(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(a, self.and(b, c))
    }
    /// `set & (!removed | kept)`
    #[inline(always)]
    fn remove_except(self, set: Self::V, removed: Self::V, kept: Self::V) -> Self::V {
        self.and_not(set, self.and_not(removed, kept))
    }
    /// `a | (b & !c)`
    #[inline(always)]
    fn or_and_not(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.or(a, self.and_not(b, c))
    }
    /// Empty in lanes without exactly one digit.
    #[inline(always)]
    fn single_or_none(self, set: Self::V) -> Self::V {
        self.and(set, self.ones_where_zero(self.without_least(set)))
    }
    /// `set & best` in lanes where the two have a common digit, `set` in the others.
    #[inline(always)]
    fn intersect_if_overlapping(self, set: Self::V, best: Self::V) -> Self::V {
        self.choose_if_overlapping(set, self.and(set, best), set)
    }
    /// `best` in lanes where it has a common digit with `set`, `other` in the others. `best` must
    /// be a subset of `other`.
    #[inline(always)]
    fn choose_if_overlapping(self, set: Self::V, best: Self::V, other: Self::V) -> Self::V {
        self.or_and(best, other, self.ones_where_zero(self.and(set, best)))
    }
    fn ones_where_zero(self, v: Self::V) -> Self::V;
    fn without_least(self, set: Self::V) -> Self::V;
    /// `by` must be less than the bits of a lane. The shift is faster if `by` is a constant after
    /// inlining.
    fn shift_left(self, set: Self::V, by: u32) -> Self::V;
    fn shift_right(self, set: Self::V, by: u32) -> Self::V;
    /// Numbers in lanes of 32 bits must be less than 2^31.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;

    fn nonzero_lanes(self, v: Self::V) -> u32;
    /// All ones in the lanes of the mask, 0 in the others.
    #[allow(clippy::wrong_self_convention)]
    fn from_lanes(self, lanes: u32) -> Self::V;
    /// A slice of `LANES` integers. An index of the form `lane & (LANES - 1)` needs no bounds
    /// check.
    fn lanes(self, v: &Self::V) -> &[Self::Lane];
    fn lanes_mut(self, v: &mut Self::V) -> &mut [Self::Lane];
}

/// Operations that only band boards and killers in lanes need, on lanes of 16 bits.
pub(crate) trait Counting: Simd<Lane = u16> {
    /// True if `look_up` and `look_up_bytes` are vector instructions. Otherwise, band boards load
    /// and read their lanes one by one.
    const HAS_LOOK_UP: bool = true;

    /// For subsets of `ALL_DIGITS` only.
    fn count(self, set: Self::V) -> Self::V;
    #[inline(always)]
    fn in_exactly_one(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V {
        self.and_not(self.or3(a, b, c), self.majority(a, b, c))
    }
    /// `subset` in lanes where it has three digits or more, `set` in the others. `bands/boxes.rs`
    /// calls it for a minirow: three digits that it must hold fill its three cells.
    #[inline(always)]
    fn subset_if_three(self, subset: Self::V, set: Self::V) -> Self::V {
        let third = self.without_least(self.without_least(subset));
        self.and_or(set, subset, self.ones_where_zero(third))
    }
    /// The set that is the lesser number in each lane. For subsets of `ALL_DIGITS` only: these are
    /// not negative as signed numbers, whose minimum is faster with SSE2.
    #[inline(always)]
    fn lesser_set(self, a: Self::V, b: Self::V) -> Self::V {
        self.min(a, b)
    }
    /// Modulo 2^16; likewise `subtract`.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    fn subtract(self, a: Self::V, b: Self::V) -> Self::V;
    /// The low 16 bits of the product.
    fn multiply(self, a: Self::V, by: u16) -> Self::V;
    #[inline(always)]
    fn power_of_two(self, exponent: Self::V) -> Self::V {
        self.look_up(exponent, &POWERS)[0]
    }
    /// The exponent of a power of two in each lane, and 0 for 0.
    #[inline(always)]
    fn logarithm(self, power: Self::V) -> Self::V {
        let hash = self.shift_right(self.multiply(power, DE_BRUIJN), 12);
        self.look_up(hash, &LOGARITHMS)[0]
    }
    /// Looks up the four nibbles of each lane. Element n of the result is for bits 4n to 4n + 3.
    fn look_up(self, nibbles: Self::V, table: &[u16; 16]) -> [Self::V; 4];
    /// Looks up 32 nibbles, the lowest of the first word first.
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32];
    /// True if some byte of `given` that is not 0 differs from the same byte of `other`.
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool;
    /// Interleaves the words (16 bits) of two vectors in each group of eight lanes. The first
    /// result has the lower four words of both, in the order a0 b0 a1 b1 and so on, the second the
    /// upper four.
    fn zip(self, a: Self::V, b: Self::V) -> (Self::V, Self::V);
    /// `words_of` returns the eight words of a lane. Vector w of the result holds word w of every
    /// lane.
    #[inline(always)]
    fn interleave<'a>(self, words_of: impl Fn(usize) -> &'a [u16; 8]) -> [Self::V; 8] {
        // Row l has the words of lanes l, l + 8, l + 16 and so on: one lane in each group of eight.
        let mut rows = [self.splat(0); 8];
        for lane in 0..8 {
            let (groups, _) = self.lanes_mut(&mut rows[lane]).as_chunks_mut();
            for (group, words) in groups.iter_mut().enumerate() {
                *words = *words_of(lane + 8 * group);
            }
        }
        transpose(rows, |a, b| self.zip(a, b))
    }
    /// The inverse of `interleave`.
    #[inline(always)]
    fn deinterleave(self, vectors: [Self::V; 8]) -> WordsOfLanes {
        let mut words = [[[0; 8]; 4]; 8];
        let rows = transpose(vectors, |a, b| self.zip(a, b));
        for (words, row) in words.iter_mut().zip(&rows) {
            words.as_flattened_mut()[..Self::LANES].copy_from_slice(self.lanes(row));
        }
        words
    }
}

const POWERS: [u16; 16] = {
    let mut powers = [1; 16];
    let mut exponent = 1;
    while exponent < 16 {
        powers[exponent] = 2 * powers[exponent - 1];
        exponent += 1;
    }
    powers
};
/// A de Bruijn sequence: with three zeros appended, it contains each pattern of four bits once. Its
/// product with 2^n is the sequence shifted left by n, so the top four bits of this product differ
/// for each n.
const DE_BRUIJN: u16 = 0x09af;
/// Maps the top four bits of the product of `DE_BRUIJN` and 2^n to n.
const LOGARITHMS: [u16; 16] = {
    let mut logarithms = [0; 16];
    let mut exponent = 0;
    while exponent < 16 {
        logarithms[(DE_BRUIJN << exponent >> 12) as usize] = exponent;
        exponent += 1;
    }
    logarithms
};

/// For 16-bit lanes.
pub(crate) trait LevelToken: Counting {
    /// For `--cpu`, one of `Level::NAMES`.
    const NAME: &'static str;
    /// For 32-bit lanes.
    type Wide: Simd<Lane = u32>;

    /// `None` if the machine lacks a feature of the level.
    fn detect() -> Option<Self>;
    fn wide(self) -> Self::Wide;
}

/// The words of lane l are at `[l % 8][l / 8]`. Lanes that the level lacks are undefined.
pub(crate) type WordsOfLanes = [[[u16; 8]; 4]; 8];

/// The bit of each digit on a band board, from digit 1. Digits are not consecutive bits, so that
/// `Counting::count` is short on machines without a counting instruction:
///
/// ```text
///     bit     15 14 13   12   11 10 9 8   7 6 5 4   3 2 1 0
///     digit    -  -  -    9    8  7 6 5   - - - -   4 3 2 1
/// ```
///
/// With AVX2 and AVX-512, a byte shuffle, as a table of 16 entries, counts digits 1 to 4 in the low
/// byte and 5 to 8 in the high byte. A shift by 12 adds digit 9.
pub(crate) const DIGIT_BITS: [u16; 9] =
    [1 << 0, 1 << 1, 1 << 2, 1 << 3, 1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12];

pub(crate) const ALL_DIGITS: u16 = 0x1f0f;

pub(crate) trait Lane: Copy + Into<u32> {
    /// Truncates to the width of a lane.
    fn from_digits(digits: u32) -> Self;
}

impl Lane for u16 {
    #[inline(always)]
    fn from_digits(digits: u32) -> u16 {
        digits as u16
    }
}

impl Lane for u32 {
    #[inline(always)]
    fn from_digits(digits: u32) -> u32 {
        digits
    }
}

/// Code for the vectors of all levels. `Level::run` runs it.
pub(crate) trait SimdJob {
    type Answer;
    fn run<S: Simd>(self, s: S) -> Self::Answer;
}

pub(crate) trait CountingJob {
    type Answer;
    fn run<S: Counting>(self, s: S) -> Self::Answer;
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::level::Level;
    use super::portable::{Portable, PortableWide};
    use super::*;

    /// Returns a different number at each call (a linear congruential generator).
    fn random(state: &mut u64) -> u32 {
        *state = state.wrapping_mul(6364136223846793005).wrapping_add(1);
        (*state >> 33) as u32
    }

    /// Returns sets for all lanes: dense, sparse and empty ones. Wide lanes have 25 bits, which is
    /// the largest puzzle.
    fn sets<S: Simd>(s: S, state: &mut u64) -> S::V {
        let mut v = s.splat(S::Lane::from_digits(0));
        for lane in s.lanes_mut(&mut v) {
            let digits = random(state) & 0x1ff_ffff;
            *lane = S::Lane::from_digits(match random(state) % 4 {
                0 => digits,
                1 => digits & random(state) & random(state),
                2 => 1 << (random(state) % 13),
                _ => 0,
            });
        }
        v
    }

    /// Checks that operations give the stated number in each lane. Inside the statement, each
    /// argument is the number of a lane.
    macro_rules! check {
        ($s:ident $($name:ident($($argument:ident),*): $expected:expr;)*) => {$(
            let found = $s.$name($($argument),*);
            for lane in 0..S::LANES {
                $(let $argument = number($s, $argument, lane);)*
                let expected: u32 = S::Lane::from_digits($expected).into();
                let arguments = [$($argument),*];
                assert_eq!(number($s, found, lane), expected, "{} of {arguments:x?}", stringify!($name));
            }
        )*};
    }

    /// Returns the number in a lane.
    fn number<S: Simd>(s: S, v: S::V, lane: usize) -> u32 {
        s.lanes(&v)[lane].into()
    }

    /// Checks all operations of `Simd`.
    #[derive(Clone, Copy)]
    struct Basic;

    impl SimdJob for Basic {
        type Answer = ControlFlow<()>;
        fn run<S: Simd>(self, s: S) -> ControlFlow<()> {
            let mut state = 1;
            for _ in 0..200 {
                let [a, b, c] = [(); 3].map(|()| sets(s, &mut state));
                let best = s.and(b, c);
                check! { s
                    and(a, b): a & b;
                    or(a, b): a | b;
                    and_not(a, b): a & !b;
                    and3(a, b, c): a & b & c;
                    or3(a, b, c): a | b | c;
                    majority(a, b, c): (a & b) | (a & c) | (b & c);
                    and_or(a, b, c): a & (b | c);
                    and_nor(a, b, c): a & !(b | c);
                    or_and(a, b, c): a | (b & c);
                    remove_except(a, b, c): a & (!b | c);
                    or_and_not(a, b, c): a | (b & !c);
                    single_or_none(a): if a.count_ones() == 1 { a } else { 0 };
                    intersect_if_overlapping(a, b): if a & b == 0 { a } else { a & b };
                    choose_if_overlapping(a, best, c): if a & best == 0 { c } else { best };
                    ones_where_zero(a): if a == 0 { u32::MAX } else { 0 };
                    without_least(a): a & a.wrapping_sub(1);
                    min(a, b): a.min(b);
                }
                for by in 0..9 {
                    let left = s.shift_left(a, by);
                    let right = s.shift_right(a, by);
                    check_lanes(s, left, |lane| number(s, a, lane) << by);
                    check_lanes(s, right, |lane| number(s, a, lane) >> by);
                }
                let lanes = s.nonzero_lanes(a);
                check_lanes(s, s.from_lanes(lanes), |lane| {
                    assert_eq!(lanes >> lane & 1 == 1, number(s, a, lane) != 0);
                    if lanes >> lane & 1 == 1 { u32::MAX } else { 0 }
                });
                assert_eq!(u64::from(lanes) >> S::LANES, 0);
                let digits = random(&mut state);
                check_lanes(s, s.splat(S::Lane::from_digits(digits)), |_| digits);
            }
            ControlFlow::Continue(())
        }
    }

    fn check_lanes<S: Simd>(s: S, v: S::V, expected: impl Fn(usize) -> u32) {
        for lane in 0..S::LANES {
            let expected: u32 = S::Lane::from_digits(expected(lane)).into();
            assert_eq!(number(s, v, lane), expected, "lane {lane}");
        }
    }

    /// Checks all operations of `Counting`.
    #[derive(Clone, Copy)]
    struct Counts;

    impl CountingJob for Counts {
        type Answer = ControlFlow<()>;
        fn run<S: Counting>(self, s: S) -> ControlFlow<()> {
            let mut state = 1;
            for _ in 0..200 {
                let [a, b, c] = [(); 3].map(|()| sets(s, &mut state));
                let [set, other] = [a, b].map(|it| s.and(it, s.splat(ALL_DIGITS)));
                let subset = s.and(a, s.and(b, c));
                check! { s
                    count(set): set.count_ones();
                    lesser_set(set, other): set.min(other);
                    in_exactly_one(a, b, c): (a ^ b ^ c) & !(a & b & c);
                    subset_if_three(subset, b): if subset.count_ones() >= 3 { subset } else { b };
                    add(a, b): a + b;
                    subtract(a, b): a.wrapping_sub(b);
                }
                let power = s.power_of_two(a);
                check! { s
                    power_of_two(a): 1 << (a & 15);
                    logarithm(power): power.ilog2();
                }
                check_lanes(s, s.logarithm(s.splat(0)), |_| 0);
                let by = random(&mut state) as u16;
                check_lanes(s, s.multiply(a, by), |lane| number(s, a, lane) * u32::from(by));
                looks_up(s, a, &mut state);
                differs(s, &mut state);
                transposes(s, &mut state);
            }
            ControlFlow::Continue(())
        }
    }

    fn looks_up<S: Counting>(s: S, v: S::V, state: &mut u64) {
        let table: [u16; 16] = std::array::from_fn(|_| random(state) as u16);
        for (n, found) in s.look_up(v, &table).into_iter().enumerate() {
            check_lanes(s, found, |lane| {
                table[(number(s, v, lane) >> (4 * n) & 15) as usize].into()
            });
        }
        let words: [u16; 8] = std::array::from_fn(|_| random(state) as u16);
        let bytes = table.map(|it| it as u8);
        for (n, found) in s.look_up_bytes(&words, &bytes).into_iter().enumerate() {
            assert_eq!(found, bytes[usize::from(words[n / 4] >> (n % 4 * 4) & 15)]);
        }
    }

    fn differs<S: Counting>(s: S, state: &mut u64) {
        let other: [u8; 32] = std::array::from_fn(|_| random(state) as u8);
        let mut given = other.map(|byte| [0, byte][random(state) as usize % 2]);
        assert!(!s.differ(&given, &other));
        let wrong = random(state) as usize % 32;
        given[wrong] = other[wrong] ^ 0x80;
        assert_eq!(s.differ(&given, &other), given[wrong] != 0);
    }

    fn transposes<S: Counting>(s: S, state: &mut u64) {
        let words: [[u16; 8]; 32] =
            std::array::from_fn(|_| std::array::from_fn(|_| random(state) as u16));
        let vectors = s.interleave(|lane| &words[lane]);
        for (word, &vector) in vectors.iter().enumerate() {
            check_lanes(s, vector, |lane| words[lane][word].into());
        }
        let words_of_lanes = s.deinterleave(vectors);
        for lane in 0..S::LANES {
            assert_eq!(words_of_lanes[lane % 8][lane / 8], words[lane]);
        }
    }

    #[test]
    fn each_operation_of_each_level_gives_the_stated_number_in_each_lane() {
        for level in Level::found() {
            let _ = level.run(25, Basic);
            let _ = level.run(9, Basic);
            let _ = level.run_counting(Counts);
        }
        // Not a level of x86-64, but tests use it on every machine.
        let _ = Basic.run(Portable);
        let _ = Basic.run(PortableWide);
        let _ = Counts.run(Portable);
    }
}
