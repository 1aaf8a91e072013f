//! The search of one hard puzzle, up to 32 nodes of its tree at a time. A lane whose node is solved
//! or contradictory takes the last open branch; a lane that is stuck branches.
//!
//! The number of nodes is at most 32 on every machine (a level with fewer lanes sweeps them in
//! parts). Lanes share the weights, and add weights, branch and report in the order of their
//! numbers. So, unless time is limited, results depend only on the puzzle, its seed and the limits.
// Killers do not search in the lanes of `../lanes/`. Those lanes share no weights, so killers would
// take several times as many branches.

use std::ops::ControlFlow;

use super::lane_board::{LaneBoard, NODES};
use super::problem::Problem;
use super::sums;
use super::tree::StatedTree;
use crate::bits::bits;
use crate::solver::limits::{Report, Searched};
use crate::solver::simd::{Counting, CountingJob};

pub(super) struct HardSearch<'a, 'p> {
    pub tree: &'a mut StatedTree<'p>,
    pub problem: &'a Problem<'p>,
    pub report: Report<'a>,
}

impl CountingJob for HardSearch<'_, '_> {
    type Answer = ControlFlow<(), Searched>;

    #[inline(always)]
    fn run<S: Counting>(self, s: S) -> ControlFlow<(), Searched> {
        let mut lanes = NodeLanes {
            board: LaneBoard::new(s, self.problem, self.tree.record.rules),
            tree: self.tree,
            candidates: vec![0; self.problem.plan.cells],
            cell_of: [0; NODES],
            busy: 0,
        };
        lanes.search(self.report)
    }
}

struct NodeLanes<'a, 'p, S: Counting> {
    tree: &'a mut StatedTree<'p>,
    board: LaneBoard<'a, S>,
    candidates: Vec<u16>,
    /// The cell of the branch that led to each busy node.
    cell_of: [u8; NODES],
    busy: u32,
}

impl<S: Counting> NodeLanes<'_, '_, S> {
    #[inline(always)]
    fn search(&mut self, report: Report<'_>) -> ControlFlow<(), Searched> {
        loop {
            self.fill();
            if self.busy == 0 {
                return ControlFlow::Continue(Searched::Everything);
            }
            let sweep = self.board.sweep(self.busy);
            for lane in bits(sweep.contradiction) {
                self.fail(lane, sweep.failed_constraints[lane].map(usize::from));
            }
            for lane in bits(self.busy & !sweep.changed) {
                if let Some(searched) = self.branch(lane, report)? {
                    return ControlFlow::Continue(searched);
                }
            }
        }
    }

    /// Frees the lane. The constraint, if it has a number, has shown that its node has no solution.
    #[inline(always)]
    fn fail(&mut self, lane: usize, constraint: Option<usize>) {
        let weights = &mut self.tree.weights;
        if let Some(number) = constraint {
            weights.count_constraint(self.board.problem.cells_of(number));
        }
        weights.count_branch(self.cell_of[lane]);
        self.busy &= !(1 << lane);
    }

    #[inline(always)]
    fn fill(&mut self) {
        for lane in bits(!self.busy) {
            let Some(cell) = self.tree.pop(&mut self.candidates) else {
                break;
            };
            self.board.load(lane, &self.candidates);
            self.cell_of[lane] = cell;
            self.busy |= 1 << lane;
        }
    }

    /// Makes the deductions that are too slow for every sweep. If they change anything, the next
    /// sweep goes on from there. If all cells are fixed, instead records the solution and frees the lane. Returns `Some` if
    /// the search must end.
    #[inline(always)]
    fn branch(&mut self, lane: usize, report: Report<'_>) -> ControlFlow<(), Option<Searched>> {
        self.board.read(lane, &mut self.candidates);
        match sums::deduce_exactly(self.board.problem, &mut self.candidates) {
            Ok(false) => {}
            Ok(true) => {
                self.board.load(lane, &self.candidates);
                return ControlFlow::Continue(None);
            }
            Err(constraint) => {
                self.fail(lane, Some(constraint));
                return ControlFlow::Continue(None);
            }
        }
        let Some(cell) = self.tree.weights.choose(&self.candidates) else {
            self.busy &= !(1 << lane);
            let is_enough = self.tree.record_grid(&self.candidates, report)?;
            return ControlFlow::Continue(is_enough.then_some(Searched::Part));
        };
        if let Some(searched) = self.tree.guess(report)? {
            return ControlFlow::Continue(Some(searched));
        }
        let cell = self.tree.branch(self.board.problem, cell, &mut self.candidates);
        let digit = self.candidates[usize::from(cell)];
        self.board.set(lane, cell, digit);
        self.cell_of[lane] = cell;
        ControlFlow::Continue(None)
    }
}
