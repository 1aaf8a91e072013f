//! Assembles lines into entries: decides where entries begin and end, and writes each as one line.

use super::EntryForm;
use super::entry::{DrawnEntry, Row};
use super::line::{Context, DrawnLine, Heading, LineAbove};
use super::spacing::{LearntSpacing, Spacing, count_blocks};
use crate::rules::MAX_SIDE;
use crate::text::record::{without_end, without_mark};

/// Assembles lines into entries.
pub struct EntryAssembler {
    form: EntryForm,
    /// Number of lines that have been read.
    lines: u64,
    entry: DrawnEntry,
    spacing: LearntSpacing,
    /// Number of entries that ended in the current block.
    ended_in_block: usize,
    /// True if an entry without a fault began and ended in the current block.
    has_whole_entry: bool,
    /// The side of the last entry, 0 before the first.
    last_side: usize,
    /// True if a title has been read. Then this source has titles between its entries.
    has_titles: bool,
    /// Number of rows to skip: they follow a heading such as `[PencilMarks]`.
    rows_to_skip: usize,
    above: LineAbove,
    /// The lines of the entries that have ended.
    pub output: Vec<u8>,
}

impl EntryAssembler {
    pub fn new(form: EntryForm) -> EntryAssembler {
        EntryAssembler {
            form,
            lines: 0,
            entry: DrawnEntry::default(),
            spacing: LearntSpacing::new(),
            ended_in_block: 0,
            has_whole_entry: false,
            last_side: 0,
            has_titles: false,
            rows_to_skip: 0,
            above: LineAbove::Other,
            output: Vec::new(),
        }
    }

    /// Reads the next line, given with or without its line end.
    pub fn read_line(&mut self, line: &[u8]) {
        self.lines += 1;
        let above = std::mem::replace(&mut self.above, LineAbove::Other);
        let in_entry = !self.entry.rows.is_empty();
        let context = Context {
            form: &self.form,
            above,
            in_entry,
            side: if in_entry {
                self.side()
            } else {
                self.last_side
            },
        };
        match DrawnLine::parse(without_mark(without_end(line)), &context) {
            DrawnLine::Ignored => {}
            DrawnLine::Heading(heading) => self.read_heading(heading),
            DrawnLine::Blank => self.end_block(),
            DrawnLine::Frame => self.read_frame(above),
            DrawnLine::Status => self.read_status(above),
            DrawnLine::Title(symbols) => self.read_title(symbols),
            DrawnLine::Row(_) if self.rows_to_skip > 0 => self.rows_to_skip -= 1,
            DrawnLine::Row(symbols) => self.add_row(symbols, false),
        }
    }

    fn grids(&self) -> usize {
        self.form.grids.count()
    }

    /// Returns the side of the current entry, 0 if it has no rows.
    fn side(&self) -> usize {
        self.entry.side(self.last_side)
    }

    /// Reads a frame. A frame below a frame begins another grid.
    fn read_frame(&mut self, above: LineAbove) {
        self.above = match above {
            LineAbove::LastRow => LineAbove::FrameBelowEntry,
            _ => LineAbove::Frame,
        };
        if matches!(above, LineAbove::FrameBelowEntry | LineAbove::Frame) {
            self.end_block();
        }
    }

    /// Reads a status. It ends a puzzle that lacks rows, but in an entry of several grids it can be below any of them.
    fn read_status(&mut self, above: LineAbove) {
        if above == LineAbove::Frame && self.grids() == 1 {
            self.end_section();
        }
    }

    /// Reads a heading of an .sdk file: another puzzle follows, or notes of a program about the last one.
    fn read_heading(&mut self, heading: Heading) {
        if heading == Heading::Puzzle {
            self.rows_to_skip = 0;
            return self.end_section();
        }
        // The state of a puzzle is its answer, if the entry lacks only that.
        let before_answer = self.side() * (self.grids() - 1);
        let lacks_answer = self.form.grids.answer
            && !self.entry.is_ragged
            && self.entry.rows.len() == before_answer;
        if heading == Heading::State && lacks_answer && before_answer > 0 {
            return;
        }
        self.end_section();
        self.rows_to_skip = match self.last_side {
            0 => usize::MAX,
            side => side,
        };
    }

