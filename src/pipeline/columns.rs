//! The value of each column, from an entry and its findings. `write.rs` writes them in the form of
//! the output.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use super::batch::Batch;
use super::entry::{Entry, EntryState, ExtraFields, TaskEntries};
use super::equivalent::Equivalent;
use super::findings::{BatchFindings, Minimality, SearchDetails};
use super::options::{Input, Mode};
use super::parts::PuzzleParts;
use super::rulesets::Ruleset;
use super::settings::{OutputFormat, Settings};
use crate::canonical::cages_of_image;
use crate::error::escaped;
use crate::pencil::{Contradiction, Difficulty, End, Paper, Pencil, Step, Technique};
use crate::puzzle::Givens;
use crate::rules::{Cage, Place};
use crate::solver::GuessLimit;
use crate::text::columns::{Column, OutputColumn};
use crate::text::forms::csv_records::unescaped;
use crate::text::forms::json::JsonObject;
use crate::text::record::{Field, is_missing, without_mark};
use crate::text::symbols::Case;
use crate::text::value::{Digits, Value};
use crate::verdict::Status;
use crate::verify::visible_contradiction;

/// An entry and the results that one of its output lines shows.
pub(super) struct EntryView<'p, 'a> {
    pub settings: &'p Settings,
    pub entries: &'p TaskEntries<'a>,
    pub entry: &'p Entry<'a>,
    /// The index of the entry in its task.
    pub index: usize,
    pub status: Status,
    /// The puzzle in its batch. `None` if the line is rejected, or if its answer was checked and
    /// the puzzle not solved.
    pub puzzle: Option<PuzzleView<'p>>,
    /// The solution to write. With `--all`, that of this output line, if it has one. In other
    /// modes, the first one found, if the findings about the puzzle have the status `unique`
    /// or `multiple`.
    pub solution: Option<&'p [u8]>,
    /// True if the line shows an equivalent, with `--shuffle`.
    pub is_equivalent: bool,
    pub fields: ShownFields<'p>,
    /// The object of a JSON line, parsed when it is first needed. `None` if it is not one.
    pub object: OnceCell<Option<JsonObject<'a>>>,
    /// Scratch: the memory that [`Pencil`] works in.
    pub paper: &'p RefCell<Paper>,
    /// The grade, its level and the number of steps of the puzzle, computed once for these
    /// columns.
    pub grading: OnceCell<(&'static str, Option<usize>, u32)>,
}

/// The fields that an output line shows: those of the line, or those of its equivalent. Empty or
/// `None` if they are missing, or not kept because no column shows them.
#[derive(Default)]
pub(super) struct ShownFields<'p> {
    /// The symbols of the puzzle, before `--reveal` or `--minimize` changes it.
    pub puzzle: &'p [u8],
    /// The layout, even if the rules do not use it.
    pub regions: &'p [u8],
    pub answer: &'p [u8],
    /// The rules of the puzzle, with its cages.
    pub ruleset: Option<&'p Ruleset>,
}

impl<'p> ShownFields<'p> {
    /// Returns the fields of a line.
    pub fn of_line(
        settings: &Settings,
        entry: &'p Entry<'_>,
        kept: Option<&'p ExtraFields<'_>>,
        puzzle: Option<PuzzleView<'p>>,
    ) -> ShownFields<'p> {
        let field = |read: Option<&'p Cow<'_, [u8]>>| read.map_or(&[][..], |field| &**field);
        let fields = kept.map(|kept| &kept.fields);
        let regions = field(fields.and_then(|fields| fields.regions.as_ref()));
        let answer = field(fields.and_then(|fields| fields.answer.as_ref()));
        let (puzzle_field, answer) = match settings.options.mode {
            Mode::Verify { .. } => (field(fields.map(|fields| &fields.puzzle)), &*entry.shown),
            _ => (&*entry.shown, answer),
        };
        ShownFields {
            puzzle: puzzle_field,
            regions: if is_missing(regions) { &[] } else { regions },
            answer,
            ruleset: match puzzle {
                Some(puzzle) => Some(puzzle.ruleset()),
                None => kept.and_then(|kept| kept.ruleset.as_deref()),
            },
        }
    }

    /// Replaces the fields by those of an equivalent, as far as it has them.
    pub fn replace(&mut self, equivalent: &'p Equivalent) {
        self.puzzle = &equivalent.puzzle;
        self.answer = &equivalent.answer;
        if !equivalent.regions.is_empty() {
            self.regions = &equivalent.regions;
        }
        self.ruleset = equivalent.ruleset.as_deref().or(self.ruleset);
    }
}

/// The reason why the library accepts the puzzles of a batch.
const FITS: &str = "the puzzle fits its rules";

