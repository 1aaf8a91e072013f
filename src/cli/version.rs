//! The texts of `-V` and `--version`.

use sudoku_filter::program::Level;

pub fn brief() -> String {
    concat!("sudoku-filter ", env!("CARGO_PKG_VERSION"), "\n").to_string()
}

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
