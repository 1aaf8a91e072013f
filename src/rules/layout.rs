//! What divides a grid: rows, columns, boxes, and the regions of a layout, of which every fault is told.

use super::{House, HouseName, Place, a_puzzle};
use crate::puzzle::count;

/// What divides the grid beside rows and columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape<'a> {
    /// Boxes, so many rows high and so many columns wide.
    Boxes {
        /// Rows of a box.
        rows: usize,
        /// Columns of a box.
        columns: usize,
    },
    /// One label a cell; equal labels form a region.
    Regions {
        /// As many labels as cells.
        labels: &'a [u8],
        /// Whether a region may lie in pieces.
        disconnected: bool,
    },
    /// Both.
    BoxesAndRegions {
        /// Rows of a box.
        rows: usize,
        /// Columns of a box.
        columns: usize,
        /// As many labels as cells.
        labels: &'a [u8],
        /// Whether a region may lie in pieces.
        disconnected: bool,
    },
}

impl<'a> Shape<'a> {
    /// These boxes with regions besides; regions alone have no use for more.
    #[must_use]
    pub fn with_regions(self, labels: &'a [u8], disconnected: bool) -> Shape<'a> {
        match self {
            Shape::Boxes { rows, columns } | Shape::BoxesAndRegions { rows, columns, .. } => {
                Shape::BoxesAndRegions {
                    rows,
                    columns,
                    labels,
                    disconnected,
                }
            }
            Shape::Regions { .. } => Shape::Regions {
                labels,
                disconnected,
            },
        }
    }

    /// The houses that divide the grid: those of the boxes, then those of the regions.
    pub(super) fn houses(self, side: usize) -> Result<Vec<House>, String> {
        let mut houses = Vec::new();
        if let Shape::Boxes { rows, columns } | Shape::BoxesAndRegions { rows, columns, .. } = self
        {
            debug_assert_eq!(rows * columns, side);
            houses = boxes(rows, columns);
        }
        if let Shape::Regions {
            labels,
            disconnected,
        }
        | Shape::BoxesAndRegions {
            labels,
            disconnected,
            ..
        } = self
        {
            houses.extend(regions(side, labels, disconnected)?);
        }
        Ok(houses)
    }

    /// Whether there are boxes.
    pub(super) fn has_boxes(self) -> bool {
        !matches!(self, Shape::Regions { .. })
    }
}

impl Shape<'_> {
    /// The boxes usual for a grid of this side, if any are.
    #[must_use]
    pub fn boxes_of(side: usize) -> Option<Shape<'static>> {
        const USUAL: [(usize, usize); 14] = [
            (2, 2),
            (2, 3),
            (2, 4),
            (3, 3),
            (2, 5),
            (3, 4),
            (2, 7),
            (3, 5),
            (4, 4),
            (3, 6),
            (4, 5),
            (3, 7),
            (4, 6),
            (5, 5),
        ];
        let usual = USUAL.iter().find(|(rows, columns)| rows * columns == side);
        usual.map(|&(rows, columns)| Shape::Boxes { rows, columns })
    }
}

/// A house of the cells of a rectangle.
pub(super) fn rectangle(
    side: usize,
    name: HouseName,
    top: usize,
    left: usize,
    rows: usize,
    columns: usize,
) -> House {
    let cells = (top..top + rows)
        .flat_map(|row| (left..left + columns).map(move |column| (row * side + column) as u16));
    House {
        name,
        cells: cells.collect(),
    }
}

pub(super) fn rows_and_columns(side: usize) -> Vec<House> {
    let rows = (0..side).map(|row| rectangle(side, HouseName::Row(row + 1), row, 0, 1, side));
    let columns =
        (0..side).map(|column| rectangle(side, HouseName::Column(column + 1), 0, column, side, 1));
    rows.chain(columns).collect()
}

fn boxes(rows: usize, columns: usize) -> Vec<House> {
    let side = rows * columns;
    (0..side)
        .map(|index| {
            // There are side / columns = rows boxes side by side.
            let (top, left) = (index / rows * rows, index % rows * columns);
            rectangle(side, HouseName::Box(index + 1), top, left, rows, columns)
        })
        .collect()
}

/// The regions of a layout, in the order in which their labels appear.
fn regions(side: usize, labels: &[u8], disconnected: bool) -> Result<Vec<House>, String> {
    if labels.len() != side * side {
        return Err(format!(
            "{}; {} has {}",
            count(labels.len(), "region label"),
            a_puzzle(side),
            side * side
        ));
    }
    let mut regions: Vec<House> = Vec::with_capacity(side);
    let mut region_of_label = [None; 256];
    for (cell, &label) in labels.iter().enumerate() {
        let index = *region_of_label[usize::from(label)].get_or_insert_with(|| {
            regions.push(House {
                name: HouseName::Region(label),
                cells: Vec::with_capacity(side),
            });
            regions.len() - 1
        });
        regions[index].cells.push(cell as u16);
    }
    if regions.len() > side {
        return Err(format!(
            "{} different region labels, {side} wanted",
            regions.len()
        ));
    }
    let mut joined = vec![false; labels.len()];
    for region in &regions {
        if region.cells.len() != side {
            return Err(format!(
                "{} has {}, {side} wanted",
                region.name,
                count(region.cells.len(), "cell")
            ));
        }
        if !disconnected && let Some(apart) = cell_apart(side, labels, &region.cells, &mut joined) {
            let (first, apart) = (
                Place::of(region.cells[0].into(), side),
                Place::of(apart, side),
            );
            return Err(format!(
                "{} is in pieces: {apart} is apart from {first}",
                region.name
            ));
        }
    }
    Ok(regions)
}

/// A cell that no path through orthogonal neighbours with its label joins to the first. Marks those that are joined.
fn cell_apart(side: usize, labels: &[u8], cells: &[u16], joined: &mut [bool]) -> Option<usize> {
    let first = usize::from(cells[0]);
    let mut open = vec![first];
    joined[first] = true;
    while let Some(cell) = open.pop() {
        let column = cell as u32 % side as u32;
        let neighbours = [
            (cell >= side, cell.wrapping_sub(side)),
            (column > 0, cell.wrapping_sub(1)),
            (column + 1 < side as u32, cell + 1),
            (true, cell + side),
        ];
        for (is_inside, next) in neighbours {
            if is_inside && labels.get(next) == Some(&labels[first]) && !joined[next] {
                joined[next] = true;
                open.push(next);
            }
        }
    }
    let mut cells = cells.iter().map(|&cell| usize::from(cell));
    cells.find(|&cell| !joined[cell])
}
