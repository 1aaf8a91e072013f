//! Hostile input: each line affects only its own output line, and messages escape every control
//! character.

use std::fs;
use std::process::Command;
use std::thread;

use crate::run::{Folder, program, run, shell};
use crate::skip::is_installed;
use crate::{OUTPUT_LINE, PUZZLE};

/// Returns a generator of pseudorandom bytes (Knuth's MMIX). The same seed gives the same bytes.
fn random_bytes(mut seed: u64) -> impl FnMut() -> u8 {
    move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 56) as u8
    }
}

fn has_no_control_byte(messages: &str) -> bool {
    messages.chars().all(|symbol| symbol == '\n' || !symbol.is_control())
}

#[test]
fn a_million_invalid_lines_give_a_million_output_lines_and_eleven_messages() {
    let input = "bad\tline\n".repeat(1_000_000);
    let run = run(program(""), input.as_bytes());
    assert!(run.output == "bad line\tinvalid\n".repeat(1_000_000).as_bytes());
    let messages: Vec<&str> = run.messages.lines().collect();
    assert_eq!(messages.len(), 11);
    assert_eq!(messages[9], "sudoku-filter: -:10: 3 cells; a 4x4 puzzle has 16");
    assert_eq!(messages[10], "sudoku-filter: 999990 more invalid lines");
    assert_eq!(run.status, Some(1));
}

#[test]
fn lines_of_any_bytes_are_written_unchanged_and_do_not_affect_their_neighbours() {
    let mut next = random_bytes(7);
    let (mut input, mut expected) = (Vec::new(), Vec::new());
    for number in 0..20_000 {
        let mut line: Vec<u8> =
            (0..1 + number % 90).map(|_| next()).filter(|byte| *byte != b'\n').collect();
        // `!` at both ends prevents comments, blank lines, byte order marks, carriage returns and
        // valid puzzles.
        line.insert(0, b'!');
        line.push(b'!');
        input.extend_from_slice(&line);
        input.push(b'\n');
        expected.extend(line.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }));
        expected.extend(b"\tinvalid\n");
        if number % 10 == 0 {
            input.extend(PUZZLE.bytes());
            expected.extend(OUTPUT_LINE.bytes());
        }
    }
    for options in ["--errors 30000", "--errors 30000 --variant jigsaw", "--errors 30000 --verify"]
    {
        let run = run(program(options), &input);
        assert!(has_no_control_byte(&run.messages), "{options}");
        assert_eq!(run.status, Some(1), "{options}");
        if options == "--errors 30000" {
            assert!(run.output == expected, "{options}");
            assert_eq!(run.messages.lines().count(), 20_000);
        }
        assert_eq!(run.output.iter().filter(|&&byte| byte == b'\n').count(), 22_000, "{options}");
        let longest = run.messages.lines().map(str::len).max().unwrap();
        assert!(longest < 300, "{options}: a message of {longest} bytes");
    }
}

#[test]
fn terminal_control_sequences_are_escaped_in_every_message() {
    let osc = "\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}31m\r\u{8}";
    let folder = Folder::new();
    let bad = format!("{osc}.4................\n");
    folder.file(osc, &bad);
    let layout = format!("{osc}BBBCCCCDDDD");
    folder.file("layout", &layout);
    // Arguments, and whether the program reads the file.
    for (arguments, is_read) in [
        (vec![osc], true),
        (vec!["missing", osc], true),
        (vec!["--regions", &layout], false),
        (vec!["--regions", "@layout"], false),
        (vec!["--symbols", osc], false),
        (vec!["--variant", osc], false),
        (vec!["--method", osc], false),
        (vec!["--box", osc], false),
        (vec!["--cpu", osc], false),
        (vec![osc, "-"], true),
        (vec!["--", osc], true),
    ] {
        let mut command = program("");
        command.current_dir(&folder.0).args(&arguments);
        let run = run(command, b"");
        assert!(has_no_control_byte(&run.messages), "{arguments:?}: {:?}", run.messages);
        assert!(
            run.messages.contains(r"\x1b]0;owned\x07\x1b[2J\xc2\x9b31m\x0d\x08")
                || !run.messages.contains("owned"),
            "{}",
            run.messages
        );
        assert!(!run.messages.is_empty(), "{arguments:?}");
        assert_eq!(run.output.is_empty(), !is_read, "{arguments:?}");
        if is_read {
            // The output holds the bytes of the line unchanged.
            assert_eq!(run.text(), bad.replace('\n', "\tinvalid\n"), "{arguments:?}");
        }
    }
    let mut command = program("");
    command.arg(format!("--{osc}"));
    let run = run(command, b"");
    assert!(has_no_control_byte(&run.messages) && run.status == Some(2), "{:?}", run.messages);
}

