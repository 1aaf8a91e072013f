//! A Unix filter that solves and verifies sudoku, one puzzle per line.
//!
//! The layers of the source, from the top. Each one uses only those below it.
//!
//! ```text
//! cli/         the program: command line and process
//!                args.rs (parses the command line), flags.rs (names and help of options), run.rs (runs the filter),
//!                help.rs man.rs bash.rs zsh.rs fish.rs (pages written from flags.rs), page.rs (the names of pages),
//!                progress.rs (--progress), failure.rs (reasons for exit status 2),
//!                process.rs allocator.rs (settings of the process)
//! lib.rs       the public items of the library
//! pipeline/    the lines of a task -> output lines; its mod.rs walks with a line through all of these
//!                options.rs, settings.rs (what is decided once), isolate.rs (an internal error costs one line only)
//!                read:  read.rs (a line -> an entry), fields.rs (its fields), entry.rs
//!                group: batch.rs (puzzles that are solved together), rulesets.rs (the rules of a puzzle)
//!                solve: solve.rs, minimize.rs (--minimize), enumerate.rs (--all), findings.rs
//!                write: emit.rs (in input order), write.rs (an output line), columns.rs (the value of each column)
//! solver/      puzzles -> solutions, many at a time; its mod.rs is the way in
//!                limits.rs deadline.rs random.rs, pencilled.rs (--method pencil), jigsaws.rs (a layout in each line)
//!   lanes/       the main loop: search.rs (branches of a lane), sharing.rs (lanes share a puzzle), board.rs (trait Board)
//!   bands/       the board of 9x9 grids with 3x3 boxes: boxes.rs (its deductions), configurations.rs, transpose.rs;
//!                faster forms of some constraints: extra_constraints.rs, overlay.rs, diagonals.rs
//!   regions/     the board of all other grids, and of pencilmarks: board.rs (its state), locked.rs (locked candidates),
//!                shared.rs with segments.rs (its sweep, one layout for all lanes), per_lane.rs with membership.rs (the same
//!                sweep, a layout in each lane), branching.rs
//!   constraints/ deductions of both boards: singles.rs, houses.rs (houses, groups, pairs), common_peers.rs
//!   cdcl/        the fallback for hard puzzles, clause learning and the plain search in turns: encode.rs (puzzle -> formula),
//!                solver.rs (SAT solver) with clauses.rs order.rs restarts.rs
//!   backtrack.rs the plain search
//!   simd/        vector operations: level.rs (CPU levels), portable.rs avx2.rs avx512.rs (one level each),
//!                x86.rs (what the last two share), checked_index.rs
//! pencil/      solves as a person does (grade, steps, hint): paper.rs (candidates), tables.rs, step.rs, grading.rs,
//!              technique.rs (names and order), singles.rs locked.rs subsets.rs fish.rs wings.rs (the techniques)
//! canonical/   one form for all equivalent puzzles: symmetries.rs, search.rs, labels.rs
//! verify.rs    checks an answer by the rules, without any solver
//! text/        notations: record.rs (a line -> fields), csv.rs (header names, a CSV record -> fields), symbols.rs (symbols <->
//!              digits), size.rs (length -> side), sumocue.rs, hints.rs (lines that another option would read),
//!              columns.rs (names for -o), output_line.rs (default columns), grid_output.rs (--draw)
//!   grid_input/  --input grid: line.rs entry.rs assembler.rs spacing.rs
//! stream/      lines in, output in the same order; knows no Sudoku: source.rs chunks.rs tasks.rs task_size.rs
//!              output_queue.rs (tasks in input order) writer.rs whole_write.rs (no partial line without memory)
//!              sys.rs (system calls)
//! rules/       what a grid must satisfy: house.rs, pair.rs, crossings.rs (houses that share cells), place.rs (r4c5),
//!              cell_set.rs, layout.rs (boxes, regions), variants.rs (names for --variant), variant_constraints.rs (what each
//!              adds), extra.rs (--extra), implied.rs (houses that follow from others), error.rs
//! puzzle.rs    puzzles as digits or candidates
//! verdict.rs   statuses, and how many lines have each
//! error.rs     errors that end a run; prints messages about lines. Their texts are where the error is found.
//! ```

mod cli;

use std::io::Write;
use std::process::ExitCode;

use cli::args::{self, Command};
use cli::failure::Failure;
use cli::page::Page;
use cli::run::{Completion, run};
use cli::{allocator, bash, fish, help, man, process, zsh};
use sudoku_filter::{Error, guarded};

fn main() -> ExitCode {
    allocator::keep_freed_memory();
    process::install_panic_hook();
    let result = guarded(run_command).unwrap_or_else(|error| Err(error.into()));
    if let Err(failure) = &result {
        failure.report();
    }
    ExitCode::from(exit_status(&result))
}

fn run_command() -> Result<Completion, Failure> {
    process::restore_closed_streams().map_err(Error::from)?;
    match args::parse(std::env::args_os().skip(1)).map_err(Failure::Usage)? {
        Command::Run(options) => run(*options),
        Command::BriefHelp => print(&help::brief_help()),
        Command::FullHelp => print(&help::full_help()),
        Command::Generate(Page::Man) => print(&man::page()),
        Command::Generate(Page::Bash) => print(&bash::completions()),
        Command::Generate(Page::Zsh) => print(&zsh::completions()),
        Command::Generate(Page::Fish) => print(&fish::completions()),
        Command::Version => print(concat!("sudoku-filter ", env!("CARGO_PKG_VERSION"), "\n")),
    }
}

/// Prints a page on standard output.
fn print(page: &str) -> Result<Completion, Failure> {
    let mut output = process::standard_output();
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
