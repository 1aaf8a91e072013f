//! Builds cages while the cells and sums of a notation are read.

use super::error::NotationError;
use crate::rules::{Cage, Place};

/// The number of cage keys that any notation needs: more than the cells of the largest puzzle.
const KEYS: usize = 626;

/// The cages of a grid under construction. Each cage has a key: a number that the notation chooses.
pub(super) struct CageDraft {
    side: usize,
    /// The key of each cell's cage. `None` for a cell in no cage.
    keys: Vec<Option<u16>>,
    /// The sum of each cage by its key.
    sums: [Option<u16>; KEYS],
}

impl CageDraft {
    /// Returns a draft without cages.
    pub fn new(side: usize) -> CageDraft {
        CageDraft {
            side,
            keys: vec![None; side * side],
            sums: [None; KEYS],
        }
    }

    /// Puts a cell into the cage with this key.
    pub fn join(&mut self, cell: usize, key: usize) {
        debug_assert!(key < KEYS);
        self.keys[cell] = Some(key as u16);
    }

    /// Sets the sum of the cage that a cell is in.
    ///
    /// # Errors
    /// The cage already has another sum.
    ///
    /// # Panics
    /// Panics if the cell is in no cage.
    pub fn set_sum(&mut self, cell: usize, sum: u16) -> Result<(), NotationError> {
        let key = self.keys[cell].expect("the cell is in a cage");
        let known = *self.sums[usize::from(key)].get_or_insert(sum);
        if known == sum {
            return Ok(());
        }
        let first = self.keys.iter().position(|&other| other == Some(key));
        Err(NotationError::TwoSums {
            first: Place::of(first.unwrap_or(cell), self.side),
            sums: [known, sum],
        })
    }

    /// Returns the cages in the order of their first cells. A single cell without a sum is no cage.
    ///
    /// # Errors
    /// A cage is too large, or its sum is impossible.
    pub fn finish(self) -> Result<Vec<Cage>, NotationError> {
        const NONE: u16 = u16::MAX;
        let mut cells_of_cages: Vec<(Vec<u16>, Option<u16>)> = Vec::with_capacity(4 * self.side);
        let mut index_of_key = [NONE; KEYS];
        for (cell, key) in (0..).zip(&self.keys) {
            let Some(key) = key.map(usize::from) else {
                continue;
            };
            if index_of_key[key] == NONE {
                index_of_key[key] = cells_of_cages.len() as u16;
                cells_of_cages.push((Vec::new(), self.sums[key]));
            }
            cells_of_cages[usize::from(index_of_key[key])].0.push(cell);
        }
        cells_of_cages.retain(|(cells, sum)| cells.len() > 1 || sum.is_some());
        let cages = cells_of_cages.into_iter();
        let cages = cages.map(|(cells, sum)| Cage::new(self.side, cells, sum));
        Ok(cages.collect::<Result<_, _>>()?)
    }
}
