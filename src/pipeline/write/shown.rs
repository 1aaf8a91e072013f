//! The fields of a puzzle as an output line shows them: as they were read, or as the mode made
//! them. A CSV record can have all of them in one field, which `forms/csv.rs` splits.

use std::borrow::Cow;

use crate::pipeline::batch::Batch;
use crate::pipeline::decode::Statement;
use crate::pipeline::equivalent::Equivalent;
use crate::pipeline::options::Options;
use crate::pipeline::output_form::RulesPlace;
use crate::pipeline::puzzle_view::{PuzzleView, place_value};
use crate::pipeline::question::Question;
use crate::pipeline::rulesets::Ruleset;
use crate::pipeline::settings::Settings;
use crate::text::forms::csv::CsvHeader;
use crate::text::notation::with_givens;
use crate::text::record::{Field, is_missing};
use crate::text::record_rules::RuleItem;
use crate::text::symbols::{Alphabet, CellNotation};
use crate::text::value::Value;
use engine::rules::{Cage, Place};
use engine::verdict::Status;

/// A missing field is empty or `None`.
#[derive(Default)]
pub(in crate::pipeline) struct ShownFields<'p> {
    /// The symbols of the puzzle before `--reveal` or `--minimize` changes it.
    pub puzzle_read: &'p [u8],
    /// The symbols of the puzzle as the column `puzzle` shows it.
    pub puzzle: Cow<'p, [u8]>,
    /// The layout, even if the rules do not use it.
    pub regions: &'p [u8],
    /// With `--verify`, as it was checked.
    pub answer: &'p [u8],
    pub ruleset: Option<&'p Ruleset>,
    pub is_described: bool,
    /// As [`Question::constraints`].
    pub constraints: Option<&'p [u8]>,
    pub constraints_are_beside: bool,
    /// As [`Question::items`].
    pub items: &'p [RuleItem],
}

