//! Converts the generator's constraints to the program's `Rules`.

use std::sync::Arc;

use sudoku_filter::{Cage, Rules, Shape};

use crate::generator::constraints::{Constraints, has};

/// Returns the program's own rules for the same side, variants, layout and cages.
pub fn rules_of(constraints: &Constraints) -> Arc<Rules> {
    let boxes = Shape::boxes_of(constraints.side);
    let shape = match &constraints.regions {
        Some(labels) if has(&constraints.variants, "regions") => {
            boxes.unwrap().with_regions(labels, false)
        }
        Some(labels) => Shape::regions(labels, false),
        None => boxes.unwrap(),
    };
    let variants = constraints.variants.parse().unwrap();
    let rules = Rules::new(constraints.side, shape, &variants).unwrap();
    Arc::new(rules.with_cages(cages_of(constraints)).unwrap())
}

/// Returns the cages as those of the program.
pub fn cages_of(constraints: &Constraints) -> Vec<Cage> {
    let cages = constraints.cages.iter().map(|cage| {
        let cells = cage.cells.iter().map(|&cell| cell as u16).collect();
        let sum = cage.sum.map(|sum| sum as u16);
        Cage::new(constraints.side, cells, sum).unwrap()
    });
    cages.collect()
}
