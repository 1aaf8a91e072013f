//! Compares the lanes, and the search for killers, with the backtracking solver, with the puzzle
//! generator and with themselves, on generated puzzles of every variant and size.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use rayon::prelude::*;
use sudoku_filter::{Limits, Method, Rules, Shape, Solver, Status, verify};

use crate::convert::{cages_of, rules_of};
use crate::generator::constraints::{Cage, Constraints, boxes_of, has};
use crate::generator::files::{VARIANTS, sides_of};
use crate::generator::killer_files::KILLERS;
use crate::generator::killers;
use crate::generator::notations;
use crate::generator::puzzles;
use crate::generator::random::Random;

/// A generated puzzle, the rules it obeys and its verdict, which the generator knows.
struct Sample {
    constraints: Arc<Constraints>,
    rules: Arc<Rules>,
    givens: Vec<u8>,
    status: Status,
    /// The full grid from which the givens are taken.
    solution: Vec<u8>,
}

/// The result of one method for one puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Finding {
    status: Status,
    solution: Option<Vec<u8>>,
    guesses: u64,
}

/// One group of samples for each size of each combination of variants. A group shares its
/// constraints and its layout.
static SAMPLES: LazyLock<Vec<Vec<Sample>>> = LazyLock::new(|| {
    let cases = VARIANTS.iter().flat_map(|&variants| {
        let sides = sides_of(variants).iter();
        sides.map(move |&side| (variants, side))
    });
    let killers = KILLERS.iter().flat_map(|&variants| {
        let sides = killers::sides_of(variants).iter();
        let small = sides.filter(|&&side| side <= 9);
        small.map(move |&side| (variants, side))
    });
    let cases: Vec<(&str, usize)> = cases.chain(killers).collect();
    let samples = cases.into_par_iter().map(|(variants, side)| samples_of(variants, side));
    samples.collect()
});

fn samples_of(variants: &str, side: usize) -> Vec<Sample> {
    let random = &mut Random::of(&format!("agreement {variants} {side}"));
    let (mut constraints, first_grid) = puzzles::constraints_with_grid(side, variants, random);
    if has(variants, "killer") {
        constraints = killers::with_sparse_cages(&constraints, &first_grid, random);
    }
    let constraints = Arc::new(constraints);
    let rules = rules_of(&constraints);
    let mut samples = Vec::new();
    for round in 0..if side > 9 { 2 } else { 5 } {
        let solution =
            puzzles::full_grid(&constraints, random).unwrap_or_else(|| first_grid.clone());
        let more_givens = constraints.cells() * (35 + 5 * round) / 100;
        for (givens, status) in [
            (
                puzzles::dig(&constraints, &solution, puzzles::fewest_givens(&constraints), random),
                Status::Unique,
            ),
            (puzzles::dig(&constraints, &solution, more_givens, random), Status::Unique),
            (puzzles::with_many_solutions(&constraints, &solution, random), Status::Multiple),
            (puzzles::without_solution(&constraints, &solution, random), Status::None),
            (puzzles::with_contradicting_givens(&constraints, &solution, random), Status::None),
        ] {
            samples.push(Sample {
                constraints: constraints.clone(),
                rules: rules.clone(),
                givens,
                status,
                solution: solution.clone(),
            });
        }
    }
    samples
}

impl Sample {
    /// Returns the variants, the puzzle, the layout and the cages as a user would write them.
    fn name(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let symbol = |&digit: &u8| b".123456789ABCDEFG"[usize::from(digit)];
        let givens: Vec<u8> = self.givens.iter().map(symbol).collect();
        let regions = self.constraints.regions.as_deref().unwrap_or_default();
        let cages = if has(&self.constraints.variants, "killer") {
            notations::arrows(&self.constraints)
        } else {
            String::new()
        };
        format!("{} {} {} {cages}", self.constraints.variants, text(&givens), text(regions))
    }

    fn givens(&self) -> impl Iterator<Item = usize> {
        (0..self.givens.len()).filter(|&cell| self.givens[cell] != 0)
    }

    fn blanks(&self) -> impl Iterator<Item = usize> {
        (0..self.givens.len()).filter(|&cell| self.givens[cell] == 0)
    }

    /// Returns the puzzle with one cell changed.
    fn with(&self, cell: usize, digit: u8) -> Vec<u8> {
        let mut givens = self.givens.clone();
        givens[cell] = digit;
        givens
    }
}

