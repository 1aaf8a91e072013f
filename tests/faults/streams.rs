//! Streams: slow input, idle input, blocked output, endless input, and input that is split over
//! several runs.

use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{sleep, spawn};
use std::time::{Duration, Instant};

use crate::run::{Folder, OutputReader, PROGRAM, piped, program, run, shell, wait_for_exit};
use crate::skip::{is_installed, skip_for_machine};
use crate::{OUTPUT_LINE, PUZZLE, mixed_lines};

#[test]
fn a_line_of_a_slow_pipe_is_answered_at_once() {
    let mut child = piped(&mut program(""));
    let mut stdin = child.stdin.take().unwrap();
    let output = OutputReader::of(child.stdout.take().unwrap());
    let mut slowest = Duration::ZERO;
    for _ in 0..6 {
        sleep(Duration::from_millis(250));
        let begin = Instant::now();
        stdin.write_all(PUZZLE.as_bytes()).unwrap();
        assert_eq!(output.line() + "\n", OUTPUT_LINE);
        slowest = slowest.max(begin.elapsed());
    }
    println!("a line from a slow pipe: answered within {slowest:.1?}");
    // An idle machine takes less than 50 ms. This one can be busy.
    assert!(slowest < Duration::from_secs(1), "{slowest:?}");
    drop(stdin);
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}

/// Returns how often all threads of a process have waited (voluntary context switches).
fn waits(child: &Child) -> u64 {
    let threads = std::fs::read_dir(format!("/proc/{}/task", child.id())).unwrap();
    let of_thread = |thread: std::fs::DirEntry| {
        let status = std::fs::read_to_string(thread.path().join("status")).unwrap();
        let field = status.lines().find_map(|line| line.strip_prefix("voluntary_ctxt_switches:"));
        field.unwrap().trim().parse::<u64>().unwrap()
    };
    threads.map(|thread| of_thread(thread.unwrap())).sum()
}

#[test]
fn a_lone_line_is_read_solved_and_written_by_one_thread() {
    if !Path::new("/proc/self/task").exists() {
        return skip_for_machine("this system has no /proc");
    }
    let lines = 1000;
    let mut child = piped(&mut program("-j4"));
    let mut stdin = child.stdin.take().unwrap();
    let output = OutputReader::of(child.stdout.take().unwrap());
    for _ in 0..lines {
        stdin.write_all(PUZZLE.as_bytes()).unwrap();
        output.line();
    }
    // A thread that has answered a line waits for the next one. The other threads wait all the
    // time.
    let waits = waits(&child);
    println!("{lines} lone lines: {waits} context switches");
    assert!(waits < lines + lines / 4, "{waits}");
    drop(stdin);
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}

/// Returns a field of /proc/PID/stat, counted from 0 after the name of the program.
fn proc_stat_field(child: &Child, field: usize) -> Option<u64> {
    let text = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    text.rsplit_once(") ")?.1.split(' ').nth(field)?.parse().ok()
}

#[test]
fn an_idle_program_uses_no_cpu_time() {
    if !Path::new("/proc/self/stat").exists() {
        return skip_for_machine("this system has no /proc");
    }
    for options in ["", "-j1", "-j16"] {
        let mut child = piped(&mut program(options));
        let mut stdin = child.stdin.take().unwrap();
        let output = OutputReader::of(child.stdout.take().unwrap());
        stdin.write_all(PUZZLE.as_bytes()).unwrap();
        output.line();
        let ticks = |child: &Child| {
            proc_stat_field(child, 11).unwrap() + proc_stat_field(child, 12).unwrap()
        };
        let before = ticks(&child);
        sleep(Duration::from_secs(2));
        let used = ticks(&child) - before;
        println!("{options} two idle seconds: {used} hundredths of a second of CPU");
        assert!(used <= 3, "{options}: {used} hundredths of a second");
        drop(stdin);
        assert_eq!(wait_for_exit(&mut child).code(), Some(0), "{options}");
    }
}

