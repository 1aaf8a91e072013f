//! Locked candidates: a digit that a house can hold only where it crosses another leaves the rest of the other.

use super::paper::{Paper, digits_of};
use super::step::Pattern;
use super::tables::Tables;

/// The first locked candidates that remove something.
pub(super) fn find(tables: &Tables, paper: &mut Paper) -> Option<Pattern> {
    for (index, lock) in tables.locks.iter().enumerate() {
        if !paper.history.is_lock_new(index, lock.houses) {
            continue;
        }
        let union = |cells: &[u16]| {
            let sets = cells.iter().map(|&cell| paper.candidates[cell]);
            sets.fold(0, |union, set| union | set)
        };
        let confined = union(&lock.common) & !union(&lock.rests[0]);
        if let Some(digit) = digits_of(confined & union(&lock.rests[1])).next() {
            let losers = lock.rests[1].iter().copied();
            let losers = losers.filter(|&cell| paper.candidates[cell] & 1 << digit != 0);
            paper.losses.clear();
            paper.losses.extend(losers.map(|cell| (cell, 1 << digit)));
            let [house, loser] = lock.houses.map(usize::from);
            return Some(Pattern::Locked { house, loser });
        }
        paper.history.searched_lock_in_vain(index);
    }
    None
}
