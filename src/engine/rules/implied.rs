//! Houses that follow from other houses. If k houses lie within k + 1 rows and do not overlap, the
//! remaining cells of these rows hold every digit once: they are an implied house. Likewise for
//! columns. Implied houses are for deductions only.

use super::cell_set::CellSet;
use super::house::{House, HouseName};

/// Overlapping houses from `--extra` can imply many that are of little use.
const MAX_IMPLIED: usize = 25;

/// Maps a cell to its row, or to its column for deductions from columns.
type RowOf = fn(cell: u16, side: u16) -> u16;

/// Returns at most `MAX_IMPLIED` houses, and not always all: those that `houses` imply, and those
/// that these imply in turn.
///
/// The four windows of a 9x9 imply five houses:
///
/// ```text
///     c b b b c b b b c      Rows 2 to 4 hold every digit three times. Windows 1 and 2 hold every digit once each, so
///     a 1 1 1 a 2 2 2 a      the cells `a` of rows 2 to 4 do too. The cells `a` of rows 6 to 8 are another such house.
///     a 1 1 1 a 2 2 2 a      The columns imply two houses `b` in the same way.
///     a 1 1 1 a 2 2 2 a
///     c b b b c b b b c      Rows 1, 5 and 9 hold every digit three times and the houses `b` once each, so the cells
///     a 3 3 3 a 4 4 4 a      `c` do too.
///     a 3 3 3 a 4 4 4 a
///     a 3 3 3 a 4 4 4 a
///     c b b b c b b b c
/// ```
pub(super) fn implied_by(side: usize, houses: &[House]) -> Vec<House> {
    let mut known: Vec<CellSet> = houses.iter().map(House::cell_set).collect();
    let given = known.len();
    let row_of: RowOf = |cell, side| cell / side;
    let column_of: RowOf = |cell, side| cell % side;
    // Two rounds of rows and columns. The second one uses the houses that the first one finds.
    for row_of in [row_of, column_of, row_of, column_of] {
        let mut tried = Vec::new();
        for index in 0..known.len() {
            let rows = rows_of(&known[index], side, row_of);
            if tried.contains(&rows) {
                continue;
            }
            tried.push(rows);
            if let Some(rest) = rest_of_rows(rows, &known, side, row_of)
                && !known.contains(&rest)
                && known.len() < given + MAX_IMPLIED
            {
                known.push(rest);
            }
        }
    }
    let implied = known.into_iter().skip(given).enumerate();
    implied
        .map(|(index, cells)| House {
            name: HouseName::Implied(index + 1),
            cells: cells.iter().collect(),
        })
        .collect()
}

/// Bit r for row r (or column r: see [`RowOf`]).
fn rows_of(cells: &CellSet, side: usize, row_of: RowOf) -> u32 {
    let rows = cells.iter().map(|cell| 1 << row_of(cell, side as u16));
    rows.fold(0, |rows, row| rows | row)
}

/// Removes houses inside `rows` (bit r for row r) from the cells of these rows, as long as more
/// than N cells remain. Returns `None` if not exactly N remain or if `rows` is a single row.
///
/// Takes each house that fits, in order: another choice could leave N cells where this does not.
fn rest_of_rows(rows: u32, houses: &[CellSet], side: usize, row_of: RowOf) -> Option<CellSet> {
    let mut rest: CellSet = (0..(side * side) as u16)
        .filter(|&cell| rows >> row_of(cell, side as u16) & 1 == 1)
        .collect();
    for house in houses {
        if rest.len() > side && house.is_subset(&rest) {
            rest = rest.difference(house);
        }
    }
    (rest.len() == side && rows.count_ones() > 1).then_some(rest)
}

#[cfg(test)]
mod tests {
    use crate::rules::tests::rules_of;

    /// Returns the nine cells where three rows cross three columns, all counted from 1.
    fn cells_of(rows: [u16; 3], columns: [u16; 3]) -> Vec<u16> {
        let cells_in_row = |row: u16| columns.map(|column| 9 * (row - 1) + column - 1);
        rows.into_iter().flat_map(cells_in_row).collect()
    }

    #[test]
    fn four_windows_imply_five_houses() {
        let rules = rules_of(9, "window").unwrap();
        let mut found: Vec<Vec<u16>> =
            rules.implied().iter().map(|house| house.cells.clone()).collect();
        found.sort();
        let (outer, upper, lower) = ([1, 5, 9], [2, 3, 4], [6, 7, 8]);
        let mut expected = vec![
            cells_of(upper, outer),
            cells_of(lower, outer),
            cells_of(outer, upper),
            cells_of(outer, lower),
            cells_of(outer, outer),
        ];
        expected.sort();
        assert_eq!(found, expected);
    }

    #[test]
    fn implied_houses_hold_every_digit_in_solved_window_puzzles() {
        let answers = include_str!("../../../data/window.answers").lines();
        let grids =
            answers.filter_map(|line| line.split('\t').next().filter(|grid| grid.len() == 81));
        let rules = rules_of(9, "window").unwrap();
        let mut checked = 0;
        for grid in grids {
            for house in rules.implied() {
                let digits = house.cells.iter().map(|&cell| grid.as_bytes()[usize::from(cell)]);
                let held = digits.fold(0u32, |held, digit| held | 1 << (digit - b'1'));
                assert_eq!(held, 0x1ff, "{grid} {}", house.name);
            }
            checked += 1;
        }
        assert_eq!(checked, 50);
    }

    #[test]
    fn windows_imply_houses_in_every_size() {
        for (side, number) in [(4, 3), (9, 5), (16, 7), (25, 9)] {
            assert_eq!(rules_of(side, "window").unwrap().implied().len(), number, "{side}");
        }
    }

    #[test]
    fn other_variants_imply_no_houses() {
        for variants in ["classic", "diagonal", "disjoint", "center-dot", "antiknight"] {
            assert!(rules_of(9, variants).unwrap().implied().is_empty(), "{variants}");
        }
    }
}
