//! Notations beside a line of symbols: pencilmarks, SumoCue, named fields, drawn grids, `+` before
//! digits and extra groups.

use crate::run::{check, check_invalid, check_output_lines, run_with};

const PUZZLE: &str =
    "1..3....5.23.7..499..4..6..8....3.1..4..1.8..3....7.5.2..5..9...56.94.284..7.....";

/// Returns the puzzle in pencilmark notation: nine symbols a cell, one for each candidate.
fn pencilmarks(puzzle: &str) -> String {
    let marks = |given: char| {
        let digits = ('1'..='9').map(move |digit| match given {
            '.' => digit,
            _ if given == digit => digit,
            _ => '.',
        });
        digits.collect::<String>()
    };
    puzzle.chars().map(marks).collect()
}

#[test]
fn pencilmarks_are_read_in_every_variant() {
    let (plain, ..) = run_with("-o solution,status,givens", format!("{PUZZLE}\n").as_bytes());
    let marks = pencilmarks(PUZZLE);
    let (output, ..) = run_with("-o solution,status,givens", format!("{marks}\n").as_bytes());
    assert_eq!(output, plain);
    let blank = "123456789".repeat(81);
    for variant in
        ["classic", "diagonal", "window", "antiknight", "nonconsecutive", "diagonal,asterisk"]
    {
        let (solutions, ..) = run_with(
            &format!("--variant {variant} -o solution"),
            format!("{blank}\n{}\n", ".".repeat(81)).as_bytes(),
        );
        let pairs: Vec<String> = solutions.lines().map(|grid| format!("{blank} {grid}")).collect();
        let (statuses, ..) = run_with(
            &format!("--variant {variant} --verify -o status"),
            (pairs.join("\n") + "\n").as_bytes(),
        );
        assert_eq!(statuses, "correct\ncorrect\n", "{variant}");
    }
    // A first cell without candidates, and one with two.
    let none = ".".repeat(9) + &blank[9..];
    let (output, ..) = run_with("-o status", format!("{none}\n").as_bytes());
    assert_eq!(output, "none\n");
    let two = "12.......".to_string() + &marks[9..];
    let (output, ..) = run_with("-o status,givens", format!("{two}\n").as_bytes());
    assert_eq!(output, "unique\t30\n");
    let (output, ..) =
        run_with("--reveal r1c1 -o puzzle,givens,blanks", format!("{two}\n").as_bytes());
    assert_eq!(output, format!("1........{}\t31\t50\n", &marks[9..]));
}

#[test]
fn messages_about_pencilmarks_name_the_cell() {
    let marks = pencilmarks(PUZZLE);
    let other = marks.replacen("123456789", "213456789", 1);
    check_invalid(&[(&other, "", "'2' in the pencilmarks of r1c2; expected '1' or a blank")]);
    check_invalid(&[(&marks, "--minimize", "a pencilmark puzzle has no givens to take away")]);
    let answer =
        "164329785523876149978451632895643217647215893312987456231568974756194328489732561";
    let without = marks.replacen("123456789", "12345.789", 1);
    let line = format!("{without} {answer}\n");
    let (output, ..) = run_with("--verify", line.as_bytes());
    assert_eq!(
        output,
        format!("{answer}\tincorrect\tr1c2 is 6, which is not among its pencilmarks\n")
    );
}

#[test]
fn an_answer_to_pencilmarks_is_drawn_and_their_givens_are_counted() {
    let (solution, ..) = run_with("-o solution", format!("{PUZZLE}\n").as_bytes());
    let line = format!("{} {solution}", pencilmarks(PUZZLE));
    let givens = PUZZLE.bytes().filter(|&symbol| symbol != b'.').count();
    let (output, ..) = run_with("--verify -o status,givens", line.as_bytes());
    assert_eq!(output, format!("correct\t{givens}\n"));
    let (of_marks, ..) = run_with("--verify --draw", line.as_bytes());
    let (of_digits, ..) = run_with("--verify --draw", format!("{PUZZLE} {solution}").as_bytes());
    assert!(of_marks.starts_with("+-------+"), "{of_marks}");
    assert_eq!(of_marks, of_digits);
}

#[test]
fn sumocue_lines_hold_givens_and_regions() {
    let line = "SumoCueV1=0J0=0J0=2J0=3J1=0J2=0J2=0J0=0J1=0J3=0J2=0J2=1J1=0J3=0J3=0J3=0J1";
    check(&[(
        &format!("{line}\n"),
        "--variant jigsaw -o puzzle,regions,status",
        "..23.......1....\tAAABCCABDCCBDDDB\tunique\n",
        "",
        0,
    )]);
    check_output_lines(&[
        (line, "-o regions,status", "AAABCCABDCCBDDDB\tunique"),
        (
            "SumoCueV1=1=0=0=0=0=0=3=0=0=2=0=0=0=0=0=4",
            "-o puzzle,status",
            "1.....3..2.....4\tunique",
        ),
    ]);
    check_invalid(&[(
        line,
        "--regions AAAABBBBCCCCDDDD",
        "the line has its own regions, but --regions sets one layout for all lines",
    )]);
}

