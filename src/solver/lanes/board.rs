//! The interface between the main loop and a board: the grids in the lanes, and the deductions for their rules.

use super::counting::OpenState;
use crate::puzzle::Givens;
use crate::rules::Rules;
use crate::solver::random::Random;
use crate::solver::simd::Simd;

/// Rules prepared for one kind of board.
pub(crate) trait NewBoard<S: Simd> {
    type Board: Board;

    /// Returns a board of blank lanes.
    fn new_board(self, s: S) -> Self::Board;
}

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
    /// Makes lanes blank. The results of sweeps for lanes without a puzzle have no meaning.
    fn clear(&mut self, lanes: u32);
    /// Sets the index of the puzzle in a lane. Called before `load`, and before `restore` if the state comes from another lane.
    fn assign(&mut self, _lane: usize, _index: usize) {}
    /// Loads a puzzle into each of these blank lanes. `givens` must be called for these lanes only.
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>);
    /// Runs one round of deductions.
    fn sweep(&mut self) -> SweepResult;
    /// Rates the possible branches of all lanes. Called before lanes branch.
    fn prepare_branches(&mut self) {}
    /// Makes a choice in a stuck lane, and takes one of its alternatives. Writes the state with the other alternatives to `saved`,
    /// and returns the choice. Makes the choice `conflict`, which failed last, if it is still open. Draws from `random` if there
    /// is one.
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Self::Choice>,
        random: Option<&mut Random>,
        saved: &mut Self::Saved,
    ) -> Self::Choice;
    /// Restores saved alternatives, in the same lane or in another that was assigned the same puzzle.
    fn restore(&mut self, lane: usize, saved: &Self::Saved);
    /// Prepares the sets that `describe_open` reads, for all lanes at once. Called before it, and only while solutions are counted,
    /// to recognise a state whose number of solutions is known (`counting.rs`).
    fn prepare_open_states(&mut self) {}
    /// Describes what is open in a stuck lane: two lanes of the same puzzle with equal descriptions have equally many solutions.
    /// Returns false if what is open does not determine the number of solutions.
    fn describe_open(&self, lane: usize, open: &mut OpenState) -> bool;
    /// Reads the digits of these solved lanes. Returns the lanes whose digits obey all rules.
    fn read_solutions(&mut self, lanes: u32) -> u32;
    /// Copies the digits last read from a lane. Returns whether they agree with the givens.
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool;
}

/// The outcome of a sweep, a bit for each lane. Bits of lanes that the level lacks are undefined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepResult {
    /// Something was deduced, so another sweep may deduce more.
    pub changed: u32,
    /// The lane has no solution.
    pub contradiction: u32,
    /// Every cell has one candidate, and there is no contradiction.
    pub solved: u32,
}
