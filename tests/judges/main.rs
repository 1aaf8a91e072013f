//! The judges: what the library and the program answer is compared with plain, separate versions of
//! the rules, of searches and of techniques, with a SAT solver, and with known answers. They are
//! one program, because each program that contains the library takes long to compile and to link.

mod agreement;
mod canonical;
mod constraints;
mod data;
mod difficulty;
mod known;
mod levels;
mod misuse;
mod pencil;
mod proof;
mod round_trips;
mod seeds;
mod solutions;
mod steps;
mod variants;

#[path = "../convert/mod.rs"]
mod convert;
#[path = "../full/mod.rs"]
mod full;
#[path = "../generator/mod.rs"]
mod generator;
#[path = "../cli/run.rs"]
#[allow(dead_code, reason = "the command-line tests use the rest")]
mod run;
#[path = "../skip/mod.rs"]
mod skip;
#[path = "../fuzz/targets/mod.rs"]
mod targets;
