//! Killers: the program's verdicts against those of batsat, for every variant and pair of variants
//! up to 9x9, and for some larger grids. Each puzzle has cages of its own.

use super::cases::{CASES, Case, With};
use super::constraints::{Cage, Constraints, Spec, text_of};
use super::maker::Maker;
use super::oracle::Oracle;
use super::program::{self, OutputLine, output_lines_of};
use super::{Counts, judge_cases, judge_line, wanted_puzzles};
use crate::full;
use crate::generator::random::Random;
use crate::skip::skip_for_machine;

/// A puzzle, and the constraints with its cages.
struct Killer {
    constraints: Constraints,
    puzzle: Vec<u8>,
}

/// Killers that share their constraints other than cages.
struct Group {
    base: Constraints,
    killers: Vec<Killer>,
}

impl Group {
    /// Makes killers for a case; each `round` gives others.
    fn of(case: &Case, round: usize, number: usize) -> Group {
        let random = &mut Random::of(&format!("killers {case} {round}"));
        let base = case.constraints(random);
        let spec = Spec { variants: format!("{},killer", base.spec.variants), ..base.spec.clone() };
        let mut maker = Maker::new(&base);
        let grids: Vec<Vec<u8>> =
            (0..1 + number / 20).filter_map(|_| maker.full_grid(random)).collect();
        let number = if grids.is_empty() { 0 } else { number };
        let killers = (0..number).map(|_| killer(&spec, random.pick(&grids).clone(), random));
        Group { killers: killers.collect(), base: Constraints::of(spec) }
    }

    fn lines(&self) -> Vec<String> {
        let line = |killer: &Killer| killer.constraints.line(&killer.puzzle);
        self.killers.iter().map(line).collect()
    }

    /// Returns the program's output line for each killer.
    fn solve(&self, options: &[&str]) -> Vec<OutputLine> {
        let output_lines = output_lines_of(&self.base, options, &self.lines());
        for (line, output_line) in self.lines().iter().zip(&output_lines) {
            assert_ne!(output_line.status, "invalid", "{}: {line}", self.base);
        }
        output_lines
    }
}

/// Returns a killer from a full grid. A quarter has a wrong sum, two exchanged sums or a wrong
/// given; most of these have no solution.
fn killer(spec: &Spec, grid: Vec<u8>, random: &mut Random) -> Killer {
    let side = spec.side;
    // Larger killers with few givens took varisat, the former solver, long.
    let shares: &[usize] = match side {
        ..=9 => &[0, 0, 0, 5, 10, 20, 30],
        _ => &[35, 45],
    };
    let share = *random.pick(shares);
    let given = |&digit: &u8| if random.below(100) < share { digit } else { 0 };
    let mut puzzle: Vec<u8> = grid.iter().map(given).collect();
    let mut cages = cages(spec, &grid, random);
    match random.below(12) {
        0 => change_sum(&mut cages, side, random),
        1 => exchange_sums(&mut cages, random),
        2 => puzzle[random.below(grid.len())] = 1 + random.below(side) as u8,
        _ => {}
    }
    let constraints = Constraints::of(Spec { cages, ..spec.clone() });
    Killer { constraints, puzzle }
}

/// Returns random cages whose digits differ in a full grid. They cover the grid or a part of it;
/// some have no sum.
fn cages(spec: &Spec, grid: &[u8], random: &mut Random) -> Vec<Cage> {
    let side = spec.side;
    let most = *random.pick(&[3, 4, 5, 6, side]);
    let missing = *random.pick(&[0, 0, 10, 40]);
    let has_usual_boxes = spec.regions.is_none() && spec.boxes == Spec::of("", side).boxes;
    // Cage numbers, which have the sums of all cages, can also express cages in pieces.
    let are_in_pieces = has_usual_boxes && (side > 9 || random.below(10) == 0);
    let without_sum = if are_in_pieces || side > 9 { 0 } else { *random.pick(&[0, 0, 20]) };
    let mut left: Vec<usize> = (0..grid.len()).collect();
    random.shuffle(&mut left);
    let mut cages = Vec::new();
    while let Some(first) = left.pop() {
        let mut cells = vec![first];
        for _ in 0..random.below(3 * most) {
            let near = random.below(left.len().max(1));
            let fits = |cell: usize| {
                let is_near = |&other: &usize| are_in_pieces || touches(side, cell, other);
                let is_other_digit = |&other: &usize| grid[cell] != grid[other];
                cells.iter().any(is_near) && cells.iter().all(is_other_digit)
            };
            let next =
                (0..left.len()).map(|at| (near + at) % left.len()).find(|&at| fits(left[at]));
            if let Some(next) = next.filter(|_| cells.len() < most.min(side)) {
                cells.push(left.swap_remove(next));
            }
        }
        let sum = cells.iter().map(|&cell| usize::from(grid[cell])).sum();
        let sum = Some(sum).filter(|_| random.below(100) >= without_sum);
        if random.below(100) >= missing && (sum.is_some() || cells.len() > 1) {
            cages.push(Cage { cells, sum });
        }
    }
    cages
}

