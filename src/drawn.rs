//! Drawn puzzles to lines: reads grids of several lines, a row a line, and hands on one line for each puzzle.
//! Whether its rows are a puzzle is for the answerer.
//!
//! ```text
//!     +---+---+
//!     |1 .|. .|
//!     |. .|3 .|         1 1... ..3. .3.. ...4
//!     +---+---+    ->   |  |
//!     |. 3|. .|         |  its rows, without borders
//!     |. .|. 4|         the line it began on
//!     +---+---+
//! ```

use std::io::{self, ErrorKind, Read};
use std::time::Duration;

use memchr::memchr;

use crate::input::{LONGEST_LINE, LONGEST_MAGIC, Stream, refuse_packed};
use crate::record::{without_end, without_mark};
use crate::rules::MAX_SIDE;
use crate::verdict::Status;

/// What is kept of a row that is too wide for any puzzle.
const KEPT: usize = 1 << 10;

/// A stream of lines, made of a stream of drawn grids.
pub struct Drawn<S> {
    from: S,
    /// Grids that make one line: a puzzle, and perhaps its layout and its answer.
    grids: usize,
    /// Bytes that were read and are not yet whole lines.
    pending: Vec<u8>,
    /// The rest of an overlong line is being skipped.
    skipping: bool,
    /// Lines read.
    lines: u64,
    /// The line on which the rows begin.
    first_line: u64,
    rows: Vec<Vec<u8>>,
    below: Below,
    /// Lines to hand on, from `start`.
    ready: Vec<u8>,
    start: usize,
    state: State,
}

/// What the line before was, so that the status below a grid that `--draw` drew is known for what it is: no row of a
/// puzzle stands there.
#[derive(PartialEq, Eq)]
enum Below {
    /// The last row of a puzzle.
    Puzzle,
    /// The frame below it.
    Frame,
    AnotherLine,
}

#[derive(PartialEq, Eq)]
enum State {
    /// What came is still too little to tell whether the source is packed.
    Untouched,
    Open,
    Ended,
}

impl<S: Stream> Drawn<S> {
    pub fn new(from: S, grids: usize) -> Self {
        Drawn {
            from,
            grids,
            pending: Vec::new(),
            skipping: false,
            lines: 0,
            first_line: 0,
            rows: Vec::new(),
            below: Below::AnotherLine,
            ready: Vec::new(),
            start: 0,
            state: State::Untouched,
        }
    }

    /// Reads once.
    fn advance(&mut self) -> io::Result<()> {
        let mut buffer = [0; 16 << 10];
        let count = self.from.read(&mut buffer)?;
        if self.state == State::Untouched {
            self.pending.extend_from_slice(&buffer[..count]);
            let tells = self.pending.len() >= LONGEST_MAGIC || self.pending.contains(&b'\n');
            if count > 0 && !tells {
                return Ok(());
            }
            let begin = std::mem::take(&mut self.pending);
            // Handed on as it is: the chunks refuse it.
            if refuse_packed(&begin).is_err() {
                self.state = State::Ended;
                self.ready = begin;
                return Ok(());
            }
            self.state = State::Open;
            self.take(&begin);
        } else {
            self.take(&buffer[..count]);
        }
        if count == 0 {
            self.state = State::Ended;
            let last = std::mem::take(&mut self.pending);
            if !last.is_empty() && !self.skipping {
                self.take_line(&last);
            }
            self.end_puzzle();
        }
        Ok(())
    }

