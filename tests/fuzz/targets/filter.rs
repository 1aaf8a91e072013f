//! Whole lines through the whole filter; each row is judged.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;
use std::sync::Arc;

use sudoku_filter::{Flow, Method, Pipeline, PipelineOptions, Source, Status, filter};

use super::judge::{self, Puzzle};
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
        return assert!(plain::is_packed(text));
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
    let field = fields.first().cloned().unwrap_or_default();
    let labels = fields.get(1).filter(|_| !judge::brings_labels(&field));
    let puzzle = Puzzle::read(variants, &field, labels.map(Vec::as_slice));
    let Some(puzzle) = puzzle.filter(|_| line.len() <= 65536) else {
        assert_eq!(status, b"\tinvalid", "{}", what());
        return assert!(
            shown == as_it_came || as_it_came.len() > 65536 && as_it_came.starts_with(shown),
            "{}",
            what()
        );
    };
    puzzle.judge(shown, &status[1..]);
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
    let options = PipelineOptions {
        variants: variants.parse().unwrap(),
        method,
        ..PipelineOptions::default()
    };
    let ran = filtered(sources, options, threads);
    (!ran.failed).then_some((ran.rows, ran.messages))
}

/// What came of a run.
pub struct Ran {
    pub rows: Vec<u8>,
    pub messages: Vec<u8>,
    pub failed: bool,
    /// How many lines had each of `Status::ALL`.
    pub counts: Vec<u64>,
}

impl Ran {
    pub fn count(&self, status: Status) -> u64 {
        let index = Status::ALL.iter().position(|known| *known == status);
        self.counts[index.unwrap()]
    }
}

/// Messages about lines, at most.
pub const ERRORS: usize = 5;

pub fn filtered(sources: &[Source], options: PipelineOptions, threads: usize) -> Ran {
    let answerer = Pipeline::new(PipelineOptions {
        max_guesses: 200,
        ..options
    });
    let flow = Flow {
        threads,
        errors: ERRORS,
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
    let counts = Status::ALL.map(|status| outcome.tally.of(status)).to_vec();
    assert!(counts.iter().sum::<u64>() <= rows);
    Ran {
        rows: output.rows,
        messages,
        failed: outcome.failed,
        counts,
    }
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
