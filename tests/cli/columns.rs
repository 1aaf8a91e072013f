//! `-o`, `--select`, `--require`, `--summary` and `--draw`: the contents of the output.

use crate::clues::expected_of;
use crate::full;
use crate::run::{Folder, check, check_output_lines, program, run, run_with};

const PUZZLE: &str = "123434122143....";
const BLANK: &str = "................";
/// A puzzle with two solutions.
const TWO_SOLUTIONS: &str = "123434..2143....";

#[test]
fn the_named_columns_are_written_in_the_order_named() {
    check_output_lines(&[
        (PUZZLE, "-o status,puzzle", "unique\t123434122143...."),
        (PUZZLE, "--columns=solution", "1234341221434321"),
        (PUZZLE, "-o line,givens,reason", "1\t12\t-"),
        (PUZZLE, "-o status,status", "unique\tunique"),
        (
            "  123434122143....,\tx y\t",
            "-o status,rest,input",
            "unique\tx y\t  123434122143....,\tx y\t",
        ),
        (PUZZLE, "-o solutions,second", "1\t-"),
        (TWO_SOLUTIONS, "-o solutions,status", "2\tmultiple"),
        (BLANK, "-o solutions", "2+"),
        ("11..............", "-o solution,solutions,guesses", "11..............\t0\t0"),
    ]);
}

#[test]
fn the_file_of_a_line_is_named_as_on_the_command_line() {
    let folder = Folder::new();
    let puzzle = format!("{PUZZLE}\n");
    folder.file("a", &puzzle);
    folder.file("b.csv", format!("puzzle,file\n{PUZZLE},\n"));
    folder.file("drawn", "1234\n3412\n2143\n....\n");
    folder.file("tab\there", &puzzle);
    let cases: [(&[&str], &str); 7] = [
        (&["a", "-", "./a"], "a\tunique\n-\tunique\n-\tinvalid\n./a\tunique\n"),
        (&[], "-\tunique\n-\tinvalid\n"),
        (&["tab\there"], "tab\\x09here\tunique\n"),
        (&["--input=grid", "drawn"], "drawn\tunique\n"),
        (&["--all", "a"], "a\tunique\n"),
        (&["--draw", "a"], "a\tunique\n\n"),
        (&["--csv", "b.csv"], "puzzle,file,file_found,status\n123434122143....,,b.csv,unique\n"),
    ];
    for (arguments, expected) in cases {
        let mut command = program("-q -o file,status");
        command.args(arguments).current_dir(&folder.0);
        let run = run(command, format!("{puzzle}bad\n").as_bytes());
        assert_eq!(run.text(), expected, "{arguments:?}");
    }
}

#[test]
fn the_reason_for_none_is_a_contradiction() {
    let marks = "1........".repeat(2) + &"123456789".repeat(79);
    let empty = ".........".to_string() + &"123456789".repeat(80);
    check_output_lines(&[
        ("11..............", "-o reason", "row 1 has 1 twice: r1c1 r1c2"),
        ("AA..............", "--symbols ABCD -o reason", "row 1 has A twice: r1c1 r1c2"),
        ("123....4........", "-o reason,status", "r1c4 has no candidate\tnone"),
        ("123....4........", "--all -o reason", "r1c4 has no candidate"),
        ("123....4........", "--minimize -o reason", "r1c4 has no candidate"),
        ("123....4........", "--reveal r4c4 -o reason", "r1c4 has no candidate"),
        ("1.....3..3.....4", "-o reason,status", "no place for 3 in row 1\tnone"),
        (
            "11.............. 6<5<6`5<^5<94<'^",
            "--variant killer -o reason",
            "row 1 has 1 twice: r1c1 r1c2",
        ),
        (
            "24.............. 6<5<6`5<^5<94<'^",
            "--variant killer -o reason",
            "r1c1 has no candidate",
        ),
        (
            "4..............4 AAABABBBCCCDCDDD",
            "--variant jigsaw,diagonal -o reason",
            "diagonal 1 has 4 twice: r1c1 r4c4",
        ),
        (&marks, "-o reason", "row 1 has 1 twice: r1c1 r1c2"),
        (&empty, "-o reason", "r1c1 has no candidate"),
        (BLANK, "-o reason", "-"),
    ]);
}

#[test]
fn solutions_are_counted_up_to_the_value_of_count() {
    check_output_lines(&[
        (BLANK, "--count 287 -o solutions", "287+"),
        (BLANK, "--count 288 -o solutions", "288"),
        (BLANK, "--count 1000 -o solutions", "288"),
        (BLANK, "--count 1000 -o solutions --variant diagonal", "48"),
        (BLANK, "--count 1 -o solutions,status", "1+\tmultiple"),
        (PUZZLE, "--count 1", "1234341221434321\tunique\t1"),
    ]);
    let (output, _, _) = run_with("--count 9", format!("{BLANK}\n").as_bytes());
    assert!(output.ends_with("\tmultiple\t9+\n"), "{output}");
}

#[test]
fn a_second_solution_is_another_and_keeps_the_givens() {
    let (output, ..) =
        run_with("-o puzzle,solution,second", format!("{TWO_SOLUTIONS}\n").as_bytes());
    let fields: Vec<&str> = output.trim().split('\t').collect();
    assert_ne!(fields[1], fields[2]);
    let pairs = format!("{TWO_SOLUTIONS} {}\n{TWO_SOLUTIONS} {}\n", fields[1], fields[2]);
    let (statuses, ..) = run_with("--verify -o status", pairs.as_bytes());
    assert_eq!(statuses, "correct\ncorrect\n");
}

#[test]
fn the_first_grid_column_holds_an_invalid_line() {
    let reason = "-:1: 3 cells; a 4x4 puzzle has 16\n";
    let why = "3 cells; a 4x4 puzzle has 16";
    for (columns, expected) in [
        ("status,solution,puzzle", "invalid\tbad x\t-".to_string()),
        ("puzzle,solution,reason", format!("bad x\t-\t{why}")),
        ("status,reason,grade,rest", format!("invalid\t{why}\t-\t-")),
        // The line number and the input of an invalid line are known.
        ("line,status,input", "1\tinvalid\tbad\tx".to_string()),
    ] {
        let options = format!("-o {columns}");
        check(&[("bad\tx\n", &options, &(expected + "\n"), reason, 1)]);
    }
}

