//! The constraints of a puzzle as data: houses, groups, cages, pairs of cells, and the crossings
//! between houses. Nothing here deduces digits.

mod cage;
mod cell_set;
mod clue;
mod crossings;
mod extra;
mod house;
mod implied;
mod layout;
mod lists;
mod pair;
mod place;
mod stated;
mod unions;
mod variant_constraints;
mod variants;

use std::sync::{Arc, OnceLock};

use crate::error::InvalidInput;
pub(crate) use cage::extreme_sums;
pub use cage::{Cage, MAX_KILLER_SIDE};
pub(crate) use cell_set::CellSet;
pub use clue::Clue;
pub use crossings::Crossing;
pub(crate) use crossings::crossings;
pub use house::{House, HouseName};
pub(crate) use house::{houses_of_cells, peers_of_cells};
pub use layout::Shape;
pub use layout::too_many_regions;
use layout::{are_nine_boxes, rows_and_columns};
pub(crate) use lists::Lists;
pub(crate) use pair::ForbiddenDigits;
pub use pair::{Pair, Relation};
pub use place::{MAX_SIDE, Place};
pub use place::{a_puzzle, pluralize};
pub(crate) use stated::{Count, MAX_TERMS, StatedFault, WeightedSum};
pub use stated::{PairTable, Scope, StatedRule, StatedRules};
use variant_constraints::{Added, added_by};
pub use variants::{Variant, Variants, letters};

/// The constraints of a grid of N rows, N columns and N digits.
///
/// Cells are numbered along the rows from 0. Puzzles with the same constraints can share one value.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Rules, Shape, Variants};
///
/// let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &Variants::default()).unwrap();
/// assert_eq!(rules.houses().len(), 27);
/// ```
#[derive(Debug)]
pub struct Rules {
    /// Rules that `with_cages` makes from the same rules share this.
    base: Arc<BaseRules>,
    /// No two of the cages share a cell.
    cages: Vec<Cage>,
    stated: Option<Box<StatedRules>>,
}

#[derive(Clone, Debug)]
struct BaseRules {
    side: usize,
    /// Rows, columns, boxes, jigsaw regions and extra houses, in this order.
    houses: Vec<House>,
    /// Fewer than N cells each, whose digits all differ.
    groups: Vec<House>,
    pairs: Vec<Pair>,
    /// Computed on first use, as `implied`.
    crossings: OnceLock<Vec<Crossing>>,
    implied: OnceLock<Vec<House>>,
    /// Index in `houses` of the first jigsaw region; equal to `first_extra` if there is none.
    first_jigsaw_region: usize,
    /// Index in `houses`, or the number of houses if there is none.
    first_extra: usize,
    has_bands: bool,
}

impl Rules {
    /// The largest side of a grid.
    pub const MAX_SIDE: usize = MAX_SIDE;

    /// The largest side of a grid with cages.
    pub const MAX_KILLER_SIDE: usize = MAX_KILLER_SIDE;

    /// Returns the rules of a 9x9 with rows, columns and boxes.
    ///
    /// ```
    /// # use sudoku_filter_engine as sudoku_filter;
    /// assert_eq!(sudoku_filter::Rules::classic().houses().len(), 27);
    /// ```
    ///
    /// # Panics
    /// Never: such rules are valid.
    #[must_use]
    pub fn classic() -> Rules {
        Rules::new(9, Shape::boxes(3, 3), &Variants::default()).expect("rules without variants")
    }

