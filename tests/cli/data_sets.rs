//! Runs the commands of "Your data set" in data/data-set.md, each on small files in the format that
//! it is for.

use std::process::Command;

use crate::run::{Folder, run, shell};
use crate::skip::{is_available, is_installed, skip_for_machine};

const PUZZLE: &str = "1.....3..2.....4";
const SOLUTION: &str = "1342243142133124";
/// An answer with two wrong cells.
const WRONG: &str = "1342243142133142";
const MANY: &str = "12..............";

/// A command of the page, and what it writes.
type Row = (&'static str, &'static str);

const ROWS: &[Row] = &[
    (
        "sudoku-filter --csv --verify --unique -q -o status kaggle.csv",
        "quizzes,solutions,status\n1.....3..2.....4,1342243142133124,correct\n1.....3..2.....4,1342243142133142,incorrect\n",
    ),
    (
        "sudoku-filter --csv --verify -q -o status,givens million.csv",
        "id,puzzle,solution,clues,difficulty,status,givens\n1,1.....3..2.....4,1342243142133124,4,1.2,correct,4\n",
    ),
    (
        "sudoku-filter --csv --verify -q -o status,blanks,matching extreme.csv",
        "source,question,answer,rating,status,blanks,matching\nminimal,1.....3..2.....4,1342243142133142,7,incorrect,12,11\n",
    ),
    (
        "sudoku-filter --csv --header puzzle=initial_board,answer=key --verify -o status boards.csv",
        "initial_board,key,status\n1.....3..2.....4,1342243142133124,correct\n",
    ),
    (
        "sudoku-filter --fields id,puzzle,answer --verify -o id,status,reason bare.csv",
        "7\tcorrect\t-\n",
    ),
    (
        "sudoku-filter --fields hash,puzzle,rating -o hash,status,grade,rating bank.txt",
        "1f0a5c\tunique\tnaked-single\t1.2\n77be01\tmultiple\t-\t2.0\n",
    ),
    ("sudoku-filter list.sdm", "1342243142133124\tunique\n"),
    (
        "sudoku-filter --input grid drawn.sdk drawn.ss",
        "1342243142133124\tunique\n1342243142133124\tunique\n",
    ),
    (
        "sudoku-filter --json -o solution,status boards.jsonl",
        "{\"board\":[1,0,0,0,0,0,3,0,0,2,0,0,0,0,0,4],\"solution\":[1,3,4,2,2,4,3,1,4,2,1,3,3,1,2,4],\"status\":\"unique\"}\n",
    ),
    (
        "sudoku-filter --json --output lines -o id,solution,status puzzles.jsonl",
        "7\t1342243142133124\tunique\n",
    ),
    (
        r"jq -c '{puzzle: .}' arrays.jsonl | sudoku-filter --json -o status",
        "{\"puzzle\":[1,0,0,0,0,0,3,0,0,2,0,0,0,0,0,4],\"status\":\"unique\"}\n",
    ),
    (
        "sudoku-filter --json -o status puzzles.json",
        "{\"puzzle\": \"1.....3..2.....4\",\"status\":\"unique\"}\n",
    ),
    (
        "sudoku-filter --json --header puzzle=data.board -o status nested.json",
        "{\"data\":{\"board\":\"1.....3..2.....4\"},\"status\":\"unique\"}\n",
    ),
    (
        r#"python3 -c "import duckdb; duckdb.sql('from \'puzzles.parquet\'').write_csv('/dev/stdout')" | sudoku-filter --csv -o status"#,
        "puzzle,status\n1.....3..2.....4,unique\n",
    ),
    ("sudoku-filter --count 1000000000 -o solutions,puzzle many.txt", "24\t12..............\n"),
    (
        "sudoku-filter --csv --shuffle=2 kaggle.csv",
        "quizzes,solutions\n.4.....1..2.3...,1432234141233214\n..1.3....4.....2,4213312424311342\n..4.1......3.2..,2341413241233214\n3......1.2....4.,2124343142131342\n",
    ),
    (
        "sudoku-filter --verify -q -o score,matching,blanks,conflicts answers.txt",
        "1.0000\t12\t12\t0\n0.9167\t11\t12\t4\n",
    ),
    (
        "sudoku-filter --csv --verify --lenient -q -o status,score model.csv",
        "puzzle,answer,status,score\n1.....3..2.....4,\"1342\n2431\",incorrect,0.5000\n1.....3..2.....4,,incorrect,0.0000\n",
    ),
];

