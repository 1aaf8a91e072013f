//! Solves and verifies sudoku in bulk, many side by side: classic, diagonal, window and jigsaw, of many sizes.
//!
//! ```
//! use std::sync::Arc;
//! use sudoku_filter::{Limits, Method, Rules, Shape, Solver, Status, Variants};
//!
//! // The rules are a value, shared by all puzzles that obey them.
//! let variants: Variants = "classic,diagonal".parse().unwrap();
//! let rules = Arc::new(Rules::new(9, Shape::boxes_of(9).unwrap(), &variants).unwrap());
//!
//! // Grids lie one behind the other: a digit a cell along the rows, 0 for a blank one.
//! let solver = Solver::new(rules, Method::Lanes, Limits::default());
//! let mut statuses = Vec::new();
//! solver.solve(&[0; 2 * 81], &mut |_, found| statuses.push(found.status));
//! assert_eq!(statuses, [Status::Multiple, Status::Multiple]);
//! ```

mod answer;
mod canonical;
mod columns;
mod csv;
mod draw;
mod drawn;
mod error;
mod filter;
mod input;
mod pencil;
mod puzzle;
mod record;
mod render;
mod rules;
mod solver;
mod sumocue;
mod sys;
mod verdict;
mod verify;

pub use answer::{Answerer, Drawing, Input, Mode, Options as AnswerOptions};
pub use canonical::Canonical;
pub use columns::Column;
pub use error::{Error, Message, escaped, guarded};
pub use filter::{Answer, Flow, Meter, Outcome, Rows, Task, filter};
pub use input::Source;
pub use pencil::{End, Grading, Paper, Pencil, Step, Technique};
pub use puzzle::{Alphabet, Case, Sizes};
pub use record::{FieldNames, Layout};
#[doc(hidden)]
pub use record::{Fields, Line};
pub use rules::{
    Crossing, House, HouseName, MAX_SIDE, Pair, Place, Relation, Rules, Shape, Variant, Variants,
};
pub use solver::{Found, Givens, Jigsaws, Level, Limits, Method, Progress, Puzzles, Solver};
#[doc(hidden)]
pub use sys::hold_signals;
pub use sys::{StandardOutput, die_of_sigpipe, keep_freed_memory, stdout as standard_output};
pub use verdict::{Status, Tally};
pub use verify::{Fault, verify};
