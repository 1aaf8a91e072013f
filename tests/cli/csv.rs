//! `--csv`: headers, records, columns and separators.

use crate::run::{Folder, check, run, run_with, shell};

const HEADER: &str = "id,quizzes,solutions\n";

#[test]
fn output_columns_follow_the_columns_of_the_input() {
    check(&[
        (
            "id,quizzes,solutions\n7,1.....3..2.....4,\n8,................,x\n",
            "--csv -o status,solutions",
            "id,quizzes,solutions,status,solutions_found\n\
             7,1.....3..2.....4,,unique,1\n\
             8,................,x,multiple,2+\n",
            "",
            0,
        ),
        (
            "\u{feff}puzzle,note\r\n\"1.....3..2.....4\",\"a, \"\"b\"\"\"\r\n",
            "--csv",
            "puzzle,note,solution,status\n\
             \"1.....3..2.....4\",\"a, \"\"b\"\"\",1342243142133124,unique\n",
            "",
            0,
        ),
        (
            "Sudoku\n\n#.....3..2.....4\n",
            "--csv -q",
            "Sudoku,solution,status\n\n#.....3..2.....4,#.....3..2.....4,invalid\n",
            "",
            1,
        ),
        // An invalid record loses its byte order mark too. Otherwise the mark would precede a
        // quote.
        (
            "puzzle,id\n\u{feff}\"bad\",7\n",
            "--csv -q -o status",
            "puzzle,id,status\n\"bad\",7,invalid\n",
            "",
            1,
        ),
        ("", "--csv", "", "", 0),
        ("puzzle\n", "--csv", "puzzle,solution,status\n", "", 0),
    ]);
}

#[test]
fn verify_reads_answers_from_their_column() {
    check(&[(
        &format!(
            "{HEADER}1,1.....3..2.....4,1342243142133124\n2,1.....3..2.....4,1342243142133142\n"
        ),
        "--csv --verify",
        "id,quizzes,solutions,answer,status,reason\n\
         1,1.....3..2.....4,1342243142133124,1342243142133124,correct,-\n\
         2,1.....3..2.....4,1342243142133142,1342243142133142,incorrect,\"r4c4 is 2, given 4\"\n",
        "",
        1,
    )]);
}

#[test]
fn a_malformed_record_is_written_whole_to_the_first_column() {
    for (line, field, reason) in [
        ("1,2", "\"1,2\"", "2 fields; the header has 3 fields"),
        ("1,\"2,3", "\"1,\"\"2,3\"", "invalid CSV: a quoted field has no closing quote"),
        (
            "a\"b,2,3",
            "\"a\"\"b,2,3\"",
            "invalid CSV: a quote inside a field that does not begin with one",
        ),
    ] {
        check(&[(
            &format!("{HEADER}{line}\n9,1.....3..2.....4,\n"),
            "--csv -o solution,status",
            &format!(
                "id,quizzes,solutions,solution,status\n{field},-,-,-,invalid\n\
                 9,1.....3..2.....4,,1342243142133124,unique\n"
            ),
            &format!("-:2: {reason}\n"),
            1,
        )]);
    }
    check(&[(
        &format!("{HEADER}1,bad,x\n"),
        "--csv -o solution,status,reason",
        "id,quizzes,solutions,solution,status,reason\n1,bad,x,\"1,bad,x\",invalid,3 cells; a 4x4 puzzle has 16\n",
        "-:2: 3 cells; a 4x4 puzzle has 16\n",
        1,
    )]);
}

