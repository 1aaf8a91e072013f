//! Killers: random cages on a random full grid, changed until the generator's search proves the
//! solution unique.

use super::cages::{cover, merge, split};
use super::constraints::{Cage, Constraints, has};
use super::layouts::neighbours_of;
use super::puzzles;
use super::random::Random;
use super::search::{Choice, Outcome, Search};

/// A puzzle with cages of its own.
pub struct Killer {
    pub constraints: Constraints,
    pub givens: Vec<u8>,
    pub solution: Vec<u8>,
}

/// The choices for making a killer: its cages, and the rules that make the solution unique.
#[derive(Clone, Copy)]
pub struct Style {
    /// The sizes from which those of the cages are picked.
    pub sizes: &'static [usize],
    /// Of a hundred cages, this many are left out, and as many have no sum.
    pub incomplete: usize,
    pub until_unique: UntilUnique,
    /// Cages of up to this size are merged with others, as far as the solution stays unique.
    pub merged: usize,
    /// Branch limit of a proof.
    pub limit: u64,
}

/// The next step for a killer with several solutions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum UntilUnique {
    /// A cage is split.
    Split,
    /// A cell becomes a given.
    Give,
}

/// Ordinary killers without givens.
pub const ORDINARY: Style = Style {
    sizes: &[2, 2, 3, 3, 3, 4, 4, 5, 6],
    incomplete: 0,
    until_unique: UntilUnique::Split,
    merged: 1,
    limit: 1000,
};

/// Killers with larger cages and a few givens.
pub const WITH_GIVENS: Style =
    Style { sizes: &[3, 4, 5, 6], until_unique: UntilUnique::Give, merged: 0, ..ORDINARY };

/// Killers with givens, cells in no cage, and cages without a sum.
pub const INCOMPLETE: Style = Style { sizes: &[1, 2, 3, 4, 5, 6], incomplete: 20, ..WITH_GIVENS };

/// Killers with many solutions that take many branches.
const LOOSE: Style = Style { sizes: &[4, 5, 6], incomplete: 10, ..WITH_GIVENS };

/// Killers that need many givens: cages are in a part of the grid only.
const SPARSE: Style = Style { sizes: &[1, 2, 3, 4, 5, 6], incomplete: 40, ..WITH_GIVENS };

/// Killers with small cages and some givens, for grids in which larger cages would leave searches
/// too long.
pub const LARGE_GRID: Style = Style { sizes: &[1, 2, 2, 3, 3], limit: 100, ..WITH_GIVENS };

/// Killers with large cages.
pub const HARD: Style = Style { sizes: &[4, 5, 6, 7, 8, 9], merged: 6, limit: 2000, ..ORDINARY };

/// The most attempts to merge two cages of a killer.
const MERGES: usize = 100;

/// Returns a killer with one solution.
pub fn unique(side: usize, variants: &str, style: Style, random: &mut Random) -> Killer {
    let (constraints, solution) = puzzles::constraints_with_grid(side, variants, random);
    let mut killer = Killer {
        givens: vec![0; solution.len()],
        constraints: with_random_cages(&constraints, &solution, style, random),
        solution,
    };
    if side > 9 {
        killer.give_every_third(random);
    }
    while let Some(differing) = killer.ambiguous_cells(style.limit, random) {
        match style.until_unique {
            UntilUnique::Split => killer.split_one_of(&differing, random),
            UntilUnique::Give => {
                let cell = *random.pick(&differing);
                killer.givens[cell] = killer.solution[cell];
            }
        }
    }
    for _ in 0..MERGES {
        killer.merge_two_cages(style, random);
    }
    killer
}

/// Returns a 9x9 killer without givens and with so few cages that it has many solutions.
pub fn loose(random: &mut Random) -> Killer {
    let (constraints, solution) = puzzles::constraints_with_grid(9, "killer", random);
    Killer {
        givens: vec![0; solution.len()],
        constraints: with_random_cages(&constraints, &solution, LOOSE, random),
        solution,
    }
}

