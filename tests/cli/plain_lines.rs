//! A fast path reads bare lines of 81 symbols. Every mode and option gives the same output for a
//! bare line as for a decorated one, which the general path reads.

use std::collections::BTreeSet;

use crate::run::{PROGRAM, program, run};

/// Options for lines with one puzzle. Every option of the program is in one of the three tables.
const OPTIONS: &[&str] = &[
    "",
    "--reveal r1c1",
    "--reveal r5c5",
    "--reveal r9c9",
    "--reveal r1c10",
    "--reveal r10c1",
    "--reveal r9c10",
    "--reveal r1c25",
    "--reveal r25c25",
    "--reveal r1c10 --draw",
    "--reveal r1c10 -o solution,puzzle,status,reason",
    "--minimize",
    "--minimize --random 7",
    "--minimize --givens 30",
    "--minimize --exact 30",
    "--minimize --symmetry half-turn -o puzzle,minimal",
    "--all=3",
    "--all=3 -o line,solution",
    "--add 1 --max 3",
    "--remove 1 --max 2",
    "--make 2 --tries 3 -o line,puzzle,status,reason -",
    "--make 1 --tries 2 --pattern @groups -o line,status,reason -",
    "--shuffle",
    "--shuffle=3 --random 7 -o puzzle,status,line,givens,reason",
    "--shuffle=2 --variant window",
    "--shuffle=2 --symbols 12345678",
    "--shuffle --draw",
    "--draw=page --per-page 2 --title a --lang de --first 7",
    "--count 5 -o solutions,second,solution",
    "-o file,line,puzzle,givens,guesses,status,reason",
    "-o minimal,grade,level,difficulty,steps,hint,canonical",
    "-o path,blanks,techniques,boards",
    "-o status,pencilmarks,reached,reached_candidates",
    "-o redundant,image,automorphisms",
    "-o candidates --max-guesses 100",
    "--select unique,invalid",
    "--reject unique",
    "--where givens=..25",
    "--where difficulty=2.. -o line,status,puzzle",
    "--tally status,givens",
    "--distinct givens -o line,status",
    "--require unique",
    "--random 3",
    "--draw",
    "--draw --color always",
    "--variant diagonal",
    "--variant window -o solution,status,guesses",
    "--variant nonconsecutive",
    "--variant regions --regions @layout",
    "--regions @layout -o regions,solution,status",
    "--regions @layout --disconnected",
    "--extra @groups",
    "--box 1x9",
    "--box 3x3",
    "--box 2x2",
    "--symbols 987654321",
    "--symbols 12345678",
    "--symbols ABCDEFGHI",
    "--method backtrack --max-guesses 100",
    "--method pencil",
    "--max-guesses 1 -o solution,status,guesses",
    "--max-time 100",
    "--cpu portable",
    "--cpu avx2",
    "-j1",
    "-j3",
    "--errors 1",
    "-q",
    "--input lines",
    "--input pencilmarks",
    "--progress never",
];

/// Options for lines with a puzzle and an answer.
const VERIFY_OPTIONS: &[&str] = &[
    "--verify",
    "--verify --unique",
    "--verify -o line,puzzle,answer,status,reason,givens",
    "--verify -o answer,status,blanks,matching,conflicts",
    "--verify -o conflicts,blanks,status",
    "--verify --unique -o status,matching",
    "--verify --lenient -o answer,status,reason",
    "--verify --lenient -o score",
    "--verify --select incorrect,invalid",
    "--verify --where conflicts=..2 -o line,status",
    "--verify --tally status,reason",
    "--verify --draw",
    "--verify --variant diagonal",
    "--verify --regions @layout",
    "--verify --extra @groups",
    "--verify --symbols 987654321",
    "--verify --symbols 12345678",
    "--verify --box 1x9",
];

/// Options that disable the fast path, and options that read no input.
const OTHER_OPTIONS: &[&str] = &[
    "--fields",
    "--csv",
    "--json",
    "--output",
    "--keep",
    "--classes",
    "--techniques",
    "--header",
    "--size",
    "--generate",
    "--help",
    "--version",
    // It prints the duration of the run, which varies.
    "--summary",
];

const LAYOUT: &str =
    "000122222000111222033331112003444411333345555664444577866655557888666777888886777";

/// Text before a line, text after it, and the separator of puzzle and answer. The bare form comes
/// first.
const DECORATIONS: &[(&str, &str, &str)] = &[
    ("", "", " "),
    ("", "\r", ","),
    ("", " ", " , "),
    (" ", "", "\t"),
    ("", "\t", " :"),
    ("\u{feff}", "", ";"),
    ("", " rest", "  "),
];

