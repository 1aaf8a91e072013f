//! Messages on standard error: place, reason, number, hints, and the escaping of control
//! characters.

use crate::run::{Folder, check, check_invalid, run_with};

#[test]
fn messages_name_the_file_and_the_line_number_in_it() {
    let folder = Folder::new();
    folder.file("good", "# one\n\n123434122143....");
    folder.file("bad", "# one\r\n\r\nx\r\n\n123434122143....\nyy");
    let run = folder.run("good bad - bad", b"zzz");
    let bad = "sudoku-filter: bad:3: 1 cell; a 4x4 puzzle has 16\n\
               sudoku-filter: bad:6: 2 cells; a 4x4 puzzle has 16\n";
    let expected = format!("{bad}sudoku-filter: -:1: 3 cells; a 4x4 puzzle has 16\n{bad}");
    assert_eq!((run.messages, run.status), (expected, Some(1)));
}

/// Returns the messages about `lines` invalid lines.
fn messages_about_invalid_lines(options: &str, lines: usize) -> String {
    let (output, messages, status) = run_with(options, "x\n".repeat(lines).as_bytes());
    assert_eq!(output, "x\tinvalid\n".repeat(lines), "{options}");
    assert_eq!(status, Some(1), "{options}");
    messages
}

#[test]
fn messages_beyond_the_limit_are_counted() {
    let messages = |count: usize| -> String {
        let one = |line| format!("-:{line}: 1 cell; a 4x4 puzzle has 16\n");
        (1..=count).map(one).collect()
    };
    assert_eq!(messages_about_invalid_lines("", 10), messages(10));
    assert_eq!(messages_about_invalid_lines("", 11), messages(10) + "1 more invalid line\n");
    assert_eq!(messages_about_invalid_lines("", 133), messages(10) + "123 more invalid lines\n");
    assert_eq!(
        messages_about_invalid_lines("--errors 2", 5),
        messages(2) + "3 more invalid lines\n"
    );
    assert_eq!(messages_about_invalid_lines("--errors=1", 1), messages(1));
    assert_eq!(messages_about_invalid_lines("--errors 0", 3), "3 more invalid lines\n");
    assert_eq!(messages_about_invalid_lines("--errors 1000000", 200), messages(200));
    for options in ["-q", "--quiet", "-q --errors 5", "--errors 0 -q"] {
        assert_eq!(messages_about_invalid_lines(options, 133), "", "{options}");
    }
}

