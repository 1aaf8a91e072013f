//! Constraint strings: reasons of `--verify`, errors of a line, lines beside others, and drawings.

use std::collections::BTreeSet;

use crate::run::{check, check_invalid, run_with};

/// A full grid.
const ANSWER: &str =
    "123456789456789123789123456214365897365897214897214365531642978642978531978531642";

#[test]
fn every_kind_of_stated_rule_has_its_reason() {
    for (rules, reason) in [
        // Pairs of cells.
        (".Thermo~R1C1~R2C1~R2C9", "thermometer at r1c1: r2c1 is not less than r2c9"),
        (".Whisper~R1C1~R2C1", "whisper at r1c1: r1c1 is too close to r2c1"),
        (".Renban~R1C1~R1C2~R1C9", "renban at r1c1: r1c1 is in no run with r1c9"),
        (
            ".Modular~3~R1C1~R1C2~R1C4",
            "modular line at r1c1: r1c1 has the wrong remainder beside r1c4",
        ),
        (".Entropic~R1C1~R1C2", "entropic line at r1c1: r1c1 is in the same third as r1c2"),
        (".Palindrome~R1C1~R2C2~R2C1", "palindrome at r1c1: r1c1 is not equal to r2c1"),
        (".WhiteDot~R1C1~R2C1", "white dot at r1c1: r1c1 is not consecutive to r2c1"),
        (".BlackDot~R1C2~R1C3", "black dot at r1c2: r1c2 is not half or twice r1c3"),
        (".GreaterThan~R1C1~R1C2", "inequality at r1c1: r1c1 is not greater than r1c2"),
        (".X~R1C1~R1C2", "X at r1c1: r1c1 does not make 10 with r1c2"),
        (".V~R1C1~R1C2", "V at r1c1: r1c1 does not make 5 with r1c2"),
        (".StrictKropki", "negative dots at r1c1: r1c1 lacks its dot to r1c2"),
        (".StrictXV.V~R1C2~R1C3", "negative XV at r1c1: r1c1 lacks its X or V to r2c1"),
        (".Pair~____________-~R1C9~R1C1", "pairs at r1c9: r1c9 does not fit r1c1"),
        (".Pair~A~R1C1~R1C2", "pairs at r1c1: r1c1 does not fit r1c2"),
        (".Indexing~C~R2C1", "indexing at r2c1: r2c1 does not fit r2c4"),
        (".NumberedRoom~R2~9", "numbered room at r2c1: r2c1 does not fit r2c4"),
        (".Between~R1C1~R1C2~R1C3~R1C4", "-"),
        (".Between~R1C1~R1C5~R1C6~R1C3", "between line at r1c1: r1c1 is too close to r1c3"),
        (".Lockout~4~R1C1~R1C5~R1C2", "lockout line at r1c1: r1c1 does not fit r1c2"),
        (".SameValues~2~R1C1~R2C1", "same values at r1c1: r1c1 is not equal to r2c1"),
        (".SameValues~2~R1C1~R1C2~R2C4~R2C8", "same values at r1c1 does not hold"),
        (".SameValues~2~R1C1~R2C2~R2C7~R1C5", "-"),
        // Sums.
        (".Sum~4~R1C1~R1C2", "sum at r1c1 does not hold"),
        (".Sum~-1_=_1_-1~R1C1~R1C2", "-"),
        (".Arrow~R1C4~R1C1~R1C2", "arrow at r1c4 does not hold"),
        (".DoubleArrow~R1C1~R1C2~R1C3", "double arrow at r1c1 does not hold"),
        (".PillArrow~2~R1C1~R1C2~R1C9", "pill arrow at r1c1 does not hold"),
        (".LittleKiller~44~R1C1", "little killer at r1c1 does not hold"),
        (".Zipper~R1C1~R1C2~R1C9", "zipper at r1c1 does not hold"),
        (".EqualSum~R1C1~-~R1C2", "equal sums at r1c1 does not hold"),
        (".RegionSumLine~R1C3~R1C4", "region sum line at r1c3 does not hold"),
        // Counts.
        (".Quad~R1C1~9", "quadruple at r1c1 does not hold"),
        (".Quad~R1C1~1~5", "-"),
        (".ContainAtLeast~1_1~R1C1~R1C2", "contained digits at r1c1 does not hold"),
        (".ContainExact~1~R1C1~R4C2", "contained digits at r1c1 does not hold"),
        (".CountingCircles~R1C1~R2C8", "counting circles at r1c1 does not hold"),
        (".CountingCircles~R1C1~R1C2~R4C1", "-"),
        (".LookAndSay~21~R1C1~R1C2", "look-and-say cage at r1c1 does not hold"),
        (".EqualityCage~R1C1~R1C2", "equality cage at r1c1 does not hold"),
        (".ValueIndexing~R1C1~R1C2~R1C3~R1C4", "value indexing at r1c1 does not hold"),
        (".Shape~9x9.GlobalEntropy", "global entropy at r1c1 does not hold"),
        (".GlobalMod", "global mod at r1c1 does not hold"),
        (".DutchFlatmates", "Dutch flatmates at r1c1 does not hold"),
    ] {
        let status = if reason == "-" { "correct" } else { "incorrect" };
        check(&[(
            &format!("{rules} {ANSWER}\n"),
            "--verify",
            &format!("{ANSWER}\t{status}\t{reason}\n"),
            "",
            i32::from(reason != "-"),
        )]);
    }
}

#[test]
fn hostile_strings_are_errors_of_their_line() {
    for (line, reason) in [
        (".thermo~R1C1~R1C2", "thermo: this rule is not read"),
        (".Thermo~R0C0~R1C2", "Thermo: 'R0C0' is no cell"),
        (".Thermo~R1C10~R1C2", "Thermo: 'R1C10' is no cell"),
        (".Shape~6x6.Thermo~R1C7~R1C2", "Thermo: 'R1C7' is no cell"),
        (".Thermo~", "Thermo: '' is no cell"),
        (".Arrow", "Arrow: the cells are missing"),
        (".Sum~99999999999~R1C1", "Sum: '99999999999' is no number"),
        (".Sum~5_=_32768~R1C1", "Sum: '32768' is no number"),
        (".Sum~0_=_1001_-1001~R1C1~R1C2", "sum: a weight above 1000"),
        // Weights of one cell add up.
        (".Sum~98301_=_32767_32767_32767~R1C1~R1C1~R1C1", "sum: a weight above 1000"),
        (".Sum~32767_=_32767_32767_-32767~R1C1~R1C1~R1C1", "sum: a weight above 1000"),
        (
            ".Cage~100~R1C1~R1C2",
            "Cage: cage at r1c1: 2 different digits add up to 3 to 17, not 100",
        ),
        (".Cage~10~R1C1~R1C2.Cage~10~R1C1~R1C1", "Cage: R1C1 is there twice"),
        (".AllDifferent~R1C1~R1C1", "AllDifferent: R1C1 is there twice"),
        (".ContainExact~1_1~R1C1~R1C1", "ContainExact: R1C1 is there twice"),
        (".SameValues~2~R1C1~R1C1~R2C1~R2C2", "SameValues: R1C1 is there twice"),
        (".PillArrow~2~R1C1~R1C1~R2C2", "PillArrow: R1C1 is there twice"),
        (".Modular~0~R1C1", "Modular: the modulus is at least 1"),
        (".~R1C1_10", "givens: 10 is no digit"),
        (".~R1C1", "givens: '' is no number"),
        (
            ".Shape~17x17",
            "the shape 17x17 is not read; NxN with N digits from 1 or 0 is, N up to 16",
        ),
        (
            ".Shape~9x9~0-9",
            "the shape 9x9~0-9 is not read; NxN with N digits from 1 or 0 is, N up to 16",
        ),
        (
            ".Shape~9x9~2-10",
            "the shape 9x9~2-10 is not read; NxN with N digits from 1 or 0 is, N up to 16",
        ),
        (".Shape~4x4~0-3.~R1C1_4", "givens: 4 is no digit"),
        (".Shape~4x4~0-3.~R1C1_-1", "givens: -1 is no digit"),
        (".~R1C1_0", "givens: 0 is no digit"),
        (".Shape~9x9~0-8.AntiTaxicab", "AntiTaxicab: this rule has no meaning for digits from 0"),
        (".CountingCircles~R1C1~R1C1", "CountingCircles: R1C1 is there twice"),
        (".Shape~4x4.GlobalEntropy", "GlobalEntropy: only a 9x9 puzzle has this rule"),
        (".Shape~6x6.DutchFlatmates", "DutchFlatmates: only a 9x9 puzzle has this rule"),
    ] {
        check_invalid(&[(line, "", reason)]);
    }
    let cells = |number: usize| -> String {
        (0..number).map(|cell| format!("~R{:x}C{:x}", cell / 15 + 1, cell % 15 + 1)).collect()
    };
    let counts: String = (1..=15)
        .flat_map(|row| (1..=12).map(move |column| [row, column]))
        .map(|[row, column]| format!(".ContainAtLeast~1~R{row:x}C{column:x}~R{row:x}Cd"))
        .collect();
    check_invalid(&[
        (&format!(".Shape~15x15.Sum~500{}", cells(97)), "", "sum: a sum of 97 cells; at most 96"),
        (&format!(".Shape~15x15{counts}"), "", "more than 176 sums, counts and cages"),
        (
            &format!(".WhiteDot{}", "~R1C1~R1C2".repeat(5000)),
            "",
            "WhiteDot: a list of more than 81 cells",
        ),
    ]);
}

