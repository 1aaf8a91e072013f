//! The formula of a puzzle for clause learning.
//!
//! For clause learning, each candidate is a variable: true if the cell holds the digit. The clauses state the rules, and two laws
//! that a search would find only slowly:
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
//! A cage with a sum has a variable for each combination of digits with that sum, after the variables of the candidates. Exactly
//! one of them is true: that of the digits in the cells of the cage.
//!
//! Digits that appear in no given can be swapped, if no cage has a sum and all pairs only forbid equal digits. So one solution
//! gives others. If no solution is known and there is no seed, clauses can fix the order of these digits (`order_digits`). With
//! them, blank jigsaws take a twentieth of the time.

use super::clauses::Literal;
use super::solver::Cdcl;
use crate::puzzle::Givens;
use crate::rules::{Cage, Rules};
use crate::solver::combinations::Combinations;
use crate::solver::random::Random;

/// A puzzle as a formula: variable `cell * side + digit - 1` is true if the cell holds the digit. The variables of combinations
/// follow.
pub(crate) struct Formula<'a> {
    pub rules: &'a Rules,
    pub givens: Givens<'a>,
    /// The clauses. `at_most_one` is added when the search begins, because its size is checked first.
    pub cdcl: Cdcl,
    /// Sets of variables: at most one of each set is true.
    pub at_most_one: Vec<Vec<u32>>,
    /// The digits (each minus 1) that no given shows and the rules treat alike, so that any two can be swapped in a solution.
    /// Empty unless clauses fix their order.
    pub ordered: Vec<usize>,
}

/// The maximum number of leftover cells in each of two sets. Larger sets get no clauses.
const MAX_LEFTOVERS: usize = 5;

impl<'a> Formula<'a> {
    /// States the puzzle. With `random`, the initial order of the variables is random.
    pub fn new(rules: &'a Rules, givens: Givens<'a>, random: Option<&mut Random>) -> Formula<'a> {
        let sums = rules.cages().iter().map(|cage| combinations(rules, cage));
        let sums: Vec<Vec<u16>> = sums.collect();
        let variables = rules.cells() * rules.side() + sums.iter().map(Vec::len).sum::<usize>();
        let mut formula = Formula {
            rules,
            givens,
            cdcl: Cdcl::new(variables),
            at_most_one: Vec::new(),
            ordered: Vec::new(),
        };
        formula.add_rules();
        formula.add_sums(&sums);
        formula.add_givens();
        if let Some(random) = random {
            formula.cdcl.shuffle(random);
        }
        formula
    }

    /// Returns the literal for a digit in a cell. `digit` is the digit minus 1.
    fn literal(&self, cell: usize, digit: usize) -> Literal {
        Literal::positive(cell * self.rules.side() + digit)
    }

    /// Returns the variables of a digit in these cells. `digit` is the digit minus 1.
    fn variables(&self, cells: &[u16], digit: usize) -> Vec<u32> {
        let variable = |&cell: &u16| usize::from(cell) * self.rules.side() + digit;
        cells.iter().map(|cell| variable(cell) as u32).collect()
    }

    /// States the rules other than sums, with the houses and leftovers that follow from them.
    fn add_rules(&mut self) {
        let rules = self.rules;
        let side = rules.side();
        for cell in 0..rules.cells() {
            let first = (cell * side) as u32;
            self.add_exactly_one(&Vec::from_iter(first..first + side as u32));
        }
        let implied = rules.implied_with_regions();
        for house in rules.houses().iter().chain(&implied) {
            for digit in 0..side {
                self.add_exactly_one(&self.variables(&house.cells, digit));
            }
        }
        for group in rules.groups_and_cages() {
            for digit in 0..side {
                self.at_most_one.push(self.variables(&group.cells, digit));
            }
        }
        for pair in rules.pairs() {
            let [a, b] = pair.cells.map(usize::from);
            for (of_a, of_b) in (0..side).flat_map(|a| (0..side).map(move |b| (a, b))) {
                if pair.relation.forbids(of_a as u8 + 1, of_b as u8 + 1) {
                    let variables = [a * side + of_a, b * side + of_b];
                    self.at_most_one
                        .push(variables.map(|at| at as u32).to_vec());
                }
            }
        }
        // If a cell of one set holds a digit, a cell of the other set holds it too.
        for [inside, outside] in leftovers(rules) {
            for (some, others) in [(&inside, &outside), (&outside, &inside)] {
                for &cell in some {
                    for digit in 0..side {
                        let others = others
                            .iter()
                            .map(|&other| self.literal(other.into(), digit));
                        let mut clause: Vec<Literal> = others.collect();
                        clause.push(!self.literal(cell.into(), digit));
                        self.cdcl.add_clause(&clause);
                    }
                }
            }
        }
    }

    /// States the sums of the cages. `sums` holds the combinations of each cage.
    fn add_sums(&mut self, sums: &[Vec<u16>]) {
        let mut first = self.rules.cells() * self.rules.side();
        for (cage, combinations) in self.rules.cages().iter().zip(sums) {
            let variables: Vec<u32> = (first as u32..).take(combinations.len()).collect();
            first += combinations.len();
            // Empty for a cage without a sum. `Cage::new` refuses a sum without combinations.
            if !combinations.is_empty() {
                self.add_exactly_one(&variables);
            }
            for (&combination, &variable) in combinations.iter().zip(&variables) {
                self.add_combination(cage, combination, Literal::positive(variable as usize));
            }
        }
    }

    /// States what follows if `chosen` is true: each digit of the combination is in a cell of the cage, and no other digit.
    fn add_combination(&mut self, cage: &Cage, combination: u16, chosen: Literal) {
        for digit in 0..self.rules.side() {
            let cells = cage.cells().iter().map(|&cell| usize::from(cell));
            if combination >> digit & 1 == 1 {
                let mut clause = vec![!chosen];
                clause.extend(cells.map(|cell| self.literal(cell, digit)));
                self.cdcl.add_clause(&clause);
            } else {
                for cell in cells {
                    self.cdcl.add_clause(&[!chosen, !self.literal(cell, digit)]);
                }
            }
        }
    }

    /// Adds the constraint that exactly one of these variables is true.
    fn add_exactly_one(&mut self, variables: &[u32]) {
        self.at_most_one.push(variables.to_vec());
        let literals = variables.iter().map(|&at| Literal::positive(at as usize));
        self.cdcl.add_clause(&literals.collect::<Vec<Literal>>());
    }

    /// Excludes the digits that are not candidates of their cells.
    fn add_givens(&mut self) {
        let side = self.rules.side();
        for cell in 0..self.rules.cells() {
            let candidates = self.givens.candidates(cell, (1 << side) - 1);
            for digit in (0..side).filter(|&digit| candidates >> digit & 1 == 0) {
                let literal = self.literal(cell, digit);
                self.cdcl.add_clause(&[!literal]);
            }
        }
    }

    /// Excludes a solution.
    pub fn exclude(&mut self, solution: &[u8]) {
        let digits = solution.iter().enumerate();
        let others: Vec<Literal> = digits
            .map(|(cell, &digit)| !self.literal(cell, usize::from(digit - 1)))
            .collect();
        self.cdcl.add_clause(&others);
    }

    /// Requires interchangeable digits to be in ascending order in one row, so that grids that differ only by an exchange of
    /// these digits are searched once. Does so only if swaps of two digits make at least `wanted` solutions from one. Must not be
    /// called after `exclude`: swapped digits could give the excluded solution again.
    pub fn order_digits(&mut self, wanted: usize) {
        let digits = interchangeable(self.rules, self.givens);
        if digits.len() * digits.len().saturating_sub(1) / 2 + 1 < wanted.max(2) {
            return;
        }
        // In the row with the fewest givens, each of these digits must be to the right of the previous one.
        let is_given = |&&cell: &&u16| self.givens.is_given(cell.into());
        let rows = self.rules.rows().iter();
        let row = rows.min_by_key(|row| row.cells.iter().filter(is_given).count());
        let cells = &row.expect("a grid has rows").cells;
        for two in digits.windows(2) {
            for (number, &cell) in cells.iter().enumerate() {
                let before = cells[..number].iter();
                let before = before.map(|&cell| self.literal(cell.into(), two[0]));
                let mut clause: Vec<Literal> = before.collect();
                clause.push(!self.literal(cell.into(), two[1]));
                self.cdcl.add_clause(&clause);
            }
        }
        self.ordered = digits;
    }

    /// Returns the digits of the cells after the formula was satisfied.
    pub fn solution(&self) -> Vec<u8> {
        let side = self.rules.side();
        let digit = |cell: usize| {
            let digit = (0..side).find(|&digit| self.cdcl.is_true(cell * side + digit));
            digit.expect("a cell has a digit") as u8 + 1
        };
        (0..self.rules.cells()).map(digit).collect()
    }
}

