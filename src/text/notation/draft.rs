//! Builds cages while the cells and sums of a notation are read.

use crate::error::InvalidInput;
use crate::rules::{Cage, MAX_SIDE, Place};

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
pub(super) mod tests {
    use super::*;

    pub type CellsAndSum = (Vec<u16>, Option<u16>);

    pub fn cells_and_sums(cages: &[Cage]) -> Vec<CellsAndSum> {
        let cage = |cage: &Cage| (cage.cells().to_vec(), cage.sum);
        cages.iter().map(cage).collect()
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    pub enum Kind {
        /// Each cage has a sum.
        WithSums,
        /// Some cages of several cells have no sum, and some cells are in no cage.
        SomeWithoutSums,
    }

    /// Divides a grid into cages of touching cells, in the order of their first cells.
    pub fn random_cages(side: usize, kind: Kind, seed: u64) -> Vec<Cage> {
        let mut state = seed * 2 + 1;
        let mut below = |bound: usize| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (state >> 33) as usize % bound
        };
        let mut free = vec![true; side * side];
        let mut cages = Vec::new();
        for first in 0..side * side {
            if !free[first] {
                continue;
            }
            let (mut cells, most) = (vec![first], 1 + below(side.min(5)));
            free[first] = false;
            while cells.len() < most {
                let near = |cell: usize| {
                    let apart = |a: usize, b: usize| a.abs_diff(b) <= 1;
                    let touches = |&other: &usize| {
                        apart(other / side, cell / side) && apart(other % side, cell % side)
                    };
                    cells.iter().any(touches)
                };
                let open: Vec<usize> =
                    (0..side * side).filter(|&cell| free[cell] && near(cell)).collect();
                if open.is_empty() {
                    break;
                }
                cells.push(open[below(open.len())]);
                free[cells[cells.len() - 1]] = false;
            }
            let least = cells.len() * (cells.len() + 1) / 2;
            let most = cells.len() * (side + 1) - least;
            let sum = least + below(most - least + 1);
            let has_sum = kind == Kind::WithSums || below(3) > 0;
            if has_sum || cells.len() > 1 {
                let cells = cells.into_iter().map(|cell| cell as u16).collect();
                cages.push(Cage::new(side, cells, has_sum.then_some(sum as u16)).unwrap());
            }
        }
        cages
    }

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
