//! Files of many styles in which one record is damaged. No puzzle beside it is lost or changed
//! without a message, and no solution is read as a puzzle.
//!
//! Each file has four puzzles, or the damaged one alone. A puzzle loses a symbol or a row, has one
//! twice, has a wrong symbol, is cut short, or is joined with the next record. The form of the file
//! is recognised (`--input auto`).

use std::collections::BTreeMap;
use std::iter;
use std::ops::Range;
use std::sync::LazyLock;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::full;
use crate::run::run_with;

/// A puzzle without a 9: eight of its rows could be an 8x8.
const WITHOUT_9: &str =
    "1..........3.2.7.6..41...5.7..4...2......2....8163.....6.......4..5...62...8.6.31";

/// Puzzles with one solution, and their solutions: three of `data/classic.txt` and `WITHOUT_9`.
static PUZZLES: LazyLock<[(String, String); 4]> = LazyLock::new(|| {
    let classic = include_str!("../../data/classic.txt").lines();
    let classic = classic.filter(|line| line.len() == 81);
    let lines: Vec<&str> = iter::once(WITHOUT_9).chain(classic).collect();
    let (output, ..) = run_with("--input lines", (lines.join("\n") + "\n").as_bytes());
    let solved = lines.iter().zip(output.lines());
    let unique = solved.filter_map(|(puzzle, line)| {
        let solution = line.strip_suffix("\tunique")?;
        Some((puzzle.to_string(), solution.to_string()))
    });
    let mut unique: Vec<(String, String)> = unique.take(4).collect();
    unique.swap(0, 1);
    unique.try_into().unwrap()
});

/// The records of a file, and the text before, between and after them.
struct Style {
    name: &'static str,
    begin: &'static str,
    /// `P` is the puzzle, `S` its solution, `N` the number of the record.
    record: Record,
    between: &'static str,
    end: &'static str,
    neighbours: Neighbours,
}

enum Record {
    Text(&'static str),
    /// The puzzle as rows.
    Rows(fn(&[String]) -> String),
}

/// What happens to the puzzles beside a damaged one.
#[derive(PartialEq)]
enum Neighbours {
    /// They are solved, except for the one that is joined with it.
    Solved,
    /// They are solved, or there is a message.
    Named,
}
use Neighbours::{Named, Solved};

const fn text(
    name: &'static str,
    begin: &'static str,
    record: &'static str,
    between: &'static str,
    end: &'static str,
    neighbours: Neighbours,
) -> Style {
    Style { name, begin, record: Record::Text(record), between, end, neighbours }
}

const fn rows(
    name: &'static str,
    begin: &'static str,
    record: fn(&[String]) -> String,
    between: &'static str,
    end: &'static str,
    neighbours: Neighbours,
) -> Style {
    Style { name, begin, record: Record::Rows(record), between, end, neighbours }
}

fn bare(rows: &[String]) -> String {
    rows.join("\n")
}

/// Cells with a blank between them.
fn spaced(rows: &[String]) -> String {
    separated(rows, "", " ", "")
}

fn with_commas(rows: &[String]) -> String {
    separated(rows, "", ",", "")
}

fn with_brackets(rows: &[String]) -> String {
    separated(rows, "  [", ", ", "],").replace('.', "0")
}

fn with_braces(rows: &[String]) -> String {
    format!("{{\n{}\n}},", separated(rows, "  {", ", ", "},").replace('.', "0"))
}

fn quoted(rows: &[String]) -> String {
    rows.iter().map(|row| format!("  \"{row}\",")).collect::<Vec<_>>().join("\n")
}

fn boxed(rows: &[String]) -> String {
    let border = "+-------+-------+-------+";
    let mut lines = vec![border.to_string()];
    for (number, row) in rows.iter().enumerate() {
        let cells: Vec<String> = row.chars().map(String::from).collect();
        let parts: Vec<String> = cells.chunks(3).map(|part| part.join(" ")).collect();
        lines.push(format!("| {} |", parts.join(" | ")));
        if number % 3 == 2 {
            lines.push(border.to_string());
        }
    }
    lines.join("\n")
}

fn barred(rows: &[String]) -> String {
    let mut lines = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        if number % 3 == 0 && number > 0 {
            lines.push("---+---+---".to_string());
        }
        let cells: Vec<char> = row.chars().collect();
        let parts: Vec<String> = cells.chunks(3).map(String::from_iter).collect();
        lines.push(parts.join("|"));
    }
    lines.join("\n")
}

