//! The program finds the statuses and solutions of data/known.tsv.

use crate::run::{check_output_lines, run_with};

/// One line of data/known.tsv.
struct Known<'a> {
    /// The puzzle and its layout, as the program reads them.
    line: String,
    options: String,
    puzzle: &'a str,
    solution: &'a str,
    status: &'a str,
    description: &'a str,
}

/// Returns the lines of data/known.tsv.
fn known_puzzles() -> impl Iterator<Item = Known<'static>> {
    let lines = include_str!("../../data/known.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [variant, puzzle, regions, solution, status, description] = fields[..] else {
            panic!("{line}");
        };
        let line = match regions {
            "-" => puzzle.to_string(),
            regions => format!("{puzzle}\t{regions}"),
        };
        let options = format!("--variant {variant}");
        Known { line, options, puzzle, solution, status, description }
    })
}

#[test]
fn every_known_puzzle_gets_its_known_status_and_solution() {
    for known in known_puzzles() {
        let (output, messages, status) = run_with(&known.options, known.line.as_bytes());
        let (grid, found_status) = output.trim_end().split_once('\t').unwrap();
        assert_eq!(
            (found_status, messages.as_str(), status),
            (known.status, "", Some(0)),
            "{}",
            known.description
        );
        match known.status {
            "none" => assert_eq!(grid, known.puzzle, "{}", known.description),
            "multiple" => assert!(!grid.contains('.'), "{}: {grid}", known.description),
            _ => assert_eq!(grid, known.solution, "{}", known.description),
        }
    }
}

#[test]
fn verify_accepts_every_known_solution_and_rejects_it_with_one_digit_changed() {
    for known in known_puzzles().filter(|known| known.solution != "-") {
        let options = format!("{} --verify --unique", known.options);
        let line = format!("{},{}", known.line, known.solution);
        check_output_lines(&[(&line, &options, &format!("{}\tcorrect\t-", known.solution))]);

        let first = known.solution.as_bytes()[0];
        let other = if first == b'9' { '1' } else { '9' };
        let wrong = format!("{} {other}{}", known.line, &known.solution[1..]);
        let (output, messages, status) = run_with(&options, wrong.as_bytes());
        assert!(output.contains("\tincorrect\tr"), "{output}");
        assert_eq!((messages.as_str(), status), ("", Some(1)), "{output}");
    }
}
