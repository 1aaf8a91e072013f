//! Constraint strings: reasons of `--verify`, errors of a line, and lines beside others.

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
        (".Shape~17x17", "the shape 17x17 is not read; NxN with digits from 1 is, N up to 16"),
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
