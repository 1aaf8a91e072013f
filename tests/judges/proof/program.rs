//! Runs the program on puzzles and parses its output lines.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use super::constraints::{Constraints, digits_of};
use crate::run::PROGRAM;

/// A parsed output line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputLine {
    pub grid: Vec<u8>,
    pub status: String,
}

/// Returns the CPU levels that are compiled for this kind of CPU, except the portable one.
pub fn levels() -> Vec<String> {
    let output = Command::new(&*PROGRAM).arg("--version").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut lines = text.lines();
    let levels = lines.find_map(|line| line.strip_prefix("CPU levels compiled in: "));
    let levels = levels.expect("the version names the levels");
    levels.split(", ").skip(1).map(str::to_string).collect()
}

/// Returns whether this machine has a CPU level: on empty input the program fails only because of
/// its options.
pub fn has_level(level: &str) -> bool {
    let mut command = Command::new(&*PROGRAM);
    command.args(["--cpu", level]).stdin(Stdio::null()).stderr(Stdio::null());
    command.status().unwrap().success()
}

/// Returns the output line of each puzzle. Panics if the program refuses the options or a line.
pub fn output_lines(
    constraints: &Constraints,
    options: &[&str],
    puzzles: &[Vec<u8>],
) -> Vec<OutputLine> {
    let lines: Vec<String> = puzzles.iter().map(|puzzle| constraints.line(puzzle)).collect();
    let output_lines = output_lines_of(constraints, options, &lines);
    for (line, output_line) in lines.iter().zip(&output_lines) {
        assert_ne!(output_line.status, "invalid", "{constraints}: {line}");
    }
    output_lines
}

/// Returns the output line of each input line.
pub fn output_lines_of(
    constraints: &Constraints,
    options: &[&str],
    lines: &[String],
) -> Vec<OutputLine> {
    let input: String = lines.iter().map(|line| line.clone() + "\n").collect();
    let mut command = Command::new(&*PROGRAM);
    command.args(constraints.options()).args(options);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap_or_else(|error| panic!("{constraints}: {error}"));
    assert!(output.status.code().is_some_and(|code| code < 2), "{constraints}: {}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    let output_lines: Vec<OutputLine> = text
        .lines()
        .map(|line| {
            let (grid, status) =
                line.split_once('\t').unwrap_or_else(|| panic!("{constraints}: {line}"));
            OutputLine { grid: digits_of(grid), status: status.to_string() }
        })
        .collect();
    assert_eq!(output_lines.len(), lines.len(), "{constraints}: one output line for each line");
    output_lines
}
