//! Solves and verifies many sudoku puzzles at once: classic, diagonal, window, jigsaw and other
//! variants up to 25x25, killers up to 16x16.
//!
//! A puzzle of side N is N² bytes, row by row: 1 to N for a given digit, 0 for a blank cell. (For
//! pencilmarks, see [`Givens`].) Several puzzles with the same rules are one slice, one puzzle
//! after the other. [`Alphabet`] converts between text and digits.
//!
//! [`Rules`] say what a grid must satisfy. They are made once; all parts of the library use them.
//! [`Rules::new`] returns an error with a message for the user if the rules are invalid: for
//! example, if a region of a jigsaw layout is too large. A puzzle without a solution is not an
//! error; its [`Status`] is [`Status::None`].
//!
//! | group | items |
//! | --- | --- |
//! | [solve](#solve-puzzles) | [`solve()`], [`Solver`], [`Method`], [`Limits`], [`GuessLimit`], [`Puzzles`], [`Givens`], [`Progress`], [`Found`], [`Status`]; the symbols of a grid: [`Alphabet`], [`Case`] |
//! | [rules](#choose-rules) | [`Rules`], [`Shape`], [`Variants`], [`Variant`], [`House`], [`Cage`], [`InvalidInput`] |
//! | [verify](#verify-an-answer) | [`verify()`], [`Fault`] |
//! | [grade](#grade-a-puzzle) | [`Pencil`], [`Paper`], [`Grading`], [`End`], [`Step`], [`Technique`]; [`Difficulty`] |
//! | [equivalents](#find-equivalent-puzzles) | [`Canonical`] |
//! | [lines](#process-a-stream-of-lines) | [`filter()`], [`Source`], [`Flow`], [`Outcome`], [`Tally`], [`Error`], [`Pipeline`], [`PipelineOptions`], [`Input`], [`Mode`], [`Place`], [`Column`], [`OutputColumn`] |
//!
//! # Solve puzzles
//!
//! One puzzle with the usual boxes, as text:
//!
//! ```
//! let (status, solution) = sudoku_filter::solve("1.....3..2.....4")?;
//! assert_eq!(status, sudoku_filter::Status::Unique);
//! assert_eq!(solution.unwrap(), "1342243142133124");
//! # Ok::<(), sudoku_filter::InvalidInput>(())
//! ```
//!
//! A solver for many puzzles, as digits:
//!
//! ```
//! use std::sync::Arc;
//! use sudoku_filter::{Method, Rules, Solver, Status};
//!
//! let mut puzzle = [0; 81];
//! puzzle[..9].copy_from_slice(&[4, 0, 0, 0, 0, 0, 8, 0, 5]);
//! let solver = Solver::new(Arc::new(Rules::classic()), Method::Lanes);
//! let (status, solution) = solver.solve_one(&puzzle)?;
//! assert_eq!(status, Status::Multiple);
//! assert_eq!(solution.unwrap()[0], 4);
//! # Ok::<(), sudoku_filter::InvalidInput>(())
//! ```
//!
//! Other rules, and many puzzles at once:
//!
//! ```
//! use std::sync::Arc;
//! use sudoku_filter::{Alphabet, Limits, Method, Rules, Shape, Solver, Status, Variants};
//!
//! let shape = Shape::boxes_of(4).unwrap();
//! let rules = Arc::new(Rules::new(4, shape, &Variants::default())?);
//! let mut puzzles = Vec::new();
//! for line in [".34.........2..1", "12.....1..3....4", "11.............."] {
//!     Alphabet::default().read(line.as_bytes(), 4, &mut puzzles)?;
//! }
//!
//! let solver = Solver::new(rules, Method::Lanes);
//! let mut statuses = vec![Status::Unknown; 3];
//! solver.solve_digits(&puzzles, Limits::default(), &mut |index, found| {
//!     statuses[index] = found.status;
//! })?;
//! assert_eq!(statuses, [Status::Unique, Status::Unique, Status::None]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The solver calls the closure for each puzzle as soon as its search has ended, not always in
//! order. Pass as many puzzles per call as you can: [`Method::Lanes`] solves them side by side in
//! the lanes of SIMD vectors (but killers one at a time). A solver runs on the thread that calls
//! it, and several threads can share one. [`Solver::solve`] can also report each solution, and can
//! be stopped. For each puzzle, [`Limits`] set the maximum number of guesses, the maximum time and
//! the maximum number of solutions.
//!
//! # Choose rules
//!
//! ```
//! use sudoku_filter::{Rules, Shape, Variant, Variants};
//!
//! // Variants can be combined. This 4x4 has 4 rows, 4 columns, 4 boxes, 2 diagonals and 1 window.
//! let variants: Variants = "diagonal,window".parse()?;
//! assert!(variants.contains(Variant::Diagonal));
//! let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &variants)?;
//! assert_eq!(rules.houses().len(), 15);
//!
//! // Boxes of 2 rows and 3 columns.
//! Rules::new(6, Shape::boxes(2, 3), &Variants::default())?;
//!
//! // A jigsaw: one label per cell. Cells with equal labels form a region.
//! let labels = b"AAABCCABDCCBDDDB";
//! let jigsaw = Shape::regions(labels, false);
//! let rules = Rules::new(4, jigsaw, &"jigsaw".parse()?)?;
//! assert_eq!(rules.houses().len(), 12);
//!
//! // A region of five cells in a 4x4 is an error.
//! let labels = b"AAAACCABDCCBDDDB";
//! let jigsaw = Shape::regions(labels, false);
//! assert!(Rules::new(4, jigsaw, &"jigsaw".parse()?).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Verify an answer
//!
//! [`verify()`] checks an answer against the rules and the givens. It uses no code of the solver.
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
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Grade a puzzle
//!
//! [`Pencil`] solves a puzzle with the techniques of a person, the easiest one first. It does not
//! search. [`Difficulty`] rates classic 9x9 puzzles on the scale of Sudoku Explainer.
//!
//! ```
//! use sudoku_filter::{Alphabet, Givens, Paper, Pencil, Rules, Shape, Variants};
//!
//! let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default())?;
//! let mut puzzle = Vec::new();
//! Alphabet::default().read(b".34.........2..1", 4, &mut puzzle)?;
//!
//! let pencil = Pencil::new(&rules);
//! let mut paper = Paper::default();
//! let grading = pencil.solve(Givens::Digits(&puzzle), &mut paper)?;
//! assert_eq!((grading.grade(), grading.steps), ("naked-single", 12));
//!
//! let step = pencil.hint(Givens::Digits(&puzzle), &mut paper)?.unwrap();
//! assert_eq!(step.text(|digit| char::from(b'0' + digit)), "r1c1=1 naked-single");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Find equivalent puzzles
//!
//! The canonical form of a puzzle is its least image under the symmetries and the relabellings of
//! digits that its rules allow. So two puzzles with the same rules have the same form if, and only
//! if, such a symmetry and relabelling turn one into the other. The documentation of [`Canonical`]
//! lists the symmetries and the relabellings. Grids larger than 9x9 have no canonical form.
//!
//! ```
//! use sudoku_filter::{Alphabet, Canonical, InvalidInput, Rules, Shape, Variants};
//!
//! let rules = Rules::new(4, Shape::boxes_of(4).unwrap(), &Variants::default())?;
//! let canonical = Canonical::new(&rules).unwrap();
//! let form = |line: &str| {
//!     let (mut puzzle, mut form) = (Vec::new(), Vec::new());
//!     Alphabet::default().read(line.as_bytes(), 4, &mut puzzle)?;
//!     canonical.form(&puzzle, &mut form)?;
//!     Ok::<_, InvalidInput>(form)
//! };
//! // The first two puzzles are equal up to a quarter turn and an exchange of 1 and 3.
//! assert_eq!(form(".34.........2..1")?, form("2......1...43...")?);
//! assert_ne!(form(".34.........2..1")?, form(".34.........2.1.")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Mode::Shuffle`] goes the other way: [`filter()`] then writes random equivalents of each puzzle,
//! in grids of every size.
//!
//! # Process a stream of lines
//!
//! The program passes its files to [`filter()`] with a [`Pipeline`]. `filter` writes the output
//! lines in the order of the input. [`Flow`] sets the maximum number of threads. The [`Outcome`]
//! has a [`Tally`]: the number of lines with each status.
//!
//! ```
//! use sudoku_filter::{Flow, Pipeline, PipelineOptions, Source, Status, filter};
//!
//! let mut options = PipelineOptions::default();
//! options.variants = "diagonal".parse()?;
//! let pipeline = Pipeline::new(options)?;
//! let outcome = filter(
//!     &[Source::File("data/diagonal.txt".into())],
//!     &pipeline,
//!     &mut std::io::stdout(),
//!     &mut std::io::stderr(),
//!     &Flow::new(4),
//! )?;
//! assert_eq!(outcome.tally.count(Status::Unique), outcome.tally.total());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Glossary
//!
//! | term | meaning |
//! | --- | --- |
//! | side, cell | a puzzle of side N has N² cells, counted row by row from 0; messages name a cell r4c5 (row 4, column 5) |
//! | box, region | a rectangle of N cells; N cells with the same label in a jigsaw layout. A grid is divided into boxes, regions or both. Where boxes and regions are treated alike, a box is also called a region |
//! | house | N cells that hold all N digits: a row, column, box or region, or N cells that a variant or `--extra` adds, such as a diagonal, a window or a disjoint group |
//! | implied house | a house that follows from other houses: the solver uses it for deductions only |
//! | group, pair | fewer than N cells whose digits all differ; two cells that must not hold certain digits together |
//! | killer, cage | a puzzle with cages; cells whose digits differ and, if the cage has a sum, add up to it |
//! | combination | a set of different digits with a given sum, such as that of a cage |
//! | innies, outies | cells of a house that are not in a cage wholly inside the house; cells outside a house whose cages also have cells in the house |
//! | band, stack | all boxes side by side across the grid; all boxes one above the other: three each in a 9x9. Rules with bands are those of a 9x9 with 3x3 boxes |
//! | minirow, minicolumn | the three cells that a row and a box share; the three cells that a column and a box share |
//! | configuration | one of the six ways in which a digit can occupy a band: one minirow per box, each in another row |
//! | given, candidate | a digit that the puzzle shows; a digit that a cell can still hold |
//! | pencilmarks | the candidates of each cell, written down; also a puzzle that lists them in place of givens |
//! | peer, common peer | a cell that must differ from another; a cell that must differ from all cells of a set |
//! | lane | the position of one puzzle, or of one node of its search, in the SIMD vectors; all lanes take the same step at the same time |
//! | sweep | one round of deductions over all lanes |
//! | solved, contradiction, stuck | how the sweeps of a lane end: the grid is full; a deduction shows that there is no solution; a sweep changes nothing, so the lane must branch |
//! | branch, backtrack | a guess of the search; undoing it by restoring the saved state |
//! | node, dive | a state of a search from which a lane can go on; the search of a lane from a node to the first solution or contradiction |
//! | variable, literal, clause, conflict, glue | terms of SAT solvers (MiniSat, Glucose), used by the clause-learning search |
//! | line, field | text of the input. A *row* is a row of the grid, and an *output line* is what is written for a line. In `solver/regions/`, `pencil/fish.rs` and some names in `solver/stated/`, `solver/learning/` and `canonical/`, a line is a row or a column of the grid |
//! | chunk, task | a part of the input that is read at once; lines that one worker processes |
//! | entry | a line of the input, also a comment, a header or an invalid line; with `--input grid`, a puzzle drawn over several lines, with its layout and its answer if it has them |
//! | batch | puzzles of a task that are solved together |
//! | trial | a puzzle that `--minimize` and the columns `minimal` and `candidates` make and solve to learn about another puzzle |
//! | segment | the cells that a region shares with a row or column |
//! | solution, answer | a grid that the program finds; a grid that the user submits for a check |
//! | status | the result for a line: `unique`, `multiple`, `none`, `unknown`, `invalid`, `correct`, ... (the number that the process returns is its *exit status*) |