/// A puzzle of a batch.
#[derive(Clone, Copy)]
pub(super) struct PuzzleView<'p> {
    pub batch: &'p Batch,
    pub findings: &'p BatchFindings,
    /// Its index in the batch.
    pub index: usize,
}

impl<'p, 'a> EntryView<'p, 'a> {
    /// Returns the columns of the line.
    pub fn columns(&self) -> &'p [OutputColumn] {
        let has_own_columns = match self.settings.format {
            OutputFormat::Csv { .. } => false,
            // The copy of the object has the keys of the equivalent.
            OutputFormat::Json { copies } => !(copies && self.is_equivalent),
            _ => true,
        };
        if has_own_columns && self.writes_rules_as_fields() {
            &self.settings.columns_with_rules
        } else {
            &self.settings.options.columns
        }
    }

    /// Returns the value of each column.
    pub fn values(&self) -> impl Iterator<Item = Value<'_>> {
        let columns = self.columns();
        // A rejected line takes the place of the first grid.
        let first_grid = match self.entry.is_rejected() {
            true => columns.iter().position(|shown| shown.column.shows_grid()),
            false => None,
        };
        let indexed = columns.iter().enumerate();
        indexed.map(move |(index, shown)| match Some(index) == first_grid {
            true => self.rejected_line(),
            false => self.value(&shown.column),
        })
    }

    /// Returns the value of a column, except that of a grid in a rejected line.
    pub fn value(&self, column: &Column) -> Value<'_> {
        let texts = |text: &'p [u8]| Value::Text(Cow::Borrowed(text));
        match column {
            Column::Input => Value::Text(self.line()),
            Column::File => Value::text(escaped(self.entries.task.source_name, usize::MAX)),
            Column::Line => Value::Integer(self.entries.number(self.index)),
            Column::Status => texts(self.status.name().as_bytes()),
            Column::Reason => self.reason(),
            _ if self.entry.is_rejected() => Value::Missing,
            Column::Puzzle => Value::grid(self.puzzle_column()),
            Column::Answer => Value::grid(self.fields.answer),
            Column::Regions => Value::of_field(self.regions_column()),
            Column::Cages => self.cages(),
            Column::Rest => Value::of_field(self.kept().map_or(&[][..], |it| it.fields.rest)),
            Column::Carried(name) => self.carried(name),
            Column::Solution => match self.solution {
                Some(solution) => self.digits(solution),
                None => Value::grid(self.fields.puzzle),
            },
            Column::Differ => self.differing_cells(),
            Column::Second => self
                .second()
                .map_or(Value::Missing, |grid| self.digits(grid)),
            Column::Solutions => self.number_of_solutions(),
            Column::Guesses => match self.puzzle {
                Some(puzzle) => Value::Integer(puzzle.details().guesses),
                None => Value::Missing,
            },
            Column::Givens => Value::number(Some(self.number_of_givens())),
            Column::Blanks => Value::number(Some(self.number_of_blanks())),
            Column::Matching => Value::number(self.matching()),
            Column::Score => Value::decimal(self.score()),
            Column::Conflicts => Value::number(self.kept().map(|it| it.conflicts)),
            Column::Hint => self.hint(),
            Column::Difficulty => Value::decimal(self.difficulty().map(|it| it.to_string())),
            Column::Grade | Column::Level | Column::Steps => self.grading(column),
            Column::Path | Column::Techniques | Column::Boards => self.solution_steps(column),
            Column::Pencilmarks => self.pencilmarks(),
            Column::Minimal => self.minimal(),
            Column::Candidates => self.sets(self.puzzle.and_then(PuzzleView::candidates)),
            Column::Canonical => self.canonical(),
        }
    }

    /// Returns a rejected line. Among other columns, it stays one column, with spaces in place of
    /// its tabs. JSON escapes tabs.
    fn rejected_line(&self) -> Value<'p> {
        let mut line = self.line();
        let keeps_tabs = matches!(self.settings.format, OutputFormat::Json { .. });
        if !keeps_tabs && line.contains(&b'\t') {
            let tabs = line.to_mut().iter_mut().filter(|byte| **byte == b'\t');
            tabs.for_each(|byte| *byte = b' ');
        }
        Value::Text(line)
    }

    /// Returns the input line. A CSV record can have several lines.
    fn line(&self) -> Cow<'p, [u8]> {
        match self.settings.options.input {
            Input::Csv => unescaped(self.entry.line),
            _ => self.entry.line.into(),
        }
    }

    /// Returns a grid of these digits.
    fn digits(&self, digits: &'p [u8]) -> Value<'p> {
        Value::Digits(Digits {
            digits,
            alphabet: &self.settings.options.alphabet,
            case: self.entry.case,
        })
    }

    /// Returns the reason why the line is rejected, its answer is incorrect, its puzzle is `none`
    /// or `unknown`, or its column `minimal` or `candidates` has no value. Missing for other
    /// lines, if only a search shows that the puzzle is `none`, and if it is not known which
    /// limit is the reason.
    fn reason(&self) -> Value<'_> {
        if let Some(reason) = self.entries.reason_of(self.entry) {
            return Value::Text(reason.as_bytes().into());
        }
        let reason = match (self.status, self.puzzle) {
            (Status::None, Some(puzzle)) => {
                let rules = &puzzle.ruleset().rules;
                let symbol = |digit| self.symbol(digit);
                visible_contradiction(rules, puzzle.givens(), symbol).or_else(|| {
                    let (contradiction, _) = self.contradiction(puzzle)?;
                    Some(contradiction.text(symbol))
                })
            }
            (Status::Unknown, Some(puzzle)) => self.limit_reached(puzzle).map(str::to_string),
            (_, Some(puzzle)) if puzzle.findings.reached_later_limit(puzzle.index) => {
                self.only_limit().map(str::to_string)
            }
            _ => None,
        };
        reason.map_or(Value::Missing, Value::text)
    }

    /// Returns the only limit of the options: `guesses` or `time`. `None` if there are both.
    fn only_limit(&self) -> Option<&'static str> {
        let options = &self.settings.options;
        match (options.max_time, options.max_guesses) {
            (None, _) => Some("guesses"),
            (_, GuessLimit::None) => Some("time"),
            _ => None,
        }
    }

    /// Returns the limit that ended the search of an `unknown` puzzle: `guesses` or `time`, or
    /// `exact` if `--exact` is the reason. `None` if the guesses do not show which limit it
    /// was.
    fn limit_reached(&self, puzzle: PuzzleView<'_>) -> Option<&'static str> {
        let options = &self.settings.options;
        if options.exact && puzzle.details().complete {
            return Some("exact");
        }
        match (self.only_limit(), options.max_guesses) {
            (Some(limit), _) => Some(limit),
            // More than two solutions are wanted. Then the number of guesses does not always show
            // the limit: each solution raises the default limit
            // (`GuessLimit::Default`), and `--all` does not record the guesses of its second
            // search.
            _ if options.limits().solutions > 2 => None,
            (_, limit) => {
                let max_guesses = limit.for_rules(&puzzle.ruleset().rules);
                let is_time = puzzle.details().guesses < max_guesses;
                Some(if is_time { "time" } else { "guesses" })
            }
        }
    }

    /// Returns the contents of the column `puzzle`. If the output shows the rules, a CSV record
    /// without columns for them has the layout and the cages in the same field.
    fn puzzle_column(&self) -> Cow<'_, [u8]> {
        let puzzle = self.changed_puzzle();
        match (self.settings.format, self.settings.header()) {
            _ if !self.settings.puzzle_has_rules => puzzle,
            (OutputFormat::Csv { copies: true }, Some(header)) => {
                let parts = self.parts(puzzle);
                Cow::Owned(
                    parts
                        .joined_for(header, &self.settings.options)
                        .into_owned(),
                )
            }
            (OutputFormat::Csv { .. }, _) if self.is_described() => {
                Cow::Owned(self.parts(puzzle).separated())
            }
            _ => puzzle,
        }
    }

    /// Returns the parts of a puzzle field with its rules.
    fn parts<'f>(&'f self, puzzle: Cow<'f, [u8]>) -> PuzzleParts<'f> {
        PuzzleParts {
            puzzle,
            regions: self.or_missing_rules(self.fields.regions.into()),
            cages: self.or_missing_rules(self.cages_field().into()),
        }
    }

    /// Returns true if the puzzle field of the line states the rules of the puzzle.
    fn is_described(&self) -> bool {
        self.kept().is_some_and(|kept| kept.described.is_some())
    }

    /// Returns true if the puzzle field of the line states the rules, and the output line writes
    /// the puzzle in fields instead.
    pub fn writes_rules_as_fields(&self) -> bool {
        // With `--shuffle`, the CSV record or JSON object itself shows the equivalent.
        let is_in_record = self.is_equivalent && self.settings.options.copies_records();
        (self.settings.puzzle_has_rules || is_in_record) && self.is_described()
    }

    /// Returns the values that replace fields of a CSV record or a JSON object. Empty if the output
    /// line shows no equivalent.
    pub fn changed_fields(&self) -> Vec<(Field, Value<'_>)> {
        if !self.is_equivalent {
            return Vec::new();
        }
        let mut changed = Vec::new();
        let PuzzleParts {
            puzzle,
            regions,
            cages,
        } = self.parts(self.fields.puzzle.into());
        let puzzle = match self.settings.header() {
            Some(header) => {
                let parts = self.parts(puzzle);
                let joined = parts.joined_for(header, &self.settings.options);
                Cow::Owned(joined.into_owned())
            }
            None => puzzle,
        };
        changed.push((Field::Puzzle, Value::grid(puzzle)));
        if !regions.is_empty() {
            changed.push((Field::Regions, Value::grid(regions)));
        }
        if !cages.is_empty() {
            changed.push((Field::Cages, self.cages()));
        }
        if !self.fields.answer.is_empty() {
            changed.push((Field::Answer, Value::grid(self.fields.answer)));
        }
        changed
    }

    /// Returns the symbols of the puzzle. With `--reveal` and `--minimize`, a puzzle with status
    /// `unique` is returned as the mode changed it.
    fn changed_puzzle(&self) -> Cow<'_, [u8]> {
        let options = &self.settings.options;
        let text = self.fields.puzzle;
        let (Some(puzzle), Status::Unique) = (self.puzzle, self.status) else {
            return Cow::Borrowed(text);
        };
        match options.mode {
            Mode::Reveal(place) => {
                let solution = puzzle.findings.solution(puzzle.index);
                Cow::Owned(self.with_cell(text, place.cell(solution.len().isqrt()), solution))
            }
            Mode::Minimize => {
                let left = puzzle.minimized().unwrap_or_default();
                let blank = options.alphabet.blank_of(text);
                let cells = text.iter().zip(left);
                let kept = cells.map(|(&symbol, &digit)| if digit == 0 { blank } else { symbol });
                Cow::Owned(kept.collect())
            }
            _ => Cow::Borrowed(text),
        }
    }

    /// Returns the digits of a field. `None` if it is not a grid of the puzzle's side, or if its
    /// rules are not known.
    pub fn digits_of(&self, field: &[u8]) -> Option<Vec<u8>> {
        let rules = &self.fields.ruleset?.rules;
        let alphabet = &self.settings.options.alphabet;
        let mut digits = Vec::new();
        let is_grid =
            field.len() == rules.cells() && alphabet.read(field, rules.side(), &mut digits).is_ok();
        is_grid.then_some(digits)
    }

    fn kept(&self) -> Option<&'p ExtraFields<'a>> {
        self.entries.kept_of(self.entry)
    }

    /// Returns the value of the column `regions`: the layout of `--regions`, if the variants use
    /// it, otherwise that of the equivalent or the line.
    fn regions_column(&self) -> &'p [u8] {
        let options = &self.settings.options;
        match &options.regions {
            Some(regions) if options.variants.have_regions() => regions,
            _ => self.fields.regions,
        }
    }

    /// Returns the cages, in a notation that a field of the input can have.
    fn cages_field(&self) -> Vec<u8> {
        let field = |ruleset: &Ruleset| ruleset.write_cages(ruleset.rules.cages());
        self.fields.ruleset.map(field).unwrap_or_default()
    }

    /// Returns the value of the column `cages`. It is a list, unless the field also states boxes
    /// or diagonals.
    fn cages(&self) -> Value<'_> {
        let text = self.cages_field();
        match self.fields.ruleset {
            Some(ruleset) if !is_missing(&text) && !ruleset.states_rules() => {
                let cages = ruleset.rules.cages().iter();
                let items = cages
                    .map(|cage| cage_value(cage, ruleset.rules.side()))
                    .collect();
                let text = text.into();
                Value::List { text, items }
            }
            _ => Value::of_field(text),
        }
    }

    /// Returns a layout or cages. For a puzzle that states its rules, `-` takes the place of an
    /// empty field: what the record has in that field is not used, and the options that read
    /// the output expect both fields.
    fn or_missing_rules<'f>(&self, field: Cow<'f, [u8]>) -> Cow<'f, [u8]> {
        match field.is_empty() && self.is_described() {
            true => Cow::Borrowed(b"-"),
            false => field,
        }
    }

    /// Returns a field that is only copied to the output, by its name in `--fields`, in the header
    /// of CSV or among the keys of JSON. Missing if the record ends before it.
    fn carried(&self, name: &str) -> Value<'_> {
        let index = match &self.settings.options.input {
            Input::Named(names) => names.index_of(name),
            Input::Csv => self
                .settings
                .header()
                .and_then(|header| header.index_of(name)),
            _ => {
                return self
                    .object()
                    .map_or(Value::Missing, |object| object.value(name));
            }
        };
        let field = index.and_then(|index| self.kept()?.fields.named.get(index));
        field.map_or(Value::Missing, |field| Value::of_field(&**field))
    }

    /// Returns the object of a JSON line, or `None` if the line is none.
    pub fn object(&self) -> Option<&JsonObject<'a>> {
        let parse = || JsonObject::parse(without_mark(self.entry.line)).ok();
        self.object.get_or_init(parse).as_ref()
    }

    /// Returns the symbols of a puzzle, with the digit of the solution in this cell.
    fn with_cell(&self, text: &[u8], cell: usize, solution: &[u8]) -> Vec<u8> {
        let alphabet = &self.settings.options.alphabet;
        let symbol = alphabet.symbol(solution[cell], self.entry.case) as u8;
        let mut text = text.to_vec();
        if text.len() == solution.len() {
            text[cell] = symbol;
        } else {
            // A pencilmark puzzle has N symbols in each cell. In `cell`, the solution's digit keeps
            // its symbol, and all other symbols become blanks.
            let side = solution.len().isqrt();
            let blank = alphabet.blank_of(&text);
            let marks = &mut text[cell * side..][..side];
            marks.fill(blank);
            marks[usize::from(solution[cell]) - 1] = symbol;
        }
        text
    }

    /// Returns the number of givens of the puzzle that the column `puzzle` shows, including a cell
    /// that `--reveal` filled. In a pencilmark puzzle, a cell with exactly one candidate counts
    /// as a given. Returns 0 if the answer was only checked and nothing is kept of the puzzle.
    fn number_of_givens(&self) -> usize {
        let Some(puzzle) = self.puzzle else {
            return self.kept().map_or(0, |kept| kept.number_of_givens);
        };
        let is_revealed =
            matches!(self.settings.options.mode, Mode::Reveal(_)) && self.status == Status::Unique;
        // An equivalent has as many givens as its original.
        puzzle.givens_left().count() + usize::from(is_revealed)
    }

    /// Returns the number of cells of the puzzle that `number_of_givens` does not count.
    fn number_of_blanks(&self) -> usize {
        let cells = self
            .fields
            .ruleset
            .map_or(0, |ruleset| ruleset.rules.cells());
        cells - self.number_of_givens()
    }

    /// Returns the number of blank cells in which the answer has the digit of the only solution.
    /// `None` unless `unique_puzzle` returns the puzzle.
    fn matching(&self) -> Option<usize> {
        let (puzzle, kept) = (self.unique_puzzle()?, self.kept()?);
        let (givens, solution) = (puzzle.givens(), puzzle.findings.solution(puzzle.index));
        let is_blank = |&cell: &usize| !givens.is_given(cell);
        let matches = |&cell: &usize| kept.answer[cell] == solution[cell];
        let matching = (0..solution.len()).filter(is_blank).filter(matches);
        Some(matching.count())
    }

    /// Returns the result of `matching` divided by the number of blank cells, with four decimals.
    /// `None` if `matching` returns `None` or there is no blank cell.
    fn score(&self) -> Option<String> {
        match (self.matching()?, self.number_of_blanks()) {
            (matching, blanks @ 1..) => Some(format!("{:.4}", matching as f64 / blanks as f64)),
            _ => None,
        }
    }

    /// Returns the second solution that was found, if it is stored and the output line shows a
    /// solution. `shown` holds the solutions one after the other, so the second one begins
    /// after one grid.
    fn second(&self) -> Option<&'p [u8]> {
        let cells = self.solution?.len();
        self.puzzle?.details().shown.get(cells..2 * cells)
    }

    /// Returns the cells in which the first two solutions differ. Missing if two are not stored.
    fn differing_cells(&self) -> Value<'_> {
        let Some(puzzle) = self.puzzle else {
            return Value::Missing;
        };
        let cells = puzzle.batch.cells;
        let shown = &puzzle.details().shown;
        if shown.len() < 2 * cells {
            return Value::Missing;
        }
        let differ = |&cell: &usize| shown[cell] != shown[cells + cell];
        let places = (0..cells)
            .filter(differ)
            .map(|cell| Place::of(cell, cells.isqrt()));
        Value::list(
            places.map(|place| Value::text(place.to_string())).collect(),
            ",",
        )
    }

    /// Returns the number of solutions, such as `2`. Adds a `+`, as in `2+`, if there are more, or
    /// if the search ended before it could rule that out. Missing if the search found no
    /// solution before it ended at a limit, or if no puzzle was solved.
    fn number_of_solutions(&self) -> Value<'_> {
        let Some(puzzle) = self.puzzle else {
            return Value::Missing;
        };
        let found = puzzle.findings.statuses[puzzle.index];
        if self.status == Status::Unknown || found == Some(Status::Unknown) {
            return Value::Missing;
        }
        let details = puzzle.details();
        let max_count = self.settings.options.max_count();
        if details.solutions > max_count || !details.complete {
            return Value::text(format!("{}+", details.solutions.min(max_count)));
        }
        Value::Integer(details.solutions)
    }

    /// Returns the next step of a person. Missing if `unique_puzzle` returns `None`, if no digit is
    /// left to place, or if no technique applies.
    fn hint(&self) -> Value<'_> {
        let Some(puzzle) = self.unique_puzzle() else {
            return Value::Missing;
        };
        let mut paper = self.paper.borrow_mut();
        let hint = puzzle.pencil().hint(puzzle.givens_left(), &mut paper);
        let hint = hint.expect(FITS);
        hint.map_or(Value::Missing, |step| self.step(&step))
    }

    /// Returns a step, as an object with its technique, its pattern, and the digit that it places
    /// or the candidates that it removes.
    fn step(&self, step: &Step) -> Value<'static> {
        let symbol = |digit| self.symbol(digit);
        let candidate = |&(cell, digit): &(u16, u8)| {
            let cell = Value::text(step.place(cell).to_string());
            [("cell", cell), ("digit", digit_value(symbol(digit)))]
        };
        let mut members = vec![("technique", Value::text(step.technique.name()))];
        members.extend(step.placement.as_ref().into_iter().flat_map(candidate));
        let pattern = step.pattern_text(symbol);
        if !pattern.is_empty() {
            let is_house = step.technique == Technique::HiddenSingle;
            members.push((
                if is_house { "house" } else { "pattern" },
                Value::text(pattern),
            ));
        }
        if step.placement.is_none() {
            let removed = step.removals.iter().map(|removal| Value::Object {
                text: Cow::default(),
                members: candidate(removal).into(),
            });
            members.push((
                "removed",
                Value::List {
                    text: Cow::default(),
                    items: removed.collect(),
                },
            ));
        }
        let text = step.text(symbol).into_bytes().into();
        Value::Object { text, members }
    }

    /// Returns the value of the column `grade`, `level` or `steps`. Missing if `unique_puzzle`
    /// returns `None`.
    fn grading(&self, column: &Column) -> Value<'_> {
        let Some(puzzle) = self.unique_puzzle() else {
            return Value::Missing;
        };
        let (grade, level, steps) = self.grading.get_or_init(|| {
            let mut paper = self.paper.borrow_mut();
            let grading = puzzle.pencil().solve(puzzle.givens_left(), &mut paper);
            let grading = grading.expect(FITS);
            (grading.grade(), grading.level(), grading.steps)
        });
        match column {
            Column::Steps => Value::Integer((*steps).into()),
            Column::Level => Value::number(*level),
            _ => Value::of_field(grade.as_bytes()),
        }
    }

    /// Returns the difficulty of the canonical form, so that equivalent puzzles have the same.
    /// `None` if `unique_puzzle` returns `None`, if no cell is blank, or if the puzzle is not a
    /// classic 9x9.
    fn difficulty(&self) -> Option<Difficulty> {
        let puzzle = self.unique_puzzle()?;
        let Givens::Digits(grid) = puzzle.givens_left() else {
            return None;
        };
        let ruleset = puzzle.ruleset();
        if !ruleset.rules.is_classic_9x9() {
            return None;
        }
        let mut form = Vec::new();
        ruleset.canonical()?.form(grid, &mut form).expect(FITS);
        let form = form.try_into().expect("the form is a puzzle alone");
        Difficulty::of_puzzle(&form)
    }

    /// Returns the contradiction that human techniques reach, and the steps up to it.
    fn contradiction(&self, puzzle: PuzzleView<'_>) -> Option<(Contradiction, Vec<Step>)> {
        let mut steps = Vec::new();
        let mut record = |step: &Step| steps.push(step.clone());
        let mut paper = self.paper.borrow_mut();
        let (pencil, givens) = (puzzle.pencil(), puzzle.givens());
        let found = pencil.find_contradiction(givens, &mut paper, &mut record);
        Some((found.expect(FITS)?, steps))
    }

    /// Returns the value of the column `path`, `techniques` or `boards`. Missing if
    /// `unique_puzzle` returns `None`; but the path of a puzzle without solution has the steps up
    /// to a contradiction.
    fn solution_steps(&self, column: &Column) -> Value<'_> {
        let Some(puzzle) = self.unique_puzzle() else {
            let has_none = (column, self.status) == (&Column::Path, Status::None);
            let puzzle = self.puzzle.filter(|_| has_none);
            let found = puzzle.and_then(|puzzle| self.contradiction(puzzle));
            let steps = found.map(|(_, steps)| steps).unwrap_or_default();
            return Value::list(steps.iter().map(|step| self.step(step)).collect(), "; ");
        };
        let (pencil, givens) = (puzzle.pencil(), puzzle.givens_left());
        let mut steps: Vec<Step> = Vec::new();
        let mut record = |step: &Step| steps.push(step.clone());
        let mut paper = self.paper.borrow_mut();
        let grading = pencil.solve_step_by_step(givens, &mut paper, &mut record);
        let grading = grading.expect(FITS);
        // The techniques do not solve every puzzle. If they get stuck, a search is the last step,
        // which the column `boards` does not show.
        let search = match grading.end {
            End::Stuck(_) => Some(grading.grade()),
            _ => None,
        };
        match column {
            Column::Techniques => count_techniques(&steps, search),
            Column::Boards => self.boards(givens, &steps),
            _ => {
                let mut items: Vec<Value<'_>> = steps.iter().map(|step| self.step(step)).collect();
                items.extend(search.map(|name| Value::Object {
                    text: name.as_bytes().into(),
                    members: vec![("technique", Value::text(name))],
                }));
                Value::list(items, "; ")
            }
        }
    }

    /// Returns the grid after each step that places a digit.
    fn boards(&self, givens: Givens<'_>, steps: &[Step]) -> Value<'_> {
        let mut digits = match givens {
            Givens::Digits(digits) => digits.to_vec(),
            // All cells are blank at first, because steps also place the digits of cells with one
            // pencilmark.
            Givens::Candidates(sets) => vec![0; sets.len()],
        };
        let blank = self.settings.options.alphabet.blank_of(&self.entry.shown);
        let boards = steps.iter().filter_map(|step| {
            let (cell, digit) = step.placement?;
            digits[usize::from(cell)] = digit;
            let symbols = digits.iter().map(|&digit| match digit {
                0 => blank,
                digit => self.symbol(digit) as u8,
            });
            Some(Value::Grid(symbols.collect()))
        });
        Value::list(boards.collect(), ";")
    }

    /// Returns the symbol of a digit, in the [`Case`] of the puzzle.
    fn symbol(&self, digit: u8) -> char {
        let alphabet = &self.settings.options.alphabet;
        alphabet.symbol(digit, self.entry.case)
    }

    fn minimal(&self) -> Value<'_> {
        match self.puzzle.and_then(|it| it.findings.minimal[it.index]) {
            Some(Minimality::Yes) => Value::text("yes"),
            Some(Minimality::No) => Value::text("no"),
            Some(Minimality::Unknown | Minimality::NoGivens) | None => Value::Missing,
        }
    }

    /// Returns the puzzle if its search found that it has exactly one solution, and `--exact` has
    /// not failed for it.
    fn unique_puzzle(&self) -> Option<PuzzleView<'p>> {
        let is_unique =
            |it: &PuzzleView<'_>| it.findings.statuses[it.index] == Some(Status::Unique);
        self.puzzle.filter(is_unique)
    }

    /// Returns, as pencilmarks, the candidates of each cell that singles, cage combinations and
    /// locked candidates leave. Missing if the entry has no puzzle in a batch, or if these
    /// techniques lead to a contradiction.
    fn pencilmarks(&self) -> Value<'_> {
        let mut paper = self.paper.borrow_mut();
        let sets = self.puzzle.and_then(|puzzle| {
            let (pencil, givens) = (puzzle.pencil(), puzzle.givens_left());
            pencil.candidates_after(Technique::LockedCandidates, givens, &mut paper)
        });
        self.sets(sets)
    }

    /// Returns sets of digits, one for each cell, as pencilmarks: N symbols for each cell, its
    /// digits and blanks.
    fn sets(&self, sets: Option<&[u32]>) -> Value<'static> {
        let Some(sets) = sets else {
            return Value::Missing;
        };
        let alphabet = &self.settings.options.alphabet;
        let blank = alphabet.blank_of(&self.entry.shown);
        let mut marks = Vec::with_capacity(sets.len() * sets.len().isqrt());
        for set in sets {
            // Bit d-1 is digit d; `digit` counts from 0 here.
            marks.extend((0..sets.len().isqrt()).map(|digit| match set >> digit & 1 {
                0 => blank,
                _ => self.symbol(digit as u8 + 1) as u8,
            }));
        }
        Value::Text(marks.into())
    }

    /// Returns the canonical form: the digits, then the jigsaw regions as letters, if there are
    /// any, then the field of [`Ruleset::write_cages`], which can be empty. Missing if the entry
    /// has no puzzle in a batch, for a pencilmark puzzle, and for rules without canonical forms.
    fn canonical(&self) -> Value<'static> {
        let form = || {
            let puzzle = self.puzzle?;
            let Givens::Digits(grid) = puzzle.givens_left() else {
                return None;
            };
            let ruleset = puzzle.ruleset();
            // N² digits; with jigsaw regions, N² region numbers from 0; with cages, N² sums and N²
            // cage numbers.
            let mut form = Vec::new();
            ruleset.canonical()?.form(grid, &mut form).expect(FITS);
            let (grid, rest) = form.split_at(grid.len());
            let (regions, cages) = rest.split_at(match ruleset.rules.jigsaw_regions() {
                [] => 0,
                _ => grid.len(),
            });
            let mut text = Vec::new();
            let alphabet = &self.settings.options.alphabet;
            alphabet.write(grid, Case::default(), &mut text);
            text.extend(regions.iter().map(|region| b'A' + region));
            // Even without cages, this writes the boxes and diagonals if those that the line states
            // differ from those of the options.
            text.extend(ruleset.write_cages(&cages_of_image(cages)));
            Some(text)
        };
        form().map_or(Value::Missing, |form| Value::Text(form.into()))
    }
}

