//! `--make`: new puzzles from templates.

use crate::run::{check, run_with};

/// Runs the program, expects this exit status, and returns the output lines.
fn lines(options: &str, input: &str, expected: i32) -> Vec<String> {
    let (text, messages, status) = run_with(options, input.as_bytes());
    assert_eq!(status, Some(expected), "{options}: {messages}");
    text.lines().map(str::to_string).collect()
}

/// Expects that a run without options solves each line of `puzzles` and finds it unique.
fn assert_unique(options: &str, puzzles: &[String]) {
    let statuses = lines(&format!("{options} -o status"), &(puzzles.join("\n") + "\n"), 0);
    assert_eq!(statuses, vec!["unique"; puzzles.len()], "{options}");
}

#[test]
fn without_a_file_the_template_is_the_blank_grid() {
    for (size, options) in [(9, ""), (4, "--size 4"), (6, "--size 6"), (12, "--size 12")] {
        // Standard input is not read.
        let made = lines(&format!("{options} --make 5 -o puzzle"), "xxx\n", 0);
        assert_eq!(made.len(), 5, "{options}");
        assert!(made.iter().all(|puzzle| puzzle.len() == size * size), "{options}");
        assert_unique("", &made);
        let minimal = lines("-o minimal", &(made.join("\n") + "\n"), 0);
        assert_eq!(minimal, ["yes"; 5], "{options}");
    }
    let layout = "AABBAABBCCDDCCDD";
    let made = lines(&format!("--make 3 --regions {layout} -o puzzle"), "", 0);
    assert_unique(&format!("--regions {layout}"), &made);
    for variant in ["diagonal", "window,asterisk", "antiknight", "nonconsecutive"] {
        let made = lines(&format!("--make 3 --variant {variant} -o puzzle"), "", 0);
        assert_eq!(made.len(), 3, "{variant}");
        assert_unique(&format!("--variant {variant}"), &made);
    }
}

#[test]
fn the_givens_and_the_layout_of_a_template_stay() {
    let templates = "1..............4\n................\n12..............\n";
    let made = lines("--make 4 -o line,puzzle -", templates, 0);
    for (index, line) in made.iter().enumerate() {
        let (number, puzzle) = line.split_once('\t').unwrap();
        assert_eq!(number, (index / 4 + 1).to_string());
        let template = templates.lines().nth(index / 4).unwrap();
        let mut cells = template.bytes().zip(puzzle.bytes());
        assert!(cells.all(|(given, symbol)| given == b'.' || given == symbol), "{line}");
    }
    assert_eq!(made.len(), 12);
    let jigsaw = "................ AAABCCABDCCBDDDB\n";
    let made = lines("--make 4 --variant jigsaw -", jigsaw, 0);
    assert_eq!(made.len(), 4);
    assert!(made.iter().all(|line| line.contains("\tAAABCCABDCCBDDDB\tunique")), "{made:?}");
    let puzzles: Vec<String> = made.iter().map(|line| line.replace("\tunique", "")).collect();
    assert_unique("--variant jigsaw", &puzzles);
    // Symbols and blanks are those of the template.
    let made = lines("--make 2 --symbols ABCD -o puzzle -", "0B00000000000000\n", 0);
    assert!(made.iter().all(|puzzle| puzzle.bytes().all(|symbol| b"0ABCD".contains(&symbol))));
}

#[test]
fn lines_without_candidates_are_answered_once() {
    let blank = ".".repeat(16);
    check(&[
        (
            "# note\n\nbad\n11..............\n",
            "--make 3 -",
            "# note\n\nbad\tinvalid\n11..............\tnone\n",
            "-:3: 3 cells; a 4x4 puzzle has 16\n",
            1,
        ),
        (
            &("1234".repeat(16) + "\n"),
            "--make 3 --input pencilmarks -o status,reason -",
            "invalid\tgivens cannot be added to a pencilmark puzzle\n",
            "-:1: givens cannot be added to a pencilmark puzzle\n",
            1,
        ),
        ("", "--make 3 -", "", "", 0),
        // The limits of the solver leave no candidate.
        (
            &format!("{}\n", ".".repeat(81)),
            "--make 1 --tries 3 --max-guesses 1 -o status,reason -",
            "unknown\t0 of 1 found\n",
            "-:1: 0 of 1 found in 3 candidates; --tries allows more\n",
            1,
        ),
        (&blank, "--make 2 -o status -q -", "unique\nunique\n", "", 0),
    ]);
}

