//! Houses and unions of houses for the rule of 45: the sum of their digits is known, and so is that of the cages inside.
//! `innies_outies.rs` draws the conclusions.

use super::tables::{HouseUnion, Tables};
use crate::rules::{CellSet, HouseName};

/// The most adjacent rows or columns in a union.
const MAX_ROWS: usize = 4;

/// Returns every house; then two adjacent rows, two adjacent columns and two adjacent regions; then three rows, three columns,
/// and so on. Returns none if no cage has a sum.
pub(super) fn all(tables: &Tables) -> Vec<HouseUnion> {
    if tables.sum_cages.is_empty() {
        return Vec::new();
    }
    let mut unions: Vec<Vec<u16>> = (0..tables.house_count as u16)
        .map(|house| vec![house])
        .collect();
    for size in 2..=MAX_ROWS.min(tables.side - 1) {
        for houses in [tables.rows(), tables.columns()] {
            let houses: Vec<u16> = houses.map(|house| house as u16).collect();
            unions.extend(houses.windows(size).map(<[u16]>::to_vec));
        }
        if size == 2 {
            unions.extend(adjacent_regions(tables));
        }
    }
    let unions = unions.into_iter();
    unions.map(|houses| union_of(tables, houses)).collect()
}

/// Builds the union of these houses, with the sum that its inner cages leave and the cages that cross it.
fn union_of(tables: &Tables, houses: Vec<u16>) -> HouseUnion {
    let cells_of = |house: u16| tables.cells_of.of(house.into()).iter().copied();
    let cells: CellSet = houses.iter().flat_map(|&house| cells_of(house)).collect();
    let mut uncaged = cells;
    let mut rest = (houses.len() * tables.side * (tables.side + 1) / 2) as i32;
    let mut crossing = Vec::new();
    for &cage in &tables.sum_cages {
        let of_cage = tables.cells_of.of(cage.house);
        let inside = of_cage.iter().filter(|&&cell| uncaged.remove(cell)).count();
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

/// Returns the pairs of boxes, and those of jigsaw regions, that have adjacent cells.
fn adjacent_regions(tables: &Tables) -> Vec<Vec<u16>> {
    let regions =
        (0..tables.house_count as u16).filter(|&house| name_of(tables, house).is_region());
    let regions: Vec<u16> = regions.collect();
    let mut pairs = Vec::new();
    for (index, &first) in regions.iter().enumerate() {
        let neighbours = neighbours(tables, first);
        for &second in &regions[index + 1..] {
            let is_jigsaw = [first, second].map(|house| name_of(tables, house).is_jigsaw_region());
            let cells = tables.cells_of.of(second.into());
            if is_jigsaw[0] == is_jigsaw[1] && cells.iter().any(|&cell| neighbours.contains(cell)) {
                pairs.push(vec![first, second]);
            }
        }
    }
    pairs
}

fn name_of(tables: &Tables, house: u16) -> HouseName {
    tables.names[usize::from(house)]
}

/// Returns the cells above, below, left and right of the cells of a house.
fn neighbours(tables: &Tables, house: u16) -> CellSet {
    let side = tables.side as u16;
    let mut neighbours = CellSet::default();
    for &cell in tables.cells_of.of(house.into()) {
        let (row, column) = (cell / side, cell % side);
        let above = row.checked_sub(1).map(|_| cell - side);
        let below = (row + 1 < side).then_some(cell + side);
        let left = column.checked_sub(1).map(|_| cell - 1);
        let right = (column + 1 < side).then_some(cell + 1);
        for neighbour in [above, below, left, right].into_iter().flatten() {
            neighbours.insert(neighbour);
        }
    }
    neighbours
}
