//! Killers: positions for the techniques with cages, and random killers.

use Technique::{CageCombination, CageUnitOverlap, InniesOuties};
use rayon::prelude::*;
use sudoku_filter::{Cage, Givens, Paper, Pencil, Rules, Shape, Technique};

use super::positions::hint;
use super::reference::Reference;
use super::{
    Sample, Uses, assert_agrees_with_reference, assert_keeps_solution, random_candidates,
    random_givens, rounds,
};
use crate::convert::rules_of;
use crate::full;
use crate::generator::puzzles;
use crate::generator::random::Random;

/// The techniques that need cages.
pub const TECHNIQUES: [Technique; 3] = [CageCombination, CageUnitOverlap, InniesOuties];

/// Cages, a position as in `positions.rs`, and the next step. `r1c1,r1c2=17` is a cage with a sum.
pub const POSITIONS: &[[&str; 3]] = &[
    ["r1c1,r1c2,r1c3=15", "", "-"],
    [
        "r1c1,r1c2=17",
        "",
        "cage-combination cage at r1c1 17: r1c1-1 r1c1-2 r1c1-3 r1c1-4 r1c1-5 r1c1-6 r1c1-7 r1c2-1 r1c2-2 r1c2-3 r1c2-4 r1c2-5 r1c2-6 r1c2-7",
    ],
    ["r1c1,r1c2", "", "-"],
    ["r5c5=7", "r5c5=678", "cage-combination cage at r5c5 7: r5c5-6 r5c5-8"],
    // The digits of a cage differ, also where the cells have no common house.
    ["r3c3,r3c4,r4c4=9", "r3c3=24 r3c4=13 r4c4=24", "cage-combination cage at r3c3 9: r3c4-1"],
    ["r1c1,r1c2=8", "r1c1=24 r1c2=46", "cage-combination cage at r1c1 8: r1c1-4 r1c2-4"],
    [
        "r1c1,r1c2=8",
        "r1c1=26 r1c2=26",
        "cage-unit-overlap cage at r1c1 8: r1c3-2 r1c4-2 r1c5-2 r1c6-2 r1c7-2 r1c8-2 r1c9-2 r2c1-2 r2c2-2 r2c3-2 r3c1-2 r3c2-2 r3c3-2",
    ],
    // All combinations have 1 and 2. No cell outside of column 4 sees the three cells for 1.
    [
        "r2c3,r2c4,r3c4,r4c4=10",
        "r2c3=34 r2c4=1234 r3c4=1234 r4c4=1234",
        "cage-unit-overlap cage at r2c3 10: r1c4-1 r5c4-1 r6c4-1 r7c4-1 r8c4-1 r9c4-1",
    ],
    [
        "r1c1,r1c2,r1c3,r1c4=20 r1c5,r1c6,r1c7=15",
        "",
        "innies-outies row 1 innies r1c8 r1c9 10: r1c8-5 r1c9-5",
    ],
    [
        "r1c1,r2c1,r3c1,r4c1=20 r5c1,r6c1,r7c1=15",
        "",
        "innies-outies column 1 innies r8c1 r9c1 10: r8c1-5 r9c1-5",
    ],
    ["r1c1,r1c2,r1c3,r1c4=20 r1c5,r1c6,r1c7", "", "-"],
    [
        "r1c1,r1c2,r1c3,r1c4=20 r1c5,r1c6,r1c7=15 r1c8,r1c9,r2c9=15",
        "",
        "innies-outies row 1 outies r2c9 -5: r2c9-1 r2c9-2 r2c9-3 r2c9-4 r2c9-6 r2c9-7 r2c9-8 r2c9-9",
    ],
    [
        "r1c1,r1c2,r1c3,r1c4=20 r1c8,r1c9=10 r1c5,r1c6,r2c6=15 r1c7,r2c7,r2c8=15",
        "r1c7=12346789 r1c8=12346789 r1c9=12346789",
        "innies-outies row 1 innies r1c7 outies r2c6 0: r2c6-5",
    ],
    [
        "r1c1,r1c2,r2c1,r2c2=20 r1c3,r1c4,r2c3,r2c4=20 r1c5,r1c6,r2c5,r2c6=20 r1c7,r1c8,r2c7,r2c8=20",
        "",
        "innies-outies rows 1-2 innies r1c9 r2c9 10: r1c9-5 r2c9-5",
    ],
    [
        "r1c1,r1c2,r1c3,r1c4=20 r2c1,r2c2,r2c3,r2c4=20 r3c1,r3c2,r3c3,r3c4=20 r1c5,r1c6,r2c5,r2c6=20",
        "",
        "innies-outies boxes 1 2 innies r3c5 r3c6 10: r3c5-5 r3c6-5",
    ],
    // A cage loses candidates as a group does, but confines none without a sum.
    ["r3c3,r3c4,r4c4", "r3c3=12 r4c4=12", "naked-pair cage at r3c3 r3c3 r4c4 12: r3c4-1 r3c4-2"],
    ["r2c3,r2c4,r3c2,r3c3", "1@box1=68", "locked-candidates box 1 cage at r2c3: r2c4-1"],
];

