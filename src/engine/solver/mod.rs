//! The solver: finds out whether each of many puzzles has one solution, several or none.
//!
//! [`Solver`] takes puzzles that share their rules; [`solve_each`] takes puzzles that each have
//! their own. With the method `Lanes`, puzzles with cages or rules of their own go to `stated/`, and
//! the others to the main loop in `lanes/mod.rs`, on a board of `bands/` or `regions/`.

pub(crate) mod backtrack;
mod bands;
mod combinations;
mod constraints;
pub mod deadline;
mod each;
mod lanes;
pub mod learning;
mod limits;
mod naked_singles;
mod pencilled;
mod record;
mod regions;
pub mod selection;
mod simd;
mod stated;

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use crate::error::InvalidInput;
use crate::pencil::Pencil;
use crate::puzzle::{Givens, Puzzles};
use crate::rules::Rules;
use crate::verdict::Status;
use backtrack::Backtrack;
use bands::BandRules;
pub use each::solve_each;
use lanes::Work;
use limits::Report;
pub use limits::{Found, GuessLimit, Limits, Progress};
use regions::board::RegionRules;
use regions::plan::RegionPlan;
pub use simd::level::Level;
use stated::StatedSolver;

/// A search method.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use std::sync::Arc;
/// use sudoku_filter::{Method, Rules, Solver, Status};
///
/// for (name, method) in Method::NAMES {
///     let solver = Solver::new(Arc::new(Rules::classic()), method);
///     assert_eq!(solver.solve_one(&[0; 81])?.0, Status::Multiple, "{name}");
/// }
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Method {
    /// Search with deductions: many puzzles side by side, one in each lane of the vectors, or
    /// killers one after the other.
    #[default]
    Lanes,
    /// Backtracking without deductions: fills the first blank cell with each of its candidates in
    /// turn. Slow, for comparisons.
    Backtrack,
    /// Human techniques first; then the method `Lanes` for puzzles on which they get stuck.
    Pencil,
}

impl Method {
    /// Every method, with its name.
    pub const NAMES: [(&'static str, Method); 3] =
        [("lanes", Method::Lanes), ("backtrack", Method::Backtrack), ("pencil", Method::Pencil)];
}

/// Solves puzzles that have the same rules.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use std::sync::Arc;
/// use sudoku_filter::{Limits, Method, Rules, Shape, Solver, Status, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let solver = Solver::new(Arc::new(rules), Method::Lanes);
/// let grids = [[0; 16], [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 0, 0, 0, 0]].concat();
/// let mut statuses = [Status::Unknown; 2];
/// solver.solve_digits(&grids, Limits::default(), &mut |index, found| {
///     statuses[index] = found.status;
/// })?;
/// assert_eq!(statuses, [Status::Multiple, Status::Unique]);
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Debug)]
pub struct Solver {
    rules: Arc<Rules>,
    method: Method,
    level: Level,
    // Tables made from the rules, each on first use.
    /// For rules with bands ([`Rules::has_bands`]) and without cages.
    band_rules: OnceLock<BandRules>,
    /// For rules without bands and without cages.
    plan: OnceLock<Arc<RegionPlan>>,
    pencil: OnceLock<Pencil>,
}

impl Solver {
    /// Returns a solver for puzzles with these rules. It uses the best vector instructions that this
    /// machine has.
    #[must_use]
    pub fn new(rules: Arc<Rules>, method: Method) -> Solver {
        Solver {
            rules,
            method,
            level: Level::best(),
            band_rules: OnceLock::new(),
            plan: OnceLock::new(),
            pencil: OnceLock::new(),
        }
    }

    /// Returns the same solver with other vector instructions.
    #[doc(hidden)]
    #[must_use]
    pub fn at(self, level: Level) -> Solver {
        Solver { level, ..self }
    }

    /// Returns the techniques of a person for the same rules, made on first use.
    #[doc(hidden)]
    pub fn pencil(&self) -> &Pencil {
        self.pencil.get_or_init(|| Pencil::new(&self.rules))
    }

