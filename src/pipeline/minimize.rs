//! Givens that can go: whether a puzzle has none (`minimal`), and what is left of it when all have gone that can
//! (`--minimize`). Puzzles of one given less are solved like any others, those of many lines side by side.

use super::Mode;
use super::batch::{Batch, BatchFindings, Minimality};
use super::read::ParsedTask;
use super::solve::{EmitState, TaskRun};
use crate::columns::Column;
use crate::filter::OutputLines;
use crate::solver::{Givens, Limits, Progress, Puzzles, Random};
use crate::verdict::Status;

/// Puzzles looked at together: with all their givens enough to fill every lane for long, and not much memory.
const TOGETHER: usize = 64;

impl TaskRun<'_> {
    /// Takes givens away from puzzles with one solution, if that is asked for.
    pub fn reduce(&mut self, emit: &mut dyn FnMut(OutputLines)) {
        let TaskRun {
            parsed,
            findings,
            emitted,
        } = self;
        let options = &parsed.pipeline.options;
        let minimize = options.mode == Mode::Minimize;
        if !minimize && !options.asks_for(&[Column::Minimal]) {
            return;
        }
        for (number, batch) in parsed.batches.iter().enumerate() {
            let statuses = &findings[number].statuses;
            let unique = |index: &usize| statuses[*index] == Some(Status::Unique);
            let unique: Vec<usize> = (0..batch.number).filter(unique).collect();
            for puzzles in unique.chunks(TOGETHER) {
                let mut bench = Bench {
                    parsed,
                    batch,
                    findings,
                    emitted,
                    emit,
                };
                let reduced = match (minimize, &batch.candidates) {
                    (true, _) => bench.minimize(puzzles),
                    (false, None) => bench.tell_minimal(puzzles),
                    // What a pencilmark puzzle could lose are candidates, not givens.
                    (false, Some(_)) => vec![(Minimality::Unknown, None); puzzles.len()],
                };
                for (&index, (minimal, left)) in puzzles.iter().zip(reduced) {
                    findings[number].record_minimized(index, minimal, left);
                }
                emitted.emit_if_due(parsed, findings, emit);
            }
        }
    }
}

/// Where puzzles of less givens are tried.
struct Bench<'b, 'a> {
    parsed: &'b ParsedTask<'a>,
    batch: &'b Batch,
    findings: &'b [BatchFindings],
    emitted: &'b mut EmitState,
    emit: &'b mut dyn FnMut(OutputLines),
}

/// What is left of a puzzle, and whether it is minimal.
type Reduced = (Minimality, Option<Box<[u8]>>);

impl Bench<'_, '_> {
    fn tell_minimal(&mut self, puzzles: &[usize]) -> Vec<Reduced> {
        let tried = self.try_each_given(puzzles);
        let minimal = |statuses: &Vec<(usize, Status)>| {
            let any = |status| statuses.iter().any(|&(_, found)| found == status);
            match (any(Status::Unique), any(Status::Unknown)) {
                (true, _) => Minimality::No,
                (false, true) => Minimality::Unknown,
                (false, false) => Minimality::Yes,
            }
        };
        tried.iter().map(|tried| (minimal(tried), None)).collect()
    }

    fn grid(&self, index: usize) -> &[u8] {
        match self.batch.givens(index) {
            Givens::Digits(grid) => grid,
            Givens::Candidates(_) => unreachable!("pencilmark puzzles lose no givens"),
        }
    }

