//! The formula of a puzzle for clause learning.
//!
//! Each candidate is a literal: true if the cell holds the digit. The clauses state the givens, the
//! rules, and two laws that a search would find only slowly:
//!
//! ```text
//!     law of leftovers: rows against regions                 implied houses: rows against windows
//!       A A A A A c     Two rows hold each digit twice, and    . . . . . . . . .    Three windows of a 16x16, or two of a
//!       A B B B B B     so do the regions A and B. Without     # W W W # W W W #    9x9, leave over N cells in their rows.
//!       . . b . . .     the cells in both, c and b are left    # W W W # W W W #    These # are a house.
//!                       over, so they hold the same digit.     # W W W # W W W #
//!                       (b belongs to B.)
//! ```
//!
//! A cage with a sum has a literal for each combination (`combinations.rs`): true if the cells of
//! the cage hold its digits. Exactly one of these is true.
//!
//! A swap of two digits that appear in no given turns a solution into another one, if the puzzle
//! has no pencilmarks, no cage has a sum, and all pairs only forbid equal digits. Then, if no
//! solution is known and there is no seed, clauses fix the order of the digits that appear in no
//! given (`order_digits`). With these clauses, blank jigsaws take a twentieth of the time.

use batsat::{Lit, Solver, SolverInterface, SolverOpts, Var, lbool};

use super::budget::Budget;
use crate::puzzle::Givens;
use crate::random::Random;
use crate::rules::{Cage, CellSet, Rules, peers_of_cells};
use crate::solver::combinations::Combinations;

/// A puzzle as a formula. The first variables are those of the candidates, from the last digit of
/// the last cell to the first digit of the first cell. Those of combinations follow.
///
/// Unless the order of decisions is random, batsat decides the first variable that has no value,
/// then always the last one, until a conflict changes the order. So, apart from the first decision,
/// a grid without sums is filled from its first cell. This suits `order_digits`.
pub(super) struct Formula<'a> {
    pub rules: &'a Rules,
    pub givens: Givens<'a>,
    pub solver: Solver<Budget<'a>>,
    /// The digits (minus 1) of which any two can be swapped. Empty unless clauses fix their order.
    pub ordered: Vec<usize>,
    clause: Vec<Lit>,
}

/// Larger sets get no clauses for the law of leftovers.
const MAX_LEFTOVERS: usize = 5;
/// The SAT solver removes some learnt clauses when their number exceeds the number of assigned
/// variables by this limit, which grows to 30,000 after a million conflicts.
const FIRST_MAX_LEARNT: i32 = 4000;

