//! Solves, verifies and grades sudoku puzzles, many at once, as arrays of digits. The text of a
//! puzzle, files and the command line are left to `sudoku-filter`, which shows these items as its
//! own; its documentation has examples and a glossary.
//!
//! ```
//! use std::sync::Arc;
//! use sudoku_filter_engine::{Method, Rules, Solver, Status};
//!
//! let mut puzzle = [0; 81];
//! puzzle[..9].copy_from_slice(&[4, 0, 0, 0, 0, 0, 8, 0, 5]);
//! let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
//! let (status, solution) = solver.solve_one(&puzzle)?;
//! assert_eq!(status, Status::Multiple);
//! assert_eq!(solution.unwrap()[0], 4);
//! # Ok::<(), sudoku_filter_engine::InvalidInput>(())
//! ```
//!
//! The modules are for `sudoku-filter`. They can change in any version, so they are hidden; so are
//! methods and fields that only it needs.

#![deny(missing_docs)]

#[doc(hidden)]
mod bits;
pub mod canonical;
#[doc(hidden)]
pub mod error;
#[cfg(test)]
#[path = "../../tests/full/mod.rs"]
mod full;
#[doc(hidden)]
pub mod panics;
#[doc(hidden)]
pub mod pencil;
#[doc(hidden)]
pub mod puzzle;
#[doc(hidden)]
pub mod random;
#[doc(hidden)]
pub mod rules;
#[cfg(test)]
#[path = "../../tests/skip/mod.rs"]
mod skip;
#[doc(hidden)]
pub mod solver;
#[doc(hidden)]
pub mod verdict;
#[doc(hidden)]
pub mod verify;

pub use canonical::Canonical;
pub use error::{Error, InvalidInput};
pub use pencil::{Difficulty, End, Grading, Paper, Pencil, Step, Technique};
pub use puzzle::{Givens, Puzzles};
pub use rules::{Cage, House, Place, Rules, Shape, Variant, Variants};
pub use solver::{Found, GuessLimit, Limits, Method, Progress, Solver};
pub use verdict::{Status, Tally};
pub use verify::{Fault, verify};