#[test]
fn the_first_of_many_slow_puzzles_is_written_as_soon_as_it_is_ready() {
    let hard =
        ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........\n";
    for options in ["", "-j1"] {
        let options = format!("{options} --method backtrack --max-guesses 200000");
        let mut child = piped(&mut program(&options));
        let output = OutputReader::of(child.stdout.take().unwrap());
        let begin = Instant::now();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(hard.repeat(200).as_bytes()).unwrap();
        drop(stdin);
        output.line();
        let first = begin.elapsed();
        for _ in 1..200 {
            output.line();
        }
        let last = begin.elapsed();
        println!("{options}: first of 200 after {first:.1?}, last after {last:.1?}");
        assert!(first < last / 3, "{options}: {first:?} of {last:?}");
        assert_eq!(wait_for_exit(&mut child).code(), Some(1), "{options}");
    }
}

#[test]
fn a_stopped_reader_stops_the_input() {
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
    // Wait until the program takes no more input.
    let mut before = usize::MAX;
    let begin = Instant::now();
    while before != taken.load(Ordering::Relaxed) {
        before = taken.load(Ordering::Relaxed);
        assert!(begin.elapsed() < Duration::from_secs(60), "it goes on reading");
        sleep(Duration::from_millis(700));
    }
    let memory = proc_stat_field(&child, 21).map(|pages| pages * 4 / 1024);
    println!("a stopped reader: {} MiB taken, {memory:?} MiB resident", before >> 20);
    assert!(before < 128 << 20, "{before} bytes taken");
    assert!(memory.is_none_or(|memory| memory < 200), "{memory:?} MiB");
    drop(child.stdout.take());
    wait_for_exit(&mut child);
    writer.join().unwrap();
}

#[test]
fn memory_use_does_not_grow_with_the_input() {
    // 100 MB must need no more memory than 10 MB. `make prove` does the same with 10 GB.
    let peak = |copies: usize| {
        let mut child = program("").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
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
            peak = peak.max(proc_stat_field(&child, 21).unwrap_or_default());
        }
        drop(stdin);
        assert_eq!(drain.join().unwrap(), copies * 10_000 * OUTPUT_LINE.len());
        assert_eq!(wait_for_exit(&mut child).code(), Some(0));
        peak * 4 / 1024
    };
    let (short, long) = (peak(60), peak(600));
    println!("10 MB need {short} MiB, 100 MB need {long} MiB");
    assert!(long < short + 40, "{short} MiB, then {long} MiB");
}

#[test]
fn several_files_give_the_output_of_each_alone() {
    let folder = Folder::new();
    let (lines, _) = mixed_lines(2000);
    let (a, b) = lines.split_at(lines.len() / 3);
    let a = &a[..=a.rfind('\n').unwrap()];
    folder.file("a", a);
    folder.file("b", b);
    let output_of = |line: &str| {
        let mut command = shell(line);
        command.current_dir(&folder.0);
        run(command, b"").output
    };
    let expected = output_of("sudoku-filter -q a; sudoku-filter -q b");
    assert!(output_of("cat a b | sudoku-filter -q") == expected);
    assert!(output_of("sudoku-filter -q a b") == expected);
    assert!(output_of("cat b | sudoku-filter -q a -") == expected);
    assert!(output_of("sudoku-filter -q - b < a") == expected);
}

#[test]
fn split_input_gives_the_bytes_of_one_run() {
    let folder = Folder::new();
    // No invalid lines: `split` stops if a program exits with 1.
    let (lines, expected) = mixed_lines(3000);
    let lines = lines.replace("bad\n", "").replace("................1234\n", "");
    let expected =
        expected.replace("bad\tinvalid\n", "").replace("................1234\tinvalid\n", "");
    folder.file("lines", lines);
    for (tool, line) in [
        ("split", "split -n l/7 --filter='sudoku-filter -q' lines"),
        ("split", "split -l 1000 --filter='sudoku-filter -qj1' lines"),
        ("parallel", "parallel --will-cite --pipe -k --block 10k sudoku-filter -q < lines"),
        ("xargs", "ls lines lines | xargs -n 1 sudoku-filter -q | head -n 15000"),
    ] {
        if !is_installed(tool) {
            continue;
        }
        let path = std::env::var("PATH").unwrap_or_default();
        let path = format!("{}:{path}", PROGRAM.parent().unwrap().display());
        let mut command = Command::new("sh");
        command.args(["-c", line]).env("PATH", path);
        command.current_dir(&folder.0);
        let run = run(command, b"");
        assert!(run.output == expected.as_bytes(), "{line}: {}", run.messages);
    }
}
