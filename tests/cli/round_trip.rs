//! What one run writes, another reads as the same puzzle: `puzzle,regions,cages`, and the puzzles
//! of `--shuffle`, `--minimize` and `--reveal`.

use std::fs;

use crate::run::{check, check_output_lines, run_with};

const BLANK: &str = "................";
const PUZZLE: &str = "1.....3..2.....4";
const CAGES: &str = "6<5<6`5<^5<94<'^";
const SOLUTION: &str = "3241413224131324";
const LAYOUT: &str = "ABBCABBCAACCDDDD";
const LAYOUT_CAGES: &str = "77<4^`6^4<^75<'^";
/// The killer of `CAGES` in SumoCue, which has no givens beside cages.
const SUMOCUE: &str = "SumoCueV1=6+0=5+2=6+0=5+6+4=5+9=9=4+12+11+11";

/// Returns the lines of a file in `data/` that are no comments.
fn data(name: &str) -> String {
    let path = format!("{}/data/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    let text = fs::read_to_string(path).unwrap();
    let lines = text.lines();
    let lines = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| format!("{line}\n")).collect()
}

/// Runs the program, expects no message, and returns the output.
fn output(options: &str, input: &str) -> String {
    let (text, messages, _) = run_with(options, input.as_bytes());
    assert_eq!(messages, "", "{options}");
    text
}

