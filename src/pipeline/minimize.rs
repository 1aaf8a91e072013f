//! Removes givens while the solution stays unique (`--minimize`), and tests whether any given can be removed (the column
//! `minimal`).
//!
//! A *trial* is a puzzle without one of its givens. The trials of many puzzles are solved together. The puzzle's solution is
//! unique, so a given can be removed if no solution has another digit in its cell. A trial therefore excludes the given's digit from
//! the cell and searches for one solution instead of two. The band board cannot exclude single candidates; its trials search
//! for two solutions.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::batch::{Batch, Batches};
use super::emit::Emitter;
use super::findings::{BatchFindings, Minimality};
use super::options::{Mode, Notation, Options};
use crate::puzzle::{Givens, Puzzles};
use crate::solver::deadline::thread_time;
use crate::solver::{Found, Limits, Progress, Random, branches_in_lanes};
use crate::text::columns::Column;
use crate::verdict::Status;

/// The number of puzzles whose trials are solved together: enough to fill every lane.
const PUZZLES_PER_ROUND: usize = 64;
/// The most bytes of puzzles per call of a solver. This is enough for the trials of 64 ordinary 9x9 puzzles, with 25 givens
/// and 81 cells of 4 bytes.
const BYTES_PER_CALL: usize = 512 << 10;
/// The number of trials per call if time is limited: one for each lane, so that no trial waits for long.
const TRIALS_PER_CALL: usize = 32;

/// Removes givens from puzzles with one solution, or tests whether any given can be removed, if the options require it.
pub(super) fn minimize(
    options: &Options,
    batches: &Batches<'_>,
    findings: &mut [BatchFindings],
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    let minimize = options.mode == Mode::Minimize;
    if !minimize && !options.has_any_column(&[Column::Minimal]) {
        return ControlFlow::Continue(());
    }
    for (number, batch) in batches.all.iter().enumerate() {
        let statuses = &findings[number].statuses;
        let unique = |index: &usize| statuses[*index] == Some(Status::Unique);
        let unique: Vec<usize> = (0..batch.number).filter(unique).collect();
        for puzzles in unique.chunks(PUZZLES_PER_ROUND) {
            let mut solver = TrialSolver {
                options,
                batch,
                findings,
                emitter,
                spent: HashMap::new(),
            };
            let reduced = match (minimize, batch.notation()) {
                (true, _) => solver.minimize(puzzles)?,
                (false, Notation::Digits) => solver.test_minimality(puzzles)?,
                // A pencilmark puzzle has candidates, not givens.
                (false, Notation::Pencilmarks) => {
                    vec![(Minimality::Unknown, None); puzzles.len()]
                }
            };
            for (&index, (minimal, left)) in puzzles.iter().zip(reduced) {
                findings[number].record_minimized(index, minimal, left);
            }
            emitter.emit_if_due(findings)?;
        }
    }
    ControlFlow::Continue(())
}

/// Solves the trials of some puzzles of a batch.
struct TrialSolver<'b, 'p, 'a> {
    options: &'b Options,
    batch: &'b Batch,
    findings: &'b [BatchFindings],
    emitter: &'b mut Emitter<'p, 'a>,
    /// The time that the trials of each puzzle have taken. Empty unless time is limited.
    spent: HashMap<usize, Duration>,
}

/// The minimality of a puzzle, and with `--minimize` the digits that are left.
type Minimized = (Minimality, Option<Box<[u8]>>);

