//! Streams: lines that trickle, readers that go, disks that are full, streams that are closed.

use std::io::Write;
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};

use crate::run::{Answers, Run, SIGPIPE, ended, piped, program, run, shell};

const PUZZLE: &[u8] = b"123434122143....\n";
const ROW: &str = "1234341221434321\tunique";
/// It has no solution, and plain backtracking takes hours to see it.
const ENDLESS: &[u8] =
    b".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........\n";

#[test]
fn a_line_is_answered_before_the_next_is_written() {
    for options in ["", "-j1", "-j2", "--verify --unique"] {
        let mut child = piped(&mut program(options));
        let mut stdin = child.stdin.take().unwrap();
        let answers = Answers::of(child.stdout.take().unwrap());
        for number in 0..20 {
            let (line, row) = match (number % 4, options.contains("--verify")) {
                (0, _) => ("# comment\n".to_string(), "# comment".to_string()),
                (_, false) => (format!("123434122143.... {number}\n"), ROW.to_string()),
                (_, true) => (
                    "123434122143.... 1234341221434321\n".to_string(),
                    "1234341221434321\tcorrect\t-".to_string(),
                ),
            };
            stdin.write_all(line.as_bytes()).unwrap();
            assert_eq!(answers.line(), row, "{options}: line {number}");
        }
        drop(stdin);
        assert_eq!(ended(&mut child).code(), Some(0));
    }
}

#[test]
fn a_line_in_two_pieces_is_one_line() {
    let mut child = piped(&mut program(""));
    let mut stdin = child.stdin.take().unwrap();
    let answers = Answers::of(child.stdout.take().unwrap());
    stdin.write_all(b"#\n123434").unwrap();
    assert_eq!(answers.line(), "#");
    stdin.write_all(b"122143....\n").unwrap();
    assert_eq!(answers.line(), ROW);
    drop(stdin);
    assert_eq!(ended(&mut child).code(), Some(0));
}

