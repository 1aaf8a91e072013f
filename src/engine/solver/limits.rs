//! The limits of a search, and what a search reports.

use std::ops::ControlFlow;
use std::time::Duration;

use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::verdict::Status;

/// Limits of a search, and the number of solutions that it reports.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use std::sync::Arc;
/// use sudoku_filter::{Limits, Method, Rules, Solver};
///
/// let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
/// let limits = Limits::default().with_max_guesses(1000).with_solutions(5);
/// solver.solve_digits(&[0; 81], limits, &mut |_, found| {
///     assert_eq!((found.solutions, found.complete), (5, false));
/// })?;
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The maximum number of guesses per puzzle. At the limit the status is `Unknown`, unless two
    /// solutions are known.
    pub max_guesses: GuessLimit,
    /// The maximum CPU time per puzzle. At the limit the status is `Unknown`, as with
    /// `max_guesses`. Because the time differs between machines, so can the status. The time of a
    /// puzzle starts when its search starts. While several puzzles are searched side by side, the
    /// full time counts for each of them. The time that a puzzle waits for a lane, or for clause
    /// learning of another puzzle, does not count.
    pub max_time: Option<Duration>,
    /// The number of solutions after which the search ends; 0 counts as 1. With 1, a puzzle that
    /// has a solution is `Unknown`, because the search does not find out whether there is a
    /// second one.
    pub solutions: u64,
    /// The maximum number of solutions to read, check and report; any others are only counted. The
    /// first solution is part of [`Found`], unless `shown` is 0. If `shown` is more than 1, each
    /// solution up to this number is also reported as [`Progress::Solution`].
    pub shown: u64,
}

/// A maximum number of guesses at a puzzle. A guess is a branch of the search; a conflict of clause
/// learning counts as 64, or as fewer where a guess takes longer: in grids larger than 9x9, and if
/// more than two solutions are wanted.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{GuessLimit, Limits};
///
/// let limits = Limits::default().with_max_guesses(1000);
/// assert_eq!(limits.max_guesses, GuessLimit::Guesses(1000));
/// assert_eq!(Limits::NONE.max_guesses, GuessLimit::None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GuessLimit {
    /// About ten seconds of CPU time: 40 million guesses for a 9x9, fewer for other sizes, jigsaws,
    /// pairs of cells and killers.
    ///
    /// If more than two solutions are wanted, the guesses count anew after each solution. The limit
    /// is then a twelfth of the above (except for killers), because a guess takes longer. After
    /// the 64th solution, or the last one that is shown if that is later, a search only counts
    /// solutions and has no limit of guesses. StatedSolver, searches with a seed and
    /// [`Method::Backtrack`](super::Method::Backtrack) keep the limit.
    #[default]
    Default,
    /// This many guesses.
    Guesses(u64),
    /// No limit.
    None,
}

/// For 9x9 grids with bands, without pairs and without cages. A guess takes 0.06 to 0.3 µs.
const DEFAULT_GUESSES: u64 = 40_000_000;
/// For other 9x9 grids without cages. A guess takes 0.3 to 1.5 µs. The slowest guesses, in blank
/// 25x25 grids with scattered regions, take 30 µs.
const DEFAULT_GUESSES_OF_VARIANTS: u64 = 10_000_000;
/// For 9x9 killers. A branch takes ten times as long as without cages.
const DEFAULT_GUESSES_OF_KILLERS: u64 = 4_000_000;
/// Divides the default limit if lanes share no search: a guess takes up to about 10 times as long.
const TIMES_PER_GUESS_ALONE: u64 = 12;

impl GuessLimit {
    /// Returns the number of guesses, `u64::MAX` without a limit.
    #[doc(hidden)]
    pub fn for_rules(self, rules: &Rules) -> u64 {
        match self {
            GuessLimit::Default => default_guesses(rules),
            GuessLimit::Guesses(number) => number,
            GuessLimit::None => u64::MAX,
        }
    }

    /// `number` must be less than the default limit for any rules.
    #[doc(hidden)]
    pub fn at_most(self, number: u64) -> GuessLimit {
        match self {
            GuessLimit::Guesses(limit) => GuessLimit::Guesses(limit.min(number)),
            GuessLimit::Default | GuessLimit::None => GuessLimit::Guesses(number),
        }
    }