/// Counts how often steps use each technique, the hardest first: `naked-pair:2,hidden-single:54`.
/// `search` names the search that finishes a puzzle if the techniques do not. A search comes first,
/// because it is harder than every technique.
fn count_techniques(steps: &[Step], search: Option<&'static str>) -> Value<'static> {
    let mut counts: Vec<(&str, usize)> = search.map(|name| (name, 1)).into_iter().collect();
    for &(name, technique) in Technique::NAMES.iter().rev() {
        let used = steps.iter().filter(|step| step.technique == technique);
        counts.push((name, used.count()));
    }
    counts.retain(|(_, count)| *count > 0);
    if counts.is_empty() {
        return Value::Missing;
    }
    let texts: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name}:{count}"))
        .collect();
    let members = counts
        .into_iter()
        .map(|(name, count)| (name, Value::number(Some(count))));
    Value::Object {
        text: texts.join(",").into_bytes().into(),
        members: members.collect(),
    }
}

/// Returns the symbol of a digit: a number if it is one.
fn digit_value(symbol: char) -> Value<'static> {
    match symbol.to_digit(10) {
        Some(digit) => Value::Integer(digit.into()),
        None => Value::text(symbol),
    }
}

/// Returns a cage as an object with its cells and its sum, if it has one.
fn cage_value(cage: &Cage, side: usize) -> Value<'static> {
    let places = cage
        .cells()
        .iter()
        .map(|&cell| Place::of(cell.into(), side));
    let cells = places.map(|place| Value::text(place.to_string())).collect();
    let mut members = vec![("cells", Value::list(cells, " "))];
    members.extend(cage.sum.map(|sum| ("sum", Value::Integer(sum.into()))));
    let text = Cow::default();
    Value::Object { text, members }
}

