//! Builds the unions of houses for the rule of 45.

use super::tables::{HouseUnion, Tables};
use crate::rules::{CellSet, Rules};

/// Unions of fewer houses come first. Returns none if no cage has a sum.
pub(super) fn all(rules: &Rules, tables: &Tables) -> Vec<HouseUnion> {
    if tables.sum_cages.is_empty() {
        return Vec::new();
    }
    let mut unions = rules.unions();
    unions.sort_by_key(Vec::len);
    let unions = unions.into_iter();
    unions.map(|houses| union_of(tables, houses)).collect()
}

fn union_of(tables: &Tables, houses: Vec<usize>) -> HouseUnion {
    let cells = houses.iter().flat_map(|&house| tables.cells_of.of(house));
    let cells: CellSet = cells.copied().collect();
    let mut uncaged = cells;
    let mut rest = (houses.len() * tables.side * (tables.side + 1) / 2) as i32;
    let mut crossing = Vec::new();
    for &cage in &tables.sum_cages {
        let cage_cells = tables.cells_of.of(cage.house);
        let mut inside = 0;
        for &cell in cage_cells {
            // `remove` returns true if the cell is in the union, because cages do not overlap.
            inside += usize::from(uncaged.remove(cell));
        }
        if inside == cage_cells.len() {
            rest -= i32::from(cage.sum);
        } else if inside > 0 {
            crossing.push(cage);
        }
    }
    HouseUnion { houses, cells, rest, uncaged: uncaged.iter().collect(), crossing }
}