#[test]
fn a_jigsaw_has_the_same_path_whatever_numbers_its_regions_have() {
    let layout = "AAABCCABDCCBDDDB";
    let sumocue = |numbers: &str| {
        let cells = "..23.......1....".bytes().zip(numbers.bytes());
        let cells = cells.map(|(given, region)| {
            let given = if given == b'.' { b'0' } else { given };
            format!("={}J{}", char::from(given), char::from(region))
        });
        format!("SumoCueV1{}", cells.collect::<String>())
    };
    let columns = "-o regions,path";
    let line = format!("..23.......1.... {layout}");
    let (expected, ..) = run_with(&format!("--variant jigsaw {columns}"), line.as_bytes());
    assert!(expected.contains("region"), "{expected}");
    for numbers in ["0001220132213331", "1112331243324442", "3332113201120002"] {
        let line = sumocue(numbers);
        assert_eq!(run_with(columns, line.as_bytes()).0, expected, "{line}");
    }
}

#[test]
fn layouts_of_lines_and_of_options_are_combined() {
    let layout = "AAABCABBCCDBCDDD";
    let blank = "................";
    let replaced = "the line has its own boxes, which --regions would replace; --variant regions adds the regions to them";
    let count = "--count 1000 -o solutions";
    let cages = format!("2x2::k:{}", "0:".repeat(16));
    for line in ["2x2:p", &cages] {
        check_invalid(&[(line, &format!("--regions {layout}"), replaced)]);
        let both = format!("--variant regions --regions {layout} {count}");
        let found = [line, blank].map(|line| run_with(&both, line.as_bytes()).0);
        assert_eq!(found, ["72\n", "72\n"], "{line}");
    }
    let sumocue = "SumoCueV1=1=0=0=0=0=0=3=0=0=2=0=0=0=0=0=4";
    let puzzle = "1.....3..2.....4";
    let columns = "-o puzzle,regions,status";
    let with_boxes = format!("{puzzle}\t-\tunique");
    for variants in ["classic", "jigsaw", "regions"] {
        let options = format!("--variant {variants} {columns}");
        check_output_lines(&[(sumocue, &options, &with_boxes)]);
    }
    let fields = "--fields puzzle,regions --variant jigsaw";
    for (regions, expected) in
        [("-", with_boxes), ("AABBAABBCCDDCCDD", format!("{puzzle}\tAABBAABBCCDDCCDD\tunique"))]
    {
        let line = format!("{sumocue} {regions}");
        check_output_lines(&[(&line, &format!("{fields} {columns}"), &expected)]);
    }
    let apart = "SumoCueV1=0J0=0J0=2J0=3J1=0J2=0J2=0J0=0J1=0J3=0J1=0J2=1J1=0J3=0J3=0J3=0J2";
    check_invalid(&[(
        apart,
        "",
        "region B is not connected: r3c2 is apart from r1c4 (--disconnected allows this)",
    )]);
    check_output_lines(&[(apart, "--disconnected -o status,regions", "none\tAAABCCABDBCBDDDC")]);
}

#[test]
fn redundant_extra_groups_do_not_change_forms() {
    let puzzles = "12..............\n..12............\n..............21\n";
    for variant in ["classic", "antiknight", "antiking"] {
        let options = format!("--variant {variant} -o canonical");
        let (expected, ..) = run_with(&options, puzzles.as_bytes());
        for extra in ["..AA..AA........", "AAAA............", "AA..B...B......."] {
            let options = format!("{options} --extra {extra}");
            let (forms, ..) = run_with(&options, puzzles.as_bytes());
            assert_eq!(forms, expected, "{options}");
        }
    }
}

