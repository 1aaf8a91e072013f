//! The values that a column can have, for options that name values (`--where`) or list them
//! (`--tally`).

use super::classes::Classes;
use super::columns::Column;
use engine::pencil::Technique;
use engine::verdict::Status;

/// The values of a column, besides `-` for none.
///
/// ```
/// use sudoku_filter::Column;
/// use sudoku_filter::program::{Classes, Domain};
///
/// let classes = Classes::default();
/// let domain = Domain::of(&Column::Class, &classes);
/// assert_eq!(domain, Domain::Names(vec!["easy", "medium", "hard", "extreme"]));
/// assert_eq!(Domain::of(&Column::Givens, &classes), Domain::Numbers);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain<'c> {
    /// One of these, in an order of their own.
    Names(Vec<&'c str>),
    /// A number. A count that ended early has a `+`: `2+` is 2 or more.
    Numbers,
    /// A text of the program: a grid, cells, steps.
    Texts,
    /// A text or a number of the input.
    Fields,
}

impl<'c> Domain<'c> {
    /// Returns the values of a column. The names of the classes are those of `classes`.
    #[must_use]
    pub fn of(column: &Column, classes: &'c Classes) -> Domain<'c> {
        match column {
            Column::Status => Domain::Names(Status::NAMES.map(|(name, _)| name).to_vec()),
            Column::Class => Domain::Names(classes.names().collect()),
            Column::Grade => {
                let techniques = Technique::NAMES.map(|(name, _)| name).into_iter();
                Domain::Names(techniques.chain(["search"]).collect())
            }
            Column::Hardest => Domain::Names(Technique::of_scale().map(Technique::name).collect()),
            Column::Minimal => Domain::Names(vec!["yes", "no"]),
            Column::Line
            | Column::Blanks
            | Column::Matching
            | Column::Score
            | Column::Conflicts
            | Column::Solutions
            | Column::Givens
            | Column::Guesses
            | Column::Level
            | Column::Difficulty
            | Column::Pearl
            | Column::Diamond
            | Column::Steps
            | Column::Automorphisms => Domain::Numbers,
            Column::Carried(_) => Domain::Fields,
            Column::Input
            | Column::File
            | Column::Puzzle
            | Column::Regions
            | Column::Cages
            | Column::Answer
            | Column::Solution
            | Column::Reason
            | Column::Conflicting
            | Column::Wrong
            | Column::Second
            | Column::Differ
            | Column::Hint
            | Column::Path
            | Column::Techniques
            | Column::Boards
            | Column::Reached
            | Column::ReachedCandidates
            | Column::Pencilmarks
            | Column::Redundant
            | Column::Candidates
            | Column::Canonical
            | Column::Image
            | Column::Rest => Domain::Texts,
        }
    }

    /// Returns the names, or nothing if the values are none.
    #[must_use]
    pub fn names(&self) -> &[&'c str] {
        match self {
            Domain::Names(names) => names,
            _ => &[],
        }
    }
}
