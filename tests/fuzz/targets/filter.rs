//! Whole lines through the whole filter; each row is judged.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;
use std::sync::Arc;

use sudoku_filter::{AnswerOptions, Answerer, Flow, Method, Source, Status, filter};

use super::plain;

/// The first byte chooses the variants.
pub fn run(data: &[u8]) {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let variants = [
        "classic",
        "diagonal",
        "window",
        "jigsaw",
        "diagonal,window",
        "jigsaw,diagonal",
    ][usize::from(first % 6)];
    let lanes = answers(variants, Method::Lanes, text, usize::from(first / 6 % 3));
    let Some((rows, _)) = lanes else {
        return assert!(is_packed(text));
    };
    let backtrack = answers(variants, Method::Backtrack, text, 0).unwrap().0;
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let split = |rows: &[u8]| {
        rows.split_inclusive(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect::<Vec<_>>()
    };
    let (rows, backtrack) = (split(&rows), split(&backtrack));
    assert_eq!((rows.len(), backtrack.len()), (lines.len(), lines.len()));
    for (line, (row, plain)) in lines.into_iter().zip(rows.iter().zip(&backtrack)) {
        judge(variants, line, row.strip_suffix(b"\n").unwrap());
        let [status, other] =
            [row, plain].map(|row| row.rsplit(|&byte| byte == b'\t').next().unwrap());
        if other != b"unknown\n" && status != b"unknown\n" {
            assert_eq!(status, other, "{}", line.escape_ascii());
        }
    }
}

fn is_packed(text: &[u8]) -> bool {
    [&b"\x1f\x8b"[..], b"\x28\xb5\x2f\xfd", b"\xfd7zXZ\0", b"BZh"]
        .iter()
        .any(|magic| text.starts_with(magic))
}

/// The row of one line, by the contract alone.
fn judge(variants: &str, line: &[u8], row: &[u8]) {
    let line = plain::without_end(line);
    let what = || format!("{} {}", line.escape_ascii(), row.escape_ascii());
    if plain::is_copied(line) && line.len() <= 65536 {
        return assert_eq!(line, row);
    }
    let (shown, status) = row.split_at(
        row.iter()
            .rposition(|&byte| byte == b'\t')
            .unwrap_or_else(|| panic!("{}", what())),
    );
    let as_it_came: Vec<u8> = line
        .iter()
        .map(|&byte| if byte == b'\t' { b' ' } else { byte })
        .collect();
    let fields = plain::fields(line);
    let (mut puzzle, mut labels) = (
        fields.first().cloned().unwrap_or_default(),
        fields.get(1).cloned(),
    );
    let jigsaw = variants.contains("jigsaw");
    let half = puzzle.len() / 2;
    if jigsaw
        && puzzle.len().is_multiple_of(2)
        && half.isqrt().pow(2) == half
        && (2..=25).contains(&half.isqrt())
    {
        labels = Some(puzzle.split_off(half));
    }
    let side = puzzle.len().isqrt();
    let sized = side * side == puzzle.len()
        && if jigsaw {
            (2..=25).contains(&side)
        } else {
            plain::usual_box(side).is_some()
        };
    let windowed = !variants.contains("window") || side.isqrt().pow(2) == side;
    let laid_out = !jigsaw
        || labels
            .as_ref()
            .is_some_and(|labels| plain::is_layout(labels, side, false));
    let digits = plain::digits(&puzzle, side)
        .filter(|_| sized && windowed && laid_out && line.len() <= 65536);
    let Some(givens) = digits else {
        assert_eq!(status, b"\tinvalid", "{}", what());
        return assert!(
            shown == as_it_came || as_it_came.len() > 65536 && as_it_came.starts_with(shown),
            "{}",
            what()
        );
    };
    let sets = plain::sets(side, labels.as_deref().filter(|_| jigsaw), variants);
    let expected = plain::solutions(side, &sets, &givens, 20_000);
    match status {
        b"\tnone" | b"\tunknown" => assert_eq!(shown, puzzle, "{}", what()),
        b"\tunique" | b"\tmultiple" => {
            let solution = plain::digits(shown, side).unwrap();
            assert_eq!(
                plain::solutions(side, &sets, &solution, 0),
                Some(1),
                "{}",
                what()
            );
            assert!(
                givens
                    .iter()
                    .zip(&solution)
                    .all(|(given, found)| [0, *found].contains(given)),
                "{}",
                what()
            );
        }
        _ => panic!("{}", what()),
    }
    let count = [&b"\tnone"[..], b"\tunique", b"\tmultiple"]
        .iter()
        .position(|&known| known == status);
    if let (Some(count), Some(expected)) = (count, expected) {
        assert_eq!(count, expected, "{}", what());
    }
}

/// The rows and messages for a text, by way of a file; nothing if it is refused.
fn answers(
    variants: &str,
    method: Method,
    text: &[u8],
    threads: usize,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let file = scratch("filter");
    std::fs::write(&file, text).unwrap();
    let given = run_filter(&[Source::File(file.clone())], variants, method, threads);
    let _ = std::fs::remove_file(file);
    given
}

/// A file of this thread's own.
pub fn scratch(name: &str) -> PathBuf {
    let who = format!("{}-{:?}", std::process::id(), std::thread::current().id());
    std::env::temp_dir().join(format!("sudoku-filter-fuzz-{name}-{who}"))
}

pub fn run_filter(
    sources: &[Source],
    variants: &str,
    method: Method,
    threads: usize,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let answerer = Answerer::new(AnswerOptions {
        variants: variants.parse().unwrap(),
        method,
        max_guesses: 200,
        ..AnswerOptions::default()
    });
    let flow = Flow {
        threads,
        errors: 5,
        quiet: false,
        meter: std::sync::Arc::default(),
    };
    let mut output = Kept {
        rows: Vec::new(),
        stands_for: File::create("/dev/null").unwrap(),
    };
    let mut messages = Vec::new();
    let outcome = filter(
        sources,
        &Arc::new(answerer.unwrap()),
        &mut output,
        &mut messages,
        &flow,
    )
    .unwrap();
    let text = String::from_utf8(messages.clone()).unwrap();
    assert!(
        text.chars()
            .all(|symbol| symbol == '\n' || !symbol.is_control()),
        "{text:?}"
    );
    let rows = output.rows.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let counted: u64 = Status::ALL
        .iter()
        .map(|&status| outcome.tally.of(status))
        .sum();
    assert!(counted <= rows);
    (!outcome.failed).then_some((output.rows, messages))
}

/// An output that keeps what it is given.
struct Kept {
    rows: Vec<u8>,
    stands_for: File,
}

impl Write for Kept {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rows.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for Kept {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stands_for.as_fd()
    }
}
