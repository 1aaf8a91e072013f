//! The same bytes out, whatever the number of threads and however the input comes in. The rows are judged as well.

use std::fs::File;
use std::io::{Read, Write};
use std::process::Stdio;
use std::thread;

use crate::grids::{Judge, pattern, symbols};
use crate::run::{Folder, Run, piped, program, run};

/// A generator of the textbooks (Knuth's MMIX): the same numbers for ever.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// A pattern grid with rows, bands and digits shuffled, and some cells blank: of one solution, of many or of none.
fn puzzle(random: &mut Random) -> String {
    let (rows, columns) = [(2, 2), (2, 3), (3, 3), (3, 3), (3, 3), (3, 4), (4, 4)][random.below(7)];
    let side = rows * columns;
    let grid = pattern(rows, columns);
    let digits = shuffled(side, random);
    let order: Vec<usize> = shuffled(columns, random)
        .into_iter()
        .flat_map(|band| {
            shuffled(rows, random)
                .into_iter()
                .map(move |row| band * rows + row)
        })
        .collect();
    let cells = order
        .into_iter()
        .flat_map(|row| row * side..(row + 1) * side);
    let mut cells: Vec<usize> = cells.map(|cell| digits[grid[cell] - 1] + 1).collect();
    for cell in &mut cells {
        // Three fifths blank leave a 9x9 unique or nearly so, and some branching to do.
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

/// A guess limit some of the puzzles reach: `unknown` must be the same, too, and tests should not take minutes.
const LIMIT: &str = "--max-guesses 500";

/// Lines of every kind.
fn input() -> Vec<u8> {
    let mut random = Random(1);
    let known = include_str!("../../data/known.tsv");
    let mut hard = known
        .lines()
        .filter(|line| line.starts_with("classic"))
        .cycle();
    let mut text = Vec::new();
    for number in 0..1500 {
        match random.below(30) {
            0 => text.extend(format!("# comment {number}").bytes()),
            1 => text.extend(b" \t"[..random.below(3)].iter()),
            2 => text.extend(puzzle(&mut random)[1..].bytes()),
            3 => text.extend([0xff, 0, b'\t', b'1']),
            4 => text.extend(format!("\u{feff}{}", puzzle(&mut random)).bytes()),
            5 => text.extend(hard.next().unwrap().split('\t').nth(1).unwrap().bytes()),
            6 if number % 5 == 0 => {
                // Around the longest line, and around the reader's buffer.
                let length = [65535, 65536, 65537, 70_000, 262_144][random.below(5)];
                text.extend((puzzle(&mut random) + " ").bytes());
                text.resize(text.len() + length, b'z');
            }
            _ => text.extend((puzzle(&mut random) + ["", " rest", "\t9"][random.below(3)]).bytes()),
        }
        text.extend([b"\n".as_slice(), b"\r\n"][usize::from(random.below(10) == 0)]);
    }
    // And no newline at the end.
    text.extend(puzzle(&mut random).bytes());
    text
}

/// Runs the program with `input` in pieces: `size` gives the bytes of each.
fn run_in_pieces(options: &str, input: &[u8], mut size: impl FnMut() -> usize + Send) -> Run {
    let mut child = piped(&mut program(options));
    let mut stdin = child.stdin.take().unwrap();
    let mut stderr = child.stderr.take().unwrap();
    let (mut output, mut messages) = (Vec::new(), String::new());
    thread::scope(|scope| {
        scope.spawn(move || {
            let mut left = input;
            while !left.is_empty() {
                let (piece, behind) = left.split_at(size().min(left.len()));
                stdin.write_all(piece).unwrap();
                left = behind;
            }
        });
        scope.spawn(|| stderr.read_to_string(&mut messages).unwrap());
        child
            .stdout
            .take()
            .unwrap()
            .read_to_end(&mut output)
            .unwrap();
    });
    Run {
        output,
        messages,
        status: child.wait().unwrap().code(),
        signal: None,
    }
}

fn assert_same(found: &Run, expected: &Run, what: &str) {
    // The rows are many: told is the first that differs.
    let rows = |run: &Run| {
        run.output
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let (found_rows, expected_rows) = (rows(found), rows(expected));
    let differs = found_rows
        .iter()
        .zip(&expected_rows)
        .position(|(a, b)| a != b);
    if let Some(row) = differs {
        assert_eq!(
            String::from_utf8_lossy(&found_rows[row]),
            String::from_utf8_lossy(&expected_rows[row]),
            "{what}: row {}",
            row + 1
        );
    }
    assert!(
        found.output == expected.output,
        "{what}: {} rows",
        found_rows.len()
    );
    assert_eq!(found.messages, expected.messages, "{what}");
    assert_eq!(found.status, expected.status, "{what}");
}

#[test]
fn answers_are_the_same_for_every_number_of_threads_and_every_cutting() {
    let input = input();
    let folder = Folder::new();
    let file = folder.file("input", &input);
    let expected = run(program(&format!("-j1 {LIMIT}")), &input);
    assert_eq!(expected.status, Some(1));
    let counts = Judge::default().output(&input, &expected.output).unwrap();
    for status in ["copied", "invalid", "unique", "multiple", "none"] {
        assert!(counts.get(status) > Some(&10), "{status}: {counts:?}");
    }
    for threads in [1, 2, 7] {
        let options = format!("-j{threads} {LIMIT}");
        let from_file = program(&options)
            .stdin(Stdio::from(File::open(&file).unwrap()))
            .output()
            .unwrap();
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
        for size in [4095, 4096, 4097, 65537] {
            let found = run_in_pieces(&options, &input, || size);
            assert_same(
                &found,
                &expected,
                &format!("{options}, {size} bytes at a time"),
            );
        }
        let mut random = Random(threads);
        let found = run_in_pieces(&options, &input, || 1 + random.below(10_000));
        assert_same(&found, &expected, &format!("{options}, random pieces"));
    }
}

#[test]
fn answers_are_the_same_a_few_bytes_at_a_time() {
    // Small pieces cost a wake-up each: of the long lines only the ends.
    let mut input = input();
    input.truncate(100_000);
    input.extend(b"\n1...\n");
    let expected = run(program(&format!("-j1 {LIMIT}")), &input);
    for (threads, size) in [(1, 1), (2, 1), (1, 7), (2, 7), (7, 7)] {
        let options = format!("-j{threads} {LIMIT}");
        let found = run_in_pieces(&options, &input, || size);
        assert_same(
            &found,
            &expected,
            &format!("{options}, {size} bytes at a time"),
        );
    }
}

#[test]
fn variants_are_the_same_for_every_number_of_threads_and_keep_their_rules() {
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
        let options = format!("--variant {list} {LIMIT}");
        let expected = run(program(&format!("{options} -j1")), input);
        Judge::of(list)
            .unwrap()
            .output(input, &expected.output)
            .unwrap();
        for threads in [2, 7] {
            let found = run(program(&format!("{options} -j{threads}")), input);
            assert_same(&found, &expected, &format!("{options} -j{threads}"));
        }
    }
}
