//! `make bench`: measures the puzzles that each method solves in a second, at each CPU level of
//! this machine and for each file. `peers/` compares whole processes with other programs.

#[path = "../../src/cli/allocator.rs"]
mod allocator;
mod corpus;
mod measure;
mod report;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use lexopt::{Arg, Parser, ValueExt};
use sudoku_filter::program::Level;
use sudoku_filter::{Limits, Method};

use corpus::{Corpus, Settings};
use measure::{BACKTRACK_SAMPLE, Contender, measure, thread_seconds};

const HELP: &str = "\
bench [OPTION]... [FILE|DIR]...
Measures the solver on files of puzzles, by default on data/bench; of a DIR it takes the *.txt.

  --levels LIST       portable,neon,avx2,avx512; by default all that this machine has
  --methods LIST      lanes,backtrack,pencil; by default all
  --repeat N          measurements of each solver, in turns; the table shows the median (default 3)
  --max-guesses N     guess limit of the lanes (default 10000; 0: never)
  --csv FILE          also writes the table as CSV; by default target/bench-DATE.csv
";

/// Backtracking would run without end on many files.
const BACKTRACK_GUESSES: u64 = 10_000;

const COLUMNS: &str = "date,cpu,corpus,solver,puzzles,max_guesses,puzzles_per_second,\
microseconds_per_puzzle,percent_without_guesses,guesses_per_puzzle,unique,multiple,none,unknown";

struct Options {
    solvers: Vec<Contender>,
    repeat: usize,
    max_guesses: u64,
    csv: PathBuf,
    files: Vec<PathBuf>,
}

#[allow(unsafe_code)]
fn main() -> ExitCode {
    // SAFETY: no thread is started yet.
    unsafe { allocator::keep_freed_memory() };
    let ended = parse().and_then(|options| match options {
        Some(options) => run(&options),
        None => {
            print!("{HELP}");
            Ok(())
        }
    });
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        Err(reason) => {
            eprintln!("bench: {reason}");
            ExitCode::FAILURE
        }
    }
}

fn parse() -> Result<Option<Options>, String> {
    let mut options = Options {
        solvers: Vec::new(),
        repeat: 3,
        max_guesses: 10_000,
        csv: report::target().join(format!("bench-{}.csv", report::today())),
        files: Vec::new(),
    };
    let (mut levels, mut methods) = (None, "lanes,pencil,backtrack".to_string());
    let mut parser = Parser::from_env();
    let text = |error: lexopt::Error| error.to_string();
    while let Some(argument) = parser.next().map_err(text)? {
        match argument {
            Arg::Short('h') | Arg::Long("help") => return Ok(None),
            Arg::Value(file) => options.files.push(file.into()),
            Arg::Long("levels") => levels = Some(string_of(&mut parser)?),
            Arg::Long("methods") => methods = string_of(&mut parser)?,
            Arg::Long("repeat") => options.repeat = number_of(&mut parser)?.max(1) as usize,
            Arg::Long("max-guesses") => options.max_guesses = number_of(&mut parser)?,
            Arg::Long("csv") => options.csv = string_of(&mut parser)?.into(),
            _ => return Err(argument.unexpected().to_string()),
        }
    }
    if options.files.is_empty() {
        options.files.push("data/bench".into());
    }
    let levels = match &levels {
        Some(names) => names.split(',').collect(),
        None => {
            Level::NAMES.to_vec().into_iter().filter(|name| Level::named(name).is_some()).collect()
        }
    };
    options.solvers = solvers(&methods, levels, options.max_guesses)?;
    Ok(Some(options))
}

fn string_of(parser: &mut Parser) -> Result<String, String> {
    let value = parser.value().and_then(|value| value.string());
    value.map_err(|error| error.to_string())
}

fn number_of(parser: &mut Parser) -> Result<u64, String> {
    let value = parser.value().and_then(|value| value.parse());
    value.map_err(|error| error.to_string())
}

/// Returns one entry for the lanes at each level, and one for each other method.
fn solvers(methods: &str, levels: Vec<&str>, max_guesses: u64) -> Result<Vec<Contender>, String> {
    let mut solvers = Vec::new();
    for wanted in methods.split(',') {
        let known = Method::NAMES.iter().find(|(name, _)| *name == wanted);
        let &(name, method) = known.ok_or_else(|| format!("unknown method '{wanted}'"))?;
        if method != Method::Lanes {
            let limits = Limits::default().with_max_guesses(match method {
                Method::Backtrack => BACKTRACK_GUESSES,
                _ => max_guesses,
            });
            let settings = Settings { method, level: Level::default(), limits };
            solvers.push(Contender { name: name.to_string(), settings });
            continue;
        }
        for level_name in &levels {
            let level = Level::named(level_name);
            let level = level.ok_or_else(|| format!("this machine has no level '{level_name}'"))?;
            let settings =
                Settings { method, level, limits: Limits::default().with_max_guesses(max_guesses) };
            solvers.push(Contender { name: format!("{name} {level_name}"), settings });
        }
    }
    Ok(solvers)
}

fn run(options: &Options) -> Result<(), String> {
    let (cpu, date) = (report::cpu_name(), report::today());
    print_conditions(options, &cpu, &date);
    let mut csv = format!("{COLUMNS}\n");
    let (mut verdicts, mut left_out) = (0, 0);
    for path in report::puzzle_files(&options.files).map_err(|error| error.to_string())? {
        let corpus = match Corpus::read(&path) {
            Ok(corpus) => corpus,
            Err(reason) => {
                eprintln!("bench: skipped {}: {reason}", path.display());
                left_out += 1;
                continue;
            }
        };
        let rows = measure(&corpus, &options.solvers, options.repeat)
            .map_err(|reason| format!("{}: {reason}", path.display()))?;
        for row in &rows {
            println!("{}", row.shown(&corpus.name));
            let _ = writeln!(csv, "{date},{cpu},{},{}", corpus.name, row.fields());
        }
        verdicts += rows.iter().map(|row| row.puzzles).sum::<usize>();
        println!();
    }
    println!(
        "{verdicts} verdicts agree with those known for data/bench and with each other; all solutions are verified."
    );
    if left_out > 0 {
        return Err(format!("{left_out} files were skipped"));
    }
    fs::write(&options.csv, csv).map_err(|error| format!("{}: {error}", options.csv.display()))?;
    println!("Written to {}", options.csv.display());
    Ok(())
}

fn print_conditions(options: &Options, cpu: &str, date: &str) {
    let clock = match thread_seconds() {
        Some(_) => "its CPU time",
        None => "elapsed time",
    };
    println!(
        "{cpu}, {date}
One thread, from lines in memory to verdicts and grids; {clock}, median of {}.
Guess limit of the lanes: {}; of backtrack: {BACKTRACK_GUESSES}. Backtrack solves at most {BACKTRACK_SAMPLE} puzzles of a file.
`unknown` counts puzzles that reach the limit; their times are too low (~).
%no guess of pencil is the share of the puzzles that techniques alone solve.
",
        options.repeat, options.max_guesses
    );
    println!(
        "{:<30} {:<15} {:>7} {:>11} {:>10} {:>9} {:>10}  verdicts",
        "corpus", "solver", "puzzles", "puzzles/s", "µs/puzzle", "%no guess", "guesses"
    );
}
