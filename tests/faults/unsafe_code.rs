//! Where unsafe code stands: in `sys.rs`, in `process.rs` (the allocator of the program) and in the level files, each block
//! with its reason.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| {
        if path.is_dir() {
            sources(&path)
        } else {
            vec![path]
        }
    });
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// A line of code without what is a comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

#[test]
fn unsafe_code_is_in_its_files_only_and_each_block_says_why_it_holds() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&root);
    assert!(files.len() > 15, "{files:?}");
    let mut blocks = 0;
    for file in files {
        let name = file
            .strip_prefix(&root)
            .unwrap()
            .to_string_lossy()
            .into_owned();
        let may = ["sys.rs", "process.rs"].contains(&&*name) || name.starts_with("solver/simd/");
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let is_unsafe = code(line)
                .split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_')
                .any(|word| word == "unsafe");
            if !is_unsafe {
                continue;
            }
            assert!(may, "{name}:{}: {line}", index + 1);
            if code(line).contains("unsafe {") {
                blocks += 1;
                let above = lines[..index].iter().rev().take(6);
                let told = above.chain([line]).any(|line| line.contains("SAFETY:"));
                assert!(told, "{name}:{}: no reason is given: {line}", index + 1);
            }
        }
    }
    assert!(blocks > 5, "{blocks} blocks");
}

#[test]
fn unsafe_code_is_denied_where_nothing_allows_it() {
    let manifest =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    for line in [
        "unsafe_code = \"deny\"",
        "undocumented_unsafe_blocks = \"deny\"",
    ] {
        assert!(manifest.contains(line), "{line}");
    }
}
