//! Verdicts against a SAT solver that knows the rules from their definition: every variant, combination and size that the
//! program accepts. The program is run as users run it, so all that lies between a line and its row is judged.
//!
//! `PROVE=N` asks for about N puzzles instead of 20,000; `make prove` asks for a million.

mod cases;
mod law;
mod maker;
mod oracle;
mod program;
#[path = "../generator/random.rs"]
#[allow(dead_code, reason = "the generator uses the rest")]
mod random;
mod symmetry;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cases::{CASES, Case};
use law::Law;
use maker::Maker;
use oracle::Oracle;
use program::{Row, rows, rows_of_lines, takes};
use random::Random;

/// Past so many branches a line of the tests is `unknown`, and not judged: few are.
fn limit(side: usize) -> &'static str {
    if side > 12 { "1000" } else { "20000" }
}

fn wanted() -> usize {
    let told = std::env::var("PROVE").ok();
    told.map_or(20_000, |number| number.parse().expect("PROVE is a number"))
}

/// How many puzzles had each verdict.
type Counts = BTreeMap<String, usize>;

/// The same of cases that varisat makes grids for at once, unless a million puzzles are asked for: every variant is among
/// them, and the verdicts of all are proved above.
fn judged_quick_cases(judge: impl Fn(&Case) -> Counts + Sync) -> Counts {
    let all = wanted() > 20_000;
    judged_cases(|case| {
        let slow_at_nine = case.variants.contains("nonconsecutive") && case.side >= 9;
        let quick = case.side <= 12 && !slow_at_nine;
        if all || quick || (case.side == 16 && case.variants == "classic") {
            judge(case)
        } else {
            Counts::new()
        }
    })
}

