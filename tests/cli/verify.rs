//! `--verify`: reasons, their order, lines without an answer, and `--unique`.

use crate::run::{check, check_invalid, check_output_lines, run_with};

/// A puzzle with several solutions.
const AMBIGUOUS: &str = "12..............";
/// A puzzle with one solution.
const UNIQUE: &str = "123434122143....";
/// A right answer to both.
const ANSWER: &str = "1234341221434321";

#[test]
fn a_right_answer_is_correct_with_every_field_separator() {
    for separator in [" ", "\t", ",", ";", ":", " , "] {
        let line = format!("{UNIQUE}{separator}{ANSWER}{separator}rest");
        check_output_lines(&[(&line, "--verify", &format!("{ANSWER}\tcorrect\t-"))]);
    }
}

#[test]
fn every_kind_of_reason_is_reported() {
    for (answer, options, reason) in [
        ("1234341221.34321", "", "r3c3 is blank"),
        ("1234341221434320", "", "r4c4 is blank"),
        ("_234341221434321", "", "r1c1 is blank"),
        ("1334341221434321", "", "r1c2 is 3, given 2"),
        ("1233341221434321", "", "row 1 has 3 twice: r1c3 r1c4"),
        ("1234341243214321", "", "column 1 has 4 twice: r3c1 r4c1"),
        ("1234214334124321", "", "box 1 has 2 twice: r1c2 r2c1"),
        (ANSWER, "--variant diagonal", "diagonal 1 has 4 twice: r2c2 r3c3"),
        (ANSWER, "--variant window", "window 1 has 1 twice: r2c3 r3c2"),
    ] {
        check(&[(
            &format!("{AMBIGUOUS} {answer}"),
            &format!("--verify {options}"),
            &format!("{answer}\tincorrect\t{reason}\n"),
            "",
            1,
        )]);
    }
}

#[test]
fn the_first_of_several_reasons_is_reported() {
    // Each answer has several errors. A blank cell is the last reason.
    for (answer, reason) in [
        ("1334341221434.22", "r1c2 is 3, given 2"),
        ("12343412214.4322", "row 4 has 2 twice: r4c3 r4c4"),
        ("1234341243214322", "row 4 has 2 twice: r4c3 r4c4"),
        ("1234431234124321", "column 1 has 4 twice: r2c1 r4c1"),
    ] {
        check(&[(
            &format!("{AMBIGUOUS} {answer}"),
            "--verify --variant window,diagonal --unique",
            &format!("{answer}\tincorrect\t{reason}\n"),
            "",
            1,
        )]);
    }
    // The houses of variants are checked in the order of --variant.
    for (list, reason) in [
        ("window,diagonal", "window 1 has 1 twice: r2c3 r3c2"),
        ("diagonal,window", "diagonal 1 has 4 twice: r2c2 r3c3"),
        ("classic,x,hyper", "diagonal 1 has 4 twice: r2c2 r3c3"),
    ] {
        check(&[(
            &format!("{AMBIGUOUS} {ANSWER}"),
            &format!("--verify --variant {list}"),
            &format!("{ANSWER}\tincorrect\t{reason}\n"),
            "",
            1,
        )]);
    }
}

#[test]
fn a_line_without_an_answer_of_the_right_size_is_invalid() {
    for (line, reason) in [
        (UNIQUE.to_string(), "the answer is missing"),
        (format!("{UNIQUE},"), "the answer is missing"),
        (format!("{UNIQUE},,{ANSWER}"), "the answer is missing"),
        (format!("{UNIQUE} {ANSWER}1"), "17 cells in the answer, 16 in the puzzle"),
        (format!("{UNIQUE} 123434122143"), "12 cells in the answer, 16 in the puzzle"),
        (
            format!("{UNIQUE} 123434122143432z"),
            "answer: 'z' at r4c4 is neither a digit of a 4x4 puzzle nor a blank",
        ),
        (
            format!("{UNIQUE} 123434122143..00"),
            "answer: two symbols for blank cells, '.' and '0' (at r4c3); use one",
        ),
        (format!("123 {ANSWER}"), "3 cells; a 4x4 puzzle has 16"),
    ] {
        check_invalid(&[(&line, "--verify", reason), (&line, "--verify --unique", reason)]);
    }
}

