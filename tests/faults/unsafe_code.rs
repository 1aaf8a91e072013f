//! Unsafe code is only in `cli/process.rs`, in `cli/allocator.rs`, in `main.rs`, which C calls, and in
//! two files of the SIMD levels: one for instructions, one for indices. Each block has a safety
//! comment.

use std::fs;
use std::path::{Path, PathBuf};

/// Returns all Rust files in and below `folder`.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let all = entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] });
    all.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Returns a line of code without its comment.
fn without_comment(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

#[test]
fn unsafe_code_is_in_the_allowed_files_only_and_each_block_has_a_safety_comment() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let files = sources(&root);
    assert!(files.len() > 15, "{files:?}");
    let mut blocks = 0;
    for file in files {
        let name = file.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
        let is_allowed = [
            "cli/allocator.rs",
            "cli/process.rs",
            "main.rs",
            "engine/solver/simd/checked_index.rs",
            "engine/solver/simd/instructions.rs",
        ]
        .contains(&&*name);
        let text = fs::read_to_string(&file).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for (index, line) in lines.iter().enumerate() {
            let is_unsafe = without_comment(line)
                .split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_')
                .any(|word| word == "unsafe");
            if !is_unsafe {
                continue;
            }
            assert!(is_allowed, "{name}:{}: {line}", index + 1);
            if without_comment(line).contains("unsafe {") {
                blocks += 1;
                let above = lines[..index].iter().rev().take(6);
                let has_reason = above.chain([line]).any(|line| line.contains("SAFETY:"));
                assert!(has_reason, "{name}:{}: no reason is given: {line}", index + 1);
            }
        }
    }
    assert!(blocks > 5, "{blocks} blocks");
}

#[test]
fn cargo_toml_denies_unsafe_code() {
    let manifest =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml")).unwrap();
    for line in ["unsafe_code = \"deny\"", "undocumented_unsafe_blocks = \"deny\""] {
        assert!(manifest.contains(line), "{line}");
    }
}
