//! The notations of puzzles: from lines to fields, from symbols to digits, and back. Also the names
//! of the output columns.

pub mod columns;
pub mod csv;
pub mod foreign;
pub mod grid_input;
pub mod grid_output;
pub mod header_names;
pub mod hints;
pub mod json;
pub mod notation;
pub mod one_line;
pub mod record;
pub mod size;
pub mod svg_output;
pub mod symbols;