    /// Reads a title. It ends the current entry, except that the first title of a source can be a stray line in an entry.
    fn read_title(&mut self, symbols: Vec<u8>) {
        let has_titles = std::mem::replace(&mut self.has_titles, true);
        if has_titles || self.entry.rows.is_empty() {
            self.rows_to_skip = 0;
            self.end_section();
        } else if self.spacing.spacing == Spacing::Unknown {
            // It replaces a lost row, or precedes the next entry. The rows after it decide which.
            self.add_row(symbols, true);
        }
    }

    fn add_row(&mut self, symbols: Vec<u8>, is_title: bool) {
        let line = self.lines;
        self.entry.push(Row { line, symbols }, is_title);
        let (side, grids) = (self.side(), self.grids());
        if let Some(earlier) = self.entry.rows_of_earlier_entry(side, grids) {
            self.write_first(earlier);
            self.entry.in_block = self.entry.rows.len();
        }
        let side = self.side();
        let whole = side * grids;
        let count = self.entry.rows.len();
        let is_ragged = self.entry.is_ragged;
        if count == whole && !is_ragged && self.spacing.fits(&self.entry, side) {
            self.above = LineAbove::LastRow;
            self.learn_from_whole_entry();
            self.end_entry();
        } else if count >= whole && is_ragged && self.spacing.block_height(side).is_none()
            || count >= 2 * whole
            || side > MAX_SIDE
        {
            self.end_entry();
        }
    }

    /// Updates the spacing from an entry that has all its rows.
    fn learn_from_whole_entry(&mut self) {
        if !self.entry.blocks.is_empty() {
            self.spacing.confirm(self.side());
        } else if self.ended_in_block > 1 && !self.spacing.is_confirmed() {
            // The third entry in this block. Two entries could be a puzzle and a stray row.
            self.spacing.spacing = Spacing::Nothing;
        } else {
            self.has_whole_entry = true;
        }
    }

    /// Ends a block at a blank line. Ends the entry too if it has all its blocks.
    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.entry.in_block);
        let ended = std::mem::take(&mut self.ended_in_block);
        let has_whole_entry = std::mem::take(&mut self.has_whole_entry);
        if self.entry.rows.is_empty() {
            if ended == 1 && has_whole_entry {
                self.spacing.learn_block_of_entry(self.grids());
            }
            return;
        }
        let (side, grids) = (self.side(), self.grids());
        // No row of the block has the width of the entry, or there is no row at all: a number, or a second blank line.
        let is_stray = self.entry.last_rows_lack(block, side);
        if self.spacing.spacing == Spacing::Nothing || is_stray {
            return;
        }
        let whole = side * grids;
        let height = self.spacing.block_height(side);
        if ended > 0 && block < height.unwrap_or(whole) {
            // The rows are extra rows of the entry that ended in this block.
            if self.spacing.spacing == Spacing::Unknown {
                self.spacing.spacing = Spacing::Grids(grids);
            }
            return self.end_section();
        }
        if self.spacing.is_confirmed()
            && self.entry.blocks.is_empty()
            && height.is_some_and(|height| 2 * block < height)
        {
            // Less than half of a first block: stray rows between two entries.
            return self.end_section();
        }
        self.entry.blocks.push(block);
        if !self.spacing.is_confirmed() && self.spacing.guess(&self.entry.blocks, side, grids) {
            self.write_first(self.entry.rows.len() - block);
            self.entry.blocks.push(block);
        }
        let height = self.spacing.block_height(side).unwrap_or(whole);
        if count_blocks(&self.entry.blocks, height) * height >= whole {
            if self.entry.rows.len() != whole {
                self.spacing.doubt();
            }
            self.end_section();
        }
    }

    /// Ends the entry at the beginning of another section of the source: a heading, a title or a blank line. Restarts the count
    /// of entries in the block.
    fn end_section(&mut self) {
        self.end_entry();
        self.ended_in_block = 0;
        self.has_whole_entry = false;
    }

    /// Ends the entry and writes its rows, if it has any.
    pub fn end_entry(&mut self) {
        if !self.entry.rows.is_empty() {
            self.ended_in_block += 1;
            self.last_side = self.side();
            self.entry
                .write_first(self.entry.rows.len(), &mut self.output);
        }
        self.entry = DrawnEntry::default();
    }

    /// Writes the first rows as an entry of their own. The other rows, which are in one block, stay.
    fn write_first(&mut self, count: usize) {
        self.last_side = self.side();
        self.entry.write_first(count, &mut self.output);
        self.entry.restart();
    }
}
