//! The forms of input and output. Each cuts records, reads their fields, writes records, or several
//! of these.

pub mod csv;
mod cut_builder;
pub mod drawing;
pub mod json;
pub mod lines;
pub mod page;
pub mod svg;
mod svg_elements;
mod svg_rules;
