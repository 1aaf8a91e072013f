//! Converts the generator's constraints to the program's `Rules`.

use std::sync::Arc;

use sudoku_filter::{Rules, Shape};

use crate::generator::constraints::{Constraints, has};

/// Returns the program's own rules for the same side, variants and layout.
pub fn rules_of(constraints: &Constraints) -> Arc<Rules> {
    let boxes = Shape::boxes_of(constraints.side);
    let shape = match &constraints.regions {
        Some(labels) if has(&constraints.variants, "regions") => {
            boxes.unwrap().with_regions(labels, false)
        }
        Some(labels) => Shape::Regions {
            labels,
            disconnected: false,
        },
        None => boxes.unwrap(),
    };
    Arc::new(
        Rules::new(
            constraints.side,
            shape,
            &constraints.variants.parse().unwrap(),
        )
        .unwrap(),
    )
}
