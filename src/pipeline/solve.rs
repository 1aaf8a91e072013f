//! Solves the batches of a task.

use std::ops::ControlFlow;

use super::batch::BatchRules;
use super::options::Options;
use super::write::emit::Emitter;
use engine::puzzle::Puzzles;
use engine::solver::{Limits, Progress, solve_each};

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
        let (options, limits) = (&settings.options, settings.limits);
        solve_puzzles(&batch.rules, options, limits, batch.puzzles(), &mut report)?;
        emitter.emit_if_due()?;
    }
    ControlFlow::Continue(())
}

/// Solves puzzles with the rules of a batch. With `Each`, there must be as many puzzles as rules, in
/// the same order.
pub(super) fn solve_puzzles(
    rules: &BatchRules,
    options: &Options,
    limits: Limits,
    puzzles: Puzzles<'_>,
    report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let flow = match rules {
        BatchRules::Shared(ruleset) => ruleset.solver.solve(puzzles, limits, report),
        BatchRules::Each(rulesets) => {
            let rules: Vec<_> = rulesets.iter().map(|it| it.rules.clone()).collect();
            let method = (options.method, options.level);
            solve_each(&rules, method, puzzles, limits, report)
        }
    };
    flow.expect("the puzzles of a batch fit its rules")
}
