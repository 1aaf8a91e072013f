//! The parts of canonical forms that show rules: the layout of a jigsaw, and for a killer the sum
//! and the number of the cage of each cell.

use std::cmp::Ordering;

use super::labels::Labels;
use super::minimize;
use super::symmetries::{MAX_FORM_CELLS, Symmetry};
use crate::rules::{Cage, Rules, houses_of_cells};

/// A part of a form: one value per cell, which a symmetry moves with the cell.
#[derive(Debug)]
pub struct Part {
    values: Vec<u8>,
    /// Assigns new numbers to regions or cages in the order of first use. Each image uses a copy
    /// of its own, in which no region or cage has a number at first. `None` for sums, which
    /// stay the same.
    labels: Option<Labels<{ MAX_FORM_CELLS + 1 }>>,
}

/// The value in place of a sum, for a cell outside of all cages. No cage of a grid up to 9x9 has
/// this sum.
const NO_CAGE: u8 = u8::MAX;

impl Part {
    /// Returns the parts for these rules: the layout if there are jigsaw regions, then the sums and
    /// the numbers of cages if there are any. The side must be at most `MAX_FORM_SIDE`.
    pub fn all_of(rules: &Rules) -> Vec<Part> {
        let mut parts = Vec::new();
        if !rules.jigsaw_regions().is_empty() {
            let region_of = houses_of_cells(rules.cells(), rules.jigsaw_regions().iter());
            parts.push(Part {
                values: region_of.iter().map(|region| region[0] as u8).collect(),
                labels: Some(Labels::new(0)),
            });
        }
        if !rules.cages().is_empty() {
            let cage_of = rules.cage_of_cells();
            let sum = |cage: usize| rules.cages()[cage].sum.unwrap_or_default() as u8;
            let sums = cage_of.iter().map(|cage| cage.map_or(NO_CAGE, sum));
            let numbers = cage_of
                .iter()
                .map(|cage| cage.map_or(0, |cage| cage as u8 + 1));
            parts.push(Part {
                values: sums.collect(),
                labels: None,
            });
            parts.push(Part {
                values: numbers.collect(),
                labels: Some(Labels::from_1(0)),
            });
        }
        parts
    }

    /// Calls [`minimize`] with the image of the part under a symmetry, and returns its result.
    pub fn minimize(&self, least: &mut [u8], symmetry: &Symmetry, order: Ordering) -> Ordering {
        let sources = symmetry.sources(self.values.len().isqrt());
        let values = sources.map(|cell| self.values[cell]);
        match self.labels.clone() {
            Some(mut labels) => minimize(least, values.map(|number| labels.get(number)), order),
            None => minimize(least, values, order),
        }
    }
}

/// Returns the cages that `image` states. `image` is the last two parts of a killer's form: the sum
/// of each cell's cage, then the number of each cell's cage. Returns no cages if `image` is empty.
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
