//! Limits on memory, open files and threads do not change the output.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::run::{Folder, OutputReader, PROGRAM, piped, program, run, shell, wait_for_exit};
use crate::skip::{is_installed, skip, skip_for_machine};
use crate::{OUTPUT_LINE, PUZZLE, mixed_lines};

/// Runs commands as a user to whom limits and permissions apply. They do not apply to root.
pub struct Unprivileged {
    as_nobody: bool,
}

impl Unprivileged {
    /// Returns `None` if the user is root and cannot change to `nobody`.
    pub fn new() -> Option<Unprivileged> {
        let id = Command::new("id").arg("-u").output().ok()?.stdout;
        if id != b"0\n" {
            return Some(Unprivileged { as_nobody: false });
        }
        let mut trial = Command::new("setpriv");
        trial.args(NOBODY).arg("true").stderr(Stdio::null());
        if !trial.status().is_ok_and(|status| status.success()) {
            skip("root is exempt, and setpriv cannot make it nobody");
            return None;
        }
        Some(Unprivileged { as_nobody: true })
    }

    /// Returns a command that runs `program` as that user.
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

/// Copies the program to a folder that every user can read. The folder of the project can be
/// private.
pub fn program_for_all_users() -> (Folder, PathBuf) {
    let path = std::env::temp_dir().join(format!(
        "sudoku-filter-for-all-{}-{:?}",
        std::process::id(),
        std::thread::current().id()
    ));
    fs::create_dir_all(&path).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let copy = path.join("sudoku-filter");
    fs::copy(&*PROGRAM, &copy).unwrap();
    fs::set_permissions(&copy, fs::Permissions::from_mode(0o755)).unwrap();
    (Folder(path), copy)
}

#[test]
fn output_is_the_same_without_threads() {
    let Some(user) = Unprivileged::new() else {
        return;
    };
    if !is_installed("prlimit") {
        return;
    }
    let (_folder, program) = program_for_all_users();
    let (lines, expected) = mixed_lines(3000);
    for options in ["-qj1", "-qj2", "-qj64", "-q"] {
        let mut command = user.command(Path::new("prlimit"));
        command.arg("--nproc=1").arg(&program).arg(options);
        let run = run(command, lines.as_bytes());
        assert_eq!((run.messages.as_str(), run.status), ("", Some(1)), "{options}");
        assert!(run.text() == expected, "{options}");
    }
    // The limit works: under it a shell cannot start a process.
    let mut command = user.command(Path::new("prlimit"));
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
    let mut runs = Vec::new();
    // The program needs four descriptors: the three standard streams and the current file.
    for count in [4, 5, 6] {
        let mut command =
            shell(&format!("ulimit -n {count}; exec sudoku-filter {}", names.join(" ")));
        command.current_dir(&folder.0);
        let run = run(command, b"");
        runs.push((
            count,
            run.messages,
            run.status,
            run.output == OUTPUT_LINE.repeat(100).as_bytes(),
        ));
    }
    let good = runs.iter().all(|run| *run == (run.0, String::new(), Some(0), true));
    assert!(good, "{runs:?}");
}

#[test]
fn output_is_the_same_with_little_memory() {
    let (lines, expected) = mixed_lines(30_000);
    for options in ["-q", "-qj1", "-qj64", "-qj256"] {
        let run = run(
            shell(&format!("ulimit -v 400000; exec sudoku-filter {options}")),
            lines.as_bytes(),
        );
        assert_eq!((run.messages.as_str(), run.status), ("", Some(1)), "{options}");
        assert!(run.text() == expected, "{options}");
    }
}

#[test]
fn too_little_memory_for_all_workers_is_no_error() {
    // A thread that starts without memory aborts the process. Many runs at once make that more
    // likely.
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for _ in 0..8 {
                    let command = "ulimit -v 400000; exec sudoku-filter -j256";
                    let run = run(shell(command), PUZZLE.as_bytes());
                    assert_eq!((run.text().as_str(), run.messages.as_str()), (OUTPUT_LINE, ""));
                    assert_eq!(run.status, Some(0));
                }
            });
        }
    });
}

