//! Symmetries: a rearranged or relabelled puzzle has the same verdict. Adding or removing a given
//! changes the verdict only as the rules allow.

use super::Counts;
use super::cases::is_connected;
use super::constraints::{Constraints, Spec};
use super::program::{OutputLine, output_lines};

/// For each cell of the rearranged grid, the cell it is taken from.
type Rearrangement = Vec<usize>;

pub fn check(constraints: &Constraints, puzzles: &[Vec<u8>]) -> Counts {
    let options = ["--max-guesses", super::guess_limit(constraints)];
    let before = output_lines(constraints, &options, puzzles);
    let mut counts = Counts::new();
    let mut compare = |symmetry: &str,
                       constraints: &Constraints,
                       changed: &[Vec<u8>],
                       change: &dyn Fn(&[u8]) -> Vec<u8>| {
        for ((puzzle, before), after) in
            changed.iter().zip(&before).zip(output_lines(constraints, &options, changed))
        {
            if [&before.status, &after.status].iter().any(|status| *status == "unknown") {
                continue;
            }
            assert_eq!(
                after.status,
                before.status,
                "{symmetry}: {constraints}: {}",
                constraints.line(puzzle)
            );
            if after.status == "unique" {
                assert_eq!(
                    after.grid,
                    change(&before.grid),
                    "{symmetry}: {constraints}: {}",
                    constraints.line(puzzle)
                );
            }
            *counts.entry(symmetry.to_string()).or_default() += 1;
        }
    };
    for (symmetry, digits) in relabellings(constraints) {
        let change =
            |grid: &[u8]| grid.iter().map(|&digit| digits[usize::from(digit)]).collect::<Vec<u8>>();
        let changed: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| change(puzzle)).collect();
        compare(symmetry, constraints, &changed, &change);
    }
    for (symmetry, rearrangement) in rearrangements(constraints.side) {
        let change =
            |grid: &[u8]| rearrangement.iter().map(|&from| grid[from]).collect::<Vec<u8>>();
        let Some(rearranged_constraints) = rearranged_constraints(constraints, &rearrangement)
        else {
            continue;
        };
        let changed: Vec<Vec<u8>> = puzzles.iter().map(|puzzle| change(puzzle)).collect();
        compare(symmetry, &rearranged_constraints, &changed, &change);
    }
    let number = check_added_and_removed_givens(constraints, puzzles, &before, &options);
    counts.insert("a given added or removed".to_string(), number);
    counts
}

/// Returns relabellings: for each digit its new digit; 0 stays 0.
fn relabellings(constraints: &Constraints) -> Vec<(&'static str, Vec<u8>)> {
    let side = constraints.side as u8;
    let mut all = vec![(
        "digits reversed",
        (0..=side).map(|digit| (side + 1 - digit) % (side + 1)).collect(),
    )];
    if constraints.not_consecutive.is_empty() {
        all.push((
            "digits shifted by one",
            (0..=side).map(|digit| if digit == 0 { 0 } else { digit % side + 1 }).collect(),
        ));
    }
    all
}

fn rearrangements(side: usize) -> Vec<(&'static str, Rearrangement)> {
    let rearrangement = |from: &dyn Fn(usize, usize) -> (usize, usize)| -> Rearrangement {
        let cell = |(row, column): (usize, usize)| row * side + column;
        (0..side * side).map(|to| cell(from(to / side, to % side))).collect()
    };
    let last = side - 1;
    let exchanged = |row: usize| match row {
        0 => 1,
        1 => 0,
        row => row,
    };
    vec![
        ("transposed", rearrangement(&|row, column| (column, row))),
        ("upside down", rearrangement(&|row, column| (last - row, column))),
        ("a half turn", rearrangement(&|row, column| (last - row, last - column))),
        ("a quarter turn", rearrangement(&|row, column| (column, last - row))),
        ("two rows exchanged", rearrangement(&|row, column| (exchanged(row), column))),
        ("two columns exchanged", rearrangement(&|row, column| (row, exchanged(column)))),
    ]
}

