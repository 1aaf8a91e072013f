//! What is told on standard error: where, why, how often, and fit for a terminal.

use crate::run::{Folder, answers, check};

#[test]
fn a_bad_line_is_told_with_its_file_and_its_number_there() {
    let folder = Folder::new();
    folder.file("good", "# one\n\n123434122143....");
    folder.file("bad", "# one\r\n\r\nx\r\n\n123434122143....\nyy");
    let run = folder.run("good bad - bad", b"zzz");
    let bad = "sudoku-filter: bad:3: 1 cell; a 4x4 puzzle has 16\n\
               sudoku-filter: bad:6: 2 cells; a 4x4 puzzle has 16\n";
    let expected = format!("{bad}sudoku-filter: -:1: 3 cells; a 4x4 puzzle has 16\n{bad}");
    assert_eq!((run.messages, run.status), (expected, Some(1)));
}

/// The messages about `lines` bad lines.
fn told(options: &str, lines: usize) -> String {
    let (output, messages, status) = answers(options, "x\n".repeat(lines).as_bytes());
    assert_eq!(output, "x\tinvalid\n".repeat(lines), "{options}");
    assert_eq!(status, Some(1), "{options}");
    messages
}

#[test]
fn after_so_many_messages_the_rest_is_counted() {
    let messages = |count: usize| -> String {
        let one = |line| format!("-:{line}: 1 cell; a 4x4 puzzle has 16\n");
        (1..=count).map(one).collect()
    };
    assert_eq!(told("", 10), messages(10));
    assert_eq!(told("", 11), messages(10) + "1 more invalid line\n");
    assert_eq!(told("", 133), messages(10) + "123 more invalid lines\n");
    assert_eq!(
        told("--errors 2", 5),
        messages(2) + "3 more invalid lines\n"
    );
    assert_eq!(told("--errors=1", 1), messages(1));
    assert_eq!(told("--errors 0", 3), "3 more invalid lines\n");
    assert_eq!(told("--errors 1000000", 200), messages(200));
    for options in ["-q", "--quiet", "-q --errors 5", "--errors 0 -q"] {
        assert_eq!(told(options, 133), "", "{options}");
    }
}

#[test]
fn messages_count_over_all_files() {
    let folder = Folder::new();
    folder.file("a", "x\nx\n");
    folder.file("b", "x\nx");
    let run = folder.run("--errors 3 a b", b"");
    let expected = "sudoku-filter: a:1: 1 cell; a 4x4 puzzle has 16\n\
                    sudoku-filter: a:2: 1 cell; a 4x4 puzzle has 16\n\
                    sudoku-filter: b:1: 1 cell; a 4x4 puzzle has 16\n\
                    sudoku-filter: 1 more invalid line\n";
    assert_eq!(run.messages, expected);
}

#[test]
fn quiet_never_silences_a_fault() {
    let folder = Folder::new();
    let run = folder.run("-q missing -", b"x\n");
    assert_eq!(
        run.messages,
        "sudoku-filter: missing: No such file or directory (os error 2)\n"
    );
    assert_eq!((run.text().as_str(), run.status), ("x\tinvalid\n", Some(2)));
}

#[test]
fn no_control_byte_gets_into_a_message() {
    let symbols: [(&[u8], &str); 6] = [
        (b"\x1b", r"\x1b"),
        (b"\0", r"\x00"),
        (b"\x07", r"\x07"),
        (b"\xff", r"\xff"),
        (b"\x7f", r"\x7f"),
        ("\u{9b}".as_bytes(), r"\xc2"),
    ];
    for (symbol, told) in symbols {
        let mut line = symbol.to_vec();
        line.resize(16, b'.');
        let run = crate::run::run(crate::run::program(""), &line);
        let reason = format!("'{told}' at r1c1 is neither a digit of a 4x4 puzzle nor a blank");
        assert_eq!(run.messages, format!("sudoku-filter: -:1: {reason}\n"));
        // The output carries bytes as they came.
        assert_eq!(run.output, [&line[..], b"\tinvalid\n"].concat());
    }
}

#[test]
fn labels_and_answers_are_escaped_too() {
    let dots = ".".repeat(16);
    check(&[
        (
            &format!("{dots} \u{1b}\u{1b}\u{1b}\u{1b}\u{1b}BBBCCCCDDDD\n"),
            "--variant jigsaw",
            &format!("{dots} \u{1b}\u{1b}\u{1b}\u{1b}\u{1b}BBBCCCCDDDD\tinvalid\n"),
            "-:1: region \\x1b has 5 cells, 4 wanted\n",
            1,
        ),
        (
            &format!("{dots} 123434122143432\u{1b}\n"),
            "--verify",
            &format!(
                "{dots} 123434122143432\u{1b}\tinvalid\tanswer: '\\x1b' at r4c4 is neither a digit of a 4x4 puzzle nor a blank\n"
            ),
            "-:1: answer: '\\x1b' at r4c4 is neither a digit of a 4x4 puzzle nor a blank\n",
            1,
        ),
    ]);
}

