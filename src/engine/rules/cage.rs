//! Killer cages: cells whose digits differ and, if the cage has a sum, add up to it.

use super::house::{House, HouseName};
use super::place::{Place, a_puzzle};
use crate::error::InvalidInput;

/// The largest side of a grid with cages.
pub const MAX_KILLER_SIDE: usize = 16;

/// A set of cells whose digits differ. If the cage has a sum, the digits add up to it.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::Cage;
///
/// let cage = Cage::new(9, vec![0, 1, 9], Some(24))?;
/// assert_eq!((cage.cells(), cage.sum), (&[0, 1, 9][..], Some(24)));
/// assert!(Cage::new(9, vec![0, 1, 9], Some(25)).is_err());
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Debug)]
pub struct Cage {
    /// The cells, and a name that states the first of them.
    #[doc(hidden)]
    pub group: House,
    /// The sum of the digits, if the cage has one.
    pub sum: Option<u16>,
}

impl Cage {
    /// Returns the cage of these cells, in a grid with `side` columns.
    ///
    /// # Errors
    /// The cage has no cells or more than N, a cell is outside the grid or occurs twice, or no
    /// different digits in its cells add up to the sum.
    pub fn new(side: usize, mut cells: Vec<u16>, sum: Option<u16>) -> Result<Cage, InvalidInput> {
        cells.sort_unstable();
        if !cells.is_sorted_by(|a, b| a < b) {
            return Err("a cage has a cell twice".into());
        }
        check(side, &cells, sum)?;
        let name = HouseName::Cage(Place::of(cells[0].into(), side));
        let group = House { name, cells };
        Ok(Cage { group, sum })
    }

    pub(super) fn check(&self, side: usize) -> Result<(), InvalidInput> {
        check(side, self.cells(), self.sum)
    }

    /// Returns the cells, in ascending order.
    #[must_use]
    pub fn cells(&self) -> &[u16] {
        &self.group.cells
    }

    /// The grid must be full.
    pub(crate) fn holds_for(&self, digits: &[u8]) -> bool {
        let of_cage = self.cells().iter().map(|&cell| digits[usize::from(cell)]);
        let total: u16 = of_cage.map(u16::from).sum();
        self.group.all_differ(digits) && self.sum.is_none_or(|sum| sum == total)
    }
}

/// The cells must ascend.
fn check(side: usize, cells: &[u16], sum: Option<u16>) -> Result<(), InvalidInput> {
    let number = cells.len();
    let Some((&first, &last)) = cells.first().zip(cells.last()) else {
        return Err("a cage without cells".into());
    };
    if usize::from(last) >= side * side {
        let puzzle = a_puzzle(side);
        return Err(format!("a cage has a cell outside of {puzzle}").into());
    }
    let first = Place::of(first.into(), side);
    if number > side {
        return Err(format!("cage at {first} has {number} cells; the limit is {side}").into());
    }
    let [least, most] = extreme_sums(number, side);
    if let Some(sum) = sum.map(usize::from)
        && !(least..=most).contains(&sum)
    {
        let reason = match number {
            1 => format!("a digit from 1 to {most} is not {sum}"),
            _ if least == most => {
                format!("{number} different digits add up to {most}, not {sum}")
            }
            _ => format!("{number} different digits add up to {least} to {most}, not {sum}"),
        };
        return Err(format!("cage at {first}: {reason}").into());
    }
    Ok(())
}

/// The digits are different and from 1 to `side`. `cells` is at most `side`.
pub(crate) fn extreme_sums(cells: usize, side: usize) -> [usize; 2] {
    let least = cells * (cells + 1) / 2;
    // The greatest digits are the complements, side + 1 - digit, of the least ones.
    [least, cells * (side + 1) - least]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::rules_of;

    #[test]
    fn a_sum_must_be_possible_and_a_cage_has_at_most_n_cells() {
        for (cells, sum, reason) in [
            (2, Some(2), "cage at r1c3: 2 different digits add up to 3 to 17, not 2"),
            (2, Some(18), "cage at r1c3: 2 different digits add up to 3 to 17, not 18"),
            (9, Some(44), "cage at r1c3: 9 different digits add up to 45, not 44"),
            (1, Some(10), "cage at r1c3: a digit from 1 to 9 is not 10"),
            (10, None, "cage at r1c3 has 10 cells; the limit is 9"),
        ] {
            let cage = Cage::new(9, (2..2 + cells).rev().collect(), sum);
            assert_eq!(cage.unwrap_err().to_string(), reason);
        }
        for cells in 1..=9 {
            let [least, most] = extreme_sums(cells, 9);
            for sum in [least, most] {
                let cage = Cage::new(9, (0..cells as u16).collect(), Some(sum as u16)).unwrap();
                assert!(cage.cells().is_sorted());
            }
        }
    }

    #[test]
    fn rules_with_cages_hold_for_grids_that_keep_sums_and_differences() {
        let rules = rules_of(4, "classic").unwrap();
        let grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
        for (cells, sum, holds) in [
            (vec![0, 1], Some(3), true),
            (vec![0, 1], Some(4), false),
            (vec![0, 1, 6], None, false),
            (vec![0, 1, 4], None, true),
        ] {
            let cage = Cage::new(4, cells, sum).unwrap();
            let killer = rules.with_cages(vec![cage]).unwrap();
            assert_eq!(killer.hold_for(&grid), holds, "{:?}", killer.cages());
        }
    }

    #[test]
    fn cages_share_no_cell_and_large_grids_have_none() {
        let cage = |side, cells: &[u16]| Cage::new(side, cells.to_vec(), None).unwrap();
        let cages = vec![cage(9, &[4, 5]), cage(9, &[5, 14])];
        let error = rules_of(9, "classic").unwrap().with_cages(cages);
        let reason = "r1c6 is in two cages";
        assert_eq!(error.unwrap_err().to_string(), reason);
        let error = rules_of(25, "classic").unwrap().with_cages(vec![cage(25, &[0, 1])]);
        let reason = "a 25x25 puzzle cannot have cages; the largest killer is 16x16";
        assert_eq!(error.unwrap_err().to_string(), reason);
    }
}
