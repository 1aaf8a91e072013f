//! Draws random symmetries of rules, and random relabellings of the digits.

use super::Relabelling;
use super::symmetries::{InvariantConstraints, Symmetry, SymmetryGroup};
use crate::error::InvalidInput;
use crate::puzzle::Givens;
use crate::random::Random;
use crate::rules::{MAX_SIDE, Rules};

/// Draws random symmetries of grids with the same rules, each about equally often. Each symmetry
/// comes with a random relabelling of the digits, if the rules allow one.
///
/// In most grids without jigsaw regions and cages, the symmetries are those that
/// [`Canonical`](crate::Canonical) describes, also if the side is above 9. But there are only
/// rotations and reflections if the grid has
///
/// * jigsaw regions or cages,
/// * constraints other than rows, columns and boxes, and a side above 9, or
/// * constraints that rows, columns and boxes do not imply, if more than 2²¹ symmetries preserve
///   them.
///
/// These rotations and reflections preserve which two cells must differ or must not hold
/// consecutive digits. Cages do not count: they move with their cells. [`JigsawLayout`] says
/// whether jigsaw regions count or move.
///
/// ```
/// use sudoku_filter_engine::canonical::{JigsawLayout, RandomSymmetries};
/// use sudoku_filter_engine::{Canonical, Rules, Shape, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let canonical = Canonical::new(&rules).unwrap();
/// let puzzle = [1, 2, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 4];
/// let (mut form, mut form_of_image) = (Vec::new(), Vec::new());
/// canonical.form(&puzzle, &mut form)?;
///
/// let symmetries = RandomSymmetries::new(&rules, JigsawLayout::Stays);
/// for symmetry in symmetries.of_seed(7).take(100) {
///     canonical.form(&symmetry.image_of(&puzzle)?, &mut form_of_image)?;
///     assert_eq!(form_of_image, form);
/// }
/// # Ok::<(), sudoku_filter_engine::InvalidInput>(())
/// ```
#[derive(Debug)]
pub struct RandomSymmetries {
    side: usize,
    group: SymmetryGroup,
    relabelling: Relabelling,
}

/// The effect of a symmetry on a jigsaw layout.
///
/// ```
/// use sudoku_filter_engine::canonical::{JigsawLayout, RandomSymmetries};
/// use sudoku_filter_engine::{Rules, Shape, Variants};
///
/// // All rotations and reflections change this layout, so they are used only if it moves.
/// let layout = Shape::regions(b"AAABCCABDCCBDDDB", false);
/// let rules = Rules::new(4, layout, &Variants::default())?;
/// let sources_of_first_cell = |layout| {
///     let symmetries = RandomSymmetries::new(&rules, layout);
///     let sources = symmetries.of_seed(1).take(100).map(|symmetry| symmetry.source(0));
///     sources.collect::<std::collections::BTreeSet<usize>>().len()
/// };
/// assert!(sources_of_first_cell(JigsawLayout::Stays) < sources_of_first_cell(JigsawLayout::Moves));
/// # Ok::<(), sudoku_filter_engine::InvalidInput>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JigsawLayout {
    /// Each puzzle has a layout of its own, which moves with the cells.
    Moves,
    /// All puzzles share the layout, which does not move: a symmetry must preserve which two cells
    /// must differ.
    Stays,
}

/// A symmetry of the cells of a grid, and a relabelling of its digits.
///
/// ```
/// use sudoku_filter_engine::Rules;
/// use sudoku_filter_engine::canonical::{JigsawLayout, RandomSymmetries};
///
/// let symmetries = RandomSymmetries::new(&Rules::classic(), JigsawLayout::Stays);
/// let symmetry = symmetries.of_seed(1).next().unwrap();
/// let mut puzzle = [0; 81];
/// puzzle[symmetry.source(0)] = 5;
/// assert_eq!(symmetry.image_of(&puzzle).unwrap()[0], symmetry.new_digit(5));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RandomSymmetry {
    side: usize,
    of_cells: Symmetry,
    /// Entry d is the new digit for digit d. Entry 0, for blank cells, is 0.
    digits: [u8; MAX_SIDE + 1],
}

