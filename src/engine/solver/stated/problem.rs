//! The constraints of one puzzle: the houses of its plan, its cages, what it states besides, and
//! sums that follow.
//!
//! Constraints are numbered: the houses first, then the sums (the cages, stated sums, counts and
//! sets, those of the rule of 45, combined sums). Groups, pairs and the houses that are not in
//! `StatedPlan::houses` have no numbers: they act through the peers and neighbours of the plan or,
//! in lanes, through `StatedPlan::listed`.

use super::branching::Weights;
use super::combined_sums::{PlainSum, combine};
use super::plan::{Cells, MAX_CELLS, MAX_HOUSES, StatedPlan};
use super::rules::{Stated, Weighted};
use crate::rules::{Cage, PairTable, Rules, WeightedSum};
use crate::solver::combinations::Combinations;

/// Bit `number % 64` of word `number / 64`.
pub(super) type ConstraintSet = [u64; WORDS];

const WORDS: usize = 4;
// A set has room for all houses of a plan and all cages of two or more cells.
const _: () = assert!(MAX_HOUSES + MAX_CELLS / 2 <= 64 * WORDS);

/// The tables of star n (`Stated::stars`) have this number plus n in reports of contradictions.
pub(super) const FIRST_STAR: usize = 64 * WORDS;

/// A cage has at most N cells, and N is at most 16. Sums from the rule of 45 have at most 6.
pub(super) const MAX_SUM_CELLS: usize = 16;

/// Its cells share it: see `Problem::weigh_stated`.
const WEIGHT_OF_SUM: f32 = 30.0;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SumKind {
    /// The digits differ and add up to the total.
    Cage,
    /// The digits differ: a cage without a sum.
    Distinct,
    /// The digits add up to the total, those of the cells after the first `Sum::plus` with a minus
    /// sign. They can be equal.
    Linear,
    /// An element of `Stated::sums`. Only its first cells are in the `Sum`.
    Weighted(u8),
    /// An element of `Stated::count_sets`. Only its first cells are in the `Sum`.
    Counts(u8),
    /// An element of `Stated::set_lists`: the digits differ, and together are one of some sets.
    Sets(u8),
}

#[derive(Clone, Debug)]
pub(super) struct Sum {
    pub kind: SumKind,
    /// 0 and unused for kinds without a total.
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
    pub plan: &'a StatedPlan,
    pub combinations: &'static Combinations,
    pub sums: Vec<Sum>,
    pub of_cell: Box<[ConstraintSet; MAX_CELLS]>,
    pub stated: Stated,
}

