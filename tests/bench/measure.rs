//! Solves a file with every solver: first once each to check the results, then several times in
//! turns to measure the time.

use std::time::Instant;
use std::{fs, thread};

use sudoku_filter::{GuessLimit, Method, Status};

use crate::corpus::{Corpus, Finding, Settings, verified};
use crate::report::median;

/// Settings to be timed, with a name.
pub struct Contender {
    pub name: String,
    pub settings: Settings,
}

/// A row of the table.
pub struct Row {
    solver: String,
    pub puzzles: usize,
    max_guesses: u64,
    /// Seconds for each puzzle.
    time: f64,
    /// Puzzles solved without a guess.
    without_guesses: usize,
    guesses: u64,
    /// Number of puzzles with each of `STATUSES`.
    tally: [usize; 4],
}

const STATUSES: [Status; 4] = [Status::Unique, Status::Multiple, Status::None, Status::Unknown];

/// The least number of puzzles in one call of the lanes, and the least seconds of one measurement.
const BATCH: usize = 2048;
const MIN_SECONDS: f64 = 0.04;
/// A solver whose first pass takes longer, in seconds, is not run again.
const MAX_FIRST_PASS: f64 = 1.0;
/// The most puzzles of a file that backtracking gets.
pub const BACKTRACK_SAMPLE: usize = 100;

/// One solver and the puzzles it gets from a file.
struct Job<'a> {
    solver: &'a Contender,
    puzzles: Corpus,
    /// Puzzle n is line n * step of the file. From `distinct` on, puzzles repeat.
    step: usize,
    distinct: usize,
    findings: Vec<Finding>,
    /// Seconds for one pass over the puzzles: the first pass, and the measured ones.
    first: f64,
    times: Vec<f64>,
}

/// Measures each solver on one file.
///
/// # Errors
/// A status differs from the known one or from another solver's, or a solution is wrong.
pub fn measure(corpus: &Corpus, solvers: &[Contender], repeat: usize) -> Result<Vec<Row>, String> {
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for solver in solvers {
        let context = |reason| format!("{}: {reason}", solver.name);
        let job = Job::new(corpus, solver).map_err(context)?;
        job.check(corpus.known, jobs.first()).map_err(context)?;
        jobs.push(job);
    }
    for _ in 0..repeat {
        for job in jobs.iter_mut().filter(|job| job.first < MAX_FIRST_PASS) {
            let passes = (MIN_SECONDS / job.first).ceil().max(1.0);
            let time = timed(|| {
                for _ in 0..passes as usize {
                    job.puzzles.solve(job.solver.settings);
                }
            });
            job.times.push(time.1 / passes);
        }
    }
    Ok(jobs.into_iter().map(Row::of).collect())
}

