//! Answers jigsaws that bring a layout each. Which of two ways is taken shows in the time only, never in the answers.

use std::collections::HashMap;
use std::sync::Arc;

use super::lanes::Work;
use super::patchwork::PatchworkBoard;
use super::simd::Simd;
use super::{Level, Limits, Method, Progress, Solver};
use crate::rules::Rules;

/// Answers grids of one side and one list of variants, each by rules of its own.
#[derive(Clone, Copy, Debug)]
pub struct Jigsaws {
    method: Method,
    limits: Limits,
    level: Level,
}

/// A layout of which there are so many is better swept by itself than with masks.
const WORTH_A_BOARD: usize = 64;

impl Jigsaws {
    /// A solver for jigsaws.
    #[must_use]
    pub fn new(method: Method, limits: Limits, level: Level) -> Jigsaws {
        Jigsaws {
            method,
            limits,
            level,
        }
    }

    /// Answers each grid of `grids`, one behind the other, by the rules of the same index. The same layout should be the
    /// same `Arc`. Reports as [`Solver::solve_reporting`] does.
    pub fn solve_reporting(
        &self,
        rules: &[Arc<Rules>],
        grids: &[u8],
        report: &mut dyn FnMut(Progress<'_>),
    ) {
        let Some(first) = rules.first() else { return };
        let cells = first.cells();
        debug_assert_eq!(grids.len(), rules.len() * cells);
        let mut by_layout: HashMap<*const Rules, Vec<usize>> = HashMap::new();
        for (index, rules) in rules.iter().enumerate() {
            by_layout.entry(Arc::as_ptr(rules)).or_default().push(index);
        }
        let alone = |puzzles: &Vec<usize>| {
            puzzles.len() >= WORTH_A_BOARD
                || rules[puzzles[0]].has_bands()
                || self.method != Method::Lanes
        };
        let (own, mixed): (Vec<_>, Vec<_>) = by_layout.into_values().partition(alone);
        for puzzles in own {
            let solver =
                Solver::new(rules[puzzles[0]].clone(), self.method, self.limits).at(self.level);
            let grids = gather(grids, cells, &puzzles);
            solver.solve_reporting(&grids, &mut |progress| report(progress.at(&puzzles)));
        }
        let mut mixed = mixed.concat();
        mixed.sort_unstable();
        if !mixed.is_empty() {
            let rules: Vec<Arc<Rules>> = mixed.iter().map(|&index| rules[index].clone()).collect();
            let grids = gather(grids, cells, &mixed);
            self.solve_mixed(&rules, &grids, &mut |progress| report(progress.at(&mixed)));
        }
    }

    fn solve_mixed(
        &self,
        rules: &[Arc<Rules>],
        grids: &[u8],
        report: &mut dyn FnMut(Progress<'_>),
    ) {
        struct Mixed<'a>(
            &'a Jigsaws,
            &'a [Arc<Rules>],
            &'a [u8],
            &'a mut dyn FnMut(Progress<'_>),
        );
        impl super::AtLevel for Mixed<'_> {
            fn run<S: Simd>(self, s: S) {
                let Mixed(jigsaws, rules, grids, report) = self;
                let new_board = |s| PatchworkBoard::new(s, rules);
                s.run(Work {
                    grids,
                    cells: rules[0].cells(),
                    limits: jigsaws.limits,
                    new_board,
                    report,
                });
            }
        }
        self.level
            .run(rules[0].side(), Mixed(self, rules, grids, report));
    }
}

impl<'a> Progress<'a> {
    /// The same of the grid at another index.
    fn at(self, indices: &[usize]) -> Progress<'a> {
        match self {
            Progress::Found(index, found) => Progress::Found(indices[index], found),
            Progress::AtWork => Progress::AtWork,
        }
    }
}

/// The grids of these puzzles, one behind the other.
fn gather(grids: &[u8], cells: usize, puzzles: &[usize]) -> Vec<u8> {
    puzzles
        .iter()
        .flat_map(|&index| grids[index * cells..][..cells].iter().copied())
        .collect()
}