/// Asserts that two outputs have the same lines.
fn assert_same_lines(found: &str, expected: &str, input: &str) {
    assert_eq!(found.lines().count(), expected.lines().count());
    let lines = found.lines().zip(expected.lines());
    for ((found, expected), line) in lines.zip(input.lines()) {
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn a_dash_stands_for_no_layout_and_for_no_cages() {
    let unique = format!("{SOLUTION}\tunique");
    check_output_lines(&[
        (&format!("{BLANK} - {CAGES}"), "--variant killer", &unique),
        (
            &format!("{BLANK} - {CAGES} {SOLUTION}"),
            "--variant killer --verify -o status,cages",
            &format!("correct\t{CAGES}"),
        ),
        (
            &format!("{BLANK}\t-\t-\tnote"),
            "--variant killer -o cages,rest,status",
            "-\tnote\tmultiple",
        ),
        (&format!("{BLANK} - {SOLUTION}"), "--variant killer --verify -o status", "correct"),
        (&format!("{BLANK} - {CAGES}"), "--variant killer,jigsaw", &unique),
        (
            &format!("{PUZZLE} -"),
            "--variant jigsaw -o regions,solution,status",
            "-\t1342243142133124\tunique",
        ),
        (
            &format!("{PUZZLE} - 1342243142133124"),
            "--variant regions --verify -o regions,status",
            "-\tcorrect",
        ),
        (
            &format!("- {PUZZLE} -"),
            "--variant killer,jigsaw --fields regions,puzzle,cages -o solution,status",
            "1342243142133124\tunique",
        ),
        (&format!("{} - -", ".".repeat(625)), "--variant killer,jigsaw -o status", "multiple"),
    ]);
    check(&[(
        &format!("puzzle,regions,cages\n{BLANK},-,{CAGES}\n{BLANK},{LAYOUT},{LAYOUT_CAGES}\n"),
        "--csv --variant killer,jigsaw -o status",
        &format!(
            "puzzle,regions,cages,status\n{BLANK},-,{CAGES},unique\n\
             {BLANK},{LAYOUT},{LAYOUT_CAGES},unique\n"
        ),
        "",
        0,
    )]);
}

#[test]
fn the_columns_puzzle_regions_and_cages_are_read_back_whatever_the_lines() {
    // A killer with regions, and a puzzle without either.
    let mixed = format!("{BLANK} {LAYOUT} {LAYOUT_CAGES}\n{PUZZLE} - -\n{PUZZLE} {LAYOUT} -\n");
    let columns = "-o puzzle,regions,cages,status";
    for (options, lines) in [
        ("", data("self-describing")),
        ("--variant killer", data("killer")),
        ("--variant jigsaw", data("jigsaw")),
        ("--variant killer,jigsaw", data("killer-jigsaw")),
        ("--variant killer,jigsaw", mixed),
        ("", data("classic")),
    ] {
        let limit = "--max-guesses 20000";
        let fields = run_with(&format!("-q {options} {limit} {columns}"), lines.as_bytes()).0;
        let options = format!("-q --variant killer,jigsaw {limit} {columns}");
        let again = run_with(&options, fields.as_bytes()).0;
        assert_same_lines(&again, &fields, &lines);
    }
}

#[test]
fn lines_that_state_their_rules_are_written_as_fields_in_every_mode() {
    let lines = data("self-describing");
    let describe = |lines: &str| {
        let columns = "-o canonical,status,solutions --count 50 --max-guesses 20000";
        let options = format!("-q --variant killer,jigsaw {columns}");
        run_with(&options, lines.as_bytes()).0
    };
    let expected = describe(&lines);
    let shuffled = run_with("-q --shuffle", lines.as_bytes()).0;
    assert_same_lines(&describe(&shuffled), &expected, &lines);
    let status = |lines: &str| {
        let options = "-q --variant killer,jigsaw -o solution,status --max-guesses 20000";
        run_with(options, lines.as_bytes()).0
    };
    let minimized = run_with("-q --minimize --max-guesses 20000", lines.as_bytes()).0;
    for ((line, before), after) in
        lines.lines().zip(status(&lines).lines()).zip(status(&minimized).lines())
    {
        if before.ends_with("unique") {
            assert_eq!(after, before, "{line}");
        }
    }
}

#[test]
fn puzzles_are_written_with_their_layout_and_cages() {
    let killer = format!("{BLANK} {CAGES}");
    let jigsaw_killer = format!("{BLANK} {LAYOUT} {LAYOUT_CAGES}");
    let game_id = "2x2k:p,aa_aaaaaa______a,6a5a6a5b5a9_4c";
    check_output_lines(&[
        (&killer, "--variant killer --minimize", &format!("{BLANK}\t{CAGES}\tunique")),
        (CAGES, "--variant killer --reveal r1c1", &format!("3{}\t{CAGES}\tunique", &BLANK[1..])),
        (
            &format!("{PUZZLE} {LAYOUT}"),
            "--variant jigsaw --minimize",
            &format!("{PUZZLE}\t{LAYOUT}\tunique"),
        ),
        (
            &jigsaw_killer,
            "--variant killer,jigsaw --minimize",
            &format!("{BLANK}\t{LAYOUT}\t{LAYOUT_CAGES}\tunique"),
        ),
        (game_id, "-q --minimize", &format!("{BLANK}\t-\t{CAGES}\tunique")),
        (game_id, "-q --variant killer --minimize", &format!("{BLANK}\t-\t{CAGES}\tunique")),
        (game_id, "-q --variant jigsaw --minimize", &format!("{BLANK}\t-\t{CAGES}\tunique")),
        (SUMOCUE, "-q --minimize --fields puzzle,id", &format!("{BLANK}\t-\t{CAGES}\tunique")),
        // Columns that the user names have the puzzle alone, and drawings show the cages.
        (game_id, "--minimize -o puzzle,status", &format!("{BLANK}\tunique")),
        (PUZZLE, "--minimize", &format!("{PUZZLE}\tunique")),
        (PUZZLE, "--reveal r1c1", &format!("{PUZZLE}\tgiven")),
    ]);
}

#[test]
fn a_puzzle_that_states_its_rules_is_written_as_fields() {
    let written = format!("3{}\t-\t{CAGES}\tunique\n", &BLANK[1..]);
    let hint = |variants: &str| {
        format!(
            "a puzzle that states its rules is written as PUZZLE REGIONS CAGES; \
             --variant {variants} reads this one"
        )
    };
    let in_fields = hint("killer,jigsaw") + "\n";
    check(&[
        (
            &format!("{PUZZLE}\n{SUMOCUE}\n{SUMOCUE}\n"),
            "--reveal r1c1",
            &format!("{PUZZLE}\tgiven\n{written}{written}"),
            &format!("-:2: {in_fields}"),
            0,
        ),
        (
            &format!("puzzle\n{SUMOCUE}\n"),
            "--csv --reveal r1c1",
            &format!("puzzle,puzzle_found,status\n{SUMOCUE},3{} - {CAGES},unique\n", &BLANK[1..]),
            &format!("-:2: {}\n", hint("killer,jigsaw")),
            0,
        ),
        // A record has the fields of a line in its column of puzzles.
        (
            &format!("puzzle,id\n{BLANK} - {CAGES},1\n{PUZZLE} {LAYOUT} -,2\n"),
            "--csv --variant killer,jigsaw -o status",
            &format!(
                "puzzle,id,status\n{BLANK} - {CAGES},1,unique\n{PUZZLE} {LAYOUT} -,2,unique\n"
            ),
            "",
            0,
        ),
    ]);
    // Columns that the user names, and drawings, are as they always are.
    for options in ["-o puzzle,cages", "-o puzzle", "--draw"] {
        output(&format!("--reveal r1c1 {options}"), SUMOCUE);
    }
    // A field with the name of rules is among them, a note is not.
    let fields = "--fields puzzle,regions --reveal r1c1";
    let (text, ..) = run_with(fields, format!("{SUMOCUE}\t{LAYOUT}\n").as_bytes());
    assert_eq!(text, format!("{BLANK}\t{LAYOUT}\t{CAGES}\tnone\n"));
    let (text, ..) = run_with(fields, format!("{SUMOCUE}\tx\n").as_bytes());
    assert_eq!(text, written);
    for variants in ["killer", "killer,jigsaw"] {
        let solved = output(&format!("--variant {variants}"), &written);
        assert_eq!(solved, format!("{SOLUTION}\tunique\n"));
    }
}

#[test]
fn records_of_csv_can_be_read_again() {
    let ids = [
        "2x2x:1o",
        "2x2k:p,aa_aaaaaa______a,6a5a6a5b5a9_4c",
        "4jk:p,_a_aafa_a_b_,_aa_a_ab_____aaa,7_7a4b6a4b7_5c",
        "2x2::k:1281:1281:1282:1282:0:0:0:0:0:0:0:0:0:0:0:0:",
        "SumoCueV1=0J0=0J0=2J0=3J1=0J2=0J2=0J0=0J1=0J3=0J2=0J2=1J1=0J3=0J3=0J3=0J1",
        SUMOCUE,
    ];
    let records: String = ids.iter().map(|id| format!("\"{id}\",x\n")).collect();
    for header in ["puzzle,id", "puzzle,regions"] {
        let csv = format!("{header}\n{}", records);
        let counts = |variants: &str, csv: &str| {
            let columns = "-o solutions,canonical --count 999";
            let output = output(&format!("--csv {variants} {columns}"), csv);
            let lines = output.lines().skip(1);
            let columns = lines.map(|line| line.rsplit(',').take(2).collect::<Vec<_>>().join(","));
            columns.collect::<Vec<_>>()
        };
        for mode in ["--shuffle", "--shuffle -o line"] {
            let shuffled = run_with(&format!("-q --csv {mode}"), csv.as_bytes()).0;
            let found = counts("--variant killer,jigsaw", &shuffled);
            assert_eq!(found, counts("", &csv), "{mode}: {shuffled}");
        }
    }
    let game_id = ids[1];
    check(&[(
        &format!("puzzle\n\"{game_id}\"\n"),
        "-q --csv --minimize",
        &format!("puzzle,puzzle_found,status\n\"{game_id}\",{BLANK} - {CAGES},unique\n"),
        "",
        0,
    )]);
}

#[test]
fn cages_alone_are_a_killer_in_csv_too() {
    let quoted = format!("{BLANK}{CAGES}");
    check(&[
        (
            &format!("id,puzzle\n1,{CAGES}\n2,{quoted}\n"),
            "--csv --variant killer",
            &format!(
                "id,puzzle,solution,status\n1,{CAGES},{SOLUTION},unique\n2,{quoted},{SOLUTION},unique\n"
            ),
            "",
            0,
        ),
        (
            &format!("puzzle,cages\n{CAGES},\n,{CAGES}\n{BLANK},{CAGES}\n"),
            "--csv --variant killer -o status",
            &format!(
                "puzzle,cages,status\n{CAGES},,unique\n,{CAGES},unique\n{BLANK},{CAGES},unique\n"
            ),
            "",
            0,
        ),
        (
            &format!("puzzle\n{CAGES}\n{PUZZLE}\n"),
            "--csv --variant killer --minimize",
            &format!(
                "puzzle,puzzle_found,status\n{CAGES},{BLANK} {CAGES},unique\n{PUZZLE},{PUZZLE},invalid\n"
            ),
            "-:3: the cages are missing; if they have another name than cages: --header cages=NAME\n",
            1,
        ),
    ]);
}

#[test]
fn unread_cages_and_layouts_are_named_whatever_is_before_them() {
    let cages = "a field after the puzzle looks like killer cages; --variant killer reads it";
    let layout = "a field after the puzzle looks like a layout; --variant jigsaw or --variant regions reads it";
    let both = "fields after the puzzle look like a layout and killer cages; --variant killer,jigsaw reads them";
    let numbers = format!("2x2::k:769:769:{}", "0:".repeat(14));
    for (line, options, hint) in [
        (format!("{BLANK} - {CAGES}"), "", cages),
        (format!("{BLANK} {numbers}"), "", cages),
        (format!("2x2:p {CAGES}"), "", cages),
        (format!("{BLANK} - {CAGES}"), "--variant jigsaw", cages),
        (format!("2x2:p {LAYOUT}"), "", layout),
        (format!("{BLANK} - {LAYOUT}"), "", layout),
        (format!("{BLANK} {LAYOUT} {CAGES}"), "", both),
    ] {
        let (_, messages, _) = run_with(options, format!("{line}\n{line}\n").as_bytes());
        assert_eq!(messages, format!("-:1: {hint}\n-:2: {hint}\n"), "{line}");
    }
    let (blank, rows) = (".".repeat(49), "AAAAAABABBBBBBCCCCCCCDDDDDDDEEEEEEEFFFFFFFGGGGGGG");
    for (line, options, reason) in [
        (format!("{blank} {rows}"), "", "49 cells; a 7x7 puzzle has no boxes (--variant jigsaw)"),
        (
            format!("{BLANK} {LAYOUT} {CAGES}"),
            "--variant killer",
            "the cages are missing; expected PUZZLE CAGES (a killer and its jigsaw layout: --variant killer,jigsaw)",
        ),
    ] {
        let (_, messages, _) = run_with(options, line.as_bytes());
        assert_eq!(messages, format!("-:1: {reason}\n"), "{line}");
    }
}

#[test]
fn named_cages_and_layouts_are_used_without_a_variant() {
    let solutions = |options: &str, input: &str| {
        let options = format!("{options} --output lines -o solutions --count 999");
        let (text, messages, status) = run_with(&options, input.as_bytes());
        assert_eq!((&*messages, status), ("", Some(0)), "{options} {input}");
        text.trim_end().to_string()
    };
    let expected = |variants: &str, fields: &str| {
        solutions(&format!("--variant {variants}"), &format!("{BLANK} {fields}\n"))
    };
    let both = expected("killer,jigsaw", &format!("{LAYOUT} {LAYOUT_CAGES}"));
    let [killer, jigsaw] = [expected("killer", CAGES), expected("jigsaw", LAYOUT)];
    assert_ne!(killer, jigsaw);
    let record = |regions: &str, cages: &str| {
        [
            ("--csv", format!("puzzle,regions,cages\n{BLANK},{regions},\"{cages}\"\n")),
            ("--fields puzzle,regions,cages", format!("{BLANK} {regions} {cages}\n")),
            (
                "--json",
                format!(
                    "{{\"puzzle\":\"{BLANK}\",\"regions\":\"{regions}\",\"cages\":\"{cages}\"}}\n"
                ),
            ),
        ]
    };
    for (regions, cages, all) in [
        (LAYOUT, LAYOUT_CAGES, &both),
        ("-", CAGES, &killer),
        (LAYOUT, "-", &jigsaw),
        ("-", "-", &"288".to_string()),
        // Notes, not rules.
        ("xyz", "12", &"288".to_string()),
    ] {
        for (options, input) in record(regions, cages) {
            assert_eq!(solutions(options, &input), *all, "{options} {input}");
        }
    }
    for (regions, cages, options, reason) in [
        (&LAYOUT[1..], "-", "", "15 region labels; a 4x4 puzzle has 16"),
        ("-", &CAGES[1..], "", "15 cage symbols; a 4x4 puzzle has 16"),
        (
            LAYOUT,
            "-",
            "--regions AAAABBBBCCCCDDDD --variant jigsaw",
            "the line has its own regions, but --regions sets one layout for all lines",
        ),
    ] {
        for (form, input) in record(regions, cages) {
            let (_, messages, status) = run_with(&format!("{form} {options}"), input.as_bytes());
            let line = if form == "--csv" { 2 } else { 1 };
            assert_eq!((messages, status), (format!("-:{line}: {reason}\n"), Some(1)), "{input}");
        }
    }
    // The layout of the run is that of the record.
    let options = format!("--csv --variant jigsaw --regions {LAYOUT} -o status");
    let (_, messages, status) =
        run_with(&options, format!("puzzle,regions\n{BLANK},{LAYOUT}\n").as_bytes());
    assert_eq!((&*messages, status), ("", Some(0)));
}
