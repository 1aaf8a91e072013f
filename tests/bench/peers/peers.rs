//! `make bench-peers`: measures the CPU time of whole processes, from a file to /dev/null on one thread; sudoku-filter
//! and other solvers run in turns. The program first compares their output lines.

#[path = "../report.rs"]
mod report;

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use lexopt::{Arg, Parser, ValueExt};
use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike;

const HELP: &str = "\
peers [OPTION]... [FILE|DIR]...
Measures sudoku-filter and the `sudoku` crate on files of classic 9x9 puzzles, by default on data/bench.

  --program FILE    sudoku-filter; by default the one beside this program
  --runs N          runs of each solver, in turns; the table shows the median (default 5)
  --seconds S       repeats a file until sudoku-filter takes S seconds, up to a million lines (default 0.3)
  --csv FILE        also writes the table as CSV; by default target/peers-DATE.csv
";

const MOST_LINES: usize = 1_000_000;
const COLUMNS: &str =
    "date,cpu,corpus,solver,puzzles,microseconds_per_puzzle,puzzles_per_second,times_as_fast";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

struct Options {
    program: PathBuf,
    runs: usize,
    seconds: f64,
    csv: PathBuf,
    files: Vec<PathBuf>,
}

/// A solver: its name in the table, its program, and the options before the file's name.
struct Solver {
    name: &'static str,
    program: PathBuf,
    options: &'static [&'static str],
}

