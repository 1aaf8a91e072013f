//! Constraint strings: what the program answers is compared with the plain meaning of every rule.
//! All solutions are known: they are the grids of a plain enumeration for which every rule holds.

mod meaning;
mod objects;
mod shuffled;
mod strings;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

use rayon::prelude::*;
use sudoku_filter::program::Level;

use crate::full;
use crate::generator::constraints::Constraints;
use crate::generator::layouts::layout;
use crate::generator::puzzles;
use crate::generator::random::Random;
use crate::generator::search::{Choice, Outcome, Search};
use crate::run::run_with;
use crate::targets::RULE_NAMES as NAMES;
use meaning::{Item, Puzzle, name_of};
use strings::{FROM_ONE, Maker, OF_NINE};

/// What the program says about one line.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Answer {
    status: String,
    solutions: BTreeSet<Vec<u8>>,
    /// The number of lines with a solution.
    lines: usize,
    guesses: u64,
}

/// Returns the output of one run for all lines. Asserts that no line is invalid.
fn output_for(puzzles: &[String], options: &str) -> String {
    let (output, messages, status) = run_with(options, puzzles.join("\n").as_bytes());
    assert!(messages.is_empty(), "{messages}");
    assert!(status < Some(2));
    output
}

/// Returns the output for all lines, which begins with the number of the line. It must be the same
/// at every CPU level.
fn output_of_every_level(puzzles: &[String], options: &str) -> String {
    let levels = Level::NAMES.into_iter().filter(|name| Level::named(name).is_some());
    let mut outputs =
        levels.map(|level| (level, output_for(puzzles, &format!("{options} --cpu {level}"))));
    let (_, expected) = outputs.next().unwrap();
    for (level, output) in outputs {
        for (line, expected) in output.lines().zip(expected.lines()) {
            let puzzle =
                || &puzzles[line.split('\t').next().unwrap().parse::<usize>().unwrap() - 1];
            assert!(line == expected, "{}\n{level}: {line}, not {expected}", puzzle());
        }
        assert!(output == expected, "{level}: another number of output lines");
    }
    expected
}

/// Solves all lines in one run.
fn answers(puzzles: &[String], options: &str) -> Vec<Answer> {
    let output = output_for(puzzles, &format!("{options} -o line,solution,status,guesses"));
    read_answers(&output, puzzles)
}

fn counts_from_zero(puzzle: &str) -> bool {
    puzzle.contains("~0-")
}

/// Reads the columns `line`, `solution` and `status`, and `guesses` if it is there. The digits of
/// solutions are from 1.
fn read_answers(output: &str, puzzles: &[String]) -> Vec<Answer> {
    let mut answers = vec![Answer::default(); puzzles.len()];
    for line in output.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [number, grid, status, ref guesses @ ..] = fields[..] else { panic!("{line}") };
        let number = number.parse::<usize>().unwrap() - 1;
        let lower = u8::from(counts_from_zero(&puzzles[number]));
        let answer = &mut answers[number];
        answer.status = status.to_string();
        answer.guesses = guesses.first().map_or(0, |guesses| guesses.parse().unwrap());
        if ["unique", "multiple"].contains(&status) {
            let digit = |symbol: char| symbol.to_digit(17).unwrap() as u8 + lower;
            answer.solutions.insert(grid.chars().map(digit).collect());
            answer.lines += 1;
        }
    }
    answers
}

/// Counts the solutions of all lines at every CPU level. Returns the counts, and the guesses that
/// took.
fn counts(puzzles: &[String]) -> Vec<(usize, u64)> {
    let options = "--count 1000000 --max-guesses 1000000 -o line,solutions,guesses";
    let output = output_of_every_level(puzzles, options);
    let numbers = output.lines().map(|line| {
        let fields: Vec<usize> = line.split('\t').map(|field| field.parse().unwrap()).collect();
        (fields[1], fields[2] as u64)
    });
    numbers.collect()
}

