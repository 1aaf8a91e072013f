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
//!
//! An *entry* is a puzzle with its layout and its answer, if they follow it: `side * grids` rows. It is handed on with its
//! last row. A *block* is a run of rows without a blank line between them. An entry that lacks a row, or has one too many,
//! must not disturb the next one, so the stream learns what the blank lines of its source separate (`Spacing`). From that it
//! knows at which blank line an entry ends, even if its rows do not add up.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Read};
use std::time::Duration;

use memchr::memchr;

use crate::chunks::LONGEST_LINE;
use crate::record::{without_end, without_mark};
use crate::rules::{MAX_SIDE, Shape};
use crate::source::{LONGEST_MAGIC, Stream, refuse_packed};
use crate::symbols::Alphabet;
use crate::verdict::Status;

/// What is kept of a row that is too wide for any puzzle.
const KEPT: usize = 1 << 10;

/// Entries in a row that contradict a spacing once confirmed, before it is given up.
const TRUST: u8 = 2;

/// The grids of one entry of a drawn source: the puzzle, and perhaps its layout and its answer.
#[derive(Clone, Copy, Debug, Default)]
pub struct EntryGrids {
    /// True if each puzzle is followed by its layout.
    pub layout: bool,
    /// True if each puzzle is followed by its answer.
    pub answer: bool,
}

/// What the entries of a drawn source look like.
#[derive(Clone, Debug)]
pub struct EntryForm {
    /// The grids of an entry.
    pub grids: EntryGrids,
    /// The symbols of puzzles, by which a title is known from a row.
    pub alphabet: Alphabet,
}

impl EntryGrids {
    pub(crate) fn count(self) -> usize {
        1 + usize::from(self.layout) + usize::from(self.answer)
    }
}

/// A stream of lines, made of a stream of drawn grids.
pub struct Drawn<S> {
    from: S,
    form: EntryForm,
    /// Bytes that were read and are not yet whole lines.
    pending: Vec<u8>,
    /// The rest of an overlong line is being skipped.
    skipping: bool,
    /// Lines read.
    lines: u64,
    /// Rows of the entry that is being read.
    rows: Vec<Row>,
    /// True if these rows differ in width or hold a title, so that they are no puzzle.
    ragged: bool,
    /// Heights of the blocks of this entry that have ended.
    blocks: Vec<usize>,
    /// Rows of this entry in the block that is being read.
    block: usize,
    /// Entries that ended in the block that is being read.
    ended: usize,
    /// True if the first of these began in this block too.
    ended_alone: bool,
    spacing: Spacing,
    /// Entries that may still contradict the spacing before it is guessed anew; 0 while it is a guess.
    trust: u8,
    /// The width of the last entry; 0 before the first.
    last_side: usize,
    /// True if a title has been read: titles stand between the entries of this source.
    titled: bool,
    /// Rows still to be skipped: they follow a heading such as `[PencilMarks]`.
    unread_rows: usize,
    below: Below,
    /// Lines to hand on, from `start`.
    ready: Vec<u8>,
    start: usize,
    state: State,
}

/// The symbols of a row and the number of its line.
struct Row {
    line: u64,
    symbols: Vec<u8>,
}

/// What blank lines separate, in a form that holds for every side.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Spacing {
    Unknown,
    /// Nothing: entries follow each other without them, and where one occurs it means nothing.
    Nothing,
    /// So many grids: all those of an entry, or each by itself.
    Grids(usize),
    /// Bands of so many rows, in puzzles of this side.
    Bands {
        side: usize,
        height: usize,
    },
}

