//! Solves puzzles with human techniques first. If the techniques get stuck on a puzzle, a lane searches it from the remaining
//! candidates. The techniques are in `pencil/`.

use super::{Found, Progress, Solver};
use crate::pencil::{End, Paper};
use crate::puzzle::{Givens, Puzzles};
use crate::verdict::Status;

/// Number of puzzles between two reports of progress.
const PUZZLES_PER_REPORT: usize = 64;

/// Puzzles on which the techniques got stuck.
#[derive(Default)]
struct StuckPuzzles {
    puzzles: Vec<usize>,
    candidates: Vec<u32>,
    seeds: Vec<u64>,
}

impl Solver {
    pub(super) fn solve_with_pencil(
        &self,
        puzzles: Puzzles<'_>,
        report: &mut dyn FnMut(Progress<'_>),
    ) {
        let cells = self.rules.cells();
        let pencil = self.pencil();
        let mut paper = Paper::default();
        let mut stuck = StuckPuzzles::default();
        for index in 0..puzzles.number(cells) {
            if index % PUZZLES_PER_REPORT == 0 {
                report(Progress::AtWork);
            }
            let givens = puzzles.givens.of(index, cells);
            match pencil.solve(givens, &mut paper).end {
                End::Solved(digits) => self.report_solved(index, givens, digits, report),
                End::Contradiction => report(Progress::Found(index, NO_SOLUTION)),
                End::Stuck(candidates) => {
                    stuck.puzzles.push(index);
                    stuck.candidates.extend_from_slice(candidates);
                    stuck.seeds.extend(puzzles.seeds.get(index));
                }
            }
        }
        let left = Puzzles {
            givens: Givens::Candidates(&stuck.candidates),
            seeds: &stuck.seeds,
        };
        self.solve_in_lanes(left, &mut |progress| report(progress.at(&stuck.puzzles)));
    }

    /// Reports a solution found by techniques alone. It is the only solution.
    fn report_solved(
        &self,
        index: usize,
        givens: Givens<'_>,
        digits: &[u8],
        report: &mut dyn FnMut(Progress<'_>),
    ) {
        assert!(
            self.rules.hold_for(digits) && givens.are_kept_by(digits),
            "{digits:?} is no solution of {givens:?}"
        );
        if self.limits.shown > 1 {
            report(Progress::Solution(index, digits));
        }
        let found = Found {
            status: Status::Unique,
            solution: Some(digits),
            solutions: 1,
            ..NO_SOLUTION
        };
        report(Progress::Found(index, found));
    }
}

const NO_SOLUTION: Found<'_> = Found {
    status: Status::None,
    solution: None,
    guesses: 0,
    solutions: 0,
    complete: true,
};
