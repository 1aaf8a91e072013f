//! Random jigsaw layouts: each region is orthogonally connected and has as many cells as there are
//! digits.

use super::constraints::boxes_of;
use super::random::Random;

/// Returns a layout whose regions are labelled `A`, `B`, ... in the order of their first cells.
pub fn layout(side: usize, variants: &str, random: &mut Random) -> Vec<u8> {
    let mut regions = boxes_of(side);
    // One exchange for each cell leaves little of the boxes. With windows, few grids fit so
    // irregular a layout.
    let mut exchanges = if variants.contains("window") { side * side / 4 } else { side * side };
    while exchanges > 0 {
        exchanges -= usize::from(exchange(side, &mut regions, random));
    }
    let mut order = Vec::new();
    for &region in &regions {
        if !order.contains(&region) {
            order.push(region);
        }
    }
    let label = |region: &u8| order.iter().position(|other| other == region).unwrap_or(0) as u8;
    regions.iter().map(|region| b'A' + label(region)).collect()
}

/// Exchanges two cells of two neighbouring regions; undoes it and returns false if one of them
/// falls apart.
fn exchange(side: usize, regions: &mut [u8], random: &mut Random) -> bool {
    let one = random.below(side * side);
    let mine = regions[one];
    let other_regions = neighbours_of(one, side).filter(|&near| regions[near] != mine);
    let other_regions: Vec<u8> = other_regions.map(|near| regions[near]).collect();
    if other_regions.is_empty() {
        return false;
    }
    let theirs = *random.pick(&other_regions);
    let touches_mine = |&cell: &usize| {
        let mut around = neighbours_of(cell, side);
        regions[cell] == theirs && around.any(|near| near != one && regions[near] == mine)
    };
    let others: Vec<usize> = (0..side * side).filter(touches_mine).collect();
    if others.is_empty() {
        return false;
    }
    let other = *random.pick(&others);
    regions.swap(one, other);
    let whole = is_connected(side, regions, mine) && is_connected(side, regions, theirs);
    if !whole {
        regions.swap(one, other);
    }
    whole
}

fn is_connected(side: usize, regions: &[u8], region: u8) -> bool {
    let first = regions.iter().position(|&other| other == region);
    let mut reached: Vec<usize> = first.into_iter().collect();
    let mut next = 0;
    while let Some(&cell) = reached.get(next) {
        next += 1;
        for near in neighbours_of(cell, side) {
            if regions[near] == region && !reached.contains(&near) {
                reached.push(near);
            }
        }
    }
    reached.len() == side
}

pub fn neighbours_of(cell: usize, side: usize) -> impl Iterator<Item = usize> {
    let above = cell.checked_sub(side);
    let below = (cell + side < side * side).then_some(cell + side);
    let left = (!cell.is_multiple_of(side)).then(|| cell - 1);
    let right = (cell % side + 1 < side).then_some(cell + 1);
    [above, below, left, right].into_iter().flatten()
}