impl<'a> Job<'a> {
    fn new(corpus: &Corpus, solver: &'a Contender) -> Result<Job<'a>, String> {
        let lines = corpus.len();
        let (step, distinct, puzzles) = match solver.settings.method {
            Method::Backtrack => {
                let step = lines.div_ceil(BACKTRACK_SAMPLE);
                (step, lines.div_ceil(step), corpus.every(step))
            }
            _ => (1, lines, corpus.repeated(BATCH)),
        };
        let (batches, first) = timed(|| puzzles.solve(solver.settings));
        Ok(Job {
            solver,
            puzzles,
            step,
            distinct,
            findings: verified(&batches)?,
            first,
            times: Vec::new(),
        })
    }

    /// Compares each result with the known status and with the first solver's result.
    fn check(&self, known: Option<Status>, first: Option<&Job<'_>>) -> Result<(), String> {
        for (index, finding) in self.findings.iter().enumerate() {
            let line = index * self.step;
            let is = finding.status;
            if let Some(known) = known
                && is != known
                && is != Status::Unknown
            {
                return Err(format!("puzzle {}: {is}, known to be {known}", line + 1));
            }
            if let Some(first) = first {
                let other = &first.findings[line];
                let agree = match self.solver.settings.method {
                    Method::Lanes => finding == other,
                    _ => are_compatible(finding, other),
                };
                if !agree {
                    let (name, status) = (&first.solver.name, other.status);
                    return Err(format!(
                        "puzzle {}: {is}, {name} has {status}, or another grid",
                        line + 1
                    ));
                }
            }
        }
        Ok(())
    }
}

/// True if two methods may give these results for one puzzle. Each can give up, and each can return
/// another one of many solutions.
fn are_compatible(one: &Finding, other: &Finding) -> bool {
    let statuses = [one.status, other.status];
    match one.status {
        _ if statuses.contains(&Status::Unknown) => true,
        Status::Unique => one.status == other.status && one.solution == other.solution,
        _ => one.status == other.status,
    }
}

impl Row {
    fn of(mut job: Job<'_>) -> Row {
        let all = job.findings.len() as f64;
        let findings = &job.findings[..job.distinct];
        let of = |status| findings.iter().filter(|finding| finding.status == status).count();
        job.times.extend(job.times.is_empty().then_some(job.first));
        Row {
            solver: job.solver.name.clone(),
            puzzles: findings.len(),
            max_guesses: match job.solver.settings.limits.max_guesses {
                GuessLimit::Guesses(number) => number,
                GuessLimit::Default | GuessLimit::None => 0,
            },
            time: median(&mut job.times) / all,
            without_guesses: findings.iter().filter(|finding| finding.guesses == 0).count(),
            guesses: findings.iter().map(|finding| finding.guesses).sum(),
            tally: STATUSES.map(of),
        }
    }

    fn percent_without_guesses(&self) -> f64 {
        100.0 * self.without_guesses as f64 / self.puzzles as f64
    }

    fn guesses_per_puzzle(&self) -> f64 {
        self.guesses as f64 / self.puzzles as f64
    }

    /// Formats the row of the printed table.
    pub fn shown(&self, corpus: &str) -> String {
        let verdicts = STATUSES.iter().zip(self.tally);
        let verdicts = verdicts.filter(|(_, number)| *number > 0);
        let verdicts: Vec<String> =
            verdicts.map(|(status, number)| format!("{number} {status}")).collect();
        format!(
            "{corpus:<30} {:<15} {:>7} {:>11.0} {:>9.3}{} {:>9.1} {:>10.2}  {}",
            self.solver,
            self.puzzles,
            1.0 / self.time,
            self.time * 1e6,
            if self.tally[3] > 0 { '~' } else { ' ' },
            self.percent_without_guesses(),
            self.guesses_per_puzzle(),
            verdicts.join(", ")
        )
    }

    /// Formats the fields of the CSV, from `solver` on.
    pub fn fields(&self) -> String {
        let [unique, multiple, none, unknown] = self.tally;
        format!(
            "{},{},{},{:.1},{:.4},{:.2},{:.4},{unique},{multiple},{none},{unknown}",
            self.solver,
            self.puzzles,
            self.max_guesses,
            1.0 / self.time,
            self.time * 1e6,
            self.percent_without_guesses(),
            self.guesses_per_puzzle(),
        )
    }
}

/// Returns the result of `act` and the seconds it takes.
fn timed<T>(act: impl FnOnce() -> T) -> (T, f64) {
    let (begin, cpu) = (Instant::now(), thread_seconds());
    let result = act();
    let elapsed = begin.elapsed().as_secs_f64();
    let cpu = thread_seconds().zip(cpu).map(|(end, begin)| end - begin);
    (result, cpu.unwrap_or(elapsed).max(1e-9))
}

/// Returns the seconds of CPU time of this thread, if the kernel reports them. Other work on the
/// machine has less influence on CPU time.
pub fn thread_seconds() -> Option<f64> {
    // The kernel updates the figure when it schedules next.
    thread::yield_now();
    let schedstat = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = schedstat.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
