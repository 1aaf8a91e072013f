//! Canonical forms: one representative for all puzzles that differ only by a symmetry of their
//! rules and by a relabelling of the digits that the rules allow. Forms are computed from the
//! puzzle, not from its solutions.

mod parts;
mod random_symmetry;
mod search;
mod symmetries;

use std::iter;

use crate::error::InvalidInput;
use crate::puzzle::Givens;
use crate::rules::Rules;
use parts::Part;
pub(crate) use parts::cages_of_image;
pub use random_symmetry::{JigsawLayout, RandomSymmetries, RandomSymmetry};
use search::CanonicalSearch;
use symmetries::{InvariantConstraints, MAX_FORM_SIDE, SymmetryGroup};

/// Computes canonical forms of puzzles with the same rules.
///
/// Of all images of a puzzle under a symmetry and an allowed relabelling of the digits, the form is
/// the one whose text is least, where a blank cell is less than 1. For the classic 9x9, collectors
/// call it row-minlex. So two puzzles have the same form if and only if a symmetry and an allowed
/// relabelling turn one into the other.
///
/// The symmetries of a grid with boxes, but without jigsaw regions and cages, are:
///
/// * permutations of bands, of rows within a band, of stacks, and of columns within a stack;
/// * transposition, if the boxes are square, or if they are single rows or columns and so constrain
///   nothing.
///
/// If rows, columns and boxes do not imply all constraints, a symmetry must also preserve the
/// houses of variants, and which two cells must differ or must not hold consecutive digits. So
/// groups and houses from `--extra` count only as pairs of cells.
///
/// With jigsaw regions, the symmetries are the rotations and reflections that preserve the boxes,
/// if there are any, the houses of variants, and which two cells must not hold equal or consecutive
/// digits for reasons other than the layout. They move the layout too, and the form includes the
/// moved layout.
///
/// With cages, the symmetries are the same rotations and reflections. They move the cages, and the
/// form includes the moved cages. Digits keep their values, even if no cage has a sum.
///
/// In puzzles without cages, every relabelling of the digits is allowed. But if some cells must not
/// hold consecutive digits, the only relabelling is d to N + 1 - d.
///
/// ```
/// use sudoku_filter::{Canonical, Rules, Shape, Variants};
///
/// let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default()).unwrap();
/// let canonical = Canonical::new(&rules).unwrap();
/// let form = |puzzle: [u8; 16]| {
///     let mut form = Vec::new();
///     canonical.form(&puzzle, &mut form).unwrap();
///     form
/// };
/// let puzzle = [1, 2, 0, 0, 0, 0, 1, 0, 0, 3, 0, 0, 0, 0, 0, 4];
/// let rotated_and_relabelled = [0, 0, 0, 4, 0, 2, 0, 3, 0, 0, 4, 0, 1, 0, 0, 0];
/// assert_eq!(form(puzzle), form(rotated_and_relabelled));
/// ```
#[derive(Debug)]
pub struct Canonical {
    side: usize,
    symmetries: SymmetryGroup,
    /// The parts that follow the puzzle in a form.
    parts: Vec<Part>,
    relabelling: Relabelling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relabelling {
    Any,
    /// Every digit d becomes N + 1 - d, or every digit stays.
    Reversal,
    None,
}

impl Relabelling {
    /// Returns `None` for every killer, even without sums: a relabelling would change the sums of
    /// cages.
    fn from_rules(rules: &Rules) -> Relabelling {
        if !rules.cages().is_empty() {
            Relabelling::None
        } else if rules.treat_digits_alike() {
            Relabelling::Any
        } else {
            Relabelling::Reversal
        }
    }

    /// Returns a part for each relabelled puzzle. If any relabelling is allowed, one part is
    /// enough: its images number the digits in the order of first use.
    fn puzzles(self, side: usize, puzzle: &[u8]) -> Vec<Part> {
        let numbered_from = (self == Relabelling::Any).then_some(1);
        let mut puzzles = vec![Part::new(puzzle.iter().copied(), numbered_from)];
        if self == Relabelling::Reversal {
            let sum = side as u8 + 1;
            // `% sum` changes blank cells only: they stay 0.
            let reversed = puzzle.iter().map(|&digit| (sum - digit) % sum);
            puzzles.push(Part::new(reversed, None));
        }
        puzzles
    }
}

impl Canonical {
    /// Finds the symmetries and relabellings of these rules.
    ///
    /// Returns `None` if the side is above 9. Also returns `None` if there are constraints that
    /// rows, columns and boxes do not imply, and more than 2²¹ symmetries preserve them, which
    /// is possible if the boxes are single rows or columns.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Canonical> {
        let side = rules.side();
        if side > MAX_FORM_SIDE {
            return None;
        }
        let parts = Part::all_of(rules);
        let symmetries = if parts.is_empty() {
            SymmetryGroup::of_boxes(rules)?
        } else {
            // Only rotations and reflections count. Boxes are constraints like others.
            let constraints: InvariantConstraints =
                InvariantConstraints::from_rules(rules, &[], rules.boxes());
            let mut turns = constraints.turns();
            turns.retain(|turn| constraints.houses_are_preserved_by(turn));
            SymmetryGroup::Listed(turns)
        };
        Some(Canonical { side, symmetries, parts, relabelling: Relabelling::from_rules(rules) })
    }

    /// Replaces the contents of `form` with the form of `puzzle`. `puzzle` is N² digits along the
    /// rows, 0 if blank. `form` begins with N² digits in the same format.
    ///
    /// With jigsaw regions, N² region numbers follow in `form`, numbered from 0 in the order of
    /// appearance. With cages, two lists of N² entries follow: the sum of each cell's cage (0
    /// if it has none, 255 outside of cages), and its number from 1 in the order of appearance
    /// (0 outside of cages). The puzzle is the least of all images; of images that share it, the
    /// form has the least regions, then the least sums, then the least numbers of cages. This is not
    /// the order of the texts that `text::notation::write_cages` writes.
    ///
    /// # Errors
    /// `puzzle` does not have N² cells, or has a digit above N.
    pub fn form(&self, puzzle: &[u8], form: &mut Vec<u8>) -> Result<(), InvalidInput> {
        Givens::Digits(puzzle).check_one(self.side)?;
        form.clear();
        match &self.symmetries {
            SymmetryGroup::OfBlocks(blocks) => {
                let image = CanonicalSearch::new(blocks, puzzle).least_image();
                form.extend_from_slice(&image[..puzzle.len()]);
            }
            SymmetryGroup::Listed(symmetries) => {
                let cells = puzzle.len();
                // The initial value is greater than every digit, so the first image replaces it.
                form.resize(cells * (1 + self.parts.len()), u8::MAX);
                let puzzles = self.relabelling.puzzles(self.side, puzzle);
                for symmetry in symmetries {
                    for puzzle in &puzzles {
                        let parts = iter::once(puzzle).chain(&self.parts);
                        let mut images = parts.zip(form.chunks_exact_mut(cells));
                        // Ends at the first part that is greater, unless an earlier one is less.
                        let mut is_less = false;
                        images.all(|(part, least)| part.minimize(symmetry, least, &mut is_less));
                    }
                }
            }
        }
        Ok(())
    }
}