#[test]
fn named_fields_are_read_and_copied() {
    check(&[
        (
            "7\t1.....3..2.....4\tx y\n8 1.....3..2.....4 z, and more\n9\n",
            "--fields id,puzzle,note -o id,status,note,rest",
            "7\tunique\tx y\t-\n8\tunique\tz\tand more\n-\tinvalid\t-\t-\n",
            "-:3: the puzzle is missing\n",
            1,
        ),
        (
            "1342243142133124 a 1.....3..2.....4\n",
            "--fields answer,id,puzzle --verify -o id,puzzle,answer,status",
            "a\t1.....3..2.....4\t1342243142133124\tcorrect\n",
            "",
            0,
        ),
        (
            "AABBAABBCCDDCCDD\t1.....3..2.....4\n",
            "--fields regions,puzzle --variant jigsaw -o regions,solution",
            "AABBAABBCCDDCCDD\t1342243142133124\n",
            "",
            0,
        ),
        (
            "1.....3..2.....4\n",
            "--fields puzzle,regions --variant jigsaw",
            "1.....3..2.....4\tinvalid\n",
            "-:1: the regions are missing; expected PUZZLE REGIONS\n",
            1,
        ),
    ]);
}

#[test]
fn drawn_puzzles_are_numbered_by_their_first_line() {
    let drawn = "\
[Puzzle]
+---+---+
|1 .|. .|
|. .|3 .|
+---+---+
|. 2|. .|
|. .|. 4|
+---+---+

# another
1.
.
1...
..3.
";
    check(&[(
        drawn,
        "--input grid -o line,input,solution,status",
        "3\t1... ..3. .2.. ...4\t1342243142133124\tunique\n\
         11\t1. . 1... ..3.\t1. . 1... ..3.\tinvalid\n",
        "-:11: row 1 has 2 cells, row 3 has 4\n",
        1,
    )]);
}

#[test]
fn input_line_is_the_default() {
    let lines = "1.....3..2.....4\n1...\n";
    let output = "1342243142133124\tunique\n1...\tinvalid\n";
    let messages = "-:2: 4 cells; a 4x4 puzzle has 16";
    for options in ["", "--input line"] {
        let (found, printed, status) = run_with(options, lines.as_bytes());
        assert_eq!((found.as_str(), status), (output, Some(1)), "{options}");
        assert!(printed.starts_with(messages), "{options}: {printed}");
    }
}

