//! Runs the whole filter on lines, and checks each output line.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::PathBuf;

use sudoku_filter::{Flow, Input, Method, Pipeline, PipelineOptions, Source, Status, filter};

use super::judge::{Fields, Puzzle};
use super::{described, plain};

/// The variants of a run.
const VARIANTS: [&str; 9] = [
    "classic",
    "diagonal",
    "window",
    "jigsaw",
    "diagonal,window",
    "jigsaw,diagonal",
    "killer",
    "killer,diagonal",
    "jigsaw,killer",
];

/// The first byte selects the variants and the number of threads.
pub fn run(data: &[u8]) {
    let Some((first, text)) = data.split_first() else {
        return;
    };
    let variants = VARIANTS[usize::from(*first) % VARIANTS.len()];
    let threads = usize::from(*first) / VARIANTS.len() % 3;
    let lanes = run_on_text(variants, Method::Lanes, text, threads);
    let Some((output, _)) = lanes else {
        return assert!(plain::is_packed(text));
    };
    let backtrack = run_on_text(variants, Method::Backtrack, text, 0).unwrap().0;
    let lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
    let split = |output: &[u8]| {
        output.split_inclusive(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect::<Vec<_>>()
    };
    let (lanes_lines, backtrack_lines) = (split(&output), split(&backtrack));
    assert_eq!((lanes_lines.len(), backtrack_lines.len()), (lines.len(), lines.len()));
    for (line, (output_line, backtrack_line)) in
        lines.into_iter().zip(lanes_lines.iter().zip(&backtrack_lines))
    {
        judge(variants, line, output_line.strip_suffix(b"\n").unwrap());
        let [status, backtrack_status] = [output_line, backtrack_line]
            .map(|line: &Vec<u8>| line.rsplit(|&byte| byte == b'\t').next().unwrap());
        if backtrack_status != b"unknown\n" && status != b"unknown\n" {
            assert_eq!(status, backtrack_status, "{}", line.escape_ascii());
        }
    }
}

/// Checks an output line against the documented behaviour.
fn judge(variants: &str, line: &[u8], output_line: &[u8]) {
    let line = plain::without_end(line);
    let context = || format!("{} {}", line.escape_ascii(), output_line.escape_ascii());
    if plain::is_copied(line) && line.len() <= 65536 {
        return assert_eq!(plain::without_mark(line), output_line);
    }
    let (shown, status) = output_line.split_at(
        output_line
            .iter()
            .rposition(|&byte| byte == b'\t')
            .unwrap_or_else(|| panic!("{}", context())),
    );
    let line_without_tabs: Vec<u8> =
        line.iter().map(|&byte| if byte == b'\t' { b' ' } else { byte }).collect();
    let puzzle = Puzzle::read(variants, &Fields::of_line(variants, line));
    let is_too_long = line.len() > 65536;
    let Some(puzzle) = puzzle.filter(|_| !is_too_long && !plain::has_line_end(line)) else {
        assert_eq!(status, b"\tinvalid", "{}", context());
        return assert!(
            shown == line_without_tabs || is_too_long && line_without_tabs.starts_with(shown),
            "{}",
            context()
        );
    };
    // A layout, cages or another puzzle that the run does not use make a puzzle invalid.
    if status == b"\tinvalid" && holds_unread_fields(variants, line) {
        return assert_eq!(shown, line_without_tabs, "{}", context());
    }
    puzzle.judge(shown, &status[1..]);
}

/// Returns true if a field after the puzzle can be a layout or cages that the variants do not
/// expect, or has more symbols than a puzzle.
fn holds_unread_fields(variants: &str, line: &[u8]) -> bool {
    let all_of = |separators| plain::fields(plain::without_mark(line), separators);
    let fields = [plain::Separators::Usual, plain::Separators::Blanks].map(all_of);
    fields.iter().flat_map(|fields| fields.iter().skip(1)).any(|field| {
        let side = field.len().isqrt();
        let can_be_cages = described::is_described(field)
            || field.iter().any(|symbol| b"<>^v`':".contains(symbol));
        !variants.contains("jigsaw") && plain::is_layout(field, side, false)
            || !variants.contains("killer") && can_be_cages
            || field.len() > 36
    })
}

/// Returns the output and the messages for a text in a file; `None` if the program refuses it.
fn run_on_text(
    variants: &str,
    method: Method,
    text: &[u8],
    threads: usize,
) -> Option<(Vec<u8>, Vec<u8>)> {
    let file = scratch("filter");
    std::fs::write(&file, text).unwrap();
    let result = run_filter(&[Source::File(file.clone())], variants, method, threads);
    let _ = std::fs::remove_file(file);
    result
}

/// Returns the path of a temporary file for this thread.
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
    let mut options = PipelineOptions::default();
    options.input = Some(Input::Lines);
    options.variants = variants.parse().unwrap();
    options.method = method;
    let ran = filtered(sources, options, threads);
    (!ran.failed).then_some((ran.rows, ran.messages))
}

/// The result of a run.
pub struct Ran {
    pub rows: Vec<u8>,
    pub messages: Vec<u8>,
    pub failed: bool,
    /// Number of lines with each of `Status::ALL`.
    pub counts: Vec<u64>,
}

impl Ran {
    pub fn count(&self, status: Status) -> u64 {
        let index = Status::NAMES.iter().position(|(_, known)| *known == status);
        self.counts[index.unwrap()]
    }
}

/// The most messages about lines.
pub const ERRORS: usize = 5;

pub fn filtered(sources: &[Source], mut options: PipelineOptions, threads: usize) -> Ran {
    options.max_guesses = sudoku_filter::GuessLimit::Guesses(200);
    let pipeline = Pipeline::new(options).unwrap();
    let mut flow = Flow::new(threads);
    flow.errors = ERRORS;
    let mut output =
        MemoryOutput { rows: Vec::new(), descriptor: File::create("/dev/null").unwrap() };
    let mut messages = Vec::new();
    let outcome = filter(sources, &pipeline, &mut output, &mut messages, &flow).unwrap();
    let text = String::from_utf8(messages.clone()).unwrap();
    assert!(text.chars().all(|symbol| symbol == '\n' || !symbol.is_control()), "{text:?}");
    let rows = output.rows.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let counts = Status::NAMES.map(|(_, status)| outcome.tally.count(status)).to_vec();
    assert!(counts.iter().sum::<u64>() <= rows);
    Ran { rows: output.rows, messages, failed: outcome.failed, counts }
}

/// An output that stores what is written to it.
struct MemoryOutput {
    rows: Vec<u8>,
    descriptor: File,
}

impl Write for MemoryOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.rows.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for MemoryOutput {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.descriptor.as_fd()
    }
}