#[test]
fn memory_that_runs_out_ends_the_run_with_a_message_and_a_prefix_of_the_output() {
    let folder = Folder::new();
    let lines = (PUZZLE.to_string() + &".".repeat(625) + "\n").repeat(3);
    folder.file("lines", &lines);
    let options = "--variant disjoint,nonconsecutive --max-guesses 300 lines";
    let expected = folder.run(options, b"");
    assert_eq!(expected.status, Some(1), "{}", expected.messages);
    let mut ends = Vec::new();
    for limit in [24, 28, 32, 40, 48, 64, 80, 110, 150, 400] {
        for threads in [1, 8] {
            let line = format!(
                "ulimit -v {limit}000; exec sudoku-filter -j{threads} {options} > out-{limit}-{threads}"
            );
            let mut command = shell(&line);
            command.current_dir(&folder.0);
            let run = run(command, b"");
            let output = fs::read(folder.0.join(format!("out-{limit}-{threads}"))).unwrap();
            let what = format!("{limit} MB, {threads} threads: {}", run.messages);
            match run.status {
                Some(1) => {
                    assert_eq!((output, run.messages), (expected.output.clone(), String::new()));
                }
                // The standard library prints a message and aborts.
                None => {
                    assert!(run.messages.contains("memory allocation of"), "{what}");
                    assert!(expected.output.starts_with(&output), "{what}");
                }
                _ => panic!("{what} {run:?}"),
            }
            ends.push(run.status);
        }
    }
    assert!(ends.contains(&Some(1)) && ends.contains(&None), "{ends:?}");
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
    let expected = format!("{}\tinvalid\n{OUTPUT_LINE}", "1".repeat(1024));
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(messages, "sudoku-filter: -:1: the line is longer than 64 KiB\n");
    assert_eq!(output.status.code(), Some(1));
}

/// Returns whether /proc exists. Skips if it does not.
fn has_proc() -> bool {
    let exists = Path::new("/proc/self/status").exists();
    if !exists {
        skip_for_machine("this system has no /proc");
    }
    exists
}

/// Returns the peak memory of a run on the lines of a file, in MiB. Standard input follows the file
/// and stays open until the peak is read, so that the program is still there. `None` without /proc.
fn peak(options: &str, lines: &str) -> Option<u64> {
    if !has_proc() {
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
    let kibibytes = status_field(child.id(), "VmHWM:");
    drop(child.stdin.take());
    child.wait().unwrap();
    Some(kibibytes >> 10)
}

/// A fault until 2026-11-23: memory grew with the number of lines in a chunk, to 31 MiB for a
/// million empty lines.
#[test]
fn very_short_lines_need_little_memory() {
    for lines in ["\n", "1\n", "1...............\n"] {
        if let Some(peak) = peak("-j2", &lines.repeat(1_000_000)) {
            println!("a million {lines:?}: {peak} MiB");
            assert!(peak <= 18, "{lines:?}: {peak} MiB");
        }
    }
}

/// The formula of a 25x25 takes 40 MiB at most.
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
            assert!(peak <= 72, "{variants}: {peak} MiB");
        }
    }
}

/// Returns the number in a field of /proc/PID/status, such as `Threads:`.
fn status_field(process: u32, name: &str) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let field = status.lines().find_map(|line| line.strip_prefix(name));
    let number = field.expect("the process runs").split_whitespace().next();
    number.unwrap().parse().unwrap()
}

#[test]
fn a_hundred_thousand_threads_are_not_started() {
    let mut child = piped(&mut program("-j100000"));
    let mut stdin = child.stdin.take().unwrap();
    let output = OutputReader::of(child.stdout.take().unwrap());
    stdin.write_all(PUZZLE.as_bytes()).unwrap();
    assert_eq!(output.line() + "\n", OUTPUT_LINE);
    if has_proc() {
        let threads = status_field(child.id(), "Threads:");
        println!("-j100000: {threads} threads");
        // 256 workers, or fewer without the memory for them, the thread that waits for signals, and
        // the one that waits for the reader of the output to go.
        assert!((2..=258).contains(&threads), "{threads} threads");
    }
    drop(stdin);
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}
