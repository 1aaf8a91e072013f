//! Runs the filter with the options of the command line: lists the sources, reads a layout file,
//! decides on colours and the number of threads, prints the summary, and decides the exit status.

use std::fmt::Display;
use std::fs::File;
use std::io;
use std::io::{IsTerminal, Read};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[cfg(target_os = "linux")]
use nix::sys::resource::{Resource, getrlimit};
use sudoku_filter::program::{Line, Output, refuse_unreadable_layout, without_number};
use sudoku_filter::{Flow, Mode, Outcome, Pipeline, Source, Status, Tally, filter};

use super::arguments::{CommandOptions, StrayValue, When};
use super::failure::{Failure, print_line, print_message};
use super::process::{before_ending_signal, before_ending_without_reader, standard_output};
use super::progress::ProgressReport;
use super::values::Required;

pub fn run(mut options: CommandOptions) -> Result<u8, Failure> {
    let begin = Instant::now();
    reject_stray_value(options.stray_value.as_ref())?;
    options.pipeline.regions = options.regions.as_deref().map(read_layout).transpose()?;
    let sources = sources(&options);
    let mode = options.pipeline.mode;
    let pipeline = pipeline(&mut options)?;
    if sources.contains(&Source::Stdin) && io::stdin().is_terminal() {
        print_message("reading puzzles from the terminal, one per line; press ctrl-D to end");
    }
    let flow = flow(&options);
    let meter = Arc::clone(&flow.meter);
    before_ending_signal(move || {
        // Otherwise the end of the process could cut a write within a line.
        meter.stop_writes(LONGEST_LAST_WRITE);
        if options.summary {
            print_line(&summary(&meter.written(), mode, begin.elapsed()));
        }
    });
    let mut progress = ProgressReport::start(options.progress, &sources, &flow.meter);
    before_ending_without_reader({
        let progress = progress.clone();
        move || progress.end()
    });
    let outcome = filter(&sources, &pipeline, &mut *standard_output(), &mut progress, &flow);
    progress.end();
    let outcome = outcome?;
    if options.summary {
        print_line(&summary(&outcome.tally, mode, begin.elapsed()));
    }
    Ok(exit_status(&outcome, &options.require))
}

fn pipeline(options: &mut CommandOptions) -> Result<Pipeline, Failure> {
    let mut pipeline = mem::take(&mut options.pipeline);
    if let Some(Output::Drawing { color }) = &mut pipeline.output {
        *color = is_colored(options.color);
    }
    Pipeline::new(pipeline).map_err(|error| Failure::Usage(error.to_string()))
}

/// Without `--threads`, there is one thread per available CPU.
fn flow(options: &CommandOptions) -> Flow {
    let available_threads = || std::thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.unwrap_or_else(available_threads);
    let mut flow = Flow::new(threads.min(max_threads()));
    flow.errors = options.errors.unwrap_or(flow.errors);
    flow.quiet = options.quiet;
    flow
}

/// Returns the exit status: 2 if a source was not read to its end or a line caused an internal
/// error, otherwise 1 if some line has a status that is not as required, otherwise 0.
fn exit_status(outcome: &Outcome, required: &Required) -> u8 {
    let is_as_required = |status: Status| match required {
        Required::Good => status.is_good(),
        Required::Any => true,
        Required::OneOf(statuses) => statuses.contains(&status),
    };
    let mut statuses = Status::NAMES.iter().map(|(_, status)| *status);
    let is_missed = statuses.any(|it| !is_as_required(it) && outcome.tally.count(it) > 0);
    if outcome.failed { 2 } else { u8::from(is_missed) }
}

/// The maximum time for which a signal that ends the process waits for the end of a write. A write
/// has at most 64 KiB, so a reader that takes 128 KiB a second gets whole lines.
const LONGEST_LAST_WRITE: Duration = Duration::from_millis(500);

/// Returns an error if the file of a stray value does not exist, as in `--all 3` or `--draw svg`.
fn reject_stray_value(stray_value: Option<&StrayValue>) -> Result<(), Failure> {
    match stray_value {
        Some(StrayValue { option, file }) if !file.exists() => {
            let name = file.display();
            Err(Failure::Input(format!(
                "{name}: no such file; to pass it to {option}, write {option}={name}"
            )))
        }
        _ => Ok(()),
    }
}

