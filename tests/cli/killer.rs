//! `--variant killer`, and lines that describe their rules: cage numbers, SumoCue with cages, game
//! IDs of Solo.

use crate::full;
use crate::run::{Folder, check, check_invalid, check_output_lines, run, run_with, shell};
use crate::skip::is_installed;

/// A 4x4 killer without givens as a game ID, its cages as arrows, and its solution.
const GAME_ID: &str = "2x2k:p,aa_aaaaaa______a,6a5a6a5b5a9_4c";
const CAGES: &str = "6<5<6`5<^5<94<'^";
const SOLUTION: &str = "3241413224131324";
const BLANK: &str = "................";

#[test]
fn cages_are_a_field_behind_the_puzzle_or_alone() {
    let unique = format!("{SOLUTION}\tunique");
    check_output_lines(&[
        (&format!("{BLANK} {CAGES}"), "--variant killer", &unique),
        (
            CAGES,
            "--variant killer -o puzzle,cages,solution,status",
            &format!("{BLANK}\t{CAGES}\t{unique}"),
        ),
        (
            &format!("{BLANK} {CAGES} {SOLUTION} note,x"),
            "--variant killer --verify -o cages,status,reason",
            &format!("{CAGES}\tcorrect\t-"),
        ),
        (&format!("{BLANK}\t-"), "--variant killer -o cages,status", "-\tmultiple"),
        (
            &format!("ABBCABBCAACCDDDD 7 {BLANK} 77<4^`6^4<^75<'^"),
            "--variant killer,jigsaw --fields regions,id,puzzle,cages -o id,solution,status",
            "7\t2431412313423214\tunique",
        ),
        (
            &format!("{BLANK} ABBCABBCAACCDDDD 77<4^`6^4<^75<'^"),
            "--variant killer,jigsaw",
            "2431412313423214\tunique",
        ),
    ]);
}

#[test]
fn the_second_solution_is_shown_as_well() {
    let line = format!("{BLANK} 3<00000000000000");
    let (all, ..) = run_with("--variant killer --all=2 -o solution,status", line.as_bytes());
    let solutions: Vec<&str> = all.lines().collect();
    let [first, second] = solutions[..] else { panic!("two solutions are wanted: {all}") };
    let [first, second] = [first, second].map(|line| line.strip_suffix("\tmultiple").expect(line));
    assert_ne!(first, second);
    check_output_lines(&[
        (&line, "--variant killer -o solution,second", &format!("{first}\t{second}")),
        (&line, "--variant killer -o solutions", "2+"),
    ]);
}

#[test]
fn csv_has_a_column_of_cages() {
    check(&[
        (
            &format!("id,puzzle,cages\n1,{BLANK},{CAGES}\n"),
            "--csv --variant killer",
            &format!("id,puzzle,cages,solution,status\n1,{BLANK},{CAGES},{SOLUTION},unique\n"),
            "",
            0,
        ),
        (
            &format!("puzzle,sums\n{BLANK},{CAGES}\n"),
            "--csv --variant killer --header cages=sums -o status",
            &format!("puzzle,sums,status\n{BLANK},{CAGES},unique\n"),
            "",
            0,
        ),
        (
            &format!("puzzle\n\"{GAME_ID}\"\n"),
            "--csv -o solution",
            &format!("puzzle,solution\n\"{GAME_ID}\",{SOLUTION}\n"),
            "",
            0,
        ),
    ]);
}

#[test]
fn lines_bring_their_size_variants_regions_and_cages() {
    let lines = format!(
        "{GAME_ID}\n\
         1.....3..2.....4\n\
         4jk:p,_a_aafa_a_b_,_aa_a_ab_____aaa,7_7a4b6a4b7_5c\n\
         2x2::k:1281:1281:1282:1282:0:0:0:0:0:0:0:0:0:0:0:0\n\
         SumoCueV1=3+0=0=0=0=0=0=0=0=0=0=0=0=0=0=0\n\
         2x3k:abc\n\
         2x2x:a2b3b1h\n"
    );
    let columns = "-o puzzle,regions,cages,status";
    let (output, messages, status) = run_with(columns, lines.as_bytes());
    let expected = format!(
        "{BLANK}\t-\t{CAGES}\tunique\n\
         1.....3..2.....4\t-\t-\tunique\n\
         {BLANK}\tABBCABBCAACCDDDD\t77<4^`6^4<^75<'^\tunique\n"
    );
    assert!(output.starts_with(&expected), "{output}");
    assert_eq!(output.lines().count(), 7, "{output}");
    assert_eq!(status, Some(1));
    let reason = "-:6: 1 list instead of 3: givens, cages, sums\n";
    assert!(messages.contains(reason), "{messages}");
}

