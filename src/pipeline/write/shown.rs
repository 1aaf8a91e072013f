//! The fields of a puzzle as an output line shows them: as they were read, or as the mode made
//! them. A CSV record can have all of them in one field, which `forms/csv.rs` splits.

use std::borrow::Cow;

use crate::pipeline::batch::Batch;
use crate::pipeline::boards::Cells;
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
use crate::text::symbols::Symbols;
use crate::text::value::Value;
use engine::puzzle::Givens;
use engine::rules::Cage;
use engine::verdict::Status;

/// A missing field is empty or `None`.
pub(in crate::pipeline) struct ShownFields<'p> {
    /// The puzzle before `--reveal` or `--minimize` changes it.
    pub puzzle_read: Givens<'p>,
    /// The puzzle as the column `puzzle` shows it.
    pub puzzle: Cells<'p>,
    pub symbols: Symbols<'p>,
    /// The layout, even if the rules do not use it.
    pub regions: &'p [u8],
    /// With `--verify`, as it was checked.
    pub answer: &'p [u8],
    pub ruleset: &'p Ruleset,
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
        options: &'p Options,
        question: &'p Question<'_>,
        batches: &'p [Batch],
        puzzle: Option<PuzzleView<'p>>,
        status: Status,
    ) -> ShownFields<'p> {
        let puzzle_read = question.givens(batches);
        let after_mode = match puzzle {
            Some(puzzle) if status == Status::Unique => changed(options, puzzle),
            _ => None,
        };
        ShownFields {
            puzzle_read,
            puzzle: after_mode.unwrap_or(Cells::new(puzzle_read)),
            symbols: question.symbols.of_puzzle(&options.alphabet),
            regions: question.regions.as_deref().unwrap_or_default(),
            answer: question.answer.as_deref().unwrap_or_default(),
            ruleset: question.ruleset(batches),
            is_described: question.statement == Statement::Fields,
            constraints: question.constraints().map(|(items, _)| items),
            constraints_are_beside: question.constraints().is_some_and(|(_, it)| it),
            items: &question.items,
        }
    }

    /// Keeps the fields that the equivalent does not have.
    pub fn replace(&mut self, equivalent: &'p Equivalent) {
        self.puzzle_read = equivalent.puzzle.givens();
        self.puzzle = Cells::new(self.puzzle_read);
        self.answer = &equivalent.answer;
        if !equivalent.regions.is_empty() {
            self.regions = &equivalent.regions;
        }
        self.ruleset = equivalent.ruleset.as_deref().unwrap_or(self.ruleset);
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

    /// Returns the puzzle without any rules.
    pub fn grid(&self) -> Value<'_> {
        match &self.puzzle {
            Cells::Digits(digits) => Value::Digits(Cow::Borrowed(digits), self.symbols),
            // In JSON, they can be an array, as in the object that is read.
            Cells::Candidates(_) => Value::Grid(self.grid_text().into()),
        }
    }

    fn grid_text(&self) -> Vec<u8> {
        let mut text = Vec::new();
        match &self.puzzle {
            Cells::Digits(digits) => self.symbols.write(digits, &mut text),
            Cells::Candidates(sets) => self.symbols.write_candidates(sets, &mut text),
        }
        text
    }

    /// Returns the value of the column `puzzle`. With [`RulesPlace::InPuzzle`], the layout and
    /// the cages follow the puzzle in the same field, unless there are columns for them. `header`
    /// is that of a CSV record.
    pub fn puzzle_column(&self, header: Option<&CsvHeader>, settings: &Settings) -> Value<'_> {
        if self.constraints.is_some() {
            return self.puzzle_with_constraints(settings);
        }
        if !matches!(settings.rules_place, RulesPlace::InPuzzle) {
            return self.grid();
        }
        let copies_all = settings.copies_all_fields();
        match header.filter(|_| copies_all) {
            Some(header) => self.joined(header, settings),
            None if self.is_described => {
                let [regions, cages] = self.rules();
                Value::Grid([&*self.grid_text(), &*regions, &*cages].join(&b' ').into())
            }
            None => self.grid(),
        }
    }

    /// The items of a constraint string come before the givens, unless grids are drawn or the
    /// string is in a field of its own.
    fn puzzle_with_constraints(&self, settings: &Settings) -> Value<'_> {
        let Some(rules) = self.rules_in_puzzle().filter(|_| !settings.output.draws()) else {
            return self.grid();
        };
        match &self.puzzle {
            Cells::Digits(digits) if settings.options.mode.writes_other_puzzles() => {
                Value::Grid(with_givens(rules, digits).into())
            }
            _ => Value::grid(rules),
        }
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
        let puzzle = header.map_or_else(|| self.grid(), |header| self.joined(header, settings));
        let [regions, cages] = self.rules();
        let fields = [
            (Field::Puzzle, Some(puzzle)),
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
        let has_cages = !self.ruleset.rules.cages().is_empty();
        let fields = [
            (Field::Puzzle, Some(self.puzzle_with_constraints(settings))),
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
        if is_missing(&text) || self.ruleset.states_rules() {
            return Value::of_field(text);
        }
        let (cages, side) = (self.ruleset.rules.cages(), self.ruleset.rules.side());
        let items = cages.iter().map(|cage| cage_value(cage, side)).collect();
        Value::List { text: text.into(), items }
    }

    fn cages_field(&self) -> Vec<u8> {
        self.ruleset.write_cages(self.ruleset.rules.cages())
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
    fn joined(&self, header: &CsvHeader, settings: &Settings) -> Value<'_> {
        let expected = settings.expected;
        let [regions, cages] = self.rules();
        let has_regions = expected.regions || !regions.is_empty();
        let has_cages = expected.cages || !cages.is_empty();
        let adds_cages = has_cages && !header.has_column(Field::Cages);
        let adds_regions = has_regions && (adds_cages || !header.has_column(Field::Regions));
        if !adds_cages && !adds_regions {
            return self.grid();
        }
        let puzzle = self.grid_text();
        let mut parts = vec![&*puzzle];
        parts.extend(adds_regions.then(|| or_missing(&regions)));
        parts.extend(adds_cages.then(|| or_missing(&cages)));
        Value::Grid(parts.join(&b' ').into())
    }
}

fn changed<'p>(options: &Options, puzzle: PuzzleView<'p>) -> Option<Cells<'p>> {
    if let Some(place) = options.mode.revealed() {
        let cell = place.cell(puzzle.batch.boards.side);
        let mut cells = Cells::new(puzzle.givens());
        cells.set(cell, puzzle.findings.solution(puzzle.index)[cell]);
        return Some(cells);
    }
    let left = options.mode.minimizes().then(|| puzzle.minimized())??;
    Some(Cells::Digits(left.into()))
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
