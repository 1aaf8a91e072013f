//! Counts the solutions of puzzles that have many. The main loop is in `mod.rs`.
//!
//! Only the number of solutions matters, so idle lanes search parts of such a puzzle in any order.
//! Different decisions often leave the same cells open with the same candidates. The number of
//! solutions that such a state leads to is remembered, and is added when the state occurs again.

use crate::puzzle::Givens;
use crate::random::Random;
use crate::rules::{MAX_SIDE, Rules};
use crate::solver::limits::{Found, Limits, Searched};

/// The number of solutions of a puzzle that one lane finds in a fixed order before a count begins.
/// If more solutions are shown, the count begins after the last one that is shown.
pub(super) const SOLUTIONS_IN_ORDER: u64 = 64;

#[derive(Debug, Default)]
pub(super) struct Counts {
    /// The counts in progress, at most one for each puzzle. Usually there is only one.
    puzzles: Vec<PuzzleCount>,
    /// `None` before the first use.
    known: Option<KnownStates>,
}

#[derive(Debug)]
pub(super) struct PuzzleCount {
    pub index: usize,
    /// The first solution. Unused if solutions are not shown.
    first: Vec<u8>,
    /// The number of guesses before the count began.
    guesses: u64,
    solutions: u64,
    /// Mask of the lanes that search a part of the puzzle.
    pub lanes: u32,
}

impl Counts {
    pub fn begin(&mut self, index: usize, lane: usize, first: &[u8], guesses: u64, solutions: u64) {
        self.puzzles.push(PuzzleCount {
            index,
            first: first.to_vec(),
            guesses,
            solutions,
            lanes: 1 << lane,
        });
    }

    #[inline(always)]
    fn puzzle_mut(&mut self, index: usize) -> &mut PuzzleCount {
        let mut counts = self.puzzles.iter_mut();
        let count = counts.find(|count| count.index == index);
        count.expect("a count in progress")
    }

    pub fn join(&mut self, index: usize, lane: usize) {
        let count = self.puzzle_mut(index);
        debug_assert_eq!(count.lanes >> lane & 1, 0);
        count.lanes |= 1 << lane;
    }

    /// Adds solutions to a count. Ends the count and returns it if it reaches `most` solutions.
    #[inline(always)]
    pub fn add(&mut self, index: usize, solutions: u64, most: u64) -> Option<PuzzleCount> {
        let count = self.puzzle_mut(index);
        count.solutions = count.solutions.saturating_add(solutions).min(most);
        (count.solutions == most).then(|| self.end(index))
    }

    /// Ends the count and returns it if this was its last part.
    pub fn leave(&mut self, index: usize, lane: usize) -> Option<PuzzleCount> {
        let count = self.puzzle_mut(index);
        debug_assert_eq!(count.lanes >> lane & 1, 1);
        count.lanes &= !(1 << lane);
        (count.lanes == 0).then(|| self.end(index))
    }

    pub fn end(&mut self, index: usize) -> PuzzleCount {
        let position = self.puzzles.iter().position(|count| count.index == index);
        self.puzzles.swap_remove(position.expect("a count in progress"))
    }

    #[inline(always)]
    pub fn known(&mut self) -> &mut KnownStates {
        self.known.get_or_insert_with(KnownStates::new)
    }
}

impl PuzzleCount {
    pub fn found(&self, limits: Limits, searched: Searched) -> Found<'_> {
        let first = (limits.shown > 0).then_some(&self.first[..]);
        limits.found(first, self.guesses, self.solutions, searched)
    }
}

/// The open part of a stuck lane, as sets of digits in an order that depends only on the board. For
/// each cell, there is the set of its candidates, or an empty set if it has only one. On a band
/// board, each configuration of a band or stack also has a set: the digits that can have both this
/// configuration and another one there.
///
/// If `Board::describe_open` returns true, two lanes of one puzzle with the same sets have equally
/// many solutions. If the rules treat all digits alike, this is also true of two lanes whose sets
/// are the same after the digits of one are renamed.
#[derive(Debug, Default)]
pub(crate) struct OpenState {
    /// Two sets of 32 bits in each word, or four of 16 bits, the first in the lowest bits.
    words: Vec<u64>,
    bits_per_set: u32,
}

impl OpenState {
    #[inline(always)]
    pub fn push_two(&mut self, sets: [u32; 2]) {
        self.bits_per_set = 32;
        self.words.push(u64::from(sets[1]) << 32 | u64::from(sets[0]));
    }

    #[inline(always)]
    pub fn push_eight(&mut self, sets: [u16; 8]) {
        self.bits_per_set = 16;
        for four in sets.as_chunks::<4>().0 {
            let sets = four.iter().rev();
            self.words.push(sets.fold(0, |word, &set| word << 16 | u64::from(set)));
        }
    }
}

