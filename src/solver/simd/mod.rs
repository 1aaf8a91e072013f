//! Vectors of digit sets, with one puzzle in each lane: the operations that sweeps use, and the levels that implement them.
//! Independent of Sudoku, except that a digit is a bit.
//!
//! ```text
//!                      lane 0    lane 1    ...   lane LANES - 1
//!     one vector V     {1,5,9}   {2}       ...   {}                a set of digits for the same cell of LANES puzzles
//!     a mask: u32      bit 0     bit 1     ...   bit LANES - 1     some of the lanes
//!
//!     level       lanes of 16 bits   lanes of 32 bits (more than 16 digits)
//!     portable    8                  4
//!     AVX2        16                 8
//!     AVX-512     32                 16
//! ```

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod checked_index;
pub(crate) mod level;
pub(crate) mod portable;

pub(crate) use checked_index::CheckedIndex;

/// A token that proves that the machine has the instructions of a level. Only `detect` of the level creates one.
///
/// The methods are `#[inline(always)]` and become one or a few instructions inside `run`.
pub(crate) trait Simd: Copy {
    /// Number of lanes; at most 32, because a mask of lanes is a `u32`.
    const LANES: usize;
    /// A vector: one set of digits for each lane.
    type V: Copy;
    /// The integer in a lane: `u16`, or `u32` for puzzles of more than 16 digits.
    type Lane: Lane;
    /// True if a lane has 16 bits.
    const IS_NARROW: bool = size_of::<Self::Lane>() == 2;

    /// Runs `job` with the instructions of this level enabled in everything that is inlined into it. Never inlined itself. A
    /// job must not recurse: code that is not inlined calls each instruction as a function.
    fn run<J: Job<Self>>(self, job: J) -> J::Answer;

    /// Returns the same set in every lane.
    fn splat(self, digits: Self::Lane) -> Self::V;
    /// `a & b`
    fn and(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a | b`
    fn or(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & !b`
    fn and_not(self, a: Self::V, b: Self::V) -> Self::V;
    /// `a & b & c`
    fn and3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a | b | c`
    fn or3(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Returns the digits in at least two of three sets.
    fn majority(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a & (b | c)`
    fn and_or(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a & !(b | c)`
    fn and_nor(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `found | (a & b)`
    fn or_and(self, found: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `set & (!gone | except)`
    fn drop_unless(self, set: Self::V, gone: Self::V, except: Self::V) -> Self::V;
    /// `set & !(a & b)`
    fn drop_common(self, set: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `found | (a ^ b)`
    fn or_xor(self, found: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `found | (wanted & !had)`
    fn or_and_not(self, found: Self::V, wanted: Self::V, had: Self::V) -> Self::V;
    /// Returns the set in lanes where it has exactly one digit, and the empty set in the others.
    fn single_or_none(self, set: Self::V) -> Self::V;
    /// Returns `set & best` in lanes where the two have a common digit, and `set` in the others.
    fn intersect_if_overlapping(self, set: Self::V, best: Self::V) -> Self::V;
    /// Returns `best` in lanes where it has a common digit with `set`, and `other` in the others. `best` must be a subset of
    /// `other`.
    fn choose_if_overlapping(self, set: Self::V, best: Self::V, other: Self::V) -> Self::V;
    /// Returns the set without its lowest digit.
    fn without_least(self, set: Self::V) -> Self::V;
    /// Shifts the bits of each lane to the left. `by` must be a constant after inlining.
    fn shift_left(self, set: Self::V, by: u32) -> Self::V;
    /// Shifts the bits of each lane to the right.
    fn shift_right(self, set: Self::V, by: u32) -> Self::V;
    /// Returns the lesser number in each lane.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;

    /// Returns the mask of lanes that are not zero.
    fn nonzero_lanes(self, v: Self::V) -> u32;
    /// Returns all ones in the lanes of the mask, and 0 in the others.
    #[allow(clippy::wrong_self_convention)]
    fn from_lanes(self, lanes: u32) -> Self::V;
    /// Borrows the vector as a slice of `LANES` integers. An index of the form `lane & (LANES - 1)` needs no bounds check.
    fn lanes(self, v: &Self::V) -> &[Self::Lane];
    /// Borrows the vector as a mutable slice of `LANES` integers.
    fn lanes_mut(self, v: &mut Self::V) -> &mut [Self::Lane];
}

/// The operations that only the board of bands needs: counting, and the transposition of grids.
pub(crate) trait Counting: Simd<Lane = u16> {
    /// Returns the number of digits in each lane. For subsets of `ALL_DIGITS` only.
    fn count(self, set: Self::V) -> Self::V;
    /// Returns the digits in exactly one of three sets.
    fn only_one(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// Returns `yes` in lanes where `number` is 3, and `no` in the others.
    fn choose_if_three(self, number: Self::V, yes: Self::V, no: Self::V) -> Self::V;
    /// Adds the numbers of each lane.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// Returns the low 16 bits of each product.
    fn multiply(self, a: Self::V, by: u16) -> Self::V;
    /// Looks up the four nibbles of each lane in `table`. Element n of the result is for nibble n (bits 4n to 4n + 3).
    fn look_up(self, nibbles: Self::V, table: &[u16; 16]) -> [Self::V; 4];
    /// Looks up the 32 nibbles of eight words in `table`, the lowest nibble of the first word first.
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32];
    /// Returns whether some byte of `given` that is not 0 differs from the same byte of `other`.
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool;
    /// Transposes: `row(lane)` returns eight words of a lane; vector w of the result holds word w of every lane.
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [u16; 8]) -> [Self::V; 8];
    /// Transposes back: returns the eight words of each lane.
    fn rows(self, columns: [Self::V; 8]) -> Rows;
}

/// Eight words of each of 32 lanes; the words of lane l are at `[l % 8][l / 8]`. Lanes that the level lacks are undefined.
pub(crate) type Rows = [[[u16; 8]; 4]; 8];

/// The bit of each digit on a board of bands, from digit 1. Digits are not consecutive bits, so that `Counting::count` is short
/// on machines without a counting instruction:
///
/// ```text
///     bit     15 14 13   12   11 10 9 8   7 6 5 4   3 2 1 0
///     digit    -  -  -    9    8  7 6 5   - - - -   4 3 2 1       a byte shuffle counts both groups of four; a shift adds 9
/// ```
pub(crate) const DIGIT_BITS: [u16; 9] = [
    1 << 0,
    1 << 1,
    1 << 2,
    1 << 3,
    1 << 8,
    1 << 9,
    1 << 10,
    1 << 11,
    1 << 12,
];

/// The set of all nine digits.
pub(crate) const ALL_DIGITS: u16 = 0x1f0f;

/// The integer in a lane.
pub(crate) trait Lane: Copy + Into<u32> {
    /// Converts a set of digits. Drops digits that do not fit.
    fn of(digits: u32) -> Self;
}

impl Lane for u16 {
    #[inline(always)]
    fn of(digits: u32) -> u16 {
        digits as u16
    }
}

impl Lane for u32 {
    #[inline(always)]
    fn of(digits: u32) -> u32 {
        digits
    }
}

/// Code that is written once for all levels.
pub(crate) trait Job<S> {
    type Answer;
    fn run(self, s: S) -> Self::Answer;
}
