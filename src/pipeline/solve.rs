//! Solves the batches of a task.

use std::ops::ControlFlow;

use super::write::emit::Emitter;
use engine::solver::Progress;

/// Emits output that is ready while other puzzles are being solved.
pub(super) fn solve(emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    let settings = emitter.settings;
    for (index, batch) in emitter.batches.iter().enumerate() {
        let mut report = |progress: Progress<'_>| {
            match &progress {
                Progress::Solution(grid, digits) => {
                    emitter.findings[index].record_solution(*grid, digits)
                }
                // `match &progress`, because a match by value would copy `found`. A copy loads
                // several fields at once, and the CPU stalls until their single writes, which have
                // just begun, are done.
                Progress::Found(grid, found) => emitter.findings[index].record(*grid, found),
                Progress::AtWork => return emitter.emit_if_due(),
            }
            ControlFlow::Continue(())
        };
        batch.rules.solve(&settings.options, settings.limits, batch.puzzles(), &mut report)?;
        emitter.emit_if_due()?;
    }
    ControlFlow::Continue(())
}
