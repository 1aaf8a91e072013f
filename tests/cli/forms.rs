//! `--input` and `--output`: each form of the input in each form of the output, names of columns,
//! the values of JSON, and CSV records over several lines.

use crate::run::{Folder, check, run, run_with, shell};

const LINE: &str = "7 1.....3..2.....4\n";
const CSV: &str = "id,puzzle\n7,1.....3..2.....4\n";
const JSON: &str = "{\"id\":7,\"puzzle\":\"1.....3..2.....4\"}\n";
const DRAWING: &str = "\
+-----+-----+
| 1 3 | 4 2 |
| 2 4 | 3 1 |
+-----+-----+
| 4 2 | 1 3 |
| 3 1 | 2 4 |
+-----+-----+
";

#[test]
fn every_form_of_the_input_is_written_in_every_form() {
    for (input, options, id) in [
        (LINE, "--fields id,puzzle", "\"7\""),
        (LINE, "--input lines --fields id,puzzle", "\"7\""),
        (CSV, "--csv", "\"7\""),
        (CSV, "--input csv", "\"7\""),
        (JSON, "--json", "7"),
        (JSON, "--input json", "7"),
    ] {
        let lines = "7\t1342243142133124\tunique\n".to_string();
        let drawing = format!("{DRAWING}7\tunique\n\n");
        let csv = "id,grid,is\n7,1342243142133124,unique\n".to_string();
        let json = format!("{{\"id\":{id},\"grid\":\"1342243142133124\",\"is\":\"unique\"}}\n");
        for (output, form, expected) in [
            ("--output lines", "lines", lines),
            ("--output csv", "csv", csv),
            ("--output json", "json", json),
            ("--output drawing", "drawing", drawing.clone()),
            ("--draw", "drawing", drawing),
        ] {
            // In the form of the input, records are copied.
            if options.ends_with(form) {
                continue;
            }
            let options = format!("{options} {output} -o id,grid=solution,is=status");
            let expected = (expected, String::new(), Some(0));
            assert_eq!(run_with(&options, input.as_bytes()), expected, "{options}");
        }
    }
}

