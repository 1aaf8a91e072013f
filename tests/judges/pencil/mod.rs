//! Compares the pencil with a plain version of the same techniques and with full grids, and tests
//! each technique on positions made for it. `PENCIL=4` makes four times as many random positions.

use std::collections::BTreeMap;

use rayon::prelude::*;
use sudoku_filter::{End, Givens, Grading, Paper, Pencil, Rules, Shape, Step, Technique};

mod killers;
mod positions;
mod reference;
mod reference_cages;
mod reference_chains;

use crate::convert::rules_of;
use crate::full;
use crate::generator::constraints::Constraints;
use crate::generator::files::{VARIANTS, sides_of};
use crate::generator::puzzles;
use crate::generator::random::Random;
use reference::{Reference, symbol};

/// The pencil and the plain reference for the same rules, and full grids that obey them.
struct Sample {
    name: String,
    pencil: Pencil,
    reference: Reference,
    constraints: Option<Constraints>,
    solutions: Vec<Vec<u8>>,
}

impl Sample {
    /// Returns a sample for variants that the generator supports.
    fn of_variants(variants: &str, side: usize) -> Sample {
        let name = format!("{variants} {side}");
        let random = &mut Random::of(&format!("pencil {name}"));
        let (constraints, first) = puzzles::constraints_with_grid(side, variants, random);
        let rules = rules_of(&constraints);
        let mut solutions: Vec<Vec<u8>> =
            (0..9).filter_map(|_| puzzles::full_grid(&constraints, random)).collect();
        solutions.push(first);
        Sample {
            name,
            pencil: Pencil::new(&rules),
            reference: Reference::new(side, rules.houses(), rules.groups(), rules.pairs()),
            constraints: Some(constraints),
            solutions,
        }
    }

    /// Returns a sample for a grid with boxes, variants and extra groups.
    fn with(name: &str, side: usize, variants: &str, groups: &[[usize; 4]]) -> Sample {
        let shape = Shape::boxes_of(side).unwrap();
        let mut rules = Rules::new(side, shape, &variants.parse().unwrap()).unwrap();
        for (label, cells) in (b'a'..).zip(groups) {
            let mut symbols = vec![b'.'; side * side];
            cells.iter().for_each(|&cell| symbols[cell] = label);
            rules = rules.with_extra(&symbols).unwrap();
        }
        let reference = Reference::new(side, rules.houses(), rules.groups(), rules.pairs());
        let random = &mut Random::of(&format!("pencil {name} {side}"));
        let solutions = (0..3).map(|_| reference.full_grid(random));
        Sample {
            name: format!("{name} {side}"),
            pencil: Pencil::new(&rules),
            solutions: solutions.collect(),
            constraints: None,
            reference,
        }
    }

    fn random(&self, what: &str) -> Random {
        Random::of(&format!("{what} {}", self.name))
    }
}

/// Returns a sample for each combination of variants and each size of the generator, and samples
/// with groups and pairs.
fn samples() -> Vec<Sample> {
    let forms = VARIANTS.iter().flat_map(|&variants| {
        let sides = sides_of(variants).iter();
        sides.map(move |&side| (variants, side))
    });
    let forms: Vec<(&str, usize)> = forms.collect();
    let samples = forms.into_par_iter();
    let mut samples: Vec<Sample> =
        samples.map(|(variants, side)| Sample::of_variants(variants, side)).collect();
    samples.extend(samples_with_groups_and_pairs());
    samples
}

fn samples_with_groups_and_pairs() -> Vec<Sample> {
    vec![
        Sample::with("groups", 9, "classic", &groups(9)),
        Sample::with("groups", 6, "classic", &groups(6)),
        Sample::with("antiknight", 9, "antiknight", &[]),
        Sample::with("antiking", 9, "antiking", &[]),
        Sample::with("nonconsecutive", 9, "nonconsecutive", &[]),
        Sample::with("nonconsecutive", 8, "nonconsecutive", &[]),
        Sample::with("groups, antiknight", 9, "antiknight", &groups(9)),
    ]
}

/// Returns three groups of four cells: a part of a diagonal, one corner of each of four boxes, and
/// four scattered cells.
fn groups(side: usize) -> [[usize; 4]; 3] {
    [
        [0, side + 1, 2 * (side + 1), 3 * (side + 1)],
        [side + 1, 2 * side - 2, side * (side - 2) + 1, side * (side - 1) - 2],
        [0, 1, side + 3, 3 * side + 4],
    ]
}

/// Returns the number of rounds of a test whose full run has this many.
fn rounds(of_full_run: usize) -> usize {
    match std::env::var("PENCIL") {
        Ok(factor) => of_full_run * factor.parse::<usize>().expect("PENCIL is a number"),
        Err(_) => full::cases(of_full_run.div_ceil(4), of_full_run),
    }
}

