//! Files that cannot be read, or not to the end, or that change while they are read.

use std::fs::{self, OpenOptions};
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::process::{Command, Stdio};

use crate::limits::{Unprivileged, program_for_all};
use crate::run::{Answers, Folder, ended, program, run, shell};
use crate::{PUZZLE, ROW, mixed, skip};

#[test]
fn a_bad_file_in_any_position_leaves_the_good_ones_answered() {
    let folder = Folder::new();
    folder.file("good", PUZZLE);
    folder.file("packed", b"\x1f\x8b\x08\0");
    let bad = [
        ("missing", "No such file or directory (os error 2)"),
        (".", "Is a directory (os error 21)"),
        ("good/within", "Not a directory (os error 20)"),
        ("/proc/self/mem", "Input/output error (os error 5)"),
        (
            "packed",
            "this is gzip data; unpack it first: gzip -dc packed | sudoku-filter",
        ),
    ];
    for (file, told) in bad {
        for files in [
            [file, "good", "good"],
            ["good", file, "good"],
            ["good", "good", file],
        ] {
            let run = folder.run(&files.join(" "), b"");
            assert_eq!(run.text(), ROW.repeat(2), "{files:?}");
            assert_eq!(
                run.messages,
                format!("sudoku-filter: {file}: {told}\n"),
                "{files:?}"
            );
            assert_eq!(run.status, Some(2), "{files:?}");
        }
    }
    let all = folder.run(
        "missing good . good good/within packed /proc/self/mem good",
        b"",
    );
    assert_eq!((all.text(), all.status), (ROW.repeat(3), Some(2)));
    assert_eq!(all.messages.lines().count(), 5, "{}", all.messages);
}

#[test]
fn a_file_that_one_may_not_read_leaves_the_others_answered() {
    let Some(other) = Unprivileged::new() else {
        return;
    };
    let (folder, program) = program_for_all();
    folder.file("good", PUZZLE);
    let secret = folder.file("secret", PUZZLE);
    fs::set_permissions(&secret, fs::Permissions::from_mode(0o000)).unwrap();
    let mut command = other.command(&program);
    command
        .args(["good", "secret", "good"])
        .current_dir(&folder.0);
    let run = run(command, b"");
    assert_eq!(run.text(), ROW.repeat(2));
    assert_eq!(
        run.messages,
        "sudoku-filter: secret: Permission denied (os error 13)\n"
    );
    assert_eq!(run.status, Some(2));
}

#[test]
fn whole_lines_before_a_read_error_are_answered() {
    // A connection that the other side resets: it closes with bytes unread.
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let mut to_program = TcpStream::connect(listener.local_addr().unwrap()).unwrap();
    let (stdin, _) = listener.accept().unwrap();
    (&stdin).write_all(b"never read").unwrap();
    let folder = Folder::new();
    folder.file("good", PUZZLE);
    let mut command = program("- good");
    command
        .current_dir(&folder.0)
        .stdin(Stdio::from(OwnedFd::from(stdin)));
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The command would keep the connection open.
    drop(command);
    to_program
        .write_all(format!("{PUZZLE}{PUZZLE}12343412").as_bytes())
        .unwrap();
    let rows = Answers::of(child.stdout.take().unwrap());
    assert_eq!([rows.line(), rows.line()].join("\n") + "\n", ROW.repeat(2));
    drop(to_program);
    assert_eq!(
        rows.line() + "\n",
        ROW,
        "the next file is answered, the cut line is not"
    );
    assert_eq!(ended(&mut child).code(), Some(2));
    let messages = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(
        messages,
        "sudoku-filter: -: Connection reset by peer (os error 104)\n"
    );
}

/// Starts the program on a file of so many copies, and gives it when it has written something and then waits for its
/// reader, most of the file unread.
fn stopped_in_the_middle(copies: usize) -> (Folder, std::process::Child, String) {
    let folder = Folder::new();
    let (lines, rows) = mixed(copies);
    folder.file("changing", lines);
    let mut command = program("-q changing");
    command.current_dir(&folder.0).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut first = [0; 1];
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_exact(&mut first)
        .unwrap();
    assert_eq!(first[0], rows.as_bytes()[0]);
    (folder, child, rows)
}

fn rest_of(child: &mut std::process::Child) -> String {
    let mut rest = String::new();
    child
        .stdout
        .as_mut()
        .unwrap()
        .read_to_string(&mut rest)
        .unwrap();
    rest
}