#[test]
fn grade_steps_and_hint_are_given_only_for_unique_puzzles() {
    check_output_lines(&[
        (PUZZLE, "-o grade,level,steps,hint", "naked-single\t1\t4\tr4c1=4 naked-single"),
        (TWO_SOLUTIONS, "-o grade,level,steps,hint,minimal", "-\t-\t-\t-\t-"),
        ("1234341221434321", "-o grade,level,steps,hint", "-\t-\t0\t-"),
    ]);
}

#[test]
fn difficulty_is_given_only_for_classic_9x9_puzzles_with_one_solution() {
    let puzzle =
        "48.6..2........5..65.81...7.98..2.5.52497....3...8.....3.24......63.1.9.2.9...1.5";
    let boxes = "AAABBBCCCAAABBBCCCAAABBBCCCDDDEEEFFFDDDEEEFFFDDDEEEFFFGGGHHHIIIGGGHHHIIIGGGHHHIII";
    let several = puzzle.replace("48", "..").replace("6", ".");
    let (solution, ..) = run_with("-o solution", format!("{puzzle}\n").as_bytes());
    check_output_lines(&[
        (puzzle, "-o difficulty", "1.2"),
        (puzzle, "-o difficulty --reveal r1c3", "1.2"),
        (&several, "-o status,difficulty", "multiple\t-"),
        (solution.trim(), "-o status,difficulty", "unique\t-"),
        (puzzle, "-o difficulty --variant antiknight --max-guesses 1", "-"),
        (&format!("{puzzle}\t{boxes}"), "-o difficulty --variant jigsaw", "-"),
        (PUZZLE, "-o status,difficulty", "unique\t-"),
    ]);
}

#[test]
fn pearl_and_diamond_are_the_difficulty_of_the_way_to_the_first_digit_and_deduction() {
    let columns = "-o hardest,difficulty,pearl,diamond";
    let easy = "48.6..2........5..65.81...7.98..2.5.52497....3...8.....3.24......63.1.9.2.9...1.5";
    let (solution, ..) = run_with("-o solution", format!("{easy}\n").as_bytes());
    check_output_lines(&[
        (easy, columns, "hidden-single\t1.2\t1.2\t1.2"),
        (
            "..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..",
            columns,
            "dynamic-chains-with-chains\t10.5\t1.2\t1.2",
        ),
        (
            "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1",
            columns,
            "dynamic-chains-with-multiple\t11.6\t11.6\t10.8",
        ),
        (solution.trim(), columns, "-\t-\t-\t-"),
        ("12..............", columns, "-\t-\t-\t-"),
    ]);
}

#[test]
fn a_difficulty_that_takes_too_long_is_missing() {
    let puzzle =
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
    let input = format!("{puzzle}\n{puzzle}\n");
    let limit = "--max-time 0.05 --select unique";
    for (columns, output) in [
        ("status,difficulty,reason", "unique\t-\ttime"),
        ("reason,difficulty", "time\t-"),
        ("difficulty", "-"),
        ("reason,hardest", "time\t-"),
        ("pearl", "-"),
    ] {
        let (found, messages, exit) = run_with(&format!("{limit} -o {columns}"), input.as_bytes());
        assert_eq!(found, format!("{output}\n{output}\n"), "{columns}");
        let hint = "--max-time ended the rating, so its columns are - here";
        assert_eq!((messages, exit), (format!("-:1: {hint}\n"), Some(0)), "{columns}");
    }
    // Without the column, nothing is rated.
    check_output_lines(&[(puzzle, "--max-time 0.05 -o status,reason", "unique\t-")]);
}

#[test]
fn a_puzzle_is_minimal_if_every_given_is_needed() {
    check_output_lines(&[
        (PUZZLE, "-o minimal", "no"),
        ("1.....3..3.....4", "-o minimal,status", "-\tnone"),
        ("1.....3..2.....4", "-o minimal,status", "yes\tunique"),
    ]);
}

/// Puzzles with one solution, with the options that they need.
const UNIQUE: [(&str, &str); 10] = [
    (PUZZLE, ""),
    ("1.....3..2.....4", ""),
    (".5..26.3614..1..3.3.5..2.2.4..4.12..", ""),
    ("48.6..2........5..65.81...7.98..2.5.52497....3...8.....3.24......63.1.9.2.9...1.5", ""),
    ("8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..", ""),
    ("...221..34.11...", "--variant diagonal"),
    ("..5.46..2513...3..5.....3.1462...13.", "--variant nonconsecutive"),
    (".2.4....14.2.3.. AAABCCABDCCBDDDB", "--variant jigsaw"),
    (".2...3.....4.41. A<00^`70A<^0^`^0", "--variant killer"),
    ("................ 6<5<6`5<^5<94<'^", "--variant killer"),
];

#[test]
fn redundant_clues_are_those_without_which_the_solution_is_unique() {
    for (line, options) in UNIQUE {
        let (found, ..) = run_with(&format!("{options} -o redundant,minimal"), line.as_bytes());
        assert_eq!(found.trim_end(), expected_of(line, options).join("\t"), "{line}");
    }
    check_output_lines(&[
        (TWO_SOLUTIONS, "-o redundant", "-"),
        ("1.....3..3.....4", "-o redundant", "-"),
        (PUZZLE, "--minimize -o redundant,minimal", "-\tyes"),
    ]);
}

