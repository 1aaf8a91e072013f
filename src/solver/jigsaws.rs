//! Solves jigsaws that each have their own layout. Gives each layout a board of its own, or each puzzle a lane of the shared
//! board (`regions/per_lane.rs`). The choice affects the time but not the results.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::lanes::Work;
use super::lanes::board::NewBoard;
use super::limits::{Limits, Progress};
use super::regions::board::{Plan, RegionBoard};
use super::regions::per_lane::PerLaneRegions;
use super::simd::Simd;
use super::simd::level::Level;
use super::{Method, Solver};
use crate::puzzle::{Givens, Puzzles};
use crate::rules::Rules;

/// Solves grids of one side and one list of variants, each with its own rules.
#[derive(Clone, Copy, Debug)]
pub struct Jigsaws {
    method: Method,
    level: Level,
}

/// A layout with at least this many puzzles gets a board of its own.
const PUZZLES_FOR_OWN_BOARD: usize = 64;

impl Jigsaws {
    /// Creates a solver for jigsaws.
    #[must_use]
    pub fn new(method: Method, level: Level) -> Jigsaws {
        Jigsaws { method, level }
    }

    /// Solves each puzzle with the rules at the same index. Equal layouts should share an `Arc`. Reports like
    /// [`Solver::solve`].
    pub fn solve(
        &self,
        rules: &[Arc<Rules>],
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
        let mut by_layout: HashMap<*const Rules, Vec<usize>> = HashMap::new();
        for (index, rules) in rules.iter().enumerate() {
            by_layout.entry(Arc::as_ptr(rules)).or_default().push(index);
        }
        let has_own_board = |indices: &Vec<usize>| {
            indices.len() >= PUZZLES_FOR_OWN_BOARD
                || rules[indices[0]].has_bands()
                || self.method != Method::Lanes
        };
        let (own, mixed): (Vec<_>, Vec<_>) = by_layout.into_values().partition(has_own_board);
        for indices in own {
            let solver = Solver::new(rules[indices[0]].clone(), self.method).at(self.level);
            let of_layout = Gathered::new(puzzles, cells, &indices);
            solver.solve(of_layout.puzzles(), limits, &mut |progress| {
                report(progress.at(&indices))
            })?;
        }
        let mut mixed = mixed.concat();
        mixed.sort_unstable();
        if !mixed.is_empty() {
            let rules: Vec<Arc<Rules>> = mixed.iter().map(|&index| rules[index].clone()).collect();
            let gathered = Gathered::new(puzzles, cells, &mixed);
            let report = &mut |progress: Progress<'_>| report(progress.at(&mixed));
            let work = Work::new(gathered.puzzles(), RulesPerLane(&rules), limits, report);
            self.level.run(rules[0].side(), work)?;
        }
        ControlFlow::Continue(())
    }
}

/// The rules of each puzzle, for boards with a layout in each lane.
struct RulesPerLane<'a>(&'a [Arc<Rules>]);

impl<'a, S: Simd> NewBoard<S> for RulesPerLane<'a> {
    type Board = RegionBoard<S, PerLaneRegions<'a, S>>;

    fn cells(&self) -> usize {
        self.0[0].cells()
    }

    #[inline(always)]
    fn new_board(self, s: S) -> Self::Board {
        let plan = Arc::new(Plan::by_rows(&self.0[0]));
        RegionBoard::new(s, plan, PerLaneRegions::new(s, self.0))
    }
}

/// A selection of puzzles, copied one after the other.
struct Gathered {
    digits: Vec<u8>,
    candidates: Vec<u32>,
    seeds: Vec<u64>,
}

impl Gathered {
    fn new(puzzles: Puzzles<'_>, cells: usize, indices: &[usize]) -> Gathered {
        let mut gathered = Gathered {
            digits: Vec::new(),
            candidates: Vec::new(),
            seeds: Vec::new(),
        };
        for &index in indices {
            match puzzles.givens.of(index, cells) {
                Givens::Digits(digits) => gathered.digits.extend(digits),
                Givens::Candidates(sets) => gathered.candidates.extend(sets),
            }
            gathered.seeds.extend(puzzles.seeds.get(index));
        }
        gathered
    }

    fn puzzles(&self) -> Puzzles<'_> {
        debug_assert!(self.digits.is_empty() || self.candidates.is_empty());
        let givens = if self.candidates.is_empty() {
            Givens::Digits(&self.digits)
        } else {
            Givens::Candidates(&self.candidates)
        };
        Puzzles {
            givens,
            seeds: &self.seeds,
        }
    }
}
