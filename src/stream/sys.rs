//! System calls that std does not wrap: poll, signal masks, fstat, memory, CPU time and settings of the allocator. Also detects
//! standard streams that are closed when the process starts.
#![allow(unsafe_code)]

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::marker::PhantomData;
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32};
use std::time::Duration;
use std::{io, ptr, thread};

/// Returns standard input, unbuffered. If it was closed when the process started, reading fails, as in C.
pub fn stdin() -> io::Result<File> {
    if was_closed(0) {
        // Opened only for writing, so that a read fails with EBADF.
        return OpenOptions::new().write(true).open("/dev/null");
    }
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Returns standard output, unbuffered. If it was closed when the process started, the first write fails, as in C;
/// `std::io::stdout` would discard the output without an error.
///
/// # Errors
/// Standard output was closed and /dev/null, which takes its place, cannot be opened.
pub fn stdout() -> io::Result<StandardOutput> {
    Ok(StandardOutput(if was_closed(1) {
        // Opened only for reading, so that a write fails with EBADF.
        Some(File::open("/dev/null")?)
    } else {
        None
    }))
}

/// Standard output, unbuffered. Does not duplicate the file descriptor: under `ulimit -n 4` only one file can be open
/// in addition to the standard streams, and the input needs it.
#[derive(Debug)]
pub struct StandardOutput(Option<File>);

impl AsFd for StandardOutput {
    fn as_fd(&self) -> BorrowedFd<'_> {
        match &self.0 {
            Some(file) => file.as_fd(),
            // SAFETY: nothing in this crate closes file descriptor 1, and it was open when the process started.
            None => unsafe { BorrowedFd::borrow_raw(1) },
        }
    }
}

impl Write for StandardOutput {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let fd = self.as_fd().as_raw_fd();
        // SAFETY: `bytes` is valid for reads of its length and outlives the call.
        let count = unsafe { libc::write(fd, bytes.as_ptr().cast(), bytes.len()) };
        usize::try_from(count).map_err(|_| io::Error::last_os_error())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns device and inode of a regular file, or `None` for anything else. Unlike `File::metadata` it works on a borrowed
/// descriptor.
pub fn regular_file(fd: BorrowedFd<'_>) -> Option<(u64, u64)> {
    let mut stat = MaybeUninit::<libc::stat>::uninit();
    // SAFETY: `stat` outlives the call; it is read only if fstat succeeded, which initialises it.
    let stat = unsafe {
        if libc::fstat(fd.as_raw_fd(), stat.as_mut_ptr()) != 0 {
            return None;
        }
        stat.assume_init()
    };
    // The types of these fields differ between systems.
    #[allow(clippy::unnecessary_cast)]
    (stat.st_mode & libc::S_IFMT == libc::S_IFREG)
        .then_some((stat.st_dev as u64, stat.st_ino as u64))
}

/// Bit n is set if file descriptor n was closed when the process started, for n = 0, 1, 2.
static CLOSED: AtomicU8 = AtomicU8::new(0);

fn was_closed(fd: u8) -> bool {
    CLOSED.load(Relaxed) & 1 << fd != 0
}

// Before `main`, std opens /dev/null in place of closed standard streams. Only code that runs before std can detect that
// they were closed. A /dev/null that is open for reading and writing is no proof: Python's `subprocess.DEVNULL` is the same.
#[used]
#[cfg_attr(
    target_vendor = "apple",
    unsafe(link_section = "__DATA,__mod_init_func")
)]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
static BEFORE_MAIN: extern "C" fn() = record_closed_streams;

extern "C" fn record_closed_streams() {
    for fd in 0..3 {
        // SAFETY: F_GETFD takes no argument and accesses no memory. It reports a closed descriptor as an error.
        if unsafe { libc::fcntl(fd, libc::F_GETFD) } == -1 {
            CLOSED.fetch_or(1 << fd, Relaxed);
        }
    }
}

/// Waits until a read would return at once, but at most for `limit` (`None` is no limit). Returns whether it would.
pub fn wait_readable(fd: BorrowedFd<'_>, limit: Option<Duration>) -> bool {
    poll(fd, libc::POLLIN, limit) & (libc::POLLIN | libc::POLLHUP | libc::POLLERR) != 0
}

/// Waits until a write would not fail with EAGAIN. Needed if another process made the output non-blocking.
pub fn wait_writable(fd: BorrowedFd<'_>) {
    poll(fd, libc::POLLOUT, None);
}

