//! `--json`: objects, boards, keys and values.

use std::collections::HashSet;

use std::io::Write;

use crate::run::{check, piped, program, run_with};

const SOLVED: &str = r#""solution":"1342243142133124","status":"unique""#;

/// Returns the output line for an object whose puzzle has one solution.
fn solved(object: &str) -> String {
    format!("{},{SOLVED}}}\n", object.strip_suffix('}').unwrap())
}

#[test]
fn boards_are_strings_of_any_style() {
    // `forms.rs` has arrays, whose solutions are arrays.
    for board in [
        r#""1.....3..2.....4""#,
        r#""1...\n..3.\n.2..\n...4\n""#,
        r#""1... ..3. .2.. ...4""#,
        r#""[[1,0,0,0],[0,0,3,0],[0,2,0,0],[0,0,0,4]]""#,
        r#""1,.,.,.,.,.,3,.,.,2,.,.,.,.,.,4""#,
        r#""['1','.','.','.', '.','.','3','.', '.','2','.','.', '.','.','.','4']""#,
    ] {
        let object = format!(r#"{{"id": 7, "puzzle": {board}}}"#);
        let expected = (solved(&object), String::new(), Some(0));
        assert_eq!(run_with("--json", format!("{object}\n").as_bytes()), expected);
    }
}

#[test]
fn numbers_are_digits_above_nine_too() {
    let digit = |row: usize, column: usize| (4 * (row % 3) + row / 3 + column) % 12 + 1;
    let row = |row: usize| (0..12).map(move |column| digit(row, column));
    let mut full: Vec<Vec<usize>> = (0..12).map(|number| row(number).collect()).collect();
    full[0][11] = 0;
    let symbols = |grid: &[Vec<usize>]| -> String {
        let cells = grid.iter().flatten();
        cells
            .map(|&digit| ['.', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C'][digit])
            .collect()
    };
    let drawn: Vec<String> = full
        .iter()
        .map(|row| row.iter().map(usize::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    let puzzle = symbols(&full);
    for board in [format!("{full:?}"), format!("{:?}", drawn.join("\n"))] {
        let (output, ..) = run_with(
            "--json -o puzzle,status,blanks --header puzzle=board",
            format!("{{\"board\":{board}}}\n").as_bytes(),
        );
        // An array is written as an array, and a blank cell of a string keeps its symbol.
        let copy =
            if board.starts_with('[') { board.replace(' ', "") } else { format!("\"{puzzle}\"") };
        let columns = format!(",\"puzzle\":{copy},\"status\":\"unique\",\"blanks\":1}}\n");
        let output = output.replace("AB0", "AB.");
        assert!(output.ends_with(&columns), "{output}");
    }
    // With other symbols, a number is still a digit and 0 a blank cell.
    let (output, ..) = run_with(
        "--json --symbols ABCD -o solution",
        b"{\"puzzle\":[1,0,0,0,0,0,3,0,0,2,0,0,0,0,0,4]}\n",
    );
    assert!(output.ends_with("\"solution\":[1,3,4,2,2,4,3,1,4,2,1,3,3,1,2,4]}\n"), "{output}");
}

#[test]
fn keys_have_the_usual_names_or_those_of_header() {
    check(&[
        (
            "{\"Question\":\"1.....3..2.....4\"}\n",
            "--json",
            &solved("{\"Question\":\"1.....3..2.....4\"}"),
            "",
            0,
        ),
        // The most usual name wins. A column whose name is a key gets a suffix.
        (
            "{\"quiz\":\"12\",\"status\":1,\"puzzle\":\"1.....3..2.....4\"} \r\n",
            "--json -o status",
            "{\"quiz\":\"12\",\"status\":1,\"puzzle\":\"1.....3..2.....4\",\"status_found\":\"unique\"}\n",
            "",
            0,
        ),
        (
            "{\"a\":\"1.....3..2.....4\",\"b\":[1,3,4,2,2,4,3,1,4,2,1,3,3,1,2,4],\"puzzle\":\"12\"}\n",
            "--json --header puzzle=a,answer=b --verify -o status,answer,reason",
            "{\"a\":\"1.....3..2.....4\",\"b\":[1,3,4,2,2,4,3,1,4,2,1,3,3,1,2,4],\"puzzle\":\"12\",\
             \"status\":\"correct\",\"answer\":\"1342243142133124\",\"reason\":null}\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn a_key_is_the_value_of_one_field() {
    check(&[
        (
            "{\"puzzle\":\"1.....3..2.....4\"}\n",
            "--json --shuffle --header answer=puzzle",
            "{\"puzzle\":\"1.....3..2.....4\"}\n",
            "-:1: the object has none of the keys quizzes, quiz, question, sudoku, board, grid, unsolved, initial; name its key with --header puzzle=KEY, or jq -c '.. | objects | select(has(\"KEY\"))'\n",
            1,
        ),
        (
            "",
            "--json --header puzzle=a,answer=A",
            "",
            "--header puzzle=a,answer=A: 'A' names two fields\ntry 'sudoku-filter --help'\n",
            2,
        ),
    ]);
}

#[test]
fn an_exact_key_comes_before_one_in_another_case() {
    for keys in [["Puzzle", "puzzle"], ["puzzle", "PUZZLE"]] {
        let board = |key: &str| match key {
            "puzzle" => "1.....3..2.....4",
            _ => "................",
        };
        let [first, second] = keys;
        let object = format!(r#"{{"{first}":"{}","{second}":"{}"}}"#, board(first), board(second));
        let (output, ..) = run_with("--json", format!("{object}\n").as_bytes());
        assert_eq!(output, solved(&object));
    }
}

#[test]
fn rules_that_a_puzzle_states_have_one_key_each() {
    // A cage of r1c1 and r1c3, and single cells.
    let cages = "2x2::k:1025:514:1025:1027:772:1029:262:519:520:265:1034:779:1036:781:526:271:";
    let object = format!("{{\"puzzle\":\"{cages}\"}}\n");
    let (output, ..) = run_with("--json --reveal r1c1 --variant killer", object.as_bytes());
    assert_eq!(output.matches("\"cages\":").count(), 1, "{output}");
    assert!(output.contains("\"cages\":[{\"cells\":[\"r1c1\",\"r1c3\"],\"sum\":4},{"), "{output}");
    assert!(output.contains("\"puzzle_found\":\"1...............\""), "{output}");
}

#[test]
fn cages_are_a_string_or_an_array_of_rows_or_cells() {
    let cages = [
        r#""3,000`0000000000""#,
        r#"["3,00","0`00","0000","0000"]"#,
        r#"[[3,",",0,0],[0,"`",0,0],[0,0,0,0],[0,0,0,0]]"#,
    ];
    // Sums do not depend on the symbols of digits.
    for (cages, symbols) in cages.into_iter().flat_map(|cages| [(cages, "01234"), (cages, "0ABCD")])
    {
        let object = format!(r#"{{"puzzle":"................","cages":{cages}}}"#);
        let (output, messages, _) = &run_with(
            &format!("--json --variant killer --symbols {symbols} -o cages,status"),
            format!("{object}\n").as_bytes(),
        );
        assert_eq!(messages, "");
        assert!(output.contains("\"status\":\"multiple\""), "{output}");
    }
}

#[test]
fn numbers_are_numbers_and_missing_values_null() {
    check(&[
        (
            "{\"puzzle\":\"1.....3..2.....4\"}\n",
            "--json -o line,givens,blanks,steps,grade,rest --fields puzzle",
            "",
            "--fields and --json cannot be used together\ntry 'sudoku-filter --help'\n",
            2,
        ),
        (
            "\n{\"puzzle\":\"1.....3..2.....4\",\"answer\":\"1342243142133142\"}\n",
            "--json -o line,givens,guesses,solutions,cages,answer",
            "\n{\"puzzle\":\"1.....3..2.....4\",\"answer\":\"1342243142133142\",\
             \"line\":2,\"givens\":4,\"guesses\":0,\"solutions\":1,\"cages\":null,\"answer_found\":\"1342243142133142\"}\n",
            "",
            0,
        ),
        (
            "{\"puzzle\":\"48.6..2........5..65.81...7.98..2.5.52497....3...8.....3.24......63.1.9.2.9...1.5\"}\n\
             {\"puzzle\":\"1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1\"}\n",
            "--json -o difficulty",
            "{\"puzzle\":\"48.6..2........5..65.81...7.98..2.5.52497....3...8.....3.24......63.1.9.2.9...1.5\",\"difficulty\":1.2}\n\
             {\"puzzle\":\"1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1\",\"difficulty\":11.6}\n",
            "",
            0,
        ),
        (
            "{\"puzzle\":\"................\"}\n",
            "--json --count 10 -o solutions,status",
            "{\"puzzle\":\"................\",\"solutions\":\"10+\",\"status\":\"multiple\"}\n",
            "",
            0,
        ),
        (
            "{\"puzzle\":\"1.....3..2.....4\",\"answer\":null}\n{\"puzzle\":\"1.....3..2.....4\",\"answer\":\"<b>1342\\n2431 no\"}\n",
            "--json --verify --lenient -o score --require incorrect",
            "{\"puzzle\":\"1.....3..2.....4\",\"answer\":null,\"score\":0.0000}\n\
             {\"puzzle\":\"1.....3..2.....4\",\"answer\":\"<b>1342\\n2431 no\",\"score\":0.5000}\n",
            "",
            0,
        ),
        (
            "{\"puzzle\":\"12..............\"}\n",
            "--json --all=2 -o solution",
            "{\"puzzle\":\"12..............\",\"solution\":\"1234341221434321\"}\n\
             {\"puzzle\":\"12..............\",\"solution\":\"1234341223414123\"}\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn a_line_without_an_object_or_a_board_is_invalid() {
    for (line, reason, output) in [
        (
            "[1]",
            "a JSON array instead of an object (jq -c '{puzzle: .}' makes objects of arrays of cells, jq -c '.[] | {puzzle: .}' of arrays of puzzles)",
            "{\"solution\":\"[1]\",\"status\":\"invalid\"}",
        ),
        (
            "# no comment",
            "not a JSON object: expected value at column 1",
            "{\"solution\":\"# no comment\",\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":\"12\"",
            "not a JSON object: EOF while parsing an object at column 14",
            "{\"solution\":\"{\\\"puzzle\\\":\\\"12\\\"\",\"status\":\"invalid\"}",
        ),
        (
            "\"puzzle\":\t1,",
            "not a JSON object: invalid type: string \"puzzle\", expected a map at column 8",
            "{\"solution\":\"\\\"puzzle\\\":\\t1,\",\"status\":\"invalid\"}",
        ),
        (
            "{}",
            "the object has none of the keys puzzle, quizzes, quiz, question, sudoku, board, grid, unsolved, initial; name its key with --header puzzle=KEY, or jq -c '.. | objects | select(has(\"KEY\"))'",
            "{\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":true}",
            "expected a string or an array of symbols and numbers in 'puzzle'",
            "{\"puzzle\":true,\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":[1,-2]}",
            "-2 is not a digit in 'puzzle'",
            "{\"puzzle\":[1,-2],\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":[[1,0,0,0,0],[0,0,3],[0,2,0,0],[0,0,0,4]]}",
            "row 2 has 3 cells, and row 1 has 5 in 'puzzle'",
            "{\"puzzle\":[[1,0,0,0,0],[0,0,3],[0,2,0,0],[0,0,0,4]],\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":[[1,0,0],[0,0,3,0,0],[0,2,0,0],[0,0,0,4]]}",
            "row 2 has 5 cells, and row 1 has 3 in 'puzzle'",
            "{\"puzzle\":[[1,0,0],[0,0,3,0,0],[0,2,0,0],[0,0,0,4]],\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":[\"1000\",[0,0,3,0],[0,2,0],\"0004\"]}",
            "row 3 has 3 cells, and row 2 has 4 in 'puzzle'",
            "{\"puzzle\":[\"1000\",[0,0,3,0],[0,2,0],\"0004\"],\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":null}",
            "the puzzle is missing",
            "{\"puzzle\":null,\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":\"\"}",
            "the puzzle is missing",
            "{\"puzzle\":\"\",\"solution\":null,\"status\":\"invalid\"}",
        ),
        (
            "{\"puzzle\":\"1.....3..2.....\"}",
            "15 cells; a 4x4 puzzle has 16",
            "{\"puzzle\":\"1.....3..2.....\",\"solution\":null,\"status\":\"invalid\"}",
        ),
    ] {
        let expected = (format!("{output}\n"), format!("-:1: {reason}\n"), Some(1));
        assert_eq!(run_with("--json", format!("{line}\n").as_bytes()), expected);
    }
    let deep = format!("{{\"puzzle\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let (_, messages, status) = run_with("--json", deep.as_bytes());
    assert!(messages.contains("recursion limit exceeded"), "{messages}");
    assert_eq!(status, Some(1));
    let (output, _, status) = run_with("--json", b"{\"puzzle\":\"\xff\"}\n");
    assert!(output.contains('\u{fffd}'), "{output}");
    assert_eq!(status, Some(1));
}

#[test]
fn blanks_around_an_object_do_no_harm() {
    let object = "{\"puzzle\":\"1.....3..2.....4\"}";
    let expected = solved(object);
    for (before, after) in [("", "\r"), ("\r", ""), ("\u{feff} \t", " \r\r")] {
        let lines = format!("{before}{object}{after}\r\n{object}\n");
        let run = run_with("--json", lines.as_bytes());
        assert_eq!(run, (expected.repeat(2), String::new(), Some(0)), "{lines:?}");
    }
}

#[test]
fn shuffled_objects_keep_their_other_values_and_are_read_back() {
    let objects = "{\"id\": 1.50, \"puzzle\": [1,0,0,0,0,0,3,0,0,2,0,0,0,0,0,4], \"note\": {\"a\": \"}\"}}\n\
                   {\"answer\":\"1342243142133124\",\"z\":[],\"puzzle\":\"1.....3..2.....4\"}\n";
    let (output, messages, status) = run_with("--json --shuffle=3", objects.as_bytes());
    assert_eq!((messages.as_str(), status), ("", Some(0)));
    let lines: Vec<&str> = output.lines().collect();
    assert_eq!(lines.len(), 6);
    for line in &lines[..3] {
        assert!(line.starts_with("{\"id\": 1.50, \"puzzle\": ["), "{line}");
        assert!(line.ends_with(", \"note\": {\"a\": \"}\"}}"), "{line}");
    }
    for line in &lines[3..] {
        assert!(line.contains(",\"z\":[],\"puzzle\":\""), "{line}");
    }
    let (solved, ..) = run_with("--json -o status", output.as_bytes());
    assert_eq!(solved.matches("\"status\":\"unique\"").count(), 6);
    let answers = lines[3..].join("\n");
    let (checked, ..) = run_with("--json --verify -o status", answers.as_bytes());
    assert_eq!(checked.matches("\"status\":\"correct\"").count(), 3);
    for second in ["solution", "Answer"] {
        let object = lines[3].replace("\"z\":[]", &format!("\"{second}\":\"{}\"", ".".repeat(16)));
        let messages = |options: &str| run_with(options, object.as_bytes()).1;
        let reason = format!("the object has two answers: answer and {second};");
        assert!(messages("--json --shuffle").contains(&reason), "{object}");
        assert_eq!(messages("--json --shuffle --header answer=answer"), "");
    }
}

#[test]
fn layouts_and_cages_have_keys() {
    let jigsaw =
        "{\"puzzle\":\"................\",\"regions\":[[1,1,1,2],[3,1,2,2],[3,3,4,2],[3,4,4,4]]}\n";
    let (output, ..) = run_with("--json --variant jigsaw -o status", jigsaw.as_bytes());
    assert!(output.ends_with(",\"status\":\"multiple\"}\n"), "{output}");
    let (output, ..) = run_with("--json --variant jigsaw --shuffle", jigsaw.as_bytes());
    let (back, ..) = run_with("--json --variant jigsaw -o status", output.as_bytes());
    assert!(back.ends_with(",\"status\":\"multiple\"}\n"), "{back}");
    // Solo's games state their rules.
    let game = "{\"puzzle\":\"3x3k:_2a_a5_2_9,26_2c_,_a14\"}\n";
    let (output, messages, _) = run_with("--json -o status", game.as_bytes());
    assert!(output.contains("\"invalid\"") && messages.contains("-:1: "), "{output}{messages}");
    let game = "{\"puzzle\":\"4jk:p,_a_aafa_a_b_,_aa_a_ab_____aaa,7_7a4b6a4b7_5c\"}\n";
    for options in ["--json --shuffle", "--json --minimize"] {
        let (output, ..) = run_with(&format!("-q {options}"), game.as_bytes());
        for key in ["regions", "cages"] {
            let key = format!("\"{key}\":");
            assert_eq!(output.matches(&key).count(), 1, "{options}: {output}");
        }
    }
    // Without regions or cages, null takes their place, which is read as none.
    let games = "{\"puzzle\":\"2x2:a2b3b1h\"}\n{\"puzzle\":\"4j:2f4_3f2,dbda_a_a_a_\"}\n";
    for (mode, puzzle) in [("--shuffle", "puzzle"), ("--minimize", "puzzle_found")] {
        let (written, ..) = run_with(&format!("-q --json {mode}"), games.as_bytes());
        let options = format!("--json --variant killer,jigsaw --header puzzle={puzzle} -o status");
        let (read, messages, _) = run_with(&options, written.as_bytes());
        assert_eq!(messages, "", "{mode}: {written}");
        assert_eq!(read.matches("\"status\":\"invalid\"").count(), 0, "{read}");
    }
}

#[test]
fn columns_and_options_that_cannot_be_combined() {
    for (options, message) in [
        ("--json --csv", "--csv and --json cannot be used together"),
        ("--json --input grid", "--json and --input grid cannot be used together"),
        ("--header puzzle=a --input lines", "--header needs CSV or JSON"),
        (
            "--json -o rest",
            "the column rest cannot be used with --json, where every field has a name",
        ),
    ] {
        let (output, messages, status) = run_with(options, b"");
        assert_eq!((output.as_str(), status), ("", Some(2)), "{options}");
        assert!(messages.starts_with(message), "{options}: {messages}");
    }
}

#[test]
fn cages_alone_are_a_killer_without_givens() {
    let cages = "6<5<6`5<^5<94<'^";
    let rows = cages.as_bytes().chunks(4).map(|row| format!("\"{}\"", row.escape_ascii()));
    let rows = rows.collect::<Vec<_>>().join(",").replace("\\'", "'");
    let options = "--json --variant killer -o status";
    for object in [
        format!(r#"{{"puzzle":"{cages}"}}"#),
        format!(r#"{{"puzzle":"{cages}","cages":null}}"#),
        format!(r#"{{"puzzle":[{rows}]}}"#),
        format!(r#"{{"puzzle":"","cages":"{cages}"}}"#),
        // All arrows are diagonal.
        r#"{"puzzle":"30000`0000000000"}"#.to_string(),
        r#"{"puzzle":"0300'00000000000"}"#.to_string(),
    ] {
        let (output, messages, _) = run_with(options, format!("{object}\n").as_bytes());
        assert!(!output.contains("invalid"), "{object}: {output} {messages}");
        if object.contains('6') {
            assert!(output.ends_with(",\"status\":\"unique\"}\n"), "{object}: {output}");
        }
    }
    // Quotes around the cells of a grid are no arrows.
    let grid = r#"{"puzzle":"['1','.','.','.', '.','.','3','.', '.','2','.','.', '.','.','.','4']","cages":"-"}"#;
    let (output, ..) = run_with(options, format!("{grid}\n").as_bytes());
    assert!(output.ends_with(",\"status\":\"unique\"}\n"), "{output}");
}

#[test]
fn the_side_of_a_killer_is_that_of_the_cells_of_its_cages() {
    // The text of the list has every length, also that of two grids of one size.
    let of_length = |puzzle: &str, length| {
        let note = "x".repeat(length);
        let rows = ["r1", "r2", "r3", "r4"].map(|row| {
            format!(
                r#"{{"cells":["{row}c1","{row}c2"],"sum":5}},{{"cells":["{row}c3","{row}c4"]}}"#
            )
        });
        let cages = rows.join(",").replacen("]}", &format!("],\"sum\":5,\"note\":\"{note}\"}}"), 1);
        format!("{{\"puzzle\":{puzzle},\"cages\":[{cages}]}}\n")
    };
    let lines = |puzzle: &str| (0..600).map(|length| of_length(puzzle, length)).collect::<String>();
    let options = "--json --output csv --variant killer -o solutions,status --count=1000";
    let (with_dots, messages, _) = run_with(options, lines(r#""................""#).as_bytes());
    assert_eq!((messages.as_str(), with_dots.matches("multiple").count()), ("", 600));
    let (with_null, messages, _) = run_with(options, lines("null").as_bytes());
    assert_eq!((messages.as_str(), with_null), ("", with_dots));
    let without = of_length("null", 0).replace("\"puzzle\":null,", "");
    let (output, messages, _) = run_with("--json --variant killer -o status", without.as_bytes());
    assert!(output.ends_with(",\"status\":\"invalid\"}\n"), "{output}");
    assert_eq!(
        messages,
        "-:1: the object has cages, but no key 'puzzle'; without givens, write \"puzzle\": null\n"
    );
}

#[test]
fn a_missing_key_is_reported_once() {
    let lines = "{}\n{\"board\":1}\n{\"puzzle\":null}\n".repeat(40);
    let (output, messages, status) = run_with("--json -o status", lines.as_bytes());
    assert_eq!((output.matches("invalid").count(), status), (120, Some(1)));
    assert_eq!(messages.matches("the object has none of the keys puzzle, ").count(), 1);
    assert_eq!(messages.matches("the puzzle is missing").count(), 9);
    assert!(messages.ends_with("110 more invalid lines\n"), "{messages}");
}

#[test]
fn the_file_of_standard_input_is_a_string_and_the_last_of_equal_keys_counts() {
    let object = r#"{"puzzle":"2...............","puzzle":"1.....3..2.....4"}"#;
    let (output, ..) = run_with("--json -o file,status", format!("{object}\n").as_bytes());
    let object = object.strip_suffix('}').unwrap();
    assert_eq!(output, format!("{object},\"file\":\"-\",\"status\":\"unique\"}}\n"));
}

#[test]
fn objects_can_have_several_lines_or_be_in_an_array() {
    let objects = [
        r#"{"id":1,"puzzle":"1.....3..2.....4"}"#,
        r#"{"id":2,"puzzle":[[1,0,0,0],[0,0,3,0],[0,2,0,0],[0,0,0,4]]}"#,
        r#"{"id":3,"puzzle":"12"}"#,
    ];
    let expected = "1\tunique\n2\tunique\n3\tinvalid\n";
    let indented = objects.map(|object| object.replace(',', ",\n  ").replace('{', "{\n  "));
    for text in [
        objects.join("\n"),
        indented.join("\n") + "\n",
        indented.join(",\n"),
        format!("[{}]", objects.join(",")),
        format!("[\n{}\n]\n", indented.join(",\n")),
        format!("{{\"name\":\"x\",\"all\":[{}],\"n\":3}}", objects.join(", ")),
    ] {
        // The last object is invalid.
        let line = 1 + text[..text.rfind('{').unwrap()].matches('\n').count();
        for size in [1, 7, text.len()] {
            let mut child = piped(&mut program("--json --output lines -o id,status"));
            let mut stdin = child.stdin.take().unwrap();
            text.as_bytes().chunks(size).for_each(|piece| stdin.write_all(piece).unwrap());
            drop(stdin);
            let output = child.wait_with_output().unwrap();
            assert_eq!(String::from_utf8_lossy(&output.stdout), expected, "{text}");
            let message = format!("-:{line}: 2 cells; a 4x4 puzzle has 16\n");
            assert!(String::from_utf8_lossy(&output.stderr).ends_with(&message), "{text}");
        }
        // A copied object is on one line.
        let (output, ..) = run_with("--json", text.as_bytes());
        assert_eq!(output.lines().count(), 3, "{text}");
        assert_eq!(run_with("--json --output lines -o id,status", output.as_bytes()).0, expected);
    }
}

#[test]
fn a_name_with_dots_is_the_path_to_a_value() {
    let line = br#"{"data":{"quiz":{"grid":"1.....3..2.....4"}},"puzzle":"12"}"#;
    let options = "--json --header puzzle=data.quiz.grid --output lines -o data.quiz.grid,status";
    assert_eq!(run_with(options, line).0, "1.....3..2.....4\tunique\n");
    let (output, messages, _) = run_with("--json --header puzzle=data.grid", line);
    assert!(output.ends_with("\"status\":\"invalid\"}\n"), "{output}");
    assert_eq!(messages, "-:1: the object has no key 'data.grid'\n");
}

#[test]
fn values_that_are_not_read_make_no_line_invalid() {
    for rest in
        [r#""solution":{"text":"x"}"#, r#""answer":17.5"#, r#""regions":{}"#, r#""cages":true"#]
    {
        let line = format!("{{\"puzzle\":\"1.....3..2.....4\",{rest}}}");
        let (output, messages, status) = run_with("--json", line.as_bytes());
        assert_eq!((messages.as_str(), status), ("", Some(0)), "{line}");
        assert!(output.contains("\"status\":\"unique\""), "{output}");
    }
    let line = br#"{"puzzle":"1.....3..2.....4","answer":17.5}"#;
    assert!(run_with("--json --verify", line).1.contains("17.5 is not a digit in 'answer'"));
}

#[test]
fn a_record_has_at_most_a_mebibyte() {
    let long = |length: usize| {
        let object = r#"{"id":7,"puzzle":"1.....3..2.....4","answer":"?"}"#;
        object.replace('?', &"x".repeat(length - object.len() + 1))
    };
    let options = "--json --verify --lenient --output lines -o id,status";
    assert_eq!(run_with(options, long(80_000).as_bytes()).0, "7\tincorrect\n");
    assert_eq!(run_with(options, long(1 << 20).as_bytes()).0, "7\tincorrect\n");
    let text = long((1 << 20) + 1) + "\n" + &long(100);
    let (output, messages, _) = run_with(options, text.as_bytes());
    assert_eq!(output, "-\tinvalid\n7\tincorrect\n");
    let message = "-:1: the record is longer than 1 MiB; if it is an array of puzzles within an \
        object, --header puzzle=KEY names the key of their grids\n";
    assert_eq!(messages, message);
}

#[test]
fn blanks_can_be_cells_and_bars_can_be_between_them() {
    for board in [
        "1     3  2     4",
        "1\\t    3  2     4",
        "1...|..3.|.2..|...4",
        "1;.;.;.;.;.;3;.;.;2;.;.;.;.;.;4",
    ] {
        let line = format!("{{\"puzzle\":\"{board}\"}}");
        let (output, ..) = run_with("--json --output lines", line.as_bytes());
        assert_eq!(output, "1342243142133124\tunique\n", "{board}");
    }
    let line = br#"{"puzzle":"1    3  2     4"}"#;
    assert_eq!(run_with("--json --output lines -o status", line).0, "invalid\n");
}

#[test]
fn no_puzzle_of_a_file_with_an_array_is_lost() {
    let (unique, multiple) = ("1.....3..2.....4", "1.....3........4");
    let cut = "the array of puzzles has no end: the file is cut short";
    let other = "other text after the array of puzzles";
    for (text, statuses, line, reason) in [
        ("{\"levels\":[{\"board\":\"U\"}]}\n", "unique\n", 0, ""),
        ("{\"levels\":[{\"board\":\"U\"}],\"x\":{\"y\":[1]}}\n", "unique\n", 0, ""),
        ("{\"x\":{\"y\":[{}]},\"levels\":[{\"board\":\"U\"}]}\n", "unique\n", 0, ""),
        ("[\n{\"board\":\"U\"}\n]\n\n", "unique\n", 0, ""),
        ("{\"levels\":[\n{\"board\":\"U\"}", "unique\ninvalid\n", 2, cut),
        ("{\"levels\":[\n{\"board\":\"U\"},\n", "unique\ninvalid\n", 3, cut),
        ("{\"levels\":[\n{\"board\":\"U\"}]", "unique\ninvalid\n", 2, cut),
        ("[{\"board\":\"U\"}", "unique\ninvalid\n", 1, cut),
        ("{\"levels\":[{\"board\":\"U\"}]}}", "unique\ninvalid\n", 1, other),
        ("[{\"board\":\"U\"}]\ngarbage\n", "unique\ninvalid\n", 2, other),
        (
            "{\"a\":{\"board\":\"M\"},\n\"levels\":[{\"board\":\"U\"}]}\n",
            "multiple\nunique\n",
            0,
            "",
        ),
        (
            "{\"levels\":[{\"board\":\"U\"}],\n\"a\":[{\"board\":\"M\"}]}\n",
            "unique\nmultiple\n",
            0,
            "",
        ),
    ] {
        let text = text.replace('U', unique).replace('M', multiple);
        let options = "--json --header puzzle=board --output lines -o status";
        let (output, messages, status) = run_with(options, text.as_bytes());
        let message = match reason {
            "" => String::new(),
            _ => format!("-:{line}: {reason}\n"),
        };
        let exit = i32::from(!reason.is_empty());
        assert_eq!((output.as_str(), messages, status), (statuses, message, Some(exit)), "{text}");
    }
}

#[test]
fn an_array_of_puzzles_is_no_puzzle() {
    let puzzle = "1.....3..2.....4";
    let rows = "[[1,0],[0,1]]";
    for (value, reason) in [
        (format!("[\"{puzzle}\",\"{puzzle}\"]"), "an array of 2 puzzles (jq -c"),
        (format!("[{}]", vec![format!("\"{puzzle}\""); 3].join(",")), "an array of 3 puzzles"),
        (format!("[{}]", vec![format!("\"{}\"", ".".repeat(81)); 4].join(",")), "an array of 4"),
        (format!("[{rows},{rows}]"), "an array of 2 puzzles"),
    ] {
        let (output, messages, _) = run_with(
            "--json -o status --output lines",
            format!("{{\"puzzle\":{value}}}").as_bytes(),
        );
        assert_eq!(output, "invalid\n", "{value}");
        assert!(messages.contains(reason), "{messages}");
    }
    // Rows of a 16x16, and of pencilmarks for a 4x4, are strings of 16 symbols too.
    for rows in [
        vec![format!("\"{}\"", ".".repeat(16)); 16].join(","),
        ["\"1234123412341234\""; 4].join(","),
    ] {
        let text = format!("{{\"puzzle\":[{rows}]}}");
        let options = "--json --input pencilmarks -o status --output lines";
        assert_eq!(run_with(options, text.as_bytes()).0, "multiple\n", "{text}");
    }
}

/// A 4x4 in the format of f-puzzles: the puzzle of `SOLVED`, with an entry of the solver.
const BOARD: &str = r#"[[{"value":1,"given":true,"c":"red"},{},{},{}],[{},{},{"value":3,"given":true},{}],[{},{"value":2,"given":true},{"value":4,"centerPencilMarks":[1]},{}],[{},{},{},{"value":4,"given":true}]]"#;
/// A grid without givens whose cells state the layout `AAABCCABDCCBDDDB`.
const JIGSAW: &str = r#"[[{"region":0},{"region":0},{"region":0},{"region":1}],[{"region":2},{"region":2},{"region":0},{"region":1}],[{"region":3},{"region":2},{"region":2},{"region":1}],[{"region":3},{"region":3},{"region":3},{"region":1}]]"#;
const BLANK: &str = r#""................""#;

#[test]
fn a_grid_of_objects_is_read_as_f_puzzles_writes_it() {
    let value = |object: &str, options: &str| {
        let options = format!("--json --output lines {options}");
        let (text, messages, status) = run_with(&options, object.as_bytes());
        assert_eq!((&*messages, status), ("", Some(0)), "{object}");
        text.trim_end().to_string()
    };
    let object = format!(r#"{{"size":4,"grid":{BOARD},"antiknight":false,"arrow":[]}}"#);
    assert_eq!(value(&object, "-o puzzle,status"), "1.....3..2.....4\tunique");
    // Without the key `given`, each value is a given; without `region`, a cell is in its box.
    let plain = BOARD.replace(r#","given":true"#, "");
    let object = format!(r#"{{"grid":{plain}}}"#);
    assert_eq!(value(&object, "-o puzzle,regions,status"), "1.....3..24....4\t-\tnone");
    assert_eq!(value(&object, "--variant jigsaw -o regions,status"), "-\tnone");
    let object = format!(r#"{{"grid":{JIGSAW}}}"#);
    assert_eq!(value(&object, "-o regions,status"), "0001220132213331\tmultiple");
    // A digit of an output grid is a number, of an equivalent an object.
    let object = format!(r#"{{"grid":{BOARD}}}"#);
    let (text, ..) = run_with("--json -o solution", object.as_bytes());
    assert!(text.ends_with("\"solution\":[[1,3,4,2],[2,4,3,1],[4,2,1,3],[3,1,2,4]]}\n"), "{text}");
    let (shuffled, ..) = run_with("--json --shuffle", object.as_bytes());
    assert!(shuffled.starts_with(r#"{"grid":[[{"#), "{shuffled}");
    assert_eq!(value(&shuffled, "-o status,givens"), "unique\t4");
    // The solution is an answer.
    for (solution, status) in [
        (r#""1342243142133124""#, "correct"),
        ("[1,3,4,2,2,4,3,1,4,2,1,3,3,1,2,4]", "correct"),
        (r#""1342243142133142""#, "incorrect"),
    ] {
        let object = format!(r#"{{"grid":{BOARD},"solution":{solution}}}"#);
        let (text, ..) = run_with("--json --verify -o status --output lines", object.as_bytes());
        assert_eq!(text.trim_end(), status);
    }
}

#[test]
fn keys_of_f_puzzles_are_rules_of_the_record() {
    let solutions = |options: &str, input: &str| {
        let options = format!("{options} --output lines -o solutions --count 999");
        let (text, messages, status) = run_with(&options, input.as_bytes());
        assert_eq!((&*messages, status), ("", Some(0)), "{options} {input}");
        text.trim_end().to_string()
    };
    let blank = "................";
    let cage = r#"[{"cells":["R1C1","R1C2"],"value":"3"}]"#;
    for (rules, options, line) in [
        (r#""antiknight":true"#.to_string(), "--variant antiknight", blank.to_string()),
        (r#""antiking":true"#.into(), "--variant antiking", blank.into()),
        (r#""nonconsecutive":true"#.into(), "--variant nonconsecutive", blank.into()),
        (r#""disjointgroups":true"#.into(), "--variant disjoint", blank.into()),
        (r#""diagonal+":true"#.into(), "--extra ...A..A..A..A...", blank.into()),
        (r#""diagonal-":true"#.into(), "--extra A....A....A....A", blank.into()),
        (r#""diagonal+":true,"diagonal-":true"#.into(), "--variant diagonal", blank.into()),
        (r#""diagonal+":1,"antiking":"true""#.into(), "--variant antiking", blank.into()),
        (
            r#""extraregion":[{"cells":["R1C1","R2C3","R3C4"]},{"cells":["R2C3","R4C1"]}]"#.into(),
            "--extra A.....A....A.... --extra ......A.....A...",
            blank.into(),
        ),
        (
            r#""odd":[{"cell":"R1C1"}],"even":[{"cells":["R1C2","R4C4"]}]"#.into(),
            "--input pencilmarks",
            format!("1.3..2.4{}.2.4", "1234".repeat(13)),
        ),
        (
            format!(r#""killercage":{cage}"#),
            "--variant killer",
            format!("{blank} 3<00000000000000"),
        ),
        (
            format!(r#""killercage":{cage},"antiking":true,"diagonal-":true"#),
            "--variant killer,antiking --extra A....A....A....A",
            format!("{blank} 3<00000000000000"),
        ),
        // Empty values state nothing, and other data sets use the names for something else.
        (
            r#""arrow":[],"xv":null,"clone":{},"ratio":0.5,"difference":3,"minimum":2,"odd":"x","even":true,"skyscraper":true,"antiking":false,"negative":"","cage":1"#.into(),
            "",
            blank.into(),
        ),
    ] {
        let object = format!(r#"{{"puzzle":{BLANK},{rules}}}"#);
        assert_eq!(solutions("--json", &object), solutions(options, &line), "{rules}");
    }
    // The rules of the record are added to those of the run, for this record alone.
    let objects = format!("{{\"puzzle\":{BLANK},\"antiking\":true}}\n{{\"puzzle\":{BLANK}}}\n");
    let added = solutions("--json --variant diagonal", &objects);
    let both = solutions("--variant diagonal,antiking", blank);
    assert_eq!(added, format!("{both}\n{}", solutions("--variant diagonal", blank)));
    // Pencilmarks that are given, and a layout with cages.
    let marks =
        r#"[[{"givenPencilMarks":[1,2]},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]]"#;
    let object = format!(r#"{{"grid":{marks},"odd":[{{"cell":"R1C1"}}]}}"#);
    assert_eq!(solutions("--json", &object), solutions("", "1..............."));
    let object = format!(r#"{{"grid":{JIGSAW},"killercage":{cage}}}"#);
    let line = format!("{blank} AAABCCABDCCBDDDB 3<00000000000000");
    assert_eq!(solutions("--json", &object), solutions("--variant killer,jigsaw", &line));
}

#[test]
fn constraints_of_f_puzzles_are_those_of_a_constraint_string() {
    let count = |input: &str| {
        let options = "--output lines -o solutions --count 999";
        let (text, messages, status) = run_with(options, input.as_bytes());
        let said: Vec<&str> = messages.lines().filter(|it| !it.contains("read as")).collect();
        assert_eq!((said, status), (vec![], Some(0)), "{input}");
        text.trim_end().to_string()
    };
    let mut counts = HashSet::new();
    for (members, string) in [
        (
            r#""thermometer":[{"lines":[["R1C1","R1C2","R2C3"],["R1C1","R2C1"]]}]"#,
            ".Thermo~R1C1~R1C2~R2C3.Thermo~R1C1~R2C1",
        ),
        (
            r#""arrow":[{"cells":["R1C1"],"lines":[["R1C1","R1C2","R2C3"]]}]"#,
            ".Arrow~R1C1~R1C2~R2C3",
        ),
        (
            r#""arrow":[{"cells":["R1C1","R1C2"],"lines":[["R1C2","R1C3","R2C4","R3C4","R4C4"]]}]"#,
            ".PillArrow~2~R1C1~R1C2~R1C3~R2C4~R3C4~R4C4",
        ),
        (
            r#""difference":[{"cells":["R1C1","R1C2"]}],"ratio":[{"cells":["R4C1","R4C2"],"value":"2"}]"#,
            ".WhiteDot~R1C1~R1C2.BlackDot~R4C1~R4C2",
        ),
        (
            r#""xv":[{"cells":["R1C1","R1C2"],"value":"V"}],"negative":["xv"]"#,
            ".V~R1C1~R1C2.StrictXV",
        ),
        (
            r#""difference":[{"cells":["R1C1","R1C2"]}],"negative":["ratio","difference"]"#,
            ".WhiteDot~R1C1~R1C2.StrictKropki",
        ),
        (
            r#""palindrome":[{"lines":[["R1C1","R2C2","R3C3"]]}],"renban":[{"lines":[["R1C4","R2C3","R3C2"]]}]"#,
            ".Palindrome~R1C1~R2C2~R3C3.Renban~R1C4~R2C3~R3C2",
        ),
        (
            r#""whispers":[{"lines":[["R1C1","R2C2"]],"value":2}],"regionsumline":[{"lines":[["R1C4","R2C3","R3C3"]]}]"#,
            ".Whisper~2~R1C1~R2C2.RegionSumLine~R1C4~R2C3~R3C3",
        ),
        (r#""betweenline":[{"lines":[["R1C1","R2C2","R3C3"]]}]"#, ".Between~R1C1~R2C2~R3C3"),
        (
            r#""lockout":[{"lines":[["R1C1","R2C2","R2C3"]],"value":"2"}]"#,
            ".Lockout~2~R1C1~R2C2~R2C3",
        ),
        (
            r#""entropicline":[{"lines":[["R1C1","R2C2"]]}],"modularline":[{"lines":[["R3C1","R3C2"]]}]"#,
            ".Entropic~R1C1~R2C2.Modular~3~R3C1~R3C2",
        ),
        (r#""doublearrow":[{"lines":[["R1C1","R2C2","R3C3"]]}]"#, ".DoubleArrow~R1C1~R2C2~R3C3"),
        (
            r#""littlekillersum":[{"cell":"R0C1","cells":["R1C2","R2C1"],"value":"4"},{"cells":["R4C4"],"value":""}]"#,
            ".Sum~4~R1C2~R2C1",
        ),
        (
            r#""quadruple":[{"cells":["R1C1","R1C2","R2C1","R2C2"],"values":[]},{"cells":["R2C2","R2C3","R3C2","R3C3"],"values":[1,2]}]"#,
            ".Quad~R2C2~1~2",
        ),
        (
            r#""minimum":[{"cell":"R1C1"}],"maximum":[{"cell":"R3C3"}]"#,
            ".Thermo~R1C1~R1C2.Thermo~R1C1~R2C1.Thermo~R2C3~R3C3.Thermo~R4C3~R3C3.Thermo~R3C2~R3C3.Thermo~R3C4~R3C3",
        ),
        // Cells of the same list are not compared with each other.
        (
            r#""minimum":[{"cell":"R1C1"},{"cells":["R1C2"]}]"#,
            ".Thermo~R1C1~R2C1.Thermo~R1C2~R2C2.Thermo~R1C2~R1C3",
        ),
        (
            r#""clone":[{"cells":["R1C1","R1C2"],"cloneCells":["R3C2","R3C3"]}]"#,
            ".Palindrome~R1C1~R3C2.Palindrome~R1C2~R3C3",
        ),
        (r#""constraints":".Shape~4x4.Thermo~R1C1~R2C2.~R1C2_3""#, ".Thermo~R1C1~R2C2.~R1C2_3"),
        (
            r#""thermometers":[{"lines":[["R1C1","R2C2"]]}],"anti_king":true,"odd":[{"cell":"R2C2"}]"#,
            ".Thermo~R1C1~R2C2.AntiKing.~R2C2_1_3",
        ),
        (
            r#""thermometer":[{"lines":[["R1C1","R2C2"]]}],"antiking":true,"odd":[{"cell":"R2C2"}]"#,
            ".Thermo~R1C1~R2C2.AntiKing.~R2C2_1_3",
        ),
    ] {
        let object = format!(r#"{{"size":4,"puzzle":{BLANK},{members}}}"#);
        let counted = count(&object);
        assert_eq!(counted, count(&format!(".Shape~4x4{string}")), "{members}");
        // The puzzle has no solution, or fewer than 288.
        counts.insert(counted);
    }
    assert!(counts.len() > 7 && !counts.contains("288"), "{counts:?}");
}

#[test]
fn rules_that_cannot_be_used_make_the_record_invalid() {
    let cells = r#"[{"cells":["R1C1","R1C2"]}]"#;
    for (members, options, reason) in [
        (
            format!(r#""puzzle":{BLANK},"yinyang":{cells},"antiknight":true"#),
            "--variant killer",
            "states a rule that is not known: yinyang",
        ),
        (
            format!(r#""puzzle":{BLANK},"constraints":[".Thermo~R1C1~R1C2"]"#),
            "",
            "expected a constraint string such as .Thermo~R1C1~R1C2 in 'constraints'",
        ),
        (
            format!(r#""puzzle":{BLANK},"german_whispers":[[[0,0],[0,1]]]"#),
            "",
            "states a rule that is not known: german_whispers",
        ),
        (format!(r#""grid":{BOARD},"snail":true"#), "", "states a rule that is not known: snail"),
        (
            format!(r#""puzzle":{BLANK},"size":4,"thermos":[["R1C1","R1C2"]]"#),
            "",
            "states a rule that is not known: thermos",
        ),
        (
            format!(r#""puzzle":{BLANK},"xsum":{cells},"tenline":[{{"lines":[["R1C1","R1C2"]]}}]"#),
            "",
            "states rules that are not known: tenline, xsum",
        ),
        (
            format!(r#""puzzle":{BLANK},"negative":["ratio"]"#),
            "",
            "states a rule that is not known: negative",
        ),
        (
            format!(
                r#""puzzle":{BLANK},"size":4,"difference":[{{"cells":["R1C1","R1C2"],"value":"2"}}]"#
            ),
            "",
            "'difference' with the value 2 is not read",
        ),
        (
            format!(r#""puzzle":{BLANK},"size":4,"thermometer":[{{"lines":[["R1C1","R5C1"]]}}]"#),
            "",
            "Thermo: 'R5C1' is no cell",
        ),
        (
            format!(r#""puzzle":{BLANK},"thermometer":[{{"lines":[["R1C1","R1C2"]]}}]"#),
            "",
            "16 cells; a 9x9 puzzle has 81",
        ),
        (
            format!(r#""puzzle":{BLANK},"size":4,"renban":[{{"lines":[["R1C1","R1C2"]]}}]"#),
            "--shuffle=1",
            "other fields state its rules, and a copy has them as they were; --output lines writes the moved rules",
        ),
        (
            format!(r#""grid":{BOARD},"snail":{cells},"line":{cells}"#),
            "",
            "states a rule that is not known: snail",
        ),
        (
            format!(r#""data":{{"grid":{BOARD},"nabner":{cells}}}"#),
            "--header puzzle=data.grid",
            "states a rule that is not known: nabner",
        ),
        (
            format!(r#""puzzle":{BLANK},"antiknight":"Bob""#),
            "",
            "'antiknight' names a rule, and its value is neither true nor false",
        ),
        (format!(r#""puzzle":{BLANK},"odd":[{{"cell":"R5C1"}}]"#), "", "a 4x4 puzzle has no r5c1"),
        (format!(r#""puzzle":{BLANK},"odd":[{{"cell":"x"}}]"#), "", "\"x\" in 'odd' is not a cell"),
        (
            format!(r#""puzzle":{BLANK},"even":[{{"cell":"R1C1"}}]"#),
            "--shuffle",
            "other fields state its rules, and a copy has them as they were; --output lines writes the moved rules",
        ),
        (
            format!(r#""puzzle":{BLANK},"even":[{{"cell":"R1C1"}}]"#),
            "--minimize",
            "a pencilmark puzzle has no givens to take away",
        ),
        (
            format!(r#""grid":{JIGSAW},"disjointgroups":true"#),
            "",
            "without boxes there are no disjoint groups",
        ),
        (
            format!(r#""grid":{JIGSAW},"regions":"AAAABBBBCCCCDDDD""#),
            "",
            "the record has two layouts, in the cells of its grid and in its regions",
        ),
        (
            format!(r#""puzzle":{BLANK},"cages":{cells},"killercage":{cells}"#),
            "",
            "the object has cages twice: cages and killercage",
        ),
        (format!(r#""size":9,"grid":{BOARD}"#), "", "the size is 9, and the grid has 4 rows"),
        (
            r#""grid":[[{"digit":1},{}],[{},{}]]"#.to_string(),
            "",
            "cells have the key 'digit', and no digits in 'value', in 'grid'",
        ),
        (
            r#""grid":[[{"region":null},{}],[{},{}]]"#.to_string(),
            "",
            "r1c1 is in no region in 'grid'",
        ),
        (
            r#""grid":[[{"value":3},{}],[{},{}]]"#.to_string(),
            "",
            "3 at r1c1 is not a digit of a 2x2 puzzle in 'grid'",
        ),
        (
            r#""grid":[[{},{}],[{}]]"#.to_string(),
            "",
            "row 2 has 1 cell; a 2x2 puzzle has 2 in 'grid'",
        ),
        (r#""puzzle":".FullRank~R1~3""#.to_string(), "", "FullRank: this rule is not read"),
    ] {
        let (_, messages, status) =
            run_with(&format!("--json {options}"), format!("{{{members}}}").as_bytes());
        assert_eq!((messages, status), (format!("-:1: {reason}\n"), Some(1)), "{members}");
    }
}

#[test]
fn a_first_object_with_an_unknown_rule_is_json_too() {
    let object = |rules: &str| format!("{{\"grid\":{BOARD}{rules}}}");
    let unknown = object(r#","nabner":[{"cells":["R1C1"]}]"#);
    let input = format!("{unknown}\n{}\n", object(""));
    let (text, messages, status) = run_with("-o status --output lines", input.as_bytes());
    let known = "-: read as JSON (--json); --input lines reads lines\n";
    let reason = "-:1: states a rule that is not known: nabner\n";
    assert_eq!(text, "invalid\nunique\n");
    assert_eq!((messages, status), (format!("{known}{reason}"), Some(1)));
}

/// `P`, `Q` and `S` stand for two puzzles and a solution of 9x9 cells, `L` for a 4x4 puzzle.
fn with_puzzles(text: &str) -> String {
    let puzzle =
        "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....";
    let other = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let solution =
        "164329785523876149978451632895643217647215893312987456231568974756194328489732561";
    let text = text.replace('P', puzzle).replace('Q', other).replace('S', solution);
    let grid = "[[1,0,0,0],[0,0,3,0],[0,2,0,0],[0,0,0,4]]";
    text.replace('L', "1.....3..2.....4").replace('G', grid)
}

#[test]
fn puzzles_are_read_at_any_depth_with_their_path() {
    for (text, expected) in [
        (r#"{"mon":{"values":"P"},"tue":{"values":"Q"}}"#, "mon tue"),
        (r#"{"mon":{"values":"P","by":"x"},"tue":{"values":"Q","answer":"S"}}"#, "mon tue"),
        (r#"{"easy":"P","hard":"Q"}"#, "easy hard"),
        (r#"{"a":{"puzzle":"L"},"b":{"puzzle":"L","solution":"S"}}"#, "a b"),
        (r#"{"easy":["P","Q"],"hard":["Q"]}"#, "easy.0 easy.1 hard.0"),
        (r#"["P","Q"]"#, "0 1"),
        (
            r#"{"easy":[{"puzzle":"P"}],"hard":[{"puzzle":"Q"},{"puzzle":"L"}]}"#,
            "easy.0 hard.0 hard.1",
        ),
        (r#"{"all":[{"puzzle":"P"}],"hard":["Q"]}"#, "all.0 hard.0"),
        (r#"{"hard":["Q"],"all":[{"puzzle":"P"}]}"#, "hard.0 all.0"),
        ("[G,G]", "0 1"),
        (r#"{"n":9,"all":[[G,G],[G]]}"#, "all.0.0 all.0.1 all.1.0"),
        (r#"{"board":[{"Easy":G}]}"#, "board.0.Easy"),
        (r#"[{"name":"x","levels":[{"puzzle":"L"}]}]"#, "0.levels.0"),
        (
            r#"{"packs":[{"levels":[{"puzzle":"L"},{"puzzle":"L"}]}]}"#,
            "packs.0.levels.0 packs.0.levels.1",
        ),
        (
            "{\"easy\":\"P\",\"hard\":\"Q\"}\n{\"easy\":\"Q\",\"last\":\"P\"}\n",
            "easy hard easy last",
        ),
    ] {
        let text = with_puzzles(text);
        let expected: String = expected.split(' ').map(|key| format!("{key}\tunique\n")).collect();
        let options = "--json --output lines -o key,status";
        let (output, messages, status) = run_with(options, text.as_bytes());
        assert_eq!((output, messages, status), (expected, String::new(), Some(0)), "{text}");
    }
    // One grid of N rows has no path, and a record keeps its other fields.
    let grid = with_puzzles("G");
    let (output, ..) = run_with("--json -o status", grid.as_bytes());
    assert_eq!(output, format!("{{\"puzzle\":{grid},\"status\":\"unique\"}}\n"));
    let text = with_puzzles(
        "{\"a\":{\"puzzle\":\"L\",\"key\":7},\n \"b\":{\"by\":\"x\",\"start\":\"P\"}}",
    );
    let (output, ..) = run_with("--json -o line,status", text.as_bytes());
    let expected = "{\"key_found\":\"a\",\"puzzle\":\"L\",\"key\":7,\"line\":1,\"status\":\"unique\"}\n\
        {\"key\":\"b\",\"by\":\"x\",\"puzzle\":\"P\",\"line\":2,\"status\":\"unique\"}\n";
    assert_eq!(output, with_puzzles(expected));
}

#[test]
fn a_list_of_grids_can_be_longer_than_a_record() {
    let text = with_puzzles(&format!("[{}]", vec![r#""P""#; 14_000].join(",")));
    assert!(text.len() > 1 << 20);
    let (output, messages, status) =
        run_with("--json --output lines -o key,givens", text.as_bytes());
    assert_eq!((output.lines().count(), messages.as_str(), status), (14_000, "", Some(0)));
    assert!(output.ends_with("\n13999\t31\n"), "{}", &output[output.len() - 40..]);
}

#[test]
fn what_is_not_read_beside_nested_puzzles_is_named() {
    let unread = "an answer, a layout or a full grid in";
    for (text, expected, message) in [
        (
            r#"{"easy":"P","hard":"Q","solution":"S"}"#,
            "uui",
            format!("{unread} 1 place is not read, first 'solution'"),
        ),
        (r#"{"all":["P","Q"],"solutions":["S","S"]}"#, "uui", format!("{unread} 1 place")),
        (
            r#"{"all":["P","Q","S"],"x":"S"}"#,
            "uui",
            format!("{unread} 2 places is not read, first 'all.2'"),
        ),
        (
            r#"{"easy":"P","hard":"Q","short":"1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7"}"#,
            "uui",
            "76 cells; a 9x9 puzzle has 81".into(),
        ),
        (r#"{"mon":"P","tue":"Q."}"#, "ui", "82 cells; a 9x9 puzzle has 81".into()),
        (r#"{"mon":"P.","tue":"Q"}"#, "iu", "82 cells; a 9x9 puzzle has 81".into()),
        (r#"{"mon":"P","tue":"Q","wed":"53..7"}"#, "uui", "5 cells; a 4x4 puzzle has 16".into()),
        (r#"{"all":["P","1###3##2####4","Q"]}"#, "uiu", "13 cells; a 4x4 puzzle has 16".into()),
        (r#"["P","12......","Q"]"#, "uiu", "8 cells; a 4x4 puzzle has 16 (key 1)".into()),
        (r#"{"a":["P","Q"],"b":"12......"}"#, "uui", "8 cells; a 4x4 puzzle has 16 (key b)".into()),
        (r#"{"b":"12......","a":["P","Q"]}"#, "iuu", "8 cells; a 4x4 puzzle has 16 (key b)".into()),
        (r#"{"a":["P","Q"],"b":["12......"]}"#, "uui", "(key b.0)".into()),
        (r#"{"a":{"x":["P","Q"]},"b":{"x":"12......"}}"#, "uui", "(key b.x)".into()),
        (r#"{"a":"P","b":"530070000600"}"#, "ui", "12 cells; a 4x4 puzzle has 16 (key b)".into()),
        (r#"{"a":[{"puzzle":"P"}],"b":"12......"}"#, "ui", "(key b)".into()),
        (r#"{"a":[{"puzzle":"P"}],"b":"P."}"#, "ui", "82 cells; a 9x9 puzzle has 81".into()),
        (r#"{"a":{"puzzle":"P"},"b":{"puzzle":"12......"}}"#, "ui", "(key b)".into()),
        (r#"{"a":{"board":"P"},"b":{"board":"12......"}}"#, "ui", "(key b)".into()),
        (
            r#"{"mon":{"board":"P"},"tue":{"board":"P."}}"#,
            "ui",
            "82 cells; a 9x9 puzzle has 81 (key tue)".into(),
        ),
        (r#"{"all":["P","","Q"]}"#, "uiu", "the puzzle is missing".into()),
        (r#"["P","Q",null,"TODO"]"#, "uui", "the puzzle is missing".into()),
        (r#"["P","Q","TODO"]"#, "uui", "4 cells; a 4x4 puzzle has 16".into()),
        (
            "{\"id\":1,\"puzzle\":\"P\"}\n{\"easy\":\"P\",\"hard\":\"Q\"}\n",
            "ui",
            "but 2 puzzles; if the first object has several, all are read".into(),
        ),
    ] {
        let text = with_puzzles(text);
        let (output, messages, status) =
            run_with("--json --output lines -o status", text.as_bytes());
        let statuses: String = output.lines().map(|line| &line[..1]).collect();
        assert_eq!((statuses.as_str(), status), (expected, Some(1)), "{text}: {messages}");
        assert!(messages.contains(&message), "{text}: {messages}");
    }
    // An object that is longer than a record is read up to the end of its first array.
    let many = with_puzzles(r#"{"puzzle":"P"},"#).repeat(14_000);
    let long = with_puzzles(&format!(r#"{{"all":[{many}{{"puzzle":"L"}}],"hard":["Q"]}}"#));
    assert!(long.len() > 1 << 20);
    let (output, messages, status) =
        run_with("--json --output lines --tally status", long.as_bytes());
    assert_eq!((&*output, status), ("status\tunique\t14001\nstatus\tinvalid\t1\n", Some(1)));
    assert!(messages.contains("puzzles outside of the array that is read"), "{messages}");
    let titles = with_puzzles(r#"["one","P","two","Q"]"#);
    let solved = run_with("--json --output lines -o status", titles.as_bytes());
    assert_eq!(solved, ("unique\nunique\n".to_string(), String::new(), Some(0)));
    let titled = with_puzzles(r#"{"title":"one","mon":"P","tue":"Q"}"#);
    let solved = run_with("--json --output lines -o status", titled.as_bytes());
    assert_eq!(solved, ("unique\nunique\n".to_string(), String::new(), Some(0)));
    let others = r#""version":"1.2.3","date":"2024.01.02","day":"20240102","tel":"0301234567",
        "tel2":"030 1234567","range":"10..20","id":"x......","dots":"......","n":"7","pi":"3.14""#;
    for text in [r#"{"mon":"P","tue":"Q",@}"#, r#"{"a":["P","Q"],@}"#, r#"{"a":["P","Q"],"b":{@}}"#]
    {
        let text = with_puzzles(text).replace('@', others);
        let solved = run_with("--json --output lines -o status", text.as_bytes());
        assert_eq!(solved, ("unique\nunique\n".to_string(), String::new(), Some(0)), "{text}");
    }
    let noted = with_puzzles(r#"{"board":"P","note":"12......","x":{"y":"12......"}}"#);
    let solved = run_with("--json --output lines -o status", noted.as_bytes());
    assert_eq!(solved, ("unique\n".to_string(), String::new(), Some(0)));
    // An answer is never a puzzle, and a title is no board.
    for text in [
        r#"{"puzzle":"P","solution":"S"}"#,
        r#"{"board":"a name","givens":[1,0,0,0,0,0,3,0,0,2,0,0,0,0,0,4]}"#,
    ] {
        let (output, messages, _) =
            run_with("--json --output lines -o status", with_puzzles(text).as_bytes());
        assert_eq!((output.as_str(), messages.as_str()), ("unique\n", ""), "{text}");
    }
}

#[test]
fn a_path_can_have_the_index_of_an_element() {
    let line = with_puzzles(
        r#"{"data":[{"grid":"L"}],"choices":[{"text":"x"},{"text":"1342243142133124"}]}"#,
    );
    let options = "--json --header puzzle=data.0.grid,answer=choices.1.text --verify --lenient \
        --output lines -o choices.0.text,choices.2.text,status";
    let (output, messages, _) = run_with(options, line.as_bytes());
    assert_eq!(output, "x\t-\tcorrect\n");
    assert!(messages.contains("the object has no key 'choices.2.text'"), "{messages}");
}

#[test]
fn an_array_of_several_answers_is_refused() {
    let right = "1342243142133124";
    let object = |answer: &str| format!("{{\"puzzle\":\"1.....3..2.....4\",\"answer\":{answer}}}");
    for answer in [
        format!("[\"{right}\",\"{right}\"]"),
        format!("[\"I give up\",\"So: {right}\"]"),
        format!("[{{\"text\":\"{right}\"}},{{\"text\":\"{right}\"}}]"),
    ] {
        let (output, messages, _) = run_with(
            "--json --verify --lenient --output lines -o status",
            object(&answer).as_bytes(),
        );
        assert_eq!(output, "invalid\n", "{answer}");
        let message = "-:1: an array of 2 answers \
            (jq -c '.answer = .answer[]' makes a record of each) in 'answer'\n";
        assert_eq!(messages, message);
    }
    for answer in [
        format!("[\"{right}\"]"),
        "[\"So:\",\"1342\",\"2431\",\"4213\",\"3124\"]".into(),
        "[[1,3,4,2],[2,4,3,1],[4,2,1,3],[3,1,2,4]]".into(),
    ] {
        let (output, ..) = run_with(
            "--json --verify --lenient --output lines -o status",
            object(&answer).as_bytes(),
        );
        assert_eq!(output, "correct\n", "{answer}");
    }
}

#[test]
fn the_length_of_a_whole_string_decides_on_its_side() {
    let solution = with_puzzles("S");
    for givens in [25, 36, 49, 64] {
        // The first givens, without 9 if there are 64; and every second cell.
        let first = solution.bytes().filter(|digit| givens < 64 || *digit != b'9').count();
        let mut left = givens.min(first);
        let dense = solution.bytes().map(|digit| {
            let is_given = left > 0 && (givens < 64 || digit != b'9');
            left -= usize::from(is_given);
            if is_given { char::from(digit) } else { ' ' }
        });
        let dense: String = dense.collect();
        let spread: String = (0..81)
            .map(
                |cell| {
                    if cell % 2 == 0 && cell < 2 * givens { &solution[cell..=cell] } else { " " }
                },
            )
            .collect();
        for board in [dense, spread] {
            let options = "--json --output lines -o puzzle,status";
            let run =
                |board: &str| run_with(options, format!("{{\"puzzle\":\"{board}\"}}").as_bytes());
            assert_eq!(run(&board), run(&board.replace(' ', ".")), "{board}");
        }
    }
    // In CSV and lines, 36 digits without neighbours are no 6x6 either.
    let spread =
        "1 2 3 4 5 6           4 5 6 1 2 3 2 3 1 5 6 4 5 6 4 2 3 1 3 1 2 6 4 5 6 4 5 3 1 2";
    for (options, text) in
        [("--csv", format!("id,puzzle\n1,{spread}\n")), ("--input lines", format!("{spread}\n"))]
    {
        assert_eq!(run_with(options, text.as_bytes()).2, Some(1), "{text}");
    }
}

#[test]
fn pencilmarks_keep_their_form_and_their_side() {
    let marks: Vec<&str> =
        "1... 1234 1234 1234 1234 1234 ..3. 1234 1234 .2.. 1234 1234 1234 1234 1234 ...4"
            .split(' ')
            .collect();
    let cells = format!("[\"{}\"]", marks.join("\",\""));
    let texts: Vec<String> = marks.chunks(4).map(|row| format!("\"{}\"", row.concat())).collect();
    let rows: Vec<String> =
        marks.chunks(4).map(|row| format!("[\"{}\"]", row.join("\",\""))).collect();
    let texts = format!("[{}]", texts.join(","));
    let rows = format!("[{}]", rows.join(","));
    for (puzzle, solution) in [
        (&cells, r#"["1342","2431","4213","3124"]"#),
        (&texts, r#"["1342","2431","4213","3124"]"#),
        (&rows, r#"[["1","3","4","2"],["2","4","3","1"],["4","2","1","3"],["3","1","2","4"]]"#),
    ] {
        let line = format!("{{\"puzzle\":{puzzle}}}");
        let (output, ..) = run_with("--json -o again=puzzle,solution", line.as_bytes());
        let expected =
            format!("{{\"puzzle\":{puzzle},\"again\":{puzzle},\"solution\":{solution}}}\n");
        assert_eq!(output, expected);
        let (shuffled, ..) = run_with("--json --shuffle --random 3", line.as_bytes());
        assert_eq!(shuffled.len(), line.len() + 1, "{shuffled}");
        assert!(run_with("--json -o status", shuffled.as_bytes()).0.contains("unique"));
    }
    for side in [9, 16] {
        let mark: String = "123456789ABCDEFG"[..side].into();
        let marks = format!("[\"{}\"]", vec![mark; side * side].join("\",\""));
        let options = "--json -o again=puzzle --max-guesses 0";
        let (output, ..) = run_with(options, format!("{{\"puzzle\":{marks}}}").as_bytes());
        assert_eq!(output, format!("{{\"puzzle\":{marks},\"again\":{marks}}}\n"));
    }
    // Nine puzzles of nine rows are no pencilmarks.
    let puzzles = with_puzzles(&format!("{{\"puzzle\":[{}]}}", [r#""P""#; 9].join(",")));
    assert!(run_with("--json", puzzles.as_bytes()).1.contains("an array of 9 puzzles"));
}

#[test]
fn objects_nested_a_hundred_thousand_levels_deep_are_refused() {
    let nested = |open: &str, inner: &str, close: &str| {
        format!("{}{inner}{}\n", open.repeat(100_000), close.repeat(100_000))
    };
    for (input, status) in [
        (nested("{\"a\":", "1", "}"), "invalid"),
        (nested("{\"a\":", "\"1.....3..2.....4\"", "}"), "invalid"),
        (format!("{{\"puzzle\":{BLANK},\"x\":{}}}\n", nested("[", "", "]").trim_end()), "multiple"),
        (format!("{{\"puzzle\":{}}}\n", nested("[", "", "]").trim_end()), "invalid"),
    ] {
        let (text, ..) = run_with("--json --output lines -o status", input.as_bytes());
        assert_eq!(text.trim_end(), status, "{}", &input[..40]);
    }
}

#[test]
fn names_of_variants_and_rules_are_keys_in_any_spelling() {
    let puzzle = "1.....3..2.....4";
    for (key, expected) in [
        (r#""antiking":true"#, "none"),
        (r#""Anti King":true"#, "none"),
        (r#""diagonal":true"#, "none"),
        (r#""windoku":false"#, "unique"),
        (r#""x":3"#, "unique"),
        (r#""classic":true"#, "unique"),
        (r#""asterisk":true"#, "invalid"),
        (r#""killer":true"#, "invalid"),
        (r#""killer":true,"cages":"aabb............""#, "invalid"),
        (r#""killer":true,"cages":[{"cells":["r1c1","r1c2"],"sum":4}]"#, "unique"),
        (r#""jigsaw":true"#, "invalid"),
        (r#""jigsaw":true,"regions":"1122112233443344""#, "unique"),
        (r#""killer_cages":[{"cells":["r1c1","r1c2"],"sum":4}]"#, "invalid"),
        (r#""killerCages":[{"cells":["r1c1","r1c2"],"sum":4}]"#, "invalid"),
        (r#""killercage":[{"cells":["r1c1","r1c2"],"value":"4"}]"#, "unique"),
        (r#""kropki":{"white":[[0,1]]}"#, "invalid"),
        (r#""sandwich":{"rows":[1,2,3,4]}"#, "invalid"),
        (r#""killer":[]"#, "unique"),
        (r#""dots":3"#, "unique"),
    ] {
        let input = format!("{{\"puzzle\":\"{puzzle}\",{key}}}\n");
        let (output, ..) = run_with("--json --output lines -o status -q", input.as_bytes());
        assert_eq!(output, format!("{expected}\n"), "{key}");
    }
}

#[test]
fn rules_beside_a_list_of_puzzles_are_named() {
    let puzzle = "1.....3..2.....4";
    for key in [
        r#""variant":"antiking""#,
        r#""antiking":true"#,
        r#""thermometer":[{"lines":[["R1C1","R1C2"]]}]"#,
        r#""constraints":".AntiKing""#,
        r#""constraints":["antiking"]"#,
        r#""rules":{"antiking":true}"#,
        r#""thermo":true"#,
    ] {
        for list in
            [format!(r#""puzzles":[{{"puzzle":"{puzzle}"}}]"#), format!(r#""easy":["{puzzle}"]"#)]
        {
            for object in [format!("{{{key},{list}}}"), format!("{{{list},{key}}}")] {
                let (output, messages, status) =
                    run_with("--output lines -o status", object.as_bytes());
                assert!(output.contains("invalid\n"), "{object}: {output}");
                assert!(messages.contains("rules outside of the array of puzzles"), "{messages}");
                assert_eq!(status, Some(1), "{object}");
            }
        }
    }
    let named = format!(r#"{{"variant":"easy","title":"a","puzzles":[{{"puzzle":"{puzzle}"}}]}}"#);
    let (output, _, status) = run_with("--output lines -o status", named.as_bytes());
    assert_eq!((&*output, status), ("unique\n", Some(0)));
}

#[test]
fn a_rule_that_the_key_of_a_list_names_is_that_of_its_puzzles() {
    let grid = "1.....3..2.....4";
    let record = format!("{{\"puzzle\":\"{grid}\"}}");
    let outside = "rules outside of the array of puzzles are not read";
    let named = |path: &str| {
        format!(
            "'key' names the rule diagonal, and no field states it; \
             a field 'variant' states it (key {path})"
        )
    };
    for (object, options, output, message) in [
        ("{'diagonal':['GRID'],'classic':['GRID']}", "", "invalid,unique,", named("diagonal.0")),
        ("{'a':{'diagonal':{'b':'GRID'}},'c':'GRID'}", "", "invalid,unique,", named("a.diagonal")),
        ("{'diagonal':['GRID'],'c':['GRID']}", "--variant diagonal", "none,none,", String::new()),
        ("{'easy':['GRID'],'hard':['GRID']}", "", "unique,unique,", String::new()),
        ("{'antiking':[RECORD]}", "", "invalid,unique,", outside.to_string()),
        ("{'jigsaw':[RECORD]}", "", "invalid,unique,", outside.to_string()),
        ("{'antiking':[RECORD]}", "--variant antiking", "none,", String::new()),
        ("{'antiking':[{'puzzle':'GRID','antiking':true}]}", "", "none,", String::new()),
        ("{'jigsaw':[{'puzzle':'GRID','regions':null}]}", "", "unique,", String::new()),
        ("{'regions':[RECORD]}", "", "unique,", String::new()),
    ] {
        let object = object.replace('\'', "\"").replace("GRID", grid).replace("RECORD", &record);
        let options = format!("--json --output lines -o status {options}");
        let (found, messages, _) = run_with(&options, object.as_bytes());
        assert_eq!(found.replace('\n', ","), output, "{object}");
        let message = if message.is_empty() { message } else { format!("-:1: {message}\n") };
        assert_eq!(messages, message, "{object}");
    }
}

#[test]
fn a_record_states_rules_by_their_names() {
    let puzzle = "1.....3..2.....4";
    for (members, expected) in [
        (r#""rules":["antiking"]"#, "none\t-"),
        (r#""rules":{"antiking":true}"#, "none\t-"),
        (r#""rule":"anti-king""#, "none\t-"),
        (r#""type":"classic""#, "unique\t-"),
        (r#""type":"odd""#, "unique\t-"),
        (r#""type":"killer""#, "invalid\tstates the rule killer, and has no cages"),
        (r#""type":"killer","cages":[{"cells":["r1c1","r1c2"],"sum":4}]"#, "unique\t-"),
        (r#""rules":"Normal sudoku rules apply.""#, "unique\t-"),
        (
            r#""rules":"Normal antiking rules apply.""#,
            "invalid\tnames the rule antiking, and no field states it",
        ),
        (
            r#""rules":"Along each arrow, digits add up.""#,
            "invalid\tnames the rule arrow, and no field states it",
        ),
        (
            r#""rules":"Along each arrow, digits add up.","constraints":".Shape~4x4.AntiKing""#,
            "none\t-",
        ),
        (r#""variant":"thermo","constraints":".Shape~4x4.Thermo~R1C1~R1C2""#, "unique\t-"),
        (r#""variant":"thermo""#, "invalid\tnames the rule thermo, and no field states it"),
        (r#""options":{"antiking":true}"#, "none\t-"),
        (r#""options":{"variant":"antiking"}"#, "none\t-"),
        (r#""meta":{"options":{"anti_king":true}}"#, "none\t-"),
        (
            r#""options":{"kropki":[["r1c1","r1c2"]]}"#,
            "invalid\tstates a rule that is not known: kropki",
        ),
        (r#""stats":{"killer":3,"antiking":false}"#, "unique\t-"),
        (r#""options":{"variants":["antiking"]}"#, "none\t-"),
        (r#""variants":[{"name":"antiking"}]"#, "none\t-"),
        (r#""variant":"classic","rules":"antiking""#, "none\t-"),
        (
            r#""lines":[{"type":"thermo","cells":["r1c2","r1c1"]}]"#,
            "invalid\tstates a rule that is not known: lines",
        ),
        (
            r#""options":{"cages":[{"cells":["r1c1","r1c2"],"sum":4}]}"#,
            "invalid\t'cages' in an object within the record is not read",
        ),
        (r#""options":{"cages":[]}"#, "unique\t-"),
        (
            r#""layout":"1122112233443344""#,
            "invalid\t'layout' holds a layout that is not read; --header regions=layout reads it",
        ),
        (r#""easier":{"puzzle":"1.....3.........","antiking":true}"#, "unique\t-"),
        (r#""is_antiking":true"#, "none\t-"),
        (r#""isAntiKing":1"#, "none\t-"),
        (r#""rules/antiking":"true""#, "none\t-"),
        (r#""options":{"has_antiking":true}"#, "none\t-"),
        (r#""is_antiking":false,"no_diagonal":true,"has_regions":true"#, "unique\t-"),
        (r#""stats":{"killer":1}"#, "unique\t-"),
        (
            r#""antikng":true"#,
            "invalid\tstates a rule that is not known: antikng; did you mean antiking?",
        ),
        (
            r#""variant":"Anti-Kinng""#,
            "invalid\tstates a rule that is not known: Anti-Kinng; did you mean antiking?",
        ),
        (r#""variant":"standard""#, "unique\t-"),
        (r#""thermo":true"#, "invalid\tnames the rule thermometer, and no field states it"),
        (r#""rules":{"thermo":true}"#, "invalid\tnames the rule thermometer, and"),
        (r#""settings":{"kropki":"yes"}"#, "invalid\tnames the rule kropki, and no field"),
        (r#""xv":true"#, "invalid\tnames the rule xv, and no field states it"),
        (r#""thermo":true,"constraints":".Shape~4x4.Thermo~R1C1~R1C2""#, "unique\t-"),
        (r#""thermo":false,"arrow":3,"odd":true,"skyscraper":true"#, "unique\t-"),
        (r#""diagonal":1"#, "none\t"),
        (r#""killer":1,"jigsaw":1,"window":1,"stats":{"diagonal":1}"#, "unique\t-"),
        (
            r#""little killer":[{"cells":["R1C2","R2C1"]}]"#,
            "invalid\t'littlekillersum' has no value, the sum of its cells",
        ),
        (
            r#""jigsaw":[["r1c1","r1c2"]]"#,
            "invalid\tthe cells in 'jigsaw' state a rule that is not read",
        ),
        (
            r#""options":{"diagonal":["r1c1","r2c2"]}"#,
            "invalid\tthe cells in 'diagonal' state a rule that is not read",
        ),
        (
            r#""diagonal":"r1c1 r2c2""#,
            "invalid\tthe cells in 'diagonal' state a rule that is not read",
        ),
        (r#""thermo":"r1c1 r2c2""#, "invalid\tstates a rule that is not known: thermo"),
        (r#""window":[1,2],"note":"R1C1 is hard","diagonal":"R2D2""#, "unique\t-"),
    ] {
        let input = format!("{{\"puzzle\":\"{puzzle}\",{members}}}\n");
        let (output, ..) = run_with("--json --output lines -o status,reason -q", input.as_bytes());
        let expected = expected.trim_end_matches('-');
        assert!(output.starts_with(expected), "{members}: {output}");
    }
    let listed =
        format!("{{\"constraints\":\".AntiKing\",\"puzzles\":[\"{puzzle}\",\"{puzzle}\"]}}\n");
    let (output, messages, status) = run_with("--json --output lines -o status", listed.as_bytes());
    assert_eq!(output, "invalid\nunique\nunique\ninvalid\n");
    assert!(messages.contains("rules outside of the array of puzzles are not read"), "{messages}");
    assert_eq!(status, Some(1));
}

#[test]
fn a_rule_that_a_field_of_another_name_names_is_not_ignored() {
    let puzzle = "1.....3..2.....4";
    let cages = r#""cages":[{"cells":["r1c1","r1c2"],"sum":4}]"#;
    let unread = |path: &str, rule: &str, remedy: &str| {
        format!("invalid\t'{path}' names the rule {rule}, and no field states it; {remedy}\n")
    };
    let with_header =
        |path: &str| unread(path, "antiking", &format!("--header variant={path} reads it"));
    let (unique, none) = ("unique\t-\n".to_string(), "none\tno place for 3 in row 1\n".to_string());
    for (members, options, expected) in [
        (r#""kind":"antiking""#, "", with_header("kind")),
        (r#""kind":"antiking""#, "--header variant=kind", none.clone()),
        (r#""kind":"antiking""#, "--variant antiking", none.clone()),
        (r#""kind":"antiking","variant":"antiking""#, "", none.clone()),
        (r#""meta":{"type":"antiking"}"#, "", with_header("meta.type")),
        (r#""meta":{"type":"antiking"}"#, "--header variant=meta.type", none),
        (r#""tags":["antiking"]"#, "", with_header("tags")),
        (
            r#""tags":["hard","Anti King"]"#,
            "",
            unread("tags", "Anti King", "a field 'variant' states it"),
        ),
        (r#""kind":"thermo""#, "", unread("kind", "thermo", "--header variant=kind reads it")),
        (
            r#""kind":"killer diagonal",cages"#,
            "",
            unread("kind", "diagonal", "--header variant=kind reads it"),
        ),
        (r#""kind":"killer","author":"Diagonal",cages"#, "", unique.clone()),
        (r#""kind":"thermo","constraints":".Shape~4x4.Thermo~R1C1~R1C2""#, "", unique.clone()),
        // Labels of another kind.
        (r#""kind":"easy","tags":["hard","daily"],"type":"sudoku""#, "", unique.clone()),
        (r#""note":"Knights, not antiking","difficulty":"killer""#, "", unique.clone()),
        (r#""easier":{"puzzle":"1.....3.........","kind":"antiking"}"#, "", unique),
    ] {
        let members = members.replace("cages", cages);
        let input = format!("{{\"puzzle\":\"{puzzle}\",{members}}}\n");
        let options = format!("--json --output lines -o status,reason -q {options}");
        let (output, ..) = run_with(&options, input.as_bytes());
        assert_eq!(output, expected, "{members} with {options}");
    }
}

#[test]
fn a_puzzle_in_a_field_that_is_not_read_is_named() {
    let (puzzle, other) = ("1.....3..2.....4", "2.....1..3.....4");
    for (members, field) in [
        (format!("\"bonus\":\"{other}\""), "bonus"),
        (format!("\"level\":5,\"more\":[\"{other}\"]"), "more"),
        ("\"more\":[[2,0,0,0],[0,0,1,0],[0,3,0,0],[0,0,0,4]]".to_string(), "more"),
        (format!("\"easier\":{{\"puzzle\":\"{other}\"}}"), "easier"),
        // A later state, a solution, columns of the program, and text.
        ("\"state\":\"12....3..2.....4\"".to_string(), ""),
        ("\"grid\":\"1432321441232341\"".to_string(), ""),
        (format!("\"canonical\":\"{other}\",\"puzzle_found\":\"{other}\""), ""),
        ("\"note\":\"2 or 3, never 14\"".to_string(), ""),
    ] {
        let input = format!("{{\"puzzle\":\"{puzzle}\",{members}}}\n");
        let remark = format!(
            "-:1: '{field}' has a puzzle, which is not read; \
             --header puzzle=NAME reads the puzzles of that field\n"
        );
        let expected = if field.is_empty() { "" } else { &*remark };
        let (output, messages, status) =
            run_with("--json --output lines -o status", input.as_bytes());
        assert_eq!((&*output, &*messages, status), ("unique\n", expected, Some(0)), "{members}");
    }
}

#[test]
fn a_puzzle_is_not_kept_without_its_rules() {
    let puzzle = "1.....3..2.....4";
    let reason = |name| format!("'{name}' states a rule of the puzzle, and --keep leaves it out");
    for (key, value, kept, is_dropped) in [
        ("antiking", "true", "puzzle", true),
        ("variant", "\"antiking\"", "puzzle", true),
        ("regions", "\"1122112233443344\"", "puzzle", true),
        ("constraints", "\".Shape~4x4.AntiKing\"", "puzzle", true),
        ("antiking", "true", "puzzle,antiking", false),
        ("antiking", "true", "id", false),
        ("antiking", "true", "none", false),
        ("antiking", "false", "puzzle", false),
        ("variant", "\"easy\"", "puzzle", false),
        ("regions", "\"AA\"", "puzzle", false),
        ("kind", "\"easy\"", "puzzle", false),
    ] {
        let object = format!("{{\"id\":1,\"puzzle\":\"{puzzle}\",\"{key}\":{value}}}\n");
        let table = format!("id,puzzle,{key}\n1,{puzzle},{}\n", value.trim_matches('"'));
        for (input, form, line) in [(object, "json", 1), (table, "csv", 2)] {
            let options = format!("--{form} --keep {kept} -o status");
            let (_, messages, status) = run_with(&options, input.as_bytes());
            let expected =
                if is_dropped { format!("-:{line}: {}\n", reason(key)) } else { String::new() };
            assert_eq!((messages, status), (expected, Some(i32::from(is_dropped))), "{input}");
        }
    }
    let nested = format!("{{\"puzzle\":\"{puzzle}\",\"options\":{{\"antiking\":true}}}}\n");
    let (_, messages, status) = run_with("--json --keep puzzle", nested.as_bytes());
    assert_eq!((messages, status), (format!("-:1: {}\n", reason("options")), Some(1)));
}

#[test]
fn a_column_without_the_variants_of_the_record_has_a_message() {
    let object = "{\"puzzle\":\"1.....3..2.....4\",\"variant\":\"antiking\"}\n";
    let message = "-:1: the column 'puzzle' lacks the variants of the record, \
        which can differ from those of other records; --variant antiking reads this one\n";
    for (options, expected) in [
        ("--output lines -o puzzle,status", message),
        ("--output csv -o puzzle,status", message),
        ("--output lines -o status", ""),
        ("-o puzzle,status", ""),
    ] {
        let (_, messages, _) = run_with(&format!("--json {options}"), object.as_bytes());
        assert_eq!(messages, expected, "{options}");
    }
}