/// Keeps each digit of a solution with a probability of `percent`.
fn random_givens(solution: &[u8], percent: usize, random: &mut Random) -> Vec<u8> {
    let given = |&digit: &u8| {
        if random.below(100) < percent { digit } else { 0 }
    };
    solution.iter().map(given).collect()
}

/// Returns candidates for a solution: its digit in each cell, and each other digit with a
/// probability of `percent`.
fn random_candidates(solution: &[u8], percent: usize, random: &mut Random) -> Vec<u32> {
    let side = solution.len().isqrt();
    let mark = |&digit: &u8| {
        let others = (0..side).filter(|_| random.below(100) < percent);
        others.fold(1 << (digit - 1), |set, other| set | 1 << other)
    };
    solution.iter().map(mark).collect()
}

fn text(step: &Step) -> String {
    step.text(symbol)
}

/// Asserts that steps, grading, hint and final candidates are those of the plain reference.
fn assert_agrees_with_reference(sample: &Sample, givens: Givens<'_>, paper: &mut Paper) {
    let side = sample.reference.side;
    let every_digit = (1u32 << side) - 1;
    let expected = match givens {
        Givens::Digits(digits) => sample.reference.work(digits, &vec![every_digit; side * side]),
        Givens::Candidates(sets) => sample.reference.work(&vec![0; side * side], sets),
    };
    let context = format!("{} {givens:?}", sample.name);

    let mut steps = Vec::new();
    let grading = sample
        .pencil
        .solve_step_by_step(givens, paper, &mut |step| steps.push(text(step)))
        .unwrap();
    for (step, expected) in steps.iter().zip(&expected.steps) {
        assert_eq!(step, expected, "{context}");
    }
    assert_eq!(steps.len(), expected.steps.len(), "{context}");
    assert_same_result(grading, &expected, &context);

    assert_same_result(sample.pencil.solve(givens, paper).unwrap(), &expected, &context);
    let hint = sample.pencil.hint(givens, paper).unwrap();
    assert_eq!(hint.as_ref().map(text), expected.steps.first().cloned(), "{context}");
}

fn assert_same_result(grading: Grading<'_>, expected: &reference::Outcome, context: &str) {
    let sets: Vec<u32> = match grading.end {
        End::Solved(digits) => digits.iter().map(|digit| 1 << (digit - 1)).collect(),
        End::Stuck(sets) => sets.to_vec(),
        End::Contradiction => expected.sets.clone(),
    };
    let end = match grading.end {
        End::Solved(_) => "solved",
        End::Stuck(_) => "stuck",
        End::Contradiction => "contradiction",
    };
    assert_eq!((end, &sets), (expected.end, &expected.sets), "{context}");
    let (mut hardest, mut steps) = (None, 0);
    if end != "contradiction" {
        let known = |step: &String| {
            let mut names = Technique::NAMES.into_iter();
            let (_, technique) =
                names.find(|(name, _)| step.split(' ').any(|word| word == *name))?;
            Some(technique)
        };
        hardest = expected.steps.iter().filter_map(known).max();
        steps = expected.steps.len() as u32;
    }
    assert_eq!((grading.hardest, grading.steps), (hardest, steps), "{context}");
}

#[test]
fn every_step_is_that_of_the_reference() {
    samples().par_iter().for_each(|sample| {
        let random = &mut sample.random("plain way");
        let mut paper = Paper::default();
        // The plain reference is slow on large grids.
        for round in 0..rounds(if sample.reference.side > 9 { 1 } else { 3 }) {
            let solution = random.pick(&sample.solutions).clone();
            let percent = 20 + 12 * round % 32;
            let digits = random_givens(&solution, percent + 5, random);
            assert_agrees_with_reference(sample, Givens::Digits(&digits), &mut paper);
            let candidates = random_candidates(&solution, percent, random);
            assert_agrees_with_reference(sample, Givens::Candidates(&candidates), &mut paper);
            if let Some(constraints) = &sample.constraints {
                let fewest = puzzles::fewest_givens(constraints);
                for puzzle in [
                    puzzles::dig(constraints, &solution, fewest, random),
                    puzzles::with_many_solutions(constraints, &solution, random),
                    puzzles::without_solution(constraints, &solution, random),
                    puzzles::with_contradicting_givens(constraints, &solution, random),
                ] {
                    assert_agrees_with_reference(sample, Givens::Digits(&puzzle), &mut paper);
                }
            }
        }
    });
}

/// Number of uses of each technique.
type Uses = BTreeMap<Technique, u64>;

