//! Every variant, every two that make sense together, in sizes small enough for the plain search: whatever engine, level
//! or company, the same verdict.

use std::sync::Arc;

use rayon::prelude::*;
use sudoku_filter::{
    Jigsaws, Level, Limits, Method, Progress, Rules, Shape, Solver, Status, Variants, verify,
};

mod generator;

use generator::form::{Form, has};
use generator::layouts::layout;
use generator::puzzles;
use generator::random::Random;
use generator::search::{Choice, Outcome, Search};

const VARIANTS: [&str; 11] = [
    "diagonal",
    "window",
    "jigsaw",
    "regions",
    "disjoint",
    "asterisk",
    "center-dot",
    "girandola",
    "antiknight",
    "antiking",
    "nonconsecutive",
];

/// Each variant alone, and each two that do not contradict each other.
fn lists() -> Vec<String> {
    let alone = VARIANTS.iter().map(|variant| variant.to_string());
    let two = (0..VARIANTS.len()).flat_map(|b| (0..b).map(move |a| [VARIANTS[a], VARIANTS[b]]));
    let two = two.map(|two| two.join(","));
    alone
        .chain(two)
        .filter(|list| list.parse::<Variants>().is_ok())
        .collect()
}

fn makes_sense(list: &str, side: usize) -> bool {
    let pattern = ["asterisk", "center-dot", "girandola"];
    (side == 9 || !pattern.iter().any(|name| has(list, name)))
        && ([4, 9, 16].contains(&side) || !has(list, "window"))
}

fn has_layout(list: &str) -> bool {
    has(list, "jigsaw") || has(list, "regions")
}

fn rules_of(form: &Form) -> Arc<Rules> {
    let boxes = Shape::boxes_of(form.side);
    let shape = match &form.regions {
        Some(labels) if has(&form.variants, "regions") => {
            boxes.unwrap().with_regions(labels, false)
        }
        Some(labels) => Shape::Regions {
            labels,
            disconnected: false,
        },
        None => boxes.unwrap(),
    };
    Arc::new(Rules::new(form.side, shape, &form.variants.parse().unwrap()).unwrap())
}

/// A puzzle, and what its maker knows of it.
struct Sample {
    givens: Vec<u8>,
    status: Status,
    solution: Option<Vec<u8>>,
}

/// A form for these variants, and puzzles in it. Where no grid was found, there are puzzles only if none is possible.
fn samples(list: &str, side: usize) -> (Form, Vec<Sample>) {
    let random = &mut Random::of(&format!("variants {list} {side}"));
    let mut last = None;
    for _ in 0..if has_layout(list) { 12 } else { 3 } {
        let form = if has_layout(list) {
            Form::with_regions(side, list, &layout(side, list, random))
        } else {
            Form::with_boxes(side, list)
        };
        if let Some(grid) = puzzles::full_grid(&form, random) {
            let samples = samples_from(&form, &grid, random);
            return (form, samples);
        }
        last = Some(form);
    }
    let form = last.expect("several were tried");
    let blank = vec![0; form.cells()];
    let ends = Search::new(&form, &blank, Choice::First, 300).go_on() == Outcome::Exhausted;
    let none = ends.then_some(Sample {
        givens: blank,
        status: Status::None,
        solution: None,
    });
    (form, none.into_iter().collect())
}

fn samples_from(form: &Form, grid: &[u8], random: &mut Random) -> Vec<Sample> {
    let mut samples = Vec::new();
    // So many givens that the plain search comes to an end.
    for percent in [40, 55] {
        let givens = puzzles::dig(form, grid, form.cells() * percent / 100, random);
        samples.extend(
            with_two_solutions(form, &givens, random).map(|givens| Sample {
                givens,
                status: Status::Multiple,
                solution: None,
            }),
        );
        samples.extend(
            without_solution(form, &givens, random).map(|givens| Sample {
                givens,
                status: Status::None,
                solution: None,
            }),
        );
        samples.push(Sample {
            givens,
            status: Status::Unique,
            solution: Some(grid.to_vec()),
        });
    }
    samples.push(Sample {
        givens: puzzles::with_contradicting_givens(form, grid, random),
        status: Status::None,
        solution: None,
    });
    samples
}

/// Some givens fewer; none if there are two solutions only where the generator sees but one.
fn with_two_solutions(form: &Form, givens: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut givens = givens.to_vec();
    let mut cells: Vec<usize> = (0..givens.len())
        .filter(|&cell| givens[cell] != 0)
        .collect();
    random.shuffle(&mut cells);
    cells.into_iter().find_map(|cell| {
        givens[cell] = 0;
        puzzles::has_two_solutions(form, &givens).then(|| givens.clone())
    })
}

/// One given changed, against no rule that can be seen at once.
fn without_solution(form: &Form, givens: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    (0..50).find_map(|_| {
        let mut givens = givens.to_vec();
        let cell = random.below(givens.len());
        let wrong = 1 + random.below(form.side) as u8;
        let was = std::mem::replace(&mut givens[cell], 0);
        if was == 0 || was == wrong || form.forbids(&givens, cell, wrong) {
            return None;
        }
        givens[cell] = wrong;
        let search = Search::new(form, &givens, Choice::First, 100).go_on();
        (search == Outcome::Exhausted).then_some(givens)
    })
}

