//! The command line: short options, help pages and usage errors.

use sudoku_filter::program::Level;

use crate::run::{Folder, check_output_lines, program, run, run_with, shell};
use crate::skip::is_installed;

#[test]
fn short_options_bundle() {
    let output = "1234341221434321\tunique";
    for options in ["-qj4", "-j 2 -q", "-j2 -j2", "--threads=3", "--threads 2", "-qj1 --quiet"] {
        check_output_lines(&[("123434122143....", options, output)]);
    }
}

#[test]
fn repeated_lists_add_up() {
    let puzzle = "1.....3..2.....4";
    for (options, output) in [
        ("-o status -o givens", "unique\t4\n"),
        ("--select none --select unique -o status", "unique\n"),
        ("--reject unique --reject none -o status", ""),
        ("--fields id --fields puzzle -o id -o status", "7\tunique\n"),
    ] {
        let id = if options.contains("id") { "7 " } else { "" };
        let (found, messages, status) = run_with(options, format!("{id}{puzzle}\n").as_bytes());
        assert_eq!((&*found, &*messages, status), (output, "", Some(0)), "{options}");
    }
    let options = "--csv --header puzzle=a --header answer=b --verify -o status";
    let (found, ..) = run_with(options, b"a,b\n1.....3..2.....4,1342243142133124\n");
    assert!(found.ends_with(",correct\n"), "{found}");
}

#[test]
fn a_mistyped_column_is_reported_with_the_name_that_was_meant() {
    for (list, suggestion) in [
        ("status,solutoin", "; did you mean solution?"),
        ("rating", "; did you mean difficulty?"),
        ("out.txt", "; to write the output to a file: > out.txt"),
        ("out/solved", "; to write the output to a file: > out/solved"),
    ] {
        let (_, messages, status) = run_with(&format!("-o {list}"), b"");
        let reason = messages.lines().next().unwrap_or_default();
        // The remedy comes before the names of all columns.
        let names = messages.find("; the columns are input, file, line").unwrap_or(0);
        assert!(messages[..names].contains(suggestion), "{messages}");
        assert!(reason.starts_with(&format!("--columns {list}: unknown column '")), "{messages}");
        assert_eq!(status, Some(2));
    }
}

#[test]
fn lists_have_blanks_after_commas_and_cells_have_capital_letters() {
    let run = |command: &str| run(shell(command), b"1.....3..2.....4\n").text();
    assert_eq!(run("sudoku-filter -o 'status, givens' --select 'unique, none'"), "unique\t4\n");
    assert_eq!(run("sudoku-filter --reveal R1C2 -o puzzle"), "13....3..2.....4\n");
}

