//! Notations that describe a puzzle with its rules in one field: cage numbers, SumoCue and the game IDs of Solo. Also the
//! fields that hold the cages of a line, as arrows or numbers.

mod arrows;
mod cage_field;
mod cage_numbers;
mod described;
mod draft;
mod error;
mod solo;
mod sumocue;

pub use arrows::is_arrows;
pub use cage_field::{CageField, read_cages, write_cages};
pub use described::DescribedPuzzle;
pub use error::NotationError;

/// A notation that describes a puzzle with its rules.
enum Notation {
    SumoCue,
    CageNumbers,
    Solo,
}

impl Notation {
    /// Recognises a notation by the beginning of a field. A puzzle in symbols does not begin so: the beginning of a game ID
    /// ends with `:` after at most eight symbols, that of cage numbers with `:k:`.
    fn of(field: &[u8]) -> Option<Notation> {
        if sumocue::is_sumocue(field) {
            Some(Notation::SumoCue)
        } else if cage_numbers::Header::split(field).is_some() {
            Some(Notation::CageNumbers)
        } else if solo::Header::split(field).is_some() {
            Some(Notation::Solo)
        } else {
            None
        }
    }
}

/// Returns true if a field, or the record that it begins, is in one of the notations that describe a puzzle with its rules.
pub fn is_self_describing(field: &[u8]) -> bool {
    Notation::of(field).is_some()
}

/// Decodes a field. Returns `None` if the field is not self-describing.
///
/// # Errors
/// Returns an error that names the cell, the cage or the count at fault.
pub fn decode(field: &[u8]) -> Option<Result<DescribedPuzzle, NotationError>> {
    Some(match Notation::of(field)? {
        Notation::SumoCue => sumocue::decode(field),
        Notation::CageNumbers => cage_numbers::decode(field),
        Notation::Solo => solo::decode(field),
    })
}
