//! Loads the digits of 9x9 grids into the lanes of a band board, and reads solutions from them: one
//! lane at a time, or all lanes with vectors. With vectors, a word holds four digits, so one
//! transposition of eight words per lane moves 32 cells. `Counting::interleave` and `deinterleave`
//! transpose words.
//!
//! ```text
//!     grid of one lane     24 words; cell c is nibble c % 4 of word c / 4 (nibble 0: bits 0-3); 0 is a blank cell
//!     block b              words 8*b to 8*b + 7: cells 32*b to 32*b + 31
//!     vectors of a block   vector w holds word 8*b + w of every lane
//!     cells of a block     each nibble of such a vector gives the candidates of one cell in every lane
//! ```

use crate::bits::bits;
use crate::solver::simd::{ALL_DIGITS, Counting, DIGIT_BITS};

/// The 15 nibbles after cell 80 are 0.
pub(crate) type NibbleGrid = [[u16; 8]; 3];
/// One byte per digit. The bytes after cell 80 have no meaning.
pub(crate) type ByteGrid = [u8; 96];

/// The candidates of a cell by its given: the bit of this digit, or all digits for 0 (a blank
/// cell). Entries 10 to 15 are not used.
const CANDIDATES: [u16; 16] = {
    let mut of = [ALL_DIGITS; 16];
    let mut d = 0;
    while d < 9 {
        of[d + 1] = DIGIT_BITS[d];
        d += 1;
    }
    of
};

/// Perfect hash: `digit * DIGIT_HASH`, modulo 2^16, has a different value in its top four bits for
/// each `digit` of `DIGIT_BITS`.
///
/// The lowest nibble is 0, so `DIGIT_HASH / 16` puts the same hash into bits 8-11.
const DIGIT_HASH: u16 = 0x6e10;

/// 0 for the values that are not the hash of a digit.
const DIGIT_OF_HASH: [u8; 16] = {
    let mut of = [0; 16];
    let mut d = 0;
    while d < 9 {
        of[(DIGIT_BITS[d].wrapping_mul(DIGIT_HASH) >> 12) as usize] = d as u8 + 1;
        d += 1;
    }
    of
};

#[inline(always)]
pub(crate) fn to_nibbles(digits: &[u8; 81]) -> NibbleGrid {
    let mut bytes = [[[0; 2]; 8]; 3];
    let (pairs, last) = digits.as_chunks::<2>();
    for (byte, [first, second]) in bytes.as_flattened_mut().as_flattened_mut().iter_mut().zip(pairs)
    {
        *byte = first | second << 4;
    }
    // Cell 80 is nibble 0 of word 20, which is word 4 of block 2.
    bytes[2][4][0] = last[0];
    bytes.map(|block| block.map(u16::from_le_bytes))
}

#[inline(always)]
pub(crate) fn load_lane<S: Counting>(s: S, cells: &mut [S::V; 81], lane: usize, digits: &[u8; 81]) {
    for (cells, row) in cells.as_chunks_mut::<9>().0.iter_mut().zip(digits.as_chunks::<9>().0) {
        for column in 0..9 {
            s.lanes_mut(&mut cells[column])[lane & (S::LANES - 1)] =
                CANDIDATES[usize::from(row[column] & 15)];
        }
    }
}

#[inline(always)]
pub(crate) fn load_lanes<S: Counting>(
    s: S,
    cells: &mut [S::V; 81],
    lanes: u32,
    grids: &[NibbleGrid; 32],
) {
    let fresh = s.from_lanes(lanes);
    // Blocks 0 and 1 have eight groups of four cells. Block 2 has four, and the last cell is in its
    // fifth word.
    let (fours, last) = cells.as_chunks_mut::<4>();
    for (block, fours) in fours.chunks_mut(8).enumerate() {
        let words = s.interleave(
            #[inline(always)]
            |lane| &grids[lane % 32][block],
        );
        for (cells, &word) in fours.iter_mut().zip(&words) {
            let candidates = s.look_up(word, &CANDIDATES);
            for n in 0..4 {
                cells[n] = select(s, fresh, candidates[n], cells[n]);
            }
        }
        if block == 2 {
            let [candidates, ..] = s.look_up(words[4], &CANDIDATES);
            last[0] = select(s, fresh, candidates, last[0]);
        }
    }
}

#[inline(always)]
fn select<S: Counting>(s: S, mask: S::V, yes: S::V, no: S::V) -> S::V {
    s.or(s.and(yes, mask), s.and_not(no, mask))
}

