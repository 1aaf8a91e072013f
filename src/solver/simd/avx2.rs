//! AVX2: sixteen lanes of 16 bits, eight of 32.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::{Counting, Job, Rows, Simd};

/// Sixteen lanes of 16 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2(());

/// Eight lanes of 32 bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Avx2Wide(());

impl Avx2 {
    pub fn detect() -> Option<Self> {
        let all = is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("lzcnt");
        all.then_some(Avx2(()))
    }

    pub fn wide(self) -> Avx2Wide {
        Avx2Wide(())
    }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
#[inline(never)]
fn run_with_avx2<S, J: Job<S>>(s: S, job: J) -> J::Answer {
    job.run(s)
}

/// Instructions that this token proves.
macro_rules! proved {
    ($e:expr) => {
        // SAFETY: an `Avx2` or `Avx2Wide` exists only if `detect` found every feature that is enabled and used here.
        unsafe { $e }
    };
}

/// What does not ask how wide a lane is.
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
        fn and_either(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            self.and(a, self.or(b, c))
        }
        #[inline(always)]
        fn and_neither(self, a: __m256i, b: __m256i, c: __m256i) -> __m256i {
            self.and_not(a, self.or(b, c))
        }
        #[inline(always)]
        fn note_common(self, found: __m256i, a: __m256i, b: __m256i) -> __m256i {
            self.or(found, self.and(a, b))
        }
        #[inline(always)]
        fn drop_unless(self, set: __m256i, gone: __m256i, kept: __m256i) -> __m256i {
            self.and_not(set, self.and_not(gone, kept))
        }
        #[inline(always)]
        fn drop_common(self, set: __m256i, a: __m256i, b: __m256i) -> __m256i {
            self.and_not(set, self.and(a, b))
        }
        #[inline(always)]
        fn note_difference(self, found: __m256i, a: __m256i, b: __m256i) -> __m256i {
            self.or(found, proved!(_mm256_xor_si256(a, b)))
        }
        #[inline(always)]
        fn note_missing(self, found: __m256i, wanted: __m256i, had: __m256i) -> __m256i {
            self.or(found, self.and_not(wanted, had))
        }
        #[inline(always)]
        fn lanes(self, v: &__m256i) -> &[$lane] {
            // SAFETY: any 256 bits are as many lanes, whose alignment is smaller.
            unsafe { &*std::ptr::from_ref(v).cast::<[$lane; $lanes]>() }
        }
        #[inline(always)]
        fn lanes_mut(self, v: &mut __m256i) -> &mut [$lane] {
            // SAFETY: as in `lanes`, and the borrow is exclusive.
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
    fn narrow_if_met(self, set: __m256i, best: __m256i) -> __m256i {
        proved!({
            let met = _mm256_and_si256(set, best);
            let apart = _mm256_cmpeq_epi16(met, _mm256_setzero_si256());
            _mm256_or_si256(met, _mm256_and_si256(set, apart))
        })
    }
    #[inline(always)]
    fn choose_if_met(self, set: __m256i, best: __m256i, other: __m256i) -> __m256i {
        proved!({
            let met = _mm256_and_si256(set, best);
            let apart = _mm256_cmpeq_epi16(met, _mm256_setzero_si256());
            _mm256_or_si256(best, _mm256_and_si256(other, apart))
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
            // The shuffle heeds the low nibble of each byte, so the ninth digit is counted apart.
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
            let low = _mm256_broadcastsi128_si256(_mm_loadu_si128(low.as_ptr().cast()));
            let high = _mm256_broadcastsi128_si256(_mm_loadu_si128(high.as_ptr().cast()));
            let nibble = _mm256_set1_epi8(15);
            let even = _mm256_and_si256(nibbles, nibble);
            let odd = _mm256_and_si256(_mm256_srli_epi16::<4>(nibbles), nibble);
            let (first, third) = zipped_bytes(
                _mm256_shuffle_epi8(low, even),
                _mm256_shuffle_epi8(high, even),
            );
            let (second, fourth) = zipped_bytes(
                _mm256_shuffle_epi8(low, odd),
                _mm256_shuffle_epi8(high, odd),
            );
            [first, second, third, fourth]
        })
    }
    #[inline(always)]
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
        let mut bytes = [0; 32];
        proved!({
            let pairs = _mm256_cvtepu8_epi16(_mm_loadu_si128(nibbles.as_ptr().cast()));
            let pairs = _mm256_or_si256(pairs, _mm256_slli_epi16::<4>(pairs));
            let places = _mm256_and_si256(pairs, _mm256_set1_epi8(15));
            let table = _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast()));
            let found = _mm256_shuffle_epi8(table, places);
            _mm256_storeu_si256(bytes.as_mut_ptr().cast(), found);
        });
        bytes
    }
    #[inline(always)]
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool {
        proved!({
            let given = _mm256_loadu_si256(given.as_ptr().cast());
            let other = _mm256_loadu_si256(other.as_ptr().cast());
            let blank = _mm256_cmpeq_epi8(given, _mm256_setzero_si256());
            _mm256_testc_si256(blank, _mm256_xor_si256(given, other)) == 0
        })
    }
    #[inline(always)]
    fn columns<'a>(self, row: impl Fn(usize) -> &'a [u16; 8]) -> [__m256i; 8] {
        let mut rows = [self.splat(0); 8];
        for l in 0..8 {
            rows[l] = proved!({
                let at = |l| _mm_loadu_si128(row(l).as_ptr().cast());
                _mm256_set_m128i(at(l + 8), at(l))
            });
        }
        transposed(rows)
    }
    #[inline(always)]
    fn rows(self, columns: [__m256i; 8]) -> Rows {
        let mut rows = [[[0; 8]; 4]; 8];
        for (rows, v) in rows.iter_mut().zip(transposed(columns)) {
            proved!(_mm256_storeu_si256(rows.as_mut_ptr().cast(), v));
        }
        rows
    }
}

