//! Removes givens while the solution stays unique (`--minimize`), and tests which clues can be
//! removed alone (the columns `minimal` and `redundant`): givens, cages, and rules that the puzzle
//! states.
//!
//! A *trial* is a puzzle without one of its clues. Without a cage or a rule, the givens stay, and
//! the search is for two solutions under the other rules. For a given, the puzzle's solution is unique, so any other
//! solution of a trial has another digit in the cell of that given. A trial therefore excludes the
//! given's digit from the cell and searches for one solution instead of two: if there is none, the
//! given can be removed. The band board (`solver/bands/`) cannot exclude single candidates. So in a
//! grid with bands, a trial blanks the cell and searches for two solutions.
//!
//! With `--symmetry`, the givens of symmetric cells are removed together: a trial then blanks all
//! cells of a *group*, the cells that the symmetry maps to each other. Without `--symmetry`, each
//! cell is a group.

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use super::symmetric_groups::groups;
use super::trials::{TrialContext, TrialPuzzles, search_again};
use crate::pipeline::findings::{BatchFindings, Minimality, RedundantClues};
use crate::pipeline::settings::Settings;
use crate::pipeline::write::emit::Emitter;
use crate::text::size::CellNotation;
use engine::puzzle::{Givens, Puzzles};
use engine::random::Random;
use engine::rules::{Clue, Rules};
use engine::solver::{Found, GuessLimit};
use engine::verdict::Status;

/// The maximum number of cells in one call of a solver: trials of 64 9x9 puzzles of 25 givens.
const CELLS_PER_CALL: usize = 128 << 10;
/// The maximum number of trials per call if time is limited, so that no trial waits for long: the
/// lanes of AVX-512 for puzzles with up to 16 digits. Also if each has rules of its own, which can
/// be large.
const TRIALS_PER_CALL: usize = 32;

/// The limit of trials that are first solved together, in units of `FIRST_PAUSE` guesses.
const PAUSES_TOGETHER: u64 = 8;

/// With `--exact`, the maximum number of orders of removal that are tried.
const MAX_ORDERS: u64 = 100;
/// The step between the seeds of orders: 2^64 / golden ratio. It is odd, so all seeds differ.
const ORDER_STEP: u64 = 0x9e37_79b9_7f4a_7c15;

pub(in crate::pipeline) fn minimize(emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    let Settings { options, columns, .. } = emitter.settings;
    if !options.mode.minimizes() && !columns.need_minimality() {
        return ControlFlow::Continue(());
    }
    let record = |findings: &mut BatchFindings, index, (minimal, left): Minimized| {
        let is_wanted = |left: &[u8]| !options.exact || number_of_givens(left) == options.givens;
        if left.as_deref().is_none_or(is_wanted) {
            findings.record_minimized(index, minimal, left);
        } else {
            findings.record_failed_minimization(index);
        }
    };
    search_again(emitter, &[Status::Unique], minimize_or_test, record)
}

/// The minimality (meaningless if no column shows it), and with `--minimize` the puzzle left.
type Minimized = (Minimality, Option<Box<[u8]>>);

/// The results are in the order of `indices`.
fn minimize_or_test(
    context: &mut TrialContext<'_, '_, '_>,
    indices: &[usize],
) -> ControlFlow<(), Vec<Minimized>> {
    let (batch, options) = (context.batch, context.options);
    if batch.boards.notation == CellNotation::Pencilmarks {
        return ControlFlow::Continue(vec![(Minimality::NoClues, None); indices.len()]);
    }
    let grid_of =
        |index: usize| &batch.boards.digits[index * batch.boards.cells()..][..batch.boards.cells()];
    let puzzles: Vec<UniquePuzzle<'_>> = indices.iter().map(|&at| (at, grid_of(at))).collect();
    if !options.mode.minimizes() {
        let minimal = test_minimality(context, &puzzles)?;
        return ControlFlow::Continue(minimal.into_iter().map(|it| (it, None)).collect());
    }
    let groups = &groups(options.symmetry, batch.boards.side);
    let minimized = TrialSolver { context, groups }.minimize_in_orders(&puzzles)?;
    let tries_every_given = options.symmetry.is_none() && options.givens == 0;
    let has_other_clues = |&index: &usize| !context.rules(index).clues().is_empty();
    let tries_every_clue = tries_every_given && !indices.iter().any(has_other_clues);
    let minimal = if tries_every_clue || !context.emitter.settings.columns.need_minimality() {
        let minimal =
            |it: &Minimization<'_>| known_of(it.minimal.clone(), number_of_givens(&it.grid));
        minimized.iter().map(minimal).collect()
    } else {
        // Alone, a given can be removable although its group had to stay or the minimum was
        // reached, and so can a cage. So each one is tried alone, with a new limit of time.
        let left: Vec<UniquePuzzle<'_>> =
            minimized.iter().map(|it| (it.index, &*it.grid)).collect();
        context.spent.clear();
        test_minimality(context, &left)?
    };
    let left = minimized.into_iter().map(|it| Some(it.grid));
    ControlFlow::Continue(minimal.into_iter().zip(left).collect())
}

