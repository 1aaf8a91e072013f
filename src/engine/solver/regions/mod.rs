//! The board for all rules that the band board does not cover, except killers: rows, columns, and
//! boxes or jigsaw regions, for sides up to 25.
//!
//! With one layout for all lanes, the regions are in `shared.rs`, otherwise in `per_lane.rs`. Both
//! make the same deductions, from `locked.rs` and `constraints/singles.rs`, so a puzzle takes the
//! same branches on both. Extra constraints are in `constraints/houses.rs`.
//!
//! Rows and columns (*lines*) are not swept as houses, because their singles follow from the
//! singles of regions and from locked candidates (`locked.rs`). For example, if only one cell of a
//! row can hold a digit, the rest of this cell's region loses the digit, and the cell is a hidden
//! single of the region. The table shows the cost of sweeping lines as lists of cells instead
//! (AVX2, one thread):
//!
//! ```text
//!                                          data/bench/jigsaw-one-layout.txt    data/bench/16x16.txt
//!     lists of houses, no locked candidates      4.3 times the time and branches  same time, 1.7 times the branches
//!     lists of houses and crossings              1.9 times the time               1.1 times the time
//! ```

pub(super) mod board;
pub(super) mod branching;
mod locked;
mod membership;
pub(super) mod per_lane;
pub(super) mod plan;
mod segments;
pub(super) mod shared;
