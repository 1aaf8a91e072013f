//! Puzzle files of the comparison.

use std::fs;
use std::path::Path;

use crate::Result;

/// Returns the text of a file if all its lines are classic 9x9 puzzles. A file of another variant has the variant in
/// its name.
pub fn classic_puzzles(path: &Path) -> Result<Option<String>> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    let is_variant = ["diagonal", "window", "jigsaw", "disjoint", "antiknight"]
        .iter()
        .any(|variant| name.contains(variant));
    let puzzles =
        fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((!is_variant && is_classic(&puzzles)).then(|| with_last_newline(&puzzles)))
}

fn is_classic(puzzles: &str) -> bool {
    !puzzles.is_empty() && puzzles.lines().all(|line| line.len() == 81)
}

fn with_last_newline(puzzles: &str) -> String {
    format!("{}\n", puzzles.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_of_81_cells_are_classic() {
        let line = ".".repeat(81);
        assert!(is_classic(&line));
        assert!(is_classic(&format!("{line}\n{line}\n")));
        assert!(!is_classic(""));
        assert!(!is_classic(&format!("{line}\n\n")));
        assert!(!is_classic(&format!("{line} {line}\n")));
    }

    #[test]
    fn a_repeated_corpus_keeps_its_lines_apart() {
        assert_eq!(with_last_newline("12").repeat(2), "12\n12\n");
        assert_eq!(with_last_newline("12\n").repeat(2), "12\n12\n");
    }
}
