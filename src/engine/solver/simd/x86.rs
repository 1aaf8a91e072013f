//! The code that the levels of x86-64 share: the detection of features, and the operations that
//! differ only in the names of types and intrinsics.

macro_rules! detected {
    ([$($feature:tt)*] $proof:ident) => { $(is_x86_feature_detected!($feature))&&* };
}

/// Defines the items of `Simd` that differ only in the names of types and intrinsics. A level that
/// lacks an intrinsic can pass the name of a function of its own.
macro_rules! operations {
    (
        $features:tt $proof:ident $lanes:literal of $lane:ident as $signed:ident in $vector:ident: $splat:ident $and:ident
        $or:ident $and_not:ident $add:ident $shift_left:ident $shift_right:ident $min:ident
    ) => {
        const LANES: usize = $lanes;
        type V = $vector;
        type Lane = $lane;

        #[inline(always)]
        fn run<T>(self, job: impl FnOnce(Self) -> T) -> T {
            run! { $features $proof self, job }
        }
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
                // The intrinsic complements its first argument.
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

pub(super) use {detected, operations};
