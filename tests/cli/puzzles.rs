//! Puzzles: blanks, digits, sizes, boxes, statuses, and the reasons for `invalid`.

use std::time::{Duration, Instant};

use crate::full;
use crate::grids::{pattern, symbols};
use crate::run::{check, check_invalid, check_output_lines, run_with};

/// A puzzle without solutions. `--method backtrack` takes hours to decide it.
const HARD: &str =
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

#[test]
fn a_puzzle_with_one_solution_is_unique() {
    check_output_lines(&[
        ("123434122143....", "", "1234341221434321\tunique"),
        ("1234341221434321", "", "1234341221434321\tunique"),
    ]);
}

#[test]
fn a_puzzle_without_solutions_is_written_as_given() {
    for puzzle in [
        "11..............",
        "1000010000000000",
        "1***1***********",
        "1234341221434322",
        // No two givens contradict each other, but r1c4 has no candidates.
        "123....4........",
    ] {
        check_output_lines(&[(puzzle, "", &format!("{puzzle}\tnone"))]);
    }
}

#[test]
fn one_of_many_solutions_is_written() {
    let (output, messages, status) = run_with("", b"................\n");
    let (solution, found_status) = output.trim_end().split_once('\t').unwrap();
    assert_eq!((found_status, messages.as_str(), status), ("multiple", "", Some(0)));
    check_output_lines(&[(
        &format!("{} {solution}", ".".repeat(16)),
        "--verify",
        &format!("{solution}\tcorrect\t-"),
    )]);
}

#[test]
fn every_blank_symbol_is_read() {
    for blank in [".", "0", "_", "*", "-", "?", "x"] {
        let line = format!("123434122143{}", blank.repeat(4));
        check_output_lines(&[(&line, "", "1234341221434321\tunique")]);
    }
}

#[test]
fn the_length_of_a_puzzle_gives_its_size() {
    for (rows, columns) in [
        (2, 2),
        (2, 3),
        (2, 4),
        (3, 3),
        (2, 5),
        (3, 4),
        (2, 7),
        (3, 5),
        (4, 4),
        (3, 6),
        (4, 5),
        (3, 7),
        (4, 6),
        (5, 5),
    ] {
        let side = rows * columns;
        let solution = symbols(&pattern(rows, columns));
        let puzzle = format!("{}{}", &solution[..side * (side - 1)], ".".repeat(side));
        check_output_lines(&[(&puzzle, "", &format!("{solution}\tunique"))]);
    }
}

#[test]
fn sizes_can_mix() {
    let (four, six) = (symbols(&pattern(2, 2)), symbols(&pattern(2, 3)));
    let nine = symbols(&pattern(3, 3));
    let input = format!("{nine}\n{four}\n{six}\n{nine}\n{four}");
    let output = format!("{nine}\n{four}\n{six}\n{nine}\n{four}\n").replace('\n', "\tunique\n");
    check(&[(&input, "", &output, "", 0)]);
}

#[test]
fn box_sets_the_boxes_of_one_size_only() {
    let tall = symbols(&pattern(3, 2));
    let four = symbols(&pattern(2, 2));
    let seven = symbols(&pattern(1, 7));
    let eight = symbols(&pattern(4, 2));
    check_output_lines(&[
        (&tall, "--box 3x2", &format!("{tall}\tunique")),
        (&tall, "", &format!("{tall}\tnone")),
        (&tall, "--box 2x3", &format!("{tall}\tnone")),
        (&four, "--box 3x2", &format!("{four}\tunique")),
        (&seven, "--box 1x7", &format!("{seven}\tunique")),
        (&eight, "--box=4x2", &format!("{eight}\tunique")),
        (&eight, "--box 4x2 --box=4x2", &format!("{eight}\tunique")),
    ]);
    check_invalid(&[(&seven, "", "49 cells; a 7x7 puzzle has no boxes (--variant jigsaw)")]);
}

#[test]
fn letters_are_written_in_the_case_of_the_first_letter_of_the_puzzle() {
    let capital = symbols(&pattern(4, 4));
    let small = capital.to_lowercase();
    let puzzle = |text: &str| format!("{}{}", &text[..240], ".".repeat(16));
    let output = |text: &str| format!("{text}\tunique");
    // The first row of the pattern is 1-9A-G, so its tenth symbol is the first letter.
    let first_capital = format!("{}{}", &capital[..10], &puzzle(&small)[10..]);
    let first_small = format!("{}{}", &small[..10], &puzzle(&capital)[10..]);
    check_output_lines(&[
        (&puzzle(&capital), "", &output(&capital)),
        (&puzzle(&small), "", &output(&small)),
        (&first_capital, "", &output(&capital)),
        (&first_small, "", &output(&small)),
    ]);
    // A puzzle without letters gets capitals.
    let digits: String =
        capital.chars().map(|symbol| if symbol.is_ascii_digit() { symbol } else { '.' }).collect();
    let (output, _, _) = run_with("", digits.as_bytes());
    let (solution, _) = output.split_once('\t').unwrap();
    assert!(!solution.contains(|symbol: char| symbol.is_ascii_lowercase()));
    assert!(solution.contains('G'), "{output}");
}