/// Returns true if the other end of a pipe or socket is closed, so that the output has no reader.
pub fn reader_gone(fd: BorrowedFd<'_>) -> bool {
    poll(fd, 0, Some(Duration::ZERO)) & (libc::POLLERR | libc::POLLHUP) != 0
}

/// Returns the events that poll(2) reports for `fd`, or 0 after `limit`.
fn poll(fd: BorrowedFd<'_>, events: i16, limit: Option<Duration>) -> i16 {
    let mut entry = libc::pollfd {
        fd: fd.as_raw_fd(),
        events,
        revents: 0,
    };
    let millis = limit.map_or(-1, |limit| limit.as_millis().try_into().unwrap_or(i32::MAX));
    // SAFETY: `entry` is one valid pollfd, as the count of 1 says, and outlives the call.
    while unsafe { libc::poll(&mut entry, 1, millis) } == -1 {
        if io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return 0;
        }
    }
    entry.revents
}

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread until dropped. Threads that are started meanwhile block them permanently.
///
/// Nothing else is done about signals. Their dispositions stay as the parent set them: an ignored signal stays ignored, any
/// other ends the process. Every thread except the writer is started while signals are blocked, and the writer blocks them
/// while it writes to a regular file. A signal then takes effect between two writes, each of whole lines; otherwise the
/// kernel could cut a large write at a page boundary. A write to a pipe can block forever, so signals are not blocked then.
pub struct HeldSignals {
    before: libc::sigset_t,
    _of_this_thread: PhantomData<*const ()>,
}

/// Blocks the signals that end the process, in this thread and those that it starts, until the result is dropped.
pub fn hold_signals() -> HeldSignals {
    let mut set = MaybeUninit::uninit();
    let mut before = MaybeUninit::uninit();
    // SAFETY: sigemptyset initialises `set` and pthread_sigmask initialises `before`; both outlive the calls. The calls
    // cannot fail for valid signal numbers and SIG_BLOCK.
    let before = unsafe {
        libc::sigemptyset(set.as_mut_ptr());
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            libc::sigaddset(set.as_mut_ptr(), signal);
        }
        libc::pthread_sigmask(libc::SIG_BLOCK, set.as_ptr(), before.as_mut_ptr());
        before.assume_init()
    };
    HeldSignals {
        before,
        _of_this_thread: PhantomData,
    }
}

impl Drop for HeldSignals {
    fn drop(&mut self) {
        // SAFETY: `before` is the mask that pthread_sigmask returned for this thread: the type is not Send.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &self.before, ptr::null_mut()) };
    }
}

/// Makes glibc keep freed memory for reuse. `main` calls this before any thread is started.
///
/// Buffers of a fast input are large and short-lived, and are not freed by the thread that allocated them. By default glibc
/// returns them to the system each time: 20,000 page faults per million lines. Under `ulimit -v` all threads share one
/// heap (arena), because an arena per thread would need too much address space. Without a limit each thread has its own:
/// in a shared arena neighbouring objects share cache lines, and two threads took 5 to 10 % more CPU time than one.
pub fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        keep(libc::M_MMAP_THRESHOLD, KEPT_MEMORY);
        keep(libc::M_TRIM_THRESHOLD, KEPT_MEMORY);
        if is_address_space_limited() {
            keep(libc::M_ARENA_MAX, 1);
        }
    }
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep(parameter: i32, value: i32) {
    // SAFETY: mallopt takes two integers, and no other thread is running yet.
    unsafe { libc::mallopt(parameter, value) };
}

/// Returns true if the address space of the process is limited.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn is_address_space_limited() -> bool {
    let mut limit = MaybeUninit::<libc::rlimit>::uninit();
    // SAFETY: `limit` outlives the call; it is read only if getrlimit succeeded, which initialises it.
    unsafe {
        libc::getrlimit(libc::RLIMIT_AS, limit.as_mut_ptr()) != 0
            || limit.assume_init().rlim_cur != libc::RLIM_INFINITY
    }
}

/// Bytes of free memory that glibc keeps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_MEMORY: i32 = 32 << 20;

/// Returns whether this number of bytes of address space is available. Asks the system, because a failed allocation would end the
/// program.
pub fn has_room_for(bytes: usize) -> bool {
    // SAFETY: the system chooses the address of the new private mapping, so it overlaps no memory in use. The mapping is never
    // accessed, and is unmapped with its own address and length.
    unsafe {
        let start = libc::mmap(
            ptr::null_mut(),
            bytes,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_PRIVATE | libc::MAP_ANON,
            -1,
            0,
        );
        start != libc::MAP_FAILED && libc::munmap(start, bytes) == 0
    }
}

