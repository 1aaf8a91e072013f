//! Finds the digits that the cells of a killer cage can hold, and those that it must hold.

use super::marks::Marks;
use super::pattern::Pattern;
use super::pattern::Word::{House, Number};
use super::tables::{SumCage, Tables};
use super::technique::Technique;
use super::technique::Technique::CageCombination;
use crate::bits::bits;
use crate::rules::{CellSet, extreme_sums};

pub(super) fn find_wrong_sum<'t>(tables: &'t Tables, marks: &Marks) -> Option<&'t SumCage> {
    tables.sum_cages.iter().find(|cage| {
        let cells = tables.cells_of.of(cage.house).iter();
        let digits = cells.map(|&cell| marks.only_digit(cell).map(u16::from));
        let sum: Option<u16> = digits.sum();
        sum.is_some_and(|sum| sum != cage.sum)
    })
}

/// `cage` is an index into [`Tables::sum_cages`].
pub(super) fn find(
    tables: &Tables,
    marks: &mut Marks,
    combinations: &mut CageCombinations,
    technique: Technique,
    cage: usize,
) -> Option<Pattern> {
    let SumCage { house, sum } = tables.sum_cages[cage];
    let cells = tables.cells_of.of(house);
    let sets = cells.iter().map(|&cell| marks.candidates[cell]);
    combinations.find(sets, sum, tables.side);
    let is_useful = if technique == CageCombination {
        let removed = combinations.allowed.iter().map(|allowed| !allowed);
        marks.eliminate_each(cells.iter().copied().zip(removed))
    } else {
        eliminate_overlap(tables, marks, cells, combinations.common)
    };
    is_useful.then(|| vec![House(tables.names[house]), Number(sum.into())])
}

/// `common` holds the digits that all combinations of the cage contain.
fn eliminate_overlap(tables: &Tables, marks: &mut Marks, cage: &[u16], common: u32) -> bool {
    bits(common).any(|digit| {
        let cells = cage.iter().copied();
        let holders = cells.filter(|&cell| marks.candidates[cell] & 1 << digit != 0);
        let holders: CellSet = holders.collect();
        marks.eliminate(1 << digit, tables.seen_by_all(&holders).iter())
    })
}

/// The ways to fill a cage: choices of different digits, one candidate of each cell, with its sum.
///
/// They are found by dynamic programming over sets of digits. If the first k cells can hold a set
/// in several orders, the later cells can complete each order in the same ways. `add_cell` lists
/// the sets, from the first cell to the last. `allow` finds the sets that can be completed to the
/// sum, from the last cell to the first. There are at most 2^N sets. For two cells with candidates
/// 1 2 and 1 2 3, if no set is left out:
///
/// ```text
///     sets    {}  {1} {2}  {1,2} {1,3} {2,3}        ends    0  1  3  6
///          k = 0  k = 1          k = 2
/// ```
#[derive(Clone, Debug, Default)]
pub(super) struct CageCombinations {
    /// The sets of digits that the first k cells can hold together, without those that `add_cell`
    /// leaves out: first for k = 0, then for k = 1, and so on.
    sets: Vec<u32>,
    /// The sets for the first k cells are `sets[ends[k]..ends[k + 1]]`.
    ends: Vec<usize>,
    /// Bit `s % 64` of word `s / 64`: `s` is in `sets`, and `allow` has not closed it.
    is_open: Vec<u64>,
    cells: Vec<u32>,
    pub(super) allowed: Vec<u32>,
    /// The digits that all combinations contain. All bits are set if there is no combination.
    pub(super) common: u32,
}

impl CageCombinations {
    fn find(&mut self, cells: impl Iterator<Item = u32>, sum: u16, side: usize) {
        self.cells.clear();
        self.cells.extend(cells);
        self.is_open.clear();
        self.is_open.resize((1 << side) / 64 + 1, 0);
        self.ends.clear();
        self.sets.clear();
        self.insert(0);
        self.ends.extend([0, 1]);
        for cell in 0..self.cells.len() {
            self.add_cell(cell, usize::from(sum), side);
        }
        let combinations = &self.sets[self.ends[self.cells.len()]..];
        self.common = combinations.iter().fold(!0, |common, set| common & set);
        self.allowed.clear();
        self.allowed.resize(self.cells.len(), 0);
        (0..self.cells.len()).rev().for_each(|cell| self.allow(cell));
    }