/// Returns valid puzzles of every status, and invalid ones.
fn puzzles() -> Vec<String> {
    let files = [
        include_str!("../../data/bench/easy.txt"),
        include_str!("../../data/bench/hard.txt"),
        include_str!("../../data/bench/minimal.txt"),
        include_str!("../../data/bench/many.txt"),
        include_str!("../../data/bench/none.txt"),
        include_str!("../../data/diagonal.txt"),
        include_str!("../../data/window.txt"),
        include_str!("../../data/nonconsecutive.txt"),
    ];
    let lines = files.iter().flat_map(|text| {
        let lines = text.lines().filter(|line| line.len() >= 81);
        lines.filter(|line| !line.starts_with('#')).take(4)
    });
    let mut puzzles: Vec<String> = lines.map(|line| line[..81].to_string()).collect();
    let first = puzzles[0].clone();
    puzzles.extend([
        first.replace('.', "0"),
        first.replacen('.', "0", 1),
        first.replacen('.', "Z", 1),
        first.replacen('.', "a", 1),
        first[1..].to_string(),
        format!("{first}."),
    ]);
    puzzles
}

/// Runs the program on lines with one decoration. Returns the words of each output line, the
/// messages and the exit status.
fn run_decorated(
    options: &str,
    lines: &[Vec<String>],
    decoration: (&str, &str, &str),
) -> (Vec<Vec<String>>, String, Option<i32>) {
    let (before, after, separator) = decoration;
    let text: String =
        lines.iter().map(|fields| format!("{before}{}{after}\n", fields.join(separator))).collect();
    let groups = format!("{}A{}A", ".".repeat(40), ".".repeat(39));
    let options = options.replace("@layout", LAYOUT);
    let options = options.replace("@groups", &groups);
    let run = run(program(&options), text.as_bytes());
    // The output line of an invalid line holds its decorations too.
    let output = run.text().replace('\u{feff}', "").replace(" rest", "");
    let words = |line: &str| -> Vec<String> {
        let words = line.split([' ', '\t', '\r', ',', ';', ':']);
        let words = words.filter(|word| !word.is_empty());
        words.map(str::to_string).collect()
    };
    let output = output.lines().map(words).collect();
    (output, run.messages, run.status)
}

/// Compares the output for bare lines with the output for every decoration, under all options of
/// the table.
fn compare(table: &[&str], lines: &[Vec<String>]) {
    for options in table {
        // Drawn grids span several lines and contain spaces, so only the carriage return is tried.
        let decorations = if options.contains("--draw") { &DECORATIONS[..2] } else { DECORATIONS };
        let (bare, messages, status) = run_decorated(options, lines, decorations[0]);
        assert!(status.is_some_and(|status| status < 2), "{options:?}: {messages}");
        for &decoration in &decorations[1..] {
            let decorated = run_decorated(options, lines, decoration);
            for (bare, decorated) in bare.iter().zip(&decorated.0) {
                assert_eq!(bare, decorated, "{options:?} with {decoration:?}");
            }
            assert_eq!(bare.len(), decorated.0.len(), "{options:?} with {decoration:?}");
            assert_eq!(
                (&messages, status),
                (&decorated.1, decorated.2),
                "{options:?} with {decoration:?}"
            );
        }
    }
}

#[test]
fn every_option_gives_bare_and_decorated_lines_the_same_output() {
    let lines: Vec<Vec<String>> = puzzles().into_iter().map(|puzzle| vec![puzzle]).collect();
    compare(OPTIONS, &lines);
}

#[test]
fn every_option_of_verify_gives_bare_and_decorated_lines_the_same_output() {
    let puzzles = puzzles();
    let text = puzzles.join("\n") + "\n";
    let solved = run(program("-q"), text.as_bytes()).text();
    let solutions = solved.lines().map(|line| line.split('\t').next().unwrap());
    let lines: Vec<Vec<String>> = puzzles
        .iter()
        .zip(solutions)
        .enumerate()
        .map(|(index, (puzzle, solution))| {
            // Right answers, wrong answers, and answers with a blank.
            let answer = match index % 4 {
                0 => solution.replacen('1', "2", 1),
                1 => solution.replacen('1', ".", 1),
                _ => solution.to_string(),
            };
            vec![puzzle.clone(), answer]
        })
        .collect();
    compare(VERIFY_OPTIONS, &lines);
}

#[test]
fn every_option_of_the_help_is_in_a_table() {
    let help = std::process::Command::new(&*PROGRAM).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let all: BTreeSet<&str> = help
        .lines()
        .filter(|line| line.starts_with("  --") || line.starts_with("  -") && line.contains(", --"))
        .map(|line| {
            let name = &line[line.find("--").unwrap()..];
            name.split([' ', '[', '=']).next().unwrap()
        })
        .collect();
    assert!(all.len() > 30, "{all:?}");
    let short = |word| match word {
        "-o" => "--columns",
        "-j" | "-j1" | "-j3" => "--threads",
        "-q" => "--quiet",
        word => word,
    };
    let tables = [OPTIONS, VERIFY_OPTIONS, OTHER_OPTIONS].concat();
    let tried: BTreeSet<&str> = tables
        .iter()
        .flat_map(|options| options.split_whitespace())
        .map(|word| short(word).split('=').next().unwrap())
        .collect();
    let missing: Vec<&&str> = all.difference(&tried).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