#[test]
fn rules_that_no_grid_obeys_leave_no_solution() {
    for line in [
        ".CountingCircles~R1C1~R2C1",
        // Cells of a box differ, so each digit is there once.
        ".CountingCircles~R1C1~R1C2~R1C3~R2C1~R2C2~R2C3",
        ".Shape~4x4~0-3.CountingCircles~R1C1~R2C2.~R1C1_0",
        ".Shape~4x4~0-3.Indexing~R~R1C1.~R1C1_0",
        ".Sum~2147483647~R1C1~R1C2",
        ".Sum~-2147483648~R1C1~R1C2",
        ".Sum~405001_=_1000~R1C1",
        ".Thermo~R1C1~R1C1",
        ".~R1C1_1.~R1C1_2",
        ".Whisper~4294967295~R1C1~R1C2",
        ".Quad~R1C1~1~2~3~4~5",
        ".LookAndSay~91~R1C1",
        ".EqualSum~R1C1~-",
        ".Between~R1C1~R1C2~R1C1",
    ] {
        let (output, messages, status) = run_with("-o status", format!("{line}\n").as_bytes());
        assert_eq!((&*output, &*messages, status), ("none\n", "", Some(0)), "{line}");
    }
    // A cell that is there twice between two others needs one digit between them.
    let line = ".Between~R1C1~R1C2~R1C2~R1C3.~R1C1_3~R1C3_5\n";
    let (output, ..) = run_with("-o status", line.as_bytes());
    assert_eq!(output, "multiple\n");
}

/// In such puzzles, 0 is a digit wherever people see one, and `.` is a blank cell.
#[test]
fn digits_can_count_from_zero() {
    let string = ".Shape~4x4~0-3.Thermo~R2C1~R2C2~R3C3.Sum~5~R1C1~R1C2.~R4C4_0\n";
    let (output, messages, status) = run_with("--all", string.as_bytes());
    assert_eq!((&*messages, status), ("", Some(0)));
    let solutions: Vec<&str> = output.lines().filter_map(|it| it.split('\t').next()).collect();
    assert!(solutions.len() > 1);
    for solution in &solutions {
        let digit = |at: usize| solution.as_bytes()[at] - b'0';
        assert!(solution.bytes().all(|symbol| (b'0'..=b'3').contains(&symbol)), "{solution}");
        assert!(digit(4) < digit(5) && digit(5) < digit(10), "{solution}");
        assert_eq!((digit(0) + digit(1), digit(15)), (5, 0), "{solution}");
    }
    let line = format!("{} {}\n", string.trim(), solutions[0]);
    check(&[(&line, "--verify", &format!("{}\tcorrect\t-\n", solutions[0]), "", 0)]);
    // As the string has it: a wrong digit is shown in digits from 0.
    let wrong: String = solutions[0][..15].to_string() + "1";
    let (output, ..) =
        run_with("--verify -o reason", format!("{} {wrong}", string.trim()).as_bytes());
    assert!(output.contains("r4c4 is 1") && output.contains('0'), "{output}");
    // New puzzles are strings in the same digits, and have the same solution.
    let given: String = (0..16)
        .map(|cell| format!("~R{}C{}_{}", cell / 4 + 1, cell % 4 + 1, &solutions[0][cell..=cell]))
        .collect();
    let full = format!(".Shape~4x4~0-3.Thermo~R2C1~R2C2~R3C3.{given}\n");
    let (minimal, ..) = run_with("--minimize -o puzzle", full.as_bytes());
    assert!(minimal.starts_with(".Shape~4x4~0-3.Thermo~R2C1~R2C2~R3C3.~R"), "{minimal}");
    let (solution, ..) = run_with("-o solution,status", minimal.as_bytes());
    assert_eq!(solution, format!("{}\tunique\n", solutions[0]));
    let (revealed, ..) = run_with("--reveal r1c1 -o puzzle", minimal.as_bytes());
    assert!(revealed.contains(&format!("R1C1_{}", &solutions[0][..1])), "{revealed}");
    let (candidates, ..) = run_with("-o candidates", minimal.as_bytes());
    let of_first: String = (0..4)
        .map(|digit| {
            if solutions[0].starts_with(&digit.to_string()) {
                digit.to_string()
            } else {
                ".".into()
            }
        })
        .collect();
    assert!(candidates.starts_with(&of_first), "{candidates} {of_first}");
    // Drawings and JSON show them too.
    let (drawn, ..) = run_with("--draw -o solution", minimal.as_bytes());
    let digits: String = drawn.chars().filter(char::is_ascii_digit).take(16).collect();
    assert_eq!(digits, solutions[0]);
    let (json, ..) = run_with("--output=json -o solution", minimal.as_bytes());
    assert!(json.contains(solutions[0]), "{json}");
    // Of the side 16, the last digit is F.
    let (output, ..) = run_with("-o solution", b".Shape~16x16~0-15.~R1C1_15~R1C2_0~R1C3_10\n");
    assert!(output.starts_with("F0A"), "{output}");
    let beside = "puzzle,constraints\n................,.Shape~4x4~0-3.~R1C1_0\n";
    let (_, messages, _) = run_with("--csv", beside.as_bytes());
    assert!(messages.contains("constraints with digits from 0"), "{messages}");
}

/// Killers, killers with rules of their own, and puzzles with rules alone, of one base; and
/// others.
fn lines() -> Vec<String> {
    let mut lines = Vec::new();
    for number in 1..=8 {
        let [a, b] = [number, number % 8 + 1];
        let killer = format!(".Cage~{}~R{a}C1~R{a}C2~R{a}C3.~R9C{a}_{b}", 8 + number);
        let thermo = format!(".Thermo~R{a}C4~R{b}C5~R{a}C6");
        let sum = format!(".Sum~{}~R{a}C7~R{b}C8~R9C9", 9 + number);
        let count = format!(".Quad~R{a}C{b}~{a}~{b}");
        lines.push(killer.clone());
        lines.push(format!("{killer}{thermo}{sum}"));
        lines.push(format!("{killer}{count}{thermo}"));
        lines.push(format!(".AntiKnight{sum}{count}"));
        lines.push(format!(".AntiKnight{killer}"));
        lines.push(format!(".AllDifferent~R1C1~R{a}C{b}{thermo}{sum}"));
        lines.push(format!(".Renban~R{a}C{a}~R{b}C{b}{sum}"));
        lines.push(format!(".Shape~6x6.Sum~9~R1C1~R2C2~R3C3{count}", count = ".Quad~R2C2~1~2"));
        lines.push(format!("{}{number}", ".".repeat(80)));
    }
    lines
}

#[test]
fn answers_do_not_depend_on_other_lines_order_or_threads() {
    let lines = lines();
    let run = |lines: &[String], threads: usize| -> Vec<String> {
        let options = format!("-j{threads} --max-guesses 300 -o solution,status,reason,guesses");
        let (output, ..) = run_with(&options, (lines.join("\n") + "\n").as_bytes());
        output.lines().map(str::to_string).collect()
    };
    let alone: Vec<String> =
        lines.iter().flat_map(|line| run(std::slice::from_ref(line), 1)).collect();
    assert_eq!(alone.len(), lines.len());
    assert!(alone.iter().all(|line| !line.contains("invalid")));
    let hard = alone.iter().filter(|line| {
        let guesses = line.rsplit('\t').next().unwrap();
        guesses.parse::<u64>().unwrap() > 30
    });
    assert!(hard.count() > 10, "few searches go on in lanes: {alone:?}");
    for threads in [1, 3] {
        for step in [1, 5, 7, 11, 71] {
            // Each line once, in another order.
            let order: Vec<usize> =
                (0..lines.len()).map(|place| place * step % lines.len()).collect();
            let mixed: Vec<String> = order.iter().map(|&at| lines[at].clone()).collect();
            for (found, &at) in run(&mixed, threads).iter().zip(&order) {
                assert_eq!(*found, alone[at], "{}: step {step}, -j{threads}", lines[at]);
            }
        }
    }
}

#[test]
fn a_string_with_cells_is_no_puzzle_whatever_its_first_name_is() {
    for (line, status, reason) in [
        (".Or.~R1C2_1.End.Or.~R1C3_2.End", "invalid", "Or: this rule is not read"),
        (
            ".ChaosConstruction.NoBoxes.~R2C2_9",
            "invalid",
            "ChaosConstruction: this rule is not read",
        ),
        ("..Shape~4x4.Cage~3~R1C1~R1C2.~R4C4_1", "multiple", "-"),
        (".AntiKnight", "multiple", "-"),
        // Puzzles.
        (
            ".A..............",
            "invalid",
            "'A' at r1c2 is neither a digit of a 4x4 puzzle nor a blank",
        ),
        ("..3.............", "multiple", "-"),
    ] {
        let (text, ..) = run_with("--input lines -o status,reason", line.as_bytes());
        assert_eq!(text, format!("{status}\t{reason}\n"), "{line}");
    }
}

