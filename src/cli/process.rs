//! The allocator of the program. If memory runs out, the process ends with a message and status 2 instead of an abort.
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};

use sudoku_filter::die_of_memory;

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
