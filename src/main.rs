//! Solves and verifies sudoku, a puzzle a line. The way of a puzzle, file by file:
//!
//! ```text
//! bytes in    source.rs     files and standard input; chunks.rs: a stream -> chunks of whole lines
//!             filter/       rayon's threads take tasks of lines in turn; rows come back in order
//!             grid_input/   puzzles drawn over several lines -> lines
//! line        answer/       the lines of a task -> rows, by way of
//!             record.rs     a line -> its fields; csv.rs: a record of CSV
//!             symbols.rs    fields -> grids of digits, or the reason why not; size.rs: their side from the length of
//!                           the field; sumocue.rs: another notation
//!             rules/        what a grid must obey: houses, groups, pairs
//!             hints.rs      recognises lines that another option would read
//! solver      solver/       answers grids that share their rules
//!               lanes.rs      many side by side, each with a search of its own (search.rs); shared.rs: idle lanes help
//!               bands.rs      the board of 9x9 grids of 3x3 boxes, and boxes.rs its deductions; ways.rs, nibbles.rs: its
//!                             ways, its digits; beyond.rs: what variants add to it, views.rs: second grids,
//!                             diagonals.rs
//!               divisions.rs  for all others, by boxes or regions; patchwork.rs: with a layout a lane; segments.rs
//!               houses.rs     for other houses that variants add
//!               simd/         the vectors of each level of machine
//!               backtrack.rs  the plain search, which judges the lanes
//! or          verify.rs     checks a given answer by the rules
//! or          pencil/       what a person makes of it: grade, steps, hint
//! verdict     verdict.rs    what is said of a line, and its part in the exit status
//!             columns.rs    what may be told besides; canonical/: a form for puzzles that are the same
//!             render.rs     the columns of a row; grid_output.rs: drawn grids
//! bytes out   filter/       written in the order of the input
//! ```
//!
//! Beside them: `args.rs` (the command line), `flags.rs` (one table of options), `generate/` (the man page and
//! completions from that table), `progress.rs` (how far the run is), `error.rs` (what ends a run), `sys.rs` (signals and
//! polling).

mod args;
mod flags;
mod generate;
mod progress;

use std::fmt::Display;
use std::fs::File;
use std::io::{self, IsTerminal, Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant};

use args::{Command, Layout, Options, StrayValue, When};
use progress::Progress;
use sudoku_filter::{
    Answerer, Error, Flow, Line, Mode, Outcome, Source, Tally, die_of_sigpipe, escaped, filter,
    guarded, keep_freed_memory, refuse_packed_layout, standard_output,
};

/// The run failed; wins over what the lines say.
const FAILED: u8 = 2;
/// Some line is invalid or unknown, or its answer not correct.
const NOT_ALL_GOOD: u8 = 1;

fn main() -> ExitCode {
    keep_freed_memory();
    let ended = guarded(do_as_told);
    ended
        .unwrap_or_else(|error| Err(error.into()))
        .unwrap_or_else(|trouble| {
            match trouble {
                Trouble::Usage(reason) => {
                    tell(&reason);
                    tell("try 'sudoku-filter --help'");
                }
                Trouble::Fault(reason) => tell(&reason),
                Trouble::Run(Error::ReaderGone) => die_of_sigpipe(),
                Trouble::Run(error) => tell(&error.to_string()),
            }
            ExitCode::from(FAILED)
        })
}

fn do_as_told() -> Result<ExitCode, Trouble> {
    match args::parse(std::env::args_os().skip(1)).map_err(Trouble::Usage)? {
        Command::Run(options) => run(*options),
        Command::BriefHelp => print(&flags::brief_help()),
        Command::FullHelp => print(&flags::full_help()),
        Command::Generate(page) => print(&page.text()),
        Command::Version => print(concat!("sudoku-filter ", env!("CARGO_PKG_VERSION"), "\n")),
    }
}

/// Why the program does not end well.
enum Trouble {
    Usage(String),
    Fault(String),
    Run(Error),
}

impl From<Error> for Trouble {
    fn from(error: Error) -> Trouble {
        Trouble::Run(error)
    }
}

