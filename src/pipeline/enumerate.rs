//! Writes all solutions of each puzzle (`--all`), one output line per solution.
//!
//! Most puzzles have few solutions. The first search solves all puzzles of a task together and stores up to `MOST_STORED`
//! solutions of each; `emit.rs` writes them. A puzzle with more is searched again here, alone, and its solutions are written as
//! they are found.

use std::ops::ControlFlow;

use super::batch::{Batch, Batches};
use super::emit::Emitter;
use super::entry::EntryState;
use super::findings::BatchFindings;
use super::options::{MOST_STORED, Mode, Options};
use crate::solver::{Limits, Progress};
use crate::stream::OutputLines;
use crate::verdict::Status;

/// The number of bytes of output lines after which they are emitted.
const EMIT_SIZE: usize = 64 << 10;

/// Writes the entries that remain, if all solutions are written. The first of them is a puzzle with more solutions than are
/// stored.
pub(super) fn enumerate(
    options: &Options,
    batches: &Batches<'_>,
    findings: &[BatchFindings],
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    let Mode::All(most) = options.mode else {
        return ControlFlow::Continue(());
    };
    let limits = options.limits().with_solutions(most);
    while let Some(next) = emitter.next() {
        debug_assert!(most > MOST_STORED, "the first search finds up to that");
        let EntryState::Open { batch, index } = emitter.state_of(next) else {
            unreachable!("all other entries are written")
        };
        let batch = &batches.all[batch as usize];
        write_alone(batch, index as usize, limits, findings, emitter)?;
        emitter.emit(findings)?;
    }
    ControlFlow::Continue(())
}

/// Searches the puzzle of the next entry alone, and writes the solutions that are not written yet.
fn write_alone(
    batch: &Batch,
    index: usize,
    limits: Limits,
    findings: &[BatchFindings],
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    let mut output = OutputLines::default();
    let mut seen = 0;
    let mut report = |progress: Progress<'_>| {
        match progress {
            Progress::Solution(_, solution) => {
                seen += 1;
                if seen > emitter.solutions() {
                    // A puzzle that is searched alone has more than `MOST_STORED` solutions.
                    emitter.write_solution(findings, Status::Multiple, solution, &mut output);
                }
                if output.bytes.len() > EMIT_SIZE {
                    return emitter.emit_part(std::mem::take(&mut output));
                }
            }
            Progress::AtWork if emitter.is_due() => {
                return emitter.emit_part(std::mem::take(&mut output));
            }
            Progress::AtWork => {}
            Progress::Found(_, found) => {
                let is_given_up = !found.complete && found.solutions < limits.solutions;
                let status = match is_given_up {
                    true => Status::Unknown,
                    false => Status::Multiple,
                };
                emitter.end_entry(findings, status, &mut output);
            }
        }
        ControlFlow::Continue(())
    };
    let solver = &batch.rules.ruleset(index).solver;
    solver.solve(batch.puzzle(index), limits, &mut report)?;
    emitter.emit_end(output)
}
