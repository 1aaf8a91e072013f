//! Decodes a field that describes its rules, and reads it as a field of cages. A plain reading of
//! each notation must give the same, and cages that are written must be read back.

use sudoku_filter::Cage;
use sudoku_filter::program::{DescribedPuzzle, is_arrows, is_self_describing, write_cages};

use super::described::{self, Cages, Described};

pub fn run(field: &[u8]) {
    if described::is_constraints(field) {
        return check_constraints(field);
    }
    let expected = described::read(field);
    let decoded = DescribedPuzzle::decode(field);
    assert_eq!(decoded.is_some(), is_self_describing(field));
    assert_eq!(decoded.is_some(), described::is_described(field));
    let found = decoded.and_then(Result::ok).map(|puzzle| Described {
        side: puzzle.side,
        digits: puzzle.digits,
        boxes: puzzle.boxes,
        diagonals: puzzle.diagonals,
        regions: puzzle.regions,
        cages: puzzle.cages.map(|cages| {
            check_written(&cages, puzzle.side);
            plain_cages(&cages)
        }),
    });
    assert_eq!(found, expected);

    let side = field.len().isqrt().clamp(2, 25);
    let arrows = described::arrows(field, side);
    let sides = [side, expected.map_or(side, |puzzle| puzzle.side)];
    for side in sides {
        match DescribedPuzzle::read_cages(field, side) {
            Ok(read) if read.boxes.is_none() => {
                let cages = read.cages.unwrap();
                assert_eq!(Some(plain_cages(&cages)), arrows);
                check_written(&cages, side);
            }
            Ok(read) => {
                let numbers = described::cage_numbers(field).unwrap();
                assert_eq!(read.cages.as_deref().map(plain_cages), numbers.cages);
                assert_eq!(
                    (read.boxes, read.diagonals, side),
                    (numbers.boxes, numbers.diagonals, numbers.side)
                );
            }
            Err(_) => assert!(
                arrows.is_none()
                    && described::cage_numbers(field).is_none_or(|numbers| numbers.side != side)
            ),
        }
    }
    if is_arrows(field) {
        assert!(field.len() == side * side && side <= 9);
        assert!(!field.iter().all(|symbol| b".0123456789".contains(symbol)));
    } else {
        assert!(
            arrows.is_none()
                || field
                    .iter()
                    .all(|&symbol| symbol == b'.'
                        || symbol.is_ascii_alphanumeric() && symbol != b'v')
        );
    }
}

/// What the rules of a constraint string mean is judged elsewhere (`tests/judges/constraints`). Here,
/// the puzzle is refused, or its parts have the size of its grid.
fn check_constraints(field: &[u8]) {
    assert!(is_self_describing(field));
    let Ok(puzzle) = DescribedPuzzle::decode(field).expect("a constraint string") else {
        return;
    };
    let side = puzzle.side;
    assert!((2..=16).contains(&side));
    assert!(puzzle.digits.len() == side * side);
    assert!(puzzle.digits.iter().all(|&digit| usize::from(digit) <= side));
    assert!(puzzle.regions.is_none_or(|regions| regions.len() == side * side));
    for cage in puzzle.cages.iter().flatten() {
        assert!(cage.cells().iter().all(|&cell| usize::from(cell) < side * side));
    }
}

fn plain_cages(cages: &[Cage]) -> Cages {
    let cage = |cage: &Cage| (cage.cells().to_vec(), cage.sum);
    cages.iter().map(cage).collect()
}

/// Asserts that cages are written as a field that is read back. `-` is only written for a cage
/// without a sum, or for more cages than there are cage numbers.
fn check_written(cages: &[Cage], side: usize) {
    let text = write_cages(cages, side, [1, side], false);
    if text == b"-" {
        assert!(cages.len() > 256 || cages.iter().any(|cage| cage.sum.is_none()));
        return;
    }
    let read = DescribedPuzzle::read_cages(&text, side).unwrap();
    assert_eq!(plain_cages(&read.cages.unwrap()), plain_cages(cages), "{}", text.escape_ascii());
}
