//! How a method of a token reaches the instructions of its level. All unsafe code of the levels is here.
//!
//! A level defines one macro that passes the list of its features to the macros below, so detection and use cannot disagree. It
//! also passes the name of a constant that is true for the tokens that prove these features; other tokens lack it.
//! Intrinsics are called in functions with these target features, where they are safe. Vectors are read from integers and written
//! to them by `bytemuck`, which checks the sizes at compile time.
#![allow(unsafe_code)]

/// Evaluates a body in a function of its own, which is compiled with the features of a list. For methods of a token that proves
/// them: it has the constant `$proof`.
macro_rules! call {
    ([$($feature:tt)*] $proof:ident fn($($argument:ident: $type:ty),*) -> $out:ty $body:block) => {{
        #[target_feature($(enable = $feature),*)]
        #[inline]
        fn instructions($($argument: $type),*) -> $out $body
        const { assert!(Self::$proof) };
        // SAFETY: the caller is a method of a token, and `Self::$proof` says that such a token proves the features. Only `detect`
        // makes a token from nothing, after it found all features of the same list on this machine. `wide` needs no more features
        // than its token proves.
        unsafe { instructions($($argument),*) }
    }};
}

/// Runs a job in a function whose inlined code may use the features of a list, in a method of a token that proves them.
macro_rules! run {
    ([$($feature:tt)*] $proof:ident $token:ident, $job:ident) => {{
        #[target_feature($(enable = $feature),*)]
        #[inline(never)]
        fn run_job<S, J: Job<S>>(s: S, job: J) -> J::Answer {
            job.run(s)
        }
        const { assert!(Self::$proof) };
        // SAFETY: as in `call`.
        unsafe { run_job($token, $job) }
    }};
}

/// Defines methods of a token that proves the features of a list. Their bodies may use these features.
macro_rules! methods {
    ($features:tt $proof:ident $(
        $(#[$attribute:meta])*
        fn $name:ident($($argument:ident: $type:ty),*) -> $out:ty $body:block
    )*) => {$(
        $(#[$attribute])*
        #[inline(always)]
        fn $name(self $(, $argument: $type)*) -> $out {
            call!($features $proof fn($($argument: $type),*) -> $out $body)
        }
    )*};
}

pub(super) use {call, methods, run};