    /// Returns the rest of the limit after `spent` guesses, or `None` if no guess is left.
    #[doc(hidden)]
    pub fn left(self, rules: &Rules, spent: u64) -> Option<GuessLimit> {
        match self {
            GuessLimit::None => Some(self),
            _ => match self.for_rules(rules).saturating_sub(spent) {
                0 => None,
                left => Some(GuessLimit::Guesses(left)),
            },
        }
    }
}

/// For a search for at most two solutions.
fn default_guesses(rules: &Rules) -> u64 {
    let of_nine = if rules.are_of_one_puzzle() {
        DEFAULT_GUESSES_OF_KILLERS
    } else if rules.has_bands() && rules.pairs().is_empty() {
        DEFAULT_GUESSES
    } else {
        DEFAULT_GUESSES_OF_VARIANTS
    };
    guesses_of_side(of_nine, rules)
}

/// Returns the number of guesses that take as long as `of_nine` guesses in a 9x9. The time of a
/// guess grows with the number of candidates, the cube of the side. Sides below 9 count as 9.
pub(crate) fn guesses_of_side(of_nine: u64, rules: &Rules) -> u64 {
    let side = rules.side().max(9) as u64;
    of_nine * 9u64.pow(3) / side.pow(3)
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { max_guesses: GuessLimit::Default, max_time: None, solutions: 2, shown: 1 }
    }
}

impl Limits {
    /// No limits: the search finds and reports every solution.
    pub const NONE: Limits = Limits {
        max_guesses: GuessLimit::None,
        max_time: None,
        solutions: u64::MAX,
        shown: u64::MAX,
    };

    /// Returns these limits with another maximum number of guesses; 0 for no limit.
    #[must_use]
    pub const fn with_max_guesses(self, max_guesses: u64) -> Limits {
        Limits {
            max_guesses: match max_guesses {
                0 => GuessLimit::None,
                number => GuessLimit::Guesses(number),
            },
            ..self
        }
    }

    /// Returns these limits with another maximum of CPU time per puzzle.
    #[must_use]
    pub const fn with_max_time(self, max_time: Option<Duration>) -> Limits {
        Limits { max_time, ..self }
    }

    /// 0 solutions count as 1.
    pub(crate) fn for_some_solution(self) -> Limits {
        Limits { solutions: self.solutions.max(1), ..self }
    }

    /// Returns these limits with another number of solutions, at which the search ends. The search
    /// reports each of them.
    #[must_use]
    pub const fn with_solutions(self, solutions: u64) -> Limits {
        Limits { solutions, shown: solutions, ..self }
    }

    /// As a multiple of the time in a search for two solutions, which lanes share. A search for
    /// more solutions stays in one lane until it becomes a count. Killers always use all lanes.
    pub(crate) fn times_per_guess(self, rules: &Rules) -> u64 {
        if self.solutions > 2 && !rules.are_of_one_puzzle() { TIMES_PER_GUESS_ALONE } else { 1 }
    }

    pub(crate) fn first_max_guesses(self, rules: &Rules) -> u64 {
        match self.max_guesses {
            GuessLimit::Default => default_guesses(rules) / self.times_per_guess(rules),
            limit => limit.for_rules(rules),
        }
    }

    /// `guesses` is the number of guesses up to this solution, and `max_guesses` the limit so far.
    /// It changes only if guesses count anew after each solution (see `GuessLimit::Default`).
    #[inline(always)]
    pub(crate) fn max_guesses_after_solution(
        self,
        rules: &Rules,
        guesses: u64,
        max_guesses: u64,
    ) -> u64 {
        if self.solutions > 2 && self.max_guesses == GuessLimit::Default {
            return guesses.saturating_add(self.first_max_guesses(rules));
        }
        max_guesses
    }

    /// If only one solution is shown, it is part of the result only: a further call of `report` for
    /// each puzzle would cost 1 % on easy input.
    #[inline(always)]
    pub(crate) fn reports_solutions(self) -> bool {
        self.shown > 1
    }

    pub(crate) fn report_only_solution(
        self,
        index: usize,
        solution: &[u8],
        report: Report<'_>,
    ) -> ControlFlow<()> {
        if self.reports_solutions() {
            report(Progress::Solution(index, solution))?;
        }
        let shown = (self.shown > 0).then_some(solution);
        let found = self.found(shown, 0, 1, Searched::Everything);
        report(Progress::Found(index, found))
    }

