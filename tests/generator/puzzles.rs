//! Full grids, and puzzles made from them: with one solution, with many, with none.

use super::constraints::{Constraints, has};
use super::layouts::layout;
use super::random::Random;
use super::search::{Choice, Outcome, Search, is_solved_by_naked_singles};

/// Branch limit of a search that asks whether a given can be removed. If it is reached, the given
/// stays. Random 9x9 puzzles need at most a tenth of it (11 branches in bench/minimal.txt). In
/// 16x16 grids it excludes puzzles that would take solvers long.
pub const BRANCH_LIMIT: u64 = 100;

/// A 16x16 grid with windows and diagonals, found by `Search` after some 100,000 branches. Other
/// 16x16 grids with windows are made from it, because a search rarely finds one.
const WINDOWS_16: &[u8; 256] = b"813E4A56FDG279BCCD64728FA39BE1G579G5CDBE164832FAB2AF31G975ECD468\
GB81E6D24C379A5FD75AG34192F68ECBFEC9A57BG81D26432643F89C5EBA1G7D\
651D84F32A7EBC9GAGB7291D64CF538E9F286EC73B5G4DA134ECBGA5D1896F27\
58F61C2GB9D3A7E4139G5F68E7A4CBD2EA72DB34CF65G8194CDB97EA8G21F536";

/// Returns constraints for these variants and a full grid that obeys them. A jigsaw gets a new
/// layout.
pub fn constraints_with_grid(
    side: usize,
    variants: &str,
    random: &mut Random,
) -> (Constraints, Vec<u8>) {
    loop {
        let constraints = if has(variants, "jigsaw") || has(variants, "regions") {
            Constraints::with_regions(side, variants, &layout(side, variants, random))
        } else {
            Constraints::with_boxes(side, variants)
        };
        if let Some(grid) = full_grid(&constraints, random) {
            return (constraints, grid);
        }
    }
}

/// Returns a jigsaw whose layout has no full grid.
pub fn constraints_without_grid(side: usize, variants: &str, random: &mut Random) -> Constraints {
    loop {
        let constraints =
            Constraints::with_regions(side, variants, &layout(side, variants, random));
        let blank = vec![0; constraints.cells()];
        if Search::new(&constraints, &blank, Choice::First, BRANCH_LIMIT).next_solution()
            == Outcome::Exhausted
        {
            return constraints;
        }
    }
}

/// Returns a random full grid, or `None` if five short searches find none.
pub fn full_grid(constraints: &Constraints, random: &mut Random) -> Option<Vec<u8>> {
    if constraints.side == 16 && has(&constraints.variants, "window") {
        let grid = relabelled_and_mirrored(WINDOWS_16, random);
        let fits = |cell: usize| !constraints.forbids(&grid, cell, grid[cell]);
        return (0..grid.len()).all(fits).then_some(grid);
    }
    let blank = vec![0; constraints.cells()];
    // A search with a bad start rarely recovers, so several short searches find a grid sooner than
    // a long one.
    let limit = 50 + constraints.cells() as u64;
    (0..5).find_map(|_| {
        match Search::new(constraints, &blank, Choice::Random(random), limit).next_solution() {
            Outcome::Solution(grid) => Some(grid),
            Outcome::Exhausted | Outcome::LimitReached => None,
        }
    })
}

/// Relabels the digits of a grid, and transposes it or flips it upside down at random.
fn relabelled_and_mirrored(grid: &[u8; 256], random: &mut Random) -> Vec<u8> {
    let mut digits: Vec<u8> = (1..=16).collect();
    random.shuffle(&mut digits);
    let (transposed, upside_down) = (random.below(2) == 1, random.below(2) == 1);
    let cells = (0..256).map(|cell| {
        let (mut row, mut column) = (cell / 16, cell % 16);
        if transposed {
            (row, column) = (column, row);
        }
        if upside_down {
            row = 15 - row;
        }
        let digit = char::from(grid[16 * row + column]).to_digit(17);
        digits[digit.unwrap_or(1) as usize - 1]
    });
    cells.collect()
}

