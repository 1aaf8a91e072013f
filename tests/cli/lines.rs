//! Lines: field separators, comments and blank lines, line ends, overlong lines, and the ends of
//! files.

use crate::run::{Folder, check, check_invalid, check_output_lines, run, run_with, shell};

const PUZZLE: &str = "123434122143....";
const OUTPUT_LINE: &str = "1234341221434321\tunique";

#[test]
fn fields_are_separated_by_spaces_tabs_or_one_punctuation_mark() {
    for line in [
        "123434122143....",
        "123434122143.... rest",
        "123434122143....\trest of it",
        "123434122143....,rest",
        "123434122143....;rest",
        "123434122143....:rest",
        "123434122143.... , rest",
        "123434122143....\t;\trest",
        "123434122143....,",
        "123434122143....,,rest",
        "  123434122143....",
        "\t123434122143....\t ",
    ] {
        check_output_lines(&[(line, "", OUTPUT_LINE)]);
    }
}

#[test]
fn an_empty_first_field_is_a_missing_puzzle() {
    check(&[(
        ",123434122143....\n",
        "",
        ",123434122143....\tinvalid\n",
        "-:1: the puzzle is missing (field 2 is a puzzle: --csv --header puzzle=NAME if the first line names the fields, or else --fields with their names)\n",
        1,
    )]);
}

#[test]
fn comments_and_blank_lines_are_copied() {
    check(&[
        ("# a comment\n", "", "# a comment\n", "", 0),
        ("#\n", "", "#\n", "", 0),
        ("# 1.....3..2.....4\n", "", "# 1.....3..2.....4\n", "", 0),
        (
            "#1 1.....3..2.....4\n#2 1.....3..2.....4\n",
            "",
            "#1 1.....3..2.....4\n#2 1.....3..2.....4\n",
            "-:1: a comment holds a puzzle, and lines that begin with # are not read\n",
            0,
        ),
        ("#tab\there \n", "", "#tab\there \n", "", 0),
        ("\n", "", "\n", "", 0),
        (" \t \n", "", " \t \n", "", 0),
        (
            "# one\n\n123434122143....\n# two\n",
            "",
            "# one\n\n1234341221434321\tunique\n# two\n",
            "",
            0,
        ),
        ("# one\n\n", "--verify", "# one\n\n", "", 0),
    ]);
}

#[test]
fn a_comment_starts_in_the_first_column() {
    check(&[(
        " # no comment\n",
        "",
        " # no comment\tinvalid\n",
        "-:1: 1 cell; a 4x4 puzzle has 16\n",
        1,
    )]);
}

#[test]
fn empty_input_gives_empty_output() {
    check(&[("", "", "", "", 0), ("", "--verify", "", "", 0)]);
}

#[test]
fn csv_without_lines_has_a_header() {
    for input in ["", "# c\n", "\n"] {
        check(&[(input, "--output csv", "solution,status\n", "", 0)]);
    }
    check(&[("", "--json --output csv -o id=line", "id\n", "", 0), ("", "--csv", "", "", 0)]);
}

#[test]
fn crlf_byte_order_marks_and_a_missing_last_newline_are_accepted() {
    let solved = format!("{OUTPUT_LINE}\n");
    let two_solved = solved.repeat(2);
    for (input, output) in [
        (format!("{PUZZLE}\r\n"), &solved),
        (PUZZLE.to_string(), &solved),
        (format!("{PUZZLE}\r"), &solved),
        (format!("\u{feff}{PUZZLE}\n"), &solved),
        (format!("\u{feff}# c\n\u{feff}\n{PUZZLE}\n"), &format!("# c\n\n{solved}")),
        (format!("\u{feff}{PUZZLE} rest\r\n"), &solved),
        // `cat` of two files leaves the byte order mark of the second within the output.
        (format!("\u{feff}{PUZZLE}\n\u{feff}{PUZZLE}"), &two_solved),
        (format!("{PUZZLE}\r\n{PUZZLE}\n"), &two_solved),
        ("# c\r\n\r\n#".to_string(), &"# c\n\n#\n".to_string()),
    ] {
        check(&[(&input, "", output, "", 0)]);
    }
}

