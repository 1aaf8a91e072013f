//! The search tree of one puzzle: its open branches, the weights of cells, and the record of the
//! search. Both `search.rs` (one node at a time) and `lanes.rs` (many nodes) use it.

use std::ops::ControlFlow;

use super::branching::Weights;
use super::problem::Problem;
use crate::random::{Random, first_bit};
use crate::solver::learning::PausedSearch;
use crate::solver::limits::{Report, Searched};
use crate::solver::record::SearchRecord;

/// Well below a millisecond in a 9x9.
const GUESSES_PER_REPORT: u64 = 64;

pub(super) struct StatedTree<'a> {
    pub record: SearchRecord<'a>,
    cells: usize,
    /// The candidates of all cells in each open branch, one branch after the other.
    saved: Vec<u16>,
    /// For each open branch, the cell that was restricted last. In `StatedSearch`, deductions after
    /// a backtrack begin at this cell.
    branches: Vec<u8>,
    pub weights: Weights,
    random: Option<Random>,
    /// At this number of guesses, `guess` calls `pause`.
    stop: u64,
}

impl<'a> StatedTree<'a> {
    pub fn new(record: SearchRecord<'a>) -> StatedTree<'a> {
        let task = &record.task;
        StatedTree {
            cells: record.rules.cells(),
            saved: Vec::new(),
            branches: Vec::new(),
            weights: Weights::new(),
            random: task.seed.map(Random::new),
            stop: task.schedule.next_stop(task.max_guesses),
            record,
        }
    }

    #[inline(always)]
    pub fn push(&mut self, cell: u8, candidates: &[u16]) {
        debug_assert_eq!(candidates.len(), self.cells);
        self.saved.extend_from_slice(candidates);
        self.branches.push(cell);
    }

    #[inline(always)]
    pub fn pop(&mut self, candidates: &mut [u16]) -> Option<u8> {
        debug_assert_eq!(candidates.len(), self.cells);
        let cell = self.branches.pop()?;
        let first = self.saved.len() - self.cells;
        candidates.copy_from_slice(&self.saved[first..]);
        self.saved.truncate(first);
        Some(cell)
    }

    /// After a backtrack, this is the cell of an earlier branch, not that of the excluded digit.
    #[inline(always)]
    pub fn last_cell(&self) -> Option<u8> {
        self.branches.last().copied()
    }

    /// Branches on `cell`, or on a digit with two places in a house. Returns the cell.
    #[inline(always)]
    pub fn branch(&mut self, problem: &Problem, cell: u8, candidates: &mut [u16]) -> u8 {
        // A digit with two places is no random choice. Tried: without tables. Killers made 2 to 5 %
        // fewer guesses in the same time, region sums took twice as many guesses.
        let tries_places = !problem.stated.stars.is_empty() && self.random.is_none();
        let choose = || self.weights.choose_place(cell, candidates, &problem.plan.houses);
        let place = tries_places.then(choose).flatten();
        let (cell, digit) = place.map_or((cell, None), |(cell, digit)| (cell, Some(digit)));
        let set = candidates[usize::from(cell)];
        debug_assert!(set.count_ones() > 1);
        let digit = digit.unwrap_or_else(|| first_bit(self.random.as_mut(), set.into()) as u16);
        candidates[usize::from(cell)] = set & !digit;
        self.push(cell, candidates);
        candidates[usize::from(cell)] = digit;
        cell
    }

    /// Returns `Some` if the search must end.
    #[inline(always)]
    pub fn guess(&mut self, report: Report<'_>) -> ControlFlow<(), Option<Searched>> {
        if self.record.guesses >= self.stop
            && let Some(searched) = self.pause(report)?
        {
            return ControlFlow::Continue(Some(searched));
        }
        self.record.count_guess(GUESSES_PER_REPORT, report)
    }

    /// Tries clause learning. Returns `Some` if the search must end, otherwise sets the next stop.
    #[cold]
    #[inline(never)]
    fn pause(&mut self, report: Report<'_>) -> ControlFlow<(), Option<Searched>> {
        let record = &mut self.record;
        debug_assert!(record.solutions < record.limits.solutions);
        // Clause learning must exclude a solution that has been found, so it must be kept.
        let first_is_kept = record.solutions == 0 || record.first.is_some();
        if first_is_kept && record.guesses < record.task.max_guesses {
            let mut search = PausedSearch {
                rules: record.rules,
                task: record.task,
                guesses: record.guesses,
                solutions: record.solutions,
                known: record.first.as_deref(),
                limits: record.limits,
            };
            let answer = record.task.schedule.try_learning(&mut search, report)?;
            record.guesses = search.guesses;
            if let Some(answer) = answer {
                for solution in &answer.solutions {
                    record.record_solution(solution, report)?;
                }
                return ControlFlow::Continue(Some(answer.searched));
            }
            self.stop = record.task.schedule.next_stop(record.task.max_guesses);
        } else {
            self.stop = record.task.max_guesses;
        }
        let is_at_limit = record.guesses >= record.task.max_guesses;
        ControlFlow::Continue(is_at_limit.then_some(Searched::Part))
    }

    /// Each cell has one candidate. Returns true if no more solutions are wanted.
    #[inline(always)]
    pub fn record_grid(&mut self, candidates: &[u16], report: Report<'_>) -> ControlFlow<(), bool> {
        debug_assert!(candidates.iter().all(|set| set.is_power_of_two()));
        let digits = candidates.iter().map(|set| set.trailing_zeros() as u8 + 1);
        let digits: Vec<u8> = digits.collect();
        let is_enough = self.record.record_solution(&digits, report)?;
        let task = &self.record.task;
        self.stop = task.schedule.next_stop(task.max_guesses);
        ControlFlow::Continue(is_enough)
    }
}
