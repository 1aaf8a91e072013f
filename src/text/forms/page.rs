//! An HTML document for print, with the images of `svg.rs`: a figure for each puzzle, numbered, and
//! the solutions after all puzzles. It has no script.
//!
//! Figures are written as puzzles are answered. For each solution, a worker writes a line that is
//! not part of the document, after that of its figure:
//!
//! ```text
//!     mark  beginning of the image  mark  symbols, each given after a mark  newline
//! ```
//!
//! [`Solutions`] keeps what these lines say, and draws the solutions at the end.

use std::collections::HashSet;
use std::fmt::Write;
use std::ops::Range;
use std::sync::Arc;

use memchr::memchr_iter;

use super::drawing::write::GridWriter;
use super::svg::{self, SvgDigit};
use super::svg_elements::escape;
use crate::stream::{OutputEnd, OutputLines, WritePart};
use engine::error::Error;

/// The layout of the document.
#[derive(Clone, Debug, Default)]
pub struct PageOptions {
    /// The number of puzzles on a page; 6 if `None`.
    pub per_page: Option<usize>,
    /// Also shown above the first puzzle. "Sudoku", not shown, if `None`.
    pub title: Option<String>,
    /// A language tag; "en" if `None`.
    pub lang: Option<String>,
    /// The number of the first puzzle, at least 1; 1 if `None`. Browsers count up to 2^31.
    pub first: Option<u32>,
}

const PER_PAGE: usize = 6;

impl PageOptions {
    /// Returns the name of an option that is given.
    pub fn first_named(&self) -> Option<&'static str> {
        let given = [
            ("--per-page", self.per_page.is_some()),
            ("--title", self.title.is_some()),
            ("--lang", self.lang.is_some()),
            ("--first", self.first.is_some()),
        ];
        given.into_iter().find_map(|(name, is_given)| is_given.then_some(name))
    }

    fn first(&self) -> u64 {
        self.first.unwrap_or(1).into()
    }
}

/// The height in millimetres that figures share: that of a page of A4 or Letter without margins and
/// without the title.
const HEIGHT: usize = 240;

pub fn header(options: &PageOptions) -> String {
    let per_page = options.per_page.unwrap_or(PER_PAGE);
    let columns = ((per_page as f64 * 0.75).sqrt().round() as usize).max(1);
    let height = HEIGHT / per_page.div_ceil(columns).max(1);
    let (solutions, half) = (4 * per_page, height / 2);
    let lang = options.lang.as_deref().unwrap_or("en");
    let title = options.title.as_deref().map(escape);
    let heading = title.as_ref().map(|title| format!("<h1>{title}</h1>")).unwrap_or_default();
    format!(
        "<!DOCTYPE html>
<html lang=\"{lang}\"><head><meta charset=\"utf-8\"><title>{}</title><style>
@page{{margin:15mm}}
body{{margin:0;font:11pt sans-serif;counter-reset:puzzle {}}}
h1{{margin:0;font-size:14pt;line-height:8mm;text-align:center}}
main,aside{{display:grid;grid-template-columns:repeat({columns},1fr);--height:{height}mm}}
aside{{grid-template-columns:repeat({},1fr);--height:{half}mm;break-before:page}}
figure{{margin:0;text-align:center;height:var(--height);break-inside:avoid;counter-increment:puzzle}}
figure svg{{max-width:90%;height:calc(var(--height) - 9mm)}}
main figcaption::before{{content:counter(puzzle) \" \"}}
main figure:nth-of-type({per_page}n),aside figure:nth-of-type({solutions}n){{break-after:page}}
</style></head><body>{heading}<main>
",
        title.as_deref().unwrap_or("Sudoku"),
        options.first() - 1,
        2 * columns
    )
}

/// The style sheet adds the number of the figure to its caption: a worker does not know it.
pub fn write_figure(images: &[u8], caption: &str, text: &mut Vec<u8>) {
    text.extend_from_slice(b"<figure>");
    text.extend_from_slice(images);
    let caption = escape(caption);
    text.extend_from_slice(format!("<figcaption>{caption}</figcaption></figure>\n").as_bytes());
}

/// The document itself has no control characters but newlines and tabs.
const MARK: u8 = 1;

/// Writes the line for the solution of the last figure.
pub fn write_deferred(writer: &GridWriter<'_>, grid: &[u8], text: &mut Vec<u8>) {
    text.push(MARK);
    text.extend_from_slice(writer.svg_frame("").as_bytes());
    text.push(MARK);
    for digit in writer.svg_digits(grid) {
        if digit.is_given {
            text.push(MARK);
        }
        text.extend_from_slice(digit.symbol.encode_utf8(&mut [0; 4]).as_bytes());
    }
    text.push(b'\n');
}

/// The solutions of a document. Each takes about 200 bytes for a 9x9, and the beginnings of images
/// that differ, 1 to 10 kB each: for all classic 9x9, this is one.
pub struct Solutions {
    /// The number of the next figure.
    next: u64,
    frames: HashSet<Arc<str>>,
    solutions: Vec<Solution>,
}

struct Solution {
    number: u64,
    frame: Arc<str>,
    /// The symbols of the cells, each given after a mark.
    cells: Box<str>,
}

impl Solutions {
    pub fn new(options: &PageOptions) -> Solutions {
        Solutions { next: options.first(), frames: HashSet::new(), solutions: Vec::new() }
    }

    /// `line` is one of `write_deferred`, without its first mark and its newline.
    fn keep(&mut self, line: &[u8]) {
        let line = str::from_utf8(line).expect("images are text");
        let (frame, cells) = line.split_once(char::from(MARK)).expect("a mark after the frame");
        let frame = match self.frames.get(frame) {
            Some(frame) => Arc::clone(frame),
            None => Arc::from(frame),
        };
        self.frames.insert(Arc::clone(&frame));
        let number = self.next - 1;
        self.solutions.push(Solution { number, frame, cells: cells.into() });
    }
}

impl OutputEnd for Solutions {
    fn take_from(&mut self, output: &mut OutputLines) {
        let mut deferred: Vec<Range<usize>> = Vec::new();
        let mut begin = 0;
        for newline in memchr_iter(b'\n', &output.bytes) {
            let line = &output.bytes[begin..newline];
            match line.split_first() {
                Some((&MARK, line)) => {
                    self.keep(line);
                    deferred.push(begin..newline + 1);
                }
                _ => self.next += 1,
            }
            begin = newline + 1;
        }
        output.remove(&deferred);
    }

    fn write(&mut self, write: WritePart<'_>) -> Result<(), Error> {
        write(b"</main>\n")?;
        if !self.solutions.is_empty() {
            write(b"<aside>\n")?;
            for solution in std::mem::take(&mut self.solutions) {
                write(solution.figure().as_bytes())?;
            }
            write(b"</aside>\n")?;
        }
        write(b"</body></html>\n")
    }
}

impl Solution {
    fn figure(&self) -> String {
        let is_symbol = |symbol: &char| *symbol != char::from(MARK);
        let side = self.cells.chars().filter(is_symbol).count().isqrt();
        let mut figure = format!("<figure>{}", self.frame);
        let (mut cell, mut is_given) = (0, false);
        for symbol in self.cells.chars() {
            if is_symbol(&symbol) {
                figure += &SvgDigit { cell, symbol, is_given }.element(side);
                (cell, is_given) = (cell + 1, false);
            } else {
                is_given = true;
            }
        }
        let end = svg::END;
        let _ = writeln!(figure, "{end}<figcaption>{}</figcaption></figure>", self.number);
        figure
    }
}
