//! Plain lines: a 9x9 puzzle of the usual symbols, or with `--verify` such a puzzle, a separator
//! and such an answer. Most lines are plain, and their output is a grid and a status. So they go
//! straight from their bytes to the solver and from there to the output. The first other line of a
//! task, and all lines after it, go the general way, which writes the same for plain lines.

use std::ops::ControlFlow;
use std::time::Instant;

use super::emit::{FLUSH_INTERVAL, OutputPosition};
use super::options::{CellNotation, Input, Mode, Options, Output};
use super::rulesets::{RulesKey, Ruleset};
use super::settings::Settings;
use crate::puzzle::{Givens, Puzzles};
use crate::solver::{Found, Progress};
use crate::stream::{Emit, OutputLines, Places, Task};
use crate::text::forms::lines::ends_field;
use crate::text::symbols::{Alphabet, Case};
use crate::verdict::Status;
use crate::verify::{is_right, verify};

/// The number of cells, and the length of a line with a puzzle, and with a puzzle and an answer.
const CELLS: usize = 81;
const PUZZLE_LINE: usize = CELLS + 1;
const ANSWER_LINE: usize = 2 * CELLS + 2;

/// Returns true if plain lines can go this way: for each line, only its form is checked. All other
/// options are checked here, once for all lines. If an option changes the meaning of plain lines,
/// makes one of them invalid or changes the output, this must return false.
pub(super) fn are_plain(options: &Options) -> bool {
    let expected = options.expected_fields();
    let has_fixed_fields = options.input == Input::Lines && !expected.regions && !expected.cages;
    let columns = options.columns.iter().map(|shown| &shown.column);
    has_fixed_fields
        && matches!(options.mode, Mode::Solve | Mode::Verify { unique: false })
        && options.mode.check(9, CellNotation::Digits).is_ok()
        && options.form() == Output::Lines
        && columns.eq(&options.mode.columns())
        && options.shown.is_none()
        && options.seed.is_none()
        && !options.lenient
}

/// Processes the plain lines with which a task begins, and returns the rest of the task. Adds the
/// number of the lines whose output is emitted to `emitted`.
pub(super) fn process<'a>(
    settings: &Settings,
    task: &Task<'a>,
    emitted: &mut OutputPosition,
    emit: Emit<'_>,
) -> ControlFlow<(), Task<'a>> {
    let options = &settings.options;
    let mut done = 0;
    // Without rules for a 9x9, such as with `--regions` for another side, plain lines are invalid.
    if let Ok(ruleset) = settings.rulesets.of_key(RulesKey::of_side(9)) {
        done = if options.verifies() {
            check(options, &ruleset, task.bytes, emitted, emit)?
        } else {
            solve(options, &ruleset, task.bytes, emitted, emit)?
        };
    }
    let lines = (done / if options.verifies() { ANSWER_LINE } else { PUZZLE_LINE }) as u64;
    ControlFlow::Continue(Task {
        bytes: &task.bytes[done..],
        first_line: task.first_line + lines,
        first_number: task.first_number + lines,
        places: Places::Lines,
        ..*task
    })
}

/// Checks answers, and writes each with its status. Returns the length of the lines.
fn check(
    options: &Options,
    ruleset: &Ruleset,
    text: &[u8],
    emitted: &mut OutputPosition,
    emit: Emit<'_>,
) -> ControlFlow<(), usize> {
    let (lines, _) = text.as_chunks::<ANSWER_LINE>();
    let mut output = OutputLines::default();
    output.bytes.reserve(lines.len() * (CELLS + 16));
    // Compiled once per CPU level, so that reading grids uses the vectors of the level.
    let count = options.level.dispatch(
        #[inline(always)]
        || {
            let mut writer = |line| write_checked(&options.alphabet, ruleset, line, &mut output);
            lines.iter().map_while(|line| writer(line)).count()
        },
    );
    if count > 0 {
        emit(output)?;
        emitted.entry += count;
    }
    ControlFlow::Continue(count * ANSWER_LINE)
}

/// Writes the answer of a line and its status. Returns `None`, and writes nothing, if the line is
/// not plain.
#[inline(always)]
fn write_checked(
    alphabet: &Alphabet,
    ruleset: &Ruleset,
    line: &[u8; ANSWER_LINE],
    output: &mut OutputLines,
) -> Option<()> {
    let line = line.strip_suffix(b"\n")?;
    let (puzzle, after_puzzle) = line.split_first_chunk::<CELLS>()?;
    let (separator, answer) = after_puzzle.split_first()?;
    let answer: &[u8; CELLS] = answer.try_into().ok()?;
    let givens = alphabet.plain_digits(puzzle)?;
    let digits = alphabet.plain_digits(answer)?;
    if !ends_field(*separator) {
        return None;
    }
    output.bytes.extend_from_slice(answer);
    if is_right(&ruleset.rules, &givens, &digits) {
        output.bytes.extend_from_slice(b"\tcorrect\t-\n");
        output.tally.add(Status::Correct);
    } else {
        let fault = verify(&ruleset.rules, &givens, &digits).expect_err("the answer is wrong");
        let reason = fault.reason(|digit| alphabet.symbol(digit, Case::default()));
        output.bytes.extend_from_slice(format!("\tincorrect\t{reason}\n").as_bytes());
        output.tally.add(Status::Incorrect);
    }
    Some(())
}