#[test]
fn a_line_that_is_joined_with_the_next_one_is_invalid() {
    let puzzle =
        "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....";
    let solution =
        "164329785523876149978451632895643217647215893312987456231568974756194328489732561";
    let reason =
        "another puzzle at the end of a later field: two lines are joined without a line end";
    for rest in ["", " 7", ",easy", ",7", " (easy)"] {
        let joined = format!("{puzzle},{solution}{rest}{puzzle},{solution}{rest}");
        check(&[(
            &format!("{joined}\n"),
            "",
            &format!("{joined}\tinvalid\n"),
            &format!("-:1: {reason}\n"),
            1,
        )]);
    }
    // No other puzzle: the solution again, candidates, a word.
    for rest in [solution.repeat(2), puzzle.repeat(3), "x".repeat(100) + solution] {
        check(&[(&format!("{puzzle} {rest}\n"), "-o status", "unique\n", "", 0)]);
    }
}

#[test]
fn lines_that_end_in_cr_alone_are_one_invalid_line() {
    let reason =
        "a CR within the line; if CR alone ends the lines, convert them first: tr '\\r' '\\n'";
    for line in [
        format!("# c\r{PUZZLE}\r{PUZZLE}"),
        format!("\u{feff}{PUZZLE}\r{PUZZLE}"),
        format!("{PUZZLE} rest\r{PUZZLE} rest"),
    ] {
        // The next line is not affected.
        check(&[(
            &format!("{line}\r\n{PUZZLE}\n"),
            "",
            &format!("{line}\tinvalid\n{OUTPUT_LINE}\n"),
            &format!("-:1: {reason}\n"),
            1,
        )]);
    }
    // Lines of `paste` for files with CRLF.
    let of_fields = "a CR at the end of a field, as paste writes for files with CRLF; \
        remove each CR first: tr -d '\\r'";
    for separator in ["\t", " ", ",", ";"] {
        let line = format!("{PUZZLE}\r{separator}{PUZZLE}");
        let output = format!("{}\tinvalid\n", line.replace('\t', " "));
        check(&[(&format!("{line}\r\n"), "", &output, &format!("-:1: {of_fields}\n"), 1)]);
    }
    let long = format!("# c\r{}", format!("{PUZZLE}\r").repeat(4000));
    let (text, messages, _) = run_with("", long.as_bytes());
    assert_eq!(text, format!("{}\tinvalid\n", &long[..1024]));
    assert_eq!(messages, format!("-:1: {reason}\n"));
    let (text, messages, status) = run_with("--csv", b"puzzle,note\r1...............,a\r");
    assert_eq!((text.as_str(), status), ("", Some(2)));
    assert_eq!(messages, format!("-: {reason}\n"));
    let (text, messages, status) = run_with("--input grid", b"# c\r12\r..\r");
    assert_eq!((text.as_str(), status), ("#c\r12\r..\tinvalid\n", Some(1)));
    assert_eq!(messages, format!("-:1: {reason}\n"));
}

#[test]
fn an_invalid_line_is_written_unchanged_without_its_line_end() {
    check(&[("\u{feff}bad\r\nworse", "-q", "\u{feff}bad\tinvalid\nworse\tinvalid\n", "", 1)]);
    // One byte order mark is skipped; a second is an invalid symbol.
    let line = format!("\u{feff}\u{feff}{PUZZLE}");
    check(&[(&line, "-q", &format!("{line}\tinvalid\n"), "", 1)]);
}

#[test]
fn files_are_read_in_order_and_the_end_of_a_file_ends_its_last_line() {
    let folder = Folder::new();
    folder.file("a", PUZZLE);
    folder.file("b", format!("#b\n{PUZZLE}"));
    folder.file("empty", "");
    let standard_input = format!("# in\n{PUZZLE}");
    for (options, output) in [
        ("a b", format!("{OUTPUT_LINE}\n#b\n{OUTPUT_LINE}\n")),
        ("b empty a", format!("#b\n{OUTPUT_LINE}\n{OUTPUT_LINE}\n")),
        ("a - b", format!("{OUTPUT_LINE}\n# in\n{OUTPUT_LINE}\n#b\n{OUTPUT_LINE}\n")),
        ("- a", format!("# in\n{OUTPUT_LINE}\n{OUTPUT_LINE}\n")),
        ("-", format!("# in\n{OUTPUT_LINE}\n")),
        ("a a", format!("{OUTPUT_LINE}\n{OUTPUT_LINE}\n")),
        ("-j1 a -q b", format!("{OUTPUT_LINE}\n#b\n{OUTPUT_LINE}\n")),
    ] {
        let run = folder.run(options, standard_input.as_bytes());
        assert_eq!(
            (run.text(), run.messages.as_str(), run.status),
            (output, "", Some(0)),
            "{options}"
        );
    }
}