fn main() -> ExitCode {
    let ended = parse().and_then(|options| match options {
        Some(options) => run(&options),
        None => {
            print!("{HELP}");
            Ok(())
        }
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse() -> Result<Option<Options>> {
    let mut options = Options {
        program: beside_this("sudoku-filter")?,
        runs: 5,
        seconds: 0.3,
        csv: report::target().join(format!("peers-{}.csv", report::today())),
        files: Vec::new(),
    };
    let mut parser = Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Long("program") => options.program = parser.value()?.into(),
            Arg::Long("runs") => options.runs = parser.value()?.parse()?,
            Arg::Long("seconds") => options.seconds = parser.value()?.parse()?,
            Arg::Long("csv") => options.csv = parser.value()?.into(),
            Arg::Value(file) => options.files.push(file.into()),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if options.files.is_empty() {
        options.files.push("data/bench".into());
    }
    options.runs = options.runs.max(1);
    Ok(Some(options))
}

fn beside_this(name: &str) -> Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}

fn run(options: &Options) -> Result<()> {
    let solvers = solvers(options)?;
    let (cpu, date) = (report::cpu_name(), report::today());
    println!("{cpu}, {date}");
    println!(
        "µs of CPU time a puzzle, whole processes on one thread from a file to /dev/null, median of {} in turns;\n\
         in brackets: times as fast as the last column.\n",
        options.runs
    );
    print!("{:<14} {:>8}", "corpus", "puzzles");
    for solver in &solvers {
        print!(" {:>25}", solver.name);
    }
    println!("  verdicts");
    let mut csv = format!("{COLUMNS}\n");
    let mut skipped = Vec::new();
    for path in report::puzzle_files(&options.files)? {
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let Some(puzzles) = classic_puzzles(&path)? else {
            skipped.push(name.into_owned());
            continue;
        };
        let verdicts = compare(&solvers, &path)?;
        let row = measure(&solvers, options, &puzzles)?;
        print!("{name:<14} {:>8}", row.puzzles);
        for (solver, time) in solvers.iter().zip(&row.times) {
            let times_as_fast = row.times[row.times.len() - 1] / time;
            print!(" {:>17.3} ({times_as_fast:>4.1}x)", time * 1e6);
            let _ = writeln!(
                csv,
                "{date},{cpu},{name},{},{},{:.4},{:.1},{times_as_fast:.2}",
                solver.name,
                row.puzzles,
                time * 1e6,
                1.0 / time
            );
        }
        println!("  {verdicts}");
    }
    fs::write(&options.csv, csv).map_err(|error| format!("{}: {error}", options.csv.display()))?;
    if !skipped.is_empty() {
        println!("\nSkipped, not classic 9x9: {}", skipped.join(", "));
    }
    println!("\nWritten to {}", options.csv.display());
    Ok(())
}

/// Returns sudoku-filter at its CPU levels. The last solver is the one that all are compared with.
fn solvers(options: &Options) -> Result<Vec<Solver>> {
    let ours = |name, options_of| Solver {
        name,
        program: options.program.clone(),
        options: options_of,
    };
    let mut solvers = vec![
        ours("sudoku-filter", &["-q", "-j1"]),
        ours("sudoku-filter --cpu avx2", &["-q", "-j1", "--cpu", "avx2"]),
    ];
    // The program refuses a level that the machine lacks.
    solvers.retain(|solver| cpu_seconds(solver, Path::new("/dev/null")).is_ok());
    if solvers.is_empty() {
        return Err(format!(
            "{} does not run; run 'make build' first",
            options.program.display()
        )
        .into());
    }
    solvers.push(Solver {
        name: "sudoku crate 0.8",
        program: beside_this("peer-sudoku")?,
        options: &[],
    });
    Ok(solvers)
}

/// Returns the text of a file if all its lines are classic 9x9 puzzles. A file of another variant has the variant in
/// its name.
fn classic_puzzles(path: &Path) -> Result<Option<String>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_variant = ["diagonal", "window", "jigsaw"]
        .iter()
        .any(|variant| name.contains(variant));
    let puzzles =
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let is_classic = !puzzles.is_empty() && puzzles.lines().all(|line| line.len() == 81);
    Ok((!is_variant && is_classic).then_some(puzzles))
}

/// Checks that all solvers write the same output lines. Of several solutions each can show another.
fn compare(solvers: &[Solver], path: &Path) -> Result<String> {
    let mut first: Option<String> = None;
    for solver in solvers {
        let output = solver.command(path).output()?;
        let rows = String::from_utf8(output.stdout)?;
        let expected = first.get_or_insert_with(|| rows.clone());
        if rows.lines().count() != expected.lines().count() {
            return Err(format!("{}: {} output lines", solver.name, rows.lines().count()).into());
        }
        for (index, (row, expected)) in rows.lines().zip(expected.lines()).enumerate() {
            let both_many = row.ends_with("\tmultiple") && expected.ends_with("\tmultiple");
            if row != expected && !both_many {
                let place = format!("{}:{}", path.display(), index + 1);
                return Err(
                    format!("{place}: {} writes\n{row}, not\n{expected}", solver.name).into(),
                );
            }
        }
    }
    let rows = first.unwrap_or_default();
    let counts = ["unique", "multiple", "none", "unknown"].map(|status| {
        let count = rows.lines().filter(|row| row.ends_with(status)).count();
        (count, status)
    });
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<String> = counts
        .map(|(count, status)| format!("{count} {status}"))
        .collect();
    Ok(format!("all solvers agree: {}", counts.join(", ")))
}

/// Seconds that each solver takes for a puzzle.
struct Row {
    puzzles: usize,
    times: Vec<f64>,
}

fn measure(solvers: &[Solver], options: &Options, puzzles: &str) -> Result<Row> {
    let scratch = Scratch::new();
    let lines = puzzles.lines().count();
    let puzzles = format!("{}\n", puzzles.trim_end());
    let mut times = 1;
    loop {
        fs::write(&scratch.0, puzzles.repeat(times))?;
        let taken = cpu_seconds(&solvers[0], &scratch.0)?.max(1e-3);
        if taken >= options.seconds || times * lines >= MOST_LINES {
            break;
        }
        let wanted = (times as f64 * options.seconds * 1.1 / taken).ceil() as usize;
        times = wanted.max(times + 1).min(MOST_LINES.div_ceil(lines));
    }
    let mut taken = vec![Vec::new(); solvers.len()];
    for _ in 0..options.runs {
        for (solver, taken) in solvers.iter().zip(&mut taken) {
            taken.push(cpu_seconds(solver, &scratch.0)?);
        }
    }
    let puzzles = times * lines;
    let times = taken
        .iter_mut()
        .map(|times| report::median(times) / puzzles as f64);
    Ok(Row {
        puzzles,
        times: times.collect(),
    })
}

impl Solver {
    fn command(&self, file: &Path) -> Command {
        let mut command = Command::new(&self.program);
        command.args(self.options).arg(file);
        command
    }
}

/// Returns user and system time of a run of `solver` on `file`.
fn cpu_seconds(solver: &Solver, file: &Path) -> Result<f64> {
    let before = cpu_seconds_of_children()?;
    let mut command = solver.command(file);
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    let status = status.map_err(|error| format!("{}: {error}", solver.program.display()))?;
    // Status 1 means that some line is invalid or unknown; `compare` checks the lines.
    if !matches!(status.code(), Some(0 | 1)) {
        return Err(format!("{}: {status}", solver.name).into());
    }
    Ok(cpu_seconds_of_children()? - before)
}

fn cpu_seconds_of_children() -> Result<f64> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let microseconds =
        usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
    Ok(microseconds as f64 / 1e6)
}

/// A temporary file for the repeated puzzles, removed on drop.
struct Scratch(PathBuf);

impl Scratch {
    fn new() -> Scratch {
        let name = format!("sudoku-filter-peers-{}.txt", std::process::id());
        Scratch(std::env::temp_dir().join(name))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}
