//! Reasons why the program fails, and messages on standard error.

use std::io;
use std::io::Write;

use sudoku_filter::Error;
use sudoku_filter::program::escaped;

use super::process::die_of_sigpipe;

pub enum Failure {
    /// The command line is wrong, or the layout of `--regions` is invalid.
    Usage(String),
    /// One of these:
    /// * The layout file of `--regions` cannot be used.
    /// * The value of `--regions` names a file, but lacks the `@` before it.
    /// * A file does not exist, and its name looks like the value of the option before it.
    Input(String),
    /// The output cannot be written, its reader has gone, or a panic ended the command.
    Run(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Run(error)
    }
}

impl Failure {
    /// Prints the reason on standard error, and for `Usage` also the command for help. If the
    /// reason is that the reader of the output has gone, ends the process by SIGPIPE instead.
    pub fn report(&self) {
        match self {
            Failure::Usage(reason) => {
                print_message(reason);
                print_message("try 'sudoku-filter --help'");
            }
            Failure::Input(reason) => print_message(reason),
            Failure::Run(Error::ReaderGone) => die_of_sigpipe(),
            Failure::Run(error) => print_message(&error.to_string()),
        }
    }
}

/// In bytes, before escaping. A message can quote a long text of the user.
const MAX_MESSAGE: usize = 600;

/// Prints `sudoku-filter: TEXT`, at most `MAX_MESSAGE` bytes, escaped for a terminal.
pub fn print_message(text: &str) {
    let text = escaped(text.as_bytes(), MAX_MESSAGE);
    print_line(&format!("sudoku-filter: {text}"));
}

pub fn print_line(text: &str) {
    // If standard error fails, there is no other place to report it.
    let _ = writeln!(io::stderr(), "{text}");
}
