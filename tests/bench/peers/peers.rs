//! `make bench-peers`: measures sudoku-filter and other solvers as whole processes, and compares their answers.
//!
//! Peers that are not crates come as programs in the folder of `--peers`; `tests/bench/README.md` describes what they read and write.
//!
//! ```text
//! solver.rs      the solvers and how they are run
//! puzzles.rs     which files are classic puzzles
//! comparison.rs  one corpus: answers.rs (equal output lines), throughput.rs (CPU time), latency.rs (one puzzle alone)
//! library.rs     libraries in this process: one call a puzzle
//! table.rs       the output
//! scratch.rs     temporary files
//! ```

mod answers;
mod comparison;
mod latency;
mod library;
mod puzzles;
#[path = "../report.rs"]
mod report;
mod scratch;
mod solver;
mod table;
mod throughput;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{ExitCode, Stdio};
use std::time::Duration;

use lexopt::{Arg, Parser, ValueExt};

use solver::{KNOWN_PEERS, Solver, peers_in};
use table::{ALONE, THROUGHPUT, Table};

const HELP: &str = "\
peers [OPTION]... [FILE|DIR]...
Measures sudoku-filter and other solvers on files of classic 9x9 puzzles, by default on data/bench.

  --program FILE    sudoku-filter; by default the one beside this program
  --peers DIR       a folder with programs of other solvers, see tests/bench/README.md
  --runs N          runs of each solver, in turns; the tables show the median (default 5)
  --seconds S       repeats a file until a solver takes S seconds, up to a million lines (default 0.3)
  --limit S         ends a run that takes more than S seconds (default 10)
  --csv FILE        also writes the table as CSV; by default target/peers-DATE.csv
";

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

pub struct Options {
    program: PathBuf,
    peers: Option<PathBuf>,
    runs: usize,
    seconds: f64,
    limit: Duration,
    csv: PathBuf,
    files: Vec<PathBuf>,
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
    let mut options = default_options()?;
    let mut parser = Parser::from_env();
    while let Some(argument) = parser.next()? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Long("program") => options.program = parser.value()?.into(),
            Arg::Long("peers") => options.peers = Some(parser.value()?.into()),
            Arg::Long("runs") => options.runs = parser.value()?.parse::<usize>()?.max(1),
            Arg::Long("seconds") => options.seconds = parser.value()?.parse()?,
            Arg::Long("limit") => options.limit = Duration::from_secs(parser.value()?.parse()?),
            Arg::Long("csv") => options.csv = parser.value()?.into(),
            Arg::Value(file) => options.files.push(file.into()),
            _ => return Err(argument.unexpected().into()),
        }
    }
    if options.files.is_empty() {
        options.files.push("data/bench".into());
    }
    Ok(Some(options))
}

fn default_options() -> Result<Options> {
    Ok(Options {
        program: beside_this("sudoku-filter")?,
        peers: None,
        runs: 5,
        seconds: 0.3,
        limit: Duration::from_secs(10),
        csv: report::target().join(format!("peers-{}.csv", report::today())),
        files: Vec::new(),
    })
}

fn beside_this(name: &str) -> Result<PathBuf> {
    Ok(std::env::current_exe()?.with_file_name(name))
}

fn run(options: &Options) -> Result<()> {
    let solvers = solvers(options)?;
    print_solvers(&solvers, options);
    let mut table = Table { solvers: &solvers, rows: Vec::new() };
    measure(&mut table, options)?;
    print_alone(&table, options)?;
    print_libraries(options)?;
    fs::write(&options.csv, table.csv())
        .map_err(|error| format!("{}: {error}", options.csv.display()))?;
    println!("\nWritten to {}", options.csv.display());
    match table.differences() {
        0 => Ok(()),
        count => Err(format!("answers differ {count} times; see the remarks").into()),
    }
}

