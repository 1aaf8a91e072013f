//! `--add` and `--remove`: the puzzles with givens more or fewer.

use crate::run::{check, check_output_lines, run_with};

/// Two solutions short of unique, with few solutions.
const FOUR: &str = "1.....3........4";
/// A classic puzzle of 16 givens with thousands of solutions, more than are listed before givens are
/// tested.
const SIXTEEN: &str =
    ".................1.....2.3......3.2...1.4......5....6..3......4.7..8...962.......";

/// Runs the program, expects status 0 and no message, and returns the output lines.
fn lines(options: &str, input: &str) -> Vec<String> {
    let (text, messages, status) = run_with(options, input.as_bytes());
    assert_eq!((messages.as_str(), status), ("", Some(0)), "{options}");
    text.lines().map(str::to_string).collect()
}

/// Returns the puzzles with one solution that have `number` givens more, by solving all that have.
fn brute_force(puzzle: &str, options: &str, number: usize) -> Vec<String> {
    let side = puzzle.len().isqrt();
    let mut puzzles = vec![(0, puzzle.to_string())];
    for _ in 0..number {
        let mut more = Vec::new();
        for (begin, puzzle) in &puzzles {
            let blank = |&cell: &usize| &puzzle[cell..cell + 1] == ".";
            for cell in (*begin..puzzle.len()).filter(blank) {
                for digit in 1..=side {
                    let mut with_digit = puzzle.clone();
                    with_digit.replace_range(cell..cell + 1, &digit.to_string());
                    more.push((cell + 1, with_digit));
                }
            }
        }
        puzzles = more;
    }
    let input: String = puzzles.into_iter().map(|(_, puzzle)| puzzle + "\n").collect();
    let options = format!("{options} -o puzzle,status --require any");
    lines(&options, &input).into_iter().filter(|line| line.ends_with("\tunique")).collect()
}

#[test]
fn added_givens_are_those_that_make_the_solution_unique() {
    let table = [
        (FOUR, "", 1),
        (FOUR, "", 2),
        ("1...............", "--variant diagonal", 2),
        ("1...............", "", 3),
        ("1..............2", "--variant window", 2),
        ("1....2.....................3........", "", 2),
        (SIXTEEN, "", 1),
        (
            ".4.....9...5..8.1.......7.......2..35....7.....6.....9.....1.4.2.3.....8.........",
            "",
            1,
        ),
    ];
    for (puzzle, variant, number) in table {
        let options = format!("{variant} --add {number} --require any");
        let added = lines(&options, &format!("{puzzle}\n"));
        let expected = brute_force(puzzle, variant, number);
        if expected.is_empty() {
            assert_eq!(added, [format!("{puzzle}\tmultiple")], "{puzzle}");
        } else {
            assert_eq!(added, expected, "{puzzle} {options}");
        }
    }
}

#[test]
fn removed_givens_are_all_sets_of_this_size_in_the_order_of_cells() {
    check_output_lines(&[(
        "12.4............",
        "--remove 2 --require any",
        "...4............\tmultiple\n.2..............\tmultiple\n1...............\tmultiple",
    )]);
    let solution = "1234341221434321";
    for number in 1..=3 {
        let lines = lines(&format!("--remove {number} --require any"), &format!("{solution}\n"));
        let expected = (17 - number..=16).product::<usize>() / (1..=number).product::<usize>();
        assert_eq!(lines.len(), expected);
        for line in lines {
            let (puzzle, status) = line.split_once('\t').unwrap();
            assert_eq!(puzzle.matches('.').count(), number);
            assert!(puzzle.bytes().zip(solution.bytes()).all(|(a, b)| a == b || a == b'.'));
            assert_eq!(status, "unique", "three cells of this grid follow from the others");
        }
    }
}

#[test]
fn a_minimal_puzzle_is_among_those_with_a_given_less_and_a_given_more() {
    let puzzle = "1.....3..2.....4";
    let fewer = lines("--remove 1 -o puzzle --require any", &format!("{puzzle}\n"));
    let more = lines("--add 1 -o puzzle", &format!("{}\n", fewer.join("\n")));
    assert_eq!(more.iter().filter(|it| *it == puzzle).count(), 4);
    let mut distinct = more.clone();
    distinct.sort();
    distinct.dedup();
    assert_eq!(distinct.len(), more.len() - 3);
}

