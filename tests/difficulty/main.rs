//! Compares difficulties with the ratings of Sudoku Explainer, and those of equivalent puzzles with each other.
//!
//! `se-rated.tsv` has, for puzzles of every level, the rating of Sukaku Explainer 1.18.1 with the techniques of Sudoku Explainer
//! 1.2.1. tests/README.md says where the ratings differ, and why.

use sudoku_filter::{Canonical, Difficulty, JigsawLayout, RandomSymmetries, Rules};

/// Returns the puzzles of the table with their ratings in tenths.
fn rated() -> impl Iterator<Item = ([u8; 81], u32)> {
    include_str!("se-rated.tsv").lines().map(|line| {
        let (puzzle, rating) = line.split_once('\t').unwrap();
        let digits = puzzle
            .bytes()
            .map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' });
        let tenths = rating.replace('.', "").parse().unwrap();
        (digits.collect::<Vec<u8>>().try_into().unwrap(), tenths)
    })
}

/// Returns the difficulty of the canonical form, as the column shows it.
fn of_form(canonical: &Canonical, puzzle: &[u8]) -> Difficulty {
    let mut form = Vec::new();
    canonical.form(puzzle, &mut form);
    Difficulty::of_puzzle(&form.try_into().unwrap()).unwrap()
}

/// Numbers of puzzles.
#[derive(Debug, Default, PartialEq, Eq)]
struct Agreement {
    /// Those with the rating of the table.
    equal: usize,
    /// Those that differ by at most 0.2.
    near: usize,
    all: usize,
}

#[test]
fn difficulties_agree_with_sudoku_explainer() {
    let canonical = Canonical::new(&Rules::classic()).unwrap();
    // The highest ratings of each range, and of how many puzzles.
    for (range, expected) in RANGES {
        let mut found = Agreement::default();
        for (puzzle, rating) in rated().filter(|(_, rating)| range.contains(rating)) {
            let difficulty = of_form(&canonical, &puzzle);
            let is_rated = !difficulty.is_beyond();
            let difference = difficulty.tenths().abs_diff(rating);
            found.equal += usize::from(is_rated && difference == 0);
            found.near += usize::from(is_rated && difference <= 2);
            found.all += 1;
        }
        assert_eq!(found, expected, "{range:?}");
    }
}

/// Ranges of ratings in tenths, and the agreement in each.
const RANGES: [(std::ops::RangeInclusive<u32>, Agreement); 3] = [
    (
        0..=44,
        Agreement {
            equal: 1895,
            near: 1895,
            all: 1895,
        },
    ),
    (
        45..=62,
        Agreement {
            equal: 606,
            near: 606,
            all: 606,
        },
    ),
    // These need chains.
    (
        63..=99,
        Agreement {
            equal: 0,
            near: 0,
            all: 789,
        },
    ),
];

#[test]
fn equivalent_puzzles_have_the_same_difficulty() {
    let rules = Rules::classic();
    let canonical = Canonical::new(&rules).unwrap();
    let symmetries = RandomSymmetries::new(&rules, JigsawLayout::Stays);
    let mut symmetries = symmetries.of_seed(1);
    for (puzzle, _) in rated().step_by(20) {
        let difficulty = of_form(&canonical, &puzzle);
        for symmetry in symmetries.by_ref().take(2) {
            let image = symmetry.image_of(&puzzle);
            assert_eq!(
                of_form(&canonical, &image),
                difficulty,
                "{puzzle:?} {image:?}"
            );
        }
    }
}