/// Returns the grid that an `image` makes of these symbols.
fn image_of(image: &str, grid: &str) -> String {
    let rest = image.strip_prefix("transpose ");
    let words: Vec<&str> = rest.unwrap_or(image).split(' ').collect();
    let [rows, columns, digits] = ["rows", "columns", "digits"].map(|name| {
        let at = words.iter().position(|word| *word == name).unwrap();
        words[at + 1]
    });
    let mut made = String::new();
    let number = |symbol: u8| usize::from(symbol - b'1');
    for (row, column) in rows.bytes().flat_map(|row| columns.bytes().map(move |it| (row, it))) {
        let (row, column) = (number(row), number(column));
        let [row, column] = if rest.is_some() { [column, row] } else { [row, column] };
        let symbol = char::from(grid.as_bytes()[row * rows.len() + column]);
        let digit = digits.find(symbol).map(|at| char::from(b'1' + at as u8));
        made.push(digit.unwrap_or(symbol));
    }
    made
}

#[test]
fn the_image_turns_puzzle_and_solution_into_the_canonical_form_and_its_solution() {
    for (line, options) in UNIQUE {
        let columns = format!("{options} -o puzzle,solution,image,canonical");
        let (found, ..) = run_with(&columns, line.as_bytes());
        let fields: Vec<&str> = found.trim_end().split('\t').collect();
        let [puzzle, solution, image, form] = fields[..] else { panic!("{line}: {found}") };
        assert_eq!(image_of(image, puzzle), form[..puzzle.len()], "{line}");
        let (solved, ..) = run_with(&format!("{options} -o solution"), form.as_bytes());
        assert_eq!(image_of(image, solution), solved.trim_end(), "{line}: {form}");
    }
}

#[test]
fn the_columns_about_symmetry_count_and_name_them() {
    let blank = ".".repeat(36);
    let large = ".".repeat(100);
    let object = format!("{{\"puzzle\":\"{PUZZLE}\"}}");
    let marks = "1...".to_string() + &"1234".repeat(15);
    check_output_lines(&[
        (BLANK, "-o automorphisms", "128"),
        (BLANK, "--variant diagonal -o automorphisms", "16"),
        (&blank, "--variant nonconsecutive -o automorphisms", "4"),
        (&large, "-o automorphisms,image", "-\t-"),
        (&marks, "--input pencilmarks -o automorphisms,image", "-\t-"),
        (PUZZLE, "-o automorphisms,image", "4\trows 4312 columns 1243 digits 2134"),
        (
            "BCDA............",
            "--symbols ABCD -o image,automorphisms",
            "rows 3421 columns 1234 digits BCDA\t16",
        ),
        (
            &object,
            "--input json --output json -o image",
            r#"{"puzzle":"123434122143....","image":{"transpose":false,"rows":[4,3,1,2],"columns":[1,2,4,3],"digits":[2,1,3,4]}}"#,
        ),
    ]);
}

#[test]
fn the_techniques_reach_the_last_board_and_its_pencilmarks() {
    for (line, options) in UNIQUE {
        // With a limit, even that of all techniques, no steps of the scale follow.
        for techniques in ["7.0", "2.3", "hidden-single"] {
            let options = format!("{options} --techniques {techniques} -o puzzle,boards,reached");
            let (found, ..) = run_with(&options, line.as_bytes());
            let fields: Vec<&str> = found.trim_end().split('\t').collect();
            let last = match fields[1] {
                "-" => fields[0],
                boards => boards.rsplit(';').next().unwrap(),
            };
            assert_eq!(fields[2], last, "{options}: {line}");
        }
    }
    check_output_lines(&[
        (TWO_SOLUTIONS, "-o reached", "123434..214343.."),
        ("11..............", "-o reached,reached_candidates", "-\t-"),
        // A cell with one candidate is blank until a technique places it.
        ("123.............", "--techniques hidden-pair -o reached", "123............."),
    ]);
}

#[test]
fn puzzles_equal_up_to_symmetry_have_one_canonical_form() {
    // The first puzzle; the same with other digits; transposed; with its stacks exchanged.
    let same = ["1.....3..2.....4", "2.....4..1.....3", "1.....2..3.....4", "..1.3......2.4.."];
    let (forms, ..) = run_with("-o canonical", (same.join("\n") + "\n").as_bytes());
    let mut forms: Vec<&str> = forms.lines().collect();
    assert_eq!(forms.len(), 4);
    forms.dedup();
    assert_eq!(forms.len(), 1, "{forms:?}");
    let (form, ..) =
        run_with("-o canonical,status", format!("{PUZZLE}\n{}\n", forms[0]).as_bytes());
    let lines: Vec<&str> = form.lines().collect();
    assert_ne!(lines[0].split('\t').next(), Some(forms[0]));
    assert_eq!(lines[1], format!("{}\tunique", forms[0]), "a form is its own form");
}

#[test]
fn select_and_reject_choose_output_lines_and_every_line_counts_for_the_exit_status() {
    let input = format!("# comment\n{PUZZLE}\n\n{BLANK}\nbad\n");
    let reason = "-:5: 3 cells; a 4x4 puzzle has 16\n";
    for (options, output) in [
        ("--select unique -o puzzle", format!("{PUZZLE}\n")),
        ("--select multiple,invalid -o puzzle", format!("{BLANK}\nbad\n")),
        ("--select none", String::new()),
        ("--reject unique,multiple -o status", "invalid\n".to_string()),
        ("--reject none -o status", "unique\nmultiple\ninvalid\n".to_string()),
    ] {
        check(&[(&input, options, &output, reason, 1)]);
    }
}

#[test]
fn require_decides_the_exit_status() {
    let good = format!("# comment\n{PUZZLE}\n{BLANK}\n");
    let bad = format!("{good}bad\n");
    let answers = format!("{PUZZLE} 1234341221434321\n{PUZZLE} 1234341221434312\n");
    for (input, options, status) in [
        (&good, "--require unique", 1),
        (&good, "--require unique,multiple", 0),
        (&good, "--require multiple --select unique", 1),
        (&good, "--require unique --reject multiple", 1),
        (&good, "--require unique,multiple,none,invalid", 0),
        (&bad, "--require unique,multiple,none", 1),
        (&bad, "--require unique,multiple,none,invalid", 0),
        (&bad, "--require unique,invalid", 1),
        (&good, "--require unknown,unique --max-guesses 1", 0),
        (&bad, "--require unique,multiple --require none,invalid", 0),
        (&bad, "--require any", 0),
        (&bad, "--require any - missing", 2),
        (&answers, "--verify --require any", 0),
        (&answers, "--verify --require correct,incorrect", 0),
        (&answers, "--verify --require incorrect", 1),
        // Status 2 remains a failure.
        (&bad, "--require unique,multiple,none,invalid - missing", 2),
    ] {
        assert_eq!(run_with(options, input.as_bytes()).2, Some(status), "{options}");
    }
    assert_eq!(run_with("--require unique", b"").2, Some(0));
}

