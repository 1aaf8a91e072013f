//! `peer-sudoku FILE`: solves classic puzzles with the `sudoku` crate and writes the same output as sudoku-filter. Both
//! search for a second solution. A line without solution is written as it came.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::{env, fs};

use sudoku::Sudoku;

fn main() -> Result<(), Box<dyn Error>> {
    let file = env::args_os().nth(1).ok_or("peer-sudoku FILE")?;
    let puzzles = fs::read_to_string(file)?;
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for line in puzzles.lines() {
        let solutions = Sudoku::from_str_line(line)?.solutions_up_to(2);
        let (status, solution) = match &solutions[..] {
            [] => ("none", None),
            [solution] => ("unique", Some(solution)),
            [solution, ..] => ("multiple", Some(solution)),
        };
        match solution {
            Some(solution) => output.write_all(solution.to_str_line().as_bytes())?,
            None => output.write_all(line.as_bytes())?,
        }
        writeln!(output, "\t{status}")?;
    }
    output.flush()?;
    Ok(())
}