/// Solves puzzles, and writes a solution of each, or the puzzle itself, with the status. Returns
/// the length of the lines.
fn solve(
    options: &Options,
    ruleset: &Ruleset,
    text: &[u8],
    emitted: &mut OutputPosition,
    emit: Emit<'_>,
) -> ControlFlow<(), usize> {
    let (lines, _) = text.as_chunks::<PUZZLE_LINE>();
    let mut grids = Vec::with_capacity(lines.len() * CELLS);
    let read = |line: &&[u8; PUZZLE_LINE]| match *line {
        [puzzle @ .., b'\n'] => options.alphabet.read_plain(puzzle, &mut grids),
        _ => false,
    };
    // Compiled once per CPU level, so that reading grids uses the vectors of the level.
    let count = options.level.dispatch(
        #[inline(always)]
        || lines.iter().take_while(read).count(),
    );
    if count == 0 {
        return ControlFlow::Continue(0);
    }
    let mut run = Run {
        options,
        lines: &lines[..count],
        statuses: vec![None; count],
        solutions: Vec::with_capacity(count * CELLS),
        offsets: vec![0; count],
        written: 0,
        last_emit: Instant::now(),
        emitted,
        emit,
    };
    let puzzles = Puzzles { givens: Givens::Digits(&grids), seeds: &[] };
    let mut report = |progress: Progress<'_>| {
        match &progress {
            Progress::Solution(..) => {}
            // By reference: a copy of `found` would wait until its single writes are done.
            Progress::Found(index, found) => run.record(*index, found),
            Progress::AtWork if run.last_emit.elapsed() > FLUSH_INTERVAL => return run.emit(),
            Progress::AtWork => {}
        }
        ControlFlow::Continue(())
    };
    let flow = ruleset.solver.solve(puzzles, options.limits(), &mut report);
    flow.expect("the puzzles fit the rules")?;
    run.emit()?;
    debug_assert_eq!(run.written, count);
    ControlFlow::Continue(count * PUZZLE_LINE)
}

/// Puzzles that are being solved.
struct Run<'r> {
    options: &'r Options,
    lines: &'r [[u8; PUZZLE_LINE]],
    /// The status of each puzzle, `None` until its search ends.
    statuses: Vec<Option<Status>>,
    /// The solutions, in the order in which the searches ended, and where that of each puzzle is.
    solutions: Vec<[u8; CELLS]>,
    offsets: Vec<u32>,
    /// The number of lines whose output is written.
    written: usize,
    last_emit: Instant,
    emitted: &'r mut OutputPosition,
    emit: Emit<'r>,
}

impl Run<'_> {
    fn record(&mut self, index: usize, found: &Found<'_>) {
        self.statuses[index] = Some(found.status);
        if let Some(solution) = found.solution {
            self.offsets[index] = self.solutions.len() as u32;
            self.solutions.push(solution.try_into().expect("a 9x9 has 81 cells"));
        }
    }

    /// Writes and emits the lines up to the first whose status is not known yet.
    fn emit(&mut self) -> ControlFlow<()> {
        let mut output = OutputLines::default();
        output.bytes.reserve((self.lines.len() - self.written) * 96);
        self.options.level.dispatch(
            #[inline(always)]
            || while self.write_next(&mut output) {},
        );
        (self.emit)(output)?;
        self.emitted.entry = self.written;
        self.last_emit = Instant::now();
        ControlFlow::Continue(())
    }

    /// Writes the next line. Returns false, and writes nothing, if its status is not known yet.
    #[inline(always)]
    fn write_next(&mut self, output: &mut OutputLines) -> bool {
        let Some(Some(status)) = self.statuses.get(self.written).copied() else {
            return false;
        };
        let bytes = &mut output.bytes;
        if let Status::Unique | Status::Multiple = status {
            let solution = &self.solutions[self.offsets[self.written] as usize];
            self.options.alphabet.write(solution, Case::default(), bytes);
        } else {
            bytes.extend_from_slice(&self.lines[self.written][..CELLS]);
        }
        // Copying a constant length needs no call to memcpy.
        match status {
            Status::Unique => bytes.extend_from_slice(b"\tunique\n"),
            Status::Multiple => bytes.extend_from_slice(b"\tmultiple\n"),
            status => bytes.extend_from_slice(format!("\t{}\n", status.name()).as_bytes()),
        }
        output.tally.add(status);
        self.written += 1;
        true
    }
}
