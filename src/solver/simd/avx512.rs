//! The AVX-512 level: 32 lanes of 16 bits or 16 lanes of 32. It needs F, BW and VL; BITALG (`COUNTS`) counts digits in one
//! instruction. `mod.rs` documents the operations.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::avx2::Avx2;
use super::{Counting, Job, Rows, Simd};

/// Proof that the machine has AVX-512, and BITALG if `COUNTS`, for 32 lanes of 16 bits. Holds the AVX2 token for operations on
/// 256 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512<const COUNTS: bool>(Avx2);

/// Proof that the machine has AVX-512, for 16 lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx512Wide(());

/// Returns whether the machine has every feature of `run_with_base`.
fn has_base() -> bool {
    is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

impl Avx512<false> {
    /// Returns the token if the machine has every feature of `run_with_base`.
    pub fn detect() -> Option<Self> {
        Avx2::detect().filter(|_| has_base()).map(Avx512)
    }

    /// Returns the token of the same level with wider lanes.
    pub fn wide(self) -> Avx512Wide {
        Avx512Wide(())
    }

    /// Returns the token with BITALG, if the machine has it.
    pub fn counting(self) -> Option<Avx512<true>> {
        is_x86_feature_detected!("avx512bitalg").then_some(Avx512(self.0))
    }
}

/// Runs a job. Everything that is inlined into it may use these features.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn run_with_base<S, J: Job<S>>(s: S, job: J) -> J::Answer {
    job.run(s)
}

/// Runs a job. Everything that is inlined into it may use these features, which include BITALG.
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx512bitalg,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn run_with_counts<S, J: Job<S>>(s: S, job: J) -> J::Answer {
    job.run(s)
}

/// Evaluates an expression of AVX-512 instructions in a function that has a token. Never for loads and stores by pointer.
macro_rules! proved {
    ($e:expr) => {
        // SAFETY: only `Avx512::detect` makes an `Avx512<false>`, after it found all features of `run_with_base`. The other
        // tokens are made from one: an `Avx512Wide` by `wide`, an `Avx512<true>` by `counting`, after it found BITALG.
        unsafe { $e }
    };
}

/// Operations that do not depend on the width of a lane.
macro_rules! logic {
    ($lane:ty, $lanes:literal) => {
        #[inline(always)]
        fn and(self, a: __m512i, b: __m512i) -> __m512i {
            proved!(_mm512_and_si512(a, b))
        }
        #[inline(always)]
        fn or(self, a: __m512i, b: __m512i) -> __m512i {
            proved!(_mm512_or_si512(a, b))
        }
        #[inline(always)]
        fn and_not(self, a: __m512i, b: __m512i) -> __m512i {
            proved!(_mm512_andnot_si512(b, a))
        }
        #[inline(always)]
        fn and3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0x80>(a, b, c))
        }
        #[inline(always)]
        fn or3(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0xfe>(a, b, c))
        }
        #[inline(always)]
        fn majority(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0xe8>(a, b, c))
        }
        #[inline(always)]
        fn and_or(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0xe0>(a, b, c))
        }
        #[inline(always)]
        fn and_nor(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0x10>(a, b, c))
        }
        #[inline(always)]
        fn or_and(self, found: __m512i, a: __m512i, b: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0xf8>(found, a, b))
        }
        #[inline(always)]
        fn drop_unless(self, set: __m512i, gone: __m512i, except: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0xb0>(set, gone, except))
        }
        #[inline(always)]
        fn drop_common(self, set: __m512i, a: __m512i, b: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0x70>(set, a, b))
        }
        #[inline(always)]
        fn or_xor(self, found: __m512i, a: __m512i, b: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0xf6>(found, a, b))
        }
        #[inline(always)]
        fn or_and_not(self, found: __m512i, wanted: __m512i, had: __m512i) -> __m512i {
            proved!(_mm512_ternarylogic_epi32::<0xf4>(found, wanted, had))
        }
        #[inline(always)]
        fn lanes(self, v: &__m512i) -> &[$lane] {
            // SAFETY: a vector has the size of `LANES` lanes, a larger alignment, and no invalid bits.
            unsafe { &*std::ptr::from_ref(v).cast::<[$lane; $lanes]>() }
        }
        #[inline(always)]
        fn lanes_mut(self, v: &mut __m512i) -> &mut [$lane] {
            // SAFETY: as in `lanes`; the reference to the vector is exclusive.
            unsafe { &mut *std::ptr::from_mut(v).cast::<[$lane; $lanes]>() }
        }
    };
}

impl<const COUNTS: bool> Simd for Avx512<COUNTS> {
    const LANES: usize = 32;
    type V = __m512i;
    type Lane = u16;

