//! The number of cases of long tests: a part of them in `make test`, all in `make test-full`.

#![allow(dead_code, reason = "each suite uses a part")]

/// Returns whether tests try all their cases: `make test-full` sets `FULL=1`.
pub fn is_full() -> bool {
    std::env::var("FULL").is_ok_and(|value| value == "1")
}

/// Returns a number of cases: a part of them, or all.
pub fn cases<T>(part: T, all: T) -> T {
    if is_full() { all } else { part }
}

/// Returns the step between the cases that are tried: 1, or `step` if only a part is.
pub fn step(step: usize) -> usize {
    if is_full() { 1 } else { step }
}