#[test]
fn a_summary_counts_lines_by_status() {
    let input = format!("# comment\n{PUZZLE}\n{BLANK}\nbad\n");
    let (_, messages, _) = run_with("-q --summary", input.as_bytes());
    let expected = "lines=3 unique=1 multiple=1 none=0 unknown=0 invalid=1 seconds=";
    assert!(messages.starts_with(expected), "{messages}");
    assert!(messages.contains(" rate=") && messages.ends_with('\n'), "{messages}");
    let (_, messages, _) = run_with("--summary --verify", b"12.............. 1234341221434321\n");
    let expected = "lines=1 correct=1 incorrect=0 ambiguous=0 unknown=0 invalid=0 seconds=";
    assert!(messages.starts_with(expected), "{messages}");
    let (_, messages, _) = run_with("--summary", b"");
    assert!(messages.starts_with("lines=0 unique=0"), "{messages}");
}

#[test]
fn short_runs_print_no_progress() {
    let (_, messages, _) = run_with("", format!("{PUZZLE}\n").as_bytes());
    assert_eq!(messages, "");
    let (_, messages, _) = run_with("--progress always", format!("{PUZZLE}\n").as_bytes());
    assert_eq!(messages, "", "a run of less than a second needs no line");
}

#[test]
fn draw_shows_the_borders_of_boxes_and_regions() {
    let drawn = "\
+-----+-----+
| 1 2 | 3 4 |
| 3 4 | 1 2 |
+-----+-----+
| 2 1 | 4 3 |
| 4 3 | 2 1 |
+-----+-----+
unique

";
    check(&[
        (PUZZLE, "--draw", drawn, "", 0),
        (
            "1............... AAABABBBCCCDCDDD",
            "--draw --variant jigsaw -o puzzle",
            "\
+---------+---+
| 1   . . | . |
|   +-----+   |
| . | . .   . |
+---+-----+---+
| .   . . | . |
|   +-----+   |
| . | . .   . |
+---+---------+

",
            "",
            0,
        ),
        ("bad", "--draw -q", "bad\tinvalid\n\n", "", 1),
        // An answer that is not checked, and is no grid of the puzzle's side.
        (
            &format!("{PUZZLE} 123231312"),
            "--draw --fields puzzle,answer -o answer,status",
            "123231312\tunique\n\n",
            "",
            0,
        ),
    ]);
    let (text, ..) =
        run_with("--draw --color always -o solution", format!("{PUZZLE}\n").as_bytes());
    assert_eq!(text.matches("\x1b[32m").count(), 4, "four digits were found");
}

#[test]
fn an_image_is_one_line_with_the_grids_of_an_entry() {
    let input = format!("{PUZZLE}\nbad<&\x01\n");
    let (images, ..) = run_with("-q --draw=svg -o puzzle,solution,status", input.as_bytes());
    let lines: Vec<&str> = images.lines().collect();
    assert_eq!(lines.len(), 2, "{images}");
    let count = |text: &str| lines[0].matches(text).count();
    assert_eq!(count("<svg "), 2, "the puzzle and the solution");
    assert_eq!(count("<title>unique</title>"), 2);
    assert_eq!(count("</text>"), 12 + 16);
    assert_eq!(count("class=\"solved\""), 4);
    assert_eq!(
        lines[1],
        "<svg xmlns=\"http://www.w3.org/2000/svg\"><title>bad&lt;&amp;\u{fffd}\t-\tinvalid</title></svg>"
    );
    let message = "--draw=png: expected one of text, svg, page\ntry 'sudoku-filter --help'\n";
    check(&[(PUZZLE, "--draw=png", "", message, 2)]);
}

/// Returns the header, the figures of the puzzles and those of the solutions of a page.
fn parts_of_page(page: &str) -> (&str, Vec<&str>, Vec<&str>) {
    let (header, rest) = page.split_once("<main>\n").expect(page);
    let (figures, rest) = rest.split_once("</main>\n").expect(page);
    let rest = rest.strip_suffix("</body></html>\n").expect(page);
    let solutions = rest.strip_prefix("<aside>\n").map(|it| it.strip_suffix("</aside>\n").unwrap());
    assert!(solutions.is_some() || rest.is_empty(), "{page}");
    (header, figures.lines().collect(), solutions.unwrap_or_default().lines().collect())
}

#[test]
fn a_page_has_its_solutions_after_all_puzzles() {
    let input =
        format!("# comment\n{PUZZLE}\n................\nbad<\n11..............\n{PUZZLE}\n");
    let (page, ..) = run_with("-q --draw=page --per-page 9", input.as_bytes());
    assert_eq!(run_with("-q --output page --per-page 9 -j2", input.as_bytes()).0, page);
    assert!(page.starts_with("<!DOCTYPE html>\n<html lang=\"en\">"));
    assert!(!page.contains("<script") && !page.contains('\u{1}'));
    let (header, puzzles, solutions) = parts_of_page(&page);
    assert!(header.contains("<title>Sudoku</title>") && !header.contains("<h1>"), "{header}");
    assert!(header.contains("repeat(3,1fr);--height:80mm"), "{header}");
    assert!(header.contains("main figure:nth-of-type(9n)"), "{header}");
    assert!(header.contains("counter-reset:puzzle 0}"), "{header}");
    let captions = ["", "multiple", "bad&lt;\t-\tinvalid", "none", ""];
    assert_eq!(puzzles.len(), captions.len(), "comments are not shown");
    for (figure, caption) in puzzles.iter().zip(captions) {
        let end = format!("<figcaption>{caption}</figcaption></figure>");
        assert!(figure.starts_with("<figure>") && figure.ends_with(&end), "{figure}");
        assert_eq!(figure.contains("<svg "), !caption.contains("bad"), "{figure}");
    }
    // A solution has the number of its figure. Its images are those of --draw=svg.
    let grids = format!("{PUZZLE}\n................\n{PUZZLE}\n");
    let (images, ..) = run_with("-q --draw=svg -o solution", grids.as_bytes());
    let expected = images.lines().zip([1, 2, 5]).map(|(image, number)| {
        format!("<figure>{image}<figcaption>{number}</figcaption></figure>")
    });
    assert_eq!(solutions, expected.collect::<Vec<_>>());
}