/// Compares all solutions, their number and the status at every CPU level. Returns the guesses that
/// took the number of each puzzle.
fn check_all_solutions(puzzles: &[(Puzzle, BTreeSet<Vec<u8>>)]) -> Vec<u64> {
    let lines: Vec<String> = puzzles.iter().map(|(puzzle, _)| puzzle.to_string()).collect();
    let all = "--all --max-guesses 1000000 -o line,solution,status";
    let output = output_of_every_level(&lines, all);
    for (answer, (puzzle, expected)) in read_answers(&output, &lines).iter().zip(puzzles) {
        assert_eq!(answer.lines, answer.solutions.len(), "{puzzle}: a solution twice");
        if answer.solutions != *expected {
            let missing = expected.difference(&answer.solutions).next();
            let wrong = answer.solutions.difference(expected).next();
            panic!("{puzzle}\nmissing {missing:?}, wrong {wrong:?}");
        }
        let status = ["none", "unique", "multiple"][expected.len().min(2)];
        assert_eq!(answer.status, status, "{puzzle}");
    }
    let counts = counts(&lines);
    assert_eq!(counts.len(), puzzles.len());
    for ((number, _), (puzzle, expected)) in counts.iter().zip(puzzles) {
        assert_eq!(*number, expected.len(), "{puzzle}: the number of solutions");
    }
    counts.into_iter().map(|(_, guesses)| guesses).collect()
}

/// All grids of 4x4 with different digits in rows and columns.
fn latin_squares() -> Vec<Vec<u8>> {
    fn extend(grid: Vec<u8>, all: &mut Vec<Vec<u8>>) {
        if grid.len() == 16 {
            return all.push(grid);
        }
        let (row, column) = (grid.len() / 4, grid.len() % 4);
        for digit in 1..=4 {
            let in_row = grid[4 * row..].contains(&digit);
            let in_column = (0..row).any(|above| grid[4 * above + column] == digit);
            if !in_row && !in_column {
                extend([&grid[..], &[digit]].concat(), all);
            }
        }
    }
    let mut all = Vec::new();
    extend(Vec::new(), &mut all);
    all
}

/// Adds what a rule needs to exist, and the rule.
fn puzzle_of_four(name: &str, grids: &[Vec<u8>], random: &mut Random) -> Puzzle {
    let mut puzzle = Puzzle::of_side(4);
    if !FROM_ONE.contains(&name) && random.below(3) == 0 {
        puzzle.first = 0;
    }
    let needs_boxes = ["DisjointSets"].contains(&name);
    if name == "NoBoxes" || !needs_boxes && random.below(3) == 0 {
        puzzle.items.push(Item::new("NoBoxes", []));
        if name == "RegionSumLine" {
            let labels = String::from_utf8(layout(4, "jigsaw", random)).unwrap();
            puzzle.items.push(Item::new("Jigsaw", [labels]));
        }
    }
    let allowed: Vec<&Vec<u8>> = grids.iter().filter(|grid| puzzle.holds_for(grid)).collect();
    let Some(&grid) = (!allowed.is_empty()).then(|| random.pick(&allowed)) else {
        return puzzle_of_four(name, grids, random);
    };
    let mut maker = Maker { puzzle, grid, random };
    if !["NoBoxes", "Shape"].contains(&name) {
        maker.add(name);
    }
    maker.puzzle
}

#[test]
fn the_list_of_names_is_that_of_the_program() {
    for name in NAMES {
        let (_, messages, _) = run_with("", format!(".~R1C1_1.{name}\n").as_bytes());
        assert!(!messages.contains("this rule is not read"), "{messages}");
    }
    let source = include_str!("../../../src/text/notation/constraint_string/rules.rs");
    let table = source.matches("    rule(\"").count();
    assert_eq!(table, NAMES.len());
}

