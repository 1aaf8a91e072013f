//! The solver: finds out whether each of many puzzles with the same rules has one solution, several or none.
//!
//! [`Solver`] chooses the method, the board and the vector level. `lanes/mod.rs` is the main loop.

pub(crate) mod backtrack;
mod bands;
mod cdcl;
mod constraints;
mod deadline;
mod jigsaws;
mod lanes;
mod limits;
mod pencilled;
mod random;
mod regions;
mod simd;

use std::sync::{Arc, OnceLock};

use crate::pencil::Pencil;
use crate::puzzle::{Givens, Puzzles};
use crate::rules::Rules;
use backtrack::Backtrack;
use bands::BandBoard;
use bands::extra_constraints::ExtraConstraints;
pub use jigsaws::Jigsaws;
use lanes::Work;
pub(crate) use limits::branches_in_lanes;
pub use limits::{Found, Limits, Progress};
pub(crate) use random::Random;
use regions::board::{Plan, RegionBoard};
use regions::shared::SharedRegions;
pub use simd::level::Level;
use simd::level::{AtCountingLevel, AtLevel};
use simd::{Counting, Simd};

/// A search method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Many puzzles side by side, one in each lane of the vectors.
    #[default]
    Lanes,
    /// The plain search: fills the first blank cell, with digits in ascending and then in descending order.
    Backtrack,
    /// Human techniques first; then lanes for the cells that remain open.
    Pencil,
}

impl Method {
    /// Every method, with its name.
    pub const NAMES: [(&'static str, Method); 3] = [
        ("lanes", Method::Lanes),
        ("backtrack", Method::Backtrack),
        ("pencil", Method::Pencil),
    ];
}

/// Solves puzzles that have the same rules.
///
/// ```
/// use std::sync::Arc;
/// use sudoku_filter::{Limits, Method, Rules, Shape, Solver, Status, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let solver = Solver::new(Arc::new(rules), Method::Lanes, Limits::default());
/// let grids = [[0; 16], [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 0, 0, 0, 0]].concat();
/// let mut statuses = [Status::Unknown; 2];
/// solver.solve(&grids, &mut |index, found| statuses[index] = found.status);
/// assert_eq!(statuses, [Status::Multiple, Status::Unique]);
/// ```
#[derive(Clone, Debug)]
pub struct Solver {
    rules: Arc<Rules>,
    tables: Arc<RuleTables>,
    method: Method,
    limits: Limits,
    level: Level,
}

/// RuleTables made from the rules, each on first use. Clones of a solver share them.
#[derive(Debug, Default)]
struct RuleTables {
    /// For rules without bands, and for puzzles of candidates.
    plan: OnceLock<Arc<Plan>>,
    /// For rules with bands.
    extra: OnceLock<Option<Arc<ExtraConstraints>>>,
    /// For human techniques.
    pencil: OnceLock<Pencil>,
}

impl Solver {
    /// Returns a solver for puzzles with these rules, at the best level of this machine.
    #[must_use]
    pub fn new(rules: Arc<Rules>, method: Method, limits: Limits) -> Solver {
        Solver {
            rules,
            tables: Arc::default(),
            method,
            limits,
            level: Level::best(),
        }
    }

    /// Returns the same solver at another level.
    #[must_use]
    pub fn at(self, level: Level) -> Solver {
        Solver { level, ..self }
    }

    /// Returns the same solver with other limits. Both share their tables.
    #[must_use]
    pub fn limited(&self, limits: Limits) -> Solver {
        Solver {
            limits,
            ..self.clone()
        }
    }

    /// Returns the human techniques for these rules.
    pub(crate) fn pencil(&self) -> &Pencil {
        let pencil = &self.tables.pencil;
        pencil.get_or_init(|| Pencil::new(&self.rules))
    }

