//! Deductions for houses, groups and pairs that are given as lists of cells. Both boards use them.

pub mod common_peers;
pub mod houses;
