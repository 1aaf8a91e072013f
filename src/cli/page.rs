//! The names of the pages that the program prints. `pages.rs` writes them.

use super::values::{number, one_of};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Page {
    /// `-h`
    Tasks,
    /// `--help`
    Help,
    /// `-V`
    Version,
    /// `--version`
    FullVersion,
    Man,
    Bash,
    Zsh,
    Fish,
}

/// Each page for another program, with the name that `--generate` gives it.
pub const GENERATED: [(&str, Page); 4] = [
    ("man", Page::Man),
    ("complete-bash", Page::Bash),
    ("complete-zsh", Page::Zsh),
    ("complete-fish", Page::Fish),
];

/// Other programs make N puzzles by `--generate N`, so the error for a number says how to do that.
pub fn generated(name: &str) -> Result<Page, String> {
    let end = match number(name) {
        Ok(_) => "; puzzles are made from full grids: --minimize --random 1",
        Err(_) => "",
    };
    one_of(&GENERATED, name).map_err(|error| error + end)
}
