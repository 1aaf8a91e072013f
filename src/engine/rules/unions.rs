//! Unions of houses that share no cell, for the rule of 45: the digits of a union of k houses add
//! up to k times N(N+1)/2, which is 45 in a 9x9.

use super::Rules;
use super::house::House;

/// Rows, or columns, of a union.
const MAX_ROWS: usize = 4;

impl Rules {
    /// Returns these unions, in this order:
    ///
    /// * one to `MAX_ROWS` adjacent rows, but fewer than N unless N is 1; then as many columns
    /// * every other house alone
    /// * every two adjacent boxes, then every two adjacent jigsaw regions
    ///
    /// Each lists ascending indices in [`Rules::houses`]. Two unions can have the same cells.
    pub(crate) fn unions(&self) -> Vec<Vec<usize>> {
        let side = self.side();
        let most = (side - 1).clamp(1, MAX_ROWS);
        let mut unions: Vec<Vec<usize>> = Vec::new();
        for (first, after_last) in [(0, side), (side, 2 * side)] {
            for start in first..after_last {
                let ends = start + 1..=after_last.min(start + most);
                unions.extend(ends.map(|end| (start..end).collect()));
            }
        }
        unions.extend((2 * side..self.houses().len()).map(|house| vec![house]));
        unions.extend(self.adjacent_regions());
        unions
    }

    fn adjacent_regions(&self) -> Vec<Vec<usize>> {
        let side = self.side();
        let mut pairs = Vec::new();
        for first in (2 * side..2 * side + self.regions().len()).step_by(side) {
            for a in first..first + side {
                for b in a + 1..first + side {
                    if are_adjacent(side as u16, [a, b].map(|region| &self.houses()[region])) {
                        pairs.push(vec![a, b]);
                    }
                }
            }
        }
        pairs
    }
}

fn are_adjacent(side: u16, [one, other]: [&House; 2]) -> bool {
    let touch = |a: u16, b: u16| {
        let (down, right) = ((a / side).abs_diff(b / side), (a % side).abs_diff(b % side));
        down + right == 1
    };
    let mut cells = one.cells.iter();
    cells.any(|&a| other.cells.iter().any(|&b| touch(a, b)))
}

#[cfg(test)]
mod tests {
    use crate::rules::CellSet;
    use crate::rules::tests::rules_of;

    #[test]
    fn unions_are_single_houses_or_adjacent_rows_columns_and_regions() {
        let rules = rules_of(4, "diagonal").unwrap();
        let unions = rules.unions();
        let rows: [&[usize]; 9] =
            [&[0], &[0, 1], &[0, 1, 2], &[1], &[1, 2], &[1, 2, 3], &[2], &[2, 3], &[3]];
        let columns = rows.map(|rows| rows.iter().map(|row| row + 4).collect());
        let others = (8..14).map(|house| vec![house]);
        let boxes = [[8, 9], [8, 10], [9, 11], [10, 11]].map(Vec::from);
        let expected = rows.map(Vec::from).into_iter().chain(columns);
        assert!(expected.chain(others).chain(boxes).eq(unions));
    }

    #[test]
    fn the_houses_of_a_union_share_no_cell() {
        for (side, variants) in
            [(6, "disjoint"), (9, "window,diagonal"), (9, "regions"), (16, "classic")]
        {
            let rules = rules_of(side, variants).unwrap();
            for union in rules.unions() {
                let cells = union.iter().flat_map(|&house| &rules.houses()[house].cells);
                let cells: CellSet = cells.copied().collect();
                assert_eq!(cells.len(), union.len() * side, "{variants} {union:?}");
            }
        }
    }
}