/// Each cell must have one candidate.
#[inline(always)]
fn read_lane<S: Counting>(s: S, cells: &[S::V; 81], lane: usize, grid: &mut ByteGrid) {
    let rows = grid.as_chunks_mut::<9>().0.iter_mut();
    for (row, cells) in rows.zip(cells.as_chunks::<9>().0) {
        for column in 0..9 {
            let bit = s.lanes(&cells[column])[lane & (S::LANES - 1)];
            row[column] = DIGIT_OF_HASH[usize::from(bit.wrapping_mul(DIGIT_HASH) >> 12)];
        }
    }
}

/// The cells must be solved. In the high byte of each lane, bits 8-11 are the hash for `low`, bits
/// 12-15 that for `high`. The low byte has no meaning.
#[inline(always)]
fn hashes_of_two<S: Counting>(s: S, low: S::V, high: S::V) -> S::V {
    let low = s.multiply(low, DIGIT_HASH / 16);
    select(s, s.splat(0xf000), s.multiply(high, DIGIT_HASH), low)
}

/// The lanes must be solved. The grids of other lanes stay as they are.
#[inline(always)]
pub(crate) fn read_lanes<S: Counting>(
    s: S,
    cells: &[S::V; 81],
    lanes: u32,
    grids: &mut [ByteGrid; 32],
) {
    if !S::HAS_LOOK_UP {
        for lane in bits(lanes) {
            read_lane(s, cells, lane, &mut grids[lane % 32]);
        }
        return;
    }
    // Hashes in the layout of a `NibbleGrid`, eight vectors per block.
    let mut words = [s.splat(0); 24];
    let (fours, last) = cells.as_chunks::<4>();
    for (word, &[a, b, c, d]) in words.iter_mut().zip(fours) {
        let (low, high) = (hashes_of_two(s, a, b), hashes_of_two(s, c, d));
        *word = select(s, s.splat(0xff00), high, s.shift_right(low, 8));
    }
    words[fours.len()] = s.shift_right(s.multiply(last[0], DIGIT_HASH), 12);
    for (block, words) in words.as_chunks().0.iter().enumerate() {
        let words = s.deinterleave(*words);
        for lane in bits(lanes) {
            let hashes = &words[lane % 8][lane / 8 % 4];
            let digits = &mut grids[lane % 32].as_chunks_mut().0[block];
            *digits = s.look_up_bytes(hashes, &DIGIT_OF_HASH);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::solver::simd::level::Level;
    use crate::solver::simd::portable::Portable;
    use crate::solver::simd::{CountingJob, Simd};

    /// Returns a digit for each cell of each lane. Every digit occurs.
    fn digit(lane: usize, cell: usize) -> u8 {
        ((lane * 7 + cell * 5 + cell / 9) % 9 + 1) as u8
    }

    /// Checks that lanes return the digits that were loaded.
    #[derive(Clone, Copy)]
    struct LoadsAndReads;

    impl CountingJob for LoadsAndReads {
        type Answer = ControlFlow<()>;
        fn run<S: Counting>(self, s: S) -> ControlFlow<()> {
            let lanes = u32::MAX >> (32 - S::LANES) & !0b100;
            let grids: [[u8; 81]; 32] =
                std::array::from_fn(|lane| std::array::from_fn(|cell| digit(lane, cell)));
            let mut cells = [s.splat(ALL_DIGITS); 81];
            load_lanes(s, &mut cells, lanes, &grids.each_ref().map(to_nibbles));
            let mut plain = [s.splat(ALL_DIGITS); 81];
            for lane in bits(lanes) {
                load_lane(s, &mut plain, lane, &grids[lane]);
            }
            for (cell, plain) in cells.iter().zip(&plain) {
                assert_eq!(s.lanes(cell), s.lanes(plain));
            }
            let mut found = [[0; 96]; 32];
            read_lanes(s, &cells, lanes, &mut found);
            for lane in bits(lanes) {
                assert_eq!(found[lane][..81], grids[lane]);
            }
            assert_eq!(found[2], [0; 96], "the lane that was left out");
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn lanes_return_the_digits_that_were_loaded_at_every_level() {
        for level in Level::found() {
            let _ = level.run_counting(LoadsAndReads);
        }
    }

    #[test]
    fn a_blank_cell_may_hold_every_digit() {
        let mut cells = [Portable.splat(0); 81];
        load_lanes(Portable, &mut cells, 1, &[to_nibbles(&[0; 81]); 32]);
        assert!(cells.iter().all(|cell| Portable.lanes(cell)[0] == ALL_DIGITS));
        assert!(cells.iter().all(|cell| Portable.lanes(cell)[1] == 0));
    }
}
