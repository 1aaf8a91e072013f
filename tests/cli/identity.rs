//! The output does not depend on the number of threads or on the sizes of reads. `grids.rs` checks
//! it.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Stdio;
use std::thread;

use crate::grids::{Counts, Judge, pattern, symbols};
use crate::run::{Folder, Run, piped, program, run};

/// Knuth's MMIX linear congruential generator. The same seed gives the same numbers on every
/// machine.
struct Random(u64);

impl Random {
    /// Returns a number from 0 to `limit - 1`.
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Returns a grid with shuffled rows, bands and digits and with blank cells: a puzzle with one
/// solution, many or none.
fn random_puzzle(random: &mut Random) -> String {
    let (rows, columns) = [(2, 2), (2, 3), (3, 3), (3, 3), (3, 3), (3, 4), (4, 4)][random.below(7)];
    let side = rows * columns;
    let grid = pattern(rows, columns);
    let digits = shuffled(side, random);
    let order: Vec<usize> = shuffled(columns, random)
        .into_iter()
        .flat_map(|band| shuffled(rows, random).into_iter().map(move |row| band * rows + row))
        .collect();
    let cells = order.into_iter().flat_map(|row| row * side..(row + 1) * side);
    let mut cells: Vec<usize> = cells.map(|cell| digits[grid[cell] - 1] + 1).collect();
    for cell in &mut cells {
        // With 3 of 5 cells blank, most 9x9 puzzles have one solution or few, and need some
        // branches.
        if random.below(5) < 3 {
            *cell = 0;
        }
    }
    if random.below(10) == 0 {
        let cell = random.below(cells.len());
        cells[cell] = random.below(side) + 1;
    }
    symbols(&cells)
}

fn shuffled(count: usize, random: &mut Random) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    for place in (1..count).rev() {
        order.swap(place, random.below(place + 1));
    }
    order
}

/// A guess limit that some puzzles reach: `unknown` must be reproducible too, and the tests stay
/// fast.
const GUESS_LIMIT: &str = "--max-guesses 500";

/// Returns input with lines of every kind: puzzles, comments, blank, invalid and overlong lines.
fn mixed_input() -> Vec<u8> {
    let mut random = Random(1);
    let known = include_str!("../../data/known.tsv");
    let mut hard = known.lines().filter(|line| line.starts_with("classic")).cycle();
    let mut text = Vec::new();
    for number in 0..1500 {
        match random.below(30) {
            0 => text.extend(format!("# comment {number}").bytes()),
            1 => text.extend(b" \t"[..random.below(3)].iter()),
            2 => text.extend(random_puzzle(&mut random)[1..].bytes()),
            3 => text.extend([0xff, 0, b'\t', b'1']),
            4 => text.extend(format!("\u{feff}{}", random_puzzle(&mut random)).bytes()),
            5 => text.extend(hard.next().unwrap().split('\t').nth(1).unwrap().bytes()),
            6 if number % 5 == 0 => {
                // Lengths around the longest valid line and around the size of the read buffer.
                let length = [65535, 65536, 65537, 70_000, 262_144][random.below(5)];
                text.extend((random_puzzle(&mut random) + " ").bytes());
                text.resize(text.len() + length, b'z');
            }
            _ => text.extend(
                (random_puzzle(&mut random) + ["", " rest", "\t9"][random.below(3)]).bytes(),
            ),
        }
        text.extend([b"\n".as_slice(), b"\r\n"][usize::from(random.below(10) == 0)]);
    }
    // The last line has no newline.
    text.extend(random_puzzle(&mut random).bytes());
    text
}

/// Runs the program and writes `input` to it in pieces. `next_size` returns the size of each piece
/// in bytes.
fn run_in_pieces(options: &str, input: &[u8], mut next_size: impl FnMut() -> usize + Send) -> Run {
    let mut child = piped(&mut program(options));
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let (mut output, mut messages) = (Vec::new(), String::new());
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut left = input;
            while !left.is_empty() {
                let (piece, rest) = left.split_at(next_size().min(left.len()));
                stdin.write_all(piece).unwrap();
                left = rest;
            }
        });
        scope.spawn(|| stderr.read_to_string(&mut messages).unwrap());
        child.stdout.take().unwrap().read_to_end(&mut output).unwrap();
    });
    Run { output, messages, status: child.wait().unwrap().code(), signal: None }
}