fn samples() -> impl Iterator<Item = &'static Sample> {
    SAMPLES.iter().flatten()
}

fn unique_samples() -> impl Iterator<Item = &'static Sample> {
    samples().filter(|sample| sample.status == Status::Unique)
}

/// Solves each grid by one method; returns the findings in the order of the grids.
fn solve<G: AsRef<[u8]>>(
    rules: &Arc<Rules>,
    method: Method,
    max_guesses: u64,
    grids: &[G],
) -> Vec<Finding> {
    let solver = Solver::new(rules.clone(), method);
    let limits = Limits::default().with_max_guesses(max_guesses);
    let slice: Vec<u8> = grids.iter().flat_map(|grid| grid.as_ref()).copied().collect();
    let mut findings = vec![None; grids.len()];
    solver
        .solve_digits(&slice, limits, &mut |index, found| {
            let before = findings[index].replace(Finding {
                status: found.status,
                solution: found.solution.map(<[u8]>::to_vec),
                guesses: found.guesses,
            });
            assert_eq!(before, None, "grid {index} was answered twice");
        })
        .unwrap();
    findings.into_iter().map(|finding| finding.expect("every grid is answered")).collect()
}

fn solve_by_lanes<G: AsRef<[u8]>>(rules: &Arc<Rules>, grids: &[G]) -> Vec<Finding> {
    solve(rules, Method::Lanes, 1_000_000, grids)
}

#[test]
fn the_rules_have_all_houses_of_the_generator() {
    for sample in SAMPLES.iter().map(|samples| &samples[0]) {
        let sorted = |house: &[usize]| house.iter().copied().collect::<BTreeSet<usize>>();
        let expected: BTreeSet<_> =
            sample.constraints.houses.iter().map(|house| sorted(house)).collect();
        let houses = sample.rules.houses().iter().map(|house| {
            house.cells.iter().map(|&cell| usize::from(cell)).collect::<BTreeSet<usize>>()
        });
        let houses: BTreeSet<_> = houses.collect();
        assert!(houses.is_superset(&expected), "{}", sample.name());
    }
}

#[test]
fn lanes_give_the_verdict_and_solution_that_the_generator_knows() {
    for samples in SAMPLES.iter() {
        let grids: Vec<&[u8]> = samples.iter().map(|sample| sample.givens.as_slice()).collect();
        for (sample, finding) in samples.iter().zip(solve_by_lanes(&samples[0].rules, &grids)) {
            assert_eq!(finding.status, sample.status, "{}", sample.name());
            if finding.status == Status::Unique {
                assert_eq!(finding.solution.as_ref(), Some(&sample.solution), "{}", sample.name());
            }
        }
    }
}

#[test]
fn lanes_agree_with_backtracking_where_it_finishes() {
    for samples in SAMPLES.iter() {
        let grids: Vec<&[u8]> = samples.iter().map(|sample| sample.givens.as_slice()).collect();
        let lanes = solve_by_lanes(&samples[0].rules, &grids);
        let backtrack = solve(&samples[0].rules, Method::Backtrack, 50_000, &grids);
        let mut decided = 0;
        for ((sample, lanes), backtrack) in samples.iter().zip(lanes).zip(backtrack) {
            if backtrack.status == Status::Unknown {
                continue;
            }
            decided += 1;
            assert_eq!(lanes.status, backtrack.status, "{}", sample.name());
            if lanes.status == Status::Unique {
                assert_eq!(lanes.solution, backtrack.solution, "{}", sample.name());
            }
        }
        let expected = match samples[0].constraints.side {
            ..=9 => samples.len() / 3,
            // In larger grids backtracking decides little more than contradicting givens.
            _ => samples.len() / 5,
        };
        assert!(decided >= expected, "{decided} of {}: {}", samples.len(), samples[0].name());
    }
}