    /// Solves puzzles, and calls `report` often, usually every few milliseconds. Reports the result
    /// for each puzzle once, in any order. Unless time is limited, the result for a puzzle and
    /// the order of its solutions depend only on its givens, its seed, the rules, the method
    /// and the limits.
    ///
    /// If `report` breaks, the searches end at once, without further reports, and `solve` breaks
    /// too.
    ///
    /// # Errors
    /// The cells are not those of whole puzzles of these rules, a digit is greater than the side,
    /// or the number of seeds is neither 0 nor that of the puzzles.
    pub fn solve(
        &self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, InvalidInput> {
        puzzles.check(self.rules.side())?;
        Ok(self.solve_checked(puzzles, limits, report))
    }

    fn solve_checked(
        &self,
        puzzles: Puzzles<'_>,
        limits: Limits,
        report: Report<'_>,
    ) -> ControlFlow<()> {
        let limits = limits.for_some_solution();
        match self.method {
            Method::Lanes => self.search(puzzles, limits, report),
            Method::Backtrack => Backtrack::new(&self.rules, limits).solve(puzzles, report),
            Method::Pencil => {
                let stuck = pencilled::solve(self.pencil(), &self.rules, puzzles, limits, report)?;
                stuck.solve(report, |puzzles, report| self.search(puzzles, limits, report))
            }
        }
    }

    fn search(&self, puzzles: Puzzles<'_>, limits: Limits, report: Report<'_>) -> ControlFlow<()> {
        if self.rules.are_of_one_puzzle() {
            let rules = vec![Arc::clone(&self.rules); puzzles.number(self.rules.cells())];
            return StatedSolver::new(self.level).solve(&rules, puzzles, limits, report);
        }
        if self.rules.has_bands() {
            let only_solution = self.level.dispatch(
                #[inline(always)]
                || naked_singles::solve_one(&self.rules, puzzles.givens),
            );
            if let Some(grid) = only_solution {
                return limits.report_only_solution(0, &grid, report);
            }
            let new_band_rules = || BandRules::new(self.rules.clone());
            let boards = self.band_rules.get_or_init(new_band_rules);
            let work = Work { puzzles, boards, limits, report };
            return self.level.run_counting(work);
        }
        let new_plan = || Arc::new(RegionPlan::by_regions(&self.rules));
        let plan = self.plan.get_or_init(new_plan).clone();
        let boards = RegionRules::Shared(self.rules.clone(), plan);
        let work = Work { puzzles, boards, limits, report };
        self.level.run(self.rules.side(), work)
    }

    /// Solves one puzzle of digits, 0 for a blank cell. Returns its status, and the first solution
    /// if one is found. Many puzzles in one call of [`Solver::solve`] take less time each.
    ///
    /// # Errors
    /// As [`Solver::solve`], or there are several puzzles.
    ///
    /// ```
    /// # use sudoku_filter_engine as sudoku_filter;
    /// use std::sync::Arc;
    /// use sudoku_filter::{Method, Rules, Solver, Status};
    ///
    /// let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
    /// let (status, solution) = solver.solve_one(&[0; 81])?;
    /// assert_eq!(status, Status::Multiple);
    /// assert_eq!(solution.unwrap().len(), 81);
    /// # Ok::<(), sudoku_filter::InvalidInput>(())
    /// ```
    pub fn solve_one(&self, puzzle: &[u8]) -> Result<(Status, Option<Vec<u8>>), InvalidInput> {
        Givens::Digits(puzzle).check_one(self.rules.side())?;
        let mut result = (Status::Unknown, None);
        self.solve_digits(puzzle, Limits::default(), &mut |_, found| {
            result = (found.status, found.solution.map(<[u8]>::to_vec));
        })?;
        Ok(result)
    }

    /// Solves puzzles of digits, and calls `found` once for each of them, with its index, in any
    /// order. `grids` holds the digits row by row, 0 for a blank cell, one puzzle after the
    /// other.
    ///
    /// # Errors
    /// As [`Solver::solve`].
    pub fn solve_digits(
        &self,
        grids: &[u8],
        limits: Limits,
        found: &mut dyn FnMut(usize, Found<'_>),
    ) -> Result<(), InvalidInput> {
        let _ = self.solve(Puzzles::of_digits(grids), limits, &mut |progress| {
            if let Progress::Found(index, result) = progress {
                found(index, result);
            }
            ControlFlow::Continue(())
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    fn rules(side: usize) -> Arc<Rules> {
        let boxes = Shape::boxes_of(side).unwrap();
        Arc::new(Rules::new(side, boxes, &Variants::default()).unwrap())
    }

    #[test]
    fn a_solver_prepares_only_the_tables_of_its_method() {
        for (side, method) in [(4, Method::Lanes), (9, Method::Lanes), (9, Method::Pencil)] {
            let solver = Solver::new(rules(side), method);
            solver.solve_digits(&vec![0; side * side], Limits::default(), &mut |_, _| {}).unwrap();
            let tables = [
                solver.plan.get().is_some(),
                solver.band_rules.get().is_some(),
                solver.pencil.get().is_some(),
            ];
            let expected = match (side, method) {
                (9, Method::Lanes) => [false, true, false],
                (9, _) => [false, true, true],
                _ => [true, false, false],
            };
            assert_eq!(tables, expected, "{side} {method:?}");
        }
    }

    #[test]
    fn techniques_report_progress_at_each_puzzle() {
        let solver = Solver::new(rules(4), Method::Pencil);
        let mut reports = 0;
        let puzzles = Puzzles::of_digits(&[1; 3 * 16]);
        let flow = solver.solve(puzzles, Limits::default(), &mut |progress| {
            reports += usize::from(progress == Progress::AtWork);
            ControlFlow::Continue(())
        });
        assert_eq!((flow, reports), (Ok(ControlFlow::Continue(())), 3));
    }

    #[test]
    fn a_report_that_breaks_ends_an_endless_search() {
        for (_, method) in Method::NAMES {
            let solver = Solver::new(rules(9), method);
            for (shown, last) in [(0, 1), (0, 3), (9, 1), (9, 4), (1000, 500)] {
                let limits = Limits {
                    max_guesses: GuessLimit::None,
                    max_time: None,
                    solutions: u64::MAX,
                    shown,
                };
                let mut reports = 0;
                let flow = solver.solve(Puzzles::of_digits(&[0; 162]), limits, &mut |_| {
                    reports += 1;
                    if reports < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
                });
                assert_eq!((flow, reports), (Ok(ControlFlow::Break(())), last), "{method:?}");
            }
        }
    }

    /// Returns a text for each of these puzzles: the solutions that are reported one by one, then
    /// the result.
    fn found(solver: &Solver, limits: Limits, lines: &[&str]) -> Vec<String> {
        let digits: Vec<u8> = lines
            .iter()
            .flat_map(|line| line.bytes())
            .map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' })
            .collect();
        let mut found = vec![String::new(); lines.len()];
        let flow = solver.solve(Puzzles::of_digits(&digits), limits, &mut |progress| {
            match progress {
                Progress::Solution(index, solution) => found[index] += &format!("{solution:?} "),
                Progress::Found(index, result) => found[index] += &format!("{result:?}"),
                Progress::AtWork => {}
            }
            ControlFlow::Continue(())
        });
        assert_eq!(flow, Ok(ControlFlow::Continue(())));
        found
    }

    #[test]
    fn a_puzzle_alone_has_the_same_result_as_among_others() {
        let texts = ["easy", "hard", "many", "none"].map(|name| {
            let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/bench");
            std::fs::read_to_string(folder.join(name).with_extension("txt")).unwrap()
        });
        let lines: Vec<&str> = texts.iter().flat_map(|text| text.lines().take(40)).collect();
        for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
            let solver = Solver::new(rules(9), Method::Lanes).at(level);
            for (solutions, shown) in [(2, 1), (2, 0), (1, 1), (2, 2)] {
                let limits = Limits { solutions, shown, ..Limits::default() };
                // Twice the number of lines, so that no lane is idle while the first half is
                // solved.
                let together = found(&solver, limits, &lines.repeat(2));
                for (line, expected) in lines.iter().zip(&together) {
                    assert_eq!(&found(&solver, limits, &[line])[0], expected, "{line}");
                }
            }
        }
    }
}