/// Removes givens in random order as long as the solution stays unique and more than `keep` are
/// left.
pub fn dig(
    constraints: &Constraints,
    solution: &[u8],
    keep: usize,
    random: &mut Random,
) -> Vec<u8> {
    let mut givens = solution.to_vec();
    let is_spare =
        |givens: &[u8], cell: usize| is_forced(constraints, givens, cell, solution[cell]);
    remove_givens(&mut givens, keep, is_spare, random);
    givens
}

/// Removes givens in random order as long as naked singles solve the puzzle and more than `keep`
/// are left.
pub fn dig_easy(
    constraints: &Constraints,
    solution: &[u8],
    keep: usize,
    random: &mut Random,
) -> Vec<u8> {
    let mut givens = solution.to_vec();
    let is_spare = |givens: &[u8], _| is_solved_by_naked_singles(constraints, givens);
    remove_givens(&mut givens, keep, is_spare, random);
    givens
}

/// Removes givens in random order. `is_spare` receives the grid without a given and the cell; it
/// returns true if the given can stay removed.
fn remove_givens(
    givens: &mut [u8],
    keep: usize,
    is_spare: impl Fn(&[u8], usize) -> bool,
    random: &mut Random,
) {
    let mut cells = cells_with_givens(givens);
    random.shuffle(&mut cells);
    let mut left = cells.len();
    for cell in cells {
        if left <= keep {
            break;
        }
        let digit = std::mem::replace(&mut givens[cell], 0);
        if is_spare(givens, cell) {
            left -= 1;
        } else {
            givens[cell] = digit;
        }
    }
}

fn cells_with_givens(givens: &[u8]) -> Vec<usize> {
    (0..givens.len()).filter(|&cell| givens[cell] != 0).collect()
}

/// True if every solution is shown to hold this digit in a blank cell.
fn is_forced(constraints: &Constraints, givens: &[u8], cell: usize, digit: u8) -> bool {
    is_single(constraints, givens, cell, digit)
        || other_digit(constraints, givens, cell, digit) == Outcome::Exhausted
}

/// True if the digit is a naked or hidden single for the givens alone, without a search.
fn is_single(constraints: &Constraints, givens: &[u8], cell: usize, digit: u8) -> bool {
    let is_excluded = |cell: usize, digit| constraints.forbids(givens, cell, digit);
    let mut others = (1..=constraints.side as u8).filter(|&other| other != digit);
    others.all(|other| is_excluded(cell, other))
        || constraints.houses_of[cell].iter().any(|&house| {
            let mut others = constraints.houses[house].iter().filter(|&&other| other != cell);
            others.all(|&other| givens[other] != 0 || is_excluded(other, digit))
        })
}

/// Searches for a solution in which `cell` does not hold `digit`.
fn other_digit(constraints: &Constraints, grid: &[u8], cell: usize, digit: u8) -> Outcome {
    let search = Search::new(constraints, grid, Choice::First, BRANCH_LIMIT);
    search.without(cell, digit).next_solution()
}

/// Returns a puzzle that lacks one to four of the givens it needs.
pub fn with_many_solutions(
    constraints: &Constraints,
    solution: &[u8],
    random: &mut Random,
) -> Vec<u8> {
    let mut missing = 1 + random.below(4);
    loop {
        let mut grid = dig(constraints, solution, fewest_givens(constraints), random);
        let mut cells = cells_with_givens(&grid);
        random.shuffle(&mut cells);
        let mut uncertain = 0;
        for cell in cells {
            let digit = std::mem::replace(&mut grid[cell], 0);
            uncertain += usize::from(!is_forced(constraints, &grid, cell, digit));
            if uncertain == missing {
                break;
            }
        }
        if has_two_solutions(constraints, &grid) {
            return grid;
        }
        missing = 1;
    }
}

/// Returns a puzzle with this number of givens, of random cells.
pub fn with_givens(solution: &[u8], number: usize, random: &mut Random) -> Vec<u8> {
    let mut cells: Vec<usize> = (0..solution.len()).collect();
    random.shuffle(&mut cells);
    let mut grid = vec![0; solution.len()];
    cells[..number].iter().for_each(|&cell| grid[cell] = solution[cell]);
    grid
}

