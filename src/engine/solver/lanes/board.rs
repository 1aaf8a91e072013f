//! The interface between the main loop and a board: the grids in the lanes, and the deductions for
//! their rules.

use super::counting::OpenState;
use crate::puzzle::Givens;
use crate::random::Random;
use crate::rules::Rules;

/// One grid in each lane, and the deductions for their rules.
///
/// The effect of a sweep or a branch on a lane depends only on that lane.
pub(crate) trait Board {
    /// The decision of a branch, which a later branch can make again: on a band board, a digit and
    /// a band or stack. On other boards, no branch makes one again, and this is `()`.
    type Choice: Copy;
    /// The saved state of a lane, restored when its search backtracks.
    type Saved: Default;

    fn rules(&self, lane: usize) -> &Rules;
    /// Sets the index and the givens of the puzzle in a lane. Called before `load`, and before
    /// `restore` if the lane may have another puzzle.
    fn assign(&mut self, _lane: usize, _index: usize, _givens: Givens<'_>) {}
    /// Loads a puzzle into each of these lanes, and replaces everything that they hold. `givens`
    /// returns the givens of a lane, and must be called for these lanes only.
    fn load<'a>(&mut self, lanes: u32, givens: impl Fn(usize) -> Givens<'a>);
    /// Runs one round of deductions in all lanes. The results for lanes without a puzzle have no
    /// meaning.
    fn sweep(&mut self) -> SweepResult;
    /// Rates the possible branches of all lanes. Called before lanes branch.
    fn prepare_branches(&mut self) {}
    /// Branches in a stuck lane: makes a choice, and restricts the lane to some alternatives of
    /// this choice. Writes the state with the other alternatives to `saved`, and returns the
    /// choice. `conflict` is the choice to which the lane backtracked last, if any; a band board
    /// makes it again if it still has several alternatives (the heuristic "last conflict"). Draws
    /// from `random` if there is one.
    fn branch(
        &mut self,
        lane: usize,
        conflict: Option<Self::Choice>,
        random: Option<&mut Random>,
        saved: &mut Self::Saved,
    ) -> Self::Choice;
    /// Restores a state that `branch` saved, in the same lane or in another lane to which the same
    /// puzzle is assigned.
    fn restore(&mut self, lane: usize, saved: &Self::Saved);
    /// Computes the sets that `describe_open` reads, for all lanes at once, if the board does not
    /// keep these sets all the time. Both functions are called only while solutions are counted,
    /// to recognise a state whose number of solutions is known (`counting.rs`).
    fn prepare_open_states(&mut self) {}
    /// Writes the open part of a stuck lane (see [`OpenState`]) to `open`, which is empty before.
    /// Returns false if it is not certain that the open part determines the number of solutions of
    /// a lane with this puzzle; the content of `open` is then unused.
    fn describe_open(&self, lane: usize, open: &mut OpenState) -> bool;
    /// On a board that reads many lanes in little more time than one: reads the digits of these
    /// solved lanes, and returns the lanes whose rows, columns and regions have no digit twice. On
    /// other boards, returns `lanes`.
    fn read_solutions(&mut self, lanes: u32) -> u32 {
        lanes
    }
    /// Copies the digits of a lane after `read_solutions`. Returns whether they agree with the
    /// givens and obey all rules that `read_solutions` has not checked.
    fn copy_solution(&self, lane: usize, givens: Givens<'_>, digits: &mut [u8]) -> bool;
}

/// The outcome of a sweep, a bit for each lane. Bits of lanes that the level lacks are undefined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SweepResult {
    /// Another sweep may deduce more, so the lane must not branch yet. A board need not set this
    /// after every deduction: the lane can branch although another sweep would deduce more.
    pub changed: u32,
    /// The sweep has found that no solution extends the state of the lane.
    pub contradiction: u32,
    /// Every cell has one candidate, and there is no contradiction.
    pub solved: u32,
}
