//! Writes random equivalents of each puzzle (`--shuffle`), one output line per equivalent. Nothing is solved.
//! `canonical/random_symmetry.rs` draws the symmetries, `equivalent.rs` applies them to the fields of a line.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::emit::{Emitter, EntryLine};
use super::entry::EntryState;
use super::equivalent::{Equivalent, Original};
use super::options::Mode;
use super::rulesets::SymmetryKey;
use crate::canonical::RandomSymmetries;
use crate::verdict::Status;

/// Writes all entries of a task.
pub(super) fn shuffle(emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    let settings = emitter.settings;
    let Mode::Shuffle(count) = settings.options.mode else {
        unreachable!("no other mode shuffles");
    };
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut equivalent = Equivalent::default();
    // The symmetries of the last puzzle. The next puzzle usually has the same ones.
    let mut last: Option<(SymmetryKey, Arc<RandomSymmetries>)> = None;
    emitter.write_known()?;
    while let Some(entry) = emitter.next_entry() {
        let EntryState::ToSolve { batch, index } = entry.state else {
            unreachable!("all other entries are written")
        };
        let (batch, index) = (&emitter.batches[batch as usize], index as usize);
        let original = Original::new(settings, emitter.entries, entry, batch, index);
        let ruleset = batch.rules.ruleset(index);
        let key = SymmetryKey::of(ruleset);
        let (_, symmetries) = match last.take() {
            Some(known) if known.0 == key => last.insert(known),
            _ => last.insert((key, settings.rulesets.symmetries(key, &ruleset.rules))),
        };
        for symmetry in symmetries.of_seed(batch.seeds[index]).take(count) {
            equivalent.set(&original, &symmetry, settings);
            let line = EntryLine::Equivalent(&equivalent);
            emitter.write_line(Status::Shuffled, line)?;
        }
        emitter.end_entry(Status::Shuffled);
        emitter.write_known()?;
    }
    emitter.emit()
}
