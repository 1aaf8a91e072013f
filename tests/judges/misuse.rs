//! The public functions of the library refuse what they cannot use, in release builds too.

use std::io::{Read, pipe};
use std::sync::Arc;

use sudoku_filter::program::{DescribedPuzzle, JigsawLayout, Level, RandomSymmetries, solve_each};
use sudoku_filter::{
    Alphabet, Cage, Canonical, Case, Column, Difficulty, Fault, Flow, Givens, Limits, Method, Mode,
    OutputColumn, Paper, Pencil, Pipeline, PipelineOptions, Place, Puzzles, Rules, Shape, Solver,
    Source, Status, Tally, Variants, filter, verify,
};

fn classic(side: usize) -> Rules {
    let boxes = Shape::boxes_of(side).unwrap();
    Rules::new(side, boxes, &Variants::default()).unwrap()
}

#[test]
fn rules_of_no_grid_are_errors() {
    let none = Variants::default();
    for (side, shape) in [
        (0, Shape::boxes(0, 0)),
        (26, Shape::boxes(2, 13)),
        (9, Shape::boxes(2, 2)),
        (9, Shape::boxes(0, 9)),
        (9, Shape::boxes(usize::MAX, 9)),
        (9, Shape::regions(b"", false)),
        (9, Shape::regions(b"AAAABBBBCCCCDDDD", false)),
    ] {
        assert!(Rules::new(side, shape, &none).is_err(), "{side} {shape:?}");
    }
    assert_eq!(Shape::boxes_of(0), None);
    for symbols in [&b""[..], &b"A".repeat(80), &b"A".repeat(81), b"\xff"] {
        assert!(classic(9).with_extra(symbols).is_err(), "{symbols:?}");
    }
}

#[test]
fn cages_outside_of_a_grid_are_errors() {
    for (side, cells, sum) in [
        (9, vec![], None),
        (9, vec![81], None),
        (9, vec![3, 3], None),
        (9, (0..10).collect(), None),
        (9, vec![0, 1], Some(18)),
        (0, vec![0], None),
    ] {
        assert!(Cage::new(side, cells.clone(), sum).is_err(), "{cells:?}");
    }
    let cage = |cells| Cage::new(9, cells, Some(17)).unwrap();
    assert!(classic(9).with_cages(vec![cage(vec![0, 1]), cage(vec![1, 2])]).is_err());
    assert!(classic(4).with_cages(vec![cage(vec![0, 1])]).is_err(), "a sum of 17");
    assert!(classic(4).with_cages(vec![cage(vec![79, 80])]).is_err());
    assert!(classic(25).with_cages(vec![cage(vec![0, 1])]).is_err());
}

/// Puzzles that are none of a 9x9.
fn bad_grids() -> [Vec<u8>; 4] {
    [vec![0; 80], vec![0; 82], vec![10; 81], vec![255; 81]]
}

#[test]
fn solvers_refuse_puzzles_of_other_rules() {
    for (_, method) in Method::NAMES {
        let solver = Solver::new(Arc::new(Rules::classic()), method);
        for grid in bad_grids() {
            assert!(solver.solve_one(&grid).is_err());
            let report = &mut |_, _: sudoku_filter::Found<'_>| panic!("nothing is solved");
            assert!(solver.solve_digits(&grid, Limits::default(), report).is_err());
        }
        assert!(solver.solve_one(&[0; 162]).is_err(), "two puzzles");
        let none = Limits::default().with_solutions(0);
        let mut status = None;
        let found = &mut |_, found: sudoku_filter::Found<'_>| status = Some(found.status);
        solver.solve_digits(&[0; 81], none, found).unwrap();
        assert_eq!(status, Some(Status::Unknown), "0 solutions count as 1");
        for puzzles in [
            Puzzles { seeds: &[1, 2], ..Puzzles::of_digits(&[0; 81]) },
            Puzzles { seeds: &[], givens: Givens::Candidates(&[1 << 9; 81]) },
        ] {
            let solved = solver.solve(puzzles, Limits::default(), &mut |_| panic!());
            assert!(solved.is_err());
        }
        let each = |rules: &[Arc<Rules>], cells: usize| {
            let (method, grids) = ((method, Level::best()), vec![0; cells]);
            let puzzles = Puzzles::of_digits(&grids);
            solve_each(rules, method, puzzles, Limits::default(), &mut |_| panic!())
        };
        let (nine, four) = (Arc::new(classic(9)), Arc::new(classic(4)));
        let diagonal = Rules::new(9, Shape::boxes(3, 3), &"diagonal".parse().unwrap());
        let diagonal = Arc::new(diagonal.unwrap());
        assert!(each(&[], 81).is_err());
        assert!(each(std::slice::from_ref(&nine), 162).is_err());
        assert!(each(&[nine.clone(), four], 162).is_err());
        assert!(each(&[nine, diagonal], 162).is_err());
    }
}