impl Problem<'_> {
    /// Leaves out cages of one cell, which `StatedSearch::load` applies.
    pub fn new<'a>(plan: &'a StatedPlan, cages: &[Cage]) -> Problem<'a> {
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
            stated: Stated::default(),
        };
        for cage in cages.iter().filter(|cage| cage.cells().len() > 1) {
            let with_sum = |sum: u16| (SumKind::Cage, sum.into());
            let (kind, total) = cage.sum.map_or((SumKind::Distinct, 0), with_sum);
            problem.add(Sum::new(kind, cage.cells().iter().copied(), [], total));
        }
        problem
    }

    /// Adds the rules that the puzzle states. Sums of different digits become cages.
    pub fn add_stated(&mut self, rules: &Rules) {
        let Some(stated) = rules.stated() else { return };
        let mut linear = stated.clone();
        for mut sum in linear.take_sums() {
            self.reduce(&mut sum);
            let cells: Cells = sum.terms.iter().map(|&(cell, _)| cell).collect();
            let is_plain = sum.terms.iter().all(|&(_, weight)| weight == 1);
            if let &[(a, x), (b, y)] = &sum.terms[..] {
                let [x, y] = [x, y].map(i32::from);
                let reaches = |a: i32, b: i32| x * a + y * b == sum.total;
                linear.merge_pair(a, b, PairTable::new(self.plan.side, reaches));
            } else if is_plain
                && (1..=self.plan.side).contains(&sum.terms.len())
                && self.plan.all_differ(&cells)
            {
                self.add(Sum::new(SumKind::Cage, cells.iter(), [], sum.total));
            } else {
                linear.push_sum(sum);
            }
        }
        let own = Stated::new(&linear, &self.plan.sees);
        for (index, sum) in (0..).zip(&own.sums) {
            self.add_own(SumKind::Weighted(index), &sum.cells);
        }
        for (index, set) in (0..).zip(&own.count_sets) {
            self.add_own(SumKind::Counts(index), &set.cells);
        }
        for (index, list) in (0..).zip(&own.set_lists) {
            self.add_own(SumKind::Sets(index), &list.cells);
        }
        self.stated = own;
    }

    /// Lets the search begin with the cells that stated rules restrict, those of short sums first.
    // Without these weights, region sums and arrows take twice as many guesses, whispers two thirds
    // more. Tried: 30 for each cell of a sum. Sums of 4 to 8 cells took a fifth more guesses.
    pub fn weigh_stated(&self, weights: &mut Weights) {
        let stated = &self.stated;
        let cages = self.sums.iter().filter(|sum| sum.kind == SumKind::Cage).map(Sum::cells);
        for cells in stated.sums.iter().map(|sum| &sum.cells[..]).chain(cages) {
            weights.add(cells, WEIGHT_OF_SUM / cells.len() as f32);
        }
        let counted = stated.count_sets.iter().map(|set| &set.cells);
        for cells in stated.set_lists.iter().map(|list| &list.cells).chain(counted) {
            weights.add(cells, 1.0);
        }
        for star in &stated.stars {
            weights.add(&[star.center], star.arms.len() as f32);
        }
    }

    /// Adds sums that follow from those that the puzzle states, as long as there is room.
    pub fn add_combined_sums(&mut self) {
        let plain = self.stated.sums.iter().filter_map(Weighted::plain);
        for PlainSum { cells, total } in combine(plain.collect::<Vec<_>>(), self.plan) {
            if !self.has_room() {
                break;
            }
            let terms = cells.iter().map(|cell| (cell, 1)).collect();
            let mut sum = WeightedSum { terms, total, rule: 0 };
            self.reduce(&mut sum);
            let sum = Weighted::new(&sum.terms, sum.total, &self.plan.sees);
            self.add_own(SumKind::Weighted(self.stated.sums.len() as u8), &sum.cells);
            self.stated.sums.push(sum);
        }
    }

    /// Applies the rule of 45: takes a house out of the sum if more than half of its cells have one
    /// weight.
    fn reduce(&self, sum: &mut WeightedSum) {
        let mut weights = [0i32; MAX_CELLS];
        for &(cell, weight) in &sum.terms {
            weights[usize::from(cell)] = weight.into();
        }
        for _ in 0..3 {
            for house in &self.plan.houses {
                let of_house = house.iter().map(|&cell| weights[usize::from(cell)]);
                let common = of_house.clone().find(|&weight| {
                    weight != 0
                        && 2 * of_house.clone().filter(|&it| it == weight).count() > house.len()
                });
                // Weights stay small.
                let is_small =
                    |weight: i32| of_house.clone().all(|it| (it - weight).abs() < 10_000);
                let Some(weight) = common.filter(|&weight| is_small(weight)) else { continue };
                for &cell in house {
                    weights[usize::from(cell)] -= weight;
                }
                sum.total -= weight * self.plan.sum_of_house();
            }
        }
        let terms = (0u16..).zip(weights).filter(|&(_, weight)| weight != 0);
        sum.terms = terms.map(|(cell, weight)| (cell, weight as i16)).collect();
    }

    fn add_own(&mut self, kind: SumKind, cells: &[u8]) {
        assert!(self.has_room(), "`StatedRules::check` refuses more");
        let number = self.constraints();
        for &cell in cells {
            self.of_cell[usize::from(cell)][number / 64] |= 1 << (number % 64);
        }
        let counted = cells.iter().take(MAX_SUM_CELLS).map(|&cell| cell.into());
        self.sums.push(Sum::new(kind, counted, [], 0));
    }

    pub fn constraints(&self) -> usize {
        self.plan.houses.len() + self.sums.len()
    }

    #[inline(always)]
    pub fn cells_of(&self, number: usize) -> &[u8] {
        if let Some(star) = number.checked_sub(FIRST_STAR) {
            return &self.stated.stars[star].cells;
        }
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
