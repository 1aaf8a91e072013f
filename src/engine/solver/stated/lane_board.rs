//! The candidates of many nodes of one search tree, and the deductions for all of them. A sweep
//! reads each list of cells and each combination once for all lanes of a vector.

use std::collections::BTreeMap;

use super::lane_cells::{LaneCells, from, highest_digit, lowest_digit, up_to};
use super::plan::{MAX_CELLS, StatedPlan};
use super::problem::{FIRST_STAR, MAX_SUM_CELLS, Problem, Sum, SumKind};
use super::rules::Stated;
use crate::bits::bits;
use crate::rules::Rules;
use crate::solver::constraints::houses::{
    CONSECUTIVE_BITS, ListedConstraints, SweepFlags, place_singles, sweep_group,
};
use crate::solver::constraints::singles::DigitTally;
use crate::solver::simd::Counting;

/// Searched side by side. A mask of nodes is a `u32`.
pub(super) const NODES: usize = 32;

/// Digit d is bit d-1.
pub(super) struct LaneBoard<'a, S: Counting> {
    s: S,
    pub problem: &'a Problem<'a>,
    /// Node n is in lane `n % S::LANES` of `vectors[n / S::LANES]`.
    vectors: Vec<LaneCells<S::V>>,
    /// Scratch: see `ListedConstraints::sweep`.
    forbidden: Vec<S::V>,
    sums: Vec<LaneSum<'a>>,
    listed: &'a ListedConstraints,
}

struct LaneSum<'a> {
    sum: &'a Sum,
    stated: &'a Stated,
    /// The combinations of a `SumKind::Cage` or `SumKind::Sets`; unused for other kinds.
    combinations: &'a [u16],
    /// Empty unless the kind can say that some cell must hold a digit.
    locks: Vec<Lock>,
}

/// Cells outside of a cage, or of another set of cells that must hold certain digits, that see the
/// same cells of it. A cell sees those that must differ from it by a house, group or pair. If the
/// cage must hold a digit that none of its `unseen` cells can hold, a seen cell holds it, so `cells`
/// lose it.
struct Lock {
    /// Indices into the cage.
    unseen: Vec<u8>,
    cells: Vec<u8>,
}

/// Bit n of a mask is for node n.
pub(super) struct NodeSweep {
    pub changed: u32,
    pub contradiction: u32,
    /// For each node with a contradiction, the constraint that showed it first. `None` if that was
    /// one of `LaneBoard::listed`, which have no numbers.
    pub failed_constraints: [Option<u16>; NODES],
}

