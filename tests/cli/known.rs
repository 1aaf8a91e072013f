//! The known answers of data/known.tsv come out of the program as given there.

use crate::run::{answers, check_rows};

struct Known<'a> {
    line: String,
    options: String,
    puzzle: &'a str,
    solution: &'a str,
    status: &'a str,
    what: &'a str,
}

fn table() -> impl Iterator<Item = Known<'static>> {
    let lines = include_str!("../../data/known.tsv").lines();
    lines.filter(|line| !line.starts_with('#')).map(|row| {
        let fields: Vec<&str> = row.split('\t').collect();
        let [variant, puzzle, regions, solution, status, what] = fields[..] else {
            panic!("{row}");
        };
        let line = match regions {
            "-" => puzzle.to_string(),
            regions => format!("{puzzle}\t{regions}"),
        };
        let options = format!("--variant {variant}");
        Known {
            line,
            options,
            puzzle,
            solution,
            status,
            what,
        }
    })
}

#[test]
fn every_known_puzzle_is_answered_as_known() {
    for known in table() {
        let (output, messages, status) = answers(&known.options, known.line.as_bytes());
        let (grid, said) = output.trim_end().split_once('\t').unwrap();
        assert_eq!(
            (said, messages.as_str(), status),
            (known.status, "", Some(0)),
            "{}",
            known.what
        );
        match known.status {
            "none" => assert_eq!(grid, known.puzzle, "{}", known.what),
            "multiple" => assert!(!grid.contains('.'), "{}: {grid}", known.what),
            _ => assert_eq!(grid, known.solution, "{}", known.what),
        }
    }
}

#[test]
fn every_known_answer_is_correct_and_with_one_digit_changed_it_is_not() {
    for known in table().filter(|known| known.solution != "-") {
        let options = format!("{} --verify --unique", known.options);
        let line = format!("{},{}", known.line, known.solution);
        check_rows(&[(&line, &options, &format!("{}\tcorrect\t-", known.solution))]);

        let first = known.solution.as_bytes()[0];
        let other = if first == b'9' { '1' } else { '9' };
        let wrong = format!("{} {other}{}", known.line, &known.solution[1..]);
        let (output, messages, status) = answers(&options, wrong.as_bytes());
        assert!(output.contains("\tincorrect\tr"), "{output}");
        assert_eq!((messages.as_str(), status), ("", Some(1)), "{output}");
    }
}
