//! All solutions, counted and shown: the lanes against the plain search, every level against every other.

use std::collections::HashSet;
use std::sync::Arc;

use sudoku_filter::{
    Givens, Level, Limits, Method, Progress, Puzzles, Rules, Shape, Solver, Status,
};

mod forms;
mod generator;

use forms::rules_of;
use generator::puzzles;
use generator::random::Random;

/// What a solver told of one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Told {
    status: Status,
    solutions: u64,
    complete: bool,
    guesses: u64,
    first: Option<Vec<u8>>,
    shown: Vec<Vec<u8>>,
}

const ALL: Limits = Limits {
    max_guesses: 0,
    solutions: u64::MAX,
    shown: u64::MAX,
};

fn ask(solver: &Solver, number: usize, puzzles: Puzzles<'_>) -> Vec<Told> {
    let mut shown = vec![Vec::new(); number];
    let mut told = vec![None; number];
    solver.solve_reporting(puzzles, &mut |progress| match progress {
        Progress::Solution(index, solution) => shown[index].push(solution.to_vec()),
        Progress::Found(index, found) => {
            let before = told[index].replace(Told {
                status: found.status,
                solutions: found.solutions,
                complete: found.complete,
                guesses: found.guesses,
                first: found.solution.map(<[u8]>::to_vec),
                shown: shown[index].clone(),
            });
            assert_eq!(before, None, "puzzle {index} was answered twice");
        }
        Progress::AtWork => {}
    });
    told.into_iter()
        .map(|told| told.expect("every puzzle is answered"))
        .collect()
}

fn rules(side: usize, variants: &str) -> Arc<Rules> {
    let shape = Shape::boxes_of(side).unwrap();
    Arc::new(Rules::new(side, shape, &variants.parse().unwrap()).unwrap())
}

fn levels() -> impl Iterator<Item = Level> {
    Level::NAMES.iter().filter_map(|name| Level::named(name))
}

/// By both methods, and the lanes at every level.
fn solvers(rules: &Arc<Rules>, limits: Limits) -> Vec<Solver> {
    let lanes = levels().map(|level| Solver::new(rules.clone(), Method::Lanes, limits).at(level));
    let backtrack = Solver::new(rules.clone(), Method::Backtrack, limits);
    lanes.chain([backtrack]).collect()
}

/// Puzzles with some dozens of solutions, with one, or with none.
fn samples(side: usize, variants: &str) -> (Arc<Rules>, Vec<Vec<u8>>) {
    let random = &mut Random::of(&format!("solutions {variants} {side}"));
    let (form, first) = puzzles::form_with_grid(side, variants, random);
    let few = Limits {
        solutions: 300,
        ..ALL
    };
    let solver = Solver::new(rules_of(&form), Method::Lanes, few);
    let mut samples = Vec::new();
    for wanted in [1, 2, 5, 10, 20] {
        let solution = puzzles::full_grid(&form, random).unwrap_or_else(|| first.clone());
        let mut givens = puzzles::dig(&form, &solution, form.cells() / 2, random);
        loop {
            let given: Vec<usize> = (0..givens.len())
                .filter(|&cell| givens[cell] != 0)
                .collect();
            givens[given[random.below(given.len())]] = 0;
            let told = &ask(&solver, 1, Puzzles::of_digits(&givens))[0];
            if told.solutions > wanted {
                if told.complete {
                    samples.push(givens);
                }
                break;
            }
        }
        // One given changed at will: mostly without solution.
        let mut givens = puzzles::dig(&form, &solution, form.cells() / 2, random);
        let given: Vec<usize> = (0..givens.len())
            .filter(|&cell| givens[cell] != 0)
            .collect();
        givens[given[random.below(given.len())]] = random.below(side) as u8 + 1;
        samples.push(givens);
        samples.push(solution);
    }
    (rules_of(&form), samples)
}

#[test]
fn a_blank_four_by_four_has_288_grids_and_48_with_diagonals() {
    for (variants, grids) in [("classic", 288), ("diagonal", 48)] {
        for solver in solvers(&rules(4, variants), ALL) {
            let told = &ask(&solver, 1, Puzzles::of_digits(&[0; 16]))[0];
            assert_eq!((told.status, told.solutions), (Status::Multiple, grids));
            assert!(told.complete);
            let different: HashSet<&Vec<u8>> = told.shown.iter().collect();
            assert_eq!(different.len() as u64, grids, "{variants}");
        }
    }
}

