//! Tests of the command line: options and input, and the output, messages and exit status that they
//! give.

mod choose;
mod clues;
mod columns;
mod constraints;
mod csv;
mod damaged;
mod data_sets;
mod documents;
mod drawings;
mod forms;
#[path = "../full/mod.rs"]
mod full;
mod generated;
mod grids;
mod identity;
mod json;
mod killer;
mod known;
mod lines;
mod make;
mod messages;
mod modes;
mod notations;
mod options;
mod plain_lines;
mod puzzles;
mod round_trip;
mod run;
mod shuffle;
#[path = "../skip/mod.rs"]
mod skip;
mod stream;
mod techniques;
mod variants;
mod verify;
mod vicinity;