/// Compares two runs line by line, so that a failure shows the first line that differs.
fn assert_same(found: &Run, expected: &Run, what: &str) {
    let lines =
        |run: &Run| run.output.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>();
    let (found_lines, expected_lines) = (lines(found), lines(expected));
    let differs = found_lines.iter().zip(&expected_lines).position(|(a, b)| a != b);
    if let Some(index) = differs {
        assert_eq!(
            String::from_utf8_lossy(&found_lines[index]),
            String::from_utf8_lossy(&expected_lines[index]),
            "{what}: output line {}",
            index + 1
        );
    }
    assert!(found.output == expected.output, "{what}: {} output lines", found_lines.len());
    assert_eq!(found.messages, expected.messages, "{what}");
    assert_eq!(found.status, expected.status, "{what}");
}

#[test]
fn output_is_the_same_for_every_number_of_threads_and_size_of_reads() {
    let input = mixed_input();
    let folder = Folder::new();
    let file = folder.file("input", &input);
    let expected = run(program(&format!("-j1 {GUESS_LIMIT}")), &input);
    assert_eq!(expected.status, Some(1));
    let counts = Judge::default().judge_output(&input, &expected.output).unwrap();
    for status in ["copied", "invalid", "unique", "multiple", "none"] {
        assert!(counts.get(status) > Some(&10), "{status}: {counts:?}");
    }
    for threads in [1, 2, 7] {
        let options = format!("-j{threads} {GUESS_LIMIT}");
        let from_file =
            program(&options).stdin(Stdio::from(File::open(&file).unwrap())).output().unwrap();
        let from_file = Run {
            output: from_file.stdout,
            messages: String::from_utf8(from_file.stderr).unwrap(),
            status: from_file.status.code(),
            signal: None,
        };
        assert_same(&from_file, &expected, &format!("{options} < file"));
        let mut named = folder.run(&format!("{options} input"), b"");
        named.messages = named.messages.replace(": input:", ": -:");
        assert_same(&named, &expected, &format!("{options} file"));
        assert_same_in_pieces(&options, &input, &expected, threads);
    }
}

/// Asserts that the program writes the same if the input arrives in pieces of some sizes. `seed`
/// decides random sizes.
fn assert_same_in_pieces(options: &str, input: &[u8], expected: &Run, seed: u64) {
    for size in [4095, 4096, 4097, 65537] {
        let found = run_in_pieces(options, input, || size);
        let name = format!("{options}, {size} bytes at a time");
        assert_same(&found, expected, &name);
    }
    assert_same_in_random_pieces(options, input, expected, seed);
}

fn assert_same_in_random_pieces(options: &str, input: &[u8], expected: &Run, seed: u64) {
    let mut random = Random(seed);
    let found = run_in_pieces(options, input, || 1 + random.below(10_000));
    assert_same(&found, expected, &format!("{options}, random pieces"));
}

#[test]
fn equivalents_are_the_same_for_every_number_of_threads_size_of_reads_and_cpu_level() {
    let input = mixed_input();
    let expected = run(program("-j1 --shuffle=3"), &input);
    assert_eq!(expected.status, Some(1));
    let portable = run(program("-j1 --shuffle=3 --cpu portable"), &input);
    assert_same(&portable, &expected, "--cpu portable");
    for threads in [1, 2, 7] {
        let options = format!("-j{threads} --shuffle=3");
        assert_same_in_pieces(&options, &input, &expected, threads);
    }
}

/// Options that choose or count output lines, so that the output depends on values of columns.
const CHOICES: &[&str] = &[
    "--where givens=..40 --where status!=invalid",
    "--where solutions=2.. --output csv -o line,status",
    "--tally guesses,status,puzzle",
    "--distinct givens --reject invalid",
    "--distinct solution -o line,solution --output json",
    "--distinct givens --tally line,givens",
];