impl<'p> ShownFields<'p> {
    /// `status` is the status of the puzzle or, with `--verify`, of the answer.
    pub fn of_question(
        options: &Options,
        question: &'p Question<'_>,
        batches: &'p [Batch],
        puzzle: Option<PuzzleView<'p>>,
        status: Status,
    ) -> ShownFields<'p> {
        let fields = &question.fields;
        let regions = fields.regions.as_deref().unwrap_or_default();
        let after_mode = match puzzle {
            Some(puzzle) if status == Status::Unique => changed(options, puzzle, question),
            _ => None,
        };
        ShownFields {
            puzzle_read: &fields.puzzle,
            puzzle: after_mode.map_or(Cow::Borrowed(&*fields.puzzle), Cow::Owned),
            regions: if is_missing(regions) { &[] } else { regions },
            answer: fields.answer.as_deref().unwrap_or_default(),
            ruleset: Some(question.ruleset(batches)),
            is_described: question.statement == Statement::Fields,
            constraints: question.constraints().map(|(items, _)| items),
            constraints_are_beside: question.constraints().is_some_and(|(_, it)| it),
            items: &question.items,
        }
    }

    /// Keeps the fields that the equivalent does not have.
    pub fn replace(&mut self, equivalent: &'p Equivalent) {
        self.puzzle_read = &equivalent.puzzle;
        self.puzzle = Cow::Borrowed(&equivalent.puzzle);
        self.answer = &equivalent.answer;
        if !equivalent.regions.is_empty() {
            self.regions = &equivalent.regions;
        }
        self.ruleset = equivalent.ruleset.as_deref().or(self.ruleset);
        if let Some(rules) = &equivalent.rules {
            self.constraints = Some(rules);
            self.items = &equivalent.items;
        }
    }

    /// Returns the items of a constraint string that the column of the puzzle begins with.
    pub fn rules_in_puzzle(&self) -> Option<&'p [u8]> {
        self.constraints.filter(|rules| !rules.is_empty() && !self.constraints_are_beside)
    }

    /// Returns a field of constraints for the rules of an equivalent. Its puzzle has all givens.
    pub fn constraints_field(&self) -> Option<Value<'static>> {
        Some(Value::of_field(with_givens(self.constraints?, &[])))
    }

    /// Returns the contents of the column `puzzle`. With [`RulesPlace::InPuzzle`], the layout and
    /// the cages follow the puzzle in the same field, unless there are columns for them.
    ///
    /// The items of a constraint string come before the givens, unless grids are drawn.
    pub fn puzzle_column(&self, settings: &Settings) -> Cow<'_, [u8]> {
        if let Some(rules) = self.rules_in_puzzle().filter(|_| !settings.output.draws()) {
            return self.with_constraints(rules, &settings.options);
        }
        if self.constraints.is_some() || !matches!(settings.rules_place, RulesPlace::InPuzzle) {
            return Cow::Borrowed(&self.puzzle);
        }
        let copies_all = settings.output.copies_all_fields(&settings.options);
        match settings.csv_header.get().filter(|_| copies_all) {
            Some(header) => self.joined(header, settings),
            None if self.is_described => {
                let [regions, cages] = self.rules();
                Cow::Owned([&*self.puzzle, &*regions, &*cages].join(&b' '))
            }
            None => Cow::Borrowed(&self.puzzle),
        }
    }

    fn with_constraints(&self, rules: &'p [u8], options: &Options) -> Cow<'_, [u8]> {
        if !options.mode.writes_other_puzzles() {
            return Cow::Borrowed(rules);
        }
        let mut digits = Vec::with_capacity(self.puzzle.len());
        let side = self.ruleset.expect("a puzzle has rules").rules.side();
        let read = options.alphabet.read(&self.puzzle, side, &mut digits);
        read.expect("the puzzle was read before it was changed");
        Cow::Owned(with_givens(rules, &digits))
    }

    /// The fields of an equivalent replace those of the copied record. `header` is `None` for JSON.
    pub fn replaced(
        &self,
        header: Option<&CsvHeader>,
        has_field: impl Fn(Field) -> bool,
        settings: &Settings,
    ) -> Vec<(Field, Value<'_>)> {
        if self.constraints.is_some() {
            return self.replaced_with_constraints(has_field, settings);
        }
        let puzzle = match header {
            Some(header) => self.joined(header, settings),
            None => Cow::Borrowed(&*self.puzzle),
        };
        let [regions, cages] = self.rules();
        let fields = [
            (Field::Puzzle, Some(Value::grid(puzzle))),
            (Field::Regions, unless_empty(regions)),
            (Field::Cages, (!cages.is_empty()).then(|| self.cage_list())),
            (Field::Answer, unless_empty(self.answer.into())),
        ];
        let replaced = fields.into_iter();
        replaced.filter_map(|(field, value)| Some((field, value?))).collect()
    }

    /// A layout and cages beside a constraint string that states them are its own. The string
    /// alone has the moved cages.
    fn replaced_with_constraints(
        &self,
        has_field: impl Fn(Field) -> bool,
        settings: &Settings,
    ) -> Vec<(Field, Value<'_>)> {
        let constraints = self.constraints_field().filter(|_| self.constraints_are_beside);
        let has_layout = !self.regions.is_empty() && has_field(Field::Regions);
        let has_cages = self.ruleset.is_some_and(|it| !it.rules.cages().is_empty());
        let fields = [
            (Field::Puzzle, Some(Value::grid(self.puzzle_column(settings)))),
            (Field::Constraints, constraints),
            (Field::Regions, has_layout.then(|| Value::grid(self.regions))),
            (Field::Cages, (has_cages && has_field(Field::Cages)).then_some(Value::Missing)),
            (Field::Answer, unless_empty(self.answer.into())),
        ];
        let fields = fields.into_iter();
        fields.filter_map(|(field, value)| Some((field, value?))).collect()
    }

    pub fn cages_column(&self, has_objects: bool) -> Value<'static> {
        if has_objects { self.cage_list() } else { Value::of_field(self.cages_field()) }
    }

    /// The value is a list, unless the field also states boxes or diagonals.
    fn cage_list(&self) -> Value<'static> {
        let text = self.cages_field();
        match self.ruleset {
            Some(ruleset) if !is_missing(&text) && !ruleset.states_rules() => {
                let (cages, side) = (ruleset.rules.cages(), ruleset.rules.side());
                Value::List {
                    text: text.into(),
                    items: cages.iter().map(|cage| cage_value(cage, side)).collect(),
                }
            }
            _ => Value::of_field(text),
        }
    }

    fn cages_field(&self) -> Vec<u8> {
        let field = |ruleset: &Ruleset| ruleset.write_cages(ruleset.rules.cages());
        self.ruleset.map(field).unwrap_or_default()
    }

    /// Returns the layout and the cages. For a puzzle that states its rules, `-` takes the place of
    /// an empty field, because the options that read the output expect both fields. If records are
    /// copied, `-` also replaces a field of the record that the puzzle did not use.
    fn rules(&self) -> [Cow<'_, [u8]>; 2] {
        [self.regions.into(), self.cages_field().into()].map(|field: Cow<'_, [u8]>| {
            if field.is_empty() && self.is_described { b"-"[..].into() } else { field }
        })
    }

    /// Returns the puzzle field of a CSV record. The layout and the cages follow, each after a
    /// space, if the header has no column for them, and if the options expect them or they are not
    /// empty. If the cages follow, so does the layout, because a reader expects it before them.
    fn joined(&self, header: &CsvHeader, settings: &Settings) -> Cow<'_, [u8]> {
        let expected = settings.expected;
        let [regions, cages] = self.rules();
        let has_regions = expected.regions || !regions.is_empty();
        let has_cages = expected.cages || !cages.is_empty();
        let adds_cages = has_cages && !header.has_column(Field::Cages);
        let adds_regions = has_regions && (adds_cages || !header.has_column(Field::Regions));
        if !adds_cages && !adds_regions {
            return Cow::Borrowed(&self.puzzle);
        }
        let mut parts = vec![&*self.puzzle];
        parts.extend(adds_regions.then(|| or_missing(&regions)));
        parts.extend(adds_cages.then(|| or_missing(&cages)));
        Cow::Owned(parts.join(&b' '))
    }
}

