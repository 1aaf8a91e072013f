//! Searches puzzles again, with small changes (*trials*), for `minimize.rs` and `candidates.rs`.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use crate::pipeline::batch::Batch;
use crate::pipeline::findings::BatchFindings;
use crate::pipeline::options::Options;
use crate::pipeline::puzzle_view::FITS;
use crate::pipeline::solve::solve_puzzles;
use crate::pipeline::write::emit::Emitter;
use engine::puzzle::Puzzles;
use engine::rules::Rules;
use engine::solver::deadline::thread_time;
use engine::solver::learning::FIRST_PAUSE;
use engine::solver::selection::Selection;
use engine::solver::{Found, GuessLimit, Limits, Progress, solve_each};
use engine::verdict::Status;

/// The maximum number of puzzles whose trials are solved together: enough to fill every lane.
const PUZZLES_PER_ROUND: usize = 64;

pub(in crate::pipeline) struct TrialContext<'b, 'p, 'a> {
    pub options: &'b Options,
    pub batch: &'b Batch,
    pub batch_index: usize,
    /// Has the findings, and writes finished entries while trials are being solved.
    pub emitter: &'b mut Emitter<'p, 'a>,
    /// The time that the trials of each puzzle have taken, by its index in the batch. Empty unless
    /// time is limited. `minimize.rs` clears it before the trials that get a new limit of time.
    pub spent: HashMap<usize, Duration>,
    /// The guesses of the trials that `minimize.rs` has solved alone, for each puzzle by its index.
    pub guesses: HashMap<usize, u64>,
}

/// `search` gets the indices of some puzzles of a batch at a time.
pub(in crate::pipeline) fn search_again<R>(
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

/// Trial i is a trial of the puzzle `indices[i]` of the batch.
#[derive(Clone, Copy)]
pub(in crate::pipeline) struct TrialPuzzles<'t> {
    pub puzzles: Puzzles<'t>,
    pub indices: &'t [usize],
    /// The rules of each trial. Empty if they are those of its puzzle.
    pub rules: &'t [Arc<Rules>],
}

#[derive(Clone, Copy)]
struct Trials<'t> {
    puzzles: TrialPuzzles<'t>,
    /// The trials to solve, as indices of `puzzles` and `indices`.
    solved: &'t [usize],
    limits: Limits,
}

struct Effort {
    guesses: u64,
    is_undecided: bool,
}

impl Effort {
    fn new(found: &Found<'_>, limits: Limits) -> Effort {
        let is_undecided = !found.complete && found.solutions < limits.solutions;
        Effort { guesses: found.guesses, is_undecided }
    }

    /// A search without guesses counts as one guess.
    fn weight(&self) -> u64 {
        self.guesses + 1
    }
}