    /// `solution` is the first one, if it is shown.
    #[inline(always)]
    pub(crate) fn found<'a>(
        self,
        solution: Option<&'a [u8]>,
        guesses: u64,
        solutions: u64,
        searched: Searched,
    ) -> Found<'a> {
        debug_assert!(solutions <= self.solutions, "{solutions} solutions");
        debug_assert!(solution.is_none() || solutions > 0);
        // A search that ends at the last wanted solution is not complete, even if nothing is left.
        let complete = searched == Searched::Everything && solutions < self.solutions;
        let status = match solutions {
            0 if complete => Status::None,
            1 if complete => Status::Unique,
            0 | 1 => Status::Unknown,
            _ => Status::Multiple,
        };
        Found { status, solution, guesses, solutions, complete }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Searched {
    Everything,
    /// A limit, or the last wanted solution, ended the search.
    #[default]
    Part,
}

/// The result for one puzzle.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use std::sync::Arc;
/// use sudoku_filter::{Limits, Method, Rules, Solver, Status};
///
/// let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
/// let mut contradiction = [0; 81];
/// contradiction[..2].fill(5);
/// solver.solve_digits(&contradiction, Limits::default(), &mut |_, found| {
///     assert_eq!((found.status, found.solution, found.guesses), (Status::None, None, 0));
/// });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Found<'a> {
    /// `Unique`, `Multiple`, `None` or `Unknown`.
    pub status: Status,
    /// The first solution, as digits row by row, if one was found and [`Limits::shown`] is not 0.
    pub solution: Option<&'a [u8]>,
    /// The number of guesses (see [`GuessLimit`]), except those of a search that only counts
    /// further solutions.
    pub guesses: u64,
    /// The number of solutions found, up to the limit.
    pub solutions: u64,
    /// True if these are all solutions: no limit of guesses, time or solutions ended the search.
    pub complete: bool,
}

/// A progress report of a solver.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use sudoku_filter::{Limits, Method, Progress, Puzzles, Rules, Solver};
///
/// let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
/// let mut grids = Vec::new();
/// let puzzles = Puzzles::of_digits(&[0; 81]);
/// let ended = solver.solve(puzzles, Limits::NONE, &mut |progress| {
///     if let Progress::Solution(_, grid) = progress {
///         grids.push(grid.to_vec());
///     }
///     if grids.len() < 10 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
/// });
/// assert_eq!((ended, grids.len()), (Ok(ControlFlow::Break(())), 10));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// One of the first [`Limits::shown`] solutions of the puzzle with this index, as digits row by
    /// row. Reported only if `shown` is more than 1. If [`Limits::solutions`] is more than 2, it is
    /// reported when it is found, or at the end of the try of clause learning that found it.
    /// Otherwise, it can be reported as late as just before the result.
    Solution(usize, &'a [u8]),
    /// The result for the puzzle with this index.
    Found(usize, Found<'a>),
    /// No result. The solver reports often, usually every few milliseconds, so that the caller can
    /// do something else or break.
    AtWork,
}

/// Called with progress. The search ends if it breaks.
pub(crate) type Report<'a> = &'a mut dyn FnMut(Progress<'_>) -> ControlFlow<()>;

/// Panics if a grid is no solution. A wrong deduction must never lead to a wrong answer.
pub(crate) fn check_solution(rules: &Rules, givens: Givens<'_>, grid: &[u8]) {
    assert!(
        rules.hold_for(grid) && givens.are_kept_by(grid),
        "{grid:?} is no solution of {givens:?}"
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Shape, Variants};

    #[test]
    fn the_default_limit_is_lower_where_a_guess_takes_longer() {
        for (side, variants, for_two, for_more) in [
            (6, "classic", 10_000_000, 833_333),
            (9, "classic", 40_000_000, 3_333_333),
            (9, "diagonal", 40_000_000, 3_333_333),
            (9, "nonconsecutive", 10_000_000, 833_333),
            (16, "classic", 1_779_785, 148_315),
            (25, "classic", 466_560, 38_880),
        ] {
            let variants: Variants = variants.parse().unwrap();
            let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &variants).unwrap();
            for (solutions, expected) in [(1, for_two), (2, for_two), (3, for_more)] {
                let limits = Limits::default().with_solutions(solutions);
                let what = format!("{side} {variants:?} {solutions}");
                assert_eq!(limits.first_max_guesses(&rules), expected, "{what}");
                let after = limits.max_guesses_after_solution(&rules, 5, expected);
                let again = if solutions > 2 { 5 } else { 0 };
                assert_eq!(after, expected + again, "{what}");
                let given = limits.with_max_guesses(7);
                assert_eq!(given.first_max_guesses(&rules), 7, "{what}");
            }
        }
    }
}
