//! Runs the program on every file of data/ and compares its output with the expected output. Checks that the generator
//! still makes the same files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

mod generator;

use generator::files::{self, MORE_VARIANTS, VARIANTS};

const MALFORMED: &str = include_str!("../data/malformed.tsv");

/// Runs the program in the project's directory.
fn run(options: &[&str], input: &[u8]) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_sudoku-filter"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    let input = input.to_vec();
    // A thread of its own writes the input: otherwise both programs would block once the pipes are full.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = program.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

fn read(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("data")
        .join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes
        .strip_suffix(b"\n")
        .unwrap()
        .split(|&byte| byte == b'\n')
        .collect()
}

fn fields(line: &[u8]) -> Vec<&[u8]> {
    line.split(|&byte| byte == b'\t').collect()
}

/// Compares line by line, so that a failure names the first line that differs.
fn assert_same_lines(name: &str, found: &[u8], expected: &[u8]) {
    for (index, (found, expected)) in lines(found).iter().zip(lines(expected)).enumerate() {
        assert_eq!(
            String::from_utf8_lossy(found),
            String::from_utf8_lossy(expected),
            "{name}, line {}",
            index + 1
        );
    }
    assert_eq!(lines(found).len(), lines(expected).len(), "{name}");
}

/// Returns each combination of variants with the stem of its files' names.
fn variants_and_names() -> impl Iterator<Item = (&'static str, String)> {
    let all = VARIANTS.into_iter().chain(MORE_VARIANTS);
    let names = all.map(|variants| (variants, variants.replace(',', "-")));
    names.chain([("classic", "sizes".to_string())])
}

#[test]
fn the_program_finds_the_answers_of_every_variant() {
    for (variants, name) in variants_and_names() {
        let output = run(&["--variant", variants], &read(&format!("{name}.txt")));
        assert_same_lines(&name, &output.stdout, &read(&format!("{name}.answers")));
        assert!(output.status.success(), "{name}");
    }
}

#[test]
fn verify_accepts_the_answers_of_every_variant() {
    for (variants, name) in variants_and_names() {
        let (puzzles, answers) = (
            read(&format!("{name}.txt")),
            read(&format!("{name}.answers")),
        );
        let (mut pasted, mut expected) = (Vec::new(), Vec::new());
        for (puzzle, answer) in lines(&puzzles).into_iter().zip(lines(&answers)) {
            let answer = fields(answer)[0];
            pasted.extend([puzzle, b"\t", answer, b"\n"].concat());
            expected.extend([answer, b"\tcorrect\t-\n"].concat());
        }
        let output = run(&["--verify", "--unique", "--variant", variants], &pasted);
        assert_same_lines(&name, &output.stdout, &expected);
        assert!(output.status.success(), "{name}");
    }
}

#[test]
fn puzzles_with_many_solutions_are_multiple_and_puzzles_without_are_none() {
    for (variants, name) in variants_and_names().filter(|(_, name)| name != "sizes") {
        let puzzles = read(&format!("many-{name}.txt"));
        let output = run(&["--variant", variants], &puzzles);
        for (puzzle, output_line) in lines(&puzzles).into_iter().zip(lines(&output.stdout)) {
            assert_eq!(
                fields(output_line)[1],
                b"multiple",
                "{}",
                puzzle.escape_ascii()
            );
        }
        let puzzles = read(&format!("none-{name}.txt"));
        let output = run(&["--variant", variants], &puzzles);
        for (puzzle, output_line) in lines(&puzzles).into_iter().zip(lines(&output.stdout)) {
            let given = [fields(puzzle)[0], b"none"];
            assert_eq!(fields(output_line), given, "{}", puzzle.escape_ascii());
        }
    }
}

#[test]
fn each_malformed_line_is_reported_with_its_reason() {
    for case in files::malformed_cases(MALFORMED) {
        let line = case.line.escape_ascii();
        let verifies = case.options.contains(&"--verify");
        let output = run(&case.options, &[case.line.as_slice(), b"\n"].concat());
        let mut expected = [case.first_column().as_slice(), b"\tinvalid"].concat();
        if verifies {
            expected.extend([b"\t", case.reason.as_bytes()].concat());
        }
        expected.push(b'\n');
        let expected = expected.escape_ascii().to_string();
        assert_eq!(output.stdout.escape_ascii().to_string(), expected, "{line}");
        let message = format!("sudoku-filter: -:1: {}\n", case.reason);
        assert_eq!(String::from_utf8_lossy(&output.stderr), message, "{line}");
        assert_eq!(output.status.code(), Some(1), "{line}");
    }
}

#[test]
fn malformed_lines_do_not_change_the_output_for_other_lines() {
    let output = run(&["--errors", "100", "data/malformed.txt"], b"");
    assert_same_lines("rows", &output.stdout, &read("malformed.answers"));
    assert_same_lines("messages", &output.stderr, &read("malformed.messages"));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn benchmark_puzzles_have_the_expected_status() {
    for (options, name, status) in [
        (&[] as &[&str], "easy", "unique"),
        (&[], "minimal", "unique"),
        (&[], "hard", "unique"),
        (&[], "many", "multiple"),
        (&[], "none", "none"),
        (&[], "16x16", "unique"),
        (&["--variant", "diagonal"], "diagonal", "unique"),
        (&["--variant", "window"], "window", "unique"),
        (
            &["--variant", "diagonal,window"],
            "diagonal-window",
            "unique",
        ),
        (&["--variant", "disjoint"], "disjoint", "unique"),
        (&["--variant", "antiknight"], "antiknight", "unique"),
        (&["--variant", "jigsaw"], "jigsaw", "unique"),
        (&["--variant", "jigsaw"], "jigsaw-one-layout", "unique"),
    ] {
        let puzzles = read(&format!("bench/{name}.txt"));
        let output = run(options, &puzzles);
        assert_eq!(lines(&output.stdout).len(), lines(&puzzles).len(), "{name}");
        for (puzzle, output_line) in lines(&puzzles).into_iter().zip(lines(&output.stdout)) {
            assert_eq!(
                fields(output_line)[1],
                status.as_bytes(),
                "{}",
                puzzle.escape_ascii()
            );
        }
    }
}

fn assert_made_the_same(is_wanted: impl Fn(&str) -> bool) {
    let made = files::make(MALFORMED, is_wanted);
    assert!(!made.is_empty());
    for file in made {
        assert_same_lines(&file.path, &file.bytes, &read(&file.path));
    }
}

/// True for files that take long: benchmarks have many puzzles, few layouts have a grid with diagonals, and few
/// searches find a grid without consecutive neighbours.
fn is_slow(path: &str) -> bool {
    path.starts_with("bench/")
        || path.contains("jigsaw-diagonal")
        || path.contains("nonconsecutive")
}

#[test]
fn the_generator_makes_the_same_files_again() {
    assert_made_the_same(|path| !is_slow(path));
}

/// Run with `cargo test --release --test data -- --ignored`.
#[test]
#[ignore = "takes a minute"]
fn the_generator_makes_the_same_slow_files_again() {
    assert_made_the_same(is_slow);
}
