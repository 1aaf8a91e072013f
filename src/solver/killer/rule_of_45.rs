//! The rule of 45: every house of a 9x9 adds up to 45, and a union of houses that share no cell to a multiple of 45. Less the
//! sums of the cages inside the union, this is the sum of its other cells.
//!
//! ```text
//!     a a a b b c c c c      Row 1 adds up to 45. Cages a and b lie inside, so the four cells of c in row 1 (innies) add up
//!     d d d d e e e c c      to 45 - a - b. Both cells of c outside the row (outies) add up to a + b + c - 45.
//! ```
//!
//! A cage that lies partly in the union can be used in two ways. Either its cells inside the union have a plus sign in the new
//! sum. Or its sum is subtracted, and its cells outside have a minus sign.

use std::ops::RangeInclusive;

use super::plan::{Cells, MAX_CELLS, Union};
use super::problem::{Problem, Sum, SumKind};
use crate::rules::{Cage, CellSet};

/// The rounds. Each one adds sums to a puzzle that is stuck, in this order. The last round visits all unions again,
/// for longer sums.
static ROUNDS: [Round; 3] = [
    Round {
        houses: 1..=1,
        max_different: 3,
        max_linear: 3,
    },
    Round {
        houses: 2..=2,
        max_different: 3,
        max_linear: 3,
    },
    Round {
        houses: 1..=usize::MAX,
        max_different: 6,
        max_linear: 5,
    },
];

/// The sums that a round adds.
struct Round {
    /// The unions of a round: those with a number of houses in this range.
    houses: RangeInclusive<usize>,
    /// The maximum number of cells of a sum whose digits all differ.
    max_different: usize,
    /// The maximum number of cells of a sum whose digits can be equal.
    max_linear: usize,
}

/// The number of cells of a linear sum, times the side, is less than this: in large grids, the bounds of long sums exclude few
/// digits.
const MAX_TOTALS: usize = 64;

/// A cage with a sum.
#[derive(Clone, Copy, Debug)]
struct SummedCage {
    cells: Cells,
    sum: i32,
}

/// The cages with a sum, and the sums added so far.
#[derive(Debug)]
pub(super) struct RuleOf45 {
    cages: Vec<SummedCage>,
    /// For each cell of these cages, the index of its cage.
    cage_of: [u8; MAX_CELLS],
    /// The cells of these cages.
    caged: Cells,
    /// Scratch: the indices of the cages with cells inside and outside of the current union.
    crossing: Vec<u8>,
    /// The cells of the sums added, so that none is added twice: those with a plus sign, and those with a minus sign.
    known: Vec<[Cells; 2]>,
    /// The number of rounds done.
    rounds: usize,
}

/// A union of houses, and the part of it that the cages inside leave over.
struct Leftover<const N: usize> {
    union: CellSet<N>,
    /// The cells of the union that are in no cage with a sum.
    uncaged: CellSet<N>,
    /// The sum of the union less the sums of the cages inside.
    total: i32,
}

/// The cells of each crossing cage that a sum uses. A crossing cage has cells inside and outside of the union.
#[derive(Clone, Copy, Debug)]
enum BorderSide {
    /// The cells inside the union.
    Inside,
    /// The cells outside the union.
    Outside,
    /// For each cage, the side on which it has fewer cells; the inside if it has equally many.
    Fewer,
}

impl RuleOf45 {
    pub fn new() -> RuleOf45 {
        RuleOf45 {
            cages: Vec::new(),
            cage_of: [0; MAX_CELLS],
            caged: Cells::default(),
            crossing: Vec::new(),
            known: Vec::new(),
            rounds: 0,
        }
    }

    /// Returns true if not all rounds are done.
    pub fn has_rounds_left(&self) -> bool {
        self.rounds < ROUNDS.len()
    }