/// Works on a puzzle and asserts that no step removes or contradicts a digit of its solution.
fn assert_keeps_solution(
    sample: &Sample,
    solution: &[u8],
    givens: Givens<'_>,
    paper: &mut Paper,
    uses: &mut Uses,
) {
    let context = |step: &Step| format!("{} {givens:?}: {}", sample.name, text(step));
    let mut reported = 0;
    let grading = sample
        .pencil
        .solve_step_by_step(givens, paper, &mut |step| {
            reported += 1;
            *uses.entry(step.technique).or_default() += 1;
            if let Some((cell, digit)) = step.placement {
                assert_eq!(digit, solution[usize::from(cell)], "{}", context(step));
            }
            for &(cell, digit) in &step.removals {
                assert_ne!(digit, solution[usize::from(cell)], "{}", context(step));
            }
        })
        .unwrap();
    assert_eq!(reported, grading.steps, "{} {givens:?}", sample.name);
    match grading.end {
        End::Solved(digits) => assert_eq!(digits, solution, "{} {givens:?}", sample.name),
        End::Stuck(_) => {}
        End::Contradiction => panic!("{} {givens:?} has a solution", sample.name),
    }
}

#[test]
fn no_step_removes_a_digit_of_a_solution() {
    let uses = samples().into_par_iter().map(|sample| {
        let random = &mut sample.random("solutions");
        let (mut paper, mut uses) = (Paper::default(), Uses::new());
        for round in 0..rounds(if sample.reference.side > 9 { 20 } else { 200 }) {
            let solution = random.pick(&sample.solutions).clone();
            let percent = 15 + 7 * round % 40;
            let digits = random_givens(&solution, percent, random);
            assert_keeps_solution(
                &sample,
                &solution,
                Givens::Digits(&digits),
                &mut paper,
                &mut uses,
            );
            let candidates = random_candidates(&solution, percent + 10, random);
            assert_keeps_solution(
                &sample,
                &solution,
                Givens::Candidates(&candidates),
                &mut paper,
                &mut uses,
            );
        }
        uses
    });
    let mut all = Uses::new();
    for (technique, count) in uses.collect::<Vec<Uses>>().into_iter().flatten() {
        *all.entry(technique).or_default() += count;
    }
    for (name, technique) in Technique::NAMES {
        assert!(
            killers::TECHNIQUES.contains(&technique)
                || all.get(&technique) > Some(&full::cases(0, 5)),
            "{name} is rarely used: {all:?}"
        );
    }
}

/// Without naked singles, blank cells with a single candidate stay blank, and other techniques meet
/// them.
#[test]
fn no_technique_alone_or_after_hidden_singles_removes_a_digit_of_a_solution() {
    let sets = Technique::NAMES.into_iter().flat_map(|(name, technique)| {
        [(technique, name.to_string()), (technique, format!("hidden-single,{name}"))]
    });
    let mut all = Uses::new();
    for (technique, names) in sets {
        let mut sample = Sample::with("classic", 9, "classic", &[]);
        sample.name = names;
        let techniques = sample.name.parse().unwrap();
        sample.pencil = Pencil::new(&Rules::classic()).with_techniques(techniques);
        let random = &mut sample.random("alone");
        let (mut paper, mut uses) = (Paper::default(), Uses::new());
        for round in 0..rounds(160) {
            let solution = random.pick(&sample.solutions).clone();
            let digits = random_givens(&solution, 20 + round, random);
            let givens = Givens::Digits(&digits);
            assert_keeps_solution(&sample, &solution, givens, &mut paper, &mut uses);
        }
        *all.entry(technique).or_default() += uses.get(&technique).copied().unwrap_or(0);
    }
    for (name, technique) in Technique::NAMES {
        let is_of_cages = killers::TECHNIQUES.contains(&technique);
        assert!(is_of_cages || all.get(&technique) > Some(&5), "{name} is rarely used: {all:?}");
    }
}

/// Returns the first and the last node of a chain in the text of a step such as `alternating-chain
/// 2r1c1 = 1r1c1+r1c2: r9c1-2`: the digit and the cells of each.
fn ends_of_chain(text: &str, side: usize) -> [(u8, Vec<usize>); 2] {
    let (pattern, _) = text.split_once(": ").expect(text);
    let nodes: Vec<&str> = pattern.split(' ').skip(1).step_by(2).collect();
    [nodes[0], nodes[nodes.len() - 1]].map(|node| {
        let digit = node[..1].parse().expect(text);
        let cell = |place: &str| {
            let (row, column) = place[1..].split_once('c').expect(text);
            let [row, column] = [row, column].map(|number| number.parse::<usize>().expect(text));
            (row - 1) * side + column - 1
        };
        (digit, node[1..].split('+').map(cell).collect())
    })
}

