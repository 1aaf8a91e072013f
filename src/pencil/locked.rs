//! Finds locked candidates: if a house can hold a digit only in the cells it shares with another house or group, the latter
//! cannot hold the digit elsewhere.

use super::marks::{Marks, elements_of};
use super::step::Pattern;
use super::tables::Tables;
use super::technique::Technique::LockedCandidates;

/// Finds the first locked candidates that eliminate a candidate, and stores the eliminations of one digit.
pub(super) fn find(tables: &Tables, marks: &mut Marks) -> Option<Pattern> {
    for (index, &houses) in tables.directed_crossings.iter().enumerate() {
        if !marks.history.crossing_needs_search(index, houses) {
            continue;
        }
        let union = |cells: &[u16]| {
            let sets = cells.iter().map(|&cell| marks.candidates[cell]);
            sets.fold(0, |union, set| union | set)
        };
        let [common, confining_rest, target_rest] = tables.crossing_cells(index);
        let confined = union(common) & !union(confining_rest);
        if let Some(digit) = elements_of(confined & union(target_rest)).next() {
            marks.eliminate(1 << digit, target_rest.iter().copied());
            let [confining, target] = houses.map(|house| tables.names[usize::from(house)]);
            return Some(Pattern::Locked { confining, target });
        }
        marks.history.record_failed_search(LockedCandidates, index);
    }
    None
}
