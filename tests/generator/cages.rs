//! Random cages: each is orthogonally connected, and holds no digit of a full grid twice.

use super::constraints::Cage;
use super::layouts::neighbours_of;
use super::random::Random;

/// Returns cages that cover a full grid. Their sizes are picked from `sizes`, but some are smaller,
/// because little room is left for them.
pub fn cover(grid: &[u8], sizes: &[usize], random: &mut Random) -> Vec<Cage> {
    divide(grid, (0..grid.len()).collect(), sizes, random)
}

/// Returns the parts of a cage: two, or more if the rest of the first one is not connected.
pub fn split(grid: &[u8], cage: &Cage, random: &mut Random) -> Vec<Cage> {
    let most = cage.cells.len() - 1;
    let sizes = [cage.cells.len() / 2, cage.cells.len().div_ceil(2)].map(|size| size.min(most));
    divide(grid, cage.cells.clone(), &sizes, random)
}

/// Returns two cages as one, unless they hold a digit twice.
pub fn merge(grid: &[u8], cages: &[Cage]) -> Option<Cage> {
    let [one, other] = cages else { return None };
    let mut cells = [&one.cells[..], &other.cells].concat();
    cells.sort_unstable();
    let mut digits: Vec<u8> = cells.iter().map(|&cell| grid[cell]).collect();
    digits.sort_unstable();
    digits.dedup();
    (digits.len() == cells.len()).then(|| cage_of(grid, cells))
}

/// Divides cells into cages.
fn divide(grid: &[u8], mut left: Vec<usize>, sizes: &[usize], random: &mut Random) -> Vec<Cage> {
    let side = grid.len().isqrt();
    let mut cages = Vec::new();
    random.shuffle(&mut left);
    while !left.is_empty() {
        // A cell with few neighbours becomes a cage of one cell if other cages take them.
        let room = |cell: &usize| neighbours_of(*cell, side).filter(|near| left.contains(near));
        let at = (0..left.len()).min_by_key(|&at| room(&left[at]).count());
        let first = left.swap_remove(at.expect("some cells are left"));
        let size = *random.pick(sizes);
        cages.push(grow(grid, first, size, &mut left, random));
    }
    cages
}

/// Returns a cage of at most `size` cells, and removes them from `left`.
fn grow(
    grid: &[u8],
    first: usize,
    size: usize,
    left: &mut Vec<usize>,
    random: &mut Random,
) -> Cage {
    let side = grid.len().isqrt();
    let mut cells = vec![first];
    while cells.len() < size {
        let digits: Vec<u8> = cells.iter().map(|&cell| grid[cell]).collect();
        let fits = |near: &usize| left.contains(near) && !digits.contains(&grid[*near]);
        let around = cells.iter().flat_map(|&cell| neighbours_of(cell, side));
        let around: Vec<usize> = around.filter(fits).collect();
        if around.is_empty() {
            break;
        }
        let next = *random.pick(&around);
        left.retain(|&cell| cell != next);
        cells.push(next);
    }
    cells.sort_unstable();
    cage_of(grid, cells)
}

/// Returns the cage of these cells, in ascending order, with its sum.
fn cage_of(grid: &[u8], cells: Vec<usize>) -> Cage {
    let sum = cells.iter().map(|&cell| usize::from(grid[cell])).sum();
    Cage { cells, sum: Some(sum) }
}
