//! Files that cannot be read, fail while they are read, or change while they are read.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use nix::libc::{ENXIO, O_NONBLOCK};
use nix::sys::stat::Mode;
use nix::unistd::mkfifo;

use crate::full;
use crate::limits::{Unprivileged, program_for_all_users};
use crate::run::{Folder, OutputReader, program, run, shell, wait_for_exit};
use crate::skip::skip_for_machine;
use crate::{OUTPUT_LINE, PUZZLE, mixed_lines};

#[test]
fn an_unreadable_file_in_any_position_does_not_affect_the_others() {
    let folder = Folder::new();
    folder.file("good", PUZZLE);
    folder.file("packed", b"\x1f\x8b\x08\0");
    let bad = [
        ("missing", "No such file or directory"),
        (".", "Is a directory"),
        ("good/within", "Not a directory"),
        ("/proc/self/mem", "Input/output error"),
        ("packed", "this is gzip data; unpack it first: gzip -dc packed | sudoku-filter"),
    ];
    for (file, reason) in bad {
        for files in [[file, "good", "good"], ["good", file, "good"], ["good", "good", file]] {
            let run = folder.run(&files.join(" "), b"");
            assert_eq!(run.text(), OUTPUT_LINE.repeat(2), "{files:?}");
            assert_eq!(run.messages, format!("sudoku-filter: {file}: {reason}\n"), "{files:?}");
            assert_eq!(run.status, Some(2), "{files:?}");
        }
    }
    let all = folder.run("missing good . good good/within packed /proc/self/mem good", b"");
    assert_eq!((all.text(), all.status), (OUTPUT_LINE.repeat(3), Some(2)));
    assert_eq!(all.messages.lines().count(), 5, "{}", all.messages);
}

#[test]
fn a_file_without_read_permission_does_not_affect_the_others() {
    let Some(user) = Unprivileged::new() else {
        return;
    };
    let (folder, program) = program_for_all_users();
    folder.file("good", PUZZLE);
    let secret = folder.file("secret", PUZZLE);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = user.command(&program);
    command.args(["good", "secret", "good"]).current_dir(&folder.0);
    let run = run(command, b"");
    assert_eq!(run.text(), OUTPUT_LINE.repeat(2));
    assert_eq!(run.messages, "sudoku-filter: secret: Permission denied\n");
    assert_eq!(run.status, Some(2));
}

#[test]
fn whole_lines_before_a_read_error_are_answered() {
    // A socket whose peer closes with unread bytes gives ECONNRESET.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut to_program = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (stdin, _) = listener.accept().unwrap();
    (&stdin).write_all(b"never read").unwrap();
    let folder = Folder::new();
    folder.file("good", PUZZLE);
    let mut command = program("- good");
    command.current_dir(&folder.0).stdin(Stdio::from(OwnedFd::from(stdin)));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // The command holds a copy of the socket, which would keep the connection open.
    drop(command);
    to_program.write_all(format!("{PUZZLE}{PUZZLE}12343412").as_bytes()).unwrap();
    let output = OutputReader::of(child.stdout.take().unwrap());
    assert_eq!([output.line(), output.line()].join("\n") + "\n", OUTPUT_LINE.repeat(2));
    drop(to_program);
    assert_eq!(output.line() + "\n", OUTPUT_LINE, "the next file is answered, the cut line is not");
    assert_eq!(wait_for_exit(&mut child).code(), Some(2));
    let messages = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(messages, "sudoku-filter: -: Connection reset by peer\n");
}

/// Starts the program on a file and reads one byte of output. The program then blocks on the full
/// pipe, with most of the file unread. Returns the folder, the program and the expected output.
fn start_and_block(copies: usize) -> (Folder, std::process::Child, String) {
    let folder = Folder::new();
    let (lines, expected) = mixed_lines(copies);
    folder.file("changing", lines);
    let mut command = program("-q changing");
    command.current_dir(&folder.0).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    assert_eq!(first[0], expected.as_bytes()[0]);
    (folder, child, expected)
}

/// Reads the output to its end.
fn read_rest(child: &mut std::process::Child) -> String {
    let mut rest = String::new();
    child.stdout.as_mut().unwrap().read_to_string(&mut rest).unwrap();
    rest
}

#[test]
fn a_file_truncated_while_it_is_read_ends_there() {
    let (folder, mut child, expected) = start_and_block(1_000_000);
    let file = OpenOptions::new().write(true).open(folder.0.join("changing")).unwrap();
    file.set_len(0).unwrap();
    let output = "1".to_string() + &read_rest(&mut child);
    assert!(output.len() < expected.len(), "{} of {} bytes", output.len(), expected.len());
    // The file can end within a line. All lines before the last are compared.
    let whole_lines = output[..output.len() - 1].rfind('\n').map_or(0, |end| end + 1);
    assert!(expected.starts_with(&output[..whole_lines]));
    assert!(output.ends_with('\n'));
    assert!(wait_for_exit(&mut child).code().is_some_and(|code| code < 2));
}

