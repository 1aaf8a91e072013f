//! Settings of the system's allocator.
#![allow(unsafe_code)]

/// Makes glibc keep freed memory for reuse. Under `ulimit -v`, also makes all threads share one
/// heap (arena). Does nothing without glibc on Linux.
///
/// Buffers of lines are large and short-lived. By default glibc returns their memory to the system
/// each time, which costs 20,000 page faults per million lines.
///
/// Under `ulimit -v`, an arena for each thread would need too much address space. Without that
/// limit, each thread keeps its own arena: in a shared arena, objects of two threads can share a
/// cache line, and two threads took 5 to 10 % more CPU time than one.
///
/// # Safety
/// No other thread is running: glibc reads these settings without a lock.
pub unsafe fn keep_freed_memory() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        // SAFETY: mallopt takes two integers, and the caller ensures that no thread reads the
        // settings meanwhile.
        let set = |parameter, value| unsafe { nix::libc::mallopt(parameter, value) };
        set(nix::libc::M_MMAP_THRESHOLD, KEPT_MEMORY);
        set(nix::libc::M_TRIM_THRESHOLD, KEPT_MEMORY);
        if is_address_space_limited() {
            set(nix::libc::M_ARENA_MAX, 1);
        }
    }
}

/// The number of free bytes that a heap keeps at its end. Also the size in bytes from which glibc
/// gets a block from mmap instead of a heap.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT_MEMORY: i32 = 32 << 20;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
fn is_address_space_limited() -> bool {
    use nix::sys::resource::{RLIM_INFINITY, Resource, getrlimit};
    getrlimit(Resource::RLIMIT_AS).is_ok_and(|(soft, _)| soft != RLIM_INFINITY)
}
