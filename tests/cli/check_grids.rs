//! `check-grids [--variant LIST] PUZZLES OUTPUT` checks the output of a run. Prints how many output
//! lines have each status, or the first wrong line. Shares no code with the library.

#[path = "grids.rs"]
mod grids;

use std::fs;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let judged = match arguments[..] {
        ["--variant", list, puzzles, output] => judge(list, puzzles, output),
        [puzzles, output] => judge("classic", puzzles, output),
        _ => Err("usage: check-grids [--variant LIST] PUZZLES OUTPUT".to_string()),
    };
    match judged {
        Ok(counts) => {
            for (status, count) in counts {
                println!("{status} {count}");
            }
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("check-grids: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn judge(list: &str, puzzles: &str, output: &str) -> Result<grids::Counts, String> {
    let read = |file: &str| fs::read(file).map_err(|error| format!("{file}: {error}"));
    grids::Judge::of(list)?.judge_output(&read(puzzles)?, &read(output)?)
}
