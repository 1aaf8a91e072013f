//! Runs the program under faults of the system (files, signals, limits, streams) and on hostile
//! input. `tests/covered.md` lists them with measured figures.

mod files;
#[path = "../full/mod.rs"]
mod full;
mod hostile;
mod limits;
#[path = "../cli/run.rs"]
#[allow(dead_code, reason = "the command-line tests use the rest")]
mod run;
mod signals;
#[path = "../skip/mod.rs"]
mod skip;
mod streams;
mod unsafe_code;

/// A 4x4 puzzle with one solution.
pub const PUZZLE: &str = "123434122143....\n";
/// The output line of [`PUZZLE`].
pub const OUTPUT_LINE: &str = "1234341221434321\tunique\n";

/// Returns lines of several kinds that are solved quickly, and their output.
pub fn mixed_lines(copies: usize) -> (String, String) {
    let lines = "123434122143....\n# a comment\n11..............\nbad\n................1234\n\n1234341221434321\n";
    let output = "1234341221434321\tunique\n# a comment\n11..............\tnone\nbad\tinvalid\n................1234\tinvalid\n\n1234341221434321\tunique\n";
    (lines.repeat(copies), output.repeat(copies))
}