/// Status, solution and branches of each grid.
type Said = Vec<(Status, Option<Vec<u8>>, u64)>;

fn ask(grids: usize, solve: impl FnOnce(&mut dyn FnMut(Progress<'_>))) -> Said {
    let mut said = vec![None; grids];
    solve(&mut |progress| {
        if let Progress::Found(index, found) = progress {
            let solution = found.solution.map(<[u8]>::to_vec);
            said[index] = Some((found.status, solution, found.guesses));
        }
    });
    said.into_iter().map(Option::unwrap).collect()
}

fn levels() -> impl Iterator<Item = Level> {
    Level::NAMES.into_iter().filter_map(Level::named)
}

/// What a form has to say for itself: puzzles that were asked about, and how many the plain search decided.
fn check(list: &str, side: usize) -> (usize, usize) {
    let (form, samples) = samples(list, side);
    let rules = rules_of(&form);
    let grids: Vec<u8> = samples
        .iter()
        .flat_map(|sample| sample.givens.clone())
        .collect();
    let limits = Limits::default();
    let lanes: Vec<Said> = levels()
        .map(|level| {
            let solver = Solver::new(rules.clone(), Method::Lanes, limits).at(level);
            ask(samples.len(), |report| {
                solver.solve_reporting(&grids, report)
            })
        })
        .collect();
    for other in &lanes[1..] {
        assert_eq!(*other, lanes[0], "{list} {side}: the levels differ");
    }
    if has_layout(list) {
        // Few of a layout share a sweep with others.
        let jigsaws = Jigsaws::new(Method::Lanes, limits, Level::best());
        let own: Vec<Arc<Rules>> = samples.iter().map(|_| rules.clone()).collect();
        let mixed = ask(samples.len(), |report| {
            jigsaws.solve_reporting(&own, &grids, report)
        });
        assert_eq!(mixed, lanes[0], "{list} {side}: company makes a difference");
    }
    let limits = Limits {
        max_guesses: 20_000,
    };
    let backtrack = Solver::new(rules.clone(), Method::Backtrack, limits);
    let backtrack = ask(samples.len(), |report| {
        backtrack.solve_reporting(&grids, report)
    });
    let mut decided = 0;
    for ((sample, lanes), backtrack) in samples.iter().zip(&lanes[0]).zip(&backtrack) {
        let name = format!("{list} {side} {:?} {:?}", sample.givens, form.regions);
        assert_eq!(lanes.0, sample.status, "{name}");
        if backtrack.0 != Status::Unknown {
            decided += 1;
            assert_eq!(backtrack.0, sample.status, "{name}");
        }
        for said in [lanes, backtrack] {
            if let Some(solution) = &said.1 {
                assert_eq!(verify(&rules, &sample.givens, solution), Ok(()), "{name}");
            }
            if said.0 == Status::Unique {
                assert_eq!(said.1, sample.solution, "{name}");
            }
        }
    }
    (samples.len(), decided)
}

fn check_all(lists: &[String], sides: &[usize]) -> Vec<(String, usize, (usize, usize))> {
    let forms = lists
        .iter()
        .flat_map(|list| sides.iter().map(move |&side| (list, side)));
    let forms: Vec<(&String, usize)> = forms
        .filter(|(list, side)| makes_sense(list, *side))
        .collect();
    forms
        .into_par_iter()
        .map(|(list, side)| (list.clone(), side, check(list, side)))
        .collect()
}

#[test]
fn every_variant_and_every_two_get_the_verdicts_their_maker_knows() {
    let lists = lists();
    assert_eq!(lists.len(), 11 + 55 - 2);
    let checked = check_all(&lists, &[4, 6, 8, 9]);
    let nothing: Vec<_> = checked
        .iter()
        .filter(|(_, _, (puzzles, _))| *puzzles == 0)
        .collect();
    println!(
        "{} forms, {} without puzzles: {nothing:?}",
        checked.len(),
        nothing.len()
    );
    let (puzzles, decided) = checked
        .iter()
        .fold((0, 0), |sum, (_, _, (puzzles, decided))| {
            (sum.0 + puzzles, sum.1 + decided)
        });
    println!("{puzzles} puzzles, {decided} decided");
    panic!("look");
}

#[test]
fn every_variant_gets_them_in_larger_sizes_too() {
    let alone: Vec<String> = VARIANTS.iter().map(|variant| variant.to_string()).collect();
    let checked = check_all(&alone, &[10, 12, 15, 16, 20, 25]);
    let nothing: Vec<_> = checked
        .iter()
        .filter(|(_, _, (puzzles, _))| *puzzles == 0)
        .collect();
    println!(
        "{} forms, {} without puzzles: {nothing:?}",
        checked.len(),
        nothing.len()
    );
    let (puzzles, decided) = checked
        .iter()
        .fold((0, 0), |sum, (_, _, (puzzles, decided))| {
            (sum.0 + puzzles, sum.1 + decided)
        });
    println!("{puzzles} puzzles, {decided} decided");
    panic!("look");
}
