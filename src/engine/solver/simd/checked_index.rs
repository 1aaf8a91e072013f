//! Array indices that are checked once, when a layout is prepared. Release builds do not check them
//! at each use.
#![allow(unsafe_code)]

use std::marker::PhantomData;

/// An index below N. `get` needs neither a bounds check nor a shift in release builds.
#[derive(Clone, Copy)]
pub(crate) struct CheckedIndex<V, const N: usize> {
    /// In bytes: the index times the size of a `V`. Less than the size of `[V; N]`.
    offset: u16,
    vectors: PhantomData<[V; N]>,
}

impl<V, const N: usize> CheckedIndex<V, N> {
    /// Panics if `number` is N or more.
    pub fn new(number: usize) -> CheckedIndex<V, N> {
        const { assert!(size_of::<V>() * N <= 1 << 16) };
        assert!(number < N, "{number} of {N}");
        CheckedIndex { offset: (number * size_of::<V>()) as u16, vectors: PhantomData }
    }

    #[inline(always)]
    pub fn get(self, vectors: &[V; N]) -> &V {
        // Debug builds index safely. With the unsafe read, the standard library's own debug checks
        // would be compiled at each use, and the tests would take 15 minutes to compile.
        if cfg!(debug_assertions) {
            &vectors[usize::from(self.offset) / size_of::<V>()]
        } else {
            self.get_unchecked(vectors)
        }
    }

    #[inline(always)]
    fn get_unchecked(self, vectors: &[V; N]) -> &V {
        // SAFETY: only `new` makes a `CheckedIndex<V, N>`. It asserts that the index is below N, so
        // the offset is that of an element of any `[V; N]`.
        unsafe { &*vectors.as_ptr().byte_add(self.offset.into()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn get_returns_the_vector_of_that_index() {
        let vectors: [[u16; 8]; 100] = std::array::from_fn(|number| [number as u16; 8]);
        for (number, vector) in vectors.iter().enumerate() {
            let index = CheckedIndex::new(number);
            assert_eq!(index.get(&vectors), vector);
            assert_eq!(index.get_unchecked(&vectors), vector);
        }
    }

    #[test]
    #[should_panic = "100 of 100"]
    fn an_index_past_the_end_panics() {
        let _ = CheckedIndex::<[u16; 8], 100>::new(100);
    }
}
