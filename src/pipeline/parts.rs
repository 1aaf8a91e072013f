//! A puzzle with its layout and its cages, as one field of a CSV record. `fields.rs` splits such a
//! field.

use std::borrow::Cow;

use super::options::Options;
use crate::text::forms::csv::CsvHeader;
use crate::text::record::Field;
use crate::text::size::pencilmark_side;

/// A puzzle, its layout and its cages. The last two are empty if the puzzle has none.
pub(super) struct PuzzleParts<'f> {
    pub puzzle: Cow<'f, [u8]>,
    pub regions: Cow<'f, [u8]>,
    pub cages: Cow<'f, [u8]>,
}

impl PuzzleParts<'_> {
    /// Returns `PUZZLE REGIONS CAGES`, with `-` for a part that the puzzle does not have.
    pub fn separated(&self) -> Vec<u8> {
        [
            &self.puzzle,
            or_missing(&self.regions),
            or_missing(&self.cages),
        ]
        .join(&b' ')
    }

    /// Returns the puzzle field of a CSV record, with the layout and the cages for which the header
    /// has no columns. Adds each of the two if the options read it or it is not empty.
    ///
    /// The parts follow each other without a separator if `included` in fields.rs can split them by
    /// their length. Otherwise a space separates them, and the layout, or `-`, precedes cages even
    /// if the header has a column for layouts.
    pub fn joined_for(&self, header: &CsvHeader, options: &Options) -> Cow<'_, [u8]> {
        let expected = options.expected_fields();
        let PuzzleParts {
            puzzle,
            regions,
            cages,
        } = self;
        let adds_regions =
            !header.has_column(Field::Regions) && (expected.regions || !regions.is_empty());
        let adds_cages = !header.has_column(Field::Cages) && (expected.cages || !cages.is_empty());
        if !(adds_regions || adds_cages) {
            return Cow::Borrowed(puzzle);
        }
        // `included` in fields.rs splits a field of three equal parts if the options read both the
        // layout and the cages. It takes the second of two parts for the layout if the options read
        // layouts, otherwise for the cages. So the parts are joined without spaces only if it takes
        // each of them for the field that it is, and each is as long as the puzzle.
        let has_expected_parts = if adds_cages {
            expected.cages && expected.regions == adds_regions
        } else {
            expected.regions
        };
        let regions_fit = !adds_regions || regions.len() == puzzle.len();
        let cages_fit = !adds_cages || cages.len() == puzzle.len();
        if has_expected_parts && regions_fit && cages_fit {
            let regions: &[u8] = if adds_regions { regions } else { b"" };
            let cages: &[u8] = if adds_cages { cages } else { b"" };
            let joined = [puzzle, regions, cages].concat();
            // A 16x16 and its layout have 512 symbols, as the pencilmarks of an 8x8.
            if !options.pencilmarks || pencilmark_side(joined.len()).is_none() {
                return Cow::Owned(joined);
            }
        }
        let mut parts = vec![&**puzzle, or_missing(regions)];
        parts.extend(adds_cages.then(|| or_missing(cages)));
        Cow::Owned(parts.join(&b' '))
    }
}

/// Returns the field, or `-` if it is empty.
fn or_missing(field: &[u8]) -> &[u8] {
    if field.is_empty() { b"-" } else { field }
}
