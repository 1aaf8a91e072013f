//! Variants: their houses, aliases and combinations, and the layouts of jigsaws.

use crate::run::{Folder, check, check_invalid, check_output_lines};

/// A full grid for rows, columns, boxes, both diagonals, the window and the regions of
/// `SPLIT_REGIONS`.
const GRID: &str = "1234341243212143";
/// Each region consists of four separate cells, which have the same place in their boxes.
const SPLIT_REGIONS: &str = "ABABCDCDABABCDCD";
/// Every row is a region, so that any latin square is a solution.
const ROW_REGIONS: &str = "AAAABBBBCCCCDDDD";

#[test]
fn each_variant_adds_its_houses() {
    check_output_lines(&[
        ("1234....4.......", "--variant diagonal", "1234341243212143\tunique"),
        ("1234.4.....12...", "--variant window", "1234341243212143\tunique"),
        ("1234341221434321", "--variant diagonal", "1234341221434321\tnone"),
        ("1234341221434321", "--variant window", "1234341221434321\tnone"),
        ("1234341221434321", "--variant classic", "1234341221434321\tunique"),
    ]);
}

#[test]
fn variants_have_aliases_and_combine() {
    for (list, status) in [
        ("classic", "unique"),
        ("diagonal", "none"),
        ("x", "none"),
        ("window", "none"),
        ("windoku", "none"),
        ("hyper", "none"),
        ("classic,diagonal", "none"),
        ("window,x", "none"),
        ("x,diagonal,classic", "none"),
    ] {
        let options = format!("--variant {list}");
        check_output_lines(&[
            ("1234341221434321", &options, &format!("1234341221434321\t{status}")),
            (GRID, &options, &format!("{GRID}\tunique")),
        ]);
    }
    for list in ["jigsaw", "nonomino", "jigsaw,diagonal", "x,nonomino,windoku", "classic,jigsaw"] {
        let options = format!("--variant {list}");
        check_output_lines(&[(
            &format!("{GRID} {ROW_REGIONS}"),
            &options,
            &format!("{GRID}\tunique"),
        )]);
    }
}

#[test]
fn repeated_variants_add_up() {
    let puzzle = "1.....3..2.....4";
    for options in [
        "--variant diagonal --variant window",
        "--variant window --variant diagonal",
        "--variant diagonal,window",
    ] {
        let line = format!("{puzzle}\tnone");
        check_output_lines(&[(puzzle, options, &line)]);
    }
    check_output_lines(&[(puzzle, "--variant window -o status", "unique")]);
}

#[test]
fn a_size_without_windows_is_invalid() {
    let six = ".".repeat(36);
    let reason = "a 6x6 puzzle has no windows; only 4x4, 9x9, 16x16 and 25x25 puzzles have them";
    check_invalid(&[(&six, "--variant window", reason)]);
    check(&[(
        &format!("{six}\n{GRID}\n"),
        "--variant window -q",
        &format!("{six}\tinvalid\n{GRID}\tunique\n"),
        "",
        1,
    )]);
}

#[test]
fn a_jigsaw_has_regions_in_place_of_boxes() {
    let output = "1234234134124123\tunique";
    for line in [
        format!("123423413412.... {ROW_REGIONS}"),
        format!("123423413412....\t{ROW_REGIONS}\trest"),
        format!("123423413412....,{ROW_REGIONS},rest"),
        format!("123423413412....{ROW_REGIONS}"),
        format!("123423413412....{ROW_REGIONS} rest"),
        "123423413412.... 0000111122223333".to_string(),
        "123423413412.... 1111222233334444".to_string(),
        // Labels are case-sensitive and can be any symbols.
        "123423413412.... aaaaAAAA....----".to_string(),
    ] {
        check_output_lines(&[(&line, "--variant jigsaw", output)]);
    }
}

#[test]
fn jigsaws_of_every_side_from_2_to_25_are_solved() {
    for side in 2..=25 {
        // A latin square whose rows are the regions.
        let symbols = &b"123456789ABCDEFGHIJKLMNOP"[..side];
        let cells = |symbol: &dyn Fn(usize, usize) -> u8| -> String {
            let all = (0..side).flat_map(|row| (0..side).map(move |column| (row, column)));
            all.map(|(row, column)| char::from(symbol(row, column))).collect()
        };
        let grid = cells(&|row, column| symbols[(row + column) % side]);
        let labels = cells(&|row, _| symbols[row]);
        let puzzle = format!("{}{}", &grid[..side * (side - 1)], ".".repeat(side));
        let output = format!("{grid}\tunique");
        check_output_lines(&[
            (&format!("{puzzle} {labels}"), "--variant jigsaw", &output),
            (&format!("{puzzle}{labels}"), "--variant jigsaw", &output),
            (&puzzle, &format!("--regions {labels}"), &output),
        ]);
    }
}