/// Removes givens from solutions of a puzzle, but none of its `givens`. Returns what is left of
/// each; with `--exact`, only if so many givens are left.
pub(super) fn minimize_solutions(
    context: &mut TrialContext<'_, '_, '_>,
    solutions: &[UniquePuzzle<'_>],
    givens: &[u8],
) -> ControlFlow<(), Vec<Vec<u8>>> {
    let options = context.options;
    let mut groups = groups(options.symmetry, context.batch.boards.side);
    groups.retain(|group| group.iter().all(|&cell| givens[cell] == 0));
    let minimized = TrialSolver { context, groups: &groups }.minimize_in_orders(solutions)?;
    let left = minimized.into_iter().map(|minimization| minimization.grid.into_vec());
    let is_wanted = |left: &Vec<u8>| !options.exact || number_of_givens(left) == options.givens;
    ControlFlow::Continue(left.filter(is_wanted).collect())
}

fn test_minimality(
    context: &mut TrialContext<'_, '_, '_>,
    puzzles: &[UniquePuzzle<'_>],
) -> ControlFlow<(), Vec<Minimality>> {
    let groups = &groups(None, context.batch.boards.side);
    let mut solver = TrialSolver { context, groups };
    let begin = |&(index, grid): &UniquePuzzle<'_>| {
        Minimization::new(index, grid, solver.kind(index), groups)
    };
    let puzzles: Vec<Minimization<'_>> = puzzles.iter().map(begin).collect();
    let left_out = |puzzle: &Minimization<'_>| {
        let clues = solver.context.rules(puzzle.index).clues();
        let groups = puzzle.order.iter().map(|&group| LeftOut::Group(group));
        groups.chain(clues.into_iter().map(LeftOut::Clue)).collect()
    };
    let left_out: Vec<Vec<LeftOut>> = puzzles.iter().map(left_out).collect();
    let tried = solver.try_each(&puzzles, &left_out)?;
    let minimality = |(left_out, statuses): (Vec<LeftOut>, Vec<Status>)| {
        // `Unique` is the status of a trial whose clue can be removed.
        let tried = left_out.iter().zip(&statuses);
        let removable = tried.filter(|(_, status)| **status == Status::Unique);
        let redundant = redundant_clues(removable.map(|(&clue, _)| clue), groups);
        let is_minimal = redundant == RedundantClues::default();
        match (is_minimal, statuses.contains(&Status::Unknown)) {
            (false, is_undecided) => Minimality::No((!is_undecided).then_some(redundant)),
            (true, true) => Minimality::Unknown,
            (true, false) => known_of(Minimality::Yes, statuses.len()),
        }
    };
    ControlFlow::Continue(left_out.into_iter().zip(tried).map(minimality).collect())
}

/// Each cell is a group.
fn redundant_clues(
    removable: impl Iterator<Item = LeftOut>,
    groups: &[Vec<usize>],
) -> RedundantClues {
    let mut redundant = RedundantClues::default();
    for left_out in removable {
        match left_out {
            LeftOut::Group(group) => redundant.givens.push(groups[group][0]),
            LeftOut::Clue(clue) => redundant.others.push(clue),
        }
    }
    redundant
}

/// A layout, for example, can have one solution without clues: then no clue says anything about it.
fn known_of(minimality: Minimality, clues: usize) -> Minimality {
    if clues == 0 { Minimality::NoClues } else { minimality }
}

struct TrialSolver<'s, 'g, 'b, 'p, 'a> {
    context: &'s mut TrialContext<'b, 'p, 'a>,
    groups: &'g [Vec<usize>],
}

/// The index in the batch of a puzzle with one solution, and its givens, or what is left of them.
pub(super) type UniquePuzzle<'g> = (usize, &'g [u8]);

