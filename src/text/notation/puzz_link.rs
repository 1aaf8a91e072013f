//! Decodes the sudoku of puzz.link and other sites with pzprjs: `sudoku/9/9/g5h3...`, alone or at
//! the end of an address.
//!
//! ```text
//!   https://puzz.link/p?sudoku/9/9/LIST        columns, rows, the cells along the rows
//! ```
//!
//! In the list, a hexadecimal digit is a number up to 15. `-` and two hexadecimal digits are a
//! larger number. A letter from `g` is a run of blank cells (`g` for 1, `h` for 2, `z` for 20). `.`
//! is one blank cell.

use super::described::{DescribedPuzzle, excerpt, not_a_digit, not_a_size, parse_number};
use engine::error::InvalidInput;
use engine::rules::{MAX_SIDE, Place, pluralize};

/// The beginning of a puzzle: of the field, or of the part after `?` in an address.
const PREFIX: &[u8] = b"sudoku/";

pub(super) fn after_prefix(field: &[u8]) -> Option<&[u8]> {
    let start = if field.starts_with(b"http") || field.starts_with(b"puzz.") {
        memchr::memchr(b'?', field)? + 1
    } else {
        0
    };
    field[start..].strip_prefix(PREFIX)
}

pub(super) fn decode(text: &[u8]) -> Result<DescribedPuzzle, InvalidInput> {
    let mut parts = text.splitn(3, |&byte| byte == b'/');
    let [columns, rows, list] = [(); 3].map(|()| parts.next().unwrap_or_default());
    let side = parse_number(columns);
    let is_side = |side: &usize| columns == rows && (2..=MAX_SIDE).contains(side);
    let Some(side) = side.filter(is_side) else {
        let [columns, rows] = [columns, rows].map(excerpt);
        return Err(not_a_size(&format!("{columns}x{rows}")));
    };
    let mut puzzle = DescribedPuzzle::blank(side);
    let list = list.strip_suffix(b"/").unwrap_or(list);
    read_cells(list, side, &mut puzzle.digits)?;
    Ok(puzzle)
}

fn read_cells(list: &[u8], side: usize, digits: &mut [u8]) -> Result<(), InvalidInput> {
    let mut cell = 0;
    let mut rest = list;
    while let [symbol, after @ ..] = rest {
        // If `symbol` begins a number, this number has `width` digits from `start`.
        let (width, start) = match symbol {
            b'-' => (2, after),
            _ => (1, rest),
        };
        let (number, next) = start.split_at(start.len().min(width));
        rest = next;
        match symbol {
            b'g'..=b'z' => cell += usize::from(symbol - b'g') + 1,
            b'.' => cell += 1,
            _ => {
                // Cells beyond the grid are only counted; the error follows below.
                if let Some(digit) = digits.get_mut(cell) {
                    let fault = || not_a_digit(number, Place::of(cell, side), side);
                    let read = read_digit(number, side).filter(|_| number.len() == width);
                    *digit = read.ok_or_else(fault)?;
                }
                cell += 1;
            }
        }
    }
    if cell == digits.len() {
        return Ok(());
    }
    let number = pluralize(cell, "cell");
    Err(format!("the list has {number} instead of {}", digits.len()).into())
}

/// Digits are in lower-case hexadecimal.
fn read_digit(number: &[u8], side: usize) -> Option<u8> {
    // `from_str_radix` also accepts capital letters and a `+`.
    let is_hexadecimal = number.iter().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let text = str::from_utf8(number).ok().filter(|_| is_hexadecimal)?;
    let digit = u8::from_str_radix(text, 16).ok()?;
    (1..=side).contains(&usize::from(digit)).then_some(digit)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_errors, decoded};

    #[test]
    fn cells_are_hexadecimal_numbers_and_runs_of_blanks() {
        let puzzle = decoded(b"https://puzz.link/p?sudoku/4/4/1k3h2k4");
        let digits = [1, 0, 0, 0, 0, 0, 3, 0, 0, 2, 0, 0, 0, 0, 0, 4];
        assert_eq!(puzzle.digits, digits);
        for field in [
            "sudoku/9/9/zz.z9y/",
            "puzz.link/p?sudoku/9/9/zz.z9y",
            "http://pzv.jp/p.html?sudoku/9/9/zzgz9y",
        ] {
            let puzzle = decoded(field.as_bytes());
            assert_eq!((puzzle.side, puzzle.digits[61]), (9, 9), "{field}");
        }
        let puzzle = decoded(TWENTY_FIVE.as_bytes());
        assert_eq!(puzzle.digits[..4], [25, 15, 16, 0]);
    }

    /// Three givens and 622 blank cells.
    const TWENTY_FIVE: &str = "sudoku/25/25/-19f-10zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzh";

    #[test]
    fn errors_name_the_size_the_cell_or_the_count() {
        assert_errors(&[
            ("sudoku/9/8/z", "'9x8' is not the size of a puzzle; sides are 2 to 25"),
            ("sudoku/", "'x' is not the size of a puzzle; sides are 2 to 25"),
            ("sudoku/4/4/g5", "'5' at r1c2 is not a digit of a 4x4 puzzle"),
            ("sudoku/4/4/0", "'0' at r1c1 is not a digit of a 4x4 puzzle"),
            ("sudoku/4/4/g-1", "'1' at r1c2 is not a digit of a 4x4 puzzle"),
            ("sudoku/4/4/g-", "'' at r1c2 is not a digit of a 4x4 puzzle"),
            ("sudoku/25/25/-ff", "'ff' at r1c1 is not a digit of a 25x25 puzzle"),
            ("sudoku/4/4/A", "'A' at r1c1 is not a digit of a 4x4 puzzle"),
            ("sudoku/4/4/", "the list has 0 cells instead of 16"),
            ("sudoku/4/4/zz", "the list has 40 cells instead of 16"),
            ("sudoku/4/4/v11", "the list has 18 cells instead of 16"),
        ]);
    }
}