impl<'a, S: Counting> LaneBoard<'a, S> {
    pub fn new(s: S, problem: &'a Problem<'a>, rules: &Rules) -> LaneBoard<'a, S> {
        let every_digit = s.splat(problem.plan.every_digit());
        let sums = problem.sums.iter();
        LaneBoard {
            s,
            problem,
            vectors: vec![[every_digit; MAX_CELLS]; NODES / S::LANES],
            forbidden: vec![every_digit; problem.plan.cells],
            sums: sums.map(|sum| LaneSum::new(problem, sum)).collect(),
            listed: problem.plan.listed(rules),
        }
    }

    #[inline(always)]
    pub fn load(&mut self, node: usize, candidates: &[u16]) {
        debug_assert_eq!(candidates.len(), self.problem.plan.cells);
        let cells = &mut self.vectors[node / S::LANES];
        for (cell, &set) in cells.iter_mut().zip(candidates) {
            self.s.lanes_mut(cell)[node % S::LANES] = set;
        }
    }

    #[inline(always)]
    pub fn read(&self, node: usize, candidates: &mut [u16]) {
        debug_assert_eq!(candidates.len(), self.problem.plan.cells);
        let cells = &self.vectors[node / S::LANES];
        for (set, cell) in candidates.iter_mut().zip(cells) {
            *set = self.s.lanes(cell)[node % S::LANES];
        }
    }

    #[inline(always)]
    pub fn set(&mut self, node: usize, cell: u8, set: u16) {
        let cell = &mut self.vectors[node / S::LANES][usize::from(cell)];
        self.s.lanes_mut(cell)[node % S::LANES] = set;
    }

    /// Sweeps the nodes in the mask `busy`. Bits of other nodes are 0 in the result.
    #[inline(always)]
    pub fn sweep(&mut self, busy: u32) -> NodeSweep {
        let mut result =
            NodeSweep { changed: 0, contradiction: 0, failed_constraints: [None; NODES] };
        for vector in 0..self.vectors.len() {
            let first_node = vector * S::LANES;
            let of_vector = busy >> first_node & (u32::MAX >> (32 - S::LANES));
            if of_vector != 0 {
                self.sweep_vector(vector, of_vector, &mut result);
            }
        }
        result
    }

    /// Adds the outcome to `result`. Bit n of `busy` is for lane n of this vector.
    #[inline(always)]
    fn sweep_vector(&mut self, vector: usize, busy: u32, result: &mut NodeSweep) {
        let (s, plan) = (self.s, self.problem.plan);
        let every_digit = s.splat(plan.every_digit());
        let cells = &mut self.vectors[vector];
        let first_node = vector * S::LANES;
        let (mut changed, mut contradiction) = (s.splat(0), 0);
        let mut note = |flags: SweepFlags<S>, number: Option<u16>| {
            changed = s.or(changed, flags.changed);
            // Only the first constraint that fails in a lane counts. The mask passed to
            // `contradictions` does not matter, because no deduction here sets `unplaced_hidden`.
            let new = flags.contradictions(u32::MAX) & busy & !contradiction;
            for lane in bits(new) {
                result.failed_constraints[first_node + lane] = number;
            }
            contradiction |= new;
        };
        for (number, house) in (0..).zip(&plan.houses) {
            let mut flags = SweepFlags::new(s, every_digit);
            // With a known number of cells, the compiler unrolls the loops.
            match <&[u8; 9]>::try_from(&house[..]) {
                Ok(house) => place_singles(house, cells, &mut flags),
                Err(_) => place_singles(house, cells, &mut flags),
            }
            note(flags, Some(number));
        }
        let mut flags = SweepFlags::new(s, every_digit);
        let (cells_of_grid, forbidden) = (&mut cells[..plan.cells], &mut self.forbidden);
        let listed = self.listed;
        listed.sweep::<S, CONSECUTIVE_BITS>(cells_of_grid, forbidden, &mut flags);
        note(flags, None);
        let stated = &self.problem.stated;
        for (number, star) in (FIRST_STAR as u16..).zip(&stated.stars) {
            let mut flags = SweepFlags::new(s, every_digit);
            star.sweep(&stated.tables, plan.side, cells, &mut flags);
            note(flags, Some(number));
        }
        for (number, sum) in (plan.houses.len() as u16..).zip(&self.sums) {
            let mut flags = SweepFlags::new(s, every_digit);
            sum.sweep(cells, &mut flags);
            note(flags, Some(number));
        }
        result.contradiction |= contradiction << first_node;
        result.changed |= (s.nonzero_lanes(changed) & busy) << first_node;
    }
}

