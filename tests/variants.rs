//! Every variant, every two that make sense together, in sizes small enough for the plain search: whatever engine, level
//! or company, the same verdict.

use std::sync::Arc;

use rayon::prelude::*;
use sudoku_filter::{
    Jigsaws, Level, Limits, Method, Progress, Puzzles, Rules, Shape, Solver, Status, Variant,
    Variants, verify,
};

mod forms;
mod generator;

use forms::rules_of;
use generator::form::{Form, has};
use generator::layouts::layout;
use generator::puzzles;
use generator::random::Random;
use generator::search::{Choice, Outcome, Search};

/// Every variant that the program knows but the classic one.
fn all_variants() -> Vec<String> {
    let names = Variant::NAMES.map(|(names, _)| names[0].to_string());
    names.into_iter().filter(|name| name != "classic").collect()
}

/// Each variant alone, and each two that do not contradict each other.
fn lists() -> Vec<String> {
    let all = all_variants();
    let two = (0..all.len()).flat_map(|b| (0..b).map(move |a| [a, b]));
    let two = two.map(|two| two.map(|at| all[at].as_str()).join(","));
    let lists = all.iter().cloned().chain(two);
    lists
        .filter(|list| list.parse::<Variants>().is_ok())
        .collect()
}

fn makes_sense(list: &str, side: usize) -> bool {
    let pattern = ["asterisk", "center-dot", "girandola"];
    (side == 9 || !pattern.iter().any(|name| has(list, name)))
        && ([4, 9, 16].contains(&side) || !has(list, "window"))
}

fn has_layout(list: &str) -> bool {
    has(list, "jigsaw") || has(list, "regions")
}

/// A puzzle, and what its maker knows of it.
struct Sample {
    givens: Vec<u8>,
    status: Status,
    solution: Option<Vec<u8>>,
}

/// A form for these variants, and puzzles in it; only such without solution where no grid was found.
fn samples(list: &str, side: usize) -> (Form, Vec<Sample>) {
    let random = &mut Random::of(&format!("variants {list} {side}"));
    let mut last = None;
    for _ in 0..if has_layout(list) { 12 } else { 3 } {
        let form = if has_layout(list) {
            Form::with_regions(side, list, &layout(side, list, random))
        } else {
            Form::with_boxes(side, list)
        };
        if let Some(grid) = puzzles::full_grid(&form, random) {
            let samples = samples_from(&form, &grid, random);
            return (form, samples);
        }
        last = Some(form);
    }
    let form = last.expect("several were tried");
    if let Some(grid) = grid_of_the_lanes(&form) {
        let samples = samples_from(&form, &grid, random);
        return (form, samples);
    }
    let samples = (0..5).filter_map(|givens| random_without_solution(&form, givens, random));
    let samples = samples.map(|givens| Sample {
        givens,
        status: Status::None,
        solution: None,
    });
    let samples = samples.collect();
    (form, samples)
}

/// Some tenths of the cells filled at will, against no rule that can be seen at once.
fn random_without_solution(form: &Form, tenths: usize, random: &mut Random) -> Option<Vec<u8>> {
    let mut givens = vec![0; form.cells()];
    for _ in 0..form.cells() * tenths / 10 {
        let (cell, digit) = (
            random.below(givens.len()),
            1 + random.below(form.side) as u8,
        );
        if givens[cell] == 0 && !form.forbids(&givens, cell, digit) {
            givens[cell] = digit;
        }
    }
    let search = Search::new(form, &givens, Choice::First, 500).go_on();
    (search == Outcome::Exhausted).then_some(givens)
}

/// A grid where the generator finds none by chance; it must be right by the generator's rules.
fn grid_of_the_lanes(form: &Form) -> Option<Vec<u8>> {
    let limits = Limits {
        max_guesses: 3_000,
        ..Limits::default()
    };
    let solver = Solver::new(rules_of(form), Method::Lanes, limits);
    let blank = vec![0; form.cells()];
    let said = ask(1, |report| {
        solver.solve_reporting(Puzzles::of_digits(&blank), report)
    });
    let grid = said[0].1.clone()?;
    let fits = |cell: usize| !form.forbids(&grid, cell, grid[cell]);
    assert!((0..grid.len()).all(fits), "{} {grid:?}", form.variants);
    Some(grid)
}