#![deny(missing_docs)]

#[cfg(test)]
#[path = "../tests/full/mod.rs"]
mod full;
mod pipeline;
#[cfg(test)]
#[path = "../tests/skip/mod.rs"]
mod skip;
mod stream;
mod text;

pub use engine::{
    Cage, Canonical, Difficulty, End, Error, Fault, Found, Givens, Grading, GuessLimit, House,
    InvalidInput, Limits, Method, Paper, Pencil, Place, Progress, Puzzles, Rules, Shape, Solver,
    Status, Step, Tally, Technique, Variant, Variants, verify,
};
pub use pipeline::{Input, Mode, Options as PipelineOptions, Pipeline, filter};
pub use stream::source::Source;
pub use stream::{Flow, Outcome};
pub use text::columns::{Column, OutputColumn};
pub use text::symbols::{Alphabet, Case};

/// Solves a puzzle with rows, columns and the usual boxes, given as its N² symbols, where N is 4,
/// 6, 8, 9, ... Blanks around them are ignored. Returns a solution if one is found. Each call makes the rules anew: a [`Solver`]
/// does not.
///
/// # Errors
/// Returns an error if no puzzle has this number of symbols, or if one of them is not a digit of
/// the puzzle or a blank.
pub fn solve(puzzle: &str) -> Result<(Status, Option<String>), InvalidInput> {
    let puzzle = puzzle.trim();
    let side = text::size::Sizes::default().side(puzzle.len())?;
    let shape = Shape::boxes_of(side).expect("this side has boxes");
    let rules = Rules::new(side, shape, &Variants::default())?;
    let (alphabet, mut digits) = (Alphabet::default(), Vec::new());
    let case = alphabet.read(puzzle.as_bytes(), side, &mut digits)?;
    let (status, solution) = Solver::new(rules.into(), Method::default()).solve_one(&digits)?;
    let solution = solution.map(|solution| {
        let mut text = Vec::new();
        alphabet.write(&solution, case, &mut text);
        String::from_utf8(text).expect("symbols are ASCII")
    });
    Ok((status, solution))
}

