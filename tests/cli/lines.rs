//! Lines: what separates fields, what is copied through, how a line may end, and where files meet.

use crate::run::{Folder, check, check_rows, run, shell};

const PUZZLE: &str = "123434122143....";
const ROW: &str = "1234341221434321\tunique";

#[test]
fn fields_are_separated_by_blanks_or_one_mark() {
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
        check_rows(&[(line, "", ROW)]);
    }
}

#[test]
fn an_empty_first_field_is_no_puzzle() {
    check(&[(
        ",123434122143....\n",
        "",
        ",123434122143....\tinvalid\n",
        "-:1: the puzzle is missing\n",
        1,
    )]);
}

#[test]
fn comments_and_blank_lines_are_copied_through() {
    check(&[
        ("# a comment\n", "", "# a comment\n", "", 0),
        ("#\n", "", "#\n", "", 0),
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
fn a_comment_begins_the_line() {
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
fn line_ends_of_windows_a_byte_order_mark_and_a_missing_last_newline_are_accepted() {
    let row = format!("{ROW}\n");
    let rows = row.repeat(2);
    for (input, output) in [
        (format!("{PUZZLE}\r\n"), &row),
        (PUZZLE.to_string(), &row),
        (format!("{PUZZLE}\r"), &row),
        (format!("\u{feff}{PUZZLE}\n"), &row),
        (format!("\u{feff}{PUZZLE} rest\r\n"), &row),
        // Files glued by cat carry the mark in the middle.
        (format!("\u{feff}{PUZZLE}\n\u{feff}{PUZZLE}"), &rows),
        (format!("{PUZZLE}\r\n{PUZZLE}\n"), &rows),
        ("# c\r\n\r\n#".to_string(), &"# c\n\n#\n".to_string()),
    ] {
        check(&[(&input, "", output, "", 0)]);
    }
}

#[test]
fn a_bad_line_is_shown_as_it_came_without_its_end() {
    check(&[(
        "\u{feff}bad\r\nworse",
        "-q",
        "\u{feff}bad\tinvalid\nworse\tinvalid\n",
        "",
        1,
    )]);
    // One byte order mark is none of its symbols; a second is.
    let line = format!("\u{feff}\u{feff}{PUZZLE}");
    check(&[(&line, "-q", &format!("{line}\tinvalid\n"), "", 1)]);
}

#[test]
fn files_are_read_in_the_order_given_and_never_glued() {
    let folder = Folder::new();
    folder.file("a", PUZZLE);
    folder.file("b", format!("#b\n{PUZZLE}"));
    folder.file("empty", "");
    let standard_input = format!("# in\n{PUZZLE}");
    for (options, output) in [
        ("a b", format!("{ROW}\n#b\n{ROW}\n")),
        ("b empty a", format!("#b\n{ROW}\n{ROW}\n")),
        ("a - b", format!("{ROW}\n# in\n{ROW}\n#b\n{ROW}\n")),
        ("- a", format!("# in\n{ROW}\n{ROW}\n")),
        ("-", format!("# in\n{ROW}\n")),
        ("a a", format!("{ROW}\n{ROW}\n")),
        ("-j1 a -q b", format!("{ROW}\n#b\n{ROW}\n")),
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
    assert_eq!(run.text(), format!("{ROW}\n# a file\n"));
    assert_eq!(run.status, Some(0));
}

#[test]
fn standard_input_may_be_a_file() {
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
    assert_eq!(run.text(), format!("{ROW}\nbad\tinvalid\n"));
    assert_eq!(
        run.messages,
        "sudoku-filter: -:2: 3 cells; a 4x4 puzzle has 16\n"
    );
}

#[test]
fn a_bad_line_never_disturbs_its_neighbours() {
    // Every third line is broken, each in its own way.
    let bad = [
        "x",
        "123434122143...z",
        "123434122143..0.",
        ",",
        "\u{1}",
        "1;2",
        "é",
    ];
    let (mut input, mut output) = (String::new(), String::new());
    for line in bad {
        input += &format!("{PUZZLE}\n{PUZZLE} # fine\n{line}\n");
        output += &format!("{ROW}\n{ROW}\n{line}\tinvalid\n");
    }
    check(&[(&input, "-q", &output, "", 1)]);
}

#[test]
fn a_line_of_64_kib_is_read_and_a_longer_one_is_invalid_with_its_first_kib() {
    const LONGEST: usize = 64 << 10;
    let row = format!("{ROW}\n");
    let with_rest = |length| format!("{PUZZLE} {}", "r".repeat(length - PUZZLE.len() - 1));
    for length in [LONGEST - 1, LONGEST] {
        let line = with_rest(length);
        check(&[
            (&format!("{line}\n{PUZZLE}\n"), "", &row.repeat(2), "", 0),
            (
                &format!("{line}\r\n{PUZZLE}\r\n"),
                "",
                &row.repeat(2),
                "",
                0,
            ),
            (&line, "", &row, "", 0),
            (&format!("{line}\r"), "", &row, "", 0),
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
                &format!("{row}{kept}{row}"),
                &message(2),
                1,
            ),
            (
                &format!("{line}\r\n{PUZZLE}\r\n"),
                "",
                &format!("{kept}{row}"),
                &message(1),
                1,
            ),
            (&line, "", &kept, &message(1), 1),
        ]);
    }
}

#[test]
fn tabs_of_an_overlong_line_are_spaces_too() {
    let line = "\t".repeat((64 << 10) + 1);
    let output = format!("{}\tinvalid\n", " ".repeat(1024));
    check(&[(&line, "-q", &output, "", 1)]);
}
