//! Exact deductions from a weighted sum whose open cells are two or three.
// Tried: the same for any number of open cells, by the partial sums that groups of cells can have.
// Little killers took as many guesses, long sums a third fewer, each of them several times as long.

use super::contradiction::{Contradiction, Deduced};
use crate::bits::bits;

pub(super) const MAX_OPEN: usize = 3;

/// The digits of `number` cells, 2 or 3, times their weights add up to the total.
pub(super) struct OpenTerms {
    pub number: usize,
    /// The candidates.
    pub sets: [u16; MAX_OPEN],
    pub weights: [i32; MAX_OPEN],
    pub total: i32,
    /// True for cells that differ: 0 and 1, 0 and 2, 1 and 2.
    pub differ: [bool; 3],
}

impl OpenTerms {
    /// Keeps the digits of all solutions of this sum.
    #[inline(always)]
    pub fn keep_supported(&mut self) -> Deduced {
        let kept = match self.number {
            2 => {
                let [a, b] =
                    self.support([0, 1], [self.sets[0], self.sets[1]], self.total, self.differ[0]);
                [a, b, 0]
            }
            _ => self.support_of_three(),
        };
        self.sets = kept;
        if kept[0] == 0 { Err(Contradiction) } else { Ok(()) }
    }

    #[inline(always)]
    fn support_of_three(&self) -> [u16; MAX_OPEN] {
        let [first, second, third] = self.sets;
        let mut kept = [0; MAX_OPEN];
        for bit in bits(first) {
            let digit = 1 << bit;
            let without = |set: u16, differs: bool| if differs { set & !digit } else { set };
            let others = [without(second, self.differ[0]), without(third, self.differ[1])];
            let rest = self.total - self.weights[0] * (bit as i32 + 1);
            let [b, c] = self.support([1, 2], others, rest, self.differ[2]);
            if b != 0 {
                kept = [kept[0] | digit, kept[1] | b, kept[2] | c];
            }
        }
        kept
    }

    /// Returns the digits of two cells that have these candidates and add up to `total`.
    #[inline(always)]
    fn support(&self, [a, b]: [usize; 2], sets: [u16; 2], total: i32, differ: bool) -> [u16; 2] {
        let mut kept = [0; 2];
        for bit in bits(sets[0]) {
            let term = total - self.weights[a] * (bit as i32 + 1);
            let Some(digit) = quotient(term, self.weights[b]) else { continue };
            if (1..=16).contains(&digit) && sets[1] >> (digit - 1) & 1 == 1 {
                let is_equal = digit == bit as i32 + 1;
                if !(is_equal && differ) {
                    kept = [kept[0] | 1 << bit, kept[1] | 1 << (digit - 1)];
                }
            }
        }
        kept
    }
}

/// Returns none if the weight does not divide the term.
#[inline(always)]
fn quotient(term: i32, weight: i32) -> Option<i32> {
    match weight {
        1 => Some(term),
        -1 => Some(-term),
        _ => (term % weight == 0).then(|| term / weight),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// Tries all digits.
    fn enumerate(terms: &OpenTerms) -> [u16; MAX_OPEN] {
        let mut kept = [0; MAX_OPEN];
        let mut sets = terms.sets;
        if terms.number == 2 {
            sets[2] = 1;
        }
        for number in 0..16 * 16 * 16 {
            let digits = [number % 16, number / 16 % 16, number / 256];
            let used = &digits[..terms.number];
            let sum: i32 =
                used.iter().zip(terms.weights).map(|(&it, weight)| weight * (it + 1)).sum();
            let clashes = [[0, 1], [0, 2], [1, 2]]
                .iter()
                .zip(terms.differ)
                .any(|(&[a, b], differ)| b < terms.number && differ && digits[a] == digits[b]);
            let are_candidates = digits.iter().zip(sets).all(|(digit, set)| set >> digit & 1 == 1);
            if sum == terms.total && are_candidates && !clashes {
                for (kept, digit) in kept.iter_mut().zip(used) {
                    *kept |= 1 << digit;
                }
            }
        }
        kept
    }

    #[test]
    fn open_cells_keep_exactly_the_digits_of_solutions() {
        let random = &mut Random::new(77);
        let (mut narrowed, mut impossible) = (0, 0);
        for round in 0..2000 {
            let number = 2 + round % 2;
            let weights =
                [(); MAX_OPEN].map(|()| [1, -1, 1, -1, 2, 10, -3][random.below(7) as usize]);
            let sets = [(); MAX_OPEN].map(|()| {
                (random.below(1 << 16) & random.below(1 << 16) | 3 << random.below(14)) as u16
            });
            let differ = [(); 3].map(|()| random.below(2) == 0);
            let total = random.below(40) as i32 - 10;
            let mut terms = OpenTerms { number, sets, weights, total, differ };
            let expected = enumerate(&terms);
            let deduced = terms.keep_supported();
            let case = format!("{sets:x?} {weights:?} {total} {differ:?}");
            assert_eq!(deduced.is_ok(), expected[0] != 0, "{case}");
            assert_eq!(terms.sets, expected, "{case}");
            impossible += usize::from(deduced.is_err());
            narrowed += usize::from(deduced.is_ok() && terms.sets[..number] != sets[..number]);
        }
        assert!(narrowed > 200 && impossible > 100, "{narrowed} {impossible}");
    }
}
