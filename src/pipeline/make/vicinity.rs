//! Writes the puzzles in the vicinity of each puzzle, one output line per puzzle: those with N
//! givens fewer (`--remove`), or those with one solution that have N givens more (`--add`).
//!
//! Givens are added to a puzzle with several solutions. They make it unique if exactly one of its
//! solutions has all of them, so the solutions are listed first. A single given is tested by
//! solving the puzzle with it, unless a few solutions exclude it.
//!
//! The new puzzles are solved and written in groups (`group.rs`).

use std::ops::ControlFlow::{self, Break, Continue};

use super::group::Original;
use crate::pipeline::solve::solve_puzzles;
use crate::pipeline::write::emit::{Emitter, EntryLine};
use engine::rules::MAX_SIDE;
use engine::solver::Progress;
use engine::verdict::Status;

/// The greatest number of solutions of a puzzle to which several givens are added.
const MAX_SOLUTIONS: u64 = 1_000_000;

/// The number of solutions that are listed before single givens are tested.
// Tried, for 17s without one given: 16, 64, 256. 1.3, 2.7 and 5.7 times as long. None: 2.5.
const SAMPLE: u64 = 4;

/// New puzzles of a group: enough to fill every lane several times.
const PUZZLES_PER_GROUP: usize = 256;

/// The number of givens that each puzzle of the vicinity has fewer or more.
#[derive(Clone, Copy)]
pub(in crate::pipeline) enum Change {
    Remove(usize),
    Add(usize),
}

/// The next entry is always a puzzle with a vicinity: the emitter has written all before it.
pub(in crate::pipeline) fn write_vicinities(
    change: Change,
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    emitter.write_known()?;
    while let Some(original) = Original::next(emitter) {
        let puzzle = original.puzzle;
        let mut vicinity = Vicinity { emitter, original, puzzle, grids: Vec::new(), lines: 0 };
        let found = match change {
            Change::Remove(number) => {
                let mut digits = puzzle.to_vec();
                vicinity.remove(&mut digits, 0, number)
            }
            Change::Add(number) => vicinity.add(number),
        };
        let missing = match found {
            Continue(()) => None,
            Break(End::OfPuzzle(reason)) => Some(reason),
            Break(End::OfRun) => return Break(()),
        };
        if vicinity.write_group().is_break() {
            return Break(());
        }
        match missing {
            Some(reason) => vicinity.end(Status::Unknown, reason.as_deref()),
            None if vicinity.lines == 0 => vicinity.end(Status::Multiple, None),
            None => vicinity.emitter.skip_entry(),
        }
        emitter.write_known()?;
    }
    emitter.emit()
}

struct Vicinity<'v, 'p, 'a> {
    emitter: &'v mut Emitter<'p, 'a>,
    original: Original<'p, 'a>,
    /// The digits of the original.
    puzzle: &'p [u8],
    grids: Vec<Vec<u8>>,
    lines: u64,
}

/// Why no more puzzles are looked for.
enum End {
    OfRun,
    /// For this reason, if it is known, the vicinity can have more puzzles.
    OfPuzzle(Option<String>),
}