#[test]
fn puzzles_without_several_solutions_are_written_as_they_are() {
    check_output_lines(&[
        ("123434122143....", "--add 1", "123434122143....\tunique"),
        ("11..............", "--add 2 --require any", "11..............\tnone"),
        // With fewer blank cells than new givens.
        ("1234341221434.2.", "--add 3", "1234341221434.2.\tunique"),
        ("12343412........", "--add 9 --require any", "12343412........\tmultiple"),
    ]);
    check(&[(
        "1...............\n",
        "--remove 2",
        "1...............\tinvalid\n",
        "-:1: 1 given, fewer than --remove 2\n",
        1,
    )]);
    let marks = format!("{}\n", "1234".repeat(16));
    for (option, reason) in [
        ("--remove 1", "a pencilmark puzzle has no givens to take away"),
        ("--add 1", "givens cannot be added to a pencilmark puzzle"),
    ] {
        let options = format!("{option} --input pencilmarks -o status,reason");
        assert_eq!(run_with(&options, marks.as_bytes()).0, format!("invalid\t{reason}\n"));
    }
}

#[test]
fn a_last_line_says_why_puzzles_can_be_missing() {
    let three = "-o puzzle,status,reason --require any --max 3";
    let all = lines("--add 1", &format!("{FOUR}\n"));
    assert_eq!(all.len(), 9);
    let first = lines(&format!("--add 1 {three}"), &format!("{FOUR}\n"));
    let expected: Vec<String> = all[..3].iter().map(|line| format!("{line}\t-")).collect();
    assert_eq!(first[..3], expected);
    assert_eq!(first[3..], [format!("{FOUR}\tunknown\tmore than 3")]);
    // As many as there are is not fewer.
    assert_eq!(lines("--add 1 --max 9", &format!("{FOUR}\n")), all);
    assert_eq!(
        lines(&format!("--remove 1 {three}"), "1234............\n")[3..],
        ["1234............\tunknown\tmore than 3"]
    );
    let blank = ".".repeat(81);
    assert_eq!(
        lines("--add 2 -o status,reason --require any", &format!("{blank}\n")),
        ["unknown\tmore than 1000000 solutions"]
    );
    assert_eq!(lines("--add 1 -o status --require any", &format!("{blank}\n")), ["multiple"]);
    assert_eq!(
        lines("--add 2 -o status,reason --require any --max-guesses 5", &format!("{blank}\n")),
        ["unknown\tguesses"]
    );
}

#[test]
fn puzzles_that_are_found_before_a_limit_are_written() {
    let puzzle = ".......................2.3...1..4.....5.....6..6..782..4.....7..8..5.....9..1....
";
    let all = lines("--add 1", puzzle);
    let limited = lines("--add 1 --max-guesses 20 --require any", puzzle);
    let (last, first) = limited.split_last().unwrap();
    assert_eq!(*last, format!("{}	unknown", puzzle.trim_end()));
    assert!(!first.is_empty() && all.starts_with(first), "{limited:?}");
}

#[test]
fn all_columns_show_the_new_puzzle() {
    let columns =
        "-o line,puzzle,solution,status,givens,minimal,candidates,canonical,solutions,grade";
    let new = lines(&format!("--add 1 {columns}"), &format!("{FOUR}\n"));
    for line in new {
        let puzzle = line.split('\t').nth(1).unwrap();
        assert_eq!(lines(columns, &format!("{puzzle}\n")), [line]);
    }
    // Symbols and fields stay as they are.
    assert_eq!(
        lines("--remove 1 --symbols ABCD -o puzzle --require any", "0B00D0000000000A\n"),
        ["0000D0000000000A", "0B0000000000000A", "0B00D00000000000"]
    );
    assert_eq!(
        lines(
            "--remove 1 --variant jigsaw --require any --fields id,puzzle,regions -o id,puzzle,regions",
            "7 12.............. AABBAABBCCDDCCDD\n"
        ),
        ["7\t.2..............\tAABBAABBCCDDCCDD", "7\t1...............\tAABBAABBCCDDCCDD"]
    );
    assert_eq!(
        run_with("--csv --remove 1 --require any", b"id,puzzle\n7,12..............\n").0,
        "id,puzzle,puzzle_found,status\n\
         7,12..............,.2..............,multiple\n\
         7,12..............,1...............,multiple\n"
    );
}

#[test]
fn the_output_does_not_depend_on_threads_or_neighbours() {
    let puzzles = [FOUR, "xx", SIXTEEN, "123434122143....", "", "# note", "12.............."];
    for mode in ["--add 1", "--remove 1"] {
        let options = format!("{mode} --require any -q -o line,puzzle,status");
        let alone: String = puzzles
            .iter()
            .enumerate()
            .map(|(index, puzzle)| {
                let input = format!("{}{puzzle}\n", "# \n".repeat(index));
                let output = run_with(&options, input.as_bytes()).0;
                output.split_inclusive('\n').skip(index).collect::<String>()
            })
            .collect();
        for threads in ["-j1", "-j2"] {
            let input = puzzles.join("\n") + "\n";
            let (together, _, _) = run_with(&format!("{options} {threads}"), input.as_bytes());
            assert_eq!(together, alone, "{options} {threads}");
        }
    }
}
