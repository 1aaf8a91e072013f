//! The field that holds the cages of a line: arrows or cage numbers.

use super::arrows;
use super::cage_numbers::{self, Header};
use super::error::NotationError;
use crate::rules::Cage;

/// The cages of a puzzle, with the other rules that their field states.
#[derive(Clone, Debug)]
pub struct CageField {
    /// The cages, in the order of their first cells.
    pub cages: Vec<Cage>,
    /// Rows and columns of a box, if the field states them.
    pub boxes: Option<[usize; 2]>,
    /// True if both diagonals are houses.
    pub diagonals: bool,
}

/// Reads the cages of a puzzle with this side.
///
/// # Errors
/// Returns an error that names the cell, the cage or the count at fault.
pub fn read_cages(field: &[u8], side: usize) -> Result<CageField, NotationError> {
    if Header::split(field).is_none() {
        return Ok(CageField {
            cages: arrows::read(field, side)?,
            boxes: None,
            diagonals: false,
        });
    }
    let described = cage_numbers::decode(field)?;
    if described.side != side {
        return Err(NotationError::OtherSide {
            cages: described.side,
            puzzle: side,
        });
    }
    Ok(CageField {
        cages: described.cages.unwrap_or_default(),
        boxes: described.boxes,
        diagonals: described.diagonals,
    })
}

/// Appends a field that [`read_cages`] reads as the same cages: arrows if possible, otherwise cage numbers with these boxes
/// and diagonals. Appends `-` if neither notation can express the cages.
pub fn write_cages(
    cages: &[Cage],
    side: usize,
    boxes: [usize; 2],
    diagonals: bool,
    out: &mut Vec<u8>,
) {
    if !arrows::write(cages, side, out) && !cage_numbers::write(cages, side, boxes, diagonals, out)
    {
        out.push(b'-');
    }
}