#[test]
fn a_file_that_is_cut_short_while_it_is_read_ends_there() {
    let (folder, mut child, rows) = stopped_in_the_middle(1_000_000);
    let file = OpenOptions::new()
        .write(true)
        .open(folder.0.join("changing"))
        .unwrap();
    file.set_len(0).unwrap();
    let output = "1".to_string() + &rest_of(&mut child);
    assert!(
        output.len() < rows.len(),
        "{} of {} bytes",
        output.len(),
        rows.len()
    );
    // Where it was cut need not be the end of a line; all before is answered.
    let whole = output[..output.len() - 1]
        .rfind('\n')
        .map_or(0, |end| end + 1);
    assert!(rows.starts_with(&output[..whole]));
    assert!(output.ends_with('\n'));
    assert!(ended(&mut child).code().is_some_and(|code| code < 2));
}

#[test]
fn what_is_appended_while_a_file_is_read_is_answered_as_well() {
    let (folder, mut child, rows) = stopped_in_the_middle(1_000_000);
    let mut file = OpenOptions::new()
        .append(true)
        .open(folder.0.join("changing"))
        .unwrap();
    file.write_all(PUZZLE.repeat(1000).as_bytes()).unwrap();
    let output = "1".to_string() + &rest_of(&mut child);
    assert!(output == rows + &ROW.repeat(1000));
    assert_eq!(ended(&mut child).code(), Some(1));
}

#[test]
fn files_that_are_gone_by_their_turn_are_told() {
    // A pipe holds the program at its first file while the second is taken away.
    let folder = Folder::new();
    let second = folder.file("second", PUZZLE);
    let mut command = program("- second -");
    let mut child = crate::run::piped(command.current_dir(&folder.0));
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(PUZZLE.as_bytes()).unwrap();
    let rows = Answers::of(child.stdout.take().unwrap());
    assert_eq!(rows.line() + "\n", ROW);
    fs::remove_file(second).unwrap();
    drop(stdin);
    assert_eq!(ended(&mut child).code(), Some(2));
    let messages = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(
        messages,
        "sudoku-filter: second: No such file or directory (os error 2)\n"
    );
}

#[test]
fn a_full_disk_is_told_after_a_million_rows_too() {
    for line in [
        "yes 123434122143.... | head -1000000 | sudoku-filter > /dev/full",
        "yes bad | head -1000000 | sudoku-filter -q > /dev/full",
        "sudoku-filter --help > /dev/full",
    ] {
        let run = run(shell(line), b"");
        let full = "sudoku-filter: write error: No space left on device\n";
        assert_eq!(
            (run.messages.as_str(), run.status),
            (full, Some(2)),
            "{line}"
        );
    }
}

#[test]
fn a_disk_that_fills_up_holds_whole_lines_and_a_prefix() {
    // A limit on the size of files stands for the disk: the write fails with EFBIG where SIGXFSZ is ignored.
    let folder = Folder::new();
    let (lines, rows) = mixed(20_000);
    folder.file("lines", lines);
    let mut command = shell("trap '' XFSZ; ulimit -f 100; sudoku-filter -q lines > out");
    command.current_dir(&folder.0);
    let run = run(command, b"");
    assert_eq!(run.messages, "sudoku-filter: write error: File too large\n");
    assert_eq!(run.status, Some(2));
    let out = folder.0.join("out");
    assert!(fs::metadata(&out).unwrap().size() > 10_000);
    assert!(rows.as_bytes().starts_with(&fs::read(&out).unwrap()));
}

#[test]
fn no_path_and_no_variable_is_trusted() {
    // Names that look like options, hold bytes that are no UTF-8, or are longer than any name may be.
    let folder = Folder::new();
    folder.file("-j0", PUZZLE);
    for (options, status) in [("-- -j0", 0), ("./-j0", 0), ("-j0", 2)] {
        assert_eq!(folder.run(options, b"").status, Some(status), "{options}");
    }
    let long = "x".repeat(5000);
    let run = folder.run(&long, b"");
    assert_eq!(run.status, Some(2));
    assert!(
        run.messages.ends_with("File name too long (os error 36)\n"),
        "{}",
        run.messages
    );
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
    assert_eq!(run.text(), format!("{ROW}bad\tinvalid\n"));
    assert_eq!(
        run.messages,
        "sudoku-filter: -:2: 3 cells; a 4x4 puzzle has 16\n"
    );
    if folder.0.to_str().is_none() {
        skip("the folder's own name is no UTF-8");
    }
}