impl TrialSolver<'_, '_, '_> {
    fn test_minimality(&mut self, puzzles: &[usize]) -> ControlFlow<(), Vec<Minimized>> {
        let tried = self.try_each_given(puzzles, Effort::Full)?;
        let minimal = |statuses: &Vec<(usize, Status)>| {
            let any = |status| statuses.iter().any(|&(_, found)| found == status);
            match (any(Status::Unique), any(Status::Unknown)) {
                (true, _) => Minimality::No,
                (false, true) => Minimality::Unknown,
                (false, false) => Minimality::Yes,
            }
        };
        let minimized = tried.iter().map(|tried| (minimal(tried), None));
        ControlFlow::Continue(minimized.collect())
    }

    /// Returns how the trials of a puzzle leave out their given.
    fn removal(&self, index: usize) -> Removal {
        match self.batch.rules.ruleset(index).rules.has_bands() {
            true => Removal::Blank,
            false => Removal::Exclusion,
        }
    }

    /// Returns whether hard trials of a puzzle are postponed until the others are done. Removing other givens makes some of
    /// them easier. This changes the order of trials, so it requires a random order. Trials on band boards are never that hard.
    fn postpones(&self, index: usize) -> bool {
        let is_random = self.batch.seeds.get(index).is_some();
        is_random
            && self.removal(index) == Removal::Exclusion
            && self.easy().max_guesses != self.full().max_guesses
    }

    /// Returns the cell of each given of each puzzle, with the status of the puzzle without this given.
    fn try_each_given(
        &mut self,
        puzzles: &[usize],
        effort: Effort,
    ) -> ControlFlow<(), Vec<Vec<(usize, Status)>>> {
        let batch = self.batch;
        let trials_of = |&index: &usize| {
            let grid = grid_of(batch, index);
            let given = (0..grid.len()).filter(|&cell| grid[cell] != 0);
            given.map(move |cell| Trial { index, grid, cell })
        };
        let trials: Vec<Trial<'_>> = puzzles.iter().flat_map(trials_of).collect();
        let statuses = self.statuses(&trials, effort)?;
        let mut tried = trials.iter().zip(statuses).peekable();
        let of_puzzle = |&index: &usize| {
            let mut of_puzzle = Vec::new();
            while let Some((trial, status)) = tried.next_if(|(trial, _)| trial.index == index) {
                of_puzzle.push((trial.cell, status));
            }
            of_puzzle
        };
        ControlFlow::Continue(puzzles.iter().map(of_puzzle).collect())
    }

    /// Removes givens, one after the other, while the solution stays unique.
    fn minimize(&mut self, puzzles: &[usize]) -> ControlFlow<(), Vec<Minimized>> {
        let (postponing, others): (Vec<usize>, Vec<usize>) =
            puzzles.iter().partition(|&&index| self.postpones(index));
        let mut minimizations = Vec::new();
        for (puzzles, effort) in [(postponing, Effort::Easy), (others, Effort::Full)] {
            let tried = self.try_each_given(&puzzles, effort)?;
            minimizations.extend(puzzles.iter().zip(tried).map(|(&index, tried)| {
                let seed = self.batch.seeds.get(index);
                let grid = grid_of(self.batch, index);
                Minimization::new(index, grid, tried, seed.copied(), effort)
            }));
        }
        while minimizations.iter_mut().any(Minimization::is_open) {
            for effort in [Effort::Easy, Effort::Full] {
                let mut open: Vec<&mut Minimization> = minimizations
                    .iter_mut()
                    .filter(|minimization| {
                        minimization.effort == effort && !minimization.order.is_empty()
                    })
                    .collect();
                let trials: Vec<Trial<'_>> = open.iter().map(|open| open.next()).collect();
                let statuses = self.statuses(&trials, effort)?;
                drop(trials);
                for (minimization, status) in open.iter_mut().zip(statuses) {
                    minimization.record(status);
                }
            }
        }
        minimizations.sort_unstable_by_key(|minimization| minimization.index);
        let reduced = |minimization: Minimization| (minimization.minimal, Some(minimization.grid));
        ControlFlow::Continue(minimizations.into_iter().map(reduced).collect())
    }

    /// Returns the status of each trial. Trials that exclude a digit and trials that do not are solved in separate calls, whose
    /// size is limited.
    fn statuses(&mut self, trials: &[Trial<'_>], effort: Effort) -> ControlFlow<(), Vec<Status>> {
        let mut statuses = vec![Status::Unknown; trials.len()];
        for removal in [Removal::Blank, Removal::Exclusion] {
            let of_kind = |&at: &usize| self.removal(trials[at].index) == removal;
            let of_kind: Vec<usize> = (0..trials.len()).filter(of_kind).collect();
            let bytes_a_cell = match removal {
                Removal::Blank => 1,
                Removal::Exclusion => size_of::<u32>(),
            };
            let at_once = match self.options.max_time {
                None => (BYTES_PER_CALL / (bytes_a_cell * self.batch.cells)).max(TRIALS_PER_CALL),
                Some(_) => TRIALS_PER_CALL,
            };
            for part in of_kind.chunks(at_once) {
                let trials: Vec<Trial<'_>> = part.iter().map(|&at| trials[at]).collect();
                let of_part = match self.options.max_time {
                    None => self.solve(&trials, removal, self.limits(effort))?,
                    Some(time) => self.solve_in_time(&trials, removal, effort, time)?,
                };
                for (&at, status) in part.iter().zip(of_part) {
                    statuses[at] = status;
                }
            }
        }
        ControlFlow::Continue(statuses)
    }

    /// Returns the status of each trial. `time` limits the time of all trials of a puzzle together. Hard trials are solved alone.
    fn solve_in_time(
        &mut self,
        trials: &[Trial<'_>],
        removal: Removal,
        effort: Effort,
        time: Duration,
    ) -> ControlFlow<(), Vec<Status>> {
        let mut statuses = vec![Status::Unknown; trials.len()];
        let left = |solver: &Self, at: usize| {
            let spent = solver.spent.get(&trials[at].index).copied();
            let left = time.saturating_sub(spent.unwrap_or_default());
            (!left.is_zero()).then_some(left)
        };
        let open: Vec<usize> = (0..trials.len())
            .filter(|&at| left(self, at).is_some())
            .collect();
        let least_left = open.iter().filter_map(|&at| left(self, at)).min();
        let easy = Limits {
            max_time: least_left,
            ..self.easy()
        };
        let trials_in_time: Vec<Trial<'_>> = open.iter().map(|&at| trials[at]).collect();
        let of_open = self.solve_charged(&trials_in_time, removal, easy)?;
        for (&at, status) in open.iter().zip(of_open) {
            statuses[at] = status;
        }
        for at in 0..trials.len() {
            if let Some(left) = left(self, at)
                && effort == Effort::Full
                && statuses[at] == Status::Unknown
            {
                let full = Limits {
                    max_time: Some(left),
                    ..self.full()
                };
                statuses[at] = self.solve_charged(&trials[at..=at], removal, full)?[0];
            }
        }
        ControlFlow::Continue(statuses)
    }

    /// Solves trials, and adds an equal share of the time they took to the time of their puzzles.
    fn solve_charged(
        &mut self,
        trials: &[Trial<'_>],
        removal: Removal,
        limits: Limits,
    ) -> ControlFlow<(), Vec<Status>> {
        let begin = thread_time();
        let statuses = self.solve(trials, removal, limits)?;
        let share = (thread_time() - begin) / trials.len().max(1) as u32;
        for trial in trials {
            *self.spent.entry(trial.index).or_default() += share;
        }
        ControlFlow::Continue(statuses)
    }

    /// Returns the status of each trial within these limits.
    fn solve(
        &mut self,
        trials: &[Trial<'_>],
        removal: Removal,
        limits: Limits,
    ) -> ControlFlow<(), Vec<Status>> {
        let options = self.options;
        let mut statuses = vec![Status::Unknown; trials.len()];
        if trials.is_empty() {
            return ControlFlow::Continue(statuses);
        }
        let (mut grids, mut candidates) = (Vec::new(), Vec::new());
        let cells = trials.len() * self.batch.cells;
        match removal {
            Removal::Blank => {
                grids.reserve_exact(cells);
                let append = |trial: &Trial<'_>| trial.append_digits(&mut grids);
                trials.iter().for_each(append);
            }
            Removal::Exclusion => {
                candidates.reserve_exact(cells);
                let append = |trial: &Trial<'_>| trial.append_candidates(&mut candidates);
                trials.iter().for_each(append);
            }
        }
        let limits = Limits {
            solutions: match removal {
                Removal::Blank => 2,
                Removal::Exclusion => 1,
            },
            ..limits
        };
        let mut report = |progress: Progress<'_>| {
            match progress {
                Progress::Found(at, found) => statuses[at] = removal.status(&found),
                Progress::AtWork => return self.emitter.emit_if_due(self.findings),
                Progress::Solution(..) => {}
            }
            ControlFlow::Continue(())
        };
        let puzzles = Puzzles {
            givens: match removal {
                Removal::Blank => Givens::Digits(&grids),
                Removal::Exclusion => Givens::Candidates(&candidates),
            },
            seeds: &[],
        };
        let rules = self.batch.rules.of(trials.iter().map(|trial| trial.index));
        rules.solve(options, limits, puzzles, &mut report)?;
        ControlFlow::Continue(statuses)
    }

    fn limits(&self, effort: Effort) -> Limits {
        match effort {
            Effort::Easy => self.easy(),
            Effort::Full => self.full(),
        }
    }

    fn full(&self) -> Limits {
        Limits {
            max_guesses: self.options.max_guesses,
            ..Limits::default()
        }
    }

    /// Returns limits that every trial reaches quickly.
    fn easy(&self) -> Limits {
        let full = self.full();
        let easy = branches_in_lanes(self.batch.cells);
        Limits {
            max_guesses: match full.max_guesses {
                0 => easy,
                limit => limit.min(easy),
            },
            ..full
        }
    }
}

/// The limits of a trial.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// The branch budget of a lane, without the clause-learning fallback.
    Easy,
    /// The limits of the options.
    Full,
}

/// The method by which a trial leaves out its given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Removal {
    /// Its cell is blank. The search is for two solutions.
    Blank,
    /// Its cell can hold any other digit. The search is for one solution.
    Exclusion,
}