#[test]
fn what_columns_show_can_be_read_again() {
    let line = format!("{GAME_ID}\n");
    let (fields, ..) = run_with("-o puzzle,cages", line.as_bytes());
    let (output, ..) = run_with("--variant killer -o puzzle,cages", fields.as_bytes());
    assert_eq!(output, fields);
    let (canonical, ..) = run_with("-o canonical", line.as_bytes());
    let (shuffled, ..) = run_with("--shuffle=20 --random=3 -o puzzle,cages", line.as_bytes());
    let (forms, ..) = run_with("--variant killer -o canonical", shuffled.as_bytes());
    assert_eq!(forms, canonical.repeat(20));
    let (again, ..) = run_with("--variant killer -o canonical", canonical.as_bytes());
    assert_eq!(again, canonical);
    let csv = format!("id,puzzle\n7,\"{GAME_ID}\"\n");
    let (csv, ..) = run_with("--csv --shuffle=5", csv.as_bytes());
    let (forms, ..) = run_with("--csv --variant killer -o canonical", csv.as_bytes());
    let forms: Vec<&str> = forms.lines().skip(1).collect();
    let form = canonical.trim_end();
    assert!(forms.len() == 5 && forms.iter().all(|line| line.contains(form)), "{forms:?}");
    let (drawn, ..) = run_with("--shuffle --random=1 --draw -o puzzle,status", line.as_bytes());
    assert!(drawn.contains("+9"), "{drawn}");
}

#[test]
fn stated_boxes_and_diagonals_are_part_of_the_cages() {
    for line in ["3x2:e1i2a3r", "2x2x:a2b3b1h", "3x2x:e1i2a3r"] {
        let input = format!("{line}\n");
        let (fields, ..) = run_with("-o puzzle,cages", input.as_bytes());
        let (again, ..) = run_with("--variant killer -o puzzle,cages", fields.as_bytes());
        assert_eq!(again, fields);
        let (described, ..) = run_with("-o status,solutions --count 9999", input.as_bytes());
        let (read, ..) =
            run_with("--variant killer -o status,solutions --count 9999", fields.as_bytes());
        assert_eq!(read, described, "{fields}");
    }
    let forms = |line: &str| run_with("-o canonical", line.as_bytes()).0;
    assert_ne!(forms("2x2:a2b3b1h\n"), forms("2x2x:a2b3b1h\n"));
}

/// Asserts that the fields that are written for a line are read as the same puzzle, with at most a
/// thousand solutions, and are written alike again.
fn assert_read_back(line: &str, columns: &str, variants: &str) {
    let answers = "--count 1000 -o status,solutions";
    let (fields, ..) = run_with(&format!("-o {columns}"), line.as_bytes());
    let read = format!("--variant {variants}");
    let (again, ..) = run_with(&format!("{read} -o {columns}"), fields.as_bytes());
    assert_eq!(again, fields, "{line}");
    let (expected, ..) = run_with(answers, line.as_bytes());
    let (found, ..) = run_with(&format!("{read} {answers}"), fields.as_bytes());
    assert_eq!(found, expected, "{line} as {fields}");
}