/// Returns the constraints with random cages that a full grid obeys.
fn with_random_cages(
    constraints: &Constraints,
    grid: &[u8],
    style: Style,
    random: &mut Random,
) -> Constraints {
    let mut cages = cover(grid, style.sizes, random);
    if style.incomplete > 0 {
        cages.retain(|_| random.below(100) >= style.incomplete);
        for cage in &mut cages {
            cage.sum = cage.sum.filter(|_| random.below(100) >= style.incomplete);
        }
    }
    constraints.with_cages(cages)
}

/// Returns the constraints with random cages that a full grid obeys, and that leave a blank grid
/// several solutions.
pub fn with_sparse_cages(
    constraints: &Constraints,
    grid: &[u8],
    random: &mut Random,
) -> Constraints {
    let blank = vec![0; grid.len()];
    loop {
        let killer = with_random_cages(constraints, grid, SPARSE, random);
        if killer.cells() > 81 || puzzles::has_two_solutions(&killer, &blank) {
            return killer;
        }
    }
}

impl Killer {
    fn give_every_third(&mut self, random: &mut Random) {
        for (given, &digit) in self.givens.iter_mut().zip(&self.solution) {
            if random.below(3) == 0 {
                *given = digit;
            }
        }
    }

    /// Searches for a solution other than the known one.
    fn other_solution(&self, limit: u64, random: &mut Random) -> Outcome {
        let choice = Choice::Random(random);
        let mut search = Search::new(&self.constraints, &self.givens, choice, limit);
        match search.next_solution() {
            Outcome::Solution(known) if known == self.solution => search.next_solution(),
            other => other,
        }
    }

    /// Returns the cells in which another solution differs, or all blank cells if the search
    /// reaches its limit. `None` if the solution is the only one.
    fn ambiguous_cells(&self, limit: u64, random: &mut Random) -> Option<Vec<usize>> {
        let other = match self.other_solution(limit, random) {
            Outcome::Solution(other) => other,
            Outcome::LimitReached => self.givens.clone(),
            Outcome::Exhausted => return None,
        };
        let cells = 0..self.solution.len();
        Some(cells.filter(|&cell| other[cell] != self.solution[cell]).collect())
    }

    /// Splits a cage of several cells that has one of these cells. If there is none, draws all
    /// cages again.
    fn split_one_of(&mut self, differing: &[usize], random: &mut Random) {
        let mut cages = self.constraints.cages.clone();
        let is_affected = |cage: &Cage| cage.cells.iter().any(|cell| differing.contains(cell));
        let affected: Vec<usize> = (0..cages.len())
            .filter(|&index| cages[index].cells.len() > 1 && is_affected(&cages[index]))
            .collect();
        if affected.is_empty() {
            cages = cover(&self.solution, &[1, 2, 3], random);
        } else {
            let cage = cages.swap_remove(*random.pick(&affected));
            cages.extend(split(&self.solution, &cage, random));
        }
        self.constraints = self.constraints.with_cages(cages);
    }

    /// Merges two cages that touch each other, if the solution stays unique.
    fn merge_two_cages(&mut self, style: Style, random: &mut Random) {
        let most = *style.sizes.iter().max().expect("there are sizes");
        let cages = &self.constraints.cages;
        let small = cages.iter().filter(|cage| cage.cells.len() <= style.merged);
        let cells: Vec<usize> = small.flat_map(|cage| cage.cells.clone()).collect();
        if cells.is_empty() {
            return;
        }
        let one = *random.pick(&cells);
        let around: Vec<usize> = neighbours_of(one, self.constraints.side).collect();
        let other = *random.pick(&around);
        let (parts, mut cages): (Vec<Cage>, Vec<Cage>) = cages
            .iter()
            .cloned()
            .partition(|cage| cage.cells.contains(&one) || cage.cells.contains(&other));
        if let Some(cage) = merge(&self.solution, &parts).filter(|cage| cage.cells.len() <= most) {
            cages.push(cage);
            let merged = self.with_cages(cages);
            if merged.ambiguous_cells(style.limit, random).is_none() {
                *self = merged;
            }
        }
    }