#[test]
fn compressed_files_of_the_real_programs_are_refused() {
    let folder = Folder::new();
    folder.file("lines", PUZZLE.repeat(100));
    folder.file("empty", "");
    for (compressor, option) in [
        ("gzip", "-1"),
        ("gzip", "-9"),
        ("zstd", "-1"),
        ("zstd", "-19"),
        ("xz", "-0"),
        ("bzip2", "-1"),
        ("bzip2", "-9"),
    ] {
        if !is_installed(compressor) {
            continue;
        }
        for file in ["lines", "empty"] {
            let packed = Command::new(compressor)
                .args([option, "-c", file])
                .current_dir(&folder.0)
                .output()
                .unwrap()
                .stdout;
            folder.file("packed", &packed);
            let run = folder.run("packed lines", b"");
            assert_eq!(
                (run.text(), run.status),
                (OUTPUT_LINE.repeat(100), Some(2)),
                "{compressor} {option}"
            );
            let expected = format!(
                "sudoku-filter: packed: this is {compressor} data; unpack it first: {compressor} -dc packed | sudoku-filter\n"
            );
            assert_eq!(run.messages, expected, "{compressor} {option}");
            let run = folder.run("", &packed);
            assert_eq!((run.text().as_str(), run.status), ("", Some(2)), "{compressor} {option}");
        }
        // The command that the message suggests works.
        let line = format!(
            "{compressor} {option} -c lines > packed && {compressor} -dc packed | sudoku-filter"
        );
        let mut command = shell(&line);
        command.current_dir(&folder.0);
        assert_eq!(run(command, b"").text(), OUTPUT_LINE.repeat(100), "{compressor}");
    }
}

#[test]
fn every_kind_of_wrong_layout_makes_only_its_own_line_invalid() {
    let dots = ".".repeat(16);
    let nine = ".".repeat(81);
    let table: Vec<(String, &str)> = vec![
        (format!("{dots} AAAABBBBCCCCDDD"), "15"),
        (format!("{dots} AAAABBBBCCCCDDDDD"), "17"),
        (format!("{dots} A"), "1"),
        (format!("{dots} {}", "A".repeat(60_000)), "60000"),
        (dots.clone(), "regions are missing"),
        (format!("{dots},"), "regions are missing"),
        (format!("{dots},,AAAABBBBCCCCDDDD"), "regions are missing"),
        (format!("{dots} AAAABBBBCCCCDDDE"), "5 different"),
        (format!("{dots} AAAAABBBCCCCDDDD"), "A"),
        (format!("{dots} AAAAAAAAAAAAAAAA"), "A"),
        (format!("{dots} ABCDEFGHIJKLMNOP"), ""),
        (format!("{dots} aAAABBBBCCCCDDDD"), ""),
        (format!("{dots} ABBBABBBACCCADDD"), ""),
        (format!("{dots} AABBAABBCCDDCDDC"), ""),
        (format!("{dots} ABABABABCDCDCDCD"), ""),
        (format!("{dots} A\0\0ABBBBCCCCDDDD"), ""),
        (format!("{dots} \u{1b}AAABBBBCCCCDDDD"), ""),
        (format!("{dots} ééAAAABBBBCCCC"), ""),
        (format!("{dots}AAAABBBBCCCCDDD"), ""),
        (format!("{dots}AAAABBBBCCCCDDDDD"), ""),
        (format!("{nine} {}", "ABCDEFGHI".repeat(9).replacen('A', "B", 1)), ""),
        (format!("{nine} {}", "A".repeat(81)), ""),
        (format!("{dots} {}", "ABCDEFGHI".repeat(9)), ""),
        (format!("{nine} AAAABBBBCCCCDDDD"), ""),
    ];
    let good = format!("{dots} AABBAABBCCDDCCDD\n");
    for (line, reason) in &table {
        let run = run(program("--variant jigsaw"), format!("{good}{line}\n{good}").as_bytes());
        let text = run.text();
        let output: Vec<&str> = text.lines().collect();
        assert_eq!(output.len(), 3, "{line}");
        assert!(output[0].ends_with("\tmultiple") && output[0] == output[2], "{line}");
        assert_eq!(output[1], format!("{line}\tinvalid"), "{line}");
        assert!(run.messages.starts_with("sudoku-filter: -:2: "), "{line}: {}", run.messages);
        assert!(
            run.messages.contains(reason) && run.messages.len() < 300,
            "{line}: {}",
            run.messages
        );
        assert_eq!((run.messages.lines().count(), run.status), (1, Some(1)), "{line}");
    }
    let layout: String = table[0].0.chars().skip(17).collect();
    for bad in [
        layout.as_str(),
        "",
        "AAAA BBBBCCCCDDDD",
        "A,AABBBBCCCCDDDD",
        "@/",
        "@missing",
        "@/proc/self/mem",
        "@/dev/zero",
    ] {
        let mut command = program("--regions");
        command.arg(bad);
        let run = run(command, format!("{PUZZLE}{PUZZLE}").as_bytes());
        assert_eq!((run.text().as_str(), run.status), ("", Some(2)), "{bad}: {}", run.messages);
        assert!(!run.messages.is_empty(), "{bad}");
    }
}

