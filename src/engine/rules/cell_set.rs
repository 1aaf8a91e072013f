//! A set of cells of one grid, as a bit set.

use super::place::MAX_SIDE;

/// A set of cells of a grid with at most `64 * WORDS` cells. The default is enough for every grid.
/// The methods are those of `std::collections::BTreeSet`, but `union`, `intersection` and
/// `difference` return sets.
///
/// Cell c is bit `c % 64` of word `c / 64`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellSet<const WORDS: usize = { (MAX_SIDE * MAX_SIDE).div_ceil(64) }>(
    [u64; WORDS],
);

impl<const WORDS: usize> CellSet<WORDS> {
    #[inline(always)]
    pub fn insert(&mut self, cell: u16) -> bool {
        let is_new = !self.contains(cell);
        self.0[usize::from(cell) / 64] |= 1 << (cell % 64);
        is_new
    }

    #[inline(always)]
    pub fn remove(&mut self, cell: u16) -> bool {
        let is_member = self.contains(cell);
        self.0[usize::from(cell) / 64] &= !(1 << (cell % 64));
        is_member
    }

    #[inline(always)]
    pub fn contains(&self, cell: u16) -> bool {
        self.0[usize::from(cell) / 64] >> (cell % 64) & 1 == 1
    }

    #[inline(always)]
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a | b)
    }

    #[inline(always)]
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a & b)
    }

    #[inline(always)]
    #[must_use]
    pub fn difference(&self, other: &Self) -> Self {
        self.combined(other, |a, b| a & !b)
    }

    #[inline(always)]
    pub fn is_subset(&self, other: &Self) -> bool {
        self.difference(other).is_empty()
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        // Not a comparison with an array of zeros, which can be compiled to a slow call of memcmp.
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline(always)]
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = u16> + use<WORDS> {
        let (mut words, mut index) = (self.0, 0);
        std::iter::from_fn(move || {
            while words.get(index)? == &0 {
                index += 1;
            }
            let bit = words[index].trailing_zeros() as u16;
            words[index] &= words[index] - 1;
            Some(64 * index as u16 + bit)
        })
    }

    /// Every cell of the set must fit into the new size.
    #[inline(always)]
    pub fn resized<const OTHER: usize>(&self) -> CellSet<OTHER> {
        debug_assert!(self.0.iter().skip(OTHER).all(|&word| word == 0));
        CellSet(std::array::from_fn(|word| self.0.get(word).copied().unwrap_or_default()))
    }

    #[inline(always)]
    fn combined(&self, other: &Self, combine: impl Fn(u64, u64) -> u64) -> Self {
        CellSet(std::array::from_fn(|word| combine(self.0[word], other.0[word])))
    }
}

impl<const WORDS: usize> Default for CellSet<WORDS> {
    fn default() -> Self {
        CellSet([0; WORDS])
    }
}

impl<const WORDS: usize> FromIterator<u16> for CellSet<WORDS> {
    #[inline(always)]
    fn from_iter<T: IntoIterator<Item = u16>>(cells: T) -> Self {
        let mut set = CellSet::default();
        for cell in cells {
            set.insert(cell);
        }
        set
    }
}

/// `sets` has a set for each cell. Set b must contain cell a if set a contains b.
pub(crate) fn is_symmetric<const WORDS: usize>(sets: &[CellSet<WORDS>]) -> bool {
    (0..).zip(sets).all(|(a, others)| {
        let mut others = others.iter();
        others.all(|b| sets[usize::from(b)].contains(a))
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn assert_same<const WORDS: usize>(set: &CellSet<WORDS>, expected: &BTreeSet<u16>) {
        assert!(set.iter().eq(expected.iter().copied()), "{expected:?}");
        assert_eq!(set.len(), expected.len());
        assert_eq!(set.is_empty(), expected.is_empty());
        let contained = (0..64 * WORDS as u16).filter(|&cell| set.contains(cell));
        assert!(contained.eq(expected.iter().copied()), "{expected:?}");
    }

    /// Compares the operations on every two of some sets of cells of a grid with this number of
    /// cells.
    fn assert_operations_agree<const WORDS: usize>(cells: u16) {
        let steps = [1, 2, 6, 63, 64, 65];
        let sets =
            steps.map(|step| [0, 1, 60, cells - 1].map(|first| (first..cells).step_by(step)));
        let sets: Vec<_> = sets.into_iter().flatten().chain([(0..0).step_by(1)]).collect();
        for a in &sets {
            let (a, expected_a): (CellSet<WORDS>, BTreeSet<u16>) =
                (a.clone().collect(), a.clone().collect());
            assert_same(&a, &expected_a);
            for b in &sets {
                let (b, expected_b): (CellSet<WORDS>, BTreeSet<u16>) =
                    (b.clone().collect(), b.clone().collect());
                assert_same(&a.union(&b), &(&expected_a | &expected_b));
                assert_same(&a.intersection(&b), &(&expected_a & &expected_b));
                assert_same(&a.difference(&b), &(&expected_a - &expected_b));
                assert_eq!(a.is_subset(&b), expected_a.is_subset(&expected_b));
                assert_eq!(a == b, expected_a == expected_b);
            }
        }
    }

    #[test]
    fn operations_on_two_sets_agree_with_btree_sets() {
        assert_operations_agree::<10>(625);
        assert_operations_agree::<2>(81);
        let set: CellSet<2> = (0..81).step_by(5).collect();
        assert_eq!(set.resized::<10>().resized(), set);
        assert!(set.resized::<10>().iter().eq(set.iter()));
    }

    #[test]
    fn inserting_and_removing_agree_with_a_btree_set() {
        let mut set: CellSet = (0..625).step_by(7).collect();
        let mut expected: BTreeSet<u16> = set.iter().collect();
        for number in 0..2000u32 {
            // 97 has no factor in common with 625, so every cell comes up.
            let cell = (number * 97 % 625) as u16;
            if number % 3 == 0 {
                assert_eq!(set.remove(cell), expected.remove(&cell), "{cell}");
            } else {
                assert_eq!(set.insert(cell), expected.insert(cell), "{cell}");
            }
        }
        assert_same(&set, &expected);
    }
}
