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
use super::rulesets::{Ruleset, Rulesets, SymmetryKey};
use super::settings::{OutputFormat, Settings};
use crate::canonical::{RandomSymmetries, RandomSymmetry};
use crate::rules::{Cage, Rules};
use crate::stream::OutputLines;
use crate::text::record::{RecordFields, is_missing};
use crate::text::symbols::{Alphabet, Case};

/// The number of bytes of output lines after which they are emitted.
const EMIT_SIZE: usize = 64 << 10;

/// Writes the puzzles of a task. Keeps the memory for an equivalent.
struct Shuffler<'p> {
    settings: &'p Settings,
    findings: &'p [BatchFindings],
    /// The symmetries of the last puzzle.
    symmetries: Option<(SymmetryKey, Arc<RandomSymmetries>)>,
    equivalent: Equivalent,
    /// The output lines that are not emitted yet.
    output: OutputLines,
}

/// The fields of a line, changed by a symmetry. A field that the line does not have is empty.
#[derive(Default)]
pub(super) struct Equivalent {
    pub puzzle: Vec<u8>,
    /// The layout, if the line brings one.
    pub regions: Vec<u8>,
    pub cages: Vec<u8>,
    pub moved_cages: Vec<Cage>,
    pub answer: Vec<u8>,
    pub drawn: DrawnEquivalent,
}

/// The values that grids are drawn from. Empty if none are drawn.
#[derive(Default)]
pub(super) struct DrawnEquivalent {
    /// The digits of the puzzle; empty for a pencilmark puzzle.
    pub puzzle: Vec<u8>,
    pub answer: Vec<u8>,
    /// The rules with the moved layout and cages.
    pub ruleset: Option<Arc<Ruleset>>,
}

/// The fields of a line as they were read.
struct Original<'e> {
    puzzle: &'e [u8],
    puzzle_case: Case,
    notation: Notation,
    regions: &'e [u8],
    ruleset: &'e Ruleset,
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
        symmetries: None,
        equivalent: Equivalent::default(),
        output: OutputLines::default(),
    };
    while let Some(next) = emitter.next() {
        match emitter.state_of(next) {
            EntryState::Open { batch, index } => {
                let batch = &batches.all[batch as usize];
                let index = index as usize;
                let ruleset = batch.rules.ruleset(index);
                let original =
                    Original::new(settings, entries, &entries.entries[next], batch, ruleset);
                shuffler.write_puzzle(&original, batch.seeds[index], emitter)?;
            }
            _ => emitter.write_other(findings, &mut shuffler.output),
        }
    }
    emitter.emit_written(shuffler.output)
}

