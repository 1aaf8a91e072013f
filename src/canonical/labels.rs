//! Relabels digits, regions and cages in the order of first use, so that puzzles that differ only
//! by a relabelling become equal.

use super::symmetries::MAX_FORM_SIDE;

/// Assigns new labels to digits, regions or cages, which are numbers below `N`, in the order of
/// first use.
#[derive(Clone, Debug)]
pub struct Labels<const N: usize = { MAX_FORM_SIDE + 1 }> {
    /// Entry n is the label of the number n, or `UNASSIGNED` if it has none yet.
    labels: [u8; N],
    /// The label for the next number that has none.
    next: u8,
}

impl<const N: usize> Labels<N> {
    const UNASSIGNED: u8 = u8::MAX;

    /// Returns labels that assign `first` to the first number that is looked up, `first + 1` to the
    /// next new one, and so on.
    pub fn new(first: u8) -> Self {
        Labels {
            labels: [Self::UNASSIGNED; N],
            next: first,
        }
    }

    /// Returns labels that assign 1 to the first number other than 0 that is looked up, 2 to the
    /// next new one, and so on. The number 0 (a blank cell, or a cell outside of all cages) has
    /// the label `of_zero`.
    pub fn from_1(of_zero: u8) -> Self {
        let mut labels = Self::new(1);
        labels.labels[0] = of_zero;
        labels
    }

    /// Returns the label of a number. Assigns the next label to a number that has none.
    pub fn get(&mut self, number: u8) -> u8 {
        let label = &mut self.labels[usize::from(number)];
        if *label == Self::UNASSIGNED {
            *label = self.next;
            self.next += 1;
        }
        *label
    }
}