/// Runs `judge` on every case that the program takes, on all cores; says which it does not take.
fn judged_cases(judge: impl Fn(&Case) -> Counts + Sync) -> Counts {
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Counts::new()));
    let work = || {
        while let Some(case) = CASES.get(next.fetch_add(1, Ordering::Relaxed)) {
            if !takes(case.variants, case.extra) {
                println!("skipped: the program does not take {case}");
                continue;
            }
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

/// A law of the case and puzzles for it, the `round`th of several.
fn made(case: &Case, round: usize, count: usize) -> (Law, Vec<Vec<u8>>) {
    let random = &mut Random::of(&format!("proof {case} {round}"));
    let law = case.law(random);
    let puzzles = Maker::new(&law).puzzles(count, random);
    (law, puzzles)
}

#[test]
fn the_laws_are_those_of_the_contract() {
    let law = |variants, side| Law::of(variants, side, None, &[]);
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
        let law = law(variants, side);
        assert_eq!(law.sets.len(), sets, "{variants}");
        assert!(law.sets.iter().all(|set| set.len() == side), "{variants}");
    }
    // A knight in the middle of a board has eight moves, a king eight, of which four stay in no row and no column.
    let moves = |law: &Law, cell| {
        law.sets
            .iter()
            .filter(|set| set.len() == 2 && set.contains(&cell))
            .count()
    };
    assert_eq!(moves(&law("antiknight", 9), 40), 8);
    assert_eq!(moves(&law("antiking", 9), 40), 4);
    assert_eq!(law("nonconsecutive", 9).not_consecutive.len(), 144);
}

#[test]
fn varisat_decides_every_verdict_as_the_program_does() {
    let weights: usize = CASES
        .iter()
        .filter(|case| takes(case.variants, case.extra))
        .map(Case::weight)
        .sum();
    let counts = judged_cases(|case| {
        let share = wanted() * case.weight() / weights + 12;
        let mut counts = Counts::new();
        // Further rounds bring further layouts and groups.
        let rounds = share.div_ceil(case.puzzles_a_layout());
        for round in 0..rounds {
            let (law, puzzles) = made(case, round, share.div_ceil(rounds));
            judge(&law, &puzzles, &mut counts);
        }
        counts
    });
    let decided: usize = counts.values().sum();
    println!("decided by varisat as by the program: {counts:?}, {decided} in all");
    assert!(decided >= wanted(), "{decided}");
    for verdict in ["unique", "multiple", "none"] {
        assert!(counts[verdict] > decided / 10, "{counts:?}");
    }
    let undecided = counts.get("unknown").copied().unwrap_or_default();
    assert!(undecided < decided / 100, "{counts:?}");
}

/// Compares what the program says of each puzzle with what the solver proves.
fn judge(law: &Law, puzzles: &[Vec<u8>], counts: &mut Counts) {
    let options = ["--max-guesses", limit(law.side)];
    let answers = rows(law, &options, puzzles);
    let mut oracle = Oracle::new(law);
    for (puzzle, Row { grid, status }) in puzzles.iter().zip(answers) {
        let what = || format!("{law}: {} is {status}", law.line(puzzle));
        match status.as_str() {
            "none" => {
                assert_eq!(grid, *puzzle, "{}", what());
                assert!(!oracle.has_solution(puzzle), "{}", what());
            }
            "unique" | "multiple" => {
                assert!(law.holds_for(&grid), "{}", what());
                let keeps_givens = puzzle
                    .iter()
                    .zip(&grid)
                    .all(|(given, found)| [0, *found].contains(given));
                assert!(keeps_givens, "{}", what());
                assert_eq!(
                    oracle.has_other(puzzle, &grid),
                    status == "multiple",
                    "{}",
                    what()
                );
            }
            "unknown" => assert_eq!(grid, *puzzle, "{}", what()),
            other => panic!("{other}: {}", what()),
        }
        *counts.entry(status).or_default() += 1;
    }
}

#[test]
fn every_level_and_backtracking_say_the_same() {
    judged_quick_cases(|case| {
        let (law, puzzles) = made(case, 1000, if case.side > 9 { 24 } else { 120 });
        let limit = ["--max-guesses", "2000"];
        let expected = rows(
            &law,
            &[&limit[..], &["--cpu", "portable", "-j1"]].concat(),
            &puzzles,
        );
        for level in ["avx2", "avx512"] {
            if !program::has_level(level) {
                println!("skipped: this machine has no {level}");
                continue;
            }
            let found = rows(&law, &[&limit[..], &["--cpu", level]].concat(), &puzzles);
            for (puzzle, (found, expected)) in puzzles.iter().zip(found.iter().zip(&expected)) {
                assert_eq!(found, expected, "{law} {level}: {}", law.line(puzzle));
            }
        }
        let plain = rows(
            &law,
            &["--method", "backtrack", "--max-guesses", "5000"],
            &puzzles,
        );
        let mut counts = Counts::new();
        for (puzzle, (plain, expected)) in puzzles.iter().zip(plain.iter().zip(&expected)) {
            if plain.status == "unknown" || expected.status == "unknown" {
                continue;
            }
            assert_eq!(
                plain.status,
                expected.status,
                "{law} backtrack: {}",
                law.line(puzzle)
            );
            if plain.status == "unique" {
                assert_eq!(
                    plain.grid,
                    expected.grid,
                    "{law} backtrack: {}",
                    law.line(puzzle)
                );
            }
            *counts.entry("compared".into()).or_default() += 1;
        }
        counts
    });
}

#[test]
fn symmetries_of_each_variant_keep_the_verdict() {
    judged_quick_cases(|case| {
        let (law, puzzles) = made(case, 2000, if case.side > 9 { 12 } else { 60 });
        symmetry::check(&law, &puzzles)
    });
}

#[test]
fn answers_are_judged_as_the_law_has_it() {
    let counts = judged_quick_cases(|case| {
        let (law, puzzles) = made(case, 3000, if case.side > 12 { 12 } else { 60 });
        let random = &mut Random::of(&format!("answers {case}"));
        let options = ["--max-guesses", limit(case.side)];
        let solved = rows(&law, &options, &puzzles);
        let (mut lines, mut expected) = (Vec::new(), Vec::new());
        for (puzzle, row) in puzzles.iter().zip(&solved) {
            for kind in 0..5 {
                let (mut given, mut answer) = (puzzle.clone(), row.grid.clone());
                let (one, other) = (random.below(answer.len()), random.below(answer.len()));
                match kind {
                    0 => {}
                    1 => answer.swap(one, other),
                    2 => answer[one] = 1 + random.below(case.side) as u8,
                    3 => given[one] = 1 + random.below(case.side) as u8,
                    _ => answer[one] = 0,
                }
                let keeps_givens = given
                    .iter()
                    .zip(&answer)
                    .all(|(given, found)| [0, *found].contains(given));
                expected.push(if keeps_givens && law.holds_for(&answer) {
                    "correct\t-"
                } else {
                    "incorrect\t"
                });
                lines.push(law.line(&given) + " " + &law::text_of(&answer));
            }
        }
        let mut counts = Counts::new();
        for (line, (row, expected)) in lines.iter().zip(
            rows_of_lines(&law, &["--verify"], &lines)
                .iter()
                .zip(expected),
        ) {
            assert!(
                row.status.starts_with(expected),
                "{law} --verify: {line}: {}",
                row.status
            );
            *counts.entry(expected.trim_end().to_string()).or_default() += 1;
        }
        counts
    });
    println!("answers judged: {counts:?}");
    assert!(counts.values().all(|&count| count > 500), "{counts:?}");
}
