//! Measures libraries: one call a puzzle in this process, without pipes. All of them search for a second solution.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use sudoku::Sudoku;
use sudoku_filter::{Alphabet, Limits, Method, Rules, Solver};

use crate::Result;

/// The number of puzzles of a corpus that are solved, one after another.
pub const PUZZLES: usize = 1000;

/// The names of the calls that are measured, in the order of the figures.
pub const CALLS: [&str; 3] = ["solve_one", "solve_digits", "sudoku crate 0.8"];

/// Returns the seconds for a call, on average over the first puzzles of a corpus. Reading a puzzle does not count. The calls run
/// in turns; the figure is the minimum of the runs.
pub fn seconds_a_call(corpus: &str, runs: usize) -> Result<[f64; CALLS.len()]> {
    let (mut grids, mut sudokus) = (Vec::new(), Vec::new());
    for line in corpus.lines().take(PUZZLES) {
        Alphabet::default().read(line.as_bytes(), 9, &mut grids)?;
        sudokus.push(Sudoku::from_str_line(line)?);
    }
    let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
    let mut least = [f64::INFINITY; CALLS.len()];
    for _ in 0..runs {
        let seconds = [
            seconds_each(grids.chunks(81), |grid| solver.solve_one(grid).unwrap()),
            seconds_each(grids.chunks(81), |grid| solve_digits(&solver, grid)),
            seconds_each(sudokus.iter(), |sudoku| sudoku.solutions_up_to(2)),
        ];
        for (least, seconds) in least.iter_mut().zip(seconds) {
            *least = least.min(seconds);
        }
    }
    Ok(least)
}

/// Solves one puzzle without a copy of its solution.
fn solve_digits(solver: &Solver, grid: &[u8]) {
    solver
        .solve_digits(grid, Limits::default(), &mut |_, found| {
            black_box(found);
        })
        .unwrap();
}

fn seconds_each<P, T>(puzzles: impl ExactSizeIterator<Item = P>, solve: impl Fn(P) -> T) -> f64 {
    let number = puzzles.len() as f64;
    let start = Instant::now();
    for puzzle in puzzles {
        black_box(solve(black_box(puzzle)));
    }
    start.elapsed().as_secs_f64() / number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_call_is_measured() {
        let seconds = seconds_a_call(&(".".repeat(81) + "\n"), 2).unwrap();
        assert!(seconds.iter().all(|&seconds| seconds > 0.0 && seconds < 60.0));
    }
}
