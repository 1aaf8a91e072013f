//! Chooses the cell to branch on: one with few candidates and many past contradictions.

use super::plan::MAX_CELLS;

/// The weight of each cell, which grows with the contradictions there. This is the heuristic dom/wdeg (Boussemart and others:
/// Boosting systematic search by weighting constraints, 2004), with weights of cells instead of constraints.
#[derive(Debug)]
pub(super) struct Weights {
    of_cell: [f32; MAX_CELLS],
    /// The number of calls of `count_constraint`.
    contradictions: u32,
}

/// The weight that the cell of the last branch gains at each contradiction. The cells of a constraint that cannot hold gain 1
/// each.
// Tried: 1. The 14 hardest killers take 1.4 times as long; with 0.5 and weight / n³, twice as long.
const WEIGHT_OF_BRANCH: f32 = 3.0;

/// Each time after this many contradictions of constraints, all weights are halved, so that recent contradictions count more.
const CONTRADICTIONS_PER_DECAY: u32 = 2000;

impl Weights {
    pub fn new() -> Weights {
        Weights {
            of_cell: [1.0; MAX_CELLS],
            contradictions: 0,
        }
    }

    /// Counts a contradiction after a branch on this cell.
    #[inline(always)]
    pub fn count_branch(&mut self, cell: u8) {
        self.of_cell[usize::from(cell)] += WEIGHT_OF_BRANCH;
    }

    /// Counts a constraint of these cells that cannot hold. Halves all weights after every `CONTRADICTIONS_PER_DECAY` calls.
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

    /// Returns the cell to branch on: of the cells with n > 1 candidates, the first one with the greatest weight / n². Only the upper
    /// 24 bits of these floats are compared. Returns `None` if all cells are fixed. Every cell must have a candidate.
    #[inline(always)]
    pub fn choose(&self, candidates: &[u16]) -> Option<u8> {
        // The greatest rank so far. The upper 24 bits of a rank are those of the score: positive floats compare like their bits.
        // The lowest eight are 255 - cell, so the first of equal cells wins. The loop has no jumps, so compilers use vectors.
        let mut best = 0;
        for (cell, (&set, weight)) in (0..).zip(candidates.iter().zip(&self.of_cell)) {
            let number = set.count_ones() as f32;
            let score = weight / (number * number);
            let rank = score.to_bits() & !0xff | (0xff - cell);
            let is_open = set & set.wrapping_sub(1) != 0;
            best = if is_open { rank.max(best) } else { best };
        }
        // An open cell has rank 0 only if its weight has decayed to 0 and it is cell 255. A stuck grid has other open cells.
        (best != 0).then_some(0xff - best as u8)
    }
}
