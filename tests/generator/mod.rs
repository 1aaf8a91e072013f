//! Makes puzzles of every variant and size. They are the same on every machine and with every
//! version of the program: random numbers come from a sequence seeded with a name, and no code of
//! the program is used.

// Each test uses only a part of this module.
#![allow(dead_code)]

pub mod cages;
pub mod constraints;
pub mod files;
pub mod killer_files;
pub mod killers;
pub mod layouts;
pub mod notations;
pub mod puzzles;
pub mod random;
pub mod search;
pub mod sums;
pub mod variants;