impl<'a> Formula<'a> {
    pub fn new(
        rules: &'a Rules,
        givens: Givens<'a>,
        random: Option<Random>,
        budget: Budget<'a>,
    ) -> Formula<'a> {
        let mut options = SolverOpts {
            learntsize_factor: 0.0,
            min_learnts_lim: FIRST_MAX_LEARNT,
            ..SolverOpts::default()
        };
        if let Some(mut random) = random {
            options.rnd_init_act = true;
            options.random_seed = f64::from(1 + random.below(1 << 30));
        }
        let mut formula = Formula {
            rules,
            givens,
            solver: Solver::new(options, budget),
            ordered: Vec::new(),
            clause: Vec::new(),
        };
        let sums = rules.cages().iter().map(|cage| combinations(rules, cage));
        let sums: Vec<&[u16]> = sums.collect();
        let combinations: usize = sums.iter().map(|sums| sums.len()).sum();
        for _ in 0..rules.cells() * rules.side() + combinations {
            formula.solver.new_var_default();
        }
        // The givens first, because later clauses that they satisfy are not stored.
        formula.add_givens();
        formula.add_cells_and_houses();
        formula.add_pairs();
        formula.add_leftovers();
        formula.add_sums(&sums);
        formula.add_stated();
        formula
    }

    /// Tables and clauses. `LearningSchedule::new` excludes sums and counts above 1.
    fn add_stated(&mut self) {
        let Some(stated) = self.rules.stated() else { return };
        debug_assert!(stated.sums().is_empty());
        let side = self.rules.side();
        for &([a, b], table) in stated.pairs() {
            let table = stated.tables()[table as usize];
            for x in 0..side {
                for y in 0..side {
                    if !table.allows(x as u8 + 1, y as u8 + 1) {
                        self.add_clause([!self.literal(a, x), !self.literal(b, y)]);
                    }
                }
            }
        }
        for count in stated.counts().iter().filter(|count| count.least == 1) {
            let literals = count.literals.iter().flat_map(|&(cell, set)| {
                let digits = (0..side).filter(move |digit| set >> digit & 1 == 1);
                digits.map(move |digit| (cell, digit))
            });
            let literals: Vec<Lit> =
                literals.map(|(cell, digit)| self.literal(cell, digit)).collect();
            self.add_clause(literals);
        }
    }

    /// `digit` is the digit minus 1.
    fn literal(&self, cell: u16, digit: usize) -> Lit {
        let (cells, side) = (self.rules.cells(), self.rules.side());
        let candidate = usize::from(cell) * side + digit;
        // The variables of the candidates are in reverse order (see `Formula`).
        literal_of_variable(cells * side - 1 - candidate)
    }

    fn literals(&self, cells: &[u16], digit: usize) -> Vec<Lit> {
        let cells = cells.iter();
        cells.map(|&cell| self.literal(cell, digit)).collect()
    }

    fn add_clause(&mut self, literals: impl IntoIterator<Item = Lit>) {
        self.clause.clear();
        self.clause.extend(literals);
        self.solver.add_clause_reuse(&mut self.clause);
    }

    fn add_exactly_one(&mut self, literals: &[Lit]) {
        self.add_clause(literals.iter().copied());
        for (number, &a) in literals.iter().enumerate() {
            for &b in &literals[..number] {
                self.add_clause([!a, !b]);
            }
        }
    }

    /// Also states implied houses.
    fn add_cells_and_houses(&mut self) {
        let rules = self.rules;
        let side = rules.side();
        let cells = 0..rules.cells() as u16;
        for cell in cells.clone() {
            let digits = (0..side).map(|digit| self.literal(cell, digit));
            self.add_exactly_one(&digits.collect::<Vec<Lit>>());
        }
        let implied = rules.implied_with_regions();
        let houses = rules.houses().iter().chain(&implied);
        for house in houses.clone() {
            for digit in 0..side {
                self.add_clause(self.literals(&house.cells, digit));
            }
        }
        let houses_and_groups = houses.chain(rules.groups_and_cages());
        let peers: Vec<CellSet> = peers_of_cells(rules.cells(), houses_and_groups, rules.pairs());
        for (cell, peers) in cells.zip(peers) {
            for peer in peers.iter().take_while(|&peer| peer < cell) {
                for digit in 0..side {
                    self.add_clause([!self.literal(peer, digit), !self.literal(cell, digit)]);
                }
            }
        }
    }

    /// Only those that forbid different digits: `add_cells_and_houses` covers peers.
    fn add_pairs(&mut self) {
        let side = self.rules.side();
        let different = |[a, b]: &[usize; 2]| a != b;
        let digits = || (0..side).flat_map(|a| (0..side).map(move |b| [a, b]));
        for pair in self.rules.pairs() {
            for [a, b] in digits().filter(different) {
                if pair.relation.forbids(a as u8 + 1, b as u8 + 1) {
                    let [cell_a, cell_b] = pair.cells;
                    self.add_clause([!self.literal(cell_a, a), !self.literal(cell_b, b)]);
                }
            }
        }
    }

    /// If a cell of one set holds a digit, a cell of the other set holds it too.
    fn add_leftovers(&mut self) {
        for [a, b] in leftovers(self.rules) {
            for (some, others) in [(&a, &b), (&b, &a)] {
                for &cell in some {
                    for digit in 0..self.rules.side() {
                        let others = self.literals(others, digit);
                        self.add_clause(others.into_iter().chain([!self.literal(cell, digit)]));
                    }
                }
            }
        }
    }

    fn add_sums(&mut self, sums: &[&[u16]]) {
        let mut variables = self.rules.cells() * self.rules.side()..;
        for (cage, combinations) in self.rules.cages().iter().zip(sums) {
            let chosen = variables.by_ref().take(combinations.len());
            let chosen: Vec<Lit> = chosen.map(literal_of_variable).collect();
            // Empty for a cage without a sum: `Cage::new` refuses sums that no digits have.
            if !chosen.is_empty() {
                self.add_exactly_one(&chosen);
            }
            for (&combination, &chosen) in combinations.iter().zip(&chosen) {
                self.add_combination(cage, combination, chosen);
            }
        }
    }

    /// If `chosen` is true, the cells of the cage hold exactly the digits of the combination.
    fn add_combination(&mut self, cage: &Cage, combination: u16, chosen: Lit) {
        for digit in 0..self.rules.side() {
            let cells = self.literals(cage.cells(), digit);
            if combination >> digit & 1 == 1 {
                self.add_clause(cells.into_iter().chain([!chosen]));
            } else {
                for cell in cells {
                    self.add_clause([!chosen, !cell]);
                }
            }
        }
    }

    fn add_givens(&mut self) {
        let side = self.rules.side();
        for cell in 0..self.rules.cells() as u16 {
            let candidates = self.givens.candidates(cell.into(), (1 << side) - 1);
            for digit in (0..side).filter(|&digit| candidates >> digit & 1 == 0) {
                self.add_clause([!self.literal(cell, digit)]);
            }
        }
    }

    pub fn exclude(&mut self, solution: &[u8]) {
        let digits = (0..).zip(solution);
        let differs = digits.map(|(cell, &digit)| !self.literal(cell, usize::from(digit - 1)));
        self.add_clause(differs.collect::<Vec<Lit>>());
    }

    /// Requires the `interchangeable` digits to be in ascending order in one row. So of all grids
    /// that differ only by an exchange of these digits, one is searched. Do not call this after
    /// `exclude`, because a swap could give the excluded solution again.
    pub fn order_digits(&mut self) {
        let digits = interchangeable(self.rules, self.givens);
        let is_given = |&&cell: &&u16| self.givens.is_given(cell.into());
        let rows = self.rules.rows().iter();
        let row = rows.min_by_key(|row| row.cells.iter().filter(is_given).count());
        let cells = &row.expect("a grid has rows").cells;
        for two in digits.windows(2) {
            let (previous, next) = (two[0], two[1]);
            for (number, &cell) in cells.iter().enumerate() {
                let before = self.literals(&cells[..number], previous);
                self.add_clause(before.into_iter().chain([!self.literal(cell, next)]));
            }
        }
        self.ordered = digits;
    }

    /// Swaps the first two digits in `ordered`. Returns `None` if there are fewer than two.
    pub fn with_swapped_digits(&self, solution: &[u8]) -> Option<Vec<u8>> {
        let &[a, b, ..] = &self.ordered[..] else {
            return None;
        };
        let [a, b] = [a, b].map(|digit| digit as u8 + 1);
        let swapped = solution.iter().map(|&digit| match digit {
            _ if digit == a => b,
            _ if digit == b => a,
            _ => digit,
        });
        Some(swapped.collect())
    }

    pub fn solution(&self) -> Vec<u8> {
        let digit = |cell: u16| {
            let holds =
                |&digit: &usize| self.solver.value_lit(self.literal(cell, digit)) == lbool::TRUE;
            let digit = (0..self.rules.side()).find(holds);
            digit.expect("a cell has a digit") as u8 + 1
        };
        (0..self.rules.cells() as u16).map(digit).collect()
    }
}