/// The files that the commands read.
fn files() -> Vec<(&'static str, String)> {
    let rows = |separator: &str| {
        let rows: Vec<&str> = ["1...", "..3.", ".2..", "...4"].into();
        rows.join(separator)
    };
    vec![
        ("model.csv", format!("puzzle,answer\n{PUZZLE},\"1342\n2431\"\n{PUZZLE},\n")),
        ("kaggle.csv", format!("quizzes,solutions\n{PUZZLE},{SOLUTION}\n{PUZZLE},{WRONG}\n")),
        (
            "million.csv",
            format!("id,puzzle,solution,clues,difficulty\n1,{PUZZLE},{SOLUTION},4,1.2\n"),
        ),
        ("extreme.csv", format!("source,question,answer,rating\nminimal,{PUZZLE},{WRONG},7\n")),
        ("bare.csv", format!("7,{PUZZLE},{SOLUTION}\n")),
        ("boards.csv", format!("initial_board,key\n{PUZZLE},{SOLUTION}\n")),
        ("bank.txt", format!("1f0a5c {PUZZLE}  1.2\n77be01 {MANY}  2.0\n")),
        ("list.sdm", format!("{PUZZLE}\n")),
        ("drawn.sdk", format!("#A a person\n[Puzzle]\n{}\n", rows("\n"))),
        ("drawn.ss", "1.|..\n..|3.\n-----\n.2|..\n..|.4\n".to_string()),
        ("puzzles.jsonl", format!("{{\"id\": 7, \"puzzle\": \"{PUZZLE}\"}}\n")),
        ("arrays.jsonl", "[1,0,0,0,0,0,3,0,0,2,0,0,0,0,0,4]\n".to_string()),
        ("puzzles.json", format!("[\n  {{\"puzzle\": \"{PUZZLE}\"}}\n]\n")),
        ("nested.json", format!("{{\"data\":\n {{\"board\":\"{PUZZLE}\"}}}}\n")),
        ("boards.jsonl", "{\"board\":[1,0,0,0,0,0,3,0,0,2,0,0,0,0,0,4]}\n".to_string()),
        ("many.txt", format!("{MANY}\n")),
        ("answers.txt", format!("{PUZZLE} {SOLUTION}\n{PUZZLE} {WRONG}\n")),
    ]
}

/// Returns the commands of the table, in the order of the page. `\|` is a `|` within a cell of the
/// table.
fn commands_of_the_page() -> Vec<String> {
    let page = include_str!("../../data/data-set.md");
    let section = page.split("\n## Your data set\n").nth(1).unwrap();
    let section = section.split("\n## ").next().unwrap();
    let last_cells = section.lines().filter_map(|row| row.rsplit_once(" | `"));
    let commands = last_cells.filter_map(|(_, cell)| cell.strip_suffix("` |"));
    commands.map(|command| command.replace("\\|", "|")).collect()
}

#[test]
fn the_table_of_the_page_is_the_one_that_is_tested() {
    let tested: Vec<&str> = ROWS.iter().map(|(command, _)| *command).collect();
    assert_eq!(commands_of_the_page(), tested);
}

/// Returns whether the programs of a command are installed. Writes the parquet file that a command
/// reads.
fn prepare(command: &str, folder: &Folder) -> bool {
    if command.starts_with("jq ") {
        return is_installed("jq");
    }
    if !command.starts_with("python3 ") {
        return true;
    }
    if !is_available("python3") {
        return false;
    }
    let write = format!(
        "import duckdb; duckdb.sql(\"copy (select '{PUZZLE}' as puzzle) to 'puzzles.parquet'\")"
    );
    let mut python = Command::new("python3");
    python.args(["-c", &write]).current_dir(&folder.0);
    let written = run(python, b"").status == Some(0);
    if !written {
        skip_for_machine("the Python package duckdb is not installed");
    }
    written
}

#[test]
fn each_command_of_the_table_writes_what_it_should() {
    let folder = Folder::new();
    for (name, text) in files() {
        folder.file(name, text);
    }
    let mut compared = 0;
    for (command, expected) in ROWS {
        if prepare(command, &folder) {
            let mut line = shell(command);
            line.current_dir(&folder.0);
            let run = run(line, b"");
            assert_eq!((run.text().as_str(), run.messages.as_str()), (*expected, ""), "{command}");
            compared += 1;
        }
    }
    assert!(compared >= ROWS.len() - 2, "{compared}");
}