#[test]
fn puzzle_and_answer_can_differ_in_blanks_and_letter_case() {
    let sixteen = crate::grids::symbols(&crate::grids::pattern(4, 4));
    let line = format!("{} {}", sixteen.to_lowercase(), sixteen);
    check_output_lines(&[(&line, "--verify", &format!("{sixteen}\tcorrect\t-"))]);
    check(&[(
        "1234341221430000 123434122143432.",
        "--verify",
        "123434122143432.\tincorrect\tr4c4 is blank\n",
        "",
        1,
    )]);
}

#[test]
fn jigsaws_are_checked_by_their_regions() {
    const ROW_REGIONS: &str = "AAAABBBBCCCCDDDD";
    let latin = "1234234134124123";
    check_output_lines(&[
        (
            &format!("{} {ROW_REGIONS} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            &format!("{latin}\tcorrect\t-"),
        ),
        (
            &format!("{}{ROW_REGIONS} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            &format!("{latin}\tcorrect\t-"),
        ),
        (
            &format!("{} {latin}", ".".repeat(16)),
            &format!("--verify --regions {ROW_REGIONS}"),
            &format!("{latin}\tcorrect\t-"),
        ),
    ]);
    let boxes = "AABBAABBCCDDCCDD";
    check(&[
        (
            &format!("{} {boxes} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            &format!("{latin}\tincorrect\tregion A has 2 twice: r1c2 r2c1\n"),
            "",
            1,
        ),
        (
            &format!("{} {ROW_REGIONS} {latin}", ".".repeat(16)),
            "--verify --variant jigsaw,diagonal",
            &format!("{latin}\tincorrect\tdiagonal 1 has 1 twice: r1c1 r3c3\n"),
            "",
            1,
        ),
    ]);
    check_invalid(&[
        (
            &format!("{} {ROW_REGIONS}", ".".repeat(16)),
            "--verify --variant jigsaw",
            "the answer is missing",
        ),
        (
            &format!("{} {ROW_REGIONS}x {latin}", ".".repeat(16)),
            "--verify --variant jigsaw",
            "17 region labels; a 4x4 puzzle has 16",
        ),
    ]);
}

#[test]
fn with_unique_a_right_answer_is_ambiguous_if_there_is_another_solution() {
    let line = format!("{AMBIGUOUS} {ANSWER}");
    check_output_lines(&[
        (&line, "--verify", &format!("{ANSWER}\tcorrect\t-")),
        (&format!("{UNIQUE} {ANSWER}"), "--verify --unique", &format!("{ANSWER}\tcorrect\t-")),
    ]);
    check(&[
        (&line, "--verify --unique", &format!("{ANSWER}\tambiguous\t-\n"), "", 1),
        (
            &line,
            "--verify --unique --method backtrack",
            &format!("{ANSWER}\tambiguous\t-\n"),
            "",
            1,
        ),
    ]);
}

#[test]
fn with_unique_an_answer_past_the_guess_limit_is_unknown() {
    let grid = crate::grids::symbols(&crate::grids::pattern(3, 3));
    check(&[(
        &format!("{} {grid}", ".".repeat(81)),
        "--verify --unique --max-guesses 1",
        &format!("{grid}\tunknown\tguesses\n"),
        "",
        1,
    )]);
}

#[test]
fn contradictory_givens_make_every_answer_incorrect() {
    check(&[(
        &format!("11.............. {ANSWER}"),
        "--verify --unique",
        &format!("{ANSWER}\tincorrect\tr1c2 is 2, given 1\n"),
        "",
        1,
    )]);
}

#[test]
fn a_changed_given_is_reported_for_every_cell_and_digit() {
    let solution = crate::grids::symbols(&crate::grids::pattern(3, 3));
    let (mut lines, mut output) = (String::new(), String::new());
    for (cell, found) in solution.chars().enumerate() {
        for given in ('1'..='9').filter(|&given| given != found) {
            let mut puzzle = ".".repeat(81);
            puzzle.replace_range(cell..=cell, &given.to_string());
            lines += &format!("{puzzle} {solution}\n");
            let place = format!("r{}c{}", cell / 9 + 1, cell % 9 + 1);
            output += &format!("{solution}\tincorrect\t{place} is {found}, given {given}\n");
        }
    }
    check(&[(&lines, "--verify", &output, "", 1)]);
}

#[test]
fn wrong_answers_get_scores() {
    const SCORES: &str = "--verify -q -o status,blanks,matching,conflicts";
    for (options, line, scores, status) in [
        // Right, with two cells exchanged, and with a given changed.
        ("", format!("{UNIQUE} {ANSWER}"), "correct\t4\t4\t0", 0),
        ("", format!("{UNIQUE} 1234341221434312"), "incorrect\t4\t2\t4", 1),
        ("", format!("{UNIQUE} 2234341221434321"), "incorrect\t4\t4\t3", 1),
        // A blank cell neither matches nor contradicts.
        ("", format!("{UNIQUE} 123434122143432."), "incorrect\t4\t3\t0", 1),
        // There is not exactly one solution.
        ("", format!("{AMBIGUOUS} {ANSWER}"), "correct\t14\t-\t0", 0),
        ("", format!("{AMBIGUOUS} 1234341221434312"), "incorrect\t14\t-\t4", 1),
        ("", format!("1122............ {ANSWER}"), "incorrect\t12\t-\t3", 1),
        // An ambiguous answer is correct, so its cells do not contradict each other.
        ("--unique", format!("{AMBIGUOUS} {ANSWER}"), "ambiguous\t14\t-\t0", 1),
        ("--unique", format!("{UNIQUE} 1234341221434312"), "incorrect\t4\t2\t4", 1),
        // The answer breaks only the diagonals.
        ("--variant diagonal", format!("{UNIQUE} {ANSWER}"), "incorrect\t4\t-\t8", 1),
        ("", format!("{UNIQUE} 123"), "invalid\t-\t-\t-", 1),
        // A limit leaves the answer checked, and the puzzle not solved.
        (
            "--method backtrack --max-guesses 1",
            format!("{AMBIGUOUS} {ANSWER}"),
            "correct\t14\t-\t0",
            0,
        ),
    ] {
        let (output, _, ended) = run_with(&format!("{SCORES} {options}"), line.as_bytes());
        assert_eq!((output, ended), (format!("{scores}\n"), Some(status)), "{line} {options}");
    }
}

#[test]
fn a_lenient_answer_is_the_grid_in_its_text() {
    const OPTIONS: &str = "--verify --lenient -q --fields puzzle,answer -o answer,status,score";
    for (answer, shown, score) in [
        (ANSWER, ANSWER, "correct\t1.0000"),
        ("1234 3412 2143|4321.", ANSWER, "correct\t1.0000"),
        ("Step 1: r1c1 is 1. Grid: 1234341221434321", ANSWER, "correct\t1.0000"),
        ("<answer>1234341221434321</answer>", ANSWER, "correct\t1.0000"),
        // A thought is no answer.
        ("<think>1234341221434321</think> no idea", "-", "incorrect\t0.0000"),
        ("<think>1234341221434321", "-", "incorrect\t0.0000"),
        ("<think>4321432143214321</think>1234341221434321", ANSWER, "correct\t1.0000"),
        // A grid without blanks, then the puzzle.
        ("It is 1234341221434321. Original puzzle: 123434122143....", ANSWER, "correct\t1.0000"),
        // Some rows.
        ("4321, then 1234 and 3412", "432112343412....", "incorrect\t0.0000"),
        // None.
        ("12343412214343211", "-", "incorrect\t0.0000"),
        ("", "-", "incorrect\t0.0000"),
        ("5678", "-", "incorrect\t0.0000"),
        // A digit above N is a wrong cell, and a row of three cells is a wrong row.
        ("1234 3412 2143 4521", "1234341221434.21", "incorrect\t0.7500"),
        ("[[1,2,3],[3,4,1,2],[2,1,4,3],[4,3,2,1]]", "....341221434321", "incorrect\t1.0000"),
        // Two kinds of blanks.
        ("123434122143._01", "123434122143...1", "incorrect\t0.2500"),
    ] {
        let line = format!("{UNIQUE}\t{answer}\n");
        let (output, ..) = run_with(OPTIONS, line.as_bytes());
        assert_eq!(output, format!("{shown}\t{score}\n"), "{line}");
    }
    check(&[
        (
            "puzzle,answer\n123434122143....,\"[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,1,2]]\"\n123434122143....,\n",
            "--csv --verify --lenient -o matching,score,blanks --require incorrect",
            "puzzle,answer,matching,score,blanks\n123434122143....,\"[[1,2,3,4],[3,4,1,2],[2,1,4,3],[4,3,1,2]]\",2,0.5000,4\n123434122143....,,0,0.0000,4\n",
            "",
            0,
        ),
        // In lines, the answer is the rest of the line.
        (
            &format!("{UNIQUE} the answer is 1234 3412 2143 4321.\n{UNIQUE} no idea\n{UNIQUE}\n"),
            "--verify --lenient --require incorrect,correct",
            &format!(
                "{ANSWER}\tcorrect\t-\n-\tincorrect\tno grid in the answer\n-\tincorrect\tno grid in the answer\n"
            ),
            "",
            0,
        ),
        // Records of several lines.
        (
            "puzzle,answer\n123434122143....,\"<think>4321?</think>\n\n1234\n3412\n2143\n4321\n\"\n",
            "--csv --output lines --verify --lenient",
            "1234341221434321\tcorrect\t-\n",
            "",
            0,
        ),
        // A line beside the grid is no row.
        (
            "puzzle,answer\n123434122143....,\"1234\n3412\n2143\n4321\nEach row has 1, 2, 3, 4.\"\n",
            "--csv --output lines --verify --lenient",
            "1234341221434321\tcorrect\t-\n",
            "",
            0,
        ),
        // Without one solution, and without a blank cell, there is no score.
        (&format!("{AMBIGUOUS} {ANSWER}\n"), "--verify -o matching,score", "-\t-\n", "", 0),
        (&format!("{ANSWER} {ANSWER}\n"), "--verify -o matching,score", "0\t-\n", "", 0),
        (&format!("{ANSWER} 12\n"), "--verify -q -o matching,score", "-\t-\n", "", 1),
    ]);
    let (_, messages, status) = run_with("--lenient --minimize", b"");
    let reason = "--lenient and --minimize cannot be used together";
    assert_eq!((messages.lines().next(), status), (Some(reason), Some(2)));
}

#[test]
fn scores_are_columns_of_every_format() {
    check(&[
        (
            "puzzle,answer\n123434122143....,1234341221434312\n",
            "--csv --verify -q -o reason,matching",
            "puzzle,answer,reason,matching\n123434122143....,1234341221434312,column 3 has 1 twice: r2c3 r4c3,2\n",
            "",
            1,
        ),
        (
            "7\t1234341221434312\t123434122143....\n",
            "--fields id,answer,puzzle --verify -q -o id,blanks,conflicts",
            "7\t4\t4\n",
            "",
            1,
        ),
    ]);
    let (_, messages, status) = run_with("-o matching", b"");
    assert_eq!(
        (messages.lines().next(), status),
        (Some("the column matching needs --verify"), Some(2))
    );
    check_output_lines(&[(UNIQUE, "-o blanks,givens", "4\t12")]);
}

#[test]
fn an_object_without_a_key_for_a_lenient_answer_is_invalid() {
    let puzzle = "\"puzzle\":\"1.....3..2.....4\"";
    let none = "the object has none of the keys answer, solution, solutions, solved; name its key with --header answer=KEY";
    let other = "the object has no key 'text'";
    for (options, answer, reason) in [
        ("", "", none),
        ("", ",\"text\":\"1342\"", none),
        ("--header answer=text", ",\"answer\":\"1342\"", other),
        ("", ",\"answer\":null", "no grid in the answer"),
        ("", ",\"answer\":\"\"", "no grid in the answer"),
    ] {
        let options = format!("--json --verify --lenient -q --output lines -o reason {options}");
        let (output, _, status) = run_with(&options, format!("{{{puzzle}{answer}}}\n").as_bytes());
        assert_eq!((output, status), (format!("{reason}\n"), Some(1)), "{answer}");
    }
}

#[test]
fn the_puzzle_can_be_in_a_prompt() {
    let grid = "Solve this:\n1 _ _ _\n_ _ 3 _\n_ 2 _ _\n_ _ _ 4\nwith the digits 1-4.";
    let other = "_ _ _ 1\n_ 3 _ _\n_ _ 2 _\n4 _ _ _";
    let answer = "1 3 4 2\n2 4 3 1\n4 2 1 3\n3 1 2 4";
    let object = |members: &str| format!("{{{}}}\n", members.replace('\n', "\\n"));
    let user = |text: &str| format!("{{\"role\":\"user\",\"content\":\"{text}\"}}");
    let reply = |text: &str| format!("{{\"role\":\"assistant\",\"content\":\"{text}\"}}");
    let chat = |messages: &[String]| object(&format!("\"messages\":[{}]", messages.join(",")));
    let prompt = |text: &str| object(&format!("\"prompt\":\"{text}\",\"answer\":\"{answer}\""));
    let example = format!("{other}\nSolution:\n2 4 3 1\n1 3 4 2\n3 1 2 4\n4 2 1 3\n");
    let full = format!("{answer}\nGive the grid like this.");
    for (record, expected) in [
        (prompt(grid), "1_____3__2_____4\tcorrect\t-"),
        (prompt(&grid.replace('_', "0").replace(' ', "")), ""),
        (object(&format!("\"question\":\"{grid}\",\"answer\":\"{answer}\"")), ""),
        (chat(&[user(grid), reply(answer)]), ""),
        (chat(&[user(grid), reply("1 2"), user("Are you sure?"), reply(answer)]), ""),
        (chat(&[user(other), reply("2 4 3 1"), user(grid), reply(answer)]), ""),
        (
            object(&format!(
                "\"conversations\":[{{\"from\":\"human\",\"value\":\"{grid}\"}},\
                 {{\"from\":\"gpt\",\"value\":\"{answer}\"}}]"
            )),
            "",
        ),
        // An example with its solution, and a full grid, are no puzzles.
        (prompt(&format!("{example}\nNow {grid}")), ""),
        (prompt(&format!("{grid}\n\n{full}")), "\tinvalid\tno puzzle in the text"),
        (prompt(&format!("{grid}\n\nor\n{other}")), "\tinvalid\t2 puzzles in the text"),
        (prompt("Solve the puzzle of today."), "\tinvalid\tno puzzle in the text"),
        (prompt(&grid.replace("_ 2 _ _", "_ 2 _")), "\tinvalid\tno puzzle in the text"),
        (prompt("Solve:\n1...\n..3.\n.2...\n...4"), "\tinvalid\tno puzzle in the text"),
        // The end of the sentence.
        (prompt("Solve:\n1...\n..3.\n.2..\n...4."), "1.....3..2.....4\tcorrect\t-"),
        (chat(&[user(grid)]), "\tinvalid\tthe object has none of the keys answer, solution, "),
    ] {
        let options = "--json --verify --lenient -q --output lines -o puzzle,status,reason";
        let (output, _, _) = run_with(options, record.as_bytes());
        let is_correct = output.ends_with("\tcorrect\t-\n");
        let is_expected = if expected.is_empty() { is_correct } else { output.contains(expected) };
        assert!(is_expected, "{record}{output}");
    }
    let csv = format!("id,question\n7,\"{grid}\"\n8,\"{other}, please\"\n");
    let (output, _, _) = run_with("--csv --lenient --keep id -o puzzle,status", csv.as_bytes());
    let puzzles = "7,1_____3__2_____4,unique\n8,___1_3____2_4___,unique\n";
    assert_eq!(output, format!("id,puzzle,status\n{puzzles}"));
    // Without the option, text is no puzzle.
    let (output, _, _) = run_with("--json -q --output lines -o status", prompt(grid).as_bytes());
    assert_eq!(output, "invalid\n");
}

#[test]
fn cells_that_conflict_and_cells_that_are_wrong_are_named() {
    let rules = ".Shape~4x4.Thermo~R1C2~R1C1.Sum~4~R4C3~R4C4";
    check_output_lines(&[
        // r1c1 and r1c2 are exchanged; the solution is 1342243142133124.
        (
            "1.....3..2.....4 3142243142133124",
            "--verify -q --require any -o conflicts,conflicting,wrong,matching",
            "4\tr1c1,r1c2,r4c1,r4c2\tr1c1,r1c2\t11",
        ),
        ("1.....3..2.....4 1342243142133124", "--verify -o conflicting,wrong", "-\t-"),
        // Blank cells are wrong, and conflict with nothing.
        (
            "1.....3..2.....4 134224314213312.",
            "--verify -q --require any -o conflicting,wrong",
            "-\tr4c4",
        ),
        // Several solutions.
        (
            "12.............. 1134341221434321",
            "--verify -q --require any -o conflicting,wrong",
            "r1c1,r1c2,r3c2\t-",
        ),
        // Rules that the puzzle states.
        (
            &format!("{rules} 1234341221434321"),
            "--verify -q --require any -o conflicts,conflicting",
            "4\tr1c1,r1c2,r4c3,r4c4",
        ),
        (
            "{\"puzzle\":\"1.....3..2.....4\",\"answer\":\"1342243142133122\"}",
            "--json --verify -q --require any -o wrong",
            "{\"puzzle\":\"1.....3..2.....4\",\"answer\":\"1342243142133122\",\"wrong\":[\"r4c4\"]}",
        ),
    ]);
}

const DRAWN: [&str; 2] = [
    "8.......6.41..9..7..376.2.......1...1..2..8.3.3.9..........714....1...62...3.....",
    "93...412..7..12........3...64.57..3......68..1..49.6.74.......2..9.....638.6..5.1",
];
const SOLVED: [&str; 2] = [
    "872513496641829537953764281568431729194276853237958614325697148789145362416382975",
    "936754128574812963812963475648571239795236814123498657461385792259147386387629541",
];

/// Text with each grid drawn: `P` and `Q` are puzzles, `S` and `T` their solutions.
fn drawn(text: &str) -> String {
    let rows = |grid: &str| {
        let rows: Vec<&str> = (0..9).map(|row| &grid[9 * row..][..9]).collect();
        rows.join("\n")
    };
    let text = text.replace("|", "\n");
    let lines = text.lines().map(|line| match line {
        "P" => rows(DRAWN[0]),
        "Q" => rows(DRAWN[1]),
        "S" => rows(SOLVED[0]),
        "T" => rows(SOLVED[1]),
        // A wrong solution: 7 in place of 8.
        "W" => rows(&SOLVED[0].replace('8', "7")),
        other => other.to_string(),
    });
    lines.collect::<Vec<_>>().join("\n") + "\n"
}

#[test]
fn titles_and_other_puzzles_can_be_between_a_puzzle_and_its_answer() {
    for (text, expected) in [
        ("P||Solution|S||Q||Solution:|T", "cc"),
        ("P|Solution|S", "c"),
        ("Puzzle||P||Solution||S", "c"),
        ("P||Solution||W", "i"),
        ("P||Q||S||T", "cc"),
        ("P||Q||Solutions||S||T", "cc"),
        ("Page 1|P|Page 2|Q|Solutions|S|T", "cc"),
        // A puzzle without an answer, and answers without a puzzle.
        ("P||Q||T", "-c"),
        ("P||Q||S", "c-"),
        ("P||Title|Q", "--"),
        ("P||Solution|T", "--"),
        ("P||Q||W||T", "c--"),
        // The number of a page.
        ("P||S||2", "c"),
    ] {
        for options in ["--verify", "--verify --input grid"] {
            let input = drawn(text);
            let options = format!("{options} -o status,reason");
            let (output, messages, status) = run_with(&options, input.as_bytes());
            let short = |line: &str| match line {
                "correct\t-" => 'c',
                "invalid\tthe answer is missing" => '-',
                _ => 'i',
            };
            let statuses: String = output.lines().map(short).collect();
            let mut statuses: Vec<char> = statuses.chars().collect();
            statuses.sort_unstable();
            let mut expected: Vec<char> = expected.chars().collect();
            expected.sort_unstable();
            assert_eq!(statuses, expected, "{text}: {messages}{output}");
            let is_right = expected.iter().all(|it| *it == 'c');
            assert_eq!(status, Some(i32::from(!is_right)), "{text}");
        }
    }
}

#[test]
fn every_full_grid_is_paired_or_counted() {
    for (text, lines, note) in [
        ("P||Q||S||T", 2, ""),
        ("P||Q||Solutions||T||S", 2, ""),
        ("P||S||T", 2, "-:21: a full grid, perhaps a solution, is listed as a puzzle\n"),
    ] {
        let (output, messages, status) = run_with("--input grid", drawn(text).as_bytes());
        assert_eq!((output.lines().count(), &*messages, status), (lines, note, Some(0)), "{text}");
    }
}

#[test]
fn a_damaged_drawing_costs_no_other_puzzle_its_answer() {
    let [first, second] = [["1...", "..3.", ".2..", "...4"], ["2...", "..4.", ".3..", "...1"]];
    let solutions = ["1342\n2431\n4213\n3124\n", "2413\n3142\n1324\n4231\n"];
    for lost in 0..4 {
        let mut rows = first.to_vec();
        rows.remove(lost);
        let puzzles = [rows.join("\n") + "\n", second.join("\n") + "\n"];
        let [one, two] = puzzles.each_ref();
        for drawn in [
            format!(
                "Puzzle 1\n\n{one}\nPuzzle 2\n\n{two}\nSolutions\n\n{}\n{}",
                solutions[0], solutions[1]
            ),
            format!("{one}\n\n{two}\n\n{}\n\n{}", solutions[0], solutions[1]),
            format!("{one}\n{}\n\n{two}\n{}", solutions[0], solutions[1]),
        ] {
            let (output, messages, status) =
                run_with("--input grid --verify -o status", drawn.as_bytes());
            assert_eq!(output.matches("correct\n").count(), 1, "{drawn}\n{output}{messages}");
            assert_eq!((output.contains("invalid\n"), status), (true, Some(1)), "{drawn}");
        }
    }
}