/// Returns the CPU time that the calling thread has used.
pub fn thread_time() -> Duration {
    let mut time = MaybeUninit::<libc::timespec>::uninit();
    // SAFETY: clock_gettime fills in `time` where it succeeds, and only then is it read; `time` outlives the call.
    let time = unsafe {
        let result = libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, time.as_mut_ptr());
        assert_eq!(result, 0, "the system has no clock for threads");
        time.assume_init()
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The number of writes in progress that must be complete.
static WHOLE_WRITES: AtomicU32 = AtomicU32::new(0);
/// True once an allocation has failed. The first thread to set it ends the process.
static IS_OUT_OF_MEMORY: AtomicBool = AtomicBool::new(false);

/// A guard for a write that must be complete: [`die_of_memory`] waits until it is dropped, unless the write blocks for long.
pub struct WholeWrite(());

impl WholeWrite {
    /// Begins a write of whole output lines.
    pub fn begin() -> WholeWrite {
        WHOLE_WRITES.fetch_add(1, SeqCst);
        let write = WholeWrite(());
        if IS_ENDING.load(SeqCst) {
            drop(write);
            wait_for_end();
        }
        write
    }
}

impl Drop for WholeWrite {
    fn drop(&mut self) {
        WHOLE_WRITES.fetch_sub(1, SeqCst);
    }
}

/// True once no new write may begin.
static IS_ENDING: AtomicBool = AtomicBool::new(false);
/// The time for the writer to begin writing output that is ready when memory runs out.
const GRACE: Duration = Duration::from_millis(50);
/// The longest time that a write in progress may take then.
const LONGEST_WRITE: Duration = Duration::from_secs(2);

/// Ends the process with status 2 and one message, because an allocation failed. An allocator can call this: it allocates
/// nothing and takes no lock. It gives the writer a moment for output that is ready, and waits for a write in progress. The
/// output then ends with a whole line.
#[cold]
pub fn die_of_memory() -> ! {
    if IS_OUT_OF_MEMORY.swap(true, SeqCst) {
        wait_for_end();
    }
    thread::sleep(GRACE);
    IS_ENDING.store(true, SeqCst);
    let tick = Duration::from_millis(1);
    let mut waited = Duration::ZERO;
    while WHOLE_WRITES.load(SeqCst) > 0 && waited < LONGEST_WRITE {
        thread::sleep(tick);
        waited += tick;
    }
    let message = b"sudoku-filter: out of memory\n";
    // SAFETY: `message` is valid for reads of its length and outlives the call; _exit runs no code of this process.
    unsafe {
        libc::write(2, message.as_ptr().cast(), message.len());
        libc::_exit(2)
    }
}

/// Waits until another thread ends the process.
fn wait_for_end() -> ! {
    loop {
        thread::sleep(LONGEST_WRITE);
    }
}

/// Ends the process by SIGPIPE, as a write to a pipe without a reader ends other filters, even if the parent ignores
/// SIGPIPE.
pub fn die_of_sigpipe() -> ! {
    let mut set = MaybeUninit::uninit();
    // SAFETY: sigemptyset initialises `set`, which outlives the calls. SIG_DFL is a valid disposition, so no handler runs.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
        libc::sigemptyset(set.as_mut_ptr());
        libc::sigaddset(set.as_mut_ptr(), libc::SIGPIPE);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, set.as_ptr(), ptr::null_mut());
        libc::raise(libc::SIGPIPE);
    }
    // Process 1 of a container survives the signal. This is the exit status that a shell reports for it.
    std::process::exit(128 + libc::SIGPIPE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::pipe;

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
        let held = |signal| {
            let mut mask = MaybeUninit::uninit();
            // SAFETY: with a null set pthread_sigmask only initialises `mask`, which outlives the calls.
            unsafe {
                libc::pthread_sigmask(libc::SIG_BLOCK, ptr::null(), mask.as_mut_ptr());
                libc::sigismember(mask.as_ptr(), signal) == 1
            }
        };
        assert!(!held(libc::SIGTERM));
        let guard = hold_signals();
        assert!(held(libc::SIGINT) && held(libc::SIGTERM) && held(libc::SIGHUP));
        assert!(
            std::thread::spawn(move || held(libc::SIGTERM))
                .join()
                .unwrap(),
            "a thread inherits the mask"
        );
        drop(guard);
        assert!(!held(libc::SIGTERM));
    }
}