#[test]
fn columns_decide_where_the_grids_of_a_page_are() {
    let input = format!("{PUZZLE}\n{PUZZLE}\n");
    for (options, in_front, at_the_end, caption) in [
        ("-o puzzle,status,solution,line", 1, 1, "unique\t1"),
        ("-o solution,givens", 1, 0, "12"),
        ("-o puzzle,reached", 2, 0, ""),
        ("-o pencilmarks,solution", 1, 1, ""),
        ("-o status", 0, 0, "unique"),
        ("--minimize -o puzzle,solution", 1, 1, ""),
        ("--verify -o puzzle,answer,status", 2, 0, "correct"),
    ] {
        let solved = format!("{PUZZLE} 1234341221434321\n").repeat(2);
        let input = if options.contains("verify") { &solved } else { &input };
        let (page, ..) = run_with(&format!("-q --draw=page {options}"), input.as_bytes());
        let (_, puzzles, solutions) = parts_of_page(&page);
        let images = |figures: &[&str]| figures.concat().matches("<svg ").count();
        assert_eq!((puzzles.len(), solutions.len()), (2, 2 * at_the_end), "{options}");
        assert_eq!((images(&puzzles), images(&solutions)), (2 * in_front, 2 * at_the_end));
        assert!(puzzles[0].contains(&format!("<figcaption>{caption}</figcaption>")), "{options}");
    }
}

#[test]
fn the_solutions_of_a_page_are_drawn_with_their_own_cages_and_symbols() {
    let (page, ..) = run_with(
        "-q --variant killer --draw=page",
        b"................ 6<5<6`5<^5<94<'^\n................ 6<5<6`5<^5<94<'^\n1342243142133124 9<`<`<`<`<`<`<`<`\n",
    );
    let (_, puzzles, solutions) = parts_of_page(&page);
    assert_eq!(puzzles.len(), 3, "{page}");
    let sums = |figure: &str| figure.matches("class=\"sum\"").count();
    assert_eq!(solutions.iter().map(|it| sums(it)).collect::<Vec<_>>(), [7, 7]);
    let options = "-q --symbols <&>= --draw=page";
    let (page, ..) = run_with(options, "<.....>..&.....=\n".as_bytes());
    let (_, _, solutions) = parts_of_page(&page);
    assert_eq!(solutions[0].matches("&lt;</text>").count(), 4, "{page}");
    assert_eq!(solutions[0].matches("class=\"solved\"").count(), 12, "{page}");
}

#[test]
fn lines_that_are_left_out_have_no_figure_and_no_number() {
    let input =
        format!("................\n{PUZZLE}\n................\n{PUZZLE}\n.4..............\n");
    let options = "-q --draw=page --select unique --first 40 --title a<b --lang pt-BR";
    let (page, ..) = run_with(options, input.as_bytes());
    let (header, puzzles, solutions) = parts_of_page(&page);
    assert!(header.contains("<html lang=\"pt-BR\"><head><meta charset=\"utf-8\"><title>a&lt;b<"));
    assert!(header.contains("<h1>a&lt;b</h1>") && header.contains("counter-reset:puzzle 39}"));
    assert_eq!(puzzles.len(), 2);
    for (figure, number) in solutions.iter().zip([40, 41]) {
        assert!(figure.contains(&format!("<figcaption>{number}</figcaption>")), "{figure}");
    }
    let (page, ..) = run_with("-q --draw=page --distinct puzzle", input.as_bytes());
    let (_, puzzles, solutions) = parts_of_page(&page);
    assert_eq!((puzzles.len(), solutions.len()), (3, 3));
    let (page, ..) = run_with("--draw=page", b"");
    assert_eq!(parts_of_page(&page).1.len(), 0);
}

#[test]
fn options_of_a_page_need_a_page() {
    for option in ["--per-page 2", "--title x", "--lang de", "--first 7"] {
        let name = option.split(' ').next().unwrap();
        let message = format!("{name} needs --draw=page\ntry 'sudoku-filter --help'\n");
        check(&[(PUZZLE, &format!("{option} --draw=svg"), "", &message, 2)]);
    }
    for (option, message) in [
        ("--lang d\"e", "--lang d\"e: expected a language tag, such as de or pt-BR"),
        ("--first 0", "--first 0: expected a number of 1 or more"),
        ("--first 1000000001", "--first 1000000001: the largest number is 1000000000"),
    ] {
        let message = format!("{message}\ntry 'sudoku-filter --help'\n");
        check(&[(PUZZLE, &format!("--draw=page {option}"), "", &message, 2)]);
    }
}

#[test]
fn candidates_are_drawn_as_small_digits() {
    let candidates = "-q --draw=svg -o pencilmarks,status";
    let (image, ..) = run_with(candidates, b"12343412........\n");
    let (singles, marks) = image
        .split_once("<style>.marks2 text{font-size:16px}</style><g class=\"marks2\">")
        .unwrap();
    assert_eq!(singles.matches("</text>").count(), 8);
    assert_eq!(marks.matches("</text>").count(), 16);
    // The candidates 2 and 4 of r3c1, the second and the fourth of a 2x2 square.
    assert!(
        marks.starts_with("<text x=\"30\" y=\"96\">2</text><text x=\"30\" y=\"116\">4</text>"),
        "{marks}"
    );
    assert!(image.contains("<title>multiple</title>"));
    // Text has no small digits.
    let (text, ..) = run_with("-q --draw -o pencilmarks", b"1234341221434321\n");
    assert_eq!(text.lines().count(), 2);
}