#[test]
fn equal_labels_in_lines_of_two_sizes_are_read_separately() {
    // The labels are a layout of the 2x2 puzzle, and too few for the 3x3 puzzle.
    let (two, three) = (".... AABB", "..1...... AABB");
    let (good, bad) = ("\tmultiple\n", format!("{three}\tinvalid\n"));
    for lines in [[two, three], [three, two]] {
        let run =
            run(program("-q --variant jigsaw"), (lines.join("\n") + "\n").repeat(40).as_bytes());
        assert_eq!((run.messages.as_str(), run.status), ("", Some(1)), "{lines:?}");
        let output = run.text();
        assert_eq!(output.matches(good).count(), 40, "{output}");
        assert_eq!(output.matches(&bad).count(), 40, "{output}");
    }
}

/// Returns variants and puzzles that can take any search very long.
fn hard_puzzles() -> Vec<(&'static str, String)> {
    let blank = |side: usize| ".".repeat(side * side);
    let mut all = vec![
        (
            "classic",
            ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
                .to_string(),
        ),
        (
            "classic",
            format!("{}..9.5...............", "1.......2").replace(' ', "") + &".".repeat(52),
        ),
        (
            "classic",
            format!(
                "1...............................................................................{}",
                1
            ),
        ),
        ("classic", format!("12345678.{}9{}", ".".repeat(8), ".".repeat(63))),
        ("classic", blank(9)),
        ("classic", blank(16)),
        ("classic", blank(25)),
        ("diagonal", blank(16)),
        ("diagonal", blank(25)),
        ("window", blank(16)),
        ("window", blank(25)),
        ("diagonal,window", blank(16)),
        ("diagonal,window", blank(25)),
    ];
    // Blank grids but for a first row that lacks one digit, which its last cell cannot take.
    for side in [9, 16, 25] {
        let digits = &"123456789ABCDEFGHIJKLMNOP"[..side];
        let first = format!("{}.", &digits[..side - 1]);
        let last = &digits[side - 1..];
        let mut grid = first + &".".repeat(side * (side - 1));
        grid.replace_range(side * side - 1..side * side, last);
        all.push(("classic", grid));
    }
    // Blank jigsaws whose regions are long and thin or the rows.
    let comb = "AAAAAAAAABCCCCCCCDBCEEEEECDBCEFFFECDBCEFGGECDBCEFGFECDBHHFGFEDDBHIFGFGDIBHIIIIIII";
    if comb.len() == 81 {
        all.push(("jigsaw", format!("{} {comb}", blank(9))));
    }
    for side in [9, 13, 25] {
        let row_regions: String =
            (0..side * side).map(|cell| char::from(b'A' + (cell / side) as u8)).collect();
        all.push(("jigsaw", format!("{} {row_regions}", blank(side))));
    }
    all
}

