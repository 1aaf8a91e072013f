//! `--shuffle` of constraint strings: the solutions of what it writes are the images of the solutions
//! of the original under one rotation or reflection and one renaming of the digits, which is found
//! by trying all.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::meaning::{Item, Puzzle, name_of};
use super::strings::{Maker, OF_NINE};
use super::{Base, NAMES, answers, counts_from_zero, latin_squares, output_for, puzzle_of_four};
use crate::full;
use crate::generator::random::Random;

type Solutions = BTreeSet<Vec<u8>>;

/// More would take long to compare. None of the 4x4 has more than 576.
const MAX_SOLUTIONS: usize = 600;

/// The number of equivalents of each puzzle.
const IMAGES: usize = 12;

/// Returns the source of each cell, for the eight ways to turn and reflect a grid.
fn turns(side: usize) -> Vec<Vec<usize>> {
    let last = side - 1;
    let source = |number: usize, row: usize, column: usize| {
        let row = if number & 1 == 0 { row } else { last - row };
        let column = if number & 2 == 0 { column } else { last - column };
        if number & 4 == 0 { row * side + column } else { column * side + row }
    };
    let cells = |number| (0..side * side).map(move |cell| source(number, cell / side, cell % side));
    (0..8).map(|number| cells(number).collect()).collect()
}

