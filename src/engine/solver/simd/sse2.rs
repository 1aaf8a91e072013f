//! The portable level of x86-64, where every machine has SSE2: 8 lanes of 16 bits or 4 lanes of 32.
//! `mod.rs` documents the operations.
//!
//! Tried: the arrays of `portable.rs` here too. The compiler turns most loops over lanes into
//! vector instructions, but not all: 16x16 took 1.4 times as long, antiknight 1.3 times, classic
//! puzzles 2 to 5 % more.
// The macros of `instructions.rs` contain unsafe blocks. This file itself has none.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use bytemuck::{must_cast, must_cast_mut, must_cast_ref};

use super::instructions::{call, methods, run, tokens};
use super::x86::{detected, operations};
use super::{Counting, LevelToken, Simd};

/// The macro of this level that `instructions.rs` describes.
macro_rules! sse2 {
    ($macro:ident $($argument:tt)*) => {
        $macro! { ["sse2"] SSE2 $($argument)* }
    };
}

sse2! { tokens Sse2 Sse2Wide "portable" sse2!(detected) }

/// Returns the minimum of unsigned words, for which SSE2 has no instruction. It has a subtraction
/// that stops at 0, and min(a, b) is a - max(a - b, 0).
#[target_feature(enable = "sse2")]
#[inline]
fn min_epu16(a: __m128i, b: __m128i) -> __m128i {
    _mm_sub_epi16(a, _mm_subs_epu16(a, b))
}

/// Returns the minimum of numbers below 2^31, for which a signed comparison is right.
#[target_feature(enable = "sse2")]
#[inline]
fn min_epi32(a: __m128i, b: __m128i) -> __m128i {
    let is_less = _mm_cmplt_epi32(a, b);
    _mm_or_si128(_mm_and_si128(is_less, a), _mm_andnot_si128(is_less, b))
}

impl Simd for Sse2 {
    sse2! { operations
        8 of u16 as i16 in __m128i: _mm_set1_epi16 _mm_and_si128 _mm_or_si128
        _mm_andnot_si128 _mm_add_epi16 _mm_sll_epi16 _mm_srl_epi16 min_epu16
    }
    sse2! { methods
        fn ones_where_zero(v: __m128i) -> __m128i {
            _mm_cmpeq_epi16(v, _mm_setzero_si128())
        }
        fn nonzero_lanes(v: __m128i) -> u32 {
            let zero = _mm_cmpeq_epi16(v, _mm_setzero_si128());
            !_mm_movemask_epi8(_mm_packs_epi16(zero, zero)) as u32 & 0xff
        }
        fn from_lanes(lanes: u32) -> __m128i {
            let bits = _mm_setr_epi16(1, 2, 4, 8, 16, 32, 64, 128);
            let chosen = _mm_and_si128(bits, _mm_set1_epi16(lanes as i16));
            _mm_cmpeq_epi16(chosen, bits)
        }
    }
}

impl Counting for Sse2 {
    const HAS_LOOK_UP: bool = false;

