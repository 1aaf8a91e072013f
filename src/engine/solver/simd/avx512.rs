//! The AVX-512 level: 32 lanes of 16 bits or 16 lanes of 32. It needs AVX-512 F, BW and VL, and all
//! that the AVX2 level needs. `mod.rs` documents the operations.
//!
//! Tried: a second copy of all code for bands, which counts digits with the instructions of BITALG
//! where a machine has them. Only 1 to 2 % faster.
// The macros of `instructions.rs` contain unsafe blocks. This file itself has none.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use bytemuck::{must_cast, must_cast_mut, must_cast_ref};

use super::avx2::Avx2;
use super::instructions::{call, methods, run};
use super::x86::{detected, operations};
use super::{Counting, LevelToken, Simd};

/// Proof of AVX-512, for 32 lanes of 16 bits. Holds the AVX2 token for operations on 256 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512(Avx2);

/// Proof that the machine has AVX-512, for 16 lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512Wide(());

/// The macro of this level that `instructions.rs` describes.
macro_rules! avx512 {
    ($macro:ident $($argument:tt)*) => {
        $macro! { ["avx512f" "avx512bw" "avx512vl" "bmi1" "bmi2" "popcnt" "lzcnt"] AVX512 $($argument)* }
    };
}

impl LevelToken for Avx512 {
    const NAME: &'static str = "avx512";
    type Wide = Avx512Wide;

    fn detect() -> Option<Self> {
        Avx2::detect().filter(|_| avx512!(detected)).map(Avx512)
    }
    fn wide(self) -> Avx512Wide {
        Avx512Wide(())
    }
}

impl Avx512Wide {
    const AVX512: bool = true;
}

impl Avx512 {
    const AVX512: bool = true;
}

/// The truth tables of the three operands of the ternary logic instruction. An expression in these
/// constants is the truth table of the same expression in the operands: the immediate value that
/// selects the function. The compiler itself uses this instruction for methods of two operations,
/// but not for longer ones, such as `majority`.
const A: i32 = 0xf0;
const B: i32 = 0xcc;
const C: i32 = 0xaa;

impl Simd for Avx512 {
    avx512! { operations
        32 of u16 as i16 in __m512i: _mm512_set1_epi16 _mm512_and_si512 _mm512_or_si512
        _mm512_andnot_si512 _mm512_add_epi16 _mm512_sll_epi16 _mm512_srl_epi16 _mm512_min_epu16
    }
    avx512! { methods
        fn majority(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            _mm512_ternarylogic_epi32::<{ A & B | C & (A | B) }>(a, b, c)
        }
        fn ones_where_zero(v: __m512i) -> __m512i {
            _mm512_movm_epi16(_mm512_testn_epi16_mask(v, v))
        }
        fn choose_if_overlapping(set: __m512i, best: __m512i, other: __m512i) -> __m512i {
            _mm512_mask_mov_epi16(other, _mm512_test_epi16_mask(set, best), best)
        }
        fn nonzero_lanes(v: __m512i) -> u32 {
            _mm512_test_epi16_mask(v, v)
        }
        fn from_lanes(lanes: u32) -> __m512i {
            _mm512_movm_epi16(lanes)
        }
    }
}

impl Counting for Avx512 {
    avx512! { methods
        fn in_exactly_one(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            _mm512_ternarylogic_epi32::<{ (A ^ B ^ C) & !(A & B & C) }>(a, b, c)
        }
        fn count(set: __m512i) -> __m512i {
            let of_nibble = must_cast([[0_u8, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4]; 4]);
            // As in `avx2.rs`.
            let nibbles = _mm512_shuffle_epi8(of_nibble, set);
            let eight = _mm512_maddubs_epi16(nibbles, _mm512_set1_epi8(1));
            _mm512_add_epi16(eight, _mm512_srli_epi16::<12>(set))
        }
        fn subset_if_three(subset: __m512i, set: __m512i) -> __m512i {
            let less_one = |set| _mm512_add_epi16(set, _mm512_set1_epi16(-1));
            let others = _mm512_and_si512(subset, less_one(subset));
            let has_three = _mm512_test_epi16_mask(others, less_one(others));
            _mm512_mask_mov_epi16(set, has_three, subset)
        }
        fn add(a: __m512i, b: __m512i) -> __m512i {
            _mm512_add_epi16(a, b)
        }
        fn subtract(a: __m512i, b: __m512i) -> __m512i {
            _mm512_sub_epi16(a, b)
        }
        fn multiply(a: __m512i, by: u16) -> __m512i {
            _mm512_mullo_epi16(a, _mm512_set1_epi16(by as i16))
        }
        fn look_up(nibbles: __m512i, table: &[u16; 16]) -> [__m512i; 4] {
            // The instruction uses the low five bits of a lane as an index. The fifth bit is not
            // part of the nibble, so the vector holds the table twice.
            let table = must_cast([*table; 2]);
            [
                _mm512_permutexvar_epi16(nibbles, table),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<4>(nibbles), table),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<8>(nibbles), table),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<12>(nibbles), table),
            ]
        }
        fn zip(a: __m512i, b: __m512i) -> (__m512i, __m512i) {
            (_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b))
        }
    }
    #[inline(always)]
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
        self.0.look_up_bytes(nibbles, table)
    }
    #[inline(always)]
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool {
        self.0.differ(given, other)
    }
}

impl Simd for Avx512Wide {
    avx512! { operations
        16 of u32 as i32 in __m512i: _mm512_set1_epi32 _mm512_and_si512 _mm512_or_si512
        _mm512_andnot_si512 _mm512_add_epi32 _mm512_sll_epi32 _mm512_srl_epi32 _mm512_min_epu32
    }
    avx512! { methods
        fn majority(a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            _mm512_ternarylogic_epi32::<{ A & B | C & (A | B) }>(a, b, c)
        }
        fn ones_where_zero(v: __m512i) -> __m512i {
            _mm512_maskz_set1_epi32(_mm512_testn_epi32_mask(v, v), -1)
        }
        fn choose_if_overlapping(set: __m512i, best: __m512i, other: __m512i) -> __m512i {
            _mm512_mask_mov_epi32(other, _mm512_test_epi32_mask(set, best), best)
        }
        fn nonzero_lanes(v: __m512i) -> u32 {
            _mm512_test_epi32_mask(v, v).into()
        }
        fn from_lanes(lanes: u32) -> __m512i {
            _mm512_maskz_set1_epi32(lanes as u16, -1)
        }
    }
}
