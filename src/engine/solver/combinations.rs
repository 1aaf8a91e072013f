//! The combinations of different digits with a given sum, as masks: bit d-1 for digit d.

use std::sync::OnceLock;

use crate::rules::{Lists, MAX_KILLER_SIDE};

/// Combinations tested at once.
pub(super) const CHUNK: usize = 16;

/// Unused places are 0, which no test accepts.
pub(super) type CombinationChunk = [u16; CHUNK];

#[derive(Debug)]
pub(super) struct Combinations {
    /// List `n * sums + s` holds the combinations of n digits with sum s.
    chunks: Lists<CombinationChunk>,
    /// From 0 to the sum of all digits.
    sums: usize,
}

impl Combinations {
    pub fn of_side(side: usize) -> &'static Combinations {
        static TABLES: [OnceLock<Combinations>; MAX_KILLER_SIDE + 1] =
            [const { OnceLock::new() }; MAX_KILLER_SIDE + 1];
        TABLES[side].get_or_init(|| Combinations::new(side))
    }

    fn new(side: usize) -> Combinations {
        let sums = side * (side + 1) / 2 + 1;
        // A sum of the rule of 45 can have more cells than the side. These lists are empty.
        let mut lists = vec![Vec::new(); (MAX_KILLER_SIDE + 1) * sums];
        for mask in 1..1u32 << side {
            lists[mask.count_ones() as usize * sums + sum_of(mask as u16)].push(mask as u16);
        }
        let chunks = lists.into_iter().map(|mut masks| {
            masks.resize(masks.len().next_multiple_of(CHUNK), 0);
            masks.as_chunks().0.to_vec()
        });
        Combinations { chunks: Lists::new(chunks), sums }
    }

    /// `digits` is at most `MAX_KILLER_SIDE`. Returns none if the sum is impossible.
    #[inline(always)]
    pub fn with_sum(&self, digits: usize, sum: i32) -> &[CombinationChunk] {
        let sum = usize::try_from(sum).ok().filter(|&sum| sum < self.sums);
        sum.map_or(&[], |sum| self.chunks.of(digits * self.sums + sum))
    }

    /// As `with_sum`, without unused places.
    pub fn masks(&self, digits: usize, sum: i32) -> &[u16] {
        let masks = self.with_sum(digits, sum).as_flattened();
        // The unused places are at the end of the slice.
        &masks[..masks.partition_point(|&mask| mask != 0)]
    }
}

fn sum_of(mask: u16) -> usize {
    let digits = (0..16).filter(|digit| mask >> digit & 1 == 1);
    digits.map(|digit| digit + 1).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lists the combinations in ascending order, one digit after the other.
    fn enumerate(side: usize, from: usize, digits: usize, sum: i32) -> Vec<u16> {
        if digits == 0 {
            return if sum == 0 { vec![0] } else { Vec::new() };
        }
        let with_first = |first: usize| {
            let others = enumerate(side, first + 1, digits - 1, sum - first as i32);
            others.into_iter().map(move |others| others | 1 << (first - 1))
        };
        (from..=side).flat_map(with_first).collect()
    }

    #[test]
    fn tables_hold_each_combination_once() {
        for side in 1..=10 {
            let table = Combinations::of_side(side);
            for digits in 1..=side + 2 {
                for sum in -3..=(side * (side + 1) / 2 + 3) as i32 {
                    let mut expected = enumerate(side, 1, digits, sum);
                    expected.sort_unstable();
                    let found = table.masks(digits, sum);
                    assert_eq!(found, expected, "{side}: {digits} digits, sum {sum}");
                    let padded = table.with_sum(digits, sum).as_flattened();
                    assert!(padded[found.len()..].iter().all(|&mask| mask == 0));
                }
            }
        }
    }

    #[test]
    fn the_largest_table_has_every_set_of_digits() {
        let table = Combinations::of_side(16);
        let number = |digits| -> usize {
            let sums = 0..table.sums as i32;
            sums.map(|sum| table.masks(digits, sum).len()).sum()
        };
        assert_eq!((1..=16).map(number).sum::<usize>(), (1 << 16) - 1);
        assert_eq!(table.with_sum(2, 31)[0][..2], [0xc000, 0]);
    }
}