#[test]
fn a_file_without_a_puzzle_column_or_with_another_header_is_refused() {
    let (output, messages, status) = run_with("--csv", b"id,start\n1,1.....3..2.....4\n");
    assert_eq!((output.as_str(), status), ("", Some(2)));
    assert!(messages.starts_with("-: the header has no column of puzzles"), "{messages}");
    let comment = b"# a list, with names\nid,puzzle\n1,1.....3..2.....4\n";
    let (output, messages, status) = run_with("--csv", comment);
    let message = "-: a comment in place of the header (grep -v '^#' removes comments)\n";
    assert_eq!((&*output, &*messages, status), ("", message, Some(2)));
    let (_, _, status) = run_with("--csv", b"#id,puzzle\n1,1.....3..2.....4\n");
    assert_eq!(status, Some(0));
    // The records after an overlong header have no header that could name their columns.
    let long = format!("puzzle,{}\n1.....3..2.....4,\n", "x".repeat(1 << 20));
    let (output, messages, status) = run_with("--csv", long.as_bytes());
    let message = "-: the header is longer than 1 MiB\n";
    assert_eq!((&*output, &*messages, status), ("", message, Some(2)));
    let with_cr = "id,puzzle\r1,1.....3..2.....4\r".repeat(3000);
    let (_, messages, status) = run_with("--csv", with_cr.as_bytes());
    assert!(messages.contains("tr '\\r' '\\n'"), "{messages}");
    assert_eq!(status, Some(2));
    let (_, messages, _) = run_with("--csv --verify", b"puzzle\n");
    assert!(messages.starts_with("-: the header has no column of answers"), "{messages}");
    let folder = Folder::new();
    folder.file("a", "puzzle\n1.....3..2.....4\n");
    folder.file("b", "puzzle,id\n1.....3..2.....4,2\n");
    folder.file("none", "");
    let run = folder.run("--csv -o status none a b a", b"");
    assert_eq!(run.text(), "puzzle,status\n1.....3..2.....4,unique\n1.....3..2.....4,unique\n");
    let message =
        "sudoku-filter: b: its header differs from that of the file before it, so it is not read\n";
    assert_eq!((run.messages.as_str(), run.status), (message, Some(2)));
}

#[test]
fn a_file_can_have_several_headers() {
    let solved = "1.....3..2.....4,unique\n";
    let again = "-:3: the header again; such lines are skipped\n";
    check(&[
        // As written by `cat` for several files.
        (
            "id,puzzle\n1,1.....3..2.....4\nid,puzzle\n2,1.....3..2.....4\n\u{feff}ID,\"puzzle\"\r\n3,1.....3..2.....4\n",
            "--csv -o status",
            &format!("id,puzzle,status\n1,{solved}2,{solved}3,{solved}"),
            again,
            0,
        ),
        (
            "puzzle\n1.....3..2.....4\npuzzle\n",
            "--csv --output lines -o status",
            "unique\n",
            again,
            0,
        ),
        // The last line can lack its line end.
        (
            "puzzle\n1.....3..2.....4\n\npuzzle",
            "--csv -o status",
            &format!("puzzle,status\n{solved}\n"),
            &again.replace('3', "4"),
            0,
        ),
        (
            "puzzle,solution\n1.....3..2.....4,x\nsolution,puzzle",
            "--csv --output lines -o status",
            "unique\ninvalid\n",
            "-:3: a header with other columns than the first; the records after it need a file of their own\n",
            1,
        ),
        // A file without a last line end.
        (
            "id,puzzle\n1,1.....3..2.....4id,puzzle\n2,1.....3..2.....4\n",
            "--csv -o status",
            &format!("id,puzzle,status\n\"1,1.....3..2.....4id,puzzle\",invalid\n2,{solved}")
                .replace("\",invalid", "\",-,invalid"),
            "-:2: the header follows the record: files were joined without a line end between them\n",
            1,
        ),
        // With the first header, solutions would be puzzles.
        (
            "puzzle,solution\n1.....3..2.....4,x\nsolution,puzzle\n\n1342243142133124,1.....3..2.....4\n",
            "--csv --output lines -o status,puzzle",
            "unique\t1.....3..2.....4\ninvalid\tsolution,puzzle\n\ninvalid\t1342243142133124,1.....3..2.....4\n",
            "-:3: a header with other columns than the first; the records after it need a file of their own\n\
             -:5: a record after a header with other columns than the first\n",
            1,
        ),
        // A name of puzzles within a record makes no header.
        (
            "kind,puzzle,solution\nsudoku,1.....3..2.....4,\nsudoku,x,\n",
            "--csv -q --output lines -o status",
            "unique\ninvalid\n",
            "",
            1,
        ),
    ]);
}

#[test]
fn a_quote_that_is_not_closed_hides_no_puzzle() {
    // The next quote could close the field.
    let input = "id,puzzle,note\n1,1.....3..2.....4,\"a\n2,................,b\n3,x,\"c\"\n4,1.....3..2.....4,d\"\n5,1.....3..2.....4,\n";
    let (output, messages, status) =
        run_with("--csv --output lines -o line,status", input.as_bytes());
    assert_eq!(output, "2\tinvalid\n3\tmultiple\n4\tinvalid\n5\tinvalid\n6\tunique\n");
    assert!(messages.starts_with("-:2: invalid CSV: a quoted field has no closing quote\n"));
    assert_eq!(status, Some(1));
    let input = "id,puzzle,note\n1,1.....3..2.....4,\"a\n2,................,b\"\n";
    let (output, ..) = run_with("--csv -q --output lines -o line,status", input.as_bytes());
    assert_eq!(output, "2\tinvalid\n3\tinvalid\n");
    // Answers of models can quote records.
    let input = "id,puzzle,answer\n1,1.....3..2.....4,\"The record is\n1,1.....3..2.....4,\n\n1342243142133124\"\n";
    let (output, ..) =
        run_with("--csv --verify --lenient --output lines -o status", input.as_bytes());
    assert_eq!(output, "correct\n");
}