fn changed(options: &Options, puzzle: PuzzleView<'_>, question: &Question<'_>) -> Option<Vec<u8>> {
    let text = &*question.fields.puzzle;
    if let Some(place) = options.mode.revealed() {
        return Some(with_solved_cell(puzzle, place, question, &options.alphabet));
    }
    let left = options.mode.minimizes().then(|| puzzle.minimized())??;
    let blank = options.alphabet.blank_of(text);
    let symbol_left = |(&symbol, &digit)| if digit == 0 { blank } else { symbol };
    Some(text.iter().zip(left).map(symbol_left).collect())
}

fn with_solved_cell(
    puzzle: PuzzleView<'_>,
    place: Place,
    question: &Question<'_>,
    alphabet: &Alphabet,
) -> Vec<u8> {
    let side = puzzle.batch.boards.side;
    let cell = place.cell(side);
    let digit = puzzle.findings.solution(puzzle.index)[cell];
    let symbol = alphabet.symbol(digit, question.case.kept()) as u8;
    let mut text = question.fields.puzzle.to_vec();
    match puzzle.batch.boards.notation {
        CellNotation::Digits => text[cell] = symbol,
        // The digit keeps its symbol, and the other N - 1 symbols of the cell become blanks.
        CellNotation::Pencilmarks => {
            let blank = alphabet.blank_of(&text);
            let marks = &mut text[cell * side..][..side];
            marks.fill(blank);
            marks[usize::from(digit) - 1] = symbol;
        }
    }
    text
}

fn cage_value(cage: &Cage, side: usize) -> Value<'static> {
    let cells = cage.cells().iter().map(|&cell| place_value(cell.into(), side)).collect();
    let mut members = vec![("cells", Value::list(cells, " "))];
    members.extend(cage.sum.map(|sum| ("sum", Value::Integer(sum.into()))));
    let text = Cow::default();
    Value::Object { text, members }
}

fn unless_empty(field: Cow<'_, [u8]>) -> Option<Value<'_>> {
    (!field.is_empty()).then(|| Value::grid(field))
}

fn or_missing(field: &[u8]) -> &[u8] {
    if field.is_empty() { b"-" } else { field }
}