/// What the line before was, so that the status below a grid that `--draw` drew is known for what it is: no row of a
/// puzzle stands there.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Below {
    /// The last row of a puzzle.
    Puzzle,
    /// The frame below it.
    LastFrame,
    /// Any other frame.
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
    pub fn new(from: S, form: EntryForm) -> Self {
        Drawn {
            from,
            form,
            pending: Vec::new(),
            skipping: false,
            lines: 0,
            rows: Vec::new(),
            ragged: false,
            blocks: Vec::new(),
            block: 0,
            ended: 0,
            ended_alone: false,
            spacing: Spacing::Unknown,
            trust: 0,
            last_side: 0,
            titled: false,
            unread_rows: 0,
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
            self.end_entry();
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
            Some(b'[') => return self.take_heading(line),
            _ => {}
        }
        let line = &*with_plain_borders(line);
        if line.iter().all(|byte| matches!(byte, b' ' | b'\t')) {
            return self.end_block();
        }
        // A frame, as Simple Sudoku draws it; rows hold no `-`.
        let is_frame = |&byte: &u8| is_border(byte) || byte == b'*';
        if line.contains(&b'-') && line.iter().all(is_frame) {
            self.below = match below {
                Below::Puzzle => Below::LastFrame,
                _ => Below::Frame,
            };
            // Where a frame follows a frame, another grid begins.
            if matches!(below, Below::LastFrame | Below::Frame) {
                self.end_block();
            }
            return;
        }
        if below == Below::LastFrame && is_status(line) {
            return;
        }
        let symbols = line.iter().copied().filter(|&byte| !is_border(byte));
        let row: Vec<u8> = symbols.take(KEPT).collect();
        if row.is_empty() {
            return;
        }
        if below == Below::Frame && is_status(line) && self.is_no_layout(&row) {
            // The grid above lacks rows.
            if self.form.grids.count() == 1 {
                self.end_part();
            }
        } else if self.is_title(line, &row) {
            self.take_title(row);
        } else if self.unread_rows > 0 {
            self.unread_rows -= 1;
        } else {
            self.take_row(row, false);
        }
    }

    /// Returns true if a row below other grids is none of a layout.
    fn is_no_layout(&self, row: &[u8]) -> bool {
        let side = match self.rows.is_empty() {
            true => self.last_side,
            false => self.side(),
        };
        side != 0 && (!self.form.grids.layout || side != row.len())
    }

    /// Takes a heading of an .sdk file: another puzzle follows, or what a program noted about the last one.
    fn take_heading(&mut self, line: &[u8]) {
        let name = line[1..].to_ascii_lowercase();
        let notes: [&[u8]; 4] = [b"state]", b"pencil", b"cell", b"color"];
        let Some(kind) = notes.iter().position(|note| name.starts_with(note)) else {
            self.unread_rows = 0;
            return self.end_part();
        };
        // The state of a puzzle is its answer, if that is what the entry lacks.
        let before_answer = self.side() * (self.form.grids.count() - 1);
        let lacks_answer =
            self.form.grids.answer && !self.ragged && self.rows.len() == before_answer;
        if kind == 0 && lacks_answer && before_answer > 0 {
            return;
        }
        self.end_part();
        self.unread_rows = match self.last_side {
            0 => usize::MAX,
            side => side,
        };
    }

    /// Returns true if a line is a title, such as `Grid 01`, where one can stand. A title has a word, and symbols that no
    /// row of its width has.
    fn is_title(&self, line: &[u8], row: &[u8]) -> bool {
        let is_foreign = |symbol: u8| !matches!(self.form.alphabet.digit_of(symbol), Some(digit) if digit <= row.len());
        if !row.iter().copied().any(is_foreign) {
            return false;
        }
        let side = match self.rows.is_empty() {
            true => self.last_side,
            false => self.side(),
        };
        // Letters that are no digits here, in one case and without a number, are more likely digits of other symbols, and so
        // are letters between blank cells.
        let has = |is_kind: fn(&u8) -> bool| row.iter().any(is_kind);
        let in_both_cases = has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase);
        let blanks = row.iter().filter(|symbol| b"._*".contains(symbol)).count();
        if blanks > 1 || !(in_both_cases || has(u8::is_ascii_digit) || !row.is_ascii()) {
            return false;
        }
        // A wrong symbol or two in a row are no word.
        let letters = if row.len() == side { 3 } else { 2 };
        let is_letter = |byte: &u8| byte.is_ascii_alphabetic() || !byte.is_ascii();
        let is_word = |run: &[u8]| {
            run.len() >= letters
                && run.iter().any(|letter| *letter != run[0])
                && run.iter().filter(|&&letter| is_foreign(letter)).count() >= 2
        };
        let mut words = line
            .split(|byte| !is_letter(byte))
            .filter(|run| is_word(run));
        if !self.form.grids.layout || self.rows.is_empty() {
            return words.next().is_some();
        }
        // The rows of a layout are letters too; a title has a word with a capital, and a number.
        let is_capitalized =
            |run: &[u8]| run[0].is_ascii_uppercase() && run[1..].iter().all(u8::is_ascii_lowercase);
        row.iter().any(u8::is_ascii_digit) && words.any(is_capitalized)
    }

    /// Ends the entry at a title. The first title of a source may also be a line that strayed into an entry.
    fn take_title(&mut self, row: Vec<u8>) {
        let titled = std::mem::replace(&mut self.titled, true);
        if titled || self.rows.is_empty() {
            self.unread_rows = 0;
            self.end_part();
        } else if self.spacing == Spacing::Unknown {
            // It may stand in place of a lost row, or before the next entry.
            self.take_row(row, true);
        }
    }

    fn take_row(&mut self, symbols: Vec<u8>, is_title: bool) {
        let width = symbols.len();
        if self
            .rows
            .first()
            .is_some_and(|first| first.symbols.len() != width)
            || is_title
        {
            self.ragged = true;
        }
        self.rows.push(Row {
            line: self.lines,
            symbols,
        });
        self.block += 1;
        self.part_entries(width);
        let side = self.side();
        let whole = side * self.form.grids.count();
        let count = self.rows.len();
        if count == whole && !self.ragged && self.fits(side) {
            self.below = Below::Puzzle;
            self.learn();
            self.end_entry();
        } else if count >= whole && self.ragged && self.height(side).is_none()
            || count >= 2 * whole
            || side > MAX_SIDE
        {
            self.end_entry();
        }
    }

    /// Hands on those rows, as an entry of their own, that the row just read shows to be none of its entry.
    fn part_entries(&mut self, width: usize) {
        let count = self.rows.len();
        let widths_are = |rows: &[Row]| rows.iter().all(|row| row.symbols.len() == width);
        // A whole entry without a blank line in it: what is before that line was another one.
        let is_whole = count > self.block
            && self.block == width * self.form.grids.count()
            && widths_are(&self.rows[count - self.block..]);
        // The first two rows behind a blank line have another width than those before it.
        let is_other_side = count > 2
            && self.block == 2
            && width != self.side()
            && widths_are(&self.rows[count - 2..]);
        if is_whole || is_other_side {
            return self.part(count - self.block);
        }
        // A line before the first row, such as a number.
        let first = self.rows[0].symbols.len();
        if count == 3 && self.block == 3 && first.abs_diff(width) > 1 && widths_are(&self.rows[1..])
        {
            self.part(1);
            self.block = 2;
        }
    }

    /// Hands on the first rows as an entry of their own; the others are of one block, the last.
    fn part(&mut self, count: usize) {
        self.emit(count);
        self.blocks.clear();
        let width = |row: &Row| row.symbols.len();
        self.ragged = self
            .rows
            .iter()
            .any(|row| width(row) != width(&self.rows[0]));
    }

    /// Notes what the entry that has just become whole says about the spacing.
    fn learn(&mut self) {
        if !self.blocks.is_empty() {
            self.trust = match self.height(self.side()) {
                Some(_) => TRUST,
                None => 0,
            };
        } else if self.ended > 1 && self.trust == 0 {
            // Two may be a puzzle and a stray row.
            self.spacing = Spacing::Nothing;
        } else {
            self.ended_alone = true;
        }
    }

    /// Ends a block at a blank line, and its entry if it has all its blocks.
    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.block);
        let ended = std::mem::take(&mut self.ended);
        let ended_alone = std::mem::take(&mut self.ended_alone);
        if self.rows.is_empty() {
            if ended == 1 && ended_alone {
                let all = Spacing::Grids(self.form.grids.count());
                self.trust = if self.spacing == all { TRUST } else { 0 };
                self.spacing = all;
            }
            return;
        }
        let side = self.side();
        let last_rows = &self.rows[self.rows.len() - block..];
        let strays = last_rows.iter().all(|row| row.symbols.len() != side);
        if self.spacing == Spacing::Nothing || strays {
            return;
        }
        let whole = side * self.form.grids.count();
        if ended > 0 && block < self.height(side).unwrap_or(whole) {
            // Rows too many behind a whole entry.
            if self.spacing == Spacing::Unknown {
                self.spacing = Spacing::Grids(self.form.grids.count());
            }
            return self.end_part();
        }
        if self.trust > 0
            && self.blocks.is_empty()
            && self.height(side).is_some_and(|height| 2 * block < height)
        {
            // Less than half of a block, before the first of an entry.
            return self.end_part();
        }
        self.blocks.push(block);
        if self.trust == 0 {
            self.guess(side);
        }
        let height = self.height(side).unwrap_or(whole);
        if self.count_blocks(height) * height >= whole {
            if self.rows.len() != whole {
                self.trust = self.trust.saturating_sub(1);
            }
            self.end_part();
        }
    }

    /// Guesses the spacing from the block that has just ended.
    fn guess(&mut self, side: usize) {
        let Some(&block) = self.blocks.last() else {
            return;
        };
        if self
            .height(side)
            .is_some_and(|height| height.abs_diff(block) <= 1)
        {
            return;
        }
        let height = natural_height(block, side, self.form.grids.count());
        self.spacing = match height.is_multiple_of(side) {
            true => Spacing::Grids(height / side),
            false => Spacing::Bands { side, height },
        };
        let (_, earlier) = self.blocks.split_last().unwrap_or((&block, &[]));
        if earlier.iter().any(|&rows| rows.abs_diff(height) > 1) {
            self.part(self.rows.len() - block);
            self.blocks.push(block);
        }
    }

    /// Returns the height of the blocks that the spacing makes of an entry of this side.
    fn height(&self, side: usize) -> Option<usize> {
        match self.spacing {
            Spacing::Unknown | Spacing::Nothing => None,
            Spacing::Grids(grids) => Some(grids * side),
            Spacing::Bands { side: of, height } if of == side || height == 1 => Some(height),
            Spacing::Bands { .. } => Some(box_height(side)),
        }
    }

    /// Returns for how many blocks of this height those that have ended stand: a block that lacks a row, or has one too
    /// many, is one block. Two that make one together were parted by a blank line too many.
    fn count_blocks(&self, height: usize) -> usize {
        let (mut count, mut before) = (0, height);
        for &rows in &self.blocks {
            if before < height && before + rows == height {
                before = height;
                continue;
            }
            count += ((rows + height / 2) / height).max(1);
            before = rows;
        }
        count
    }

    /// Returns true if the blocks of a whole entry agree with the spacing. One block always does.
    fn fits(&self, side: usize) -> bool {
        let height = self.height(side).filter(|_| !self.blocks.is_empty());
        height.is_none_or(|height| {
            let before = self.rows.len() - self.block;
            // An unsure guess of bands may come from an entry of which there was no more.
            let several = (self.trust > 0 || height >= side) && self.block.is_multiple_of(height);
            before == self.count_blocks(height) * height && (self.block <= height || several)
        })
    }

    /// Returns the width of most rows; of two that are as frequent that of the last entry, or else the wider.
    fn side(&self) -> usize {
        match self.rows.first() {
            Some(first) if !self.ragged => first.symbols.len(),
            _ => usual_width(
                self.rows.iter().map(|row| row.symbols.len()),
                self.last_side,
            ),
        }
    }

    /// Ends the entry where another part of the source begins.
    fn end_part(&mut self) {
        self.end_entry();
        self.ended = 0;
        self.ended_alone = false;
    }

    /// Makes a line of the rows that are there.
    fn end_entry(&mut self) {
        if !self.rows.is_empty() {
            self.ended += 1;
            self.emit(self.rows.len());
        }
        self.block = 0;
        self.blocks.clear();
        self.ragged = false;
    }

    /// Makes a line of the first rows.
    fn emit(&mut self, count: usize) {
        self.last_side = self.side();
        let first_line = self.rows[0].line;
        self.ready
            .extend_from_slice(first_line.to_string().as_bytes());
        for row in self.rows.drain(..count) {
            self.ready.push(b' ');
            self.ready.extend_from_slice(&row.symbols);
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

/// Returns the width that most rows have; of those that are as frequent the preferred one, or else the widest. Rows that are
/// too wide for any puzzle count only if all are.
pub(crate) fn usual_width(widths: impl Iterator<Item = usize>, preferred: usize) -> usize {
    let mut counts = [0; MAX_SIDE + 1];
    let mut widest = 0;
    for width in widths {
        widest = widest.max(width);
        if let Some(count) = counts.get_mut(width) {
            *count += 1;
        }
    }
    let usual = (1..=MAX_SIDE).max_by_key(|&width| (counts[width], width == preferred, width));
    usual.filter(|&width| counts[width] > 0).unwrap_or(widest)
}

/// Returns the height that a block of so many rows was most likely meant to have.
fn natural_height(rows: usize, side: usize, grids: usize) -> usize {
    if side.is_multiple_of(rows) {
        return rows;
    }
    // A blank line between bands was lost.
    let band = box_height(side);
    if rows < side && rows.is_multiple_of(band) {
        return band;
    }
    let whole_grids = (1..=grids).map(|grids| grids * side);
    let heights = whole_grids.chain([1, band]);
    // A block lacks a row rather than it has one too many.
    let nearest = heights.min_by_key(|height| (height.abs_diff(rows), usize::MAX - height));
    nearest.unwrap_or(side)
}

fn box_height(side: usize) -> usize {
    match Shape::boxes_of(side) {
        Some(Shape::Boxes { rows, .. }) => rows,
        _ => side,
    }
}

/// Returns the line with `|` for each vertical and `-` for every other box-drawing character (U+2500 to U+257F).
fn with_plain_borders(line: &[u8]) -> Cow<'_, [u8]> {
    const LEAD: u8 = 0xe2;
    if memchr(LEAD, line).is_none() {
        return Cow::Borrowed(line);
    }
    let mut plain = Vec::with_capacity(line.len());
    let mut left = line;
    while let Some((&first, rest)) = left.split_first() {
        left = match left {
            [LEAD, second @ 0x94..=0x95, third @ 0x80..=0xbf, behind @ ..] => {
                let is_vertical = match second {
                    0x94 => matches!(third, 0x82 | 0x83 | 0x86 | 0x87 | 0x8a | 0x8b),
                    _ => matches!(third, 0x8e | 0x8f | 0x91),
                };
                plain.push(if is_vertical { b'|' } else { b'-' });
                behind
            }
            _ => {
                plain.push(first);
                rest
            }
        };
    }
    Cow::Owned(plain)
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

    fn form(grids: usize) -> EntryForm {
        EntryForm {
            grids: EntryGrids {
                layout: grids > 1,
                answer: grids > 2,
            },
            alphabet: Alphabet::default(),
        }
    }

    fn lines(drawn: &str, grids: usize) -> String {
        lines_of(drawn, &form(grids))
    }

    fn lines_of(drawn: &str, form: &EntryForm) -> String {
        let all = [1, 7, 1000].map(|size| {
            let mut lines = String::new();
            let mut stream = Drawn::new(Reads(drawn.as_bytes(), size), form.clone());
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
    fn only_a_status_right_below_a_frame_is_left_out() {
        let status = "+--+\n|12|\n|21|\n+--+\nunique\n\n+--+\n|1.|\n|..|\n+--+\nnone\n";
        assert_eq!(lines(status, 1), "2 12 21\n8 1. ..\n");
        for (drawn, kept) in [
            ("12\n21\n21\n", "1 12 21\n3 21\n"),
            ("12\n21\n--\n2n\n", "1 12 21\n4 2n\n"),
            ("1..2\n--\nnone\n", "1 1..2\n"),
            ("1..2\nnone\n", "1 1..2 none\n"),
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
        assert_eq!(
            lines(&format!("1...\n\n{wide}\n{wide}\n12\n21\n"), 1),
            format!("1 1...\n3 {wide} {wide}\n5 12 21\n")
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
        assert_eq!(lines(&seen, 1), "1 12 3\n3 21\n");
        let packed = "BZh91AY&SY";
        assert!(lines(packed, 1).starts_with(packed));
    }

    /// Files of twelve different puzzles in one style each: their lines, and what makes an entry.
    fn styles() -> Vec<(&'static str, EntryGrids, Vec<String>)> {
        let none = EntryGrids::default();
        let [answer, layout, both] = [(false, true), (true, false), (true, true)]
            .map(|(layout, answer)| EntryGrids { layout, answer });
        let letters = *b"ABCDEFGHI";
        let digits = *b"123456789";
        let frame = "+-------+-------+-------+";
        vec![
            (
                "entries",
                none,
                file(|p| [&puzzle(p)[..], &blank()].concat()),
            ),
            (
                "titles",
                none,
                file(|p| [&title(p)[..], &puzzle(p)].concat()),
            ),
            (
                "titles and blank lines",
                none,
                file(|p| [&title(p)[..], &puzzle(p), &blank()].concat()),
            ),
            (
                "headings",
                none,
                file(|p| [&["[Puzzle]".to_string()], &puzzle(p)[..]].concat()),
            ),
            (
                "headings and states",
                none,
                file(|p| {
                    let heads = ["[Puzzle]", "[State]"].map(|head| [head.to_string()]);
                    [&heads[0][..], &puzzle(p), &heads[1], &solved(p)].concat()
                }),
            ),
            (
                "answers in states",
                answer,
                file(|p| {
                    let heads = ["[Puzzle]", "[State]"].map(|head| [head.to_string()]);
                    [&heads[0][..], &puzzle(p), &heads[1], &solved(p), &blank()].concat()
                }),
            ),
            ("frames", none, file(|p| framed(&puzzle(p), frame))),
            (
                "Unicode frames",
                none,
                file(|p| {
                    let lines = framed(&puzzle(p), "╠═══════╬═══════╬═══════╣");
                    lines.iter().map(|line| line.replace('|', "║")).collect()
                }),
            ),
            (
                "drawn by the program",
                none,
                file(|p| {
                    let status = ["unique".to_string(), String::new()];
                    [&framed(&puzzle(p), frame)[..], &status].concat()
                }),
            ),
            (
                "bands",
                none,
                file(|p| {
                    puzzle(p)
                        .chunks(3)
                        .flat_map(|band| [band, &blank()].concat())
                        .collect()
                }),
            ),
            (
                "bands, two blank lines between puzzles",
                none,
                file(|p| {
                    let bands = puzzle(p);
                    let bands = bands.chunks(3).flat_map(|band| [band, &blank()].concat());
                    bands.chain(blank()).collect()
                }),
            ),
            (
                "answers",
                answer,
                file(|p| [&puzzle(p)[..], &solved(p), &blank()].concat()),
            ),
            (
                "answers behind a blank line",
                answer,
                file(|p| [&puzzle(p)[..], &blank(), &solved(p), &blank()].concat()),
            ),
            (
                "titles and answers",
                answer,
                file(|p| [&title(p)[..], &puzzle(p), &solved(p)].concat()),
            ),
            (
                "layouts of letters",
                layout,
                file(|p| [&puzzle(p)[..], &labels(letters), &blank()].concat()),
            ),
            (
                "layouts of letters behind a blank line",
                layout,
                file(|p| [&puzzle(p)[..], &blank(), &labels(letters), &blank()].concat()),
            ),
            (
                "layouts of digits",
                layout,
                file(|p| [&puzzle(p)[..], &labels(digits), &blank()].concat()),
            ),
            (
                "layouts of digits behind a blank line",
                layout,
                file(|p| [&puzzle(p)[..], &blank(), &labels(digits), &blank()].concat()),
            ),
            (
                "titles and layouts",
                layout,
                file(|p| [&title(p)[..], &puzzle(p), &labels(letters)].concat()),
            ),
            (
                "layouts and answers",
                both,
                file(|p| [&puzzle(p)[..], &labels(letters), &solved(p), &blank()].concat()),
            ),
            (
                "layouts and answers behind blank lines",
                both,
                file(|p| {
                    let grids = [&puzzle(p), &labels(letters), &solved(p)];
                    grids
                        .iter()
                        .flat_map(|rows| [rows, &blank()[..]].concat())
                        .collect()
                }),
            ),
        ]
    }

    fn file(entry: impl Fn(usize) -> Vec<String>) -> Vec<String> {
        (0..12).flat_map(entry).collect()
    }

    fn blank() -> Vec<String> {
        vec![String::new()]
    }

    fn title(number: usize) -> Vec<String> {
        vec![format!("Grid {:02}", number + 1)]
    }

    fn solved(number: usize) -> Vec<String> {
        let digit = |row: usize, column: usize| (row * 3 + row / 3 + column + number) % 9 + 1;
        let row = |row: usize| {
            (0..9)
                .map(|column| digit(row, column).to_string())
                .collect()
        };
        (0..9).map(row).collect()
    }

    fn puzzle(number: usize) -> Vec<String> {
        let mut rows = solved(number);
        for (index, row) in rows.iter_mut().enumerate() {
            let kept = (number * 7 + index * 5) % 11;
            let shown = |(column, digit): (usize, char)| match (column * 3 + kept) % 4 {
                0 => digit,
                _ => '.',
            };
            *row = row.chars().enumerate().map(shown).collect();
        }
        // No two puzzles are the same.
        rows[0] = format!("{:09}", number + 1).replace('0', ".");
        rows
    }

    fn labels(of: [u8; 9]) -> Vec<String> {
        let label = |row: usize, column: usize| char::from(of[row / 3 * 3 + column / 3]);
        (0..9)
            .map(|row| (0..9).map(|column| label(row, column)).collect())
            .collect()
    }

    fn framed(rows: &[String], frame: &str) -> Vec<String> {
        let row = |row: &String| {
            let cells: Vec<String> = row.chars().map(|cell| cell.to_string()).collect();
            let bands: Vec<String> = cells.chunks(3).map(|band| band.join(" ")).collect();
            format!("| {} |", bands.join(" | "))
        };
        let bands = rows.chunks(3).flat_map(|band| {
            let rows = band.iter().map(row);
            rows.chain([frame.to_string()]).collect::<Vec<_>>()
        });
        [frame.to_string()].into_iter().chain(bands).collect()
    }

    /// The entries of a file, each as its rows.
    fn entries(lines: &[String], grids: EntryGrids) -> Vec<String> {
        let alphabet = Alphabet::default();
        let form = EntryForm { grids, alphabet };
        let mut text = String::new();
        let drawn = lines.join("\n") + "\n";
        let mut stream = Drawn::new(Reads(drawn.as_bytes(), 1 << 14), form.clone());
        stream.read_to_string(&mut text).unwrap();
        // Now and then, cut in other ways.
        if lines.len().is_multiple_of(12) {
            assert_eq!(text, lines_of(&drawn, &form));
        }
        let rows = |line: &str| line.split_once(' ').unwrap().1.to_string();
        text.lines().map(rows).collect()
    }

    type Fault = (&'static str, fn(&mut Vec<String>, usize));

    const FAULTS: [Fault; 9] = [
        ("a line is lost", |lines, at| drop(lines.remove(at))),
        ("a symbol is lost", |lines, at| {
            lines[at].pop();
        }),
        ("a digit is lost", |lines, at| {
            if let Some(digit) = lines[at].rfind(|symbol: char| symbol.is_ascii_digit()) {
                lines[at].remove(digit);
            }
        }),
        ("a symbol is added", |lines, at| {
            if !lines[at].is_empty() {
                lines[at].push('.');
            }
        }),
        ("a title as wide as a row", |lines, at| {
            lines.insert(at, "Puzzle 100".to_string());
        }),
        ("a title", |lines, at| lines.insert(at, "No. 7".to_string())),
        ("a row is added", |lines, at| {
            lines.insert(at, "12.....89".to_string())
        }),
        ("a blank line is added", |lines, at| {
            lines.insert(at, String::new())
        }),
        ("a short row is added", |lines, at| {
            lines.insert(at, "12".to_string())
        }),
    ];

    #[test]
    fn a_fault_in_one_entry_leaves_the_others_as_they_were() {
        let mut failures = Vec::new();
        for (style, grids, lines) in styles() {
            let intact = entries(&lines, grids);
            assert_eq!(intact.len(), 12, "{style}: {intact:?}");
            for (fault, plant) in FAULTS {
                // Where blank lines part a puzzle, one more moves its parts.
                let is_parted = style.contains("bands") || style.contains("behind");
                if fault == "a blank line is added" && is_parted {
                    continue;
                }
                // The first entries, from which the spacing is learnt, one that follows, and the last.
                let each = lines.len() / 12;
                for at in (0..lines.len()).filter(|at| [0, 1, 2, 3, 11].contains(&(at / each))) {
                    let mut faulty = lines.clone();
                    plant(&mut faulty, at);
                    let found = entries(&faulty, grids);
                    let lost = intact.iter().filter(|entry| !found.contains(entry)).count();
                    let new = found.iter().filter(|entry| !intact.contains(entry)).count();
                    if lost > 1 || new > 2 {
                        failures.push(format!("{style}: {fault} at {at}: {lost} lost, {new} new"));
                    }
                }
            }
        }
        assert!(
            failures.is_empty(),
            "{} failures:\n{}",
            failures.len(),
            failures.join("\n")
        );
    }

    #[test]
    fn a_title_ends_the_puzzle_before_it_and_is_left_out() {
        for (drawn, kept) in [
            (
                "Grid 01\n12\n21\nGrid 02\n12\nGrid 03\n21\n12\n",
                "2 12 21\n5 12\n7 21 12\n",
            ),
            ("GRID 1\n12\n21\nGRID 2\n12\n21\n", "2 12 21\n5 12 21\n"),
            // Digits of other symbols.
            (
                "12\n21\nkeeper\n1..\n.2.\n..3\n",
                "1 12 21\n3 keeper\n4 1.. .2. ..3\n",
            ),
            ("QR..\n..Qr\n.R..\n...S\n", "1 QR.. ..Qr .R.. ...S\n"),
            ("Задача 1\n12\n21\n", "2 12 21\n"),
            // A wrong symbol or two are no word.
            ("1...\n.zz.\n.3..\n...4\n", "1 1... .zz. .3.. ...4\n"),
            ("1z\n21\n", "1 1z 21\n"),
        ] {
            assert_eq!(lines(drawn, 1), kept, "{drawn:?}");
        }
        // Digits of a puzzle of that width, and rows of a layout.
        let sixteen = "ABCDEFGabcdefg12\n".repeat(16);
        assert_eq!(lines(&sixteen, 1).lines().count(), 1);
        let layout = "1...\n..2.\n.3..\n...4\nKeep\nLose\nkeep\nlose\n";
        assert_eq!(
            lines(layout, 2),
            "1 1... ..2. .3.. ...4 Keep Lose keep lose\n"
        );
    }

    #[test]
    fn a_row_of_another_width_belongs_to_its_block() {
        for (drawn, kept) in [
            (
                "1...\n..3\n.3..\n...4\n12\n21\n",
                "1 1... ..3 .3.. ...4\n5 12 21\n",
            ),
            // The first row may be the odd one, and a number may precede it.
            (
                "1..\n..3.\n.3..\n...4\n12\n21\n",
                "1 1.. ..3. .3.. ...4\n5 12 21\n",
            ),
            (
                "12\n1...\n..3.\n.3..\n...4\n",
                "1 12\n2 1... ..3. .3.. ...4\n",
            ),
            ("1...\n..3.\n\n12\n21\n", "1 1... ..3.\n4 12 21\n"),
        ] {
            assert_eq!(lines(drawn, 1), kept, "{drawn:?}");
        }
    }

    #[test]
    fn notes_below_other_headings_are_no_puzzle() {
        let sdk = "[Puzzle]\n1.\n..\n[State]\n12\n..\n[PencilMarks]\n12,1\n1,2\n[Puzzle]\n12\n21\n";
        assert_eq!(lines(sdk, 1), "2 1. ..\n11 12 21\n");
        let answer = EntryForm {
            grids: EntryGrids {
                layout: false,
                answer: true,
            },
            alphabet: Alphabet::default(),
        };
        assert_eq!(lines_of(sdk, &answer), "2 1. .. 12 ..\n11 12 21\n");
    }

    #[test]
    fn borders_may_be_box_drawing_characters() {
        let drawn = "╔══╦══╗\n║1.║..║\n┃..┃3.┃\n╠══╬══╣\n│.3┆..╎\n│..│.4│\n└──┴──┘\nunique\n";
        assert_eq!(lines(drawn, 1), "2 1... ..3. .3.. ...4\n");
    }

    #[test]
    fn a_whole_puzzle_without_blank_lines_is_read_whatever_was_before() {
        let bands = "1...\n..3.\n\n.3..\n...4\n";
        let puzzle = "1...\n..3.\n.3..\n...4\n";
        let both = [" 1... ..3. .3.. ...4\n"; 2];
        for (drawn, first_lines) in [
            (format!("{bands}\n{puzzle}"), [1, 7]),
            (format!("{puzzle}\n{bands}"), [1, 6]),
            (format!("{bands}[Puzzle]\n{puzzle}"), [1, 7]),
        ] {
            let expected = [0, 1].map(|at| format!("{}{}", first_lines[at], both[at]));
            assert_eq!(lines(&drawn, 1), expected.concat(), "{drawn:?}");
        }
        let cut = format!("1...\n..3.\n\n[Puzzle]\n{puzzle}\n{bands}\n{bands}");
        assert_eq!(lines(&cut, 1).lines().count(), 4);
        assert!(lines(&cut, 1).starts_with("1 1... ..3.\n5 1... ..3. .3.. ...4\n"));
    }

    #[test]
    fn a_line_is_read_back() {
        let line = b"17 1... ..3.";
        assert_eq!(split(line), (17, &b"1... ..3."[..]));
        assert!(rows_of(line).eq([&b"1..."[..], b"..3."]));
    }
}
