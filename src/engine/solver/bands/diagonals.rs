//! Locked candidates between the two diagonals of a 9x9 grid and the boxes they cross. With these,
//! nothing need search for singles of the diagonals: `sweep_diagonal` explains why.
//!
//! ```text
//!     d . . | . . . | . . .       A diagonal crosses three boxes. Its three cells in a box are a third of the diagonal.
//!     . d . | . . . | . . .       The other six cells (.) of the box are the rest of the box.
//!     . . d | . . . | . . .
//!     ------+-------+------
//!     . . . | d . . | . . .
//! ```

use crate::solver::constraints::houses::SweepFlags;
use crate::solver::simd::{Lane, Simd};

pub(crate) struct Diagonal {
    /// From row 1 to row 9: three cells for each third.
    pub cells: [usize; 9],
    /// For each third, the six cells of its box that are not on the diagonal.
    rests: [[usize; 6]; 3],
}

pub(crate) const DIAGONALS: [Diagonal; 2] = [
    Diagonal::from_columns([0, 1, 2, 3, 4, 5, 6, 7, 8]),
    Diagonal::from_columns([8, 7, 6, 5, 4, 3, 2, 1, 0]),
];

impl Diagonal {
    const fn from_columns(columns: [usize; 9]) -> Diagonal {
        let mut diagonal = Diagonal { cells: [0; 9], rests: [[0; 6]; 3] };
        let mut number = [0; 3];
        let mut cell = 0;
        while cell < 81 {
            let (row, column) = (cell / 9, cell % 9);
            let third = row / 3;
            if column == columns[row] {
                diagonal.cells[row] = cell;
            } else if column / 3 == columns[row] / 3 {
                diagonal.rests[third][number[third]] = cell;
                number[third] += 1;
            }
            cell += 1;
        }
        diagonal
    }
}

/// Applies locked candidates between a diagonal and its three boxes, in both directions. A digit
/// that the diagonal cannot hold, or that two boxes hold on the diagonal only, is a contradiction.
///
/// Together with the singles of the boxes, this finds the singles of the diagonal. A digit that a
/// box has placed on the diagonal is lost to the other thirds. If only one cell of the diagonal can
/// hold a digit, the rest of its box loses it, so the next sweep of the box finds a hidden single.
// Tried: cells in tables instead of constants. 10 % slower on grids that also have windows.
#[inline(always)]
pub(crate) fn sweep_diagonal<S: Simd>(
    diagonal: &Diagonal,
    cells: &mut [S::V; 81],
    flags: &mut SweepFlags<S>,
) {
    let (s, every_digit) = (flags.s, flags.every_digit);
    let none = s.splat(S::Lane::from_digits(0));
    // For each third: the digits of its cells, those of the rest of its box, and those that the box
    // holds on the diagonal only (claimed). The other thirds lose the claimed ones.
    let [mut held, mut outside, mut claimed] = [[none; 3]; 3];
    for k in 0..3 {
        let [a, b, c] = [0, 1, 2].map(
            #[inline(always)]
            |i| cells[diagonal.cells[3 * k + i]],
        );
        held[k] = s.or3(a, b, c);
        outside[k] = held_by_six(s, cells, diagonal.rests[k]);
        claimed[k] = s.and_not(held[k], outside[k]);
    }
    let claims = s.or3(claimed[0], claimed[1], claimed[2]);
    let by_two = s.majority(claimed[0], claimed[1], claimed[2]);
    flags.contradiction = s.or(flags.contradiction, by_two);
    let in_two = s.majority(held[0], held[1], held[2]);
    // If two boxes have claimed the same digit, this can report a change although no cell changes.
    // The lane then has a contradiction anyway.
    flags.changed = s.or_and(flags.changed, claims, in_two);
    for k in 0..3 {
        for cell in &diagonal.cells[3 * k..3 * k + 3] {
            let cell = &mut cells[*cell];
            *cell = s.remove_except(*cell, claims, claimed[k]);
        }
        held[k] = s.remove_except(held[k], claims, claimed[k]);
    }
    let any = s.or3(held[0], held[1], held[2]);
    let in_two = s.majority(held[0], held[1], held[2]);
    flags.contradiction = s.or_and_not(flags.contradiction, every_digit, any);
    // If the diagonal holds a digit in one third only, the rest of that box loses it. The jump
    // saves time, because usually no lane has a digit to remove.
    let mut pointed = [none; 3];
    for k in 0..3 {
        pointed[k] = s.and(s.and_not(held[k], in_two), outside[k]);
    }
    let some = s.or3(pointed[0], pointed[1], pointed[2]);
    if s.nonzero_lanes(some) != 0 {
        flags.changed = s.or(flags.changed, some);
        for (rest, pointed) in diagonal.rests.iter().zip(pointed) {
            for &cell in rest {
                let cell = &mut cells[cell];
                *cell = s.and_not(*cell, pointed);
            }
        }
    }
}

#[inline(always)]
fn held_by_six<S: Simd>(s: S, cells: &[S::V; 81], [a, b, c, d, e, f]: [usize; 6]) -> S::V {
    let some = s.or3(cells[a], cells[b], cells[c]);
    let others = s.or3(cells[d], cells[e], cells[f]);
    s.or(some, others)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use crate::solver::simd::portable::Portable;

    #[test]
    fn diagonals_have_three_cells_in_each_of_three_boxes() {
        let [falling, rising] = DIAGONALS;
        assert_eq!(falling.cells, [0, 10, 20, 30, 40, 50, 60, 70, 80]);
        assert_eq!(falling.rests[0], [1, 2, 9, 11, 18, 19]);
        assert_eq!(rising.cells, [8, 16, 24, 32, 40, 48, 56, 64, 72]);
        assert_eq!(rising.rests[2], [54, 55, 63, 65, 73, 74]);
    }

    #[test]
    fn a_digit_locked_in_a_third_leaves_the_rest_of_its_box_and_the_other_thirds() {
        let s = Portable;
        let mut random = Random::new(7);
        let mut lost = 0;
        for n in 0..300 {
            let diagonal = &DIAGONALS[n % 2];
            let before: [u32; 81] = std::array::from_fn(|_| random.below(512) & random.below(512));
            let mut cells = before.map(|cell| s.splat(u16::from_digits(cell)));
            let mut flags = SweepFlags::new(s, s.splat(511));
            sweep_diagonal(diagonal, &mut cells, &mut flags);
            if s.nonzero_lanes(flags.contradiction) != 0 {
                continue;
            }
            let held = |cells: &[u32], some: &[usize]| -> u32 {
                some.iter().fold(0, |held, &cell| held | cells[cell])
            };
            let third = |k: usize| &diagonal.cells[3 * k..3 * k + 3];
            let mut after = before;
            for k in 0..3 {
                let claimed = held(&before, third(k)) & !held(&before, &diagonal.rests[k]);
                for other in (0..3).filter(|&other| other != k).flat_map(third) {
                    after[*other] &= !claimed;
                }
            }
            let house = after;
            for k in 0..3 {
                let elsewhere = held(&house, third((k + 1) % 3)) | held(&house, third((k + 2) % 3));
                let pointed = held(&house, third(k)) & !elsewhere;
                for &cell in &diagonal.rests[k] {
                    after[cell] &= !pointed;
                }
            }
            let found = cells.each_ref().map(|set| u32::from(s.lanes(set)[0]));
            assert_eq!(found, after);
            assert_eq!(s.nonzero_lanes(flags.changed) != 0, after != before);
            lost += u32::from(after != before);
        }
        assert!(lost > 30, "{lost}");
    }
}
