//! Rates classic 9x9 puzzles on the scale of Sudoku Explainer, *order-free*: the rating does not
//! depend on the order of the deductions.
//!
//! A *round* applies the first row of [`ROWS`] that deduces anything: all its deductions, from the
//! same candidates. The next round begins at the first row again. The difficulty is the highest
//! level of a round. The program Sudoku Explainer makes one deduction at a time, so its rating can
//! depend on the orientation of the puzzle. tests/README.md says how far the two agree.
//!
//! Some of the techniques are in `pencil/` too. The code there works for any rules, and describes
//! the first pattern. The code here works on bit sets of a 9x9 grid, and collects all patterns.

mod bug;
mod cycles;
mod direct;
mod dynamic;
mod exclusion;
mod grid;
mod implications;
mod inner_chains;
mod loops;
mod multiple;
mod nested;
mod sets;
mod xy_wings;

use std::cell::LazyCell;
use std::fmt;
use std::ops::ControlFlow;

use grid::{Deductions, Grid};
use implications::{LeastLevel, Links};
use nested::Nesting;

use super::technique::Technique;

/// The difficulty of a classic 9x9 puzzle on the scale of Sudoku Explainer, but independent of the
/// order of the deductions.
///
/// ```
/// # use sudoku_filter_engine as sudoku_filter;
/// use sudoku_filter::Difficulty;
///
/// let line = b"480600200000000500650810007098002050524970000300080000030240000006301090209000105";
/// let difficulty = Difficulty::of_puzzle(&line.map(|symbol| symbol - b'0')).unwrap();
/// assert_eq!(difficulty.to_string(), "1.2");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Difficulty {
    tenths: u32,
}

impl Difficulty {
    /// Rates a puzzle with exactly one solution: 81 digits along the rows, 0 if blank. Returns
    /// `None` if no cell is blank or a digit is above 9. If the puzzle has no solution or several,
    /// the result means nothing.
    ///
    /// A puzzle of less than 9 takes about a millisecond. Above, it takes up to some seconds.
    ///
    /// Equivalent puzzles nearly always have the same difficulty: the order of cells and digits
    /// affects only some chains. They always have it if their
    /// [`Canonical::form`](crate::Canonical::form) is rated.
    #[must_use]
    pub fn of_puzzle(puzzle: &[u8; 81]) -> Option<Difficulty> {
        let rating = Rating::of_puzzle_until(puzzle, &|| false).continue_value().flatten();
        rating.map(|rating| rating.difficulty)
    }

    /// Returns the level of the hardest technique used, in tenths: 45 for 4.5.
    #[must_use]
    pub fn tenths(self) -> u32 {
        self.tenths
    }
}

/// Formats the level with one decimal: `4.5`, `11.2`.
impl fmt::Display for Difficulty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.tenths / 10, self.tenths % 10)
    }
}

/// The levels of the rounds of a puzzle.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rating {
    /// The highest level of a round.
    pub difficulty: Difficulty,
    /// The technique of the first round of this level. `None` if no row deduces anything.
    pub hardest: Option<Technique>,
    /// The highest level up to the first round that places a digit.
    pub pearl: Difficulty,
    /// The level of the first round.
    pub diamond: Difficulty,
}

impl Rating {
    /// As [`Difficulty::of_puzzle`]. Breaks when `is_time_up` returns true. From then on,
    /// `is_time_up` must stay true.
    pub fn of_puzzle_until(
        puzzle: &[u8; 81],
        is_time_up: &dyn Fn() -> bool,
    ) -> ControlFlow<(), Option<Rating>> {
        if puzzle.iter().any(|&digit| digit > 9) {
            return ControlFlow::Continue(None);
        }
        let mut grid = Grid::from_puzzle(puzzle);
        let mut rating = None;
        let mut has_placed = false;
        while grid.blanks != 0 {
            let found = round(&grid, is_time_up);
            if is_time_up() {
                return ControlFlow::Break(());
            }
            let (level, technique) = match &found {
                Some(found) => (found.level, found.deductions.technique),
                None => (BEYOND, None),
            };
            Rating::add_round(&mut rating, Difficulty { tenths: level }, technique, has_placed);
            let Some(LeastLevel { deductions, .. }) = found else {
                break;
            };
            has_placed |= deductions.places_digits();
            grid.apply(&deductions);
        }
        ControlFlow::Continue(rating)
    }