/// True if cells share an edge or a corner.
fn touches(side: usize, one: usize, other: usize) -> bool {
    let rows = (one / side).abs_diff(other / side);
    let columns = (one % side).abs_diff(other % side);
    rows.max(columns) == 1
}

/// Changes a sum by one, if the cage can have that sum.
fn change_sum(cages: &mut [Cage], side: usize, random: &mut Random) {
    if cages.is_empty() {
        return;
    }
    let cage = &mut cages[random.below(cages.len())];
    let changed = cage.sum.map(|sum| sum + 2 * random.below(2) - 1);
    if changed.is_some_and(|sum| is_possible(cage.cells.len(), sum, side)) {
        cage.sum = changed;
    }
}

/// Exchanges two sums, if the cages can have them.
fn exchange_sums(cages: &mut [Cage], random: &mut Random) {
    for _ in 0..20.min(cages.len()) {
        let (one, other) = (random.below(cages.len()), random.below(cages.len()));
        if cages[one].cells.len() == cages[other].cells.len()
            && let (Some(a), Some(b)) = (cages[one].sum, cages[other].sum)
            && a != b
        {
            (cages[one].sum, cages[other].sum) = (Some(b), Some(a));
            return;
        }
    }
}

/// True if some different digits have the sum.
fn is_possible(cells: usize, sum: usize, side: usize) -> bool {
    let least = (1..=cells).sum();
    let most = (1..=cells).map(|lower| side + 1 - lower).sum();
    (least..=most).contains(&sum)
}

/// Guess limit of a line. Past it the line is `unknown`, which is not compared.
const GUESS_LIMIT: &str = "20000";

/// Returns the share of a case of all killers.
fn weight(case: &Case) -> usize {
    let has = |variant| case.variants.contains(variant);
    let is_slow = has("nonconsecutive") && case.side >= 9;
    match case.side {
        // There is no grid, which takes batsat 40 seconds to prove.
        9 if is_slow && has("window") => 0,
        9 if is_slow || case.with == With::Pieces => 1,
        ..=3 => 1,
        4..=8 => 4,
        9 => 10,
        10 | 12 if case.with == With::Nothing && !is_slow => 1,
        _ => 0,
    }
}

#[test]
fn batsat_confirms_every_verdict_of_killers() {
    let wanted = wanted_puzzles() / 5;
    let weights: usize = CASES.iter().map(weight).sum();
    let counts = judge_cases(|case| {
        let mut counts = Counts::new();
        let share = (wanted * weight(case)).div_ceil(weights);
        for round in 0..share.div_ceil(100) {
            judge(&Group::of(case, round, share.min(100)), &mut counts);
        }
        counts
    });
    let decided: usize = counts.values().sum();
    println!("killers confirmed by batsat: {counts:?}, {decided} in all");
    // Some variants have no grid of some size.
    assert!(decided * 10 >= wanted * 9, "{decided}");
    for verdict in ["unique", "multiple", "none"] {
        assert!(counts[verdict] > decided / 10, "{counts:?}");
    }
    let undecided = counts.get("unknown").copied().unwrap_or_default();
    assert!(undecided < decided / 20, "{counts:?}");
}

