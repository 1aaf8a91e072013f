//! Puzzles that obey constraints: nearly minimal ones with one solution, the same with a given
//! less, with a wrong given, with givens that contradict each other, and with random digits.

use super::cases::precomputed_grid;
use super::constraints::Constraints;
use super::oracle::Oracle;
use super::program::output_lines;
use crate::generator::random::Random;

pub struct Maker<'a> {
    constraints: &'a Constraints,
    oracle: Oracle,
}

/// Rounds that add givens. A puzzle that is not unique after the last one counts as one with many
/// solutions.
const ROUNDS: usize = 20;

impl Maker<'_> {
    pub fn new(constraints: &Constraints) -> Maker<'_> {
        Maker { constraints, oracle: Oracle::new(constraints) }
    }

    pub fn puzzles(&mut self, count: usize, random: &mut Random) -> Vec<Vec<u8>> {
        let grids: Vec<Vec<u8>> =
            (0..1 + count / 60).filter_map(|_| self.full_grid(random)).collect();
        if grids.is_empty() {
            // No grid obeys the constraints, so no puzzle has a solution.
            return (0..count).map(|_| self.random_digits(random)).collect();
        }
        let grids: Vec<&Vec<u8>> = (0..count.div_ceil(3)).map(|_| random.pick(&grids)).collect();
        let drafts = self.with_one_solution(&grids, random);
        let mut puzzles = Vec::new();
        for (grid, Draft { puzzle, before }) in grids.into_iter().zip(drafts) {
            puzzles.push(match random.below(4) {
                0 => with_other_digit(&puzzle, grid, self.constraints.side, random),
                1 => self.with_wrong_given(&puzzle, random),
                2 => self.contradicting(&puzzle, random),
                _ => self.random_digits(random),
            });
            puzzles.push(puzzle);
            puzzles.push(before);
        }
        puzzles.truncate(count);
        puzzles
    }

    /// Returns a full grid that contains some random digits, or `None` if there is no full grid.
    pub fn full_grid(&mut self, random: &mut Random) -> Option<Vec<u8>> {
        if let Some(grid) = precomputed_grid(self.constraints) {
            return Some(grid);
        }
        let (side, cells) = (self.constraints.side, self.constraints.side * self.constraints.side);
        // More random digits make grids more varied, but less likely to have a solution. For large
        // grids batsat may need long to prove that.
        let tries: &[usize] =
            if side > 12 { &[1, 0] } else { &[side, side * 2 / 3, side / 2, side / 4, 1, 0] };
        for &given in tries {
            let mut grid = vec![0; cells];
            for _ in 0..given {
                let cell = random.below(cells);
                let before = std::mem::replace(&mut grid[cell], 1 + random.below(side) as u8);
                if self.constraints.conflict(&grid).is_some() {
                    grid[cell] = before;
                }
            }
            if let Some(found) = self.oracle.grid(&grid) {
                assert!(self.constraints.are_obeyed_by(&found), "{}", self.constraints);
                return Some(found);
            }
        }
        None
    }

    /// Starts from random cells of each grid. Adds givens where the program's solution differs from
    /// the grid, until the puzzle is unique.
    fn with_one_solution(&self, grids: &[&Vec<u8>], random: &mut Random) -> Vec<Draft> {
        let cells = self.constraints.side * self.constraints.side;
        // Larger puzzles with few givens take any solver too long.
        let share = match self.constraints.side {
            ..=9 => 15,
            10..=12 => 35,
            _ => 50,
        };
        let mut drafts: Vec<Draft> = grids
            .iter()
            .map(|grid| {
                let given = |&digit: &u8| if random.below(100) < share { digit } else { 0 };
                let puzzle: Vec<u8> = grid.iter().map(given).collect();
                Draft { before: puzzle.clone(), puzzle }
            })
            .collect();
        let mut open: Vec<usize> = (0..drafts.len()).collect();
        for _ in 0..ROUNDS {
            let puzzles: Vec<Vec<u8>> =
                open.iter().map(|&draft| drafts[draft].puzzle.clone()).collect();
            let solved_puzzles =
                output_lines(self.constraints, &["--max-guesses", "300"], &puzzles);
            let mut still_open = Vec::new();
            for (solved, index) in solved_puzzles.into_iter().zip(open) {
                if solved.status == "unique" {
                    continue;
                }
                let (draft, grid) = (&mut drafts[index], grids[index]);
                let mut blanks: Vec<usize> =
                    (0..cells).filter(|&cell| draft.puzzle[cell] == 0).collect();
                random.shuffle(&mut blanks);
                let differs = |cell: &usize| solved.grid[*cell] != grid[*cell];
                let differing: Vec<usize> = blanks.iter().copied().filter(differs).collect();
                // If the program's solution is the grid itself, any blank cell serves.
                let from = if differing.is_empty() { &blanks } else { &differing };
                draft.before = draft.puzzle.clone();
                for &cell in &from[..from.len().div_ceil(12)] {
                    draft.puzzle[cell] = grid[cell];
                }
                still_open.push(index);
            }
            open = still_open;
        }
        drafts
    }

    /// Changes one given to another digit, if possible to one that contradicts no other given.
    fn with_wrong_given(&self, puzzle: &[u8], random: &mut Random) -> Vec<u8> {
        let mut wrong = puzzle.to_vec();
        let givens: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] != 0).collect();
        for _ in 0..if givens.is_empty() { 0 } else { 20 } {
            let cell = *random.pick(&givens);
            wrong[cell] = 1 + random.below(self.constraints.side) as u8;
            if wrong[cell] != puzzle[cell] && self.constraints.conflict(&wrong).is_none() {
                break;
            }
            wrong[cell] = puzzle[cell];
        }
        wrong
    }

    /// Puts one digit into two cells of a set.
    fn contradicting(&self, puzzle: &[u8], random: &mut Random) -> Vec<u8> {
        let mut wrong = puzzle.to_vec();
        let set = random.pick(&self.constraints.sets);
        if set.len() < 2 {
            return wrong;
        }
        let first = random.below(set.len());
        let second = (first + 1 + random.below(set.len() - 1)) % set.len();
        let digit = 1 + random.below(self.constraints.side) as u8;
        (wrong[set[first]], wrong[set[second]]) = (digit, digit);
        wrong
    }

    /// Returns random digits that do not contradict each other.
    fn random_digits(&self, random: &mut Random) -> Vec<u8> {
        let (side, cells) = (self.constraints.side, self.constraints.side * self.constraints.side);
        let mut grid = vec![0; cells];
        let attempts = cells * (20 + random.below(40)) / 100;
        for _ in 0..if side > 12 { cells / 8 } else { attempts } {
            let cell = random.below(cells);
            let before = std::mem::replace(&mut grid[cell], 1 + random.below(side) as u8);
            if self.constraints.conflict(&grid).is_some() {
                grid[cell] = before;
            }
        }
        grid
    }
}

/// A puzzle, and the same puzzle before its last givens were added.
struct Draft {
    puzzle: Vec<u8>,
    before: Vec<u8>,
}

/// Fills one blank cell with a digit that differs from the solution.
fn with_other_digit(puzzle: &[u8], grid: &[u8], side: usize, random: &mut Random) -> Vec<u8> {
    let mut wrong = puzzle.to_vec();
    let blanks: Vec<usize> = (0..puzzle.len()).filter(|&cell| puzzle[cell] == 0).collect();
    if let Some(&cell) = blanks.get(random.below(blanks.len().max(1))) {
        wrong[cell] = (usize::from(grid[cell]) % side) as u8 + 1;
    }
    wrong
}