#[test]
fn a_run_ends_with_the_last_wanted_puzzle_or_the_last_try() {
    let all = lines("--make 300 -o puzzle,class,givens", "", 0);
    let hard: Vec<_> = all.iter().filter(|line| line.contains("\thard\t")).cloned().collect();
    assert!(hard.len() > 20);
    let chosen = |number: usize, tries: u64, status| {
        let options = "--where class=hard -o puzzle,class,givens --summary";
        lines(&format!("--make {number} --tries {tries} {options}"), "", status)
    };
    // The same candidates, whatever is chosen among them.
    assert_eq!(chosen(7, 300, 0), hard[..7]);
    assert_eq!(chosen(hard.len(), 300, 0), hard);
    let options = "--make 300 --tries 300 --where class=hard -o puzzle,class,givens,reason -";
    let template = format!("{}\n", ".".repeat(81));
    let given_up = lines(options, &template, 1);
    let (last, found) = given_up.split_last().unwrap();
    assert_eq!(found, hard.iter().map(|line| format!("{line}\t-")).collect::<Vec<_>>());
    // The condition chooses among candidates, and does not leave out the last line.
    let reason = format!("{} of 300 found", hard.len());
    assert_eq!(*last, format!("{}\t-\t0\t{reason}", template.trim_end()));
}

#[test]
fn the_last_line_says_how_many_puzzles_are_found() {
    let blank = ".".repeat(81);
    let hint = |found: &str, tries: u64| {
        format!("text:1: {found} found in {tries} candidates; --tries allows more\n")
    };
    for (options, found, tries) in [
        ("--make 5 --tries 3", 3, 3),
        ("--make 5 --tries 130 --where givens=..20", 0, 130),
        ("--make 9 --tries 100 --size 4 --distinct givens", 2, 100),
        ("--make 9 --tries 70 --where class=hard --distinct status", 1, 70),
    ] {
        for threads in ["-j1", "-j3"] {
            let run = run_with(&format!("{options} {threads} -o status,reason"), b"");
            let (text, messages, status) = run;
            let wanted = options.split(' ').nth(1).unwrap();
            let found_of = format!("{found} of {wanted}");
            assert!(text.ends_with(&format!("unknown\t{found_of} found\n")), "{options}: {text}");
            assert_eq!(text.lines().count(), found + 1, "{options}");
            assert!(messages.ends_with(&hint(&found_of, tries)), "{messages}");
            assert_eq!(status, Some(1));
        }
    }
    let with_status = lines("--make 5 --tries 3 --select unknown", "", 1);
    assert_eq!(with_status, [format!("{blank}\tunknown")]);
}

#[test]
fn options_of_minimization_choose_the_pattern() {
    let rotated = |puzzle: &str| {
        let mut cells = puzzle.bytes().zip(puzzle.bytes().rev());
        cells.all(|(one, other)| (one == b'.') == (other == b'.'))
    };
    let made = lines("--make 5 --symmetry half-turn -o puzzle", "", 0);
    assert!(made.len() == 5 && made.iter().all(|puzzle| rotated(puzzle)), "{made:?}");
    let exact = lines("--make 5 --symmetry half-turn --exact 27 -o givens", "", 0);
    assert_eq!(exact, ["27"; 5]);
    let givens = lines("--make 5 --givens 32 --tally givens", "", 0);
    assert_eq!(givens, ["givens\t32\t5"]);
    // A group with a given of the template stays.
    let template = format!("{}1{}\n", ".".repeat(10), ".".repeat(70));
    let made = lines("--make 5 --symmetry half-turn -o puzzle -", &template, 0);
    assert!(made.iter().all(|puzzle| rotated(puzzle) && puzzle.as_bytes()[10] == b'1'));
}

