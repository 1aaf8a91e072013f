//! The portable level of machines other than x86-64, in plain Rust: vectors are arrays of integers,
//! and the compiler uses the vectors of the target where it can. `mod.rs` documents the operations.

use super::{Counting, LevelToken, Simd};

/// The token of 8 lanes of 16 bits. It proves nothing, because every machine has this level.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

#[derive(Clone, Copy, Debug)]
pub(crate) struct PortableWide;

/// Like a vector comparison: all ones, else 0.
macro_rules! ones_if {
    ($lane:ty, $condition:expr) => {
        if $condition { <$lane>::MAX } else { 0 }
    };
}

macro_rules! level {
    ($level:ident, $vector:ident, $lane:ty, $lanes:literal) => {
        #[derive(Clone, Copy, Debug)]
        #[repr(align(16))]
        pub(crate) struct $vector([$lane; $lanes]);

        impl $vector {
            /// Operations with one operand pass it twice.
            #[inline(always)]
            fn map(a: $vector, b: $vector, f: impl Fn($lane, $lane) -> $lane) -> $vector {
                let mut out = a;
                for lane in 0..$lanes {
                    out.0[lane] = f(a.0[lane], b.0[lane]);
                }
                out
            }
        }

        impl Simd for $level {
            const LANES: usize = $lanes;
            type V = $vector;
            type Lane = $lane;

            #[inline(never)]
            fn run<T>(self, job: impl FnOnce(Self) -> T) -> T {
                job(self)
            }
            #[inline(always)]
            fn splat(self, digits: $lane) -> $vector {
                $vector([digits; $lanes])
            }
            #[inline(always)]
            fn and(self, a: $vector, b: $vector) -> $vector {
                $vector::map(a, b, |a, b| a & b)
            }
            #[inline(always)]
            fn or(self, a: $vector, b: $vector) -> $vector {
                $vector::map(a, b, |a, b| a | b)
            }
            #[inline(always)]
            fn and_not(self, a: $vector, b: $vector) -> $vector {
                $vector::map(a, b, |a, b| a & !b)
            }
            #[inline(always)]
            fn ones_where_zero(self, v: $vector) -> $vector {
                $vector::map(v, v, |v, _| ones_if!($lane, v == 0))
            }
            #[inline(always)]
            fn without_least(self, set: $vector) -> $vector {
                $vector::map(set, set, |set, _| set & set.wrapping_sub(1))
            }
            #[inline(always)]
            fn shift_left(self, set: $vector, by: u32) -> $vector {
                $vector::map(set, set, |set, _| set << by)
            }
            #[inline(always)]
            fn shift_right(self, set: $vector, by: u32) -> $vector {
                $vector::map(set, set, |set, _| set >> by)
            }
            #[inline(always)]
            fn min(self, a: $vector, b: $vector) -> $vector {
                $vector::map(a, b, |a, b| a.min(b))
            }
            #[inline(always)]
            fn nonzero_lanes(self, v: $vector) -> u32 {
                (0..$lanes).fold(0, |lanes, lane| lanes | u32::from(v.0[lane] != 0) << lane)
            }
            #[inline(always)]
            fn from_lanes(self, lanes: u32) -> $vector {
                let mut v = $vector([0; $lanes]);
                for lane in 0..$lanes {
                    v.0[lane] = ones_if!($lane, lanes >> lane & 1 == 1);
                }
                v
            }
            #[inline(always)]
            fn lanes(self, v: &$vector) -> &[$lane] {
                &v.0
            }
            #[inline(always)]
            fn lanes_mut(self, v: &mut $vector) -> &mut [$lane] {
                &mut v.0
            }
        }
    };
}

level!(Portable, Sets16, u16, 8);
level!(PortableWide, Sets32, u32, 4);

impl LevelToken for Portable {
    const NAME: &'static str = "portable";
    type Wide = PortableWide;

    fn detect() -> Option<Self> {
        Some(Portable)
    }
    fn wide(self) -> PortableWide {
        PortableWide
    }
}

impl Counting for Portable {
    const HAS_LOOK_UP: bool = false;

    #[inline(always)]
    fn count(self, set: Sets16) -> Sets16 {
        Sets16::map(set, set, |set, _| set.count_ones() as u16)
    }
    #[inline(always)]
    fn add(self, a: Sets16, b: Sets16) -> Sets16 {
        Sets16::map(a, b, |a, b| a.wrapping_add(b))
    }
    #[inline(always)]
    fn subtract(self, a: Sets16, b: Sets16) -> Sets16 {
        Sets16::map(a, b, |a, b| a.wrapping_sub(b))
    }
    #[inline(always)]
    fn multiply(self, a: Sets16, by: u16) -> Sets16 {
        Sets16::map(a, a, |a, _| a.wrapping_mul(by))
    }
    #[inline(always)]
    fn look_up(self, nibbles: Sets16, table: &[u16; 16]) -> [Sets16; 4] {
        [0, 4, 8, 12].map(|by| Sets16(nibbles.0.map(|it| table[usize::from(it >> by & 15)])))
    }
    #[inline(always)]
    fn look_up_bytes(self, nibbles: &[u16; 8], table: &[u8; 16]) -> [u8; 32] {
        let mut bytes = [0; 32];
        let nibbles = nibbles.map(u16::to_le_bytes);
        let pairs = bytes.as_chunks_mut().0.iter_mut();
        for (pair, &byte) in pairs.zip(nibbles.as_flattened()) {
            *pair = [byte & 15, byte >> 4].map(|nibble| table[usize::from(nibble)]);
        }
        bytes
    }
    #[inline(always)]
    fn differ(self, given: &[u8; 32], other: &[u8; 32]) -> bool {
        let wrong = given
            .iter()
            .zip(other)
            .fold(0, |wrong, (&given, other)| wrong | if given == 0 { 0 } else { given ^ other });
        wrong != 0
    }
    #[inline(always)]
    fn zip(self, a: Sets16, b: Sets16) -> (Sets16, Sets16) {
        let word = |i: usize| [a, b][i % 2].0[i / 2];
        let lower = std::array::from_fn(word);
        let upper = std::array::from_fn(|i| word(8 + i));
        (Sets16(lower), Sets16(upper))
    }
}
