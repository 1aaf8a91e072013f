//! Gathers grids into records: a puzzle, and the layout and the answer that follow it. If records
//! have no answers, a full grid that solves the puzzle before it is its answer, and no record.

use std::mem::{replace, take};

use super::faults::{self, Fault};
use crate::stream::records::Span;
use crate::text::record::FieldSet;
use crate::text::symbols::Alphabet;

/// The record that can have more grids, and the whole ones since the last cut. The text of a record
/// is its rows, with a space between two of them.
#[derive(Default)]
pub struct DrawnRecords {
    expected: FieldSet,
    digits: Alphabet,
    record: DrawnRecord,
    /// The text of the last record with blank cells, if each record is one grid.
    last_puzzle: Vec<u8>,
    /// The side of the last record, 0 if there is none.
    pub last_side: usize,
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
}

impl DrawnRecords {
    pub fn new(expected: FieldSet, digits: Alphabet) -> DrawnRecords {
        DrawnRecords { expected, digits, ..DrawnRecords::default() }
    }

    /// What follows is a puzzle, whatever is before it.
    pub fn forget_last(&mut self) {
        self.last_side = 0;
        self.last_puzzle.clear();
    }

    pub fn is_at_puzzle(&self) -> bool {
        self.record.rows == 0
    }

    pub fn lacks_answer(&self) -> bool {
        let grids_before = self.expected.number_of_grids() - 1;
        let rows_before = grids_before * self.record.side;
        self.expected.answer && self.record.rows > 0 && self.record.rows == rows_before
    }

    /// If the rows before are not whole grids, that is a fault too.
    pub fn add(
        &mut self,
        number: i64,
        side: usize,
        fault: Option<Fault>,
        rows: impl Iterator<Item = impl Iterator<Item = u8>>,
    ) {
        let has_whole_grids = self.has_whole_grids();
        let record = &mut self.record;
        if record.rows == 0 {
            (record.number, record.side) = (number, side);
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
        if self.has_whole_grids() {
            self.end();
        }
    }

    fn has_whole_grids(&self) -> bool {
        self.record.rows.is_multiple_of(self.record.side.max(1))
    }

    pub fn end(&mut self) {
        let end = self.text.len();
        if self.record.rows == 0 && self.record.fault.is_none() {
            return;
        }
        let next = DrawnRecord { begin: end, ..DrawnRecord::default() };
        let DrawnRecord { begin, number, rows, side, fault } = replace(&mut self.record, next);
        let fault = fault.map(|fault| match fault {
            Fault::Reason(reason) => reason.into(),
            Fault::WrongNumberOfRows => {
                faults::wrong_number_of_rows(rows, side, self.expected).into()
            }
        });
        self.last_side = side;
        self.has_any = true;
        if fault.is_none() && self.is_answer(begin) {
            self.text.truncate(begin);
            self.record.begin = begin;
            return;
        }
        self.spans.push(Span { begin: begin as u32, end: end as u32, line: number, fault });
    }

    /// Returns true if the record from `begin` is a full grid that solves the puzzle before it: it
    /// has the givens of this puzzle (at least one), and no symbol twice in a row.
    fn is_answer(&mut self, begin: usize) -> bool {
        if self.expected.number_of_grids() > 1 {
            return false;
        }
        let is_blank = |symbol: u8| self.digits.digit_of(symbol) == Some(0);
        let grid = &self.text[begin..];
        if grid.iter().any(|&symbol| is_blank(symbol)) {
            self.last_puzzle.clear();
            self.last_puzzle.extend_from_slice(grid);
            return false;
        }
        let is_repeated = |(at, symbol): (usize, &u8), row: &[u8]| row[..at].contains(symbol);
        let has_repeat = |row: &[u8]| row.iter().enumerate().any(|cell| is_repeated(cell, row));
        let cells = || self.last_puzzle.iter().zip(grid);
        grid.len() == self.last_puzzle.len()
            && cells().all(|(&given, &symbol)| given == symbol || is_blank(given))
            && cells().any(|(&given, _)| given != b' ' && !is_blank(given))
            && !grid.split(|&symbol| symbol == b' ').any(has_repeat)
    }

    pub fn cut(&mut self) -> (Vec<u8>, Vec<Span>) {
        let unfinished = self.text.split_off(take(&mut self.record.begin));
        (replace(&mut self.text, unfinished), take(&mut self.spans))
    }
}
