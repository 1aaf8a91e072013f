//! Helpers that run the program and check tables of inputs and expected outputs.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub const SIGPIPE: i32 = 13;
/// A program that takes longer is stuck.
pub const TIMEOUT: Duration = Duration::from_secs(60);

/// The path of the program: the environment variable `SUDOKU_FILTER`, or else the program that
/// cargo built with the tests.
pub static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = std::env::var_os("SUDOKU_FILTER")
        .map_or(env!("CARGO_BIN_EXE_sudoku-filter").into(), PathBuf::from);
    // Absolute, because tests run the program in other folders.
    fs::canonicalize(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
});

/// The results of a run.
#[derive(Debug, PartialEq, Eq)]
pub struct Run {
    pub output: Vec<u8>,
    pub messages: String,
    pub status: Option<i32>,
    pub signal: Option<i32>,
}

impl Run {
    fn of(output: Output) -> Run {
        Run {
            output: output.stdout,
            // Messages escape bytes that are no UTF-8.
            messages: String::from_utf8(output.stderr).expect("messages are UTF-8"),
            status: output.status.code(),
            signal: output.status.signal(),
        }
    }

    /// Returns the output as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

/// Returns the program with its options, which are split at whitespace.
pub fn program(options: &str) -> Command {
    let mut command = Command::new(&*PROGRAM);
    command.args(options.split_whitespace());
    command
}

/// Returns a shell command in which `sudoku-filter` stands for the program.
pub fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &line.replace("sudoku-filter", "\"$0\"")]);
    command.arg(&*PROGRAM);
    command
}

/// Runs `command` with `input` on a pipe, until it ends.
pub fn run(mut command: Command, input: &[u8]) -> Run {
    let mut child = piped(&mut command);
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        // A program that does not read all of its input breaks the pipe. That is no error here.
        scope.spawn(move || _ = stdin.write_all(input));
        Run::of(child.wait_with_output().unwrap())
    })
}

/// Starts `command` with pipes for its three standard streams.
pub fn piped(command: &mut Command) -> Child {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    streams.stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs the program. Returns its output, its messages without the program's name, and its exit
/// status.
pub fn run_with(options: &str, input: &[u8]) -> (String, String, Option<i32>) {
    let run = run(program(options), input);
    (run.text(), run.messages.replace("sudoku-filter: ", ""), run.status)
}

/// Input and options; the expected output, messages (without the program's name) and exit status.
pub type Case<'a> = (&'a str, &'a str, &'a str, &'a str, i32);

/// Runs the program on each case of the table, and compares everything.
pub fn check(table: &[Case<'_>]) {
    for &(input, options, output, messages, status) in table {
        let expected = (output.to_string(), messages.to_string(), Some(status));
        assert_eq!(run_with(options, input.as_bytes()), expected, "{input:?} with {options:?}");
    }
}

/// Takes lines, options and expected output lines, all without newlines. Expects status 0 and no
/// message.
pub fn check_output_lines(table: &[(&str, &str, &str)]) {
    for &(line, options, row) in table {
        let expected = (format!("{row}\n"), String::new(), Some(0));
        assert_eq!(
            run_with(options, format!("{line}\n").as_bytes()),
            expected,
            "{line:?} with {options:?}"
        );
    }
}

/// Takes invalid lines, options and reasons. Expects the line itself as output, and status 1.
pub fn check_invalid(table: &[(&str, &str, &str)]) {
    for &(line, options, reason) in table {
        let column =
            if options.contains("--verify") { format!("\t{reason}") } else { String::new() };
        let expected = (
            format!("{}\tinvalid{column}\n", line.replace('\t', " ")),
            format!("-:1: {reason}\n"),
            Some(1),
        );
        assert_eq!(
            run_with(options, format!("{line}\n").as_bytes()),
            expected,
            "{line:?} with {options:?}"
        );
    }
}

/// A temporary folder. It is removed when the value is dropped.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Folder {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("cli-{}-{number}", std::process::id());
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// Writes a file in this folder, and returns its path.
    pub fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.0.join(name);
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Runs the program in this folder.
    pub fn run(&self, options: &str, input: &[u8]) -> Run {
        let mut command = program(options);
        command.current_dir(&self.0);
        run(command, input)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Waits for the child to end. Kills it and panics after [`TIMEOUT`].
pub fn wait_for_exit(child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    while begin.elapsed() < TIMEOUT {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("still running after {TIMEOUT:?}");
}

/// The output lines of a running program. A thread reads them, so that a stuck program fails the
/// test and does not hang it.
pub struct OutputReader(std::sync::mpsc::Receiver<io::Result<u8>>);

impl OutputReader {
    /// Starts a thread that reads `from`.
    pub fn of(from: impl Read + Send + 'static) -> OutputReader {
        let (send, bytes) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let sent = io::BufReader::new(from).bytes().try_for_each(|byte| send.send(byte));
            drop(sent);
        });
        OutputReader(bytes)
    }

    /// Returns the next line, without its newline. Panics if none comes within [`TIMEOUT`].
    pub fn line(&self) -> String {
        let mut line = Vec::new();
        loop {
            let byte = self.0.recv_timeout(TIMEOUT).expect("an answer").unwrap();
            if byte == b'\n' {
                return String::from_utf8(line).unwrap();
            }
            line.push(byte);
        }
    }
}
