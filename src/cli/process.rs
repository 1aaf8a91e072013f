//! Settings of the process: the panic hook, the exit status of an abort, standard streams that were closed at the start,
//! unbuffered standard output, ending by SIGPIPE, and the last action before SIGINT, SIGTERM or SIGHUP ends the process.
#![allow(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::io;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::os::fd::FromRawFd;
use std::panic;
use std::process;
use std::ptr;
use std::sync::atomic::{AtomicU8, Ordering::Relaxed};
use std::thread;

use nix::libc;
use nix::sys::signal::{SigHandler, SigSet, Signal, raise, signal};
use nix::unistd::{dup2_stdin, dup2_stdout};
use sudoku_filter::program::record_panic;

/// Installs a panic hook. It records panics inside `guarded`, for the error that `guarded` returns; std's hook prints all others.
pub fn install_panic_hook() {
    let default_hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !record_panic(info) {
            default_hook(info);
        }
    }));
}

/// Makes an abort end the process with exit status 2, as a failure does. std prints a message and aborts if memory runs out.
pub fn end_aborts_with_status_2() {
    extern "C" fn end(_: libc::c_int) {
        // SAFETY: _exit can be called in a signal handler, and runs no code of this process.
        unsafe { libc::_exit(2) }
    }
    // SAFETY: the handler calls nothing but _exit.
    let _ = unsafe { signal(Signal::SIGABRT, SigHandler::Handler(end)) };
}

/// Bit n is set if file descriptor n was closed when the process started, for n = 0, 1.
static CLOSED: AtomicU8 = AtomicU8::new(0);

// Before `main`, std opens /dev/null in place of closed standard streams. Only code that runs before std can detect that
// they were closed. A stream that is /dev/null, open for reading and writing, proves nothing: a parent can pass such a stream, as
// Python does for `subprocess.DEVNULL`.
//
// std promises nothing to code that runs before `main`. `record_closed_streams` needs no std: the system's loader calls it in the
// only thread, after libc is initialized. The function calls one function of libc, uses an atomic of `core`, and cannot panic. It
// ignores the arguments that some loaders pass, as the C calling convention permits.
#[used]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: extern "C" fn() = record_closed_streams;

/// Sets the bits of [`CLOSED`]. Runs before `main`.
extern "C" fn record_closed_streams() {
    for fd in 0..2 {
        // SAFETY: F_GETFD takes no argument and accesses no memory. It reports a closed descriptor as an error.
        if unsafe { libc::fcntl(fd, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << fd, Relaxed);
        }
    }
}

/// Makes reads of standard input and writes to standard output fail, as in C, if these streams were closed when the process
/// started. std has replaced them by /dev/null, which reads as empty and discards output without an error. Returns an error if
/// /dev/null cannot be opened or put in their place.
pub fn restore_closed_streams() -> io::Result<()> {
    let closed = CLOSED.load(Relaxed);
    if closed & 1 != 0 {
        // Opened only for writing, so that a read fails with EBADF.
        dup2_stdin(OpenOptions::new().write(true).open("/dev/null")?)?;
    }
    if closed & 2 != 0 {
        // Opened only for reading, so that a write fails with EBADF.
        dup2_stdout(OpenOptions::new().read(true).open("/dev/null")?)?;
    }
    Ok(())
}

/// Returns standard output, unbuffered. `io::Stdout` has a buffer, and its writes report no error if standard output is closed.
/// The file descriptor is not duplicated: under `ulimit -n 4` only one file can be open in addition to the standard streams, and
/// the input needs it.
pub fn standard_output() -> ManuallyDrop<File> {
    // SAFETY: std has opened file descriptor 1 at the start, and nothing closes it: the file is never dropped.
    ManuallyDrop::new(unsafe { File::from_raw_fd(libc::STDOUT_FILENO) })
}

/// Starts a thread that waits for SIGINT, SIGTERM or SIGHUP, calls `action`, and ends the process by the signal. A signal that the
/// parent ignores stays ignored. Must be called before other threads are started: these inherit a mask that blocks the signals, so
/// that only the waiting thread receives them. If that thread cannot be started, the signals end the process without `action`.
pub fn before_ending_signal(action: impl FnOnce() + Send + 'static) {
    let signals = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter();
    let signals: SigSet = signals.filter(|&signal| !is_ignored(signal)).collect();
    if signals.thread_block().is_err() {
        return;
    }
    let wait = move || {
        let Ok(signal) = signals.wait() else { return };
        action();
        let _ = SigSet::from(signal).thread_unblock();
        let _ = raise(signal);
        // Process 1 of a container survives the signal. It ends here, with the exit status that a shell reports for the signal.
        process::exit(128 + signal as i32)
    };
    if thread::Builder::new().spawn(wait).is_err() {
        // Unblocked signals end the process at once.
        let _ = signals.thread_unblock();
    }
}

/// Returns true if the process ignores this signal, because its parent did. A shell script starts background jobs that ignore
/// SIGINT, for example.
fn is_ignored(signal: Signal) -> bool {
    let mut action = MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: without a new action, sigaction only writes the present one to `action`, for which zeros are valid too.
    unsafe {
        libc::sigaction(signal as i32, ptr::null(), action.as_mut_ptr());
        action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

/// Ends the process by SIGPIPE, as other filters end when they write to a pipe without a reader. First restores the default
/// action of SIGPIPE and unblocks it, because std ignores SIGPIPE, and the parent can ignore or block it.
pub fn die_of_sigpipe() -> ! {
    // SAFETY: SIG_DFL is a valid disposition, so no handler runs.
    let _ = unsafe { signal(Signal::SIGPIPE, SigHandler::SigDfl) };
    let _ = SigSet::from(Signal::SIGPIPE).thread_unblock();
    let _ = raise(Signal::SIGPIPE);
    // Process 1 of a container survives the signal. It ends here, with the exit status that a shell reports for the signal.
    process::exit(128 + libc::SIGPIPE)
}