#[test]
fn the_header_is_written_once_for_many_tasks() {
    let line = "{ echo id,puzzle; yes 1,1.....3..2.....4 | head -20000; } | sudoku-filter --csv -j2 | sort | uniq -c";
    let text = run(shell(line), b"").text();
    let counts: Vec<&str> = text.split_whitespace().collect();
    assert_eq!(
        counts,
        ["20000", "1,1.....3..2.....4,1342243142133124,unique", "1", "id,puzzle,solution,status"]
    );
}

#[test]
fn semicolons_or_tabs_can_separate_fields() {
    for separator in [';', '\t'] {
        let given = "id;quizzes;note;answer\n\
             7;1.....3..2.....4;\"a;b\";1342243142133124\n\
             \n\
             8;\"................\";c,d;x\n\
             9;1\n\
             10;bad,;;\n";
        let expected = "id;quizzes;note;answer;solution;status\n\
             7;1.....3..2.....4;\"a;b\";1342243142133124;1342243142133124;unique\n\
             \n\
             8;\"................\";c,d;x;1234341221434321;multiple\n\
             \"9;1\";-;-;-;-;invalid\n\
             10;bad,;;;\"10;bad,;;\";invalid\n";
        let with = |text: &str| text.replace(';', &separator.to_string());
        let messages =
            "-:5: 2 fields; the header has 4 fields\n-:6: 4 cells; a 4x4 puzzle has 16\n";
        let (output, found_messages, status) = run_with("--csv", with(given).as_bytes());
        // Tabs of an invalid line become spaces in the columns that the program adds.
        let expected = with(expected).replace("\"10\tbad,\t\t\"", "10 bad,  ");
        assert_eq!(
            (output, found_messages.as_str(), status),
            (expected, messages, Some(1)),
            "{separator:?}"
        );
        let (output, _, _) = run_with("--csv --verify -q -o status,reason", with(given).as_bytes());
        assert!(output.starts_with(&with("id;quizzes;note;answer;status;reason\n7;1.....3..2.....4;\"a;b\";1342243142133124;correct;-\n")), "{output}");
    }
    // If a header names a puzzle column when split at commas, commas separate.
    check(&[(
        "puzzle,a;puzzle\n1.....3..2.....4,x\n",
        "--csv -o status",
        "puzzle,a;puzzle,status\n1.....3..2.....4,x,unique\n",
        "",
        0,
    )]);
}

#[test]
fn two_columns_with_the_same_meaning_are_an_error() {
    for (header, options, reason) in [
        ("puzzle,quiz", "", "two columns of puzzles: puzzle and quiz"),
        ("id;question;Puzzle", "", "two columns of puzzles: question and Puzzle"),
        ("sudoku,sudoku", "", "two columns of puzzles: sudoku and sudoku"),
        ("puzzle,regions,regions", "", "two columns of regions: regions and regions"),
        (
            "puzzle,solution,solutions",
            " --verify",
            "two columns of answers: solution and solutions",
        ),
        ("answer,puzzle,Answer", " --verify", "two columns of answers: answer and Answer"),
    ] {
        let (output, messages, status) =
            run_with(&format!("--csv{options}"), format!("{header}\n").as_bytes());
        assert_eq!(messages, format!("-: the header has {reason}\n"), "{header}");
        assert_eq!((output.as_str(), status), ("", Some(2)), "{header}");
    }
    // Without --verify, answer columns are not read. A column `answer` takes precedence over
    // `solution`.
    check(&[
        (
            "puzzle,solution,solutions\n1.....3..2.....4,,\n",
            "--csv -o status",
            "puzzle,solution,solutions,status\n1.....3..2.....4,,,unique\n",
            "",
            0,
        ),
        (
            "solution,question,answer\n1342243142133124,1.....3..2.....4,1342243142133142\n",
            "--csv --verify -o status",
            "solution,question,answer,status\n1342243142133124,1.....3..2.....4,1342243142133142,incorrect\n",
            "",
            1,
        ),
    ]);
    let (_, messages, _) = run_with("--csv --verify", b"puzzle\n");
    assert_eq!(
        messages,
        "-: the header has no column of answers; its name must be answer, solution, solutions or solved, or --header must name it\n"
    );
}