#[test]
fn every_solution_obeys_the_rules_and_the_givens() {
    for (method, max_guesses) in [(Method::Lanes, 1_000_000), (Method::Backtrack, 50_000)] {
        for samples in SAMPLES.iter() {
            let grids: Vec<&[u8]> = samples.iter().map(|sample| sample.givens.as_slice()).collect();
            let findings = solve(&samples[0].rules, method, max_guesses, &grids);
            for (sample, finding) in samples.iter().zip(findings) {
                // If the limit is reached, the status is unknown, but one solution may have been
                // found.
                if finding.status != Status::Unknown {
                    let solved = matches!(finding.status, Status::Unique | Status::Multiple);
                    assert_eq!(finding.solution.is_some(), solved, "{}", sample.name());
                }
                if let Some(solution) = finding.solution {
                    let verdict = verify(&sample.rules, &sample.givens, &solution);
                    assert_eq!(verdict, Ok(()), "{}", sample.name());
                }
            }
        }
    }
}

#[test]
fn findings_do_not_depend_on_the_other_grids_of_a_batch() {
    for samples in SAMPLES.iter() {
        let rules = &samples[0].rules;
        let grids: Vec<&[u8]> = samples.iter().map(|sample| sample.givens.as_slice()).collect();
        let alone: Vec<Finding> =
            grids.iter().flat_map(|grid| solve_by_lanes(rules, &[grid])).collect();
        let together = solve_by_lanes(rules, &grids);
        let backwards: Vec<&[u8]> = grids.iter().rev().copied().collect();
        let backwards = solve_by_lanes(rules, &backwards).into_iter().rev();
        // The batch has more grids than lanes, so later grids move into lanes that earlier ones
        // have left.
        let repeated = solve_by_lanes(rules, &grids.repeat(5));
        for (index, (sample, backwards)) in samples.iter().zip(backwards).enumerate() {
            assert_eq!(together[index], alone[index], "{}", sample.name());
            assert_eq!(backwards, alone[index], "{}", sample.name());
            for copy in repeated.iter().skip(index).step_by(grids.len()) {
                assert_eq!(*copy, alone[index], "{}", sample.name());
            }
        }
    }
}

#[test]
fn relabelling_the_digits_keeps_the_verdict() {
    let mut random = Random::of("relabelling");
    // Digits with sums cannot be relabelled.
    for samples in SAMPLES.iter().filter(|samples| samples[0].constraints.cages.is_empty()) {
        let side = samples[0].constraints.side as u8;
        let mut labels: Vec<u8> = (1..=side).collect();
        random.shuffle(&mut labels);
        labels.insert(0, 0);
        let relabel = |grid: &[u8]| -> Vec<u8> {
            grid.iter().map(|&digit| labels[usize::from(digit)]).collect()
        };
        let grids: Vec<Vec<u8>> = samples.iter().map(|sample| relabel(&sample.givens)).collect();
        for (sample, finding) in samples.iter().zip(solve_by_lanes(&samples[0].rules, &grids)) {
            assert_eq!(finding.status, sample.status, "{}", sample.name());
            if finding.status == Status::Unique {
                assert_eq!(finding.solution, Some(relabel(&sample.solution)), "{}", sample.name());
            }
        }
    }
}

/// Rearranges each puzzle of a group: cell `from[c]` moves to `c`, and its box or region and its
/// cage move with it. Asserts that verdicts and solutions stay the same. Returns false without a
/// check if a house of the variants (a diagonal, a window) does not become a house: the
/// rearrangement is no symmetry then.
fn is_symmetry_that_keeps_verdicts(samples: &[Sample], from: &[usize]) -> bool {
    fn moved(grid: &[u8], from: &[usize]) -> Vec<u8> {
        from.iter().map(|&cell| grid[cell]).collect()
    }
    let old = &samples[0].constraints;
    let labels = moved(&old.regions.clone().unwrap_or_else(|| boxes_of(old.side)), from);
    let new = Constraints::with_regions(old.side, &old.variants, &labels);
    let new = new.with_cages(moved_cages(&old.cages, from));
    let houses: BTreeSet<_> = new
        .houses
        .iter()
        .map(|house| house.iter().map(|&cell| from[cell]).collect::<BTreeSet<usize>>())
        .collect();
    if !old.houses.iter().all(|house| houses.contains(&house.iter().copied().collect())) {
        return false;
    }
    let shape = Shape::regions(&labels, true);
    let rules = Rules::new(old.side, shape, &old.variants.parse().unwrap()).unwrap();
    let rules = rules.with_cages(cages_of(&new)).unwrap();
    let grids: Vec<Vec<u8>> = samples.iter().map(|sample| moved(&sample.givens, from)).collect();
    for (sample, finding) in samples.iter().zip(solve_by_lanes(&Arc::new(rules), &grids)) {
        assert_eq!(finding.status, sample.status, "{}, from {from:?}", sample.name());
        if finding.status == Status::Unique {
            assert_eq!(finding.solution, Some(moved(&sample.solution, from)), "{}", sample.name());
        }
    }
    true
}

