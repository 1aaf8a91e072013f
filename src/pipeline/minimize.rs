//! Removes givens while the solution stays unique (`--minimize`), and tests whether any given can be removed (the column
//! `minimal`).
//!
//! A *trial* is a puzzle without one of its givens. The trials of many puzzles are solved together. The puzzle's solution is
//! unique, so a given can be removed if no solution has another digit in its cell. A trial therefore excludes the given's digit from
//! the cell and searches for one solution instead of two. The band board cannot exclude single candidates; its trials search
//! for two solutions.
//!
//! With `--symmetry`, the givens of symmetric cells are removed together: a trial then leaves out all givens of a group.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::batch::Batch;
use super::emit::Emitter;
use super::findings::{BatchFindings, Minimality};
use super::options::{Mode, Notation, Options};
use super::symmetric_groups::groups;
use super::trials::TrialContext;
use crate::puzzle::Givens;
use crate::solver::deadline::thread_time;
use crate::solver::learning::first_pause;
use crate::solver::{Found, Limits, Random};
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
    findings: &mut [BatchFindings],
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    let options = &emitter.settings.options;
    if options.mode != Mode::Minimize && !options.has_any_column(&[Column::Minimal]) {
        return ControlFlow::Continue(());
    }
    for (number, batch) in emitter.batches.iter().enumerate() {
        let statuses = &findings[number].statuses;
        let unique = |index: &usize| statuses[*index] == Some(Status::Unique);
        let unique: Vec<usize> = (0..batch.number).filter(unique).collect();
        for indices in unique.chunks(PUZZLES_PER_ROUND) {
            let mut round = Round {
                options,
                batch,
                findings,
                emitter,
            };
            let results = round.results(indices)?;
            for (&index, (minimal, left)) in indices.iter().zip(results) {
                findings[number].record_minimized(index, minimal, left);
            }
            emitter.emit_if_due(findings)?;
        }
    }
    ControlFlow::Continue(())
}

/// The minimality of a puzzle, and with `--minimize` the digits that are left.
type Minimized = (Minimality, Option<Box<[u8]>>);

/// Some puzzles of a batch that are minimized or tested together.
struct Round<'b, 'p, 'a> {
    options: &'b Options,
    batch: &'b Batch,
    findings: &'b [BatchFindings],
    emitter: &'b mut Emitter<'p, 'a>,
}

impl<'p, 'a> Round<'_, 'p, 'a> {
    /// Minimizes these puzzles of the batch, or tests their minimality.
    fn results(&mut self, indices: &[usize]) -> ControlFlow<(), Vec<Minimized>> {
        if self.batch.notation() == Notation::Pencilmarks {
            // A pencilmark puzzle has candidates, not givens.
            return ControlFlow::Continue(vec![(Minimality::Unknown, None); indices.len()]);
        }
        let puzzles: Vec<UniquePuzzle<'_>> = indices
            .iter()
            .map(|&index| UniquePuzzle {
                index,
                grid: grid_of(self.batch, index),
            })
            .collect();
        if self.options.mode != Mode::Minimize {
            let minimal = self.test_minimality(&puzzles)?;
            return ControlFlow::Continue(minimal.into_iter().map(|it| (it, None)).collect());
        }
        let groups = groups(self.options.symmetry, self.batch.cells.isqrt());
        let minimized = self.solver(&groups).minimize(&puzzles)?;
        let tries_every_given = self.options.symmetry.is_none() && self.options.givens == 0;
        let minimal = match tries_every_given || !self.options.has_any_column(&[Column::Minimal]) {
            true => minimized.iter().map(|it| it.minimal).collect(),
            // A single given can be removed where a group cannot, or the wanted number is reached.
            false => {
                let left: Vec<UniquePuzzle<'_>> =
                    minimized.iter().map(Minimization::puzzle).collect();
                self.test_minimality(&left)?
            }
        };
        let left = minimized.into_iter().map(|it| Some(it.grid));
        ControlFlow::Continue(minimal.into_iter().zip(left).collect())
    }

    /// Returns the minimality of each puzzle.
    fn test_minimality(
        &mut self,
        puzzles: &[UniquePuzzle<'_>],
    ) -> ControlFlow<(), Vec<Minimality>> {
        let groups = groups(None, self.batch.cells.isqrt());
        self.solver(&groups).test_minimality(puzzles)
    }

    fn solver<'s>(&'s mut self, groups: &'s [Vec<usize>]) -> TrialSolver<'s, 'p, 'a> {
        TrialSolver {
            options: self.options,
            batch: self.batch,
            groups,
            findings: self.findings,
            emitter: self.emitter,
            spent: HashMap::new(),
        }
    }
}

