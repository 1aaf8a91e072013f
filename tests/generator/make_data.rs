//! `make-data DIR` writes the generated files of data/.

use std::path::Path;
use std::{env, fs, io};

#[path = "mod.rs"]
mod generator;

fn main() -> io::Result<()> {
    let directory = env::args_os().nth(1);
    let directory = directory.ok_or_else(|| io::Error::other("make-data DIR"))?;
    let directory = Path::new(&directory);
    fs::create_dir_all(directory.join("bench"))?;
    for file in generator::files::make(include_str!("../../data/malformed.tsv"), |_| true) {
        fs::write(directory.join(file.path), file.bytes)?;
    }
    Ok(())
}
