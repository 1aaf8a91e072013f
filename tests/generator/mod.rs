//! Makes puzzles of every variant and size, the same on every machine and with every engine: what is random is drawn
//! from a generator seeded with a name, and no code of the program is used.

// Each test uses a part of it.
#![allow(dead_code)]

pub mod files;
pub mod form;
pub mod layouts;
pub mod puzzles;
pub mod random;
pub mod search;
