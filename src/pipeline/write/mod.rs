//! Writes entries as output lines: `emit.rs` in input order, as far as they are known; `forms.rs` in
//! the form of the output; `columns.rs` computes the value of each column from the question and what
//! was found, `person.rs` those about the solution of a person, `shown.rs` those of the puzzle.

mod columns;
pub(super) mod emit;
pub(super) mod forms;
mod person;
mod shown;
