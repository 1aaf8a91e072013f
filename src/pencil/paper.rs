//! What is written on the paper while a puzzle is worked on, and what was looked through since it changed.

use std::ops::{Index, IndexMut};

use super::tables::Tables;
use super::{End, Grading, Technique};
use crate::rules::MAX_SIDE;
use crate::solver::Givens;

/// Room for the cells of the largest grid; a power of two, so that the remainder by it is no bound to be checked.
pub(super) const ROOM: usize = (MAX_SIDE * MAX_SIDE).next_power_of_two();

/// What each cell may still hold, bit d-1 for digit d: a set for each cell of the largest grid.
#[derive(Clone, Debug)]
pub(super) struct Candidates(Box<[u32; ROOM]>);

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates(Box::new([0; ROOM]))
    }
}

impl Index<u16> for Candidates {
    type Output = u32;

    #[inline(always)]
    fn index(&self, cell: u16) -> &u32 {
        &self.0[usize::from(cell) % ROOM]
    }
}

impl IndexMut<u16> for Candidates {
    #[inline(always)]
    fn index_mut(&mut self, cell: u16) -> &mut u32 {
        &mut self.0[usize::from(cell) % ROOM]
    }
}

/// Room for one puzzle at a time, of any size and rules; used again it is not allocated again.
#[derive(Clone, Debug, Default)]
pub struct Paper {
    pub(super) candidates: Candidates,
    /// How many cells the grid has.
    cells: usize,
    /// The cells without a digit, in no order.
    pub(super) blanks: Vec<u16>,
    /// Cells on their way from there to having one.
    singles: Vec<u16>,
    /// A cell has no candidate, or a digit no cell.
    pub(super) is_broken: bool,
    /// For each house the digits without a cell.
    pub(super) missing: Vec<u32>,
    /// What the pattern found last removes: cells in the order of the grid, each with its digits.
    pub(super) losses: Vec<(u16, u32)>,
    pub(super) history: History,
    /// For each house and digit the positions that may hold it, as old as `spotted_at` says.
    spots: Vec<u32>,
    spotted_at: Vec<u64>,
    /// Cells with two candidates, while wings are looked for.
    pub(super) wings: Vec<(u16, u32)>,
    digits: Vec<u8>,
}

/// When what changed, and when what was looked through in vain: nothing is looked at twice. Moments are counted on from
/// puzzle to puzzle, so that nothing need be forgotten.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    now: u64,
    /// The candidates then.
    noted: Vec<u32>,
    houses: Vec<u64>,
    digits: Vec<u64>,
    /// For each lock; for each technique in turn and each house, or digit.
    pub(super) locks: Vec<u64>,
    searched: [Vec<u64>; Technique::NAMES.len()],
}

impl History {
    /// Whether there may be something new in a house for a technique that looks at houses.
    pub(super) fn is_house_new(&self, technique: Technique, house: usize) -> bool {
        self.searched[technique as usize][house] < self.houses[house]
    }

    /// Whether there may be something new about a digit (from 0) for a technique that looks at digits.
    pub(super) fn is_digit_new(&self, technique: Technique, digit: usize) -> bool {
        self.searched[technique as usize][digit] < self.digits[digit]
    }

    pub(super) fn is_lock_new(&self, lock: usize, houses: [u16; 2]) -> bool {
        let [a, b] = houses.map(|house| self.houses[usize::from(house)]);
        self.locks[lock] < a.max(b)
    }

    pub(super) fn searched_lock_in_vain(&mut self, lock: usize) {
        self.locks[lock] = self.now;
    }

    pub(super) fn searched_in_vain(&mut self, technique: Technique, house_or_digit: usize) {
        self.searched[technique as usize][house_or_digit] = self.now;
    }
}

impl Paper {
    /// Writes the givens down, and no more: what they leave of other cells is bookkeeping.
    pub(super) fn start(&mut self, tables: &Tables, givens: Givens<'_>) {
        self.fit(tables);
        self.is_broken = false;
        self.missing.fill(tables.every_digit);
        self.blanks.clear();
        self.singles.clear();
        match givens {
            Givens::Digits(digits) => {
                assert_eq!(digits.len(), tables.cells(), "one digit a cell");
                for (cell, &digit) in digits.iter().enumerate() {
                    let (set, list) = match digit {
                        0 => (tables.every_digit, &mut self.blanks),
                        digit => (1 << (digit - 1), &mut self.singles),
                    };
                    self.candidates[cell as u16] = set;
                    list.push(cell as u16);
                }
                self.place_singles(tables);
            }
            Givens::Candidates(candidates) => {
                assert_eq!(candidates.len(), tables.cells(), "one set a cell");
                for (cell, set) in (0..).zip(candidates) {
                    self.candidates[cell] = set & tables.every_digit;
                    self.blanks.push(cell);
                }
            }
        }
        self.history.now += 1;
        let now = self.history.now;
        self.history
            .noted
            .copy_from_slice(&self.candidates.0[..self.cells]);
        self.history.houses.fill(now);
        self.history.digits.fill(now);
    }

    /// Makes room for a puzzle of these rules.
    fn fit(&mut self, tables: &Tables) {
        let (cells, houses, side) = (tables.cells(), tables.all_houses(), tables.side);
        self.cells = cells;
        self.missing.resize(houses, 0);
        self.spots.resize(houses * side, 0);
        self.spotted_at.resize(houses, 0);
        let history = &mut self.history;
        history.noted.resize(cells, 0);
        history.houses.resize(houses, 0);
        history.digits.resize(side, 0);
        history.locks.resize(tables.locks.len(), 0);
        for searched in &mut history.searched {
            searched.resize(houses.max(side), 0);
        }
    }