#[test]
fn drawn_grids_can_be_read_again() {
    let two = format!("{PUZZLE}\n................\n");
    let answer = "1234341221434321\tunique\n";
    let solutions = "-:2: a full grid, perhaps a solution, is listed as a puzzle (and 1 more)\n";
    let blank = "................\n".to_string();
    let answers = format!("{answer}1234341241232341\tunique\n");
    let verified = format!("{PUZZLE} {PUZZLE}\n");
    for (options, input, expected, expected_messages) in [
        ("-o puzzle", format!("{PUZZLE}\n"), answer.to_string(), ""),
        ("", two, answer.repeat(2), solutions),
        ("-o solution,second,status", blank, answers, solutions),
        ("--verify -o puzzle,answer,status", verified, answer.repeat(2), ""),
        // The solution below its puzzle is no puzzle.
        ("-o puzzle,solution", format!("{PUZZLE}\n"), answer.to_string(), ""),
    ] {
        let (drawn, ..) = run_with(&format!("--draw {options}"), input.as_bytes());
        let (back, messages, _) = run_with("--input grid", drawn.as_bytes());
        assert_eq!((back, &*messages), (expected, expected_messages), "{options}: {drawn}");
    }
}

#[test]
fn a_path_has_every_step_and_ends_in_search_where_techniques_end() {
    check_output_lines(&[
        (
            "123434122143....",
            "-o path,steps",
            "r4c1=4 naked-single; r4c2=3 naked-single; r4c3=2 naked-single; r4c4=1 naked-single\t4",
        ),
        ("1234341221434321", "-o path,steps", "-\t0"),
        (TWO_SOLUTIONS, "-o path,status", "-\tmultiple"),
    ]);
    for file in ["classic.txt", "jigsaw.txt", "bench/minimal.txt"] {
        let variant = if file == "jigsaw.txt" { "--variant jigsaw " } else { "" };
        let options = format!("{variant}-o grade,steps,hint,path data/{file}");
        let (output, _, _) = run_with(&options, b"");
        let mut paths = 0;
        for line in output.lines().filter(|line| line.contains('\t')) {
            let columns: Vec<&str> = line.split('\t').collect();
            let [grade, steps, hint, path] = columns[..] else {
                panic!("{line}");
            };
            let mut path: Vec<&str> = path.split("; ").collect();
            assert_eq!(path[0], if hint == "-" { "search" } else { hint }, "{line}");
            let is_searched = grade == "search" && file == "jigsaw.txt";
            assert_eq!(path.last() == Some(&"search"), is_searched, "{line}");
            path.retain(|&step| step != "search");
            let of_person: usize = steps.parse().unwrap();
            let goes_on = grade == "search" && !is_searched;
            assert_eq!(path.len() > of_person, goes_on, "{line}");
            assert!(path.len() >= of_person, "{line}");
            paths += 1;
        }
        assert!(paths >= 50, "{file}: {paths}");
    }
}

#[test]
fn techniques_and_boards_are_those_of_the_path() {
    let board = |grid: &str| format!("123434122143{grid}");
    let boards = ["4...", "43..", "432.", "4321"].map(board).join(";");
    check_output_lines(&[
        (PUZZLE, "-o techniques,boards", &format!("naked-single:4\t{boards}")),
        (PUZZLE, "-o boards --symbols 4321", &boards),
        ("1234341221434321", "-o techniques,boards", "-\t-"),
        (TWO_SOLUTIONS, "-o techniques,boards", "-\t-"),
        ("..1....4.3...13.", "-o path,techniques,boards", "r2c2=2 naked-single\t-\t-"),
        (
            "123434122_43____",
            "-o boards",
            "123434122143____;1234341221434___;12343412214343__;123434122143432_;1234341221434321",
        ),
    ]);
    let columns = "-o grade,path,techniques,boards,solution data/bench/minimal.txt";
    let (output, ..) = run_with(columns, b"");
    let mut searched = 0;
    for line in output.lines().filter(|line| line.contains('\t')) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [grade, path, techniques, boards, solution] = columns[..] else {
            panic!("{line}");
        };
        let counts = techniques.split(',').map(|it| it.split_once(':').unwrap());
        if grade != "search" {
            assert_eq!(counts.clone().next().unwrap().0, grade, "{line}");
        }
        for (name, count) in counts.clone() {
            let steps = path.split("; ");
            let uses = steps.filter(|step| {
                let placed = step.split_once(' ').filter(|(first, _)| first.contains('='));
                let technique = placed.map_or(*step, |(_, technique)| technique);
                technique.split([' ', ':']).next() == Some(name)
            });
            assert_eq!(uses.count().to_string(), count, "{name}: {line}");
        }
        let total: usize = counts.map(|(_, count)| count.parse::<usize>().unwrap()).sum();
        assert_eq!(total, path.split("; ").count(), "{line}");
        let is_placed = |step: &&str| step.split(' ').next().unwrap().contains('=');
        let placed = path.split("; ").filter(is_placed);
        assert_eq!(boards.split(';').count(), placed.count(), "{line}");
        assert_eq!(boards.rsplit(';').next(), Some(solution), "{line}");
        searched += usize::from(grade == "search");
    }
    assert!(searched > 0, "a path beyond the techniques of a person");
}

#[test]
fn a_path_that_ends_early_says_why() {
    let puzzle =
        "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";
    check_output_lines(&[
        (puzzle, "-o hint,path --techniques 1.5", "-\tstuck"),
        (puzzle, "-o path,techniques --techniques naked-single,x-wing", "stuck\tstuck:1"),
    ]);
    for (columns, output, what) in [
        ("reason,hint", "time\t-", "a step, so hint is - here"),
        ("reason,path", "time\ttime", "steps, so path ends in time here"),
        ("techniques", "time:1", "steps, so path ends in time here"),
    ] {
        let options = format!("--max-time 0.02 -o {columns}");
        let (found, messages, exit) = run_with(&options, format!("{puzzle}\n").as_bytes());
        assert_eq!((&*found, exit), (&*format!("{output}\n"), Some(0)), "{columns}");
        let hint = format!("-:1: --max-time ended the search for {what}\n");
        assert_eq!(messages, hint, "{columns}");
    }
}

