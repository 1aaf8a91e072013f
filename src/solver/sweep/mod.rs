//! One sweep: a round of deductions over all lanes, and what to try where deductions end.

pub(crate) mod houses;

use super::simd::Simd;

/// How a kind of rules is swept. What the deductions come to must not depend on their order: branches are taken only
/// where no deduction is left, so that a puzzle's search never depends on its neighbours.
pub(crate) trait Sweep<S: Simd> {
    /// Takes candidates away, once round the grid. `busy` lanes hold puzzles.
    fn sweep(&mut self, s: S, cells: &mut [S::V], busy: u32) -> Swept;

    /// What to do with a lane that no deduction changes any more: `state` holds its candidates, a set a cell.
    fn next(&self, s: S, state: &[u32]) -> Next;
}

/// What a sweep did to the lanes: bit l for lane l.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Swept {
    pub changed: u32,
    pub contradiction: u32,
}

#[derive(Debug)]
pub(crate) enum Next {
    Solved,
    Branch(Branch),
}

/// Two ways on, of which one must hold: the candidates to take away in each, by cell.
#[derive(Debug)]
pub(crate) struct Branch {
    pub now: Vec<(u16, u32)>,
    pub later: Vec<(u16, u32)>,
}
