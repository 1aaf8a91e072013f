//! Colors cells that can hold a digit: a house with only two cells for the digit gives them
//! different colors. The digit is in all cells of one color and in none of the other.

use super::marks::Marks;
use super::pattern::{Pattern, two_sets};
use super::tables::Tables;
use crate::rules::CellSet;

pub(super) fn find(tables: &Tables, marks: &mut Marks, digit: usize) -> Option<Pattern> {
    let mut links: Vec<[u16; 2]> = marks.links(tables, digit).collect();
    let mut colors = std::iter::from_fn(|| next_colors(&mut links));
    let colors = colors.find(|colors| eliminate(tables, marks, digit, colors))?;
    Some(two_sets(digit, &colors))
}

/// Colors the lowest cell of all links and the cells linked to it, directly or through others, and
/// removes their links. Returns `None` if there are no links.
fn next_colors(links: &mut Vec<[u16; 2]>) -> Option<[CellSet; 2]> {
    let lowest = *links.iter().flatten().min()?;
    let mut colors = [CellSet::default(); 2];
    colors[0].insert(lowest);
    let mut has_new = true;
    while has_new {
        has_new = false;
        for &[a, b] in &*links {
            for (from, to) in [(a, b), (b, a)] {
                for color in [0, 1] {
                    has_new |= colors[color].contains(from) && colors[1 - color].insert(to);
                }
            }
        }
    }
    links.retain(|[a, _]| !colors.iter().any(|color| color.contains(*a)));
    Some(colors)
}

fn eliminate(tables: &Tables, marks: &mut Marks, digit: usize, colors: &[CellSet; 2]) -> bool {
    let seen = colors.map(|color| tables.seen_by_any(&color));
    for (color, seen) in colors.iter().zip(&seen) {
        if !color.intersection(seen).is_empty() {
            return marks.eliminate(1 << digit, color.iter());
        }
    }
    let [first, second] = seen;
    marks.eliminate(1 << digit, first.intersection(&second).iter())
}
