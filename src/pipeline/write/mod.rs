//! Writes entries as output lines: `emit.rs` in input order, as far as they are known, and in the
//! form of the output `output_line.rs`. `tally.rs` counts values (`--tally`).
//!
//! For each output line:
//!
//! ```text
//!   EntryView                  columns.rs          the table of columns
//!     PuzzleFindings           puzzle_findings.rs  what the solvers, the check and the rating found
//!       ShownFields            shown.rs            the puzzle, its rules and its answer, as the line has them
//!       PuzzleView             ../puzzle_view.rs   its place in a batch; also for modes that make puzzles
//!       Person                 person.rs           the solution by techniques, made when a column needs it
//! ```

mod columns;
pub(super) mod emit;
pub(super) mod output_line;
mod person;
mod puzzle_findings;
mod shown;
pub(super) mod tally;