    sse2! { methods
        fn count(set: __m128i) -> __m128i {
            // Adds adjacent bits, then pairs. Then nibble 0 counts bits 0-3, nibble 2 counts bits
            // 8-11, and nibble 3 is bit 12. The product has the sum of the three in nibble 3.
            let odd = _mm_and_si128(_mm_srli_epi16::<1>(set), _mm_set1_epi16(0x0505));
            let pairs = _mm_sub_epi16(set, odd);
            let nibbles = _mm_add_epi16(
                _mm_and_si128(pairs, _mm_set1_epi16(0x1303)),
                _mm_and_si128(_mm_srli_epi16::<2>(pairs), _mm_set1_epi16(0x0303)),
            );
            _mm_srli_epi16::<12>(_mm_mullo_epi16(nibbles, _mm_set1_epi16(0x1011)))
        }
        fn lesser_set(a: __m128i, b: __m128i) -> __m128i {
            // The signed minimum: no set is a negative number.
            _mm_min_epi16(a, b)
        }
        fn add(a: __m128i, b: __m128i) -> __m128i {
            _mm_add_epi16(a, b)
        }
        fn subtract(a: __m128i, b: __m128i) -> __m128i {
            _mm_sub_epi16(a, b)
        }
        fn multiply(a: __m128i, by: u16) -> __m128i {
            _mm_mullo_epi16(a, _mm_set1_epi16(by as i16))
        }
        fn power_of_two(exponent: __m128i) -> __m128i {
            // SSE2 cannot shift each lane by its own number. Makes floating-point numbers with
            // these exponents instead.
            let exponent = _mm_and_si128(exponent, _mm_set1_epi16(15));
            let powers = |exponent| {
                let bits = _mm_slli_epi32::<23>(_mm_add_epi32(exponent, _mm_set1_epi32(127)));
                _mm_cvttps_epi32(_mm_castsi128_ps(bits))
            };
            let [low, high] = [
                powers(_mm_unpacklo_epi16(exponent, _mm_setzero_si128())),
                powers(_mm_unpackhi_epi16(exponent, _mm_setzero_si128())),
            ];
            // The packing saturates numbers outside the range of a signed word, such as 2^15. With
            // the sign of the low word extended, none is outside.
            let word = |power| _mm_srai_epi32::<16>(_mm_slli_epi32::<16>(power));
            _mm_packs_epi32(word(low), word(high))
        }
        fn logarithm(power: __m128i) -> __m128i {
            // Converts each power to a floating-point number and reads its exponent field: 127 for
            // 2^0, and 0 for 0.
            let exponents = |power| _mm_srli_epi32::<23>(_mm_castps_si128(_mm_cvtepi32_ps(power)));
            let [low, high] = [
                exponents(_mm_unpacklo_epi16(power, _mm_setzero_si128())),
                exponents(_mm_unpackhi_epi16(power, _mm_setzero_si128())),
            ];
            _mm_subs_epu16(_mm_packs_epi32(low, high), _mm_set1_epi16(127))
        }
        fn look_up(nibbles: __m128i, table: &[u16; 16]) -> [__m128i; 4] {
            let nibbles: [u16; 8] = must_cast(nibbles);
            [0, 4, 8, 12].map(|by| must_cast(nibbles.map(|it| table[usize::from(it >> by & 15)])))
        }
        fn look_up_bytes(nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
            std::array::from_fn(|i| table[usize::from(nibbles[i / 4] >> (i % 4 * 4) & 15)])
        }
        fn differ(given: &[u8; 32], other: &[u8; 32]) -> bool {
            let (given, other): ([__m128i; 2], [__m128i; 2]) = (must_cast(*given), must_cast(*other));
            let [first, second] = [0, 1].map(|half| {
                let blank = _mm_cmpeq_epi8(given[half], _mm_setzero_si128());
                _mm_or_si128(blank, _mm_cmpeq_epi8(given[half], other[half]))
            });
            _mm_movemask_epi8(_mm_and_si128(first, second)) != 0xffff
        }
        fn zip(a: __m128i, b: __m128i) -> (__m128i, __m128i) {
            (_mm_unpacklo_epi16(a, b), _mm_unpackhi_epi16(a, b))
        }
    }
}

impl Simd for Sse2Wide {
    sse2! { operations
        4 of u32 as i32 in __m128i: _mm_set1_epi32 _mm_and_si128 _mm_or_si128
        _mm_andnot_si128 _mm_add_epi32 _mm_sll_epi32 _mm_srl_epi32 min_epi32
    }
    sse2! { methods
        fn ones_where_zero(v: __m128i) -> __m128i {
            _mm_cmpeq_epi32(v, _mm_setzero_si128())
        }
        fn nonzero_lanes(v: __m128i) -> u32 {
            let zero = _mm_cmpeq_epi32(v, _mm_setzero_si128());
            !_mm_movemask_ps(_mm_castsi128_ps(zero)) as u32 & 0xf
        }
        fn from_lanes(lanes: u32) -> __m128i {
            let bits = _mm_setr_epi32(1, 2, 4, 8);
            let chosen = _mm_and_si128(bits, _mm_set1_epi32(lanes as i32));
            _mm_cmpeq_epi32(chosen, bits)
        }
    }
}
