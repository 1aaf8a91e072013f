//! Compares the program's verdicts with those of a SAT solver, for every variant and pair of
//! variants, in many sizes. The SAT solver gets constraints written from the definition of the
//! rules. The tests run the real program, so everything between an input line and its output line
//! is covered.
//!
//! A full run makes about 2,000 puzzles and a fifth as many killers, others 300. `PROVE=N` makes about
//! N; `make prove` makes a million.

mod cases;
mod constraints;
mod killers;
mod maker;
mod oracle;
mod pencilmarks;
mod program;
mod symmetry;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::full;
use crate::generator::random::Random;
use crate::skip::skip_for_machine;
use cases::{CASES, Case, With};
use constraints::{Constraints, Spec};
use maker::Maker;
use oracle::Oracle;
use program::{OutputLine, output_lines, output_lines_of};

/// Guess limit of a line. Past it the line is `unknown`, which is not compared; few lines are.
fn guess_limit(constraints: &Constraints) -> &'static str {
    let is_hard = constraints.side > 12 || constraints.spec.is_disconnected;
    if is_hard { "1000" } else { "20000" }
}

fn wanted_puzzles() -> usize {
    let number_of_puzzles = std::env::var("PROVE").ok();
    match number_of_puzzles {
        Some(number) => number.parse().expect("PROVE is a number"),
        None => full::cases(300, 2000),
    }
}

/// Returns whether more than a full run of the tests is wanted.
fn is_long_run() -> bool {
    wanted_puzzles() >= 10_000
}

/// Returns the number of puzzles to make where a long run makes `many`. A full run of the tests
/// makes a sixth, others a twentieth.
fn some_of(many: usize) -> usize {
    if is_long_run() { many } else { full::cases((many / 20).max(1), many / 6) }
}

/// Number of puzzles with each verdict.
type Counts = BTreeMap<String, usize>;

/// Calls `judge` on the cases for which batsat finds grids fast, and on all cases in a long
/// run. The fast cases include every variant;
/// `batsat_confirms_every_verdict_of_the_program` covers all cases.
fn judge_fast_cases(judge: impl Fn(&Case) -> Counts + Sync) -> Counts {
    let all = is_long_run();
    judge_cases(|case| {
        let is_slow = case.variants.contains("nonconsecutive") && case.side >= 9
            || case.with == With::Pieces && case.side > 7;
        let is_fast = case.side <= 12 && !is_slow;
        if all || is_fast || (case.side == 16 && case.variants == "classic") {
            judge(case)
        } else {
            Counts::new()
        }
    })
}

