//! The AVX2 level: 16 lanes of 16 bits or 8 lanes of 32. `mod.rs` documents the operations.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Counting, Job, Rows, Simd};

/// Proof that the machine has AVX2, for 16 lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Proof that the machine has AVX2, for 8 lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2Wide(());

impl Avx2 {
    /// Returns the token if the machine has every feature of `run_with_avx2`.
    pub fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        all.then_some(Avx2(()))
    }

    /// Returns the token of the same level with wider lanes.
    pub fn wide(self) -> Avx2Wide {
        Avx2Wide(())
    }
}

/// Runs a job. Everything that is inlined into it may use these features.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn run_with_avx2<S, J: Job<S>>(s: S, job: J) -> J::Answer {
    job.run(s)
}

/// Evaluates an expression of AVX2 instructions in a function that has a token. Never for loads and stores by pointer.
macro_rules! proved {
    ($e:expr) => {
        // SAFETY: only `Avx2::detect` makes an `Avx2`, after it found all features of `run_with_avx2`; only `Avx2::wide` makes
        // an `Avx2Wide`.
        unsafe { $e }
    };
}

impl Avx2 {
    #[inline(always)]
    fn load_bytes(self, bytes: &[u8; 16]) -> __m128i {
        // SAFETY: the reference is valid for 16 bytes, and the load needs no alignment. The token proves the instruction.
        unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
    }

    #[inline(always)]
    pub fn load_words(self, words: &[u16; 8]) -> __m128i {
        // SAFETY: the reference is valid for 16 bytes, and the load needs no alignment. The token proves the instruction.
        unsafe { _mm_loadu_si128(words.as_ptr().cast()) }
    }

    #[inline(always)]
    fn load_block(self, bytes: &[u8; 32]) -> __m256i {
        // SAFETY: the reference is valid for 32 bytes, and the load needs no alignment. The token proves the instruction.
        unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
    }
}

/// Operations that do not depend on the width of a lane.
macro_rules! logic {
    ($lane:ty, $lanes:literal) => {
        fn run<J: Job<Self>>(self, job: J) -> J::Answer {
            proved!(run_with_avx2(self, job))
        }
        #[inline(always)]
        fn and(self, a: __m256i, b: __m256i) -> __m256i {
            proved!(_mm256_and_si256(a, b))
        }
        #[inline(always)]
        fn or(self, a: __m256i, b: __m256i) -> __m256i {
            proved!(_mm256_or_si256(a, b))
        }
        #[inline(always)]
        fn and_not(self, a: __m256i, b: __m256i) -> __m256i {
            proved!(_mm256_andnot_si256(b, a))
        }
        #[inline(always)]
        fn and3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            self.and(self.and(a, b), c)
        }
        #[inline(always)]
        fn or3(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            self.or(self.or(a, b), c)
        }
        #[inline(always)]
        fn majority(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            self.or(self.and(a, b), self.and(c, self.or(a, b)))
        }
        #[inline(always)]
        fn and_or(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            self.and(a, self.or(b, c))
        }
        #[inline(always)]
        fn and_nor(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            self.and_not(a, self.or(b, c))
        }
        #[inline(always)]
        fn or_and(self, found: __m256i, a: __m256i, b: __m256i) -> __m256i {
            self.or(found, self.and(a, b))
        }
        #[inline(always)]
        fn drop_unless(self, set: __m256i, gone: __m256i, except: __m256i) -> __m256i {
            self.and_not(set, self.and_not(gone, except))
        }
        #[inline(always)]
        fn drop_common(self, set: __m256i, a: __m256i, b: __m256i) -> __m256i {
            self.and_not(set, self.and(a, b))
        }
        #[inline(always)]
        fn or_xor(self, found: __m256i, a: __m256i, b: __m256i) -> __m256i {
            self.or(found, proved!(_mm256_xor_si256(a, b)))
        }
        #[inline(always)]
        fn or_and_not(self, found: __m256i, wanted: __m256i, had: __m256i) -> __m256i {
            self.or(found, self.and_not(wanted, had))
        }
        #[inline(always)]
        fn lanes(self, v: &__m256i) -> &[$lane] {
            // SAFETY: a vector has the size of `LANES` lanes, a larger alignment, and no invalid bits.
            unsafe { &*std::ptr::from_ref(v).cast::<[$lane; $lanes]>() }
        }
        #[inline(always)]
        fn lanes_mut(self, v: &mut __m256i) -> &mut [$lane] {
            // SAFETY: as in `lanes`; the reference to the vector is exclusive.
            unsafe { &mut *std::ptr::from_mut(v).cast::<[$lane; $lanes]>() }
        }
    };
}

