//! Cage numbers, the notation of Perfect Sudoku: `3x3::k:2816:2816:0:...`. A field states the boxes
//! of a killer, whether its diagonals are houses, and its cages.
//!
//! ```text
//!   3x3:d:k:4097:4097:2818:...      for each cell: 256 * sum + the number of its cage (0 to 255)
//!   --- -
//!    |  '-- both diagonals are houses; absent if not
//!    '----- rows and columns of a box
//! ```
//!
//! A cell with 0 is in no cage. Cells with the same number from 1 to 255, which has the sum 0, are
//! a cage without a sum. If only one cell has such a number, it is in no cage.

use super::described::{
    DescribedPuzzle, excerpt, not_a_size, parse_number, side_of_boxes, split_number,
};
use super::draft::CageDraft;
use crate::text::size::wrong_length;
use engine::error::InvalidInput;
use engine::rules::{Cage, Place};

const NUMBERS: usize = 256;

/// `rows` and `columns` are those of a box, in decimal.
pub(super) struct CageNumbersHeader<'a> {
    rows: &'a [u8],
    columns: &'a [u8],
    diagonals: bool,
    numbers: &'a [u8],
}

impl<'a> CageNumbersHeader<'a> {
    pub fn split(field: &'a [u8]) -> Option<CageNumbersHeader<'a>> {
        let (rows, rest) = split_number(field);
        let (columns, rest) = split_number(rest.strip_prefix(b"x")?);
        let (diagonals, numbers) = match rest.strip_prefix(b":d:k:") {
            Some(numbers) => (true, numbers),
            None => (false, rest.strip_prefix(b"::k:")?),
        };
        let header = CageNumbersHeader { rows, columns, diagonals, numbers };
        (!rows.is_empty() && !columns.is_empty()).then_some(header)
    }
}

pub(super) fn decode(header: &CageNumbersHeader<'_>) -> Result<DescribedPuzzle, InvalidInput> {
    let &CageNumbersHeader { rows, columns, .. } = header;
    let Some((boxes, side)) = side_of_boxes(rows, columns) else {
        let [rows, columns] = [rows, columns].map(excerpt);
        return Err(not_a_size(&format!("{rows}x{columns}")));
    };
    Ok(DescribedPuzzle {
        boxes: Some(boxes),
        diagonals: header.diagonals,
        cages: Some(read_numbers(header.numbers, side)?),
        ..DescribedPuzzle::blank(side)
    })
}

/// A last `:` is optional.
fn read_numbers(numbers: &[u8], side: usize) -> Result<Vec<Cage>, InvalidInput> {
    let numbers = numbers.strip_suffix(b":").unwrap_or(numbers);
    let count = match numbers {
        [] => 0,
        _ => memchr::memchr_iter(b':', numbers).count() + 1,
    };
    if count != side * side {
        return Err(wrong_length(count, "cage number", side));
    }
    let mut draft = CageDraft::new(side);
    for (cell, text) in numbers.split(|&byte| byte == b':').enumerate() {
        let number: Option<usize> = parse_number(text);
        let key_and_sum = number.map(|number| (number % NUMBERS, u16::try_from(number / NUMBERS)));
        match key_and_sum {
            Some((0, Ok(0))) => {}
            Some((key, Ok(sum))) => {
                draft.join(cell, key);
                draft.set_sum(key, sum)?;
            }
            _ => {
                let (text, place) = (excerpt(text), Place::of(cell, side));
                return Err(format!("'{text}' at {place} is not a cage number").into());
            }
        }
    }
    draft.finish()
}

/// The field states boxes and diagonals even if there are no cages.
pub fn write(cages: &[Cage], side: usize, boxes: [usize; 2], diagonals: bool) -> Vec<u8> {
    let [rows, columns] = boxes;
    debug_assert_eq!(rows * columns, side);
    // The largest killer is 16x16 and cages share no cell, so there are at most 256 cages. They get
    // the numbers 1 to 255, and a 256th cage gets 0. The number 0 means no cage only if there is no
    // sum. But each of 256 cages is a single cell, which is a cage only with a sum.
    assert!(cages.len() <= NUMBERS, "{} cages", cages.len());
    let mut numbers = vec![0; side * side];
    for (number, cage) in (1..).zip(cages) {
        let sum = usize::from(cage.sum.unwrap_or_default());
        for &cell in cage.cells() {
            numbers[usize::from(cell)] = NUMBERS * sum + number % NUMBERS;
        }
    }
    let diagonals = if diagonals { "d" } else { "" };
    let mut field = format!("{rows}x{columns}:{diagonals}:k:");
    for number in numbers {
        field += &format!("{number}:");
    }
    field.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Kind, assert_errors, cells_and_sums, decoded, random_cages};
    use super::*;
    use engine::rules::MAX_KILLER_SIDE;

