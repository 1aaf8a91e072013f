//! The parts of the images that canonical forms compare.

use super::symmetries::{MAX_FORM_CELLS, Symmetry};
use crate::rules::{Cage, Rules, houses_of_cells};

/// One value per cell, which a symmetry moves with the cell.
#[derive(Debug)]
pub struct Part {
    values: Vec<u8>,
    side: usize,
    /// If `Some(n)`, each image renumbers the values that are at least n, from n on in the order in
    /// which they occur first. So images that differ only by a relabelling become equal. No value
    /// is above `MAX_FORM_CELLS`.
    first_number: Option<u8>,
}

/// In place of a sum, for a cell outside of all cages. No cage of a grid up to 9x9 has this sum.
const NO_CAGE: u8 = u8::MAX;

/// In `numbers` of [`Part::minimize`]: the value has no number yet.
const NONE: u8 = u8::MAX;

impl Part {
    pub fn new(values: impl Iterator<Item = u8>, first_number: Option<u8>) -> Part {
        let values: Vec<u8> = values.collect();
        Part { side: values.len().isqrt(), values, first_number }
    }

    /// Returns the layout, then the sums and the numbers of cages, if there are any.
    pub fn all_of(rules: &Rules) -> Vec<Part> {
        let mut parts = Vec::new();
        if !rules.jigsaw_regions().is_empty() {
            let region_of = houses_of_cells(rules.cells(), rules.jigsaw_regions().iter());
            let regions = region_of.iter().map(|region| region[0] as u8);
            parts.push(Part::new(regions, Some(0)));
        }
        if !rules.cages().is_empty() {
            let cage_of = rules.cage_of_cells();
            let sum = |cage: usize| rules.cages()[cage].sum.unwrap_or_default() as u8;
            let sums = cage_of.iter().map(|cage| cage.map_or(NO_CAGE, sum));
            parts.push(Part::new(sums, None));
            let number = |cage: &Option<usize>| cage.map_or(0, |cage| cage as u8 + 1);
            parts.push(Part::new(cage_of.iter().map(number), Some(1)));
        }
        parts
    }

    /// Compares the image with `least`, value by value. Returns false at the first greater value.
    /// Sets `is_less` at the first lesser one. While `is_less` is set, even by an earlier part,
    /// copies the values of the image to `least` without a comparison.
    #[inline(always)]
    pub fn minimize(&self, symmetry: &Symmetry, least: &mut [u8], is_less: &mut bool) -> bool {
        let mut next = self.first_number.unwrap_or_default();
        // Entry v is the number of value v. If numbers begin at 1, value 0 stays the same.
        let mut numbers = [NONE; MAX_FORM_CELLS + 1];
        numbers[0] = if next == 0 { NONE } else { 0 };
        let rows = least.chunks_exact_mut(self.side);
        for (sources, least) in symmetry.sources(self.side).zip(rows) {
            for (cell, least) in sources.zip(least) {
                let mut value = self.values[cell];
                if self.first_number.is_some() {
                    let number = &mut numbers[usize::from(value)];
                    if *number == NONE {
                        *number = next;
                        next += 1;
                    }
                    value = *number;
                }
                if !*is_less && value != *least {
                    if value > *least {
                        return false;
                    }
                    *is_less = true;
                }
                *least = value;
            }
        }
        true
    }
}

/// `image`, which can be empty, is the last two parts of a killer's form: sums, then numbers.
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
