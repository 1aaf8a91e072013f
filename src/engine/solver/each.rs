//! Solves puzzles that each have their own rules. With the method `Lanes`, puzzles with cages go to
//! the search for killers. Rules with many puzzles, or with bands, get a board of their own. The
//! other puzzles are solved side by side, with a layout in each lane (`regions/per_lane.rs`).
//! Unless time is limited, the results do not depend on this choice. With the other methods,
//! puzzles that share their rules go to one [`Solver`].

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::lanes::Work;
use super::limits::{Limits, Progress, Report};
use super::regions::board::RegionRules;
use super::selection::Selection;
use super::simd::level::Level;
use super::stated::StatedSolver;
use super::{Method, Solver};
use crate::error::InvalidInput;
use crate::puzzle::Puzzles;
use crate::rules::Rules;

/// With the method `Lanes`, and without bands and cages: rules with at least this many puzzles get
/// a board of their own. Puzzles whose rules have fewer puzzles share a board.
const PUZZLES_FOR_OWN_BOARD: usize = 64;

/// Solves each puzzle with the rules at the same index. All rules must have the same side, variants
/// and extra groups ([`Rules::with_extra`]); only their jigsaw layouts and cages can differ. To
/// save time, equal rules should share an `Arc`, and rules that differ only in their cages should
/// share the other constraints ([`Rules::with_cages`]). The second argument is the method, with the
/// level of its vectors. Reports like [`Solver::solve`].
///
/// # Errors
/// As [`Solver::solve`]. Also, if there are not as many rules as puzzles, or they differ in more
/// than layouts and cages.
///
/// ```
/// use std::ops::ControlFlow;
/// use std::sync::Arc;
/// use sudoku_filter_engine::solver::{Level, solve_each};
/// use sudoku_filter_engine::{Limits, Method, Progress, Puzzles, Rules, Shape, Variants};
///
/// let rules = |labels| {
///     let layout = Shape::regions(labels, false);
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
/// })?;
/// assert_eq!(solutions[0], solutions[1]);
/// # Ok::<(), sudoku_filter_engine::InvalidInput>(())
/// ```
pub fn solve_each(
    rules: &[Arc<Rules>],
    (method, level): (Method, Level),
    puzzles: Puzzles<'_>,
    limits: Limits,
    report: &mut dyn FnMut(Progress<'_>) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, InvalidInput> {
    check(rules, puzzles)?;
    let limits = limits.for_some_solution();
    Ok(solve_checked(rules, (method, level), puzzles, limits, report))
}

fn check(rules: &[Arc<Rules>], puzzles: Puzzles<'_>) -> Result<(), InvalidInput> {
    let side = rules.first().map_or(1, |rules| rules.side());
    puzzles.check(side)?;
    if puzzles.givens.cells() != rules.len() * side * side {
        return Err("not as many rules as puzzles".into());
    }
    let are_alike = |two: &[Arc<Rules>]| two[0].differs_in_layout_and_cages_only(&two[1]);
    if !rules.windows(2).all(are_alike) {
        return Err("the rules differ in more than layouts and cages".into());
    }
    Ok(())
}

fn solve_checked(
    rules: &[Arc<Rules>],
    (method, level): (Method, Level),
    puzzles: Puzzles<'_>,
    limits: Limits,
    report: Report<'_>,
) -> ControlFlow<()> {
    let all = (rules, puzzles);
    let mut by_rules: HashMap<*const Rules, Vec<usize>> = HashMap::new();
    let mut killers = Vec::new();
    for (index, rules) in rules.iter().enumerate() {
        if method == Method::Lanes && rules.are_of_one_puzzle() {
            killers.push(index);
        } else {
            by_rules.entry(Arc::as_ptr(rules)).or_default().push(index);
        }
    }
    if !killers.is_empty() {
        solve_selected(all, &killers, report, |rules, puzzles, report| {
            StatedSolver::new(level).solve(rules, puzzles, limits, report)
        })?;
    }
    let have_own_solver = |indices: &Vec<usize>| {
        indices.len() >= PUZZLES_FOR_OWN_BOARD
            || rules[indices[0]].has_bands()
            || method != Method::Lanes
    };
    let (mut own, mixed): (Vec<_>, Vec<_>) = by_rules.into_values().partition(have_own_solver);
    // Sorted, because the order of the map differs between runs.
    own.sort_unstable();
    for indices in own {
        solve_selected(all, &indices, report, |rules, puzzles, report| {
            let solver = Solver::new(rules[0].clone(), method).at(level);
            solver.solve_checked(puzzles, limits, report)
        })?;
    }
    let mut mixed = mixed.concat();
    mixed.sort_unstable();
    if !mixed.is_empty() {
        solve_selected(all, &mixed, report, |rules, puzzles, report| {
            let boards = RegionRules::Each(rules);
            let work = Work { puzzles, boards, limits, report };
            level.run(rules[0].side(), work)
        })?;
    }
    ControlFlow::Continue(())
}

/// Copies the selected puzzles and their rules. Passes reports on with the given indices.
fn solve_selected(
    (rules, puzzles): (&[Arc<Rules>], Puzzles<'_>),
    indices: &[usize],
    report: Report<'_>,
    solve: impl FnOnce(&[Arc<Rules>], Puzzles<'_>, Report<'_>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut selection = Selection::default();
    let mut selected_rules = Vec::with_capacity(indices.len());
    for &index in indices {
        let givens = puzzles.givens.puzzle(index, rules[index].cells());
        selection.push(index, givens, puzzles);
        selected_rules.push(rules[index].clone());
    }
    selection.solve(report, |puzzles, report| solve(&selected_rules, puzzles, report))
}
