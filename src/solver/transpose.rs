//! Digits of 9x9 grids on their way into lanes and back: a nibble each, four in a word, so that eight words of every lane
//! are turned at one go.

use super::lanes::bits;
use super::simd::{ALL_DIGITS, Counting, DIGIT_BITS};

/// The digits of a grid, the first lowest; what is behind them is 0.
pub(crate) type NibbleGrid = [[u16; 8]; 3];
/// The digits of a grid, a byte each, with room behind them.
pub(crate) type ByteGrid = [u8; 96];

/// Candidates of a cell by its digit, 0 for a blank.
const CANDIDATES: [u16; 16] = {
    let mut of = [ALL_DIGITS; 16];
    let mut d = 0;
    while d < 9 {
        of[d + 1] = DIGIT_BITS[d];
        d += 1;
    }
    of
};

/// Times the bit of a digit this has a code in its highest nibble, another for each digit. Its own lowest nibble is 0, so
/// that a sixteenth of it has the code a nibble lower.
const DIGIT_HASH: u16 = 0x6e10;

/// The digit of each code.
const DIGIT_OF_HASH: [u8; 16] = {
    let mut of = [0; 16];
    let mut d = 0;
    while d < 9 {
        of[(DIGIT_BITS[d].wrapping_mul(DIGIT_HASH) >> 12) as usize] = d as u8 + 1;
        d += 1;
    }
    of
};

/// The digits of a grid, a nibble each.
#[inline(always)]
pub(crate) fn to_nibbles(digits: &[u8; 81]) -> NibbleGrid {
    let mut bytes = [[[0; 2]; 8]; 3];
    let (pairs, last) = digits.as_chunks::<2>();
    for (byte, [first, second]) in bytes
        .as_flattened_mut()
        .as_flattened_mut()
        .iter_mut()
        .zip(pairs)
    {
        *byte = first | second << 4;
    }
    bytes[2][4][0] = last[0];
    bytes.map(|block| block.map(u16::from_le_bytes))
}

/// Puts digits into the cells of one lane.
#[inline(always)]
pub(crate) fn load_lane<S: Counting>(s: S, cells: &mut [S::V; 81], lane: usize, digits: &[u8; 81]) {
    for (cells, row) in cells
        .as_chunks_mut::<9>()
        .0
        .iter_mut()
        .zip(digits.as_chunks::<9>().0)
    {
        for column in 0..9 {
            s.lanes_mut(&mut cells[column])[lane & (S::LANES - 1)] =
                CANDIDATES[usize::from(row[column] & 15)];
        }
    }
}

/// Puts the digits of many lanes into their cells.
#[inline(always)]
pub(crate) fn load_lanes<S: Counting>(
    s: S,
    cells: &mut [S::V; 81],
    lanes: u32,
    grids: &[NibbleGrid; 32],
) {
    let fresh = s.from_lanes(lanes);
    let (fours, last) = cells.as_chunks_mut::<4>();
    for (block, fours) in fours.chunks_mut(8).enumerate() {
        let words = s.columns(
            #[inline(always)]
            |lane| &grids[lane % 32][block],
        );
        for (cells, &word) in fours.iter_mut().zip(&words) {
            let candidates = s.look_up(word, &CANDIDATES);
            for n in 0..4 {
                cells[n] = choose_by(s, fresh, candidates[n], cells[n]);
            }
        }
        if let [_, _, _, _] = fours {
            let [candidates, ..] = s.look_up(words[4], &CANDIDATES);
            last[0] = choose_by(s, fresh, candidates, last[0]);
        }
    }
}

/// The bits of `yes` that are in the mask, and those of `no` that are not.
#[inline(always)]
fn choose_by<S: Counting>(s: S, mask: S::V, yes: S::V, no: S::V) -> S::V {
    s.or(s.and(yes, mask), s.and_not(no, mask))
}

/// Reads the digits of solved lanes, one candidate a cell.
#[inline(always)]
pub(crate) fn read_lanes<S: Counting>(
    s: S,
    cells: &[S::V; 81],
    lanes: u32,
    grids: &mut [ByteGrid; 32],
) {
    let mut words = [s.splat(0); 24];
    let (fours, last) = cells.as_chunks::<4>();
    for (word, four) in words.iter_mut().zip(fours) {
        let mut pairs = [*word; 2];
        for (pair, &[low, high]) in pairs.iter_mut().zip(four.as_chunks::<2>().0) {
            let (low, high) = (
                s.multiply(low, DIGIT_HASH / 16),
                s.multiply(high, DIGIT_HASH),
            );
            *pair = choose_by(s, s.splat(0xf000), high, low);
        }
        *word = choose_by(s, s.splat(0xff00), pairs[1], s.shift_right(pairs[0], 8));
    }
    words[fours.len()] = s.shift_right(s.multiply(last[0], DIGIT_HASH), 12);
    for (block, words) in words.as_chunks().0.iter().enumerate() {
        let rows = s.rows(*words);
        for lane in bits(lanes) {
            let hashes = &rows[lane % 8][lane / 8 % 4];
            let digits = &mut grids[lane % 32].as_chunks_mut().0[block];
            *digits = s.look_up_bytes(hashes, &DIGIT_OF_HASH);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::simd::Simd;
    use super::super::simd::portable::Portable;
    #[cfg(target_arch = "x86_64")]
    use super::super::simd::{avx2::Avx2, avx512::Avx512};
    use super::*;

    /// A digit for each cell of each lane, all of them somewhere.
    fn digit(lane: usize, cell: usize) -> u8 {
        ((lane * 7 + cell * 5 + cell / 9) % 9 + 1) as u8
    }

    fn lanes_hold_what_was_loaded<S: Counting>(s: S) {
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
    }

    #[test]
    fn lanes_return_the_digits_that_were_loaded_at_every_level() {
        lanes_hold_what_was_loaded(Portable);
        #[cfg(target_arch = "x86_64")]
        {
            match Avx2::detect() {
                Some(level) => lanes_hold_what_was_loaded(level),
                None => eprintln!("skipped: AVX2 is not here"),
            }
            match Avx512::detect() {
                Some(level) => lanes_hold_what_was_loaded(level),
                None => eprintln!("skipped: AVX-512 is not here"),
            }
        }
    }

    #[test]
    fn a_blank_cell_may_hold_every_digit() {
        let mut cells = [Portable.splat(0); 81];
        load_lanes(Portable, &mut cells, 1, &[to_nibbles(&[0; 81]); 32]);
        assert!(
            cells
                .iter()
                .all(|cell| Portable.lanes(cell)[0] == ALL_DIGITS)
        );
        assert!(cells.iter().all(|cell| Portable.lanes(cell)[1] == 0));
    }
}
