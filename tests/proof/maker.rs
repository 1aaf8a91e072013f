//! Puzzles for a law: some with one solution and hardly a given too many, some with one less, some with one wrong, some
//! that contradict themselves, some of random digits.

use crate::cases::known_grid;
use crate::law::Law;
use crate::oracle::Oracle;
use crate::program::rows;
use crate::random::Random;

pub struct Maker<'a> {
    law: &'a Law,
    oracle: Oracle,
}

/// Rounds of adding a given; what is not unique then is one of the puzzles with many solutions.
const ROUNDS: usize = 20;

impl Maker<'_> {
    pub fn new(law: &Law) -> Maker<'_> {
        Maker {
            law,
            oracle: Oracle::new(law),
        }
    }

    pub fn puzzles(&mut self, count: usize, random: &mut Random) -> Vec<Vec<u8>> {
        let grids: Vec<Vec<u8>> = (0..1 + count / 60)
            .filter_map(|_| self.full_grid(random))
            .collect();
        if grids.is_empty() {
            // No grid fits the law: whatever is given, there is no solution.
            return (0..count).map(|_| self.random_digits(random)).collect();
        }
        let grids: Vec<&Vec<u8>> = (0..count.div_ceil(3))
            .map(|_| random.pick(&grids))
            .collect();
        let seeds = self.sharpened(&grids, random);
        let mut puzzles = Vec::new();
        for (grid, Seed { puzzle, before }) in grids.into_iter().zip(seeds) {
            puzzles.push(match random.below(4) {
                0 => with_other_digit(&puzzle, grid, self.law.side, random),
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

    /// A grid with some random digits in it, if the law has one.
    fn full_grid(&mut self, random: &mut Random) -> Option<Vec<u8>> {
        if let Some(grid) = known_grid(self.law) {
            return Some(grid);
        }
        let (side, cells) = (self.law.side, self.law.side * self.law.side);
        // The more is given, the more the grids differ, and the less likely there is one. Of large grids that may take
        // long to see.
        let tries: &[usize] = if side > 12 {
            &[1, 0]
        } else {
            &[side, side * 2 / 3, side / 2, side / 4, 1, 0]
        };
        for &given in tries {
            let mut grid = vec![0; cells];
            for _ in 0..given {
                let cell = random.below(cells);
                let before = std::mem::replace(&mut grid[cell], 1 + random.below(side) as u8);
                if self.law.conflict(&grid).is_some() {
                    grid[cell] = before;
                }
            }
            if let Some(found) = self.oracle.grid(&grid) {
                assert!(self.law.holds_for(&found), "{}", self.law);
                return Some(found);
            }
        }
        None
    }

    /// From some cells of each grid: the cell in which the program's solution differs is given, until it does not.
    fn sharpened(&self, grids: &[&Vec<u8>], random: &mut Random) -> Vec<Seed> {
        let cells = self.law.side * self.law.side;
        // Larger puzzles with few givens take any engine too long.
        let share = match self.law.side {
            ..=9 => 15,
            10..=12 => 35,
            _ => 50,
        };
        let mut seeds: Vec<Seed> = grids
            .iter()
            .map(|grid| {
                let given = |&digit: &u8| if random.below(100) < share { digit } else { 0 };
                let puzzle: Vec<u8> = grid.iter().map(given).collect();
                Seed {
                    before: puzzle.clone(),
                    puzzle,
                }
            })
            .collect();
        let mut open: Vec<usize> = (0..seeds.len()).collect();
        for _ in 0..ROUNDS {
            let puzzles: Vec<Vec<u8>> = open
                .iter()
                .map(|&seed| seeds[seed].puzzle.clone())
                .collect();
            let rows = rows(self.law, &["--max-guesses", "300"], &puzzles);
            let mut still = Vec::new();
            for (row, index) in rows.into_iter().zip(open) {
                if row.status == "unique" {
                    continue;
                }
                let (seed, grid) = (&mut seeds[index], grids[index]);
                let mut blanks: Vec<usize> =
                    (0..cells).filter(|&cell| seed.puzzle[cell] == 0).collect();
                random.shuffle(&mut blanks);
                let differs = |cell: &usize| row.grid[*cell] != grid[*cell];
                let telling: Vec<usize> = blanks.iter().copied().filter(differs).collect();
                // Where its solution is this grid, any will do.
                let from = if telling.is_empty() {
                    &blanks
                } else {
                    &telling
                };
                seed.before = seed.puzzle.clone();
                for &cell in &from[..from.len().div_ceil(12)] {
                    seed.puzzle[cell] = grid[cell];
                }
                still.push(index);
            }
            open = still;
        }
        seeds
    }

    /// One given is another digit, if possible without an open contradiction.
    fn with_wrong_given(&self, puzzle: &[u8], random: &mut Random) -> Vec<u8> {
        let mut wrong = puzzle.to_vec();
        let givens: Vec<usize> = (0..puzzle.len())
            .filter(|&cell| puzzle[cell] != 0)
            .collect();
        for _ in 0..if givens.is_empty() { 0 } else { 20 } {
            let cell = *random.pick(&givens);
            wrong[cell] = 1 + random.below(self.law.side) as u8;
            if wrong[cell] != puzzle[cell] && self.law.conflict(&wrong).is_none() {
                break;
            }
            wrong[cell] = puzzle[cell];
        }
        wrong
    }

    /// Two cells of a set hold the same digit.
    fn contradicting(&self, puzzle: &[u8], random: &mut Random) -> Vec<u8> {
        let mut wrong = puzzle.to_vec();
        let set = random.pick(&self.law.sets);
        if set.len() < 2 {
            return wrong;
        }
        let first = random.below(set.len());
        let second = (first + 1 + random.below(set.len() - 1)) % set.len();
        let digit = 1 + random.below(self.law.side) as u8;
        (wrong[set[first]], wrong[set[second]]) = (digit, digit);
        wrong
    }

    /// Digits thrown in where no two contradict each other.
    fn random_digits(&self, random: &mut Random) -> Vec<u8> {
        let (side, cells) = (self.law.side, self.law.side * self.law.side);
        let mut grid = vec![0; cells];
        let throws = cells * (20 + random.below(40)) / 100;
        for _ in 0..if side > 12 { cells / 8 } else { throws } {
            let cell = random.below(cells);
            let before = std::mem::replace(&mut grid[cell], 1 + random.below(side) as u8);
            if self.law.conflict(&grid).is_some() {
                grid[cell] = before;
            }
        }
        grid
    }
}

/// A puzzle, and what it was before its last given.
struct Seed {
    puzzle: Vec<u8>,
    before: Vec<u8>,
}

/// A blank cell is given a digit that its solution does not have there.
fn with_other_digit(puzzle: &[u8], grid: &[u8], side: usize, random: &mut Random) -> Vec<u8> {
    let mut wrong = puzzle.to_vec();
    let blanks: Vec<usize> = (0..puzzle.len())
        .filter(|&cell| puzzle[cell] == 0)
        .collect();
    if let Some(&cell) = blanks.get(random.below(blanks.len().max(1))) {
        wrong[cell] = (usize::from(grid[cell]) % side) as u8 + 1;
    }
    wrong
}
