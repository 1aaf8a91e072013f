//! The forms of input and output: each file reads a record of a form, writes one, or both.
//! `grid_input/` reads drawings.

pub mod csv;
pub mod csv_records;
pub mod drawing;
pub mod json;
mod json_grid;
pub mod json_records;
pub mod lines;
pub mod svg;
