//! Searches puzzles again, with small changes (*trials*), for `minimize.rs` and `candidates.rs`.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Duration;

use super::batch::Batch;
use super::emit::Emitter;
use super::findings::BatchFindings;
use super::options::Options;
use crate::puzzle::Puzzles;
use crate::solver::deadline::thread_time;
use crate::solver::learning::FIRST_PAUSE;
use crate::solver::{Found, GuessLimit, Limits, Progress};
use crate::verdict::Status;

/// The maximum number of puzzles whose trials are solved together: enough to fill every lane.
const PUZZLES_PER_ROUND: usize = 64;

/// The batch of the puzzles that are searched again, and the time and the guesses that their trials
/// have taken.
pub(super) struct TrialContext<'b, 'p, 'a> {
    pub options: &'b Options,
    pub batch: &'b Batch,
    /// The index of the batch.
    pub batch_index: usize,
    /// Has the findings, and writes finished entries while trials are being solved.
    pub emitter: &'b mut Emitter<'p, 'a>,
    /// The time that the trials of each puzzle have taken, by its index in the batch. Empty unless
    /// time is limited. `minimize.rs` clears it before the trials that get a new limit of time.
    pub spent: HashMap<usize, Duration>,
    /// The guesses of the trials that `minimize.rs` has solved alone, for each puzzle by its index
    /// in the batch.
    pub guesses: HashMap<usize, u64>,
}

/// Searches all puzzles with one of these statuses again. Calls `search` with the indices of some
/// puzzles of a batch at a time, and `record` with the index and the result of each.
pub(super) fn search_again<R>(
    emitter: &mut Emitter<'_, '_>,
    statuses: &[Status],
    search: impl Fn(&mut TrialContext<'_, '_, '_>, &[usize]) -> ControlFlow<(), Vec<R>>,
    record: impl Fn(&mut BatchFindings, usize, R),
) -> ControlFlow<()> {
    for (batch_index, batch) in emitter.batches.iter().enumerate() {
        let known = &emitter.findings[batch_index].statuses;
        let is_wanted =
            |&index: &usize| known[index].is_some_and(|status| statuses.contains(&status));
        let wanted: Vec<usize> = (0..batch.number).filter(is_wanted).collect();
        for indices in wanted.chunks(PUZZLES_PER_ROUND) {
            let mut context = TrialContext {
                options: &emitter.settings.options,
                batch,
                batch_index,
                emitter,
                spent: HashMap::new(),
                guesses: HashMap::new(),
            };
            let results = search(&mut context, indices)?;
            for (&index, result) in indices.iter().zip(results) {
                record(&mut emitter.findings[batch_index], index, result);
            }
            emitter.emit_if_due()?;
        }
    }
    ControlFlow::Continue(())
}

impl TrialContext<'_, '_, '_> {
    /// Solves these puzzles, which are trials. Trial i is a trial of the puzzle `indices[i]` of the
    /// batch. Searches each for up to `solutions` solutions. Calls `record` with the index of a
    /// trial and its result.
    ///
    /// If time is limited, each trial can take the least of the times left for these puzzles. If
    /// one of these puzzles has no time left, no trial at all is solved or recorded. Each trial is
    /// charged an equal share of the time of the call, which is added to `spent` of its puzzle.
    pub fn solve(
        &mut self,
        puzzles: Puzzles<'_>,
        indices: &[usize],
        max_guesses: GuessLimit,
        solutions: u64,
        mut record: impl FnMut(usize, &Found<'_>),
    ) -> ControlFlow<()> {
        let max_time = indices.iter().filter_map(|&index| self.time_left(index)).min();
        if max_time == Some(Duration::ZERO) {
            return ControlFlow::Continue(());
        }
        let limits = Limits { max_guesses, max_time, solutions, shown: 1 };
        let begin = max_time.map(|_| thread_time());
        let mut report = |progress: Progress<'_>| {
            match progress {
                Progress::Found(trial, found) => record(trial, &found),
                Progress::AtWork => return self.emitter.emit_if_due(),
                Progress::Solution(..) => {}
            }
            ControlFlow::Continue(())
        };
        let rules = self.batch.rules.select(indices.iter().copied());
        rules.solve(self.options, limits, puzzles, &mut report)?;
        if let Some(begin) = begin {
            let share = (thread_time() - begin) / indices.len() as u32;
            for &index in indices {
                *self.spent.entry(index).or_default() += share;
            }
        }
        ControlFlow::Continue(())
    }

    /// Returns the time that is left for the trials of a puzzle, or `None` if it is not limited.
    pub fn time_left(&self, index: usize) -> Option<Duration> {
        let spent = self.spent.get(&index).copied();
        let limit = self.options.max_time?;
        Some(limit.saturating_sub(spent.unwrap_or_default()))
    }

    /// Returns a limit that easy trials do not reach and hard ones reach soon, so that no trial
    /// waits long for another: `times * FIRST_PAUSE` guesses, but no more than the options allow.
    pub fn easy_guesses(&self, times: u64) -> GuessLimit {
        self.options.max_guesses.at_most(times * FIRST_PAUSE)
    }
}