impl RandomSymmetries {
    /// Finds the symmetries of these rules.
    #[must_use]
    pub fn new(rules: &Rules, layout: JigsawLayout) -> RandomSymmetries {
        let turns = || SymmetryGroup::Listed(turns(rules, layout));
        RandomSymmetries {
            side: rules.side(),
            group: SymmetryGroup::of_boxes(rules).unwrap_or_else(turns),
            relabelling: Relabelling::from_rules(rules),
        }
    }

    /// Finds the rotations and reflections that preserve the houses of these rules too, not only
    /// which two cells must differ. The digits are renamed in the ways that both the rules and
    /// `relabelling` allow.
    #[must_use]
    pub fn of_turns(rules: &Rules, layout: JigsawLayout, relabelling: Relabelling) -> Self {
        let constraints = moving_constraints(rules, layout);
        let mut turns = constraints.turns();
        turns.retain(|turn| constraints.houses_are_preserved_by(turn));
        RandomSymmetries {
            side: rules.side(),
            group: SymmetryGroup::Listed(turns),
            relabelling: Relabelling::from_rules(rules).min(relabelling),
        }
    }

    /// Returns the endless sequence of random symmetries that a seed determines. It is the same on
    /// every machine.
    pub fn of_seed(&self, seed: u64) -> impl Iterator<Item = RandomSymmetry> + '_ {
        let mut random = Random::new(seed);
        std::iter::repeat_with(move || self.draw(&mut random))
    }

    fn draw(&self, random: &mut Random) -> RandomSymmetry {
        let side = self.side;
        let of_cells = match &self.group {
            SymmetryGroup::OfBlocks(blocks) => {
                let is_transposed = blocks.can_transpose() && random.below(2) == 1;
                let mut of_cells = Symmetry::unpermuted(is_transposed);
                for (lines, size) in of_cells.permutations.iter_mut().zip(blocks.sizes) {
                    permute_blocks(&mut lines[..side], size, random);
                }
                of_cells
            }
            SymmetryGroup::Listed(list) => list[random.below(list.len() as u32) as usize].clone(),
        };
        let mut digits = std::array::from_fn(|digit| digit as u8);
        match self.relabelling {
            Relabelling::Any => random.shuffle(&mut digits[1..=side]),
            Relabelling::Reversal if random.below(2) == 1 => digits[1..=side].reverse(),
            Relabelling::Reversal | Relabelling::None => {}
        }
        RandomSymmetry { side, of_cells, digits }
    }
}

/// Cells are related if they must not hold equal digits, or must not hold consecutive digits.
/// Returns the rotations and reflections under which the sources of related cells are related in
/// the same way. Cages do not count, nor does a layout that moves with the puzzle. A house or group
/// counts only as the pairs of its cells.
fn turns(rules: &Rules, layout: JigsawLayout) -> Vec<Symmetry> {
    moving_constraints(rules, layout).turns()
}

type ConstraintsOfAnySide = InvariantConstraints<{ (MAX_SIDE * MAX_SIDE).div_ceil(64) }>;

fn moving_constraints(rules: &Rules, layout: JigsawLayout) -> ConstraintsOfAnySide {
    let regions = match layout {
        JigsawLayout::Moves => rules.boxes(),
        JigsawLayout::Stays => rules.regions(),
    };
    InvariantConstraints::from_rules(rules, &[], regions)
}

impl RandomSymmetry {
    /// True if every cell and every digit stays.
    #[must_use]
    pub fn is_identity(&self) -> bool {
        let cells = 0..self.side * self.side;
        let digits = 1..=self.side as u8;
        cells.into_iter().all(|cell| self.source(cell) == cell)
            && digits.into_iter().all(|digit| self.new_digit(digit) == digit)
    }

    /// Returns the side of the puzzles.
    pub fn side(&self) -> usize {
        self.side
    }

    /// Returns the source of a cell of the image: the cell of the puzzle whose contents move there.
    #[must_use]
    pub fn source(&self, cell: usize) -> usize {
        self.of_cells.source(cell, self.side)
    }

    /// Returns the new digit for a digit; 0 for 0, which is a blank cell.
    #[must_use]
    pub fn new_digit(&self, digit: u8) -> u8 {
        self.digits[usize::from(digit)]
    }