#[test]
fn cages_without_a_sum_are_read_back() {
    let blanks = |sets: usize| "=0".repeat(sets);
    let cells_apart = format!("SumoCueV1=3+0{}+2{}", blanks(6), blanks(7));
    for (line, cages) in [
        (
            "SumoCueV1D=3+0=0+2=0=0=0=0=0=0=0=0=0=0=0=0",
            "2x2:d:k:769:769:2:2:0:0:0:0:0:0:0:0:0:0:0:0:",
        ),
        (&*cells_apart, "2x2::k:769:769:2:0:0:0:0:0:2:0:0:0:0:0:0:0:"),
        ("2x2::k:0:0:1:0:0:1:0:0:0:0:0:0:0:0:0:0", "00000'0000000000"),
        (
            "2x2xk:p,aa_aaaaaa______a,6a5a6a5b5a9_4c",
            "2x2:d:k:1537:1537:1282:1282:1539:1537:1284:1284:1539:1285:1285:2310:1031:1031:2310:2310:",
        ),
        ("2x2xk:p,aa_aaaaaa______a,p", "2x2:d:k:1:1:2:2:3:1:4:4:3:5:5:6:7:7:6:6:"),
    ] {
        let (written, ..) = run_with("-o cages", line.as_bytes());
        assert_eq!(written.trim_end(), cages, "{line}");
        assert_read_back(line, "puzzle,cages", "killer");
    }
    // The first two cells of a 12x12 are a cage.
    let blank = "zzzzzn";
    let game_id = format!("3x4k:{blank},a{},{blank}", "_".repeat(263));
    let (cages, ..) = run_with("-o cages", game_id.as_bytes());
    assert_eq!(cages.trim_end(), format!("3x4::k:1:1:{}", "0:".repeat(142)));
    let with_cages = format!("11{} {cages}", ".".repeat(142));
    let (status, ..) = run_with("--variant killer -o status", with_cages.as_bytes());
    assert_eq!(status, "none\n");
    let jigsaw = "SumoCueV1D=3J0+0J0=0J0=0J1=0J2+2J0=0J1=0J1=0J2=0J2=0J3=0J1=0J2=0J3=0J3=0J3";
    assert_read_back(jigsaw, "puzzle,regions,cages", "killer,jigsaw");
    assert_read_back(
        "4jk:p,_a_aafa_a_b_,_aa_a_ab_____aaa,p",
        "puzzle,regions,cages",
        "killer,jigsaw",
    );
}

#[test]
fn forms_of_jigsaw_killers_do_not_depend_on_the_notation_of_cages() {
    let cages = format!("1025:0:0:0:1025:{}", "0:".repeat(11));
    let line = |cages: &str| format!(".............1.. AAABCABBCCDBCDDD {cages}");
    let forms = |options: &str, line: &str| {
        let options = format!("--variant {options} -o canonical");
        run_with(&options, line.as_bytes()).0
    };
    let arrows = line("4000^00000000000");
    for (options, boxes) in [
        ("killer,jigsaw", ["1x4:", "2x2:", "4x1:"]),
        ("killer,jigsaw,diagonal", ["1x4:d", "2x2:", "2x2:d"]),
    ] {
        let expected = forms(options, &arrows);
        assert!(expected.ends_with("0004000^00000000\n"), "{expected}");
        for boxes in boxes {
            let numbers = line(&format!("{boxes}:k:{cages}"));
            assert_eq!(forms(options, &numbers), expected, "{numbers}");
        }
    }
    // A 5x5 and an 8x8 whose regions are rows, and whose first two cells are a cage.
    for (side, boxes) in [(5, "1x5"), (8, "4x2"), (8, "1x8")] {
        let cells = side * side;
        let labels = "ABCDEFGH"[..side].chars();
        let labels: String = labels.flat_map(|label| vec![label; side]).collect();
        let puzzle = format!("1{}{} {labels}", ".".repeat(cells - 2), 2);
        let numbers = format!("{puzzle} {boxes}::k:769:769:{}", "0:".repeat(cells - 2));
        let expected = forms("killer,jigsaw", &format!("{puzzle} 3<{}", "0".repeat(cells - 2)));
        assert_eq!(forms("killer,jigsaw", &numbers), expected, "{numbers}");
        let shuffle = "--variant killer,jigsaw --shuffle=9 -o puzzle,regions,cages";
        let (shuffled, ..) = run_with(shuffle, numbers.as_bytes());
        assert_eq!(forms("killer,jigsaw", &shuffled), expected.repeat(9));
    }
}

#[test]
fn wrong_answers_name_the_cage() {
    let verified = |cages: &str, answer: &str| {
        let line = format!("{BLANK} {cages} {answer}\n");
        let options = "--variant killer --verify -o reason,conflicts";
        run_with(options, line.as_bytes()).0
    };
    assert_eq!(verified(CAGES, SOLUTION), "-\t0\n");
    let other = "1234341221434321";
    for (cages, found) in [
        ("3<00000000000000", "-\t0\n"),
        ("4<00000000000000", "cage at r1c1 adds up to 3, not 4\t2\n"),
        ("7<00^00000000000", "cage at r1c1 adds up to 6, not 7\t3\n"),
        ("00v0000000000000", "-\t0\n"),
        ("00000.0000000000", "cage at r2c2 has 4 twice: r2c2 r3c3\t2\n"),
    ] {
        assert_eq!(verified(cages, other), found, "{cages}");
    }
}