impl Shuffler<'_> {
    /// Writes the equivalents of the next entry, whose fields are `original`. Emits them in parts.
    fn write_puzzle(
        &mut self,
        original: &Original<'_>,
        seed: u64,
        emitter: &mut Emitter<'_, '_>,
    ) -> ControlFlow<()> {
        let symmetries = self.symmetries_of(original);
        let number = self.number_of_equivalents();
        for symmetry in symmetries.of_seed(seed).take(number) {
            self.equivalent.set(original, &symmetry, self.settings);
            emitter.write_equivalent(self.findings, &self.equivalent, &mut self.output);
            if self.output.bytes.len() > EMIT_SIZE {
                emitter.emit_written(std::mem::take(&mut self.output))?;
            }
        }
        emitter.end_equivalents(&mut self.output);
        ControlFlow::Continue(())
    }

    fn symmetries_of(&mut self, original: &Original<'_>) -> Arc<RandomSymmetries> {
        let rulesets = &self.settings.rulesets;
        let key = rulesets.symmetry_key(original.ruleset);
        match &self.symmetries {
            Some((last, symmetries)) if *last == key => Arc::clone(symmetries),
            _ => {
                let symmetries = rulesets.symmetries(key, &original.ruleset.rules);
                self.symmetries = Some((key, Arc::clone(&symmetries)));
                symmetries
            }
        }
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
        ruleset: &'e Ruleset,
    ) -> Original<'e> {
        let kept = entries.kept_of(entry);
        let regions = kept.and_then(|kept| kept.fields.regions.as_deref());
        let has_layout =
            !ruleset.rules.jigsaw_regions().is_empty() && settings.options.regions.is_none();
        let regions = regions.filter(|_| has_layout);
        let answer = kept.and_then(|kept| kept.fields.answer.as_deref());
        Original {
            puzzle: &entry.shown,
            puzzle_case: entry.case,
            notation: batch.notation(),
            regions: regions.unwrap_or_default(),
            ruleset,
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
        self.set_cages(original, symmetry, &settings.rulesets);
        self.answer.clear();
        if !original.answer.is_empty() {
            let symbols = renamed_symbols(alphabet, original.answer_case, symmetry);
            let rename = |symbol: u8| symbols[usize::from(symbol)];
            symmetry.move_cells(original.answer, &mut self.answer, rename);
        }
        if let OutputFormat::Drawing(_) = settings.format {
            self.set_drawn(original, settings);
        }
    }

    /// Sets the cages and their column.
    fn set_cages(
        &mut self,
        original: &Original<'_>,
        symmetry: &RandomSymmetry,
        rulesets: &Rulesets,
    ) {
        self.cages.clear();
        self.moved_cages.clear();
        let ruleset = original.ruleset;
        if ruleset.rules.cages().is_empty() {
            return ruleset.write_cages(&mut self.cages);
        }
        self.moved_cages = moved_cages(&ruleset.rules, symmetry);
        let moved = rulesets.with_cages(ruleset, self.moved_cages.clone());
        let moved = moved.expect("a symmetry keeps cages apart");
        moved.write_cages(&mut self.cages);
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

    fn set_drawn(&mut self, original: &Original<'_>, settings: &Settings) {
        let side = original.ruleset.rules.side();
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
            ruleset: self.moved_ruleset(original, settings),
        };
    }

    /// Returns the rules with the moved layout and cages, or `None` if the line has neither.
    fn moved_ruleset(&self, original: &Original<'_>, settings: &Settings) -> Option<Arc<Ruleset>> {
        let (rulesets, rules) = (&settings.rulesets, &original.ruleset.rules);
        let (family, cages) = (original.ruleset.family, rules.cages());
        if self.regions.is_empty() && cages.is_empty() {
            return None;
        }
        let moved = match self.regions.is_empty() {
            true => rulesets.of_family(family),
            false => rulesets.of_layout(family, &self.regions),
        };
        let moved = moved.expect("the symmetry preserves the rules");
        if cages.is_empty() {
            return Some(moved);
        }
        let moved = rulesets.with_cages(&moved, self.moved_cages.clone());
        Some(moved.expect("a symmetry keeps cages apart"))
    }

    /// Returns the fields for a CSV record.
    pub fn fields(&self) -> RecordFields<'_> {
        fn unless_empty(field: &[u8]) -> Option<Cow<'_, [u8]>> {
            (!field.is_empty()).then_some(Cow::Borrowed(field))
        }
        RecordFields {
            puzzle: Cow::Borrowed(&self.puzzle),
            regions: unless_empty(&self.regions),
            cages: unless_empty(&self.cages),
            answer: unless_empty(&self.answer),
            ..RecordFields::default()
        }
    }
}

/// Returns the cages at their new places, in the order of their first cells.
fn moved_cages(rules: &Rules, symmetry: &RandomSymmetry) -> Vec<Cage> {
    let mut moved: Vec<Option<usize>> = Vec::new();
    symmetry.move_cells(&rules.cage_of_cells(), &mut moved, |cage| cage);
    let mut cells = vec![Vec::new(); rules.cages().len()];
    let mut order = Vec::new();
    for (cell, &cage) in (0..).zip(&moved) {
        let Some(cage) = cage else { continue };
        if cells[cage].is_empty() {
            order.push(cage);
        }
        cells[cage].push(cell);
    }
    let cages = order.into_iter().map(|cage| {
        let moved = std::mem::take(&mut cells[cage]);
        Cage::new(rules.side(), moved, rules.cages()[cage].sum)
    });
    cages
        .collect::<Result<_, _>>()
        .expect("a cage moves as a whole")
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
