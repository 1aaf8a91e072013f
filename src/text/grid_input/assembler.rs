//! Assembles lines into entries: decides where entries begin and end, and writes each as one line.

use std::cmp::Reverse;

use super::EntryForm;
use super::line::{DrawnLine, Heading, LineContext};
use crate::rules::{MAX_SIDE, Shape};
use crate::text::record::{without_end, without_mark};

/// A row of symbols.
struct Row {
    /// The number of its line in the source.
    line: u64,
    symbols: Vec<u8>,
}

/// Assembles lines into entries.
///
/// ```text
///     1...      blocks     [2]   heights of the blocks that have ended
///     ..3.
///
///     .3..      in_block    1    rows of the block that is being read
/// ```
#[derive(Default)]
pub struct EntryAssembler {
    form: EntryForm,
    /// Number of lines that have been read.
    lines: u64,
    /// The rows of the entry that is being read.
    rows: Vec<Row>,
    /// True if the rows differ in width, or a title was added to them since the last entry was written. Then they cannot be a
    /// puzzle.
    is_ragged: bool,
    /// Heights of the blocks of the entry that have ended.
    blocks: Vec<usize>,
    /// Number of rows of the entry in the block that is being read.
    in_block: usize,
    /// The spacing of the source as far as it is known.
    spacing: Option<Spacing>,
    /// Number of entries that `end_entry` has ended in the current block since the last call of `end_section`.
    ended_in_block: usize,
    /// True if an entry without a fault began and ended in the current block since the last call of `end_section`.
    has_whole_entry: bool,
    /// The value of `side()` when the last entry was written, 0 before the first. If more rows followed the entry, `side()`
    /// counted them too.
    last_side: usize,
    /// True if a title has been read. Every later title then ends the current entry.
    has_titles: bool,
    /// Number of rows to skip: they follow a heading such as `[PencilMarks]` or `[State]`.
    rows_to_skip: usize,
    /// True if the last line read is a frame.
    below_frame: bool,
    /// The lines of the entries that have ended, until the reader has returned and removed them. For a stream that is compressed
    /// or UTF-16, its beginning.
    pub output: Vec<u8>,
}

/// The height of the blocks in a source: blank lines separate entries, grids, bands or single rows. The program assumes that
/// the blocks of puzzles with other sides are of the same kind.
#[derive(Clone, Copy)]
struct Spacing {
    /// The side of the puzzle from which the spacing was learnt.
    side: usize,
    /// The number of rows of a block in an entry of this side.
    height: usize,
    /// True if an entry of several blocks without a fault had this spacing, or if a block that was exactly one entry without a
    /// fault agreed with the spacing known before. Otherwise the spacing is a guess.
    is_confirmed: bool,
}

impl Spacing {
    /// Returns the height of the blocks in an entry of this side. Blocks of whole grids keep their number of grids. Single rows
    /// keep their height, and so do all blocks if the spacing was learnt from a puzzle of this side. All other blocks are taken
    /// for bands.
    fn block_height(self, side: usize) -> usize {
        if self.height.is_multiple_of(self.side) {
            self.height / self.side * side
        } else if self.side == side || self.height == 1 {
            self.height
        } else {
            box_height(side)
        }
    }
}

impl EntryAssembler {
    pub fn new(form: EntryForm) -> EntryAssembler {
        EntryAssembler {
            form,
            ..EntryAssembler::default()
        }
    }

    /// Reads the next line, given with or without its line end.
    pub fn read_line(&mut self, line: &[u8]) {
        self.lines += 1;
        let below_frame = std::mem::replace(&mut self.below_frame, false);
        let in_entry = !self.rows.is_empty();
        let context = LineContext {
            form: &self.form,
            below_frame,
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
            DrawnLine::Frame => {
                self.below_frame = true;
                // A frame below a frame ends a block, as a blank line does.
                if below_frame {
                    self.end_block();
                }
            }
            DrawnLine::Title(symbols) => self.read_title(symbols),
            DrawnLine::Row(_) if self.rows_to_skip > 0 => self.rows_to_skip -= 1,
            DrawnLine::Row(symbols) => self.add_row(symbols, false),
            DrawnLine::Rows(rows) if self.rows_to_skip > 0 => {
                self.rows_to_skip = self.rows_to_skip.saturating_sub(rows.len());
            }
            DrawnLine::Rows(rows) => self.add_grid(rows),
        }
    }

