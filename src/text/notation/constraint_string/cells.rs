//! The cells that arguments of rules name: cells themselves, rows and columns, diagonals, squares.

use super::{Result, number};

/// Returns `None` if the text names no cell of a grid with this side.
pub(super) fn cell_of(text: &str, side: usize) -> Option<u16> {
    let place = |byte: u8| char::from(byte).to_digit(17).map(|place| place as usize);
    let [b'R' | b'r', row, b'C' | b'c', column] = *text.as_bytes() else { return None };
    let [row, column] = [place(row)?, place(column)?];
    let is_inside = row.min(column) > 0 && row.max(column) <= side;
    is_inside.then(|| ((row - 1) * side + column - 1) as u16)
}

/// Returns a name such as `R4C5`.
pub(super) fn name_of(cell: usize, side: usize) -> String {
    let place = |index: usize| char::from_digit(index as u32 + 1, 17).expect("a side of 16");
    format!("R{}C{}", place(cell / side), place(cell % side))
}

/// `R3` or `C3`.
pub(super) fn row_or_column(side: usize, name: &str) -> Result<Vec<u16>> {
    let side = side as u16;
    let (kind, place) = name.split_at_checked(1).ok_or("the row or column is missing")?;
    let place: u16 = number(place)?;
    match kind {
        _ if !(1..=side).contains(&place) => Err(format!("{name} is no row or column").into()),
        "R" => Ok((0..side).map(|column| (place - 1) * side + column).collect()),
        "C" => Ok((0..side).map(|row| row * side + place - 1).collect()),
        _ => Err(format!("{name} is no row or column").into()),
    }
}

/// Returns the cells of the diagonal that begins at this cell.
pub(super) fn diagonal_of(start: u16, side: usize) -> Option<Vec<u16>> {
    let [right, down] = diagonal_from(start, side)?;
    let side = side as i32;
    let (mut row, mut column) = (i32::from(start) / side, i32::from(start) % side);
    let mut cells = Vec::new();
    while (0..side).contains(&row) && (0..side).contains(&column) {
        cells.push((row * side + column) as u16);
        (row, column) = (row + down, column + right);
    }
    Some(cells)
}

/// Returns the step along columns and along rows of the diagonal that begins at this cell: cells of
/// the first column go down to the right, of the first row down to the left, of the last column up
/// to the left, of the last row up to the right.
pub(crate) fn diagonal_from(start: u16, side: usize) -> Option<[i32; 2]> {
    let (row, column, last) = (usize::from(start) / side, usize::from(start) % side, side - 1);
    match (row, column) {
        (row, 0) if row < last => Some([1, 1]),
        (0, _) => Some([-1, 1]),
        (row, column) if column == last && row < last => Some([-1, -1]),
        (row, column) if row == last && column < last && column > 0 => Some([1, -1]),
        _ => None,
    }
}

/// Returns the cells of the 2x2 square whose upper left corner this is.
pub(super) fn square(side: usize, corner: u16) -> Option<Vec<u16>> {
    let side = side as u16;
    let is_inside = corner % side + 1 < side && corner / side + 1 < side;
    is_inside.then(|| vec![corner, corner + 1, corner + side, corner + side + 1])
}
