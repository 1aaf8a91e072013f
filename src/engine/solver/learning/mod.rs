//! Clause learning (CDCL): a second kind of search, by the SAT solver batsat. A search pauses after
//! a certain number of guesses, and clause learning gets a try of bounded length. `formula.rs`
//! states the puzzle as clauses, `search.rs` calls the SAT solver within the limits of `budget.rs`,
//! and this file has the schedule of the tries.
//!
//! Branching decides most hard puzzles sooner. Clause learning is faster for puzzles in which a few
//! regions contradict each other, such as jigsaw layouts that no grid fits, and for large grids
//! with less than half of their cells given. Each try can have `GROWTH` times as many conflicts as
//! the try before it, and the branches between two tries take about as long as the later try. So
//! the time is usually a small multiple of the time that the faster kind of search needs. Every try
//! begins anew, so memory is bounded: one formula for each thread.
//!
//! The lanes and the search of killers both use this schedule. It counts guesses, not time, so the
//! pauses are the same on every machine.

mod budget;
mod formula;
mod search;

use std::ops::ControlFlow;

use super::deadline::Deadline;
use super::limits::{Limits, Report, Searched, guesses_of_side};
use crate::puzzle::{Givens, Puzzles};
use crate::random::Random;
use crate::rules::Rules;
use budget::Budget;
use formula::Formula;
pub(crate) use search::Learnt;

/// Guesses before the first try, in grids without bands and without cages: about as long as making
/// a formula. In unit tests the number is small, so that many searches pause.
// Tried: fewer guesses in grids larger than 9x9. The column `candidates` of almost blank 17x17 to
// 25x25 jigsaws takes up to 15 times as long.
pub const FIRST_PAUSE: u64 = if cfg!(test) { 2 } else { 512 };
/// In killers and grids with bands, the first pause comes after `PATIENCE * FIRST_PAUSE` guesses. A
/// branch takes little time there compared with a conflict, and clause learning rarely finds the
/// answer.
const PATIENCE: u64 = 64;
/// In the first try, in grids with bands and in killers.
const FIRST_CONFLICTS: u64 = if cfg!(test) { 8 } else { 128 };
/// In grids without bands and without cages. Of 78 jigsaw layouts that no grid fits, 72 need at
/// most 256 conflicts, and none more than 2,934.
const FIRST_CONFLICTS_WITHOUT_BANDS: u64 = 2 * FIRST_CONFLICTS;
/// The limit of conflicts grows by this factor from one try to the next.
const GROWTH: u64 = 4;
/// In grids without bands and without cages. The value doubles with each try, up to
/// `guesses_per_conflict`, because a conflict takes longer the more clauses are learnt.
// Tried: no doubling. Of 11 blank jigsaws with `nonconsecutive`, four are `unknown` after 22 s
// each; with doubling, all are decided in 10 s or less.
const FIRST_BRANCHES_PER_CONFLICT: u64 = 8;
/// A multiple of `guesses_per_conflict`, in killers and grids with bands.
const BANDS_FACTOR: u64 = 4;
/// For a 9x9. A conflict takes 15 to 100 µs; a branch in lanes 0.06 to 1.5 µs.
const GUESSES_PER_CONFLICT: u64 = 64;
/// Including a known solution. If more are wanted and exist, branching goes on.
const MAX_LEARNT_SOLUTIONS: u64 = 2;

#[derive(Clone, Copy, Debug)]
pub(crate) struct LearningSchedule {
    /// Guesses from the beginning of the search to the next try.
    pause: u64,
    /// The maximum number of conflicts in the next try. The limit of guesses can lower it.
    conflicts: u64,
    /// The branches between the next try and the one after it, for each conflict that the latter
    /// can have.
    branches_per_conflict: u64,
    max_branches_per_conflict: u64,
    /// A conflict takes about the time of this many guesses.
    guesses_per_conflict: u64,
}

/// A puzzle, the order of its search, and its limits, which searches update.
#[derive(Clone, Copy)]
pub(crate) struct SearchTask<'a> {
    /// Among the puzzles of the call of the solver.
    pub index: usize,
    pub givens: Givens<'a>,
    /// `None` if the order of branches is not random.
    pub seed: Option<u64>,
    /// A solution can raise this limit (`Limits::max_guesses_after_solution`).
    pub max_guesses: u64,
    pub schedule: LearningSchedule,
    pub deadline: Option<Deadline>,
}

impl<'a> SearchTask<'a> {
    pub fn new(rules: &Rules, puzzles: Puzzles<'a>, index: usize, limits: Limits) -> Self {
        SearchTask {
            index,
            givens: puzzles.givens.puzzle(index, rules.cells()),
            seed: puzzles.seeds.get(index).copied(),
            max_guesses: limits.first_max_guesses(rules),
            schedule: LearningSchedule::new(rules, limits),
            deadline: Deadline::from_now(limits.max_time),
        }
    }
}

