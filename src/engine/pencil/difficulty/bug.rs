//! Finds candidates to remove by the bivalue universal grave (BUG), levels 5.6 to 6.1.
//!
//! A grave is a grid in which each blank cell has two candidates, and each house two places for
//! each digit that it lacks. It has no solution or several. So a puzzle that would be a grave
//! without its *extra* candidates holds at least one of them.

use super::grid::{
    CELL_MASKS, CELLS_OF, CellMask, Deductions, Grid, HOUSES, cell_list, cells_at, cells_of,
    common_houses, common_peers, mask_of, name_of, positions_in, subsets_of,
};

use crate::bits::bits;
use crate::pencil::pattern::{ChainNode, Word};
use crate::pencil::technique::Technique::BivalueUniversalGrave;

pub(super) type Extras = [u32; 81];

/// The level is in tenths: type 1 at 56, types 2 and 4 at 57, then type 3.
pub(super) fn find(grid: &Grid, extras: &Extras, level: u32, found: &mut Deductions) {
    let cells: Vec<usize> = (0..81).filter(|&cell| extras[cell] != 0).collect();
    let digits = extras.iter().fold(0, |set, extra| set | extra);
    match (level, &cells[..]) {
        // Type 1: one cell has extra candidates. It loses the others.
        (56, &[cell]) => {
            found.remove_digits(grid, cell, !extras[cell]);
            end(found, extras, "type 1", Vec::new);
        }
        (57, [_, _, ..]) => {
            // Type 2: several cells have the same extra candidate. Their common peers lose it.
            if digits.is_power_of_two() {
                let seen = common_peers(mask_of(cells.iter().copied()));
                found.remove(grid, seen, digits.trailing_zeros() as usize);
                end(found, extras, "type 2", Vec::new);
            }
            if let [first, second] = cells[..] {
                confined_digit(grid, extras, [first, second], found);
            }
        }
        // Type 3: a naked set of two digits at level 58, and of one more at each next level.
        (58.., [_, _, ..]) if !digits.is_power_of_two() => {
            naked_set(grid, extras, level - 56, found);
        }
        _ => {}
    }
}

/// Ends a pattern: the extra candidates, the name of the type, and what only this type has.
fn end(
    found: &mut Deductions,
    extras: &Extras,
    name: &'static str,
    more: impl FnOnce() -> Vec<Word>,
) {
    found.end(BivalueUniversalGrave, || {
        let cells = (0..81).filter(|&cell| extras[cell] != 0);
        let extra_candidates = cells.flat_map(|cell| {
            let digits = bits(extras[cell]);
            digits.map(move |digit| ChainNode { cells: vec![cell as u16], digit: digit as u8 })
        });
        let mut words: Vec<Word> = extra_candidates.map(Word::Node).collect();
        words.push(Word::Type(name));
        words.extend(more());
        words
    });
}

/// Type 4: the house of the two cells has no other place for a candidate that is not extra. So one
/// cell holds it, and the other an extra one. The two cells lose their other candidates.
fn confined_digit(grid: &Grid, extras: &Extras, cells: [usize; 2], found: &mut Deductions) {
    let [first, second] = cells;
    let extra = extras[first] | extras[second];
    let common = grid.candidates[first] & grid.candidates[second] & !extra;
    if common.is_power_of_two() && common_houses(mask_of(cells)).next().is_some() {
        for cell in cells {
            found.remove_digits(grid, cell, !(common | extras[cell]));
        }
        end(found, extras, "type 4", || vec![Word::SetDigits(common)]);
    }
}

/// Type 3: the cells share a house, and one of them holds an extra candidate, so together they
/// count as one cell with these candidates. With `size - 1` other cells, it is a naked set of
/// `size` digits.
fn naked_set(grid: &Grid, extras: &Extras, size: u32, found: &mut Deductions) {
    let with_extras = mask_of((0..81).filter(|&cell| extras[cell] != 0));
    let digits = extras.iter().fold(0, |set, extra| set | extra);
    for house in common_houses(with_extras) {
        let candidates = CELLS_OF[house].map(|cell| grid.candidates[cell]);
        let others = positions_in(house, grid.blanks & !with_extras);
        for chosen in subsets_of(others, size - 1) {
            let set = bits(chosen).fold(0, |set, position| set | candidates[position]);
            if set.count_ones() == size && digits & !set == 0 {
                for position in bits(others & !chosen) {
                    found.remove_digits(grid, CELLS_OF[house][position], set);
                }
                end(found, extras, "type 3", || {
                    let cells = Word::SetCells(cell_list(cells_at(house, chosen)));
                    vec![Word::House(name_of(house)), cells, Word::SetDigits(set)]
                });
            }
        }
    }
}

/// Returns `None` if the puzzle without its extra candidates is no grave.
pub(super) fn extras(grid: &Grid) -> Option<Box<Extras>> {
    /// With more cells of three or more candidates, no grave is looked for.
    const MAX_CELLS: usize = 20;
    let is_large = |&cell: &usize| grid.candidates[cell].count_ones() > 2;
    let large = mask_of(cells_of(grid.blanks).filter(is_large));
    if large == 0 || large.count_ones() as usize > MAX_CELLS {
        return None;
    }
    let extras = suspects(grid, large)?;
    let mut grave = grid.clone();
    for cell in cells_of(large) {
        bits(extras[cell]).for_each(|digit| grave.remove(cell, digit));
    }
    let has_two = |set: &u32| matches!(set.count_ones(), 0 | 2);
    let is_grave =
        grave.cells_with(2) == grave.blanks && grave.positions.as_flattened().iter().all(has_two);
    is_grave.then_some(extras)
}

/// `large` are the cells with more than two candidates: only these have extra ones.
///
/// In a grave, a house has two places for a digit, or none. If a house has another number, at least
/// one of these places must be extra: those in large cells are the suspects. If there is none,
/// returns `None`; a single one is extra. If all suspects of the grid are of one digit, takes all
/// of them as extra; the caller checks the result.
fn suspects(grid: &Grid, large: CellMask) -> Option<Box<Extras>> {
    let mut extras = Box::new([0; 81]);
    let mut suspects_of: [CellMask; 9] = [0; 9];
    for (house, digit) in (0..HOUSES).flat_map(|house| (0..9).map(move |digit| (house, digit))) {
        if matches!(grid.positions[house][digit].count_ones(), 0 | 2) {
            continue;
        }
        let suspects = grid.cells_for[digit] & CELL_MASKS[house] & large;
        match suspects.count_ones() {
            0 => return None,
            1 => extras[suspects.trailing_zeros() as usize] |= 1 << digit,
            _ => {}
        }
        suspects_of[digit] |= suspects;
    }
    let mut suspects = (0..9).zip(suspects_of).filter(|&(_, cells)| cells != 0);
    if let (Some((digit, cells)), None) = (suspects.next(), suspects.next()) {
        cells_of(cells).for_each(|cell| extras[cell] |= 1 << digit);
    }
    Some(extras)
}
