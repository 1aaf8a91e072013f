//! Rates classic 9x9 puzzles on the scale of Sudoku Explainer, *order-free*: the rating does not
//! depend on the order of the deductions.
//!
//! A *round* applies the first row of [`ROWS`] that deduces anything: all its deductions, from the
//! same candidates. The next round begins at the first row again. The difficulty is the highest
//! level of a round. The program Sudoku Explainer makes one deduction at a time, so its rating can
//! depend on the orientation of the puzzle. tests/covered.md says how far the two agree.
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
use std::ops::ControlFlow;

use grid::{Deductions, Grid, Purpose};
use implications::{LeastLevel, Links};
use nested::Nesting;

use super::level::Difficulty;
use super::step::Step;
use super::technique::{Technique, TechniqueSet};

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
}

/// Returns the deductions of one round by these techniques, each as a step, without those that a
/// person uses. Cells without candidates have a digit. Returns nothing if the time is up.
pub(super) fn steps_of_round(
    candidates: &[u32; 81],
    techniques: TechniqueSet,
    is_time_up: &dyn Fn() -> bool,
) -> Vec<Step> {
    let grid = Grid::from_candidates(candidates);
    let purpose = Purpose::Steps(techniques.steps_of_scale());
    let found = round(&grid, purpose, is_time_up).filter(|_| !is_time_up());
    found.map_or(Vec::new(), |LeastLevel { level, deductions }| {
        let level = Some(Difficulty { tenths: level });
        deductions.steps.into_iter().map(|step| Step { level, ..step }).collect()
    })
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
            let found = round(&grid, Purpose::Rating, is_time_up);
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
    /// Of this level or, if they are long, above.
    Chains(ChainRow),
}

#[derive(Clone, Copy)]
enum ChainRow {
    Single,
    Nishio,
    Multiple,
    Dynamic(Nesting),
}

use ChainRow::{Dynamic, Multiple, Nishio, Single};
use LevelRow::{Chains, Grave, Loops, Pattern};

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
    (65, Chains(Single)),
    (75, Pattern(exclusion::of_triplets)),
    (75, Chains(Nishio)),
    (80, Chains(Multiple)),
    (85, Chains(Dynamic(Nesting::None))),
    (90, Chains(Dynamic(Nesting::Patterns))),
    (95, Chains(Dynamic(Nesting::Chains))),
    (100, Chains(Dynamic(Nesting::Multiple))),
    (105, Chains(Dynamic(Nesting::Dynamic))),
];

/// Returns the level and the deductions of the first row that deduces anything. `None` if no row
/// does. Means nothing if the time is up.
fn round(grid: &Grid, purpose: Purpose, is_time_up: &dyn Fn() -> bool) -> Option<LeastLevel> {
    let loops = LazyCell::new(|| loops::all(grid));
    let grave = LazyCell::new(|| bug::extras(grid));
    let links = LazyCell::new(|| GridLinks::of_grid(grid, purpose, is_time_up));
    for &(level, ref row) in &ROWS {
        let mut found = LeastLevel { level, deductions: Deductions::new(purpose) };
        match row {
            Pattern(find) => find(grid, &mut found.deductions),
            Loops => loops::find(grid, &loops, level, &mut found.deductions),
            Grave => {
                if let Some(extras) = &*grave {
                    bug::find(grid, extras, level, &mut found.deductions);
                }
            }
            Chains(row) => found = links.find(*row, level),
        }
        if !found.deductions.is_empty() {
            return Some(found);
        }
    }
    None
}

/// The links of a grid. Sets of more words take more time, so most grids have small ones.
enum GridLinks<'g> {
    Few(Links<'g, FEW_WORDS>),
    Many(Links<'g, MANY_WORDS>),
}

/// For 384 candidates. Only puzzles of pencilmarks are known to have more.
const FEW_WORDS: usize = 6;
/// For all 729 candidates of a grid.
const MANY_WORDS: usize = 12;

impl<'g> GridLinks<'g> {
    fn of_grid(
        grid: &'g Grid,
        purpose: Purpose,
        is_time_up: &'g dyn Fn() -> bool,
    ) -> GridLinks<'g> {
        let candidates: u32 = grid.candidates.iter().map(|set| set.count_ones()).sum();
        if candidates as usize <= 64 * FEW_WORDS {
            return GridLinks::Few(Links::of_grid(grid, purpose, is_time_up));
        }
        GridLinks::Many(Links::of_grid(grid, purpose, is_time_up))
    }

    fn find(&self, row: ChainRow, level: u32) -> LeastLevel {
        match self {
            GridLinks::Few(links) => find_chains(links, row, level),
            GridLinks::Many(links) => find_chains(links, row, level),
        }
    }
}

