//! Compares difficulties with the ratings of Sudoku Explainer, and those of equivalent puzzles with
//! each other.
//!
//! `se-rated.tsv` has, for puzzles of every level, the rating of Sukaku Explainer 1.18.1 with the
//! techniques of Sudoku Explainer 1.2.1. tests/covered.md says where the ratings differ, and why.

use std::ops::RangeInclusive;

use sudoku_filter::program::{JigsawLayout, RandomSymmetries};
use sudoku_filter::{Canonical, Difficulty, Rules};

/// Returns the puzzles of the table with their ratings in tenths.
fn rated() -> impl Iterator<Item = ([u8; 81], u32)> {
    include_str!("se-rated.tsv").lines().map(|line| {
        let (puzzle, rating) = line.split_once('\t').unwrap();
        (digits_of(puzzle), rating.replace('.', "").parse().unwrap())
    })
}

/// Puzzles with a difficulty above 9, in tenths: a puzzle of data/collection.md, [`HARDEST`], and
/// some that were made from these two by moving givens.
const HARD: [(&str, u32); 8] = [
    ("..23.....8....6.2..7..1.5..4....53...1..7...6..32......6......9..4....3......97.1", 90),
    ("...3....18....7....7..1.5..4....53...1..7...6..32...8..6.5.......4.6..3......97..", 91),
    ("1.......2.9.4...5...6...7...5.9.38......7.......8...4.7.....6...3...9.8...2.....1", 94),
    ("1.......2.9.4...5...65..7...5.9.3.......7.......8...4.7.....6...4...9.8...2.....1", 95),
    ("1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3.5.9.....2.....1", 96),
    ("1.......2.9.4...5...6...7...5.9.3...8...7.......8...4.7.....6...3...9.8...2.....1", 108),
    ("..53.....8......2..7..1.5..4....53...1..7...6..32...8..6.5....9..4....3......97..", 105),
    (HARDEST, 116),
];

const HARDEST: &str =
    "1.......2.9.4...5...6...7...5.9.3.......7.......85..4.7.....6...3...9.8...2.....1";

/// Returns the values of a puzzle.
fn digits_of(puzzle: &str) -> [u8; 81] {
    let digits = puzzle.bytes().map(|symbol| if symbol == b'.' { 0 } else { symbol - b'0' });
    digits.collect::<Vec<u8>>().try_into().unwrap()
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
fn difficulties_above_9_are_numbers() {
    let canonical = Canonical::new(&Rules::classic()).unwrap();
    for (puzzle, tenths) in HARD {
        assert_eq!(of_form(&canonical, &digits_of(puzzle)).tenths(), tenths, "{puzzle}");
    }
}

#[test]
fn equivalent_puzzles_have_the_same_difficulty() {
    let rules = Rules::classic();
    let canonical = Canonical::new(&rules).unwrap();
    let symmetries = RandomSymmetries::new(&rules, JigsawLayout::Stays);
    let mut symmetries = symmetries.of_seed(1);
    // The others take too long.
    let hard = HARD.iter().filter(|(_, tenths)| *tenths <= 96);
    let hard = hard.map(|(puzzle, _)| digits_of(puzzle));
    for puzzle in rated().step_by(20).map(|(puzzle, _)| puzzle).chain(hard) {
        let difficulty = of_form(&canonical, &puzzle);
        for symmetry in symmetries.by_ref().take(2) {
            let image = symmetry.image_of(&puzzle).unwrap();
            assert_eq!(of_form(&canonical, &image), difficulty, "{puzzle:?} {image:?}");
        }
    }
}