impl<'a> LaneSum<'a> {
    fn new(problem: &'a Problem, sum: &'a Sum) -> LaneSum<'a> {
        let locks = || Lock::all_of(problem.plan, sum.cells());
        let stated = &problem.stated;
        let has_locks = match sum.kind {
            SumKind::Cage | SumKind::Sets(_) => true,
            SumKind::Counts(index) => {
                let set = &stated.count_sets[usize::from(index)];
                set.required != 0 && set.cells.len() <= MAX_SUM_CELLS
            }
            SumKind::Distinct | SumKind::Linear | SumKind::Weighted(_) => false,
        };
        LaneSum {
            sum,
            stated,
            combinations: match sum.kind {
                SumKind::Sets(index) => &stated.set_lists[usize::from(index)].masks,
                _ => problem.combinations.masks(sum.cells().len(), sum.total),
            },
            locks: has_locks.then(locks).unwrap_or_default(),
        }
    }

    #[inline(always)]
    fn sweep<S: Counting>(&self, cells: &mut LaneCells<S::V>, flags: &mut SweepFlags<S>) {
        match self.sum.kind {
            SumKind::Cage | SumKind::Sets(_) => self.sweep_cage(cells, flags),
            SumKind::Distinct => sweep_group(self.sum.cells(), cells, flags),
            SumKind::Linear => self.sweep_linear(cells, flags),
            SumKind::Weighted(index) => {
                self.stated.sums[usize::from(index)].sweep(cells, flags);
            }
            SumKind::Counts(index) => {
                let set = &self.stated.count_sets[usize::from(index)];
                set.sweep(cells, flags);
                if !self.locks.is_empty() {
                    let mut kept = [flags.s.splat(0); MAX_SUM_CELLS];
                    for (kept, &cell) in kept.iter_mut().zip(&set.cells) {
                        *kept = cells[usize::from(cell)];
                    }
                    self.exclude_locked(flags.s.splat(set.required), &kept, cells, flags);
                }
            }
        }
    }

    /// Keeps the digits of the possible combinations (`sums::keep_possible_combinations` defines
    /// "possible"). In lanes where no combination is possible, the cells of the cage keep no digit.
    #[inline(always)]
    fn sweep_cage<S: Counting>(&self, cells: &mut LaneCells<S::V>, flags: &mut SweepFlags<S>) {
        let s = flags.s;
        let none = s.splat(0);
        let of_cage = self.sum.cells();
        let mut open = [none; MAX_SUM_CELLS];
        let open = &mut open[..of_cage.len()];
        let mut kept = [none; MAX_SUM_CELLS];
        let kept = &mut kept[..of_cage.len()];
        let mut placed = none;
        for &cell in of_cage {
            placed = s.or(placed, s.single_or_none(cells[usize::from(cell)]));
        }
        for (open, &cell) in open.iter_mut().zip(of_cage) {
            let cell = cells[usize::from(cell)];
            *open = s.remove_except(cell, placed, s.single_or_none(cell));
        }
        let mut common = s.splat(u16::MAX);
        for &combination in self.combinations {
            let digits = s.splat(combination);
            let mut tally = DigitTally::new(s);
            let mut empty = none;
            for &open in &*open {
                let of_cell = s.and(open, digits);
                tally.add(of_cell);
                empty = s.or(empty, s.ones_where_zero(of_cell));
            }
            // Here, digits that no cell can hold. The next loop adds digits if several of them have
            // the same cell as their only one: all but the lowest.
            let mut wrong = s.and_not(digits, tally.once);
            // Most combinations are impossible in all lanes, so this jump saves time.
            if s.nonzero_lanes(s.and_not(s.ones_where_zero(wrong), empty)) == 0 {
                continue;
            }
            let hidden = tally.hidden(none);
            for &open in &*open {
                wrong = s.or(wrong, s.without_least(s.and(open, hidden)));
            }
            let possible = s.and_not(s.ones_where_zero(wrong), empty);
            for (kept, &open) in kept.iter_mut().zip(&*open) {
                let left = s.intersect_if_overlapping(s.and(open, digits), hidden);
                *kept = s.or_and(*kept, left, possible);
            }
            common = s.remove_except(common, possible, digits);
        }
        for (&kept, &cell) in kept.iter().zip(of_cage) {
            flags.narrow(&mut cells[usize::from(cell)], kept);
        }
        // `common` becomes empty in lanes without a possible combination.
        let common = s.and_not(common, s.ones_where_zero(kept[0]));
        self.exclude_locked(common, kept, cells, flags);
    }

    /// `common` has the digits that the cage must hold, and `kept` its candidates.
    #[inline(always)]
    fn exclude_locked<S: Counting>(
        &self,
        common: S::V,
        kept: &[S::V],
        cells: &mut LaneCells<S::V>,
        flags: &mut SweepFlags<S>,
    ) {
        let s = flags.s;
        for lock in &self.locks {
            let unseen = lock.unseen.iter();
            let locked = unseen.fold(
                common,
                #[inline(always)]
                |locked, &index| s.and_not(locked, kept[usize::from(index)]),
            );
            if s.nonzero_lanes(locked) != 0 {
                for &cell in &lock.cells {
                    let cell = &mut cells[usize::from(cell)];
                    flags.narrow(cell, s.and_not(*cell, locked));
                }
            }
        }
    }

    /// A total out of reach is a contradiction. A cell without candidates gives wrong bounds, but
    /// its lane has a contradiction already.
    #[inline(always)]
    fn sweep_linear<S: Counting>(&self, cells: &mut LaneCells<S::V>, flags: &mut SweepFlags<S>) {
        let s = flags.s;
        let sum = self.sum;
        let plus = usize::from(sum.plus);
        let none = s.splat(0);
        let [mut lowest, mut highest] = [[none; MAX_SUM_CELLS]; 2];
        let (mut least, mut most) = (none, none);
        for (index, &cell) in sum.cells().iter().enumerate() {
            let set = cells[usize::from(cell)];
            let (low, high) = (lowest_digit(s, set), highest_digit(s, set));
            (lowest[index], highest[index]) = (low, high);
            if index < plus {
                (least, most) = (s.add(least, low), s.add(most, high));
            } else {
                (least, most) = (s.subtract(least, high), s.subtract(most, low));
            }
        }
        // Digits count from 0 here, so the total is lowered by 1 for each cell with a plus sign,
        // and raised by 1 for each other cell.
        let minus = sum.cells().len() - plus;
        let total = s.splat((sum.total - plus as i32 + minus as i32) as u16);
        // The distances from the total to the least and to the greatest possible sum. Bit 15 of a
        // negative distance is set.
        let (below, above) = (s.subtract(total, least), s.subtract(most, total));
        let is_negative = s.and(s.or(below, above), s.splat(1 << 15));
        for (index, &cell) in sum.cells().iter().enumerate() {
            // The distances that the digit can have above the cell's lowest candidate and below its
            // highest. Beyond these, the other cells cannot reach the total.
            let (up, down) = if index < plus { (below, above) } else { (above, below) };
            let (low, high) = (lowest[index], highest[index]);
            let greatest = s.add(low, up);
            let smallest = s.subtract(high, s.min(high, down));
            let cell = &mut cells[usize::from(cell)];
            let left = s.and3(*cell, up_to(s, greatest), from(s, smallest));
            flags.narrow(cell, left);
        }
        flags.contradiction = s.or(flags.contradiction, is_negative);
    }
}