#[test]
fn two_dashes_end_the_options() {
    let folder = Folder::new();
    folder.file("-q", PUZZLE);
    folder.file("--help", "# a file\n");
    let run = folder.run("-j1 -- -q --help", b"");
    assert_eq!(run.text(), format!("{OUTPUT_LINE}\n# a file\n"));
    assert_eq!(run.status, Some(0));
}

#[test]
fn standard_input_can_be_a_regular_file() {
    let folder = Folder::new();
    let file = folder.file("a", format!("{PUZZLE}\nbad"));
    let mut command = shell("sudoku-filter < \"$1\"");
    let run = run(
        {
            command.arg(file);
            command
        },
        b"",
    );
    assert_eq!(run.text(), format!("{OUTPUT_LINE}\nbad\tinvalid\n"));
    assert_eq!(run.messages, "sudoku-filter: -:2: 3 cells; a 4x4 puzzle has 16\n");
}

#[test]
fn an_invalid_line_does_not_affect_other_lines() {
    // Every third line is invalid, each for another reason.
    let bad = ["x", "123434122143...z", "123434122143..0.", ",", "\u{1}", "1;2", "é"];
    let (mut input, mut output) = (String::new(), String::new());
    for line in bad {
        input += &format!("{PUZZLE}\n{PUZZLE} # fine\n{line}\n");
        output += &format!("{OUTPUT_LINE}\n{OUTPUT_LINE}\n{line}\tinvalid\n");
    }
    check(&[(&input, "-q", &output, "", 1)]);
}

#[test]
fn a_line_over_64_kib_is_invalid_and_its_first_kib_is_written() {
    const LONGEST: usize = 64 << 10;
    let solved = format!("{OUTPUT_LINE}\n");
    let with_rest = |length| format!("{PUZZLE} {}", "r".repeat(length - PUZZLE.len() - 1));
    for length in [LONGEST - 1, LONGEST] {
        let line = with_rest(length);
        check(&[
            (&format!("{line}\n{PUZZLE}\n"), "", &solved.repeat(2), "", 0),
            (&format!("{line}\r\n{PUZZLE}\r\n"), "", &solved.repeat(2), "", 0),
            (&line, "", &solved, "", 0),
            (&format!("{line}\r"), "", &solved, "", 0),
        ]);
    }
    for length in [LONGEST + 1, LONGEST + 2, 5 * LONGEST, 1 << 20] {
        let line = with_rest(length);
        let kept = format!("{}\tinvalid\n", &line[..1024]);
        let message = |number| format!("-:{number}: the line is longer than 64 KiB\n");
        check(&[
            (
                &format!("{PUZZLE}\n{line}\n{PUZZLE}\n"),
                "",
                &format!("{solved}{kept}{solved}"),
                &message(2),
                1,
            ),
            (&format!("{line}\r\n{PUZZLE}\r\n"), "", &format!("{kept}{solved}"), &message(1), 1),
            (&line, "", &kept, &message(1), 1),
        ]);
    }
}

#[test]
fn tabs_of_an_overlong_line_become_spaces() {
    let line = "\t".repeat((64 << 10) + 1);
    let output = format!("{}\tinvalid\n", " ".repeat(1024));
    check(&[(&line, "-q", &output, "", 1)]);
}

