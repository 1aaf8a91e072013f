//! Solves and verifies sudoku in bulk, many side by side: classic, diagonal, window, jigsaw and more, of many sizes.
//!
//! A grid is N² bytes along its rows: digits from 1 to N, 0 for a blank cell. Grids that share their rules lie one behind
//! the other. [`Rules`] are a value, made once, and shared by whatever needs them. What cannot be (a size without boxes, a
//! layout with a region too large) is an error with a sentence for the user; a puzzle without a solution is none.
//!
//! # Solve a slice of puzzles
//!
//! ```
//! use std::sync::Arc;
//! use sudoku_filter::{Alphabet, Limits, Method, Rules, Shape, Solver, Status, Variants};
//!
//! let shape = Shape::boxes_of(4).unwrap();
//! let rules = Arc::new(Rules::new(4, shape, &Variants::default())?);
//! let mut grids = Vec::new();
//! for line in [".34.........2..1", "12.....1..3....4", "11.............."] {
//!     Alphabet::default().read(line.as_bytes(), 4, &mut grids)?;
//! }
//!
//! // The best vectors of this machine, answers as they are ready: more puzzles a call are more a second.
//! let solver = Solver::new(rules, Method::Lanes, Limits::default());
//! let mut statuses = vec![Status::Unknown; grids.len() / 16];
//! solver.solve(&grids, &mut |index, found| statuses[index] = found.status);
//! assert_eq!(statuses, [Status::Unique, Status::Unique, Status::None]);
//! # Ok::<(), String>(())
//! ```
//!
//! A solver runs on the thread that calls it; threads may share one. [`Limits`] say how many branches a puzzle may take, and
//! how many of its solutions are counted and shown.
//!
//! # Choose rules
//!
//! ```
//! use sudoku_filter::{Rules, Shape, Variant, Variants};
//!
//! // Variants combine. A 4x4 has 4 rows, 4 columns, 4 boxes, and here 2 diagonals and 1 window.
//! let variants: Variants = "diagonal,window".parse()?;
//! assert!(variants.contains(Variant::Diagonal));
//! let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &variants)?;
//! assert_eq!(rules.houses().len(), 15);
//!
//! // Boxes of 2 rows and 3 columns.
//! Rules::new(6, Shape::Boxes { rows: 2, columns: 3 }, &Variants::default())?;
//!
//! // A jigsaw: one label a cell, equal labels form a region.
//! let labels = b"AAABCCABDCCBDDDB";
//! let jigsaw = Shape::Regions { labels, disconnected: false };
//! let rules = Rules::new(4, jigsaw, &"jigsaw".parse()?)?;
//! assert_eq!(rules.houses().len(), 12);
//!
//! // A fault of the layout is told.
//! let labels = b"AAAACCABDCCBDDDB";
//! let jigsaw = Shape::Regions { labels, disconnected: false };
//! assert!(Rules::new(4, jigsaw, &"jigsaw".parse()?).is_err());
//! # Ok::<(), String>(())
//! ```
//!
//! # Verify an answer
//!
//! [`verify()`] goes by the rules alone, and shares no code with the solvers.
//!
//! ```
//! use sudoku_filter::{Alphabet, Rules, Shape, Variants, verify};
//!
//! let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default())?;
//! let (mut puzzle, mut right, mut wrong) = (Vec::new(), Vec::new(), Vec::new());
//! let alphabet = Alphabet::default();
//! alphabet.read(b".34.........2..1", 4, &mut puzzle)?;
//! alphabet.read(b"1342421331242431", 4, &mut right)?;
//! alphabet.read(b"1342421331422431", 4, &mut wrong)?;
//! assert!(verify(&rules, &puzzle, &right).is_ok());
//!
//! let fault = verify(&rules, &puzzle, &wrong).unwrap_err();
//! let reason = fault.reason(|digit| char::from(b'0' + digit));
//! assert_eq!(reason, "column 3 has 4 twice: r1c3 r3c3");
//! # Ok::<(), String>(())
//! ```
//!
//! # Grade a puzzle
//!
//! [`Pencil`] solves as people do, the easiest technique first, and does not search.
//!
//! ```
//! use sudoku_filter::{Alphabet, Paper, Pencil, Rules, Shape, Variants};
//!
//! let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default())?;
//! let mut puzzle = Vec::new();
//! Alphabet::default().read(b".34.........2..1", 4, &mut puzzle)?;
//!
//! let pencil = Pencil::new(&rules);
//! let mut paper = Paper::default();
//! let grading = pencil.work(&puzzle[..], &mut paper);
//! assert_eq!((grading.grade(), grading.steps), ("naked-single", 12));
//!
//! let step = pencil.hint(&puzzle[..], &mut paper).unwrap();
//! assert_eq!(step.text(|digit| char::from(b'0' + digit)), "r1c1=1 naked-single");
//! # Ok::<(), String>(())
//! ```
//!
//! # Find puzzles that are the same
//!
//! Two puzzles have the same form exactly when a symmetry of their rules and other names for the digits turn one into the
//! other.
//!
//! ```
//! use sudoku_filter::{Alphabet, Canonical, Rules, Shape, Variants};
//!
//! let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default())?;
//! let canonical = Canonical::new(&rules).unwrap();
//! let form = |line: &str| {
//!     let (mut puzzle, mut form) = (Vec::new(), Vec::new());
//!     Alphabet::default().read(line.as_bytes(), 4, &mut puzzle)?;
//!     canonical.form(&puzzle, &mut form);
//!     Ok::<_, String>(form)
//! };
//! // Turned by a quarter, with 1 and 3 exchanged; then a puzzle that is another.
//! assert_eq!(form(".34.........2..1")?, form("2......1...43...")?);
//! assert_ne!(form(".34.........2..1")?, form(".34.........2.1.")?);
//! # Ok::<(), String>(())
//! ```
//!
//! # Answer a stream of lines
//!
//! What the program does with its files is [`filter()`] with an [`Answerer`]: rows in the order of the lines, on as many
//! threads as one likes, and a [`Tally`] of what was said of them.
//!
//! ```no_run
//! use std::sync::Arc;
//! use sudoku_filter::{AnswerOptions, Answerer, Flow, Source, Status, filter, standard_output};
//!
//! let options = AnswerOptions { variants: "diagonal".parse()?, ..AnswerOptions::default() };
//! let answerer = Arc::new(Answerer::new(options)?);
//! let flow = Flow { threads: 4, errors: 10, quiet: false, meter: Arc::default() };
//! let outcome = filter(
//!     &[Source::File("puzzles.txt".into())],
//!     &answerer,
//!     &mut standard_output()?,
//!     &mut std::io::stderr(),
//!     &flow,
//! )?;
//! println!("{} of {} lines are unique", outcome.tally.of(Status::Unique), outcome.tally.total());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(missing_docs)]