    /// Leaves out a set that cannot reach the sum, whatever different digits the later cells hold.
    fn add_cell(&mut self, cell: usize, sum: usize, side: usize) {
        let later_cells = self.cells.len() - 1 - cell;
        let [least, most] = extreme_sums(later_cells, side);
        for index in self.ends[cell]..self.ends[cell + 1] {
            let before = self.sets[index];
            for digit in bits(self.cells[cell] & !before) {
                let set = before | 1 << digit;
                let so_far: usize = bits(set).map(|digit| digit + 1).sum();
                // Another order of the same digits can have added the set: it is open then.
                if (so_far + least..=so_far + most).contains(&sum) && !self.is_open(set) {
                    self.insert(set);
                }
            }
        }
        self.ends.push(self.sets.len());
    }

    /// Cells must be visited from last to first, so that the larger sets are already decided.
    fn allow(&mut self, cell: usize) {
        for index in self.ends[cell]..self.ends[cell + 1] {
            let before = self.sets[index];
            let candidates = bits(self.cells[cell] & !before);
            let allowed = candidates.filter(|digit| self.is_open(before | 1 << digit));
            let allowed = allowed.fold(0, |set, digit| set | 1 << digit);
            self.allowed[cell] |= allowed;
            if allowed == 0 {
                self.is_open[before as usize / 64] &= !(1 << (before % 64));
            }
        }
    }

    fn is_open(&self, set: u32) -> bool {
        self.is_open[set as usize / 64] >> (set % 64) & 1 == 1
    }

    /// The bit of the set in `is_open` must not be set yet.
    fn insert(&mut self, set: u32) {
        self.is_open[set as usize / 64] |= 1 << (set % 64);
        self.sets.push(set);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Adds the allowed digits of cells from the list of all combinations.
    fn list(cells: &[u32], digits: &mut Vec<usize>, sum: usize, found: &mut (Vec<u32>, u32)) {
        let Some(candidates) = cells.get(digits.len()) else {
            if digits.iter().map(|digit| digit + 1).sum::<usize>() == sum {
                let pairs = found.0.iter_mut().zip(&*digits);
                pairs.for_each(|(allowed, digit)| *allowed |= 1 << digit);
                found.1 &= digits.iter().fold(0, |set, digit| set | 1 << digit);
            }
            return;
        };
        for digit in bits(*candidates) {
            if !digits.contains(&digit) {
                digits.push(digit);
                list(cells, digits, sum, found);
                digits.pop();
            }
        }
    }

    #[test]
    fn combinations_are_those_of_a_list_of_all_choices() {
        let mut combinations = CageCombinations::default();
        let mut random = 1u64;
        let mut next = || {
            random = random.wrapping_mul(6364136223846793005).wrapping_add(1);
            (random >> 33) as u32
        };
        for (side, rounds) in [(4, 500), (9, 500), (16, 50)] {
            for round in 0..rounds {
                let number = 1 + round % 5.min(side);
                let mut set = || next() & ((1 << side) - 1) | next() & ((1 << side) - 1);
                let cells: Vec<u32> = (0..number).map(|_| set()).collect();
                let sum = 1 + next() as usize % (number * side);
                let mut expected = (vec![0; number], !0);
                list(&cells, &mut Vec::new(), sum, &mut expected);
                combinations.find(cells.iter().copied(), sum as u16, side);
                assert_eq!(combinations.allowed, expected.0, "{cells:?} {sum}");
                assert_eq!(combinations.common, expected.1, "{cells:?} {sum}");
            }
        }
    }

    #[test]
    fn cages_of_nine_and_of_sixteen_cells_are_exact() {
        let mut combinations = CageCombinations::default();
        for side in [9, 16] {
            let every_digit = (1 << side) - 1;
            let sum = (side * (side + 1) / 2) as u16;
            let mut cells = vec![every_digit; side];
            (cells[0], cells[1]) = (0b11, 0b11);
            combinations.find(cells.iter().copied(), sum, side);
            let mut expected = vec![every_digit & !0b11; side];
            (expected[0], expected[1]) = (0b11, 0b11);
            assert_eq!(combinations.allowed, expected, "{side}");
            assert_eq!(combinations.common, every_digit, "{side}");
        }
    }
}