impl<'g> TrialSolver<'_, 'g, '_, '_, '_> {
    /// The band board cannot exclude candidates. If groups have several cells, another solution can
    /// keep some of the removed digits.
    fn kind(&self, index: usize) -> TrialKind {
        let has_bands = self.context.batch.rules.ruleset(index).rules.has_bands();
        if has_bands || self.groups.iter().any(|group| group.len() > 1) {
            TrialKind::Blank
        } else {
            TrialKind::Exclusion
        }
    }

    /// `EasyExclusion` postpones hard trials until the others are done, because the removal of
    /// other givens makes some of the hard ones easier. Without a seed, none is postponed: the
    /// first order must then be from the last cell to the first.
    fn first_kind(&self, index: usize) -> TrialKind {
        let postpones = self.context.batch.seeds.get(index).is_some()
            && self.context.easy_guesses(1) != self.context.options.max_guesses;
        match self.kind(index) {
            TrialKind::Exclusion if postpones => TrialKind::EasyExclusion,
            kind => kind,
        }
    }

    /// Each status is that of the puzzle without one of its elements of `left_out`.
    fn try_each(
        &mut self,
        puzzles: &[Minimization<'_>],
        left_out: &[Vec<LeftOut>],
    ) -> ControlFlow<(), Vec<Vec<Status>>> {
        let mut trials = Vec::new();
        for (puzzle, left_out) in puzzles.iter().zip(left_out) {
            trials.extend(left_out.iter().map(|&left_out| Trial { puzzle, left_out }));
        }
        let mut statuses = self.statuses(&trials)?.into_iter();
        let next = |left_out: &Vec<LeftOut>| statuses.by_ref().take(left_out.len()).collect();
        ControlFlow::Continue(left_out.iter().map(next).collect())
    }

    /// With `--exact`, tries other orders as long as more givens than wanted are left.
    fn minimize_in_orders(
        &mut self,
        puzzles: &[UniquePuzzle<'_>],
    ) -> ControlFlow<(), Vec<Minimization<'g>>> {
        let options = self.context.options;
        let mut minimized = self.minimize(puzzles, 0)?;
        let attempts = if options.exact { MAX_ORDERS } else { 1 };
        for attempt in 1..attempts {
            let has_more = |&at: &usize| number_of_givens(&minimized[at].grid) > options.givens;
            let left: Vec<usize> = (0..puzzles.len()).filter(has_more).collect();
            if left.is_empty() {
                break;
            }
            let again: Vec<UniquePuzzle<'_>> = left.iter().map(|&at| puzzles[at]).collect();
            for (at, again) in left.into_iter().zip(self.minimize(&again, attempt)?) {
                minimized[at] = again;
            }
        }
        ControlFlow::Continue(minimized)
    }

    /// Tries the groups of each puzzle one after the other. Those in `Minimization::postponed` come
    /// last. `attempt` counts from 0: each attempt has another order.
    fn minimize(
        &mut self,
        puzzles: &[UniquePuzzle<'_>],
        attempt: u64,
    ) -> ControlFlow<(), Vec<Minimization<'g>>> {
        let mut puzzles = self.begin(puzzles, attempt)?;
        let min_givens = self.context.options.givens;
        // Each round solves the next trial of every puzzle that has one.
        loop {
            let mut open: Vec<&mut Minimization<'_>> = puzzles.iter_mut().collect();
            open.retain_mut(|puzzle| puzzle.prepare_trial());
            if open.is_empty() {
                return ControlFlow::Continue(puzzles);
            }
            let trials: Vec<Trial<'_>> = open.iter().map(|puzzle| puzzle.next_trial()).collect();
            let statuses = self.statuses(&trials)?;
            for (puzzle, status) in open.iter_mut().zip(statuses) {
                puzzle.record(status, min_givens);
            }
        }
    }

    /// Tries each group alone, and drops the groups that cannot be removed: they cannot be removed
    /// later either. For a puzzle without a seed, the order of attempt 0 is from the last cell to
    /// the first. All other orders are random.
    fn begin(
        &mut self,
        puzzles: &[UniquePuzzle<'_>],
        attempt: u64,
    ) -> ControlFlow<(), Vec<Minimization<'g>>> {
        let new = |&(index, grid): &UniquePuzzle<'_>| {
            Minimization::new(index, grid, self.first_kind(index), self.groups)
        };
        let mut puzzles: Vec<Minimization<'g>> = puzzles.iter().map(new).collect();
        let groups = |puzzle: &Minimization<'_>| {
            puzzle.order.iter().map(|&group| LeftOut::Group(group)).collect()
        };
        let groups: Vec<Vec<LeftOut>> = puzzles.iter().map(groups).collect();
        let tried = self.try_each(&puzzles, &groups)?;
        for (puzzle, statuses) in puzzles.iter_mut().zip(tried) {
            let mut tried: Vec<_> = puzzle.order.drain(..).zip(statuses).collect();
            let seed = self.context.batch.seeds.get(puzzle.index);
            // Without `--random`, the seeds of later attempts are derived from 0.
            if let Some(seed) = seed.copied().or((attempt > 0).then_some(0)) {
                let seed = seed.wrapping_add(attempt.wrapping_mul(ORDER_STEP));
                shuffle_groups(&mut tried, self.groups, self.context.batch.boards.side, seed);
            }
            puzzle.set_order(tried);
            puzzle.drop_groups_that_must_stay(self.context.options.givens);
        }
        ControlFlow::Continue(puzzles)
    }

    /// A trial whose puzzle has no time left is not solved: its status is `Unknown`.
    fn statuses(&mut self, trials: &[Trial<'_>]) -> ControlFlow<(), Vec<Status>> {
        let mut statuses = vec![Status::Unknown; trials.len()];
        for kind in TrialKind::ALL {
            let is_solved_now = |trial: &Trial<'_>| {
                let time_left = self.context.time_left(trial.puzzle.index);
                trial.kind() == kind && time_left != Some(Duration::ZERO)
            };
            let of_kind = (0..trials.len()).filter(|&at| is_solved_now(&trials[at]));
            let of_kind: Vec<usize> = of_kind.collect();
            let trials_per_call = match self.context.options.max_time {
                None if kind != TrialKind::Relaxed => {
                    CELLS_PER_CALL / self.context.batch.boards.cells()
                }
                _ => TRIALS_PER_CALL,
            };
            for part in of_kind.chunks(trials_per_call) {
                let trials: Vec<Trial<'_>> = part.iter().map(|&at| trials[at]).collect();
                for (&at, status) in part.iter().zip(self.solve(&trials, kind)?) {
                    statuses[at] = status;
                }
            }
        }
        ControlFlow::Continue(statuses)
    }

    /// All trials are of this kind. Solves them together, with this limit of guesses:
    ///
    /// * Of the kind `EasyExclusion`: `easy_guesses(1)`. They are not solved again.
    /// * Of other kinds, if time is limited or the default limit of guesses applies:
    ///   `easy_guesses(PAUSES_TOGETHER)`, so that no trial waits long for another. If the options
    ///   allow more guesses, each trial that stays undecided is then solved alone.
    /// * Of other kinds in all other cases: the limit of the options.
    fn solve(&mut self, trials: &[Trial<'_>], kind: TrialKind) -> ControlFlow<(), Vec<Status>> {
        let options = self.context.options;
        let together = if kind == TrialKind::EasyExclusion {
            self.context.easy_guesses(1)
        } else if options.max_guesses == GuessLimit::Default || options.max_time.is_some() {
            self.context.easy_guesses(PAUSES_TOGETHER)
        } else {
            options.max_guesses
        };
        let (mut statuses, _) = self.solve_together(trials, kind, together)?;
        if kind == TrialKind::EasyExclusion || together == options.max_guesses {
            return ControlFlow::Continue(statuses);
        }
        for (trial, status) in trials.iter().zip(&mut statuses) {
            if *status == Status::Unknown {
                *status = self.solve_alone(trial, kind)?;
            }
        }
        ControlFlow::Continue(statuses)
    }

    /// The trials of a puzzle that are solved alone share the default limit of guesses; any other
    /// limit applies to each of them.
    fn solve_alone(&mut self, trial: &Trial<'_>, kind: TrialKind) -> ControlFlow<(), Status> {
        let (index, max_guesses) = (trial.puzzle.index, self.context.options.max_guesses);
        let guesses_spent = match self.context.guesses.get(&index) {
            Some(&guesses) if max_guesses == GuessLimit::Default => guesses,
            _ => 0,
        };
        let rules = self.context.rules(index);
        let Some(left) = max_guesses.left(rules, guesses_spent) else {
            return ControlFlow::Continue(Status::Unknown);
        };
        let (statuses, guesses) = self.solve_together(&[*trial], kind, left)?;
        *self.context.guesses.entry(index).or_default() += guesses;
        ControlFlow::Continue(statuses[0])
    }

    /// Also returns the sum of the guesses.
    fn solve_together(
        &mut self,
        trials: &[Trial<'_>],
        kind: TrialKind,
        max_guesses: GuessLimit,
    ) -> ControlFlow<(), (Vec<Status>, u64)> {
        let (mut grids, mut candidates) = (Vec::new(), Vec::new());
        for trial in trials {
            match kind {
                TrialKind::Blank | TrialKind::Relaxed => trial.append_digits(&mut grids),
                _ => trial.append_candidates(self.context.batch.boards.side, &mut candidates),
            }
        }
        let (givens, solutions) = match kind {
            TrialKind::Blank | TrialKind::Relaxed => (Givens::Digits(&grids), 2),
            _ => (Givens::Candidates(&candidates), 1),
        };
        let puzzles = Puzzles { givens, seeds: &[] };
        let mut statuses = vec![Status::Unknown; trials.len()];
        let indices: Vec<usize> = trials.iter().map(|trial| trial.puzzle.index).collect();
        let rules = trials.iter().filter_map(|trial| self.relaxed_rules(trial));
        let rules: Vec<Arc<Rules>> = rules.collect();
        let puzzles = TrialPuzzles { puzzles, indices: &indices, rules: &rules };
        let mut guesses = 0;
        let record = |at: usize, found: &Found<'_>| {
            statuses[at] = kind.status(found);
            guesses += found.guesses;
        };
        self.context.solve(puzzles, max_guesses, solutions, record)?;
        ControlFlow::Continue((statuses, guesses))
    }

    /// `None` for a trial with the rules of its puzzle.
    fn relaxed_rules(&self, trial: &Trial<'_>) -> Option<Arc<Rules>> {
        match trial.left_out {
            LeftOut::Group(_) => None,
            LeftOut::Clue(clue) => {
                Some(Arc::new(self.context.rules(trial.puzzle.index).without(clue)))
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum TrialKind {
    /// The cells of the group are blank. The search is for two solutions.
    Blank,
    /// The only cell of the group can hold every digit except the given. The search is for one
    /// solution, with the limit of `TrialContext::easy_guesses(1)`.
    EasyExclusion,
    /// Like `EasyExclusion`, but with the limits of the options.
    Exclusion,
    /// The puzzle lacks a cage or a rule. The search is for two solutions.
    Relaxed,
}

impl TrialKind {
    const ALL: [TrialKind; 4] =
        [TrialKind::Blank, TrialKind::EasyExclusion, TrialKind::Exclusion, TrialKind::Relaxed];

    fn status(self, found: &Found<'_>) -> Status {
        match self {
            TrialKind::Blank | TrialKind::Relaxed => found.status,
            // The trial excludes the known solution, so any solution of it is a second one.
            _ if found.solutions > 0 => Status::Multiple,
            _ if found.complete => Status::Unique,
            _ => Status::Unknown,
        }
    }
}

/// The clue that is removed for a trial.
#[derive(Clone, Copy)]
enum LeftOut {
    /// The givens of the group with this index.
    Group(usize),
    Clue(Clue),
}

/// A puzzle with its current givens, and which of its clues it leaves out.
#[derive(Clone, Copy)]
struct Trial<'p> {
    puzzle: &'p Minimization<'p>,
    left_out: LeftOut,
}

impl Trial<'_> {
    fn kind(&self) -> TrialKind {
        match self.left_out {
            LeftOut::Group(_) => self.puzzle.kind,
            LeftOut::Clue(_) => TrialKind::Relaxed,
        }
    }

    /// The cells whose givens are left out.
    fn cells(&self) -> &[usize] {
        match self.left_out {
            LeftOut::Group(group) => &self.puzzle.groups[group],
            LeftOut::Clue(_) => &[],
        }
    }

    fn append_digits(&self, digits: &mut Vec<u8>) {
        let start = digits.len();
        digits.extend_from_slice(&self.puzzle.grid);
        for cell in self.cells() {
            digits[start + cell] = 0;
        }
    }

    /// The cell of the group, which must be its only one, has every digit except its given.
    fn append_candidates(&self, side: usize, candidates: &mut Vec<u32>) {
        let [cell] = self.cells()[..] else {
            unreachable!("a digit can be excluded from one cell only");
        };
        let start = candidates.len();
        let grid = &*self.puzzle.grid;
        let every_digit = (1 << side) - 1;
        let givens = Givens::Digits(grid);
        let cells = 0..grid.len();
        candidates.extend(cells.map(|cell| givens.candidates(cell, every_digit)));
        // All digits except the given: the complement of its one candidate.
        candidates[start + cell] ^= every_digit;
    }
}

fn number_of_givens(grid: &[u8]) -> usize {
    Givens::Digits(grid).count()
}

struct Minimization<'g> {
    index: usize,
    /// The givens that are left.
    grid: Box<[u8]>,
    groups: &'g [Vec<usize>],
    /// The indices of the groups still to try. The last one in the list is tried next.
    order: Vec<usize>,
    kind: TrialKind,
    /// Groups that an `EasyExclusion` left undecided, in the order in which they were tried. Those
    /// that can still go are tried again by `Exclusion`.
    postponed: Vec<usize>,
    /// `Unknown` if the limits of the options left a trial undecided, otherwise `Yes`. It is the
    /// minimality of the puzzle that is left only if each group is one cell, and `Options::givens`
    /// is 0.
    minimal: Minimality,
}

impl<'g> Minimization<'g> {
    /// The group of the last cell is tried first.
    fn new(
        index: usize,
        grid: &[u8],
        kind: TrialKind,
        groups: &'g [Vec<usize>],
    ) -> Minimization<'g> {
        let has_given = |&it: &usize| groups[it].iter().any(|&cell| grid[cell] != 0);
        Minimization {
            index,
            grid: grid.into(),
            groups,
            order: (0..groups.len()).filter(has_given).collect(),
            kind,
            postponed: Vec::new(),
            minimal: Minimality::Yes,
        }
    }

    /// Each group has the status of its trial. One that cannot be removed cannot be removed later
    /// either, because fewer givens allow more solutions.
    fn set_order(&mut self, tried: Vec<(usize, Status)>) {
        for (group, status) in tried {
            match status {
                Status::Multiple => {}
                Status::Unknown if self.kind != TrialKind::EasyExclusion => {
                    self.minimal = Minimality::Unknown;
                }
                _ => self.order.push(group),
            }
        }
    }

    fn drop_groups_that_must_stay(&mut self, min_givens: usize) {
        if min_givens == 0 {
            return;
        }
        let is_given = |cell: &&usize| self.grid[**cell] != 0;
        let left = number_of_givens(&self.grid);
        let can_go = |group: &usize| {
            let removed = self.groups[*group].iter().filter(is_given).count();
            left - removed >= min_givens
        };
        self.order.retain(can_go);
        self.postponed.retain(can_go);
    }

    /// Returns false if no trial is left. The group that was postponed first is tried first.
    fn prepare_trial(&mut self) -> bool {
        if self.order.is_empty() && self.kind == TrialKind::EasyExclusion {
            self.kind = TrialKind::Exclusion;
            self.order = std::mem::take(&mut self.postponed);
            self.order.reverse();
        }
        !self.order.is_empty()
    }

    fn next_trial(&self) -> Trial<'_> {
        let group = self.order.last();
        let left_out = LeftOut::Group(*group.expect("the trial is prepared"));
        Trial { puzzle: self, left_out }
    }

    fn record(&mut self, status: Status, min_givens: usize) {
        let group = self.order.pop();
        let group = group.expect("the trial is prepared");
        match status {
            Status::Unique => {
                self.groups[group].iter().for_each(|&cell| self.grid[cell] = 0);
                self.drop_groups_that_must_stay(min_givens);
            }
            Status::Unknown if self.kind == TrialKind::EasyExclusion => self.postponed.push(group),
            Status::Unknown => self.minimal = Minimality::Unknown,
            _ => {}
        }
    }
}

/// The maximum side for which a random order takes groups from the whole grid. In larger grids, the
/// order goes row by row: the rows are in random order, and the groups that begin in the same row
/// are too.
// Tried: cells from the whole grid for every side. The puzzles that are left are hard to decide: a
// 25x25 took 54 s to more than 150 s. Row by row it takes some seconds.
const MAX_SHUFFLED_SIDE: usize = 16;

fn shuffle_groups(tried: &mut [(usize, Status)], groups: &[Vec<usize>], side: usize, seed: u64) {
    let mut random = Random::new(seed);
    random.shuffle(tried);
    if side > MAX_SHUFFLED_SIDE {
        // Element r is the place of row r in the random order. The sort is stable, so the groups of
        // a row stay in random order.
        let mut ranks: Vec<usize> = (0..side).collect();
        random.shuffle(&mut ranks);
        tried.sort_by_key(|&(group, _)| ranks[groups[group][0] / side]);
    }
}
