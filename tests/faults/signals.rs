//! SIGINT, SIGTERM and SIGHUP: the program ends by them, soon, and what it has written is whole lines and a prefix.

use std::fs::{self, File};
use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::run::{Folder, SIGPIPE, ended, piped, program, shell};
use crate::{mixed, skip};

/// The contract says 50 ms, and 0.2 s for a reader that has gone; here the machine may be busy with much else.
const SOON: Duration = Duration::from_secs(2);

const HARD: &str =
    ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........\n";

const SIGNALS: [(&str, i32); 3] = [("HUP", 1), ("INT", 2), ("TERM", 15)];

/// Those that whoever started the tests does not ignore (`nohup` ignores SIGHUP): the program would ignore them too.
fn heeded() -> Vec<(&'static str, i32)> {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).unwrap());
    let mut heeded = SIGNALS.to_vec();
    heeded.retain(|(name, signal)| {
        let is_ignored = ignored >> (signal - 1) & 1 == 1;
        if is_ignored {
            skip(&format!("SIG{name} is ignored here"));
        }
        !is_ignored
    });
    heeded
}

/// Sends a signal to the program, and gives how long it took to end.
fn ended_by(child: &mut Child, name: &str) -> (Duration, Option<i32>) {
    let begin = Instant::now();
    let kill = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status();
    assert!(kill.unwrap().success());
    let status = ended(child);
    (begin.elapsed(), status.signal())
}

#[test]
fn a_signal_midway_leaves_whole_lines_and_a_prefix() {
    let folder = Folder::new();
    let (lines, rows) = mixed(1_000_000);
    folder.file("lines", lines);
    for (number, (name, signal)) in heeded().repeat(3).into_iter().enumerate() {
        let out = folder.0.join(format!("out{number}"));
        let mut command = program("-q lines");
        command
            .current_dir(&folder.0)
            .stdout(File::create(&out).unwrap());
        let mut child = command.spawn().unwrap();
        while fs::metadata(&out).unwrap().len() < 100_000 * number as u64 {
            sleep(Duration::from_millis(1));
        }
        let (took, by) = ended_by(&mut child, name);
        println!("SIG{name}: ended after {took:.1?}");
        assert_eq!(by, Some(signal), "{name}");
        assert!(took < SOON, "{name}: {took:?}");
        let output = fs::read(&out).unwrap();
        assert!(
            output.is_empty() || output.ends_with(b"\n"),
            "{name}: a line is cut"
        );
        assert!(
            output.len() < rows.len() && rows.as_bytes().starts_with(&output),
            "{name}"
        );
    }
}

#[test]
fn a_signal_ends_it_while_it_waits_or_is_at_a_hard_puzzle() {
    for (name, signal) in heeded() {
        for input in ["", HARD] {
            let mut child = piped(&mut program("--method backtrack --max-guesses 0"));
            std::io::Write::write_all(child.stdin.as_mut().unwrap(), input.as_bytes()).unwrap();
            sleep(Duration::from_millis(50));
            let (took, by) = ended_by(&mut child, name);
            assert_eq!(by, Some(signal), "{name}");
            assert!(took < SOON, "{name}: {took:?}");
        }
    }
}

#[test]
fn a_signal_that_the_parent_ignores_stays_ignored() {
    for (name, _) in SIGNALS {
        let mut child = piped(&mut shell(&format!("trap '' {name}; exec sudoku-filter")));
        let mut stdin = child.stdin.take().unwrap();
        std::io::Write::write_all(&mut stdin, crate::PUZZLE.as_bytes()).unwrap();
        let rows = crate::run::Answers::of(child.stdout.take().unwrap());
        rows.line();
        let kill = Command::new("kill")
            .args([&format!("-{name}"), &child.id().to_string()])
            .status();
        assert!(kill.unwrap().success());
        std::io::Write::write_all(&mut stdin, crate::PUZZLE.as_bytes()).unwrap();
        assert_eq!(rows.line() + "\n", crate::ROW, "{name}");
        drop(stdin);
        assert_eq!(ended(&mut child).code(), Some(0), "{name}");
    }
}

/// How long the program takes to notice that its reader has gone, with this at work.
fn notices_after(options: &str, input: &str) -> Duration {
    let mut command = program(options);
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    std::io::Write::write_all(&mut stdin, format!("{}{input}", crate::PUZZLE).as_bytes()).unwrap();
    let mut row = [0; crate::ROW.len()];
    child.stdout.as_mut().unwrap().read_exact(&mut row).unwrap();
    sleep(Duration::from_millis(50));
    let begin = Instant::now();
    drop(child.stdout.take());
    let status = ended(&mut child);
    assert_eq!(status.signal(), Some(SIGPIPE));
    assert_eq!(
        std::io::read_to_string(child.stderr.take().unwrap()).unwrap(),
        ""
    );
    begin.elapsed()
}

#[test]
fn a_reader_that_has_gone_is_noticed_soon() {
    for (what, options, input) in [
        ("idle input", "", ""),
        ("idle input, one thread", "-j1", ""),
        ("a hard puzzle", "--method backtrack --max-guesses 0", HARD),
        (
            "a hard puzzle, one thread",
            "-j1 --method backtrack --max-guesses 0",
            HARD,
        ),
    ] {
        let took = notices_after(options, input);
        println!("{what}: the reader's going noticed after {took:.1?}");
        assert!(took < SOON, "{what}: {took:?}");
    }
}
