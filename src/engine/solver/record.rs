//! The record of a search outside the main loop of `lanes/`: of a killer, or of `--method
//! backtrack`.

use std::ops::ControlFlow;

use super::learning::SearchTask;
use super::limits::{Limits, Progress, Report, Searched, check_solution};
use crate::rules::Rules;

pub(super) struct SearchRecord<'a> {
    pub rules: &'a Rules,
    /// `record_solution` can raise `max_guesses`.
    pub task: SearchTask<'a>,
    pub limits: Limits,
    pub guesses: u64,
    pub solutions: u64,
    /// `None` also if `Limits::shown` is 0.
    pub first: Option<Vec<u8>>,
}

impl<'a> SearchRecord<'a> {
    pub fn new(rules: &'a Rules, task: SearchTask<'a>, limits: Limits) -> SearchRecord<'a> {
        SearchRecord { rules, task, limits, guesses: 0, solutions: 0, first: None }
    }

    /// If time is limited, reads the clock 16 times per report. Returns `Some` if the time is up.
    #[inline(always)]
    pub fn count_guess(
        &mut self,
        guesses_per_report: u64,
        report: Report<'_>,
    ) -> ControlFlow<(), Option<Searched>> {
        self.guesses += 1;
        if self.guesses.is_multiple_of(guesses_per_report) {
            report(Progress::AtWork)?;
        }
        let is_out_of_time = self.task.deadline.is_some_and(|deadline| {
            self.guesses.is_multiple_of(guesses_per_report / 16) && deadline.is_past()
        });
        ControlFlow::Continue(is_out_of_time.then_some(Searched::Part))
    }

    /// Returns true if no more solutions are wanted.
    pub fn record_solution(&mut self, digits: &[u8], report: Report<'_>) -> ControlFlow<(), bool> {
        let limits = self.limits;
        debug_assert!(self.solutions < limits.solutions);
        self.solutions += 1;
        let limit = &mut self.task.max_guesses;
        *limit = limits.max_guesses_after_solution(self.rules, self.guesses, *limit);
        if self.solutions <= limits.shown {
            check_solution(self.rules, self.task.givens, digits);
            self.first.get_or_insert_with(|| digits.to_vec());
            if limits.reports_solutions() {
                report(Progress::Solution(self.task.index, digits))?;
            }
        }
        ControlFlow::Continue(self.solutions == limits.solutions)
    }

    #[inline(always)]
    pub fn report_result(&self, searched: Searched, report: Report<'_>) -> ControlFlow<()> {
        let (first, limits) = (self.first.as_deref(), self.limits);
        let found = limits.found(first, self.guesses, self.solutions, searched);
        report(Progress::Found(self.task.index, found))
    }
}