#[test]
fn every_rule_holds_in_exactly_the_grids_of_4x4_that_obey_it() {
    let grids = latin_squares();
    assert_eq!(grids.len(), 576);
    let classic = Puzzle::of_side(4);
    assert_eq!(grids.iter().filter(|grid| classic.holds_for(grid)).count(), 288);
    let cases = full::cases(24, 60);
    let names: Vec<&str> = NAMES.into_iter().filter(|name| !OF_NINE.contains(name)).collect();
    let (solved, excluded) = (AtomicUsize::new(0), AtomicUsize::new(0));
    names.par_iter().chain(&[""]).for_each(|name| {
        let random = &mut Random::of(&format!("constraints 4x4 {name}"));
        let mut puzzles = Vec::new();
        let mut of_name = [0, 0];
        for _ in 0..cases {
            let puzzle = puzzle_of_four(name, &grids, random);
            let solutions: BTreeSet<Vec<u8>> =
                grids.iter().filter(|grid| puzzle.holds_for(grid)).cloned().collect();
            of_name[0] += usize::from(!solutions.is_empty());
            of_name[1] += usize::from(solutions.len() < 288);
            puzzles.push((puzzle, solutions));
        }
        check_all_solutions(&puzzles);
        solved.fetch_add(of_name[0], Ordering::Relaxed);
        excluded.fetch_add(of_name[1], Ordering::Relaxed);
        let holds_anyway =
            ["Shape", "NoBoxes", "SearchPriority", "And", "End", "RegionSize", "RegionSameValues"]
                .contains(name);
        assert!(holds_anyway || of_name[1] * 8 > cases, "{name}: {of_name:?}");
        let is_rare =
            ["AntiTaxicab", "AntiConsecutive", "AntiKing", "AntiKnight", "X"].contains(name);
        assert!(is_rare || of_name[0] * 3 > cases, "{name}: {of_name:?}");
    });
    println!(
        "{} rules, {solved:?} of {} have solutions",
        names.len() + 1,
        (names.len() + 1) * cases
    );
}

/// Rules that are stated with random arguments beside others.
const MIXED: [&str; 45] = [
    "",
    "Diagonal",
    "AllDifferent",
    "Cage",
    "Cage",
    "Thermo",
    "Whisper",
    "Renban",
    "Renban",
    "Modular",
    "Palindrome",
    "WhiteDot",
    "BlackDot",
    "GreaterThan",
    "X",
    "V",
    "Pair",
    "PairX",
    "Binary",
    "BinaryX",
    "Indexing",
    "NumberedRoom",
    "Sum",
    "Sum",
    "Sum",
    "Arrow",
    "Arrow",
    "DoubleArrow",
    "PillArrow",
    "LittleKiller",
    "LittleKiller",
    "Zipper",
    "EqualSum",
    "RegionSumLine",
    "SameValues",
    "CountingCircles",
    "Quad",
    "ContainAtLeast",
    "ContainExact",
    "LookAndSay",
    "EqualityCage",
    "Between",
    "Lockout",
    "ValueIndexing",
    "Entropic",
];

/// Rules for the whole grid: few grids obey them, so the program finds one, which is checked.
const OF_GRID: [&str; 6] = [
    "AntiTaxicab",
    "GlobalEntropy",
    "GlobalMod",
    "DutchFlatmates",
    "AntiKnight",
    "AntiConsecutive",
];
/// Needs marks for many cells.
const WITH_MARKS: [&str; 2] = ["StrictKropki", "StrictXV"];

/// A grid, the houses that it obeys, as the generator has them, and rules that state these.
struct Base {
    constraints: Constraints,
    items: Vec<Item>,
    grid: Vec<u8>,
}

impl Base {
    fn random(side: usize, random: &mut Random) -> Base {
        let lists =
            ["classic", "classic", "antiknight", "diagonal", "window", "disjoint", "jigsaw"];
        loop {
            let list = *random.pick(&lists);
            if list == "window" && ![4, 9].contains(&side) {
                continue;
            }
            let (constraints, items) = match list {
                "jigsaw" => {
                    let labels = layout(side, list, random);
                    let text = String::from_utf8(labels.clone()).unwrap();
                    let items = vec![Item::new("NoBoxes", []), Item::new("Jigsaw", [text])];
                    (Constraints::with_regions(side, list, &labels), items)
                }
                _ => {
                    let one = |name: &str| vec![Item::new(name, [])];
                    let both = ["1", "-1"].map(|it| Item::new("Diagonal", [it.to_string()]));
                    let items = match list {
                        "antiknight" => one("AntiKnight"),
                        "window" => one("Windoku"),
                        "disjoint" => one("DisjointSets"),
                        "diagonal" => both.to_vec(),
                        _ => Vec::new(),
                    };
                    (Constraints::with_boxes(side, list), items)
                }
            };
            if let Some(grid) = puzzles::full_grid(&constraints, random) {
                return Base { constraints, items, grid };
            }
        }
    }

