//! Each method gives the answers of data/known.tsv, except where the table says that backtracking
//! takes too long.

use std::sync::Arc;

use sudoku_filter::program::Sizes;
use sudoku_filter::{Alphabet, Limits, Method, Rules, Shape, Solver, Variants};

#[test]
fn every_method_gives_the_known_answers() {
    let table = include_str!("../../data/known.tsv");
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [variant, puzzle, regions, solution, status, remarks] = fields[..] else {
            panic!("{line}");
        };
        let side = Sizes::default().side(puzzle.len()).unwrap();
        let shape = match regions {
            "-" => Shape::boxes_of(side).unwrap(),
            labels => Shape::regions(labels.as_bytes(), false),
        };
        let rules = Rules::new(side, shape, &variant.parse::<Variants>().unwrap()).unwrap();
        let rules = Arc::new(rules);
        let mut grid = Vec::new();
        Alphabet::default().read(puzzle.as_bytes(), side, &mut grid).unwrap();
        for (name, method) in Method::NAMES {
            if method == Method::Backtrack && remarks.contains("too long for --method backtrack") {
                continue;
            }
            let solver = Solver::new(rules.clone(), method);
            let limits = Limits::default().with_max_guesses(0);
            let mut answers = 0;
            solver
                .solve_digits(&grid, limits, &mut |_, found| {
                    answers += 1;
                    assert_eq!(found.status.name(), status, "{name}: {line}");
                    if solution != "-" {
                        let mut text = Vec::new();
                        Alphabet::default().write(
                            found.solution.unwrap(),
                            Default::default(),
                            &mut text,
                        );
                        assert_eq!(String::from_utf8(text).unwrap(), solution, "{name}: {line}");
                    }
                })
                .unwrap();
            assert_eq!(answers, 1, "{name}: {line}");
        }
    }
}
