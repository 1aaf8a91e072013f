//! The text of `-V` and `--version`.

use sudoku_filter::Level;

/// The line of `-V`.
pub const BRIEF: &str = concat!("sudoku-filter ", env!("CARGO_PKG_VERSION"), "\n");

/// Returns the text of `--version`: the version, the CPU levels of the program, and the one that it uses on this machine.
pub fn full() -> String {
    let best = Level::best();
    format!(
        "{BRIEF}\nCPU levels compiled in: {}\nCPU level of this machine: {}, {} lanes\n",
        Level::COMPILED.join(", "),
        best.name(),
        best.lanes()
    )
}
