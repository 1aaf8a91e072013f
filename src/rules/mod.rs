//! The constraints of a puzzle as data: houses, groups, pairs of cells, and the crossings between houses. The
//! deductions are in `solver/` and `pencil/`.

mod crossings;
mod extra;
mod house;
mod implied;
mod layout;
mod pair;
mod place;
mod variants;

use std::ops::Range;
use std::sync::OnceLock;

pub use crossings::Crossing;
use crossings::crossings;
pub use house::{House, HouseName};
pub use layout::Shape;
use layout::{are_nine_boxes, rows_and_columns};
pub use pair::{Pair, Relation};
pub use place::{MAX_SIDE, Place};
pub(crate) use place::{a_puzzle, pluralize};
pub use variants::{Variant, Variants};

/// The constraints of a grid of N rows, N columns and N digits.
///
/// Cells are numbered along the rows from 0. Build one value per layout and share it between puzzles.
///
/// ```
/// use sudoku_filter::{Rules, Shape, Variants};
///
/// let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &Variants::default()).unwrap();
/// assert_eq!(rules.houses().len(), 27);
/// ```
#[derive(Debug)]
pub struct Rules {
    side: usize,
    houses: Vec<House>,
    groups: Vec<House>,
    pairs: Vec<Pair>,
    /// Computed on first use, because most layouts never need them.
    crossings: OnceLock<Vec<Crossing>>,
    /// Computed on first use.
    implied: OnceLock<Vec<House>>,
    /// Number of boxes and jigsaw regions. Their houses follow the rows and columns.
    region_count: usize,
    has_bands: bool,
}

impl Rules {
    /// Builds the rules of a grid with `side` rows and columns, the boxes or regions of `shape`, and the constraints of
    /// `variants`.
    ///
    /// # Errors
    /// Returns a message for the user if the layout is invalid or if a variant does not exist for this side. The
    /// message names the label, count or cell at fault.
    ///
    /// # Panics
    /// Panics if `side` is not in `1..=MAX_SIDE`.
    pub fn new(side: usize, shape: Shape<'_>, variants: &Variants) -> Result<Rules, String> {
        assert!((1..=MAX_SIDE).contains(&side), "sides are 1 to {MAX_SIDE}");
        let mut houses = rows_and_columns(side);
        houses.extend(shape.houses(side)?);
        let region_count = houses.len() - 2 * side;
        let mut pairs = Vec::new();
        for variant in variants.iter() {
            let boxes = shape.has_boxes().then(|| &houses[2 * side..3 * side]);
            houses.extend(variant.houses(side, boxes)?);
            pairs.extend(variant.pairs(side));
        }
        // Grids with both boxes and jigsaw regions go to the solver for regions: each line can have its own layout.
        let has_bands = region_count == side && are_nine_boxes(side, &houses[2 * side..3 * side]);
        Ok(Rules {
            side,
            houses,
            groups: Vec::new(),
            pairs,
            crossings: OnceLock::new(),
            implied: OnceLock::new(),
            region_count,
            has_bands,
        })
    }

    /// Adds the user's own groups: one symbol per cell along the rows, `.` for cells without a group.
    ///
    /// Cells with the same symbol hold different digits. A group of N cells is a house.
    ///
    /// # Errors
    /// Returns a message for the user if the number of symbols is not N² or if a symbol is not allowed. A group of more
    /// than N cells is an error too.
    ///
    /// ```
    /// use sudoku_filter::{Rules, Shape, Variants};
    ///
    /// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
    /// let rules = rules.with_extra(b"A..BA..BA...A...").unwrap();
    /// assert_eq!(rules.houses()[12].cells, [0, 4, 8, 12]);
    /// assert_eq!(rules.groups()[0].cells, [3, 7]);
    /// ```
    pub fn with_extra(mut self, symbols: &[u8]) -> Result<Rules, String> {
        for group in extra::groups(self.side, symbols)? {
            match group.cells.len() {
                number if number == self.side => self.houses.push(group),
                _ => self.groups.push(group),
            }
        }
        self.crossings.take();
        self.implied.take();
        Ok(self)
    }

    /// Returns N, the number of rows, columns and digits.
    #[must_use]
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the number of cells, N².
    #[must_use]
    pub fn cells(&self) -> usize {
        self.side * self.side
    }

    /// Returns all houses: N rows, N columns, N boxes, N jigsaw regions, then the houses of the variants.
    ///
    /// A grid without boxes or without jigsaw regions skips them.
    #[must_use]
    pub fn houses(&self) -> &[House] {
        &self.houses
    }

    /// Returns the groups: sets of fewer than N cells whose digits all differ. The cells of a group ascend.
    #[must_use]
    pub fn groups(&self) -> &[House] {
        &self.groups
    }

    /// Returns the pairs of cells that must not hold certain digits together.
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// Returns the pairs of houses where locked candidates apply.
    ///
    /// If [`Rules::has_bands`] is true, the list omits crossings among rows, columns and boxes, because the band solver
    /// handles them itself.
    #[must_use]
    pub fn crossings(&self) -> &[Crossing] {
        self.crossings.get_or_init(|| {
            let omitted = if self.has_bands { 3 * self.side } else { 0 };
            crossings(self.side, &self.houses, omitted)
        })
    }

    /// Returns the houses that follow from the houses of the variants.
    ///
    /// A grid that satisfies all other rules satisfies these too, so only deductions need them.
    #[must_use]
    pub fn implied(&self) -> &[House] {
        self.implied
            .get_or_init(|| implied::houses(self.side, &self.houses[self.extra_houses()]))
    }

