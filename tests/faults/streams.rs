//! Streams over time: slow, stopped, endless, cut into pieces.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use crate::run::{Answers, Folder, PROGRAM, ended, piped, program, run, shell};
use crate::{PUZZLE, ROW, has, mixed, skip};

#[test]
fn a_line_now_and_then_is_answered_at_once() {
    let mut child = piped(&mut program(""));
    let mut stdin = child.stdin.take().unwrap();
    let answers = Answers::of(child.stdout.take().unwrap());
    let mut slowest = Duration::ZERO;
    for _ in 0..6 {
        sleep(Duration::from_millis(250));
        let begin = Instant::now();
        stdin.write_all(PUZZLE.as_bytes()).unwrap();
        assert_eq!(answers.line() + "\n", ROW);
        slowest = slowest.max(begin.elapsed());
    }
    println!("a line from a slow pipe: answered within {slowest:.1?}");
    // The contract says 50 ms; here the machine may be busy with much else.
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    drop(stdin);
    assert_eq!(ended(&mut child).code(), Some(0));
}

/// A field of /proc/PID/stat, counted from 0 behind the name.
fn stat(child: &Child, field: usize) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    text.rsplit_once(") ")?
        .1
        .split(' ')
        .nth(field)?
        .parse()
        .ok()
}

#[test]
fn an_idle_filter_uses_no_cpu() {
    if !Path::new("/proc/self/stat").exists() {
        return skip("no /proc here");
    }
    for options in ["", "-j1", "-j16"] {
        let mut child = piped(&mut program(options));
        let mut stdin = child.stdin.take().unwrap();
        let answers = Answers::of(child.stdout.take().unwrap());
        stdin.write_all(PUZZLE.as_bytes()).unwrap();
        answers.line();
        let ticks = |child: &Child| stat(child, 11).unwrap() + stat(child, 12).unwrap();
        let before = ticks(&child);
        sleep(Duration::from_secs(2));
        let used = ticks(&child) - before;
        println!("{options} two idle seconds: {used} hundredths of a second of CPU");
        assert!(used <= 3, "{options}: {used} hundredths of a second");
        drop(stdin);
        assert_eq!(ended(&mut child).code(), Some(0));
    }
}

#[test]
fn of_many_slow_puzzles_the_first_is_out_when_it_is_ready() {
    let hard =
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........\n";
    for options in ["", "-j1"] {
        let options = format!("{options} --method backtrack --max-guesses 200000");
        let mut child = piped(&mut program(&options));
        let answers = Answers::of(child.stdout.take().unwrap());
        let begin = Instant::now();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(hard.repeat(200).as_bytes()).unwrap();
        drop(stdin);
        answers.line();
        let first = begin.elapsed();
        for _ in 1..200 {
            answers.line();
        }
        let last = begin.elapsed();
        println!("{options}: first of 200 after {first:.1?}, last after {last:.1?}");
        assert!(first < last / 3, "{options}: {first:?} of {last:?}");
        assert_eq!(ended(&mut child).code(), Some(1));
    }
}

#[test]
fn a_stopped_reader_stops_the_reading() {
    let mut child = piped(&mut program(""));
    let mut stdin = child.stdin.take().unwrap();
    let taken = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&taken);
    let writer = spawn(move || {
        let lines = PUZZLE.repeat(4000);
        while stdin.write_all(lines.as_bytes()).is_ok() {
            count.fetch_add(lines.len(), Ordering::Relaxed);
        }
    });
    // Until it takes no more.
    let mut before = usize::MAX;
    let begin = Instant::now();
    while before != taken.load(Ordering::Relaxed) {
        before = taken.load(Ordering::Relaxed);
        assert!(
            begin.elapsed() < Duration::from_secs(60),
            "it goes on reading"
        );
        sleep(Duration::from_millis(700));
    }
    let memory = stat(&child, 21).map(|pages| pages * 4 / 1024);
    println!(
        "a stopped reader: {} MiB taken, {memory:?} MiB resident",
        before >> 20
    );
    assert!(before < 128 << 20, "{before} bytes taken");
    assert!(memory.is_none_or(|memory| memory < 200), "{memory:?} MiB");
    drop(child.stdout.take());
    ended(&mut child);
    writer.join().unwrap();
}

#[test]
fn memory_stays_flat_however_long_the_input() {
    // 10 GB is `make prove`'s; here a tenth of a gigabyte must need no more than a hundredth.
    let peak = |copies: usize| {
        let mut child = program("")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let drain = spawn(move || {
            let mut buffer = vec![0; 1 << 16];
            let mut all = 0;
            while let Ok(count @ 1..) = stdout.read(&mut buffer) {
                all += count;
            }
            all
        });
        let lines = PUZZLE.repeat(10_000);
        let mut peak = 0;
        for _ in 0..copies {
            stdin.write_all(lines.as_bytes()).unwrap();
            peak = peak.max(stat(&child, 21).unwrap_or_default());
        }
        drop(stdin);
        assert_eq!(drain.join().unwrap(), copies * 10_000 * ROW.len());
        assert_eq!(ended(&mut child).code(), Some(0));
        peak * 4 / 1024
    };
    let (short, long) = (peak(60), peak(600));
    println!("10 MB need {short} MiB, 100 MB need {long} MiB");
    assert!(long < short + 40, "{short} MiB, then {long} MiB");
}

#[test]
fn files_behind_each_other_are_answered_as_each_alone() {
    let folder = Folder::new();
    let (lines, _) = mixed(2000);
    let (a, b) = lines.split_at(lines.len() / 3);
    let a = &a[..=a.rfind('\n').unwrap()];
    folder.file("a", a);
    folder.file("b", b);
    let of = |line: &str| {
        let mut command = shell(line);
        command.current_dir(&folder.0);
        run(command, b"").output
    };
    let apart = of("sudoku-filter -q a; sudoku-filter -q b");
    assert!(of("cat a b | sudoku-filter -q") == apart);
    assert!(of("sudoku-filter -q a b") == apart);
    assert!(of("cat b | sudoku-filter -q a -") == apart);
    assert!(of("sudoku-filter -q - b < a") == apart);
}

#[test]
fn pieces_answered_apart_give_the_bytes_of_one_run() {
    let folder = Folder::new();
    // Without bad lines: `split` gives up where a program ends with 1.
    let (lines, rows) = mixed(3000);
    let lines = lines
        .replace("bad\n", "")
        .replace("................1234\n", "");
    let rows = rows
        .replace("bad\tinvalid\n", "")
        .replace("................1234\tinvalid\n", "");
    folder.file("lines", lines);
    for (needs, line) in [
        ("split", "split -n l/7 --filter='sudoku-filter -q' lines"),
        ("split", "split -l 1000 --filter='sudoku-filter -qj1' lines"),
        (
            "parallel",
            "parallel --will-cite --pipe -k --block 10k sudoku-filter -q < lines",
        ),
        (
            "xargs",
            "ls lines lines | xargs -n 1 sudoku-filter -q | head -n 15000",
        ),
    ] {
        if !has(needs) {
            continue;
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", Path::new(PROGRAM).parent().unwrap().display());
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("PATH", path);
        command.current_dir(&folder.0);
        let run = run(command, b"");
        assert!(run.output == rows.as_bytes(), "{line}: {}", run.messages);
    }
}
