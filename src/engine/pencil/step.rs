//! One step of a human solution, and its text. The modules of the techniques find the patterns,
//! which `pattern.rs` describes.

use std::fmt::Write;

use super::level::Difficulty;
use super::pattern::{Part, Pattern, parts_of, text_of};
use super::technique::Technique;
use crate::rules::Place;

/// One application of one technique: a digit placed, or candidates removed.
///
/// [`Step::text`] formats it as one line: the cell and the digit placed, if any; the technique and
/// its pattern; the candidates removed, if any.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::{Givens, Paper, Pencil, Rules, Technique};
///
/// let pencil = Pencil::new(&Rules::classic());
/// let mut paper = Paper::default();
/// let mut puzzle = [0u8; 81];
/// puzzle[..8].copy_from_slice(&[1, 2, 3, 4, 5, 6, 7, 8]);
/// let step = pencil.hint(Givens::Digits(&puzzle), &mut paper).unwrap().unwrap();
/// assert_eq!((step.technique, step.placement), (Technique::NakedSingle, Some((8, 9))));
/// assert_eq!(step.text(|digit| char::from(b'0' + digit)), "r1c9=9 naked-single");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The technique applied.
    pub technique: Technique,
    /// The cell filled in and its digit, counted from 1. `None` if the step removes candidates.
    pub placement: Option<(u16, u8)>,
    /// The candidates removed: cells, each with a digit counted from 1.
    ///
    /// Empty for a placement: the candidates that the placed digit removes are not listed.
    pub removals: Vec<(u16, u8)>,
    /// The level of a step that is beyond the techniques of a person ([`Technique::NAMES`]).
    pub level: Option<Difficulty>,
    pub(super) side: usize,
    pub(super) pattern: Pattern,
}

impl Step {
    /// Formats the step as one line. `symbol` converts a digit, counted from 1, to its character.
    ///
    /// ```text
    /// r4c5=7 naked-single
    /// r4c5=7 hidden-single row 4
    /// cage-combination cage at r1c1 17: r1c1-1 r1c2-1
    /// locked-candidates box 2 row 1: r1c8-3
    /// cage-unit-overlap cage at r1c1 17: r1c5-8
    /// innies-outies row 3 innies r3c4 r3c5 11: r3c4-9
    /// innies-outies rows 1-2 innies r2c4 outies r3c6 -3: r2c4-7
    /// naked-pair row 3 r3c1 r3c4 12: r3c5-1 r3c5-2
    /// x-wing 5 rows 2 7 columns 3 8: r4c3-5
    /// finned-x-wing 5 rows 2 7 columns 3 8 fins r2c7: r1c8-5
    /// xy-wing r1c1 r1c5 r4c1: r4c5-3
    /// skyscraper 5r1c2 = 5r1c8 - 5r6c8 = 5r6c3: r4c2-5
    /// alternating-chain 5r1c2+r2c2 = 5r6c2 - 4r6c2 = 4r6c9 - 4r3c9 = 4r3c1: r3c1-5
    /// simple-coloring 5 r1c2 r4c8 / r1c8 r5c2: r4c3-5
    /// als-xz 3 r1c2 r1c3 / r6c2 r7c2: r2c2-5
    /// unique-rectangle 4.5 r1c1 r1c2 r4c1 r4c2 12 type 1: r1c1-1 r1c1-2
    /// forcing-chain 7.1 r1c2=5 -> r1c7<>5 -> r3c7=5 -> r3c2<>5 -> r1c2<>5: r1c2-5
    /// multiple-forcing-chains 8.2 r1c2 | r1c2=5 -> r1c7<>5 | r1c2=6 -> r1c8<>6 -> ...: r1c7-5
    /// ```
    ///
    /// * The number after a cage is the sum of the cage. The number after innies and outies is the
    ///   sum of the innies minus that of the outies, so it is negative if there are outies alone.
    ///   Innies and outies that have a digit are left out, and the number does not include them.
    /// * The pivot of an xy-wing or xyz-wing, which sees both other cells, comes first.
    /// * A chain consists of nodes. A node is a digit and some cells, and is true if one of these
    ///   cells holds the digit. At least one of two nodes with `=` between them is true, at most
    ///   one of two with `-`.
    /// * Of the two sets of cells of simple-coloring, all cells of one hold the digit, and no cell
    ///   of the other does. At most one of the two sets of als-xz holds the digit.
    /// * The number after a technique is its level on the scale of [`Difficulty`]. Each claim of a
    ///   forcing chain follows from the one before, or from those in brackets after it. In braces:
    ///   the pattern or chain by which it follows, if it is more than a link.
    #[must_use]
    pub fn text(&self, symbol: impl Fn(u8) -> char) -> String {
        let mut text = String::new();
        if let Some((cell, digit)) = self.placement {
            text = format!("{}={} ", self.place(cell), symbol(digit));
        }
        text += self.technique.name();
        if let Some(level) = self.level {
            _ = write!(text, " {level}");
        }
        let pattern = self.pattern_text(&symbol);
        if !pattern.is_empty() {
            text += " ";
            text += &pattern;
        }
        for (index, &(cell, digit)) in self.removals.iter().enumerate() {
            let colon = if index == 0 { ":" } else { "" };
            _ = write!(text, "{colon} {}-{}", self.place(cell), symbol(digit));
        }
        text
    }

    /// The part of [`text`](Step::text) between the technique and the candidates removed.
    #[doc(hidden)]
    pub fn pattern_text(&self, symbol: impl Fn(u8) -> char) -> String {
        text_of(&self.pattern, self.side, &symbol)
    }

    /// Returns the parts of the pattern with their names, each by itself.
    #[doc(hidden)]
    pub fn parts(&self) -> Vec<(&'static str, Part)> {
        parts_of(&self.pattern)
    }

    /// Returns a cell of the puzzle as it is shown to people.
    #[doc(hidden)]
    pub fn place(&self, cell: u16) -> Place {
        Place::of(cell.into(), self.side)
    }
}