impl Removal {
    /// Returns the status of the puzzle without the given, from the result of a trial.
    fn status(self, found: &Found<'_>) -> Status {
        match self {
            Removal::Blank => found.status,
            Removal::Exclusion if found.solutions > 0 => Status::Multiple,
            Removal::Exclusion if found.complete => Status::Unique,
            Removal::Exclusion => Status::Unknown,
        }
    }
}

/// A trial: the index of a puzzle, its current givens, and the cell of the given to remove.
#[derive(Clone, Copy)]
struct Trial<'g> {
    index: usize,
    grid: &'g [u8],
    cell: usize,
}

impl Trial<'_> {
    /// Appends the digits without the given.
    fn append_digits(&self, digits: &mut Vec<u8>) {
        let start = digits.len();
        digits.extend_from_slice(self.grid);
        digits[start + self.cell] = 0;
    }

    /// Appends the candidates without the given. The candidates of its cell are all digits except that of the given.
    fn append_candidates(&self, candidates: &mut Vec<u32>) {
        let start = candidates.len();
        let every_digit = (1 << self.grid.len().isqrt()) - 1;
        let givens = Givens::Digits(self.grid);
        let cells = 0..self.grid.len();
        candidates.extend(cells.map(|cell| givens.candidates(cell, every_digit)));
        candidates[start + self.cell] ^= every_digit;
    }
}