impl Vicinity<'_, '_, '_> {
    /// Adds the puzzles that `digits` becomes without `number` of its givens from cell `begin` on.
    fn remove(&mut self, digits: &mut [u8], begin: usize, number: usize) -> ControlFlow<End> {
        if number == 0 {
            return self.push(digits.to_vec());
        }
        for cell in begin..digits.len() {
            if digits[cell] != 0 {
                let digit = std::mem::take(&mut digits[cell]);
                self.remove(digits, cell + 1, number - 1)?;
                digits[cell] = digit;
            }
        }
        Continue(())
    }

    fn add(&mut self, number: usize) -> ControlFlow<End> {
        // For one given, a few solutions exclude most digits, and the solver tests the others.
        let wanted = if number == 1 { SAMPLE } else { MAX_SOLUTIONS };
        let solutions = self.solutions(wanted)?;
        let are_all = solutions.len() as u64 <= wanted * self.puzzle.len() as u64;
        let solutions: Vec<&[u8]> = solutions.chunks_exact(self.puzzle.len()).collect();
        let mut digits = self.puzzle.to_vec();
        if are_all {
            return self.add_from(&mut digits, 0, number, &solutions);
        }
        if number > 1 {
            let reason = format!("more than {MAX_SOLUTIONS} solutions");
            return Break(End::OfPuzzle(Some(reason)));
        }
        let mut untested = Vec::new();
        for cell in 0..digits.len() {
            let held = held_in(&solutions, cell);
            for digit in 1..=self.original.batch.boards.side as u8 {
                if self.puzzle[cell] == 0 && held[usize::from(digit)] < 2 {
                    digits[cell] = digit;
                    untested.extend_from_slice(&digits);
                }
            }
            digits[cell] = self.puzzle[cell];
        }
        self.add_unique(untested)
    }

    fn add_unique(&mut self, grids: Vec<u8>) -> ControlFlow<End> {
        let cells = self.puzzle.len();
        let number = grids.len() / cells;
        let mut batch = self.original.batch_of(number);
        batch.boards.digits = grids;
        let mut statuses = vec![Status::Unknown; number];
        let settings = self.emitter.settings;
        let (options, limits) = (&settings.options, settings.limits);
        let flow = solve_puzzles(&batch.rules, options, limits, batch.puzzles(), &mut |progress| {
            match progress {
                Progress::Found(index, found) => statuses[index] = found.status,
                Progress::Solution(..) => {}
                Progress::AtWork => return self.emitter.emit_if_due(),
            }
            Continue(())
        });
        if flow.is_break() {
            return Break(End::OfRun);
        }
        for (grid, status) in batch.boards.digits.chunks_exact(cells).zip(&statuses) {
            match status {
                Status::Unique => self.push(grid.to_vec())?,
                Status::Unknown => return Break(End::OfPuzzle(self.limit())),
                _ => {}
            }
        }
        Continue(())
    }

    /// Adds the puzzles that `digits` becomes with `number` givens more from cell `begin` on, if
    /// these leave one of its `solutions`.
    fn add_from(
        &mut self,
        digits: &mut [u8],
        begin: usize,
        number: usize,
        solutions: &[&[u8]],
    ) -> ControlFlow<End> {
        for cell in begin..digits.len() {
            if digits[cell] != 0 {
                continue;
            }
            let held = held_in(solutions, cell);
            for digit in 1..=self.original.batch.boards.side as u8 {
                digits[cell] = digit;
                match (number, held[usize::from(digit)]) {
                    (1, 1) => self.push(digits.to_vec())?,
                    (1, _) | (_, 0) => {}
                    _ => {
                        let has_digit = |it: &&&[u8]| it[cell] == digit;
                        let left: Vec<&[u8]> =
                            solutions.iter().filter(has_digit).copied().collect();
                        self.add_from(digits, cell + 1, number - 1, &left)?;
                    }
                }
            }
            digits[cell] = 0;
        }
        Continue(())
    }

    /// Returns all solutions of the puzzle, one after the other, or one more than `max`.
    fn solutions(&mut self, max: u64) -> ControlFlow<End, Vec<u8>> {
        let limits = self.emitter.settings.limits.with_solutions(max + 1);
        let mut solutions = Vec::new();
        let mut is_cut = false;
        let mut report = |progress: Progress<'_>| {
            match progress {
                Progress::Solution(_, solution) => solutions.extend_from_slice(solution),
                Progress::Found(_, found) => is_cut = !found.complete && found.solutions <= max,
                Progress::AtWork => return self.emitter.emit_if_due(),
            }
            Continue(())
        };
        let Original { batch, index, .. } = self.original;
        let solver = &batch.rules.ruleset(index).solver;
        let flow = solver.solve(batch.puzzle(index), limits, &mut report);
        match flow.expect("the puzzle fits its rules") {
            Break(()) => Break(End::OfRun),
            Continue(()) if is_cut => Break(End::OfPuzzle(self.limit())),
            Continue(()) => Continue(solutions),
        }
    }

    fn limit(&self) -> Option<String> {
        self.emitter.settings.options.only_limit().map(str::to_string)
    }

    /// Writes the group once it is full. Breaks if the vicinity has more puzzles than are wanted.
    fn push(&mut self, digits: Vec<u8>) -> ControlFlow<End> {
        if let Some(max) = self.emitter.settings.options.max_lines
            && self.lines == max
        {
            return Break(End::OfPuzzle(Some(format!("more than {max}"))));
        }
        self.lines += 1;
        self.grids.push(digits);
        if self.grids.len() < PUZZLES_PER_GROUP { Continue(()) } else { self.write_group() }
    }

    fn write_group(&mut self) -> ControlFlow<End> {
        let grids = std::mem::take(&mut self.grids);
        match self.original.write_group(&grids, self.emitter) {
            Continue(()) => Continue(()),
            Break(()) => Break(End::OfRun),
        }
    }

    /// The last line of the entry shows the puzzle itself.
    fn end(&mut self, status: Status, reason: Option<&str>) {
        self.emitter.end_with(status, EntryLine::Unfinished(reason));
    }
}

/// Returns how many of the solutions have each digit in this cell.
fn held_in(solutions: &[&[u8]], cell: usize) -> [u32; MAX_SIDE + 1] {
    let mut held = [0; MAX_SIDE + 1];
    for solution in solutions {
        held[usize::from(solution[cell])] += 1;
    }
    held
}
