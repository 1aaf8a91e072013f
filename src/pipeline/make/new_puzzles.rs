//! Makes new puzzles from the puzzle of each line, the *template* (`--make`). A *candidate* is a
//! random solution of the template, minimized in a random order, or with `--pattern` what a climb
//! finds from it; the givens of the template stay.
//!
//! The stream cuts the candidates of a template into tasks, and counts those that are written
//! (`stream/repetition.rs`). The randomness of a candidate depends on the seed, the number of the
//! template and its own number alone.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::group::Original;
use super::minimize::minimize_solutions;
use super::pattern::PatternSearch;
use super::trials::TrialContext;
use crate::pipeline::batch::Batch;
use crate::pipeline::solve::solve_puzzles;
use crate::pipeline::write::emit::{Emitter, EntryLine};
use crate::stream::MessageKind;
use engine::random::Random;
use engine::solver::Progress;
use engine::verdict::Status;

/// The task has one entry. One without a puzzle is written once.
pub(in crate::pipeline) fn make_puzzles(emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    emitter.write_known()?;
    let Some(template) = Original::next(emitter) else {
        emitter.end_record();
        return emitter.emit();
    };
    let candidates = begin_candidates(&template, emitter);
    let Some(solutions) = solve(&template, &candidates, emitter)? else {
        emitter.end_record();
        return emitter.emit();
    };
    let grids = match &emitter.settings.options.pattern {
        None => minimize(&template, &candidates, &solutions, emitter)?,
        Some(pattern) => {
            let of = |(index, grid): &(usize, Vec<u8>)| (candidates.seeds[*index], grid.clone());
            let solutions: Vec<_> = solutions.iter().map(of).collect();
            PatternSearch::new(pattern, &template, emitter).climb(&solutions)?
        }
    };
    template.write_group(&grids, emitter)?;
    emitter.emit()
}

/// Writes the last line of a template, if only `found` of its candidates are written.
pub(in crate::pipeline) fn give_up(emitter: &mut Emitter<'_, '_>, found: u64) -> ControlFlow<()> {
    let repetition = emitter.settings.options.repetition().expect("puzzles are made");
    let reason = format!("{found} of {} found", repetition.wanted);
    let tries = repetition.attempts;
    let message = format!("{reason} in {tries} candidates; --tries allows more");
    emitter.add_message(MessageKind::Hint, message);
    emitter.end_with(Status::Unknown, EntryLine::Unfinished(Some(&reason)));
    emitter.end_record();
    emitter.emit()
}

/// Returns the template once for each attempt of the task, with the seeds of the attempts.
fn begin_candidates(template: &Original<'_, '_>, emitter: &Emitter<'_, '_>) -> Batch {
    let attempts = emitter.entries.task.attempts;
    let mut candidates = template.batch_of(attempts.len() as usize);
    let seed = template.batch.seeds[template.index];
    for attempt in attempts.begin..attempts.end {
        candidates.boards.digits.extend_from_slice(template.puzzle);
        candidates.complete(Some(Random::seed_of_line(seed, attempt + 1)));
    }
    candidates
}

/// The index of a candidate, and a solution of it.
type Solutions = Vec<(usize, Vec<u8>)>;

/// Returns a random solution of each candidate for which the limits suffice, in their order.
/// `None` if the template has no solution: its status is then known.
fn solve<'a>(
    template: &Original<'_, 'a>,
    candidates: &Batch,
    emitter: &mut Emitter<'_, 'a>,
) -> ControlFlow<(), Option<Solutions>> {
    let settings = emitter.settings;
    let limits = settings.limits.with_solutions(1);
    let mut solutions = Vec::new();
    let mut has_solution = true;
    let mut report = |progress: Progress<'_>| {
        match progress {
            Progress::Found(index, found) => match found.solution {
                Some(solution) => solutions.push((index, solution.to_vec())),
                None if found.complete && has_solution => {
                    has_solution = false;
                    emitter.findings[template.batch_index].record(template.index, &found);
                }
                None => {}
            },
            Progress::Solution(..) => {}
            Progress::AtWork => return emitter.emit_if_due(),
        }
        ControlFlow::Continue(())
    };
    solve_puzzles(&candidates.rules, &settings.options, limits, candidates.puzzles(), &mut report)?;
    solutions.sort();
    ControlFlow::Continue(has_solution.then_some(solutions))
}

/// Returns what is left of the solutions, unless `--exact` fails.
fn minimize(
    template: &Original<'_, '_>,
    candidates: &Batch,
    solutions: &Solutions,
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<(), Vec<Vec<u8>>> {
    let mut context = TrialContext {
        options: &emitter.settings.options,
        batch: candidates,
        batch_index: template.batch_index,
        emitter,
        spent: HashMap::new(),
        guesses: HashMap::new(),
    };
    let solutions: Vec<_> = solutions.iter().map(|(index, grid)| (*index, &**grid)).collect();
    minimize_solutions(&mut context, &solutions, template.puzzle)
}