    /// A grid that the program finds for a rule of the whole grid and a random first row.
    fn of_rule(side: usize, name: &str, random: &mut Random) -> Base {
        loop {
            let mut row: Vec<usize> = (1..=side).collect();
            random.shuffle(&mut row);
            let givens =
                (1..).zip(&row).take(4).map(|(c, digit)| format!("{}_{digit}", name_of([1, c])));
            let items = vec![Item::new(name, [])];
            let given = Item::new("", givens);
            let puzzle = Puzzle { items: [&items[..], &[given]].concat(), ..Puzzle::of_side(side) };
            let found = &answers(&[puzzle.to_string()], "--max-guesses 20000")[0];
            if let Some(grid) = found.solutions.first() {
                assert!(puzzle.holds_for(grid), "{puzzle} {grid:?}");
                let constraints = Constraints::with_boxes(side, "classic");
                return Base { constraints, items, grid: grid.clone() };
            }
        }
    }

    /// All grids with these givens that obey the houses; `None` if there are more than `limit`.
    fn completions(&self, givens: &[u8], limit: usize) -> Option<Vec<Vec<u8>>> {
        let mut search = Search::new(&self.constraints, givens, Choice::First, 100 * limit as u64);
        let mut all = Vec::new();
        loop {
            match search.next_solution() {
                Outcome::Solution(_) if all.len() == limit => return None,
                Outcome::Solution(grid) => all.push(grid),
                Outcome::Exhausted => return Some(all),
                Outcome::LimitReached => return None,
            }
        }
    }

    /// Takes givens out as long as there are at most `limit` completions.
    fn dig(&self, limit: usize, random: &mut Random) -> (Vec<u8>, Vec<Vec<u8>>) {
        let mut givens = self.grid.clone();
        let mut cells: Vec<usize> = (0..givens.len()).collect();
        random.shuffle(&mut cells);
        let mut all = vec![self.grid.clone()];
        let (mut at, mut step) = (0, givens.len() / 8);
        while step > 0 {
            let mut fewer = givens.clone();
            let some = &cells[at..(at + step).min(cells.len())];
            some.iter().for_each(|&cell| fewer[cell] = 0);
            match self.completions(&fewer, limit) {
                Some(found) => {
                    (givens, all) = (fewer, found);
                    at += some.len();
                    step = step.min(cells.len() - at);
                }
                None => step /= 2,
            }
        }
        (givens, all)
    }
}

/// States the givens.
fn given_item(side: usize, givens: &[u8]) -> Item {
    let cell = |at: usize| name_of([at / side + 1, at % side + 1]);
    let cells = (0..givens.len()).filter(|&at| givens[at] != 0);
    Item::new("", cells.map(|at| format!("{}_{}", cell(at), givens[at])))
}

fn add_mixed(maker: &mut Maker<'_>, number: usize) {
    let mut added = 0;
    while added < number {
        let name = *maker.random.pick(&MIXED);
        let side = maker.puzzle.side;
        // A pill holds digits of one symbol.
        if (side == 9 || !OF_NINE.contains(&name)) && (side <= 9 || name != "PillArrow") {
            maker.add(name);
            added += 1;
        }
    }
}

