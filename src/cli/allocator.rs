//! Settings of the system's allocator.
#![allow(unsafe_code)]

/// Makes glibc keep freed memory for reuse. Under `ulimit -v`, also makes all threads share one
/// heap (arena). Does nothing without glibc on Linux.
///
/// If lines are processed fast, their buffers are large and short-lived, and often another thread
/// frees them than the one that allocated them. By default glibc returns these buffers to the
/// system each time: 20,000 page faults per million lines. Under `ulimit -v`, an arena for each
/// thread would need too much address space. Without `ulimit -v`, threads keep arenas of their own:
/// in a shared arena, adjacent objects of two threads can share a cache line, and two threads took
/// 5 to 10 % more CPU time than one.
///
/// # Safety
/// No other thread is running: glibc reads these settings without a lock.
pub unsafe fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: mallopt takes two integers, and the caller ensures that no thread reads the
        // settings meanwhile.
        let keep = |parameter, value| unsafe { nix::libc::mallopt(parameter, value) };
        keep(nix::libc::M_MMAP_THRESHOLD, KEPT_MEMORY);
        keep(nix::libc::M_TRIM_THRESHOLD, KEPT_MEMORY);
        if is_address_space_limited() {
            keep(nix::libc::M_ARENA_MAX, 1);
        }
    }
}

/// A number of bytes: blocks smaller than this come from a heap, and a heap keeps up to this many
/// free bytes at its end.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_MEMORY: i32 = 32 << 20;

/// Returns true if the address space of the process is limited.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn is_address_space_limited() -> bool {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    getrlimit(Resource::RLIMIT_AS).is_ok_and(|(soft, _)| soft != RLIM_INFINITY)
}
