//! The state of a search: the candidates of each cell, and the constraints from which the next deductions must be made.

use super::plan::MAX_CELLS;
use super::problem::{ConstraintSet, Problem};

/// Candidates and pending deductions.
#[derive(Debug)]
pub(super) struct KillerBoard {
    /// For each cell, a mask of the digits that it can hold: bit d-1 for digit d.
    pub candidates: [u16; MAX_CELLS],
    /// The constraints that are new, or have a cell that has changed since their last deduction.
    dirty: ConstraintSet,
    /// A stack, `fixed[..fixed_number]`, of cells with one candidate that is not yet excluded from their peers. A cell gets on it
    /// at most once before `forget_changes`, so there is room.
    fixed: [u8; MAX_CELLS],
    fixed_number: usize,
}

/// A cell has no candidate left, or a constraint cannot hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

/// The result of a deduction.
pub(super) type Deduced = Result<(), Contradiction>;

impl KillerBoard {
    /// Returns a board on which every cell can hold every digit, and all constraints are new.
    pub fn new(problem: &Problem) -> KillerBoard {
        let mut board = KillerBoard {
            candidates: [problem.plan.every_digit(); MAX_CELLS],
            dirty: ConstraintSet::default(),
            fixed: [0; MAX_CELLS],
            fixed_number: 0,
        };
        board.note_new_constraints(problem, 0);
        board
    }

    /// Returns the candidates of all cells of the grid.
    #[inline(always)]
    pub fn grid_candidates(&self, problem: &Problem) -> &[u16] {
        &self.candidates[..problem.plan.cells]
    }

    /// Notes that the constraints from this number on are new.
    pub fn note_new_constraints(&mut self, problem: &Problem, first: usize) {
        for number in first..problem.constraints() {
            self.dirty[number / 64] |= 1 << (number % 64);
        }
    }

    /// Drops all pending deductions.
    #[inline(always)]
    pub fn forget_changes(&mut self) {
        self.dirty = ConstraintSet::default();
        self.fixed_number = 0;
    }

    /// Keeps only the digits `keep` in a cell, and notes the change if there is one. Returns an error if no digit is left.
    #[inline(always)]
    pub fn restrict(&mut self, problem: &Problem, cell: u8, keep: u16) -> Deduced {
        let old = self.candidates[usize::from(cell)];
        let new = old & keep;
        if new != old {
            if new == 0 {
                return Err(Contradiction);
            }
            self.candidates[usize::from(cell)] = new;
            self.note_change(problem, cell);
        }
        Ok(())
    }

    /// Notes the constraints of a cell that has changed, and the cell itself if it is now fixed.
    #[inline(always)]
    pub fn note_change(&mut self, problem: &Problem, cell: u8) {
        let candidates = self.candidates[usize::from(cell)];
        debug_assert!(candidates != 0);
        if candidates & (candidates - 1) == 0 {
            debug_assert!(self.fixed_number < MAX_CELLS, "a cell is fixed once");
            // `% MAX_CELLS` removes the bounds check.
            self.fixed[self.fixed_number % MAX_CELLS] = cell;
            self.fixed_number += 1;
        }
        let constraints = &problem.of_cell[usize::from(cell)];
        for (dirty, word) in self.dirty.iter_mut().zip(constraints) {
            *dirty |= word;
        }
    }

    /// Deduces until nothing is pending, or to a contradiction: fixed cells first, then houses, then sums in their order. An
    /// error is the number of the constraint that shows the contradiction; `None` if a peer or neighbour of a fixed cell shows
    /// it.
    ///
    /// `deduce` is `sums::deduce`, which applies the sum with a constraint number. It is passed in so that the two files do not
    /// import each other.
    // Tried: sums first. 15 % more time.
    #[inline(always)]
    pub fn propagate(
        &mut self,
        problem: &Problem,
        deduce: impl Fn(&mut Self, &Problem, usize) -> Deduced,
    ) -> Result<(), Option<usize>> {
        let houses = problem.plan.houses.len();
        loop {
            while self.fixed_number > 0 {
                self.fixed_number -= 1;
                let cell = self.fixed[self.fixed_number % MAX_CELLS];
                self.exclude_from_peers(problem, cell).map_err(|_| None)?;
            }
            let Some(number) = self.take_dirty() else {
                return Ok(());
            };
            if number < houses {
                let deduced = self.find_hidden_singles(problem, &problem.plan.houses[number]);
                deduced.map_err(|_| Some(number))?;
            } else {
                deduce(self, problem, number).map_err(|_| Some(number))?;
                // If `deduce` changes cells of its sum, the sum is dirty again. It stays dirty only if `deduce` has fixed a
                // cell: it can fix two cells of a cage to the same digit, which the next deduction from the cage finds.
                if self.fixed_number == 0 {
                    self.dirty[number / 64] &= !(1 << (number % 64));
                }
            }
        }
    }

    /// Removes and returns the dirty constraint with the lowest number.
    #[inline(always)]
    fn take_dirty(&mut self) -> Option<usize> {
        for (index, word) in self.dirty.iter_mut().enumerate() {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(64 * index + bit as usize);
            }
        }
        None
    }

    /// Removes the digit of a fixed cell from the cells that must differ from it. Removes the digits one less and one greater
    /// from the cells that must not be consecutive to it.
    #[inline(always)]
    fn exclude_from_peers(&mut self, problem: &Problem, cell: u8) -> Deduced {
        let digit = self.candidates[usize::from(cell)];
        debug_assert!(digit.is_power_of_two(), "cell {cell}: {digit:b}");
        for &peer in problem.plan.peers.of(cell.into()) {
            self.restrict(problem, peer, !digit)?;
        }
        for &neighbour in problem.plan.neighbours.of(cell.into()) {
            self.restrict(problem, neighbour, !(digit << 1 | digit >> 1))?;
        }
        Ok(())
    }

    /// Fixes the digits that only one cell of a house can hold. It is a contradiction if no cell can hold a digit, or if a cell
    /// is the only one for two digits.
    #[inline(always)]
    fn find_hidden_singles(&mut self, problem: &Problem, house: &[u8]) -> Deduced {
        // With a known number of cells, the compiler unrolls the loops.
        match <&[u8; 9]>::try_from(house) {
            Ok(house) => self.find_hidden_singles_in(problem, house),
            Err(_) => self.find_hidden_singles_in(problem, house),
        }
    }

    /// Implements `find_hidden_singles`.
    #[inline(always)]
    fn find_hidden_singles_in(&mut self, problem: &Problem, house: &[u8]) -> Deduced {
        // The digits that at least one cell can hold, that at least two can hold, and that fixed cells hold.
        let (mut once, mut twice, mut fixed) = (0, 0, 0);
        for &cell in house {
            let candidates = self.candidates[usize::from(cell)];
            twice |= once & candidates;
            once |= candidates;
            if candidates & candidates.wrapping_sub(1) == 0 {
                fixed |= candidates;
            }
        }
        if once != problem.plan.every_digit() {
            return Err(Contradiction);
        }
        let hidden = once & !twice & !fixed;
        if hidden != 0 {
            for &cell in house {
                let of_cell = self.candidates[usize::from(cell)] & hidden;
                if of_cell != 0 {
                    if !of_cell.is_power_of_two() {
                        return Err(Contradiction);
                    }
                    self.restrict(problem, cell, of_cell)?;
                }
            }
        }
        Ok(())
    }
}
