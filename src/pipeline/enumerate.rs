//! With `--all`, writes the solutions of a puzzle after the first `MAX_STORED`, up to the wanted
//! number, one output line per solution.
//!
//! Most puzzles have few solutions. So the first search solves the puzzles of a batch together, and
//! `emit.rs` writes up to `MAX_STORED` solutions of each. A puzzle with more is searched again
//! here, alone, and its further solutions are written as they are found.

use std::ops::ControlFlow;

use super::settings::MAX_STORED;
use super::write::emit::{Emitter, EntryLine};
use engine::solver::Progress;
use engine::verdict::Status;

/// The next entry is always a puzzle whose first search stopped at `MAX_STORED` solutions, because
/// [`Emitter::emit`] has written all entries before it.
pub(super) fn enumerate(max_solutions: u64, emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    let settings = emitter.settings;
    let limits = settings.limits.with_solutions(max_solutions);
    while let Some(entry) = emitter.next_entry() {
        debug_assert!(max_solutions > MAX_STORED, "fewer are all stored");
        let Some((batch, index)) = entry.place() else {
            unreachable!("all other entries are written")
        };
        let batch = &emitter.batches[batch];
        let mut seen = 0;
        let mut report = |progress: Progress<'_>| {
            match progress {
                Progress::Solution(_, solution) => {
                    seen += 1;
                    // Both searches find solutions in the same order, so the first `written.lines`
                    // of them are already written.
                    if seen > emitter.written.lines {
                        // The first search found `MAX_STORED` solutions, so there are several.
                        let line = EntryLine::Solution(solution);
                        return emitter.write_line(Status::Multiple, line);
                    }
                }
                Progress::AtWork => return emitter.emit_if_due(),
                Progress::Found(_, found) => {
                    let hit_limit = !found.complete && found.solutions < limits.solutions;
                    let status = if hit_limit { Status::Unknown } else { Status::Multiple };
                    emitter.end_entry(status);
                }
            }
            ControlFlow::Continue(())
        };
        let solver = &batch.rules.ruleset(index).solver;
        let flow = solver.solve(batch.puzzle(index), limits, &mut report);
        flow.expect("the puzzle fits its rules")?;
        emitter.emit()?;
    }
    ControlFlow::Continue(())
}
