//! The pencil against the same techniques said plainly, against full grids, and on positions made for each technique.

use std::collections::BTreeMap;

use rayon::prelude::*;
use sudoku_filter::{
    End, Givens, Grading, House, HouseName, Pair, Paper, Pencil, Relation, Step, Technique,
};

#[path = "../forms/mod.rs"]
mod forms;
#[path = "../generator/mod.rs"]
mod generator;
mod plain;
mod positions;

use forms::rules_of;
use generator::files::{VARIANTS, sides_of};
use generator::form::Form;
use generator::puzzles;
use generator::random::Random;
use plain::{Plain, symbol};

/// Rules, said to the pencil and said plainly, and grids that obey them.
struct Sample {
    name: String,
    pencil: Pencil,
    plain: Plain,
    form: Option<Form>,
    solutions: Vec<Vec<u8>>,
}

impl Sample {
    /// Rules that the generator knows.
    fn of_variants(variants: &str, side: usize) -> Sample {
        let name = format!("{variants} {side}");
        let random = &mut Random::of(&format!("pencil {name}"));
        let (form, first) = puzzles::form_with_grid(side, variants, random);
        let rules = rules_of(&form);
        let mut solutions: Vec<Vec<u8>> = (0..9)
            .filter_map(|_| puzzles::full_grid(&form, random))
            .collect();
        solutions.push(first);
        Sample {
            name,
            pencil: Pencil::new(&rules),
            plain: Plain::new(side, rules.houses(), rules.groups(), rules.pairs()),
            form: Some(form),
            solutions,
        }
    }

    /// A classic grid with further groups and pairs.
    fn with(name: &str, side: usize, groups: &[House], pairs: &[Pair]) -> Sample {
        let rules = rules_of(&Form::with_boxes(side, "classic"));
        let plain = Plain::new(side, rules.houses(), groups, pairs);
        let random = &mut Random::of(&format!("pencil {name} {side}"));
        let solutions = (0..3).map(|_| plain.full_grid(random));
        Sample {
            name: format!("{name} {side}"),
            pencil: Pencil::from_parts(side, rules.houses(), groups, pairs),
            solutions: solutions.collect(),
            form: None,
            plain,
        }
    }

    fn random(&self, what: &str) -> Random {
        Random::of(&format!("{what} {}", self.name))
    }
}

/// Every combination of variants in every size the generator makes, and those with groups and pairs.
fn samples() -> Vec<Sample> {
    let forms = VARIANTS.iter().flat_map(|&variants| {
        let sides = sides_of(variants).iter();
        sides.map(move |&side| (variants, side))
    });
    let forms: Vec<(&str, usize)> = forms.collect();
    let samples = forms.into_par_iter();
    let mut samples: Vec<Sample> = samples
        .map(|(variants, side)| Sample::of_variants(variants, side))
        .collect();
    samples.extend(samples_with_groups_and_pairs());
    samples
}

fn samples_with_groups_and_pairs() -> Vec<Sample> {
    const KNIGHT: [(isize, isize); 4] = [(1, 2), (1, -2), (2, 1), (2, -1)];
    const KING: [(isize, isize); 2] = [(1, 1), (1, -1)];
    const NEIGHBOURS: [(isize, isize); 2] = [(0, 1), (1, 0)];
    let knight = |side| pairs(side, &KNIGHT, Relation::Knight);
    let king = |side| pairs(side, &KING, Relation::King);
    let neighbours = |side| pairs(side, &NEIGHBOURS, Relation::Neighbours);
    vec![
        Sample::with("groups", 9, &groups(9), &[]),
        Sample::with("groups", 6, &groups(6), &[]),
        Sample::with("antiknight", 9, &[], &knight(9)),
        Sample::with("antiking", 9, &[], &king(9)),
        Sample::with("nonconsecutive", 9, &[], &neighbours(9)),
        Sample::with("nonconsecutive", 8, &[], &neighbours(8)),
        Sample::with("groups, antiknight", 9, &groups(9), &knight(9)),
    ]
}

