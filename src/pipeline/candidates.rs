//! Finds the digits that each cell has in some solution (the column `candidates`).
//!
//! The first search has found one solution, or two of several. A *trial* gives a cell a digit that no known solution has there, and
//! searches for one solution. If there is one, all of its digits are candidates. If there is none, the digit is not a candidate
//! of the cell. The trials of many puzzles are solved together, with few guesses each. Those that need more are solved alone.
//!
//! All searches of a puzzle share its limits. The guesses of its trials depend on the puzzle alone, not on the puzzles beside it.

use std::ops::ControlFlow;
use std::time::Duration;

use super::batch::Batch;
use super::emit::Emitter;
use super::findings::{BatchFindings, CandidateSets};
use super::options::Notation;
use super::trials::TrialContext;
use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::solver::deadline::thread_time;
use crate::solver::learning::first_pause;
use crate::solver::{Found, Limits};
use crate::text::columns::Column;
use crate::verdict::Status;

/// The number of puzzles whose trials are solved together: enough to fill every lane.
const PUZZLES_PER_ROUND: usize = 64;
/// The maximum number of trials of one puzzle in a round.
const TRIALS_PER_PUZZLE: usize = 16;
/// A trial needs one solution.
const ONE_SOLUTION: Limits = Limits::NONE.with_solutions(1);

/// Finds the candidates of every puzzle with a solution, if a column shows them.
pub(super) fn find_candidates(
    findings: &mut [BatchFindings],
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    let options = &emitter.settings.options;
    if !options.has_any_column(&[Column::Candidates]) {
        return ControlFlow::Continue(());
    }
    // With a time limit, each puzzle is solved alone, so that only its own trials use its time.
    let together = match options.max_time {
        Some(_) => 1,
        None => PUZZLES_PER_ROUND,
    };
    for (number, batch) in emitter.batches.iter().enumerate() {
        let statuses = &findings[number].statuses;
        let is_solved =
            |&index: &usize| matches!(statuses[index], Some(Status::Unique | Status::Multiple));
        let solved: Vec<usize> = (0..batch.number).filter(is_solved).collect();
        for indices in solved.chunks(together) {
            let found = &findings[number];
            let new_search = |&index: &usize| CandidateSearch::new(batch, found, index);
            let mut searches: Vec<CandidateSearch> = indices.iter().map(new_search).collect();
            let context = TrialContext {
                options,
                batch,
                findings,
                emitter,
            };
            let mut solver = CandidateSolver {
                context,
                begin: thread_time(),
            };
            solver.search_all(&mut searches)?;
            for search in searches {
                findings[number].record_candidates(search.index, search.result());
            }
            emitter.emit_if_due(findings)?;
        }
    }
    ControlFlow::Continue(())
}

/// The digits of each cell that are known to be candidates, and those that are not decided.
struct CandidateSearch {
    /// The index of the puzzle in its batch.
    index: usize,
    /// The digits of each cell in known solutions, bit d-1 for digit d.
    known: Vec<u32>,
    /// The digits of each cell that no known solution has, and no trial has excluded.
    open: Vec<u32>,
    /// The guesses of all searches of the puzzle, the first one included.
    guesses: u64,
    /// True if a limit ended the search.
    reached_limit: bool,
}

impl CandidateSearch {
    /// Begins with the solutions that the first search found.
    fn new(batch: &Batch, findings: &BatchFindings, index: usize) -> CandidateSearch {
        let rules = &batch.rules.ruleset(index).rules;
        let open = match findings.statuses[index] {
            Some(Status::Unique) => vec![0; batch.cells],
            _ => possible_digits(rules, batch.givens(index)),
        };
        let mut search = CandidateSearch {
            index,
            known: vec![0; batch.cells],
            open,
            guesses: findings.details[index].guesses,
            reached_limit: false,
        };
        let shown = &findings.details[index].shown;
        search.add(findings.solution(index));
        for solution in shown.chunks_exact(batch.cells) {
            search.add(solution);
        }
        search
    }

    fn add(&mut self, solution: &[u8]) {
        debug_assert_eq!(solution.len(), self.known.len());
        for (cell, &digit) in solution.iter().enumerate() {
            self.known[cell] |= 1 << (digit - 1);
            self.open[cell] &= !(1 << (digit - 1));
        }
    }

    /// Returns the trials of the next round: cells and digits, at most one digit of each cell.
    fn next_trials(&self) -> Vec<(usize, u32)> {
        if self.reached_limit {
            return Vec::new();
        }
        let open = self.open.iter().enumerate().filter(|(_, set)| **set != 0);
        open.map(|(cell, set)| (cell, set.trailing_zeros()))
            .take(TRIALS_PER_PUZZLE)
            .collect()
    }

    /// Records the result of a trial. A trial that ended at its limit decides nothing.
    fn record(&mut self, trial: &DigitTrial, found: &Found<'_>) {
        self.guesses += found.guesses;
        match found.solution {
            Some(solution) => self.add(solution),
            None if found.complete => self.open[trial.cell] &= !(1 << trial.digit),
            None => {}
        }
    }

    fn is_open(&self, trial: &DigitTrial) -> bool {
        self.open[trial.cell] >> trial.digit & 1 == 1
    }

    fn is_decided(&self) -> bool {
        self.open.iter().all(|&set| set == 0)
    }

    fn result(self) -> CandidateSets {
        debug_assert!(self.reached_limit || self.is_decided());
        match self.is_decided() {
            true => CandidateSets::Known(self.known.into()),
            false => CandidateSets::Unknown,
        }
    }
}

