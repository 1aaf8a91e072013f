//! Solves one 9x9 puzzle with 3x3 boxes by naked singles alone. Many easy puzzles need no more. A
//! puzzle that comes alone fills only one lane, so the lanes take longer for it.

use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::verify::is_right;

/// The digits that each row, column and box holds: bit d for digit d. The last five sets are not
/// used: they let an index below 32 go without a check.
type Held = [u16; 32];

/// The indices of the row, the column and the box of each cell in [`Held`].
const HOUSES_OF_CELLS: [[u8; 3]; 81] = {
    let mut houses = [[0; 3]; 81];
    let mut cell = 0;
    while cell < 81 {
        let (row, column) = (cell as u8 / 9, cell as u8 % 9);
        houses[cell] = [row, 9 + column, 18 + row / 3 * 3 + column / 3];
        cell += 1;
    }
    houses
};

const ALL_DIGITS: u16 = 0x3fe;

/// Fills the cells that have one candidate left, again and again. Returns the only solution if this
/// fills the grid and the grid satisfies the rules, otherwise `None`. The rules must have bands.
pub(super) fn solve_one(rules: &Rules, givens: Givens<'_>) -> Option<[u8; 81]> {
    debug_assert!(rules.has_bands());
    let Givens::Digits(digits) = givens else {
        return None;
    };
    let mut grid: [u8; 81] = digits.try_into().ok()?;
    let mut held: Held = [0; 32];
    // The first `count` of `blanks` are the blank cells.
    let (mut blanks, mut count) = ([0u8; 128], 0);
    for (cell, &digit) in (0..).zip(&grid) {
        blanks[count] = cell;
        count += usize::from(digit == 0);
        // Bit 0, of a blank cell, counts for nothing.
        add(&mut held, HOUSES_OF_CELLS[usize::from(cell)], 1 << digit);
    }
    while count > 0 {
        let mut left = 0;
        for index in 0..count {
            let cell = blanks[index % 128];
            let houses = HOUSES_OF_CELLS[usize::from(cell)];
            let [row, column, r#box] = houses.map(|house| held[usize::from(house) % 32]);
            let open = ALL_DIGITS & !(row | column | r#box);
            if open != 0 && open & (open - 1) == 0 {
                grid[usize::from(cell)] = open.trailing_zeros() as u8;
                add(&mut held, houses, open);
            } else {
                blanks[left % 128] = cell;
                left += 1;
            }
        }
        if left == count {
            return None;
        }
        count = left;
    }
    is_right(rules, digits, &grid).then_some(grid)
}

/// Adds a digit to the sets of these houses.
#[inline(always)]
fn add(held: &mut Held, houses: [u8; 3], digit: u16) {
    for house in houses {
        held[usize::from(house) % 32] |= digit;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    /// The puzzle and its solution need not satisfy the diagonals.
    fn solve(puzzle: &str, variants: &str) -> Option<String> {
        let variants: Variants = variants.parse().unwrap();
        let rules = Rules::new(9, Shape::boxes(3, 3), &variants).unwrap();
        let digits: Vec<u8> = puzzle.bytes().map(|symbol| symbol - b'0').collect();
        let grid = solve_one(&rules, Givens::Digits(&digits))?;
        assert!(rules.hold_for(&grid));
        Some(grid.map(|digit| char::from(b'0' + digit)).iter().collect())
    }

    #[test]
    fn only_a_solution_is_returned() {
        let solution =
            "123456789456789123789123456214365897365897214897214365531642978642978531978531642";
        let blank = |cells: &[usize]| {
            let mut puzzle = String::from(solution);
            for &cell in cells {
                puzzle.replace_range(cell..=cell, "0");
            }
            puzzle
        };
        let every_fourth: Vec<usize> = (0..81).step_by(4).collect();
        assert_eq!(solve(&blank(&every_fourth), "classic").unwrap(), solution);
        assert_eq!(solve(solution, "classic").unwrap(), solution);
        // The diagonal from the top left holds 1 twice or more.
        assert_eq!(solve(&blank(&every_fourth), "diagonal"), None);
        // r1c1 is the only blank cell, and sees all nine digits.
        let mut contradiction = blank(&[0]);
        contradiction.replace_range(1..2, "1");
        assert_eq!(solve(&contradiction, "classic"), None);
        // A full grid that holds 1 twice in a row.
        contradiction.replace_range(0..1, "2");
        contradiction.replace_range(2..3, "2");
        assert_eq!(solve(&contradiction, "classic"), None);
        assert_eq!(solve(&"0".repeat(81), "classic"), None);
    }
}