/// Three groups of four cells: part of a diagonal, a corner each of four boxes, and four scattered ones.
fn groups(side: usize) -> Vec<House> {
    let cells: [Vec<usize>; 3] = [
        (0..4).map(|row| row * (side + 1)).collect(),
        vec![
            side + 1,
            2 * side - 2,
            side * (side - 2) + 1,
            side * (side - 1) - 2,
        ],
        vec![0, 1, side + 3, 3 * side + 4],
    ];
    let groups = cells.into_iter().enumerate();
    let group = |(index, cells): (usize, Vec<usize>)| House {
        name: HouseName::Region(b'a' + index as u8),
        cells: cells.into_iter().map(|cell| cell as u16).collect(),
    };
    groups.map(group).collect()
}

fn pairs(side: usize, moves: &[(isize, isize)], relation: Relation) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for cell in 0..side * side {
        for &(down, right) in moves {
            let row = (cell / side).checked_add_signed(down);
            let column = (cell % side).checked_add_signed(right);
            if let (Some(row), Some(column)) = (row, column)
                && row < side
                && column < side
            {
                let cells = [cell, row * side + column].map(|cell| cell as u16);
                pairs.push(Pair { cells, relation });
            }
        }
    }
    pairs
}

/// The digits of a solution in some cells only.
fn some_of(solution: &[u8], percent: usize, random: &mut Random) -> Vec<u8> {
    let given = |&digit: &u8| {
        if random.below(100) < percent {
            digit
        } else {
            0
        }
    };
    solution.iter().map(given).collect()
}