/// True if two solutions are found within the branch limit. If houses overlap much, a search may
/// need long even for a blank grid.
pub fn has_two_solutions(constraints: &Constraints, grid: &[u8]) -> bool {
    [Choice::First, Choice::Last].into_iter().all(|choice| {
        let mut search = Search::new(constraints, grid, choice, BRANCH_LIMIT);
        let mut is_found = || matches!(search.next_solution(), Outcome::Solution(_));
        is_found() && is_found()
    })
}

/// Returns a puzzle without solution: one given is changed, and no two givens of a house are alike.
pub fn without_solution(
    constraints: &Constraints,
    solution: &[u8],
    random: &mut Random,
) -> Vec<u8> {
    loop {
        let keep = fewest_givens(constraints).max(random.below(constraints.cells() / 2));
        let mut grid = dig(constraints, solution, keep, random);
        let mut givens = cells_with_givens(&grid);
        random.shuffle(&mut givens);
        for cell in givens {
            let wrong = 1 + random.below(constraints.side) as u8;
            if grid[cell] == wrong || constraints.forbids(&grid, cell, wrong) {
                continue;
            }
            let digit = std::mem::replace(&mut grid[cell], wrong);
            if Search::new(constraints, &grid, Choice::First, BRANCH_LIMIT).next_solution()
                == Outcome::Exhausted
            {
                return grid;
            }
            grid[cell] = digit;
        }
    }
}

/// Returns the number of givens at which `dig` stops: 0, but more for large grids, which would take
/// long to make and to solve.
pub fn fewest_givens(constraints: &Constraints) -> usize {
    match constraints.side {
        ..=9 => 0,
        10 => 30,
        _ => constraints.cells() * 45 / 100,
    }
}

/// Returns a puzzle in which two givens of a house are alike.
pub fn with_contradicting_givens(
    constraints: &Constraints,
    solution: &[u8],
    random: &mut Random,
) -> Vec<u8> {
    let mut grid = dig(constraints, solution, constraints.cells() / 2, random);
    let givens = cells_with_givens(&grid);
    loop {
        let cell = *random.pick(&givens);
        let peer = *random.pick(&constraints.peers[cell]);
        if grid[peer] != 0 {
            grid[cell] = grid[peer];
            return grid;
        }
    }
}

/// Returns the branches needed to prove a puzzle's solution unique: the fewer of two searches with
/// at most `limit` branches.
pub fn branches_needed(constraints: &Constraints, givens: &[u8], limit: u64) -> u64 {
    let branches = [Choice::First, Choice::Last].map(|choice| {
        let mut search = Search::new(constraints, givens, choice, limit);
        while let Outcome::Solution(_) = search.next_solution() {}
        search.branches
    });
    branches[0].min(branches[1])
}

/// Returns a puzzle similar to this one: removes a given, adds others until one of the solutions is
/// the only one, and then removes every given that is not needed.
pub fn similar_puzzle(constraints: &Constraints, givens: &[u8], random: &mut Random) -> Vec<u8> {
    let mut givens = givens.to_vec();
    let cells = cells_with_givens(&givens);
    givens[*random.pick(&cells)] = 0;
    let solution = match Search::new(constraints, &givens, Choice::Random(random), BRANCH_LIMIT)
        .next_solution()
    {
        Outcome::Solution(solution) => solution,
        other => unreachable!("the puzzle has a solution: {other:?}"),
    };
    let mut blanks: Vec<usize> =
        (0..constraints.cells()).filter(|&cell| givens[cell] == 0).collect();
    random.shuffle(&mut blanks);
    for cell in blanks {
        if !is_forced(constraints, &givens, cell, solution[cell]) {
            givens[cell] = solution[cell];
        }
    }
    let is_spare =
        |givens: &[u8], cell: usize| is_forced(constraints, givens, cell, solution[cell]);
    remove_givens(&mut givens, 0, is_spare, random);
    givens
}
