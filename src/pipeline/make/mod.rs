//! Makes puzzles: `minimize.rs` takes givens away, `candidates.rs` finds the digits of all
//! solutions, both by trials (`trials.rs`); `shuffle.rs` writes equivalents (`equivalent.rs`),
//! `vicinity.rs` puzzles with givens more or fewer.

pub(super) mod candidates;
pub(super) mod equivalent;
pub(super) mod minimize;
pub(super) mod shuffle;
pub(super) mod symmetric_groups;
mod trials;
pub(super) mod vicinity;
