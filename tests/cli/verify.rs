//! `--verify`: each reason, in the order of the contract, and what is no answer at all.

use crate::run::{check, check_invalid, check_rows};

/// A puzzle with one solution, and its answer.
const PUZZLE: &str = "12..............";
const FULL: &str = "123434122143....";
const ANSWER: &str = "1234341221434321";

#[test]
fn a_right_answer_is_correct_however_the_fields_are_separated() {
    for separator in [" ", "\t", ",", ";", ":", " , "] {
        let line = format!("{FULL}{separator}{ANSWER}{separator}rest");
        check_rows(&[(&line, "--verify", &format!("{ANSWER}\tcorrect\t-"))]);
    }
}

#[test]
fn the_first_reason_is_told() {
    for (answer, options, reason) in [
        ("1234341221.34321", "", "r3c3 is blank"),
        ("1234341221434320", "", "r4c4 is blank"),
        ("_234341221434321", "", "r1c1 is blank"),
        ("1334341221434321", "", "r1c2 is 3, given 2"),
        ("1233341221434321", "", "row 1 has 3 twice: r1c3 r1c4"),
        ("1234341243214321", "", "column 1 has 4 twice: r3c1 r4c1"),
        ("1234214334124321", "", "box 1 has 2 twice: r1c2 r2c1"),
        (
            ANSWER,
            "--variant diagonal",
            "diagonal 1 has 4 twice: r2c2 r3c3",
        ),
        (
            ANSWER,
            "--variant window",
            "window 1 has 1 twice: r2c3 r3c2",
        ),
    ] {
        check(&[(
            &format!("{PUZZLE} {answer}"),
            &format!("--verify {options}"),
            &format!("{answer}\tincorrect\t{reason}\n"),
            "",
            1,
        )]);
    }
}

#[test]
fn reasons_come_in_the_order_of_the_contract() {
    // Each answer has the faults of those below it, too.
    for (answer, reason) in [
        ("1334341221434.22", "r4c2 is blank"),
        ("1334341221434322", "r1c2 is 3, given 2"),
        ("1234341243214322", "row 4 has 2 twice: r4c3 r4c4"),
        ("1234431234124321", "column 1 has 4 twice: r2c1 r4c1"),
    ] {
        check(&[(
            &format!("{PUZZLE} {answer}"),
            "--verify --variant window,diagonal --unique",
            &format!("{answer}\tincorrect\t{reason}\n"),
            "",
            1,
        )]);
    }
    // Further houses in the order of --variant.
    for (list, reason) in [
        ("window,diagonal", "window 1 has 1 twice: r2c3 r3c2"),
        ("diagonal,window", "diagonal 1 has 4 twice: r2c2 r3c3"),
        ("classic,x,hyper", "diagonal 1 has 4 twice: r2c2 r3c3"),
    ] {
        check(&[(
            &format!("{PUZZLE} {ANSWER}"),
            &format!("--verify --variant {list}"),
            &format!("{ANSWER}\tincorrect\t{reason}\n"),
            "",
            1,
        )]);
    }
}

#[test]
fn a_line_without_an_answer_of_the_right_size_is_invalid() {
    for (line, reason) in [
        (FULL.to_string(), "the answer is missing"),
        (format!("{FULL},"), "the answer is missing"),
        (format!("{FULL},,{ANSWER}"), "the answer is missing"),
        (
            format!("{FULL} {ANSWER}1"),
            "17 cells in the answer, 16 in the puzzle",
        ),
        (
            format!("{FULL} 123434122143"),
            "12 cells in the answer, 16 in the puzzle",
        ),
        (
            format!("{FULL} 123434122143432z"),
            "answer: 'z' at r4c4 is neither a digit of a 4x4 puzzle nor a blank",
        ),
        (
            format!("{FULL} 123434122143..00"),
            "answer: two symbols for blank cells, '.' and '0' (at r4c3); use one",
        ),
        (format!("123 {ANSWER}"), "3 cells; a 4x4 puzzle has 16"),
    ] {
        check_invalid(&[
            (&line, "--verify", reason),
            (&line, "--verify --unique", reason),
        ]);
    }
}