/// The digits of a solution, and in some cells others beside them.
fn marks_around(solution: &[u8], percent: usize, random: &mut Random) -> Vec<u32> {
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

/// What the pencil says of a puzzle, as the plain way would say it.
fn assert_same_way(sample: &Sample, givens: Givens<'_>, paper: &mut Paper) {
    let side = sample.plain.side;
    let every_digit = (1u32 << side) - 1;
    let way = match givens {
        Givens::Digits(digits) => sample.plain.work(digits, &vec![every_digit; side * side]),
        Givens::Candidates(sets) => sample.plain.work(&vec![0; side * side], sets),
    };
    let told = format!("{} {givens:?}", sample.name);

    let mut steps = Vec::new();
    let grading = sample
        .pencil
        .work_step_by_step(givens, paper, &mut |step| steps.push(text(step)));
    for (step, expected) in steps.iter().zip(&way.steps) {
        assert_eq!(step, expected, "{told}");
    }
    assert_eq!(steps.len(), way.steps.len(), "{told}");
    assert_ends(grading, &way, &told);

    assert_ends(sample.pencil.work(givens, paper), &way, &told);
    let hint = sample.pencil.hint(givens, paper);
    assert_eq!(
        hint.as_ref().map(text),
        way.steps.first().cloned(),
        "{told}"
    );
}

fn assert_ends(grading: Grading<'_>, way: &plain::Way, told: &str) {
    let sets: Vec<u32> = match grading.end {
        End::Solved(digits) => digits.iter().map(|digit| 1 << (digit - 1)).collect(),
        End::Stuck(sets) => sets.to_vec(),
        End::Contradiction => way.sets.clone(),
    };
    let end = match grading.end {
        End::Solved(_) => "solved",
        End::Stuck(_) => "stuck",
        End::Contradiction => "contradiction",
    };
    assert_eq!((end, &sets), (way.end, &way.sets), "{told}");
    let (mut hardest, mut steps) = (None, 0);
    if end != "contradiction" {
        let known = |step: &String| {
            let mut names = Technique::NAMES.into_iter();
            let (_, technique) =
                names.find(|(name, _)| step.split(' ').any(|word| word == *name))?;
            Some(technique)
        };
        hardest = way.steps.iter().filter_map(known).max();
        steps = way.steps.len() as u32;
    }
    assert_eq!((grading.hardest, grading.steps), (hardest, steps), "{told}");
}

#[test]
fn every_step_is_that_of_the_plain_way() {
    samples().par_iter().for_each(|sample| {
        let random = &mut sample.random("plain way");
        let mut paper = Paper::default();
        // The plain way takes long on large grids.
        let rounds = if sample.plain.side > 9 { 1 } else { 8 };
        for round in 0..rounds {
            let solution = random.pick(&sample.solutions).clone();
            let percent = 20 + 4 * round;
            let digits = some_of(&solution, percent + 5, random);
            assert_same_way(sample, Givens::Digits(&digits), &mut paper);
            let marks = marks_around(&solution, percent, random);
            assert_same_way(sample, Givens::Candidates(&marks), &mut paper);
            if let Some(form) = &sample.form {
                let fewest = puzzles::fewest_givens(form);
                for puzzle in [
                    puzzles::dig(form, &solution, fewest, random),
                    puzzles::with_many_solutions(form, &solution, random),
                    puzzles::without_solution(form, &solution, random),
                    puzzles::with_contradicting_givens(form, &solution, random),
                ] {
                    assert_same_way(sample, Givens::Digits(&puzzle), &mut paper);
                }
            }
        }
    });
}

/// How often each technique was used.
type Uses = BTreeMap<Technique, u64>;

/// Works on a puzzle, and makes sure that no digit of its solution goes.
fn assert_keeps(
    sample: &Sample,
    solution: &[u8],
    givens: Givens<'_>,
    paper: &mut Paper,
    uses: &mut Uses,
) {
    let told = |step: &Step| format!("{} {givens:?}: {}", sample.name, text(step));
    let grading = sample.pencil.work_step_by_step(givens, paper, &mut |step| {
        *uses.entry(step.technique).or_default() += 1;
        if let Some((cell, digit)) = step.placement {
            assert_eq!(digit, solution[usize::from(cell)], "{}", told(step));
        }
        for &(cell, digit) in &step.removals {
            assert_ne!(digit, solution[usize::from(cell)], "{}", told(step));
        }
    });
    let (hardest, steps) = (grading.hardest, grading.steps);
    let end = match grading.end {
        End::Solved(digits) => {
            assert_eq!(digits, solution, "{} {givens:?}", sample.name);
            None
        }
        End::Stuck(sets) => Some(sets.to_vec()),
        End::Contradiction => panic!("{} {givens:?} has a solution", sample.name),
    };
    // The quick way comes to the same.
    let quick = sample.pencil.work(givens, paper);
    assert_eq!(
        (quick.hardest, quick.steps),
        (hardest, steps),
        "{} {givens:?}",
        sample.name
    );
    match (quick.end, end) {
        (End::Stuck(sets), Some(expected)) => assert_eq!(sets, expected, "{givens:?}"),
        (end, None) => assert_eq!(end, End::Solved(solution), "{givens:?}"),
        (end, Some(_)) => panic!("{} {givens:?} ends as {end:?}", sample.name),
    }
}

#[test]
fn no_step_removes_a_digit_of_a_solution() {
    let uses = samples().into_par_iter().map(|sample| {
        let random = &mut sample.random("solutions");
        let (mut paper, mut uses) = (Paper::default(), Uses::new());
        let rounds = match sample.plain.side {
            ..=9 => 1500,
            _ => 100,
        };
        for round in 0..rounds {
            let solution = random.pick(&sample.solutions).clone();
            let percent = 15 + round % 40;
            let digits = some_of(&solution, percent, random);
            assert_keeps(
                &sample,
                &solution,
                Givens::Digits(&digits),
                &mut paper,
                &mut uses,
            );
            let marks = marks_around(&solution, percent + 10, random);
            assert_keeps(
                &sample,
                &solution,
                Givens::Candidates(&marks),
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
            all.get(&technique) > Some(&10),
            "{name} is rarely used: {all:?}"
        );
    }
}

#[test]
fn puzzles_of_the_data_keep_their_answers() {
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
        for (line, answer) in read("txt").lines().zip(read("answers").lines()) {
            let mut fields = line.split('\t');
            let puzzle = digits(fields.next().unwrap());
            let solution = digits(answer.split('\t').next().unwrap());
            let side = puzzle.len().isqrt();
            let form = match fields.next() {
                Some(labels) => Form::with_regions(side, variants, labels.as_bytes()),
                None => Form::with_boxes(side, variants),
            };
            let rules = rules_of(&form);
            let sample = Sample {
                name: line.to_string(),
                pencil: Pencil::new(&rules),
                plain: Plain::new(0, &[], &[], &[]),
                form: None,
                solutions: Vec::new(),
            };
            let givens = Givens::Digits(&puzzle);
            assert_keeps(&sample, &solution, givens, &mut paper, &mut uses);
        }
        assert!(uses[&Technique::HiddenSingle] > 100, "{variants}: {uses:?}");
    }
}