#[test]
fn drawn_layouts_and_answers_follow_their_puzzle() {
    let puzzle = "1...\n..3.\n.2..\n...4\n\n";
    let layout = "AABB\nAABB\nCCDD\nCCDD\n\n";
    let answer = "1342\n2431\n4213\n3124\n";
    check(&[
        (
            &format!("{puzzle}{layout}{puzzle}{layout}"),
            "--input grid --variant jigsaw",
            "1342243142133124\tunique\n1342243142133124\tunique\n",
            "",
            0,
        ),
        (
            &format!("{puzzle}{layout}"),
            "--input grid --variant jigsaw --minimize",
            "1.....3..2.....4\tAABBAABBCCDDCCDD\tunique\n",
            "",
            0,
        ),
        (
            &format!("{puzzle}{answer}"),
            "--input grid --verify -o puzzle,status",
            "1.....3..2.....4\tcorrect\n",
            "",
            0,
        ),
        (
            &format!("{puzzle}{layout}{answer}"),
            "--input grid --verify --variant jigsaw -o status,regions",
            "correct\tAABBAABBCCDDCCDD\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn a_drawn_puzzle_with_rows_missing_is_one_invalid_line() {
    let puzzle = "1...\n..3.\n.2..\n...4\n";
    let answer = "1342\n2431\n4213\n3124\n";
    check(&[
        (
            &format!("1...\n..3.\n.2..\n\n{puzzle}\n1...\n..3.\n.2.\n...4\n\n{puzzle}"),
            "--input grid -o line,status",
            "1\tinvalid\n5\tunique\n10\tinvalid\n15\tunique\n",
            "-:1: 3 rows of 4 cells; a 4x4 puzzle has 4\n\
             -:10: row 3 has 3 cells, row 1 has 4\n",
            1,
        ),
        (
            &format!("{puzzle}\n1342\n2431\n4213\n\n{puzzle}\n{answer}"),
            "--input grid --verify -o line,status",
            "1\tinvalid\n10\tcorrect\n",
            "-:1: 7 rows of 4 cells; a 4x4 puzzle and its answer have 8\n",
            1,
        ),
        (
            &format!("Grid 1\n{puzzle}Grid 2\n1...\n..3.\nGrid 3\n{puzzle}"),
            "--input grid -o line,status",
            "2\tunique\n7\tinvalid\n10\tunique\n",
            "-:7: 2 rows of 4 cells; a 4x4 puzzle has 4\n",
            1,
        ),
        (
            &format!("[Puzzle]\n{puzzle}[State]\n{answer}[PencilMarks]\n1,2,3\n"),
            "--input grid --verify -o line,status",
            "2\tcorrect\n",
            "",
            0,
        ),
    ]);
}

#[test]
fn one_lost_row_costs_at_most_one_puzzle() {
    // A hundred puzzles, separated by blank lines. Each fault is made in the first, a middle and
    // the last puzzle.
    let classic =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/data/bench/easy.txt"));
    let classic = classic.unwrap();
    let puzzles = classic.lines().filter(|line| line.len() == 81).take(100);
    let lines: Vec<String> = puzzles
        .flat_map(|puzzle| {
            let rows = puzzle.as_bytes().chunks(9);
            let rows = rows.map(|row| String::from_utf8(row.to_vec()).unwrap());
            rows.chain([String::new()]).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(lines.len(), 1000);
    let statuses = |lines: &[String]| {
        let text = lines.join("\n");
        let (output, ..) = run_with("--input grid -o puzzle,status", text.as_bytes());
        output.lines().map(str::to_string).collect::<Vec<_>>()
    };
    let intact = statuses(&lines);
    assert_eq!(intact.len(), 100);
    for at in [0, 4, 503, 998] {
        let faults: [fn(&mut Vec<String>, usize); 4] = [
            |lines, at| drop(lines.remove(at)),
            |lines, at| {
                lines[at].remove(3);
            },
            |lines, at| lines.insert(at, "Puzzle 100".to_string()),
            |lines, at| lines.insert(at, "Grid 01".to_string()),
        ];
        for (fault, plant) in faults.iter().enumerate() {
            let mut faulty = lines.clone();
            plant(&mut faulty, at);
            let found = statuses(&faulty);
            let lost = intact.iter().filter(|line| !found.contains(line)).count();
            let invalid = found.iter().filter(|line| line.ends_with("\tinvalid")).count();
            assert!(lost <= 1 && invalid <= 2, "fault {fault} at {at}: {lost} lost");
            assert!(found.len() <= 101, "fault {fault} at {at}: {}", found.len());
        }
    }
}

#[test]
fn a_plus_before_a_digit_is_accepted() {
    let hodoku = ":0000:x:1+3+4.+2.3..2.....4:::";
    let nine = "+1+6+4+3+2+9+7+8+5+5+2+3+8+7+6+1+4+9+9784516328956432176472158933129874562315689....................";
    let nine_cells = nine.replace('+', "");
    check(&[
        (
            &format!("1+3+4.+2.3..2.....4\n{}\n1+.....3..2.....4\n", "+1".repeat(16)),
            "-o puzzle,status",
            "134.2.3..2.....4\tunique\n1111111111111111\tnone\n1+.....3..2.....4\tinvalid\n",
            "-:3: 17 cells; a 4x4 puzzle has 16\n",
            1,
        ),
        (
            &format!("{hodoku}\n"),
            "--fields a,b,c,puzzle -o puzzle,status",
            "134.2.3..2.....4\tunique\n",
            "",
            0,
        ),
        // The cells alone give the side: 81 with 19 marks are no 10x10, and 15 with one no 4x4.
        (
            &format!("{nine}\n1+2.............\n"),
            "-o puzzle,status",
            &format!("{nine_cells}\tmultiple\n1+2.............\tinvalid\n"),
            "-:2: 15 cells; a 4x4 puzzle has 16\n",
            1,
        ),
        (
            &format!(
                "{nine} AAABBBCCCAAABBBCCCAAABBBCCCDDDEEEFFFDDDEEEFFFDDDEEEFFFGGGHHHIIIGGGHHHIIIGGGHHHIII\n"
            ),
            "--variant jigsaw -o status",
            "multiple\n",
            "",
            0,
        ),
        (&format!("{nine}\n"), "--box 3x3 -o status", "multiple\n", "", 0),
        (
            &format!("id puzzle\n7 {nine}\n").replace(' ', ","),
            "--csv -o status",
            &format!("id,puzzle,status\n7,{nine},multiple\n"),
            "",
            0,
        ),
        (
            &format!("{{\"puzzle\":\"{nine}\"}}\n"),
            "--json -o status",
            &format!("{{\"puzzle\":\"{nine}\",\"status\":\"multiple\"}}\n"),
            "",
            0,
        ),
        (
            &format!("x:y:{nine}\n"),
            "-o status",
            "invalid\n",
            "-:1: 1 cell; a 4x4 puzzle has 16 (field 3 is a puzzle: --csv --header puzzle=NAME if the first line names the fields, or else --fields with their names)\n",
            1,
        ),
        (
            &format!("{}\n", "+1 . . +2 . . ".repeat(6).trim_end()),
            "-o status,puzzle",
            &format!("none\t{}\n", "1..2..".repeat(6)),
            "",
            0,
        ),
        (
            "1.....3..2.....4 +1+3+4+2+2+4+3+1+4+2+1+3+3+1+2+4\n",
            "--verify",
            "1342243142133124\tcorrect\t-\n",
            "",
            0,
        ),
        // A symbol `+` of --symbols is a digit.
        ("+12.............\n", "--symbols +123 -o status", "multiple\n", "", 0),
    ]);
}

#[test]
fn regions_beside_boxes_and_extra_groups_are_checked() {
    check(&[
        (
            "1............... ABCDBADCCDABDCBA\n1...............\n",
            "--variant regions -o status,regions",
            "invalid\t-\ninvalid\t-\n",
            "-:1: region A is not connected: r2c2 is apart from r1c1 (--disconnected allows this)\n-:2: the regions are missing; expected PUZZLE REGIONS\n",
            1,
        ),
        (
            "12..............\n12....1.........\n",
            "--extra A..A..A......... -o status",
            "multiple\nnone\n",
            "",
            0,
        ),
        (
            "1.................................... x\n",
            "--extra A..A..A.........",
            "1.................................... x\tinvalid\n",
            "-:1: 37 cells; a 6x6 puzzle has 36\n",
            1,
        ),
    ]);
    let (output, ..) = run_with(
        "--variant regions --disconnected --count 500 -o solutions",
        b"................ ABCDBADCCDABDCBA\n................ AABBAABBCCDDCCDD\n",
    );
    let counts: Vec<usize> = output.lines().map(|count| count.parse().unwrap()).collect();
    assert!(counts[0] < 288 && counts[1] == 288, "{counts:?}");
    let (_, messages, status) = run_with("--extra AAAAA...........", b"");
    assert_eq!(status, Some(2));
    assert!(messages.starts_with("--extra: extra A has 5 cells; the limit is 4"), "{messages}");
    let (_, messages, _) = run_with(
        "--extra A..A..A.........",
        b".................................................................................\n",
    );
    assert_eq!(messages, "-:1: 16 symbols for the extra groups; a 9x9 puzzle has 81 cells\n");
}

#[test]
fn a_size_that_the_variant_does_not_support_is_invalid() {
    check(&[(
        "................\n.................................................................................\n",
        "--variant asterisk -o status",
        "invalid\nmultiple\n",
        "-:1: a 4x4 puzzle has no asterisk; only 9x9 puzzles have one\n",
        1,
    )]);
}

#[test]
fn known_numbers_of_grids_are_counted() {
    for (options, number) in [("", "288"), ("--variant diagonal", "48")] {
        let options = format!("{options} --count 1000 -o solutions");
        check_output_lines(&[("................", &options, number)]);
    }
    let blank = ".".repeat(81);
    let options = "--variant antiking,antiknight,nonconsecutive --count 100 -o solutions";
    check_output_lines(&[(&blank, options, "72")]);
}

/// Returns a cyclic 12x12 grid with 3x4 boxes as numbers; every fifth cell is blank.
fn numbered_rows() -> Vec<String> {
    let number = |row: usize, column: usize| (4 * (row % 3) + row / 3 + column) % 12 + 1;
    let cell = |row, column| match (12 * row + column) % 5 {
        0 => "-".to_string(),
        _ => number(row, column).to_string(),
    };
    let row = |row| (0..12).map(|column| cell(row, column)).collect::<Vec<_>>();
    (0..12).map(|index| row(index).join(" ")).collect()
}

#[test]
fn cells_of_large_grids_are_numbers() {
    let rows = numbered_rows();
    let drawn = rows.join("\n") + "\n";
    let expected = "unique\t115\t-2345-789A-C";
    for (options, text) in [
        ("--input grid", drawn.clone()),
        ("--input grid", drawn.replace("5 -", "5 | -")),
        ("--input grid", rows.join(" ") + "\n"),
        ("", rows.join(" ") + "\n"),
        ("", rows.join(", ").replace(' ', ",").replace(",,", ",") + "\n"),
    ] {
        let options = format!("{options} -o status,givens,puzzle");
        let (output, messages, _) = run_with(&options, text.as_bytes());
        assert!(output.starts_with(expected), "{text}{output}{messages}");
        assert_eq!(output.lines().count(), 1, "{text}");
    }
    // Twelve groups of two symbols are a row of a 24x24.
    let groups = "10 11 12 01 02 03 04 05 06 07 08 09\n";
    let (_, messages, _) = run_with("--input grid", groups.as_bytes());
    assert_eq!(messages, "-:1: 1 row of 24 cells; a 24x24 puzzle has 24\n");
}

#[test]
fn a_grid_can_be_on_one_line() {
    let solved = "164329785523876149978451632895643217647215893312987456231568974756194328489732561\tunique\n";
    let rows = |separator: &str| {
        let rows: Vec<&str> = (0..9).map(|row| &PUZZLE[9 * row..][..9]).collect();
        rows.join(separator) + "\n"
    };
    let cells: Vec<String> = PUZZLE.chars().map(String::from).collect();
    for line in [rows(" "), rows(", "), cells.join(" ") + "\n", cells.join(",") + "\n"] {
        for options in ["", "--input grid"] {
            let (output, messages, _) = run_with(options, line.repeat(2).as_bytes());
            assert_eq!(output, solved.repeat(2), "{line}{messages}");
        }
    }
    let numbers: Vec<String> =
        PUZZLE.chars().map(|it| format!("0{it}").replace("0.", "0")).collect();
    assert_eq!(run_with("", (numbers.join(",") + "\n").as_bytes()).0, solved);
    // An entry that lacks a row does not affect a grid on one line after it.
    let text = format!("1...\n..3.\n.2..\n{}1..\n", rows(" "));
    let (output, ..) = run_with("--input grid -o line,status", text.as_bytes());
    assert_eq!(output, "1\tinvalid\n4\tunique\n5\tinvalid\n");
    // A layout on one line, and the rows of a note, which are skipped.
    let blank = ".".repeat(36);
    let layout = "AAABBB AAABBB CCCDDD CCCDDD EEEFFF EEEFFF";
    let text = format!(
        "{}\n{layout}\n",
        blank.as_str().chars().map(String::from).collect::<Vec<_>>().join(" ")
    );
    let (output, ..) = run_with("--input grid --variant jigsaw -o status,regions", text.as_bytes());
    assert_eq!(output, format!("multiple\t{}\n", layout.replace(' ', "")));
    let text = format!("[Puzzle]\n{}[PencilMarks]\n{}", rows("\n"), rows(" "));
    let (output, ..) = run_with("--input grid", text.as_bytes());
    assert_eq!(output, solved);
}

#[test]
fn groups_of_candidates_on_one_line_are_pencilmarks() {
    let marks = run_with("-q -o pencilmarks", format!("{PUZZLE}\n").as_bytes()).0;
    let groups: Vec<String> = marks
        .trim()
        .as_bytes()
        .chunks(9)
        .map(|cell| String::from_utf8_lossy(cell).replace('.', ""))
        .collect();
    let expected = run_with("-q -o status,solution,pencilmarks", marks.as_bytes()).0;
    assert!(expected.starts_with("unique\t"), "{expected}");
    for separator in [" ", ","] {
        let line = groups.join(separator) + "\n";
        let found = run_with("-q -o status,solution,pencilmarks", line.repeat(9).as_bytes());
        assert_eq!(found, (expected.repeat(9), String::new(), Some(0)), "{line}");
    }
    let csv = format!("puzzle\n\"{}\"\n", groups.join(" "));
    let options = "-q --output lines -o status,solution,pencilmarks";
    assert_eq!(run_with(options, csv.as_bytes()).0, expected);
    // The digits of the player in a file of SudoCue.
    let entered = groups.join(" ").replacen(&groups[0], "u1", 1);
    assert_eq!(run_with("-q -o status,solution,pencilmarks", entered.as_bytes()).0, expected);
}

#[test]
fn fields_of_csv_and_between_tabs_have_blanks_between_cells() {
    let cells: Vec<String> = PUZZLE.chars().map(String::from).collect();
    let answer =
        "164329785523876149978451632895643217647215893312987456231568974756194328489732561";
    let answers: Vec<String> = answer.chars().map(String::from).collect();
    let csv = format!("puzzle,answer\n{},\"{}\"\n", cells.join(" "), answers.join(","));
    let (output, ..) = run_with("--csv --verify -o status,blanks", csv.as_bytes());
    assert!(output.ends_with(",correct,50\n"), "{output}");
    let line = format!("7\t{}\n", cells.join(" "));
    let (output, ..) = run_with("--fields id,puzzle -o id,puzzle,status", line.as_bytes());
    assert_eq!(output, format!("7\t{PUZZLE}\tunique\n"));
}

/// Returns the pencilmarks of a blank grid of this side.
fn blank_pencilmarks(side: usize) -> String {
    "123456789ABCDEFGHIJKLMNOP"[..side].repeat(side * side)
}

#[test]
fn pencilmarks_of_every_size_are_read() {
    for side in [6, 8, 10, 12, 14, 15] {
        let marks = blank_pencilmarks(side);
        let one = ".".repeat(side - 1) + &marks[side - 1..];
        let lines = format!("{marks}\n{one}\n");
        let (output, ..) = run_with("-o status,givens", lines.as_bytes());
        assert_eq!(output, "multiple\t0\nmultiple\t1\n", "{side}");
        let (output, ..) = run_with("--reveal r1c1 -o puzzle", lines.as_bytes());
        assert_eq!(output, lines, "{side}");
        let (output, ..) = run_with("--shuffle -o puzzle", lines.as_bytes());
        let (back, ..) = run_with("-o status,givens", output.as_bytes());
        assert_eq!(back, "multiple\t0\nmultiple\t1\n", "{side}");
    }
}

#[test]
fn an_option_decides_if_a_length_fits_a_puzzle_and_pencilmarks() {
    let marks = "1....2....3....4..3....412..12...2..1......4..3....4..3.12..12..";
    let with_answer = format!("{marks} 1234341221434321");
    check_output_lines(&[
        (marks, "-o status,puzzle", &format!("none\t{marks}")),
        (marks, "--input pencilmarks -o status,givens", "multiple\t12"),
        (&with_answer, "--input pencilmarks --verify -o status", "correct"),
        (
            &format!("7\t{marks}"),
            "--input pencilmarks --fields id,puzzle -o id,status",
            "7\tmultiple",
        ),
        ("1.....3..2.....4", "--input pencilmarks", "1342243142133124\tunique"),
        (marks, "--input line -o status", "none"),
    ]);
    let (output, ..) = run_with(
        "--input pencilmarks --verify -o reason",
        with_answer.replacen("3....4", "3.1...", 1).as_bytes(),
    );
    assert_eq!(output, "r1c4 is 4, which is not among its pencilmarks\n");
    check_invalid(&[(
        &marks.replacen('2', "1", 1),
        "--input pencilmarks",
        "'1' in the pencilmarks of r1c2; expected '2' or a blank",
    )]);
    let (output, ..) =
        run_with("--input pencilmarks --csv -o status", format!("puzzle\n{marks}\n").as_bytes());
    assert!(output.ends_with(",multiple\n"), "{output}");
    // Pencilmarks of an 8x8 and its layout, or a 16x16 with a layout of two regions.
    let rows = ["AAAABBBB", "CCCCDDDD", "EEEEFFFF", "GGGGHHHH"];
    let line = format!("{} {}\n", blank_pencilmarks(8), rows.map(|row| row.repeat(2)).concat());
    let jigsaw = run_with("--variant jigsaw -o status", line.as_bytes());
    assert_eq!(jigsaw.1, "-:1: region 1 has 32 cells instead of 16\n");
    let jigsaw = run_with("--variant jigsaw --input pencilmarks -o status", line.as_bytes());
    assert_eq!(jigsaw.0, "multiple\n");
}

#[test]
fn addresses_of_puzz_link_are_puzzles() {
    let nine = "sudoku/9/9/53h7j6h195j98j6g8i6i34h8g3h17i2i6g6j28j419h5j8h79";
    let puzzle =
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let answer =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    check_output_lines(&[
        (nine, "-o puzzle,status", &format!("{puzzle}\tunique")),
        (&format!("https://puzz.link/p?{nine} {answer}"), "--verify -o status", "correct"),
        (
            "http://pzv.jp/p.html?sudoku/4/4/1k3h2k4",
            "-q --reveal r1c2",
            "13....3..2.....4\t-\t-\tunique",
        ),
        ("sudoku/4/4/1k3h2k4", "-q --minimize", "1.....3..2.....4\t-\t-\tunique"),
    ]);
    check_invalid(&[
        ("sudoku/9/9/53", "", "the list has 2 cells instead of 81"),
        ("sudoku/4/4/h7m", "", "'7' at r1c3 is not a digit of a 4x4 puzzle"),
    ]);
}

#[test]
fn a_layout_directly_follows_its_puzzle_in_162_characters() {
    let layout = ["AAABBBCCC", "DDDEEEFFF", "GGGHHHIII"].map(|rows| rows.repeat(3)).concat();
    check_output_lines(&[(
        &format!("{PUZZLE}{layout}"),
        "--variant jigsaw -o puzzle,regions,status",
        &format!("{PUZZLE}\t{layout}\tunique"),
    )]);
}

/// Returns the status of a puzzle with a layout and cages, each `-` if there are none, in every
/// form of input.
fn statuses_in_all_forms(variants: &str, [puzzle, regions, cages]: [&str; 3]) -> [String; 4] {
    let expected = [("jigsaw", regions), ("regions", regions), ("killer", cages)];
    let expected = expected.iter().filter(|(name, _)| variants.contains(name));
    let fields = expected.map(|(_, field)| *field).collect::<Vec<_>>().join(" ");
    let all = [puzzle, regions, cages];
    [
        ("", format!("{puzzle} {fields}\n")),
        ("--fields id,puzzle,regions,cages", format!("7\t{}\n", all.join("\t"))),
        ("--csv", format!("puzzle;regions;cages\n{}\n", all.join(";"))),
        (
            "--json",
            format!(
                "{{\"puzzle\":\"{puzzle}\",\"regions\":\"{regions}\",\"cages\":\"{cages}\"}}\n"
            ),
        ),
    ]
    .map(|(form, input)| {
        let options = format!("{form} --variant {variants} -o status -q");
        let output = run_with(&options, input.as_bytes()).0;
        let last = output.lines().last().unwrap_or_default();
        let word = last.rsplit(['\t', ';', ':']).next().unwrap_or_default();
        word.trim_matches(['"', '}']).to_string()
    })
}

#[test]
fn fields_besides_a_puzzle_that_states_its_rules_count_alike_in_all_forms() {
    let sumocue = format!("SumoCueV1=1{}", "=0".repeat(15));
    let own_regions = "4j:1o,_b_aa_f__a__a";
    let layout = "AAABCCABDCCBDDDB";
    let cage = "3<00000000000000";
    // No grid with a 1 in the first cell has this cage.
    let cage_of_six = "6<00000000000000";
    for (variants, puzzle, regions, cages, status) in [
        ("jigsaw", "sudoku/4/4/1u", layout, "-", "multiple"),
        // The layout has no grid with these diagonals, the boxes have.
        ("jigsaw,diagonal", "sudoku/4/4/1u", layout, "-", "none"),
        ("jigsaw,diagonal", "sudoku/4/4/1u", "-", "-", "multiple"),
        ("jigsaw,diagonal", &sumocue, layout, "-", "none"),
        ("jigsaw,diagonal", &sumocue, "-", "-", "multiple"),
        ("jigsaw,diagonal", own_regions, "AABBAABBCCDDCCDD", "-", "none"),
        // Boxes that the layout would replace; boxes to which it adds.
        ("jigsaw,diagonal", "2x2:1o", layout, "-", "multiple"),
        ("regions", "2x2:1o", layout, "-", "none"),
        ("regions", "2x2:1o", "-", "-", "multiple"),
        ("killer", "2x2:1o", "-", cage, "multiple"),
        ("killer", "2x2:1o", "-", cage_of_six, "none"),
        ("killer", "sudoku/4/4/1u", "-", cage_of_six, "none"),
        ("killer,jigsaw", "sudoku/4/4/1u", layout, cage_of_six, "none"),
        ("killer,jigsaw", "sudoku/4/4/1u", layout, "-", "multiple"),
        ("jigsaw", "sudoku/4/4/1u", "AAAB", "-", "invalid"),
        ("killer", "2x2:1o", "-", "x", "invalid"),
    ] {
        let found = statuses_in_all_forms(variants, [puzzle, regions, cages]);
        assert_eq!(found, [status; 4], "{variants} {puzzle} {regions} {cages}");
    }
}

#[test]
fn the_equivalent_of_a_puzzle_with_a_layout_besides_it_has_that_layout() {
    let input = "sudoku/4/4/1u\tAAABCCABDCCBDDDB\n";
    for form in ["", "--fields puzzle,regions"] {
        let options = format!("--variant jigsaw {form}");
        let (shuffled, ..) = run_with(&format!("{options} --shuffle"), input.as_bytes());
        let canonical =
            |text: &str| run_with(&format!("{options} -o canonical"), text.as_bytes()).0;
        assert_eq!(canonical(&shuffled), "...............1AAAABCDDBCCDBBCD\n", "{shuffled}");
    }
}

#[test]
fn a_link_with_the_cells_of_a_puzzle_is_a_puzzle() {
    let cells = "1.....3..2.....4";
    for link in [
        format!("https://example.org/play/{cells}"),
        format!("http://www.example.org/?id=7&bd={cells}&x"),
        format!("https://example.org/s?s={cells}#top"),
        format!("https://example.org/?bd={}", cells.replace('.', "0")),
    ] {
        assert_eq!(run_with("", link.as_bytes()).0, "1342243142133124\tunique\n", "{link}");
    }
    for link in [
        format!("https://example.org/{cells}/{cells}"),
        format!("https://f-puzzles.com/?load={cells}"),
        format!("https://sudokupad.app/{cells}"),
        "https://example.org/abcdefghijklmnop".to_string(),
    ] {
        let (_, messages, status) = run_with("", link.as_bytes());
        assert!(messages.contains("this is a link"), "{messages}");
        assert_eq!(status, Some(1));
    }
}