/// Compares the program's output lines with the results of batsat.
fn judge(group: &Group, counts: &mut Counts) {
    let answers = group.solve(&["--max-guesses", GUESS_LIMIT]);
    for (Killer { constraints, puzzle }, output_line) in group.killers.iter().zip(answers) {
        let mut oracle = Oracle::new(constraints);
        judge_line(constraints, &mut oracle, puzzle, &output_line);
        *counts.entry(output_line.status).or_default() += 1;
    }
}

/// Calls `judge` on ten killers of each case, or on two.
fn judge_some_of_each(round: usize, judge: impl Fn(&Group) -> Counts + Sync) -> Counts {
    judge_cases(|case| match weight(case) {
        0 => Counts::new(),
        _ => judge(&Group::of(case, round, full::cases(2, 10))),
    })
}

#[test]
fn every_level_and_backtracking_give_the_same_output_for_killers() {
    let counts = judge_some_of_each(1000, |group| {
        let limit = ["--max-guesses", "2000"];
        let expected = group.solve(&[&limit[..], &["--cpu", "portable", "-j1"]].concat());
        let mut counts = Counts::new();
        for level in &program::levels() {
            if !program::has_level(level) {
                skip_for_machine(&format!("this machine has no {level}"));
                continue;
            }
            let found = group.solve(&[&limit[..], &["--cpu", level]].concat());
            for (line, (found, expected)) in group.lines().iter().zip(found.iter().zip(&expected)) {
                assert_eq!(found, expected, "{} {level}: {line}", group.base);
            }
            counts.insert(level.to_string(), found.len());
        }
        let plain = group.solve(&["--method", "backtrack", "--max-guesses", "5000"]);
        for (line, (plain, expected)) in group.lines().iter().zip(plain.iter().zip(&expected)) {
            if [plain, expected].iter().all(|found| found.status != "unknown") {
                assert_eq!(plain.status, expected.status, "{} backtrack: {line}", group.base);
                *counts.entry("backtrack".into()).or_default() += 1;
            }
        }
        counts
    });
    println!("killers compared: {counts:?}");
    assert!(counts["backtrack"] > full::cases(80, 400), "{counts:?}");
}

#[test]
fn verify_judges_answers_of_killers_by_the_constraints() {
    let counts = judge_some_of_each(2000, |group| {
        let random = &mut Random::of(&format!("answers {}", group.base));
        let solved = group.solve(&["--max-guesses", GUESS_LIMIT]);
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for (Killer { constraints, puzzle }, solved) in group.killers.iter().zip(solved) {
            for kind in 0..3 {
                let mut answer = solved.grid.clone();
                let (one, other) = (random.below(answer.len()), random.below(answer.len()));
                match kind {
                    0 => {}
                    1 => answer.swap(one, other),
                    // Two digits are exchanged everywhere: the houses stay right, sums become
                    // wrong.
                    _ => exchange_digits(&mut answer, one, other),
                }
                let mut cells = puzzle.iter().zip(&answer);
                let keeps_givens = cells.all(|(given, found)| [0, *found].contains(given));
                let is_right = keeps_givens && constraints.are_obeyed_by(&answer);
                expected.push(if is_right { "correct\t-" } else { "incorrect\t" });
                lines.push(constraints.line(puzzle) + " " + &text_of(&answer));
            }
        }
        let mut counts = Counts::new();
        let judged = output_lines_of(&group.base, &["--verify"], &lines);
        for (line, (judged, expected)) in lines.iter().zip(judged.iter().zip(expected)) {
            let what = format!("{} --verify: {line}: {}", group.base, judged.status);
            assert!(judged.status.starts_with(expected), "{what}");
            *counts.entry(expected.trim_end().to_string()).or_default() += 1;
        }
        counts
    });
    println!("answers of killers judged: {counts:?}");
    assert!(counts.values().all(|&count| count > full::cases(60, 300)), "{counts:?}");
}

/// Exchanges the digits of two cells in the whole grid.
fn exchange_digits(grid: &mut [u8], one: usize, other: usize) {
    let (one, other) = (grid[one], grid[other]);
    for digit in grid {
        if *digit == one {
            *digit = other;
        } else if *digit == other {
            *digit = one;
        }
    }
}
