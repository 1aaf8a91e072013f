//! Runs the program on every file of data/ and compares its output with the expected output. Checks
//! that the generator still makes the same files.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::full;
use crate::generator::files::{self, MORE_VARIANTS, VARIANTS};
use crate::generator::killer_files::{self, KILLERS};
use crate::generator::random::Random;
use crate::run::PROGRAM;

const MALFORMED: &str = include_str!("../../data/malformed.tsv");

/// Runs the program in the project's directory.
fn run(options: &[&str], input: &[u8]) -> Output {
    let mut program = Command::new(&*PROGRAM)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    let input = input.to_vec();
    // A thread of its own writes the input: otherwise both programs would block once the pipes are
    // full.
    let writer = std::thread::spawn(move || stdin.write_all(&input));
    let output = program.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    output
}

fn read(path: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(path);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn lines(bytes: &[u8]) -> Vec<&[u8]> {
    bytes.strip_suffix(b"\n").unwrap().split(|&byte| byte == b'\n').collect()
}

fn fields(line: &[u8]) -> Vec<&[u8]> {
    line.split(|&byte| byte == b'\t').collect()
}

/// Returns each line of a text with the same line of another, which must have as many.
fn pairs<'a>(
    name: &str,
    first: &'a [u8],
    second: &'a [u8],
) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
    let (first, second) = (lines(first), lines(second));
    assert_eq!(first.len(), second.len(), "{name}: numbers of lines");
    first.into_iter().zip(second)
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
    let all = VARIANTS.into_iter().chain(MORE_VARIANTS).chain(KILLERS);
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
fn puzzles_that_describe_their_rules_need_no_options() {
    let name = "self-describing";
    let output = run(&[], &read(&format!("{name}.txt")));
    assert_same_lines(name, &output.stdout, &read(&format!("{name}.answers")));
    assert!(output.status.success());
}

