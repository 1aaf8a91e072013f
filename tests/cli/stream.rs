//! Streams: lines that arrive one at a time, closed output pipes, full disks, closed standard
//! streams, slow readers.

use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::run::{OutputReader, Run, SIGPIPE, piped, program, run, shell, wait_for_exit};

const PUZZLE: &[u8] = b"123434122143....\n";
const OUTPUT_LINE: &str = "1234341221434321\tunique";
/// A puzzle without solutions. `--method backtrack` takes hours to decide it.
const HARD: &[u8] =
    b".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........\n";

#[test]
fn a_line_is_answered_before_the_next_is_written() {
    for options in ["", "-j1", "-j2", "--verify --unique"] {
        let mut child = piped(&mut program(options));
        let mut stdin = child.stdin.take().unwrap();
        let output = OutputReader::of(child.stdout.take().unwrap());
        // The first line is a puzzle: lines before it would wait for one, without `--input lines`.
        for number in 1..21 {
            let (line, expected) = match (number % 4, options.contains("--verify")) {
                (0, _) => ("# comment\n".to_string(), "# comment".to_string()),
                (_, false) => (format!("123434122143.... {number}\n"), OUTPUT_LINE.to_string()),
                (_, true) => (
                    "123434122143.... 1234341221434321\n".to_string(),
                    "1234341221434321\tcorrect\t-".to_string(),
                ),
            };
            stdin.write_all(line.as_bytes()).unwrap();
            assert_eq!(output.line(), expected, "{options}: line {number}");
        }
        drop(stdin);
        assert_eq!(wait_for_exit(&mut child).code(), Some(0), "{options}");
    }
}

/// The parts of one form of the input.
struct Form {
    options: &'static str,
    header: &'static str,
    /// A puzzle, as it is repeated in the input.
    puzzle: &'static str,
    output_line: &'static str,
}

const FORMS: [Form; 4] = [
    Form { options: "", header: "", puzzle: "123434122143....\n", output_line: OUTPUT_LINE },
    Form {
        options: "--input lines -j1",
        header: "# comment\n",
        puzzle: "123434122143....\n",
        output_line: OUTPUT_LINE,
    },
    Form {
        options: "--csv",
        header: "id,puzzle\n",
        puzzle: "7,123434122143....\n",
        output_line: "7,123434122143....,1234341221434321,unique",
    },
    Form {
        options: "--input grid",
        header: "",
        puzzle: "1234\n3412\n2143\n....\n\n",
        output_line: OUTPUT_LINE,
    },
];

#[test]
fn a_pipe_that_pauses_after_any_number_of_bytes_has_its_lines_answered() {
    for form in FORMS {
        let mut child = piped(&mut program(form.options));
        let mut stdin = child.stdin.take().unwrap();
        let output = OutputReader::of(child.stdout.take().unwrap());
        if !form.header.is_empty() {
            stdin.write_all(form.header.as_bytes()).unwrap();
            output.line();
        }
        // Less and more than a fast read (4 KiB), a read of a drawing (16 KiB), and nearly all that
        // a pipe holds.
        for bytes in [1000, 5000, 20_000, 60_000, 4100] {
            let count = bytes / form.puzzle.len() + 1;
            let text = form.puzzle.repeat(count);
            stdin.write_all(text.as_bytes()).unwrap();
            // The program gets no more input until every line is answered.
            for number in 0..count {
                let found = output.line();
                assert_eq!(found, form.output_line, "{} {number}", form.options);
            }
        }
        drop(stdin);
        assert_eq!(wait_for_exit(&mut child).code(), Some(0), "{}", form.options);
    }
}

#[test]
fn a_line_that_arrives_in_two_reads_is_one_line() {
    let mut child = piped(&mut program("--input lines"));
    let mut stdin = child.stdin.take().unwrap();
    let output = OutputReader::of(child.stdout.take().unwrap());
    stdin.write_all(b"#\n123434").unwrap();
    assert_eq!(output.line(), "#");
    stdin.write_all(b"122143....\n").unwrap();
    assert_eq!(output.line(), OUTPUT_LINE);
    drop(stdin);
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}

