//! Gathers grids into records: a puzzle, and the layout and the answer that follow it. If records
//! have no answers, a full grid that solves a puzzle before it is its answer, and no record, unless
//! nothing but two blank lines or more are above it. So is one that solves the puzzle below it if
//! text without two blank lines is between them, as in the test of a program.
//!
//! If a record is a puzzle and its answer, titles and other puzzles can be between them:
//!
//! ```text
//!     PUZZLE 1   PUZZLE 2   SOLUTION 1   SOLUTION 2
//!                PUZZLE 1 waits
//!                           solves PUZZLE 1, the record before that of PUZZLE 2
//!                                        completes the record of PUZZLE 2
//! ```

use std::mem::{replace, take};
use std::ops::Range;

use super::faults::{self, Fault, Remark};
use super::waiting::{WaitingPuzzle, WaitingPuzzles};
use crate::stream::records::Span;
use crate::text::record::FieldSet;
use crate::text::rule_names;
use crate::text::symbols::Alphabet;
use engine::rules::a_puzzle;

/// The record that can have more grids, and the whole ones since the last cut. The text of a record
/// is its rows, with a space between two of them.
#[derive(Default)]
pub struct DrawnRecords {
    expected: FieldSet,
    record: DrawnRecord,
    /// If each record is one grid, the puzzles before it. If it is a puzzle and its answer, those
    /// without an answer before the record.
    waiting: WaitingPuzzles,
    /// True if a title is between the puzzle of the record and what follows.
    is_after_title: bool,
    gap: Gap,
    /// A full grid that can be the answer of the record, which follows it in the text.
    full: Option<Span>,
    /// The side of the last record, 0 if there is none.
    pub last_side: usize,
    /// The largest side of the grids that were on one line.
    line_side: usize,
    /// The remark about the next grid.
    remark: Option<Remark>,
    pub has_any: bool,
    text: Vec<u8>,
    /// Their lines count from the beginning of the source.
    spans: Vec<Span>,
}

/// The grids of a record, or the rows with a fault.
#[derive(Default)]
struct DrawnRecord {
    /// The index of its text.
    begin: usize,
    /// The number of lines before the first row.
    number: i64,
    rows: usize,
    /// The side of the first grid.
    side: usize,
    fault: Option<Fault>,
    remark: Option<Remark>,
    above: Gap,
}

/// Returns the span of the record in the bytes `range` of the text.
fn span(
    range: Range<usize>,
    line: i64,
    side: usize,
    fault: Option<Box<str>>,
    remark: Option<Remark>,
) -> Span {
    let (fault, remark) = match remark {
        None => (fault, None),
        Some(Remark::Unusual(remark)) => (fault, Some(remark)),
        Some(Remark::Unread(reason)) => (fault.or(Some(reason)), None),
    };
    let (begin, end, rows_per_field) = (range.start as u32, range.end as u32, side as u32);
    Span { begin, end, line, rows_per_field, fault, remark }
}

/// The lines between the last grid and the next one, apart from borders.
#[derive(Clone, Copy, Default)]
struct Gap {
    has_text: bool,
    /// Two or more, one after the other.
    has_blank_lines: bool,
}

impl DrawnRecords {
    pub fn new(expected: FieldSet, digits: Alphabet) -> DrawnRecords {
        let waiting = WaitingPuzzles::new(digits);
        DrawnRecords { expected, waiting, ..DrawnRecords::default() }
    }

    /// What follows is a puzzle, whatever is before it.
    pub fn forget_last(&mut self) {
        self.last_side = 0;
        self.end_waiting();
        self.waiting.clear();
    }

    /// Two blank lines follow each other.
    pub fn read_blank_lines(&mut self) {
        self.gap.has_blank_lines = true;
    }

    /// The next grid is on one line. It is perhaps cut short if it is smaller than one before.
    pub fn read_line_of(&mut self, side: usize) {
        let largest = self.line_side;
        let remark =
            || format!("{} after {largest}x{largest} puzzles; is it cut short?", a_puzzle(side));
        if side < largest {
            self.remark = Some(Remark::Unusual(remark().into()));
        }
        self.line_side = largest.max(side);
    }

    /// Text before the next grid, or beside it, names this rule, which its run does not have.
    pub fn read_rule(&mut self, name: &str) {
        // Cages are not read from drawings.
        let adds = match rule_names::is_variant(name) && name != "killer" {
            true => format!("--variant {name} adds it, "),
            false => String::new(),
        };
        let reason = format!(
            "text names the rule {name}, which is not read; {adds}--variant classic leaves it out"
        );
        self.remark = Some(Remark::Unread(reason.into()));
    }

