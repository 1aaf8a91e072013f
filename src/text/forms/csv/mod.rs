//! Reads and writes CSV with the quotes of RFC 4180. `fields.rs` splits a line into fields,
//! `header.rs` finds the columns that the header names and the meanings of the fields of a record,
//! `cutter.rs` finds where records end, and `write.rs` writes records.
//!
//! `header.rs` uses `fields.rs`. `cutter.rs` and `write.rs` use those two, and none of them another.

pub mod cutter;
mod fields;
mod header;
mod write;

pub(crate) use header::{CsvHeader, is_likely_header};
pub(crate) use write::{write, write_copy, write_field, write_value};
