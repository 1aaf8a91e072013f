//! A Unix filter that solves and verifies sudoku, one puzzle per line. A map of the source files, in the order in which
//! a puzzle passes through them:
//!
//! ```text
//! input       source.rs       opens files and standard input; chunks.rs: splits a byte stream into chunks of whole lines
//!             filter/         runs the workers and the writer, for any kind of lines: mod.rs starts them
//!               tasks.rs        cuts chunks into tasks; task_size.rs: how many lines a task gets
//!               output_queue.rs  puts the output of the workers into input order
//!               writer.rs       writes the output and decides when to flush
//!             grid_input/     joins the lines of a drawn puzzle (--input grid) into one record
//!               mod.rs          reads the drawing; line.rs: parses a line; entry.rs: the rows of a puzzle
//!               assembler.rs    decides where a puzzle begins and ends; spacing.rs: what blank lines separate; tests.rs
//! lines       pipeline/       turns the lines of a task into output lines: mod.rs lists the steps
//!               read.rs         reads the lines and groups puzzles into batches
//!               batch.rs        puzzles that are solved together, and the findings about them
//!               solve.rs        solves the batches; minimize.rs: --minimize; enumerate.rs: --all
//!               write.rs        writes the output lines; columns.rs: the value of each column
//!               isolate.rs      limits an internal error to the line that caused it
//!             record.rs       splits a line into fields; csv.rs: the same for CSV
//!             symbols.rs      converts symbols to digits and back; size.rs: the side of a puzzle from its length
//!             sumocue.rs      decodes SumoCue
//!             hints.rs        recognises lines that another option would read
//! rules       rules/          what a grid must satisfy
//!               mod.rs          houses, groups and pairs; implied.rs: houses that follow from other houses
//!               layout.rs       boxes and jigsaw regions; variants.rs: --variant; extra.rs: --extra
//! solver      solver/         solves grids that share their rules
//!               mod.rs          the public type; puzzles.rs: its input, as digits or candidates
//!               lanes.rs        the main loop: one puzzle per lane
//!               search.rs       the branches of a lane; random.rs: random order
//!               sharing.rs      combines the results of lanes that share a puzzle; deadline.rs: --max-time
//!               bands.rs        the board of 9x9 grids with 3x3 boxes
//!               boxes.rs        its sweep; configurations.rs: the configurations of a digit in a band
//!               transpose.rs    converts between puzzles and lanes
//!               extra_constraints.rs  constraints of variants; overlay.rs: overlay bands; diagonals.rs
//!               region_board.rs  the board of all other grids; segments.rs: where regions cross rows and columns
//!               per_lane.rs     the same board with a layout in each lane
//!               candidate.rs    the candidate to branch on; jigsaws.rs: which board fits jigsaws
//!               houses.rs       deductions for constraints in lists; common_peers.rs: lists of common peers
//!               fallback.rs     for hard puzzles: clause learning (cdcl.rs) and the plain search take turns
//!               backtrack.rs    the plain search, a reference for the lanes
//!               pencilled.rs    --method pencil: techniques of a person first
//!               simd/           the operations on vectors: mod.rs; portable.rs, avx2.rs, avx512.rs: one CPU level each;
//!                               checked_index.rs: array indices without bounds checks
//!             verify.rs       checks an answer by the rules, without any solver
//!             pencil/         solves as a person does: grade, steps, hint
//!               mod.rs          tries the techniques; paper.rs: the candidates; tables.rs: tables from the rules
//!               step.rs         one deduction and its text
//!               singles.rs locked.rs subsets.rs fish.rs wings.rs   the techniques
//!             canonical/      one form for all puzzles that differ only by symmetry: mod.rs
//!               symmetries.rs   the symmetries of the rules; search.rs: the least form of grids with boxes only
//! output      verdict.rs      statuses, and how many lines have each
//!             columns.rs      the columns that -o can name; render.rs: the default output line
//!             grid_output.rs  draws grids (--draw)
//! program     main.rs         runs the command and returns the exit status
//!             args.rs         parses the command line; flags.rs: the table of options, and help
//!             run.rs          runs the filter; progress.rs: reports progress
//!             failure.rs      reasons for exit status 2; process.rs: the allocator, which ends the program without memory
//!             generate/       the pages of --generate: man.rs: man page; bash.rs, zsh.rs, fish.rs: completions
//! library     lib.rs          the public items
//!             error.rs        errors that end a run, messages about lines
//!             sys.rs          system calls
//! ```

mod args;
mod failure;
mod flags;
mod generate;
mod process;
mod progress;
mod run;

use std::io::Write;
use std::process::ExitCode;

use args::Command;
use failure::Failure;
use run::{Completion, run};
use sudoku_filter::{Error, guarded, keep_freed_memory, standard_output};

fn main() -> ExitCode {
    keep_freed_memory();
    let result = guarded(run_command).unwrap_or_else(|error| Err(error.into()));
    if let Err(failure) = &result {
        failure.report();
    }
    ExitCode::from(exit_status(&result))
}

fn run_command() -> Result<Completion, Failure> {
    match args::parse(std::env::args_os().skip(1)).map_err(Failure::Usage)? {
        Command::Run(options) => run(*options),
        Command::BriefHelp => print(&flags::brief_help()),
        Command::FullHelp => print(&flags::full_help()),
        Command::Generate(page) => print(&page.text()),
        Command::Version => print(concat!("sudoku-filter ", env!("CARGO_PKG_VERSION"), "\n")),
    }
}

/// Prints a page on standard output.
fn print(page: &str) -> Result<Completion, Failure> {
    let mut output = standard_output().map_err(Error::from)?;
    output.write_all(page.as_bytes()).map_err(Error::from)?;
    Ok(Completion::Good)
}

/// Returns the exit status. A failure takes precedence over the statuses of lines.
fn exit_status(result: &Result<Completion, Failure>) -> u8 {
    match result {
        Ok(Completion::Good) => 0,
        Ok(Completion::NotAllGood) => 1,
        Ok(Completion::Failed) | Err(_) => 2,
    }
}
