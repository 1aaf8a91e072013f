//! The rule of 45: every house of a 9x9 adds up to 45. The houses of a union add up to a multiple of it. The cages inside the
//! union leave over a sum for its other cells.
//!
//! ```text
//!     a a a b b c c c c      Row 1 adds up to 45. Cages a and b lie inside, so the four cells of c in row 1 (innies) hold
//!     d d d d e e e c c      45 - a - b. Both cells of c outside the row (outies) hold a + b + c - 45.
//! ```
//!
//! A cage that crosses the border can be used on either side: its cells inside, or the whole cage less its cells outside.

use super::plan::{MAX_CELLS, Plan};
use super::problem::{Kind, MOST_CELLS, Problem, Sum};
use crate::rules::Cage;

/// The unions and sums that one round of the search considers.
#[derive(Clone, Copy, Debug)]
struct Extent {
    /// The most houses of a union.
    houses: usize,
    /// The most cells of a sum whose cells all differ.
    different_cells: usize,
    /// The most cells of a sum whose cells can be equal.
    linear_cells: usize,
}

/// The rounds, each for a puzzle that the sums of the previous rounds leave open.
const ROUNDS: [Extent; 3] = [
    Extent {
        houses: 1,
        different_cells: 3,
        linear_cells: 3,
    },
    Extent {
        houses: 2,
        different_cells: 3,
        linear_cells: 3,
    },
    Extent {
        houses: usize::MAX,
        different_cells: 6,
        linear_cells: 5,
    },
];
/// The most totals of a linear sum, as `sums.rs` counts them.
const MOST_TOTALS: usize = 64;
const NO_CAGE: u16 = u16::MAX;

/// The borders of unions of houses, as seen from the cages.
#[derive(Debug)]
pub(super) struct RuleOf45 {
    /// For each cell, the index of its cage, if that has a sum.
    cage_of: [u16; MAX_CELLS],
    /// For each cage, the number of its cells in the union.
    inside: Vec<u8>,
    /// The cages with cells in the union.
    touched: Vec<u16>,
    /// The cells of the union that are in no cage with a sum.
    uncaged: Vec<u8>,
    /// For each cell, whether it is in the union.
    is_inside: [bool; MAX_CELLS],
    /// Hashes of the cells of the sums found, so that none is added twice. A collision only loses a sum.
    known: Vec<u64>,
    /// The number of rounds done.
    rounds: usize,
    extent: Extent,
}

/// The side of the border on which the cells of a cage are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Inside,
    Outside,
    Fewer,
}

/// The cells of a sum under construction.
#[derive(Default)]
struct Cells {
    cells: [u8; MOST_CELLS],
    number: usize,
}

impl Cells {
    fn push(&mut self, cell: u8) {
        self.cells[self.number] = cell;
        self.number += 1;
    }

    fn as_slice(&self) -> &[u8] {
        &self.cells[..self.number]
    }
}

impl RuleOf45 {
    pub fn new() -> RuleOf45 {
        RuleOf45 {
            cage_of: [NO_CAGE; MAX_CELLS],
            inside: Vec::new(),
            touched: Vec::new(),
            uncaged: Vec::new(),
            is_inside: [false; MAX_CELLS],
            known: Vec::new(),
            rounds: 0,
            extent: ROUNDS[0],
        }
    }

    /// Prepares for another puzzle.
    pub fn restart(&mut self) {
        self.rounds = 0;
    }

    /// Returns whether further sums can be added.
    pub fn has_rounds_left(&self) -> bool {
        self.rounds < ROUNDS.len()
    }

    /// Adds the sums of the next round, which follow from the houses of the plan and these cages. Returns false if a sum is
    /// impossible.
    pub fn add_sums<const W: usize>(&mut self, problem: &mut Problem<W>, cages: &[Cage]) -> bool {
        if self.rounds == 0 {
            self.find_cages(problem.plan.cells, cages);
        }
        self.extent = ROUNDS[self.rounds];
        self.rounds += 1;
        let plan = problem.plan.clone();
        plan.chains
            .iter()
            .all(|chain| self.add_sums_of_chain(problem, cages, chain))
    }

    fn find_cages(&mut self, cells: usize, cages: &[Cage]) {
        self.cage_of[..cells].fill(NO_CAGE);
        for (index, cage) in (0..).zip(cages).filter(|(_, cage)| cage.sum.is_some()) {
            for &cell in cage.cells() {
                self.cage_of[usize::from(cell)] = index;
            }
        }
        self.inside.clear();
        self.inside.resize(cages.len(), 0);
        self.known.clear();
    }

    /// Adds the sums of the first house of a chain, of the first two and so on.
    fn add_sums_of_chain<const W: usize>(
        &mut self,
        problem: &mut Problem<W>,
        cages: &[Cage],
        chain: &[u8],
    ) -> bool {
        let plan = problem.plan.clone();
        let mut total = 0;
        let mut is_possible = true;
        let chain = &chain[..chain.len().min(self.extent.houses)];
        for &house in chain {
            for &cell in &plan.houses[usize::from(house)] {
                self.add_cell(cell);
            }
            total += plan.sum_of_house();
            is_possible &= self.add_sums_of_union(problem, cages, total);
        }
        self.clear_union(&plan, chain);
        is_possible
    }

