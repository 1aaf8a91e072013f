//! The limits of a search by the SAT solver.

use std::cell::{Cell, RefCell};
use std::ops::ControlFlow;

use batsat::{Callbacks, ClauseKind, Lit};

use crate::solver::deadline::Deadline;
use crate::solver::limits::{Progress, Report};

/// Calls of `stop` between two reports: usually one or two milliseconds.
const DECISIONS_PER_REPORT: u64 = 256;

/// Ends a search soon after a number of conflicts, after a deadline, or after a report has broken.
pub(super) struct Budget<'a> {
    max_conflicts: u64,
    deadline: Option<Deadline>,
    report: RefCell<Report<'a>>,
    conflicts: u64,
    decisions: Cell<u64>,
    flow: Cell<ControlFlow<()>>,
}

impl<'a> Budget<'a> {
    pub fn new(max_conflicts: u64, deadline: Option<Deadline>, report: Report<'a>) -> Budget<'a> {
        Budget {
            max_conflicts,
            deadline,
            report: RefCell::new(report),
            conflicts: 0,
            decisions: Cell::new(0),
            flow: Cell::new(ControlFlow::Continue(())),
        }
    }

    /// Returns the number of conflicts from which a clause was learnt, capped at `max_conflicts`.
    pub fn spent(&self) -> ControlFlow<(), u64> {
        self.flow.get()?;
        // Several conflicts between two calls of `stop` can exceed the maximum.
        ControlFlow::Continue(self.conflicts.min(self.max_conflicts))
    }
}

impl Callbacks for Budget<'_> {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.conflicts += u64::from(kind == ClauseKind::Learnt);
    }

    /// batsat calls this before each decision, before a restart, and at the end of a search.
    fn stop(&self) -> bool {
        self.decisions.update(|decisions| decisions + 1);
        let is_due = self.decisions.get().is_multiple_of(DECISIONS_PER_REPORT);
        if is_due && self.flow.get().is_continue() {
            self.flow.set(self.report.borrow_mut()(Progress::AtWork));
        }
        self.conflicts >= self.max_conflicts
            || self.flow.get().is_break()
            || self.deadline.is_some_and(Deadline::is_past)
    }
}