#[test]
fn the_message_limit_covers_all_files() {
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
fn quiet_keeps_messages_about_files() {
    let folder = Folder::new();
    let run = folder.run("-q missing -", b"x\n");
    assert_eq!(run.messages, "sudoku-filter: missing: No such file or directory\n");
    assert_eq!((run.text().as_str(), run.status), ("x\tinvalid\n", Some(2)));
}

#[test]
fn control_bytes_are_escaped_in_messages() {
    let symbols: [(&[u8], &str); 6] = [
        (b"\x1b", r"\x1b"),
        (b"\0", r"\x00"),
        (b"\x07", r"\x07"),
        (b"\xff", r"\xff"),
        (b"\x7f", r"\x7f"),
        ("\u{9b}".as_bytes(), r"\xc2"),
    ];
    for (symbol, escaped) in symbols {
        let mut line = symbol.to_vec();
        line.resize(16, b'.');
        let run = crate::run::run(crate::run::program(""), &line);
        let reason = format!("'{escaped}' at r1c1 is neither a digit of a 4x4 puzzle nor a blank");
        assert_eq!(run.messages, format!("sudoku-filter: -:1: {reason}\n"), "{escaped}");
        // The output holds the bytes of the line unchanged.
        assert_eq!(run.output, [&line[..], b"\tinvalid\n"].concat(), "{escaped}");
    }
}

#[test]
fn control_bytes_of_labels_and_answers_are_escaped() {
    let dots = ".".repeat(16);
    check(&[
        (
            &format!("{dots} \u{1b}\u{1b}\u{1b}\u{1b}\u{1b}BBBCCCCDDDD\n"),
            "--variant jigsaw",
            &format!("{dots} \u{1b}\u{1b}\u{1b}\u{1b}\u{1b}BBBCCCCDDDD\tinvalid\n"),
            "-:1: region \\x1b has 5 cells instead of 4\n",
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
fn control_bytes_of_file_names_are_escaped() {
    let folder = Folder::new();
    folder.file("a\u{1b}]0;b\n", "x");
    let mut command = crate::run::program("");
    command.current_dir(&folder.0).args(["a\u{1b}]0;b\n", "\u{7}"]);
    let run = crate::run::run(command, b"");
    let expected = "sudoku-filter: a\\x1b]0;b\\x0a:1: 1 cell; a 4x4 puzzle has 16\n\
                    sudoku-filter: \\x07: No such file or directory\n";
    assert_eq!(run.messages, expected);
}

#[test]
fn bidirectional_control_characters_are_escaped() {
    let folder = Folder::new();
    for symbol in "\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}".chars() {
        let name = format!("a{symbol}txt");
        let bytes = symbol.to_string().into_bytes();
        let escaped: String = bytes.iter().map(|byte| format!("\\x{byte:02x}")).collect();
        let missing = "No such file or directory";
        let run = folder.run(&name, b"");
        assert_eq!(run.messages, format!("sudoku-filter: a{escaped}txt: {missing}\n"), "{escaped}");
        let run = folder.run(&format!("--method {name}"), b"");
        assert!(run.messages.contains(&format!("--method a{escaped}txt: ")), "{}", run.messages);
    }
}

#[test]
fn an_unreadable_file_does_not_affect_other_files() {
    let folder = Folder::new();
    folder.file("a", "123434122143....");
    folder.file("b", "1234341221......");
    let output = "1234341221434321\tunique\n";
    for options in ["missing a .", "a missing .", "a missing . missing"] {
        let run = folder.run(options, b"");
        assert_eq!((run.text().as_str(), run.status), (output, Some(2)), "{options}");
        let missing = "sudoku-filter: missing: No such file or directory\n";
        assert!(run.messages.contains(missing), "{}", run.messages);
        let directory = "sudoku-filter: .: Is a directory\n";
        assert!(run.messages.contains(directory), "{}", run.messages);
    }
}

#[test]
fn compressed_input_is_refused_and_the_message_names_its_format() {
    let folder = Folder::new();
    folder.file("good", "123434122143....\n");
    let packed: [(&str, &[u8]); 9] = [
        ("zip", b"PK\x03\x04\x14\0\n1...\n"),
        ("zip", b"PK\x05\x06\0\n"),
        ("zip", b"PK\x07\x08PK\x03\x04\n"),
        ("lz4", b"\x04\x22\x4d\x18\n"),
        ("compress", b"\x1f\x9d\x90\n"),
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
        assert!(run.messages.starts_with("sudoku-filter: packed: "), "{}", run.messages);
        assert!(run.messages.contains(format), "{}", run.messages);
        assert_eq!(run.messages.lines().count(), 1, "{}", run.messages);

        let run = folder.run("", bytes);
        assert_eq!((run.text().as_str(), run.status), ("", Some(2)), "{format}");
        assert!(run.messages.starts_with("sudoku-filter: -: "), "{}", run.messages);
    }
}

#[test]
fn utf_16_is_refused_and_the_message_names_a_command_that_converts_it() {
    let folder = Folder::new();
    folder.file("good", "123434122143....\n");
    let text = "12..\r\n..21\n";
    let little: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let big: Vec<u8> = text.encode_utf16().flat_map(u16::to_be_bytes).collect();
    for (encoding, mark, bytes) in [
        ("UTF-16", &b"\xff\xfe"[..], &little),
        ("UTF-16", b"\xfe\xff", &big),
        ("UTF-16LE", b"", &little),
        ("UTF-16BE", b"", &big),
    ] {
        folder.file("wide", [mark, bytes].concat());
        for options in ["", "--csv", "--input grid"] {
            let run = folder.run(&format!("{options} wide"), b"");
            assert_eq!((run.text().as_str(), run.status), ("", Some(2)), "{options}");
            let hint = format!(
                "this is UTF-16 text; convert it first: iconv -f {encoding} -t UTF-8 wide | sudoku-filter"
            );
            assert_eq!(run.messages, format!("sudoku-filter: wide: {hint}\n"));
        }
        let run = folder.run("wide good", b"");
        assert_eq!(run.text(), "1234341221434321\tunique\n");
    }
    let run = folder.run("--regions @wide", b"");
    let hint = "this is UTF-16 text; convert it first: iconv -f UTF-16BE -t UTF-8 wide > wide.utf8";
    assert_eq!(run.messages, format!("sudoku-filter: wide: {hint}\n"));
    // A NUL in every other byte of a later line is an ordinary fault of that line.
    let run = folder.run("-q", b"#\n1\x002\x003\x004\0\n");
    assert_eq!(run.status, Some(1));
}

#[test]
fn the_suggested_command_does_not_take_the_file_name_for_an_option() {
    let folder = Folder::new();
    folder.file("-x.gz", b"\x1f\x8b\x08\0");
    let run = folder.run("-- -x.gz", b"");
    let hint = "this is gzip data; unpack it first: gzip -dc ./-x.gz | sudoku-filter";
    assert_eq!(run.messages, format!("sudoku-filter: -x.gz: {hint}\n"));
    assert_eq!((run.text().as_str(), run.status), ("", Some(2)));
}

#[test]
fn a_file_error_outranks_an_invalid_line_in_the_exit_status() {
    let folder = Folder::new();
    folder.file("bad", "x");
    assert_eq!(folder.run("bad", b"").status, Some(1));
    assert_eq!(folder.run("bad missing", b"").status, Some(2));
    assert_eq!(folder.run("missing bad", b"").status, Some(2));
}

#[test]
fn an_archive_is_refused_with_the_command_that_unpacks_it() {
    let folder = Folder::new();
    folder.file("a b.zip", b"PK\x03\x04\x14\0");
    let mut command = crate::run::program("");
    command.current_dir(&folder.0).arg("a b.zip");
    let run = crate::run::run(command, b"PK");
    let hint = "this is zip data; unpack it first: unzip -p 'a b.zip' | sudoku-filter";
    assert_eq!(run.messages, format!("sudoku-filter: a b.zip: {hint}\n"));
    folder.file("layout", b"PK\x03\x04\x14\0");
    let run = folder.run("--regions @layout", b"");
    let hint = "this is zip data; unpack it first: unzip layout";
    assert_eq!(run.messages, format!("sudoku-filter: layout: {hint}\n"));
}

#[test]
fn a_symbol_outside_ascii_is_named_instead_of_counted() {
    let puzzle = "1·····3··2·····4";
    check_invalid(&[
        (puzzle, "", "'·' (U+00B7) is neither a digit nor a blank"),
        (
            &format!("1.....3..2.....4 {puzzle}"),
            "--verify",
            "answer: '·' (U+00B7) is neither a digit nor a blank",
        ),
    ]);
    let drawn = "1□□□\n□□3□\n□2□□\n□□□4\n\n1...\n..3.\n.2..\n...4\n";
    let (output, messages, _) = run_with("--input grid -o status", drawn.as_bytes());
    // In a drawing, one symbol of any kind can be the blank cell.
    assert_eq!((output.as_str(), messages.as_str()), ("unique\nunique\n", ""));
    let (output, ..) = run_with("--input grid -o status", drawn.replacen('□', "■", 1).as_bytes());
    assert_eq!(output, "invalid\nunique\n");
}

/// Returns the messages about the lines of `text`.
fn messages_about(options: &str, text: &str) -> Vec<String> {
    let (_, messages, status) = run_with(options, text.as_bytes());
    assert_eq!(status, Some(1), "{text}");
    messages.lines().map(str::to_string).collect()
}

#[test]
fn a_line_of_a_drawn_grid_is_reported_with_the_option_that_reads_it() {
    let drawn = "[Puzzle]\n53..7....\n+---+---+---+\n|5 3 .|. 7 .|. . .|\n5 3 . . 7 . . . .\n53. .7. ...\n│5 3│\n";
    let hint = "(puzzles drawn over several lines: --input grid)";
    let nine = format!("9 cells; a 9x9 puzzle has 81 {hint}");
    assert_eq!(
        messages_about("", drawn),
        [
            format!("-:1: 8 cells; a 4x4 puzzle has 16 {hint}"),
            format!("-:2: {nine}"),
            format!("-:3: 13 cells; a 4x4 puzzle has 16 {hint}"),
            format!("-:4: {nine}"),
            format!("-:5: {nine}"),
            format!("-:6: {nine}"),
            // Two symbols are no row of a grid.
            "-:7: '│' (U+2502) is neither a digit nor a blank".to_string(),
        ]
    );
    // A puzzle that is cut short, and lines that look like no notation.
    assert_eq!(
        messages_about("", "1..3....5.23.7..49\n123\nyyyyyyyyy\nid,puzzle\n"),
        [
            "-:1: 18 cells; a 4x4 puzzle has 16",
            "-:2: 3 cells; a 4x4 puzzle has 16",
            "-:3: 9 cells; a 4x4 puzzle has 16",
            "-:4: 2 cells; a 4x4 puzzle has 16 (CSV with a header: --csv)",
        ]
    );
    assert_eq!(
        messages_about("--variant jigsaw", "53..7....\n"),
        [format!("-:1: the regions are missing; expected PUZZLE REGIONS {hint}")]
    );
    assert_eq!(
        messages_about("--variant jigsaw", "53..7..\n"),
        [format!("-:1: 7 cells; a 7x7 puzzle has 49 {hint}")]
    );
    // With --fields no hint about drawn grids is printed.
    assert_eq!(
        messages_about("--fields puzzle", "53..7....\n"),
        ["-:1: 9 cells; a 4x4 puzzle has 16"]
    );
    // A puzzle and its layout without a separator.
    let glued = format!(
        "{}{}",
        ".".repeat(81),
        "AAABBBCCC".repeat(3) + &"DDDEEEFFF".repeat(3) + &"GGGHHHIII".repeat(3)
    );
    assert_eq!(
        messages_about("", &glued),
        [
            "-:1: 162 cells; a 12x12 puzzle has 144 (a puzzle and its jigsaw layout: --variant jigsaw)"
        ]
    );
    // An option that is there already is not proposed.
    assert_eq!(
        messages_about("--variant jigsaw", &glued.replacen('.', "z", 1)),
        ["-:1: 'z' at r1c1 is neither a digit of a 9x9 puzzle nor a blank"]
    );
}

#[test]
fn the_column_reason_has_no_hint() {
    let lines = "1..3\n\"Quizzes\",level\n";
    let (output, messages, _) = run_with("-o status,reason", lines.as_bytes());
    let reasons = ["4 cells; a 4x4 puzzle has 16", "9 cells; a 4x4 puzzle has 16"];
    assert_eq!(output, reasons.map(|reason| format!("invalid\t{reason}\n")).concat());
    let hints = ["(puzzles drawn over several lines: --input grid)", "(CSV with a header: --csv)"];
    let [first, second] = [0, 1].map(|index| format!("{} {}", reasons[index], hints[index]));
    assert_eq!(messages, format!("-:1: {first}\n-:2: {second}\n"));
}

#[test]
fn puzzles_that_cat_joined_are_reported_with_their_number() {
    let hint = "cat joins lines of files that lack a last newline; name the files as arguments)";
    let hexadecimal = "G".to_string() + &".".repeat(255);
    for (line, reason) in [
        (
            "1.....3..2.....4".repeat(2),
            format!("32 cells; a 6x6 puzzle has 36 (two 4x4 puzzles? {hint}"),
        ),
        (
            "1.....3..2.....4".repeat(3),
            format!("48 cells; a 6x6 puzzle has 36 (three 4x4 puzzles? {hint}"),
        ),
        (
            format!("6{} easy", ".".repeat(71)),
            format!("72 cells; an 8x8 puzzle has 64 (two 6x6 puzzles? {hint}"),
        ),
        (
            "9".to_string() + &".".repeat(161),
            format!("162 cells; a 12x12 puzzle has 144 (two 9x9 puzzles? {hint}"),
        ),
        (
            hexadecimal.repeat(2),
            format!(
                "'G' in the pencilmarks of r1c1; expected '1' or a blank (two 16x16 puzzles? {hint}"
            ),
        ),
        // The pencilmarks of an 8x8 with a wrong digit, and symbols of no such puzzles.
        (
            "2".to_string() + &".".repeat(511),
            "'2' in the pencilmarks of r1c1; expected '1' or a blank".to_string(),
        ),
        ("z".repeat(32), "32 cells; a 6x6 puzzle has 36".to_string()),
    ] {
        assert_eq!(messages_about("", &line), [format!("-:1: {reason}")]);
    }
}

#[test]
fn input_in_another_format_is_reported_with_what_reads_it() {
    let puzzle = "1.....3..2.....4";
    let quotes =
        "18 cells; a 4x4 puzzle has 16 (quotes: --csv for CSV with a header, or else tr -d '\"')";
    let object = "(JSON: --json)";
    let array = "(an array of cells: --input grid)";
    let later = "is a puzzle: --csv --header puzzle=NAME if the first line names the fields, or else --fields with their names)";
    for (line, reason) in [
        (
            "\"Quizzes\",level".to_string(),
            "9 cells; a 4x4 puzzle has 16 (CSV with a header: --csv)".to_string(),
        ),
        (
            format!("7,{puzzle},easy"),
            format!("1 cell; a 4x4 puzzle has 16 (field 2 {later}"),
        ),
        (
            format!("7\teasy\t{puzzle}"),
            format!("1 cell; a 4x4 puzzle has 16 (field 3 {later}"),
        ),
        (format!("\"{puzzle}\""), quotes.to_string()),
        (format!("\"{puzzle}\",\"easy\""), quotes.to_string()),
        (
            "{\"puzzle\": 1}".to_string(),
            format!("9 cells; a 4x4 puzzle has 16 {object}"),
        ),
        (
            "{".to_string(),
            format!("1 cell; a 4x4 puzzle has 16 {object}"),
        ),
        (
            format!("  \"puzzle\": \"{puzzle}\","),
            format!("8 cells; a 4x4 puzzle has 16 {object}"),
        ),
        // Blanks between the symbols of a line.
        (
            "1 . . . . . 3 . . 2 . . . . . 4".to_string(),
            "16 cells with blanks between them (a whole 4x4: tr -d ' '; a row of a drawn 16x16: --input grid)".to_string(),
        ),
        (
            "1 . . . . . 9 . . 2 . . . . . 4".to_string(),
            "16 cells; a 16x16 puzzle has 256 (puzzles drawn over several lines: --input grid)".to_string(),
        ),
        (
            vec!["."; 80].join(" "),
            "80 cells; a 9x9 puzzle has 81".to_string(),
        ),
        (
            "4.30021E+78;8.64371E+80".to_string(),
            "a number that a spreadsheet made of a puzzle; import the column as text".to_string(),
        ),
        (
            "[1, 0, 0]".to_string(),
            format!("2 cells; a 4x4 puzzle has 16 {array}"),
        ),
        (
            "[[1,0],[0,0]]".to_string(),
            format!("3 cells; a 4x4 puzzle has 16 {array}"),
        ),
        (
            "[{\"puzzle\": 1}]".to_string(),
            format!("10 cells; a 4x4 puzzle has 16 {object}"),
        ),
        (
            format!("<p>{puzzle}</p>"),
            "23 cells; a 4x4 puzzle has 16 (XML or HTML: --input grid)".to_string(),
        ),
        (
            format!("INSERT INTO p (id, puzzle) VALUES (1, '{puzzle}');"),
            "6 cells; a 4x4 puzzle has 16 (SQL: --input grid)".to_string(),
        ),
        (
            format!("(1, '{puzzle}'),"),
            "2 cells; a 4x4 puzzle has 16 (a list of a program: --input grid)".to_string(),
        ),
        // A puzzle with a typing error, and an answer.
        (
            format!("{puzzle}. {puzzle}"),
            "17 cells; a 4x4 puzzle has 16".to_string(),
        ),
        (
            "7 1342243142133124".to_string(),
            "1 cell; a 4x4 puzzle has 16".to_string(),
        ),
    ] {
        assert_eq!(
            messages_about("--input lines", &format!("{line}\n")),
            [format!("-:1: {reason}")]
        );
    }
}

#[test]
fn formats_of_other_programs_are_named() {
    let as_line = "write the digits of its grid as a line, with . for a blank cell";
    for (line, what) in [
        ("https://sudokupad.app/sclN4IgzglgXgpi", "link of SudokuPad"),
        ("f-puzzles.com/?id=yx1", "link of f-puzzles"),
        ("https://sudokupad.app/abc123", "link of SudokuPad"),
        ("https://app.crackingthecryptic.com/sudoku/abc", "link of SudokuPad"),
        ("https://swaroopg92.github.io/penpa-edit/#m=edit&p=7VVdb", "link of penpa"),
        ("http://example.com/1.....3..2.....", "link"),
        ("<?xml version=\"1.0\"?>", "XML"),
        ("<!DOCTYPE html>", "HTML"),
        ("<svg width=\"9\">", "SVG"),
    ] {
        let article = if what.contains("link") { "a " } else { "" };
        let message = format!("-:1: this is {article}{what}; {as_line}");
        assert_eq!(messages_about("", &format!("{line}\n")), [message]);
    }
    for (line, message) in [
        (
            "sclN4IgzglgXgpi",
            "this is compressed data of SudokuPad; write the digits of its grid as a line, with . for a blank cell",
        ),
        (
            "https://www.f-puzzles.com/?load=N4IgzglgXgpi",
            "the data of the link of f-puzzles is damaged, or cut short",
        ),
        (
            "https://puzz.link/p?slither/10/10/abc",
            "this is a link of puzz.link; of its puzzles, only sudoku/... is read",
        ),
        ("SumoCueV2=1J0=0J0=0J1=0J1", "this is another version of SumoCue; only SumoCueV1 is read"),
        // A puzzle of puzz.link with an error.
        ("https://puzz.link/p?sudoku/4/4/1", "the list has 1 cell instead of 16"),
    ] {
        assert_eq!(messages_about("", line), [format!("-:1: {message}")]);
    }
}

#[test]
fn databases_and_save_files_are_refused() {
    for (bytes, message) in [
        (
            &b"SQLite format 3\0\x10\0\x01\x01\n1...\n"[..],
            "this is SQLite data; convert a table to CSV first: sqlite3 -header -csv FILE 'select * from TABLE' | sudoku-filter --csv",
        ),
        (
            b"PAR1\x15\x04\n1...\n",
            "this is Parquet data; convert it to CSV first, with duckdb or pandas for example",
        ),
        (
            b"PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0\x01\x02\x03\x04\n\x01\0\0\x20\x05\0\0\x13\0\x08\x02[Content_Types].xml \xa2\n",
            "this is a spreadsheet; save it as CSV first, then use --csv",
        ),
        (
            b"PK\x03\x04\x14\0\0\0\x08\0\0\0!\0\x01\x02\x03\x04\n\x01\0\0\x20\x05\0\0\x10\0\0\0docProps/app.xml\xa2\nPK\x03\x04xl/theme/theme1.xml\n",
            "this is a spreadsheet; save it as CSV first, then use --csv",
        ),
        (
            b"bplist00\xd1\x01\x02_\x10\n1.....3..2.....4\n",
            "this is a binary property list; convert it to JSON first, with plutil or plistutil for example",
        ),
    ] {
        for options in ["", "--csv", "--input grid"] {
            let run = run_with(options, bytes);
            assert_eq!(run, (String::new(), format!("-: {message}\n"), Some(2)));
        }
    }
    // The labels of a layout can be these letters.
    let run = run_with("--variant jigsaw --disconnected", b"................ PAR1PAR1PAR1PAR1\n");
    assert_eq!(run.2, Some(0), "{}", run.1);
    let folder = Folder::new();
    let save = "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\nVERSION :1:1\nGAME    :4:Solo\n\
                PARAMS  :5:3x3du\nCPARAMS :7:2x3m4di\nDESC    :27:2c3_6b1c4a5a2c2_6c4b1b2c4\nNSTATES :1:1\n";
    folder.file("game.sav", save);
    let refused = folder.run("game.sav", b"");
    assert_eq!((refused.text().as_str(), refused.status), ("", Some(2)));
    let (_, command) = refused.messages.split_once(": awk ").unwrap();
    let command = command.trim_end().replace("FILE", "game.sav");
    let mut shell = crate::run::shell(&format!("awk {command} | sudoku-filter -o status"));
    shell.current_dir(&folder.0);
    assert_eq!(crate::run::run(shell, b"").text(), "unique\n");
}

const LAYOUT: &str = "AAABCCABDCCBDDDB";
const HINT: &str = "a field after the puzzle looks like a layout; --variant jigsaw or --variant regions reads it\n";

#[test]
fn a_line_with_an_unread_layout_is_invalid() {
    let puzzle = "1.....3..2.....4";
    let solved = "1342243142133124\tunique\n";
    let jigsaw = format!("{puzzle} {LAYOUT}\n");
    let lines = format!("# one\n{puzzle}\nx\n{jigsaw}{jigsaw}y\n");
    let reason = "1 cell; a 4x4 puzzle has 16\n";
    let rejected = format!("{puzzle} {LAYOUT}\tinvalid\n");
    let output = format!("# one\n{solved}x\tinvalid\n{rejected}{rejected}y\tinvalid\n");
    for options in ["", "-j1", "-j3", "--method backtrack", "--cpu portable"] {
        let messages = format!("-:3: {reason}-:4: {HINT}-:5: {HINT}-:6: {reason}");
        check(&[(&lines, options, &output, &messages, 1)]);
    }
    let check_jigsaws = |options, messages: &str, status| {
        let run = run_with(options, format!("{jigsaw}{jigsaw}").as_bytes());
        assert_eq!((run.1.as_str(), run.2), (messages, status), "{options}");
    };
    let both = format!("-:1: {HINT}-:2: {HINT}");
    check_jigsaws("--errors 0", "2 more invalid lines\n", Some(1));
    // Without a message, the status shows that the layout is not read.
    check_jigsaws("-q", "", Some(1));
    for options in [
        "",
        "--all",
        "--all=1",
        "-o status",
        "--select none",
        "--draw",
        "--minimize",
        "--variant diagonal",
    ] {
        check_jigsaws(options, &both, Some(1));
    }
    for options in [
        "--variant jigsaw",
        "--variant regions",
        "--fields puzzle,note",
        "--regions AAAABBBBCCCCDDDD",
    ] {
        check_jigsaws(options, "", Some(0));
    }
    check_jigsaws("--verify -q", "", Some(1));
}

#[test]
fn unread_layouts_are_named_in_all_files() {
    let folder = Folder::new();
    let many = format!("{}\n", ".".repeat(16)).repeat(40_000);
    let jigsaw = format!("1.....3..2.....4 {LAYOUT}\n");
    folder.file("a", "1.....3..2.....4\n");
    folder.file("b", format!("{many}{jigsaw}{many}{jigsaw}"));
    folder.file("c", &jigsaw);
    for options in ["-j1 a b c", "-j4 a b c", "-j4 --all=2 a b c"] {
        let run = folder.run(options, b"");
        let messages =
            ["b:40001", "b:80002", "c:1"].map(|it| format!("sudoku-filter: {it}: {HINT}"));
        assert_eq!(run.messages, messages.concat(), "{options}");
        assert_eq!(run.status, Some(1), "{options}");
    }
}

#[test]
fn other_second_fields_get_no_hint() {
    for second in [
        // An answer, an answer with two digits exchanged, another puzzle, a word.
        "1342243142133124",
        "1342243142133142",
        "1.....3..2.....4",
        "evening",
        // Layouts with an error.
        "AAAACCABDCCBDDDB",
        "AAABCCABDCCBDDD",
        "AABBABABCCDDCCDD",
    ] {
        let line = format!("1.....3..2.....4 {second}\n");
        check(&[(&line, "", "1342243142133124\tunique\n", "", 0)]);
    }
    let csv = format!("puzzle,note\n1.....3..2.....4,{LAYOUT}\n");
    let (_, messages, status) = run_with("--csv", csv.as_bytes());
    let reason = "'note' holds a layout that is not read; --header regions=note reads it";
    assert_eq!((messages, status), (format!("-:2: {reason}\n"), Some(1)));
}

#[test]
fn counts_of_one_have_no_plural() {
    for (options, line, reason) in [
        ("--variant jigsaw", "................ A", "1 region label; a 4x4 puzzle has 16"),
        (
            "--variant jigsaw",
            "................ ABBBBCCCCCDDDDDD",
            "region A has 1 cell instead of 4",
        ),
        ("", "SumoCueV1=1J0", "1 cell; expected a square number from 4 to 625"),
        ("--variant jigsaw", "SumoCueV1=1J0=0J0=1J1=2", "1 cell of 4 without a region"),
    ] {
        assert_eq!(messages_about(options, line), [format!("-:1: {reason}")]);
    }
}