#[test]
fn usage_errors_point_to_the_help_and_no_input_is_read() {
    let folder = Folder::new();
    for (options, message) in [
        ("--nonsense", "invalid option '--nonsense'"),
        ("-z", "invalid option '-z'"),
        ("-qz", "invalid option '-z'"),
        ("missing --nonsense", "invalid option '--nonsense'"),
        ("--varient x", "invalid option '--varient'; did you mean --variant?"),
        ("--jobs 3", "invalid option '--jobs'; did you mean --threads?"),
        (
            "--variant Diagonal",
            "--variant Diagonal: unknown variant 'Diagonal'; the variants are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, center-dot, girandola, antiknight, antiking, nonconsecutive, killer; did you mean diagonal?",
        ),
        (
            "--method pencli",
            "--method pencli: expected one of lanes, backtrack, pencil; did you mean pencil?",
        ),
        (
            "--input grids",
            "--input grids: expected one of auto, lines, csv, json, grid, pencilmarks; did you mean grid?",
        ),
        ("--diagonal", "invalid option '--diagonal'; did you mean --variant diagonal?"),
        ("--grade", "invalid option '--grade'; did you mean --columns grade?"),
        ("--difficulty", "invalid option '--difficulty'; did you mean --columns difficulty?"),
        (
            "--generate 10",
            "--generate 10: expected one of man, complete-bash, complete-zsh, complete-fish; puzzles are made from full grids: --minimize --random 1",
        ),
        ("-j", "missing argument for option '-j'"),
        ("--variant", "missing argument for option '--variant'"),
        ("--quiet=yes", "unexpected argument for option '--quiet': \"yes\""),
        ("-j0", "-j 0: expected a number of 1 or more"),
        ("-j2 -j1", "-j 2 and -j 1 cannot be used together"),
        (
            "--regions AABBAABBCCDDCCDD --regions @map",
            "--regions AABBAABBCCDDCCDD and --regions @map cannot be used together",
        ),
        (
            "--generate man --generate complete-fish",
            "--generate man and --generate complete-fish cannot be used together",
        ),
        ("--threads many", "--threads many: expected a number of 1 or more"),
        ("--errors -1", "--errors -1: expected a number"),
        (
            "--random 18446744073709551616",
            "--random 18446744073709551616: the largest number is 18446744073709551615",
        ),
        (
            "--count 99999999999999999999",
            "--count 99999999999999999999: the largest number is 18446744073709551615",
        ),
        (
            "--shuffle --count 3 -o status",
            "--count cannot be used with --shuffle, which does not solve puzzles",
        ),
        ("--max-guesses few", "--max-guesses few: expected a number"),
        (
            "--variant star",
            "--variant star: unknown variant 'star'; the variants are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, center-dot, girandola, antiknight, antiking, nonconsecutive, killer",
        ),
        (
            "--variant x,",
            "--variant x,: unknown variant ''; the variants are classic, diagonal, window, jigsaw, regions, disjoint, asterisk, center-dot, girandola, antiknight, antiking, nonconsecutive, killer",
        ),
        ("--method magic", "--method magic: expected one of lanes, backtrack, pencil"),
        ("--box 6", "--box 6: expected ROWSxCOLUMNS, such as 2x3"),
        ("--box 6x6", "--box 6x6: a box has 2 to 25 cells"),
        ("--box 0x9", "--box 0x9: a box has 2 to 25 cells"),
        ("--symbols 1231", "--symbols 1231: '1' appears twice"),
        ("--symbols 12,4", "--symbols 12,4: ',' cannot be a symbol"),
        ("--symbols #124", "--symbols #124: '#' cannot be a symbol"),
        ("--symbols .234", "--symbols .234: '.' cannot be a symbol"),
        ("--symbols 1", "--symbols 1: at least two symbols are needed"),
        (
            "--input grid --symbols 12|4",
            "--symbols with '|' cannot be used with --input grid, where '|' is part of the drawing",
        ),
        (
            "--symbols 12+- --input grid",
            "--symbols with '+' cannot be used with --input grid, where '+' is part of the drawing",
        ),
        (
            "--symbols [123 --input grid",
            "--symbols with '[' cannot be used with --input grid, where '[' is part of the drawing",
        ),
        ("--unique", "--unique needs --verify"),
        ("--regions @", "--regions @: expected a file name after @"),
        ("--regions AAB", "--regions: 3 region labels; a 2x2 puzzle has 4"),
    ] {
        let run = folder.run(options, b"123434122143....\n");
        let expected =
            format!("sudoku-filter: {message}\nsudoku-filter: try 'sudoku-filter --help'\n");
        assert_eq!((run.text().as_str(), run.messages), ("", expected), "{options}");
        assert_eq!(run.status, Some(2), "{options}");
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    for options in ["-h", "--help", "-V", "--version", "-qh", "-j2 --help", "missing -V"] {
        let run = run(program(options), b"");
        assert_eq!((run.messages.as_str(), run.status), ("", Some(0)), "{options}");
        assert!(run.output.ends_with(b"\n"), "{options}");
    }
    let version = run_with("-V", b"").0;
    assert_eq!(version, concat!("sudoku-filter ", env!("CARGO_PKG_VERSION"), "\n"));
}

#[test]
fn the_full_version_names_the_levels_of_the_program_and_of_the_machine() {
    let compiled = if cfg!(target_arch = "x86_64") {
        "portable, avx2, avx512"
    } else if cfg!(target_arch = "aarch64") {
        "portable, neon"
    } else {
        "portable"
    };
    let best = Level::best();
    let lanes = match best.name() {
        "portable" | "neon" => 8,
        "avx2" => 16,
        "avx512" => 32,
        other => panic!("unknown level {other}"),
    };
    assert_eq!(
        run_with("--version", b"").0,
        format!(
            "sudoku-filter {}\n\nCPU levels compiled in: {compiled}\nCPU level of this machine: {}, {lanes} lanes\n",
            env!("CARGO_PKG_VERSION"),
            best.name()
        )
    );
}

#[test]
fn the_brief_help_fits_a_terminal_of_24_lines_and_80_columns() {
    let page = run_with("-h", b"").0;
    assert!(page.lines().count() <= 24, "{page}");
    let wide: Vec<&str> = page.lines().filter(|line| line.chars().count() > 80).collect();
    assert!(wide.is_empty(), "{wide:#?}");
}

#[test]
fn the_full_help_has_every_option_of_the_brief_help() {
    let (short, long) = (run_with("-h", b"").0, run_with("--help", b"").0);
    let names = short.split(|symbol: char| !(symbol.is_ascii_lowercase() || symbol == '-'));
    for name in names.filter(|name| name.starts_with("--")) {
        assert!(long.contains(name), "{name}");
    }
    for status in ["unique", "multiple", "none", "unknown", "invalid"] {
        assert!(long.contains(status), "{status}");
    }
}

#[test]
fn a_layout_file_without_an_at_sign_is_an_error() {
    let folder = Folder::new();
    folder.file("layout.txt", "AAABCCABDCCBDDDB\n");
    let run = folder.run("--regions layout.txt", b"1.....3..2.....4\n");
    let message = "sudoku-filter: --regions layout.txt: this is a file; to read the labels from it, write @layout.txt\n";
    assert_eq!((run.text().as_str(), run.messages.as_str(), run.status), ("", message, Some(2)));
    let run = folder.run("--regions @layout.txt -o status", b"1.....3..2.....4\n");
    assert_eq!((run.messages.as_str(), run.status), ("", Some(0)));
}

#[test]
fn a_value_of_all_without_an_equals_sign_is_an_error() {
    let folder = Folder::new();
    folder.file("puzzles", "12343412........\n");
    for options in ["--all 3 puzzles", "puzzles --all 3", "--all 3"] {
        let run = folder.run(options, b"12343412........\n");
        let message = "sudoku-filter: 3: no such file; to pass it to --all, write --all=3\n";
        assert_eq!((run.text().as_str(), run.messages.as_str()), ("", message), "{options}");
        assert_eq!(run.status, Some(2), "{options}");
    }
    // A file called 3 is read. Other missing files get the usual message.
    let run = folder.run("--all 3 puzzles x", b"");
    assert!(run.messages.contains("--all=3"), "{}", run.messages);
    folder.file("3", "1234341221434321\n");
    let run = folder.run("--all 3", b"");
    assert_eq!((run.text().as_str(), run.status), ("1234341221434321\tunique\n", Some(0)));
    let run = folder.run("--all puzzles 4", b"");
    assert!(run.messages.starts_with("sudoku-filter: 4: No such file"), "{}", run.messages);
}

/// Returns what the program writes to a terminal with this `TERM`.
fn output_on_terminal(kind: &str) -> String {
    let line = format!(
        "printf '1234341221......' | '{}' --draw -o solution",
        crate::run::PROGRAM.display()
    );
    let mut command = std::process::Command::new("script");
    command.args(["-qec", &line, "/dev/null"]).env("TERM", kind).env_remove("NO_COLOR");
    let output = command.stdin(std::process::Stdio::null()).output();
    let output = output.unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_dumb_terminal_gets_no_colour() {
    // `script` is part of util-linux.
    if !is_installed("script") {
        return;
    }
    let (usual, dumb) = (output_on_terminal("xterm"), output_on_terminal("dumb"));
    assert!(usual.contains("\u{1b}["), "{usual:?}");
    assert!(dumb.contains("4 3 | 2 1") && !dumb.contains('\u{1b}'), "{dumb:?}");
}
