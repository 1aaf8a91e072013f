//! Vectors of digit sets, one puzzle a lane: the operations sweeps are written in, and the levels of machine that
//! provide them. Knows nothing of Sudoku but that a digit is a bit.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod checked_index;
pub(crate) mod portable;

pub(crate) use checked_index::CheckedIndex;

/// A token that proves its instructions exist on this machine: only `detect` of its level can make one.
///
/// Methods are `#[inline(always)]`, and become single instructions when called below `run`.
pub(crate) trait Simd: Copy {
    /// Puzzles side by side; at most 32, a mask of lanes being a `u32`.
    const LANES: usize;
    /// One set of digits a lane.
    type V: Copy;
    /// What a lane holds: 16 bits, or 32 for puzzles of more than 16 digits.
    type Lane: Lane;
    /// Whether it is 16 bits.
    const IS_NARROW: bool = size_of::<Self::Lane>() == 2;

    /// Does `job` with the instructions of this level allowed in all that is inlined into it. The job must be a loop:
    /// what is not inlined (a recursion) would call every instruction as a function. It is never inlined into the caller.
    fn run<J: Job<Self>>(self, job: J) -> J::Answer;

    /// The same set in every lane.
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
    /// What is in at least two of three.
    fn majority(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a & (b | c)`
    fn and_either(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `a & !(b | c)`
    fn and_neither(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `found | (a & b)`
    fn note_common(self, found: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `set & (!gone | kept)`
    fn drop_unless(self, set: Self::V, gone: Self::V, kept: Self::V) -> Self::V;
    /// `set & !(a & b)`
    fn drop_common(self, set: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `found | (a ^ b)`
    fn note_difference(self, found: Self::V, a: Self::V, b: Self::V) -> Self::V;
    /// `found | (wanted & !had)`
    fn note_missing(self, found: Self::V, wanted: Self::V, had: Self::V) -> Self::V;
    /// The set where it has one digit (or none), else the empty set.
    fn single_or_none(self, set: Self::V) -> Self::V;
    /// `set & best` where they meet, else `set`.
    fn narrow_if_met(self, set: Self::V, best: Self::V) -> Self::V;
    /// `best` where the set meets it, else `other`, of which `best` is a part.
    fn choose_if_met(self, set: Self::V, best: Self::V, other: Self::V) -> Self::V;
    /// The set without its least digit.
    fn without_least(self, set: Self::V) -> Self::V;
    /// Every digit so many places higher; those that leave the lane are lost. The number is to be known when compiling.
    fn shift_left(self, set: Self::V, by: u32) -> Self::V;
    /// Every digit so many places lower.
    fn shift_right(self, set: Self::V, by: u32) -> Self::V;
    /// The lesser number of each lane.
    fn min(self, a: Self::V, b: Self::V) -> Self::V;

    /// The lanes that are not zero, a bit each.
    fn nonzero_lanes(self, v: Self::V) -> u32;
    /// All ones in the lanes of the mask, zero in the others.
    #[allow(clippy::wrong_self_convention)]
    fn from_lanes(self, lanes: u32) -> Self::V;
    /// The lanes as an array of `LANES`.
    fn lanes(self, v: &Self::V) -> &[Self::Lane];
    /// The same, to write to.
    fn lanes_mut(self, v: &mut Self::V) -> &mut [Self::Lane];
}

/// What a sweep of bands needs besides: above all, it counts digits.
pub(crate) trait Counting: Simd<Lane = u16> {
    /// How many digits, as a number in each lane. Sets of `ALL_DIGITS` only.
    fn count(self, set: Self::V) -> Self::V;
    /// What is in exactly one of three.
    fn only_one(self, a: Self::V, b: Self::V, c: Self::V) -> Self::V;
    /// `yes` where `number` is three, else `no`.
    fn choose_if_three(self, number: Self::V, yes: Self::V, no: Self::V) -> Self::V;
    /// The sum of each lane.
    fn add(self, a: Self::V, b: Self::V) -> Self::V;
    /// The low half of the product of each lane.
    fn multiply(self, a: Self::V, by: u16) -> Self::V;
    /// What `table` holds at the four nibbles of each lane, the lowest first.
    fn look_up(self, nibbles: Self::V, table: &[u16; 16]) -> [Self::V; 4];
    /// The same of bytes and for eight words of one lane.
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32];
    /// Whether some byte that is not zero differs from its counterpart.
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool;
    /// Eight words of each lane to a word of each lane, eight times.
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [u16; 8]) -> [Self::V; 8];
    /// A word of each lane, eight times, to eight words of each lane.
    fn rows(self, columns: [Self::V; 8]) -> Rows;
}

/// Eight words of each lane, for as many lanes as any level has: those of lane l at `[l % 8][l / 8]`; nothing is promised
/// of lanes that the level has not.
pub(crate) type Rows = [[[u16; 8]; 4]; 8];

/// The bit of each digit in a lane that is to be counted, from digit 1. Spread over two nibbles and one bit more, so
/// that one shuffle of bytes by nibbles counts the first eight and one shift the ninth (`Counting::count` where there is
/// no instruction for it).
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

/// All nine digits as they are counted.
pub(crate) const ALL_DIGITS: u16 = 0x1f0f;

/// The contents of one lane.
pub(crate) trait Lane: Copy + Into<u32> {
    /// A set of digits; those that do not fit are lost.
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

/// Work written once for every level.
pub(crate) trait Job<S> {
    type Answer;
    fn run(self, s: S) -> Self::Answer;
}
