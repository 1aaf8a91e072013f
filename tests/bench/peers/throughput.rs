//! Measures the CPU time of whole processes, from a file to /dev/null. The solvers run in turns.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::report::median;
use crate::scratch::Scratch;
use crate::solver::Solver;
use crate::{Options, Result};

const MAX_LINES: usize = 1_000_000;

/// A solver that is being measured on a corpus.
pub struct Measurement<'a> {
    solver: &'a Solver,
    /// The corpus, repeated until the solver takes long enough.
    file: Scratch,
    pub puzzles: usize,
    seconds: Vec<f64>,
}

impl<'a> Measurement<'a> {
    /// Repeats the corpus until the solver takes `options.seconds`. Each solver gets its own number of repetitions,
    /// because a puzzle can take a thousand times as long with one solver as with another.
    pub fn prepare(solver: &'a Solver, corpus: &str, options: &Options) -> Result<Measurement<'a>> {
        let lines = corpus.lines().count();
        let file = Scratch::new();
        let mut times = 1;
        loop {
            fs::write(&file.0, corpus.repeat(times))?;
            let taken = run(solver, &file, options.limit)?.max(1e-3);
            if taken >= options.seconds || times * lines >= MAX_LINES {
                break;
            }
            let wanted = (times as f64 * options.seconds * 1.1 / taken).ceil() as usize;
            times = wanted.max(times + 1).min(MAX_LINES.div_ceil(lines));
        }
        Ok(Measurement { solver, file, puzzles: times * lines, seconds: Vec::new() })
    }

    pub fn run_once(&mut self, limit: Duration) -> Result<()> {
        self.seconds.push(run(self.solver, &self.file, limit)?);
        Ok(())
    }

    /// Returns the median of the runs in seconds a puzzle.
    pub fn seconds_per_puzzle(&mut self) -> f64 {
        median(&mut self.seconds) / self.puzzles as f64
    }
}

fn run(solver: &Solver, file: &Scratch, limit: Duration) -> Result<f64> {
    solver.cpu_seconds(&file.0, Stdio::null(), limit)
}