/// Returns the combinations of digits with the sum of a cage; none if it has no sum.
fn combinations(rules: &Rules, cage: &Cage) -> Vec<u16> {
    let Some(sum) = cage.sum else {
        return Vec::new();
    };
    let table = Combinations::of_side(rules.side());
    let masks = table.of(cage.cells().len(), sum.into()).as_flattened();
    masks.iter().copied().filter(|&mask| mask != 0).collect()
}

/// Returns the digits (each minus 1) that no given shows, if the rules treat all digits alike. Returns none for pencilmarks.
fn interchangeable(rules: &Rules, givens: Givens<'_>) -> Vec<usize> {
    match givens {
        Givens::Digits(grid) if rules.treat_digits_alike() => {
            let digits = 0..rules.side();
            digits
                .filter(|&digit| !grid.contains(&(digit as u8 + 1)))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Returns pairs of cell sets that hold the same digits. Compares each run of n adjacent rows (or columns) with the n regions
/// that have the most cells in these rows. The first set contains the cells of the rows that are outside the regions, the second
/// set the cells of the regions that are outside the rows. Leaves out empty sets and sets of more than `MAX_LEFTOVERS` cells.
fn leftovers(rules: &Rules) -> Vec<[Vec<u16>; 2]> {
    let side = rules.side();
    let region_of = rules.region_of_cells();
    let mut all = Vec::new();
    for lines in [rules.rows(), rules.columns()] {
        for first in 0..side {
            let mut is_inside = vec![false; rules.cells()];
            let mut shared = vec![0; side];
            for (number, line) in (1..).zip(&lines[first..]) {
                for &cell in &line.cells {
                    is_inside[usize::from(cell)] = true;
                    shared[region_of[usize::from(cell)]] += 1;
                }
                let mut most: Vec<usize> = (0..side).collect();
                most.sort_by_key(|&region| std::cmp::Reverse(shared[region]));
                let common: usize = most[..number].iter().map(|&region| shared[region]).sum();
                if !(1..=MAX_LEFTOVERS).contains(&(number * side - common)) {
                    continue;
                }
                let chosen = |cell: &u16| most[..number].contains(&region_of[usize::from(*cell)]);
                let cells = 0..rules.cells() as u16;
                let inside = cells.clone();
                all.push([
                    inside
                        .filter(|cell| is_inside[usize::from(*cell)] && !chosen(cell))
                        .collect(),
                    cells
                        .filter(|cell| !is_inside[usize::from(*cell)] && chosen(cell))
                        .collect(),
                ]);
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::cdcl::tests::rules;

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
