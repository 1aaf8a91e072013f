//! A batch: puzzles of one task that are solved together, and the findings about each of them.

use std::ops::ControlFlow;
use std::sync::{Arc, OnceLock};

use super::{Mode, Options};
use crate::canonical::Canonical;
use crate::pencil::Pencil;
use crate::puzzle::{Givens, Puzzles};
use crate::rules::Rules;
use crate::solver::jigsaws::Jigsaws;
use crate::solver::{Found, Limits, Progress, Solver};
use crate::text::columns::Column;
use crate::verdict::Status;

/// Rules, and what is built from them: the solver, the human techniques and the canonical forms.
#[derive(Debug)]
pub(super) struct Ruleset {
    pub rules: Arc<Rules>,
    pub solver: Solver,
    canonical: OnceLock<Option<Canonical>>,
}

impl Ruleset {
    pub fn new(rules: Rules, options: &Options) -> Ruleset {
        let rules = Arc::new(rules);
        Ruleset {
            solver: Solver::new(rules.clone(), options.method).at(options.level),
            rules,
            canonical: OnceLock::new(),
        }
    }

    pub fn pencil(&self) -> &Pencil {
        self.solver.pencil()
    }

    /// Returns the canonical forms, or `None` for sides that are too large.
    pub fn canonical(&self) -> Option<&Canonical> {
        let canonical = self.canonical.get_or_init(|| Canonical::new(&self.rules));
        canonical.as_ref()
    }
}

/// The most solutions of one puzzle that are stored with `--all`. A puzzle with more is searched again, alone.
pub(super) const MOST_STORED: u64 = 16;

/// Returns the limits of the first search for each puzzle.
pub(super) fn limits(options: &Options) -> Limits {
    let max_guesses = options.max_guesses;
    let (solutions, shown) = match options.mode {
        // The solver reports solutions one by one only if more than one is wanted.
        Mode::All(most) => (most.clamp(2, MOST_STORED), most.clamp(2, MOST_STORED)),
        // One solution above the count shows that there are more.
        _ if options.has_any_column(&[Column::Solutions]) => {
            (options.count.saturating_add(1).max(2), 1)
        }
        _ => (2, 1),
    };
    Limits {
        max_guesses,
        max_time: options.max_time,
        solutions,
        shown: match options.has_any_column(&[Column::Second]) {
            true => shown.max(2),
            false => shown,
        },
    }
}

/// The rules of the puzzles of a batch.
pub(super) enum BatchRules {
    /// All puzzles have the same rules.
    Shared(Arc<Ruleset>),
    /// Each puzzle has its own rules, because each line has a layout.
    PerPuzzle(Vec<Arc<Ruleset>>),
}

impl BatchRules {
    pub fn ruleset(&self, index: usize) -> &Arc<Ruleset> {
        match self {
            BatchRules::Shared(ruleset) => ruleset,
            BatchRules::PerPuzzle(rulesets) => &rulesets[index],
        }
    }

    /// Returns the rules of the puzzles with these indices, in this order.
    pub fn of(&self, indices: impl Iterator<Item = usize>) -> BatchRules {
        match self {
            BatchRules::Shared(ruleset) => BatchRules::Shared(ruleset.clone()),
            BatchRules::PerPuzzle(rulesets) => {
                BatchRules::PerPuzzle(indices.map(|index| rulesets[index].clone()).collect())
            }
        }
    }

    /// Solves puzzles. The rules of a puzzle are those of its index.
    pub fn solve(
        &self,
        options: &Options,
        limits: Limits,
        puzzles: Puzzles<'_>,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match self {
            BatchRules::Shared(ruleset) => ruleset.solver.solve(puzzles, limits, report),
            BatchRules::PerPuzzle(rulesets) => {
                let rules: Vec<Arc<Rules>> = rulesets
                    .iter()
                    .map(|ruleset| ruleset.rules.clone())
                    .collect();
                let jigsaws = Jigsaws::new(options.method, options.level);
                jigsaws.solve(&rules, puzzles, limits, report)
            }
        }
    }
}

/// Puzzles of one side that are solved together.
pub(super) struct Batch {
    pub rules: BatchRules,
    /// The number of cells of a grid.
    pub cells: usize,
    /// The digits of each puzzle, one puzzle after the other; all blank for pencilmark puzzles.
    pub grids: Vec<u8>,
    /// The candidates of each cell, if these are pencilmark puzzles.
    pub candidates: Option<Vec<u32>>,
    /// The seed of each puzzle's branching order; empty for the fixed order.
    pub seeds: Vec<u64>,
    /// The number of puzzles.
    pub number: usize,
}