/// Returns all solvers. The first one is sudoku-filter, with which the others are compared.
fn solvers(options: &Options) -> Result<Vec<Solver>> {
    let ours = |name, arguments| Solver::new(name, options.program.clone(), arguments);
    let mut solvers = vec![
        ours("sudoku-filter", &["-q", "-j1"]),
        ours("sudoku-filter (avx2)", &["-q", "-j1", "--cpu", "avx2"]),
    ];
    // The program refuses a level that the machine lacks.
    let runs = |solver: &Solver| {
        let run = solver.cpu_seconds(Path::new("/dev/null"), Stdio::null(), options.limit);
        run.is_ok()
    };
    solvers.retain(runs);
    if solvers.is_empty() {
        let program = options.program.display();
        return Err(format!("{program} does not run; run 'make build' first").into());
    }
    solvers.push(Solver::new("sudoku crate 0.8", beside_this("peer-sudoku")?, &[]));
    if let Some(folder) = &options.peers {
        solvers.extend(peers_in(folder)?);
    }
    Ok(solvers)
}

/// Prints what is compared, and which known peers are missing.
fn print_solvers(solvers: &[Solver], options: &Options) {
    println!("{}, {}\n", report::cpu_name(), report::today());
    for solver in solvers {
        let version = solver.version(options.limit);
        println!("{}: {}", solver.name, version.as_deref().unwrap_or("version unknown"));
    }
    for (name, description) in KNOWN_PEERS {
        if solvers.iter().all(|solver| solver.name != name) {
            println!("{name}: not found; needs a program PEERS/{name} ({description})");
        }
    }
}

/// Measures the corpora one after another, and prints each row when it is complete.
fn measure(table: &mut Table, options: &Options) -> Result<()> {
    println!(
        "\nµs of CPU time a puzzle: whole processes on one thread from a file to /dev/null, median of {} runs in turns.\n\
         In brackets: times as long as sudoku-filter. !: wrong answers.\n",
        options.runs
    );
    println!("{}  statuses", table.header());
    let mut skipped = Vec::new();
    for path in report::puzzle_files(&options.files)? {
        let Some(corpus) = puzzles::classic_puzzles(&path)? else {
            skipped.push(path.display().to_string());
            continue;
        };
        let row = comparison::compare_on(&path, &corpus, table.solvers, options)?;
        println!("{}  {}", table.figures(&row, THROUGHPUT), row.statuses);
        print!("{}", table.remarks(&row));
        table.rows.push(row);
    }
    if !skipped.is_empty() {
        println!("\nSkipped, not classic 9x9: {}", skipped.join(", "));
    }
    Ok(())
}

/// Prints the time for one puzzle alone, and below it that of `cat`, which has nothing to solve.
fn print_alone(table: &Table, options: &Options) -> Result<()> {
    println!(
        "\nOne puzzle alone: µs from writing a line to a running process until its answer is read, median over the first\n\
         {} lines of each corpus.\n",
        latency::PUZZLES
    );
    println!("{}", table.header());
    for row in &table.rows {
        println!("{}", table.figures(row, ALONE));
    }
    let cat = Solver::new("cat", "cat".into(), &[]);
    let line = format!("{}\n", ".".repeat(81));
    let mut seconds = latency::seconds_alone(&cat, &line.repeat(latency::PUZZLES), options.limit)?;
    let microseconds = report::median(&mut seconds) * 1e6;
    println!("\nThe pipes' share: `cat`, which copies the line, takes {microseconds:.1} µs.");
    Ok(())
}

/// Prints the time of a call of each library.
fn print_libraries(options: &Options) -> Result<()> {
    println!(
        "\nLibraries: µs of elapsed time a call with one puzzle, in a process that is already running, on average over the first\n\
         {} lines of each corpus; the minimum of {} runs in turns.\n",
        library::PUZZLES,
        options.runs
    );
    print!("{:<14}", "corpus");
    library::CALLS.iter().for_each(|name| print!(" {name:>24}"));
    println!();
    for path in report::puzzle_files(&options.files)? {
        let Some(corpus) = puzzles::classic_puzzles(&path)? else {
            continue;
        };
        let seconds = library::seconds_a_call(&corpus, options.runs)?;
        print!("{:<14}", path.file_stem().unwrap_or_default().display());
        for seconds in seconds {
            print!(" {:>24.3}", seconds * 1e6);
        }
        println!();
    }
    Ok(())
}