/// Returns the constraints of rearranged puzzles; regions and groups are rearranged too. `None` if
/// the variants' sets do not map to themselves: the rearrangement is no symmetry then.
fn rearranged_constraints(
    constraints: &Constraints,
    rearrangement: &Rearrangement,
) -> Option<Constraints> {
    let spec = &constraints.spec;
    let regions = spec
        .regions
        .as_ref()
        .map(|labels| rearrangement.iter().map(|&from| labels[from]).collect::<Vec<u8>>());
    // The program refuses regions that are not connected, unless the options allow them.
    let are_connected = |labels: &Vec<u8>| {
        labels.iter().all(|&label| is_connected(constraints.side, labels, label))
    };
    if !spec.is_disconnected && !regions.as_ref().is_none_or(are_connected) {
        return None;
    }
    let changed = |text: &String| {
        rearrangement.iter().map(|&from| char::from(text.as_bytes()[from])).collect()
    };
    let new = Constraints::of(Spec {
        regions,
        extra: spec.extra.iter().map(changed).collect(),
        ..spec.clone()
    });
    let sorted =
        |sets: Vec<Vec<usize>>| sets.into_iter().collect::<std::collections::BTreeSet<_>>();
    let moved = |set: &Vec<usize>| {
        let mut cells: Vec<usize> = set.iter().map(|&cell| rearrangement[cell]).collect();
        cells.sort_unstable();
        cells
    };
    let plain = |constraints: &Constraints| {
        let mut sets = constraints.sets.clone();
        sets.iter_mut().for_each(|set| set.sort_unstable());
        sorted(sets)
    };
    let pairs = |constraints: &Constraints, new: bool| -> std::collections::BTreeSet<[usize; 2]> {
        let pair = |&[a, b]: &[usize; 2]| {
            if new {
                [rearrangement[a].min(rearrangement[b]), rearrangement[a].max(rearrangement[b])]
            } else {
                [a, b]
            }
        };
        constraints.not_consecutive.iter().map(pair).collect()
    };
    (sorted(new.sets.iter().map(moved).collect()) == plain(constraints)
        && pairs(&new, true) == pairs(constraints, false))
    .then_some(new)
}

/// Removing a given leaves a solution. Adding a digit of the solution keeps the puzzle unique.
/// Adding any other digit leaves no solution. Returns the number of changed puzzles.
fn check_added_and_removed_givens(
    constraints: &Constraints,
    puzzles: &[Vec<u8>],
    before: &[OutputLine],
    options: &[&str],
) -> usize {
    let with = |puzzle: &[u8], cell: usize, digit: u8| {
        let mut puzzle = puzzle.to_vec();
        puzzle[cell] = digit;
        puzzle
    };
    let (mut grids, mut expected) = (Vec::new(), Vec::<&[&str]>::new());
    let unique = puzzles.iter().zip(before).filter(|(_, solved)| solved.status == "unique");
    for (puzzle, solved) in unique.take(6) {
        for (cell, &given) in puzzle.iter().enumerate() {
            let digit = solved.grid[cell];
            if given != 0 {
                grids.push(with(puzzle, cell, 0));
                expected.push(&["unique", "multiple"]);
            } else {
                grids.push(with(puzzle, cell, digit));
                expected.push(&["unique"]);
                if constraints.side > 1 {
                    grids.push(with(
                        puzzle,
                        cell,
                        (usize::from(digit) % constraints.side) as u8 + 1,
                    ));
                    expected.push(&["none"]);
                }
            }
        }
    }
    for ((grid, expected), row) in
        grids.iter().zip(expected).zip(output_lines(constraints, options, &grids))
    {
        let fits = row.status == "unknown" || expected.contains(&row.status.as_str());
        assert!(
            fits,
            "{constraints}: {} is {}, not {expected:?}",
            constraints.line(grid),
            row.status
        );
    }
    grids.len()
}
