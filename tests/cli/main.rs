//! The program as its users run it: options and input in; output, messages and exit status out.

mod columns;
mod csv;
mod generated;
mod grids;
mod identity;
mod known;
mod lines;
mod messages;
mod modes;
mod notations;
mod options;
mod plain_lines;
mod puzzles;
mod readme;
mod run;
mod stream;
mod variants;
mod verify;
