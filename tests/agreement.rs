//! The lanes against the plain search, against the puzzles' maker, and against themselves, on generated puzzles of every
//! variant and size.

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};

use rayon::prelude::*;
use sudoku_filter::{Limits, Method, Rules, Shape, Solver, Status, verify};

mod forms;
mod generator;

use forms::rules_of;
use generator::files::{VARIANTS, sides_of};
use generator::form::{Form, boxes_of};
use generator::puzzles;
use generator::random::Random;

/// A puzzle, what its maker knows of it, and what it must obey.
struct Sample {
    form: Arc<Form>,
    rules: Arc<Rules>,
    givens: Vec<u8>,
    status: Status,
    /// The grid that it was dug from.
    solution: Vec<u8>,
}

/// What a method says of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Said {
    status: Status,
    solution: Option<Vec<u8>>,
    guesses: u64,
}

/// By form: one layout in each size of each combination of variants.
static SAMPLES: LazyLock<Vec<Vec<Sample>>> = LazyLock::new(|| {
    let forms = VARIANTS.iter().flat_map(|&variants| {
        let sides = sides_of(variants).iter();
        sides.map(move |&side| (variants, side))
    });
    let forms: Vec<(&str, usize)> = forms.collect();
    let samples = forms
        .into_par_iter()
        .map(|(variants, side)| samples_of(variants, side));
    samples.collect()
});

