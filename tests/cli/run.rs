//! Runs the program, and compares tables of what goes in with what comes out.

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

pub const PROGRAM: &str = env!("CARGO_BIN_EXE_sudoku-filter");
pub const SIGPIPE: i32 = 13;
/// Nothing here takes so long: what does is stuck.
pub const LONG: Duration = Duration::from_secs(60);

/// What a run gave.
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
            // Messages are fit for a terminal, whatever the input holds.
            messages: String::from_utf8(output.stderr).expect("messages are UTF-8"),
            status: output.status.code(),
            signal: output.status.signal(),
        }
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.output).into_owned()
    }
}

/// The program with its options, given as on a command line that has no quotes.
pub fn program(options: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(options.split_whitespace());
    command
}

/// A line of shell in which `sudoku-filter` is the program.
pub fn shell(line: &str) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &line.replace("sudoku-filter", "\"$0\""), PROGRAM]);
    command
}

/// Runs `command` with `input` on a pipe.
pub fn run(mut command: Command, input: &[u8]) -> Run {
    let mut child = piped(&mut command);
    let mut stdin = child.stdin.take().unwrap();
    thread::scope(|scope| {
        // Whoever does not read its input to the end leaves a broken pipe behind, and may.
        scope.spawn(move || _ = stdin.write_all(input));
        Run::of(child.wait_with_output().unwrap())
    })
}

/// Starts `command` with pipes at all three streams.
pub fn piped(command: &mut Command) -> Child {
    let streams = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    streams.stderr(Stdio::piped()).spawn().unwrap()
}

/// What came out, the messages without the program's name, and the exit status.
pub fn answers(options: &str, input: &[u8]) -> (String, String, Option<i32>) {
    let run = run(program(options), input);
    (
        run.text(),
        run.messages.replace("sudoku-filter: ", ""),
        run.status,
    )
}

/// Input, options; output, messages (without the program's name), exit status.
pub type Case<'a> = (&'a str, &'a str, &'a str, &'a str, i32);

pub fn check(table: &[Case<'_>]) {
    for &(input, options, output, messages, status) in table {
        let expected = (output.to_string(), messages.to_string(), Some(status));
        assert_eq!(
            answers(options, input.as_bytes()),
            expected,
            "{input:?} with {options:?}"
        );
    }
}

/// One line, options; its row without newline. Status 0 and no message.
pub fn check_rows(table: &[(&str, &str, &str)]) {
    for &(line, options, row) in table {
        let expected = (format!("{row}\n"), String::new(), Some(0));
        assert_eq!(
            answers(options, format!("{line}\n").as_bytes()),
            expected,
            "{line:?} with {options:?}"
        );
    }
}

/// One bad line, options; the reason. The line comes out as it came, and status 1.
pub fn check_invalid(table: &[(&str, &str, &str)]) {
    for &(line, options, reason) in table {
        let column = match options.contains("--verify") {
            true => format!("\t{reason}"),
            false => String::new(),
        };
        let expected = (
            format!("{}\tinvalid{column}\n", line.replace('\t', " ")),
            format!("-:1: {reason}\n"),
            Some(1),
        );
        assert_eq!(
            answers(options, format!("{line}\n").as_bytes()),
            expected,
            "{line:?} with {options:?}"
        );
    }
}

/// A folder for one test's files, gone when it ends.
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

/// The child's exit, awaited with patience; one that does not come is a failure that leaves nobody behind.
pub fn ended(child: &mut Child) -> ExitStatus {
    let begin = Instant::now();
    while begin.elapsed() < LONG {
        if let Some(status) = child.try_wait().unwrap() {
            return status;
        }
        thread::sleep(Duration::from_millis(5));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    panic!("still running after {LONG:?}");
}

/// What a running program writes. A stuck one is a failure, not a test that hangs.
pub struct Answers(std::sync::mpsc::Receiver<io::Result<u8>>);

impl Answers {
    /// Reads `from` on a thread of its own.
    pub fn of(from: impl Read + Send + 'static) -> Answers {
        let (send, bytes) = std::sync::mpsc::channel();
        thread::spawn(move || {
            let sent = io::BufReader::new(from)
                .bytes()
                .try_for_each(|byte| send.send(byte));
            drop(sent);
        });
        Answers(bytes)
    }

    /// The next line, without its newline.
    pub fn line(&self) -> String {
        let mut line = Vec::new();
        loop {
            let byte = self.0.recv_timeout(LONG).expect("an answer").unwrap();
            if byte == b'\n' {
                return String::from_utf8(line).unwrap();
            }
            line.push(byte);
        }
    }
}
