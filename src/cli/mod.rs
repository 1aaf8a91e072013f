//! The command line of the program: options, pages (help, version, man page, completions), the run,
//! messages, and settings of the process.

pub mod allocator;
pub mod args;
pub mod arguments;
pub mod bash;
pub mod failure;
pub mod fish;
pub mod flags;
pub mod help;
pub mod man;
pub mod page;
pub mod pages;
pub mod process;
pub mod progress;
pub mod run;
pub mod suggestion;
pub mod values;
pub mod version;
pub mod zsh;