#[test]
fn a_last_named_field_of_several_words_gets_a_hint() {
    let hint = "the last field of --fields ends at its first blank; tabs between the fields of a line keep the blanks within them";
    let puzzle = "1.....3..2.....4";
    let lines = format!("{puzzle} 1.5 first\n{puzzle} 1.5 the second\n{puzzle} 1.5 a third one\n");
    let fields = "--fields puzzle,rating,name -o rating";
    for (options, lines, is_hinted) in [
        (format!("{fields},name"), lines.clone(), true),
        // The name, or all of it, is shown.
        (fields.to_string(), lines.clone(), false),
        (format!("{fields},name,rest"), lines.clone(), false),
        (format!("{fields},name"), format!("{puzzle}\t1.5\tthe second\n"), false),
        (format!("{fields},name"), format!("{puzzle} 1.5 first, second\n"), false),
    ] {
        let (_, messages, _) = run_with(&options, lines.as_bytes());
        let expected = if is_hinted { format!("-:2: {hint}\n") } else { String::new() };
        assert_eq!(messages, expected, "{options} {lines}");
    }
}

#[test]
fn a_damaged_second_puzzle_and_a_second_answer_on_a_line_are_named() {
    let puzzle = format!("12{}", ".".repeat(34));
    let other = format!("{}34", ".".repeat(34));
    let puzzle_remark = "-:1: a second puzzle on the line is not read; \
        tr ' \\t,' '\\n' puts each on a line of its own\n";
    let (answer, wrong) = ("1342243142133124", "1432243142133124");
    let answer_remark = "-:1: a second answer on the line is not checked; \
        a line is a puzzle and one answer\n";
    for (line, options, expected) in [
        (format!("{puzzle} {}", &other[1..]), "", puzzle_remark),
        (format!("{puzzle},{}", other.replacen("..", "#.", 1)), "", puzzle_remark),
        (format!("{puzzle} {}", &other[..30]), "", ""),
        (format!("{puzzle} {}", "1".repeat(35)), "", ""),
        (format!("1.....3..2.....4 {answer} {wrong}"), "--verify", answer_remark),
        (format!("1.....3..2.....4 {answer} {answer}"), "--verify", ""),
        (format!("1.....3..2.....4 {answer} 1.....3..2.....4 17"), "--verify", ""),
    ] {
        let (_, messages, status) = run_with(options, format!("{line}\n").as_bytes());
        assert_eq!((messages.as_str(), status), (expected, Some(0)), "{line}");
    }
}

#[test]
fn a_second_puzzle_on_a_line_is_named() {
    let remark = "-:2: a second puzzle on the line is not read; \
        tr ' \\t,' '\\n' puts each on a line of its own (and 1 more)\n";
    for (options, input, expected) in [
        (
            "",
            "1.....3..2.....4\n1.....3..2.....4 2.....3..1.....4\n1.....3..2.....4,4...............\n",
            remark,
        ),
        (
            "",
            "1.....3..2.....4\n1.....3..2.....4 | 2.....3..1.....4\n1.....3..2.....4 x 4...............\n",
            remark,
        ),
        // The same puzzle, entries in it, an answer, another size.
        ("", "1.....3..2.....4 1.....3..2.....4\n1.....3..2.....4 13....3..2.....4\n", ""),
        ("", "1.....3..2.....4 1342243142133124 1...\n", ""),
        ("--fields puzzle,other", "1.....3..2.....4 2.....3..1.....4\n", ""),
    ] {
        let (output, messages, status) = run_with(options, input.as_bytes());
        assert_eq!((messages.as_str(), status), (expected, Some(0)), "{input}");
        assert_eq!(output.lines().count(), input.lines().count());
    }
}

#[test]
fn a_solution_before_its_puzzle_is_named() {
    let message = "the first field is a full grid, and a puzzle follows; \
        --fields solution,puzzle reads the second field as the puzzle";
    let (solution, puzzle) = ("1342243142133124", "1.....3..2.....4");
    for (line, is_refused) in [
        (format!("{solution},{puzzle}"), true),
        (format!("{solution} 7 {puzzle}"), true),
        // A part of a damaged puzzle, which is longer than a 4x4.
        (format!("{solution} {puzzle}0..2"), true),
        (format!("{solution} {solution}"), false),
        (format!("{solution} 1.....3..2"), false),
        (format!("{puzzle},{puzzle}"), false),
        (format!("{puzzle} {solution}"), false),
    ] {
        let (output, messages, status) = run_with("-o status", format!("{line}\n").as_bytes());
        let (message, expected, code) = match is_refused {
            true => (format!("-:1: {message}\n"), "invalid\n", 1),
            false => (String::new(), "unique\n", 0),
        };
        assert_eq!((&*output, messages, status), (expected, message, Some(code)), "{line}");
    }
    let (output, ..) = run_with(
        "--fields solution,puzzle -o puzzle,status",
        format!("{solution},{puzzle}\n").as_bytes(),
    );
    assert_eq!(output, format!("{puzzle}\tunique\n"));
}

