//! Builds cages while the cells and sums of a notation are read.

use engine::error::InvalidInput;
use engine::rules::{Cage, MAX_SIDE, Place};

/// The number of cage keys. A key is a cell, at most 624, or the number of a cage, at most 255.
const KEYS: usize = MAX_SIDE * MAX_SIDE;

/// The cages of a grid under construction. Each cage has a key: a number that the notation chooses.
pub(super) struct CageDraft {
    side: usize,
    /// The cells and the sum of each cage, in the order of their first cells. The sum is `None`
    /// until the notation states it, and 0 if it states that the cage has no sum.
    cages: Vec<(Vec<u16>, Option<u16>)>,
    index_of_key: [Option<u16>; KEYS],
}

impl CageDraft {
    pub fn new(side: usize) -> CageDraft {
        CageDraft { side, cages: Vec::with_capacity(4 * side), index_of_key: [None; KEYS] }
    }

    /// The first call for a key adds the cage, without cells.
    fn cage(&mut self, key: usize) -> &mut (Vec<u16>, Option<u16>) {
        let index = *self.index_of_key[key].get_or_insert_with(|| {
            self.cages.push((Vec::new(), None));
            self.cages.len() as u16 - 1
        });
        &mut self.cages[usize::from(index)]
    }

    /// The cells must come in ascending order.
    pub fn join(&mut self, cell: usize, key: usize) {
        let (cells, _) = self.cage(key);
        debug_assert!(cells.last().is_none_or(|&last| usize::from(last) < cell));
        cells.push(cell as u16);
    }

    /// The cage must have a cell. Returns an error if it already has another sum; 0 counts as one.
    pub fn set_sum(&mut self, key: usize, sum: u16) -> Result<(), InvalidInput> {
        let side = self.side;
        let (cells, known) = self.cage(key);
        let known = *known.get_or_insert(sum);
        if known == sum {
            return Ok(());
        }
        let first = Place::of(cells[0].into(), side);
        Err(format!("cage at {first} has two sums, {known} and {sum}").into())
    }

    /// Cages are in the order of their first cells. A single cell without a sum is no cage.
    pub fn finish(self) -> Result<Vec<Cage>, InvalidInput> {
        let cages = self.cages.into_iter();
        let cages = cages.map(|(cells, sum)| (cells, sum.filter(|&sum| sum > 0)));
        let cages = cages.filter(|(cells, sum)| cells.len() > 1 || sum.is_some());
        cages.map(|(cells, sum)| Cage::new(self.side, cells, sum)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::cells_and_sums;
    use super::*;

    #[test]
    fn cages_are_in_the_order_of_their_first_cells() {
        let mut draft = CageDraft::new(3);
        for (cell, key) in [(0, 8), (1, 2), (3, 8), (4, 2), (5, 5), (8, 7)] {
            draft.join(cell, key);
        }
        draft.set_sum(7, 3).unwrap();
        draft.set_sum(8, 4).unwrap();
        let expected = [(vec![0, 3], Some(4)), (vec![1, 4], None), (vec![8], Some(3))];
        assert_eq!(cells_and_sums(&draft.finish().unwrap()), expected);
    }

    #[test]
    fn a_sum_of_0_states_that_a_cage_has_none() {
        let mut draft = CageDraft::new(3);
        for (cell, key) in [(0, 1), (1, 1), (2, 2)] {
            draft.join(cell, key);
            draft.set_sum(key, 0).unwrap();
        }
        let error = draft.set_sum(1, 3).unwrap_err();
        assert_eq!(error.to_string(), "cage at r1c1 has two sums, 0 and 3");
        assert_eq!(cells_and_sums(&draft.finish().unwrap()), [(vec![0, 1], None)]);
    }

    #[test]
    fn a_cage_has_one_sum() {
        let mut draft = CageDraft::new(3);
        draft.join(2, 0);
        draft.join(5, 0);
        assert_eq!(draft.set_sum(0, 4), Ok(()));
        assert_eq!(draft.set_sum(0, 4), Ok(()));
        let error = draft.set_sum(0, 3).unwrap_err();
        assert_eq!(error.to_string(), "cage at r1c3 has two sums, 4 and 3");
    }
}