#[test]
fn puzzle_and_answer_may_write_blanks_and_letters_differently() {
    let sixteen = crate::grids::symbols(&crate::grids::pattern(4, 4));
    let line = format!("{} {}", sixteen.to_lowercase(), sixteen);
    check_rows(&[(&line, "--verify", &format!("{sixteen}\tcorrect\t-"))]);
    check(&[(
        "1234341221430000 123434122143432.",
        "--verify",
        "123434122143432.\tincorrect\tr4c4 is blank\n",
        "",
        1,
    )]);
}

#[test]
fn jigsaws_are_checked_by_their_regions() {
    const ROWS: &str = "AAAABBBBCCCCDDDD";
    let latin = "1234234134124123";
    check_rows(&[
        (
            &format!("{} {ROWS} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            &format!("{latin}\tcorrect\t-"),
        ),
        (
            &format!("{}{ROWS} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            &format!("{latin}\tcorrect\t-"),
        ),
        (
            &format!("{} {latin}", ".".repeat(16)),
            &format!("--verify --regions {ROWS}"),
            &format!("{latin}\tcorrect\t-"),
        ),
    ]);
    let boxes = "AABBAABBCCDDCCDD";
    check(&[
        (
            &format!("{} {boxes} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            &format!("{latin}\tincorrect\tregion A has 2 twice: r1c2 r2c1\n"),
            "",
            1,
        ),
        (
            &format!("{} {ROWS} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw,diagonal",
            &format!("{latin}\tincorrect\tdiagonal 1 has 1 twice: r1c1 r3c3\n"),
            "",
            1,
        ),
    ]);
    check_invalid(&[
        (
            &format!("{} {ROWS}", ".".repeat(16)),
            "--verify --variant jigsaw",
            "the answer is missing",
        ),
        (
            &format!("{} {ROWS}x {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            "17 region labels; a 4x4 puzzle has 16",
        ),
    ]);
}

#[test]
fn with_unique_a_right_answer_to_a_puzzle_that_has_another_is_ambiguous() {
    let line = format!("{PUZZLE} {ANSWER}");
    check_rows(&[
        (&line, "--verify", &format!("{ANSWER}\tcorrect\t-")),
        (
            &format!("{FULL} {ANSWER}"),
            "--verify --unique",
            &format!("{ANSWER}\tcorrect\t-"),
        ),
    ]);
    check(&[
        (
            &line,
            "--verify --unique",
            &format!("{ANSWER}\tambiguous\t-\n"),
            "",
            1,
        ),
        (
            &line,
            "--verify --unique --method backtrack",
            &format!("{ANSWER}\tambiguous\t-\n"),
            "",
            1,
        ),
    ]);
}

#[test]
fn with_unique_a_guess_limit_may_leave_it_unknown() {
    let grid = crate::grids::symbols(&crate::grids::pattern(3, 3));
    check(&[(
        &format!("{} {grid}", ".".repeat(81)),
        "--verify --unique --max-guesses 1",
        &format!("{grid}\tunknown\t-\n"),
        "",
        1,
    )]);
}

#[test]
fn givens_that_contradict_make_every_answer_incorrect() {
    check(&[(
        &format!("11.............. {ANSWER}"),
        "--verify --unique",
        &format!("{ANSWER}\tincorrect\tr1c2 is 2, given 1\n"),
        "",
        1,
    )]);
}

#[test]
fn a_given_that_is_not_kept_is_told_whichever_cell_and_digit() {
    // Found by planting faults: a check that let one digit through went unnoticed.
    let solution = crate::grids::symbols(&crate::grids::pattern(3, 3));
    let (mut lines, mut rows) = (String::new(), String::new());
    for (cell, found) in solution.chars().enumerate() {
        for given in ('1'..='9').filter(|&given| given != found) {
            let mut puzzle = ".".repeat(81);
            puzzle.replace_range(cell..=cell, &given.to_string());
            lines += &format!("{puzzle} {solution}\n");
            let place = format!("r{}c{}", cell / 9 + 1, cell % 9 + 1);
            rows += &format!("{solution}\tincorrect\t{place} is {found}, given {given}\n");
        }
    }
    check(&[(&lines, "--verify", &rows, "", 1)]);
}
