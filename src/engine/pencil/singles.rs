//! Finds naked singles, hidden singles and contradictions. `place_all` also places the singles.

use super::cages;
use super::grading::Contradiction;
use super::marks::Marks;
use super::tables::Tables;
use super::technique::Technique;
use super::technique::Technique::{HiddenSingle, NakedSingle};
use crate::bits::bits;
use crate::rules::{HouseName, Place};

/// Places singles until none are left, or a contradiction appears. Returns the hardest technique
/// used, which has no meaning after a contradiction.
///
/// Every order of placing singles ends with the same digits, so each round places all that it
/// finds. A round looks for hidden singles only if no naked ones are left, as
/// `Pencil::solve_step_by_step` does, so the hardest technique is the same too.
pub(super) fn place_all(tables: &Tables, marks: &mut Marks) -> Option<Technique> {
    let mut hardest = None;
    loop {
        while marks.place_naked_singles(tables) {
            hardest = hardest.max(Some(NakedSingle));
        }
        if marks.has_contradiction || marks.is_full() || !expose_hidden_singles(tables, marks) {
            return hardest;
        }
        hardest = Some(HiddenSingle);
    }
}

/// Removes the other candidates of each hidden single, at once. Records a contradiction if a house
/// has no cell for a digit. Returns true if there was a hidden single and no contradiction.
fn expose_hidden_singles(tables: &Tables, marks: &mut Marks) -> bool {
    let mut has_found = false;
    for house in 0..tables.house_count {
        let missing = marks.missing[house];
        if missing == 0 {
            continue;
        }
        let cells = tables.cells_of.of(house);
        let (once, twice) = count_digits(marks, cells);
        marks.has_contradiction |= once != tables.every_digit;
        let hidden = once & !twice & missing;
        if hidden != 0 {
            has_found = true;
            for &cell in cells {
                let candidates = &mut marks.candidates[cell];
                let digit = *candidates & hidden;
                if digit != 0 {
                    // Keeps the lower digit. Two hidden singles in one cell are a contradiction,
                    // which this or a later round finds: the house has no cell for the other digit.
                    *candidates = digit & digit.wrapping_neg();
                }
            }
        }
    }
    has_found && !marks.has_contradiction
}

#[inline]
fn count_digits(marks: &Marks, cells: &[u16]) -> (u32, u32) {
    let (mut once, mut twice) = (0, 0);
    for &cell in cells {
        let candidates = marks.candidates[cell];
        twice |= once & candidates;
        once |= candidates;
    }
    (once, twice)
}

pub(super) fn find_contradiction(tables: &Tables, marks: &Marks) -> Option<Contradiction> {
    if let Some(cell) = marks.sets().iter().position(|&set| set == 0) {
        return Some(Contradiction::Cell(Place::of(cell, tables.side)));
    }
    if let Some(cage) = cages::find_wrong_sum(tables, marks) {
        return Some(Contradiction::Cage(tables.names[cage.house], cage.sum));
    }
    (0..tables.house_count).find_map(|house| {
        let (held, _) = count_digits(marks, tables.cells_of.of(house));
        let digit = bits(tables.every_digit & !held).next()? as u8 + 1;
        Some(Contradiction::House(tables.names[house], digit))
    })
}

/// The digit is counted from 1.
pub(super) fn find_naked(marks: &Marks) -> Option<(u16, u8)> {
    let blanks = marks.blanks.iter().copied();
    let cell = blanks.filter(|&cell| marks.is_single(cell)).min()?;
    Some((cell, marks.candidates[cell].trailing_zeros() as u8 + 1))
}

/// The digit is counted from 1.
pub(super) fn find_hidden(tables: &Tables, marks: &Marks) -> Option<(u16, u8, HouseName)> {
    (0..tables.house_count).find_map(|house| {
        let cells = tables.cells_of.of(house);
        let (once, twice) = count_digits(marks, cells);
        let digit = bits(once & !twice & marks.missing[house]).next()? as u8;
        let can_hold = |cell: &&u16| marks.candidates[**cell] & 1 << digit != 0;
        let &cell = cells.iter().find(can_hold)?;
        Some((cell, digit + 1, tables.names[house]))
    })
}