    /// Takes the lines that end here.
    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = memchr(b'\n', bytes) {
            let mut line = std::mem::take(&mut self.pending);
            line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            if !std::mem::take(&mut self.skipping) {
                self.take_line(&line);
            }
        }
        self.pending.extend_from_slice(bytes);
        if self.skipping {
            self.pending.clear();
        } else if self.pending.len() > LONGEST_LINE {
            let line = std::mem::take(&mut self.pending);
            self.take_line(&line);
            self.skipping = true;
        }
    }

    fn take_line(&mut self, line: &[u8]) {
        self.lines += 1;
        // How much of an overlong line is at hand depends on the reads; no more than this is looked at.
        let line = &line[..line.len().min(LONGEST_LINE + 1)];
        let line = without_mark(without_end(line));
        let below = std::mem::replace(&mut self.below, Below::AnotherLine);
        match line.first() {
            Some(b'#') => return,
            // A heading of .sdk files: what follows is another puzzle.
            Some(b'[') => return self.end_puzzle(),
            _ => {}
        }
        // A frame, as Simple Sudoku draws it; rows hold no `-`.
        let is_frame = |&byte: &u8| is_border(byte) || byte == b'*';
        if line.contains(&b'-') && line.iter().all(is_frame) {
            if below == Below::Puzzle {
                self.below = Below::Frame;
            }
            return;
        }
        if below == Below::Frame && is_status(line) {
            return;
        }
        let symbols = line.iter().copied().filter(|&byte| !is_border(byte));
        let row: Vec<u8> = symbols.take(KEPT).collect();
        if row.is_empty() {
            return;
        }
        if self
            .rows
            .first()
            .is_some_and(|first| first.len() != row.len())
        {
            self.end_puzzle();
        }
        if self.rows.is_empty() {
            self.first_line = self.lines;
        }
        let side = row.len();
        self.rows.push(row);
        let is_whole = self.rows.len() == side * self.grids;
        if is_whole {
            self.below = Below::Puzzle;
        }
        if side > MAX_SIDE || is_whole {
            self.end_puzzle();
        }
    }

    /// Makes a line of the rows that are there.
    fn end_puzzle(&mut self) {
        if self.rows.is_empty() {
            return;
        }
        self.ready
            .extend_from_slice(self.first_line.to_string().as_bytes());
        for row in self.rows.drain(..) {
            self.ready.push(b' ');
            self.ready.extend_from_slice(&row);
        }
        self.ready.push(b'\n');
    }
}

impl<S: Stream> Read for Drawn<S> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.start == self.ready.len() && self.state != State::Ended {
            self.ready.clear();
            self.start = 0;
            match self.advance() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                advanced => advanced?,
            }
        }
        let left = &self.ready[self.start..];
        let count = left.len().min(buffer.len());
        buffer[..count].copy_from_slice(&left[..count]);
        self.start += count;
        Ok(count)
    }
}

impl<S: Stream> Stream for Drawn<S> {
    /// What there is to read may be no whole puzzle, so only what is ready counts, unless the wait is for ever.
    fn wait(&self, limit: Option<Duration>) -> bool {
        self.start < self.ready.len() || (limit.is_none() && self.from.wait(None))
    }
}

fn is_status(line: &[u8]) -> bool {
    Status::ALL
        .iter()
        .any(|status| status.name().as_bytes() == line)
}

fn is_border(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'|' | b'+' | b'-')
}

/// Whether a symbol would be taken for a border, or at the head of a row for a heading.
pub(crate) fn is_misread(symbol: u8) -> bool {
    is_border(symbol) || symbol == b'['
}

/// A line that was made of a drawn puzzle: the number of the line it began on, and its rows with blanks between them.
pub(crate) fn split(line: &[u8]) -> (u64, &[u8]) {
    let (number, rows) = line.split_at(memchr(b' ', line).unwrap_or(line.len()));
    let digits = number.iter().map(|digit| u64::from(digit - b'0'));
    let number = digits.fold(0, |number, digit| 10 * number + digit);
    (number, rows.strip_prefix(b" ").unwrap_or(rows))
}

