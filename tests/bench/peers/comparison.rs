//! Compares the solvers on one corpus: their answers, their CPU time, and the time for one puzzle alone.

use std::error::Error;
use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use crate::answers::{compare, count_statuses};
use crate::latency::seconds_alone;
use crate::report::median;
use crate::scratch::Scratch;
use crate::solver::Solver;
use crate::throughput::Measurement;
use crate::{Options, Result};

/// The figures of one corpus.
pub struct Row {
    pub corpus: String,
    /// The number of puzzles with each status, by the first solver.
    pub statuses: String,
    /// One for each solver, in their order.
    pub cells: Vec<Cell>,
}

/// The figures of one solver on one corpus.
#[derive(Default)]
pub struct Cell {
    /// Puzzles in the measured file, and seconds of CPU time for each.
    pub throughput: Option<(usize, f64)>,
    /// Seconds of time for one puzzle in a process that is already running.
    pub alone: Option<f64>,
    /// Wrong answers, and reasons why figures are missing.
    pub remarks: Vec<String>,
    pub differs: bool,
    failed: bool,
}

pub fn compare_on(path: &Path, corpus: &str, solvers: &[Solver], options: &Options) -> Result<Row> {
    let mut cells: Vec<Cell> = solvers.iter().map(|_| Cell::default()).collect();
    let expected = answers(&solvers[0], path, options)?;
    for (solver, cell) in solvers.iter().zip(&mut cells) {
        let found = answers(solver, path, options);
        cell.check(&found, &expected);
    }
    measure_throughput(solvers, &mut cells, corpus, options);
    measure_alone(solvers, &mut cells, corpus, options);
    let name = path.file_stem().unwrap_or_default();
    Ok(Row {
        corpus: name.to_string_lossy().into_owned(),
        statuses: count_statuses(&expected),
        cells,
    })
}

/// Returns the output lines of a solver.
fn answers(solver: &Solver, path: &Path, options: &Options) -> Result<String> {
    let output = Scratch::new();
    let file = Stdio::from(File::create(&output.0)?);
    solver.cpu_seconds(path, file, options.limit)?;
    Ok(fs::read_to_string(&output.0)?)
}

impl Cell {
    /// Records whether the answers are those of the first solver.
    fn check(&mut self, found: &Result<String>, expected: &str) {
        match found {
            Err(error) => self.fail(error.as_ref()),
            Ok(found) => {
                if let Some(difference) = compare(found, expected) {
                    self.differs = true;
                    self.remarks.push(difference.to_string());
                }
            }
        }
    }

    /// Runs a measurement. A failure is recorded, and is the solver's last measurement on this corpus.
    fn attempt<T>(&mut self, measure: impl FnOnce() -> Result<T>) -> Option<T> {
        if self.failed {
            return None;
        }
        let measured = measure();
        measured.map_err(|error| self.fail(error.as_ref())).ok()
    }

    fn fail(&mut self, error: &dyn Error) {
        self.failed = true;
        self.remarks.push(error.to_string());
    }
}

/// Runs the solvers in turns, so that other work on the machine slows all of them.
fn measure_throughput(solvers: &[Solver], cells: &mut [Cell], corpus: &str, options: &Options) {
    let mut measurements: Vec<_> = solvers
        .iter()
        .zip(&mut *cells)
        .map(|(solver, cell)| cell.attempt(|| Measurement::prepare(solver, corpus, options)))
        .collect();
    for _ in 0..options.runs {
        for (measurement, cell) in measurements.iter_mut().zip(&mut *cells) {
            let Some(measured) = measurement else {
                continue;
            };
            if cell.attempt(|| measured.run_once(options.limit)).is_none() {
                *measurement = None;
            }
        }
    }
    for (measurement, cell) in measurements.iter_mut().zip(cells) {
        let measured = measurement.as_mut();
        cell.throughput = measured.map(|it| (it.puzzles, it.seconds_per_puzzle()));
    }
}

/// Measures one puzzle alone. The solvers run in turns.
fn measure_alone(solvers: &[Solver], cells: &mut [Cell], corpus: &str, options: &Options) {
    let mut seconds = vec![Vec::new(); solvers.len()];
    for _ in 0..options.runs {
        for ((solver, cell), seconds) in solvers.iter().zip(&mut *cells).zip(&mut seconds) {
            let measured = cell.attempt(|| seconds_alone(solver, corpus, options.limit));
            seconds.extend(measured.unwrap_or_default());
        }
    }
    for (cell, mut seconds) in cells.iter_mut().zip(seconds) {
        cell.alone = (!seconds.is_empty()).then(|| median(&mut seconds));
    }
}
