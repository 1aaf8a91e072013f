//! The solver: finds out whether each of many puzzles with the same rules has one solution, several or none.
//!
//! [`Solver`] chooses the method, the board and the vector level. `lanes.rs` is the main loop.

pub(crate) mod backtrack;
mod bands;
mod boxes;
mod candidate;
mod cdcl;
mod common_peers;
mod configurations;
mod deadline;
mod diagonals;
mod extra_constraints;
mod fallback;
mod houses;
mod jigsaws;
mod lanes;
mod overlay;
mod pencilled;
mod per_lane;
mod puzzles;
mod random;
mod region_board;
mod search;
mod segments;
mod sharing;
mod simd;
mod transpose;

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use crate::pencil::Pencil;
use crate::rules::Rules;
use crate::verdict::Status;
use backtrack::Backtrack;
use bands::BandBoard;
use extra_constraints::ExtraConstraints;
pub use jigsaws::Jigsaws;
use lanes::Work;
pub use puzzles::{Givens, Puzzles};
pub(crate) use random::Random;
use region_board::{Plan, RegionBoard};
use simd::portable::{Portable, PortableWide};
use simd::{Counting, Simd};
#[cfg(target_arch = "x86_64")]
use simd::{Job, avx2::Avx2, avx512::Avx512};

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

/// Limits of a search, and the number of solutions that it reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The maximum number of guesses per puzzle; 0 for no limit. At the limit the status is `Unknown`, unless two solutions are
    /// known. A guess is a branch. In the fallback it is a conflict of clause learning, or 1024 branches of the plain search.
    pub max_guesses: u64,
    /// The maximum CPU time per puzzle. At the limit the status is `Unknown`, as with `max_guesses`, so the status depends on
    /// the machine. The time starts when the search starts. Each of the puzzles that are searched side by side is charged the
    /// full time. The time that a puzzle waits for a lane, or for the fallback of another puzzle, does not count.
    pub max_time: Option<Duration>,
    /// The number of solutions after which the search ends; at least 1. With 1, a puzzle that has a solution is `Unknown`,
    /// because only a second solution or the end of the search decides its status.
    pub solutions: u64,
    /// The maximum number of solutions to read, check and report; any others are only counted. With 1, the solution is part of
    /// [`Found`]. With more, each solution is also reported as [`Progress::Solution`].
    pub shown: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_guesses: 1_000_000,
            max_time: None,
            solutions: 2,
            shown: 1,
        }
    }
}

/// Returns the number of branches that a puzzle of `cells` cells takes in its lane before the fallback runs.
pub(crate) fn branches_in_lanes(cells: usize) -> u64 {
    lanes::LANE_BUDGET / cells as u64
}

impl Limits {
    /// Returns whether a puzzle is at the limit after `guesses` branches.
    #[inline(always)]
    pub(crate) fn are_reached_by(self, guesses: u64) -> bool {
        self.max_guesses != 0 && guesses >= self.max_guesses
    }

    /// Returns whether solutions are reported as they are found. If only one is wanted, it is part of the result, because a
    /// call per puzzle would cost 1 % on easy input.
    #[inline(always)]
    pub(crate) fn reports_solutions(self) -> bool {
        self.shown > 1
    }

    /// Returns the result of a search. `exhausted` is true if the search ended because nothing was left to search.
    #[inline(always)]
    pub(crate) fn found<'a>(
        self,
        solution: Option<&'a [u8]>,
        guesses: u64,
        solutions: u64,
        exhausted: bool,
    ) -> Found<'a> {
        // After the last wanted solution the search is not complete, even if nothing was left.
        let complete = exhausted && solutions < self.solutions;
        let status = match solutions {
            0 if complete => Status::None,
            1 if complete => Status::Unique,
            0 | 1 => Status::Unknown,
            _ => Status::Multiple,
        };
        Found {
            status,
            solution,
            guesses,
            solutions,
            complete,
        }
    }
}