    /// Returns the side of the current entry: the [`most_common_width`] of its rows. Of equally common widths, `last_side` is
    /// preferred.
    fn side(&self) -> usize {
        let widths = self.rows.iter().map(|row| row.symbols.len());
        most_common_width(widths, self.last_side)
    }

    /// Returns the height of the blocks in an entry of this side, or `None` if the spacing is not known.
    fn block_height(&self, side: usize) -> Option<usize> {
        self.spacing.map(|spacing| spacing.block_height(side))
    }

    fn spacing_is_confirmed(&self) -> bool {
        self.spacing.is_some_and(|spacing| spacing.is_confirmed)
    }

    /// Reads a heading of an .sdk file. Below it is another puzzle, a state of the last puzzle, or notes about it. The heading
    /// ends the entry, and the rows of a state or of notes are skipped. The exception is a state that is the answer which the
    /// entry lacks: its rows are added to the entry.
    fn read_heading(&mut self, heading: Heading) {
        // The entry lacks its answer if it has exactly the rows of its other grids.
        let before_answer = self.side() * (self.form.fields.number_of_grids() - 1);
        let lacks_answer =
            self.form.fields.answer && !self.is_ragged && self.rows.len() == before_answer;
        if heading == Heading::State && lacks_answer && before_answer > 0 {
            return;
        }
        self.end_section();
        // A state or notes have as many rows as the puzzle. Before the first puzzle this number is unknown, so all rows up to the
        // next heading or title are skipped.
        self.rows_to_skip = match (heading, self.last_side) {
            (Heading::Puzzle, _) => 0,
            (_, 0) => usize::MAX,
            (_, side) => side,
        };
    }

    /// Reads a title. It ends the current entry. The only exception is the first title of a source, if the current entry has
    /// rows. Such a title can be a faulty row: it is added as a row or, if the spacing is known, ignored.
    fn read_title(&mut self, symbols: Vec<u8>) {
        let has_titles = std::mem::replace(&mut self.has_titles, true);
        if has_titles || self.rows.is_empty() {
            self.rows_to_skip = 0;
            self.end_section();
        } else if self.spacing.is_none() {
            // The line is a faulty row of this entry, or the title of the next one. The entry has a fault in either case.
            self.add_row(symbols, true);
        }
    }

    /// Adds the rows of a grid on one line. The entry before them ends, unless it has only whole grids of the same side.
    fn add_grid(&mut self, rows: Vec<Vec<u8>>) {
        if self.is_ragged
            || self.side() != rows.len()
            || !self.rows.len().is_multiple_of(rows.len())
        {
            self.end_entry();
        }
        for row in rows {
            self.add_row(row, false);
        }
    }

    /// Adds a row to the entry. If this shows that the first rows belong to an earlier entry, writes these. Ends the entry if it
    /// is complete and agrees with the spacing; if it has several blocks, this confirms the spacing. Also ends an entry that must
    /// have a fault: it has twice the rows of an entry, its side is larger than that of any puzzle, or, while no spacing is
    /// known, it has all its rows but `is_ragged` is true.
    fn add_row(&mut self, symbols: Vec<u8>, is_title: bool) {
        let (line, width) = (self.lines, symbols.len());
        let first = self.rows.first();
        self.is_ragged |= is_title || first.is_some_and(|first| first.symbols.len() != width);
        self.rows.push(Row { line, symbols });
        self.in_block += 1;
        if let Some(earlier) = self.rows_of_earlier_entry(width) {
            self.write_first(earlier);
        }
        let (side, count) = (self.side(), self.rows.len());
        let whole = side * self.form.fields.number_of_grids();
        if count == whole && !self.is_ragged && self.fits_spacing(side) {
            // A single block says nothing about the spacing until the next blank line.
            match &mut self.spacing {
                Some(spacing) if !self.blocks.is_empty() => spacing.is_confirmed = true,
                _ => self.has_whole_entry = true,
            }
            self.end_entry();
            return;
        }
        let cannot_be_whole = count >= whole && self.is_ragged && self.spacing.is_none();
        let is_too_long = count >= 2 * whole;
        let is_too_wide = side > MAX_SIDE;
        if cannot_be_whole || is_too_long || is_too_wide {
            self.end_entry();
        }
    }