/// A puzzle of three random rules, houses, givens and candidates, with all of its solutions.
fn mixture(side: usize, number: usize, limit: usize) -> (Puzzle, BTreeSet<Vec<u8>>) {
    let random = &mut Random::of(&format!("constraints mixture {side} {number}"));
    let base = match number % 6 {
        0 if side == 9 => Base::of_rule(side, OF_GRID[number / 6 % 6], random),
        _ => Base::random(side, random),
    };
    let (givens, completions) = base.dig(limit, random);
    let puzzle = Puzzle { items: base.items.clone(), ..Puzzle::of_side(side) };
    let mut maker = Maker { puzzle, grid: &base.grid, random };
    if number % 12 == 1 {
        maker.add(WITH_MARKS[number / 12 % 2]);
    }
    let obeying = |puzzle: &Puzzle| -> BTreeSet<Vec<u8>> {
        completions.iter().filter(|grid| puzzle.holds_for(grid)).cloned().collect()
    };
    let mut solutions = obeying(&maker.puzzle);
    for _ in 0..3 {
        // Two of three puzzles keep many solutions if they can, so that the search goes on in
        // lanes.
        let few = if number.is_multiple_of(3) { 0 } else { solutions.len() / 4 };
        let before = maker.puzzle.clone();
        for round in 1..=12 {
            maker.puzzle = before.clone();
            add_mixed(&mut maker, 1);
            let added = &maker.puzzle.items[before.items.len()..];
            let obeys =
                |grid: &&Vec<u8>| added.iter().all(|item| maker.puzzle.rule_holds(item, grid));
            let left: BTreeSet<Vec<u8>> = solutions.iter().filter(obeys).cloned().collect();
            if left.len() >= few || round == 12 {
                solutions = left;
                break;
            }
        }
    }
    let mut puzzle = maker.puzzle;
    assert_eq!(solutions, obeying(&puzzle), "{puzzle}");
    puzzle.items.push(given_item(side, &givens));
    (puzzle, solutions)
}

#[test]
fn three_rules_with_givens_have_exactly_the_solutions_that_obey_all() {
    let cases = full::cases(1, 3);
    for (side, number, limit) in [
        (4, 80 * cases, 288),
        (6, 40 * cases, 4000),
        (8, 10 * cases, 3000),
        (9, 30 * cases, 3000),
        (16, 3 * cases, 500),
    ] {
        let puzzles: Vec<(Puzzle, BTreeSet<Vec<u8>>)> =
            (0..number).into_par_iter().map(|case| mixture(side, case, limit)).collect();
        let solved = puzzles.iter().filter(|(_, solutions)| !solutions.is_empty()).count();
        let guesses: Vec<u64> = puzzles.par_chunks(20).flat_map(check_all_solutions).collect();
        let in_lanes = guesses.iter().filter(|&&guesses| guesses > 30).count();
        println!(
            "{side}x{side}: {number} puzzles, {solved} with solutions, {in_lanes} in lanes, {} guesses",
            guesses.iter().sum::<u64>()
        );
        assert!(solved * 2 >= number, "{side}: {solved} of {number}");
        // A 4x4 has 288 grids, and three rules leave few of them.
        assert!(side == 4 || in_lanes * 5 > number, "{side}: {in_lanes} of {number}");
    }
}

/// A puzzle with few givens and many rules; one of three has a wrong given.
fn hard(side: usize, number: usize) -> Puzzle {
    let random = &mut Random::of(&format!("constraints hard {side} {number}"));
    let base = match number % 8 {
        0 if side == 9 => Base::of_rule(side, OF_GRID[number / 8 % 6], random),
        _ => Base::random(side, random),
    };
    let mut givens = base.grid.clone();
    let percent = if side == 9 { 14 + random.below(22) } else { 8 + random.below(18) };
    for given in &mut givens {
        if random.below(100) >= percent {
            *given = 0;
        }
    }
    let given: Vec<usize> = (0..givens.len()).filter(|&at| givens[at] != 0).collect();
    if number.is_multiple_of(3) && !given.is_empty() {
        givens[*random.pick(&given)] = 1 + random.below(side) as u8;
    }
    let rules = 2 + random.below(side);
    let puzzle = Puzzle { items: base.items.clone(), ..Puzzle::of_side(side) };
    let mut maker = Maker { puzzle, grid: &base.grid, random };
    add_mixed(&mut maker, rules);
    let mut puzzle = maker.puzzle;
    puzzle.items.push(given_item(side, &givens));
    puzzle
}

