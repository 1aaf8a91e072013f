//! The same bytes at every level of the machine, for every file of data/, whatever the number of threads; and the same
//! answer to a jigsaw whether its layout has a board of its own or shares one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use sudoku_filter::{Level, Variant};

fn files() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
    let mut files: Vec<PathBuf> = [data.clone(), data.join("bench")]
        .iter()
        .flat_map(|folder| {
            fs::read_dir(folder)
                .unwrap()
                .map(|entry| entry.unwrap().path())
        })
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    files.sort();
    assert!(files.len() > 30, "{} files", files.len());
    files
}

/// The variants that a file's name tells; some are called by two words.
fn variants(file: &Path) -> String {
    let stem = file.file_stem().unwrap().to_string_lossy().into_owned();
    let words: Vec<&str> = stem.split('-').collect();
    let two = words.windows(2).map(|two| two.join("-"));
    let names = words.iter().map(|word| word.to_string()).chain(two);
    let told = names.filter(|name| Variant::NAMES.iter().any(|(names, _)| names[0] == name));
    told.fold("classic".to_string(), |list, name| list + "," + &name)
}

fn answers(file: &Path, more: &[&str]) -> Vec<u8> {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sudoku-filter"));
    program
        .args(["-q", "--max-guesses", "2000", "--variant", &variants(file)])
        .args(["-o", "solution,status,guesses"])
        .args(more)
        .arg(file);
    let output = program.stderr(Stdio::inherit()).output().unwrap();
    assert!(
        output.status.code().is_some_and(|status| status < 2),
        "{}",
        file.display()
    );
    output.stdout
}

#[test]
fn every_level_gives_the_same_bytes_for_every_number_of_threads() {
    for file in files() {
        let expected = answers(&file, &["--cpu", "portable", "-j1"]);
        assert!(!expected.is_empty());
        for name in Level::NAMES {
            if Level::named(name).is_none() {
                println!("skipped: this machine has no {name}");
                continue;
            }
            for threads in ["-j1", "-j3"] {
                let found = answers(&file, &["--cpu", name, threads]);
                assert!(found == expected, "{} {name} {threads}", file.display());
            }
        }
    }
}

#[test]
fn a_jigsaw_is_answered_the_same_with_company_of_its_layout_and_without() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    for file in files()
        .iter()
        .filter(|file| variants(file).contains("jigsaw"))
    {
        let text = fs::read_to_string(file).unwrap();
        let lines: Vec<&str> = text.lines().take(40).collect();
        let few = folder.join(file.file_name().unwrap());
        fs::write(&few, lines.join("\n")).unwrap();
        let alone = answers(&few, &[]);
        // So many that each layout is worth a board.
        let many: String = lines
            .iter()
            .map(|line| format!("{line}\n").repeat(70))
            .collect();
        fs::write(&few, many).unwrap();
        let together = answers(&few, &[]);
        let firsts: Vec<&[u8]> = together
            .split_inclusive(|&byte| byte == b'\n')
            .step_by(70)
            .collect();
        assert!(firsts.concat() == alone, "{}", file.display());
    }
}

#[test]
fn what_two_lines_claim_counts_before_a_lane_branches_also_where_extra_houses_narrowed_it() {
    // A board of one layout once noticed it a sweep later: these took 155 and 252 guesses there.
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
        let of_one_layout = answers(&file, &["--regions", layout, "-o", "status,guesses"]);
        assert_eq!(String::from_utf8_lossy(&of_one_layout), expected);
        fs::write(&file, format!("{puzzle} {layout}")).unwrap();
        let of_its_own = answers(&file, &["-o", "status,guesses"]);
        assert_eq!(String::from_utf8_lossy(&of_its_own), expected);
    }
}