    /// Builds the rules of a grid with `side` rows and columns, the boxes and jigsaw regions of
    /// `shape`, and the constraints of `variants`.
    ///
    /// # Errors
    /// The side is not in `1..=Rules::MAX_SIDE`, the boxes do not have `side` cells, the layout is
    /// invalid, a variant does not exist for this side, or a variant needs boxes that `shape`
    /// lacks.
    pub fn new(side: usize, shape: Shape<'_>, variants: &Variants) -> Result<Rules, InvalidInput> {
        if !(1..=MAX_SIDE).contains(&side) {
            return Err(format!("a side of {side}; sides are 1 to {MAX_SIDE}").into());
        }
        let mut houses = rows_and_columns(side);
        houses.extend(shape.houses(side)?);
        let first_extra = houses.len();
        let has_boxes = shape.boxes.is_some();
        let first_jigsaw_region = if has_boxes { 3 * side } else { 2 * side };
        let mut pairs = Vec::new();
        for variant in variants.iter() {
            let boxes = has_boxes.then(|| &houses[2 * side..3 * side]);
            match added_by(variant, side, boxes)? {
                Added::Houses(added) => houses.extend(added),
                Added::Pairs(added) => pairs.extend(added),
                Added::Nothing => {}
            }
        }
        // `first_extra` is 3N, unless the grid has both boxes and jigsaw regions. Such a grid has
        // no bands, even if its regions equal the boxes: they can differ in other lines.
        let has_bands =
            first_extra == 3 * side && are_nine_boxes(side, &houses[2 * side..first_extra]);
        // The grid has `side` jigsaw regions or none.
        debug_assert!([0, side].contains(&(first_extra - first_jigsaw_region)));
        debug_assert!(houses.iter().all(|house| house.is_of_side(side)));
        debug_assert!(pairs.iter().all(|pair| pair.cells[0] < pair.cells[1]));
        let base = BaseRules {
            side,
            houses,
            groups: Vec::new(),
            pairs,
            crossings: OnceLock::new(),
            implied: OnceLock::new(),
            first_jigsaw_region,
            first_extra,
            has_bands,
        };
        Ok(Rules { base: Arc::new(base), cages: Vec::new(), stated: None })
    }

    /// Adds the user's own groups: one symbol per cell along the rows, `.` for cells without a
    /// group.
    ///
    /// Cells with the same symbol hold different digits. A group of N cells is a house. A group of
    /// one cell is left out.
    ///
    /// # Errors
    /// The number of symbols is not N², a symbol is not allowed, or a group has more than N cells.
    ///
    /// ```
    /// # use sudoku_filter_engine as sudoku_filter;
    /// use sudoku_filter::{Rules, Shape, Variants};
    ///
    /// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
    /// let rules = rules.with_extra(b"A..BA..BA...A...").unwrap();
    /// assert_eq!(rules.houses()[12].cells, [0, 4, 8, 12]);
    /// assert_eq!(rules.groups()[0].cells, [3, 7]);
    /// ```
    pub fn with_extra(mut self, symbols: &[u8]) -> Result<Rules, InvalidInput> {
        let base = Arc::make_mut(&mut self.base);
        for group in extra::groups(base.side, symbols)? {
            match group.cells.len() {
                number if number == base.side => base.houses.push(group),
                _ => base.groups.push(group),
            }
        }
        base.crossings.take();
        base.implied.take();
        Ok(self)
    }

    /// Removes one of the groups with these cells, or one of the houses if there are N. Another
    /// rule can have made a group of the same cells.
    fn remove_group(&mut self, cells: &[u16]) {
        let base = Arc::make_mut(&mut self.base);
        let has_cells = |group: &House| group.cells == cells;
        if let Some(index) = base.groups.iter().position(has_cells) {
            base.groups.remove(index);
        } else {
            let index = base.houses[base.first_extra..].iter().position(has_cells);
            base.houses.remove(base.first_extra + index.expect("the rule made a group"));
        }
        base.crossings.take();
        base.implied.take();
    }

    /// Returns the same rules with these cages, in place of any others. Shares all other
    /// constraints.
    ///
    /// # Errors
    /// There are cages and the side is more than [`Rules::MAX_KILLER_SIDE`], two cages share a
    /// cell, or a cage is that of another side.
    ///
    /// ```
    /// # use sudoku_filter_engine as sudoku_filter;
    /// use sudoku_filter::{Cage, Rules, Shape, Variants};
    ///
    /// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
    /// let killer = rules.with_cages(vec![Cage::new(4, vec![0, 1], Some(3)).unwrap()]).unwrap();
    /// assert_eq!(killer.cages()[0].sum, Some(3));
    /// ```
    pub fn with_cages(&self, cages: Vec<Cage>) -> Result<Rules, InvalidInput> {
        let side = self.side();
        if side > MAX_KILLER_SIDE && !cages.is_empty() {
            let puzzle = a_puzzle(side);
            return Err(format!(
                "{puzzle} cannot have cages; the largest killer is {MAX_KILLER_SIDE}x{MAX_KILLER_SIDE}"
            )
            .into());
        }
        let mut caged = CellSet::<{ (MAX_KILLER_SIDE * MAX_KILLER_SIDE).div_ceil(64) }>::default();
        cages.iter().try_for_each(|cage| cage.check(side))?;
        for &cell in cages.iter().flat_map(Cage::cells) {
            if !caged.insert(cell) {
                return Err(format!("{} is in two cages", Place::of(cell.into(), side)).into());
            }
        }
        Ok(Rules { base: Arc::clone(&self.base), cages, stated: self.stated.clone() })
    }