    /// Adds a cell to the union.
    fn add_cell(&mut self, cell: u8) {
        self.is_inside[usize::from(cell)] = true;
        match self.cage_of[usize::from(cell)] {
            NO_CAGE => self.uncaged.push(cell),
            cage => {
                let inside = &mut self.inside[usize::from(cage)];
                if *inside == 0 {
                    self.touched.push(cage);
                }
                *inside += 1;
            }
        }
    }

    fn clear_union(&mut self, plan: &Plan, chain: &[u8]) {
        for &cell in chain
            .iter()
            .flat_map(|&house| &plan.houses[usize::from(house)])
        {
            self.is_inside[usize::from(cell)] = false;
        }
        for &cage in &self.touched {
            self.inside[usize::from(cage)] = 0;
        }
        self.touched.clear();
        self.uncaged.clear();
    }

    /// Adds the sums of the cells on the border of the union: inside, outside, and those with the fewest cells.
    fn add_sums_of_union<const W: usize>(
        &mut self,
        problem: &mut Problem<W>,
        cages: &[Cage],
        total: i32,
    ) -> bool {
        let [mut inner, mut outer, mut fewer] = [0; 3];
        for &cage in &self.touched {
            let inside = usize::from(self.inside[usize::from(cage)]);
            let outside = cages[usize::from(cage)].cells().len() - inside;
            if outside > 0 {
                inner += inside;
                outer += outside;
                fewer += inside.min(outside);
            }
        }
        let uncaged = self.uncaged.len();
        let most = self.extent.different_cells;
        let fits = |number: usize| uncaged + number <= most;
        let mut is_possible = true;
        if fits(inner) {
            is_possible &= self.add_sum(problem, cages, total, Choice::Inside);
        }
        if outer > 0 && fits(outer) {
            is_possible &= self.add_sum(problem, cages, total, Choice::Outside);
        }
        if fewer < inner && fewer < outer && fits(fewer) {
            is_possible &= self.add_sum(problem, cages, total, Choice::Fewer);
        }
        is_possible
    }

    /// Adds the sum of the uncaged cells and of those of each crossing cage on the chosen side: `total` less the cages inside.
    /// Returns false if it is impossible.
    fn add_sum<const W: usize>(
        &mut self,
        problem: &mut Problem<W>,
        cages: &[Cage],
        total: i32,
        choice: Choice,
    ) -> bool {
        let (mut plus, mut minus) = (Cells::default(), Cells::default());
        let mut total = total;
        for &cell in &self.uncaged {
            plus.push(cell);
        }
        for &index in &self.touched {
            let cage = &cages[usize::from(index)];
            let inside = usize::from(self.inside[usize::from(index)]);
            let outside = cage.cells().len() - inside;
            let uses_inside = outside > 0
                && match choice {
                    Choice::Inside => true,
                    Choice::Outside => false,
                    Choice::Fewer => inside <= outside,
                };
            if !uses_inside {
                total -= i32::from(cage.sum.expect("the cage has a sum"));
            }
            for &cell in cage.cells() {
                if self.is_inside[usize::from(cell)] == uses_inside {
                    if uses_inside { &mut plus } else { &mut minus }.push(cell as u8);
                }
            }
        }
        self.add_new_sum(problem, plus, minus, total)
    }

    /// Adds a sum unless it is known or too long. Returns false if it is impossible.
    fn add_new_sum<const W: usize>(
        &mut self,
        problem: &mut Problem<W>,
        mut plus: Cells,
        mut minus: Cells,
        mut total: i32,
    ) -> bool {
        if plus.number == 0 {
            std::mem::swap(&mut plus, &mut minus);
            total = -total;
        }
        let (plus, minus) = (plus.as_slice(), minus.as_slice());
        let number = plus.len() + minus.len();
        if number == 0 {
            return total == 0;
        }
        let kind = match minus.is_empty() && problem.plan.all_differ(plus) {
            true => Kind::Cage,
            false => Kind::Linear,
        };
        let is_short = kind == Kind::Cage
            || number <= self.extent.linear_cells && number * problem.plan.side < MOST_TOTALS;
        if is_short && problem.has_room_for(1) && self.is_new(plus, minus) {
            problem.add(Sum::new(kind, plus, minus, total));
        }
        true
    }

    /// Remembers these cells. Returns false if they are known.
    fn is_new(&mut self, plus: &[u8], minus: &[u8]) -> bool {
        let key = |cells: &[u8], factor: u64| {
            let keys = cells
                .iter()
                .map(|&cell| (u64::from(cell) + 1).wrapping_mul(factor));
            keys.fold(0u64, |sum, key| {
                sum.wrapping_add(key ^ key >> 29).wrapping_add(key << 13)
            })
        };
        let key = key(plus, 0x9e37_79b9_7f4a_7c15).wrapping_sub(key(minus, 0x9e37_79b9_7f4a_7c15));
        let is_new = !self.known.contains(&key);
        if is_new {
            self.known.push(key);
        }
        is_new
    }
}
