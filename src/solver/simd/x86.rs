//! The code that the levels of x86-64 share: how a method reaches the instructions, and the operations that differ only in the
//! names of their intrinsics. All unsafe code of these levels is here.
//!
//! A level defines one macro that passes the list of its features to the macros below, so detection and use cannot disagree. It
//! also passes the name of a constant that is true for the tokens that prove these features; other tokens lack it or have false.
//! Intrinsics are called in functions with these target features, where they are safe. Vectors are read from integers and written
//! to them by `bytemuck`, which checks the sizes at compile time.
#![allow(unsafe_code)]

/// Returns whether the machine has all features of a list.
macro_rules! detected {
    ([$($feature:tt)*] $proof:ident) => { $(is_x86_feature_detected!($feature))&&* };
}

/// Calls a function that may use the features of a list, in a method of a token that proves them.
macro_rules! call {
    ([$($feature:tt)*] $proof:ident fn($($argument:ident: $type:ty),*) -> $out:ty $body:block) => {{
        #[target_feature($(enable = $feature),*)]
        #[inline]
        fn instructions($($argument: $type),*) -> $out $body
        assert!(Self::$proof);
        // SAFETY: the caller is a method, and `Self::$proof` says that its `self` proves the features: only `detect` and
        // `counting` make a token from nothing or from a lesser one, after they found all features of the same list.
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
        assert!(Self::$proof);
        // SAFETY: as in `call`.
        unsafe { run_job($token, $job) }
    }};
}

/// Defines methods, of a token that proves the features of a list, whose bodies may use them.
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

/// Defines the items of `Simd` that differ only in the names of types and intrinsics.
macro_rules! operations {
    (
        $features:tt $proof:ident $lanes:literal of $lane:ident as $signed:ident in $vector:ident: $splat:ident $and:ident
        $or:ident $and_not:ident $add:ident $shift_left:ident $shift_right:ident $min:ident
    ) => {
        const LANES: usize = $lanes;
        type V = $vector;
        type Lane = $lane;

        methods! { $features $proof
            fn splat(digits: $lane) -> $vector {
                $splat(digits as $signed)
            }
            fn and(a: $vector, b: $vector) -> $vector {
                $and(a, b)
            }
            fn or(a: $vector, b: $vector) -> $vector {
                $or(a, b)
            }
            fn and_not(a: $vector, b: $vector) -> $vector {
                $and_not(b, a)
            }
            fn without_least(set: $vector) -> $vector {
                $and(set, $add(set, $splat(-1)))
            }
            fn shift_left(set: $vector, by: u32) -> $vector {
                $shift_left(set, _mm_cvtsi32_si128(by as i32))
            }
            fn shift_right(set: $vector, by: u32) -> $vector {
                $shift_right(set, _mm_cvtsi32_si128(by as i32))
            }
            fn min(a: $vector, b: $vector) -> $vector {
                $min(a, b)
            }
        }
        #[inline(always)]
        fn lanes(self, v: &$vector) -> &[$lane] {
            must_cast_ref::<$vector, [$lane; $lanes]>(v)
        }
        #[inline(always)]
        fn lanes_mut(self, v: &mut $vector) -> &mut [$lane] {
            must_cast_mut::<$vector, [$lane; $lanes]>(v)
        }
    };
}

pub(super) use {call, detected, methods, operations, run};

/// Transposes the 8x8 words of each group of eight lanes: three perfect shuffles of the 64 words. `zip` interleaves the words
/// of two vectors in each group.
#[inline(always)]
pub(super) fn transpose<V: Copy>(rows: [V; 8], zip: impl Fn(V, V) -> (V, V) + Copy) -> [V; 8] {
    shuffle(shuffle(shuffle(rows, zip), zip), zip)
}

/// Interleaves the words of the first four vectors with those of the last four.
// Without a loop, because compilers do not always unroll a loop over eight vectors, and then it takes four times as long.
#[inline(always)]
fn shuffle<V>([a, b, c, d, e, f, g, h]: [V; 8], zip: impl Fn(V, V) -> (V, V)) -> [V; 8] {
    let [a, b, c, d] = [zip(a, e), zip(b, f), zip(c, g), zip(d, h)];
    [a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1]
}