#[test]
fn symbols_sets_the_symbols_of_the_digits() {
    let with_symbols = |text: &str, symbols: &str| -> String {
        let symbols: Vec<char> = symbols.chars().collect();
        let digit = |symbol: char| symbol.to_digit(17).unwrap() as usize;
        text.chars().map(|symbol| symbols[digit(symbol) - 1]).collect()
    };
    let sixteen = symbols(&pattern(4, 4));
    let nine = symbols(&pattern(3, 3));
    for names in ["0123456789ABCDEF", "ABCDEFGHIJKLMNOP", "abcdefghijkLMNOP", "!\"$%&'()+<=>@[]^"] {
        for grid in [&sixteen, &nine] {
            let solution = with_symbols(grid, names);
            let given = solution.len() - solution.len().isqrt();
            let puzzle = format!("{}{}", &solution[..given], ".".repeat(solution.len() - given));
            check_output_lines(&[(
                &puzzle,
                &format!("--symbols {names}"),
                &format!("{solution}\tunique"),
            )]);
        }
    }
}

#[test]
fn a_symbol_named_by_symbols_is_never_a_blank() {
    check_output_lines(&[
        ("x_?*?*x__x*?....", "--symbols x_?*", "x_?*?*x__x*?*?_x\tunique"),
        ("012323011032....", "--symbols 0123", "0123230110323210\tunique"),
        ("1000010000000000", "", "1000010000000000\tnone"),
    ]);
    check_invalid(&[
        // Symbols are case-sensitive. Usual blanks that --symbols does not name stay blanks.
        (
            "ABCDCDABBADC...d",
            "--symbols ABCD",
            "'d' at r4c4 is neither a digit of a 4x4 puzzle nor a blank",
        ),
        (
            "ABCDCDABBADC...x",
            "--symbols ABCD",
            "two symbols for blank cells, '.' and 'x' (at r4c4); use one",
        ),
        // A symbol beyond the first N is neither a digit of an NxN puzzle nor a blank.
        (
            "ABCDCDABBADC0000",
            "--symbols ABCD0",
            "'0' at r4c1 is neither a digit of a 4x4 puzzle nor a blank",
        ),
    ]);
}

#[test]
fn a_puzzle_with_more_digits_than_symbols_is_invalid() {
    let sixteen = ".".repeat(256);
    check_invalid(&[(
        &sixteen,
        "--symbols 0123456789",
        "a 16x16 puzzle needs 16 symbols; --symbols names 10",
    )]);
}

#[test]
fn a_length_that_fits_no_size_is_invalid() {
    for (length, reason) in [
        (1, "1 cell; a 4x4 puzzle has 16"),
        (15, "15 cells; a 4x4 puzzle has 16"),
        (17, "17 cells; a 4x4 puzzle has 16"),
        (25, "25 cells; a 5x5 puzzle has no boxes (--variant jigsaw)"),
        (49, "49 cells; a 7x7 puzzle has no boxes (--variant jigsaw)"),
        (80, "80 cells; a 9x9 puzzle has 81"),
        (82, "82 cells; a 9x9 puzzle has 81"),
        (624, "624 cells; a 25x25 puzzle has 625"),
        (676, "676 cells; a 25x25 puzzle has 625"),
        (5000, "5000 cells; a 25x25 puzzle has 625"),
    ] {
        check_invalid(&[(&".".repeat(length), "", reason)]);
    }
}

#[test]
fn messages_about_symbols_name_the_cell() {
    let nine = |symbol: &str| format!("{}{symbol}{}", ".".repeat(30), ".".repeat(50));
    check_invalid(&[
        (&nine("A"), "", "'A' at r4c4 is neither a digit of a 9x9 puzzle nor a blank"),
        (&nine("!"), "", "'!' at r4c4 is neither a digit of a 9x9 puzzle nor a blank"),
        (&nine("|"), "", "'|' at r4c4 is neither a digit of a 9x9 puzzle nor a blank"),
        (&nine("0"), "", "two symbols for blank cells, '.' and '0' (at r4c4); use one"),
        ("5...............", "", "'5' at r1c1 is neither a digit of a 4x4 puzzle nor a blank"),
        ("...............G", "", "'G' at r4c4 is neither a digit of a 4x4 puzzle nor a blank"),
        ("_..............-", "", "two symbols for blank cells, '_' and '.' (at r1c2); use one"),
    ]);
}

#[test]
fn tabs_of_an_invalid_line_become_spaces() {
    check(&[
        ("1\t2\t\t3\n", "", "1 2  3\tinvalid\n", "-:1: 1 cell; a 4x4 puzzle has 16\n", 1),
        (" 1 2\t \n", "-q", " 1 2  \tinvalid\n", "", 1),
    ]);
}

/// A puzzle that no method decides: a blank 25x25 with disjoint groups.
fn endless() -> String {
    ".".repeat(625)
}

