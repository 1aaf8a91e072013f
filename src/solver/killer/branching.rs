//! Chooses the cell to branch on: few candidates, and many contradictions so far.

use super::board::{Board, Contradiction};
use super::plan::MAX_CELLS;
use super::problem::Problem;

/// For each cell, how often and how recently contradictions occurred there.
#[derive(Debug)]
pub(super) struct Weights {
    of_cell: [f32; MAX_CELLS],
    /// What a contradiction adds. Grows, so that old contradictions count less and less.
    increment: f32,
}

/// The growth of the increment at each contradiction.
const GROWTH: f32 = 1.02;
/// The weight above which all weights are scaled down.
const MOST_WEIGHT: f32 = 1e20;

/// `1 / n` for n candidates; nothing for a cell that is fixed.
const FEWNESS: [f32; 17] = {
    let mut fewness = [0.0; 17];
    let mut number = 2;
    while number < fewness.len() {
        fewness[number] = 1.0 / number as f32;
        number += 1;
    }
    fewness
};

impl Weights {
    pub fn new() -> Weights {
        Weights {
            of_cell: [1.0; MAX_CELLS],
            increment: 1.0,
        }
    }

    /// Forgets all contradictions.
    pub fn restart(&mut self) {
        *self = Weights::new();
    }

    /// Counts a contradiction.
    #[inline(always)]
    pub fn count<const W: usize>(&mut self, problem: &Problem<W>, contradiction: Contradiction) {
        self.increment *= GROWTH;
        match contradiction {
            Contradiction::Cell(cell) => self.add(cell),
            Contradiction::Constraint(number) => {
                let houses = &problem.plan.houses;
                let cells = match number.checked_sub(houses.len()) {
                    None => &houses[number][..],
                    Some(sum) => problem.sums[sum].cells(),
                };
                for &cell in cells {
                    self.add(cell);
                }
            }
        }
        if self.increment > MOST_WEIGHT {
            self.scale_down();
        }
    }

    #[inline(always)]
    fn add(&mut self, cell: u8) {
        self.of_cell[usize::from(cell)] += self.increment;
    }

    #[cold]
    fn scale_down(&mut self) {
        for weight in &mut self.of_cell {
            *weight /= MOST_WEIGHT;
        }
        self.increment /= MOST_WEIGHT;
    }

    /// Returns the cell to branch on: that with the greatest weight for each candidate. `None` if all cells are fixed.
    #[inline(always)]
    pub fn choose<const W: usize>(&self, board: &Board<W>, cells: usize) -> Option<u8> {
        let mut best = None;
        let mut best_score = 0.0;
        for (cell, &candidates) in board.candidates[..cells].iter().enumerate() {
            if candidates & candidates.wrapping_sub(1) != 0 {
                let fewness = FEWNESS[candidates.count_ones() as usize % FEWNESS.len()];
                let score = fewness * self.of_cell[cell];
                if score > best_score {
                    (best, best_score) = (Some(cell as u8), score);
                }
            }
        }
        best
    }
}