/// Returns the digits of a puzzle.
fn grid_of(batch: &Batch, index: usize) -> &[u8] {
    match batch.givens(index) {
        Givens::Digits(grid) => grid,
        Givens::Candidates(_) => unreachable!("pencilmark puzzles lose no givens"),
    }
}

/// A puzzle whose givens are being removed.
struct Minimization {
    index: usize,
    grid: Box<[u8]>,
    /// Cells of givens still to be tried. The next trial removes the last one.
    order: Vec<usize>,
    effort: Effort,
    /// Cells of givens with hard trials, in the order in which they were tried.
    postponed: Vec<usize>,
    minimal: Minimality,
}

impl Minimization {
    /// Begins with the result of [`TrialSolver::try_each_given`]. A given that cannot be removed now cannot be removed later.
    fn new(
        index: usize,
        grid: &[u8],
        mut tried: Vec<(usize, Status)>,
        seed: Option<u64>,
        effort: Effort,
    ) -> Minimization {
        if let Some(seed) = seed {
            shuffle_cells(&mut tried, grid.len().isqrt(), seed);
        }
        let is_unknown = |status| status == Status::Unknown && effort == Effort::Full;
        let unknown = tried.iter().any(|&(_, status)| is_unknown(status));
        let removable = tried
            .iter()
            .filter(|(_, status)| *status != Status::Multiple && !is_unknown(*status));
        Minimization {
            index,
            grid: grid.into(),
            order: removable.map(|&(cell, _)| cell).collect(),
            effort,
            postponed: Vec::new(),
            minimal: if unknown {
                Minimality::Unknown
            } else {
                Minimality::Yes
            },
        }
    }

    /// Returns whether a given is still to be tried. After all others, continues with the postponed givens.
    fn is_open(&mut self) -> bool {
        if self.order.is_empty() && self.effort == Effort::Easy {
            self.effort = Effort::Full;
            self.order = std::mem::take(&mut self.postponed);
            self.order.reverse();
        }
        !self.order.is_empty()
    }

    /// Returns the next trial.
    fn next(&self) -> Trial<'_> {
        let cell = self.order.last();
        Trial {
            index: self.index,
            grid: &self.grid,
            cell: *cell.expect("an open minimization has a next given"),
        }
    }

    /// Records the status of the next trial.
    fn record(&mut self, status: Status) {
        let cell = self.order.pop();
        let cell = cell.expect("an open minimization has a next given");
        match status {
            Status::Unique => self.grid[cell] = 0,
            Status::Unknown if self.effort == Effort::Easy => self.postponed.push(cell),
            Status::Unknown => self.minimal = Minimality::Unknown,
            _ => {}
        }
    }
}

/// The largest side for which a random order takes cells from the whole grid. In larger grids it goes row by row.
// Tried: cells from the whole grid for every side. The puzzles that are left are hard to decide: a 25x25 took 54 s to more
// than 150 s. Row by row it takes some seconds.
const LARGEST_SHUFFLED: usize = 16;

/// Puts cells into a random order. In large grids, shuffles the rows and the cells of each row.
fn shuffle_cells(tried: &mut [(usize, Status)], side: usize, seed: u64) {
    let mut random = Random::new(seed);
    shuffle(tried, &mut random);
    if side > LARGEST_SHUFFLED {
        let mut rows: Vec<usize> = (0..side).collect();
        shuffle(&mut rows, &mut random);
        tried.sort_by_key(|&(cell, _)| rows[cell / side]);
    }
}

/// Shuffles items (Fisher and Yates).
fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u32 + 1) as usize);
    }
}