impl Simd for Avx2 {
    const LANES: usize = 16;
    type V = __m256i;
    type Lane = u16;

    logic!(u16, 16);
    #[inline(always)]
    fn splat(self, digits: u16) -> __m256i {
        proved!(_mm256_set1_epi16(digits as i16))
    }
    #[inline(always)]
    fn single_or_none(self, set: __m256i) -> __m256i {
        proved!({
            let others = _mm256_and_si256(set, _mm256_add_epi16(set, _mm256_set1_epi16(-1)));
            _mm256_and_si256(set, _mm256_cmpeq_epi16(others, _mm256_setzero_si256()))
        })
    }
    #[inline(always)]
    fn intersect_if_overlapping(self, set: __m256i, best: __m256i) -> __m256i {
        proved!({
            let common = _mm256_and_si256(set, best);
            let disjoint = _mm256_cmpeq_epi16(common, _mm256_setzero_si256());
            _mm256_or_si256(common, _mm256_and_si256(set, disjoint))
        })
    }
    #[inline(always)]
    fn choose_if_overlapping(self, set: __m256i, best: __m256i, other: __m256i) -> __m256i {
        proved!({
            let common = _mm256_and_si256(set, best);
            let disjoint = _mm256_cmpeq_epi16(common, _mm256_setzero_si256());
            _mm256_or_si256(best, _mm256_and_si256(other, disjoint))
        })
    }
    #[inline(always)]
    fn without_least(self, set: __m256i) -> __m256i {
        proved!(_mm256_and_si256(
            set,
            _mm256_add_epi16(set, _mm256_set1_epi16(-1))
        ))
    }
    #[inline(always)]
    fn shift_left(self, set: __m256i, by: u32) -> __m256i {
        proved!(_mm256_sll_epi16(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn shift_right(self, set: __m256i, by: u32) -> __m256i {
        proved!(_mm256_srl_epi16(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        proved!(_mm256_min_epu16(a, b))
    }
    #[inline(always)]
    fn nonzero_lanes(self, v: __m256i) -> u32 {
        proved!({
            let zero = _mm256_cmpeq_epi16(v, _mm256_setzero_si256());
            let bytes = _mm256_packs_epi16(zero, _mm256_setzero_si256());
            let mask = _mm256_movemask_epi8(bytes) as u32;
            !(mask | mask >> 8) & 0xffff
        })
    }
    #[inline(always)]
    fn from_lanes(self, lanes: u32) -> __m256i {
        proved!({
            let bits = _mm256_setr_epi16(
                1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, -32768,
            );
            let chosen = _mm256_and_si256(bits, _mm256_set1_epi16(lanes as i16));
            _mm256_cmpeq_epi16(chosen, bits)
        })
    }
}

impl Counting for Avx2 {
    #[inline(always)]
    fn count(self, set: __m256i) -> __m256i {
        proved!({
            let of_nibble = _mm256_setr_epi8(
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4, //
                0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4,
            );
            // The shuffle counts bits 0-3 of each byte: digits 1 to 8 (see `DIGIT_BITS`). The shift adds bit 12, digit 9.
            let nibbles = _mm256_shuffle_epi8(of_nibble, set);
            let eight = _mm256_maddubs_epi16(nibbles, _mm256_set1_epi8(1));
            _mm256_add_epi16(eight, _mm256_srli_epi16::<12>(set))
        })
    }
    #[inline(always)]
    fn only_one(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
        let either = self.or(a, b);
        let repeated = self.or(self.and(a, b), self.and(c, either));
        self.and_not(self.or(either, c), repeated)
    }
    #[inline(always)]
    fn choose_if_three(self, number: __m256i, yes: __m256i, no: __m256i) -> __m256i {
        proved!({
            let three = _mm256_cmpeq_epi16(number, _mm256_set1_epi16(3));
            _mm256_blendv_epi8(no, yes, three)
        })
    }
    #[inline(always)]
    fn add(self, a: __m256i, b: __m256i) -> __m256i {
        proved!(_mm256_add_epi16(a, b))
    }
    #[inline(always)]
    fn multiply(self, a: __m256i, by: u16) -> __m256i {
        proved!(_mm256_mullo_epi16(a, _mm256_set1_epi16(by as i16)))
    }
    #[inline(always)]
    fn look_up(self, nibbles: __m256i, table: &[u16; 16]) -> [__m256i; 4] {
        let (low, high) = (table.map(|it| it as u8), table.map(|it| (it >> 8) as u8));
        proved!({
            let low = _mm256_broadcastsi128_si256(self.load_bytes(&low));
            let high = _mm256_broadcastsi128_si256(self.load_bytes(&high));
            let nibble = _mm256_set1_epi8(15);
            let even = _mm256_and_si256(nibbles, nibble);
            let odd = _mm256_and_si256(_mm256_srli_epi16::<4>(nibbles), nibble);
            let (first, third) = self.zip_bytes(
                _mm256_shuffle_epi8(low, even),
                _mm256_shuffle_epi8(high, even),
            );
            let (second, fourth) = self.zip_bytes(
                _mm256_shuffle_epi8(low, odd),
                _mm256_shuffle_epi8(high, odd),
            );
            [first, second, third, fourth]
        })
    }
    #[inline(always)]
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
        let found = proved!({
            let pairs = _mm256_cvtepu8_epi16(self.load_words(nibbles));
            let pairs = _mm256_or_si256(pairs, _mm256_slli_epi16::<4>(pairs));
            let places = _mm256_and_si256(pairs, _mm256_set1_epi8(15));
            let table = _mm256_broadcastsi128_si256(self.load_bytes(table));
            _mm256_shuffle_epi8(table, places)
        });
        let mut bytes = [0; 32];
        // SAFETY: `bytes` has 32 bytes, and the store needs no alignment. The token proves the instruction.
        unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), found) };
        bytes
    }
    #[inline(always)]
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool {
        proved!({
            let given = self.load_block(given);
            let other = self.load_block(other);
            let blank = _mm256_cmpeq_epi8(given, _mm256_setzero_si256());
            _mm256_testc_si256(blank, _mm256_xor_si256(given, other)) == 0
        })
    }
    #[inline(always)]
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [u16; 8]) -> [__m256i; 8] {
        let mut rows = [self.splat(0); 8];
        for lane in 0..8 {
            rows[lane] = proved!(_mm256_set_m128i(
                self.load_words(row(lane + 8)),
                self.load_words(row(lane))
            ));
        }
        self.transpose(rows)
    }
    #[inline(always)]
    fn rows(self, columns: [__m256i; 8]) -> Rows {
        let mut rows = [[[0; 8]; 4]; 8];
        for (rows, v) in rows.iter_mut().zip(self.transpose(columns)) {
            // SAFETY: `rows` has 64 bytes, and the store of 32 needs no alignment. The token proves the instruction.
            unsafe { _mm256_storeu_si256(rows.as_mut_ptr().cast(), v) };
        }
        rows
    }
}

