//! Makes puzzles: `minimize.rs` takes givens away, `candidates.rs` finds the digits of all
//! solutions, both by trials (`trials.rs`); `shuffle.rs` writes equivalents,
//! `vicinity.rs` puzzles with givens more or fewer, `new_puzzles.rs` random ones, both as groups
//! (`group.rs`), those with a pattern by hill climbing (`pattern.rs`).

use std::ops::ControlFlow;

use super::solve::solve;
use super::write::emit::Emitter;

pub(super) mod candidates;
mod group;
pub(super) mod minimize;
pub(super) mod new_puzzles;
mod pattern;
pub(super) mod shuffle;
pub(super) mod symmetric_groups;
mod trials;
pub(super) mod vicinity;

/// Solves all puzzles of a task, then makes the later searches that the options require.
pub(super) fn search(emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    solve(emitter)?;
    minimize::minimize(emitter)?;
    candidates::find_candidates(emitter)
}