#[test]
fn header_names_replace_the_usual_ones() {
    check(&[
        (
            "source,initial_board,key\na,1.....3..2.....4,1342243142133124\n",
            "--csv --header puzzle=initial_board,answer=key --verify -o status",
            "source,initial_board,key,status\na,1.....3..2.....4,1342243142133124,correct\n",
            "",
            0,
        ),
        (
            "puzzle,solution,mine\n1.....3..2.....4,1342243142133124,1342243142133142\n",
            "--csv --header answer=MINE --verify -o status",
            "puzzle,solution,mine,status\n1.....3..2.....4,1342243142133124,1342243142133142,incorrect\n",
            "",
            1,
        ),
        (
            "grid;map\n1.....3..2.....4;AABBAABBCCDDCCDD\n",
            "--csv --header puzzle=grid,regions=map --variant jigsaw -o solution",
            "grid;map;solution\n1.....3..2.....4;AABBAABBCCDDCCDD;1342243142133124\n",
            "",
            0,
        ),
        ("puzzle\n", "--csv --header puzzle=board", "", "-: the header has no column 'board'\n", 2),
    ]);
}

#[test]
fn quoted_fields_keep_their_blanks_in_every_form() {
    let csv = "puzzle,note,\" other \"\n\" 1.....3..2.....4 \",\"  two  \", one \n";
    for (options, expected) in [
        ("--output json -o note,other", r#"{"note":"  two  ","other":"one"}"#),
        ("--output lines -o other,note", "one\t  two  "),
    ] {
        let run = run_with(&format!("--csv {options}"), csv.as_bytes());
        assert_eq!(run, (format!("{expected}\n"), String::new(), Some(0)), "{options}");
    }
    let json = "{\"puzzle\":\"1.....3..2.....4\",\"note\":\" two\"}\n";
    let (output, ..) = run_with("--json --output csv -o note", json.as_bytes());
    assert_eq!(output, "note\n\" two\"\n");
}

#[test]
fn a_header_without_records_is_csv() {
    for header in ["id,puzzle\n", "puzzle\n", "puzzle;solution\n\n"] {
        let (text, messages, status) = run_with("-o status", header.as_bytes());
        let separator = if header.contains(';') { ";" } else { "," };
        let header = header.lines().next().unwrap();
        assert_eq!(text.lines().next(), Some(&*format!("{header}{separator}status")), "{header}");
        assert!(messages.contains("read as CSV") && status == Some(0), "{messages}");
    }
}

#[test]
fn a_number_without_the_zeros_at_its_beginning_is_named() {
    let puzzle =
        "000030004640000807150008060000070000000600010204000000300500000000000070070010000";
    let number = puzzle.trim_start_matches('0');
    let hint = "a 9x9 puzzle that lost the zeros at its beginning? import the column as text";
    let of_8x8 = format!("{}9", "1000".repeat(16).split_at(63).0);
    for puzzle in [number, &of_8x8] {
        let csv = format!("id,puzzle\n1,{puzzle}\n");
        let json = format!("{{\"puzzle\":\"{puzzle}\"}}\n");
        for (options, input) in [("--csv", csv), ("--json", json)] {
            let (_, messages, status) = run_with(options, input.as_bytes());
            assert!(messages.trim_end().ends_with(hint), "{messages}");
            assert_eq!(status, Some(1));
        }
    }
    // A damaged puzzle is no number.
    let (_, messages, _) = run_with("--csv", format!("id,puzzle\n1,{}\n", &puzzle[1..]).as_bytes());
    assert_eq!(messages, "-:2: 80 cells; a 9x9 puzzle has 81\n");
}

#[test]
fn a_column_that_is_called_as_a_rule_states_it_where_it_is_true() {
    let puzzle = "1.....3..2.....4";
    for (value, expected) in [
        ("antiking,true", "none\t-"),
        ("Anti-King,1", "none\t-"),
        ("anti_king,yes", "none\t-"),
        ("antiking,false", "unique\t-"),
        ("antiking,0", "unique\t-"),
        ("antiking,", "unique\t-"),
        ("x,1", "unique\t-"),
        ("thermo,r1c1 r1c2", "invalid\tthe cells in 'thermo' state a rule that is not read"),
        ("odd,r1c1", "invalid\tthe cells in 'odd' state a rule that is not read"),
        ("odd,3", "unique\t-"),
        ("thermo,1", "invalid\tnames the rule thermo, and no field states it"),
        ("regions,2x2", "unique\t-"),
        ("antiking,ture", "invalid\t'ture' in the field 'antiking' is neither true nor false"),
        ("diagonal+,1", "invalid\tnames the rule diagonal+, and no field states it"),
        ("layout,1122112233443344", "invalid\t'layout' holds a layout that is not read"),
        ("layout,2x2", "unique\t-"),
        ("variants,\"antiking|classic\"", "none\t-"),
        ("killer,true", "invalid\tstates the rule killer, and has no cages"),
        ("kropki,3", "unique\t-"),
        ("is_antiking,true", "none\t-"),
        ("is_antiking,no", "unique\t-"),
        ("rules/antiking,1", "none\t-"),
        ("antikng,1", "invalid\tstates a rule that is not known: antikng; did you mean antiking?"),
        ("antikng,0", "unique\t-"),
        ("variant,antikng", "invalid\tstates a rule that is not known: antikng"),
        ("kind,antiking", "invalid\t'kind' names the rule antiking, and no field states it"),
        ("tags,\"['hard', 'antiking']\"", "invalid\t'tags' names the rule antiking"),
        ("kind,easy", "unique\t-"),
        ("author,killer", "unique\t-"),
    ] {
        let (name, value) = value.split_once(',').unwrap();
        let input = format!("id,puzzle,{name}\n1,{puzzle},{value}\n");
        let (output, ..) = run_with("--csv --output lines -o status,reason -q", input.as_bytes());
        let expected = expected.trim_end_matches('-');
        assert!(output.starts_with(expected), "{name}={value}: {output}");
    }
    let input = format!(
        "puzzle,variant,rules\n{puzzle},,antiking\n{puzzle},antiking,Normal sudoku rules apply.\n{puzzle},easy,\n"
    );
    let (output, ..) = run_with("--csv --output lines -o status -q", input.as_bytes());
    assert_eq!(output, "none\nnone\nunique\n");
    let input = format!("puzzle,variant,antiking\n{puzzle},diagonal,true\n{puzzle},-,true\n");
    let (output, ..) = run_with("--csv --output lines -o status -q", input.as_bytes());
    assert_eq!(output, "none\nnone\n");
}

#[test]
fn a_column_of_other_puzzles_is_named() {
    let input = "id,puzzle,bonus\n1,1.....3..2.....4,2.....1..3.....4\n2,1.....3..2.....4,\n";
    let (output, messages, status) = run_with("--csv --output lines -o status", input.as_bytes());
    let remark = "-:2: 'bonus' has a puzzle, which is not read; \
        --header puzzle=NAME reads the puzzles of that field\n";
    assert_eq!((&*output, &*messages, status), ("unique\nunique\n", remark, Some(0)));
}

#[test]
fn a_column_of_the_program_is_no_rule() {
    let input = "puzzle,regions,layout\n1.....3..2.....4,AABB,1122112233443344\n";
    let options = "--csv --header regions=layout --output lines -o status";
    let (output, messages, _) = run_with(options, input.as_bytes());
    assert_eq!((&*output, &*messages), ("unique\n", ""));
}

/// A field of a column that only copies, or that is the second of its kind, can state rules too.
#[test]
fn constraints_in_any_column_that_is_not_read_make_the_record_invalid() {
    let string = ".Shape~4x4.Thermo~R2C1~R2C2";
    for (columns, before, column, remedy) in [
        ("puzzle,hint", "", "hint", "--header constraints=hint reads them"),
        (
            "puzzle,constraints,CONSTRAINTS",
            ".Shape~4x4.Thermo~R1C1~R1C2,",
            "CONSTRAINTS",
            "only one field of constraints is read",
        ),
    ] {
        let csv = format!("{columns}\n................,{before}{string}\n");
        let (output, messages, _) = run_with("--csv -o status", csv.as_bytes());
        assert!(output.ends_with(",invalid\n"), "{columns}: {output}");
        let message = format!("-:2: '{column}' holds rules that are not read; {remedy}\n");
        assert!(messages.ends_with(&message), "{columns}: {messages}");
    }
}
