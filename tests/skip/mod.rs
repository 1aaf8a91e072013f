//! Reports tests, or parts of tests, that this machine cannot run. Every suite skips by these functions.
//!
//! A skip is printed, and appended to the file that the environment variable `SKIPPED` names, if it is set. `make test` prints
//! that file at its end. With `NO_SKIP=1`, a test fails if it lacks something that `.ci/run` can install.

#![allow(dead_code, reason = "each suite uses a part")]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

/// Skips a test for the lack of a program or a permission, which `.ci/run` provides. Panics with `NO_SKIP=1`.
#[track_caller]
pub fn skip(reason: &str) {
    let must_run = std::env::var("NO_SKIP").is_ok_and(|value| value == "1");
    assert!(!must_run, "skipped although NO_SKIP=1: {reason}");
    skip_for_machine(reason);
}

/// Skips a test for the lack of something that nothing can install, such as a CPU level. `NO_SKIP` has no effect.
pub fn skip_for_machine(reason: &str) {
    println!("skipped: {reason}");
    let Some(file) = std::env::var_os("SKIPPED") else {
        return;
    };
    // A test runs on a thread of its name. The threads that it starts have none.
    let thread = thread::current();
    let line = match thread.name() {
        Some(test) => format!("{test}: {reason}\n"),
        None => format!("{reason}\n"),
    };
    let file = OpenOptions::new().create(true).append(true).open(file);
    // One write for each line, because several suites can append at once.
    file.and_then(|mut file| file.write_all(line.as_bytes()))
        .expect("SKIPPED names a file that can be written");
}

/// Returns whether a program is installed. Skips if it is not.
#[track_caller]
pub fn is_installed(program: &str) -> bool {
    let is_here = is_in_path(program);
    if !is_here {
        skip(&format!("{program} is not installed"));
    }
    is_here
}

/// The same for a program that `.ci/run` cannot install.
pub fn is_available(program: &str) -> bool {
    let is_here = is_in_path(program);
    if !is_here {
        skip_for_machine(&format!("{program} is not installed"));
    }
    is_here
}

fn is_in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|folder: PathBuf| folder.join(program));
    places.any(|file| file.is_file())
}
