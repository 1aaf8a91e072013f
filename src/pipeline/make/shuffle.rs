//! Writes random equivalents of each puzzle (`--shuffle`), one output line per equivalent. Nothing
//! is solved. `canonical/random_symmetry.rs` draws the symmetries, `equivalent.rs` applies them to
//! the fields of a line. Those of a constraint string are drawn until its rules can be moved: the
//! identity always can.

use std::ops::ControlFlow;
use std::sync::Arc;

use crate::pipeline::equivalent::{Equivalent, Original};
use crate::pipeline::write::emit::{Emitter, EntryLine};
use engine::canonical::RandomSymmetries;
use engine::verdict::Status;

pub(in crate::pipeline) fn shuffle(count: u64, emitter: &mut Emitter<'_, '_>) -> ControlFlow<()> {
    let settings = emitter.settings;
    let count = usize::try_from(count).unwrap_or(usize::MAX);
    let mut equivalent = Equivalent::default();
    // All puzzles of a batch have the same symmetries, but for constraint strings.
    let mut symmetries: Vec<Option<Arc<RandomSymmetries>>> = vec![None; emitter.batches.len()];
    emitter.write_known()?;
    while let Some(entry) = emitter.next_entry() {
        let Some((batch, index)) = entry.place() else {
            unreachable!("all other entries are written")
        };
        let batch_index = batch;
        let batch = &emitter.batches[batch];
        let question = emitter.entries.question(entry).expect("the entry has a puzzle");
        let original = Original::new(settings, &question, batch, index);
        let new = || settings.rulesets.symmetries(batch.rules.ruleset(index));
        let symmetries = match original.turns(settings) {
            Some(turns) => &Arc::new(turns),
            None => &*symmetries[batch_index].get_or_insert_with(new),
        };
        let moved = |symmetry| Some((original.moved_rules(&symmetry)?, symmetry));
        let images = symmetries.of_seed(batch.seeds[index]).filter_map(moved);
        for (rules, symmetry) in images.take(count) {
            equivalent.set(&original, &symmetry, settings);
            equivalent.set_rules(rules, settings);
            let line = EntryLine::Equivalent(&equivalent);
            emitter.write_line(Status::Shuffled, line)?;
        }
        emitter.end_entry(Status::Shuffled);
        emitter.write_known()?;
    }
    emitter.emit()
}