fn samples_from(form: &Form, grid: &[u8], random: &mut Random) -> Vec<Sample> {
    let mut samples = Vec::new();
    // So many givens that the plain search comes to an end.
    for percent in [40, 55] {
        let givens = puzzles::dig(form, grid, form.cells() * percent / 100, random);
        samples.extend(
            with_two_solutions(form, &givens, random).map(|givens| Sample {
                givens,
                status: Status::Multiple,
                solution: None,
            }),
        );
        samples.extend(
            without_solution(form, &givens, random).map(|givens| Sample {
                givens,
                status: Status::None,
                solution: None,
            }),
        );
        samples.push(Sample {
            givens,
            status: Status::Unique,
            solution: Some(grid.to_vec()),
        });
    }
    samples.push(Sample {
        givens: puzzles::with_contradicting_givens(form, grid, random),
        status: Status::None,
        solution: None,
    });
    samples
}

/// Some givens fewer; none if there are two solutions only where the generator sees but one.
fn with_two_solutions(form: &Form, givens: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    let mut givens = givens.to_vec();
    let mut cells: Vec<usize> = (0..givens.len())
        .filter(|&cell| givens[cell] != 0)
        .collect();
    random.shuffle(&mut cells);
    cells.into_iter().find_map(|cell| {
        givens[cell] = 0;
        puzzles::has_two_solutions(form, &givens).then(|| givens.clone())
    })
}

/// One given changed, against no rule that can be seen at once.
fn without_solution(form: &Form, givens: &[u8], random: &mut Random) -> Option<Vec<u8>> {
    (0..50).find_map(|_| {
        let mut givens = givens.to_vec();
        let cell = random.below(givens.len());
        let wrong = 1 + random.below(form.side) as u8;
        let was = std::mem::replace(&mut givens[cell], 0);
        if was == 0 || was == wrong || form.forbids(&givens, cell, wrong) {
            return None;
        }
        givens[cell] = wrong;
        let search = Search::new(form, &givens, Choice::First, 100).go_on();
        (search == Outcome::Exhausted).then_some(givens)
    })
}

/// Status, solution and branches of each grid.
type Said = Vec<(Status, Option<Vec<u8>>, u64)>;