impl Avx2 {
    /// Transposes the 8x8 words of each half: three perfect shuffles of the 64 words.
    #[inline(always)]
    fn transpose(self, rows: [__m256i; 8]) -> [__m256i; 8] {
        self.shuffle(self.shuffle(self.shuffle(rows)))
    }

    /// Interleaves the words of the first four vectors with those of the last four.
    // Without a loop, because compilers do not always unroll a loop over eight vectors, and then it takes four times as long.
    #[inline(always)]
    fn shuffle(self, [a, b, c, d, e, f, g, h]: [__m256i; 8]) -> [__m256i; 8] {
        let [a, b, c, d] = [
            self.zip(a, e),
            self.zip(b, f),
            self.zip(c, g),
            self.zip(d, h),
        ];
        [a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1]
    }

    /// Interleaves the words of two vectors, in each half.
    #[inline(always)]
    fn zip(self, a: __m256i, b: __m256i) -> (__m256i, __m256i) {
        proved!((_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)))
    }

    /// Interleaves bytes: joins the low bytes of `low` and `high` to the words of one vector, and the high bytes to those of
    /// another.
    #[inline(always)]
    fn zip_bytes(self, low: __m256i, high: __m256i) -> (__m256i, __m256i) {
        proved!({
            let byte = _mm256_set1_epi16(0xff);
            (
                _mm256_or_si256(_mm256_and_si256(low, byte), _mm256_slli_epi16::<8>(high)),
                _mm256_or_si256(_mm256_srli_epi16::<8>(low), _mm256_andnot_si256(byte, high)),
            )
        })
    }
}