/// Rows of words to columns in both halves, by three riffles of the rows.
#[inline(always)]
fn transposed(rows: [__m256i; 8]) -> [__m256i; 8] {
    riffled(riffled(riffled(rows)))
}

// Written out: compilers do not unroll a loop over so many vectors everywhere, and what is not in registers costs four times.
#[inline(always)]
fn riffled([a, b, c, d, e, f, g, h]: [__m256i; 8]) -> [__m256i; 8] {
    let [a, b, c, d] = [zipped(a, e), zipped(b, f), zipped(c, g), zipped(d, h)];
    [a.0, a.1, b.0, b.1, c.0, c.1, d.0, d.1]
}

/// The low bytes of all lanes to words, and the high ones.
#[inline(always)]
fn zipped_bytes(low: __m256i, high: __m256i) -> (__m256i, __m256i) {
    proved!({
        let byte = _mm256_set1_epi16(0xff);
        (
            _mm256_or_si256(_mm256_and_si256(low, byte), _mm256_slli_epi16::<8>(high)),
            _mm256_or_si256(_mm256_srli_epi16::<8>(low), _mm256_andnot_si256(byte, high)),
        )
    })
}

#[inline(always)]
fn zipped(a: __m256i, b: __m256i) -> (__m256i, __m256i) {
    proved!((_mm256_unpacklo_epi16(a, b), _mm256_unpackhi_epi16(a, b)))
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
    fn narrow_if_met(self, set: __m256i, best: __m256i) -> __m256i {
        proved!({
            let met = _mm256_and_si256(set, best);
            let apart = _mm256_cmpeq_epi32(met, _mm256_setzero_si256());
            _mm256_or_si256(met, _mm256_and_si256(set, apart))
        })
    }
    #[inline(always)]
    fn choose_if_met(self, set: __m256i, best: __m256i, other: __m256i) -> __m256i {
        proved!({
            let met = _mm256_and_si256(set, best);
            let apart = _mm256_cmpeq_epi32(met, _mm256_setzero_si256());
            _mm256_or_si256(best, _mm256_and_si256(other, apart))
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
