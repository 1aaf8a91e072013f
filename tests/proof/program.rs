//! Runs the program on puzzles of a law.

use std::io::Write;
use std::process::{Command, Stdio};
use std::thread;

use crate::law::{Law, digits_of};

const PROGRAM: &str = env!("CARGO_BIN_EXE_sudoku-filter");

/// What it says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    pub grid: Vec<u8>,
    pub status: String,
}

/// Whether it knows these variants, and extra groups.
pub fn takes(variants: &str, extra: bool) -> bool {
    let more: &[&str] = if extra {
        &["--extra", "AA.............."]
    } else {
        &[]
    };
    accepts(&[&["--variant", variants], more].concat())
}

pub fn has_level(level: &str) -> bool {
    accepts(&["--cpu", level])
}

/// Empty input has an empty answer, so nothing but the options can be wrong.
fn accepts(options: &[&str]) -> bool {
    let mut command = Command::new(PROGRAM);
    command
        .args(options)
        .stdin(Stdio::null())
        .stderr(Stdio::null());
    command.status().unwrap().success()
}

/// A row for every puzzle.
pub fn rows(law: &Law, options: &[&str], puzzles: &[Vec<u8>]) -> Vec<Row> {
    let lines: Vec<String> = puzzles.iter().map(|puzzle| law.line(puzzle)).collect();
    rows_of_lines(law, options, &lines)
}

/// A row for every line.
pub fn rows_of_lines(law: &Law, options: &[&str], lines: &[String]) -> Vec<Row> {
    let input: String = lines.iter().map(|line| line.clone() + "\n").collect();
    let mut command = Command::new(PROGRAM);
    command.args(law.options()).args(options);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().unwrap();
    writer
        .join()
        .unwrap()
        .unwrap_or_else(|error| panic!("{law}: {error}"));
    assert!(
        output.status.code().is_some_and(|code| code < 2),
        "{law}: {}",
        output.status
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let rows: Vec<Row> = text
        .lines()
        .map(|row| {
            let (grid, status) = row
                .split_once('\t')
                .unwrap_or_else(|| panic!("{law}: {row}"));
            Row {
                grid: digits_of(grid),
                status: status.to_string(),
            }
        })
        .collect();
    assert_eq!(rows.len(), lines.len(), "{law}: a row for every line");
    rows
}
