//! Random puzzles of all rules that a line can state: boxes, diagonals, regions, cages with and
//! without sums, givens.

use crate::generator::cages::cover;
use crate::generator::constraints::{Cage, Constraints, box_of};
use crate::generator::layouts::layout;
use crate::generator::puzzles::constraints_with_grid;
use crate::generator::random::Random;

/// The largest side for which the generator's search finds full grids of all variants soon.
const MAX_SEARCHED_SIDE: usize = 9;
/// The largest side of a killer.
const MAX_KILLER_SIDE: usize = 16;

/// A puzzle with its rules.
pub struct Puzzle {
    /// The variants are `diagonal`, `jigsaw`, both or neither.
    pub constraints: Constraints,
    /// Rows and columns of a box.
    pub boxes: (usize, usize),
    pub givens: Vec<u8>,
    pub has_diagonals: bool,
    pub cages: Cages,
}

/// How far apart the cells of a cage can be. An earlier kind can be written in more notations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cages {
    /// The puzzle is no killer.
    None,
    /// The cells of each cage touch each other at edges.
    Connected,
    /// The cells of some cages do not touch each other.
    Apart,
}

/// Returns a random puzzle of this side.
pub fn puzzle(side: usize, random: &mut Random) -> Puzzle {
    let is_jigsaw = random.below(3) == 0 || !has_boxes(side);
    let has_diagonals = random.below(3) == 0;
    let (constraints, grid, boxes) = grid(side, is_jigsaw, has_diagonals, random);
    let kinds = [Cages::None, Cages::Connected, Cages::Connected, Cages::Apart];
    let cages = match side {
        ..=MAX_KILLER_SIDE => *random.pick(&kinds),
        _ => Cages::None,
    };
    let constraints = match cages {
        Cages::None => constraints,
        _ => constraints.with_cages(random_cages(&grid, cages, random)),
    };
    // Many notations of cages have no givens.
    let percents: &[usize] = match cages {
        Cages::None => &[20, 35, 50, 65],
        _ => &[0, 0, 30, 60],
    };
    let percent = *random.pick(percents);
    let given = |&digit: &u8| {
        if random.below(100) < percent { digit } else { 0 }
    };
    Puzzle { constraints, boxes, givens: grid.iter().map(given).collect(), has_diagonals, cages }
}

/// Returns whether puzzles of this side have usual boxes.
fn has_boxes(side: usize) -> bool {
    box_of(side).0 > 1
}

/// Returns constraints, a full grid and the boxes. Above 9x9, the grid obeys neither regions nor
/// diagonals, so such puzzles can have no solution.
fn grid(
    side: usize,
    is_jigsaw: bool,
    has_diagonals: bool,
    random: &mut Random,
) -> (Constraints, Vec<u8>, (usize, usize)) {
    let usual = box_of(side);
    let variants = match (is_jigsaw, has_diagonals) {
        (true, true) => "jigsaw,diagonal",
        (true, false) => "jigsaw",
        (false, true) => "diagonal",
        (false, false) => "classic",
    };
    // Grids of 2x2 and 3x3 have no diagonals with different digits.
    let searches = (side == 4 || side > 5) && side <= MAX_SEARCHED_SIDE;
    if searches && (is_jigsaw || has_diagonals) {
        let (constraints, grid) = constraints_with_grid(side, variants, random);
        return (constraints, grid, usual);
    }
    if is_jigsaw {
        let labels = layout(side, variants, random);
        let constraints = Constraints::with_regions(side, variants, &labels);
        return (constraints, full_grid(usual, random), usual);
    }
    let (rows, columns) = usual;
    let boxes = if random.below(4) == 0 { (columns, rows) } else { usual };
    let constraints = Constraints::with_boxes(side, variants);
    (constraints, full_grid(boxes, random), boxes)
}

/// Returns a full grid with these boxes: each row is the one above it, shifted by a box, or by one
/// at the top of a band.
fn full_grid((rows, columns): (usize, usize), random: &mut Random) -> Vec<u8> {
    let side = rows * columns;
    let mut digits: Vec<u8> = (1..=side as u8).collect();
    random.shuffle(&mut digits);
    let digit = |cell: usize| {
        let (row, column) = (cell / side, cell % side);
        digits[(columns * (row % rows) + row / rows + column) % side]
    };
    (0..side * side).map(digit).collect()
}

/// Returns cages that the grid obeys. Some cells are in no cage, and some cages have no sum.
fn random_cages(grid: &[u8], kind: Cages, random: &mut Random) -> Vec<Cage> {
    let mut cages = cover(grid, &[1, 2, 2, 3, 3, 4], random);
    let left_out = *random.pick(&[0, 20, 50]);
    cages.retain(|_| random.below(100) >= left_out);
    if kind == Cages::Apart {
        cages = merged_at_random(grid, cages, random);
    }
    let without_sums = *random.pick(&[0, 0, 30, 100]);
    for cage in &mut cages {
        cage.sum = cage.sum.filter(|_| random.below(100) >= without_sums);
    }
    // A single cell without a sum is no cage.
    cages.retain(|cage| cage.cells.len() > 1 || cage.sum.is_some());
    cages.sort_by_key(|cage| cage.cells[0]);
    cages
}

/// Merges pairs of cages wherever they are, unless they hold a digit twice.
fn merged_at_random(grid: &[u8], mut cages: Vec<Cage>, random: &mut Random) -> Vec<Cage> {
    random.shuffle(&mut cages);
    let mut merged: Vec<Cage> = Vec::new();
    for cage in cages {
        let last = merged.last().filter(|last| last.cells.len() < 3);
        match last
            .and_then(|last| crate::generator::cages::merge(grid, &[last.clone(), cage.clone()]))
        {
            Some(both) => *merged.last_mut().expect("there is a last cage") = both,
            None => merged.push(cage),
        }
    }
    merged
}
