//! The output is the same, byte for byte, at every CPU level and for every number of threads, on
//! every file of data/. A jigsaw has the same output line whether its layout has a board of its own
//! or shares one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::PROGRAM;
use crate::skip::skip_for_machine;
use sudoku_filter::Variant;
use sudoku_filter::program::Level;

fn files() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut files: Vec<PathBuf> = [data.clone(), data.join("bench")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(files.len() > 30, "{} files", files.len());
    files
}

/// Returns the variants named in a file's name. Some variants have names of two words.
fn variants(file: &Path) -> String {
    let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
    let words: Vec<&str> = stem.split('-').collect();
    let two = words.windows(2).map(|two| two.join("-"));
    let names = words.iter().map(|word| word.to_string()).chain(two);
    let named = names.filter(|name| Variant::NAMES.iter().any(|(names, _)| names[0] == name));
    named.fold("classic".to_string(), |list, name| list + "," + &name)
}

fn output(file: &Path, options: &[&str]) -> Vec<u8> {
    let mut program = Command::new(&*PROGRAM);
    program
        .args(["-q", "--max-guesses", "2000", "--variant", &variants(file)])
        .args(["-o", "solution,status,guesses"])
        .args(options)
        .arg(file);
    let run = program.stderr(Stdio::inherit()).output().unwrap();
    assert!(run.status.code().is_some_and(|status| status < 2), "{}", file.display());
    run.stdout
}

#[test]
fn the_output_is_the_same_at_every_level_and_number_of_threads() {
    for file in files() {
        let expected = output(&file, &["--cpu", "portable", "-j1"]);
        assert!(!expected.is_empty());
        for name in Level::COMPILED {
            if Level::named(name).is_none() {
                skip_for_machine(&format!("this machine has no {name}"));
                continue;
            }
            for threads in ["-j1", "-j3"] {
                let found = output(&file, &["--cpu", name, threads]);
                assert!(found == expected, "{} {name} {threads}", file.display());
            }
        }
    }
}

#[test]
fn a_jigsaw_has_the_same_output_alone_and_with_others_of_its_layout() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for file in files().iter().filter(|file| variants(file).contains("jigsaw")) {
        let text = fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = text.lines().take(40).collect();
        let few = folder.join(file.file_name().unwrap());
        fs::write(&few, lines.join("\n")).unwrap();
        let alone = output(&few, &[]);
        // Each layout has enough puzzles for a board of its own.
        let many: String = lines.iter().map(|line| format!("{line}\n").repeat(70)).collect();
        fs::write(&few, many).unwrap();
        let together = output(&few, &[]);
        let firsts: Vec<&[u8]> =
            together.split_inclusive(|&byte| byte == b'\n').step_by(70).collect();
        assert!(firsts.concat() == alone, "{}", file.display());
    }
}

#[test]
fn locked_candidates_apply_before_a_lane_branches_on_both_boards() {
    // Both boards need the same number of guesses. A board that finds these eliminations one sweep
    // later needs 155 and 252.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for (number, puzzle, layout, expected) in [
        (
            1,
            "....3................8................5.............9.............6.............5",
            "AAAAAABBBACCCCCCBBACCDDBBBBACDDDDEEEFGDDGDEEEFGGGGHEEEFGGGHHHHHFFFFFIIHHFIIIIIIIH",
            "none\t153\n",
        ),
        (
            2,
            "9...................6............6...........1...................2..6............",
            "AAABCCCCCAAABCBBBCDDABBBEBCDAAFFFEECDDDDFFEEEDGFFFHEEEDGGFHHHIIGGHHHIHIIGGGGHIIII",
            "none\t250\n",
        ),
    ] {
        let file = folder.join(format!("jigsaw-nonconsecutive-{number}.txt"));
        fs::write(&file, puzzle).unwrap();
        let expected = format!("{puzzle}\t{expected}");
        let on_own_board = output(&file, &["--regions", layout]);
        assert_eq!(String::from_utf8_lossy(&on_own_board), expected, "{puzzle} --regions {layout}");
        fs::write(&file, format!("{puzzle} {layout}")).unwrap();
        let among_other_layouts = output(&file, &[]);
        assert_eq!(String::from_utf8_lossy(&among_other_layouts), expected, "{puzzle} {layout}");
    }
}
