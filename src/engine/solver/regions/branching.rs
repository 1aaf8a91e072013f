//! Branching on a region board: chooses a candidate (a digit in a cell). Band boards branch on
//! configurations instead (`bands/`). A cell is *open* if it has two or more candidates.

use crate::random::{Random, first_bit, lowest_bit};
use crate::rules::Rules;
use crate::solver::simd::Lane;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub cell: usize,
    /// Bit d-1 for digit d.
    pub digit: u32,
}

/// Chooses a candidate of a stuck lane and removes it from `saved`, the candidates by position.
#[inline(always)]
pub(crate) fn branch<L: Lane>(
    rules: &Rules,
    saved: &mut [L],
    position_of: impl Fn(usize) -> usize,
    random: Option<&mut Random>,
) -> Candidate {
    let set_of = |cell: usize| -> u32 { saved[position_of(cell)].into() };
    let candidate = choose(rules, set_of, random);
    let left = &mut saved[position_of(candidate.cell)];
    debug_assert!(candidate.digit.is_power_of_two());
    debug_assert!((*left).into() & candidate.digit != 0 && (*left).into() != candidate.digit);
    *left = L::from_digits((*left).into() & !candidate.digit);
    candidate
}

/// Returns a candidate of the first of these that exists:
///
/// 1. the first cell with two candidates
/// 2. a digit that a box, region or extra house can hold in exactly two cells, both open
/// 3. the first open cell with the fewest candidates
///
/// The candidate is the lowest digit of the cell (1 and 3) or the first cell of the digit (2); with
/// `random`, a random one. `set_of` returns the candidates of a cell.
#[inline(always)]
fn choose(
    rules: &Rules,
    set_of: impl Fn(usize) -> u32 + Copy,
    random: Option<&mut Random>,
) -> Candidate {
    debug_assert!((0..rules.cells()).all(|cell| set_of(cell) != 0));
    let cell = smallest_open_cell(rules, set_of);
    let set = set_of(cell);
    if set.count_ones() > 2
        && let Some([first, other]) = digit_with_two_cells(rules, set_of)
    {
        return match random.map(|random| random.below(2)) {
            Some(1) => other,
            _ => first,
        };
    }
    let digit = first_bit(random, set);
    Candidate { cell, digit }
}

fn digit_with_two_cells(rules: &Rules, set_of: impl Fn(usize) -> u32) -> Option<[Candidate; 2]> {
    let houses = rules.regions_and_extra_houses();
    houses.iter().find_map(|house| {
        let (mut once, mut twice, mut thrice, mut placed) = (0, 0, 0, 0);
        for &cell in &house.cells {
            let set = set_of(cell.into());
            thrice |= twice & set;
            twice |= once & set;
            once |= set;
            placed |= if set.is_power_of_two() { set } else { 0 };
        }
        // Leaves out placed digits, because a branch that places a digit where it is already would
        // change nothing. Only in boxes of a grid with jigsaw regions, which are not swept as
        // houses, can another cell still hold a placed digit.
        let two = twice & !thrice & !placed;
        // If `two` is empty, `digit` is 0, and no cell passes the filter below.
        let digit = lowest_bit(two);
        let cells = house.cells.iter().map(|&cell| usize::from(cell));
        let mut candidates = cells.filter(|&cell| set_of(cell) & digit != 0);
        let [first, other] = [candidates.next()?, candidates.next()?];
        Some([first, other].map(|cell| Candidate { cell, digit }))
    })
}

fn smallest_open_cell(rules: &Rules, set_of: impl Fn(usize) -> u32) -> usize {
    let number = |cell: &usize| set_of(*cell).count_ones();
    // A separate pass, because most stuck lanes have a cell with two candidates, which ends it.
    let two = (0..rules.cells()).find(|&cell| {
        let set = set_of(cell);
        (set & set.wrapping_sub(1)).is_power_of_two()
    });
    let fewest = || {
        let open = (0..rules.cells()).filter(|cell| number(cell) > 1);
        open.min_by_key(number)
    };
    two.or_else(fewest).expect("a stuck lane has an open cell")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    /// Returns the choice in a 4x4 with these candidates along the rows.
    fn choose_in(rules: &Rules, sets: &[u16; 16]) -> Candidate {
        choose(rules, |cell| sets[cell].into(), None)
    }

    #[test]
    fn the_cell_or_digit_with_fewest_choices_is_taken() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        let choose = |sets: &[u16; 16]| choose_in(&rules, sets);
        let mut sets = [0b1111u16; 16];
        assert_eq!(choose(&sets), Candidate { cell: 0, digit: 1 });
        sets[5] = 0b1110;
        assert_eq!(choose(&sets), Candidate { cell: 5, digit: 0b10 }, "the cell with fewest");
        sets[4] = 0b1110;
        assert_eq!(choose(&sets), Candidate { cell: 0, digit: 1 }, "a digit with two cells");
        sets[15] = 0b1010;
        assert_eq!(choose(&sets), Candidate { cell: 15, digit: 0b10 }, "two candidates");
    }

    #[test]
    fn a_digit_that_a_house_holds_for_certain_is_no_choice_even_if_another_cell_keeps_it() {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
        let mut sets = [0b1111u16; 16];
        // Digit 1 is placed in cell 0. In its row, its column and its box only cell 1 can hold it
        // too.
        for cell in [2, 3, 4, 5, 8, 12] {
            sets[cell] = 0b1110;
        }
        sets[0] = 0b1;
        let chosen = choose_in(&rules, &sets);
        assert_ne!(chosen.cell, 0);
        assert_ne!((chosen.cell, chosen.digit), (1, 1));
    }
}
