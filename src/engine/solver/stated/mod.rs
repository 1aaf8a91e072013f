//! Solves puzzles that state their own rules: cages (killers), tables of the digits of two cells,
//! weighted sums, counts (`crate::rules::stated`). They are solved one at a time: puzzles cannot
//! share the lanes of a vector, because all lanes take the same steps, and puzzles with different
//! rules need different ones.
//!
//! `plan.rs` holds the constraints that puzzles share; `problem.rs` adds those of one puzzle.
//! `board.rs`, `sums.rs`, `exact_sums.rs` and `rules.rs` deduce; `rule_of_45.rs` and
//! `combined_sums.rs` find more sums. `search.rs` is the main loop for one node at a time, `tree.rs`
//! holds the open branches, and `branching.rs` chooses cells. A search that needs many branches goes
//! on in lanes (`lanes.rs`, `lane_board.rs`), with a node of its tree in each lane.

mod board;
mod branching;
mod combined_sums;
mod contradiction;
mod exact_sums;
mod lane_board;
mod lane_cells;
mod lanes;
mod plan;
mod problem;
mod rule_of_45;
mod rules;
mod search;
mod sums;
#[cfg(test)]
mod tests;
mod tree;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::learning::SearchTask;
use super::limits::{Limits, Progress, Report};
use super::record::SearchRecord;
use super::simd::level::Level;
use crate::puzzle::Puzzles;
use crate::rules::Rules;
use plan::StatedPlan;
use search::StatedSearch;
use tree::StatedTree;

/// In one call of `solve`, all puzzles have the same side, and each can have its own rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatedSolver {
    level: Level,
    /// A search that makes more guesses than this goes on in lanes.
    guesses_alone: u64,
}

const GUESSES_ALONE: u64 = 30;

impl StatedSolver {
    pub fn new(level: Level) -> StatedSolver {
        StatedSolver { level, guesses_alone: GUESSES_ALONE }
    }

    /// Reports like [`Solver::solve`](super::Solver::solve), but in the order of the puzzles.
    /// Puzzles whose rules share their base (`Rules::base_address`) share a plan.
    pub fn solve(
        &self,
        rules: &[Arc<Rules>],
        puzzles: Puzzles<'_>,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<()> {
        // Those that state rules have plans of their own, with further deductions.
        let mut plans: HashMap<(usize, bool), StatedPlan> = HashMap::new();
        for (index, rules) in rules.iter().enumerate() {
            report(Progress::AtWork)?;
            let new_plan = || StatedPlan::new(rules);
            let kind = (rules.base_address(), rules.stated().is_some());
            let plan = plans.entry(kind).or_insert_with(new_plan);
            let task = SearchTask::new(rules, puzzles, index, limits);
            let tree = StatedTree::new(SearchRecord::new(rules, task, limits));
            // Inlined here, the main loop and the deductions use the instructions of the level.
            self.level.dispatch(
                #[inline(always)]
                || StatedSearch::new(*self, plan, tree).solve(report),
            )?;
        }
        ControlFlow::Continue(())
    }
}