    /// Returns how many of the first rows belong to an earlier entry than the last row, which has this width. Returns `None` if
    /// the last row does not show that some do.
    fn rows_of_earlier_entry(&self, width: usize) -> Option<usize> {
        let (count, in_block) = (self.rows.len(), self.in_block);
        let last_rows_have_width = |number: usize| {
            let mut last = self.rows[count - number..].iter();
            last.all(|row| row.symbols.len() == width)
        };
        // The current block is a whole entry. The rows before the block are an entry that lacks rows.
        let is_whole = count > in_block
            && in_block == width * self.form.fields.number_of_grids()
            && last_rows_have_width(in_block);
        // The first two rows of a block have another width than most rows. One row alone could have a fault.
        let is_other_side =
            count > 2 && in_block == 2 && width != self.side() && last_rows_have_width(2);
        if is_whole || is_other_side {
            return Some(count - in_block);
        }
        // The two rows below the first one are equally wide, and the width of the first row differs from theirs by more than 1:
        // the first row is a line before the puzzle, such as its number.
        let is_number = count == 3
            && in_block == 3
            && self.rows[0].symbols.len().abs_diff(width) > 1
            && last_rows_have_width(2);
        is_number.then_some(1)
    }

    /// Returns true if the blocks of an entry that has all its rows agree with the spacing. A single block always does, and so do
    /// all blocks before the spacing is known. An unconfirmed height can be a guess from an entry that lacked rows; if it is
    /// below the side, it can be too small.
    fn fits_spacing(&self, side: usize) -> bool {
        let height = self.block_height(side).filter(|_| !self.blocks.is_empty());
        height.is_none_or(|height| {
            let before = self.rows.len() - self.in_block;
            // The last block can be several blocks that lack the blank lines between them, unless the height can be too small:
            // then it is more likely one block of the true height.
            let can_be_several = (self.spacing_is_confirmed() || height >= side)
                && self.in_block.is_multiple_of(height);
            before == count_blocks(&self.blocks, height) * height
                && (self.in_block <= height || can_be_several)
        })
    }

    /// Ends a block at a blank line or at a frame below a frame. Can set the spacing: if the block is exactly one entry, or if
    /// the spacing is not confirmed. Ends the entry too if it has all its blocks, or if the rows of the block are stray.
    fn end_block(&mut self) {
        let block = std::mem::take(&mut self.in_block);
        let ended = std::mem::take(&mut self.ended_in_block);
        let has_whole_entry = std::mem::take(&mut self.has_whole_entry);
        if self.rows.is_empty() && ended == 1 && has_whole_entry {
            self.learn_that_blocks_are_entries();
        }
        // The block has no rows of the current entry: they belong to entries that have ended, or there were none.
        if block == 0 {
            return;
        }
        let (side, grids) = (self.side(), self.form.fields.number_of_grids());
        let whole = side * grids;
        let height = self.block_height(side).unwrap_or(whole);
        let is_extra = ended > 0 && block < height;
        // The rows of this block are stray, an entry of their own, if they follow an entry that ended in the block and are fewer
        // than `height`, or if the spacing is confirmed and this block, the first of its entry, has less than half that height.
        if is_extra || self.spacing_is_confirmed() && self.blocks.is_empty() && 2 * block < height {
            return self.end_section();
        }
        self.blocks.push(block);
        if !self.spacing_is_confirmed() {
            self.spacing = Some(Spacing {
                side,
                height: likely_height(block, side, grids),
                is_confirmed: false,
            });
        }
        // The new spacing can have another height.
        let height = self.block_height(side).unwrap_or(whole);
        if count_blocks(&self.blocks, height) * height >= whole {
            self.end_section();
        }
    }

