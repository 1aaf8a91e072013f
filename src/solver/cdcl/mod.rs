//! The fallback for puzzles that branching in lanes does not decide. Two searches take turns: clause learning and the plain search.
//!
//! Clause learning is better where a few regions contradict each other: jigsaw layouts that no grid fits, blank 25x25 grids. The plain
//! search is better where no short clauses can be learnt. For the blank 9x9 `window,nonconsecutive` it takes 86 million branches
//! of about 75 ns; clause learning takes 515,000 conflicts (CaDiCaL), and a conflict takes 50 to 140 µs here. Each turn is twice as
//! long as the last, so the time is a small multiple of what the better search needs.
//!
//! `encode.rs` makes the formula of a puzzle; `solver.rs` searches it by clause learning, with `clauses.rs`, `order.rs` and
//! `restarts.rs`.

mod clauses;
mod encode;
mod order;
mod restarts;
mod solver;

use std::ops::ControlFlow;

use super::backtrack::{Backtrack, DigitOrder, Enumeration, EnumerationStep};
use super::deadline::Deadline;
use super::limits::Limits;
use super::random::Random;
use crate::puzzle::Givens;
use crate::rules::Rules;
use encode::Formula;
use solver::{Satisfiability, Step};

/// A puzzle that is searched by clause learning and by the plain search.
pub(crate) struct Fallback<'a> {
    rules: &'a Rules,
    givens: Givens<'a>,
    formula: Formula<'a>,
    /// The interchangeable digits, from 0, if clauses fix their order.
    ordered: Vec<usize>,
    /// Solutions that are already known.
    excluded: Vec<Vec<u8>>,
    /// The order in which the plain search tries digits; random if there is a seed.
    digit_order: DigitOrder,
    /// The searches that take part, and the length of their turns.
    turns: Turns,
}

/// The turns of the two searches.
#[derive(Clone, Copy, Debug)]
struct Turns {
    clause_learning: bool,
    plain_search: bool,
    first: u64,
    branches_per_guess: u64,
}

/// The result of the fallback.
pub(crate) struct FallbackResult {
    pub solutions: Vec<Vec<u8>>,
    /// True if there are no other solutions.
    pub complete: bool,
    /// Conflicts of clause learning, and one for each [`BRANCHES_PER_GUESS`] of the plain search.
    pub guesses: u64,
    /// True if the limit of guesses, memory or time ended the search.
    pub limit_reached: bool,
}

/// Conflicts and decisions between two reports: one or two milliseconds.
const STEPS_PER_REPORT: u64 = 256;
/// Conflicts and decisions between two reads of the clock, if time is limited.
const STEPS_PER_CLOCK_READ: u64 = 32;
/// Branches of the plain search that count as one guess. They take about as long as a conflict.
const BRANCHES_PER_GUESS: u64 = 1024;
/// Guesses in the first turn of each search. Each later turn is twice as long. Clause learning decides 78 jigsaw layouts that no
/// grid fits in at most 2,422 conflicts each, so they never reach the plain search.
const FIRST_TURN: u64 = 4_000;

