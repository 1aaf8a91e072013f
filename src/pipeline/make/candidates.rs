//! Finds the digits that each cell has in some solution (the column `candidates`).
//!
//! A *trial* gives a cell a digit that no known solution has there, and searches for one solution.
//! If there is one, all of its digits are candidates; if there is none, the digit is not. Each
//! round solves trials of many puzzles together, with few guesses each. A trial that stays
//! undecided is then solved alone, if the limits of its puzzle allow it.
//!
//! The first search and the trials of a puzzle share its limit of guesses. The limit is checked
//! before each search, so a round can exceed it a little. The trials of a puzzle share one limit of
//! time; its first search has another of the same length. Without a limit of time, the result of a
//! puzzle does not depend on the other puzzles of its batch.

use std::ops::ControlFlow;
use std::time::Duration;

use super::trials::{TrialContext, TrialPuzzles, search_again};
use crate::pipeline::batch::Batch;
use crate::pipeline::findings::{BatchFindings, CandidateSets};
use crate::pipeline::write::emit::Emitter;
use crate::text::columns::Column;
use crate::text::size::CellNotation;
use engine::puzzle::{Givens, Puzzles};
use engine::solver::{Found, GuessLimit};
use engine::verdict::Status;
use engine::verify::digits_and_candidates;

const TRIALS_PER_PUZZLE: usize = 16;

pub(in crate::pipeline) fn find_candidates(emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    if !emitter.settings.columns.have(&Column::Candidates) {
        return ControlFlow::Continue(());
    }
    let statuses = [Status::Unique, Status::Multiple];
    let record = BatchFindings::record_candidates;
    search_again(emitter, &statuses, search_all, record)
}

fn search_all(
    context: &mut TrialContext<'_, '_, '_>,
    indices: &[usize],
) -> ControlFlow<(), Vec<CandidateSets>> {
    let findings = &context.emitter.findings[context.batch_index];
    let new_search = |&index: &usize| CandidateSearch::new(context.batch, findings, index);
    let mut searches: Vec<CandidateSearch> = indices.iter().map(new_search).collect();
    loop {
        for search in &mut searches {
            search.reached_limit |= guesses_left(context, search).is_none();
        }
        let trials = searches.iter().enumerate();
        let trials = trials.flat_map(|(index, search)| search.next_trials(index));
        let trials: Vec<DigitTrial> = trials.collect();
        if trials.is_empty() {
            let results = searches.into_iter().map(CandidateSearch::result);
            return ControlFlow::Continue(results.collect());
        }
        solve_trials(context, &trials, &mut searches, context.easy_guesses(1))?;
        // The trials have a fixed order. So without a limit of time, a puzzle always reaches its
        // limit of guesses at the same trial.
        for trial in &trials {
            decide_alone(context, trial, &mut searches)?;
        }
    }
}

/// The trial can use all that is left of the limits of its puzzle.
fn decide_alone(
    context: &mut TrialContext<'_, '_, '_>,
    trial: &DigitTrial,
    searches: &mut [CandidateSearch],
) -> ControlFlow<()> {
    let search = &searches[trial.search];
    if search.reached_limit || !search.is_open(trial) {
        return ControlFlow::Continue(());
    }
    if let Some(guesses) = guesses_left(context, search) {
        solve_trials(context, std::slice::from_ref(trial), searches, guesses)?;
    }
    let search = &mut searches[trial.search];
    // Still undecided: the limits left nothing for a search, or the search used up the rest.
    search.reached_limit |= search.is_open(trial);
    ControlFlow::Continue(())
}

/// Returns `GuessLimit::None` if there is no limit, `None` if no guess or no time is left.
fn guesses_left(
    context: &TrialContext<'_, '_, '_>,
    search: &CandidateSearch,
) -> Option<GuessLimit> {
    let rules = context.rules(search.index);
    let has_time = context.time_left(search.index) != Some(Duration::ZERO);
    let left = context.options.max_guesses.left(rules, search.guesses)?;
    has_time.then_some(left)
}

