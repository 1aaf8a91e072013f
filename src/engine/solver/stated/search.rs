//! The search of one puzzle, one node at a time: deduces, branches on a cell, and backtracks. After
//! more than `StatedSolver::guesses_alone` guesses, the search goes on in lanes.

use std::ops::ControlFlow;

use super::StatedSolver;
use super::board::StatedBoard;
use super::contradiction::Deduced;
use super::lanes::HardSearch;
use super::plan::StatedPlan;
use super::problem::Problem;
use super::rule_of_45::RuleOf45;
use super::sums;
use super::tree::StatedTree;
use crate::solver::limits::{Report, Searched};

pub(super) struct StatedSearch<'a> {
    solver: StatedSolver,
    problem: Problem<'a>,
    board: StatedBoard,
    rule_of_45: RuleOf45,
    tree: StatedTree<'a>,
}

impl<'a> StatedSearch<'a> {
    /// The plan must be that of the puzzle of `tree`.
    pub fn new(
        solver: StatedSolver,
        plan: &'a StatedPlan,
        mut tree: StatedTree<'a>,
    ) -> StatedSearch<'a> {
        let mut problem = Problem::new(plan, tree.record.rules.cages());
        problem.add_stated(tree.record.rules);
        if tree.record.rules.stated().is_some() {
            problem.weigh_stated(&mut tree.weights);
        }
        StatedSearch {
            solver,
            board: StatedBoard::new(&problem),
            problem,
            rule_of_45: RuleOf45::new(tree.record.rules.cages()),
            tree,
        }
    }

    #[inline(always)]
    pub fn solve(&mut self, report: Report<'_>) -> ControlFlow<()> {
        let searched = match self.load() {
            Ok(()) => self.search(report)?,
            Err(_) => Searched::Everything,
        };
        self.tree.record.report_result(searched, report)
    }

    fn load(&mut self) -> Deduced {
        for cage in self.tree.record.rules.cages() {
            if let (&[cell], Some(sum)) = (cage.cells(), cage.sum) {
                let digit = 1 << (sum - 1);
                self.board.restrict(&self.problem, cell as u8, digit)?;
            }
        }
        let every_digit = self.problem.plan.every_digit();
        for cell in 0..self.problem.plan.cells {
            let givens = self.tree.record.task.givens;
            let candidates = givens.candidates(cell, every_digit.into());
            self.board.restrict(&self.problem, cell as u8, candidates as u16)?;
        }
        Ok(())
    }

    #[inline(always)]
    fn search(&mut self, report: Report<'_>) -> ControlFlow<(), Searched> {
        loop {
            let deduced = self.board.propagate(&self.problem, sums::deduce);
            let candidates = self.board.grid_candidates(&self.problem);
            if let Err(constraint) = deduced {
                self.count_contradiction(constraint);
            } else if let Some(cell) = self.tree.weights.choose(candidates) {
                if self.rule_of_45.has_rounds_left() {
                    // No branch was made before all rounds, so the puzzle has no solution.
                    if !self.add_derived_sums() {
                        return ControlFlow::Continue(Searched::Everything);
                    }
                    continue;
                }
                if let Some(searched) = self.tree.guess(report)? {
                    return ControlFlow::Continue(searched);
                }
                let cells = self.problem.plan.cells;
                let candidates = &mut self.board.candidates[..cells];
                let cell = self.tree.branch(&self.problem, cell, candidates);
                self.board.note_change(&self.problem, cell);
                if self.tree.record.guesses > self.solver.guesses_alone {
                    // The lanes take all open branches, so the current state becomes one too.
                    self.tree.push(cell, self.board.grid_candidates(&self.problem));
                    return self.search_in_lanes(report);
                }
                continue;
            } else if self.tree.record_grid(candidates, report)? {
                return ControlFlow::Continue(Searched::Part);
            }
            if !self.backtrack() {
                return ControlFlow::Continue(Searched::Everything);
            }
        }
    }

    #[inline(always)]
    fn count_contradiction(&mut self, constraint: Option<usize>) {
        if let Some(number) = constraint {
            let cells = self.problem.cells_of(number);
            self.tree.weights.count_constraint(cells);
        }
        if let Some(cell) = self.tree.last_cell() {
            self.tree.weights.count_branch(cell);
        }
    }

    /// From the next round of the rule of 45. Returns false if one of them is impossible.
    #[inline(always)]
    fn add_derived_sums(&mut self) -> bool {
        let first = self.problem.constraints();
        let is_possible = self.rule_of_45.add_sums(&mut self.problem);
        self.board.note_new_constraints(&self.problem, first);
        is_possible
    }

    #[inline(always)]
    fn backtrack(&mut self) -> bool {
        let candidates = &mut self.board.candidates[..self.problem.plan.cells];
        let Some(cell) = self.tree.pop(candidates) else {
            return false;
        };
        self.board.forget_changes();
        self.board.note_change(&self.problem, cell);
        true
    }

    #[cold]
    #[inline(never)]
    fn search_in_lanes(&mut self, report: Report<'_>) -> ControlFlow<(), Searched> {
        self.problem.add_combined_sums();
        // `HardSearch` needs the operations of `Counting`.
        self.solver.level.run_counting(HardSearch {
            tree: &mut self.tree,
            problem: &self.problem,
            report,
        })
    }
}