#[test]
fn past_the_time_limit_a_line_is_unknown_and_its_neighbours_are_answered() {
    let endless = endless();
    let input = format!("1234341221434321\n{endless}\n{endless}\n................\n");
    for method in ["lanes", "backtrack", "pencil"] {
        let modes = ["", "--count 3", "--all", "--random 1", "-q --minimize", "--reveal r1c1"];
        for mode in modes.into_iter().step_by(full::step(2)) {
            let options = format!(
                "-j1 --variant disjoint --method {method} --max-guesses 0 {mode} -o line,reason,status"
            );
            let alone = run_with(&options, b"1234341221434321\n#\n#\n................\n").0;
            let begin = Instant::now();
            let (text, messages, status) =
                run_with(&format!("{options} --max-time 0.2"), input.as_bytes());
            let time = begin.elapsed();
            let (unknown, others): (Vec<&str>, Vec<&str>) =
                text.lines().partition(|row| row.ends_with("unknown"));
            assert_eq!(unknown, ["2\ttime\tunknown", "3\ttime\tunknown"], "{options}");
            let expected: Vec<&str> = alone.lines().filter(|row| *row != "#").collect();
            assert_eq!(others, expected, "{options}");
            assert_eq!((messages.as_str(), status), ("", Some(1)), "{options}");
            // Two searches of 0.2 s, one more of each under --all; the machine may be busy.
            assert!(time < Duration::from_secs(30), "{options}: {time:?}");
        }
    }
}

#[test]
fn a_time_limit_that_nothing_reaches_changes_nothing() {
    let solved = "-o line,status,solution,second,guesses";
    let minimized = "--minimize -o puzzle,minimal";
    for (file, options) in [
        ("classic", solved),
        ("sizes", solved),
        ("malformed", solved),
        ("window", "--variant window -o line,status,guesses --count 40"),
        ("jigsaw", "--variant jigsaw"),
        ("classic", minimized),
        ("jigsaw", "--variant jigsaw --minimize --random 1"),
    ] {
        let path = format!("{}/data/{file}.txt", env!("CARGO_MANIFEST_DIR"));
        let input = std::fs::read(path).unwrap();
        let without = run_with(options, &input);
        let limited = run_with(&format!("{options} --max-time 100"), &input);
        assert_eq!(limited, without, "{file}");
    }
}

#[test]
fn a_count_under_a_time_limit_is_as_fast_and_ends_in_time() {
    // Without remembered states, it would take minutes.
    let options = "-j1 --count 1000000000 --max-time 20 -o status,solutions";
    let (text, _, status) = run_with(options, ".".repeat(36).as_bytes());
    assert_eq!((text.as_str(), status), ("multiple\t28200960\n", Some(0)));
    // The lines beside it are unaffected.
    let (blank, easy) = (".".repeat(144), "1234341221434321");
    let input = format!("{easy}\n{blank}\n{blank}\n{easy}\n");
    let options = "-j1 --count 1000000000 --max-time 0.3 -o status,solutions";
    let begin = Instant::now();
    let (text, messages, status) = run_with(options, input.as_bytes());
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!((rows.len(), rows[0], rows[3]), (4, "unique\t1", "unique\t1"));
    for row in &rows[1..3] {
        let number = row.strip_prefix("multiple\t").and_then(|row| row.strip_suffix('+'));
        let number: u64 = number.expect(row).parse().unwrap();
        assert!(number > 2, "{row}");
    }
    assert_eq!((messages.as_str(), status), ("", Some(0)));
    assert!(begin.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_puzzle_past_the_guess_limit_is_unknown() {
    let blank = ".".repeat(81);
    for options in ["--max-guesses 1", "--method backtrack --max-guesses 1"] {
        check(&[(
            &format!("{blank}\n1234341221434321\n"),
            options,
            &format!("{blank}\tunknown\n1234341221434321\tunique\n"),
            "",
            1,
        )]);
    }
    check(&[(HARD, "--method backtrack --max-guesses 1000", &format!("{HARD}\tunknown\n"), "", 1)]);
}

#[test]
fn max_guesses_0_is_no_limit() {
    let (output, _, status) = run_with("--max-guesses 0", ".".repeat(81).as_bytes());
    assert!(output.ends_with("\tmultiple\n"), "{output}");
    assert_eq!(status, Some(0));
    check_output_lines(&[(HARD, "--max-guesses 0", &format!("{HARD}\tnone"))]);
}

#[test]
fn backtrack_gives_the_same_status_and_the_first_solution_in_digit_order() {
    check_output_lines(&[
        ("................", "--method backtrack", "1234341221434321\tmultiple"),
        ("123434122143....", "--method backtrack", "1234341221434321\tunique"),
        ("11..............", "--method=backtrack", "11..............\tnone"),
        ("123434122143....", "--method lanes", "1234341221434321\tunique"),
    ]);
}

/// Clause learning alone takes 14,000 conflicts for the first one.
#[test]
fn puzzles_that_clause_learning_does_not_decide_in_time_have_no_solution() {
    for (givens, options) in [
        ("15", "--variant window,nonconsecutive --max-guesses 20000"),
        ("1", "--variant diagonal,antiking,nonconsecutive --max-guesses 300000"),
    ] {
        let puzzle = format!("{givens:.<81}");
        check_output_lines(&[(&puzzle, options, &format!("{puzzle}\tnone"))]);
    }
}
