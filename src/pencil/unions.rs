//! Builds the houses and unions of houses for the rule of 45, each with the sum that the cages
//! inside leave for its other cells. `innies_outies.rs` searches them for candidates to remove.

use super::marks::pairs_of;
use super::tables::{HouseUnion, Tables};
use crate::rules::CellSet;

/// The maximum number of rows, or of columns, in a union.
const MAX_ROWS: usize = 4;

/// Returns every house alone; then every two adjacent rows, every two adjacent columns, and every
/// two adjacent boxes or jigsaw regions; then every three adjacent rows, every three adjacent
/// columns, and so on up to `MAX_ROWS`, but fewer than N. Returns none if no cage has a sum.
pub(super) fn all(tables: &Tables) -> Vec<HouseUnion> {
    if tables.sum_cages.is_empty() {
        return Vec::new();
    }
    let houses = 0..tables.house_count;
    let mut unions: Vec<Vec<usize>> = houses.map(|house| vec![house]).collect();
    for size in 2..=MAX_ROWS.min(tables.side - 1) {
        for houses in [tables.rows(), tables.columns()] {
            let houses: Vec<usize> = houses.collect();
            unions.extend(houses.windows(size).map(<[usize]>::to_vec));
        }
        if size == 2 {
            unions.extend(adjacent_regions(tables));
        }
    }
    let unions = unions.into_iter();
    unions.map(|houses| union_of(tables, houses)).collect()
}

/// Builds the union of these houses.
fn union_of(tables: &Tables, houses: Vec<usize>) -> HouseUnion {
    let cells = houses.iter().flat_map(|&house| tables.cells_of.of(house));
    let cells: CellSet = cells.copied().collect();
    let mut uncaged = cells;
    let mut rest = (houses.len() * tables.side * (tables.side + 1) / 2) as i32;
    let mut crossing = Vec::new();
    for &cage in &tables.sum_cages {
        let of_cage = tables.cells_of.of(cage.house);
        let mut inside = 0;
        for &cell in of_cage {
            // True if the cell is in the union: cages do not overlap, so no earlier cage has
            // removed it.
            inside += usize::from(uncaged.remove(cell));
        }
        if inside == of_cage.len() {
            rest -= i32::from(cage.sum);
        } else if inside > 0 {
            crossing.push(cage);
        }
    }
    HouseUnion {
        houses,
        cells,
        rest,
        uncaged: uncaged.iter().collect(),
        crossing,
    }
}

/// Returns every two boxes, and every two jigsaw regions, where a cell of one is directly beside,
/// above or below a cell of the other.
fn adjacent_regions(tables: &Tables) -> Vec<Vec<usize>> {
    let houses = 0..tables.house_count;
    let regions: Vec<usize> = houses
        .filter(|&house| tables.names[house].is_region())
        .collect();
    let are_alike = |pair: &[usize; 2]| {
        let [first, second] = pair.map(|house| tables.names[house].is_jigsaw_region());
        first == second
    };
    let pairs = pairs_of(&regions).filter(are_alike);
    let pairs = pairs.filter(|&pair| are_adjacent(tables, pair));
    pairs.map(Vec::from).collect()
}

/// Returns true if a cell of one house is directly beside, above or below a cell of the other.
fn are_adjacent(tables: &Tables, houses: [usize; 2]) -> bool {
    let side = tables.side as u16;
    let touch = |a: u16, b: u16| {
        let (down, right) = ((a / side).abs_diff(b / side), (a % side).abs_diff(b % side));
        down + right == 1
    };
    let [first, second] = houses.map(|house| tables.cells_of.of(house));
    first.iter().any(|&a| second.iter().any(|&b| touch(a, b)))
}