#[test]
fn lanes_and_backtracking_agree_on_harder_puzzles() {
    let cases = full::cases(1, 3);
    for (side, number) in [(6, 60 * cases), (8, 30 * cases), (9, 60 * cases)] {
        let puzzles: Vec<Puzzle> =
            (0..number).into_par_iter().map(|case| hard(side, case)).collect();
        let lines: Vec<String> = puzzles.iter().map(Puzzle::to_string).collect();
        let run = |options: &str| -> Vec<Answer> {
            lines.par_chunks(20).flat_map(|lines| answers(lines, options)).collect()
        };
        let slow = run("--method backtrack --max-guesses 6000");
        let mut lanes: Vec<Answer> = Vec::new();
        for level in Level::NAMES.into_iter().filter(|name| Level::named(name).is_some()) {
            let found = run(&format!("--max-guesses 20000 --cpu {level}"));
            for (puzzle, (now, before)) in puzzles.iter().zip(found.iter().zip(&lanes)) {
                assert_eq!(now, before, "{puzzle}: {level} differs");
            }
            lanes = found;
        }
        let mut decided: BTreeMap<&str, usize> = BTreeMap::new();
        let mut in_lanes = 0;
        for ((puzzle, lanes), slow) in puzzles.iter().zip(&lanes).zip(&slow) {
            assert!(lanes.solutions.iter().all(|grid| puzzle.holds_for(grid)), "{puzzle}");
            assert!(slow.solutions.iter().all(|grid| puzzle.holds_for(grid)), "{puzzle}");
            in_lanes += usize::from(lanes.guesses > 30);
            if slow.status != "unknown" && lanes.status != "unknown" {
                assert_eq!(lanes.status, slow.status, "{puzzle}");
                *decided.entry(&lanes.status).or_default() += 1;
                if lanes.status == "unique" {
                    assert_eq!(lanes.solutions, slow.solutions, "{puzzle}");
                }
            }
        }
        let guesses: u64 = lanes.iter().map(|answer| answer.guesses).sum();
        println!(
            "{side}x{side}: {number} puzzles, both decide {decided:?}, {in_lanes} in lanes, {guesses} guesses"
        );
        assert!(decided.values().sum::<usize>() * 4 > number, "{side}: {decided:?}");
        assert_eq!(decided.len(), 3, "{side}: {decided:?}");
        if side == 9 {
            assert!(in_lanes * 20 > number, "{side}: {in_lanes}");
        }
    }
}

/// Rules that are no clues: of the whole grid, houses and groups.
const NO_CLUES: [&str; 9] = [
    "NoBoxes",
    "Jigsaw",
    "Diagonal",
    "Windoku",
    "DisjointSets",
    "AntiKnight",
    "AllDifferent",
    "StrictKropki",
    "StrictXV",
];

/// A puzzle with one solution and its grid. Each given is an item of its own.
fn puzzle_of_clues(side: usize, number: usize) -> (Puzzle, Vec<u8>) {
    let random = &mut Random::of(&format!("constraints clues {side} {number}"));
    let base = Base::random(side, random);
    let (mut givens, mut completions) = base.dig(300, random);
    let puzzle = Puzzle { items: base.items.clone(), ..Puzzle::of_side(side) };
    let mut maker = Maker { puzzle, grid: &base.grid, random };
    let has_marks = number % 4 == 1;
    if has_marks {
        maker.add(WITH_MARKS[number / 4 % 2]);
    }
    for _ in 0..6 {
        let before = maker.puzzle.clone();
        add_mixed(&mut maker, 1);
        let mut added = maker.puzzle.items[before.items.len()..].iter();
        // Candidates would make the puzzle one of pencilmarks. Two marks for the same cells are
        // not told apart from one.
        let is_excluded = |item: &Item| item.name.is_empty() || has_marks && is_mark(item);
        if added.any(is_excluded) || !maker.puzzle.holds_for(&base.grid) {
            maker.puzzle = before;
        }
    }
    let mut puzzle = maker.puzzle;
    completions.retain(|grid| *grid != base.grid && puzzle.holds_for(grid));
    while let Some(other) = completions.last() {
        let cells = 0..givens.len();
        let differing: Vec<usize> = cells.filter(|&at| other[at] != base.grid[at]).collect();
        let cell = *random.pick(&differing);
        givens[cell] = base.grid[cell];
        completions.retain(|grid| grid[cell] == givens[cell]);
    }
    let all = given_item(side, &givens);
    puzzle.items.extend(all.arguments.into_iter().map(|given| Item::new("", [given])));
    (puzzle, base.grid)
}

fn is_mark(item: &Item) -> bool {
    ["WhiteDot", "BlackDot", "X", "V"].contains(&&*item.name)
}

