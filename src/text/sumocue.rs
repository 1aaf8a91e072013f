//! Decodes the SumoCue notation, which lists the given and the region of each cell: `SumoCueV1=5J0=0J0=8J1...`. The
//! decoded puzzle and layout are then checked like those of any other line.

use super::symbols::Alphabet;
use crate::error::BoxError;
use crate::rules::{MAX_SIDE, Place, a_puzzle, pluralize};

/// The beginning of every SumoCue field.
const PREFIX: &[u8] = b"SumoCueV1";

/// A decoded field, in the notation of ordinary lines.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Decoded {
    /// One symbol of the alphabet per cell.
    pub puzzle: Vec<u8>,
    /// One letter per cell, if the field names regions.
    pub regions: Option<Vec<u8>>,
}

/// Returns true if a field is in SumoCue notation.
pub(crate) fn is_sumocue(field: &[u8]) -> bool {
    field.starts_with(PREFIX)
}

/// Decodes a field for which [`is_sumocue`] is true.
///
/// Each cell is `=` and a digit (0 for a blank cell), optionally followed by `J` and the number of its region.
///
/// # Errors
/// Returns an error that names the cell or the count at fault.
pub(crate) fn decode(field: &[u8], alphabet: &Alphabet) -> Result<Decoded, BoxError> {
    let cells = cells_of(&field[PREFIX.len()..])?;
    let side = cells.len().isqrt();
    let mut grid = Vec::with_capacity(cells.len());
    let mut labels = Vec::new();
    for (cell, text) in cells.into_iter().enumerate() {
        let (digit, label) = parse_cell(text, Place::of(cell, side), side)?;
        grid.push(digit);
        labels.extend(label);
    }
    if !labels.is_empty() && labels.len() != grid.len() {
        let missing = pluralize(grid.len() - labels.len(), "cell");
        return Err(format!("{missing} of {} without a region", grid.len()).into());
    }
    let mut puzzle = Vec::with_capacity(grid.len());
    alphabet.check_side(side)?;
    alphabet.write(&grid, Default::default(), &mut puzzle);
    Ok(Decoded {
        puzzle,
        regions: (!labels.is_empty()).then_some(labels),
    })
}

/// Splits the list into cells, which begin with `=`. Returns an error if no grid has this number of cells.
fn cells_of(list: &[u8]) -> Result<Vec<&[u8]>, BoxError> {
    if let Some(at) = memchr::memchr(b'+', list) {
        let cell = memchr::memchr_iter(b'=', &list[..at]).count() + 1;
        let reason =
            format!("cell {cell} is part of a killer cage; killer sudoku is not supported");
        return Err(reason.into());
    }
    let Some(list) = list.strip_prefix(b"=") else {
        return match list {
            b"" => Err(wrong_number(0)),
            _ => Err("expected '=' after SumoCueV1".into()),
        };
    };
    let cells: Vec<&[u8]> = list.split(|&byte| byte == b'=').collect();
    let side = cells.len().isqrt();
    match side * side == cells.len() && (2..=MAX_SIDE).contains(&side) {
        true => Ok(cells),
        false => Err(wrong_number(cells.len())),
    }
}

fn wrong_number(cells: usize) -> BoxError {
    let number = pluralize(cells, "cell");
    format!("{number}; expected a square number from 4 to 625").into()
}

/// Returns the digit and the region label of a cell, such as `5J0`.
fn parse_cell(text: &[u8], place: Place, side: usize) -> Result<(u8, Option<u8>), BoxError> {
    let (digit, region) = match memchr::memchr(b'J', text) {
        Some(at) => (&text[..at], Some(&text[at + 1..])),
        None => (text, None),
    };
    let Some(value) = parse_number(digit).filter(|&digit| digit <= side) else {
        let (digit, puzzle) = (digit.escape_ascii(), a_puzzle(side));
        return Err(format!("'{digit}' at {place} is not a digit of {puzzle}").into());
    };
    let Some(region) = region else {
        return Ok((value as u8, None));
    };
    match parse_number(region).filter(|&region| region <= side) {
        Some(region) => Ok((value as u8, Some(LABELS[region]))),
        None => {
            let region = region.escape_ascii();
            Err(format!("'{region}' at {place} is not the number of a region").into())
        }
    }
}

/// Region labels by number. Has N + 1 entries, because regions are numbered from 0 or from 1.
const LABELS: &[u8; MAX_SIDE + 1] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Parses a number of ASCII digits.
fn parse_number(digits: &[u8]) -> Option<usize> {
    let digits = std::str::from_utf8(digits).ok()?;
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    is_number.then(|| digits.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(field: &str) -> Result<(String, Option<String>), BoxError> {
        let text = |bytes| String::from_utf8(bytes).unwrap();
        let Decoded { puzzle, regions } = decode(field.as_bytes(), &Alphabet::default())?;
        Ok((text(puzzle), regions.map(text)))
    }

    #[test]
    fn givens_and_regions_are_decoded_cell_by_cell() {
        let field = "SumoCueV1=1J0=0J0=0J1=2J1";
        let expected = ("1..2".to_string(), Some("AABB".to_string()));
        assert_eq!(decoded(field).unwrap(), expected);
        assert_eq!(decoded("SumoCueV1=1=0=0=2").unwrap().1, None);
        let twelve = format!("SumoCueV1{}", "=12J11".repeat(144));
        let (puzzle, regions) = decoded(&twelve).unwrap();
        assert_eq!(puzzle, "C".repeat(144));
        assert_eq!(regions.unwrap(), "L".repeat(144));
    }

    #[test]
    fn errors_name_the_cell() {
        for (field, reason) in [
            (
                "SumoCueV1",
                "0 cells; expected a square number from 4 to 625",
            ),
            (
                "SumoCueV1=1",
                "1 cell; expected a square number from 4 to 625",
            ),
            ("SumoCueV1x=1", "expected '=' after SumoCueV1"),
            (
                "SumoCueV1=1J0=0J0",
                "2 cells; expected a square number from 4 to 625",
            ),
            (
                "SumoCueV1=1J0=0J0+1J1=2J1",
                "cell 3 is part of a killer cage; killer sudoku is not supported",
            ),
            (
                "SumoCueV1=1J0=0J0=3J1=2J1",
                "'3' at r2c1 is not a digit of a 2x2 puzzle",
            ),
            (
                "SumoCueV1=1J0=0J0=1J=2J1",
                "'' at r2c1 is not the number of a region",
            ),
            ("SumoCueV1=1J0=0J0=1J1=2", "1 cell of 4 without a region"),
        ] {
            assert_eq!(decoded(field).unwrap_err().to_string(), reason, "{field}");
        }
    }
}