/// Returns the digits that each cell loses if one of these cells holds the digit, whichever it is.
fn lost_to(reference: &Reference, digit: u8, cells: &[usize]) -> Vec<u32> {
    let every_cell = 0..reference.cells();
    let lost = |cell: usize| {
        let to_one = |&of: &usize| {
            if of == cell { !(1 << (digit - 1)) } else { reference.losses(of, digit)[cell] }
        };
        cells.iter().map(to_one).fold(u32::MAX, |all, set| all & set)
    };
    every_cell.map(lost).collect()
}

#[test]
fn a_chain_removes_what_has_weak_links_to_both_ends_and_nothing_else() {
    let (mut chains, mut incomplete) = (0, 0);
    for sample in samples_with_groups_and_pairs() {
        let (reference, side) = (&sample.reference, sample.reference.side);
        let random = &mut sample.random("chains");
        let mut paper = Paper::default();
        for round in 0..400 {
            let solution = random.pick(&sample.solutions).clone();
            let givens = random_givens(&solution, 20 + round % 20, random);
            let mut sets = vec![(1u32 << side) - 1; side * side];
            let place = |sets: &mut [u32], cell: usize, digit: u8| {
                sets[cell] = 1 << (digit - 1);
                let lost = reference.losses(cell, digit).iter();
                sets.iter_mut().zip(lost).for_each(|(set, lost)| *set &= !lost);
            };
            for (cell, &digit) in givens.iter().enumerate().filter(|(_, digit)| **digit != 0) {
                place(&mut sets, cell, digit);
            }
            sample
                .pencil
                .solve_step_by_step(Givens::Digits(&givens), &mut paper, &mut |step| {
                    if let Some((cell, digit)) = step.placement {
                        place(&mut sets, cell.into(), digit);
                    }
                    let mut removed = vec![0u32; side * side];
                    for &(cell, digit) in &step.removals {
                        removed[usize::from(cell)] |= 1 << (digit - 1);
                    }
                    if step.technique == Technique::AlternatingChain {
                        chains += 1;
                        let [first, last] = ends_of_chain(&text(step), side)
                            .map(|(digit, cells)| lost_to(reference, digit, &cells));
                        let all = sets.iter().zip(first.iter().zip(&last));
                        let expected: Vec<u32> = all.map(|(set, (a, b))| set & a & b).collect();
                        let is_kept = |(all, removed): (&u32, &u32)| all & removed == *removed;
                        assert!(expected.iter().zip(&removed).all(is_kept), "{}", text(step));
                        incomplete += u32::from(expected != removed);
                        // A pair that excludes other digits is no link. Nothing else is left.
                        let excludes_other_digits = sample.name.starts_with("nonconsecutive");
                        assert!(
                            expected == removed || excludes_other_digits,
                            "{} {}",
                            sample.name,
                            text(step)
                        );
                    }
                    sets.iter_mut().zip(&removed).for_each(|(set, removed)| *set &= !removed);
                })
                .unwrap();
        }
    }
    assert!(chains > 100 && incomplete > 0, "{incomplete} of {chains}");
    println!("{incomplete} of {chains} chains leave a candidate");
}

#[test]
fn no_step_on_puzzles_of_data_removes_a_digit_of_the_answer() {
    for variants in VARIANTS {
        let read = |ending: &str| {
            let name = variants.replace(',', "-");
            let path = format!("{}/data/{name}.{ending}", env!("CARGO_MANIFEST_DIR"));
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
        };
        let digits = |field: &str| -> Vec<u8> {
            let digit = |symbol: char| symbol.to_digit(36).unwrap_or(0) as u8;
            field.chars().map(digit).collect()
        };
        let (mut paper, mut uses) = (Paper::default(), Uses::new());
        let (puzzles, answers) = (read("txt"), read("answers"));
        let number = puzzles.lines().count();
        assert_eq!(number, answers.lines().count(), "{variants}");
        for (line, answer) in puzzles.lines().zip(answers.lines()) {
            let mut fields = line.split('\t');
            let puzzle = digits(fields.next().unwrap());
            let solution = digits(answer.split('\t').next().unwrap());
            let side = puzzle.len().isqrt();
            let constraints = match fields.next() {
                Some(labels) => Constraints::with_regions(side, variants, labels.as_bytes()),
                None => Constraints::with_boxes(side, variants),
            };
            let rules = rules_of(&constraints);
            let sample = Sample {
                name: line.to_string(),
                pencil: Pencil::new(&rules),
                reference: Reference::new(0, &[], &[], &[]),
                constraints: None,
                solutions: Vec::new(),
            };
            let givens = Givens::Digits(&puzzle);
            assert_keeps_solution(&sample, &solution, givens, &mut paper, &mut uses);
        }
        assert!(uses[&Technique::HiddenSingle] > 100, "{variants}: {uses:?}");
    }
}