/// The result for one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// `Unique`, `Multiple`, `None` or `Unknown`.
    pub status: Status,
    /// The first solution, as digits row by row, if one was found and is reported.
    pub solution: Option<&'a [u8]>,
    /// Guesses taken: see [`Limits::max_guesses`].
    pub guesses: u64,
    /// The number of solutions found, up to the limit.
    pub solutions: u64,
    /// True if these are all solutions: no limit ended the search.
    pub complete: bool,
}

/// A progress report of a solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A solution of the puzzle with this index, as soon as it is found. Only if [`Limits::shown`] is more than 1.
    Solution(usize, &'a [u8]),
    /// The result for the puzzle with this index.
    Found(usize, Found<'a>),
    /// No result, but an opportunity to do something else.
    AtWork,
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

impl Banded<'_> {
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
        let plan = plan.get_or_init(|| Arc::new(Plan::new(&solver.rules)));
        let new_board = |s| RegionBoard::new(s, plan.clone(), solver.rules.clone());
        s.run(Work {
            puzzles,
            cells: solver.rules.cells(),
            limits: solver.limits,
            new_board,
            report,
        });
    }
}

/// A job for the vectors of any level.
trait AtLevel {
    fn run<S: Simd>(self, s: S);
}

/// A job that uses no vector operations itself.
#[cfg(target_arch = "x86_64")]
struct Plain<F>(F);

#[cfg(target_arch = "x86_64")]
impl<S, T, F: FnOnce() -> T> Job<S> for Plain<F> {
    type Answer = T;
    #[inline(always)]
    fn run(self, _: S) -> T {
        (self.0)()
    }
}

/// The vector instructions that the solver uses. The results are the same at every level.
#[derive(Clone, Copy, Debug)]
pub struct Level(LevelToken);

#[derive(Clone, Copy, Debug)]
enum LevelToken {
    Portable,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512<false>),
}

impl Level {
    /// The names of all levels, the best last.
    pub const NAMES: [&'static str; 3] = ["portable", "avx2", "avx512"];

    /// Returns the best level of this machine.
    #[must_use]
    pub fn best() -> Level {
        let found = Level::NAMES
            .iter()
            .rev()
            .find_map(|name| Level::named(name));
        found.unwrap_or(Level(LevelToken::Portable))
    }

    /// Runs `job` with vectors that hold the digits of a puzzle of this side.
    fn run(self, side: usize, job: impl AtLevel) {
        let wide = side > 16;
        match self.0 {
            LevelToken::Portable if wide => job.run(PortableWide),
            LevelToken::Portable => job.run(Portable),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) if wide => job.run(level.wide()),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) => job.run(level),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) if wide => job.run(level.wide()),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) => job.run(level),
        }
    }

    /// Runs `job` with vectors that count digits.
    fn run_counting(self, job: Banded<'_>) {
        match self.0 {
            LevelToken::Portable => job.run(Portable),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) => job.run(level),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) => match level.counting() {
                Some(level) => job.run(level),
                None => job.run(level),
            },
        }
    }

    /// Runs `job` with the instructions of this level enabled in everything that is inlined into it. The compiler can then use
    /// wider vectors in loops over text.
    #[inline]
    pub(crate) fn dispatch<T>(self, job: impl FnOnce() -> T) -> T {
        match self.0 {
            LevelToken::Portable => job(),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx2(level) => level.run(Plain(job)),
            #[cfg(target_arch = "x86_64")]
            LevelToken::Avx512(level) => level.run(Plain(job)),
        }
    }

    /// Returns the level with this name, if this machine has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Level> {
        let token = match name {
            "portable" => LevelToken::Portable,
            #[cfg(target_arch = "x86_64")]
            "avx2" => LevelToken::Avx2(Avx2::detect()?),
            #[cfg(target_arch = "x86_64")]
            "avx512" => LevelToken::Avx512(Avx512::detect()?),
            _ => return None,
        };
        Some(Level(token))
    }
}

impl Default for Level {
    fn default() -> Level {
        Level::best()
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