    /// Adds the rules that a puzzle states itself.
    ///
    /// # Errors
    /// The side is above that of the largest killer, or the search has no room for them.
    #[doc(hidden)]
    pub fn with_stated(self, mut stated: StatedRules) -> Result<Rules, InvalidInput> {
        let side = self.side();
        if side > MAX_KILLER_SIDE {
            let (puzzle, most) = (a_puzzle(side), a_puzzle(MAX_KILLER_SIDE));
            return Err(format!("{puzzle} states rules; the largest is {most}").into());
        }
        stated.check(side, self.cages.len())?;
        Ok(Rules { stated: Some(Box::new(stated)), ..self })
    }

    /// Returns the rules that the puzzle states itself.
    #[doc(hidden)]
    #[must_use]
    pub fn stated(&self) -> Option<&StatedRules> {
        self.stated.as_deref()
    }

    /// True if the search for killers must solve such puzzles.
    pub(crate) fn are_of_one_puzzle(&self) -> bool {
        !self.cages.is_empty() || self.stated.is_some()
    }

    /// Identifies the constraints except cages. Rules that `with_cages` makes from others have the
    /// same address. When all of these are dropped, others can get the address.
    pub(crate) fn base_address(&self) -> usize {
        Arc::as_ptr(&self.base) as usize
    }

    pub(crate) fn differs_in_layout_and_cages_only(&self, other: &Rules) -> bool {
        Arc::ptr_eq(&self.base, &other.base)
            || self.stated.is_some()
            || other.stated.is_some()
            || self.jigsaw_regions().len() == other.jigsaw_regions().len()
                && self.houses_without_jigsaw_regions().eq(other.houses_without_jigsaw_regions())
                && self.groups() == other.groups()
                && self.pairs() == other.pairs()
    }

    /// Returns N, the number of rows, columns and digits.
    #[must_use]
    pub fn side(&self) -> usize {
        self.base.side
    }

    /// Returns the number of cells, N².
    #[must_use]
    pub fn cells(&self) -> usize {
        self.base.side * self.base.side
    }

    /// Returns all houses except implied ones: N rows, N columns, N boxes (if the grid has boxes),
    /// N jigsaw regions (if it has jigsaw regions), then the extra houses.
    ///
    /// A grid has boxes, jigsaw regions or both.
    #[must_use]
    pub fn houses(&self) -> &[House] {
        &self.base.houses
    }

    /// Returns the N rows, from top to bottom.
    pub(crate) fn rows(&self) -> &[House] {
        &self.base.houses[..self.base.side]
    }

    /// Returns the N columns, from left to right.
    pub(crate) fn columns(&self) -> &[House] {
        &self.base.houses[self.base.side..2 * self.base.side]
    }

    /// Returns the N boxes; none if jigsaw regions replace them.
    #[doc(hidden)]
    pub fn boxes(&self) -> &[House] {
        &self.base.houses[2 * self.base.side..self.base.first_jigsaw_region]
    }

    /// Returns the N jigsaw regions; none in a grid with boxes alone.
    #[doc(hidden)]
    pub fn jigsaw_regions(&self) -> &[House] {
        &self.base.houses[self.base.first_jigsaw_region..self.base.first_extra]
    }

    pub(crate) fn regions(&self) -> &[House] {
        &self.base.houses[2 * self.base.side..self.base.first_extra]
    }

    /// Returns the N boxes, or the N jigsaw regions that replace them.
    pub(crate) fn primary_regions(&self) -> &[House] {
        &self.base.houses[2 * self.base.side..3 * self.base.side]
    }

    /// Returns the N jigsaw regions, or the N boxes of a grid without jigsaw regions.
    pub(crate) fn jigsaw_regions_or_boxes(&self) -> &[House] {
        &self.base.houses[self.base.first_extra - self.base.side..self.base.first_extra]
    }

    /// Returns the extra houses: those of the variants, and the user's own groups of N cells.
    #[doc(hidden)]
    pub fn extra_houses(&self) -> &[House] {
        &self.base.houses[self.base.first_extra..]
    }

    pub(crate) fn regions_and_extra_houses(&self) -> &[House] {
        &self.base.houses[2 * self.base.side..]
    }

