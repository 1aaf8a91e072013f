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
/// Returns a message for the user that names the cell or the count at fault.
pub(crate) fn decode(field: &[u8], alphabet: &Alphabet) -> Result<Decoded, BoxError> {
    let list = &field[PREFIX.len()..];
    if let Some(at) = memchr::memchr(b'+', list) {
        let cell = memchr::memchr_iter(b'=', &list[..at]).count();
        return Err(format!(
            "cell {} is part of a killer cage; killer sudoku is not supported",
            cell + 1
        )
        .into());
    }
    let mut cells = list.split(|&byte| byte == b'=');
    if cells.next() != Some(b"") {
        return Err("expected '=' after SumoCueV1".into());
    }
    let cells: Vec<&[u8]> = cells.collect();
    let side = cells.len().isqrt();
    if side * side != cells.len() || !(2..=MAX_SIDE).contains(&side) {
        let number = pluralize(cells.len(), "cell");
        return Err(format!("{number}; expected a square number from 4 to 625").into());
    }
    let mut grid = Vec::with_capacity(cells.len());
    let mut labels = Vec::new();
    for (cell, text) in cells.into_iter().enumerate() {
        let place = Place::of(cell, side);
        let (digit, region) = match memchr::memchr(b'J', text) {
            Some(at) => (&text[..at], Some(&text[at + 1..])),
            None => (text, None),
        };
        match parse_number(digit) {
            Some(digit) if digit <= side => grid.push(digit as u8),
            _ => {
                return Err(format!(
                    "'{}' at {place} is not a digit of {}",
                    digit.escape_ascii(),
                    a_puzzle(side)
                )
                .into());
            }
        }
        let Some(region) = region else { continue };
        match parse_number(region) {
            Some(region) if region <= side => labels.push(LABELS[region]),
            _ => {
                let region = region.escape_ascii();
                return Err(format!("'{region}' at {place} is not the number of a region").into());
            }
        }
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