/// Returns the new digit of each digit, from 1, for all renamings; above 6x6 for two.
fn renamings(side: usize) -> Vec<Vec<u8>> {
    let digits: Vec<u8> = (1..=side as u8).collect();
    if side > 6 {
        return vec![digits.clone(), digits.into_iter().rev().collect()];
    }
    let mut all = vec![Vec::new()];
    for _ in 0..side {
        let longer = |begin: &Vec<u8>| {
            let free: Vec<u8> = digits.iter().copied().filter(|it| !begin.contains(it)).collect();
            let begin = begin.clone();
            free.into_iter().map(move |digit| [&begin[..], &[digit]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

/// True if one symmetry maps all solutions to all images.
pub(super) fn correspond(solutions: &Solutions, images: &Solutions, side: usize) -> bool {
    let renamings = renamings(side);
    solutions.len() == images.len()
        && turns(side).iter().any(|turn| {
            renamings.iter().any(|new| {
                let image = |grid: &Vec<u8>| -> Vec<u8> {
                    turn.iter().map(|&source| new[usize::from(grid[source]) - 1]).collect()
                };
                solutions.iter().all(|grid| images.contains(&image(grid)))
            })
        })
}

/// Solves all puzzles and their equivalents. Returns, for each puzzle with few solutions, the
/// number of its different equivalents.
fn check_equivalents(puzzles: &[Puzzle], seed: usize) -> Vec<usize> {
    let all = format!("--max-guesses 1000000 --all={}", MAX_SOLUTIONS + 1);
    let lines: Vec<String> = puzzles.iter().map(Puzzle::to_string).collect();
    let found = answers(&lines, &all);
    let is_small = |index: &usize| found[*index].lines <= MAX_SOLUTIONS;
    let small: Vec<usize> = (0..puzzles.len()).filter(is_small).collect();
    let lines: Vec<String> = small.iter().map(|&index| lines[index].clone()).collect();
    if lines.is_empty() {
        return Vec::new();
    }
    let options = format!("--shuffle={IMAGES} --random {seed}");
    let output = output_for(&lines, &format!("-j1 {options}"));
    assert_eq!(output_for(&lines, &format!("-j2 {options}")), output);
    let images: Vec<String> = output.lines().map(str::to_string).collect();
    assert_eq!(images.len(), lines.len() * IMAGES);
    let found_images = answers(&images, &all);
    for ((line, image), answer) in
        lines.iter().flat_map(|line| [line; IMAGES]).zip(&images).zip(&found_images)
    {
        let original = &found[small[lines.iter().position(|it| it == line).unwrap()]];
        let side = puzzles[0].side;
        assert!(
            correspond(&original.solutions, &answer.solutions, side),
            "{line}\n{image}: {} solutions, {} of the original",
            answer.lines,
            original.lines
        );
    }
    check_moved_answers(&lines, &small.iter().map(|&it| &found[it].solutions).collect::<Vec<_>>());
    images.chunks(IMAGES).map(|images| images.iter().collect::<BTreeSet<_>>().len()).collect()
}

/// An answer that moves with its puzzle solves the moved puzzle.
fn check_moved_answers(lines: &[String], solutions: &[&Solutions]) {
    let with_answers = lines.iter().zip(solutions).flat_map(|(line, solutions)| {
        let lower = u8::from(counts_from_zero(line));
        let text = move |grid: &Vec<u8>| {
            grid.iter().map(|digit| (digit - lower).to_string()).collect::<String>()
        };
        solutions.iter().take(3).map(move |grid| format!("{line}\t{}", text(grid)))
    });
    let with_answers: Vec<String> = with_answers.collect();
    if with_answers.is_empty() {
        return;
    }
    let moved = output_for(&with_answers, "--shuffle=4 -o puzzle,answer");
    let moved: Vec<String> = moved.lines().map(str::to_string).collect();
    let statuses = output_for(&moved, "--verify -o status,reason");
    for (moved, status) in moved.iter().zip(statuses.lines()) {
        assert_eq!(status, "correct\t-", "{moved}");
    }
}

/// Returns a rule beside those of a base, with so many givens that few solutions are left.
fn puzzle_of(side: usize, name: &str, givens: usize, random: &mut Random) -> Puzzle {
    let is_base = ["GlobalEntropy", "GlobalMod", "DutchFlatmates"].contains(&name);
    let base = if is_base { Base::of_rule(side, name, random) } else { Base::random(side, random) };
    let puzzle = Puzzle { items: base.items.clone(), ..Puzzle::of_side(side) };
    let mut maker = Maker { puzzle, grid: &base.grid, random };
    let adds = !is_base && !["NoBoxes", "Shape", "Jigsaw"].contains(&name);
    let has_regions = !base.items.iter().any(|item| item.name == "NoBoxes");
    // Without boxes there are no disjoint groups.
    if adds && (has_regions || name != "DisjointSets") {
        maker.add(name);
    }
    let mut puzzle = maker.puzzle;
    let mut cells: Vec<usize> = (0..side * side).collect();
    random.shuffle(&mut cells);
    let given = |&cell: &usize| {
        format!("{}_{}", name_of([cell / side + 1, cell % side + 1]), base.grid[cell])
    };
    puzzle.items.push(Item::new("", cells[..givens].iter().map(given)));
    puzzle
}

#[test]
fn solutions_of_an_equivalent_are_images_of_those_of_its_original() {
    let grids = latin_squares();
    let cases = full::cases(6, 30);
    NAMES.par_iter().chain(&[""]).for_each(|name| {
        let random = &mut Random::of(&format!("shuffled {name}"));
        let mut numbers = Vec::new();
        if !OF_NINE.contains(name) {
            let puzzles = (0..cases).map(|_| {
                let mut puzzle = puzzle_of_four(name, &grids, random);
                // Without a given, some rules are their only image.
                let cell = [1 + random.below(4), 1 + random.below(4)];
                let digit = puzzle.first as usize + random.below(4);
                let given = format!("{}_{digit}", name_of(cell));
                puzzle.items.push(Item::new("", [given]));
                puzzle
            });
            let puzzles: Vec<_> = puzzles.collect();
            numbers.extend(check_equivalents(&puzzles, random.below(1000)));
            if *name != "Windoku" {
                let six: Vec<_> = (0..cases).map(|_| puzzle_of(6, name, 14, random)).collect();
                numbers.extend(check_equivalents(&six, random.below(1000)));
            }
        } else {
            let nine: Vec<_> = (0..cases).map(|_| puzzle_of(9, name, 42, random)).collect();
            numbers.extend(check_equivalents(&nine, random.below(1000)));
        }
        assert!(numbers.len() * 2 > cases, "{name}: few puzzles have few solutions");
        let several = numbers.iter().filter(|&&number| number > 1).count();
        assert!(several * 5 > numbers.len() * 4, "{name}: {numbers:?}");
    });
}
