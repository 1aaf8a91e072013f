//! `peer-sudoku [FILE]`: solves classic puzzles with the `sudoku` crate and writes the same output as sudoku-filter. Both
//! search for a second solution. A line without solution is written as it came. Without a file, the program reads
//! standard input and answers each line at once.

use std::error::Error;
use std::io::{self, BufWriter, Write};
use std::{env, fs};

use sudoku::Sudoku;

type Result = std::result::Result<(), Box<dyn Error>>;

fn main() -> Result {
    match env::args_os().nth(1) {
        Some(option) if option == "--version" => println!("sudoku crate 0.8.0"),
        Some(file) => answer_file(&fs::read_to_string(file)?)?,
        None => answer_each_line()?,
    }
    Ok(())
}

fn answer_file(puzzles: &str) -> Result {
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    for line in puzzles.lines() {
        answer(line, &mut output)?;
    }
    output.flush()?;
    Ok(())
}

fn answer_each_line() -> Result {
    let mut output = BufWriter::new(io::stdout().lock());
    for line in io::stdin().lines() {
        answer(&line?, &mut output)?;
        output.flush()?;
    }
    Ok(())
}

fn answer(line: &str, output: &mut impl Write) -> Result {
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
    Ok(())
}
