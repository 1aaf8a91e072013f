//! Solves the batches of a task.

use std::ops::ControlFlow;

use super::batch::Batches;
use super::emit::Emitter;
use super::findings::BatchFindings;
use super::options::Options;
use crate::error::{abandon, abandonable};
use crate::solver::Progress;

/// Solves every batch. Emits output that is ready while other puzzles are being solved.
pub(super) fn solve(
    options: &Options,
    batches: &Batches<'_>,
    findings: &mut [BatchFindings],
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    let limits = options.limits();
    for (index, batch) in batches.all.iter().enumerate() {
        let report = |progress: Progress<'_>| {
            match &progress {
                Progress::Solution(grid, digits) => findings[index].record_solution(*grid, digits),
                // By reference: a copy would load what was just stored, and wait for it.
                Progress::Found(grid, found) => findings[index].record(*grid, found),
                Progress::AtWork => return emitter.emit_if_due(findings),
            }
            ControlFlow::Continue(())
        };
        let search = |report: &mut dyn FnMut(Progress<'_>)| {
            batch.rules.solve(options, limits, batch.puzzles(), report);
        };
        run_search(search, report)?;
        emitter.emit_if_due(findings)?;
    }
    ControlFlow::Continue(())
}

/// Runs a search until its end, or until `report` returns `Break`.
///
/// The solver's callback returns nothing, so this unwinds across the solver. A search can take hours, and on the thread that
/// also writes the output nothing else would end it.
pub(super) fn run_search(
    search: impl FnOnce(&mut dyn FnMut(Progress<'_>)),
    mut report: impl FnMut(Progress<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    abandonable(|| {
        search(&mut |progress| {
            if report(progress).is_break() {
                abandon();
            }
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_without_end_ends_when_its_report_breaks() {
        let mut reports = 0;
        let search = |report: &mut dyn FnMut(Progress<'_>)| {
            loop {
                report(Progress::AtWork);
            }
        };
        let flow = run_search(search, |_| {
            reports += 1;
            match reports {
                3 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        });
        assert_eq!((flow, reports), (ControlFlow::Break(()), 3));
    }
}
