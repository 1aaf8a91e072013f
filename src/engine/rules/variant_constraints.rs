//! The houses and pairs that each variant adds, except jigsaw regions (`layout.rs`) and cages.

use super::house::{House, HouseName};
use super::layout::rectangle;
use super::pair::{Pair, Relation};
use super::place::a_puzzle;
use super::variants::Variant;
use crate::error::InvalidInput;

/// The houses or pairs that a variant adds to rows, columns and regions.
pub(super) enum Added {
    Houses(Vec<House>),
    Pairs(Vec<Pair>),
    /// Nothing, or what is stated for each layout or puzzle: regions, cages.
    Nothing,
}

/// `boxes` is `None` in a jigsaw without boxes.
pub(super) fn added_by(
    variant: Variant,
    side: usize,
    boxes: Option<&[House]>,
) -> Result<Added, InvalidInput> {
    // Steps are (rows down, columns right). The opposite steps would give the same pairs.
    let pairs = |relation, steps| Ok(Added::Pairs(pairs_apart(side, relation, steps)));
    let houses = match variant {
        Variant::Classic | Variant::Jigsaw | Variant::Regions | Variant::Killer => {
            return Ok(Added::Nothing);
        }
        Variant::Diagonal => diagonals(side).into(),
        Variant::Window => windows(side)?,
        Variant::Disjoint => disjoint_groups(side, boxes)?,
        Variant::Asterisk => pattern(side, variant, HouseName::Asterisk, ASTERISK)?,
        Variant::CenterDot => pattern(side, variant, HouseName::CenterDot, CENTER_DOT)?,
        Variant::Girandola => pattern(side, variant, HouseName::Girandola, GIRANDOLA)?,
        Variant::Antiknight => {
            return pairs(Relation::Knight, &[(1, -2), (1, 2), (2, -1), (2, 1)]);
        }
        // Orthogonal neighbours already share a row or column.
        Variant::Antiking => return pairs(Relation::King, &[(1, -1), (1, 1)]),
        Variant::Nonconsecutive => return pairs(Relation::Neighbours, &[(0, 1), (1, 0)]),
    };
    Ok(Added::Houses(houses))
}

/// A house of nine cells: the row and the column of each, from 1, as two digits. 25 is r2c5.
type NineCells = [u16; 9];

const ASTERISK: NineCells = [25, 33, 37, 52, 55, 58, 73, 77, 85];

const CENTER_DOT: NineCells = [22, 25, 28, 52, 55, 58, 82, 85, 88];

const GIRANDOLA: NineCells = [11, 19, 25, 52, 55, 58, 85, 91, 99];

fn pattern(
    side: usize,
    variant: Variant,
    name: HouseName,
    cells: NineCells,
) -> Result<Vec<House>, InvalidInput> {
    if side != 9 {
        let (puzzle, name) = (a_puzzle(side), variant.name());
        return Err(format!("{puzzle} has no {name}; only 9x9 puzzles have one").into());
    }
    let cells = cells.map(|cell| 9 * (cell / 10 - 1) + cell % 10 - 1);
    Ok(vec![House { name, cells: cells.into() }])
}

fn diagonals(side: usize) -> [House; 2] {
    let falling = (0..side).map(|n| (n * (side + 1)) as u16).collect();
    let rising = (1..=side).map(|n| (n * (side - 1)) as u16).collect();
    [(1, falling), (2, rising)]
        .map(|(number, cells)| House { name: HouseName::Diagonal(number), cells })
}

/// The (n-1)² windows of an n² by n² grid have n by n cells. One row (column) of cells separates
/// them from each other and from the edge. Returns an error if the side is not a square.
fn windows(side: usize) -> Result<Vec<House>, InvalidInput> {
    let n = side.isqrt();
    if n * n != side {
        let puzzle = a_puzzle(side);
        return Err(format!(
            "{puzzle} has no windows; only 4x4, 9x9, 16x16 and 25x25 puzzles have them"
        )
        .into());
    }
    let starts = || (0..n - 1).map(|index| 1 + index * (n + 1));
    let corners = starts().flat_map(|top| starts().map(move |left| (top, left)));
    let window = |(number, (top, left))| {
        let name = HouseName::Window(number);
        rectangle(side, name, top..top + n, left..left + n)
    };
    Ok((1..).zip(corners).map(window).collect())
}

