//! The findings of the solvers about the puzzles of a batch.

use super::batch::Batch;
use super::options::Options;
use super::used_columns::UsedColumns;
use crate::text::columns::{Column, Need};
use engine::rules::Clue;
use engine::solver::Found;
use engine::verdict::Status;

pub(super) struct BatchFindings {
    cells: usize,
    /// The first solution found of each puzzle, in the order in which the searches ended.
    solutions: Vec<u8>,
    /// Where the solution of each puzzle with a known one begins in `solutions`.
    offsets: Vec<u32>,
    /// `None` until the first search for the puzzle ends.
    pub statuses: Vec<Option<Status>>,
    /// Details of the first search for each puzzle. Empty if the options do not need them.
    pub details: Vec<SearchDetails>,
    /// Of unique puzzles. `None` until the search for it ends. Empty if no column needs it.
    pub minimal: Vec<Option<Minimality>>,
    shows_redundant: bool,
    /// `None` until the search for them ends. Empty if no column shows them.
    candidates: Vec<Option<CandidateSets>>,
    /// The digits of each unique puzzle after minimization, `None` until they are known. Stays
    /// `None` if `--exact` fails. Empty without `--minimize`.
    pub minimized: Vec<Option<Box<[u8]>>>,
}

/// Details of the first search for a puzzle, which `--all` and a few columns need.
#[derive(Clone, Default)]
pub(super) struct SearchDetails {
    pub guesses: u64,
    /// The number of solutions found, up to `Limits::solutions`.
    pub solutions: u64,
    /// True if the search ended, and not at a limit. Then `solutions` counts all solutions.
    pub complete: bool,
    /// The solutions that the solver reported one by one, as found. Empty if `Limits::shown` is 1.
    pub shown: Vec<u8>,
}

impl BatchFindings {
    pub fn new(batch: &Batch, options: &Options, columns: &UsedColumns) -> BatchFindings {
        // Without a limit of time, the reason of an `unknown` puzzle is always `guesses`.
        let reason_needs_details = columns.have(&Column::Reason) && options.max_time.is_some();
        // With `--exact`, the details show whether the search or the minimization failed.
        let keeps_details = options.mode.max_solutions().is_some()
            || options.exact
            || columns.need(Need::SearchDetails)
            || reason_needs_details;
        let length_if = |needed: bool| if needed { batch.number } else { 0 };
        BatchFindings {
            cells: batch.boards.cells(),
            solutions: Vec::with_capacity(batch.number * batch.boards.cells()),
            offsets: vec![0; batch.number],
            statuses: vec![None; batch.number],
            details: vec![SearchDetails::default(); length_if(keeps_details)],
            minimal: vec![None; length_if(columns.need_minimality())],
            shows_redundant: columns.have(&Column::Redundant),
            candidates: vec![None; length_if(columns.have(&Column::Candidates))],
            minimized: vec![None; length_if(options.mode.minimizes())],
        }
    }

    pub fn record_solution(&mut self, index: usize, digits: &[u8]) {
        if let Some(details) = self.details.get_mut(index) {
            details.shown.extend_from_slice(digits);
        }
    }

    pub fn record(&mut self, index: usize, found: &Found<'_>) {
        debug_assert_eq!(self.statuses[index], None, "a second result");
        self.statuses[index] = Some(found.status);
        if let Some(solution) = found.solution {
            debug_assert_eq!(solution.len(), self.cells);
            self.offsets[index] = self.solutions.len() as u32;
            match <&[u8; 81]>::try_from(solution) {
                // Copying a constant length needs no call to memcpy.
                Ok(nine) => self.solutions.extend_from_slice(nine),
                Err(_) => self.solutions.extend_from_slice(solution),
            }
        }
        if let Some(details) = self.details.get_mut(index) {
            details.guesses = found.guesses;
            details.solutions = found.solutions;
            details.complete = found.complete;
        }
    }

    pub fn record_minimized(&mut self, index: usize, minimal: Minimality, left: Option<Box<[u8]>>) {
        debug_assert_eq!(self.statuses[index], Some(Status::Unique));
        if let Some(known) = self.minimal.get_mut(index) {
            *known = Some(minimal);
        }
        if let Some(minimized) = self.minimized.get_mut(index) {
            *minimized = left;
        }
    }

    /// Call if no minimization left the wanted number of givens (`--exact`).
    pub fn record_failed_minimization(&mut self, index: usize) {
        self.record_minimized(index, Minimality::Unknown, None);
        self.statuses[index] = Some(Status::Unknown);
    }

    pub fn record_candidates(&mut self, index: usize, candidates: CandidateSets) {
        debug_assert!(self.candidates[index].is_none(), "a second result");
        self.candidates[index] = Some(candidates);
    }

    pub fn candidates(&self, index: usize) -> Option<&[u32]> {
        self.candidates.get(index)?.as_ref()?.as_deref()
    }

    /// Later searches find the minimality, the redundant clues and the candidates.
    pub fn reached_later_limit(&self, index: usize) -> bool {
        // If `--exact` failed, the minimality is unknown too, but the status is no longer `Unique`.
        let lacks_minimality = self.statuses[index] == Some(Status::Unique)
            && match self.minimal.get(index) {
                Some(Some(Minimality::Unknown)) => true,
                Some(Some(Minimality::No(None))) => self.shows_redundant,
                _ => false,
            };
        // Outside in: a column shows the candidates, their search has ended, a limit ended it.
        let lacks_candidates = matches!(self.candidates.get(index), Some(Some(None)));
        lacks_minimality || lacks_candidates
    }

    pub fn awaits_later_search(&self, index: usize) -> bool {
        // `get` returns `Some(None)` for a value that is needed and not known yet.
        let awaits_minimization = matches!(self.minimal.get(index), Some(None))
            || matches!(self.minimized.get(index), Some(None));
        let awaits_candidates = matches!(self.candidates.get(index), Some(None));
        match self.statuses[index] {
            Some(Status::Unique) => awaits_minimization || awaits_candidates,
            Some(Status::Multiple) => awaits_candidates,
            _ => false,
        }
    }

    pub fn solution(&self, index: usize) -> &[u8] {
        debug_assert!(matches!(self.statuses[index], Some(Status::Unique | Status::Multiple)));
        &self.solutions[self.offsets[index] as usize..][..self.cells]
    }
}

/// The value of the column `minimal`. A puzzle is minimal if it needs every clue: without any
/// single one of them, it has several solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Minimality {
    Yes,
    /// The clues that can each be removed alone, or `None` if a limit was reached.
    No(Option<RedundantClues>),
    /// A limit was reached before the answer was known, or `--exact` failed.
    Unknown,
    /// The puzzle has no clues to remove, or it is a pencilmark puzzle.
    NoClues,
}

/// The value of the column `redundant`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct RedundantClues {
    /// The cells of the givens.
    pub givens: Vec<usize>,
    pub others: Vec<Clue>,
}

/// The digits that each cell of a puzzle has in some solution, bit d-1 for digit d. `None` if a
/// limit was reached before all of them were known.
pub(super) type CandidateSets = Option<Box<[u32]>>;