    fn run<J: Job<Self>>(self, job: J) -> J::Answer {
        if COUNTS {
            proved!(run_with_counts(self, job))
        } else {
            proved!(run_with_base(self, job))
        }
    }
    logic!(u16, 32);
    #[inline(always)]
    fn splat(self, digits: u16) -> __m512i {
        proved!(_mm512_set1_epi16(digits as i16))
    }
    #[inline(always)]
    fn single_or_none(self, set: __m512i) -> __m512i {
        proved!({
            let below = _mm512_add_epi16(set, _mm512_set1_epi16(-1));
            _mm512_maskz_mov_epi16(_mm512_testn_epi16_mask(set, below), set)
        })
    }
    #[inline(always)]
    fn intersect_if_overlapping(self, set: __m512i, best: __m512i) -> __m512i {
        proved!({
            let overlap = _mm512_test_epi16_mask(set, best);
            _mm512_mask_mov_epi16(set, overlap, _mm512_and_si512(set, best))
        })
    }
    #[inline(always)]
    fn choose_if_overlapping(self, set: __m512i, best: __m512i, other: __m512i) -> __m512i {
        proved!({
            let overlap = _mm512_test_epi16_mask(set, best);
            _mm512_mask_mov_epi16(other, overlap, best)
        })
    }
    #[inline(always)]
    fn without_least(self, set: __m512i) -> __m512i {
        proved!(_mm512_and_si512(
            set,
            _mm512_add_epi16(set, _mm512_set1_epi16(-1))
        ))
    }
    #[inline(always)]
    fn shift_left(self, set: __m512i, by: u32) -> __m512i {
        proved!(_mm512_sll_epi16(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn shift_right(self, set: __m512i, by: u32) -> __m512i {
        proved!(_mm512_srl_epi16(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        proved!(_mm512_min_epu16(a, b))
    }
    #[inline(always)]
    fn nonzero_lanes(self, v: __m512i) -> u32 {
        proved!(_mm512_test_epi16_mask(v, v))
    }
    #[inline(always)]
    fn from_lanes(self, lanes: u32) -> __m512i {
        proved!(_mm512_maskz_set1_epi16(lanes, -1))
    }
}

impl<const COUNTS: bool> Counting for Avx512<COUNTS> {
    #[inline(always)]
    fn count(self, set: __m512i) -> __m512i {
        if COUNTS {
            return proved!(_mm512_popcnt_epi16(set));
        }
        proved!({
            let of_nibble = _mm512_broadcast_i32x4(_mm_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            ));
            // The shuffle counts bits 0-3 of each byte: digits 1 to 8 (see `DIGIT_BITS`). The shift adds bit 12, digit 9.
            let nibbles = _mm512_shuffle_epi8(of_nibble, set);
            let eight = _mm512_maddubs_epi16(nibbles, _mm512_set1_epi8(1));
            _mm512_add_epi16(eight, _mm512_srli_epi16::<12>(set))
        })
    }
    #[inline(always)]
    fn only_one(self, a: __m512i, b: __m512i, c: __m512i) -> __m512i {
        proved!(_mm512_ternarylogic_epi32::<0x16>(a, b, c))
    }
    #[inline(always)]
    fn choose_if_three(self, number: __m512i, yes: __m512i, no: __m512i) -> __m512i {
        proved!({
            let three = _mm512_cmpeq_epi16_mask(number, _mm512_set1_epi16(3));
            _mm512_mask_mov_epi16(no, three, yes)
        })
    }
    #[inline(always)]
    fn add(self, a: __m512i, b: __m512i) -> __m512i {
        proved!(_mm512_add_epi16(a, b))
    }
    #[inline(always)]
    fn multiply(self, a: __m512i, by: u16) -> __m512i {
        proved!(_mm512_mullo_epi16(a, _mm512_set1_epi16(by as i16)))
    }
    #[inline(always)]
    fn look_up(self, nibbles: __m512i, table: &[u16; 16]) -> [__m512i; 4] {
        // SAFETY: the reference is valid for 32 bytes, and the load needs no alignment. The token proves the instruction.
        let table = unsafe { _mm256_loadu_si256(table.as_ptr().cast()) };
        proved!({
            // An index is the low five bits of a lane. The fifth belongs to the next nibble, so the table is there twice.
            let table = _mm512_broadcast_i64x4(table);
            [
                _mm512_permutexvar_epi16(nibbles, table),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<4>(nibbles), table),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<8>(nibbles), table),
                _mm512_permutexvar_epi16(_mm512_srli_epi16::<12>(nibbles), table),
            ]
        })
    }
    #[inline(always)]
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
        self.0.look_up_bytes(nibbles, table)
    }
    #[inline(always)]
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool {
        self.0.differ(given, other)
    }
    #[inline(always)]
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [u16; 8]) -> [__m512i; 8] {
        let mut rows = [self.splat(0); 8];
        for lane in 0..8 {
            rows[lane] = proved!({
                let rows = _mm512_castsi128_si512(self.0.load_words(row(lane)));
                let rows = _mm512_inserti32x4::<1>(rows, self.0.load_words(row(lane + 8)));
                let rows = _mm512_inserti32x4::<2>(rows, self.0.load_words(row(lane + 16)));
                _mm512_inserti32x4::<3>(rows, self.0.load_words(row(lane + 24)))
            });
        }
        self.transpose(rows)
    }
    #[inline(always)]
    fn rows(self, columns: [__m512i; 8]) -> Rows {
        let mut rows = [[[0; 8]; 4]; 8];
        for (rows, v) in rows.iter_mut().zip(self.transpose(columns)) {
            // SAFETY: `rows` has 64 bytes, and the store needs no alignment. The token proves the instruction.
            unsafe { _mm512_storeu_si512(rows.as_mut_ptr().cast(), v) };
        }
        rows
    }
}

