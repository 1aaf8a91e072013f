//! Writes entries as output lines: `emit.rs` in input order, as far as they are known;
//! `output_line.rs` in the form of the output. `columns.rs` computes the value of each column:
//! `puzzle_findings.rs` those about what was found, with `person.rs` (the solution of a person),
//! `shown.rs` those of the puzzle. `tally.rs` counts values (`--tally`).

mod columns;
pub(super) mod emit;
pub(super) mod output_line;
mod person;
mod puzzle_findings;
mod shown;
pub(super) mod tally;