pub(super) type StateKey = u128;

/// The base-2 logarithm of the number of states that can be remembered. Their entries take 4 MiB.
const LOG_STATES: u32 = 17;

/// The number of solutions of each known state. A newer state replaces an older one at its index.
#[derive(Debug)]
pub(super) struct KnownStates {
    entries: Vec<(StateKey, u64)>,
    /// The random numbers that `product` adds to words, one for each word of `open`.
    salts: Vec<u64>,
    /// A random number for each set of a state, for `sums_of_digits`.
    salts_of_sets: Vec<u128>,
    random: Random,
    /// Scratch: the state whose key is wanted. With [`DigitNames::Free`], `key` then replaces its
    /// words by the sums of its digits, two words for each digit.
    open: OpenState,
}

impl KnownStates {
    fn new() -> KnownStates {
        KnownStates {
            entries: vec![(0, 0); 1 << LOG_STATES],
            salts: Vec::new(),
            salts_of_sets: Vec::new(),
            random: Random::new(0),
            open: OpenState::default(),
        }
    }

    /// Returns the key of a state of the puzzle with this index. `describe` adds the sets of the
    /// state to an empty `OpenState`, or returns false if they do not determine the number of
    /// solutions; the state then has no key. With [`DigitNames::Free`], states that differ only
    /// by the names of digits have the same key: it is made from a sum for each digit, in ascending
    /// order (`sums_of_digits`).
    ///
    /// The key is a hash value of the family NH (Black and others, UMAC, 1999): two different
    /// states have the same key with a probability of about 2^-64, for random salts.
    #[inline(always)]
    pub fn key(
        &mut self,
        index: usize,
        names: DigitNames,
        describe: impl FnOnce(&mut OpenState) -> bool,
    ) -> Option<StateKey> {
        self.open.words.clear();
        if !describe(&mut self.open) {
            return None;
        }
        if names == DigitNames::Free {
            let sums = self.sums_of_digits();
            let words = sums.iter().flat_map(|&sum| [(sum >> 64) as u64, sum as u64]);
            self.open.words.clear();
            self.open.words.extend(words);
        }
        if self.open.words.len() % 2 == 1 {
            self.open.words.push(0);
        }
        while self.salts.len() < self.open.words.len() {
            self.salts.push(self.random.next_u64());
        }
        // With another layout (another index), the same sets can have another number of solutions.
        let mut key = index as u128;
        let pairs = self.open.words.as_chunks::<2>().0;
        for (words, salts) in pairs.iter().zip(self.salts.as_chunks::<2>().0) {
            key = key.wrapping_add(product(*words, *salts));
        }
        // Never 0, because that is the key of unused entries.
        Some(key.max(1))
    }

    /// Returns a sum for each digit: the sum of the random numbers of the sets that contain the
    /// digit. The sums are sorted by value, so they do not depend on the names of the digits.
    fn sums_of_digits(&mut self) -> [u128; MAX_SIDE] {
        let OpenState { words, bits_per_set } = &self.open;
        // Four salts for each word, because a word has up to four sets.
        while self.salts_of_sets.len() < words.len() * 4 {
            let [high, low] = [0; 2].map(|_| u128::from(self.random.next_u64()));
            self.salts_of_sets.push(high << 64 | low);
        }
        let mut sums = [0u128; MAX_SIDE];
        for (&word, salts) in words.iter().zip(self.salts_of_sets.as_chunks::<4>().0) {
            let mut left = word;
            while left != 0 {
                let bit = left.trailing_zeros();
                let (set, digit) = (bit / bits_per_set, bit % bits_per_set);
                let sum = &mut sums[digit as usize];
                *sum = sum.wrapping_add(salts[set as usize]);
                left &= left - 1;
            }
        }
        sums.sort_unstable();
        sums
    }

    #[inline(always)]
    pub fn get(&self, key: StateKey) -> Option<u64> {
        let (known, solutions) = self.entries[entry_of(key)];
        (known == key).then_some(solutions)
    }

    #[inline(always)]
    pub fn insert(&mut self, key: StateKey, solutions: u64) {
        self.entries[entry_of(key)] = (key, solutions);
    }
}

