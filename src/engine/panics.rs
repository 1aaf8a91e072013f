//! Turns panics into errors.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

use crate::error::Error;

/// Runs `work` and returns its result, or [`Error::Internal`] if it panics. The error names the
/// place of the panic only if the program has called [`install_hook`]. Calls can be nested.
pub fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Error> {
    let was_guarded = GUARDED.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    GUARDED.set(was_guarded);
    result.map_err(|_| Error::Internal { place: PLACE.take() })
}

thread_local! {
    /// True while this thread is inside [`guarded`].
    static GUARDED: Cell<bool> = const { Cell::new(false) };
    /// The source location and the message of the last panic that [`record_panic`] recorded on this
    /// thread. Empty after [`guarded`] has taken it.
    static PLACE: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Records the place and the message of a panic inside [`guarded`], and returns true. For other
/// panics, returns false.
fn record_panic(info: &PanicHookInfo<'_>) -> bool {
    let (true, Some(at)) = (GUARDED.get(), info.location()) else {
        return false;
    };
    // The payload of `panic!` is a `&str` if the message has no arguments, otherwise a `String`.
    let payload = info.payload();
    let formatted = payload.downcast_ref::<String>().map(String::as_str);
    let text = formatted.or_else(|| payload.downcast_ref::<&str>().copied());
    let message = text.map_or(String::new(), |text| format!(": {text}"));
    PLACE.set(format!("{}:{}{message}", at.file(), at.line()));
    true
}

/// Installs a hook, once, that records panics inside [`guarded`]; std's hook prints all others. Only
/// programs and tests call this: hooks belong to the process.
pub fn install_hook() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let default_hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !record_panic(info) {
                default_hook(info);
            }
        }));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_with_its_place() {
        install_hook();
        let line = line!() + 1;
        let error = guarded(|| panic!("on purpose")).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("internal error at src/engine/panics.rs:{line}: on purpose")
        );
        assert_eq!(guarded(|| 1).unwrap(), 1);
    }
}
