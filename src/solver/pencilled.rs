//! Solves puzzles with human techniques (`pencil/`), and collects the puzzles on which the techniques get stuck. The lanes
//! search these from the remaining candidates.

use std::ops::ControlFlow;

use super::limits::{Found, Limits, Progress};
use crate::pencil::{End, Paper, Pencil};
use crate::puzzle::{Givens, Puzzles};
use crate::rules::Rules;
use crate::verdict::Status;

/// Number of puzzles between two reports of progress.
const PUZZLES_PER_REPORT: usize = 64;

/// Puzzles on which the techniques got stuck.
#[derive(Default)]
pub(super) struct StuckPuzzles {
    /// The index of each puzzle among all puzzles.
    pub indices: Vec<usize>,
    /// The candidates that the techniques left in each cell, one puzzle after the other.
    candidates: Vec<u32>,
    /// The seed of each puzzle. Empty if the puzzles have no seeds.
    seeds: Vec<u64>,
}

impl StuckPuzzles {
    pub fn puzzles(&self) -> Puzzles<'_> {
        Puzzles {
            givens: Givens::Candidates(&self.candidates),
            seeds: &self.seeds,
        }
    }
}

/// Reports each puzzle that techniques alone decide, and returns the others. Breaks if `report` breaks.
pub(super) fn solve(
    pencil: &Pencil,
    rules: &Rules,
    puzzles: Puzzles<'_>,
    limits: Limits,
    report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> ControlFlow<(), StuckPuzzles> {
    let cells = rules.cells();
    let mut paper = Paper::default();
    let mut stuck = StuckPuzzles::default();
    for index in 0..puzzles.number(cells) {
        if index % PUZZLES_PER_REPORT == 0 {
            report(Progress::AtWork)?;
        }
        let givens = puzzles.givens.of(index, cells);
        match pencil.solve(givens, &mut paper).end {
            End::Solved(digits) => {
                assert!(
                    rules.hold_for(digits) && givens.are_kept_by(digits),
                    "{digits:?} is no solution of {givens:?}"
                );
                if limits.reports_solutions() {
                    report(Progress::Solution(index, digits))?;
                }
                report(Progress::Found(index, only_solution(digits)))?;
            }
            End::Contradiction => report(Progress::Found(index, NO_SOLUTION))?,
            End::Stuck(candidates) => {
                stuck.indices.push(index);
                stuck.candidates.extend_from_slice(candidates);
                stuck.seeds.extend(puzzles.seeds.get(index));
            }
        }
    }
    debug_assert_eq!(stuck.candidates.len(), stuck.indices.len() * cells);
    debug_assert!(stuck.seeds.is_empty() || stuck.seeds.len() == stuck.indices.len());
    ControlFlow::Continue(stuck)
}

/// Returns the result for a puzzle that techniques alone solve: the solution is the only one.
fn only_solution(digits: &[u8]) -> Found<'_> {
    Found {
        status: Status::Unique,
        solution: Some(digits),
        solutions: 1,
        ..NO_SOLUTION
    }
}

/// The result for a puzzle in which techniques find a contradiction.
const NO_SOLUTION: Found<'_> = Found {
    status: Status::None,
    solution: None,
    guesses: 0,
    solutions: 0,
    complete: true,
};
