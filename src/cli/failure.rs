//! Reasons for exit status 2, and messages on standard error.

use std::io;
use std::io::Write;

use sudoku_filter::Error;
use sudoku_filter::program::escaped;

use super::process::die_of_sigpipe;

/// The reason why a command cannot be run, or cannot be finished.
pub enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// A file or value that the command line names cannot be used.
    Input(String),
    /// The run ended early.
    Run(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Run(error)
    }
}

impl Failure {
    /// Prints the reason on standard error. If the reader of the output has gone, ends the process by SIGPIPE instead.
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

/// The maximum number of bytes of a message before control characters are escaped. A message can quote what the user wrote, which
/// can be long.
const MAX_MESSAGE: usize = 600;

/// Prints `sudoku-filter: TEXT` on standard error, with control characters escaped.
pub fn print_message(text: &str) {
    let text = escaped(text.as_bytes(), MAX_MESSAGE);
    print_line(&format!("sudoku-filter: {text}"));
}

/// Prints a line on standard error.
pub fn print_line(text: &str) {
    // If standard error fails, there is no other place to report it.
    let _ = writeln!(io::stderr(), "{text}");
}