impl<'p> PuzzleView<'p> {
    /// Returns the puzzle of an entry, if it has one in a batch.
    pub fn of(
        entry: &Entry<'_>,
        batches: &'p [Batch],
        findings: &'p [BatchFindings],
    ) -> Option<PuzzleView<'p>> {
        let EntryState::ToSolve { batch, index } = entry.state else {
            return None;
        };
        Some(PuzzleView {
            batch: &batches[batch as usize],
            findings: &findings[batch as usize],
            index: index as usize,
        })
    }

    /// Returns the first solution found, if the findings about the puzzle have the status `unique`
    /// or `multiple`.
    pub fn solution(self) -> Option<&'p [u8]> {
        match self.findings.statuses[self.index] {
            Some(Status::Unique | Status::Multiple) => Some(self.findings.solution(self.index)),
            _ => None,
        }
    }

    fn candidates(self) -> Option<&'p [u32]> {
        self.findings.candidates(self.index)
    }

    pub fn details(self) -> &'p SearchDetails {
        &self.findings.details[self.index]
    }

    fn ruleset(self) -> &'p Ruleset {
        self.batch.rules.ruleset(self.index)
    }

    fn pencil(self) -> &'p Pencil {
        self.ruleset().pencil()
    }

    /// Returns the givens as they were read.
    fn givens(self) -> Givens<'p> {
        self.batch.givens(self.index)
    }

    /// Returns the digits that `--minimize` left, if it ended with a result for this puzzle.
    fn minimized(self) -> Option<&'p [u8]> {
        self.findings.minimized.get(self.index)?.as_deref()
    }

    /// Returns the givens without those that `--minimize` removed.
    fn givens_left(self) -> Givens<'p> {
        match self.minimized() {
            Some(left) => Givens::Digits(left),
            None => self.givens(),
        }
    }
}
