//! Symmetries: a puzzle turned over, or with its digits renamed, has the verdict of the puzzle; one given more or less
//! changes it only so far.

use crate::Counts;
use crate::cases::is_connected;
use crate::law::Law;
use crate::program::{Row, rows};

/// A new place for each cell: the cell that comes to stand there.
type Places = Vec<usize>;

pub fn check(law: &Law, puzzles: &[Vec<u8>]) -> Counts {
    let options = ["--max-guesses", crate::limit(law.side)];
    let before = rows(law, &options, puzzles);
    let mut counts = Counts::new();
    let mut compare =
        |what: &str, law: &Law, turned: &[Vec<u8>], turn: &dyn Fn(&[u8]) -> Vec<u8>| {
            for ((puzzle, before), after) in
                turned.iter().zip(&before).zip(rows(law, &options, turned))
            {
                if [&before.status, &after.status]
                    .iter()
                    .any(|status| *status == "unknown")
                {
                    continue;
                }
                assert_eq!(
                    after.status,
                    before.status,
                    "{what}: {law}: {}",
                    law.line(puzzle)
                );
                if after.status == "unique" {
                    assert_eq!(
                        after.grid,
                        turn(&before.grid),
                        "{what}: {law}: {}",
                        law.line(puzzle)
                    );
                }
                *counts.entry(what.to_string()).or_default() += 1;
            }
        };
    for (what, digits) in renamings(law) {
        let turn = |grid: &[u8]| {
            grid.iter()
                .map(|&digit| digits[usize::from(digit)])
                .collect::<Vec<u8>>()
        };
        let turned: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| turn(puzzle)).collect();
        compare(what, law, &turned, &turn);
    }
    for (what, places) in turnings(law.side) {
        let turn = |grid: &[u8]| places.iter().map(|&from| grid[from]).collect::<Vec<u8>>();
        let Some(turned_law) = turned_law(law, &places) else {
            continue;
        };
        let turned: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| turn(puzzle)).collect();
        compare(what, &turned_law, &turned, &turn);
    }
    check_neighbours(law, puzzles, &before, &options);
    counts
}

/// New digits for the old ones, 0 for 0.
fn renamings(law: &Law) -> Vec<(&'static str, Vec<u8>)> {
    let side = law.side as u8;
    let mut all = vec![(
        "digits counted from the other end",
        (0..=side)
            .map(|digit| (side + 1 - digit) % (side + 1))
            .collect(),
    )];
    if law.not_consecutive.is_empty() {
        all.push((
            "digits moved on by one",
            (0..=side)
                .map(|digit| if digit == 0 { 0 } else { digit % side + 1 })
                .collect(),
        ));
    }
    all
}

fn turnings(side: usize) -> Vec<(&'static str, Places)> {
    let places = |from: &dyn Fn(usize, usize) -> (usize, usize)| -> Places {
        let cell = |(row, column): (usize, usize)| row * side + column;
        (0..side * side)
            .map(|to| cell(from(to / side, to % side)))
            .collect()
    };
    let last = side - 1;
    let exchanged = |row: usize| match row {
        0 => 1,
        1 => 0,
        row => row,
    };
    vec![
        ("transposed", places(&|row, column| (column, row))),
        ("upside down", places(&|row, column| (last - row, column))),
        (
            "a half turn",
            places(&|row, column| (last - row, last - column)),
        ),
        (
            "a quarter turn",
            places(&|row, column| (column, last - row)),
        ),
        (
            "two rows exchanged",
            places(&|row, column| (exchanged(row), column)),
        ),
        (
            "two columns exchanged",
            places(&|row, column| (row, exchanged(column))),
        ),
    ]
}

/// The law that the turned puzzles obey, its regions and groups turned with them; `None` if its variants are not what
/// the old ones become, so that it is no symmetry.
fn turned_law(law: &Law, places: &Places) -> Option<Law> {
    let regions = law
        .regions
        .as_ref()
        .map(|labels| places.iter().map(|&from| labels[from]).collect::<Vec<u8>>());
    // Regions in pieces would be refused.
    let whole = |labels: &Vec<u8>| {
        labels
            .iter()
            .all(|&label| is_connected(law.side, labels, label))
    };
    if !regions.as_ref().is_none_or(whole) {
        return None;
    }
    let turned = |text: &String| {
        places
            .iter()
            .map(|&from| char::from(text.as_bytes()[from]))
            .collect()
    };
    let extra: Vec<String> = law.extra.iter().map(turned).collect();
    let new = Law::of(&law.variants, law.side, regions, &extra);
    let sorted =
        |sets: Vec<Vec<usize>>| sets.into_iter().collect::<std::collections::BTreeSet<_>>();
    let moved = |set: &Vec<usize>| {
        let mut cells: Vec<usize> = set.iter().map(|&cell| places[cell]).collect();
        cells.sort_unstable();
        cells
    };
    let plain = |law: &Law| {
        let mut sets = law.sets.clone();
        sets.iter_mut().for_each(|set| set.sort_unstable());
        sorted(sets)
    };
    let pairs = |law: &Law, new: bool| -> std::collections::BTreeSet<[usize; 2]> {
        let pair = |&[a, b]: &[usize; 2]| {
            if new {
                [places[a].min(places[b]), places[a].max(places[b])]
            } else {
                [a, b]
            }
        };
        law.not_consecutive.iter().map(pair).collect()
    };
    (sorted(new.sets.iter().map(moved).collect()) == plain(law)
        && pairs(&new, true) == pairs(law, false))
    .then_some(new)
}

/// A given less leaves a solution; a digit of the solution more leaves it the only one; any other leaves none.
fn check_neighbours(law: &Law, puzzles: &[Vec<u8>], before: &[Row], options: &[&str]) {
    let with = |puzzle: &[u8], cell: usize, digit: u8| {
        let mut puzzle = puzzle.to_vec();
        puzzle[cell] = digit;
        puzzle
    };
    let (mut grids, mut expected) = (Vec::new(), Vec::<&[&str]>::new());
    let unique = puzzles
        .iter()
        .zip(before)
        .filter(|(_, row)| row.status == "unique");
    for (puzzle, row) in unique.take(6) {
        for (cell, &given) in puzzle.iter().enumerate() {
            let digit = row.grid[cell];
            if given != 0 {
                grids.push(with(puzzle, cell, 0));
                expected.push(&["unique", "multiple"]);
            } else {
                grids.push(with(puzzle, cell, digit));
                expected.push(&["unique"]);
                if law.side > 1 {
                    grids.push(with(
                        puzzle,
                        cell,
                        (usize::from(digit) % law.side) as u8 + 1,
                    ));
                    expected.push(&["none"]);
                }
            }
        }
    }
    for ((grid, expected), row) in grids.iter().zip(expected).zip(rows(law, options, &grids)) {
        let fits = row.status == "unknown" || expected.contains(&row.status.as_str());
        assert!(
            fits,
            "{law}: {} is {}, not {expected:?}",
            law.line(grid),
            row.status
        );
    }
}
