//! Writes new puzzles that are made from the puzzle of a line, one output line per puzzle. The
//! puzzles of a group are a batch with an emitter of its own, so all columns show the new puzzle.

use std::iter::repeat_n;
use std::ops::ControlFlow;

use super::search;
use crate::pipeline::batch::{Batch, BoardIndex};
use crate::pipeline::entry::{Entry, TaskEntries};
use crate::pipeline::question::{PuzzlePlace, Question};
use crate::pipeline::write::emit::{Emitter, OutputPosition};
use engine::puzzle::Givens;

/// The puzzle of the next entry, from which others are made.
pub(super) struct Original<'p, 'a> {
    pub entry: &'p Entry<'a>,
    pub question: Question<'a>,
    pub batch: &'p Batch,
    pub batch_index: usize,
    /// Its index in the batch.
    pub index: usize,
    /// The digits of the puzzle, 0 for a blank cell.
    pub puzzle: &'p [u8],
}

impl<'p, 'a> Original<'p, 'a> {
    /// Returns `None` if all entries are written. All before the next puzzle must be.
    pub fn next(emitter: &Emitter<'p, 'a>) -> Option<Original<'p, 'a>> {
        let entry = emitter.next_entry()?;
        let Some((batch_index, index)) = entry.place() else {
            unreachable!("all other entries are written")
        };
        let question = emitter.entries.question(entry).expect("the entry has a puzzle");
        let question = question.into_owned();
        let batch = &emitter.batches[batch_index];
        let Givens::Digits(puzzle) = batch.givens(index) else {
            unreachable!("pencilmark puzzles are rejected")
        };
        Some(Original { entry, question, batch, batch_index, index, puzzle })
    }

    /// Returns a batch for this number of puzzles with the rules of this one.
    pub fn batch_of(&self, number: usize) -> Batch {
        self.batch.with_rules_of(repeat_n(self.index, number))
    }

    /// Writes these puzzles, which have the rules of the original.
    pub fn write_group(&self, grids: &[Vec<u8>], outer: &mut Emitter<'p, 'a>) -> ControlFlow<()> {
        let settings = outer.settings;
        let mut batch = self.batch_of(grids.len());
        let seed = self.batch.seeds.get(self.index).copied();
        let mut entries = TaskEntries::new(outer.entries.task);
        for digits in grids {
            batch.boards.digits.extend_from_slice(digits);
            let board = BoardIndex::Puzzle(batch.complete(seed) as u32);
            let place = PuzzlePlace { batch: 0, board };
            let question = Question { place, ..self.question.clone() };
            let Entry { line, line_number, .. } = *self.entry;
            let named = outer.entries.named(self.entry).clone();
            entries.push_record(line, line_number, named, Ok(question));
        }
        let batches = [batch];
        let mut position = OutputPosition::default();
        let mut emit = |output| outer.append(output);
        let mut emitter = Emitter::new(settings, &entries, &batches, &mut position, &mut emit);
        emitter.has_new_puzzles = true;
        search(&mut emitter)?;
        emitter.emit()
    }
}
