//! Tests of the shapes in which people draw puzzles, one or more for each rule, and of damaged
//! drawings of these shapes.

use super::tests::valid_and_faults_of_reads as valid_and_faults;
use crate::full;

/// The puzzles that are drawn: 81 symbols each, `.` for a blank cell.
fn puzzles() -> Vec<String> {
    let lines = include_str!("../../../../data/classic.txt").lines();
    let fields = lines.filter_map(|line| line.split([' ', '\t', ',']).next());
    let usual =
        fields.filter(|it| it.len() == 81 && it.bytes().all(|it| b".0123456789".contains(&it)));
    usual.map(|puzzle| puzzle.replace('0', ".")).take(3).collect()
}

fn rows(puzzle: &str) -> Vec<&str> {
    (0..9).map(|row| &puzzle[9 * row..9 * row + 9]).collect()
}

fn entry(puzzle: &str) -> String {
    rows(puzzle).join(" ")
}

fn joined(row: &str, separator: &str) -> String {
    row.chars().map(String::from).collect::<Vec<_>>().join(separator)
}

fn drawn(puzzle: &str, row: impl Fn(&str) -> String) -> String {
    rows(puzzle).into_iter().map(|it| row(it) + "\n").collect()
}

/// Draws a line between bands, and `between` between boxes.
fn in_bands(puzzle: &str, bar: &str, between: &str) -> String {
    let lines: Vec<String> = rows(puzzle)
        .iter()
        .map(|row| format!("{}{bar}{}{bar}{}\n", &row[..3], &row[3..6], &row[6..]))
        .collect();
    lines.chunks(3).map(<[String]>::concat).collect::<Vec<_>>().join(between)
}

fn framed_spaces(puzzle: &str) -> String {
    let border = "+-------+-------+-------+\n";
    let row = |row: &&str| {
        let boxes = [&row[..3], &row[3..6], &row[6..]].map(|cells| joined(cells, " "));
        format!("| {} | {} | {} |\n", boxes[0], boxes[1], boxes[2]).replace('.', " ")
    };
    let bands: Vec<String> =
        rows(puzzle).chunks(3).map(|it| it.iter().map(row).collect()).collect();
    format!("{border}{}{border}", bands.join(border))
}

/// Draws rows with spaces as blank cells and `between` their boxes.
fn spaced(puzzle: &str, left: &str, between: &str, right: &str) -> String {
    let boxed = |row: &str| {
        let boxes = [&row[..3], &row[3..6], &row[6..]].map(|cells| joined(cells, " "));
        format!("{left}{}{right}", boxes.join(between)).replace('.', " ")
    };
    drawn(puzzle, boxed)
}