impl<'a> Fallback<'a> {
    pub fn new(rules: &'a Rules, givens: Givens<'a>, random: Option<&mut Random>) -> Fallback<'a> {
        let mut fallback = Fallback {
            rules,
            givens,
            formula: Formula::new(rules, givens),
            ordered: Vec::new(),
            excluded: Vec::new(),
            digit_order: DigitOrder::Ascending,
            turns: Turns {
                clause_learning: true,
                plain_search: true,
                first: FIRST_TURN,
                branches_per_guess: BRANCHES_PER_GUESS,
            },
        };
        if let Some(random) = random {
            fallback.formula.cdcl.shuffle(random);
            fallback.digit_order = DigitOrder::Random(random.clone());
        }
        fallback
    }

    /// Excludes a known solution from both searches.
    pub fn exclude(&mut self, solution: &[u8]) {
        self.excluded.push(solution.to_vec());
        self.formula.exclude(solution);
    }

    /// Fixes the order of interchangeable digits, if swapping two of them gives enough solutions from one. Must not be called
    /// after `exclude`.
    pub fn order_digits(&mut self, wanted: usize) {
        self.ordered = self.formula.order_digits(wanted);
    }

    /// Returns the solution and those with two digits swapped, up to the wanted number.
    fn with_digits_changed(&self, solution: Vec<u8>, wanted: usize) -> Vec<Vec<u8>> {
        let number = self.ordered.len();
        let pairs = (0..number).flat_map(|a| (a + 1..number).map(move |b| (a, b)));
        let others = pairs.map(|(a, b)| {
            let [a, b] = [a, b].map(|at| self.ordered[at] as u8 + 1);
            let changed = |&digit: &u8| match digit {
                digit if digit == a => b,
                digit if digit == b => a,
                digit => digit,
            };
            solution.iter().map(changed).collect()
        });
        let all = std::iter::once(solution.clone()).chain(others);
        all.take(wanted).collect()
    }

    /// Searches for the wanted number of solutions. Clause learning and the plain search take turns, each twice as long as the
    /// last, until one of them has found enough or all. The two searches share nothing. If `at_work` breaks, they end as at
    /// a limit.
    pub fn solve(
        mut self,
        wanted: usize,
        guesses: u64,
        limits: Limits,
        deadline: Option<Deadline>,
        at_work: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> FallbackResult {
        let mut meter = GuessMeter {
            guesses,
            turn_end: guesses,
            limits,
            deadline,
            at_work,
        };
        let backtrack = Backtrack::new(self.rules, limits);
        let mut plain = PlainSearch {
            enumeration: Enumeration::new(&backtrack, self.givens),
            order: std::mem::replace(&mut self.digit_order, DigitOrder::Ascending),
            branches: 0,
            branches_per_guess: self.turns.branches_per_guess,
            solutions: Vec::new(),
        };
        let mut learnt = Vec::new();
        let mut turn = self.turns.first;
        let (solutions, outcome) = loop {
            if self.turns.clause_learning {
                meter.turn_end = meter.guesses.saturating_add(turn);
                let outcome = self.learn(&mut learnt, wanted, &mut meter);
                if outcome != Outcome::TurnOver {
                    // At the limit, the search with more solutions counts.
                    let more =
                        plain.solutions.len() > learnt.len() && outcome == Outcome::LimitReached;
                    break (if more { plain.solutions } else { learnt }, outcome);
                }
            }
            if self.turns.plain_search {
                meter.turn_end = meter.guesses.saturating_add(turn);
                let outcome = plain.search(&self.excluded, wanted, &mut meter);
                if outcome != Outcome::TurnOver {
                    let more =
                        plain.solutions.len() >= learnt.len() || outcome != Outcome::LimitReached;
                    break (if more { plain.solutions } else { learnt }, outcome);
                }
            }
            turn = turn.saturating_mul(2);
        };
        for solution in &solutions {
            self.check(solution);
        }
        FallbackResult {
            solutions,
            complete: outcome == Outcome::Exhausted,
            guesses: meter.guesses - guesses,
            limit_reached: outcome == Outcome::LimitReached,
        }
    }

    /// Takes a turn of clause learning.
    fn learn(
        &mut self,
        solutions: &mut Vec<Vec<u8>>,
        wanted: usize,
        meter: &mut GuessMeter<'_>,
    ) -> Outcome {
        let mut steps = 0u64;
        while solutions.len() < wanted {
            let mut refused = None;
            let outcome = self.formula.cdcl.solve(&mut |step| {
                steps += 1;
                if steps.is_multiple_of(STEPS_PER_REPORT) && (meter.at_work)().is_break() {
                    refused = Some(Outcome::LimitReached);
                } else if step == Step::Conflict {
                    refused = meter.count_guess().err();
                } else if steps.is_multiple_of(STEPS_PER_CLOCK_READ) && meter.is_out_of_time() {
                    refused = Some(Outcome::LimitReached);
                }
                refused.is_none()
            });
            match outcome {
                Satisfiability::Unsatisfiable => return Outcome::Exhausted,
                // If no step was refused, the memory bound was reached.
                Satisfiability::Unknown => return refused.unwrap_or(Outcome::LimitReached),
                Satisfiability::Satisfiable => {}
            }
            let solution = self.formula.solution();
            if self.ordered.is_empty() {
                self.formula.exclude(&solution);
                solutions.push(solution);
            } else {
                *solutions = self.with_digits_changed(solution, wanted);
            }
        }
        Outcome::Enough
    }

    /// Checks a solution: the safety net, as in the lanes.
    fn check(&self, solution: &[u8]) {
        assert!(
            self.rules.hold_for(solution) && self.givens.are_kept_by(solution),
            "{solution:?} is no solution of {:?}",
            self.givens
        );
    }
}

/// The plain search. Each turn continues the last one.
struct PlainSearch<'a> {
    enumeration: Enumeration<'a>,
    order: DigitOrder,
    branches: u64,
    branches_per_guess: u64,
    solutions: Vec<Vec<u8>>,
}

