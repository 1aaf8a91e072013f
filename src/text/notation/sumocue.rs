//! Decodes the SumoCue notation, which lists the cells with their regions:
//! `SumoCueV1=5J0=0J0=8J1...`.
//!
//! ```text
//!   SumoCueV1D=5J0=0J0=8J1...     a puzzle: the digit (0 for a blank cell), J and the number of the region
//!   SumoCueV1=14J0+0J0=8J1...     a killer: =SUM opens a cage, +CELL joins the cage that cell number CELL (from 0) opens
//!            '- D: both diagonals are houses; absent if not
//! ```
//!
//! A field with a `+` is that of a killer. A cage with the sum 0 has no sum. Regions are optional.

use super::described::{DescribedPuzzle, excerpt, labels_of, not_a_digit, not_a_sum, parse_number};
use super::draft::CageDraft;
use engine::error::InvalidInput;
use engine::rules::{MAX_SIDE, Place, pluralize};

pub(super) const PREFIX: &[u8] = b"SumoCueV1";

#[derive(Clone, Copy)]
struct CellText<'a> {
    /// `=` or `+`.
    sign: u8,
    /// The text between the sign and the region.
    value: &'a [u8],
    region: Option<&'a [u8]>,
    place: Place,
}

pub(super) fn decode(list: &[u8]) -> Result<DescribedPuzzle, InvalidInput> {
    let diagonals = list.starts_with(b"D");
    let list = list.strip_prefix(b"D").unwrap_or(list);
    let cells = cells_of(list)?;
    let side = cells.len().isqrt();
    let mut puzzle = DescribedPuzzle {
        diagonals,
        regions: read_regions(&cells, side)?,
        ..DescribedPuzzle::blank(side)
    };
    if cells.iter().any(|cell| cell.sign == b'+') {
        puzzle.cages = Some(read_cages(&cells, side)?.finish()?);
    } else {
        for (digit, cell) in puzzle.digits.iter_mut().zip(&cells) {
            *digit = read_digit(cell, side)?;
        }
    }
    Ok(puzzle)
}

fn cells_of(list: &[u8]) -> Result<Vec<CellText<'_>>, InvalidInput> {
    let starts = || memchr::memchr2_iter(b'=', b'+', list);
    match starts().next() {
        Some(0) => {}
        None if list.is_empty() => return Err(not_a_square(0)),
        _ => return Err("expected '=' after SumoCueV1".into()),
    }
    let number = starts().count();
    let side = number.isqrt();
    if side * side != number || !(2..=MAX_SIDE).contains(&side) {
        return Err(not_a_square(number));
    }
    let ends = starts().skip(1).chain([list.len()]);
    let texts = starts().zip(ends).map(|(start, end)| &list[start..end]);
    let cells = texts.enumerate().map(|(cell, text)| {
        let (value, region) = match memchr::memchr(b'J', text) {
            Some(at) => (&text[1..at], Some(&text[at + 1..])),
            None => (&text[1..], None),
        };
        CellText { sign: text[0], value, region, place: Place::of(cell, side) }
    });
    Ok(cells.collect())
}

fn not_a_square(cells: usize) -> InvalidInput {
    let (cells, most) = (pluralize(cells, "cell"), MAX_SIDE * MAX_SIDE);
    format!("{cells}; expected a square number from 4 to {most}").into()
}

