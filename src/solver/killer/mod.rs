//! Solves killers, one puzzle at a time: each line has cages of its own, so that vectors over puzzles would share nothing.
//!
//! The state of a puzzle is a mask of candidates for each cell (`board.rs`). It fits a few cache lines and is copied at each
//! branch. `plan.rs` holds what puzzles share, `problem.rs` what differs. `sums.rs` deduces from cages, with the tables of
//! `../combinations.rs`; `rule_of_45.rs` finds the sums that follow from cages and houses. `search.rs` is the main loop, and
//! `branching.rs` chooses cells.

mod board;
mod branching;
mod plan;
mod problem;
mod rule_of_45;
mod search;
mod sums;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::Method;
use super::backtrack::Backtrack;
use super::limits::{Limits, Progress};
use super::pencilled;
use super::simd::level::Level;
use crate::pencil::Pencil;
use crate::puzzle::Puzzles;
use crate::rules::{MAX_KILLER_SIDE, Rules};
use plan::{MOST_HOUSES, Plan};
use search::{Killer, Search};

/// Solves killers of one side, each with its own rules.
#[derive(Clone, Copy, Debug)]
pub struct Killers {
    method: Method,
    level: Level,
}

/// Puzzles between two reports of progress.
const PUZZLES_PER_REPORT: usize = 16;

/// The number of words of a set of constraints, for sides up to `LARGEST_SIDE_WITH_FEW`.
const FEW: usize = 2;
/// The number of words of a set of constraints for larger sides.
const MANY: usize = 8;
const LARGEST_SIDE_WITH_FEW: usize = 9;
// There is room for all houses and all cages of two or more cells.
const _: () = {
    const fn most_constraints(side: usize) -> usize {
        MOST_HOUSES + side * side / 2
    }
    assert!(most_constraints(LARGEST_SIDE_WITH_FEW) <= 64 * FEW);
    assert!(most_constraints(MAX_KILLER_SIDE) <= 64 * MANY);
};

impl Killers {
    /// Creates a solver for killers.
    #[must_use]
    pub fn new(method: Method, level: Level) -> Killers {
        Killers { method, level }
    }

    /// Solves each puzzle with the rules at the same index. Rules that differ only in their cages should share the other
    /// constraints ([`Rules::with_cages`]). Reports like [`Solver::solve`](super::Solver::solve).
    pub fn solve(
        &self,
        rules: &[Arc<Rules>],
        puzzles: Puzzles<'_>,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        debug_assert!(rules.windows(2).all(|two| two[0].side() == two[1].side()));
        // For killers, this method means the search of this folder.
        if self.method == Method::Lanes {
            return solve_batch(rules, puzzles, limits, self.level, report);
        }
        for (index, rules) in rules.iter().enumerate() {
            let puzzle = puzzles.only(index, rules.cells());
            let report = &mut |progress: Progress<'_>| report(progress.at(&[index]));
            match self.method {
                Method::Backtrack => Backtrack::new(rules, limits).solve(puzzle, report)?,
                _ => {
                    let pencil = Pencil::new(rules);
                    solve_with_pencil(&pencil, rules, puzzle, (limits, self.level), report)?;
                }
            }
        }
        ControlFlow::Continue(())
    }
}

/// Solves puzzles with the same rules by human techniques, and then by search.
pub(super) fn solve_with_pencil(
    pencil: &Pencil,
    rules: &Arc<Rules>,
    puzzles: Puzzles<'_>,
    (limits, level): (Limits, Level),
    report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let stuck = pencilled::solve(pencil, rules, puzzles, limits, report)?;
    let report = &mut |progress: Progress<'_>| report(progress.at(&stuck.indices));
    let rules = vec![Arc::clone(rules); stuck.indices.len()];
    solve_batch(&rules, stuck.puzzles(), limits, level, report)
}

/// Solves each puzzle with the rules at the same index.
pub(super) fn solve_batch(
    rules: &[Arc<Rules>],
    puzzles: Puzzles<'_>,
    limits: Limits,
    level: Level,
    report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(first) = rules.first() else {
        return ControlFlow::Continue(());
    };
    debug_assert_eq!(puzzles.number(first.cells()), rules.len());
    let batch = Batch {
        rules,
        puzzles,
        limits,
    };
    // The whole search is inlined here, so that it can use the instructions of the level.
    level.dispatch(
        #[inline(always)]
        || match first.side() {
            ..=LARGEST_SIDE_WITH_FEW => batch.solve::<FEW>(report),
            _ => batch.solve::<MANY>(report),
        },
    )
}

/// Puzzles, each with the rules at the same index.
struct Batch<'a> {
    rules: &'a [Arc<Rules>],
    puzzles: Puzzles<'a>,
    limits: Limits,
}

impl Batch<'_> {
    /// Solves one puzzle after the other. Puzzles with the same houses, groups and pairs share a plan.
    #[inline(always)]
    fn solve<const W: usize>(
        &self,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut plans: HashMap<usize, Arc<Plan>> = HashMap::new();
        let mut search: Option<Search<W>> = None;
        for (index, rules) in self.rules.iter().enumerate() {
            if index.is_multiple_of(PUZZLES_PER_REPORT) {
                report(Progress::AtWork)?;
            }
            let new_plan = || Arc::new(Plan::new(rules));
            let plan = plans.entry(rules.base_address()).or_insert_with(new_plan);
            let search = search.get_or_insert_with(|| Search::new(plan, rules));
            let killer = Killer {
                rules,
                plan,
                givens: self.puzzles.givens.of(index, rules.cells()),
                index,
                seed: self.puzzles.seeds.get(index).copied(),
            };
            search.solve(&killer, self.limits, report)?;
        }
        ControlFlow::Continue(())
    }
}