/// A trial: the search that it belongs to, its cell, and its digit, from 0.
struct DigitTrial {
    search: usize,
    cell: usize,
    digit: u32,
}

/// Searches the candidates of puzzles of a batch.
struct CandidateSolver<'b, 'p, 'a> {
    context: TrialContext<'b, 'p, 'a>,
    /// The CPU time of the thread when the search began.
    begin: Duration,
}

impl CandidateSolver<'_, '_, '_> {
    /// Solves rounds of trials until every digit of every cell is decided, or a limit is reached.
    fn search_all(&mut self, searches: &mut [CandidateSearch]) -> ControlFlow<()> {
        loop {
            for search in searches.iter_mut() {
                search.reached_limit |= self.limits_left(search).is_none();
            }
            let trials = next_trials(searches);
            if trials.is_empty() {
                return ControlFlow::Continue(());
            }
            self.solve_digits(&trials, searches, self.easy_limits())?;
            // The order of the trials of a puzzle is always the same, so the same one reaches the limit.
            for trial in &trials {
                self.decide(trial, searches)?;
            }
        }
    }

    /// Solves a trial alone if it is still open. It can use all that is left of the limits of its puzzle.
    fn decide(&mut self, trial: &DigitTrial, searches: &mut [CandidateSearch]) -> ControlFlow<()> {
        let search = &searches[trial.search];
        if search.reached_limit || !search.is_open(trial) {
            return ControlFlow::Continue(());
        }
        if let Some(limits) = self.limits_left(search) {
            self.solve_digits(std::slice::from_ref(trial), searches, limits)?;
        }
        let search = &mut searches[trial.search];
        search.reached_limit |= search.is_open(trial);
        ControlFlow::Continue(())
    }

    /// Returns what is left of the limits of a puzzle, or `None` if nothing is.
    fn limits_left(&self, search: &CandidateSearch) -> Option<Limits> {
        let options = self.context.options;
        let rules = &self.context.batch.rules.ruleset(search.index).rules;
        let max_guesses = options.max_guesses.left(rules, search.guesses)?;
        let max_time = self.time_left();
        (max_time != Some(Duration::ZERO)).then_some(Limits {
            max_guesses,
            max_time,
            ..ONE_SOLUTION
        })
    }

    /// Returns limits that a trial reaches quickly.
    fn easy_limits(&self) -> Limits {
        let easy = first_pause(self.context.batch.cells);
        Limits {
            max_guesses: self.context.options.max_guesses.at_most(easy),
            max_time: self.time_left(),
            ..ONE_SOLUTION
        }
    }

    fn time_left(&self) -> Option<Duration> {
        let spent = || thread_time() - self.begin;
        let limit = self.context.options.max_time;
        limit.map(|limit| limit.saturating_sub(spent()))
    }

    /// Solves trials, and records their results.
    fn solve_digits(
        &mut self,
        trials: &[DigitTrial],
        searches: &mut [CandidateSearch],
        limits: Limits,
    ) -> ControlFlow<()> {
        let (mut grids, mut candidates) = (Vec::new(), Vec::new());
        for trial in trials {
            match self.context.batch.givens(searches[trial.search].index) {
                Givens::Digits(digits) => trial.append_digits(digits, &mut grids),
                Givens::Candidates(sets) => trial.append_candidates(sets, &mut candidates),
            }
        }
        let givens = match self.context.batch.notation() {
            Notation::Digits => Givens::Digits(&grids),
            Notation::Pencilmarks => Givens::Candidates(&candidates),
        };
        let indices: Vec<usize> = trials.iter().map(|it| searches[it.search].index).collect();
        let record = |at: usize, found: &Found<'_>| {
            let trial: &DigitTrial = &trials[at];
            searches[trial.search].record(trial, found);
        };
        self.context
            .solve(givens, indices.into_iter(), limits, record)
    }
}

/// Returns the trials of the next round.
fn next_trials(searches: &[CandidateSearch]) -> Vec<DigitTrial> {
    let trials_of = |(search, of_puzzle): (usize, &CandidateSearch)| {
        let trials = of_puzzle.next_trials().into_iter();
        trials.map(move |(cell, digit)| DigitTrial {
            search,
            cell,
            digit,
        })
    };
    searches.iter().enumerate().flat_map(trials_of).collect()
}

impl DigitTrial {
    fn append_digits(&self, puzzle: &[u8], digits: &mut Vec<u8>) {
        let start = digits.len();
        digits.extend_from_slice(puzzle);
        digits[start + self.cell] = self.digit as u8 + 1;
    }

    fn append_candidates(&self, puzzle: &[u32], candidates: &mut Vec<u32>) {
        let start = candidates.len();
        candidates.extend_from_slice(puzzle);
        candidates[start + self.cell] = 1 << self.digit;
    }
}

/// Returns the digits of each cell that no given excludes directly.
fn possible_digits(rules: &Rules, givens: Givens<'_>) -> Vec<u32> {
    let every_digit = (1 << rules.side()) - 1;
    let given: Vec<u32> = (0..rules.cells())
        .map(|cell| givens.candidates(cell, every_digit))
        .collect();
    let mut possible = given.clone();
    for house in rules.houses().iter().chain(rules.groups_and_cages()) {
        for &cell in &house.cells {
            let set = given[usize::from(cell)];
            if set.is_power_of_two() {
                let others = house.cells.iter().filter(|&&other| other != cell);
                others.for_each(|&other| possible[usize::from(other)] &= !set);
            }
        }
    }
    possible
}
