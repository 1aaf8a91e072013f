//! Finds skyscrapers and two-string kites. A cell of the first house sees a cell of the second, so
//! at least one of the other two cells holds the digit.

use super::marks::{Marks, pairs_of};
use super::pattern::{self, ChainNode, Pattern};
use super::tables::Tables;
use crate::rules::MAX_SIDE;

pub(super) fn find_skyscraper(tables: &Tables, marks: &mut Marks, digit: usize) -> Option<Pattern> {
    let side = tables.side as u16;
    let is_aligned = |a: u16, b: u16| a / side == b / side || a % side == b % side;
    let rows: Vec<usize> = tables.rows().collect();
    let columns: Vec<usize> = tables.columns().collect();
    let houses = pairs_of(&rows).chain(pairs_of(&columns));
    find(tables, marks, digit, houses, is_aligned)
}

pub(super) fn find_two_string_kite(
    tables: &Tables,
    marks: &mut Marks,
    digit: usize,
) -> Option<Pattern> {
    let columns = |row| tables.columns().map(move |column| [row, column]);
    let houses = tables.rows().flat_map(columns);
    find(tables, marks, digit, houses, |a, b| tables.are_peers(a, b))
}

/// Each house in `houses` is a row or a column. Both of a pair must have only two cells for the
/// digit, four different cells together, and `are_joined` must accept a cell of the first with one
/// of the second.
fn find(
    tables: &Tables,
    marks: &mut Marks,
    digit: usize,
    mut houses: impl Iterator<Item = [usize; 2]>,
    are_joined: impl Fn(u16, u16) -> bool,
) -> Option<Pattern> {
    debug_assert!((tables.rows().start, tables.columns().end) == (0, 2 * tables.side));
    let mut pairs = [None; 2 * MAX_SIDE];
    for house in 0..2 * tables.side {
        pairs[house] = marks.only_two_cells(tables, house, digit);
    }
    houses.find_map(|houses| {
        let [first, second] = houses.map(|house| pairs[house]);
        let mut chains = chains_of(first?, second?);
        let chain = chains.find(|&[first, a, b, last]| {
            are_joined(a, b) && marks.eliminate(1 << digit, tables.common_peers(first, last))
        });
        let nodes = chain?.map(|cell| ChainNode::at(cell, digit as u8));
        Some(pattern::chain(nodes))
    })
}

/// Joins a cell of each pair in the middle. Returns none if the pairs have a common cell.
fn chains_of(first: [u16; 2], second: [u16; 2]) -> impl Iterator<Item = [u16; 4]> {
    let [a, b] = first;
    let [c, d] = second;
    let are_distinct = !first.contains(&c) && !first.contains(&d);
    let chains = [[b, a, c, d], [b, a, d, c], [a, b, c, d], [a, b, d, c]];
    chains.into_iter().filter(move |_| are_distinct)
}