/// Returns `None` if no cell has a region.
fn read_regions(cells: &[CellText<'_>], side: usize) -> Result<Option<Vec<u8>>, InvalidInput> {
    let mut numbers = Vec::with_capacity(cells.len());
    for &CellText { region, place, .. } in cells {
        let Some(region) = region else { continue };
        let Some(number) = parse_number(region).filter(|&number: &usize| number <= side) else {
            let text = excerpt(region);
            return Err(format!("'{text}' at {place} is not the number of a region").into());
        };
        numbers.push(number);
    }
    if numbers.is_empty() {
        return Ok(None);
    }
    if numbers.len() < cells.len() {
        let missing = pluralize(cells.len() - numbers.len(), "cell");
        return Err(format!("{missing} of {} without a region", cells.len()).into());
    }
    // Labels are in the order of the first cells of their regions, as those of game IDs are, so
    // that the steps of a person name a region alike in both notations.
    let (labels, _) = labels_of(numbers.into_iter());
    Ok(Some(labels))
}

fn read_digit(cell: &CellText<'_>, side: usize) -> Result<u8, InvalidInput> {
    let digit = parse_number(cell.value).filter(|&digit: &u8| usize::from(digit) <= side);
    digit.ok_or_else(|| not_a_digit(cell.value, cell.place, side))
}

/// The key of a cage is the number of the cell that opens it.
fn read_cages(cells: &[CellText<'_>], side: usize) -> Result<CageDraft, InvalidInput> {
    let mut draft = CageDraft::new(side);
    for (index, cell) in cells.iter().enumerate() {
        if cell.sign == b'+' {
            let opens = |&opener: &usize| cells.get(opener).is_some_and(|it| it.sign == b'=');
            let opener = parse_number(cell.value).filter(opens).ok_or_else(|| {
                let (text, place) = (excerpt(cell.value), cell.place);
                format!("'+{text}' at {place} does not name a cell that opens a cage")
            })?;
            draft.join(index, opener);
        } else {
            let sum = parse_number(cell.value);
            let sum = sum.ok_or_else(|| not_a_sum(cell.value, cell.place))?;
            draft.join(index, index);
            draft.set_sum(index, sum)?;
        }
    }
    Ok(draft)
}

#[cfg(test)]
mod tests {
    use super::super::tests::{assert_errors, cells_and_sums};
    use super::*;

    fn decoded(field: &str) -> DescribedPuzzle {
        super::super::tests::decoded(field.as_bytes())
    }

    #[test]
    fn givens_and_regions_are_decoded_cell_by_cell() {
        let puzzle = decoded("SumoCueV1=1J0=0J0=0J1=2J1");
        assert_eq!((puzzle.side, puzzle.digits), (2, vec![1, 0, 0, 2]));
        assert_eq!(puzzle.regions.as_deref(), Some(&b"AABB"[..]));
        assert!(puzzle.cages.is_none() && puzzle.boxes.is_none() && !puzzle.diagonals);
        assert_eq!(decoded("SumoCueV1=1=0=0=2").regions, None);
        let puzzle = decoded(&format!("SumoCueV1D{}", "=12J11".repeat(144)));
        assert!(puzzle.diagonals);
        assert_eq!(puzzle.digits, [12; 144]);
        assert_eq!(puzzle.regions, Some(vec![b'A'; 144]));
    }

    #[test]
    fn regions_are_labelled_in_the_order_of_their_first_cells() {
        for numbers in ["0011", "1100", "1122", "2200"] {
            let cells = numbers.chars().map(|number| format!("=0J{number}"));
            let puzzle = decoded(&format!("SumoCueV1{}", cells.collect::<String>()));
            assert_eq!(puzzle.regions.as_deref(), Some(&b"AABB"[..]), "{numbers}");
        }
    }

    #[test]
    fn cells_join_cages_that_are_opened_before_or_after_them() {
        let puzzle = decoded("SumoCueV1=3J0+0J0+5J1=6J0+5J1=0J1+3J2+3J2=2J2");
        let expected = [
            (vec![0, 1], Some(3)),
            (vec![2, 4, 5], None),
            (vec![3, 6, 7], Some(6)),
            (vec![8], Some(2)),
        ];
        assert_eq!(cells_and_sums(&puzzle.cages.unwrap()), expected);
        assert_eq!(puzzle.digits, [0; 9]);
        assert_eq!(puzzle.regions.as_deref(), Some(&b"AABABBCCC"[..]));
        // A single cell without a sum is no cage.
        let puzzle = decoded("SumoCueV1D=3+0=0=0");
        assert_eq!(cells_and_sums(&puzzle.cages.unwrap()), [(vec![0, 1], Some(3))]);
        assert!(puzzle.diagonals);
    }

    #[test]
    fn errors_name_the_cell_the_cage_or_the_count() {
        let not_square = "expected a square number from 4 to 625";
        let no_cage = "does not name a cell that opens a cage";
        assert_errors(&[
            ("SumoCueV1", &format!("0 cells; {not_square}")),
            ("SumoCueV1D", &format!("0 cells; {not_square}")),
            ("SumoCueV1=1", &format!("1 cell; {not_square}")),
            ("SumoCueV1=1J0=0J0", &format!("2 cells; {not_square}")),
            ("SumoCueV1x=1", "expected '=' after SumoCueV1"),
            ("SumoCueV1DD=1", "expected '=' after SumoCueV1"),
            ("SumoCueV1=1J0=0J0=12J1=2J1", "'12' at r2c1 is not a digit of a 2x2 puzzle"),
            ("SumoCueV1=1J0=0J0=1J=2J1", "'' at r2c1 is not the number of a region"),
            ("SumoCueV1=1J0=0J0=1J1=2", "1 cell of 4 without a region"),
            ("SumoCueV1=3+4=0=0", &format!("'+4' at r1c2 {no_cage}")),
            ("SumoCueV1=3+0+1=0", &format!("'+1' at r2c1 {no_cage}")),
            ("SumoCueV1+0=0=0=0", &format!("'+0' at r1c1 {no_cage}")),
            ("SumoCueV1=3+=0=0", &format!("'+' at r1c2 {no_cage}")),
            ("SumoCueV1=3+0=x=0", "'x' at r2c1 is not a sum"),
            ("SumoCueV1=3+0=70000=0", "'70000' at r2c1 is not a sum"),
            ("SumoCueV1=4+0=0=0", "cage at r1c1: 2 different digits add up to 3, not 4"),
            ("SumoCueV1=4+0+0=0", "cage at r1c1 has 3 cells; the limit is 2"),
        ]);
    }
}
