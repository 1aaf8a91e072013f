//! Tests of the killer search against `Method::Backtrack`, and of its deductions against random
//! grids.

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::StatedSolver;
use super::plan::StatedPlan;
use super::problem::Problem;
use super::rule_of_45::RuleOf45;
use super::sums;
use crate::full;
use crate::puzzle::{Givens, Puzzles};
use crate::random::Random;
use crate::rules::{Cage, Rules, Shape};
use crate::solver::stated::board::StatedBoard;
use crate::solver::{Found, GuessLimit, Level, Limits, Method, Progress, Solver, solve_each};
use crate::verdict::Status;

const LAYOUT: &[u8] =
    b"000122222000111222033331112003444411333345555664444577866655557888666777888886777";

pub(super) fn rules(side: usize, variants: &str) -> Rules {
    let shape = if variants.contains("jigsaw") {
        Shape::regions(LAYOUT, false)
    } else {
        Shape::boxes_of(side).unwrap()
    };
    Rules::new(side, shape, &variants.parse().unwrap()).unwrap()
}

/// Returns a random full grid.
pub(super) fn full_grid(rules: &Arc<Rules>, seed: u64) -> Vec<u8> {
    let mut grid = Vec::new();
    let puzzles = Puzzles { givens: Givens::Digits(&vec![0; rules.cells()]), seeds: &[seed] };
    let solver = Solver::new(rules.clone(), Method::Lanes);
    let _ = solver
        .solve(puzzles, Limits::default(), &mut |progress| {
            if let Progress::Found(_, found) = progress {
                grid = found.solution.unwrap().to_vec();
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    grid
}

/// Returns cages of up to `most` connected cells that the grid keeps. Some cells have no cage, and
/// some cages no sum.
pub(super) fn random_cages(grid: &[u8], side: usize, most: u32, random: &mut Random) -> Vec<Cage> {
    let mut is_free: Vec<bool> = grid.iter().map(|_| random.below(12) > 0).collect();
    let mut cages = Vec::new();
    for start in 0..grid.len() {
        let size = 1 + random.below(most.min(side as u32)) as usize;
        let mut cells = Vec::new();
        let mut at = start;
        while cells.len() < size && is_free[at] {
            let repeats = |&cell: &u16| grid[usize::from(cell)] == grid[at];
            if cells.iter().any(repeats) {
                break;
            }
            is_free[at] = false;
            cells.push(at as u16);
            let steps = [at % side + 1 < side, at + side < grid.len()];
            at = match (steps, random.below(2)) {
                ([true, _], 0) | ([true, false], _) => at + 1,
                ([_, true], _) => at + side,
                _ => break,
            };
        }
        if !cells.is_empty() {
            let digits = cells.iter().map(|&cell| u16::from(grid[usize::from(cell)]));
            let sum = (random.below(9) > 0).then_some(digits.sum());
            cages.push(Cage::new(side, cells, sum).unwrap());
        }
    }
    cages
}

/// Returns, for each cell, the digits with which the cells reach the total. Cells from `plus` on
/// have a minus sign. If `differ`, all digits must differ.
pub(super) fn enumerate(sets: &[u16], plus: usize, total: i32, differ: bool) -> Vec<u16> {
    let mut kept = vec![0; sets.len()];
    let mut digits = vec![0; sets.len()];
    'all: loop {
        let is_candidate = |(&digit, &set): (&i32, &u16)| set >> digit & 1 == 1;
        let sum_of = |digits: &[i32]| digits.iter().map(|digit| digit + 1).sum::<i32>();
        let repeats = |at: usize| digits[..at].contains(&digits[at]);
        if sum_of(&digits[..plus]) - sum_of(&digits[plus..]) == total
            && digits.iter().zip(sets).all(is_candidate)
            && !(differ && (0..digits.len()).any(repeats))
        {
            for (kept, &digit) in kept.iter_mut().zip(&digits) {
                *kept |= 1 << digit;
            }
        }
        for digit in &mut digits {
            *digit += 1;
            if *digit < 9 {
                continue 'all;
            }
            *digit = 0;
        }
        return kept;
    }
}

/// Returns, for each cell, the digits within the bounds that the other cells leave; `None` if the
/// total is out of reach.
pub(super) fn within_bounds(sets: &[u16], plus: usize, total: i32) -> Option<Vec<u16>> {
    let sign = |cell: usize| if cell < plus { 1 } else { -1 };
    let digits = |cell: usize| (0..9).filter(move |digit| sets[cell] >> digit & 1 == 1);
    let bounds = |cell: usize| {
        let terms = digits(cell).map(|digit| sign(cell) * (digit + 1));
        terms.fold((i32::MAX, i32::MIN), |(least, most), term| (least.min(term), most.max(term)))
    };
    let (least, most) =
        (0..sets.len()).map(bounds).fold((0, 0), |sum, cell| (sum.0 + cell.0, sum.1 + cell.1));
    let kept = |cell: usize| {
        let (low, high) = bounds(cell);
        let fits = |&digit: &i32| {
            let rest = total - sign(cell) * (digit + 1);
            (least - low..=most - high).contains(&rest)
        };
        digits(cell).filter(fits).fold(0, |kept, digit| kept | 1 << digit)
    };
    (least..=most).contains(&total).then(|| (0..sets.len()).map(kept).collect())
}

/// Status, number of solutions, true if these are all, and the solutions reported.
type Reported = (Status, u64, bool, Vec<Vec<u8>>);

/// Collects the reports of `solve`, and checks that results come in the order of the puzzles.
fn collect(
    solve: impl FnOnce(&mut dyn FnMut(Progress<'_>) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Vec<Reported> {
    let mut reported = Vec::new();
    let mut solutions = Vec::new();
    let flow = solve(&mut |progress| {
        match progress {
            Progress::Solution(index, solution) => {
                assert_eq!(index, reported.len());
                solutions.push(solution.to_vec());
            }
            Progress::Found(index, found) => {
                assert_eq!(index, reported.len());
                let Found { status, solutions: number, complete, .. } = found;
                reported.push((status, number, complete, std::mem::take(&mut solutions)));
            }
            Progress::AtWork => {}
        }
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    reported
}

/// A puzzle: its rules, and its givens as digits or candidates.
struct Sample {
    rules: Arc<Rules>,
    digits: Vec<u8>,
    candidates: Vec<u32>,
}

/// Returns random killers with some givens. In some of them a given is wrong.
fn samples(base: &Rules, number: u64, givens: u32) -> Vec<Sample> {
    let side = base.side();
    let without_cages = Arc::new(base.with_cages(Vec::new()).unwrap());
    let sample = |seed| {
        let mut random = Random::new(seed);
        let grid = full_grid(&without_cages, seed);
        let most = 2 + random.below(4);
        let cages = random_cages(&grid, side, most, &mut random);
        let mut digits = grid.clone();
        for digit in &mut digits {
            if random.below(100) >= givens {
                *digit = 0;
            }
        }
        if random.below(4) == 0 {
            let wrong = random.below(side as u32) as u8 + 1;
            digits[random.below(base.cells() as u32) as usize] = wrong;
        }
        let every_digit = (1 << side) - 1;
        let marks = digits.iter().map(|&digit| match digit {
            0 => every_digit & !(1 << random.below(side as u32)),
            digit => 1 << (digit - 1),
        });
        let candidates = marks.collect();
        Sample { rules: Arc::new(base.with_cages(cages).unwrap()), digits, candidates }
    };
    (0..number).map(sample).collect()
}

#[test]
fn killers_have_the_solutions_of_the_plain_search() {
    let mut seen = HashSet::new();
    for (side, variants, extra, givens) in [
        (1, "classic", None, 0),
        (4, "classic", None, 5),
        (4, "classic", Some("A..BA..BA...A..."), 0),
        (4, "diagonal", None, 0),
        (6, "classic", None, 10),
        (6, "diagonal", None, 10),
        (6, "nonconsecutive", None, 5),
        (8, "antiking", None, 40),
        (9, "classic", None, 40),
        (9, "jigsaw,diagonal", None, 40),
        (9, "window", None, 40),
        (9, "antiknight", None, 40),
        (9, "nonconsecutive", None, 30),
        (10, "classic", None, 60),
        (16, "classic", None, 75),
    ] {
        let mut base = match side {
            1 => Rules::new(1, Shape::boxes(1, 1), &"classic".parse().unwrap()).unwrap(),
            _ => rules(side, variants),
        };
        if let Some(groups) = extra {
            base = base.with_extra(str::as_bytes(groups)).unwrap();
        }
        let samples = samples(&base, full::cases(10, 40), givens);
        let rules: Vec<Arc<Rules>> = samples.iter().map(|sample| sample.rules.clone()).collect();
        let digits: Vec<u8> = samples.iter().flat_map(|sample| sample.digits.clone()).collect();
        let candidates = samples.iter().flat_map(|sample| sample.candidates.clone());
        let candidates: Vec<u32> = candidates.collect();
        for givens in [Givens::Digits(&digits), Givens::Candidates(&candidates)] {
            for solutions in [2, 30] {
                let limits = Limits {
                    max_guesses: GuessLimit::None,
                    max_time: None,
                    solutions,
                    shown: solutions,
                };
                let puzzles = Puzzles { givens, seeds: &[] };
                let solve = |guesses_alone| {
                    let killers =
                        StatedSolver { guesses_alone, ..StatedSolver::new(Level::best()) };
                    collect(|report| killers.solve(&rules, puzzles, limits, report))
                };
                let expected = collect(|report| {
                    let method = (Method::Backtrack, Level::best());
                    solve_each(&rules, method, puzzles, limits, report).unwrap()
                });
                let (alone, in_lanes) = (solve(u64::MAX), solve(0));
                let found = alone.iter().zip(&expected).chain(in_lanes.iter().zip(&expected));
                for (index, (found, expected)) in found.enumerate() {
                    let index = index % rules.len();
                    let case = format!("{variants} {index}: {:?}", rules[index].cages());
                    assert_eq!(
                        (found.0, found.1, found.2),
                        (expected.0, expected.1, expected.2),
                        "{case}"
                    );
                    let different: HashSet<&Vec<u8>> = found.3.iter().collect();
                    assert_eq!(different.len(), found.3.len(), "{case}");
                    if found.2 {
                        assert_eq!(different, expected.3.iter().collect(), "{case}");
                    }
                    seen.insert((side, found.0.to_string()));
                }
            }
        }
    }
    for (side, status) in
        [(4, "multiple"), (6, "unique"), (9, "unique"), (9, "none"), (16, "unique")]
    {
        assert!(seen.contains(&(side, status.to_string())), "{side} {status}");
    }
}

#[test]
fn every_way_to_solve_killers_finds_the_same() {
    let base = rules(6, "classic");
    let samples = samples(&base, 60, 20);
    let limits = Limits::default().with_solutions(2);
    for sample in &samples {
        let rules = vec![sample.rules.clone()];
        let puzzle = Puzzles::of_digits(&sample.digits);
        let expected = {
            let solver = Solver::new(sample.rules.clone(), Method::Backtrack);
            collect(|report| solver.solve(puzzle, limits, report).unwrap())
        };
        for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
            let killers = StatedSolver::new(level);
            let alone = collect(|report| killers.solve(&rules, puzzle, limits, report));
            let solver = Solver::new(sample.rules.clone(), Method::Lanes).at(level);
            assert_eq!(collect(|report| solver.solve(puzzle, limits, report).unwrap()), alone);
            let numbers = |reported: &[Reported]| (reported[0].0, reported[0].1, reported[0].2);
            assert_eq!(numbers(&alone), numbers(&expected));
        }
    }
}

#[test]
fn every_level_takes_the_same_branches() {
    for (side, variants, givens) in [
        (9, "classic", 5),
        (9, "antiknight", 0),
        (9, "jigsaw,diagonal", 5),
        (8, "nonconsecutive", 0),
        (16, "classic", 60),
    ] {
        let samples = samples(&rules(side, variants), 6, givens);
        for (sample, seed) in samples.iter().zip([None, Some(7)].into_iter().cycle()) {
            let rules = [sample.rules.clone()];
            let puzzle = Puzzles { givens: Givens::Digits(&sample.digits), seeds: seed.as_slice() };
            let limits = Limits::default().with_solutions(40).with_max_guesses(2000);
            let solve = |level| {
                let killers = StatedSolver { guesses_alone: 3, ..StatedSolver::new(level) };
                let mut reports = Vec::new();
                let _ = killers.solve(&rules, puzzle, limits, &mut |progress| {
                    reports.push(format!("{progress:?}"));
                    ControlFlow::Continue(())
                });
                reports
            };
            let expected = solve(Level::named("portable").unwrap());
            for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
                assert_eq!(solve(level), expected, "{}", level.name());
            }
        }
    }
}

#[test]
fn a_killer_has_the_same_result_alone_as_among_others() {
    let samples = samples(&rules(9, "classic"), 30, 8);
    let rules: Vec<Arc<Rules>> = samples.iter().map(|sample| sample.rules.clone()).collect();
    let digits: Vec<u8> = samples.iter().flat_map(|sample| sample.digits.clone()).collect();
    let seeds: Vec<u64> = (0..30).collect();
    let killers = StatedSolver::new(Level::best());
    for seeds in [&seeds[..], &[]] {
        let found = |rules: &[Arc<Rules>], digits: &[u8], seeds: &[u64]| {
            let givens = Givens::Digits(digits);
            let mut found = Vec::new();
            let puzzles = Puzzles { givens, seeds };
            let _ = killers.solve(rules, puzzles, Limits::default(), &mut |progress| {
                if let Progress::Found(_, result) = progress {
                    found.push(format!("{result:?}"));
                }
                ControlFlow::Continue(())
            });
            found
        };
        let together = found(&rules, &digits, seeds);
        for (index, sample) in samples.iter().enumerate() {
            let seed = seeds.get(index..=index).unwrap_or(&[]);
            let alone = found(&rules[index..=index], &sample.digits, seed);
            assert_eq!(alone[0], together[index], "{index}");
        }
    }
}

#[test]
fn seeds_draw_different_solutions() {
    let cage = Cage::new(9, vec![0, 1], Some(10)).unwrap();
    let rules = Arc::new(rules(9, "classic").with_cages(vec![cage]).unwrap());
    let rules = vec![rules; 20];
    let seeds: Vec<u64> = (0..20).collect();
    let puzzles = Puzzles { givens: Givens::Digits(&[0; 20 * 81]), seeds: &seeds };
    let limits = Limits::default().with_solutions(2);
    let killers = StatedSolver::new(Level::best());
    let found = collect(|report| killers.solve(&rules, puzzles, limits, report));
    let drawn: HashSet<&Vec<u8>> = found.iter().map(|found| &found.3[0]).collect();
    assert!(drawn.len() > 15, "{}", drawn.len());
}

#[test]
fn limits_and_breaks_end_a_search() {
    let cage = Cage::new(9, vec![0, 1], Some(10)).unwrap();
    let rules = [Arc::new(rules(9, "classic").with_cages(vec![cage]).unwrap())];
    let killers = StatedSolver::new(Level::best());
    let blank = Puzzles::of_digits(&[0; 81]);
    for (max_guesses, solutions, status) in [
        (1, 2, Status::Unknown),
        (0, 1, Status::Unknown),
        (0, 2, Status::Multiple),
        (0, 500, Status::Multiple),
    ] {
        let limits = Limits { solutions, ..Limits::default().with_max_guesses(max_guesses) };
        let found = collect(|report| killers.solve(&rules, blank, limits, report));
        assert_eq!(found[0].0, status);
        assert!(!found[0].2 && found[0].1 <= solutions);
    }
    for last in [1, 2, 30] {
        let mut reports = 0;
        let flow = killers.solve(&rules, blank, Limits::NONE, &mut |_| {
            reports += 1;
            if reports < last { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        assert_eq!((flow, reports), (ControlFlow::Break(()), last));
    }
}

#[test]
fn deductions_keep_the_digits_of_a_solution() {
    for (side, variants) in [(6, "classic"), (9, "classic"), (9, "jigsaw"), (9, "antiknight")] {
        keep_solutions(&rules(side, variants));
    }
    keep_solutions(&rules(16, "classic"));
}

/// Checks that no deduction removes a digit of a solution. The candidates of each cell are its
/// digit and random others.
fn keep_solutions(base: &Rules) {
    let without_cages = Arc::new(base.with_cages(Vec::new()).unwrap());
    let plan = StatedPlan::new(base);
    let mut derived = 0;
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let grid = full_grid(&without_cages, seed);
        let most = 2 + random.below(8);
        let cages = random_cages(&grid, base.side(), most, &mut random);
        let mut problem = Problem::new(&plan, &cages);
        let first = problem.sums.len();
        let mut rule_of_45 = RuleOf45::new(&cages);
        while rule_of_45.has_rounds_left() {
            assert!(rule_of_45.add_sums(&mut problem));
        }
        for sum in &problem.sums[first..] {
            let (plus, minus) = sum.cells().split_at(sum.plus.into());
            let total = |cells: &[u8]| -> i32 {
                cells.iter().map(|&cell| i32::from(grid[usize::from(cell)])).sum()
            };
            assert_eq!(total(plus) - total(minus), sum.total, "{sum:?}");
            derived += 1;
        }
        for chance in [1, 2, 4, 8] {
            let mut board = StatedBoard::new(&problem);
            for (cell, &digit) in (0..=u8::MAX).zip(&grid) {
                let others = (0..base.side()).filter(|_| random.below(8) < chance);
                let others = others.fold(0, |others, other| others | 1 << other);
                board.restrict(&problem, cell, others | 1 << (digit - 1)).unwrap();
            }
            let deduced = board.propagate(&problem, sums::deduce);
            assert_eq!(deduced, Ok(()), "{cages:?}");
            for (&digit, candidates) in grid.iter().zip(board.candidates) {
                assert!(candidates >> (digit - 1) & 1 == 1, "{cages:?}");
            }
        }
    }
    assert!(derived > 100, "{derived}");
}
