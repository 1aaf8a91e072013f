//! Finds candidates to remove by locked candidates, naked and hidden sets, and fish, levels 2.6 to
//! 4.0, 5.0, 5.2 and 5.4.

use std::ops::Range;

use super::grid::{
    ALL_DIGITS, BOXES, CELL_MASKS, CELLS_OF, COLUMNS, Deductions, Grid, HOUSES, LINES, ROWS,
};

use crate::bits::bits;
use crate::pencil::subsets::first_subset;
use crate::pencil::technique::Technique::{self, *};

pub(super) fn pointing(grid: &Grid, found: &mut Deductions) {
    remove_locked(grid, found, Pointing, BOXES, LINES);
}

pub(super) fn claiming(grid: &Grid, found: &mut Deductions) {
    remove_locked(grid, found, Claiming, LINES, BOXES);
}

fn remove_locked(
    grid: &Grid,
    found: &mut Deductions,
    technique: Technique,
    from: Range<usize>,
    to: Range<usize>,
) {
    each_locked(grid, from, to, |digit, confining, target| {
        found.remove(grid, CELL_MASKS[target] & !CELL_MASKS[confining], digit);
        found.end_of_person(technique);
    });
}

/// Calls `on_locked(digit, a, b)` if house `a` can hold the digit only in house `b`.
pub(super) fn each_locked(
    grid: &Grid,
    from: Range<usize>,
    to: Range<usize>,
    mut on_locked: impl FnMut(usize, usize, usize),
) {
    for (a, b) in from.flat_map(|a| to.clone().map(move |b| (a, b))) {
        let (confining, other) = (CELL_MASKS[a], CELL_MASKS[b]);
        if confining & other == 0 {
            continue;
        }
        for (digit, cells) in grid.cells_for.into_iter().enumerate() {
            if cells & confining != 0 && cells & confining & !other == 0 {
                on_locked(digit, a, b);
            }
        }
    }
}

pub(super) fn naked<const K: usize>(grid: &Grid, found: &mut Deductions) {
    for cells in CELLS_OF {
        each_subset::<K>(cells.map(|cell| grid.candidates[cell]), |chosen, digits| {
            for position in bits(ALL_DIGITS & !chosen) {
                found.remove_digits(grid, cells[position], digits);
            }
            found.end_of_person([NakedPair, NakedTriple, NakedQuad][K - 2]);
        });
    }
}

pub(super) fn hidden<const K: usize>(grid: &Grid, found: &mut Deductions) {
    for house in 0..HOUSES {
        each_subset::<K>(grid.positions[house], |digits, positions| {
            for position in bits(positions) {
                found.remove_digits(grid, CELLS_OF[house][position], !digits);
            }
            found.end_of_person([HiddenPair, HiddenTriple, HiddenQuad][K - 2]);
        });
    }
}

pub(super) fn fish<const K: usize>(grid: &Grid, found: &mut Deductions) {
    for digit in 0..9 {
        for (lines, crossing) in [(ROWS, COLUMNS), (COLUMNS, ROWS)] {
            let positions = std::array::from_fn(|line| grid.positions[lines.start + line][digit]);
            each_subset::<K>(positions, |base, cover| {
                let union = |start: usize, lines: u32| {
                    bits(lines).fold(0, |cells, line| cells | CELL_MASKS[start + line])
                };
                let cells = union(crossing.start, cover) & !union(lines.start, base);
                found.remove(grid, cells, digit);
                found.end_of_person([XWing, Swordfish, Jellyfish][K - 2]);
            });
        }
    }
}

/// Calls `on_subset(members, union)` for each K of the nine sets that have at most K elements
/// together: bit i of `members` is 1 for set i. Skips sets with fewer than two elements.
pub(super) fn each_subset<const K: usize>(sets: [u32; 9], mut on_subset: impl FnMut(u32, u32)) {
    _ = first_subset::<K, K, ()>(sets.into_iter(), |subset| {
        on_subset(subset.members, subset.union);
        None
    });
}