#[test]
fn verify_accepts_the_answers_of_every_variant() {
    for (variants, name) in variants_and_names() {
        let (puzzles, answers) = (read(&format!("{name}.txt")), read(&format!("{name}.answers")));
        let (mut pasted, mut expected) = (Vec::new(), Vec::new());
        for (puzzle, answer) in pairs(&name, &puzzles, &answers) {
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
        for (puzzle, output_line) in pairs(&name, &puzzles, &output.stdout) {
            assert_eq!(fields(output_line)[1], b"multiple", "{}", puzzle.escape_ascii());
        }
        let puzzles = read(&format!("none-{name}.txt"));
        let output = run(&["--variant", variants], &puzzles);
        for (puzzle, output_line) in pairs(&name, &puzzles, &output.stdout) {
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
        // By itself, a line with a puzzle after other text would be a drawing.
        let options = [&case.options[..], &["--input", "lines"]].concat();
        let output = run(&options, &[case.line.as_slice(), b"\n"].concat());
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
        (&["--variant", "diagonal,window"], "diagonal-window", "unique"),
        (&["--variant", "disjoint"], "disjoint", "unique"),
        (&["--variant", "antiknight"], "antiknight", "unique"),
        (&["--variant", "jigsaw"], "jigsaw", "unique"),
        (&["--variant", "jigsaw"], "jigsaw-one-layout", "unique"),
        (&["--variant", "killer"], "killer", "unique"),
        (&["--variant", "killer"], "killer-hard", "unique"),
        (&["--variant", "killer"], "killer-many", "multiple"),
        (&["--variant", "window,asterisk,antiking"], "window-asterisk-antiking-many", "multiple"),
    ] {
        let puzzles = read(&format!("bench/{name}.txt"));
        let output = run(options, &puzzles);
        for (puzzle, output_line) in pairs(name, &puzzles, &output.stdout) {
            assert_eq!(fields(output_line)[1], status.as_bytes(), "{}", puzzle.escape_ascii());
        }
    }
}

/// A file of data/, its variants, a guess limit at which clause learning is not tried, the guesses
/// of all its puzzles together, and how many of them are unknown at the limit.
type Work = (&'static str, &'static str, &'static str, u64, usize);

/// Measured on 2026-11-23. Lower the numbers after a better choice of branches.
const WORK: &[Work] = &[
    ("bench/easy", "classic", "512", 0, 0),
    ("bench/minimal", "classic", "512", 1387, 0),
    ("bench/hard", "classic", "512", 879, 0),
    ("bench/many", "classic", "512", 4811, 0),
    ("bench/none", "classic", "512", 9, 0),
    ("bench/16x16", "classic", "162", 816, 1),
    ("bench/diagonal", "diagonal", "512", 12224, 0),
    ("bench/window", "window", "512", 1488, 0),
    ("bench/disjoint", "disjoint", "512", 568, 0),
    ("bench/antiknight", "antiknight", "512", 4935, 0),
    ("bench/jigsaw", "jigsaw", "512", 5710, 0),
    ("bench/diagonal-window", "diagonal,window", "512", 5692, 0),
    ("bench/jigsaw-one-layout", "jigsaw", "512", 4627, 0),
    // Without branches on cells: 22,985 guesses, 21 unknown.
    ("bench/window-asterisk-antiking-many", "window,asterisk,antiking", "512", 11725, 3),
    ("antiking", "antiking", "512", 144, 0),
    ("nonconsecutive", "nonconsecutive", "512", 365, 0),
    ("regions", "regions", "512", 98, 0),
    ("asterisk", "asterisk", "512", 50, 0),
    ("center-dot", "center-dot", "512", 15, 0),
    ("girandola", "girandola", "512", 64, 0),
    ("diagonal-disjoint", "diagonal,disjoint", "512", 438, 0),
    ("window-asterisk", "window,asterisk", "512", 92, 0),
    ("antiknight-antiking", "antiknight,antiking", "512", 70, 0),
    ("jigsaw-diagonal", "jigsaw,diagonal", "512", 1348, 0),
    ("jigsaw-diagonal-window", "jigsaw,diagonal,window", "512", 388, 0),
    ("jigsaw-girandola", "jigsaw,girandola", "512", 215, 0),
    // Killers: measured on 2026-11-26. Earlier versions deduced more from linear sums and gave
    // weight to cells without candidates: fewer guesses, but the same time.
    ("bench/killer", "killer", "512", 3444, 0),
    ("bench/killer-hard", "killer", "512", 4038, 0),
    // Without lanes: 45,742 guesses, 5 unknown, and four times as long.
    ("bench/killer-many", "killer", "4096", 42403, 2),
    ("killer", "killer", "512", 724, 0),
    ("killer-diagonal", "killer,diagonal", "512", 470, 0),
    ("killer-jigsaw", "killer,jigsaw", "512", 197, 0),
    // One puzzle takes 627: 32 nodes are searched at a time, so that a solution is found later.
    ("many-killer", "killer", "4096", 1074, 0),
    ("many-antiking", "antiking", "512", 406, 0),
    ("many-nonconsecutive", "nonconsecutive", "512", 622, 0),
    ("many-regions", "regions", "512", 684, 0),
    ("many-disjoint", "disjoint", "512", 383, 0),
    ("many-jigsaw-diagonal", "jigsaw,diagonal", "512", 770, 0),
];

/// A wrong choice of branches leaves every answer right, because clause learning answers what the
/// lanes cannot. So the work of the lanes alone is bounded: a tenth more guesses than `WORK` has.
/// The numbers are the same at every CPU level (`levels.rs` compares them).
#[test]
fn the_lanes_need_no_more_guesses_than_before_and_leave_no_more_to_clause_learning() {
    let mut faults = Vec::new();
    for &(name, variants, limit, guesses_before, unknown_before) in WORK {
        let options = ["-q", "--variant", variants, "--max-guesses", limit];
        let options = [&options[..], &["-o", "guesses,status"]].concat();
        let output = run(&options, &read(&format!("{name}.txt")));
        let output_lines = lines(&output.stdout);
        let guesses = |line: &&[u8]| {
            let text = std::str::from_utf8(fields(line)[0]).unwrap();
            text.parse::<u64>().unwrap()
        };
        let all: u64 = output_lines.iter().map(guesses).sum();
        let is_unknown = |line: &&&[u8]| fields(line)[1] == b"unknown";
        let unknown = output_lines.iter().filter(is_unknown).count();
        if all * 10 > guesses_before * 11 || unknown > unknown_before {
            faults.push(format!("{name}: {all} guesses, {unknown} unknown"));
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
}

/// True for files that take long: benchmarks have many puzzles, few layouts have a grid with
/// diagonals, and few searches find a grid without consecutive neighbours.
fn is_slow(path: &str) -> bool {
    path.starts_with("bench/")
        || path.contains("jigsaw-diagonal")
        || path.contains("nonconsecutive")
}

/// True for the files that take as long as all others together. Only `make prove` makes them whole.
fn is_slowest(path: &str) -> bool {
    ["bench/killer.txt", "bench/killer-hard.txt"].contains(&path)
}

#[test]
fn the_generator_makes_the_same_files_again() {
    let is_left_out = if full::is_full() { is_slowest } else { is_slow };
    let made = files::make(MALFORMED, |path| !is_left_out(path));
    assert!(!made.is_empty());
    for file in made {
        assert_same_lines(&file.path, &file.bytes, &read(&file.path));
    }
}

#[test]
fn the_generator_makes_the_first_killers_of_the_benchmark_again() {
    let path = "bench/killer.txt";
    let made = killer_files::ordinary(20, &mut Random::of(path));
    let expected = read(path);
    let first: Vec<&[u8]> = expected.split_inclusive(|&byte| byte == b'\n').take(20).collect();
    assert_same_lines(path, &made, &first.concat());
}
