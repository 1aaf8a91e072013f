//! Counting and listing all solutions: the lanes against the backtracking solver, and every CPU
//! level against every other.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use sudoku_filter::program::Level;
use sudoku_filter::{Givens, Limits, Method, Progress, Puzzles, Rules, Shape, Solver, Status};

use crate::convert::rules_of;
use crate::full;
use crate::generator::constraints::has;
use crate::generator::killers;
use crate::generator::puzzles;
use crate::generator::random::Random;

/// The result of one solver for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    status: Status,
    solutions: u64,
    complete: bool,
    guesses: u64,
    first: Option<Vec<u8>>,
    shown: Vec<Vec<u8>>,
}

const ALL: Limits = Limits::NONE;

/// A solver, and the limits of its searches.
type LimitedSolver = (Solver, Limits);

fn solve((solver, limits): &LimitedSolver, number: usize, puzzles: Puzzles<'_>) -> Vec<Finding> {
    let mut shown = vec![Vec::new(); number];
    let mut findings = vec![None; number];
    let flow = solver
        .solve(puzzles, *limits, &mut |progress| {
            match progress {
                Progress::Solution(index, solution) => shown[index].push(solution.to_vec()),
                Progress::Found(index, found) => {
                    let before = findings[index].replace(Finding {
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
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert!(flow.is_continue());
    findings.into_iter().map(|finding| finding.expect("every puzzle is answered")).collect()
}

fn rules(side: usize, variants: &str) -> Arc<Rules> {
    let shape = Shape::boxes_of(side).unwrap();
    Arc::new(Rules::new(side, shape, &variants.parse().unwrap()).unwrap())
}

fn levels() -> impl Iterator<Item = Level> {
    Level::NAMES.iter().filter_map(|name| Level::named(name))
}

/// Returns the lanes at every CPU level; the last solver is the backtracking one.
fn solvers(rules: &Arc<Rules>, limits: Limits) -> Vec<LimitedSolver> {
    let lanes = levels().map(|level| Solver::new(rules.clone(), Method::Lanes).at(level));
    let backtrack = Solver::new(rules.clone(), Method::Backtrack);
    let solvers = lanes.chain([backtrack]);
    solvers.map(|solver| (solver, limits)).collect()
}

/// Returns puzzles with some dozens of solutions, with one, and with none.
fn samples(side: usize, variants: &str) -> (Arc<Rules>, Vec<Vec<u8>>) {
    let random = &mut Random::of(&format!("solutions {variants} {side}"));
    let (mut constraints, first) = puzzles::constraints_with_grid(side, variants, random);
    if has(variants, "killer") {
        constraints = killers::with_sparse_cages(&constraints, &first, random);
    }
    let mut few = ALL;
    few.solutions = 300;
    let solver = (Solver::new(rules_of(&constraints), Method::Lanes), few);
    let mut samples = Vec::new();
    for wanted in [1, 2, 5, 10, 20] {
        let solution = puzzles::full_grid(&constraints, random).unwrap_or_else(|| first.clone());
        let mut givens = puzzles::dig(&constraints, &solution, constraints.cells() / 2, random);
        loop {
            let given: Vec<usize> = (0..givens.len()).filter(|&cell| givens[cell] != 0).collect();
            // A killer can have fewer solutions, even without givens.
            if given.is_empty() {
                samples.push(givens);
                break;
            }
            givens[given[random.below(given.len())]] = 0;
            let finding = &solve(&solver, 1, Puzzles::of_digits(&givens))[0];
            if finding.solutions > wanted {
                if finding.complete {
                    samples.push(givens);
                }
                break;
            }
        }
        // Replace one given by a random digit: most of these puzzles have no solution.
        let mut givens = puzzles::dig(&constraints, &solution, constraints.cells() / 2, random);
        let given: Vec<usize> = (0..givens.len()).filter(|&cell| givens[cell] != 0).collect();
        givens[given[random.below(given.len())]] = random.below(side) as u8 + 1;
        samples.push(givens);
        samples.push(solution);
    }
    (rules_of(&constraints), samples)
}

#[test]
fn a_blank_4x4_has_288_solutions_and_48_with_diagonals() {
    for (variants, grids) in [("classic", 288), ("diagonal", 48)] {
        for solver in solvers(&rules(4, variants), ALL) {
            let finding = &solve(&solver, 1, Puzzles::of_digits(&[0; 16]))[0];
            assert_eq!(
                (finding.status, finding.solutions),
                (Status::Multiple, grids),
                "{variants} 4x4, blank"
            );
            assert!(finding.complete, "{variants}");
            let different: HashSet<&Vec<u8>> = finding.shown.iter().collect();
            assert_eq!(different.len() as u64, grids, "{variants}");
        }
    }
}

#[test]
fn every_method_finds_each_solution_once_and_levels_agree_on_the_order() {
    for (side, variants) in [
        (9, "classic"),
        (9, "diagonal"),
        (9, "window"),
        (7, "jigsaw"),
        (7, "jigsaw,diagonal"),
        (6, "classic"),
        // Backtracking takes long to count the solutions of larger killers.
        (6, "killer"),
        (7, "killer,jigsaw"),
    ] {
        let (rules, samples) = samples(side, variants);
        let grids = samples.concat();
        let solvers = solvers(&rules, ALL);
        let (backtrack, lanes) = solvers.split_last().unwrap();
        let expected = solve(backtrack, samples.len(), Puzzles::of_digits(&grids));
        assert!(expected.iter().any(|finding| finding.solutions > 5), "{variants} {side}");
        let of_lanes: Vec<Vec<Finding>> = lanes
            .iter()
            .map(|solver| solve(solver, samples.len(), Puzzles::of_digits(&grids)))
            .collect();
        for findings in &of_lanes {
            assert_eq!(findings, &of_lanes[0], "{variants} {side}");
        }
        for ((finding, expected), givens) in of_lanes[0].iter().zip(&expected).zip(&samples) {
            assert_eq!(finding.status, expected.status, "{variants} {givens:?}");
            assert_eq!(finding.solutions, expected.solutions, "{variants} {givens:?}");
            assert!(finding.complete && expected.complete, "{variants} {givens:?}");
            assert_eq!(finding.first.as_ref(), finding.shown.first(), "{variants} {givens:?}");
            let [mut by_lanes, mut by_backtracking] =
                [finding, expected].map(|finding| finding.shown.clone());
            by_lanes.sort();
            by_backtracking.sort();
            assert!(by_lanes.windows(2).all(|two| two[0] != two[1]), "{variants} {givens:?}");
            assert_eq!(by_lanes, by_backtracking, "{variants} {givens:?}");
            // A puzzle solved alone has the same result.
            let alone = &solve(&lanes[0], 1, Puzzles::of_digits(givens))[0];
            assert_eq!(alone, finding, "{variants} {givens:?}");
        }
    }
}

/// Removes givens until a puzzle has more than `wanted` solutions, but not many times that.
fn with_many_solutions(side: usize, variants: &str, wanted: u64) -> (Arc<Rules>, Vec<u8>) {
    let random = &mut Random::of(&format!("counts {variants} {side} {wanted}"));
    let (constraints, first) = puzzles::constraints_with_grid(side, variants, random);
    let rules = rules_of(&constraints);
    let mut limits = ALL.with_solutions(4 * wanted);
    limits.shown = 0;
    let solver = (Solver::new(rules.clone(), Method::Lanes), limits);
    let mut givens = puzzles::full_grid(&constraints, random).unwrap_or(first);
    let mut cells: Vec<usize> = (0..givens.len()).collect();
    while !cells.is_empty() {
        let cell = cells.swap_remove(random.below(cells.len()));
        let digit = std::mem::take(&mut givens[cell]);
        match solve(&solver, 1, Puzzles::of_digits(&givens))[0].solutions {
            number if number == 4 * wanted => givens[cell] = digit,
            number if number > wanted => break,
            _ => {}
        }
    }
    (rules, givens)
}

#[test]
fn counts_of_many_solutions_are_the_numbers_of_those_that_are_listed() {
    for (side, variants) in [
        (6, "classic"),
        (8, "diagonal"),
        (9, "classic"),
        (9, "window"),
        (9, "disjoint,diagonal"),
        (9, "antiknight"),
        (9, "nonconsecutive"),
        (9, "jigsaw"),
        (9, "jigsaw,diagonal"),
        (9, "regions"),
    ]
    .into_iter()
    .step_by(full::step(4))
    {
        let (rules, givens) = with_many_solutions(side, variants, 150);
        // Shows the first solution, and counts the others.
        let mut counts = ALL;
        counts.shown = 1;
        // Listed one after the other. The plain search takes too long for some variants.
        let lister = (Solver::new(rules.clone(), Method::Lanes), ALL);
        let expected = &solve(&lister, 1, Puzzles::of_digits(&givens))[0];
        let different: HashSet<&Vec<u8>> = expected.shown.iter().collect();
        assert_eq!(different.len() as u64, expected.solutions);
        let every_digit = u32::MAX >> (32 - side);
        let sets: Vec<u32> = givens
            .iter()
            .map(|&digit| if digit == 0 { every_digit } else { 1 << (digit - 1) })
            .collect();
        for level in levels() {
            for most in [u64::MAX, expected.solutions - 1] {
                let mut limits = counts;
                limits.solutions = most;
                let solver = (Solver::new(rules.clone(), Method::Lanes).at(level), limits);
                // Alone, in company, and as candidates.
                let company = givens.repeat(2);
                let marks = Puzzles { givens: Givens::Candidates(&sets), seeds: &[] };
                let alone = solve(&solver, 1, Puzzles::of_digits(&givens));
                let together = solve(&solver, 2, Puzzles::of_digits(&company));
                let as_candidates = solve(&solver, 1, marks);
                for finding in alone.iter().chain(&together).chain(&as_candidates) {
                    let name = format!("{variants} {side} {most} {givens:?}");
                    assert_eq!(finding.solutions, expected.solutions.min(most), "{name}");
                    assert_eq!(finding.complete, most > expected.solutions, "{name}");
                    assert_eq!(finding.status, Status::Multiple, "{name}");
                }
            }
        }
    }
}

/// OEIS A107739 counts grids. Felgenhauer and Jarvis (2005) give the completions of first bands, up
/// to a factor of 72.
#[test]
fn counts_are_the_published_numbers() {
    let mut limits = ALL;
    limits.shown = 0;
    let solver = (Solver::new(rules(6, "classic"), Method::Lanes), limits);
    let finding = &solve(&solver, 1, Puzzles::of_digits(&[0; 36]))[0];
    assert_eq!((finding.solutions, finding.complete), (28_200_960, true));
}

#[test]
fn a_search_ends_at_the_solution_limit() {
    let rules = rules(4, "classic");
    for solutions in [1, 2, 3, 287, 288, 289] {
        for shown in [0, 1, 2, 300] {
            let mut limits = ALL.with_solutions(solutions);
            limits.shown = shown;
            for solver in solvers(&rules, limits) {
                let finding = &solve(&solver, 1, Puzzles::of_digits(&[0; 16]))[0];
                let status = match solutions {
                    1 => Status::Unknown,
                    _ => Status::Multiple,
                };
                let name = format!("blank 4x4, {solutions} solutions, {shown} shown");
                assert_eq!(finding.status, status, "{name}");
                assert_eq!(finding.solutions, solutions.min(288), "{name}");
                let expected_shown = if shown > 1 { shown } else { 0 };
                assert_eq!(
                    finding.shown.len() as u64,
                    expected_shown.min(finding.solutions),
                    "{name}"
                );
                assert_eq!(finding.first.is_some(), shown > 0, "{name}");
                assert_eq!(finding.complete, solutions == 289, "{name}");
            }
        }
    }
}

#[test]
fn two_solutions_prove_multiple_even_at_the_guess_limit() {
    let rules = rules(9, "classic");
    for max_guesses in [40, 60, 200, 1000] {
        let limits = ALL.with_max_guesses(max_guesses);
        for solver in solvers(&rules, limits) {
            let finding = &solve(&solver, 1, Puzzles::of_digits(&[0; 81]))[0];
            let name = format!("blank 9x9, {max_guesses} guesses");
            assert_eq!((finding.guesses, finding.complete), (max_guesses, false), "{name}");
            let expected = match finding.solutions {
                0 | 1 => Status::Unknown,
                _ => Status::Multiple,
            };
            assert_eq!(finding.status, expected, "{name}");
            assert_eq!(finding.shown.len() as u64, finding.solutions, "{name}");
        }
    }
}

#[test]
fn puzzles_as_candidates_have_the_solutions_of_puzzles_as_digits() {
    for (side, variants) in [
        (9, "classic"),
        (9, "diagonal"),
        (7, "jigsaw"),
        (6, "classic"),
        (6, "killer"),
        (9, "killer"),
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
        let puzzles = Puzzles { givens: Givens::Candidates(&sets), seeds: &[] };
        for solver in solvers(&rules, ALL) {
            let by_digits = solve(&solver, samples.len(), Puzzles::of_digits(&samples.concat()));
            let by_candidates = solve(&solver, samples.len(), puzzles);
            for ((a, b), givens) in by_digits.iter().zip(&by_candidates).zip(&samples) {
                let name = format!("{variants} {givens:?}");
                assert_eq!((a.status, a.solutions), (b.status, b.solutions), "{name}");
                let [a, b]: [HashSet<&Vec<u8>>; 2] =
                    [a, b].map(|finding| finding.shown.iter().collect());
                assert_eq!(a, b, "{name}");
            }
        }
    }
}

#[test]
fn lanes_agree_with_backtracking_on_random_candidates() {
    for (side, variants) in [(4, "classic"), (9, "classic"), (9, "diagonal"), (9, "jigsaw")] {
        let random = &mut Random::of(&format!("candidates {variants} {side}"));
        let (constraints, first) = puzzles::constraints_with_grid(side, variants, random);
        let rules = rules_of(&constraints);
        let mut sets = Vec::new();
        let number = 200;
        for puzzle in 0..number {
            let solution =
                puzzles::full_grid(&constraints, random).unwrap_or_else(|| first.clone());
            // Most puzzles keep the solution's digit in every cell. Every fifth loses it in one
            // cell.
            for &digit in &solution {
                let half = random.below(1 << side) as u32;
                let others = half & random.below(1 << side) as u32;
                let keeps_few = random.below(3 + puzzle % 3) > 0;
                let others = if keeps_few { others } else { half };
                sets.push(others | 1 << (digit - 1));
            }
            if puzzle % 5 == 4 {
                let cell = random.below(solution.len());
                let at = sets.len() - solution.len() + cell;
                sets[at] &= !(1 << (solution[cell] - 1));
            }
        }
        let puzzles = Puzzles { givens: Givens::Candidates(&sets), seeds: &[] };
        let limits = ALL.with_solutions(50);
        let solvers = solvers(&rules, limits);
        let (backtrack, lanes) = solvers.split_last().unwrap();
        let expected = solve(backtrack, number, puzzles);
        for status in [Status::Unique, Status::Multiple, Status::None] {
            assert!(expected.iter().any(|finding| finding.status == status), "{status:?}");
        }
        for solver in lanes {
            let findings = solve(solver, number, puzzles);
            for (index, (finding, expected)) in findings.iter().zip(&expected).enumerate() {
                assert_eq!(
                    (finding.status, finding.solutions, finding.complete),
                    (expected.status, expected.solutions, expected.complete),
                    "{variants} {side}: {:?}",
                    &sets[index * side * side..][..side * side]
                );
            }
        }
    }
}

/// Solves blank grids, one for each seed, and returns the grids found.
fn grids_from_blank(rules: &Arc<Rules>, method: Method, number: u64) -> Vec<Vec<u8>> {
    let seeds: Vec<u64> = (0..number).collect();
    let blank = vec![0; seeds.len() * rules.cells()];
    let puzzles = Puzzles { givens: Givens::Digits(&blank), seeds: &seeds };
    let solver = (Solver::new(rules.clone(), method), Limits::default());
    let findings = solve(&solver, seeds.len(), puzzles);
    findings
        .into_iter()
        .map(|finding| {
            assert_eq!(finding.status, Status::Multiple);
            finding.first.unwrap()
        })
        .collect()
}

#[test]
fn seeds_fill_blank_grids_with_varied_solutions() {
    for (side, variants) in [
        (9, "classic"),
        (9, "diagonal"),
        (9, "window"),
        (9, "jigsaw"),
        (6, "classic"),
        (16, "classic"),
    ] {
        let random = &mut Random::of(&format!("seeds {variants} {side}"));
        let rules = rules_of(&puzzles::constraints_with_grid(side, variants, random).0);
        let grids = grids_from_blank(&rules, Method::Lanes, 1000);
        let different: HashSet<&Vec<u8>> = grids.iter().collect();
        assert!(different.len() >= 990, "{variants} {side}: {}", different.len());
        for cell in [0, side * side / 2, side * side - 1] {
            let mut counts = vec![0.0; side + 1];
            for grid in &grids {
                counts[usize::from(grid[cell])] += 1.0;
            }
            let fair = 1000.0 / side as f64;
            let chi_squared: f64 = counts[1..].iter().map(|n| (n - fair) * (n - fair) / fair).sum();
            // A fair draw exceeds this less than once in a thousand times for 16 digits
            // (chi-squared test).
            assert!(chi_squared < 60.0, "{variants} {side} cell {cell}: {counts:?}");
        }
    }
}

#[test]
fn backtracking_with_seeds_finds_every_4x4_grid() {
    let rules = rules(4, "classic");
    let different: HashSet<Vec<u8>> =
        grids_from_blank(&rules, Method::Backtrack, 3000).into_iter().collect();
    assert_eq!(different.len(), 288, "some seed leads to each grid");
}

#[test]
fn seeds_change_no_verdict_and_no_count_and_levels_agree() {
    for (side, variants) in
        [(9, "classic"), (7, "jigsaw"), (6, "diagonal"), (6, "killer"), (9, "killer")]
    {
        let (rules, samples) = samples(side, variants);
        let grids = samples.concat();
        let seeds: Vec<u64> = (7..7 + samples.len() as u64).collect();
        let with_seeds = Puzzles { givens: Givens::Digits(&grids), seeds: &seeds };
        let mut by_lanes: Option<Vec<Finding>> = None;
        let solvers = solvers(&rules, ALL);
        for (number, solver) in solvers.iter().enumerate() {
            let plain = solve(solver, samples.len(), Puzzles::of_digits(&grids));
            let findings = solve(solver, samples.len(), with_seeds);
            for ((a, b), givens) in plain.iter().zip(&findings).zip(&samples) {
                let name = format!("{variants} {givens:?}");
                assert_eq!((a.status, a.solutions), (b.status, b.solutions), "{name}");
                let [a, b]: [HashSet<&Vec<u8>>; 2] =
                    [a, b].map(|finding| finding.shown.iter().collect());
                assert_eq!(a, b, "{name}");
            }
            if number + 1 < solvers.len() {
                let expected = by_lanes.get_or_insert_with(|| findings.clone());
                assert_eq!(*expected, findings, "{variants} {side}");
            }
        }
    }
}

#[test]
fn large_blank_grids_and_layouts_without_a_grid_are_decided() {
    for (side, variants) in [(16, "window"), (16, "diagonal,window"), (25, "classic")] {
        let solver = Solver::new(rules(side, variants), Method::Lanes);
        let solver = (solver, Limits::default());
        let finding = &solve(&solver, 1, Puzzles::of_digits(&vec![0; side * side]))[0];
        assert_eq!(finding.status, Status::Multiple, "{variants} {side}");
    }
    let random = &mut Random::of("layouts without grid");
    for side in [5, 6, 7, 8] {
        let rules = rules_of(&puzzles::constraints_without_grid(side, "jigsaw", random));
        let solver = (Solver::new(rules, Method::Lanes), Limits::default());
        let finding = &solve(&solver, 1, Puzzles::of_digits(&vec![0; side * side]))[0];
        assert_eq!(finding.status, Status::None, "jigsaw {side}");
    }
}
