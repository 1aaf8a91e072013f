//! Writes random equivalents of each puzzle (`--shuffle`), one output line per equivalent. Nothing is solved.
//!
//! The fields of a line are changed as text: symbols move from cell to cell, and the symbols of digits are renamed. Blank
//! cells keep their symbol. `canonical/random_symmetry.rs` draws the symmetries.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::batch::{Batch, Batches};
use super::emit::Emitter;
use super::entry::{Entry, EntryState, TaskEntries};
use super::findings::BatchFindings;
use super::options::{Mode, Notation};
use super::read::is_missing;
use super::rulesets::Ruleset;
use super::settings::{OutputFormat, Settings};
use crate::canonical::RandomSymmetry;
use crate::stream::OutputLines;
use crate::text::record::RecordFields;
use crate::text::symbols::{Alphabet, Case};

/// The number of bytes of output lines after which they are emitted.
const EMIT_SIZE: usize = 64 << 10;

/// Writes the puzzles of a task. Keeps the memory for an equivalent.
struct Shuffler<'p> {
    settings: &'p Settings,
    findings: &'p [BatchFindings],
    equivalent: Equivalent,
    /// The output lines that are not emitted yet.
    output: OutputLines,
}

/// The fields of a line, changed by a symmetry. A field that the line does not have is empty.
#[derive(Default)]
pub(super) struct Equivalent {
    pub puzzle: Vec<u8>,
    /// The layout, if each line has its own.
    pub regions: Vec<u8>,
    pub answer: Vec<u8>,
    pub drawn: DrawnEquivalent,
}

/// The values that grids are drawn from. Empty if none are drawn.
#[derive(Default)]
pub(super) struct DrawnEquivalent {
    /// The digits of the puzzle; empty for a pencilmark puzzle.
    pub puzzle: Vec<u8>,
    pub answer: Vec<u8>,
    /// The rules with the moved layout.
    pub ruleset: Option<Arc<Ruleset>>,
}

/// The fields of a line as they were read.
struct Original<'e> {
    puzzle: &'e [u8],
    puzzle_case: Case,
    notation: Notation,
    regions: &'e [u8],
    answer: &'e [u8],
    answer_case: Case,
}

/// Writes all entries of a task.
pub(super) fn shuffle(
    settings: &Settings,
    entries: &TaskEntries<'_>,
    batches: &Batches<'_>,
    findings: &[BatchFindings],
    emitter: &mut Emitter<'_, '_>,
) -> ControlFlow<()> {
    let mut shuffler = Shuffler {
        settings,
        findings,
        equivalent: Equivalent::default(),
        output: OutputLines::default(),
    };
    while let Some(next) = emitter.next() {
        match emitter.state_of(next) {
            EntryState::Open { batch, index } => {
                let batch = &batches.all[batch as usize];
                let original = Original::new(settings, entries, &entries.entries[next], batch);
                shuffler.write_puzzle(&original, batch, index as usize, emitter)?;
            }
            _ => emitter.write_other(findings, &mut shuffler.output),
        }
    }
    emitter.emit_written(shuffler.output)
}

impl Shuffler<'_> {
    /// Writes the equivalents of the next entry, which is this puzzle of a batch. Emits them in parts.
    fn write_puzzle(
        &mut self,
        original: &Original<'_>,
        batch: &Batch,
        index: usize,
        emitter: &mut Emitter<'_, '_>,
    ) -> ControlFlow<()> {
        let rules = &batch.rules.ruleset(index).rules;
        let symmetries = self.settings.rulesets.symmetries(rules);
        let number = self.number_of_equivalents();
        for symmetry in symmetries.of_seed(batch.seeds[index]).take(number) {
            self.equivalent.set(original, &symmetry, self.settings);
            emitter.write_equivalent(self.findings, &self.equivalent, &mut self.output);
            if self.output.bytes.len() > EMIT_SIZE {
                emitter.emit_written(std::mem::take(&mut self.output))?;
            }
        }
        emitter.end_equivalents(&mut self.output);
        ControlFlow::Continue(())
    }

    fn number_of_equivalents(&self) -> usize {
        match self.settings.options.mode {
            Mode::Shuffle(number) => usize::try_from(number).unwrap_or(usize::MAX),
            _ => unreachable!("no other mode shuffles"),
        }
    }
}

