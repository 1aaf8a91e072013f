//! The cages of a killer in canonical forms: for each cell the sum and the number of its cage.

use std::cmp::Ordering;

use super::minimize;
use super::symmetries::{MAX_FORM_CELLS, Symmetry};
use crate::rules::{Cage, Rules};

/// The cages of a killer, with an entry for each cell.
#[derive(Debug)]
pub struct CageLabels {
    side: usize,
    /// The sum of the cell's cage, 0 if it has no sum, [`NO_CAGE`] outside of all cages.
    sums: Vec<u8>,
    /// The number of the cell's cage, from 1; 0 outside of all cages.
    numbers: Vec<u8>,
}

/// The sum of a cell outside of all cages. No cage of a 9x9 has this sum.
const NO_CAGE: u8 = u8::MAX;

impl CageLabels {
    /// Returns the cages of these rules, or `None` if there are none. The side must be at most `MAX_FORM_SIDE`.
    pub fn of(rules: &Rules) -> Option<CageLabels> {
        if rules.cages().is_empty() {
            return None;
        }
        let mut labels = CageLabels {
            side: rules.side(),
            sums: vec![NO_CAGE; rules.cells()],
            numbers: vec![0; rules.cells()],
        };
        for (number, cage) in (1..).zip(rules.cages()) {
            for &cell in cage.cells() {
                labels.sums[usize::from(cell)] = cage.sum.unwrap_or_default() as u8;
                labels.numbers[usize::from(cell)] = number;
            }
        }
        Some(labels)
    }

    /// Returns the length of an image: a sum and a number for each cell.
    pub fn image_length(&self) -> usize {
        2 * self.sums.len()
    }

    /// Replaces `least` with the image of the cages under a symmetry if the image is less. The image is the entry of `sums` for
    /// each cell, then the cage number of each cell, numbered anew in the order of appearance. `order` and the result are those
    /// of [`minimize`].
    pub fn minimize(&self, least: &mut [u8], symmetry: &Symmetry, order: Ordering) -> Ordering {
        let sums = symmetry.sources(self.side).map(|cell| self.sums[cell]);
        let mut new_numbers = [0; MAX_FORM_CELLS + 1];
        let mut cages = 0;
        let numbers = symmetry.sources(self.side).map(|cell| {
            let number = usize::from(self.numbers[cell]);
            if number != 0 && new_numbers[number] == 0 {
                cages += 1;
                new_numbers[number] = cages;
            }
            new_numbers[number]
        });
        minimize(least, sums.chain(numbers), order)
    }
}

/// Returns the cages of an image that [`CageLabels::minimize`] has made.
pub fn cages_of_image(image: &[u8]) -> Vec<Cage> {
    let (sums, numbers) = image.split_at(image.len() / 2);
    let last = numbers.iter().max().copied().unwrap_or_default();
    let cage = |number: u8| {
        let cells = (0..numbers.len()).filter(|&cell| numbers[cell] == number);
        let cells: Vec<u16> = cells.map(|cell| cell as u16).collect();
        let sum = Some(u16::from(sums[usize::from(cells[0])])).filter(|&sum| sum != 0);
        Cage::new(numbers.len().isqrt(), cells, sum).expect("the image of a valid cage")
    };
    (1..=last).map(cage).collect()
}
