//! Sets as the bits of an integer: cells, digits, lanes and others.

/// An integer whose bits are the members of a set.
pub(crate) trait Bits {
    fn take_least(&mut self) -> Option<usize>;
}

macro_rules! impl_bits {
    ($($integer:ty)*) => {$(
        impl Bits for $integer {
            #[inline(always)]
            fn take_least(&mut self) -> Option<usize> {
                let index = self.trailing_zeros();
                *self &= self.wrapping_sub(1);
                (index < <$integer>::BITS).then_some(index as usize)
            }
        }
    )*};
}

impl_bits!(u16 u32);

impl Bits for u128 {
    // Counting the zeros of an empty set would take longer than the comparison.
    #[inline(always)]
    fn take_least(&mut self) -> Option<usize> {
        let index = (*self != 0).then(|| self.trailing_zeros() as usize);
        *self &= self.wrapping_sub(1);
        index
    }
}

/// Returns the indices of the bits that are 1, in ascending order.
#[inline(always)]
pub(crate) fn bits<T: Bits>(mut set: T) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || set.take_least())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bits_of_every_size_are_the_powers_of_two_of_the_number() {
        for set in [0, 1, 6, 0x8000_0001, u32::MAX] {
            let expected: Vec<usize> = (0..32).filter(|bit| set >> bit & 1 == 1).collect();
            assert!(bits(set).eq(expected.iter().copied()));
            assert!(bits(set as u16).eq(expected.iter().copied().filter(|&bit| bit < 16)));
            assert!(bits(u128::from(set) << 96).eq(expected.iter().map(|bit| bit + 96)));
        }
    }
}