#[test]
fn constraints_that_would_not_be_read_make_the_line_invalid() {
    let unread = "a constraint string is one field with its givens; --fields puzzle,constraints reads it beside a puzzle";
    let blank = "................";
    for (line, options, reason) in [
        (format!("{blank} .Thermo~R1C1~R1C2"), "", unread),
        ("1234341221434321 1234341221434321 .Thermo~R1C2~R1C1".to_string(), "--verify", unread),
        (".Shape~4x4.Thermo~R1C1~R1C2 1...............".to_string(), "", unread),
        (".Shape~4x4.Thermo~R1C1 ~R1C2".to_string(), "", unread),
        (".Thermo R1C1 R1C2".to_string(), "", unread),
        (".Thermo~R2C1~R1C1 .Arrow~R1C1~R1C2".to_string(), "", unread),
        (format!("{blank} .AntiKnight"), "", unread),
        (format!("{blank},.AntiKnight"), "", unread),
        (format!("{blank};.Thermo~R1C1~R1C2"), "", unread),
        (format!("{blank}:.Thermo~R1C1~R1C2"), "", unread),
        (".Shape~4x4.AntiKnight.Shape~4x4".to_string(), "", "the string has two shapes"),
        (".Pair~zz".to_string(), "", "Pair: the cells are missing"),
        (".Pair~zz~R1C1".to_string(), "", "Pair: fewer than 2 cells"),
        (".PairX~zz~R1C1~R1C2~~R1C3".to_string(), "", "PairX: fewer than 2 cells"),
        (
            ".Shape~4x4.Pair~AAAA~R1C1~R1C2".to_string(),
            "",
            "Pair: the table has more pairs than those of 4 digits",
        ),
        (".Thermo".to_string(), "", "Thermo: the cells are missing"),
        (".X~R1C1~R9C9".to_string(), "", "X: R1C1 shares no edge with another of the cells"),
        (
            ".WhiteDot~R1C1~R1C2~R5C5".to_string(),
            "",
            "WhiteDot: R5C5 shares no edge with another of the cells",
        ),
    ] {
        let options = format!("--input lines {options} -o status,reason");
        let (text, _, status) = run_with(&options, line.as_bytes());
        assert_eq!((text, status), (format!("invalid\t{reason}\n"), Some(1)), "{line}");
    }
    for value in [
        r#"[{"line":[["R1C1","R1C2"]]}]"#,
        r#"[["R1C1","R1C2"]]"#,
        r#"["R1C1","R1C2"]"#,
        r#"{"lines":[["R1C1","R1C2"]]}"#,
        r#"[{"cells":["R1C1","R1C2"]}]"#,
        r#"[{"lines":["R1C1","R1C2"]}]"#,
    ] {
        let object = format!(r#"{{"puzzle":"{blank}","size":4,"thermometer":{value}}}"#);
        let (text, ..) = run_with("--json --output lines -o status", object.as_bytes());
        assert_eq!(text, "invalid\n", "{value}");
    }
    let unknown = format!(r#"{{"puzzle":"{blank}","sandwichsum":{{"R1C0":3}}}}"#);
    assert_eq!(run_with("--json --output lines -o status", unknown.as_bytes()).0, "invalid\n");
    // Names that other data sets use for something else.
    let other = format!(r#"{{"puzzle":"{blank}","difference":[1,2],"ratio":{{"a":1}}}}"#);
    assert_eq!(run_with("--json --output lines -o status", other.as_bytes()).0, "multiple\n");
}

/// The name of the field says nothing; the value is recognised.
#[test]
fn rules_in_fields_of_other_names_are_named() {
    let (blank, rules) = ("................", ".Shape~4x4.Thermo~R1C1~R2C1.AntiKnight");
    for name in ["rules", "constraint", "constraintString", "note"] {
        let reason = format!(
            "'{name}' holds rules that are not read; --header constraints={name} reads them"
        );
        let csv = format!("puzzle,{name}\n{blank},{rules}\n{blank},none\n");
        let json = format!(
            "{{\"puzzle\":\"{blank}\",\"{name}\":\"{rules}\"}}\n{{\"puzzle\":\"{blank}\"}}\n"
        );
        let options = "--output lines -o status,reason";
        for input in [&csv, &json] {
            let (text, messages, status) = run_with(options, input.as_bytes());
            assert_eq!(text, format!("invalid\t{reason}\nmultiple\t-\n"), "{input}");
            assert!(messages.contains(&reason), "{messages}");
            assert_eq!(status, Some(1), "{input}");
        }
        let csv = format!("puzzle,{name}\n{blank},{rules}\n");
        let options =
            format!("--output lines -o solutions --count 1000 --header constraints={name}");
        let (text, _, status) = run_with(&options, csv.as_bytes());
        assert_eq!((&*text, status), (&*solutions_of(rules), Some(0)), "{name}");
    }
    let fields = format!("{blank} {rules}");
    let reason =
        "'rules' holds rules that are not read; the name 'constraints' in --fields reads them";
    let (text, ..) = run_with("--fields puzzle,rules -o status,reason", fields.as_bytes());
    assert_eq!(text, format!("invalid\t{reason}\n"));
    // A copy of what is read, and other rules beside it.
    for (other, status) in [(rules, "multiple"), (".Shape~4x4.AntiKing", "invalid")] {
        let csv = format!("puzzle,constraints,rules\n{blank},{rules},{other}\n");
        assert_eq!(run_with("--output lines -o status", csv.as_bytes()).0, format!("{status}\n"));
    }
    // A header with a field of rules is one, also above a record that cannot be read.
    let csv = format!("puzzle,constraints\n{blank},.AntiKnight\n");
    let (_, messages, _) = run_with("", csv.as_bytes());
    assert!(messages.contains("-:2: 16 cells; a 9x9 puzzle has 81"), "{messages}");
}

fn solutions_of(rules: &str) -> String {
    run_with("-o solutions --count 1000", rules.as_bytes()).0
}

/// The objects, compressed by lz-string: 1 at r1c1 of a 4x4; a thermometer and a dot, a cage and a
/// diagonal, a sandwich, a thermometer with its solution.
const LINKS: [&str; 4] = [
    "https://f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6yQv3GCRYwTL5SBC8UJEg2ACxgYAtgHstMNpvygyEZjDD48IAEoAmAMI0Qqew7svbAZgdeQy4VRsCAAzEM0WAGNqQhBosjJLeGsbRCdPVPd/YS4gA===",
    "https://sudokupad.app/fpuzzlesN4IgzglgXgpiBcAWANCALhNAbO8QEvBgMgAJBeDcAA9kVAcwCcIATBAbWdADcBDLAV1wEYaEdjAB2CNLT4BfZMFny50gLrI2CjUtXqlu%2BdsWGNy1SAYRO1APajuAWglSYqANYQsOWgGNLuNiC8YDzAWEAAlfgBhACYqcOjI%2FhBTLl5cEABWEBVpIA%3D%3D%3D",
    "https://www.f-puzzles.com/?load=N4IgzglgXgpiBcAWANCA5gJwgEwQbT2AF9ljSTiBdZQiu86285qms9uy68AQwDtsAdwgBjABZgArgFt8oETAA2ihCABKARgDCABhCoAbj0WS48EAGYQRSkSA",
    "fpuzN4IgzglgXgpiBcAWANCA5gJwgEwQbT1ADcBDAGwFc54BGVNCImAOwQBcMqBfZYHv3lwC6yQv3GCRYwTL5SBC8UJEg2ACxgYAtgHstMNpvygyEZjDD48IAEo0AwjRCo79gEzPbDgMwhlw1DAdSjYIHVZ4aydUD1RfVERPeJBE1GiQWIzPdNSQZNzkzKchLiA=",
];

#[test]
fn links_of_f_puzzles_are_the_objects_that_they_carry() {
    let unknown = "states a rule that is not known: sandwichsum";
    let rows = [
        "none\t0\t-\t-".to_string(),
        "multiple\t4\t0500'00000000000\t-".to_string(),
        format!("invalid\t-\t-\t{unknown}"),
        "multiple\t36\t-\t-".to_string(),
    ];
    let output = rows.join("\n") + "\n";
    let columns = "--output lines --count 99 -o status,solutions,cages,reason";
    let lines = LINKS.map(|link| format!("{link}\n")).concat();
    let csv = LINKS.map(|link| format!("{link},note\n")).concat();
    let json = LINKS.map(|link| format!("{{\"puzzle\":\"{link}\"}}\n")).concat();
    let named = LINKS.map(|link| format!("name {link}\n")).concat();
    for (input, options) in [
        (lines.clone(), ""),
        (lines, "--variant killer"),
        (format!("puzzle,note\n{csv}"), ""),
        (format!("url,note\n{csv}"), "--csv --header puzzle=url"),
        (json, ""),
        (named, "--fields name,puzzle"),
    ] {
        let (text, ..) = run_with(&format!("{options} {columns}"), input.as_bytes());
        assert_eq!(text, output, "{options} {input}");
    }
    // The answer of the line replaces that of the object.
    let answer = "1234341221434321";
    let [cage, both] = [LINKS[1], LINKS[3]];
    check(&[
        (&format!("{both}\n"), "--verify", &format!("{answer}\tcorrect\t-\n"), "", 0),
        (
            &format!("{both} 1324241331424231\n"),
            "--verify",
            "1324241331424231\tincorrect\tthermometer at r1c1: r1c2 is not less than r1c3\n",
            "",
            1,
        ),
        (
            &format!("{cage}\n"),
            "--verify -o status,reason",
            "invalid\tthe answer is missing\n",
            "-:1: the answer is missing\n",
            1,
        ),
    ]);
}

#[test]
fn a_link_without_one_of_its_symbols_is_damaged() {
    let link = LINKS[0].trim_end_matches('=');
    let begin = link.find("N4I").unwrap();
    let lines = (begin..link.len()).map(|at| format!("{}{}\n", &link[..at], &link[at + 1..]));
    let lines: Vec<String> = lines.collect();
    let (output, ..) = run_with("-o reason", lines.concat().as_bytes());
    let reasons: Vec<&str> = output.lines().collect();
    let damaged = "the data of the link of f-puzzles is damaged, or cut short";
    let is_other = |it: &&&str| **it != damaged;
    assert_eq!((reasons.len(), reasons.iter().find(is_other)), (lines.len(), None));
}

#[test]
fn rules_of_an_object_and_of_its_constraint_string_all_count() {
    let blank = "................";
    let both = [
        (".Thermo~R1C1~R1C2~R1C3~R1C4", r#""size":4,"diagonal-":true"#, ".Diagonal~-1"),
        (
            ".AntiKing.~R1C1_1",
            r#""size":4,"arrow":[{"cells":["R3C1"],"lines":[["R3C1","R2C1","R2C2"]]}]"#,
            ".Arrow~R3C1~R2C1~R2C2",
        ),
        (
            ".Thermo~R1C1~R1C2",
            r#""size":4,"thermometer":[{"lines":[["R1C2","R1C1"]]}]"#,
            ".Thermo~R1C2~R1C1",
        ),
        (
            ".Sum~3~R1C1~R2C2",
            r#""size":4,"quadruple":[{"cells":["R2C2","R2C3","R3C2","R3C3"],"values":[3]}]"#,
            ".Quad~R2C2~3",
        ),
    ];
    for (string, members, same) in both {
        let object =
            format!(r#"{{"puzzle":"{blank}","constraints":".Shape~4x4{string}",{members}}}"#);
        let options = "--json --output lines --count 1000 -o solutions,candidates";
        let joined = format!(".Shape~4x4{string}{same}\n");
        let (found, messages, _) = run_with(options, object.as_bytes());
        let (expected, ..) = run_with("--count 1000 -o solutions,candidates", joined.as_bytes());
        assert_eq!((found, &*messages), (expected, ""), "{object}");
    }
    // The grid has another name than "puzzle".
    let object = r#"{"size":4,"board":"12..............","diagonal-":true,"constraints":".Shape~4x4.Thermo~R2C1~R2C2"}"#;
    let (text, ..) = run_with("--json --output lines --count 99 -o solutions", object.as_bytes());
    let string = ".Shape~4x4.Diagonal~-1.Thermo~R2C1~R2C2.~R1C1_1~R1C2_2";
    assert_eq!(text, run_with("--count 99 -o solutions", string.as_bytes()).0);
    let object = format!(
        r#"{{"puzzle":"{blank}","constraints":".Shape~4x4.AntiKing","thermometer":[{{"lines":[["R1C2","R1C1"]]}}]}}"#
    );
    let (text, ..) = run_with("--json --output lines -o status,reason", object.as_bytes());
    assert_eq!(text, "invalid\tthe record has rules of a 9x9 puzzle and of a 4x4 puzzle\n");
}

/// Rules, some of which say what single cells can hold.
const RULES: [&str; 9] = [
    ".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R4C4_1_2",
    ".Shape~4x4.NoBoxes.Jigsaw~1112132233243444.BlackDot~R1C1~R1C2",
    ".Shape~6x6.Diagonal~1.Arrow~R1C1~R2C2~R3C3.AllDifferent~R1C1~R3C4~R6C5",
    ".Shape~9x9.Cage~20~R1C1~R1C2~R2C1.Cage~0~R2C1~R3C3.Whisper~R5C5~R6C6~R7C7",
    ".AntiKnight.~R1C1_1_2_3.Renban~R4C4~R5C5~R6C4",
    ".ValueIndexing~R1C1~R1C2~R4C3~R4C4~R4C5.Palindrome~R9C1~R9C2~R8C9",
    ".AntiConsecutive.Quad~R2C2~1~5",
    ".Shape~16x16.Thermo~RgC1~RfC2~ReCa.~RaCb_1_16",
    ".~R2C1_5_6",
];

/// Returns a random solution of these rules, in digits.
fn solution_of(rules: &str) -> Vec<u8> {
    let (grid, ..) = run_with("--random 7 -o solution", rules.as_bytes());
    let digit = |symbol| char::to_digit(symbol, 17).expect(rules) as u8;
    grid.trim_end().chars().map(digit).collect()
}

/// The rules, with the digit of each cell for which `is_given` is true.
fn with_givens(rules: &str, digits: &[u8], is_given: impl Fn(usize) -> bool) -> String {
    let side = digits.len().isqrt() as u32;
    let place = |index: u32| char::from_digit(index + 1, 17).unwrap();
    let cells = (0..digits.len()).filter(|&cell| is_given(cell));
    let givens: String = cells
        .map(|cell| {
            let [row, column] = [cell as u32 / side, cell as u32 % side].map(place);
            format!("~R{row}C{column}_{}", digits[cell])
        })
        .collect();
    if givens.is_empty() { rules.to_string() } else { format!("{rules}.{givens}") }
}

/// The items of the string but the givens, and the givens.
fn parts(string: &str) -> (Vec<String>, Vec<String>) {
    let (mut rules, mut givens) = (Vec::new(), Vec::new());
    for item in string.split('.').skip(1) {
        match item.strip_prefix('~') {
            Some(cells) => {
                for cell in cells.split('~') {
                    let is_given = cell.matches('_').count() == 1;
                    let list = if is_given { &mut givens } else { &mut rules };
                    list.push(cell.to_string());
                }
            }
            None => rules.push(item.to_string()),
        }
    }
    rules.sort();
    givens.sort();
    (rules, givens)
}

/// The columns of each output line; no message is expected.
fn columns(options: &str, input: &str) -> Vec<Vec<String>> {
    let (text, messages, _) = run_with(options, input.as_bytes());
    assert_eq!(messages, "", "{options}: {input}");
    text.lines().map(|line| line.split('\t').map(str::to_string).collect()).collect()
}

#[test]
fn minimized_strings_keep_their_rules_and_are_minimal() {
    for rules in RULES {
        let solution = solution_of(rules);
        let full = with_givens(rules, &solution, |_| true);
        let (text, messages, status) = run_with("--minimize --random 3", full.as_bytes());
        assert_eq!((&*messages, status), ("", Some(0)), "{rules}");
        let [puzzle, "unique"] = text.trim_end().split('\t').collect::<Vec<_>>()[..] else {
            panic!("{rules}: {text}");
        };
        let ((old_rules, old_givens), (new_rules, givens)) = (parts(&full), parts(puzzle));
        assert_eq!(new_rules, old_rules, "{puzzle}");
        assert!(givens.len() < old_givens.len(), "{puzzle}");
        assert!(givens.iter().all(|given| old_givens.contains(given)), "{puzzle}");
        // The line is read as it is written, its status beside it.
        let (again, messages, status) = run_with("--require unique", text.as_bytes());
        assert_eq!((&*messages, status), ("", Some(0)), "{puzzle}");
        let digits = again.split('\t').next().unwrap().chars();
        let digits: Vec<u8> = digits.map(|it| char::to_digit(it, 17).unwrap() as u8).collect();
        assert_eq!(digits, solution, "{puzzle}");
        // Each puzzle with a given less has more solutions.
        let fewer = columns("--remove 1", &text);
        assert_eq!(fewer.len(), givens.len(), "{puzzle}");
        for line in &fewer {
            assert_eq!(line[1], "multiple", "{puzzle}");
            if solution.len() <= 36 {
                let alone = columns("-o status --method backtrack", &line[0]);
                assert_eq!(alone, [["multiple"]], "{}", line[0]);
            }
        }
        let has_restrictions = rules.contains("Value") || rules.contains(".~");
        // Rules can be redundant, as `line at r1c1`, but no given is.
        let options: &[&str] =
            if has_restrictions { &["--minimize "] } else { &["", "--minimize "] };
        for options in options {
            let shown = columns(&format!("{options}-o puzzle,redundant"), puzzle).remove(0);
            assert_eq!(shown[0], *puzzle);
            assert!(
                shown[1].split(',').all(|clue| clue.contains(" at ") || clue == "-"),
                "{shown:?}"
            );
        }
    }
}

#[test]
fn strings_with_more_fewer_and_new_givens_are_read_as_they_are_written() {
    for rules in RULES {
        let solution = solution_of(rules);
        let full = with_givens(rules, &solution, |_| true);
        let minimal = columns("--minimize", &full).remove(0).remove(0);
        let cells = parts(&minimal).1;
        let template = with_givens(rules, &solution, |cell| cell % 5 == 0);
        for (input, options, number) in [
            (&minimal, "--remove 1", cells.len()),
            (&minimal, "--reveal r2c2", 1),
            (&template, "--make 2 -", 2),
            (&full, "--minimize --symmetry half-turn", 1),
        ] {
            let (text, messages, _) = run_with(options, input.as_bytes());
            assert_eq!(messages, "", "{options}: {input}");
            assert_eq!(text.lines().count(), number, "{options}: {input}");
            for line in text.lines() {
                let [puzzle, status] = line.split('\t').collect::<Vec<_>>()[..] else {
                    panic!("{line}")
                };
                assert_eq!(parts(puzzle).0, parts(input).0, "{options}: {line}");
                let status = if status == "given" { "unique" } else { status };
                assert_eq!(columns("-o puzzle,status", line), [[puzzle, status]], "{options}");
            }
        }
        // A given less, and then each one that makes the puzzle unique.
        let fewer = columns("--remove 1", &minimal).remove(0).remove(0);
        for line in columns("--add 1", &fewer) {
            assert_eq!(line[1], "unique");
            assert_eq!(parts(&line[0]).1.len(), cells.len(), "{}", line[0]);
            assert_eq!(columns("-o puzzle,status", &line[0]), [[&*line[0], "unique"]]);
        }
        let added: Vec<String> = columns("--add 1", &fewer).into_iter().flatten().collect();
        assert!(added.contains(&minimal), "{minimal}");
    }
}

/// The field has its rules, and its givens, in each form that shows it.
#[test]
fn new_puzzles_beside_a_field_of_constraints_are_grids() {
    let rules = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R2C1_3~R4C4_1_2";
    let full = "1234341221434321";
    let csv = format!("id,puzzle,constraints\na,{full},{rules}\n");
    let json = format!("{{\"id\":\"a\",\"puzzle\":\"{full}\",\"constraints\":\"{rules}\"}}\n");
    let named = format!("a {full} {rules}\n");
    // The given of the field stays; beside it, the puzzle needs none there.
    let left = "..3...1.2.......";
    let string = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R4C4_1_2.~R1C3_3~R2C1_3~R2C3_1~R3C1_2";
    for (input, options, output) in [
        (
            &csv,
            "--keep id,constraints",
            format!("id,constraints,puzzle,status\na,{rules},{left},unique\n"),
        ),
        (
            &csv,
            "",
            format!("id,puzzle,constraints,puzzle_found,status\na,{full},{rules},{left},unique\n"),
        ),
        (&csv, "--keep id", format!("id,puzzle,status\na,{string},unique\n")),
        (&csv, "--output lines", format!("{string}\tunique\n")),
        (&csv, "--output lines -o id,puzzle,constraints", format!("a\t{left}\t{rules}\n")),
        (&csv, "--output json -o puzzle", format!("{{\"puzzle\":\"{string}\"}}\n")),
        (
            &json,
            "--keep constraints",
            format!(
                "{{\"constraints\":\"{rules}\",\"puzzle\":\"{left}\",\"status\":\"unique\"}}\n"
            ),
        ),
        (&json, "--output csv", format!("puzzle,status\n{string},unique\n")),
        (&named, "--fields id,puzzle,constraints", format!("{string}\tunique\n")),
        (
            &named,
            "--fields id,puzzle,constraints -o puzzle,constraints",
            format!("{left}\t{rules}\n"),
        ),
    ] {
        let (text, messages, _) = run_with(&format!("--minimize {options}"), input.as_bytes());
        let messages: Vec<&str> = messages.lines().filter(|it| !it.contains("read as")).collect();
        assert_eq!((text, messages.len()), (output, 0), "{options} {messages:?}");
    }
    let read = |options: &str, input: &str| run_with(options, input.as_bytes()).0;
    let kept = read("--minimize --keep id,constraints", &csv);
    let again = read("--output lines -o solution,status", &kept);
    assert_eq!(again, format!("{full}\tunique\n"));
    let copied = read("--minimize", &csv);
    let again = read("--output lines -o solution,status --header puzzle=puzzle_found", &copied);
    assert_eq!(again, format!("{full}\tunique\n"));
    // Givens are added to those of both fields.
    let csv = format!("puzzle,constraints\n................,{rules}\n");
    let added = read("--add 1 --keep none -o puzzle,constraints,status", &csv);
    assert!(added.lines().skip(1).all(|line| line[4..5] == *"3"), "{added}");
    assert_eq!(read("--output lines -o status", &added).replace("unique\n", ""), "");
    assert!(added.lines().count() > 2, "{added}");
    // The puzzle without its given, and one that has none.
    let removed = read("--remove 1 --keep none", &csv);
    assert_eq!(removed.lines().nth(1), Some(".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R4C4_1_2,multiple"));
    let (text, ..) = run_with("--remove 1 -o status,reason", csv.as_bytes());
    assert!(text.ends_with("invalid,\"0 givens, fewer than --remove 1\"\n"), "{text}");
}

#[test]
fn new_puzzles_of_objects_with_rules_are_in_copies_of_the_objects() {
    let cells = r#"[{"value":1},{"value":2},{},{}],[{},{},{"value":2},{"value":1}],[{},{},{"value":1},{}],[{},{},{},{"value":3}]"#;
    let object = format!(
        r#"{{"size":4,"grid":[{cells}],"thermometer":[{{"lines":[["R4C1","R3C1","R2C1"]]}}]"#
    );
    let (text, messages, status) = run_with("--json --minimize", format!("{object}}}").as_bytes());
    assert_eq!((&*messages, status), ("", Some(0)), "{text}");
    let again = "--json --output lines -o status,minimal,givens";
    let (read, ..) = run_with(again, text.as_bytes());
    let (before, ..) = run_with(again, format!("{object}}}").as_bytes());
    assert!(before.starts_with("unique\tno"), "{before}");
    assert!(read.starts_with("unique\tyes"), "{read}");
    // The output can have some keys of the object beside the puzzle.
    let reason = "other fields state its rules, and the output can have some of them; --output lines writes new puzzles with their rules";
    for options in [
        "--keep grid --remove 1",
        "--keep thermometer --shuffle",
        "--reveal r1c1 -o puzzle,size --keep none",
    ] {
        let options = format!("--json {options} -o status,reason");
        let (text, ..) = run_with(&options, format!("{object}}}").as_bytes());
        assert!(text.contains(reason), "{text}");
    }
}

#[test]
fn a_puzzle_of_an_object_is_a_constraint_string_in_other_output() {
    let cells = r#"[{"value":1},{"value":2},{},{}],[{},{},{"value":2},{"value":1}],[{},{},{"value":1},{}],[{},{},{},{"value":3}]"#;
    let thermo = r#""thermometer":[{"lines":[["R4C1","R3C1","R2C1"]]}]"#;
    let object = format!(r#"{{"size":4,"grid":[{cells}],{thermo}}}"#);
    let both = r#"{"size":4,"puzzle":"................","diagonal-":true,"odd":[{"cell":"R1C2"}],"constraints":".Shape~4x4.Cage~4~R1C1~R1C2.~R4C4_1_2.~R4C1_3"}"#;
    let link = LINKS[0];
    for (input, options) in [
        (object.clone(), "--json --output lines"),
        (both.to_string(), "--json --output lines"),
        (link.to_string(), ""),
        (format!("{{\"puzzle\":\"{link}\"}}"), "--json --output lines"),
    ] {
        let count = "--count 5000 -o solutions";
        let solutions = run_with(&format!("{options} {count}"), input.as_bytes()).0;
        for mode in ["", "--shuffle", "--shuffle=5 --random 3"] {
            let columns = if mode.is_empty() { "-o puzzle" } else { "" };
            let (text, messages, _) =
                run_with(&format!("{options} {mode} {columns}"), input.as_bytes());
            assert_eq!(messages, "", "{input}");
            assert!(text.starts_with(".Shape~"), "{text}");
            let again = run_with(count, text.as_bytes()).0;
            assert_eq!(again, solutions.repeat(text.lines().count()), "{input} {text}");
        }
    }
    let puzzle = "-o puzzle --output lines --json";
    assert_eq!(
        run_with(puzzle, both.as_bytes()).0,
        ".Shape~4x4.Diagonal~-1.Cage~4~R1C1~R1C2.~R1C2_1_3.~R4C4_1_2.~R4C1_3\n"
    );
    let (minimal, ..) = run_with("--json --output lines --minimize", object.as_bytes());
    assert!(minimal.starts_with(".Shape~4x4.Thermo~R4C1~R3C1~R2C1.~"), "{minimal}");
    assert_eq!(columns("-o status,minimal", &minimal), [["unique", "yes"]]);
    // Columns for all of its rules make the string needless.
    let cell = |region: char| format!(r#"{{"region":{region}}}"#);
    let row = |row: &str| format!("[{}]", row.chars().map(cell).collect::<Vec<_>>().join(","));
    let board = ["0111", "0122", "0322", "0333"].map(row).join(",");
    let board = board.replacen("{", r#"{"value":1,"#, 1);
    let cages = r#""killercage":[{"cells":["R1C3","R1C4"],"value":"5"}]"#;
    let object = format!(r#"{{"grid":[{board}],{cages}}}"#);
    let text = run_with(puzzle, object.as_bytes()).0;
    assert_eq!(text, ".Shape~4x4.NoBoxes.Jigsaw~ABBBABCCADCCADDD.Cage~5~R1C3~R1C4.~R1C1_1\n");
    let columns_of_rules = "--json --output lines -o puzzle,regions,cages";
    let text = run_with(columns_of_rules, object.as_bytes()).0;
    assert!(text.starts_with("1...............\t0111"), "{text}");
    // A string has no words for it.
    let asterisk = r#"{"puzzle":".................................................................................","asterisk":true"#;
    let (text, messages, _) = run_with(puzzle, format!("{asterisk}}}").as_bytes());
    assert!(text.starts_with("....") && messages.contains("lacks the variants"), "{messages}");
    let odd = format!(r#"{asterisk},"odd":[{{"cell":"R1C1"}}]}}"#);
    let (text, messages, _) = run_with("--json --output lines --shuffle", odd.as_bytes());
    assert!(messages.contains("a constraint string cannot state the variant asterisk"), "{text}");
}

#[test]
fn layouts_and_cages_beside_a_string_are_its_own() {
    let string = ".Shape~4x4.NoBoxes.Jigsaw~1112132233243444.Cage~4~R1C1~R1C2";
    let cages = |sum| format!(r#""cages":[{{"cells":["r1c1","r1c2"],"sum":{sum}}}]"#);
    let layouts = "the record has two layouts, in its constraints and beside them";
    let other = "the cages beside its constraints are not read; .Cage~SUM~CELLS states them";
    for (members, reason) in [
        (cages(4), ""),
        (cages(5), other),
        (r#""killercage":[{"cells":["R2C1"],"value":"4"}]"#.to_string(), other),
        (r#""cages":"nine","regions":null"#.to_string(), ""),
        (r#""regions":"AAABACBBCCBDCDDD""#.to_string(), ""),
        (r#""regions":"1111222233334444""#.to_string(), layouts),
    ] {
        for puzzle in [
            format!(r#""puzzle":"................","constraints":"{string}""#),
            format!(r#""puzzle":"{string}""#),
        ] {
            let object = format!("{{{puzzle},{members}}}");
            let (text, ..) = run_with("--json --output lines -o status,reason", object.as_bytes());
            let expected = match reason {
                "" => "multiple\t-\n".to_string(),
                reason => format!("invalid\t{reason}\n"),
            };
            assert_eq!(text, expected, "{object}");
        }
    }
    // The program writes both columns.
    let columns = "--output csv -o puzzle,regions,cages";
    let (text, ..) = run_with(columns, string.as_bytes());
    assert_eq!(text.lines().count(), 2);
    assert!(run_with("--csv", text.as_bytes()).1.is_empty(), "{text}");
}

#[test]
fn rules_of_an_object_hold_for_its_own_regions() {
    let regions = ["0111", "0122", "0322", "0333"];
    let cell = |region: char| format!(r#"{{"region":{region}}}"#);
    let row = |row: &&str| format!("[{}]", row.chars().map(cell).collect::<Vec<_>>().join(","));
    let grid = regions.iter().map(row).collect::<Vec<_>>().join(",");
    let sums = r#""regionsumline":[{"lines":[["R1C1","R1C2","R2C2","R2C3"]]}]"#;
    let between = r#""betweenline":[{"lines":[["R1C1","R1C2","R2C1","R3C4"]]}]"#;
    for (rule, item) in
        [(sums, ".RegionSumLine~R1C1~R1C2~R2C2~R2C3"), (between, ".Between~R1C1~R1C2~R2C1~R3C4")]
    {
        let string = format!(".Shape~4x4.NoBoxes.Jigsaw~{}{item}", regions.concat());
        let options = "--count 1000 -o solutions,candidates";
        let expected = run_with(options, string.as_bytes()).0;
        let layout = regions.concat();
        for object in [
            format!(r#"{{"grid":[{grid}],{rule}}}"#),
            format!(r#"{{"size":4,"puzzle":"................","regions":"{layout}",{rule}}}"#),
        ] {
            let found = run_with(&format!("--json --output lines {options}"), object.as_bytes()).0;
            assert_eq!(found, expected, "{object}");
        }
    }
    // One diagonal is not both.
    let blank = ".".repeat(81);
    for (key, item) in [("diagonal-", "Diagonal~-1"), ("diagonal+", "Diagonal~1")] {
        let object = format!(r#"{{"puzzle":"{blank}","{key}":true}}"#);
        let (text, ..) = run_with("--json --output lines -o puzzle", object.as_bytes());
        assert_eq!(text, format!(".Shape~9x9.{item}\n"));
    }
}

#[test]
fn the_puzzle_of_a_string_has_its_rules() {
    let string = ".Shape~4x4.~R2C1_3.Thermo~R1C1~R1C2~R1C3";
    let written = ".Shape~4x4.Thermo~R1C1~R1C2~R1C3.~R2C1_3";
    let solved = format!("{written}\t1234341221434321");
    let lines = columns("-o puzzle,solution", string);
    assert_eq!(lines, [solved.split('\t').collect::<Vec<_>>()]);
    assert_eq!(columns("--verify -o status", &solved), [["correct"]]);
    assert_eq!(columns("--all=2 -o puzzle", string), [[written], [written]]);
    // A drawing has the givens.
    let (text, ..) = run_with("--draw -o puzzle", string.as_bytes());
    assert!(text.contains("| 3 . | . . |"), "{text}");
}

/// The equivalents of a string, without `.Shape~NxN`.
fn equivalents_of(rules: &str, side: usize) -> BTreeSet<String> {
    let line = format!(".Shape~{side}x{side}{rules}");
    let (text, messages, _) = run_with("--shuffle=200", line.as_bytes());
    assert_eq!(messages, "", "{rules}");
    let begin = format!(".Shape~{side}x{side}").len();
    text.lines().map(|line| line[begin..].to_string()).collect()
}

#[test]
fn equivalents_of_a_string_are_those_that_a_string_can_state() {
    for (side, rules, expected) in [
        // Reversed digits turn a thermometer.
        (4, ".Thermo~R1C1~R1C2.~R2C1_1", 16),
        (6, ".Thermo~R1C1~R1C2", 8),
        (4, ".Arrow~R1C1~R1C2~R1C3", 8),
        (6, ".Arrow~R1C1~R1C2~R1C3", 4),
        // The table looks like a cell.
        (6, ".Pair~R1C1~R1C1~R1C2", 4),
        (4, ".LittleKiller~7~R1C3", 4),
        (4, ".Quad~R1C1~1~2", 4 * 12),
        (4, ".~R1C1_1_2", 4 * 6 * 2),
        (4, ".Diagonal~1", 2),
        // The pill is read along the rows, then along the columns.
        (4, ".PillArrow~2~R1C1~R2C2~R4C4", 2),
        (4, ".Indexing~R~R2C1", 8),
        (4, ".NumberedRoom~R1~3", 8),
        (9, ".DutchFlatmates.~R1C1_4", 4),
        (9, ".Cage~0~R1C1~R1C2.AntiKing", 8),
    ] {
        let found = equivalents_of(rules, side);
        assert_eq!(found.len(), expected, "{rules}: {found:?}");
    }
    let ends = equivalents_of(".NumberedRoom~R1~3~", 4);
    assert!(ends.contains(".NumberedRoom~C4~~3") && ends.contains(".NumberedRoom~R4~3~"));
    assert!(equivalents_of(".Thermo~R1C1~R1C2.~R2C1_1", 4).contains(".Thermo~R1C2~R1C1.~R2C1_4"));
}

#[test]
fn shuffled_constraints_stay_in_their_field() {
    let csv = "id,puzzle,constraints,answer\n\
        7,..3.............,.Shape~4x4.Thermo~R1C1~R1C2.~R2C1_3,1234341221434321\n";
    let (shuffled, messages, _) = run_with("--csv --shuffle=20", csv.as_bytes());
    assert_eq!(messages, "");
    assert!(shuffled.lines().skip(1).all(|line| line.starts_with("7,")), "{shuffled}");
    let (statuses, ..) =
        run_with("--csv --output lines --verify -o status,givens", shuffled.as_bytes());
    assert_eq!(statuses, "correct\t2\n".repeat(20));
    // Without the field, the puzzle has its rules.
    let (kept, ..) = run_with("--csv --shuffle=20 --keep puzzle,answer", csv.as_bytes());
    let (statuses, ..) =
        run_with("--csv --output lines --verify -o status,givens", kept.as_bytes());
    assert_eq!(statuses, "correct\t2\n".repeat(20), "{kept}");
    let object = r#"{"id":7,"puzzle":"..3.............","constraints":".Shape~4x4.Thermo~R1C1~R1C2.~R2C1_3"}"#;
    let (shuffled, ..) = run_with("--json --shuffle=20", object.as_bytes());
    let (counts, ..) =
        run_with("--json --output lines --count 999 -o solutions", shuffled.as_bytes());
    let (expected, ..) =
        run_with("--json --output lines --count 999 -o solutions", object.as_bytes());
    assert_eq!(counts, expected.repeat(20), "{shuffled}");
    assert!(shuffled.lines().all(|line| line.starts_with(r#"{"id":7,"puzzle":""#)), "{shuffled}");
}

#[test]
fn a_layout_and_cages_beside_shuffled_constraints_are_moved_or_missing() {
    let rules = ".Shape~4x4.NoBoxes.Jigsaw~4x4~AAABACBBCCDBCDDD.Cage~5~R1C1~R1C2";
    let layout = "AAABACBBCCDBCDDD";
    for text in [
        format!("puzzle,regions,cages\n{rules}.~R1C4_2,{layout},\n"),
        format!("puzzle,constraints,regions\n...2............,{rules},{layout}\n"),
        format!(r#"{{"puzzle":"{rules}.~R1C4_2","regions":"{layout}"}}"#) + "\n",
        format!(r#"{{"puzzle":"{rules}","regions":["AAAB","ACBB","CCDB","CDDD"],"cages":null}}"#),
        format!(r#"{{"puzzle":"{rules}","cages":[{{"cells":["r1c1","r1c2"],"sum":5}}],"n":1}}"#),
        format!(r#"{{"constraints":"{rules}","puzzle":"...2............","regions":"{layout}"}}"#),
    ] {
        let form = if text.starts_with('{') { "--json" } else { "--csv" };
        let (shuffled, messages, status) =
            run_with(&format!("{form} --shuffle=9"), text.as_bytes());
        assert_eq!((messages.as_str(), status), ("", Some(0)), "{text}");
        let count = format!("{form} --output lines --count 999 -o solutions");
        let (counts, ..) = run_with(&count, shuffled.as_bytes());
        let (expected, ..) = run_with(&count, text.as_bytes());
        assert_eq!(counts, expected.repeat(9), "{shuffled}");
        let changed = |text: &str| !text.contains(layout) && !text.contains("r1c1");
        assert!(shuffled.lines().any(changed), "{shuffled}");
    }
}

#[test]
fn drawings_of_equivalents_have_the_moved_rules() {
    let line = ".Shape~4x4.Thermo~R1C1~R1C2.AllDifferent~R1C1~R4C4.~R3C1_4";
    let options = "--shuffle=9 -o puzzle";
    let (moved, ..) = run_with(options, line.as_bytes());
    for form in ["--draw", "--draw=svg"] {
        let (drawn, ..) = run_with(&format!("{options} {form}"), line.as_bytes());
        let (expected, ..) = run_with(&format!("{form} -o puzzle"), moved.as_bytes());
        assert_eq!(drawn, expected);
    }
}

/// Columns of the variants of a run follow the string.
#[test]
fn strings_are_read_as_they_are_written_with_the_options_of_other_fields() {
    let cage = ".Shape~4x4.Cage~5~R1C1~R1C2.Thermo~R2C1~R2C2.~R3C1_2~R4C2_1";
    let layout = ".Shape~4x4.NoBoxes.Jigsaw~AAABACBBCCDBCDDD.Thermo~R2C1~R2C2.~R3C1_2~R4C2_1";
    let regions = ".Shape~4x4.Thermo~R2C1~R2C2.~R3C1_2~R4C2_1 ABCDBADCCDABDCBA";
    for (line, options) in [
        (cage, "--variant killer"),
        (cage, "--variant killer,jigsaw"),
        (layout, "--variant jigsaw"),
        (layout, "--variant killer,jigsaw"),
        (regions, "--variant regions --disconnected"),
        (cage, "--variant antiking,diagonal"),
    ] {
        let status = |line: &str| columns(&format!("{options} --count 999 -o solutions"), line);
        let (text, messages, _) = run_with(&format!("{options} --remove 1"), line.as_bytes());
        assert_eq!((&*messages, text.lines().count()), ("", 2), "{options} {line}");
        for (written, given) in text.lines().zip(["R4C2_1", "R3C1_2"]) {
            let other = if given == "R4C2_1" { "~R3C1_2" } else { "~R4C2_1" };
            let (first, rest) = line.split_once(' ').unwrap_or((line, ""));
            let expected = format!("{} {rest}", first.replace(other, ""));
            assert_eq!(status(written), status(&expected), "{options} {written}");
            assert!(written.contains(given), "{written}");
        }
    }
}

/// The image of a puzzle with these rules.
fn image_of(rules: &str) -> String {
    let (image, messages, _) = run_with("--draw=svg -o puzzle", format!("{rules}\n").as_bytes());
    assert_eq!((image.matches("</svg>").count(), &*messages), (1, ""), "{rules}");
    assert_eq!(image.matches("<g").count(), image.matches("</g>").count(), "{image}");
    image
}

/// The texts below the grid.
fn notes_of(image: &str) -> Vec<&str> {
    let texts = image.split("class=\"note\"").skip(1);
    texts.map(|it| &it[it.find('>').unwrap() + 1..it.find("</text>").unwrap()]).collect()
}

#[test]
fn rules_are_drawn_in_their_usual_look() {
    for (rules, title, shape) in [
        (
            ".Thermo~R1C1~R1C2~R2C3",
            "thermometer",
            "stroke-width=\"10\" d=\"M20 20L60 20L100 60\"/><circle cx=\"20\" cy=\"20\" r=\"14\" fill=\"#ccc\"/>",
        ),
        // The shaft begins at the circle; the head is at the last cell.
        (
            ".Arrow~R1C1~R1C2~R1C3",
            "arrow",
            "<circle class=\"ring\" cx=\"20\" cy=\"20\" r=\"14\" stroke=\"#777\" stroke-width=\"2\"/><path class=\"route\" stroke=\"#777\" stroke-width=\"2\" d=\"M34 20L60 20L100 20\"/><path class=\"route\" stroke=\"#777\" stroke-width=\"2\" d=\"M92.8 14.6L100 20L92.8 25.4\"/>",
        ),
        (
            ".PillArrow~2~R1C1~R1C2~R2C2",
            "pill arrow",
            "stroke-width=\"30\" d=\"M20 20L60 20\"/><path class=\"route\" stroke=\"#fff\" stroke-width=\"26\"",
        ),
        (".Lockout~4~R1C1~R1C2", "lockout line", "d=\"M60 4l16 16l-16 16l-16 -16z\""),
        (".Zipper~R1C1~R1C2", "zipper", "stroke=\"#96d\" stroke-width=\"8\" d=\"M20 20L60 20\""),
        // Cells that share no edge with the one before have no dot.
        (
            ".WhiteDot~R1C1~R1C2~R2C2",
            "white dot",
            "<title>white dot</title><circle cx=\"40\" cy=\"20\" r=\"5\" class=\"white\"/><circle cx=\"60\" cy=\"40\" r=\"5\" class=\"white\"/></g>",
        ),
        (
            ".BlackDot~R1C1~R2C1",
            "black dot",
            "<circle cx=\"20\" cy=\"40\" r=\"5\" class=\"black\"/>",
        ),
        (".X~R1C1~R1C2", "X", "<text x=\"40\" y=\"24\" class=\"symbol\">X</text>"),
        (".GreaterThan~R1C1~R1C2", "inequality", "d=\"M37 25L43 20L37 15\""),
        (".GreaterThan~R2C1~R1C1", "inequality", "d=\"M15 43L20 37L25 43\""),
        (
            ".Quad~R1C1~1~2~3",
            "quadruple",
            "<circle cx=\"40\" cy=\"40\" r=\"10\" class=\"white\"/><text x=\"40\" y=\"39\" class=\"clue\">1 2</text><text x=\"40\" y=\"47\" class=\"clue\">3</text>",
        ),
        (
            ".ContainAtLeast~5_6~R2C2~R1C1~R1C2~R2C1",
            "contained digits",
            "<circle cx=\"40\" cy=\"40\" r=\"10\" class=\"white\"/><text x=\"40\" y=\"43\" class=\"clue\">5 6</text>",
        ),
        (
            ".LittleKiller~12~R1C3",
            "little killer",
            "<text x=\"135\" y=\"-11\" class=\"outside\">12</text><path class=\"mark\" d=\"M128 -8L122 -2",
        ),
        (".Sum~12~R1C3~R2C2~R3C1", "sum", "<text x=\"135\" y=\"-11\" class=\"outside\">12</text>"),
        (
            ".LittleKiller~40~R2C1",
            "little killer",
            "<text x=\"-15\" y=\"29\" class=\"outside\">40</text>",
        ),
        (
            ".LittleKiller~40~R2C9",
            "little killer",
            "<text x=\"375\" y=\"99\" class=\"outside\">40</text>",
        ),
        (
            ".LittleKiller~40~R9C2",
            "little killer",
            "<text x=\"25\" y=\"379\" class=\"outside\">40</text>",
        ),
        // The second cage shares a cell with the first, whose corner has a sum.
        (
            ".Cage~9~R1C1~R1C2.Cage~10~R1C1~R2C1",
            "cage",
            "<text x=\"6\" y=\"52\" class=\"sum\">10</text></g>",
        ),
    ] {
        let image = image_of(rules);
        assert_eq!(image.matches(&format!("<g><title>{title}</title>")).count(), 1, "{rules}");
        assert!(image.contains(shape), "{rules}: {shape}: {image}");
    }
    // Only clues outside take space around the grid, and only notes below it.
    for (rules, frame) in [
        (".X~R1C1~R1C2", "viewBox=\"-2 -2 364 364\" width=\"364\" height=\"364\">"),
        (".Renban~R1C1~R1C2", "viewBox=\"-2 -2 364 379\" width=\"364\" height=\"379\">"),
        (".LittleKiller~12~R1C3", "viewBox=\"-28 -28 416 416\" width=\"416\" height=\"416\">"),
    ] {
        assert!(image_of(rules).contains(frame), "{rules}");
    }
}

#[test]
fn what_has_no_shape_is_named_below_the_grid() {
    for (rules, notes) in [
        (".Thermo~R1C1~R1C2.Quad~R1C1~1.Cage~9~R1C1~R1C2.Diagonal~1", &[][..]),
        (".AntiKnight.AntiKing.AntiKnight", &["antiknight", "antiking"]),
        (".NoBoxes.StrictXV", &["no boxes", "negative XV"]),
        (".EqualSum~R1C1~R1C2~-~R2C1", &["equal sums: r1c1 r1c2 - r2c1"]),
        (".ContainExact~1_2~R1C1~R1C2", &["exactly these digits 1 2: r1c1 r1c2"]),
        (".ContainAtLeast~1_2~R1C1~R1C2~R1C3", &["at least these digits 1 2: r1c1 r1c2 r1c3"]),
        (".NumberedRoom~R2~9", &["numbered room R2 9"]),
        // No diagonal, a part of one, and one with weights.
        (".Sum~12~R1C1~R1C2", &["sum 12: r1c1 r1c2"]),
        (".Sum~12~R1C1~R2C2", &["sum 12: r1c1 r2c2"]),
        (".Sum~12~R8C8~R9C9", &["sum 12: r8c8 r9c9"]),
        (".Sum~12_=_1_2~R1C2~R2C1", &["sum 12 = 1 2: r1c2 r2c1"]),
        // Lines that differ in their colour, and the number that is not the usual one.
        (".Whisper~5~R1C1~R1C2.Whisper~R2C1~R2C2.Whisper~4~R3C1~R3C2", &["whisper", "whisper 4"]),
        (".AllDifferent~R1C1~R2C2.AllDifferent~R4C1~R4C2~R5C2", &["different cells: r1c1 r2c2"]),
        // Two sums for one corner.
        (".Cage~9~R1C1~R1C2.Cage~5~R1C1", &["cage 5: r1c1"]),
        (
            ".Pair~A~R1C1~R1C2~_a<b\u{1b}~R2C1~R2C2",
            &["pairs A: r1c1 r1c2 a&lt;b\u{fffd} r2c1 r2c2"],
        ),
        (
            ".SameValues~2~R1C1~R1C2~R1C3~R1C4~R1C5~R2C1~R2C2~R2C3~R2C4~R2C5",
            &["same values 2: r1c1 r1c2 r1c3 r1c4 r1c5 r2c1 r2c2 r2c3 r2c4", "r2c5"],
        ),
    ] {
        assert_eq!(notes_of(&image_of(rules)), notes, "{rules}");
    }
    // The layout is drawn, so that it needs no name; one beside boxes is not.
    let layout = "1122112233443344";
    let image = image_of(&format!(".Shape~4x4.NoBoxes.Jigsaw~{layout}"));
    assert_eq!(notes_of(&image), [""; 0]);
    let image = image_of(&format!(".Shape~4x4.Jigsaw~{layout}"));
    assert_eq!(notes_of(&image), [format!("jigsaw {layout}")]);
}

#[test]
fn cells_of_a_line_are_not_shaded_as_a_group() {
    assert!(image_of(".Windoku").contains("class=\"shade\""));
    for rules in [".Renban~R1C1~R2C4~R3C7", ".AllDifferent~R4C1~R1C4"] {
        assert!(!image_of(rules).contains("class=\"shade\""), "{rules}");
    }
}

#[test]
fn every_rule_is_drawn_or_named() {
    // Those that the grid shows anyway.
    let shown = ["Diagonal", "Windoku"];
    for rule in RULES_OF_ALL_KINDS {
        let image = image_of(rule);
        let name = rule[1..].split(['~', '.']).next().unwrap();
        let is_drawn = image.contains("<g><title>") || !notes_of(&image).is_empty();
        assert_eq!(is_drawn, !shown.contains(&name), "{rule}");
    }
}

const RULES_OF_ALL_KINDS: [&str; 51] = [
    ".Diagonal~1",
    ".Windoku",
    ".DisjointSets",
    ".AntiKnight",
    ".AntiKing",
    ".AntiConsecutive",
    ".AntiTaxicab",
    ".StrictKropki",
    ".StrictXV",
    ".GlobalEntropy",
    ".GlobalMod",
    ".DutchFlatmates",
    ".NoBoxes",
    ".AllDifferent~R1C1~R2C4",
    ".Cage~9~R1C1~R1C2.Cage~9~R1C2~R1C3",
    ".Thermo~R1C1~R1C2",
    ".Whisper~R1C1~R1C2",
    ".Renban~R1C1~R1C2",
    ".Palindrome~R1C1~R1C2",
    ".Modular~3~R1C1~R1C2",
    ".Entropic~R1C1~R1C2",
    ".WhiteDot~R1C1~R1C2",
    ".BlackDot~R1C1~R1C2",
    ".X~R1C1~R1C2",
    ".V~R1C1~R1C2",
    ".GreaterThan~R1C1~R1C2",
    ".Pair~A~R1C1~R1C2",
    ".PairX~A~R1C1~R1C2",
    ".Binary~A~R1C1~R1C2",
    ".BinaryX~A~R1C1~R1C2",
    ".Arrow~R1C1~R1C2",
    ".DoubleArrow~R1C1~R1C2~R1C3",
    ".PillArrow~2~R1C1~R1C2~R1C3",
    ".Sum~9~R1C1~R1C2",
    ".LittleKiller~9~R1C2",
    ".Zipper~R1C1~R1C2",
    ".EqualSum~R1C1~-~R1C2",
    ".RegionSumLine~R1C3~R1C4",
    ".Quad~R1C1~9",
    ".ContainAtLeast~1~R1C1~R1C2",
    ".ContainExact~1~R1C1~R1C2",
    ".LookAndSay~21~R1C1~R1C2",
    ".SameValues~2~R1C1~R2C1",
    ".EqualityCage~R1C1~R1C2",
    ".Between~R1C1~R1C2~R1C3",
    ".Lockout~4~R1C1~R1C5~R1C2",
    ".Indexing~C~R2C1",
    ".ValueIndexing~R1C1~R1C2~R1C3~R1C4",
    ".NumberedRoom~R2~9",
    ".Jigsaw~111222333111222333111222333444555666444555666444555666777888999777888999777888999",
    ".Whisper~5~R1C1",
];

#[test]
fn pages_texts_and_new_puzzles_have_their_rules() {
    let puzzle =
        ".Shape~4x4.Thermo~R2C1~R2C2~R3C3.Arrow~R4C1~R3C1~R3C2.BlackDot~R2C4~R3C4.~R4C4_3\n";
    let (text, ..) = run_with("--draw", puzzle.as_bytes());
    let rules =
        "thermometer: r2c1 r2c2 r3c3\narrow: r4c1 r3c1 r3c2\nblack dot: r2c4 r3c4\nunique\n\n";
    assert!(text.ends_with(&format!("+-----+-----+\n{rules}")), "{text}");
    let (page, ..) = run_with("--draw=page -o puzzle,solution", puzzle.as_bytes());
    assert_eq!(page.matches("<title>thermometer</title>").count(), 2, "{page}");
    // Several digits of a cell, and givens that stay, are rules of a new puzzle.
    let input = ".Shape~4x4.~R1C1_1_2.~R1C2_3~R4C4_1.Thermo~R2C1~R2C2\n";
    let (image, ..) = run_with("--draw=svg --reveal r1c1 -o puzzle", input.as_bytes());
    let unchanged = image_of(input.trim());
    let notes = [notes_of(&image), notes_of(&unchanged)];
    assert!(image.contains("<title>thermometer</title>"), "{image}");
    assert_eq!(notes, [vec!["candidates: r1c1 1 2"], Vec::new()], "{image}");
}

#[test]
fn rules_of_an_object_are_drawn() {
    let cells = "[{},{},{},{}],".repeat(3) + "[{},{},{},{}]";
    let object = format!(
        r#"{{"size":4,"grid":[{cells}],"antiknight":true,"negative":["xv"],"constraints":".Shape~4x4.Renban~R4C1~R4C2","quadruple":[{{"cells":["R1C1","R1C2","R2C1","R2C2"],"values":[1,2]}}],"littlekillersum":[{{"cells":["R3C1","R2C2","R1C3"],"value":6}}],"minimum":[{{"cell":"R4C4"}}]}}"#
    );
    let (image, messages, _) = run_with("-q --json --draw=svg -o puzzle", object.as_bytes());
    assert_eq!(messages, "");
    assert_eq!(notes_of(&image), ["antiknight", "negative XV", "renban"], "{image}");
    for (title, number) in [("contained digits", 1), ("sum", 1), ("inequality", 2), ("renban", 1)] {
        assert_eq!(image.matches(&format!("<title>{title}</title>")).count(), number, "{title}");
    }
}

#[test]
fn a_puzzle_without_such_rules_is_drawn_without_their_style() {
    let image = image_of(".Shape~4x4.Cage~3~R1C1~R1C2.~R1C3_3");
    assert!(!image.contains(".route") && !image.contains("<g>"), "{image}");
    let (plain, ..) = run_with("--draw=svg -o puzzle", b"..3.............\n");
    let cage = image.find("<path class=\"cage\"").unwrap();
    assert_eq!(image[..cage], plain[..cage]);
}
