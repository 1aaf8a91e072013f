//! The level of every machine: arrays of integers, which compilers turn into the vectors there are.

use super::Simd;

/// Eight lanes of 16 bits: one register of SSE2 or NEON.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

/// Four lanes of 32 bits, for puzzles of more than 16 digits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PortableWide;

macro_rules! portable {
    ($level:ident, $element:ty, $lanes:expr, $vector:ident, $align:literal) => {
        #[derive(Clone, Copy, Debug)]
        #[repr(align($align))]
        pub(crate) struct $vector([$element; $lanes]);

        impl $vector {
            #[inline(always)]
            fn map2(self, other: Self, op: impl Fn($element, $element) -> $element) -> Self {
                let mut result = self;
                for lane in 0..$lanes {
                    result.0[lane] = op(self.0[lane], other.0[lane]);
                }
                result
            }
        }

        impl Simd for $level {
            const LANES: usize = $lanes;
            type V = $vector;

            #[inline(always)]
            fn splat(self, digits: u32) -> $vector {
                $vector([digits as $element; $lanes])
            }

            #[inline(always)]
            fn or(self, a: $vector, b: $vector) -> $vector {
                a.map2(b, |a, b| a | b)
            }

            #[inline(always)]
            fn and(self, a: $vector, b: $vector) -> $vector {
                a.map2(b, |a, b| a & b)
            }

            #[inline(always)]
            fn and_not(self, a: $vector, b: $vector) -> $vector {
                a.map2(b, |a, b| a & !b)
            }

            #[inline(always)]
            fn single_or_zero(self, set: $vector) -> $vector {
                set.map2(set, |set, _| {
                    if set & set.wrapping_sub(1) == 0 {
                        set
                    } else {
                        0
                    }
                })
            }

            #[inline(always)]
            fn and_or(self, a: $vector, b: $vector, c: $vector) -> $vector {
                self.and(a, self.or(b, c))
            }

            #[inline(always)]
            fn first_nonzero(self, first: $vector, second: $vector) -> $vector {
                first.map2(
                    second,
                    |first, second| if first != 0 { first } else { second },
                )
            }

            #[inline(always)]
            fn or_difference(self, sum: $vector, a: $vector, b: $vector) -> $vector {
                self.or(sum, a.map2(b, |a, b| a ^ b))
            }

            #[inline(always)]
            fn min(self, a: $vector, b: $vector) -> $vector {
                a.map2(b, |a, b| a.min(b))
            }

            #[inline(always)]
            fn nonzero_lanes(self, a: $vector) -> u32 {
                (0..$lanes).fold(0, |lanes, lane| lanes | u32::from(a.0[lane] != 0) << lane)
            }

            #[inline(always)]
            fn lane(self, vector: &$vector, lane: usize) -> u32 {
                vector.0[lane].into()
            }

            #[inline(always)]
            fn set_lane(self, vector: &mut $vector, lane: usize, digits: u32) {
                vector.0[lane] = digits as $element;
            }
        }
    };
}

portable!(Portable, u16, 8, Lanes16, 16);
portable!(PortableWide, u32, 4, Lanes32, 16);