/// The rows of such a line.
pub(crate) fn rows_of(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    split(line).1.split(|&byte| byte == b' ')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Comes in reads of so many bytes.
    struct Reads<'a>(&'a [u8], usize);

    impl Read for Reads<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }

    impl Stream for Reads<'_> {
        fn wait(&self, _: Option<Duration>) -> bool {
            true
        }
    }

    fn lines(drawn: &str, grids: usize) -> String {
        let all = [1, 7, 1000].map(|size| {
            let mut lines = String::new();
            let mut stream = Drawn::new(Reads(drawn.as_bytes(), size), grids);
            stream.read_to_string(&mut lines).unwrap();
            lines
        });
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]), "{all:?}");
        all[0].clone()
    }

    #[test]
    fn borders_blanks_and_comments_are_left_out() {
        for drawn in [
            "1...\n..3.\n.3..\n...4\n",
            "\u{feff}1...\r\n..3.\r\n\r\n.3..\r\n...4",
            "1 . . .\n. . 3 .\n\t. 3 . .\n. . . 4\n",
            "1.|..\n..|3.\n--+--\n.3|..\n..|.4\n",
        ] {
            assert_eq!(lines(drawn, 1), "1 1... ..3. .3.. ...4\n", "{drawn:?}");
        }
        let framed = "*-----*\n|1.|..|\n|..|3.|\n|--+--|\n|.3|..|\n|..|.4|\n*-----*\n";
        assert_eq!(lines(framed, 1), "2 1... ..3. .3.. ...4\n");
        let sdk = "#A an author\n[Puzzle]\n1...\n..3.\n.3..\n...4\n";
        assert_eq!(lines(sdk, 1), "3 1... ..3. .3.. ...4\n");
    }

    #[test]
    fn a_row_of_another_width_ends_the_puzzle_before_it() {
        let drawn = "1...\n..3.\n\n12\n21\n123\n";
        assert_eq!(lines(drawn, 1), "1 1... ..3.\n4 12 21\n6 123\n");
    }

    #[test]
    fn only_a_status_right_below_the_frame_of_a_whole_puzzle_is_left_out() {
        let status = "+--+\n|12|\n|21|\n+--+\nunique\n\n+--+\n|1.|\n|..|\n+--+\nnone\n";
        assert_eq!(lines(status, 1), "2 12 21\n8 1. ..\n");
        for (drawn, kept) in [
            ("12\n21\nnone\n", "1 12 21\n3 none\n"),
            ("12\n21\n\n--\nnone\n", "1 12 21\n5 none\n"),
            ("12\n21\n--\n\nnone\n", "1 12 21\n5 none\n"),
            ("12\n21\n--\nnone\nnone\n", "1 12 21\n5 none\n"),
            ("12\n21\n--\nnine\n", "1 12 21\n4 nine\n"),
            ("--\nnone\nkeep\n", "2 none keep\n"),
            ("12\n--\nnone\n", "1 12\n3 none\n"),
        ] {
            assert_eq!(lines(drawn, 1), kept, "{drawn:?}");
        }
        // Rows of a layout.
        let layout = "1...\n..2.\n.3..\n...4\n----\nnone\nfnoe\n";
        assert_eq!(lines(layout, 2), "1 1... ..2. .3.. ...4 none fnoe\n");
    }

    #[test]
    fn a_heading_ends_the_puzzle_before_it() {
        let drawn = "[Puzzle]\n1...\n..3.\n[Puzzle]\n12\n21\n";
        assert_eq!(lines(drawn, 1), "2 1... ..3.\n5 12 21\n");
    }

    #[test]
    fn layouts_and_answers_are_grids_behind_the_puzzle() {
        assert_eq!(lines("1.\n..\n\nAB\nAB\n12\n", 2), "1 1. .. AB AB\n6 12\n");
    }

    #[test]
    fn a_row_too_wide_for_any_puzzle_stands_alone_and_is_cut() {
        let wide = "1".repeat(26);
        assert_eq!(
            lines(&format!("{wide}\n{wide}\n"), 1),
            format!("1 {wide}\n2 {wide}\n")
        );
        let endless = "1".repeat(3 * LONGEST_LINE);
        let kept = "1".repeat(KEPT);
        assert_eq!(
            lines(&format!("{endless}\n12\n21\n"), 1),
            format!("1 {kept}\n2 12 21\n")
        );
    }

    /// Faults until 2026-11-22, found by the fuzz target.
    #[test]
    fn however_it_is_cut_no_more_of_an_overlong_line_is_read_and_packed_data_is_handed_on() {
        let hidden = format!("12\n{}3\n21\n", " ".repeat(LONGEST_LINE + 1));
        assert_eq!(lines(&hidden, 1), "1 12 21\n");
        let seen = format!("12\n{}3\n21\n", " ".repeat(LONGEST_LINE));
        assert_eq!(lines(&seen, 1), "1 12\n2 3\n3 21\n");
        let packed = "BZh91AY&SY";
        assert!(lines(packed, 1).starts_with(packed));
    }

    #[test]
    fn a_line_is_read_back() {
        let line = b"17 1... ..3.";
        assert_eq!(split(line), (17, &b"1... ..3."[..]));
        assert!(rows_of(line).eq([&b"1..."[..], b"..3."]));
    }
}
