//! Solves puzzles that each have their own rules. Puzzles with cages go to the search for killers. A layout with many
//! puzzles, or with bands, gets a board of its own. The puzzles of the other layouts are solved side by side, with a layout in
//! each lane (`regions/per_lane.rs`). The choice affects the time but not the results.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::killer::Killers;
use super::lanes::Work;
use super::limits::{Limits, Progress};
use super::regions::board::RegionRules;
use super::simd::level::Level;
use super::{Method, Solver};
use crate::puzzle::{Givens, Puzzles};
use crate::rules::Rules;

/// A layout with at least this many puzzles gets a board of its own. Others share a board.
const PUZZLES_FOR_OWN_BOARD: usize = 64;

/// Solves each puzzle with the rules at the same index. The rules have one side and the same variants; they differ in their
/// jigsaw layouts and cages. Equal rules should share an `Arc`; rules that differ only in their cages should share the other
/// constraints ([`Rules::with_cages`]). Reports like [`Solver::solve`].
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use sudoku_filter::{Level, Limits, Method, Progress, Puzzles, Rules, Shape, Variants, solve_each};
///
/// let rules = |labels| {
///     let layout = Shape::Regions { labels, disconnected: false };
///     Rules::new(4, layout, &Variants::default()).map(Arc::new)
/// };
/// // A layout and its mirror image.
/// let rules = [rules(b"AAABCCABDCCBDDDB")?, rules(b"BAAABACCBCCDBDDD")?];
/// let mut solutions = [0; 2];
/// let method = (Method::Lanes, Level::best());
/// let _ = solve_each(&rules, method, Puzzles::of_digits(&[0; 32]), Limits::NONE, &mut |progress| {
///     if let Progress::Found(index, found) = progress {
///         solutions[index] = found.solutions;
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(solutions[0], solutions[1]);
/// # Ok::<(), sudoku_filter::InvalidInput>(())
/// ```
pub fn solve_each(
    rules: &[Arc<Rules>],
    (method, level): (Method, Level),
    puzzles: Puzzles<'_>,
    limits: Limits,
    report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let Some(first) = rules.first() else {
        return ControlFlow::Continue(());
    };
    let cells = first.cells();
    debug_assert_eq!(puzzles.number(cells), rules.len());
    debug_assert!(rules.iter().all(|rules| rules.cells() == cells));
    let mut by_rules: HashMap<*const Rules, Vec<usize>> = HashMap::new();
    let mut killers = Vec::new();
    for (index, rules) in rules.iter().enumerate() {
        if method == Method::Lanes && !rules.cages().is_empty() {
            killers.push(index);
        } else {
            by_rules.entry(Arc::as_ptr(rules)).or_default().push(index);
        }
    }
    if !killers.is_empty() {
        let gathered = Gathered::new(rules, puzzles, killers);
        gathered.solve(report, |rules, puzzles, report| {
            Killers::new(level).solve(rules, puzzles, limits, report)
        })?;
    }
    let has_own_board = |indices: &Vec<usize>| {
        indices.len() >= PUZZLES_FOR_OWN_BOARD
            || rules[indices[0]].has_bands()
            || method != Method::Lanes
    };
    // Sorted, because the order of the map differs between runs.
    let (mut own, mixed): (Vec<_>, Vec<_>) = by_rules.into_values().partition(has_own_board);
    own.sort_unstable();
    for indices in own {
        let gathered = Gathered::new(rules, puzzles, indices);
        gathered.solve(report, |rules, puzzles, report| {
            let solver = Solver::new(rules[0].clone(), method).at(level);
            solver.solve(puzzles, limits, report)
        })?;
    }
    let mut mixed = mixed.concat();
    mixed.sort_unstable();
    if !mixed.is_empty() {
        let gathered = Gathered::new(rules, puzzles, mixed);
        gathered.solve(report, |rules, puzzles, report| {
            let work = Work::new(puzzles, RegionRules::Each(rules), limits, report);
            level.run(rules[0].side(), work)
        })?;
    }
    ControlFlow::Continue(())
}

/// A selection of puzzles, copied one after the other. One of `digits` and `candidates` is empty.
struct Gathered {
    /// The index of each puzzle among all puzzles.
    indices: Vec<usize>,
    rules: Vec<Arc<Rules>>,
    digits: Vec<u8>,
    candidates: Vec<u32>,
    seeds: Vec<u64>,
}

impl Gathered {
    /// Copies the puzzles with these indices, and their rules and seeds.
    fn new(rules: &[Arc<Rules>], puzzles: Puzzles<'_>, indices: Vec<usize>) -> Gathered {
        let mut gathered = Gathered {
            rules: indices.iter().map(|&index| rules[index].clone()).collect(),
            digits: Vec::new(),
            candidates: Vec::new(),
            seeds: Vec::new(),
            indices,
        };
        for (&index, rules) in gathered.indices.iter().zip(&gathered.rules) {
            match puzzles.givens.of(index, rules.cells()) {
                Givens::Digits(digits) => gathered.digits.extend(digits),
                Givens::Candidates(sets) => gathered.candidates.extend(sets),
            }
            gathered.seeds.extend(puzzles.seeds.get(index));
        }
        gathered
    }

    /// Calls `solve` with the selected puzzles and their rules. Passes its reports on, with the index of each puzzle among all.
    fn solve(
        &self,
        report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
        solve: impl FnOnce(
            &[Arc<Rules>],
            Puzzles<'_>,
            &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
        ) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        debug_assert!(self.digits.is_empty() || self.candidates.is_empty());
        let givens = if self.candidates.is_empty() {
            Givens::Digits(&self.digits)
        } else {
            Givens::Candidates(&self.candidates)
        };
        let puzzles = Puzzles {
            givens,
            seeds: &self.seeds,
        };
        solve(&self.rules, puzzles, &mut |progress| {
            report(progress.with_index_in(&self.indices))
        })
    }
}