/// Returns cages whose cell `from[c]` has moved to `c`.
fn moved_cages(cages: &[Cage], from: &[usize]) -> Vec<Cage> {
    let moved = |cage: &Cage| Cage {
        cells: (0..from.len()).filter(|&cell| cage.cells.contains(&from[cell])).collect(),
        sum: cage.sum,
    };
    cages.iter().map(moved).collect()
}

#[test]
fn transposing_keeps_the_verdict() {
    for samples in SAMPLES.iter() {
        let side = samples[0].constraints.side;
        let from: Vec<usize> =
            (0..side * side).map(|cell| cell % side * side + cell / side).collect();
        assert!(is_symmetry_that_keeps_verdicts(samples, &from), "{}", samples[0].name());
    }
}

#[test]
fn turning_the_grid_upside_down_keeps_the_verdict() {
    for samples in SAMPLES.iter() {
        let side = samples[0].constraints.side;
        let from: Vec<usize> =
            (0..side * side).map(|cell| (side - 1 - cell / side) * side + cell % side).collect();
        assert!(is_symmetry_that_keeps_verdicts(samples, &from), "{}", samples[0].name());
    }
}

#[test]
fn exchanging_two_rows_keeps_the_verdict_if_it_keeps_the_houses() {
    for samples in SAMPLES.iter() {
        let side = samples[0].constraints.side;
        let mut symmetries = 0;
        for row in 0..side - 1 {
            let mut rows: Vec<usize> = (0..side).collect();
            rows.swap(row, row + 1);
            let from: Vec<usize> =
                (0..side * side).map(|cell| rows[cell / side] * side + cell % side).collect();
            symmetries += usize::from(is_symmetry_that_keeps_verdicts(samples, &from));
        }
        // If all houses are rows, columns, boxes and regions, any two rows can be exchanged. With
        // windows, only two neighbouring rows that the same windows cross.
        let expected = match samples[0].constraints.variants.as_str() {
            "classic" | "jigsaw" | "killer" | "killer,jigsaw" => side - 1,
            "window" | "jigsaw,window" => (side.isqrt() - 1) * (side.isqrt() - 1),
            _ => symmetries,
        };
        assert_eq!(symmetries, expected, "{}", samples[0].name());
    }
}

#[test]
fn removing_a_given_keeps_a_unique_puzzle_solvable() {
    for sample in unique_samples() {
        let grids: Vec<Vec<u8>> = sample.givens().map(|cell| sample.with(cell, 0)).collect();
        for (cell, finding) in sample.givens().zip(solve_by_lanes(&sample.rules, &grids)) {
            let solved = matches!(finding.status, Status::Unique | Status::Multiple);
            assert!(solved, "{}, {} without cell {cell}", sample.name(), finding.status);
        }
    }
}

#[test]
fn adding_a_digit_of_the_solution_keeps_a_puzzle_unique() {
    for sample in unique_samples() {
        let with_digit = |cell| sample.with(cell, sample.solution[cell]);
        let grids: Vec<Vec<u8>> = sample.blanks().map(with_digit).collect();
        for (cell, finding) in sample.blanks().zip(solve_by_lanes(&sample.rules, &grids)) {
            assert_eq!(finding.status, Status::Unique, "{}, with cell {cell}", sample.name());
            assert_eq!(finding.solution.as_ref(), Some(&sample.solution), "{}", sample.name());
        }
    }
}

#[test]
fn adding_any_other_digit_leaves_a_unique_puzzle_without_solution() {
    for sample in unique_samples() {
        let with_other = |cell| {
            let digit = sample.solution[cell] % sample.constraints.side as u8 + 1;
            sample.with(cell, digit)
        };
        let grids: Vec<Vec<u8>> = sample.blanks().map(with_other).collect();
        for (cell, finding) in sample.blanks().zip(solve_by_lanes(&sample.rules, &grids)) {
            assert_eq!(finding.status, Status::None, "{}, with cell {cell}", sample.name());
        }
    }
}
