//! The rule of 45: every house of a 9x9 adds up to 45, and a union of houses that share no cell to
//! a multiple of 45. This total, less the sums of the cages inside the union, is the sum of the
//! union's other cells.
//!
//! ```text
//!     a a a b b c c c c      Row 1 adds up to 45. Cages a and b lie inside, so the four cells of c in row 1 (innies) add up
//!     d d d d e e e c c      to 45 - a - b. Both cells of c outside the row (outies) add up to a + b + c - 45.
//! ```
//!
//! A cage that lies partly in the union can be used in two ways. Either its cells inside the union
//! have a plus sign in the new sum. Or its sum is subtracted from the total, and its cells outside
//! have a minus sign.

use std::ops::RangeInclusive;

use super::plan::{Cells, MAX_CELLS, Union};
use super::problem::{Problem, Sum, SumKind};
use crate::rules::{Cage, CellSet};

/// Each round adds sums to a stuck puzzle. The last one visits all unions again, for longer sums.
static ROUNDS: [Round; 3] = [
    Round { houses: 1..=1, max_different: 3, max_linear: 3 },
    Round { houses: 2..=2, max_different: 3, max_linear: 3 },
    Round { houses: 1..=usize::MAX, max_different: 6, max_linear: 5 },
];

struct Round {
    /// The numbers of houses of the unions that the round visits.
    houses: RangeInclusive<usize>,
    /// The maximum number of cells of a `SumKind::Cage`: no minus signs, and all digits differ.
    max_different: usize,
    /// The same for a `SumKind::Linear`.
    max_linear: usize,
}

/// The number of cells of a linear sum, times the side, must be less than this. That is about the
/// number of totals that the cells can have: if there are many, the bounds of the sum exclude few
/// digits.
const MAX_TOTALS: usize = 64;

#[derive(Clone, Copy, Debug)]
struct SummedCage {
    cells: Cells,
    number: usize,
    sum: i32,
}

#[derive(Debug)]
pub(super) struct RuleOf45 {
    cages: Vec<SummedCage>,
    /// Indices in `cages`.
    cage_of: [u8; MAX_CELLS],
    caged: Cells,
    /// The cells with a plus and with a minus sign of each sum, so that none is added twice.
    known: Vec<[Cells; 2]>,
    rounds: usize,
}

#[derive(Clone, Copy)]
struct UnionSum<const N: usize> {
    plus: CellSet<N>,
    minus: CellSet<N>,
    total: i32,
}

impl RuleOf45 {
    #[inline(always)]
    pub fn new(cages: &[Cage]) -> RuleOf45 {
        let mut rule_of_45 = RuleOf45 {
            cages: Vec::new(),
            cage_of: [0; MAX_CELLS],
            caged: Cells::default(),
            known: Vec::new(),
            rounds: 0,
        };
        for cage in cages {
            let Some(sum) = cage.sum else { continue };
            let mut cells = Cells::default();
            for &cell in cage.cells() {
                rule_of_45.cage_of[usize::from(cell)] = rule_of_45.cages.len() as u8;
                cells.insert(cell);
            }
            rule_of_45.caged = rule_of_45.caged.union(&cells);
            rule_of_45.cages.push(SummedCage {
                cells,
                number: cage.cells().len(),
                sum: sum.into(),
            });
        }
        debug_assert!(rule_of_45.cages.len() <= MAX_CELLS);
        rule_of_45
    }

    pub fn has_rounds_left(&self) -> bool {
        self.rounds < ROUNDS.len()
    }

    /// Adds the sums of the next round. Stops at the first impossible one and returns false.
    #[inline(always)]
    pub fn add_sums(&mut self, problem: &mut Problem) -> bool {
        let round = &ROUNDS[self.rounds];
        self.rounds += 1;
        let plan = problem.plan;
        let unions = plan.unions.iter();
        let mut unions = unions.filter(|union| round.houses.contains(&union.houses));
        // Sets of two words of 64 bits instead of four, for speed.
        if plan.cells <= 2 * 64 {
            unions.all(|union| self.add_sums_of_union::<2>(problem, round, union))
        } else {
            unions.all(|union| self.add_sums_of_union::<4>(problem, round, union))
        }
    }

