//! The NEON level: 8 lanes of 16 bits or 4 lanes of 32. `mod.rs` documents the operations.
// The macros of `instructions.rs` contain unsafe blocks. This file itself has none.
#![allow(unsafe_code)]

use std::arch::aarch64::*;

use bytemuck::{must_cast, must_cast_mut, must_cast_ref};

use super::instructions::{call, methods, run, tokens};
use super::{Counting, LevelToken, Simd};

/// The macro of this level that `instructions.rs` describes.
macro_rules! neon {
    ($macro:ident $($argument:tt)*) => {
        $macro! { ["neon"] NEON $($argument)* }
    };
}

// NEON is a feature of the compilation target, so no check at run time is needed.
neon! { tokens Neon NeonWide "neon" cfg!(target_feature = "neon") }

/// Defines the items of `Simd` that differ only in the names of types and intrinsics. `$overlap`
/// returns all ones in lanes where two sets have a common digit, and 0 in the others.
macro_rules! operations {
    (
        $features:tt $proof:ident $lanes:literal of $lane:ident in $vector:ident: $splat:ident $and:ident $or:ident $and_not:ident $xor:ident
        $choose:ident $add:ident $overlap:ident $is_zero:ident $min:ident $sum:ident
    ) => {
        const LANES: usize = $lanes;
        type V = $vector;
        type Lane = $lane;

        fn run<T>(self, job: impl FnOnce(Self) -> T) -> T {
            neon!(run self, job)
        }
        methods! { $features $proof
            fn splat(digits: $lane) -> $vector {
                $splat(digits)
            }
            fn and(a: $vector, b: $vector) -> $vector {
                $and(a, b)
            }
            fn or(a: $vector, b: $vector) -> $vector {
                $or(a, b)
            }
            fn and_not(a: $vector, b: $vector) -> $vector {
                $and_not(a, b)
            }
            fn majority(a: $vector, b: $vector, c: $vector) -> $vector {
                // Where `a` and `b` differ, `c` decides.
                $choose($xor(a, b), c, a)
            }
            fn single_or_none(set: $vector) -> $vector {
                $and_not(set, $overlap(set, $add(set, $splat($lane::MAX))))
            }
            fn choose_if_overlapping(set: $vector, best: $vector, other: $vector) -> $vector {
                $choose($overlap(set, best), best, other)
            }
            fn ones_where_zero(v: $vector) -> $vector {
                $is_zero(v)
            }
            fn without_least(set: $vector) -> $vector {
                $and(set, $add(set, $splat($lane::MAX)))
            }
            // The shift intrinsics need a constant here, but `by` becomes constant only after
            // inlining. Then a shift of an array compiles to one instruction.
            fn shift_left(set: $vector, by: u32) -> $vector {
                must_cast(must_cast::<_, [$lane; $lanes]>(set).map(|set| set << by))
            }
            fn shift_right(set: $vector, by: u32) -> $vector {
                must_cast(must_cast::<_, [$lane; $lanes]>(set).map(|set| set >> by))
            }
            fn min(a: $vector, b: $vector) -> $vector {
                $min(a, b)
            }
            fn nonzero_lanes(v: $vector) -> u32 {
                let bits = must_cast::<[$lane; $lanes], _>(std::array::from_fn(|lane| 1 << lane));
                $sum($and($overlap(v, v), bits)).into()
            }
            fn from_lanes(lanes: u32) -> $vector {
                let bits = must_cast::<[$lane; $lanes], _>(std::array::from_fn(|lane| 1 << lane));
                $overlap($splat(lanes as $lane), bits)
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

impl Simd for Neon {
    neon! { operations
        8 of u16 in uint16x8_t: vdupq_n_u16 vandq_u16 vorrq_u16 vbicq_u16 veorq_u16
        vbslq_u16 vaddq_u16 vtstq_u16 vceqzq_u16 vminq_u16 vaddvq_u16
    }
}

impl Simd for NeonWide {
    neon! { operations
        4 of u32 in uint32x4_t: vdupq_n_u32 vandq_u32 vorrq_u32 vbicq_u32 veorq_u32
        vbslq_u32 vaddq_u32 vtstq_u32 vceqzq_u32 vminq_u32 vaddvq_u32
    }
}

impl Counting for Neon {
    neon! { methods
        fn count(set: uint16x8_t) -> uint16x8_t {
            vpaddlq_u8(vcntq_u8(must_cast(set)))
        }
        fn subset_if_three(subset: uint16x8_t, set: uint16x8_t) -> uint16x8_t {
            let number = vpaddlq_u8(vcntq_u8(must_cast(subset)));
            vbslq_u16(vcgeq_u16(number, vdupq_n_u16(3)), subset, set)
        }
        fn add(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
            vaddq_u16(a, b)
        }
        fn subtract(a: uint16x8_t, b: uint16x8_t) -> uint16x8_t {
            vsubq_u16(a, b)
        }
        fn multiply(a: uint16x8_t, by: u16) -> uint16x8_t {
            vmulq_n_u16(a, by)
        }
        fn look_up(nibbles: uint16x8_t, table: &[u16; 16]) -> [uint16x8_t; 4] {
            let low: uint8x16_t = must_cast(table.map(|it| it as u8));
            let high: uint8x16_t = must_cast(table.map(|it| (it >> 8) as u8));
            let bytes: uint8x16_t = must_cast(nibbles);
            // The low nibble of each byte (nibbles 0 and 2 of a lane), and the high one (1 and 3).
            let even = vandq_u8(bytes, vdupq_n_u8(15));
            let odd = vshrq_n_u8::<4>(bytes);
            // Looks up one nibble of each byte. Returns the results for the low bytes of the lanes
            // as words, then those for the high bytes.
            let words = |nibbles: uint8x16_t| {
                let [low, high] = [vqtbl1q_u8(low, nibbles), vqtbl1q_u8(high, nibbles)];
                [must_cast(vtrn1q_u8(low, high)), must_cast(vtrn2q_u8(low, high))]
            };
            let ([first, third], [second, fourth]) = (words(even), words(odd));
            [first, second, third, fourth]
        }
        fn look_up_bytes(nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
            let (bytes, table): (uint8x16_t, uint8x16_t) = (must_cast(*nibbles), must_cast(*table));
            let low = vqtbl1q_u8(table, vandq_u8(bytes, vdupq_n_u8(15)));
            let high = vqtbl1q_u8(table, vshrq_n_u8::<4>(bytes));
            must_cast([vzip1q_u8(low, high), vzip2q_u8(low, high)])
        }
        fn differ(given: &[u8; 32], other: &[u8; 32]) -> bool {
            let (given, other): ([uint8x16_t; 2], [uint8x16_t; 2]) = (must_cast(*given), must_cast(*other));
            let [first, second] = [0, 1].map(|half| {
                vbicq_u8(veorq_u8(given[half], other[half]), vceqzq_u8(given[half]))
            });
            vmaxvq_u8(vorrq_u8(first, second)) != 0
        }
        fn zip(a: uint16x8_t, b: uint16x8_t) -> (uint16x8_t, uint16x8_t) {
            (vzip1q_u16(a, b), vzip2q_u16(a, b))
        }
    }
}
