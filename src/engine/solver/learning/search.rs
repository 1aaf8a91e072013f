//! The search of a formula by the SAT solver batsat, within a budget. batsat reads no clock, so
//! until a deadline stops it, it takes the same steps on every machine.
//!
//! Tried, and not worth its 800 lines: a SAT solver of our own. It kept at-most-one constraints as
//! sets of variables, not as a clause for each two of them, and removed clauses by glue. It needed
//! half of the memory for 25x25. The 78 jigsaw layouts that no grid fits took 0.20 s instead of
//! 0.17 s. Blank grids with pairs, and blank jigsaws, took the same time or up to a tenth less.

use std::ops::ControlFlow;

use batsat::{SolverInterface, lbool};

use super::formula::Formula;
use crate::solver::limits::{Searched, check_solution};

#[derive(Default)]
pub(crate) struct Learnt {
    /// Without excluded ones.
    pub solutions: Vec<Vec<u8>>,
    /// `Everything` if all solutions are found or excluded.
    pub searched: Searched,
    pub conflicts: u64,
}

/// If the formula orders digits, `wanted` must be at most 2, because `with_swapped_digits` does not
/// make all solutions. Ends early if there are no more, or at the end of the budget.
pub(super) fn search(mut formula: Formula<'_>, wanted: usize) -> ControlFlow<(), Learnt> {
    let mut learnt = Learnt::default();
    while learnt.solutions.len() < wanted {
        let result = formula.solver.solve_limited(&[]);
        if result != lbool::TRUE {
            if result == lbool::FALSE {
                learnt.searched = Searched::Everything;
            }
            break;
        }
        let solution = formula.solution();
        let swapped = formula.with_swapped_digits(&solution);
        formula.exclude(&solution);
        learnt.solutions.push(solution);
        learnt.solutions.extend(swapped);
    }
    learnt.solutions.truncate(wanted);
    for solution in &learnt.solutions {
        check_solution(formula.rules, formula.givens, solution);
    }
    learnt.conflicts = formula.solver.cb().spent()?;
    ControlFlow::Continue(learnt)
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::*;
    use crate::full;
    use crate::puzzle::{Givens, Puzzles};
    use crate::random::Random;
    use crate::rules::{Cage, Rules, Shape};
    use crate::solver::backtrack::Backtrack;
    use crate::solver::learning::budget::Budget;
    use crate::solver::{Found, GuessLimit, Level, Limits, Method, Progress, Solver};
    use crate::verdict::Status;

    const LAYOUT: &[u8] =
        b"000122222000111222033331112003444411333345555664444577866655557888666777888886777";

    pub fn rules(side: usize, variants: &str) -> Arc<Rules> {
        let shape = if variants.contains("jigsaw") {
            Shape::regions(LAYOUT, false)
        } else {
            Shape::boxes_of(side).unwrap()
        };
        Arc::new(Rules::new(side, shape, &variants.parse().unwrap()).unwrap())
    }

    /// Status, number of solutions, true if these are all, and the reported solutions.
    type Reported = (Status, u64, bool, Vec<Vec<u8>>);

    fn solve_all(solver: &Solver, limits: Limits, puzzles: Puzzles<'_>) -> Vec<Reported> {
        let number = puzzles.number(solver.rules.cells());
        let mut reported = vec![(Status::Invalid, 0, false, Vec::new()); number];
        let flow = solver.solve(puzzles, limits, &mut |progress| {
            match progress {
                Progress::Solution(index, solution) => reported[index].3.push(solution.to_vec()),
                Progress::Found(index, found) => {
                    let Found { status, solution, guesses: _, solutions, complete } = found;
                    (reported[index].0, reported[index].1, reported[index].2) =
                        (status, solutions, complete);
                    assert_eq!(solution, reported[index].3.first().map(Vec::as_slice));
                }
                Progress::AtWork => {}
            }
            ControlFlow::Continue(())
        });
        assert!(flow.unwrap().is_continue());
        reported
    }

    fn learn(rules: &Rules, givens: Givens<'_>, wanted: usize) -> Learnt {
        learn_prepared(rules, givens, wanted, None, u64::MAX, |_| {})
    }

    fn learn_prepared(
        rules: &Rules,
        givens: Givens<'_>,
        wanted: usize,
        random: Option<Random>,
        max_conflicts: u64,
        prepare: impl FnOnce(&mut Formula<'_>),
    ) -> Learnt {
        let report = &mut |_: Progress<'_>| ControlFlow::Continue(());
        let budget = Budget::new(max_conflicts, None, report);
        let mut formula = Formula::new(rules, givens, random, budget);
        prepare(&mut formula);
        match search(formula, wanted) {
            ControlFlow::Continue(learnt) => learnt,
            ControlFlow::Break(()) => panic!("no report breaks"),
        }
    }

    /// Returns full grids with many cells removed, and a cell changed in some.
    fn samples(rules: &Arc<Rules>, number: usize) -> Vec<u8> {
        let cells = rules.cells();
        let mut random = Random::new(cells as u64);
        let seeds: Vec<u64> = (0..number as u64).collect();
        let blank = vec![0; number * cells];
        let puzzles = Puzzles { givens: Givens::Digits(&blank), seeds: &seeds };
        let solver = Solver::new(rules.clone(), Method::Lanes);
        let mut samples = vec![0; number * cells];
        let _ = solver.solve(puzzles, Limits::default(), &mut |progress| {
            if let Progress::Found(index, found) = progress {
                samples[index * cells..][..cells].copy_from_slice(found.solution.unwrap());
            }
            ControlFlow::Continue(())
        });
        for grid in samples.chunks_exact_mut(cells) {
            let kept = 34 + random.below(20);
            grid.fill_with({
                let grid = grid.to_vec();
                let random = &mut random;
                let mut cell = 0;
                move || {
                    cell += 1;
                    if random.below(100) < kept { grid[cell - 1] } else { 0 }
                }
            });
            if random.below(3) == 0 {
                grid[random.below(cells as u32) as usize] =
                    random.below(rules.side() as u32) as u8 + 1;
            }
        }
        samples
    }

    #[test]
    fn hard_puzzles_have_the_solutions_that_backtracking_finds() {
        let limits = |solutions| Limits {
            max_guesses: GuessLimit::None,
            max_time: None,
            solutions,
            shown: solutions.max(2),
        };
        for (side, variants) in [
            (4, "classic"),
            (6, "classic"),
            (6, "diagonal"),
            (9, "classic"),
            (9, "window"),
            (9, "jigsaw"),
            (9, "jigsaw,diagonal"),
        ] {
            let rules = rules(side, variants);
            let samples = samples(&rules, full::cases(15, 60));
            for solutions in [2, 40] {
                let limits = limits(solutions);
                let lanes = Solver::new(rules.clone(), Method::Lanes);
                let portable =
                    Solver::new(rules.clone(), Method::Lanes).at(Level::named("portable").unwrap());
                let plain = Solver::new(rules.clone(), Method::Backtrack);
                let expected = solve_all(&plain, limits, Puzzles::of_digits(&samples));
                let seeds: Vec<u64> = (0..expected.len() as u64).collect();
                for seeds in [&[], &seeds[..]] {
                    let givens = Givens::Digits(&samples);
                    let of_lanes = solve_all(&lanes, limits, Puzzles { givens, seeds });
                    assert_eq!(of_lanes, solve_all(&portable, limits, Puzzles { givens, seeds }));
                    for (reported, expected) in of_lanes.iter().zip(&expected) {
                        assert_eq!(
                            (reported.0, reported.1, reported.2),
                            (expected.0, expected.1, expected.2)
                        );
                        let shown: HashSet<&Vec<u8>> = reported.3.iter().collect();
                        assert_eq!(shown.len() as u64, reported.1, "no solution comes twice");
                        if reported.2 {
                            assert_eq!(shown, expected.3.iter().collect());
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn clause_learning_counts_the_grids_of_a_blank_four_by_four() {
        for (variants, grids) in [("classic", 288), ("diagonal", 48)] {
            let rules = rules(4, variants);
            let learnt = learn(&rules, Givens::Digits(&[0; 16]), 1000);
            let different: HashSet<&Vec<u8>> = learnt.solutions.iter().collect();
            assert_eq!((different.len(), learnt.searched), (grids, Searched::Everything));
        }
    }

    #[test]
    fn clause_learning_finds_as_many_solutions_as_backtracking() {
        for (side, variants) in [
            (4, "classic"),
            (6, "diagonal"),
            (8, "antiknight,nonconsecutive"),
            (9, "nonconsecutive"),
            (9, "antiking,disjoint"),
            (9, "jigsaw"),
        ] {
            let rules = rules(side, variants);
            for (number, grid) in
                samples(&rules, full::cases(15, 60)).chunks(rules.cells()).enumerate()
            {
                // Every third sample has pencilmarks: its digits, and all digits but one in blank
                // cells.
                let marks = |&digit: &u8| match digit {
                    0 => (1 << side) - 2,
                    digit => 1 << (digit - 1),
                };
                let sets: Vec<u32> = grid.iter().map(marks).collect();
                let givens = match number % 3 {
                    0 => Givens::Candidates(&sets),
                    _ => Givens::Digits(grid),
                };
                for wanted in [1, 2, 7] {
                    let limits = Limits {
                        max_guesses: GuessLimit::None,
                        max_time: None,
                        solutions: wanted,
                        shown: wanted,
                    };
                    let mut expected = (0, false);
                    let seeds = &[];
                    let _ = Backtrack::new(&rules, limits).solve(
                        Puzzles { givens, seeds },
                        &mut |progress| {
                            if let Progress::Found(_, found) = progress {
                                expected = (found.solutions, found.complete);
                            }
                            ControlFlow::Continue(())
                        },
                    );
                    let learnt = learn(&rules, givens, wanted as usize);
                    let different: HashSet<&Vec<u8>> = learnt.solutions.iter().collect();
                    assert_eq!(different.len(), learnt.solutions.len());
                    assert_eq!(
                        (learnt.solutions.len() as u64, learnt.searched == Searched::Everything),
                        expected,
                        "{variants}: {givens:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn clause_learning_finds_the_solutions_of_killers() {
        let without_cages = rules(4, "classic");
        let mut random = Random::new(10);
        let mut solutions = HashSet::new();
        for _ in 0..200 {
            // A cage of two or three cells in some rows. A few have no sum.
            let rows = (0..4).filter(|_| random.below(4) > 0).collect::<Vec<u16>>();
            let cages = rows.iter().map(|row| {
                let number = 2 + random.below(2) as u16;
                let cells = (4 * row..4 * row + number).collect();
                let sum = 3 * number - 3 + random.below(4) as u16;
                Cage::new(4, cells, (sum != 5).then_some(sum)).unwrap()
            });
            let cages: Vec<Cage> = cages.collect();
            let killer = without_cages.with_cages(cages.clone()).unwrap();
            let blank = Givens::Digits(&[0; 16]);
            let found = learn(&killer, blank, 300);
            assert_eq!(found.searched, Searched::Everything, "{cages:?}");
            let learnt: HashSet<Vec<u8>> = found.solutions.into_iter().collect();
            let mut expected = HashSet::new();
            let _ = Backtrack::new(&killer, Limits::NONE).solve(
                Puzzles::of_digits(&[0; 16]),
                &mut |progress| {
                    if let Progress::Solution(_, solution) = progress {
                        expected.insert(solution.to_vec());
                    }
                    ControlFlow::Continue(())
                },
            );
            assert_eq!(learnt, expected, "{cages:?}");
            solutions.insert(learnt.len());
        }
        assert!(solutions.len() > 10, "{solutions:?}");
    }

    #[test]
    fn known_solutions_are_left_out() {
        let rules = rules(4, "diagonal");
        let blank = Givens::Digits(&[0; 16]);
        let all = learn(&rules, blank, 48).solutions;
        let learnt = learn_prepared(&rules, blank, 48, None, u64::MAX, |formula| {
            formula.exclude(&all[5]);
            formula.exclude(&all[30]);
        });
        let different: HashSet<&Vec<u8>> = learnt.solutions.iter().collect();
        assert_eq!((different.len(), learnt.searched), (46, Searched::Everything));
        assert!(!different.contains(&all[5]) && !different.contains(&all[30]));
    }

    #[test]
    fn a_seed_draws_the_solution() {
        let rules = rules(6, "diagonal");
        let solution = |seed| {
            let blank = Givens::Digits(&[0; 36]);
            let random = Some(Random::new(seed));
            let mut learnt = learn_prepared(&rules, blank, 1, random, u64::MAX, |_| {});
            learnt.solutions.remove(0)
        };
        let drawn: HashSet<Vec<u8>> = (0..20).map(solution).collect();
        assert!(drawn.len() > 10, "{}", drawn.len());
        assert!((0..20).all(|seed| drawn.contains(&solution(seed))));
    }

    #[test]
    fn digits_that_no_given_names_give_a_second_solution() {
        let rules = rules(9, "classic");
        let blank = Givens::Digits(&[0; 81]);
        let ordered = |formula: &mut Formula<'_>| formula.order_digits();
        let learnt = learn_prepared(&rules, blank, 2, None, u64::MAX, ordered);
        let rows = learnt.solutions.iter().map(|solution| &solution[..9]);
        let rows: Vec<&[u8]> = rows.collect();
        assert_eq!(rows, [[1, 2, 3, 4, 5, 6, 7, 8, 9], [2, 1, 3, 4, 5, 6, 7, 8, 9]]);
        assert_eq!(learnt.searched, Searched::Part);
    }

    #[test]
    fn clause_learning_ends_at_the_maximum_number_of_conflicts() {
        let rules = rules(9, "jigsaw");
        for max_conflicts in [0, 1, 3, 10] {
            let blank = Givens::Digits(&[0; 81]);
            let learnt = learn_prepared(&rules, blank, 1000, None, max_conflicts, |_| {});
            assert_eq!(learnt.conflicts, max_conflicts);
            assert_eq!(learnt.searched, Searched::Part);
        }
    }
}