#[test]
fn hard_puzzles_need_little_memory_and_do_not_affect_their_neighbours() {
    for (variants, puzzle) in hard_puzzles() {
        let layout = if variants.contains("jigsaw") { " AABBAABBCCDDCCDD" } else { "" };
        let easy = if variants == "classic" {
            PUZZLE.trim_end().to_string()
        } else {
            format!("................{layout}")
        };
        let input = format!("{easy}\n{puzzle}\n{easy}\n");
        let line = format!(
            "ulimit -v 400000; exec sudoku-filter -q --variant {variants} --max-guesses 3000"
        );
        let run = run(shell(&line), input.as_bytes());
        let text = run.text();
        let output: Vec<&str> = text.lines().collect();
        assert_eq!(output.len(), 3, "{variants} {puzzle}: {text}");
        assert!(
            output[0] == output[2] && output[0] != format!("{easy}\tinvalid"),
            "{variants} {puzzle}: {text}"
        );
        let status = output[1].rsplit('\t').next().unwrap();
        assert!(
            ["none", "multiple", "unknown", "unique", "invalid"].contains(&status),
            "{variants} {puzzle}: {text}"
        );
        assert_ne!(run.status, Some(2), "{variants} {puzzle}: {}", run.messages);
    }
}

#[test]
fn hard_classic_puzzles_without_solutions_are_decided_within_the_default_limit() {
    // The first has random givens of few digits, the others are blank but for a contradiction.
    let lines = [
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........",
        "12345678.........9...............................................................",
        "1....................................................1...1.......1.......1.......",
    ];
    for line in lines {
        let run = run(program(""), line.as_bytes());
        assert_eq!((run.text(), run.status), (format!("{line}\tnone\n"), Some(0)), "{line}");
    }
}

/// The CPU seconds after which the system ends the search for a line. The default limit takes about
/// ten in a release build.
const CPU_SECONDS: u32 = 90;

/// Returns the labels of regions whose cells are anywhere in the grid.
fn scattered_regions(side: usize, seed: u64) -> String {
    let label = |cell: usize| char::from(b'A' + (cell % side) as u8);
    let mut labels: Vec<char> = (0..side * side).map(label).collect();
    let mut next = random_bytes(seed);
    for end in (1..labels.len()).rev() {
        let byte = |_| usize::from(next());
        let number = (0..3).map(byte).fold(0, |number, byte| number << 8 | byte);
        labels.swap(end, number % (end + 1));
    }
    labels.into_iter().collect()
}

/// Returns a solution of the blank grid.
fn full_grid(variants: &str, side: usize) -> String {
    let options = format!("--variant {variants} --random 5 -o solution");
    run(program(&options), ".".repeat(side * side).as_bytes()).text().trim_end().to_string()
}

/// Returns a solution of a blank 25x25 with about this many ninths of its cells.
fn large_puzzle(ninths: u8, seed: u64) -> String {
    let mut next = random_bytes(seed);
    let grid = full_grid("classic", 25);
    let digits = grid.chars();
    digits.map(|digit| if next() % 9 < ninths { digit } else { '.' }).collect()
}

#[test]
fn clause_learning_soon_decides_large_grids_of_which_less_than_half_is_given() {
    for seed in [1, 4, 6] {
        let line = large_puzzle(4, seed);
        let run = run(program("-o status --max-guesses 60000"), line.as_bytes());
        assert_eq!(run.text(), "multiple\n", "{line}");
    }
}