impl Batch {
    pub fn new(rules: BatchRules, cells: usize, pencilmarks: bool) -> Batch {
        Batch {
            rules,
            cells,
            grids: Vec::new(),
            candidates: pencilmarks.then(Vec::new),
            seeds: Vec::new(),
            number: 0,
        }
    }

    pub fn puzzles(&self) -> Puzzles<'_> {
        Puzzles {
            givens: match &self.candidates {
                Some(candidates) => Givens::Candidates(candidates),
                None => Givens::Digits(&self.grids),
            },
            seeds: &self.seeds,
        }
    }

    /// Returns one puzzle alone.
    pub fn puzzle(&self, index: usize) -> Puzzles<'_> {
        Puzzles {
            givens: self.givens(index),
            seeds: self.seeds.get(index..=index).unwrap_or_default(),
        }
    }

    pub fn givens(&self, index: usize) -> Givens<'_> {
        self.puzzles().givens.of(index, self.cells)
    }
}

/// The findings about the puzzles of a batch.
pub(super) struct BatchFindings {
    cells: usize,
    /// The first solution of each puzzle, in the order in which they were found.
    solutions: Vec<u8>,
    /// The offset of each puzzle's solution in `solutions`.
    offsets: Vec<u32>,
    /// The status of each puzzle, `None` until it is known.
    pub statuses: Vec<Option<Status>>,
    /// Details of each search. Empty if neither the columns nor the mode need them.
    pub details: Vec<SearchDetails>,
    /// The minimality of each puzzle, `None` until it is known. Empty if no column shows it.
    pub minimal: Vec<Option<Minimality>>,
    /// The digits of each unique puzzle after minimization, `None` until they are known. Empty without `--minimize`.
    pub minimized: Vec<Option<Box<[u8]>>>,
}

/// Details of a search that only a few columns show.
#[derive(Clone, Default)]
pub(super) struct SearchDetails {
    /// The number of branches.
    pub guesses: u64,
    /// The number of solutions found, up to the limit.
    pub solutions: u64,
    /// True if no limit ended the search, so that these are all solutions.
    pub complete: bool,
    /// The solutions that the solver reported, one after the other, in the order in which they were found.
    pub shown: Vec<u8>,
}

impl BatchFindings {
    /// Returns the findings of a batch before its first search.
    pub fn of(batch: &Batch, options: &Options) -> BatchFindings {
        let length_if = |needed: bool| if needed { batch.number } else { 0 };
        BatchFindings {
            cells: batch.cells,
            solutions: Vec::with_capacity(batch.number * batch.cells),
            offsets: vec![0; batch.number],
            statuses: vec![None; batch.number],
            details: vec![SearchDetails::default(); length_if(keeps_details(options))],
            minimal: vec![None; length_if(options.has_any_column(&[Column::Minimal]))],
            minimized: vec![None; length_if(options.mode == Mode::Minimize)],
        }
    }

    pub fn record_solution(&mut self, index: usize, digits: &[u8]) {
        if let Some(details) = self.details.get_mut(index) {
            details.shown.extend_from_slice(digits);
        }
    }

    pub fn record(&mut self, index: usize, found: &Found<'_>) {
        self.statuses[index] = Some(found.status);
        if let Some(solution) = found.solution {
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
        if let Some(known) = self.minimal.get_mut(index) {
            *known = Some(minimal);
        }
        if let Some(minimized) = self.minimized.get_mut(index) {
            *minimized = left;
        }
    }

    /// Returns whether the minimization of a unique puzzle is not finished.
    pub fn awaits_minimization(&self, index: usize) -> bool {
        matches!(self.minimal.get(index), Some(None))
            || matches!(self.minimized.get(index), Some(None))
    }

    /// Returns the first solution of a puzzle that has one.
    pub fn solution(&self, index: usize) -> &[u8] {
        &self.solutions[self.offsets[index] as usize..][..self.cells]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Minimality {
    Yes,
    No,
    /// A limit was reached, or the puzzle has no givens to remove.
    Unknown,
}

fn keeps_details(options: &Options) -> bool {
    matches!(options.mode, Mode::All(_))
        || options.has_any_column(&[Column::Solutions, Column::Second, Column::Guesses])
}