fn samples_of(variants: &str, side: usize) -> Vec<Sample> {
    let random = &mut Random::of(&format!("agreement {variants} {side}"));
    let (form, first_grid) = puzzles::form_with_grid(side, variants, random);
    let form = Arc::new(form);
    let rules = rules_of(&form);
    let mut samples = Vec::new();
    for round in 0..if side > 9 { 2 } else { 5 } {
        let solution = puzzles::full_grid(&form, random).unwrap_or_else(|| first_grid.clone());
        let some = form.cells() * (35 + 5 * round) / 100;
        for (givens, status) in [
            (
                puzzles::dig(&form, &solution, puzzles::fewest_givens(&form), random),
                Status::Unique,
            ),
            (puzzles::dig(&form, &solution, some, random), Status::Unique),
            (
                puzzles::with_many_solutions(&form, &solution, random),
                Status::Multiple,
            ),
            (
                puzzles::without_solution(&form, &solution, random),
                Status::None,
            ),
            (
                puzzles::with_contradicting_givens(&form, &solution, random),
                Status::None,
            ),
        ] {
            samples.push(Sample {
                form: form.clone(),
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
    /// The puzzle as a user would write it.
    fn name(&self) -> String {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let symbol = |&digit: &u8| b".123456789ABCDEFG"[usize::from(digit)];
        let givens: Vec<u8> = self.givens.iter().map(symbol).collect();
        let regions = self.form.regions.as_deref().unwrap_or_default();
        format!("{} {} {}", self.form.variants, text(&givens), text(regions))
    }

    fn givens(&self) -> impl Iterator<Item = usize> {
        (0..self.givens.len()).filter(|&cell| self.givens[cell] != 0)
    }

    fn blanks(&self) -> impl Iterator<Item = usize> {
        (0..self.givens.len()).filter(|&cell| self.givens[cell] == 0)
    }

    /// The puzzle with one cell changed.
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

/// What a method says of each of these grids.
fn ask<G: AsRef<[u8]>>(
    rules: &Arc<Rules>,
    method: Method,
    max_guesses: u64,
    grids: &[G],
) -> Vec<Said> {
    let solver = Solver::new(
        rules.clone(),
        method,
        Limits {
            max_guesses,
            ..Limits::default()
        },
    );
    let slice: Vec<u8> = grids
        .iter()
        .flat_map(|grid| grid.as_ref())
        .copied()
        .collect();
    let mut said = vec![None; grids.len()];
    solver.solve(&slice, &mut |index, found| {
        let before = said[index].replace(Said {
            status: found.status,
            solution: found.solution.map(<[u8]>::to_vec),
            guesses: found.guesses,
        });
        assert_eq!(before, None, "grid {index} was answered twice");
    });
    said.into_iter()
        .map(|said| said.expect("every grid is answered"))
        .collect()
}

fn ask_lanes<G: AsRef<[u8]>>(rules: &Arc<Rules>, grids: &[G]) -> Vec<Said> {
    ask(rules, Method::Lanes, Limits::default().max_guesses, grids)
}

#[test]
fn the_rules_have_the_houses_that_the_generator_writes_down_itself() {
    for sample in SAMPLES.iter().map(|samples| &samples[0]) {
        let sorted = |house: &[usize]| house.iter().copied().collect::<BTreeSet<usize>>();
        let expected: BTreeSet<_> = sample
            .form
            .houses
            .iter()
            .map(|house| sorted(house))
            .collect();
        let houses = sample.rules.houses().iter().map(|house| {
            house
                .cells
                .iter()
                .map(|&cell| usize::from(cell))
                .collect::<BTreeSet<usize>>()
        });
        let houses: BTreeSet<_> = houses.collect();
        assert!(houses.is_superset(&expected), "{}", sample.name());
    }
}

#[test]
fn lanes_say_what_the_maker_of_a_puzzle_knows() {
    for form in SAMPLES.iter() {
        let grids: Vec<&[u8]> = form.iter().map(|sample| sample.givens.as_slice()).collect();
        for (sample, said) in form.iter().zip(ask_lanes(&form[0].rules, &grids)) {
            assert_eq!(said.status, sample.status, "{}", sample.name());
            if said.status == Status::Unique {
                assert_eq!(
                    said.solution.as_ref(),
                    Some(&sample.solution),
                    "{}",
                    sample.name()
                );
            }
        }
    }
}

#[test]
fn lanes_agree_with_backtracking_wherever_it_comes_to_an_end() {
    for form in SAMPLES.iter() {
        let grids: Vec<&[u8]> = form.iter().map(|sample| sample.givens.as_slice()).collect();
        let lanes = ask_lanes(&form[0].rules, &grids);
        let backtrack = ask(&form[0].rules, Method::Backtrack, 50_000, &grids);
        let mut decided = 0;
        for ((sample, lanes), backtrack) in form.iter().zip(lanes).zip(backtrack) {
            if backtrack.status == Status::Unknown {
                continue;
            }
            decided += 1;
            assert_eq!(lanes.status, backtrack.status, "{}", sample.name());
            if lanes.status == Status::Unique {
                assert_eq!(lanes.solution, backtrack.solution, "{}", sample.name());
            }
        }
        let fair = match form[0].form.side {
            ..=9 => form.len() / 3,
            // Of larger grids it decides little more than contradicting givens.
            _ => form.len() / 5,
        };
        assert!(
            decided >= fair,
            "{decided} of {}: {}",
            form.len(),
            form[0].name()
        );
    }
}

#[test]
fn every_solution_told_keeps_the_rules_and_the_givens() {
    for (method, max_guesses) in [(Method::Lanes, 1_000_000), (Method::Backtrack, 50_000)] {
        for form in SAMPLES.iter() {
            let grids: Vec<&[u8]> = form.iter().map(|sample| sample.givens.as_slice()).collect();
            let said = ask(&form[0].rules, method, max_guesses, &grids);
            for (sample, said) in form.iter().zip(said) {
                // One may be known where the limit leaves the verdict open.
                if said.status != Status::Unknown {
                    let solved = matches!(said.status, Status::Unique | Status::Multiple);
                    assert_eq!(said.solution.is_some(), solved, "{}", sample.name());
                }
                if let Some(solution) = said.solution {
                    let verdict = verify(&sample.rules, &sample.givens, &solution);
                    assert_eq!(verdict, Ok(()), "{}", sample.name());
                }
            }
        }
    }
}

#[test]
fn what_is_found_depends_on_the_grid_alone_not_on_its_company() {
    for form in SAMPLES.iter() {
        let rules = &form[0].rules;
        let grids: Vec<&[u8]> = form.iter().map(|sample| sample.givens.as_slice()).collect();
        let alone: Vec<Said> = grids
            .iter()
            .flat_map(|grid| ask_lanes(rules, &[grid]))
            .collect();
        let together = ask_lanes(rules, &grids);
        let backwards: Vec<&[u8]> = grids.iter().rev().copied().collect();
        let backwards = ask_lanes(rules, &backwards).into_iter().rev();
        // More than there are lanes, so that grids move in where others have left.
        let crowd = ask_lanes(rules, &grids.repeat(5));
        for (index, (sample, backwards)) in form.iter().zip(backwards).enumerate() {
            assert_eq!(together[index], alone[index], "{}", sample.name());
            assert_eq!(backwards, alone[index], "{}", sample.name());
            for copy in crowd.iter().skip(index).step_by(grids.len()) {
                assert_eq!(*copy, alone[index], "{}", sample.name());
            }
        }
    }
}

#[test]
fn relabelling_the_digits_keeps_the_verdict() {
    let mut random = Random::of("relabelling");
    for form in SAMPLES.iter() {
        let side = form[0].form.side as u8;
        let mut labels: Vec<u8> = (1..=side).collect();
        random.shuffle(&mut labels);
        labels.insert(0, 0);
        let relabel = |grid: &[u8]| -> Vec<u8> {
            grid.iter()
                .map(|&digit| labels[usize::from(digit)])
                .collect()
        };
        let grids: Vec<Vec<u8>> = form.iter().map(|sample| relabel(&sample.givens)).collect();
        for (sample, said) in form.iter().zip(ask_lanes(&form[0].rules, &grids)) {
            assert_eq!(said.status, sample.status, "{}", sample.name());
            if said.status == Status::Unique {
                assert_eq!(
                    said.solution,
                    Some(relabel(&sample.solution)),
                    "{}",
                    sample.name()
                );
            }
        }
    }
}

/// Moves cell `from[c]` of each puzzle to `c`, and its box or region with it. Where diagonals or windows do not come to
/// lie on diagonals or windows, it is no symmetry, and false.
fn keeps_verdicts(form: &[Sample], from: &[usize]) -> bool {
    fn moved(grid: &[u8], from: &[usize]) -> Vec<u8> {
        from.iter().map(|&cell| grid[cell]).collect()
    }
    let old = &form[0].form;
    let labels = moved(
        &old.regions.clone().unwrap_or_else(|| boxes_of(old.side)),
        from,
    );
    let new = Form::with_regions(old.side, &old.variants, &labels);
    let houses: BTreeSet<_> = new
        .houses
        .iter()
        .map(|house| {
            house
                .iter()
                .map(|&cell| from[cell])
                .collect::<BTreeSet<usize>>()
        })
        .collect();
    if !old
        .houses
        .iter()
        .all(|house| houses.contains(&house.iter().copied().collect()))
    {
        return false;
    }
    let shape = Shape::Regions {
        labels: &labels,
        disconnected: true,
    };
    let rules = Rules::new(old.side, shape, &old.variants.parse().unwrap()).unwrap();
    let grids: Vec<Vec<u8>> = form
        .iter()
        .map(|sample| moved(&sample.givens, from))
        .collect();
    for (sample, said) in form.iter().zip(ask_lanes(&Arc::new(rules), &grids)) {
        assert_eq!(
            said.status,
            sample.status,
            "{}, from {from:?}",
            sample.name()
        );
        if said.status == Status::Unique {
            assert_eq!(
                said.solution,
                Some(moved(&sample.solution, from)),
                "{}",
                sample.name()
            );
        }
    }
    true
}

#[test]
fn transposing_keeps_the_verdict() {
    for form in SAMPLES.iter() {
        let side = form[0].form.side;
        let from: Vec<usize> = (0..side * side)
            .map(|cell| cell % side * side + cell / side)
            .collect();
        assert!(keeps_verdicts(form, &from), "{}", form[0].name());
    }
}

#[test]
fn turning_the_grid_upside_down_keeps_the_verdict() {
    for form in SAMPLES.iter() {
        let side = form[0].form.side;
        let from: Vec<usize> = (0..side * side)
            .map(|cell| (side - 1 - cell / side) * side + cell % side)
            .collect();
        assert!(keeps_verdicts(form, &from), "{}", form[0].name());
    }
}

#[test]
fn exchanging_two_rows_keeps_the_verdict_where_it_keeps_the_houses() {
    for form in SAMPLES.iter() {
        let side = form[0].form.side;
        let mut symmetries = 0;
        for row in 0..side - 1 {
            let mut rows: Vec<usize> = (0..side).collect();
            rows.swap(row, row + 1);
            let from: Vec<usize> = (0..side * side)
                .map(|cell| rows[cell / side] * side + cell % side)
                .collect();
            symmetries += usize::from(keeps_verdicts(form, &from));
        }
        // In a grid of boxes or regions alone any two rows; with windows those that all windows of a strip share.
        let expected = match form[0].form.variants.as_str() {
            "classic" | "jigsaw" => side - 1,
            "window" | "jigsaw,window" => (side.isqrt() - 1) * (side.isqrt() - 1),
            _ => symmetries,
        };
        assert_eq!(symmetries, expected, "{}", form[0].name());
    }
}

#[test]
fn taking_a_given_away_never_leaves_a_puzzle_without_solution() {
    for sample in unique_samples() {
        let grids: Vec<Vec<u8>> = sample.givens().map(|cell| sample.with(cell, 0)).collect();
        for (cell, said) in sample.givens().zip(ask_lanes(&sample.rules, &grids)) {
            let solved = matches!(said.status, Status::Unique | Status::Multiple);
            assert!(
                solved,
                "{}, {} without cell {cell}",
                sample.name(),
                said.status
            );
        }
    }
}

#[test]
fn adding_a_digit_of_the_solution_keeps_a_puzzle_unique() {
    for sample in unique_samples() {
        let with_digit = |cell| sample.with(cell, sample.solution[cell]);
        let grids: Vec<Vec<u8>> = sample.blanks().map(with_digit).collect();
        for (cell, said) in sample.blanks().zip(ask_lanes(&sample.rules, &grids)) {
            assert_eq!(
                said.status,
                Status::Unique,
                "{}, with cell {cell}",
                sample.name()
            );
            assert_eq!(
                said.solution.as_ref(),
                Some(&sample.solution),
                "{}",
                sample.name()
            );
        }
    }
}

#[test]
fn adding_any_other_digit_leaves_a_unique_puzzle_without_solution() {
    for sample in unique_samples() {
        let with_other = |cell| {
            let digit = sample.solution[cell] % sample.form.side as u8 + 1;
            sample.with(cell, digit)
        };
        let grids: Vec<Vec<u8>> = sample.blanks().map(with_other).collect();
        for (cell, said) in sample.blanks().zip(ask_lanes(&sample.rules, &grids)) {
            assert_eq!(
                said.status,
                Status::None,
                "{}, with cell {cell}",
                sample.name()
            );
        }
    }
}
