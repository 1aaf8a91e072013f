//! Chooses the cell to branch on: one with few candidates and many past contradictions.

use super::plan::MAX_CELLS;

/// The choice of a cell is like the heuristic dom/wdeg (Boussemart and others: Boosting systematic
/// search by weighting constraints, 2004), but cells have the weights instead of constraints, and
/// the number of candidates is squared.
#[derive(Debug)]
pub(super) struct Weights {
    of_cell: [f32; MAX_CELLS],
    contradictions: u32,
}

/// `count_branch` adds this to its cell. `count_constraint` adds 1 to each of its cells.
const WEIGHT_OF_BRANCH: f32 = 3.0;

/// After so many calls of `count_constraint`, all weights are halved, so that recent contradictions
/// count more.
const CONTRADICTIONS_PER_DECAY: u32 = 2000;

impl Weights {
    pub fn new() -> Weights {
        Weights { of_cell: [1.0; MAX_CELLS], contradictions: 0 }
    }

    /// For a constraint, before the search.
    pub fn add(&mut self, cells: &[u8], weight: f32) {
        for &cell in cells {
            self.of_cell[usize::from(cell)] += weight;
        }
    }

    #[inline(always)]
    pub fn count_branch(&mut self, cell: u8) {
        self.of_cell[usize::from(cell)] += WEIGHT_OF_BRANCH;
    }

    #[inline(always)]
    pub fn count_constraint(&mut self, cells: &[u8]) {
        for &cell in cells {
            self.of_cell[usize::from(cell)] += 1.0;
        }
        self.contradictions += 1;
        if self.contradictions.is_multiple_of(CONTRADICTIONS_PER_DECAY) {
            for weight in &mut self.of_cell {
                *weight *= 0.5;
            }
        }
    }

    /// Of the cells with n > 1 candidates, returns the first one with the greatest weight / n².
    /// Only the upper 24 bits of these floats are compared. Every cell must have a candidate.
    #[inline(always)]
    pub fn choose(&self, candidates: &[u16]) -> Option<u8> {
        // The greatest rank so far. The upper 24 bits of a rank are those of the score, whose bits
        // can be compared as an integer because it is a positive float. The lowest eight bits are
        // 255 minus the cell number, so the first of equal cells wins. The loop has no jumps, so
        // that the compiler can use vectors. Ranks are signed, as SSE2 compares only such numbers.
        let mut best = 0i32;
        for (cell, (&set, weight)) in (0..).zip(candidates.iter().zip(&self.of_cell)) {
            let number = set.count_ones() as f32;
            let score = weight / (number * number);
            let rank = score.to_bits() as i32 & !0xff | (0xff - cell);
            let is_open = set & set.wrapping_sub(1) != 0;
            best = best.max(if is_open { rank } else { 0 });
        }
        // A cell with several candidates has rank 0 only if it is cell 255 and its score has
        // decayed almost to 0. A stuck grid has more than one cell with several candidates, so
        // `best` is not 0.
        (best != 0).then_some(0xff - best as u8)
    }

    /// Returns a cell and a digit that has two places in a house, one of them this cell, if its
    /// score is higher than that of `cell`, which `choose` has found.
    pub fn choose_place(
        &self,
        cell: u8,
        candidates: &[u16],
        houses: &[Vec<u8>],
    ) -> Option<(u8, u16)> {
        let number = candidates[usize::from(cell)].count_ones() as f32;
        if number <= 2.0 {
            return None;
        }
        let mut best = (4.0 * self.of_cell[usize::from(cell)] / (number * number), None);
        for house in houses {
            let (mut once, mut twice, mut thrice) = (0, 0, 0);
            for &cell in house {
                let set = candidates[usize::from(cell)];
                thrice |= twice & set;
                twice |= once & set;
                once |= set;
            }
            let two = twice & !thrice;
            if two == 0 {
                continue;
            }
            for &cell in house {
                let (weight, set) =
                    (self.of_cell[usize::from(cell)], candidates[usize::from(cell)]);
                if set & two != 0 && weight > best.0 {
                    let digits = set & two;
                    best = (weight, Some((cell, digits & digits.wrapping_neg())));
                }
            }
        }
        best.1
    }
}
