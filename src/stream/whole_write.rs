//! Writes that must be complete before the process ends. Lets an allocator end the process between two of them.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

/// The number of writes in progress that must be complete.
static WHOLE_WRITES: AtomicU32 = AtomicU32::new(0);
/// True once no new write may begin.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// A guard for a write that must be complete: [`stop_writes`] waits until it is dropped, unless the write blocks for long.
pub struct WholeWrite(());

impl WholeWrite {
    /// Begins a write of whole output lines. Never returns after [`stop_writes`].
    pub fn begin() -> WholeWrite {
        WHOLE_WRITES.fetch_add(1, SeqCst);
        let write = WholeWrite(());
        if IS_ENDING.load(SeqCst) {
            drop(write);
            loop {
                thread::sleep(LONGEST_WRITE);
            }
        }
        write
    }
}

impl Drop for WholeWrite {
    fn drop(&mut self) {
        WHOLE_WRITES.fetch_sub(1, SeqCst);
    }
}

/// The time for the writer to begin writing output that is ready.
const GRACE: Duration = Duration::from_millis(50);
/// The longest time that a write in progress may take.
const LONGEST_WRITE: Duration = Duration::from_secs(2);

/// Stops the writing of output lines, for a process that is about to end because memory ran out. An allocator can call this: it
/// allocates nothing and takes no lock. It gives the writer a moment for output that is ready, and waits for a write in
/// progress. The output then ends with a whole line.
#[cold]
pub fn stop_writes() {
    thread::sleep(GRACE);
    IS_ENDING.store(true, SeqCst);
    let tick = Duration::from_millis(1);
    let mut waited = Duration::ZERO;
    while WHOLE_WRITES.load(SeqCst) > 0 && waited < LONGEST_WRITE {
        thread::sleep(tick);
        waited += tick;
    }
}