    pub fn is_at_puzzle(&self) -> bool {
        self.record.rows == 0
    }

    pub fn lacks_answer(&self) -> bool {
        let grids_before = self.expected.number_of_grids() - 1;
        let rows_before = grids_before * self.record.side;
        self.expected.answer && self.record.rows > 0 && self.record.rows == rows_before
    }

    /// True if a record is a puzzle and its answer.
    fn are_pairs(&self) -> bool {
        self.expected.answer && !self.expected.regions
    }

    /// Adds the rows of a grid, or of several with a fault.
    pub fn add(
        &mut self,
        number: i64,
        side: usize,
        fault: Option<Fault>,
        rows: impl Iterator<Item = impl Iterator<Item = u8>>,
    ) {
        if fault.is_some() && self.is_after_title {
            self.end();
        }
        if fault.is_some() || !self.are_pairs() {
            return self.add_rows(number, side, fault, rows);
        }
        let rows: Vec<Vec<u8>> = rows.map(Iterator::collect).collect();
        if !self.is_answer_of_waiting(&rows.join(&b' ')) {
            self.add_rows(number, side, fault, rows.into_iter().map(Vec::into_iter));
        }
    }

    /// Returns true, and adds the record, if a grid solves a puzzle that waits. If it cannot be the
    /// answer of the puzzle before it, this puzzle waits from now on. A full grid below it can be a
    /// wrong answer.
    fn is_answer_of_waiting(&mut self, grid: &[u8]) -> bool {
        let is_after_title = take(&mut self.is_after_title);
        let is_full = self.waiting.is_full(grid);
        // A grid with blank cells below a damaged puzzle is the next puzzle.
        if self.record.fault.is_some() && !is_full {
            self.end();
        }
        let puzzle = &self.text[self.record.begin..];
        let has_puzzle = self.record.fault.is_none() && self.lacks_answer();
        let can_be_answer = match is_after_title && !is_full {
            true => self.waiting.has_givens(puzzle, grid),
            false => !self.waiting.is_other(puzzle, grid),
        };
        if has_puzzle && can_be_answer {
            return false;
        }
        if is_full && self.waiting.answer(grid) {
            // In the order of the puzzles.
            while let Some(puzzle) = self.waiting.pop_answered() {
                self.add_before(puzzle);
            }
            self.remark = None;
            return true;
        }
        if has_puzzle && (is_after_title || !is_full || !self.waiting.is_empty()) {
            self.keep_waiting();
        }
        false
    }

    /// The puzzle of the record waits for its answer.
    fn keep_waiting(&mut self) {
        let text = self.text.split_off(self.record.begin);
        let next = DrawnRecord { begin: self.text.len(), ..DrawnRecord::default() };
        let DrawnRecord { number, side, remark, .. } = replace(&mut self.record, next);
        let puzzle = WaitingPuzzle { number, side, text, answer: None, remark };
        if let Some(first) = self.waiting.push(puzzle) {
            self.add_before(first);
        }
    }

    /// Adds a record before the one that is not complete.
    fn add_before(&mut self, puzzle: WaitingPuzzle) {
        let mut text = puzzle.text;
        if let Some(answer) = puzzle.answer {
            text.push(b' ');
            text.extend(answer);
        }
        let begin = self.record.begin;
        self.record.begin += text.len();
        self.text.splice(begin..begin, text);
        let range = begin..self.record.begin;
        self.spans.push(span(range, puzzle.number, puzzle.side, None, puzzle.remark));
    }

    /// Puzzles before an answered one have no answer.
    fn end_waiting(&mut self) {
        while self.are_pairs()
            && let Some(puzzle) = self.waiting.pop_first()
        {
            self.add_before(puzzle);
        }
    }

