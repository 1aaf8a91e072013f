//! Records tests, or parts of tests, that this machine cannot run. All suites use these functions.
//!
//! A skip is printed, and appended to the file that the environment variable `SKIPPED` names, if it
//! is set. `make test` prints that file at its end. With `NO_SKIP=1`, a test fails if it lacks
//! something that `.ci/run` can install.

#![allow(dead_code, reason = "each suite uses a part")]

use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;
use std::thread;

/// Records that the calling test is skipped because a program or a permission is missing that
/// `.ci/run` provides. The caller must return. Panics if `NO_SKIP=1`.
#[track_caller]
pub fn skip(reason: &str) {
    let must_run = std::env::var("NO_SKIP").is_ok_and(|value| value == "1");
    assert!(!must_run, "skipped although NO_SKIP=1: {reason}");
    skip_for_machine(reason);
}

/// Records that the calling test is skipped because of this machine, such as a missing CPU level.
/// The caller must return.
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

/// Returns whether a program is in `PATH`. If not, calls [`skip`].
#[track_caller]
pub fn is_installed(program: &str) -> bool {
    let is_here = is_in_path(program);
    if !is_here {
        skip(&format!("{program} is not installed"));
    }
    is_here
}

/// Returns whether a program that `.ci/run` cannot install is in `PATH`. If not, calls
/// [`skip_for_machine`].
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
