//! SIGINT, SIGTERM and SIGHUP end the program soon, and its output so far is a prefix of whole
//! lines. A closed output pipe ends it too.

use std::fs::{self, File};
use std::io::{PipeReader, PipeWriter, Read, pipe};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::mixed_lines;
use crate::run::{Folder, SIGPIPE, piped, program, shell, wait_for_exit};
use crate::skip::skip_for_machine;

/// The time limit of these tests. On an idle machine a signal takes at most 50 ms and a closed pipe
/// 0.2 s; this machine can be busy.
const SOON: Duration = Duration::from_secs(2);

/// A puzzle that takes `--method backtrack` hours.
const HARD: &str =
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........\n";

const SIGNALS: [Signal; 3] = [Signal::SIGHUP, Signal::SIGINT, Signal::SIGTERM];

/// Returns the signals that are not ignored here. The program inherits ignored signals (`nohup`
/// ignores SIGHUP).
fn signals_not_ignored() -> Vec<Signal> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let mut signals = SIGNALS.to_vec();
    signals.retain(|&signal| {
        let is_ignored = ignored >> (signal as i32 - 1) & 1 == 1;
        if is_ignored {
            skip_for_machine(&format!("{signal} is ignored by the parent"));
        }
        !is_ignored
    });
    signals
}

/// Sends a signal to the program.
fn send(signal: Signal, child: &Child) {
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
}

/// Sends a signal to the program. Returns the time until it ended, and the signal that ended it.
fn end_by_signal(child: &mut Child, signal: Signal) -> (Duration, Option<i32>) {
    let begin = Instant::now();
    send(signal, child);
    let status = wait_for_exit(child);
    (begin.elapsed(), status.signal())
}

#[test]
fn a_signal_during_output_leaves_whole_lines_that_are_a_prefix() {
    let folder = Folder::new();
    let (lines, expected) = mixed_lines(1_000_000);
    folder.file("lines", lines);
    for (number, signal) in signals_not_ignored().repeat(3).into_iter().enumerate() {
        let out = folder.0.join(format!("out{number}"));
        let mut command = program("-q lines");
        command.current_dir(&folder.0).stdout(File::create(&out).unwrap());
        let mut child = command.spawn().unwrap();
        while fs::metadata(&out).unwrap().len() < 100_000 * number as u64 {
            sleep(Duration::from_millis(1));
        }
        let (took, by) = end_by_signal(&mut child, signal);
        println!("{signal}: ended after {took:.1?}");
        assert_eq!(by, Some(signal as i32), "{signal}");
        assert!(took < SOON, "{signal}: {took:?}");
        let output = fs::read(&out).unwrap();
        assert!(output.is_empty() || output.ends_with(b"\n"), "{signal}: a line is cut");
        assert!(
            output.len() < expected.len() && expected.as_bytes().starts_with(&output),
            "{signal}"
        );
    }
}

#[test]
fn a_signal_ends_an_idle_program_and_a_busy_one() {
    for signal in signals_not_ignored() {
        for input in ["", HARD] {
            let mut child = piped(&mut program("--method backtrack --max-guesses 0"));
            std::io::Write::write_all(child.stdin.as_mut().unwrap(), input.as_bytes()).unwrap();
            sleep(Duration::from_millis(50));
            let (took, by) = end_by_signal(&mut child, signal);
            assert_eq!(by, Some(signal as i32), "{signal}: {input:?}");
            assert!(took < SOON, "{signal}: {input:?}: {took:?}");
        }
    }
}

