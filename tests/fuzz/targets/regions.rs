//! Reads labels as a layout. `Rules` must accept them exactly if they are a valid layout.

use sudoku_filter::{Rules, Shape, Variants};

use super::plain;

/// If the first byte is odd, regions need not be connected.
pub fn run(data: &[u8]) {
    let Some((first, labels)) = data.split_first() else {
        return;
    };
    let disconnected = first % 2 == 1;
    let side = labels.len().isqrt();
    if !(2..=25).contains(&side) || side * side != labels.len() {
        return;
    }
    let rules = Rules::new(side, Shape::regions(labels, disconnected), &Variants::default());
    assert_eq!(rules.is_ok(), plain::is_layout(labels, side, disconnected), "{:?}", rules.err());
    let Ok(rules) = rules else {
        return;
    };
    assert_eq!(rules.houses().len(), 3 * side);
    for house in &rules.houses()[2 * side..] {
        let mut label = house.cells.iter().map(|&cell| labels[usize::from(cell)]);
        let first = label.next().unwrap();
        assert!(house.cells.len() == side && label.all(|label| label == first));
    }
    for crossing in rules.crossings().iter() {
        assert!(crossing.common.len() >= 2);
    }
}