    /// Adds at most three sums, which differ in their use of the cages that lie partly in the
    /// union. Stops at the first impossible one and returns false.
    #[inline(always)]
    fn add_sums_of_union<const N: usize>(
        &mut self,
        problem: &mut Problem,
        round: &Round,
        union: &Union,
    ) -> bool {
        let (cells, caged) = (union.cells.resized(), self.caged.resized());
        // For each cage partly in the union, the first sum has the cells inside, the second those
        // outside, and the third those on the side with fewer cells (inside if equally many).
        let mut sums: [UnionSum<N>; 3] =
            [UnionSum { plus: cells.difference(&caged), minus: CellSet::default(), total: 0 }; 3];
        // The sum of the union less, at the end of the loop, the sums of the cages inside.
        let mut total = union.houses as i32 * problem.plan.sum_of_house();
        let mut shortest = sums[2].plus.len();
        let mut unvisited = cells.intersection(&caged);
        while let Some(cell) = unvisited.iter().next() {
            let cage = &self.cages[usize::from(self.cage_of[usize::from(cell)])];
            let of_cage = cage.cells.resized();
            let inside = of_cage.intersection(&cells);
            unvisited = unvisited.difference(&inside);
            let inner = inside.len();
            let outer = cage.number - inner;
            if outer == 0 {
                total -= cage.sum;
                continue;
            }
            shortest += inner.min(outer);
            // No sum is shorter than the third, and no limit is greater than `max_different`.
            if shortest > round.max_different {
                return true;
            }
            let outside = of_cage.difference(&cells);
            for (sum, uses_outside) in sums.iter_mut().zip([false, true, outer < inner]) {
                if uses_outside {
                    sum.minus = sum.minus.union(&outside);
                    sum.total -= cage.sum;
                } else {
                    sum.plus = sum.plus.union(&inside);
                }
            }
        }
        let [of_first, of_second, of_third] = sums.map(|sum| sum.plus.len() + sum.minus.len());
        // Unless the third sum is shorter than each of the others, it equals one of them, except
        // perhaps in the use of cages with equally many cells on both sides.
        let number_of_sums = 2 + usize::from(of_third < of_first.min(of_second));
        sums[..number_of_sums].iter_mut().all(|sum| {
            sum.total += total;
            self.add_sum(problem, round, *sum)
        })
    }