/// A trial ends at its first solution, which decides it.
fn solve_trials(
    context: &mut TrialContext<'_, '_, '_>,
    trials: &[DigitTrial],
    searches: &mut [CandidateSearch],
    guesses: GuessLimit,
) -> ControlFlow<()> {
    let batch = context.batch;
    let (mut grids, mut candidates) = (Vec::new(), Vec::new());
    let indices: Vec<usize> = trials.iter().map(|it| searches[it.search].index).collect();
    for (trial, &index) in trials.iter().zip(&indices) {
        match batch.givens(index) {
            Givens::Digits(digits) => trial.append(digits, trial.digit as u8 + 1, &mut grids),
            Givens::Candidates(sets) => trial.append(sets, 1 << trial.digit, &mut candidates),
        }
    }
    let givens = match batch.boards.notation {
        CellNotation::Digits => Givens::Digits(&grids),
        CellNotation::Pencilmarks => Givens::Candidates(&candidates),
    };
    let seeds: Vec<u64> = trials.iter().map(DigitTrial::seed).collect();
    let puzzles = Puzzles { givens, seeds: &seeds };
    let puzzles = TrialPuzzles { puzzles, indices: &indices, rules: &[] };
    context.solve(puzzles, guesses, 1, |at, found| {
        searches[trials[at].search].record(&trials[at], found);
    })
}

struct CandidateSearch {
    index: usize,
    /// The digits that each cell has in known solutions, bit d-1 for digit d.
    known: Vec<u32>,
    /// The undecided digits of each cell, bits as in `known`: no known solution has them there, but
    /// the givens (or the pencilmarks of the cell) and the trials so far do not exclude them.
    open: Vec<u32>,
    /// The guesses of the first search and of the trials so far.
    guesses: u64,
    reached_limit: bool,
}

impl CandidateSearch {
    fn new(batch: &Batch, findings: &BatchFindings, index: usize) -> CandidateSearch {
        let rules = &batch.rules.ruleset(index).rules;
        let open = match findings.statuses[index] {
            // The only solution decides every digit.
            Some(Status::Unique) => vec![0; batch.boards.cells()],
            _ => digits_and_candidates(rules, batch.givens(index)).1,
        };
        let mut search = CandidateSearch {
            index,
            known: vec![0; batch.boards.cells()],
            open,
            guesses: findings.details[index].guesses,
            reached_limit: false,
        };
        let shown = &findings.details[index].shown;
        search.add(findings.solution(index));
        for solution in shown.chunks_exact(batch.boards.cells()) {
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

    /// At most one trial for a cell. `search` is the index of this search in the list of searches.
    fn next_trials(&self, search: usize) -> impl Iterator<Item = DigitTrial> {
        let open = self.open.iter().enumerate();
        let open = open.filter(|(_, set)| **set != 0 && !self.reached_limit);
        open.take(TRIALS_PER_PUZZLE).map(move |(cell, set)| DigitTrial {
            search,
            cell,
            digit: set.trailing_zeros(),
        })
    }

    /// A trial that reaches a limit without a solution decides nothing.
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
        self.is_decided().then(|| self.known.into())
    }
}

/// `search` is an index in the list of searches. `digit` counts from 0.
struct DigitTrial {
    search: usize,
    cell: usize,
    digit: u32,
}

impl DigitTrial {
    /// Searches with different random orders of branches find solutions that differ in many cells,
    /// so each solution decides digits in many cells.
    // Tried: no seeds. An almost blank 16x16 jigsaw takes 20 times as long, `many-antiknight.txt`
    // in data/ twice as long.
    fn seed(&self) -> u64 {
        u64::from(self.digit) << 16 | self.cell as u64
    }

    /// `digit` is as the puzzle holds it: a number, or a set of one candidate.
    fn append<T: Copy>(&self, puzzle: &[T], digit: T, grids: &mut Vec<T>) {
        let start = grids.len();
        grids.extend_from_slice(puzzle);
        grids[start + self.cell] = digit;
    }
}