impl Lock {
    fn all_of(plan: &StatedPlan, cage: &[u8]) -> Vec<Lock> {
        // For each cell of the grid, the cells of the cage that it sees: bit i for `cage[i]`.
        let mut seen_by = [0u16; MAX_CELLS];
        for (index, &cell) in cage.iter().enumerate() {
            for &peer in plan.peers.of(cell.into()) {
                seen_by[usize::from(peer)] |= 1 << index;
            }
        }
        let mut cells_by_seen: BTreeMap<u16, Vec<u8>> = BTreeMap::new();
        for (cell, &seen) in (0..=u8::MAX).zip(&seen_by) {
            if seen != 0 && !cage.contains(&cell) {
                cells_by_seen.entry(seen).or_default().push(cell);
            }
        }
        let locks = cells_by_seen.into_iter().map(|(seen, cells)| {
            let unseen = (0..cage.len() as u8).filter(|index| seen >> index & 1 == 0);
            Lock { unseen: unseen.collect(), cells }
        });
        locks.collect()
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::random::Random;
    use crate::solver::combinations::Combinations;
    use crate::solver::simd::CountingJob;
    use crate::solver::simd::level::Level;
    use crate::solver::stated::tests::{enumerate, rules, within_bounds};

    /// Returns random candidates of `number` cells for each lane.
    fn random_lanes(number: usize, lanes: usize, random: &mut Random) -> Vec<Vec<u16>> {
        let mut set = || {
            let set = random.below(1 << 9) & random.below(1 << 9) | 1 << random.below(9);
            set as u16
        };
        let mut lane = || (0..number).map(|_| set()).collect();
        (0..lanes).map(|_| lane()).collect()
    }

    /// Sweeps random cages and linear sums, and compares each lane with `enumerate` and
    /// `within_bounds`.
    #[derive(Clone, Copy)]
    struct SweepsSums;

    impl CountingJob for SweepsSums {
        type Answer = ControlFlow<()>;

        fn run<S: Counting>(self, s: S) -> ControlFlow<()> {
            let mut random = Random::new(3);
            let (mut failures, mut exact_cages) = (0, 0);
            for round in 0..120 {
                let number = 2 + round % 4;
                let cells = 0..number as u16;
                let minus = random.below(number as u32) as usize;
                let plus = number - minus;
                let total = 5 + random.below(5 * number as u32) as i32;
                let difference = random.below(12) as i32;
                let cage = Sum::new(SumKind::Cage, cells.clone(), [], total);
                let linear = match minus {
                    0 => Sum::new(SumKind::Linear, cells, [], total),
                    _ => {
                        let (plus, minus) = (0..plus as u16, plus as u16..cells.end);
                        Sum::new(SumKind::Linear, plus, minus, difference)
                    }
                };
                let lanes = random_lanes(number, S::LANES, &mut random);
                for sum in [&cage, &linear] {
                    let masks = Combinations::of_side(9).masks(number, sum.total);
                    let stated = &Stated::default();
                    let swept = LaneSum { sum, stated, combinations: masks, locks: Vec::new() };
                    let mut sets = [s.splat(0x1ff); MAX_CELLS];
                    for (lane, of_lane) in lanes.iter().enumerate() {
                        for (set, &candidates) in sets.iter_mut().zip(of_lane) {
                            s.lanes_mut(set)[lane] = candidates;
                        }
                    }
                    let mut flags = SweepFlags::new(s, s.splat(0x1ff));
                    swept.sweep(&mut sets, &mut flags);
                    let failed = flags.contradictions(u32::MAX);
                    for (lane, of_lane) in lanes.iter().enumerate() {
                        let has_failed = failed >> lane & 1 == 1;
                        let kept: Vec<u16> =
                            sets[..number].iter().map(|set| s.lanes(set)[lane]).collect();
                        let is_cage = sum.kind == SumKind::Cage;
                        let plus = if is_cage { number } else { plus };
                        let exact = enumerate(of_lane, plus, sum.total, is_cage);
                        let case = format!("{sum:?} {of_lane:x?}: {kept:x?}, {exact:x?}");
                        if is_cage {
                            assert!(!has_failed || exact[0] == 0, "{case}");
                        } else {
                            let bounds = within_bounds(of_lane, plus, sum.total);
                            let bounds = bounds.filter(|kept| !kept.contains(&0));
                            assert_eq!((!has_failed).then_some(&kept), bounds.as_ref(), "{case}");
                        }
                        if !has_failed {
                            for ((kept, old), exact) in kept.iter().zip(of_lane).zip(&exact) {
                                assert!(kept & !old == 0 && exact & !kept == 0, "{case}");
                            }
                            let has_changed = s.lanes(&flags.changed)[lane] != 0;
                            assert_eq!(has_changed, &kept != of_lane, "{case}");
                        }
                        failures += usize::from(has_failed);
                        exact_cages += usize::from(is_cage && kept == exact);
                    }
                }
            }
            // Few deductions are missed.
            let all = 120 * S::LANES;
            assert!(failures > all / 20, "{failures}");
            assert!(exact_cages > all * 3 / 4, "{exact_cages} of {all}");
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn sums_keep_what_reaches_the_total_in_every_lane() {
        for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
            let _ = level.run_counting(SweepsSums);
        }
    }

    /// Sweeps a 9x9 whose r1c3 and r2c5, a knight's move apart, hold these digits in the first
    /// node. Returns whether that is a contradiction of no house or sum.
    #[derive(Clone, Copy)]
    struct SweepsPair<'a>(&'a Rules, [u16; 2]);

    impl CountingJob for SweepsPair<'_> {
        type Answer = bool;

        fn run<S: Counting>(self, s: S) -> bool {
            let SweepsPair(rules, digits) = self;
            let plan = StatedPlan::new(rules);
            let problem = Problem::new(&plan, &[]);
            let mut board = LaneBoard::new(s, &problem, rules);
            let mut candidates = vec![0x1ff; 81];
            for (cell, digit) in [2, 13].into_iter().zip(digits) {
                candidates[cell] = 1 << (digit - 1);
            }
            board.load(0, &candidates);
            let sweep = board.sweep(1);
            sweep.contradiction == 1 && sweep.failed_constraints[0].is_none()
        }
    }

    #[test]
    fn cells_of_a_pair_with_digits_that_it_forbids_are_a_contradiction() {
        for level in Level::NAMES.iter().filter_map(|name| Level::named(name)) {
            for (variants, digits, expected) in [
                ("antiknight", [1, 1], true),
                ("antiknight", [1, 2], false),
                ("classic", [1, 1], false),
            ] {
                let rules = rules(9, variants);
                let found = level.run_counting(SweepsPair(&rules, digits));
                assert_eq!(found, expected, "{level:?} {variants} {digits:?}");
            }
        }
    }
}
