//! The memory of the program: the settings of the system's allocator, and the end of the process if memory runs out.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use sudoku_filter::program::stop_writes;

/// The system's allocator, except that a failed allocation ends the process.
// Stable Rust has no hook for failed allocations, and an allocator must not unwind.
struct OrDie;

#[global_allocator]
static ALLOCATOR: OrDie = OrDie;

#[inline(always)]
fn or_die(start: *mut u8) -> *mut u8 {
    if start.is_null() {
        die_of_memory();
    }
    start
}

// SAFETY: each method passes its arguments to `System` unchanged, and returns its result unless that is null.
unsafe impl GlobalAlloc for OrDie {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc`, which is the same.
        or_die(unsafe { System.alloc(layout) })
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `alloc_zeroed`, which is the same.
        or_die(unsafe { System.alloc_zeroed(layout) })
    }

    #[inline]
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller keeps the contract of `realloc`, which is the same: `start` came from `System`.
        or_die(unsafe { System.realloc(start, layout, new_size) })
    }

    #[inline]
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, which is the same: `start` came from `System`.
        unsafe { System.dealloc(start, layout) }
    }
}

/// Ends the process with status 2 and one message, because an allocation failed. Allocates nothing and takes no lock. The output
/// ends with a whole line.
#[cold]
fn die_of_memory() -> ! {
    /// True once an allocation has failed. The first thread to set it ends the process.
    static IS_OUT_OF_MEMORY: AtomicBool = AtomicBool::new(false);
    if IS_OUT_OF_MEMORY.swap(true, SeqCst) {
        loop {
            thread::sleep(Duration::from_secs(1));
        }
    }
    stop_writes();
    let _ = nix::unistd::write(io::stderr(), b"sudoku-filter: out of memory\n");
    // SAFETY: _exit runs no code of this process.
    unsafe { nix::libc::_exit(2) }
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
        keep(nix::libc::M_MMAP_THRESHOLD, KEPT_MEMORY);
        keep(nix::libc::M_TRIM_THRESHOLD, KEPT_MEMORY);
        if is_address_space_limited() {
            keep(nix::libc::M_ARENA_MAX, 1);
        }
    }
}

/// Bytes of free memory that glibc keeps.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_MEMORY: i32 = 32 << 20;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn keep(parameter: i32, value: i32) {
    // SAFETY: mallopt takes two integers, and no other thread is running yet.
    unsafe { nix::libc::mallopt(parameter, value) };
}

/// Returns true if the address space of the process is limited.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn is_address_space_limited() -> bool {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    getrlimit(Resource::RLIMIT_AS).is_ok_and(|(soft, _)| soft != RLIM_INFINITY)
}