/// Returns the candidates of all solutions in the output of `--all -o line,status,solution`, for
/// each line. `None` if a line has no solution, or more than `most`.
fn unions_of(output: &str, lines: usize, most: usize) -> Vec<Option<String>> {
    let mut solutions: Vec<Vec<&str>> = vec![Vec::new(); lines];
    for fields in output.lines().map(|line| line.split('\t').collect::<Vec<_>>()) {
        if ["unique", "multiple"].contains(&fields[1]) {
            solutions[fields[0].parse::<usize>().unwrap() - 1].push(fields[2]);
        }
    }
    let union = |solutions: Vec<&str>| {
        let cells = solutions.first().filter(|_| solutions.len() <= most)?.len();
        let symbols = (1..=cells.isqrt()).map(|digit| match digit {
            1..=9 => char::from(b'0' + digit as u8),
            _ => char::from(b'A' + digit as u8 - 10),
        });
        let symbols: Vec<char> = symbols.collect();
        let has = |cell: usize, symbol: char| {
            let mut solutions = solutions.iter();
            solutions.any(|solution| solution.as_bytes()[cell] == symbol as u8)
        };
        let of_cell = |cell| symbols.iter().map(move |&symbol| (cell, symbol));
        let marks = (0..cells).flat_map(of_cell);
        Some(marks.map(|(cell, symbol)| if has(cell, symbol) { symbol } else { '.' }).collect())
    };
    solutions.into_iter().map(union).collect()
}

