//! The texts of `-V` and `--version`.

use sudoku_filter::Level;

/// Returns the line of `-V`.
pub fn brief() -> String {
    concat!("sudoku-filter ", env!("CARGO_PKG_VERSION"), "\n").to_string()
}

/// Returns the text of `--version`: the version, the CPU levels that are compiled in, and the best
/// level that this machine supports, with its number of lanes.
pub fn full() -> String {
    let best = Level::best();
    format!(
        "{}\nCPU levels compiled in: {}\nCPU level of this machine: {}, {} lanes\n",
        brief(),
        Level::COMPILED.join(", "),
        best.name(),
        best.lanes()
    )
}