/// Each house has the cells at one position in all boxes. Returns an error without boxes.
fn disjoint_groups(side: usize, boxes: Option<&[House]>) -> Result<Vec<House>, InvalidInput> {
    let boxes = boxes.ok_or("without boxes there are no disjoint groups")?;
    let group = |position: usize| House {
        name: HouseName::Disjoint(position + 1),
        cells: boxes.iter().map(|house| house.cells[position]).collect(),
    };
    Ok((0..side).map(group).collect())
}

fn pairs_apart(side: usize, relation: Relation, steps: &[(usize, isize)]) -> Vec<Pair> {
    let from_cell = |cell: usize| {
        steps.iter().filter_map(move |&(down, right)| {
            let row = cell / side + down;
            let column = (cell % side).checked_add_signed(right)?;
            (row < side && column < side)
                .then(|| Pair { cells: [cell as u16, (row * side + column) as u16], relation })
        })
    };
    (0..side * side).flat_map(from_cell).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::tests::rules_of;
    use crate::rules::{Place, Rules, Shape, Variants};

    #[test]
    fn windows_of_a_9x9_cover_rows_and_columns_2_to_4_and_6_to_8() {
        let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &"window".parse().unwrap()).unwrap();
        let first: Vec<u16> = rules.houses()[27..].iter().map(|window| window.cells[0]).collect();
        assert_eq!(first, [10, 14, 46, 50]);
        assert_eq!(rules.houses()[30].cells, [50, 51, 52, 59, 60, 61, 68, 69, 70]);
    }

    #[test]
    fn windows_need_a_square_side() {
        let reason =
            Rules::new(6, Shape::boxes_of(6).unwrap(), &"window".parse().unwrap()).unwrap_err();
        assert_eq!(
            reason.to_string(),
            "a 6x6 puzzle has no windows; only 4x4, 9x9, 16x16 and 25x25 puzzles have them"
        );
    }

    #[test]
    fn nine_cell_patterns_need_a_9x9() {
        for name in ["asterisk", "center-dot", "girandola"] {
            assert_eq!(
                rules_of(6, name).unwrap_err().to_string(),
                format!("a 6x6 puzzle has no {name}; only 9x9 puzzles have one")
            );
            let rules = rules_of(9, name).unwrap();
            let pattern = rules.extra_houses();
            assert_eq!((pattern.len(), pattern[0].cells.len()), (1, 9), "{name}");
            assert_eq!(pattern[0].name.to_string(), name);
        }
    }

    #[test]
    fn disjoint_groups_take_one_cell_of_each_box() {
        for side in [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25] {
            let rules = rules_of(side, "disjoint").unwrap();
            let groups = rules.extra_houses();
            assert_eq!(groups.len(), side);
            for group in groups {
                let boxes = rules.boxes();
                let meets_group =
                    |house: &House| house.cells.iter().any(|cell| group.cells.contains(cell));
                assert!(boxes.iter().all(meets_group), "{side} {}", group.name);
            }
        }
        let rules = rules_of(6, "disjoint").unwrap();
        assert_eq!(rules.houses()[19].name.to_string(), "disjoint group 2");
        assert_eq!(rules.houses()[19].cells, [1, 4, 13, 16, 25, 28]);
    }

    #[test]
    fn a_jigsaw_without_boxes_has_no_disjoint_groups() {
        let shape = Shape::regions(b"AABBAABBCCDDCCDD", false);
        let disjoint = Variants::default().with(Variant::Disjoint);
        assert_eq!(
            Rules::new(4, shape, &disjoint).unwrap_err().to_string(),
            "without boxes there are no disjoint groups"
        );
    }

    #[test]
    fn pairs_cover_every_move_once() {
        for side in [4, 9, 16] {
            for (name, pairs) in [
                ("antiknight", 4 * (side - 1) * (side - 2)),
                ("antiking", 2 * (side - 1) * (side - 1)),
                ("nonconsecutive", 2 * side * (side - 1)),
            ] {
                let rules = rules_of(side, name).unwrap();
                assert_eq!(rules.pairs().len(), pairs, "{name} {side}");
                for pair in rules.pairs() {
                    let [a, b] = pair.cells.map(|cell| Place::of(cell.into(), side));
                    let mut step = [a.row.abs_diff(b.row), a.column.abs_diff(b.column)];
                    step.sort_unstable();
                    let expected = match pair.relation {
                        Relation::Knight => [1, 2],
                        Relation::King => [1, 1],
                        Relation::Neighbours => [0, 1],
                    };
                    assert_eq!(step, expected);
                    assert!(pair.cells[0] < pair.cells[1]);
                }
            }
        }
    }
}
