//! `make-data DIR [WORD]` writes the generated files of data/, or those with the word in their
//! paths.

use std::path::Path;
use std::{env, fs, io};

#[path = "mod.rs"]
mod generator;

fn main() -> io::Result<()> {
    let directory = env::args_os().nth(1);
    let directory = directory.ok_or_else(|| io::Error::other("make-data DIR [WORD]"))?;
    let directory = Path::new(&directory);
    let word = env::args().nth(2).unwrap_or_default();
    let is_wanted = |path: &str| path.contains(&word);
    fs::create_dir_all(directory.join("bench"))?;
    for file in generator::files::make(include_str!("../../data/malformed.tsv"), is_wanted) {
        fs::write(directory.join(file.path), file.bytes)?;
    }
    Ok(())
}