impl<const COUNTS: bool> Avx512<COUNTS> {
    /// Transposes the 8x8 words of each quarter: three perfect shuffles of the 64 words.
    #[inline(always)]
    fn transpose(self, rows: [__m512i; 8]) -> [__m512i; 8] {
        self.shuffle(self.shuffle(self.shuffle(rows)))
    }

    /// Interleaves the words of the first four vectors with those of the last four.
    // Without a loop, because compilers do not always unroll a loop over eight vectors, and then it takes four times as long.
    #[inline(always)]
    fn shuffle(self, [a, b, c, d, e, f, g, h]: [__m512i; 8]) -> [__m512i; 8] {
        let [a, b, c, d] = [
            self.zip(a, e),
            self.zip(b, f),
            self.zip(c, g),
            self.zip(d, h),
        ];
        [a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1]
    }

    /// Interleaves the words of two vectors, in each quarter.
    #[inline(always)]
    fn zip(self, a: __m512i, b: __m512i) -> (__m512i, __m512i) {
        proved!((_mm512_unpacklo_epi16(a, b), _mm512_unpackhi_epi16(a, b)))
    }
}

impl Simd for Avx512Wide {
    const LANES: usize = 16;
    type V = __m512i;
    type Lane = u32;

    fn run<J: Job<Self>>(self, job: J) -> J::Answer {
        proved!(run_with_base(self, job))
    }
    logic!(u32, 16);
    #[inline(always)]
    fn splat(self, digits: u32) -> __m512i {
        proved!(_mm512_set1_epi32(digits as i32))
    }
    #[inline(always)]
    fn single_or_none(self, set: __m512i) -> __m512i {
        proved!({
            let below = _mm512_add_epi32(set, _mm512_set1_epi32(-1));
            _mm512_maskz_mov_epi32(_mm512_testn_epi32_mask(set, below), set)
        })
    }
    #[inline(always)]
    fn intersect_if_overlapping(self, set: __m512i, best: __m512i) -> __m512i {
        proved!({
            let overlap = _mm512_test_epi32_mask(set, best);
            _mm512_mask_and_epi32(set, overlap, set, best)
        })
    }
    #[inline(always)]
    fn choose_if_overlapping(self, set: __m512i, best: __m512i, other: __m512i) -> __m512i {
        proved!({
            let overlap = _mm512_test_epi32_mask(set, best);
            _mm512_mask_mov_epi32(other, overlap, best)
        })
    }
    #[inline(always)]
    fn without_least(self, set: __m512i) -> __m512i {
        proved!(_mm512_and_si512(
            set,
            _mm512_add_epi32(set, _mm512_set1_epi32(-1))
        ))
    }
    #[inline(always)]
    fn shift_left(self, set: __m512i, by: u32) -> __m512i {
        proved!(_mm512_sll_epi32(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn shift_right(self, set: __m512i, by: u32) -> __m512i {
        proved!(_mm512_srl_epi32(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn min(self, a: __m512i, b: __m512i) -> __m512i {
        proved!(_mm512_min_epu32(a, b))
    }
    #[inline(always)]
    fn nonzero_lanes(self, v: __m512i) -> u32 {
        proved!(_mm512_test_epi32_mask(v, v)).into()
    }
    #[inline(always)]
    fn from_lanes(self, lanes: u32) -> __m512i {
        proved!(_mm512_maskz_set1_epi32(lanes as u16, -1))
    }
}