/// Calls `judge` on every case, on all cores.
fn judge_cases(judge: impl Fn(&Case) -> Counts + Sync) -> Counts {
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Counts::new()));
    let work = || {
        while let Some(case) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
            let begin = std::time::Instant::now();
            let counts = judge(case);
            if std::env::var("PROVE_TIMES").is_ok() {
                println!("{case}: {:.1?}, {counts:?}", begin.elapsed());
            }
            let mut total = total.lock().unwrap();
            for (verdict, count) in counts {
                *total.entry(verdict).or_default() += count;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    total.into_inner().unwrap()
}

/// Returns constraints and puzzles for a case; each `round` gives others.
fn make_puzzles(case: &Case, round: usize, count: usize) -> (Constraints, Vec<Vec<u8>>) {
    let random = &mut Random::of(&format!("proof {case} {round}"));
    let constraints = case.constraints(random);
    let puzzles = Maker::new(&constraints).puzzles(count, random);
    (constraints, puzzles)
}

#[test]
fn constraints_have_the_expected_numbers_of_sets_and_pairs() {
    let constraints = |variants, side| Constraints::of(Spec::of(variants, side));
    for (variants, side, sets) in [
        ("classic", 9, 27),
        ("classic", 6, 18),
        ("diagonal", 9, 29),
        ("window", 9, 31),
        ("window", 4, 13),
        ("window", 16, 57),
        ("disjoint", 9, 36),
        ("asterisk,center-dot,girandola", 9, 30),
    ] {
        let constraints = constraints(variants, side);
        assert_eq!(constraints.sets.len(), sets, "{variants}");
        assert!(constraints.sets.iter().all(|set| set.len() == side), "{variants}");
    }
    // A knight in the middle of a board has eight moves. Of a king's eight moves four leave both
    // row and column.
    let moves = |constraints: &Constraints, cell| {
        constraints.sets.iter().filter(|set| set.len() == 2 && set.contains(&cell)).count()
    };
    assert_eq!(moves(&constraints("antiknight", 9), 40), 8);
    assert_eq!(moves(&constraints("antiking", 9), 40), 4);
    assert_eq!(constraints("nonconsecutive", 9).not_consecutive.len(), 144);
}

#[test]
fn batsat_confirms_every_verdict_of_the_program() {
    let weights: usize = CASES.iter().map(Case::weight).sum();
    let counts = judge_cases(|case| {
        // It has no grid, which takes batsat 40 seconds to prove.
        if case.variants == "window,nonconsecutive" && !is_long_run() {
            return Counts::new();
        }
        let share = wanted_puzzles() * case.weight() / weights + full::cases(2, 6);
        let mut counts = Counts::new();
        // Each round has another layout and other groups.
        let rounds = share.div_ceil(case.puzzles_per_layout());
        for round in 0..rounds {
            let (constraints, puzzles) = make_puzzles(case, round, share.div_ceil(rounds));
            judge(&constraints, &puzzles, &mut counts);
        }
        counts
    });
    let decided: usize = counts.values().sum();
    println!("verdicts confirmed by batsat: {counts:?}, {decided} in all");
    assert!(decided >= wanted_puzzles(), "{decided}");
    for verdict in ["unique", "multiple", "none"] {
        assert!(counts[verdict] > decided / 10, "{counts:?}");
    }
    let undecided = counts.get("unknown").copied().unwrap_or_default();
    assert!(undecided < decided / 100, "{counts:?}");
}

/// Compares the program's output line for each puzzle with the result of batsat.
fn judge(constraints: &Constraints, puzzles: &[Vec<u8>], counts: &mut Counts) {
    let options = ["--max-guesses", guess_limit(constraints)];
    let answers = output_lines(constraints, &options, puzzles);
    let mut oracle = Oracle::new(constraints);
    for (puzzle, output_line) in puzzles.iter().zip(answers) {
        judge_line(constraints, &mut oracle, puzzle, &output_line);
        *counts.entry(output_line.status).or_default() += 1;
    }
}

/// Compares an output line with the result of batsat.
fn judge_line(
    constraints: &Constraints,
    oracle: &mut Oracle,
    puzzle: &[u8],
    OutputLine { grid, status }: &OutputLine,
) {
    let what = || format!("{constraints}: {} is {status}", constraints.line(puzzle));
    match status.as_str() {
        "none" => {
            assert_eq!(grid, puzzle, "{}", what());
            assert!(!oracle.has_solution(puzzle), "{}", what());
        }
        "unique" | "multiple" => {
            assert!(constraints.are_obeyed_by(grid), "{}", what());
            let mut cells = puzzle.iter().zip(grid);
            let keeps_givens = cells.all(|(given, found)| [0, *found].contains(given));
            assert!(keeps_givens, "{}", what());
            let has_other = oracle.has_other(puzzle, grid);
            assert_eq!(has_other, status == "multiple", "{}", what());
        }
        "unknown" => assert_eq!(grid, puzzle, "{}", what()),
        other => panic!("{other}: {}", what()),
    }
}

#[test]
fn every_level_and_backtracking_give_the_same_output() {
    let counts = judge_fast_cases(|case| {
        let (constraints, puzzles) =
            make_puzzles(case, 1000, some_of(if case.side > 9 { 24 } else { 120 }));
        let limit = ["--max-guesses", "2000"];
        let expected = output_lines(
            &constraints,
            &[&limit[..], &["--cpu", "portable", "-j1"]].concat(),
            &puzzles,
        );
        let mut counts = Counts::new();
        for level in &program::levels() {
            if !program::has_level(level) {
                skip_for_machine(&format!("this machine has no {level}"));
                continue;
            }
            let found =
                output_lines(&constraints, &[&limit[..], &["--cpu", level]].concat(), &puzzles);
            for (puzzle, (found, expected)) in puzzles.iter().zip(found.iter().zip(&expected)) {
                assert_eq!(found, expected, "{constraints} {level}: {}", constraints.line(puzzle));
            }
            counts.insert(level.to_string(), puzzles.len());
        }
        let plain = output_lines(
            &constraints,
            &["--method", "backtrack", "--max-guesses", "5000"],
            &puzzles,
        );
        for (puzzle, (plain, expected)) in puzzles.iter().zip(plain.iter().zip(&expected)) {
            if plain.status == "unknown" || expected.status == "unknown" {
                continue;
            }
            assert_eq!(
                plain.status,
                expected.status,
                "{constraints} backtrack: {}",
                constraints.line(puzzle)
            );
            if plain.status == "unique" {
                assert_eq!(
                    plain.grid,
                    expected.grid,
                    "{constraints} backtrack: {}",
                    constraints.line(puzzle)
                );
            }
            *counts.entry("backtrack".into()).or_default() += 1;
        }
        counts
    });
    println!("puzzles compared: {counts:?}");
    for method in [program::levels(), vec!["backtrack".to_string()]].concat() {
        let is_here = method == "backtrack" || program::has_level(&method);
        let count = counts.get(&method).copied().unwrap_or_default();
        assert!(!is_here || count > some_of(9000), "{method}: {counts:?}");
    }
}

/// The least number of puzzles to be compared after each change.
const MIN_CHANGED: &[(&str, usize)] = &[
    ("a given added or removed", 70_000),
    ("a half turn", 6000),
    ("a quarter turn", 4500),
    ("digits reversed", 6000),
    ("digits shifted by one", 6000),
    ("transposed", 4500),
    ("two columns exchanged", 1500),
    ("two rows exchanged", 1400),
    ("upside down", 6000),
];

#[test]
fn symmetries_of_each_variant_keep_the_verdict() {
    let counts = judge_fast_cases(|case| {
        let (constraints, puzzles) =
            make_puzzles(case, 2000, some_of(if case.side > 9 { 12 } else { 60 }));
        symmetry::check(&constraints, &puzzles)
    });
    println!("puzzles compared: {counts:?}");
    for (change, least) in MIN_CHANGED {
        let count = counts.get(*change).copied().unwrap_or_default();
        assert!(count >= some_of(*least), "{change}: {counts:?}");
    }
}

#[test]
fn verify_judges_answers_by_the_constraints() {
    let counts = judge_fast_cases(|case| {
        let (constraints, puzzles) =
            make_puzzles(case, 3000, some_of(if case.side > 12 { 12 } else { 60 }));
        let random = &mut Random::of(&format!("answers {case}"));
        let options = ["--max-guesses", guess_limit(&constraints)];
        let solved_puzzles = output_lines(&constraints, &options, &puzzles);
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for (puzzle, solved) in puzzles.iter().zip(&solved_puzzles) {
            for kind in 0..5 {
                let (mut given, mut answer) = (puzzle.clone(), solved.grid.clone());
                let (one, other) = (random.below(answer.len()), random.below(answer.len()));
                match kind {
                    0 => {}
                    1 => answer.swap(one, other),
                    2 => answer[one] = 1 + random.below(case.side) as u8,
                    3 => given[one] = 1 + random.below(case.side) as u8,
                    _ => answer[one] = 0,
                }
                let keeps_givens =
                    given.iter().zip(&answer).all(|(given, found)| [0, *found].contains(given));
                expected.push(if keeps_givens && constraints.are_obeyed_by(&answer) {
                    "correct\t-"
                } else {
                    "incorrect\t"
                });
                lines.push(constraints.line(&given) + " " + &constraints::text_of(&answer));
            }
        }
        let mut counts = Counts::new();
        for (line, (output_line, expected)) in lines
            .iter()
            .zip(output_lines_of(&constraints, &["--verify"], &lines).iter().zip(expected))
        {
            assert!(
                output_line.status.starts_with(expected),
                "{constraints} --verify: {line}: {}",
                output_line.status
            );
            *counts.entry(expected.trim_end().to_string()).or_default() += 1;
        }
        counts
    });
    println!("answers judged: {counts:?}");
    assert!(counts.values().all(|&count| count > some_of(500)), "{counts:?}");
}