    /// Rules that differ only by the jigsaw layout share these houses.
    pub(crate) fn houses_without_jigsaw_regions(&self) -> impl Iterator<Item = &House> {
        let before = &self.base.houses[..self.base.first_jigsaw_region];
        before.iter().chain(self.extra_houses())
    }

    /// Returns the groups: sets of fewer than N cells whose digits all differ. The cells of a group
    /// ascend.
    #[must_use]
    pub fn groups(&self) -> &[House] {
        &self.base.groups
    }

    /// Returns the cages of a killer.
    #[must_use]
    pub fn cages(&self) -> &[Cage] {
        &self.cages
    }

    /// Indices in `primary_regions`.
    #[doc(hidden)]
    pub fn region_of_cells(&self) -> Vec<usize> {
        let region_of = houses_of_cells(self.cells(), self.primary_regions().iter());
        region_of.iter().map(|region| region[0].into()).collect()
    }

    /// Indices; `None` outside of all cages.
    #[doc(hidden)]
    pub fn cage_of_cells(&self) -> Vec<Option<usize>> {
        let cages = houses_of_cells(self.cells(), self.cages.iter().map(|cage| &cage.group));
        let only = |cages: &Vec<u16>| cages.first().map(|&cage| cage.into());
        cages.iter().map(only).collect()
    }

    pub(crate) fn groups_and_cages(&self) -> impl Iterator<Item = &House> + Clone {
        let cages = self.cages.iter().map(|cage| &cage.group);
        self.base.groups.iter().chain(cages)
    }

    /// Returns the pairs of cells that must not hold certain digits together.
    #[doc(hidden)]
    #[must_use]
    pub fn pairs(&self) -> &[Pair] {
        &self.base.pairs
    }

    pub(crate) fn consecutive_neighbours(&self) -> Vec<Vec<u16>> {
        let mut neighbours = vec![Vec::new(); self.cells()];
        for pair in self.pairs() {
            // All other pairs forbid equal digits: `peers_of_cells` has their cells.
            if pair.relation.forbidden_digits() == ForbiddenDigits::Consecutive {
                let [a, b] = pair.cells;
                neighbours[usize::from(a)].push(b);
                neighbours[usize::from(b)].push(a);
            }
        }
        neighbours
    }

    /// Returns the crossings of the houses with each other and with the groups (not with cages).
    #[doc(hidden)]
    #[must_use]
    pub fn crossings(&self) -> &[Crossing] {
        let base = &self.base;
        base.crossings.get_or_init(|| crossings(&base.houses, &base.groups))
    }

    /// Returns houses that follow from rows, columns and the extra houses (see
    /// [`Rules::extra_houses`]).
    ///
    /// A full grid that satisfies all other rules satisfies these houses too, so only deductions
    /// need them.
    pub(crate) fn implied(&self) -> &[House] {
        self.base.implied.get_or_init(|| implied::implied_by(self.base.side, self.extra_houses()))
    }

    /// Returns houses that the extra houses imply. If the grid has boxes and jigsaw regions, the
    /// regions count as extra houses, so the result is valid only for this layout.
    pub(crate) fn implied_with_regions(&self) -> Vec<House> {
        // All houses after rows, columns and boxes (or the jigsaw regions that replace them).
        let added = &self.base.houses[3 * self.base.side..];
        implied::implied_by(self.base.side, added)
    }

    /// True if digits can be renamed: no pair forbids consecutive digits and no cage has a sum.
    pub(crate) fn treat_digits_alike(&self) -> bool {
        let is_equal = |pair: &Pair| pair.relation.forbidden_digits() == ForbiddenDigits::Equal;
        self.base.pairs.iter().all(is_equal)
            && self.cages.iter().all(|cage| cage.sum.is_none())
            && self.stated.is_none()
    }

    pub(crate) fn has_no_extra_constraints(&self) -> bool {
        let base = &self.base;
        self.extra_houses().is_empty()
            && base.groups.is_empty()
            && base.pairs.is_empty()
            && self.cages.is_empty()
            && self.stated.is_none()
    }

    /// Jigsaw regions are not boxes here, even if they equal them.
    #[doc(hidden)]
    pub fn is_classic_9x9(&self) -> bool {
        let has_regions = !self.jigsaw_regions().is_empty();
        self.has_bands() && !has_regions && self.has_no_extra_constraints()
    }