#[test]
fn every_method_finds_all_solutions_once_and_every_level_in_the_same_order() {
    for (side, variants) in [
        (9, "classic"),
        (9, "diagonal"),
        (9, "window"),
        (7, "jigsaw"),
        (7, "jigsaw,diagonal"),
        (6, "classic"),
    ] {
        let (rules, samples) = samples(side, variants);
        let grids = samples.concat();
        let solvers = solvers(&rules, ALL);
        let (backtrack, lanes) = solvers.split_last().unwrap();
        let expected = ask(backtrack, samples.len(), Puzzles::of_digits(&grids));
        assert!(
            expected.iter().any(|told| told.solutions > 5),
            "{variants} {side}"
        );
        let of_lanes: Vec<Vec<Told>> = lanes
            .iter()
            .map(|solver| ask(solver, samples.len(), Puzzles::of_digits(&grids)))
            .collect();
        for told in &of_lanes {
            assert_eq!(told, &of_lanes[0], "{variants} {side}");
        }
        for ((told, expected), givens) in of_lanes[0].iter().zip(&expected).zip(&samples) {
            assert_eq!(told.status, expected.status, "{variants} {givens:?}");
            assert_eq!(told.solutions, expected.solutions, "{variants} {givens:?}");
            assert!(told.complete && expected.complete);
            assert_eq!(told.first.as_ref(), told.shown.first());
            let [mut these, mut those] = [told, expected].map(|told| told.shown.clone());
            these.sort();
            those.sort();
            assert!(these.windows(2).all(|two| two[0] != two[1]));
            assert_eq!(these, those, "{variants} {givens:?}");
            // Alone it comes to the same as among others.
            let alone = &ask(&lanes[0], 1, Puzzles::of_digits(givens))[0];
            assert_eq!(alone, told);
        }
    }
}

#[test]
fn a_search_ends_with_as_many_solutions_as_were_asked_for() {
    let rules = rules(4, "classic");
    for solutions in [1, 2, 3, 287, 288, 289] {
        for shown in [0, 1, 2, 300] {
            let limits = Limits {
                max_guesses: 0,
                solutions,
                shown,
            };
            for solver in solvers(&rules, limits) {
                let told = &ask(&solver, 1, Puzzles::of_digits(&[0; 16]))[0];
                let status = match solutions {
                    1 => Status::Unknown,
                    _ => Status::Multiple,
                };
                assert_eq!(told.status, status);
                assert_eq!(told.solutions, solutions.min(288));
                let told_of = if shown > 1 { shown } else { 0 };
                assert_eq!(told.shown.len() as u64, told_of.min(told.solutions));
                assert_eq!(told.first.is_some(), shown > 0);
                assert_eq!(told.complete, solutions == 289);
            }
        }
    }
}

#[test]
fn two_solutions_are_enough_for_a_verdict_where_guesses_are_not() {
    let rules = rules(9, "classic");
    for max_guesses in [40, 60, 200, 1000] {
        let limits = Limits { max_guesses, ..ALL };
        for solver in solvers(&rules, limits) {
            let told = &ask(&solver, 1, Puzzles::of_digits(&[0; 81]))[0];
            assert_eq!((told.guesses, told.complete), (max_guesses, false));
            let expected = match told.solutions {
                0 | 1 => Status::Unknown,
                _ => Status::Multiple,
            };
            assert_eq!(told.status, expected);
            assert_eq!(told.shown.len() as u64, told.solutions);
        }
    }
}

#[test]
fn candidates_say_the_same_as_the_digits_they_stand_for() {
    for (side, variants) in [
        (9, "classic"),
        (9, "diagonal"),
        (7, "jigsaw"),
        (6, "classic"),
    ] {
        let (rules, samples) = samples(side, variants);
        let every_digit = (1 << side) - 1;
        let sets: Vec<u32> = samples
            .concat()
            .iter()
            .map(|&digit| match digit {
                0 => every_digit,
                _ => 1 << (digit - 1),
            })
            .collect();
        let puzzles = Puzzles {
            givens: Givens::Candidates(&sets),
            seeds: &[],
        };
        for solver in solvers(&rules, ALL) {
            let by_digits = ask(
                &solver,
                samples.len(),
                Puzzles::of_digits(&samples.concat()),
            );
            let by_candidates = ask(&solver, samples.len(), puzzles);
            for (a, b) in by_digits.iter().zip(&by_candidates) {
                assert_eq!((a.status, a.solutions), (b.status, b.solutions));
                let [a, b]: [HashSet<&Vec<u8>>; 2] = [a, b].map(|told| told.shown.iter().collect());
                assert_eq!(a, b);
            }
        }
    }
}

#[test]
fn candidates_struck_at_will_leave_what_the_plain_search_says() {
    for (side, variants) in [
        (4, "classic"),
        (9, "classic"),
        (9, "diagonal"),
        (9, "jigsaw"),
    ] {
        let random = &mut Random::of(&format!("candidates {variants} {side}"));
        let (form, first) = puzzles::form_with_grid(side, variants, random);
        let rules = rules_of(&form);
        let mut sets = Vec::new();
        let number = 200;
        for puzzle in 0..number {
            let solution = puzzles::full_grid(&form, random).unwrap_or_else(|| first.clone());
            // Most keep the digit of a grid in each cell; of some it is struck in one.
            for &digit in &solution {
                let half = random.below(1 << side) as u32;
                let others = half & random.below(1 << side) as u32;
                let stays = random.below(3 + puzzle % 3) > 0;
                let others = if stays { others } else { half };
                sets.push(others | 1 << (digit - 1));
            }
            if puzzle % 5 == 4 {
                let cell = random.below(solution.len());
                let at = sets.len() - solution.len() + cell;
                sets[at] &= !(1 << (solution[cell] - 1));
            }
        }
        let puzzles = Puzzles {
            givens: Givens::Candidates(&sets),
            seeds: &[],
        };
        let limits = Limits {
            max_guesses: 0,
            solutions: 50,
            shown: 50,
        };
        let solvers = solvers(&rules, limits);
        let (backtrack, lanes) = solvers.split_last().unwrap();
        let expected = ask(backtrack, number, puzzles);
        for status in [Status::Unique, Status::Multiple, Status::None] {
            assert!(
                expected.iter().any(|told| told.status == status),
                "{status:?}"
            );
        }
        for solver in lanes {
            for (told, expected) in ask(solver, number, puzzles).iter().zip(&expected) {
                assert_eq!(
                    (told.status, told.solutions, told.complete),
                    (expected.status, expected.solutions, expected.complete)
                );
            }
        }
    }
}

