//! Canonical forms: one representative for all puzzles that differ only by a symmetry of their rules and by a
//! relabelling of the digits that the rules allow. Forms are computed from the puzzle, not from its solutions. Random symmetries,
//! for `--shuffle`, are in `random_symmetry.rs`.

mod cage_labels;
mod labels;
mod random_symmetry;
mod search;
mod symmetries;

use std::cmp::Ordering;

use crate::rules::{Rules, houses_of_cells};
use cage_labels::CageLabels;
pub(crate) use cage_labels::cages_of_image;
use labels::Labels;
pub use random_symmetry::{JigsawLayout, RandomSymmetries, RandomSymmetry};
use search::CanonicalSearch;
use symmetries::{Blocks, InvariantConstraints, MAX_FORM_SIDE, Symmetry};

/// Computes canonical forms of puzzles with the same rules.
///
/// Two puzzles have the same form if and only if a symmetry and an allowed relabelling of the digits turn one into the other.
///
/// The symmetries of a grid with boxes are:
///
/// * permutations of bands, of rows within a band, of stacks, and of columns within a stack;
/// * transposition, if the boxes are square, or if they are single rows or columns and so constrain nothing.
///
/// A symmetry must also preserve all other houses, groups and pairs.
///
/// With jigsaw regions, the symmetries are the rotations and reflections that preserve all other constraints except cages. They
/// move the layout too, and the form includes the moved layout.
///
/// With cages, the symmetries are the same rotations and reflections. They move the cages too, and the form includes the moved
/// cages. Digits keep their values, even if no cage has a sum.
///
/// In puzzles without cages, every relabelling of the digits is allowed. But if some cells must not hold consecutive digits, the
/// only relabelling is d to N + 1 - d.
///
/// ```
/// use sudoku_filter::{Canonical, Rules, Shape, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let canonical = Canonical::new(&rules).unwrap();
/// let form = |puzzle: [u8; 16]| {
///     let mut form = Vec::new();
///     canonical.form(&puzzle, &mut form);
///     form
/// };
/// let puzzle = [1, 2, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 4];
/// let rotated_and_relabelled = [0, 0, 0, 4, 0, 2, 0, 3, 0, 0, 4, 0, 1, 0, 0, 0];
/// assert_eq!(form(puzzle), form(rotated_and_relabelled));
/// ```
#[derive(Debug)]
pub struct Canonical {
    side: usize,
    strategy: Strategy,
    /// The index of the jigsaw region of each cell, if there are jigsaw regions.
    layout: Option<Vec<u8>>,
    cages: Option<CageLabels>,
    relabelling: Relabelling,
}

/// The method that finds the least image of a puzzle under all symmetries.
#[derive(Debug)]
enum Strategy {
    /// A search that prunes. The boxes alone allow too many symmetries to try each.
    Search(Blocks),
    /// Tries each symmetry.
    Enumerate(Vec<Symmetry>),
}

/// The relabellings of digits that preserve the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relabelling {
    Any,
    /// Digit d becomes N + 1 - d, or stays.
    Reversal,
    None,
}

impl Relabelling {
    /// Returns the relabellings that preserve all pairs; none for a killer, even if no cage has a sum.
    fn of(rules: &Rules) -> Relabelling {
        if !rules.cages().is_empty() {
            Relabelling::None
        } else if rules.treat_digits_alike() {
            Relabelling::Any
        } else {
            // Some pairs forbid consecutive digits.
            Relabelling::Reversal
        }
    }
}