/// Items for the program, the tests and the benchmarks of this project. They can change in any
/// version, so they are hidden. So are methods and fields that only these users need.
#[doc(hidden)]
pub mod program {
    pub use crate::pipeline::{ModeRow, Output, PatternSymmetry};
    pub use crate::stream::Meter;
    pub use crate::stream::source::refuse_unreadable_layout;
    pub use crate::stream::sys::wait_reader_gone;
    pub use crate::text::classes::Classes;
    pub use crate::text::condition::Condition;
    pub use crate::text::domain::Domain;
    pub use crate::text::forms::lines::{FieldNames, Fields};
    pub use crate::text::forms::page::PageOptions;
    pub use crate::text::header_names::HeaderNames;
    pub use crate::text::kept_fields::KeptFields;
    pub use crate::text::notation::{DescribedPuzzle, is_arrows, is_self_describing, write_cages};
    pub use crate::text::record::Line;
    pub use crate::text::size::Sizes;
    pub use engine::canonical::{JigsawLayout, RandomSymmetries, RandomSymmetry};
    pub use engine::error::{escaped, without_number};
    pub use engine::panics::{guarded, install_hook};
    pub use engine::pencil::TechniqueSet;
    pub use engine::rules::{Crossing, Pair};
    pub use engine::solver::{Level, solve_each};
}

/// Runs the example of README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
