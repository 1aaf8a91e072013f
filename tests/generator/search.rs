//! The generator's own search: naked and hidden singles, the sums of killers, then branches. It
//! shares no code with the program. Its puzzles stay the same when a solver changes, and they can
//! be used to check the solver.

use super::constraints::Constraints;
use super::random::Random;

/// A search that returns solutions one after the other.
pub struct Search<'a> {
    constraints: &'a Constraints,
    /// Search states that are still to be explored.
    open: Vec<State>,
    choice: Choice<'a>,
    /// Branches so far.
    pub branches: u64,
    limit: u64,
}

/// Saved state of a search, restored when it backtracks.
struct State {
    /// The candidates of each cell; bit d-1 is digit d.
    candidates: Vec<u32>,
    /// Cells with one candidate that is not yet removed from their peers.
    unpropagated: Vec<usize>,
}

/// Selects the branch cell among those with the fewest candidates.
pub enum Choice<'a> {
    First,
    Last,
    /// A random cell; its digits are tried in random order.
    Random(&'a mut Random),
}

/// The result of one step of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    Solution(Vec<u8>),
    /// There is no further solution.
    Exhausted,
    LimitReached,
}

impl<'a> Search<'a> {
    /// Starts a search for the solutions of a grid, with at most `limit` branches.
    pub fn new(
        constraints: &'a Constraints,
        grid: &[u8],
        choice: Choice<'a>,
        limit: u64,
    ) -> Search<'a> {
        let every_digit = (1 << constraints.side) - 1;
        let set = |digit: u8| match digit {
            0 => every_digit,
            digit => 1 << (digit - 1),
        };
        let givens = (0..constraints.cells()).filter(|&cell| grid[cell] != 0);
        let state = State {
            candidates: grid.iter().map(|&digit| set(digit)).collect(),
            unpropagated: givens.collect(),
        };
        Search { constraints, open: vec![state], choice, branches: 0, limit }
    }

    /// Excludes a digit from a cell. Must be called before the search begins.
    pub fn without(mut self, cell: usize, digit: u8) -> Search<'a> {
        self.open[0].candidates[cell] &= !(1 << (digit - 1));
        self
    }

    /// Returns the next solution.
    pub fn next_solution(&mut self) -> Outcome {
        while let Some(mut state) = self.open.pop() {
            if !state.deduce(self.constraints) {
                continue;
            }
            let Some(cell) = self.branch_cell(&state.candidates) else {
                let digits = state.candidates.iter().map(|set| set.trailing_zeros() as u8 + 1);
                return Outcome::Solution(digits.collect());
            };
            if self.branches == self.limit {
                return Outcome::LimitReached;
            }
            self.branches += 1;
            let set = state.candidates[cell];
            let mut digits: Vec<u32> = (0..32).filter(|digit| set >> digit & 1 == 1).collect();
            if let Choice::Random(random) = &mut self.choice {
                random.shuffle(&mut digits);
            }
            for digit in digits {
                let mut candidates = state.candidates.clone();
                candidates[cell] = 1 << digit;
                let unpropagated = vec![cell];
                self.open.push(State { candidates, unpropagated });
            }
        }
        Outcome::Exhausted
    }

    /// Returns a cell with the fewest candidates, but more than one. `None` if the grid is full.
    fn branch_cell(&mut self, candidates: &[u32]) -> Option<usize> {
        let counts = || candidates.iter().map(|set| set.count_ones());
        let fewest = counts().filter(|&count| count > 1).min()?;
        let mut cells =
            (0..candidates.len()).filter(|&cell| candidates[cell].count_ones() == fewest);
        match &mut self.choice {
            Choice::First => cells.next(),
            Choice::Last => cells.next_back(),
            Choice::Random(random) => {
                let cells: Vec<usize> = cells.collect();
                Some(*random.pick(&cells))
            }
        }
    }
}

/// True if naked singles alone solve the grid.
pub fn is_solved_by_naked_singles(constraints: &Constraints, grid: &[u8]) -> bool {
    let mut state = Search::new(constraints, grid, Choice::First, 0).open.remove(0);
    while let Some(cell) = state.unpropagated.pop() {
        if !state.propagate(constraints, cell) {
            return false;
        }
    }
    state.candidates.iter().all(|set| set.is_power_of_two())
}

impl State {
    /// Applies naked singles, hidden singles and sums until there are no more deductions; false on
    /// a contradiction. The result does not depend on the order in which they are applied.
    fn deduce(&mut self, constraints: &Constraints) -> bool {
        let every_digit = (1 << constraints.side) - 1;
        if self.candidates.contains(&0) {
            return false;
        }
        loop {
            while let Some(cell) = self.unpropagated.pop() {
                if !self.propagate(constraints, cell) {
                    return false;
                }
            }
            for house in &constraints.houses {
                let (mut once, mut twice) = (0, 0);
                for &cell in house {
                    twice |= once & self.candidates[cell];
                    once |= self.candidates[cell];
                }
                if once != every_digit {
                    return false;
                }
                let hidden = once & !twice;
                for &cell in house {
                    let set = &mut self.candidates[cell];
                    if *set & hidden != 0 && !set.is_power_of_two() {
                        *set &= hidden;
                        if !set.is_power_of_two() {
                            return false;
                        }
                        self.unpropagated.push(cell);
                    }
                }
            }
            let Some(are_narrowed) = self.narrow_sums(constraints) else {
                return false;
            };
            if self.unpropagated.is_empty() && !are_narrowed {
                return true;
            }
        }
    }

    /// Removes candidates that no sum allows, and returns whether there were any; `None` on a
    /// contradiction.
    fn narrow_sums(&mut self, constraints: &Constraints) -> Option<bool> {
        let mut are_narrowed = false;
        for sum in &constraints.sums {
            let allowed = sum.allowed(&self.candidates)?;
            for (&cell, allowed) in sum.cells.iter().zip(allowed) {
                let set = &mut self.candidates[cell];
                if *set & !allowed == 0 {
                    continue;
                }
                *set &= allowed;
                are_narrowed = true;
                match set.count_ones() {
                    0 => return None,
                    1 => self.unpropagated.push(cell),
                    _ => {}
                }
            }
        }
        Some(are_narrowed)
    }

    /// Removes from other cells the candidates that a cell's only candidate excludes; false on a
    /// contradiction.
    fn propagate(&mut self, constraints: &Constraints, cell: usize) -> bool {
        let digit = self.candidates[cell];
        self.remove_all(&constraints.peers[cell], digit)
            && self.remove_all(&constraints.not_consecutive[cell], digit << 1 | digit >> 1)
    }

    fn remove_all(&mut self, cells: &[usize], digits: u32) -> bool {
        for &cell in cells {
            let set = &mut self.candidates[cell];
            if *set & digits != 0 {
                *set &= !digits;
                if *set == 0 {
                    return false;
                }
                if set.is_power_of_two() {
                    self.unpropagated.push(cell);
                }
            }
        }
        true
    }
}