#[test]
fn records_are_copied_in_their_own_form() {
    let solution = "1342243142133124";
    check(&[
        (
            CSV,
            "--csv --output csv -o grid=solution,again=id,puzzle=status",
            &format!("id,puzzle,grid,again,puzzle_found\n7,1.....3..2.....4,{solution},7,unique\n"),
            "",
            0,
        ),
        (
            JSON,
            "--json --output json -o grid=solution,again=id,id=status",
            &format!(
                "{{\"id\":7,\"puzzle\":\"1.....3..2.....4\",\"grid\":\"{solution}\",\"again\":7,\"id_found\":\"unique\"}}\n"
            ),
            "",
            0,
        ),
        // A field under its own name is there already.
        (CSV, "--csv -o id,status", "id,puzzle,status\n7,1.....3..2.....4,unique\n", "", 0),
        (
            JSON,
            "--json -o id,status",
            "{\"id\":7,\"puzzle\":\"1.....3..2.....4\",\"status\":\"unique\"}\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn a_header_is_written_once_and_comments_are_not() {
    check(&[
        (
            "# a comment\n\n1.....3..2.....4\nx\n1.....3..2.....4\n",
            "--output csv --select unique",
            "solution,status\n1342243142133124,unique\n1342243142133124,unique\n",
            "-:4: 1 cell; a 4x4 puzzle has 16\n",
            1,
        ),
        (
            "# a comment\n\n1.....3..2.....4\n",
            "--output json -o status,line",
            "{\"status\":\"unique\",\"line\":3}\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn a_rejected_line_is_the_first_grid_in_another_form() {
    check(&[
        (
            "id,puzzle\n1,\"12\"\n",
            "--csv --output lines -o status,puzzle,solution",
            "invalid\t1,\"12\"\t-\n",
            "-:2: 2 cells; a 4x4 puzzle has 16\n",
            1,
        ),
        ("1 a \"b\"\n", "--output csv -q", "solution,status\n\"1 a \"\"b\"\"\",invalid\n", "", 1),
        ("{]\n", "--json --output csv -q", "solution,status\n{],invalid\n", "", 1),
    ]);
}

#[test]
fn unknown_names_are_reported() {
    for (input, options, begin, end) in [
        (
            CSV,
            "--csv -o ID",
            "-: neither the header nor the program has a column 'ID'; the header is id,puzzle\n",
            "",
        ),
        (
            JSON,
            "--json --output csv -o id=status,id",
            "-o has two columns named 'id'; NAME=COLUMN renames one\n",
            "",
        ),
        (LINE, "-o a=", "--columns a=: expected names separated by commas", ""),
        (LINE, "--output csv --draw", "--output and --draw cannot be used together\n", ""),
        (LINE, "--csv --input lines", "--csv and --input lines cannot be used together\n", ""),
    ] {
        let (output, messages, status) = run_with(options, input.as_bytes());
        assert_eq!((output.as_str(), status), ("", Some(2)), "{options}");
        let is_expected = messages.starts_with(begin) && messages.contains(end);
        assert!(is_expected, "{options}: {messages}");
    }
}

#[test]
fn a_key_that_an_object_lacks_is_null_and_reported_once() {
    let input = format!("{JSON}{JSON}");
    let output =
        format!("{0}{0}", JSON.replace("}\n", ",\"rating\":null,\"status\":\"unique\"}\n"));
    let hint = "-:1: the object has no key 'rating', so this column is null\n";
    check(&[(&input, "--json -o rating,status", &output, hint, 0)]);
}

#[test]
fn a_rejected_record_keeps_its_other_fields() {
    check(&[
        (
            "id,puzzle\n7,12\n",
            "--csv --output json -o id,status -q",
            "{\"id\":\"7\",\"status\":\"invalid\"}\n",
            "",
            1,
        ),
        (
            "{\"id\":7,\"puzzle\":\"12\"}\n",
            "--json --output csv -o id,status -q",
            "id,status\n7,invalid\n",
            "",
            1,
        ),
    ]);
}

#[test]
fn fields_of_the_puzzle_show_the_equivalent_under_their_own_names() {
    let csv = "question,response\n1.....3..2.....4,1342243142133124\n";
    let json = "{\"question\":\"1.....3..2.....4\",\"response\":\"1342243142133124\"}\n";
    for (input, options) in
        [(csv, "--csv --header answer=response"), (json, "--json --header answer=response")]
    {
        let shuffle = format!("{options} --shuffle=3 --output lines -o question,response");
        let (lines, messages, status) = run_with(&shuffle, input.as_bytes());
        assert_eq!((messages.as_str(), status), ("", Some(0)));
        assert!(!lines.contains("1.....3..2.....4"), "{lines}");
        let (checked, ..) = run_with("--verify -o status", lines.as_bytes());
        assert_eq!(checked, "correct\n".repeat(3), "{lines}");
    }
}

#[test]
fn grids_of_json_have_the_form_of_the_puzzle() {
    for (puzzle, solution) in [
        ("[[1,0,0,0],[0,0,3,0],[0,2,0,0],[0,0,0,4]]", "[[1,3,4,2],[2,4,3,1],[4,2,1,3],[3,1,2,4]]"),
        ("[1,-1,-1,-1,-1,-1,3,-1,-1,2,-1,-1,-1,-1,-1,4]", "[1,3,4,2,2,4,3,1,4,2,1,3,3,1,2,4]"),
        ("[\"1...\",\"..3.\",\".2..\",\"...4\"]", "[\"1342\",\"2431\",\"4213\",\"3124\"]"),
        (
            "[[\"1\",\" \",\" \",\" \"],[\" \",\" \",\"3\",\" \"],[\" \",\"2\",\" \",\" \"],[\" \",\" \",\" \",\"4\"]]",
            "[[\"1\",\"3\",\"4\",\"2\"],[\"2\",\"4\",\"3\",\"1\"],[\"4\",\"2\",\"1\",\"3\"],[\"3\",\"1\",\"2\",\"4\"]]",
        ),
        ("\"1.....3..2.....4\"", "\"1342243142133124\""),
    ] {
        let object = format!("{{\"puzzle\":{puzzle}}}\n");
        // A puzzle is written with its own blanks, also by itself.
        let copied = format!("{{\"puzzle\":{puzzle},\"solution\":{solution}}}\n");
        let columns = format!("{{\"copy\":{puzzle},\"solution\":{solution}}}\n");
        check(&[
            (&object, "--json -o solution", &copied, "", 0),
            (
                &format!("\n{object}").replace('\n', ""),
                "--json --output json -o solution",
                &copied,
                "",
                0,
            ),
        ]);
        // An array of a copy is the value of the input as it is.
        let (copy, ..) = run_with("--json -o copy=puzzle,solution", object.as_bytes());
        assert!(copy.ends_with(&columns[1..]), "{copy}");
        // An equivalent has the form of its original.
        let (equivalent, ..) = run_with("--json --shuffle", object.as_bytes());
        let shape = |text: &str| text.replace(|byte: char| byte.is_ascii_digit(), "");
        assert_eq!(equivalent.len(), object.len(), "{equivalent}");
        assert_eq!(shape(&equivalent).len(), shape(&object).len(), "{equivalent}");
        let (solved, ..) = run_with("--json -o status", equivalent.as_bytes());
        assert!(solved.ends_with(",\"status\":\"unique\"}\n"), "{solved}");
    }
}

#[test]
fn steps_are_objects_and_lists() {
    let puzzle = "1.....3..2.....4";
    let (path, ..) = run_with("--output json -o path,hint,techniques,boards", puzzle.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&path).unwrap();
    let (text, ..) = run_with("-o path,hint,techniques,boards", puzzle.as_bytes());
    let text: Vec<&str> = text.trim_end().split('\t').collect();
    let steps = json["path"].as_array().unwrap();
    assert_eq!(steps.len(), text[0].split("; ").count());
    assert_eq!(json["hint"], steps[0]);
    for (step, text) in steps.iter().zip(text[0].split("; ")) {
        let written = format!(
            "{}={} {}",
            step["cell"].as_str().unwrap(),
            step["digit"],
            step["technique"].as_str().unwrap()
        );
        assert_eq!(
            written,
            text.split(" row")
                .next()
                .unwrap()
                .split(" column")
                .next()
                .unwrap()
                .split(" box")
                .next()
                .unwrap()
        );
    }
    let counts = json["techniques"].as_object().unwrap();
    let total: u64 = counts.values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(total, steps.len() as u64);
    let boards: Vec<&str> = text[3].split(';').collect();
    assert_eq!(json["boards"], serde_json::json!(boards));
}

#[test]
fn removed_candidates_are_listed() {
    let puzzle =
        ".976....2...9.5.....4....9.....1.9....32.....82...7.5.2....1.3..3...4..5.4....6..\n";
    let (hint, ..) = run_with("--output json -o path", puzzle.as_bytes());
    let json: serde_json::Value = serde_json::from_str(&hint).unwrap();
    let steps = json["path"].as_array().unwrap();
    let removal = steps.iter().find(|step| step["removed"].is_array());
    let removal = removal.expect("a hard puzzle needs a step that removes candidates");
    assert!(removal["removed"][0]["cell"].as_str().unwrap().starts_with('r'));
    assert!(removal["removed"][0]["digit"].is_u64());
    assert!(removal["pattern"].is_string());
    let (techniques, ..) =
        run_with("--output json -o path --techniques naked-single", puzzle.as_bytes());
    assert!(
        techniques.ends_with(
            "{\"technique\":\"stuck\"}]}
"
        ),
        "{techniques}"
    );
}

/// The parts of a step of JSON, as an app highlights them.
#[test]
fn the_parts_of_a_step_are_arrays() {
    let has = |puzzle: &str, technique: &str, parts: &str| {
        let (output, ..) = run_with("--output json -o path", format!("{puzzle}\n").as_bytes());
        let json: serde_json::Value = serde_json::from_str(&output).unwrap();
        let steps = json["path"].as_array().unwrap();
        let step = steps.iter().find(|step| step["technique"] == technique).unwrap();
        let parts: serde_json::Value = serde_json::from_str(parts).unwrap();
        for (name, part) in parts.as_object().unwrap() {
            assert_eq!(&step[name], part, "{name}: {step}");
        }
    };
    has(
        "..71.4.6...............3195...2..91..6...5..77..8..2....6.2...3..3.......92.5....",
        "simple-coloring",
        r#"{"digits":[8],"cells":["r2c9","r4c2"],"other_cells":["r4c9","r5c3"]}"#,
    );
    has(
        ".14..6......79..84...........8..96.1.59..83...7....8..18.....7.9...2.5...459.....",
        "finned-x-wing",
        r#"{"digits":[2],"houses":["column 6","column 9"],"cover_houses":["row 3","row 6"],
            "fins":["r1c9"]}"#,
    );
    has(
        ".....7..3...83.6.....2.......67.1...8.......15..489....9.....142....68..4.....29.",
        "x-chain",
        r#"{"nodes":[{"digit":5,"cells":["r1c3"]},{"digit":5,"cells":["r1c7"]},
            {"digit":5,"cells":["r7c7"]},{"digit":5,"cells":["r8c9"]}]}"#,
    );
    has(
        ".2..51.6......6......7..1..9......84..34...1......97.3.1.59..384.......7.5....2..",
        "unique-rectangle",
        r#"{"level":4.5,"cells":["r2c1","r2c3","r6c1","r6c3"],"digits":[1,5],"type":"type 1"}"#,
    );
    has(
        "....632....9.......63.4..9..5..7..6......9.8....4..3.7.2713...5.4.7..8..3...5..7.",
        "nishio-forcing-chains",
        r#"{"level":7.7,"chains":[[{"cell":"r2c5","digit":1,"holds":true,"from":[]},
            {"cell":"r5c5","digit":1,"holds":false,"from":[0]},
            {"cell":"r3c6","digit":1,"holds":false,"from":[0]},
            {"cell":"r3c9","digit":1,"holds":true,"from":[2]},
            {"cell":"r5c9","digit":1,"holds":false,"from":[3]},
            {"cell":"r5c3","digit":1,"holds":true,"from":[1,4]},
            {"cell":"r2c2","digit":1,"holds":false,"from":[0]},
            {"cell":"r6c2","digit":1,"holds":true,"from":[6]},
            {"cell":"r5c3","digit":1,"holds":false,"from":[7]}]]}"#,
    );
}