impl Simd for Avx2Wide {
    const LANES: usize = 8;
    type V = __m256i;
    type Lane = u32;

    logic!(u32, 8);
    #[inline(always)]
    fn splat(self, digits: u32) -> __m256i {
        proved!(_mm256_set1_epi32(digits as i32))
    }
    #[inline(always)]
    fn single_or_none(self, set: __m256i) -> __m256i {
        proved!({
            let others = _mm256_and_si256(set, _mm256_add_epi32(set, _mm256_set1_epi32(-1)));
            _mm256_and_si256(set, _mm256_cmpeq_epi32(others, _mm256_setzero_si256()))
        })
    }
    #[inline(always)]
    fn intersect_if_overlapping(self, set: __m256i, best: __m256i) -> __m256i {
        proved!({
            let common = _mm256_and_si256(set, best);
            let disjoint = _mm256_cmpeq_epi32(common, _mm256_setzero_si256());
            _mm256_or_si256(common, _mm256_and_si256(set, disjoint))
        })
    }
    #[inline(always)]
    fn choose_if_overlapping(self, set: __m256i, best: __m256i, other: __m256i) -> __m256i {
        proved!({
            let common = _mm256_and_si256(set, best);
            let disjoint = _mm256_cmpeq_epi32(common, _mm256_setzero_si256());
            _mm256_or_si256(best, _mm256_and_si256(other, disjoint))
        })
    }
    #[inline(always)]
    fn without_least(self, set: __m256i) -> __m256i {
        proved!(_mm256_and_si256(
            set,
            _mm256_add_epi32(set, _mm256_set1_epi32(-1))
        ))
    }
    #[inline(always)]
    fn shift_left(self, set: __m256i, by: u32) -> __m256i {
        proved!(_mm256_sll_epi32(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn shift_right(self, set: __m256i, by: u32) -> __m256i {
        proved!(_mm256_srl_epi32(set, _mm_cvtsi32_si128(by as i32)))
    }
    #[inline(always)]
    fn min(self, a: __m256i, b: __m256i) -> __m256i {
        proved!(_mm256_min_epu32(a, b))
    }
    #[inline(always)]
    fn nonzero_lanes(self, v: __m256i) -> u32 {
        proved!({
            let zero = _mm256_cmpeq_epi32(v, _mm256_setzero_si256());
            !_mm256_movemask_ps(_mm256_castsi256_ps(zero)) as u32 & 0xff
        })
    }
    #[inline(always)]
    fn from_lanes(self, lanes: u32) -> __m256i {
        proved!({
            let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
            let chosen = _mm256_and_si256(bits, _mm256_set1_epi32(lanes as i32));
            _mm256_cmpeq_epi32(chosen, bits)
        })
    }
}