fn ask(grids: usize, solve: impl FnOnce(&mut dyn FnMut(Progress<'_>))) -> Said {
    let mut said = vec![None; grids];
    solve(&mut |progress| {
        if let Progress::Found(index, found) = progress {
            let solution = found.solution.map(<[u8]>::to_vec);
            said[index] = Some((found.status, solution, found.guesses));
        }
    });
    said.into_iter().map(Option::unwrap).collect()
}

fn levels() -> impl Iterator<Item = Level> {
    Level::NAMES.into_iter().filter_map(Level::named)
}

/// What a form has to say for itself: puzzles that were asked about, and how many the plain search decided.
fn check(list: &str, side: usize) -> (usize, usize) {
    let (form, samples) = samples(list, side);
    let rules = rules_of(&form);
    let grids: Vec<u8> = samples
        .iter()
        .flat_map(|sample| sample.givens.clone())
        .collect();
    let limits = Limits::default();
    let lanes: Vec<Said> = levels()
        .map(|level| {
            let solver = Solver::new(rules.clone(), Method::Lanes, limits).at(level);
            ask(samples.len(), |report| {
                solver.solve_reporting(Puzzles::of_digits(&grids), report)
            })
        })
        .collect();
    for other in &lanes[1..] {
        assert_eq!(*other, lanes[0], "{list} {side}: the levels differ");
    }
    if has_layout(list) {
        // Few of a layout share a sweep with others.
        let jigsaws = Jigsaws::new(Method::Lanes, limits, Level::best());
        let own: Vec<Arc<Rules>> = samples.iter().map(|_| rules.clone()).collect();
        let mixed = ask(samples.len(), |report| {
            jigsaws.solve_reporting(&own, Puzzles::of_digits(&grids), report)
        });
        assert_eq!(mixed, lanes[0], "{list} {side}: company makes a difference");
    }
    let limits = Limits {
        max_guesses: 20_000,
        ..Limits::default()
    };
    let backtrack = Solver::new(rules.clone(), Method::Backtrack, limits);
    let backtrack = ask(samples.len(), |report| {
        backtrack.solve_reporting(Puzzles::of_digits(&grids), report)
    });
    let mut decided = 0;
    for ((sample, lanes), backtrack) in samples.iter().zip(&lanes[0]).zip(&backtrack) {
        let name = format!("{list} {side} {:?} {:?}", sample.givens, form.regions);
        assert_eq!(lanes.0, sample.status, "{name}");
        if backtrack.0 != Status::Unknown {
            decided += 1;
            assert_eq!(backtrack.0, sample.status, "{name}");
        }
        for said in [lanes, backtrack] {
            if let Some(solution) = &said.1 {
                assert_eq!(verify(&rules, &sample.givens, solution), Ok(()), "{name}");
            }
            if said.0 == Status::Unique {
                assert_eq!(said.1, sample.solution, "{name}");
            }
        }
    }
    (samples.len(), decided)
}

fn check_all(lists: &[String], sides: &[usize]) -> Vec<(String, usize, (usize, usize))> {
    let forms = lists
        .iter()
        .flat_map(|list| sides.iter().map(move |&side| (list, side)));
    let forms: Vec<(&String, usize)> = forms
        .filter(|(list, side)| makes_sense(list, *side))
        .collect();
    forms
        .into_par_iter()
        .map(|(list, side)| (list.clone(), side, check(list, side)))
        .collect()
}

/// Of all forms there are puzzles, and the plain search decides most of them.
fn assert_most_are_decided(checked: &[(String, usize, (usize, usize))], percent: usize) {
    let without = checked.iter().filter(|(_, _, (puzzles, _))| *puzzles == 0);
    let without: Vec<String> = without
        .map(|(list, side, _)| format!("{list} {side}"))
        .collect();
    assert!(
        without.len() * 20 <= checked.len(),
        "no puzzles: {without:?}"
    );
    let puzzles: usize = checked.iter().map(|(_, _, (puzzles, _))| puzzles).sum();
    let decided: usize = checked.iter().map(|(_, _, (_, decided))| decided).sum();
    assert!(decided * 100 >= puzzles * percent, "{decided} of {puzzles}");
}

#[test]
fn every_variant_and_every_two_get_the_verdicts_that_are_known_or_found_plainly() {
    let lists = lists();
    assert_eq!(lists.len(), 11 + 55 - 2);
    assert_most_are_decided(&check_all(&lists, &[4, 6, 8, 9]), 90);
}

#[test]
fn every_variant_gets_them_in_larger_sizes_too() {
    let alone = all_variants();
    let with_boxes: Vec<String> = alone
        .iter()
        .filter(|list| !has_layout(list))
        .cloned()
        .collect();
    let mut checked = check_all(&alone, &[10, 12]);
    checked.extend(check_all(&with_boxes, &[14, 15, 16, 20, 25]));
    assert_most_are_decided(&checked, 50);
}

#[test]
fn regions_that_are_one_layout_or_one_of_many_get_the_same_answer() {
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
            let form = Form::with_regions(side, list, &layout(side, list, random));
            rules.push(rules_of(&form));
            // A few givens at will: some have a solution, some many.
            let mut grid = vec![0; form.cells()];
            for digit in 1..=4 {
                let cell = random.below(grid.len());
                if !form.forbids(&grid, cell, digit) {
                    grid[cell] = digit;
                }
            }
            grids.extend(grid);
        }
        let mut statuses = Vec::new();
        for level in levels() {
            let limits = Limits::default();
            let jigsaws = Jigsaws::new(Method::Lanes, limits, level);
            let mixed = ask(rules.len(), |report| {
                jigsaws.solve_reporting(&rules, Puzzles::of_digits(&grids), report)
            });
            let cells = side * side;
            for ((rules, grid), mixed) in rules.iter().zip(grids.chunks(cells)).zip(mixed) {
                let solver = Solver::new(rules.clone(), Method::Lanes, limits).at(level);
                let alone = ask(1, |report| {
                    solver.solve_reporting(Puzzles::of_digits(grid), report)
                });
                assert_eq!(alone[0], mixed, "{list} {grid:?}");
                statuses.push(mixed.0);
            }
        }
        assert!(statuses.contains(&Status::None), "{list}");
    }
}