#[test]
fn a_summary_after_a_signal_counts_the_lines_written() {
    let folder = Folder::new();
    let (lines, _) = mixed_lines(1_000_000);
    folder.file("lines", lines);
    for signal in signals_not_ignored() {
        let out = folder.0.join("out");
        let mut command =
            program("-q --summary --select unique,multiple,none,unknown,invalid lines");
        command.current_dir(&folder.0).stderr(Stdio::piped());
        let mut child = command.stdout(File::create(&out).unwrap()).spawn().unwrap();
        while fs::metadata(&out).unwrap().len() < 1_000_000 {
            sleep(Duration::from_millis(1));
        }
        let (took, by) = end_by_signal(&mut child, signal);
        assert_eq!(by, Some(signal as i32), "{signal}");
        assert!(took < SOON, "{signal}: {took:?}");
        let summary = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        let written = fs::read_to_string(&out).unwrap().lines().count();
        assert!(summary.starts_with(&format!("lines={written} unique=")), "{written}: {summary}");
        assert_eq!(summary.lines().count(), 1, "{summary}");
    }
}

#[test]
fn a_signal_cuts_no_line_in_a_pipe_that_is_read() {
    let folder = Folder::new();
    let (lines, _) = mixed_lines(1_000_000);
    folder.file("lines", lines);
    for (number, signal) in signals_not_ignored().repeat(3).into_iter().enumerate() {
        let mut command =
            program("-q --summary --select unique,multiple,none,unknown,invalid lines");
        command.current_dir(&folder.0).stderr(Stdio::piped());
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut stdout = child.stdout.take().unwrap();
        let mut output = vec![0; 100_000 * (number + 1)];
        stdout.read_exact(&mut output).unwrap();
        send(signal, &child);
        stdout.read_to_end(&mut output).unwrap();
        assert_eq!(wait_for_exit(&mut child).signal(), Some(signal as i32));
        assert!(output.ends_with(b"\n"), "{signal}: a line is cut");
        let summary = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
        let written = output.iter().filter(|&&byte| byte == b'\n').count();
        assert!(summary.starts_with(&format!("lines={written} unique=")), "{written}: {summary}");
    }
}