    pub(super) fn is_full(&self) -> bool {
        self.blanks.is_empty()
    }

    /// The candidates of each cell.
    pub(super) fn sets(&self) -> &[u32] {
        &self.candidates.0[..self.cells]
    }

    /// Whether a blank cell has one candidate, or none: then there is no solution, which is noted when it is placed.
    pub(super) fn is_single(&self, cell: u16) -> bool {
        has_at_most(1, self.candidates[cell])
    }

    /// Gives all cells their digit that have one candidate; how many.
    pub(super) fn place_naked_singles(&mut self, tables: &Tables) -> usize {
        self.singles.clear();
        let mut index = 0;
        while let Some(&cell) = self.blanks.get(index) {
            if self.is_single(cell) {
                self.singles.push(cell);
                self.blanks.swap_remove(index);
            } else {
                index += 1;
            }
        }
        self.place_singles(tables);
        self.singles.len()
    }

    /// Places a digit (from 0) in a blank cell.
    pub(super) fn fill_in(&mut self, tables: &Tables, cell: u16, digit: u8) {
        self.candidates[cell] = 1 << digit;
        self.blanks.retain(|&blank| blank != cell);
        self.singles.clear();
        self.singles.push(cell);
        self.place_singles(tables);
    }

    /// Takes the digits of `singles` from those that see them.
    fn place_singles(&mut self, tables: &Tables) {
        for &cell in &self.singles {
            let digit = self.candidates[cell];
            let cell = usize::from(cell);
            // Of two cells that contradict each other, the first leaves the second nothing.
            self.is_broken |= digit == 0;
            for &house in tables.houses_of.of(cell) {
                self.missing[usize::from(house)] &= !digit;
            }
            for &peer in tables.peers.of(cell) {
                self.candidates[peer] &= !digit;
            }
            if !tables.banned.is_empty() && digit != 0 {
                for ban in &tables.bans[cell] {
                    let banned = &tables.banned[usize::from(ban.by)];
                    let banned = banned[digit.trailing_zeros() as usize];
                    self.candidates[ban.cell] &= !banned;
                }
            }
        }
    }

    /// Removes what the pattern found last removes.
    pub(super) fn apply_losses(&mut self) {
        for &(cell, digits) in &self.losses {
            self.candidates[cell] &= !digits;
        }
    }

    /// Notes which houses and digits have changed since it was last called: what was looked through in vain there may
    /// have something now.
    pub(super) fn note_changes(&mut self, tables: &Tables) {
        let history = &mut self.history;
        history.now += 1;
        let mut changed_digits = 0;
        let noted = history.noted.iter_mut().zip(&self.candidates.0[..]);
        for (cell, (noted, &candidates)) in noted.enumerate() {
            let changed = *noted ^ candidates;
            if changed == 0 {
                continue;
            }
            *noted = candidates;
            changed_digits |= changed;
            for &house in tables.houses_of.of(cell) {
                history.houses[usize::from(house)] = history.now;
            }
        }
        for digit in digits_of(changed_digits) {
            history.digits[digit] = history.now;
        }
    }

    /// For each digit the positions of a house that may hold it, as they were when last sought.
    pub(super) fn spots(&self, tables: &Tables, house: usize) -> &[u32] {
        &self.spots[house * tables.side..][..tables.side]
    }

    /// Seeks the positions again if the house has changed.
    pub(super) fn seek_spots(&mut self, tables: &Tables, house: usize) {
        let spots = &mut self.spots[house * tables.side..][..tables.side];
        if self.spotted_at[house] < self.history.houses[house] {
            self.spotted_at[house] = self.history.now;
            spots.fill(0);
            for (position, &cell) in tables.cells_of.of(house).iter().enumerate() {
                let candidates = self.candidates[cell];
                // Every digit, whether the cell has it or not: bits looked for one by one take longer.
                for (digit, spots) in spots.iter_mut().enumerate() {
                    let may_hold = candidates & 1 << digit != 0;
                    *spots |= if may_hold { 1 << position } else { 0 };
                }
            }
        }
    }

    /// How it ended, with what is on the paper now.
    pub(super) fn grading(&mut self, hardest: Option<Technique>, steps: u32) -> Grading<'_> {
        if self.is_broken {
            return Grading {
                end: End::Contradiction,
                hardest: None,
                steps: 0,
            };
        }
        let end = if self.is_full() {
            let sets = self.candidates.0[..self.cells].iter();
            let digits = sets.map(|set| set.trailing_zeros() as u8 + 1);
            self.digits.clear();
            self.digits.extend(digits);
            End::Solved(&self.digits)
        } else {
            End::Stuck(self.sets())
        };
        Grading {
            end,
            hardest,
            steps,
        }
    }
}

/// The digits of a set, from 0.
pub(super) fn digits_of(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let digit = (set != 0).then(|| set.trailing_zeros() as usize);
        set &= set.wrapping_sub(1);
        digit
    })
}

/// Whether a set has `most` elements at most. Quicker than counting them where the machine has no instruction for it.
#[inline]
pub(super) fn has_at_most(most: usize, mut set: u32) -> bool {
    for _ in 0..most {
        set &= set.wrapping_sub(1);
    }
    set == 0
}
