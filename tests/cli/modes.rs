//! Modes beside solving and verifying: reveal, minimize, all, and orders that are drawn.

use std::collections::HashSet;

use crate::run::{answers, check, check_rows, run, shell};

const PUZZLE: &str = "123434122143....";
const BLANK: &str = "................";

fn lines(options: &str, input: &str) -> Vec<String> {
    let (text, messages, status) = answers(options, input.as_bytes());
    assert_eq!((messages.as_str(), status), ("", Some(0)), "{options}");
    text.lines().map(str::to_string).collect()
}

#[test]
fn one_more_tile_is_revealed_where_the_solution_is_unique() {
    check_rows(&[
        (PUZZLE, "--reveal r4c2", "123434122143.3..\tunique"),
        (PUZZLE, "--reveal 4,1", "1234341221434...\tunique"),
        (PUZZLE, "--reveal r1c1", "123434122143....\tgiven"),
        (
            "1...............",
            "--reveal r1c1",
            "1...............\tgiven",
        ),
        (BLANK, "--reveal r1c1", "................\tmultiple"),
        (
            "11..............",
            "--reveal r4c4",
            "11..............\tnone",
        ),
        (
            "1234341221430000 rest",
            "--reveal r4c4 -o puzzle,rest",
            "1234341221430001\trest",
        ),
    ]);
    check(&[
        (
            "123434122143....\n",
            "--reveal r5c1",
            "123434122143....\tinvalid\n",
            "-:1: a 4x4 puzzle has no r5c1\n",
            1,
        ),
        (
            "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....\n",
            "--reveal r1c10",
            "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....\tinvalid\n",
            "-:1: a 9x9 puzzle has no r1c10\n",
            1,
        ),
        (
            "x\n",
            "--reveal r1c1 --require given",
            "x\tinvalid\n",
            "-:1: 1 cell; a 4x4 puzzle has 16\n",
            1,
        ),
    ]);
}

#[test]
fn givens_are_taken_away_from_the_last_while_the_solution_stays_unique() {
    check_rows(&[
        ("1234341221434321", "--minimize", ".23.3.1.21......\tunique"),
        ("1.....3..2.....4", "--minimize", "1.....3..2.....4\tunique"),
        (BLANK, "--minimize", "................\tmultiple"),
        ("11..............", "--minimize", "11..............\tnone"),
    ]);
}

#[test]
fn what_is_left_is_minimal_and_has_the_same_solution_whatever_the_order() {
    let grids = (BLANK.to_string() + "\n").repeat(40);
    let full = lines("--random 5 -o solution", &grids).join("\n") + "\n";
    for options in [
        "--minimize",
        "--minimize --random 1",
        "--minimize --random 2",
    ] {
        let rows = lines(&format!("{options} -o puzzle,solution,minimal"), &full);
        for (row, solution) in rows.iter().zip(full.lines()) {
            let fields: Vec<&str> = row.split('\t').collect();
            assert_eq!((fields[1], fields[2]), (solution, "yes"), "{row}");
            let again = lines("--minimize", &format!("{}\n", fields[0]));
            assert_eq!(again, [format!("{}\tunique", fields[0])]);
        }
    }
}

#[test]
fn every_solution_is_written_once_up_to_a_number() {
    let all = lines("--all", &format!("{BLANK}\n"));
    assert_eq!(all.len(), 288);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 288);
    assert!(all.iter().all(|row| row.ends_with("\tmultiple")));
    for most in [1, 2, 15, 16, 17, 100, 288, 289] {
        let some = lines(&format!("--all={most}"), &format!("{BLANK}\n"));
        assert_eq!(some, all[..most.min(288)], "the first {most}");
    }
    let rows = lines(
        "--all=3 -o status",
        &format!("{PUZZLE}\n# comment\n{BLANK}\n11..............\n"),
    );
    let expected = [
        "unique",
        "# comment",
        "multiple",
        "multiple",
        "multiple",
        "none",
    ];
    assert_eq!(rows, expected);
}

#[test]
fn all_solutions_come_in_the_order_of_the_lines_whoever_stands_beside() {
    let alone: Vec<String> = [PUZZLE, BLANK, "1...............", "12343412........"]
        .iter()
        .flat_map(|line| lines("--all", &format!("{line}\n")))
        .collect();
    let together = format!("{PUZZLE}\n{BLANK}\n1...............\n12343412........\n");
    assert_eq!(lines("--all", &together), alone);
    assert_eq!(lines("--all -j1", &together), alone);
}

#[test]
fn a_puzzle_whose_solutions_are_given_up_is_told_behind_them() {
    let blank = ".".repeat(81);
    let (text, _, status) = answers(
        "--all --max-guesses 300 -o status",
        format!("{blank}\n").as_bytes(),
    );
    let rows: Vec<&str> = text.lines().collect();
    let (last, others) = rows.split_last().unwrap();
    assert_eq!((*last, status), ("unknown", Some(1)));
    assert!(others.len() > 16 && others.iter().all(|row| *row == "multiple"));
    let (text, ..) = answers("--all=5 --max-guesses 300", format!("{blank}\n").as_bytes());
    assert_eq!(text.lines().count(), 5);
}

#[test]
fn solutions_are_written_as_they_are_found() {
    let blank = ".".repeat(81);
    let line = format!(
        "echo {blank} | sudoku-filter --all --max-guesses 0 | head -20000 | sort -u | wc -l"
    );
    assert_eq!(run(shell(&line), b"").text().trim(), "20000");
}

#[test]
fn grids_drawn_from_a_seed_are_reproducible_and_varied() {
    let blank = (".".repeat(81) + "\n").repeat(100);
    let grids = lines("--random 1 -o solution", &blank);
    assert_eq!(lines("--random 1 -o solution -j1", &blank), grids);
    assert_eq!(grids.iter().collect::<HashSet<_>>().len(), 100);
    let others = lines("--random 2 -o solution", &blank);
    assert!(others.iter().all(|grid| !grids.contains(grid)));
    // The number of a line in the whole input is part of it, comments and files counted.
    let later = lines("--random 1 -o solution", &format!("# one\n{blank}"));
    assert_ne!(later[1], grids[0]);
    assert_eq!(later[1], grids[1], "line 2 is line 2");
    let statuses = lines(
        "--random 9 -o status",
        &format!("{PUZZLE}\n{BLANK}\n11..............\n"),
    );
    assert_eq!(statuses, ["unique", "multiple", "none"]);
}
