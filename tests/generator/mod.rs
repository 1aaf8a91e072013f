//! Makes puzzles of every variant and size. They are the same on every machine and with every version of the program:
//! random numbers come from a sequence seeded with a name, and no code of the program is used.

// Each test uses only a part of this module.
#![allow(dead_code)]

pub mod constraints;
pub mod files;
pub mod layouts;
pub mod puzzles;
pub mod random;
pub mod search;
