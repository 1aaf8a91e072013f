//! Macros with which the methods of a token use the instructions of its level. All unsafe code of
//! the levels is here.
//!
//! A level with intrinsics defines one macro that passes the list of its features to the macros
//! below, and on x86-64 also to `detected` (`x86.rs`), so detection and use cannot disagree. It
//! also passes the name of a constant that is true for the tokens that prove these features; other
//! tokens lack it. `tokens` defines such tokens; AVX-512 defines its own, because one holds the
//! token of AVX2.
//!
//! The intrinsics are called in functions with these target features, where the calls are safe.
//! `bytemuck` converts between vectors and arrays of integers, and checks the sizes at compile
//! time.
#![allow(unsafe_code)]

/// Evaluates `$body` in a function that is compiled with the listed features. Compiles only in
/// methods of a token with the constant `$proof`: such a token proves these features.
macro_rules! call {
    ([$($feature:tt)*] $proof:ident fn($($argument:ident: $type:ty),*) -> $out:ty $body:block) => {{
        #[target_feature($(enable = $feature),*)]
        #[inline]
        fn instructions($($argument: $type),*) -> $out $body
        const { assert!(Self::$proof) };
        // SAFETY: the caller is a method of a token, and `Self::$proof` says that such a token
        // proves the features. Only `detect` makes a token from nothing, after it found all
        // features of the same list on this machine. `wide` makes a token from one that proves the
        // same features.
        unsafe { instructions($($argument),*) }
    }};
}

/// Defines the two tokens of a level that prove the listed features, for lanes of 16 and of 32
/// bits, and implements `LevelToken`. `$found` must be true only on a machine with these features.
macro_rules! tokens {
    ($features:tt $proof:ident $level:ident $wide:ident $name:literal $found:expr) => {
        /// Proof that the machine has the features of the level, for lanes of 16 bits.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $level(());

        /// Proof that the machine has the features of the level, for lanes of 32 bits.
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $wide(());

        impl $level {
            const $proof: bool = true;
        }

        impl $wide {
            const $proof: bool = true;
        }

        impl LevelToken for $level {
            const NAME: &'static str = $name;
            type Wide = $wide;

            fn detect() -> Option<Self> {
                $found.then_some($level(()))
            }
            fn wide(self) -> $wide {
                $wide(())
            }
        }
    };
}

/// Runs a job in a function that is compiled with the listed features. Code that is inlined into
/// the job can use them too. Compiles only in methods of a token with the constant `$proof`.
macro_rules! run {
    ([$($feature:tt)*] $proof:ident $token:ident, $job:ident) => {{
        #[target_feature($(enable = $feature),*)]
        #[inline(never)]
        fn run_job<S, T>(s: S, job: impl FnOnce(S) -> T) -> T {
            job(s)
        }
        const { assert!(Self::$proof) };
        // SAFETY: as in `call`.
        unsafe { run_job($token, $job) }
    }};
}

/// Defines methods of a token that proves the listed features. Their bodies can use these features.
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

pub(super) use {call, methods, run, tokens};