impl PlainSearch<'_> {
    /// Takes a turn.
    fn search(
        &mut self,
        excluded: &[Vec<u8>],
        wanted: usize,
        meter: &mut GuessMeter<'_>,
    ) -> Outcome {
        while self.solutions.len() < wanted {
            let mut refused = None;
            let branches = &mut self.branches;
            let step = self.enumeration.advance(&mut self.order, || {
                if branches.is_multiple_of(self.branches_per_guess) {
                    refused = meter.count_guess().err();
                    if refused.is_none() && (meter.at_work)().is_break() {
                        refused = Some(Outcome::LimitReached);
                    }
                    if refused.is_some() {
                        return false;
                    }
                }
                *branches += 1;
                true
            });
            match step {
                EnumerationStep::Exhausted => return Outcome::Exhausted,
                EnumerationStep::Refused => return refused.expect("a refused branch"),
                EnumerationStep::Solution => {
                    let digits = self.enumeration.digits();
                    if !excluded.iter().any(|known| known == digits) {
                        self.solutions.push(digits.to_vec());
                    }
                }
            }
        }
        Outcome::Enough
    }
}

/// The reason why a turn ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// There is no other solution.
    Exhausted,
    /// The wanted number of solutions is found.
    Enough,
    TurnOver,
    LimitReached,
}

/// Counts the guesses of both searches.
struct GuessMeter<'a> {
    guesses: u64,
    /// The number of guesses at the end of the turn.
    turn_end: u64,
    limits: Limits,
    deadline: Option<Deadline>,
    at_work: &'a mut dyn FnMut() -> ControlFlow<()>,
}