    /// Returns this killer with other cages.
    fn with_cages(&self, cages: Vec<Cage>) -> Killer {
        Killer {
            constraints: self.constraints.with_cages(cages),
            givens: self.givens.clone(),
            solution: self.solution.clone(),
        }
    }

    /// Returns true if the search shows that there is no solution.
    fn has_no_solution(&self, limit: u64) -> bool {
        let mut search = Search::new(&self.constraints, &self.givens, Choice::First, limit);
        search.next_solution() == Outcome::Exhausted
    }
}

/// Returns a killer with at least two solutions: one with a single solution, without some of its
/// cages, sums and givens.
pub fn with_many_solutions(killer: &Killer, random: &mut Random) -> Killer {
    let mut many = killer.with_cages(killer.constraints.cages.clone());
    while !matches!(many.other_solution(1000, random), Outcome::Solution(_)) {
        let mut cages = many.constraints.cages.clone();
        if !cages.is_empty() {
            let at = random.below(cages.len());
            // Cage numbers, which larger grids need, have no cages without a sum.
            if many.constraints.side > 9 || random.below(2) == 0 {
                cages.swap_remove(at);
            } else {
                cages[at].sum = None;
            }
        }
        many = many.with_cages(cages);
        many.givens[random.below(killer.givens.len())] = 0;
    }
    many
}

/// Returns a killer without solution, made from one with a single solution: a sum is one more or
/// less, two sums are exchanged, or one sum is more by one and another less. If the search does not
/// show soon that there is no solution, a cell becomes a given.
pub fn without_solution(killer: &Killer, index: usize, random: &mut Random) -> Killer {
    let side = killer.constraints.side;
    let mut givens = killer.givens.clone();
    loop {
        let mut cages = killer.constraints.cages.clone();
        let (one, other) = (random.below(cages.len()), random.below(cages.len()));
        match index % 3 {
            0 if random.below(2) == 0 => cages[one].sum = cages[one].sum.map(|sum| sum + 1),
            0 => cages[one].sum = cages[one].sum.map(|sum| sum - 1),
            1 => {
                let sums = [cages[one].sum, cages[other].sum];
                [cages[other].sum, cages[one].sum] = sums;
            }
            _ => {
                cages[one].sum = cages[one].sum.map(|sum| sum + 1);
                cages[other].sum = cages[other].sum.map(|sum| sum - 1);
            }
        }
        if !cages.iter().all(|cage| is_possible(side, cage)) {
            continue;
        }
        let mut none = killer.with_cages(cages);
        none.givens.clone_from(&givens);
        if none.has_no_solution(500) {
            return none;
        }
        let cell = random.below(givens.len());
        givens[cell] = killer.solution[cell];
    }
}

/// Returns true if some different digits add up to the sum of a cage.
fn is_possible(side: usize, cage: &Cage) -> bool {
    let number = cage.cells.len();
    let least = number * (number + 1) / 2;
    let sums = least..=number * (side + 1) - least;
    cage.sum.is_none_or(|sum| sums.contains(&sum))
}

/// Returns the style of the killer with this index, among others of its side.
pub fn style_of(side: usize, index: usize) -> Style {
    match (side, index % 5) {
        (10.., _) => LARGE_GRID,
        (_, 3) => WITH_GIVENS,
        (_, 4) => INCOMPLETE,
        _ => ORDINARY,
    }
}

/// Returns the sides for which killers of these variants are made.
pub fn sides_of(variants: &str) -> &'static [usize] {
    if has(variants, "jigsaw") {
        &[4, 5, 6, 7, 8, 9]
    } else if has(variants, "diagonal") {
        &[4, 6, 8, 9, 10]
    } else {
        &[4, 6, 8, 9, 10, 12, 16]
    }
}
