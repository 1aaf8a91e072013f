//! The AVX2 level: 16 lanes of 16 bits or 8 lanes of 32. `mod.rs` documents the operations.
// The macros of `instructions.rs` contain unsafe blocks. This file itself has none.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use bytemuck::{must_cast, must_cast_mut, must_cast_ref};

use super::instructions::{call, methods, run, tokens};
use super::x86::{detected, operations};
use super::{Counting, LevelToken, POWERS, Simd};

/// The macro of this level that `instructions.rs` describes.
macro_rules! avx2 {
    ($macro:ident $($argument:tt)*) => {
        $macro! { ["avx2" "bmi1" "bmi2" "popcnt" "lzcnt"] AVX2 $($argument)* }
    };
}

avx2! { tokens Avx2 Avx2Wide "avx2" avx2!(detected) }

/// Joins bytes to words: byte i of `low` is the low byte of a word, and byte i of `high` its high
/// byte. Returns the words for even i, then those for odd i.
#[target_feature(enable = "avx2")]
#[inline]
fn zip_bytes(low: __m256i, high: __m256i) -> (__m256i, __m256i) {
    let low_byte = _mm256_set1_epi16(0xff);
    (
        _mm256_or_si256(_mm256_and_si256(low, low_byte), _mm256_slli_epi16::<8>(high)),
        _mm256_or_si256(_mm256_srli_epi16::<8>(low), _mm256_andnot_si256(low_byte, high)),
    )
}

impl Simd for Avx2 {
    avx2! { operations
        16 of u16 as i16 in __m256i: _mm256_set1_epi16 _mm256_and_si256 _mm256_or_si256
        _mm256_andnot_si256 _mm256_add_epi16 _mm256_sll_epi16 _mm256_srl_epi16 _mm256_min_epu16
    }
    avx2! { methods
        fn ones_where_zero(v: __m256i) -> __m256i {
            _mm256_cmpeq_epi16(v, _mm256_setzero_si256())
        }
        fn nonzero_lanes(v: __m256i) -> u32 {
            let zero = _mm256_cmpeq_epi16(v, _mm256_setzero_si256());
            // The instruction packs each half of a vector by itself: lanes 0-7 become bytes 0-7,
            // and lanes 8-15 become bytes 16-23.
            let bytes = _mm256_packs_epi16(zero, _mm256_setzero_si256());
            let mask = _mm256_movemask_epi8(bytes) as u32;
            !(mask | mask >> 8) & 0xffff
        }
        fn from_lanes(lanes: u32) -> __m256i {
            let bits = must_cast(POWERS);
            let chosen = _mm256_and_si256(bits, _mm256_set1_epi16(lanes as i16));
            _mm256_cmpeq_epi16(chosen, bits)
        }
    }
}

impl Counting for Avx2 {
    avx2! { methods
        fn count(set: __m256i) -> __m256i {
            let of_nibble = must_cast([[0_u8, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]; 2]);
            // The shuffle counts bits 0-3 of each byte: digits 1 to 8 (see `DIGIT_BITS`). The shift
            // adds bit 12, digit 9.
            let nibbles = _mm256_shuffle_epi8(of_nibble, set);
            let eight = _mm256_maddubs_epi16(nibbles, _mm256_set1_epi8(1));
            _mm256_add_epi16(eight, _mm256_srli_epi16::<12>(set))
        }
        fn add(a: __m256i, b: __m256i) -> __m256i {
            _mm256_add_epi16(a, b)
        }
        fn subtract(a: __m256i, b: __m256i) -> __m256i {
            _mm256_sub_epi16(a, b)
        }
        fn multiply(a: __m256i, by: u16) -> __m256i {
            _mm256_mullo_epi16(a, _mm256_set1_epi16(by as i16))
        }
        fn look_up(nibbles: __m256i, table: &[u16; 16]) -> [__m256i; 4] {
            let low = must_cast([table.map(|it| it as u8); 2]);
            let high = must_cast([table.map(|it| (it >> 8) as u8); 2]);
            let nibble = _mm256_set1_epi8(15);
            // The low nibble of each byte (nibbles 0 and 2 of a lane), and the high one (1 and 3).
            let even = _mm256_and_si256(nibbles, nibble);
            let odd = _mm256_and_si256(_mm256_srli_epi16::<4>(nibbles), nibble);
            let (first, third) =
                zip_bytes(_mm256_shuffle_epi8(low, even), _mm256_shuffle_epi8(high, even));
            let (second, fourth) =
                zip_bytes(_mm256_shuffle_epi8(low, odd), _mm256_shuffle_epi8(high, odd));
            [first, second, third, fourth]
        }
        fn look_up_bytes(nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
            // Spreads the two nibbles of each byte over two bytes.
            let pairs = _mm256_cvtepu8_epi16(must_cast(*nibbles));
            let pairs = _mm256_or_si256(pairs, _mm256_slli_epi16::<4>(pairs));
            let places = _mm256_and_si256(pairs, _mm256_set1_epi8(15));
            must_cast(_mm256_shuffle_epi8(must_cast([*table; 2]), places))
        }
        fn differ(given: &[u8; 32], other: &[u8; 32]) -> bool {
            let (given, other) = (must_cast(*given), must_cast(*other));
            let blank = _mm256_cmpeq_epi8(given, _mm256_setzero_si256());
            // `testc` returns 1 if all bits of the second operand are also in the first.
            _mm256_testc_si256(blank, _mm256_xor_si256(given, other)) == 0
        }
        fn zip(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
            (_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b))
        }
    }
}

impl Simd for Avx2Wide {
    avx2! { operations
        8 of u32 as i32 in __m256i: _mm256_set1_epi32 _mm256_and_si256 _mm256_or_si256
        _mm256_andnot_si256 _mm256_add_epi32 _mm256_sll_epi32 _mm256_srl_epi32 _mm256_min_epu32
    }
    avx2! { methods
        fn ones_where_zero(v: __m256i) -> __m256i {
            _mm256_cmpeq_epi32(v, _mm256_setzero_si256())
        }
        fn nonzero_lanes(v: __m256i) -> u32 {
            let zero = _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
            !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u32 & 0xff
        }
        fn from_lanes(lanes: u32) -> __m256i {
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let chosen = _mm256_and_si256(bits, _mm256_set1_epi32(lanes as i32));
            _mm256_cmpeq_epi32(chosen, bits)
        }
    }
}