fn find_chains<const WORDS: usize>(
    links: &Links<'_, WORDS>,
    row: ChainRow,
    level: u32,
) -> LeastLevel {
    match row {
        Single => cycles::find(links),
        Nishio => dynamic::find_nishio(links),
        Multiple => multiple::find(links),
        Dynamic(nesting) if links.purpose.uses(nesting.technique()) => {
            dynamic::find(links, level, nesting, inner_chains::deductions)
        }
        Dynamic(_) => LeastLevel::none(links.purpose),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first step of the hardest round of a puzzle.
    fn hardest_step(puzzle: &str) -> String {
        let digits: Vec<u8> = puzzle.bytes().map(|it| it.saturating_sub(b'0')).collect();
        let puzzle = digits.try_into().unwrap();
        let difficulty = Difficulty::of_puzzle(&puzzle).unwrap();
        let mut grid = Grid::from_puzzle(&puzzle);
        loop {
            let found = round(&grid, Purpose::Rating, &|| false).unwrap();
            if found.level == difficulty.tenths {
                let steps = steps_of_round(&grid.candidates, TechniqueSet::default(), &|| false);
                return steps[0].text(|digit| char::from(b'0' + digit));
            }
            grid.apply(&found.deductions);
        }
    }

    #[test]
    fn sets_of_more_words_lead_to_the_same_steps() {
        let puzzle =
            *b"..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..";
        let grid = Grid::from_puzzle(&puzzle.map(|symbol| symbol.saturating_sub(b'0')));
        let purpose = Purpose::Steps(TechniqueSet::default());
        let few: Links<'_, FEW_WORDS> = Links::of_grid(&grid, purpose, &|| false);
        let many: Links<'_, MANY_WORDS> = Links::of_grid(&grid, purpose, &|| false);
        let nested = [Nesting::None, Nesting::Patterns, Nesting::Chains, Nesting::Multiple];
        for row in [Single, Nishio, Multiple].into_iter().chain(nested.map(Dynamic)) {
            let [few, many] = [find_chains(&few, row, 85), find_chains(&many, row, 85)];
            assert_eq!(few.level, many.level);
            assert_eq!(few.deductions.steps, many.deductions.steps);
            assert!(!few.deductions.is_empty() || matches!(row, Single | Nishio | Multiple));
        }
    }

    /// A person's techniques remove most of what these rows do, so that few paths have them.
    #[test]
    fn the_pattern_of_a_row_is_that_of_its_step() {
        for (puzzle, step) in [
            (
                "4..3.8...5..7.63.........5..31..........65.9......46...4..73..9..5........7.9..31",
                "unique-loop 5.0 r1c2 r1c9 r3c1 r3c7 r5c1 r5c2 r6c8 r6c9 r8c7 r8c8 27 type 2 1: r1c8-1",
            ),
            (
                "48..25....7...825..1...94.....38..7.7..1..6...5...2.4.3952..........3.........1..",
                "bivalue-universal-grave 5.9 6r3c9 8r6c9 6r7c9 type 3 column 9 r5c9 r9c9 268: r2c9-6",
            ),
            (
                "..24..35...5.2....74...5..8451....37..7.3.....6.8...1....7...83...64.1...7..98.24",
                "bivalue-universal-grave 5.7 9r5c9 9r6c1 9r6c9 type 2: r6c7-9",
            ),
            (
                "9.6...........3..41.75.....4.17.6.39...9.........8......81.9.43........17...2.56.",
                "aligned-pair-exclusion 6.2 r5c8 r5c9 / r4c7 r5c3 r5c6 r6c8: r5c9-2",
            ),
            (
                "4.9..3.8..7..286.......1.....2..49.53.........4..7...3.3........1..6.2.9....9.5..",
                "x-cycle 6.5 r4c2=8 -> r4c4<>8 -> r5c5=8 -> r5c9<>8 -> r9c9=8 -> r9c2<>8 -> r4c2=8: \
                 r4c1-8 r5c3-8 r9c1-8 r9c3-8 r9c4-8",
            ),
            (
                "8......13...5..2.......9......8...213........7.56.13.....386..91..7...54.6.......",
                "y-cycle 7.0 r3c4=1 -> r9c4<>1 -> r9c4=4 -> r9c6<>4 -> r9c6=5 -> r5c6<>5 -> r5c6=7 -> \
                 r1c6<>7 -> r1c6=4 -> r1c3<>4 -> r1c3=6 -> r2c1<>6 -> r2c1=4 -> r2c8<>4 -> \
                 r2c8=6 -> r3c9<>6 -> r3c9=5 -> r3c7<>5 -> r3c7=4 -> r3c4<>4 -> r3c4=1: r5c9-5",
            ),
            (
                "..5.3.8.7.3.4..1.5....6.......75.2.66.9........1...7..5..12.....1...7.9.8........",
                "forcing-x-chain 6.8 r4c2=4 -> r4c1<>4 -> r8c1=4 -> r8c5<>4 -> r7c6=4 -> r7c9<>4 -> \
                 r3c9=4 -> r1c8<>4 -> r1c2=4 -> r4c2<>4: r4c2-4",
            ),
            (
                "..3624.7....9...4.6...7..........25.5..3..9...16......3....1..7......59.4.7.5.3.1",
                "forcing-chain 7.4 r8c1=2 -> r8c9<>2 -> r9c8=2 -> r3c8<>2 -> r3c8=3 -> r6c8<>3 -> \
                 r6c9=3 -> r6c9<>4 -> r6c5=4 -> r4c4<>4 -> r4c4=7 -> r4c1<>7 -> r2c1=7 -> \
                 r2c1<>1 -> r8c1=1 -> r8c1<>2: r8c1-2",
            ),
        ] {
            assert_eq!(hardest_step(puzzle), step, "{puzzle}");
        }
    }
}