#[test]
fn faults_of_cages_name_the_cell_or_the_cage() {
    let killer = "--variant killer";
    check_invalid(&[
        (BLANK, killer, "the cages are missing; expected PUZZLE CAGES"),
        (
            "................ ...............",
            killer,
            "the cages are missing; expected PUZZLE CAGES",
        ),
        (
            "................ 3<9<000000000000",
            killer,
            "cage at r1c3: 2 different digits add up to 3 to 7, not 9",
        ),
    ]);
}

#[test]
fn cells_that_one_deduction_fixes_in_a_cage_without_a_sum_differ() {
    for (line, status) in [
        (
            "....................................5........................... 80R<10<<''^``T5C00<0,^'^^^```^0<O^`'^^`04`0'0^,^'^0'^`'^'5^`^`'^",
            "multiple",
        ),
        (
            ".......8.............................2......................3... C<<0H30<^A>'G0<`0<`<0`F<^CB>'`^BG'`B0<^^^0<^^`^^^0`^,`E<'^``0<<`",
            "none",
        ),
        (
            "......................8.4..............7.....13.14......2...5... M<<<C<270<`0<00^^0'>''D1H'`>'6``^```NKJ<I7,'M^^`^`'^^```^0<<<`^`",
            "multiple",
        ),
    ] {
        let (output, messages, _) =
            run_with("--variant killer --box 4x2 -o status", line.as_bytes());
        assert_eq!((output.trim_end(), &*messages), (status, ""), "{line}");
    }
}

#[test]
fn a_line_with_unread_cages_is_invalid() {
    check(&[
        (
            &format!("{BLANK} {CAGES}\n"),
            "-o status",
            "invalid\n",
            "-:1: a field after the puzzle looks like killer cages; --variant killer reads it\n",
            1,
        ),
        (
            &format!("{CAGES}\n"),
            "",
            &format!("{CAGES}\tinvalid\n"),
            "-:1: '6' at r1c1 is neither a digit of a 4x4 puzzle nor a blank (killer cages: --variant killer)\n",
            1,
        ),
    ]);
}

#[test]
fn every_kind_of_puzzle_of_solo_is_answered() {
    if !is_installed("sgt-solo") {
        return;
    }
    let number = full::cases(1, 3);
    for parameters in ["2x2kdu", "2x3kdu", "2x2", "2x3xdi", "3x3db", "6jdb", "6jxkda", "3x3kdb"] {
        let folder = Folder::new();
        let mut generate = shell(&format!("sgt-solo --generate {number} '{parameters}#1'"));
        generate.current_dir(&folder.0);
        let ids = run(generate, b"").text();
        let (output, messages, _) = run_with("-o status", ids.as_bytes());
        assert_eq!((output, messages), ("unique\n".repeat(number), String::new()), "{ids}");
    }
}

#[test]
fn rules_with_more_houses_than_the_search_of_one_puzzle_lists_hold_in_lanes() {
    // 91 houses. Dominoes without sums: the search needs lanes.
    let label = |cell: usize| char::from(b'A' + (cell / 64 * 4 + cell % 16 / 4) as u8);
    let regions: String = (0..256).map(label).collect();
    let cages: String = (0..256).map(|cell| format!("{}:", cell / 2 % 255 + 1)).collect();
    let line = format!("{} {regions} 4x4::k:{cages}\n", ".".repeat(256));
    let rules = "--variant killer,regions,disjoint,diagonal,window";
    let options = format!("{rules} -o puzzle,regions,cages,solution");
    let (output, messages, status) = run_with(&options, line.as_bytes());
    assert_eq!((messages.as_str(), status), ("", Some(0)));
    let (output, ..) = run_with(&format!("{rules} --verify -o status"), output.as_bytes());
    assert_eq!(output, "correct\n");
}

#[test]
fn the_canonical_form_of_a_killer_has_the_least_sums_where_no_cage_comes_last() {
    let line = "2x2::k:0:1537:1537:1537:0:0:0:1282:0:0:0:1282:0:0:1283:1283:";
    let options = "--variant killer,diagonal -o canonical";
    let expected = "................55<6^00^000^0000\n";
    // As arrows, another image has a lesser text: 00000006500^^5<^.
    let images = [
        line.to_string(),
        "................00000006500^^5<^".to_string(),
        expected.trim_end().to_string(),
    ];
    for image in images {
        let (form, messages, _) = run_with(options, image.as_bytes());
        assert_eq!((form.as_str(), messages.as_str()), (expected, ""), "{image}");
    }
}