impl Canonical {
    /// Finds the symmetries and relabellings of these rules.
    ///
    /// Returns `None` if the side is above 9. Also returns `None` if the boxes are single rows or columns and the other
    /// constraints leave more than 2²¹ symmetries.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Canonical> {
        let side = rules.side();
        if side > MAX_FORM_SIDE {
            return None;
        }
        let layout = layout_of(rules);
        let cages = CageLabels::of(rules);
        // With a layout or cages, only rotations and reflections count. Boxes are then constraints like others.
        let uses_blocks = layout.is_none() && cages.is_none();
        let blocks = uses_blocks.then(|| Blocks::of(rules));
        let constraints = InvariantConstraints::of(rules, blocks.as_ref());
        let strategy = match blocks {
            Some(blocks) if constraints.is_empty() => Strategy::Search(blocks),
            Some(blocks) => Strategy::Enumerate(symmetries::preserving(&constraints, &blocks)?),
            None => {
                let squares = symmetries::of_the_square(side).into_iter();
                let preserving = squares.filter(|square| constraints.are_preserved_by(square));
                Strategy::Enumerate(preserving.collect())
            }
        };
        Some(Canonical {
            side,
            strategy,
            layout,
            cages,
            relabelling: Relabelling::of(rules),
        })
    }

    /// Replaces the contents of `form` with the form of `puzzle`. `puzzle` is N² digits along the rows, 0 if blank. `form` begins
    /// with N² digits in the same format.
    ///
    /// With jigsaw regions, N² region numbers follow in `form`, numbered from 0 in the order of appearance. With cages, two lists
    /// of N² entries follow: the sum of each cell's cage (0 if it has none, 255 outside of cages), and its number from 1 in the
    /// order of appearance (0 outside of cages).
    ///
    /// # Panics
    /// Panics if `puzzle` does not have N² cells.
    pub fn form(&self, puzzle: &[u8], form: &mut Vec<u8>) {
        assert_eq!(
            puzzle.len(),
            self.side * self.side,
            "a puzzle of these rules"
        );
        form.clear();
        match &self.strategy {
            Strategy::Search(blocks) => {
                form.extend_from_slice(&CanonicalSearch::new(blocks, puzzle).least_image());
            }
            Strategy::Enumerate(symmetries) => self.least_of_each(symmetries, puzzle, form),
        }
    }

    /// Writes the least image under `symmetries` into `form`, which is empty. Compares layouts first, then cages, then puzzles.
    fn least_of_each(&self, symmetries: &[Symmetry], puzzle: &[u8], form: &mut Vec<u8>) {
        let cells = puzzle.len();
        let has_only_digits = self.layout.is_none() && self.cages.is_none();
        if has_only_digits && puzzle.iter().all(|&digit| digit == 0) {
            return form.extend_from_slice(puzzle);
        }
        let of_layout = self.layout.as_ref().map_or(0, Vec::len);
        let of_cages = self.cages.as_ref().map_or(0, CageLabels::image_length);
        // This first value of `form` is at least as great as any image, and greater in the digits.
        form.resize(cells + of_layout + of_cages, u8::MAX);
        let (least_puzzle, least) = form.split_at_mut(cells);
        let (least_layout, least_cages) = least.split_at_mut(of_layout);
        for symmetry in symmetries {
            let mut order = self.minimize_layout(least_layout, symmetry);
            if let Some(cages) = self.cages.as_ref().filter(|_| order != Ordering::Greater) {
                order = cages.minimize(least_cages, symmetry, order);
            }
            if order != Ordering::Greater {
                self.minimize_puzzle(least_puzzle, symmetry, puzzle, order);
            }
        }
        for digit in least_puzzle {
            if *digit == BLANK {
                *digit = 0;
            }
        }
    }

    /// Replaces `least` with the image of the layout under a symmetry if the image is less. The result is that of [`minimize`],
    /// or `Equal` without a layout.
    fn minimize_layout(&self, least: &mut [u8], symmetry: &Symmetry) -> Ordering {
        let Some(layout) = &self.layout else {
            return Ordering::Equal;
        };
        let mut labels = Labels::new(0);
        let sources = symmetry.sources(self.side);
        let image = sources.map(|cell| labels.get(layout[cell]));
        minimize(least, image, Ordering::Equal)
    }

    /// Replaces `least` with the least image of `puzzle` under a symmetry and all allowed relabellings, if that image is less.
    /// `order` is that of [`minimize`].
    fn minimize_puzzle(
        &self,
        least: &mut [u8],
        symmetry: &Symmetry,
        puzzle: &[u8],
        order: Ordering,
    ) {
        let digits = || symmetry.sources(self.side).map(|cell| puzzle[cell]);
        match self.relabelling {
            Relabelling::Any => {
                let mut labels = Labels::of_digits();
                let image = digits().map(|digit| blank_or(digit, |digit| labels.get(digit)));
                minimize(least, image, order);
            }
            Relabelling::Reversal => {
                let image = digits().map(|digit| blank_or(digit, |digit| digit));
                minimize(least, image, order);
                let sum = self.side as u8 + 1;
                let reversed = digits().map(|digit| blank_or(digit, |digit| sum - digit));
                // `least` is now at most the first image, whatever `order` was.
                minimize(least, reversed, Ordering::Equal);
            }
            Relabelling::None => {
                minimize(
                    least,
                    digits().map(|digit| blank_or(digit, |digit| digit)),
                    order,
                );
            }
        }
    }
}

/// A blank cell in an image of `minimize_puzzle`. Greater than every digit, so that the least image begins with digits:
/// comparisons with other images then end early.
const BLANK: u8 = u8::MAX - 1;

/// Returns the value of a cell in an image: `BLANK` if it is blank, else the label of its digit.
fn blank_or(digit: u8, label: impl FnOnce(u8) -> u8) -> u8 {
    if digit == 0 { BLANK } else { label(digit) }
}

/// Returns the index of the jigsaw region of each cell, if there are jigsaw regions.
fn layout_of(rules: &Rules) -> Option<Vec<u8>> {
    let regions = rules.jigsaw_regions();
    if regions.is_empty() {
        return None;
    }
    let region_of = houses_of_cells(rules.cells(), regions.iter());
    Some(region_of.iter().map(|region| region[0] as u8).collect())
}

/// Replaces `least` with `image` if the image is less. Returns the comparison of the image with the old `least`.
///
/// `order` is the result for the parts of the image that come before: if it is `Less`, `image` replaces `least` in any case, and
/// the result is `Less`. If it is `Equal`, the values decide.
fn minimize(least: &mut [u8], image: impl Iterator<Item = u8>, mut order: Ordering) -> Ordering {
    debug_assert_ne!(order, Ordering::Greater);
    for (least, value) in least.iter_mut().zip(image) {
        if order == Ordering::Equal && value != *least {
            if value > *least {
                return Ordering::Greater;
            }
            order = Ordering::Less;
        }
        *least = value;
    }
    order
}
