//! Answers grids that share their rules: which have one solution, which more, which none. Chooses method and level once.

pub(crate) mod backtrack;
mod bands;
mod boxes;
mod candidate;
mod common_peers;
mod configurations;
mod conflicts;
mod diagonals;
mod extra_constraints;
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
mod shared;
mod simd;
mod stubborn;
mod transpose;

use std::sync::{Arc, OnceLock};

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

/// How solutions are searched for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// Many puzzles side by side, one in each lane of the machine's vectors.
    #[default]
    Lanes,
    /// The plain search: first blank cell, digits in ascending, then in descending order.
    Backtrack,
    /// Human techniques first; lanes for what they leave open.
    Pencil,
}

impl Method {
    /// Every method with its name.
    pub const NAMES: [(&'static str, Method); 3] = [
        ("lanes", Method::Lanes),
        ("backtrack", Method::Backtrack),
        ("pencil", Method::Pencil),
    ];
}

/// What ends a search early, and how much of what it finds is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Guesses a puzzle may take; past them its status is unknown unless two solutions were found. 0: no limit. A guess is a
    /// branch; for puzzles that branching does not decide, a conflict of clause learning or 1024 branches of the plain search.
    pub max_guesses: u64,
    /// Solutions after which the search for more ends; one at least. A verdict needs two: where one is enough, a puzzle
    /// is `None` or `Unknown`.
    pub solutions: u64,
    /// How many of the solutions are read, checked and reported; the others are counted only. The first comes with
    /// [`Found`]; if there may be more, each comes as [`Progress::Solution`], the first too.
    pub shown: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            max_guesses: 1_000_000,
            solutions: 2,
            shown: 1,
        }
    }
}

impl Limits {
    /// Whether a puzzle that took so many branches may take no more.
    #[inline(always)]
    pub(crate) fn are_reached_by(self, guesses: u64) -> bool {
        self.max_guesses != 0 && guesses >= self.max_guesses
    }

    /// Whether solutions are told as they are found. Not where the first is the only one to be shown: it comes with what
    /// else was found out, and a call a puzzle would cost 1 % on easy input.
    #[inline(always)]
    pub(crate) fn tell_solutions(self) -> bool {
        self.shown > 1
    }

    /// What there is to say of a search that has ended, `exhausted` or not.
    #[inline(always)]
    pub(crate) fn found<'a>(
        self,
        solution: Option<&'a [u8]>,
        guesses: u64,
        solutions: u64,
        exhausted: bool,
    ) -> Found<'a> {
        // Where the last solution asked for was found, it does not matter whether the search would have gone on.
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

/// What was found out about one puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<'a> {
    /// `Unique`, `Multiple`, `None` or `Unknown`.
    pub status: Status,
    /// The first solution, if any was found that is shown: digits along the rows.
    pub solution: Option<&'a [u8]>,
    /// Guesses taken: see [`Limits::max_guesses`].
    pub guesses: u64,
    /// How many solutions were found, at most as many as the limits allow.
    pub solutions: u64,
    /// Whether these are all: neither the limit of branches nor that of solutions ended the search.
    pub complete: bool,
}