    /// For each puzzle its givens, and the status without each.
    fn try_each_given(&mut self, puzzles: &[usize]) -> Vec<Vec<(usize, Status)>> {
        let mut trials = Vec::new();
        let mut givens = Vec::new();
        for &index in puzzles {
            let grid = self.grid(index);
            let given: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] != 0).collect();
            trials.extend(given.iter().map(|&cell| (index, without(grid, cell))));
            givens.push(given);
        }
        let mut statuses = self.statuses(&trials).into_iter();
        let tried = |given: Vec<usize>| given.into_iter().zip(&mut statuses).collect();
        givens.into_iter().map(tried).collect()
    }

    /// Takes givens away, one after the other, while the solution stays unique.
    fn minimize(&mut self, puzzles: &[usize]) -> Vec<Reduced> {
        let tried = self.try_each_given(puzzles);
        let mut reductions: Vec<Reduction> = puzzles
            .iter()
            .zip(tried)
            .map(|(&index, tried)| {
                let seed = self.batch.seeds.get(index);
                Reduction::new(index, self.grid(index), tried, seed.copied())
            })
            .collect();
        loop {
            let open: Vec<&mut Reduction> = reductions
                .iter_mut()
                .filter(|reduction| !reduction.order.is_empty())
                .collect();
            if open.is_empty() {
                break;
            }
            let trial = |open: &&mut Reduction| (open.index, open.next());
            let trials: Vec<(usize, Box<[u8]>)> = open.iter().map(trial).collect();
            let statuses = self.statuses(&trials);
            for ((reduction, (_, trial)), status) in open.into_iter().zip(trials).zip(statuses) {
                reduction.take(trial, status);
            }
        }
        let reduced = |reduction: Reduction| (reduction.minimal, Some(reduction.grid));
        reductions.into_iter().map(reduced).collect()
    }

    /// The status of each grid by the rules of the puzzle of its index.
    fn statuses(&mut self, trials: &[(usize, Box<[u8]>)]) -> Vec<Status> {
        let options = &self.parsed.pipeline.options;
        let grids: Vec<u8> = trials
            .iter()
            .flat_map(|(_, grid)| grid.iter().copied())
            .collect();
        let limits = Limits {
            max_guesses: options.max_guesses,
            ..Limits::default()
        };
        let mut statuses = vec![Status::Unknown; trials.len()];
        let mut report = |progress: Progress<'_>| match progress {
            Progress::Found(index, found) => statuses[index] = found.status,
            Progress::AtWork => {
                self.emitted
                    .emit_if_due(self.parsed, self.findings, self.emit);
            }
            Progress::Solution(..) => {}
        };
        let by = self.batch.rules.of(trials.iter().map(|(index, _)| *index));
        by.solve(options, limits, Puzzles::of_digits(&grids), &mut report);
        statuses
    }
}

/// A puzzle that loses its givens.
struct Reduction {
    index: usize,
    grid: Box<[u8]>,
    /// Cells whose givens may still go, the next one last.
    order: Vec<usize>,
    minimal: Minimality,
}

impl Reduction {
    /// `tried`: the givens, and the status without each. One that cannot go now cannot go later.
    fn new(
        index: usize,
        grid: &[u8],
        mut tried: Vec<(usize, Status)>,
        seed: Option<u64>,
    ) -> Reduction {
        if let Some(seed) = seed {
            shuffle(&mut tried, seed);
        }
        let unknown = tried.iter().any(|&(_, status)| status == Status::Unknown);
        let may_go = tried.iter().filter(|(_, status)| *status == Status::Unique);
        Reduction {
            index,
            grid: grid.into(),
            order: may_go.map(|&(cell, _)| cell).collect(),
            minimal: if unknown {
                Minimality::Unknown
            } else {
                Minimality::Yes
            },
        }
    }

    /// The puzzle without the next given.
    fn next(&self) -> Box<[u8]> {
        let cell = self
            .order
            .last()
            .expect("an open reduction has a next given");
        without(&self.grid, *cell)
    }

    fn take(&mut self, trial: Box<[u8]>, status: Status) {
        self.order.pop();
        match status {
            Status::Unique => self.grid = trial,
            Status::Unknown => self.minimal = Minimality::Unknown,
            _ => {}
        }
    }
}

fn without(grid: &[u8], cell: usize) -> Box<[u8]> {
    let mut grid: Box<[u8]> = grid.into();
    grid[cell] = 0;
    grid
}

/// An order drawn from a seed (Fisher and Yates).
fn shuffle<T>(items: &mut [T], seed: u64) {
    let mut random = Random::new(seed);
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last as u32 + 1) as usize);
    }
}