mod answer;
mod canonical;
mod chunks;
mod columns;
mod csv;
mod error;
mod filter;
mod grid_input;
mod grid_output;
mod hints;
mod pencil;
mod record;
mod render;
mod rules;
mod size;
mod solver;
mod source;
mod sumocue;
mod symbols;
mod sys;
mod verdict;
mod verify;

pub use answer::{Answerer, Drawing, Input, Mode, Options as AnswerOptions};
pub use canonical::Canonical;
pub use columns::Column;
pub use error::{Error, Message, MessageKind, escaped, guarded};
pub use filter::{Answer, Flow, Meter, Outcome, Rows, Task, filter};
pub use grid_input::{EntryForm, EntryGrids};
pub use pencil::{End, Grading, Paper, Pencil, Step, Technique};
pub use record::{FieldLayout, FieldNames};
#[doc(hidden)]
pub use record::{Fields, Line};
pub use rules::{
    Crossing, House, HouseName, MAX_SIDE, Pair, Place, Relation, Rules, Shape, Variant, Variants,
};
pub use size::Sizes;
pub use solver::{Found, Givens, Jigsaws, Level, Limits, Method, Progress, Puzzles, Solver};
pub use source::Source;
#[doc(hidden)]
pub use source::refuse_packed_layout;
pub use symbols::{Alphabet, Case};
#[doc(hidden)]
pub use sys::hold_signals;
pub use sys::{StandardOutput, die_of_sigpipe, keep_freed_memory, stdout as standard_output};
pub use verdict::{Status, Tally};
pub use verify::{Fault, verify};