/// Adds the salts modulo 2^64.
#[inline(always)]
fn product(words: [u64; 2], salts: [u64; 2]) -> u128 {
    let [a, b] = [0, 1].map(|i| u128::from(words[i].wrapping_add(salts[i])));
    a * b
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum DigitNames {
    /// States that differ only by the names of digits are the same, because the rules treat all
    /// digits alike. Such states are frequent if many digits are free.
    Free,
    Fixed,
}

/// The least number of free digits for which `for_puzzle` returns `Free`. With fewer, states that
/// differ only by names are rare, and not worth the 100 ns more that each key takes with `Free`.
const FREE_DIGITS: u32 = 3;

impl DigitNames {
    /// A digit is free if it is no given. In a puzzle of pencilmarks, a digit is free if each cell
    /// that can hold it can hold every digit.
    pub fn for_puzzle(rules: &Rules, givens: Givens<'_>) -> DigitNames {
        let every_digit = u32::MAX >> (32 - rules.side());
        let sets = (0..rules.cells()).map(|cell| givens.candidates(cell, every_digit));
        let restricted = sets.filter(|set| *set != every_digit);
        let not_free = restricted.fold(0, |all, set| all | set);
        let free = (every_digit & !not_free).count_ones();
        if free >= FREE_DIGITS && rules.treat_digits_alike() {
            DigitNames::Free
        } else {
            DigitNames::Fixed
        }
    }
}

#[inline(always)]
fn entry_of(key: StateKey) -> usize {
    // The middle bits of a product depend on every bit of its factors.
    (key >> 64) as usize & ((1 << LOG_STATES) - 1)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::rules::{Shape, Variants};

    fn key(known: &mut KnownStates, sets: &[u32], index: usize, names: DigitNames) -> StateKey {
        let key = known.key(index, names, |open| {
            for sets in sets.chunks(2) {
                open.push_two([sets[0], sets.get(1).copied().unwrap_or(0)]);
            }
            true
        });
        key.expect("a description")
    }

    #[test]
    fn states_that_differ_have_different_keys() {
        let known = &mut KnownStates::new();
        for number in [16, 36, 81, 117, 625] {
            for names in [DigitNames::Fixed, DigitNames::Free] {
                let mut sets = vec![0b110; number];
                let mut keys = HashSet::new();
                keys.insert(key(known, &sets, 0, names));
                keys.insert(key(known, &sets, 1, names));
                for place in 0..number {
                    for set in [0, 0b111, 0b1010] {
                        let before = std::mem::replace(&mut sets[place], set);
                        keys.insert(key(known, &sets, 0, names));
                        sets[place] = before;
                    }
                }
                assert_eq!(keys.len(), 2 + 3 * number, "{number} {names:?}");
            }
        }
    }

    #[test]
    fn keys_without_names_are_equal_if_digits_swap_their_places() {
        let known = &mut KnownStates::new();
        let sets = [0b011, 0b110, 0b101, 0b1000, 0b1001, 0];
        let swapped = sets.map(|set| (set & !0b101) | (set & 1) << 2 | (set >> 2 & 1));
        let [free, fixed] = [DigitNames::Free, DigitNames::Fixed]
            .map(|names| key(known, &sets, 3, names) == key(known, &swapped, 3, names));
        assert_eq!((free, fixed), (true, false));
    }

    #[test]
    fn names_of_digits_matter_where_digits_are_compared_or_most_are_given() {
        let names = |variants: &str, digits: &[u8]| {
            let boxes = Shape::boxes_of(6).unwrap();
            let rules = Rules::new(6, boxes, &variants.parse::<Variants>().unwrap()).unwrap();
            let mut grid = vec![0; 36];
            grid[..digits.len()].copy_from_slice(digits);
            DigitNames::for_puzzle(&rules, Givens::Digits(&grid))
        };
        assert_eq!(names("classic", &[]), DigitNames::Free);
        assert_eq!(names("antiknight", &[1, 0, 3, 0, 6]), DigitNames::Free);
        assert_eq!(names("classic", &[1, 2, 3, 4]), DigitNames::Fixed);
        assert_eq!(names("nonconsecutive", &[]), DigitNames::Fixed);
    }

    #[test]
    fn known_states_are_found_until_another_takes_their_place() {
        let mut known = KnownStates::new();
        let same_place = |n: u128| 7 << 64 | n;
        known.insert(same_place(1), 5);
        assert_eq!((known.get(same_place(1)), known.get(same_place(2))), (Some(5), None));
        known.insert(same_place(2), 6);
        assert_eq!((known.get(same_place(1)), known.get(same_place(2))), (None, Some(6)));
    }

    #[test]
    fn a_count_ends_with_its_last_lane_or_at_the_wanted_number() {
        let mut counts = Counts::default();
        for index in [4, 9] {
            counts.begin(index, index, &[1, 2], 3, 64);
        }
        counts.join(4, 5);
        assert!(counts.add(4, 10, 1000).is_none());
        assert!(counts.leave(4, 4).is_none());
        let ended = counts.add(9, 1000, 1000).expect("enough");
        assert_eq!((ended.index, ended.solutions), (9, 1000));
        assert_eq!(ended.lanes, 1 << 9);
        let ended = counts.leave(4, 5).expect("the last lane");
        assert_eq!((ended.index, ended.solutions, ended.guesses), (4, 74, 3));
        assert!(counts.puzzles.is_empty());
    }
}
