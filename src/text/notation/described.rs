//! A puzzle with its rules, decoded from one field.

use std::str::FromStr;

use crate::text::record_rules::RecordRules;
use crate::text::symbols::Numbering;
use engine::error::InvalidInput;
use engine::rules::{Cage, MAX_SIDE, Place, a_puzzle};

/// A puzzle with the rules that its field describes: a game ID of Solo (Simon Tatham's collection),
/// SumoCue, cage numbers or an address of puzz.link.
///
/// ```
/// use sudoku_filter::program::DescribedPuzzle;
/// use sudoku_filter::{Rules, Shape};
///
/// let puzzle = DescribedPuzzle::decode(b"2x3:2c3_6b1c4a5a2c2_6c4b1b2c4").unwrap()?;
/// let [rows, columns] = puzzle.boxes.unwrap();
/// assert_eq!((puzzle.side, puzzle.digits[1]), (6, 0));
///
/// let variants = if puzzle.diagonals { "diagonal" } else { "classic" };
/// let rules = Rules::new(puzzle.side, Shape::boxes(rows, columns), &variants.parse()?)?;
/// assert_eq!(rules.houses().len(), 18);
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
#[derive(Clone, Debug)]
pub struct DescribedPuzzle {
    /// Rows and columns of the grid.
    pub side: usize,
    /// One digit per cell, from 1 on, 0 for a blank cell.
    pub digits: Vec<u8>,
    /// The symbols that the field has for the digits.
    pub(crate) numbering: Numbering,
    /// Rows and columns of a box, if the field states boxes. `None` for a jigsaw.
    pub boxes: Option<[usize; 2]>,
    /// True if both diagonals are houses.
    pub diagonals: bool,
    /// One letter per cell, equal for cells of a region, if the field has jigsaw regions. The
    /// sizes of the regions are not checked.
    pub regions: Option<Vec<u8>>,
    /// The cages in the order of their first cells, if the field is that of a killer.
    pub cages: Option<Vec<Cage>>,
    /// Its other rules: those of a constraint string.
    pub(crate) rules: RecordRules,
    /// The items of a constraint string, but for its givens.
    pub(crate) stated: Option<Vec<u8>>,
}

impl DescribedPuzzle {
    pub(super) fn blank(side: usize) -> DescribedPuzzle {
        debug_assert!(side <= MAX_SIDE);
        DescribedPuzzle {
            side,
            digits: vec![0; side * side],
            numbering: Numbering::default(),
            boxes: None,
            diagonals: false,
            regions: None,
            cages: None,
            rules: RecordRules::default(),
            stated: None,
        }
    }

    /// Adds the givens of another field: a digit for each cell, 0 if blank.
    pub(crate) fn add_givens(&mut self, givens: &[u8]) -> Result<(), InvalidInput> {
        for (cell, (digit, &given)) in self.digits.iter_mut().zip(givens).enumerate() {
            if ![0, given].contains(digit) && given != 0 {
                let place = Place::of(cell, self.side);
                return Err(format!("{place} is {given} and, by the constraints, {digit}").into());
            }
            *digit = given.max(*digit);
        }
        Ok(())
    }

    /// The givens in `fixed` become rules. Of them, only those in `others` stay givens.
    pub(crate) fn fix_givens(&mut self, fixed: &[u8], others: &[u8]) {
        for (cell, &digit) in fixed.iter().enumerate().filter(|(_, digit)| **digit != 0) {
            self.digits[cell] = others[cell];
            self.rules.candidates.push((Place::of(cell, self.side), 1 << (digit - 1)));
        }
    }

    /// A digit that the rules leave alone in its cell becomes a given, and what givens imply is no
    /// rule. Then most puzzles need no pencilmarks.
    pub(crate) fn add_implied_givens(&mut self) {
        let (side, digits) = (self.side, &mut self.digits);
        self.rules.candidates.retain(|&(place, set)| {
            let digit = &mut digits[place.cell(side)];
            if *digit == 0 && set.is_power_of_two() {
                *digit = set.trailing_zeros() as u8 + 1;
            }
            *digit == 0 || set >> (*digit - 1) & 1 == 0
        });
    }

    pub(crate) fn cages(&self) -> &[Cage] {
        self.cages.as_deref().unwrap_or_default()
    }
}

pub(super) fn split_number(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    text.split_at(end.unwrap_or(text.len()))
}

/// Returns `None` if there is another byte or no digit, or if the number is too large.
pub(super) fn parse_number<N: FromStr>(digits: &[u8]) -> Option<N> {
    // `parse` accepts a `+` as the first byte of a number. No number of a notation begins with one.
    let text = str::from_utf8(digits).ok();
    let text = text.filter(|text| !text.starts_with('+'))?;
    text.parse().ok()
}

pub(super) fn side_of_boxes(rows: &[u8], columns: &[u8]) -> Option<([usize; 2], usize)> {
    let [rows, columns]: [usize; 2] = [parse_number(rows)?, parse_number(columns)?];
    let side = rows.checked_mul(columns)?;
    (2..=MAX_SIDE).contains(&side).then_some(([rows, columns], side))
}

/// Returns a label for each key, and the number of different keys. Equal keys have equal labels:
/// `A` for the first key, `B` for the next different one.
pub(super) fn labels_of(keys: impl Iterator<Item = usize>) -> (Vec<u8>, usize) {
    let mut known = Vec::new();
    let label = |key| {
        let index = known.iter().position(|&other| other == key);
        let index = index.unwrap_or_else(|| {
            known.push(key);
            known.len() - 1
        });
        b'A'.wrapping_add(index as u8)
    };
    let labels = keys.map(label).collect();
    (labels, known.len())
}

pub(super) fn excerpt(text: &[u8]) -> String {
    const MAX: usize = 20;
    if text.len() > MAX {
        return format!("{}...", text[..MAX].escape_ascii());
    }
    text.escape_ascii().to_string()
}

pub(super) fn not_a_size(size: &str) -> InvalidInput {
    format!("'{size}' is not the size of a puzzle; sides are 2 to {MAX_SIDE}").into()
}

pub(super) fn not_a_digit(text: &[u8], place: Place, side: usize) -> InvalidInput {
    let (text, puzzle) = (excerpt(text), a_puzzle(side));
    format!("'{text}' at {place} is not a digit of {puzzle}").into()
}

pub(super) fn not_a_sum(text: &[u8], place: Place) -> InvalidInput {
    format!("'{}' at {place} is not a sum", excerpt(text)).into()
}