    /// Returns the houses that follow from the houses of the variants and from jigsaw regions in addition to boxes.
    ///
    /// Only valid for the layout of these rules. Lanes with layouts of their own need [`Rules::implied`].
    pub(crate) fn implied_with_regions(&self) -> Vec<House> {
        implied::houses(self.side, &self.houses[3 * self.side..])
    }

    /// Returns the indices of the N jigsaw regions, or of the N boxes if there are no jigsaw regions.
    #[must_use]
    pub fn regions(&self) -> Range<usize> {
        let end = 2 * self.side + self.region_count;
        end - self.side..end
    }

    /// Returns the indices of the extra houses: all except rows, columns, boxes and jigsaw regions.
    #[must_use]
    pub fn extra_houses(&self) -> Range<usize> {
        self.regions().end..self.houses.len()
    }

    /// Returns true if rows, columns, boxes and jigsaw regions are the only constraints.
    pub(crate) fn has_no_extra_constraints(&self) -> bool {
        self.extra_houses().is_empty() && self.groups.is_empty() && self.pairs.is_empty()
    }

    /// Returns the extra houses, then the houses that follow from them.
    pub(crate) fn extra_and_implied_houses(&self) -> impl Iterator<Item = &House> {
        self.houses[self.extra_houses()]
            .iter()
            .chain(self.implied())
    }

    /// Returns all houses except jigsaw regions. Every line shares them; the jigsaw regions can differ from line to
    /// line.
    pub(crate) fn houses_without_regions(&self) -> impl Iterator<Item = &House> {
        let is_region = |house: &&House| matches!(house.name, HouseName::Region(_));
        self.houses.iter().filter(move |house| !is_region(house))
    }

    /// Returns true if there are jigsaw regions, with or without boxes.
    #[must_use]
    pub fn has_regions(&self) -> bool {
        matches!(self.houses[self.regions().start].name, HouseName::Region(_))
    }

    /// Returns true if a full grid satisfies all houses, groups and pairs. `digits` holds one digit from 1 to N per
    /// cell.
    pub(crate) fn hold_for(&self, digits: &[u8]) -> bool {
        let mut sets = self.houses.iter().chain(&self.groups);
        sets.all(|set| set.all_differ(digits)) && self.pairs_hold_for(digits)
    }

    /// Returns true if no pair of cells holds two digits that the pair forbids.
    fn pairs_hold_for(&self, digits: &[u8]) -> bool {
        self.pairs.iter().fold(true, |hold, pair| {
            let [a, b] = pair.cells.map(|cell| digits[usize::from(cell)]);
            hold & !pair.relation.forbids(a, b)
        })
    }

    /// Returns true if the grid is a 9x9 whose only regions are the nine 3x3 boxes, so that it divides into bands and
    /// stacks.
    #[must_use]
    pub fn has_bands(&self) -> bool {
        self.has_bands
    }

    /// Returns, for each cell, the indices of the houses that contain it.
    #[must_use]
    pub fn houses_of_cells(&self) -> Vec<Vec<u16>> {
        let mut houses_of = vec![Vec::new(); self.cells()];
        for (index, house) in self.houses.iter().enumerate() {
            for &cell in &house.cells {
                houses_of[usize::from(cell)].push(index as u16);
            }
        }
        houses_of
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn rules_of(side: usize, variants: &str) -> Result<Rules, String> {
        Rules::new(
            side,
            Shape::boxes_of(side).unwrap(),
            &variants.parse().unwrap(),
        )
    }

    #[test]
    fn houses_have_n_cells_and_cells_have_a_row_a_column_and_a_box() {
        for side in [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25] {
            let rules = rules_of(side, "classic").unwrap();
            assert!(
                rules.houses().iter().all(|house| house.cells.len() == side),
                "{side}"
            );
            assert!(
                rules
                    .houses_of_cells()
                    .iter()
                    .all(|houses| houses.len() == 3),
                "{side}"
            );
        }
    }

    #[test]
    fn jigsaw_regions_equal_to_the_boxes_form_bands() {
        assert!(rules_of(9, "classic").unwrap().has_bands());
        assert!(!rules_of(16, "classic").unwrap().has_bands());
        let boxes = "000111222".repeat(3) + &"333444555".repeat(3) + &"666777888".repeat(3);
        let jigsaw = |labels: &str| {
            let labels = labels.as_bytes();
            let shape = Shape::Regions {
                labels,
                disconnected: false,
            };
            Rules::new(9, shape, &Variants::default()).unwrap()
        };
        assert!(jigsaw(&boxes).has_bands());
        let other =
            "000122222000111222033331112003444411333345555664444577866655557888666777888886777";
        assert!(!jigsaw(other).has_bands());
    }

    #[test]
    fn houses_are_ordered_boxes_then_regions_then_variants() {
        let labels = b"AAABCABBCCDBCDDD";
        let shape = Shape::boxes_of(4).unwrap().with_regions(labels, false);
        let rules = Rules::new(4, shape, &"diagonal,regions".parse().unwrap()).unwrap();
        let names: Vec<String> = rules.houses()[8..]
            .iter()
            .map(|house| house.name.to_string())
            .collect();
        let expected =
            "box 1,box 2,box 3,box 4,region A,region B,region C,region D,diagonal 1,diagonal 2";
        assert_eq!(names.join(","), expected);
        assert_eq!((rules.regions(), rules.extra_houses()), (12..16, 16..18));
        let shape = Shape::boxes_of(4)
            .unwrap()
            .with_regions(&labels[1..], false);
        let reason = Rules::new(4, shape, &"regions".parse().unwrap()).unwrap_err();
        assert_eq!(reason, "15 region labels; a 4x4 puzzle has 16");
    }
}