    /// If the rows before are not whole grids, that is a fault too.
    fn add_rows(
        &mut self,
        number: i64,
        side: usize,
        fault: Option<Fault>,
        rows: impl Iterator<Item = impl Iterator<Item = u8>>,
    ) {
        let has_whole_grids = self.has_whole_grids();
        let fault = match fault {
            Some(Fault::Reason(reason)) if self.are_pairs() && self.lacks_answer() => {
                Some(Fault::Reason(format!("the answer on line {}: {reason}", number + 1)))
            }
            fault => fault,
        };
        let (above, remark) = (take(&mut self.gap), self.remark.take());
        let record = &mut self.record;
        if record.rows == 0 {
            (record.number, record.side, record.above) = (number, side, above);
            record.remark = remark;
        } else if !has_whole_grids && !matches!(record.fault, Some(Fault::Reason(_))) {
            let reason = format!("a blank line after row {}, within a grid", record.rows);
            record.fault = Some(Fault::Reason(reason));
        }
        record.fault = record.fault.take().or(fault);
        for row in rows {
            if record.rows > 0 {
                self.text.push(b' ');
            }
            record.rows += 1;
            self.text.extend(row);
        }
        // The record is complete if it needs no grid after the puzzle, has all its grids, or has
        // less than half of one.
        let (side, count) = (self.record.side.max(1), self.record.rows);
        let expected = self.expected.number_of_grids();
        // The rows of a faulty run count as the nearest number of grids: `count / side`, rounded;
        // half a grid is rounded down.
        let grids = (count + (side - 1) / 2) / side;
        if expected == 1 || grids >= expected || 2 * count < side {
            self.end();
        }
    }

    /// Ends a record that lacks a grid, if grids of another side follow.
    pub fn end_before_side(&mut self, side: usize) {
        if side != self.record.side {
            self.end();
        }
    }

    /// Ends the record at text. Within a grid, such text is a fault of the record, and more of its
    /// rows can follow.
    pub fn end_at_title(&mut self) {
        self.gap.has_text = true;
        if self.are_pairs() && self.lacks_answer() && self.record.fault.is_none() {
            self.is_after_title = true;
        } else if self.has_whole_grids() {
            self.end();
        }
    }

    fn has_whole_grids(&self) -> bool {
        self.record.rows.is_multiple_of(self.record.side.max(1))
    }

    /// True if a record that begins after this many lines, and is not yet cut, has a fault.
    pub fn have_fault_at(&self, number: i64) -> bool {
        self.spans.iter().any(|span| span.line == number && span.fault.is_some())
    }

    pub fn end_source(&mut self) {
        self.end();
        self.end_waiting();
        self.spans.extend(self.full.take());
    }

    pub fn end(&mut self) {
        self.is_after_title = false;
        if self.record.rows == 0 && self.record.fault.is_none() {
            return;
        }
        self.end_waiting();
        let end = self.text.len();
        let next = DrawnRecord { begin: end, ..DrawnRecord::default() };
        let DrawnRecord { begin, number, rows, side, fault, remark, above } =
            replace(&mut self.record, next);
        let fault = fault.map(|fault| match fault {
            Fault::Reason(reason) => reason.into(),
            Fault::WrongNumberOfRows => {
                faults::wrong_number_of_rows(rows, side, self.expected).into()
            }
        });
        self.last_side = side;
        self.has_any = true;
        let is_grid = fault.is_none() && self.expected.number_of_grids() == 1;
        let span = span(begin..end, number, side, fault, remark);
        match is_grid {
            true => self.end_grid(span, above),
            false => self.spans.extend(self.full.take().into_iter().chain([span])),
        }
    }

    /// Ends a record that is only a grid.
    fn end_grid(&mut self, mut span: Span, above: Gap) {
        let begin = span.begin as usize;
        let grid = &self.text[begin..];
        let is_full = self.waiting.is_full(grid);
        let is_apart = above.has_blank_lines && !above.has_text;
        if is_full && !is_apart && self.waiting.have_solution(grid) {
            self.text.truncate(begin);
            self.record.begin = begin;
            return;
        }
        let full = self.full.take();
        if is_full {
            self.spans.extend(full);
            self.full = Some(span);
            return;
        }
        let (number, side, text) = (span.line, span.rows_per_field as usize, grid.to_vec());
        self.waiting.push(WaitingPuzzle { number, side, text, answer: None, remark: None });
        if let Some(full) = full {
            let is_below_text = above.has_text && !above.has_blank_lines;
            let answer = &self.text[full.begin as usize..begin];
            if is_below_text && self.waiting.is_solution(grid, answer) {
                self.text.drain(full.begin as usize..begin);
                self.record.begin = self.text.len();
                (span.begin, span.end) = (full.begin, self.text.len() as u32);
            } else {
                self.spans.push(full);
            }
        }
        self.spans.push(span);
    }

    pub fn cut(&mut self) -> (Vec<u8>, Vec<Span>) {
        let begin = self.full.as_ref().map_or(self.record.begin, |full| full.begin as usize);
        self.record.begin -= begin;
        if let Some(full) = &mut self.full {
            (full.begin, full.end) = (0, full.end - begin as u32);
        }
        let unfinished = self.text.split_off(begin);
        (replace(&mut self.text, unfinished), take(&mut self.spans))
    }
}
