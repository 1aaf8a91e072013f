//! The notations of puzzles: from lines to fields, from symbols to digits, and back. Also the names
//! of the output columns.

pub mod classes;
pub mod columns;
pub mod condition;
pub mod domain;
pub mod f_puzzles_link;
pub mod foreign;
pub mod forms;
pub mod header_names;
pub mod hints;
pub mod kept_fields;
pub mod notation;
pub mod one_line;
pub mod prose;
pub mod record;
pub mod record_rules;
pub mod rule_names;
pub mod size;
pub mod symbols;
pub mod unread;
pub mod value;
