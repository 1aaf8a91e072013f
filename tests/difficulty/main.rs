//! Compares difficulties with the ratings of Sudoku Explainer, and those of equivalent puzzles with
//! each other.
//!
//! `se-rated.tsv` has, for puzzles of every level, the rating of Sukaku Explainer 1.18.1 with the
//! techniques of Sudoku Explainer 1.2.1. tests/README.md says where the ratings differ, and why.

use std::ops::RangeInclusive;

use sudoku_filter::{Canonical, Difficulty, JigsawLayout, RandomSymmetries, Rules};

/// Returns the puzzles of the table with their ratings in tenths.
fn rated() -> impl Iterator<Item = ([u8; 81], u32)> {
    include_str!("se-rated.tsv").lines().map(|line| {
        let (puzzle, rating) = line.split_once('\t').unwrap();
        let digits = puzzle.bytes().map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' });
        let tenths = rating.replace('.', "").parse().unwrap();
        (digits.collect::<Vec<u8>>().try_into().unwrap(), tenths)
    })
}

/// Returns the difficulty of the canonical form, as the column shows it.
fn of_form(canonical: &Canonical, puzzle: &[u8]) -> Difficulty {
    let mut form = Vec::new();
    canonical.form(puzzle, &mut form).unwrap();
    Difficulty::of_puzzle(&form.try_into().unwrap()).unwrap()
}

/// Ranges of ratings in tenths, with the number of puzzles, and how many at least have the same
/// difficulty, or one within 0.2.
const RANGES: [(RangeInclusive<u32>, [usize; 3]); 5] = [
    (0..=44, [1895, 1895, 1895]),
    (45..=62, [606, 606, 606]),
    (63..=75, [408, 408, 408]),
    (76..=84, [277, 263, 276]),
    (85..=99, [104, 91, 99]),
];

#[test]
fn difficulties_agree_with_sudoku_explainer() {
    let canonical = Canonical::new(&Rules::classic()).unwrap();
    for (range, [puzzles, min_equal, min_near]) in RANGES {
        let [mut all, mut equal, mut near] = [0; 3];
        for (puzzle, rating) in rated().filter(|(_, rating)| range.contains(rating)) {
            let difficulty = of_form(&canonical, &puzzle);
            let difference = difficulty.tenths().abs_diff(rating);
            all += 1;
            equal += usize::from(difference == 0);
            near += usize::from(difference <= 2);
        }
        println!("{range:?}: {all} puzzles, {equal} equal, {near} within 0.2");
        assert_eq!(all, puzzles);
        assert!(equal >= min_equal && near >= min_near, "{range:?}: {equal}, {near}");
    }
}

#[test]
fn equivalent_puzzles_have_the_same_difficulty() {
    let rules = Rules::classic();
    let canonical = Canonical::new(&rules).unwrap();
    let symmetries = RandomSymmetries::new(&rules, JigsawLayout::Stays);
    let mut symmetries = symmetries.of_seed(1);
    for (puzzle, _) in rated().step_by(20) {
        let difficulty = of_form(&canonical, &puzzle);
        for symmetry in symmetries.by_ref().take(2) {
            let image = symmetry.image_of(&puzzle).unwrap();
            assert_eq!(of_form(&canonical, &image), difficulty, "{puzzle:?} {image:?}");
        }
    }
}
