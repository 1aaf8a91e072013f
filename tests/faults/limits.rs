//! Little memory, few files, no threads: the same bytes come out.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Folder, PROGRAM, program, run, shell};
use crate::{PUZZLE, ROW, has, mixed, skip};

/// Somebody whom limits and permissions hold: root is exempt from both.
pub struct Unprivileged {
    as_nobody: bool,
}

impl Unprivileged {
    pub fn new() -> Option<Unprivileged> {
        let id = Command::new("id").arg("-u").output().ok()?.stdout;
        if id != b"0\n" {
            return Some(Unprivileged { as_nobody: false });
        }
        let mut try_it = Command::new("setpriv");
        try_it.args(NOBODY).arg("true").stderr(Stdio::null());
        if !try_it.status().is_ok_and(|status| status.success()) {
            skip("root is exempt, and setpriv cannot make it nobody");
            return None;
        }
        Some(Unprivileged { as_nobody: true })
    }

    pub fn command(&self, program: &Path) -> Command {
        if !self.as_nobody {
            return Command::new(program);
        }
        let mut command = Command::new("setpriv");
        command.args(NOBODY).arg(program);
        command
    }
}

const NOBODY: [&str; 3] = ["--reuid=65534", "--regid=65534", "--clear-groups"];

/// The program where nobody may run it: the project's own folder may be closed to others.
pub fn program_for_all() -> (Folder, PathBuf) {
    let path = std::env::temp_dir().join(format!(
        "sudoku-filter-for-all-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    fs::create_dir_all(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let copy = path.join("sudoku-filter");
    fs::copy(PROGRAM, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    (Folder(path), copy)
}

#[test]
fn without_threads_the_output_is_the_same() {
    let Some(other) = Unprivileged::new() else {
        return;
    };
    if !has("prlimit") {
        return;
    }
    let (_folder, program) = program_for_all();
    let (lines, rows) = mixed(3000);
    for options in ["-qj1", "-qj2", "-qj64", "-q"] {
        let mut command = other.command(Path::new("prlimit"));
        command.arg("--nproc=1").arg(&program).arg(options);
        let run = run(command, lines.as_bytes());
        assert_eq!(
            (run.messages.as_str(), run.status),
            ("", Some(1)),
            "{options}"
        );
        assert!(run.text() == rows, "{options}");
    }
    // That it truly had no thread: a shell cannot start a process either.
    let mut command = other.command(Path::new("prlimit"));
    let run = run(
        {
            command.args(["--nproc=1", "sh", "-c", "(true); echo no fork"]);
            command
        },
        b"",
    );
    assert_ne!(run.text(), "no fork\n", "the limit holds");
}

#[test]
fn four_descriptors_are_enough_for_a_hundred_files() {
    let folder = Folder::new();
    let names: Vec<String> = (0..100).map(|number| format!("file{number}")).collect();
    for name in &names {
        folder.file(name, PUZZLE);
    }
    let mut output = Vec::new();
    // Standard input, output and error; one for the file; and one for the copy of standard output that is written to.
    for count in [4, 5, 6] {
        let mut command = shell(&format!(
            "ulimit -n {count}; exec sudoku-filter {}",
            names.join(" ")
        ));
        command.current_dir(&folder.0);
        let run = run(command, b"");
        output.push((
            count,
            run.messages,
            run.status,
            run.output == ROW.repeat(100).as_bytes(),
        ));
    }
    let good = output
        .iter()
        .all(|run| *run == (run.0, String::new(), Some(0), true));
    assert!(good, "{output:?}");
}

#[test]
fn little_memory_gives_the_same_output() {
    let (lines, rows) = mixed(30_000);
    for options in ["-q", "-qj1", "-qj64", "-qj256"] {
        let run = run(
            shell(&format!("ulimit -v 400000; exec sudoku-filter {options}")),
            lines.as_bytes(),
        );
        assert_eq!(
            (run.messages.as_str(), run.status),
            ("", Some(1)),
            "{options}"
        );
        assert!(run.text() == rows, "{options}");
    }
}

/// A fault until 2026-11-22: on a busy machine one of twenty such runs was aborted, or hung, since a worker that had been
/// started had no memory to begin with.
#[test]
fn memory_that_is_too_little_for_the_workers_is_no_fault() {
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..8 {
                    let command = "ulimit -v 400000; exec sudoku-filter -j256";
                    let run = run(shell(command), PUZZLE.as_bytes());
                    assert_eq!((run.text().as_str(), run.messages.as_str()), (ROW, ""));
                    assert_eq!(run.status, Some(0));
                }
            });
        }
    });
}

#[test]
fn a_line_of_a_gigabyte_is_one_invalid_line_and_needs_little_memory() {
    let mut command = shell("ulimit -v 400000; exec sudoku-filter");
    let mut child = crate::run::piped(&mut command);
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || {
        let megabyte = vec![b'1'; 1 << 20];
        for _ in 0..1 << 10 {
            stdin.write_all(&megabyte)?;
        }
        stdin.write_all(format!("\n{PUZZLE}").as_bytes())
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap().unwrap();
    let expected = format!("{}\tinvalid\n{ROW}", "1".repeat(1024));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        messages,
        "sudoku-filter: -:1: the line is longer than 64 KiB\n"
    );
    assert_eq!(output.status.code(), Some(1));
}

/// Returns the peak memory of a run on the lines of a file, in MiB. Standard input follows the file and stays open until the peak
/// is read, so that the program is still there. `None` without /proc.
fn peak(options: &str, lines: &str) -> Option<u64> {
    if !Path::new("/proc/self/status").exists() {
        skip("no /proc here");
        return None;
    }
    let folder = Folder::new();
    folder.file("lines", lines);
    let mut command = shell(&format!("exec sudoku-filter -q {options} lines -"));
    command.current_dir(&folder.0);
    let mut child = crate::run::piped(&mut command);
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = Vec::new();
    for _ in 0..lines.lines().count() {
        line.clear();
        assert_ne!(output.read_until(b'\n', &mut line).unwrap(), 0, "{options}");
    }
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(child.stdin.take());
    child.wait().unwrap();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .expect("a process that runs has a peak");
    let kibibytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    Some(kibibytes >> 10)
}

/// A fault until 2026-11-23: memory grew with the number of lines in a chunk, to 31 MiB for a million empty lines.
#[test]
fn very_short_lines_need_little_memory() {
    for lines in ["\n", "1\n", "1...............\n"] {
        if let Some(peak) = peak("-j2", &lines.repeat(1_000_000)) {
            println!("a million {lines:?}: {peak} MiB");
            assert!(peak <= 18, "{lines:?}: {peak} MiB");
        }
    }
}

/// One search by clause learning takes 24 MiB at most.
#[test]
fn the_hardest_blank_grids_stay_within_the_memory_of_a_search() {
    let blank = format!("{}\n", ".".repeat(625));
    for variants in [
        "disjoint,nonconsecutive",
        "diagonal,antiknight,nonconsecutive",
        "disjoint,antiknight,antiking,nonconsecutive",
    ] {
        let options = format!("-j1 --variant {variants} --max-guesses 1000");
        if let Some(peak) = peak(&options, &blank) {
            println!("{variants}: {peak} MiB");
            assert!(peak <= 48, "{variants}: {peak} MiB");
        }
    }
}

#[test]
fn a_hundred_thousand_threads_are_not_started() {
    let run = run(program("-j100000"), PUZZLE.as_bytes());
    assert_eq!((run.text().as_str(), run.status), (ROW, Some(0)));
}