    /// Returns the rules.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Solves each puzzle of `grids`: digits row by row, 0 for a blank cell, one puzzle after the other. Calls `found` once
    /// for each puzzle, with its index, in any order. The result for a puzzle does not depend on the others.
    pub fn solve(&self, grids: &[u8], found: &mut dyn FnMut(usize, Found<'_>)) {
        self.solve_reporting(Puzzles::of_digits(grids), &mut |progress| {
            if let Progress::Found(index, answer) = progress {
                found(index, answer);
            }
        });
    }

    /// Solves puzzles, and calls `report` at least every few milliseconds. The result for a puzzle, and the order of its
    /// solutions, depend only on its givens and its seed.
    pub fn solve_reporting(&self, puzzles: Puzzles<'_>, report: &mut dyn FnMut(Progress<'_>)) {
        match self.method {
            Method::Lanes => self.solve_in_lanes(puzzles, report),
            Method::Backtrack => Backtrack::new(&self.rules, self.limits).solve(puzzles, report),
            Method::Pencil => self.solve_with_pencil(puzzles, report),
        }
    }

    fn solve_in_lanes(&self, puzzles: Puzzles<'_>, report: &mut dyn FnMut(Progress<'_>)) {
        // The saved state of a band board holds minirows, which cannot express single candidates.
        if self.rules.has_bands() && matches!(puzzles.givens, Givens::Digits(_)) {
            self.level.run_counting(Banded(self, puzzles, report));
        } else {
            self.level
                .run(self.rules.side(), Regional(self, puzzles, report));
        }
    }
}

/// A call of the solver with the band board.
struct Banded<'a>(&'a Solver, Puzzles<'a>, &'a mut dyn FnMut(Progress<'_>));
/// A call of the solver with the region board.
struct Regional<'a>(&'a Solver, Puzzles<'a>, &'a mut dyn FnMut(Progress<'_>));

impl AtCountingLevel for Banded<'_> {
    fn run<S: Counting>(self, s: S) {
        let Banded(solver, puzzles, report) = self;
        let extra = &solver.tables.extra;
        let extra = extra.get_or_init(|| ExtraConstraints::of(&solver.rules).map(Arc::new));
        let new_board = |s| BandBoard::new(s, extra.clone(), solver.rules.clone());
        s.run(Work {
            puzzles,
            cells: 81,
            limits: solver.limits,
            new_board,
            report,
        });
    }
}

impl AtLevel for Regional<'_> {
    fn run<S: Simd>(self, s: S) {
        let Regional(solver, puzzles, report) = self;
        let plan = &solver.tables.plan;
        let plan = plan.get_or_init(|| Arc::new(Plan::by_regions(&solver.rules)));
        let new_board = |s| {
            let regions = SharedRegions::new(s, plan, solver.rules.clone());
            RegionBoard::new(s, plan.clone(), regions)
        };
        s.run(Work {
            puzzles,
            cells: solver.rules.cells(),
            limits: solver.limits,
            new_board,
            report,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    #[test]
    fn a_limited_solver_shares_its_tables_with_the_original() {
        for (side, method) in [(4, Method::Lanes), (9, Method::Lanes), (9, Method::Pencil)] {
            let boxes = Shape::boxes_of(side).unwrap();
            let rules = Rules::new(side, boxes, &Variants::default()).unwrap();
            let solver = Solver::new(Arc::new(rules), method, Limits::default());
            let limited = solver.limited(Limits::default());
            limited.solve(&vec![0; side * side], &mut |_, _| {});
            let RuleTables {
                plan,
                extra,
                pencil,
            } = &*solver.tables;
            let tables = [
                plan.get().is_some(),
                extra.get().is_some(),
                pencil.get().is_some(),
            ];
            let expected = match (side, method) {
                (9, Method::Lanes) => [false, true, false],
                // Techniques leave candidates, and no band board accepts candidates.
                (9, _) => [true, false, true],
                _ => [true, false, false],
            };
            assert_eq!(tables, expected, "{side} {method:?}");
        }
    }
}
