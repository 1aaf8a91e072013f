//! The names of the pages that `--generate` prints for other programs. `man.rs`, `bash.rs`,
//! `zsh.rs` and `fish.rs` write these pages from the table of options in `flags.rs`.

use super::flags::Page;
use super::values::{number, one_of};
use super::{bash, fish, man, zsh};

pub const NAMES: [(&str, Page); 4] = [
    ("man", man::page),
    ("complete-bash", bash::completions),
    ("complete-zsh", zsh::completions),
    ("complete-fish", fish::completions),
];

/// Returns the page with this name. In other programs, `--generate N` makes N puzzles. So the error
/// for a number also says how this program makes puzzles.
pub fn named(name: &str) -> Result<Page, String> {
    let end = match number(name) {
        Ok(_) => "; puzzles are made from full grids: --minimize --random 1",
        Err(_) => "",
    };
    one_of(&NAMES, name).map_err(|error| error + end)
}

/// Puts a backslash before each of the `special` characters.
pub fn escaped(text: &str, special: &[char]) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        if special.contains(&letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