/// Takes 8 KiB every 10 ms, until the other end of the pipe is closed. Appends them to `output`.
fn read_slowly(mut pipe: impl Read, output: &mut Vec<u8>) {
    let mut part = [0; 8 << 10];
    loop {
        match pipe.read(&mut part).unwrap() {
            0 => return,
            count => output.extend(&part[..count]),
        }
        sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_slow_reader_gets_whole_lines_and_all_that_the_summary_counts() {
    let folder = Folder::new();
    let (lines, expected) = mixed_lines(200_000);
    folder.file("lines", lines);
    let statuses = ["unique", "multiple", "none", "unknown", "invalid"];
    let has_status = |line: &&str| statuses.iter().any(|status| line.ends_with(status));
    for signal in signals_not_ignored() {
        for options in ["-j1", "-j2"] {
            let mut command = program(&format!("-q --summary {options} lines"));
            command.current_dir(&folder.0).stderr(Stdio::piped());
            let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
            let stdout = child.stdout.take().unwrap();
            let reader = std::thread::spawn(move || {
                let mut output = Vec::new();
                read_slowly(stdout, &mut output);
                output
            });
            sleep(Duration::from_millis(300));
            let (took, by) = end_by_signal(&mut child, signal);
            let case = format!("{signal} {options}");
            assert_eq!(by, Some(signal as i32), "{case}");
            assert!(took < SOON, "{case}: {took:?}");
            let output = String::from_utf8(reader.join().unwrap()).unwrap();
            assert!(output.ends_with('\n'), "{case}: a line is cut");
            assert!(output.len() < expected.len() && expected.starts_with(&output), "{case}");
            let summary = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
            let written = output.lines().filter(has_status).count();
            assert!(
                summary.starts_with(&format!("lines={written} unique=")),
                "{case}: {written} lines, {summary}"
            );
        }
    }
}

/// Returns a pipe that is full: the end for writing, and the other end, which must be kept open.
fn full_pipe() -> (PipeWriter, PipeReader) {
    let (reader, writer) = pipe().unwrap();
    let mut filler = Command::new("yes").stdout(writer.try_clone().unwrap()).spawn().unwrap();
    sleep(Duration::from_millis(100));
    filler.kill().unwrap();
    filler.wait().unwrap();
    (writer, reader)
}

#[test]
fn a_signal_does_not_wait_for_messages_that_are_not_read() {
    for signal in signals_not_ignored() {
        // The second run has also begun to write messages, and waits for their reader.
        for input in ["", "bad\n"] {
            let (stderr, _reader) = full_pipe();
            let mut command = program("--summary");
            let mut child =
                command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(stderr).spawn().unwrap();
            std::io::Write::write_all(child.stdin.as_mut().unwrap(), input.as_bytes()).unwrap();
            sleep(Duration::from_millis(50));
            let (took, by) = end_by_signal(&mut child, signal);
            println!("{signal}: ended after {took:.1?}");
            assert_eq!(by, Some(signal as i32), "{signal} {input:?}");
            assert!(took < SOON, "{signal} {input:?}: {took:?}");
        }
    }
}

#[test]
fn a_closed_output_pipe_is_noticed_although_messages_are_not_read() {
    let (stderr, _reader) = full_pipe();
    let mut command = program("--progress=always");
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
    // By then, the first report waits for its reader.
    sleep(Duration::from_millis(1200));
    let begin = Instant::now();
    drop(child.stdout.take());
    let status = wait_for_exit(&mut child);
    assert_eq!(status.signal(), Some(SIGPIPE));
    assert!(begin.elapsed() < SOON, "{:?}", begin.elapsed());
}

#[test]
fn a_signal_does_not_wait_for_a_pipe_that_is_not_read() {
    for signal in signals_not_ignored() {
        let mut child = piped(&mut program("-q --all=100000"));
        let mut stdin = child.stdin.take().unwrap();
        let blank = ".".repeat(81) + "\n";
        std::io::Write::write_all(&mut stdin, blank.as_bytes()).unwrap();
        sleep(Duration::from_millis(300));
        let (took, by) = end_by_signal(&mut child, signal);
        assert_eq!(by, Some(signal as i32), "{signal}");
        assert!(took < SOON, "{signal}: {took:?}");
    }
}

#[test]
fn a_signal_that_the_parent_ignores_stays_ignored() {
    for (signal, options) in SIGNALS.into_iter().flat_map(|it| [(it, ""), (it, "--summary")]) {
        let name = signal.as_str().trim_start_matches("SIG");
        let mut child = piped(&mut shell(&format!("trap '' {name}; exec sudoku-filter {options}")));
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, crate::PUZZLE.as_bytes()).unwrap();
        let output = crate::run::OutputReader::of(child.stdout.take().unwrap());
        output.line();
        send(signal, &child);
        std::io::Write::write_all(&mut stdin, crate::PUZZLE.as_bytes()).unwrap();
        assert_eq!(output.line() + "\n", crate::OUTPUT_LINE, "{name}");
        drop(stdin);
        assert_eq!(wait_for_exit(&mut child).code(), Some(0), "{name}");
    }
}

/// Closes the output pipe of a program that works on `input`. Returns the time until the program
/// ended.
fn time_to_notice_closed_pipe(options: &str, input: &str) -> Duration {
    let mut command = program(options);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, format!("{}{input}", crate::PUZZLE).as_bytes()).unwrap();
    let mut first = [0; crate::OUTPUT_LINE.len()];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    sleep(Duration::from_millis(50));
    let begin = Instant::now();
    drop(child.stdout.take());
    let status = wait_for_exit(&mut child);
    assert_eq!(status.signal(), Some(SIGPIPE), "{options}");
    assert_eq!(std::io::read_to_string(child.stderr.take().unwrap()).unwrap(), "", "{options}");
    begin.elapsed()
}

#[test]
fn a_closed_output_pipe_is_noticed_soon() {
    for (case, options, input) in [
        ("idle input", "", ""),
        ("idle input, one thread", "-j1", ""),
        ("a hard puzzle", "--method backtrack --max-guesses 0", HARD),
        ("a hard puzzle, one thread", "-j1 --method backtrack --max-guesses 0", HARD),
    ] {
        let took = time_to_notice_closed_pipe(options, input);
        println!("{case}: closed pipe noticed after {took:.1?}");
        assert!(took < SOON, "{case}: {took:?}");
    }
}
