//! Solves puzzles with human techniques (`pencil/`). `Solver::solve` then searches those on which
//! the techniques get stuck from their remaining candidates, as with the method `Lanes`.

use std::ops::ControlFlow;

use super::limits::{Limits, Progress, Report, Searched, check_solution};
use super::selection::Selection;
use crate::pencil::{End, Paper, Pencil};
use crate::puzzle::{Givens, Puzzles};
use crate::rules::Rules;

/// Returns the puzzles that techniques alone do not decide, with their remaining candidates.
pub(super) fn solve(
    pencil: &Pencil,
    rules: &Rules,
    puzzles: Puzzles<'_>,
    limits: Limits,
    report: Report<'_>,
) -> ControlFlow<(), Selection> {
    let cells = rules.cells();
    let mut paper = Paper::default();
    let mut stuck = Selection::default();
    for index in 0..puzzles.number(cells) {
        // Reports before each puzzle, because a hard 16x16 puzzle can take some milliseconds.
        report(Progress::AtWork)?;
        let givens = puzzles.givens.puzzle(index, cells);
        let grading = pencil.solve(givens, &mut paper);
        match grading.expect("the givens of these rules").end {
            End::Solved(digits) => {
                check_solution(rules, givens, digits);
                limits.report_only_solution(index, digits, report)?;
            }
            End::Contradiction => {
                let found = limits.found(None, 0, 0, Searched::Everything);
                report(Progress::Found(index, found))?;
            }
            End::Stuck(candidates) => {
                stuck.push(index, Givens::Candidates(candidates), puzzles);
            }
        }
    }
    ControlFlow::Continue(stuck)
}