impl GuessMeter<'_> {
    /// Counts a guess, unless the turn is over or a limit is reached.
    fn count_guess(&mut self) -> Result<(), Outcome> {
        if self.limits.are_reached_by(self.guesses) || self.is_out_of_time() {
            return Err(Outcome::LimitReached);
        }
        if self.guesses >= self.turn_end {
            return Err(Outcome::TurnOver);
        }
        self.guesses += 1;
        Ok(())
    }

    /// Returns whether the time of the puzzle is up.
    fn is_out_of_time(&self) -> bool {
        self.deadline.is_some_and(Deadline::is_past)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use super::*;
    use crate::puzzle::Puzzles;
    use crate::rules::{Cage, Shape};
    use crate::solver::{Found, Level, Method, Progress, Solver};
    use crate::verdict::Status;

    const LAYOUT: &[u8] =
        b"000122222000111222033331112003444411333345555664444577866655557888666777888886777";

    pub fn rules(side: usize, variants: &str) -> Arc<Rules> {
        let shape = match variants.contains("jigsaw") {
            true => Shape::Regions {
                labels: LAYOUT,
                disconnected: false,
            },
            false => Shape::boxes_of(side).unwrap(),
        };
        Arc::new(Rules::new(side, shape, &variants.parse().unwrap()).unwrap())
    }

    /// Status, number of solutions, true if these are all, and the reported solutions.
    type Reported = (Status, u64, bool, Vec<Vec<u8>>);

    fn solve_all(solver: &Solver, limits: Limits, puzzles: Puzzles<'_>) -> Vec<Reported> {
        let number = puzzles.number(solver.rules().cells());
        let mut reported = vec![(Status::Invalid, 0, false, Vec::new()); number];
        let flow = solver.solve(puzzles, limits, &mut |progress| {
            match progress {
                Progress::Solution(index, solution) => reported[index].3.push(solution.to_vec()),
                Progress::Found(index, found) => {
                    let Found {
                        status,
                        solution,
                        guesses: _,
                        solutions,
                        complete,
                    } = found;
                    (reported[index].0, reported[index].1, reported[index].2) =
                        (status, solutions, complete);
                    assert_eq!(solution, reported[index].3.first().map(Vec::as_slice));
                }
                Progress::AtWork => {}
            }
            ControlFlow::Continue(())
        });
        assert!(flow.is_continue());
        reported
    }

    /// Returns full grids with many cells removed, and a cell changed in some.
    fn samples(rules: &Arc<Rules>, number: usize) -> Vec<u8> {
        let cells = rules.cells();
        let mut random = Random::new(cells as u64);
        let seeds: Vec<u64> = (0..number as u64).collect();
        let blank = vec![0; number * cells];
        let puzzles = Puzzles {
            givens: Givens::Digits(&blank),
            seeds: &seeds,
        };
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
                    if random.below(100) < kept {
                        grid[cell - 1]
                    } else {
                        0
                    }
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
    fn the_fallback_finds_what_the_plain_search_finds() {
        let limits = |solutions| Limits {
            max_guesses: 0,
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
            let samples = samples(&rules, 120);
            for solutions in [2, 3, 10, 40] {
                let limits = limits(solutions);
                let lanes = Solver::new(rules.clone(), Method::Lanes);
                let portable =
                    Solver::new(rules.clone(), Method::Lanes).at(Level::named("portable").unwrap());
                let plain = Solver::new(rules.clone(), Method::Backtrack);
                let of_lanes = solve_all(&lanes, limits, Puzzles::of_digits(&samples));
                assert_eq!(
                    of_lanes,
                    solve_all(&portable, limits, Puzzles::of_digits(&samples))
                );
                let expected = solve_all(&plain, limits, Puzzles::of_digits(&samples));
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

    #[test]
    fn conflicts_alone_count_the_grids_of_a_blank_four_by_four() {
        for (variants, grids) in [("classic", 288), ("diagonal", 48)] {
            let rules = rules(4, variants);
            let fallback = Fallback::new(&rules, Givens::Digits(&[0; 16]), None);
            let findings = fallback.solve(1000, 0, Limits::default(), None, &mut || {
                ControlFlow::Continue(())
            });
            let different: HashSet<&Vec<u8>> = findings.solutions.iter().collect();
            assert_eq!((different.len(), findings.complete), (grids, true));
        }
    }

    const SIDES: [(bool, bool); 3] = [(true, false), (false, true), (true, true)];

    #[test]
    fn each_search_alone_and_both_in_turns_find_as_many_solutions_as_backtracking() {
        for (side, variants) in [
            (4, "classic"),
            (6, "diagonal"),
            (8, "antiknight,nonconsecutive"),
            (9, "nonconsecutive"),
            (9, "antiking,disjoint"),
            (9, "jigsaw"),
        ] {
            let rules = rules(side, variants);
            for (number, grid) in samples(&rules, 60).chunks(rules.cells()).enumerate() {
                // Every third sample has pencilmarks: its digits, and all digits but one in blank cells.
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
                        max_guesses: 0,
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
                    for (clause_learning, plain_search) in SIDES {
                        let mut fallback = Fallback::new(&rules, givens, None);
                        fallback.turns = Turns {
                            clause_learning,
                            plain_search,
                            first: 1,
                            branches_per_guess: 1,
                        };
                        let findings =
                            fallback.solve(wanted as usize, 0, limits, None, &mut || {
                                ControlFlow::Continue(())
                            });
                        let different: HashSet<&Vec<u8>> = findings.solutions.iter().collect();
                        assert_eq!(different.len(), findings.solutions.len());
                        assert_eq!(
                            (findings.solutions.len() as u64, findings.complete),
                            expected,
                            "{variants} {clause_learning} {plain_search}: {givens:?}"
                        );
                        assert!(!findings.limit_reached);
                    }
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
            let all =
                |fallback: Fallback<'_>| -> HashSet<Vec<u8>> {
                    let findings = fallback.solve(300, 0, Limits::NONE, None, &mut || {
                        ControlFlow::Continue(())
                    });
                    assert!(findings.complete, "{cages:?}");
                    findings.solutions.into_iter().collect()
                };
            let [learnt, expected] = [true, false].map(|clause_learning| {
                let mut fallback = Fallback::new(&killer, Givens::Digits(&[0; 16]), None);
                fallback.turns.clause_learning = clause_learning;
                fallback.turns.plain_search = !clause_learning;
                all(fallback)
            });
            assert_eq!(learnt, expected, "{cages:?}");
            solutions.insert(learnt.len());
        }
        assert!(solutions.len() > 10, "{solutions:?}");
    }

    #[test]
    fn known_solutions_are_left_out_by_either_search() {
        let rules = rules(4, "diagonal");
        let all = Fallback::new(&rules, Givens::Digits(&[0; 16]), None);
        let all = all
            .solve(48, 0, Limits::default(), None, &mut || {
                ControlFlow::Continue(())
            })
            .solutions;
        for (clause_learning, plain_search) in SIDES {
            let mut fallback = Fallback::new(&rules, Givens::Digits(&[0; 16]), None);
            fallback.turns.clause_learning = clause_learning;
            fallback.turns.plain_search = plain_search;
            for known in [&all[5], &all[30]] {
                fallback.exclude(known);
            }
            let findings = fallback.solve(48, 0, Limits::default(), None, &mut || {
                ControlFlow::Continue(())
            });
            let different: HashSet<&Vec<u8>> = findings.solutions.iter().collect();
            assert_eq!((different.len(), findings.complete), (46, true));
            assert!(!different.contains(&all[5]) && !different.contains(&all[30]));
        }
    }

    #[test]
    fn branches_of_the_plain_search_count_as_guesses_by_the_thousand() {
        let rules = rules(8, "antiking,nonconsecutive");
        let blank = Givens::Digits(&[0; 64]);
        let limits = Limits {
            max_guesses: 0,
            ..Limits::default()
        };
        let mut branches = 0;
        let _ =
            Backtrack::new(&rules, limits).solve(Puzzles::of_digits(&[0; 64]), &mut |progress| {
                if let Progress::Found(_, found) = progress {
                    assert_eq!(found.status, Status::None);
                    branches = found.guesses;
                }
                ControlFlow::Continue(())
            });
        assert!(branches > 10 * BRANCHES_PER_GUESS);
        for (first, max_guesses) in [(1, 0), (3, 0), (FIRST_TURN, 0), (1, 7), (FIRST_TURN, 7)] {
            let mut fallback = Fallback::new(&rules, blank, None);
            fallback.turns.clause_learning = false;
            fallback.turns.first = first;
            let limits = Limits {
                max_guesses,
                ..limits
            };
            let mut reports = 0;
            let at_work = &mut || {
                reports += 1;
                ControlFlow::Continue(())
            };
            let findings = fallback.solve(2, 0, limits, None, at_work);
            let all = branches.div_ceil(BRANCHES_PER_GUESS);
            let expected = if max_guesses == 0 { all } else { max_guesses };
            assert_eq!(findings.guesses, expected);
            assert_eq!(reports, expected);
            assert_eq!(findings.complete, max_guesses == 0);
            assert_eq!(findings.limit_reached, max_guesses != 0);
        }
    }

    #[test]
    fn a_seed_draws_the_solution_of_either_search() {
        let rules = rules(6, "diagonal");
        for (clause_learning, plain_search) in SIDES {
            let solution = |seed| {
                let mut random = Random::new(seed);
                let blank = Givens::Digits(&[0; 36]);
                let mut fallback = Fallback::new(&rules, blank, Some(&mut random));
                fallback.turns = Turns {
                    clause_learning,
                    plain_search,
                    first: 1,
                    branches_per_guess: 1,
                };
                let mut findings = fallback.solve(1, 0, Limits::default(), None, &mut || {
                    ControlFlow::Continue(())
                });
                findings.solutions.remove(0)
            };
            let drawn: HashSet<Vec<u8>> = (0..20).map(solution).collect();
            assert!(drawn.len() > 10, "{}", drawn.len());
            assert!((0..20).all(|seed| drawn.contains(&solution(seed))));
        }
    }

    #[test]
    fn digits_that_no_given_names_give_further_solutions() {
        let rules = rules(9, "classic");
        let mut fallback = Fallback::new(&rules, Givens::Digits(&[0; 81]), None);
        fallback.order_digits(16);
        let findings = fallback.solve(16, 0, Limits::default(), None, &mut || {
            ControlFlow::Continue(())
        });
        let different: HashSet<&Vec<u8>> = findings.solutions.iter().collect();
        assert_eq!((different.len(), findings.complete), (16, false));
        assert_eq!(findings.solutions[0][..9], [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    }

    #[test]
    fn conflicts_count_as_guesses() {
        let rules = rules(9, "jigsaw");
        for max_guesses in [1, 3, 10] {
            let limits = Limits {
                max_guesses,
                ..Limits::default()
            };
            let fallback = Fallback::new(&rules, Givens::Digits(&[0; 81]), None);
            let findings = fallback.solve(usize::MAX, 0, limits, None, &mut || {
                ControlFlow::Continue(())
            });
            assert_eq!(findings.guesses, max_guesses);
            assert!(findings.limit_reached && !findings.complete);
        }
    }

    #[test]
    fn a_puzzle_whose_rules_exceed_the_memory_is_left_open() {
        let rules = rules(9, "jigsaw");
        let mut fallback = Fallback::new(&rules, Givens::Digits(&[0; 81]), None);
        fallback.formula.cdcl.limit_bytes(50_000);
        let findings = fallback.solve(2, 0, Limits::default(), None, &mut || {
            ControlFlow::Continue(())
        });
        assert!(findings.limit_reached && !findings.complete);
        assert!(findings.solutions.is_empty());
    }
}