fn run(options: Options) -> Result<ExitCode, Trouble> {
    let begin = Instant::now();
    refuse_stray_value(&options)?;
    let sources = sources(&options);
    let mut answer = options.answer;
    answer.regions = options.regions.as_ref().map(read_layout).transpose()?;
    if let Some(drawing) = &mut answer.drawing {
        drawing.color = is_coloured(options.color);
    }
    let mode = answer.mode;
    let answerer = Arc::new(Answerer::new(answer).map_err(Trouble::Usage)?);
    if sources.contains(&Source::Stdin) && io::stdin().is_terminal() {
        tell("reading puzzles from the terminal, one a line; end with ctrl-D");
    }
    let flow = Flow {
        threads: options.threads.unwrap_or_else(all_threads),
        errors: usize::try_from(options.errors).unwrap_or(usize::MAX),
        quiet: options.quiet,
        meter: Arc::default(),
    };
    let progress = Progress::of(options.progress, &sources, &flow.meter);
    let mut output = standard_output().map_err(Error::from)?;
    let outcome = filter(
        &sources,
        &answerer,
        &mut output,
        &mut progress.messages(),
        &flow,
    );
    drop(progress);
    let Outcome { tally, failed } = outcome?;
    if options.summary {
        eprint_line(&summary(&tally, mode, begin.elapsed()));
    }
    let required = options.require.as_ref();
    Ok(
        match required.is_none_or(|statuses| tally.are_all(statuses)) {
            _ if failed => ExitCode::from(FAILED),
            true if tally.is_good() => ExitCode::SUCCESS,
            _ => ExitCode::from(NOT_ALL_GOOD),
        },
    )
}

/// Refuses `--all 3` where there is no file called 3.
fn refuse_stray_value(options: &Options) -> Result<(), Trouble> {
    match &options.stray_value {
        Some(StrayValue { option, file }) if !file.exists() => {
            let name = file.display();
            Err(Trouble::Fault(format!(
                "{name}: no such file; the value of {option} stands behind a '=': {option}={name}"
            )))
        }
        _ => Ok(()),
    }
}

/// `lines=3 unique=2 multiple=0 none=1 unknown=0 invalid=0 seconds=0.004 rate=750`
fn summary(tally: &Tally, mode: Mode, time: Duration) -> String {
    let lines = tally.total();
    let mut text = format!("lines={lines}");
    for status in args::statuses_of(mode) {
        text += &format!(" {status}={}", tally.of(*status));
    }
    let seconds = time.as_secs_f64();
    text + &format!(" seconds={seconds:.3} rate={:.0}", lines as f64 / seconds)
}

/// Whether found digits are drawn in another colour.
fn is_coloured(when: When) -> bool {
    match when {
        When::Always => true,
        When::Never => false,
        When::Auto => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let is_dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
            io::stdout().is_terminal() && !no_color && !is_dumb
        }
    }
}

fn sources(options: &Options) -> Vec<Source> {
    if options.files.is_empty() {
        return vec![Source::Stdin];
    }
    let source = |file: &std::path::PathBuf| match file.as_os_str() == "-" {
        true => Source::Stdin,
        false => Source::File(file.clone()),
    };
    options.files.iter().map(source).collect()
}

/// The labels of `--regions`; in a file blanks, line ends, byte order marks and comments do not count.
fn read_layout(layout: &Layout) -> Result<Vec<u8>, Trouble> {
    let file = match layout {
        Layout::Given(labels) => return Ok(labels.clone().into_bytes()),
        Layout::InFile(file) => file,
    };
    let fault = |reason: &dyn Display| Trouble::Fault(format!("{}: {reason}", file.display()));
    let mut text = Vec::new();
    let opened = File::open(file).map_err(|error| fault(&error))?;
    opened
        .take(LARGEST_LAYOUT + 1)
        .read_to_end(&mut text)
        .map_err(|error| fault(&error))?;
    if text.len() as u64 > LARGEST_LAYOUT {
        return Err(fault(&"no layout is that large"));
    }
    let name = file.as_os_str().as_bytes();
    refuse_packed_layout(name, &text).map_err(|reason| fault(&reason))?;
    let rows = text
        .split(|&byte| byte == b'\n')
        .filter_map(|line| match Line::of(line) {
            Line::Copied(_) => None,
            Line::Record(row) => Some(row),
        });
    let symbols = rows.flatten().copied();
    Ok(symbols
        .filter(|symbol| !symbol.is_ascii_whitespace())
        .collect())
}

/// Bytes of a file with the layout of a 25x25, and plenty of blanks.
const LARGEST_LAYOUT: u64 = 64 << 10;

fn all_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Bytes of a message: what the user wrote is part of it.
const LONGEST_MESSAGE: usize = 600;

/// Writes a page that was asked for.
fn print(page: &str) -> Result<ExitCode, Trouble> {
    let mut output = standard_output().map_err(Error::from)?;
    output.write_all(page.as_bytes()).map_err(Error::from)?;
    Ok(ExitCode::SUCCESS)
}

fn tell(text: &str) {
    let text = escaped(text.as_bytes(), LONGEST_MESSAGE);
    eprint_line(&format!("sudoku-filter: {text}"));
}

fn eprint_line(text: &str) {
    // There is nowhere left to say that this failed.
    let _ = writeln!(io::stderr(), "{text}");
}