#[test]
fn seed_template_and_number_decide_on_a_candidate() {
    let made = |options: &str, input: &str| lines(&format!("--make 5 {options}"), input, 0);
    let blank = ".".repeat(81) + "\n";
    let first = made("", "");
    assert_eq!(first, made("--random 0", ""));
    assert_eq!(first, made("-", &blank));
    assert_ne!(first, made("--random 1", ""));
    let twice = made("-", &blank.repeat(2));
    assert_eq!(twice[..5], first);
    assert!(twice[5..].iter().all(|line| !first.contains(line)));
}

#[test]
fn the_output_does_not_depend_on_threads() {
    let templates =
        [&".".repeat(81), "bad", "# note", "", "11..............", "1...............", "."]
            .map(|line| format!("{line}\n"))
            .concat();
    let csv = "id,puzzle\n1,1...............\n2,\"................\"\n\"a,b\",x\n";
    let json = r#"[{"puzzle":"................"},{"puzzle":"1..............."}]"#;
    for (options, input) in [
        ("--make 200", &*templates),
        ("--make 30 --tries 90 --where class=hard,extreme -o puzzle,class,reason", &templates),
        ("--make 20 --tries 100 --distinct givens -o givens,line", &templates),
        ("--make 50 --select unique --output json -o puzzle,difficulty", &templates),
        ("--make 9 --tally givens,status", &templates),
        ("--make 9 --draw", &templates),
        ("--make 9 --draw=page", &templates),
        ("--make 70", csv),
        ("--make 70 --keep id --distinct canonical", csv),
        ("--make 70 -o canonical --distinct canonical", json),
        ("--make 3 --output csv", json),
    ] {
        let run = |threads: u32| {
            let options = format!("{options} -j{threads} --require any -");
            run_with(&options, input.as_bytes())
        };
        let one = run(1);
        for threads in [2, 5] {
            assert_eq!(run(threads), one, "{options} -j{threads}");
        }
        assert_eq!(one.2, Some(0), "{options}");
        assert!(!one.0.is_empty(), "{options}");
    }
}

#[test]
fn forms_of_the_output_are_named_as_always() {
    let puzzle = "...3.4...2.....1";
    check(&[
        ("", "--make 1 --size 4 --csv", &format!("puzzle,status\n{puzzle},unique\n"), "", 0),
        ("", "--make 1 --size 4 --output csv -o p=puzzle", &format!("p\n{puzzle}\n"), "", 0),
        (
            "",
            "--make 1 --size 4 --json",
            &format!("{{\"puzzle\":\"{puzzle}\",\"status\":\"unique\"}}\n"),
            "",
            0,
        ),
    ]);
    let (text, ..) = run_with("--make 2 --size 4 --summary", b"");
    assert_eq!(text.lines().count(), 2);
    let (_, messages, _) = run_with("--make 2 --size 4 --summary", b"");
    assert!(messages.starts_with("puzzles=2 unique=2 none=0 unknown=0 invalid=0 "), "{messages}");
    let page = run_with("--make 3 --size 4 --draw=page", b"").0;
    let (puzzles, solutions) = page.split_once("</main>").unwrap();
    assert_eq!([puzzles, solutions].map(|part| part.matches("<figure").count()), [3, 3]);
    let csv = run_with("--make 2 --csv -", b"id,puzzle\n7,\"................\"\n").0;
    let records: Vec<&str> = csv.lines().collect();
    assert_eq!((records[0], records.len()), ("id,puzzle,puzzle_found,status", 3));
    assert!(records[1].starts_with("7,\"................\",") && records[1].ends_with(",unique"));
}

const RING: &str =
    "x..x.x..x.x.xxx.x...x...x..xx.....xx.x..x..x.xx.....xx..x...x...x.xxx.x.x..x.x..x";

