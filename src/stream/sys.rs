//! System calls that std does not offer, or not for every file descriptor: fstat, poll, and signal masks. Uses the safe functions
//! of `nix`.

use std::marker::PhantomData;
use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout};
use nix::sys::signal::{SigSet, SigmaskHow, Signal};
use nix::sys::stat::{SFlag, fstat};

/// The identity of a file: its device and its inode there. It is the same for all names of the file.
pub type FileId = (u64, u64);

/// Returns the identity of an open file if it is a regular file, otherwise `None`.
pub fn regular_file(file: &impl AsFd) -> Option<FileId> {
    let stat = fstat(file).ok()?;
    let is_regular = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG;
    // The types of these fields differ between systems.
    #[allow(clippy::unnecessary_cast)]
    is_regular.then_some((stat.st_dev as u64, stat.st_ino as u64))
}

/// Waits until a read would return at once, at most for `limit` (`None` is no limit). Returns true if a read would then return at
/// once; false after `limit`, or if poll(2) fails.
pub fn wait_readable(fd: BorrowedFd<'_>, limit: Option<Duration>) -> bool {
    let ready = PollFlags::POLLIN | PollFlags::POLLHUP | PollFlags::POLLERR;
    poll(fd, PollFlags::POLLIN, limit).intersects(ready)
}

/// Waits until a write would not fail with EAGAIN. A write can fail with it if another process made the output non-blocking.
pub fn wait_writable(fd: BorrowedFd<'_>) {
    poll(fd, PollFlags::POLLOUT, None);
}

/// Returns true if the output is known to have no reader: for example, because the other end of a pipe is closed.
pub fn reader_gone(fd: BorrowedFd<'_>) -> bool {
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
    poll(fd, PollFlags::empty(), Some(Duration::ZERO)).intersects(gone)
}

/// Returns the events that poll(2) reports for `fd`, or no events if there were none within `limit` or poll failed. A signal that
/// interrupts poll restarts the limit.
fn poll(fd: BorrowedFd<'_>, events: PollFlags, limit: Option<Duration>) -> PollFlags {
    let mut entries = [PollFd::new(fd, events)];
    let timeout = limit.map_or(PollTimeout::NONE, |limit| {
        limit.try_into().unwrap_or(PollTimeout::MAX)
    });
    loop {
        match nix::poll::poll(&mut entries, timeout) {
            Err(Errno::EINTR) => {}
            Err(_) => return PollFlags::empty(),
            Ok(_) => return entries[0].revents().unwrap_or(PollFlags::empty()),
        }
    }
}

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread until dropped. Threads that this thread starts meanwhile block them
/// permanently.
///
/// The library does nothing else about these signals. By default, each ends the process; a signal that the parent process ignores
/// stays ignored. The workers are started while these signals are blocked, and the writer blocks them while it writes whole lines
/// to a regular file. If all other threads block them too, they take effect only after these lines. If the writer did not block
/// them, the kernel could cut a large write at a page boundary. A write to a pipe can block forever, so the writer does not block
/// signals then.
pub struct HeldSignals {
    /// The signals that this thread blocked before.
    before: SigSet,
    /// Keeps the value in its thread (it is not `Send`), because each thread has a signal mask of its own.
    _of_this_thread: PhantomData<*const ()>,
}

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread until the result is dropped. Threads that this thread starts meanwhile
/// block them permanently.
pub fn hold_signals() -> HeldSignals {
    let ending: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]
        .into_iter()
        .collect();
    let before = ending.thread_swap_mask(SigmaskHow::SIG_BLOCK);
    HeldSignals {
        before: before.expect("SIG_BLOCK is a valid operation"),
        _of_this_thread: PhantomData,
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        let restored = self.before.thread_set_mask();
        debug_assert_eq!(restored, Ok(()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::File;
    use std::io::{Write, pipe};

    #[test]
    fn a_pipe_is_readable_once_written_to() {
        let (reader, mut writer) = pipe().unwrap();
        assert!(!wait_readable(reader.as_fd(), Some(Duration::ZERO)));
        writer.write_all(b"x").unwrap();
        assert!(wait_readable(reader.as_fd(), None));
    }

    #[test]
    fn the_end_of_a_pipe_is_readable() {
        let (reader, writer) = pipe().unwrap();
        drop(writer);
        assert!(wait_readable(reader.as_fd(), None));
    }

    #[test]
    fn a_closed_reader_is_detected() {
        let (reader, writer) = pipe().unwrap();
        assert!(!reader_gone(writer.as_fd()));
        drop(reader);
        assert!(reader_gone(writer.as_fd()));
    }

    #[test]
    fn a_regular_file_never_loses_its_reader() {
        assert!(!reader_gone(
            File::open("/proc/self/exe")
                .or_else(|_| File::open("/bin/sh"))
                .unwrap()
                .as_fd()
        ));
    }

    #[test]
    fn signals_are_blocked_until_the_guard_is_dropped() {
        let held = |signal| SigSet::thread_get_mask().unwrap().contains(signal);
        assert!(!held(Signal::SIGTERM));
        let guard = hold_signals();
        assert!(held(Signal::SIGINT) && held(Signal::SIGTERM) && held(Signal::SIGHUP));
        assert!(
            std::thread::spawn(move || held(Signal::SIGTERM))
                .join()
                .unwrap(),
            "a thread inherits the mask"
        );
        drop(guard);
        assert!(!held(Signal::SIGTERM));
    }
}
