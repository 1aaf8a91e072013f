//! Puzzles that lanes make no headway with: stated as clauses, and decided by a search that learns from its conflicts.
//!
//! A statement says that a digit stands in a cell. What the lanes deduce from crossings follows from clauses anyway; beside the
//! rules themselves there are clauses of two laws that would be dear to find out by search:
//!
//! ```text
//!     leftovers: rows against regions, all but a few cells   implied houses: rows against windows
//!       A A A A|B B     the cells of A outside of the rows     . . . . . . . . .    what three windows of a 16x16, or two of
//!       A A|B B B B     hold the digits of the cells of the    # W W W # W W W #    a 9x9, leave of the rows they lie in is
//!       ---             rows outside of A and B                # W W W # W W W #    one house more
//!       A . .                                                  # W W W # W W W #
//! ```

use super::conflicts::{Event, Literal, Outcome, Search};
use super::random::Random;
use super::{Givens, Limits};
use crate::rules::Rules;

/// A puzzle as statements and clauses.
pub(crate) struct Stubborn<'a> {
    rules: &'a Rules,
    givens: Givens<'a>,
    search: Search,
}

/// What was found out about a puzzle.
pub(crate) struct Findings {
    pub solutions: Vec<Vec<u8>>,
    /// Whether there are no others.
    pub complete: bool,
    /// Conflicts met: they count as branches.
    pub guesses: u64,
    /// Whether the limit of branches ended the search.
    pub limit_reached: bool,
}

/// Cells on either side for which leftovers are worth their clauses.
const MOST_LEFT: usize = 5;
/// Conflicts and decisions between reports: a millisecond or two.
const EVENTS_A_REPORT: u64 = 256;

impl<'a> Stubborn<'a> {
    pub fn new(rules: &'a Rules, givens: Givens<'a>, random: Option<&mut Random>) -> Stubborn<'a> {
        let side = rules.side();
        let mut stubborn = Stubborn {
            rules,
            givens,
            search: Search::new(rules.cells() * side),
        };
        if let Some(random) = random {
            stubborn.search.shuffle(random);
        }
        stubborn.state_rules();
        for cell in 0..rules.cells() {
            let candidates = givens.candidates(cell, (1 << side) - 1);
            for digit in 0..side {
                if candidates >> digit & 1 == 0 {
                    let holds = stubborn.holds(cell, digit);
                    stubborn.search.add(&[!holds]);
                }
            }
        }
        stubborn
    }

    /// That a digit, from 0, stands in a cell.
    fn holds(&self, cell: usize, digit: usize) -> Literal {
        Literal::holds(cell * self.rules.side() + digit)
    }

    fn state_rules(&mut self) {
        let rules = self.rules;
        let side = rules.side();
        for cell in 0..rules.cells() {
            self.state_one_of((0..side).map(|digit| (cell, digit)));
        }
        let implied = implied_houses(rules);
        let houses = rules.houses().iter().map(|house| &house.cells);
        for house in houses.chain(&implied) {
            for digit in 0..side {
                self.state_one_of(house.iter().map(|&cell| (usize::from(cell), digit)));
            }
        }
        for group in rules.groups() {
            for digit in 0..side {
                let cells = group.cells.iter();
                let statements: Vec<u32> = cells
                    .map(|&cell| (usize::from(cell) * side + digit) as u32)
                    .collect();
                self.search.exclude(&statements);
            }
        }
        for pair in rules.pairs() {
            let [a, b] = pair.cells.map(usize::from);
            for (of_a, of_b) in (0..side).flat_map(|a| (0..side).map(move |b| (a, b))) {
                if pair.relation.forbids(of_a as u8 + 1, of_b as u8 + 1) {
                    let statements = [a * side + of_a, b * side + of_b];
                    self.search.exclude(&statements.map(|at| at as u32));
                }
            }
        }
        for [inside, outside] in leftovers(rules) {
            for (some, others) in [(&inside, &outside), (&outside, &inside)] {
                for (&cell, digit) in some
                    .iter()
                    .flat_map(|cell| (0..side).map(move |digit| (cell, digit)))
                {
                    let others = others.iter().map(|&other| self.holds(other.into(), digit));
                    let mut clause: Vec<Literal> = others.collect();
                    clause.push(!self.holds(cell.into(), digit));
                    self.search.add(&clause);
                }
            }
        }
    }

    /// Just one of these digits in cells holds.
    fn state_one_of(&mut self, of: impl Iterator<Item = (usize, usize)>) {
        let side = self.rules.side();
        let statements: Vec<u32> = of
            .map(|(cell, digit)| (cell * side + digit) as u32)
            .collect();
        self.search.exclude(&statements);
        let clause: Vec<Literal> = statements
            .iter()
            .map(|&at| Literal::holds(at as usize))
            .collect();
        self.search.add(&clause);
    }

    /// This grid is not asked for again.
    pub fn leave_out(&mut self, solution: &[u8]) {
        let digits = solution.iter().enumerate();
        let others: Vec<Literal> = digits
            .map(|(cell, &digit)| !self.holds(cell, usize::from(digit - 1)))
            .collect();
        self.search.add(&others);
    }

    /// Looks for so many solutions.
    pub fn solve(
        mut self,
        wanted: usize,
        mut guesses: u64,
        limits: Limits,
        at_work: &mut dyn FnMut(),
    ) -> Findings {
        let mut solutions = Vec::new();
        let mut events = 0u64;
        let start = guesses;
        let mut may_go_on = |event| {
            events += 1;
            if events.is_multiple_of(EVENTS_A_REPORT) {
                at_work();
            }
            if event == Event::Conflict {
                if limits.are_reached_by(guesses) {
                    return false;
                }
                guesses += 1;
            }
            true
        };
        let mut outcome = Outcome::Satisfied;
        while solutions.len() < wanted && outcome == Outcome::Satisfied {
            outcome = self.search.run(&mut may_go_on);
            if outcome == Outcome::Satisfied {
                let solution = self.solution();
                self.leave_out(&solution);
                solutions.push(solution);
            }
        }
        Findings {
            solutions,
            complete: outcome == Outcome::Contradiction,
            guesses: guesses - start,
            limit_reached: outcome == Outcome::Stopped,
        }
    }

    fn solution(&self) -> Vec<u8> {
        let side = self.rules.side();
        let digit = |cell: usize| {
            let digit = (0..side).find(|&digit| self.search.holds(cell * side + digit));
            digit.expect("a cell has a digit") as u8 + 1
        };
        let solution: Vec<u8> = (0..self.rules.cells()).map(digit).collect();
        // The safety net, as in the lanes.
        assert!(
            self.rules.hold_for(&solution) && self.givens.are_kept_by(&solution),
            "{solution:?} is no solution of {:?}",
            self.givens
        );
        solution
    }
}