    /// Returns the image of a puzzle: N² digits along the rows, 0 if blank.
    ///
    /// # Errors
    /// `puzzle` does not have N² cells, or has a digit above N.
    pub fn image_of(&self, puzzle: &[u8]) -> Result<Vec<u8>, InvalidInput> {
        Givens::Digits(puzzle).check_one(self.side)?;
        let mut image = Vec::new();
        self.move_cells(puzzle, &mut image, |digit| self.new_digit(digit));
        Ok(image)
    }

    /// Replaces the contents of `image`. `change` is applied to each value.
    #[inline(always)]
    pub fn move_cells<T: Copy, U>(&self, cells: &[T], image: &mut Vec<U>, change: impl Fn(T) -> U) {
        let side = self.side;
        assert_eq!(cells.len(), side * side, "a grid of this side");
        let [rows, columns] = &self.of_cells.permutations;
        // If transposed, a row of the image is a column of `cells`: the steps are 1 and `side`.
        let [row_step, column_step] = self.of_cells.steps(side);
        image.clear();
        for &row in &rows[..side] {
            let row = &cells[usize::from(row) * row_step..];
            let columns = columns[..side].iter();
            image.extend(columns.map(|&column| change(row[usize::from(column) * column_step])));
        }
    }
}

/// Permutes the blocks of this size, and the rows (or columns) within each block.
fn permute_blocks(lines: &mut [u8], size: usize, random: &mut Random) {
    debug_assert!(lines.len().is_multiple_of(size));
    let mut blocks: [u8; MAX_SIDE] = std::array::from_fn(|index| index as u8);
    let blocks = &mut blocks[..lines.len() / size];
    random.shuffle(blocks);
    for (lines, &block) in lines.chunks_exact_mut(size).zip(&*blocks) {
        for (line, place) in lines.iter_mut().zip(block * size as u8..) {
            *line = place;
        }
        random.shuffle(lines);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use std::collections::HashMap;

    use super::*;
    use crate::rules::Shape;

    fn rules_of(side: usize, variants: &str) -> Rules {
        let shape = Shape::boxes_of(side).unwrap();
        Rules::new(side, shape, &variants.parse().unwrap()).unwrap()
    }

    /// Returns the cells' sources, and the new digits.
    fn maps_of(symmetry: &RandomSymmetry) -> (Vec<usize>, Vec<u8>) {
        let cells = 0..symmetry.side * symmetry.side;
        let digits = 1..=symmetry.side as u8;
        (
            cells.map(|cell| symmetry.source(cell)).collect(),
            digits.map(|digit| symmetry.new_digit(digit)).collect(),
        )
    }

    /// Draws symmetries, and checks that there are as many as expected and that each turns up about
    /// equally often.
    fn check_frequencies<K: std::hash::Hash + Eq>(
        rules: &Rules,
        expected: usize,
        key: impl Fn(&RandomSymmetry) -> K,
    ) {
        let draws = 400 * expected;
        let symmetries = RandomSymmetries::new(rules, JigsawLayout::Stays);
        let mut counts = HashMap::new();
        for symmetry in symmetries.of_seed(1).take(draws) {
            *counts.entry(key(&symmetry)).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), expected);
        // Five standard deviations of 20.
        let fair = 300..500;
        let mut counts = counts.values();
        assert!(counts.all(|count| fair.contains(count)), "{counts:?}");
    }

    #[test]
    fn every_symmetry_turns_up_about_equally_often() {
        let cells = |symmetry: &RandomSymmetry| maps_of(symmetry).0;
        let digits = |symmetry: &RandomSymmetry| maps_of(symmetry).1;
        for (side, variants, expected) in [
            // Two bands, two rows in each, the same for columns; transposed or not.
            (4, "classic", 8 * 8 * 2),
            // Three bands of two rows, two stacks of three columns.
            (6, "classic", 6 * 8 * 2 * 36),
            (4, "diagonal", 16),
            (9, "window", 128),
            (9, "antiknight", 8),
            (16, "diagonal", 8),
            // Boxes of three rows and four columns cannot be transposed.
            (12, "diagonal", 4),
        ] {
            check_frequencies(&rules_of(side, variants), expected, cells);
        }
        check_frequencies(&rules_of(4, "classic"), 24, digits);
        check_frequencies(&rules_of(9, "nonconsecutive"), 2, digits);
    }

    #[test]
    fn large_grids_of_boxes_keep_bands_and_stacks_together() {
        for (side, rows, columns) in [(16, 4, 4), (20, 4, 5), (25, 5, 5)] {
            let symmetries = RandomSymmetries::new(&rules_of(side, "classic"), JigsawLayout::Stays);
            let box_of = |cell: usize| (cell / side / rows, cell % side / columns);
            let mut transposed = HashSet::new();
            for symmetry in symmetries.of_seed(3).take(200) {
                transposed.insert(symmetry.of_cells.transposed);
                let mut boxes = HashMap::new();
                for cell in 0..side * side {
                    let source = box_of(symmetry.source(cell));
                    assert_eq!(*boxes.entry(box_of(cell)).or_insert(source), source);
                }
            }
            assert_eq!(transposed.len(), if rows == columns { 2 } else { 1 });
        }
    }

    #[test]
    fn a_shared_layout_stays_and_a_moving_one_does_not_matter() {
        // The quarter-turns preserve this layout, the reflections do not.
        let labels = b"AAABCABBCCDBCDDD";
        let shape = Shape::regions(labels, false);
        let rules = Rules::new(4, shape, &"jigsaw".parse().unwrap()).unwrap();
        for (layout, expected) in [(JigsawLayout::Stays, 4), (JigsawLayout::Moves, 8)] {
            assert_eq!(turns(&rules, layout).len(), expected);
        }
        let rules = rules.with_extra(b"A.........A.....").unwrap();
        for (layout, expected) in [(JigsawLayout::Stays, 1), (JigsawLayout::Moves, 2)] {
            assert_eq!(turns(&rules, layout).len(), expected);
        }
    }

    #[test]
    fn redundant_groups_leave_all_turns() {
        for extra in ["AAAA............", "..AA..AA........", "AA.............."] {
            let rules = rules_of(4, "classic").with_extra(extra.as_bytes());
            let turns = turns(&rules.unwrap(), JigsawLayout::Stays);
            assert_eq!(turns.len(), 8, "{extra}");
        }
    }

    #[test]
    fn cells_move_as_one_by_one() {
        for (side, variants) in [(2, "jigsaw"), (6, "classic"), (9, "window"), (25, "classic")] {
            let rules = match variants {
                "jigsaw" => {
                    let shape = Shape::regions(b"AABB", false);
                    Rules::new(2, shape, &variants.parse().unwrap()).unwrap()
                }
                _ => rules_of(side, variants),
            };
            let cells: Vec<u8> = (0..side * side).map(|cell| (cell % (side + 1)) as u8).collect();
            let symmetries = RandomSymmetries::new(&rules, JigsawLayout::Moves);
            for symmetry in symmetries.of_seed(9).take(50) {
                let (sources, digits) = maps_of(&symmetry);
                let mut plain = vec![0; cells.len()];
                for (cell, &source) in sources.iter().enumerate() {
                    if cells[source] != 0 {
                        plain[cell] = digits[usize::from(cells[source]) - 1];
                    }
                }
                assert_eq!(symmetry.image_of(&cells).unwrap(), plain, "{side} {variants}");
            }
        }
    }

    #[test]
    fn a_seed_has_the_same_symmetries_on_every_machine() {
        let symmetries = RandomSymmetries::new(&rules_of(4, "classic"), JigsawLayout::Stays);
        let grid = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 0];
        let images = symmetries.of_seed(1).map(|it| it.image_of(&grid).unwrap());
        let expected = [
            [2, 3, 4, 1, 4, 1, 2, 3, 1, 0, 3, 2, 3, 2, 1, 4],
            [2, 1, 3, 4, 4, 3, 1, 2, 3, 4, 2, 1, 0, 2, 4, 3],
        ];
        assert_eq!(images.take(2).collect::<Vec<_>>(), expected);
    }
}