fn classic() -> Rules {
    Rules::new(9, Shape::boxes_of(9).unwrap(), &"classic".parse().unwrap()).unwrap()
}

fn cage_of(text: &str) -> Cage {
    let (cells, sum) = text.split_once('=').unzip();
    let cell = |place: &str| -> u16 {
        let place: Vec<u16> = place[1..].split('c').map(|n| n.parse().unwrap()).collect();
        9 * (place[0] - 1) + place[1] - 1
    };
    let cells = cells.unwrap_or(text).split(',').map(cell).collect();
    Cage::new(9, cells, sum.map(|sum| sum.parse().unwrap())).unwrap()
}

#[test]
fn techniques_with_cages_find_their_patterns_and_ignore_similar_ones() {
    for [cages, position, expected] in POSITIONS {
        let rules = classic().with_cages(cages.split(' ').map(cage_of).collect()).unwrap();
        let found = hint(&Pencil::new(&rules), position);
        assert_eq!(found, *expected, "{cages} {position}");
        if *expected != "-" {
            let of_classic = hint(&Pencil::new(&classic()), position);
            assert_ne!(of_classic, *expected, "{cages} {position}");
        }
    }
}

/// Returns killers, each with the grid that its cages are made for: this number of each form.
fn samples(number: usize) -> Vec<Sample> {
    let forms = [
        ("classic", 4),
        ("diagonal", 6),
        ("classic", 9),
        ("jigsaw", 9),
        ("diagonal,window", 9),
        ("antiknight", 9),
        ("nonconsecutive", 9),
    ];
    let indices = (0..number).flat_map(|index| forms.map(|form| (form, index)));
    let indices: Vec<_> = indices.collect();
    let samples = indices.into_par_iter();
    samples.map(|((variants, side), index)| sample(variants, side, index)).collect()
}

fn sample(variants: &str, side: usize, index: usize) -> Sample {
    let name = format!("killer {variants} {side} {index}");
    let random = &mut Random::of(&name);
    let (constraints, solution) = puzzles::constraints_with_grid(side, variants, random);
    let cages = random_cages(&solution, random);
    let rules = rules_of(&constraints).with_cages(cages).unwrap();
    sample_of(name, &rules, solution)
}

fn sample_of(name: String, rules: &Rules, solution: Vec<u8>) -> Sample {
    Sample {
        name,
        pencil: Pencil::new(rules),
        reference: Reference::of_rules(rules),
        constraints: None,
        solutions: vec![solution],
    }
}

