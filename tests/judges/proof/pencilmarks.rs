//! Pencilmark puzzles (sukaku): the program's verdicts against those of batsat.

use super::Counts;
use super::cases::{Case, With};
use super::constraints::Constraints;
use super::maker::Maker;
use super::oracle::Oracle;
use super::program::{OutputLine, output_lines_of};
use crate::full;
use crate::generator::random::Random;

/// The candidates of each cell; digit `d` at `d - 1`.
type Candidates = Vec<Vec<bool>>;

/// Variants, each with the share of further candidates, in percent, that leaves puzzles with one
/// solution and puzzles with several.
const CASES: &[(&str, usize)] = &[
    ("classic", 43),
    ("diagonal", 55),
    ("window", 52),
    ("disjoint", 51),
    ("jigsaw", 50),
    ("regions", 48),
    ("antiknight", 54),
    ("antiking", 51),
    ("nonconsecutive", 60),
    ("diagonal,window", 56),
];

/// The number of puzzles for each case in a full run.
const PUZZLES: usize = 100;

/// Returns pencilmarks of a puzzle: the digits of a full grid, and other candidates at random.
/// Every fourth puzzle lacks one digit of the grid.
fn pencilmarks(number: usize, grid: &[u8], share: usize, random: &mut Random) -> Candidates {
    let lacks = random.below(grid.len());
    let of_cell = |(cell, &digit): (usize, &u8)| {
        let is_lacking = number.is_multiple_of(4) && cell == lacks;
        let of_digit =
            |other: u8| if other == digit { !is_lacking } else { random.below(100) < share };
        (1..=9).map(of_digit).collect()
    };
    grid.iter().enumerate().map(of_cell).collect()
}

/// Returns the symbols of a field of pencilmarks.
fn text_of(candidates: &Candidates) -> String {
    let symbol = |(digit, is_candidate): (u8, &bool)| {
        if *is_candidate { char::from(b'0' + digit) } else { '.' }
    };
    let of_cell = |of_cell: &Vec<bool>| (1..).zip(of_cell).map(symbol).collect::<String>();
    candidates.iter().map(of_cell).collect()
}

fn judge(constraints: &Constraints, puzzles: &[Candidates], counts: &mut Counts) {
    let lines: Vec<String> =
        puzzles.iter().map(|puzzle| constraints.line_of(text_of(puzzle))).collect();
    let answers = output_lines_of(constraints, &["--max-guesses", "20000"], &lines);
    let mut oracle = Oracle::new(constraints);
    for ((puzzle, line), OutputLine { grid, status }) in puzzles.iter().zip(&lines).zip(answers) {
        let what = format!("{constraints}: {line} is {status}");
        match status.as_str() {
            "none" => assert!(!oracle.has_solution_within(puzzle), "{what}"),
            "unique" | "multiple" => {
                assert!(constraints.are_obeyed_by(&grid), "{what}");
                let mut cells = puzzle.iter().zip(&grid);
                let keeps = cells.all(|(of_cell, &digit)| of_cell[usize::from(digit) - 1]);
                assert!(keeps, "{what}");
                let has_other = oracle.has_other_within(puzzle, &grid);
                assert_eq!(has_other, status == "multiple", "{what}");
            }
            other => panic!("{other}: {what}"),
        }
        *counts.entry(status).or_default() += 1;
    }
}

#[test]
fn batsat_confirms_every_verdict_of_pencilmarks() {
    let number_of_puzzles = full::cases(PUZZLES / 5, PUZZLES);
    let mut counts = Counts::new();
    for &(variants, share) in CASES {
        let random = &mut Random::of(&format!("pencilmarks {variants}"));
        let case = Case { variants, side: 9, with: With::Nothing };
        let constraints = case.constraints(random);
        let mut maker = Maker::new(&constraints);
        let grids: Vec<Vec<u8>> = (0..6).filter_map(|_| maker.full_grid(random)).collect();
        let puzzles: Vec<Candidates> = (0..number_of_puzzles)
            .map(|number| {
                pencilmarks(number, random.pick(&grids).clone().as_slice(), share, random)
            })
            .collect();
        let mut of_case = Counts::new();
        judge(&constraints, &puzzles, &mut of_case);
        println!("{variants}: {of_case:?}");
        for (status, count) in of_case {
            *counts.entry(status).or_default() += count;
        }
    }
    let total: usize = counts.values().sum();
    assert_eq!(total, CASES.len() * number_of_puzzles);
    for verdict in ["unique", "multiple", "none"] {
        assert!(counts[verdict] > total / 8, "{counts:?}");
    }
}
