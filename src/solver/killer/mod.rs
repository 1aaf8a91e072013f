//! Solves puzzles that each have their own cages.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::backtrack::Backtrack;
use super::limits::{Limits, Progress};
use crate::puzzle::Puzzles;
use crate::rules::Rules;

/// Solves killers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Killers;

impl Killers {
    /// Solves each puzzle with the rules at the same index. Reports like [`Solver::solve`](super::Solver::solve).
    pub fn solve(
        &self,
        rules: &[Arc<Rules>],
        puzzles: Puzzles<'_>,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for (index, rules) in rules.iter().enumerate() {
            let puzzle = Puzzles {
                givens: puzzles.givens.of(index, rules.cells()),
                seeds: puzzles.seeds.get(index..=index).unwrap_or_default(),
            };
            let report = &mut |progress: Progress<'_>| report(progress.at(&[index]));
            Backtrack::new(rules, limits).solve(puzzle, report)?;
        }
        ControlFlow::Continue(())
    }
}