/// What houses beyond rows, columns and divisions leave of the lines they lie in, where that is as many cells as a house
/// has: of n lines all of whose cells but N lie in n - 1 such houses.
fn implied_houses(rules: &Rules) -> Vec<Vec<u16>> {
    let side = rules.side();
    let further = rules.houses()[3 * side..].iter();
    let mut houses: Vec<Vec<u16>> = further.map(|house| house.cells.clone()).collect();
    let known = houses.len();
    let mut at = 0;
    // What is implied may imply more.
    while at < houses.len() {
        for line_of in [|cell, side| cell / side, |cell, side| cell % side] {
            let line_of = |&cell: &u16| -> usize { line_of(usize::from(cell), side) };
            let lines_of = |house: &[u16]| {
                house
                    .iter()
                    .fold(0u32, |lines, cell| lines | 1 << line_of(cell))
            };
            let lines = lines_of(&houses[at]);
            let mut left: Vec<u16> = (0..rules.cells() as u16)
                .filter(|cell| lines >> line_of(cell) & 1 == 1)
                .collect();
            for house in houses.iter().rev() {
                if house.iter().all(|cell| left.binary_search(cell).is_ok()) {
                    left.retain(|cell| house.binary_search(cell).is_err());
                }
            }
            if left.len() == side && !houses.contains(&left) {
                houses.push(left);
            }
        }
        at += 1;
    }
    houses.split_off(known)
}

/// Cells of lines side by side that lie outside of as many divisions, and cells of the divisions outside of the lines: they
/// hold the same digits. Only where they are few.
fn leftovers(rules: &Rules) -> Vec<[Vec<u16>; 2]> {
    let side = rules.side();
    let mut division_of = vec![0; rules.cells()];
    for (division, house) in rules.houses()[2 * side..3 * side].iter().enumerate() {
        for &cell in &house.cells {
            division_of[usize::from(cell)] = division;
        }
    }
    let mut all = Vec::new();
    for lines in [&rules.houses()[..side], &rules.houses()[side..2 * side]] {
        for first in 0..side {
            let mut is_inside = vec![false; rules.cells()];
            let mut shared = vec![0; side];
            for (number, line) in (1..).zip(&lines[first..]) {
                for &cell in &line.cells {
                    is_inside[usize::from(cell)] = true;
                    shared[division_of[usize::from(cell)]] += 1;
                }
                // The divisions that lie most within the lines.
                let mut most: Vec<usize> = (0..side).collect();
                most.sort_by_key(|&division| std::cmp::Reverse(shared[division]));
                let within: usize = most[..number]
                    .iter()
                    .map(|&division| shared[division])
                    .sum();
                if !(1..=MOST_LEFT).contains(&(number * side - within)) {
                    continue;
                }
                let chosen = |cell: &u16| most[..number].contains(&division_of[usize::from(*cell)]);
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