/// `-` is standard input, the only source if there are no names, unless the program makes puzzles.
fn sources(options: &CommandOptions) -> Vec<Source> {
    if options.is_blank_template() {
        return vec![Source::Text(blank_grid(options))];
    }
    if options.files.is_empty() {
        return vec![Source::Stdin];
    }
    let source = |file: &PathBuf| {
        if file.as_os_str() == "-" { Source::Stdin } else { Source::File(file.clone()) }
    };
    options.files.iter().map(source).collect()
}

fn blank_grid(options: &CommandOptions) -> String {
    let side = options.size.unwrap_or(9);
    let cells = match (&options.pipeline.regions, options.size) {
        (Some(regions), None) => regions.len(),
        _ => side * side,
    };
    ".".repeat(cells) + "\n"
}

fn is_colored(when: When) -> bool {
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

/// Returns the maximum number of threads, at least 1. On Linux, it is the number for which the
/// address space has room (see `ulimit -v`): std allocates memory on a new thread, and ends the
/// process if there is none. On other systems the number is not limited.
fn max_threads() -> usize {
    /// Address space for a thread in bytes: 2 MiB of stack, and room for allocations of the thread.
    #[cfg(target_os = "linux")]
    const ROOM_FOR_A_THREAD: nix::libc::rlim_t = 8 << 20;
    #[cfg(target_os = "linux")]
    if let Ok((bytes, _)) = getrlimit(Resource::RLIMIT_AS) {
        return usize::try_from(bytes / ROOM_FOR_A_THREAD).map_or(usize::MAX, |count| count.max(1));
    }
    usize::MAX
}

/// In bytes: enough for a 25x25 layout with many blanks and comments.
const MAX_LAYOUT: u64 = 64 << 10;

fn read_layout(layout: &str) -> Result<Vec<u8>, Failure> {
    match layout.strip_prefix('@') {
        Some(file) => read_layout_file(file),
        None if Path::new(layout).is_file() => Err(Failure::Input(format!(
            "--regions {layout}: this is a file; to read the labels from it, write @{layout}"
        ))),
        None => Ok(layout.as_bytes().to_vec()),
    }
}

/// Returns the labels without blanks, line ends, comment lines and byte order marks.
fn read_layout_file(file: &str) -> Result<Vec<u8>, Failure> {
    let failure = |reason: &dyn Display| Failure::Input(format!("{file}: {reason}"));
    let mut text = Vec::new();
    let opened = File::open(file).map_err(|error| failure(&without_number(&error)))?;
    opened
        .take(MAX_LAYOUT + 1)
        .read_to_end(&mut text)
        .map_err(|error| failure(&without_number(&error)))?;
    if text.len() as u64 > MAX_LAYOUT {
        return Err(failure(&"too large for a layout: more than 64 KiB"));
    }
    refuse_unreadable_layout(file.as_bytes(), &text).map_err(|reason| failure(&reason))?;
    let rows = text.split(|&byte| byte == b'\n').filter_map(|line| match Line::of(line) {
        Line::Copied(_) => None,
        Line::Record(row) => Some(row),
    });
    let labels = rows.flatten().copied();
    let labels: Vec<u8> = labels.filter(|label| !label.is_ascii_whitespace()).collect();
    if labels.is_empty() {
        return Err(failure(&"no region labels"));
    }
    Ok(labels)
}

/// Formats the line of `--summary`: `lines=3 unique=2 multiple=0 none=1 unknown=0 invalid=0
/// seconds=0.004 rate=750`. With `--add` and `--remove`, each new puzzle has a status of its own, so
/// puzzles are counted in place of lines.
fn summary(tally: &Tally, mode: Mode, time: Duration) -> String {
    let lines = tally.total();
    let counted = if mode.replaces_puzzles() { "puzzles" } else { "lines" };
    let mut text = format!("{counted}={lines}");
    for status in mode.row().statuses {
        text += &format!(" {status}={}", tally.count(*status));
    }
    let seconds = time.as_secs_f64();
    text + &format!(" seconds={seconds:.3} rate={:.0}", lines as f64 / seconds)
}
