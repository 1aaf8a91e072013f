//! The kinds of puzzle fields, found by looking at the field once.

use std::borrow::Cow;

use crate::pipeline::settings::Settings;
use crate::text::notation::{DescribedPuzzle, is_cage_list};
use crate::text::record::{FieldSet, RecordFields, given};
use engine::error::InvalidInput;

/// The contents of a puzzle field.
pub(in crate::pipeline) enum PuzzleKind {
    Missing,
    /// A puzzle with its rules in a notation of its own, or what is wrong with it.
    Described(Result<Box<DescribedPuzzle>, InvalidInput>),
    /// Equally long parts with a symbol for each cell: the puzzle, its layout if `regions` is set,
    /// and its cages (arrows) if `cages` is set.
    Parts(FieldSet),
    /// The cages of a killer without givens, from their own field.
    Cages,
    /// The symbols of the puzzle alone. In a killer without a field of cages, possibly the cages.
    Symbols,
}

/// The fields of a record, and what its puzzle field holds.
pub(in crate::pipeline) struct KnownFields<'a> {
    pub kind: PuzzleKind,
    pub fields: RecordFields<'a>,
}

impl<'a> KnownFields<'a> {
    pub fn new(mut fields: RecordFields<'a>, settings: &Settings) -> KnownFields<'a> {
        let kind = PuzzleKind::of(&mut fields.puzzle, settings);
        let is_in_cages = matches!(kind, PuzzleKind::Missing)
            && given(&fields.cages).is_some()
            && given(&fields.constraints).is_none();
        if is_in_cages {
            return KnownFields::in_cages(fields, settings);
        }
        KnownFields { kind, fields }
    }

    /// The field of the cages can be any notation of a killer.
    fn in_cages(mut fields: RecordFields<'a>, settings: &Settings) -> KnownFields<'a> {
        fields.puzzle = fields.cages.take().unwrap_or_default();
        let kind = match PuzzleKind::of(&mut fields.puzzle, settings) {
            PuzzleKind::Symbols => PuzzleKind::Cages,
            kind => kind,
        };
        KnownFields { kind, fields }
    }

    /// Returns the fields with these symbols as the puzzle.
    pub fn with_symbols(
        symbols: impl Into<Cow<'a, [u8]>>,
        fields: RecordFields<'a>,
    ) -> KnownFields<'a> {
        let fields = RecordFields { puzzle: symbols.into(), ..fields };
        KnownFields { kind: PuzzleKind::Symbols, fields }
    }
}

impl PuzzleKind {
    /// Also removes the marks of HoDoKu from the field.
    ///
    /// A list of cages is such a list alone, whatever its length. If the options expect both a
    /// layout and cages, a field of two parts has a layout.
    ///
    /// Two or three times a square number is not a square number, so the length of several parts is
    /// never that of a puzzle alone.
    pub fn of(field: &mut Cow<'_, [u8]>, settings: &Settings) -> PuzzleKind {
        if field.is_empty() {
            return PuzzleKind::Missing;
        }
        if let Some(described) = DescribedPuzzle::decode(field) {
            return PuzzleKind::Described(described.map(Box::new));
        }
        if is_cage_list(field) {
            return PuzzleKind::Symbols;
        }
        let options = &settings.options;
        if let Cow::Owned(unmarked) = options.alphabet.without_marks(field) {
            *field = unmarked.into();
        }
        if options.pencilmarks && settings.rulesets.sizes.side_of_pencilmarks(field.len()).is_some()
        {
            return PuzzleKind::Symbols;
        }
        let FieldSet { regions, cages, .. } = settings.expected;
        // True if the field can be this many grids of one size, one after the other.
        let is_made_of = |parts: usize| {
            let cells = field.len() / parts;
            field.len() == parts * cells && settings.rulesets.sizes.find(cells).is_some()
        };
        if regions && cages && is_made_of(3) {
            return PuzzleKind::Parts(FieldSet::of_rules(true, true));
        }
        if (regions || cages) && is_made_of(2) {
            return PuzzleKind::Parts(FieldSet::of_rules(regions, !regions));
        }
        PuzzleKind::Symbols
    }

    /// A line has no fields for what the field of the puzzle includes.
    pub fn includes(&self, settings: &Settings) -> FieldSet {
        match self {
            PuzzleKind::Missing | PuzzleKind::Cages | PuzzleKind::Symbols => FieldSet::default(),
            PuzzleKind::Parts(parts) => *parts,
            PuzzleKind::Described(Err(_)) => FieldSet::of_rules(true, true),
            PuzzleKind::Described(Ok(described)) => {
                let beside = settings.rulesets.fields_beside(described);
                let expected = settings.expected;
                let includes_regions = !beside.regions || !expected.regions;
                FieldSet::of_rules(includes_regions, !beside.cages || !expected.cages)
            }
        }
    }
}
