//! Sums of killers: those of the cages, and those that follow because a house holds every digit
//! (the rule of 45).

use super::constraints::{Cage, Constraints};

/// The most cells of a sum that follows from others. Larger ones exclude little.
const MAX_CELLS: usize = 6;

/// Cells whose digits add up to a total.
#[derive(Clone)]
pub struct Sum {
    pub cells: Vec<usize>,
    total: usize,
    /// If the digits must differ, all sets of digits with this total; bit d-1 is digit d.
    combinations: Option<Vec<u32>>,
}

impl Sum {
    /// Returns the sums of cages, and those that follow from them for houses, and for up to half of
    /// all rows or columns side by side. The peers of the constraints are those with cages.
    pub fn all_of(constraints: &Constraints, cages: &[Cage]) -> Vec<Sum> {
        let mut found: Vec<(Vec<usize>, usize)> = Vec::new();
        for cage in cages {
            found.extend(cage.sum.map(|sum| (cage.cells.clone(), sum)));
        }
        let side = constraints.side;
        let mut areas = constraints.houses.clone();
        for (lines, first) in (2..=side / 2).flat_map(|n| (0..=side - n).map(move |at| (n, at))) {
            let range = first..first + lines;
            let is_within = |line: usize| range.contains(&line);
            areas.push(cells_where(side, &|cell| is_within(cell / side)));
            areas.push(cells_where(side, &|cell| is_within(cell % side)));
        }
        for area in &areas {
            let derived = [inside(side, area, cages), outside(side, area, cages)];
            let mut derived: Vec<_> = derived.into_iter().flatten().collect();
            derived.retain(|(cells, _)| (1..=MAX_CELLS).contains(&cells.len()));
            found.append(&mut derived);
        }
        found.sort_unstable();
        found.dedup();
        let sums = found.into_iter();
        sums.map(|(cells, total)| Sum::new(constraints, cells, total)).collect()
    }

    fn new(constraints: &Constraints, cells: Vec<usize>, total: usize) -> Sum {
        let differ = |(index, cell): (usize, &usize)| {
            let mut earlier = cells[..index].iter();
            earlier.all(|other| constraints.peers[*cell].contains(other))
        };
        let all_differ = cells.iter().enumerate().all(differ);
        let combinations = || combinations(constraints.side as u32, cells.len(), total);
        Sum { total, combinations: all_differ.then(combinations), cells }
    }

    /// Returns the digits that each cell can hold, or `None` if no digits have the total.
    pub fn allowed(&self, candidates: &[u32]) -> Option<Vec<u32>> {
        match &self.combinations {
            Some(combinations) => self.allowed_by_combinations(combinations, candidates),
            None => self.allowed_by_bounds(candidates),
        }
    }

    fn allowed_by_combinations(
        &self,
        combinations: &[u32],
        candidates: &[u32],
    ) -> Option<Vec<u32>> {
        let sets = || self.cells.iter().map(|&cell| candidates[cell]);
        let union = sets().fold(0, |union, set| union | set);
        let is_possible = |combination: &&u32| {
            **combination & !union == 0 && sets().all(|set| set & **combination != 0)
        };
        let possible = combinations.iter().filter(is_possible);
        let allowed = possible.copied().reduce(|one, other| one | other)?;
        Some(vec![allowed; self.cells.len()])
    }

    /// Excludes digits that are too small or too large with the smallest or largest digits of all
    /// other cells.
    fn allowed_by_bounds(&self, candidates: &[u32]) -> Option<Vec<u32>> {
        let sets = || self.cells.iter().map(|&cell| candidates[cell]);
        let least: u32 = sets().map(least).sum();
        let most: u32 = sets().map(most).sum();
        let total = self.total as u32;
        if !(least..=most).contains(&total) {
            return None;
        }
        let of_cell = |set: u32| {
            let highest = (total + self::least(set)).saturating_sub(least);
            let lowest = (total + self::most(set)).saturating_sub(most).max(1);
            let up_to = |digit: u32| (1_u32 << digit.min(31)) - 1;
            up_to(highest) & !up_to(lowest - 1)
        };
        Some(sets().map(of_cell).collect())
    }
}

fn least(set: u32) -> u32 {
    set.trailing_zeros() + 1
}

fn most(set: u32) -> u32 {
    32 - set.leading_zeros()
}

fn cells_where(side: usize, is_in: &dyn Fn(usize) -> bool) -> Vec<usize> {
    (0..side * side).filter(|&cell| is_in(cell)).collect()
}

/// Returns the sum of all digits of an area of whole houses.
fn total_of(side: usize, area: &[usize]) -> usize {
    area.len() / side * (side * (side + 1) / 2)
}

/// Returns the cells of an area that are in no cage within the area, and their sum.
fn inside(side: usize, area: &[usize], cages: &[Cage]) -> Option<(Vec<usize>, usize)> {
    let mut cells = area.to_vec();
    let mut total = total_of(side, area);
    for cage in cages {
        if let Some(sum) = cage.sum
            && cage.cells.iter().all(|cell| area.contains(cell))
        {
            cells.retain(|cell| !cage.cells.contains(cell));
            // If the cages add up to more, no puzzle has a solution; the sum 0 of some cells shows
            // that.
            total = total.saturating_sub(sum);
        }
    }
    Some((cells, total))
}

/// Returns the cells outside of an area that are in a cage with cells of it, and their sum. `None`
/// unless all cells of the area are in cages with sums.
fn outside(side: usize, area: &[usize], cages: &[Cage]) -> Option<(Vec<usize>, usize)> {
    let (mut cells, mut total, mut covered) = (Vec::new(), 0, 0);
    for cage in cages {
        let (within, without): (Vec<usize>, Vec<usize>) =
            cage.cells.iter().partition(|cell| area.contains(cell));
        if !within.is_empty() {
            total += cage.sum?;
            covered += within.len();
            cells.extend(without);
        }
    }
    cells.sort_unstable();
    let total = total.saturating_sub(total_of(side, area));
    (covered == area.len()).then_some((cells, total))
}

/// Returns all sets of `number` digits from 1 to `side` with this sum.
fn combinations(side: u32, number: usize, total: usize) -> Vec<u32> {
    if number == 0 {
        return if total == 0 { vec![0] } else { Vec::new() };
    }
    let mut found = Vec::new();
    for largest in (1..=side).filter(|&digit| digit as usize <= total) {
        let rest = combinations(largest - 1, number - 1, total - largest as usize);
        found.extend(rest.into_iter().map(|set| set | 1 << (largest - 1)));
    }
    found
}
