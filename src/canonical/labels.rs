//! New labels in the order of first use. Puzzles that differ only by a relabelling then get equal images.

use super::symmetries::MAX_FORM_SIDE;

/// Assigns new labels to digits or regions, in the order of first use.
pub struct Labels {
    labels: [u8; MAX_FORM_SIDE + 1],
    next: u8,
}

impl Labels {
    const UNASSIGNED: u8 = u8::MAX;

    /// Assigns `first` to the first number that is looked up, `first + 1` to the second, and so on.
    pub fn new(first: u8) -> Labels {
        Labels {
            labels: [Labels::UNASSIGNED; MAX_FORM_SIDE + 1],
            next: first,
        }
    }

    /// Assigns 1, 2, and so on to digits. A blank cell, 0, stays 0.
    pub fn of_digits() -> Labels {
        let mut labels = Labels::new(1);
        labels.labels[0] = 0;
        labels
    }

    /// Returns the label of a number. Assigns the next label to a number that has none.
    pub fn get(&mut self, number: u8) -> u8 {
        let label = &mut self.labels[usize::from(number)];
        if *label == Labels::UNASSIGNED {
            *label = self.next;
            self.next += 1;
        }
        *label
    }
}
