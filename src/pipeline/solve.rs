//! Solves the batches of a task.

use std::ops::ControlFlow;

use super::batch::Batches;
use super::emit::Emitter;
use super::findings::BatchFindings;
use super::options::Options;
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
        let mut report = |progress: Progress<'_>| {
            match &progress {
                Progress::Solution(grid, digits) => findings[index].record_solution(*grid, digits),
                // By reference: a copy would load what was just stored, and wait for it.
                Progress::Found(grid, found) => findings[index].record(*grid, found),
                Progress::AtWork => return emitter.emit_if_due(findings),
            }
            ControlFlow::Continue(())
        };
        batch
            .rules
            .solve(options, limits, batch.puzzles(), &mut report)?;
        emitter.emit_if_due(findings)?;
    }
    ControlFlow::Continue(())
}