/// Blank cells are spaces.
fn quoted_spaces(rows: &[String]) -> String {
    quoted(rows).replace('.', " ")
}

fn barred_spaces(rows: &[String]) -> String {
    let row = |row: &String| {
        let cells: Vec<char> = row.chars().collect();
        let parts: Vec<String> = cells.chunks(3).map(String::from_iter).collect();
        format!("|{}|", parts.join("|")).replace('.', " ")
    };
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

/// Blank cells are empty fields.
fn with_empty_fields(rows: &[String]) -> String {
    separated(rows, "", ",", "").replace('.', "")
}

fn of_numpy(rows: &[String]) -> String {
    let rows = separated(rows, "[", " ", "]").replace('.', "0");
    format!("[{}]", rows.replace('\n', "\n "))
}

fn separated(rows: &[String], begin: &str, between: &str, end: &str) -> String {
    let line = |row: &String| {
        let cells: Vec<String> = row.chars().map(String::from).collect();
        format!("{begin}{}{end}", cells.join(between))
    };
    rows.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn object_of_rows(rows: &[String]) -> String {
    let rows = separated(rows, "[", ",", "]").replace('\n', ",");
    format!("{{\"puzzle\":[{rows}]}}").replace('.', "0")
}

const STYLES: &[Style] = &[
    // Lines.
    text("a puzzle on each line", "", "P", "\n", "\n", Solved),
    text("without a last line end", "", "P", "\n", "", Solved),
    text("CRLF", "", "P", "\r\n", "\r\n", Solved),
    text("a comma before the solution", "", "P,S", "\n", "\n", Solved),
    text("a blank before the solution", "", "P S", "\n", "\n", Solved),
    text("a tab before the solution", "", "P\tS", "\n", "\n", Solved),
    text("a semicolon before the solution", "", "P;S", "\n", "\n", Solved),
    text("an ID after the puzzle", "", "P N", "\n", "\n", Solved),
    text("a level after the solution", "", "P,S,easy", "\n", "\n", Solved),
    text("a comment before the lines", "# puzzles\n", "P\tS", "\n", "\n", Solved),
    text("an ID before two grids", "", "N,P,S", "\n", "\n", Named),
    text("a name before two grids", "", "nameN P S", "\n", "\n", Named),
    text("the solution first", "", "S,P", "\n", "\n", Named),
    // CSV.
    text("CSV with one column", "puzzle\n", "P", "\n", "\n", Solved),
    text("CSV with solutions", "puzzle,solution\n", "P,S", "\n", "\n", Solved),
    text("CSV with an ID", "id,puzzle\n", "N,P", "\n", "\n", Solved),
    text("CSV with an ID and solutions", "id,puzzle,solution\n", "N,P,S", "\n", "\n", Solved),
    text("CSV of Kaggle", "quizzes,solutions\n", "P,S", "\n", "\n", Solved),
    text("CSV with the solution first", "solution,puzzle\n", "S,P", "\n", "\n", Solved),
    text("CSV with quotes", "puzzle,solution\n", "\"P\",\"S\"", "\n", "\n", Solved),
    text("CSV with notes", "id;quizzes;note\n", "N;P;\"a;b\"", "\n", "\n", Solved),
    text("CSV with answers", "question,answer,rating\n", "P,S,N", "\n", "\n", Solved),
    text("CSV with a mark", "\u{feff}id,puzzle,level\r\n", "N,P,easy", "\r\n", "\r\n", Solved),
    text("TSV", "puzzle\tsolution\n", "P\tS", "\n", "\n", Solved),
    text("CSV with other names", "unsolved,solved\n", "P,S", "\n", "\n", Solved),
    // JSON.
    text("an object on each line", "", r#"{"puzzle":"P"}"#, "\n", "\n", Solved),
    text("objects with solutions", "", r#"{"puzzle":"P","solution":"S"}"#, "\n", "\n", Solved),
    text("objects with IDs", "", r#"{"id": N, "quiz": "P", "level": 3}"#, "\n", "\n", Solved),
    text("objects after a mark", "\u{feff}", r#"{"puzzle":"P","id":N}"#, "\n", "\n", Solved),
    text("objects of lines", "", "{\n \"puzzle\": \"P\",\n \"id\": N\n}", "\n", "\n", Solved),
    text("an array", "[", r#"{"puzzle":"P","solution":"S"}"#, ",", "]", Solved),
    text("an array of lines", "[\n", r#"  {"puzzle":"P","id":N}"#, ",\n", "\n]\n", Solved),
    text(
        "an array in an object",
        "{\"puzzles\":[\n",
        r#"{"puzzle":"P","solution":"S"}"#,
        ",\n",
        "]}",
        Solved,
    ),
    rows("objects with arrays", "", object_of_rows, "\n", "\n", Solved),
    // Drawings.
    text("a label before each puzzle", "", "Puzzle N: P", "\n", "\n", Named),
    text("values of SQL", "INSERT INTO p VALUES\n", "(N, 'P')", ",\n", ";\n", Named),
    text("strings of a program", "puzzles = [\n", "  \"P\"", ",\n", "\n]\n", Named),
    rows("bare rows", "", bare, "\n\n", "\n", Named),
    rows("spaced rows", "", spaced, "\n\n", "\n", Named),
    rows("rows with commas", "", with_commas, "\n\n", "\n", Named),
    rows("rows below a title", "A title\n\n", bare, "\n\n", "\n", Named),
    rows("rows with borders", "", boxed, "\n\n", "\n", Named),
    rows("rows with bars", "", barred, "\n\n", "\n", Named),
    rows("quoted rows", "", quoted, "\n\n", "\n", Named),
    rows("quoted rows with spaces", "", quoted_spaces, "\n\n", "\n", Named),
    rows("rows with bars and spaces", "", barred_spaces, "\n\n", "\n", Named),
    rows("rows with empty fields", "", with_empty_fields, "\n\n", "\n", Named),
    rows("arrays of numpy", "", of_numpy, "\n\n", "\n", Named),
    rows("lists in brackets", "", with_brackets, "\n\n", "\n", Named),
    rows("lists in braces", "int p[][9][9] = {\n", with_braces, "\n", "\n};\n", Named),
];

#[derive(Clone, Copy, Debug)]
enum Damage {
    /// The symbol at this index is missing.
    Lost(usize),
    /// The symbol at this index is there twice.
    Doubled(usize),
    /// A letter is in place of the symbol at this index.
    Letter(usize),
    /// Only so many symbols are left. A square number could be a smaller puzzle.
    Cut(usize),
    /// A row is missing. On one line, nine cells.
    RowLost(usize),
    /// A row is there twice.
    RowDoubled(usize),
    /// The record is joined with the next one.
    Joined,
}

fn damages() -> Vec<Damage> {
    let step = if full::is_full() { 3 } else { 40 };
    let at = (0..81).step_by(step);
    let each = at.flat_map(|at| [Damage::Lost(at), Damage::Doubled(at), Damage::Letter(at)]);
    let rows = (0..9).flat_map(|row| [Damage::RowLost(row), Damage::RowDoubled(row)]);
    each.chain(rows).chain([20, 50, 66].map(Damage::Cut)).chain([Damage::Joined]).collect()
}

/// A file of a style with some of the puzzles, one of which is damaged.
#[derive(Clone)]
struct File {
    style: usize,
    puzzles: Range<usize>,
    damaged: usize,
    damage: Damage,
}

impl File {
    fn style(&self) -> &'static Style {
        &STYLES[self.style]
    }

    fn text(&self) -> String {
        let style = self.style();
        let mut text = style.begin.to_string();
        for index in self.puzzles.clone() {
            let (puzzle, solution) = &PUZZLES[index];
            let damage = (index == self.damaged).then_some(self.damage);
            text += &style.record(index, puzzle, solution, damage);
            if index + 1 < self.puzzles.end && !matches!(damage, Some(Damage::Joined)) {
                text += style.between;
            }
        }
        text + style.end
    }
}

/// Returns files of each style.
fn files() -> Vec<File> {
    let mut files = Vec::new();
    for style in 0..STYLES.len() {
        for (puzzles, damaged) in [(0..4, 0), (0..4, 1), (0..4, 3), (0..1, 0), (1..2, 1)] {
            for damage in damages() {
                // The last record has none to be joined with.
                if damaged + 1 < puzzles.end || !matches!(damage, Damage::Joined) {
                    files.push(File { style, puzzles: puzzles.clone(), damaged, damage });
                }
            }
        }
    }
    files
}

impl Style {
    fn record(&self, index: usize, puzzle: &str, solution: &str, damage: Option<Damage>) -> String {
        match self.record {
            Record::Text(text) => {
                let mut puzzle = puzzle.to_string();
                apply(damage, &mut puzzle);
                let symbol = |it: char| match it {
                    'P' => puzzle.clone(),
                    'S' => solution.to_string(),
                    'N' => (index + 1).to_string(),
                    _ => it.to_string(),
                };
                // `Puzzle` is a word.
                text.replace("Puzzle", "\0")
                    .chars()
                    .map(symbol)
                    .collect::<String>()
                    .replace('\0', "Puzzle")
            }
            Record::Rows(draw) => {
                let row = |row: usize| puzzle[9 * row..][..9].to_string();
                let mut rows: Vec<String> = (0..9).map(row).collect();
                match damage {
                    Some(Damage::Lost(at)) => apply(Some(Damage::Lost(at % 9)), &mut rows[at / 9]),
                    Some(Damage::Doubled(at)) => {
                        apply(Some(Damage::Doubled(at % 9)), &mut rows[at / 9]);
                    }
                    Some(Damage::Letter(at)) => {
                        apply(Some(Damage::Letter(at % 9)), &mut rows[at / 9]);
                    }
                    Some(Damage::Cut(length)) => rows.truncate(length / 9),
                    Some(Damage::RowLost(row)) => _ = rows.remove(row),
                    Some(Damage::RowDoubled(row)) => rows.insert(row, rows[row].clone()),
                    _ => {}
                }
                draw(&rows)
            }
        }
    }
}

fn apply(damage: Option<Damage>, symbols: &mut String) {
    match damage {
        None | Some(Damage::Joined) => {}
        Some(Damage::Lost(at)) => _ = symbols.remove(at),
        Some(Damage::Doubled(at)) => double(symbols, at..at + 1),
        // A letter that is neither a digit of a 9x9 nor a blank cell.
        Some(Damage::Letter(at)) => symbols.replace_range(at..=at, "q"),
        Some(Damage::Cut(length)) => symbols.truncate(length),
        Some(Damage::RowLost(row)) => symbols.replace_range(9 * row..9 * row + 9, ""),
        Some(Damage::RowDoubled(row)) => double(symbols, 9 * row..9 * row + 9),
    }
}

fn double(symbols: &mut String, part: Range<usize>) {
    let copy = symbols[part.clone()].to_string();
    symbols.insert_str(part.end, &copy);
}

/// Returns what is wrong with the output for a file, or `None`.
fn fault(file: &File) -> Option<String> {
    let (output, messages, status) =
        run_with("--output lines -o puzzle,status,solution", file.text().as_bytes());
    let has_message = messages.lines().any(|line| !line.contains("read as"));
    let listed: BTreeMap<String, (&str, &str)> = output
        .lines()
        .filter_map(|line| {
            let mut fields = line.split('\t');
            let (puzzle, status, solution) = (fields.next()?, fields.next()?, fields.next()?);
            (status != "invalid").then(|| (puzzle.replace('0', "."), (status, solution)))
        })
        .collect();
    for (puzzle, (found, solution)) in &listed {
        let Some((_, expected)) = PUZZLES.iter().find(|(known, _)| known == puzzle) else {
            return Some(format!("{puzzle} is {found}"));
        };
        if *found != "unique" || solution != expected {
            return Some(format!("{puzzle} has another solution"));
        }
    }
    let is_joined = matches!(file.damage, Damage::Joined);
    let is_lost = |index: usize| !listed.contains_key(&PUZZLES[index].0);
    let is_neighbour =
        |index: &usize| *index != file.damaged && !(is_joined && *index == file.damaged + 1);
    let has_lost_neighbour = file.puzzles.clone().filter(is_neighbour).any(is_lost);
    let has_lost = file.puzzles.clone().any(is_lost);
    if file.style().neighbours == Solved && has_lost_neighbour {
        return Some(format!("a neighbour is lost: {messages}"));
    }
    // Two records that are joined can still be read.
    (has_lost && (status != Some(1) || !has_message))
        .then(|| format!("nothing is said: {status:?} {messages}"))
}

#[test]
fn a_damaged_record_costs_no_other_puzzle() {
    let files = files();
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(vec![Vec::new(); STYLES.len()]));
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Some(fault) = fault(file) {
                        let File { puzzles, damaged, damage, .. } = file;
                        let fault = format!("{puzzles:?}, {damaged} has {damage:?}: {fault}");
                        faults.lock().unwrap()[file.style].push(fault);
                    }
                }
            });
        }
    });
    let mut differences = Vec::new();
    for (style, faults) in STYLES.iter().zip(faults.into_inner().unwrap()) {
        if !faults.is_empty() {
            let shown = faults.iter().take(3).cloned().collect::<Vec<_>>().join("\n  ");
            let number = faults.len();
            differences.push(format!("{}: {number} faults\n  {shown}", style.name));
        }
    }
    assert!(differences.is_empty(), "{} files\n{}", files.len(), differences.join("\n"));
}
