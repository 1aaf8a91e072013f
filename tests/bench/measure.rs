//! Solves a file every way: first to check what is said, then against the clock, all ways in turns.

use std::time::Instant;
use std::{fs, thread};

use sudoku_filter::{Method, Status};

use crate::corpus::{Answer, Corpus, Way, verified};
use crate::report::median;

/// A way to solve, with its name.
pub struct Solver {
    pub name: String,
    pub way: Way,
}

/// A line of the table.
pub struct Row {
    solver: String,
    pub puzzles: usize,
    max_guesses: u64,
    /// Seconds a puzzle.
    time: f64,
    /// Puzzles without a guess.
    straight: usize,
    guesses: u64,
    /// Puzzles of each of `STATUSES`.
    tally: [usize; 4],
}

const STATUSES: [Status; 4] = [
    Status::Unique,
    Status::Multiple,
    Status::None,
    Status::Unknown,
];

/// Puzzles that lanes get at once, at least, and seconds a measurement takes, at least.
const SHEET: usize = 2048;
const SECONDS: f64 = 0.04;
/// What takes longer is not measured again.
const PATIENCE: f64 = 1.0;
/// Puzzles that the plain search gets, at most.
pub const BACKTRACK_SAMPLE: usize = 100;

/// What one solver does with a file.
struct Job<'a> {
    solver: &'a Solver,
    puzzles: Corpus,
    /// Its puzzle n is that of line n * step; from `distinct` on they repeat.
    step: usize,
    distinct: usize,
    answers: Vec<Answer>,
    /// Seconds a pass over the puzzles: the first, and those that count.
    first: f64,
    times: Vec<f64>,
}

/// Measures each solver on one file.
///
/// # Errors
/// A verdict is not as known, not as another solver says, or has a wrong solution.
pub fn measure(corpus: &Corpus, solvers: &[Solver], repeat: usize) -> Result<Vec<Row>, String> {
    let mut jobs: Vec<Job<'_>> = Vec::new();
    for solver in solvers {
        let told = |reason| format!("{}: {reason}", solver.name);
        let job = Job::new(corpus, solver).map_err(told)?;
        job.check(corpus.known, jobs.first()).map_err(told)?;
        jobs.push(job);
    }
    for _ in 0..repeat {
        for job in jobs.iter_mut().filter(|job| job.first < PATIENCE) {
            let passes = (SECONDS / job.first).ceil().max(1.0);
            let time = timed(|| {
                for _ in 0..passes as usize {
                    job.puzzles.solve(job.solver.way);
                }
            });
            job.times.push(time.1 / passes);
        }
    }
    Ok(jobs.into_iter().map(Row::of).collect())
}

impl<'a> Job<'a> {
    fn new(corpus: &Corpus, solver: &'a Solver) -> Result<Job<'a>, String> {
        let lines = corpus.len();
        let (step, distinct, puzzles) = match solver.way.method {
            Method::Lanes | Method::Pencil => (1, lines, corpus.repeated(SHEET)),
            Method::Backtrack => {
                let step = lines.div_ceil(BACKTRACK_SAMPLE);
                (step, lines.div_ceil(step), corpus.every(step))
            }
        };
        let (batches, first) = timed(|| puzzles.solve(solver.way));
        Ok(Job {
            solver,
            puzzles,
            step,
            distinct,
            answers: verified(&batches)?,
            first,
            times: Vec::new(),
        })
    }

    /// Compares what is said of each puzzle with what is known, and with what the first solver says.
    fn check(&self, known: Option<Status>, first: Option<&Job<'_>>) -> Result<(), String> {
        for (index, answer) in self.answers.iter().enumerate() {
            let line = index * self.step;
            let is = answer.status;
            if let Some(known) = known
                && is != known
                && is != Status::Unknown
            {
                return Err(format!("puzzle {}: {is}, known to be {known}", line + 1));
            }
            if let Some(first) = first {
                let other = &first.answers[line];
                let agree = match self.solver.way.method {
                    Method::Lanes => answer == other,
                    Method::Backtrack | Method::Pencil => may_both_be(answer, other),
                };
                if !agree {
                    let (name, said) = (&first.solver.name, other.status);
                    return Err(format!(
                        "puzzle {}: {is}, {name} says {said}, or another grid",
                        line + 1
                    ));
                }
            }
        }
        Ok(())
    }
}

/// Whether two methods may say this of one puzzle: each gives up where it likes, and shows which of many solutions it
/// likes.
fn may_both_be(one: &Answer, other: &Answer) -> bool {
    let statuses = [one.status, other.status];
    match one.status {
        _ if statuses.contains(&Status::Unknown) => true,
        Status::Unique => one.status == other.status && one.solution == other.solution,
        _ => one.status == other.status,
    }
}

impl Row {
    fn of(mut job: Job<'_>) -> Row {
        let all = job.answers.len() as f64;
        let answers = &job.answers[..job.distinct];
        let of = |status| {
            answers
                .iter()
                .filter(|answer| answer.status == status)
                .count()
        };
        job.times.extend(job.times.is_empty().then_some(job.first));
        Row {
            solver: job.solver.name.clone(),
            puzzles: answers.len(),
            max_guesses: job.solver.way.limits.max_guesses,
            time: median(&mut job.times) / all,
            straight: answers.iter().filter(|answer| answer.guesses == 0).count(),
            guesses: answers.iter().map(|answer| answer.guesses).sum(),
            tally: STATUSES.map(of),
        }
    }

    fn percent_without_guesses(&self) -> f64 {
        100.0 * self.straight as f64 / self.puzzles as f64
    }

    fn guesses_per_puzzle(&self) -> f64 {
        self.guesses as f64 / self.puzzles as f64
    }

    /// For people.
    pub fn shown(&self, corpus: &str) -> String {
        let verdicts = STATUSES.iter().zip(self.tally);
        let verdicts = verdicts.filter(|(_, number)| *number > 0);
        let verdicts: Vec<String> = verdicts
            .map(|(status, number)| format!("{number} {status}"))
            .collect();
        format!(
            "{corpus:<18} {:<15} {:>7} {:>11.0} {:>9.3}{} {:>9.1} {:>10.2}  {}",
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

    /// For the CSV, from `solver` on.
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

/// What `act` returns, and the seconds it takes.
fn timed<T>(act: impl FnOnce() -> T) -> (T, f64) {
    let (begin, cpu) = (Instant::now(), thread_seconds());
    let result = act();
    let elapsed = begin.elapsed().as_secs_f64();
    let cpu = thread_seconds().zip(cpu).map(|(end, begin)| end - begin);
    (result, cpu.unwrap_or(elapsed).max(1e-9))
}

/// Seconds this thread has run, where the kernel tells: others on the machine then count less.
pub fn thread_seconds() -> Option<f64> {
    // The kernel adds up what has run when it next schedules.
    thread::yield_now();
    let told = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds: f64 = told.split(' ').next()?.parse().ok()?;
    Some(nanoseconds / 1e9)
}
