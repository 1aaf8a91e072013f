//! The six ways in which a digit can stand in a band, and which of them a branch takes.

use super::simd::{ALL_DIGITS, Simd};

/// In which box of a band a digit stands, for each of its three lines: a digit has six ways to stand in a band.
/// Even permutations first: the three of one kind share no line, so between them they use all nine.
const WAYS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
];

/// The even and the odd way through row `r` of box `k`, at `[k][r]`.
const WAYS_THROUGH: [[(usize, usize); 3]; 3] = ways_through();

const fn ways_through() -> [[(usize, usize); 3]; 3] {
    let mut through = [[(0, 0); 3]; 3];
    let mut k = 0;
    while k < 9 {
        let mut way = 0;
        while way < 3 {
            if WAYS[way][k % 3] == k / 3 {
                through[k / 3][k % 3].0 = way;
            }
            if WAYS[way + 3][k % 3] == k / 3 {
                through[k / 3][k % 3].1 = way + 3;
            }
            way += 1;
        }
        k += 1;
    }
    through
}

/// The digits that the lines of a band leave in each way.
#[inline(always)]
pub(crate) fn ways_by_lines<S: Simd>(s: S, lines: &[S::V; 9]) -> [S::V; 6] {
    // A loop, since `map` is not always inlined: without, AVX2 takes twice the time.
    let mut ways = [lines[0]; 6];
    for way in 0..6 {
        let [a, b, c] = WAYS[way];
        ways[way] = s.and3(lines[3 * a], lines[3 * b + 1], lines[3 * c + 2]);
    }
    ways
}

/// The digits that the ways of a band leave in row `r` of box `k`.
#[inline(always)]
pub(crate) fn line_by_ways<S: Simd>(s: S, ways: &[S::V; 6], k: usize, r: usize) -> S::V {
    let (even, odd) = WAYS_THROUGH[k][r];
    s.or(ways[even], ways[odd])
}

/// The digits that have a way.
#[inline(always)]
pub(crate) fn with_a_way<S: Simd>(s: S, ways: &[S::V; 6]) -> S::V {
    s.or(
        s.or3(ways[0], ways[1], ways[2]),
        s.or3(ways[3], ways[4], ways[5]),
    )
}

/// The ways that are open to a digit, a bit each.
#[inline(always)]
pub(crate) fn open_ways(ways: &[u16; 6], digit: u16) -> u32 {
    (0..6).fold(0, |open, way| {
        open | u32::from(ways[way] & digit != 0) << way
    })
}

/// Of the digits with two ways or more, those with fewest.
#[inline(always)]
pub(crate) fn digits_with_fewest(ways: &[u16; 6]) -> u16 {
    let mut at_least = [ALL_DIGITS, 0, 0, 0, 0];
    for digits in ways {
        for n in (0..4).rev() {
            at_least[n + 1] |= at_least[n] & digits;
        }
    }
    let two = at_least[2] & !at_least[3];
    let three = at_least[3] & !at_least[4];
    let best = [two, three].into_iter().find(|&digits| digits != 0);
    best.unwrap_or(at_least[4])
}

/// The least digit of a set.
pub(crate) fn least(digits: u16) -> u16 {
    digits & digits.wrapping_neg()
}

/// Which of the open ways to take first: those through the line that fewest of them share, with the first way.
#[inline(always)]
pub(crate) fn part_of_ways(open: u32) -> u32 {
    PART_OF_WAYS[open as usize % 64].into()
}

const PART_OF_WAYS: [u8; 64] = {
    let mut parts = [0; 64];
    let mut open: u8 = 1;
    while open < 64 {
        let first = WAYS[open.trailing_zeros() as usize];
        parts[open as usize] = open;
        let mut line = 0;
        while line < 3 {
            let mut through = 0;
            let mut way = 0;
            while way < 6 {
                if open >> way & 1 == 1 && WAYS[way][line] == first[line] {
                    through |= 1 << way;
                }
                way += 1;
            }
            if u8::count_ones(through) < parts[open as usize].count_ones() {
                parts[open as usize] = through;
            }
            line += 1;
        }
        open += 1;
    }
    parts
};
