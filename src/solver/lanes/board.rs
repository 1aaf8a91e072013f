//! The interface between the main loop and a board: the grids in the lanes, and the deductions for their rules.

use super::counting::OpenState;
use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::solver::random::Random;

/// One grid in each lane, and the deductions for their rules.
///
/// The effect of a sweep or a branch on a lane depends only on that lane.
pub(crate) trait Board {
    /// The decision of a branch: a digit and its cell, or a digit and its band.
    type Choice: Copy;
    /// The saved state of a lane, restored when its search backtracks.
    type Saved: Default;

    /// Returns the rules of the puzzle in a lane.
    fn rules(&self, lane: usize) -> &Rules;
    /// Sets the index of the puzzle in a lane. Called before `load`, and before `restore` if the lane may have another puzzle.
    fn assign(&mut self, _lane: usize, _index: usize) {}
    /// Loads a puzzle into each of these lanes, and replaces everything that they hold. `givens` returns the givens of a lane,
    /// and must be called for these lanes only.
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>);
    /// Runs one round of deductions in all lanes. The results for lanes without a puzzle have no meaning.
    fn sweep(&mut self) -> SweepResult;
    /// Rates the possible branches of all lanes. Called before lanes branch.
    fn prepare_branches(&mut self) {}
    /// Branches in a stuck lane: makes a choice, and restricts the lane to some of its alternatives. Writes the state with the
    /// other alternatives to `saved`, and returns the choice. Takes `conflict`, the choice that failed last, if it is still open.
    /// Draws from `random` if there is one.
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Self::Choice>,
        random: Option<&mut Random>,
        saved: &mut Self::Saved,
    ) -> Self::Choice;
    /// Restores saved alternatives, in the same lane or in another that was assigned the same puzzle.
    fn restore(&mut self, lane: usize, saved: &Self::Saved);
    /// Prepares the sets that `describe_open` reads, for all lanes at once. Both are called only while solutions are counted, to
    /// recognise a state whose number of solutions is known (`counting.rs`).
    fn prepare_open_states(&mut self) {}
    /// Adds the open part of a stuck lane to `open`, which is empty: two lanes of the same puzzle with equal open parts have
    /// equally many solutions. Returns false if the open part does not determine the number of solutions.
    fn describe_open(&self, lane: usize, open: &mut OpenState) -> bool;
    /// On a board that reads many lanes faster than one: reads the digits of these solved lanes, and returns the lanes whose
    /// digits obey all rules. On other boards, returns `lanes`, and `copy_solution` reads the digits and checks the rules.
    fn read_solutions(&mut self, lanes: u32) -> u32 {
        lanes
    }
    /// Copies the digits of a lane after `read_solutions`. Returns whether they agree with the givens and, if `read_solutions`
    /// has not checked the rules, obey the rules.
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool;
}

/// The outcome of a sweep, a bit for each lane. Bits of lanes that the level lacks are undefined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepResult {
    /// Another sweep may deduce more. Always set if this sweep has deduced something.
    pub changed: u32,
    /// The sweep has found that no solution extends the state of the lane.
    pub contradiction: u32,
    /// Every cell has one candidate, and there is no contradiction.
    pub solved: u32,
}