#[test]
fn a_finished_line_does_not_wait_for_a_slow_line_that_comes_later() {
    let mut child = piped(&mut program("--method backtrack --max-guesses 0"));
    let mut stdin = child.stdin.take().unwrap();
    let output = OutputReader::of(child.stdout.take().unwrap());
    stdin.write_all(PUZZLE).unwrap();
    assert_eq!(output.line(), OUTPUT_LINE);
    stdin.write_all(HARD).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn a_finished_line_does_not_wait_for_a_slow_line_of_the_same_read() {
    for options in ["-j1", "-j2"] {
        let options = format!("{options} --method backtrack --max-guesses 0");
        let mut child = piped(&mut program(&options));
        let mut stdin = child.stdin.take().unwrap();
        let output = OutputReader::of(child.stdout.take().unwrap());
        stdin.write_all(&[PUZZLE, HARD].concat()).unwrap();
        assert_eq!(output.line(), OUTPUT_LINE, "{options}");
        child.kill().unwrap();
        child.wait().unwrap();
    }
}

/// Starts `command`, reads one output line, and closes the pipe. The program must end by SIGPIPE
/// without messages.
fn close_pipe_after_one_line(mut command: Command, input: &[u8]) {
    let description = format!("{command:?}");
    let mut child = piped(&mut command);
    // The input stays open, so the program waits for more.
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdin.write_all(PUZZLE).unwrap();
    let mut first = vec![0; OUTPUT_LINE.len() + 1];
    stdout.read_exact(&mut first).unwrap();
    // The rest of the input, which keeps the program busy while the pipe is closed.
    let _ = stdin.write_all(input);
    drop(stdout);
    let status = wait_for_exit(&mut child);
    assert_eq!(status.signal(), Some(SIGPIPE), "{description}: {status}");
    let messages = std::io::read_to_string(child.stderr.take().unwrap()).unwrap();
    assert_eq!(messages, "", "{description}");
}

#[test]
fn a_closed_output_pipe_ends_the_program_silently_by_sigpipe() {
    let slow = "--method backtrack --max-guesses 0";
    for (options, input) in [("", b"".as_slice()), ("-j1", b""), (slow, HARD), ("", PUZZLE)] {
        close_pipe_after_one_line(program(options), input);
        // Python and some service managers start their children with SIGPIPE ignored.
        close_pipe_after_one_line(
            shell(&format!("trap '' PIPE; exec sudoku-filter {options}")),
            input,
        );
    }
}

#[test]
fn an_output_pipe_closed_under_full_load_ends_the_program_by_sigpipe() {
    for trap in ["", "trap '' PIPE; "] {
        let mut command = shell(&format!("{trap}yes 123434122143.... | (exec sudoku-filter)"));
        let mut child = piped(&mut command);
        let mut stdout = child.stdout.take().unwrap();
        stdout.read_exact(&mut [0; 100]).unwrap();
        drop(stdout);
        // The shell exits with 128 plus the signal of its child.
        let status = wait_for_exit(&mut child);
        assert_eq!(
            status.code().or(status.signal().map(|signal| 128 + signal)),
            Some(128 + SIGPIPE),
            "{trap}"
        );
    }
}

/// Runs a shell command without input.
fn run_shell(line: &str) -> Run {
    run(shell(line), b"")
}

#[test]
fn a_full_disk_is_an_error() {
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
        let run = run_shell(line);
        assert_eq!((run.messages.as_str(), run.status), (full, Some(2)), "{line}");
    }
}

#[test]
fn a_full_disk_is_noticed_while_another_thread_waits_for_input() {
    // The puzzle takes so long that a second thread is woken to read on.
    let mut command =
        shell("exec sudoku-filter -j2 --method backtrack --max-guesses 2000000 > /dev/full");
    let mut child = piped(&mut command);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(HARD).unwrap();
    assert_eq!(wait_for_exit(&mut child).code(), Some(2));
    drop(stdin);
}

#[test]
fn the_reader_of_the_last_line_may_go_before_the_program_ends() {
    let ends_well = |_| {
        let mut child = piped(&mut program(""));
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(PUZZLE).unwrap();
        let mut line = vec![0; OUTPUT_LINE.len() + 1];
        child.stdout.take().unwrap().read_exact(&mut line).unwrap();
        std::thread::sleep(Duration::from_millis(20));
        drop(stdin);
        wait_for_exit(&mut child).success()
    };
    // The program has a tenth of a second to end. One run of nine is enough, because the machine
    // can be busy.
    assert!((0..9).any(ends_well));
}

#[test]
fn a_full_disk_is_no_error_without_output() {
    let run = run_shell("sudoku-filter < /dev/null > /dev/full");
    assert_eq!((run.messages.as_str(), run.status), ("", Some(0)));
}

#[test]
fn a_closed_stream_is_an_error_only_if_it_is_needed() {
    let closed = "sudoku-filter: write error: Bad file descriptor\n";
    for (line, output, messages, status) in [
        ("sudoku-filter <&-", "", "sudoku-filter: -: Bad file descriptor\n", 2),
        ("echo 123434122143.... | sudoku-filter >&-", "", closed, 2),
        ("echo 123434122143.... | sudoku-filter -j2 --summary >&- 2>&-", "", "", 2),
        ("sudoku-filter --help >&-", "", closed, 2),
        ("sudoku-filter -V >&- <&-", "", closed, 2),
        ("sudoku-filter /dev/null >&-", "", "", 0),
        ("echo 123434122143.... | sudoku-filter > /dev/null", "", "", 0),
        // Python and Node discard the output of their children like this.
        ("echo 123434122143.... | sudoku-filter 1<> /dev/null", "", "", 0),
        ("sudoku-filter 0<> /dev/null", "", "", 0),
        ("sudoku-filter /dev/null <&-", "", "", 0),
        ("echo bad | sudoku-filter 2>&-", "bad\tinvalid\n", "", 1),
        ("sudoku-filter --nonsense 2>&-", "", "", 2),
        ("echo bad | sudoku-filter 2> /dev/full", "bad\tinvalid\n", "", 1),
    ] {
        let run = run_shell(line);
        assert_eq!(
            (run.text().as_str(), run.messages.as_str(), run.status),
            (output, messages, Some(status)),
            "{line}"
        );
    }
}

#[test]
fn messages_and_output_can_share_a_stream() {
    let run = run_shell("printf '123434122143....\\nbad\\n' | sudoku-filter 2>&1 | sort");
    let expected =
        format!("{OUTPUT_LINE}\nbad\tinvalid\nsudoku-filter: -:2: 3 cells; a 4x4 puzzle has 16\n");
    assert_eq!(run.text(), expected);
}

#[test]
fn a_slow_reader_gets_the_whole_output() {
    let mut command = program("");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || stdin.write_all(&PUZZLE.repeat(50_000)).unwrap());
    std::thread::sleep(Duration::from_millis(300));
    let output = std::io::read_to_string(child.stdout.take().unwrap()).unwrap();
    writer.join().unwrap();
    assert_eq!(output.len(), 50_000 * (OUTPUT_LINE.len() + 1));
    assert_eq!(wait_for_exit(&mut child).code(), Some(0));
}