#[test]
fn the_name_of_a_rule_after_a_puzzle_is_named() {
    let reason = "the text after the puzzle names a rule; \
        --fields puzzle,variant reads names of variants";
    check_invalid(&[
        ("1.....3..2.....4 antiking", "", reason),
        ("1.....3..2.....4,5,antiking", "", reason),
        ("1.....3..2.....4;easy;'Anti-King'", "", reason),
        ("1.....3..2.....4\teasy\tnon consecutive", "", reason),
        ("1.....3..2.....4,little killer", "", reason),
        ("1.....3..2.....4 antiking", "--variant diagonal", reason),
        ("1.....3..2.....4 (antiking)", "", reason),
        ("1.....3..2.....4 5 [Anti-King]", "", reason),
        ("1.....3..2.....4 # antiking", "", reason),
        ("1.....3..2.....4 easy # antiking", "", reason),
        ("1.....3..2.....4 // antiking", "", reason),
        ("1.....3..2.....4 | antiking", "", reason),
        ("1.....3..2.....4 variant=antiking", "", reason),
        ("1.....3..2.....4 variant: thermo", "", reason),
    ]);
    check_output_lines(&[
        ("1.....3..2.....4 easy", "-o status", "unique"),
        ("1.....3..2.....4 diagonals are nice", "-o status", "unique"),
        ("1.....3..2.....4 an antiking is a piece", "-o status", "unique"),
        ("1.....3..2.....4 5,diagonal symmetry,skyscraper", "-o status", "unique"),
        ("1.....3..2.....4 (hard) # a killer of 5", "-o status", "unique"),
        ("1.....3..2.....4 http://a.org/jigsaw#killer", "-o status", "unique"),
        ("1.....3..2.....4 type=easy variant: classic", "-o status", "unique"),
        ("1.....3..2.....4 (antiking)", "--variant antiking -o status", "none"),
        ("1.....3..2.....4 antiking", "--variant antiking -o status", "none"),
    ]);
}

#[test]
fn the_name_of_a_rule_after_an_answer_is_named() {
    let reason = "the text after the answer names a rule; \
        --fields puzzle,answer,variant reads names of variants";
    check_invalid(&[
        ("12.............. 1234341221434321 antiking", "--verify", reason),
        ("12.............. 1234341221434321 5,(thermo)", "--verify", reason),
    ]);
    let line = "12.............. 1234341221434321";
    let with = |text: &str| format!("{line} {text}");
    check_output_lines(&[
        (&with("easy"), "--verify -o status", "correct"),
        (&with("not antiking"), "--verify -o status", "correct"),
        (&with("antiking"), "--verify --lenient -o status", "correct"),
    ]);
    let options = "--verify --variant antiking -o status";
    check(&[(&(with("antiking") + "\n"), options, "incorrect\n", "", 1)]);
}

#[test]
fn a_comment_that_is_the_name_of_a_rule_has_a_message() {
    let line = "1.....3..2.....4\n";
    let string = ".Shape~4x4.AntiKing\n";
    let hint = "-:1: a comment names a rule, which is not read; --variant adds a variant\n";
    for (comment, record, options, message) in [
        ("# antiking", line, "", hint),
        ("#Anti-King Sudoku", line, "", hint),
        ("# variant: thermo", line, "", hint),
        ("# antiking", line, "--variant diagonal", hint),
        ("# antiking", line, "--variant antiking", ""),
        ("# antiking", line, "--fields puzzle,variant", ""),
        // The puzzle states its rules.
        ("# antiking\n\n# one", string, "", ""),
        ("# killer puzzles of 2020", line, "", ""),
        ("# easy\n#\n##", line, "", ""),
    ] {
        let input = format!("{comment}\n{record}");
        let options = format!("--input lines -o status {options}");
        let (output, messages, _) = run_with(&options, input.as_bytes());
        assert!(output.starts_with(&format!("{comment}\n")), "{output}");
        assert_eq!(messages, message, "{input} with {options}");
    }
}

