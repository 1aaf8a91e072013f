//! The pencilmarks of one puzzle, and timestamps by which a technique skips a search that failed
//! before and would fail again. The techniques decide what to remove or place.

use std::ops::{Index, IndexMut};

use super::grading::{End, Grading};
use super::tables::{EQUATIONS_PER_UNION, HouseUnion, Tables};
use super::technique::Technique;
use super::technique::Technique::*;
use crate::bits::bits;
use crate::error::InvalidInput;
use crate::puzzle::Givens;
use crate::rules::{ForbiddenDigits, MAX_SIDE};

/// A power of two, so that `index % CAPACITY` needs no bounds check and is a single AND.
pub(super) const CAPACITY: usize = (MAX_SIDE * MAX_SIDE).next_power_of_two();

/// Bit d-1 is digit d. Has room for the largest grid.
#[derive(Clone, Debug)]
pub(super) struct Candidates(Box<[u32; CAPACITY]>);

impl Default for Candidates {
    fn default() -> Candidates {
        Candidates(Box::new([0; CAPACITY]))
    }
}

impl Index<u16> for Candidates {
    type Output = u32;

    #[inline(always)]
    fn index(&self, cell: u16) -> &u32 {
        &self.0[usize::from(cell) % CAPACITY]
    }
}

impl IndexMut<u16> for Candidates {
    #[inline(always)]
    fn index_mut(&mut self, cell: u16) -> &mut u32 {
        &mut self.0[usize::from(cell) % CAPACITY]
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Marks {
    pub(super) candidates: Candidates,
    cells: usize,
    /// The cells without a given or placed digit, in any order, with any number of candidates.
    pub(super) blanks: Vec<u16>,
    /// A cell without candidates, a digit without a cell, or a full cage with a wrong sum.
    pub(super) has_contradiction: bool,
    /// By house and group.
    pub(super) missing: Vec<u32>,
    /// What the last pattern found removes: cells in ascending order, each with a set of digits.
    pub(super) eliminations: Vec<(u16, u32)>,
    pub(super) history: History,
    /// For each house and digit (from 0), the positions in the house that could hold the digit at
    /// the time in `positions_updated`: bit i for cell i of the house. Entry `house * N + digit`.
    positions: Vec<u32>,
    positions_updated: Vec<u64>,
    /// The solution, to which [`End::Solved`] refers.
    digits: Vec<u8>,
}

/// Timestamps of changes and of failed searches. The candidates of a puzzle only shrink. So a
/// failed search is repeated only after a change that can create a pattern: for example, after a
/// house was reduced to two cells for a digit. XYZ-wing, W-wing, alternating chains and ALS-XZ
/// search the whole grid each time.
///
/// Time never restarts, so timestamps of earlier puzzles need no reset.
#[derive(Clone, Debug, Default)]
pub(super) struct History {
    pub(super) now: u64,
    snapshot: Vec<u32>,
    /// For each house and group. A new puzzle changes everything.
    house_changed: Vec<u64>,
    digit_changed: Vec<u64>,
    /// For each digit, the last time when `update_positions` left it two cells in a house.
    digit_linked: Vec<u64>,
    /// The time when a cell was last reduced to two candidates, or the start of the puzzle.
    cell_linked: u64,
    /// For each technique, the time of the last failed search in each part of the grid, in the
    /// order of [`History::last_changes`]. [`History::searched`] adds entries when they are needed.
    searched: [Vec<u64>; Technique::NAMES.len()],
}

impl History {
    /// Returns the time of the last change that can create a pattern of a technique, for each part
    /// of the grid that is searched separately. A technique that skips no search gets the current
    /// time. The parts are:
    ///
    /// * for the techniques of cages: the cages with a sum;
    /// * for locked candidates: [`Tables::directed_crossings`];
    /// * for innies and outies: [`EQUATIONS_PER_UNION`] equations for each of [`Tables::unions`];
    /// * for naked subsets: the houses and groups; for hidden subsets: the houses;
    /// * for patterns of one digit: the digits;
    /// * for other techniques: the whole grid as one part.
    ///
    /// For a technique whose pattern needs houses with two cells for a digit, call
    /// [`Marks::update_all_positions`] first.
    pub(super) fn last_changes(&self, tables: &Tables, technique: Technique) -> Vec<u64> {
        let of_house = |house: usize| self.house_changed[house];
        match technique {
            CageCombination | CageUnitOverlap => {
                let cages = tables.sum_cages.iter();
                cages.map(|cage| of_house(cage.house)).collect()
            }
            LockedCandidates => {
                let of_both = |&[a, b]: &[u16; 2]| of_house(a.into()).max(of_house(b.into()));
                tables.directed_crossings.iter().map(of_both).collect()
            }
            InniesOuties => {
                let of_union = |union: &HouseUnion| {
                    let houses = union.houses.iter().map(|&house| of_house(house));
                    let cages = union.crossing.iter().map(|cage| of_house(cage.house));
                    [houses.chain(cages).max().unwrap_or(0); EQUATIONS_PER_UNION]
                };
                tables.unions.iter().flat_map(of_union).collect()
            }
            NakedPair | NakedTriple | NakedQuad => self.house_changed.clone(),
            HiddenPair | HiddenTriple | HiddenQuad => {
                self.house_changed[..tables.house_count].to_vec()
            }
            XWing | Swordfish | Jellyfish | FinnedXWing | FinnedSwordfish => {
                self.digit_changed.clone()
            }
            Skyscraper | TwoStringKite | SimpleColoring | XChain => self.digit_linked.clone(),
            XyWing | XyChain => vec![self.cell_linked],
            _ => vec![self.now],
        }
    }

    /// Returns the time of the last failed search of a part, 0 if there was none.
    pub(super) fn searched(&mut self, technique: Technique, part: usize) -> &mut u64 {
        let searched = &mut self.searched[technique as usize];
        searched.resize(searched.len().max(part + 1), 0);
        &mut searched[part]
    }
}

impl Marks {
    /// Given digits are placed. Given candidates are copied, and every cell is then in `blanks`,
    /// even one with a single candidate. The errors are those of [`Givens::check_one`].
    pub(super) fn start(
        &mut self,
        tables: &Tables,
        givens: Givens<'_>,
    ) -> Result<(), InvalidInput> {
        givens.check_one(tables.side)?;
        self.fit(tables);
        self.has_contradiction = false;
        self.missing.fill(tables.every_digit);
        self.blanks.clear();
        match givens {
            Givens::Digits(digits) => {
                for (cell, &digit) in (0..).zip(digits) {
                    self.candidates[cell] = match digit {
                        0 => tables.every_digit,
                        digit => 1 << (digit - 1),
                    };
                }
                for (cell, &digit) in (0..).zip(digits) {
                    match digit {
                        0 => self.blanks.push(cell),
                        _ => self.propagate(tables, cell),
                    }
                }
            }
            Givens::Candidates(sets) => {
                self.candidates.0[..self.cells].copy_from_slice(sets);
                self.blanks.extend(0..self.cells as u16);
            }
        }
        self.history.now += 1;
        let now = self.history.now;
        self.history.snapshot.copy_from_slice(&self.candidates.0[..self.cells]);
        self.history.house_changed.fill(now);
        self.history.digit_changed.fill(now);
        self.history.digit_linked.fill(now);
        self.history.cell_linked = now;
        Ok(())
    }

    fn fit(&mut self, tables: &Tables) {
        let (cells, houses, side) = (tables.cells(), tables.houses_and_groups(), tables.side);
        self.cells = cells;
        self.missing.resize(houses, 0);
        self.positions.resize(tables.house_count * side, 0);
        self.positions_updated.resize(tables.house_count, 0);
        let history = &mut self.history;
        history.snapshot.resize(cells, 0);
        history.house_changed.resize(houses, 0);
        history.digit_changed.resize(side, 0);
        history.digit_linked.resize(side, 0);
    }

    pub(super) fn is_full(&self) -> bool {
        self.blanks.is_empty()
    }

    pub(super) fn sets(&self) -> &[u32] {
        &self.candidates.0[..self.cells]
    }

    /// Returns the given or placed digit of each cell, 0 for those in `blanks`.
    pub(super) fn placed_digits(&self) -> Vec<u8> {
        let only_digit = |cell| self.only_digit(cell).unwrap_or_default();
        let mut digits: Vec<u8> = (0..self.cells as u16).map(only_digit).collect();
        self.blanks.iter().for_each(|&cell| digits[usize::from(cell)] = 0);
        digits
    }

    /// A cell without candidates counts too, because placing it sets `has_contradiction`.
    pub(super) fn is_single(&self, cell: u16) -> bool {
        has_at_most(1, self.candidates[cell])
    }

    /// Returns the digit, counted from 1, of a cell with one candidate.
    pub(super) fn only_digit(&self, cell: u16) -> Option<u8> {
        let set = self.candidates[cell];
        (set != 0 && has_at_most(1, set)).then(|| set.trailing_zeros() as u8 + 1)
    }

    /// Also places cells without candidates, which sets `has_contradiction`. Returns true if it
    /// placed any. Naked singles that this creates in earlier cells are left for the next call.
    pub(super) fn place_naked_singles(&mut self, tables: &Tables) -> bool {
        let blanks = self.blanks.len();
        let mut index = 0;
        while let Some(&cell) = self.blanks.get(index) {
            if self.is_single(cell) {
                self.blanks.swap_remove(index);
                self.propagate(tables, cell);
            } else {
                index += 1;
            }
        }
        self.blanks.len() < blanks
    }

    /// The digit is counted from 1.
    pub(super) fn place(&mut self, tables: &Tables, cell: u16, digit: u8) {
        let set = 1 << (digit - 1);
        debug_assert!(self.candidates[cell] & set != 0);
        self.candidates[cell] = set;
        self.blanks.retain(|&blank| blank != cell);
        self.propagate(tables, cell);
    }

    /// Records a contradiction if the cell has lost its only candidate.
    fn propagate(&mut self, tables: &Tables, cell: u16) {
        let digit = self.candidates[cell];
        let cell = usize::from(cell);
        self.has_contradiction |= digit == 0;
        for &house in tables.houses_of.of(cell) {
            self.missing[usize::from(house)] &= !digit;
        }
        for &peer in tables.peers.of(cell) {
            self.candidates[peer] &= !digit;
        }
        for &neighbour in &tables.consecutive_neighbours[cell] {
            self.candidates[neighbour] &= !ForbiddenDigits::Consecutive.beside(digit);
        }
    }

    pub(super) fn apply_eliminations(&mut self) {
        debug_assert!(self.eliminations.is_sorted_by_key(|&(cell, _)| cell));
        for &(cell, digits) in &self.eliminations {
            debug_assert!(digits != 0 && self.candidates[cell] & digits == digits);
            self.candidates[cell] &= !digits;
        }
    }

    /// Advances the time. The first call for a puzzle compares with its start.
    pub(super) fn record_changes(&mut self, tables: &Tables) {
        let history = &mut self.history;
        history.now += 1;
        let mut changed_digits = 0;
        let snapshot = history.snapshot.iter_mut().zip(&self.candidates.0[..]);
        for (cell, (snapshot, &candidates)) in snapshot.enumerate() {
            let changed = *snapshot ^ candidates;
            if changed == 0 {
                continue;
            }
            *snapshot = candidates;
            changed_digits |= changed;
            if has_exactly(2, candidates) {
                history.cell_linked = history.now;
            }
            for &house in tables.houses_of.of(cell) {
                history.house_changed[usize::from(house)] = history.now;
            }
        }
        for digit in bits(changed_digits) {
            history.digit_changed[digit] = history.now;
        }
    }

    /// Positions in a house by digit: bit i for cell i. Call [`Marks::update_positions`] first.
    pub(super) fn positions(&self, tables: &Tables, house: usize) -> &[u32] {
        &self.positions[house * tables.side..][..tables.side]
    }

    /// Does nothing if no change of the house was recorded since the last update.
    pub(super) fn update_positions(&mut self, tables: &Tables, house: usize) {
        debug_assert!(house < tables.house_count, "groups have no positions");
        if self.positions_updated[house] >= self.history.house_changed[house] {
            return;
        }
        self.positions_updated[house] = self.history.now;
        let mut updated = [0; MAX_SIDE];
        let updated = &mut updated[..tables.side];
        for (position, &cell) in tables.cells_of.of(house).iter().enumerate() {
            let candidates = self.candidates[cell];
            // Visits every digit: faster than extracting the candidates one by one.
            for (digit, positions) in updated.iter_mut().enumerate() {
                let can_hold = candidates & 1 << digit != 0;
                *positions |= if can_hold { 1 << position } else { 0 };
            }
        }
        let positions = &mut self.positions[house * tables.side..][..tables.side];
        for (digit, (old, new)) in positions.iter_mut().zip(updated).enumerate() {
            if *old != *new && has_exactly(2, *new) {
                self.history.digit_linked[digit] = self.history.now;
            }
            *old = *new;
        }
    }

    pub(super) fn update_all_positions(&mut self, tables: &Tables) {
        (0..tables.house_count).for_each(|house| self.update_positions(tables, house));
    }

    pub(super) fn only_two_cells(
        &self,
        tables: &Tables,
        house: usize,
        digit: usize,
    ) -> Option<[u16; 2]> {
        debug_assert!(self.positions_updated[house] >= self.history.house_changed[house]);
        let positions = self.positions(tables, house)[digit];
        if !has_exactly(2, positions) {
            return None;
        }
        let without_first = positions & (positions - 1);
        let cells = tables.cells_of.of(house);
        Some([positions, without_first].map(|set| cells[set.trailing_zeros() as usize]))
    }

    /// Call [`Marks::update_all_positions`] first.
    pub(super) fn links(&self, tables: &Tables, digit: usize) -> impl Iterator<Item = [u16; 2]> {
        let houses = 0..tables.house_count;
        houses.filter_map(move |house| self.only_two_cells(tables, house, digit))
    }

    /// Replaces `eliminations`. `cells` ascend. Returns false if no cell has one of the digits.
    pub(super) fn eliminate(&mut self, digits: u32, cells: impl Iterator<Item = u16>) -> bool {
        self.eliminate_each(cells.map(|cell| (cell, digits)))
    }

    /// Like `eliminate`, with the digits that each cell loses. A cell can occur several times.
    pub(super) fn eliminate_each(&mut self, removals: impl Iterator<Item = (u16, u32)>) -> bool {
        self.eliminations.clear();
        for (cell, digits) in removals {
            let removed = self.candidates[cell] & digits;
            match self.eliminations.last_mut() {
                _ if removed == 0 => {}
                Some((last, set)) if *last == cell => *set |= removed,
                _ => self.eliminations.push((cell, removed)),
            }
        }
        !self.eliminations.is_empty()
    }

    pub(super) fn grading(&mut self, hardest: Option<Technique>, steps: u32) -> Grading<'_> {
        if self.has_contradiction {
            return Grading { end: End::Contradiction, hardest: None, steps: 0 };
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
        Grading { end, hardest, steps }
    }
}

/// In lexicographic order of the indices.
pub(super) fn pairs_of<T: Copy>(items: &[T]) -> impl Iterator<Item = [T; 2]> {
    items.iter().enumerate().flat_map(|(index, &first)| {
        let later = items[index + 1..].iter();
        later.map(move |&second| [first, second])
    })
}

/// Faster than `count_ones` in code that is compiled without a population count instruction.
#[inline]
pub(super) fn has_at_most(max: usize, mut set: u32) -> bool {
    for _ in 0..max {
        set &= set.wrapping_sub(1);
    }
    set == 0
}

/// `size` must not be 0.
pub(super) fn has_exactly(size: usize, set: u32) -> bool {
    debug_assert!(size > 0);
    has_at_most(size, set) && !has_at_most(size - 1, set)
}