#[test]
fn file_names_are_escaped() {
    let folder = Folder::new();
    folder.file("a\u{1b}]0;b\n", "x");
    let mut command = crate::run::program("");
    command
        .current_dir(&folder.0)
        .args(["a\u{1b}]0;b\n", "\u{7}"]);
    let run = crate::run::run(command, b"");
    let expected = "sudoku-filter: a\\x1b]0;b\\x0a:1: 1 cell; a 4x4 puzzle has 16\n\
                    sudoku-filter: \\x07: No such file or directory (os error 2)\n";
    assert_eq!(run.messages, expected);
}

#[test]
fn what_turns_text_round_is_escaped_in_messages() {
    let folder = Folder::new();
    for symbol in "\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}".chars() {
        let name = format!("a{symbol}txt");
        let told = symbol.to_string().into_bytes();
        let told: String = told.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        let missing = "No such file or directory (os error 2)";
        let run = folder.run(&name, b"");
        assert_eq!(
            run.messages,
            format!("sudoku-filter: a{told}txt: {missing}\n")
        );
        let run = folder.run(&format!("--method {name}"), b"");
        assert!(
            run.messages.contains(&format!("--method a{told}txt: ")),
            "{}",
            run.messages
        );
    }
}

#[test]
fn faults_of_files_do_not_keep_the_others_from_being_answered() {
    let folder = Folder::new();
    folder.file("a", "123434122143....");
    folder.file("b", "1234341221......");
    let row = "1234341221434321\tunique\n";
    for options in ["missing a .", "a missing .", "a missing . missing"] {
        let run = folder.run(options, b"");
        assert_eq!(
            (run.text().as_str(), run.status),
            (row, Some(2)),
            "{options}"
        );
        let missing = "sudoku-filter: missing: No such file or directory (os error 2)\n";
        assert!(run.messages.contains(missing), "{}", run.messages);
        let directory = "sudoku-filter: .: Is a directory (os error 21)\n";
        assert!(run.messages.contains(directory), "{}", run.messages);
    }
}

#[test]
fn packed_input_is_refused_with_the_program_that_unpacks_it() {
    let folder = Folder::new();
    folder.file("good", "123434122143....\n");
    let packed: [(&str, &[u8]); 4] = [
        ("gzip", b"\x1f\x8b\x08\0\0\0\n1...\n"),
        ("zstd", b"\x28\xb5\x2f\xfd\0\n1\n"),
        ("xz", b"\xfd7zXZ\0\0\x04\n1\n"),
        ("bzip2", b"BZh91AY&SY\n1\n"),
    ];
    for (format, bytes) in packed {
        folder.file("packed", bytes);
        let run = folder.run("packed good", b"");
        assert_eq!(run.text(), "1234341221434321\tunique\n", "{format}");
        assert_eq!(run.status, Some(2), "{format}");
        assert!(
            run.messages.starts_with("sudoku-filter: packed: "),
            "{}",
            run.messages
        );
        assert!(run.messages.contains(format), "{}", run.messages);
        assert_eq!(run.messages.lines().count(), 1, "{}", run.messages);

        let run = folder.run("", bytes);
        assert_eq!((run.text().as_str(), run.status), ("", Some(2)), "{format}");
        assert!(
            run.messages.starts_with("sudoku-filter: -: "),
            "{}",
            run.messages
        );
    }
}

#[test]
fn what_unpacks_a_file_does_not_take_its_name_for_options() {
    let folder = Folder::new();
    folder.file("-x.gz", b"\x1f\x8b\x08\0");
    let run = folder.run("-- -x.gz", b"");
    let hint = "this is gzip data; unpack it first: gzip -dc ./-x.gz | sudoku-filter";
    assert_eq!(run.messages, format!("sudoku-filter: -x.gz: {hint}\n"));
    assert_eq!((run.text().as_str(), run.status), ("", Some(2)));
}

#[test]
fn a_fault_wins_over_a_bad_line_in_the_exit_status() {
    let folder = Folder::new();
    folder.file("bad", "x");
    assert_eq!(folder.run("bad", b"").status, Some(1));
    assert_eq!(folder.run("bad missing", b"").status, Some(2));
    assert_eq!(folder.run("missing bad", b"").status, Some(2));
}
