//! Vectors that are looked up where a layout says.
#![allow(unsafe_code)]

use std::fmt;
use std::marker::PhantomData;

/// Where one of N vectors lies. Looking it up takes neither a check, but with debug assertions, nor a shift.
// A sweep of jigsaws takes a twentieth less time than with bytes as indices into arrays of 256, which need no check either.
pub(crate) struct CheckedIndex<V, const N: usize> {
    /// In bytes; always that of one of N.
    offset: u16,
    vectors: PhantomData<[V; N]>,
}

impl<V, const N: usize> CheckedIndex<V, N> {
    /// The place of the vector of that number, from 0.
    ///
    /// # Panics
    /// If there is no such vector.
    pub fn new(number: usize) -> CheckedIndex<V, N> {
        const { assert!(size_of::<V>() * N <= 1 << 16) };
        assert!(number < N, "{number} of {N}");
        CheckedIndex {
            offset: (number * size_of::<V>()) as u16,
            vectors: PhantomData,
        }
    }

    /// The vector that lies there.
    #[inline(always)]
    pub fn get(self, vectors: &[V; N]) -> &V {
        // With debug assertions the standard library checks such a pointer three times, at every look-up: tests took a
        // quarter of an hour to compile.
        if cfg!(debug_assertions) {
            &vectors[usize::from(self.offset) / size_of::<V>()]
        } else {
            self.get_unchecked(vectors)
        }
    }

    #[inline(always)]
    fn get_unchecked(self, vectors: &[V; N]) -> &V {
        // SAFETY: the offset is that of an element of such an array: `of`, which alone makes places, asserts it.
        unsafe { &*vectors.as_ptr().byte_add(self.offset.into()) }
    }
}

impl<V, const N: usize> Clone for CheckedIndex<V, N> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<V, const N: usize> Copy for CheckedIndex<V, N> {}

impl<V, const N: usize> fmt::Debug for CheckedIndex<V, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", usize::from(self.offset) / size_of::<V>())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_at_a_place_is_what_has_its_number() {
        let vectors: [[u16; 8]; 100] = std::array::from_fn(|number| [number as u16; 8]);
        for (number, vector) in vectors.iter().enumerate() {
            let place = CheckedIndex::new(number);
            assert_eq!(place.get(&vectors), vector);
            assert_eq!(place.get_unchecked(&vectors), vector);
            assert_eq!(format!("{place:?}"), number.to_string());
        }
    }

    #[test]
    #[should_panic = "100 of 100"]
    fn there_is_no_place_behind_the_last() {
        let _ = CheckedIndex::<[u16; 8], 100>::new(100);
    }
}