    /// Adds the sums of the next round, which follow from the houses of the plan and these cages. Returns false if a sum is
    /// impossible.
    #[inline(always)]
    pub fn add_sums(&mut self, problem: &mut Problem, cages: &[Cage]) -> bool {
        if self.rounds == 0 {
            self.load(cages);
        }
        let round = &ROUNDS[self.rounds];
        self.rounds += 1;
        if problem.plan.cells <= 2 * 64 {
            self.add_sums_of_unions::<2>(problem, round)
        } else {
            self.add_sums_of_unions::<4>(problem, round)
        }
    }

    /// Reads the cages of the puzzle.
    #[inline(always)]
    fn load(&mut self, cages: &[Cage]) {
        for cage in cages {
            let Some(sum) = cage.sum else { continue };
            let mut cells = Cells::default();
            for &cell in cage.cells() {
                self.cage_of[usize::from(cell)] = self.cages.len() as u8;
                cells.insert(cell);
            }
            self.caged = self.caged.union(&cells);
            let sum = sum.into();
            self.cages.push(SummedCage { cells, sum });
        }
        debug_assert!(self.cages.len() <= MAX_CELLS);
    }

    /// Adds the sums of all unions of a round, in a grid with at most `64 * N` cells. Returns false if one of them is impossible.
    #[inline(always)]
    fn add_sums_of_unions<const N: usize>(&mut self, problem: &mut Problem, round: &Round) -> bool {
        debug_assert!(problem.plan.cells <= 64 * N);
        for union in &problem.plan.unions {
            if round.houses.contains(&union.houses)
                && !self.add_sums_of_union::<N>(problem, round, union)
            {
                return false;
            }
        }
        true
    }

    /// Adds the sums that follow from a union, at most one for each `BorderSide`. Returns false if one of them is impossible.
    #[inline(always)]
    fn add_sums_of_union<const N: usize>(
        &mut self,
        problem: &mut Problem,
        round: &Round,
        union: &Union,
    ) -> bool {
        let (cells, caged) = (union.cells.resized(), self.caged.resized());
        let mut leftover: Leftover<N> = Leftover {
            union: cells,
            uncaged: cells.difference(&caged),
            total: union.houses as i32 * problem.plan.sum_of_house(),
        };
        // The number of cells of each of the three sums so far.
        let [mut inside, mut outside, mut fewer] = [leftover.uncaged.len(); 3];
        self.crossing.clear();
        let mut left = cells.intersection(&caged);
        while let Some(cell) = left.iter().next() {
            let index = self.cage_of[usize::from(cell)];
            let cage = &self.cages[usize::from(index)];
            let of_cage = cage.cells.resized();
            let inner = of_cage.intersection(&cells).len();
            let outer = of_cage.difference(&cells).len();
            debug_assert!(inner > 0, "cell {cell} is in cage {index}");
            left = left.difference(&of_cage);
            if outer == 0 {
                leftover.total -= cage.sum;
                continue;
            }
            inside += inner;
            outside += outer;
            fewer += inner.min(outer);
            // `Fewer` gives the shortest of the three sums. If it is too long, all are.
            if fewer > round.max_different {
                return true;
            }
            self.crossing.push(index);
        }
        let sides = [
            (inside, BorderSide::Inside),
            (outside, BorderSide::Outside),
            (fewer, BorderSide::Fewer),
        ];
        // If `Fewer` is not shorter than both others, it equals one of them.
        let number_of_sides = if fewer < inside.min(outside) { 3 } else { 2 };
        for &(number, side) in &sides[..number_of_sides] {
            if number <= round.max_different && !self.add_sum(problem, round, &leftover, side) {
                return false;
            }
        }
        true
    }