/// Groups drawn at will, of three to nine cells.
#[test]
fn extra_groups_get_the_verdicts_that_are_found_plainly() {
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
        let form = Form::with_boxes(side, list);
        let rules = Rules::new(side, Shape::boxes_of(side).unwrap(), &list.parse().unwrap());
        let rules = Arc::new(rules.unwrap().with_extra(&symbols).unwrap());
        let Some(grid) = puzzles::full_grid(&form, random) else {
            continue;
        };
        let givens = puzzles::dig(&form, &grid, form.cells() * 35 / 100, random);
        // The grid may break the groups: with fewer givens there may be others that keep them.
        let grids: Vec<u8> = (0..4)
            .flat_map(|fewer| {
                let mut givens = givens.clone();
                for _ in 0..fewer * side / 2 {
                    givens[random.below(grid.len())] = 0;
                }
                givens
            })
            .collect();
        let ask_method = |method, level| {
            let solver = Solver::new(
                rules.clone(),
                method,
                Limits {
                    max_guesses: 200_000,
                    ..Limits::default()
                },
            )
            .at(level);
            ask(4, |report| {
                solver.solve_reporting(Puzzles::of_digits(&grids), report)
            })
        };
        let plain = ask_method(Method::Backtrack, Level::best());
        let first = ask_method(Method::Lanes, Level::best());
        for level in levels() {
            assert_eq!(ask_method(Method::Lanes, level), first);
        }
        for (index, (lanes, plain)) in first.iter().zip(&plain).enumerate() {
            let givens = &grids[index * grid.len()..][..grid.len()];
            let name = format!("{list} {givens:?} {}", symbols.escape_ascii());
            if plain.0 != Status::Unknown {
                assert_eq!(lanes.0, plain.0, "{name}");
                seen.push(lanes.0);
            }
            for said in [lanes, plain] {
                let is_right = |solution: &Vec<u8>| verify(&rules, givens, solution) == Ok(());
                assert!(said.1.as_ref().is_none_or(is_right), "{name}");
            }
        }
    }
    for status in [Status::Unique, Status::Multiple, Status::None] {
        let number = seen.iter().filter(|seen| **seen == status).count();
        assert!(number >= 10, "{number} are {status:?}");
    }
}

/// All grids that keep the rules, cell by cell along the rows.
fn all_grids(rules: &Rules) -> Vec<Vec<u8>> {
    // For each cell those before it, and whether they may not hold the same digit, or the next.
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
    go_on(rules.side() as u8, &before, &mut Vec::new(), &mut grids);
    grids
}

fn go_on(side: u8, before: &[Vec<(usize, u8)>], grid: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    let Some(others) = before.get(grid.len()) else {
        found.push(grid.clone());
        return;
    };
    let held = others.iter().fold(0, |held, &(other, apart)| {
        let digit = 1u32 << grid[other];
        held | if apart == 0 {
            digit
        } else {
            digit << 1 | digit >> 1
        }
    });
    for digit in (1..=side).filter(|digit| held >> digit & 1 == 0) {
        grid.push(digit);
        go_on(side, before, grid, found);
        grid.pop();
    }
}

#[test]
fn there_are_as_many_grids_as_is_known() {
    for (list, number) in [("classic", 288), ("diagonal", 48)] {
        let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &list.parse().unwrap());
        assert_eq!(all_grids(&rules.unwrap()).len(), number, "{list}");
    }
}

#[test]
fn the_72_grids_without_moves_and_neighbours_are_told_apart_by_few_givens() {
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
        let solver = Solver::new(rules.clone(), Method::Lanes, Limits::default()).at(level);
        let said = ask(puzzles.len(), |report| {
            solver.solve_reporting(Puzzles::of_digits(&puzzles.concat()), report)
        });
        for (puzzle, said) in puzzles.iter().zip(said) {
            let fits = |grid: &&Vec<u8>| {
                puzzle
                    .iter()
                    .zip(*grid)
                    .all(|(&given, &digit)| given == 0 || given == digit)
            };
            let fitting: Vec<&Vec<u8>> = grids.iter().filter(fits).collect();
            let expected = if fitting.len() == 1 {
                Status::Unique
            } else {
                Status::Multiple
            };
            assert_eq!(said.0, expected, "{puzzle:?}");
            assert!(fitting.contains(&&said.1.unwrap()), "{puzzle:?}");
        }
    }
}
