//! Copies selected puzzles, one after the other, for a call of a solver with only these puzzles.

use std::ops::ControlFlow;

use super::limits::{Progress, Report};
use crate::puzzle::{Givens, Puzzles};

/// At least one of `digits` and `candidates` is empty.
#[derive(Default)]
pub struct Selection {
    /// Index among all puzzles.
    indices: Vec<usize>,
    digits: Vec<u8>,
    candidates: Vec<u32>,
    /// Empty if the puzzles have no seeds.
    seeds: Vec<u64>,
}

impl Selection {
    /// The seed is that in `puzzles`. `givens` can be other givens than those in `puzzles`.
    pub fn push(&mut self, index: usize, givens: Givens<'_>, puzzles: Puzzles<'_>) {
        self.indices.push(index);
        match givens {
            Givens::Digits(digits) => self.digits.extend(digits),
            Givens::Candidates(sets) => self.candidates.extend(sets),
        }
        self.seeds.extend(puzzles.seeds.get(index));
    }

    /// Passes reports on with the index among all puzzles.
    pub fn solve(
        &self,
        report: Report<'_>,
        solve: impl FnOnce(Puzzles<'_>, Report<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        debug_assert!(self.digits.is_empty() || self.candidates.is_empty());
        debug_assert!(self.seeds.is_empty() || self.seeds.len() == self.indices.len());
        let givens = if self.candidates.is_empty() {
            Givens::Digits(&self.digits)
        } else {
            Givens::Candidates(&self.candidates)
        };
        let puzzles = Puzzles { givens, seeds: &self.seeds };
        solve(puzzles, &mut |progress| {
            report(match progress {
                Progress::Solution(index, grid) => Progress::Solution(self.indices[index], grid),
                Progress::Found(index, found) => Progress::Found(self.indices[index], found),
                Progress::AtWork => Progress::AtWork,
            })
        })
    }
}