    /// Sets the spacing after a block that is exactly one entry: blank lines separate entries. The spacing is confirmed if the
    /// spacing known before gives the same block height for this side.
    fn learn_that_blocks_are_entries(&mut self) {
        let side = self.last_side;
        let height = side * self.form.fields.number_of_grids();
        self.spacing = Some(Spacing {
            side,
            height,
            is_confirmed: self.block_height(side) == Some(height),
        });
    }

    /// Ends the entry at the beginning of another section of the source: at a heading, at a title or after a block. Forgets the
    /// entries that ended in the current block.
    fn end_section(&mut self) {
        self.end_entry();
        self.ended_in_block = 0;
        self.has_whole_entry = false;
    }

    /// Ends the entry and writes its rows, if it has any.
    pub fn end_entry(&mut self) {
        if !self.rows.is_empty() {
            self.ended_in_block += 1;
            self.write_first(self.rows.len());
        }
    }

    /// Writes the first rows as one line: the number of the first row's line, then the rows. The other rows, which are in one
    /// block, become the beginning of the next entry.
    fn write_first(&mut self, count: usize) {
        self.last_side = self.side();
        let number = self.rows[0].line.to_string();
        self.output.extend_from_slice(number.as_bytes());
        for row in self.rows.drain(..count) {
            self.output.push(b' ');
            self.output.extend_from_slice(&row.symbols);
        }
        self.output.push(b'\n');
        self.blocks.clear();
        self.in_block = self.rows.len();
        let mut pairs = self.rows.windows(2);
        self.is_ragged = pairs.any(|pair| pair[0].symbols.len() != pair[1].symbols.len());
    }
}

/// Returns the most common width from 1 to `MAX_SIDE`. Of equally common widths, returns `preferred` if it is one of them, or
/// else the largest. If no width is from 1 to `MAX_SIDE`, returns the largest width, or 0 if there are none.
pub(crate) fn most_common_width(widths: impl Iterator<Item = usize>, preferred: usize) -> usize {
    let mut counts = [0; MAX_SIDE + 1];
    let mut widest = 0;
    for width in widths {
        widest = widest.max(width);
        if let Some(count) = counts.get_mut(width) {
            *count += 1;
        }
    }
    let common = (1..=MAX_SIDE).max_by_key(|&width| (counts[width], width == preferred, width));
    common.filter(|&width| counts[width] > 0).unwrap_or(widest)
}

/// Returns how many blocks of this height the blocks of an entry represent. A block counts as the number of such blocks that is
/// nearest to its rows, and at least as one. Two consecutive blocks that make up the height together count as one: the blank line
/// between them is extra.
///
/// With height 3, the blocks `3 2 3` are three blocks, `3 2 1 3` three and `6 3` three.
fn count_blocks(blocks: &[usize], height: usize) -> usize {
    let (mut count, mut before) = (0, height);
    for &rows in blocks {
        if before < height && before + rows == height {
            before = height;
            continue;
        }
        // Rounds to the nearest number of blocks, but at least one.
        count += ((rows + height / 2) / height).max(1);
        before = rows;
    }
    count
}

/// Returns the height that a block most likely has without a fault. The block has `rows` rows, perhaps with a fault.
///
/// For side 9:
///
/// * 1 row, or another divisor of the side, is taken as it is;
/// * 2 rows are a band that lacks a row;
/// * 6 rows are two bands without the blank line between them;
/// * 8 rows are a grid that lacks a row.
fn likely_height(rows: usize, side: usize, grids: usize) -> usize {
    if side.is_multiple_of(rows) {
        return rows;
    }
    let band = box_height(side);
    if rows < side && rows.is_multiple_of(band) {
        return band;
    }
    let whole_grids = (1..=grids).map(|grids| grids * side);
    // If two heights are equally near, takes the larger one: a missing row is more likely than an extra row.
    let heights = whole_grids.chain([band]);
    let nearest = heights.min_by_key(|&height| (height.abs_diff(rows), Reverse(height)));
    nearest.expect("the band is a height")
}

/// Returns the height of a band in puzzles of this side with the boxes of [`Shape::boxes_of`], or the side itself if there are
/// none.
fn box_height(side: usize) -> usize {
    let boxes = Shape::boxes_of(side).and_then(|shape| shape.boxes);
    boxes.map_or(side, |[rows, _]| rows)
}
