//! Solves trials: puzzles of a batch with small changes, for `minimize.rs` and `candidates.rs`.

use std::ops::ControlFlow;

use super::batch::Batch;
use super::emit::Emitter;
use super::findings::BatchFindings;
use super::options::Options;
use crate::puzzle::{Givens, Puzzles};
use crate::solver::{Found, Limits, Progress};

/// Solves trials of puzzles of a batch.
pub(super) struct TrialContext<'b, 'p, 'a> {
    pub options: &'b Options,
    pub batch: &'b Batch,
    pub findings: &'b [BatchFindings],
    /// Writes finished entries while trials are being solved.
    pub emitter: &'b mut Emitter<'p, 'a>,
}

impl TrialContext<'_, '_, '_> {
    /// Solves trials. `indices` are those of their puzzles in the batch. Calls `record` with the index of a trial and its result.
    pub fn solve(
        &mut self,
        givens: Givens<'_>,
        indices: impl Iterator<Item = usize>,
        limits: Limits,
        mut record: impl FnMut(usize, &Found<'_>),
    ) -> ControlFlow<()> {
        let puzzles = Puzzles { givens, seeds: &[] };
        let mut report = |progress: Progress<'_>| {
            match progress {
                Progress::Found(at, found) => record(at, &found),
                Progress::AtWork => return self.emitter.emit_if_due(self.findings),
                Progress::Solution(..) => {}
            }
            ControlFlow::Continue(())
        };
        let rules = self.batch.rules.of(indices);
        rules.solve(self.options, limits, puzzles, &mut report)
    }
}
