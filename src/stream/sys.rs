//! System calls that std does not offer, or not for every file descriptor: fstat and poll. Uses the
//! safe functions of `nix`.

use std::os::fd::{AsFd, BorrowedFd};
use std::time::Duration;

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout};
use nix::sys::stat::{SFlag, fstat};

/// The device of a file, and its inode there: the same for all names of a file.
pub type FileId = (u64, u64);

pub fn regular_file_id(file: &impl AsFd) -> Option<FileId> {
    let stat = fstat(file).ok()?;
    let is_regular = SFlag::from_bits_truncate(stat.st_mode) & SFlag::S_IFMT == SFlag::S_IFREG;
    // The types of these fields differ between systems.
    #[allow(clippy::unnecessary_cast)]
    is_regular.then_some((stat.st_dev as u64, stat.st_ino as u64))
}

/// Returns false if a read would still wait after `limit`. If poll(2) fails, returns true: the next
/// read then reports the error.
pub fn wait_readable(fd: BorrowedFd<'_>, limit: Option<Duration>) -> bool {
    poll(fd, PollFlags::POLLIN, limit).map_or(true, |events| !events.is_empty())
}

/// Waits until the output takes bytes. Needed after a write fails with EAGAIN, which happens if
/// another process has made the output non-blocking.
pub fn wait_writable(fd: BorrowedFd<'_>) {
    // If poll fails, the next write reports the error.
    let _ = poll(fd, PollFlags::POLLOUT, None);
}

/// Waits until the reader of an output has gone, then returns true. Returns false if poll(2) fails
/// or reports that the file is not open.
pub fn wait_reader_gone(fd: BorrowedFd<'_>) -> bool {
    // Without requested events, poll reports only errors and that the reader has gone.
    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
    poll(fd, PollFlags::empty(), None).is_ok_and(|events| events.intersects(gone))
}

/// Returns no events after `limit`. A signal that interrupts poll restarts the limit.
fn poll(
    fd: BorrowedFd<'_>,
    events: PollFlags,
    limit: Option<Duration>,
) -> Result<PollFlags, Errno> {
    let mut entries = [PollFd::new(fd, events)];
    let timeout =
        limit.map_or(PollTimeout::NONE, |limit| limit.try_into().unwrap_or(PollTimeout::MAX));
    loop {
        match nix::poll::poll(&mut entries, timeout) {
            Err(Errno::EINTR) => {}
            Err(error) => return Err(error),
            // `revents` is `None` if there are events that `nix` does not know. They count as all
            // events.
            Ok(_) => return Ok(entries[0].revents().unwrap_or(PollFlags::all())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
}
