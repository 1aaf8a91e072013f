//! Styles of drawings for `--input grid`: each puzzle of a file is read, and a lost row costs no
//! other puzzle.

use super::grids::{pattern, symbols};
use super::run::run_with;

/// A style: its name, and a function that draws the cells of a puzzle with boxes of these rows and
/// columns.
type Style = (&'static str, fn(&[Vec<String>], [usize; 2]) -> String);

const STYLES: [Style; 10] = [
    ("bare rows", |rows, _| lines(rows, "") + "\n"),
    ("spaced", |rows, _| lines(rows, " ") + "\n"),
    ("bars and dashes", |rows, sides| {
        boxed(rows, sides, ["", "|", ""], ["", "---+---", ""]) + "\n"
    }),
    ("box characters", |rows, sides| {
        boxed(rows, sides, ["║", "│", "║"], ["╔═══╗", "╟───╢", "╚═══╝"])
    }),
    ("frames of HoDoKu", |rows, sides| {
        let frames = [".-----.-----.", ":-----+-----:", "'-----'-----'"];
        boxed(rows, sides, ["| ", " | ", " |"], frames)
    }),
    ("Simple Sudoku", |rows, sides| {
        let frames = ["*-----*", "|--+--|", "*-----*"];
        boxed(rows, sides, ["|", "|", "|"], frames)
    }),
    (".sdk", |rows, _| {
        let bare = lines(rows, "");
        let notes = rows.iter().map(|_| ",12,,3\n").collect::<String>();
        format!("#A a person\n[Puzzle]\n{bare}[State]\n{bare}[PencilMarks]\n{notes}\n")
    }),
    (".sdk with the state first", |rows, _| format!("[State]\n{}\n[Puzzle]\n", lines(rows, ""))),
    ("titles, CRLF", |rows, _| {
        format!("Puzzle 17 (easy)\n{}", lines(rows, "")).replace('\n', "\r\n")
    }),
    ("numbers", |rows, _| {
        let number = |cell: &String| {
            let digit = cell.bytes().next().filter(u8::is_ascii_alphabetic);
            digit.map_or(cell.clone(), |digit| (digit - b'A' + 10).to_string())
        };
        let row = |row: &Vec<String>| row.iter().map(number).collect::<Vec<_>>();
        let numbers: Vec<Vec<String>> = rows.iter().map(row).collect();
        format!("# numbers\n{}\n", lines(&numbers, " "))
    }),
];

/// Joins the cells of each row.
fn lines(rows: &[Vec<String>], separator: &str) -> String {
    rows.iter().map(|row| row.join(separator) + "\n").collect()
}

/// Draws rows with these borders left of, between and right of boxes, and above, between and below
/// bands.
fn boxed(
    rows: &[Vec<String>],
    [height, width]: [usize; 2],
    [left, bar, right]: [&str; 3],
    [top, middle, bottom]: [&str; 3],
) -> String {
    let row = |row: &Vec<String>| {
        let boxes: Vec<String> = row.chunks(width).map(|cells| cells.join(" ")).collect();
        format!("{left}{}{right}\n", boxes.join(bar))
    };
    let bands: Vec<String> =
        rows.chunks(height).map(|band| band.iter().map(row).collect()).collect();
    let frame = |line: &str| match line {
        "" => String::new(),
        line => format!("{line}\n"),
    };
    format!("{}{}{}", frame(top), bands.join(&frame(middle)), frame(bottom))
}

/// Returns puzzle number `index` with boxes of these sides, as one line: a full grid without some
/// of its digits.
fn puzzle([rows, columns]: [usize; 2], index: usize) -> String {
    let mut grid = pattern(rows, columns);
    for (cell, digit) in grid.iter_mut().enumerate() {
        if (cell + index) % 5 < 2 {
            *digit = 0;
        }
    }
    symbols(&grid)
}

/// Returns the rows of a puzzle, each as its cells.
fn cells(puzzle: &str) -> Vec<Vec<String>> {
    let all: Vec<String> = puzzle.chars().map(String::from).collect();
    all.chunks(all.len().isqrt()).map(<[_]>::to_vec).collect()
}

/// Returns the puzzles that are read from a text, without the invalid ones, and the number of
/// these.
fn read(text: &str) -> (Vec<String>, usize) {
    let (output, ..) = run_with("--input grid -o puzzle,status", text.as_bytes());
    let records = output.lines().map(|line| line.split_once('\t').unwrap());
    let (invalid, valid): (Vec<_>, Vec<_>) = records.partition(|it| it.1 == "invalid");
    (valid.iter().map(|it| it.0.to_string()).collect(), invalid.len())
}

#[test]
fn puzzles_in_all_styles_and_sizes_are_read() {
    for (style, draw) in STYLES {
        for sides in [[2, 2], [2, 3], [3, 3], [4, 4]] {
            let puzzles = [0, 1, 2].map(|index| puzzle(sides, index));
            let drawn = puzzles.clone().map(|puzzle| draw(&cells(&puzzle), sides));
            let found = read(&drawn.concat());
            assert_eq!(found, (puzzles.to_vec(), 0), "{style}: {drawn:?}");
            // Without one row of the second puzzle.
            let mut short = cells(&puzzles[1]);
            short.remove(1);
            let faulty = [&drawn[0][..], &draw(&short, sides), &drawn[2]].concat();
            let (found, invalid) = read(&faulty);
            let others = [puzzles[0].clone(), puzzles[2].clone()];
            assert_eq!(found, others, "{style}: {faulty}");
            assert!(invalid > 0, "{style}: {faulty}");
        }
    }
}

#[test]
fn the_cells_of_a_sheet_are_read_as_lines_are() {
    let classic = include_str!("../../data/classic.txt").lines();
    let words = classic.filter_map(|line| line.split([' ', '\t', ',']).next());
    let usual = |it: &&str| it.len() == 81 && it.bytes().all(|it| b".0123456789".contains(&it));
    let puzzles: Vec<String> = words.filter(usual).map(|it| it.replace('0', ".")).collect();
    assert!(puzzles.len() > 20);
    let columns = "-o puzzle,solution,status";
    let (expected, ..) = run_with(columns, puzzles.join("\n").as_bytes());
    for separator in [",", ";", "\t"] {
        let sheet = |puzzle: &String| {
            cells(puzzle).iter().map(|row| row.join(separator) + "\n").collect::<String>()
        };
        let drawn: Vec<String> = puzzles.iter().map(|it| sheet(it).replace('.', "")).collect();
        for between in ["\n", "Puzzle\n", &(separator.repeat(8) + "\n\n")] {
            for input in ["", " --input grid"] {
                let text = drawn.join(between);
                let (output, messages, _) = run_with(&format!("{columns}{input}"), text.as_bytes());
                assert_eq!(output, expected, "{separator:?} {between:?} {input}: {messages}");
            }
        }
    }
}

#[test]
fn a_drawing_without_a_puzzle_is_reported() {
    for (text, line) in
        [("[Puzzle]\n", 1), ("# c\nPage 17\n", 2), ("+---+---+\n", 1), ("[State]\n1,2,3\n", 2)]
    {
        let (output, messages, status) = run_with("--input grid -o status", text.as_bytes());
        assert_eq!((output.as_str(), status), ("invalid\n", Some(1)), "{text}");
        assert!(messages.starts_with(&format!("-:{line}: ")), "{text}: {messages}");
    }
}

#[test]
fn a_full_grid_below_its_puzzle_is_its_answer_and_others_are_counted() {
    let remark = |line, more: &str| {
        format!("-:{line}: a full grid, perhaps a solution, is listed as a puzzle{more}\n")
    };
    let (puzzle, solution) = ("1.....3..2.....4", "1342243142133124");
    let rows = |cells: &str| {
        let rows = cells.as_bytes().chunks(4).map(|row| String::from_utf8_lossy(row) + "\n");
        rows.collect::<String>()
    };
    let other = "1234341221434321";
    let of = |grids: &[&str]| grids.iter().map(|grid| rows(grid)).collect::<Vec<_>>().join("\n");
    let blank = ".".repeat(16);
    let repeats = "1342243142133122";
    for (grids, listed, messages) in [
        (&[puzzle, solution][..], &[puzzle][..], String::new()),
        (&[puzzle, solution, puzzle, solution, solution], &[puzzle, puzzle], String::new()),
        // Of another puzzle, before its puzzle, below a blank grid, with a digit twice in a row.
        (&[puzzle, other, solution], &[puzzle, other], remark(6, "")),
        (&[solution, puzzle], &[solution, puzzle], remark(1, "")),
        (&[&blank, solution], &[&blank, solution], remark(6, "")),
        (&[puzzle, repeats], &[puzzle, repeats], remark(6, "")),
        (&[solution, other, solution], &[solution, other, solution], remark(1, " (and 2 more)")),
    ] {
        let drawn = of(grids);
        let expected: String = listed.iter().map(|grid| format!("{grid}\n")).collect();
        let (found, said, _) = run_with("--input grid -o puzzle --require any", drawn.as_bytes());
        assert_eq!((found, said), (expected, messages), "{drawn}");
    }
    let (_, said, _) = run_with("-q --input grid", of(&[solution]).as_bytes());
    assert_eq!(said, "");
    let checked = run_with("--input grid --verify", of(&[puzzle, solution]).as_bytes());
    assert_eq!(checked, (format!("{solution}\tcorrect\t-\n"), String::new(), Some(0)));
    // Below a heading, a full grid is a puzzle.
    let sdk = format!("[Puzzle]\n{}[Puzzle]\n{}", rows(puzzle), rows(solution));
    assert_eq!(run_with("--input grid", sdk.as_bytes()).0.lines().count(), 2);
}

#[test]
fn quotes_state_the_width_of_rows_with_spaces() {
    let quoted = |rows: &[&str]| rows.iter().map(|row| format!("\"{row}\"\n")).collect::<String>();
    let rows = ["1   3 ", " 2  4 ", "  6   ", "   1  ", " 3   5", "4    2"];
    let grid = |drawn: &str| run_with("--input grid -o puzzle,status", drawn.as_bytes());
    let whole = grid(&quoted(&rows)).0;
    assert!(whole.starts_with("1...3..2..4...6......1...3...54....2\t"), "{whole}");
    for at in 0..6 {
        let mut doubled = rows.to_vec();
        doubled.insert(at, rows[at]);
        let mut dropped = rows.to_vec();
        dropped.remove(at);
        let wide = format!("{}5", rows[at]);
        let mut widened = rows.to_vec();
        widened[at] = &wide;
        for damaged in [doubled, dropped, widened] {
            let (found, messages, status) = grid(&quoted(&damaged));
            let are_invalid = found.lines().all(|line| line.ends_with("\tinvalid"));
            assert!(are_invalid && status == Some(1), "{damaged:?} {found}");
            assert_eq!(messages.lines().count(), found.lines().count(), "{messages}");
        }
    }
}

#[test]
fn grids_on_one_line_have_every_side_of_a_jigsaw() {
    let layout = "1111111222222233333334444444555555566666667777777";
    let drawn = format!("p = \"1{}\"\nr = \"{layout}\"\n", ".".repeat(48));
    let (found, ..) = run_with("--input grid --variant jigsaw -o status", drawn.as_bytes());
    assert_eq!(found, "multiple\n");
}

#[test]
fn a_link_or_a_matrix_decides_on_no_form() {
    let rows = "1... ..3. .2.. ...4".replace(' ', "\n") + "\n";
    let link = "% See http://example.org/x\n";
    for (text, form, expected) in [
        (format!("{link}{rows}"), "drawings (--input grid)", "unique\n"),
        // The digits of a puzzle differ.
        (
            "a = [\n[1, 0, 0, 1],\n[0, 1, 0, 0],\n[0, 0, 1, 0],\n[0, 0, 0, 1]]\n".into(),
            "",
            "invalid\n",
        ),
        (
            "a = [\n[1, 0, 0, 0],\n[0, 0, 1, 0],\n[0, 1, 0, 0],\n[0, 0, 0, 1]]\n".into(),
            "",
            "invalid\n",
        ),
    ] {
        let (output, messages, _) = run_with("-o status", text.as_bytes());
        assert!(output.starts_with(expected), "{text}: {output}");
        assert_eq!(messages.contains("read as"), !form.is_empty(), "{text}: {messages}");
        assert!(messages.contains(form), "{text}: {messages}");
    }
}

#[test]
fn what_could_be_a_grid_is_read_or_named() {
    let puzzle =
        "8.......6.41..9..7..376.2.......1...1..2..8.3.3.9..........714....1...62...3.....";
    let rows = |grid: &str| (0..9).map(|row| grid[9 * row..][..9].to_string()).collect::<Vec<_>>();
    let dashes = "-".repeat(81);
    for quote in ["'", "\""] {
        let text = format!("{quote}{dashes}{quote},\n{quote}{puzzle}{quote},\n");
        let (output, ..) = run_with("-o status", text.as_bytes());
        assert_eq!(output, "multiple\nunique\n", "{text}");
    }
    let mut with_frame = rows(&puzzle.replace('.', "-"));
    with_frame[3] = "-".repeat(9);
    let two: Vec<String> = rows(puzzle).iter().map(|row| format!("{row} {row}")).collect();
    let many: Vec<String> = (1..=16)
        .map(|row| {
            let cells: Vec<String> = (1..=16).map(|cell| format!("d{cell}_{row}_1")).collect();
            format!("'{}'", cells.join(" || "))
        })
        .collect();
    for (lines, options, reason) in [
        (
            &with_frame,
            "--input grid",
            "8 rows of 9 cells and a line of dashes, which is read as a border; write blank cells as . or 0",
        ),
        (&two, "", "9 rows of 18 cells: two grids side by side?"),
        (&many, "--input grid", "'d1_1_1' at r1c1 is no cell"),
    ] {
        let options = format!("{options} -o status,reason");
        let (output, _, status) = run_with(&options, (lines.join("\n") + "\n").as_bytes());
        assert_eq!((output, status), (format!("invalid\t{reason}\n"), Some(1)));
    }
    // A mark of one candidate.
    let solved =
        "872513496641829537953764281568431729194276853237958614325697148789145362416382975";
    let mut marked: Vec<String> = rows(solved)
        .iter()
        .map(|row| row.chars().map(|it| format!("{it}    ")).collect::<Vec<_>>().join(" "))
        .collect();
    marked[0] = marked[0].replace('5', "256").replace("256    ", "256  ");
    marked[3] = marked[3].replace("7    ", "(3)69");
    let (output, ..) = run_with("--input grid -o puzzle", (marked.join("\n") + "\n").as_bytes());
    assert!(output.contains("..3..6..9"), "{output}");
    // The number of a page.
    let text = format!("{}\n\n2\n", rows(puzzle).join("\n"));
    assert_eq!(run_with("--input grid -o status", text.as_bytes()).0, "unique\n");
}

#[test]
fn drawings_are_found_below_other_text() {
    let text = "fn main() { let puzzles = read(); solve(puzzles); }\n".repeat(400);
    let small = "  [0, 0, 1, 0],\n  [1, 0, 0, 4],\n  [3, 0, 0, 2],\n  [0, 2, 0, 0],\n";
    let puzzle = include_str!("../../data/classic.txt").lines().find(|it| it.len() == 81).unwrap();
    let rows = lines(&cells(puzzle), "");
    for (drawn, status) in [(&rows[..], "unique\n"), (small, "unique\n")] {
        let source = format!("{text}\npuzzle = [\n{drawn}]\n");
        let (found, messages, _) = run_with("-o status", source.as_bytes());
        assert_eq!(found, status, "{messages}");
    }
    // Beyond the beginning of the file, nothing is looked for.
    let source = format!("{}\n{rows}", text.repeat(4));
    let (found, ..) = run_with("-q -o status", source.as_bytes());
    assert!(found.lines().all(|line| matches!(line, "" | "invalid")), "{found}");
}

#[test]
fn symbols_that_count_from_a_or_from_0_have_a_hint() {
    let symbols = "ABCDEFGHIJKLMNOP";
    let rows: Vec<String> = (0..16)
        .map(|row| {
            let cell = |column: usize| match (row + column) % 3 {
                0 => symbols.chars().nth((4 * row + row / 4 + column) % 16).unwrap(),
                _ => '.',
            };
            (0..16).map(cell).collect()
        })
        .collect();
    for (from, to) in [(symbols, symbols), (symbols, "0123456789ABCDEF")] {
        let renamed = |symbol| from.find(symbol).map_or(symbol, |at| to.as_bytes()[at].into());
        let drawn: String =
            rows.iter().map(|row| row.chars().map(renamed).collect::<String>() + "\n").collect();
        let (output, messages, _) = run_with("--input grid -o status", drawn.as_bytes());
        assert_eq!(output, "invalid\n");
        let hint = format!("(other symbols: --symbols {to})");
        assert!(messages.contains(&hint), "{messages}");
        let options = format!("--input grid --symbols {to} -o status --max-guesses 10000");
        let (output, messages, _) = run_with(&options, drawn.as_bytes());
        assert_ne!(output, "invalid\n", "{messages}");
    }
}

/// Returns a puzzle of data/classic.txt with `.` for blank cells, and its solution.
fn solved_puzzle(number: usize) -> (String, String) {
    let lines = include_str!("../../data/classic.txt").lines();
    let is_puzzle = |it: &&str| it.len() == 81 && it.bytes().all(|it| b".0123456789".contains(&it));
    let puzzle = lines.filter(is_puzzle).nth(number).unwrap().replace('0', ".");
    let (solution, ..) = run_with("-o solution", puzzle.as_bytes());
    (puzzle, solution.trim_end().to_string())
}

#[test]
fn a_full_grid_above_text_or_below_blank_lines_belongs_to_no_puzzle_or_to_one() {
    let (puzzle, solution) = solved_puzzle(0);
    let (other, _) = solved_puzzle(1);
    let [rows, full] = [&puzzle, &solution].map(|it| lines(&cells(it), ""));
    let spaced = lines(&cells(&solution), " ");
    let quoted = spaced.trim_end();
    for (text, expected) in [
        // In the test of a program, with and without text between them.
        (format!("(is (= \"{quoted}\" (solve \"{puzzle}\")))\n"), vec![&puzzle]),
        (format!("/* solution:\n{full}*/\nsolve(\"\n{rows}\");\n"), vec![&puzzle]),
        (format!("/* solution:\n{full}*/\nsolve(\"{other}\");\n"), vec![&solution, &other]),
        (format!("{full}\n{rows}"), vec![&solution, &puzzle]),
        (format!("/*\n{full}*/\n\n\nsolve(\"\n{rows}\");\n"), vec![&solution, &puzzle]),
        // Below two blank lines, without and with a title.
        (format!("{rows}\n\n{full}"), vec![&puzzle, &solution]),
        (format!("{rows}\n\nSolution:\n\n\n{full}"), vec![&puzzle]),
        (format!("{rows}\n{full}"), vec![&puzzle]),
        (format!("/*\n{full}*/\nhere:\n{full}next:\n{rows}"), vec![&solution, &puzzle]),
    ] {
        let found = read(&text);
        assert_eq!((found.0.iter().collect::<Vec<_>>(), found.1), (expected, 0), "{text}");
    }
}

#[test]
fn what_is_no_row_is_not_reported() {
    let (puzzle, _) = solved_puzzle(0);
    let rows = lines(&cells(&puzzle), ",").replace('.', "0");
    let variables: String = (1..=9)
        .map(|row| {
            let names: Vec<String> = (1..=9).map(|column| format!("E{row}{column}")).collect();
            format!("\tL{row} = [{}],\n", names.join(", "))
        })
        .collect();
    for text in [
        "units := []Square{\n\t{18, 19, 20, 21, 22, 23, 24, 25, 26},\n\t{2, 11, 20, 29, 38, 47, 56, 65, 74}}\n",
        "\tv[30] = value(1)\n\tv[31] = value(2)\n\tv[32] = value(3)\n\tvs = All(v, -1)\n\tif len(vs) != 0 {\n",
        "<?xml version='1.0' encoding='UTF-8' standalone='yes'?>\n",
        "<folder name=\"Easy (All)\" created=\"1278054847256\">\n",
        "times = [0.011,0.0,0.002,0.005,0.003,0.001,0.01]\ncounts = [0,0,0,0,0,0,0]\n",
        "const buffer: [1024]u8 = undefined;\n",
        "import (\n\t\"fmt\"\n\t\"log\"\n\t\"strings\"\n)\n",
        "1,2,3,4,5,6,7,8,9\n",
        &variables,
    ] {
        let source = format!("{text}\n\n{rows}");
        assert_eq!(read(&source), (vec![puzzle.replace('.', "0")], 0), "{text}");
        let (_, messages, status) = run_with("--input grid", text.as_bytes());
        assert_eq!(status, Some(1), "{text}: {messages}");
    }
    // Rows of a damaged puzzle.
    let short: String = rows.lines().skip(7).map(|row| format!("{row}\n")).collect();
    assert_eq!(read(&format!("{short}\n\n{rows}")).1, 1);
    // A head is all symbols of the grid.
    let letters: Vec<String> = ('A'..='P').map(String::from).collect();
    let grid = cells(&".".repeat(256).replacen('.', "A", 1));
    let text = format!("{}\n\n{}", letters.join(","), lines(&grid, " "));
    let (output, ..) = run_with(
        "--input grid --symbols ABCDEFGHIJKLMNOP -o status --max-guesses 1",
        text.as_bytes(),
    );
    assert_eq!(output.lines().count(), 1, "{output}");
}

#[test]
fn dots_can_be_between_rows_and_all_rows_in_comments_are_reported() {
    let (puzzle, _) = solved_puzzle(0);
    let rows = lines(&cells(&puzzle), ",").replace('.', "0");
    let dotted = rows.trim_end().replace('\n', ".") + "\n";
    let (output, ..) = run_with("-o status", dotted.as_bytes());
    assert_eq!(output, "unique\n", "{dotted}");
    let damaged = dotted.replacen(',', "", 1);
    assert_eq!(run_with("-o status", damaged.as_bytes()).0, "invalid\n");
    let commented: String = rows.lines().map(|row| format!("# {row}\n")).collect();
    let (output, messages, status) = run_with("-o status", commented.as_bytes());
    assert_eq!((output.as_str(), status), ("invalid\n", Some(1)));
    assert!(messages.contains("all lines are comments"), "{messages}");
    let (output, _, status) = run_with("-o status", b"# only a comment\n");
    assert_eq!((output.as_str(), status), ("# only a comment\n", Some(0)));
}

#[test]
fn a_cell_with_all_candidates_is_blank_if_all_others_are_digits() {
    let (_, solution) = solved_puzzle(0);
    let mut grid = cells(&solution);
    for (candidates, status) in [("123456789", "unique"), ("12345679", "invalid")] {
        grid[3][4] = candidates.into();
        let (output, ..) = run_with("--input grid -o status", lines(&grid, " ").as_bytes());
        assert_eq!(output, format!("{status}\n"), "{candidates}");
    }
}

#[test]
fn a_damaged_row_makes_no_other_puzzle() {
    let (puzzle, solution) = solved_puzzle(0);
    let rows = |text: &str| -> Vec<String> { cells(text).iter().map(|row| row.concat()).collect() };
    // A line of dashes is read as a border, so the row twice makes nine.
    let mut with_frame = rows(&puzzle.replace('.', "-"));
    with_frame[4] = "-".repeat(9);
    with_frame.insert(1, with_frame[0].clone());
    let labelled = rows(&puzzle).into_iter().enumerate();
    let mut labelled: Vec<String> = labelled
        .map(|(row, cells)| {
            cells.chars().fold((row + 1).to_string(), |row, it| format!("{row} {it}"))
        })
        .collect();
    labelled.insert(3, labelled[3].clone());
    let numbers = |is_padded: bool| -> Vec<String> {
        let number = |cell: usize| match is_padded {
            true => format!("{:02}", (cell * 5 + cell / 16) % 16 + 1),
            false => ((cell * 5 + cell / 16) % 16 + 1).to_string(),
        };
        let row = |row: usize| (16 * row..16 * row + 16).map(number).collect::<Vec<_>>().join(" ");
        (0..16).map(row).collect()
    };
    let (mut bare, mut padded) = (numbers(false), numbers(true));
    bare[0] = bare[0].replace(" 6 ", " 06 ");
    padded[0] = padded[0].replace(" 11 ", " 1 ");
    let mut only_empty: Vec<String> = cells(&solution).iter().map(|row| row.join(",")).collect();
    only_empty[2].pop();
    let candidates = |cell: &String| if cell == "." { "123456789".into() } else { cell.clone() };
    let mut unordered: Vec<String> = cells(&puzzle)
        .iter()
        .map(|row| row.iter().map(candidates).collect::<Vec<_>>().join(" "))
        .collect();
    unordered[0] = unordered[0].replacen("123456789", "13729", 1);
    let mut cut: Vec<String> = cells(&puzzle).iter().map(|row| row.join(" ")).collect();
    cut.push(cut[0][..9].into());
    for (lines, reason) in [
        (with_frame, "row 2 repeats row 1"),
        (labelled, "row 5 repeats row 4"),
        (bare, "'06' at r1c2, but '1' in another cell"),
        (padded, "'1' at r1c3, but '01' in another cell"),
        (only_empty, "nothing at r3c9, and a digit in every other cell"),
        (unordered, "'13729' at r1c2; all other candidates are in order"),
        (cut, "row 10 has 5 cells, row 1 has 9"),
        (
            vec![format!("./sudoku -i {}", &puzzle[..47]), puzzle.clone()],
            "47 cells; a 7x7 puzzle has 49",
        ),
    ] {
        let text = lines.join("\n") + "\n";
        let (output, _, status) = run_with("--input grid -o status,reason", text.as_bytes());
        let (status_of_first, first_reason) =
            output.lines().next().unwrap().split_once('\t').unwrap();
        assert_eq!((status_of_first, first_reason, status), ("invalid", reason, Some(1)), "{text}");
    }
}

#[test]
fn a_grid_on_one_line_after_larger_ones_has_a_message() {
    let (puzzle, _) = solved_puzzle(0);
    let small = "1..4......2......3...6.....1..4..2..";
    let remark = "a 6x6 puzzle after 9x9 puzzles; is it cut short?";
    for (values, message) in [
        ([&puzzle, small, &puzzle], format!("-:2: {remark}\n")),
        ([&puzzle, small, small], format!("-:2: {remark} (and 1 more)\n")),
        ([small, &puzzle, &puzzle], String::new()),
    ] {
        let text: String = values.iter().map(|it| format!("insert('{it}');\n")).collect();
        let (output, messages, status) = run_with("--input grid -o status", text.as_bytes());
        assert_eq!((output.lines().count(), messages, status), (3, message, Some(0)), "{text}");
    }
}

#[test]
fn a_puzzle_with_a_rule_that_text_names_is_invalid() {
    let puzzle = format!("1.......2{}", ".".repeat(72));
    let rows = "1...\n..3.\n.2..\n...4\n";
    let remark = |line: u8| {
        format!(
            "-:{line}: text names the rule antiking, which is not read; \
             --variant antiking adds it, --variant classic leaves it out\n"
        )
    };
    let rule = |line: u8, name: &str| {
        format!(
            "-:{line}: text names the rule {name}, which is not read; \
             --variant classic leaves it out\n"
        )
    };
    for (text, options, messages) in [
        (format!("Antiking\n\n{rows}"), "", remark(3)),
        (format!("variant: antiking\n{rows}\nan easy one\n{rows}"), "", remark(2)),
        (format!("insert into p values (1, '{puzzle}', 'anti-king');\n"), "", remark(1)),
        (format!("# a list of puzzles\nid,start,variant\n1,{puzzle},antiking\n"), "", remark(3)),
        (format!("This solver also knows antiking and killer.\n\n{rows}"), "", String::new()),
        (format!("Antiking\n\n{rows}"), "--variant antiking", String::new()),
        (format!("Antiking\n\n{rows}"), "--variant diagonal", remark(3)),
        (format!("Antiking\n\n{rows}"), "--variant classic", String::new()),
        (format!("Antiking\n\n{rows}\n1342\n4231\n4213\n3124\n"), "", remark(3)),
        (format!("[\n('{puzzle}', 'Anti King'),\n('{puzzle}', 'easy'),\n]\n"), "", remark(2)),
        (format!("('{puzzle}', 'hyper')\n"), "", remark(1).replace("antiking", "window")),
        (format!("Non-consecutive 5\n{rows}"), "--variant nonconsecutive", String::new()),
        (format!("Thermo 5\n{rows}"), "", rule(2, "thermometer")),
        (format!("('little killer', '{puzzle}')\n"), "", rule(1, "littlekillersum")),
        (format!("('{puzzle}', 'killer')\n"), "", rule(1, "killer")),
        // Words that could be rows, and text beside a row.
        (format!("antiking\n{rows}"), "", remark(2)),
        (format!("antiking\n\n{rows}"), "", remark(3)),
        (format!("thermo\n{rows}"), "", rule(2, "thermometer")),
        (format!("<h2>antiking</h2>\n{rows}"), "", remark(2)),
        (format!("<rules>antiking</rules>\n<grid>{puzzle}</grid>\n"), "", remark(2)),
        (format!("rules=antiking\ngrid={puzzle}\n"), "", remark(2)),
        ("1...  antiking\n..3.\n.2..\n...4\n".into(), "", remark(1)),
        ("1...\n..3.\n.2..  antiking\n...4\n".into(), "", remark(1)),
        (format!("{rows}\nantiking\n\n{rows}"), "", remark(8)),
        (format!("antiking\n{rows}"), "--variant antiking", String::new()),
        (format!("diagonally\n{rows}\nvery easy\n{rows}"), "", String::new()),
        // These are also the names of a technique and of a number, and words of any text.
        (format!("Skyscraper XV\n{rows}"), "", String::new()),
        (format!("('{puzzle}', 'odd')\nwindow.open('{puzzle}')\n"), "", String::new()),
    ] {
        let options = format!("--input grid -o status {options}");
        let (output, found, status) = run_with(&options, text.as_bytes());
        assert_eq!(
            (found, status),
            (messages.clone(), Some(u8::from(!messages.is_empty()).into())),
            "{text}"
        );
        assert_eq!(output.contains("invalid"), !messages.is_empty(), "{text}");
    }
}

/// Runs `--input grid` on a text with two whole copies of a puzzle and a damaged one.
#[track_caller]
fn check_one_damaged(text: &str, message: &str) {
    let (output, messages, status) = run_with("--input grid -o status", text.as_bytes());
    let (unique, invalid): (Vec<_>, Vec<_>) = output.lines().partition(|it| *it == "unique");
    let found = (unique.len(), invalid.len(), messages.as_str(), status);
    assert_eq!(found, (2, 1, message, Some(1)), "{text}");
}

#[test]
fn a_damaged_puzzle_on_a_line_has_a_message_whatever_is_beside_it() {
    let (puzzle, _) = solved_puzzle(0);
    let rows = lines(&cells(&puzzle), "");
    for (damaged, cells) in [(&puzzle[1..], 80), (&format!("1{puzzle}"), 82)] {
        for (whole, begin, end) in [
            (&puzzle, "<p>", "</p>"),
            (&puzzle, "<puzzle data=\"", "\"/>"),
            (&puzzle, "1,", ""),
            (&puzzle, "\"", "\","),
            (&puzzle, "('", "', 5),"),
            (&puzzle, "solve(\"", "\"); // a call"),
            (&rows.trim_end().to_string(), "", ""),
            (&rows.trim_end().to_string(), "<p>", "</p>"),
        ] {
            let element = |it: &str| format!("{begin}{it}{end}\n");
            let number = 1 + whole.lines().count();
            let reason = format!("{cells} cells; a 9x9 puzzle has 81\n");
            let text = [element(whole), element(damaged), element(whole)];
            check_one_damaged(&text.concat(), &format!("-:{number}: {reason}"));
            let text = [element(damaged), element(whole), element(whole)];
            check_one_damaged(&text.concat(), &format!("-:1: {reason}"));
        }
    }
    // Damaged ones of different length have a message each.
    let text = format!("'{puzzle}',\n'1{puzzle}',\n'{}',\n", &puzzle[1..]);
    let (_, messages, _) = run_with("--input grid -o status", text.as_bytes());
    assert_eq!(messages.lines().count(), 2, "{messages}");
}

/// The text before and after a puzzle on a line of other text.
const BESIDE: [(&str, &str); 8] = [
    ("easy ", ""),
    ("2) ", ""),
    ("2024-05-01 10:00:00 INFO puzzle=", ""),
    ("| 1 | ", " |"),
    ("2024-05-01\t", ""),
    ("<li>", "</li>"),
    ("<puzzle id=\"1\">", "</puzzle>"),
    ("<pre>", "</pre>"),
];

#[test]
fn a_puzzle_beside_text_with_a_wrong_symbol_has_a_message() {
    let [(one, _), (other, _)] = [0, 1].map(solved_puzzle);
    for (begin, end) in BESIDE {
        for symbol in ['~', '!', '@', '%', '$', '^', '\u{b7}', 'q'] {
            let damaged = format!("{}{symbol}{}", &one[..40], &one[41..]);
            let text = [&one, &damaged, &other].map(|it| format!("{begin}{it}{end}\n")).concat();
            let message = "-:2: 81 cells with digits that a 9x9 puzzle lacks\n";
            check_one_damaged(&text, message);
        }
    }
}

#[test]
fn a_damaged_16x16_beside_text_has_a_message() {
    let sizes = include_str!("../../data/sizes.txt").lines();
    let puzzle = sizes.filter_map(|line| line.split(' ').next()).find(|it| it.len() == 256);
    let puzzle = puzzle.unwrap();
    let wrong = format!("{}@{}", &puzzle[..100], &puzzle[101..]);
    for (begin, end) in BESIDE {
        for (damaged, reason) in [
            (&puzzle[..64], "64 cells with digits that an 8x8 puzzle lacks"),
            (&puzzle[..128], "128 cells; an 11x11 puzzle has 121"),
            (&puzzle[1..], "255 cells; a 16x16 puzzle has 256"),
            (&wrong, "256 cells with digits that a 16x16 puzzle lacks"),
        ] {
            let text = [puzzle, damaged, puzzle].map(|it| format!("{begin}{it}{end}\n")).concat();
            check_one_damaged(&text, &format!("-:2: {reason}\n"));
        }
    }
}

#[test]
fn text_with_blank_symbols_is_no_damaged_puzzle() {
    let (puzzle, _) = solved_puzzle(0);
    for text in [
        "Chapter 5..........................................17",
        "Index.....................................................123",
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "2c26b46b68ffc68ff99b453c1d304134-13422d706483bfa0f98a5e886266e7ae",
        "550e8400-e29b-41d4-a716-446655440000",
        "SGVsbG8sIHdvcmxkISBUaGlzIGlzIGJhc2U2NC4uLi4=",
        "com.example.project.module.submodule.Type_1",
        "see http://example.org/a/b...c/0000/00001.html?x=1.2.3.4.5.6",
        "wait... what... no... 1... 2... 3... 4... 5... 6...",
    ] {
        let file = format!("easy {puzzle}\n{text}\neasy {puzzle}\n");
        assert_eq!(read(&file), (vec![puzzle.clone(); 2], 0), "{text}");
    }
}

#[test]
fn puzzles_with_a_lost_quote_or_tag_and_joined_lines_are_read() {
    let sizes = include_str!("../../data/sizes.txt").lines();
    let large = sizes.filter_map(|line| line.split(' ').next()).find(|it| it.len() == 256);
    let small = "1....6...2..3..5..4....1..2....6...5".to_string();
    for puzzle in [solved_puzzle(0).0, small, large.unwrap().to_string()] {
        let p = &puzzle;
        for text in [
            format!("P1=\"{p}\"\nP2=\"{p}\nP3=\"{p}\"\n"),
            format!("P1=\"{p}\"\nP2={p}\"\nP3=\"{p}\"\n"),
            format!("<li>{p}</li>\n<li>{p}<li>\n<li>{p}</li>\n"),
            format!("<li>{p}</li>\n<li>{p}\n<li>{p}</li\n"),
            format!("<p>{p}</p>\n<puzzle>{p}<puzzle>\n<p>{p}</p>\n"),
            format!("[1] {p}\n[2] {p}[3] {p}\n"),
            format!("(1) {p} (2) {p}\n(3) {p}\n"),
        ] {
            let read = read(&text);
            assert_eq!(read, (vec![puzzle.clone(); 3], 0), "{text}");
        }
    }
}

#[test]
fn a_puzzle_is_the_content_of_an_element_in_any_writing() {
    let (puzzle, _) = solved_puzzle(0);
    let rows = lines(&cells(&puzzle), "");
    let rows = rows.trim_end();
    let tagged = |begin: &str, end: &str| -> String {
        rows.lines().map(|row| format!("{begin}{row}{end}\n")).collect()
    };
    for content in [
        rows.replace('\n', " "),
        puzzle.replace('.', " "),
        rows.to_string(),
        rows.replace('\n', "\n    ") + "\n",
        format!("\n{rows}\n"),
        tagged("<br>", ""),
        tagged("", "<br>"),
        rows.replace('\n', "<br/>\n"),
        tagged("<row>", "</row>"),
    ] {
        let element = format!("  <puzzle level=\"1\">{content}</puzzle>\n");
        let text = format!("<list>\n<puzzle>{puzzle}</puzzle>\n{element}{element}</list>\n");
        assert_eq!(read(&text), (vec![puzzle.clone(); 3], 0), "{text}");
    }
    let short = rows.rsplit_once('\n').unwrap().0;
    let text = format!("<p>{puzzle}</p>\n<p>{short}</p>\n<p>{rows}</p>\n");
    check_one_damaged(&text, "-:2: 8 rows of 9 cells; a 9x9 puzzle has 9\n");
}

#[test]
fn a_damaged_answer_is_named_with_its_line() {
    let (puzzle, solution) = solved_puzzle(0);
    let whole = format!("<puzzle>{puzzle}</puzzle>\n<solution>{solution}</solution>\n");
    let damaged = whole.replace(&solution, &solution[1..]);
    for (text, message) in [
        (format!("{damaged}{whole}"), "-:1: the answer on line 2: 80 cells; a 9x9 puzzle has 81\n"),
        (
            format!("{whole}{}", damaged.replacen('\n', "", 1)),
            "-:3: the answer on line 3: 80 cells; a 9x9 puzzle has 81\n",
        ),
    ] {
        let (output, messages, status) =
            run_with("--verify --input grid -o status", text.as_bytes());
        let statuses: Vec<&str> = output.lines().collect();
        assert!(statuses.contains(&"correct") && statuses.contains(&"invalid"), "{output}");
        assert_eq!((statuses.len(), messages.as_str(), status), (2, message, Some(1)), "{text}");
    }
}

#[test]
fn a_file_that_ends_within_a_puzzle_in_quotes_is_named() {
    let (puzzle, _) = solved_puzzle(0);
    let list = lines(&cells(&puzzle.replace('.', "0")), ",");
    let list = format!("[[{}]]", list.trim_end().replace('\n', "],["));
    for (before, text) in [
        ("INSERT INTO t VALUES (1,'easy',", &puzzle),
        ("INSERT INTO `t` (`id`, `p`) VALUES (1,", &puzzle),
        ("INSERT INTO t VALUES (1,'easy',", &list),
        ("INSERT INTO `t` (`id`, `p`) VALUES (1,", &list),
        ("t = ", &list),
        ("t = ", &puzzle),
    ] {
        let whole = format!("{before}'{text}');\n");
        for length in [text.len() / 4, text.len() / 3, text.len() / 2, text.len() - 3] {
            for end in ["", "\n", "\n\n\n"] {
                let file = format!("{whole}{before}'{}{end}", &text[..length]);
                let (output, messages, status) =
                    run_with("--input grid -o puzzle,status", file.as_bytes());
                let mut statuses = output.lines();
                let first = statuses.next().unwrap_or_default().replace('0', ".");
                assert_eq!(first, format!("{puzzle}\tunique"), "{file}");
                assert!(statuses.all(|line| line.ends_with("\tinvalid")), "{file}: {output}");
                assert!(messages.starts_with("-:2: "), "{file}: {messages}");
                assert_eq!((output.lines().count(), status), (2, Some(1)), "{file}");
            }
        }
    }
    // On one line with whole ones, and a text without cells.
    let cut = format!("t = ['{puzzle}', '{}", &puzzle[..20]);
    check_cut_end(&cut, "-:1: the text in quotes has no end: the file is cut short\n");
    for text in ["don't 5", "it's 12 34 56 78 9", "'"] {
        let text = format!("p = '{puzzle}'\n{text}\n");
        assert_eq!(read(&text), (vec![puzzle.clone()], 0), "{text}");
    }
}

fn check_cut_end(text: &str, expected: &str) {
    let (output, messages, status) = run_with("--input grid -o status", text.as_bytes());
    assert_eq!((messages.as_str(), status), (expected, Some(1)), "{text}");
    assert_eq!(output, "unique\ninvalid\n");
}

#[test]
fn lists_of_rows_on_one_line_are_a_grid_each() {
    let (puzzle, _) = solved_puzzle(0);
    let list = lines(&cells(&puzzle.replace('.', "0")), ", ");
    let list = format!("[[{}]]", list.trim_end().replace('\n', "], ["));
    let zeros = puzzle.replace('.', "0");
    for text in [
        format!("g = [{list}, {list}]\n"),
        format!("d = {{'a': {list}, 'b': {list}}}\n"),
        format!("[{{\"value\":{list},\"other\":{list}}}\n"),
    ] {
        assert_eq!(read(&text), (vec![zeros.clone(); 2], 0), "{text}");
    }
    // Its 144 cells were a 12x12.
    let end = list.match_indices(", [").nth(6).unwrap().0;
    let text = format!("g = [{list}, {}", &list[..end]);
    check_cut_end(&text, "-:1: 63 fields; an 8x8 puzzle has 64\n");
}

#[test]
fn a_zero_beside_digits_of_two_symbols_is_a_cut_ten() {
    let row = |index: usize| -> Vec<String> {
        (0..12).map(|at| format!("{:02}", (at + index / 3 + index % 3 * 4) % 12 + 1)).collect()
    };
    let rows: Vec<String> = (0..12).map(|index| row(index).join(",")).collect();
    let text = rows.join("\n").replacen("10", "0", 1) + "\n";
    let (output, messages, status) = run_with("--input grid -o status", text.as_bytes());
    let message = "-:1: '0' at r1c10, but '01' in another cell\n";
    assert_eq!((output.as_str(), messages.as_str(), status), ("invalid\n", message, Some(1)));
    // As blank cells, zeros are several.
    let text = rows.join("\n").replace("10", "0") + "\n";
    let (output, ..) = run_with("--input grid -o status", text.as_bytes());
    assert_eq!(output, "unique\n");
}

#[test]
fn candidates_of_a_5x5_have_rows_of_25_symbols_and_a_layout_of_5() {
    let drawn = "12 2 3 4 5\n2 3 4 5 15\n3 4 5 1 2\n4 5 1 2 3\n5 1 2 3 4\n";
    let layout = "\nAAAAA\nBBBBB\nCCCCC\nDDDDD\nEEEEE\n";
    let output = run_with("--input grid --variant jigsaw", [drawn, layout].concat().as_bytes());
    assert_eq!(output.0, "1234523451345124512351234\tunique\n");
}
