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

#[cfg(test)]
mod tests {
    use super::super::{Rules, Shape, Variants};

    fn rules(side: usize, variants: &str) -> Rules {
        let variants: Variants = variants.parse().unwrap();
        Rules::new(side, Shape::boxes_of(side).unwrap(), &variants).unwrap()
    }

    /// The cells of these rows and columns.
    fn cells_of(rows: [u16; 3], columns: [u16; 3]) -> Vec<u16> {
        let in_row = |row: u16| columns.map(|column| 9 * (row - 1) + column - 1);
        rows.into_iter().flat_map(in_row).collect()
    }

    #[test]
    fn four_windows_imply_five_houses() {
        let rules = rules(9, "window");
        let mut found: Vec<Vec<u16>> = rules
            .implied()
            .iter()
            .map(|house| house.cells.clone())
            .collect();
        found.sort();
        let (outer, middle, lower) = ([1, 5, 9], [2, 3, 4], [6, 7, 8]);
        let mut expected = vec![
            cells_of(middle, outer),
            cells_of(lower, outer),
            cells_of(outer, middle),
            cells_of(outer, lower),
            cells_of(outer, outer),
        ];
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn every_solved_windoku_holds_all_digits_in_them() {
        let answers = include_str!("../../data/window.answers").lines();
        let nines =
            answers.filter_map(|line| line.split('\t').next().filter(|grid| grid.len() == 81));
        let rules = rules(9, "window");
        let mut seen = 0;
        for grid in nines {
            for house in rules.implied() {
                let digits = house
                    .cells
                    .iter()
                    .map(|&cell| grid.as_bytes()[usize::from(cell)]);
                let held = digits.fold(0u32, |held, digit| held | 1 << (digit - b'1'));
                assert_eq!(held, 0x1ff, "{grid} {}", house.name);
            }
            seen += 1;
        }
        assert_eq!(seen, 50);
    }

    #[test]
    fn windows_of_every_size_imply_as_many_houses_as_there_are_strips_and_one() {
        for (side, number) in [(4, 3), (9, 5), (16, 7), (25, 9)] {
            assert_eq!(rules(side, "window").implied().len(), number, "{side}");
        }
    }

    #[test]
    fn what_leaves_nothing_implies_nothing() {
        for variants in [
            "classic",
            "diagonal",
            "disjoint",
            "center-dot",
            "antiknight",
        ] {
            assert!(rules(9, variants).implied().is_empty(), "{variants}");
        }
    }
}
