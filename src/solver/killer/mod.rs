//! Solves killers, one puzzle at a time. Puzzles cannot share the lanes of a vector, because all
//! lanes take the same steps, and puzzles with different cages need different ones.
//!
//! The state of a search is a mask of candidates for each cell (`board.rs`). A branch saves these
//! masks: 162 bytes in a 9x9. `plan.rs` holds the constraints that puzzles share; `problem.rs` adds
//! those of one puzzle. `sums.rs` deduces from cages and other sums, with the tables of
//! `../combinations.rs`; `rule_of_45.rs` finds sums that follow from cages and houses. `search.rs`
//! is the main loop for one node at a time, `tree.rs` holds the open branches, and `branching.rs`
//! chooses the cells to branch on.
//!
//! The search of a puzzle that needs many branches goes on in lanes (`lanes.rs`): each busy lane
//! holds a node of the search tree, and all nodes have the same cages. `lane_board.rs` makes the
//! deductions in all lanes.

mod board;
mod branching;
mod lane_board;
mod lanes;
mod plan;
mod problem;
mod rule_of_45;
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
use plan::KillerPlan;
use search::KillerSearch;
use tree::KillerTree;

/// A solver for killers. In one call of `solve`, all puzzles have the same side, and each can have
/// its own rules.
#[derive(Clone, Copy, Debug)]
pub(super) struct Killers {
    level: Level,
    /// A search that makes more guesses than this goes on in lanes.
    guesses_alone: u64,
}

/// The value of `Killers::guesses_alone`, unless a test sets another.
const GUESSES_ALONE: u64 = 30;

impl Killers {
    /// Returns a solver for killers.
    pub fn new(level: Level) -> Killers {
        Killers { level, guesses_alone: GUESSES_ALONE }
    }

    /// Solves each puzzle with the rules at the same index. Reports like
    /// [`Solver::solve`](super::Solver::solve), but always in the order of the puzzles. Puzzles
    /// whose rules share their base (`Rules::base_address`) share a plan.
    pub fn solve(
        &self,
        rules: &[Arc<Rules>],
        puzzles: Puzzles<'_>,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<()> {
        let mut plans: HashMap<usize, KillerPlan> = HashMap::new();
        for (index, rules) in rules.iter().enumerate() {
            report(Progress::AtWork)?;
            let new_plan = || KillerPlan::new(rules);
            let plan = plans.entry(rules.base_address()).or_insert_with(new_plan);
            let task = SearchTask::new(rules, puzzles, index, limits);
            let tree = KillerTree::new(SearchRecord::new(rules, task, limits));
            // The main loop and the deductions are inlined here, so that they can use the
            // instructions of the level.
            self.level.dispatch(
                #[inline(always)]
                || KillerSearch::new(*self, plan, tree).solve(report),
            )?;
        }
        ControlFlow::Continue(())
    }
}