impl<'b> TrialContext<'b, '_, '_> {
    /// Calls `record` with the index of a trial and its result.
    ///
    /// If time is limited, a trial whose puzzle has no time left is neither solved nor recorded.
    /// The others are first solved together, with the least of the times left for their puzzles. A
    /// trial that this time ends is then solved again, alone, with the time that is left for its
    /// puzzle, and recorded again.
    pub fn solve(
        &mut self,
        puzzles: TrialPuzzles<'_>,
        max_guesses: GuessLimit,
        solutions: u64,
        mut record: impl FnMut(usize, &Found<'_>),
    ) -> ControlFlow<()> {
        let mut limits = Limits::default();
        (limits.max_guesses, limits.solutions) = (max_guesses, solutions);
        let indices = puzzles.indices;
        let has_time = |trial: &usize| self.time_left(indices[*trial]) != Some(Duration::ZERO);
        let trials: Vec<usize> = (0..indices.len()).filter(has_time).collect();
        let trials = Trials { puzzles, limits, solved: &trials };
        for trial in self.solve_together(trials, &mut record)? {
            if self.time_left(indices[trial]) != Some(Duration::ZERO) {
                self.solve_together(Trials { solved: &[trial], ..trials }, &mut record)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Charges the time of the call to the puzzles, in proportion to the guesses of their trials.
    /// Returns the trials that the time ended.
    fn solve_together(
        &mut self,
        trials: Trials<'_>,
        record: &mut impl FnMut(usize, &Found<'_>),
    ) -> ControlFlow<(), Vec<usize>> {
        let Trials { puzzles: TrialPuzzles { puzzles, indices, rules }, solved, limits } = trials;
        if solved.is_empty() {
            return ControlFlow::Continue(Vec::new());
        }
        let index_of = |&trial: &usize| indices[trial];
        let max_time = solved.iter().filter_map(|trial| self.time_left(index_of(trial))).min();
        let begin = max_time.map(|_| thread_time());
        let mut selection = Selection::default();
        for &trial in solved {
            selection.push(trial, puzzles.givens.puzzle(trial, self.batch.boards.cells()), puzzles);
        }
        let of_puzzles = self.batch.rules.select(solved.iter().map(index_of));
        let of_trials: Vec<Arc<Rules>> =
            solved.iter().filter_map(|&trial| rules.get(trial).cloned()).collect();
        let mut results: Vec<(usize, Effort)> = Vec::new();
        let mut report = |progress: Progress<'_>| {
            match progress {
                Progress::Found(trial, found) => {
                    record(trial, &found);
                    results.push((trial, Effort::new(&found, limits)));
                }
                Progress::AtWork => return self.emitter.emit_if_due(),
                Progress::Solution(..) => {}
            }
            ControlFlow::Continue(())
        };
        let limits = limits.with_max_time(max_time);
        selection.solve(&mut report, |puzzles, report| {
            let method = (self.options.method, self.options.level);
            match &of_trials[..] {
                [] => solve_puzzles(&of_puzzles, self.options, limits, puzzles, report),
                rules => solve_each(rules, method, puzzles, limits, report).expect(FITS),
            }
        })?;
        let (Some(begin), Some(max_time)) = (begin, max_time) else {
            return ControlFlow::Continue(Vec::new());
        };
        let time = thread_time() - begin;
        let total: u64 = results.iter().map(|(_, effort)| effort.weight()).sum();
        for (trial, effort) in &results {
            let share = effort.weight() as f64 / total as f64;
            *self.spent.entry(indices[*trial]).or_default() += time.mul_f64(share);
        }
        // A shorter call has ended no trial by time.
        results.retain(|(trial, effort)| {
            let rules = self.rules(indices[*trial]);
            let has_guesses = || limits.max_guesses.left(rules, effort.guesses).is_some();
            time >= max_time && effort.is_undecided && has_guesses()
        });
        ControlFlow::Continue(results.into_iter().map(|(trial, _)| trial).collect())
    }

    pub fn rules(&self, index: usize) -> &'b Rules {
        &self.batch.rules.ruleset(index).rules
    }

    /// Returns `None` if time is not limited.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pipeline::write::emit::OutputPosition;
    use crate::pipeline::{Input, Options, Pipeline, read, solve};
    use crate::stream::Task;
    use engine::solver::Method;

    /// A puzzle that takes backtracking no guess, and one that takes it more than 100,000.
    const EASY: &str =
        "534678912672195348198342567859761423426853791713924856961537284287419635345286179";
    const HARD: &str =
        ".....6....59.....82....8....45........3........6..3.54...325..6..................";
    const HOUR: Duration = Duration::from_secs(3600);

    /// Solves an easy and a hard trial, of the puzzles 0 and 1 of a batch. The puzzles have used
    /// all of an hour but the times in `left`. Returns whether each trial was recorded at all, its
    /// last status (`Unknown` if it was not), and the time that it was charged.
    fn solve_trials(left: [Duration; 2]) -> [(bool, Status, Duration); 2] {
        let options =
            Options { max_time: Some(HOUR), method: Method::Backtrack, ..Options::default() };
        let pipeline = Pipeline::new(options).unwrap();
        let lines = format!("{EASY}\n{EASY}\n");
        let task = Task::of_lines(lines.as_bytes(), 1);
        let settings = pipeline.sources.of_form(Input::Lines);
        let (entries, batches) = read::read(settings, &task, None);
        let mut emitted = OutputPosition::default();
        let emit: &mut dyn FnMut(_) -> _ = &mut |_| ControlFlow::Continue(());
        let mut emitter = Emitter::new(settings, &entries, &batches, &mut emitted, emit);
        assert!(solve::solve(&mut emitter).is_continue());
        let mut context = TrialContext {
            options: &settings.options,
            batch: &emitter.batches[0],
            batch_index: 0,
            emitter: &mut emitter,
            spent: left.into_iter().map(|left| HOUR - left).enumerate().collect(),
            guesses: HashMap::new(),
        };
        let digit = |symbol: u8| if symbol == b'.' { 0 } else { symbol - b'0' };
        let digits: Vec<u8> = EASY.bytes().chain(HARD.bytes()).map(digit).collect();
        let mut results = [(false, Status::Unknown); 2];
        let record = |trial: usize, found: &Found<'_>| results[trial] = (true, found.status);
        let puzzles = Puzzles::of_digits(&digits);
        let puzzles = TrialPuzzles { puzzles, indices: &[0, 1], rules: &[] };
        assert!(context.solve(puzzles, GuessLimit::Default, 2, record).is_continue());
        [0, 1].map(|at| {
            let (is_recorded, status) = results[at];
            (is_recorded, status, context.spent[&at] - (HOUR - left[at]))
        })
    }

    #[test]
    fn a_trial_without_time_leaves_the_others_theirs() {
        let [easy, hard] = solve_trials([Duration::ZERO, HOUR]);
        assert_eq!(easy, (false, Status::Unknown, Duration::ZERO));
        assert_eq!((hard.0, hard.1), (true, Status::Multiple));
        let [easy, hard] = solve_trials([HOUR, Duration::ZERO]);
        assert_eq!((easy.0, easy.1), (true, Status::Unique));
        assert_eq!(hard, (false, Status::Unknown, Duration::ZERO));
        let none = (false, Status::Unknown, Duration::ZERO);
        assert_eq!(solve_trials([Duration::ZERO; 2]), [none; 2]);
    }

    #[test]
    fn a_trial_is_not_cut_off_by_the_time_of_another() {
        let moment = Duration::from_nanos(1);
        assert_eq!(solve_trials([HOUR, moment])[1].1, Status::Unknown);
        assert_eq!(solve_trials([moment, HOUR])[1].1, Status::Multiple);
        assert_eq!(solve_trials([HOUR, moment])[0].1, Status::Unique);
    }

    #[test]
    fn time_is_charged_to_the_puzzle_whose_trial_takes_it() {
        let [easy, hard] = solve_trials([HOUR; 2]);
        assert_eq!((easy.1, hard.1), (Status::Unique, Status::Multiple));
        assert!(easy.2 * 50 < hard.2, "{easy:?} {hard:?}");
    }
}