#[test]
fn a_ready_answer_does_not_wait_for_a_slow_line_that_comes_later() {
    let mut child = piped(&mut program("--method backtrack --max-guesses 0"));
    let mut stdin = child.stdin.take().unwrap();
    let answers = Answers::of(child.stdout.take().unwrap());
    stdin.write_all(PUZZLE).unwrap();
    assert_eq!(answers.line(), ROW);
    stdin.write_all(ENDLESS).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_ready_answer_does_not_wait_for_a_slow_line_given_with_it() {
    for options in ["-j1", "-j2"] {
        let options = format!("{options} --method backtrack --max-guesses 0");
        let mut child = piped(&mut program(&options));
        let mut stdin = child.stdin.take().unwrap();
        let answers = Answers::of(child.stdout.take().unwrap());
        stdin.write_all(&[PUZZLE, ENDLESS].concat()).unwrap();
        assert_eq!(answers.line(), ROW);
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Takes one row of the program started by `command`, then goes; the program must die of SIGPIPE.
fn leave_after_one_row(mut command: Command, input: &[u8]) {
    let what = format!("{command:?}");
    let mut child = piped(&mut command);
    // Kept open: the input stalls.
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdin.write_all(PUZZLE).unwrap();
    let mut row = vec![0; ROW.len() + 1];
    std::io::Read::read_exact(&mut stdout, &mut row).unwrap();
    // What comes after the first row, so that it is at work when the reader goes.
    let _ = stdin.write_all(input);
    drop(stdout);
    let status = ended(&mut child);
    assert_eq!(status.signal(), Some(SIGPIPE), "{what}: {status}");
    let messages = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(messages, "", "{what}");
}

#[test]
fn a_reader_that_goes_ends_the_program_by_sigpipe_and_in_silence() {
    let slow = "--method backtrack --max-guesses 0";
    for (options, input) in [
        ("", b"".as_slice()),
        ("-j1", b""),
        (slow, ENDLESS),
        ("", PUZZLE),
    ] {
        leave_after_one_row(program(options), input);
        // As Python and some service managers start their children.
        leave_after_one_row(
            shell(&format!("trap '' PIPE; exec sudoku-filter {options}")),
            input,
        );
    }
}

#[test]
fn a_reader_that_goes_from_a_flood_ends_the_program_by_sigpipe() {
    for trap in ["", "trap '' PIPE; "] {
        let mut command = shell(&format!(
            "{trap}yes 123434122143.... | (exec sudoku-filter)"
        ));
        let mut child = piped(&mut command);
        let mut stdout = child.stdout.take().unwrap();
        std::io::Read::read_exact(&mut stdout, &mut [0; 100]).unwrap();
        drop(stdout);
        // A shell reports the signal so; itself it ends normally.
        let status = ended(&mut child);
        assert_eq!(
            status.code().or(status.signal().map(|signal| 128 + signal)),
            Some(128 + SIGPIPE),
            "{trap}"
        );
    }
}

/// Runs a line of shell without input.
fn in_shell(line: &str) -> Run {
    run(shell(line), b"")
}

#[test]
fn a_full_disk_is_a_fault() {
    let full = "sudoku-filter: write error: No space left on device\n";
    for line in [
        "echo 123434122143.... | sudoku-filter > /dev/full",
        "echo '# copied' | sudoku-filter > /dev/full",
        "yes 123434122143.... | head -100000 | sudoku-filter > /dev/full",
        "yes 123434122143.... | sudoku-filter -j2 > /dev/full",
        "sudoku-filter --help > /dev/full",
        "sudoku-filter -h > /dev/full",
        "sudoku-filter -V > /dev/full",
    ] {
        let run = in_shell(line);
        assert_eq!(
            (run.messages.as_str(), run.status),
            (full, Some(2)),
            "{line}"
        );
    }
}

#[test]
fn nothing_to_write_is_no_fault_of_a_full_disk() {
    let run = in_shell("sudoku-filter < /dev/null > /dev/full");
    assert_eq!((run.messages.as_str(), run.status), ("", Some(0)));
}

#[test]
fn closed_streams_are_faults_where_they_are_needed() {
    for (line, output, messages, status) in [
        (
            "sudoku-filter <&-",
            "",
            "sudoku-filter: -: Bad file descriptor (os error 9)\n",
            2,
        ),
        (
            "echo 123434122143.... | sudoku-filter >&-",
            "",
            "sudoku-filter: write error: Bad file descriptor\n",
            2,
        ),
        (
            "sudoku-filter --help >&-",
            "",
            "sudoku-filter: write error: Bad file descriptor\n",
            2,
        ),
        ("sudoku-filter /dev/null <&-", "", "", 0),
        ("echo bad | sudoku-filter 2>&-", "bad\tinvalid\n", "", 1),
        ("sudoku-filter --nonsense 2>&-", "", "", 2),
        (
            "echo bad | sudoku-filter 2> /dev/full",
            "bad\tinvalid\n",
            "",
            1,
        ),
    ] {
        let run = in_shell(line);
        assert_eq!(
            (run.text().as_str(), run.messages.as_str(), run.status),
            (output, messages, Some(status)),
            "{line}"
        );
    }
}

#[test]
fn messages_and_rows_may_share_a_stream() {
    let run = in_shell("printf '123434122143....\\nbad\\n' | sudoku-filter 2>&1 | sort");
    let expected =
        format!("{ROW}\nbad\tinvalid\nsudoku-filter: -:2: 3 cells; a 4x4 puzzle has 16\n");
    assert_eq!(run.text(), expected);
}

#[test]
fn a_reader_that_takes_its_time_gets_everything() {
    let mut command = program("");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&PUZZLE.repeat(50_000)).unwrap());
    std::thread::sleep(std::time::Duration::from_millis(300));
    let output = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    writer.join().unwrap();
    assert_eq!(output.len(), 50_000 * (ROW.len() + 1));
    assert_eq!(ended(&mut child).code(), Some(0));
}
