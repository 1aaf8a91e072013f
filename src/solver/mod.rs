//! Answers grids that share their rules: which have one solution, which more, which none. Chooses the method once.

pub(crate) mod backtrack;
mod lanes;
mod simd;
mod sweep;

use std::sync::Arc;

use crate::rules::Rules;
use crate::verdict::Status;
use backtrack::Backtrack;
use simd::portable::{Portable, PortableWide};
use sweep::houses::HouseSweep;

/// How solutions are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Many puzzles side by side, one in each lane of the machine's vectors.
    #[default]
    Lanes,
    /// The plain search: first blank cell, digits in ascending, then in descending order.
    Backtrack,
}

impl Method {
    /// Every method with its name.
    pub const NAMES: [(&'static str, Method); 2] =
        [("lanes", Method::Lanes), ("backtrack", Method::Backtrack)];
}

/// What ends a search early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Branches a puzzle may take; past them its status is unknown. 0: no limit.
    pub max_guesses: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_guesses: 1_000_000,
        }
    }
}

impl Limits {
    pub(crate) fn are_passed_by(self, guesses: u64) -> bool {
        self.max_guesses != 0 && guesses > self.max_guesses
    }
}

/// What was found out about one grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// `Unique`, `Multiple`, `None` or `Unknown`.
    pub status: Status,
    /// A solution, where the status is `Unique` or `Multiple`: digits along the rows.
    pub solution: Option<&'a [u8]>,
    /// Branches taken.
    pub guesses: u64,
}

/// Answers grids that share their rules.
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
#[derive(Debug)]
pub struct Solver {
    rules: Arc<Rules>,
    method: Method,
    limits: Limits,
}

impl Solver {
    /// A solver for grids that obey `rules`.
    #[must_use]
    pub fn new(rules: Arc<Rules>, method: Method, limits: Limits) -> Solver {
        Solver {
            rules,
            method,
            limits,
        }
    }

    /// The rules its grids obey.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Answers each grid of `grids`, one behind the other, 0 for a blank cell. Calls `found` once a grid, with its
    /// index, in whatever order they are ready. What is found depends on the grid alone.
    pub fn solve(&self, grids: &[u8], found: &mut dyn FnMut(usize, Found<'_>)) {
        debug_assert!(grids.len() % self.rules.cells() == 0);
        match self.method {
            Method::Lanes if self.rules.side() > 16 => {
                let mut sweep = HouseSweep::new(&self.rules);
                lanes::solve(
                    PortableWide,
                    &self.rules,
                    &mut sweep,
                    self.limits,
                    grids,
                    found,
                );
            }
            Method::Lanes => {
                let mut sweep = HouseSweep::new(&self.rules);
                lanes::solve(Portable, &self.rules, &mut sweep, self.limits, grids, found);
            }
            Method::Backtrack => Backtrack::new(&self.rules, self.limits).solve(grids, found),
        }
    }
}
