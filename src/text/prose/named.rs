//! Finds grids that are stated cell by cell: `r1c1=1, r1c2=3` or `(1,1)=1`.

use super::grids::{Cell, Cells};

/// Returns the digit of each cell, if the text has one for all of them. The last one counts.
pub fn named_cells(cells: &Cells<'_>, text: &str) -> Option<Vec<Cell>> {
    let mut grid = vec![None; cells.side * cells.side];
    for (start, _) in text.match_indices(['r', 'R', '(']) {
        if let Some((cell, digit)) = named_cell(cells, &text[start + 1..]) {
            grid[cell] = Some(digit);
        }
    }
    grid.into_iter().collect()
}

/// Returns the cell and the digit of a text such as `1c2 = 3`, which follows an `r`, or
/// `1,2) = 3`, which follows a parenthesis.
fn named_cell(cells: &Cells<'_>, text: &str) -> Option<(usize, Cell)> {
    let number = |text: &'_ str| -> Option<(usize, usize)> {
        let length = text.bytes().take(3).take_while(u8::is_ascii_digit).count();
        let number: usize = text[..length].parse().ok()?;
        (1..=cells.side).contains(&number).then_some((number - 1, length))
    };
    let (row, length) = number(text)?;
    let text = text[length..].strip_prefix(['c', 'C', ','])?.trim_start_matches(' ');
    let (column, length) = number(text)?;
    let text = text[length..]
        .trim_start_matches(')')
        .trim_start_matches([' ', '*', '`', '"'])
        .strip_prefix(['=', ':'])?;
    let text = text.trim_start_matches([' ', '*', '`', '"']);
    let length = text.bytes().take(3).take_while(u8::is_ascii_alphanumeric).count();
    let cell = cells.read(&text[..length]);
    cell.digit().map(|_| (row * cells.side + column, cell))
}