/// What a solver tells while it is at work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress<'a> {
    /// A solution of the puzzle of this index, as soon as it is found. Only where more than one is to be shown.
    Solution(usize, &'a [u8]),
    /// The puzzle of this index is answered.
    Found(usize, Found<'a>),
    /// Nothing yet: a moment to look at the clock.
    AtWork,
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
#[derive(Clone, Debug)]
pub struct Solver {
    rules: Arc<Rules>,
    laid_out: Arc<LaidOut>,
    method: Method,
    limits: Limits,
    level: Level,
}

/// What is made of the rules, each once it is needed; whoever else answers grids by them shares it.
#[derive(Debug, Default)]
struct LaidOut {
    /// For rules without bands and for candidates.
    plan: OnceLock<Arc<Plan>>,
    /// For rules with bands.
    extra: OnceLock<Option<Arc<ExtraConstraints>>>,
    /// For human techniques.
    pencil: OnceLock<Pencil>,
}

impl Solver {
    /// A solver for grids that obey `rules`.
    #[must_use]
    pub fn new(rules: Arc<Rules>, method: Method, limits: Limits) -> Solver {
        Solver {
            rules,
            laid_out: Arc::default(),
            method,
            limits,
            level: Level::best(),
        }
    }

    /// The same at another level of the machine.
    #[must_use]
    pub fn at(self, level: Level) -> Solver {
        Solver { level, ..self }
    }

    /// The same within other limits; what one of both lays out of the rules serves the other too.
    #[must_use]
    pub fn limited(&self, limits: Limits) -> Solver {
        Solver {
            limits,
            ..self.clone()
        }
    }

    /// The human techniques for these rules.
    pub(crate) fn pencil(&self) -> &Pencil {
        let pencil = &self.laid_out.pencil;
        pencil.get_or_init(|| Pencil::new(&self.rules))
    }

    /// The rules its grids obey.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Answers each grid of `grids`, one behind the other, 0 for a blank cell. Calls `found` once a grid, with its
    /// index, in whatever order they are ready. What is found depends on the grid alone.
    pub fn solve(&self, grids: &[u8], found: &mut dyn FnMut(usize, Found<'_>)) {
        self.solve_reporting(Puzzles::of_digits(grids), &mut |progress| {
            if let Progress::Found(index, answer) = progress {
                found(index, answer);
            }
        });
    }

    /// Answers puzzles, with a report every few milliseconds at the least while they are at work. What is found out
    /// about a puzzle, and which of its solutions come in which order, depends on its givens and its seed alone.
    pub fn solve_reporting(&self, puzzles: Puzzles<'_>, report: &mut dyn FnMut(Progress<'_>)) {
        match self.method {
            Method::Lanes => self.solve_in_lanes(puzzles, report),
            Method::Backtrack => Backtrack::new(&self.rules, self.limits).solve(puzzles, report),
            Method::Pencil => self.solve_with_pencil(puzzles, report),
        }
    }

    fn solve_in_lanes(&self, puzzles: Puzzles<'_>, report: &mut dyn FnMut(Progress<'_>)) {
        // What a band board keeps of a lane tells where digits stand in lines, not in cells.
        if self.rules.has_bands() && matches!(puzzles.givens, Givens::Digits(_)) {
            self.level.run_counting(Banded(self, puzzles, report));
        } else {
            self.level
                .run(self.rules.side(), Regional(self, puzzles, report));
        }
    }
}

/// Puzzles for the boards of a solver.
struct Banded<'a>(&'a Solver, Puzzles<'a>, &'a mut dyn FnMut(Progress<'_>));
struct Regional<'a>(&'a Solver, Puzzles<'a>, &'a mut dyn FnMut(Progress<'_>));

impl Banded<'_> {
    fn run<S: Counting>(self, s: S) {
        let Banded(solver, puzzles, report) = self;
        let extra = &solver.laid_out.extra;
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
        let plan = &solver.laid_out.plan;
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

/// Something to do with the vectors of a level, whichever it is.
trait AtLevel {
    fn run<S: Simd>(self, s: S);
}

/// Work that says nothing of vectors.
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

/// What of the machine the lanes use. The answers are the same at every level.
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

    /// The best level of this machine.
    #[must_use]
    pub fn best() -> Level {
        let found = Level::NAMES
            .iter()
            .rev()
            .find_map(|name| Level::named(name));
        found.unwrap_or(Level(LevelToken::Portable))
    }

    /// Does `job` with vectors that hold the digits of a puzzle of this side.
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

    /// Does `job` with vectors that count digits.
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

    /// Does `job` with the instructions of this level allowed in all that is inlined into it: compilers make wider loops
    /// over text of them.
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

    /// The level of this name, if this machine has it.
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
    fn what_a_limited_solver_lays_out_serves_the_one_it_came_of() {
        for (side, method) in [(4, Method::Lanes), (9, Method::Lanes), (9, Method::Pencil)] {
            let boxes = Shape::boxes_of(side).unwrap();
            let rules = Rules::new(side, boxes, &Variants::default()).unwrap();
            let solver = Solver::new(Arc::new(rules), method, Limits::default());
            let limited = solver.limited(Limits::default());
            limited.solve(&vec![0; side * side], &mut |_, _| {});
            let LaidOut {
                plan,
                extra,
                pencil,
            } = &*solver.laid_out;
            let laid_out = [
                plan.get().is_some(),
                extra.get().is_some(),
                pencil.get().is_some(),
            ];
            let expected = match (side, method) {
                (9, Method::Lanes) => [false, true, false],
                // Techniques leave candidates, which no band board takes.
                (9, _) => [true, false, true],
                _ => [true, false, false],
            };
            assert_eq!(laid_out, expected, "{side} {method:?}");
        }
    }
}
