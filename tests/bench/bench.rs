//! `make bench`: how many puzzles a second each method solves at each level of this machine, file by file. What whole
//! processes take, beside other programs, is for peers/.

mod corpus;
mod measure;
mod report;

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

use lexopt::{Arg, Parser, ValueExt};
use sudoku_filter::{Level, Limits, Method, keep_freed_memory};

use corpus::{Corpus, Way};
use measure::{BACKTRACK_SAMPLE, Solver, measure, thread_seconds};

const HELP: &str = "\
bench [OPTION]... [FILE|DIR]...
Times the solver on files of puzzles, by default those of data/bench; of a DIR, its *.txt.

  --levels LIST       of portable,avx2,avx512: by default all that this machine has
  --methods LIST      of lanes,backtrack,pencil: by default all
  --repeat N          times each is measured, in turns; the median is shown (default 3)
  --max-guesses N     where lanes give a puzzle up (default 10000; 0: never)
  --csv FILE          the table once more; by default target/bench-DATE.csv
";

/// The plain search would take for ever on many a file.
const BACKTRACK_GUESSES: u64 = 10_000;

const COLUMNS: &str = "date,cpu,corpus,solver,puzzles,max_guesses,puzzles_per_second,\
microseconds_per_puzzle,percent_without_guesses,guesses_per_puzzle,unique,multiple,none,unknown";

struct Options {
    solvers: Vec<Solver>,
    repeat: usize,
    max_guesses: u64,
    csv: PathBuf,
    files: Vec<PathBuf>,
}

fn main() -> ExitCode {
    keep_freed_memory();
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
        None => Level::NAMES
            .to_vec()
            .into_iter()
            .filter(|name| Level::named(name).is_some())
            .collect(),
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

/// Lanes once a level; the plain search has none.
fn solvers(methods: &str, levels: Vec<&str>, max_guesses: u64) -> Result<Vec<Solver>, String> {
    let mut solvers = Vec::new();
    for wanted in methods.split(',') {
        let known = Method::NAMES.iter().find(|(name, _)| *name == wanted);
        let &(name, method) = known.ok_or_else(|| format!("no method is called '{wanted}'"))?;
        if method != Method::Lanes {
            let limits = Limits {
                max_guesses: match method {
                    Method::Backtrack => BACKTRACK_GUESSES,
                    _ => max_guesses,
                },
                ..Limits::default()
            };
            let way = Way {
                method,
                level: Level::default(),
                limits,
            };
            solvers.push(Solver {
                name: name.to_string(),
                way,
            });
            continue;
        }
        for level_name in &levels {
            let level = Level::named(level_name);
            let level = level.ok_or_else(|| format!("this machine has no level '{level_name}'"))?;
            let way = Way {
                method,
                level,
                limits: Limits {
                    max_guesses,
                    ..Limits::default()
                },
            };
            solvers.push(Solver {
                name: format!("{name} {level_name}"),
                way,
            });
        }
    }
    Ok(solvers)
}

fn run(options: &Options) -> Result<(), String> {
    let (cpu, date) = (report::cpu_name(), report::today());
    tell_conditions(options, &cpu, &date);
    let mut csv = format!("{COLUMNS}\n");
    let (mut verdicts, mut left_out) = (0, 0);
    for path in report::puzzle_files(&options.files).map_err(|error| error.to_string())? {
        let corpus = match Corpus::read(&path) {
            Ok(corpus) => corpus,
            Err(reason) => {
                eprintln!("bench: {} is left out: {reason}", path.display());
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
        "{verdicts} verdicts agree with what is known of data/bench and with each other; their solutions verified."
    );
    if left_out > 0 {
        return Err(format!("{left_out} files were left out"));
    }
    fs::write(&options.csv, csv).map_err(|error| format!("{}: {error}", options.csv.display()))?;
    println!("Written to {}", options.csv.display());
    Ok(())
}

fn tell_conditions(options: &Options, cpu: &str, date: &str) {
    let clock = match thread_seconds() {
        Some(_) => "its CPU time",
        None => "elapsed time",
    };
    println!(
        "{cpu}, {date}
One thread, from lines in memory to verdicts and grids; {clock}, median of {}.
Lanes give a puzzle up after {} guesses, backtrack after {BACKTRACK_GUESSES}, and it gets {BACKTRACK_SAMPLE} puzzles of
a file at most. `unknown` are those given up; then the time is too good (~).
",
        options.repeat, options.max_guesses
    );
    println!(
        "{:<18} {:<15} {:>7} {:>11} {:>10} {:>9} {:>10}  verdicts",
        "corpus", "solver", "puzzles", "puzzles/s", "µs/puzzle", "%no guess", "guesses"
    );
}