#[test]
fn lines_appended_while_a_file_is_read_are_answered() {
    let (folder, mut child, expected) = start_and_block(full::cases(200_000, 1_000_000));
    let mut file = OpenOptions::new().append(true).open(folder.0.join("changing")).unwrap();
    file.write_all(PUZZLE.repeat(1000).as_bytes()).unwrap();
    let output = "1".to_string() + &read_rest(&mut child);
    assert!(output == expected + &OUTPUT_LINE.repeat(1000));
    assert_eq!(wait_for_exit(&mut child).code(), Some(1));
}

#[test]
fn a_file_removed_before_its_turn_is_reported() {
    // The program waits for standard input while the second file is removed.
    let folder = Folder::new();
    let second = folder.file("second", PUZZLE);
    let mut command = program("- second -");
    let mut child = crate::run::piped(command.current_dir(&folder.0));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(PUZZLE.as_bytes()).unwrap();
    let output = OutputReader::of(child.stdout.take().unwrap());
    assert_eq!(output.line() + "\n", OUTPUT_LINE);
    fs::remove_file(second).unwrap();
    drop(stdin);
    assert_eq!(wait_for_exit(&mut child).code(), Some(2));
    let messages = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(messages, "sudoku-filter: second: No such file or directory\n");
}

#[test]
fn a_named_pipe_is_read_until_its_writer_closes_it() {
    let folder = Folder::new();
    let pipe = folder.0.join("pipe");
    mkfifo(&pipe, Mode::S_IRWXU).unwrap();
    folder.file("good", PUZZLE);
    let mut child = crate::run::piped(program("good pipe good").current_dir(&folder.0));
    let output = OutputReader::of(child.stdout.take().unwrap());
    assert_eq!(output.line() + "\n", OUTPUT_LINE);
    // The program opens the pipe. Without a writer, a read of it would return its end.
    sleep(Duration::from_millis(300));
    assert_eq!(child.try_wait().unwrap(), None, "it waits for a writer");
    let begin = Instant::now();
    let mut writer = loop {
        // Fails with ENXIO until the program has opened the pipe.
        let mut options = OpenOptions::new();
        match options.write(true).custom_flags(O_NONBLOCK).open(&pipe) {
            Err(error) if error.raw_os_error() == Some(ENXIO) => sleep(Duration::from_millis(10)),
            opened => break opened.unwrap(),
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "no reader");
    };
    for _ in 0..2 {
        writer.write_all(PUZZLE.as_bytes()).unwrap();
        assert_eq!(output.line() + "\n", OUTPUT_LINE);
    }
    drop(writer);
    assert_eq!(output.line() + "\n", OUTPUT_LINE, "the next file");
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}

#[test]
fn a_full_disk_is_reported_for_a_million_lines() {
    for line in [
        "yes 123434122143.... | head -1000000 | sudoku-filter > /dev/full",
        "yes bad | head -1000000 | sudoku-filter -q > /dev/full",
        "sudoku-filter --help > /dev/full",
    ] {
        let run = run(shell(line), b"");
        let full = "sudoku-filter: write error: No space left on device\n";
        assert_eq!((run.messages.as_str(), run.status), (full, Some(2)), "{line}");
    }
}

#[test]
fn a_disk_that_fills_up_holds_a_prefix_of_the_output() {
    // A limit on file sizes simulates the full disk: with SIGXFSZ ignored, the write fails with
    // EFBIG.
    let folder = Folder::new();
    let (lines, expected) = mixed_lines(20_000);
    folder.file("lines", lines);
    let mut command = shell("trap '' XFSZ; ulimit -f 100; sudoku-filter -q lines > out");
    command.current_dir(&folder.0);
    let run = run(command, b"");
    assert_eq!(run.messages, "sudoku-filter: write error: File too large\n");
    assert_eq!(run.status, Some(2));
    let out = folder.0.join("out");
    assert!(fs::metadata(&out).unwrap().size() > 10_000);
    assert!(expected.as_bytes().starts_with(&fs::read(&out).unwrap()));
}

#[test]
fn hostile_file_names_and_environment_variables_have_no_effect() {
    // File names that look like options or are too long, and environment variables with control
    // characters.
    let folder = Folder::new();
    folder.file("-j0", PUZZLE);
    for (options, status) in [("-- -j0", 0), ("./-j0", 0), ("-j0", 2)] {
        assert_eq!(folder.run(options, b"").status, Some(status), "{options}");
    }
    let long = "x".repeat(5000);
    let run = folder.run(&long, b"");
    assert_eq!(run.status, Some(2));
    assert!(run.messages.ends_with("File name too long\n"), "{}", run.messages);
    let mut command: Command = program("");
    for name in [
        "RUST_BACKTRACE",
        "RUST_LIB_BACKTRACE",
        "RUST_LOG",
        "RAYON_NUM_THREADS",
        "TMPDIR",
        "COLUMNS",
        "TERM",
    ] {
        command.env(name, "\u{1b}[31m/../99999999999999");
    }
    let run = crate::run::run(command, format!("{PUZZLE}bad\n").as_bytes());
    assert_eq!(run.text(), format!("{OUTPUT_LINE}bad\tinvalid\n"));
    assert_eq!(run.messages, "sudoku-filter: -:2: 3 cells; a 4x4 puzzle has 16\n");
    if folder.0.to_str().is_none() {
        skip_for_machine("the folder's own name is no UTF-8");
    }
}
