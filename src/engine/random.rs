//! A random number generator, whose numbers are the same on every machine. Used for every random
//! choice and order, and for the salts of hash values.

/// The generator splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
/// 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

/// 2^64 divided by the golden ratio, rounded down. `next_u64` adds it to the state.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Random {
    /// Returns a generator whose numbers depend on the seed alone.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Lines are numbered from 1. With the same `seed`, different lines get different seeds.
    pub fn seed_of_line(seed: u64, line: u64) -> u64 {
        // The first number of the sequence of `seed` is the first state of a second sequence. Line
        // n takes number n of that one. Each earlier number only adds `STEP` to the state.
        let begin = Random(seed).next_u64();
        Random(begin.wrapping_add(line.wrapping_sub(1).wrapping_mul(STEP))).next_u64()
    }

    /// Returns a generator that starts from the next number. `self` does not change.
    pub fn fork(&self) -> Random {
        Random(self.clone().next_u64())
    }

    /// Returns the next number.
    pub fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// `n` must not be 0. Numbers below `n` are almost equally likely if `n` is far below 2^32.
    pub fn below(&mut self, n: u32) -> u32 {
        (((self.next_u64() >> 32) * u64::from(n)) >> 32) as u32
    }

    /// The algorithm of Fisher and Yates.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            items.swap(last, self.below(last as u32 + 1) as usize);
        }
    }

    /// Returns a random bit of `set`, which must not be empty.
    pub fn bit_of(&mut self, set: u32) -> u32 {
        debug_assert!(set != 0);
        let mut left = set;
        for _ in 0..self.below(set.count_ones()) {
            left &= left - 1;
        }
        lowest_bit(left)
    }
}

/// Returns the bit of `set` that a search tries first: a random one, or the lowest without
/// `random`. `set` must not be empty.
#[inline(always)]
pub(super) fn first_bit(random: Option<&mut Random>, set: u32) -> u32 {
    match random {
        None => lowest_bit(set),
        Some(random) => random.bit_of(set),
    }
}

/// 0 if the set is empty.
#[inline(always)]
pub(super) fn lowest_bit(set: u32) -> u32 {
    set & set.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_published_generator() {
        let mut random = Random::new(1_234_567);
        let expected =
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
        assert_eq!([0; 3].map(|_| random.next_u64()), expected);
    }

    #[test]
    fn each_line_has_its_own_number_of_the_sequence_of_the_seed() {
        // Expected values from an independent implementation of the same paper.
        for (seed, line, expected) in [
            (0, 0, 5_197_578_548_964_807_871),
            (0, 1, 12_035_550_249_420_947_055),
            (7, 1, 13_309_476_754_707_697_221),
            (7, 2, 11_984_929_618_412_882_174),
            (u64::MAX, 123_456, 3_796_624_731_539_395_622),
        ] {
            assert_eq!(Random::seed_of_line(seed, line), expected, "{seed} {line}");
        }
    }

    #[test]
    fn a_fork_has_another_sequence_and_leaves_the_first_one_unchanged() {
        let numbers = |mut random: Random| [0; 100].map(|_| random.next_u64());
        let random = Random::new(3);
        let before = numbers(random.clone());
        let forked = numbers(random.fork());
        assert_eq!(numbers(random), before);
        assert!(forked.iter().all(|number| !before.contains(number)));
    }

    #[test]
    fn every_bit_of_a_set_is_drawn_about_as_often() {
        let mut random = Random::new(7);
        let mut counts = [0; 5];
        for _ in 0..5000 {
            counts[random.bit_of(0b10110).ilog2() as usize] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        let fair = 1500..1850;
        assert!([1, 2, 4].iter().all(|&bit| fair.contains(&counts[bit])), "{counts:?}");
    }
}
