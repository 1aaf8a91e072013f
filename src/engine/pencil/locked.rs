//! Finds locked candidates.

use super::marks::Marks;
use super::pattern::Pattern;
use super::pattern::Word::House;
use super::tables::Tables;
use crate::bits::bits;

/// `crossing` is an index into [`Tables::directed_crossings`].
pub(super) fn find(tables: &Tables, marks: &mut Marks, crossing: usize) -> Option<Pattern> {
    let union = |cells: &[u16]| {
        let sets = cells.iter().map(|&cell| marks.candidates[cell]);
        sets.fold(0, |union, set| union | set)
    };
    let [common, confining_rest, target_rest] = tables.crossing_cells(crossing);
    let confined = union(common) & !union(confining_rest);
    let digit = bits(confined & union(target_rest)).next()?;
    marks.eliminate(1 << digit, target_rest.iter().copied());
    let houses = tables.directed_crossings[crossing];
    let names = houses.map(|house| House(tables.names[usize::from(house)]));
    Some(names.into())
}