/// Returns options, lines that take the program long with them, and the first fields that the
/// output line can have.
fn slow_lines() -> Vec<(&'static str, String, &'static str)> {
    let blank = |side: usize| ".".repeat(side * side);
    let scattered =
        |side: usize, seed: u64| format!("{} {}", blank(side), scattered_regions(side, seed));
    // Dominoes without sums.
    let dominoes: String = (0..256).map(|cell| format!("{}:", cell / 2 % 255 + 1)).collect();
    // Three fifths of the cells are given.
    let mut next = random_bytes(3);
    let three_fifths: String = full_grid("classic", 25)
        .chars()
        .map(|digit| if next() % 5 < 3 { digit } else { '.' })
        .collect();
    vec![
        (
            "--variant jigsaw,antiking,nonconsecutive --disconnected -o status",
            scattered(25, 1),
            "unknown none",
        ),
        (
            "--variant jigsaw,antiknight,diagonal --disconnected -o status,minimal",
            scattered(21, 2),
            "unknown none",
        ),
        (
            "--variant regions,disjoint,diagonal --disconnected -o status,canonical",
            scattered(20, 3),
            "unknown none multiple",
        ),
        (
            "--variant killer,disjoint -o status --count 3",
            format!("{} 4x4::k:{dominoes}", blank(16)),
            "unknown multiple",
        ),
        (
            "--variant antiknight --minimize --random 1 -o status,minimal",
            full_grid("antiknight", 16),
            "unique",
        ),
        (
            "--variant nonconsecutive --minimize --random 1 -o status,minimal",
            full_grid("nonconsecutive", 16),
            "unique",
        ),
        (
            "--variant diagonal,nonconsecutive,girandola --max-guesses 4000000 -o status",
            blank(9),
            "unknown",
        ),
        ("--variant window,nonconsecutive -o status", blank(16), "multiple"),
        ("-o status --count 100000", three_fifths, "multiple unique"),
        ("-o status --count 10000000", blank(8), "multiple"),
        ("-o status,candidates", blank(10), "multiple"),
    ]
}

/// The slowest lines known, with their options: slow_lines.tsv.
#[test]
#[ignore = "takes minutes without a release build; make test-release runs it"]
fn the_slowest_known_lines_end_at_the_default_limit() {
    let lines: Vec<&str> = include_str!("slow_lines.tsv").lines().collect();
    let run_line = |line: &str| {
        let (options, line) = line.split_once('\t').expect("options and a line");
        let command = format!("ulimit -t {CPU_SECONDS}; exec sudoku-filter -q -j1 {options}");
        let run = run(shell(&command), line.as_bytes());
        assert!(matches!(run.status, Some(0 | 1)), "{options} {line}");
        assert_eq!(run.text().lines().count(), 1, "{options} {line}");
    };
    thread::scope(|scope| {
        for of_thread in [0, 1] {
            let lines = lines.iter().skip(of_thread).step_by(2);
            scope.spawn(move || lines.for_each(|line| run_line(line)));
        }
    });
}

#[test]
#[ignore = "takes minutes without a release build; make test-release runs it"]
fn slow_lines_end_at_the_default_limit() {
    for (options, line, fields) in slow_lines() {
        let command = format!("ulimit -t {CPU_SECONDS}; exec sudoku-filter -q -j1 {options}");
        let run = run(shell(&command), line.as_bytes());
        let text = run.text();
        assert_eq!(text.lines().count(), 1, "{options} {line}: {text}");
        let first = text.trim_end().split('\t').next().unwrap();
        assert!(fields.split(' ').any(|field| field == first), "{options} {line}: {text}");
    }
}

#[test]
fn every_hostile_line_gets_one_output_line() {
    let mut text = Vec::new();
    let mut lines = 0;
    for bytes in [
        &b"\0"[..],
        b"\r",
        b"\xef\xbb\xbf",
        b"\xff\xfe",
        b"#",
        b",",
        b" ,",
        b"\t",
        b"\x1b[0m",
        b"-",
        b"--help",
        b"@",
        b"\"",
    ] {
        for count in [1, 2, 15, 16, 17, 81, 82, 162, 1024, 65535, 65536, 65537] {
            text.extend(bytes.repeat(count));
            text.push(b'\n');
            lines += 1;
        }
    }
    let folder = Folder::new();
    let file = folder.file("hostile", &text);
    for options in [
        "-q hostile",
        "-q -j1 hostile",
        "-q --variant jigsaw hostile",
        "-q --verify hostile",
        "-q --symbols -@ hostile",
    ] {
        let run = folder.run(options, b"");
        assert_eq!(run.output.iter().filter(|&&byte| byte == b'\n').count(), lines, "{options}");
        assert_eq!((run.messages.as_str(), run.status), ("", Some(1)), "{options}");
    }
    assert_eq!(fs::read(file).unwrap(), text);
}