#[test]
fn a_pattern_has_givens_in_exactly_its_cells() {
    let has_pattern = |puzzle: &str, pattern: &str| {
        let mut cells = puzzle.bytes().zip(pattern.bytes());
        puzzle.len() == pattern.len()
            && cells.all(|(symbol, cell)| (symbol == b'.') == matches!(cell, b'.' | b'0'))
    };
    let six = "xx....x...x.x..x....x..x.x...x....xx";
    for (pattern, options, solved) in [
        (RING, "", ""),
        (RING, "--variant diagonal", "--variant diagonal"),
        (six, "", ""),
        ("...x.x...x.....x", "--regions AABBAABBCCDDCCDD", "--regions AABBAABBCCDDCCDD"),
    ] {
        let made = lines(&format!("--make 5 --pattern {pattern} -o puzzle {options}"), "", 0);
        assert_eq!(made.len(), 5);
        assert!(made.iter().all(|puzzle| has_pattern(puzzle, pattern)), "{made:?}");
        assert_unique(solved, &made);
    }
    // The givens of a template stay.
    let template = format!("7{}\n", ".".repeat(80));
    let made = lines(&format!("--make 5 --pattern {RING} -o puzzle -"), &template, 0);
    assert!(made.iter().all(|puzzle| puzzle.starts_with('7') && has_pattern(puzzle, RING)));
    let options = format!("--make 70 --pattern {RING} --distinct canonical --where class=hard");
    let run = |threads: &str| run_with(&format!("{options} {threads}"), b"");
    assert_eq!(run("-j1"), run("-j3"));
    assert_eq!(run("-j1").0.lines().count(), 70);
}

#[test]
fn a_pattern_without_a_puzzle_ends_with_the_tries() {
    for (pattern, options) in [
        ("x...............", ""),
        ("................", ""),
        // The only given is that of the template.
        ("x...............", "-"),
    ] {
        let options = format!("--make 2 --tries 9 --pattern {pattern} -o status,reason {options}");
        assert_eq!(lines(&options, "1...............\n", 1), ["unknown\t0 of 2 found"]);
    }
    let outside = lines("--make 1 --pattern x............... -o reason -", ".2..............\n", 1);
    assert_eq!(outside, ["the given at r1c2 is not in --pattern"]);
    let other = lines(&format!("--make 1 --pattern {RING} -o reason -"), &".".repeat(16), 1);
    assert_eq!(other, ["16 cells, and those of --pattern are 81"]);
}

#[test]
fn options_that_contradict_each_other_are_refused() {
    for (options, reason) in [
        ("--tries 3", "--tries needs --make"),
        ("--size 4", "--size needs --make"),
        ("--make 3 --size 4 -", "--size and FILE cannot be used together"),
        ("--make 3 --size 7", "--size 7: 49 cells; a 7x7 puzzle has no boxes (--variant jigsaw)"),
        ("--make 3 --size 30", "--size 30: 900 cells; a 25x25 puzzle has 625"),
        ("--pattern x", "--pattern needs --make"),
        ("--make 1 --pattern xx", "--pattern: 2 cells; a 4x4 puzzle has 16"),
        (
            "--make 1 --symmetry full --pattern x...............",
            "--symmetry and --pattern cannot be used together",
        ),
        ("--make 0", "--make 0: expected a number of 1 or more"),
        ("--make 3 --minimize", "--make and --minimize cannot be used together"),
        (
            "--make 3 --variant jigsaw",
            "--make needs a FILE of templates with layouts; - is standard input",
        ),
        (
            "--make 3 --variant killer",
            "--make needs a FILE of templates with cages; - is standard input",
        ),
        ("--make 3 --input csv", "--make without FILE reads a blank grid; - reads standard input"),
        (
            "--make 3 --select multiple",
            "no line can have status 'multiple' in this mode; the statuses are unique, none, \
             unknown, invalid",
        ),
    ] {
        let (text, messages, status) = run_with(options, b"");
        let first = messages.lines().next().unwrap_or_default();
        assert_eq!(first, reason, "{options}");
        assert_eq!((text.as_str(), status), ("", Some(2)), "{options}");
    }
}