#[test]
fn candidates_are_the_union_of_all_solutions() {
    const MOST: usize = 1_000;
    let mut compared = 0;
    let mut with_many = 0;
    for (file, variant) in [
        ("bench/many", "classic"),
        ("many-classic", "classic"),
        ("classic", "classic"),
        ("many-diagonal", "diagonal"),
        ("many-window", "window"),
        ("many-jigsaw", "jigsaw"),
        ("many-antiknight", "antiknight"),
        ("many-nonconsecutive", "nonconsecutive"),
        // Some trials of killers take more guesses than a trial may take beside others.
        ("many-killer-diagonal", "killer,diagonal"),
        ("none-classic", "classic"),
        ("sizes", "classic"),
    ] {
        let path = format!("{}/data/{file}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
        let lines = &lines[..lines.len().min(full::cases(20, 60))];
        let input = lines.join("\n");
        let options = format!("-q --variant {variant} --all={} -o line,status,solution", MOST + 1);
        let (all, ..) = run_with(&options, input.as_bytes());
        let unions = unions_of(&all, lines.len(), MOST);
        let options = format!("-q --variant {variant} -o candidates");
        let (candidates, ..) = run_with(&options, input.as_bytes());
        assert_eq!(candidates.lines().count(), lines.len());
        for ((line, union), found) in lines.iter().zip(&unions).zip(candidates.lines()) {
            let has_many = all.lines().count() > lines.len();
            if let Some(union) = union {
                assert_eq!(found, union, "{file}: {line}");
                compared += 1;
                with_many += usize::from(has_many);
            } else if file == "none-classic" {
                assert_eq!(found, "-", "{line}");
            }
        }
    }
    assert!(
        compared > full::cases(60, 200) && with_many > full::cases(30, 100),
        "{compared}, {with_many}"
    );
}

#[test]
fn a_field_with_the_name_of_a_column_is_read_over_and_copied_by_shuffle() {
    let columns = "puzzle,answer,givens";
    let line = "1.....3..2.....4 1342243142133124 7\n";
    let run = |options: &str| run_with(&format!("--fields {columns} {options}"), line.as_bytes()).0;
    assert_eq!(run("-o answer,givens"), "1342243142133124\t4\n");
    assert!(run("--shuffle").ends_with("\t7\n"));
}

#[test]
fn candidates_can_be_read_again_and_are_exact_or_missing() {
    // Two solutions that differ in four cells.
    check_output_lines(&[
        (
            TWO_SOLUTIONS,
            "-o candidates",
            "1....2....3....4..3....412..12...2..1......4..3....4..3.12..12..",
        ),
        ("11..............", "-o candidates", "-"),
        (
            PUZZLE,
            "-o candidates,status --reveal r4c4",
            "1....2....3....4..3....41....2...2..1......4..3....4..3..2..1...\tunique",
        ),
    ]);
    let puzzle =
        "12.3....435....1....4........54..2..6...7.........8.9...31..5.......9.7.....6...8";
    let fewer = format!("{}\n", puzzle.replacen(['7', '8'], ".", 2));
    let (found, ..) = run_with("-o candidates", fewer.as_bytes());
    let count = |input: &str| run_with("--count 5000 -o solutions", input.as_bytes()).0;
    assert_eq!(found.trim_end().len(), 729);
    assert_eq!(count(&found), count(&fewer));
    assert_eq!(run_with("-o candidates", found.as_bytes()).0, found);
    let (limited, ..) = run_with("--max-guesses 1 -o candidates", fewer.as_bytes());
    assert_eq!(limited, "-\n");
    let (_, messages, status) = run_with("--all -o candidates", b"");
    assert!(messages.starts_with("the column candidates cannot be used with --all"), "{messages}");
    assert_eq!(status, Some(2));
}

#[test]
fn the_searches_of_the_column_candidates_share_one_limit() {
    // No search of this puzzle takes 400 guesses.
    let puzzle = format!("1{}", ".".repeat(80));
    let columns = |limit: u64, options: &str, input: &str| {
        let options =
            format!("-q --variant diagonal --max-guesses {limit} -o status,candidates {options}");
        let (text, messages, status) = run_with(&options, input.as_bytes());
        assert_eq!((messages.as_str(), status), ("", Some(0)), "{options}");
        text
    };
    let known = columns(0, "", &puzzle);
    assert_eq!(known.trim_end().len(), "multiple\t".len() + 729);
    assert_eq!(columns(20_000, "", &puzzle), known);
    // The output does not depend on the lines beside it.
    let lines = format!("{puzzle}\n2{0}\n{puzzle}\n{0}1\n", &puzzle[1..]);
    for options in ["-j1", "-j3", "-j2 --cpu portable"] {
        let text = columns(400, options, &lines);
        let of_puzzle: Vec<&str> = text.lines().step_by(2).collect();
        assert_eq!(of_puzzle, ["multiple\t-"; 2], "{options}");
    }
}

#[test]
fn pencilmarks_are_what_the_givens_leave() {
    // The marks of a 9x9, cell by cell: the digits that no peer is given.
    let marks_of = |puzzle: &str| {
        let given: Vec<char> = puzzle.chars().collect();
        let sees = |a: usize, b: usize| {
            a / 9 == b / 9 || a % 9 == b % 9 || (a / 27 == b / 27 && a % 9 / 3 == b % 9 / 3)
        };
        let mark = |cell: usize, digit: char| match given[cell] {
            '.' => (0..81).all(|other| !sees(cell, other) || given[other] != digit),
            given => given == digit,
        };
        let cells = (0..81).flat_map(|cell| ('1'..='9').map(move |digit| (cell, digit)));
        cells.map(|(cell, digit)| if mark(cell, digit) { digit } else { '.' }).collect::<String>()
    };
    let lines = include_str!("../../data/bench/minimal.txt");
    let puzzles: Vec<&str> = lines.lines().filter(|line| line.len() == 81).take(60).collect();
    let (output, ..) = run_with("-o pencilmarks", puzzles.join("\n").as_bytes());
    for (puzzle, marks) in puzzles.iter().zip(output.lines()) {
        assert_eq!(marks, marks_of(&puzzle.replace('0', ".")), "{puzzle}");
    }
    assert_eq!(output.lines().count(), puzzles.len());
    assert!(puzzles.len() > 10);
    check_output_lines(&[
        (
            PUZZLE,
            "-o pencilmarks",
            "1....2....3....4..3....41....2...2..1......4..3....4..3..2..1...",
        ),
        // Pencilmarks lose the digits of cells with one.
        (
            "12..1...12341234123412341234123412341234123412341234123412341234",
            "--input pencilmarks -o pencilmarks",
            ".2..1....234.234.234.234123412341234.234123412341234.23412341234",
        ),
        // Also of a puzzle without a solution: r1c4 has no candidate.
        (
            "123....4........",
            "-o pencilmarks",
            "1....2....3.......3...3.12.....4.2341.3412.4123..2341.3412.4123.",
        ),
    ]);
}

#[test]
fn a_field_of_the_input_is_a_column_even_if_a_column_of_the_program_has_its_name() {
    let csv = "puzzle,level,solution\n1.....3..2.....4,easy,x\n12..............,hard,y\n";
    let json = "{\"puzzle\":\"1.....3..2.....4\",\"level\":\"easy\",\"solution\":\"x\"}\n";
    let columns = "--output lines -o input.level,level,input.solution,status";
    for (options, input) in [("--csv", csv), ("--json", json)] {
        let (output, messages, _) = run_with(&format!("{options} {columns}"), input.as_bytes());
        assert_eq!(output.lines().next(), Some("easy\t1\tx\tunique"), "{options}");
        assert_eq!(messages, "");
        let (_, messages, _) =
            run_with(&format!("{options} --output lines -o level"), input.as_bytes());
        let hint = "the column level is that of the program; -o input.level is that of the input\n";
        assert!(messages.ends_with(hint), "{messages}");
        assert_eq!(messages.lines().count(), 1);
        // The copied record has the field.
        assert_eq!(run_with(&format!("{options} -o level"), input.as_bytes()).1, "");
    }
    let line = "7 1.....3..2.....4 easy";
    let options = "--fields id,puzzle,level -o id,input.level,grade=level";
    assert_eq!(run_with(options, line.as_bytes()).0, "7\teasy\t1\n");
    assert_eq!(run_with("-o input,input.level", line.as_bytes()).2, Some(2));
}

#[test]
fn a_class_is_the_first_whose_bound_is_at_least_the_difficulty() {
    let easy = "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....";
    let difficulty = run_with("-o difficulty", easy.as_bytes()).0;
    let difficulty = difficulty.trim();
    for (classes, class) in [
        (format!("a={difficulty},b"), "a"),
        ("a=1.0,b".to_string(), "b"),
        ("a=1.0".to_string(), "-"),
    ] {
        let (output, ..) = run_with(&format!("-o class --classes {classes}"), easy.as_bytes());
        assert_eq!(output, format!("{class}\n"), "{classes}");
    }
    assert_eq!(run_with("-o class", b"12..............").0, "-\n");
    let (_, messages, status) = run_with("-o class --classes a=2,b=1", b"");
    assert!(messages.contains("--classes a=2,b=1: the bounds must increase"), "{messages}");
    assert_eq!(status, Some(2));
    let (_, messages, _) = run_with("--classes a=2", b"");
    assert!(
        messages.contains("--classes needs the column class in -o, --where, --tally or --distinct"),
        "{messages}"
    );
}

#[test]
fn all_lines_of_a_puzzle_have_the_guesses_of_the_whole_search() {
    // The search takes longer than solutions wait to be written.
    let blank = ".".repeat(81) + "\n";
    let options = "-j1 --variant antiknight,antiking,nonconsecutive --all=12 -o guesses";
    let (output, ..) = run_with(options, blank.as_bytes());
    let guesses: Vec<&str> = output.lines().collect();
    assert_eq!(guesses.len(), 12);
    assert!(guesses.iter().all(|it| *it == guesses[0] && *it != "0"), "{guesses:?}");
}
