//! The board for all rules that the band board does not cover, except killers: rows, columns, and
//! boxes or jigsaw regions, for sides up to 25.
//!
//! `board.rs` keeps the state of the lanes, and `branching.rs` chooses branches. The regions are in
//! `shared.rs`, with one layout for all lanes, or in `per_lane.rs`, with a layout in each lane.
//! Both make the same deductions, from `locked.rs` and `constraints/singles.rs`, so a puzzle takes
//! the same branches on both. Extra constraints are in `constraints/houses.rs`.
//!
//! Rows and columns (*lines*) are not swept as houses, because their singles follow from the
//! singles of regions and from the locked candidates between regions and lines (`locked.rs`). For
//! example, if only one cell of a row can hold a digit, the other cells of this cell's region lose
//! the digit by locked candidates, and the cell is a hidden single of the region. The table shows
//! the cost of sweeping rows and columns as lists of cells instead (AVX2, one thread):
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
mod segments;
pub(super) mod shared;
