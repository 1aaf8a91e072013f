//! Grids of one task that are solved together, and what was found out about each.

use std::sync::{Arc, OnceLock};

use super::{Mode, Options};
use crate::canonical::Canonical;
use crate::columns::Column;
use crate::pencil::Pencil;
use crate::rules::Rules;
use crate::solver::{Found, Givens, Jigsaws, Limits, Progress, Puzzles, Solver};
use crate::verdict::Status;

/// What puzzles obey, and all that works on them; shared by those of the same rules.
#[derive(Debug)]
pub(super) struct Kit {
    pub rules: Arc<Rules>,
    /// Finds what the options ask for.
    pub solver: Solver,
    canonical: OnceLock<Option<Canonical>>,
}

impl Kit {
    pub fn new(rules: Rules, options: &Options) -> Kit {
        let rules = Arc::new(rules);
        Kit {
            solver: Solver::new(rules.clone(), options.method, limits(options)).at(options.level),
            rules,
            canonical: OnceLock::new(),
        }
    }

    pub fn pencil(&self) -> &Pencil {
        self.solver.pencil()
    }

    /// None where sides are too large.
    pub fn canonical(&self) -> Option<&Canonical> {
        let canonical = self.canonical.get_or_init(|| Canonical::new(&self.rules));
        canonical.as_ref()
    }
}

/// Solutions of a puzzle that are kept until its turn comes; of those with more, each is searched for alone.
pub(super) const FEW: u64 = 16;

/// How far the first search for each puzzle goes.
pub(super) fn limits(options: &Options) -> Limits {
    let max_guesses = options.max_guesses;
    let (solutions, shown) = match options.mode {
        // Solutions are told one by one only where several are.
        Mode::All(most) => (most.clamp(2, FEW), most.clamp(2, FEW)),
        // One more shows that there are more.
        _ if options.asks_for(&[Column::Solutions]) => (options.count.saturating_add(1).max(2), 1),
        _ => (2, 1),
    };
    Limits {
        max_guesses,
        max_time: options.max_time,
        solutions,
        shown: match options.asks_for(&[Column::Second]) {
            true => shown.max(2),
            false => shown,
        },
    }
}

/// What the grids of a batch obey.
pub(super) enum By {
    /// All the same.
    One(Arc<Kit>),
    /// Each its own.
    Own(Vec<Arc<Kit>>),
}

impl By {
    pub fn kit(&self, index: usize) -> &Arc<Kit> {
        match self {
            By::One(kit) => kit,
            By::Own(kits) => &kits[index],
        }
    }

    /// What the grids of these indices obey, in this order.
    pub fn of(&self, indices: impl Iterator<Item = usize>) -> By {
        match self {
            By::One(kit) => By::One(kit.clone()),
            By::Own(kits) => By::Own(indices.map(|index| kits[index].clone()).collect()),
        }
    }
}

/// Grids of one side that are solved together.
pub(super) struct Batch {
    pub by: By,
    /// Cells of a grid.
    pub cells: usize,
    /// The digits of each grid; of pencilmark puzzles all blank.
    pub grids: Vec<u8>,
    /// The candidates of each cell, where the grids are pencilmark puzzles.
    pub candidates: Option<Vec<u32>>,
    /// What the order of branches is drawn from, where it is drawn.
    pub seeds: Vec<u64>,
    /// How many grids there are.
    pub number: usize,
}

impl Batch {
    pub fn new(by: By, cells: usize, pencilmarks: bool) -> Batch {
        Batch {
            by,
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

    /// The same of one grid alone.
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

/// What was found out about the grids of a batch.
pub(super) struct Findings {
    cells: usize,
    /// The solutions in the order found, one behind the other, and where that of each grid begins.
    solutions: Vec<u8>,
    places: Vec<u32>,
    /// What is said of each grid, once it is known.
    pub statuses: Vec<Option<Status>>,
    /// More of it, if columns or mode ask for it; else empty.
    pub more: Vec<More>,
    /// Whether each is minimal, once it is known; empty if nobody asks.
    pub minimal: Vec<Option<Minimal>>,
    /// What is left of each unique one whose givens are taken away, once it is known; empty if none are.
    pub reduced: Vec<Option<Box<[u8]>>>,
}

/// What few columns show of a search.
#[derive(Clone, Default)]
pub(super) struct More {
    pub guesses: u64,
    pub solutions: u64,
    /// Whether the search came to its end.
    pub complete: bool,
    /// Solutions in the order found, one behind the other.
    pub shown: Vec<u8>,
}

impl Findings {
    /// Nothing is known yet.
    pub fn of(batch: &Batch, options: &Options) -> Findings {
        let none = |asked: bool| if asked { batch.number } else { 0 };
        Findings {
            cells: batch.cells,
            solutions: Vec::with_capacity(batch.number * batch.cells),
            places: vec![0; batch.number],
            statuses: vec![None; batch.number],
            more: vec![More::default(); none(keeps_more(options))],
            minimal: vec![None; none(options.asks_for(&[Column::Minimal]))],
            reduced: vec![None; none(options.mode == Mode::Minimize)],
        }
    }

    pub fn note_solution(&mut self, index: usize, digits: &[u8]) {
        if let Some(more) = self.more.get_mut(index) {
            more.shown.extend_from_slice(digits);
        }
    }

    pub fn note(&mut self, index: usize, found: &Found<'_>) {
        self.statuses[index] = Some(found.status);
        if let Some(solution) = found.solution {
            self.places[index] = self.solutions.len() as u32;
            match <&[u8; 81]>::try_from(solution) {
                // Of a known length, it needs no call to be copied.
                Ok(nine) => self.solutions.extend_from_slice(nine),
                Err(_) => self.solutions.extend_from_slice(solution),
            }
        }
        if let Some(more) = self.more.get_mut(index) {
            more.guesses = found.guesses;
            more.solutions = found.solutions;
            more.complete = found.complete;
        }
    }

    pub fn note_reduced(&mut self, index: usize, minimal: Minimal, left: Option<Box<[u8]>>) {
        if let Some(known) = self.minimal.get_mut(index) {
            *known = Some(minimal);
        }
        if let Some(reduced) = self.reduced.get_mut(index) {
            *reduced = left;
        }
    }

    /// Whether a puzzle of one solution is yet to be looked at for givens that can go.
    pub fn is_to_be_reduced(&self, index: usize) -> bool {
        matches!(self.minimal.get(index), Some(None))
            || matches!(self.reduced.get(index), Some(None))
    }

    /// The solution of a grid for which one was found.
    pub fn solution(&self, index: usize) -> &[u8] {
        &self.solutions[self.places[index] as usize..][..self.cells]
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Minimal {
    Yes,
    No,
    /// The guess limit was reached, or there is nothing to be told.
    Unknown,
}

fn keeps_more(options: &Options) -> bool {
    matches!(options.mode, Mode::All(_))
        || options.asks_for(&[Column::Solutions, Column::Second, Column::Guesses])
}

impl By {
    /// Answers puzzles of which each obeys the rules of its index.
    pub fn solve(
        &self,
        options: &Options,
        limits: Limits,
        puzzles: Puzzles<'_>,
        report: &mut dyn FnMut(Progress<'_>),
    ) {
        match self {
            By::One(kit) => kit.solver.limited(limits).solve_reporting(puzzles, report),
            By::Own(kits) => {
                let rules: Vec<Arc<Rules>> = kits.iter().map(|kit| kit.rules.clone()).collect();
                let jigsaws = Jigsaws::new(options.method, limits, options.level);
                jigsaws.solve_reporting(&rules, puzzles, report);
            }
        }
    }
}
