//! The constraints of one puzzle: the houses of its plan, its cages, and sums that follow.
//!
//! Constraints are numbered: the houses first, then the sums (the cages, then those of the rule of
//! 45). Groups, pairs and the houses that are not in `KillerPlan::houses` have no numbers: they act
//! through the peers and neighbours of the plan or, in lanes, through `KillerPlan::listed`.

use super::plan::{KillerPlan, MAX_CELLS, MAX_HOUSES};
use crate::rules::Cage;
use crate::solver::combinations::Combinations;

/// Bit `number % 64` of word `number / 64`.
pub(super) type ConstraintSet = [u64; WORDS];

const WORDS: usize = 4;
// A set has room for all houses of a plan and all cages of two or more cells.
const _: () = assert!(MAX_HOUSES + MAX_CELLS / 2 <= 64 * WORDS);

/// A cage has at most N cells, and N is at most 16. Sums from the rule of 45 have at most 6.
pub(super) const MAX_SUM_CELLS: usize = 16;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumKind {
    /// The digits differ and add up to the total.
    Cage,
    /// The digits differ: a cage without a sum.
    Distinct,
    /// The digits add up to the total, those of the cells after the first `Sum::plus` with a minus
    /// sign. They can be equal.
    Linear,
}

#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub kind: SumKind,
    /// 0 and unused for `SumKind::Distinct`.
    pub total: i32,
    /// The first `number` entries are used.
    cells: [u8; MAX_SUM_CELLS],
    number: u8,
    /// The number of cells with a plus sign, which are first in `cells`.
    pub plus: u8,
}

impl Sum {
    /// The cells in `minus` have a minus sign. There must be at most `MAX_SUM_CELLS` cells.
    pub fn new(
        kind: SumKind,
        plus: impl IntoIterator<Item = u16>,
        minus: impl IntoIterator<Item = u16>,
        total: i32,
    ) -> Sum {
        let mut sum = Sum { kind, total, cells: [0; MAX_SUM_CELLS], number: 0, plus: 0 };
        for cell in plus {
            sum.push(cell);
        }
        sum.plus = sum.number;
        for cell in minus {
            sum.push(cell);
        }
        debug_assert!(sum.plus == sum.number || kind == SumKind::Linear);
        sum
    }

    fn push(&mut self, cell: u16) {
        self.cells[usize::from(self.number)] = cell as u8;
        self.number += 1;
    }

    #[inline(always)]
    pub fn cells(&self) -> &[u8] {
        &self.cells[..usize::from(self.number).min(MAX_SUM_CELLS)]
    }
}

#[derive(Debug)]
pub(super) struct Problem<'a> {
    pub plan: &'a KillerPlan,
    pub combinations: &'static Combinations,
    pub sums: Vec<Sum>,
    pub of_cell: Box<[ConstraintSet; MAX_CELLS]>,
}

impl Problem<'_> {
    /// Leaves out cages of one cell, which `KillerSearch::load` applies.
    pub fn new<'a>(plan: &'a KillerPlan, cages: &[Cage]) -> Problem<'a> {
        let mut of_cell = Box::new([ConstraintSet::default(); MAX_CELLS]);
        for (number, house) in plan.houses.iter().enumerate() {
            for &cell in house {
                of_cell[usize::from(cell)][number / 64] |= 1 << (number % 64);
            }
        }
        let mut problem = Problem {
            combinations: Combinations::of_side(plan.side),
            plan,
            sums: Vec::new(),
            of_cell,
        };
        for cage in cages.iter().filter(|cage| cage.cells().len() > 1) {
            let with_sum = |sum: u16| (SumKind::Cage, sum.into());
            let (kind, total) = cage.sum.map_or((SumKind::Distinct, 0), with_sum);
            problem.add(Sum::new(kind, cage.cells().iter().copied(), [], total));
        }
        problem
    }

    pub fn constraints(&self) -> usize {
        self.plan.houses.len() + self.sums.len()
    }

    #[inline(always)]
    pub fn cells_of(&self, number: usize) -> &[u8] {
        match number.checked_sub(self.plan.houses.len()) {
            None => &self.plan.houses[number],
            Some(sum) => self.sums[sum].cells(),
        }
    }

    pub fn has_room(&self) -> bool {
        self.constraints() < 64 * WORDS
    }

    pub fn add(&mut self, sum: Sum) {
        assert!(self.has_room(), "too many constraints");
        let number = self.constraints();
        for &cell in sum.cells() {
            self.of_cell[usize::from(cell)][number / 64] |= 1 << (number % 64);
        }
        self.sums.push(sum);
    }
}
