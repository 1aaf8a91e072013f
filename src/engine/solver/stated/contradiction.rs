//! The outcome of the deductions for one node.

/// No grid satisfies the constraints with these candidates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Contradiction;

pub(super) type Deduced = Result<(), Contradiction>;
