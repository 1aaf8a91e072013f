//! The combinations of a number of different digits with a given sum, as masks: bit d-1 for digit d.

use std::sync::OnceLock;

use crate::rules::MAX_KILLER_SIDE;

/// The number of combinations that are tested at once.
pub(super) const CHUNK: usize = 16;

/// Combinations that are tested together, in vectors. Unused places are 0, which no test accepts.
pub(super) type CombinationChunk = [u16; CHUNK];

/// All combinations of the digits of a grid, by their number of digits and their sum.
#[derive(Debug)]
pub(super) struct Combinations {
    chunks: Vec<CombinationChunk>,
    /// For n digits with sum s, element `n * sums + s` holds the index of the first chunk, and the index after the last.
    ranges: Vec<[u32; 2]>,
    /// The number of sums in the table, from 0 to the sum of all digits.
    sums: usize,
}

impl Combinations {
    /// Returns the table of a side. It is built on first use.
    pub fn of_side(side: usize) -> &'static Combinations {
        static TABLES: [OnceLock<Combinations>; MAX_KILLER_SIDE + 1] =
            [const { OnceLock::new() }; MAX_KILLER_SIDE + 1];
        TABLES[side].get_or_init(|| Combinations::new(side))
    }

    /// Builds the table of a side.
    fn new(side: usize) -> Combinations {
        let sums = side * (side + 1) / 2 + 1;
        let mut lists = vec![Vec::new(); (side + 1) * sums];
        for mask in 1..1u32 << side {
            lists[mask.count_ones() as usize * sums + sum_of(mask as u16)].push(mask as u16);
        }
        let mut combinations = Combinations {
            chunks: Vec::new(),
            ranges: Vec::with_capacity(lists.len()),
            sums,
        };
        for list in lists {
            let first = combinations.chunks.len() as u32;
            for masks in list.chunks(CHUNK) {
                let mut chunk = CombinationChunk::default();
                chunk[..masks.len()].copy_from_slice(masks);
                combinations.chunks.push(chunk);
            }
            let end = combinations.chunks.len() as u32;
            combinations.ranges.push([first, end]);
        }
        combinations
    }

    /// Returns the combinations of this many digits with this sum. There are none if the sum is impossible, if `digits` exceeds
    /// the side, or if `digits` is 0.
    #[inline(always)]
    pub fn of(&self, digits: usize, sum: i32) -> &[CombinationChunk] {
        let sum = usize::try_from(sum).ok().filter(|&sum| sum < self.sums);
        // A derived sum can have more cells than there are digits. Its index lies beyond the table.
        let range = sum.and_then(|sum| self.ranges.get(digits * self.sums + sum));
        range.map_or(&[], |&[first, end]| {
            &self.chunks[first as usize..end as usize]
        })
    }
}

/// Returns the sum of the digits of a mask.
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
            others
                .into_iter()
                .map(move |others| others | 1 << (first - 1))
        };
        (from..=side).flat_map(with_first).collect()
    }

    #[test]
    fn tables_hold_each_combination_once() {
        for side in 1..=10 {
            let table = Combinations::of_side(side);
            for digits in 1..=side + 2 {
                for sum in -3..=(side * (side + 1) / 2 + 3) as i32 {
                    let mut found: Vec<u16> = table.of(digits, sum).concat();
                    found.retain(|&mask| mask != 0);
                    let mut expected = enumerate(side, 1, digits, sum);
                    expected.sort_unstable();
                    assert_eq!(found, expected, "{side}: {digits} digits, sum {sum}");
                }
            }
        }
    }

    #[test]
    fn the_largest_table_has_every_set_of_digits() {
        let table = Combinations::of_side(16);
        let masks = table.chunks.iter().flatten();
        assert_eq!(masks.filter(|&&mask| mask != 0).count(), (1 << 16) - 1);
        assert_eq!(table.of(2, 31)[0][..2], [0xc000, 0]);
    }
}
