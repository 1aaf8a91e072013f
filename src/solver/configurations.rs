//! The six configurations in which a digit can stand in a band, and which of them a branch takes.

use super::simd::{ALL_DIGITS, Simd};

/// In which box of a band a digit stands, for each of its three minirows: a digit has six configurations to stand in a band.
/// Even permutations first: the three of one kind share no minirow, so between them they use all nine.
const CONFIGURATIONS: [[usize; 3]; 6] = [
    [0, 1, 2],
    [1, 2, 0],
    [2, 0, 1],
    [0, 2, 1],
    [1, 0, 2],
    [2, 1, 0],
];

/// The even and the odd configuration through row `r` of box `k`, at `[k][r]`.
const CONFIGURATIONS_THROUGH: [[(usize, usize); 3]; 3] = configurations_through();

const fn configurations_through() -> [[(usize, usize); 3]; 3] {
    let mut through = [[(0, 0); 3]; 3];
    let mut k = 0;
    while k < 9 {
        let mut i = 0;
        while i < 3 {
            if CONFIGURATIONS[i][k % 3] == k / 3 {
                through[k / 3][k % 3].0 = i;
            }
            if CONFIGURATIONS[i + 3][k % 3] == k / 3 {
                through[k / 3][k % 3].1 = i + 3;
            }
            i += 1;
        }
        k += 1;
    }
    through
}

/// The digits that the minirows of a band leave in each configuration.
#[inline(always)]
pub(crate) fn configurations_by_minirows<S: Simd>(s: S, minirows: &[S::V; 9]) -> [S::V; 6] {
    // A loop, since `map` is not always inlined: without, AVX2 takes twice the time.
    let mut configurations = [minirows[0]; 6];
    for i in 0..6 {
        let [a, b, c] = CONFIGURATIONS[i];
        configurations[i] = s.and3(minirows[3 * a], minirows[3 * b + 1], minirows[3 * c + 2]);
    }
    configurations
}

/// The digits that the configurations of a band leave in row `r` of box `k`.
#[inline(always)]
pub(crate) fn minirow_by_configurations<S: Simd>(
    s: S,
    configurations: &[S::V; 6],
    k: usize,
    r: usize,
) -> S::V {
    let (even, odd) = CONFIGURATIONS_THROUGH[k][r];
    s.or(configurations[even], configurations[odd])
}

/// The digits that have a configuration.
#[inline(always)]
pub(crate) fn with_a_configuration<S: Simd>(s: S, configurations: &[S::V; 6]) -> S::V {
    s.or(
        s.or3(configurations[0], configurations[1], configurations[2]),
        s.or3(configurations[3], configurations[4], configurations[5]),
    )
}

/// The configurations that are open to a digit, a bit each.
#[inline(always)]
pub(crate) fn open_configurations(configurations: &[u16; 6], digit: u16) -> u32 {
    (0..6).fold(0, |open, i| {
        open | u32::from(configurations[i] & digit != 0) << i
    })
}

/// Of the digits with two configurations or more, those with fewest.
#[inline(always)]
pub(crate) fn digits_with_fewest(configurations: &[u16; 6]) -> u16 {
    let mut at_least = [ALL_DIGITS, 0, 0, 0, 0];
    for digits in configurations {
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

/// Which of the open configurations to take first: those through the minirow that fewest of them share, with the first configuration.
#[inline(always)]
pub(crate) fn configurations_to_try_first(open: u32) -> u32 {
    TRIED_FIRST[open as usize % 64].into()
}

const TRIED_FIRST: [u8; 64] = {
    let mut parts = [0; 64];
    let mut open: u8 = 1;
    while open < 64 {
        let first = CONFIGURATIONS[open.trailing_zeros() as usize];
        parts[open as usize] = open;
        let mut row = 0;
        while row < 3 {
            let mut through = 0;
            let mut i = 0;
            while i < 6 {
                if open >> i & 1 == 1 && CONFIGURATIONS[i][row] == first[row] {
                    through |= 1 << i;
                }
                i += 1;
            }
            if u8::count_ones(through) < parts[open as usize].count_ones() {
                parts[open as usize] = through;
            }
            row += 1;
        }
        open += 1;
    }
    parts
};