pub(crate) struct PausedSearch<'a> {
    pub rules: &'a Rules,
    pub task: SearchTask<'a>,
    /// Includes `guesses_per_conflict` for each conflict; `try_learning` adds those of its own.
    pub guesses: u64,
    pub solutions: u64,
    /// The first solution, if it was stored. Clause learning must not find it again.
    pub known: Option<&'a [u8]>,
    pub limits: Limits,
}

impl LearningSchedule {
    pub const NEVER: LearningSchedule = LearningSchedule {
        pause: u64::MAX,
        conflicts: 0,
        branches_per_conflict: 0,
        max_branches_per_conflict: 0,
        guesses_per_conflict: 1,
    };

    pub fn new(rules: &Rules, limits: Limits) -> LearningSchedule {
        // The formula has no clauses for weighted sums and counts.
        if rules.stated().is_some_and(|stated| {
            !stated.sums().is_empty() || stated.counts().iter().any(|count| count.least > 1)
        }) {
            return LearningSchedule::NEVER;
        }
        let guesses_per_conflict = guesses_per_conflict(rules, limits);
        if rules.has_bands() || rules.are_of_one_puzzle() {
            let branches_per_conflict = BANDS_FACTOR * guesses_per_conflict;
            LearningSchedule {
                pause: PATIENCE * FIRST_PAUSE,
                conflicts: FIRST_CONFLICTS,
                branches_per_conflict,
                max_branches_per_conflict: branches_per_conflict,
                guesses_per_conflict,
            }
        } else {
            LearningSchedule {
                pause: FIRST_PAUSE,
                conflicts: FIRST_CONFLICTS_WITHOUT_BANDS,
                branches_per_conflict: FIRST_BRANCHES_PER_CONFLICT.min(guesses_per_conflict),
                max_branches_per_conflict: guesses_per_conflict,
                guesses_per_conflict,
            }
        }
    }

    #[inline(always)]
    pub fn next_stop(&self, max_guesses: u64) -> u64 {
        self.pause.min(max_guesses)
    }

    /// Sets the next pause, and counts the conflicts in `search.guesses`. Returns the findings if,
    /// together with `search.known`, they are all solutions or as many as are wanted; otherwise the
    /// search goes on. Skips the try if too few guesses are left for a conflict, or if all wanted
    /// solutions, or `MAX_LEARNT_SOLUTIONS`, are found already. Breaks if `report` breaks.
    #[cold]
    #[inline(never)]
    pub fn try_learning(
        &mut self,
        search: &mut PausedSearch<'_>,
        report: Report<'_>,
    ) -> ControlFlow<(), Option<Learnt>> {
        let limits = search.limits;
        let left = search.task.max_guesses.saturating_sub(search.guesses);
        let conflicts = self.conflicts.min(left / self.guesses_per_conflict);
        let mut answer = None;
        if conflicts > 0 && search.solutions < limits.solutions.min(MAX_LEARNT_SOLUTIONS) {
            let learnt = self.learn(search, conflicts, report)?;
            search.guesses += learnt.conflicts * self.guesses_per_conflict;
            let solutions = u64::from(search.known.is_some()) + learnt.solutions.len() as u64;
            if learnt.searched == Searched::Everything || solutions >= limits.solutions {
                answer = Some(learnt);
            }
        }
        self.conflicts = self.conflicts.saturating_mul(GROWTH);
        let branches = self.conflicts.saturating_mul(self.branches_per_conflict);
        self.branches_per_conflict =
            (2 * self.branches_per_conflict).min(self.max_branches_per_conflict);
        self.pause = search.guesses.saturating_add(branches);
        ControlFlow::Continue(answer)
    }

    /// A known solution counts as one of the wanted ones, and is not found again.
    fn learn(
        &self,
        search: &PausedSearch<'_>,
        conflicts: u64,
        report: Report<'_>,
    ) -> ControlFlow<(), Learnt> {
        debug_assert!(search.known.is_none() || search.solutions > 0);
        let wanted = search.limits.solutions.min(MAX_LEARNT_SOLUTIONS) as usize;
        let budget = Budget::new(conflicts, search.task.deadline, report);
        // With a seed, each try begins with another random order of the variables.
        let seed = search.task.seed;
        let random = seed.map(|seed| Random::new(seed ^ self.conflicts));
        let is_random = random.is_some();
        let mut formula = Formula::new(search.rules, search.task.givens, random, budget);
        // Only a known one is subtracted: clause learning can find other counted ones again.
        if let Some(solution) = search.known {
            formula.exclude(solution);
            return search::search(formula, wanted - 1);
        }
        // Only without a known solution (see `order_digits`) and without a seed, because any
        // solution must be able to come first in a random search.
        if !is_random {
            formula.order_digits();
        }
        search::search(formula, wanted)
    }
}

/// The time of a guess grows faster with the side than that of a conflict does.
// Tried: 64 for every side. A 25x25 with 40 to 46 % of its cells given takes four times as long:
// clause learning is ten times as fast as branching there, but then gets a tenth of the time.
fn guesses_per_conflict(rules: &Rules, limits: Limits) -> u64 {
    let guesses = guesses_of_side(GUESSES_PER_CONFLICT, rules) / limits.times_per_guess(rules);
    guesses.max(1)
}
