//! The fuzz targets. A target takes any bytes and panics on a wrong result. `tests/judges/seeds.rs`
//! runs the targets on the seeds in the ordinary test run.

mod chunks;
mod csv;
mod described;
mod drawn;
mod filter;
mod json;
mod judge;
mod line;
mod named;
mod notation;
mod plain;
mod regions;

#[allow(unused_imports, reason = "the judges use it")]
pub use described::RULE_NAMES;

/// A function that takes any bytes.
pub type Target = fn(&[u8]);

/// Every target with its name, which is also the name of its folder of seeds.
pub const ALL: [(&str, Target); 9] = [
    ("line", line::run),
    ("regions", regions::run),
    ("chunks", chunks::run),
    ("filter", filter::run),
    ("csv", csv::run),
    ("json", json::run),
    ("named", named::run),
    ("drawn", drawn::run),
    ("notation", notation::run),
];
