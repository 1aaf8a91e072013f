//! Settings of the process (closed standard streams, unbuffered standard output),
//! and its end by a signal: SIGINT, SIGTERM or SIGHUP from outside, or SIGPIPE if the reader of the
//! output has gone.
#![allow(unsafe_code)]

use std::ffi::{CStr, OsStr, OsString, c_char, c_int};
use std::fs::{File, OpenOptions};
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::fd::{AsFd, AsRawFd, FromRawFd, IntoRawFd};
use std::os::unix::ffi::OsStrExt;
use std::process;
use std::ptr;
use std::thread;
use std::time::Duration;

use nix::libc;
use nix::sys::signal::{SigHandler, SigSet, Signal, raise};
use sudoku_filter::program::wait_reader_gone;

/// Does what std does before it calls a Rust `main`, except for closed standard streams.
///
/// Opens /dev/null in place of each of them, so that no other file gets its number, but standard
/// input only for writing and standard output only for reading. So using them fails, as using
/// closed ones does. std would open them for both, and the output would be lost without an error.
/// gnulib's `stdopen` does the same for programs in C.
///
/// Ignores SIGPIPE, so that a write to a pipe without a reader is an error.
pub fn prepare_standard_streams() {
    for number in [libc::STDIN_FILENO, libc::STDOUT_FILENO, libc::STDERR_FILENO] {
        let mut options = OpenOptions::new();
        options.read(number != libc::STDIN_FILENO).write(number != libc::STDOUT_FILENO);
        // The file gets the lowest number that is free: that of the stream if it is closed, as
        // those below it are open by now. If no file can be opened, closed streams stay closed.
        if let Ok(file) = options.open("/dev/null")
            && file.as_raw_fd() == number
        {
            let _ = file.into_raw_fd();
        }
    }
    // SAFETY: SIG_IGN installs no handler, so the signal runs no code of this process.
    let _ = unsafe { nix::sys::signal::signal(Signal::SIGPIPE, SigHandler::SigIgn) };
}

/// # Safety
/// The values must be those that C passes to `main`.
pub unsafe fn arguments(count: c_int, arguments: *const *const c_char) -> Vec<OsString> {
    let to_owned = |at: usize| {
        // SAFETY: C passes as many arguments as it says, each a text that ends in a zero byte.
        let argument = unsafe { CStr::from_ptr(*arguments.add(at)) };
        OsStr::from_bytes(argument.to_bytes()).to_owned()
    };
    (0..usize::try_from(count).unwrap_or(0)).map(to_owned).collect()
}

/// Returns standard output, unbuffered. `io::Stdout` has a buffer, and its writes report no error
/// if standard output is closed. The file descriptor is not duplicated: under `ulimit -n 4` only
/// one file can be open in addition to the standard streams, and the input needs it.
pub fn standard_output() -> ManuallyDrop<File> {
    // SAFETY: `prepare_standard_streams` has opened file descriptor 1 if it was closed, and nothing
    // closes it: the file is never dropped.
    ManuallyDrop::new(unsafe { File::from_raw_fd(libc::STDOUT_FILENO) })
}

/// Starts a thread that waits for SIGINT, SIGTERM or SIGHUP, calls `action`, and ends the process
/// by the signal, at the latest after `LONGEST_LAST_ACTION`. A signal that the parent ignores stays
/// ignored. If the thread cannot be started, the signals end the process without `action`.
///
/// Must be called before other threads are started. This function blocks the signals in this
/// thread, and threads inherit its signal mask, so that only the waiting thread receives them.
pub fn before_ending_signal(action: impl FnOnce() + Send + 'static) {
    let signals = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter();
    let signals: SigSet = signals.filter(|&signal| !is_ignored(signal)).collect();
    if signals.thread_block().is_err() {
        return;
    }
    let wait = move || {
        if let Ok(signal) = signals.wait() {
            act_and_die(action, signal)
        }
    };
    if thread::Builder::new().spawn(wait).is_err() {
        // Unblocked signals end the process at once.
        let _ = signals.thread_unblock();
    }
}

/// True if the parent ignores the signal: shell scripts do so with SIGINT for background jobs.
fn is_ignored(signal: Signal) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, sigaction only writes the present one to `action`. If it fails,
    // `action` stays zero, which is a valid value.
    unsafe {
        libc::sigaction(signal as i32, ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// A run can end by itself in this time after the reader of its output has gone.
const TIME_TO_END: Duration = Duration::from_millis(100);

/// Starts a thread that waits until the output has no reader (for example, because the other end of
/// a pipe is closed), calls `action`, and ends the process by SIGPIPE. A write would fail too, but
/// while the process waits for input or works on a hard puzzle, the next write can be hours away.
///
/// Before it calls `action`, the thread waits for `TIME_TO_END`. So a run whose only output line
/// `head -n 1` has read ends by itself, and its exit status does not depend on which thread is
/// faster.
pub fn before_ending_without_reader(action: impl FnOnce() + Send + 'static) {
    let wait = move || {
        if wait_reader_gone(standard_output().as_fd()) {
            thread::sleep(TIME_TO_END);
            act_and_die(action, Signal::SIGPIPE)
        }
    };
    // If no thread can be started, the next write ends the run.
    let _ = thread::Builder::new().spawn(wait);
}

/// The maximum time of the last action before the process ends by a signal. The action writes to
/// standard error, which can be a full pipe that nobody reads.
const LONGEST_LAST_ACTION: Duration = Duration::from_secs(1);

/// Ends the process by `signal` at the latest after `LONGEST_LAST_ACTION`.
fn act_and_die(action: impl FnOnce(), signal: Signal) -> ! {
    let end = move || {
        thread::sleep(LONGEST_LAST_ACTION);
        die_of(signal)
    };
    if thread::Builder::new().spawn(end).is_err() {
        // Without that thread, the same signal again ends the process at once.
        let _ = SigSet::from(signal).thread_unblock();
    }
    action();
    die_of(signal)
}

/// Ends the process by SIGPIPE, as other filters end when they write to a pipe without a reader.
pub fn die_of_sigpipe() -> ! {
    die_of(Signal::SIGPIPE)
}

/// Ends the process by `signal`. First restores its default action and unblocks it: the program and
/// its parent can ignore or block it.
fn die_of(signal: Signal) -> ! {
    // SAFETY: SIG_DFL installs no handler, so the signal runs no code of this process.
    let _ = unsafe { nix::sys::signal::signal(signal, SigHandler::SigDfl) };
    let _ = SigSet::from(signal).thread_unblock();
    let _ = raise(signal);
    // Process 1 of a container survives the signal. It ends with the status that shells report.
    process::exit(128 + signal as i32)
}
