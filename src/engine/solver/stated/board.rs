//! The state of a node of the search. `StatedBoard` makes the deductions from fixed cells,
//! houses and the tables of changed cells; `sums.rs` makes those from sums.

use super::contradiction::{Contradiction, Deduced};
use super::plan::{Cells, MAX_CELLS};
use super::problem::{ConstraintSet, FIRST_STAR, Problem};
use crate::rules::ForbiddenDigits;

#[derive(Debug)]
pub(super) struct StatedBoard {
    /// Bit d-1 is digit d.
    pub candidates: [u16; MAX_CELLS],
    /// The constraints that are new or one of whose cells has changed.
    dirty: ConstraintSet,
    /// A stack, `fixed[..fixed_number]`, of the cells with one candidate for which
    /// `exclude_from_peers` is still to be called. Until `forget_changes`, each cell is pushed at
    /// most once, so there is room.
    fixed: [u8; MAX_CELLS],
    fixed_number: usize,
    /// Changed cells whose tables (`Stated::stars`) are still to be applied. Empty without tables.
    moved: Cells,
}

impl StatedBoard {
    pub fn new(problem: &Problem) -> StatedBoard {
        let mut board = StatedBoard {
            candidates: [problem.plan.every_digit(); MAX_CELLS],
            dirty: ConstraintSet::default(),
            fixed: [0; MAX_CELLS],
            fixed_number: 0,
            moved: problem.stated.starred,
        };
        board.note_new_constraints(problem, 0);
        board
    }

    #[inline(always)]
    pub fn grid_candidates(&self, problem: &Problem) -> &[u16] {
        &self.candidates[..problem.plan.cells]
    }

    pub fn note_new_constraints(&mut self, problem: &Problem, first: usize) {
        for number in first..problem.constraints() {
            self.dirty[number / 64] |= 1 << (number % 64);
        }
    }

    #[inline(always)]
    pub fn forget_changes(&mut self) {
        self.dirty = ConstraintSet::default();
        self.fixed_number = 0;
        self.moved = Cells::default();
    }

    /// Returns an error, and changes nothing, if no candidate would be left.
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

    #[inline(always)]
    pub fn note_change(&mut self, problem: &Problem, cell: u8) {
        let candidates = self.candidates[usize::from(cell)];
        debug_assert!(candidates != 0);
        let is_fixed = candidates & (candidates - 1) == 0;
        if is_fixed {
            debug_assert!(self.fixed_number < MAX_CELLS, "a cell is fixed once");
            // `% MAX_CELLS` removes the bounds check.
            self.fixed[self.fixed_number % MAX_CELLS] = cell;
            self.fixed_number += 1;
        }
        if !problem.stated.stars.is_empty() {
            self.moved.insert(cell.into());
        }
        let constraints = &problem.of_cell[usize::from(cell)];
        for (dirty, word) in self.dirty.iter_mut().zip(constraints) {
            *dirty |= word;
        }
    }

    /// Deduces until `fixed` and `dirty` are empty. Each step takes a cell from `fixed` if there is
    /// one, else the lowest constraint in `dirty` (houses come before sums). The error is the
    /// constraint that shows a contradiction, or `None` if the peers of a fixed cell show it.
    ///
    /// `deduce` is `sums::deduce`, passed in so that the two files do not import each other.
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
            if !problem.stated.stars.is_empty()
                && let Some(cell) = self.moved.iter().next()
            {
                self.moved.remove(cell);
                self.apply_tables(problem, cell as u8)?;
                continue;
            }
            let Some(number) = self.take_dirty() else {
                return Ok(());
            };
            if number < houses {
                let deduced = self.find_hidden_singles(problem, &problem.plan.houses[number]);
                deduced.map_err(|_| Some(number))?;
            } else {
                deduce(self, problem, number).map_err(|_| Some(number))?;
                // If `deduce` has changed cells of its sum, the sum is in `dirty` again. It stays
                // there only if `deduce` has fixed a cell. It may have fixed two cells of a cage to
                // the same digit. Cells of a cage are not peers, so only the next deduction from
                // the cage finds this contradiction.
                if self.fixed_number == 0 {
                    self.dirty[number / 64] &= !(1 << (number % 64));
                }
            }
        }
    }

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

    #[inline(always)]
    fn exclude_from_peers(&mut self, problem: &Problem, cell: u8) -> Deduced {
        let digit = self.candidates[usize::from(cell)];
        debug_assert!(digit.is_power_of_two(), "cell {cell}: {digit:b}");
        for &peer in problem.plan.peers.of(cell.into()) {
            self.restrict(problem, peer, !digit)?;
        }
        for &neighbour in problem.plan.neighbours.of(cell.into()) {
            let excluded = ForbiddenDigits::Consecutive.beside(digit.into()) as u16;
            self.restrict(problem, neighbour, !excluded)?;
        }
        Ok(())
    }

    /// Applies the tables of a changed cell. The error is the number of its star.
    #[inline(never)]
    fn apply_tables(&mut self, problem: &Problem, cell: u8) -> Result<(), Option<usize>> {
        let stated = &problem.stated;
        if !stated.starred.contains(cell.into()) {
            return Ok(());
        }
        let number = usize::from(stated.star_of[usize::from(cell)]);
        let set = self.candidates[usize::from(cell)];
        for &(other, table) in &stated.stars[number].arms {
            let left = stated.tables[table as usize].support(set);
            self.restrict(problem, other, left).map_err(|_| Some(FIRST_STAR + number))?;
        }
        Ok(())
    }

    #[inline(always)]
    fn find_hidden_singles(&mut self, problem: &Problem, house: &[u8]) -> Deduced {
        // With a known number of cells, the compiler unrolls the loops.
        match <&[u8; 9]>::try_from(house) {
            Ok(house) => self.find_hidden_singles_in(problem, house),
            Err(_) => self.find_hidden_singles_in(problem, house),
        }
    }

    #[inline(always)]
    fn find_hidden_singles_in(&mut self, problem: &Problem, house: &[u8]) -> Deduced {
        let (mut once, mut twice, mut fixed) = (0, 0, 0);
        for &cell in house {
            let candidates = self.candidates[usize::from(cell)];
            twice |= once & candidates;
            once |= candidates;
            let is_fixed = candidates & candidates.wrapping_sub(1) == 0;
            if is_fixed {
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
