//! Cage numbers, the notation of Perfect Sudoku: `3x3::k:2816:2816:0:...`. They state the size of a killer, its diagonals and
//! its cages.
//!
//! ```text
//!   3x3:d:k:4097:4097:2818:...      256 * sum + number of the cage, for each cell
//!   --- -                           below 256: no sum, the cell is in no cage
//!    |  '-- both diagonals are houses; absent if not
//!    '----- rows and columns of a box
//! ```

use super::described::{DescribedPuzzle, parse_number, side_of_boxes, split_number};
use super::draft::CageDraft;
use super::error::{NotationError, excerpt};
use crate::rules::{Cage, Place};

/// The number of different cage numbers.
const NUMBERS: usize = 256;

/// The parts of a field before its numbers.
pub(super) struct Header<'a> {
    rows: &'a [u8],
    columns: &'a [u8],
    diagonals: bool,
}

impl<'a> Header<'a> {
    /// Splits a field into its header and its numbers. Returns `None` if the field is not in this notation.
    pub fn split(field: &'a [u8]) -> Option<(Header<'a>, &'a [u8])> {
        let (rows, rest) = split_number(field);
        let (columns, rest) = split_number(rest.strip_prefix(b"x")?);
        if rows.is_empty() || columns.is_empty() {
            return None;
        }
        let rest = rest.strip_prefix(b":")?;
        let (diagonals, rest) = match rest.strip_prefix(b"d") {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let numbers = rest.strip_prefix(b":k:")?;
        let header = Header {
            rows,
            columns,
            diagonals,
        };
        Some((header, numbers))
    }
}

/// Decodes a field that [`Header::split`] can split.
///
/// # Errors
/// Returns an error that names the cell, the cage or the count at fault.
pub(super) fn decode(field: &[u8]) -> Result<DescribedPuzzle, NotationError> {
    let (header, numbers) = Header::split(field).expect("the field is in this notation");
    let Header { rows, columns, .. } = header;
    let Some((boxes, side)) = side_of_boxes(rows, columns) else {
        let size = format!("{}x{}", excerpt(rows), excerpt(columns));
        return Err(NotationError::Size(size));
    };
    Ok(DescribedPuzzle {
        boxes: Some(boxes),
        diagonals: header.diagonals,
        cages: Some(read_numbers(numbers, side)?),
        ..DescribedPuzzle::blank(side)
    })
}

/// Reads the cages from numbers with `:` between them. A last `:` is optional.
fn read_numbers(numbers: &[u8], side: usize) -> Result<Vec<Cage>, NotationError> {
    let numbers = numbers.strip_suffix(b":").unwrap_or(numbers);
    let number = match numbers {
        [] => 0,
        numbers => memchr::memchr_iter(b':', numbers).count() + 1,
    };
    if number != side * side {
        let noun = "cage number";
        return Err(NotationError::Length { number, noun, side });
    }
    let mut draft = CageDraft::new(side);
    for (cell, text) in numbers.split(|&byte| byte == b':').enumerate() {
        let number = parse_number(text).map(|number| number as usize);
        let parts = number.map(|number| (number % NUMBERS, u16::try_from(number / NUMBERS)));
        let Some((key, Ok(sum))) = parts else {
            let (text, place) = (excerpt(text), Place::of(cell, side));
            return Err(NotationError::NotACageNumber { text, place });
        };
        if sum > 0 {
            draft.join(cell, key);
            draft.set_sum(cell, sum)?;
        }
    }
    draft.finish()
}

/// Appends cages as numbers. Appends nothing and returns false if they cannot be written so: a cage of several cells has no
/// sum, or there are too many cages.
pub(super) fn write(
    cages: &[Cage],
    side: usize,
    boxes: [usize; 2],
    diagonals: bool,
    out: &mut Vec<u8>,
) -> bool {
    let [rows, columns] = boxes;
    debug_assert_eq!(rows * columns, side);
    let has_sum = |cage: &Cage| cage.sum.is_some() || cage.cells().len() == 1;
    if cages.len() > NUMBERS || !cages.iter().all(has_sum) {
        return false;
    }
    let mut numbers = vec![0; side * side];
    // The cages are numbered from 1, since 0 is the usual number of a cell in no cage. The last of 256 cages has number 0.
    for (number, cage) in (1..).zip(cages) {
        let sum = usize::from(cage.sum.unwrap_or_default());
        for &cell in cage.cells() {
            numbers[usize::from(cell)] = NUMBERS * sum + number % NUMBERS;
        }
    }
    let diagonals = if diagonals { "d" } else { "" };
    out.extend(format!("{rows}x{columns}:{diagonals}:k:").into_bytes());
    for number in numbers {
        out.extend(format!("{number}:").into_bytes());
    }
    true
}