/// Returns cages of connected cells for a grid, at most three to six cells each. Some cells are in
/// no cage, some cages have no sum.
fn random_cages(solution: &[u8], random: &mut Random) -> Vec<Cage> {
    let side = solution.len().isqrt();
    let mut is_open = vec![true; solution.len()];
    let mut order: Vec<usize> = (0..solution.len()).collect();
    random.shuffle(&mut order);
    let mut cages = Vec::new();
    let largest = 3 + random.below(4);
    for first in order {
        if !is_open[first] || random.below(20) == 0 {
            continue;
        }
        let size = 1 + random.below(largest);
        let mut cells = vec![first];
        while cells.len() < size {
            let fits = |&cell: &usize| {
                is_open[cell]
                    && !cells.iter().any(|&other| solution[other] == solution[cell])
                    && cells.iter().any(|&other| are_adjacent(cell, other, side))
            };
            let next: Vec<usize> = (0..solution.len()).filter(fits).collect();
            if next.is_empty() {
                break;
            }
            cells.push(*random.pick(&next));
        }
        for &cell in &cells {
            is_open[cell] = false;
        }
        let sum: u16 = cells.iter().map(|&cell| u16::from(solution[cell])).sum();
        let sum = (random.below(20) > 0).then_some(sum);
        let cells = cells.into_iter().map(|cell| cell as u16).collect();
        cages.push(Cage::new(side, cells, sum).unwrap());
    }
    cages
}

fn are_adjacent(a: usize, b: usize, side: usize) -> bool {
    (a / side).abs_diff(b / side) + (a % side).abs_diff(b % side) == 1
}

/// Returns the rules with another sum in one cage, if that cage can have it.
fn with_a_wrong_sum(rules: &Rules, random: &mut Random) -> Option<Rules> {
    let mut cages = rules.cages().to_vec();
    let index = random.below(cages.len());
    let cage = &cages[index];
    let sum = if random.below(2) == 0 { cage.sum? + 1 } else { cage.sum? - 1 };
    cages[index] = Cage::new(rules.side(), cage.cells().to_vec(), Some(sum)).ok()?;
    rules.with_cages(cages).ok()
}

#[test]
fn every_step_of_a_killer_is_that_of_the_reference() {
    samples(rounds(1)).par_iter().for_each(|sample| {
        let random = &mut sample.random("plain killers");
        let mut paper = Paper::default();
        let solution = &sample.solutions[0];
        for percent in [10, 0, 30].into_iter().step_by(full::step(3)) {
            let digits = random_givens(solution, percent, random);
            assert_agrees_with_reference(sample, Givens::Digits(&digits), &mut paper);
            let candidates = random_candidates(solution, 80 - percent, random);
            assert_agrees_with_reference(sample, Givens::Candidates(&candidates), &mut paper);
        }
    });
}

#[test]
fn no_step_removes_a_digit_of_the_solution_of_a_killer() {
    let uses = samples(rounds(12)).into_par_iter().map(|sample| {
        let random = &mut sample.random("solutions of killers");
        let (mut paper, mut uses) = (Paper::default(), Uses::new());
        let solution = &sample.solutions[0];
        for round in 0..12 {
            let digits = random_givens(solution, 3 * round, random);
            let candidates = random_candidates(solution, 95 - 5 * round, random);
            for givens in [Givens::Digits(&digits), Givens::Candidates(&candidates)] {
                assert_keeps_solution(&sample, solution, givens, &mut paper, &mut uses);
            }
        }
        uses
    });
    let uses: Vec<Uses> = uses.collect();
    for technique in TECHNIQUES {
        let number: u64 = uses.iter().filter_map(|uses| uses.get(&technique)).sum();
        assert!(number > full::cases(5, 100), "{technique:?} is rarely used: {number}");
    }
}

#[test]
fn killers_without_a_solution_end_as_the_reference_does() {
    let solution = puzzles::constraints_with_grid(9, "classic", &mut Random::of("wrong sums")).1;
    let random = &mut Random::of("wrong sums");
    let mut paper = Paper::default();
    for round in 0..6 {
        let rules = classic().with_cages(random_cages(&solution, random)).unwrap();
        let Some(rules) = with_a_wrong_sum(&rules, random) else {
            continue;
        };
        let sample = sample_of(format!("wrong sum {round}"), &rules, solution.clone());
        for percent in [40, 100] {
            let digits = random_givens(&solution, percent, random);
            assert_agrees_with_reference(&sample, Givens::Digits(&digits), &mut paper);
        }
    }
}