/// Full grids made of nothing, one a seed.
fn drawn(rules: &Arc<Rules>, method: Method, number: u64) -> Vec<Vec<u8>> {
    let seeds: Vec<u64> = (0..number).collect();
    let blank = vec![0; seeds.len() * rules.cells()];
    let puzzles = Puzzles {
        givens: Givens::Digits(&blank),
        seeds: &seeds,
    };
    let solver = Solver::new(rules.clone(), method, Limits::default());
    let told = ask(&solver, seeds.len(), puzzles);
    told.into_iter()
        .map(|told| {
            assert_eq!(told.status, Status::Multiple);
            told.first.unwrap()
        })
        .collect()
}

#[test]
fn seeds_make_varied_grids_of_nothing() {
    for (side, variants) in [
        (9, "classic"),
        (9, "diagonal"),
        (9, "window"),
        (9, "jigsaw"),
        (6, "classic"),
        (16, "classic"),
    ] {
        let random = &mut Random::of(&format!("seeds {variants} {side}"));
        let rules = rules_of(&puzzles::form_with_grid(side, variants, random).0);
        let grids = drawn(&rules, Method::Lanes, 1000);
        let different: HashSet<&Vec<u8>> = grids.iter().collect();
        assert!(
            different.len() >= 990,
            "{variants} {side}: {}",
            different.len()
        );
        for cell in [0, side * side / 2, side * side - 1] {
            let mut often = vec![0.0; side + 1];
            for grid in &grids {
                often[usize::from(grid[cell])] += 1.0;
            }
            let fair = 1000.0 / side as f64;
            let off: f64 = often[1..]
                .iter()
                .map(|n| (n - fair) * (n - fair) / fair)
                .sum();
            // Less than one in a thousand fair draws of 16 digits is so far off.
            assert!(off < 60.0, "{variants} {side} cell {cell}: {often:?}");
        }
    }
}

#[test]
fn the_plain_search_draws_its_order_too() {
    let rules = rules(4, "classic");
    let different: HashSet<Vec<u8>> = drawn(&rules, Method::Backtrack, 3000).into_iter().collect();
    assert_eq!(different.len(), 288, "each grid is drawn now and then");
}

#[test]
fn seeds_change_neither_verdicts_nor_counts_and_are_the_same_at_every_level() {
    for (side, variants) in [(9, "classic"), (7, "jigsaw"), (6, "diagonal")] {
        let (rules, samples) = samples(side, variants);
        let grids = samples.concat();
        let seeds: Vec<u64> = (7..7 + samples.len() as u64).collect();
        let with_seeds = Puzzles {
            givens: Givens::Digits(&grids),
            seeds: &seeds,
        };
        let mut by_lanes: Option<Vec<Told>> = None;
        let solvers = solvers(&rules, ALL);
        for (number, solver) in solvers.iter().enumerate() {
            let plain = ask(solver, samples.len(), Puzzles::of_digits(&grids));
            let told = ask(solver, samples.len(), with_seeds);
            for (a, b) in plain.iter().zip(&told) {
                assert_eq!((a.status, a.solutions), (b.status, b.solutions));
                let [a, b]: [HashSet<&Vec<u8>>; 2] = [a, b].map(|told| told.shown.iter().collect());
                assert_eq!(a, b);
            }
            if number + 1 < solvers.len() {
                assert_eq!(*by_lanes.get_or_insert_with(|| told.clone()), told);
            }
        }
    }
}

#[test]
fn blank_grids_with_windows_and_layouts_that_no_grid_fits_are_answered() {
    for (side, variants) in [(16, "window"), (16, "diagonal,window"), (25, "classic")] {
        let solver = Solver::new(rules(side, variants), Method::Lanes, Limits::default());
        let told = &ask(&solver, 1, Puzzles::of_digits(&vec![0; side * side]))[0];
        assert_eq!(told.status, Status::Multiple, "{variants} {side}");
    }
    let random = &mut Random::of("layouts without grid");
    for side in [5, 6, 7, 8] {
        let rules = rules_of(&puzzles::form_without_grid(side, "jigsaw", random));
        let solver = Solver::new(rules, Method::Lanes, Limits::default());
        assert_eq!(
            ask(&solver, 1, Puzzles::of_digits(&vec![0; side * side]))[0].status,
            Status::None
        );
    }
}