    /// `has_placed` is true if an earlier round placed a digit.
    fn add_round(
        rating: &mut Option<Rating>,
        level: Difficulty,
        technique: Option<Technique>,
        has_placed: bool,
    ) {
        let first = Rating { difficulty: level, hardest: technique, pearl: level, diamond: level };
        let rating = rating.get_or_insert(first);
        if level > rating.difficulty {
            (rating.difficulty, rating.hardest) = (level, technique);
        }
        if !has_placed {
            rating.pearl = rating.difficulty;
        }
    }
}

/// In tenths, for a puzzle that the rows of the table do not solve. No such puzzle is known.
const BEYOND: u32 = 120;

enum LevelRow {
    Pattern(fn(&Grid, &mut Deductions)),
    /// Loops of this level; likewise for `Grave`.
    Loops,
    Grave,
    /// Of this level or, if they are long, above; likewise for `Dynamic`.
    Chains(fn(&Links<'_>) -> LeastLevel),
    Dynamic(Nesting),
}

use LevelRow::{Chains, Dynamic, Grave, Loops, Pattern};

/// Levels are in tenths, ascending.
const ROWS: [(u32, LevelRow); 46] = [
    (10, Pattern(direct::last_blank)),
    (12, Pattern(direct::hidden_single_of_box)),
    (15, Pattern(direct::hidden_single_of_line)),
    (17, Pattern(direct::pointing)),
    (19, Pattern(direct::claiming)),
    (20, Pattern(direct::hidden_set::<2>)),
    (23, Pattern(direct::naked_single)),
    (25, Pattern(direct::hidden_set::<3>)),
    (26, Pattern(sets::pointing)),
    (28, Pattern(sets::claiming)),
    (30, Pattern(sets::naked::<2>)),
    (32, Pattern(sets::fish::<2>)),
    (34, Pattern(sets::hidden::<2>)),
    (36, Pattern(sets::naked::<3>)),
    (38, Pattern(sets::fish::<3>)),
    (40, Pattern(sets::hidden::<3>)),
    (42, Pattern(xy_wings::find::<2>)),
    (44, Pattern(xy_wings::find::<3>)),
    (45, Loops),
    (46, Loops),
    (47, Loops),
    (48, Loops),
    (49, Loops),
    (50, Loops),
    (50, Pattern(sets::naked::<4>)),
    (51, Loops),
    (52, Loops),
    (52, Pattern(sets::fish::<4>)),
    (53, Loops),
    (54, Pattern(sets::hidden::<4>)),
    (56, Grave),
    (57, Grave),
    (58, Grave),
    (59, Grave),
    (60, Grave),
    (61, Grave),
    (62, Pattern(exclusion::of_pairs)),
    (65, Chains(cycles::find)),
    (75, Pattern(exclusion::of_triplets)),
    (75, Chains(dynamic::find_nishio)),
    (80, Chains(multiple::find)),
    (85, Dynamic(Nesting::None)),
    (90, Dynamic(Nesting::Patterns)),
    (95, Dynamic(Nesting::Chains)),
    (100, Dynamic(Nesting::Multiple)),
    (105, Dynamic(Nesting::Dynamic)),
];

/// Returns the level and the deductions of the first row that deduces anything. `None` if no row
/// does, or if the grid has too many candidates for [`Links`]. Means nothing if the time is up.
fn round(grid: &Grid, is_time_up: &dyn Fn() -> bool) -> Option<LeastLevel> {
    let loops = LazyCell::new(|| loops::all(grid));
    let grave = LazyCell::new(|| bug::extras(grid));
    let links = LazyCell::new(|| Links::of_grid(grid, is_time_up));
    for &(level, ref row) in &ROWS {
        let mut found = LeastLevel { level, deductions: Deductions::default() };
        match row {
            Pattern(find) => find(grid, &mut found.deductions),
            Loops => loops::find(grid, &loops, level, &mut found.deductions),
            Grave => {
                if let Some(extras) = &*grave {
                    bug::find(grid, extras, level, &mut found.deductions);
                }
            }
            Chains(find) => found = find((*links).as_ref()?),
            Dynamic(nesting) => found = dynamic::find((*links).as_ref()?, level, *nesting),
        }
        if !found.deductions.is_empty() {
            return Some(found);
        }
    }
    None
}