    #[test]
    fn a_killer_of_the_human_solvable_collection_is_decoded() {
        let field = b"3x3:d:k:3841:7705:7705:7705:7705:7705:26:3847:3847:3841:27:3846:3846:3846:7705:4361:3847:3848:3841:\
            3843:4621:4876:28:4361:4361:4619:3848:29:3843:4621:4876:4876:5395:5395:4619:3848:3844:3843:4621:4114:4114:\
            5395:4619:30:3850:3844:4878:4880:31:4114:3605:3605:3850:3850:3844:4878:4880:4880:4372:3350:3605:4632:32:\
            4367:4878:33:4625:4372:3350:3350:4632:4632:4367:4367:4625:4625:4372:34:4375:4375:4375:";
        let puzzle = decoded(field);
        assert_eq!((puzzle.side, puzzle.boxes, puzzle.diagonals), (9, Some([3, 3]), true));
        assert_eq!((puzzle.digits, puzzle.regions), (vec![0; 81], None));
        let cages = puzzle.cages.unwrap();
        assert_eq!(cages.len(), 23);
        assert_eq!(cells_and_sums(&cages)[0], (vec![0, 9, 18], Some(15)));
        assert_eq!(cells_and_sums(&cages)[1], (vec![1, 2, 3, 4, 5, 14], Some(30)));
        // A single cell with a number below 256 is in no cage.
        assert!(cages.iter().all(|cage| !cage.cells().contains(&6)));
        let text = write(&cages, 9, [3, 3], true);
        assert_eq!(cells_and_sums(&decoded(&text).cages.unwrap()), cells_and_sums(&cages));
    }

    #[test]
    fn the_last_colon_may_be_missing_and_a_killer_may_have_no_cages() {
        let numbers = "1x4::k:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0";
        for field in [numbers, &format!("{numbers}:")] {
            let puzzle = decoded(field.as_bytes());
            assert_eq!((puzzle.boxes, puzzle.cages.unwrap().len()), (Some([1, 4]), 0));
        }
    }

    #[test]
    fn errors_name_the_cell_the_cage_or_the_count() {
        let with = |numbers: &str| {
            format!("2x2::k:{numbers}{}", "0:".repeat(16 - numbers.matches(':').count()))
        };
        assert_errors(&[
            ("2x2::k:", "0 cage numbers; a 4x4 puzzle has 16"),
            ("2x2::k:1", "1 cage number; a 4x4 puzzle has 16"),
            (&(with("") + ":"), "17 cage numbers; a 4x4 puzzle has 16"),
            (&with("0:x:"), "'x' at r1c2 is not a cage number"),
            (&with("0:0::"), "'' at r1c3 is not a cage number"),
            (&with("-1:"), "'-1' at r1c1 is not a cage number"),
            (&with("16777216:"), "'16777216' at r1c1 is not a cage number"),
            (&with("99999999999:"), "'99999999999' at r1c1 is not a cage number"),
            (&with("16777215:"), "cage at r1c1: a digit from 1 to 4 is not 65535"),
            (&with("769:769:1025:"), "cage at r1c1 has two sums, 3 and 4"),
            (&with("1:0:769:"), "cage at r1c1 has two sums, 0 and 3"),
            (&with("0:2049:2049:"), "cage at r1c2: 2 different digits add up to 3 to 7, not 8"),
            (&with(&"2561:".repeat(5)), "cage at r1c1 has 5 cells; the limit is 4"),
        ]);
    }

    #[test]
    fn cages_are_read_back() {
        for side in 2..=MAX_KILLER_SIDE {
            for seed in 0..30 {
                let kind = [Kind::WithSums, Kind::SomeWithoutSums][seed as usize / 2 % 2];
                let cages = random_cages(side, kind, seed);
                let text = write(&cages, side, [1, side], seed % 2 == 1);
                let puzzle = decoded(&text);
                assert_eq!((puzzle.side, puzzle.diagonals), (side, seed % 2 == 1));
                assert_eq!(cells_and_sums(&puzzle.cages.unwrap()), cells_and_sums(&cages));
            }
        }
        // As many cages as there are numbers.
        let cages = (0..256).map(|cell| Cage::new(16, vec![cell], Some(1 + cell % 16)).unwrap());
        let cages: Vec<Cage> = cages.collect();
        let text = write(&cages, 16, [4, 4], false);
        assert_eq!(cells_and_sums(&decoded(&text).cages.unwrap()), cells_and_sums(&cages));
    }

    #[test]
    fn a_number_below_256_is_a_cage_without_a_sum() {
        for (numbers, expected) in [
            ("0:0:1:0:0:1:", vec![(vec![2, 5], None)]),
            ("255:255:254:254:", vec![(vec![0, 1], None), (vec![2, 3], None)]),
            // The sum 3 and the number 0, which is no cage only without a sum.
            ("768:768:0:0:", vec![(vec![0, 1], Some(3))]),
            // A single cell without a sum is no cage.
            ("7:0:769:769:", vec![(vec![2, 3], Some(3))]),
        ] {
            let blank = "0:".repeat(16 - numbers.matches(':').count());
            let field = format!("2x2::k:{numbers}{blank}");
            let puzzle = decoded(field.as_bytes());
            assert_eq!(cells_and_sums(&puzzle.cages.unwrap()), expected, "{numbers}");
        }
    }
}
