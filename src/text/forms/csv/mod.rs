//! Reads and writes CSV with the quotes of RFC 4180. `fields.rs` splits a line into fields,
//! `header.rs` finds the columns that the header names and the meanings of the fields of a record,
//! `within.rs` recognises headers and records among the lines of a source, `cutter.rs` finds where
//! records end, and `write.rs` writes records.
//!
//! `header.rs` uses `fields.rs`, and `within.rs` those two. `cutter.rs` uses `header.rs` and
//! `within.rs`, and `write.rs` uses `header.rs` and `fields.rs`.

pub mod cutter;
mod fields;
mod header;
mod within;
mod write;

pub(crate) use header::CsvHeader;
pub(crate) use within::{ends_with_header, has_puzzle, is_likely_header};
pub(crate) use write::{write, write_copy, write_field, write_value};
