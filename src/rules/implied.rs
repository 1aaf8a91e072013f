//! Houses that follow from others. Whole lines hold every digit as often as there are lines; where houses lie wholly in
//! one line more than there are houses, and apart, the cells they leave hold every digit once.

use super::{House, HouseName};

/// More are not looked for: houses of a user's own may imply one another without much use.
const MOST: usize = 25;

/// What these houses imply, and what that implies in turn: five of the four windows of a 9x9.
///
/// ```text
///     . . . . . . . . .      rows 2 to 4 hold every digit three times, windows 1 and 2 each once, so the cells a do too;
///     a 1 1 1 a 2 2 2 a      columns 2 to 4 and 6 to 8 leave b and c; rows 1, 5 and 9 are b, c, and the corners
///     a 1 1 1 a 2 2 2 a      and cells between them
///     a 1 1 1 a 2 2 2 a
/// ```
pub(super) fn houses(side: usize, houses: &[House]) -> Vec<House> {
    let mut known: Vec<Vec<u16>> = houses.iter().map(|house| sorted(&house.cells)).collect();
    let given = known.len();
    for line_of in [|cell, side| cell / side, |cell: u16, side: u16| cell % side].repeat(2) {
        let mut looked_at = Vec::new();
        for index in 0..known.len() {
            let lines = lines_of(&known[index], side, line_of);
            if looked_at.contains(&lines) {
                continue;
            }
            looked_at.push(lines);
            if let Some(left) = left_of(lines, &known, side, line_of)
                && !known.contains(&left)
                && known.len() < given + MOST
            {
                known.push(left);
            }
        }
    }
    let implied = known.into_iter().skip(given).enumerate();
    implied
        .map(|(index, cells)| House {
            name: HouseName::Implied(index + 1),
            cells,
        })
        .collect()
}

fn sorted(cells: &[u16]) -> Vec<u16> {
    let mut cells = cells.to_vec();
    cells.sort_unstable();
    cells
}

/// The rows, or the columns, that these cells lie in, a bit each.
fn lines_of(cells: &[u16], side: usize, line_of: fn(u16, u16) -> u16) -> u32 {
    let lines = cells.iter().map(|&cell| 1 << line_of(cell, side as u16));
    lines.fold(0, |lines, line| lines | line)
}

/// What houses that lie in these lines leave of them, if they are one fewer. The first that fit are taken: all of them
/// could be tried, but nobody has houses that overlap so.
fn left_of(
    lines: u32,
    houses: &[Vec<u16>],
    side: usize,
    line_of: fn(u16, u16) -> u16,
) -> Option<Vec<u16>> {
    let mut left: Vec<u16> = (0..(side * side) as u16)
        .filter(|&cell| lines >> line_of(cell, side as u16) & 1 == 1)
        .collect();
    for house in houses {
        if left.len() > side && house.iter().all(|cell| left.contains(cell)) {
            left.retain(|cell| !house.contains(cell));
        }
    }
    (left.len() == side && lines.count_ones() > 1).then_some(left)
}