#[test]
fn cages_of_json_are_lists() {
    let cages = r#"[{"cells":["r1c1","r1c2"],"sum":4},{"cells":["r2c3","r2c4"],"sum":4}]"#;
    let puzzles = |name: &str, cages: &str| {
        format!("{{\"puzzle\":\"1.....3..2.....4\",\"{name}\":{cages}}}\n")
    };
    for (name, list) in [
        ("cages", cages.to_string()),
        (
            "killercage",
            cages
                .replace('r', "R")
                .replace("1c", "1C")
                .replace("2c", "2C")
                .replace("\"sum\":4", "\"value\":\"4\""),
        ),
        ("cages", "\"4<00004<00000000\"".to_string()),
    ] {
        let (output, messages, _) = run_with(
            "--json --variant killer --output json -o cages,status",
            puzzles(name, &list).as_bytes(),
        );
        let expected = format!("{{\"puzzle\":\"1.....3..2.....4\",\"{name}\":{list},\"");
        assert_eq!(messages, "");
        assert!(output.starts_with(&expected), "{output}");
        let columns = format!(":{cages},\"status\":\"unique\"}}\n");
        assert!(output.ends_with(&columns), "{output}");
    }
    // Cages alone are a killer without givens.
    let cover = r#"[{"cells":["r1c1","r1c2","r1c3","r1c4"]},{"cells":["r4c4"],"sum":4}]"#;
    for object in [
        format!("{{\"cages\":{cover},\"puzzle\":null}}\n"),
        format!("{{\"cages\":{cover},\"puzzle\":\"\"}}\n"),
    ] {
        let (output, messages, _) =
            run_with("--json --variant killer --output lines -o puzzle,status", object.as_bytes());
        assert_eq!((output.as_str(), messages.as_str()), ("................\tmultiple\n", ""));
    }
    check(&[(
        &puzzles("cages", r#"[{"cells":["r1c9"],"sum":4}]"#),
        "--json --variant killer -o status",
        &puzzles("cages", r#"[{"cells":["r1c9"],"sum":4}],"status":"invalid""#),
        "-:1: \"r1c9\" is not a cell of the grid\n",
        1,
    )]);
}

#[test]
fn a_csv_record_can_have_several_lines() {
    let note = "\"first\nsecond, with \"\"quotes\"\"\n\"";
    let input =
        format!("id,puzzle,note\n1,1.....3..2.....4,{note}\n2,12,{note}\n3,1.....3..2.....4,x\n");
    let output = format!(
        "id,puzzle,note,status,line\n1,1.....3..2.....4,{note},unique,2\n2,12,{note},invalid,5\n3,1.....3..2.....4,x,unique,8\n"
    );
    let message = "-:5: 2 cells; a 4x4 puzzle has 16\n";
    check(&[(&input, "--csv -o status,line", &output, message, 1)]);
    // A grid over several lines is a grid.
    let grid = "id,puzzle\n1,\"1...\n..3.\n.2..\n...4\"\n";
    check(&[(grid, "--csv --output lines", "1342243142133124\tunique\n", "", 0)]);
    // In JSON, the line ends of a field stay.
    let (json, ..) = run_with("--csv --output json -o note", input.as_bytes());
    assert_eq!(json.lines().next().unwrap(), r#"{"note":"first\nsecond, with \"quotes\"\n"}"#);
}

#[test]
fn a_column_of_lines_has_neither_tabs_nor_line_ends() {
    let record = "id,puzzle,note\n7,1.....3..2.....4,\"a\n\tb\"\n";
    let object = r#"{"puzzle":"1.....3..2.....4","note":"a\n\tb"}"#;
    check(&[
        (record, "--csv --output lines -o note,status", "a  b\tunique\n", "", 0),
        (
            record,
            "--csv --output lines -o status,input",
            "unique\t7,1.....3..2.....4,\"a \tb\"\n",
            "",
            0,
        ),
        (
            record,
            "--csv --output lines --variant jigsaw -q",
            "7,1.....3..2.....4,\"a  b\"\tinvalid\n",
            "",
            1,
        ),
        (object, "--json --output lines -o note,status", "a  b\tunique\n", "", 0),
        // CR and LF each become a space.
        (
            &record.replace("\n\t", "\r\n"),
            "--csv --output lines -o note,input",
            "a  b\t7,1.....3..2.....4,\"a  b\"\n",
            "",
            0,
        ),
        (
            &record.replace("\n\t", "\r"),
            "--csv --output lines --variant jigsaw -q",
            "7,1.....3..2.....4,\"a b\"\tinvalid\n",
            "",
            1,
        ),
        (
            &object.replace("\\n\\t", "\\r\\n"),
            "--json --output lines -o note,status",
            "a  b\tunique\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn a_quote_costs_one_record_whatever_the_sizes_of_the_reads_are() {
    // The next quote that could close the field comes after more than the longest line.
    let records = "7,1.....3..2.....4\n".repeat(5000);
    let input = format!("id,puzzle\n\"open,1.....3..2.....4\n{records}\"8\",1.....3..2.....4\n");
    let (whole, ..) = run_with("--csv -q -o status", input.as_bytes());
    assert_eq!(whole.matches(",unique\n").count(), 5001);
    let mut command = shell("dd bs=1000 status=none | sudoku-filter --csv -q -o status");
    command.stdin(std::process::Stdio::piped());
    assert_eq!(run(command, input.as_bytes()).text(), whole);
}

#[test]
fn a_quote_that_is_not_closed_costs_one_record() {
    let input =
        "puzzle,note\n1.....3..2.....4,\"open\n1.....3..2.....4,x\n1.....3..2.....4,5\" disc\n";
    check(&[(
        input,
        "--csv -o status",
        "puzzle,note,status\n\"1.....3..2.....4,\"\"open\",-,invalid\n1.....3..2.....4,x,unique\n\"1.....3..2.....4,5\"\" disc\",-,invalid\n",
        "-:2: invalid CSV: a quoted field has no closing quote\n-:4: invalid CSV: a quote inside a field that does not begin with one\n",
        1,
    )]);
}

#[test]
fn a_quote_within_a_field_opens_none_and_a_nul_is_kept() {
    let input = "puzzle,note\n1.....3..2.....4,5\" disc\n1.....3..2.....4,6\"\n1.....3..2.....4,\"a\0b\nc\"\n1.....3..2.....4,\0\n";
    let reason = "invalid CSV: a quote inside a field that does not begin with one";
    check(&[(
        input,
        "--csv -o status",
        "puzzle,note,status\n\"1.....3..2.....4,5\"\" disc\",-,invalid\n\"1.....3..2.....4,6\"\"\",-,invalid\n1.....3..2.....4,\"a\0b\nc\",unique\n1.....3..2.....4,\0,unique\n",
        &format!("-:2: {reason}\n-:3: {reason}\n"),
        1,
    )]);
}

/// Returns the rows of a puzzle as lists of numbers, each on a line.
fn drawn_list(puzzle: &str) -> String {
    let cells: Vec<String> = puzzle.replace('.', "0").chars().map(String::from).collect();
    let rows: Vec<String> = cells.chunks(9).map(|row| format!("  [{}]", row.join(", "))).collect();
    rows.join(",\n")
}

#[test]
fn the_first_lines_of_a_source_decide_on_its_form() {
    const PUZZLE: &str =
        "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....";
    let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..][..9]).collect();
    let drawn = rows.join("\n") + "\n";
    let full = "164329785523876149978451632895643217647215893312987456231568974756194328489732561";
    let message = |form: &str| format!("-: read as {form}; --input lines reads lines\n");
    let (csv, json, grid) = ("CSV (--csv)", "JSON (--json)", "drawings (--input grid)");
    for (input, options, form) in [
        (format!("id,puzzle\n7,{PUZZLE}\n"), "--csv", csv),
        (format!("\u{feff}puzzle;level\r\n\"{PUZZLE}\";1\r\n8;x\r\n"), "--csv", csv),
        // The first record is damaged.
        (format!("puzzle\n{}\n", &PUZZLE[1..]), "--csv", csv),
        (format!("puzzle,solution\n0{PUZZLE},{full}\n{PUZZLE},{full}\n"), "--csv", csv),
        (format!("puzzle\tsolution\n0{PUZZLE}\t{full}\n{PUZZLE}\t{full}\n"), "--csv", csv),
        (format!("id,puzzle\n1,12\n2,{PUZZLE}\n"), "--csv", csv),
        ("id,puzzle\n1,\n2,12\n".to_string(), "--csv", csv),
        (format!("id;quizzes;note\n1;{};x\n2;{PUZZLE};\"a;b\"\n", &PUZZLE[1..]), "--csv", csv),
        (format!("id,puzzle\n1,\"{PUZZLE}\n2,{PUZZLE}\n"), "--csv", csv),
        (format!("id,puzzle\n1,{PUZZLE}id,puzzle\n2,{PUZZLE}\n"), "--csv", csv),
        (format!("{{\"puzzle\":\"12\"}}\n{PUZZLE}\n"), "--json", json),
        (format!("{{\"id\":1}}\n{{\"puzzle\":\"{PUZZLE}\"}}\n"), "--json", json),
        (format!("{{\"puzzle\":\"{PUZZLE}\n{{\"puzzle\":\"{PUZZLE}\"}}\n"), "--json", json),
        (format!("{{puzzle\":\"{PUZZLE}\"}}\n{{\"puzzle\":\"{PUZZLE}\"}}\n"), "--json", json),
        (
            format!(
                "[{{\"puzzle\":\"0{PUZZLE}\",\"solution\":\"{full}\"}},\n{{\"puzzle\":\"{PUZZLE}\"}}]"
            ),
            "--json",
            json,
        ),
        // A byte order mark.
        (format!("\u{feff}{{\"puzzle\":\"{PUZZLE}\"}}\n"), "--json", json),
        (format!("\u{feff}{{\n\"puzzle\":\"{PUZZLE}\"\n}}\n"), "--json", json),
        (format!("\u{feff}[{{\"puzzle\":\"{PUZZLE}\"}}]\n"), "--json", json),
        // No puzzle is found.
        (
            format!("{{\"a\": [{{\"b\": [{{\"c\": [\n{}\n]}}]}}]}}\n", drawn_list(PUZZLE)),
            "--json",
            json,
        ),
        (format!("{{\"puzzle\":\"{PUZZLE}\"}}\n{{}}\n"), "--json", json),
        // Rows that could also be a drawn puzzle, without a line end after the object.
        (format!("{{\"puzzle\": [\n{}\n],\n\"id\": 7\n}}", drawn_list(PUZZLE)), "--json", json),
        // Other names, if there is no usual one.
        (format!("unsolved,solved\n{PUZZLE},\n"), "--csv", csv),
        (format!("{{\"grid\":\"{PUZZLE}\",\"board\":3}}\n"), "--json", json),
        (format!("{{\"grid\":9,\n\"all\":[{{\"board\":\"{PUZZLE}\"}}]}}\n"), "--json", json),
        // The only record can lack its line end.
        (format!("puzzle\n{PUZZLE}"), "--csv", csv),
        (format!("{{\"puzzle\":\"{PUZZLE}\"}}"), "--json", json),
        (rows.join("\n"), "--input grid", grid),
        (format!("[\n {{\"puzzle\":\"{PUZZLE}\"}}\n]\n"), "--json", json),
        (drawn.clone(), "--input grid", grid),
        (format!("# a comment\nA title\n\n{drawn}\nText\n{PUZZLE}\n"), "--input grid", grid),
        (drawn.replace("..", ". . "), "--input grid", grid),
        (format!("3x3: easy\n\n{drawn}"), "--input grid", grid),
        // One puzzle on a line, after other text.
        (format!("1. Hard (SE 7.1): {PUZZLE}\n2. {PUZZLE}\n"), "--input grid", grid),
        (format!("7,{PUZZLE},easy\n8,{},hard\n", &PUZZLE[1..]), "--input grid", grid),
        (format!("  a = '{PUZZLE}'\n"), "--input grid", grid),
    ] {
        let (output, messages, status) = run_with("", input.as_bytes());
        let named = run_with(options, input.as_bytes());
        assert_eq!((output, status), (named.0, named.2), "{input}");
        assert_eq!(messages, message(form) + &named.1, "{input}");
    }
    let in_array = format!("{{\"grid\":9,\"a\":[{{\"board\":\"{PUZZLE}\"}}]}}");
    let (output, ..) = run_with("--json --output lines -o line,status", in_array.as_bytes());
    assert_eq!(output, "1\tunique\n");
    let (output, ..) = run_with("--json -o status", in_array.as_bytes());
    assert_eq!(output, format!("{{\"board\":\"{PUZZLE}\",\"status\":\"unique\"}}\n"));
    // The names that the user chooses count, a message tells a path, and an answer can have any name.
    let odd = format!("nr,start\n1,{PUZZLE}\n");
    let (output, messages, status) = run_with("--header puzzle=start -o status", odd.as_bytes());
    assert_eq!(
        (output, status),
        ("nr,start,status\n1,".to_string() + PUZZLE + ",unique\n", Some(0))
    );
    assert_eq!(messages, message(csv));
    let nested = format!("{{\"id\": 1,\n \"game\": {{\"start\": \"{PUZZLE}\"}}}}\n");
    let (_, messages, _) = run_with("", nested.as_bytes());
    assert!(messages.starts_with(&message(json)), "{messages}");
    assert!(messages.contains("name its key with --header puzzle=game.start\n"), "{messages}");
    let (output, ..) = run_with("--header puzzle=game.start -o status", nested.as_bytes());
    assert!(output.contains("\"status\":\"unique\""), "{output}");
    // The key within the elements of an array makes them records; without it, they get a path.
    let levels = format!("{{\"version\": 1,\n \"levels\": [{{\"start\": \"{PUZZLE}\"}}]}}\n");
    assert_eq!(run_with("", levels.as_bytes()).1, message(json));
    let (output, ..) = run_with("-o status", levels.as_bytes());
    let expected =
        format!("{{\"key\":\"levels.0.start\",\"puzzle\":\"{PUZZLE}\",\"status\":\"unique\"}}\n");
    assert_eq!(output, expected);
    let (output, ..) = run_with("--header puzzle=start -o status", levels.as_bytes());
    assert_eq!(output, format!("{{\"start\": \"{PUZZLE}\",\"status\":\"unique\"}}\n"));
    let response = format!("{{\"puzzle\":\"{PUZZLE}\",\"response\":\"...\"}}\n");
    let (_, messages, _) = run_with("--verify --lenient", response.as_bytes());
    assert!(messages.contains("--header answer=KEY"), "{messages}");
    let (output, messages, status) =
        run_with("--header puzzle=a", format!("{PUZZLE}\n").as_bytes());
    let reason = "-: this is lines, and --header names columns of CSV or JSON\n";
    assert_eq!((output.as_str(), messages.as_str(), status), ("", reason, Some(2)));
    for input in [
        format!("{PUZZLE}\n{drawn}"),
        format!("# puzzle,level\n{PUZZLE}\n"),
        // A damaged puzzle beside its solution.
        format!("0{PUZZLE},{full}\n{PUZZLE},{full}\n"),
        format!("{} {full}\n{PUZZLE} {full}\n", &PUZZLE[1..]),
        format!("{}\t{full}\n{PUZZLE}\t{full}\n", &PUZZLE[..20]),
        format!("1,0{PUZZLE},{full}\n2,{PUZZLE},{full}\n"),
        format!("{PUZZLE},{full}{PUZZLE},{full}\n"),
        format!("x{},{full}\n", &PUZZLE[1..]),
        // A game ID with too few cells, and a title that looks like one.
        format!("3x3:a1_2b3_4a5_6a7_8a9_1b2_3a4_5a6_7a\n{drawn}"),
        "some text\n".repeat(7000) + &drawn,
        format!("7,{PUZZLE},{PUZZLE}\n"),
        format!("7,{}\n{PUZZLE}\n", &PUZZLE[1..]),
        rows[..5].join("\n"),
        "[1,2]\n".to_string(),
        String::new(),
    ] {
        assert_eq!(run_with("", input.as_bytes()), run_with("--input lines", input.as_bytes()));
    }
    // Grids in an array on one line; a list of rows is a drawing.
    let grid: Vec<String> = rows.iter().map(|row| format!("\"{row}\"")).collect();
    let grid = format!("[{}]", grid.join(","));
    let two = [format!("[\"{PUZZLE}\",\"{PUZZLE}\"]\n"), format!("[{grid},{grid}]\n")];
    for text in two {
        let (output, messages, _) = run_with("-o status", text.as_bytes());
        assert_eq!((output.matches("unique").count(), messages), (2, message(json)), "{text}");
    }
    assert_eq!(run_with("", format!("{grid}\n").as_bytes()).1, message("drawings (--input grid)"));
    // An array of many objects on one line.
    let array = format!("[{}]", vec![format!("{{\"puzzle\":\"{PUZZLE}\"}}"); 1000].join(","));
    let (output, messages, _) = run_with("", array.as_bytes());
    assert_eq!((output.lines().count(), messages), (1000, message(json)));
    // A killer cannot be drawn.
    let lines = run_with("--input lines --variant killer", drawn.as_bytes());
    assert_eq!(run_with("--variant killer", drawn.as_bytes()), lines);
}

#[test]
fn output_that_copies_records_has_one_form() {
    let folder = Folder::new();
    let csv = folder.file("one.csv", "id,puzzle\n7,1.....3..2.....4\n");
    let lines = folder.file("two.txt", "1.....3..2.....4\n");
    let save = folder.file("save.txt", "SAVEFILE:41:Simon Tatham's Portable Puzzle Collection\n");
    let (csv, lines, save) = (csv.display(), lines.display(), save.display());
    // A source that is refused has no say.
    let (output, messages, status) = run_with(&format!("-q {save} {csv}"), b"");
    assert_eq!(output, "id,puzzle,solution,status\n7,1.....3..2.....4,1342243142133124,unique\n");
    assert_eq!((messages.lines().count(), status), (2, Some(2)), "{messages}");
    let (output, messages, status) = run_with(&format!("-q {csv} {lines}"), b"");
    assert_eq!(output, "id,puzzle,solution,status\n7,1.....3..2.....4,1342243142133124,unique\n");
    let expected =
        "this is lines, and the file before it CSV; --output lines writes one form for both\n";
    assert!(messages.ends_with(expected), "{messages}");
    assert_eq!(status, Some(2));
    let (output, ..) = run_with(&format!("-q --output lines {csv} {lines}"), b"");
    assert_eq!(output, "1342243142133124\tunique\n".repeat(2));
    // The header of CSV comes before all lines, even if there are none.
    assert_eq!(run_with("--output csv", b"").0, "solution,status\n");
    let (output, ..) = run_with(&format!("--output csv {lines} {csv}"), b"");
    assert_eq!(output, "solution,status\n1342243142133124,unique\n");
}