#[test]
fn techniques_refuse_puzzles_of_other_rules() {
    let pencil = Pencil::new(&Rules::classic());
    let mut paper = Paper::default();
    for grid in bad_grids() {
        let givens = Givens::Digits(&grid);
        assert!(pencil.solve(givens, &mut paper).is_err());
        assert!(pencil.hint(givens, &mut paper).is_err());
        let stepwise = pencil.solve_step_by_step(givens, &mut paper, &mut |_| panic!());
        assert!(stepwise.is_err());
    }
    assert_eq!(Difficulty::of_puzzle(&[10; 81]), None);
}

#[test]
fn symmetries_refuse_puzzles_of_other_rules() {
    let rules = Rules::classic();
    let canonical = Canonical::new(&rules).unwrap();
    let symmetries = RandomSymmetries::new(&rules, JigsawLayout::Stays);
    let symmetry = symmetries.of_seed(1).next().unwrap();
    for grid in bad_grids() {
        assert!(canonical.form(&grid, &mut Vec::new()).is_err());
        assert!(symmetry.image_of(&grid).is_err());
    }
}

#[test]
fn verify_finds_grids_of_another_size_and_numbers_that_are_no_digits() {
    let rules = classic(4);
    let answer = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1];
    assert_eq!(verify(&rules, &[0; 16], &answer), Ok(()));
    // The bit of 33 is that of 1, if it wraps.
    let wrapped = answer.map(|digit| if digit == 1 { 33 } else { digit });
    let fault = verify(&rules, &[0; 16], &wrapped).unwrap_err();
    let reason = |fault: Fault| fault.reason(|digit| char::from(b'0' + digit));
    assert_eq!(reason(fault), "r1c1 holds 33, which is no digit");
    let long = [&answer[..], &[1]].concat();
    for (puzzle, answer, found) in [(&[0; 16][..], &long[..], 17), (&[0; 15], &answer, 15)] {
        let fault = verify(&rules, puzzle, answer).unwrap_err();
        assert_eq!(reason(fault), format!("{found} cells instead of 16"));
    }
}

#[test]
fn notations_of_no_grid_are_errors() {
    let mut digits = Vec::new();
    for side in [0, 26, 1000] {
        assert!(Alphabet::default().read(b"1", side, &mut digits).is_err());
        assert!(DescribedPuzzle::read_cages(b"3<", side).is_err());
    }
}

/// Runs a pipeline with these options on one 4x4 puzzle with one solution. Returns the output, and
/// how many lines have each status. `test` is the name of the test, for the name of the file.
fn filtered(options: PipelineOptions, test: &str) -> (String, Tally) {
    let pipeline = Pipeline::new(options).unwrap();
    let file = format!("sudoku-filter-misuse-{test}-{}", std::process::id());
    let file = std::env::temp_dir().join(file);
    std::fs::write(&file, "1.....3..2.....4\n").unwrap();
    let (mut reader, mut writer) = pipe().unwrap();
    let sources = [Source::File(file.clone())];
    let outcome = filter(&sources, &pipeline, &mut writer, &mut std::io::sink(), &Flow::new(1));
    drop(writer);
    let mut output = String::new();
    reader.read_to_string(&mut output).unwrap();
    std::fs::remove_file(file).unwrap();
    (output, outcome.unwrap().tally)
}

#[test]
fn a_cell_outside_of_a_puzzle_makes_its_lines_invalid() {
    for place in [Place { row: 0, column: 0 }, Place { row: 5, column: 1 }] {
        let mut options = PipelineOptions::default();
        options.mode = Mode::Reveal(place);
        let (_, tally) = filtered(options, "cell");
        assert_eq!(tally.count(Status::Invalid), 1, "{place:?}");
    }
}

#[test]
fn columns_about_an_answer_have_no_value_without_one() {
    let mut options = PipelineOptions::default();
    let columns = [Column::Matching, Column::Score, Column::Answer, Column::Status];
    options.columns = columns.map(OutputColumn::from).into();
    let (output, _) = filtered(options, "answer");
    assert_eq!(output, "-\t-\t-\tunique\n");
}

#[test]
fn a_digit_without_a_symbol_panics_and_is_not_written() {
    let alphabet = Alphabet::default();
    for digits in [vec![26; 4], vec![10; 81], vec![255; 81]] {
        let mut text = Vec::new();
        let write = || alphabet.write(&digits, Case::default(), &mut text);
        let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(write));
        // 10 is `A`, also in a grid of 81 cells.
        assert_eq!(result.is_ok(), digits[0] == 10, "{digits:?}");
        assert!(text.iter().all(|&symbol| symbol == b'A'), "{text:?}");
    }
}
