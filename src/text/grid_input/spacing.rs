//! The spacing of a source: blank lines separate its entries, grids or bands. The spacing is guessed from the first block, and
//! confirmed by entries without a fault.

use super::entry::DrawnEntry;
use crate::rules::Shape;

/// The parts of a source that blank lines separate. A spacing applies to puzzles of every side, because the puzzles of a
/// source can differ in size.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Spacing {
    /// Nothing is known.
    Unknown,
    /// Nothing: entries follow each other without blank lines. A blank line has no meaning.
    Nothing,
    /// Blocks of this number of grids: all grids of an entry, or one grid each.
    Grids(usize),
    /// Bands of this height, in puzzles of this side.
    Bands { side: usize, height: usize },
}

/// The spacing of a source as far as it is known.
pub struct LearntSpacing {
    pub spacing: Spacing,
    /// Number of entries that can contradict the spacing before it is guessed anew. 0 if it is only a guess.
    trust: u8,
}

/// The trust in a confirmed spacing. The first entry that contradicts it does not change it, the second makes it a guess again.
const CONFIRMED: u8 = 2;

impl LearntSpacing {
    pub fn new() -> LearntSpacing {
        LearntSpacing {
            spacing: Spacing::Unknown,
            trust: 0,
        }
    }

    pub fn is_confirmed(&self) -> bool {
        self.trust > 0
    }

    /// Records an entry that contradicts the spacing.
    pub fn doubt(&mut self) {
        self.trust = self.trust.saturating_sub(1);
    }

    /// Records an entry without a fault that has several blocks.
    pub fn confirm(&mut self, side: usize) {
        self.trust = match self.block_height(side) {
            Some(_) => CONFIRMED,
            None => 0,
        };
    }

    /// Records a block that was exactly one entry. A second one confirms that blank lines separate entries.
    pub fn learn_block_of_entry(&mut self, grids: usize) {
        let entries = Spacing::Grids(grids);
        self.trust = match self.spacing == entries {
            true => CONFIRMED,
            false => 0,
        };
        self.spacing = entries;
    }

    /// Returns the height of the blocks in an entry of this side.
    pub fn block_height(&self, side: usize) -> Option<usize> {
        match self.spacing {
            Spacing::Unknown | Spacing::Nothing => None,
            Spacing::Grids(grids) => Some(grids * side),
            Spacing::Bands { side: of, height } if of == side || height == 1 => Some(height),
            Spacing::Bands { .. } => Some(box_height(side)),
        }
    }

    /// Returns true if the blocks of an entry that has all its rows agree with the spacing. A single block always does.
    pub fn fits(&self, entry: &DrawnEntry, side: usize) -> bool {
        let height = self.block_height(side).filter(|_| !entry.blocks.is_empty());
        height.is_none_or(|height| {
            let before = entry.rows.len() - entry.in_block;
            // The last block can be several blocks without the blank lines between them. But if a band height is only a
            // guess, the entry from which it was guessed can lack rows.
            let can_be_several =
                (self.trust > 0 || height >= side) && entry.in_block.is_multiple_of(height);
            before == count_blocks(&entry.blocks, height) * height
                && (entry.in_block <= height || can_be_several)
        })
    }

    /// Guesses the spacing from the block that has just ended, the last of `blocks`. Returns true if that block does not
    /// belong to the same entry as the blocks before it.
    pub fn guess(&mut self, blocks: &[usize], side: usize, grids: usize) -> bool {
        let Some((&block, earlier)) = blocks.split_last() else {
            return false;
        };
        // One row more or less is a fault of the entry.
        if self
            .block_height(side)
            .is_some_and(|height| height.abs_diff(block) <= 1)
        {
            return false;
        }
        let height = likely_height(block, side, grids);
        self.spacing = match height.is_multiple_of(side) {
            true => Spacing::Grids(height / side),
            false => Spacing::Bands { side, height },
        };
        earlier.iter().any(|&rows| rows.abs_diff(height) > 1)
    }
}

/// Returns how many blocks of this height the blocks of an entry represent. A block that lacks a row or has an extra one
/// counts as one. Two blocks that make up the height together count as one: the blank line between them is extra.
///
/// With height 3, the blocks `3 2 3` are three blocks, `3 2 1 3` three and `6 3` three.
pub fn count_blocks(blocks: &[usize], height: usize) -> usize {
    let (mut count, mut before) = (0, height);
    for &rows in blocks {
        if before < height && before + rows == height {
            before = height;
            continue;
        }
        count += ((rows + height / 2) / height).max(1);
        before = rows;
    }
    count
}

/// Returns the height that a block of `rows` rows most likely has without its fault.
///
/// For side 9:
///
/// * 2 rows are a band that lacks a row;
/// * 3 rows are a band;
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
    let heights = whole_grids.chain([1, band]);
    // Of two heights that are equally near the larger one: a missing row is more likely than an extra row.
    let nearest = heights.min_by_key(|height| (height.abs_diff(rows), usize::MAX - height));
    nearest.unwrap_or(side)
}

/// Returns the height of a band in puzzles of this side, or the side itself if they have no boxes.
fn box_height(side: usize) -> usize {
    match Shape::boxes_of(side) {
        Some(Shape::Boxes { rows, .. }) => rows,
        _ => side,
    }
}