/// Solves the trials of some puzzles of a batch.
struct TrialSolver<'b, 'p, 'a> {
    options: &'b Options,
    batch: &'b Batch,
    /// The groups of cells that lose their givens together.
    groups: &'b [Vec<usize>],
    findings: &'b [BatchFindings],
    emitter: &'b mut Emitter<'p, 'a>,
    /// The time that the trials of each puzzle have taken. Empty unless time is limited.
    spent: HashMap<usize, Duration>,
}

/// A puzzle with one solution: its index in the batch, and its givens, or what is left of them.
#[derive(Clone, Copy)]
struct UniquePuzzle<'g> {
    index: usize,
    grid: &'g [u8],
}

impl TrialSolver<'_, '_, '_> {
    /// Returns the minimality of each puzzle.
    fn test_minimality(
        &mut self,
        puzzles: &[UniquePuzzle<'_>],
    ) -> ControlFlow<(), Vec<Minimality>> {
        let tried = self.try_each_group(puzzles, Effort::Full)?;
        let minimal = |statuses: &Vec<(usize, Status)>| {
            let any = |status| statuses.iter().any(|&(_, found)| found == status);
            match (any(Status::Unique), any(Status::Unknown)) {
                (true, _) => Minimality::No,
                (false, true) => Minimality::Unknown,
                (false, false) => Minimality::Yes,
            }
        };
        ControlFlow::Continue(tried.iter().map(minimal).collect())
    }

    /// Returns how the trials of a puzzle leave out givens. A digit can be excluded only if each group is one cell.
    fn removal(&self, index: usize) -> Removal {
        let has_bands = self.batch.rules.ruleset(index).rules.has_bands();
        match has_bands || self.groups.iter().any(|group| group.len() > 1) {
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

    /// For each puzzle, returns the index of each group with at least one given, and the status of the puzzle without these givens.
    fn try_each_group(
        &mut self,
        puzzles: &[UniquePuzzle<'_>],
        effort: Effort,
    ) -> ControlFlow<(), Vec<Vec<(usize, Status)>>> {
        let groups = self.groups;
        let mut trials = Vec::new();
        for &UniquePuzzle { index, grid } in puzzles {
            let has_given = |&group: &usize| groups[group].iter().any(|&cell| grid[cell] != 0);
            let given = (0..groups.len()).filter(has_given);
            trials.extend(given.map(|group| Trial { index, grid, group }));
        }
        let statuses = self.statuses(&trials, effort)?;
        let mut tried = trials.iter().zip(statuses).peekable();
        let of_puzzle = |puzzle: &UniquePuzzle<'_>| {
            let mut of_puzzle = Vec::new();
            while let Some((trial, status)) =
                tried.next_if(|(trial, _)| trial.index == puzzle.index)
            {
                of_puzzle.push((trial.group, status));
            }
            of_puzzle
        };
        ControlFlow::Continue(puzzles.iter().map(of_puzzle).collect())
    }

    /// Removes groups of givens, one after the other, while the solution stays unique.
    fn minimize(&mut self, puzzles: &[UniquePuzzle<'_>]) -> ControlFlow<(), Vec<Minimization>> {
        let (postponing, others): (Vec<UniquePuzzle<'_>>, Vec<UniquePuzzle<'_>>) = puzzles
            .iter()
            .partition(|puzzle| self.postpones(puzzle.index));
        let mut minimizations = Vec::new();
        for (puzzles, effort) in [(postponing, Effort::Easy), (others, Effort::Full)] {
            let tried = self.try_each_group(&puzzles, effort)?;
            minimizations.extend(puzzles.iter().zip(tried).map(|(&puzzle, mut tried)| {
                if let Some(&seed) = self.batch.seeds.get(puzzle.index) {
                    shuffle_groups(&mut tried, self.groups, puzzle.grid.len().isqrt(), seed);
                }
                let least = self.options.givens;
                let mut minimization = Minimization::new(puzzle, tried, least, effort);
                minimization.drop_groups_that_must_stay(self.groups);
                minimization
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
                    minimization.record(status, self.groups);
                }
            }
        }
        minimizations.sort_unstable_by_key(|minimization| minimization.index);
        ControlFlow::Continue(minimizations)
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
        let mut statuses = vec![Status::Unknown; trials.len()];
        if trials.is_empty() {
            return ControlFlow::Continue(statuses);
        }
        let (mut grids, mut candidates) = (Vec::new(), Vec::new());
        let cells = trials.len() * self.batch.cells;
        match removal {
            Removal::Blank => {
                grids.reserve_exact(cells);
                let append = |trial: &Trial<'_>| trial.append_digits(self.groups, &mut grids);
                trials.iter().for_each(append);
            }
            Removal::Exclusion => {
                candidates.reserve_exact(cells);
                let append =
                    |trial: &Trial<'_>| trial.append_candidates(self.groups, &mut candidates);
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
        let givens = match removal {
            Removal::Blank => Givens::Digits(&grids),
            Removal::Exclusion => Givens::Candidates(&candidates),
        };
        let mut context = TrialContext {
            options: self.options,
            batch: self.batch,
            findings: self.findings,
            emitter: self.emitter,
        };
        let indices = trials.iter().map(|trial| trial.index);
        let record = |at: usize, found: &Found<'_>| statuses[at] = removal.status(found);
        context.solve(givens, indices, limits, record)?;
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
        let easy = first_pause(self.batch.cells);
        Limits {
            max_guesses: full.max_guesses.at_most(easy),
            ..full
        }
    }
}

/// The limits of a trial.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// The guesses before clause learning is tried.
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

/// A trial: the index of a puzzle, its current givens, and the index of the group whose givens it leaves out.
#[derive(Clone, Copy)]
struct Trial<'g> {
    index: usize,
    grid: &'g [u8],
    group: usize,
}

impl Trial<'_> {
    /// Appends the digits without the givens of the group.
    fn append_digits(&self, groups: &[Vec<usize>], digits: &mut Vec<u8>) {
        let start = digits.len();
        digits.extend_from_slice(self.grid);
        for cell in &groups[self.group] {
            digits[start + cell] = 0;
        }
    }

    /// Appends the candidates without the given. The candidates of its cell are all digits except that of the given.
    fn append_candidates(&self, groups: &[Vec<usize>], candidates: &mut Vec<u32>) {
        let [cell] = groups[self.group][..] else {
            unreachable!("a digit can be excluded from one cell only");
        };
        let start = candidates.len();
        let every_digit = (1 << self.grid.len().isqrt()) - 1;
        let givens = Givens::Digits(self.grid);
        let cells = 0..self.grid.len();
        candidates.extend(cells.map(|cell| givens.candidates(cell, every_digit)));
        candidates[start + cell] ^= every_digit;
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
    /// The minimum number of givens to leave.
    least: usize,
    /// Groups that have not been tried yet. The next trial leaves out the last one.
    order: Vec<usize>,
    effort: Effort,
    /// Groups with hard trials, in the order in which they were tried.
    postponed: Vec<usize>,
    /// `Unknown` if a limit ended a trial. The minimality of the puzzle only if each group is one cell and `least` is 0.
    minimal: Minimality,
}

impl Minimization {
    /// Begins with the result of [`TrialSolver::try_each_group`]. A group that cannot be removed now cannot be removed later.
    fn new(
        puzzle: UniquePuzzle<'_>,
        tried: Vec<(usize, Status)>,
        least: usize,
        effort: Effort,
    ) -> Minimization {
        let is_unknown = |status| status == Status::Unknown && effort == Effort::Full;
        let unknown = tried.iter().any(|&(_, status)| is_unknown(status));
        let removable = tried
            .iter()
            .filter(|(_, status)| *status != Status::Multiple && !is_unknown(*status));
        Minimization {
            index: puzzle.index,
            grid: puzzle.grid.into(),
            least,
            order: removable.map(|&(group, _)| group).collect(),
            effort,
            postponed: Vec::new(),
            minimal: if unknown {
                Minimality::Unknown
            } else {
                Minimality::Yes
            },
        }
    }

    /// Drops each untried group whose removal would leave fewer than `least` givens.
    fn drop_groups_that_must_stay(&mut self, groups: &[Vec<usize>]) {
        if self.least == 0 {
            return;
        }
        let grid = &self.grid;
        let is_given = |cell: &&usize| grid[**cell] != 0;
        let left = grid.iter().filter(|&&digit| digit != 0).count();
        let least = self.least;
        let can_go = |group: &usize| left - groups[*group].iter().filter(is_given).count() >= least;
        self.order.retain(can_go);
        self.postponed.retain(can_go);
    }

    /// Returns whether a group has not been tried yet. After all others, continues with the postponed ones.
    fn is_open(&mut self) -> bool {
        if self.order.is_empty() && self.effort == Effort::Easy {
            self.effort = Effort::Full;
            self.order = std::mem::take(&mut self.postponed);
            self.order.reverse();
        }
        !self.order.is_empty()
    }

    fn puzzle(&self) -> UniquePuzzle<'_> {
        UniquePuzzle {
            index: self.index,
            grid: &self.grid,
        }
    }

    /// Returns the next trial.
    fn next(&self) -> Trial<'_> {
        let group = self.order.last();
        Trial {
            index: self.index,
            grid: &self.grid,
            group: *group.expect("an open minimization has a next group"),
        }
    }

    /// Records the status of the next trial.
    fn record(&mut self, status: Status, groups: &[Vec<usize>]) {
        let group = self.order.pop();
        let group = group.expect("an open minimization has a next group");
        match status {
            Status::Unique => {
                groups[group].iter().for_each(|&cell| self.grid[cell] = 0);
                self.drop_groups_that_must_stay(groups);
            }
            Status::Unknown if self.effort == Effort::Easy => self.postponed.push(group),
            Status::Unknown => self.minimal = Minimality::Unknown,
            _ => {}
        }
    }
}

/// The largest side for which a random order takes groups from the whole grid. In larger grids it goes row by row.
// Tried: cells from the whole grid for every side. The puzzles that are left are hard to decide: a 25x25 took 54 s to more
// than 150 s. Row by row it takes some seconds.
const LARGEST_SHUFFLED: usize = 16;

/// Puts groups into a random order. In large grids, shuffles the rows and the groups that begin in each row.
fn shuffle_groups(tried: &mut [(usize, Status)], groups: &[Vec<usize>], side: usize, seed: u64) {
    let mut random = Random::new(seed);
    shuffle(tried, &mut random);
    if side > LARGEST_SHUFFLED {
        let mut rows: Vec<usize> = (0..side).collect();
        shuffle(&mut rows, &mut random);
        tried.sort_by_key(|&(group, _)| rows[groups[group][0] / side]);
    }
}

/// Shuffles items (Fisher and Yates).
fn shuffle<T>(items: &mut [T], random: &mut Random) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u32 + 1) as usize);
    }
}
