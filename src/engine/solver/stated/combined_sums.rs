//! Finds sums that follow from two stated sums without a common cell. Cells of one sum can see few
//! others of it, but many of the other sum: those of diagonals side by side, for example. The more
//! cells differ, the closer are the bounds of what they add up to.

use super::plan::{Cells, StatedPlan, cliques};
use crate::rules::MAX_TERMS;

/// The digits of the cells add up to the total.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PlainSum {
    pub cells: Cells,
    pub total: i32,
}

#[derive(Debug)]
struct Rated {
    sum: PlainSum,
    /// The higher, the closer are the bounds.
    score: i32,
    is_stated: bool,
}

/// Two sums.
struct Pair {
    /// Indices into `Combiner::sums`.
    parts: [usize; 2],
    combined: Rated,
}

struct Combiner<'a> {
    plan: &'a StatedPlan,
    /// `None` once a sum is part of another.
    sums: Vec<Option<Rated>>,
    pairs: Vec<Pair>,
}

/// In a pair, at least so many cells of the smaller sum see cells of the other.
const LEAST_SEEING: usize = 6;

/// Sums of at most so many cliques are swept in vectors.
pub(super) const MAX_CLIQUES: usize = 12;

/// Combines two sums again and again, as long as the bounds become closer, the best ones first.
/// Each sum becomes part of one other at most. Returns the new sums.
pub(super) fn combine(
    stated: impl IntoIterator<Item = PlainSum>,
    plan: &StatedPlan,
) -> Vec<PlainSum> {
    let mut combiner = Combiner { plan, sums: Vec::new(), pairs: Vec::new() };
    for sum in stated {
        if let Some(rated) = Rated::new(sum, plan) {
            combiner.add(Rated { is_stated: true, ..rated });
        }
    }
    while let Some(combined) = combiner.take_best() {
        combiner.add(combined);
    }
    let sums = combiner.sums.into_iter().flatten();
    sums.filter(|sum| !sum.is_stated && sum.score > 0).map(|sum| sum.sum).collect()
}

impl Combiner<'_> {
    fn add(&mut self, sum: Rated) {
        let number = self.sums.len();
        for (index, other) in self.sums.iter().enumerate() {
            let Some(other) = other else { continue };
            if let Some(combined) = other.with(&sum, self.plan) {
                self.pairs.push(Pair { parts: [index, number], combined });
            }
        }
        self.sums.push(Some(sum));
    }

    fn take_best(&mut self) -> Option<Rated> {
        let is_free = |pair: &Pair| pair.parts.iter().all(|&part| self.sums[part].is_some());
        self.pairs.retain(is_free);
        let best = (0..self.pairs.len()).max_by_key(|&pair| self.pairs[pair].combined.score)?;
        let Pair { parts, combined } = self.pairs.swap_remove(best);
        for part in parts {
            self.sums[part] = None;
        }
        Some(combined)
    }
}

impl Rated {
    /// Returns none if there are too many cliques, or if the total is out of their bounds.
    fn new(sum: PlainSum, plan: &StatedPlan) -> Option<Rated> {
        let side = plan.side as i32;
        let cliques = cliques(sum.cells, &plan.sees);
        if cliques.len() > MAX_CLIQUES || sum.cells.len() > MAX_TERMS {
            return None;
        }
        let of_cliques = |rate: fn(i32, i32) -> i32| -> i32 {
            cliques.iter().map(|cells| rate(cells.len() as i32, side)).sum()
        };
        let least = of_cliques(|cells, _| cells * (cells + 1) / 2);
        let most = of_cliques(|cells, side| cells * (2 * side + 1 - cells) / 2);
        let slack = (sum.total - least).min(most - sum.total);
        // How far the sum of each clique can be from its least or its greatest one, and how far it
        // is at most.
        let width = of_cliques(|cells, side| cells * (side - cells));
        let score = width - slack * cliques.len() as i32;
        (slack >= 0).then_some(Rated { sum, score, is_stated: false })
    }

    /// Returns none if the sum of both has no closer bounds.
    fn with(&self, other: &Rated, plan: &StatedPlan) -> Option<Rated> {
        let (a, b) = (&self.sum.cells, &other.sum.cells);
        let [small, large] = if a.len() < b.len() { [a, b] } else { [b, a] };
        let sees = |&cell: &u16| !plan.sees[usize::from(cell)].intersection(large).is_empty();
        if !a.intersection(b).is_empty() || small.iter().filter(sees).count() < LEAST_SEEING {
            return None;
        }
        let total = self.sum.total + other.sum.total;
        let combined = Rated::new(PlainSum { cells: a.union(b), total }, plan)?;
        let enough = self.score.max(other.score).min(self.score + other.score);
        (combined.score > enough).then_some(combined)
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::rules;
    use super::*;
    use crate::random::Random;

    /// Returns the cells of a diagonal that goes down, to the right (1) or to the left (-1).
    fn diagonal(row: i32, column: i32, step: i32) -> Vec<u16> {
        let cells = (0..9).map(|at| (row + at, column + step * at));
        let inside = cells.filter(|(row, column)| (0..9).contains(row) && (0..9).contains(column));
        inside.map(|(row, column)| (9 * row + column) as u16).collect()
    }

    fn plain(cells: Vec<u16>, total: i32) -> PlainSum {
        PlainSum { cells: cells.into_iter().collect(), total }
    }

    #[test]
    fn diagonals_side_by_side_have_closer_bounds_together() {
        let plan = StatedPlan::new(&rules(9, "classic"));
        let sums = [(0, 8), (0, 7), (1, 8), (2, 8)]
            .map(|(row, column)| plain(diagonal(row, column, -1), 49));
        let combined = combine(sums.clone(), &plan);
        assert_eq!(combined.len(), 1);
        let all = sums.iter().fold(Cells::default(), |all, sum| all.union(&sum.cells));
        assert_eq!(combined[0], PlainSum { cells: all, total: 4 * 49 });
        assert_eq!(combine([sums[0].clone()], &plan), []);
        // Three boxes with eight cells each, two with three, and two more cells: from 122 to 198.
        let rated = Rated::new(combined[0].clone(), &plan).map(|rated| rated.score);
        assert_eq!(rated, Some(3 * 8 + 2 * 18 + 2 * 8 - 2 * 7));
    }

    #[test]
    fn combined_sums_are_sums_of_stated_ones_that_share_no_cell() {
        let plan = StatedPlan::new(&rules(9, "classic"));
        let random = &mut Random::new(5);
        let mut number = 0;
        for _ in 0..60 {
            let sums: Vec<PlainSum> = (0..12)
                .map(|_| {
                    let step = if random.below(2) == 0 { 1 } else { -1 };
                    let cells = diagonal(random.below(4) as i32, random.below(9) as i32, step);
                    // Most digits are high, so that bounds are close.
                    let total = cells.iter().map(|&cell| i32::from(cell) % 4 + 5).sum();
                    plain(cells, total)
                })
                .collect();
            let combined = combine(sums.clone(), &plan);
            for (index, sum) in combined.iter().enumerate() {
                let digits = sum.cells.iter().map(|cell| i32::from(cell) % 4 + 5);
                assert_eq!(digits.sum::<i32>(), sum.total, "{sums:?}");
                assert!(combined[..index].iter().all(|other| other != sum), "{sums:?}");
                assert!(sums.iter().filter(|it| it.cells.is_subset(&sum.cells)).count() > 1);
            }
            number += combined.len();
        }
        assert!(number > 10, "{number}");
    }
}