    pub(crate) fn extra_and_implied_houses(&self) -> impl Iterator<Item = &House> {
        self.extra_houses().iter().chain(self.implied())
    }

    /// `digits` is a full grid.
    pub(crate) fn hold_for(&self, digits: &[u8]) -> bool {
        let mut houses = self.base.houses[..self.base.first_extra].iter();
        houses.all(|house| house.all_differ(digits)) && self.extra_constraints_hold_for(digits)
    }

    /// `digits` is a full grid that satisfies all other houses.
    pub(crate) fn extra_constraints_hold_for(&self, digits: &[u8]) -> bool {
        let mut sets = self.extra_houses().iter().chain(&self.base.groups);
        sets.all(|set| set.all_differ(digits))
            && self.pairs_hold_for(digits)
            && self.cages.iter().all(|cage| cage.holds_for(digits))
            && self.stated.as_ref().is_none_or(|stated| stated.fault(digits).is_none())
    }

    fn pairs_hold_for(&self, digits: &[u8]) -> bool {
        // Without an early exit, because almost all grids satisfy all pairs.
        self.base.pairs.iter().fold(true, |hold, pair| {
            let [a, b] = pair.cells.map(|cell| digits[usize::from(cell)]);
            hold & !pair.relation.forbids(a, b)
        })
    }

    /// Returns true if the grid is a 9x9 that divides into bands and stacks: it has nine 3x3 boxes,
    /// or jigsaw regions that equal them, but not both.
    #[doc(hidden)]
    pub fn has_bands(&self) -> bool {
        self.base.has_bands
    }

    /// Returns, for each cell, the indices of the houses, groups and cages that contain it. Groups
    /// are numbered after the houses, cages after the groups.
    pub(crate) fn houses_of_cells(&self) -> Vec<Vec<u16>> {
        let houses = self.base.houses.iter();
        houses_of_cells(self.cells(), houses.chain(self.groups_and_cages()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn rules_of(side: usize, variants: &str) -> Result<Rules, InvalidInput> {
        Rules::new(side, Shape::boxes_of(side).unwrap(), &variants.parse().unwrap())
    }

    #[test]
    fn houses_have_n_cells_and_cells_have_a_row_a_column_and_a_box() {
        for side in [4, 6, 8, 9, 10, 12, 14, 15, 16, 18, 20, 21, 24, 25] {
            let rules = rules_of(side, "classic").unwrap();
            assert!(rules.houses().iter().all(|house| house.cells.len() == side), "{side}");
            assert!(rules.houses_of_cells().iter().all(|houses| houses.len() == 3), "{side}");
        }
    }

    #[test]
    fn jigsaw_regions_equal_to_the_boxes_form_bands() {
        assert!(rules_of(9, "classic").unwrap().has_bands());
        assert!(!rules_of(16, "classic").unwrap().has_bands());
        let boxes = "000111222".repeat(3) + &"333444555".repeat(3) + &"666777888".repeat(3);
        let jigsaw = |labels: &str| {
            let labels = labels.as_bytes();
            let shape = Shape::regions(labels, false);
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
        let names = |houses: &[House]| -> String {
            let names = houses.iter().map(|house| house.name.to_string());
            names.collect::<Vec<String>>().join(",")
        };
        let (boxes, regions) = ("box 1,box 2,box 3,box 4", "region A,region B,region C,region D");
        let extra = "diagonal 1,diagonal 2";
        assert_eq!(names(rules.rows()), "row 1,row 2,row 3,row 4");
        assert_eq!(names(rules.columns()), "column 1,column 2,column 3,column 4");
        assert_eq!(names(rules.boxes()), boxes);
        assert_eq!(names(rules.jigsaw_regions()), regions);
        assert_eq!(names(rules.primary_regions()), boxes);
        assert_eq!(names(rules.jigsaw_regions_or_boxes()), regions);
        assert_eq!(names(rules.extra_houses()), extra);
        let all = format!("{boxes},{regions},{extra}");
        assert_eq!(names(rules.regions_and_extra_houses()), all);
        assert_eq!(names(&rules.houses()[8..]), all);
        let shape = Shape::boxes_of(4).unwrap().with_regions(&labels[1..], false);
        let reason = Rules::new(4, shape, &"regions".parse().unwrap()).unwrap_err();
        assert_eq!(reason.to_string(), "15 region labels; a 4x4 puzzle has 16");
    }
}
