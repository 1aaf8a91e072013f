//! Every variant, and every pair of variants that do not contradict each other, in sizes small
//! enough for backtracking. The verdict does not depend on method, CPU level or batch.

use std::ops::ControlFlow;
use std::sync::Arc;

use rayon::prelude::*;
use sudoku_filter::program::{Level, solve_each};
use sudoku_filter::{
    Limits, Method, Progress, Puzzles, Rules, Shape, Solver, Status, Variant, Variants, verify,
};

use crate::convert::rules_of;
use crate::full;
use crate::generator::constraints::{Constraints, has};
use crate::generator::killers;
use crate::generator::layouts::layout;
use crate::generator::puzzles;
use crate::generator::random::Random;
use crate::generator::search::{Choice, Outcome, Search};

/// Returns the names of all variants but the classic one.
fn all_variants() -> Vec<String> {
    let names = Variant::NAMES.map(|(names, _)| names[0].to_string());
    names.into_iter().filter(|name| name != "classic").collect()
}

/// Returns each variant alone, and each pair of variants that the program accepts together.
fn variant_lists() -> Vec<String> {
    let all = all_variants();
    let two = (0..all.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    let two = two.map(|two| two.map(|at| all[at].as_str()).join(","));
    let lists = all.iter().cloned().chain(two);
    lists.filter(|list| list.parse::<Variants>().is_ok()).collect()
}

fn is_supported(list: &str, side: usize) -> bool {
    let pattern = ["asterisk", "center-dot", "girandola"];
    (side <= Rules::MAX_KILLER_SIDE || !has(list, "killer"))
        && (side == 9 || !pattern.iter().any(|name| has(list, name)))
        && ([4, 9, 16].contains(&side) || !has(list, "window"))
}

fn has_layout(list: &str) -> bool {
    has(list, "jigsaw") || has(list, "regions")
}

/// A generated puzzle and its verdict, which the generator knows.
struct Sample {
    givens: Vec<u8>,
    status: Status,
    solution: Option<Vec<u8>>,
}

/// Returns constraints for these variants and puzzles that obey them. If no full grid is found, all
/// puzzles are without solution.
fn samples(list: &str, side: usize) -> (Constraints, Vec<Sample>) {
    let random = &mut Random::of(&format!("variants {list} {side}"));
    let mut last = None;
    for _ in 0..if has_layout(list) { 12 } else { 3 } {
        let constraints = if has_layout(list) {
            Constraints::with_regions(side, list, &layout(side, list, random))
        } else {
            Constraints::with_boxes(side, list)
        };
        if let Some(grid) = puzzles::full_grid(&constraints, random) {
            let constraints = with_cages(constraints, &grid, random);
            let samples = samples_from(&constraints, &grid, random);
            return (constraints, samples);
        }
        last = Some(constraints);
    }
    let constraints = last.expect("at least three are tried");
    if let Some(grid) = grid_found_by_lanes(&constraints) {
        let constraints = with_cages(constraints, &grid, random);
        let samples = samples_from(&constraints, &grid, random);
        return (constraints, samples);
    }
    let samples = (0..5).filter_map(|givens| random_without_solution(&constraints, givens, random));
    let samples = samples.map(|givens| Sample { givens, status: Status::None, solution: None });
    let samples = samples.collect();
    (constraints, samples)
}

/// Fills some tenths of the cells with random digits that contradict no other given. `None` unless
/// the generator proves that there is no solution.
fn random_without_solution(
    constraints: &Constraints,
    tenths: usize,
    random: &mut Random,
) -> Option<Vec<u8>> {
    let mut givens = vec![0; constraints.cells()];
    for _ in 0..constraints.cells() * tenths / 10 {
        let (cell, digit) = (random.below(givens.len()), 1 + random.below(constraints.side) as u8);
        if givens[cell] == 0 && !constraints.forbids(&givens, cell, digit) {
            givens[cell] = digit;
        }
    }
    let search = Search::new(constraints, &givens, Choice::First, 500).next_solution();
    (search == Outcome::Exhausted).then_some(givens)
}

/// Returns a grid that the lanes find where the generator finds none. Asserts that it obeys the
/// generator's constraints.
fn grid_found_by_lanes(constraints: &Constraints) -> Option<Vec<u8>> {
    let limits = Limits::default().with_max_guesses(3_000);
    let solver = Solver::new(rules_of(constraints), Method::Lanes);
    let blank = vec![0; constraints.cells()];
    let findings = collect_findings(1, |report| {
        solver.solve(Puzzles::of_digits(&blank), limits, report).unwrap()
    });
    let grid = findings[0].1.clone()?;
    let fits = |cell: usize| !constraints.forbids(&grid, cell, grid[cell]);
    assert!((0..grid.len()).all(fits), "{} {grid:?}", constraints.variants);
    Some(grid)
}

/// Returns the constraints, those of a killer with random cages.
fn with_cages(constraints: Constraints, grid: &[u8], random: &mut Random) -> Constraints {
    if has(&constraints.variants, "killer") {
        killers::with_sparse_cages(&constraints, grid, random)
    } else {
        constraints
    }
}

fn samples_from(constraints: &Constraints, grid: &[u8], random: &mut Random) -> Vec<Sample> {
    let mut samples = Vec::new();
    // These many givens let backtracking finish.
    for percent in [40, 55] {
        let givens = puzzles::dig(constraints, grid, constraints.cells() * percent / 100, random);
        samples.extend(with_two_solutions(constraints, &givens, random).map(|givens| Sample {
            givens,
            status: Status::Multiple,
            solution: None,
        }));
        samples.extend(without_solution(constraints, &givens, random).map(|givens| Sample {
            givens,
            status: Status::None,
            solution: None,
        }));
        samples.push(Sample { givens, status: Status::Unique, solution: Some(grid.to_vec()) });
    }
    samples.push(Sample {
        givens: puzzles::with_contradicting_givens(constraints, grid, random),
        status: Status::None,
        solution: None,
    });
    samples
}

/// Removes givens until the generator finds two solutions. `None` if it never finds a second one.
fn with_two_solutions(
    constraints: &Constraints,
    givens: &[u8],
    random: &mut Random,
) -> Option<Vec<u8>> {
    let mut givens = givens.to_vec();
    let mut cells: Vec<usize> = (0..givens.len()).filter(|&cell| givens[cell] != 0).collect();
    random.shuffle(&mut cells);
    cells.into_iter().find_map(|cell| {
        givens[cell] = 0;
        puzzles::has_two_solutions(constraints, &givens).then(|| givens.clone())
    })
}

/// Changes one given to a digit that contradicts no other given. `None` unless the generator proves
/// that there is no solution.
fn without_solution(
    constraints: &Constraints,
    givens: &[u8],
    random: &mut Random,
) -> Option<Vec<u8>> {
    (0..50).find_map(|_| {
        let mut givens = givens.to_vec();
        let cell = random.below(givens.len());
        let wrong = 1 + random.below(constraints.side) as u8;
        let was = std::mem::replace(&mut givens[cell], 0);
        if was == 0 || was == wrong || constraints.forbids(&givens, cell, wrong) {
            return None;
        }
        givens[cell] = wrong;
        let search = Search::new(constraints, &givens, Choice::First, 100).next_solution();
        (search == Outcome::Exhausted).then_some(givens)
    })
}

/// Status, solution and guesses for each grid.
type Findings = Vec<(Status, Option<Vec<u8>>, u64)>;

fn collect_findings(
    grids: usize,
    solve: impl FnOnce(&mut dyn FnMut(Progress<'_>) -> ControlFlow<()>) -> ControlFlow<()>,
) -> Findings {
    let mut findings = vec![None; grids];
    let flow = solve(&mut |progress| {
        if let Progress::Found(index, found) = progress {
            let solution = found.solution.map(<[u8]>::to_vec);
            findings[index] = Some((found.status, solution, found.guesses));
        }
        ControlFlow::Continue(())
    });
    assert!(flow.is_continue());
    findings.into_iter().map(Option::unwrap).collect()
}

fn levels() -> impl Iterator<Item = Level> {
    Level::NAMES.into_iter().filter_map(Level::named)
}

/// Checks the puzzles of one list of variants at one size. Returns the number of puzzles and the
/// number that backtracking decided.
fn check(list: &str, side: usize) -> (usize, usize) {
    let (constraints, samples) = samples(list, side);
    let rules = rules_of(&constraints);
    let grids: Vec<u8> = samples.iter().flat_map(|sample| sample.givens.clone()).collect();
    let limits = Limits::default();
    let lanes: Vec<Findings> = levels()
        .map(|level| {
            let solver = Solver::new(rules.clone(), Method::Lanes).at(level);
            collect_findings(samples.len(), |report| {
                solver.solve(Puzzles::of_digits(&grids), limits, report).unwrap()
            })
        })
        .collect();
    for other in &lanes[1..] {
        assert_eq!(*other, lanes[0], "{list} {side}: the CPU levels differ");
    }
    if has(list, "killer") || has_layout(list) {
        // A layout with few puzzles shares its board with other layouts.
        let own: Vec<Arc<Rules>> = samples.iter().map(|_| rules.clone()).collect();
        let method = (Method::Lanes, Level::best());
        let each = collect_findings(samples.len(), |report| {
            solve_each(&own, method, Puzzles::of_digits(&grids), limits, report).unwrap()
        });
        assert_eq!(each, lanes[0], "{list} {side}: puzzles with rules of their own differ");
    }
    let limits = Limits::default().with_max_guesses(20_000);
    let backtrack = Solver::new(rules.clone(), Method::Backtrack);
    let backtrack = collect_findings(samples.len(), |report| {
        backtrack.solve(Puzzles::of_digits(&grids), limits, report).unwrap()
    });
    let mut decided = 0;
    for ((sample, lanes), backtrack) in samples.iter().zip(&lanes[0]).zip(&backtrack) {
        let name = format!("{list} {side} {:?} {:?}", sample.givens, constraints.regions);
        assert_eq!(lanes.0, sample.status, "{name}");
        if backtrack.0 != Status::Unknown {
            decided += 1;
            assert_eq!(backtrack.0, sample.status, "{name}");
        }
        for finding in [lanes, backtrack] {
            if let Some(solution) = &finding.1 {
                assert_eq!(verify(&rules, &sample.givens, solution), Ok(()), "{name}");
            }
            if finding.0 == Status::Unique {
                assert_eq!(finding.1, sample.solution, "{name}");
            }
        }
    }
    (samples.len(), decided)
}

fn check_all(lists: &[String], sides: &[usize]) -> Vec<(String, usize, (usize, usize))> {
    let cases = lists.iter().flat_map(|list| sides.iter().map(move |&side| (list, side)));
    let cases: Vec<(&String, usize)> =
        cases.filter(|(list, side)| is_supported(list, *side)).collect();
    cases.into_par_iter().map(|(list, side)| (list.clone(), side, check(list, side))).collect()
}

/// Asserts that nearly all pairs of variants and sizes have puzzles, and that backtracking decides
/// most of them.
fn assert_most_are_decided(checked: &[(String, usize, (usize, usize))], percent: usize) {
    let without = checked.iter().filter(|(_, _, (puzzles, _))| *puzzles == 0);
    let without: Vec<String> = without.map(|(list, side, _)| format!("{list} {side}")).collect();
    assert!(without.len() * 20 <= checked.len(), "no puzzles: {without:?}");
    let puzzles: usize = checked.iter().map(|(_, _, (puzzles, _))| puzzles).sum();
    let decided: usize = checked.iter().map(|(_, _, (_, decided))| decided).sum();
    assert!(decided * 100 >= puzzles * percent, "{decided} of {puzzles}");
}

#[test]
fn every_variant_and_every_pair_of_variants_has_the_known_verdicts() {
    let lists = variant_lists();
    assert_eq!(lists.len(), 12 + 66 - 2);
    assert_most_are_decided(&check_all(&lists, &[4, 6, 8, 9]), 90);
}

#[test]
fn every_variant_has_the_known_verdicts_in_larger_sizes() {
    let alone = all_variants();
    let with_boxes: Vec<String> = alone.iter().filter(|list| !has_layout(list)).cloned().collect();
    let mut checked = check_all(&alone, &[10, 12]);
    let larger: &[usize] = if full::is_full() { &[14, 15, 16, 20, 25] } else { &[15, 16] };
    checked.extend(check_all(&with_boxes, larger));
    assert_most_are_decided(&checked, 50);
}

#[test]
fn puzzles_have_the_same_findings_alone_and_among_other_layouts() {
    let random = &mut Random::of("layouts");
    for list in [
        "regions",
        "regions,diagonal",
        "regions,antiking",
        "jigsaw,antiking",
        "jigsaw,nonconsecutive",
    ] {
        let side = 6;
        let (mut grids, mut rules) = (Vec::new(), Vec::new());
        for _ in 0..40 {
            let constraints = Constraints::with_regions(side, list, &layout(side, list, random));
            rules.push(rules_of(&constraints));
            // Random givens: some puzzles have no solution, some have many.
            let mut grid = vec![0; constraints.cells()];
            for digit in 1..=4 {
                let cell = random.below(grid.len());
                if !constraints.forbids(&grid, cell, digit) {
                    grid[cell] = digit;
                }
            }
            grids.extend(grid);
        }
        let mut statuses = Vec::new();
        for level in levels() {
            let limits = Limits::default();
            let mixed = collect_findings(rules.len(), |report| {
                let puzzles = Puzzles::of_digits(&grids);
                solve_each(&rules, (Method::Lanes, level), puzzles, limits, report).unwrap()
            });
            let cells = side * side;
            for ((rules, grid), mixed) in rules.iter().zip(grids.chunks(cells)).zip(mixed) {
                let solver = Solver::new(rules.clone(), Method::Lanes).at(level);
                let alone = collect_findings(1, |report| {
                    solver.solve(Puzzles::of_digits(grid), limits, report).unwrap()
                });
                assert_eq!(alone[0], mixed, "{list} {grid:?}");
                statuses.push(mixed.0);
            }
        }
        assert!(statuses.contains(&Status::None), "{list}");
    }
}

/// Groups are random, of two to nine cells.
#[test]
fn lanes_agree_with_backtracking_on_extra_groups() {
    let random = &mut Random::of("extra");
    let mut seen = Vec::new();
    for round in 0..60 {
        let side = [4, 6, 9][round % 3];
        let list = ["classic", "diagonal", "antiknight"][round / 3 % 3];
        let mut symbols = vec![b'.'; side * side];
        let mut cells: Vec<usize> = (0..symbols.len()).collect();
        random.shuffle(&mut cells);
        for (group, cells) in cells.chunks(2 + random.below(side - 1)).take(2).enumerate() {
            for &cell in cells {
                symbols[cell] = b'A' + group as u8;
            }
        }
        let constraints = Constraints::with_boxes(side, list);
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &list.parse().unwrap());
        let rules = Arc::new(rules.unwrap().with_extra(&symbols).unwrap());
        let Some(grid) = puzzles::full_grid(&constraints, random) else {
            continue;
        };
        let givens = puzzles::dig(&constraints, &grid, constraints.cells() * 35 / 100, random);
        // The generator's grid may break the groups. With fewer givens other grids may obey them.
        let grids: Vec<u8> = (0..4)
            .flat_map(|fewer| {
                let mut givens = givens.clone();
                for _ in 0..fewer * side / 2 {
                    givens[random.below(grid.len())] = 0;
                }
                givens
            })
            .collect();
        let solve = |method, level| {
            let solver = Solver::new(rules.clone(), method).at(level);
            let limits = Limits::default().with_max_guesses(200_000);
            collect_findings(4, |report| {
                solver.solve(Puzzles::of_digits(&grids), limits, report).unwrap()
            })
        };
        let plain = solve(Method::Backtrack, Level::best());
        let first = solve(Method::Lanes, Level::best());
        for level in levels() {
            assert_eq!(
                solve(Method::Lanes, level),
                first,
                "{list} {grids:?} {}: the CPU levels differ",
                symbols.escape_ascii()
            );
        }
        for (index, (lanes, plain)) in first.iter().zip(&plain).enumerate() {
            let givens = &grids[index * grid.len()..][..grid.len()];
            let name = format!("{list} {givens:?} {}", symbols.escape_ascii());
            if plain.0 != Status::Unknown {
                assert_eq!(lanes.0, plain.0, "{name}");
                seen.push(lanes.0);
            }
            for finding in [lanes, plain] {
                let is_right = |solution: &Vec<u8>| verify(&rules, givens, solution) == Ok(());
                assert!(finding.1.as_ref().is_none_or(is_right), "{name}");
            }
        }
    }
    for status in [Status::Unique, Status::Multiple, Status::None] {
        let number = seen.iter().filter(|seen| **seen == status).count();
        assert!(number >= 10, "{number} are {status:?}");
    }
}

/// Returns all grids that obey the rules, filled cell by cell along the rows.
fn all_grids(rules: &Rules) -> Vec<Vec<u8>> {
    // For each cell the earlier cells that constrain it: 0 if the digits must differ, 1 if they
    // must not be consecutive.
    let mut before = vec![Vec::new(); rules.cells()];
    for house in rules.houses() {
        for &cell in &house.cells {
            let others = house.cells.iter().filter(|&&other| other < cell);
            before[usize::from(cell)].extend(others.map(|&other| (usize::from(other), 0)));
        }
    }
    for pair in rules.pairs() {
        let [other, cell] = pair.cells.map(usize::from);
        before[cell].push((other, u8::from(!pair.relation.forbids(1, 1))));
    }
    for others in &mut before {
        others.sort_unstable();
        others.dedup();
    }
    let mut grids = Vec::new();
    fill(rules.side() as u8, &before, &mut Vec::new(), &mut grids);
    grids
}

fn fill(side: u8, before: &[Vec<(usize, u8)>], grid: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    let Some(others) = before.get(grid.len()) else {
        found.push(grid.clone());
        return;
    };
    let excluded = others.iter().fold(0, |excluded, &(other, kind)| {
        let digit = 1u32 << grid[other];
        excluded | if kind == 0 { digit } else { digit << 1 | digit >> 1 }
    });
    for digit in (1..=side).filter(|digit| excluded >> digit & 1 == 0) {
        grid.push(digit);
        fill(side, before, grid, found);
        grid.pop();
    }
}

#[test]
fn the_enumeration_finds_the_known_number_of_4x4_grids() {
    for (list, number) in [("classic", 288), ("diagonal", 48)] {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &list.parse().unwrap());
        assert_eq!(all_grids(&rules.unwrap()).len(), number, "{list}");
    }
}

#[test]
fn puzzles_from_the_72_antiknight_antiking_nonconsecutive_grids_have_their_solutions() {
    let list = "antiknight,antiking,nonconsecutive";
    let rules = Rules::new(9, Shape::boxes_of(9).unwrap(), &list.parse().unwrap()).unwrap();
    let grids = all_grids(&rules);
    assert_eq!(grids.len(), 72);
    let rules = Arc::new(rules);
    let random = &mut Random::of("72");
    let mut puzzles = vec![vec![0; 81]];
    for grid in &grids {
        for givens in [1, 2, 3, 4] {
            let mut puzzle = vec![0; 81];
            for _ in 0..givens {
                let cell = random.below(81);
                puzzle[cell] = grid[cell];
            }
            puzzles.push(puzzle);
        }
    }
    for level in levels() {
        let solver = Solver::new(rules.clone(), Method::Lanes).at(level);
        let findings = collect_findings(puzzles.len(), |report| {
            let grids = puzzles.concat();
            solver.solve(Puzzles::of_digits(&grids), Limits::default(), report).unwrap()
        });
        for (puzzle, finding) in puzzles.iter().zip(findings) {
            let fits = |grid: &&Vec<u8>| {
                puzzle.iter().zip(*grid).all(|(&given, &digit)| given == 0 || given == digit)
            };
            let fitting: Vec<&Vec<u8>> = grids.iter().filter(fits).collect();
            let expected = if fitting.len() == 1 { Status::Unique } else { Status::Multiple };
            assert_eq!(finding.0, expected, "{puzzle:?}");
            assert!(fitting.contains(&&finding.1.unwrap()), "{puzzle:?}");
        }
    }
}