impl<'e> Original<'e> {
    fn new(
        settings: &Settings,
        entries: &'e TaskEntries<'_>,
        entry: &'e Entry<'_>,
        batch: &Batch,
    ) -> Original<'e> {
        let kept = entries.kept_of(entry);
        let regions = kept.and_then(|kept| kept.fields.regions.as_deref());
        let regions = regions.filter(|_| settings.options.lines_have_layouts());
        let answer = kept.and_then(|kept| kept.fields.answer.as_deref());
        Original {
            puzzle: &entry.shown,
            puzzle_case: entry.case,
            notation: batch.notation(),
            regions: regions.unwrap_or_default(),
            answer: answer
                .filter(|answer| !is_missing(answer))
                .unwrap_or_default(),
            answer_case: kept.map_or(Case::default(), |kept| kept.answer_case),
        }
    }
}

impl Equivalent {
    /// Replaces the fields with the image of `original` under a symmetry.
    fn set(&mut self, original: &Original<'_>, symmetry: &RandomSymmetry, settings: &Settings) {
        let alphabet = &settings.options.alphabet;
        let symbols = renamed_symbols(alphabet, original.puzzle_case, symmetry);
        let rename = |symbol: u8| symbols[usize::from(symbol)];
        match original.notation {
            Notation::Digits => symmetry.move_cells(original.puzzle, &mut self.puzzle, rename),
            Notation::Pencilmarks => self.set_pencilmarks(original.puzzle, symmetry, rename),
        }
        self.regions.clear();
        if !original.regions.is_empty() {
            symmetry.move_cells(original.regions, &mut self.regions, |label| label);
        }
        self.answer.clear();
        if !original.answer.is_empty() {
            let symbols = renamed_symbols(alphabet, original.answer_case, symmetry);
            let rename = |symbol: u8| symbols[usize::from(symbol)];
            symmetry.move_cells(original.answer, &mut self.answer, rename);
        }
        if let OutputFormat::Drawing(_) = settings.format {
            self.set_drawn(original.notation, settings);
        }
    }

    /// Moves the nine symbols of each cell together. Within a cell, symbol d moves to the place of the new digit for d.
    fn set_pencilmarks(
        &mut self,
        marks: &[u8],
        symmetry: &RandomSymmetry,
        rename: impl Fn(u8) -> u8,
    ) {
        let (cells, _) = marks.as_chunks::<9>();
        let mut image = Vec::with_capacity(cells.len());
        symmetry.move_cells(cells, &mut image, |marks: [u8; 9]| {
            let mut moved = marks;
            for (digit, mark) in (1..).zip(marks) {
                moved[usize::from(symmetry.new_digit(digit)) - 1] = rename(mark);
            }
            moved
        });
        self.puzzle.clear();
        self.puzzle.extend_from_slice(image.as_flattened());
    }

    fn set_drawn(&mut self, notation: Notation, settings: &Settings) {
        let side = match notation {
            Notation::Digits => self.puzzle.len().isqrt(),
            Notation::Pencilmarks => 9,
        };
        let digits = |field: &[u8]| {
            let mut digits = Vec::new();
            if field.len() == side * side {
                let read = settings.options.alphabet.read(field, side, &mut digits);
                read.expect("the original has the same symbols");
            }
            digits
        };
        self.drawn = DrawnEquivalent {
            puzzle: digits(&self.puzzle),
            answer: digits(&self.answer),
            ruleset: (!self.regions.is_empty()).then(|| {
                let ruleset = settings.rulesets.of_layout(side, &self.regions);
                ruleset.expect("the symmetry preserves the rules")
            }),
        };
    }

    /// Returns the fields for a CSV record.
    pub fn fields(&self) -> RecordFields<'_> {
        fn unless_empty(field: &[u8]) -> Option<Cow<'_, [u8]>> {
            (!field.is_empty()).then_some(Cow::Borrowed(field))
        }
        RecordFields {
            puzzle: Cow::Borrowed(&self.puzzle),
            regions: unless_empty(&self.regions),
            answer: unless_empty(&self.answer),
            ..RecordFields::default()
        }
    }
}

/// Returns the new symbol for each symbol. Letters get the case of the field; only the symbols of digits change.
fn renamed_symbols(alphabet: &Alphabet, case: Case, symmetry: &RandomSymmetry) -> [u8; 256] {
    let mut renamed = UNCHANGED;
    let new = alphabet.symbols(case);
    for old in [Case::Capital, Case::Small] {
        for (digit, &symbol) in (1..).zip(&alphabet.symbols(old)[..symmetry.side()]) {
            let digit = symmetry.new_digit(digit);
            renamed[usize::from(symbol)] = new[usize::from(digit) - 1];
        }
    }
    renamed
}

const UNCHANGED: [u8; 256] = {
    let mut symbols = [0; 256];
    let mut symbol = 0;
    while symbol < 256 {
        symbols[symbol] = symbol as u8;
        symbol += 1;
    }
    symbols
};
