//! Solves one 9x9 puzzle with 3x3 boxes by naked singles alone. Many easy puzzles need no more, and
//! a puzzle that comes alone fills only one lane.

use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::verify::is_right;

/// Bit d for digit d.
const ALL_DIGITS: u16 = 0x3fe;

/// Fills cells that have one candidate left. Returns the grid if it becomes full and satisfies the
/// rules: it is then the only solution. Returns `None` for several puzzles or pencilmarks.
// Inlined into its caller, which is compiled for wider vectors, so `is_right` takes half the time.
#[inline(always)]
pub(super) fn solve_one(rules: &Rules, givens: Givens<'_>) -> Option<[u8; 81]> {
    debug_assert!(rules.has_bands());
    let Givens::Digits(digits) = givens else {
        return None;
    };
    // The conversion fails unless there is exactly one puzzle.
    let mut grid: [[u8; 9]; 9] = digits.as_chunks().0.try_into().ok()?;
    // Bit d for digit d. The unused sets after the last column and the last box make room for any
    // column below 16, so no bounds are checked.
    let (mut rows, mut columns, mut boxes) = ([0u16; 9], [0u16; 16], [[0u16; 6]; 3]);
    // Bit c for column c.
    let mut blanks = [0u16; 9];
    for row in 0..9 {
        for column in 0..9 {
            let digit = grid[row][column];
            blanks[row] |= u16::from(digit == 0) << column;
            // A blank cell sets bit 0, which no digit uses.
            rows[row] |= 1 << digit;
            columns[column] |= 1 << digit;
            boxes[row / 3][column / 3] |= 1 << digit;
        }
    }
    while blanks != [0; 9] {
        let before = blanks;
        for row in 0..9 {
            let mut left = blanks[row];
            while left != 0 {
                let column = left.trailing_zeros() as usize % 16;
                left &= left - 1;
                let r#box = &mut boxes[row / 3][column / 3];
                let open = ALL_DIGITS & !(rows[row] | columns[column] | *r#box);
                if open == 0 {
                    return None;
                }
                if open.is_power_of_two() {
                    grid[row][column] = open.trailing_zeros() as u8;
                    blanks[row] &= !(1 << column);
                    rows[row] |= open;
                    columns[column] |= open;
                    *r#box |= open;
                }
            }
        }
        if blanks == before {
            return None;
        }
    }
    let grid: [u8; 81] = grid.as_flattened().try_into().ok()?;
    is_right(rules, digits, &grid).then_some(grid)
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