type Shape = (&'static str, fn(&str) -> String);

/// Shapes of a puzzle that can follow each other with two blank lines between them.
const SHAPES: [Shape; 35] = [
    ("rows", |it| drawn(it, |row| row.to_string())),
    ("commas", |it| drawn(it, |row| joined(row, ","))),
    ("empty fields", |it| drawn(it, |row| joined(row, ",").replace('.', ""))),
    ("tabs", |it| drawn(it, |row| joined(row, "\t").replace('.', ""))),
    ("semicolons", |it| drawn(it, |row| joined(row, ";").replace('.', ""))),
    ("commas at the end", |it| drawn(it, |row| joined(row, ", ").replace('.', " ") + ",")),
    ("lists of a program", |it| {
        let rows = drawn(it, |row| format!("  [{}],", joined(row, ", "))).replace('.', "0");
        format!("board = [\n{rows}]\n")
    }),
    ("lists with quotes", |it| drawn(it, |row| format!(",[\"{}\"]", joined(row, "\",\"")))),
    ("lists of Lisp", |it| {
        drawn(it, |row| format!("    ({})", joined(row, " "))).replace('.', "0")
    }),
    ("an array of C", |it| {
        let rows = drawn(it, |row| format!("  {{{}}},", joined(row, ", "))).replace('.', "0");
        format!("int board[9][9] = {{\n{rows}}};\n")
    }),
    ("rows in quotes", |it| drawn(it, |row| format!("    \"{row}\","))),
    ("rows with spaces in quotes", |it| {
        drawn(it, |row| format!("DATA \"{}\"", row.replace('.', " ")))
    }),
    ("a frame in quotes", |it| {
        let line = |line: &str| format!("  \"{line}\\n\" +\n");
        in_bands(it, "|", "---+---+---\n").lines().map(line).collect()
    }),
    ("bands", |it| in_bands(it, " ", "\n")),
    ("blank lines between rows", |it| rows(it).join("\n\n") + "\n"),
    ("spaces in frames", framed_spaces),
    ("a comment of a program", |it| {
        framed_spaces(it).lines().map(|line| format!(" * {line}\n")).collect()
    }),
    ("underscores", |it| in_bands(it, "|", "___________\n").replace('.', "0")),
    ("stars", |it| in_bands(it, "*", "***********\n")),
    ("dashes", |it| drawn(it, |row| format!("¦{}¦", joined(row, "¦"))) + "—————————\n"),
    ("cells with bars", |it| {
        drawn(it, |row| format!("|{}|", joined(row, " | ")).replace('.', " "))
    }),
    ("labels", |it| {
        let row = |(index, row): (usize, &str)| format!("{} {}\n", index + 1, joined(row, " "));
        rows(it).into_iter().enumerate().map(row).collect()
    }),
    ("labels in a sheet", |it| {
        let row = |(index, row): (usize, &str)| format!("{}\t{}\n", index + 1, joined(row, "\t"));
        rows(it).into_iter().enumerate().map(row).collect::<String>().replace('.', "")
    }),
    ("a count", |it| format!("9\n{}", drawn(it, |row| joined(row, " ")))),
    ("one cell a line", |it| joined(it, "\n") + "\n"),
    ("minus one", |it| drawn(it, |row| joined(row, " ")).replace('.', "-1")),
    ("rows in elements", |it| drawn(it, |row| format!("  <row>{row}</row>"))),
    ("cells in elements of a row", |it| {
        drawn(it, |row| format!("<tr><td>{}</td></tr>", joined(row, "</td><td>"))).replace('.', "")
    }),
    ("cells with spaces in elements", |it| {
        let row = |row: &str| format!("<tr><td>{}</td></tr>", joined(row, "</td><td>"));
        drawn(it, row).replace('.', "&nbsp;")
    }),
    ("cells in elements, one a line", |it| {
        let row = |row: &str| format!("<tr>\n<td>{}</td>\n</tr>", joined(row, "</td>\n<td>"));
        format!("<table>\n{}</table>\n", drawn(it, row).replace('.', ""))
    }),
    ("a text of Rust", |it| format!("let text = r#\"{}\"#;\n", rows(it).join("\n    "))),
    ("a package of TeX", |it| {
        let cells = |row: &str| -> String {
            row.chars().map(|it| format!("|{it}").replace('.', "")).collect()
        };
        let rows = drawn(it, |row| cells(row) + "|.");
        format!("\\begin{{sudoku}}\n% {}\n{rows}\\end{{sudoku}}\n", "by 1")
    }),
    ("pluses", |it| drawn(it, |row| joined(row, " ")).replace('.', "+")),
    ("an array of MiniZinc", |it| {
        let rows: Vec<String> = rows(it).into_iter().map(|row| joined(row, ", ")).collect();
        let cells = rows.join("\n   | ").replace('.', "_");
        format!("n = 9;\nset of int: R = 1..n;\nx =\n  [| {cells}\n   |];\n")
    }),
    ("a symbol of its own", |it| drawn(it, |row| row.replace('.', "□"))),
];

#[test]
fn puzzles_of_all_shapes_are_read() {
    let puzzles = puzzles();
    let expected: Vec<String> = puzzles.iter().map(|it| entry(it)).collect();
    for (shape, draw) in SHAPES {
        let all: Vec<String> = puzzles.iter().map(|it| draw(it)).collect();
        let text = all.join("\n\n");
        let (valid, faults) = valid_and_faults(&text);
        let valid: Vec<String> = valid.iter().map(|it| it.replace(['0', '_'], ".")).collect();
        assert_eq!((valid, faults), (expected.clone(), vec![]), "{shape}:\n{text}");
    }
}

#[test]
fn whole_grids_are_read_within_text() {
    let puzzle = &puzzles()[0];
    for text in [
        format!("https://example.org/sudoku?bd={puzzle}&level=3"),
        format!("insert(db, 1, \"easy\", \"{puzzle}\");"),
        format!("solve -i {puzzle}"),
        format!("a = '{}'", puzzle.replace('.', " ")),
        format!(
            "[[{}]]",
            rows(puzzle).iter().map(|it| joined(it, ",")).collect::<Vec<_>>().join("],[")
        ),
        format!("[\"{}\"]", rows(puzzle).join("\",\"")),
        joined(puzzle, ","),
        format!("<game data='{puzzle}' />"),
        format!("(4, 'easy', '[[{}], [], []]');", {
            let rows = rows(puzzle).into_iter().map(|row| joined(row, ", "));
            rows.collect::<Vec<_>>().join("], [").replace('.', "0")
        }),
    ] {
        let (valid, faults) = valid_and_faults(&text);
        let valid: Vec<String> = valid.iter().map(|it| it.replace(['0', '_'], ".")).collect();
        assert_eq!((valid, faults), (vec![entry(puzzle)], vec![]), "{text}");
    }
}

#[test]
fn lines_of_sixteen_cells_are_small_puzzles_unless_they_have_greater_digits() {
    let line = "\t{ 4, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 3, 0, 2, 0, 0 },\n";
    for count in [2, 15, 16, 20, 32] {
        let (valid, faults) =
            valid_and_faults(&format!("int all[][16] = {{\n{}}};\n", line.repeat(count)));
        assert_eq!((valid, faults), (vec!["4000 0040 0003 0200".to_string(); count], vec![]));
        let (valid, _) = valid_and_faults(&"4.....4....3.2..\n".repeat(count));
        assert_eq!(valid, vec!["4... ..4. ...3 .2..".to_string(); count]);
    }
    let (valid, faults) = valid_and_faults(&line.replace("0 }", "5 }").repeat(16));
    assert_eq!((valid.len(), faults.len()), (1, 0));
}

#[test]
fn the_brackets_of_lists_of_lists_and_escaped_line_ends_separate_puzzles() {
    let puzzles = puzzles();
    let expected: Vec<String> = puzzles.iter().map(|it| entry(it)).collect();
    let list = |it: &String| {
        let rows: Vec<String> =
            rows(it).into_iter().map(|row| format!("[{}]", joined(row, ", "))).collect();
        let bands: Vec<String> = rows.chunks(3).map(|rows| rows.join(",\n  ")).collect();
        format!("a = [{}]\n", bands.join(",\n\n  ")).replace('.', "0")
    };
    let dump = |it: &String| format!("(1, '{}'),\n", rows(it).join("\\r\\n"));
    let text = |it: &String| format!("let a_grid = \"{}\\n\";\n", rows(it).join("\\n\\\n    "));
    let commented = |it: &String| {
        in_bands(it, " ", "\n").lines().map(|line| format!("/// {line}\n")).collect::<String>()
    };
    let all: [&dyn Fn(&String) -> String; 4] = [&list, &dump, &text, &commented];
    for (index, draw) in all.into_iter().enumerate() {
        // Comments have no other separator.
        let between = if index == 3 { "fn next() {}\n" } else { "" };
        let text = puzzles.iter().map(draw).collect::<Vec<_>>().join(between);
        let (valid, faults) = valid_and_faults(&text);
        let valid: Vec<String> = valid.iter().map(|it| it.replace(['0', '_'], ".")).collect();
        assert_eq!((valid, faults), (expected.clone(), vec![]), "{text}");
    }
}

#[test]
fn a_doubled_row_or_a_field_too_many_makes_no_larger_puzzle() {
    let puzzle = &puzzles()[0];
    let barred = |row: &str| format!("| {} |", joined(row, " | ")).replace('.', " ");
    for at in 0..9 {
        let mut all: Vec<String> = rows(puzzle).into_iter().map(barred).collect();
        all.insert(at, all[at].clone());
        let reason = "10 rows of 9 cells; a 9x9 puzzle has 9";
        assert_eq!(valid_and_faults(&all.join("\n")), (vec![], vec![reason.to_string()]));
        let mut all = rows(puzzle).into_iter().map(|row| joined(row, ",")).collect::<Vec<_>>();
        all.iter_mut().for_each(|row| *row = row.replace('.', ""));
        assert_eq!(valid_and_faults(&all.join("\n")).0.len(), 1);
        all[at] += ",";
        let usual = usize::from(at == 0) + 1;
        let reason = format!("row {} has 10 fields, row {usual} has 9", at + 1);
        assert_eq!(valid_and_faults(&all.join("\n")), (vec![], vec![reason]), "{at}");
    }
}

#[test]
fn a_doubled_row_of_numbers_is_no_title() {
    let row = |row: usize| -> String {
        let cell = |column: usize| match (row + column) % 3 {
            0 => ((4 * row + row / 4 + column) % 16 + 1).to_string(),
            _ => "0".to_string(),
        };
        (0..16).map(cell).collect::<Vec<_>>().join(" ") + "\n"
    };
    let rows: Vec<String> = (0..16).map(row).collect();
    assert_eq!(valid_and_faults(&rows.concat()).0.len(), 1);
    for at in 0..16 {
        let mut rows = rows.clone();
        rows.insert(at, rows[at].clone());
        let (valid, faults) = valid_and_faults(&rows.concat());
        assert_eq!((valid.len(), faults.len()), (0, 1), "{at}");
    }
}

#[test]
fn a_row_of_dashes_is_a_border_only_between_bands() {
    let puzzle = &puzzles()[0];
    for at in 1..8 {
        let mut all = rows(puzzle).into_iter().map(|row| row.replace('.', "-")).collect::<Vec<_>>();
        all[at] = "-".repeat(9);
        let (valid, faults) = valid_and_faults(&all.join("\n"));
        let expected = if at % 3 == 0 { vec![] } else { vec![all.join(" ")] };
        assert_eq!((valid, faults.len()), (expected, usize::from(at % 3 == 0)), "{at}");
    }
}

#[test]
fn doubled_symbols_of_blank_cells_are_as_wide_as_numbers() {
    let line = "01,__,05,__, 02,__,__,__, __,__,12,08\n";
    let row = "1.5.2.....C8".replace('.', "_");
    let (valid, faults) = valid_and_faults(&line.repeat(12));
    assert_eq!((valid, faults), (vec![vec![row; 12].join(" ")], vec![]));
}

#[test]
fn one_line_with_words_is_no_damaged_row() {
    let puzzle = &puzzles()[0];
    let rows = drawn(puzzle, |row| row.to_string());
    for line in [
        "  if x == 9 {",
        "  for r in range(0, 9)",
        "  return len(all) == 81",
        "  x = {1, 2, 3, 4, 5, 6, 7, 8, 9}",
        "array [1..9, 1..9] of int: x;",
        "/**",
        "2023-02-03 15:12:38",
        "1S1S2",
        "N*N",
        "-- Table for 1 level",
        "*/",
        "<date>2009-09-16</date>",
        "% 20",
        "<note></note>",
    ] {
        let text = format!("{line}\n\n\n{rows}");
        assert_eq!(valid_and_faults(&text), (vec![entry(puzzle)], vec![]), "{text}");
    }
}

#[test]
fn a_line_with_words_is_a_row_only_beside_one() {
    let puzzle = &puzzles()[0];
    let lines = rows(puzzle);
    let text = format!(
        "Puzzle nineteen:\n{}\n{} [by somebody]\ntime  1  =  0.15367799\nmean: 0.123456\n",
        lines[..8].join("\n"),
        lines[8]
    );
    assert_eq!(valid_and_faults(&text), (vec![entry(puzzle)], vec![]), "{text}");
}

#[test]
fn columns_without_a_given_are_cells_between_bars() {
    let whole = &puzzles()[0];
    for (left, between, right) in [(" ", " | ", ""), ("| ", " | ", " |"), (" ", " || ", " ")] {
        for empty in [vec![4], vec![0, 8], vec![3, 4, 5], vec![6, 7, 8]] {
            let is_empty = |cell: usize| empty.contains(&(cell % 9));
            let cells = whole.chars().enumerate();
            let puzzle: String =
                cells.map(|(cell, it)| if is_empty(cell) { '.' } else { it }).collect();
            let text = spaced(&puzzle, left, between, right);
            assert_eq!(valid_and_faults(&text), (vec![entry(&puzzle)], vec![]), "{text}");
        }
    }
}

#[test]
fn a_line_of_another_width_can_be_beside_rows() {
    let puzzle = &puzzles()[0];
    let is_tried = |name: &str| ["rows", "commas", "spaces in frames", "stars"].contains(&name);
    for (shape, draw) in SHAPES.into_iter().filter(|(name, _)| is_tried(name)) {
        for line in ["Difficulty: * * * . .", "***..", "★★★☆☆", "2024-05-01", "12:30"] {
            let grid = draw(puzzle);
            for text in [format!("{grid}{line}\n"), format!("{line}\n{grid}")] {
                let (valid, faults) = valid_and_faults(&text);
                let valid: Vec<String> =
                    valid.iter().map(|it| it.replace(['0', '_'], ".")).collect();
                assert_eq!((valid, faults), (vec![entry(puzzle)], vec![]), "{shape}:\n{text}");
            }
        }
    }
}

#[test]
fn groups_of_digits_are_candidates() {
    let line = |row: usize| format!("12 {} *34 4 5 6\n", if row == 0 { "3" } else { "43" });
    let text: String = (0..6).map(line).collect();
    let row = "12.... ..34.. ..34.. ...4.. ....5. .....6".replace(' ', "");
    let first = row.replacen("..34", "..3.", 1);
    let expected = [&first[..], &row, &row, &row, &row, &row].join(" ");
    assert_eq!(valid_and_faults(&text), (vec![expected], vec![]));
    let one_group = "1 2 3 44\n4 3 2 1\n2 1 4 3\n3 4 1 2\n";
    let (valid, _) = valid_and_faults(one_group);
    assert_eq!(valid, Vec::<String>::new());
}

#[test]
fn all_grids_on_a_line_are_read() {
    let puzzles = puzzles();
    let [first, second] = [&puzzles[0], &puzzles[1]];
    for text in [
        format!("{first} {second}"),
        format!("1. {first} 2. {second}"),
        format!("the hard one {first}, the other {second}"),
        format!("x = \"{first} {second}\";"),
        format!("\"{first}\", \"{second}\""),
    ] {
        let entries = vec![entry(first), entry(second)];
        assert_eq!(valid_and_faults(&text), (entries, vec![]), "{text}");
    }
    let text = format!("{first} {}", &second[1..]);
    let fault = "80 cells; a 9x9 puzzle has 81".to_string();
    assert_eq!(valid_and_faults(&text), (vec![entry(first)], vec![fault.clone()]), "{text}");
    let full = "123456789456789123789123456231564897564897231897231564312645978645978312978312645";
    let text = format!("solve {} {full}", &full[1..].replace('1', "."));
    assert_eq!(valid_and_faults(&text), (vec![], vec![fault]), "{text}");
}

#[test]
fn sentences_and_single_numbers_are_text() {
    let puzzle = &puzzles()[0];
    let rows = rows(puzzle).join("\n");
    for text in
        ["print(\"Reading of the file has failed. The level is not there.\");", "// 0\n// 1"]
    {
        let text = format!("{text}\n\n\n{rows}\n");
        assert_eq!(valid_and_faults(&text), (vec![entry(puzzle)], vec![]), "{text}");
    }
}

#[test]
fn reasons_say_what_is_wrong_with_a_drawing() {
    let puzzle = &puzzles()[0];
    let lines = rows(puzzle);
    let short = [&lines[..3], &[&lines[3][..7]], &lines[4..]].concat().join("\n");
    let side_by_side = drawn(puzzle, |row| format!("{row}   {row}"));
    let bands = vec![in_bands(puzzle, " ", "\n"); 4].join("\n");
    for (text, reason) in [
        (short, "row 4 has 7 cells, row 1 has 9"),
        (format!("solve -i {}\n", &puzzle[1..]), "80 cells; a 9x9 puzzle has 81"),
        (format!("nineteen {puzzle}. (hard)\n"), "82 cells; a 9x9 puzzle has 81"),
        (side_by_side, "9 rows of 18 cells: two grids side by side?"),
        (bands, "36 rows in 12 blocks; put two blank lines between puzzles"),
        (vec!["1"; 73].join(","), "73 fields; a 9x9 puzzle has 81"),
        (vec!["1"; 82].join(","), "82 fields; a 9x9 puzzle has 81"),
        (format!("{0}\n{0}\n", vec!["1"; 82].join(",")), "82 fields; a 9x9 puzzle has 81"),
        (drawn(puzzle, |row| format!("{row}.")), "9 rows of 10 cells; a 10x10 puzzle has 10"),
        (drawn(puzzle, |row| row.repeat(2)), "9 rows of 18 cells: two grids side by side?"),
        ("1 2 3\n".repeat(7), "rows of 3 numbers; draw the grid"),
        ("1 2 3\n".repeat(5), "rows of 3 numbers; draw the grid"),
        ("1 -2 0\n".repeat(6), "rows of 3 numbers; draw the grid"),
        ("1, 9, 3\n".repeat(9), "rows of 3 numbers; draw the grid"),
        ("p cnf 3 4\n1 2 3\n1 4 5\n4 5 6\n1 2 4\n".into(), "rows of 3 numbers; draw the grid"),
        (
            "20 - 11 - 33 -\n- 12 - 33 - 21\n".repeat(3),
            "'20': cages with sums are not read from drawings",
        ),
        ("12 3 4 1\n".repeat(4), "candidates of a 4x4 puzzle; use --input pencilmarks"),
        ("1 > . .\n. . 2 .\n".into(), "'>' is no cell"),
        (
            "1,.,,\n,.,2,\n,3,,\n,,,4\n".into(),
            "two symbols for blank cells, '.' and empty cells; use one",
        ),
        ("# 1...\n# ..2.\n".into(), "all lines are comments"),
        ("1,2,3,4\n1\n.,.,.,.\n.,.,.,.\n".into(), "row 2 has 1 field, row 1 has 4"),
        ("  123\n 1234\n12345\n    1\n".into(), "rows of different width; write zeros"),
        ("10 - - 5\n- - - -\n- 12 - -\n- - - 4\n".into(), "'10' at r1c1 is no cell"),
    ] {
        assert_eq!(valid_and_faults(&text), (vec![], vec![reason.to_string()]), "{text}");
    }
}

#[test]
fn a_line_of_dashes_or_underscores_is_no_puzzle() {
    let puzzle = &puzzles()[0];
    let rows = drawn(puzzle, |row| row.to_string());
    for (symbol, length) in
        ["-", "_", "—"].into_iter().flat_map(|it| [36, 64, 81, 100].map(|length| (it, length)))
    {
        let border = symbol.repeat(length);
        for text in [format!("{border}\n{rows}{border}\n"), format!("{border}\n{rows}")] {
            assert_eq!(valid_and_faults(&text), (vec![entry(puzzle)], vec![]), "{text}");
        }
    }
}

type Fault = (&'static str, fn(&mut Vec<String>, usize));

const DAMAGE: [Fault; 5] = [
    ("lost", |lines, at| drop(lines.remove(at))),
    ("doubled", |lines, at| lines.insert(at, lines[at].clone())),
    ("cut", |lines, at| {
        let cut = lines[at].chars().take(lines[at].chars().count() * 2 / 3).collect();
        lines[at] = cut;
    }),
    ("blank line", |lines, at| lines.insert(at, String::new())),
    ("joined", |lines, at| {
        if at + 1 < lines.len() {
            let next = lines.remove(at + 1);
            lines[at] += &next;
        }
    }),
];

/// The only digit of the puzzle is `number`, once in each row.
fn numbered(number: usize) -> String {
    let cell = |cell: usize| match cell / 9 == cell % 9 {
        true => number.to_string(),
        false => ".".to_string(),
    };
    (0..81).map(cell).collect()
}

fn is_mixed(entry: &str) -> bool {
    let mut digits = entry.bytes().filter(|it| (b'2'..=b'4').contains(it));
    let first = digits.next();
    digits.any(|digit| Some(digit) != first)
}

/// Returns true for shapes that damage turns into another puzzle: labels and a row that is doubled
/// make a 10x10 puzzle, and one cell a line that is doubled moves the others.
fn is_ambiguous(shape: &str) -> bool {
    matches!(shape, "labels" | "labels in a sheet")
        || shape.contains("one a line")
        || shape == "one cell a line"
}

#[test]
fn damage_mixes_no_puzzles_and_costs_no_neighbour() {
    for (shape, draw) in SHAPES {
        if is_ambiguous(shape) {
            continue;
        }
        let all: Vec<String> = (2..=4).map(|number| draw(&numbered(number))).collect();
        let intact: Vec<String> = all.join("\n\n").lines().map(String::from).collect();
        let (whole, _) = valid_and_faults(&intact.join("\n"));
        assert_eq!(whole.len(), 3, "{shape}");
        for (fault, plant) in DAMAGE {
            for at in (0..intact.len()).step_by(full::step(4)) {
                let mut lines = intact.clone();
                plant(&mut lines, at);
                let text = lines.join("\n");
                let (valid, _) = valid_and_faults(&text);
                let lost = whole.iter().filter(|it| !valid.contains(it)).count();
                let is_separator = intact[at].is_empty()
                    || intact.get(at + 1).is_some_and(String::is_empty) && fault == "joined";
                assert!(!valid.iter().any(|it| is_mixed(it)), "{shape}, {fault} at {at}:\n{text}");
                assert!(
                    lost <= 1 || is_separator && lost == 2,
                    "{shape}, {fault} at {at}: {lost}\n{text}"
                );
            }
        }
    }
}

#[test]
fn two_faults_mix_no_puzzles() {
    for (shape, draw) in SHAPES {
        if is_ambiguous(shape) {
            continue;
        }
        let all: Vec<String> = (2..=4).map(|number| draw(&numbered(number))).collect();
        let intact: Vec<String> = all.join("\n\n").lines().map(String::from).collect();
        // A sample of pairs of lines.
        for pair in (0..200).step_by(full::step(7)) {
            let mut lines = intact.clone();
            for step in [1, 7] {
                let (_, plant) = DAMAGE[(pair * step + step) % DAMAGE.len()];
                let at = pair * 31 * step % lines.len();
                plant(&mut lines, at);
            }
            let text = lines.join("\n");
            let (valid, _) = valid_and_faults(&text);
            assert!(!valid.iter().any(|it| is_mixed(it)), "{shape}:\n{text}");
        }
    }
}