#[test]
fn chosen_lines_are_the_same_for_every_number_of_threads_and_size_of_reads() {
    let input = mixed_input();
    let every_threads = [1, 2, 7];
    for (index, choice) in CHOICES.iter().enumerate() {
        let options = format!("{choice} {GUESS_LIMIT}");
        let expected = run(program(&format!("-j1 {options}")), &input);
        assert!(expected.output.len() > 100, "{options}: {}", expected.messages);
        for threads in every_threads {
            let options = format!("{options} -j{threads}");
            assert_same_in_random_pieces(&options, &input, &expected, threads);
        }
        // Each number of threads gets pieces of all sizes with two of the choices.
        let threads = every_threads[index % every_threads.len()];
        assert_same_in_pieces(&format!("{options} -j{threads}"), &input, &expected, threads + 10);
    }
}

#[test]
fn output_is_the_same_when_input_arrives_a_few_bytes_at_a_time() {
    // A short input, because every small piece costs a wake-up.
    let mut input = mixed_input();
    input.truncate(100_000);
    input.extend(b"\n1...\n");
    let expected = run(program(&format!("-j1 {GUESS_LIMIT}")), &input);
    for (threads, size) in [(1, 1), (2, 1), (1, 7), (2, 7), (7, 7)] {
        let options = format!("-j{threads} {GUESS_LIMIT}");
        let found = run_in_pieces(&options, &input, || size);
        assert_same(&found, &expected, &format!("{options}, {size} bytes at a time"));
    }
}

#[test]
fn output_of_variants_is_the_same_for_every_number_of_threads_and_keeps_the_rules() {
    let mut random = Random(2);
    let mut lines: Vec<u8> = Vec::new();
    for _ in 0..300 {
        let mut cells = vec!['.'; 81];
        for _ in 0..random.below(9) {
            cells[random.below(81)] = char::from(b"123456789"[random.below(9)]);
        }
        lines.extend(cells.iter().collect::<String>().bytes());
        lines.push(b'\n');
    }
    let layout =
        "000122222000111222033331112003444411333345555664444577866655557888666777888886777";
    let with_layout: Vec<u8> = String::from_utf8(lines.clone())
        .unwrap()
        .replace('\n', &format!(" {layout}\n"))
        .into_bytes();
    for (list, input) in [
        ("diagonal", &lines),
        ("window", &lines),
        ("diagonal,window", &lines),
        ("jigsaw", &with_layout),
    ] {
        let options = format!("--variant {list} {GUESS_LIMIT}");
        let expected = run(program(&format!("{options} -j1")), input);
        Judge::of(list).unwrap().judge_output(input, &expected.output).unwrap();
        for threads in [2, 7] {
            let found = run(program(&format!("{options} -j{threads}")), input);
            assert_same(&found, &expected, &format!("{options} -j{threads}"));
        }
    }
}

#[test]
fn output_of_killers_is_the_same_for_every_number_of_threads_and_keeps_the_cages() {
    let mut total = Counts::new();
    for (list, names) in [
        (
            "killer",
            &["killer", "many-killer", "none-killer", "bench/killer", "bench/killer-hard"][..],
        ),
        ("killer,diagonal", &["killer-diagonal", "many-killer-diagonal", "none-killer-diagonal"]),
        ("killer,jigsaw", &["killer-jigsaw", "many-killer-jigsaw", "none-killer-jigsaw"]),
    ] {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("data");
        let read = |name: &&str| fs::read(data.join(format!("{name}.txt"))).unwrap();
        let input: Vec<u8> = names.iter().flat_map(read).collect();
        let options = format!("--variant {list} {GUESS_LIMIT}");
        let expected = run(program(&format!("{options} -j1")), &input);
        let counts = Judge::of(list).unwrap().judge_output(&input, &expected.output);
        for (status, count) in counts.unwrap() {
            *total.entry(status).or_default() += count;
        }
        for threads in [2, 7] {
            let found = run(program(&format!("{options} -j{threads}")), &input);
            assert_same(&found, &expected, &format!("{options} -j{threads}"));
        }
    }
    assert_eq!(total.get("invalid"), None);
    for status in ["unique", "multiple", "none"] {
        assert!(total.get(status) >= Some(&50), "{status}: {total:?}");
    }
}