    /// Returns false if the sum is impossible: no cells, but a total other than 0.
    #[inline(always)]
    fn add_sum<const N: usize>(
        &mut self,
        problem: &mut Problem,
        round: &Round,
        sum: UnionSum<N>,
    ) -> bool {
        let UnionSum { mut plus, mut minus, mut total } = sum;
        if plus.is_empty() {
            (plus, minus, total) = (minus, plus, -total);
        }
        let number = plus.len() + minus.len();
        if number == 0 {
            return total == 0;
        }
        let cells = [plus, minus].map(|cells| cells.resized());
        if number > round.max_different || self.known.contains(&cells) {
            return true;
        }
        let is_cage = minus.is_empty() && problem.plan.all_differ(&cells[0]);
        let is_short = number <= round.max_linear && number * problem.plan.side < MAX_TOTALS;
        if (is_cage || is_short) && problem.has_room() {
            let kind = if is_cage { SumKind::Cage } else { SumKind::Linear };
            self.known.push(cells);
            problem.add(Sum::new(kind, plus.iter(), minus.iter(), total));
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::super::plan::StatedPlan;
    use super::super::tests::{full_grid, random_cages, rules};
    use super::*;
    use crate::random::Random;

    /// The cells of each crossing cage that a sum uses. A crossing cage has cells inside and
    /// outside of the union.
    #[derive(Clone, Copy)]
    enum BorderSide {
        /// The cells inside the union.
        Inside,
        /// The cells outside the union.
        Outside,
        /// For each cage, the side on which it has fewer cells; the inside if it has equally many.
        Fewer,
    }

    /// The cells with a plus sign, and those with a minus sign.
    type NaiveCells = (Vec<u8>, Vec<u8>);

    /// Returns the sums of all rounds up to this one, or nothing if one is impossible.
    fn naive_sums(
        plan: &StatedPlan,
        cages: &[Cage],
        round: usize,
    ) -> Option<BTreeMap<NaiveCells, i32>> {
        let mut sums = BTreeMap::new();
        let number = |cells: &NaiveCells| cells.0.len() + cells.1.len();
        for round in &ROUNDS[..=round] {
            let unions = plan.unions.iter();
            for union in unions.filter(|union| union.houses <= *round.houses.end()) {
                let mut sides = [BorderSide::Inside, BorderSide::Outside, BorderSide::Fewer]
                    .map(|side| naive_sum(plan, cages, union, side))
                    .to_vec();
                if number(&sides[2].0) >= number(&sides[0].0).min(number(&sides[1].0)) {
                    sides.pop();
                }
                for (cells, total) in sides {
                    let number = number(&cells);
                    let is_cage = cells.1.is_empty() && all_differ(plan, &cells.0);
                    let is_linear = number <= round.max_linear && number * plan.side < MAX_TOTALS;
                    if number == 0 && total != 0 {
                        return None;
                    }
                    if number > 0 && number <= round.max_different && (is_cage || is_linear) {
                        sums.entry(cells).or_insert(total);
                    }
                }
            }
        }
        Some(sums)
    }

    fn all_differ(plan: &StatedPlan, cells: &[u8]) -> bool {
        plan.all_differ(&cells.iter().map(|&cell| cell.into()).collect())
    }

    /// Returns the sum of one side of a union, by its definition. Subtracts each cage that lies
    /// inside or is used outside: its cells inside lose their plus sign, and its cells outside get
    /// a minus sign.
    fn naive_sum(
        plan: &StatedPlan,
        cages: &[Cage],
        union: &Union,
        side: BorderSide,
    ) -> (NaiveCells, i32) {
        let (mut plus, mut minus) =
            (union.cells.iter().map(|cell| cell as u8).collect::<Vec<u8>>(), Vec::new());
        let mut total = union.houses as i32 * plan.sum_of_house();
        for cage in cages.iter().filter(|cage| cage.sum.is_some()) {
            let cells = cage.cells().iter().map(|&cell| cell as u8);
            let (inside, outside): (Vec<u8>, Vec<u8>) =
                cells.partition(|&cell| union.cells.contains(cell.into()));
            let uses_inside = match side {
                BorderSide::Inside => true,
                BorderSide::Outside => false,
                BorderSide::Fewer => inside.len() <= outside.len(),
            };
            if !inside.is_empty() && (outside.is_empty() || !uses_inside) {
                total -= i32::from(cage.sum.unwrap());
                plus.retain(|cell| !inside.contains(cell));
                minus.extend(outside);
            }
        }
        minus.sort_unstable();
        if plus.is_empty() {
            return ((minus, plus), -total);
        }
        ((plus, minus), total)
    }

    #[test]
    fn the_sums_are_those_of_the_definition() {
        let mut numbers = [0; ROUNDS.len()];
        let mut impossible = 0;
        for (side, variants) in [
            (4, "classic"),
            (6, "diagonal"),
            (9, "classic"),
            (9, "window"),
            (9, "jigsaw"),
            (12, "classic"),
            (16, "classic"),
        ] {
            let rules = Arc::new(rules(side, variants));
            let plan = StatedPlan::new(&rules);
            for seed in 0..20 {
                let mut random = Random::new(seed);
                let grid = full_grid(&rules, seed % 8);
                let has_wrong_sum = seed % 4 == 0;
                let most = if has_wrong_sum { 1 } else { 2 + random.below(6) };
                let mut cages = random_cages(&grid, side, most, &mut random);
                if has_wrong_sum {
                    let index = random.below(cages.len() as u32) as usize;
                    cages[index].sum = cages[index].sum.map(|sum| sum + 1);
                }
                let mut problem = Problem::new(&plan, &[]);
                let mut rule_of_45 = RuleOf45::new(&cages);
                for round in 0..ROUNDS.len() {
                    let is_possible = rule_of_45.add_sums(&mut problem);
                    let expected = naive_sums(&plan, &cages, round);
                    assert_eq!(is_possible, expected.is_some(), "{cages:?}");
                    let Some(expected) = expected else {
                        impossible += 1;
                        break;
                    };
                    let found = problem.sums.iter().map(|sum| {
                        let (plus, minus) = sum.cells().split_at(sum.plus.into());
                        ((plus.to_vec(), minus.to_vec()), sum.total)
                    });
                    let found: BTreeMap<NaiveCells, i32> = found.collect();
                    assert_eq!(found, expected, "{cages:?}");
                    assert_eq!(problem.sums.len(), expected.len(), "{cages:?}");
                    numbers[round] = numbers[round].max(expected.len());
                }
            }
        }
        assert!(numbers.iter().all(|&number| number > 10), "{numbers:?}");
        assert!(impossible > 0, "{impossible}");
    }
}