    /// Adds the sum of one side, if it is new, short enough, and the problem has room. Returns false if the sum is impossible: no
    /// cells, but a total other than 0.
    #[inline(always)]
    fn add_sum<const N: usize>(
        &mut self,
        problem: &mut Problem,
        round: &Round,
        leftover: &Leftover<N>,
        side: BorderSide,
    ) -> bool {
        let (mut plus, mut minus, mut total) = self.remaining(leftover, side);
        // A sum with minus signs only: change all signs.
        if plus.is_empty() {
            (plus, minus, total) = (minus, plus, -total);
        }
        if plus.is_empty() {
            return total == 0;
        }
        let sum_cells = [plus, minus].map(|cells| cells.resized());
        if self.known.contains(&sum_cells) {
            return true;
        }
        let number = plus.len() + minus.len();
        debug_assert!(number <= round.max_different);
        let kind = if minus.is_empty() && problem.plan.all_differ(&sum_cells[0]) {
            SumKind::Cage
        } else {
            SumKind::Linear
        };
        let is_short = kind == SumKind::Cage
            || number <= round.max_linear && number * problem.plan.side < MAX_TOTALS;
        if is_short && problem.has_room() {
            self.known.push(sum_cells);
            problem.add(Sum::new(kind, plus.iter(), minus.iter(), total));
        }
        true
    }

    /// Returns the cells with a plus sign, the cells with a minus sign, and their total. The cells are the uncaged cells of the
    /// union, and the cells of each crossing cage on one side.
    #[inline(always)]
    fn remaining<const N: usize>(
        &self,
        leftover: &Leftover<N>,
        side: BorderSide,
    ) -> (CellSet<N>, CellSet<N>, i32) {
        let (mut plus, mut minus, mut total) =
            (leftover.uncaged, CellSet::default(), leftover.total);
        for &index in &self.crossing {
            let cage = &self.cages[usize::from(index)];
            let of_cage: CellSet<N> = cage.cells.resized();
            let inside = of_cage.intersection(&leftover.union);
            let outside = of_cage.difference(&leftover.union);
            let (cells, part) = match side {
                BorderSide::Fewer if inside.len() <= outside.len() => (&mut plus, inside),
                BorderSide::Inside => (&mut plus, inside),
                BorderSide::Fewer | BorderSide::Outside => {
                    total -= cage.sum;
                    (&mut minus, outside)
                }
            };
            *cells = cells.union(&part);
        }
        (plus, minus, total)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;

    use super::super::plan::KillerPlan;
    use super::super::tests::{full_grid, random_cages, rules};
    use super::*;
    use crate::solver::random::Random;

    /// The cells with a plus sign, and those with a minus sign.
    type NaiveCells = (Vec<u8>, Vec<u8>);

    /// Returns the sums of all rounds up to this one, or nothing if one is impossible.
    fn naive_sums(
        plan: &KillerPlan,
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

    fn all_differ(plan: &KillerPlan, cells: &[u8]) -> bool {
        plan.all_differ(&cells.iter().map(|&cell| cell.into()).collect())
    }

    /// Returns the sum of one side of a union, by its definition. Subtracts each cage that lies inside or is used outside: its
    /// cells inside lose their plus sign, and its cells outside get a minus sign.
    fn naive_sum(
        plan: &KillerPlan,
        cages: &[Cage],
        union: &Union,
        side: BorderSide,
    ) -> (NaiveCells, i32) {
        let (mut plus, mut minus) = (
            union
                .cells
                .iter()
                .map(|cell| cell as u8)
                .collect::<Vec<u8>>(),
            Vec::new(),
        );
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
            let plan = KillerPlan::new(&rules);
            for seed in 0..20 {
                let mut random = Random::new(seed);
                let grid = full_grid(&rules, seed % 8);
                let has_wrong_sum = seed % 4 == 0;
                let most = if has_wrong_sum {
                    1
                } else {
                    2 + random.below(6)
                };
                let mut cages = random_cages(&grid, side, most, &mut random);
                if has_wrong_sum {
                    let index = random.below(cages.len() as u32) as usize;
                    cages[index].sum = cages[index].sum.map(|sum| sum + 1);
                }
                let mut problem = Problem::new(&plan, &[]);
                let mut rule_of_45 = RuleOf45::new();
                for round in 0..ROUNDS.len() {
                    let is_possible = rule_of_45.add_sums(&mut problem, &cages);
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