/// Returns the name that the column `redundant` has for each item, `None` if it is no clue.
fn clue_names(puzzle: &Puzzle) -> Vec<Option<String>> {
    let source = include_str!("../../../src/text/notation/constraint_string/rules.rs");
    let mut caged: Vec<String> = Vec::new();
    let name = |item: &Item| {
        let is_cell = |text: &&String| text.len() == 4 && text.starts_with('R');
        let cells: Vec<&String> = item.arguments.iter().filter(is_cell).collect();
        let place = |name: &str| {
            let at = |at: usize| name[at..=at].chars().next().unwrap().to_digit(17).unwrap();
            format!("r{}c{}", at(1), at(3))
        };
        if NO_CLUES.contains(&&*item.name) {
            return None;
        }
        if let ("", Some((cell, _))) = (&*item.name, item.arguments[0].split_once('_')) {
            return Some(place(cell));
        }
        let first = match (&*item.name, &*item.arguments[0]) {
            ("NumberedRoom", line) if line.starts_with('R') => format!("{line}C1"),
            ("NumberedRoom", line) => format!("R1{line}"),
            ("Cage", _) if !cells.iter().any(|cell| caged.contains(cell)) => {
                caged.extend(cells.iter().map(|cell| cell.to_string()));
                cells.iter().min().unwrap().to_string()
            }
            _ => cells[0].clone(),
        };
        let (_, shown) = source.split_once(&format!("rule(\"{}\", \"", item.name)).unwrap();
        Some(format!("{} at {}", shown.split_once('"').unwrap().0, place(&first)))
    };
    puzzle.items.iter().map(name).collect()
}

/// The plain twin of the column: every clue is left out of the text.
#[test]
fn a_clue_is_redundant_if_the_string_without_it_has_the_same_solution() {
    let cases = full::cases(1, 4);
    for (side, number) in [(4, 40 * cases), (6, 20 * cases), (9, 10 * cases)] {
        let mut found: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        let puzzles: Vec<(Puzzle, Vec<u8>)> =
            (0..number).into_par_iter().map(|case| puzzle_of_clues(side, case)).collect();
        let lines: Vec<String> = puzzles.iter().map(|(puzzle, _)| puzzle.to_string()).collect();
        let (output, messages, _) =
            run_with("-o status,redundant,minimal", lines.join("\n").as_bytes());
        assert!(messages.is_empty(), "{messages}");
        assert_eq!(output.lines().count(), number);
        for ((puzzle, grid), line) in puzzles.iter().zip(output.lines()) {
            let without = |left_out: usize| {
                let mut fewer = puzzle.clone();
                fewer.items.remove(left_out);
                fewer.to_string()
            };
            let names = clue_names(puzzle);
            let clues: Vec<usize> = (0..names.len()).filter(|&at| names[at].is_some()).collect();
            let fewer: Vec<String> = clues.iter().map(|&at| without(at)).collect();
            let (mut expected, only) = (Vec::new(), BTreeSet::from([grid.clone()]));
            for (&at, answer) in clues.iter().zip(answers(&fewer, "")) {
                let is_redundant = answer.status == "unique" && answer.solutions == only;
                expected.extend(names[at].clone().filter(|_| is_redundant));
                let of_name = found.entry(&puzzle.items[at].name).or_default();
                of_name[usize::from(is_redundant)] += 1;
            }
            let fields: Vec<&str> = line.split('\t').collect();
            let [status, redundant, minimal] = fields[..] else { panic!("{line}") };
            let mut redundant: Vec<&str> = redundant.split(',').filter(|it| *it != "-").collect();
            redundant.sort_unstable();
            expected.sort_unstable();
            let is_minimal = if expected.is_empty() { "yes" } else { "no" };
            assert_eq!(
                (redundant, status, minimal),
                (expected.iter().map(|it| &**it).collect(), "unique", is_minimal),
                "{puzzle}"
            );
        }
        println!("{side}x{side}: needed and redundant: {found:?}");
        let both = found.values().filter(|of_name| of_name.iter().all(|&number| number > 0));
        assert!(both.count() > 5, "{side}: {found:?}");
    }
}