#[test]
fn a_named_field_that_is_called_as_a_rule_states_it_where_it_is_true() {
    let line = |value: &str| format!("1.....3..2.....4 {value}\n");
    for (value, names, expected) in [
        ("true", "puzzle,antiking", "none\tno place for 3 in row 1"),
        ("true", "puzzle,rules/antiking", "none\tno place for 3 in row 1"),
        ("no", "puzzle,is_antiking", "unique\t-"),
        ("", "puzzle,antiking", "unique\t-"),
        (
            "ture",
            "puzzle,antiking",
            "invalid\t'ture' in the field 'antiking' is neither true nor false",
        ),
        ("r1c1", "puzzle,thermo", "invalid\tthe cells in 'thermo' state a rule that is not read"),
        (
            "antiking",
            "puzzle,kind",
            "invalid\t'kind' names the rule antiking, and no field states it; \
             the name 'variant' in --fields reads it",
        ),
        ("easy", "puzzle,kind", "unique\t-"),
    ] {
        let options = format!("--fields {names} -o status,reason -q");
        let (output, ..) = run_with(&options, line(value).as_bytes());
        assert_eq!(output, format!("{expected}\n"), "{value} as {names}");
    }
}

#[test]
fn a_field_of_variants_states_rules() {
    let puzzle = ".".repeat(81);
    let knights = "1.....3..2.....4";
    for (variant, expected, reason) in [
        ("antiking", "none", ""),
        ("Anti King", "none", ""),
        ("anti-king sudoku;classic", "none", ""),
        ("classic", "unique", ""),
        ("", "unique", ""),
        // Labels.
        ("easy", "unique", ""),
        ("A1", "unique", ""),
        ("classic hard", "unique", ""),
        ("antiking sudoku", "none", ""),
        ("diagonal antiking", "none", ""),
        ("killer diagonal", "invalid", "states the rule killer, and has no cages"),
        ("diagonal (hard)", "invalid", "states a rule that is not known: (hard)"),
        ("antiking,thermo", "invalid", "names the rule thermo, and no field states it"),
        ("killer", "invalid", "states the rule killer, and has no cages"),
        ("jigsaw", "invalid", "states the rule jigsaw, and has no layout"),
        ("regions", "invalid", "states the rule regions, which needs --variant regions"),
        ("asterisk", "invalid", "a 4x4 puzzle has no asterisk"),
    ] {
        let csv = format!("puzzle;variant\n{knights};\"{variant}\"\n");
        let json = format!("{{\"puzzle\":\"{knights}\",\"variant\":\"{variant}\"}}\n");
        let line = format!("{knights}\t{variant}\n");
        for (options, input) in
            [("--csv", csv), ("--json", json), ("--fields puzzle,variant", line)]
        {
            let options = format!("{options} --output lines -o status,reason");
            let (output, ..) = run_with(&options, input.as_bytes());
            let is_expected = output.starts_with(&format!("{expected}\t{reason}"));
            assert!(is_expected, "{options} {variant}: {output}");
        }
    }
    let both = format!("{{\"puzzle\":\"{puzzle}\",\"variants\":[\"diagonal\",\"window\"]}}\n");
    let (output, ..) = run_with("--json --output lines -o solution", both.as_bytes());
    let (checked, ..) = run_with(
        "--verify --variant diagonal,window -o status",
        format!("{puzzle}\t{output}").as_bytes(),
    );
    assert_eq!(checked, "correct\n");
    // With a layout or cages beside it, and with another name for the field.
    let layout = "1122112233443344";
    let (output, ..) = run_with(
        "--csv --output lines -o status",
        format!("puzzle,variant,regions\n{},jigsaw,{layout}\n", ".".repeat(16)).as_bytes(),
    );
    assert_eq!(output, "multiple\n");
    let (output, ..) = run_with(
        "--csv --output lines -o status --header variant=kind",
        format!("puzzle,variant,kind\n{knights},antiking,classic\n").as_bytes(),
    );
    assert_eq!(output, "unique\n");
}