#[test]
fn one_layout_for_all_lines_comes_from_the_option_or_a_file() {
    let folder = Folder::new();
    folder.file("map", "AAAA\nBBBB\r\n C C C C \nDDDD");
    folder.file(
        "commented",
        "\u{feff}# by rows\n\n \t\nAAAA\n#EEEE\r\n\r\nBBBB\n\u{feff}# half\nCCCC\nDDDD\n\n# end",
    );
    folder.file("bad", "AAAA\nBBBB\n");
    folder.file("gone", "# AAAABBBBCCCCDDDD\n");
    folder.file("packed.gz", b"\x1f\x8b\x08\0\0\0\0\0");
    folder.file("packed.zst", b"\x28\xb5\x2f\xfd\0");
    for options in [
        "--regions AAAABBBBCCCCDDDD",
        "--regions @map",
        "--regions=@map",
        "--variant jigsaw --regions @map",
        "--variant classic --regions @map",
        "--regions @commented",
    ] {
        // With a layout for all lines, the second field is never a layout.
        let run = folder.run(options, b"123423413412....\n123423413412.... AABBAABBCCDDCCDD\n");
        assert_eq!(run.text(), "1234234134124123\tunique\n".repeat(2), "{options}");
        assert_eq!((run.messages.as_str(), run.status), ("", Some(0)), "{options}");
    }
    for (options, message) in [
        (
            "--regions @bad",
            "sudoku-filter: --regions: 8 region labels; a 3x3 puzzle has 9\nsudoku-filter: try 'sudoku-filter --help'\n",
        ),
        ("--regions @gone", "sudoku-filter: gone: no region labels\n"),
        (
            "--regions @packed.gz",
            "sudoku-filter: packed.gz: this is gzip data; unpack it first: gzip -d packed.gz\n",
        ),
        (
            "--regions @packed.zst",
            "sudoku-filter: packed.zst: this is zstd data; unpack it first: zstd -d packed.zst\n",
        ),
        ("--regions @missing", "sudoku-filter: missing: No such file or directory\n"),
        (
            "--regions AABBAABBCCDDCCCD",
            "sudoku-filter: --regions: region C has 5 cells instead of 4\nsudoku-filter: try 'sudoku-filter --help'\n",
        ),
    ] {
        let run = folder.run(options, b"1234234134124123\n");
        assert_eq!((run.text().as_str(), run.messages.as_str()), ("", message), "{options}");
        assert_eq!(run.status, Some(2), "{options}");
    }
}

#[test]
fn puzzles_of_another_size_than_the_one_layout_are_invalid() {
    check_invalid(&[
        (
            &".".repeat(81),
            "--regions AAAABBBBCCCCDDDD",
            "a 9x9 puzzle, but the layout of --regions is 4x4",
        ),
        // With a layout for all lines, a field is never puzzle and layout in one.
        (
            &".".repeat(32),
            "--regions AAAABBBBCCCCDDDD",
            "32 cells; a 6x6 puzzle has 36 (two 4x4 puzzles? cat joins lines of files that lack a last newline; name the files as arguments)",
        ),
    ]);
}

#[test]
fn messages_about_layouts_name_the_count_label_or_cell() {
    let dots = ".".repeat(16);
    for (labels, reason) in [
        ("AABBAABBCCDDCC", "14 region labels; a 4x4 puzzle has 16"),
        ("AABBAABBCCDDCCDDD", "17 region labels; a 4x4 puzzle has 16"),
        ("AABBAABBCCDDCCDE", "5 different region labels instead of 4"),
        ("AABBAABBCCDDCCCD", "region C has 5 cells instead of 4"),
        ("AABBAABBCCAACCAA", "region A has 8 cells instead of 4"),
        ("aaBBaaBBCCDDCCCD", "region C has 5 cells instead of 4"),
        (
            "AABBABABCCDDCCDD",
            "region A is not connected: r2c3 is apart from r1c1 (--disconnected allows this)",
        ),
        // Cells that meet at a corner, or across the edge of the grid, are not connected.
        (
            "AABBABBACCDDCCDD",
            "region A is not connected: r2c4 is apart from r1c1 (--disconnected allows this)",
        ),
        ("", "the regions are missing; expected PUZZLE REGIONS"),
    ] {
        check_invalid(&[(format!("{dots} {labels}").trim_end(), "--variant jigsaw", reason)]);
        if labels.len() == 16 {
            check_invalid(&[(&format!("{dots}{labels}"), "--variant jigsaw", reason)]);
        }
    }
}

#[test]
fn disconnected_allows_regions_in_pieces() {
    let line = format!("1234341243...... {SPLIT_REGIONS}");
    check_output_lines(&[
        (&line, "--variant jigsaw --disconnected", "1234341243212143\tunique"),
        (
            "1234341243......",
            &format!("--disconnected --regions {SPLIT_REGIONS}"),
            "1234341243212143\tunique",
        ),
    ]);
    check_invalid(&[(
        &line,
        "--variant jigsaw",
        "region A is not connected: r1c3 is apart from r1c1 (--disconnected allows this)",
    )]);
}

#[test]
fn each_line_uses_its_own_layout() {
    let input = format!(
        "{GRID} {ROW_REGIONS}\n1234234134124123 AABBAABBCCDDCCDD\n1234234134124123 {ROW_REGIONS}\n"
    );
    let output = format!("{GRID}\tunique\n1234234134124123\tnone\n1234234134124123\tunique\n");
    check(&[(&input, "--variant jigsaw", &output, "", 0)]);
}

#[test]
fn a_field_separator_cannot_be_a_label() {
    for labels in [",,;;,,;;::ZZ::ZZ", "AAAABBBBCCCC,,,,"] {
        let run = crate::run::run(crate::run::program(&format!("--regions {labels}")), b"");
        assert_eq!(run.status, Some(2), "{labels}");
    }
}
