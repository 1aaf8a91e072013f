//! What the generator writes down of a form, as the program is told it.

use std::sync::Arc;

use sudoku_filter::{Rules, Shape};

use crate::generator::form::{Form, has};

/// The rules of a form, which the program finds by itself.
pub fn rules_of(form: &Form) -> Arc<Rules> {
    let boxes = Shape::boxes_of(form.side);
    let shape = match &form.regions {
        Some(labels) if has(&form.variants, "regions") => {
            boxes.unwrap().with_regions(labels, false)
        }
        Some(labels) => Shape::Regions {
            labels,
            disconnected: false,
        },
        None => boxes.unwrap(),
    };
    Arc::new(Rules::new(form.side, shape, &form.variants.parse().unwrap()).unwrap())
}