/// True if the candidate (or combination) of a variable is chosen. This is the negation of the
/// variable: batsat first tries false for a variable, and so first places digits. This way, it
/// finds most contradictions sooner than if it first excluded digits.
fn literal_of_variable(variable: usize) -> Lit {
    Lit::new(Var::unsafe_from_idx(variable as u32), false)
}

fn combinations(rules: &Rules, cage: &Cage) -> &'static [u16] {
    let table = Combinations::of_side(rules.side());
    let masks = |sum: u16| table.masks(cage.cells().len(), sum.into());
    cage.sum.map_or(&[], masks)
}

/// Returns the digits (each minus 1) that no given shows, if the rules treat all digits alike.
fn interchangeable(rules: &Rules, givens: Givens<'_>) -> Vec<usize> {
    match givens {
        Givens::Digits(grid) if rules.treat_digits_alike() => {
            let digits = 0..rules.side();
            digits.filter(|&digit| !grid.contains(&(digit as u8 + 1))).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns pairs of cell sets that hold the same digits, each digit equally often. Compares each
/// run of n adjacent rows (or columns) with the n regions that have the most cells in these rows;
/// if the grid has boxes, with n boxes instead. The sets are the cells of the rows outside the
/// regions, and the cells of the regions outside the rows. Leaves out empty sets and sets of more
/// than `MAX_LEFTOVERS` cells.
fn leftovers(rules: &Rules) -> Vec<[Vec<u16>; 2]> {
    let side = rules.side();
    let region_of = rules.region_of_cells();
    let mut all = Vec::new();
    for lines in [rules.rows(), rules.columns()] {
        for first in 0..side {
            let mut is_in_lines = vec![false; rules.cells()];
            let mut shared = vec![0; side];
            for (number, line) in (1..).zip(&lines[first..]) {
                for &cell in &line.cells {
                    is_in_lines[usize::from(cell)] = true;
                    shared[region_of[usize::from(cell)]] += 1;
                }
                let mut regions: Vec<usize> = (0..side).collect();
                regions.sort_by_key(|&region| std::cmp::Reverse(shared[region]));
                let regions = &regions[..number];
                let common: usize = regions.iter().map(|&region| shared[region]).sum();
                let left_over = number * side - common;
                if !(1..=MAX_LEFTOVERS).contains(&left_over) {
                    continue;
                }
                let cells = || 0..rules.cells() as u16;
                let in_lines = |cell: &u16| is_in_lines[usize::from(*cell)];
                let in_regions = |cell: &u16| regions.contains(&region_of[usize::from(*cell)]);
                let only_in_lines = cells().filter(|cell| in_lines(cell) && !in_regions(cell));
                let only_in_regions = cells().filter(|cell| !in_lines(cell) && in_regions(cell));
                all.push([only_in_lines.collect(), only_in_regions.collect()]);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::learning::search::tests::rules;

    #[test]
    fn leftovers_are_as_many_cells_on_either_side() {
        let all = leftovers(&rules(9, "jigsaw"));
        assert!(all.len() > 5);
        for [inside, outside] in all {
            assert_eq!(inside.len(), outside.len());
            assert!((1..=MAX_LEFTOVERS).contains(&inside.len()));
        }
        assert!(leftovers(&rules(9, "classic")).is_empty());
    }
}
